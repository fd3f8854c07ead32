module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<?xf32>, %n: index) workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>) private(%p : memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y upper_bound 32
      %bx = gpu.block_id x
      %bd = gpu.block_dim x
      %gd = gpu.grid_dim z
      %l = gpu.lane_id
      %sg = gpu.subgroup_id : index
      gpu.barrier
      %x = memref.load %a[%tx] : memref<?xf32>
      %s = gpu.all_reduce add %x uniform {} : (f32) -> f32
      %r = gpu.subgroup_reduce add %x : (f32) -> f32
      %r2 = gpu.subgroup_reduce add %x cluster(size = 4, stride = 2) : (f32) -> f32
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %sh, %v = gpu.shuffle xor %x, %c1, %c32 : f32
      %red = gpu.all_reduce %x {
      ^bb0(%lhs: f32, %rhs: f32):
        %sum = arith.addf %lhs, %rhs : f32
        gpu.yield %sum : f32
      } : (f32) -> f32
      gpu.printf "%d\0A", %n : index
      gpu.return
    }
    gpu.func @d(%a: f32) -> f32 {
      gpu.return %a : f32
    }
  }
  func.func @host(%m: memref<?xf32>, %n: index, %sz: i32) {
    %c1 = arith.constant 1 : index
    %t = gpu.wait async
    %al, %t1 = gpu.alloc async [%t] (%n) : memref<?xf32, 1>
    %al2 = gpu.alloc host_shared (%n) : memref<?xf32, 1>
    %t2 = gpu.launch_func async [%t1] @kernels::@k blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1) dynamic_shared_memory_size %sz args(%m : memref<?xf32>, %n : index)
    gpu.launch_func @kernels::@k clusters in (%c1, %c1, %c1) blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1) args(%m : memref<?xf32>, %n : index)
    %t3 = gpu.memcpy async [%t2] %m, %m : memref<?xf32>, memref<?xf32>

    %t4 = gpu.dealloc async [%t3] %al : memref<?xf32, 1>
    gpu.wait [%t4]
    %f = arith.constant 1.0 : f32
    gpu.memset %m, %f : memref<?xf32>, f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz2 = %c1) {
      gpu.terminator
    }
    %lt = gpu.launch async [%t1] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz2 = %c1) dynamic_shared_memory_size %sz workgroup(%w : memref<32xf32, 3>) {
      gpu.terminator
    }
    return
  }
}
