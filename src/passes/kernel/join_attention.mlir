// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --join-attention --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --join-attention --disc-lower-to-kernels --split-input-file %s | FileCheck %s --check-prefix=CALL

// Product, rows and product become one call; the kernel that stood between them stays before it.
// CHECK-LABEL: @causal
// CHECK: "lmhlo.tanh"
// CHECK: "lmhlo.dot_general"
// CHECK: hd.joined, hd.kind = "gemm"
// CHECK: "lmhlo.reduce"
// CHECK: hd.joined, hd.kind = "row"
// CHECK-NOT: "lmhlo.tanh"
// CHECK: "lmhlo.dot_general"
// CHECK-NOT: hd.joined
// CALL-LABEL: @causal
// CALL: hd.launch @loop_tanh
// CALL: hd.kernel_index @gemm
// CALL: hd.kernel_index @row
// CALL-NOT: ral_dot_general
// CALL: hd.ral_call "ral_attention
// CALL-LABEL: func.func private @row
// CALL-SAME: (%[[LIMIT:.*]]: index, %{{.*}}: index, %{{.*}}: memref<?xf32> {llvm.noalias}, %{{.*}}: memref<?xf32> {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CALL: arith.minsi %{{.*}}, %[[LIMIT]]
func.func @causal(%q: tensor<?x?x8xf32>, %k: tensor<?x?x8xf32>, %v: tensor<?x?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x?xf32>
  %t = stablehlo.tanh %v : tensor<?x?x8xf32>
  %b = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x?x8xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %q, dim = 1 : (tensor<?x?x8xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %k, dim = 1 : (tensor<?x?x8xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  %j = stablehlo.dynamic_iota %shape, dim = 2 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  %keep = stablehlo.compare GE, %i, %j : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi1>
  %fill = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %a = stablehlo.select %keep, %s, %fill : tensor<?x?x?xi1>, tensor<?x?x?xf32>
  %x = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %xs = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %d = stablehlo.subtract %a, %xs : tensor<?x?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?x?xf32>
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %shape, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %w = stablehlo.divide %e, %zs : tensor<?x?x?xf32>
  %o = stablehlo.dot_general %w, %t, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %o, %t : tensor<?x?x8xf32>, tensor<?x?x8xf32>
}

// -----

// Any reductions of rows will do, of which the scores may be seen in another order.
// CHECK-LABEL: @norm
// CHECK: hd.joined
// CHECK: hd.joined
// CALL-LABEL: @norm
// CALL: hd.ral_call "ral_attention
func.func @norm(%q: tensor<?x4x8xf32>, %k: tensor<4x64x8xf32>, %v: tensor<4x64x24xf32>) -> tensor<4x?x24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [1] x [0], contracting_dims = [2] x [2] : (tensor<?x4x8xf32>, tensor<4x64x8xf32>) -> tensor<4x?x64xf32>
  %t = stablehlo.transpose %s, dims = [1, 0, 2] : (tensor<4x?x64xf32>) -> tensor<?x4x64xf32>
  %z = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x4x64xf32>, tensor<f32>) -> tensor<?x4xf32>
  %n = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x4x8xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.constant dense<[4, 64]> : tensor<2xi32>
  %shape = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %shape, dims = [0, 1] : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x4x64xf32>
  %w = stablehlo.divide %t, %zs : tensor<?x4x64xf32>
  %o = stablehlo.dot_general %w, %v, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<?x4x64xf32>, tensor<4x64x24xf32>) -> tensor<4x?x24xf32>
  return %o : tensor<4x?x24xf32>
}

// -----

// The scores have another reader.
// CHECK-LABEL: @apart
// CHECK-NOT: hd.joined
// CALL-LABEL: @apart
// CALL: "ral_dot_general
// CALL: "ral_dot_general
// CALL-NOT: ral_attention
func.func @apart(%q: tensor<4x?x8xf32>, %k: tensor<4x64x8xf32>, %v: tensor<4x64x24xf32>) -> (tensor<4x?x24xf32>, tensor<4x?x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x?x8xf32>, tensor<4x64x8xf32>) -> tensor<4x?x64xf32>
  %z = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x?x64xf32>, tensor<f32>) -> tensor<4x?xf32>
  %n = stablehlo.get_dimension_size %q, dim = 1 : (tensor<4x?x8xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %m1 = stablehlo.constant dense<64> : tensor<1xi32>
  %shape = stablehlo.concatenate %four, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %shape, dims = [0, 1] : (tensor<4x?xf32>, tensor<3xi32>) -> tensor<4x?x64xf32>
  %w = stablehlo.divide %s, %zs : tensor<4x?x64xf32>
  %o = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x?x64xf32>, tensor<4x64x24xf32>) -> tensor<4x?x24xf32>
  return %o, %s : tensor<4x?x24xf32>, tensor<4x?x64xf32>
}

// -----

// Products by weights, which are large and wanted once.
// CHECK-LABEL: @weights
// CHECK-NOT: hd.joined
// CALL-LABEL: @weights
// CALL-NOT: ral_attention
func.func @weights(%q: tensor<?x8xf32>, %k: tensor<64x8xf32>, %v: tensor<64x24xf32>) -> tensor<?x24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<64x8xf32>) -> tensor<?x64xf32>
  %z = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.constant dense<64> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x64xf32>
  %w = stablehlo.divide %s, %zs : tensor<?x64xf32>
  %o = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x24xf32>) -> tensor<?x24xf32>
  return %o : tensor<?x24xf32>
}
