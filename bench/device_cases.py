# SPDX-License-Identifier: Apache-2.0
"""The kernels that bench/device.py measures: each as a program with unknown dims and as one with known dims, as functions of jax.numpy and of torch, and in
numpy, which says what is right. All work on two dims; floats below f32 are widened at the start and rounded at the end, as users write it."""
import ml_dtypes
import numpy as np

ELEMENTS = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}
TOLERANCE = {"f32": 2e-5, "bf16": 2e-2}  # of an error, by the largest magnitude of the output
ROWS_CHECKED = 64


class Program:
    """A function of one block in StableHLO text. Dims are numbers, or None where unknown."""

    def __init__(self, element, dims): self.element, self.dims, self.lines, self.count, self.shape = element, dims, [], 0, None

    def type(self, dims=None, element="f32"):
        return f"tensor<{''.join(f'{d or chr(63)}x' for d in (self.dims if dims is None else dims))}{element}>"

    def op(self, text):
        self.count += 1
        self.lines.append(f"  %{self.count} = {text}")
        return f"%{self.count}"

    def widen(self, x, dims=None): return x if self.element == "f32" else self.op(f"stablehlo.convert {x} : ({self.type(dims, self.element)}) -> {self.type(dims)}")
    def narrow(self, x, dims): return x if self.element == "f32" else self.op(f"stablehlo.convert {x} : ({self.type(dims)}) -> {self.type(dims, self.element)}")
    def constant(self, value): return self.op(f"stablehlo.constant dense<{value if isinstance(value, str) else f'{value:.9e}'}> : tensor<f32>")
    def apply(self, name, *xs, dims=None): return self.op(f"stablehlo.{name} {', '.join(xs)} : {self.type(dims)}")

    def sizes(self):
        """Of %x, as the shape operand of a broadcast."""
        if self.shape: return self.shape
        parts = []
        for i in range(2):
            size = self.op(f'"stablehlo.get_dimension_size"(%x) {{dimension = {i} : i64}} : ({self.type(element=self.element)}) -> tensor<i32>')
            parts.append(self.op(f"stablehlo.reshape {size} : (tensor<i32>) -> tensor<1xi32>"))
        self.shape = self.op(f"stablehlo.concatenate {', '.join(parts)}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>")
        return self.shape

    def spread(self, x, along):
        """|x|, whose dims are the dims |along| of %x, over all of its dims."""
        source = self.type([self.dims[i] for i in along])
        if None in self.dims:
            return self.op(f"stablehlo.dynamic_broadcast_in_dim {x}, {self.sizes()}, dims = {list(along)} : ({source}, tensor<2xi32>) -> {self.type()}")
        return self.op(f"stablehlo.broadcast_in_dim {x}, dims = {list(along)} : ({source}) -> {self.type()}")

    def number(self, value): return self.spread(self.constant(value), ())

    def reduce(self, x, how, dims):
        start = self.constant("0xFF800000" if how == "maximum" else 0.0)
        left = [d for i, d in enumerate(self.dims) if i not in dims]
        return self.op(f"stablehlo.reduce({x} init: {start}) applies stablehlo.{how} across dimensions = {list(dims)} : ({self.type()}, tensor<f32>) -> {self.type(left)}")

    def text(self, arguments, result, dims):
        heads = ", ".join(f"%{name}: {self.type(of, self.element)}" for name, of in arguments)
        return f"func.func @main({heads}) -> {self.type(dims, self.element)} {{\n" + "\n".join(self.lines) + f"\n  return {result} : {self.type(dims, self.element)}\n}}\n"


def unary(p, make): return p.text([("x", p.dims)], p.narrow(make(p, p.widen("%x")), p.dims), p.dims)


def gelu_of(p, x):
    cube = p.apply("multiply", p.apply("multiply", x, x), x)
    inner = p.apply("multiply", p.number(0.7978845608), p.apply("add", x, p.apply("multiply", p.number(0.044715), cube)))
    return p.apply("multiply", x, p.apply("multiply", p.number(0.5), p.apply("add", p.number(1.0), p.apply("tanh", inner))))


def softmax_of(p, x):
    e = p.apply("exponential", p.apply("subtract", x, p.spread(p.reduce(x, "maximum", (1,)), (0,))))
    return p.apply("divide", e, p.spread(p.reduce(e, "add", (1,)), (0,)))


