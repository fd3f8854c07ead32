# SPDX-License-Identifier: Apache-2.0
"""torch_index_select of tensors without elements, and scans of no steps whose body alone tells the dims of an output."""
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

PICK = """
func.func public @main(%x: tensor<{x}xf32>, %i: tensor<{i}xi32>) -> tensor<{o}xf32> {{
  %0 = "stablehlo.torch_index_select"(%x, %i) <{{dim = {d} : i64, batch_dims = {b} : i64}}> : (tensor<{x}xf32>, tensor<{i}xi32>) -> tensor<{o}xf32>
  return %0 : tensor<{o}xf32>
}}
"""
# types of operand, indices and result; dim, batch dims; shapes that run
PICKS = {
    "static": ("0x5", "0", "0x5", 0, 0, [((0, 5), (0,))]),
    "static_batch": ("0x3x5", "0x2", "0x2x5", 1, 1, [((0, 3, 5), (0, 2))]),
    "dynamic": ("?x5", "?", "?x5", 0, 0, [((0, 5), (0,)), ((4, 5), (0,)), ((4, 5), (3,)), ((1, 5), (2,))]),
    "width": ("?x?", "?", "?x?", 0, 0, [((0, 0), (3,)), ((0, 5), (0,)), ((3, 2), (4,))]),
    "batches": ("?x?x5", "?x?", "?x?x5", 1, 1, [((0, 3, 5), (0, 2)), ((2, 0, 5), (2, 0)), ((2, 3, 5), (2, 4))]),
    "inner": ("2x?", "?", "2x?", 1, 0, [((2, 0), (0,)), ((2, 3), (5,))]),
}


def given(heddle, tmp_path, text, *arrays):
    path = tmp_path / "program.mlir"
    path.write_text(text)
    np.savez(tmp_path / "in.npz", **{f"arg{k}": a for k, a in enumerate(arrays)})
    return path, "--inputs", tmp_path / "in.npz"


@pytest.mark.parametrize("case", PICKS)
def test_picks(heddle, tmp_path, case):
    x, i, o, dim, batch, shapes = PICKS[case]
    for shape, picked in shapes:
        values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        indices = np.arange(np.prod(picked), dtype=np.int32).reshape(picked) % max(shape[dim], 1)
        words = given(heddle, tmp_path, PICK.format(x=x, i=i, o=o, d=dim, b=batch), values, indices)
        heddle("run", *words, "--reference=eval", check=True)
        heddle("bisect", *words, "--target", "cuda", check=True)


@pytest.mark.parametrize("x", ["0x5", "?x5"])
def test_nothing_to_pick_from(heddle, tmp_path, x):
    words = given(heddle, tmp_path, PICK.format(x=x, i="2", o="2x5", d=0, b=0), np.zeros((0, 5), np.float32), np.zeros(2, np.int32))
    for command in ("eval", "run"): assert heddle(command, *words).returncode == 1


SCAN = """
func.func public @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %c: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %0:2 = "DIALECT.scan"(%x, %c) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%row: tensor<?xf32>, %s: tensor<f32>):
    %p = stablehlo.dot_general %row, %w, contracting_dims = [0] x [0] : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
    %t = stablehlo.concatenate %p, %row, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %n = stablehlo.add %s, %one : tensor<f32>
    stablehlo.return %t, %n : tensor<?xf32>, tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<f32>
}
"""


@pytest.mark.parametrize("dialect", ["chlo", "mhlo"])
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_scan_whose_body_tells_dims(heddle, tmp_path, dialect, steps):
    """An output has the dims that the body makes, not those of an input of its rank, also when there is no step."""
    ones = lambda *d: np.ones(d, np.float32)  # noqa: E731
    words = given(heddle, tmp_path, SCAN.replace("DIALECT", dialect), ones(steps, 4), ones(4, 7), np.float32(2))
    text = heddle("eval", *words, check=True).stdout
    assert f"out0: tensor<{steps}x11xf32>" in text and f"out1: tensor<f32> {steps + 2}" in text
    heddle("run", *words, "--reference=eval", check=True)
    heddle("bisect", *words, "--target", "cuda", check=True)
