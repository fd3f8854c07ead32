# SPDX-License-Identifier: Apache-2.0
"""The ops of random programs: each function adds one op (and what it needs) to a builder, or raises Reject. Here those on
elements and those that move them; random_reductions.py and others add theirs."""
import math

from random_programs import FLOATS, INTS, Dim, Reject, Value, int_range, is_complex, is_float, is_int, op, part, rounding


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
