// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
func.func @f(%a: index, %b: index, %c: i1, %x: f32, %m: memref<4x8xf32>, %i32: i32, %t: tensor<4x8xf32>, %v: vector<4xf32>, %vi: vector<4xi32>, %vm: vector<4xi1>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %cst = arith.constant 1.5 : f32
  %true = arith.constant true
  %d = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %r = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %x) -> (f32) {
    %q = arith.addf %acc, %x fastmath<nnan,ninf> : f32
    scf.yield %q : f32
  }
  scf.for %i = %c3 to %i32 step %c3 : i32 {
    %z = arith.addi %i, %i overflow<nsw, nuw> : i32
  }
  scf.if %c {
    %z = arith.cmpi slt, %a, %b : index
  } else {
    %z = arith.cmpf oeq, %x, %x : f32
  }
  %s = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %r : f32
  }
  %w:2 = scf.while (%p = %a, %q = %x) : (index, f32) -> (index, f32) {
    scf.condition(%c) %p, %q : index, f32
  } do {
  ^bb0(%p: index, %q: f32):
    scf.yield %p, %q : index, f32
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%a, %b) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<4x8xf32>
    scf.reduce
  }
  %pr = scf.parallel (%i) = (%c0) to (%a) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %rr: f32):
      %res = arith.addf %l, %rr : f32
      scf.reduce.return %res : f32
    }
  }
  %fa = scf.forall (%i, %j) in (4, %a) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
    }
  }
  scf.forall (%i) = (%c0) to (%a) step (2) {
  }
  %er = scf.execute_region -> f32 {
    scf.yield %x : f32
  }
  %is = scf.index_switch %a -> f32
  case 2 {
    scf.yield %x : f32
  }
  case 5 {
    scf.yield %x : f32
  }
  default {
    scf.yield %x : f32
  }
  %sel = arith.select %c, %a, %b : index
  %sel2 = arith.select %vm, %vi, %vi : vector<4xi1>, vector<4xi32>
  %ext = arith.extsi %i32 : i32 to i64
  %bc = arith.bitcast %x : f32 to i32
  %ui:2 = arith.mului_extended %i32, %i32 : i32
  %ua, %ub = arith.addui_extended %i32, %i32 : i32, i1
  %tr = arith.truncf %x to_nearest_even : f32 to f16
  %math = math.fma %x, %x, %x : f32
  %math2 = math.exp %v fastmath<fast> : vector<4xf32>
  return %s : f32
}
func.func private @ext(tensor<f32>, i32) -> (f32, (i32) -> i32)
func.func @cf(%c: i1, %x: i32, %f: f32) {
  cf.assert %c, "msg"
  cf.cond_br %c, ^bb1(%x : i32), ^bb2
^bb1(%y: i32):
  cf.switch %y : i32, [
    default: ^bb2,
    42: ^bb1(%x : i32),
    43: ^bb3(%x, %f : i32, f32)
  ]
^bb2:
  cf.br ^bb3(%x, %f : i32, f32)
^bb3(%z: i32, %g: f32):
  cf.cond_br %c weights([1, 2]), ^bb4, ^bb4
^bb4:
  return
}
