# SPDX-License-Identifier: Apache-2.0
"""Random ops of numeric libraries and of rarer types: quantized values, powers of two, complex functions, fft, batch norm, linear
algebra, random bits, chlo with implicit broadcasts."""
import math

from random_programs import FLOATS, INTS, Reject, Value, int_range, is_complex, is_float, is_int, is_quantized, op, part, rounding
from random_ops import both, ulps


# ---- powers of two ----

@op(1)
def convert_scale(b):
    """To and from f8E8M0FNU."""
    x = b.pick(lambda v: v.t == "f8E8M0FNU" or (is_float(v.t) and v.exact and v.least > 0 and v.most < 2.0 ** 100), stored=True)
    if x.t == "f8E8M0FNU":
        t = b.r.choice(["f32", "f64", "bf16", "f16", "f8E5M2"])
        most, error, grain = b.bounded(t, x.most, 0.0, x.grain)
        if error: raise Reject
        b.simple("convert", [x], Value(b.fresh(), t, x.dims, most, error, grain, x.least, special=x.special))
        return
    b.simple("convert", [x], Value(b.fresh(), "f8E8M0FNU", x.dims, 2 * x.most, grain=3, least=x.least / 2, special=x.special))


@op(1)
def compare_scale(b):
    x = b.pick(lambda v: v.t == "f8E8M0FNU", stored=True)
    y = b.ensure(x.t, x.dims)
    result = Value(b.fresh(), "i1", x.dims, 1, grain=0)
    direction = b.r.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])
    b.emit("compare", f"{result.name} = stablehlo.compare {direction}, {x.name}, {y.name}, FLOAT : ({x.type}, {y.type}) -> {result.type}", [x, y], [result])


# ---- quantized types ----

# type -> (expressed, least and most storage, scale, zero point)
QUANTIZED = {"!quant.uniform<i8:f32, 0.5:3>": ("f32", -128, 127, 0.5, 3), "!quant.uniform<i8:f32, 0.25>": ("f32", -128, 127, 0.25, 0),
             "!quant.uniform<u8:f32, 0.25:128>": ("f32", 0, 255, 0.25, 128),
             "!quant.uniform<i16:f32, 0.01>": ("f32", -32768, 32767, 0.01, 0), "!quant.uniform<i32:f32, 0.125>": ("f32", -2 ** 31, 2 ** 31 - 1, 0.125, 0),
             "!quant.uniform<i8<-127:127>:f32, 0.1:-5>": ("f32", -127, 127, 0.1, -5), "!quant.uniform<i4:f32, 0.5>": ("f32", -8, 7, 0.5, 0),
             "!quant.uniform<i8:bf16, 0.5>": ("bf16", -128, 127, 0.5, 0), "!quant.uniform<i8:f16, 0.0625:-10>": ("f16", -128, 127, 0.0625, -10)}


def quantized_value(b, t, dims): return Value(b.fresh(), t, dims, 1e6, grain=None)


@op(3)
def quantize(b):
    """Floats to quantized values, or one quantized type to another."""
    if b.r.random() < 0.25:
        x = b.pick(lambda v: is_quantized(v.t), stored=True)
        t = b.r.choice([t for t in QUANTIZED if QUANTIZED[t][0] == QUANTIZED[x.t][0]])
    else:
        x = b.pick(lambda v: v.t in ("f32", "bf16", "f16") and v.exact and not v.special)
        t = b.r.choice([t for t in QUANTIZED if QUANTIZED[t][0] == x.t])
    b.simple("uniform_quantize", [x], quantized_value(b, t, x.dims))


@op(3)
def dequantize(b):
    x = b.pick(lambda v: is_quantized(v.t), stored=True)
    t, low, high, scale, zero = QUANTIZED[x.t]
    most = max(abs(low - zero), abs(high - zero)) * scale
    grain = -math.log2(scale) if math.log2(scale) == round(math.log2(scale)) else None
    if most * 2.0 ** (grain or 0) > 2.0 ** (FLOATS[t][0] + 1): grain = None
    b.simple("uniform_dequantize", [x], Value(b.fresh(), t, x.dims, most, 0.0, grain))


