# SPDX-License-Identifier: Apache-2.0
"""Random StableHLO programs with unknown dims, and what their results may differ by.

A program is built op by op. Every value carries a bound of its magnitude, of the difference that two right
implementations may have (roundings of fused or reordered arithmetic, a few ulp of elementary functions), and whether
all its elements are multiples of a power of two. An op is taken only where this stays meaningful: floats that may differ are
not compared, sorted by, truncated or divided by. So what is left to compare is exact for integers and for floats
of few bits, and within a proven bound elsewhere; a difference beyond it is a miscompile."""
import math
import random

import ml_dtypes
import numpy as np

# name -> (kind, bits or mantissa bits, largest, least exponent, numpy dtype)
FLOATS = {"f64": (52, 1.79e308, -1022, np.float64), "f32": (23, 3.4e38, -126, np.float32), "f16": (10, 65504, -14, np.float16),
          "bf16": (7, 3.3e38, -126, ml_dtypes.bfloat16), "f8E5M2": (2, 57344, -14, ml_dtypes.float8_e5m2),
          "f8E4M3FN": (3, 448, -6, ml_dtypes.float8_e4m3fn), "f8E4M3": (3, 240, -6, ml_dtypes.float8_e4m3),
          "f8E3M4": (4, 15.5, -2, ml_dtypes.float8_e3m4), "f8E4M3FNUZ": (3, 240, -7, ml_dtypes.float8_e4m3fnuz),
          "f8E5M2FNUZ": (2, 57344, -15, ml_dtypes.float8_e5m2fnuz), "f8E4M3B11FNUZ": (3, 30, -10, ml_dtypes.float8_e4m3b11fnuz),
          "f6E2M3FN": (3, 7.5, 0, ml_dtypes.float6_e2m3fn), "f6E3M2FN": (2, 28, -2, ml_dtypes.float6_e3m2fn),
          "f4E2M1FN": (1, 6, 0, ml_dtypes.float4_e2m1fn)}
INTS = {"i1": (1, np.bool_), "i2": (2, ml_dtypes.int2), "i4": (4, ml_dtypes.int4), "i8": (8, np.int8), "i16": (16, np.int16),
        "i32": (32, np.int32), "i64": (64, np.int64), "ui2": (2, ml_dtypes.uint2), "ui4": (4, ml_dtypes.uint4),
        "ui8": (8, np.uint8), "ui16": (16, np.uint16), "ui32": (32, np.uint32), "ui64": (64, np.uint64)}
# Types that ops only move, convert and compare: powers of two without sign or zero, and quantized values.
SCALES = {"f8E8M0FNU": ml_dtypes.float8_e8m0fnu}
COMPLEX = {"complex<f32>": ("f32", np.complex64), "complex<f64>": ("f64", np.complex128)}

SIZES = [0, 1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 19, 31, 33, 37, 64, 67]


def is_float(t): return t in FLOATS
def is_int(t): return t in INTS
def is_complex(t): return t in COMPLEX
def is_quantized(t): return t.startswith("!quant")
def is_stored(t): return t in SCALES or is_quantized(t)
def part(t): return COMPLEX[t][0] if is_complex(t) else t
def dtype(t): return np.dtype(SCALES[t]) if t in SCALES else np.dtype((FLOATS.get(t) or INTS.get(t) or COMPLEX[t])[-1])


def int_range(t):
    bits = INTS[t][0]
    if t == "i1": return 0, 1
    return (0, 2 ** bits - 1) if t[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)


class Reject(Exception):
    """The op cannot be taken here."""


OPS = []  # (weight, function): each function adds one op, and what it needs, to a builder, or raises Reject


def op(weight):
    def add(function):
        OPS.append((weight, function))
        return function
    return add


class Dim:
    """A size: |key| says which (equal keys are equal sizes), |values| its value in each run."""

    def __init__(self, key, values):
        self.key, self.values = key, tuple(values)
        if any(v < 0 for v in self.values): raise Reject

    static = property(lambda self: isinstance(self.key, int))
    most = property(lambda self: max(self.values))

    def __eq__(self, other): return self.key == other.key
    def __hash__(self): return hash(self.key)


