# SPDX-License-Identifier: Apache-2.0
"""Programs whose results are known to the last bit: roundings, signs of zero, indices at the ends of their types.
The compiled program and the evaluator both give them."""
import re

import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")

bf16, f8 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn


def check(text, arrays, wants):
    for got in (Runtime(threads=1).load(compile_program(text.encode()))(*arrays), evaluate(text.encode(), arrays)):
        assert len(got) == len(wants)
        for g, w in zip(got, wants):
            assert g.dtype == w.dtype and g.tobytes() == w.tobytes(), (g, w)


def nearest_even(value, bits):
    """The integer of |bits| significant bits that is nearest to |value|."""
    shift = max(value.bit_length() - bits, 0)
    quotient, rest = divmod(value, 1 << shift)
    half = (1 << shift) >> 1
    return (quotient + (rest > half or (rest == half > 0 and quotient % 2))) << shift


@pytest.mark.parametrize("name, to, bits", [("bf16", bf16, 8), ("f16", np.float16, 11), ("f8E4M3FN", f8, 4)])
@pytest.mark.parametrize("integer, source", [("i32", np.int32), ("i64", np.int64), ("ui32", np.uint32), ("ui64", np.uint64), ("i16", np.int16)])
def test_integers_round_once(name, to, bits, integer, source):
    """A conversion to a small float rounds, also where its result goes on in f32."""
    top = np.iinfo(source).max
    x = np.array([v for v in (0, 1, 257, 259, 2049, 16842753, 1000001, 2147483649, 72057594037927937, top, top // 3) if v <= top], source)
    n = len(x)
    with np.errstate(over="ignore"): want = np.array([float(nearest_even(int(v), bits)) for v in x]).astype(to)
    check(f"""func.func @main(%x: tensor<{n}x{integer}>) -> (tensor<{n}x{name}>, tensor<{n}xf32>) {{
 %0 = stablehlo.convert %x : (tensor<{n}x{integer}>) -> tensor<{n}x{name}>
 %1 = stablehlo.convert %0 : (tensor<{n}x{name}>) -> tensor<{n}xf32>
 return %0, %1 : tensor<{n}x{name}>, tensor<{n}xf32>
}}""", [x], [want, want.astype(np.float32)])


@pytest.mark.parametrize("integer, start, want", [("ui64", 2**64 - 16, [6, 7]), ("ui64", 2**63, [6, 7]), ("i64", -5, [0, 1]), ("i64", 2**63 - 1, [6, 7]),
                                                  ("ui8", 255, [6, 7]), ("i8", -128, [0, 1]), ("ui32", 2**32 - 1, [6, 7])])
def test_starts_clamp(integer, start, want):
    """Starts clamp by their own signedness: unsigned ones never to 0."""
    dtype = np.dtype(integer.replace("ui", "uint") if integer[0] == "u" else integer.replace("i", "int"))
    a, u, i = np.arange(8, dtype=np.int32), np.array([-1, -2], np.int32), np.array(start, dtype)
    updated = a.copy()
    updated[want] = u
    check(f"""func.func @main(%a: tensor<8xi32>, %u: tensor<2xi32>, %i: tensor<{integer}>) -> (tensor<2xi32>, tensor<8xi32>, tensor<1x2xi32>) {{
 %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<8xi32>, tensor<{integer}>) -> tensor<2xi32>
 %1 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<8xi32>, tensor<2xi32>, tensor<{integer}>) -> tensor<8xi32>
 %j = stablehlo.reshape %i : (tensor<{integer}>) -> tensor<1x1x{integer}>
 %2 = "stablehlo.gather"(%a, %j) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
   slice_sizes = array<i64: 2>}}> : (tensor<8xi32>, tensor<1x1x{integer}>) -> tensor<1x2xi32>
 return %0, %1, %2 : tensor<2xi32>, tensor<8xi32>, tensor<1x2xi32>
}}""", [a, u, i], [a[want], updated, a[want][None]])


def test_clamp_keeps_signs_of_zero():
    """clamp is minimum(maximum(x, low), high), and +0 is above -0."""
    x = np.array([-0.0, 0.0, np.nan, 2, -2], np.float32)
    check("""func.func @main(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
 %zero = stablehlo.constant dense<0.0> : tensor<f32>
 %one = stablehlo.constant dense<1.0> : tensor<f32>
 %minus_one = stablehlo.constant dense<-1.0> : tensor<f32>
 %minus_zero = stablehlo.constant dense<-0.0> : tensor<f32>
 %0 = stablehlo.clamp %zero, %x, %one : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
 %1 = stablehlo.clamp %minus_one, %x, %minus_zero : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
 return %0, %1 : tensor<5xf32>, tensor<5xf32>
}""", [x], [np.array([0, 0, np.nan, 1, 0], np.float32), np.array([-0.0, -0.0, np.nan, -0.0, -1], np.float32)])


def test_reduce_precision_of_small_floats():
    """Rounding stays in the element type: its subnormals are numbers as others."""
    x = np.array([1, 3, 1025, 31743], np.uint16).view(np.float16)
    check("""func.func @main(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
 %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf16>
 %1 = stablehlo.reduce_precision %x, format = e5m2 : tensor<4xf16>
 return %0, %1 : tensor<4xf16>, tensor<4xf16>
}""", [x], [x, x.astype(ml_dtypes.float8_e5m2).astype(np.float16)])


@pytest.mark.parametrize("name, to, x, wants", [
    ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, [-0.40625, 0.40625, 1, -1, 1.75, np.nan], [0, 0, 1, -1, 2, np.nan]),
    ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, [-0.4375, 0.4375, 1, -1, 1.75, np.nan], [0, 0, 1, -1, 2, np.nan]),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn, [-0.40625, 0.40625, 1, -1, 1.75, np.nan], [-0.0, 0, 1, -1, 2, np.nan]),
    ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu, [0.25, 0.5, 1, 2, 4, np.nan], [2.0 ** -127, 2.0 ** -127, 1, 2, np.nan, np.nan]),
    ("f6E3M2FN", ml_dtypes.float6_e3m2fn, [-0.25, 0.4375, 1, -1, 1.75, 2], [-0.0, 0, 1, -1, 2, 2])])
