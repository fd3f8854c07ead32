# SPDX-License-Identifier: Apache-2.0
"""Reductions, windows and scans of floats below f32, long enough that sums which round at each step stand still: without excess
precision code gives the evaluator's bits, with it the f32 sums, rounded once, of an evaluator that carries them (docs/numerics.md)."""
from error_model import Bound
from special_case import Case, kind, numbers, shape_text

BODIES = {"sum": "%s = stablehlo.add %a, %b : tensor<T>",
          "squares": "%m = stablehlo.multiply %b, %b : tensor<T>\n    %s = stablehlo.add %a, %m : tensor<T>",
          "scaled": "%h = stablehlo.constant dense<0.75> : tensor<T>\n    %m = stablehlo.multiply %h, %b : tensor<T>\n    %s = stablehlo.add %m, %a : tensor<T>",
          "through f32": "%p = stablehlo.convert %a : (tensor<T>) -> tensor<f32>\n    %q = stablehlo.convert %b : (tensor<T>) -> tensor<f32>\n"
                         "    %r = stablehlo.add %p, %q : tensor<f32>\n    %s = stablehlo.convert %r : (tensor<f32>) -> tensor<T>",
          "largest": "%s = stablehlo.maximum %a, %b : tensor<T>",
          "product": "%s = stablehlo.multiply %a, %b : tensor<T>"}
ASSOCIATIVE = ("sum", "largest", "product")


def region(body, t, pairs=1):
    code = BODIES[body].replace("tensor<T>", f"tensor<{t}>")
    return f"^bb0(%a: tensor<{t}>, %b: tensor<{t}>):\n    {code}\n    stablehlo.return {', '.join(['%s'] * pairs)} : {', '.join([f'tensor<{t}>'] * pairs)}\n  "


def long(r): return r.choice([0, 1, 2, 7, 16, 17, 300, 1021, 3000])


def reduction(r):
    dims = [r.choice([1, 3, 8, 33]) for _ in range(r.randint(0, 2))]
    axis = r.randint(0, len(dims))
    dims.insert(axis, n := long(r))
    axes = sorted({axis} | {d for d in range(len(dims)) if r.random() < 0.2})
    out = [size for d, size in enumerate(dims) if d not in axes]

    def text(t, body, unknown):
        X, R = shape_text(dims, t, unknown), shape_text(out, t, unknown)
        return X, R, f'%r = "stablehlo.reduce"(%y, %z) <{{dimensions = array<i64: {", ".join(map(str, axes))}>}}> ({{\n  {region(body, t)}}}) : ({X}, tensor<{t}>) -> {R}'
    return dims, n, text, list(BODIES)


def windows(r):
    dims, n, step = [r.choice([1, 3]), r.choice([300, 1021])], r.choice([1, 16, 100, 300]), r.choice([1, 7, 300])

    def text(t, body, unknown):
        X, R = shape_text(dims, t), shape_text([dims[0], (dims[1] - n) // step + 1], t)
        return X, R, (f'%r = "stablehlo.reduce_window"(%y, %z) <{{window_dimensions = array<i64: 1, {n}>, window_strides = array<i64: 1, {step}>}}> '
                      f"({{\n  {region(body, t)}}}) : ({X}, tensor<{t}>) -> {R}")
    return dims, n, text, list(BODIES)


def running(r):
    """A window that is a scan."""
    dims, n = [r.choice([1, 3, 70]), r.choice([16, 17, 300, 1021])], 0
    axis = r.choice([0, 1])
    if axis == 0: dims.reverse()
    n = dims[axis]
    window, pads = [1, 1], [[0, 0], [0, 0]]
    window[axis], pads[axis] = n, [n - 1, 0]

    def text(t, body, unknown):
        X = shape_text(dims, t)
        return X, X, (f'%r = "stablehlo.reduce_window"(%y, %z) <{{padding = dense<{pads}> : tensor<2x2xi64>, window_dimensions = array<i64: {window[0]}, {window[1]}>}}> '
                      f"({{\n  {region(body, t)}}}) : ({X}, tensor<{t}>) -> {X}")
    return dims, n, text, ["sum", "largest", "through f32"]


def scan(r):
    dims, reverse = [long(r)], r.choice(["true", "false"])

    def text(t, body, unknown):
        X = shape_text(dims, t, unknown)
        return X, X, (f'%r, %carry = "chlo.scan"(%y, %z) <{{dimension = 0 : i64, is_associative = true, is_reverse = {reverse}, operandSegmentSizes = array<i32: 1, 1>, '
                      f"resultSegmentSizes = array<i32: 1, 1>}}> ({{\n  {region(body, t, 2)}}}) : ({X}, tensor<{t}>) -> ({X}, tensor<{t}>)")
    return dims, dims[0], text, list(ASSOCIATIVE)


@kind
def narrow_sums(r):
    t, excess, unknown = r.choice(["bf16", "f16", "f8E5M2", "f8E4M3FN"]), r.random() < 0.4, r.random() < 0.4
    dims, n, form, bodies = r.choice([reduction, reduction, windows, running, scan])(r)
    if form.__qualname__.startswith("windows") and n > 100: excess = False  # long ones round at each doubling
    body = r.choice([b for b in bodies if (b != "product" or n <= 17) and not (excess and b == "through f32")])
    produced = not excess and r.random() < 0.5  # a chain before it is more exact, too, with excess precision
    start = 1.0 if body == "product" else -40.0 if body == "largest" else 0.0

    def text(t):
        X, R, op = form(t, body, unknown)
        chain = f"%y = stablehlo.multiply %x, %x : {X}" if produced else f"%y = stablehlo.optimization_barrier %x : {X}"
        return (f"func.func @main(%x: {X}) -> {R} {{\n  {chain}\n  %z = stablehlo.constant dense<{start}> : tensor<{t}>\n  {op}\n  return %r : {R}\n}}\n")
    x = abs(numbers(r, t, dims, special=False)) if r.random() < 0.7 else numbers(r, t, dims, special=False)
    if t == "f8E4M3FN": x = (x / 8).astype(x.dtype)  # no infinity: sums stay below 448 or are NaN in any order
    if not excess: return Case(text(t), [x])
    return Case(text(t), [x], bound=Bound(ulps=1, terms=2 * n + 2), wide=text("f64"), excess=True)
