# SPDX-License-Identifier: Apache-2.0
"""Scatters of rows: repeated indices in order, those outside dropped, stripes of columns."""
import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

ROWS = """func.func @main(%x: tensor<?x?xTYPE>, %i: tensor<?x1xi32>, %u: tensor<?x?xTYPE>) -> tensor<?x?xTYPE> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
    BODY
    stablehlo.return %r : tensor<TYPE>
  }) : (tensor<?x?xTYPE>, tensor<?x1xi32>, tensor<?x?xTYPE>) -> tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}"""
TYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32, "ui8": np.uint8}
BODIES = {"add": ("%r = stablehlo.add %a, %b : tensor<TYPE>", lambda x, u: x + u),
          "keep": ("%r = stablehlo.maximum %a, %b : tensor<TYPE>", np.maximum),
          "set": ("%r = stablehlo.add %b, %b : tensor<TYPE>", lambda x, u: u + u)}
SHAPES = ((0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (5, 40, 7), (7, 33, 16), (3, 50, 17), (64, 200, 300), (4, 30, 1031), (2, 9, 5000))


def arrays(dtype, shape):
    rows, count, width = shape
    r = np.random.default_rng(1)
    return (r.integers(0, 5, (rows, width)).astype(dtype), r.integers(-2, rows + 2, (count, 1)).astype(np.int32), r.integers(0, 5, (count, width)).astype(dtype))


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("name", TYPES)
def test_rows(name, body):
    text, combine = BODIES[body]
    run = Runtime(threads=2).load(compile_program(ROWS.replace("BODY", text).replace("TYPE", name).encode()))
    for shape in SHAPES:
        x, i, u = arrays(TYPES[name], shape)
        want = x.copy()
        for k, at in enumerate(i[:, 0]):
            if 0 <= at < shape[0]: want[at] = combine(want[at], u[k])
        np.testing.assert_array_equal(run(x, i, u)[0].astype(np.float64), want.astype(np.float64))


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
@pytest.mark.parametrize("name", [*TYPES, "i1", "complex<f32>"])
@pytest.mark.parametrize("width", (1, 2, 3, 7, 8, 12, 16, 31, 63, 64, 65))
def test_rows_of_known_width(width, name, cpu):
    """Those below four vectors are combined in parts of whole ones, halves and less."""
    dtype = {"i1": np.bool_, "complex<f32>": np.complex64}.get(name) or TYPES[name]
    text = ROWS.replace("BODY", "%r = stablehlo.add %a, %b : tensor<TYPE>").replace("tensor<?x?xTYPE>", f"tensor<?x{width}xTYPE>")
    run = Runtime(threads=2).load(compile_program(text.replace("TYPE", name).encode(), mcpu=[cpu]))
    for rows, count in ((0, 3), (3, 0), (1, 5), (7, 40)):
        x, i, u = arrays(dtype, (rows, count, width))
        want = x.copy()
        for k, at in enumerate(i[:, 0]):
            if 0 <= at < rows: want[at] = want[at] + u[k]
        np.testing.assert_array_equal(run(x, i, u)[0], want)


def test_bits_do_not_depend_on_threads():
    program = compile_program(ROWS.replace("BODY", BODIES["add"][0]).replace("TYPE", "f32").encode())
    r = np.random.default_rng(2)
    x, i, u = r.standard_normal((10, 3000), np.float32), r.integers(0, 10, (500, 1)).astype(np.int32), r.standard_normal((500, 3000), np.float32)
    u[3, 5] = np.nan
    first, *others = [Runtime(threads=n).load(program)(x, i, u)[0] for n in (1, 2, 3)]
    for other in others: np.testing.assert_array_equal(first.view(np.int32), other.view(np.int32))
    want = x.copy()
    for k, at in enumerate(i[:, 0]): want[at] += u[k]
    np.testing.assert_array_equal(first, want)


BATCHED = """func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?x1xi32>, %u: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("b, n, m", [(0, 3, 4), (5, 3, 0), (1, 5, 7), (7, 1, 1), (3, 100, 5000), (501, 33, 77)])
def test_rows_of_a_batch(b, n, m):
    """Items are rows, the updates of each in order, some of them outside: the same bits for any number of threads."""
    rng, program = np.random.default_rng(3), compile_program(BATCHED.encode())
    x, i, u = rng.standard_normal((b, n), np.float32), rng.integers(-2, n + 2, (b, m, 1)).astype(np.int32), rng.standard_normal((b, m), np.float32)
    want = x.copy()
    for row in range(b):
        for k in range(m):
            if 0 <= i[row, k, 0] < n: want[row, i[row, k, 0]] += u[row, k]
    for threads in (1, 2, 3): np.testing.assert_array_equal(np.asarray(Runtime(threads=threads).load(program)(x, i, u)[0]), want)
