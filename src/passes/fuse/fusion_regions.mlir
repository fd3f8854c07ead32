// RUN: heddle-opt --target=cpu --disc-fusion %s | FileCheck %s

// Branches without ops, and bodies of several blocks, have nothing to group or are gone through too.
// CHECK-LABEL: @regions
// CHECK: scf.if
// CHECK-NEXT: memref.store
// CHECK: scf.execute_region
// CHECK: cf.br
// CHECK: "lmhlo.fusion"
func.func @regions(%p: i1, %x: f32, %o: memref<f32>, %a: memref<4xf32>) {
  scf.if %p {
    memref.store %x, %o[] : memref<f32>
  }
  scf.execute_region {
    cf.br ^next
  ^next:
    "lmhlo.negate"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    %t = memref.alloc() : memref<4xf32>
    "lmhlo.abs"(%a, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield
  }
  return
}
