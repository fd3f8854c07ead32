# SPDX-License-Identifier: Apache-2.0
"""Windows with strides along the lanes, whose elements are loaded as vectors and shuffled: inside of the padding without a mask, at its
border and in the rest of a row under one."""
import pytest

PROGRAM = """func.func @main(%x: tensor<?x?x?x{element}>) -> tensor<?x?x?x{element}> {{
  %i = stablehlo.constant dense<{init}> : tensor<{element}>
  %0 = "stablehlo.reduce_window"(%x, %i) <{{padding = dense<[[0, 0], [1, 0], [{low}, 1]]> : tensor<3x2xi64>,
      window_dimensions = array<i64: 1, 2, {window}>, window_strides = array<i64: 1, 2, {stride}>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %s = stablehlo.maximum %a, %b : tensor<{element}>
    stablehlo.return %s : tensor<{element}>
  }}) : (tensor<?x?x?x{element}>, tensor<{element}>) -> tensor<?x?x?x{element}>
  return %0 : tensor<?x?x?x{element}>
}}"""


@pytest.mark.parametrize("element, init", [("f32", "0xFF800000"), ("bf16", "0xFF80"), ("i32", "-9"), ("f64", "-9.0")])
@pytest.mark.parametrize("stride", [2, 3, 5])
def test_window_strides(element, init, stride, heddle, compiler, tmp_path):
    program = tmp_path / "program.mlir"
    for window, low in ((1, 0), (3, 1), (4, 2)):
        program.write_text(PROGRAM.format(element=element, init=init, stride=stride, window=window, low=low))
        for shape in ("2x5x9", "1x6x35", "2x7x100"):
            heddle("run", program, "--random", 1, "--shape", f"arg0={shape}", "--reference=eval", check=True)
