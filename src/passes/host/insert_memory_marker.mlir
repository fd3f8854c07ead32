// RUN: heddle-opt --insert-memory-marker --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-hlo-legalize-to-lhlo --disc-placement-fixer --insert-memory-marker %src/src/passes/host/placement_pipeline.mlir | FileCheck %s --check-prefix=ALL

// The whole way from tensors.
// ALL: func.func @main(%arg0: memref<i32, #gpu.address_space<global>>, %arg1: memref<?x6xf32, #gpu.address_space<global>>) -> memref<?x3xf32, #gpu.address_space<global>>
// ALL: "lmhlo.copy"(%arg0, %{{.+}}) <{hd.placement = ["host"]}> : (memref<i32, #gpu.address_space<global>>, memref<i32>) -> ()
// ALL: scf.while {{.*}}memref<i32>, memref<?x6xf32, #gpu.address_space<global>>, memref<i32>, memref<?x6xf32, #gpu.address_space<global>>
// ALL: memref.load %{{.+}}[] : memref<i1>

// CHECK-LABEL: @views
// CHECK-SAME: (%arg0: memref<4xf32, #gpu.address_space<global>>, %arg1: memref<2xi32> {hd.placement = "host"}) -> memref<?xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() : memref<4xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() : memref<i64>
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
