# SPDX-License-Identifier: Apache-2.0
"""Writes one StableHLO function as text. Values know their shape (ints and sympy expressions) and element type.

Binary methods broadcast as numpy does: a dim that is the number 1 stretches, other dims are taken to be equal, which is
what torch has guarded. Element types are never converted silently, except for Python numbers, which take the other's."""
import fractions
import functools
import math
import operator
import struct

import sympy
import torch
from torch.utils._sympy import functions as sym

ELEMENTS = {torch.float64: "f64", torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.int64: "i64",
            torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "ui8", torch.bool: "i1", torch.complex64: "complex<f32>",
            torch.complex128: "complex<f64>"}
BITS = {name: int(name.lstrip("bfiu")) for name in ELEMENTS.values() if not name.startswith("complex")}


class Unsupported(Exception):
    """What has no lowering; the message is the reason that the user sees."""


def is_float(dtype): return dtype in ("f64", "f32", "bf16", "f16")


def is_complex(dtype): return dtype.startswith("complex")


def element(dtype):
    if dtype not in ELEMENTS: raise Unsupported(f"element type {dtype}")
    return ELEMENTS[dtype]


def scaled(number):
    """A size times a factor, cut off, in whole numbers where the factor is a fraction of few digits."""
    factor, rest = number.as_coeff_Mul()
    fraction = fractions.Fraction(float(factor))
    if not isinstance(rest, sym.ToFloat) or fraction < 0 or fraction.denominator > 1024: return sym.TruncToInt(number)
    product = fraction.numerator * rest.args[0]
    return product if fraction.denominator == 1 else sym.FloorDiv(product, fraction.denominator)


def dim_of(size):
    """An int where torch knows the size, else a sympy expression."""
    if isinstance(size, torch.SymInt): size = size.node.expr
    if isinstance(size, sympy.Expr) and not size.is_number: return size.replace(sym.TruncToInt, scaled)
    return int(size)


def same_dim(a, b):
    if a == b: return True
    return not (isinstance(a, int) and isinstance(b, int)) and sympy.expand(a - b) == 0


def same_shape(a, b): return len(a) == len(b) and all(map(same_dim, a, b))


def product(dims):
    total = 1
    for d in dims: total = total * d
    return total


def static(dims): return all(isinstance(d, int) for d in dims)


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{d if isinstance(d, int) else '?'}x" for d in shape) + dtype + ">"


def array(numbers): return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def literal(value, dtype):
    """|value| as an element of a dense attribute."""
    if dtype == "i1": return "true" if value else "false"
    if is_complex(dtype): return f"({', '.join(literal(part, dtype[8:-1]) for part in (complex(value).real, complex(value).imag))})"
    if not is_float(dtype): return str(int(value))
    value = float(value)
    if math.isfinite(value): return f"{value:.17e}"
    bits = {"f64": ("<d", "<Q"), "f32": ("<f", "<I"), "f16": ("<e", "<H")}
    if dtype == "bf16": return f"0x{struct.unpack('<I', struct.pack('<f', value))[0] >> 16:04X}"
    to, back = bits[dtype]
    return f"0x{struct.unpack(back, struct.pack(to, value))[0]:0{BITS[dtype] // 4}X}"


