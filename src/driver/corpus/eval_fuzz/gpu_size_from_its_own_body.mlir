module @no_blocks {
  func.func @main() {
    %c0 = arith.constant 9223372036854775807 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c0, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %ty, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}
