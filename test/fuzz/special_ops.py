# SPDX-License-Identifier: Apache-2.0
"""Ops at the edges of numbers: indices out of range, windows of no element, infinite weights, computed NaNs, conversions,
complex functions of special parts."""
import math

import numpy as np

from error_model import COMPLEX_UNITS, Bound
from random_programs import COMPLEX, FLOATS, INTS, dtype, int_range, is_complex, is_int, part
from special_case import Case, kind, numbers, shape_text

ELEMENTS = ["f32", "f64", "bf16", "f16", "i8", "i32", "ui8", "i64", "ui4", "i4"]


@kind
def picks(r):
    """gather, torch_index_select, dynamic_slice and the like with indices out of range."""
    t, i = r.choice(ELEMENTS), r.choice(["i8", "ui8", "i32", "ui32", "i64", "ui64", "i16"])
    n, m, k = r.choice([1, 2, 4]), r.choice([1, 3]), r.choice([0, 1, 4])
    x = numbers(r, t, [n, m])
    low, high = int_range(i)
    index = np.array([r.choice([low, high, 0, n, n - 1, -1 if low < 0 else n + 1, high // 2 + 1, 2 ** 31 if high > 2 ** 31 else 1, 2 ** 32 if high > 2 ** 32 else 2]) for _ in range(k)],
                     dtype=object).astype(np.uint64 if i == "ui64" else np.int64).astype(dtype(i))
    q = "?" if r.random() < 0.4 else str(n)
    name = r.choice(["gather", "torch_index_select", "dynamic_slice", "dynamic_update_slice", "scatter"])
    if name == "gather":
        sizes = r.choice([[1, m], [1, 1], [1, 0]])
        body = (f'  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, '
                f"slice_sizes = array<i64: {sizes[0]}, {sizes[1]}>}}> : (tensor<{q}x{m}x{t}>, tensor<{k}x{i}>) -> tensor<{k}x{sizes[1]}x{t}>\n  return %r : tensor<{k}x{sizes[1]}x{t}>\n")
        result = f"tensor<{k}x{sizes[1]}x{t}>"
    elif name == "torch_index_select":
        dim = r.choice([0, 1])
        dims = [k, m] if dim == 0 else [n, k]
        result = f"tensor<{q if dim else dims[0]}x{dims[1]}x{t}>"
        body = f'  %r = "stablehlo.torch_index_select"(%x, %i) <{{dim = {dim} : i64, batch_dims = 0 : i64}}> : (tensor<{q}x{m}x{t}>, tensor<{k}x{i}>) -> {result}\n  return %r : {result}\n'
    else:
        k = 1
        index = index[:1] if len(index) else np.zeros(1, dtype(i))
        body = f"  %s = stablehlo.reshape %i : (tensor<1x{i}>) -> tensor<{i}>\n"
        if name == "dynamic_slice":
            result = f"tensor<1x{m}x{t}>"
            body += f"  %r = stablehlo.dynamic_slice %x, %s, %s, sizes = [1, {m}] : (tensor<{q}x{m}x{t}>, tensor<{i}>, tensor<{i}>) -> {result}\n  return %r : {result}\n"
        elif name == "dynamic_update_slice":
            result = f"tensor<{q}x{m}x{t}>"
            body += (f"  %u = stablehlo.slice %x [0:1, 0:{m}] : ({result}) -> tensor<1x{m}x{t}>\n"
                     f"  %r = stablehlo.dynamic_update_slice %x, %u, %s, %s : ({result}, tensor<1x{m}x{t}>, tensor<{i}>, tensor<{i}>) -> {result}\n  return %r : {result}\n")
        else:
            result = f"tensor<{q}x{m}x{t}>"
            u = "?" if r.random() < 0.5 else "1"
            body += (f'  %u = stablehlo.slice %x [0:1, 0:{m}] : ({result}) -> tensor<1x{m}x{t}>\n  %v = "stablehlo.reverse"(%u) <{{dimensions = array<i64: 0>}}> : (tensor<1x{m}x{t}>) -> tensor<{u}x{m}x{t}>\n'
                     f'  %r = "stablehlo.scatter"(%x, %i, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, '
                     f"unique_indices = false, indices_are_sorted = false}}> ({{\n  ^bb0(%a: tensor<{t}>, %b: tensor<{t}>):\n    %c = stablehlo.add %a, %b : tensor<{t}>\n    stablehlo.return %c : tensor<{t}>\n  }}) : "
                     f"({result}, tensor<{k}x{i}>, tensor<{u}x{m}x{t}>) -> {result}\n  return %r : {result}\n")
    return Case(f"func.func @main(%x: tensor<{q}x{m}x{t}>, %i: tensor<{k}x{i}>) -> {result} {{\n{body}}}\n", [x, index])


def sums(text, t, terms):
    """How far code may be from sums of |terms| products: nothing for integers. Complex products are four real ones."""
    if is_int(t): return {}
    wide = "complex<f64>" if is_complex(t) else "f64"
    return dict(bound=Bound(terms=(4 if is_complex(t) else 1) * (terms + 1)), wide=text(wide))


@kind
def windows(r):
    """convolution and reduce_window: infinite weights and elements, padding, dilation, dims of 0."""
    t = r.choice(["f32", "f32", "f64", "f16", "bf16", "i32", "i8"])
    space = r.choice([1, 2])
    size, window = [r.choice([0, 1, 3, 5]) for _ in range(space)], [r.choice([0, 1, 2, 3]) for _ in range(space)]
    low, high = [r.choice([0, 1, 2]) for _ in range(space)], [r.choice([0, 0, 1, 3]) for _ in range(space)]
    base, dilation, stride = ([r.choice([1, 1, 2, 3]) for _ in range(space)] for _ in range(3))
    out = []
    for d in range(space):
        inside = (0 if size[d] == 0 else (size[d] - 1) * base[d] + 1) + low[d] + high[d]
        span = 0 if window[d] == 0 else (window[d] - 1) * dilation[d] + 1
        out.append(0 if inside == 0 or span > inside else (inside - span) // stride[d] + 1)
    features, kernels = r.choice([1, 2, 8]), r.choice([1, 3, 16])
    x, w = numbers(r, t, [1] + size + [features], huge=False), numbers(r, t, window + [features, kernels], huge=False)
    dynamic = r.random() < 0.4
    names = ", ".join(map(str, range(space)))

    def text(t):
        X, W, R = (shape_text(d, t, dynamic and k != 1) for k, d in enumerate([[1] + size + [features], window + [features, kernels], [1] + out + [kernels]]))
        return (f"func.func @main(%x: {X}, %w: {W}) -> {R} {{\n  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, {names}, f]x[{names}, i, o]->[b, {names}, f], "
                f"window = {{stride = {stride}, pad = {[list(p) for p in zip(low, high)]}, lhs_dilate = {base}, rhs_dilate = {dilation}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({X}, {W}) -> {R}\n"
                f"  return %r : {R}\n}}\n")
    return Case(text(t), [x, w], **sums(text, t, features * int(np.prod(window))))


@kind
def products(r):
    """dot_general of special elements; to integers from floats only where that is allowed."""
    t, to = r.choice([("f32", "f32"), ("f64", "f64"), ("i8", "i32"), ("ui8", "ui32"), ("i4", "i8"), ("bf16", "f32"), ("complex<f32>", "complex<f32>")])
    n, k, m = r.choice([1, 3]), r.choice([0, 1, 4, 17]), r.choice([1, 5])
    x, y = numbers(r, t, [n, k], huge=False), numbers(r, t, [k, m], huge=False)

    def text(t, to):
        X, Y, R = shape_text([n, k], t), shape_text([k, m], t), shape_text([n, m], to)
        return f"func.func @main(%x: {X}, %y: {Y}) -> {R} {{\n  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({X}, {Y}) -> {R}\n  return %r : {R}\n}}\n"
    return Case(text(t, to), [x, y], **sums(lambda wide: text(wide, wide), t, k))


@kind
def counts(r):
    """iota and dynamic_iota of every type."""
    t = r.choice(list(INTS) + ["f32", "bf16", "f16", "f64", "f8E5M2", "f8E4M3FN", "complex<f32>"])
    if t == "i1": return Case("func.func @main() -> tensor<3xi1> {\n  %r = stablehlo.iota dim = 0 : tensor<3xi1>\n  return %r : tensor<3xi1>\n}\n", [], refused=r"'stablehlo.iota' op expects numbers to count with, got i1")
    n = r.choice([0, 1, 2, 3, 5, 9, 17, 300])
    if r.random() < 0.5:
        return Case(f"func.func @main(%n: tensor<1xi32>) -> tensor<?x{t}> {{\n  %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?x{t}>\n  return %r : tensor<?x{t}>\n}}\n", [np.array([n], np.int32)])
    return Case(f"func.func @main() -> tensor<{n}x{t}> {{\n  %r = stablehlo.iota dim = 0 : tensor<{n}x{t}>\n  return %r : tensor<{n}x{t}>\n}}\n", [])


@kind
def orders(r):
    """sort by TOTALORDER and compare of NaNs of both signs, given and computed."""
    t, n = r.choice(["f32", "f64", "f16", "bf16"]), r.choice([1, 2, 7, 40])
    x, y = numbers(r, t, [n]), numbers(r, t, [n])
    compute = r.choice(["add", "subtract", "multiply", "divide", "power", "remainder", "none", "sqrt", "log", "negate", "maximum"])
    line = f"  %z = stablehlo.{compute} %x, %y : tensor<{n}x{t}>\n"
    if compute in ("sqrt", "log", "negate"): line = f"  %z = stablehlo.{compute} %x : tensor<{n}x{t}>\n"
    if compute == "none": line = f"  %z = stablehlo.reverse %x, dims = [0] : tensor<{n}x{t}>\n"
    direction = r.choice(["LT", "GT"])
    text = (f"func.func @main(%x: tensor<{n}x{t}>, %y: tensor<{n}x{t}>) -> (tensor<{n}xi32>, tensor<{n}xi1>) {{\n{line}  %i = stablehlo.iota dim = 0 : tensor<{n}xi32>\n"
            f'  %s:2 = "stablehlo.sort"(%z, %i) <{{dimension = 0 : i64, is_stable = true}}> ({{\n  ^bb0(%a: tensor<{t}>, %b: tensor<{t}>, %c: tensor<i32>, %d: tensor<i32>):\n'
            f"    %p = stablehlo.compare {direction}, %a, %b, TOTALORDER : (tensor<{t}>, tensor<{t}>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  }}) : (tensor<{n}x{t}>, tensor<{n}xi32>) -> (tensor<{n}x{t}>, tensor<{n}xi32>)\n"
            f"  %q = stablehlo.compare {r.choice(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE'])}, %x, %z, TOTALORDER : (tensor<{n}x{t}>, tensor<{n}x{t}>) -> tensor<{n}xi1>\n"
            f"  return %s#1, %q : tensor<{n}xi32>, tensor<{n}xi1>\n}}\n")
    return Case(text, [x, y])


@kind
def scans(r):
    """Running results in every narrow type: each step is rounded."""
    t, n, name = r.choice(["f16", "bf16", "f32", "f8E5M2"]), r.choice([1, 2, 17, 64]), r.choice(["add", "multiply", "maximum"])
    text = (f"func.func @main(%x: tensor<{n}x{t}>, %z: tensor<{t}>) -> tensor<{n}x{t}> {{\n"
            f'  %0:2 = "chlo.scan"(%x, %z) <{{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}}> ({{\n  ^bb0(%a: tensor<{t}>, %b: tensor<{t}>):\n'
            f"    %s = stablehlo.{name} %a, %b : tensor<{t}>\n    stablehlo.return %s, %s : tensor<{t}>, tensor<{t}>\n  }}) : (tensor<{n}x{t}>, tensor<{t}>) -> (tensor<{n}x{t}>, tensor<{t}>)\n"
            f"  return %0#0 : tensor<{n}x{t}>\n}}\n")
    return Case(text, [numbers(r, t, [n], r.random() < 0.3), numbers(r, t, [])])


@kind
def precisions(r):
    """reduce_precision of special values."""
    t, n = r.choice(["f32", "f64", "f16", "bf16"]), 40
    bits = {"f32": 8, "f64": 11, "f16": 5, "bf16": 8}[t]
    e, m = r.randint(1, bits + 1), r.randint(0, FLOATS[t][0] + 1)
    return Case(f"func.func @main(%x: tensor<{n}x{t}>) -> tensor<{n}x{t}> {{\n  %r = stablehlo.reduce_precision %x, format = e{e}m{m} : tensor<{n}x{t}>\n  return %r : tensor<{n}x{t}>\n}}\n", [numbers(r, t, [n])])


@kind
def steps(r):
    """A result of small floats that is read in the same kernel: as another number, in a comparison, by another op."""
    t, n, to = r.choice([f for f in FLOATS if f not in ("f32", "f64")]), 40, r.choice(["f32", "i8", "i32", "ui4", "i1"])
    T = f"tensor<{n}x{t}>"
    first, second = (r.choice(["add", "subtract", "multiply", "divide", "remainder"]) for _ in range(2))
    lines = [f"%a = stablehlo.{first} %x, %y : {T}", f"%s = stablehlo.sqrt %a : {T}", f"%b = stablehlo.{second} %s, %x : {T}",
             f"%p = stablehlo.compare GT, %s, %y, FLOAT : ({T}, {T}) -> tensor<{n}xi1>", f"%c = stablehlo.convert %s : ({T}) -> tensor<{n}x{to}>"]
    types = [T, f"tensor<{n}xi1>", f"tensor<{n}x{to}>"]
    return Case(f"func.func @main(%x: {T}, %y: {T}) -> ({', '.join(types)}) {{\n  " + "\n  ".join(lines) + f"\n  return %b, %p, %c : {', '.join(types)}\n}}\n", [numbers(r, t, [n]), numbers(r, t, [n])])


@kind
def conversions(r):
    """convert between any two types, out of range too."""
    types = list(FLOATS) + list(INTS) + list(COMPLEX)
    a, b, n = r.choice(types), r.choice(types), 40
    return Case(f"func.func @main(%x: tensor<{n}x{a}>) -> tensor<{n}x{b}> {{\n  %r = stablehlo.convert %x : (tensor<{n}x{a}>) -> tensor<{n}x{b}>\n  return %r : tensor<{n}x{b}>\n}}\n", [numbers(r, a, [n])])


def end_part(r, t):
    """A part of a complex number whose modulus overflows, is subnormal, or which is next to a pole."""
    _, largest, exponent, _ = FLOATS[t]
    return r.choice([-1, 1]) * r.choice([largest, largest * r.random(), 2.0 ** exponent * r.random(), 2.0 ** (exponent - FLOATS[t][0]), math.pi / 2 * r.randint(0, 5), 1e-10])


@kind
def complexes(r):
    """Complex functions of special parts: which parts are NaN, infinite or zero, and of which sign."""
    t, n = r.choice(["complex<f32>", "complex<f64>"]), 24
    name = r.choice(["exponential", "exponential_minus_one", "log", "log_plus_one", "sqrt", "rsqrt", "sine", "cosine", "tan", "tanh", "logistic", "abs", "negate", "sign", "cbrt",
                     "chlo.square", "chlo.sinh", "chlo.cosh", "chlo.asinh", "chlo.acosh", "chlo.atanh", "chlo.asin", "chlo.acos", "chlo.atan", "chlo.conj", "multiply", "divide"])
    dialect = name if "." in name else "stablehlo." + name
    to, two = part(t) if name == "abs" else t, name in ("multiply", "divide")
    T, R = f"tensor<{n}x{t}>", f"tensor<{n}x{to}>"
    x = [numbers(r, t, [n], huge=not two) for _ in range(2 if two else 1)]
    if name != "multiply": x[0][: n // 3] = [complex(end_part(r, part(t)), end_part(r, part(t))) for _ in range(n // 3)]
    if name == "divide": x[1][: n // 3] = [complex(z.imag * r.uniform(0.5, 1), z.real) for z in x[0][: n // 3]]  # no part of the quotient overflows
    if name in ("chlo.asinh", "chlo.acosh", "chlo.atanh", "chlo.asin", "chlo.acos", "chlo.atan"):  # of NaN parts some part is NaN: which one is not promised
        x[0] = np.where(np.isnan(x[0]), 1, x[0]).astype(dtype(t))
    args = ", ".join(f"%x{k}: {T}" for k in range(len(x)))
    text = f'func.func @main({args}) -> {R} {{\n  %r = "{dialect}"({", ".join(f"%x{k}" for k in range(len(x)))}) : ({", ".join([T] * len(x))}) -> {R}\n  return %r : {R}\n}}\n'
    return Case(text, x, bound=Bound(modulus=COMPLEX_UNITS.get(name.removeprefix("chlo."), 0), ulps=4))
