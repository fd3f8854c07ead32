// SPDX-License-Identifier: Apache-2.0
// Builtin attributes, types, locations and aliases in all spellings, in ops without a row, as MLIR reads and prints them.
// REQUIRES: mlir-opt
// RUN: heddle-opt --allow-unregistered-dialect %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt --allow-unregistered-dialect %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt --allow-unregistered-dialect %t.heddle > %t.again
// RUN: diff %t.again %t.mlir
"t.strings"() {a = "tab\09nl\0Aquote\22back\\nul\00\n\t\"end", b = "\E2\82\AC é", "quoted name" = 1 : i32, "a\22b" = unit, c} : () -> ()
#a_01 = 1 : i64
#b_01 = [#a_01, #a_01]
#c_01 = {x = #b_01, y = #a_01}
!t_01 = tensor<4xf32>
!u_01 = tuple<!t_01, !t_01>
%v0_1_0 = "t.alias"() {c = #c_01} : () -> !u_01
#m_02 = affine_map<(d0)[s0] -> (d0 + s0)>
#m2_02 = affine_map<(d0)[s0] -> (d0 + s0 * 2)>
"t.maps"() {a = #m_02, b = [#m2_02, #m_02], c = affine_map<() -> ()>, d = affine_map<(d0, d1) -> ()>, e = affine_map<() -> (1)>, f = affine_map<(i, j)[N] -> (i * N floordiv 3, -j, j mod 4 + 2 * (i ceildiv 5) - 7)>, g = affine_set<(d0)[s0] : (d0 - 1 >= 0, d0 - s0 == 0)>, h = affine_set<(d0) : ()>, i = affine_set<(d0) : (d0 >= 2, d0 == 3, 0 == 0)>} : () -> ()
"t.loc"() : () -> () loc(callsite("a" at fused<"meta">["x.py":1:2, unknown, "n"("f":3:4)]))
"t.loc"() : () -> () loc(fused["a.py":1:1, callsite("q" at "b.py":2:2)])
"t.loc"() : () -> () loc("f.py":1:2 to 3:4)
"t.loc"() : () -> () loc("f.py":1:2 to :4)
"t.loc"() : () -> () loc("only name")
"t.loc"() {l = loc("x":1:2), m = [loc(unknown), loc("n"("z":5:6))]} : () -> () loc(unknown)
#loc7_03 = loc("k":1:1)
#lc_03 = loc(callsite(#loc7_03 at #loc7_03))
"t.loc"() : () -> () loc(#lc_03)
"t.loc"() : () -> () loc(#loc7_03)
"t.loc"() ({
^bb0(%v0_3_a: i32 loc("arg"), %v0_3_b: f32 loc(fused<#lc_03>[#loc7_03]), %v0_3_c: i32 loc(#lc_03)):
  "t.x"() : () -> () loc("aaa":1:1)
}) : () -> ()
"t.dense"() {
 a = dense<[1, 2, 3]> : tensor<3xi32>, b = dense<true> : tensor<4xi1>, c = dense<[true, false, true]> : tensor<3xi1>, d = dense<[[1.0, 2.5e10], [0x7FC00000, 0xFF800000]]> : tensor<2x2xf32>,
 e = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, f = dense<[(1.0, 2.0), (-3.0, 0.0)]> : tensor<2xcomplex<f64>>, g = dense<(1, 2)> : tensor<complex<i32>>, h = dense<"0x01020304"> : tensor<4xi8>, i = dense<[]> : tensor<0xf32>, j = dense<[[], []]> : tensor<2x0xi32>, k = dense<> : tensor<0xi8>,
 l = dense<[-8, 7, 0, 1]> : tensor<4xi4>, m = dense<"0x0807FF01"> : tensor<4xi4>, n = dense<["a", "b"]> : tensor<2x!t.str>, o = dense<"x"> : tensor<3x!t.str>, p = dense<1.5> : vector<4xbf16>, q = dense<[1.0, -0.0]> : tensor<2xf16>, r = dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>, s = dense<255> : tensor<2xui8>, t = dense<-1> : tensor<2xsi8>, u = dense<[1,2]> : tensor<2xindex>, x = dense<[1, 3]> : tensor<2xi2>, y = dense<1> : tensor<3xi5>
} : () -> ()
"t.dense2"() { c = dense<1.0> : tensor<2xtf32>, d = dense<[1.0, 0.5]> : tensor<2xf4E2M1FN>, e = dense<[1.0, 0.5]> : tensor<2xf6E3M2FN>, f = dense<2.0> : tensor<2xf8E8M0FNU> } : () -> ()
"t.sparse"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, b = sparse<0, 1.0> : tensor<4xf32>, c = sparse<[[0]], [-2.0]> : tensor<1xf32>, d = sparse<[], []> : tensor<3xf32>} : () -> ()
"t.arrays"() {a = array<i32>, b = array<i32: 1, -2>, c = array<i1: true, false>, d = array<f32: 1.0, 0x7F800000>, e = array<i8: -128>, f = array<i64: 9223372036854775807, -9223372036854775808>, g = array<f64: 1.0e-300>} : () -> ()
"t.nums"() {a = -1 : i8, b = 0xFF : i8, c = 255 : ui8, d = -128 : si8, g = 18446744073709551615 : ui64, h = 0xFFFFFFFFFFFFFFFF : i64, i = 1 : index, j = -1 : index, k = true, l = false, m = 1 : i1, n = 0 : i1, o = -1 : i1, p = 3 : i2, q = 1, r = 1.0, s = 0x7FF0000000000000 : f64, t = 0x7FC0 : bf16, u = 1.0e10 : f16, v = 4.9e-324 : f64, w = -0.0 : f32, x = 3.14159274 : f32, y = 0x3C00 : f16} : () -> ()
"t.nums2"() {a = -0x10 : i32, e = 1.0 : tf32, f = 1.0 : f8E5M2, g = 0x7F : f8E4M3FN, h = 1.e+2 : f32} : () -> ()
"t.types"() {a = i1, b = si7, c = ui9, d = i16777215, e = none, f = index, g = () -> (), h = (i32) -> i32, i = (i32, f32) -> (), j = () -> (() -> i32), k = tuple<>, l = tuple<i32, tuple<f32>>, m = complex<i8>, n = vector<f32>, o = vector<[4]xf32>, p = vector<2x[4]x[8]xi1>, q = tensor<*xf32>, r = tensor<?x4xf32>, s = tensor<4xf32, "enc">, t = tensor<?xf32, #t.enc<[1, 2], {a = b}>>, u = memref<*xf32>, v = memref<*xf32, 3>, w = memref<4x?xf32, strided<[?, 1], offset: 3>>, x = memref<4xf32, affine_map<(d0) -> (d0 + 1)>>, y = memref<2x2xf32, affine_map<(d0, d1) -> (d0, d1)>, 1 : i32>, z = tensor<0x1x?xf32>} : () -> ()
"t.opaque"() {a = #t<"x y">, b = #t.x, c = #t.x<y>, d = #t.x<[1, {b = 2}], "str>", (3 -> 4), a<b<c>>>, e = #t<x[1]{2}<3>>, f = #t<x -> y>} : () -> ()
"t.sym"() {a = @f, b = @f::@g::@h, c = @"a b"::@"c\22", d = @"f"} : () -> ()
"t.distinct"() {a = distinct[0]<42 : i32>, b = distinct[0]<42 : i32>, c = distinct[1]<42 : i32>, d = distinct[2]<>, e = distinct[3]<[1, 2]>} : () -> ()
%v0_15_0:2, %v0_15_1, %v0_15_n:3 = "t.multi"() : () -> (i32, i32, f32, i8, i8, i8)
"t.use"(%v0_15_0#1, %v0_15_1, %v0_15_n#2, %v0_15_0#0, %v0_15_n#0) : (i32, f32, i8, i32, i8) -> ()
module @outer attributes {a.b = unit} {
  module @inner attributes {sym_visibility = "private"} {
    module {}
    func.func nested @x()
  }
  "t.inner"() {sym_name = "q", sym_visibility = "nested"} : () -> ()
}
// comment
func.func @blocks(%v0_17_a: i32, %v0_17_b: f32, %v0_17_c: i1) -> (i32, f32) { // trailing
  cf.cond_br %v0_17_c, ^x(%v0_17_a, %v0_17_b : i32, f32), ^y(%v0_17_a, %v0_17_b, %v0_17_c : i32, f32, i1)
^y(%v0_17_p: i32, %v0_17_q: f32, %v0_17_r: i1):   // label
  cf.br ^x(%v0_17_p, %v0_17_q : i32, f32)
^x(%v0_17_s: i32, %v0_17_t: f32):
  cf.switch %v0_17_s : i32, [ default: ^z, 1: ^y(%v0_17_s, %v0_17_t, %v0_17_c : i32, f32, i1), -2: ^z ]
^z:
  return %v0_17_s, %v0_17_t : i32, f32
}
%v0_20_0 = builtin.unrealized_conversion_cast to i32
%v0_20_1:2 = builtin.unrealized_conversion_cast %v0_20_0, %v0_20_0 : i32, i32 to f32, index {a = 1}
%v0_22_x = "t.fwd"(%v0_22_y) : (i32) -> i32
%v0_22_y = "t.fwd"(%v0_22_x) : (i32) -> i32
"t.props"() <{a = 1 : i32, b = [1, 2]}> {c = 3 : i64} : () -> ()
"t.props"() <{a = 2 : i32}> ({
  "t.y"() : () -> ()
}) {a = 3 : i32} : () -> ()
"t.emptydict"() {a = {}, b = [], c = [[]], d = [{}], "x.y" = {"z w" = 1 : i32, k}, e = [unit, true, 1 : i8, "s", i32, @a]} : () -> ()
"t.tuple"() {a = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>} : () -> ()
"t.a"() {n = dense<["a", "b"]> : tensor<2x!t.str>} : () -> ()
"t.a"() {o = dense<"x"> : tensor<3x!t.str>} : () -> ()
"t.a"() {m = dense<"0x0807FF01"> : tensor<4xi4>} : () -> ()
"t.a"() {m = dense<"0x0807FF01"> : tensor<32xi1>} : () -> ()
"t.a"() {k = dense<> : tensor<0xi8>} : () -> ()
"t.a"() {g = dense<(1, 2)> : tensor<complex<i32>>} : () -> ()
"t.a"() {g = dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>, h = dense<"0x01020304"> : tensor<2xcomplex<i8>>, i = dense<(true, false)> : tensor<complex<i1>>} : () -> ()
"t.a"() {g = dense<[0xFF, 0x10]> : tensor<2xi8>, h = dense<[-0x1, 0x7F]> : tensor<2xi8>} : () -> ()
"t.a"() {a = dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi16>, b = dense<"0xDEADBEEF"> : tensor<2xi16>, c = dense<"0x01"> : tensor<4xi8>, d = dense<"0x3F800000"> : tensor<f32>} : () -> ()
"t.a"() {a = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0, 65.0, 66.0, 67.0, 68.0, 69.0, 70.0, 71.0, 72.0, 73.0, 74.0, 75.0, 76.0, 77.0, 78.0, 79.0, 80.0, 81.0, 82.0, 83.0, 84.0, 85.0, 86.0, 87.0, 88.0, 89.0, 90.0, 91.0, 92.0, 93.0, 94.0, 95.0, 96.0, 97.0, 98.0, 99.0, 100.0, 101.0]> : tensor<101xf32>} : () -> ()
"t.a"() {a = 0.1e+1 : f64, b = 1.5E3 : f64, c = 1.E-3 : f64} : () -> ()
"t.a"() {a = @a::@b, b = [@a, @b], c = #t<"">, d = #t<>, e = !t<>, f = !t.x<>} : () -> ()
"t.a"() {a = dense<1> : tensor<2xi8, "enc">, b = dense<1> : tensor<2xi8, #t.enc>, c = dense_resource<x> : tensor<4xf32, "e">} : () -> ()
"t.a"() {a = index, b = #t.x<"a>b">, c = #t.x<(a, b) -> c>, d = #t.x<a -> b>, e = !t.x<a = [b, c], d = {e}>, f = #t.x<@a, #y, !z<1>, 0x12, 1.5>} : () -> ()
"t.a"() {a = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 mod s1, (d0 + d1) floordiv 4 - (s0 ceildiv 2) * 3, -d0 - -d1, 1 - d0, d0 * -1, -(d0 + 1), 2 * d0, d0 * (s0 * 2), (d0 mod 4) mod 2)>} : () -> ()
"t.a"() {a = affine_map<(d0) -> (d0 * 0, d0 + 0, d0 * 1, 4 floordiv 2, 5 mod 3, 5 ceildiv 3, d0 floordiv 1, d0 mod 1, d0 - d0, (d0 * 4) floordiv 2, d0 + d0, 3 * 4 * d0, 1 + d0 + 2)>} : () -> ()
"t.a"() {a = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + s0 >= 0, d0 + 5 == d1, d0 <= 7, d1 mod 2 == 0)>} : () -> ()
func.func private @f(i32 {a.b = 1 : i32}, f32) -> (i32 {c.d}, f32) attributes {x.y}
func.func @"quoted name"() { return }
func.func @g() -> () { return }
func.func @h() -> (() -> ()) { %v1_21_f = func.constant @"quoted name" : () -> () func.return %v1_21_f : () -> () }
func.func private @m() -> (i32 {a.b})
func.func public @n(%v1_21_a: i32 {a.b} loc("x"), %v1_21_b: i32 loc("y":1:2)) { func.call @"quoted name"() : () -> () return loc("r") }
func.func @o() attributes {no_inline} { return }
"t.resources"() {a = dense_resource<b1> : tensor<4xi32>, b = dense_resource<"q s"> : tensor<2xf64>, c = dense_resource<i4r> : tensor<4xi4>, d = dense_resource<i1r> : tensor<4xi1>, e = dense_resource<b1> : tensor<2xi64>, f = dense_resource<missing> : tensor<2xi64>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      b1: "0x1000000001000000020000000300000004000000",
      "q s": "0x08000000000000000000F03F0000000000000040",
      i4r: "0x01000000010F0702",
      i1r: "0x0100000001000101",
      unused: "0x01000000FF"
    }
  }
#-}
