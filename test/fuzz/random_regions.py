# SPDX-License-Identifier: Apache-2.0
"""Random ops whose regions use values from outside, loop and branch over elements; loops whose values change their sizes."""
from random_programs import Dim, Reject, Value, int_range, is_int, is_quantized, op
from random_ops import both


def element_code(b, t, captured, table):
    """Lines that compute %f from %e of type |t|, with |captured| and maybe an element of |table| from outside."""
    s, r = f"tensor<{t}>", b.r
    kind = r.choice(["captured", "branch", "case", "loop", "table" if table else "captured", "sum"])
    if kind == "captured": return [f"%f = stablehlo.{r.choice(['add', 'multiply', 'xor', 'maximum', 'subtract'])} %e, {captured.name} : {s}"]
    if kind == "branch":
        return [f"%p = stablehlo.compare {r.choice(['LT', 'GE', 'EQ'])}, %e, {captured.name} : ({s}, {s}) -> tensor<i1>",
                f'%f = "stablehlo.if"(%p) ({{\n  %n = stablehlo.not %e : {s}\n  stablehlo.return %n : {s}\n}}, {{\n  stablehlo.return {captured.name} : {s}\n}}) : (tensor<i1>) -> {s}']
    few = [f"%three = stablehlo.constant dense<3> : {s}", f"%few = stablehlo.and %e, %three : {s}"]
    if kind == "case":
        return few + [f"%i = stablehlo.convert %few : ({s}) -> tensor<i32>",
                      f'%f = "stablehlo.case"(%i) ({{\n  stablehlo.return %e : {s}\n}}, {{\n  %n = stablehlo.add %e, {captured.name} : {s}\n  stablehlo.return %n : {s}\n}}, '
                      f"{{\n  stablehlo.return {captured.name} : {s}\n}}) : (tensor<i32>) -> {s}"]
    if kind == "table":
        n = table.dims[0]
        return [f"%at = stablehlo.convert %e : ({s}) -> tensor<i32>",
                f'%row = "stablehlo.dynamic_slice"({table.name}, %at) <{{slice_sizes = array<i64: 1>}}> : ({table.type}, tensor<i32>) -> tensor<1x{t}>',
                f"%f = stablehlo.reshape %row : (tensor<1x{t}>) -> {s}"] if min(n.values) > 0 else [f"%f = stablehlo.add %e, {captured.name} : {s}"]
    if kind == "sum":
        return [f"%many = stablehlo.broadcast_in_dim %e, dims = [] : ({s}) -> tensor<3x{t}>", f"%line = stablehlo.iota dim = 0 : tensor<3x{t}>",
                f"%m = stablehlo.xor %many, %line : tensor<3x{t}>",
                f"%f = stablehlo.reduce(%m init: {captured.name}) applies stablehlo.add across dimensions = [0] : (tensor<3x{t}>, {s}) -> {s}"]
    return few + [f"%zero = stablehlo.constant dense<0> : {s}", f"%one = stablehlo.constant dense<1> : {s}",
                  f"%w:2 = stablehlo.while(%i = %few, %a = %e) : {s}, {s}\n cond {{\n  %go = stablehlo.compare NE, %i, %zero : ({s}, {s}) -> tensor<i1>\n"
                  f"  stablehlo.return %go : tensor<i1>\n}} do {{\n  %j = stablehlo.subtract %i, %one : {s}\n  %n = stablehlo.multiply %a, {captured.name} : {s}\n"
                  f"  stablehlo.return %j, %n : {s}, {s}\n}}", f"%f = stablehlo.add %w#1, %one : {s}"]


def renamed(lines, names):
    """The same lines on other names."""
    text = "\n".join(lines)
    for name in ("e", "f", "p", "n", "three", "few", "i", "at", "row", "many", "line", "m", "zero", "one", "w", "a", "go", "j"):
        for end in (" ", ",", ":", "#", ")", "\n"): text = text.replace(f"%{name}{end}", f"%{name}{names}{end}")
    return text + "\n"


