# SPDX-License-Identifier: Apache-2.0
"""Small random programs at the edges of numbers: the evaluator against compiled code, bit for bit, and quantized values
against the specification's formulas in numpy.

  special_values.py --seconds 60 --seed 1              programs of the seeds 1, 2, 3, ... until the time is over
  special_values.py --kind quantized --count 500       of one kind
  special_values.py --one 17 [--kind K]                the program of one seed, printed and run

A program is one op with what it needs, all of its parameters random: quantized types (storage, bounds, scales, zero points,
axes), indices out of range, windows of no element, infinite weights, computed NaNs. Values are the special ones of their
types among random ones. Programs that the verifier must refuse are made too: accepting one is a failure."""
import argparse
import collections
import os
import random
import sys
import time

import ml_dtypes
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "eval"), os.path.join(HERE, "..", "..", "front", "python")]

import libheddle  # noqa: E402
from heddle import HeddleError  # noqa: E402
from heddle.runtime import Runtime, compile_program  # noqa: E402
from random_programs import FLOATS, INTS, dtype, int_range, is_complex, is_float, is_int, part  # noqa: E402

KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


class Case:
    """|text| with a @main of |inputs|; |expected|: arrays or None where there is no oracle; |refused|: must not verify."""

    def __init__(self, text, inputs, expected=None, refused=False, error=0.0):
        self.text, self.inputs, self.expected, self.refused, self.error = text, inputs, expected, refused, error


def shape_text(dims, element, dynamic=False): return "tensor<" + "".join(f"{'?' if dynamic else d}x" for d in dims) + element + ">"


def numbers(r, t, dims, special=True, huge=True):
    """Random elements of |t|, a third of them special: infinities, NaN, zeros, ends, ties; without |huge| none whose sum
    overflows in one order and not in another."""
    count = int(np.prod(dims))
    if is_complex(t):
        out = np.empty(dims, dtype(t))
        out.real, out.imag = numbers(r, part(t), dims, special, huge), numbers(r, part(t), dims, special, huge)
        return out
    if is_int(t):
        low, high = int_range(t)
        ends = [low, high, 0, 1, low + 1, high - 1, high // 2]
        out = np.array([r.choice(ends) if special and r.random() < 0.3 else r.randint(max(low, -50), min(high, 50)) for _ in range(count)],
                       dtype=object).astype(np.uint64 if t == "ui64" else np.int64).reshape(dims)
        return out.astype(np.int8).view(dtype(t)) if t in ("i2", "i4") else out.astype(dtype(t))  # extended, as programs store them
    largest = FLOATS[t][1]
    ends = [np.inf, -np.inf, np.nan, 0.0, -0.0, largest, -largest, 2.0 ** FLOATS[t][2], 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, 3e9, -3e9, 2.0 ** 63, 1e-3]
    if not huge: ends = [x for x in ends if not 100 < abs(x) < np.inf]
    with np.errstate(all="ignore"):
        return np.array([r.choice(ends) if special and r.random() < 0.4 else r.uniform(-6, 6) for _ in range(count)]).reshape(dims).astype(dtype(t))


# ---- quantized types ----

class Quantized:
    """A random quantized type; |axis| -1 for one scale, else as many scales as |dims|[axis]."""

    def __init__(self, r, dims, axis=-1, expressed=None, bits=None):
        self.bits = bits or r.choice([2, 4, 4, 8, 8, 8, 16, 32])
        self.signed = r.random() < 0.6
        self.low = -2 ** (self.bits - 1) if self.signed else 0
        self.high = self.low + 2 ** self.bits - 1
        self.bounds = r.random() < 0.4
        if self.bounds:
            a, b = r.randint(self.low, self.high), r.randint(self.low, self.high)
            if a != b: self.low, self.high = min(a, b), max(a, b)
        self.expressed = expressed or r.choice(["f32", "f32", "f32", "f64", "bf16", "f16"])
        self.axis = axis
        count = 1 if axis < 0 else dims[axis]
        self.scales = [r.choice([0.5, 0.25, 1.0, 0.1, 0.003, 2.0, 7.3, 0.75]) for _ in range(count)]
        self.zeros = [r.choice([self.low, self.high, max(self.low, min(self.high, 0)), r.randint(self.low, self.high)]) for _ in range(count)]

    def text(self, axis=None):
        axis = self.axis if axis is None else axis
        storage = f"{'i' if self.signed else 'u'}{self.bits}" + (f"<{self.low}:{self.high}>" if self.bounds else "")
        items = [f"{s:e}:{z}" for s, z in zip(self.scales, self.zeros)]
        return f"!quant.uniform<{storage}:{self.expressed}" + (f":{axis}, {{{', '.join(items)}}}>" if axis >= 0 else f", {items[0]}>")

    def stored(self):
        return ("" if self.signed else "u") + f"i{self.bits}"

    def spread(self, values, dims):
        """A list of one per slice in the shape of the tensor."""
        x = np.asarray(values, np.float64)
        if self.axis < 0: return np.broadcast_to(x[0], dims)
        return np.broadcast_to(x.reshape([-1 if i == self.axis else 1 for i in range(len(dims))]), dims)

    def round(self, x):
        """Once to the expressed type, as f64."""
        with np.errstate(all="ignore"): return np.asarray(x, np.float64).astype(dtype(self.expressed)).astype(np.float64)

    def quantize(self, x):
        """The specification's quantize on floats of the expressed type (as f64): stored integers."""
        with np.errstate(all="ignore"):
            dims = np.shape(x)
            y = self.round(x / self.round(self.spread(self.scales, dims)))
            y = self.round(y + self.round(self.spread(self.zeros, dims)))
            y = np.where(np.isnan(y), y, np.minimum(np.maximum(y, self.round(self.low)), self.round(self.high)))
            return np.clip(np.nan_to_num(np.round(y), nan=0.0, posinf=2.0 ** 40, neginf=-2.0 ** 40).astype(np.int64), self.low, self.high)

    def dequantize(self, stored):
        dims = np.shape(stored)
        y = self.round(stored.astype(np.float64) - self.spread(self.zeros, dims))
        return self.round(y * self.round(self.spread(self.scales, dims)))


UNARY = {"abs": np.abs, "negate": np.negative, "ceil": np.ceil, "floor": np.floor, "sign": lambda x: np.where(x == 0, x, np.sign(x))}
BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum}