class Value:
    __slots__ = ("b", "name", "shape", "dtype")

    def __init__(self, b, name, shape, dtype): self.b, self.name, self.shape, self.dtype = b, name, tuple(shape), dtype

    @property
    def type(self): return tensor(self.shape, self.dtype)
    @property
    def rank(self): return len(self.shape)

    def __add__(self, other): return self.b.binary("stablehlo.add", self, other)
    def __radd__(self, other): return self.b.binary("stablehlo.add", other, self)
    def __sub__(self, other): return self.b.binary("stablehlo.subtract", self, other)
    def __rsub__(self, other): return self.b.binary("stablehlo.subtract", other, self)
    def __mul__(self, other): return self.b.binary("stablehlo.multiply", self, other)
    def __rmul__(self, other): return self.b.binary("stablehlo.multiply", other, self)
    def __truediv__(self, other): return self.b.binary("stablehlo.divide", self, other)
    def __rtruediv__(self, other): return self.b.binary("stablehlo.divide", other, self)
    def __neg__(self): return self.b.unary("stablehlo.negate", self)
    def __and__(self, other): return self.b.binary("stablehlo.and", self, other)
    def __or__(self, other): return self.b.binary("stablehlo.or", self, other)
    def __xor__(self, other): return self.b.binary("stablehlo.xor", self, other)
    def __invert__(self): return self.b.unary("stablehlo.not", self)
    def __lt__(self, other): return self.b.compare("LT", self, other)
    def __le__(self, other): return self.b.compare("LE", self, other)
    def __gt__(self, other): return self.b.compare("GT", self, other)
    def __ge__(self, other): return self.b.compare("GE", self, other)
    def eq(self, other): return self.b.compare("EQ", self, other)
    def ne(self, other): return self.b.compare("NE", self, other)
    def maximum(self, other): return self.b.binary("stablehlo.maximum", self, other)
    def minimum(self, other): return self.b.binary("stablehlo.minimum", self, other)
    def power(self, other): return self.b.binary("stablehlo.power", self, other)
    def remainder(self, other): return self.b.binary("stablehlo.remainder", self, other)
    def to(self, dtype): return self.b.convert(self, dtype)
    def reshape(self, shape): return self.b.reshape(self, shape)
    def permute(self, order): return self.b.transpose(self, order)

    def __getattr__(self, name):
        """x.exponential() and every other op of one operand, by its StableHLO (else CHLO) name."""
        if name.startswith("__"): raise AttributeError(name)
        dialect = "chlo" if name in CHLO else "stablehlo"
        return lambda: self.b.unary(f"{dialect}.{name}", self)


CHLO = {"erf", "erfc", "erf_inv", "lgamma", "digamma", "acos", "asin", "acosh", "asinh", "atan", "atanh", "cosh", "sinh"}


