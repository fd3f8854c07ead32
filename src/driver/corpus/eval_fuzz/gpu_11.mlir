module @bounds {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %out = memref.alloc() : memref<4xindex>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c1, %sz = %c1) {
      memref.store %tx, %out[%tx] : memref<4xindex>
      gpu.terminator
    }
    memref.dealloc %out : memref<4xindex>
    return
  }
}
