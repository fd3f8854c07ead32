# SPDX-License-Identifier: Apache-2.0
"""What a program asserts of its own dims: its message is what the user reads, with the argument, the dim and the constraint;
from the compiler, from an artifact and from the evaluator. Dims that are expressions follow from their symbols."""
import numpy as np
import needs
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

EQUAL = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %same = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %n, %m) {api_version = 2 : i32, error_message = "the second vector has {0} elements, the first {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %r = stablehlo.add %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
BOUND = """
func.func @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %enough = stablehlo.compare GE, %m, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%enough, %m) {api_version = 2 : i32, error_message = "too few rows: {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %r = stablehlo.negate %a : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
"""


@pytest.fixture
def program(tmp_path):
    def write(text):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        return path
    return write


def save(path, *arrays):
    np.savez(path, **{f"arg{i}": a for i, a in enumerate(arrays)})
    return path


def refused(done, *parts):
    assert done.returncode == 1, (done.returncode, done.stderr)
    for part in parts: assert part in done.stderr, done.stderr


def test_equal_dims(heddle, program, tmp_path):
    file = program(EQUAL)
    ones = lambda *sizes: save(tmp_path / "in.npz", *(np.ones(n, np.float32) for n in sizes))  # noqa: E731
    message = "the second vector has 5 elements, the first 2"
    where = "(argument 1: dim 0 is 5, argument 0: dim 0 is 2; expected d1 == d0)"
    refused(heddle("run", file, "--inputs", ones(2, 5)), message, where)
    refused(heddle("run", file, "--random", 0, "--shape", "arg0=2", "--shape", "arg1=5"), message, where)
    heddle("compile", file, "-o", tmp_path / "program.hdl", check=True)
    refused(heddle("run", tmp_path / "program.hdl", "--inputs", ones(2, 5)), message, where)
    refused(heddle("eval", file, "--inputs", ones(2, 5)), message)
    heddle("run", file, "--inputs", ones(5, 5), "--reference=eval", check=True)


def test_bounds(heddle, program):
    file = program(BOUND)
    refused(heddle("run", file, "--random", 0, "--shape", "arg0=2x3"), "too few rows: 2", "argument 0: dim 0 is 2; expected d0 >= 4")
    heddle("run", file, "--random", 0, "--shape", "arg0=4x3", check=True)


def test_never_true(heddle, program):
    """A contradiction is an error of the compiler."""
    refused(heddle("run", program(BOUND.replace("?x3", "2x3").replace("%m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2x3xf32>) -> tensor<i32>",
                                                                      "%m = stablehlo.constant dense<2> : tensor<i32>")), "--random", 0),
            "is never true: too few rows")


@pytest.mark.parametrize("spec, dims, shape, wrong", [("2*n+1", "n=4", 9, 4), ("4*n", "n=3", 12, 10), ("3*n+2", "n=2", 8, 9)])
def test_dims_that_are_expressions(heddle, tmp_path, spec, dims, shape, wrong):
    jax = needs.module("jax", group="python")
    from jax import export
    dim, = export.symbolic_shape(spec)
    exported = export.export(jax.jit(lambda x, y: x * 2 + y))(*[jax.ShapeDtypeStruct((dim,), np.float32)] * 2)
    file = tmp_path / "program.mlir"
    file.write_text(exported.mlir_module())
    heddle("run", file, "--random", 0, "--dims", dims, "--outputs", tmp_path / "out.npz", "--reference=eval", check=True)
    with np.load(tmp_path / "out.npz") as out: assert out["out0"].shape == (shape,)
    refused(heddle("run", file, "--random", 0, "--shape", f"arg0={wrong}", "--shape", f"arg1={wrong}"), "Division had remainder",
            f"argument 0: dim 0 is {wrong}")
    refused(heddle("run", file, "--random", 0, "--shape", f"arg0={shape}", "--shape", f"arg1={wrong}"), "Found inconsistency", "argument 1: dim 0 is")


def test_divisible_dims(heddle, tmp_path):
    jax = needs.module("jax", group="python")
    from jax import export
    n, = export.symbolic_shape("n", constraints=["n >= 4", "mod(n, 2) == 0"])
    exported = export.export(jax.jit(lambda x: x * 2))(jax.ShapeDtypeStruct((n,), np.float32))
    file = tmp_path / "program.mlir"
    file.write_text(exported.mlir_module())
    heddle("run", file, "--random", 0, "--dims", "n=6", "--reference=eval", check=True)
    refused(heddle("run", file, "--random", 0, "--dims", "n=5"), "symbolic shape constraint", "argument 0: dim 0 is 5")
    refused(heddle("run", file, "--random", 0, "--dims", "n=2"), "n >= 4", "argument 0: dim 0 is 2")
