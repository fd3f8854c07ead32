# SPDX-License-Identifier: Apache-2.0
"""Reductions to a scalar: the same bits for any number of threads, right at sizes with 0 and 1, from any initial value."""
import numpy as np
import pytest
from error_model import EXACT, assert_within, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

TEXT = """func.func @main(%x: tensor<?x?x{e}>, %i: tensor<{e}>) -> tensor<{e}> {{
  %0 = stablehlo.multiply %x, %x : tensor<?x?x{e}>
  %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.{op} across dimensions = [0, 1] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<{e}>
  return %1 : tensor<{e}>
}}
"""


@pytest.mark.parametrize("op, reference", [("add", np.sum), ("maximum", np.max), ("minimum", np.min)])
@pytest.mark.parametrize("e, dtype", [("f32", np.float32), ("i32", np.int32)])
def test_full_reduction(op, reference, e, dtype):
    artifact = compile_program(TEXT.format(e=e, op=op).encode())
    runs = [Runtime(threads=n).load(artifact) for n in (1, 2)]
    rng = np.random.default_rng(5)
    for shape in ((1000, 700), (1, 100000), (100000, 1), (0, 7), (7, 0), (1, 1), (3, 20)):
        x = rng.integers(-9, 10, shape).astype(dtype)
        start = np.array(3, dtype)
        one, two = (run(x, start)[0] for run in runs)
        assert one.tobytes() == two.tobytes()
        values = np.append((x * x).reshape(-1), start).astype(np.float64 if e == "f32" else np.int64)
        assert_within(one, reference(values), sums(values.size) if op == "add" else EXACT, values.sum(), f"{op} of {shape}")


LINE = """func.func @main(%x: tensor<?x{e}>, %i: tensor<{e}>) -> (tensor<{e}>, tensor<?x{e}>, tensor<{e}>) {{
  %0 = stablehlo.multiply %x, %x : tensor<?x{e}>
  %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.{op} across dimensions = [0] : (tensor<?x{e}>, tensor<{e}>) -> tensor<{e}>
  %2 = stablehlo.reduce(%x init: %i) applies stablehlo.{op} across dimensions = [0] : (tensor<?x{e}>, tensor<{e}>) -> tensor<{e}>
  return %1, %0, %2 : tensor<{e}>, tensor<?x{e}>, tensor<{e}>
}}
"""


@pytest.mark.parametrize("e, dtype, op, reference", [("f32", np.float32, "add", np.sum), ("f32", np.float32, "maximum", np.max), ("i32", np.int32, "add", np.sum),
                                                     ("i32", np.int32, "xor", np.bitwise_xor.reduce)])
def test_line(e, dtype, op, reference):
    """A line is divided into blocks, whose sums are joined; two reductions share the walk with what they read."""
    artifact = compile_program(LINE.format(e=e, op=op).encode())
    runs = [Runtime(threads=n).load(artifact) for n in (1, 2)]
    for size in (0, 1, 15, 63, 64, 65, 1009, 32767, 32768, 100003):
        x = np.random.default_rng(size).integers(-9, 10, size).astype(dtype)
        start = np.array(3, dtype)
        one, two = (run(x, start) for run in runs)
        for a, b in zip(one, two): assert a.tobytes() == b.tobytes()
        np.testing.assert_array_equal(one[1], x * x)
        for got, values in ((one[0], x * x), (one[2], x)):
            values = np.append(values, start)
            exact = sums(values.size) if op == "add" and e == "f32" else EXACT
            assert_within(got, reference(values.astype(np.float64) if exact is not EXACT else values), exact, np.abs(values).sum(), f"{op} of {size}")


def test_line_is_divided():
    """Long lines run on several threads, whatever is fused with them; short ones known at compile time are rows."""
    assert b"column" in compile_program(LINE.format(e="f32", op="add").encode())
    assert b"column" not in compile_program(LINE.format(e="f32", op="add").replace("?x", "100x").encode())


@pytest.mark.parametrize("dims, tensor", [("[1]", "tensor<?x{e}>"), ("[0, 1]", "tensor<{e}>")])
@pytest.mark.parametrize("e, dtype", [("f32", np.float32), ("f64", np.float64)])
def test_sums_of_products_on_every_cpu(runs_on_cpu, e, dtype, dims, tensor):
    """Which products are rounded with their sum follows from the program: not from how a machine adds under the mask that ends a row."""
    runs_on_cpu("x86-64-v4")
    text = TEXT.replace("dimensions = [0, 1]", f"dimensions = {dims}").replace("-> tensor<{e}>", f"-> {tensor}").replace("return %1 : tensor<{e}>", f"return %1 : {tensor}")
    runs = [Runtime(threads=1).load(compile_program(text.format(e=e, op="add").encode(), mcpu=[mcpu])) for mcpu in ("x86-64-v4", "x86-64-v3")]
    for n in (1, 5, 16, 17, 20, 31, 33, 40, 100, 1001):
        x = np.random.default_rng(n).standard_normal((9, n)).astype(dtype)
        one, two = (run(x, np.array(0, dtype))[0] for run in runs)
        assert one.tobytes() == two.tobytes(), n
