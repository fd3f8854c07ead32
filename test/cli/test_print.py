# SPDX-License-Identifier: Apache-2.0
"""interpreter.print in compiled programs: the same lines as on the evaluator, in the order of the program."""
import os
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("compiler")

LOOP = """func.func @main(%x: tensor<?x?xf32>, %n: tensor<i32>) -> tensor<?x?xf32> {
  "interpreter.print"(%x) : (tensor<?x?xf32>) -> ()
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %e = stablehlo.negate %x : tensor<?x?xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %e) : tensor<i32>, tensor<?x?xf32>
    cond {
      %c = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      "interpreter.print"(%i) : (tensor<i32>) -> ()
      %j = stablehlo.add %i, %one : tensor<i32>
      %t = stablehlo.add %s, %s : tensor<?x?xf32>
      "interpreter.print"(%t) : (tensor<?x?xf32>) -> ()
      stablehlo.return %j, %t : tensor<i32>, tensor<?x?xf32>
    }
  %t = stablehlo.transpose %r#1, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "interpreter.print"(%t) : (tensor<?x?xf32>) -> ()
  return %r#1 : tensor<?x?xf32>
}
"""
TYPES = {"i1": "true, false", "i8": "-3, 7", "ui8": "250, 7", "i64": "-9, 4", "ui32": "4000000000, 1", "f64": "0.1, -2.5", "bf16": "1.5, -0.25", "f16": "0x7E00, -0.25",
         "complex<f32>": "(1.0, -2.0), (0.5, 3.0)"}


def lines(done):
    assert done.returncode == 0, done.stderr
    return [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("tensor<")]


def test_in_order(heddle, tmp_path):
    (tmp_path / "p.mlir").write_text(LOOP)
    words = [tmp_path / "p.mlir", "--random", 3, "--random-max", 3, "--shape", "arg0=2x3"]
    want = lines(heddle("eval", *words))
    assert len(want) >= 4 and want[1] == "tensor<i32> [0]" and want[-1].startswith("tensor<3x2xf32> [")
    assert lines(heddle("run", *words)) == want
    heddle("bisect", *words, "--target", "cuda", check=True)


@pytest.mark.parametrize("element", TYPES)
def test_types(heddle, tmp_path, element):
    (tmp_path / "p.mlir").write_text(f"""func.func @main() -> tensor<2x{element}> {{
  %0 = stablehlo.constant dense<[{TYPES[element]}]> : tensor<2x{element}>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x{element}>
  "interpreter.print"(%1) : (tensor<2x{element}>) -> ()
  return %1 : tensor<2x{element}>
}}
""")
    want = lines(heddle("eval", tmp_path / "p.mlir"))
    assert len(want) == 1 and lines(heddle("run", tmp_path / "p.mlir")) == want


def test_empty_and_scalar(heddle, tmp_path):
    (tmp_path / "p.mlir").write_text("""func.func @main(%x: tensor<?x0xf32>, %s: tensor<f32>) -> tensor<f32> {
  "interpreter.print"(%x) : (tensor<?x0xf32>) -> ()
  "interpreter.print"(%s) : (tensor<f32>) -> ()
  return %s : tensor<f32>
}
""")
    words = [tmp_path / "p.mlir", "--random", 1, "--shape", "arg0=2x0"]
    want = lines(heddle("eval", *words))
    assert want[0] == "tensor<2x0xf32> []" and lines(heddle("run", *words)) == want


SMALL = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6, "f8E3M4": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8, "f8E5M2": 8, "f8E5M2FNUZ": 8,
         "f8E8M0FNU": 8}


@pytest.mark.parametrize("element", SMALL)
def test_small_floats(heddle, tmp_path, element):
    """Every pattern of the floats that have a byte in memory: its value, not its bits."""
    count = 1 << SMALL[element]
    (tmp_path / "p.mlir").write_text(f"""func.func @main() -> tensor<{count}x{element}> {{
  %0 = stablehlo.constant dense<[{', '.join(f'0x{k:02X}' for k in range(count))}]> : tensor<{count}x{element}>
  "interpreter.print"(%0) : (tensor<{count}x{element}>) -> ()
  return %0 : tensor<{count}x{element}>
}}
""")
    want = [line.replace("-nan", "nan") for line in lines(heddle("eval", tmp_path / "p.mlir"))]
    assert len(want) == 1 and "0x" not in want[0]
    assert [line.replace("-nan", "nan") for line in lines(heddle("run", tmp_path / "p.mlir"))] == want