def raw(name, x, q, dims, to, dynamic=False):
    """Line that gives |name| as the f64 or integer values behind quantized |x|: its expressed numbers."""
    return f"  %{name} = stablehlo.uniform_dequantize %{x} : ({shape_text(dims, q, dynamic)}) -> {shape_text(dims, to, dynamic)}\n"


@kind
def quantized(r):
    """Quantize, compute, quantize to another type, move; what is stored comes out by dequantizing."""
    dims = [r.choice([1, 2, 3, 5]) for _ in range(r.choice([1, 2, 2, 3]))]
    axis = r.randrange(len(dims)) if r.random() < 0.35 else -1
    a = Quantized(r, dims, axis)
    name = r.choice(list(UNARY) + list(BINARY) * 2 + ["uniform_quantize"] * 3)
    bits = None if name == "uniform_quantize" else a.bits  # ops have one storage type
    b = Quantized(r, dims, axis if r.random() < 0.5 else -1, a.expressed, bits)
    c = Quantized(r, dims, axis if r.random() < 0.5 else -1, a.expressed, bits)
    e, dynamic = a.expressed, r.random() < 0.3
    x, y = numbers(r, e, dims), numbers(r, e, dims)
    t, A, B, C = [shape_text(dims, k, dynamic) for k in (e, a.text(), b.text(), c.text())]
    qa, qb = a.quantize(x.astype(np.float64)), b.quantize(y.astype(np.float64))
    text = f"func.func @main(%x: {t}, %y: {t}) -> {t} {{\n  %a = stablehlo.uniform_quantize %x : ({t}) -> {A}\n  %b = stablehlo.uniform_quantize %y : ({t}) -> {B}\n"
    with np.errstate(all="ignore"):
        if name in UNARY: result, operands, types = a.round(UNARY[name](a.dequantize(qa))), "%a", A
        elif name in BINARY: result, operands, types = a.round(BINARY[name](a.dequantize(qa), b.dequantize(qb))), "%a, %b", f"{A}, {B}"
        else: result, operands, types = a.dequantize(qa), "%a", A
    text += f'  %c = "stablehlo.{name}"({operands}) : ({types}) -> {C}\n' + raw("r", "c", c.text(), dims, e, dynamic) + f"  return %r : {t}\n}}\n"
    return Case(text, [x, y], [c.dequantize(c.quantize(result)).astype(dtype(e))])


