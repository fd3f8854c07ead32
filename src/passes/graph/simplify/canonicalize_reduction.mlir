// RUN: heddle-opt --disc-canonicalize-reduction --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-canonicalize-reduction="two-steps rank-2=false" --canonicalize --split-input-file %s | FileCheck %s --check-prefix=STEPS
// RUN: heddle-opt --disc-canonicalize-reduction="two-steps full=false rank-2=false" --canonicalize --split-input-file %s | FileCheck %s --check-prefix=SIDES
// RUN: heddle-opt --disc-canonicalize-reduction=two-steps --split-input-file %s | FileCheck %s --check-prefix=BOTH

// CHECK-LABEL: @column
// CHECK: stablehlo.dynamic_reshape %arg0, %{{.+}} : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: stablehlo.reduce(%{{.+}} init: %{{.+}}) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: stablehlo.dynamic_reshape %{{.+}} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// EVAL: column arg0=2x3x4
// EVAL: column arg0=1x1x1
// EVAL: column arg0=0x3x4
// EVAL: column arg0=5x0x4
func.func @column(%arg0: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Dims of one element: a bounds check of one index.
// CHECK-LABEL: @of_one
// CHECK-NOT: stablehlo.reduce
// CHECK: stablehlo.dynamic_reshape %arg0, %{{.+}} : (tensor<?x?x1xi1>, tensor<2xi32>) -> tensor<?x?xi1>
// CHECK: stablehlo.and
// CHECK: return
// EVAL: of_one arg0=2x3x1
// EVAL: of_one arg0=0x3x1
func.func @of_one(%arg0: tensor<?x?x1xi1>) -> tensor<?x?xi1> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%arg0 init: %true) applies stablehlo.and across dimensions = [2] : (tensor<?x?x1xi1>, tensor<i1>) -> tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}

// -----

