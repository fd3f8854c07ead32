// The bytes that a thread moves at once are the target's; it has at most sixteen neighbours, which is the widest vector of SPIR-V.
// RUN: heddle-opt --target=cuda --disc-specialize-fusion-with-speculation --split-input-file %s | FileCheck %s --check-prefixes=CHECK,CUDA
// RUN: heddle-opt --target=spirv --disc-specialize-fusion-with-speculation --split-input-file %s | FileCheck %s --check-prefixes=CHECK,SPIRV

// CHECK-LABEL: @halves
// CUDA: hd.vector = 8 : i64, hd.vector_of = "all"}
// SPIRV: hd.vector = 16 : i64, hd.vector_of = "all"}
#global = #gpu.address_space<global>
func.func @halves(%x: memref<64x64xbf16, #global>) -> memref<64x64xbf16, #global> {
  %y = memref.alloc() : memref<64x64xbf16, #global>
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%x, %y) : (memref<64x64xbf16, #global>, memref<64x64xbf16, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %y : memref<64x64xbf16, #global>
}

// -----

// CHECK-LABEL: @bytes
// CHECK: hd.vector = 16 : i64, hd.vector_of = "all"}
#global = #gpu.address_space<global>
func.func @bytes(%x: memref<64x64xi8, #global>) -> memref<64x64xi8, #global> {
  %y = memref.alloc() : memref<64x64xi8, #global>
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%x, %y) : (memref<64x64xi8, #global>, memref<64x64xi8, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %y : memref<64x64xi8, #global>
}