@op(3)
def on_quantized(b):
    """Ops on values of one quantized type: the floats' op between conversions."""
    if b.r.random() < 0.6: quantize(b)
    x = b.pick(lambda v: is_quantized(v.t), stored=True)
    name = b.r.choice(["add", "subtract", "multiply", "maximum", "minimum", "abs", "negate", "floor", "sign"])
    two = name in ("add", "subtract", "multiply", "maximum", "minimum")
    same = [v for v in b.values if v.t == x.t and v.dims == x.dims]
    b.simple(name, [x, b.r.choice(same)] if two else [x], quantized_value(b, x.t, x.dims))
    if b.r.random() < 0.6: dequantize(b)


@op(2)
def quantized_dot(b):
    """With scales of the whole tensor, or one for each column."""
    x = b.pick(lambda v: (v.t == "!quant.uniform<i8:f32, 0.5:3>" or (v.t == "f32" and v.exact and not v.special)) and v.rank == 2, stored=True)
    if x.t == "f32": x = b.simple("uniform_quantize", [x], quantized_value(b, "!quant.uniform<i8:f32, 0.5:3>", x.dims))
    columns = b.r.choice([1, 3, 4])
    y = b.ensure("f32", [x.dims[1], b.static(columns)], lambda v: v.exact and not v.special)
    n, wide = b.fresh(), b.r.random() < 0.5
    scales, results = [b.r.choice(["0.5", "0.25", "0.125", "1.0"]) for _ in range(columns)], [b.r.choice(["0.25", "0.125", "0.5"]) for _ in range(columns)]
    right = f"!quant.uniform<i8:f32:1, {{{', '.join(scales)}}}>" if wide else "!quant.uniform<i8:f32, 0.25>"
    to = f"!quant.uniform<i32:f32:1, {{{', '.join(results)}}}>" if wide else "!quant.uniform<i32:f32, 0.125>"
    q, z = Value(n, right, y.dims, 1e6), Value(b.fresh(), to, [x.dims[0], b.static(columns)], 1e6)
    b.emit("uniform_quantize", f"{q.name} = stablehlo.uniform_quantize {y.name} : ({y.type}) -> {q.type}", [y], [q])
    b.emit("dot_general", f"{z.name} = stablehlo.dot_general {x.name}, {q.name}, contracting_dims = [1] x [0] : ({x.type}, {q.type}) -> {z.type}", [x, q], [z])
    out = Value(b.fresh(), "f32", z.dims, 1e9, 0.0, None)
    b.simple("uniform_dequantize", [z], out)


# ---- elementary functions ----

@op(2)
def power(b):
    x = b.pick(lambda v: is_float(v.t) and 0.2 < v.least and v.most < 20)
    y = b.ensure(x.t, x.dims, lambda v: v.most <= 3)
    top = max(x.most ** y.most, x.least ** -y.most)
    error = top * (y.most / x.least * x.error + max(abs(math.log(x.least)), abs(math.log(x.most)), 1e-9) * y.error)
    most, error, grain = b.bounded(x.t, top, error + ulps(x.t, top, 16), None)
    b.simple("power", [x, y], Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or y.special))


@op(1)
def integer_power(b):
    x = b.pick(lambda v: is_int(v.t) and v.t != "i1")
    b.simple("power", [x, b.ensure(x.t, x.dims)], Value(b.fresh(), x.t, x.dims, max(map(abs, int_range(x.t))), grain=0))


@op(1)
def atan2(b):
    x = b.pick(lambda v: is_float(v.t))
    y = b.ensure(x.t, x.dims, lambda v: v.least > 0.2)
    most, error, grain = b.bounded(x.t, 3.2, (x.error + y.error) / y.least + ulps(x.t, 3.2), None)
    b.simple("atan2", [x, y], Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or y.special))


