// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s 2>&1 | FileCheck %s
// RUN: not heddle check --target=cpu %s 2>&1 | FileCheck %s
// What a routine would read or write outside of its matrices, or end the process for, is an error before it is called.

func.func @pivots_too_few() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgetrf_ffi: output 1: expected dim 0 of 8, got 1
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<1xi32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<8x8xf32>
  return
}

func.func @pivots_of_bytes() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgetrf_ffi: output 1: expected elements of i32, got i8
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xi8>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<8x8xf32>
  return
}

func.func @code_of_a_byte() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_spotrf_ffi: output 1: expected elements of i32, got i8
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<i8>)
  check.expect_eq %r#0, %r#0 : tensor<8x8xf32>
  return
}

func.func @not_square() {
  %0 = stablehlo.constant dense<1.0> : tensor<2x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_spotrf_ffi: input 0: expected dim 1 of 2, got 8
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<2x8xf32>
  return
}

func.func @no_letter() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_spotrf_ffi: attribute 'uplo': expected a letter of LU, got 81
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {uplo = 81 : ui8}} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<8x8xf32>
  return
}

func.func @another_side() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_strsm_ffi: input 0: expected dim 0 of 2, got 8
  %r = stablehlo.custom_call @lapack_strsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8}} : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  check.expect_eq %r, %r : tensor<2x8xf32>
  return
}

func.func @narrow_elements() {
  %0 = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_dsyevd_ffi: input 0: expected elements of f64, got f32
  %r:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%0) {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<4x4xf32>
  return
}

func.func @real_values_of_a_complex_matrix() {
  %0 = stablehlo.constant dense<(1.0,0.0)> : tensor<4x4xcomplex<f64>>
  // CHECK-DAG: error: {{.*}}lapack_zheevd_ffi: output 1: expected elements of f64, got f32
  %r:3 = stablehlo.custom_call @lapack_zheevd_ffi(%0) {mhlo.backend_config = {}} : (tensor<4x4xcomplex<f64>>) -> (tensor<4x4xcomplex<f64>>, tensor<4xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<4x4xcomplex<f64>>
  return
}

func.func @vectors_of_another_mode() {
  %0 = stablehlo.constant dense<1.0> : tensor<6x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgesdd_ffi: output 2: expected dim 1 of 6, got 4
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%0) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<4x4xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<6x4xf32>
  return
}

func.func @mode_that_overwrites() {
  %0 = stablehlo.constant dense<1.0> : tensor<6x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgesdd_ffi: attribute 'mode': expected a letter of ASN, got 79
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%0) {mhlo.backend_config = {mode = 79 : ui8}} : (tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<4x4xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<6x4xf32>
  return
}

func.func @more_reflectors_than_columns() {
  %0 = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<3xf32>
  // CHECK-DAG: error: {{.*}}lapack_sorgqr_ffi: expected n>=t, got 2 and 3
  %r = stablehlo.custom_call @lapack_sorgqr_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<4x2xf32>, tensor<3xf32>) -> tensor<4x2xf32>
  check.expect_eq %r, %r : tensor<4x2xf32>
  return
}

func.func @wide_reflectors() {
  %0 = stablehlo.constant dense<1.0> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  // CHECK-DAG: error: {{.*}}lapack_sorgqr_ffi: expected m>=n, got 2 and 4
  %r = stablehlo.custom_call @lapack_sorgqr_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  check.expect_eq %r, %r : tensor<2x4xf32>
  return
}

func.func @high_beyond() {
  %0 = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgehrd_ffi: expected n>=high, got 4 and 9
  %r:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%0) {mhlo.backend_config = {low = 1 : i32, high = 9 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<4x4xf32>
  return
}

func.func @low_below() {
  %0 = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgehrd_ffi: expected low>=1, got 0 and 1
  %r:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%0) {mhlo.backend_config = {low = 0 : i32, high = 4 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<4x4xf32>
  return
}

func.func @other_batches() {
  %0 = stablehlo.constant dense<1.0> : tensor<2x4x4xf32>
  // CHECK-DAG: error: {{.*}}lapack_spotrf_ffi: batches differ: 2 and 3
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<3xi32>)
  check.expect_eq %r#0, %r#0 : tensor<2x4x4xf32>
  return
}

func.func @diagonals_of_other_sizes() {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<3xf32>
  %3 = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgtsv_ffi: input 2: expected dim 0 of 4, got 3
  %r:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%0, %1, %2, %3) {mhlo.backend_config = {}} : (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4x2xf32>, tensor<i32>)
  check.expect_eq %r#0, %r#0 : tensor<4xf32>
  return
}

func.func @too_few() {
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK-DAG: error: {{.*}}lapack_sgetrf_ffi: expected 1 inputs and 3 outputs, got 1 and 1
  %r = stablehlo.custom_call @lapack_sgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  check.expect_eq %r, %r : tensor<8x8xf32>
  return
}

// A batch without a matrix in it is no work, however large.
func.func @nothing() {
  %a = stablehlo.constant dense<1.0> : tensor<2147483647x2147483647x0x0xf32>
  %r:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2147483647x2147483647x0x0xf32>) -> (tensor<2147483647x2147483647x0x0xf32>, tensor<2147483647x2147483647x0xf32>)
  return
}
// CHECK: 1 passed, 17 failed
