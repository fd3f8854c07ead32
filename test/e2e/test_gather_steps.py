# SPDX-License-Identifier: Apache-2.0
"""Slices, with steps of either sign, and updates of them, as JAX writes them under unknown dims (gathers and scatters), against numpy."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
jax = pytest.importorskip("jax")
import jax.export  # noqa: E402


def exported(function, dims, dtype, least=()):
    from jax import export
    shape = export.symbolic_shape(dims, scope=export.SymbolicScope(least))
    return export.export(jax.jit(function), platforms=["cpu"])(jax.ShapeDtypeStruct(shape, dtype)).mlir_module()


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
@pytest.mark.parametrize("start, stop, step", [(None, None, 2), (1, None, 2), (None, None, 3), (2, -1, 3), (None, None, -1), (None, None, -2), (-2, None, -3), (None, -1, 1), (3, None, 1)])
@pytest.mark.parametrize("dtype", (np.float32, np.uint8))
def test_slices(start, stop, step, dtype, cpu):
    for axis, dims in ((1, "b, n"), (0, "n, b"), (2, "b, 3, n"), (1, "b, n, 5")):
        at = (slice(None),) * axis + (slice(start, stop, step),)
        program = Runtime(threads=2).load(compile_program(exported(lambda x, at=at: x[at], dims, dtype, ("n >= 4",)).encode(), mcpu=[cpu]))
        for n in (4, 5, 16, 17, 33, 64, 131):
            shape = [{"b": 3, "n": n}.get(d) or int(d) for d in dims.split(", ")]
            x = np.random.default_rng(n).integers(0, 200, shape).astype(dtype)
            np.testing.assert_array_equal(program(x)[0], x[at])


@pytest.mark.parametrize("at", [np.s_[::-1, ::-1], np.s_[::2, ::-1], np.s_[1::2, ::3], np.s_[::-1, :, ::-2], np.s_[::-1, ::-1, ::-1], np.s_[:, ::-2, ::2]])
@pytest.mark.parametrize("dtype", (np.float32, np.uint8))
def test_slices_of_several_dims(at, dtype):
    dims = ("h", "w", "n")[:len(at)]
    module = exported(lambda x: x[at], ", ".join(dims), dtype, [f"{d} >= 2" for d in dims])
    program = Runtime(threads=2).load(compile_program(module.encode()))
    for h, w, n in ((2, 2, 2), (3, 5, 7), (16, 17, 2), (67, 131, 33)):
        x = np.random.default_rng(h).integers(0, 200, (h, w, n)[:len(at)]).astype(dtype)
        np.testing.assert_array_equal(program(x)[0], x[at])


@pytest.mark.parametrize("at", [np.s_[2:, 1:-1], np.s_[:-2, 1:], np.s_[1:-1, 3:-3], np.s_[2, 1:], np.s_[:, -1], np.s_[-1], np.s_[-2:, -2:], np.s_[1]])
def test_windows(at):
    """Starts in several dims of unknown sizes."""
    program = Runtime(threads=2).load(compile_program(exported(lambda x: x[at], "h, w", np.float32, ("h >= 3", "w >= 6")).encode()))
    for shape in ((3, 6), (3, 7), (4, 64), (67, 131)):
        x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
        np.testing.assert_array_equal(program(x)[0], x[at])


@pytest.mark.parametrize("at", [np.s_[1:-1, 1:-1], np.s_[2:], np.s_[:, -1], np.s_[0], np.s_[-1], np.s_[:-2, 3], np.s_[1, 5]])
@pytest.mark.parametrize("method", ("set", "add", "min"))
def test_updates(at, method):
    """One window of each of two arguments; |y| is read beside its update."""
    def update(x, y):
        return getattr(x.at[at], method)(y[at] * 2), y + getattr(y.at[at], method)(x[at])

    def want(x, y):
        out = x.copy()
        out[at] = {"set": lambda old, new: new, "add": np.add, "min": np.minimum}[method](x[at], y)
        return out

    scope = jax.export.SymbolicScope(("h >= 3", "w >= 6"))
    specs = [jax.ShapeDtypeStruct(jax.export.symbolic_shape("h, w", scope=scope), np.float32)] * 2
    program = Runtime(threads=2).load(compile_program(jax.export.export(jax.jit(update), platforms=["cpu"])(*specs).mlir_module().encode()))
    for shape in ((3, 6), (3, 7), (4, 64), (67, 131)):
        x, y = np.random.default_rng(0).integers(-9, 9, (2, *shape)).astype(np.float32)
        got = program(x, y)
        np.testing.assert_array_equal(got[0], want(x, y[at] * 2))
        np.testing.assert_array_equal(got[1], y + want(y, x[at]))


@pytest.mark.parametrize("element, place", [("i8", -1), ("ui8", 255), ("ui64", 2), ("ui64", 2 ** 63), ("ui64", 2 ** 64 - 1), ("i64", -2 ** 63), ("i64", 2 ** 31), ("i64", 2 ** 63 - 1)])
@pytest.mark.parametrize("rows", ("3", "?"))
def test_places_out_of_range(element, place, rows):
    """A gather takes the first or the last row, a scatter leaves the update out."""
    program = Runtime(threads=2).load(compile_program(f"""
