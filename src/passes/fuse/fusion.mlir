// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion %s | FileCheck %s

// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --debug-only=disc-fusion %s 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: [disc-fusion]: row kernel: lmhlo.reduce, lmhlo.subtract, lmhlo.exponential, lmhlo.reduce, lmhlo.divide
// NOTE: [disc-fusion]: loop kernel: lmhlo.exponential
// NOTE: [disc-fusion]: gemm kernel: lmhlo.dot, lmhlo.add
// NOTE-NEXT: lmhlo.dot is not fused with lmhlo.exponential: a product reads each element many times

// Softmax is one kernel: two reductions stitched to what is around them.
// CHECK-LABEL: @softmax
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: hd.kind = "row"
func.func @softmax(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.constant dense<0> : tensor<2xi32>
  %d0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %m = stablehlo.reduce(%arg0 init: %n) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %x = stablehlo.subtract %arg0, %mb : tensor<?x?xf32>
  %e = stablehlo.exponential %x : tensor<?x?xf32>
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %tb = stablehlo.dynamic_broadcast_in_dim %t, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %o = stablehlo.divide %e, %tb : tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// A diamond through a library call makes no cycle: the add must wait for the dot, which must wait for the exponential.
// CHECK-LABEL: @diamond
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.exponential"
// CHECK-NOT: "lmhlo.add"
// CHECK: hd.kind = "loop"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.dot"
// CHECK: "lmhlo.add"
// CHECK: hd.kind = "gemm"
func.func @diamond(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %e = stablehlo.exponential %arg0 : tensor<32x32xf32>
  %d = stablehlo.dot %e, %e : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %o = stablehlo.add %e, %d : tensor<32x32xf32>
  return %o : tensor<32x32xf32>
}

// Small matrices are multiplied by lanes over the batch, in a loop kernel; rows of a few elements are summed so.
// CHECK-LABEL: @small_product
// CHECK: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.dot_general"
// CHECK-NEXT: "lmhlo.exponential"
// CHECK: hd.kind = "loop"
func.func @small_product(%a: tensor<?x3x4xf32>, %b: tensor<?x4x5xf32>) -> tensor<?x3x5xf32> {
  %d = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x3x4xf32>, tensor<?x4x5xf32>) -> tensor<?x3x5xf32>
  %e = stablehlo.exponential %d : tensor<?x3x5xf32>
  return %e : tensor<?x3x5xf32>
}
// So are sums of few terms, whose results take longer to store than to compute, where columns are contiguous.
// CHECK-LABEL: @few_terms
// CHECK: "lmhlo.dot_general"
// CHECK-NEXT: "lmhlo.exponential"
// CHECK: hd.kind = "loop"
func.func @few_terms(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
// CHECK-LABEL: @few_terms_of_a_dot
// CHECK: "lmhlo.dot"
// CHECK-NEXT: "lmhlo.exponential"
// CHECK: hd.kind = "loop"
func.func @few_terms_of_a_dot(%a: tensor<?x2xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot %a, %b : (tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
// CHECK-LABEL: @few_terms_along
// CHECK: hd.kind = "gemm"
func.func @few_terms_along(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
// CHECK-LABEL: @few_terms_of_two_free_dims
// CHECK: hd.kind = "gemm"
func.func @few_terms_of_two_free_dims(%a: tensor<?x4xf32>, %b: tensor<4x?x?xf32>) -> tensor<?x?x?xf32> {
  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x?x?xf32>) -> tensor<?x?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?x?xf32>
  return %e : tensor<?x?x?xf32>
}
// CHECK-LABEL: @five_terms
// CHECK: hd.kind = "gemm"
func.func @five_terms(%a: tensor<?x5xf32>, %b: tensor<5x?xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
// CHECK-LABEL: @short_rows
// CHECK: "lmhlo.reduce"
// CHECK: hd.kind = "loop"
func.func @short_rows(%a: tensor<?x5xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x5xf32>, tensor<f32>) -> tensor<?xf32>
  %r = stablehlo.sqrt %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// An op that reads a product through a transpose does not come into its kernel by way of a reader of both.
// CHECK-LABEL: @moved_read
// CHECK: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.dot"
// CHECK-NEXT: lmhlo.terminator
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.transpose"
// CHECK: "lmhlo.subtract"
// CHECK: "lmhlo.add"
// CHECK: hd.kind = "loop"
func.func @moved_read(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %d = stablehlo.dot %a, %b : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = stablehlo.subtract %b, %t : tensor<32x32xf32>
  %r = stablehlo.add %d, %s : tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
