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