def test_reduce_precision_without_infinities(name, to, x, wants):
    check(f"""func.func @main(%x: tensor<6x{name}>) -> tensor<6x{name}> {{
 %0 = stablehlo.reduce_precision %x, format = e2m0 : tensor<6x{name}>
 return %0 : tensor<6x{name}>
}}""", [np.array(x, np.float32).astype(to)], [np.array(wants, np.float32).astype(to)])


@pytest.mark.parametrize("source", [np.float32, np.float64])
def test_scales_round_up_at_ties(source):
    """f8E8M0FNU has no even significand to choose: as ml_dtypes, LLVM and XLA have it, 3 is 4 and 1.5 * 2**127 is no number."""
    assert np.array([3, 2.99]).astype(ml_dtypes.float8_e8m0fnu).tolist() == [4, 2]
    x = np.concatenate([np.ldexp(source(m), np.arange(-130, 128)) for m in (1, 1.25, np.nextafter(source(1.5), source(0)), 1.5, np.nextafter(source(1.5), source(2)), 1.75)])
    half, exponent = np.frexp(x.astype(np.float64))
    pattern, name = np.clip(exponent + 126 + (half >= 0.75), 0, 255), {np.float32: "f32", np.float64: "f64"}[source]
    want = pattern.astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    text = f"""func.func @main(%x: tensor<{len(x)}x{name}>) -> tensor<{len(x)}xf8E8M0FNU> {{
 %0 = stablehlo.convert %x : (tensor<{len(x)}x{name}>) -> tensor<{len(x)}xf8E8M0FNU>
 return %0 : tensor<{len(x)}xf8E8M0FNU>
}}"""
    check(text, [x], [want])
    on_device = Runtime(threads=1, driver="simt").load(compile_program(text.encode(), target="simt"))(x)[0]
    assert on_device.tobytes() == want.tobytes()


def test_pad_by_the_largest_amounts():
    check(f"""func.func @main(%x: tensor<1xf32>, %v: tensor<f32>) -> tensor<0xf32> {{
 %0 = stablehlo.pad %x, %v, low = [{-2**63}], high = [{2**63 - 1}], interior = [{2**63 - 1}] : (tensor<1xf32>, tensor<f32>) -> tensor<0xf32>
 return %0 : tensor<0xf32>
}}""", [np.ones(1, np.float32), np.ones((), np.float32)], [np.zeros(0, np.float32)])


@pytest.mark.parametrize("name", ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"])
def test_neighbours(name):
    """next_after of every pair of a small format is the neighbour among its sorted values; is_inf holds for its infinities alone."""
    dtype = np.dtype(getattr(ml_dtypes, re.sub(r"f(\d)(E.*)", lambda m: f"float{m[1]}_{m[2].lower()}", name)))
    patterns = np.arange(2 ** int(name[1]), dtype=np.uint8).view(dtype)
    x, y = (a.reshape(-1).copy() for a in np.meshgrid(patterns, patterns))
    a, b = x.astype(np.float64), y.astype(np.float64)
    values = np.unique(patterns.astype(np.float64))
    values = values[~np.isnan(values)]
    number = ~np.isnan(a) & ~np.isnan(b)
    at = np.searchsorted(values, np.where(number, a, values[0])) + (b > a) - (b < a)
    want = np.where(number, values[np.clip(at, 0, len(values) - 1)], np.nan)
    n = len(x)
    text = f"""func.func @main(%x: tensor<{n}x{name}>, %y: tensor<{n}x{name}>) -> (tensor<{n}x{name}>, tensor<{n}xi1>) {{
 %0 = chlo.next_after %x, %y : tensor<{n}x{name}>, tensor<{n}x{name}> -> tensor<{n}x{name}>
 %1 = chlo.is_inf %x : tensor<{n}x{name}> -> tensor<{n}xi1>
 return %0, %1 : tensor<{n}x{name}>, tensor<{n}xi1>
}}""".encode()
    for got, infinite in (Runtime(threads=1).load(compile_program(text))(x, y), evaluate(text, [x, y])):
        np.testing.assert_array_equal(got.astype(np.float64), want)
        assert np.array_equal(infinite, np.isinf(a))
