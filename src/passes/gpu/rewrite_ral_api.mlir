// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --rewrite-ral-api %s | FileCheck %s
// RUN: heddle-opt --rewrite-ral-api %s | mlir-opt | FileCheck %s
// REQUIRES: mlir-opt

// The seed's product of matrices: args[0] stands for the context, then the stream, three descriptors and two bytes.
// CHECK-LABEL: @main
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[A:.*]]: memref<?x?xf32>, %[[S:.*]]: !llvm.ptr)
// CHECK: %[[ARGS:.*]] = llvm.alloca %{{.*}} x !llvm.ptr : (i64) -> !llvm.ptr
// CHECK: %[[Z:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.store %[[Z]], %[[ARGS]]
// CHECK: %[[A1:.*]] = llvm.getelementptr %[[ARGS]][1]
// CHECK: llvm.store %{{.*}}, %[[A1]]
// CHECK: builtin.unrealized_conversion_cast %[[A]] : memref<?x?xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: %[[N:.*]] = llvm.mlir.addressof @hd_api_ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void
// CHECK: llvm.call @ral_api_call(%[[CTX]], %[[N]], %[[ARGS]]) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
// A result comes out of the slot behind the arguments.
// CHECK: llvm.getelementptr %[[ARGS2:.*]][2]
// CHECK: llvm.call @ral_api_call(%[[CTX]], %{{.*}}, %[[ARGS2]])
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NOT: hd.ral_call
func.func @main(%a: memref<?x?xf32>, %s: !llvm.ptr) -> !llvm.ptr {
  %f = arith.constant false
  %n = arith.constant 64 : i64
  hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%s, %a, %a, %a, %f, %f) : (!llvm.ptr, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, i1, i1) -> ()
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  return %p : !llvm.ptr
}

// The context goes to what is called too, on all ways; a call may be the first op of a function.
// CHECK-LABEL: func.func @caller(%arg0: !llvm.ptr, %arg1: i64) -> i64
// CHECK: call @inner(%arg0, %arg1) : (!llvm.ptr, i64) -> i64
// CHECK-LABEL: func.func private @inner(%arg0: !llvm.ptr, %arg1: i64) -> i64
// CHECK: llvm.call @ral_api_call(%arg0,
// CHECK: scf.if
// CHECK: llvm.call @ral_api_call(%arg0,
// CHECK: call @leaf(%arg0, %arg1)
// CHECK-LABEL: func.func private @leaf(%arg0: !llvm.ptr, %arg1: i64) -> i64
// CHECK-LABEL: func.func private @apart(%arg0: i64) -> i64
func.func @caller(%n: i64) -> i64 {
  %r = func.call @inner(%n) : (i64) -> i64
  return %r : i64
}
func.func private @inner(%n: i64) -> i64 {
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %c = arith.constant true
  %q = scf.if %c -> i64 {
    hd.ral_call "ral_free___pvoid_pvoid___void"(%p) : (!llvm.ptr) -> ()
    %z = func.call @leaf(%n) : (i64) -> i64
    scf.yield %z : i64
  } else {
    scf.yield %n : i64
  }
  return %q : i64
}
func.func private @leaf(%n: i64) -> i64 {
  return %n : i64
}
func.func private @apart(%n: i64) -> i64 {
  return %n : i64
}
// A view as an address: that of its first element.
// CHECK-LABEL: func.func @view
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[V:.*]] : memref<1xf32, strided<[1], offset: ?>> -> index
// CHECK: %{{.*}}, %[[O:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[V]]
// CHECK: %[[S:.*]] = arith.muli %[[O]], %c4
// CHECK: %[[A:.*]] = arith.addi %[[P]], %[[S]] : index
// CHECK: %[[I:.*]] = arith.index_cast %[[A]] : index to i64
// CHECK: llvm.inttoptr %[[I]] : i64 to !llvm.ptr
func.func @view(%m: memref<?x8xf32>, %o: index) {
  %v = memref.reinterpret_cast %m to offset: [%o], sizes: [1], strides: [1] : memref<?x8xf32> to memref<1xf32, strided<[1], offset: ?>>
  hd.ral_call "ral_free___pvoid_pvoid___void"(%v) : (memref<1xf32, strided<[1], offset: ?>>) -> ()
  return
}

// All types of the grammar: what is less than a byte takes one, by its sign; the machine's floats are themselves, others
// their bits; complex numbers are structs.
// CHECK-LABEL: func.func @types
// CHECK: arith.extsi %{{.*}} : i4 to i8
// CHECK: %[[U:.*]] = builtin.unrealized_conversion_cast %{{.*}} : ui2 to i2
// CHECK: arith.extui %[[U]] : i2 to i8
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : si16 to i16
// CHECK: llvm.store %{{.*}}, %{{.*}} : bf16, !llvm.ptr
// CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : complex<f32> to !llvm.struct<(f32, f32)>
// CHECK: %[[B:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: arith.bitcast %[[B]] : i8 to f8E5M2
// CHECK: %[[C:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[D:.*]] = arith.trunci %[[C]] : i8 to i1
// CHECK: %[[E:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(f64, f64)>
// CHECK: builtin.unrealized_conversion_cast %[[E]] : !llvm.struct<(f64, f64)> to complex<f64>
func.func @types(%a: i4, %b: ui2, %c: si16, %d: bf16, %e: f8E4M3FN, %f: complex<f32>) -> (f8E5M2, i1, complex<f64>) {
  hd.ral_call "ral_x___pvoid_i4_ui2_si16_bf16_f8E4M3FN_cf32___void"(%a, %b, %c, %d, %e, %f) : (i4, ui2, si16, bf16, f8E4M3FN, complex<f32>) -> ()
  %0 = hd.ral_call "ral_y___pvoid___f8E5M2"() : () -> f8E5M2
  %1 = hd.ral_call "ral_y___pvoid___i1"() : () -> i1
  %2 = hd.ral_call "ral_y___pvoid___cf64"() : () -> complex<f64>
  return %0, %1, %2 : f8E5M2, i1, complex<f64>
}
// CHECK-NOT: hd.ral_call
// CHECK-DAG: llvm.mlir.global internal constant @hd_api_ral_gemm
// CHECK-DAG: llvm.func @ral_api_call(!llvm.ptr, !llvm.ptr, !llvm.ptr)
