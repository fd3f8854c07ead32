# SPDX-License-Identifier: Apache-2.0
"""Quantized types of random storage, bounds, scales, zero points and axes, against the specification's formulas in numpy."""
import numpy as np

from random_programs import dtype
from special_case import Case, kind, numbers, shape_text


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
    """Line that gives |name| as the f64 or integer values after quantized |x|: its expressed numbers."""
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
    """What is in memory: arguments, constants and results of quantized types."""
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


def nearest(q, exact, magnitude):
    """The number of |q| next to sums |exact|, and how far from it one may be that is next to a sum rounded on the way: half a step, and
    what a unit of f32 is of the sum, of the quotient and of the zero point."""
    dims, unit = exact.shape, 2.0 ** -23
    scales, zeros = q.spread(q.scales, dims).astype(np.float32).astype(np.float64), q.spread(q.zeros, dims)
    low, high = (q.low - zeros) * scales, (q.high - zeros) * scales
    room = unit * (magnitude + scales * (2 * np.abs(zeros) + 3 * np.abs(exact / scales)))
    # Within half a step of the exact sum, where this can be represented.
    return [np.clip(exact, low, high).astype(np.float32)], scales / 2 + room


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
    left, right = a.dequantize(a.quantize((np.round(x, 3) if fold else x).astype(np.float32).astype(np.float64))), b.dequantize(b.quantize((np.round(y, 3) if fold else y).astype(np.float32).astype(np.float64)))
    return Case(text, [] if fold else [x, y], *nearest(c, left @ right, k * np.abs(left) @ np.abs(right)))


TYPE = r"'func.func' op block argument #0: a quantized type expects "
WRONG = {"axis": TYPE + "a quantized dim below the rank, ", "scalar": TYPE + "a quantized dim below the rank, 0, got \\d+",
         "count": TYPE + "as many scales as dim \\d has elements, ", "zero": TYPE + "zero points in the storage range ",
         "scale": f"({TYPE}scales that are positive and finite in the expressed type, |illegal scale: 0|expected a floating-point scale, got '-')",
         "infinite": TYPE + "scales that are positive and finite in the expressed type, "}


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
    return Case(f"func.func @main(%x: {t}) -> {t} {{\n{body}}}\n", [], refused=WRONG[wrong])
