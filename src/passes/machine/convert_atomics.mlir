// SPDX-License-Identifier: Apache-2.0
// Atomic updates of elements that devices do not combine: loops of exchanges, of which simt, PTX and SPIR-V have code.
// RUN: heddle-opt --convert-gpu-to-llvm --verify-machine-form --verify-each %s | FileCheck %s
// RUN: heddle-opt --bf16-to-gpu --convert-gpu-to-llvm --verify-machine-form --verify-each %s | FileCheck %s --check-prefix=WIDENED
// RUN: cat %s | heddle-opt --bf16-to-gpu --convert-gpu-to-llvm -o %t.mlir
// RUN: heddle eval %t.mlir --entry narrow --random 1 --target=simt
// RUN: cat %t.mlir | heddle-opt --emit-ptx=70 | FileCheck %s --check-prefix=PTX
// RUN: cat %t.mlir | heddle-opt --emit-ptx=90 | FileCheck %s --check-prefix=PTX
// RUN: cat %t.mlir | heddle-opt --emit-spirv -o %t.spv
// EVAL: narrow
// EVAL: kinds
module attributes {gpu.container_module} {

// A sum, an extremum, a product, a body of its own and an assignment, of elements of which two share a word; all threads of four
// blocks meet at each.
// CHECK-LABEL: llvm.func @narrow(
// CHECK: %[[ZERO:.+]] = llvm.mlir.constant(0 : i16) : i16
// CHECK: %[[READ:.+]] = llvm.cmpxchg %[[AT:.+]], %[[ZERO]], %[[ZERO]] syncscope("device") monotonic monotonic : !llvm.ptr<1>, i16
// CHECK: %[[FIRST:.+]] = llvm.extractvalue %[[READ]][0]
// CHECK: llvm.br ^bb1(%[[FIRST]] : i16)
// CHECK: ^bb1(%[[OLD:.+]]: i16):
// CHECK: %[[VALUE:.+]] = llvm.bitcast %[[OLD]] : i16 to bf16
// CHECK: %[[SUM:.+]] = llvm.fadd %[[VALUE]], %{{.+}} : bf16
// CHECK: %[[NEW:.+]] = llvm.bitcast %[[SUM]] : bf16 to i16
// CHECK: %[[PAIR:.+]] = llvm.cmpxchg %[[AT]], %[[OLD]], %[[NEW]]
// CHECK: %[[SEEN:.+]] = llvm.extractvalue %[[PAIR]][0]
// CHECK: %[[DONE:.+]] = llvm.extractvalue %[[PAIR]][1]
// CHECK: llvm.cond_br %[[DONE]], ^bb2, ^bb1(%[[SEEN]] : i16)
// WIDENED: llvm.fadd %{{.+}}, %{{.+}} : f32
// PTX: atom{{.*}}.cas.b
func.func @narrow(%a: memref<64xbf16, #gpu.address_space<global>>) -> (memref<7xbf16>, memref<64xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %h = memref.alloc() : memref<7xbf16>
  %one = arith.constant 1.0 : bf16
  scf.for %i = %c0 to %c7 step %c1 {
    memref.store %one, %h[%i] : memref<7xbf16>
  }
  %m = memref.alloc() : memref<7xbf16, #gpu.address_space<global>>
  %o = memref.alloc() : memref<64xbf16, #gpu.address_space<global>>
  gpu.memcpy %m, %h : memref<7xbf16, #gpu.address_space<global>>, memref<7xbf16>
  gpu.launch_func @k0::@narrow blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<64xbf16, #gpu.address_space<global>>, %m : memref<7xbf16, #gpu.address_space<global>>, %o : memref<64xbf16, #gpu.address_space<global>>)
  gpu.memcpy %h, %m : memref<7xbf16>, memref<7xbf16, #gpu.address_space<global>>
  %r = memref.alloc() : memref<64xbf16>
  gpu.memcpy %r, %o : memref<64xbf16>, memref<64xbf16, #gpu.address_space<global>>
  return %h, %r : memref<7xbf16>, memref<64xbf16>
}
gpu.module @k0 {
  gpu.func @narrow(%a: memref<64xbf16, #gpu.address_space<global>>, %m: memref<7xbf16, #gpu.address_space<global>>, %o: memref<64xbf16, #gpu.address_space<global>>) workgroup(%w: memref<2xbf16, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c16 = arith.constant 16 : index
    %g = arith.muli %b, %c16 : index
    %i = arith.addi %g, %t : index
    %one = arith.constant 1.0 : bf16
    %two = arith.constant 2.0 : bf16
    %zero = arith.constant 0.0 : bf16
    %x = memref.load %a[%i] : memref<64xbf16, #gpu.address_space<global>>
    %0 = memref.atomic_rmw addf %one, %m[%c0] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    %1 = memref.atomic_rmw maximumf %x, %m[%c1] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    %2 = memref.atomic_rmw minimumf %x, %m[%c2] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    %3 = memref.atomic_rmw mulf %two, %m[%c3] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    %4 = memref.generic_atomic_rmw %m[%c4] : memref<7xbf16, #gpu.address_space<global>> {
    ^bb0(%old: bf16):
      %large = arith.constant 32.0 : bf16
      %wraps = arith.cmpf oge, %old, %large : bf16
      %next = arith.addf %old, %one : bf16
      %p = arith.select %wraps, %one, %next : bf16
      memref.atomic_yield %p : bf16
    }
    %5 = memref.atomic_rmw assign %two, %m[%c5] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    %6 = memref.atomic_rmw addf %one, %m[%c6] : (bf16, memref<7xbf16, #gpu.address_space<global>>) -> bf16
    // Memory of the block.
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %zero, %w[%c0] : memref<2xbf16, #gpu.address_space<workgroup>>
      memref.store %zero, %w[%c1] : memref<2xbf16, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %7 = memref.atomic_rmw addf %one, %w[%c0] : (bf16, memref<2xbf16, #gpu.address_space<workgroup>>) -> bf16
    %8 = memref.atomic_rmw maximumf %x, %w[%c1] : (bf16, memref<2xbf16, #gpu.address_space<workgroup>>) -> bf16
    gpu.barrier
    %s = memref.load %w[%c0] : memref<2xbf16, #gpu.address_space<workgroup>>
    %l = memref.load %w[%c1] : memref<2xbf16, #gpu.address_space<workgroup>>
    %sl = arith.addf %s, %l : bf16
    memref.store %sl, %o[%i] : memref<64xbf16, #gpu.address_space<global>>
    gpu.return
  }
}

// Other types: f16, f32, integers of 8 and 64 bits and i1, by kinds without an instruction and by bodies.
// CHECK-LABEL: llvm.func @kinds(
// CHECK: llvm.cmpxchg %{{.+}} : !llvm.ptr<1>, i16
// CHECK: llvm.fmul %{{.+}} : f32
// CHECK: llvm.cmpxchg %{{.+}} : !llvm.ptr<1>, i32
// CHECK: llvm.cmpxchg %{{.+}} : !llvm.ptr<1>, i8
// CHECK: llvm.cmpxchg %{{.+}} : !llvm.ptr<1>, i64
func.func @kinds() -> (memref<3xf16>, memref<3xf32>, memref<3xi8>, memref<3xi64>, memref<3xi1>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %h0 = memref.alloc() : memref<3xf16>
  %h1 = memref.alloc() : memref<3xf32>
  %h2 = memref.alloc() : memref<3xi8>
  %h3 = memref.alloc() : memref<3xi64>
  %h4 = memref.alloc() : memref<3xi1>
  %x0 = arith.constant 1.5 : f16
  %x1 = arith.constant 1.0 : f32
  %x2 = arith.constant 100 : i8
  %x3 = arith.constant 7 : i64
  %x4 = arith.constant true
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %x0, %h0[%i] : memref<3xf16>
    memref.store %x1, %h1[%i] : memref<3xf32>
    memref.store %x2, %h2[%i] : memref<3xi8>
    memref.store %x3, %h3[%i] : memref<3xi64>
    memref.store %x4, %h4[%i] : memref<3xi1>
  }
  %m0 = memref.alloc() : memref<3xf16, #gpu.address_space<global>>
  %m1 = memref.alloc() : memref<3xf32, #gpu.address_space<global>>
  %m2 = memref.alloc() : memref<3xi8, #gpu.address_space<global>>
  %m3 = memref.alloc() : memref<3xi64, #gpu.address_space<global>>
  %m4 = memref.alloc() : memref<3xi1, #gpu.address_space<global>>
  gpu.memcpy %m0, %h0 : memref<3xf16, #gpu.address_space<global>>, memref<3xf16>
  gpu.memcpy %m1, %h1 : memref<3xf32, #gpu.address_space<global>>, memref<3xf32>
  gpu.memcpy %m2, %h2 : memref<3xi8, #gpu.address_space<global>>, memref<3xi8>
  gpu.memcpy %m3, %h3 : memref<3xi64, #gpu.address_space<global>>, memref<3xi64>
  gpu.memcpy %m4, %h4 : memref<3xi1, #gpu.address_space<global>>, memref<3xi1>
  gpu.launch_func @k1::@kinds blocks in (%c2, %c1, %c1) threads in (%c3, %c1, %c1) args(%m0 : memref<3xf16, #gpu.address_space<global>>, %m1 : memref<3xf32, #gpu.address_space<global>>, %m2 : memref<3xi8, #gpu.address_space<global>>, %m3 : memref<3xi64, #gpu.address_space<global>>, %m4 : memref<3xi1, #gpu.address_space<global>>)
  gpu.memcpy %h0, %m0 : memref<3xf16>, memref<3xf16, #gpu.address_space<global>>
  gpu.memcpy %h1, %m1 : memref<3xf32>, memref<3xf32, #gpu.address_space<global>>
  gpu.memcpy %h2, %m2 : memref<3xi8>, memref<3xi8, #gpu.address_space<global>>
  gpu.memcpy %h3, %m3 : memref<3xi64>, memref<3xi64, #gpu.address_space<global>>
  gpu.memcpy %h4, %m4 : memref<3xi1>, memref<3xi1, #gpu.address_space<global>>
  return %h0, %h1, %h2, %h3, %h4 : memref<3xf16>, memref<3xf32>, memref<3xi8>, memref<3xi64>, memref<3xi1>
}
gpu.module @k1 {
  gpu.func @kinds(%m0: memref<3xf16, #gpu.address_space<global>>, %m1: memref<3xf32, #gpu.address_space<global>>, %m2: memref<3xi8, #gpu.address_space<global>>, %m3: memref<3xi64, #gpu.address_space<global>>, %m4: memref<3xi1, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %x0 = arith.constant 0.25 : f16
    %x1 = arith.constant 3.0 : f32
    %x2 = arith.constant 50 : i8
    %0 = memref.atomic_rmw addf %x0, %m0[%t] : (f16, memref<3xf16, #gpu.address_space<global>>) -> f16
    %1 = memref.atomic_rmw mulf %x1, %m1[%t] : (f32, memref<3xf32, #gpu.address_space<global>>) -> f32
    %2 = memref.atomic_rmw addi %x2, %m2[%t] : (i8, memref<3xi8, #gpu.address_space<global>>) -> i8
    %3 = memref.generic_atomic_rmw %m3[%t] : memref<3xi64, #gpu.address_space<global>> {
    ^bb0(%old: i64):
      %five = arith.constant 5 : i64
      %next = arith.muli %old, %five : i64
      memref.atomic_yield %next : i64
    }
    %4 = memref.generic_atomic_rmw %m4[%t] : memref<3xi1, #gpu.address_space<global>> {
    ^bb0(%old: i1):
      %true = arith.constant true
      %next = arith.xori %old, %true : i1
      memref.atomic_yield %next : i1
    }
    gpu.return
  }
}
}
