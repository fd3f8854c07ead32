# SPDX-License-Identifier: Apache-2.0
"""The programs of mixed_types.py: one op, its element types and sizes at random, and whether the specification lets them meet."""
import random
import re

import numpy as np

from random_programs import FLOATS, INTS, is_complex, is_float, is_int

TYPES = ["i1", "i4", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f4E2M1FN",
         "complex<f32>", "complex<f64>"]
SIZES = [0, 1, 1, 2, 3, 5, 7, 8, 13, 16, 17]
HUGE = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 40, 2 ** 61, 2 ** 62 - 1, 2 ** 62]


def kind(t): return "bool" if t == "i1" else "int" if is_int(t) else "float" if is_float(t) else "complex"
def bits(t): return INTS[t][0] if is_int(t) else 2 * bits(t[8:-1]) if is_complex(t) else int(re.search(r"\d+", t).group())
def promotable(a, b): return a == b or kind(a) == kind(b) != "bool" and bits(a) <= bits(b)


def product_allowed(a, b, result):
    if kind(a) != kind(b): return False
    if kind(a) == "float": return kind(result) == "float"
    if max(bits(a), bits(b)) > bits(result): return False
    if kind(a) in ("int", "bool"): return (a == b or kind(a) == "int" and (a[0] == "u") == (b[0] == "u")) and kind(result) in ("int", "float", "bool")
    return a == b and kind(result) == "complex"


class Case:
    """|allowed|: may the types of |text| meet? |args|: (type, dims) in order, dims as they are at run time; |run|: or only compile;
    |index_max|: arguments that are indices, and their largest; |at_run|: the error of a run that its sizes make wrong."""

    def __init__(self, op, text, args, allowed, run=True, index_max=None, at_run=None):
        self.name, self.text, self.args, self.allowed, self.run, self.index_max, self.at_run = op, text, args, allowed, run, index_max or {}, at_run
        if "." not in op: self.name = ("chlo." if op == "scan" else "stablehlo.") + op
        self.lines = text.split("\n")


class Draw:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.huge = self.r.random() < 0.1

    def type(self, near=None):
        """Any type, mostly one that has a chance to meet |near|."""
        r = self.r
        if near is None: return r.choice(TYPES)
        if r.random() < 0.45: return near
        return r.choice([t for t in TYPES if promotable(near, t)] if r.random() < 0.6 else TYPES)

    def twin(self, t): return t if self.r.random() < 0.85 else self.type()

    def dims(self, low, high, least=0):
        n = self.r.randint(low, high)
        out = [self.r.choice([s for s in SIZES if s >= least]) for _ in range(n)]
        while np.prod(out, dtype=np.int64) > 3000: out[self.r.randrange(n)] = max(1, least)
        return out

    def written(self, dims, static=False):
        """As a type writes them: some unknown."""
        return [d if static or self.r.random() < 0.6 else "?" for d in dims]


def tensor(t, dims): return "tensor<" + "".join(f"{d}x" for d in dims) + t + ">"
def ints(v): return "array<i64: " + ", ".join(map(str, v)) + ">" if v else "array<i64>"


def combine(d, t, few):
    """An op that gives the same bits in any order, on |few| elements of 0 and 1."""
    if t == "i1": return d.r.choice(["and", "or"])
    if is_complex(t): return "add"
    exact = not is_float(t) or FLOATS[t][0] >= 7 or few
    return d.r.choice(["maximum", "minimum"] + ["add"] * (2 if exact else 0))


def body(name, args, gives):
    """^bb0 with |args|; |name| of the first and the last, as |gives|."""
    types = ", ".join(f"%p{i}: tensor<{t}>" for i, t in enumerate(args))
    return (f"({{\n  ^bb0({types}):\n    %z = stablehlo.{name} %p0, %p{len(args) - 1 if args[-1] == gives else 0} : tensor<{gives}>\n    stablehlo.return %z : tensor<{gives}>\n  }})")


def function(args, line, results):
    head = ", ".join(f"%a{i}: {t}" for i, t in enumerate(args))
    return f"func.func public @main({head}) -> ({', '.join(results)}) {{\n  {line}\n  return %0 : {', '.join(results)}\n}}\n"


