module @barrier_in_a_loop {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : memref<128xi64>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) workgroup(%w : memref<64xi64, #gpu.address_space<workgroup>>) {
      %c2 = arith.constant 2 : index
      %last = arith.cmpi eq, %bx, %c2 : index
      scf.if %last {
      } else {
        %id = arith.index_cast %tx : index to i64
        %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%value = %id) -> (i64) {
          memref.store %value, %w[%tx] : memref<64xi64, #gpu.address_space<workgroup>>
          gpu.barrier
          %other = arith.subi %c63, %tx : index
          %read = memref.load %w[%other] : memref<64xi64, #gpu.address_space<workgroup>>
          gpu.barrier
          scf.yield %read : i64
        }
        %first = arith.muli %bx, %c64 : index
        %at = arith.addi %first, %tx : index
        memref.store %sum, %out[%at] : memref<128xi64>
      }
      gpu.terminator
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %got = memref.load %out[%i] : memref<128xi64>
      %other = arith.subi %c63, %i : index
      %want = arith.index_cast %other : index to i64
      %same = arith.cmpi eq, %got, %want : i64
      cf.assert %same, "the mirrored thread's number"
    }
    memref.dealloc %out : memref<128xi64>
    return
  }
}
