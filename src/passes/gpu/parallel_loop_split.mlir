// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --parallel-loop-split --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --parallel-loop-split=threads=64 --cse --split-input-file %s | FileCheck %s --check-prefix=THREADS
// RUN: heddle-opt --target=cuda --parallel-loop-split=grid-limit=4 --cse --split-input-file %s | FileCheck %s --check-prefix=LIMIT

// The seed's example: rows * 256 iterations whose threads work together. The range is a multiple of the block, so there
// is no bounds check, and shared memory is the launch's.
// CHECK-LABEL: @row
// CHECK: %[[N:.*]] = arith.muli
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %c256
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BLOCKS]], %c0
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[COVERS:.*]] = arith.cmpi ule, %[[BLOCKS]], %c2147483647
// CHECK: scf.if %[[COVERS]] {
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c256, {{.*}}) workgroup(%[[S:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[F:.*]] = arith.muli %[[BX]], %c256
// CHECK: %[[ID:.*]] = arith.addi %[[F]], %[[TX]]
// CHECK-NOT: scf.if
// CHECK-NOT: scf.for
// CHECK: %[[T:.*]] = arith.remsi %[[ID]], %c256
// CHECK: memref.store %{{.*}}, %[[S]][%[[T]]]
// CHECK-NOT: alloca
// More rows than a grid has blocks: blocks come again, all threads of one together, and nobody writes shared memory that
// another still reads.
// CHECK: } else {
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%[[GRID:.*]] = %c2147483647, {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in
// CHECK: scf.for %[[B:.*]] = %[[BX]] to %[[BLOCKS]] step %[[GRID]] {
// CHECK: %[[F:.*]] = arith.muli %[[B]], %c256
// CHECK: arith.addi %[[F]], %[[TX]]
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: }
// Threads that work together keep the schedule's block.
// THREADS-LABEL: @row
// THREADS: arith.ceildivui %{{.*}}, %c256
func.func @row(%m: memref<?x?xf32>, %x: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %d = memref.dim %m, %c0 : memref<?x?xf32>
  %n = arith.muli %d, %c256 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = arith.remsi %i, %c256 : index
    %row = arith.divsi %i, %c256 : index
    %v = memref.load %x[] : memref<f32>
    %s = memref.alloca() : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %s[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %m[%row, %t] : memref<?x?xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// An unknown range: one bounds check and no loop where the grid covers it; a second kernel for what it does not cover.
// CHECK-LABEL: @check
// CHECK: arith.cmpi ne
// CHECK: arith.cmpi ule
// CHECK: gpu.launch
// CHECK-NOT: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ID:.*]], %arg1
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.load %arg0[%[[ID]]]
// CHECK-NOT: arith.cmpi
// CHECK: gpu.terminator
// CHECK: {hd.kernel_name = "negate"}
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ID:.*]], %arg1
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.load %arg0[%[[ID]]]
// CHECK-NOT: gpu.barrier
// CHECK: {hd.kernel_name = "negate_strides"}
// THREADS-LABEL: @check
// THREADS: arith.ceildivui %arg1, %c64
func.func @check(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %m[%i] : memref<?xf32>
    scf.reduce
  } {hd.threads = 256 : i64, hd.kernel_name = "negate"}
  return
}

// -----

// A known range that fits into a grid: nothing on the host but the launch; 1000 of 1024 threads work.
// CHECK-LABEL: @known
// CHECK-NOT: scf.for
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c4, {{.*}}) threads({{.*}}) in (%{{.*}} = %c256,
// CHECK: arith.cmpi ult
// Within a limit of 4 blocks of 256.
// LIMIT-LABEL: @known
// LIMIT-NOT: scf.for
// LIMIT: gpu.launch
// THREADS-LABEL: @known
// THREADS: gpu.launch blocks({{.*}}) in (%{{.*}} = %c16, {{.*}}) threads({{.*}}) in (%{{.*}} = %c64,
func.func @known(%m: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<1000xf32>
    memref.store %x, %m[%i] : memref<1000xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// Known to be beyond the limit: one launch of 4 blocks, which go over 5.
// LIMIT-LABEL: @beyond
// LIMIT: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%[[GRID:.*]] = %c4,
// LIMIT: scf.for %{{.*}} = %[[BX]] to %c5 step %[[GRID]]
// LIMIT: arith.cmpi ult
// LIMIT-NOT: gpu.launch
// CHECK-LABEL: @beyond
// CHECK-NOT: scf.for
// CHECK: gpu.launch
func.func @beyond(%m: memref<1025xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1025 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<1025xf32>
    memref.store %x, %m[%i] : memref<1025xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// Nothing to do, nothing launched.
// CHECK-LABEL: @nothing
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @nothing(%m: memref<0xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c0) step (%c1) {
    %x = memref.load %m[%i] : memref<0xf32>
    memref.store %x, %m[%i] : memref<0xf32>
    scf.reduce
  }
  return
}

// -----

// A loop of the host stays on the host.
// CHECK-LABEL: @host
// CHECK: scf.for %[[I:.*]] = %c0 to %arg1 step %c1 {
// CHECK-NEXT: memref.load %arg0[%[[I]]]
// CHECK-NOT: gpu.launch
func.func @host(%m: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<?xi32>
    memref.store %x, %m[%i] : memref<?xi32>
    scf.reduce
  } {hd.host}
  return
}
