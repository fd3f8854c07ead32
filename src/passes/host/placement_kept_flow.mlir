// RUN: heddle-opt --disc-placer --disc-broadcast-simplifier --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-loop-invariant --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --loop-invariant-code-motion --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-dot-rewriter=merge --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-loop-batch-dot --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-canonicalize-reduction --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --hlo-expand --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-sink-constants --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --sccp=simplify-branches --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --canonicalize --cse --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-broadcast-simplifier --disc-loop-invariant --disc-dot-rewriter=merge --disc-loop-batch-dot --disc-canonicalize-reduction --hlo-expand --disc-sink-constants --sccp=simplify-branches --canonicalize --cse --disc-placement-fixer %s | FileCheck %s

// Loops, branches and reducers that use what lies on the other side: the fixer completes what a graph pass leaves there too.
// CHECK: func.func @main
// CHECK-SAME: hd.placed = "graph"
func.func @main(%k: tensor<i32>, %x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %n = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %n : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.convert %flat : (tensor<?xf32>) -> tensor<?xi32>
  %c = stablehlo.reduce(%i init: %zero) across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %m = stablehlo.maximum %b, %p : tensor<i32>
      %o = stablehlo.add %a, %m : tensor<i32>
      stablehlo.return %o : tensor<i32>
    }
  %l:3 = stablehlo.while(%j = %zero, %t = %x, %u = %s) : tensor<i32>, tensor<?x?xf32>, tensor<2xi32>
    cond {
      %q = stablehlo.reduce(%u init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
      %g = stablehlo.compare LT, %j, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %g : tensor<i1>
    } do {
      %e = chlo.broadcast_add %t, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %f = "stablehlo.case"(%k) ({
        %h = stablehlo.exponential %e : tensor<?x?xf32>
        stablehlo.return %h : tensor<?x?xf32>
      }, {
        stablehlo.return %e : tensor<?x?xf32>
      }) : (tensor<i32>) -> tensor<?x?xf32>
      %y = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %y, %f, %u : tensor<i32>, tensor<?x?xf32>, tensor<2xi32>
    }
  %z = stablehlo.dot_general %l#1, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %vv = stablehlo.negate %v : tensor<?x?xf32>
  %zz = stablehlo.dot_general %l#1, %vv, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %one_s = stablehlo.tuple %s, %x : tuple<tensor<2xi32>, tensor<?x?xf32>>
  %ts = "stablehlo.while"(%one_s) ({
  ^bb0(%arg: tuple<tensor<2xi32>, tensor<?x?xf32>>):
    %e = stablehlo.get_tuple_element %arg[0] : (tuple<tensor<2xi32>, tensor<?x?xf32>>) -> tensor<2xi32>
    %q = stablehlo.reduce(%e init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %g = stablehlo.compare GT, %q, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%arg: tuple<tensor<2xi32>, tensor<?x?xf32>>):
    %two = stablehlo.constant dense<2> : tensor<2xi32>
    %e = stablehlo.get_tuple_element %arg[0] : (tuple<tensor<2xi32>, tensor<?x?xf32>>) -> tensor<2xi32>
    %f = stablehlo.get_tuple_element %arg[1] : (tuple<tensor<2xi32>, tensor<?x?xf32>>) -> tensor<?x?xf32>
    %h = stablehlo.divide %e, %two : tensor<2xi32>
    %m = stablehlo.cosine %f : tensor<?x?xf32>
    %o = stablehlo.tuple %h, %m : tuple<tensor<2xi32>, tensor<?x?xf32>>
    stablehlo.return %o : tuple<tensor<2xi32>, tensor<?x?xf32>>
  }) : (tuple<tensor<2xi32>, tensor<?x?xf32>>) -> tuple<tensor<2xi32>, tensor<?x?xf32>>
  %tx = stablehlo.get_tuple_element %ts[1] : (tuple<tensor<2xi32>, tensor<?x?xf32>>) -> tensor<?x?xf32>
  return %flat, %tx, %c, %z, %zz : tensor<?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<?x?xf32>, tensor<?x?xf32>
}
