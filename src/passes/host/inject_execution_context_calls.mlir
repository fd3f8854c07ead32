// RUN: heddle-opt --disc-inject-execution-context --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-inject-execution-context --disc-rewrite-ral-api --split-input-file %s | FileCheck %s --check-prefix=ERASED

// The seed's example: the entry receives and sends; the function that it calls keeps its arguments, and is handed the
// context in front of them.
// CHECK-LABEL: func.func @main() attributes {hd.host, hd.messages = [
// CHECK: %[[A:.*]] = hd.ral_call "ral_recv_input___pvoid_i64___m2df32"
// CHECK: %[[B:.*]] = hd.ral_call "ral_recv_input___pvoid_i64___m2df32"
// CHECK: hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"
// CHECK: %[[TMP:.*]] = hd.memref
// CHECK: hd.ral_call "ral_alloc_output___pvoid_i64_i64_i64___pvoid"
// CHECK: %[[RET:.*]] = hd.memref
// CHECK: call @fusion_function(%[[A]], %[[B]], %[[TMP]], %[[RET]])
// CHECK: hd.ral_call "ral_send_output___pvoid_i64_m2df32___void"(%{{.*}}, %[[RET]])
// CHECK: func.func private @fusion_function(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>)
// CHECK-NOT: hd.ral_call
// ERASED-LABEL: func.func @main(%arg0: !llvm.ptr)
// ERASED: call @fusion_function(%arg0, %{{.*}}) : (!llvm.ptr, memref<?x?xf32>,
// ERASED: func.func private @fusion_function(%arg0: !llvm.ptr, %arg1: memref<?x?xf32>,
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %tmp = memref.alloc(%m, %n) : memref<?x?xf32>
  %ret = memref.alloc(%m, %n) : memref<?x?xf32>
  func.call @fusion_function(%a, %b, %tmp, %ret) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return %ret : memref<?x?xf32>
}
func.func private @fusion_function(%0: memref<?x?xf32>, %1: memref<?x?xf32>, %2: memref<?x?xf32>, %3: memref<?x?xf32>) {
  "lmhlo.add"(%0, %1, %2) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  "lmhlo.multiply"(%0, %2, %3) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// -----

// Blocks: each return sends, and a loop of blocks asks whether the run goes on.
// CHECK-LABEL: func.func @blocks() attributes {hd.host, hd.messages = [{{.*}}]}
// CHECK: ^bb1:
// CHECK: hd.ral_call "ral_go_on___pvoid___void"() : () -> ()
// CHECK-NEXT: cf.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: hd.ral_call "ral_send_output___pvoid_i64_m1df32___void"
// CHECK-NEXT: return
// CHECK: hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"
// CHECK: hd.ral_call "ral_send_output___pvoid_i64_m1df32___void"
// CHECK-NEXT: return
func.func @blocks(%x: memref<4xf32>, %p: memref<i1>) -> memref<4xf32> {
  cf.br ^head
^head:
  %0 = memref.load %p[] : memref<i1>
  cf.cond_br %0, ^head, ^after
^after:
  %1 = memref.load %p[] : memref<i1>
  cf.cond_br %1, ^same, ^other
^same:
  return %x : memref<4xf32>
^other:
  %o = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return %o : memref<4xf32>
}
