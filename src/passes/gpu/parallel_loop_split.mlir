// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --parallel-loop-split --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --parallel-loop-split=threads=64 --cse --split-input-file %s | FileCheck %s --check-prefix=THREADS
// RUN: heddle-opt --target=cuda --parallel-loop-split=grid-limit=4 --cse --split-input-file %s | FileCheck %s --check-prefix=LIMIT

// Rows * 256 iterations whose threads work together. The range is a multiple of the block, so there is no bounds check,
// and shared memory is the launch's. Where the threads and the bytes of the buffer are below 2^31 - 1, and a grid covers the
// range, indices are of 32 bits.
// CHECK-LABEL: @row
// CHECK: %[[N:.*]] = arith.muli
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %c256
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BLOCKS]], %c0
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[TOTAL:.*]] = arith.muli %[[BLOCKS]], %c256
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %[[TOTAL]], %c2147483647
// CHECK: %[[BYTES0:.*]] = arith.muli %{{.*}}, %c4
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %[[BYTES0]]
// CHECK: %[[SMALL:.*]] = arith.cmpi ule, %[[BYTES]], %c2147483646
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[SMALL]]
// CHECK: %[[COVERS:.*]] = arith.cmpi ule, %[[BLOCKS]], %c2147483647
// CHECK: %[[ALL:.*]] = arith.andi %[[COVERS]], %[[BOTH]]
// CHECK: scf.if %[[ALL]] {
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c256, {{.*}}) workgroup(%[[S:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[F:.*]] = arith.muli %[[BX]], %c256
// CHECK: %[[ID:.*]] = arith.addi %[[F]], %[[TX]]
// CHECK-NOT: scf.if
// CHECK-NOT: scf.for
// CHECK: %[[T:.*]] = arith.remsi %[[ID]], %c256
// CHECK: memref.store %{{.*}}, %[[S]][%[[T]]]
// CHECK-NOT: alloca
// CHECK: {hd.index_bits = 32 : i64}
// More rows than a grid has blocks: blocks come again, all threads of one together, and nobody writes shared memory that
// another still reads.
// CHECK: } else {
// CHECK: %[[MOST:.*]] = arith.minui %[[BLOCKS]], %c2147483647
// CHECK: gpu.launch blocks(%[[BX:[^,]*]], {{.*}}) in (%[[GRID:[^ ]*]] = %[[MOST]], {{.*}}) threads(%[[TX:[^,]*]], {{.*}}) in
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
// CHECK: {hd.index_bits = 32 : i64, hd.kernel_name = "negate"}
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ID:.*]], %arg1
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.load %arg0[%[[ID]]]
// CHECK-NOT: gpu.barrier
// CHECK: {hd.kernel_name = "negate_64"}
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

// A known range that fits into a grid, and a buffer of known size: nothing on the host but the launch; 1000 of 1024
// threads work, with indices of 32 bits.
// CHECK-LABEL: @known
// CHECK-NOT: scf.for
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c4, {{.*}}) threads({{.*}}) in (%{{.*}} = %c256,
// CHECK: arith.cmpi ult
// CHECK: {hd.index_bits = 32 : i64}
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
// LIMIT-LABEL: @nothing
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

// -----

// 2^29 - 1 elements of 4 bytes are the last that 32 bits do; one more is known to be too large.
// CHECK-LABEL: @below
// CHECK: gpu.launch
// CHECK: {hd.index_bits = 32 : i64}
// CHECK-NOT: gpu.launch
// CHECK-LABEL: @above
// CHECK: gpu.launch
// CHECK-NOT: hd.index_bits
// CHECK: return
func.func @below(%m: memref<536870911xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 536870911 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<536870911xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}
func.func @above(%m: memref<536870912xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 536870912 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i] : memref<536870912xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// What is divided must be right itself: the host bounds it by the sizes of the run. What only an access counts may wrap
// on the way.
// CHECK-LABEL: @divided
// CHECK: %[[LARGE:.*]] = arith.muli %{{.*}}, %arg3
// CHECK: arith.cmpi ule, %[[LARGE]], %c2147483647
// CHECK: hd.index_bits = 32
// CHECK-LABEL: @counted
// CHECK-NOT: arith.muli %{{.*}}, %arg3
// CHECK: scf.if
// CHECK: hd.index_bits = 32
func.func @divided(%m: memref<?xf32>, %x: f32, %n: index, %k: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %p = arith.muli %i, %k : index
    %q = arith.divui %p, %d : index
    memref.store %x, %m[%q] : memref<?xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}
func.func @counted(%m: memref<?xf32>, %x: f32, %n: index, %k: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %p = arith.muli %i, %k : index
    %q = arith.subi %p, %d : index
    memref.store %x, %m[%q] : memref<?xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// A number of 64 bits that a kernel reads has no bound, and no condition is enough where it is divided. Clamped ones
// have.
// CHECK-LABEL: @read
// CHECK: gpu.launch
// CHECK-NOT: hd.index_bits
// CHECK-LABEL: @clamped
// CHECK: hd.index_bits = 32
func.func @read(%m: memref<?xf32>, %s: memref<?xi64>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %s[%i] : memref<?xi64>
    %p = arith.index_cast %v : i64 to index
    %q = arith.divsi %p, %c7 : index
    memref.store %x, %m[%q] : memref<?xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}
func.func @clamped(%m: memref<?xf32>, %s: memref<?xi64>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i64
  %most = arith.constant 1000 : i64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %s[%i] : memref<?xi64>
    %a = arith.maxsi %v, %zero : i64
    %b = arith.minsi %a, %most : i64
    %p = arith.index_cast %b : i64 to index
    %q = arith.divsi %p, %c7 : index
    memref.store %x, %m[%q] : memref<?xf32>
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// -----

// What divides the counter by the block size has the block and the thread.
// CHECK-LABEL: @parts
// CHECK: gpu.launch blocks(%[[BX:[^,]*]], {{.*}}) in {{.*}} threads(%[[TX:[^,]*]],
// CHECK-NOT: arith.remui
// CHECK-NOT: arith.divui
// CHECK: memref.store %[[BX]], %{{.*}}[%[[TX]]]
func.func @parts(%m: memref<64xindex, #gpu.address_space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c640 = arith.constant 640 : index
  scf.parallel (%k) = (%c0) to (%c640) step (%c1) {
    %t = arith.remui %k, %c64 : index
    %b = arith.divui %k, %c64 : index
    memref.store %b, %m[%t] : memref<64xindex, #gpu.address_space<global>>
    scf.reduce
  } {hd.threads = 64 : i64}
  return
}
