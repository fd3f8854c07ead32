// RUN: heddle-opt --legalize-lhlo-control-flow --split-input-file %s | FileCheck %s

// CHECK-LABEL: @while
// CHECK: cf.br ^[[HEAD:bb[0-9]+]]
// CHECK: ^[[HEAD]]:
// CHECK: "lmhlo.compare"(%arg0, %arg1, %[[P:[a-z0-9_]+]])
// CHECK: %[[C:[a-z0-9_]+]] = memref.load %[[P]][] : memref<i1>
// CHECK: cf.cond_br %[[C]], ^[[BODY:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: "lmhlo.add"
// CHECK: cf.br ^[[HEAD]]
// CHECK: ^[[AFTER]]:
// CHECK: return
func.func @while(%i: memref<i32>, %n: memref<i32>, %one: memref<i32>) {
  %p = memref.alloc() : memref<i1>
  "lmhlo.while"(%p) ({
    "lmhlo.compare"(%i, %n, %p) {comparison_direction = #stablehlo<comparison_direction LT>} : (memref<i32>, memref<i32>, memref<i1>) -> ()
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.add"(%i, %one, %i) : (memref<i32>, memref<i32>, memref<i32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i1>) -> ()
  return
}

// -----

// One inside the other.
// CHECK-LABEL: @if_in_while
// CHECK: cf.br ^[[HEAD:bb[0-9]+]]
// CHECK: cf.cond_br %{{.+}}, ^[[BODY:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: memref.load %arg1[]
// CHECK: cf.cond_br %{{.+}}, ^[[YES:bb[0-9]+]], ^[[NO:bb[0-9]+]]
// CHECK: ^[[YES]]:
// CHECK: "lmhlo.negate"
// CHECK: cf.br ^[[MEET:bb[0-9]+]]
// CHECK: ^[[NO]]:
// CHECK: "lmhlo.abs"
// CHECK: cf.br ^[[MEET]]
// CHECK: ^[[MEET]]:
// CHECK: cf.br ^[[HEAD]]
func.func @if_in_while(%p: memref<i1>, %q: memref<i1>, %x: memref<4xf32>) {
  "lmhlo.while"(%p) ({
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.if"(%q, %x) ({
      "lmhlo.negate"(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
      "lmhlo.terminator"() : () -> ()
    }, {
      "lmhlo.abs"(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
      "lmhlo.terminator"() : () -> ()
    }) : (memref<i1>, memref<4xf32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i1>) -> ()
  return
}

// -----

// An index outside takes the last branch.
// CHECK-LABEL: @case
// CHECK: %[[I:[a-z0-9_]+]] = memref.load %arg0[] : memref<i32>
// CHECK: cf.switch %[[I]] : i32, [
// CHECK-NEXT: default: ^[[LAST:bb[0-9]+]],
// CHECK-NEXT: 0: ^[[FIRST:bb[0-9]+]]
// CHECK: ^[[FIRST]]:
// CHECK: "lmhlo.negate"
// CHECK: ^[[LAST]]:
// CHECK: "lmhlo.abs"
func.func @case(%i: memref<i32>, %x: memref<4xf32>) {
  "lmhlo.case"(%i, %x) ({
    "lmhlo.negate"(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.abs"(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i32>, memref<4xf32>) -> ()
  return
}

// -----

// Structured host code: carried buffers are arguments of blocks.
// CHECK-LABEL: @scf
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](%arg1, %arg2 : memref<4xf32>, memref<4xf32>)
// CHECK: ^[[HEAD]](%[[A:[a-z0-9_]+]]: memref<4xf32>, %[[B:[a-z0-9_]+]]: memref<4xf32>):
// CHECK: cf.cond_br %{{.+}}, ^[[BODY:bb[0-9]+]](%[[A]], %[[B]] : memref<4xf32>, memref<4xf32>), ^[[AFTER:bb[0-9]+]](%[[A]], %[[B]] : memref<4xf32>, memref<4xf32>)
// CHECK: ^[[BODY]](%[[C:[a-z0-9_]+]]: memref<4xf32>, %[[D:[a-z0-9_]+]]: memref<4xf32>):
// CHECK: cf.br ^[[HEAD]](%[[D]], %[[C]] : memref<4xf32>, memref<4xf32>)
// CHECK: ^[[AFTER]](%[[E:[a-z0-9_]+]]: memref<4xf32>, %{{.+}}: memref<4xf32>):
// CHECK: return %[[E]]
func.func @scf(%p: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %0:2 = scf.while (%a = %x, %b = %y) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %1 = memref.load %p[] : memref<i1>
    scf.condition(%1) %a, %b : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%c: memref<4xf32>, %d: memref<4xf32>):
    "lmhlo.abs"(%c, %d) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %d, %c : memref<4xf32>, memref<4xf32>
  }
  return %0#0 : memref<4xf32>
}

// -----

// CHECK-LABEL: @for_if_switch
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](%{{.+}}, %{{.+}} : index, i32)
// CHECK: ^[[HEAD]](%[[I:[a-z0-9_]+]]: index, %[[S:[a-z0-9_]+]]: i32):
// CHECK: arith.cmpi slt, %[[I]], %arg0
// CHECK: cf.switch %{{.+}} : i64, [
// CHECK: default
// CHECK: 3:
// CHECK: arith.addi %{{.+}}, %{{.+}} : index
// CHECK: cf.br ^[[HEAD]]
// CHECK: cf.cond_br %arg1
func.func @for_if_switch(%n: index, %p: i1, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> i32 {
    %1 = scf.index_switch %i -> i32
    case 3 {
      scf.yield %v : i32
    }
    default {
      %2 = arith.addi %s, %v : i32
      scf.yield %2 : i32
    }
    scf.yield %1 : i32
  }
  %3 = scf.if %p -> i32 {
    scf.yield %0 : i32
  } else {
    scf.yield %v : i32
  }
  scf.if %p {
    memref.alloc() : memref<4xf32>
  }
  return %3 : i32
}
