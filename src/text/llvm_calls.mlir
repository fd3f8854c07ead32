// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32}
llvm.func @personality(...) -> i32
llvm.func @may_throw(i32) -> i32
llvm.func @void(i32)
llvm.func @exceptions(%i: i32, %p: !llvm.ptr, %n: i64) -> i32 attributes {personality = @personality} {
  %null = llvm.mlir.zero : !llvm.ptr
  %arr = llvm.mlir.undef : !llvm.array<1 x ptr>
  %0 = llvm.invoke @may_throw(%i) to ^good unwind ^bad : (i32) -> i32
^good:
  %2 = llvm.invoke %p(%i) to ^better(%0 : i32) unwind ^bad : !llvm.ptr, (i32) -> i32
^better(%k: i32):
  llvm.invoke @void(%i) to ^end unwind ^bad2 ["deopt"(%i : i32)] : (i32) -> ()
^end:
  llvm.return %0 : i32
^bad:
  %1 = llvm.landingpad cleanup (catch %null : !llvm.ptr) (filter %arr : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  llvm.resume %1 : !llvm.struct<(ptr, i32)>
^bad2:
  %3 = llvm.landingpad (catch %null : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.resume %3 : !llvm.struct<(ptr, i32)>
}
llvm.func @bundles(%i: i32, %p: !llvm.ptr, %n: i64, %c: i1) {
  llvm.call @void(%i) ["deopt"(%i, %n : i32, i64), "x"()] : (i32) -> ()
  llvm.call_intrinsic "llvm.assume"(%c) ["align"(%p, %n : !llvm.ptr, i64)] : (i1) -> ()
  llvm.intr.assume %c ["align"(%p, %n : !llvm.ptr, i64), "nonnull"(%p : !llvm.ptr)] : i1
  llvm.return
}
func.func @casts(%a: i32) -> f32 {
  %0 = builtin.unrealized_conversion_cast %a : i32 to f32
  return %0 : f32
}
