module @barrier_after_branches {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %out = memref.alloc() : memref<4xi32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%out : memref<4xi32>)
    %c3 = arith.constant 3 : index
    %got = memref.load %out[%c3] : memref<4xi32>
    %want = arith.constant 20 : i32
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "thread 3 reads what thread 0 wrote"
    memref.dealloc %out : memref<4xi32>
    return
  }
  gpu.module @kernels {
    gpu.func @k(%out: memref<4xi32>) workgroup(%w : memref<4xi32, #gpu.address_space<workgroup>>) kernel {
      %c3 = arith.constant 3 : index
      %two = arith.constant 2 : index
      %x = gpu.thread_id x
      %low = arith.cmpi ult, %x, %two : index
      cf.cond_br %low, ^a, ^b
    ^a:
      %twenty = arith.constant 20 : i32
      cf.br ^c(%twenty : i32)
    ^b:
      %ten = arith.constant 10 : i32
      cf.br ^c(%ten : i32)
    ^c(%value: i32):
      memref.store %value, %w[%x] : memref<4xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c3, %x : index
      %read = memref.load %w[%other] : memref<4xi32, #gpu.address_space<workgroup>>
      memref.store %read, %out[%x] : memref<4xi32>
      gpu.return
    }
  }
}
