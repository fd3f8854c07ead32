# SPDX-License-Identifier: Apache-2.0
"""The table of aten ops: ROWS maps an overload to the function that writes it.

A row is called as row(b, out, *args, **kwargs): |b| the builder, |out| what torch says of the result (shape, dtype and the
node), the arguments as in the graph with tensors as Values and sizes as ints or sympy expressions. It gives a Value, or
a tuple of them (None for a result that nothing uses). It raises Unsupported for what it cannot write: the op then stays
with torch. Ops that are missing here and in decompositions.py do so too."""
import math

import torch

ROWS = {}
aten = torch.ops.aten


def row(*overloads):
    def add(function):
        for overload in overloads: ROWS[overload] = function
        return function
    return add


def row_of(overload):
    """The row, or None. A library's own op, which is there only when the library is, has its name as its key."""
    return ROWS.get(overload) or ROWS.get(str(overload))


def pointwise(formula):
    """A row that converts its tensors to the result's type and applies |formula| to them and to the numbers."""
    from heddle.torch.builder import Value, Unsupported, is_complex

    def write(b, out, *args, **kwargs):
        if any(isinstance(x, Value) and is_complex(x.dtype) for x in args) and not is_complex(out.dtype): raise Unsupported("a complex argument")
        args = [x.to(out.dtype) if isinstance(x, Value) else x for x in args]
        if not any(isinstance(x, Value) for x in args): args[0] = b.lift(args[0], out.dtype)
        return formula(*args, **kwargs)
    return write


def scaled(formula):
    """add and sub: the second operand times alpha."""
    return lambda x, y, alpha=1: formula(x, y if isinstance(alpha, (int, float)) and alpha == 1 else y * alpha)


def power(x, y):
    if isinstance(y, (int, float)) and y in POWERS: return POWERS[y](x)
    return x.b.binary("stablehlo.power", x, y) if hasattr(x, "b") else y.b.binary("stablehlo.power", x, y)


POWERS = {1: lambda x: x, 2: lambda x: x * x, 3: lambda x: x * x * x, 4: lambda x: (x * x) * (x * x), 0.5: lambda x: x.sqrt(),
          -0.5: lambda x: x.rsqrt(), -1: lambda x: 1.0 / x, -2: lambda x: 1.0 / (x * x)}


def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1.0 + (math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))).tanh())
    return 0.5 * x * (1.0 + (x * math.sqrt(0.5)).erf())


def clamp(x, low=None, high=None, **kwargs):
    low, high = kwargs.get("min", low), kwargs.get("max", high)
    if low is not None: x = x.maximum(low)
    return x if high is None else x.minimum(high)


def signed(x):
    """-1, 0 or 1 by comparison: NaN gives 0."""
    if x.dtype in ("i1", "ui8"): return x.ne(0).to(x.dtype)
    return (x > 0).to(x.dtype) - (x < 0).to(x.dtype)


def truncated(x): return x if x.dtype[0] in "iu" else x.b.select(x < 0, x.ceil(), x.floor())


def rounded(x, decimals=0):
    scale = 10.0 ** abs(decimals)
    return (x * scale).round_nearest_even() / scale if decimals >= 0 else (x / scale).round_nearest_even() * scale


def both(x, y): return (x, x.b.lift(y, x.dtype)) if hasattr(x, "b") else (y.b.lift(x, y.dtype), y)


def remainder(x, y):
    """With the sign of the divisor, as Python's."""
    x, y = both(x, y)
    m = x.remainder(y)
    return m if x.dtype == "ui8" else x.b.select(m.ne(0) & (m < 0).ne(y < 0), m + y, m)


def floor_divide(x, y):
    x, y = both(x, y)
    if x.dtype == "ui8": return x / y
    m = x.remainder(y)
    off = m.ne(0) & (m < 0).ne(y < 0)
    if x.dtype[0] == "i": return x / y - off.to(x.dtype)
    q = (x - m) / y - off.to(x.dtype)
    whole = q.floor()
    return x.b.select(q.eq(0), (x / y) * 0.0, whole + (q - whole > 0.5).to(x.dtype))


def divide(x, y, rounding_mode=None):
    if rounding_mode == "floor": return floor_divide(x, y)
    x, y = both(x, y)
    return truncated(x / y) if rounding_mode == "trunc" else x / y


def nan_ignoring(name):
    def formula(x, y):
        x, y = x.b.together(x, y)
        least = getattr(x, name)(y)
        return least if x.dtype[0] != "f" and x.dtype != "bf16" else x.b.select(x.ne(x), y, x.b.select(y.ne(y), x, least))
    return formula


def hypot(x, y):
    x, y = x.b.together(x.abs(), y.abs())
    a, b = x.maximum(y), x.minimum(y)
    q = b / a
    return x.b.select(a.eq(0) | a.eq(math.inf), a, a * (q * q + 1.0).sqrt())


