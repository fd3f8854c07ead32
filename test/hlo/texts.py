# SPDX-License-Identifier: Apache-2.0
"""HLO texts written by hand, for what the grammar allows and dumps seldom show: names, layouts, literals of every type, comments,
instructions without operand types, attributes in any order, programs without HloModule or ENTRY line. name: text."""

TEXTS = {}


def text(name, source): TEXTS[name] = source.strip() + "\n"


def unary(name, opcode, kind="f32", to=None):
    text(name, f"HloModule {name}\nENTRY e {{\n  p = {kind}[7] parameter(0)\n  ROOT r = {to or kind}[7] {opcode}(p)\n}}")


# ---- the frame ----
text("no_module_line", """
ENTRY %main (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  ROOT %add.1 = f32[4]{0} add(f32[4]{0} %p, f32[4]{0} %p)
}""")
text("no_entry_line", """
HloModule only
f {
  p = f32[3] parameter(0)
  ROOT n = f32[3] negate(p)
}""")
text("entry_before_others", """
HloModule m, is_scheduled=true, entry_computation_layout={(f32[4]{0})->f32[]}
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY main { p = f32[4] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=add }
""")
text("comments", """
// a comment before
HloModule comments /* and one behind */
/* of
   several lines */
ENTRY e {
  p = (f32[2], /*index=1*/ s32[3]) parameter(0) // a tuple
  a = f32[2] get-tuple-element(p), index=/* the first */0
  b = s32[3] get-tuple-element(p), index=1
  c = f32[3] convert(b)
  s = f32[2] slice(c), slice={[0:2]}
  ROOT r = f32[2] add(a, /*index=1*/s)
}""")
text("odd_names", """
HloModule odd.names-1
ENTRY %e.f-g_h.0 {
  %p.0 = f32[] parameter(0)
  %add = f32[] add(%p.0, %p.0)
  multiply = f32[] multiply(%add, %p.0)
  %ROOT.x = f32[] subtract(multiply, %add)
  ROOT %tuple-2 = (f32[], f32[]) tuple(%ROOT.x, multiply)
}""")
text("composite", """
HloModule m
half { a = f32[4] parameter(0)  ROOT r = f32[4] multiply(a, a) }
ENTRY e {
  p = f32[4] parameter(0)
  a = f32[4] call(p), to_apply=half, is_composite=true, frontend_attributes={composite.attributes={n = 1 : i64, m = [[0], [1]]},composite.name="my.half",composite.version="2",mine="x"}
  ROOT b = f32[4] call(a), to_apply=half, is_composite=false
}""")
text("names_of_regions", """
HloModule _
region { a = f32[] parameter(0)  ROOT r = f32[] negate(a) }
body.1 { a = f32[] parameter(0)  ROOT r = f32[] call(a), to_apply=region }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY _.-0 {
  %_ = f32[4] parameter(0)
  z = f32[] constant(0)
  sum = f32[] reduce(%_, z), dimensions={0}, to_apply=add
  ROOT r = f32[] call(sum), to_apply=body.1
}""")
text("root_in_the_middle", """
HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  ROOT r = f32[2] exponential(p)
  unused = f32[2] negate(p)
}""")
text("parameters_out_of_order", """
HloModule m
ENTRY e {
  second = s32[2] parameter(1)
  first = f32[2] parameter(0)
  c = f32[2] convert(second)
  ROOT r = f32[2] subtract(first, c)
}""")
text("attributes_in_any_order", """
HloModule m
ENTRY e {
  p = f32[2,3] parameter(0)
  q = f32[4,3] parameter(1)
  ROOT d = f32[2,4] dot(p, q), metadata={op_name="jit(f)/dot \\"quoted\\" {1,0}" source_file="a,b}.py" source_line=3}, rhs_contracting_dims={1}, operand_precision={highest,default}, lhs_contracting_dims={1}, frontend_attributes={a="x=1,}",b="2"}
}""")
text("operand_shapes", """
HloModule m
ENTRY e {
  p = f32[2,3]{0,1} parameter(0)
  q = f32[2,3]{1,0} copy(f32[2,3]{0,1} p)
  t = f32[3,2]{0,1} transpose(f32[2,3]{1,0} q), dimensions={1,0}
  ROOT r = f32[3,2]{1,0} add(f32[3,2]{0,1} t, f32[3,2]{0,1} t)
}""")
text("tiles_and_spaces", """
HloModule m
ENTRY e {
  p = f32[16,16]{1,0:T(8,128)S(1)} parameter(0)
  ROOT r = f32[16,16]{1,0:T(8,128)} add(p, p)
}""")
text("empty_tuple", """
HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  t = () tuple()
  ROOT r = (f32[2], ()) tuple(p, t)
}""")
text("nested_tuples", """
HloModule m
ENTRY e {
  p = ((f32[2], s32[]), f32[3]) parameter(0)
  a = (f32[2], s32[]) get-tuple-element(p), index=0
  b = f32[2] get-tuple-element(a), index=0
  c = f32[3] get-tuple-element(p), index=1
  n = s32[] get-tuple-element(a), index=1
  ROOT r = (f32[3], (s32[], (f32[2]))) tuple(c, x)
  x = (s32[], (f32[2])) tuple(n, y)
  y = (f32[2]) tuple(b)
}""".replace("  ROOT r = (f32[3], (s32[], (f32[2]))) tuple(c, x)\n  x = (s32[], (f32[2])) tuple(n, y)\n  y = (f32[2]) tuple(b)",
             "  y = (f32[2]) tuple(b)\n  x = (s32[], (f32[2])) tuple(n, y)\n  ROOT r = (f32[3], (s32[], (f32[2]))) tuple(c, x)"))
