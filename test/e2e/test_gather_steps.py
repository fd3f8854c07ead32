# SPDX-License-Identifier: Apache-2.0
"""Slices with steps of either sign, as JAX writes them under unknown dims (gathers at counted places), against numpy."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
jax = pytest.importorskip("jax")


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


@pytest.mark.parametrize("at", [np.s_[2:, 1:-1], np.s_[:-2, 1:], np.s_[1:-1, 3:-3], np.s_[2, 1:], np.s_[:, -1], np.s_[-1], np.s_[-2:, -2:], np.s_[1]])
def test_windows(at):
    """Starts in several dims of unknown sizes."""
    program = Runtime(threads=2).load(compile_program(exported(lambda x: x[at], "h, w", np.float32, ("h >= 3", "w >= 6")).encode()))
    for shape in ((3, 6), (3, 7), (4, 64), (67, 131)):
        x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
        np.testing.assert_array_equal(program(x)[0], x[at])


def test_stencil_is_one_kernel(heddle, tmp_path):
    """Neighbours in two dims of unknown sizes are read where they lie."""
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
