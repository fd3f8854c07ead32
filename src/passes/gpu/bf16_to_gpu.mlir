// RUN: heddle-opt --bf16-to-gpu --split-input-file %s | FileCheck %s
// RUN: heddle-opt --bf16-to-gpu --split-input-file %s | mlir-opt-22 --split-input-file - | FileCheck %s --check-prefix=MLIR

// The example of the pass's description.
// CHECK-LABEL: func.func @test(
// CHECK-SAME: %[[A:.+]]: memref<10x20xbf16>, %[[B:.+]]: memref<10x20xbf16>) -> memref<10x20xbf16>
// CHECK: %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-NEXT: %[[M:.+]] = gpu.alloc host_shared () : memref<400xi8>
// CHECK-NEXT: %[[MB:.+]] = memref.view %[[M]][%[[ZERO]]][] : memref<400xi8> to memref<10x20xbf16>
// CHECK-NEXT: %[[MI:.+]] = memref.view %[[M]][%[[ZERO]]][] : memref<400xi8> to memref<10x20xi16>
// CHECK-NEXT: memref.copy %[[B]], %[[MB]] : memref<10x20xbf16> to memref<10x20xbf16>
// CHECK: %[[N:.+]] = gpu.alloc host_shared () : memref<400xi8>
// CHECK: %[[NI:.+]] = memref.view %[[N]]{{.*}} to memref<10x20xi16>
// CHECK: %[[R:.+]] = gpu.alloc host_shared () : memref<400xi8>
// CHECK-NEXT: %[[RB:.+]] = memref.view %[[R]]{{.*}} to memref<10x20xbf16>
// CHECK-NEXT: %[[RI:.+]] = memref.view %[[R]]{{.*}} to memref<10x20xi16>
// CHECK-NEXT: gpu.launch_func @test_kernel::@test_kernel blocks in (%c10, %c20, %c1) threads in (%c1, %c1, %c1) args(%[[NI]] : memref<10x20xi16>, %[[MI]] : memref<10x20xi16>, %[[RI]] : memref<10x20xi16>)
// CHECK-NEXT: gpu.dealloc %[[N]] : memref<400xi8>
// CHECK-NEXT: gpu.dealloc %[[M]] : memref<400xi8>
// CHECK-NEXT: return %[[RB]] : memref<10x20xbf16>
// CHECK: gpu.func @test_kernel(%[[X:.+]]: memref<10x20xi16>, %[[Y:.+]]: memref<10x20xi16>, %[[Z:.+]]: memref<10x20xi16>) kernel
// CHECK: %[[XL:.+]] = memref.load %[[X]]
// CHECK-NEXT: %[[YL:.+]] = memref.load %[[Y]]
// CHECK-NEXT: %[[XB:.+]] = arith.bitcast %[[XL]] : i16 to bf16
// CHECK-NEXT: %[[XF:.+]] = arith.extf %[[XB]] : bf16 to f32
// CHECK-NEXT: %[[YB:.+]] = arith.bitcast %[[YL]] : i16 to bf16
// CHECK-NEXT: %[[YF:.+]] = arith.extf %[[YB]] : bf16 to f32
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[XF]], %[[YF]] : f32
// CHECK-NEXT: %[[ST:.+]] = arith.truncf %[[S]] : f32 to bf16
// CHECK-NEXT: %[[SB:.+]] = arith.bitcast %[[ST]] : bf16 to i16
// CHECK-NEXT: memref.store %[[SB]], %[[Z]]
// CHECK-NEXT: gpu.return
// MLIR: func.func @test(
// EVAL: test
module attributes {gpu.container_module} {
  func.func @test(%arg0: memref<10x20xbf16>, %arg1: memref<10x20xbf16>) -> memref<10x20xbf16> {
    %c20 = arith.constant 20 : index
    %c10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    %memref = gpu.alloc  host_shared () : memref<10x20xbf16>
    memref.copy %arg1, %memref : memref<10x20xbf16> to memref<10x20xbf16>
    %memref_0 = gpu.alloc  host_shared () : memref<10x20xbf16>
    memref.copy %arg0, %memref_0 : memref<10x20xbf16> to memref<10x20xbf16>
    %memref_1 = gpu.alloc  host_shared () : memref<10x20xbf16>
    gpu.launch_func  @test_kernel::@test_kernel blocks in (%c10, %c20, %c1) threads in (%c1, %c1, %c1) args(%memref_0 : memref<10x20xbf16>, %memref : memref<10x20xbf16>, %memref_1 : memref<10x20xbf16>)
    gpu.dealloc  %memref_0 : memref<10x20xbf16>
    gpu.dealloc  %memref : memref<10x20xbf16>
    return %memref_1 : memref<10x20xbf16>
  }
  gpu.module @test_kernel attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Addresses, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR], [SPV_EXT_shader_atomic_float_add, SPV_KHR_expect_assume]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @test_kernel(%arg0: memref<10x20xbf16>, %arg1: memref<10x20xbf16>, %arg2: memref<10x20xbf16>) kernel attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 10, 20, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %0 = gpu.block_id  x
      %1 = gpu.block_id  y
      %2 = memref.load %arg0[%0, %1] : memref<10x20xbf16>
      %3 = memref.load %arg1[%0, %1] : memref<10x20xbf16>
      %4 = arith.addf %2, %3 : bf16
      memref.store %4, %arg2[%0, %1] : memref<10x20xbf16>
      gpu.return
    }
  }
}

