// RUN: not heddle check %s 2>&1 | FileCheck %s
// Places outside of a tensor and sizes that do not fit.

func.func @extract() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = arith.constant 2 : index
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.extract' op index 2 is outside of dim 0 of size 2
  %e = tensor.extract %x[%i] : tensor<2xi32>
  return
}

func.func @cast() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = tensor.cast %x : tensor<2xi32> to tensor<?xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.cast' op result 0: expected tensor<3xi32>, got tensor<2xi32>
  %z = tensor.cast %y : tensor<?xi32> to tensor<3xi32>
  return
}

func.func @slice() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = arith.constant 1 : index
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.extract_slice' op index 2 is outside of dim 0 of size 2
  %s = tensor.extract_slice %x[%i] [2] [1] : tensor<2xi32> to tensor<2xi32>
  return
}

func.func @empty() {
  %n = arith.constant -1 : index
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.empty' op dim 0 of the result is -1, expected 0 or more
  %s = tensor.empty(%n) : tensor<?xi32>
  return
}

func.func @slice_wraps() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.extract_slice' op takes 5 elements of dim 0 at steps of 4611686018427387904, which overflows
  %s = tensor.extract_slice %x[0] [5] [4611686018427387904] : tensor<2xi32> to tensor<5xi32>
  return
}

func.func @slice_backwards() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.extract_slice' op index -1 is outside of dim 0 of size 2
  %s = tensor.extract_slice %x[1] [3] [-1] : tensor<2xi32> to tensor<3xi32>
  return
}

func.func @insert_slice_wraps() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.insert_slice' op takes 5 elements of dim 0 at steps of 4611686018427387904, which overflows
  %s = tensor.insert_slice %p into %x[0] [5] [4611686018427387904] : tensor<5xi32> into tensor<2xi32>
  return
}

func.func @pad() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %n = arith.constant 9223372036854775807 : index
  %v = arith.constant 1 : i32
  // CHECK-DAG: [[@LINE+1]]:8: error: 'tensor.pad' op the size of dim 0 overflows
  %s = tensor.pad %x low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %v : i32
  } : tensor<2xi32> to tensor<?xi32>
  return
}

// CHECK: 0 passed, 8 failed
