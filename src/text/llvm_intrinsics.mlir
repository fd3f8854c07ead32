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
llvm.func @unary(%x: f32, %v: vector<4xf64>) {
  %0 = llvm.intr.acos(%v) : (vector<4xf64>) -> vector<4xf64>
  %1 = llvm.intr.asin(%x) : (f32) -> f32
  %2 = llvm.intr.atan(%v) : (vector<4xf64>) -> vector<4xf64>
  %3 = llvm.intr.cos(%x) : (f32) -> f32
  %4 = llvm.intr.cosh(%v) : (vector<4xf64>) -> vector<4xf64>
  %5 = llvm.intr.exp10(%x) : (f32) -> f32
  %6 = llvm.intr.exp2(%v) : (vector<4xf64>) -> vector<4xf64>
  %7 = llvm.intr.exp(%x) : (f32) -> f32
  %8 = llvm.intr.fabs(%v) : (vector<4xf64>) -> vector<4xf64>
  %9 = llvm.intr.ceil(%x) : (f32) -> f32
  %10 = llvm.intr.floor(%v) : (vector<4xf64>) -> vector<4xf64>
  %11 = llvm.intr.trunc(%x) : (f32) -> f32
  %12 = llvm.intr.log10(%v) : (vector<4xf64>) -> vector<4xf64>
  %13 = llvm.intr.log2(%x) : (f32) -> f32
  %14 = llvm.intr.log(%v) : (vector<4xf64>) -> vector<4xf64>
  %15 = llvm.intr.nearbyint(%x) : (f32) -> f32
  %16 = llvm.intr.rint(%v) : (vector<4xf64>) -> vector<4xf64>
  %17 = llvm.intr.roundeven(%x) : (f32) -> f32
  %18 = llvm.intr.round(%v) : (vector<4xf64>) -> vector<4xf64>
  %19 = llvm.intr.sin(%x) : (f32) -> f32
  %20 = llvm.intr.sinh(%v) : (vector<4xf64>) -> vector<4xf64>
  %21 = llvm.intr.sqrt(%x) : (f32) -> f32
  %22 = llvm.intr.tan(%v) : (vector<4xf64>) -> vector<4xf64>
  %23 = llvm.intr.tanh(%x) : (f32) -> f32
  llvm.return
}
llvm.func @binary(%x: f32, %y: f32, %i: i32, %v: vector<4xf32>) {
  %0 = llvm.intr.atan2(%x, %y) : (f32, f32) -> f32
  %1 = llvm.intr.copysign(%x, %y) : (f32, f32) -> f32
  %2 = llvm.intr.maxnum(%x, %y) : (f32, f32) -> f32
  %3 = llvm.intr.maximum(%x, %y) : (f32, f32) -> f32
  %4 = llvm.intr.minnum(%x, %y) : (f32, f32) -> f32
  %5 = llvm.intr.minimum(%x, %y) : (f32, f32) -> f32
  %6 = llvm.intr.pow(%x, %y) : (f32, f32) -> f32
  %7 = llvm.intr.fma(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %8 = llvm.intr.fmuladd(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %9 = llvm.intr.powi(%x, %i) : (f32, i32) -> f32
  %10 = llvm.intr.ldexp(%x, %i) : (f32, i32) -> f32
  %11 = llvm.intr.llrint(%x) : (f32) -> i64
  %12 = llvm.intr.llround(%x) : (f32) -> i64
  %13 = llvm.intr.lrint(%x) : (f32) -> i64
  %14 = llvm.intr.lround(%x) : (f32) -> i64
  %15 = llvm.intr.frexp(%x) : (f32) -> !llvm.struct<(f32, i32)>
  %16 = llvm.intr.sincos(%x) : (f32) -> !llvm.struct<(f32, f32)>
  %17 = "llvm.intr.is.fpclass"(%x) <{bit = 3 : i32}> : (f32) -> i1
  llvm.return
}
llvm.func @integers(%a: i32, %b: i32, %v: vector<4xi32>, %p: f64) {
  %0 = llvm.intr.bitreverse(%a) : (i32) -> i32
  %1 = llvm.intr.bswap(%a) : (i32) -> i32
  %2 = llvm.intr.ctpop(%a) : (i32) -> i32
  %3 = "llvm.intr.abs"(%a) <{is_int_min_poison = false}> : (i32) -> i32
  %4 = "llvm.intr.ctlz"(%a) <{is_zero_poison = true}> : (i32) -> i32
  %5 = "llvm.intr.cttz"(%a) <{is_zero_poison = true}> : (i32) -> i32
  %6 = llvm.intr.sadd.sat(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %7 = llvm.intr.smax(%a, %b) : (i32, i32) -> i32
  %8 = llvm.intr.smin(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %9 = llvm.intr.sshl.sat(%a, %b) : (i32, i32) -> i32
  %10 = llvm.intr.ssub.sat(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %11 = llvm.intr.uadd.sat(%a, %b) : (i32, i32) -> i32
  %12 = llvm.intr.umax(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %13 = llvm.intr.umin(%a, %b) : (i32, i32) -> i32
  %14 = llvm.intr.ushl.sat(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %15 = llvm.intr.usub.sat(%a, %b) : (i32, i32) -> i32
  %16 = llvm.intr.scmp(%a, %b) : (i32, i32) -> i2
  %17 = llvm.intr.ucmp(%a, %b) : (i32, i32) -> i2
  %18 = llvm.intr.fshl(%a, %b, %a) : (i32, i32, i32) -> i32
  %19 = llvm.intr.fshr(%a, %b, %a) : (i32, i32, i32) -> i32
  %20 = "llvm.intr.sadd.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %21 = "llvm.intr.smul.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %22 = "llvm.intr.ssub.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %23 = "llvm.intr.uadd.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %24 = "llvm.intr.umul.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %25 = "llvm.intr.usub.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %26 = llvm.intr.expect %a, %b : i32
  %27 = llvm.intr.expect.with.probability %a, %b, 5.000000e-01 : i32
  %28 = "llvm.intr.is.constant"(%a) : (i32) -> i1
  llvm.return
}
llvm.func @reductions(%i: vector<4xi32>, %f: vector<4xf32>, %x: f32, %s: vector<[4]xf32>) {
  %0 = "llvm.intr.vector.reduce.add"(%i) : (vector<4xi32>) -> i32
  %1 = "llvm.intr.vector.reduce.and"(%i) : (vector<4xi32>) -> i32
  %2 = "llvm.intr.vector.reduce.mul"(%i) : (vector<4xi32>) -> i32
  %3 = "llvm.intr.vector.reduce.or"(%i) : (vector<4xi32>) -> i32
  %4 = "llvm.intr.vector.reduce.smax"(%i) : (vector<4xi32>) -> i32
  %5 = "llvm.intr.vector.reduce.smin"(%i) : (vector<4xi32>) -> i32
  %6 = "llvm.intr.vector.reduce.umax"(%i) : (vector<4xi32>) -> i32
  %7 = "llvm.intr.vector.reduce.umin"(%i) : (vector<4xi32>) -> i32
  %8 = "llvm.intr.vector.reduce.xor"(%i) : (vector<4xi32>) -> i32
  %9 = llvm.intr.vector.reduce.fmax(%f) : (vector<4xf32>) -> f32
  %10 = llvm.intr.vector.reduce.fmaximum(%f) : (vector<4xf32>) -> f32
  %11 = llvm.intr.vector.reduce.fmin(%f) : (vector<4xf32>) -> f32
  %12 = llvm.intr.vector.reduce.fminimum(%f) : (vector<4xf32>) -> f32
  %13 = "llvm.intr.vector.reduce.fadd"(%x, %f) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  %14 = "llvm.intr.vector.reduce.fmul"(%x, %f) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  %15 = llvm.intr.vector.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  %16 = llvm.intr.vector.insert %f, %s[4] : vector<4xf32> into vector<[4]xf32>
  %17 = "llvm.intr.vector.interleave2"(%f, %f) : (vector<4xf32>, vector<4xf32>) -> vector<8xf32>
  %18 = "llvm.intr.vector.deinterleave2"(%f) : (vector<4xf32>) -> !llvm.struct<(vector<2xf32>, vector<2xf32>)>
  %19 = "llvm.intr.vscale"() : () -> i64
  %20 = llvm.intr.stepvector : vector<4xi32>
  llvm.return
}
llvm.func @memory(%p: !llvm.ptr, %q: !llvm.ptr<1>, %v: vector<4xf32>, %ptrs: vector<4x!llvm.ptr>, %m: vector<4xi1>, %n: i64, %b: i8, %c: i1) {
  %0 = llvm.intr.masked.load %p, %m, %v {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %v, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %1 = llvm.intr.masked.gather %ptrs, %m, %v {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.scatter %v, %ptrs, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  %2 = llvm.intr.get.active.lane.mask %n, %n : i64, i64 to vector<4xi1>
  "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy.inline"(%p, %p) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.memmove"(%p, %q, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memset"(%p, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset.inline"(%p, %b) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %3 = llvm.intr.ptrmask %p, %n : (!llvm.ptr, i64) -> !llvm.ptr
  %4 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %4 : !llvm.ptr
  %5 = llvm.mlir.constant(1 : i32) : i32
  %6 = llvm.alloca %5 x f32 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %6 : !llvm.ptr
  llvm.intr.lifetime.end %6 : !llvm.ptr
  "llvm.intr.assume"(%c) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %n : !llvm.ptr, i64)] : i1
  llvm.intr.debugtrap
  llvm.intr.trap
  llvm.intr.ubsantrap <{failureKind = 7 : i8}>
  llvm.return
}
