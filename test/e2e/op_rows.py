# SPDX-License-Identifier: Apache-2.0
"""The rows of the op sweep (op_sweep.py): a small program per op, at every element type that the op takes.

In a text, {0}, {1}, ... are the types of the operands %0, %1, ..., {r} or {r0}, {r1}, ... of the results, {e} the element
type and {s} its scalar tensor. The dynamic form of a row has `?` for every dim of its operands and results."""
import numpy as np

from op_row import ALL, BOOL, COLUMNS, COMPLEX, FLOATS, INTS, NUMBERS, QUANTIZED, REALS, ROWS, SCALES, SIGNED, UNSIGNED, WIDE, accuracy, row  # noqa: F401

M = [3, 20]  # more than a vector, and a tail

# Elementwise, one operand
for name, types in [
        ("abs", SIGNED + FLOATS), ("cbrt", FLOATS), ("ceil", FLOATS), ("cosine", FLOATS + COMPLEX),
        ("exponential", FLOATS + COMPLEX), ("exponential_minus_one", FLOATS + COMPLEX), ("floor", FLOATS),
        ("logistic", FLOATS + COMPLEX), ("negate", NUMBERS), ("round_nearest_afz", FLOATS),
        ("round_nearest_even", FLOATS), ("sign", SIGNED + FLOATS + COMPLEX), ("sine", FLOATS + COMPLEX), ("tan", FLOATS + COMPLEX),
        ("tanh", FLOATS + COMPLEX), ("not", BOOL + INTS), ("popcnt", INTS), ("count_leading_zeros", INTS)]:
    row(name, types, [M], [M], f"%r = stablehlo.{name} %0 : {{0}}", **accuracy(name))
for name, types in [("log", FLOATS + COMPLEX), ("log_plus_one", FLOATS + COMPLEX), ("rsqrt", FLOATS + COMPLEX), ("sqrt", FLOATS + COMPLEX)]:
    row(name, types, [(M, None, "positive")], [M], f"%r = stablehlo.{name} %0 : {{0}}", **accuracy(name))
row("is_finite", FLOATS, [(M, None, "special")], [(M, "i1")], "%r = stablehlo.is_finite %0 : ({0}) -> {r}")
for part in ("real", "imag"):
    row(part, ["f32", "f64"], [M], [M], f"%r = stablehlo.{part} %0 : ({{0}}) -> {{r}}")
for part in ("real", "imag", "abs"):
    for e in COMPLEX:
        row(part, [e], [M], [(M, e[8:-1])], f"%r = stablehlo.{part} %0 : ({{0}}) -> {{r}}", variant="of_" + e, ulp=0.5 if part == "abs" else 0)
row("complex", ["f32", "f64"], [M, M], [(M, "complex<{e}>")], "%r = stablehlo.complex %0, %1 : {r}")
row("reduce_precision", ["f8E3M4", "f8E4M3", "f8E5M2"] + WIDE, [M], [M], "%r = stablehlo.reduce_precision %0, format = e4m3 : {0}")
for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "cosh", "digamma",
                  "erf", "erf_inv", "erfc", "lgamma", "sinh", "square", "tan"):
    kind = "unit" if name in ("acos", "asin", "atanh", "erf_inv") else "above_one" if name in ("acosh", "lgamma", "digamma") else "any"
    types = FLOATS + (COMPLEX if name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "square", "tan") else [])
    row("chlo." + name, types, [(M, None, kind)], [M], f"%r = chlo.{name} %0 : {{0}} -> {{r}}", **accuracy(name))
for name in ("is_inf", "is_neg_inf", "is_pos_inf"):
    row("chlo." + name, FLOATS, [(M, None, "special")], [(M, "i1")], f"%r = chlo.{name} %0 : {{0}} -> {{r}}")
row("chlo.conj", COMPLEX, [M], [M], "%r = chlo.conj %0 : {0} -> {r}")
row("chlo.constant_like", INTS, [M], [M], '%r = "chlo.constant_like"(%0) {{value = 1 : {e}}} : ({0}) -> {r}')
row("chlo.constant_like", FLOATS, [M], [M], '%r = "chlo.constant_like"(%0) {{value = 1.0 : {e}}} : ({0}) -> {r}', variant="floats")

# Two and three operands
for name, types in [
        ("add", BOOL + NUMBERS), ("atan2", FLOATS + COMPLEX), ("divide", NUMBERS),
        ("maximum", BOOL + NUMBERS), ("minimum", BOOL + NUMBERS), ("multiply", BOOL + NUMBERS), ("remainder", REALS), ("subtract", NUMBERS),
        ("and", BOOL + INTS), ("or", BOOL + INTS), ("xor", BOOL + INTS)]:
    row(name, types, [M, M], [M], f"%r = stablehlo.{name} %0, %1 : {{0}}", **accuracy(name))
row("power", FLOATS + COMPLEX, [(M, None, "positive"), M], [M], "%r = stablehlo.power %0, %1 : {0}", **accuracy("power"))
row("power", INTS, [M, (M, None, "few")], [M], "%r = stablehlo.power %0, %1 : {0}", variant="ints")
for name in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
    row(name, INTS, [M, (M, None, "few")], [M], f"%r = stablehlo.{name} %0, %1 : {{0}}")