def reduce(d):
    t = d.type()
    e, init = d.type(t), d.twin(t)
    dims = d.dims(0, 3)
    if d.huge: dims = [d.r.choice(HUGE)] + dims[:1]
    axes = sorted(d.r.sample(range(len(dims)), d.r.randint(0, len(dims))))
    args = [e, d.twin(e)]
    out = d.twin(e)
    w = d.written(dims, d.huge)
    kept = [w[i] for i in range(len(w)) if i not in axes]
    name = combine(d, e, np.prod([float(dims[i]) for i in axes]) <= 5)
    types = [tensor(t, w), tensor(init, [])]
    text = function(types, f'%0 = "stablehlo.reduce"(%a0, %a1) <{{dimensions = {ints(axes)}}}> {body(name, args, e)} : ({", ".join(types)}) -> {tensor(out, kept)}', [tensor(out, kept)])
    return Case("reduce", text, [(t, dims), (init, [])], init == t and promotable(t, e) and args[1] == e and out == e, not d.huge)


def reduce_window(d):
    t = d.type()
    e, init = d.type(t), d.twin(t)
    dims = d.dims(1, 3)
    if d.huge: dims[0] = d.r.choice(HUGE)
    window = [d.r.choice([1, 2, 3]) for _ in dims]
    pads = [[d.r.choice([0, 1]), d.r.choice([0, 2])] for _ in dims]
    if d.huge: window, pads = [1] * len(dims), [[0, 0]] * len(dims)
    out = [max(0, s + sum(p) - w + 1) if s + sum(p) > 0 else 0 for s, w, p in zip(dims, window, pads)]
    name = combine(d, e, np.prod(window) <= 5)
    w = d.written(dims, d.huge)
    result = d.twin(e)
    outs = [o if x != "?" else "?" for o, x in zip(out, w)]
    types = [tensor(t, w), tensor(init, [])]
    text = function(types, f'%0 = "stablehlo.reduce_window"(%a0, %a1) <{{window_dimensions = {ints(window)}, padding = dense<{pads}> : tensor<{len(dims)}x2xi64>}}> '
                    f'{body(name, [e, e], e)} : ({", ".join(types)}) -> {tensor(result, outs)}', [tensor(result, outs)])
    return Case("reduce_window", text, [(t, dims), (init, [])], init == t and promotable(t, e) and result == e, not d.huge)


def scatter(d):
    t = d.type()
    e, u, result = d.type(t), d.twin(t), None
    result = d.twin(e)
    dims = d.dims(1, 3, 1)
    if d.huge: dims[0] = d.r.choice(HUGE)
    n, i = d.r.choice([0, 1, 3, 7]), d.r.choice(["i8", "i32", "i64", "ui8", "ui32"])
    updates = [n] + [d.r.randint(0, s) for s in dims[1:]]
    w = d.written(dims, d.huge)
    name = combine(d, e, n <= 3)
    types = [tensor(t, w), tensor(i, [n, 1]), tensor(u, d.written(updates))]
    numbers = f"update_window_dims = {list(range(1, len(dims)))}, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    text = function(types, f'%0 = "stablehlo.scatter"(%a0, %a1, %a2) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> '
                    f'{body(name, [e, e], e)} : ({", ".join(types)}) -> {tensor(result, w)}', [tensor(result, w)])
    return Case("scatter", text, [(t, dims), (i, [n, 1]), (u, updates)], u == t and promotable(t, e) and result == e, not d.huge, {1: min(dims[0], 20)})


