# SPDX-License-Identifier: Apache-2.0
"""Ops that only move elements, of every width, at sizes around those of the vectors that they are moved by."""
import ml_dtypes
import numpy as np
import pytest

import heddle as hd

pytestmark = pytest.mark.usefixtures("compiler")
TYPES = {"ui8": np.uint8, "i8": np.int8, "i1": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "i16": np.int16, "f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64}
SIZES = (3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 191, 2047, 2050, 4200)

PROGRAM = """func.func @main(%x: tensor<?x?x{e}>, %y: tensor<?x?x{e}>) -> (tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x3x?x{e}>, tensor<?x?x{e}>) {{
  %zero = stablehlo.constant dense<{zero}> : tensor<{e}>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x{e}>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x{e}>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %reversed = stablehlo.reverse %x, dims = [1] : tensor<?x?x{e}>
  %joined = stablehlo.concatenate %x, %y, dim = 1 : (tensor<?x?x{e}>, tensor<?x?x{e}>) -> tensor<?x?x{e}>
  %start = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %end = stablehlo.concatenate %b1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %stride = stablehlo.constant dense<1> : tensor<2xi32>
  %cut = stablehlo.real_dynamic_slice %x, %start, %end, %stride : (tensor<?x?x{e}>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?x{e}>
  %padded = stablehlo.pad %x, %zero, low = [1, 3], high = [0, 2], interior = [0, 0] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<?x?x{e}>
  %shape = stablehlo.concatenate %b1, %three, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %spread = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0, 2] : (tensor<?x?x{e}>, tensor<3xi32>) -> tensor<?x3x?x{e}>
  %cut_back = stablehlo.reverse %cut, dims = [0, 1] : tensor<?x?x{e}>
  return %reversed, %joined, %cut, %padded, %spread, %cut_back : tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?x3x?x{e}>, tensor<?x?x{e}>
}}
"""


@pytest.mark.parametrize("mcpu", ["native", "x86-64-v3"])
@pytest.mark.parametrize("e", TYPES)
def test_values(e, mcpu):
    zero = {"i1": "false", "complex<f32>": "(0.0, 0.0)"}.get(e, "0" if e.strip("ui").isdigit() else "0.0")
    program, rng = hd.compile(PROGRAM.format(e=e, zero=zero), mcpu=[mcpu]), np.random.default_rng(1)
    for n in SIZES:
        x, y = (rng.integers(0, 2 if e == "i1" else 100, s).astype(TYPES[e]) for s in ((3, n), (3, n + 5)))
        wanted = (x[:, ::-1], np.concatenate([x, y], 1), x[:, 1:], np.pad(x, ((1, 0), (3, 2))), np.broadcast_to(x[:, None], (3, 3, n)), x[::-1, :0:-1])
        for i, (got, want) in enumerate(zip(program(x, y), wanted, strict=True)): np.testing.assert_array_equal(np.asarray(got), want, err_msg=f"result {i} of {n}")
