# SPDX-License-Identifier: Apache-2.0
"""Padding on compiled code: negative and interior together, and windows whose padding counts as the initial value."""
import pytest

PROGRAMS = {}
PROGRAMS["pad"] = """func.func @main(%x: tensor<3x3xf32>) -> tensor<2x3xf32> {
  %z = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [-1, 0], high = [0, -2], interior = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}"""
PROGRAMS["window"] = """func.func @main(%x: tensor<5xf32>) -> tensor<7xf32> {
  %i = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<2> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_padding(name, heddle, compiler, tmp_path):
    program = tmp_path / f"{name}.mlir"
    program.write_text(PROGRAMS[name])
    heddle("run", program, "--random", 1, "--reference=eval", check=True)
