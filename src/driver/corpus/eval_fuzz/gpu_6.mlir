module @absent_lane {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %first = arith.cmpi eq, %tx, %c0 : index
      scf.if %first {
        %width = arith.constant 32 : i32
        %one = arith.constant 1 : i32
        %a, %valid = gpu.shuffle xor %one, %one, %width : i32
      }
      gpu.terminator
    }
    return
  }
}
