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
llvm.mlir.global internal @data(0 : i32) : i32
llvm.mlir.alias external @other : i32 {
  %0 = llvm.mlir.addressof @data : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @start() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@start], priorities = [7 : i32], data = [@data]

llvm.func @integers(%a: i32, %b: i32, %v: vector<4xi32>, %k: i64) {
  %0 = llvm.sub %a, %b overflow<nsw, nuw> : i32
  %1 = llvm.mul %a, %b : i32
  %2 = llvm.udiv %a, %b : i32
  %3 = llvm.udiv exact %a, %b : i32
  %4 = llvm.sdiv %a, %b : i32
  %5 = llvm.urem %a, %b : i32
  %6 = llvm.srem %v, %v : vector<4xi32>
  %7 = llvm.and %a, %b : i32
  %8 = llvm.or disjoint %a, %b : i32
  %9 = llvm.or %a, %b : i32
  %10 = llvm.xor %a, %b : i32
  %11 = llvm.shl %a, %b overflow<nuw> : i32
  %12 = llvm.lshr exact %a, %b : i32
  %13 = llvm.ashr %a, %b : i32
  %14 = llvm.sext %a : i32 to i64
  %15 = llvm.zext nneg %a : i32 to i64
  %16 = llvm.trunc %k overflow<nsw> : i64 to i32
  %17 = llvm.freeze %a : i32
  %18 = llvm.inttoptr %k : i64 to !llvm.ptr
  %19 = llvm.addrspacecast %18 : !llvm.ptr to !llvm.ptr<3>
  %20 = llvm.mlir.none : !llvm.token
  llvm.return
}
llvm.func @floats(%x: f32, %y: f32, %d: f64, %a: i32, %v: vector<8xf32>) {
  %0 = llvm.fadd %x, %y : f32
  %1 = llvm.fsub %x, %y {fastmathFlags = #llvm.fastmath<contract>} : f32
  %2 = llvm.fdiv %v, %v : vector<8xf32>
  %3 = llvm.frem %x, %y : f32
  %4 = llvm.fneg %x : f32
  %5 = llvm.fpext %x : f32 to f64
  %6 = llvm.fptrunc %d : f64 to f32
  %7 = llvm.fptosi %x : f32 to i32
  %8 = llvm.fptoui %x : f32 to i32
  %9 = llvm.sitofp %a : i32 to f32
  %10 = llvm.uitofp nneg %a : i32 to f32
  llvm.return
}
llvm.func @memory(%p: !llvm.ptr, %i: i32, %j: i32, %list: !llvm.ptr) {
  %0 = llvm.cmpxchg %p, %i, %j acq_rel monotonic : !llvm.ptr, i32
  %1 = llvm.cmpxchg weak volatile %p, %i, %j syncscope("singlethread") seq_cst acquire {alignment = 8 : i64} : !llvm.ptr, i32
  %2 = llvm.va_arg %list : (!llvm.ptr) -> i32
  %3 = llvm.inline_asm has_side_effects asm_dialect = intel "mov $0, $1", "=r,r" %i : (i32) -> i32
  llvm.inline_asm is_align_stack "nop", "" : () -> ()
  %4 = llvm.call_intrinsic "llvm.ctpop.i32"(%i) : (i32) -> i32
  llvm.call_intrinsic "llvm.assume"(%1) : (!llvm.struct<(i32, i1)>) -> ()
  llvm.br ^next(%i : i32)
^next(%k: i32):
  llvm.br ^end
^end:
  llvm.unreachable
}