for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
    row("compare", ALL, [(M, None, "few"), (M, None, "few")], [(M, "i1")], f"%r = stablehlo.compare {direction}, %0, %1 : ({{0}}, {{1}}) -> {{r}}",
        variant=direction)
row("compare", COMPLEX, [(M, None, "special"), (M, None, "few")], [(M, "i1")], "%r = stablehlo.compare LE, %0, %1 : ({0}, {1}) -> {r}", variant="nan")
row("compare", ["bf16", "f16", "f32", "f64"], [(M, None, "special"), (M, None, "special")], [(M, "i1")],
    "%r = stablehlo.compare LT, %0, %1, TOTALORDER : ({0}, {1}) -> {r}", variant="total")
row("select", ALL, [(M, "i1", "any"), M, M], [M], "%r = stablehlo.select %0, %1, %2 : {0}, {1}")
row("select", ALL, [([], "i1", "any"), M, M], [M], "%r = stablehlo.select %0, %1, %2 : {0}, {1}", variant="scalar")
row("clamp", ALL, [([], None, "low"), M, ([], None, "high")], [M], "%r = stablehlo.clamp %0, %1, %2 : ({0}, {1}, {2}) -> {r}")
row("clamp", REALS + COMPLEX, [(M, None, "low"), M, (M, None, "high")], [M], "%r = stablehlo.clamp %0, %1, %2 : ({0}, {1}, {2}) -> {r}", variant="full")
row("chlo.next_after", FLOATS, [M, M], [M], "%r = chlo.next_after %0, %1 : {0}, {1} -> {r}")
row("chlo.polygamma", FLOATS, [(M, None, "order"), (M, None, "above_one")], [M], "%r = chlo.polygamma %0, %1 : {0}, {1} -> {r}", **accuracy("polygamma"))
row("chlo.zeta", FLOATS, [(M, None, "above_one"), (M, None, "above_one")], [M], "%r = chlo.zeta %0, %1 : {0}, {1} -> {r}", **accuracy("zeta"))
row("chlo.mulhi", INTS, [(M, None, "full"), (M, None, "full")], [M], '%r = "chlo.mulhi"(%0, %1) : ({0}, {1}) -> {r}')
for name, types, first in [
        ("add", BOOL + NUMBERS, "any"), ("and", BOOL + INTS, "any"), ("atan2", FLOATS + COMPLEX, "any"), ("divide", NUMBERS, "any"), ("maximum", BOOL + NUMBERS, "any"),
        ("minimum", BOOL + NUMBERS, "any"), ("multiply", BOOL + NUMBERS, "any"), ("next_after", FLOATS, "any"), ("or", BOOL + INTS, "any"),
        ("polygamma", FLOATS, "order"), ("power", FLOATS + COMPLEX, "positive"), ("remainder", REALS, "any"), ("shift_left", INTS, "any"),
        ("shift_right_arithmetic", INTS, "any"), ("shift_right_logical", INTS, "any"), ("subtract", NUMBERS, "any"), ("xor", BOOL + INTS, "any"),
        ("zeta", FLOATS, "above_one")]:
    second = {"polygamma": "above_one", "zeta": "above_one", "shift_left": "few", "shift_right_arithmetic": "few", "shift_right_logical": "few"}.get(name, "any")
    row("chlo.broadcast_" + name, types, [(M, None, first), ([20], None, second)], [M], f"%r = chlo.broadcast_{name} %0, %1 : ({{0}}, {{1}}) -> {{r}}", **accuracy(name))
row("chlo.broadcast_complex", ["f32", "f64"], [M, [20]], [(M, "complex<{e}>")], "%r = chlo.broadcast_complex %0, %1 : ({0}, {1}) -> {r}")
row("chlo.broadcast_compare", ALL, [(M, None, "few"), ([20], None, "few")], [(M, "i1")],
    "%r = chlo.broadcast_compare %0, %1 {{comparison_direction = #chlo<comparison_direction LT>}} : ({0}, {1}) -> {r}")
row("chlo.broadcast_select", ALL, [(M, "i1", "any"), [20], M], [M], "%r = chlo.broadcast_select %0, %1, %2 : ({0}, {1}, {2}) -> {r}")

# Types
for to in ALL:
    row("convert", [e for e in ALL if e != to], [(M, None, "few" if to == "i1" else "convertible")], [(M, to)], "%r = stablehlo.convert %0 : ({0}) -> {r}", variant="to_" + to)
for a, b, dims, result in [
        ("f32", "i32", M, M), ("i32", "f32", M, M), ("f32", "i8", M, M + [4]), ("i8", "f32", M + [4], M), ("ui8", "i4", M, M + [2]),
        ("i4", "i8", M + [2], M), ("f64", "i32", M, M + [2]), ("i32", "f64", M + [2], M), ("f16", "bf16", M, M), ("i8", "i2", M, M + [4]), ("i2", "i8", M + [4], M),
        ("f8E5M2", "f8E4M3FN", M, M), ("i64", "f16", M, M + [4]), ("ui16", "ui64", M + [4], M), ("ui32", "ui16", M, M + [2]), ("complex<f32>", "complex<f32>", M, M),
        ("bf16", "i16", M, M), ("ui64", "f64", M, M), ("i16", "f16", M, M), ("f4E2M1FN", "ui4", M, M), ("ui4", "f4E2M1FN", M, M), ("ui2", "ui8", M + [4], M),
        ("f8E4M3", "ui8", M, M), ("f8E3M4", "i8", M, M), ("f8E4M3FNUZ", "i8", M, M), ("f8E4M3B11FNUZ", "i8", M, M), ("f8E5M2FNUZ", "i8", M, M),
        ("f8E8M0FNU", "ui8", M, M), ("i1", "i1", M, M)]:
    row("bitcast_convert", [a], [dims], [(result, b)], "%r = stablehlo.bitcast_convert %0 : ({0}) -> {r}", variant=f"{a}_{b}")

