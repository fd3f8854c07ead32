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