@kind
def quantized_stored(r):
    """What stands in memory: arguments, constants and results of quantized types."""
    dims = [r.choice([1, 2, 3]) for _ in range(2)]
    a = Quantized(r, dims)
    t, A = shape_text(dims, a.expressed), shape_text(dims, a.text())
    x = numbers(r, a.expressed, dims)
    stored = a.quantize(x.astype(np.float64))
    text = f"func.func @main(%x: {t}) -> {A} {{\n  %a = stablehlo.uniform_quantize %x : ({t}) -> {A}\n"
    wanted = stored
    if r.random() < 0.4:
        number = r.randint(a.low, a.high)
        text += f"  %k = stablehlo.constant() {{value = dense<{number - (2 ** a.bits if number >= 2 ** (a.bits - 1) else 0)}> : {shape_text(dims, f'i{a.bits}')}}} : () -> {A}\n"
        text += f"  %a1 = stablehlo.reverse %k, dims = [0] : {A}\n  return %a1 : {A}\n}}\n"
        wanted = np.full(dims, number)
    elif r.random() < 0.5:
        text += f"  %a1 = stablehlo.reverse %a, dims = [0] : {A}\n  return %a1 : {A}\n}}\n"
        wanted = stored[::-1]
    else: text += f"  return %a : {A}\n}}\n"
    return Case(text, [x], [wanted.astype(np.int8).view(dtype(a.stored())) if a.bits < 8 else wanted.astype(dtype(a.stored()))])


@kind
def quantized_region(r):
    """Reductions whose body quantizes at every step."""
    n, m = r.choice([1, 2, 3]), r.choice([1, 2, 5, 9])
    a = Quantized(r, [n, m])
    e = a.expressed
    x = numbers(r, e, [n, m])
    q, s = a.text(), a.quantize(x.astype(np.float64))
    name = r.choice(["add", "maximum", "multiply", "minimum"])
    zero = r.choice([0.0, 1.0, -3.0])
    acc = np.broadcast_to(a.quantize(np.float64(zero)), [n])
    with np.errstate(all="ignore"):
        for k in range(m): acc = a.quantize(a.round(BINARY[name](a.dequantize(acc), a.dequantize(s[:, k]))))
    text = (f"func.func @main(%x: tensor<{n}x{m}x{e}>) -> tensor<{n}x{e}> {{\n  %a = stablehlo.uniform_quantize %x : (tensor<{n}x{m}x{e}>) -> tensor<{n}x{m}x{q}>\n"
            f"  %z = stablehlo.constant dense<{zero:e}> : tensor<{e}>\n  %i = stablehlo.uniform_quantize %z : (tensor<{e}>) -> tensor<{q}>\n"
            f'  %r = "stablehlo.reduce"(%a, %i) <{{dimensions = array<i64: 1>}}> ({{\n  ^bb0(%p: tensor<{q}>, %q: tensor<{q}>):\n    %s = stablehlo.{name} %p, %q : tensor<{q}>\n'
            f"    stablehlo.return %s : tensor<{q}>\n  }}) : (tensor<{n}x{m}x{q}>, tensor<{q}>) -> tensor<{n}x{q}>\n" + raw("d", "r", q, [n], e) + f"  return %d : tensor<{n}x{e}>\n}}\n")
    return Case(text, [x], [a.dequantize(acc).astype(dtype(e))])


