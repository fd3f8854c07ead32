// Programs as front ends write them that compute shapes as values: compiled as the evaluator means them. What the shape
// analysis follows costs no kernel; what an unknown dim broadcasts to, which is its own size or the other's, does.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: heddle run %t/broadcast.mlir --random 0 --shape arg0=3x5 --shape arg1=5 --reference=eval | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %t/broadcast.mlir --random 0 --shape arg0=3x5 --shape arg1=1 --reference=eval | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %t/broadcast.mlir --random 0 --shape arg0=4x1 --shape arg1=7 --reference=eval | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %t/broadcast.mlir --random 0 --shape arg0=2x1 --shape arg1=0 --reference=eval | FileCheck %s --check-prefix=RIGHT
// RUN: not heddle run %t/broadcast.mlir --random 0 --shape arg0=3x5 --shape arg1=4 2>&1 | FileCheck %s --check-prefix=UNFIT
// RUN: heddle run %t/known.mlir --random 0 --shape arg0=3x4 --reference=eval | FileCheck %s --check-prefix=ONE
// RUN: heddle run %t/flat.mlir --random 0 --shape arg0=3x5x2 --shape arg1=3x5x2 --reference=eval | FileCheck %s --check-prefix=ONE
// RUN: not heddle run %t/flat.mlir --random 0 --shape arg0=3x5x2 --shape arg1=3x4x2 2>&1 | FileCheck %s --check-prefix=DIFFER
// ONE: 1 launch, 0 library calls
// ONE: equals the evaluator
// RIGHT: equals the evaluator
// UNFIT: error: {{.*}}stablehlo.dynamic_broadcast_in_dim{{.*}}
// DIFFER: error: {{.*}}shapes differ

//--- broadcast.mlir
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %a = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<?xindex>
    %d = tensor.cast %c : tensor<?xindex> to tensor<2xindex>
    %p = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %q = stablehlo.dynamic_broadcast_in_dim %y, %d, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %s = stablehlo.add %p, %q : tensor<?x?xf32>
    shape.assuming_yield %s : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

//--- known.mlir
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %a = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<4xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x4xf32>) {
    %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %p = stablehlo.dynamic_broadcast_in_dim %x, %c, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    %q = stablehlo.dynamic_broadcast_in_dim %y, %c, dims = [1] : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    %s = stablehlo.add %p, %q : tensor<?x4xf32>
    shape.assuming_yield %s : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

//--- flat.mlir
func.func @main(%x: tensor<?x?x2xf32>, %y: tensor<?x?x2xf32>) -> tensor<?x2xf32> {
  %c2 = arith.constant 2 : index
  %a = shape.shape_of %x : tensor<?x?x2xf32> -> tensor<3xindex>
  %b = shape.shape_of %y : tensor<?x?x2xf32> -> tensor<3xindex>
  %w = shape.cstr_eq %a, %b : tensor<3xindex>, tensor<3xindex>
  %r = shape.assuming %w -> (tensor<?x2xf32>) {
    %n = shape.num_elements %a : tensor<3xindex> -> index
    %m = arith.divsi %n, %c2 : index
    %t = tensor.from_elements %m, %c2 : tensor<2xindex>
    %p = stablehlo.multiply %x, %y : tensor<?x?x2xf32>
    %q = stablehlo.dynamic_reshape %p, %t : (tensor<?x?x2xf32>, tensor<2xindex>) -> tensor<?x2xf32>
    shape.assuming_yield %q : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}
