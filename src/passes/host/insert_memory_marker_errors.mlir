// RUN: heddle-opt --insert-memory-marker --split-input-file --verify-diagnostics %s

// expected-error@+1 {{insert-memory-marker: expected hd.placed = "buffers": run disc-placement-fixer first}}
func.func @not_placed(%x: memref<4xf32>) { return }

// -----

func.func @both(%x: memref<4xf32>) -> memref<4xf32> attributes {hd.placed = "buffers"} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %b) {hd.placement = ["device"]} : (memref<4xf32>, memref<4xf32>) -> ()
  // expected-error@+1 {{'memref.load' op insert-memory-marker: a buffer would lie on the host and on the device: expected a copy}}
  %0 = memref.load %b[%c0] : memref<4xf32>
  return %b : memref<4xf32>
}
