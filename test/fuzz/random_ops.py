# SPDX-License-Identifier: Apache-2.0
"""The ops of random programs: each function adds one op (and what it needs) to a builder, or raises Reject."""
import math

from random_programs import (FLOATS, INTS, Dim, Reject, Value, int_range, is_complex, is_float, is_int, op, part, rounding)


def ulps(t, most, n=8): return n * rounding(part(t), most) if not is_int(t) else 0.0


def number(v): return v.t != "i1"


# ---- elementwise ----

@op(10)
def arithmetic(b):
    name = b.r.choice(["add", "subtract", "multiply", "add", "multiply", "maximum", "minimum"])
    x = b.pick(lambda v: v.t != "i1" and (not is_complex(v.t) or name in ("add", "subtract", "multiply")))
    y = b.ensure(x.t, x.dims)
    grain = None if x.grain is None or y.grain is None else max(x.grain, y.grain)
    least = None
    if name in ("add", "subtract"):
        most, error = x.most + y.most, x.error + y.error
        if name == "add" and not is_int(x.t): least = x.least + y.least
    elif name == "multiply":
        most, error = x.most * y.most, x.most * y.error + y.most * x.error + x.error * y.error
        grain = None if grain is None else x.grain + y.grain
        if x.least > 0 and y.least > 0: least = x.least * y.least
        if x is y and not is_complex(x.t): least = max(0.0, least or 0.0)
    else:
        most, error, least = max(x.most, y.most), max(x.error, y.error), (max if name == "maximum" else min)(x.least, y.least)
    if is_int(x.t): least = None
    most, error, grain = b.bounded(x.t, most, error, grain)
    b.simple(name, [x, y], Value(b.fresh(), x.t, x.dims, most, error, grain, least, special=x.special or y.special))


@op(4)
def divide(b):
    x = b.pick(lambda v: v.t != "i1" and not is_complex(v.t))
    if is_int(x.t):
        y = b.ensure(x.t, x.dims)
        name = b.r.choice(["divide", "remainder"])
        b.simple(name, [x, y], Value(b.fresh(), x.t, x.dims, max(map(abs, int_range(x.t))), grain=0))
        return
    y = b.ensure(x.t, x.dims, lambda v: v.least > 0.2)
    if b.r.random() < 0.3 and x.exact and y.exact:
        most, error, grain = b.bounded(x.t, max(x.most, y.most), 0.0, None if x.grain is None or y.grain is None else max(x.grain, y.grain))
        b.simple("remainder", [x, y], Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or y.special))
        return
    most, error, grain = b.bounded(x.t, x.most / y.least, (x.error + x.most / y.least * y.error) / y.least, None)
    b.simple("divide", [x, y], Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or y.special))


@op(4)
def bitwise(b):
    x = b.pick(lambda v: is_int(v.t))
    names = ["and", "or", "xor", "not"] + ([] if x.t == "i1" else ["shift_left", "shift_right_logical", "shift_right_arithmetic", "popcnt",
                                                                   "count_leading_zeros", "negate", "abs", "sign"])
    name = b.r.choice(names)
    if name in ("abs", "sign", "negate") and x.t[0] == "u": raise Reject
    operands = [x] if name in ("not", "popcnt", "count_leading_zeros", "negate", "abs", "sign") else [x, b.ensure(x.t, x.dims)]
    b.simple(name, operands, Value(b.fresh(), x.t, x.dims, max(map(abs, int_range(x.t))), grain=0))


# name -> (condition, most, factor of the error)
FUNCTIONS = {
    "tanh": (lambda v: True, lambda v: min(1.0, v.most), lambda v: 1),
    "logistic": (lambda v: True, lambda v: 1.0, lambda v: 0.25),
    "sine": (lambda v: v.most <= 100, lambda v: 1.0, lambda v: 1),
    "cosine": (lambda v: v.most <= 100, lambda v: 1.0, lambda v: 1),
    "exponential": (lambda v: v.most <= 4, lambda v: math.exp(v.most), lambda v: math.exp(v.most)),
    "exponential_minus_one": (lambda v: v.most <= 4, lambda v: math.exp(v.most), lambda v: math.exp(v.most)),
    "log": (lambda v: v.least >= 0.2, lambda v: max(abs(math.log(v.least)), abs(math.log(v.most))), lambda v: 1 / v.least),
    "log_plus_one": (lambda v: v.least >= -0.5, lambda v: max(0.7, math.log1p(v.most)), lambda v: 2),
    "sqrt": (lambda v: v.least >= 0.05, lambda v: math.sqrt(v.most), lambda v: 0.5 / math.sqrt(v.least)),
    "rsqrt": (lambda v: v.least >= 0.05, lambda v: 1 / math.sqrt(v.least), lambda v: 0.5 * v.least ** -1.5),
    "cbrt": (lambda v: v.least >= 0.1, lambda v: v.most ** (1 / 3), lambda v: 0.4 * v.least ** (-2 / 3)),
    "tan": (lambda v: v.most <= 1.2, lambda v: 2.6, lambda v: 8),
    "chlo.erf": (lambda v: True, lambda v: 1.0, lambda v: 1.2),
    "chlo.atan": (lambda v: True, lambda v: 1.6, lambda v: 1),
    "chlo.sinh": (lambda v: v.most <= 4, lambda v: math.sinh(v.most), lambda v: math.cosh(v.most)),
    "chlo.cosh": (lambda v: v.most <= 4, lambda v: math.cosh(v.most), lambda v: math.sinh(v.most) + 1),
    "chlo.erfc": (lambda v: True, lambda v: 2.0, lambda v: 1.2),
    "chlo.asinh": (lambda v: True, lambda v: math.asinh(v.most) + 1, lambda v: 1),
    "chlo.square": (lambda v: True, lambda v: v.most ** 2, lambda v: 2 * v.most),
}