text("control_predecessors", """
HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] negate(p)
  b = f32[2] exponential(p), control-predecessors={a}
  ROOT r = f32[2] add(a, b)
}""")
text("sharded", """
HloModule m
ENTRY e {
  p = f32[4] parameter(0), sharding={replicated}
  ROOT r = f32[4] add(p, p), sharding={maximal device=0}
}""")
text("zero_sizes", """
HloModule m
ENTRY e {
  p = f32[0,3] parameter(0)
  q = f32[2,3] parameter(1)
  ROOT r = f32[2,3] concatenate(p, q), dimensions={0}
}""")

# ---- literals ----
for kind, values in {"pred": "{true, false, 1, 0}", "s8": "{-128, 127, 0, -1}", "u8": "{0, 255, 7, 128}", "s16": "{-32768, 32767, 0, 1}",
                     "u16": "{0, 65535, 1, 2}", "s32": "{-2147483648, 2147483647, 0, 5}", "u32": "{0, 4294967295, 1, 2}",
                     "s64": "{-9223372036854775808, 9223372036854775807, 0, 1}", "u64": "{0, 18446744073709551615, 1, 2}",
                     "f32": "{1e-45, -inf, nan, -0}", "f64": "{1.7976931348623157e+308, 5e-324, inf, -0.0}", "f16": "{65504, -inf, 6e-08, nan}",
                     "bf16": "{3.39e+38, inf, nan, -1.5}", "c64": "{(1, -2), (inf, 0), (0, nan), (-0, 1)}", "c128": "{(1e300, -2), (3, 4), (0, 0), (0.5, -0.25)}",
                     "f8e5m2": "{1, -2, 57344, 0.5}", "f8e4m3fn": "{1, -2, 448, 0.5}", "f8e4m3b11fnuz": "{1, -2, 30, 0.5}",
                     "f8e5m2fnuz": "{1, -2, 57344, 0.5}", "f8e4m3fnuz": "{1, -2, 240, 0.5}", "f8e4m3": "{1, -2, 240, 0.5}", "f8e3m4": "{1, -2, 15.5, 0.5}",
                     "f8e8m0fnu": "{1, 2, 0.5, 4}", "f4e2m1fn": "{1, -2, 6, 0.5}", "s4": "{-8, 7, 0, -1}", "u4": "{0, 15, 1, 2}",
                     "s2": "{-2, 1, 0, -1}", "u2": "{0, 3, 1, 2}"}.items():
    text(f"literal_{kind}", f"HloModule m\nENTRY e {{\n  ROOT c = {kind}[4] constant({values})\n}}")
