# SPDX-License-Identifier: Apache-2.0
"""heddle bisect names the stage that changes results; heddle reduce keeps what makes a command fail."""
import json

import pytest

TANH = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.tanh %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""

BIG = """func.func private @helper(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func public @main(%a: tensor<4x8xf32>, %b: tensor<?x3xi32>) -> (tensor<4x8xf32>, tensor<?x3xi32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %a : tensor<4x8xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
  %3 = func.call @helper(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.negate %b : tensor<?x3xi32>
  %5 = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%3 init: %5) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.sine %3 : tensor<4x8xf32>
  return %7, %4, %6 : tensor<4x8xf32>, tensor<?x3xi32>, tensor<4xf32>
}
"""


@pytest.fixture
def program(tmp_path):
    def write(text):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        return path
    return write


def test_equal_program(heddle, compiler, program):
    done = heddle("bisect", program(TANH), "--random", 1, "--shape", "arg0=3x17", "--json", check=True)
    stages = json.loads(done.stdout)["stages"]
    assert all(s["equal"] for s in stages) and stages[-1]["pass"] == "machine code"


def test_first_difference(heddle, compiler, program):
    """The polynomial that expand-math writes is not the C library's tanh, to the last bit."""
    done = heddle("bisect", program(TANH), "--random", 1, "--shape", "arg0=3x17", "--tolerance", "1e-12", "--json")
    assert done.returncode == 3
    last = json.loads(done.stdout)["stages"][-1]
    assert last["pass"] == "expand-math" and not last["equal"] and len(last["element"]) == 2
    assert last["op"].startswith("loop_tanh") and ":2:" in last["loc"]
    assert last["got"] == pytest.approx(last["expected"], rel=1e-5) and last["got"] != last["expected"]


TWO = """func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.tanh %0 : tensor<?x8xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<?x8xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<?x8xf32>
}
"""


def test_worst_element(heddle, compiler, program):
    """The kernel that wrote the element, not one that reads the buffer later, and the ops that it computes."""
    done = heddle("run", program(TWO), "--random", 1, "--shape", "arg0=3x8", "--reference=eval", "--tolerance", "1e-12")
    assert done.returncode == 3
    assert "worst element: out0[" in done.stderr and "expected" in done.stderr
    assert "written by gemm_dot_general_tanh_0 from" in done.stderr and "program.mlir:2:8" in done.stderr and "program.mlir:3:8" in done.stderr


def test_wrong_input(heddle, compiler, program):
    done = heddle("bisect", program(TANH))
    assert done.returncode != 0 and "--inputs" in done.stderr


def test_reduce(heddle, program, tmp_path):
    out = tmp_path / "small.mlir"
    done = heddle("reduce", program(BIG), "--test", "if grep -q stablehlo.multiply {}; then exit 3; fi", "-o", out)
    assert done.returncode == 0, done.stderr
    text = out.read_text()
    assert "stablehlo.multiply" in text
    assert not any(word in text for word in ("tanh", "sine", "helper", "reduce", "negate", "4x8")), text
    heddle("eval", out, "--random", 1, check=True)


def test_reduce_needs_failure(heddle, program):
    done = heddle("reduce", program(BIG), "--test", "true")
    assert done.returncode == 1 and "does not fail" in done.stderr
