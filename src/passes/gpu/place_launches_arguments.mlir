// SPDX-License-Identifier: Apache-2.0
// Buffers that the caller of a program lends it. test/e2e/test_launches.py runs these.
// RUN: heddle-opt --place-launches --split-input-file --verify-each %s | FileCheck %s

// Without buffers as results those that it takes follow its results; what it writes is a copy, through a loop that exchanges them and a view.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[A:.+]]: memref<?xf32, #gpu.address_space<global>>, %[[B:.+]]: memref<?xf32, #gpu.address_space<global>>, %[[C:.+]]: memref<?xf32, #gpu.address_space<global>>) -> (memref<f32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>)
// CHECK: %[[CB:.+]] = memref.alloc(%{{.+}}) : memref<?xf32, #gpu.address_space<global>>
// CHECK-NEXT: "lmhlo.copy"(%[[B]], %[[CB]])
// CHECK: %[[CA:.+]] = memref.alloc(%{{.+}}) : memref<?xf32, #gpu.address_space<global>>
// CHECK-NEXT: "lmhlo.copy"(%[[A]], %[[CA]])
// CHECK-NOT: "lmhlo.copy"(%[[C]]
// CHECK: return %{{.+}}, %[[CA]], %[[CB]], %[[C]]
// EVAL: loop arg0=5 arg1=5 arg2=5
// EVAL: loop arg0=0 arg1=0 arg2=0
module attributes {gpu.container_module} {
  func.func @loop(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %f = arith.constant 2.0 : f32
    %n = memref.dim %a, %c0 : memref<?xf32>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xf32>, memref<?xf32>) {
      gpu.launch_func @k::@add blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>, %c : memref<?xf32>, %y : memref<?xf32>)
      scf.yield %y, %x : memref<?xf32>, memref<?xf32>
    }
    return %f : f32
  }
  gpu.module @k {
    gpu.func @add(%x: memref<?xf32>, %y: memref<?xf32>, %unused: memref<?xf32>) kernel {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<?xf32>
      %w = memref.load %y[%i] : memref<?xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %x[%i] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// Blocks, a condition that the host reads back, copies, and one buffer as two arguments.
// CHECK-LABEL: func.func @blocks(
// EVAL: blocks
// EVAL: again
module attributes {gpu.container_module} {
  func.func @blocks(%a: memref<5xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    cf.br ^head(%c0, %a : index, memref<5xf32>)
  ^head(%i: index, %m: memref<5xf32>):
    %go = arith.cmpi slt, %i, %n : index
    cf.cond_br %go, ^body, ^end
  ^body:
    gpu.launch_func @k::@add blocks in (%c5, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<5xf32>, %m : memref<5xf32>)
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j, %m : index, memref<5xf32>)
  ^end:
    return
  }
  func.func @again(%a: memref<5xf32>, %b: memref<5xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %limit = arith.constant 9.0 : f32
    %m = gpu.alloc () : memref<5xf32>
    scf.while : () -> () {
      %v = memref.load %a[%c0] : memref<5xf32>
      %w = arith.mulf %v, %v : f32
      %go = arith.cmpf olt, %w, %limit : f32
      scf.condition(%go)
    } do {
      memref.copy %a, %m : memref<5xf32> to memref<5xf32>
      gpu.launch_func @k::@add blocks in (%c5, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<5xf32>, %a : memref<5xf32>)
      gpu.memcpy %a, %m : memref<5xf32>, memref<5xf32>
      scf.yield
    }
    gpu.dealloc %m : memref<5xf32>
    return
  }
  gpu.module @k {
    gpu.func @add(%x: memref<5xf32>, %y: memref<5xf32>) kernel {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<5xf32>
      %w = memref.load %y[%i] : memref<5xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %x[%i] : memref<5xf32>
      gpu.return
    }
  }
}

// -----

// One that returns a buffer may hand an argument on that it reads alone.
// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[A:.+]]: memref<5xf32, #gpu.address_space<global>>) -> (memref<5xf32, #gpu.address_space<global>>, memref<5xf32, #gpu.address_space<global>>)
// CHECK: return %[[A]], %{{.+}}
// EVAL: read
module attributes {gpu.container_module} {
  func.func @read(%a: memref<5xf32>) -> (memref<5xf32>, memref<5xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<5xf32>) {
      %m = gpu.alloc () : memref<5xf32>
      gpu.memcpy %m, %x : memref<5xf32>, memref<5xf32>
      gpu.launch_func @k::@twice blocks in (%c5, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<5xf32>)
      scf.yield %m : memref<5xf32>
    }
    return %a, %r : memref<5xf32>, memref<5xf32>
  }
  gpu.module @k {
    gpu.func @twice(%x: memref<5xf32>) kernel {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<5xf32>
      %s = arith.addf %v, %v : f32
      memref.store %s, %x[%i] : memref<5xf32>
      gpu.return
    }
  }
}

// -----

// All threads update the same few elements, of sizes that end in the middle of a word: in whatever order, nothing is lost.
// CHECK-LABEL: func.func @counts(
// EVAL: counts
module attributes {gpu.container_module} {
  func.func @counts(%f: memref<3xf32>, %h: memref<5xi16>, %b: memref<5xi8>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@k blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%f : memref<3xf32>, %h : memref<5xi16>, %b : memref<5xi8>)
    return
  }
  gpu.module @k {
    gpu.func @k(%f: memref<3xf32>, %h: memref<5xi16>, %b: memref<5xi8>) kernel {
      %i = gpu.thread_id x
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %i3 = arith.remui %i, %c3 : index
      %i5 = arith.remui %i, %c5 : index
      %four = arith.constant 4.0 : f32
      %h1 = arith.constant 3 : i16
      %b1 = arith.constant 1 : i8
      %0 = memref.atomic_rmw maximumf %four, %f[%i3] : (f32, memref<3xf32>) -> f32
      %1 = memref.atomic_rmw addi %h1, %h[%i5] : (i16, memref<5xi16>) -> i16
      %2 = memref.atomic_rmw addi %b1, %b[%i5] : (i8, memref<5xi8>) -> i8
      gpu.return
    }
  }
}
