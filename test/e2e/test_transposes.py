# SPDX-License-Identifier: Apache-2.0
"""Transposes through squares: registers of the CPU, shared memory of the device that every machine has; beside what reads their operand and
their result."""
import ml_dtypes
import numpy as np
import pytest

import heddle as hd
from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
TYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "f16": np.float16, "i32": np.int32, "i1": np.bool_, "complex<f32>": np.complex64, "complex<f64>": np.complex128}
# Whole tiles, parts of them, sizes for which there are none, other dims outside and between, dims that stay in place.
SHAPES = [((64, 32), (1, 0)), ((17, 16), (1, 0)), ((100, 33), (1, 0)), ((2, 50), (1, 0)), ((0, 40), (1, 0)), ((130, 71), (1, 0)), ((3, 33, 40), (0, 2, 1)), ((33, 3, 40), (2, 1, 0)), ((40, 20, 3), (1, 0, 2)),
          ((20, 3, 5, 31), (3, 1, 0, 2)), ((2, 24, 5, 7), (0, 2, 3, 1)), ((2, 5, 7, 24), (0, 3, 1, 2)), ((2, 8, 8, 32), (0, 3, 1, 2)),
          # Rows that stay rows, of several runs, and shorter than a vector.
          ((2, 9, 8, 64), (0, 2, 1, 3)), ((2, 3, 5, 2, 2, 16), (0, 1, 3, 2, 4, 5)), ((2, 4, 2, 4, 2, 3), (0, 1, 3, 2, 4, 5))]


def text(shape, e, dynamic): return "tensor<" + "".join(("?" if dynamic else str(n)) + "x" for n in shape) + e + ">"


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("e", TYPES)
def test_values(e, dynamic, target):
    rng, done = np.random.default_rng(1), {}
    for shape, order in SHAPES:
        a, b = text(shape, e, dynamic), text([shape[d] for d in order], e, dynamic)
        if not dynamic or order not in done:
            done[order] = hd.compile(f"func.func @main(%x: {a}) -> {b} {{\n  %y = stablehlo.transpose %x, dims = {list(order)} : ({a}) -> {b}\n  return %y : {b}\n}}\n", target=target)
        x = rng.integers(0, 2 if e == "i1" else 100, shape).astype(TYPES[e])
        if np.iscomplexobj(x): x = (x + 1j * rng.integers(0, 100, shape)).astype(TYPES[e])
        np.testing.assert_array_equal(np.asarray(done[order](x)), np.transpose(x, order), err_msg=f"{shape} {order}")


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("dynamic", [False, True])
def test_rows_in_parts(dynamic, threads):
    """Threads begin and end within a run of rows, whose loop is inside of those over the dims around it."""
    for shape, order in (((2, 301, 8, 64), (0, 2, 1, 3)), ((3, 100, 7, 80), (2, 0, 1, 3)), ((5, 1, 900, 3, 16), (0, 1, 3, 2, 4))):
        a, b = text(shape, "f32", dynamic), text([shape[d] for d in order], "f32", dynamic)
        program = f"func.func @main(%x: {a}) -> {b} {{\n  %y = stablehlo.transpose %x, dims = {list(order)} : ({a}) -> {b}\n  return %y : {b}\n}}\n"
        run = Runtime(threads=threads).load(compile_program(program.encode()))
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        np.testing.assert_array_equal(run(x)[0], np.transpose(x, order), err_msg=f"{shape} {order}")


def test_complex_rows():
    """Stores of both parts side by side, of whole vectors and of what is left of a row."""
    c = "tensor<?x?xcomplex<f32>>"
    run = hd.compile(f"func.func @main(%x: {c}, %y: {c}) -> {c} {{\n  %0 = stablehlo.multiply %x, %y : {c}\n  return %0 : {c}\n}}\n")
    rng = np.random.default_rng(3)
    for shape in ((3, 5), (2, 16), (7, 37), (1, 100)):
        x, y = ((rng.integers(-9, 9, shape) + 1j * rng.integers(-9, 9, shape)).astype(np.complex64) for _ in range(2))
        np.testing.assert_array_equal(np.asarray(run(x, y)), x * y)


