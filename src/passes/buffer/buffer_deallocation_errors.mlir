// RUN: heddle-opt %s --disc-buffer-deallocation --split-input-file --verify-diagnostics

func.func @meet(%p: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  // expected-error@+1 {{'cf.cond_br' op disc-buffer-deallocation: hands a buffer to an argument that is a buffer to be freed when it comes another way: expected a copy}}
  cf.cond_br %p, ^end(%a : memref<4xf32>), ^end(%x : memref<4xf32>)
^end(%w: memref<4xf32>):
  "lmhlo.negate"(%w, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  return %r : memref<4xf32>
}

// -----

func.func @chosen(%x: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  // expected-error@+1 {{'arith.select' op disc-buffer-deallocation: gives a buffer that is to be freed when it gives another one: expected a copy}}
  %r = arith.select %p, %t, %x : memref<4xf32>
  return %r : memref<4xf32>
}

// -----

func.func @branch(%x: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'scf.if' op disc-buffer-deallocation: gives a buffer that is to be freed when it gives another one: expected a copy}}
  %v = scf.if %p -> memref<4xf32> {
    %u = memref.alloc() : memref<4xf32>
    "lmhlo.negate"(%x, %u) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %u : memref<4xf32>
  } else {
    scf.yield %t : memref<4xf32>
  }
  return %v : memref<4xf32>
}
