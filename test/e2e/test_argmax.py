# SPDX-License-Identifier: Apache-2.0
"""Reductions to the greatest or least value and its index, along rows and columns: equal values, zeros of both signs, NaNs, infinities."""
import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "ui8": np.uint8, "i32": np.int32, "i64": np.int64, "ui64": np.uint64}

PROGRAM = """func.func @main(%x: tensor<?x?xTYPE>, %x0: tensor<TYPE>) -> (tensor<?xTYPE>, tensor<?xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xTYPE>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xTYPE>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = DIM : (tensor<2xi32>) -> tensor<?x?xi32>
  %0:2 = stablehlo.reduce(%x init: %x0), (%i init: %zero) across dimensions = [DIM] : (tensor<?x?xTYPE>, tensor<?x?xi32>, tensor<TYPE>, tensor<i32>) -> (tensor<?xTYPE>, tensor<?xi32>)
   reducer(%a: tensor<TYPE>, %b: tensor<TYPE>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %better = stablehlo.compare BETTER, %a, %b : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %p = stablehlo.or %better, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %e = stablehlo.and %eq, %lt : tensor<i1>
    %q = stablehlo.or %p, %e : tensor<i1>
    %v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<TYPE>
    %k = stablehlo.select %q, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<TYPE>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<?xTYPE>, tensor<?xi32>
}"""

SHAPES = ((1, 1), (3, 7), (7, 16), (2, 17), (33, 130), (1, 5003), (5003, 3), (300, 64))


def program(name, dim, greatest):
    text = PROGRAM.replace("TYPE", name).replace("DIM", str(dim)).replace("BETTER", "GT" if greatest else "LT")
    return Runtime(threads=2).load(compile_program(text.encode()))


def worst(dtype, greatest):
    info = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else None
    if info: return np.array(info.min if greatest else info.max, dtype)
    return np.array(-np.inf if greatest else np.inf, dtype)


def arrays(dtype, shape):
    """Many equal values; with floats all that is special."""
    r = np.random.default_rng(3)
    x = r.integers(0 if np.issubdtype(dtype, np.unsignedinteger) else -4, 5, shape).astype(dtype)
    yield x
    yield np.full(shape, worst(dtype, True), dtype)
    if np.issubdtype(dtype, np.integer): return
    for value in (np.inf, -np.inf, np.nan, -0.0):
        y = x.copy()
        y[r.random(shape) < 0.1] = value
        yield y


@pytest.mark.parametrize("greatest", (True, False))
@pytest.mark.parametrize("dim", (0, 1))
@pytest.mark.parametrize("name", TYPES)
def test_argmax(name, dim, greatest):
    dtype = TYPES[name]
    run, start = program(name, dim, greatest), worst(dtype, greatest)
    for shape in SHAPES:
        for x in arrays(dtype, shape):
            value, index = run(x, start)
            wide = x.astype(np.float64) if dtype not in (np.int64, np.uint64) else x
            want = (np.argmax if greatest else np.argmin)(wide, axis=dim)
            np.testing.assert_array_equal(index, want)
            np.testing.assert_array_equal(value.astype(wide.dtype), np.take_along_axis(wide, np.expand_dims(want, dim), dim).squeeze(dim))
    for shape in ((0, 5), (5, 0), (0, 0)):
        value, index = run(np.zeros(shape, dtype), start)
        np.testing.assert_array_equal(value, np.full(shape[1 - dim], start, dtype))
        np.testing.assert_array_equal(index, np.zeros(shape[1 - dim], np.int32))


def test_a_better_start_is_index_zero():
    value, index = program("i32", 1, True)(np.array([[1, 9, 3], [7, 7, 7]], np.int32), np.array(8, np.int32))
    np.testing.assert_array_equal(value, [9, 8])
    np.testing.assert_array_equal(index, [1, 0])