# name -> (condition, most, factor of the error)
SPECIAL = {"chlo.lgamma": (lambda v: v.least >= 0.5, lambda v: abs(math.lgamma(v.most)) + 1, lambda v: 8),
           "chlo.digamma": (lambda v: v.least >= 0.5, lambda v: 4 + math.log(v.most + 1), lambda v: 8),
           "chlo.acos": (lambda v: v.most <= 0.9, lambda v: 3.2, lambda v: 3), "chlo.asin": (lambda v: v.most <= 0.9, lambda v: 1.6, lambda v: 3),
           "chlo.atanh": (lambda v: v.most <= 0.9, lambda v: 1.6, lambda v: 6), "chlo.acosh": (lambda v: v.least >= 1.2, lambda v: math.acosh(v.most) + 1, lambda v: 2),
           "chlo.erf_inv": (lambda v: v.most <= 0.9, lambda v: 1.3, lambda v: 5), "chlo.bessel_i1e": (lambda v: True, lambda v: 1.0, lambda v: 1)}


@op(1)
def special_function(b):
    name = b.r.choice(list(SPECIAL))
    condition, most, factor = SPECIAL[name]
    x = b.pick(lambda v: v.t in ("f32", "f64", "f16", "bf16") and condition(v) and v.most > 0)
    size, error, grain = b.bounded(x.t, most(x), x.error * factor(x) + ulps(x.t, most(x), 64), None)
    b.simple(name, [x], Value(b.fresh(), x.t, x.dims, size, error, grain, special=x.special))


@op(1)
def float_class(b):
    name = b.r.choice(["chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf"])
    x = b.pick(lambda v: v.t in ("f32", "f64", "f16", "bf16") and v.exact)
    b.simple(name, [x], Value(b.fresh(), "i1", x.dims, 1, grain=0))


@op(1)
def next_after(b):
    x = b.pick(lambda v: v.t in ("f32", "f64", "f16", "bf16") and v.exact and v.most > 0)
    y = b.ensure(x.t, x.dims, lambda v: v.exact)
    b.simple("chlo.next_after", [x, y], Value(b.fresh(), x.t, x.dims, x.most * 1.01, 0.0, None, special=x.special or y.special))


@op(1)
def complex_function(b):
    x = b.pick(lambda v: is_complex(v.t) and v.most <= 4 and not v.special and v.most > 0)
    name = b.r.choice(["exponential", "abs", "negate", "sine", "cosine", "chlo.conj", "exponential_minus_one"])
    top = {"abs": x.most, "negate": x.most, "chlo.conj": x.most}.get(name, math.exp(x.most) + 1)
    exact = name in ("negate", "chlo.conj")
    t = part(x.t) if name == "abs" else x.t
    if exact: most, error, grain = top, x.error, x.grain
    else: most, error, grain = b.bounded(t, top, x.error * top * 2 + ulps(t, top, 32), None)
    b.simple(name, [x], Value(b.fresh(), t, x.dims, most, error, grain))


@op(1)
def complex_divide(b):
    x = b.pick(lambda v: is_complex(v.t) and not v.special)
    y = b.ensure(x.t, x.dims)
    if y.grain is None or y.special: raise Reject
    shift = b.constant(part(x.t), [], 2.0 * math.ceil(y.most) + 2)
    away, sum_ = Value(b.fresh(), x.t, [], shift.most, grain=1), Value(b.fresh(), x.t, x.dims, y.most + shift.most, *b.bounded(x.t, y.most + shift.most, y.error, y.grain)[1:])
    zero = b.constant(part(x.t), [], 0.0)
    b.simple("complex", [shift, zero], away)
    b.simple("add", [y, b.broadcast(away, x.dims, []) if x.dims else away], sum_)
    least = shift.most - y.most
    most, error, grain = b.bounded(x.t, x.most / least, (x.error + x.most / least * sum_.error) / least, None)
    b.simple("divide", [x, sum_], Value(b.fresh(), x.t, x.dims, most, 4 * error, grain))


# ---- chlo with implicit broadcasts ----