// -----

// Buffers of unknown sizes: bytes are computed, both views take the sizes.
// CHECK-LABEL: func.func @sizes(
// The argument is cast.
// CHECK: builtin.unrealized_conversion_cast %{{.+}} : memref<?x?xbf16> to memref<?x?xi16>
// CHECK: %[[TWO:.+]] = arith.constant 2 : index
// CHECK: %[[COUNT:.+]] = arith.muli %[[TWO]], %[[H:.+]] : index
// CHECK: %[[BYTES:.+]] = arith.muli %[[COUNT]], %[[W:.+]] : index
// CHECK: %[[M:.+]] = gpu.alloc (%[[BYTES]]) : memref<?xi8>
// CHECK: memref.view %[[M]][%{{.+}}][%[[H]], %[[W]]] : memref<?xi8> to memref<?x?xi16>
// EVAL: sizes arg0=3x5
// EVAL: sizes arg0=1x1
module attributes {gpu.container_module} {
  func.func @sizes(%a: memref<?x?xbf16>) -> memref<?x?xbf16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = memref.dim %a, %c0 : memref<?x?xbf16>
    %w = memref.dim %a, %c1 : memref<?x?xbf16>
    %m = gpu.alloc (%h, %w) : memref<?x?xbf16>
    gpu.launch_func @k::@square blocks in (%h, %w, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?x?xbf16>, %m : memref<?x?xbf16>)
    return %m : memref<?x?xbf16>
  }
  gpu.module @k {
    gpu.func @square(%a: memref<?x?xbf16>, %m: memref<?x?xbf16>) kernel {
      %i = gpu.block_id x
      %j = gpu.block_id y
      %x = memref.load %a[%i, %j] : memref<?x?xbf16>
      %y = arith.mulf %x, %x : bf16
      memref.store %y, %m[%i, %j] : memref<?x?xbf16>
      gpu.return
    }
  }
}

// -----