def add(p): return p.text([("x", p.dims), ("y", p.dims)], p.narrow(p.apply("add", p.widen("%x"), p.widen("%y")), p.dims), p.dims)
def bias(p): return p.text([("x", p.dims), ("y", p.dims[1:])], p.narrow(p.apply("add", p.widen("%x"), p.spread(p.widen("%y", p.dims[1:]), (1,))), p.dims), p.dims)


def transpose(p):
    back = p.dims[::-1]
    return p.text([("x", p.dims)], p.op(f"stablehlo.transpose %x, dims = [1, 0] : ({p.type(element=p.element)}) -> {p.type(back, p.element)}"), back)


def sums(dims):
    def make(p):
        left = [d for i, d in enumerate(p.dims) if i not in dims]
        return p.text([("x", p.dims)], p.narrow(p.reduce(p.widen("%x"), "add", dims), left), left)
    return make


def layer_norm(p):
    x = p.widen("%x")
    size = p.op(f'"stablehlo.get_dimension_size"(%x) {{dimension = 1 : i64}} : ({p.type(element=p.element)}) -> tensor<i32>')
    size = p.op(f"stablehlo.convert {size} : (tensor<i32>) -> tensor<f32>")
    spread = lambda v: p.spread(v, (0,))  # noqa: E731
    mean = lambda v: p.apply("divide", spread(p.reduce(v, "add", (1,))), p.spread(size, ()))  # noqa: E731
    centred = p.apply("subtract", x, mean(x))
    scale = p.op(f"stablehlo.rsqrt {p.apply('add', mean(p.apply('multiply', centred, centred)), p.number(1e-5))} : {p.type()}")
    wide = [p.spread(p.widen(v, p.dims[1:]), (1,)) for v in ("%g", "%h")]
    out = p.apply("add", p.apply("multiply", p.apply("multiply", centred, scale), wide[0]), wide[1])
    return p.text([("x", p.dims), ("g", p.dims[1:]), ("h", p.dims[1:])], p.narrow(out, p.dims), p.dims)


def chain(steps):
    """|steps| kernels, each of which needs all that the one before it made."""
    def make(p):
        x = "%x"
        for i in range(steps): x = p.apply("subtract", x, p.spread(p.reduce(x, "maximum", (i % 2,)), (1 - i % 2,)))
        return p.text([("x", p.dims)], x, p.dims)
    return make


def np_gelu(x): return x * 0.5 * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))


def np_softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def np_layer_norm(x, g, h): return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * g + h


def jax_of(name):
    """The function on arrays of JAX."""
    import jax
    import jax.numpy as jnp

    def layer(x, g, h):
        mean = x.mean(1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(1, keepdims=True) + 1e-5) * g + h
    functions = {"add": jnp.add, "gelu": lambda x: jax.nn.gelu(x, approximate=True), "bias": jnp.add, "transpose": lambda x: x.T, "row_sum": lambda x: x.sum(1),
                 "column_sum": lambda x: x.sum(0), "sum": jnp.sum, "softmax": lambda x: jax.nn.softmax(x, 1), "layer_norm": layer}

    def wide(*xs):
        out = functions[name](*(x.astype(jnp.float32) for x in xs))
        return out.astype(xs[0].dtype)
    return functions[name] if name == "transpose" else wide


def torch_of(name):
    import torch
    import torch.nn.functional as F
    return {"add": torch.add, "gelu": lambda x: F.gelu(x, approximate="tanh"), "bias": torch.add, "transpose": lambda x: x.t().contiguous(), "row_sum": lambda x: x.sum(1),
            "column_sum": lambda x: x.sum(0), "sum": torch.sum, "softmax": lambda x: F.softmax(x, 1), "layer_norm": lambda x, g, h: F.layer_norm(x, x.shape[1:], g, h, 1e-5)}[name]


