// SPDX-License-Identifier: Apache-2.0
// Numbers of threads, barriers and exchanges by nvvm's names: what each becomes, that mlir-opt takes it, that it computes what it did in the
// evaluator and on simt, and that CUDA's assembler takes the PTX.
// REQUIRES: mlir-opt, ptxas
// RUN: heddle-opt %s --convert-gpu-to-llvm --convert-gpu-to-nvvm --verify-machine-form=target=cuda --verify-each -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: heddle check %s
// RUN: heddle check %t.mlir
// RUN: heddle eval %t.mlir --target=simt
// RUN: heddle-opt %t.mlir --mlir-print-op-generic | mlir-opt -o %t
// RUN: heddle-opt %t.mlir --emit-ptx=80 -o %t.ptx
// RUN: ptxas -arch=sm_80 %t.ptx -o %t.cubin
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --convert-gpu-to-nvvm --verify-machine-form=target=cuda --mlir-print-op-generic %examples/softmax.mlir | mlir-opt --allow-unregistered-dialect -o %t
// RUN: not heddle-opt %t.mlir --verify-machine-form=target=spirv 2>&1 | FileCheck %s --check-prefix=SPIRV
// RUN: not heddle-opt %s --convert-gpu-to-nvvm 2>&1 | FileCheck %s --check-prefix=DEVICE

// SPIRV: 'nvvm.{{.*}}' op is an op of nvvm, expected ops of target 'spirv'
// DEVICE: convert_gpu_to_nvvm.mlir:[[#@LINE+37]]:{{.*}}'gpu.func' op is not of the machine form: run convert-gpu-to-llvm before it
module attributes {gpu.container_module} {

// CHECK-LABEL: llvm.func @k(
// CHECK-SAME: gpu.kernel
// CHECK-SAME: nvvm.kernel
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: llvm.zext %[[T]] : i32 to i64
// CHECK: nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: nvvm.barrier0
// CHECK: nvvm.shfl.sync bfly %{{.*}} {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
// CHECK: nvvm.shfl.sync up %{{.*}} : i32 -> !llvm.struct<(i32, i1)>
// CHECK: nvvm.shfl.sync up %{{.*}} : i32 -> !llvm.struct<(i32, i1)>
// CHECK: nvvm.shfl.sync idx %{{.*}} : i32 -> !llvm.struct<(i32, i1)>
// CHECK: nvvm.redux.sync add %{{.*}} : i32 -> i32
// CHECK-NOT: gpu.{{[a-z]}}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = memref.alloc() : memref<128xi32, #gpu.address_space<global>>
  gpu.launch_func @k::@k blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<128xi32, #gpu.address_space<global>>)
  %h = memref.alloc() : memref<128xi32>
  gpu.memcpy %h, %m : memref<128xi32>, memref<128xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c128 step %c1 {
    %got = memref.load %h[%i] : memref<128xi32>
    %one = arith.constant 1 : i32
    %same = arith.cmpi eq, %got, %one : i32
    cf.assert %same, "what the thread found"
  }
  memref.dealloc %h : memref<128xi32>
  memref.dealloc %m : memref<128xi32, #gpu.address_space<global>>
  return
}
gpu.module @k {
  gpu.func @k(%out: memref<128xi32, #gpu.address_space<global>>) workgroup(%w : memref<64xi32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %size = gpu.block_dim x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %warps = gpu.num_subgroups : index
    %lanes = gpu.subgroup_size : index
    %all = gpu.global_id x
    %first = arith.muli %b, %size : index
    %g = arith.addi %first, %t : index
    %ok0 = arith.cmpi eq, %g, %all : index
    %inside = arith.muli %warp, %lanes : index
    %again = arith.addi %inside, %lane : index
    %ok1 = arith.cmpi eq, %again, %t : index
    %c2 = arith.constant 2 : index
    %ok2 = arith.cmpi eq, %warps, %c2 : index
    // Through memory of the block.
    %c63 = arith.constant 63 : index
    %other = arith.subi %c63, %t : index
    %own = arith.index_cast %t : index to i32
    memref.store %own, %w[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %read = memref.load %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    %want = arith.index_cast %other : index to i32
    %ok3 = arith.cmpi eq, %read, %want : i32
    // Exchanges of 32, 64 and 16 bits.
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    %i32 = arith.constant 32 : i32
    %real = arith.sitofp %own : i32 to f32
    %swapped, %valid = gpu.shuffle xor %real, %i3, %i32 : f32
    %xored = arith.xori %own, %i3 : i32
    %wanted = arith.sitofp %xored : i32 to f32
    %ok4 = arith.cmpf oeq, %swapped, %wanted : f32
    %long = arith.extsi %own : i32 to i64
    %neg = arith.constant -1 : i64
    %minus = arith.xori %long, %neg : i64
    %up, %valid_up = gpu.shuffle up %minus, %i1, %i32 : i64
    %lane32 = arith.index_cast %lane : index to i32
    %zero = arith.constant 0 : i32
    %has = arith.cmpi sgt, %lane32, %zero : i32
    %ok5 = arith.cmpi eq, %has, %valid_up : i1
    %i1l = arith.constant 1 : i64
    %before = arith.subi %long, %i1l : i64
    %source = arith.select %has, %before, %long : i64
    %upped = arith.xori %source, %neg : i64
    %ok6 = arith.cmpi eq, %up, %upped : i64
    %half = arith.trunci %own : i32 to i16
    %third, %valid_idx = gpu.shuffle idx %half, %i3, %i32 : i16
    %base = arith.subi %own, %lane32 : i32
    %at3 = arith.addi %base, %i3 : i32
    %half3 = arith.trunci %at3 : i32 to i16
    %ok7 = arith.cmpi eq, %third, %half3 : i16
    %sum = gpu.subgroup_reduce add %lane32 uniform : (i32) -> i32
    %c496 = arith.constant 496 : i32
    %ok8 = arith.cmpi eq, %sum, %c496 : i32
    %a0 = arith.andi %ok0, %ok1 : i1
    %a1 = arith.andi %a0, %ok2 : i1
    %a2 = arith.andi %a1, %ok3 : i1
    %a3 = arith.andi %a2, %ok4 : i1
    %a4 = arith.andi %a3, %ok5 : i1
    %a5 = arith.andi %a4, %ok6 : i1
    %a6 = arith.andi %a5, %ok7 : i1
    %a7 = arith.andi %a6, %ok8 : i1
    %said = arith.extui %a7 : i1 to i32
    memref.store %said, %out[%g] : memref<128xi32, #gpu.address_space<global>>
    gpu.return
  }
}
}
