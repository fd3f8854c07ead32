// RUN: heddle-opt --disc-placer --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-placer=i32 --split-input-file %s | FileCheck %s --check-prefix=I32
// RUN: heddle-opt --disc-placer --canonicalize --cse --sccp --split-input-file %s | FileCheck %s --check-prefix=KEPT

// What leads to a shape operand is the host's; the data is the device's.
// CHECK-LABEL: @shape
// CHECK-SAME: hd.placed = "graph"
// CHECK: stablehlo.get_dimension_size {{.*}}hd.placement = ["host"]
// CHECK: stablehlo.constant {hd.placement = ["host"]} dense<2>
// CHECK: stablehlo.multiply {{.*}} {hd.placement = ["host"]} : tensor<i32>
// CHECK: stablehlo.concatenate {{.*}} {hd.placement = ["host"]}
// CHECK: stablehlo.exponential %arg0 {hd.placement = ["device"]}
// CHECK: stablehlo.dynamic_reshape {{.*}} {hd.placement = ["device"]}
// CHECK-NOT: copy
// KEPT-LABEL: @shape
// KEPT: stablehlo.dynamic_reshape {{.*}} {hd.placement = ["device"]}
// EVAL: shape arg0=4x6
func.func @shape(%x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.multiply %d, %two : tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = stablehlo.exponential %x : tensor<?x6xf32>
  %y = stablehlo.dynamic_reshape %e, %s : (tensor<?x6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

// A size that comes from data is computed on the device and copied; one that goes into data is copied too.
// CHECK-LABEL: @both_ways
// CHECK: %[[R:.+]] = stablehlo.reduce{{.*}}
// CHECK: %[[H:.+]] = mhlo.copy %{{.+}} {hd.placement = ["host"]} : tensor<i32>
// CHECK: stablehlo.reshape %[[H]] {hd.placement = ["host"]}
// CHECK: stablehlo.get_dimension_size {{.*}}hd.placement = ["host"]
// CHECK: %[[D:.+]] = mhlo.copy %{{.+}} {hd.placement = ["device"]} : tensor<i32>
// CHECK: stablehlo.convert %[[D]] {hd.placement = ["device"]} : (tensor<i32>) -> tensor<f32>
// KEPT-LABEL: @both_ways
// KEPT-COUNT-2: mhlo.copy
// EVAL: both_ways arg0=3 arg1=4 --random-max=2
func.func @both_ways(%x: tensor<?xi32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %scalar = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %scalar, %n1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %d = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %f = stablehlo.convert %d : (tensor<i32>) -> tensor<f32>
  return %b, %f : tensor<?xf32>, tensor<f32>
}

// -----

// Loop counters decide, so they are the host's, with the limit copied once; what the loop computes is the device's.
// CHECK-LABEL: @loop
// CHECK: %[[N:.+]] = mhlo.copy %arg0 {hd.placement = ["host"]}
// CHECK: stablehlo.while
// CHECK-SAME: hd.placement = ["host", "device"]
// CHECK: stablehlo.compare LT, %{{.+}}, %[[N]] {hd.placement = ["host"]}
// CHECK: do
// CHECK: stablehlo.add {{.*}}{hd.placement = ["host"]} : tensor<i32>
// CHECK: stablehlo.multiply {{.*}}{hd.placement = ["device"]} : tensor<?xf32>
// CHECK-NOT: mhlo.copy
// EVAL: loop arg1=3 --random-max=4
func.func @loop(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %a, %a : tensor<?xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<?xf32>
    }
  return %0#1 : tensor<?xf32>
}

// -----

// A predicate from data is copied; both branches give their result on the device.
// CHECK-LABEL: @branch
// CHECK: stablehlo.compare {{.*}}{hd.placement = ["device"]}
// CHECK: %[[P:.+]] = mhlo.copy %{{.+}} {hd.placement = ["host"]} : tensor<i1>
// CHECK: "stablehlo.if"(%[[P]])
// EVAL: branch
func.func @branch(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.compare LT, %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Tuples have a placement per element. An argument that is declared on the host stays there.
// CHECK-LABEL: @tuple
// CHECK: stablehlo.add %arg0, %arg0 {hd.placement = ["host"]}
// CHECK: stablehlo.tuple {{.*}}hd.placement = {{\[\[}}"host", "device"]]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = ["host"]
func.func @tuple(%n: tensor<1xi32> {hd.placement = "host"}, %x: tensor<f32>) -> tensor<?xf32> {
  %m = stablehlo.add %n, %n : tensor<1xi32>
  %t = stablehlo.tuple %m, %x : tuple<tensor<1xi32>, tensor<f32>>
  %k = stablehlo.get_tuple_element %t[0] : (tuple<tensor<1xi32>, tensor<f32>>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %m, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %k, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Tuples of tuples too, of which an element's element lies where it was made.
// CHECK-LABEL: @nested_tuple
// CHECK: stablehlo.tuple {{.*}}hd.placement = {{\[\[}}"host", ["device", "host"]]]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = {{\[\[}}"device", "host"]]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = ["host"]
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.dynamic_broadcast_in_dim
func.func @nested_tuple(%n: tensor<1xi32> {hd.placement = "host"}, %x: tensor<f32>) -> tensor<?xf32> {
  %m = stablehlo.add %n, %n : tensor<1xi32>
  %i = stablehlo.tuple %x, %m : tuple<tensor<f32>, tensor<1xi32>>
  %t = stablehlo.tuple %m, %i : tuple<tensor<1xi32>, tuple<tensor<f32>, tensor<1xi32>>>
  %j = stablehlo.get_tuple_element %t[1] : (tuple<tensor<1xi32>, tuple<tensor<f32>, tensor<1xi32>>>) -> tuple<tensor<f32>, tensor<1xi32>>
  %k = stablehlo.get_tuple_element %j[1] : (tuple<tensor<f32>, tensor<1xi32>>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %m, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %k, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Token ids are i32: rule 2 drags them along.
// CHECK-LABEL: @ids
// CHECK: stablehlo.add {{.*}}{hd.placement = ["device"]}
// I32-LABEL: @ids
// I32: stablehlo.add {{.*}}{hd.placement = ["host"]}
// I32: mhlo.copy {{.*}}{hd.placement = ["device"]}
func.func @ids(%ids: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = stablehlo.add %ids, %ids : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// A reduction of a shape is the host's, and nothing is copied; so is one of integers that data give, which are copied
// before it rather than behind it.
// CHECK-LABEL: @product
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.reduce{{.*}}{hd.placement = ["host"]}
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.dynamic_reshape
// CHECK-LABEL: @product_of_data
// CHECK: %[[H:.+]] = mhlo.copy %arg0 {hd.placement = ["host"]} : tensor<3xi32>
// CHECK: stablehlo.reduce(%[[H]] init: %{{.+}}) {{.*}}{hd.placement = ["host"]}
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.dynamic_broadcast_in_dim
// EVAL: product arg0=2x3x4
// EVAL: product arg0=0x3x1
// EVAL: product_of_data --random-max=3
func.func @product(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
  %d2 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %r2 = stablehlo.reshape %d2 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, %r2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %n = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_reshape %x, %n : (tensor<?x?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @product_of_data(%s: tensor<3xi32>, %x: tensor<f32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %n = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// Sorts and sums of windows of sizes too, with what their regions use; in a loop that only decides.
// CHECK-LABEL: @regions
// CHECK-NOT: "device"
// CHECK: "stablehlo.sort"{{.*}}hd.placement = ["host"]
// CHECK-NOT: "device"
// CHECK: "stablehlo.reduce_window"{{.*}}hd.placement = ["host"]
// CHECK-NOT: "device"
// CHECK: stablehlo.while{{.*}}hd.placement = ["host", "host"]
// CHECK: stablehlo.reduce{{.*}}{hd.placement = ["host"]}
// CHECK: stablehlo.maximum %{{.+}}, %{{.+}} : tensor<i32>
// CHECK-NOT: "device"
// CHECK: stablehlo.dynamic_broadcast_in_dim {{.*}}{hd.placement = ["device"]}
// EVAL: regions arg0=2x3
// EVAL: regions arg0=1x0
func.func @regions(%x: tensor<?x?xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %o = "stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  %w = "stablehlo.reduce_window"(%o, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %0:2 = stablehlo.while(%i = %zero, %t = %w) : tensor<i32>, tensor<2xi32>
    cond {
      %p = stablehlo.reduce(%t init: %zero) across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
        reducer(%a: tensor<i32>, %b: tensor<i32>) {
          %m = stablehlo.maximum %b, %d0 : tensor<i32>
          %n = stablehlo.add %a, %m : tensor<i32>
          stablehlo.return %n : tensor<i32>
        }
      %c = stablehlo.compare LT, %i, %p : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %n = stablehlo.add %i, %two : tensor<i32>
      %m = stablehlo.reverse %t, dims = [0] : tensor<2xi32>
      stablehlo.return %n, %m : tensor<i32>, tensor<2xi32>
    }
  %y = stablehlo.dynamic_broadcast_in_dim %v, %0#1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Floats between sizes and a shape are the host's; those that data give are not, and the integer made of them is copied.
// CHECK-LABEL: @scaled
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.multiply {{.*}}{hd.placement = ["host"]} : tensor<f32>
// CHECK: stablehlo.ceil {{.*}}{hd.placement = ["host"]} : tensor<f32>
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.dynamic_iota
// CHECK: stablehlo.multiply {{.*}}{hd.placement = ["device"]} : tensor<f32>
// CHECK: %[[I:.+]] = stablehlo.convert %{{.+}} {hd.placement = ["device"]} : (tensor<f32>) -> tensor<i32>
// CHECK: mhlo.copy %[[I]] {hd.placement = ["host"]}
// EVAL: scaled arg0=3
// EVAL: scaled arg0=0
func.func @scaled(%x: tensor<?xf32>, %v: tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %k = stablehlo.constant dense<1.5> : tensor<f32>
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %f = stablehlo.convert %d : (tensor<i32>) -> tensor<f32>
  %m = stablehlo.multiply %f, %k : tensor<f32>
  %c = stablehlo.ceil %m : tensor<f32>
  %i = stablehlo.convert %c : (tensor<f32>) -> tensor<i32>
  %n = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %a = stablehlo.multiply %v, %v : tensor<f32>
  %g = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
  %h = stablehlo.reshape %g : (tensor<i32>) -> tensor<1xi32>
  %z = stablehlo.dynamic_iota %h, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %y, %z : tensor<?xf32>, tensor<?xf32>
}

// -----

// What a reducer uses from outside is copied to where its op runs.
// CHECK-LABEL: @captured
// CHECK: %[[D:.+]] = stablehlo.get_dimension_size
// CHECK: %[[C:.+]] = mhlo.copy %[[D]] {hd.placement = ["device"]}
// CHECK: stablehlo.reduce{{.*}}{hd.placement = ["device"]}
// CHECK: stablehlo.maximum %{{.+}}, %[[C]] : tensor<i32>
// CHECK-NOT: mhlo.copy
// CHECK: return %{{.+}}, %[[C]]
// EVAL: captured arg0=5
// EVAL: captured arg0=0
func.func @captured(%x: tensor<?xi32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %m = stablehlo.maximum %b, %d : tensor<i32>
      %1 = stablehlo.add %a, %m : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0, %d : tensor<i32>, tensor<i32>
}
