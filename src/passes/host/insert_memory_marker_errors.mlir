// RUN: heddle-opt --disc-insert-memory-marker --split-input-file --verify-diagnostics %s

// expected-error@+1 {{disc-insert-memory-marker: expected hd.placed = "buffers": run disc-placement-fixer first}}
func.func @not_placed(%x: memref<4xf32>) { return }

// -----

func.func @both(%x: memref<4xf32>) -> memref<4xf32> attributes {hd.placed = "buffers"} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %b) {hd.placement = ["device"]} : (memref<4xf32>, memref<4xf32>) -> ()
  // expected-error@+1 {{'memref.load' op disc-insert-memory-marker: a buffer would be on the host and on the device: expected a copy}}
  %0 = memref.load %b[%c0] : memref<4xf32>
  return %b : memref<4xf32>
}

// -----

// The seed's marked buffers are in device memory, and the host cannot load from it.
func.func @device_load(%x: memref<4xf32, #gpu.address_space<global>>) -> f32 attributes {hd.placed = "buffers"} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'memref.load' op disc-insert-memory-marker: a buffer would be on the host and on the device: expected a copy}}
  %0 = memref.load %x[%c0] : memref<4xf32, #gpu.address_space<global>>
  return %0 : f32
}
