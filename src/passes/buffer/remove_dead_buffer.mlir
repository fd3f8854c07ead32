// RUN: heddle-opt %s --disc-remove-dead-buffer --verify-each | FileCheck %s

// CHECK-LABEL: @main
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: "lmhlo.negate"(%arg0, %[[A]])
// CHECK-NEXT: return %[[A]]
func.func @main(%arg0: memref<4xf32>) -> memref<4xf32> {
  %dead = memref.alloc() : memref<4xf32>
  %freed = memref.alloc() : memref<8xf32>
  memref.dealloc %freed : memref<8xf32>
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}
