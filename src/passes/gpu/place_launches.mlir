// SPDX-License-Identifier: Apache-2.0
// Programs that launch kernels of their own, as devices take them. test/e2e/test_launches.py runs these and those of bf16_to_gpu.mlir.
// RUN: heddle-opt --place-launches --split-input-file --verify-each %s | FileCheck %s
// RUN: heddle-opt --bf16-to-gpu --place-launches --split-input-file --verify-each %s | FileCheck %s --check-prefix=STORED

// Buffers without a space lie on the device, tokens and frees go, copies go by where, what the host reads goes element by element.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[A:.+]]: memref<4x3xbf16, #gpu.address_space<global>>) -> memref<4x3xbf16, #gpu.address_space<global>>
// CHECK: %[[STREAM:.+]] = hd.ral_call "ral_stream___pvoid___pvoid"()
// CHECK: %[[M:.+]] = memref.alloc() : memref<4x3xbf16, #gpu.address_space<global>>
// CHECK: scf.for
// CHECK: %[[AT:.+]] = llvm.inttoptr
// CHECK: hd.ral_call "ral_d2h___pvoid_pvoid_pvoid_pvoid_i64___void"(%[[STREAM]], %[[ONE:.+]], %[[AT]], %{{.+}}) : (!llvm.ptr, memref<1xbf16>, !llvm.ptr, i64) -> ()
// CHECK: memref.load %[[ONE]]
// CHECK: hd.ral_call "ral_h2d___pvoid_pvoid_pvoid_pvoid_i64___void"
// CHECK: gpu.launch_func @k_twice::@k_twice
// CHECK-NOT: gpu.dealloc
// CHECK: gpu.module @k_twice
// CHECK: gpu.func @k_twice(%{{.+}}: memref<4x3xbf16, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 3, 1, 1>}
// STORED-LABEL: func.func @shared(
// STORED: memref.alloc() : memref<24xi8, #gpu.address_space<global>>
// EVAL: shared
module attributes {gpu.container_module} {
  func.func @shared(%a: memref<4x3xbf16>) -> memref<4x3xbf16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %half = arith.constant 0.5 : bf16
    %m = gpu.alloc host_shared () : memref<4x3xbf16>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        %x = memref.load %a[%i, %j] : memref<4x3xbf16>
        %y = arith.mulf %x, %half : bf16
        memref.store %y, %m[%i, %j] : memref<4x3xbf16>
      }
    }
    gpu.launch_func @k::@twice blocks in (%c4, %c1, %c1) threads in (%c3, %c1, %c1) args(%m : memref<4x3xbf16>)
    gpu.launch_func @k::@twice blocks in (%c4, %c1, %c1) threads in (%c3, %c1, %c1) args(%m : memref<4x3xbf16>)
    %r = memref.alloc() : memref<4x3xbf16>
    %first = memref.load %m[%c0, %c0] : memref<4x3xbf16>
    memref.copy %m, %r : memref<4x3xbf16> to memref<4x3xbf16>
    %sum = arith.addf %first, %half : bf16
    memref.store %sum, %r[%c0, %c1] : memref<4x3xbf16>
    gpu.dealloc %m : memref<4x3xbf16>
    return %r : memref<4x3xbf16>
  }
  gpu.module @k {
    gpu.func @twice(%a: memref<4x3xbf16>) kernel {
      %i = gpu.block_id x
      %j = gpu.thread_id x
      %x = memref.load %a[%i, %j] : memref<4x3xbf16>
      %y = arith.addf %x, %x : bf16
      memref.store %y, %a[%i, %j] : memref<4x3xbf16>
      gpu.return
    }
  }
}

// -----

