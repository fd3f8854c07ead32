// RUN: heddle-opt "--disc-fusion=target=cpu explain" --verify-each %s | FileCheck %s

// Nothing is fused, but notes are made: --verify-each takes an attribute that the pass does not speak of for an error.
// CHECK: hd.node
func.func @in_place(%x: memref<f32>) -> memref<f32> {
  %a = memref.alloc() : memref<f32>
  "lmhlo.abs"(%x, %a) : (memref<f32>, memref<f32>) -> ()
  "lmhlo.floor"(%a, %a) : (memref<f32>, memref<f32>) -> ()
  return %a : memref<f32>
}
