memref.global "private" constant @conv_kernel_words : memref<23xi64> = dense<[1, 1, 0, 1, 1, 4, 4, 1, 1, 4, 4, 4611686018427387904, 4, 4, 2, 1, 0, 1, 1, 0, 1, 64, 1]>
func.func @conv_kernel() {
  %f = memref.get_global @conv_kernel_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoif_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

