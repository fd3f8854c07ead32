module @missing_barrier {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %seven = arith.constant 7 : i64
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) workgroup(%w : memref<1xi64, #gpu.address_space<workgroup>>) {
      %first = arith.cmpi eq, %tx, %c0 : index
      scf.if %first {
        memref.store %seven, %w[%c0] : memref<1xi64, #gpu.address_space<workgroup>>
      }
      %got = memref.load %w[%c0] : memref<1xi64, #gpu.address_space<workgroup>>
      %same = arith.cmpi eq, %got, %seven : i64
      cf.assert %same, "a race"
      gpu.terminator
    }
    return
  }
}