// Views of buffers: each is repeated on the stored one. A layout with strides stays.
// CHECK-LABEL: func.func @views(
// CHECK: %[[I:.+]] = memref.view %{{.+}} to memref<8x6xi16>
// CHECK: %[[PART:.+]] = memref.subview %[[I]][1, 2] [3, 2] [2, 1] : memref<8x6xi16> to memref<3x2xi16, strided<[12, 1], offset: 8>>
// CHECK: %[[ANY:.+]] = memref.cast %[[PART]] : memref<3x2xi16, strided<[12, 1], offset: 8>> to memref<?x2xi16, strided<[12, 1], offset: 8>>
// CHECK: args(%[[ANY]] :
// EVAL: views
module attributes {gpu.container_module} {
  func.func @views(%a: memref<8x6xbf16>) -> memref<8x6xbf16> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %m = gpu.alloc () : memref<8x6xbf16>
    memref.copy %a, %m : memref<8x6xbf16> to memref<8x6xbf16>
    %part = memref.subview %m[1, 2] [3, 2] [2, 1] : memref<8x6xbf16> to memref<3x2xbf16, strided<[12, 1], offset: 8>>
    %any = memref.cast %part : memref<3x2xbf16, strided<[12, 1], offset: 8>> to memref<?x2xbf16, strided<[12, 1], offset: 8>>
    gpu.launch_func @k::@negate blocks in (%c3, %c2, %c1) threads in (%c1, %c1, %c1) args(%any : memref<?x2xbf16, strided<[12, 1], offset: 8>>)
    return %m : memref<8x6xbf16>
  }
  gpu.module @k {
    gpu.func @negate(%a: memref<?x2xbf16, strided<[12, 1], offset: 8>>) kernel {
      %i = gpu.block_id x
      %j = gpu.block_id y
      %x = memref.load %a[%i, %j] : memref<?x2xbf16, strided<[12, 1], offset: 8>>
      %y = arith.negf %x : bf16
      memref.store %y, %a[%i, %j] : memref<?x2xbf16, strided<[12, 1], offset: 8>>
      gpu.return
    }
  }
}

// -----

// Results of calls and of control flow, allocations of the host, and scalars.
// CHECK-LABEL: func.func @flow(
// CHECK: %[[CALL:.+]] = call @make
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[CALL]] : memref<4xbf16> to memref<4xi16>
// CHECK: %[[IF:.+]] = scf.if
// CHECK: builtin.unrealized_conversion_cast %[[IF]] : memref<4xbf16> to memref<4xi16>
// CHECK: memref.alloc() {{.*}}: memref<8xi8>
// CHECK: arith.bitcast %{{.+}} : bf16 to i16
// EVAL: flow
module attributes {gpu.container_module} {
  func.func private @make() -> memref<4xbf16> {
    %m = memref.alloc() : memref<4xbf16>
    %one = arith.constant 1.5 : bf16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %one, %m[%i] : memref<4xbf16>
    }
    return %m : memref<4xbf16>
  }
  func.func @flow(%a: memref<4xbf16>, %which: i1, %factor: bf16) -> (memref<4xbf16>, memref<4xbf16>, memref<4xbf16>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %called = call @make() : () -> memref<4xbf16>
    %other = memref.alloc() : memref<4xbf16>
    memref.copy %a, %other : memref<4xbf16> to memref<4xbf16>
    %chosen = scf.if %which -> memref<4xbf16> {
      scf.yield %called : memref<4xbf16>
    } else {
      scf.yield %other : memref<4xbf16>
    }
    %host = memref.alloc() {alignment = 64 : i64} : memref<4xbf16>
    gpu.launch_func @k::@scale blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%factor : bf16, %called : memref<4xbf16>, %chosen : memref<4xbf16>, %host : memref<4xbf16>)
    return %called, %chosen, %host : memref<4xbf16>, memref<4xbf16>, memref<4xbf16>
  }
  gpu.module @k {
    gpu.func @scale(%factor: bf16, %a: memref<4xbf16>, %b: memref<4xbf16>, %c: memref<4xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<4xbf16>
      %y = memref.load %b[%i] : memref<4xbf16>
      %xf = arith.mulf %x, %factor : bf16
      %s = arith.divf %xf, %y : bf16
      memref.store %s, %c[%i] : memref<4xbf16>
      gpu.return
    }
  }
}

// -----

