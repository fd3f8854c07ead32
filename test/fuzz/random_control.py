# SPDX-License-Identifier: Apache-2.0
"""Random ops with regions and functions: branches and loops in each other, calls, composites, tuples, map, collectives of one
process, custom calls."""
from random_programs import Plain, Reject, Value, int_range, is_int, is_quantized, is_stored, op
from random_ops import both, index_scalar
from random_reductions import body, reduced

# ---- values that keep their type and bounds through regions ----

def plain_step(b, v, name):
    """Text of an op on |name|, of |v|'s type, whose result has v's bounds; gives (result, line)."""
    out = b.fresh()
    if is_int(v.t) and v.t != "i1":
        return out, f"{out} = stablehlo.{b.r.choice(['add', 'multiply', 'subtract', 'xor', 'maximum'])} {name}, {name} : {v.type}"
    if v.rank and (is_stored(v.t) or b.r.random() < 0.6):
        return out, f'{out} = "stablehlo.reverse"({name}) <{{dimensions = array<i64: {b.r.randrange(v.rank)}>}}> : ({v.type}) -> {v.type}'
    if is_stored(v.t): return out, f"{out} = stablehlo.optimization_barrier {name} : {v.type}"
    if v.t == "i1": return out, f"{out} = stablehlo.not {name} : {v.type}"
    return out, f"{out} = stablehlo.negate {name} : {v.type}"


def after(b, v):
    """The bounds of what steps give."""
    if is_int(v.t): return b.moved(v, v.dims, most=max(map(abs, int_range(v.t))), bits=False)
    if is_stored(v.t): return b.moved(v, v.dims)
    return b.moved(v, v.dims, least=-v.most, bits=False)


def step(b, v, name, depth, uses):
    """(result, lines) of some ops on |name|, regions in each other down to |depth|; |uses| takes what is captured."""
    if depth <= 0 or b.r.random() < 0.4: return join(plain_step(b, v, name))
    kind = b.r.choice(["if", "case", "while", "call", "map", "barrier", "tuple", "two"])
    out, t = b.fresh(), v.type
    if kind == "two":
        first, lines = step(b, v, name, depth - 1, uses)
        last, more = step(b, v, first, depth - 1, uses)
        return last, lines + more
    if kind in ("if", "case"):
        p = b.ensure("i1", []) if kind == "if" else index_scalar(b)
        if kind == "case" and p.t != "i32": raise Reject
        uses.append(p)
        blocks = []
        for _ in range(2 if kind == "if" else b.r.randint(1, 4)):
            end, lines = step(b, v, name, depth - 1, uses) if b.r.random() < 0.7 else (name, [])
            blocks.append("{\n" + "".join(f"  {line}\n" for line in lines) + f"  stablehlo.return {end} : {t}\n}}")
        return out, [f'{out} = "stablehlo.{kind}"({p.name}) ({", ".join(blocks)}) : ({p.type}) -> {t}']
    if kind == "while": return loop(b, [v], [name], depth, uses)[0]
    if kind == "call": return out, [f"{out} = call @{function(b, v, depth)}({name}) : ({t}) -> {t}"]
    if kind == "barrier": return out, [f"{out} = stablehlo.optimization_barrier {name} : {t}"]
    if kind == "tuple":
        pair = b.fresh()
        return out, [f"{pair} = stablehlo.tuple {name}, {name} : tuple<{t}, {t}>",
                     f"{out} = stablehlo.get_tuple_element {pair}[{b.r.randint(0, 1)}] : (tuple<{t}, {t}>) -> {t}"]
    if is_stored(v.t) or not v.rank: return join(plain_step(b, v, name))
    dims, s = ", ".join(map(str, range(v.rank))), f"tensor<{v.t}>"
    scalar = Value("", v.t, [], 1)
    inner, line = plain_step(b, scalar, "%e")
    return out, [f'{out} = "stablehlo.map"({name}) <{{dimensions = array<i64: {dims}>}}> ({{\n^bb0(%e: {s}):\n  {line}\n'
                 f"  stablehlo.return {inner} : {s}\n}}) : ({t}) -> {t}"]


def join(pair): return pair[0], [pair[1]]