class Value:
    """|most|: bound of the magnitude; |error|: of the difference; |least|: lower bound; |grain|: elements are multiples
    of 2**-grain, None where they are not; |bits|: moved from an input only; |special|: may hold infinities and NaNs."""

    def __init__(self, name, t, dims, most, error=0.0, grain=None, least=None, bits=False, special=False):
        self.name, self.t, self.dims, self.most, self.error, self.grain = name, t, tuple(dims), most, error, grain
        self.least = -most if least is None else least
        self.bits, self.special = bits, special

    exact = property(lambda self: self.error == 0)
    type = property(lambda self: type_text(self.t, self.dims))
    rank = property(lambda self: len(self.dims))


def type_text(t, dims):
    return "tensor<" + "".join(f"{d.key if d.static else '?'}x" for d in dims) + t + ">"


def rounding(t, most):
    mantissa, _, least, _ = FLOATS[t]
    return most * 2.0 ** -(mantissa + 1) + 2.0 ** (least - mantissa - 1)


class Statement:
    def __init__(self, text, uses, results, op):
        self.text, self.uses, self.results, self.op = text, set(uses), results, op


class Program:
    """Arguments, statements in order, results; |inputs|: arrays per run."""

    def __init__(self):
        self.args, self.statements, self.results, self.functions = [], [], [], []
        self.inputs = []

    def text(self):
        args = ", ".join(f"{a.name}: {a.type}" for a in self.args)
        types = ", ".join(r.type for r in self.results)
        lines = [f"func.func public @main({args}) -> ({types}) {{"]
        lines += ["  " + line for s in self.statements for line in s.text.split("\n")]
        lines += [f"  return {', '.join(r.name for r in self.results)}" + (f" : {types}" if types else ""), "}"]
        return "\n".join(lines + self.functions) + "\n"

    def ops(self): return sorted({s.op for s in self.statements})

    def without_dead(self):
        """The same results by the ops that they need."""
        needed, kept = {r.name for r in self.results}, []
        for s in reversed(self.statements):
            if s.results and not any(r.name in needed for r in s.results): continue
            kept.append(s)
            needed |= s.uses
        out = Program()
        out.statements, out.results, out.functions = kept[::-1], self.results, self.functions
        used = [i for i, a in enumerate(self.args) if a.name in needed]
        out.args = [self.args[i] for i in used]
        out.inputs = [[run[i] for i in used] for run in self.inputs]
        return out


