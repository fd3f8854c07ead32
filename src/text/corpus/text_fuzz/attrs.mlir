#a = affine_map<(d0, d1)[s0] -> (d0 * 2 + s0, d1 floordiv 4, d0 mod 3, -d1 ceildiv 2)>
!t = tensor<4x?xf32>
"test.op"() {a = #a, b = [1, 2 : i32, 1.5, "x\0A", @s::@n, unit, true], c = {d, e = !t}, f = array<i64: 1, -2>,
  g = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, h = dense<"0x01020304"> : tensor<4xi8>, i = dense<(1.0, -2.5)> : tensor<complex<f32>>,
  j = sparse<[[0, 1]], [3]> : tensor<2x2xi32>, k = strided<[?, 1], offset: 4>, l = distinct[0]<42 : i32>, m = 0x7FC00000 : f32,
  n = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>, o = dense_resource<r> : tensor<1xi32>, p = loc(fused<"m">["f":1:2, "n"("g":3:4 to 5:6)]),
  q = #foo<bar [1, {2}]>, r = !foo.bar<"s">, s = #stablehlo.dot<lhs_contracting_dimensions = [1]>, t = #stablehlo<comparison_direction EQ>,
  u = tuple<i1, memref<2x?xf16, strided<[?, 1]>, 3>, vector<[4]x2xbf16>, (i1) -> (f64, none)>,
  v = !quant.uniform<i8<-8:7>:f32:1, {0.5:3, 0.25}>, w = dense<["a", "b"]> : tensor<2x!foo.str>, x = tensor<*xui4>} : () -> () loc(callsite("a" at unknown))
func.func private @f(tensor<2xf32> {x.y = 1}) -> (i32 {z.w}, i1) attributes {no_inline}
{-# dialect_resources: { builtin: { r: "0x0400000001000000" } } #-}