def select_and_scatter(d):
    t = d.type()
    e, s, v = d.type(t), d.twin(t), d.twin(t)
    dims = d.dims(1, 2)
    window = [d.r.choice([1, 2, 3]) for _ in dims]
    source = [0 if x < w else (x - w) // w + 1 for x, w in zip(dims, window)]
    selects = d.twin(t)
    types = [tensor(t, dims), tensor(s, source), tensor(v, [])]
    name = combine(d, e, True)
    compare = "EQ" if is_complex(selects) else d.r.choice(["GE", "LT"])
    select = (f"({{\n  ^bb0(%x: tensor<{t}>, %y: tensor<{selects}>):\n    %p = stablehlo.compare {compare}, %x, %x : (tensor<{t}>, tensor<{t}>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  }}")
    if selects == t: select = select.replace("%x, %x", "%x, %y")
    if is_complex(t): select = select.replace("GE", "EQ").replace("LT", "EQ")
    text = function(types, f'%0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) <{{window_dimensions = {ints(window)}, window_strides = {ints(window)}}}> '
                    f'{select}, {body(name, [e, e], e)[1:-1]}) : ({", ".join(types)}) -> {tensor(e, dims)}', [tensor(e, dims)])
    return Case("select_and_scatter", text, [(t, dims), (s, source), (v, [])], s == t == v == selects and promotable(t, e))


def collective(d):
    op = d.r.choice(["all_reduce", "reduce_scatter"])
    t = d.type()
    e = d.type(t)
    result, dims = d.twin(e), d.dims(1, 2)
    attrs = "replica_groups = dense<0> : tensor<1x1xi64>" + (", scatter_dimension = 0 : i64" if op == "reduce_scatter" else "")
    types, out = [tensor(t, dims)], tensor(result, dims)
    text = function(types, f'%0 = "stablehlo.{op}"(%a0) <{{{attrs}}}> {body(combine(d, e, True), [e, e], e)} : ({types[0]}) -> {out}', [out])
    return Case(op, text, [(t, dims)], promotable(t, e) and result == e)


def product_result(d, a, b):
    if d.r.random() < 0.4: return a
    return d.r.choice([t for t in TYPES if product_allowed(a, b, t)] or TYPES) if d.r.random() < 0.7 else d.type()


def dot_general(d):
    a = d.type()
    b = a if d.r.random() < 0.6 else d.type(a)
    m, k, n = (d.r.choice(SIZES) for _ in range(3))
    result = product_result(d, a, b)
    if is_float(result) and FLOATS[result][0] < 7 or any(is_float(t) and FLOATS[t][0] < 7 for t in (a, b)): k = min(k, 3)
    if d.huge: m, n = d.r.choice(HUGE), 1
    x, y = d.written([m, k], d.huge), d.written([k, n], d.huge)
    types, out = [tensor(a, x), tensor(b, y)], tensor(result, [x[0], y[1]])
    if d.r.random() < 0.7 or d.huge:
        op, line = "dot_general", f"stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0]"
    else: op, line = d.r.choice([("dot", "stablehlo.dot %a0, %a1"), ("einsum", 'stablehlo.einsum %a0, %a1, config = "ab,bc->ac"')])
    return Case(op, function(types, f"%0 = {line} : ({', '.join(types)}) -> {out}", [out]), [(a, [m, k]), (b, [k, n])], product_allowed(a, b, result), not d.huge)


def convolution(d):
    a = d.type()
    b = a if d.r.random() < 0.6 else d.type(a)
    result = product_result(d, a, b)
    n, s, c, o, k = d.r.choice([0, 1, 2]), d.r.choice([1, 3, 7]), d.r.choice([1, 2]), d.r.choice([1, 3]), d.r.choice([1, 2])
    if is_float(result) and FLOATS[result][0] < 7: c, k = 1, min(k, 2)
    types, out = [tensor(a, [n, s, c]), tensor(b, [k, c, o])], tensor(result, [n, max(0, s - k + 1), o])
    text = function(types, f"%0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} "
                    f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({', '.join(types)}) -> {out}", [out])
    return Case("convolution", text, [(a, [n, s, c]), (b, [k, c, o])], product_allowed(a, b, result))


def sort(d):
    t, dims = d.type(), d.dims(1, 2)
    seen, result = d.twin(t), d.twin(t)
    if is_complex(t) or is_complex(seen): return reduce(d)
    types, out = [tensor(t, dims)], tensor(result, dims)
    text = function(types, f'%0 = "stablehlo.sort"(%a0) <{{dimension = 0 : i64, is_stable = true}}> ({{\n  ^bb0(%x: tensor<{seen}>, %y: tensor<{seen}>):\n'
                    f"    %p = stablehlo.compare LT, %x, %y : (tensor<{seen}>, tensor<{seen}>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  }}) : ({types[0]}) -> {out}", [out])
    return Case("sort", text, [(t, dims)], t == seen == result)


def mapped(d):
    t, dims = d.type(), d.dims(0, 2)
    seen, given = d.twin(t), d.type()
    result = d.twin(given)
    types, out = [tensor(t, dims)], tensor(result, dims)
    text = function(types, f'%0 = "stablehlo.map"(%a0) <{{dimensions = {ints(list(range(len(dims))))}}}> ({{\n  ^bb0(%x: tensor<{seen}>):\n'
                    f"    %y = stablehlo.convert %x : (tensor<{seen}>) -> tensor<{given}>\n    stablehlo.return %y : tensor<{given}>\n  }}) : ({types[0]}) -> {out}", [out])
    return Case("map", text, [(t, dims)], t == seen and given == result)


def scan(d):
    t = d.type()
    e, dims = d.type(t), d.dims(1, 1)
    carry = d.twin(e)
    add = "or" if e == "i1" else "add"
    if is_float(e) and FLOATS[e][0] < 7: dims = [min(dims[0], 3)]
    types = [tensor(t, dims), tensor(carry, [])]
    text = (f"func.func public @main(%a0: {types[0]}, %a1: {types[1]}) -> ({tensor(e, dims)}) {{\n"
            f'  %0:2 = "chlo.scan"(%a0, %a1) <{{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}}> ({{\n'
            f"  ^bb0(%x: tensor<{t}>, %c: tensor<{e}>):\n    %z = stablehlo.{add} %c, %c : tensor<{e}>\n    stablehlo.return %z, %z : tensor<{e}>, tensor<{e}>\n  }}) : "
            f"({types[0]}, {types[1]}) -> ({tensor(e, dims)}, {tensor(e, [])})\n  return %0#0 : {tensor(e, dims)}\n}}\n")
    return Case("scan", text, [(t, dims), (carry, [])], carry == e)


def moves(d):
    """Ops that want one element type of all."""
    t, dims = d.type(), d.dims(1, 2, 1)
    u, result = d.twin(t), d.twin(t)
    x, y, out = tensor(t, dims), tensor(u, dims), tensor(result, dims)
    op = d.r.choice(["pad", "concatenate", "select", "clamp", "dynamic_update_slice", "while", "if", "add"])
    allowed, args = t == u == result, [(t, dims), (u, dims)]
    if op == "pad":
        args, y = [(t, dims), (u, [])], tensor(u, [])
        line = f"%0 = stablehlo.pad %a0, %a1, low = {[1] * len(dims)}, high = {[0] * len(dims)}, interior = {[1] * len(dims)} : ({x}, {y}) -> "
        out = tensor(result, [2 * s for s in dims])
        line += out
    elif op == "concatenate":
        out = tensor(result, [2 * dims[0]] + dims[1:])
        line = f'%0 = "stablehlo.concatenate"(%a0, %a1) <{{dimension = 0 : i64}}> : ({x}, {y}) -> {out}'
    elif op == "select":
        line = f'%p = stablehlo.constant dense<true> : tensor<i1>\n  %0 = "stablehlo.select"(%p, %a0, %a1) : (tensor<i1>, {x}, {y}) -> {out}'
    elif op == "clamp":
        if is_complex(t) or is_complex(u) or is_complex(result): return reduce(d)
        line = f'%0 = "stablehlo.clamp"(%a0, %a1, %a0) : ({x}, {y}, {x}) -> {out}'
    elif op == "dynamic_update_slice":
        zeros = ", ".join(["%i"] * len(dims))
        line = (f"%i = stablehlo.constant dense<0> : tensor<i32>\n  %0 = \"stablehlo.dynamic_update_slice\"(%a0, %a1, {zeros}) : "
                f"({x}, {y}{', tensor<i32>' * len(dims)}) -> {out}")
    elif op == "while":
        line = (f'%0 = "stablehlo.while"(%a0) ({{\n  ^bb0(%c: {x}):\n    %p = stablehlo.constant dense<false> : tensor<i1>\n    stablehlo.return %p : tensor<i1>\n  }}, {{\n'
                f"  ^bb0(%c: {x}):\n    stablehlo.return %a1 : {y}\n  }}) : ({x}) -> {out}")
    elif op == "if":
        line = (f'%p = stablehlo.constant dense<true> : tensor<i1>\n  %0 = "stablehlo.if"(%p) ({{\n    stablehlo.return %a0 : {x}\n  }}, {{\n    stablehlo.return %a1 : {y}\n  }}) : (tensor<i1>) -> {out}')
    else:
        line = f'%0 = "stablehlo.add"(%a0, %a1) : ({x}, {y}) -> {out}'
    return Case(op, function([x, y], line, [out]), args, allowed)


def gather(d):
    """Collapsed dims with slices of 0 and 1, operands without elements."""
    t, dims = d.type(), d.dims(1, 3)
    n, i = d.r.choice([0, 1, 3, 7]), d.r.choice(["i8", "i32", "i64", "ui8", "ui32"])
    sizes = [d.r.randint(0, min(1, dims[0]))] + [d.r.randint(0, s) for s in dims[1:]]
    w = d.written(dims)
    out = [n] + sizes[1:]
    result = d.twin(t)
    numbers = f"offset_dims = {list(range(1, len(dims)))}, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    types = [tensor(t, w), tensor(i, [n, 1])]
    text = function(types, f'%0 = "stablehlo.gather"(%a0, %a1) <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {ints(sizes)}}}> : ({", ".join(types)}) -> {tensor(result, out)}',
                    [tensor(result, out)])
    empty = dims[0] == 0 and 0 not in out  # slices of no elements
    at_run = r"elements in the collapsed dim|stablehlo.gather: dim 0 of operand 0 \(\w+\) is 0, expected at least 1" if empty and w[0] == "?" and t == result else None
    return Case("gather", text, [(t, dims), (i, [n, 1])], t == result and not empty, index_max={1: 20}, at_run=at_run)


MAKERS = [reduce, reduce, reduce_window, scatter, scatter, select_and_scatter, collective, dot_general, dot_general, convolution, sort, mapped, scan, moves, moves, gather]


def case(seed):
    d = Draw(seed)
    return d.r.choice(MAKERS)(d)
