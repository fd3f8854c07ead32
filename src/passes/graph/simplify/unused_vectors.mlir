// RUN: heddle-opt --unused-vectors --mlir-print-op-generic %s | FileCheck %s

// Nothing reads the vectors.
// CHECK-LABEL: sym_name = "values"
// CHECK: lapack_ssyevd_ffi
// CHECK-SAME: mode = 78 : ui8, uplo = 76 : ui8
func.func @values(%a: tensor<?x4x4xf32>) -> tensor<?x4xf32> {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<?x4x4xf32>) -> (tensor<?x4x4xf32>, tensor<?x4xf32>, tensor<?xi32>)
  return %0#1 : tensor<?x4xf32>
}

// CHECK-LABEL: sym_name = "both"
// CHECK: mode = 86 : ui8
func.func @both(%a: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>) {
  %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf64>, tensor<4xf64>
}

// The letter says which shapes singular vectors have.
// CHECK-LABEL: sym_name = "singular"
// CHECK: mode = 83 : ui8
func.func @singular(%a: tensor<6x4xf32>) -> tensor<4xf32> {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {backend_config = {mode = 83 : ui8}} : (tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<4x4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}

// No letter of the routine: an error of the run.
// CHECK-LABEL: sym_name = "no_letter"
// CHECK: mode = 79 : ui8
func.func @no_letter(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 79 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}

// Of a real routine eigenvalues are two results, of a complex one they are one.
// CHECK-LABEL: sym_name = "real_sides"
// CHECK: compute_left = 78 : ui8, compute_right = 86 : ui8
func.func @real_sides(%a: tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>> {
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#3 : tensor<4x4xcomplex<f32>>
}

// CHECK-LABEL: sym_name = "complex_sides"
// CHECK: compute_left = 86 : ui8, compute_right = 78 : ui8
func.func @complex_sides(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %0:4 = stablehlo.custom_call @lapack_cgeev_ffi(%a) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<4x4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#1 : tensor<4x4xcomplex<f32>>
}

// Another program's routine.
// CHECK-LABEL: sym_name = "other"
// CHECK: mode = 86 : ui8
func.func @other(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.custom_call @my_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}
