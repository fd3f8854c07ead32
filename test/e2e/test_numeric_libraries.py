# SPDX-License-Identifier: Apache-2.0
"""Transforms and linear algebra of compiled programs against numpy, at sizes that take every path: factors, primes above
those (a chirp), blocks of the factorisation, batches."""
import numpy as np
import pytest
from error_model import Bound, accumulator_unit, assert_within

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture(scope="module")
def runtime():
    return Runtime(threads=2)


def run(runtime, text, *arrays):
    return runtime.load(compile_program(text.encode()))(*arrays)


def close(got, want, eps):
    """|eps| of the largest number: what transforms and factorisations are off by goes all over their results."""
    assert_within(got, want, Bound(terms=eps / accumulator_unit(got.real.dtype), whole=True), np.abs(want))


def close_transform(got, want, axes=1, transforms=1):
    """Of a transform over the last dims each output is a sum of all numbers of its line, in as many steps as the length has bits: rounding is spread evenly over
    the line, which has as much of it as of its root mean square (Higham, Accuracy and stability of numerical algorithms, 24.1)."""
    n, dims = np.prod(got.shape[-axes:]), tuple(range(-axes, 0))
    size = np.sqrt(np.mean(np.abs(want) ** 2, axis=dims, keepdims=True)) if want.size else np.zeros(())
    assert_within(got, want, Bound(terms=transforms * (3 * np.log2(n) + 6)), np.broadcast_to(size, want.shape))


def text_of(x):
    return {"complex64": "complex<f32>", "complex128": "complex<f64>", "float32": "f32", "float64": "f64"}[x.dtype.name]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 8, 12, 31, 37, 47, 64, 97, 210, 243, 257, 1000, 1009, 1024, 2 * 1009, 3 * 47, 6 * 53, 47 * 37])
def test_fft(runtime, n, dtype):
    rng = np.random.default_rng(n)
    x = (rng.standard_normal((9, n)) + 1j * rng.standard_normal((9, n))).astype(dtype)
    e = text_of(x)
    for kind, reference in (("FFT", np.fft.fft), ("IFFT", np.fft.ifft)):
        got, = run(runtime, f"func.func @main(%x: tensor<?x{n}x{e}>) -> tensor<?x{n}x{e}> {{\n"
                   f"%r = stablehlo.fft %x, type = {kind}, length = [{n}] : (tensor<?x{n}x{e}>) -> tensor<?x{n}x{e}>\nreturn %r : tensor<?x{n}x{e}>\n}}\n", x)
        close_transform(got, reference(x.astype(np.complex128)))


@pytest.mark.parametrize("n", [1, 2, 7, 9, 10, 64, 101, 105])
def test_real_fft(runtime, n):
    x = np.random.default_rng(n).standard_normal((3, n))
    h = n // 2 + 1
    y, z = run(runtime, f"func.func @main(%x: tensor<3x{n}xf64>) -> (tensor<3x{h}xcomplex<f64>>, tensor<3x{n}xf64>) {{\n"
               f"%y = stablehlo.fft %x, type = RFFT, length = [{n}] : (tensor<3x{n}xf64>) -> tensor<3x{h}xcomplex<f64>>\n"
               f"%z = stablehlo.fft %y, type = IRFFT, length = [{n}] : (tensor<3x{h}xcomplex<f64>>) -> tensor<3x{n}xf64>\n"
               f"return %y, %z : tensor<3x{h}xcomplex<f64>>, tensor<3x{n}xf64>\n}}\n", x)
    close_transform(y, np.fft.rfft(x))
    close_transform(z, x, transforms=2)


def real_transforms(n):
    h = n // 2 + 1
    return (f"func.func @main(%x: tensor<?x{n}xf32>) -> (tensor<?x{h}xcomplex<f32>>, tensor<?x{n}xf32>) {{\n"
            f"%y = stablehlo.fft %x, type = RFFT, length = [{n}] : (tensor<?x{n}xf32>) -> tensor<?x{h}xcomplex<f32>>\n"
            f"%z = stablehlo.fft %y, type = IRFFT, length = [{n}] : (tensor<?x{h}xcomplex<f32>>) -> tensor<?x{n}xf32>\n"
            f"return %y, %z : tensor<?x{h}xcomplex<f32>>, tensor<?x{n}xf32>\n}}\n")


