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