// The initial value counts, and the sum of zeros is not negative.
// CHECK-LABEL: @from_three
// CHECK-NOT: stablehlo.reduce
// CHECK: stablehlo.add
// EVAL: from_three arg0=1x5x1
func.func @from_three(%arg0: tensor<1x?x1xf32>) -> tensor<?xf32> {
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %three) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x?x1xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @row
// CHECK: stablehlo.reduce(%{{.+}} init: %{{.+}}) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: stablehlo.dynamic_reshape
// EVAL: row arg0=2x3x4
// EVAL: row arg0=2x3x0
func.func @row(%arg0: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// To a scalar: one column.
// CHECK-LABEL: @scalar
// CHECK: stablehlo.dynamic_reshape %arg0, %{{.+}} : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
// CHECK: across dimensions = [0] : (tensor<?x1xf32>, tensor<f32>) -> tensor<1xf32>
// CHECK: stablehlo.reshape %{{.+}} : (tensor<1xf32>) -> tensor<f32>
// EVAL: scalar arg0=2x3x4
// EVAL: scalar arg0=0x3x4
func.func @scalar(%arg0: tensor<?x?x?xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The others by transpose.
// CHECK-LABEL: @middle
// CHECK: stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK: across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
// EVAL: middle arg0=2x3x4
func.func @middle(%arg0: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @ends
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 0, 3]
// CHECK: stablehlo.reshape %{{.+}} : (tensor<3x4x2x5xf32>) -> tensor<12x10xf32>
// CHECK: across dimensions = [1] : (tensor<12x10xf32>, tensor<f32>) -> tensor<12xf32>
// CHECK: stablehlo.reshape %{{.+}} : (tensor<12xf32>) -> tensor<3x4xf32>
// EVAL: ends
func.func @ends(%arg0: tensor<2x3x4x5xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0, 3] : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Values and their positions, as argmax has them.
// CHECK-LABEL: @argmax
// CHECK: stablehlo.reduce(%{{.+}} init: %{{.+}}), (%{{.+}} init: %{{.+}}) across dimensions = [1] : (tensor<?x4xf32>, tensor<?x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
// CHECK: stablehlo.dynamic_reshape
// CHECK: stablehlo.dynamic_reshape
// EVAL: argmax arg0=2x3x4 arg1=2x3x4
func.func @argmax(%arg0: tensor<?x?x4xf32>, %arg1: tensor<?x?x4xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%arg0 init: %low), (%arg1 init: %zero) across dimensions = [2] : (tensor<?x?x4xf32>, tensor<?x?x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
      %3 = stablehlo.select %1, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// -----

// A vector is a scalar reduction; rank 2 is left.
// CHECK-LABEL: @vector
// CHECK: stablehlo.reshape %arg0 : (tensor<7xi32>) -> tensor<7x1xi32>
// CHECK-LABEL: @kept
// CHECK-NOT: reshape
// EVAL: vector
// EVAL: kept arg0=3x5
func.func @vector(%arg0: tensor<7xi32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @kept(%arg0: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A large reduction of all dims: rows that run in parallel, then the rest, which starts from the initial value.
// CHECK-LABEL: @steps
// STEPS-LABEL: @steps
// STEPS-DAG: %[[I:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// STEPS-DAG: %[[Z:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// STEPS: %[[R:.*]] = stablehlo.reduce(%arg0 init: %[[Z]]) applies stablehlo.add across dimensions = [2]
// STEPS: stablehlo.reduce(%[[R]] init: %[[I]]) applies stablehlo.add across dimensions = [0, 1]
// SIDES-LABEL: @steps
// SIDES: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1, 2]
// BOTH-LABEL: @steps
// BOTH: across dimensions = [1] : (tensor<?x1024xf32>, tensor<f32>) -> tensor<?xf32>
// BOTH: across dimensions = [0] : (tensor<?x1xf32>, tensor<f32>) -> tensor<1xf32>
// EVAL: steps arg0=3x4x1024 ~1e-5
// EVAL: steps arg0=0x4x1024
func.func @steps(%arg0: tensor<?x4x1024xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x4x1024xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// In one step: a narrow float, which would be rounded between; few elements.
// STEPS-LABEL: @one_step
// STEPS-COUNT-2: stablehlo.reduce
// STEPS-NOT: stablehlo.reduce
// EVAL: one_step
func.func @one_step(%y: tensor<100x100xbf16>, %z: tensor<8x8xf32>) -> (tensor<bf16>, tensor<f32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<100x100xbf16>, tensor<bf16>) -> tensor<bf16>
  %2 = stablehlo.reduce(%z init: %one) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<bf16>, tensor<f32>
}

// -----

// Dims that lie apart: rows, then columns; the other way round where rows are known to be short.
// STEPS-LABEL: @apart
// SIDES-LABEL: @apart
// SIDES: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.multiply across dimensions = [2, 3]
// SIDES: applies stablehlo.multiply across dimensions = [0]
// STEPS-DAG: %[[I:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// STEPS-DAG: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// STEPS: %[[R:.*]] = stablehlo.reduce(%arg0 init: %[[ONE]]) applies stablehlo.multiply across dimensions = [2, 3]
// STEPS: stablehlo.reduce(%[[R]] init: %[[I]]) applies stablehlo.multiply across dimensions = [0]
// STEPS: %[[W:.*]] = stablehlo.convert %arg1 : (tensor<?x30x50x8xbf16>) -> tensor<?x30x50x8xf32>
// STEPS: %[[C:.*]] = stablehlo.reduce(%[[W]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// STEPS: stablehlo.reduce(%[[C]] init: %{{.*}}) applies stablehlo.add across dimensions = [2]
// STEPS: stablehlo.convert
// The sum of bf16 rounds at each of 240 steps before, twice after.
// EVAL: apart arg0=3x4x5x7 arg1=2x30x50x8 ~4e-2
// EVAL: apart arg0=0x4x5x7 arg1=0x30x50x8
func.func @apart(%x: tensor<?x?x?x?xf32>, %y: tensor<?x30x50x8xbf16>) -> (tensor<?xf32>, tensor<?x50xbf16>) {
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %three) applies stablehlo.multiply across dimensions = [0, 2, 3] : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1, 3] : (tensor<?x30x50x8xbf16>, tensor<bf16>) -> tensor<?x50xbf16>
  return %0, %1 : tensor<?xf32>, tensor<?x50xbf16>
}
