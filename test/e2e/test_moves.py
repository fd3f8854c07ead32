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


NARROW = """func.func @main(%x: tensor<?x{e}>, %y: tensor<?x{e}>, %z: tensor<?xi8>) -> (tensor<?x{e}>, tensor<?x{e}>, tensor<?x{e}>, tensor<?xi1>, tensor<?xi16>) {{
  %low = stablehlo.constant dense<3> : tensor<{e}>
  %sum = stablehlo.add %x, %y : tensor<?x{e}>
  %product = stablehlo.multiply %sum, %x : tensor<?x{e}>
  %bits = stablehlo.xor %product, %y : tensor<?x{e}>
  %shifted = stablehlo.shift_left %bits, %y : tensor<?x{e}>
  %clamped = stablehlo.clamp %low, %x, %y : (tensor<{e}>, tensor<?x{e}>, tensor<?x{e}>) -> tensor<?x{e}>
  %less = stablehlo.compare LT, %x, %y : (tensor<?x{e}>, tensor<?x{e}>) -> tensor<?xi1>
  %lesser = stablehlo.select %less, %shifted, %product : tensor<?xi1>, tensor<?x{e}>
  %not = stablehlo.not %less : tensor<?xi1>
  %count = stablehlo.popcnt %clamped : tensor<?x{e}>
  %wide = stablehlo.convert %z : (tensor<?xi8>) -> tensor<?xi16>
  return %lesser, %clamped, %count, %not, %wide : tensor<?x{e}>, tensor<?x{e}>, tensor<?x{e}>, tensor<?xi1>, tensor<?xi16>
}}
"""


@pytest.mark.parametrize("mcpu", ["native", "x86-64-v3"])
@pytest.mark.parametrize("e", ("ui8", "i8", "ui16", "i16"))
def test_narrow_arithmetic(e, mcpu):
    """Wraps; shifts by the width or more give 0."""
    dtype = np.dtype(e.replace("ui", "uint") if e[0] == "u" else e.replace("i", "int"))
    program, rng, info = hd.compile(NARROW.format(e=e), mcpu=[mcpu]), np.random.default_rng(2), np.iinfo(dtype)
    for n in SIZES:
        x, y = (rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True) for _ in range(2))
        y[::3] = rng.integers(0, 20, y[::3].shape)
        z = rng.integers(-128, 128, n).astype(np.int8)
        product = (x + y) * x
        shifted = np.where((y >= 0) & (y.astype(np.int64) < info.bits), (product ^ y).astype(np.int64) << (y.astype(np.int64) & 31), 0).astype(dtype)
        clamped = np.minimum(np.maximum(x, dtype.type(3)), y)
        wanted = (np.where(x < y, shifted, product), clamped, np.array([bin(int(v) & (2**info.bits - 1)).count("1") for v in clamped], dtype), x >= y, z.astype(np.int16))
        for i, (got, want) in enumerate(zip(program(x, y, z), wanted, strict=True)): np.testing.assert_array_equal(np.asarray(got), want, err_msg=f"result {i} of {n}")
