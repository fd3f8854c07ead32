// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @cplx(%r: f32, %c: complex<f32>, %t: tensor<?x4xf32>, %i: index, %x: f32, %s: tensor<2xindex>) {
  %0 = complex.create %r, %r : complex<f32>
  %1 = complex.re %c : complex<f32>
  %2 = complex.im %c : complex<f32>
  %3 = complex.abs %c : complex<f32>
  %4 = complex.add %c, %c : complex<f32>
  %5 = complex.mul %c, %c fastmath<contract> : complex<f32>
  %6 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %7 = complex.eq %c, %c : complex<f32>
  %8 = complex.exp %c : complex<f32>
  %9 = tensor.dim %t, %i : tensor<?x4xf32>
  %10 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %11 = tensor.insert %x into %t[%i, %i] : tensor<?x4xf32>
  %12 = tensor.empty(%i) : tensor<?x4xf32>
  %13 = tensor.cast %t : tensor<?x4xf32> to tensor<2x4xf32>
  %14 = tensor.from_elements %i, %i : tensor<2xindex>
  %15 = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
  %16 = tensor.insert_slice %15 into %t[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x4xf32>
  %17 = tensor.reshape %t(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %18 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %19 = tensor.expand_shape %18 [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %20 = tensor.splat %x : tensor<4xf32>
  %21 = tensor.rank %t : tensor<?x4xf32>
  %22 = tensor.pad %t low[1, %i] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x?xf32>
  %23 = tensor.generate %i {
  ^bb0(%a: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %24 = shape.shape_of %t : tensor<?x4xf32> -> tensor<2xindex>
  %25 = shape.num_elements %24 : tensor<2xindex> -> index
  %26 = shape.broadcast %24, %24 : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %27 = shape.const_shape [1, 2] : tensor<2xindex>
  %28 = shape.cstr_broadcastable %24, %24 : tensor<2xindex>, tensor<2xindex>
  %29 = shape.assuming %28 -> (f32) {
    shape.assuming_yield %x : f32
  }
  %30 = shape.const_size 5
  %31 = shape.const_witness true
  %32 = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2)>(%i)[%i]
  %33 = affine.min affine_map<(d0) -> (d0, 4)>(%i)
  affine.for %a = 0 to 10 step 2 {
  }
  return
}
