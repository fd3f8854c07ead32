# SPDX-License-Identifier: Apache-2.0
"""Random ops with windows, indices and comparators: reductions and windows of several operands, select_and_scatter, gathers and
scatters with all their dims, sorts by several keys, convolutions with groups, dilation and reversal."""
import math

from random_programs import Dim, Reject, Value, is_complex, is_float, is_int, op
from random_ops import both
from random_reductions import body, reduced, reducer

def listed(values): return "array<i64" + (": " + ", ".join(map(str, values)) if len(values) else "") + ">"
def kind_of(t): return "SIGNED" if is_int(t) and t[0] != "u" and t != "i1" else "UNSIGNED" if is_int(t) else "FLOAT"


# ---- reductions of several operands ----

def two_bodies(x, y, first, second):
    s, i = f"tensor<{x.t}>", f"tensor<{y.t}>"
    return (f"({{\n^bb0(%x: {s}, %i: {i}, %y: {s}, %j: {i}):\n  %m = stablehlo.{first} %x, %y : {s}\n  %n = stablehlo.{second} %i, %j : {i}\n"
            f'  "stablehlo.return"(%m, %n) : ({s}, {i}) -> ()\n}})')


@op(2)
def reduce_two(b):
    """Two reductions in one op."""
    x = b.pick(lambda v: v.rank > 0 and not v.special)
    y = b.pick(lambda v: v.dims == x.dims and not v.special)
    axes = sorted(b.r.sample(range(x.rank), b.r.randint(1, x.rank)))
    names = [reducer(b, x.t), reducer(b, y.t)]
    inits = [b.constant(v.t, [], 0) for v in (x, y)]
    count = max(b.elements([x.dims[i] for i in axes]), 1)
    dims = [d for i, d in enumerate(x.dims) if i not in axes]
    results = [Value(b.fresh(), v.t, dims, *reduced(b, n, v, z, count)) for v, n, z in zip((x, y), names, inits)]
    types = ", ".join(v.type for v in (x, y, *inits))
    b.emit("reduce", f'{results[0].name}, {results[1].name} = "stablehlo.reduce"({x.name}, {y.name}, {inits[0].name}, {inits[1].name}) <{{dimensions = {listed(axes)}}}> '
           f"{two_bodies(x, y, *names)} : ({types}) -> ({results[0].type}, {results[1].type})", [x, y, *inits], results)


