# SPDX-License-Identifier: Apache-2.0
"""Stores past the caches: the same bits as ordinary ones, at every alignment of rows and vectors, on both kinds of vector registers."""
import glob
import re

import numpy as np
import pytest
from error_model import FUNCTION_ULPS, assert_within, rounded, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

LEVELS = ("native", "x86-64-v3")
ELEMENTS = (("f32", np.float32), ("f64", np.float64), ("f16", np.float16), ("i8", np.int8))
ALWAYS, NEVER = 1, 1 << 60

SHORT = """func.func @main(%x: tensor<?x?x{t}>, %y: tensor<?x?x{t}>) -> (tensor<?x?x{t}>, tensor<?x?x{t}>) {{
  %0 = stablehlo.add %x, %y : tensor<?x?x{t}>
  %1 = stablehlo.multiply %0, %y : tensor<?x?x{t}>
  return %0, %1 : tensor<?x?x{t}>, tensor<?x?x{t}>
}}"""
# Rows of their own: a broadcast keeps the dims apart, the transpose reads across.
ROWS = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %wide = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = stablehlo.subtract %x, %wide : tensor<?x?xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.tanh %t : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}"""


def both(text, arrays, level):
    """Outputs with all stores of whole vectors past the caches, and with none."""
    artifact = compile_program(text.encode(), mcpu=(level,))
    return [Runtime(2, stream_bytes=size).load(artifact)(*arrays) for size in (ALWAYS, NEVER)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("element, dtype", ELEMENTS, ids=[t for t, _ in ELEMENTS])
def test_elementwise(element, dtype, level):
    for shape in ((1, 1), (3, 16), (5, 17), (64, 100), (7, 2064)):
        x, y = (np.arange(1, 1 + shape[0] * shape[1]).reshape(shape) * k % 11 + 1 for k in (3, 5))
        x, y = x.astype(dtype), y.astype(dtype)
        streamed, stored = both(SHORT.format(t=element), (x, y), level)
        for got, same, want in zip(streamed, stored, (x + y, (x + y) * y)):
            np.testing.assert_array_equal(got, same)
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
def test_rows(level):
    for shape in ((1, 16), (4, 24), (9, 33), (33, 48), (5, 1000)):
        x, y = np.random.default_rng(0).normal(size=(2, *shape)).astype(np.float32)
        streamed, stored = both(ROWS, (x, y), level)
        for got, same in zip(streamed, stored): np.testing.assert_array_equal(got, same)
        wide, total = x.astype(np.float64), np.abs(x).sum(1, dtype=np.float64, keepdims=True)
        assert_within(streamed[0], wide - wide.sum(1, keepdims=True), sums(shape[1] + 1), np.abs(wide) + total)
        assert_within(streamed[1], np.tanh(y.T.astype(np.float64)), rounded(FUNCTION_ULPS["tanh"], y.dtype))


@pytest.mark.parametrize("level, register", (("x86-64-v3", "ymm"), ("x86-64-v4", "zmm")))
@pytest.mark.parametrize("name", ("gelu", "layernorm"))
def test_instructions(heddle, root, tmp_path, name, level, register):
    """Whole registers, with a fence where the range ends; inputs read between the stores are prefetched."""
    heddle("compile", f"{root}/examples/{name}.mlir", "-o", tmp_path / "p.hdl", "--mcpu", level, "--dump-to", tmp_path / "dump", check=True)
    code = "".join(open(path, encoding="utf-8").read() for path in glob.glob(f"{tmp_path}/dump/hd_kernel_*.s"))
    assert re.search(rf"vmovntps\s+%{register}", code) and not re.search(r"movnt(i|q|dq)\b", code)
    assert len(re.findall(r"\bsfence\b", code)) == 1
    assert ("prefetcht0" in code) == (name == "gelu")


def test_small_programs_have_none(heddle, tmp_path):
    """What no machine's cache is too small for has no second kind of store."""
    (tmp_path / "p.mlir").write_text(SHORT.format(t="f32").replace("?x?", "64x64"))
    heddle("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.hdl", "--dump-to", tmp_path / "dump", check=True)
    code = "".join(open(path, encoding="utf-8").read() for path in glob.glob(f"{tmp_path}/dump/hd_kernel_*.s"))
    assert "vaddps" in code and "movnt" not in code and "sfence" not in code


def test_limit_is_checked():
    with pytest.raises(Exception, match="expected a stream size of at least 0 bytes, got -1"): Runtime(stream_bytes=-1)
