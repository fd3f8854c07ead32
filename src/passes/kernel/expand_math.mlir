// RUN: heddle-opt --expand-math %s | FileCheck %s

// CHECK-LABEL: @exp
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<8xf32>
// CHECK: return
func.func @exp(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Huge arguments are reduced exactly where a lane has one.
// CHECK-LABEL: @sin
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %{{.*}} : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]]
// CHECK: scf.for
// CHECK-NOT: math.sin
func.func @sin(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: @half
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%x: f16) -> f16 {
  %0 = math.tanh %x : f16
  return %0 : f16
}

// Tensors are not this pass's.
// CHECK-LABEL: @tensor
// CHECK: math.exp %{{.*}} : tensor<4xf32>
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Kernels call one function for it, whatever the number of uses; what has a constant operand is written out, as is what
// the host computes.
// CHECK-LABEL: @kernel
// CHECK-NOT: call
// CHECK: gpu.launch
// CHECK: %[[A:.*]] = func.call @math.tanh.f32(%{{.*}}) : (f32) -> f32
// CHECK: %[[B:.*]] = func.call @math.tanh.f32(%[[A]])
// CHECK: %[[C:.*]]:2 = func.call @math.sincos.bf16(%{{.*}}) : (bf16) -> (bf16, bf16)
// CHECK: %[[P:.*]] = func.call @math.fpowi.f32.i32(%[[B]], %{{.*}})
// CHECK-NOT: call
// CHECK: gpu.terminator
// CHECK: func.func private @math.tanh.f32(%[[X:.*]]: f32) -> f32 attributes {hd.math}
// CHECK-NOT: math.tanh
// CHECK: return
// CHECK: func.func private @math.sincos.bf16(
// CHECK: arith.truncf
// CHECK: func.func private @math.fpowi.f32.i32(
// CHECK-NOT: func.func
func.func @kernel(%m: memref<4xf32>, %h: memref<4xbf16>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %host = memref.load %m[%c0] : memref<4xf32>
  %scale = math.tanh %host : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %0 = memref.load %m[%tx] : memref<4xf32>
    %1 = math.tanh %0 : f32
    %2 = math.tanh %1 : f32
    %3 = memref.load %h[%tx] : memref<4xbf16>
    %4, %5 = math.sincos %3 : bf16
    memref.store %4, %h[%tx] : memref<4xbf16>
    %6 = math.fpowi %2, %n : f32, i32
    %7 = math.powf %6, %two : f32
    %8 = arith.mulf %7, %scale : f32
    memref.store %8, %m[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