// Kernels of one name in two modules, a module of two kernels, and tokens through all of it. Arguments that are no bf16 stay.
// Numbers of the entry are buffers of one element.
// CHECK-LABEL: func.func @pipeline(
// CHECK-SAME: %[[A:.+]]: memref<?xbf16, #gpu.address_space<global>>, %[[S:.+]]: memref<f32, #gpu.address_space<global>>, %[[N:.+]]: memref<i32, #gpu.address_space<global>>) -> (
// CHECK: memref.extract_aligned_pointer_as_index %[[S]]
// CHECK-NOT: async
// CHECK: gpu.launch_func @a_scale::@a_scale
// CHECK-NEXT: gpu.launch_func @b_scale::@b_scale
// CHECK-NEXT: gpu.launch_func @a_shift::@a_shift
// CHECK: lmhlo.copy
// EVAL: pipeline arg0=5
// EVAL: pipeline arg0=1
module attributes {gpu.container_module} {
  func.func @pipeline(%a: memref<?xbf16>, %s: f32, %n: i32) -> (memref<?xbf16>, memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = memref.dim %a, %c0 : memref<?xbf16>
    %t0 = gpu.wait async
    %m, %t1 = gpu.alloc async [%t0] (%size) : memref<?xbf16>
    %f, %t2 = gpu.alloc async [%t1] (%size) : memref<?xf32>
    %t3 = gpu.memcpy async [%t2] %m, %a : memref<?xbf16>, memref<?xbf16>
    %t4 = gpu.launch_func async [%t3] @a::@scale blocks in (%size, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?xbf16>, %s : f32)
    %t5 = gpu.launch_func async [%t4] @b::@scale blocks in (%size, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?xbf16>, %f : memref<?xf32>, %n : i32)
    %t6 = gpu.launch_func async [%t5] @a::@shift blocks in (%size, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : i32, %m : memref<?xbf16>)
    gpu.wait [%t6]
    %r = memref.alloc(%size) : memref<?xbf16>
    memref.copy %m, %r : memref<?xbf16> to memref<?xbf16>
    %t7 = gpu.wait async
    %t8 = gpu.dealloc async [%t7] %m : memref<?xbf16>
    gpu.wait [%t8]
    return %r, %f : memref<?xbf16>, memref<?xf32>
  }
  gpu.module @a {
    gpu.func @scale(%m: memref<?xbf16>, %s: f32) kernel {
      %i = gpu.block_id x
      %x = memref.load %m[%i] : memref<?xbf16>
      %w = arith.extf %x : bf16 to f32
      %y = arith.mulf %w, %s : f32
      %z = arith.truncf %y : f32 to bf16
      memref.store %z, %m[%i] : memref<?xbf16>
      gpu.return
    }
    gpu.func @shift(%n: i32, %m: memref<?xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %m[%i] : memref<?xbf16>
      %b = arith.sitofp %n : i32 to bf16
      %y = arith.subf %x, %b : bf16
      memref.store %y, %m[%i] : memref<?xbf16>
      gpu.return
    }
  }
  gpu.module @b {
    gpu.func @scale(%m: memref<?xbf16>, %f: memref<?xf32>, %n: i32) kernel {
      %i = gpu.block_id x
      %x = memref.load %m[%i] : memref<?xbf16>
      %b = arith.uitofp %n : i32 to bf16
      %y = arith.divf %x, %b : bf16
      %w = arith.extf %y : bf16 to f32
      memref.store %w, %f[%i] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// Functions of bf16 are computed in f32 and rounded, in a called function of the kernel's module; carried values, branches, comparisons.
// CHECK-LABEL: func.func @functions(
// EVAL: functions ~0.01
module attributes {gpu.container_module} {
  func.func @functions(%a: memref<2x6xbf16>) -> (memref<2x6xbf16>, memref<2xbf16>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %m = gpu.alloc () : memref<2x6xbf16>
    %s = gpu.alloc () : memref<2xbf16>
    gpu.launch_func @k::@functions blocks in (%c2, %c1, %c1) threads in (%c6, %c1, %c1) args(%a : memref<2x6xbf16>, %m : memref<2x6xbf16>, %s : memref<2xbf16>)
    return %m, %s : memref<2x6xbf16>, memref<2xbf16>
  }
  gpu.module @k attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Addresses, Int64, Int16, Kernel], []>, api=OpenCL, #spirv.resource_limits<>>} {
    func.func private @gate(%x: bf16) -> bf16 {
      %e = math.exp %x : bf16
      %one = arith.constant 1.0 : bf16
      %d = arith.addf %e, %one : bf16
      %r = arith.divf %e, %d : bf16
      return %r : bf16
    }
    gpu.func @functions(%a: memref<2x6xbf16>, %m: memref<2x6xbf16>, %s: memref<2xbf16>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %i = gpu.block_id x
      %j = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %zero = arith.constant 0.0 : bf16
      %x = memref.load %a[%i, %j] : memref<2x6xbf16>
      %g = func.call @gate(%x) : (bf16) -> bf16
      %t = math.tanh %x : bf16
      %u = arith.maximumf %g, %t : bf16
      %v = arith.minimumf %u, %g : bf16
      %p = arith.cmpf olt, %x, %zero : bf16
      %w = scf.if %p -> (bf16) {
        %n = arith.negf %v : bf16
        scf.yield %n : bf16
      } else {
        %q = math.sqrt %x : bf16
        scf.yield %q : bf16
      }
      memref.store %w, %m[%i, %j] : memref<2x6xbf16>
      %first = arith.cmpi eq, %j, %c0 : index
      scf.if %first {
        %sum = scf.for %k = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> (bf16) {
          %y = memref.load %a[%i, %k] : memref<2x6xbf16>
          %z = math.absf %y : bf16
          %next = arith.addf %acc, %z : bf16
          scf.yield %next : bf16
        }
        memref.store %sum, %s[%i] : memref<2xbf16>
      }
      gpu.return
    }
  }
}

// -----

// Offsets and strides that types say.
// CHECK-LABEL: func.func @strided(
// EVAL: strided
module attributes {gpu.container_module} {
  func.func @strided(%a: memref<8x6xbf16>) -> memref<8x6xbf16> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %m = gpu.alloc () : memref<8x6xbf16>
    memref.copy %a, %m : memref<8x6xbf16> to memref<8x6xbf16>
    %part = memref.subview %m[1, 2] [3, 2] [2, 1] : memref<8x6xbf16> to memref<3x2xbf16, strided<[12, 1], offset: 8>>
    %turned = memref.reinterpret_cast %m to offset: [1], sizes: [3, 2], strides: [1, 3] : memref<8x6xbf16> to memref<3x2xbf16, strided<[1, 3], offset: 1>>
    gpu.launch_func @k::@add blocks in (%c3, %c2, %c1) threads in (%c1, %c1, %c1) args(%part : memref<3x2xbf16, strided<[12, 1], offset: 8>>, %turned : memref<3x2xbf16, strided<[1, 3], offset: 1>>)
    return %m : memref<8x6xbf16>
  }
  gpu.module @k {
    gpu.func @add(%a: memref<3x2xbf16, strided<[12, 1], offset: 8>>, %b: memref<3x2xbf16, strided<[1, 3], offset: 1>>) kernel {
      %i = gpu.block_id x
      %j = gpu.block_id y
      %x = memref.load %a[%i, %j] : memref<3x2xbf16, strided<[12, 1], offset: 8>>
      %y = memref.load %b[%i, %j] : memref<3x2xbf16, strided<[1, 3], offset: 1>>
      %z = arith.subf %x, %y : bf16
      memref.store %z, %a[%i, %j] : memref<3x2xbf16, strided<[12, 1], offset: 8>>
      gpu.return
    }
  }
}