def copysign(x, y):
    x, y = both(x, y)
    return x.b.select((y < 0) | (y.eq(0) & (1.0 / y < 0)), -x.abs(), x.abs())


def right_shift(x, y): return x.b.binary("stablehlo.shift_right_logical" if x.dtype == "ui8" else "stablehlo.shift_right_arithmetic", x, y)


def infinite(x): return x.abs().eq(math.inf)


POINTWISE = {
    aten.neg.default: lambda x: -x,
    aten.exp.default: lambda x: x.exponential(),
    aten.exp2.default: lambda x: (x * math.log(2)).exponential(),
    aten.expm1.default: lambda x: x.exponential_minus_one(),
    aten.log.default: lambda x: x.log(),
    aten.log1p.default: lambda x: x.log_plus_one(),
    aten.log2.default: lambda x: x.log() * (1 / math.log(2)),
    aten.log10.default: lambda x: x.log() * (1 / math.log(10)),
    aten.sqrt.default: lambda x: x.sqrt(),
    aten.rsqrt.default: lambda x: x.rsqrt(),
    aten.sin.default: lambda x: x.sine(),
    aten.cos.default: lambda x: x.cosine(),
    aten.tan.default: lambda x: x.tan(),
    aten.asin.default: lambda x: x.asin(),
    aten.acos.default: lambda x: x.acos(),
    aten.atan.default: lambda x: x.atan(),
    aten.sinh.default: lambda x: x.sinh(),
    aten.cosh.default: lambda x: x.cosh(),
    aten.tanh.default: lambda x: x.tanh(),
    aten.asinh.default: lambda x: x.asinh(),
    aten.acosh.default: lambda x: x.acosh(),
    aten.atanh.default: lambda x: x.atanh(),
    aten.erf.default: lambda x: x.erf(),
    aten.erfc.default: lambda x: x.erfc(),
    aten.erfinv.default: lambda x: x.erf_inv(),
    aten.lgamma.default: lambda x: x.lgamma(),
    aten.digamma.default: lambda x: x.digamma(),
    aten.sigmoid.default: lambda x: x.logistic(),
    aten.round.decimals: rounded,
    aten.reciprocal.default: lambda x: 1.0 / x,
    aten.floor.default: lambda x: x if x.dtype[0] in "iu" else x.floor(),
    aten.ceil.default: lambda x: x if x.dtype[0] in "iu" else x.ceil(),
    aten.round.default: lambda x: x if x.dtype[0] in "iu" else x.round_nearest_even(),
    aten.trunc.default: truncated,
    aten.sign.default: signed,
    aten.relu.default: lambda x: x.maximum(0),
    aten.silu.default: lambda x: x * x.logistic(),
    aten.gelu.default: gelu,
    aten.leaky_relu.default: lambda x, slope=0.01: x.b.select(x > 0, x, x * slope),
    aten.elu.default: lambda x, alpha=1.0, scale=1.0, input_scale=1.0:
        x.b.select(x > 0, x * scale, (x * input_scale).exponential_minus_one() * (alpha * scale)),
    aten.hardtanh.default: lambda x, low=-1.0, high=1.0: x.maximum(low).minimum(high),
    aten.clamp.default: clamp,
    aten.clamp.Tensor: clamp,
    aten.clamp_min.default: lambda x, low: x.maximum(low),
    aten.clamp_max.default: lambda x, high: x.minimum(high),
    aten.bitwise_not.default: lambda x: ~x,
    aten.add.Tensor: scaled(lambda x, y: x + y),
    aten.add.Scalar: scaled(lambda x, y: x + y),
    aten.sub.Tensor: scaled(lambda x, y: x - y),
    aten.sub.Scalar: scaled(lambda x, y: x - y),
    aten.rsub.Scalar: lambda x, y, alpha=1: y - x * alpha,
    aten.mul.Tensor: lambda x, y: x * y,
    aten.mul.Scalar: lambda x, y: x * y,
    aten.div.Tensor: divide,
    aten.div.Scalar: divide,
    aten.true_divide.Tensor: divide,
    aten.true_divide.Scalar: divide,
    aten.div.Tensor_mode: divide,
    aten.div.Scalar_mode: divide,
    aten.remainder.Tensor: remainder,
    aten.remainder.Scalar: remainder,
    aten.fmod.Tensor: lambda x, y: x.remainder(y),
    aten.fmod.Scalar: lambda x, y: x.remainder(y),
    aten.pow.Tensor_Tensor: power,
    aten.pow.Tensor_Scalar: power,
    aten.pow.Scalar: power,
    aten.atan2.default: lambda x, y: x.b.binary("stablehlo.atan2", x, y),
    aten.hypot.default: hypot,
    aten.copysign.Tensor: copysign,
    aten.copysign.Scalar: copysign,
    aten.maximum.default: lambda x, y: x.maximum(y),
    aten.minimum.default: lambda x, y: x.minimum(y),
    aten.fmax.default: nan_ignoring("maximum"),
    aten.fmin.default: nan_ignoring("minimum"),
    aten.bitwise_and.Tensor: lambda x, y: x & y,
    aten.bitwise_and.Scalar: lambda x, y: x & y,
    aten.bitwise_or.Tensor: lambda x, y: x | y,
    aten.bitwise_or.Scalar: lambda x, y: x | y,
    aten.bitwise_xor.Tensor: lambda x, y: x ^ y,
    aten.bitwise_xor.Scalar: lambda x, y: x ^ y,
    aten.__lshift__.Scalar: lambda x, y: x.b.binary("stablehlo.shift_left", x, y),
    aten.__lshift__.Tensor: lambda x, y: x.b.binary("stablehlo.shift_left", x, y),
    aten.bitwise_left_shift.Tensor: lambda x, y: x.b.binary("stablehlo.shift_left", x, y),
    aten.__rshift__.Scalar: right_shift,
    aten.__rshift__.Tensor: right_shift,
    aten.bitwise_right_shift.Tensor: right_shift,
    aten.logical_and.default: lambda x, y: x & y,
    aten.logical_or.default: lambda x, y: x | y,
    aten.logical_xor.default: lambda x, y: x ^ y,
    aten.logical_not.default: lambda x: ~x,
}
for overload, formula in POINTWISE.items(): ROWS[overload] = pointwise(formula)


