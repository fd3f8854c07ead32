// RUN: heddle-opt --target=cuda --disc-split-large-ops=max-param-bytes=200 --split-input-file --verify-diagnostics %s
// RUN: not heddle-opt --disc-split-large-ops=target=abacus --split-input-file %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: option 'target': expected one of: cpu, cuda, simt, spirv, got 'abacus'

func.func @keys(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // expected-error@+1 {{'stablehlo.sort' op cannot be divided: result 0 depends on 2 of its tensors, which take 248 bytes of parameters, expected at most 200}}
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.add %a, %c : tensor<f32>
    %2 = stablehlo.add %b, %d : tensor<f32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @concatenate(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'stablehlo.concatenate' op disc-split-large-ops: two operands do not fit: expected at least 248 bytes, got 200}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'stablehlo.add' op takes 248 bytes of parameters for 2 operands, expected at most 200, and it cannot be divided}}
  %0 = stablehlo.add %x, %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