@op(3)
def implicit_broadcast(b):
    """The second operand has the last dims of the first one, or ones."""
    name = b.r.choice(["add", "subtract", "multiply", "maximum", "minimum", "compare", "select"])
    x = b.pick(lambda v: v.rank > 0 and v.t != "i1" and (not is_complex(v.t) or name in ("add", "subtract")))
    keep = b.r.randint(0, x.rank)
    dims = [b.static(1) if b.r.random() < 0.2 else d for d in x.dims[keep:]]
    y = b.ensure(x.t, dims, lambda v: name != "compare" or v.exact)
    operands = [x, y] if b.r.random() < 0.7 else [y, x]
    if name == "compare":
        if not x.exact: raise Reject
        result = Value(b.fresh(), "i1", x.dims, 1, grain=0)
        b.emit("broadcast_compare", f"{result.name} = chlo.broadcast_compare {operands[0].name}, {operands[1].name} {{comparison_direction = #chlo<comparison_direction LE>}} : "
               f"({operands[0].type}, {operands[1].type}) -> {result.type}", operands, [result])
        return
    if name == "select":
        p = b.ensure("i1", b.r.choice([[], x.dims]))
        result = b.moved(x, x.dims, **both(x, y))
        b.emit("broadcast_select", f"{result.name} = chlo.broadcast_select {p.name}, {operands[0].name}, {operands[1].name} : ({p.type}, {operands[0].type}, {operands[1].type}) -> {result.type}",
               [p, *operands], [result])
        return
    grain = None if x.grain is None or y.grain is None else x.grain + y.grain if name == "multiply" else max(x.grain, y.grain)
    most = x.most * y.most if name == "multiply" else x.most + y.most if name in ("add", "subtract") else max(x.most, y.most)
    error = x.most * y.error + y.most * x.error + x.error * y.error if name == "multiply" else x.error + y.error
    most, error, grain = b.bounded(x.t, most, error, grain)
    result = Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or y.special)
    b.emit("broadcast_" + name, f"{result.name} = chlo.broadcast_{name} {operands[0].name}, {operands[1].name} : ({operands[0].type}, {operands[1].type}) -> {result.type}", operands, [result])


# ---- libraries ----

