# SPDX-License-Identifier: Apache-2.0
"""Programs that compute shapes as values of the shape, tensor and arith dialects, at several shapes against numpy."""
import numpy as np
import pytest
from error_model import assert_within, sums

from heddle.runtime import HeddleError, Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

BROADCAST = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %a = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %p = "mhlo.dynamic_broadcast_in_dim"(%x, %c) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %q = "mhlo.dynamic_broadcast_in_dim"(%y, %c) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %s = mhlo.add %p, %q : tensor<?x?xf32>
    shape.assuming_yield %s : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}"""

MEAN = """func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<i64>) {
  %zero = mhlo.constant dense<0.0> : tensor<f32>
  %sum = mhlo.reduce(%x init: %zero) applies mhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %n = tensor.extract %s[%c1] : tensor<2xindex>
  %n64 = arith.index_cast %n : index to i64
  %count = tensor.from_elements %n64 : tensor<i64>
  %float = mhlo.convert %count : (tensor<i64>) -> tensor<f32>
  %to = tensor.from_elements %rows, %c1 : tensor<2xindex>
  %column = mhlo.dynamic_reshape %sum, %to : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x1xf32>
  %all = "mhlo.dynamic_broadcast_in_dim"(%float, %to) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xindex>) -> tensor<?x1xf32>
  %mean = mhlo.divide %column, %all : tensor<?x1xf32>
  %size = shape.num_elements %s : tensor<2xindex> -> index
  %size64 = arith.index_cast %size : index to i64
  %elements = tensor.from_elements %size64 : tensor<i64>
  return %mean, %elements : tensor<?x1xf32>, tensor<i64>
}"""


def load(text): return Runtime(threads=1).load(compile_program(text.encode()))


def normal(*shape): return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_broadcast():
    run = load(BROADCAST)
    for x, y in ((normal(3, 5), normal(5)), (normal(4, 1), normal(7)), (normal(2, 6), normal(1))):
        np.testing.assert_array_equal(run(x, y)[0], x + y)
    with pytest.raises(HeddleError, match="dims differ|dim"): run(normal(3, 5), normal(4))  # what the witness said


def test_sizes_as_numbers():
    run = load(MEAN)
    for shape in ((3, 5), (1, 64), (17, 2)):
        mean, size = run(normal(*shape))
        wide = normal(*shape).astype(np.float64)
        assert_within(mean, wide.mean(1, keepdims=True), sums(shape[1] + 1), np.abs(wide).mean(1, keepdims=True))
        assert size == shape[0] * shape[1]
