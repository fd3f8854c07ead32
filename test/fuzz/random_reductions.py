# SPDX-License-Identifier: Apache-2.0
"""Reductions, products, gather, scatter and sort of random programs."""
import math

from random_ops import both, ulps
from random_programs import FLOATS, INTS, Reject, Value, int_range, is_complex, is_float, is_int, op, part, rounding


# ---- reductions, products ----

def body(name, t):
    """A region of one binary op."""
    scalar = f"tensor<{t}>"
    return (f"({{\n^bb0(%x: {scalar}, %y: {scalar}):\n  %z = stablehlo.{name} %x, %y : {scalar}\n"
            f"  stablehlo.return %z : {scalar}\n}})")


def promoted(b, t):
    """|t| itself, or now and then a type that holds all its values, in which the specification computes then."""
    if b.r.random() < 0.8 or t == "i1": return t
    if is_int(t): wide = [u for u in INTS if u != "i1" and (u[0] == "u") == (t[0] == "u") and INTS[u][0] > INTS[t][0]]
    else: wide = {"f64": [], "f32": ["f64"], "complex<f32>": ["complex<f64>"], "complex<f64>": []}.get(t, ["f32", "f64"])
    return b.r.choice(wide or [t])


def as_type(v, t):
    """|v|'s bounds as those of a value of type |t|, which holds it."""
    return v if v.t == t else Value(v.name, t, v.dims, v.most, v.error, v.grain, v.least, special=v.special)


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
    count, t = max(b.elements([x.dims[i] for i in axes]), 1), promoted(b, x.t)
    most, error, grain = reduced(b, name, as_type(x, t), as_type(init, t), count)
    dims = [d for i, d in enumerate(x.dims) if i not in axes]
    result = Value(b.fresh(), t, dims, most, error, grain, special=x.special)
    b.emit("reduce", f'{result.name} = "stablehlo.reduce"({x.name}, {init.name}) <{{dimensions = array<i64: {", ".join(map(str, axes))}>}}> '
           f"{body(name, t)} : ({x.type}, {init.type}) -> {result.type}", [x, init], [result])


@op(3)
def normalise(b):
    """A function of rows beside what a reduction of it gives: several results that one kernel writes."""
    x = b.pick(lambda v: v.rank > 0 and is_float(v.t) and FLOATS[v.t][0] >= 7 and not v.special and 0 < v.most <= 16)
    count, axis = max(b.elements(x.dims[-1:]), 1), x.rank - 1
    size, error, _ = b.bounded(x.t, 1.0, x.error + ulps(x.t, 1.0), None)
    expensive = Value(b.fresh(), x.t, x.dims, size, error, None)
    b.simple(b.r.choice(["tanh", "logistic"]), [x], expensive)
    init = b.constant(x.t, [], 0.0)
    name = b.r.choice(["add", "maximum"])
    most, error, grain = reduced(b, name, expensive, init, count)
    sums = Value(b.fresh(), x.t, x.dims[:-1], most, error, grain)
    b.emit("reduce", f'{sums.name} = "stablehlo.reduce"({expensive.name}, {init.name}) <{{dimensions = array<i64: {axis}>}}> '
           f"{body(name, x.t)} : ({x.type}, {init.type}) -> {sums.type}", [expensive, init], [sums])
    spread = b.broadcast(sums, x.dims, list(range(axis)))
    for y in b.r.sample([x, expensive, x, expensive], b.r.randint(1, 3)):
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
    t = promoted(b, x.t)
    most, error, grain = reduced(b, name, as_type(x, t), as_type(init, t), max(math.prod(window), 1))
    b.check_size(dims)
    result = Value(b.fresh(), t, dims, most, error, grain, special=x.special)
    def ints(v): return "array<i64: " + ", ".join(map(str, v)) + ">"
    b.emit("reduce_window", f'{result.name} = "stablehlo.reduce_window"({x.name}, {init.name}) <{{window_dimensions = {ints(window)}, window_strides = {ints(stride)}, '
           f"base_dilations = {ints(base)}, window_dilations = {ints(dilation)}, padding = dense<{padding}> : tensor<{x.rank}x2xi64>}}> "
           f"{body(name, t)} : ({x.type}, {init.type}) -> {result.type}", [x, init], [result])


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
    t = promoted(b, x.t)
    each = Value("", t, [], x.most * y.most, x.most * y.error + y.most * x.error + x.error * y.error,
                 None if x.grain is None or y.grain is None else x.grain + y.grain)
    most, error, grain = reduced(b, "add", each, Value("", t, [], 0, grain=0), count)
    result = Value(b.fresh(), t, dims, most, error, grain)
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