@op(6)
def function(b):
    name = b.r.choice(list(FUNCTIONS))
    condition, most, factor = FUNCTIONS[name]
    x = b.pick(lambda v: is_float(v.t) and condition(v) and v.most > 0)
    size, error, grain = b.bounded(x.t, most(x), x.error * factor(x) + ulps(x.t, most(x)), None)
    least = {"logistic": 0.0, "exponential": math.exp(x.least) / 2 if name == "exponential" else 0, "sqrt": 0.2}.get(name)
    b.simple(name, [x], Value(b.fresh(), x.t, x.dims, size, error, grain, least, special=x.special))


@op(4)
def exact_function(b):
    name = b.r.choice(["negate", "abs", "floor", "ceil", "sign", "round_nearest_even", "round_nearest_afz", "is_finite", "reduce_precision"])
    x = b.pick(lambda v: is_float(v.t) and (v.exact or name in ("negate", "abs")))
    if name == "is_finite":
        b.simple(name, [x], Value(b.fresh(), "i1", x.dims, 1, grain=0))
        return
    attrs = ""
    most, grain = x.most, x.grain
    if name == "sign": most, grain = 1, 0
    if name in ("floor", "ceil", "round_nearest_even", "round_nearest_afz"): most, grain = x.most + 1, 0
    if name == "reduce_precision":
        attrs = f" <{{exponent_bits = {b.r.choice([5, 8])} : i32, mantissa_bits = {b.r.choice([2, 3, 7])} : i32}}>"
        if x.most > 1e4 or x.t not in ("f64", "f32", "f16", "bf16", "f8E5M2"): raise Reject
        most, grain = x.most * 1.5, None
        if x.grain is None and not x.bits: raise Reject
        # rounding to fewer bits is the same everywhere, whatever the result's grain is
        b.simple(name, [x], Value(b.fresh(), x.t, x.dims, most, 0.0, None, special=x.special), attrs)
        return
    least = max(0.0, x.least) if name == "abs" else None
    b.simple(name, [x], Value(b.fresh(), x.t, x.dims, most, x.error, grain, least, special=x.special), attrs)


@op(4)
def compare(b):
    x = b.pick(lambda v: v.exact and number(v) or v.t == "i1")
    y = b.ensure(x.t, x.dims, lambda v: v.exact)
    direction = b.r.choice(["EQ", "NE"] if is_complex(x.t) else ["EQ", "NE", "LT", "LE", "GT", "GE"])
    kind = "SIGNED" if is_int(x.t) and x.t[0] != "u" and x.t != "i1" else "UNSIGNED" if is_int(x.t) else "FLOAT"
    if kind == "FLOAT" and is_float(x.t) and b.r.random() < 0.15 and x.bits and y.bits: kind = "TOTALORDER"
    result = Value(b.fresh(), "i1", x.dims, 1, grain=0)
    b.emit("compare", f"{result.name} = stablehlo.compare {direction}, {x.name}, {y.name}, {kind} : ({x.type}, {y.type}) -> {result.type}",
           [x, y], [result])


def both(x, y): return dict(most=max(x.most, y.most), error=max(x.error, y.error), least=min(x.least, y.least),
                            grain=None if x.grain is None or y.grain is None else max(x.grain, y.grain),
                            bits=x.bits and y.bits, special=x.special or y.special)


@op(4)
def select(b):
    x = b.pick(stored=True)
    y = b.ensure(x.t, x.dims)
    p = b.ensure("i1", x.dims if b.r.random() < 0.8 else [])
    b.simple("select", [p, x, y], b.moved(x, x.dims, **both(x, y)))


@op(2)
def clamp(b):
    x = b.pick(lambda v: not is_complex(v.t) and v.t != "i1")
    low, high = b.ensure(x.t, []), b.ensure(x.t, [])
    merged = both(x, low)
    merged = {**merged, **both(b.moved(x, x.dims, **merged), high)}
    b.simple("clamp", [low, x, high], b.moved(x, x.dims, **merged))