// Vectors compute as vectors; what takes them apart and puts them together moves elements of i16.
// CHECK-LABEL: gpu.func @vectors(
// CHECK: %[[V:.+]] = vector.load %{{.+}} : memref<8xi16>, vector<4xi16>
// CHECK: %[[B:.+]] = arith.bitcast %[[V]] : vector<4xi16> to vector<4xbf16>
// CHECK: arith.extf %[[B]] : vector<4xbf16> to vector<4xf32>
// CHECK: vector.fma %{{.+}} : vector<4xf32>
// CHECK: %[[E:.+]] = vector.extract %{{.+}}[1] : i16 from vector<4xi16>
// CHECK: vector.insert %[[E]], %{{.+}} [3] : i16 into vector<4xi16>
// CHECK: vector.reduction <maximumf>, %{{.+}} : vector<4xf32> into f32
// CHECK: vector.store %{{.+}} : memref<8xi16>, vector<4xi16>
// EVAL: vectors
module attributes {gpu.container_module} {
  func.func @vectors(%a: memref<8xbf16>) -> memref<8xbf16> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = gpu.alloc () : memref<8xbf16>
    gpu.launch_func @k::@vectors blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xbf16>, %m : memref<8xbf16>)
    return %m : memref<8xbf16>
  }
  gpu.module @k {
    gpu.func @vectors(%a: memref<8xbf16>, %m: memref<8xbf16>) kernel {
      %b = gpu.block_id x
      %c4 = arith.constant 4 : index
      %i = arith.muli %b, %c4 : index
      %v = vector.load %a[%i] : memref<8xbf16>, vector<4xbf16>
      %two = arith.constant dense<2.0> : vector<4xbf16>
      %ramp = arith.constant dense<[1.0, -2.0, 0.5, 4.0]> : vector<4xbf16>
      %f = vector.fma %v, %two, %ramp : vector<4xbf16>
      %e = vector.extract %f[1] : bf16 from vector<4xbf16>
      %g = vector.insert %e, %f [3] : bf16 into vector<4xbf16>
      %max = vector.reduction <maximumf>, %g : vector<4xbf16> into bf16
      %all = vector.broadcast %max : bf16 to vector<4xbf16>
      %d = arith.subf %g, %all : vector<4xbf16>
      vector.store %d, %m[%i] : memref<8xbf16>, vector<4xbf16>
      gpu.return
    }
  }
}

// -----

// Buffers whose elements are vectors.
// CHECK-LABEL: gpu.func @wide(
// CHECK-SAME: memref<3xvector<2xi16>>
// EVAL: elements
module attributes {gpu.container_module} {
  func.func @elements(%a: memref<3x2xbf16>) -> memref<3x2xbf16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %m = gpu.alloc () : memref<3xvector<2xbf16>>
    scf.for %i = %c0 to %c3 step %c1 {
      %v = vector.load %a[%i, %c0] : memref<3x2xbf16>, vector<2xbf16>
      memref.store %v, %m[%i] : memref<3xvector<2xbf16>>
    }
    gpu.launch_func @k::@wide blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<3xvector<2xbf16>>)
    %r = memref.alloc() : memref<3x2xbf16>
    scf.for %i = %c0 to %c3 step %c1 {
      %v = memref.load %m[%i] : memref<3xvector<2xbf16>>
      vector.store %v, %r[%i, %c0] : memref<3x2xbf16>, vector<2xbf16>
    }
    return %r : memref<3x2xbf16>
  }
  gpu.module @k {
    gpu.func @wide(%a: memref<3xvector<2xbf16>>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<3xvector<2xbf16>>
      %y = arith.addf %x, %x : vector<2xbf16>
      memref.store %y, %a[%i] : memref<3xvector<2xbf16>>
      gpu.return
    }
  }
}

// -----