@op(4)
def captures(b):
    """map, reduce, sort or scatter by code on elements."""
    x = b.pick(lambda v: 0 < v.rank < 4 and v.exact and is_int(v.t) and v.t not in ("i1", "i2", "ui2"))
    k = b.ensure(x.t, [])
    tables = [v for v in b.values if v.t == x.t and v.rank == 1 and v.exact]
    table = b.r.choice(tables) if tables else None
    lines, s = element_code(b, x.t, k, table), f"tensor<{x.t}>"
    uses = [x, k] + [v for v in [table] if v and any(v.name + "," in line for line in lines)]
    code = renamed(lines, "")
    whole = max(map(abs, int_range(x.t)))
    kind = b.r.choice(["map", "reduce", "sort", "reduce_window"])
    if kind == "map":
        result = Value(b.fresh(), x.t, x.dims, whole, grain=0)
        b.emit("map", f'{result.name} = "stablehlo.map"({x.name}) <{{dimensions = array<i64: {", ".join(map(str, range(x.rank)))}>}}> ({{\n^bb0(%e: {s}):\n{code}'
               f"stablehlo.return %f : {s}\n}}) : ({x.type}) -> {result.type}", uses, [result])
        return
    if kind == "sort":
        axis = b.r.randrange(x.rank)
        result = b.moved(x, x.dims, bits=False)
        b.emit("sort", f'{result.name} = "stablehlo.sort"({x.name}) <{{dimension = {axis} : i64, is_stable = true}}> ({{\n^bb0(%e: {s}, %eb: {s}):\n{code}'
               f"{renamed(lines, 'b')}%less = stablehlo.compare LT, %f, %fb : ({s}, {s}) -> tensor<i1>\nstablehlo.return %less : tensor<i1>\n}}) : ({x.type}) -> {result.type}",
               uses, [result])
        return
    region = f"({{\n^bb0(%before: {s}, %e: {s}):\n{code}%after = stablehlo.add %before, %f : {s}\nstablehlo.return %after : {s}\n}})"
    if kind == "reduce":
        axes = sorted(b.r.sample(range(x.rank), b.r.randint(1, x.rank)))
        result = Value(b.fresh(), x.t, [d for i, d in enumerate(x.dims) if i not in axes], whole, grain=0)
        attrs = f"dimensions = array<i64: {', '.join(map(str, axes))}>"
    else:
        if min(min(d.values) for d in x.dims) < 2: raise Reject
        axis = b.r.randrange(x.rank)
        dims = list(x.dims)
        d = dims[axis]
        dims[axis] = b.static(d.values[0] - 1) if d.static else Dim(f"({d.key}+-1)", [v - 1 for v in d.values])
        result = Value(b.fresh(), x.t, dims, whole, grain=0)
        attrs = f"window_dimensions = array<i64: {', '.join('2' if i == axis else '1' for i in range(x.rank))}>"
    b.emit(kind, f'{result.name} = "stablehlo.{kind}"({x.name}, {k.name}) <{{{attrs}}}> {region} : ({x.type}, {s}) -> {result.type}', uses, [result])


@op(3)
def growing(b):
    """A loop whose value has another size after each step, and one that keeps what it was before; some steps add nothing."""
    x = b.pick(lambda v: any(not d.static for d in v.dims), stored=True)
    if is_quantized(x.t): raise Reject
    axis = b.r.choice([i for i, d in enumerate(x.dims) if not d.static])
    part = b.ensure(x.t, x.dims)
    trips, skips, t = b.r.choice([0, 1, 2, 3]), b.r.random() < 0.5, x.type
    times = (trips + 1) // 2 if skips else trips

    def after(n):
        dims = list(x.dims)
        d, p = x.dims[axis], part.dims[axis]
        if n: dims[axis] = Dim(f"({d.key}+{n}*{p.key})", [v + n * w for v, w in zip(d.values, p.values)])
        return dims
    last = (trips // 2 if skips else trips - 1) if trips else 0
    merged = both(x, part)
    results = [Value(b.fresh(), "i32", [], 10, grain=0), b.moved(x, after(times), **merged), b.moved(x, after(last), **merged)]
    base = results[0].name
    c, ij = b.fresh(), [b.fresh() for _ in range(8)]
    zero, i, v, w, limit, go, one, j = ij
    add = f'{c} = "stablehlo.concatenate"({v}, {part.name}) <{{dimension = {axis} : i64}}> : ({t}, {t}) -> {t}'
    if skips:
        two, m, q, out = (b.fresh() for _ in range(4))
        step = (f"{two} = stablehlo.constant dense<2> : tensor<i32>\n{m} = stablehlo.remainder {i}, {two} : tensor<i32>\n"
                f"{q} = stablehlo.compare EQ, {m}, {zero} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                f'{out} = "stablehlo.if"({q}) ({{\n{add}\nstablehlo.return {c} : {t}\n}}, {{\nstablehlo.return {v} : {t}\n}}) : (tensor<i1>) -> {t}\n')
    else: step, out = add + "\n", c
    text = (f"{zero} = stablehlo.constant dense<0> : tensor<i32>\n"
            f"{base}:3 = stablehlo.while({i} = {zero}, {v} = {x.name}, {w} = {x.name}) : tensor<i32>, {t}, {t}\n cond {{\n"
            f"  {limit} = stablehlo.constant dense<{trips}> : tensor<i32>\n  {go} = stablehlo.compare LT, {i}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"  stablehlo.return {go} : tensor<i1>\n}} do {{\n  {one} = stablehlo.constant dense<1> : tensor<i32>\n  {j} = stablehlo.add {i}, {one} : tensor<i32>\n{step}"
            f"  stablehlo.return {j}, {out}, {v} : tensor<i32>, {t}, {t}\n}}")
    for n, r in enumerate(results): r.name = f"{base}#{n}"
    b.emit("while", text, [x, part], results)
