# SPDX-License-Identifier: Apache-2.0
"""Reductions to a scalar: the same bits for any number of threads, right at sizes with 0 and 1, from any initial value."""
import numpy as np
import pytest
from error_model import EXACT, assert_within, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

TEXT = """func.func @main(%x: tensor<?x?x{e}>, %i: tensor<{e}>) -> tensor<{e}> {{
  %0 = stablehlo.multiply %x, %x : tensor<?x?x{e}>
  %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.{op} across dimensions = [0, 1] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<{e}>
  return %1 : tensor<{e}>
}}
"""


@pytest.mark.parametrize("op, reference", [("add", np.sum), ("maximum", np.max), ("minimum", np.min)])
@pytest.mark.parametrize("e, dtype", [("f32", np.float32), ("i32", np.int32)])
def test_full_reduction(op, reference, e, dtype):
    artifact = compile_program(TEXT.format(e=e, op=op).encode())
    runs = [Runtime(threads=n).load(artifact) for n in (1, 2)]
    rng = np.random.default_rng(5)
    for shape in ((1000, 700), (1, 100000), (100000, 1), (0, 7), (7, 0), (1, 1), (3, 20)):
        x = rng.integers(-9, 10, shape).astype(dtype)
        start = np.array(3, dtype)
        one, two = (run(x, start)[0] for run in runs)
        assert one.tobytes() == two.tobytes()
        values = np.append((x * x).reshape(-1), start).astype(np.float64 if e == "f32" else np.int64)
        assert_within(one, reference(values), sums(values.size) if op == "add" else EXACT, values.sum(), f"{op} of {shape}")