@kind
def quantized_product(r):
    """Products of constants and of arguments, folded or compiled."""
    n, k, m = (r.choice([1, 2, 3]) for _ in range(3))
    a, b = Quantized(r, [n, k], -1, "f32"), Quantized(r, [k, m], r.choice([-1, 1]), "f32")
    c = Quantized(r, [n, m], 1 if b.axis == 1 else -1, "f32", 32)
    x, y = numbers(r, "f32", [n, k], False), numbers(r, "f32", [k, m], False)
    fold = r.random() < 0.5

    def operand(name, v, dims):
        return f"  %{name} = stablehlo.constant dense<{np.round(v, 3).tolist()}> : tensor<{dims[0]}x{dims[1]}xf32>\n" if fold else ""
    args = "" if fold else f"%x: tensor<{n}x{k}xf32>, %y: tensor<{k}x{m}xf32>"
    text = (f"func.func @main({args}) -> tensor<{n}x{m}xf32> {{\n" + operand("x", x, [n, k]) + operand("y", y, [k, m]) +
            f"  %a = stablehlo.uniform_quantize %x : (tensor<{n}x{k}xf32>) -> tensor<{n}x{k}x{a.text()}>\n  %b = stablehlo.uniform_quantize %y : (tensor<{k}x{m}xf32>) -> tensor<{k}x{m}x{b.text()}>\n")
    if r.random() < 0.5:
        text += f"  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<{n}x{k}x{a.text()}>, tensor<{k}x{m}x{b.text()}>) -> tensor<{n}x{m}x{c.text()}>\n"
    else:
        text += (f"  %c = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                 f"(tensor<{n}x{k}x{a.text()}>, tensor<{k}x{m}x{b.text()}>) -> tensor<{n}x{m}x{c.text()}>\n")
    text += raw("r", "c", c.text(), [n, m], "f32") + f"  return %r : tensor<{n}x{m}xf32>\n}}\n"
    return Case(text, [] if fold else [x, y], error=4 * max(c.scales) * 2)


@kind
def quantized_wrong(r):
    """Types that the specification does not allow."""
    dims = [r.choice([2, 3, 4]) for _ in range(r.choice([1, 2]))]
    axis = r.randrange(len(dims))
    q = Quantized(r, dims, axis, "f32")
    wrong = r.choice(["axis", "count", "zero", "scale", "infinite", "scalar"])
    text = q.text()
    if wrong == "axis": text = q.text(r.choice([len(dims), len(dims) + 1, 60, 1000]))
    if wrong == "count":
        q.scales.append(1.0)
        q.zeros.append(q.low)
        text = q.text()
    if wrong == "zero":
        q.zeros[-1] = r.choice([q.low - 1, q.high + 1])
        text = q.text()
    if wrong == "scale":
        q.scales[0] = r.choice([0.0, -1.0, 1e-60])
        text = q.text()
    if wrong == "infinite":
        q.scales[0] = r.choice([1e200, 4e38])
        text = q.text()
    if wrong == "scalar": dims = []
    t = shape_text(dims, text)
    body = r.choice([f"  %0 = stablehlo.add %x, %x : {t}\n  return %0 : {t}\n", f"  return %x : {t}\n",
                     f"  %0 = stablehlo.uniform_dequantize %x : ({t}) -> {shape_text(dims, 'f32')}\n  return %x : {t}\n"])
    return Case(f"func.func @main(%x: {t}) -> {t} {{\n{body}}}\n", [], refused=True)


# ---- indices, windows, weights, order ----

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
    X, W, R = (shape_text(d, t, dynamic and k != 1) for k, d in enumerate([[1] + size + [features], window + [features, kernels], [1] + out + [kernels]]))
    names = [str(d) for d in range(space)]
    text = (f"func.func @main(%x: {X}, %w: {W}) -> {R} {{\n  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, {', '.join(names)}, f]x[{', '.join(names)}, i, o]->[b, {', '.join(names)}, f], "
            f"window = {{stride = {stride}, pad = {[list(p) for p in zip(low, high)]}, lhs_dilate = {base}, rhs_dilate = {dilation}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({X}, {W}) -> {R}\n"
            f"  return %r : {R}\n}}\n")
    return Case(text, [x, w], error=1e-2 if is_float(t) else 0)


@kind
def products(r):
    """dot_general of special elements; to integers from floats only where that is allowed."""
    t, to = r.choice([("f32", "f32"), ("f64", "f64"), ("i8", "i32"), ("ui8", "ui32"), ("i4", "i8"), ("bf16", "f32"), ("complex<f32>", "complex<f32>")])
    n, k, m = r.choice([1, 3]), r.choice([0, 1, 4, 17]), r.choice([1, 5])
    x, y = numbers(r, t, [n, k], huge=False), numbers(r, t, [k, m], huge=False)
    X, Y, R = shape_text([n, k], t), shape_text([k, m], t), shape_text([n, m], to)
    return Case(f"func.func @main(%x: {X}, %y: {Y}) -> {R} {{\n  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({X}, {Y}) -> {R}\n  return %r : {R}\n}}\n", [x, y],
                error=1e-3 if not is_int(t) else 0)


@kind
def counts(r):
    """iota and dynamic_iota of every type."""
    t = r.choice(list(INTS) + ["f32", "bf16", "f16", "f64", "f8E5M2", "f8E4M3FN", "complex<f32>"])
    if t == "i1": return Case("func.func @main() -> tensor<3xi1> {\n  %r = stablehlo.iota dim = 0 : tensor<3xi1>\n  return %r : tensor<3xi1>\n}\n", [], refused=True)
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
def conversions(r):
    """convert between any two types, out of range too."""
    types = list(FLOATS) + list(INTS)
    a, b, n = r.choice(types), r.choice(types), 40
    return Case(f"func.func @main(%x: tensor<{n}x{a}>) -> tensor<{n}x{b}> {{\n  %r = stablehlo.convert %x : (tensor<{n}x{a}>) -> tensor<{n}x{b}>\n  return %r : tensor<{n}x{b}>\n}}\n", [numbers(r, a, [n])])


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
    if name in ("chlo.asinh", "chlo.acosh", "chlo.atanh", "chlo.asin", "chlo.acos", "chlo.atan"):  # of NaN parts some part is NaN: which one is not promised
        x[0] = np.where(np.isnan(x[0]), 1, x[0]).astype(dtype(t))
    args = ", ".join(f"%x{k}: {T}" for k in range(len(x)))
    text = f'func.func @main({args}) -> {R} {{\n  %r = "{dialect}"({", ".join(f"%x{k}" for k in range(len(x)))}) : ({", ".join([T] * len(x))}) -> {R}\n  return %r : {R}\n}}\n'
    return Case(text, x, error=1e-4)


# ---- runs ----

def equal(got, want, error):
    """Indices where they differ; NaN equals NaN; finite numbers may differ by |error| of their magnitude."""
    if got.dtype.kind == "c":
        return np.unique(np.concatenate([equal(got.real, want.real, error), equal(got.imag, want.imag, error)])) if error == 0 else complex_equal(got, want, error)
    if got.dtype.kind in "biu" or "int" in got.dtype.name: return np.argwhere(got.reshape(-1).view(f"u{got.dtype.itemsize}") != want.reshape(-1).view(f"u{want.dtype.itemsize}")).reshape(-1)
    g, w = got.astype(np.float64).reshape(-1), want.astype(np.float64).reshape(-1)
    with np.errstate(all="ignore"):
        same = (np.isnan(g) & np.isnan(w)) | ((g == w) & ((g != 0) | (np.signbit(g) == np.signbit(w)) | (error > 0)))
        if error: same |= np.isfinite(g) & np.isfinite(w) & (np.abs(g - w) <= error * (1 + np.abs(w)))
    return np.argwhere(~same).reshape(-1)


def complex_equal(got, want, error):
    """Each part NaN, infinite with its sign, or near by the magnitude of the number."""
    bad = np.zeros(got.size, bool)
    with np.errstate(all="ignore"):
        size = np.abs(want.reshape(-1).astype(np.complex128))
        size = np.where(np.isfinite(size), size, np.nan_to_num(np.maximum(np.abs(want.real), np.abs(want.imag)).reshape(-1), nan=1, posinf=1))
        for g, w in ((got.real.reshape(-1), want.real.reshape(-1)), (got.imag.reshape(-1), want.imag.reshape(-1))):
            near = np.isfinite(g) & np.isfinite(w) & (np.abs(g.astype(np.float64) - w) <= error * (size + 1e-30))
            bad |= ~((np.isnan(g) & np.isnan(w)) | (g == w) | near)
    return np.argwhere(bad).reshape(-1)


_runtime = None


def judge(case):
    """None, or what is wrong; ("refused", reason) where the compiler does not take the program."""
    global _runtime
    if not _runtime: _runtime = Runtime(threads=2, check_bounds=True)
    text = case.text.encode()
    try: want = libheddle.evaluate(text, case.inputs)
    except libheddle.EvalError as error: return None if case.refused and "error" in str(error) else ("invalid", str(error))
    if case.refused: return "accepted, though the specification does not allow it"
    try: got = _runtime.load(compile_program(text, "program.mlir", threads=1))(*[np.asarray(x, order="C") for x in case.inputs])
    except HeddleError as error: return ("refused", str(error))
    for i, (g, w) in enumerate(zip(got, want)):
        if g.shape != w.shape or g.dtype != w.dtype: return f"result {i}: {g.dtype}{g.shape}, expected {w.dtype}{w.shape}"
        for wrong, x, y, e in (("evaluator", w, case.expected[i] if case.expected else w, 0.0), ("code", g, w, case.error)):
            y = np.asarray(y, x.dtype)
            bad = equal(x, y, e)
            if len(bad): return f"{wrong}: result {i}, {len(bad)} of {x.size} elements differ, first at {bad[0]}: {x.reshape(-1)[bad[0]]!r}, expected {y.reshape(-1)[bad[0]]!r}"
    return None


def case_of(seed, kinds):
    r = random.Random(seed)
    name = r.choice(kinds)
    return name, KINDS[name](r)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=0)
    p.add_argument("--kind", action="append", choices=list(KINDS))
    p.add_argument("--one", type=int)
    o = p.parse_args()
    kinds = o.kind or list(KINDS)
    if o.one is not None:
        name, case = case_of(o.one, kinds)
        print(case.text)
        for x in case.inputs: print(x.tolist())
        wrong = judge(case)
        print(name, wrong)
        return 1 if isinstance(wrong, str) else 0
    until, seed, counts_, failed, reasons = time.monotonic() + o.seconds, o.seed, collections.Counter(), [], collections.Counter()
    while time.monotonic() < until and (not o.count or seed < o.seed + o.count):
        name, case = case_of(seed, kinds)
        print(seed, name, file=sys.stderr, flush=True) if os.environ.get("HEDDLE_FUZZ_TRACE") else None
        wrong = judge(case)
        outcome = wrong[0] if isinstance(wrong, tuple) else "failed" if wrong else "ok"
        counts_[name, outcome] += 1
        if outcome == "failed":
            failed.append(seed)
            print(f"seed {seed} {name}: {wrong}", flush=True)
        elif wrong: reasons[f"{name} {outcome}: " + wrong[1].replace("\n", " ")[:160]] += 1
        seed += 1
    for reason, n in reasons.most_common(12): print(f"{n:6} {reason}")
    for (name, outcome), n in sorted(counts_.items()): print(f"{n:6} {name} {outcome}")
    ok = sum(n for (_, outcome), n in counts_.items() if outcome == "ok")
    print(f"{sum(counts_.values())} programs from seed {o.seed}: {ok} ok, {len(failed)} failed")
    return 1 if failed or not ok else 0


if __name__ == "__main__":
    sys.exit(main())
