# SPDX-License-Identifier: Apache-2.0
"""What vector lanes read: dims that are one or equal, reshapes in whole and broken runs, at sizes around the lane count."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

TYPES = [("f32", np.float32), ("f64", np.float64), ("i8", np.int8), ("i1", np.bool_), ("complex<f32>", np.complex64)]


def some(shape, dtype):
    values = np.arange(1, 1 + int(np.prod(shape))).reshape(shape) % 61
    return values % 2 == 0 if dtype == np.bool_ else values.astype(dtype)


@pytest.mark.parametrize("element, dtype", TYPES, ids=[name for name, _ in TYPES])
def test_one_or_equal(element, dtype):
    run = Runtime().load(compile_program(f"""func.func @main(%x: tensor<?x?x{element}>, %s: tensor<3xi32>) -> tensor<?x?x?x{element}> {{
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<?x?x{element}>, tensor<3xi32>) -> tensor<?x?x?x{element}>
  return %0 : tensor<?x?x?x{element}>
}}""".encode()))
    for b in (1, 2, 3):
        for n in (0, 1, 7, 16, 33):
            for shape in {(b, n), (1, n), (b, 1), (1, 1)}:
                x = some(shape, dtype)
                want = np.broadcast_to(x[:, None, :], (b, 2, n))
                np.testing.assert_array_equal(run(x, np.array([b, 2, n], np.int32))[0], want)


@pytest.mark.parametrize("pad", (3, 16))
def test_one_or_equal_inside_of_padding(pad):
    run = Runtime().load(compile_program(f"""func.func @main(%x: tensor<?xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {{
  %z = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.pad %0, %z, low = [{pad}], high = [{pad}], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}}""".encode()))
    for n in (0, 1, 5, 16, 40):
        for size in {1, n}:
            x = some((size,), np.float32)
            want = np.pad(np.broadcast_to(x, (n,)), pad, constant_values=-1)
            np.testing.assert_array_equal(run(x, np.array([n], np.int32))[0], want)


@pytest.mark.parametrize("head", (1, 5, 16, 24, 64))
@pytest.mark.parametrize("low", (0, 1, 16))
def test_heads(head, low):
    """[s, h, d] of [h, s, d] as [s, h * d], and padded rows of it."""
    run = Runtime().load(compile_program(f"""func.func @main(%x: tensor<4x?x{head}xf32>) -> (tensor<?x{4 * head}xf32>, tensor<?x{4 * head + low}xf32>) {{
  %z = stablehlo.constant dense<7.0> : tensor<f32>
  %d = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x?x{head}xf32>) -> tensor<i32>
  %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %w = stablehlo.constant dense<{4 * head}> : tensor<1xi32>
  %s = stablehlo.concatenate %d1, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<4x?x{head}xf32>) -> tensor<?x4x{head}xf32>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<?x4x{head}xf32>, tensor<2xi32>) -> tensor<?x{4 * head}xf32>
  %2 = stablehlo.pad %1, %z, low = [0, {low}], high = [0, 0], interior = [0, 0] : (tensor<?x{4 * head}xf32>, tensor<f32>) -> tensor<?x{4 * head + low}xf32>
  return %1, %2 : tensor<?x{4 * head}xf32>, tensor<?x{4 * head + low}xf32>
}}""".encode()))
    for rows in (0, 1, 3):
        x = np.arange(4 * rows * head, dtype=np.float32).reshape(4, rows, head)
        want = x.transpose(1, 0, 2).reshape(rows, 4 * head)
        one, two = run(x)
        np.testing.assert_array_equal(one, want)
        np.testing.assert_array_equal(two, np.pad(want, ((0, 0), (low, 0)), constant_values=7))