def array(rng, value, shape):
    """Elements for an argument within its declared bound, some of them special where it may have them."""
    t = value.t
    if t in SCALES:
        x = 2.0 ** rng.integers(-3, 3, shape, endpoint=True)
        return np.asarray(np.where(rng.random(shape) < 0.05, np.nan, x) if value.special else x, dtype(t))
    if t == "i1": return rng.random(shape) < 0.6
    if is_int(t):
        low, high = int_range(t)
        low, high = max(low, -int(value.most)), min(high, int(value.most))
        return rng.integers(low, high, shape, dtype=np.uint64 if t == "ui64" else np.int64, endpoint=True).astype(dtype(t))
    if is_complex(t):
        half = Value("", part(t), [], value.most / 2, grain=value.grain)
        return (array(rng, half, shape) + 1j * array(rng, half, shape)).astype(dtype(t))
    if value.grain is not None:
        step = 2.0 ** value.grain
        x = rng.integers(-int(value.most * step), int(value.most * step), shape, endpoint=True) / step
    else:
        x = rng.uniform(-value.most, value.most, shape)
    x = np.asarray(x, np.float64)
    if value.special and x.size:
        flat = x.reshape(-1)
        for k in rng.integers(0, flat.size, max(1, flat.size // 9)):
            flat[k] = rng.choice([np.inf, -np.inf, np.nan, -0.0, 0.0])
    return np.asarray(x, dtype(t))


class Builder:
    """Grows a program from |seed|. Ops are the methods of random_ops.py, chosen by their weights."""

    def __init__(self, seed, runs=2, types=None):
        self.r = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.runs, self.program = runs, Program()
        self.values, self.sizes, self.shapes = [], {}, {}
        self.count = 0
        self.fields = types or self.pick_types()
        self.symbols = [Dim(f"s{i}", [self.r.choice(SIZES) for _ in range(runs)]) for i in range(self.r.randint(1, 3))]
        self.pool = self.symbols + [self.static(n) for n in self.r.sample(SIZES, 3)] + [self.static(1)]

    def pick_types(self):
        r = self.r
        common = ["f32", "f32", "f32", "f64", "f16", "bf16", "i32", "i64", "i8", "ui8", "i16", "ui32"]
        rare = [t for t in list(FLOATS) + list(INTS) if t != "i1"] + list(COMPLEX)
        return [r.choice(common if r.random() < 0.65 else rare) for _ in range(r.randint(1, 3))]

    def static(self, n): return Dim(n, [n] * self.runs)

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def elements(self, dims): return max((math.prod(d.values[k] for d in dims) for k in range(self.runs)), default=1)

    def check_size(self, dims):
        if self.elements(dims) > 6000 or len(dims) > 5: raise Reject

    def argument(self):
        r = self.r
        rank = r.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        dims = [r.choice(self.symbols if r.random() < 0.6 else self.pool) for _ in range(rank)]
        while dims and self.elements(dims) > 4000: dims.pop()
        t = r.choice(self.fields) if r.random() < 0.88 else r.choice(["i1", "i1", "i1", "f8E8M0FNU"])
        name = f"%a{len(self.program.args)}"
        if t in SCALES:
            value = Value(name, t, dims, 8, grain=3, least=0.125, bits=True, special=r.random() < 0.2)
        elif is_int(t):
            most = max(map(abs, int_range(t)))
            value = Value(name, t, dims, most if r.random() < 0.3 else min(most, r.choice([1, 5, 40])), grain=0, bits=True)
        else:
            mantissa, largest = FLOATS[part(t)][:2]
            grain = r.choice([0, 0, 1, 2, None])
            most = r.choice([1, 2, 4, 8])
            if grain is not None:
                most = min(most, 2.0 ** (mantissa + 1 - grain))
            special = is_float(t) and FLOATS[t][0] >= 7 and r.random() < 0.15
            value = Value(name, t, dims, min(most, largest / 4), grain=grain, bits=True, special=special)
        self.program.args.append(value)
        self.values.append(value)
        return value

    def make_inputs(self):
        self.program.inputs = [[np.array(array(self.rng, a, [d.values[k] for d in a.dims]), order="C") for a in self.program.args]
                               for k in range(self.runs)]

    # ---- results ----

    def bounded(self, t, most, error, grain):
        """(most, error, grain) after storing in |t|; Reject where that means nothing any more."""
        if is_int(t): return min(most, max(map(abs, int_range(t)))), 0.0, 0
        p = part(t)
        mantissa, largest = FLOATS[p][:2]
        if not (most < largest / 4): raise Reject
        if grain is not None and (grain > -FLOATS[p][2] + mantissa or most * 2.0 ** grain > 2.0 ** (mantissa + 1)): grain = None
        if error == 0 and grain is not None: return most, 0.0, grain
        error += 2 * rounding(p, most) * (2 if is_complex(t) else 1)
        if not (error < 0.05 * most + 1e-30): raise Reject
        return most, error, None

    def emit(self, op, text, uses, results):
        """|text| with {0}, {1} ... for the names of results (already in them)."""
        self.program.statements.append(Statement(text, [u.name for u in uses], results, op))
        self.values += [v for v in results if v.t]
        for v in results: self.learn(v)
        return results[0]

    def learn(self, v):
        for i, d in enumerate(v.dims):
            if not d.static: self.sizes.setdefault(d.key, (v, i))

    def moved(self, like, dims, **changes):
        """A value whose elements are some of |like|."""
        self.check_size(dims)
        fields = {"most": like.most, "error": like.error, "grain": like.grain, "least": like.least, "bits": like.bits,
                  "special": like.special, **changes}
        return Value(self.fresh(), like.t, dims, **fields)

    def simple(self, op, operands, result, attrs=""):
        names = ", ".join(o.name for o in operands)
        types = ", ".join(o.type for o in operands)
        dialect = op if "." in op else "stablehlo." + op
        return self.emit(op, f'{result.name} = "{dialect}"({names}){attrs} : ({types}) -> {result.type}', operands, [result])

    # ---- choosing ----

    def pick(self, condition=lambda v: True, stored=False):
        """A value, of types that are only stored where |stored| is set."""
        found = [v for v in self.values if (stored or not is_stored(v.t)) and "{" not in v.t and condition(v)]
        if not found: raise Reject
        recent = found[-6:]
        return self.r.choice(recent if self.r.random() < 0.6 else found)

    def constant(self, t, dims, value=None, condition=None):
        """A splat of static dims."""
        r = self.r
        if is_quantized(t): raise Reject
        if t in SCALES:
            number = r.choice([0.5, 1.0, 2.0, 8.0])
            text, most = f"{number:e}", number
        elif t == "i1":
            number, text = 0, r.choice(["true", "false"])
            most = 1
        elif is_int(t):
            low, high = int_range(t)
            number = max(low, min(high, value)) if value is not None else r.randint(max(low, -9), min(high, 9))
            text, most = str(number), abs(number)
        else:
            number = value if value is not None else r.choice([0.0, 1.0, -1.0, 0.5, 2.0, -1.5, 3.0])
            text, most = f"{number:e}", abs(number)
            if is_complex(t): text, most = f"({number:e}, 1.0)", abs(number) + 1
        result = Value(self.fresh(), t, dims, most, grain=3 if t in SCALES else 1 if not is_int(t) else 0, least=number if not is_complex(t) else None)
        return self.emit("constant", f"{result.name} = stablehlo.constant dense<{text}> : {result.type}", [], [result])

    def size(self, dim):
        """A tensor<i32> with the size."""
        if dim.static: return self.emit_plain(f"stablehlo.constant dense<{dim.key}> : tensor<i32>", "tensor<i32>", [])
        if dim.key in self.shapes: return self.shapes[dim.key]
        if dim.key not in self.sizes: raise Reject
        value, axis = self.sizes[dim.key]
        out = self.emit_plain(f'"stablehlo.get_dimension_size"({value.name}) <{{dimension = {axis} : i64}}> : ({value.type}) -> tensor<i32>',
                              "tensor<i32>", [value])
        self.shapes[dim.key] = out
        return out

    def outside(self, make):
        """What |make| gives; Reject where it added statements, which a function cannot see."""
        before = len(self.program.statements)
        made = make()
        if len(self.program.statements) != before: raise Reject
        return made

    def emit_plain(self, text, kind, uses):
        """An op for shapes, no operand of others."""
        name = self.fresh()
        result = Plain(name, kind)
        self.program.statements.append(Statement(f"{name} = {text}", [u.name for u in uses], [result], "shape"))
        return result

    def shape(self, dims):
        """A tensor<rank x i32> of sizes."""
        key = tuple(d.key for d in dims)
        if key in self.shapes: return self.shapes[key]
        n = len(dims)
        if not n: out = self.emit_plain("stablehlo.constant dense<> : tensor<0xi32>", "tensor<0xi32>", [])
        elif all(d.static for d in dims):
            out = self.emit_plain(f"stablehlo.constant dense<[{', '.join(str(d.key) for d in dims)}]> : tensor<{n}xi32>", f"tensor<{n}xi32>", [])
        else:
            ones = []
            for d in dims:
                s = self.size(d)
                ones.append(self.emit_plain(f"stablehlo.reshape {s.name} : (tensor<i32>) -> tensor<1xi32>", "tensor<1xi32>", [s]))
            out = self.emit_plain(f'"stablehlo.concatenate"({", ".join(o.name for o in ones)}) <{{dimension = 0 : i64}}> : '
                                  f'({", ".join(["tensor<1xi32>"] * n)}) -> tensor<{n}xi32>', f"tensor<{n}xi32>", ones)
        self.shapes[key] = out
        return out

    def broadcast(self, value, dims, axes):
        """|value| with its dim i at axes[i] of |dims|."""
        result = self.moved(value, dims)
        listed = "array<i64" + (": " + ", ".join(map(str, axes)) if axes else "") + ">"
        if all(d.static for d in list(dims) + list(value.dims)):
            return self.simple("broadcast_in_dim", [value], result, f" <{{broadcast_dimensions = {listed}}}>")
        shape = self.shape(dims)
        return self.emit("dynamic_broadcast_in_dim",
                         f'{result.name} = "stablehlo.dynamic_broadcast_in_dim"({value.name}, {shape.name}) <{{broadcast_dimensions = '
                         f'{listed}}}> : ({value.type}, {shape.kind}) -> {result.type}', [value, shape], [result])

    def ensure(self, t, dims, condition=lambda v: True):
        """Some value of that type: an existing one, or one broadcast, converted or made."""
        r = self.r
        found = [v for v in self.values if v.t == t and v.dims == tuple(dims) and condition(v)]
        if found and r.random() < 0.85: return r.choice(found[-8:])
        smaller = [v for v in self.values if v.t == t and v.rank < len(dims) and condition(v) and self.axes_of(v, dims) is not None]
        if smaller and r.random() < 0.6:
            v = r.choice(smaller)
            return self.broadcast(v, dims, self.axes_of(v, dims))
        scalar = self.constant(t, [])
        if not condition(scalar): raise Reject
        return self.broadcast(scalar, dims, []) if dims else scalar

    def axes_of(self, value, dims):
        """Increasing positions of the dims of |value| in |dims|, or None."""
        axes, at = [], 0
        for d in value.dims:
            while at < len(dims) and dims[at] != d and not (d.static and d.key == 1): at += 1
            if at == len(dims): return None
            axes.append(at)
            at += 1
        return axes


class Plain:
    """A value for shapes alone: an i32 tensor that no other op takes."""

    def __init__(self, name, kind): self.name, self.kind, self.t, self.dims = name, kind, None, ()
    type = property(lambda self: self.kind)

    @staticmethod
    def statement(text, uses): return Statement(text, uses, [], "shape")


def random_program(seed, ops=None, types=None, runs=2):
    """A program of 1 to 40 ops with its inputs; the same for the same arguments."""
    b = Builder(seed, runs, types)
    for _ in range(b.r.choice([1, 2, 2, 3, 4])): b.argument()
    want = ops or b.r.choice([1, 2, 3, 5, 8, 12, 20, 30, 40])
    weights, functions = [w for w, _ in OPS], [f for _, f in OPS]
    made = 0
    for _ in range(6 * want):
        if made >= want: break
        kept = (len(b.program.statements), len(b.values), dict(b.sizes), dict(b.shapes), len(b.program.functions))
        try:
            b.r.choices(functions, weights)[0](b)
            made += 1
        except Reject:
            del b.program.statements[kept[0]:], b.values[kept[1]:], b.program.functions[kept[4]:]
            b.sizes, b.shapes = kept[2], kept[3]
    computed = [v for v in b.values[len(b.program.args):] if not is_quantized(v.t)]
    if not computed: return random_program(seed + 1_000_000_007, ops, types, runs)
    used = {u for s in b.program.statements for u in s.uses}
    ends = [v for v in computed if v.name not in used and v.name.split("#")[0] not in used]
    b.program.results = (ends or computed)[-6:]
    if b.r.random() < 0.2: b.program.results.append(b.r.choice([v for v in b.values if not is_quantized(v.t)]))
    b.make_inputs()
    return b.program.without_dead()
