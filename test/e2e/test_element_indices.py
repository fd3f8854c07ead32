# SPDX-License-Identifier: Apache-2.0
"""Gathers of elements and short rows and scatters of single elements as JAX writes them, whose indices and updates their kernels compute: against numpy, one update after
the other, at every number of them around a step of the loop, with indices that repeat, are negative or out of range."""
import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
jax = pytest.importorskip("jax")
jnp = jax.numpy
LARGEST = 2 ** 31 - 1


def position(i, size): return np.clip(np.where(i < 0, i.astype(np.int64) + size, i), 0, size - 1)


def scattered(x, at, updates, combine):
    out, updates = x.copy(), np.broadcast_to(updates, at[0].shape)
    for k in np.ndindex(at[0].shape):
        place = tuple(int(i[k]) + (out.shape[d] if i[k] < 0 else 0) for d, i in enumerate(at))
        if all(0 <= p < s for p, s in zip(place, out.shape)): out[place] = combine(out[place], updates[k])
    return out


def add(a, b): return a + b


def last(_, b): return b


# name: function of JAX, the same of numpy, dims of the table, of the indices
FORMS = {
    "elements": (lambda x, i: x[i], lambda x, i: x[position(i, len(x))], "r", "n"),
    "points": (lambda x, i: x[i, abs(i) // 2], lambda x, i: x[position(i, x.shape[0]), position(np.abs(i.astype(np.int64)) // 2, x.shape[1])], "r, c", "n"),
    "points of pairs": (lambda x, i: x[i, i + 1], lambda x, i: x[position(i, x.shape[0]), position((i + np.int32(1)), x.shape[1])], "r, c", "n, 3"),
    "index read again": (lambda x, i: x[i + 1] + (i + 1).astype(x.dtype), lambda x, i: x[position(i + np.int32(1), len(x))] + (i + np.int32(1)).astype(x.dtype), "r", "n"),
    "column": (lambda x, i: x[i, 0], lambda x, i: x[position(i, x.shape[0]), 0], "r, c", "n"),
    **{f"rows of {k}": (lambda x, i: x[i] + x[i + 1], lambda x, i: x[position(i, len(x))] + x[position(i + np.int32(1), len(x))], f"r, {k}", "n")
       for k in (1, 2, 3, 4, 5, 8, 16, 24)},
    "rows of a square": (lambda x, i: x[i, abs(i)], lambda x, i: x[position(i, len(x)), position(np.abs(i), x.shape[1])], "r, c, 8", "n"),
    "runs of elements": (lambda x, i: jnp.repeat(x[i], 4), lambda x, i: np.repeat(x[position(i, len(x))], 4), "r", "n"),
    "part of a row": (lambda x, i: jax.vmap(lambda k: jax.lax.dynamic_slice(x, (k, k), (2, 4)))(i),
                      lambda x, i: np.stack([x[a:a + 2, b:b + 4] for a, b in zip(np.clip(np.where(i < 0, i + len(x), i), 0, len(x) - 2), np.clip(np.where(i < 0, i + x.shape[1], i), 0, x.shape[1] - 4))]), "50, 40", "n"),
    "count": (lambda x, i: x.at[i].add(1), lambda x, i: scattered(x, [i], x.dtype.type(1), add), "r", "n"),
    "count from none": (lambda x, i: jnp.zeros_like(x).at[i].add(1), lambda x, i: scattered(np.zeros_like(x), [i], x.dtype.type(1), add), "r", "n"),
    "set": (lambda x, i: x.at[i].set(3), lambda x, i: scattered(x, [i], x.dtype.type(3), last), "r", "n"),
    "largest": (lambda x, i: x.at[i].max(1), lambda x, i: scattered(x, [i], x.dtype.type(1), max), "r", "n"),
    "count of points": (lambda x, i: x.at[i, i + 1].add(1), lambda x, i: scattered(x, [i, i + np.int32(1)], x.dtype.type(1), add), "r, c", "n"),
    "count of pairs": (lambda x, i: x.at[i].add(2), lambda x, i: scattered(x, [i], x.dtype.type(2), add), "r", "n, 3"),
    "what it updates": (lambda x, i: x.at[i].add(x), lambda x, i: scattered(x, [i], x, add), "n", "n"),
    "ones of ones": (lambda x, i: jnp.ones_like(x).at[i].add(jnp.ones_like(x)) + x, lambda x, i: scattered(np.ones_like(x), [i], np.ones_like(x), add) + x, "n", "n"),
    "twice": (lambda x, i: x.at[i].add(1).at[i + 1].add(2), lambda x, i: scattered(scattered(x, [i], x.dtype.type(1), add), [i + np.int32(1)], x.dtype.type(2), add), "r", "n"),
    "in a loop": (lambda x, i: jax.lax.fori_loop(0, 3, lambda k, y: y.at[i + k].add(1), x),
                  lambda x, i: scattered(scattered(scattered(x, [i], x.dtype.type(1), add), [i + np.int32(1)], x.dtype.type(1), add), [i + np.int32(2)], x.dtype.type(1), add), "r", "n"),
}


def exported(function, types):
    from jax import export
    scope = export.SymbolicScope()
    return export.export(jax.jit(function), platforms=["cpu"])(*(jax.ShapeDtypeStruct(export.symbolic_shape(d, scope=scope), t) for d, t in types)).mlir_module()


@pytest.mark.parametrize("dtype", (np.float32, ml_dtypes.bfloat16, np.int32, np.uint8))
@pytest.mark.parametrize("form", FORMS)
def test_against_numpy(form, dtype):
    function, numpy_function, *dims = FORMS[form]
    program = compile_program(exported(function, zip(dims, (dtype, np.int32))).encode())
    runs = [Runtime(threads=t).load(program) for t in (1, 2)]
    for n in (1, 2, 3, 4, 5, 7, 8, 17, 131):
        shapes = [[{"n": n, "r": 50, "c": 37}.get(d) or int(d) for d in text.split(", ")] for text in dims]
        r = np.random.default_rng(n)
        x, i = r.integers(0, 3, shapes[0]).astype(dtype), r.integers(-9, 9, shapes[1]).astype(np.int32)
        if form != "index read again": i.reshape(-1)[::5] = r.choice(np.array([50, -51, 4000, -4000, LARGEST - 5], np.int32), i.reshape(-1)[::5].shape)
        want = np.asarray(numpy_function(x, i)).astype(np.float64)
        got = [run(x, i)[0] for run in runs]
        np.testing.assert_array_equal(got[0].astype(np.float64), want)
        assert got[0].tobytes() == got[1].tobytes()


NONE = """func.func @main(%x: tensor<?xf32>, %i: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %s = shape.shape_of %i : tensor<?xi32> -> tensor<1xindex>
  %ones = stablehlo.dynamic_broadcast_in_dim %one, %s, dims = [] : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  %j = stablehlo.negate %i : tensor<?xi32>
  %0 = "stablehlo.scatter"(%x, %i, %ones) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}"""


def test_no_indices():
    run = Runtime(threads=2).load(compile_program(NONE.encode()))
    for rows, count in ((4, 0), (1, 6), (3, 9)):
        x, i = np.arange(rows, dtype=np.float32), np.arange(-2, count - 2).astype(np.int32)
        counts, picked = run(x, i)
        np.testing.assert_array_equal(counts, scattered(x, [np.where(i < 0, 99, i)], np.float32(1), add))
        np.testing.assert_array_equal(picked, x[np.clip(-i, 0, rows - 1)])