@op(2)
def fft(b):
    x = b.pick(lambda v: v.rank > 0 and (is_complex(v.t) or v.t in ("f32", "f64")) and v.dims[-1].static and v.dims[-1].key > 0 and not v.special)
    count = b.r.randint(1, min(3, sum(1 for _ in iter_static(x))))
    lengths = [d.key for d in x.dims[x.rank - count:]]
    dims = list(x.dims)
    if is_complex(x.t):
        kind = b.r.choice(["FFT", "IFFT", "IRFFT"])
        if kind == "IRFFT":
            lengths[-1] = 2 * (lengths[-1] - 1) + b.r.randint(0, 1) if lengths[-1] > 1 else 1
            dims[-1] = b.static(lengths[-1])
    else:
        kind = "RFFT"
        dims[-1] = b.static(lengths[-1] // 2 + 1)
    if min(lengths) == 0: raise Reject
    t = {"RFFT": f"complex<{x.t}>", "IRFFT": part(x.t)}.get(kind, x.t)
    n = math.prod(lengths)
    top = x.most * (n if kind in ("FFT", "RFFT") else 2)
    most, error, grain = b.bounded(t, top, 2 * x.error * (n if kind in ("FFT", "RFFT") else 1) + 64 * rounding(part(t), x.most * n), None)
    result = Value(b.fresh(), t, dims, most, error, grain)
    b.check_size(dims)
    b.emit("fft", f"{result.name} = stablehlo.fft {x.name}, type = {kind}, length = {lengths} : ({x.type}) -> {result.type}", [x], [result])


def iter_static(x):
    for d in reversed(x.dims):
        if not d.static or not d.key: return
        yield d


def vector(b, t, d, condition=lambda v: True): return b.ensure(t, [d], lambda v: not v.special and condition(v))


@op(2)
def batch_norm(b):
    """With epsilon 1, so that nothing is divided by what is small."""
    name = b.r.choice(["training", "inference", "grad"])
    x = b.pick(lambda v: v.rank > 1 and v.t in ("f32", "f64", "f16", "bf16") and not v.special and v.most <= 100 and all(min(d.values) > 0 for d in v.dims))
    axis = b.r.randrange(x.rank)
    d, t = x.dims[axis], x.t
    attrs = f" <{{epsilon = 1.0 : f32, feature_index = {axis} : i64}}>"
    scale = vector(b, t, d, lambda v: v.most <= 10)
    count = b.elements(x.dims) or 1
    step = 8 * count * rounding(t, x.most * x.most + 1)
    if name == "inference":
        offset, mean, variance = vector(b, t, d), vector(b, t, d), vector(b, t, d, lambda v: v.least > 0.2)
        top = (x.most + mean.most) * scale.most + offset.most
        error = (x.error + mean.error + (x.most + mean.most) * variance.error) * scale.most + (x.most + mean.most) * scale.error + offset.error + ulps(t, top, 16)
        most, error, grain = b.bounded(t, top, error, None)
        b.simple("batch_norm_inference", [x, scale, offset, mean, variance], Value(b.fresh(), t, x.dims, most, error, grain), attrs)
        return
    if name == "training":
        offset = vector(b, t, d)
        top = 2 * x.most * scale.most + offset.most
        spread = 2 * x.error + step + 2 * x.most * (4 * x.most * x.error + step)
        out = Value(b.fresh(), t, x.dims, *b.bounded(t, top, spread * scale.most + 2 * x.most * scale.error + offset.error, None))
        mean = Value(b.fresh(), t, [d], *b.bounded(t, x.most, x.error + step, None))
        variance = Value(b.fresh(), t, [d], *b.bounded(t, 4 * x.most ** 2, 8 * x.most * x.error + 4 * step, None))
        many(b, "batch_norm_training", [x, scale, offset], [out, mean, variance], attrs)
        return
    mean, variance = vector(b, t, d, lambda v: v.most <= 100), vector(b, t, d, lambda v: v.least > 0.2)
    g = b.ensure(t, x.dims, lambda v: not v.special and v.most <= 100)
    top = count * (x.most + mean.most + 1) ** 2 * (scale.most + 1) * (g.most + 1)
    error = top * (x.error + mean.error + variance.error + g.error + scale.error) * 8 + 16 * count * rounding(t, top)
    results = [Value(b.fresh(), t, dims, *b.bounded(t, top, error, None)) for dims in (x.dims, [d], [d])]
    many(b, "batch_norm_grad", [x, scale, mean, variance, g], results, attrs)


def many(b, name, operands, results, attrs):
    """An op of several results."""
    b.emit(name, f'{", ".join(r.name for r in results)} = "stablehlo.{name}"({", ".join(v.name for v in operands)}){attrs} : '
           f'({", ".join(v.type for v in operands)}) -> ({", ".join(r.type for r in results)})', operands, results)


@op(1)
def triangular_solve(b):
    """With ones on the diagonal, small, so that the solution stays small."""
    x = b.pick(lambda v: v.rank >= 2 and v.t in ("f32", "f64", "complex<f32>", "complex<f64>") and not v.special and v.dims[-2].static and 0 < v.dims[-2].key <= 3)
    n = x.dims[-2].key
    a = b.ensure(x.t, list(x.dims[:-2]) + [x.dims[-2], x.dims[-2]], lambda v: not v.special and v.most <= 2)
    grow = (1 + a.most) ** (n - 1)
    top = x.most * grow
    most, error, grain = b.bounded(x.t, top, (x.error + top * a.error * n) * grow + ulps(x.t, top, 32), None)
    attrs = (f" <{{left_side = true, lower = {b.r.choice(['true', 'false'])}, unit_diagonal = true, "
             f"transpose_a = #stablehlo<transpose {b.r.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>}}>")
    b.simple("triangular_solve", [a, x], Value(b.fresh(), x.t, x.dims, most, error, grain), attrs)


@op(1)
def cholesky(b):
    """Of a fixed matrix times a positive number."""
    t = b.r.choice(["f32", "f64"])
    dims = [b.r.choice([d for d in b.pool if d.static or d.key in b.sizes]) for _ in range(b.r.randint(0, 2))] + [b.static(3), b.static(3)]
    b.check_size(dims)
    name = b.fresh()
    m = Value(name, t, [b.static(3), b.static(3)], 9, grain=0)
    b.emit("constant", f"{name} = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 5.0, 1.0], [-2.0, 1.0, 9.0]]> : {m.type}", [], [m])
    a = b.broadcast(m, dims, [len(dims) - 2, len(dims) - 1])
    most, error, grain = b.bounded(t, 3, ulps(t, 3, 64), None)
    result = Value(b.fresh(), t, dims, most, error, grain)
    b.emit("cholesky", f"{result.name} = stablehlo.cholesky {a.name}, lower = {b.r.choice(['true', 'false'])} : {a.type}", [a], [result])


def random_state(b):
    """Two or three words, or the bits of any integers at hand, whose number may be unknown."""
    if b.r.random() < 0.5: return b.pick(lambda v: is_int(v.t) and v.exact)
    state = Value(b.fresh(), "ui64", [b.static(b.r.choice([2, 3]))], 2 ** 64, grain=0)
    numbers = ", ".join(str(b.r.choice([0, 1, 12345678901234567, 18446744073709551615])) for _ in range(state.dims[0].most))
    b.emit("constant", f"{state.name} = stablehlo.constant dense<[{numbers}]> : {state.type}", [], [state])
    return state


@op(1)
def random_bits(b):
    state, t = random_state(b), b.r.choice(list(INTS))
    dims = [b.static(b.r.choice([0, 1, 3, 16, 37])) for _ in range(b.r.randint(0, 2))]
    bits = Value(b.fresh(), t, dims, max(map(abs, int_range(t))), grain=0)
    after = Value(b.fresh(), state.t, state.dims, max(map(abs, int_range(state.t))), grain=0)
    algorithm = b.r.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
    b.emit("rng_bit_generator", f"{after.name}, {bits.name} = stablehlo.rng_bit_generator {state.name}, algorithm = {algorithm} : ({state.type}) -> ({after.type}, {bits.type})", [state], [after, bits])


@op(1)
def dot_of_types(b):
    """A result wider than the operands, and operands of two types."""
    left, right, to = b.r.choice([("i8", "i8", "i32"), ("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("i4", "i4", "i32"), ("f8E4M3FN", "f8E5M2", "f32"), ("ui8", "ui8", "ui32")])
    x = b.pick(lambda v: v.rank == 2)
    x = b.ensure(left, x.dims, lambda v: not v.special)
    y = b.ensure(right, [x.dims[1], b.r.choice([d for d in b.pool if d.static or d.key in b.sizes])], lambda v: not v.special)
    count = max(x.dims[1].most, 1)
    dims = [x.dims[0], y.dims[1]]
    b.check_size(dims)
    if is_int(to): most, error, grain = max(map(abs, int_range(to))), 0.0, 0
    else:
        top = count * x.most * y.most
        grain = None if x.grain is None or y.grain is None else x.grain + y.grain
        exact = grain is not None and x.exact and y.exact and top * 2.0 ** grain <= 2.0 ** FLOATS[to][0]
        error = count * (x.most * y.error + y.most * x.error + x.error * y.error) + (0 if exact else 2 * count * rounding(to, top))
        most, error, grain = b.bounded(to, top, error, grain if exact else None)
    result = Value(b.fresh(), to, dims, most, error, grain)
    b.emit("dot_general", f"{result.name} = stablehlo.dot_general {x.name}, {y.name}, contracting_dims = [1] x [0] : ({x.type}, {y.type}) -> {result.type}", [x, y], [result])
