// RUN: heddle-opt --disc-element-type-converter --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-element-type-converter=native=f32:f64 --split-input-file %s | FileCheck %s --check-prefix=NATIVE
// RUN: heddle-opt --disc-element-type-converter=mixed-precision=f16 --split-input-file %s | FileCheck %s --check-prefix=MIXED
// RUN: heddle-opt --disc-element-type-converter="target=cpu libraries" --split-input-file %s | FileCheck %s --check-prefix=CPU
// RUN: heddle-opt --disc-element-type-converter=target=cuda --split-input-file %s | FileCheck %s --check-prefix=CUDA

// CHECK-LABEL: @any
// CHECK: %[[X:.+]] = stablehlo.convert %arg0 : (tensor<?x?xi1>) -> tensor<?x?xi32>
// CHECK: stablehlo.reduce(%[[X]] init: %{{.+}}) across dimensions = [1] : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>
// CHECK: reducer(%[[A:.+]]: tensor<i32>, %{{.+}}: tensor<i32>)
// CHECK: stablehlo.convert %[[A]] : (tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.or
// CHECK: stablehlo.convert %{{.+}} : (tensor<?xi32>) -> tensor<?xi1>
// EVAL: any arg0=4x3
// EVAL: any arg0=2x0
func.func @any(%x: tensor<?x?xi1>) -> tensor<?xi1> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %false) applies stablehlo.or across dimensions = [1] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// -----

// A reducer that is no plain op, next to another operand.
// CHECK-LABEL: @none_of
// CHECK: (tensor<4x3xi32>, tensor<4x3xf32>, tensor<i32>, tensor<f32>) -> (tensor<4xi32>, tensor<4xf32>)
// EVAL: none_of
func.func @none_of(%x: tensor<4x3xi1>, %y: tensor<4x3xf32>) -> (tensor<4xi1>, tensor<4xf32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.reduce(%x init: %true), (%y init: %zero) across dimensions = [1] : (tensor<4x3xi1>, tensor<4x3xf32>, tensor<i1>, tensor<f32>) -> (tensor<4xi1>, tensor<4xf32>)
    reducer(%a: tensor<i1>, %b: tensor<i1>) (%c: tensor<f32>, %d: tensor<f32>) {
      %1 = stablehlo.not %b : tensor<i1>
      %2 = stablehlo.and %a, %1 : tensor<i1>
      %3 = stablehlo.select %2, %c, %d : tensor<i1>, tensor<f32>
      stablehlo.return %2, %3 : tensor<i1>, tensor<f32>
    }
  return %0#0, %0#1 : tensor<4xi1>, tensor<4xf32>
}

// -----

// Rounded where the narrow op rounds; what only moves stays narrow.
// NATIVE-LABEL: @bf16
// NATIVE: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
// NATIVE: stablehlo.add %{{.+}}, %{{.+}} : tensor<?x?xf32>
// NATIVE: stablehlo.convert %{{.+}} : (tensor<?x?xf32>) -> tensor<?x?xbf16>
// NATIVE: stablehlo.multiply {{.*}} : tensor<?x?xf32>
// NATIVE: stablehlo.compare LT, %{{.+}}, %{{.+}} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
// CHECK-LABEL: @bf16
// CHECK: stablehlo.add %{{.+}}, %{{.+}} : tensor<?x?xbf16>
// EVAL: bf16 arg0=3x4 arg1=4x3
func.func @bf16(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xi1>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %1 = stablehlo.add %0, %y : tensor<?x?xbf16>
  %2 = stablehlo.multiply %1, %y : tensor<?x?xbf16>
  %3 = stablehlo.compare LT, %2, %y : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xi1>
  return %2, %3 : tensor<?x?xbf16>, tensor<?x?xi1>
}

// -----

// Of a reduction the accumulator rounds as before; a sort compares wide values.
// NATIVE-LABEL: @regions
// NATIVE: stablehlo.reduce{{.*}} : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
// NATIVE: stablehlo.add {{.*}} : tensor<f32>
// NATIVE: "stablehlo.sort"
// NATIVE: stablehlo.compare LT, %{{.+}}, %{{.+}} : (tensor<f32>, tensor<f32>) -> tensor<i1>
// NATIVE-NEXT: stablehlo.return %{{.+}} : tensor<i1>
// EVAL: regions arg0=3x4
func.func @regions(%x: tensor<?x4xf16>) -> tensor<?xf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf16>, tensor<f16>) -> tensor<?xf16>
  %1 = "stablehlo.sort"(%0) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf16>) -> tensor<?xf16>
  return %1 : tensor<?xf16>
}

// -----

// MIXED-LABEL: @mixed
// MIXED: stablehlo.dot_general %{{.+}}, %{{.+}}, contracting_dims = [1] x [0] : (tensor<?x4xf16>, tensor<4x3xf16>) -> tensor<?x3xf32>
// MIXED: stablehlo.dot_general {{.*}}precision = [HIGHEST, HIGHEST] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
// MIXED: stablehlo.convolution{{.*}}(tensor<1x5x3xf16>, tensor<2x3x4xf16>) -> tensor<1x4x4xf32>
// EVAL: mixed arg0=3x4 ~2e-3
func.func @mixed(%a: tensor<?x4xf32>, %b: tensor<4x3xf32>, %x: tensor<1x5x3xf32>, %w: tensor<2x3x4xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1x4x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x3xf32>, tensor<2x3x4xf32>) -> tensor<1x4x4xf32>
  return %0, %1, %2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<1x4x4xf32>
}

// -----

// What only a library computes is widened for the CPU; kernels widen their own elements, and i1 is reduced as it is. Of
// a target all is, as its row of the table says.
// CPU-LABEL: @target
// CPU: %[[A:.+]] = stablehlo.convert %arg0 : (tensor<?x4x4xbf16>) -> tensor<?x4x4xf32>
// CPU: %[[C:.+]] = stablehlo.cholesky %[[A]], lower = true : tensor<?x4x4xf32>
// CPU: stablehlo.convert %[[C]] : (tensor<?x4x4xf32>) -> tensor<?x4x4xbf16>
// CPU: stablehlo.add %{{.+}}, %{{.+}} : tensor<?x4x4xbf16>
// CPU: stablehlo.reduce{{.*}} (tensor<?xi1>, tensor<i1>) -> tensor<i1>
// CUDA-LABEL: @target
// CUDA: stablehlo.add %{{.+}}, %{{.+}} : tensor<?x4x4xf32>
// CUDA: stablehlo.reduce{{.*}} (tensor<?xi32>, tensor<i32>) -> tensor<i32>
func.func @target(%a: tensor<?x4x4xbf16>, %p: tensor<?xi1>) -> (tensor<?x4x4xbf16>, tensor<i1>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x4x4xbf16>
  %1 = stablehlo.add %0, %0 : tensor<?x4x4xbf16>
  %2 = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
  return %1, %2 : tensor<?x4x4xbf16>, tensor<i1>
}

// -----

// Products of two element types: the wider one, or what holds both.
// CPU-LABEL: @sides
// CPU: %[[Y:.*]] = stablehlo.convert %arg1 : (tensor<8x2xbf16>) -> tensor<8x2xf32>
// CPU: stablehlo.dot_general %arg0, %[[Y]]
// CPU: stablehlo.dot_general %{{.+}}, %{{.+}}, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// EVAL: sides ~1e-6
func.func @sides(%x: tensor<4x8xf32>, %y: tensor<8x2xbf16>, %z: tensor<4x8xf16>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  %1 = stablehlo.dot_general %z, %y, contracting_dims = [1] x [0] : (tensor<4x8xf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}
