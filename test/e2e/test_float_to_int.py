# SPDX-License-Identifier: Apache-2.0
"""Floats to integers: toward zero, out of range to the nearest end, NaN to 0; around both ends of every type, against Python's integers."""
import math

import ml_dtypes
import numpy as np
import pytest

import heddle as hd

pytestmark = pytest.mark.usefixtures("compiler")
FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
INTEGERS = {f"{u}i{w}": np.dtype(f"{'u' if u else ''}int{w}") for u in ("", "u") for w in (8, 16, 32, 64)}


def around_ends(dtype):
    """The ends of all integers and their neighbours, halves, zeros, the least and the largest numbers, infinities and NaNs."""
    ends = [s * 2.0**e for e in (7, 8, 15, 16, 31, 32, 63, 64) for s in (-1, 1)]
    x = [v for e in ends for v in (e - 1.5, e - 1, e - 0.5, e, e + 0.5, e + 1)] + [0.0, -0.0, 0.5, -0.5, 0.99, -0.99, 1.5, -1.5, np.inf, -np.inf, np.nan, -np.nan]
    with np.errstate(over="ignore"): x = np.array(x).astype(dtype)
    with np.errstate(invalid="ignore", over="ignore"): below, above = (np.nextafter(x, dtype(end)).astype(dtype) for end in (-np.inf, np.inf))
    tiny = np.array([ml_dtypes.finfo(dtype).smallest_subnormal, ml_dtypes.finfo(dtype).max], dtype)
    return np.concatenate([x, below, above, tiny, -tiny])


def converted(x, dtype):
    info = np.iinfo(dtype)
    whole = [0 if math.isnan(v) else info.max if v == math.inf else info.min if v == -math.inf else min(max(math.trunc(v), info.min), info.max) for v in map(float, x)]
    return np.array(whole, dtype)


@pytest.mark.parametrize("mcpu", ["native", "x86-64-v3"])
@pytest.mark.parametrize("element", FLOATS)
def test_ends(element, mcpu):
    names = list(INTEGERS)
    lines = "\n".join(f"  %{i} = stablehlo.convert %x : (tensor<?x{element}>) -> tensor<?x{name}>" for i, name in enumerate(names))
    types = ", ".join(f"tensor<?x{name}>" for name in names)
    program = hd.compile(f"func.func @main(%x: tensor<?x{element}>) -> ({types}) {{\n{lines}\n  return {', '.join(f'%{i}' for i in range(len(names)))} : {types}\n}}", mcpu=[mcpu])
    x = around_ends(FLOATS[element])
    for n in (1, 5, 16, 17, len(x)):
        for name, got in zip(names, program(x[-n:]), strict=True):
            np.testing.assert_array_equal(np.asarray(got), converted(x[-n:], INTEGERS[name]), err_msg=f"{name}, {n} elements")