@op(5)
def convert(b):
    x = b.pick(lambda v: not is_complex(v.t))
    t = b.r.choice(b.fields + ["f32", "i32", "i1"])
    if t == x.t or is_complex(t): raise Reject
    if is_float(t):
        if x.most >= FLOATS[t][1] / 4: raise Reject
        most, error, grain = b.bounded(t, x.most, x.error, x.grain)
        least = x.least - error if x.least > 0 else None
        result = Value(b.fresh(), t, x.dims, most, error, grain, least, special=x.special)
    else:
        if not x.exact or (is_float(x.t) and x.grain is None and not x.bits): raise Reject
        result = Value(b.fresh(), t, x.dims, max(map(abs, int_range(t))) if is_float(x.t) or x.most > int_range(t)[1] else x.most, grain=0)
        if result.most > x.most + 1 and int_range(t)[0] < 0 and x.most < int_range(t)[1]: result.most = x.most + 1
        if t == "i1": result.most = 1
    b.simple("convert", [x], result)


@op(1)
def bitcast(b):
    x = b.pick(lambda v: v.bits and v.t in ("f32", "f64", "f16", "bf16", "i32", "i64", "i16", "i8", "ui8", "ui16", "ui32", "ui64") and not v.special)
    width = INTS[x.t][0] if is_int(x.t) else {"f32": 32, "f64": 64, "f16": 16, "bf16": 16}[x.t]
    t = b.r.choice([f"i{width}", f"ui{width}"])
    if t == x.t: raise Reject
    b.simple("bitcast_convert", [x], Value(b.fresh(), t, x.dims, max(map(abs, int_range(t))), grain=0))


@op(1)
def complex_parts(b):
    if b.r.random() < 0.5:
        x = b.pick(lambda v: v.t in ("f32", "f64"))
        y = b.ensure(x.t, x.dims)
        t = f"complex<{x.t}>"
        merged = both(x, y)
        b.simple("complex", [x, y], Value(b.fresh(), t, x.dims, x.most + y.most, x.error + y.error, merged["grain"], special=merged["special"]))
        return
    x = b.pick(lambda v: is_complex(v.t))
    b.simple(b.r.choice(["real", "imag"]), [x], Value(b.fresh(), part(x.t), x.dims, x.most, x.error, x.grain, special=x.special))


# ---- movement ----

@op(4)
def broadcast(b):
    x = b.pick(lambda v: v.rank < 4, stored=True)
    dims = list(x.dims)
    axes = list(range(len(dims)))
    for _ in range(b.r.randint(1, 2)):
        at = b.r.randint(0, len(dims))
        d = b.r.choice([d for d in b.pool if d.static or d.key in b.sizes])
        dims.insert(at, d)
        axes = [a + (a >= at) for a in axes]
    if b.r.random() < 0.3:
        ones = [i for i, d in enumerate(x.dims) if d.static and d.key == 1]
        if ones: dims[axes[b.r.choice(ones)]] = b.r.choice([d for d in b.pool if d.static or d.key in b.sizes])
    b.broadcast(x, dims, axes)


@op(4)
def transpose(b):
    x = b.pick(lambda v: v.rank >= 2, stored=True)
    order = list(range(x.rank))
    b.r.shuffle(order)
    b.simple("transpose", [x], b.moved(x, [x.dims[i] for i in order]), f" <{{permutation = array<i64: {', '.join(map(str, order))}>}}>")


def product(b, dims):
    """The dim of all of |dims| in a row, and how to write it."""
    flat = sorted((str(d.key) for d in dims if not d.static)), math.prod(d.key for d in dims if d.static)
    values = [math.prod(d.values[k] for d in dims) for k in range(b.runs)]
    if not flat[0]: return b.static(flat[1])
    if len(flat[0]) == 1 and flat[1] == 1: return next(d for d in dims if not d.static)
    return Dim("*".join([str(flat[1])] * (flat[1] != 1) + flat[0]), values)


