func.func @beyond() {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  %v = vector.transfer_read %m[%c1], %zero {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
