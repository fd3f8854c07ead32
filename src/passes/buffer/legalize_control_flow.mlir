// RUN: heddle-opt %s --pass-pipeline='builtin.module(func.func(disc-hlo-legalize-to-lhlo))' --split-input-file --verify-each | FileCheck %s

// A carried value has two buffers that change places: what the body makes is written into the spare one.
// CHECK-LABEL: @loop
// CHECK-DAG: "lmhlo.copy"(%arg0, %[[I:[a-z_0-9]+]])
// CHECK-DAG: "lmhlo.copy"(%arg1, %[[X:[a-z_0-9]+]])
// CHECK: %[[R:.*]]:4 = scf.while (%{{.*}} = %[[I]], %{{.*}} = %[[X]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: "lmhlo.compare"
// CHECK: %[[P:.*]] = memref.load
// CHECK: scf.condition(%[[P]])
// CHECK: ^bb0(%[[I0:[a-z0-9]+]]: memref<i32>, %[[X0:[a-z0-9]+]]: memref<4xf32>, %[[I1:[a-z0-9]+]]: memref<i32>, %[[X1:[a-z0-9]+]]: memref<4xf32>)
// CHECK: "lmhlo.subtract"(%[[I0]], %{{.*}}, %[[I1]])
// CHECK: "lmhlo.add"(%[[X0]], %[[X0]], %[[X1]])
// CHECK-NOT: copy
// CHECK: scf.yield %[[I1]], %[[X1]], %[[I0]], %[[X0]]
// CHECK: return %[[R]]#1
func.func @loop(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %arg0, %x = %arg1) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare GT, %i, %c0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.subtract %i, %c1 : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<4xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// A value that moves on takes its buffer along; the one that it leaves free is the next spare.
// CHECK-LABEL: @moves
// CHECK: ^bb0(%[[A:[a-z0-9]+]]: memref<i32>, %[[B:[a-z0-9]+]]: memref<i32>, %[[N:[a-z0-9]+]]: memref<i32>)
// CHECK: "lmhlo.add"(%[[A]], %[[B]], %[[N]])
// CHECK-NOT: copy
// CHECK: scf.yield %[[B]], %[[N]], %[[A]]
func.func @moves(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
  %r:2 = stablehlo.while(%a = %arg0, %b = %arg1) : tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %b, %n : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}

// -----

// What is yielded twice, or is a buffer of the outside, is copied.
// CHECK-LABEL: @copies
// CHECK: ^bb0(%[[A:[a-z0-9]+]]: memref<i32>, %[[B:[a-z0-9]+]]: memref<i32>, %[[C:[a-z0-9]+]]: memref<i32>, %[[S:[a-z0-9]+]]: memref<i32>, %[[T:[a-z0-9]+]]: memref<i32>)
// CHECK-DAG: "lmhlo.copy"(%[[B]], %[[S]])
// CHECK-DAG: "lmhlo.copy"(%arg2, %[[T]])
// CHECK: scf.yield %[[B]], %[[S]], %[[T]], %[[A]], %[[C]]
func.func @copies(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %r:3 = stablehlo.while(%a = %arg0, %b = %arg1, %c = %arg2) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %b, %b, %arg2 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<i32>, tensor<i32>
}

// -----

// An index out of range takes the last branch.
// CHECK-LABEL: @branches
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<2xf32>
// CHECK: scf.index_switch
// CHECK: case 0
// CHECK: "lmhlo.negate"(%arg1, %[[N:[a-z_0-9]+]])
// CHECK: "lmhlo.copy"(%[[N]], %[[OUT]])
// CHECK: default
// CHECK: "lmhlo.copy"(%arg1, %[[OUT]])
// CHECK: return %[[OUT]]
func.func @branches(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.case"(%arg0) ({
    %n = stablehlo.negate %arg1 : tensor<2xf32>
    stablehlo.return %n : tensor<2xf32>
  }, {
    stablehlo.return %arg1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// A value whose size changes is allocated in the step that makes it, and has no spare.
// CHECK-LABEL: @grows
// CHECK: %[[D:.*]] = memref.dim %arg0
// CHECK: %[[A:.*]] = memref.alloc(%[[D]])
// CHECK: "lmhlo.copy"(%arg0, %[[A]])
// CHECK: %[[R:.*]] = scf.while (%{{.*}} = %[[A]]) : (memref<?xf32>) -> memref<?xf32>
// CHECK: ^bb0(%[[X:.*]]: memref<?xf32>):
// CHECK: memref.dim %[[X]]
// CHECK: %[[NEXT:.*]] = memref.alloc
// CHECK: "lmhlo.concatenate"(%[[X]], %arg0, %[[NEXT]])
// CHECK: scf.yield %[[NEXT]]
// CHECK: hd.spares = 0
// CHECK: return %[[R]]
func.func @grows(%arg0: tensor<?xf32>, %arg1: tensor<i32>) -> tensor<?xf32> {
  %r = stablehlo.while(%x = %arg0) : tensor<?xf32>
  cond {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %p = stablehlo.compare LT, %n, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c = stablehlo.concatenate %x, %arg0, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %c : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Branches of different sizes give their buffers away.
// CHECK-LABEL: @sizes
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (memref<?xf32>) {
// CHECK: "lmhlo.concatenate"(%arg1, %arg1, %[[C:[a-z_0-9]+]])
// CHECK: scf.yield %[[C]]
// CHECK: } else {
// CHECK: "lmhlo.copy"(%arg1, %[[D:[a-z_0-9]+]])
// CHECK: scf.yield %[[D]]
// CHECK: return %[[R]]
func.func @sizes(%arg0: tensor<i1>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.if"(%arg0) ({
    %c = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %c : tensor<?xf32>
  }, {
    stablehlo.return %arg1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
