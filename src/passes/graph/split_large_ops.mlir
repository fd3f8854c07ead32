// RUN: heddle-opt --disc-split-large-ops=max-operands=3 --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-split-large-ops=max-param-bytes=200 --split-input-file %s | FileCheck %s --check-prefix=BYTES
// RUN: heddle-opt --disc-split-large-ops="max-operands=3 max-param-bytes=0" --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-split-large-ops --split-input-file %s | FileCheck %s --check-prefix=FITS

// CHECK-LABEL: @concat
// CHECK: %[[A:.+]] = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 1 : (tensor<?x1xf32>, tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
// CHECK: %[[B:.+]] = stablehlo.concatenate %arg3, %arg4, dim = 1 : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x9xf32>
// CHECK: stablehlo.concatenate %[[A]], %[[B]], dim = 1 : (tensor<?x6xf32>, tensor<?x9xf32>) -> tensor<?x15xf32>
// BYTES-LABEL: @concat
// BYTES-COUNT-3: stablehlo.concatenate %{{.+}}, %{{.+}}, dim = 1
// FITS-LABEL: @concat
// FITS-COUNT-1: stablehlo.concatenate
// EVAL: concat arg0=3x1 arg1=3x2 arg2=3x3 arg3=3x4 arg4=3x5
func.func @concat(%0: tensor<?x1xf32>, %1: tensor<?x2xf32>, %2: tensor<?x3xf32>, %3: tensor<?x4xf32>, %4: tensor<?x5xf32>) -> tensor<?x15xf32> {
  %5 = stablehlo.concatenate %0, %1, %2, %3, %4, dim = 1 : (tensor<?x1xf32>, tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x15xf32>
  return %5 : tensor<?x15xf32>
}

// -----

// Along an unknown dim; ten operands make three levels.
// CHECK-LABEL: @unknown
// CHECK-COUNT-7: stablehlo.concatenate
// CHECK-NOT: stablehlo.concatenate
// EVAL: unknown arg0=2 arg1=3
func.func @unknown(%0: tensor<?xf32>, %1: tensor<?xf32>) -> tensor<?xf32> {
  %2 = stablehlo.concatenate %0, %1, %0, %0, %1, %0, %1, %1, %0, %1, dim = 0 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Not kernels.
// CHECK-LABEL: @others
// CHECK: stablehlo.tuple %arg0, %arg0, %arg0, %arg0
func.func @others(%0: tensor<f32>) -> tuple<tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>> {
  %1 = stablehlo.tuple %0, %0, %0, %0 : tuple<tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>>
  return %1 : tuple<tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>>
}

// -----

// The seed's own: two, each of some neighbours, then one of both. Static, of the last operand count that fits, and one more.
// CHECK-LABEL: @seed
// CHECK: %[[A:.+]] = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
// CHECK: %[[B:.+]] = stablehlo.concatenate %arg2, %arg3, dim = 0 : (tensor<3xi32>, tensor<4xi32>) -> tensor<7xi32>
// CHECK: stablehlo.concatenate %[[A]], %[[B]], dim = 0 : (tensor<3xi32>, tensor<7xi32>) -> tensor<10xi32>
// CHECK: stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0
// EVAL: seed
func.func @seed(%0: tensor<1xi32>, %1: tensor<2xi32>, %2: tensor<3xi32>, %3: tensor<4xi32>) -> (tensor<10xi32>, tensor<6xi32>) {
  %4 = stablehlo.concatenate %0, %1, %2, %3, dim = 0 : (tensor<1xi32>, tensor<2xi32>, tensor<3xi32>, tensor<4xi32>) -> tensor<10xi32>
  %5 = stablehlo.concatenate %0, %1, %2, dim = 0 : (tensor<1xi32>, tensor<2xi32>, tensor<3xi32>) -> tensor<6xi32>
  return %4, %5 : tensor<10xi32>, tensor<6xi32>
}
