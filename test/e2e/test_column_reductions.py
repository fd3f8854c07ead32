# SPDX-License-Identifier: Apache-2.0
"""Reductions of dims that others are inside of, or between: blocks of rows, stripes of columns, what goes along in the kernel."""
import ml_dtypes
import numpy as np
import pytest
from error_model import assert_within, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "ui8": np.uint8, "i32": np.int32, "i64": np.int64}
SHAPES = {1: ((0,), (1,), (7,), (63,), (64,), (65,), (1009,), (32768,), (70001,)),
          2: ((0, 3), (3, 0), (1, 1), (7, 3), (17, 16), (130, 33), (5003, 3), (300, 1031), (4099, 17), (70, 4096)),
          3: ((0, 2, 3), (2, 0, 3), (2, 3, 0), (1, 1, 1), (3, 5, 7), (2, 2500, 5), (65, 40, 9), (2, 257, 530)),
          4: ((2, 3, 4, 5), (1, 1, 1, 1), (3, 7, 11, 13), (2, 0, 3, 4), (5, 2, 130, 17))}


def reduction(name, rank, dims, op, init):
    wide, kept = "x".join(["?"] * rank + [name]), "x".join(["?"] * (rank - len(dims)) + [name])
    return Runtime(threads=2).load(compile_program(f"""func.func @main(%x: tensor<{wide}>) -> tensor<{kept}> {{
  %c = stablehlo.constant dense<{init}> : tensor<{name}>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = {list(dims)} : (tensor<{wide}>, tensor<{name}>) -> tensor<{kept}>
  return %0 : tensor<{kept}>
}}""".encode()))


@pytest.mark.parametrize("rank, dims", [(1, (0,)), (2, (0,)), (3, (0,)), (3, (1,)), (3, (0, 1)), (3, (0, 2)), (4, (0, 2, 3)), (4, (1, 2)), (4, (0, 2)), (4, (0, 1, 3))])
@pytest.mark.parametrize("name", TYPES)
def test_sums(name, rank, dims):
    dtype, integer = TYPES[name], np.issubdtype(TYPES[name], np.integer)
    run = reduction(name, rank, dims, "add", "3" if integer else "3.0")
    for shape in SHAPES[rank]:
        x = np.random.default_rng(1).integers(0 if name == "ui8" else -3, 4, shape).astype(dtype)
        want = x.astype(np.int64).sum(dims) + 3
        if integer: np.testing.assert_array_equal(run(x)[0], want.astype(dtype))
        else: np.testing.assert_array_equal(run(x)[0].astype(np.float64), want.astype(dtype).astype(np.float64))


@pytest.mark.parametrize("op, numpy_op, init", [("maximum", np.max, "0xFF800000"), ("minimum", np.min, "0x7F800000"), ("multiply", np.prod, "1.0")])
@pytest.mark.parametrize("rank, dims", [(1, (0,)), (2, (0,)), (3, (0, 2)), (3, (1,))])
def test_what_is_special_goes_on(rank, dims, op, numpy_op, init):
    run = reduction("f32", rank, dims, op, init)
    for shape in SHAPES[rank]:
        if 0 in shape: continue
        for value in (np.nan, np.inf, -np.inf, 0.0):
            x = np.random.default_rng(2).choice(np.array([-1, 1, 1], np.float32), shape)
            x[np.random.default_rng(3).random(shape) < 0.02] = value
            with np.errstate(invalid="ignore"): np.testing.assert_array_equal(run(x)[0], numpy_op(x, axis=dims))


def test_a_sum_of_negative_zeros_is_one():
    one, run = reduction("f32", 1, (0,), "add", "-0.0"), reduction("f32", 2, (0,), "add", "-0.0")
    for shape in SHAPES[1]: assert np.signbit(one(np.full(shape, -0.0, np.float32))[0])
    for shape in ((1, 5), (40, 3), (5000, 17)):
        np.testing.assert_array_equal(np.signbit(run(np.full(shape, -0.0, np.float32))[0]), True)


TOGETHER = """func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %w = stablehlo.convert %x : (tensor<?x?xbf16>) -> tensor<?x?xf32>
  %s = stablehlo.reduce(%w init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %n = stablehlo.negate %s : tensor<?xf32>
  %q = stablehlo.multiply %w, %w : tensor<?x?xf32>
  %t = stablehlo.reduce(%q init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %m = stablehlo.reduce(%w init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %n, %q, %t, %m : tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}"""


def test_several_and_what_makes_them():
    run = Runtime(threads=2).load(compile_program(TOGETHER.encode()))
    for shape in SHAPES[2]:
        if not shape[0]: continue
        x = np.random.default_rng(4).integers(-3, 4, shape).astype(ml_dtypes.bfloat16)
        wide = x.astype(np.float32)
        for got, want in zip(run(x), (-wide.sum(0), wide * wide, (wide * wide).sum(0), wide.max(0))): np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("shape, dims", [((100_000, 3), (0,)), ((3000, 1000), (0,)), ((4, 9000, 70), (1,)), ((8, 64, 30, 30), (0, 2, 3))])
def test_bits_do_not_depend_on_threads(shape, dims):
    x = np.random.default_rng(5).standard_normal(shape).astype(np.float32)
    wide, kept = "x".join(["?"] * len(shape) + ["f32"]), "x".join(["?"] * (len(shape) - len(dims)) + ["f32"])
    program = compile_program(f"""func.func @main(%x: tensor<{wide}>) -> tensor<{kept}> {{
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = {list(dims)} : (tensor<{wide}>, tensor<f32>) -> tensor<{kept}>
  return %0 : tensor<{kept}>
}}""".encode())
    first, *others = [Runtime(threads=n).load(program)(x)[0] for n in (1, 2, 3)]
    for other in others: np.testing.assert_array_equal(first.view(np.int32), other.view(np.int32))
    wide = x.astype(np.float64)
    assert_within(first, wide.sum(dims), sums(x.size // first.size), np.abs(wide).sum(dims))


RESHAPED = """func.func @main(%x: tensor<?x64x?xf32>) -> (tensor<?x8xf32>, tensor<8x?xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x64x?xf32>) -> tensor<i32>
  %w = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x64x?xf32>) -> tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %w8 = stablehlo.multiply %w, %eight : tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %h1 = stablehlo.constant dense<8> : tensor<1xi32>
  %w1 = stablehlo.reshape %w8 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %h1, %w1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %n = stablehlo.negate %x : tensor<?x64x?xf32>
  %0 = stablehlo.dynamic_reshape %n, %shape : (tensor<?x64x?xf32>, tensor<3xi32>) -> tensor<?x8x?xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [2] : (tensor<?x8x?xf32>, tensor<f32>) -> tensor<?x8xf32>
  %2 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?x8x?xf32>, tensor<f32>) -> tensor<8x?xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<8x?xf32>
}"""


def test_what_is_reshaped():
    run = Runtime(threads=2).load(compile_program(RESHAPED.encode()))
    for b, w in ((1, 1), (3, 5), (20, 49), (2, 1000), (0, 3), (3, 0)):
        x = np.random.default_rng(6).integers(-3, 4, (b, 64, w)).astype(np.float32)
        rows, columns = run(x)
        np.testing.assert_array_equal(rows, -x.reshape(b, 8, 8 * w).sum(2))
        np.testing.assert_array_equal(columns, -x.reshape(b, 8, 8 * w).sum(0))
