# SPDX-License-Identifier: Apache-2.0
"""Rows on the device that every machine has: a part of a warp for each, a warp, a block; of every length around those."""
import numpy as np
import pytest
from error_model import assert_within, sums

import heddle as hd

pytestmark = pytest.mark.usefixtures("compiler")
LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 127, 128, 132, 1023, 1024, 1025, 1028]
ROWS = [0, 1, 2, 3, 7, 33, 300]


def softmax(rows, n, e="f32"):
    """And the largest of each row, and its sum: what is one number a row is stored too."""
    full, row = f"tensor<{rows}x{n}x{e}>", f"tensor<{rows}x{e}>"
    return f"""func.func @main(%x: {full}) -> ({full}, {row}, {row}) {{
  %s = shape.shape_of %x : {full} -> tensor<2xindex>
  %low = stablehlo.constant dense<-1.0e30> : tensor<{e}>
  %zero = stablehlo.constant dense<0.0> : tensor<{e}>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : ({full}, tensor<{e}>) -> {row}
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %s, dims = [0] : ({row}, tensor<2xindex>) -> {full}
  %d = stablehlo.subtract %x, %mb : {full}
  %e = stablehlo.exponential %d : {full}
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : ({full}, tensor<{e}>) -> {row}
  %tb = stablehlo.dynamic_broadcast_in_dim %t, %s, dims = [0] : ({row}, tensor<2xindex>) -> {full}
  %y = stablehlo.divide %e, %tb : {full}
  %h = stablehlo.negate %t : {row}
  return %y, %m, %h : {full}, {row}, {row}
}}"""


def agree(run, rows, n, e=np.float32):
    x = np.random.default_rng(n).standard_normal((rows, n)).astype(e)
    y, m, h = (np.asarray(a) for a in run(x))
    if not n: return np.testing.assert_array_equal((m, h), [[np.array(-1e30, e)] * rows, [0] * rows], err_msg=f"{rows} x {n}")
    wide = x.astype(np.float64)
    below = wide - wide.max(1, keepdims=True)
    powers, rounding = np.exp(below), 1 - below  # an exponent that is rounded moves its power by as much as it is large
    np.testing.assert_array_equal(m, x.max(1), err_msg=f"{rows} x {n}")
    shares = powers / powers.sum(1, keepdims=True)
    assert_within(h, -powers.sum(1), sums(n + 4), (powers * rounding).sum(1), f"{rows} x {n}")
    assert_within(y, shares, sums(n + 6), shares * rounding, f"{rows} x {n}")


def test_any_length():
    """Sizes that the run tells: how many threads a row has is a word of the launch."""
    run = hd.compile(softmax("?", "?"), target="simt")
    for n in LENGTHS:
        for rows in ROWS[: 7 if n < 64 else 5]: agree(run, rows, n)


@pytest.mark.parametrize("e", ["f32", "f64"])
def test_long(e):
    """By vectors and not, as long as shared memory keeps whole and longer, of which it keeps a part."""
    run = hd.compile(softmax("?", "?", e), target="simt")
    for n in (5632, 5633, 8191, 8192, 8193, 11264, 11265, 20001, 20004): agree(run, 3, n, np.float32 if e == "f32" else np.float64)


def test_wide():
    run = hd.compile(softmax("?", "?", "f64"), target="simt")
    for n in (1, 3, 8, 17, 40): agree(run, 19, n, np.float64)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 8, 12, 16, 17, 24, 31, 32])
def test_known_length(n):
    run = hd.compile(softmax("?", n), target="simt")
    for rows in ROWS: agree(run, rows, n)


@pytest.mark.parametrize("rows, n", [("?", "?"), ("?", 5), (6, 12)])
def test_checked(heddle, tmp_path, rows, n):
    """No lane takes what another row has, and no row that is not there is touched: races, bounds and undefined values are looked for."""
    (tmp_path / "p.mlir").write_text(softmax(rows, n))
    for shape in ((6, 12), (6, 5), (65, 5), (3, 12), (3, 40)):
        if (rows, n) not in (("?", "?"), ("?", shape[1]), shape): continue
        for driver in ("simt", "guarded"):
            heddle("run", tmp_path / "p.mlir", "--target", "simt", "--driver", driver, "--random", 1, "--shape", f"arg0={shape[0]}x{shape[1]}", "--reference", "eval", "--tolerance", 1e-5, check=True)
        heddle("explain", tmp_path / "p.mlir", "--target", "simt", "--random", 1, "--shape", f"arg0={shape[0]}x{shape[1]}", check=True)