// Tokens stay where they are.
// CHECK-LABEL: func.func @tokens(
// CHECK: %[[T0:.+]] = gpu.wait async
// CHECK: %[[M:.+]], %[[T1:.+]] = gpu.alloc async [%[[T0]]] () : memref<8xi8>
// CHECK: %[[T2:.+]] = gpu.launch_func async [%[[T1]]]
// CHECK: %[[T3:.+]] = gpu.memcpy async [%[[T2]]] %{{.+}}, %{{.+}} : memref<4xbf16>, memref<4xbf16>
// CHECK: gpu.dealloc async [%[[T3]]] %[[M]] : memref<8xi8>
// EVAL: tokens
module attributes {gpu.container_module} {
  func.func @tokens(%a: memref<4xbf16>) -> memref<4xbf16> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = memref.alloc() : memref<4xbf16>
    %t0 = gpu.wait async
    %m, %t1 = gpu.alloc async [%t0] () : memref<4xbf16>
    %t2 = gpu.launch_func async [%t1] @k::@root blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xbf16>, %m : memref<4xbf16>)
    %t3 = gpu.memcpy async [%t2] %r, %m : memref<4xbf16>, memref<4xbf16>
    %t4 = gpu.dealloc async [%t3] %m : memref<4xbf16>
    gpu.wait [%t4]
    return %r : memref<4xbf16>
  }
  gpu.module @k {
    gpu.func @root(%a: memref<4xbf16>, %m: memref<4xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<4xbf16>
      %y = math.absf %x : bf16
      %z = math.sqrt %y : bf16
      memref.store %z, %m[%i] : memref<4xbf16>
      gpu.return
    }
  }
}

// -----

// Atomics of floats exchange i16 until nobody came between; an assignment moves bits.
// CHECK-LABEL: gpu.func @atomics(
// CHECK: memref.generic_atomic_rmw %{{.+}}[%{{.+}}] : memref<4xi16> {
// CHECK-NEXT: ^bb0(%[[OLD:.+]]: i16):
// CHECK-NEXT: %[[OB:.+]] = arith.bitcast %[[OLD]] : i16 to bf16
// CHECK-NEXT: %[[OF:.+]] = arith.extf %[[OB]] : bf16 to f32
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[OF]], %{{.+}} : f32
// CHECK-NEXT: %[[ST:.+]] = arith.truncf %[[S]] : f32 to bf16
// CHECK-NEXT: %[[SB:.+]] = arith.bitcast %[[ST]] : bf16 to i16
// CHECK-NEXT: memref.atomic_yield %[[SB]] : i16
// CHECK: memref.generic_atomic_rmw
// CHECK: arith.maximumf
// CHECK: memref.generic_atomic_rmw
// CHECK: arith.mulf
// CHECK: memref.atomic_rmw assign %{{.+}}, %{{.+}}[%{{.+}}] : (i16, memref<4xi16>) -> i16
// EVAL: atomics
module attributes {gpu.container_module} {
  func.func @atomics(%a: memref<16xbf16>, %b: memref<4xbf16>) -> memref<4xbf16> {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %m = gpu.alloc () : memref<4xbf16>
    memref.copy %b, %m : memref<4xbf16> to memref<4xbf16>
    gpu.launch_func @k::@atomics blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<16xbf16>, %m : memref<4xbf16>)
    return %m : memref<4xbf16>
  }
  gpu.module @k {
    gpu.func @atomics(%a: memref<16xbf16>, %m: memref<4xbf16>) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %x = memref.load %a[%i] : memref<16xbf16>
      %0 = memref.atomic_rmw addf %x, %m[%c0] : (bf16, memref<4xbf16>) -> bf16
      %1 = memref.atomic_rmw maximumf %x, %m[%c1] : (bf16, memref<4xbf16>) -> bf16
      %2 = memref.generic_atomic_rmw %m[%c2] : memref<4xbf16> {
      ^bb0(%old: bf16):
        %p = arith.mulf %old, %x : bf16
        memref.atomic_yield %p : bf16
      }
      %3 = memref.atomic_rmw assign %x, %m[%c3] : (bf16, memref<4xbf16>) -> bf16
      gpu.return
    }
  }
}

// -----