text("literal_shapes", """
HloModule m
ENTRY e {
  a = f32[2,3] constant({ { 1, 2, 3 }, { 4, 5, 6 } })
  b = f32[2,1,2]{0,1,2} constant({ /*i0=0*/ { /*i1=0*/ {1, 2} }, /*i0=1*/ { {3, 4} } })
  c = f32[0] constant({})
  d = f32[2,0] constant({ {}, {} })
  t = (f32[], s32[2]) constant((7.5, {1, 2}))
  x = f32[] constant(-1.25e2)
  ROOT r = (f32[2,3], f32[2,1,2], f32[0], f32[2,0], f32[], f32[]) tuple(a, b, c, d, x, y)
}""".replace("  t = (f32[], s32[2]) constant((7.5, {1, 2}))\n", "  y = f32[] constant(2.5)\n"))

# ---- opcodes ----
for name, opcode in {"cbrt": "cbrt", "expm1": "exponential-minus-one", "log1p": "log-plus-one", "rne": "round-nearest-even", "rna": "round-nearest-afz",
                     "erf": "erf", "sign": "sign", "tan": "tan", "logistic": "logistic", "rsqrt": "rsqrt", "sinh": "sinh", "acosh": "acosh"}.items():
    unary(f"op_{name}", opcode)
unary("op_clz", "count-leading-zeros", "s32")
unary("op_popcnt", "popcnt", "u8")
unary("op_not", "not", "pred")
unary("op_is_finite", "is-finite", "f32", "pred")
unary("op_bitcast_convert", "bitcast-convert", "f32", "s32")
unary("op_real", "real", "c64", "f32")
unary("op_imag_of_real", "imag", "f32")
for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
    text(f"compare_{direction}", f"HloModule m\nENTRY e {{\n  p = f32[5] parameter(0)\n  q = f32[5] parameter(1)\n  ROOT r = pred[5] compare(p, q), direction={direction}\n}}")