FUSED = """func.func @main(%x: {a}, %y: {a}, %z: {b}) -> ({b}, {b}) {{
  %0 = stablehlo.multiply %x, %y : {a}
  %1 = stablehlo.transpose %0, dims = {order} : ({a}) -> {b}
  %2 = stablehlo.transpose %x, dims = {order} : ({a}) -> {b}
  %3 = stablehlo.add %1, %z : {b}
  %4 = stablehlo.subtract %3, %2 : {b}
  return %3, %4 : {b}, {b}
}}
"""


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_fused(dynamic, target):
    """Two transposes of one kernel, of what it computes and of an argument, and two results of which one reads the other."""
    rng, done = np.random.default_rng(2), {}
    for shape, order in SHAPES:
        b = [shape[d] for d in order]
        if not dynamic or order not in done:
            done[order] = hd.compile(FUSED.format(a=text(shape, "f32", dynamic), b=text(b, "f32", dynamic), order=list(order)), target=target)
        x, y, z = (rng.integers(-9, 9, s).astype(np.float32) for s in (shape, shape, b))
        first, second = done[order](x, y, z)
        np.testing.assert_array_equal(first, np.transpose(x * y, order) + z)
        np.testing.assert_array_equal(second, np.transpose(x * y, order) + z - np.transpose(x, order))


INDICES = {
    # What reads a transpose, or what is computed from it, at other indices than the result's.
    "reversed_after": """func.func @main(%x: {a}, %y: {b}) -> {b} {{
  %0 = stablehlo.transpose %x, dims = [1, 0] : ({a}) -> {b}
  %1 = stablehlo.reverse %0, dims = [1] : {b}
  %2 = stablehlo.add %1, %y : {b}
  return %2 : {b}
}}
""",
    "both_ways": """func.func @main(%x: {a}, %y: {b}) -> {b} {{
  %0 = stablehlo.transpose %x, dims = [1, 0] : ({a}) -> {b}
  %1 = stablehlo.reverse %0, dims = [0] : {b}
  %2 = stablehlo.add %0, %y : {b}
  %3 = stablehlo.multiply %1, %2 : {b}
  return %3 : {b}
}}
""",
    "computed_then_reversed": """func.func @main(%x: {a}, %y: {b}) -> {b} {{
  %0 = stablehlo.transpose %x, dims = [1, 0] : ({a}) -> {b}
  %1 = stablehlo.negate %0 : {b}
  %2 = stablehlo.reverse %1, dims = [1] : {b}
  %3 = stablehlo.add %1, %y : {b}
  %4 = stablehlo.multiply %3, %2 : {b}
  return %4 : {b}
}}
""",
    "positions": """func.func @main(%x: {a}, %y: {b}) -> {b} {{
  %i = stablehlo.iota dim = 0 : {a}
  %j = stablehlo.iota dim = 1 : {a}
  %d = stablehlo.subtract %i, %j : {a}
  %0 = stablehlo.transpose %d, dims = [1, 0] : ({a}) -> {b}
  %c = stablehlo.constant dense<3> : {b}
  %1 = stablehlo.add %0, %c : {b}
  %2 = stablehlo.reverse %1, dims = [0, 1] : {b}
  %3 = stablehlo.add %1, %y : {b}
  %4 = stablehlo.multiply %3, %2 : {b}
  return %4 : {b}
}}
""",
    "reversed_before_and_after": """func.func @main(%x: {a}, %y: {b}) -> {b} {{
  %r = stablehlo.reverse %x, dims = [0] : {a}
  %0 = stablehlo.transpose %r, dims = [1, 0] : ({a}) -> {b}
  %1 = stablehlo.reverse %0, dims = [0] : {b}
  return %1 : {b}
}}
""",
}


def of_indices(name, x, y):
    t, d = x.T, np.subtract.outer(np.arange(x.shape[0]), np.arange(x.shape[1])).T + 3
    return {"reversed_after": lambda: t[:, ::-1] + y, "both_ways": lambda: t[::-1] * (t + y), "computed_then_reversed": lambda: (y - t) * -t[:, ::-1],
            "positions": lambda: (d + y) * d[::-1, ::-1], "reversed_before_and_after": lambda: x[::-1].T[::-1]}[name]()


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("name", INDICES)
def test_other_indices(name, target):
    rng = np.random.default_rng(3)
    for shape in ((20, 40), (64, 48), (33, 17)):
        f = hd.compile(INDICES[name].format(a=text(shape, "i32", False), b=text(shape[::-1], "i32", False)), target=target)
        x, y = (rng.integers(-9, 9, s).astype(np.int32) for s in (shape, shape[::-1]))
        np.testing.assert_array_equal(np.asarray(f(x, y)), of_indices(name, x, y), err_msg=f"{name} {shape}")
