// RUN: not heddle check %s --split-input-file 2>&1 | FileCheck %s
// Launches: blocks and threads in turn, barriers, exchanges between lanes, shared memory.

// Thread t of a block of 64 reads what thread 63 - t wrote, in every round of a loop.
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

// -----
// Without a barrier a thread does not see what one with a lower number writes.
// CHECK: 'cf.assert' op assertion failed: a race
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

// -----
// CHECK: 'gpu.barrier' op is reached by 2 of the 4 threads of its block
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

// -----
// Blocks that branch meet at the barrier, whichever way they come.
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

// -----
// The sum of 0 to 31 by five exchanges, in each lane of both subgroups; then of the block, by a combination of its own.
module @reductions {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : memref<64x4xi32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %width = arith.constant 32 : i32
      %lane = gpu.lane_id
      %x = arith.index_cast %lane : index to i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %four = arith.constant 4 : i32
      %eight = arith.constant 8 : i32
      %sixteen = arith.constant 16 : i32
      %a, %v0 = gpu.shuffle xor %x, %one, %width : i32
      %s0 = arith.addi %x, %a : i32
      %b, %v1 = gpu.shuffle xor %s0, %two, %width : i32
      %s1 = arith.addi %s0, %b : i32
      %c, %v2 = gpu.shuffle xor %s1, %four, %width : i32
      %s2 = arith.addi %s1, %c : i32
      %d, %v3 = gpu.shuffle xor %s2, %eight, %width : i32
      %s3 = arith.addi %s2, %d : i32
      %e, %v4 = gpu.shuffle xor %s3, %sixteen, %width : i32
      %sum = arith.addi %s3, %e : i32
      %r0 = arith.constant 0 : index
      %r1 = arith.constant 1 : index
      %r2 = arith.constant 2 : index
      %r3 = arith.constant 3 : index
      memref.store %sum, %out[%tx, %r0] : memref<64x4xi32>
      %most = gpu.all_reduce maxsi %x {} : (i32) -> (i32)
      memref.store %most, %out[%tx, %r1] : memref<64x4xi32>
      %all = gpu.all_reduce %x {
      ^bb0(%l: i32, %r: i32):
        %p = arith.addi %l, %r : i32
        gpu.yield %p : i32
      } : (i32) -> (i32)
      memref.store %all, %out[%tx, %r2] : memref<64x4xi32>
      %quarter = gpu.subgroup_reduce add %x cluster(size = 4) : (i32) -> (i32)
      memref.store %quarter, %out[%tx, %r3] : memref<64x4xi32>
      gpu.terminator
    }
    %w0 = arith.constant 496 : i32
    %w1 = arith.constant 31 : i32
    %w2 = arith.constant 992 : i32
    scf.for %i = %c0 to %c64 step %c1 {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %g0 = memref.load %out[%i, %k0] : memref<64x4xi32>
      %g1 = memref.load %out[%i, %k1] : memref<64x4xi32>
      %g2 = memref.load %out[%i, %k2] : memref<64x4xi32>
      %e0 = arith.cmpi eq, %g0, %w0 : i32
      %e1 = arith.cmpi eq, %g1, %w1 : i32
      %e2 = arith.cmpi eq, %g2, %w2 : i32
      cf.assert %e0, "exchanges"
      cf.assert %e1, "all_reduce by its kind"
      cf.assert %e2, "all_reduce by its body"
    }
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %g3 = memref.load %out[%c5, %c3] : memref<64x4xi32>
    %w3 = arith.constant 22 : i32
    %e3 = arith.cmpi eq, %g3, %w3 : i32
    cf.assert %e3, "lanes 4 to 7"
    memref.dealloc %out : memref<64x4xi32>
    return
  }
}

// -----
// Lanes 0 and 1 get those of 2 and 3; lanes 2 and 3 have none there, and are told.
module @shuffle_down {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %out = memref.alloc() : memref<4xi32>
    %bad = memref.alloc() : memref<4xi1>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %width = arith.constant 4 : i32
      %two = arith.constant 2 : i32
      %x = arith.index_cast %tx : index to i32
      %a, %valid = gpu.shuffle down %x, %two, %width : i32
      memref.store %a, %out[%tx] : memref<4xi32>
      memref.store %valid, %bad[%tx] : memref<4xi1>
      gpu.terminator
    }
    %c3 = arith.constant 3 : index
    %three = arith.constant 3 : i32
    %true = arith.constant true
    %got = memref.load %out[%c1] : memref<4xi32>
    %valid1 = memref.load %bad[%c1] : memref<4xi1>
    %valid3 = memref.load %bad[%c3] : memref<4xi1>
    %same = arith.cmpi eq, %got, %three : i32
    %invalid = arith.xori %valid3, %true : i1
    cf.assert %same, "lane 3"
    cf.assert %valid1, "valid"
    cf.assert %invalid, "beyond the width"
    memref.dealloc %out : memref<4xi32>
    memref.dealloc %bad : memref<4xi1>
    return
  }
}

