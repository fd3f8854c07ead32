// A pass that takes buffers says so at the first op on tensors, and the other way around.
// RUN: not heddle-opt --target=cpu --disc-fusion %s 2>&1 | FileCheck %s --check-prefix=BUFFERS
// BUFFERS: takes.mlir:[[# @LINE + 18]]:8: error: 'stablehlo.add' op is on tensors, but disc-fusion takes buffers: run disc-hlo-legalize-to-lhlo before it
// BUFFERS: pass 'disc-fusion' failed
// RUN: not heddle-opt --disc-rewrite-ral-api %s 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: takes.mlir:[[# @LINE + 15]]:8: error: 'stablehlo.add' op is on tensors, but disc-rewrite-ral-api takes buffers
// RUN: not heddle-opt --dhlo-placer %s 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: takes.mlir:[[# @LINE + 18]]:8: error: 'memref.alloc' op is on buffers, but disc-placer takes tensors: run it before disc-hlo-legalize-to-lhlo
// TENSORS-NOT: hd.placed

// Of neither form: constants, host arithmetic, what goes through.
func.func @either(%i: index, %t: tensor<4xf32>, %m: memref<4xf32>) -> (index, tensor<4xf32>, tensor<2xf32>, memref<4xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %s = arith.addi %i, %i : index
  return %s, %t, %c, %m : index, tensor<4xf32>, tensor<2xf32>, memref<4xf32>
}
func.func private @declared(tensor<4xf32>)
func.func @nothing() { return }

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @buffers(%x: memref<4xf32>) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  "lmhlo.add"(%x, %x, %0) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return %0 : memref<4xf32>
}

// Ops without operands are of the form of their dialect.
// RUN: not heddle-opt --disc-lower-to-library-calls %S/takes_nothing.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: takes_nothing.mlir:3:3: error: 'stablehlo.custom_call' op is on tensors, but disc-lower-to-library-calls takes buffers