// Of any rank that buffers have.
// CHECK-LABEL: gpu.func @atomics_of_rank_64(
// CHECK: memref.generic_atomic_rmw
// CHECK: arith.addf
module attributes {gpu.container_module} {
  func.func @atomics_of_rank_64(%a: memref<4xbf16>, %b: memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>) -> memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>
    memref.copy %b, %m : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16> to memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>
    gpu.launch_func @k::@atomics_of_rank_64 blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<4xbf16>, %m : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>)
    return %m : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>
  }
  gpu.module @k {
    gpu.func @atomics_of_rank_64(%a: memref<4xbf16>, %m: memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%i] : memref<4xbf16>
      %0 = memref.atomic_rmw addf %x, %m[%c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %i] : (bf16, memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xbf16>) -> bf16
      gpu.return
    }
  }
}

// -----

// Several kernels in a module, a function that they call, and a second module.
// CHECK-LABEL: gpu.module @first
// CHECK: func.func private @half(%{{.+}}: i16) -> i16
// CHECK: gpu.func @one(%{{.+}}: memref<4xi16>)
// CHECK: call @half(%{{.+}}) : (i16) -> i16
// CHECK: gpu.func @two(%{{.+}}: memref<4xi16>)
// CHECK-LABEL: gpu.module @second
// CHECK: gpu.func @one(%{{.+}}: memref<4xf32>)
// EVAL: several
module attributes {gpu.container_module} {
  func.func @several(%a: memref<4xbf16>, %b: memref<4xf32>) -> (memref<4xbf16>, memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<4xbf16>
    %n = gpu.alloc () : memref<4xf32>
    memref.copy %a, %m : memref<4xbf16> to memref<4xbf16>
    memref.copy %b, %n : memref<4xf32> to memref<4xf32>
    gpu.launch_func @first::@one blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4xbf16>)
    gpu.launch_func @first::@two blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4xbf16>)
    gpu.launch_func @second::@one blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : memref<4xf32>)
    return %m, %n : memref<4xbf16>, memref<4xf32>
  }
  gpu.module @first {
    func.func private @half(%x: bf16) -> bf16 {
      %h = arith.constant 0.5 : bf16
      %y = arith.mulf %x, %h : bf16
      return %y : bf16
    }
    gpu.func @one(%a: memref<4xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<4xbf16>
      %y = func.call @half(%x) : (bf16) -> bf16
      memref.store %y, %a[%i] : memref<4xbf16>
      gpu.return
    }
    gpu.func @two(%a: memref<4xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<4xbf16>
      %y = arith.maximumf %x, %x : bf16
      %z = arith.addf %y, %x : bf16
      memref.store %z, %a[%i] : memref<4xbf16>
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @one(%a: memref<4xf32>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<4xf32>
      gpu.return
    }
  }
}

// -----

// What loops carry and branches give is i16.
// CHECK-LABEL: gpu.func @control(
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}) -> (i16)
// CHECK: scf.yield %{{.+}} : i16
// CHECK: arith.cmpf ogt, %{{.+}}, %{{.+}} : f32
// CHECK: scf.if %{{.+}} -> (i16)
// CHECK: arith.select %{{.+}}, %{{.+}}, %{{.+}} : i16
// CHECK: scf.while (%{{.+}} = %{{.+}}) : (i16) -> i16
// CHECK: scf.condition(%{{.+}}) %{{.+}} : i16
// EVAL: control
module attributes {gpu.container_module} {
  func.func @control(%a: memref<6x5xbf16>) -> memref<6xbf16> {
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %m = gpu.alloc () : memref<6xbf16>
    gpu.launch_func @k::@control blocks in (%c6, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<6x5xbf16>, %m : memref<6xbf16>)
    return %m : memref<6xbf16>
  }
  gpu.module @k {
    gpu.func @control(%a: memref<6x5xbf16>, %m: memref<6xbf16>) kernel {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %zero = arith.constant 0.0 : bf16
      %sum = scf.for %j = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (bf16) {
        %x = memref.load %a[%i, %j] : memref<6x5xbf16>
        %n = arith.addf %s, %x : bf16
        scf.yield %n : bf16
      }
      %up = arith.cmpf ogt, %sum, %zero : bf16
      %magnitude = scf.if %up -> (bf16) {
        scf.yield %sum : bf16
      } else {
        %n = arith.negf %sum : bf16
        scf.yield %n : bf16
      }
      %eight = arith.constant 8.0 : bf16
      %start = arith.select %up, %magnitude, %eight : bf16
      %small = scf.while (%v = %start) : (bf16) -> bf16 {
        %half = arith.constant 0.5 : bf16
        %go = arith.cmpf ugt, %v, %half : bf16
        scf.condition(%go) %v : bf16
      } do {
      ^bb0(%v: bf16):
        %third = arith.constant 0.333 : bf16
        %n = arith.mulf %v, %third : bf16
        scf.yield %n : bf16
      }
      memref.store %small, %m[%i] : memref<6xbf16>
      gpu.return
    }
  }
}