func.func @main(%x: tensor<{rows}x4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, tensor<{rows}x4xf32>) {{
  %i = stablehlo.constant dense<{place}> : tensor<1x{element}>
  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 4>}}> : (tensor<{rows}x4xf32>, tensor<1x{element}>) -> tensor<4xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}}> ({{
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %2 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }}) : (tensor<{rows}x4xf32>, tensor<1x{element}>, tensor<4xf32>) -> tensor<{rows}x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<{rows}x4xf32>
}}""".encode()))
    x, u = np.arange(12, dtype=np.float32).reshape(3, 4), np.full(4, 100, np.float32)
    row, all_rows = program(x, u)
    np.testing.assert_array_equal(row, x[min(max(place, 0), 2)])
    want = x.copy()
    if 0 <= place < 3: want[place] += u
    np.testing.assert_array_equal(all_rows, want)


@pytest.mark.parametrize("place", (2 ** 31 - 1, 2 ** 31, 2 ** 40, 2 ** 63 - 1))
def test_places_beyond_a_known_dim(place):
    """The run tells how long the slice is, so how far the place is moved back."""
    program = Runtime(threads=2).load(compile_program(f"""
func.func @main(%x: tensor<10x?xf32>, %sizes: tensor<2xi32>) -> tensor<?x?xf32> {{
  %at = stablehlo.constant dense<[{place}, 0]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %at, %sizes) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>}}> : (tensor<10x?xf32>, tensor<2xi64>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}""".encode()))
    x = np.arange(60, dtype=np.float32).reshape(10, 6)
    for sizes in ((2, 3), (10, 6), (1, 1), (0, 2)):
        np.testing.assert_array_equal(program(x, np.array(sizes, np.int32))[0], x[10 - sizes[0]:, :sizes[1]])


def test_stencil_is_one_kernel(heddle, tmp_path):
    """Neighbours in two dims of unknown sizes are read where they are."""
    path = tmp_path / "stencil.mlir"
    path.write_text(exported(lambda x: x[2:, 1:-1] + x[:-2, 1:-1] - x[1:-1, 2:] * x[1:-1, :-2], "h, w", np.float32, ("h >= 3", "w >= 3")))
    assert "kernels (1)" in heddle("explain", path, check=True).stdout
    program = Runtime(threads=2).load(compile_program(path.read_bytes()))
    for shape in ((3, 3), (4, 64), (67, 131)):
        x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
        np.testing.assert_array_equal(program(x)[0], x[2:, 1:-1] + x[:-2, 1:-1] - x[1:-1, 2:] * x[1:-1, :-2])


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
def test_pairs_turned(cpu):
    """Taken apart, computed with, and put together again."""
    def turn(x):
        a, b = x[..., ::2], x[..., 1::2]
        return jax.numpy.stack([a - 2 * b, b + 3 * a], -1).reshape(x.shape)

    for dims, shapes in (("b, 4, n, 8", [(1, 4, 1, 8), (3, 4, 5, 8), (2, 4, 40, 8)]), ("b, 64", [(1, 64), (7, 64)]), ("b, 6", [(1, 6), (3, 6), (50, 6)])):
        program = Runtime(threads=2).load(compile_program(exported(turn, dims, np.float32).encode(), mcpu=[cpu]))
        for shape in shapes:
            x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
            want = np.empty_like(x)
            want[..., ::2], want[..., 1::2] = x[..., ::2] - 2 * x[..., 1::2], x[..., 1::2] + 3 * x[..., ::2]
            np.testing.assert_array_equal(program(x)[0], want)


@pytest.mark.parametrize("cpu", ("native", "x86-64-v3"))
@pytest.mark.parametrize("half", (1, 3, 4, 32))
def test_pairs_turned_by_angles(half, cpu):
    """The dims around the rows are not one: angles go with the inner of them alone."""
    from jax import export

    def turn(x, c):
        a, b = x[..., ::2], x[..., 1::2]
        return jax.numpy.stack([a * c - b, b * c + a], -1).reshape(x.shape)

    scope = export.SymbolicScope()
    specs = [jax.ShapeDtypeStruct(export.symbolic_shape(text, scope=scope), np.float32) for text in (f"b, 3, n, {2 * half}", f"n, {half}")]
    text = export.export(jax.jit(turn), platforms=["cpu"])(*specs).mlir_module()
    program = Runtime(threads=2).load(compile_program(text.encode(), mcpu=[cpu]))
    for b, n in ((1, 1), (2, 5), (1, 16), (3, 37), (2, 800)):
        x = np.random.default_rng(n).integers(-9, 9, (b, 3, n, 2 * half)).astype(np.float32)
        c = np.random.default_rng(b).integers(-9, 9, (n, half)).astype(np.float32)
        want = np.empty_like(x)
        want[..., ::2], want[..., 1::2] = x[..., ::2] * c - x[..., 1::2], x[..., 1::2] * c + x[..., ::2]
        np.testing.assert_array_equal(program(x, c)[0], want)
