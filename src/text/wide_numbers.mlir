// RUN: heddle-opt %s --allow-unregistered-dialect -o %t.text
// RUN: FileCheck %s < %t.text
// RUN: mlir-opt-22 %s --allow-unregistered-dialect -o %t.mlir
// RUN: heddle-opt %t.mlir --allow-unregistered-dialect | diff %t.text -
// RUN: mlir-opt-22 %t.text --allow-unregistered-dialect | diff %t.mlir -
// RUN: heddle-opt %s --allow-unregistered-dialect --emit-bytecode=plain -o %t.bc
// RUN: mlir-opt-22 %t.bc --allow-unregistered-dialect | diff %t.mlir -
// RUN: mlir-opt-22 %s --allow-unregistered-dialect --emit-bytecode -o %t.mlirbc
// RUN: heddle-opt %t.mlirbc --allow-unregistered-dialect | diff %t.text -
// RUN: heddle-opt %s --allow-unregistered-dialect --verify-roundtrip --canonicalize --cse | FileCheck %s --check-prefix=FOLD
// Numbers of more than 64 bits are read, kept and written as MLIR does, in text and bytecode; folds leave them alone.

// CHECK: func.func @types(%arg0: i128, %arg1: f80, %arg2: f128, %arg3: tensor<2xi65>, %arg4: ui200, %arg5: si16777215)
func.func @types(%a: i128, %b: f80, %c: f128, %d: tensor<2xi65>, %e: ui200, %f: si16777215) {
  return
}

func.func @numbers() {
  // CHECK: %c170141183460469231731687303715884105727_i128 = arith.constant 170141183460469231731687303715884105727 : i128
  %0 = arith.constant 170141183460469231731687303715884105727 : i128
  // CHECK: arith.constant -170141183460469231731687303715884105728 : i128
  %1 = arith.constant -170141183460469231731687303715884105728 : i128
  // CHECK: arith.constant 1208925819614629174706175 : i128
  %2 = arith.constant 0xFFFFFFFFFFFFFFFFFFFF : i128
  // CHECK: arith.constant -1 : i128
  %3 = arith.constant 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF : i128
  // CHECK: %c5_i65 = arith.constant 5 : i65
  %4 = arith.constant 5 : i65
  // CHECK: arith.constant -18446744073709551616 : i65
  %5 = arith.constant -18446744073709551616 : i65
  // CHECK: arith.constant 1.500000e+00 : f80
  %6 = arith.constant 1.5 : f80
  // CHECK: arith.constant 0x7FFF8000000000000000 : f80
  %7 = arith.constant 1.0e4000 : f80
  // CHECK: arith.constant 3.14159265358979311599796346854418516 : f128
  %8 = arith.constant 3.14159265358979323846264338327950288 : f128
  // CHECK: arith.constant -0.000000e+00 : f80
  %9 = arith.constant -0.0 : f80
  // CHECK: arith.constant 0x7FFFC000000000000000 : f80
  %10 = arith.constant 0x7FFFC000000000000000 : f80
  // CHECK: arith.constant 4.94065645841246544177E-324 : f80
  %11 = arith.constant 4.9e-324 : f80
  // CHECK: arith.constant 0xFFFF0000000000000000000000000000 : f128
  %12 = arith.constant 0xFFFF0000000000000000000000000000 : f128
  return
}

func.func @elements() {
  // CHECK: arith.constant dense<[1, -2]> : tensor<2xi128>
  %0 = arith.constant dense<[1, -2]> : tensor<2xi128>
  // CHECK: arith.constant dense<[1, 2]> : tensor<2xi128>
  %1 = arith.constant dense<"0x0100000000000000000000000000000002000000000000000000000000000000"> : tensor<2xi128>
  // CHECK: arith.constant dense<-1> : tensor<3xi65>
  %2 = arith.constant dense<-1> : tensor<3xi65>
  // CHECK: arith.constant dense<[5, -1]> : tensor<2xi65>
  %3 = arith.constant dense<[5, -1]> : tensor<2xi65>
  // CHECK: arith.constant dense<[1.250000e+00, 0x7FFF8000000000000000]> : tensor<2xf80>
  %4 = arith.constant dense<[1.25, 0x7FFF8000000000000000]> : tensor<2xf80>
  // CHECK: arith.constant dense<[0.100000000000000005551115123125782702, 0x7FFF8000000000000000000000000000]> : tensor<2xf128>
  %5 = arith.constant dense<[0.1, 0x7FFF8000000000000000000000000000]> : tensor<2xf128>
  // CHECK: arith.constant dense<[(1,-1), (2,3)]> : tensor<2xcomplex<i128>>
  %6 = arith.constant dense<[(1, -1), (2, 3)]> : tensor<2xcomplex<i128>>
  // CHECK: arith.constant dense<(1.500000e+00,-2.000000e+00)> : tensor<2xcomplex<f80>>
  %7 = arith.constant dense<(1.5, -2.0)> : tensor<2xcomplex<f80>>
  return
}

