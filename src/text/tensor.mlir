// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
func.func @t(%n: index, %t: tensor<4x8xf32>, %d: tensor<?x?xf32>, %u: tensor<*xf32>, %f: f32, %sh: tensor<2xindex>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty(%n) : tensor<?x4xf32>
  %x = tensor.extract %t[%c0, %c0] : tensor<4x8xf32>
  %i = tensor.insert %f into %t[%c0, %n] : tensor<4x8xf32>
  %s = tensor.extract_slice %t[0, %n] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  %in = tensor.insert_slice %s into %t[0, %n] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x8xf32>
  %dm = tensor.dim %d, %c0 : tensor<?x?xf32>
  %rk = tensor.rank %u : tensor<*xf32>
  %ca = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %fe = tensor.from_elements %f, %f : tensor<2xf32>
  %fe0 = tensor.from_elements : tensor<0xf32>
  %ge = tensor.generate %n {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32>
  %pad = tensor.pad %t low[1, %n] high[0, 2] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %f : f32
  } : tensor<4x8xf32> to tensor<5x?xf32>
  %ex = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %co = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %sp = tensor.splat %f : tensor<4xf32>
  %sp2 = tensor.splat %f[%n] : tensor<?xf32>
  %rs = tensor.reshape %t(%sh) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %cc = tensor.concat dim(0) %t, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %bc = tensor.bitcast %t : tensor<4x8xf32> to tensor<4x8xi32>
  %idx = tensor.empty() : tensor<1x1xi32>
  %gt = tensor.gather %t[%idx] gather_dims([1]) : (tensor<4x8xf32>, tensor<1x1xi32>) -> tensor<1x4x1xf32>
  return
}
func.func @cplx(%r: f32, %c: complex<f32>, %d: complex<f32>) {
  %k = complex.create %r, %r : complex<f32>
  %re = complex.re %c : complex<f32>
  %im = complex.im %c : complex<f32>
  %ad = complex.add %c, %d fastmath<nnan> : complex<f32>
  %ab = complex.abs %c : complex<f32>
  %eq = complex.eq %c, %d : complex<f32>
  %co = complex.constant [1.0 : f32, -1.0 : f32] : complex<f32>
  %ex = complex.exp %c : complex<f32>
  %pw = complex.pow %c, %d : complex<f32>
  %an = complex.angle %c : complex<f32>
  %bc = complex.bitcast %c : complex<f32> to i64
  return
}
func.func @consts() {
  %0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.5]]> : tensor<2x2xf32>
  %1 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %2 = arith.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %3 = arith.constant dense<"0x0100000002000000"> : tensor<2xi32>
  %4 = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %5 = arith.constant dense<> : tensor<0x4xf32>
  %6 = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %7 = arith.constant dense_resource<blob1> : tensor<3xi64>
  %8 = arith.constant 0x7FC00000 : f32
  %9 = arith.constant -0.0 : f64
  %10 = arith.constant 1.0e-300 : f64
  %11 = arith.constant 3.14159265358979 : f64
  %12 = arith.constant dense<-1> : vector<4xi8>
  %13 = arith.constant -5 : i32
  %14 = arith.constant 255 : i8
  %15 = arith.constant false
  %16 = arith.constant dense<[1, -2]> : tensor<2xi4>
  %17 = arith.constant 0.1 : bf16
  %18 = arith.constant 0.1 : f16
  %19 = arith.constant dense<[0.1, 1.0e10, 448.0]> : tensor<3xf8E4M3FN>
  %20 = arith.constant dense<0x7F800000> : tensor<f32>
  %21 = arith.constant dense<[1, 2]> : tensor<2xindex>
  %22 = arith.constant 123456789.0 : f32
  %23 = arith.constant 1.0e10 : f32
  %24 = arith.constant 100000.0 : f32
  %25 = arith.constant dense<[1.0e+00, 3.0, 0.333333333]> : tensor<3xf64>
  return
}
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000"
    }
  }
#-}