def function(b, v, depth):
    """A private function on v's type; it captures nothing."""
    name = f"f{b.count}_{len(b.program.functions)}"
    end, lines = b.outside(lambda: step(b, v, "%arg", min(depth - 1, 1), NoUses()))
    b.program.functions.append(f"func.func private @{name}(%arg: {v.type}) -> {v.type} {{\n" + "".join(f"  {line}\n" for line in lines) + f"  return {end} : {v.type}\n}}")
    return name


class NoUses(list):
    """Where nothing may be captured."""
    def append(self, value): raise Reject


def loop(b, carried, names, depth, uses, trips=None):
    """A counted while over |carried|, which have |names|; gives [(result, lines)] for each of them."""
    inner = [f"%w{b.count}_{k}" for k in range(len(carried) + 1)]
    b.count += 1
    types = ["tensor<i32>"] + [v.type for v in carried]
    lines, ends = [], []
    for name, v in zip(inner[1:], carried):
        end, more = step(b, v, name, depth - 1, uses)
        lines += more
        ends.append(end)
    zero, base = b.fresh(), b.fresh()
    i, limit, one, go = b.fresh(), b.fresh(), b.fresh(), b.fresh()
    initial = ", ".join(f"{n} = {v}" for n, v in zip(inner, [zero] + names))
    text = [f"{zero} = stablehlo.constant dense<0> : tensor<i32>"]
    most = f"stablehlo.constant dense<{b.r.choice([0, 1, 2, 3])}> : tensor<i32>" if trips is None else f"stablehlo.add {trips}, {trips} : tensor<i32>"
    many = f"{base}:{len(inner)} = stablehlo.while({initial}) : {', '.join(types)}\n cond {{\n"
    many += f"  {limit} = {most}\n  {go} = stablehlo.compare LT, {inner[0]}, {limit}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    many += f"  stablehlo.return {go} : tensor<i1>\n}} do {{\n  {one} = stablehlo.constant dense<1> : tensor<i32>\n  {i} = stablehlo.add {inner[0]}, {one} : tensor<i32>\n"
    many += "".join("  " + line + "\n" for line in lines) + f"  stablehlo.return {', '.join([i] + ends)} : {', '.join(types)}\n}}"
    return [(f"{base}#{k + 1}", text + [many]) for k in range(len(carried))]


@op(4)
def control(b):
    """Steps in each other on one value."""
    v, uses = b.pick(stored=True), []
    end, lines = step(b, v, v.name, b.r.choice([1, 2, 2, 3, 4]), uses)
    if sum(line.count("\n") + 1 for line in lines) > 150: raise Reject
    result = after(b, v)
    lines.append(f"{result.name} = stablehlo.optimization_barrier {end} : {v.type}")
    b.emit("control", "\n".join(lines), [v] + uses, [result])


@op(2)
def while_(b):
    """Several carried values, some of which change places; sometimes a number of trips that the program computes."""
    carried, uses = [b.pick(stored=True) for _ in range(b.r.randint(1, 3))], []
    names = [f"%w{b.count}_{k}" for k in range(len(carried) + 1)]
    b.count += 1
    types = ["tensor<i32>"] + [v.type for v in carried]
    zero = b.constant("i32", [], 0)
    trips = b.constant("i32", [], b.r.choice([0, 1, 2, 3, 5]))
    if b.r.random() < 0.4:
        x = index_scalar(b)
        if x.t == "i32":
            low, high = b.constant("i32", [], 0), b.constant("i32", [], 4)
            clamped = Value(b.fresh(), "i32", [], 4, grain=0, least=0)
            trips = b.simple("clamp", [low, x, high], clamped)
    results = [Value(b.fresh(), "i32", [], 10, grain=0)] + [after(b, v) for v in carried]
    lines, end = [], []
    for name, v in zip(names[1:], carried):
        out, more = step(b, v, name, b.r.choice([0, 0, 1, 2]), uses)
        lines += more
        end.append(out)
    if len(carried) > 1 and carried[0].type == carried[1].type and carried[0].dims == carried[1].dims and both(*carried[:2])["special"] is False:
        end[0], end[1] = end[1], end[0]
        for i in (1, 2):
            for k, x in both(results[1], results[2]).items(): setattr(results[i], k, x)
    initial = ", ".join(f"{n} = {v.name}" for n, v in zip(names, [zero] + carried))
    i, one, go = b.fresh(), b.fresh(), b.fresh()
    base = results[0].name
    many = f"{base}:{len(names)} = stablehlo.while({initial}) : {', '.join(types)}\n cond {{\n"
    many += f"  {go} = stablehlo.compare LT, {names[0]}, {trips.name}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    many += f"  stablehlo.return {go} : tensor<i1>\n}} do {{\n  {one} = stablehlo.constant dense<1> : tensor<i32>\n  {i} = stablehlo.add {names[0]}, {one} : tensor<i32>\n"
    many += "".join("  " + line + "\n" for line in lines) + f"  stablehlo.return {', '.join([i] + end)} : {', '.join(types)}\n}}"
    for k, r in enumerate(results): r.name = f"{base}#{k}"
    b.emit("while", many, [zero, trips] + carried + uses, results)


@op(2)
def walk(b):
    """A loop that jumps through a buffer by 32-bit arithmetic that wraps, and updates it in place."""
    x = b.pick(lambda v: 0 < v.rank < 4 and all(min(d.values) > 0 for d in v.dims), stored=True)
    seed, zero = index_scalar(b), b.constant("i32", [], 0)
    if seed.t != "i32": raise Reject
    sizes = [b.r.randint(1, min(3, min(d.values))) for d in x.dims]
    piece = f"tensor<{'x'.join(map(str, sizes))}x{x.t}>"
    listed = "array<i64: " + ", ".join(map(str, sizes)) + ">"
    n, s = b.fresh, "tensor<i32>"
    i, at, data, base = n(), n(), n(), n()
    limit, go, one, next_i, factor, scaled, added, moved, part, turned, out = (n() for _ in range(11))
    starts = [b.r.choice([moved, i, at]) for _ in x.dims]
    to = [b.r.choice([moved, i, at]) for _ in x.dims]
    ints = ", ".join([s] * x.rank)
    text = (f"{base}:3 = stablehlo.while({i} = {zero.name}, {at} = {seed.name}, {data} = {x.name}) : {s}, {s}, {x.type}\n cond {{\n"
            f"  {limit} = stablehlo.constant dense<{b.r.choice([1, 3, 6])}> : {s}\n  {go} = stablehlo.compare LT, {i}, {limit}, SIGNED : ({s}, {s}) -> tensor<i1>\n"
            f"  stablehlo.return {go} : tensor<i1>\n}} do {{\n  {one} = stablehlo.constant dense<1> : {s}\n  {next_i} = stablehlo.add {i}, {one} : {s}\n"
            f"  {factor} = stablehlo.constant dense<{b.r.choice([3, 1664525, -5])}> : {s}\n  {scaled} = stablehlo.multiply {at}, {factor} : {s}\n"
            f"  {added} = stablehlo.constant dense<{b.r.choice([1, 1013904223])}> : {s}\n  {moved} = stablehlo.add {scaled}, {added} : {s}\n"
            f'  {part} = "stablehlo.dynamic_slice"({data}, {", ".join(starts)}) <{{slice_sizes = {listed}}}> : ({x.type}, {ints}) -> {piece}\n'
            f'  {turned} = "stablehlo.reverse"({part}) <{{dimensions = array<i64: 0>}}> : ({piece}) -> {piece}\n'
            f'  {out} = "stablehlo.dynamic_update_slice"({data}, {turned}, {", ".join(to)}) : ({x.type}, {piece}, {ints}) -> {x.type}\n'
            f"  stablehlo.return {next_i}, {moved}, {out} : {s}, {s}, {x.type}\n}}")
    results = [Value(f"{base}#0", "i32", [], 10, grain=0), Value(f"{base}#1", "i32", [], 2 ** 31, grain=0), b.moved(x, x.dims)]
    results[2].name = f"{base}#2"
    b.emit("while", text, [zero, seed, x], results)


# ---- functions, tuples ----

@op(2)
def call(b):
    """A function of several values, with dims of its own; called once or twice, or the decomposition of a composite."""
    x = b.pick(lambda v: v.rank < 4, stored=True)
    y = b.pick(stored=True)
    name, copies = f"g{b.count}_{len(b.program.functions)}", b.r.randint(1, 3)
    dims = [b.static(copies)] + list(x.dims)
    first, second = b.moved(x, dims), after(b, y)
    lines, sizes = [], [f"%c = stablehlo.constant dense<{copies}> : tensor<1xi32>"]
    parts = ["%c"]
    for k in range(x.rank):
        sizes += [f'%n{k} = "stablehlo.get_dimension_size"(%x) <{{dimension = {k} : i64}}> : ({x.type}) -> tensor<i32>',
                  f"%r{k} = stablehlo.reshape %n{k} : (tensor<i32>) -> tensor<1xi32>"]
        parts.append(f"%r{k}")
    lines += sizes
    rank, kinds = x.rank + 1, ", ".join(["tensor<1xi32>"] * (x.rank + 1))
    lines.append(f'%s = "stablehlo.concatenate"({", ".join(parts)}) <{{dimension = 0 : i64}}> : ({kinds}) -> tensor<{rank}xi32>')
    lines.append(f'%b = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{{broadcast_dimensions = array<i64{": " if x.rank else ""}{", ".join(map(str, range(1, rank)))}>}}> : '
                 f"({x.type}, tensor<{rank}xi32>) -> {first.type}")
    end, more = b.outside(lambda: step(b, y, "%y", b.r.randint(0, 2), NoUses()))
    b.program.functions.append(f"func.func private @{name}(%x: {x.type}, %y: {y.type}) -> ({first.type}, {y.type}) {{\n" +
                               "".join(f"  {line}\n" for line in lines + more) + f"  return %b, {end} : {first.type}, {y.type}\n}}")
    types = f"({x.type}, {y.type}) -> ({first.type}, {y.type})"
    if b.r.random() < 0.4:
        text = f'{first.name}, {second.name} = stablehlo.composite "my.{name}" {x.name}, {y.name} {{decomposition = @{name}}} : {types}'
    else: text = f"{first.name}, {second.name} = func.call @{name}({x.name}, {y.name}) : {types}"
    base = first.name
    if "func.call" in text:
        text = f"{base}:2" + text[text.index(" ="):]
        first.name, second.name = f"{base}#0", f"{base}#1"
    b.emit("call", text, [x, y], [first, second])


@op(1)
def tuples(b):
    x, y = b.pick(stored=True), b.pick(stored=True)
    t, u, v = b.fresh(), b.fresh(), b.fresh()
    results = [b.moved(x, x.dims), b.moved(y, y.dims)]
    inner = f"tuple<{x.type}, {y.type}>"
    b.emit("tuple", f"{t} = stablehlo.tuple {x.name}, {y.name} : {inner}\n{u} = stablehlo.tuple {t}, {y.name} : tuple<{inner}, {y.type}>\n"
           f"{v} = stablehlo.get_tuple_element {u}[0] : (tuple<{inner}, {y.type}>) -> {inner}\n"
           f"{results[0].name} = stablehlo.get_tuple_element {v}[0] : ({inner}) -> {x.type}\n"
           f"{results[1].name} = stablehlo.get_tuple_element {u}[1] : (tuple<{inner}, {y.type}>) -> {y.type}", [x, y], results)


@op(1)
def barrier(b):
    many = [b.pick(stored=True) for _ in range(b.r.randint(1, 3))]
    results = [b.moved(v, v.dims) for v in many]
    types = ", ".join(v.type for v in many)
    b.emit("optimization_barrier", f'{", ".join(r.name for r in results)} = "stablehlo.optimization_barrier"({", ".join(v.name for v in many)}) : ({types}) -> ({types})',
           many, results)


@op(2)
def map_(b):
    """Several operands, one scalar expression."""
    x = b.pick(lambda v: v.rank > 0 and v.exact and is_int(v.t) and v.t != "i1")
    many = [x] + [b.ensure(x.t, x.dims) for _ in range(b.r.randint(0, 2))]
    s, lines, at = f"tensor<{x.t}>", [], "%e0"
    for k in range(b.r.randint(1, 4)):
        lines.append(f"  %m{k} = stablehlo.{b.r.choice(['add', 'multiply', 'subtract', 'maximum', 'minimum', 'xor', 'and'])} {at}, %e{b.r.randrange(len(many))} : {s}")
        at = f"%m{k}"
    result = Value(b.fresh(), x.t, x.dims, max(map(abs, int_range(x.t))), grain=0)
    params = ", ".join(f"%e{k}: {s}" for k in range(len(many)))
    b.simple("map", many, result, f" <{{dimensions = array<i64: {', '.join(map(str, range(x.rank)))}>}}> ({{\n^bb0({params}):\n" + "\n".join(lines) +
             f"\n  stablehlo.return {at} : {s}\n}})")


# ---- one process of many ----

@op(1)
def collective(b):
    name = b.r.choice(["all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "cross-replica-sum", "reduce_scatter"])
    adds = name in ("all_reduce", "cross-replica-sum", "reduce_scatter")
    x = b.pick(lambda v: v.rank > 0 and (not adds or v.t != "i1"), stored=not adds)
    groups, axis = "replica_groups = dense<0> : tensor<1x1xi64>", b.r.randrange(x.rank)
    attrs = {"all_gather": f"all_gather_dim = {axis} : i64, {groups}", "reduce_scatter": f"scatter_dimension = {axis} : i64, {groups}",
             "all_to_all": f"split_dimension = {axis} : i64, concat_dimension = {b.r.randrange(x.rank)} : i64, split_count = 1 : i64, {groups}",
             "collective_permute": "source_target_pairs = dense<0> : tensor<1x2xi64>"}.get(name, groups)
    if is_quantized(x.t): raise Reject
    region = " " + body("add", x.t) if name in ("all_reduce", "reduce_scatter") else ""
    b.simple(name, [x], b.moved(x, x.dims), f" <{{{attrs}}}>{region}")


@op(1)
def which_process(b):
    out = Value(b.fresh(), "ui32", [], 1, grain=0)
    b.emit("replica_id", f"{out.name} = stablehlo.{b.r.choice(['replica_id', 'partition_id'])} : tensor<ui32>", [], [out])


# ---- custom calls ----

@op(1)
def annotation(b):
    x = b.pick(stored=True)
    target = b.r.choice(["Sharding", "annotate_device_placement", "LayoutConstraint", "MoveToHost", "MoveToDevice"])
    result = b.moved(x, x.dims)
    b.emit("custom_call", f'{result.name} = stablehlo.custom_call @{target}({x.name}) {{backend_config = ""}} : ({x.type}) -> {x.type}', [x], [result])


@op(1)
def shape_assertion(b):
    """What holds of the sizes: a bound, or that one is a multiple."""
    able = [d for k, d in ((k, d) for v in b.values for k, d in enumerate(v.dims)) if not d.static and d.key in b.sizes]
    if not able: raise Reject
    d = b.r.choice(able)
    n, least = b.size(d), min(d.values)
    c, p = b.fresh(), b.fresh()
    by = next((k for k in (8, 4, 3, 2) if all(v % k == 0 for v in d.values)), None)
    if by and b.r.random() < 0.7:
        zero, rest = b.fresh(), b.fresh()
        head = (f"{c} = stablehlo.constant dense<{by}> : tensor<i32>\n{zero} = stablehlo.constant dense<0> : tensor<i32>\n{rest} = stablehlo.remainder {n.name}, {c} : tensor<i32>\n"
                f"{p} = stablehlo.compare EQ, {rest}, {zero}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n")
    else:
        head = (f"{c} = stablehlo.constant dense<{b.r.choice([least, 0, least // 2])}> : tensor<i32>\n"
                f"{p} = stablehlo.compare GE, {n.name}, {c}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n")
    b.program.statements.append(Plain.statement(head + f'stablehlo.custom_call @shape_assertion({p}, {n.name}) {{api_version = 2 : i32, error_message = "size is {{0}}", '
                                                "has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()", [n.name]))


@op(2)
def size_as_data(b):
    """A size that ops compute with."""
    x = b.pick(lambda v: v.rank > 0, stored=True)
    axis = b.r.randrange(x.rank)
    result = Value(b.fresh(), "i32", [], x.dims[axis].most, grain=0, least=0)
    b.emit("get_dimension_size", f'{result.name} = "stablehlo.get_dimension_size"({x.name}) <{{dimension = {axis} : i64}}> : ({x.type}) -> tensor<i32>', [x], [result])


@op(2)
def rows_by_a_matrix(b):
    """A loop that adds up the products of one row after the other by one matrix, from the first row or the last."""
    x = b.pick(lambda v: 1 < v.rank < 4 and v.t != "i1" and not v.special and v.t in ("f32", "f64", "bf16", "i32", "i64"))
    axes = list(range(x.rank))
    d, c = b.r.sample(axes, 2)
    rest = [x.dims[i] for i in axes if i not in (d, c)]
    columns = b.static(b.r.choice([1, 3, 8]))
    w = b.ensure(x.t, [x.dims[c], columns], lambda v: not v.special)
    zero, trips = b.constant("i32", [], 0), b.size(x.dims[d])
    start = b.ensure(x.t, rest + [columns], lambda v: not v.special)
    terms, rows = max(b.elements([x.dims[c]]), 1), max(b.elements([x.dims[d]]), 1)
    if b.elements(x.dims) * columns.key > 100000: raise Reject
    if x.dims[d].static and not x.dims[d].key: raise Reject  # no slice of one row, though the loop never takes it
    each = Value("", x.t, [], x.most * w.most, x.most * w.error + w.most * x.error + x.error * w.error,
                 None if x.grain is None or w.grain is None else x.grain + w.grain)
    product = Value("", x.t, [], *reduced(b, "add", each, Value("", x.t, [], 0, grain=0), terms))
    n, s = b.fresh, "tensor<i32>"
    base, i, sum_, go, one, next_i, at, row, flat, dot, out = (n() for _ in range(11))
    result = Value(base + "#1", x.t, start.dims, *reduced(b, "add", product, start, rows))
    one_row = [b.static(1) if k == d else x.dims[k] for k in axes]
    row_t, flat_t = Value("", x.t, one_row, 0).type, Value("", x.t, [v for k, v in enumerate(one_row) if k != d], 0).type
    uses, lines = [zero, trips, x, w, start], [f"{one} = stablehlo.constant dense<1> : {s}", f"{next_i} = stablehlo.add {i}, {one} : {s}"]
    if b.r.random() < 0.3:
        lines += [f"{at}l = stablehlo.subtract {trips.name}, {next_i} : {s}", f"{at} = stablehlo.optimization_barrier {at}l : {s}"]
    else: at = i
    if all(v.static for v in rest + [x.dims[c]]):
        sizes = ", ".join(str(v.key) for v in one_row)
        starts = ", ".join(at if k == d else zero.name for k in axes)
        lines += [f'{row} = "stablehlo.dynamic_slice"({x.name}, {starts}) <{{slice_sizes = array<i64: {sizes}>}}> : ({x.type}, {", ".join([s] * x.rank)}) -> {row_t}',
                  f"{flat} = stablehlo.reshape {row} : ({row_t}) -> {flat_t}"]
    else:
        shape, flat_shape, v = b.shape(one_row), b.shape([v for k, v in enumerate(one_row) if k != d]), f"tensor<{x.rank}xi32>"
        uses += [shape, flat_shape]
        lines += [f"{at}r = stablehlo.reshape {at} : ({s}) -> tensor<1xi32>", f"{row}z = stablehlo.constant dense<0> : tensor<1xi32>",
                  f'{row}f = "stablehlo.concatenate"({", ".join(at + "r" if k == d else row + "z" for k in axes)}) <{{dimension = 0 : i64}}> : ({", ".join(["tensor<1xi32>"] * x.rank)}) -> {v}',
                  f"{row}t = stablehlo.add {row}f, {shape.name} : {v}", f"{row}s = stablehlo.constant dense<1> : {v}",
                  f'{row} = "stablehlo.real_dynamic_slice"({x.name}, {row}f, {row}t, {row}s) : ({x.type}, {v}, {v}, {v}) -> {row_t}',
                  f'{flat} = "stablehlo.dynamic_reshape"({row}, {flat_shape.name}) : ({row_t}, {flat_shape.kind}) -> {flat_t}']
    k = c - (d < c)
    lines += [f"{dot} = stablehlo.dot_general {flat}, {w.name}, contracting_dims = [{k}] x [0] : ({flat_t}, {w.type}) -> {start.type}",
              f"{out} = stablehlo.add {sum_}, {dot} : {start.type}"]
    text = (f"{base}:2 = stablehlo.while({i} = {zero.name}, {sum_} = {start.name}) : {s}, {start.type}\n cond {{\n"
            f"  {go} = stablehlo.compare LT, {i}, {trips.name}, SIGNED : ({s}, {s}) -> tensor<i1>\n  stablehlo.return {go} : tensor<i1>\n}} do {{\n"
            + "".join(f"  {line}\n" for line in lines) + f"  stablehlo.return {next_i}, {out} : {s}, {start.type}\n}}")
    b.emit("while", text, uses, [Value(base + "#0", "i32", [], max(b.elements([x.dims[d]]), 1), grain=0), result])
