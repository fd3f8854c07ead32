# SPDX-License-Identifier: Apache-2.0
"""Functions of complex numbers over the whole plane, from the smallest numbers to infinity, against numpy's in double precision."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

FUNCTIONS = {"exp": "stablehlo.exponential", "log": "stablehlo.log", "sqrt": "stablehlo.sqrt", "sin": "stablehlo.sine", "cos": "stablehlo.cosine",
             "tan": "stablehlo.tan", "tanh": "stablehlo.tanh", "sinh": "chlo.sinh", "cosh": "chlo.cosh", "arcsin": "chlo.asin",
             "arccos": "chlo.acos", "arctan": "chlo.atan", "arcsinh": "chlo.asinh", "arccosh": "chlo.acosh", "arctanh": "chlo.atanh"}
# Where the C standard leaves open what a function of an infinite argument is: it is NaN here.
OPEN = {"exp": lambda z: np.isinf(z.imag), "sin": lambda z: np.isinf(z.imag) & np.isinf(z.real),
        "tanh": lambda z: np.isinf(z.imag) & (z.real == 0), "tan": lambda z: np.isinf(z.real) & (z.imag == 0)}
OPEN.update(dict.fromkeys(("cos", "sinh", "cosh"), OPEN["sin"]))


def program(names, element):
    ty = f"tensor<?xcomplex<{element}>>"
    lines = [f"  %{name} = {op} %x : {ty}" + (f" -> {ty}" if op.startswith("chlo") else "") for name, op in names.items()]
    return "\n".join([f"func.func @main(%x: {ty}) -> ({', '.join([ty] * len(names))}) {{", *lines,
                      f"  return {', '.join('%' + name for name in names)} : {', '.join([ty] * len(names))}", "}"]).encode()


def plane(dtype):
    info = np.finfo(dtype)
    large, tiny, eps = float(info.max), float(info.tiny), float(info.eps)
    sizes = [tiny, 1e-30, eps / 4, 1e-4, 0.3, 0.9999, 1, 1.0001, 1.5, 2, 5, 40, 1e4, 1e9, large ** 0.5, large / 8, large, np.inf]
    parts = [0.0, -0.0, *sizes, *(-x for x in sizes)]
    return np.array([complex(a, b) for a in parts for b in parts], info.dtype.char.upper())


@pytest.mark.parametrize("element, dtype", (("f32", np.float32), ("f64", np.float64)))
def test_plane(element, dtype):
    info, z = np.finfo(dtype), plane(dtype)
    for name, got in zip(FUNCTIONS, Runtime().load(compile_program(program(FUNCTIONS, element)))(z)):
        settled = ~OPEN.get(name, lambda z: np.zeros(z.shape, bool))(z)
        with np.errstate(all="ignore"): want = getattr(np, name)(z.astype(np.complex128)).astype(z.dtype)
        for part in ("real", "imag"):
            g, w = getattr(got, part)[settled].astype(np.float64), getattr(want, part)[settled].astype(np.float64)
            finite = np.isfinite(w)
            with np.errstate(invalid="ignore"):
                wrong = np.where(finite, ~(np.abs(g - w) <= 32 * float(info.eps) * np.abs(w) + 2 * float(info.tiny)), ~((g == w) | (np.isnan(g) & np.isnan(w))))
            assert not wrong.any(), [(name, part, *row) for row in zip(z[settled][wrong], g[wrong], w[wrong])][:5]


def test_no_direction():
    """e^z - 1 of an infinite imaginary part is no number, in both of its parts."""
    run = Runtime().load(compile_program(program({"expm1": "stablehlo.exponential_minus_one"}, "f32")))
    z = np.array([complex(a, b) for a in (-np.inf, -1e4, 0, 1, 1e4) for b in (np.inf, -np.inf)], np.complex64)
    got = run(z)[0]
    assert np.isnan(got.real).all() and np.isnan(got.imag).all(), got


@pytest.mark.parametrize("element, dtype", (("f32", np.float32), ("f64", np.float64)))
def test_quotients(element, dtype):
    """Of numbers whose sums of products overflow or are subnormal, as a share of the magnitude."""
    ty = f"tensor<?xcomplex<{element}>>"
    text = f"func.func @main(%x: {ty}, %y: {ty}) -> {ty} {{\n  %0 = stablehlo.divide %x, %y : {ty}\n  return %0 : {ty}\n}}\n"
    info = np.finfo(dtype)
    parts = [sign * float(x) for x in (info.max, info.max / 3, info.max ** 0.5, 3, 1, info.tiny ** 0.5, info.tiny, info.smallest_subnormal * 3, info.smallest_subnormal, 0) for sign in (1, -1)]
    z = np.array([complex(a, b) for a in parts for b in parts], info.dtype.char.upper())
    x, y = (side.ravel() for side in np.meshgrid(z, z[z != 0]))
    got = Runtime().load(compile_program(text.encode()))(x, y)[0].astype(np.clongdouble)
    with np.errstate(all="ignore"): want = x.astype(np.clongdouble) / y
    known = np.maximum(abs(want.real), abs(want.imag)) <= info.max * (1 - 4 * info.eps)
    wrong = known & ~(abs(got - want) <= 4 * info.eps * abs(want) + 2 * np.longdouble(info.smallest_subnormal))
    assert not wrong.any(), [*zip(x[wrong], y[wrong], got[wrong], want[wrong])][:5]
