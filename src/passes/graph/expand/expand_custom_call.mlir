// RUN: heddle-opt --hlo-expand --split-input-file %s | FileCheck %s

// CHECK-LABEL: @columns
func.func @columns(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  // CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: %[[C:.*]]:2 = stablehlo.custom_call @f(%[[T]])
  // CHECK-SAME: hd.operand_dims = [array<i64: 1, 0>], hd.result_dims = [array<i64: 1, 0>, array<i64: 0>]
  // CHECK-SAME: (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3xf32>)
  // CHECK: stablehlo.transpose %[[C]]#0, dims = [1, 0]
  %0:2 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @rows
func.func @rows(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0)
  // CHECK-NEXT: return
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Memory row by row is the transpose column by column, so a triangular system needs no transpose: that of the
// transposes has the other side and the other triangle.
// CHECK-LABEL: @system
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.custom_call @lapack_strsm_ffi(%arg0, %arg1)
// CHECK-SAME: hd.operand_dims = [array<i64: 1, 0>, array<i64: 1, 0>], hd.result_dims = [array<i64: 1, 0>]
// CHECK-SAME: diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8
// CHECK-NOT: stablehlo.transpose
// EVAL: system ~1e-4
func.func @system(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Sizes that an operand says are those of the transpose too.
// CHECK-LABEL: @sizes
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.custom_call @lapack_dtrsm_ffi(%arg0, %arg1, %{{[0-9]+}})
// CHECK-SAME: side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8
// CHECK-SAME: -> tensor<2x?x?xf64>
// CHECK-NOT: stablehlo.transpose
// EVAL: sizes arg0=2x5x5 arg1=2x3x5 ~1e-6
func.func @sizes(%a: tensor<2x?x?xf64>, %b: tensor<2x?x?xf64>) -> tensor<2x?x?xf64> {
  %b0 = stablehlo.constant dense<2> : tensor<1xi32>
  %m = stablehlo.get_dimension_size %b, dim = 1 : (tensor<2x?x?xf64>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %b, dim = 2 : (tensor<2x?x?xf64>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %b0, %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b, %s) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}, indices_of_shape_operands = dense<2> : tensor<1xi64>, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]}
    : (tensor<2x?x?xf64>, tensor<2x?x?xf64>, tensor<3xi32>) -> tensor<2x?x?xf64>
  return %0 : tensor<2x?x?xf64>
}

// -----

// A factor that comes column by column stays so.
// CHECK-LABEL: @factored
// CHECK: %[[LU:.*]]:3 = stablehlo.custom_call @lapack_sgetrf_ffi
// CHECK: stablehlo.custom_call @lapack_strsm_ffi(%[[LU]]#0, %arg1)
// CHECK-SAME: side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8
// EVAL: factored ~1e-4
func.func @factored(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]}
    : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%0#0, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// A system of the transpose of a matrix has it as it is; of the adjoint alone there is no such form.
// CHECK-LABEL: @transposed
// CHECK: stablehlo.custom_call @lapack_ztrsm_ffi(%arg0, %arg1)
// CHECK-SAME: side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8
// CHECK: stablehlo.transpose %arg1
// CHECK: stablehlo.custom_call @lapack_ztrsm_ffi(%arg0
// CHECK-SAME: side = 76 : ui8, trans_x = 67 : ui8, uplo = 85 : ui8
// EVAL: transposed ~1e-6
func.func @transposed(%a: tensor<3x3xcomplex<f64>>, %b: tensor<3x2xcomplex<f64>>) -> (tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>) {
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %0 = stablehlo.custom_call @lapack_ztrsm_ffi(%t, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  %1 = stablehlo.custom_call @lapack_ztrsm_ffi(%t, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 85 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  return %0, %1 : tensor<3x2xcomplex<f64>>, tensor<3x2xcomplex<f64>>
}

// -----

// CHECK-LABEL: @factor
// CHECK-NOT: stablehlo.transpose
// CHECK: stablehlo.custom_call @lapack_cpotrf_ffi(%arg0)
// CHECK-SAME: uplo = 85 : ui8
// CHECK-NOT: stablehlo.transpose
// EVAL: factor
func.func @factor(%a: tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}
    : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
  return %0#0, %0#1 : tensor<3x3xcomplex<f32>>, tensor<i32>
}