func.func @attributes() {
  // CHECK: a = 36893488147419103232 : ui128, b = 1.500000e+00 : f80, c = -1 : si100, d = 1.000000e+00 : f80
  "x.y"() {a = 36893488147419103232 : ui128, b = 1.5 : f80, c = -1 : si100, d = 0x3FFF8000000000000000 : f80} : () -> ()
  // CHECK: array<i128: 1, -1>
  "x.y"() {list = array<i128: 1, -1>} : () -> ()
  // CHECK: low = -803469022129495137770981046170581301261101496891396417650688 : i200, wide = 1230231922161117176931558813276752514640713895736833715766118029160058800614672948775360067838593459582429649254051804908512884180898236823585082482065348331234959350355845017413023320111360666922624728239756880416434478315693675013413090757208690376793296658810662941824493488451726505303712916005346747908623702673480919353936813105736620402352744776903840477883651100322409301983488363802930540482487909763484098253940728685132044408863734754271212592471778643949486688511721051561970432780747454823776808464180697103083861812184348565522740195796682622205511845512080552010310050255801589349645928001133745474220715013683413907542779063759833876101354235184245096670042160720629411581502371248008430447184842098610320580417992206662247328722122088513643683907670360209162653670641130936997002170500675501374723998766005827579300723253474890612250135171889174899079911291512399773872178519018230001721 : i65536
  "x.y"() {low = -803469022129495137770981046170581301261101496891396417650688 : i200, wide = 1230231922161117176931558813276752514640713895736833715766118029160058800614672948775360067838593459582429649254051804908512884180898236823585082482065348331234959350355845017413023320111360666922624728239756880416434478315693675013413090757208690376793296658810662941824493488451726505303712916005346747908623702673480919353936813105736620402352744776903840477883651100322409301983488363802930540482487909763484098253940728685132044408863734754271212592471778643949486688511721051561970432780747454823776808464180697103083861812184348565522740195796682622205511845512080552010310050255801589349645928001133745474220715013683413907542779063759833876101354235184245096670042160720629411581502371248008430447184842098610320580417992206662247328722122088513643683907670360209162653670641130936997002170500675501374723998766005827579300723253474890612250135171889174899079911291512399773872178519018230001721 : i65536} : () -> ()
  return
}

// A sum, a comparison and conversions stay; equal constants are one.
// FOLD-LABEL: @fold
func.func @fold(%b: i1) -> (i128, i1, f80, i128, f80) {
  // FOLD-DAG: %[[C:.*]] = arith.constant 18446744073709551616 : i128
  %0 = arith.constant 18446744073709551616 : i128
  %1 = arith.constant 18446744073709551616 : i128
  // FOLD-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f80
  %2 = arith.constant 2.0 : f80
  // FOLD-DAG: %[[I:.*]] = arith.constant 3 : i32
  %3 = arith.constant 3 : i32
  // FOLD: %[[SUM:.*]] = arith.addi %[[C]], %[[C]] : i128
  %4 = arith.addi %0, %1 : i128
  // FOLD: %[[CMP:.*]] = arith.cmpi slt, %[[C]], %[[SUM]] : i128
  %5 = arith.cmpi slt, %0, %4 : i128
  // FOLD: %[[F:.*]] = arith.mulf %[[TWO]], %[[TWO]] : f80
  %6 = arith.mulf %2, %2 : f80
  // FOLD: %[[E:.*]] = arith.extsi %[[I]] : i32 to i128
  %7 = arith.extsi %3 : i32 to i128
  // FOLD: %[[S:.*]] = arith.sitofp %[[I]] : i32 to f80
  %8 = arith.sitofp %3 : i32 to f80
  // FOLD: return %[[SUM]], %[[CMP]], %[[F]], %[[E]], %[[S]]
  return %4, %5, %6, %7, %8 : i128, i1, f80, i128, f80
}
