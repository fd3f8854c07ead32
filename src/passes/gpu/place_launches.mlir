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

// -----

// Views in a kernel, of offsets that the run tells, and memory of a thread.
// CHECK-LABEL: func.func @kernel_views(
// CHECK: memref.subview %{{.+}} : memref<16xbf16, #gpu.address_space<global>> to memref<8xbf16, strided<[1], offset: ?>, #gpu.address_space<global>>
// CHECK: memref.alloca() : memref<8xbf16, #gpu.address_space<private>>
// EVAL: kernel_views
module attributes {gpu.container_module} {
  func.func @kernel_views(%x: memref<16xbf16>) -> memref<16xbf16> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = gpu.alloc () : memref<16xbf16>
    gpu.launch_func @k::@k blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16xbf16>, %m : memref<16xbf16>)
    return %m : memref<16xbf16>
  }
  gpu.module @k {
    gpu.func @k(%x: memref<16xbf16>, %m: memref<16xbf16>) kernel {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %o = arith.muli %i, %c8 : index
      %s = memref.subview %x[%o] [8] [1] : memref<16xbf16> to memref<8xbf16, strided<[1], offset: ?>>
      %d = memref.subview %m[%o] [8] [1] : memref<16xbf16> to memref<8xbf16, strided<[1], offset: ?>>
      %dc = memref.cast %d : memref<8xbf16, strided<[1], offset: ?>> to memref<?xbf16, strided<[1], offset: ?>>
      %r = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xbf16> to memref<4x4xbf16, strided<[4, 1]>>
      %tmp = memref.alloca() : memref<8xbf16>
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %s[%j] : memref<8xbf16, strided<[1], offset: ?>>
        %w = arith.negf %v : bf16
        memref.store %w, %tmp[%j] : memref<8xbf16>
      }
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %tmp[%j] : memref<8xbf16>
        %q = memref.load %r[%c1, %c1] : memref<4x4xbf16, strided<[4, 1]>>
        %w = arith.addf %v, %q : bf16
        memref.store %w, %dc[%j] : memref<?xbf16, strided<[1], offset: ?>>
      }
      gpu.return
    }
  }
}

// -----

// Launches in a function that another one calls, of a buffer that both have; a function without bf16 is as it was.
// CHECK-LABEL: func.func @calls(
// STORED: func.func private @plain(%{{.+}}: memref<8xf32, #gpu.address_space<global>>) -> memref<8xf32, #gpu.address_space<global>>
// EVAL: calls
module attributes {gpu.container_module} {
  func.func private @helper(%m: memref<8xbf16>, %c: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xbf16>)
    return
  }
  func.func private @plain(%m: memref<8xf32>) -> memref<8xf32> {
    return %m : memref<8xf32>
  }
  func.func @calls(%x: memref<8xbf16>, %f: memref<8xf32>) -> (memref<8xbf16>, memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %m = gpu.alloc () : memref<8xbf16>
    gpu.memcpy %m, %x : memref<8xbf16>, memref<8xbf16>
    func.call @helper(%m, %c8) : (memref<8xbf16>, index) -> ()
    gpu.launch_func @k::@k blocks in (%c8, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xbf16>)
    %g = func.call @plain(%f) : (memref<8xf32>) -> memref<8xf32>
    return %m, %g : memref<8xbf16>, memref<8xf32>
  }
  gpu.module @k {
    gpu.func @k(%m: memref<8xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %m[%i] : memref<8xbf16>
      %y = arith.mulf %x, %x : bf16
      memref.store %y, %m[%i] : memref<8xbf16>
      gpu.return
    }
  }
}

// -----