# These look at elements in the operands' own type and give bools.

PREDICATES = {
    aten.isnan.default: lambda x: x.ne(x),
    aten.isinf.default: infinite,
    aten.isfinite.default: lambda x: x.is_finite(),
}


def predicate(formula):
    def write(b, out, x):
        if x.dtype[0] in "iu": return b.constant(formula is PREDICATES[aten.isfinite.default], "i1", x.shape)
        if formula is PREDICATES[aten.isfinite.default]: return b.op("stablehlo.is_finite", [x], x.shape, "i1")
        return formula(x)
    return write


for overload, formula in PREDICATES.items(): ROWS[overload] = predicate(formula)

COMPARISONS = {"eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE"}


def comparison(direction):
    def write(b, out, x, y):
        from heddle.torch.builder import Value, element
        dtype = element(torch.result_type(*[a.meta["val"] if isinstance(a, torch.fx.Node) else a for a in out.node.args]))
        if isinstance(y, Value): y = y.to(dtype)
        return b.compare(direction, x.to(dtype), y)
    return write


for name, direction in COMPARISONS.items():
    for kind in ("Tensor", "Scalar"): ROWS[getattr(getattr(aten, name), kind)] = comparison(direction)


@row(aten.where.self)
def where(b, out, p, x, y):
    return b.expand(b.select(p.to("i1"), x.to(out.dtype), y.to(out.dtype)), out.shape)


@row(aten.logical_not.default)
def logical_not(b, out, x): return x.eq(0) if x.dtype != "i1" else ~x


# Complex numbers.

def parts(b, x):
    """Real and imaginary part."""
    return [b.op(f"stablehlo.{name}", [x], x.shape, x.dtype[8:-1]) for name in ("real", "imag")]


def join(b, real, imaginary):
    real, imaginary = b.together(real, imaginary)
    return b.op("stablehlo.complex", [real, imaginary], real.shape, f"complex<{real.dtype}>")


@row(aten.view_as_complex.default)
def view_as_complex(b, out, x):
    return join(b, *[b.reshape(b.slice(x, x.rank - 1, i, i + 1), out.shape) for i in range(2)])


@row(aten.view_as_real.default)
def view_as_real(b, out, x):
    return b.concatenate([b.reshape(part, (*x.shape, 1)) for part in parts(b, x)], x.rank)


@row(aten.complex.default)
def complex_(b, out, real, imaginary): return join(b, real, imaginary)


@row(aten.polar.default)
def polar(b, out, length, angle): return join(b, length * angle.cosine(), length * angle.sine())


@row(aten._conj.default, aten._conj_physical.default)
def conj(b, out, x):
    real, imaginary = parts(b, x)
    return join(b, real, -imaginary)


@row(aten.angle.default)
def angle(b, out, x):
    from heddle.torch.builder import is_complex
    if is_complex(x.dtype): return b.binary("stablehlo.atan2", *parts(b, x)[::-1])
    x = x.to(out.dtype)
    return b.select(x.ne(x), x, b.select(x < 0, b.constant(math.pi, out.dtype), b.constant(0, out.dtype)))


@row(aten.abs.default)
def absolute(b, out, x):
    from heddle.torch.builder import is_complex
    return hypot(*parts(b, x)) if is_complex(x.dtype) else x if x.dtype in ("i1", "ui8") else x.abs()
