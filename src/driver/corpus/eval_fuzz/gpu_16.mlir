module @device_memory {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %a = gpu.alloc () : memref<1xf32, #gpu.address_space<global>>
    %got = memref.load %a[%c0] : memref<1xf32, #gpu.address_space<global>>
    gpu.dealloc %a : memref<1xf32, #gpu.address_space<global>>
    return
  }
}
