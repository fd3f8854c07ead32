# SPDX-License-Identifier: Apache-2.0
"""Reductions that read rows or elements of a table by indices (embedding bags), as JAX writes them, against numpy: each form of reduction, at
every number of rows around its groups, with indices that are negative or out of range."""
import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
jax = pytest.importorskip("jax")
jnp = jax.numpy
LEAST = 2 ** 31 - 1


def within(i, rows): return np.clip(np.where(i < 0, i.astype(np.int64) + rows, i), 0, rows - 1)


def inside(i, rows): return (i >= -rows) & (i < rows)


def kept(w, i): return np.where(inside(i, len(w)).reshape(i.shape + (1,) * (w.ndim - 1)), w[within(i, len(w))], 0)


# name: function of JAX, what it gives, dims of the table and of the indices
FORMS = {
    "bag of 8": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r, 64", "n, 8"),
    "mean of 4": (lambda w, i: w[i].mean(1), lambda w, i: w[within(i, len(w))].sum(1) / 4, "r, 17", "n, 4"),
    "bag of 13": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r, 33", "n, 13"),
    "bag of unknown": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r, c", "3, n"),
    "squares": (lambda w, i: (w[i] * w[i]).sum(1), lambda w, i: (w[within(i, len(w))] ** 2).sum(1), "r, 16", "n, 8"),
    "columns": (lambda w, i: w[i].sum(0), lambda w, i: w[within(i, len(w))].sum(0), "r, 64", "n"),
    "points": (lambda w, i: w[i].sum(0), lambda w, i: w[within(i, len(w))].sum(0), "r, 3", "n"),
    "largest": (lambda w, i: w[i].max(1), lambda w, i: w[within(i, len(w))].max(1), "r, 20", "n, 7"),
    "rows": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r, c", "n"),
    "elements": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r", "3, n"),
    "few elements": (lambda w, i: w[i].sum(1), lambda w, i: w[within(i, len(w))].sum(1), "r", "n, 5"),
    "all": (lambda w, i: w[i].sum(), lambda w, i: w[within(i, len(w))].sum(), "r, 5", "n"),
    "outside is nothing": (lambda w, i: jnp.take(w, i, axis=0, mode="fill", fill_value=0).sum(1), lambda w, i: kept(w, i).sum(1), "r, 32", "n, 8"),
    "along": (lambda w, i: jnp.take_along_axis(w, i, 1, mode="clip").sum(1), lambda w, i: np.take_along_axis(w, within(i, w.shape[1]), 1).sum(1), "r, 50", "r, n"),
    "computed indices": (lambda w, i: w[abs(i) // 2].sum(1), lambda w, i: w[within(np.abs(i.astype(np.int64)) // 2, len(w))].sum(1), "r, 8", "n, 8"),
}


def exported(function, types):
    from jax import export
    scope = export.SymbolicScope()
    return export.export(jax.jit(function), platforms=["cpu"])(*(jax.ShapeDtypeStruct(export.symbolic_shape(d, scope=scope), t) for d, t in types)).mlir_module()


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
@pytest.mark.parametrize("dtype", (np.float32, ml_dtypes.bfloat16, np.int32))
@pytest.mark.parametrize("form", FORMS)
def test_against_numpy(form, dtype, cpu):
    function, numpy_function, *dims = FORMS[form]
    if dtype == np.int32 and form == "mean of 4": pytest.skip("a mean of integers is a float")
    program = compile_program(exported(function, zip(dims, (dtype, np.int32))).encode(), mcpu=[cpu])
    runs = [Runtime(threads=t).load(program) for t in (1, 2)]
    for n in (1, 2, 17, 131, 1031):
        shapes = [[{"n": n, "r": 50, "c": 37}.get(d) or (n if d == "n" else int(d)) for d in text.split(", ")] for text in dims]
        r = np.random.default_rng(n)
        w, i = r.integers(-1, 2, shapes[0]), r.integers(-50, 50, shapes[1]).astype(np.int32)
        i.reshape(-1)[::7] = r.choice(np.array([50, -51, 4000, -4000, LEAST], np.int32), i.reshape(-1)[::7].shape)
        want = np.asarray(numpy_function(w, i), np.float64).astype(dtype).astype(np.float64)
        got = [run(w.astype(dtype), i)[0] for run in runs]
        np.testing.assert_array_equal(got[0].astype(np.float64), want)
        assert got[0].tobytes() == got[1].tobytes()


NONE = """func.func @main(%table: tensor<?x8xf32>, %i: tensor<?x8xi32>, %j: tensor<?xi32>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?x8xi32>) -> tensor<?x8x8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %2 = "stablehlo.gather"(%table, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?xi32>) -> tensor<?x8xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = "stablehlo.gather"(%table, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?xi32>) -> tensor<?x8xf32>
  %5 = stablehlo.negate %4 : tensor<?x8xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %1, %3, %6 : tensor<?x8xf32>, tensor<8xf32>, tensor<?xf32>
}"""


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
def test_no_indices(cpu):
    """Clamped, as the specification says, whatever they are; none at all give the initial values."""
    run = Runtime(threads=2).load(compile_program(NONE.encode(), mcpu=[cpu]))
    w = np.random.default_rng(1).integers(-9, 9, (50, 8)).astype(np.float32)
    for n in (0, 1, 33, 67):
        r = np.random.default_rng(n)
        i, j = r.integers(-99, 99, (n, 8)).astype(np.int32), r.integers(-99, 99, n).astype(np.int32)
        for got, want in zip(run(w, i, j), (w[np.clip(i, 0, 49)].sum(1), w[np.clip(j, 0, 49)].sum(0), -w[np.clip(j, 0, 49)].sum(1))): np.testing.assert_array_equal(got, want)
