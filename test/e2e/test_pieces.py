# SPDX-License-Identifier: Apache-2.0
"""Concatenates and pads, whose loops are divided where an operand begins or ends: at sizes 0, 1, primes and around vectors, along every
dim, with what is computed before and after them, against numpy."""
import itertools

import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")
TYPES = [("f32", np.float32), ("ui8", np.uint8), ("i64", np.int64)]
CPUS = ("native", "x86-64-v3")


def loaded(text, cpu="native"): return Runtime(threads=2).load(compile_program(text.encode(), mcpu=[cpu]))


def array(dtype, shape, seed=0):
    x = np.random.default_rng(seed).integers(0, 200, shape).astype(dtype)
    if np.issubdtype(dtype, np.floating) and x.size: x.flat[0], x.flat[-1] = np.nan, -np.inf
    return x


def concatenate(element, rank, axis, count, body=""):
    shape = "x".join("?" * rank)
    t = f"tensor<{shape}x{element}>"
    names = ", ".join(f"%x{i}" for i in range(count))
    return (f"func.func @main({', '.join(f'%x{i}: {t}' for i in range(count))}) -> {t} {{\n"
            f"  %0 = stablehlo.concatenate {names}, dim = {axis} : ({', '.join([t] * count)}) -> {t}\n" + body.format(t=t) + f"  return %{'r' if body else '0'} : {t}\n}}")


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("element, dtype", TYPES)
@pytest.mark.parametrize("rank, axis", [(rank, axis) for rank in (1, 2, 3) for axis in range(rank)])
def test_concatenate(element, dtype, rank, axis, cpu):
    for count in (2, 3, 17):
        program = loaded(concatenate(element, rank, axis, count), cpu)
        for other, sizes in itertools.product(((1, 1), (3, 5), (2, 33), (0, 4)), ((1, 1, 1), (0, 5, 3), (16, 16, 16), (31, 1, 17), (2100, 0, 7))):
            x = []
            for i in range(count):
                shape = list(other)[: rank - 1]
                shape.insert(axis, sizes[i % 3])
                x.append(array(dtype, shape, i))
            np.testing.assert_array_equal(program(*x)[0], np.concatenate(x, axis))


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("element, dtype", TYPES)
@pytest.mark.parametrize("width", (1, 3, 15, 16, 17, 33, 40, 47, 48))
def test_rows_of_known_width(width, element, dtype, cpu):
    """Stacked, and with rows around them: known rows that are no whole vectors, which pieces take before groups of rows do."""
    x, y, r = f"tensor<?x1x{width}x{element}>", f"tensor<?x{width}x{element}>", f"tensor<?x3x{width}x{element}>"
    reshaped = "".join(f"""  %n{k} = stablehlo.get_dimension_size %{k}, dim = 0 : ({y}) -> tensor<i32>
  %m{k} = stablehlo.reshape %n{k} : (tensor<i32>) -> tensor<1xi32>
  %s{k} = stablehlo.concatenate %m{k}, %row, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %r{k} = stablehlo.dynamic_reshape %{k}, %s{k} : ({y}, tensor<3xi32>) -> {x}
""" for k in "abc")
    program = loaded(f"""func.func @main(%a: {y}, %b: {y}, %c: {y}, %v: tensor<{element}>) -> ({r}, {y}) {{
  %row = stablehlo.constant dense<[1, {width}]> : tensor<2xi32>
{reshaped}  %0 = stablehlo.concatenate %ra, %rb, %rc, dim = 1 : ({x}, {x}, {x}) -> {r}
  %1 = stablehlo.pad %a, %v, low = [2, 0], high = [1, 0], interior = [0, 0] : ({y}, tensor<{element}>) -> {y}
  return %0, %1 : {r}, {y}
}}""", cpu)
    for n in (0, 1, 2, 17, 50):
        a, b, c = (array(dtype, (n, width), k) for k in range(3))
        stacked, padded = program(a, b, c, np.array(7, dtype))
        np.testing.assert_array_equal(stacked, np.stack((a, b, c), 1))
        np.testing.assert_array_equal(padded, np.pad(a, ((2, 1), (0, 0)), constant_values=7))


