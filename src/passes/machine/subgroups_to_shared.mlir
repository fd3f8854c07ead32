// SPDX-License-Identifier: Apache-2.0
// Exchanges between lanes through memory of the block: every mode, numbers of lanes, blocks whose last subgroup is not whole, and exchanges that
// a branch keeps some threads from. What launches compute stays.
// REQUIRES: mlir-opt
// RUN: heddle-opt %s --split-input-file --convert-gpu-to-llvm --subgroups-to-shared --verify-machine-form --verify-each | FileCheck %s
// RUN: heddle-opt %s --split-input-file --convert-gpu-to-llvm --subgroups-to-shared --mlir-print-op-generic | mlir-opt --split-input-file -o %t

// A kernel has one buffer, of its widest exchange.
// CHECK-LABEL: gpu.module @modes
// CHECK: llvm.mlir.global internal @modes_exchange() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<80 x i64>
// CHECK: %[[THREAD:.*]] = arith.index_castui %{{.*}} : index to i32
// CHECK: %[[LANE:.*]] = llvm.and %[[THREAD]]
// CHECK: %[[FROM:.*]] = llvm.xor %[[LANE]]
// CHECK: %[[FIRST:.*]] = llvm.sub %[[THREAD]], %[[LANE]]
// CHECK: %[[OTHER:.*]] = llvm.add %[[FIRST]], %[[FROM]]
// CHECK: llvm.store
// CHECK: gpu.barrier
// CHECK: llvm.load
// CHECK: gpu.barrier
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.lane_id
// EVAL: main
module attributes {gpu.container_module} {
  func.func @main(%x: memref<80xf32>) -> memref<480xf64> {
    %c1 = arith.constant 1 : index
    %c80 = arith.constant 80 : index
    %d = memref.alloc() : memref<80xf32, #gpu.address_space<global>>
    gpu.memcpy %d, %x : memref<80xf32, #gpu.address_space<global>>, memref<80xf32>
    %m = memref.alloc() : memref<480xf64, #gpu.address_space<global>>
    gpu.launch_func @modes::@modes blocks in (%c1, %c1, %c1) threads in (%c80, %c1, %c1) args(%d : memref<80xf32, #gpu.address_space<global>>, %m : memref<480xf64, #gpu.address_space<global>>)
    %h = memref.alloc() : memref<480xf64>
    gpu.memcpy %h, %m : memref<480xf64>, memref<480xf64, #gpu.address_space<global>>
    return %h : memref<480xf64>
  }
  gpu.module @modes {
    gpu.func @modes(%x: memref<80xf32, #gpu.address_space<global>>, %m: memref<480xf64, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 80, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<80xf32, #gpu.address_space<global>>
      %1 = arith.constant 1 : i32
      %3 = arith.constant 3 : i32
      %8 = arith.constant 8 : i32
      %16 = arith.constant 16 : i32
      %32 = arith.constant 32 : i32
      %wide = arith.extf %v : f32 to f64
      %a, %oka = gpu.shuffle xor %wide, %3, %16 : f64
      %b, %okb = gpu.shuffle up %v, %1, %16 : f32
      %half = arith.truncf %v : f32 to f16
      %c, %okc = gpu.shuffle down %half, %3, %8 : f16
      %d, %okd = gpu.shuffle idx %v, %3, %16 : f32
      %e, %oke = gpu.rotate %v, 5, 16 : f32
      %lane = gpu.lane_id
      %warp = gpu.subgroup_id : index
      %warps = gpu.num_subgroups : index
      %size = gpu.subgroup_size : index
      %p = arith.muli %warp, %size : index
      %q = arith.addi %p, %lane : index
      %r = arith.addi %q, %warps : index
      %n = arith.index_cast %r : index to i32
      %f = arith.sitofp %n : i32 to f64
      %b2 = arith.extf %b : f32 to f64
      %c2 = arith.extf %c : f16 to f64
      %d2 = arith.extf %d : f32 to f64
      %e2 = arith.extf %e : f32 to f64
      %zero = arith.constant 0.0 : f64
      %b3 = arith.select %okb, %b2, %zero : f64
      %c3 = arith.select %okc, %c2, %zero : f64
      %c80 = arith.constant 80 : index
      memref.store %a, %m[%t] : memref<480xf64, #gpu.address_space<global>>
      %t1 = arith.addi %t, %c80 : index
      memref.store %b3, %m[%t1] : memref<480xf64, #gpu.address_space<global>>
      %t2 = arith.addi %t1, %c80 : index
      memref.store %c3, %m[%t2] : memref<480xf64, #gpu.address_space<global>>
      %t3 = arith.addi %t2, %c80 : index
      memref.store %d2, %m[%t3] : memref<480xf64, #gpu.address_space<global>>
      %t4 = arith.addi %t3, %c80 : index
      memref.store %e2, %m[%t4] : memref<480xf64, #gpu.address_space<global>>
      %t5 = arith.addi %t4, %c80 : index
      memref.store %f, %m[%t5] : memref<480xf64, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

// Rows of a warp each, of which the last block has fewer: all threads take the way of those that have a row, and what they are not to load or store is left
// out. In a loop whose blocks stride, too; its shuffles stand in a loop that all share.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[MINE:.*]] = llvm.icmp "ult"
// CHECK-NEXT: llvm.br ^[[BODY:bb[0-9]+]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK: llvm.cond_br %[[MINE]], ^[[DO:bb[0-9]+]], ^[[DONE:bb[0-9]+]](%{{.*}} : f32)
// CHECK-NEXT: ^[[DO]]:
// CHECK-NEXT: %[[VALUE:.*]] = llvm.load
// CHECK-NEXT: llvm.br ^[[DONE]](%[[VALUE]] : f32)
// CHECK-NEXT: ^[[DONE]](%{{.*}}: f32):
// CHECK-NOT: gpu.shuffle
// EVAL: main arg0=5x32
// EVAL: main arg0=8x32
// EVAL: main arg0=0x32
// EVAL: main arg0=1x32
module attributes {gpu.container_module} {
  func.func @main(%x: memref<?x32xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %n = memref.dim %x, %c0 : memref<?x32xf32>
    %d = memref.alloc(%n) : memref<?x32xf32, #gpu.address_space<global>>
    gpu.memcpy %d, %x : memref<?x32xf32, #gpu.address_space<global>>, memref<?x32xf32>
    %m = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
    gpu.launch_func @rows::@rows blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1) args(%d : memref<?x32xf32, #gpu.address_space<global>>, %m : memref<?xf32, #gpu.address_space<global>>)
    gpu.launch_func @strides::@strides blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%d : memref<?x32xf32, #gpu.address_space<global>>, %m : memref<?xf32, #gpu.address_space<global>>)
    %h = memref.alloc(%n) : memref<?xf32>
    gpu.memcpy %h, %m : memref<?xf32>, memref<?xf32, #gpu.address_space<global>>
    return %h : memref<?xf32>
  }
  gpu.module @rows {
    gpu.func @rows(%x: memref<?x32xf32, #gpu.address_space<global>>, %m: memref<?xf32, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %w = arith.constant 32 : i32
      %n = memref.dim %x, %c0 : memref<?x32xf32, #gpu.address_space<global>>
      %end = arith.muli %n, %c32 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %b, %c128 : index
      %i = arith.addi %first, %t : index
      %mine = arith.cmpi ult, %i, %end : index
      scf.if %mine {
        %row = arith.divui %i, %c32 : index
        %lane = arith.remui %i, %c32 : index
        %v = memref.load %x[%row, %lane] : memref<?x32xf32, #gpu.address_space<global>>
        %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %v) -> (f32) {
          %k32 = arith.index_cast %k : index to i32
          %one = arith.constant 1 : i32
          %offset = arith.shli %one, %k32 : i32
          %other, %ok = gpu.shuffle xor %s, %offset, %w : f32
          %next = arith.addf %s, %other : f32
          scf.yield %next : f32
        }
        %is = arith.cmpi eq, %lane, %c0 : index
        scf.if %is {
          memref.store %sum, %m[%row] : memref<?xf32, #gpu.address_space<global>>
        }
      }
      gpu.return
    }
  }
  gpu.module @strides {
    gpu.func @strides(%x: memref<?x32xf32, #gpu.address_space<global>>, %m: memref<?xf32, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %w = arith.constant 32 : i32
      %o = arith.constant 16 : i32
      %n = memref.dim %x, %c0 : memref<?x32xf32, #gpu.address_space<global>>
      %t = gpu.thread_id x
      %warp = arith.divui %t, %c32 : index
      %lane = arith.remui %t, %c32 : index
      scf.for %first = %c0 to %n step %c4 {
        %row = arith.addi %first, %warp : index
        %mine = arith.cmpi ult, %row, %n : index
        scf.if %mine {
          %v = memref.load %x[%row, %lane] : memref<?x32xf32, #gpu.address_space<global>>
          %other, %ok = gpu.shuffle xor %v, %o, %w : f32
          %is = arith.cmpi eq, %lane, %c4 : index
          scf.if %is {
            %old = memref.load %m[%row] : memref<?xf32, #gpu.address_space<global>>
            %new = arith.addf %old, %other : f32
            memref.store %new, %m[%row] : memref<?xf32, #gpu.address_space<global>>
          }
        }
      }
      gpu.return
    }
  }
}

// -----

// What a way passes to where all meet is chosen there; blocks of three dims; a kernel without exchanges stays as it is.
// CHECK-LABEL: llvm.func @passes
// CHECK: %[[SECOND:.*]] = llvm.icmp "ult"
// CHECK: llvm.xor %[[SECOND]]
// CHECK: %[[CHOSEN:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[OWN:.*]] : i1, f32
// CHECK-NEXT: llvm.br ^{{.*}}(%[[CHOSEN]] : f32)
// CHECK-LABEL: llvm.func @other
// CHECK-NOT: llvm.and
// CHECK: llvm.return
module attributes {gpu.container_module} {
  gpu.module @passes {
    llvm.func @passes(%x: !llvm.ptr<1>, %m: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 16, 2, 2>} {
      %i = gpu.thread_id z
      %t = arith.index_castui %i : index to i32
      %1 = llvm.mlir.constant(1 : i32) : i32
      %32 = llvm.mlir.constant(32 : i32) : i32
      %v = llvm.load %x : !llvm.ptr<1> -> f32
      %first = llvm.icmp "ult" %t, %1 : i32
      llvm.cond_br %first, ^end(%v : f32), ^second
    ^second:
      %other, %ok = gpu.shuffle xor %v, %1, %32 : f32
      llvm.br ^end(%other : f32)
    ^end(%r: f32):
      llvm.store %r, %m : f32, !llvm.ptr<1>
      llvm.return
    }
  }
  gpu.module @other {
    llvm.func @other(%m: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
      %v = llvm.load %m : !llvm.ptr<1> -> f32
      llvm.store %v, %m : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
