// RUN: heddle-opt --disc-dot-rewriter --canonicalize --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-dot-rewriter --split-input-file %s | FileCheck %s --check-prefix=ALONE
// RUN: heddle-opt --disc-dot-rewriter=merge --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=MERGE
// RUN: heddle-opt --disc-dot-rewriter="align=8 min-size=100" --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=ALIGN
// RUN: heddle-opt --disc-dot-rewriter="align=8 min-size=100" --disc-dot-rewriter="align=8 min-size=100" --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=ALIGN

// ALONE-LABEL: @lhs
// ALONE-NEXT: stablehlo.dot_general
// ALONE-NEXT: return
// CHECK-LABEL: @lhs
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0]
// EVAL: lhs arg0=4x3 arg1=4x5 ~1e-6
func.func @lhs(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Both sides of a dot, which becomes a dot_general.
// ALONE-LABEL: @both
// ALONE-NEXT: stablehlo.dot_general
// ALONE-NEXT: return
// CHECK-LABEL: @both
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST]
// EVAL: both ~1e-6
func.func @both(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %2 = stablehlo.dot %0, %1, precision = [HIGHEST, HIGHEST] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// Heads of attention, [b, s, h, d] to [b, h, s, d].
// CHECK-LABEL: @batched
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
// EVAL: batched arg0=2x3x4x5 arg1=2x6x4x5 ~1e-6
func.func @batched(%q: tensor<?x?x4x5xf32>, %k: tensor<?x?x4x5xf32>) -> tensor<?x4x?x?xf32> {
  %0 = stablehlo.transpose %q, dims = [0, 2, 1, 3] : (tensor<?x?x4x5xf32>) -> tensor<?x4x?x5xf32>
  %1 = stablehlo.transpose %k, dims = [0, 2, 1, 3] : (tensor<?x?x4x5xf32>) -> tensor<?x4x?x5xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x4x?x5xf32>, tensor<?x4x?x5xf32>) -> tensor<?x4x?x?xf32>
  return %2 : tensor<?x4x?x?xf32>
}

// -----

// The free dims would change their order.
// CHECK-LABEL: @free_dims
// CHECK-NEXT: stablehlo.transpose
// EVAL: free_dims ~1e-6
func.func @free_dims(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x2x5xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [2] x [0] : (tensor<3x2x4xf32>, tensor<4x5xf32>) -> tensor<3x2x5xf32>
  return %1 : tensor<3x2x5xf32>
}

// -----

// Query, key and value of one input.
// MERGE-LABEL: @shared_lhs
// MERGE: stablehlo.concatenate %{{.+}}, %{{.+}}, %{{.+}}, dim = 1 : (tensor<4x{{.}}xf32>, tensor<4x{{.}}xf32>, tensor<4x{{.}}xf32>) -> tensor<4x10xf32>
// MERGE: stablehlo.dot_general %arg0, %{{.+}}, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x10xf32>) -> tensor<?x10xf32>
// MERGE-COUNT-3: stablehlo.real_dynamic_slice
// MERGE-NOT: dot_general
// EVAL: shared_lhs arg0=3x4 ~1e-6
func.func @shared_lhs(%x: tensor<?x4xf32>, %q: tensor<4x2xf32>, %k: tensor<4x3xf32>, %v: tensor<4x5xf32>) -> (tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x5xf32>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %2 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  return %0, %1, %2 : tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x5xf32>
}

// -----

// A common rhs, batched, of known sizes; another type stays apart.
// MERGE-LABEL: @shared_rhs
// MERGE: stablehlo.concatenate %{{.+}}, %{{.+}}, dim = 1 : ({{.*}}) -> tensor<2x7x5xf32>
// MERGE: stablehlo.dot_general %{{.+}}, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// MERGE: stablehlo.slice
// MERGE: stablehlo.slice
// MERGE: stablehlo.dot_general
// EVAL: shared_rhs ~1e-6
func.func @shared_rhs(%a: tensor<2x3x5xf32>, %b: tensor<2x4x5xf32>, %w: tensor<2x5x6xf32>) -> (tensor<2x3x6xf32>, tensor<2x4x6xf32>, tensor<2x3x6xf64>) {
  %0 = stablehlo.dot_general %a, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x5xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf32>
  %1 = stablehlo.dot_general %b, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
  %2 = stablehlo.dot_general %a, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x5xf32>, tensor<2x5x6xf32>) -> tensor<2x3x6xf64>
  return %0, %1, %2 : tensor<2x3x6xf32>, tensor<2x4x6xf32>, tensor<2x3x6xf64>
}

// -----