// -----

// Shared memory, barriers and shuffles.
// CHECK-LABEL: gpu.func @exchange(
// CHECK-SAME: workgroup(%[[W:.+]] : memref<8xi16, #gpu.address_space<workgroup>>)
// CHECK: memref.store %{{.+}}, %[[W]][%{{.+}}] : memref<8xi16, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: gpu.shuffle xor %{{.+}}, %{{.+}}, %{{.+}} : i16
// EVAL: exchange
module attributes {gpu.container_module} {
  func.func @exchange(%a: memref<8xbf16>) -> memref<8xbf16> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %m = gpu.alloc () : memref<8xbf16>
    memref.copy %a, %m : memref<8xbf16> to memref<8xbf16>
    gpu.launch_func @k::@exchange blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%m : memref<8xbf16>)
    return %m : memref<8xbf16>
  }
  gpu.module @k {
    gpu.func @exchange(%a: memref<8xbf16>) workgroup(%w: memref<8xbf16, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %c7 = arith.constant 7 : index
      %one = arith.constant 1 : i32
      %lanes = arith.constant 8 : i32
      %x = memref.load %a[%i] : memref<8xbf16>
      memref.store %x, %w[%i] : memref<8xbf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %j = arith.subi %c7, %i : index
      %y = memref.load %w[%j] : memref<8xbf16, #gpu.address_space<workgroup>>
      %z, %valid = gpu.shuffle xor %y, %one, %lanes : bf16
      %s = arith.addf %z, %x : bf16
      memref.store %s, %a[%i] : memref<8xbf16>
      gpu.return
    }
  }
}

// -----