# name -> (program, numpy's, elements of a row, kinds of arguments, whether a row of the output follows from that row of the input alone)
KERNELS = {
    "add": (add, np.add, 4096, ("x", "x"), True),
    "gelu": (lambda p: unary(p, gelu_of), np_gelu, 4096, ("x",), True),
    "bias": (bias, np.add, 4096, ("x", "row"), True),
    "transpose": (transpose, lambda x: x.T, 4096, ("x",), False),
    "row_sum": (sums((1,)), lambda x: x.sum(1), 4096, ("x",), True),
    "column_sum": (sums((0,)), lambda x: x.sum(0), 4096, ("x",), False),
    "sum": (sums((0, 1)), np.sum, 4096, ("x",), False),
    "softmax": (lambda p: unary(p, softmax_of), np_softmax, 1024, ("x",), True),
    "layer_norm": (layer_norm, np_layer_norm, 768, ("x", "row", "row"), True),
}
CHAIN = 32
# Products of matrices (m, k) and (k, n), which are bound by arithmetic: they are given in TFLOP/s, by kernels of tiles and by the device's library.
PRODUCTS = [("f32", (4096, 4096, 4096)), ("bf16", (4096, 4096, 4096)), ("bf16", (8, 4096, 4096)), ("bf16", (512, 768, 3072))]
PRODUCTS_TINY = [("f32", (48, 40, 56)), ("bf16", (48, 40, 56))]


def product_program(element):
    m = f"tensor<?x?x{element}>"
    return f"func.func @main(%x: {m}, %y: {m}) -> {m} {{\n  %0 = stablehlo.dot %x, %y : ({m}, {m}) -> {m}\n  return %0 : {m}\n}}\n"


def product_arguments(element, mnk):
    rng = np.random.default_rng(3)
    m, n, k = mnk
    block = rng.standard_normal(2 ** 20 - 3, np.float32)
    return [np.resize(np.roll(block, start), shape).astype(ELEMENTS[element]) for start, shape in ((0, (m, k)), (77, (k, n)))]


def product_error(element, inputs, got):
    """Of some rows, by what a sum of so many terms may add up to."""
    x, y = inputs
    pick = np.random.default_rng(1).choice(x.shape[0], min(16, x.shape[0]), replace=False)
    got = np.asarray(got)
    if got.shape != (x.shape[0], y.shape[1]): return float("inf")
    want = x[pick].astype(np.float64) @ y.astype(np.float64)
    return float(np.nan_to_num(np.abs(got[pick].astype(np.float64) - want), nan=np.inf).max() / max(np.abs(want).max(), x.shape[1] ** 0.5))


def program(name, element, dims=(None, None)):
    make = chain(int(name[5:])) if name.startswith("chain") else KERNELS[name][0]
    return make(Program(element, dims))


def dims_of(name, element, bytes_of_x):
    """A little off a power of two, as sizes of the run are."""
    row = KERNELS[name][2]
    rows = bytes_of_x // (row * ELEMENTS[element].itemsize)
    return max(rows - rows % 16, 16), row


def arguments(name, element, dims):
    """Neither constant nor of a period that dims divide."""
    block = np.random.default_rng(7).standard_normal(min(2 ** 20 - 3, max(dims[0] * dims[1], 1)), np.float32)
    def fill(shape, start): return np.resize(np.roll(block, start), shape).astype(ELEMENTS[element])
    return [fill(dims if kind == "x" else dims[1:], 17 * i) for i, kind in enumerate(KERNELS[name][3])]


def traffic(name, element, dims):
    """Bytes that must be read and written."""
    out = {"row_sum": dims[0], "column_sum": dims[1], "sum": 1}.get(name, dims[0] * dims[1])
    return (sum(dims[0] * dims[1] if kind == "x" else dims[1] for kind in KERNELS[name][3]) + out) * ELEMENTS[element].itemsize


def error(name, element, inputs, got):
    """The largest error of |got| by the largest magnitude that is right, of some rows where rows are apart from each other. Of sums by what may add up."""
    _, reference, row, kinds, rows_apart = KERNELS[name]
    x, got = inputs[0], np.asarray(got)
    pick = np.random.default_rng(1).choice(x.shape[0], min(ROWS_CHECKED, x.shape[0]), replace=False) if rows_apart else slice(None)
    if name == "transpose":
        pick = np.random.default_rng(1).choice(x.shape[1], min(ROWS_CHECKED, x.shape[1]), replace=False)
        return float(not np.array_equal(got[pick], x.T[pick]))
    wide = [(v[pick] if kind == "x" and rows_apart else v).astype(np.float64) for v, kind in zip(inputs, kinds)]
    want = np.asarray(reference(*wide))
    got = got[pick].astype(np.float64) if rows_apart else got.astype(np.float64)
    if got.shape != want.shape: return float("inf")
    scale = np.abs(want).max()
    if name.endswith("sum"): scale = max(scale, float(np.sqrt(x.size / want.size)))
    return float(np.nan_to_num(np.abs(got - want), nan=np.inf).max() / max(scale, 1e-30))
