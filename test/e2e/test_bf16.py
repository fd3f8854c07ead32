# SPDX-License-Identifier: Apache-2.0
"""bf16 on every target, whether it has it or not: all 65,536 patterns, every midpoint between two of them, and the bits of what
rounds as if once."""
import re

import ml_dtypes
import numpy as np
import pytest

import heddle as hd
import needs
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")
BF16 = ml_dtypes.bfloat16
ALL = np.arange(65536, dtype=np.uint16)
QUIET = 0x40


@pytest.fixture(params=["cpu", "simt", "spirv"])
def target(request, build):
    if request.param == "spirv": needs.opencl(build)
    return request.param


@pytest.fixture(scope="module")
def flushes(heddle):
    """flushes(target): the device says that it flushes denormals of f32, which those of bf16 are too."""
    lines = heddle("devices", check=True).stdout
    return lambda target: target == "spirv" and bool(re.search(r"^ .*f32: denormals flushed", lines, re.M))


def is_nan(bits): return (bits & 0x7fff) > 0x7f80


def flushed(bits): return np.where((bits & 0x7f80) == 0, bits & 0x8000, bits).astype(np.uint16)


def nearest_even(words):
    """bf16 bits of f32 bits."""
    wide = words.astype(np.uint64)
    out = (wide + 0x7fff + (wide >> 16 & 1)) >> 16
    return np.where((wide & 0x7fffffff) > 0x7f800000, wide >> 16 | QUIET, out).astype(np.uint16)


def test_widened_and_rounded(target, flushes):
    f = hd.compile("""func.func @main(%x: tensor<?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
      %0 = stablehlo.convert %x : (tensor<?xbf16>) -> tensor<?xf32>
      %1 = stablehlo.convert %0 : (tensor<?xf32>) -> tensor<?xbf16>
      return %0, %1 : tensor<?xf32>, tensor<?xbf16>
    }""", target=target)
    wide, narrow = (np.asarray(x) for x in f(ALL.view(BF16)))
    number = ~is_nan(ALL)
    numbers, of_wide, of_narrow = ALL[number], wide.view(np.uint32)[number], narrow.view(np.uint16)[number]
    if flushes(target): numbers, of_narrow, of_wide = flushed(numbers), flushed(of_narrow), flushed(of_wide >> 16).astype(np.uint32) << 16
    np.testing.assert_array_equal(of_wide, numbers.astype(np.uint32) << 16)
    np.testing.assert_array_equal(of_narrow, numbers)
    assert (narrow.view(np.uint16)[~number] | QUIET == ALL[~number] | QUIET).all()


def test_midpoints(target, flushes):
    """Half way between two numbers, and one step of f32 to either side: infinity follows the largest."""
    f = hd.compile("""func.func @main(%x: tensor<?xf32>) -> tensor<?xbf16> {
      %0 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xbf16>
      return %0 : tensor<?xbf16>
    }""", target=target)
    below = ALL[(ALL & 0x7fff) < 0x7f80].astype(np.uint32) << 16
    words = np.concatenate([below | 0x7fff, below | 0x8000, below | 0x8001, below | 0xffff])
    if flushes(target): words = np.where((words & 0x7f800000) == 0, words & 0x80000000, words).astype(np.uint32)
    got, want = np.asarray(f(words.view(np.float32))).view(np.uint16), nearest_even(words)
    if flushes(target): got, want = flushed(got), flushed(want)
    np.testing.assert_array_equal(got, want)


def test_moved(target):
    """What only moves elements keeps every bit, those of signaling NaNs too."""
    f = hd.compile("""func.func @main(%x: tensor<256x256xbf16>, %p: tensor<256x256xi1>) -> tensor<256x256xbf16> {
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
      %1 = stablehlo.reverse %x, dims = [0, 1] : tensor<256x256xbf16>
      %2 = stablehlo.select %p, %0, %1 : tensor<256x256xi1>, tensor<256x256xbf16>
      return %2 : tensor<256x256xbf16>
    }""", target=target)
    x, p = ALL.reshape(256, 256), (ALL * 40503 >> 7 & 1).reshape(256, 256).astype(bool)
    np.testing.assert_array_equal(np.asarray(f(x.view(BF16), p)).view(np.uint16), np.where(p, x.T, x[::-1, ::-1]))


ONE = ("sqrt", "abs", "negate", "ceil", "floor", "round_nearest_even", "sign")
CHAINS = {"greatest_of_sum": "%1 = stablehlo.add %x, %y : tensor<?xbf16>\n%2 = stablehlo.abs %x : tensor<?xbf16>\n%0 = stablehlo.maximum %1, %2 : tensor<?xbf16>",
          "greatest_of_floor": "%1 = stablehlo.floor %x : tensor<?xbf16>\n%2 = stablehlo.negate %y : tensor<?xbf16>\n%0 = stablehlo.maximum %1, %2 : tensor<?xbf16>"}


@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "maximum", "minimum", *ONE, *CHAINS])
def test_bits(op, target, flushes):
    body = CHAINS.get(op) or f"%0 = stablehlo.{op} {'%x' if op in ONE else '%x, %y'} : tensor<?xbf16>"
    text = f"""func.func @main(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {{
      {body}
      return %0 : tensor<?xbf16>
    }}"""
    f = hd.compile(text, target=target)
    rng = np.random.default_rng(7)
    x, y = np.tile(ALL, 8), np.concatenate([rng.permutation(ALL) for _ in range(6)] + [ALL ^ 0x8000, ALL ^ 1])
    if flushes(target): x, y = flushed(x), flushed(y)
    want, = evaluate(text.encode(), [x.view(BF16), y.view(BF16)])
    want, got = want.view(np.uint16), np.asarray(f(x.view(BF16), y.view(BF16))).view(np.uint16)
    if flushes(target): want, got = flushed(want), flushed(got)
    np.testing.assert_array_equal(is_nan(got), is_nan(want))
    np.testing.assert_array_equal(got[~is_nan(want)], want[~is_nan(want)])