@pytest.mark.parametrize("n", [1, 2, 3, 6, 15, 16, 30, 49, 77, 90, 243, 1125, 2 * 37, 3 * 37, 3 * 5 * 47, 4 * 47, 10000, 9 * 1125])
def test_lines_of_a_real_transform(runtime, n):
    """Any number of lines; the same bits on any number of threads; NaN and infinity stay in their line."""
    program = compile_program(real_transforms(n).encode())
    first, other = runtime.load(program), Runtime(threads=1).load(program)
    for lines in (0, 1, 7, 8, 9, 19):
        x = np.random.default_rng(n + lines).standard_normal((lines, n)).astype(np.float32)
        y, z = first(x)
        close_transform(y, np.fft.rfft(x.astype(np.float64)))
        close_transform(z, x, transforms=2)
        for got, again in zip((y, z), other(x)): assert got.tobytes() == again.tobytes()
        if lines < 3: continue
        x[1, 0], x[2, n // 2] = np.nan, np.inf
        spoiled, _ = first(x)
        assert np.isnan(spoiled[1]).all() and not np.isfinite(spoiled[2]).any()
        keep = [0, *range(3, lines)]
        assert spoiled[keep].tobytes() == y[keep].tobytes()


def transform_of(kind, shape, lengths, part):
    """One op, and how the shape of its result differs from |shape| in the last dim."""
    half = shape[-1] // 2 + 1
    a, b = (f"tensor<{'x'.join(map(str, dims))}x{{}}>" for dims in ((*shape[:-1], half) if kind == "IRFFT" else shape, (*shape[:-1], half) if kind == "RFFT" else shape))
    a, b = a.format(part if kind == "RFFT" else f"complex<{part}>"), b.format(part if kind == "IRFFT" else f"complex<{part}>")
    return f"%r = stablehlo.fft %x, type = {kind}, length = [{', '.join(map(str, lengths))}] : ({a}) -> {b}", a, b


@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize("axes, shape", [(2, (5, 3)), (2, (8, 16)), (2, (3, 9, 34)), (3, (4, 4, 37)), (3, (16, 1, 1)), (2, (33, 2)), (3, (2, 6, 5, 14)), (2, (1, 7)), (3, (3, 2, 47))])
def test_columns_of_a_transform(axes, shape, part):
    """Lines across memory, any number side by side; the same bits on any number of threads."""
    rng, lengths, dims = np.random.default_rng(sum(shape)), shape[-axes:], tuple(range(-axes, 0))
    real = np.float32 if part == "f32" else np.float64
    runtimes = Runtime(threads=2), Runtime(threads=1)
    x = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    for kind, given, want in (("FFT", x, np.fft.fftn(x, axes=dims)), ("IFFT", x, np.fft.ifftn(x, axes=dims)), ("RFFT", x.real, np.fft.rfftn(x.real, axes=dims)),
                              ("IRFFT", np.fft.rfftn(x.real, axes=dims), x.real)):
        op, a, b = transform_of(kind, shape, lengths, part)
        given = given.astype(real if kind == "RFFT" else np.complex64 if part == "f32" else np.complex128)
        program = compile_program(f"func.func @main(%x: {a}) -> {b} {{\n{op}\nreturn %r : {b}\n}}\n".encode())
        results = [r.load(program)(given)[0] for r in runtimes]
        close_transform(results[0], want, axes)
        assert results[0].tobytes() == results[1].tobytes()


def test_plans_of_one_program(runtime):
    """Plans are kept with the program: by length, type and form, also of equal lengths inside, and from call to call."""
    text = """func.func @main(%x: tensor<3x64xcomplex<f32>>, %y: tensor<3x64xcomplex<f64>>, %z: tensor<3x128xf32>, %u: tensor<3x61xcomplex<f32>>) ->
                            (tensor<3x64xcomplex<f32>>, tensor<3x64xcomplex<f64>>, tensor<3x65xcomplex<f32>>, tensor<3x61xcomplex<f32>>) {
      %a = stablehlo.fft %x, type = FFT, length = [64] : (tensor<3x64xcomplex<f32>>) -> tensor<3x64xcomplex<f32>>
      %b = stablehlo.fft %y, type = IFFT, length = [64] : (tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>>
      %c = stablehlo.fft %z, type = RFFT, length = [128] : (tensor<3x128xf32>) -> tensor<3x65xcomplex<f32>>
      %d = stablehlo.fft %u, type = FFT, length = [61] : (tensor<3x61xcomplex<f32>>) -> tensor<3x61xcomplex<f32>>
      return %a, %b, %c, %d : tensor<3x64xcomplex<f32>>, tensor<3x64xcomplex<f64>>, tensor<3x65xcomplex<f32>>, tensor<3x61xcomplex<f32>>
    }"""
    program = runtime.load(compile_program(text.encode()))
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y, u = (rng.standard_normal((3, n)) + 1j * rng.standard_normal((3, n)) for n in (64, 64, 61))
        z = rng.standard_normal((3, 128)).astype(np.float32)
        x, u = x.astype(np.complex64), u.astype(np.complex64)
        for got, want in zip(program(x, y, z, u), (np.fft.fft(x), np.fft.ifft(y), np.fft.rfft(z), np.fft.fft(u))): close_transform(got, want)


@pytest.mark.parametrize("dtype, eps", [(np.float32, 1e-5), (np.float64, 1e-13), (np.complex64, 1e-5), (np.complex128, 1e-13)])
@pytest.mark.parametrize("n", [0, 1, 5, 64, 65, 200])
def test_cholesky(runtime, n, dtype, eps):
    rng = np.random.default_rng(n)
    a = rng.standard_normal((2, n, n)).astype(dtype)
    if a.dtype.kind == "c": a = a + 1j * rng.standard_normal((2, n, n)).astype(a.real.dtype)
    a = (a @ np.conj(a.swapaxes(1, 2)) + n * np.eye(n)).astype(dtype)
    t = f"tensor<?x?x?x{text_of(a)}>"
    for lower in ("true", "false"):
        got, = run(runtime, f"func.func @main(%x: {t}) -> {t} {{\n%r = stablehlo.cholesky %x, lower = {lower} : {t}\nreturn %r : {t}\n}}\n", a)
        want = np.linalg.cholesky(a.astype(np.complex128)) if n else a.astype(np.complex128)
        close(got, want if lower == "true" else np.conj(want.swapaxes(1, 2)), eps)


def test_cholesky_without_a_factor(runtime):
    t = "tensor<2x2xf32>"
    got, = run(runtime, f"func.func @main(%x: {t}) -> {t} {{\n%r = stablehlo.cholesky %x, lower = true : {t}\nreturn %r : {t}\n}}\n",
               np.array([[1, 2], [2, 1]], np.float32))
    assert np.isnan(got[np.tril_indices(2)]).all() and got[0, 1] == 0


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("n, m", [(1, 1), (9, 4), (150, 33), (4, 0)])
def test_triangular_solve(runtime, n, m, transpose, left):
    rng = np.random.default_rng(n)
    for lower in (True, False):
        for unit in (True, False):
            a = (rng.standard_normal((2, n, n)) + 1j * rng.standard_normal((2, n, n))) / n + 2 * np.eye(n)
            b = rng.standard_normal((2, n, m) if left else (2, m, n)) + 0j
            text = lambda x: str(x).lower()  # noqa: E731
            t = "tensor<?x?x?xcomplex<f64>>"
            got, = run(runtime, f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n"
                       f'%r = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {text(left)}, lower = {text(lower)}, unit_diagonal = {text(unit)}, '
                       f"transpose_a = #stablehlo<transpose {transpose}>}}> : ({t}, {t}) -> {t}\nreturn %r : {t}\n}}\n", a, b)
            c = np.tril(a) if lower else np.triu(a)
            if unit: c = c - np.einsum("bii->bi", c)[..., None] * np.eye(n) + np.eye(n)
            c = {"NO_TRANSPOSE": c, "TRANSPOSE": c.swapaxes(1, 2), "ADJOINT": np.conj(c.swapaxes(1, 2))}[transpose]
            close(c @ got if left else got @ c, b, 1e-12)


@pytest.mark.parametrize("dtype, eps", [(np.float32, 1e-5), (np.float64, 1e-13)])
@pytest.mark.parametrize("n", [1, 3, 4, 16, 17])
@pytest.mark.parametrize("batch", [0, 1, 3, 13, 100])
def test_many_small(runtime, batch, n, dtype, eps):
    """Of which one has no factor: the others are as they were."""
    x = np.random.default_rng(n).standard_normal((batch, n, n))
    a, b = (x @ x.swapaxes(1, 2) + n * np.eye(n)).astype(dtype), np.random.default_rng(1).standard_normal((batch, n, 2)).astype(dtype)
    if batch > 2: a[2, n - 1, n - 1] = -1
    t, u = f"tensor<?x{n}x{n}x{text_of(a)}>", f"tensor<?x{n}x2x{text_of(a)}>"
    factor, solution = run(runtime, f"func.func @main(%a: {t}, %b: {u}) -> ({t}, {u}) {{\n%l = stablehlo.cholesky %a, lower = true : {t}\n"
                           f'%x = "stablehlo.triangular_solve"(%l, %b) <{{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}}>'
                           f" : ({t}, {u}) -> {u}\nreturn %l, %x : {t}, {u}\n}}\n", a, b)
    for i in range(batch):
        if i == 2:
            assert np.isnan(factor[i][np.tril_indices(n)]).all()
            continue
        want = np.linalg.cholesky(a[i].astype(np.float64))
        close(factor[i], want, eps)
        close(solution[i], np.linalg.solve(want.T, b[i]), 10 * eps)