# Moving elements
row("iota", [e for e in ALL if e not in BOOL + SCALES], [], [[3, 4]], "%r = stablehlo.iota dim = 1 : {r}", static_only="dynamic_iota")
row("dynamic_iota", [e for e in ALL if e not in BOOL + SCALES], [([2], "i32", "shape:3,4")], [[3, 4]],
    "%r = stablehlo.dynamic_iota %0, dim = 1 : ({0}) -> {r}")
row("constant", ALL, [], [[2, 3]], "%r = stablehlo.constant {constant}", static_only="no operand")
row("broadcast_in_dim", ALL, [[3, 2]], [[2, 20, 3]], "%r = stablehlo.broadcast_in_dim %0, dims = [2, 0] : ({0}) -> {r}", static_only="dynamic_broadcast_in_dim")
row("broadcast", ALL, [[3, 2]], [[4, 3, 2]], "%r = stablehlo.broadcast %0, sizes = [4] : ({0}) -> {r}")
row("dynamic_broadcast_in_dim", ALL, [([3, 1], None, "graded"), ([3], "i64", "shape:2,20,3")], [[2, 20, 3]],
    "%r = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [2, 0] : ({0}, {1}) -> {r}")
row("reshape", ALL, [[3, 20]], [[5, 12]], "%r = stablehlo.reshape %0 : ({0}) -> {r}", static_only="dynamic_reshape")
row("dynamic_reshape", ALL, [[3, 20], ([3], "i32", "shape:5,1,12")], [[5, 1, 12]], "%r = stablehlo.dynamic_reshape %0, %1 : ({0}, {1}) -> {r}")
row("transpose", ALL, [[2, 3, 20]], [[20, 2, 3]], "%r = stablehlo.transpose %0, dims = [2, 0, 1] : ({0}) -> {r}")
row("reverse", ALL, [[3, 20]], [[3, 20]], "%r = stablehlo.reverse %0, dims = [1, 0] : {0}")
row("concatenate", ALL, [[2, 3], [2, 0], [2, 17]], [[2, 20]], "%r = stablehlo.concatenate %0, %1, %2, dim = 1 : ({0}, {1}, {2}) -> {r}")
row("slice", ALL, [[5, 20]], [[2, 5]], "%r = stablehlo.slice %0 [1:4:2, 0:20:4] : ({0}) -> {r}")
row("real_dynamic_slice", ALL, [[5, 20], ([2], "i32", "shape:1,2"), ([2], "i32", "shape:4,19"), ([2], "i32", "shape:2,1")], [[2, 17]],
    "%r = stablehlo.real_dynamic_slice %0, %1, %2, %3 : ({0}, {1}, {2}, {3}) -> {r}")
row("dynamic_slice", ALL, [[4, 20], ([], "i32", "shape:1"), ([], "i32", "shape:19")], [[2, 18]],
    "%r = stablehlo.dynamic_slice %0, %1, %2, sizes = [2, 18] : ({0}, {1}, {2}) -> {r}")
row("dynamic_update_slice", ALL, [[4, 20], [2, 17], ([], "i32", "shape:1"), ([], "i32", "shape:-1")], [[4, 20]],
    "%r = stablehlo.dynamic_update_slice %0, %1, %2, %3 : ({0}, {1}, {2}, {3}) -> {r}")
row("pad", ALL, [[3, 20], []], [[5, 39]], "%r = stablehlo.pad %0, %1, low = [1, -2], high = [1, 2], interior = [0, 1] : ({0}, {1}) -> {r}")
row("dynamic_pad", ALL, [[3, 20], [], ([2], "i32", "shape:1,-2"), ([2], "i32", "shape:1,2"), ([2], "i32", "shape:0,1")], [[5, 39]],
    "%r = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : ({0}, {1}, {2}, {3}, {4}) -> {r}")
row("get_dimension_size", ALL, [[3, 20]], [([], "i32")], "%r = stablehlo.get_dimension_size %0, dim = 1 : ({0}) -> {r}")
G = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
row("gather", ALL, [[5, 20], ([4], "i32", "index")], [[4, 20]],
    f'%r = "stablehlo.gather"(%0, %1) <{{{{dimension_numbers = #stablehlo.gather<{G}>, slice_sizes = array<i64: 1, 20>}}}}> : ({{0}}, {{1}}) -> {{r}}')
for index in ("i8", "ui8", "i64", "ui32"):
    row("gather", ["f32"], [[5, 20], ([4], index, "index")], [[4, 20]],
        f'%r = "stablehlo.gather"(%0, %1) <{{{{dimension_numbers = #stablehlo.gather<{G}>, slice_sizes = array<i64: 1, 20>}}}}> : ({{0}}, {{1}}) -> {{r}}', variant=index)
