module @divergent_barrier {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %some = arith.cmpi ult, %tx, %c2 : index
      scf.if %some {
        gpu.barrier
      }
      gpu.terminator
    }
    return
  }
}
