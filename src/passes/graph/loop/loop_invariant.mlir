// RUN: heddle-opt --disc-loop-invariant --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-loop-invariant=keep-inflating --split-input-file %s | FileCheck %s --check-prefix=KEEP

// An argument that the body gives back is gone, and what is computed from it moves, in both regions.
// CHECK-LABEL: @transparent
// CHECK-DAG: %[[E:.+]] = stablehlo.exponential %arg1
// CHECK-DAG: %[[N:.+]] = stablehlo.add %arg0, %arg0
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) : tensor<i32>, tensor<?xf32>
// CHECK-NOT: stablehlo.exponential
// CHECK: stablehlo.compare LT, %{{.+}}, %[[N]]
// CHECK: stablehlo.add %{{.+}}, %[[E]]
// CHECK: return %{{.+}}, %arg1
// EVAL: transparent arg1=4
// EVAL: transparent arg1=0
func.func @transparent(%n: tensor<i32>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %limit = %n, %a = %x, %sum = %x) : tensor<i32>, tensor<i32>, tensor<?xf32>, tensor<?xf32>
    cond {
      %end = stablehlo.add %limit, %limit : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %e = stablehlo.exponential %a : tensor<?xf32>
      %more = stablehlo.add %sum, %e : tensor<?xf32>
      stablehlo.return %next, %limit, %a, %more : tensor<i32>, tensor<i32>, tensor<?xf32>, tensor<?xf32>
    }
  return %0#3, %0#2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Carried in a tuple.
// CHECK-LABEL: @tuple
// CHECK-NOT: stablehlo.tuple
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}) : tensor<i32>
// CHECK-NOT: stablehlo.{{.*}}tuple
// CHECK: return %{{.+}}, %arg1
// EVAL: tuple
func.func @tuple(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %t = stablehlo.tuple %zero, %x : tuple<tensor<i32>, tensor<f32>>
  %0 = "stablehlo.while"(%t) ({
  ^bb0(%arg: tuple<tensor<i32>, tensor<f32>>):
    %i = stablehlo.get_tuple_element %arg[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg: tuple<tensor<i32>, tensor<f32>>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i = stablehlo.get_tuple_element %arg[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
    %a = stablehlo.get_tuple_element %arg[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.tuple %next, %a : tuple<tensor<i32>, tensor<f32>>
    stablehlo.return %b : tuple<tensor<i32>, tensor<f32>>
  }) : (tuple<tensor<i32>, tensor<f32>>) -> tuple<tensor<i32>, tensor<f32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  return %1, %2 : tensor<i32>, tensor<f32>
}

// -----

// Out of both loops; what depends on the outer counter stays in the outer one.
// CHECK-LABEL: @nested
// CHECK: stablehlo.sine %arg1
// CHECK: stablehlo.while
// CHECK: do
// CHECK: stablehlo.cosine
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.sine
// CHECK-NOT: stablehlo.cosine
// EVAL: nested --random-max=4 ~1e-6
func.func @nested(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<f32>
        cond {
          %2 = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %2 : tensor<i1>
        } do {
          %2 = stablehlo.sine %x : tensor<f32>
          %3 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
          %4 = stablehlo.cosine %3 : tensor<f32>
          %5 = stablehlo.add %2, %4 : tensor<f32>
          %6 = stablehlo.add %t, %5 : tensor<f32>
          %7 = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %7, %6 : tensor<i32>, tensor<f32>
        }
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1#1 : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// -----

// A carried value that only its own next value reads is gone with its computation.
// CHECK-LABEL: @own_next
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}) : tensor<i32>
// CHECK-NOT: stablehlo.multiply
// EVAL: own_next
func.func @own_next(%n: tensor<i32>, %x: tensor<f32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %y, %y : tensor<f32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
    }
  return %0#0 : tensor<i32>
}

// -----

// Values that swap places are not transparent.
// CHECK-LABEL: @swap
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) : tensor<i32>, tensor<f32>, tensor<f32>
// EVAL: swap
func.func @swap(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<f32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %1, %b, %a : tensor<i32>, tensor<f32>, tensor<f32>
    }
  return %0#1, %0#2 : tensor<f32>, tensor<f32>
}

// -----

