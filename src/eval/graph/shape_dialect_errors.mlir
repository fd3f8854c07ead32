// RUN: not heddle check %s 2>&1 | FileCheck %s
// What does not hold ends the run where it is asked for, and says so.

func.func @broadcast() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %b = shape.const_shape [3] : tensor<1xindex>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.broadcast' op shapes do not broadcast together: 4x2, 3
  %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  return
}

func.func @broadcastable() {
  %a = shape.const_shape [4, 2] : !shape.shape
  %b = shape.const_shape [3] : !shape.shape
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.cstr_broadcastable' op shapes do not broadcast together: 4x2, 3
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  return
}

func.func @equal() {
  %a = shape.const_shape [4, 2] : !shape.shape
  %b = shape.const_shape [4, 3] : !shape.shape
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.cstr_eq' op shapes differ: 4x2, 4x3
  %w = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  return
}

func.func @require() {
  %p = arith.constant false
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.cstr_require' op the batch is even
  %w = shape.cstr_require %p, "the batch is even"
  return
}

func.func @meet() {
  %a = shape.const_size 3
  %b = shape.const_size 4
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.meet' op sizes differ: 3, 4
  %c = shape.meet %a, %b : !shape.size, !shape.size -> !shape.size
  return
}

func.func @own_message() {
  %a = shape.const_shape [4] : !shape.shape
  %b = shape.const_shape [5] : !shape.shape
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.meet' op rows and columns disagree
  %c = shape.meet %a, %b, error = "rows and columns disagree" : !shape.shape, !shape.shape -> !shape.shape
  return
}

func.func @witness() {
  %w = shape.const_witness false
  // CHECK-DAG: [[@LINE+1]]:3: error: 'shape.assuming' op runs under a witness that does not hold
  shape.assuming %w {
    shape.assuming_yield
  }
  return
}

func.func @extent() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %i = arith.constant 2 : index
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.get_extent' op reads extent 2 of a shape of rank 2
  %e = shape.get_extent %a, %i : tensor<2xindex>, index -> index
  return
}

func.func @split() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %i = arith.constant -3 : index
  // CHECK-DAG: [[@LINE+1]]:18: error: 'shape.split_at' op splits a shape of rank 2 at -3
  %head, %tail = "shape.split_at"(%a, %i) : (tensor<2xindex>, index) -> (!shape.shape, !shape.shape)
  return
}

func.func @quotient() {
  %z = shape.const_size 0
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.div' op divides by zero
  %q = shape.div %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

func.func @count() {
  %a = shape.const_shape [4000000000, 4000000000] : tensor<2xindex>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'shape.num_elements' op the number of elements of 4000000000x4000000000 overflows
  %n = shape.num_elements %a : tensor<2xindex> -> index
  return
}

// CHECK: 0 passed, 11 failed