BEHIND = """  %1 = stablehlo.reverse %0, dims = [{axis}] : {t}
  %2 = stablehlo.add %0, %0 : {t}
  %r = stablehlo.subtract %2, %1 : {t}
"""


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("axis", (0, 1))
def test_read_in_two_orders(axis, cpu):
    """Elements of the result are read at the place of the loop, and at another."""
    program = loaded(concatenate("i32", 2, axis, 2, BEHIND.replace("{axis}", str(axis))), cpu)
    for n, m in ((1, 1), (0, 3), (40, 7), (7, 130)):
        x = [array(np.int32, (n, 5) if axis == 0 else (5, n)), array(np.int32, (m, 5) if axis == 0 else (5, m), 1)]
        y = np.concatenate(x, axis)
        np.testing.assert_array_equal(program(*x)[0], 2 * y - np.flip(y, axis))


FUSED = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<?x?xf32>
  %s = shape.shape_of %y : tensor<?x?xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %2 = stablehlo.subtract %y, %1 : tensor<?x?xf32>
  %3 = stablehlo.concatenate %0, %2, %x, dim = DIM : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = stablehlo.negate %3 : tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}"""


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("axis", (0, 1))
def test_with_what_is_around_it(axis, cpu):
    program = loaded(FUSED.replace("DIM", str(axis)), cpu)
    for n, m in ((1, 1), (0, 3), (33, 7), (7, 130), (5, 0)):
        x, y = (array(np.float32, (k, 19) if axis == 0 else (19, k), k) for k in (n, m))
        c = np.arange(y.shape[1], dtype=np.float32)
        np.testing.assert_array_equal(program(x, y, c)[0], -np.concatenate([x * x, y - c, x], axis))


def pad(element, low, high, between):
    numbers = ", ".join(f"{name} = {list(v)}" for name, v in (("low", low), ("high", high), ("interior", between)))
    t = f"tensor<{'x'.join('?' * len(low))}x{element}>"
    return f"func.func @main(%x: {t}, %v: tensor<{element}>) -> {t} {{\n  %0 = stablehlo.pad %x, %v, {numbers} : ({t}, tensor<{element}>) -> {t}\n  return %0 : {t}\n}}"


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("element, dtype", TYPES)
@pytest.mark.parametrize("low, high, between", [((3,), (4,), (0,)), ((-2,), (1,), (0,)), ((20,), (-3,), (0,)), ((1, 2), (0, 1), (0, 0)), ((1, 0), (2, 0), (0, 0)), ((0, 0), (0, 0), (0, 0)),
                                                ((1, 2, 0), (1, 3, 0), (0, 0, 0)), ((0, -1, 0), (0, -2, 0), (0, 0, 0)), ((1, 1), (1, 1), (1, 0)), ((1, 1), (1, 1), (0, 1))])
def test_pad(element, dtype, low, high, between, cpu):
    text = pad(element, low, high, between)
    program = loaded(text, cpu)
    for shape in ((5, 3, 4), (1, 1, 1), (7, 33, 2), (3, 17, 16), (4100, 3, 1), (0, 3, 2)):
        shape = shape[: len(low)]
        if any(max(0, n + (n - 1) * b if n else 0) + a + c < 0 for n, a, b, c in zip(shape, low, between, high, strict=True)): continue
        x, v = array(dtype, shape), np.array(7, dtype)
        np.testing.assert_array_equal(program(x, v)[0], evaluate(text.encode(), [x, v])[0])


DYNAMIC = """func.func @main(%x: tensor<?x?xf32>, %v: tensor<f32>, %low: tensor<2xi32>, %high: tensor<2xi32>) -> tensor<?x?xf32> {
  %none = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %none : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""


@pytest.mark.parametrize("cpu", CPUS)
def test_pad_that_the_run_tells(cpu):
    program = loaded(DYNAMIC, cpu)
    for low, high in (((0, 0), (0, 0)), ((1, 2), (3, 4)), ((0, 40), (0, 17)), ((-1, -2), (2, 1)), ((1, -3), (-1, -2))):
        for shape in ((3, 7), (2, 33), (1, 2100)):
            if shape[1] + low[1] + high[1] < 0: continue
            x, v = array(np.float32, shape), np.array(0.5, np.float32)
            wide = np.pad(x, [(max(0, a), max(0, b)) for a, b in zip(low, high, strict=True)], constant_values=0.5)
            want = wide[tuple(slice(max(0, -a), n - max(0, -b)) for a, b, n in zip(low, high, wide.shape, strict=True))]
            np.testing.assert_array_equal(program(x, v, np.array(low, np.int32), np.array(high, np.int32))[0], want)