row("dynamic_gather", ALL, [[5, 20], ([4], "i32", "index"), ([2], "i32", "shape:1,18")], [[4, 18]],
    f'%r = "stablehlo.dynamic_gather"(%0, %1, %2) <{{{{dimension_numbers = #stablehlo.gather<{G}>}}}}> : ({{0}}, {{1}}, {{2}}) -> {{r}}')
row("torch_index_select", ALL, [[5, 20], ([4], "i32", "shape:4,0,2,2")], [[4, 20]],
    '%r = "stablehlo.torch_index_select"(%0, %1) <{{batch_dims = 0 : i64, dim = 0 : i64}}> : ({0}, {1}) -> {r}')
S = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"


def scatter(body):
    return (f'%r = "stablehlo.scatter"(%0, %1, %2) <{{{{scatter_dimension_numbers = #stablehlo.scatter<{S}>, indices_are_sorted = false, unique_indices = false}}}}> '
            f"({{{{\n^bb0(%a: {{s}}, %b: {{s}}):\n{body}\n}}}}) : ({{0}}, {{1}}, {{2}}) -> {{r}}")


def reducer(op):
    return f"({{{{\n^bb0(%a: {{s}}, %b: {{s}}):\n%c = stablehlo.{op} %a, %b : {{s}}\nstablehlo.return %c : {{s}}\n}}}})"


row("scatter", ALL, [[5, 20], ([4, 1], "i32", "index"), [4, 20]], [[5, 20]], scatter("stablehlo.return %b : {s}"), variant="set")
row("scatter", BOOL + NUMBERS, [[5, 20], ([4, 1], "i32", "index"), [4, 20]], [[5, 20]], scatter("%c = stablehlo.add %a, %b : {s}\nstablehlo.return %c : {s}"),
    variant="add", terms=5)