@op(5)
def reshape(b):
    """Merges neighbouring dims, splits static ones, adds and drops ones."""
    x = b.pick(stored=True)
    dims, sizes = list(x.dims), [None] * x.rank
    for _ in range(b.r.randint(1, 2)):
        choice = b.r.choice(["merge", "split", "one", "drop"])
        if choice == "merge" and len(dims) >= 2:
            i = b.r.randrange(len(dims) - 1)
            dims[i:i + 2] = [product(b, dims[i:i + 2])]
        elif choice == "split":
            able = [i for i, d in enumerate(dims) if d.static and d.key > 3 and any(d.key % f == 0 for f in (2, 3, 5))]
            if not able: continue
            i = b.r.choice(able)
            f = b.r.choice([f for f in (2, 3, 5) if dims[i].key % f == 0])
            dims[i:i + 1] = [b.static(f), b.static(dims[i].key // f)]
        elif choice == "one" and len(dims) < 5: dims.insert(b.r.randint(0, len(dims)), b.static(1))
        elif choice == "drop":
            ones = [i for i, d in enumerate(dims) if d.static and d.key == 1]
            if ones: del dims[b.r.choice(ones)]
    if dims == list(x.dims): raise Reject
    del sizes
    result = b.moved(x, dims)
    if all(d.static for d in dims) and all(d.static for d in x.dims):
        b.simple("reshape", [x], result)
        return
    for d in dims: extend_size(b, d)
    shape = b.shape(dims)
    b.emit("dynamic_reshape", f"{result.name} = stablehlo.dynamic_reshape {x.name}, {shape.name} : ({x.type}, {shape.kind}) -> {result.type}",
           [x, shape], [result])


def extend_size(b, d):
    """The size of a product that no value has yet, by multiplication."""
    if d.static or d.key in b.sizes or d.key in b.shapes: return
    if "*" not in d.key: raise Reject
    total = None
    for factor in d.key.split("*"):
        if factor.isdigit(): s = b.size(b.static(int(factor)))
        elif factor in b.sizes: s = b.size(Dim(factor, [0] * b.runs))
        else: raise Reject
        total = s if total is None else b.emit_plain(f"stablehlo.multiply {total.name}, {s.name} : tensor<i32>", "tensor<i32>", [total, s])
    b.shapes[d.key] = total


@op(4)
def slice_(b):
    x = b.pick(lambda v: v.rank > 0, stored=True)
    if all(d.static for d in x.dims):
        start = [b.r.randint(0, d.key) for d in x.dims]
        limit = [b.r.randint(s, d.key) for s, d in zip(start, x.dims)]
        stride = [b.r.choice([1, 1, 1, 2, 3]) for _ in x.dims]
        dims = [b.static(-(-(l - s) // t)) for s, l, t in zip(start, limit, stride)]
        def ints(v): return "array<i64: " + ", ".join(map(str, v)) + ">"
        b.simple("slice", [x], b.moved(x, dims), f" <{{start_indices = {ints(start)}, limit_indices = {ints(limit)}, strides = {ints(stride)}}}>")
        return
    start, stride, dims = [], [], []
    for d in x.dims:
        s, t = (b.r.choice([0, 0, 1, 2]), b.r.choice([1, 1, 2])) if not d.static or d.key > 2 else (0, 1)
        if any(v < s for v in d.values): s = 0
        start.append(s), stride.append(t)
        values = [-(-(v - s) // t) for v in d.values]
        dims.append(d if s == 0 and t == 1 else b.static(values[0]) if d.static else Dim(f"({d.key}-{s})/{t}", values))
    n = x.rank
    limit = b.shape(x.dims)
    first = b.emit_plain(f"stablehlo.constant dense<{start}> : tensor<{n}xi32>", f"tensor<{n}xi32>", [])
    step = b.emit_plain(f"stablehlo.constant dense<{stride}> : tensor<{n}xi32>", f"tensor<{n}xi32>", [])
    result = b.moved(x, dims)
    b.emit("real_dynamic_slice", f"{result.name} = stablehlo.real_dynamic_slice {x.name}, {first.name}, {limit.name}, {step.name} : "
           f"({x.type}, {limit.kind}, {limit.kind}, {limit.kind}) -> {result.type}", [x, first, limit, step], [result])


def index_scalar(b):
    """Any integer scalar, far outside now and then."""
    found = [v for v in b.values if v.t in ("i32", "i64", "i8", "ui8") and v.rank == 0]
    if found and b.r.random() < 0.5: return b.r.choice(found)
    return b.constant("i32", [], b.r.choice([0, 1, 2, 5, -3, 100]))


@op(3)
def dynamic_slice(b):
    x = b.pick(lambda v: v.rank > 0 and all(d.static or min(d.values) > 0 for d in v.dims), stored=True)
    sizes = [b.r.randint(0 if b.r.random() < 0.1 else min(1, min(d.values)), min(d.values)) for d in x.dims]
    starts = [index_scalar(b)]
    starts += [b.constant(starts[0].t, [], b.r.choice([0, 1, 3, -2])) for _ in x.dims[1:]]
    b.simple("dynamic_slice", [x] + starts, b.moved(x, [b.static(s) for s in sizes]), f" <{{slice_sizes = array<i64: {', '.join(map(str, sizes))}>}}>")


@op(3)
def dynamic_update_slice(b):
    x = b.pick(lambda v: v.rank > 0, stored=True)
    dims = [b.static(b.r.randint(0 if b.r.random() < 0.1 else min(1, min(d.values)), min(d.values))) if b.r.random() < 0.6 else d for d in x.dims]
    u = b.ensure(x.t, dims)
    starts = [index_scalar(b)]
    starts += [b.constant(starts[0].t, [], b.r.choice([0, 1, 3, -2])) for _ in x.dims[1:]]
    b.simple("dynamic_update_slice", [x, u] + starts, b.moved(x, x.dims, **both(x, u)))


@op(3)
def concatenate(b):
    x = b.pick(lambda v: v.rank > 0, stored=True)
    axis = b.r.randrange(x.rank)
    parts = [x]
    for _ in range(b.r.randint(1, 2)):
        same = [v for v in b.values if v.t == x.t and v.rank == x.rank and all(i == axis or v.dims[i] == x.dims[i] for i in range(x.rank))]
        parts.append(b.r.choice(same) if b.r.random() < 0.6 else b.ensure(x.t, x.dims))
    dims = list(x.dims)
    values = [sum(p.dims[axis].values[k] for p in parts) for k in range(b.runs)]
    dims[axis] = b.static(values[0]) if all(p.dims[axis].static for p in parts) else \
        Dim("(" + "+".join(sorted(str(p.dims[axis].key) for p in parts)) + ")", values)
    merged = both(x, x)
    for p in parts[1:]: merged = both(b.moved(x, [], **merged), p)
    b.simple("concatenate", parts, b.moved(x, dims, **merged), f" <{{dimension = {axis} : i64}}>")


@op(3)
def pad(b):
    x = b.pick(lambda v: v.rank > 0, stored=True)
    fill = b.ensure(x.t, [])
    low, high, inner, dims = [], [], [], []
    for d in x.dims:
        l, h = b.r.choice([0, 0, 1, 2, -1]), b.r.choice([0, 0, 1, 3, -1])
        i = b.r.choice([0, 0, 0, 1, 2])
        values = [l + h + v + max(v - 1, 0) * i for v in d.values]
        if min(values) < 0 or (min(d.values) == 0 and (l < 0 or h < 0)): l, h, values = 1, 0, [1 + v + max(v - 1, 0) * i for v in d.values]
        if not d.static and i: i, values = 0, [l + h + v for v in d.values]
        if min(values) < 0: raise Reject
        low.append(l), high.append(h), inner.append(i)
        dims.append(b.static(values[0]) if d.static else d if l + h == 0 else Dim(f"({d.key}+{l + h})", values))
    def ints(v): return "array<i64: " + ", ".join(map(str, v)) + ">"
    result = b.moved(x, dims, **both(x, fill))
    if b.r.random() < 0.3 and not all(d.static for d in dims):
        n = x.rank
        lists = [b.emit_plain(f"stablehlo.constant dense<{v}> : tensor<{n}xi32>", f"tensor<{n}xi32>", []) for v in (low, high, inner)]
        b.emit("dynamic_pad", f"{result.name} = stablehlo.dynamic_pad {x.name}, {fill.name}, {', '.join(p.name for p in lists)} : ({x.type}, {fill.type}, "
               f"{', '.join(p.kind for p in lists)}) -> {result.type}", [x, fill, *lists], [result])
        return
    b.simple("pad", [x, fill], result,
             f" <{{edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(inner)}}}>")


@op(2)
def reverse(b):
    x = b.pick(lambda v: v.rank > 0, stored=True)
    axes = b.r.sample(range(x.rank), b.r.randint(1, x.rank))
    b.simple("reverse", [x], b.moved(x, x.dims), f" <{{dimensions = array<i64: {', '.join(map(str, sorted(axes)))}>}}>")


@op(2)
def iota(b):
    t = b.r.choice([t for t in b.fields if not is_complex(t)] + ["i32"])
    dims = [b.r.choice([d for d in b.pool if d.static or d.key in b.sizes]) for _ in range(b.r.randint(1, 3))]
    b.check_size(dims)
    axis = b.r.randrange(len(dims))
    most = max(dims[axis].most, 1)
    if is_int(t): most = min(most, max(map(abs, int_range(t))))
    if t == "i1": raise Reject
    most, error, grain = b.bounded(t, most, 0.0, 0)
    result = Value(b.fresh(), t, dims, most, error, grain, 0.0)
    if all(d.static for d in dims):
        b.simple("iota", [], result, f" <{{iota_dimension = {axis} : i64}}>")
        return
    shape = b.shape(dims)
    b.emit("dynamic_iota", f"{result.name} = stablehlo.dynamic_iota {shape.name}, dim = {axis} : ({shape.kind}) -> {result.type}", [shape], [result])


# ---- reductions, products ----

def body(name, t):
    """A region of one binary op."""
    scalar = f"tensor<{t}>"
    return (f"({{\n^bb0(%x: {scalar}, %y: {scalar}):\n  %z = stablehlo.{name} %x, %y : {scalar}\n"
            f"  stablehlo.return %z : {scalar}\n}})")


def reducer(b, t):
    if t == "i1": return b.r.choice(["and", "or"])
    if is_complex(t): return "add"
    return b.r.choice(["add", "add", "maximum", "minimum"] + (["and", "or", "xor", "multiply"] if is_int(t) else []))


def reduced(b, name, x, init, count):
    """(most, error, grain, special) of |count| elements of |x| taken together with |init|."""
    merged = both(x, init)
    if name not in ("add", "multiply") or is_int(x.t):
        most = merged["most"] if name in ("maximum", "minimum") or not is_int(x.t) else max(map(abs, int_range(x.t)))
        return most, merged["error"], merged["grain"]
    most = x.most * count + init.most
    exact = merged["grain"] is not None and merged["error"] == 0 and most * 2.0 ** merged["grain"] <= 2.0 ** FLOATS[part(x.t)][0]
    error = x.error * count + init.error + (0 if exact else count * 2 * rounding(part(x.t), most))
    return b.bounded(x.t, most, error, merged["grain"])


@op(6)
def reduce(b):
    x = b.pick(lambda v: v.rank > 0)
    axes = sorted(b.r.sample(range(x.rank), b.r.randint(1, x.rank)))
    name = reducer(b, x.t)
    init = b.constant(x.t, [], 0 if b.r.random() < 0.7 else None)
    count = max(b.elements([x.dims[i] for i in axes]), 1)
    most, error, grain = reduced(b, name, x, init, count)
    dims = [d for i, d in enumerate(x.dims) if i not in axes]
    result = Value(b.fresh(), x.t, dims, most, error, grain, special=x.special)
    b.emit("reduce", f'{result.name} = "stablehlo.reduce"({x.name}, {init.name}) <{{dimensions = array<i64: {", ".join(map(str, axes))}>}}> '
           f"{body(name, x.t)} : ({x.type}, {init.type}) -> {result.type}", [x, init], [result])


@op(3)
def normalise(b):
    """A function of rows beside what a reduction of it gives: several results that one kernel writes."""
    x = b.pick(lambda v: v.rank > 0 and is_float(v.t) and FLOATS[v.t][0] >= 7 and not v.special and 0 < v.most <= 16)
    count, axis = max(b.elements(x.dims[-1:]), 1), x.rank - 1
    size, error, _ = b.bounded(x.t, 1.0, x.error + ulps(x.t, 1.0), None)
    dear = Value(b.fresh(), x.t, x.dims, size, error, None)
    b.simple(b.r.choice(["tanh", "logistic"]), [x], dear)
    init = b.constant(x.t, [], 0.0)
    name = b.r.choice(["add", "maximum"])
    most, error, grain = reduced(b, name, dear, init, count)
    sums = Value(b.fresh(), x.t, x.dims[:-1], most, error, grain)
    b.emit("reduce", f'{sums.name} = "stablehlo.reduce"({dear.name}, {init.name}) <{{dimensions = array<i64: {axis}>}}> '
           f"{body(name, x.t)} : ({x.type}, {init.type}) -> {sums.type}", [dear, init], [sums])
    spread = b.broadcast(sums, x.dims, list(range(axis)))
    for y in b.r.sample([x, dear, x, dear], b.r.randint(1, 3)):
        most, error, grain = b.bounded(x.t, y.most + spread.most, y.error + spread.error, None)
        b.simple(b.r.choice(["add", "subtract"]), [y, spread], Value(b.fresh(), x.t, x.dims, most, error, grain))
    if b.r.random() < 0.5: b.simple("negate", [x], Value(b.fresh(), x.t, x.dims, x.most, x.error, x.grain))


@op(2)
def arg_reduce(b):
    """The largest element and its index."""
    x = b.pick(lambda v: v.rank > 0 and v.exact and not v.special and v.t != "i1" and not is_complex(v.t))
    axis = b.r.randrange(x.rank)
    index = Value(b.fresh(), "i32", x.dims, 6000, grain=0)
    shape = b.shape(x.dims)
    b.emit("dynamic_iota", f"{index.name} = stablehlo.dynamic_iota {shape.name}, dim = {axis} : ({shape.kind}) -> {index.type}", [shape], [index])
    low, zero = b.constant(x.t, [], None), b.constant("i32", [], 0)
    dims = [d for i, d in enumerate(x.dims) if i != axis]
    merged = both(x, low)
    first = Value(b.fresh(), x.t, dims, merged["most"], 0.0, merged["grain"])
    second = Value(b.fresh(), "i32", dims, 6000, grain=0)
    kind = "SIGNED" if is_int(x.t) and x.t[0] != "u" else "UNSIGNED" if is_int(x.t) else "FLOAT"
    s, i = f"tensor<{x.t}>", "tensor<i32>"
    text = (f'{first.name}, {second.name} = "stablehlo.reduce"({x.name}, {index.name}, {low.name}, {zero.name}) <{{dimensions = array<i64: {axis}>}}> ({{\n'
            f"^bb0(%x: {s}, %i: {i}, %y: {s}, %j: {i}):\n  %gt = stablehlo.compare GT, %x, %y, {kind} : ({s}, {s}) -> tensor<i1>\n"
            f"  %eq = stablehlo.compare EQ, %x, %y, {kind} : ({s}, {s}) -> tensor<i1>\n  %lt = stablehlo.compare LT, %i, %j, SIGNED : ({i}, {i}) -> tensor<i1>\n"
            f"  %tie = stablehlo.and %eq, %lt : tensor<i1>\n  %first = stablehlo.or %gt, %tie : tensor<i1>\n"
            f"  %m = stablehlo.select %first, %x, %y : tensor<i1>, {s}\n  %n = stablehlo.select %first, %i, %j : tensor<i1>, {i}\n"
            f'  "stablehlo.return"(%m, %n) : ({s}, {i}) -> ()\n}}) : ({x.type}, {index.type}, {s}, {i}) -> ({first.type}, {second.type})')
    b.emit("argmax", text, [x, index, low, zero], [first, second])


@op(2)
def reduce_window(b):
    x = b.pick(lambda v: v.rank > 0 and all(d.static for d in v.dims) and v.t != "i1")
    name = b.r.choice(["add", "maximum", "minimum"]) if not is_complex(x.t) else "add"
    init = b.constant(x.t, [], 0 if b.r.random() < 0.7 else None)
    window, stride, base, dilation, padding, dims = [], [], [], [], [], []
    for d in x.dims:
        w, s, l, h = b.r.choice([1, 1, 2, 3]), b.r.choice([1, 1, 2]), b.r.choice([0, 0, 1]), b.r.choice([0, 0, 1, 2])
        bd, wd = b.r.choice([1, 1, 1, 2]), b.r.choice([1, 1, 1, 2])
        padded = l + h + (0 if d.key == 0 else (d.key - 1) * bd + 1)
        reach = (w - 1) * wd + 1
        window.append(w), stride.append(s), base.append(bd), dilation.append(wd), padding.append([l, h])
        dims.append(b.static(0 if padded < reach else (padded - reach) // s + 1))
    most, error, grain = reduced(b, name, x, init, max(math.prod(window), 1))
    b.check_size(dims)
    result = Value(b.fresh(), x.t, dims, most, error, grain, special=x.special)
    def ints(v): return "array<i64: " + ", ".join(map(str, v)) + ">"
    b.emit("reduce_window", f'{result.name} = "stablehlo.reduce_window"({x.name}, {init.name}) <{{window_dimensions = {ints(window)}, window_strides = {ints(stride)}, '
           f"base_dilations = {ints(base)}, window_dilations = {ints(dilation)}, padding = dense<{padding}> : tensor<{x.rank}x2xi64>}}> "
           f"{body(name, x.t)} : ({x.type}, {init.type}) -> {result.type}", [x, init], [result])


@op(5)
def dot_general(b):
    x = b.pick(lambda v: v.rank > 0 and v.t != "i1" and not v.special)
    left = list(range(x.rank))
    b.r.shuffle(left)
    batch, contract = b.r.choice([0, 0, 1]), b.r.choice([1, 1, 1, 2, 0])
    lb, lc = left[:batch], left[batch:batch + contract]
    free = [b.r.choice([d for d in b.pool if d.static or d.key in b.sizes]) for _ in range(b.r.choice([0, 1, 1, 2]))]
    order = [("b", x.dims[i]) for i in lb] + [("c", x.dims[i]) for i in lc] + [("f", d) for d in free]
    b.r.shuffle(order)
    if len(order) > 4: raise Reject
    y = b.ensure(x.t, [d for _, d in order], lambda v: not v.special)
    rb, rc, used = [], [], set()
    for axes, tag, left_axes in ((rb, "b", lb), (rc, "c", lc)):
        for i in left_axes:
            at = next(k for k, (g, d) in enumerate(order) if g == tag and d == x.dims[i] and k not in used)
            used.add(at)
            axes.append(at)
    dims = [x.dims[i] for i in lb] + [d for i, d in enumerate(x.dims) if i not in lb + lc] + [d for g, d in order if g == "f"]
    b.check_size(dims)
    count = max(b.elements([x.dims[i] for i in lc]), 1)
    if b.elements(dims) * count > 300000: raise Reject
    each = Value("", x.t, [], x.most * y.most, x.most * y.error + y.most * x.error + x.error * y.error,
                 None if x.grain is None or y.grain is None else x.grain + y.grain)
    most, error, grain = reduced(b, "add", each, Value("", x.t, [], 0, grain=0), count)
    result = Value(b.fresh(), x.t, dims, most, error, grain)
    def ints(v): return "[" + ", ".join(map(str, v)) + "]"
    text = f"{result.name} = stablehlo.dot_general {x.name}, {y.name}, "
    if batch: text += f"batching_dims = {ints(lb)} x {ints(rb)}, "
    text += f"contracting_dims = {ints(lc)} x {ints(rc)} : ({x.type}, {y.type}) -> {result.type}"
    b.emit("dot_general", text, [x, y], [result])


@op(1)
def convolution(b):
    x = b.pick(lambda v: v.rank in (3, 4) and is_float(v.t) and not v.special and all(d.static and d.key > 0 for d in v.dims))
    spatial, channels = x.dims[1:-1], x.dims[-1].key
    k = [b.r.choice([1, 2, 3]) for _ in spatial]
    out = b.r.choice([1, 2, 5])
    w = b.ensure(x.t, [b.static(n) for n in k] + [b.static(channels), b.static(out)], lambda v: not v.special)
    stride = [b.r.choice([1, 1, 2]) for _ in spatial]
    padding = [[b.r.choice([0, 1]), b.r.choice([0, 1, 2])] for _ in spatial]
    sizes = [(d.key + sum(p) - n) // s + 1 if d.key + sum(p) >= n else 0 for d, p, n, s in zip(spatial, padding, k, stride)]
    dims = [x.dims[0]] + [b.static(n) for n in sizes] + [b.static(out)]
    b.check_size(dims)
    each = Value("", x.t, [], x.most * w.most, x.most * w.error + w.most * x.error + x.error * w.error,
                 None if x.grain is None or w.grain is None else x.grain + w.grain)
    most, error, grain = reduced(b, "add", each, Value("", x.t, [], 0, grain=0), math.prod(k) * channels)
    result = Value(b.fresh(), x.t, dims, most, error, grain)
    names = "".join(f", {i}" for i in range(len(spatial)))
    b.emit("convolution", f"{result.name} = stablehlo.convolution({x.name}, {w.name}) dim_numbers = [b{names}, f]x[{names[2:]}, i, o]->[b{names}, f], window = "
           f"{{stride = {stride}, pad = {padding}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x.type}, {w.type}) -> {result.type}",
           [x, w], [result])


# ---- gather, scatter, sort ----

@op(3)
def gather(b):
    """Rows by index: x[i] along one axis, for indices of any rank."""
    x = b.pick(lambda v: v.rank > 0 and all(min(d.values) > 0 for d in v.dims), stored=True)
    axis = b.r.randrange(x.rank)
    i = b.pick(lambda v: v.t in ("i32", "i64", "i8", "ui8") and v.rank <= 2)
    rest = [k for k in range(x.rank) if k != axis]
    if not all(x.dims[k].static for k in rest): raise Reject
    sizes = [1 if k == axis else x.dims[k].key for k in range(x.rank)]
    dims = list(i.dims) + [x.dims[k] for k in rest]
    offset = list(range(i.rank, i.rank + len(rest)))
    result = b.moved(x, dims)
    b.emit("gather", f'{result.name} = "stablehlo.gather"({x.name}, {i.name}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = [{axis}], '
           f"start_index_map = [{axis}], index_vector_dim = {i.rank}>, slice_sizes = array<i64: {', '.join(map(str, sizes))}>, "
           f"indices_are_sorted = false}}> : ({x.type}, {i.type}) -> {result.type}", [x, i], [result])


@op(2)
def scatter(b):
    """x[i] += u along one axis."""
    x = b.pick(lambda v: v.rank > 0 and v.t != "i1" and not is_complex(v.t))
    axis = b.r.randrange(x.rank)
    i = b.pick(lambda v: v.t in ("i32", "i64") and v.rank == 1)
    rest = [k for k in range(x.rank) if k != axis]
    u = b.ensure(x.t, list(i.dims) + [x.dims[k] for k in rest])
    name = b.r.choice(["add", "maximum", "minimum"])
    most, error, grain = reduced(b, name, u, x, max(b.elements(i.dims), 1))
    result = Value(b.fresh(), x.t, x.dims, most, error, grain, special=x.special or u.special)
    windows = list(range(1, x.rank))
    b.emit("scatter", f'{result.name} = "stablehlo.scatter"({x.name}, {i.name}, {u.name}) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, '
           f"inserted_window_dims = [{axis}], scatter_dims_to_operand_dims = [{axis}], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}}> "
           f"{body(name, x.t)} : ({x.type}, {i.type}, {u.type}) -> {result.type}", [x, i, u], [result])


@op(2)
def sort(b):
    x = b.pick(lambda v: v.rank > 0 and v.exact and not v.special and v.t != "i1" and not is_complex(v.t))
    axis = b.r.randrange(x.rank)
    direction = b.r.choice(["LT", "GT"])
    kind = "SIGNED" if is_int(x.t) and x.t[0] != "u" else "UNSIGNED" if is_int(x.t) else "FLOAT"
    operands = [x] + ([b.r.choice([v for v in b.values if v.dims == x.dims])] if b.r.random() < 0.5 else [])
    results = [b.moved(v, v.dims) for v in operands]
    params = ", ".join(f"%x{k}: tensor<{v.t}>, %y{k}: tensor<{v.t}>" for k, v in enumerate(operands))
    types = ", ".join(v.type for v in operands)
    b.emit("sort", f'{", ".join(r.name for r in results)} = "stablehlo.sort"({", ".join(v.name for v in operands)}) <{{dimension = {axis} : i64, is_stable = true}}> ({{\n'
           f"^bb0({params}):\n  %p = stablehlo.compare {direction}, %x0, %y0, {kind} : (tensor<{x.t}>, tensor<{x.t}>) -> tensor<i1>\n"
           f"  stablehlo.return %p : tensor<i1>\n}}) : ({types}) -> ({types})", operands, results)