// The body may never run, so what can fail stays in it; a loop inside does too.
// CHECK-LABEL: @may_fail
// CHECK: stablehlo.while
// CHECK: do
// CHECK: stablehlo.dynamic_reshape
// EVAL: may_fail arg1=6
func.func @may_fail(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %first = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %s = %first) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x3xf32>
      %3 = stablehlo.slice %2 [1:2, 2:3] : (tensor<2x3xf32>) -> tensor<1x1xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x1xf32>) -> tensor<f32>
      %5 = stablehlo.add %s, %4 : tensor<f32>
      stablehlo.return %1, %5 : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// -----

// Effects stay where they are, and keep what they use alive.
// CHECK-LABEL: @effects
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}})
// CHECK: do
// CHECK: stablehlo.custom_call @print
func.func @effects(%n: tensor<i32>, %x: tensor<f32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %y, %y : tensor<f32>
      stablehlo.custom_call @print(%y) {has_side_effect = true} : (tensor<f32>) -> ()
      stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
    }
  return %0#0 : tensor<i32>
}

// -----

// Spread over many elements: before the loop, or read through inside it.
// CHECK-LABEL: @inflating
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.while
// KEEP-LABEL: @inflating
// KEEP: stablehlo.negate %arg2
// KEEP: stablehlo.while
// KEEP: stablehlo.broadcast_in_dim
// EVAL: inflating
func.func @inflating(%n: tensor<i32>, %x: tensor<100x4xf32>, %bias: tensor<4xf32>) -> tensor<100x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<100x4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.negate %bias : tensor<4xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xf32>) -> tensor<100x4xf32>
      %4 = stablehlo.add %s, %3 : tensor<100x4xf32>
      stablehlo.return %1, %4 : tensor<i32>, tensor<100x4xf32>
    }
  return %0#1 : tensor<100x4xf32>
}

// -----

// Out of branches: what costs next to nothing moves before the loop, what is expensive stays with its path, also in branches
// of branches and in a case. The expensive chain on %x stays: a loop that never takes the branch must not pay for it.
// CHECK-LABEL: @branches
// CHECK-DAG: stablehlo.constant dense<2.000000e+00>
// CHECK-DAG: %[[H:.+]] = stablehlo.multiply %arg2
// CHECK-DAG: %[[L:.+]] = stablehlo.log %[[H]]
// CHECK-DAG: %[[F:.+]] = stablehlo.broadcast_in_dim %[[L]]
// CHECK-DAG: %[[W:.+]] = stablehlo.slice %[[F]]
// CHECK: stablehlo.while
// CHECK: "stablehlo.if"
// CHECK: stablehlo.sine %arg1
// CHECK: "stablehlo.case"
// CHECK-NOT: stablehlo.log
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[W]]
// EVAL: branches --random-max=4 arg1=5 ~1e-6
// EVAL: branches --random-max=4 arg1=0 ~1e-6
func.func @branches(%n: tensor<i32>, %x: tensor<?xf32>, %h: tensor<f32>, %p: tensor<i1>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %r = "stablehlo.if"(%p) ({
        %e = stablehlo.sine %x : tensor<?xf32>
        %t = "stablehlo.case"(%i) ({
          %two = stablehlo.constant dense<2.0> : tensor<f32>
          %m = stablehlo.multiply %h, %two : tensor<f32>
          %l = stablehlo.log %m : tensor<f32>
          %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
          %dims = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
          %flat = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<3xf32>
          %first = stablehlo.slice %flat [0:1] : (tensor<3xf32>) -> tensor<1xf32>
          %wide = stablehlo.dynamic_broadcast_in_dim %first, %dims, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
          %a = stablehlo.add %e, %wide : tensor<?xf32>
          stablehlo.return %a : tensor<?xf32>
        }, {
          stablehlo.return %e : tensor<?xf32>
        }) : (tensor<i32>) -> tensor<?xf32>
        stablehlo.return %t : tensor<?xf32>
      }, {
        stablehlo.return %s : tensor<?xf32>
      }) : (tensor<i1>) -> tensor<?xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %r : tensor<i32>, tensor<?xf32>
    }
  return %0#1 : tensor<?xf32>
}

// -----