text("compare_total", "HloModule m\nENTRY e {\n  c = f32[5] constant({nan, -nan, -0.0, 0, inf})\n  d = f32[5] constant({-nan, nan, 0, -0.0, nan})\n  ROOT r = pred[5] compare(c, d), direction=LT, type=TOTALORDER\n}")
text("shifts", """
HloModule m
ENTRY e {
  a = s32[6] constant({-7, 7, 1, -1, 5, 9})
  b = s32[6] constant({1, 31, 32, 40, -1, 0})
  l = s32[6] shift-left(a, b)
  r = s32[6] shift-right-arithmetic(a, b)
  u = s32[6] shift-right-logical(a, b)
  ROOT t = (s32[6], s32[6], s32[6]) tuple(l, r, u)
}""")
text("integer_division", """
HloModule m
ENTRY e {
  a = s32[5] constant({7, -7, -2147483648, 3, 0})
  b = s32[5] constant({2, 2, -1, 0, 0})
  d = s32[5] divide(a, b)
  r = s32[5] remainder(a, b)
  ROOT t = (s32[5], s32[5]) tuple(d, r)
}""")
text("windows", """
HloModule m
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b) }
ENTRY e {
  p = f32[1,6,7,2] parameter(0)
  z = f32[] constant(-inf)
  ROOT r = f32[1,3,4,2] reduce-window(p, z), window={size=1x3x2x1 stride=1x2x2x1 pad=0_0x0_1x1_0x0_0 rhs_dilate=1x1x2x1}, to_apply=max
}""".replace("f32[1,3,4,2] reduce-window", "f32[1,3,3,2] reduce-window"))
text("convolution", """
HloModule m
ENTRY e {
  p = f32[2,8,9,4] parameter(0)
  w = f32[3,3,2,6] parameter(1)
  ROOT c = f32[2,4,9,6] convolution(p, w), window={size=3x3 stride=2x1 pad=1_1x1_1 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2
}""")
text("pads", """
HloModule m
ENTRY e {
  p = f32[3,4] parameter(0)
  z = f32[] constant(9)
  ROOT r = f32[6,4] pad(p, z), padding=1_0_1x-1_1
}""")
text("gather", """
HloModule m
ENTRY e {
  p = f32[5,6] parameter(0)
  i = s32[3,1] constant({ {4}, {0}, {9} })
  ROOT g = f32[3,2] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}, indices_are_sorted=false
}""")
text("scatter", """
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  p = f32[5,2] parameter(0)
  i = s32[3,1] constant({ {4}, {0}, {4} })
  u = f32[3,2] parameter(1)
  ROOT g = f32[5,2] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
}""")
text("sort_pairs", """
HloModule m
less { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT l = pred[] compare(a, b), direction=LT }
ENTRY e {
  p = f32[2,9] parameter(0)
  i = s32[2,9] iota(), iota_dimension=1
  ROOT s = (f32[2,9], s32[2,9]) sort(p, i), dimensions={1}, is_stable=true, to_apply=less
}""")
text("topk", "HloModule m\nENTRY e {\n  p = f32[3,9] parameter(0)\n  ROOT t = (f32[3,4], s32[3,4]) topk(p), k=4, largest=true\n}")
text("variadic_reduce", """
HloModule m
r { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = s32[] parameter(3) l = pred[] compare(a, c), direction=GE s = f32[] select(l, a, c) t = s32[] select(l, b, d) ROOT u = (f32[], s32[]) tuple(s, t) }
ENTRY e {
  p = f32[3,5] parameter(0)
  i = s32[3,5] iota(), iota_dimension=1
  z = f32[] constant(-inf)
  n = s32[] constant(0)
  ROOT q = (f32[3], s32[3]) reduce(p, i, z, n), dimensions={1}, to_apply=r
}""")
text("while_loop", """
HloModule m
body { t = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(t), index=0 x = f32[2] get-tuple-element(t), index=1 o = s32[] constant(1) j = s32[] add(i, o) y = f32[2] add(x, x) ROOT r = (s32[], f32[2]) tuple(j, y) }
cond { t = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(t), index=0 n = s32[] constant(5) ROOT l = pred[] compare(i, n), direction=LT }
ENTRY e {
  p = f32[2] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[2]) tuple(z, p)
  w = (s32[], f32[2]) while(t), condition=cond, body=body, backend_config={"known_trip_count":{"n":"5"}}
  ROOT x = f32[2] get-tuple-element(w), index=1
}""")
text("conditional_pred", """
HloModule m
t { p = f32[2] parameter(0) ROOT n = f32[2] negate(p) }
f { p = f32[2] parameter(0) ROOT n = f32[2] exponential(p) }
ENTRY e {
  c = pred[] parameter(0)
  p = f32[2] parameter(1)
  ROOT r = f32[2] conditional(c, p, p), true_computation=t, false_computation=f
}""")
text("conditional_index", """
HloModule m
a { p = f32[2] parameter(0) ROOT n = f32[2] negate(p) }
b { p = s32[] parameter(0) c = f32[] convert(p) ROOT n = f32[2] broadcast(c), dimensions={} }
c { p = () parameter(0) ROOT n = f32[2] constant({8, 9}) }
ENTRY e {
  i = s32[] parameter(0)
  p = f32[2] parameter(1)
  u = () tuple()
  ROOT r = f32[2] conditional(i, p, i, u), branch_computations={a, b, c}
}""")
text("call_twice", """
HloModule m
sq { p = f32[2] parameter(0) ROOT n = f32[2] multiply(p, p) }
ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] call(p), to_apply=sq
  ROOT b = f32[2] call(a), to_apply=sq
}""")
text("map", """
HloModule m
f { p = f32[] parameter(0) q = f32[] parameter(1) ROOT n = f32[] subtract(p, q) }
ENTRY e {
  p = f32[2,3] parameter(0)
  ROOT r = f32[2,3] map(p, p), dimensions={0,1}, to_apply=f
}""")
text("fusion_of_fusion", """
HloModule m
inner { p = f32[4] parameter(0) ROOT n = f32[4] exponential(p) }
outer { p = f32[4] parameter(0) i = f32[4] fusion(p), kind=kLoop, calls=inner ROOT n = f32[4] add(i, p) }
ENTRY e {
  p = f32[4] parameter(0)
  ROOT r = f32[4] fusion(p), kind=kLoop, calls=outer
}""")
text("multi_output_fusion", """
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
f { p = f32[4,3] parameter(0) z = f32[] constant(0) e = f32[4,3] exponential(p) s = f32[4] reduce(e, z), dimensions={1}, to_apply=add ROOT t = (f32[4,3], f32[4]) tuple(e, s) }
ENTRY e {
  p = f32[4,3] parameter(0)
  ROOT r = (f32[4,3], f32[4]) fusion(p), kind=kInput, calls=f
}""")
text("bitcasts", """
HloModule m
ENTRY e {
  p = f32[2,3,4]{2,1,0} parameter(0)
  a = f32[24]{0} bitcast(p)
  b = f32[4,6]{0,1} bitcast(a)
  ROOT c = f32[6,4]{1,0} bitcast(b)
}""")
text("dynamic_slices", """
HloModule m
ENTRY e {
  p = f32[5,6] parameter(0)
  i = s32[] constant(9)
  j = s32[] constant(-3)
  s = f32[2,3] dynamic-slice(p, i, j), dynamic_slice_sizes={2,3}
  ROOT u = f32[5,6] dynamic-update-slice(p, s, j, i)
}""")
text("batched_dot", """
HloModule m
ENTRY e {
  p = f32[3,2,5] parameter(0)
  q = f32[3,5,4] parameter(1)
  ROOT d = f32[3,2,4] dot(p, q), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
}""")
text("scaled_dot", """
HloModule m
ENTRY e {
  a = f8e4m3fn[2,4,64] parameter(0)
  b = f8e4m3fn[2,64,8] parameter(1)
  p = f32[2,4,2] parameter(2)
  q = f32[2,1,8] parameter(3)
  x = f32[2,4,2] exponential(p)
  y = f32[2,1,8] exponential(q)
  sa = f8e8m0fnu[2,4,2] convert(x)
  sb = f8e8m0fnu[2,1,8] convert(y)
  ROOT r = f32[2,4,8] scaled-dot(a, b, sa, sb), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}""")