class Builder:
    """|sources|: the (argument, dim) whose size each symbol is; |missing| gives that of a symbol without one. |given|: what else
    the arguments' dims give, expressions by symbols that have a source."""

    def __init__(self):
        self.lines, self.count, self.missing = [], 0, None
        self.constants, self.sizes, self.shapes, self.sources, self.given = {}, {}, {}, {}, {}
        self.reducers = {}  # (op, element type): the name of a function that applies it

    # ---- text

    def name(self):
        self.count += 1
        return f"%{self.count - 1}"

    def op(self, op, operands, shape, dtype, attributes="", region=""):
        """One op of one result in generic form."""
        return self.ops(op, operands, [(shape, dtype)], attributes, region)[0]

    def ops(self, op, operands, results, attributes="", region=""):
        name = self.name()
        results = [Value(self, f"{name}#{i}" if len(results) > 1 else name, s, t) for i, (s, t) in enumerate(results)]
        self.lines.append(f"    {name}{f':{len(results)}' if len(results) > 1 else ''} = \"{op}\"({', '.join(v.name for v in operands)})"
                          f"{f' <{{{attributes}}}>' if attributes else ''}{f' ({region})' if region else ''} : "
                          f"({', '.join(v.type for v in operands)}) -> ({', '.join(v.type for v in results)})")
        return results

    # ---- constants and sizes

    def constant(self, value, dtype, shape=()):
        key = (literal(value, dtype), dtype, tuple(shape))
        if not static(shape): return self.broadcast(self.constant(value, dtype), shape, ())
        if key not in self.constants:
            self.constants[key] = self.op("stablehlo.constant", [], shape, dtype, f"value = dense<{key[0]}> : {tensor(shape, dtype)}")
        return self.constants[key]

    def dense(self, data):
        """The elements of torch tensor |data|."""
        dtype = element(data.dtype)
        nest = lambda x: f"[{', '.join(map(nest, x))}]" if isinstance(x, list) else literal(x, dtype)  # noqa: E731
        if data.numel() == 0: return self.constant(0, dtype, data.shape)
        return self.op("stablehlo.constant", [], data.shape, dtype, f"value = dense<{nest(data.tolist())}> : {tensor(data.shape, dtype)}")

    def size(self, e):
        """The value of a size as tensor<i32>."""
        if isinstance(e, int) or e.is_number: return self.constant(int(e), "i32")
        if e not in self.sizes: self.sizes[e] = self._size(e)
        return self.sizes[e]

    def _size(self, e):
        i32 = lambda op: lambda a, b: self.op(f"stablehlo.{op}", [a, b], (), "i32")  # noqa: E731
        parts = lambda: [self.size(a) for a in e.args]  # noqa: E731
        if e in self.given: return self.size(self.given[e])
        if e.is_Symbol:
            if e not in self.sources: self.sources[e] = self.missing(e)
            source, d = self.sources[e]
            return self.op("stablehlo.get_dimension_size", [source], (), "i32", f"dimension = {d} : i64")
        if e.is_Add: return functools.reduce(i32("add"), parts())
        if e.is_Mul: return functools.reduce(i32("multiply"), parts())
        if isinstance(e, (sympy.Max, sym.Max)): return functools.reduce(i32("maximum"), parts())
        if isinstance(e, (sympy.Min, sym.Min)): return functools.reduce(i32("minimum"), parts())
        if isinstance(e, (sym.FloorDiv, sym.CleanDiv)):
            a, b = parts()
            return i32("divide")(a if e.args[0].is_nonnegative else i32("subtract")(a, self.modulo(a, b)), b)
        if isinstance(e, (sym.Mod, sym.PythonMod)): return i32("remainder")(*parts()) if e.args[0].is_nonnegative else self.modulo(*parts())
        if isinstance(e, (sympy.Pow, sym.PowByNatural)) and e.args[1].is_Integer and 0 < e.args[1] <= 4:
            return functools.reduce(i32("multiply"), [self.size(e.args[0])] * int(e.args[1]))
        raise Unsupported(f"size {e}")

    def modulo(self, a, b):
        """Python's remainder of sizes, which has the sign of |b|, above 0."""
        i32 = lambda op, a, b: self.op(f"stablehlo.{op}", [a, b], (), "i32")  # noqa: E731
        return i32("remainder", i32("add", i32("remainder", a, b), b), b)

    def number(self, e):
        """A float computed from sizes, in f64 as Python does."""
        if e.is_number: return self.constant(float(e), "f64")
        if e.is_integer: return self.convert(self.size(e), "f64")
        parts = lambda: [self.number(a) for a in e.args]  # noqa: E731
        if isinstance(e, sym.ToFloat): return parts()[0]
        if isinstance(e, (sym.IntTrueDiv, sym.FloatTrueDiv)): return operator.truediv(*parts())
        if isinstance(e, (sympy.Pow, sym.FloatPow)): return self.binary("stablehlo.power", *parts())
        if e.is_Add: return functools.reduce(operator.add, parts())
        if e.is_Mul: return functools.reduce(operator.mul, parts())
        if type(e).__name__ == "OpaqueUnaryFn_sqrt": return parts()[0].sqrt()
        raise Unsupported(f"number {e}")

    def shape(self, dims):
        """tensor<Nxi32> of |dims|."""
        key = tuple(dims)
        if key not in self.shapes:
            if static(key):
                self.shapes[key] = self.dense(torch.tensor(key, dtype=torch.int32))
            else:
                ones = [self.op("stablehlo.reshape", [self.size(d)], (1,), "i32") for d in key]
                self.shapes[key] = ones[0] if len(ones) == 1 else self.op("stablehlo.concatenate", ones, (len(ones),), "i32", "dimension = 0 : i64")
        return self.shapes[key]

    # ---- elements

    def lift(self, x, dtype):
        return x if isinstance(x, Value) else self.scalar(x, dtype)

    def scalar(self, x, dtype):
        """A Python number, or a size, as an element."""
        if isinstance(x, sympy.Expr): return self.convert(self.size(x) if x.is_integer else self.number(x), dtype)
        if isinstance(x, (bool, int, float)): return self.constant(x, dtype)
        raise Unsupported(f"a scalar of type {type(x).__name__}")

    def together(self, *values):
        """The values broadcast to one shape."""
        shape = ()
        for v in values:
            longer, shorter = (v.shape, shape) if len(v.shape) >= len(shape) else (shape, v.shape)
            skip = len(longer) - len(shorter)
            shape = longer[:skip] + tuple(b if isinstance(a, int) and a == 1 else a for a, b in zip(longer[skip:], shorter))
        return [self.expand(v, shape) for v in values]

    def unary(self, op, x): return self.op(op, [x], x.shape, x.dtype)

    def binary(self, op, x, y):
        x, y = self.together(self.lift(x, getattr(y, "dtype", None)), self.lift(y, getattr(x, "dtype", None)))
        if x.dtype != y.dtype: raise Unsupported(f"{op} of {x.dtype} and {y.dtype}")
        return self.op(op, [x, y], x.shape, x.dtype)

    def compare(self, direction, x, y):
        x, y = self.together(self.lift(x, getattr(y, "dtype", None)), self.lift(y, getattr(x, "dtype", None)))
        if is_complex(x.dtype): raise Unsupported("a comparison of complex numbers")
        kind = "FLOAT" if is_float(x.dtype) else "UNSIGNED" if x.dtype in ("ui8", "i1") else "SIGNED"
        return self.op("stablehlo.compare", [x, y], x.shape, "i1", f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                       f"compare_type = #stablehlo<comparison_type {kind}>")

    def select(self, p, x, y):
        dtype = x.dtype if isinstance(x, Value) else y.dtype
        p, x, y = self.together(p, self.lift(x, dtype), self.lift(y, dtype))
        return self.op("stablehlo.select", [p, x, y], x.shape, dtype)

    def convert(self, x, dtype):
        if x.dtype == dtype: return x
        if is_complex(x.dtype) and not is_complex(dtype): raise Unsupported(f"{x.dtype} as {dtype}")
        if dtype == "i1": return x.ne(0)
        return self.op("stablehlo.convert", [x], x.shape, dtype)

    # ---- shapes

    def broadcast(self, x, shape, dims):
        shape = tuple(shape)
        attribute = f"broadcast_dimensions = {array(dims)}"
        if same_shape(x.shape, shape) and tuple(dims) == tuple(range(len(shape))): return x
        if static(shape) and static(x.shape): return self.op("stablehlo.broadcast_in_dim", [x], shape, x.dtype, attribute)
        grows = [i for i, d in enumerate(dims) if isinstance(x.shape[i], int) and x.shape[i] == 1 and shape[d] != 1]
        attribute += f", known_expanding_dimensions = {array(grows)}, known_nonexpanding_dimensions = {array([i for i in range(x.rank) if i not in grows])}"
        return self.op("stablehlo.dynamic_broadcast_in_dim", [x, self.shape(shape)], shape, x.dtype, attribute)

    def expand(self, x, shape):
        skip = len(shape) - x.rank
        return self.broadcast(x, shape, range(skip, len(shape)))

    def reshape(self, x, shape):
        shape = tuple(shape)
        if same_shape(x.shape, shape): return x
        if static(shape) and static(x.shape): return self.op("stablehlo.reshape", [x], shape, x.dtype)
        return self.op("stablehlo.dynamic_reshape", [x, self.shape(shape)], shape, x.dtype)

    def transpose(self, x, order):
        order = list(order)
        if order == list(range(x.rank)): return x
        return self.op("stablehlo.transpose", [x], [x.shape[i] for i in order], x.dtype, f"permutation = {array(order)}")

    def slice(self, x, dim, start, stop, step=1):
        """Elements start, start + step, ... below stop of one dim; sizes may be expressions."""
        length = stop - start if step == 1 else -((start - stop) // step) if static((start, stop)) else sym.FloorDiv(stop - start + step - 1, step)
        shape = (*x.shape[:dim], dim_of(length), *x.shape[dim + 1:])
        starts, stops, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        starts[dim], stops[dim], steps[dim] = start, stop, step
        if same_dim(start, 0) and same_dim(stop, x.shape[dim]) and step == 1: return x
        if static(starts) and static(stops):
            return self.op("stablehlo.slice", [x], shape, x.dtype, f"start_indices = {array(starts)}, limit_indices = {array(stops)}, strides = {array(steps)}")
        return self.op("stablehlo.real_dynamic_slice", [x, self.shape(starts), self.shape(stops), self.shape(steps)], shape, x.dtype)

    def concatenate(self, values, dim):
        total = sum((v.shape[dim] for v in values[1:]), start=values[0].shape[dim])
        shape = (*values[0].shape[:dim], dim_of(total), *values[0].shape[dim + 1:])
        return values[0] if len(values) == 1 else self.op("stablehlo.concatenate", values, shape, values[0].dtype, f"dimension = {dim} : i64")

    def pad(self, x, value, low, high):
        if not any(low) and not any(high): return x
        shape = [dim_of(d + a + b) for d, a, b in zip(x.shape, low, high)]
        if not static(low) or not static(high):
            return self.op("stablehlo.dynamic_pad", [x, self.lift(value, x.dtype), *map(self.shape, (low, high, [0] * x.rank))], shape, x.dtype)
        attributes = f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array([0] * x.rank)}"
        return self.op("stablehlo.pad", [x, self.lift(value, x.dtype)], shape, x.dtype, attributes)

    def iota(self, shape, dim, dtype):
        if static(shape): return self.op("stablehlo.iota", [], shape, dtype, f"iota_dimension = {dim} : i64")
        return self.op("stablehlo.dynamic_iota", [self.shape(shape)], shape, dtype, f"iota_dimension = {dim} : i64")

    # ---- reductions and windows

    def body(self, op, dtype):
        """A region that applies |op| to two elements. Names in it are the region's own."""
        t = tensor((), dtype)
        return f'{{\n    ^bb0(%a: {t}, %b: {t}):\n      %r = "{op}"(%a, %b) : ({t}, {t}) -> {t}\n      "stablehlo.return"(%r) : ({t}) -> ()\n    }}'

    def reduce(self, op, x, dims, init):
        shape = [d for i, d in enumerate(x.shape) if i not in dims]
        return self.op("stablehlo.reduce", [x, self.constant(init, x.dtype)], shape, x.dtype, f"dimensions = {array(sorted(dims))}", self.body(op, x.dtype))

    def windows(self, values, inits, size, stride, padding, dilation, shape, spread, region):
        pads = "[" + ", ".join(f"[{a}, {b}]" for a, b in padding) + "]"
        attributes = (f"window_dimensions = {array(size)}, window_strides = {array(stride)}, window_dilations = {array(dilation)}, "
                      + (f"base_dilations = {array(spread)}, " if any(s != 1 for s in spread) else "") + f"padding = dense<{pads}> : tensor<{len(padding)}x2xi64>")
        inits = [self.constant(i, v.dtype) for i, v in zip(inits, values)]
        return self.ops("stablehlo.reduce_window", [*values, *inits], [(shape, v.dtype) for v in values], attributes, region)

    def reduce_window(self, op, x, init, size, stride, padding, dilation, shape, spread=()):
        return self.windows([x], [init], size, stride, padding, dilation, shape, spread, self.body(op, x.dtype))[0]

    def larger(self, dtype):
        """A region that takes, of two (element, place), the larger element. Of equals it takes the first place; NaN is the
        largest, of several the last, as torch's loops come to it."""
        s, t, p = tensor((), dtype), tensor((), "i64"), tensor((), "i1")
        kind = "FLOAT" if is_float(dtype) else "UNSIGNED" if dtype in ("ui8", "i1") else "SIGNED"
        compare = lambda n, d, x, y, of, k: (f'      {n} = "stablehlo.compare"({x}, {y}) <{{comparison_direction = #stablehlo<comparison_direction {d}>, '  # noqa: E731
                                             f'compare_type = #stablehlo<comparison_type {k}>}}> : ({of}, {of}) -> {p}\n')
        logic = lambda n, op, x, y: f'      {n} = "stablehlo.{op}"({x}, {y}) : ({p}, {p}) -> {p}\n'  # noqa: E731
        body = compare("%gt", "GT", "%b", "%a", s, kind) + compare("%eq", "EQ", "%b", "%a", s, kind) + compare("%first", "LT", "%q", "%p", t, "SIGNED")
        body += logic("%tie", "and", "%eq", "%first") + logic("%w0", "or", "%gt", "%tie")
        if is_float(dtype):
            body += compare("%bn", "NE", "%b", "%b", s, kind) + compare("%an", "EQ", "%a", "%a", s, kind) + compare("%last", "GT", "%q", "%p", t, "SIGNED")
            body += logic("%n0", "or", "%an", "%last") + logic("%n1", "and", "%bn", "%n0") + logic("%w1", "or", "%w0", "%n1")
        wins = "%w1" if is_float(dtype) else "%w0"
        for n, x, y, of in (("%r", "%b", "%a", s), ("%i", "%q", "%p", t)): body += f'      {n} = "stablehlo.select"({wins}, {x}, {y}) : ({p}, {of}, {of}) -> {of}\n'
        return f'{{\n    ^bb0(%a: {s}, %p: {t}, %b: {s}, %q: {t}):\n{body}      "stablehlo.return"(%r, %i) : ({s}, {t}) -> ()\n    }}'

    def largest(self, x, place, dim, init):
        """The largest elements along |dim| and their |place|."""
        shape = [d for i, d in enumerate(x.shape) if i != dim]
        inits = [self.constant(init, x.dtype), self.constant(2**63 - 1, "i64")]
        return self.ops("stablehlo.reduce", [x, place, *inits], [(shape, x.dtype), (shape, "i64")], f"dimensions = {array([dim])}", self.larger(x.dtype))

    def largest_in_windows(self, x, place, init, size, stride, padding, dilation, shape):
        """As reduce_window, with their |place|."""
        return self.windows([x, place], [init, 2**63 - 1], size, stride, padding, dilation, shape, (), self.larger(x.dtype))

    def cumulative(self, op, x, dim, init):
        """|op| of all elements up to each along |dim|; where its size is unknown, as jax.export writes it."""
        n = x.shape[dim]
        sizes, ones = [n if d == dim else 1 for d in range(x.rank)], [1] * x.rank
        pads = [(n - 1 if d == dim else 0, 0) for d in range(x.rank)]
        if isinstance(n, int): return self.reduce_window(op, x, init, sizes, ones, pads, ones, x.shape)
        name = self.reducers.setdefault((op, x.dtype), f"reducer_{len(self.reducers)}")
        flat = self.shape([dim_of(p) for pair in pads for p in pair])
        operands = [x, self.constant(init, x.dtype), self.shape(sizes), *[self.shape(ones)] * 3, self.reshape(flat, (x.rank, 2))]
        return self.op("stablehlo.custom_call", operands, x.shape, x.dtype, f'call_target_name = "stablehlo.dynamic_reduce_window", '
                       f"api_version = 2 : i32, called_computations = [@{name}]")

    def dot(self, x, y, batch, contract):
        """|batch| and |contract|: (dims of x, dims of y)."""
        free = lambda v, side: [d for i, d in enumerate(v.shape) if i not in batch[side] and i not in contract[side]]  # noqa: E731
        shape = [x.shape[i] for i in batch[0]] + free(x, 0) + free(y, 1)
        attributes = (f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {list(batch[0])}, rhs_batching_dimensions = {list(batch[1])}, "
                      f"lhs_contracting_dimensions = {list(contract[0])}, rhs_contracting_dimensions = {list(contract[1])}>")
        return self.op("stablehlo.dot_general", [x, y], shape, x.dtype, attributes)

    # ---- loops

    def row_at(self, x, k):
        """[1, ...], the part of |x| at |k|, a Value, of its first dim."""
        start = [k, *[0] * (x.rank - 1)]
        stop = [k + 1, *x.shape[1:]]
        vector = lambda dims: self.concatenate([self.reshape(d if isinstance(d, Value) else self.size(d), (1,)) for d in dims], 0)  # noqa: E731
        return self.op("stablehlo.real_dynamic_slice", [x, vector(start), vector(stop), self.shape([1] * x.rank)], (1, *x.shape[1:]), x.dtype)

    def put_row(self, x, y, k):
        """|x| with |y| at |k| of its first dim."""
        zeros = [self.constant(0, "i32")] * (x.rank - 1)
        return self.op("stablehlo.dynamic_update_slice", [x, self.reshape(y, (1, *y.shape)), k, *zeros], x.shape, x.dtype)

    def loop(self, count, values, step):
        """What step(k, *values), for k below |count| (a size), makes of |values|: their types stay."""
        operands = [self.constant(0, "i32"), *values]
        limit = self.size(count)

        def region(body):
            outer = self.lines, dict(self.constants), dict(self.sizes), dict(self.shapes)
            self.lines = []
            arguments = [Value(self, self.name(), v.shape, v.dtype) for v in operands]
            results = body(*arguments)
            head = ", ".join(f"{v.name}: {v.type}" for v in arguments)
            text = "\n".join(self.lines)
            self.lines, self.constants, self.sizes, self.shapes = outer
            return (f"{{\n    ^bb0({head}):\n{text}\n    \"stablehlo.return\"({', '.join(v.name for v in results)}) : "
                    f"({', '.join(v.type for v in results)}) -> ()\n    }}")
        regions = f"{region(lambda k, *_: [k < limit])}, {region(lambda k, *v: [k + 1, *step(k, *v)])}"
        return self.ops("stablehlo.while", operands, [(v.shape, v.dtype) for v in operands], region=regions)[1:]

    def function(self, name, arguments, results):
        """The whole module. |arguments|: values and attribute texts."""
        head = ", ".join(f"{v.name}: {v.type}{f' {{{a}}}' if a else ''}" for v, a in arguments)
        body = "\n".join(self.lines)
        called = "".join(f"  func.func private @{name}(%a: {t}, %b: {t}) -> {t} {{\n    %r = \"{op}\"(%a, %b) : ({t}, {t}) -> {t}\n"
                         f"    \"func.return\"(%r) : ({t}) -> ()\n  }}\n" for (op, dtype), name in self.reducers.items() for t in [tensor((), dtype)])
        return (f"module @{name} {{\n{called}  func.func public @main({head}) -> ({', '.join(v.type for v in results)}) {{\n{body}\n"
                f"    \"func.return\"({', '.join(v.name for v in results)}) : ({', '.join(v.type for v in results)}) -> ()\n  }}\n}}\n")
