// SPDX-License-Identifier: Apache-2.0
// REQUIRES: mlir-opt
// RUN: mlir-opt --emit-bytecode %s -o %t && heddle-opt %t | FileCheck %s
// RUN: printf 'module attributes {t.a = !quant.any<i8:f32>} {}' | mlir-opt --allow-unregistered-dialect --emit-bytecode -o %t.any
// RUN: not heddle-opt %t.any 2>&1 | FileCheck %s --check-prefix=ANY
// Types of the quant dialect in the encoding that MLIR gives them.
// ANY: quantized type of code 2: expected a uniform one, of one scale or of one per element of a dim
// CHECK: func.func @one(%arg0: tensor<4x!quant.uniform<i8<-127:127>:f32, 5.000000e-01:-7>>, %arg1: tensor<?x!quant.uniform<u8:f32, 1.250000e-01>>) -> tensor<4x!quant.uniform<i8<-127:127>:f32, 5.000000e-01:-7>>
func.func @one(%a: tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-7>>, %b: tensor<?x!quant.uniform<u8:f32, 0.125>>) -> tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-7>> {
  return %a : tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:-7>>
}
// CHECK: func.func @along(%arg0: tensor<3x2x!quant.uniform<i16:f64:1, {2.000000e+00:3,9.987200e-01:-127}>>)
func.func @along(%a: tensor<3x2x!quant.uniform<i16:f64:1, {2.0:3, 0.99872:-127}>>) -> tensor<3x2x!quant.uniform<i16:f64:1, {2.0:3, 0.99872:-127}>> {
  return %a : tensor<3x2x!quant.uniform<i16:f64:1, {2.0:3, 0.99872:-127}>>
}