// -----
// CHECK: 'gpu.shuffle' op of thread 0 reads lane 1, which has not come to it
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

// -----
// Ids and sizes, three dims of them; atomics.
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
    // The numbers of 36 threads.
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

// -----
// CHECK: 'gpu.thread_id' op is outside of a launch
module @outside {
  func.func @main() {
    %x = gpu.thread_id x
    return
  }
}

// -----
// A grid without blocks runs nothing.
module @no_blocks {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<1xi64>
    %seven = arith.constant 7 : i64
    %zero = arith.constant 0 : i64
    memref.store %seven, %out[%c0] : memref<1xi64>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c0, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %out[%c0] : memref<1xi64>
      gpu.terminator
    }
    %read = memref.load %out[%c0] : memref<1xi64>
    %t = tensor.from_elements %read : tensor<1xi64>
    check.expect_eq_const %t, dense<7> : tensor<1xi64>
    return
  }
}

// -----
// CHECK: 'gpu.launch' op launches 4 blocks of 0 threads along dim 0
module @no_threads {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c0, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}

// -----
// CHECK: 'gpu.launch' op launches blocks of 2048 threads, expected at most 1024
module @large_block {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c1024 = arith.constant 1024 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1024, %sy = %c2, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}

// -----
// CHECK: 'memref.store' op index 4 of dim 0 is not in [0, 4)
module @bounds {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %out = memref.alloc() : memref<4xindex>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c1, %sz = %c1) {
      memref.store %tx, %out[%tx] : memref<4xindex>
      gpu.terminator
    }
    memref.dealloc %out : memref<4xindex>
    return
  }
}

// -----
// A loop whose iterations meet, before it is split into blocks: two rows of 32 threads with their own shared memory.
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

// -----
// Threads leave a loop at different times.
module @while_loop {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %out = memref.alloc() : memref<4xi32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %width = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %limit = arith.index_cast %tx : index to i32
      %n = scf.while (%i = %zero) : (i32) -> i32 {
        %go = arith.cmpi slt, %i, %limit : i32
        scf.condition(%go) %i : i32
      } do {
      ^bb0(%i: i32):
        %a, %valid = gpu.shuffle idx %i, %zero, %width : i32
        %next = arith.addi %a, %one : i32
        scf.yield %next : i32
      }
      memref.store %n, %out[%tx] : memref<4xi32>
      gpu.terminator
    }
    %got = memref.load %out[%c2] : memref<4xi32>
    %want = arith.constant 2 : i32
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "two rounds"
    memref.dealloc %out : memref<4xi32>
    return
  }
}

// -----
// CHECK: 'gpu.barrier' op is in a function that a kernel calls
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

// -----
module @memory {
  func.func @main() {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %half = arith.constant 0.5 : f32
    %a = gpu.alloc (%c2) : memref<?xf32, #gpu.address_space<global>>
    %b = gpu.alloc (%c2) : memref<?xf32, #gpu.address_space<global>>
    gpu.memset %a, %half : memref<?xf32, #gpu.address_space<global>>, f32
    gpu.memcpy %b, %a : memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %got = memref.load %b[%c1] : memref<?xf32, #gpu.address_space<global>>
      %same = arith.cmpf oeq, %got, %half : f32
      cf.assert %same, "copied"
      gpu.terminator
    }
    gpu.dealloc %a : memref<?xf32, #gpu.address_space<global>>
    gpu.dealloc %b : memref<?xf32, #gpu.address_space<global>>
    return
  }
}

// -----
// CHECK: 'memref.load' op of the host accesses memory of the device
module @device_memory {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %a = gpu.alloc () : memref<1xf32, #gpu.address_space<global>>
    %got = memref.load %a[%c0] : memref<1xf32, #gpu.address_space<global>>
    gpu.dealloc %a : memref<1xf32, #gpu.address_space<global>>
    return
  }
}
// CHECK: 9 passed, 9 failed
