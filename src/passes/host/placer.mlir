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