// What every branch computes is needed whichever is taken: it leaves the if and then the loop, with what depends on it.
// CHECK-LABEL: @in_every_branch
// CHECK: %[[E:.+]] = stablehlo.exponential %arg1
// CHECK: %[[C:.+]] = stablehlo.cosine %[[E]]
// CHECK: stablehlo.while
// CHECK: "stablehlo.if"
// CHECK-NOT: stablehlo.exponential
// CHECK-NOT: stablehlo.cosine
// CHECK: stablehlo.add %{{.+}}, %[[C]]
// CHECK: stablehlo.subtract %{{.+}}, %[[C]]
// CHECK: stablehlo.sine
// EVAL: in_every_branch --random-max=4 arg1=3 ~1e-6
// EVAL: in_every_branch --random-max=4 arg1=0
func.func @in_every_branch(%n: tensor<i32>, %x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %r = "stablehlo.if"(%p) ({
        %e = stablehlo.exponential %x : tensor<?xf32>
        %c = stablehlo.cosine %e : tensor<?xf32>
        %a = stablehlo.add %s, %c : tensor<?xf32>
        stablehlo.return %a : tensor<?xf32>
      }, {
        %e = stablehlo.exponential %x : tensor<?xf32>
        %c = stablehlo.cosine %e : tensor<?xf32>
        %a = stablehlo.subtract %s, %c : tensor<?xf32>
        %q = stablehlo.sine %x : tensor<?xf32>
        %b = stablehlo.add %a, %q : tensor<?xf32>
        stablehlo.return %b : tensor<?xf32>
      }) : (tensor<i1>) -> tensor<?xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %r : tensor<i32>, tensor<?xf32>
    }
  return %0#1 : tensor<?xf32>
}

// -----

// What may fail stays on its path, however small; so does what the loop changes.
// CHECK-LABEL: @stays_in_branch
// CHECK: stablehlo.while
// CHECK: "stablehlo.if"
// CHECK: stablehlo.dynamic_reshape
// CHECK: stablehlo.negate
// EVAL: stays_in_branch --random-max=1 arg1=5
func.func @stays_in_branch(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %first = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %s = %first) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %p = stablehlo.compare GT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %r = "stablehlo.if"(%p) ({
        %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
        %2 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x3xf32>
        %3 = stablehlo.slice %2 [1:2, 2:3] : (tensor<2x3xf32>) -> tensor<1x1xf32>
        %4 = stablehlo.reshape %3 : (tensor<1x1xf32>) -> tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }, {
        %2 = stablehlo.negate %s : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %r : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// -----

// Dims that must agree and are not known to: the op stays, since the loop may not run and then nobody asks. What nothing
// is demanded of moves, and so does what is proven, as by an op that runs anyway.
// CHECK-LABEL: @unproven
// CHECK: stablehlo.exponential %arg1
// CHECK: stablehlo.while
// CHECK: stablehlo.add %{{.+}}, %arg2
// CHECK: stablehlo.slice %arg2
// CHECK: chlo.broadcast_multiply
// CHECK-LABEL: @proven
// CHECK: stablehlo.subtract %arg1, %arg2
// CHECK: stablehlo.subtract %arg2, %arg1
// CHECK: chlo.broadcast_multiply %arg1, %arg2
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.subtract
// EVAL: unproven arg0=0 arg1=3 arg2=4
// EVAL: unproven arg0=2 arg1=3 arg2=3 ~1e-6
// EVAL: proven arg0=0 arg1=3 arg2=3
// EVAL: proven arg0=2 arg1=3 arg2=3 ~1e-6
func.func @unproven(%n: tensor<?xi32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.get_dimension_size %n, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %e = stablehlo.exponential %x : tensor<?xf32>
      %a = stablehlo.add %e, %y : tensor<?xf32>
      %b = stablehlo.slice %y [1:3] : (tensor<?xf32>) -> tensor<2xf32>
      %c = stablehlo.slice %b [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %m = chlo.broadcast_multiply %a, %c : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
      %t = stablehlo.add %s, %m : tensor<?xf32>
      stablehlo.return %next, %t : tensor<i32>, tensor<?xf32>
    }
  return %0#1 : tensor<?xf32>
}
func.func @proven(%n: tensor<?xi32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.get_dimension_size %n, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %both = stablehlo.subtract %x, %y : tensor<?xf32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %a = stablehlo.subtract %y, %x : tensor<?xf32>
      %m = chlo.broadcast_multiply %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %b = stablehlo.add %s, %a : tensor<?xf32>
      %t = stablehlo.add %b, %m : tensor<?xf32>
      stablehlo.return %next, %t : tensor<i32>, tensor<?xf32>
    }
  return %0#1, %both : tensor<?xf32>, tensor<?xf32>
}