text("linear_algebra", """
HloModule m
ENTRY e {
  p = f32[3,3] constant({ {4, 1, 0}, {1, 5, 2}, {0, 2, 6} })
  b = f32[3,2] parameter(0)
  c = f32[3,3] cholesky(p), lower=true
  ROOT t = f32[3,2] triangular-solve(c, b), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE
}""")
text("fft", "HloModule m\nENTRY e {\n  p = f32[2,8] parameter(0)\n  ROOT r = c64[2,5] fft(p), fft_type=RFFT, fft_length={8}\n}")
text("norms", """
HloModule m
ENTRY e {
  p = f32[4,3] parameter(0)
  s = f32[3] constant({1, 2, 3})
  o = f32[3] constant({0, 1, 2})
  ROOT b = (f32[4,3], f32[3], f32[3]) batch-norm-training(p, s, o), epsilon=0.001, feature_index=1
}""")
text("reduce_precision", "HloModule m\nENTRY e {\n  p = f32[5] parameter(0)\n  ROOT r = f32[5] reduce-precision(p), exponent_bits=5, mantissa_bits=10\n}")
text("clamp_scalars", """
HloModule m
ENTRY e {
  p = f32[5] parameter(0)
  a = f32[] constant(-0.5)
  b = f32[] constant(0.5)
  l = f32[5] broadcast(a), dimensions={}
  h = f32[5] broadcast(b), dimensions={}
  ROOT r = f32[5] clamp(l, p, h)
}""")
text("optimization_barrier", """
HloModule m
ENTRY e {
  p = f32[5] parameter(0)
  t = (f32[5], f32[5]) tuple(p, p)
  b = (f32[5], f32[5]) opt-barrier(t)
  ROOT r = f32[5] get-tuple-element(b), index=1
}""")
text("reverse_and_select", """
HloModule m
ENTRY e {
  p = f32[2,3] parameter(0)
  r = f32[2,3] reverse(p), dimensions={0,1}
  c = pred[2,3] compare(p, r), direction=GT
  ROOT s = f32[2,3] select(c, p, r)
}""")
text("aliases", """
HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[3]{0}, f32[3]{0})->(f32[3]{0}, f32[3]{0})}, allow_spmd_sharding_propagation_to_output={true,true}, num_partitions=1, replica_count=1, frontend_attributes={x="y"}
ENTRY e {
  p = f32[3]{0} parameter(0)
  q = f32[3]{0} parameter(1)
  a = f32[3]{0} add(p, q)
  ROOT t = (f32[3]{0}, f32[3]{0}) tuple(a, q)
}""")
text("long_lists", "HloModule m\nENTRY e {\n" + "".join(f"  p{i} = f32[] parameter({i})\n" for i in range(12)) +
     "  ROOT t = (" + ", ".join((f"/*index={i}*/" if i and i % 5 == 0 else "") + "f32[]" for i in range(12)) + ") tuple(" +
     ", ".join((f"/*index={i}*/" if i and i % 5 == 0 else "") + f"p{i}" for i in range(12)) + ")\n}")