# Reducing
for op, types in [("add", [e for e in BOOL + NUMBERS if e not in SCALES]), ("maximum", BOOL + REALS), ("minimum", REALS), ("multiply", ["i8", "ui32", "f32", "f64", "complex<f32>"]),
                  ("and", BOOL + ["ui8"]), ("or", BOOL + ["i16"]), ("xor", ["i32"])]:
    init = ([], None, {"add": "zero", "or": "zero", "and": "dense", "multiply": "odd", "maximum": "low", "minimum": "most"}.get(op, "any"))
    kind = {"add": "unit", "maximum": "graded", "minimum": "graded", "and": "dense", "or": "sparse", "multiply": "odd"}.get(op, "any")
    for variant, dims, axes, result in [("row", [3, 20], "1", [3]), ("column", [3, 20], "0", [20]), ("all", [3, 20], "0, 1", []), ("middle", [2, 5, 3], "1", [2, 3])]:
        row("reduce", types, [(dims, None, kind), init], [result], f'%r = "stablehlo.reduce"(%0, %1) <{{{{dimensions = array<i64: {axes}>}}}}> {reducer(op)} : ({{0}}, {{1}}) -> {{r}}',
            variant=f"{op}_{variant}", terms=int(np.prod(dims)) // int(np.prod(result)) if op in ("add", "multiply") else 0)
row("reduce", REALS, [([3, 20], None, "graded"), ([3, 20], "i32", "any"), ([], None, "low"), ([], "i32", "any")], [[3], ([3], "i32")], """%r:2 = "stablehlo.reduce"(%0, %1, %2, %3) <{{dimensions = array<i64: 1>}}> ({{
^bb0(%a: {s}, %b: tensor<i32>, %c: {s}, %d: tensor<i32>):
%g = stablehlo.compare GE, %a, %c : ({s}, {s}) -> tensor<i1>
%v = stablehlo.select %g, %a, %c : tensor<i1>, {s}
%t = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
stablehlo.return %v, %t : {s}, tensor<i32>
}}) : ({0}, {1}, {2}, {3}) -> ({r0}, {r1})""", variant="argmax")
W = "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>"
for op, types in [("add", BOOL + NUMBERS), ("maximum", REALS)]:
    row("reduce_window", types, [[4, 20], ([], None, "zero")], [[4, 10]], f'%r = "stablehlo.reduce_window"(%0, %1) <{{{{{W}}}}}> {reducer(op)} : ({{0}}, {{1}}) -> {{r}}',
        variant=op, terms=6 if op == "add" else 0)
row("select_and_scatter", REALS, [[4, 20], [4, 10], ([], None, "zero")], [[4, 20]],
    '%r = "stablehlo.select_and_scatter"(%0, %1, %2) <{{' + W.replace("{", "{{").replace("}", "}}") + '}}> ({{\n^bb0(%a: {s}, %b: {s}):\n'
    "%g = stablehlo.compare GE, %a, %b : ({s}, {s}) -> tensor<i1>\nstablehlo.return %g : tensor<i1>\n}}, {{\n^bb0(%a: {s}, %b: {s}):\n"
    "%c = stablehlo.add %a, %b : {s}\nstablehlo.return %c : {s}\n}}) : ({0}, {1}, {2}) -> {r}", terms=6)
row("select_and_scatter", ["f32", "f64", "bf16", "i32"], [[2, 6, 6, 3], [2, 3, 3, 3], ([], None, "zero")], [[2, 6, 6, 3]],
    '%r = "stablehlo.select_and_scatter"(%0, %1, %2) <{{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}}> ({{\n^bb0(%a: {s}, %b: {s}):\n'
    "%g = stablehlo.compare GE, %a, %b : ({s}, {s}) -> tensor<i1>\nstablehlo.return %g : tensor<i1>\n}}, {{\n^bb0(%a: {s}, %b: {s}):\n"
    "%c = stablehlo.add %a, %b : {s}\nstablehlo.return %c : {s}\n}}) : ({0}, {1}, {2}) -> {r}", terms=2, variant="pool")
for direction in ("LT", "GT"):
    row("sort", BOOL + REALS, [(M, None, "few"), (M, "i32", "any")], [M, (M, "i32")], f"""%r:2 = "stablehlo.sort"(%0, %1) <{{{{dimension = 1 : i64, is_stable = true}}}}> ({{{{
^bb0(%a: {{s}}, %b: {{s}}, %c: tensor<i32>, %d: tensor<i32>):
%l = stablehlo.compare {direction}, %a, %b : ({{s}}, {{s}}) -> tensor<i1>
stablehlo.return %l : tensor<i1>
}}}}) : ({{0}}, {{1}}) -> ({{r0}}, {{r1}})""", variant=direction)
row("sort", ["bf16", "f16", "f32", "f64"], [(M, None, "special")], [M], """%r = "stablehlo.sort"(%0) <{{dimension = 0 : i64}}> ({{
^bb0(%a: {s}, %b: {s}):
%l = stablehlo.compare LT, %a, %b, TOTALORDER : ({s}, {s}) -> tensor<i1>
stablehlo.return %l : tensor<i1>
}}) : ({0}) -> {r}""", variant="total")
row("map", NUMBERS, [M, M], [M], """%r = "stablehlo.map"(%0, %1) <{{dimensions = array<i64: 0, 1>}}> ({{
^bb0(%a: {s}, %b: {s}):
%c = stablehlo.multiply %a, %b : {s}
%d = stablehlo.add %c, %a : {s}
stablehlo.return %d : {s}
}}) : ({0}, {1}) -> {r}""", terms=2)
for op, direction in (("chlo.scan", "false"), ("mhlo.scan", "true")):
    row(op, ALL, [[4, 20], [4]], [[4, 20], [4]], f'%r:2 = "{op}"(%0, %1) <{{{{dimension = 1 : i64, is_reverse = {direction}, operandSegmentSizes = array<i32: 1, 1>, '
        """resultSegmentSizes = array<i32: 1, 1>}}> ({{
^bb0(%x: tensor<{d1}{e}>, %c: tensor<{d1}{e}>):
%n = stablehlo.reverse %c, dims = [0] : tensor<{d1}{e}>
stablehlo.return %c, %x : tensor<{d1}{e}>, tensor<{d1}{e}>
}}) : ({0}, {1}) -> ({r0}, {r1})""")
row("mhlo.associative_scan", REALS, [M, []], [M], """%r = "mhlo.associative_scan"(%0, %1) <{{dimension = 1 : i64}}> ({{
^bb0(%a: {s}, %b: {s}):
%m = stablehlo.maximum %a, %b : {s}
stablehlo.return %m : {s}
}}) : ({0}, {1}) -> {r}""")
row("chlo.top_k", REALS, [M], [([3, 4]), ([3, 4], "i32")], "%r:2 = chlo.top_k(%0, k = 4) : {0} -> ({r0}, {r1})")

# Products
row("dot", BOOL[:0] + NUMBERS, [[3, 20], [20, 17]], [[3, 17]], "%r = stablehlo.dot %0, %1 : ({0}, {1}) -> {r}", terms=20)
row("dot_general", NUMBERS, [[2, 3, 20], [2, 20, 17]], [[2, 3, 17]],
    "%r = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({0}, {1}) -> {r}", terms=20)
for a, b, r in [("i8", "i8", "i32"), ("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("i4", "i4", "i32"), ("f8E4M3FN", "f8E5M2", "f32"), ("f8E4M3FN", "f8E4M3FN", "bf16")]:
    row("dot_general", [a], [[3, 20], ([20, 17], b, "any")], [([3, 17], r)], "%r = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : ({0}, {1}) -> {r}",
        variant=f"{b}_{r}", terms=20)
row("chlo.ragged_dot", [e for e in NUMBERS if e not in SCALES], [[8, 20], [3, 20, 17], ([3], "i32", "shape:3,0,4")], [[8, 17]],
    '%r = "chlo.ragged_dot"(%0, %1, %2) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], '
    "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}}> : ({0}, {1}, {2}) -> {r}", terms=20)
row("einsum", NUMBERS, [[2, 3, 20], [2, 20, 17]], [[2, 3, 17]], '%r = stablehlo.einsum %0, %1, config = "bij,bjk->bik" : ({0}, {1}) -> {r}', terms=20)
row("unary_einsum", NUMBERS, [[3, 20]], [[20, 3]], '%r = "stablehlo.unary_einsum"(%0) <{{einsum_config = "ab->ba"}}> : ({0}) -> {r}')
row("convolution", NUMBERS, [[1, 6, 6, 2], [3, 3, 2, 4]], [[1, 6, 4, 4]],
    "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[1, 1], [0, 0]]}} "
    "{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({0}, {1}) -> {r}", terms=20)
row("dynamic_conv", NUMBERS, [[1, 6, 6, 2], [3, 3, 2, 4], ([2, 2], "i32", "shape:1,1,0,0")], [[1, 6, 4, 4]],
    '%r = "stablehlo.dynamic_conv"(%0, %1, %2) <{{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, '
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64}}> : ({0}, {1}, {2}) -> {r}", terms=20)

# Numeric libraries
for lower in ("true", "false"):
    row("cholesky", WIDE + COMPLEX, [([2, 5, 5], None, "definite")], [[2, 5, 5]], f"%r = stablehlo.cholesky %0, lower = {lower} : {{0}}", variant=lower, terms=64, whole=True)
for left in ("true", "false"):
    for lower in ("true", "false"):
        for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
            types = WIDE + COMPLEX if (left, lower) == ("true", "true") else ["f32", "complex<f64>"]
            row("triangular_solve", types, [([2, 5, 5], None, "definite"), ([2, 5, 3] if left == "true" else [2, 3, 5])], [[2, 5, 3] if left == "true" else [2, 3, 5]],
                f'%r = "stablehlo.triangular_solve"(%0, %1) <{{{{left_side = {left}, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose {transpose}>}}}}> '
                ": ({0}, {1}) -> {r}", variant=f"{left}_{lower}_{transpose}", terms=256, whole=True)
for kind, types, dims, results, length in [
        ("FFT", COMPLEX, [3, 20], [3, 20], "20"), ("IFFT", COMPLEX, [3, 20], [3, 20], "20"), ("FFT", COMPLEX, [2, 7, 6], [2, 7, 6], "7, 6"), ("IFFT", COMPLEX, [2, 4, 3, 5], [2, 4, 3, 5], "4, 3, 5")]:
    row("fft", types, [dims], [results], f"%r = stablehlo.fft %0, type = {kind}, length = [{length}] : ({{0}}) -> {{r}}", variant=f"{kind}_{len(results)}", terms=64, whole=True)
for e, c in (("f32", "complex<f32>"), ("f64", "complex<f64>")):
    row("fft", [e], [[3, 20]], [([3, 11], c)], "%r = stablehlo.fft %0, type = RFFT, length = [20] : ({0}) -> {r}", variant="RFFT", terms=64, whole=True)
    row("fft", [c], [[3, 11]], [([3, 20], e)], "%r = stablehlo.fft %0, type = IRFFT, length = [20] : ({0}) -> {r}", variant="IRFFT_" + c, terms=64, whole=True)
row("batch_norm_training", FLOATS, [[3, 4, 5], [4], [4]], [[3, 4, 5], [4], [4]],
    '%r:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}) -> ({r0}, {r1}, {r2})', terms=64, whole=True)
row("batch_norm_inference", FLOATS, [[3, 4, 5], [4], [4], [4], ([4], None, "positive")], [[3, 4, 5]],
    '%r = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}, {3}, {4}) -> {r}', terms=64, whole=True)
row("batch_norm_grad", FLOATS, [[3, 4, 5], [4], [4], ([4], None, "positive"), [3, 4, 5]], [[3, 4, 5], [4], [4]],
    '%r:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}, {3}, {4}) -> ({r0}, {r1}, {r2})', terms=64, whole=True)

# Random numbers
for algorithm, words in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2), ("DEFAULT", 3)):
    for dims in ([3, 20], [3, 5], []):
        row("rng_bit_generator", BOOL + INTS + ["bf16", "f16", "f32", "f64"] if dims == [3, 20] else ["ui32", "ui64", "ui8"], [([words], "ui64", "state")], [([words], "ui64"), dims],
            f"%r:2 = stablehlo.rng_bit_generator %0, algorithm = {algorithm} : ({{0}}) -> ({{r0}}, {{r1}})", variant=f"{algorithm}_{words}_{len(dims)}_{sum(dims)}",
            static_only="the result's dims are its shape")
