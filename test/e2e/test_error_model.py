# SPDX-License-Identifier: Apache-2.0
"""What the error model (test/support/error_model.py) takes and what it does not."""
import os
import re

import ml_dtypes
import numpy as np
import pytest

import error_model
from error_model import EXACT, Bound, outside, rounded, ulps_apart

BF16, E4M3, E8M0 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, BF16, E4M3, ml_dtypes.float4_e2m1fn, ml_dtypes.float6_e3m2fn, ml_dtypes.float8_e5m2fnuz])
def test_neighbours_are_one_apart(dtype):
    dtype = np.dtype(dtype)
    bits = ml_dtypes.finfo(dtype).bits
    count = min(2 ** (bits - 1) - 2, 200)
    for start in (0, 2 ** (bits - 2)):
        x = np.arange(start, min(start + count, 2 ** (bits - 1) - 1)).astype(f"u{dtype.itemsize}").view(dtype)
        x = x[~np.isnan(x)]
        assert (ulps_apart(x[1:], x[:-1]) == 1).all()
    one = np.ones(1, dtype)
    assert ulps_apart(-one, one) == 2 * ulps_apart(np.zeros(1, dtype), one) and ulps_apart(np.zeros(1, dtype), -np.zeros(1, dtype)) == 0


def test_nan_and_infinity():
    a, b = np.array([np.nan, np.nan, np.inf, np.inf], np.float32), np.array([np.nan, 1, np.inf, 1], np.float32)
    assert outside(a, b, Bound(ulps=9)).tolist() == [False, True, False, True]
    big = np.array([np.finfo(np.float32).max], np.float32)
    assert not outside(np.array([np.inf], np.float32), big, Bound(ulps=1))


def test_a_product_of_narrow_floats_is_not_off_by_half():
    exact, magnitude = np.array([1.0, 0.01, 100.0]), np.array([20.0, 20.0, 100.0])
    bound = Bound(terms=20)
    assert not outside(exact.astype(BF16), exact, bound, magnitude).any()
    assert outside((exact * 1.5).astype(BF16), exact, bound, magnitude).all()
    assert outside(np.zeros(3, BF16), exact, bound, magnitude).all()
    assert outside((exact * (1 + 2.0 ** -6)).astype(BF16), exact, bound, magnitude).all()  # more than a unit, which the largest would have hidden


def test_what_a_function_may_be_off():
    x = np.array([1.0, 2.0, 1e-30], np.float32)
    assert rounded(0, x.dtype) == EXACT and not outside(np.nextafter(x, np.float32(9)), x, rounded(1.1, x.dtype)).any()
    assert outside(x * np.float32(1 + 2e-6), x, rounded(1.1, x.dtype)).all() and outside(np.zeros(3, np.float32), x, rounded(1.1, x.dtype)).all()
    near_zero = np.array([1e-8], np.float32)
    assert not outside(near_zero + np.float32(1e-7), near_zero, rounded(14, x.dtype, absolute=True)).any()
    assert outside(near_zero + np.float32(1e-5), near_zero, rounded(14, x.dtype, absolute=True)).all()


def test_parts_of_complex_numbers():
    z = np.array([1 + 1e-9j, complex(np.inf, 1), complex(np.nan, 2)], np.complex64)
    off = z + np.array([2e-7 + 2e-7j, 0, 0], np.complex64)
    assert not outside(off, z, Bound(modulus=4)).any()
    assert outside(z + np.array([1e-5j, 1e-3j, 1e-3j], np.complex64), z, Bound(modulus=4)).all()


def test_whole_programs():
    """What moves with its inputs may be off by as much; a wrong term, a wrong sign or a lost column is seen."""
    random = np.random.default_rng(0)
    x, w = random.standard_normal((5, 40)), random.standard_normal((40, 7))

    def layer(x, w): return np.tanh(x @ w / 6) @ w.T
    exact, sizes = error_model.magnitudes(lambda given: [layer(*given)], [x, w])
    bound = error_model.program(np.dtype(np.float32))
    assert not outside(layer(x.astype(np.float32), w.astype(np.float32)).astype(np.float32), layer(x.astype(np.float32).astype(np.float64), w.astype(np.float32).astype(np.float64)), bound, sizes[0]).any()
    for wrong in (layer(x, w * (1 + 1e-4)), layer(x, -w) * np.tanh(1), layer(x[:, ::-1], w), np.zeros((5, 40))): assert outside(wrong.astype(np.float32), exact[0], bound, sizes[0]).any()
    assert outside(exact[0].astype(BF16).astype(np.float32), exact[0], bound, sizes[0]).any()
    assert not outside(exact[0].astype(BF16), exact[0], error_model.program(np.dtype(BF16)), sizes[0]).any()


def test_mutations_differ():
    for x in (np.array([1, 2, 3], np.int8), np.array([True, False, False]), np.array([1, 2], BF16), np.array([1j, 2], np.complex64), np.array([[1, 2]], ml_dtypes.int4)):
        for name, changed in error_model.mutations(x):
            assert changed.shape == x.shape and changed.dtype == x.dtype and changed.tobytes() != x.tobytes(), name
    assert [name for name, _ in error_model.mutations(np.array(1.0))] == ["zeroed", "flipped"]


def test_functions_are_held_to_what_is_promised(root):
    """A row of math.def that is looser than what the sweep of ops takes from here does not loosen the sweep: it fails."""
    with open(os.path.join(root, "src", "codegen", "math", "math.def"), encoding="utf-8") as file:
        rows = re.findall(r"^ROW\((\w+), \d+, \w+, \w+, ([\d.]+), ([\d.]+),", file.read(), re.M)
    names = {"exp": "exponential", "expm1": "exponential_minus_one", "log1p": "log_plus_one", "sin": "sine", "cos": "cosine", "pow": "power"}
    stated = {names.get(name, name): max(float(f32), float(f64)) for name, f32, f64 in rows}
    assert set(stated) == set(error_model.FUNCTION_ULPS)
    assert not {name: bound for name, bound in stated.items() if bound > error_model.FUNCTION_ULPS[name]}