// -----

// Vectors, lane by lane; a sum of lanes is rounded once, with and without a beginning.
// CHECK-LABEL: func.func @lanes(
// EVAL: lanes
module attributes {gpu.container_module} {
  func.func @lanes(%a: memref<4x8xbf16>) -> (memref<4x8xbf16>, memref<4x4xbf16>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<4x8xbf16>
    %s = gpu.alloc () : memref<4x4xbf16>
    gpu.launch_func @k::@lanes blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4x8xbf16>, %m : memref<4x8xbf16>, %s : memref<4x4xbf16>)
    return %m, %s : memref<4x8xbf16>, memref<4x4xbf16>
  }
  gpu.module @k {
    gpu.func @lanes(%a: memref<4x8xbf16>, %m: memref<4x8xbf16>, %s: memref<4x4xbf16>) kernel {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %v = vector.load %a[%i, %c0] : memref<4x8xbf16>, vector<8xbf16>
      %three = arith.constant 3.0 : bf16
      %b = vector.broadcast %three : bf16 to vector<8xbf16>
      %f = vector.fma %v, %b, %v : vector<8xbf16>
      %e = vector.extract %f[5] : bf16 from vector<8xbf16>
      %g = vector.insert %e, %f [2] : bf16 into vector<8xbf16>
      %zero = arith.constant dense<0.0> : vector<8xbf16>
      %p = arith.cmpf ogt, %g, %zero : vector<8xbf16>
      %h = arith.select %p, %g, %v : vector<8xi1>, vector<8xbf16>
      vector.store %h, %m[%i, %c0] : memref<4x8xbf16>, vector<8xbf16>
      %sum = vector.reduction <add>, %v : vector<8xbf16> into bf16
      %more = vector.reduction <add>, %v, %three : vector<8xbf16> into bf16
      %product = vector.reduction <mul>, %v : vector<8xbf16> into bf16
      %least = vector.reduction <minimumf>, %v : vector<8xbf16> into bf16
      memref.store %sum, %s[%i, %c0] : memref<4x4xbf16>
      memref.store %more, %s[%i, %c1] : memref<4x4xbf16>
      memref.store %product, %s[%i, %c2] : memref<4x4xbf16>
      memref.store %least, %s[%i, %c3] : memref<4x4xbf16>
      gpu.return
    }
  }
}
