# SPDX-License-Identifier: Apache-2.0
"""Reductions on the device that every machine has: of all, outer, middle and two-sided dims, every element type that kernels have."""
import itertools

import ml_dtypes
import numpy as np
import pytest
from error_model import EXACT, Bound, assert_within

import heddle as hd

pytestmark = pytest.mark.usefixtures("compiler")
TYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "i8": np.int8, "ui8": np.uint8, "i32": np.int32, "i64": np.int64, "i1": np.bool_}
OPS = {"add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min, "or": np.bitwise_or.reduce, "and": np.bitwise_and.reduce}


def program(rank, dims, e, op, sizes=None):
    of = "x".join("?" if sizes is None else str(n) for n in (sizes or [0] * rank)) + "x" + e
    kept = "".join(("?" if sizes is None else str(sizes[d])) + "x" for d in range(rank) if d not in dims) + e
    return f"""func.func @main(%x: tensor<{of}>, %i: tensor<{e}>) -> tensor<{kept}> {{
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = {list(dims)} : (tensor<{of}>, tensor<{e}>) -> tensor<{kept}>
  return %0 : tensor<{kept}>
}}
"""


def numbers(rng, shape, e, op):
    if e == "i1": return rng.integers(0, 2, shape).astype(bool)
    if op == "multiply": return (rng.choice([1.0, -1.0, 2.0, 0.5], shape, p=[0.49, 0.49, 0.01, 0.01]) if "f" in e else rng.choice([1, 3], shape)).astype(TYPES[e])
    return rng.integers(-3 if e[0] != "u" else 0, 4, shape).astype(TYPES[e])


def expected(x, dims, e, op, start):
    if e == "i1": wide, fold = x, {"add": np.any, "multiply": np.all, "or": np.any, "and": np.all}.get(op)
    else: wide, fold = x.astype(np.float64 if "f" in e else x.dtype), OPS[op]
    out = fold(wide, axis=dims) if e == "i1" or op not in ("maximum", "minimum") else fold(wide, axis=dims, initial=float(start) if "f" in e else start)
    if op == "add": out = out + start if e != "i1" else out | start
    if op == "multiply": out = out * start if e != "i1" else out & start
    if op in ("or", "and"): out = OPS[op]([out, np.broadcast_to(start, out.shape)], axis=0)
    return np.asarray(out).astype(TYPES[e])


SHAPES = [((5,), (0,)), ((70001,), (0,)), ((0,), (0,)), ((300, 7), (0,)), ((300, 70), (0,)), ((1, 33), (0,)), ((0, 5), (0,)), ((40, 0), (0,)), ((9000, 3), (0,)), ((3, 70000), (1,)),
          ((3, 50, 37), (1,)), ((2, 40, 1), (1,)), ((4, 5, 6, 7), (0, 2, 3)), ((3, 20, 2, 9), (1, 2)), ((17, 3, 19, 5), (0, 2)), ((600, 40), (0, 1))]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("e", TYPES)
def test_values(e, dynamic):
    rng = np.random.default_rng(3)
    ops = ["add", "multiply", "or", "and"] if e == "i1" else ["add", "multiply", "maximum"] + ([] if "f" in e else ["or"])
    done = {}
    for op in ops:
        for shape, dims in SHAPES:
            key = (len(shape), dims, op)
            if not dynamic or key not in done: done[key] = hd.compile(program(len(shape), dims, e, op, None if dynamic else shape), target="simt")
            x, start = numbers(rng, shape, e, op), np.array(1, TYPES[e])
            got, want = done[key](x, start), expected(x, dims, e, op, start)
            # Each number is one of the type, and so is every sum on the way in f32: what is left is a rounding, and one between two kernels.
            narrow = e in ("f16", "bf16")
            assert_within(got, want, Bound(ulps=1) if narrow else EXACT, context=f"{op} {shape} {dims}")


ARGMAX = """func.func @main(%x: tensor<?x?x{e}>) -> (tensor<?x{e}>, tensor<?xi32>) {{
  %n = stablehlo.constant dense<{least}> : tensor<{e}>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = shape.shape_of %x : tensor<?x?x{e}> -> tensor<2xindex>
  %i = stablehlo.dynamic_iota %s, dim = {d} : (tensor<2xindex>) -> tensor<?x?xi32>
  %0:2 = stablehlo.reduce(%x init: %n), (%i init: %z) across dimensions = [{d}] : (tensor<?x?x{e}>, tensor<?x?xi32>, tensor<{e}>, tensor<i32>) -> (tensor<?x{e}>, tensor<?xi32>)
    reducer(%a: tensor<{e}>, %b: tensor<{e}>) (%p: tensor<i32>, %q: tensor<i32>) {{
    %1 = stablehlo.compare GE, %a, %b : (tensor<{e}>, tensor<{e}>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<{e}>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<{e}>, tensor<i32>
  }}
  return %0#0, %0#1 : tensor<?x{e}>, tensor<?xi32>
}}
"""


@pytest.mark.parametrize("d", [0, 1])
@pytest.mark.parametrize("e, least", [("f32", "0xFF800000"), ("bf16", "0xFF80"), ("i32", -2147483648)])
def test_argmax(e, least, d):
    """Of equal elements the first one, in both directions: parts keep their order."""
    f = hd.compile(ARGMAX.format(e=e, least=least, d=d), target="simt")
    rng = np.random.default_rng(4)
    for shape in ((1, 1), (7, 3), (3, 7), (1000, 40), (257, 33), (2, 5000), (0, 4)):
        x = rng.integers(-4, 5, shape).astype(TYPES[e])
        if shape[d] == 0: continue
        most, at = f(x)
        np.testing.assert_array_equal(np.asarray(most).astype(np.float64), x.astype(np.float64).max(d))
        np.testing.assert_array_equal(at, x.astype(np.float64).argmax(d))


def test_order():
    """A reducer that is no more than associative (the first of what is not 0), over columns in parts."""
    e = "tensor<i32>"
    f = hd.compile(f"""func.func @main(%x: tensor<?x?xi32>, %i: {e}) -> tensor<?xi32> {{
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<?x?xi32>, {e}) -> tensor<?xi32>
    reducer(%a: {e}, %b: {e}) {{
    %z = stablehlo.constant dense<0> : {e}
    %1 = stablehlo.compare NE, %a, %z : ({e}, {e}) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, {e}
    stablehlo.return %2 : {e}
  }}
  return %0 : tensor<?xi32>
}}
""", target="simt")
    rng = np.random.default_rng(5)
    for shape in ((3000, 5), (900, 40), (0, 3), (1, 1)):
        x = rng.integers(1, 100, shape).astype(np.int32) * (rng.random(shape) < 0.002)
        for start in (0, 7):
            want = [start or next((v for v in column if v), 0) for column in x.T]
            np.testing.assert_array_equal(f(x, np.int32(start)), want)


def test_deterministic(heddle, tmp_path):
    """Parts of a sum come together by atomics, and by a second kernel where the order may not change the result."""
    (tmp_path / "sum.mlir").write_text(program(2, (0,), "f32", "add"))
    for options, atomic in (([], True), (["--deterministic"], False)):
        heddle("compile", tmp_path / "sum.mlir", "--target=cuda", *options, "--no-cache", "--emit-ptx", tmp_path / "sum.ptx", "-o", tmp_path / "sum.hdl", check=True)
        ptx = (tmp_path / "sum.ptx").read_text()
        assert (".red." in ptx or "red.global" in ptx or "atom.global" in ptx) == atomic


def several(sizes, known, reductions):
    """A program of all |reductions|, (op, dims) each, of one tensor, with one initial value."""
    def tensor(of): return "tensor<" + "".join((str(n) if known else "?") + "x" for n in of) + "f32>"
    kept = [tensor([n for d, n in enumerate(sizes) if d not in dims]) for _, dims in reductions]
    body = "".join(f"  %{k} = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = {list(dims)} : ({tensor(sizes)}, tensor<f32>) -> {kept[k]}\n"
                   for k, (op, dims) in enumerate(reductions))
    return (f"func.func @main(%x: {tensor(sizes)}) -> ({', '.join(kept)}) {{\n  %c = stablehlo.constant dense<0.0> : tensor<f32>\n{body}"
            f"  return {', '.join(f'%{k}' for k in range(len(kept)))} : {', '.join(kept)}\n}}\n")


@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_of_the_same_elements(known, deterministic):
    """Reductions of one tensor over any two sets of its dims, which are one kernel or two: guarded finds what nobody wrote."""
    sizes, sets = (5, 3, 7), [dims for count in (1, 2, 3) for dims in itertools.combinations(range(3), count)]
    x = np.random.default_rng(6).integers(-4, 5, sizes).astype(np.float32)
    for one, other in itertools.product(sets, sets):
        reductions = [("add", one), ("maximum", other)]
        f = hd.compile(several(sizes, known, reductions), target="simt", driver="guarded", deterministic=deterministic)
        for got, want in zip(f(x), (x.sum(one), x.max(other, initial=0)), strict=True): np.testing.assert_array_equal(got, want, err_msg=str(reductions))