// Conversions: exact to wider floats, rounded once from f64 and from integers that f32 does not hold; a bitcast is none.
// CHECK-LABEL: gpu.func @conversions(
// CHECK: arith.extf %{{.+}} : bf16 to f64
// CHECK: %[[T:.+]] = arith.truncf %{{.+}} : f64 to bf16
// CHECK-NEXT: arith.bitcast %[[T]] : bf16 to i16
// CHECK: arith.sitofp %{{.+}} : i32 to f32
// CHECK: arith.uitofp %{{.+}} : i64 to f32
// CHECK: arith.fptosi %{{.+}} : f32 to i32
// CHECK-NOT: arith.bitcast %{{.+}} : i16 to i16
// EVAL: conversions arg0=64 arg1=64 arg2=64 arg3=64
module attributes {gpu.container_module} {
  func.func @conversions(%a: memref<64xbf16>, %d: memref<64xf64>, %i: memref<64xi32>, %l: memref<64xi64>) -> (memref<64xbf16>, memref<64xbf16>, memref<64xbf16>, memref<64xf64>, memref<64xi32>, memref<64xi16>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m0 = gpu.alloc () : memref<64xbf16>
    %m1 = gpu.alloc () : memref<64xbf16>
    %m2 = gpu.alloc () : memref<64xbf16>
    %m3 = gpu.alloc () : memref<64xf64>
    %m4 = gpu.alloc () : memref<64xi32>
    %m5 = gpu.alloc () : memref<64xi16>
    gpu.launch_func @k::@conversions blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xbf16>, %d : memref<64xf64>, %i : memref<64xi32>, %l : memref<64xi64>, %m0 : memref<64xbf16>, %m1 : memref<64xbf16>, %m2 : memref<64xbf16>, %m3 : memref<64xf64>, %m4 : memref<64xi32>, %m5 : memref<64xi16>)
    return %m0, %m1, %m2, %m3, %m4, %m5 : memref<64xbf16>, memref<64xbf16>, memref<64xbf16>, memref<64xf64>, memref<64xi32>, memref<64xi16>
  }
  gpu.module @k {
    gpu.func @conversions(%a: memref<64xbf16>, %d: memref<64xf64>, %i: memref<64xi32>, %l: memref<64xi64>, %m0: memref<64xbf16>, %m1: memref<64xbf16>, %m2: memref<64xbf16>, %m3: memref<64xf64>, %m4: memref<64xi32>, %m5: memref<64xi16>) kernel {
      %p = gpu.block_id x
      %x = memref.load %a[%p] : memref<64xbf16>
      %wide = arith.extf %x : bf16 to f64
      memref.store %wide, %m3[%p] : memref<64xf64>
      %y = memref.load %d[%p] : memref<64xf64>
      %narrow = arith.truncf %y : f64 to bf16
      memref.store %narrow, %m0[%p] : memref<64xbf16>
      // Numbers of all magnitudes.
      %n = memref.load %i[%p] : memref<64xi32>
      %big = arith.constant 214748357 : i32
      %n1 = arith.muli %n, %big : i32
      %f = arith.sitofp %n1 : i32 to bf16
      memref.store %f, %m1[%p] : memref<64xbf16>
      %k = memref.load %l[%p] : memref<64xi64>
      %huge = arith.constant 1152921504606846971 : i64
      %k1 = arith.muli %k, %huge : i64
      %pl = arith.index_cast %p : index to i64
      %k2 = arith.shrui %k1, %pl : i64
      %g = arith.uitofp %k2 : i64 to bf16
      memref.store %g, %m2[%p] : memref<64xbf16>
      %whole = arith.fptosi %x : bf16 to i32
      memref.store %whole, %m4[%p] : memref<64xi32>
      %bits = arith.bitcast %x : bf16 to i16
      memref.store %bits, %m5[%p] : memref<64xi16>
      gpu.return
    }
  }
}

// -----

// NaNs that only move keep their payloads; blocks take i16.
// CHECK-LABEL: gpu.func @moves(
// CHECK: arith.constant 32705 : i16
// CHECK: cf.cond_br %{{.+}}, ^[[A:.+]](%{{.+}} : i16), ^[[A]](%{{.+}} : i16)
// CHECK: ^[[A]](%{{.+}}: i16):
// CHECK-NOT: extf
// EVAL: moves
module attributes {gpu.container_module} {
  func.func @moves(%a: memref<4xi16>) -> memref<4xi16> {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = gpu.alloc () : memref<4xbf16>
    gpu.launch_func @k::@moves blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xi16>, %m : memref<4xbf16>)
    %r = memref.alloc() : memref<4xi16>
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.load %m[%i] : memref<4xbf16>
      %y = arith.bitcast %x : bf16 to i16
      memref.store %y, %r[%i] : memref<4xi16>
    }
    return %r : memref<4xi16>
  }
  gpu.module @k {
    gpu.func @moves(%a: memref<4xi16>, %m: memref<4xbf16>) kernel {
      %i = gpu.block_id x
      %c2 = arith.constant 2 : index
      %x = memref.load %a[%i] : memref<4xi16>
      %y = arith.bitcast %x : i16 to bf16
      %nan = arith.constant 0x7FC1 : bf16
      %first = arith.cmpi ult, %i, %c2 : index
      cf.cond_br %first, ^end(%nan : bf16), ^end(%y : bf16)
    ^end(%z: bf16):
      memref.store %z, %m[%i] : memref<4xbf16>
      gpu.return
    }
  }
}
