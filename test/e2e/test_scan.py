# SPDX-License-Identifier: Apache-2.0
"""chlo.scan of inputs and slices whose sizes only the run tells: those that do not go together are refused."""
import numpy as np
import pytest

from heddle.runtime import HeddleError, Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")

SUMS = """func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32>, %c: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %y, %d = "chlo.scan"(%x, %w, %c) <{dimension = 0 : i64, SIZE operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %v: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.add %s, %v : tensor<f32>
    "stablehlo.return"(%t, %t) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return %y, %d : tensor<?xf32>, tensor<f32>
}"""
SLICES = """func.func @main(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %c: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %y, %d = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<?xf32>, %b: tensor<f32>):
    "stablehlo.return"(%w, %b) : (tensor<?xf32>, tensor<f32>) -> ()
  }) : (tensor<?x?xf32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>)
  return %y, %d : tensor<?x?xf32>, tensor<f32>
}"""


def ones(*shape): return np.ones(shape, np.float32)


def compiled(text, arrays): return Runtime(threads=1).load(compile_program(text.encode()))(*arrays)


def same(text, arrays):
    for got, want in zip(compiled(text, arrays), evaluate(text.encode(), arrays), strict=True): np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("size, n, m, words", [
    ("", 3, 5, "chlo.scan: dim 0 of operand 1 (d1) is 5, expected dim 0 of operand 0 (d0), which is 3"),
    ("scan_dim_size = 4 : i64,", 4, 6, "expected 4"), ("scan_dim_size = 4 : i64,", 6, 4, "expected 4")])
def test_inputs(size, n, m, words):
    text = SUMS.replace("SIZE", size)
    with pytest.raises(HeddleError) as error: compiled(text, [ones(n), ones(m), ones()])
    assert words in str(error.value)
    same(text, [ones(4), ones(4), ones()])


def test_slices():
    """An output has the dims that its slices have, which need not be those of an input; what its type says of them is held."""
    for n, m in ((3, 4), (3, 5), (0, 4)): same(SLICES, [ones(n, 5), ones(m), ones()])
    text = SLICES.replace("-> (tensor<?x?xf32>", "-> (tensor<?x5xf32>").replace("return %y, %d : tensor<?x?xf32>", "return %y, %d : tensor<?x5xf32>")
    with pytest.raises(HeddleError, match=r"chlo.scan: dim 0 of the slice of output #0 is 4, expected 5"):
        compiled(text, [ones(3, 5), ones(4), ones()])
    same(text, [ones(3, 5), ones(5), ones()])
    same(text, [ones(0, 5), ones(4), ones()])