// Dots, and a dot_general of the same dims; one of other precision and one of other dims stay apart.
// MERGE-LABEL: @forms
// MERGE: stablehlo.concatenate %{{.+}}, %{{.+}}, %{{.+}}, dim = 1 : ({{.*}}) -> tensor<4x9xf32>
// MERGE: stablehlo.dot_general %arg0, %{{.+}}, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x9xf32>) -> tensor<3x9xf32>
// MERGE-COUNT-3: stablehlo.slice
// MERGE: stablehlo.dot %arg0, %arg3, precision = [HIGHEST, HIGHEST]
// MERGE: stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [1]
// MERGE-NOT: stablehlo.dot
// EVAL: forms ~1e-6
func.func @forms(%x: tensor<3x4xf32>, %b: tensor<4x2xf32>, %c: tensor<4x1xf32>, %d: tensor<4x6xf32>, %e: tensor<5x4xf32>) -> (tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x5xf32>) {
  %0 = stablehlo.dot %x, %b : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.dot %x, %c : (tensor<3x4xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
  %2 = stablehlo.dot_general %x, %d, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
  %3 = stablehlo.dot %x, %d, precision = [HIGHEST, HIGHEST] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
  %4 = stablehlo.dot_general %x, %e, contracting_dims = [1] x [1] : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3, %4 : tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x5xf32>
}

// -----

// One rhs of vectors and matrices: a vector has no free dim, and ranks are equal or they stay apart.
// MERGE-LABEL: @vectors
// MERGE-NOT: stablehlo.concatenate
// MERGE: stablehlo.dot %arg0, %arg2
// MERGE: stablehlo.dot %arg1, %arg2
// EVAL: vectors ~1e-6
func.func @vectors(%v: tensor<4xf32>, %a: tensor<3x4xf32>, %w: tensor<4x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.dot %v, %w : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<2xf32>
  %1 = stablehlo.dot %a, %w : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2xf32>, tensor<3x2xf32>
}

// -----

// One depends on the other.
// MERGE-LABEL: @dependent
// MERGE-NOT: stablehlo.concatenate
// EVAL: dependent ~1e-6
func.func @dependent(%x: tensor<3x3xf32>, %w: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// -----

// Unknown sizes: padded when the run finds them large and odd.
// ALIGN-LABEL: @unknown
// ALIGN: stablehlo.compare GE
// ALIGN: "stablehlo.if"
// ALIGN: stablehlo.dynamic_pad %arg0
// ALIGN: stablehlo.dynamic_pad %arg1
// ALIGN: stablehlo.dot_general
// ALIGN: stablehlo.real_dynamic_slice
// ALIGN: }, {
// ALIGN-NOT: "stablehlo.if"
// ALIGN: stablehlo.dot_general %arg0, %arg1
// ALIGN-NOT: dot_general
// EVAL: unknown arg0=2x3 arg1=3x4 ~1e-6
// EVAL: unknown arg0=9x7 arg1=7x13 ~1e-6
// EVAL: unknown arg0=8x16 arg1=16x8 ~1e-6
// EVAL: unknown arg0=16x5 arg1=7x16 fails
func.func @unknown(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Known sizes are decided here.
// ALIGN-LABEL: @known
// ALIGN: stablehlo.pad %arg0, %{{.+}}, low = [0, 0, 0], high = [0, 1, 3], interior = [0, 0, 0] : (tensor<2x7x5xf32>, tensor<f32>) -> tensor<2x8x8xf32>
// ALIGN: stablehlo.pad %arg1, %{{.+}}, low = [0, 0, 0], high = [0, 3, 0]
// ALIGN: stablehlo.dot_general
// ALIGN: stablehlo.slice %{{.+}} [0:2, 0:7, 0:8]
// ALIGN-NOT: stablehlo.if
// ALIGN-LABEL: @aligned
// ALIGN-NOT: pad
// ALIGN-LABEL: @small
// ALIGN-NOT: pad
// EVAL: known ~1e-6
func.func @known(%a: tensor<2x7x5xf32>, %b: tensor<2x5x8xf32>) -> tensor<2x7x8xf32> {
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x7x5xf32>, tensor<2x5x8xf32>) -> tensor<2x7x8xf32>
  return %1 : tensor<2x7x8xf32>
}
func.func @aligned(%a: tensor<?x16xf32>, %b: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.slice %a [0:16, 0:16] : (tensor<?x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
func.func @small(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// -----

// What casts a weight just before its dot moves up to the first one; what is made of that one does not.
// ALIGN-LABEL: @casts
// MERGE-LABEL: @casts
// MERGE: %[[A:.+]] = stablehlo.convert %arg1
// MERGE: %[[B:.+]] = stablehlo.convert
// MERGE: %[[W:.+]] = stablehlo.concatenate %[[A]], %[[B]], dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
// MERGE: stablehlo.dot_general %arg0, %[[W]]
// MERGE: stablehlo.dot_general
// MERGE-NOT: dot_general
// EVAL: casts arg0=3x4 ~1e-6
func.func @casts(%x: tensor<?x4xf32>, %q: tensor<4x2xf64>, %k: tensor<3x4xf64>) -> (tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x4xf32>) {
  %a = stablehlo.convert %q : (tensor<4x2xf64>) -> tensor<4x2xf32>
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %t = stablehlo.reshape %k : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %b = stablehlo.convert %t : (tensor<4x3xf64>) -> tensor<4x3xf32>
  %1 = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %s = stablehlo.slice %0 [0:1, 0:2] : (tensor<?x2xf32>) -> tensor<1x2xf32>
  %r = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<4x2xf32>
  %c = stablehlo.concatenate %r, %a, dim = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %0, %1, %2 : tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x4xf32>
}

// -----

// Weights of heads, [features, heads, size of a head]: along the heads, and along the size where that is what differs.
// MERGE-LABEL: @heads
// MERGE: stablehlo.concatenate %{{.+}}, %{{.+}}, dim = 1 : (tensor<4x{{.}}x5xf32>, tensor<4x{{.}}x5xf32>) -> tensor<4x5x5xf32>
// MERGE: stablehlo.dot_general %arg0, {{.+}} -> tensor<?x?x5x5xf32>
// MERGE-COUNT-2: stablehlo.real_dynamic_slice
// MERGE-NOT: dot_general
// MERGE-LABEL: @sizes
// MERGE: stablehlo.concatenate %{{.+}}, %{{.+}}, dim = 2 : (tensor<4x2x{{.}}xf32>, tensor<4x2x{{.}}xf32>) -> tensor<4x2x8xf32>
// MERGE: stablehlo.dot_general %arg0, {{.+}} -> tensor<3x2x8xf32>
// MERGE-NOT: dot_general
// MERGE-LABEL: @apart
// MERGE-NOT: stablehlo.concatenate
// EVAL: heads arg0=2x3x4 ~1e-6
// EVAL: heads arg0=0x1x4 ~1e-6
// EVAL: sizes ~1e-6
// EVAL: apart arg1=4x2x5 arg2=4x2x6 ~1e-6
func.func @heads(%x: tensor<?x?x4xf32>, %q: tensor<4x2x5xf32>, %k: tensor<4x3x5xf32>) -> (tensor<?x?x2x5xf32>, tensor<?x?x3x5xf32>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [2] x [0] : (tensor<?x?x4xf32>, tensor<4x2x5xf32>) -> tensor<?x?x2x5xf32>
  %1 = stablehlo.dot_general %x, %k, contracting_dims = [2] x [0] : (tensor<?x?x4xf32>, tensor<4x3x5xf32>) -> tensor<?x?x3x5xf32>
  return %0, %1 : tensor<?x?x2x5xf32>, tensor<?x?x3x5xf32>
}
func.func @sizes(%x: tensor<3x4xf32>, %q: tensor<4x2x5xf32>, %k: tensor<4x2x3xf32>) -> (tensor<3x2x5xf32>, tensor<3x2x3xf32>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x2x5xf32>) -> tensor<3x2x5xf32>
  %1 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x2x3xf32>) -> tensor<3x2x3xf32>
  return %0, %1 : tensor<3x2x5xf32>, tensor<3x2x3xf32>
}
func.func @apart(%x: tensor<3x4xf32>, %q: tensor<4x?x?xf32>, %k: tensor<4x?x?xf32>) -> (tensor<3x?x?xf32>, tensor<3x?x?xf32>) {
  %0 = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x?x?xf32>) -> tensor<3x?x?xf32>
  %1 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x?x?xf32>) -> tensor<3x?x?xf32>
  return %0, %1 : tensor<3x?x?xf32>, tensor<3x?x?xf32>
}

// -----

// A matrix by a vector is the vector by the matrix, each with its precision. A row by a matrix stays, as does what is neither.
// CHECK-LABEL: @vector
// CHECK: %[[V:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1], precision = [HIGHEST, DEFAULT]
// CHECK-NEXT: %[[W:.*]] = stablehlo.dot_general %[[V]], %arg0, contracting_dims = [0] x [0]
// CHECK-NEXT: stablehlo.dot_general %[[W]], %[[W]], contracting_dims = [0] x [0]
// EVAL: vector arg0=4x3 arg1=3 ~1e-6
func.func @vector(%a: tensor<?x?xf32>, %v: tensor<?xf32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.dot %1, %0 : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [0] x [0] : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// -----

// Of a batch.
// CHECK-LABEL: @vectors
// CHECK: stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [1], contracting_dims = [1] x [0]
// EVAL: vectors arg0=4x2x3 arg1=2x4 ~1e-6
func.func @vectors(%a: tensor<?x?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %v, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
