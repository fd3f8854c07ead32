// RUN: heddle-opt %s --disc-localize-small-cpu-buffer --split-input-file --verify-each | FileCheck %s
// RUN: heddle-opt %s --disc-localize-small-cpu-buffer=max-bytes=8 --split-input-file --verify-each | FileCheck %s --check-prefix=SMALLER

// Small and not returned: on the stack. Too large, of unknown size, returned, or on the device: as they were.
// CHECK-LABEL: @main
// CHECK: memref.alloca() : memref<4xi32>
// CHECK-NOT: dealloc {{.*}}memref<4xi32>
// CHECK: memref.alloc() : memref<100xi32>
// CHECK: memref.alloc(%arg1) : memref<?xi32>
// CHECK: memref.alloc() : memref<3xi32>
// CHECK: memref.alloc() : memref<2xi32, 1>
// SMALLER-LABEL: @main
// SMALLER: memref.alloc() : memref<4xi32>
func.func @main(%arg0: i32, %arg1: index) -> memref<3xi32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi32>
  memref.store %arg0, %a[%c0] : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  %b = memref.alloc() : memref<100xi32>
  memref.store %arg0, %b[%c0] : memref<100xi32>
  memref.dealloc %b : memref<100xi32>
  %c = memref.alloc(%arg1) : memref<?xi32>
  memref.store %arg0, %c[%c0] : memref<?xi32>
  memref.dealloc %c : memref<?xi32>
  %d = memref.alloc() : memref<3xi32>
  memref.store %arg0, %d[%c0] : memref<3xi32>
  %e = memref.alloc() : memref<2xi32, 1>
  memref.store %arg0, %e[%c0] : memref<2xi32, 1>
  memref.dealloc %e : memref<2xi32, 1>
  return %d : memref<3xi32>
}

// -----

// What a loop carries goes together, with the frees of its results; not when one of them is returned.
// CHECK-LABEL: @loop
// CHECK-COUNT-2: memref.alloca() : memref<i32>
// CHECK: memref.alloc() : memref<i16>
// CHECK: memref.alloc() : memref<i16>
// CHECK: scf.while
// CHECK-NOT: dealloc {{.*}}memref<i32>
// CHECK: memref.dealloc %{{.*}}#3 : memref<i16>
func.func @loop(%p: memref<i1>) -> memref<i16> {
  %a = memref.alloc() : memref<i32>
  %b = memref.alloc() : memref<i32>
  %c = memref.alloc() : memref<i16>
  %d = memref.alloc() : memref<i16>
  %r:4 = scf.while (%x = %a, %y = %b, %z = %c, %w = %d) : (memref<i32>, memref<i32>, memref<i16>, memref<i16>) -> (memref<i32>, memref<i32>, memref<i16>, memref<i16>) {
    %q = memref.load %p[] : memref<i1>
    scf.condition(%q) %x, %y, %z, %w : memref<i32>, memref<i32>, memref<i16>, memref<i16>
  } do {
  ^bb0(%x: memref<i32>, %y: memref<i32>, %z: memref<i16>, %w: memref<i16>):
    scf.yield %y, %x, %w, %z : memref<i32>, memref<i32>, memref<i16>, memref<i16>
  }
  memref.dealloc %r#0 : memref<i32>
  memref.dealloc %r#1 : memref<i32>
  memref.dealloc %r#3 : memref<i16>
  return %r#2 : memref<i16>
}