row("rng", BOOL + INTS[2:6] + UNSIGNED[2:] + WIDE, [([], None, "low"), ([], None, "high"), ([2], "i64", "shape:3,20")], [[3, 20]],
    "%r = stablehlo.rng %0, %1, %2, distribution = UNIFORM : ({0}, {1}, {2}) -> {r}", variant="uniform", ulp=2, absolute=True)
row("rng", WIDE, [([], None, "zero"), ([], None, "one"), ([2], "i64", "shape:3,20")], [[3, 20]],
    "%r = stablehlo.rng %0, %1, %2, distribution = NORMAL : ({0}, {1}, {2}) -> {r}", variant="normal", ulp=6)

# Control flow, tuples, composites
row("while", ALL, [M], [M], """%n = stablehlo.constant dense<0> : tensor<i32>
%q, %r = stablehlo.while(%i = %n, %v = %0) : tensor<i32>, {0}
cond {{
%ten = stablehlo.constant dense<3> : tensor<i32>
%p = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %p : tensor<i1>
}} do {{
%one = stablehlo.constant dense<1> : tensor<i32>
%j = stablehlo.add %i, %one : tensor<i32>
%w = stablehlo.reverse %v, dims = [1] : {0}
stablehlo.return %j, %w : tensor<i32>, {0}
}}""")
for flag in ("true", "false"):
    row("if", ALL, [M], [M], f"""%p = stablehlo.constant dense<{flag}> : tensor<i1>
%r = "stablehlo.if"(%p) ({{{{
stablehlo.return %0 : {{0}}
}}}}, {{{{
%a = stablehlo.reverse %0, dims = [1] : {{0}}
stablehlo.return %a : {{0}}
}}}}) : (tensor<i1>) -> {{r}}""", variant=flag)
for index in (-1, 0, 1, 7):
    row("case", ALL if index == 1 else ["f32"], [M, ([], "i32", f"shape:{index}")], [M], """%r = "stablehlo.case"(%1) ({{
stablehlo.return %0 : {0}
}}, {{
%a = stablehlo.reverse %0, dims = [1] : {0}
stablehlo.return %a : {0}
}}, {{
%a = stablehlo.reverse %0, dims = [0] : {0}
stablehlo.return %a : {0}
}}) : ({1}) -> {r}""", variant=str(index + 1))
row("tuple", ALL, [M, ([], "i32", "any")], [M, ([], "i32")], """%t = stablehlo.tuple %0, %1 : tuple<{0}, {1}>
%u = stablehlo.tuple %t, %1 : tuple<tuple<{0}, {1}>, {1}>
%v = stablehlo.get_tuple_element %u[0] : (tuple<tuple<{0}, {1}>, {1}>) -> tuple<{0}, {1}>
%r0 = stablehlo.get_tuple_element %v[0] : (tuple<{0}, {1}>) -> {0}
%r1 = stablehlo.get_tuple_element %v[1] : (tuple<{0}, {1}>) -> {1}""")
row("optimization_barrier", ALL, [M], [M], "%r = stablehlo.optimization_barrier %0 : {0}")
row("composite", ALL, [M], [M], '%r = stablehlo.composite "my.turned" %0 {{decomposition = @turned_{tag}}} : ({0}) -> {r}',
    functions="func.func private @turned_{tag}(%0: {0}) -> {r} {{\n%1 = stablehlo.reverse %0, dims = [1] : {0}\nreturn %1 : {0}\n}}\n")

