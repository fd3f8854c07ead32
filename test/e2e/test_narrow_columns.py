# SPDX-License-Identifier: Apache-2.0
"""Reductions down rows that are known to be shorter than a vector: groups of rows side by side, what is left of them, what goes along in the
kernel, at every number of rows around the groups."""
import ml_dtypes
import numpy as np
import pytest
from error_model import assert_within, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

CPUS = ("native", "x86-64-v3")
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32}
ROWS = (0, 1, 2, 17, 31, 32, 33, 64, 65, 127, 131, 5003, 30_011)
# dims, of which those named n and m are not known, and the reduced ones
FORMS = {"pairs": (("n", 2), (0,)), "points": (("n", 3), (0,)), "five": (("n", 5), (0,)), "eight": (("n", 8), (0,)), "fifteen": (("n", 15), (0,)), "sixteen": (("n", 16), (0,)),
         "matrices": (("n", 2, 3), (0,)), "ones": (("n", 3, 1), (0,)), "inside": (("m", "n", 3), (1,)), "image": (("m", "n", 3), (0, 1)), "one": (("n", 1), (0,))}


def text_of(dims, reduced, name, op="add", init="3"):
    wide = "x".join([str(d) if isinstance(d, int) else "?" for d in dims] + [name])
    kept = "x".join([str(d) if isinstance(d, int) else "?" for i, d in enumerate(dims) if i not in reduced] + [name])
    return f"""func.func @main(%x: tensor<{wide}>) -> tensor<{kept}> {{
  %c = stablehlo.constant dense<{init}> : tensor<{name}>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = {list(reduced)} : (tensor<{wide}>, tensor<{name}>) -> tensor<{kept}>
  return %0 : tensor<{kept}>
}}"""


def compiled(text, cpu): return compile_program(text.encode(), mcpu=[cpu])


def shape_of(dims, n): return tuple({"n": n, "m": 2}.get(d, d) for d in dims)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("form", FORMS)
def test_sums(form, name, cpu):
    dims, reduced = FORMS[form]
    integer = np.issubdtype(TYPES[name], np.integer)
    run = Runtime(threads=2).load(compiled(text_of(dims, reduced, name, init="3" if integer else "3.0"), cpu))
    for n in ROWS:
        x = np.random.default_rng(n).integers(-1, 2, shape_of(dims, n)).astype(TYPES[name])
        want = x.astype(np.int64).sum(reduced) + 3
        np.testing.assert_array_equal(run(x)[0].astype(np.float64), want.astype(TYPES[name]).astype(np.float64))


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("op, numpy_op, init", [("maximum", np.max, "0xFF800000"), ("minimum", np.min, "0x7F800000"), ("multiply", np.prod, "1.0")])
def test_what_is_special_goes_on(op, numpy_op, init, cpu):
    run = Runtime(threads=2).load(compiled(text_of(("n", 3), (0,), "f32", op, init), cpu))
    for n in (1, 32, 97, 5003):
        for value in (np.nan, np.inf, -np.inf, -0.0):
            x = np.random.default_rng(2).choice(np.array([-1, 1, 1], np.float32), (n, 3))
            x[n // 2, 1] = value
            with np.errstate(invalid="ignore"): np.testing.assert_array_equal(run(x)[0], numpy_op(x, axis=0))


def test_a_sum_of_negative_zeros_is_one():
    run = Runtime(threads=2).load(compiled(text_of(("n", 3), (0,), "f32", init="-0.0"), "native"))
    for n in (0, 1, 32, 100, 30_011): np.testing.assert_array_equal(np.signbit(run(np.full((n, 3), -0.0, np.float32))[0]), True)


@pytest.mark.parametrize("form", ["points", "fifteen", "inside", "image"])
def test_bits_do_not_depend_on_threads_or_vectors(form):
    dims, reduced = FORMS[form]
    x = np.random.default_rng(5).standard_normal(shape_of(dims, 300_007)).astype(np.float32)
    made = [Runtime(threads=t).load(compiled(text_of(dims, reduced, "f32", init="0.0"), cpu))(x)[0] for cpu in CPUS for t in (1, 2, 3)]
    for other in made[1:]: np.testing.assert_array_equal(made[0].view(np.int32), other.view(np.int32))
    wide = x.astype(np.float64)
    assert_within(made[0], wide.sum(reduced), sums(x.size // made[0].size), np.abs(wide).sum(reduced))


def along(n, name):
    """Distances from a point: its broadcast is read by lanes, the differences are a result too, and three reductions go together."""
    wide, row = f"tensor<?x{n}x{name}>", f"tensor<{n}x{name}>"
    return f"""func.func @main(%x: {wide}, %p: {row}) -> ({wide}, {row}, {row}, {row}) {{
  %c = stablehlo.constant dense<0.0> : tensor<{name}>
  %low = stablehlo.constant dense<-100.0> : tensor<{name}>
  %s = shape.shape_of %x : {wide} -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %p, %s, dims = [1] : ({row}, tensor<2xindex>) -> {wide}
  %d = stablehlo.subtract %x, %b : {wide}
  %q = stablehlo.multiply %d, %d : {wide}
  %0 = stablehlo.reduce(%d init: %c) applies stablehlo.add across dimensions = [0] : ({wide}, tensor<{name}>) -> {row}
  %1 = stablehlo.reduce(%q init: %c) applies stablehlo.add across dimensions = [0] : ({wide}, tensor<{name}>) -> {row}
  %2 = stablehlo.reduce(%d init: %low) applies stablehlo.maximum across dimensions = [0] : ({wide}, tensor<{name}>) -> {row}
  return %d, %0, %1, %2 : {wide}, {row}, {row}, {row}
}}"""


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("n, name", [(3, "f32"), (7, "f32"), (15, "f64"), (4, "f64"), (3, "bf16")])
def test_several_and_what_makes_them(n, name, cpu):
    run = Runtime(threads=2).load(compiled(along(n, name), cpu))
    for rows in ROWS[1:11]:
        x, p = np.random.default_rng(4).integers(-1, 2, (rows, n)), np.arange(n) % 3
        d = x - p
        for got, want in zip(run(x.astype(TYPES[name]), p.astype(TYPES[name])), (d, d.sum(0), (d * d).sum(0), d.max(0))):
            np.testing.assert_array_equal(got.astype(np.float64), want.astype(TYPES[name]).astype(np.float64))
