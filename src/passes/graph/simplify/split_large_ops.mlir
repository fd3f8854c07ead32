// RUN: heddle-opt --target=cuda --disc-split-large-ops=max-operands=3 --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --disc-split-large-ops=max-param-bytes=272 --split-input-file %s | FileCheck %s --check-prefix=BYTES
// RUN: heddle-opt --target=cuda --disc-split-large-ops="max-operands=3 max-param-bytes=0" --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --disc-split-large-ops --split-input-file %s | FileCheck %s --check-prefix=FITS
// RUN: heddle-opt --disc-split-large-ops=target=spirv --split-input-file %s | FileCheck %s --check-prefix=FITS
// RUN: heddle-opt --disc-split-large-ops="target=cpu max-param-bytes=272" --split-input-file %s | FileCheck %s --check-prefix=BYTES

// CHECK-LABEL: @concat
// CHECK: %[[A:.+]] = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 1 : (tensor<?x1xf32>, tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
// CHECK: %[[B:.+]] = stablehlo.concatenate %arg3, %arg4, dim = 1 : (tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x9xf32>
// CHECK: stablehlo.concatenate %[[A]], %[[B]], dim = 1 : (tensor<?x6xf32>, tensor<?x9xf32>) -> tensor<?x15xf32>
// BYTES-LABEL: @concat
// BYTES-COUNT-1: stablehlo.concatenate
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
// BYTES-LABEL: @unknown
// BYTES-COUNT-2: stablehlo.concatenate %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, dim = 0
// BYTES: stablehlo.concatenate %{{.+}}, %{{.+}}, dim = 0
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

// -----

// Tensors side by side: each part has those that its results are computed from. The first decides for the second, the
// third is alone, so the first two stay together.
// FITS-LABEL: @reduce
// FITS: stablehlo.reduce(%arg0 init: %{{.+}}), (%arg1 init: %{{.+}}), (%arg2 init:
// BYTES-LABEL: @reduce
// BYTES: %[[A:.+]]:2 = stablehlo.reduce(%arg0 init: %{{.+}}), (%arg1 init: %{{.+}}) across dimensions = [1]
// BYTES: reducer(%[[X:.+]]: tensor<f32>, %[[Y:.+]]: tensor<f32>) (%[[I:.+]]: tensor<i32>, %[[J:.+]]: tensor<i32>)
// BYTES-NOT: multiply
// BYTES: stablehlo.return %{{.+}}, %{{.+}} : tensor<f32>, tensor<i32>
// BYTES: %[[B:.+]] = stablehlo.reduce(%arg2 init: %{{.+}}) applies stablehlo.multiply across dimensions = [1]
// BYTES: return %[[A]]#0, %[[A]]#1, %[[B]]
// EVAL: reduce arg0=3x5 arg1=3x5 arg2=3x5
// EVAL: reduce arg0=3x0 arg1=3x0 arg2=3x0
func.func @reduce(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %z: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:3 = stablehlo.reduce(%x init: %low), (%i init: %zero), (%z init: %one) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) (%p: tensor<f32>, %q: tensor<f32>) {
      %more = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %m = stablehlo.select %more, %a, %b : tensor<i1>, tensor<f32>
      %n = stablehlo.select %more, %j, %k : tensor<i1>, tensor<i32>
      %r = stablehlo.multiply %p, %q : tensor<f32>
      stablehlo.return %m, %n, %r : tensor<f32>, tensor<i32>, tensor<f32>
    }
  return %0#0, %0#1, %0#2 : tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}

// -----

// Each part of a sort has the key, and all of them the same order: they become stable.
// FITS-LABEL: @sort
// FITS-COUNT-1: "stablehlo.sort"(%arg0, %arg1, %arg2, %arg3)
// BYTES-LABEL: @sort
// BYTES: %[[A:.+]]:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}>
// BYTES-NEXT: ^bb0(%{{.+}}: tensor<f32>, %{{.+}}: tensor<f32>, %[[X:.+]]: tensor<i32>, %[[Y:.+]]: tensor<i32>):
// BYTES-NEXT: stablehlo.compare LT, %[[X]], %[[Y]]
// BYTES: %[[B:.+]]:2 = "stablehlo.sort"(%arg1, %arg2) <{{.*}}is_stable = true
// BYTES: %[[C:.+]]:2 = "stablehlo.sort"(%arg1, %arg3) <{{.*}}is_stable = true
// BYTES: return %[[A]]#0, %[[A]]#1, %[[B]]#1, %[[C]]#1
// EVAL: sort arg0=9 arg1=9 arg2=9 arg3=9
func.func @sort(%x: tensor<?xf32>, %k: tensor<?xi32>, %y: tensor<?xf32>, %z: tensor<?xi8>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi8>) {
  %0:4 = "stablehlo.sort"(%x, %k, %y, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<f32>, %f: tensor<f32>, %g: tensor<i8>, %h: tensor<i8>):
    %1 = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi8>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi8>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi8>
}

// -----

// The indices are everybody's.
// BYTES-LABEL: @scatter
// BYTES: "stablehlo.scatter"(%arg0, %arg2, %arg3)
// BYTES: stablehlo.add
// BYTES: "stablehlo.scatter"(%arg1, %arg2, %arg4)
// BYTES: stablehlo.maximum
// EVAL: scatter arg0=9 arg1=9 arg2=4x1 arg3=4 arg4=4
func.func @scatter(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: tensor<?x1xi32>, %u: tensor<?xf32>, %v: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.add %a, %c : tensor<f32>
    %2 = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// BYTES-LABEL: @windows
// BYTES: "stablehlo.reduce_window"(%arg0, %arg1, %{{.+}}, %{{.+}})
// BYTES: "stablehlo.reduce_window"(%arg2, %{{.+}})
// EVAL: windows arg0=3x8 arg1=3x8 arg2=3x8
func.func @windows(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %z: tensor<?x8xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = "stablehlo.reduce_window"(%x, %y, %z, %zero, %zero, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
    %1 = stablehlo.add %a, %d : tensor<f32>
    %2 = stablehlo.multiply %a, %e : tensor<f32>
    %3 = stablehlo.maximum %c, %f : tensor<f32>
    stablehlo.return %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
  return %0#0, %0#1, %0#2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
