// RUN: heddle-opt %s --dead-temp-buffer-removal --verify-each | FileCheck %s

// Written, and read for nothing: gone with its stores. What is read, returned or seen by another name stays.
// CHECK-LABEL: @main
// CHECK-NOT: memref<3xf32>
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.store
// CHECK: memref.load
// CHECK: memref.alloc() : memref<5xf32>
// CHECK: memref.store
// CHECK: memref.cast
func.func @main(%x: f32, %i: index) -> (f32, memref<?xf32>) {
  %t = memref.alloc() : memref<3xf32>
  memref.store %x, %t[%i] : memref<3xf32>
  %unused = memref.load %t[%i] : memref<3xf32>
  memref.dealloc %t : memref<3xf32>
  %u = memref.alloc() : memref<4xf32>
  memref.store %x, %u[%i] : memref<4xf32>
  %y = memref.load %u[%i] : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  %v = memref.alloc() : memref<5xf32>
  memref.store %x, %v[%i] : memref<5xf32>
  %w = memref.cast %v : memref<5xf32> to memref<?xf32>
  return %y, %w : f32, memref<?xf32>
}
