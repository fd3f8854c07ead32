func.func @atomics() {
  %m = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  memref.store %five, %m[%c0] : memref<1xi32>
  %device = memref.memory_space_cast %m : memref<1xi32> to memref<1xi32, 1>
  %new = memref.generic_atomic_rmw %device[%c0] : memref<1xi32, 1> {
  ^bb0(%old: i32):
    %twice = arith.addi %old, %old : i32
    memref.atomic_yield %twice : i32
  }
  %got = memref.load %m[%c0] : memref<1xi32>
  %ten = arith.constant 10 : i32
  %ok = arith.cmpi eq, %got, %ten : i32
  cf.assert %ok, "in place"
  memref.dealloc %m : memref<1xi32>
  return
}
