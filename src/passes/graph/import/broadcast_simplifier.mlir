// RUN: heddle-opt --disc-broadcast-simplifier --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-broadcast-simplifier --disc-broadcast-simplifier --split-input-file %s | FileCheck %s

// A lower rank, placed by the attribute of an old program.
// CHECK-LABEL: @lower_rank
// CHECK: %[[B:.+]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: mhlo.add %arg0, %[[B]] {hd.no_implicit_broadcast} : tensor<2x3xi32>
// CHECK-NEXT: return
// EVAL: lower_rank
func.func @lower_rank(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// A scalar, and the lower rank first.
// CHECK-LABEL: @scalar
// CHECK: %[[B:.+]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
// CHECK-NEXT: stablehlo.add %[[B]], %arg0
// EVAL: scalar
func.func @scalar(%a: tensor<2x3xi32>, %b: tensor<i32>) -> tensor<2x3xi32> {
  %0 = "stablehlo.add"(%b, %a) {broadcast_dimensions = array<i64>} : (tensor<i32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

// Dims of 1, on both sides.
// CHECK-LABEL: @degenerate
// CHECK-DAG: stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x2x5xf32>) -> tensor<7x2x5xf32>
// CHECK-DAG: stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<7x1x5xf32>) -> tensor<7x2x5xf32>
// CHECK: stablehlo.multiply %{{.+}}, %{{.+}} {hd.no_implicit_broadcast}
// EVAL: degenerate
func.func @degenerate(%a: tensor<1x2x5xf32>, %b: tensor<7x1x5xf32>) -> tensor<7x2x5xf32> {
  %0 = chlo.broadcast_multiply %a, %b : (tensor<1x2x5xf32>, tensor<7x1x5xf32>) -> tensor<7x2x5xf32>
  return %0 : tensor<7x2x5xf32>
}

// -----

// Both: of lower rank and with dims of 1.
// CHECK-LABEL: @combined
// CHECK-DAG: stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x2xi32>
// CHECK-DAG: stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<4x2xi32>
// EVAL: combined
func.func @combined(%a: tensor<4xi32>, %b: tensor<1x2xi32>) -> tensor<4x2xi32> {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// -----

// Unknown dims: of 1 and another size the other, at run time.
// CHECK-LABEL: @unknown
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.select
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1
// CHECK: stablehlo.compare LT, {{.*}} {hd.no_implicit_broadcast}
// EVAL: unknown arg0=3x4 arg1=4
// EVAL: unknown arg0=3x1 arg1=4
// EVAL: unknown arg0=3x4 arg1=1
// EVAL: unknown arg0=0x4 arg1=1
func.func @unknown(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xi1> {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}

// -----

// Unknown dims of an old program.
// CHECK-LABEL: @unknown_old
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1, %{{.+}}, dims = [0]
// CHECK: mhlo.subtract {{.*}} {hd.no_implicit_broadcast}
// EVAL: unknown_old arg0=3x4 arg1=3
// EVAL: unknown_old arg0=3x4 arg1=1
// EVAL: unknown_old arg0=1x4 arg1=3
// EVAL: unknown_old arg0=0x4 arg1=1
func.func @unknown_old(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = "mhlo.subtract"(%a, %b) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// `?` and `?` of a stablehlo op are equal.
// CHECK-LABEL: @equal
// CHECK-NEXT: stablehlo.add %arg0, %arg1 : tensor<?xf32>
// EVAL: equal arg0=4 arg1=4
func.func @equal(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The seed's three kinds in an old program, on known dims: a) a lower rank, b) dims of 1, c) both.
// CHECK-LABEL: @seed
// CHECK: %[[A:.+]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: mhlo.add %arg0, %[[A]] {hd.no_implicit_broadcast} : tensor<2x3xi32>
// CHECK: %[[B:.+]] = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
// CHECK: mhlo.add %[[B]], %arg0 {hd.no_implicit_broadcast} : tensor<2x3xi32>
// CHECK-DAG: %[[C:.+]] = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<4xi32>) -> tensor<4x2xi32>
// CHECK-DAG: %[[D:.+]] = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<4x2xi32>
// CHECK: mhlo.add %[[C]], %[[D]] {hd.no_implicit_broadcast} : tensor<4x2xi32>
// EVAL: seed
func.func @seed(%x: tensor<2x3xi32>, %a: tensor<3xi32>, %b: tensor<2x1xi32>, %c: tensor<4xi32>, %d: tensor<1x2xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<4x2xi32>) {
  %0 = "mhlo.add"(%x, %a) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %1 = "mhlo.add"(%b, %x) {broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %2 = "mhlo.add"(%c, %d) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<4xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<4x2xi32>
}

// -----

// The same on unknown dims, of which any may be 1 in b) and c).
// CHECK-LABEL: @seed_unknown
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1, %{{.+}}, dims = [1] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
// CHECK: mhlo.add {{.*}} {hd.no_implicit_broadcast}
// CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %arg0, %{{.+}}, dims = [0, 1]
// CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %arg2, %{{.+}}, dims = [0, 1]
// CHECK: mhlo.add {{.*}} {hd.no_implicit_broadcast}
// CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %arg1, %{{.+}}, dims = [0]
// CHECK-DAG: stablehlo.dynamic_broadcast_in_dim %arg2, %{{.+}}, dims = [0, 1]
// CHECK: mhlo.add {{.*}} {hd.no_implicit_broadcast}
// EVAL: seed_unknown arg0=2x2 arg1=2 arg2=1x2
// EVAL: seed_unknown arg0=2x2 arg1=2 arg2=2x1
// EVAL: seed_unknown arg0=1x2 arg1=2 arg2=2x1
// EVAL: seed_unknown arg0=0x1 arg1=1 arg2=1x1
func.func @seed_unknown(%x: tensor<?x?xi32>, %a: tensor<?xi32>, %b: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %0 = "mhlo.add"(%x, %a) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %1 = "mhlo.add"(%x, %b) {broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %2 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0, %1, %2 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
}

// -----

// Ops whose results are of another type than their operands, and one whose result is known better than its operands.
// CHECK-LABEL: @other_types
// CHECK: mhlo.compare LT, {{.*}} {hd.no_implicit_broadcast} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xi1>
// CHECK: mhlo.complex {{.*}} {hd.no_implicit_broadcast}
// CHECK: mhlo.subtract {{.*}} {hd.no_implicit_broadcast} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
// EVAL: other_types arg0=4 arg1=1x2
// EVAL: other_types arg0=1 arg1=4x2
func.func @other_types(%a: tensor<?xf32>, %b: tensor<?x2xf32>) -> (tensor<?x2xi1>, tensor<?x2xcomplex<f32>>, tensor<4x2xf32>) {
  %0 = "mhlo.compare"(%a, %b) {broadcast_dimensions = dense<0> : tensor<1xi64>, comparison_direction = #mhlo<comparison_direction LT>} : (tensor<?xf32>, tensor<?x2xf32>) -> tensor<?x2xi1>
  %1 = "mhlo.complex"(%a, %b) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<?xf32>, tensor<?x2xf32>) -> tensor<?x2xcomplex<f32>>
  %2 = "mhlo.subtract"(%a, %b) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<?xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<?x2xi1>, tensor<?x2xcomplex<f32>>, tensor<4x2xf32>
}
