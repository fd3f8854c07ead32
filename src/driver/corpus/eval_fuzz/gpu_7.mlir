module @ids {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i64
    %sum = memref.alloc() : memref<i64>
    memref.store %zero, %sum[] : memref<i64>
    gpu.launch_func @kernels::@k blocks in (%c2, %c3, %c1) threads in (%c2, %c1, %c3) args(%sum : memref<i64>)
    %got = memref.load %sum[] : memref<i64>
    %want = arith.constant 630 : i64
    %same = arith.cmpi eq, %got, %want : i64
    cf.assert %same, "each number once"
    memref.dealloc %sum : memref<i64>
    return
  }
  gpu.module @kernels {
    gpu.func @k(%sum: memref<i64>) kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %tz = gpu.thread_id z
      %gx = gpu.grid_dim x
      %sx = gpu.block_dim x
      %sz = gpu.block_dim z
      %a = arith.muli %by, %gx : index
      %b = arith.addi %a, %bx : index
      %c = arith.muli %b, %sz : index
      %d = arith.addi %c, %tz : index
      %e = arith.muli %d, %sx : index
      %f = arith.addi %e, %tx : index
      %g = arith.index_cast %f : index to i64
      %old = memref.atomic_rmw addi %g, %sum[] : (i64, memref<i64>) -> i64
      gpu.return
    }
  }
}
