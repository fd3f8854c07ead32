module @called_barrier {
  func.func private @wait() {
    gpu.barrier
    return
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      func.call @wait() : () -> ()
      gpu.terminator
    }
    return
  }
}