# Collectives of one process
P = "replica_groups = dense<0> : tensor<1x1xi64>"
row("all_gather", ALL, [M], [M], f'%r = "stablehlo.all_gather"(%0) <{{{{all_gather_dim = 1 : i64, {P}}}}}> : ({{0}}) -> {{r}}')
row("all_reduce", BOOL + NUMBERS, [M], [M], f'%r = "stablehlo.all_reduce"(%0) <{{{{{P}}}}}> {reducer("add")} : ({{0}}) -> {{r}}')
row("all_to_all", ALL, [M], [M], f'%r = "stablehlo.all_to_all"(%0) <{{{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, {P}}}}}> : ({{0}}) -> {{r}}')
row("collective_broadcast", ALL, [M], [M], f'%r = "stablehlo.collective_broadcast"(%0) <{{{{{P}}}}}> : ({{0}}) -> {{r}}')
row("collective_permute", ALL, [M], [M], '%r = "stablehlo.collective_permute"(%0) <{{source_target_pairs = dense<0> : tensor<1x2xi64>}}> : ({0}) -> {r}')
row("collective_reduce", BOOL + NUMBERS, [M], [M], f'%r = "stablehlo.collective_reduce"(%0) <{{{{{P}}}}}> {reducer("add")} : ({{0}}) -> {{r}}')
row("cross-replica-sum", NUMBERS, [M], [M], f'%r = "stablehlo.cross-replica-sum"(%0) <{{{{{P}}}}}> : ({{0}}) -> {{r}}')
row("reduce_scatter", BOOL + NUMBERS, [M], [M], f'%r = "stablehlo.reduce_scatter"(%0) <{{{{scatter_dimension = 1 : i64, {P}}}}}> {reducer("add")} : ({{0}}) -> {{r}}')
row("partition_id", ["ui32"], [], [[]], "%r = stablehlo.partition_id : {r}", static_only="no operand")
row("replica_id", ["ui32"], [], [[]], "%r = stablehlo.replica_id : {r}", static_only="no operand")

# Quantized types, entered and left through their floats
for kind in QUANTIZED:
    q = "tensor<3x20x{q}>".replace("{q}", kind)
    row("uniform_quantize", ["quantized"], [(M, "f32", "any")], [(M, "f32")],
        f"%q = stablehlo.uniform_quantize %0 : ({{0}}) -> {{q}}\n%r = stablehlo.uniform_dequantize %q : ({{q}}) -> {{r}}", variant=kind, element=[kind])
ONE = f"tensor<{QUANTIZED[0]}>"  # a scalar, %s
UNARY = ["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log", "log_plus_one", "logistic", "negate",
         "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh", "optimization_barrier"]
