// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @ints(%a: i32, %b: i32, %v: vector<4xi32>, %i: index, %w: i64, %p: i1, %t: tensor<2x?xi8>) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %sum, %carry = arith.addui_extended %a, %b : i32, i1
  %2 = arith.subi %v, %v : vector<4xi32>
  %3 = arith.muli %i, %i overflow<nsw> : index
  %lo, %hi = arith.mulsi_extended %a, %b : i32
  %lo2, %hi2 = arith.mului_extended %v, %v : vector<4xi32>
  %4 = arith.divsi %a, %b : i32
  %5 = arith.divui %a, %b exact : i32
  %6 = arith.ceildivsi %a, %b : i32
  %7 = arith.ceildivui %a, %b : i32
  %8 = arith.floordivsi %a, %b : i32
  %9 = arith.remsi %a, %b : i32
  %10 = arith.remui %t, %t : tensor<2x?xi8>
  %11 = arith.andi %a, %b : i32
  %12 = arith.ori %a, %b : i32
  %13 = arith.xori %a, %b : i32
  %14 = arith.shli %a, %b : i32
  %15 = arith.shrsi %a, %b : i32
  %16 = arith.shrui %a, %b exact : i32
  %17 = arith.maxsi %a, %b : i32
  %18 = arith.maxui %a, %b : i32
  %19 = arith.minsi %a, %b : i32
  %20 = arith.minui %a, %b : i32
  %21 = arith.cmpi slt, %a, %b : i32
  %22 = arith.cmpi ne, %v, %v : vector<4xi32>
  %23 = arith.select %p, %a, %b : i32
  %24 = arith.select %22, %v, %v : vector<4xi1>, vector<4xi32>
  %25 = arith.extsi %a : i32 to i64
  %26 = arith.extui %a : i32 to i64
  %27 = arith.trunci %w : i64 to i8
  %28 = arith.trunci %w overflow<nsw> : i64 to i8
  %29 = arith.index_cast %a : i32 to index
  %30 = arith.index_castui %i : index to i64
  %31 = arith.sitofp %a : i32 to f32
  %32 = arith.uitofp %a : i32 to f64
  %33 = arith.bitcast %a : i32 to f32
  %c = arith.constant 5 : i32
  %c1 = arith.constant true
  %c2 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %c3 = arith.constant -1 : index
  return
}
func.func @floats(%a: f32, %b: f32, %v: vector<4xf64>, %h: bf16) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %a, %b fastmath<nnan,contract> : f32
  %2 = arith.subf %a, %b fastmath<fast> : f32
  %3 = arith.mulf %v, %v : vector<4xf64>
  %4 = arith.divf %a, %b : f32
  %5 = arith.remf %a, %b : f32
  %6 = arith.negf %a : f32
  %7 = arith.maximumf %a, %b : f32
  %8 = arith.minimumf %a, %b : f32
  %9 = arith.maxnumf %a, %b : f32
  %10 = arith.minnumf %a, %b : f32
  %11 = arith.cmpf olt, %a, %b : f32
  %12 = arith.cmpf une, %v, %v fastmath<ninf> : vector<4xf64>
  %13 = arith.extf %h : bf16 to f32
  %14 = arith.truncf %a : f32 to bf16
  %15 = arith.truncf %a toward_zero : f32 to f16
  %16 = arith.fptosi %a : f32 to i32
  %17 = arith.fptoui %a : f32 to i64
  %c = arith.constant 1.5 : f32
  %c1 = arith.constant 0x7FC00000 : f32
  return
}
func.func @maths(%a: f32, %i: i32, %v: vector<8xf32>) {
  %0 = math.absf %a : f32
  %1 = math.absi %i : i32
  %2 = math.acos %a : f32
  %3 = math.acosh %a : f32
  %4 = math.asin %a : f32
  %5 = math.asinh %a : f32
  %6 = math.atan2 %a, %a : f32
  %7 = math.atan %a : f32
  %8 = math.atanh %a : f32
  %9 = math.cbrt %a : f32
  %10 = math.ceil %a : f32
  %11 = math.clampf %a to [%a, %a] : f32
  %12 = math.copysign %a, %a : f32
  %13 = math.cos %a : f32
  %14 = math.cosh %a : f32
  %15 = math.ctlz %i : i32
  %16 = math.cttz %i : i32
  %17 = math.ctpop %i : i32
  %18 = math.erf %a : f32
  %19 = math.erfc %a : f32
  %20 = math.exp2 %a : f32
  %21 = math.expm1 %a : f32
  %22 = math.exp %v fastmath<afn> : vector<8xf32>
  %23 = math.fpowi %a, %i : f32, i32
  %24 = math.floor %a : f32
  %25 = math.fma %a, %a, %a : f32
  %26 = math.ipowi %i, %i : i32
  %27 = math.isfinite %a : f32
  %28 = math.isinf %a : f32
  %29 = math.isnan %v : vector<8xf32>
  %30 = math.isnormal %a : f32
  %31 = math.log10 %a : f32
  %32 = math.log1p %a : f32
  %33 = math.log2 %a : f32
  %34 = math.log %a : f32
  %35 = math.powf %a, %a : f32
  %36 = math.roundeven %a : f32
  %37 = math.round %a : f32
  %38 = math.rsqrt %a : f32
  %39 = math.sin %a : f32
  %s, %c = math.sincos %a : f32
  %40 = math.sinh %a : f32
  %41 = math.sqrt %a : f32
  %42 = math.tan %a : f32
  %43 = math.tanh %a : f32
  %44 = math.trunc %a : f32
  return
}
