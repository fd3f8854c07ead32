// RUN: heddle-opt %s --split-input-file --merge-similar-kernels | FileCheck %s

// An offset (twice), a bound and a factor differ; the step and what is the same in both stay. The first kernel takes all launches.
// CHECK-LABEL: func.func @host
// CHECK-DAG: %[[O:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[N:.*]] = arith.constant 40 : index
// CHECK-DAG: %[[F:.*]] = arith.constant 2.500000e+00 : f32
// CHECK: hd.launch @a extent(%{{.*}}) grain(%{{.*}}) args(%arg0, %[[N]], %[[O]], %[[F]] : memref<?xf32>, index, index, f32)
// CHECK: hd.launch @a extent(%{{.*}}) grain(%{{.*}}) args(%arg1, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xf32>, index, index, f32)
// CHECK: hd.launch @a extent(%{{.*}}) grain(%{{.*}}) args(%arg0, %{{.*}}, %{{.*}}, %{{.*}} : memref<?xf32>, index, index, f32)
// CHECK: func.func private @a(%[[X:.*]]: memref<?xf32> {llvm.noalias}, %[[BOUND:.*]]: index, %[[OFFSET:.*]]: index, %[[FACTOR:.*]]: f32, %[[LOW:.*]]: index, %[[HIGH:.*]]: index)
// CHECK-NEXT: %[[SPLAT:.*]] = vector.broadcast %[[FACTOR]] : f32 to vector<16xf32>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[C16:.*]] = arith.constant 16 : index
// CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[BOUND]] step %[[C16]]
// CHECK: arith.addi %[[I]], %[[OFFSET]]
// CHECK: arith.mulf %{{.*}}, %[[SPLAT]]
// CHECK: arith.cmpi slt, %[[I]], %[[OFFSET]]
// CHECK-NOT: func.func
func.func @host(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  hd.launch @a extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @b extent(%c1) grain(%c1) args(%y : memref<?xf32>)
  hd.launch @b extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  return
}
func.func private @a(%x: memref<?xf32> {llvm.noalias}, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %c5 = arith.constant 5 : index
  %factor = arith.constant dense<2.5> : vector<16xf32>
  scf.for %i = %c0 to %c40 step %c16 {
    %at = arith.addi %i, %c5 : index
    %v = vector.load %x[%at] : memref<?xf32>, vector<16xf32>
    %w = arith.mulf %v, %factor : vector<16xf32>
    %is = arith.cmpi slt, %i, %c5 : index
    scf.if %is {
      vector.store %w, %x[%at] : memref<?xf32>, vector<16xf32>
    }
  }
  return
}
func.func private @b(%x: memref<?xf32> {llvm.noalias}, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 50 : index
  %c5 = arith.constant 7 : index
  %factor = arith.constant dense<-0.5> : vector<16xf32>
  scf.for %i = %c0 to %c40 step %c16 {
    %at = arith.addi %i, %c5 : index
    %v = vector.load %x[%at] : memref<?xf32>, vector<16xf32>
    %w = arith.mulf %v, %factor : vector<16xf32>
    %is = arith.cmpi slt, %i, %c5 : index
    scf.if %is {
      vector.store %w, %x[%at] : memref<?xf32>, vector<16xf32>
    }
  }
  return
}

// -----

// What stays: a divisor, the step of a loop, a factor that folds, a kernel that is not compact, one that a library call is given.
// CHECK-LABEL: func.func @host
// CHECK: hd.launch @divisor_7
// CHECK: hd.launch @divisor_9
// CHECK: hd.launch @step_2
// CHECK: hd.launch @step_4
// CHECK: hd.launch @times_one
// CHECK: hd.launch @times_two
// CHECK: hd.launch @fast_5
// CHECK: hd.launch @fast_6
// CHECK: hd.launch @named_5
// CHECK: hd.kernel_index @named_5
// CHECK: hd.launch @alone_6
// CHECK-COUNT-10: func.func private
func.func @host(%x: memref<?xf32>) -> i64 {
  %c1 = arith.constant 1 : index
  hd.launch @divisor_7 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @divisor_9 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @step_2 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @step_4 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @times_one extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @times_two extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @fast_5 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @fast_6 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  hd.launch @named_5 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  %index = hd.kernel_index @named_5
  hd.launch @alone_6 extent(%c1) grain(%c1) args(%x : memref<?xf32>)
  return %index : i64
}
func.func private @divisor_7(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 7 : index
  %at = arith.divui %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
func.func private @divisor_9(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 9 : index
  %at = arith.divui %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
func.func private @step_2(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 2 : index
  scf.for %i = %low to %high step %c {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %x[%low] : memref<?xf32>
  }
  return
}
func.func private @step_4(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 4 : index
  scf.for %i = %low to %high step %c {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %x[%low] : memref<?xf32>
  }
  return
}
func.func private @times_one(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 1.0 : f32
  %v = memref.load %x[%high] : memref<?xf32>
  %w = arith.mulf %v, %c : f32
  memref.store %w, %x[%low] : memref<?xf32>
  return
}
func.func private @times_two(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 2.0 : f32
  %v = memref.load %x[%high] : memref<?xf32>
  %w = arith.mulf %v, %c : f32
  memref.store %w, %x[%low] : memref<?xf32>
  return
}
func.func private @fast_5(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.kernel} {
  %c = arith.constant 5 : index
  %at = arith.addi %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
func.func private @fast_6(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.kernel} {
  %c = arith.constant 6 : index
  %at = arith.addi %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
func.func private @named_5(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 5 : index
  %at = arith.addi %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
func.func private @alone_6(%x: memref<?xf32>, %low: index, %high: index) attributes {hd.compact, hd.kernel} {
  %c = arith.constant 6 : index
  %at = arith.addi %low, %c : index
  %v = memref.load %x[%at] : memref<?xf32>
  memref.store %v, %x[%low] : memref<?xf32>
  return
}