// Ops that compute, convert and move.
// CHECK-LABEL: func.func @many(
// EVAL: many
module attributes {gpu.container_module} {
  func.func @many(%x: memref<64xbf16>, %i8: memref<64xi8>) -> (memref<64xbf16>, memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = gpu.alloc () : memref<64xbf16>
    %n = gpu.alloc () : memref<64xi32>
    gpu.launch_func @k::@k blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xbf16>, %i8 : memref<64xi8>, %m : memref<64xbf16>, %n : memref<64xi32>)
    return %m, %n : memref<64xbf16>, memref<64xi32>
  }
  gpu.module @k {
    gpu.func @k(%x: memref<64xbf16>, %i8: memref<64xi8>, %m: memref<64xbf16>, %n: memref<64xi32>) kernel {
      %i = gpu.block_id x
      %a = memref.load %x[%i] : memref<64xbf16>
      %b8 = memref.load %i8[%i] : memref<64xi8>
      %b = arith.sitofp %b8 : i8 to bf16
      %u = arith.uitofp %b8 : i8 to bf16
      %c = arith.remf %b, %a : bf16
      %half = arith.constant 5.0e-01 : bf16
      %e = math.floor %a : bf16
      %f = math.ceil %a : bf16
      %g = math.round %a : bf16
      %h = math.roundeven %b : bf16
      %t = math.trunc %a : bf16
      %cs = math.copysign %half, %a : bf16
      %k0 = arith.maximumf %e, %f : bf16
      %k1 = arith.minimumf %g, %h : bf16
      %k2 = arith.maxnumf %k0, %k1 : bf16
      %k3 = arith.minnumf %t, %cs : bf16
      %k4 = arith.subf %k2, %k3 : bf16
      %p = arith.cmpf une, %a, %half : bf16
      %q = arith.cmpf uno, %c, %half : bf16
      %pq = arith.andi %p, %q : i1
      %sel = arith.select %pq, %k4, %u : bf16
      %f16 = arith.truncf %a : bf16 to f8E5M2
      %back = arith.extf %f16 : f8E5M2 to bf16
      %sum = arith.addf %sel, %back : bf16
      %int = arith.fptosi %sum : bf16 to i32
      %ui = arith.fptoui %k0 : bf16 to i32
      %bits = arith.bitcast %sum : bf16 to i16
      %bw = arith.extui %bits : i16 to i32
      %is = arith.addi %int, %bw : i32
      %nan = math.isnan %c : bf16
      %nani = arith.extui %nan : i1 to i32
      %is2 = arith.addi %is, %nani : i32
      memref.store %sum, %m[%i] : memref<64xbf16>
      memref.store %is2, %n[%i] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

// Spaces that are numbers, and a layout that says nothing.
// CHECK-LABEL: func.func @numbered(
// EVAL: numbered
module attributes {gpu.container_module} {
  func.func @numbered(%x: memref<4x2xbf16>) -> memref<4x2xbf16, 1> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<4x2xbf16, 1>
    %n = gpu.alloc () : memref<4x2xbf16, affine_map<(d0, d1) -> (d0, d1)>>
    gpu.launch_func @k::@k blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x2xbf16>, %m : memref<4x2xbf16, 1>, %n : memref<4x2xbf16>)
    gpu.dealloc %n : memref<4x2xbf16>
    return %m : memref<4x2xbf16, 1>
  }
  gpu.module @k {
    gpu.func @k(%x: memref<4x2xbf16>, %m: memref<4x2xbf16, 1>, %n: memref<4x2xbf16>) kernel {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.load %x[%i, %c0] : memref<4x2xbf16>
      %b = arith.addf %a, %a : bf16
      memref.store %b, %m[%i, %c0] : memref<4x2xbf16, 1>
      memref.store %a, %m[%i, %c1] : memref<4x2xbf16, 1>
      memref.store %a, %n[%i, %c1] : memref<4x2xbf16>
      gpu.return
    }
  }
}

// -----

// Spaces of SPIR-V.
// CHECK-LABEL: func.func @storage_classes(
// CHECK: memref.alloc() : memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>
// STORED: gpu.func @k_k(%{{.+}}: i16, %{{.+}}: memref<4xi16, #spirv.storage_class<CrossWorkgroup>>)
// EVAL: storage_classes
module attributes {gpu.container_module} {
  func.func @storage_classes(%v: bf16) -> memref<4xbf16, #spirv.storage_class<CrossWorkgroup>> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : bf16, %m : memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>)
    return %m : memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>
  }
  gpu.module @k {
    gpu.func @k(%b: bf16, %m: memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %v = vector.broadcast %b : bf16 to vector<4xbf16>
      vector.store %v, %m[%c0] : memref<4xbf16, #spirv.storage_class<CrossWorkgroup>>, vector<4xbf16>
      gpu.return
    }
  }
}