def window_of(b, d, dilate=True):
    """(window, stride, base dilation, window dilation, low, high, result dim) along |d|."""
    w, s = b.r.choice([1, 1, 2, 3]), b.r.choice([1, 1, 2, 3])
    l, h = b.r.choice([0, 0, 0, 1, 2, -1]), b.r.choice([0, 0, 0, 1, 2, -1])
    bd, wd = (b.r.choice([1, 1, 1, 2]), b.r.choice([1, 1, 1, 2])) if dilate else (1, 1)
    if not d.static and b.r.random() < 0.6: w, s, bd, wd, l, h = 1, 1, 1, 1, 0, 0
    reach = (w - 1) * wd + 1
    values = []
    for v in d.values:
        padded = l + h + (0 if v == 0 else (v - 1) * bd + 1)
        if padded < 0: raise Reject
        values.append(0 if padded < reach else (padded - reach) // s + 1)
    if d.static: result = b.static(values[0])
    elif (w, s, bd, wd, l, h) == (1, 1, 1, 1, 0, 0): result = d
    else: result = Dim(f"w({d.key},{w},{s},{bd},{wd},{l},{h})", values)
    return w, s, bd, wd, l, h, result


def prefix_of(b, dims, axis):
    """All elements up to each along |axis|, or from each on."""
    n = dims[axis].key
    low = b.r.choice([0, n - 1])
    return [(n, 1, 1, 1, low, n - 1 - low, d) if i == axis else (1, 1, 1, 1, 0, 0, d) for i, d in enumerate(dims)]


@op(3)
def windows(b):
    """reduce_window over dims of any kind, of one or two operands."""
    x = b.pick(lambda v: v.rank > 0 and v.t != "i1" and not v.special)
    parts = [window_of(b, d) for d in x.dims]
    long = [i for i, d in enumerate(x.dims) if d.static and 16 <= d.key <= 256]
    if long and b.r.random() < 0.4: parts = prefix_of(b, x.dims, b.r.choice(long))
    window, stride, base, dilation, dims = ([p[k] for p in parts] for k in (0, 1, 2, 3, 6))
    b.check_size(dims)
    others = [v for v in b.values if v.dims == x.dims and v is not x and not v.special and v.t in ("i32", "f32", "f64", "i64", "ui8")]
    many = [x] + ([b.r.choice(others)] if others and b.r.random() < 0.3 else [])
    names = [b.r.choice(["add", "maximum", "minimum"]) if not is_complex(v.t) else "add" for v in many]
    inits = [b.constant(v.t, [], 0 if b.r.random() < 0.7 else None) for v in many]
    results = [Value(b.fresh(), v.t, dims, *reduced(b, n, v, z, max(math.prod(window), 1))) for v, n, z in zip(many, names, inits)]
    region = body(names[0], x.t) if len(many) == 1 else two_bodies(*many, *names)
    attrs = (f"window_dimensions = {listed(window)}, window_strides = {listed(stride)}, base_dilations = {listed(base)}, window_dilations = {listed(dilation)}, "
             f"padding = dense<{[[p[4], p[5]] for p in parts]}> : tensor<{x.rank}x2xi64>")
    types = ", ".join(v.type for v in many + inits)
    b.emit("reduce_window", f'{", ".join(r.name for r in results)} = "stablehlo.reduce_window"({", ".join(v.name for v in many + inits)}) <{{{attrs}}}> {region} : '
           f'({types}) -> ({", ".join(r.type for r in results)})', many + inits, results)


@op(2)
def select_and_scatter(b):
    x = b.pick(lambda v: 0 < v.rank < 5 and v.exact and not v.special and v.t != "i1" and not is_complex(v.t))
    parts = []
    for d in x.dims:
        w, s = b.r.choice([1, 1, 2, 3]), b.r.choice([1, 1, 2])
        l, h = (0, 0) if w == 1 else b.r.choice([(0, 0), (0, 0), (1, 0), (1, 1)])
        if not d.static: w, s, l, h = 1, 1, 0, 0
        parts.append((w, s, l, h, d if (w, s, l, h) == (1, 1, 0, 0) else b.static(0 if d.key + l + h < w else (d.key + l + h - w) // s + 1)))
    source = b.ensure(x.t, [p[4] for p in parts], lambda v: not v.special)
    init = b.constant(x.t, [], 0)
    most, error, grain = reduced(b, "add", source, init, max(math.prod(-(-p[0] // p[1]) for p in parts), 1))
    result = Value(b.fresh(), x.t, x.dims, most, error, grain)
    s = f"tensor<{x.t}>"
    attrs = f"window_dimensions = {listed([p[0] for p in parts])}, window_strides = {listed([p[1] for p in parts])}, padding = dense<{[[p[2], p[3]] for p in parts]}> : tensor<{x.rank}x2xi64>"
    b.simple("select_and_scatter", [x, source, init], result, f" <{{{attrs}}}> ({{\n^bb0(%x: {s}, %y: {s}):\n"
             f"  %p = stablehlo.compare {b.r.choice(['GE', 'LE', 'GT'])}, %x, %y, {kind_of(x.t)} : ({s}, {s}) -> tensor<i1>\n  stablehlo.return %p : tensor<i1>\n}}, {body('add', x.t)[1:-1]})")


# ---- indices ----

def split_dims(b, rank, count):
    """|count| of the positions below |rank|, in order."""
    return sorted(b.r.sample(range(rank), count))


def start_indices(b, x, batching, mapped):
    """The shape of starts for the dims |mapped| of x: batch dims with the |batching| dims among them, the place of the index vector, all dims."""
    batch_dims = [b.r.choice(b.pool[-4:]) for _ in range(b.r.randint(0, 2))]
    start_batching = []
    for k in batching:
        at = b.r.randint(0, len(batch_dims))
        batch_dims.insert(at, x.dims[k])
        start_batching.append(at)
    vector = b.r.randint(0, len(batch_dims)) if b.r.random() < 0.4 else len(batch_dims)
    dims = batch_dims[:vector] + [b.static(len(mapped))] + batch_dims[vector:]
    if any(not d.static and d.key not in b.sizes for d in dims): raise Reject
    return batch_dims, [k + (k >= vector) for k in start_batching], vector, dims


@op(3)
def gather_any(b):
    """Starts of several dims, slices of more than one element, batching dims, the index vector anywhere."""
    x = b.pick(lambda v: 0 < v.rank < 5 and all(min(d.values) > 0 for d in v.dims), stored=True)
    mapped = b.r.sample(range(x.rank), b.r.randint(1, min(2, x.rank)))
    free = [k for k in range(x.rank) if k not in mapped]
    batching = [k for k in free if x.dims[k].static and b.r.random() < 0.2][:1]
    sizes = [1 if k in batching else b.r.randint(1, min(3, min(x.dims[k].values))) if k in mapped else x.dims[k].key if x.dims[k].static and b.r.random() < 0.7
             else b.r.randint(0, min(x.dims[k].values)) for k in range(x.rank)]
    collapsed = [k for k in mapped if sizes[k] == 1 and b.r.random() < 0.7]
    batch_dims, start_batching, vector, dims = start_indices(b, x, batching, mapped)
    t = b.r.choice(["i32", "i32", "i64", "i8", "ui8", "ui32"])
    i = b.ensure(t, dims)
    offsets = [k for k in range(x.rank) if k not in collapsed and k not in batching]
    rank = len(batch_dims) + len(offsets)
    if rank > 5: raise Reject
    offset_dims = split_dims(b, rank, len(offsets))
    rest, inner = iter(batch_dims), iter(offsets)
    dims = [b.static(sizes[next(inner)]) if k in offset_dims else next(rest) for k in range(rank)]
    result = b.moved(x, dims)
    numbers = (f"offset_dims = {offset_dims}, collapsed_slice_dims = {sorted(collapsed)}, operand_batching_dims = {batching}, start_indices_batching_dims = {start_batching}, "
               f"start_index_map = {mapped}, index_vector_dim = {vector}")
    if b.r.random() < 0.25:
        shape = b.emit_plain(f"stablehlo.constant dense<{sizes}> : tensor<{x.rank}xi32>", f"tensor<{x.rank}xi32>", [])
        b.emit("dynamic_gather", f'{result.name} = "stablehlo.dynamic_gather"({x.name}, {i.name}, {shape.name}) <{{dimension_numbers = #stablehlo.gather<{numbers}>}}> : '
               f"({x.type}, {i.type}, {shape.kind}) -> {result.type}", [x, i, shape], [result])
        return
    b.simple("gather", [x, i], result, f" <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {listed(sizes)}}}>")


@op(3)
def scatter_any(b):
    """The same for scatter, with updates that are put, added or compared, of one or two operands."""
    x = b.pick(lambda v: 0 < v.rank < 5 and v.t != "i1")
    mapped = b.r.sample(range(x.rank), b.r.randint(1, min(2, x.rank)))
    free = [k for k in range(x.rank) if k not in mapped]
    batching = [k for k in free if b.r.random() < 0.2][:1]
    sizes = {k: b.static(b.r.randint(min(1, min(x.dims[k].values)), min(3, min(x.dims[k].values)))) if k in mapped else x.dims[k] for k in range(x.rank)}
    inserted = [k for k in mapped if sizes[k].key == 1 and b.r.random() < 0.7]
    batch_dims, start_batching, vector, dims = start_indices(b, x, batching, mapped)
    i = b.ensure(b.r.choice(["i32", "i32", "i64", "i8", "ui8"]), dims)
    windows_ = [k for k in range(x.rank) if k not in inserted and k not in batching]
    rank = len(batch_dims) + len(windows_)
    if rank > 5: raise Reject
    window_dims = split_dims(b, rank, len(windows_))
    rest, inner = iter(batch_dims), iter(windows_)
    update_dims = [sizes[next(inner)] if k in window_dims else next(rest) for k in range(rank)]
    b.check_size(update_dims)
    names = ["put", "add"] + ([] if is_complex(x.t) else ["maximum", "minimum"]) + (["multiply", "xor"] if is_int(x.t) else [])
    others = [v for v in b.values if v.dims == x.dims and v is not x and v.t in ("i32", "f32", "i64")]
    many = [x] + ([b.r.choice(others)] if others and b.r.random() < 0.25 else [])
    updates = [b.ensure(v.t, update_dims) for v in many]
    chosen = [b.r.choice(names) if v is x else b.r.choice(["put", "add"]) for v in many]
    results = []
    for v, u, name in zip(many, updates, chosen):
        count = max(b.elements(update_dims), 1)
        if name == "put": results.append(b.moved(v, v.dims, **both(v, u)))
        else: results.append(Value(b.fresh(), v.t, v.dims, *reduced(b, name, u, v, count), special=v.special or u.special))
    args = [f"%o{k}: tensor<{v.t}>" for k, v in enumerate(many)] + [f"%u{k}: tensor<{v.t}>" for k, v in enumerate(many)]
    lines, ends = [], []
    for k, (v, name) in enumerate(zip(many, chosen)):
        if name != "put": lines.append(f"  %r{k} = stablehlo.{name} %o{k}, %u{k} : tensor<{v.t}>\n")
        ends.append(f"%u{k}" if name == "put" else f"%r{k}")
    types = ", ".join(f"tensor<{v.t}>" for v in many)
    numbers = (f"update_window_dims = {window_dims}, inserted_window_dims = {sorted(inserted)}, input_batching_dims = {batching}, scatter_indices_batching_dims = {start_batching}, "
               f"scatter_dims_to_operand_dims = {mapped}, index_vector_dim = {vector}")
    operands = many + [i] + updates
    b.emit("scatter", f'{", ".join(r.name for r in results)} = "stablehlo.scatter"({", ".join(v.name for v in operands)}) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> '
           f'({{\n^bb0({", ".join(args)}):\n{"".join(lines)}  stablehlo.return {", ".join(ends)} : {types}\n}}) : ({", ".join(v.type for v in operands)}) -> '
           f'({", ".join(r.type for r in results)})', operands, results)


@op(3)
def sort_any(b):
    """By one to three keys, each up or down, with payloads of any type; floats with special values in total order."""
    x = b.pick(lambda v: v.rank > 0 and v.exact and v.t != "i1" and not is_complex(v.t) and (not v.special or v.bits))
    keys = [v for v in b.values if v.dims == x.dims and v.exact and v.t != "i1" and (is_int(v.t) or is_float(v.t) and not v.special)]
    used = [x] + [b.r.choice(keys) for _ in range(b.r.choice([0, 1, 1, 2]) if keys else 0)]
    loads = [v for v in b.values if v.dims == x.dims and "{" not in v.t]
    many = used + [b.r.choice(loads) for _ in range(b.r.choice([0, 0, 1, 2]))]
    results = [b.moved(v, v.dims) for v in many]
    params = ", ".join(f"%x{k}: tensor<{v.t}>, %y{k}: tensor<{v.t}>" for k, v in enumerate(many))
    lines, before = [], None
    for k in range(len(used) - 1, -1, -1):
        t, s = used[k].t, f"tensor<{used[k].t}>"
        kind = "TOTALORDER" if used[k].special else kind_of(t)
        lines.append(f"  %l{k} = stablehlo.compare {b.r.choice(['LT', 'GT'])}, %x{k}, %y{k}, {kind} : ({s}, {s}) -> tensor<i1>")
        if before is None: before = f"%l{k}"
        else:
            lines += [f"  %e{k} = stablehlo.compare EQ, %x{k}, %y{k}, {kind} : ({s}, {s}) -> tensor<i1>",
                      f"  %b{k} = stablehlo.and %e{k}, {before} : tensor<i1>", f"  %p{k} = stablehlo.or %l{k}, %b{k} : tensor<i1>"]
            before = f"%p{k}"
    types = ", ".join(v.type for v in many)
    b.emit("sort", f'{", ".join(r.name for r in results)} = "stablehlo.sort"({", ".join(v.name for v in many)}) <{{dimension = {b.r.randrange(x.rank)} : i64, is_stable = true}}> ({{\n'
           f"^bb0({params}):\n" + "\n".join(lines) + f"\n  stablehlo.return {before} : tensor<i1>\n}}) : ({types}) -> ({types})", many, results)


@op(1)
def top_k(b):
    x = b.pick(lambda v: v.rank > 0 and v.dims[-1].static and v.dims[-1].key > 0 and v.exact and not v.special and v.t != "i1" and not is_complex(v.t))
    k = b.r.randint(1, x.dims[-1].key)
    dims = list(x.dims[:-1]) + [b.static(k)]
    values, indices = b.moved(x, dims), Value(b.fresh(), "i32", dims, 6000, grain=0, least=0)
    base = values.name
    values.name, indices.name = f"{base}#0", f"{base}#1"
    b.emit("top_k", f"{base}:2 = chlo.top_k({x.name}, k = {k}) : {x.type} -> ({values.type}, {indices.type})", [x], [values, indices])


# ---- convolution ----

@op(2)
def convolution_any(b):
    """Any order of dims, groups, dilation, reversal, negative padding; static and with padding as an operand."""
    x = b.pick(lambda v: v.rank in (3, 4) and v.t != "i1" and not v.special and all(d.static or k in (0,) for k, d in enumerate(v.dims)))
    order = list(range(1, x.rank))
    b.r.shuffle(order)
    feature, spatial = order[0], sorted(order[1:])
    if not all(x.dims[k].static and x.dims[k].key > 0 for k in order): raise Reject
    channels, count = x.dims[feature].key, len(spatial)
    groups = b.r.choice([g for g in (1, 1, 2, 3, channels) if channels % g == 0])
    batch_groups = 1
    if groups == 1 and x.dims[0].static and x.dims[0].key and b.r.random() < 0.3: batch_groups = b.r.choice([g for g in (1, 2, 3) if x.dims[0].key % g == 0])
    out = b.r.choice([1, 2, 3]) * groups * batch_groups
    k = [b.r.choice([1, 1, 2, 3]) for _ in spatial]
    place = list(range(count + 2))
    b.r.shuffle(place)
    ki, ko, ks = place[0], place[1], sorted(place[2:])
    kernel = [None] * (count + 2)
    kernel[ki], kernel[ko] = b.static(channels // groups), b.static(out)
    for at, n in zip(ks, k): kernel[at] = b.static(n)
    w = b.ensure(x.t, kernel, lambda v: not v.special)
    stride, left, right = ([b.r.choice([1, 1, 2]) for _ in spatial] for _ in range(3))
    padding = [[b.r.choice([0, 0, 1, -1]), b.r.choice([0, 0, 1, 2])] for _ in spatial]
    reverse = [b.r.random() < 0.25 for _ in spatial]
    sizes = []
    for at, p, n, s, ld, rd in zip(spatial, padding, k, stride, left, right):
        size, reach = sum(p) + (x.dims[at].key - 1) * ld + 1, (n - 1) * rd + 1
        if size < 0: raise Reject
        sizes.append((size - reach) // s + 1 if size >= reach else 0)
    place = list(range(count + 2))
    b.r.shuffle(place)
    ob, of, os = place[0], place[1], sorted(place[2:])
    dims = [None] * (count + 2)
    dims[ob] = x.dims[0] if batch_groups == 1 else b.static(x.dims[0].key // batch_groups)
    dims[of] = b.static(out)
    for at, n in zip(os, sizes): dims[at] = b.static(n)
    b.check_size(dims)
    each = Value("", x.t, [], x.most * w.most, x.most * w.error + w.most * x.error + x.error * w.error,
                 None if x.grain is None or w.grain is None else x.grain + w.grain)
    most, error, grain = reduced(b, "add", each, Value("", x.t, [], 0, grain=0), math.prod(k) * channels)
    result = Value(b.fresh(), x.t, dims, most, error, grain)

    def names(first, second, letters, axes):
        text = [""] * (count + 2)
        text[first], text[second] = letters
        for j, at in enumerate(axes): text[at] = str(j)
        return "[" + ", ".join(text) + "]"
    numbers = f"{names(0, feature, 'bf', spatial)}x{names(ki, ko, 'io', ks)}->{names(ob, of, 'bf', os)}"
    attrs = (f"dimension_numbers = #stablehlo.conv<{numbers}>, window_strides = {listed(stride)}, lhs_dilation = {listed(left)}, rhs_dilation = {listed(right)}, "
             f"window_reversal = array<i1: {', '.join(str(r).lower() for r in reverse)}>, batch_group_count = {batch_groups} : i64, feature_group_count = {groups} : i64")
    if b.r.random() < 0.25:
        pad = b.emit_plain(f"stablehlo.constant dense<{padding}> : tensor<{count}x2xi32>", f"tensor<{count}x2xi32>", [])
        b.emit("dynamic_conv", f'{result.name} = "stablehlo.dynamic_conv"({x.name}, {w.name}, {pad.name}) <{{{attrs}}}> : ({x.type}, {w.type}, {pad.kind}) -> {result.type}', [x, w, pad], [result])
        return
    b.simple("convolution", [x, w], result, f" <{{{attrs}, padding = dense<{padding}> : tensor<{count}x2xi64>}}>")