BINARY = ["add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
G = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
S = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
AT = "%at = stablehlo.constant dense<[[1], [0], [2]]> : tensor<3x1xi32>\n"
LARGER = f"^bb0(%a: {ONE}, %b: {ONE}):\n%m = stablehlo.maximum %a, %b : {ONE}\nstablehlo.return %m : {ONE}\n}}}}"
USES = {**{n: f"%z = stablehlo.{n} %x : {{q}}" for n in UNARY}, **{n: f"%z = stablehlo.{n} %x, %y : {{q}}" for n in BINARY},
        "transpose": "%z = stablehlo.transpose %x, dims = [0, 1] : ({q}) -> {q}", "reverse": "%z = stablehlo.reverse %x, dims = [1] : {q}",
        "slice": "%z = stablehlo.slice %x [0:3, 0:20] : ({q}) -> {q}",
        "clamp": "%z = stablehlo.clamp %s, %x, %y : (" + ONE + ", {q}, {q}) -> {q}",
        "select": "%c = stablehlo.compare LT, %0, %1 : ({0}, {1}) -> tensor<{d0}i1>\n%z = stablehlo.select %c, %x, %y : tensor<{d0}i1>, {q}",
        "compare": "%c = stablehlo.compare LT, %x, %y : ({q}, {q}) -> tensor<{d0}i1>\n%z = stablehlo.select %c, %x, %y : tensor<{d0}i1>, {q}",
        "concatenate": "%c = stablehlo.concatenate %x, %y, dim = 0 : ({q}, {q}) -> tensor<?x20xQQ>\n"
                       "%z = stablehlo.slice %c [1:4, 0:20] : (tensor<?x20xQQ>) -> {q}",
        "pad": "%z = stablehlo.pad %x, %s, low = [1, 0], high = [-1, 0], interior = [0, 0] : ({q}, " + ONE + ") -> {q}",
        "gather": AT + f'%z = "stablehlo.gather"(%x, %at) <{{{{dimension_numbers = #stablehlo.gather<{G}>, slice_sizes = array<i64: 1, 20>}}}}> '
                       ": ({q}, tensor<3x1xi32>) -> {q}",
        "scatter": AT + f'%z = "stablehlo.scatter"(%x, %at, %y) <{{{{scatter_dimension_numbers = #stablehlo.scatter<{S}>}}}}> ({{{{\n' + LARGER
                   + ") : ({q}, tensor<3x1xi32>, {q}) -> {q}",
        "reduce_window": f'%z = "stablehlo.reduce_window"(%x, %s) <{{{{window_dimensions = array<i64: 1, 1>}}}}> ({{{{\n' + LARGER
                         + ") : ({q}, " + ONE + ") -> {q}",
        "reduce": "%t = stablehlo.reduce(%x init: %s) applies stablehlo.maximum across dimensions = [0] : ({q}, " + ONE + ") -> tensor<20xQQ>\n"
                  "%d = stablehlo.constant dense<[3, 20]> : tensor<2xi32>\n"
                  "%z = stablehlo.dynamic_broadcast_in_dim %t, %d, dims = [1] : (tensor<20xQQ>, tensor<2xi32>) -> {q}",
        "sort": f'%z = "stablehlo.sort"(%x) <{{{{dimension = 1 : i64}}}}> ({{{{\n^bb0(%a: {ONE}, %b: {ONE}):\n%m = stablehlo.compare LT, %a, %b : '
                f'({ONE}, {ONE}) -> tensor<i1>\nstablehlo.return %m : tensor<i1>\n}}}}) : ({{q}}) -> {{q}}'}
for name, use in USES.items():
    row(name, ["quantized"], [(M, "f32", "any" if name == "sign" else "positive"), (M, "f32", "positive")], [(M, "f32")],
        "%x = stablehlo.uniform_quantize %0 : ({0}) -> {q}\n%y = stablehlo.uniform_quantize %1 : ({1}) -> {q}\n%one = stablehlo.constant dense<1.0> : tensor<f32>\n"
        f"%s = stablehlo.uniform_quantize %one : (tensor<f32>) -> {ONE}\n{use}\n%r = stablehlo.uniform_dequantize %z : ({{q}}) -> {{r}}".replace("QQ", QUANTIZED[0]),
        variant="quantized", element=[QUANTIZED[0]])
row("dot_general", ["quantized"], [([3, 20], "f32", "any"), ([20, 4], "f32", "any")], [([3, 4], "f32")],
    "%x = stablehlo.uniform_quantize %0 : ({0}) -> tensor<{d0}!quant.uniform<i8:f32, 0.5:3>>\n"
    "%y = stablehlo.uniform_quantize %1 : ({1}) -> tensor<20x4x!quant.uniform<i8:f32:1, {{0.5, 0.25, 0.125, 1.0}}>>\n"
    "%z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<{d0}!quant.uniform<i8:f32, 0.5:3>>, tensor<20x4x!quant.uniform<i8:f32:1, {{0.5, 0.25, 0.125, 1.0}}>>) "
    "-> tensor<{dr}!quant.uniform<i32:f32:1, {{0.25, 0.125, 0.0625, 0.5}}>>\n"
    "%r = stablehlo.uniform_dequantize %z : (tensor<{dr}!quant.uniform<i32:f32:1, {{0.25, 0.125, 0.0625, 0.5}}>>) -> {r}", variant="quantized",
    static_only="scales along a dim fix it")
row("convolution", ["quantized"], [([1, 6, 6, 2], "f32", "any"), ([3, 3, 2, 4], "f32", "any")], [([1, 4, 4, 4], "f32")],
    "%x = stablehlo.uniform_quantize %0 : ({0}) -> tensor<{d0}!quant.uniform<i8:f32, 0.5:3>>\n"
    "%y = stablehlo.uniform_quantize %1 : ({1}) -> tensor<{d1}!quant.uniform<i8:f32, 0.25>>\n"
    "%z = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{}} "
    "{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<{d0}!quant.uniform<i8:f32, 0.5:3>>, tensor<{d1}!quant.uniform<i8:f32, 0.25>>) -> tensor<{dr}!quant.uniform<i32:f32, 0.125>>\n"
    "%r = stablehlo.uniform_dequantize %z : (tensor<{dr}!quant.uniform<i32:f32, 0.125>>) -> {r}", variant="quantized")

# Ops some form of which has no compiled path.
MISSING = {}
