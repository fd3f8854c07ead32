// RUN: heddle-opt --disc-placement-fixer --split-input-file %s | FileCheck %s

// What the legalization to buffers added: the copy lies where the buffer that it writes is read, the size on the host.
// CHECK-LABEL: @buffers
// CHECK-SAME: hd.placed = "buffers"
// CHECK: "lmhlo.copy"(%arg0, %[[B:[a-z0-9_]+]]) <{hd.placement = ["device"]}>
// CHECK: "lmhlo.add"(%[[B]], %[[B]], %{{.+}}) <{hd.placement = ["device"]}>
// CHECK: "lmhlo.convert"({{.*}}) <{hd.placement = ["host"]}>
// CHECK: "lmhlo.negate"({{.*}}) <{hd.placement = ["device"]}>
func.func @buffers(%a: memref<4xf32>, %n: memref<i32>) -> (memref<4xf32>, memref<4xf32, #gpu.address_space<global>>) {
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %s = memref.alloc() : memref<i64>
  %d = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  "lmhlo.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  "lmhlo.add"(%b, %b, %c) {hd.placement = ["device"]} : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  "lmhlo.convert"(%n, %s) : (memref<i32>, memref<i64>) -> ()
  %0 = memref.load %s[] : memref<i64>
  "lmhlo.negate"(%c, %d) : (memref<4xf32>, memref<4xf32, #gpu.address_space<global>>) -> ()
  return %c, %d : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
}

// -----

// Graph ops that a pass added after disc-placer.
// CHECK-LABEL: @graph
// CHECK: stablehlo.add %{{.+}}, %{{.+}} {hd.placement = ["host"]} : tensor<1xi32>
// CHECK: stablehlo.abs {{.*}} {hd.placement = ["device"]}
// CHECK: stablehlo.constant {hd.placement = ["host"]} dense<3>
func.func @graph(%x: tensor<?xf32>, %y: tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %d = stablehlo.get_dimension_size %x, dim = 0 {hd.placement = ["host"]} : (tensor<?xf32>) -> tensor<i32>
  %d1 = stablehlo.reshape %d {hd.placement = ["host"]} : (tensor<i32>) -> tensor<1xi32>
  %twice = stablehlo.add %d1, %d1 : tensor<1xi32>
  %a = stablehlo.abs %y : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %twice, dims = [] {hd.placement = ["device"]} : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %y, %three, dims = [] {hd.placement = ["device"]} : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Blocks: their arguments have no placement, and jumps take values where they are.
// CHECK-LABEL: @blocks
// CHECK: stablehlo.negate {{.*}} {hd.placement = ["device"]}
// CHECK: cf.br
func.func @blocks(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  cf.br ^bb1(%0 : tensor<f32>)
^bb1(%1: tensor<f32>):
  %2 = stablehlo.negate %1 : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// What a loop starts with lies where its steps want it, however the buffer gets there.
// CHECK-LABEL: @carried
// CHECK: "lmhlo.copy"(%{{.*}}) <{hd.placement = ["host"]}> : (memref<i32>, memref<i32>) -> ()
// CHECK: "lmhlo.copy"(%{{.*}}) <{hd.placement = ["device"]}> : (memref<4xi32>, memref<4xi32>) -> ()
func.func @carried(%x: memref<4xi32>, %end: memref<i32>) -> memref<4xi32> {
  %c0 = arith.constant 0 : i32
  %zero = memref.alloc() : memref<i32>
  memref.store %c0, %zero[] : memref<i32>
  %i = memref.alloc() : memref<i32>
  "lmhlo.copy"(%zero, %i) : (memref<i32>, memref<i32>) -> ()
  %a = memref.alloc() : memref<4xi32>
  "lmhlo.copy"(%x, %a) : (memref<4xi32>, memref<4xi32>) -> ()
  %spare = memref.alloc() : memref<i32>
  %0:2 = scf.while (%j = %i, %other = %spare) : (memref<i32>, memref<i32>) -> (memref<i32>, memref<i32>) {
    %less = memref.alloc() : memref<i1>
    "lmhlo.compare"(%j, %zero, %less) {comparison_direction = #stablehlo<comparison_direction LT>, hd.placement = ["host"]}
      : (memref<i32>, memref<i32>, memref<i1>) -> ()
    %go = memref.load %less[] : memref<i1>
    scf.condition(%go) %j, %other : memref<i32>, memref<i32>
  } do {
  ^bb0(%j: memref<i32>, %other: memref<i32>):
    "lmhlo.add"(%j, %j, %other) {hd.placement = ["host"]} : (memref<i32>, memref<i32>, memref<i32>) -> ()
    scf.yield %other, %j : memref<i32>, memref<i32>
  }
  return %a : memref<4xi32>
}

// -----

// A reduction of a shape that a pass has added is the host's, and floats between sizes and shapes; other floats are not.
// CHECK-LABEL: @reduction
// CHECK: stablehlo.reduce{{.*}}{hd.placement = ["host"]}
// CHECK: stablehlo.multiply {{.*}}{hd.placement = ["host"]} : tensor<f32>
// CHECK: stablehlo.sqrt {{.*}}{hd.placement = ["device"]} : tensor<f32>
// CHECK: mhlo.copy {{.*}}{hd.placement = ["host"]} : tensor<1xi32>
func.func @reduction(%s: tensor<2xi32> {hd.placement = "host"}, %y: tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant {hd.placement = ["host"]} dense<0.5> : tensor<f32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %f = stablehlo.convert %p {hd.placement = ["host"]} : (tensor<i32>) -> tensor<f32>
  %m = stablehlo.multiply %f, %half : tensor<f32>
  %i = stablehlo.convert %m {hd.placement = ["host"]} : (tensor<f32>) -> tensor<i32>
  %n = stablehlo.reshape %i {hd.placement = ["host"]} : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %n, dims = [] {hd.placement = ["device"]} : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %q = stablehlo.sqrt %y : tensor<f32>
  %j = stablehlo.convert %q {hd.placement = ["device"]} : (tensor<f32>) -> tensor<i32>
  %k = stablehlo.reshape %j {hd.placement = ["device"]} : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %y, %k, dims = [] {hd.placement = ["device"]} : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Elements of tuples lie where they were made, also out of tuples of tuples.
// CHECK-LABEL: @tuples
// CHECK: stablehlo.tuple {{.*}}hd.placement = {{\[\[}}"host", ["device", "host"]]]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = ["host"]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = {{\[\[}}"device", "host"]]
// CHECK: stablehlo.get_tuple_element {{.*}}hd.placement = ["device"]
// CHECK-NOT: mhlo.copy
// CHECK: stablehlo.dynamic_broadcast_in_dim
func.func @tuples(%n: tensor<1xi32> {hd.placement = "host"}, %x: tensor<f32>) -> tensor<?xf32> {
  %i = stablehlo.tuple %x, %n {hd.placement = [["device", "host"]]} : tuple<tensor<f32>, tensor<1xi32>>
  %t = stablehlo.tuple %n, %i : tuple<tensor<1xi32>, tuple<tensor<f32>, tensor<1xi32>>>
  %m = stablehlo.get_tuple_element %t[0] : (tuple<tensor<1xi32>, tuple<tensor<f32>, tensor<1xi32>>>) -> tensor<1xi32>
  %j = stablehlo.get_tuple_element %t[1] : (tuple<tensor<1xi32>, tuple<tensor<f32>, tensor<1xi32>>>) -> tuple<tensor<f32>, tensor<1xi32>>
  %y = stablehlo.get_tuple_element %j[0] : (tuple<tensor<f32>, tensor<1xi32>>) -> tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %m, dims = [] {hd.placement = ["device"]} : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
