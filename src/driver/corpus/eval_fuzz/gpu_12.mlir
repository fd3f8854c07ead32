module @parallel_loop {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : memref<2x32xi64>
    scf.parallel (%row, %t) = (%c0, %c0) to (%c2, %c32) step (%c1, %c1) {
      %c31 = arith.constant 31 : index
      %w = memref.alloca() : memref<32xi64, #gpu.address_space<workgroup>>
      %base = arith.muli %row, %c32 : index
      %id = arith.addi %base, %t : index
      %value = arith.index_cast %id : index to i64
      memref.store %value, %w[%t] : memref<32xi64, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c31, %t : index
      %read = memref.load %w[%other] : memref<32xi64, #gpu.address_space<workgroup>>
      memref.store %read, %out[%row, %t] : memref<2x32xi64>
      scf.reduce
    } {hd.threads = 32 : i64}
    %c5 = arith.constant 5 : index
    %got = memref.load %out[%c1, %c5] : memref<2x32xi64>
    %want = arith.constant 58 : i64
    %same = arith.cmpi eq, %got, %want : i64
    cf.assert %same, "the row's own memory"
    memref.dealloc %out : memref<2x32xi64>
    return
  }
}
