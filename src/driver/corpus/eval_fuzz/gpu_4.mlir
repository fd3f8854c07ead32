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
