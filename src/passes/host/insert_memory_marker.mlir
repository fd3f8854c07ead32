// RUN: heddle-opt --disc-insert-memory-marker --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-hlo-legalize-to-lhlo --disc-placement-fixer --insert-memory-marker %src/src/passes/host/placement_pipeline.mlir | FileCheck %s --check-prefix=ALL

// The whole way from tensors.
// ALL: func.func @main(%arg0: memref<i32, #gpu.address_space<global>>, %arg1: memref<?x6xf32, #gpu.address_space<global>>) -> memref<?x3xf32, #gpu.address_space<global>>
// ALL: "lmhlo.copy"(%arg0, %{{.+}}) <{hd.placement = ["host"]}> : (memref<i32, #gpu.address_space<global>>, memref<i32>) -> ()
// ALL: scf.while {{.*}}memref<i32>, memref<?x6xf32, #gpu.address_space<global>>, memref<i32>, memref<?x6xf32, #gpu.address_space<global>>
// ALL: memref.load %{{.+}}[] : memref<i1>

// CHECK-LABEL: @views
// CHECK-SAME: (%arg0: memref<4xf32, #gpu.address_space<global>>, %arg1: memref<2xi32> {hd.placement = "host"}) -> memref<?xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() : memref<4xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() {hd.host} : memref<i64>
// CHECK: memref.cast %{{.+}} : memref<4xf32, #gpu.address_space<global>> to memref<?xf32, #gpu.address_space<global>>
func.func @views(%x: memref<4xf32>, %n: memref<2xi32> {hd.placement = "host"}) -> memref<?xf32> attributes {hd.placed = "buffers"} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  %s = memref.alloc() : memref<i64>
  "lmhlo.negate"(%x, %b) {hd.placement = ["device"]} : (memref<4xf32>, memref<4xf32>) -> ()
  %0 = memref.load %n[%c0] : memref<2xi32>
  %1 = arith.extsi %0 : i32 to i64
  memref.store %1, %s[] : memref<i64>
  %v = memref.cast %b : memref<4xf32> to memref<?xf32>
  return %v : memref<?xf32>
}

// -----

// A counter that the host reads is the host's in all its places; what the loop carries beside it is the device's.
// CHECK-LABEL: @loop
// CHECK-SAME: (%arg0: memref<?xf32, #gpu.address_space<global>>) -> memref<?xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() {hd.host} : memref<i32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32, #gpu.address_space<global>>
// CHECK: scf.while
// CHECK-SAME: (memref<i32>, memref<?xf32, #gpu.address_space<global>>)
// CHECK: memref.load %{{.*}}[] : memref<i32>
// CHECK: "lmhlo.negate"({{.*}}) {{.*}} : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
func.func @loop(%x: memref<?xf32>) -> memref<?xf32> attributes {hd.placed = "buffers"} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %i = memref.alloc() : memref<i32>
  memref.store %one, %i[] : memref<i32>
  %t = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.while (%a = %i, %b = %t) : (memref<i32>, memref<?xf32>) -> (memref<i32>, memref<?xf32>) {
    %v = memref.load %a[] : memref<i32>
    %c = arith.cmpi slt, %v, %one : i32
    scf.condition(%c) %a, %b : memref<i32>, memref<?xf32>
  } do {
  ^bb0(%a: memref<i32>, %b: memref<?xf32>):
    "lmhlo.negate"(%x, %b) {hd.placement = ["device"]} : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %a, %b : memref<i32>, memref<?xf32>
  }
  return %r#1 : memref<?xf32>
}

// -----

// The seed's example: what is allocated on the device is told from what is allocated on the host. A space that is there
// stays.
// CHECK-LABEL: @seed
// CHECK-SAME: %arg1: memref<4xi32, 5>
// CHECK: memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() {hd.host} : memref<2xi32>
// CHECK: "lmhlo.copy"({{.*}}) {{.*}} : (memref<2xi32, #gpu.address_space<global>>, memref<2xi32>) -> ()
func.func @seed(%x: memref<2xi32>, %y: memref<4xi32, 5>, %n: index, %m: index) -> memref<?x?xf32> attributes {hd.placed = "buffers"} {
  %t = memref.alloc(%n, %m) : memref<?x?xf32>
  %h = memref.alloc() : memref<2xi32>
  "lmhlo.copy"(%x, %h) {hd.placement = ["host"]} : (memref<2xi32>, memref<2xi32>) -> ()
  "lmhlo.iota"(%t) <{iota_dimension = 0 : i64}> {hd.placement = ["device"]} : (memref<?x?xf32>) -> ()
  return %t : memref<?x?xf32>
}
