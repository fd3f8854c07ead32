# SPDX-License-Identifier: Apache-2.0
"""Shapes that contradict what an op demands. Compiled code has no checks of its own, so every demand is met before it runs: an
error that names the argument or the op, the dim and the constraint, before anything is computed. Shapes that agree run."""
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

# op: (program, shapes that contradict it, shapes that fit, what the error says)
ROWS = {
    "dynamic_update_slice": ("""
func.func public @main(%a: tensor<?xf32>, %u: tensor<?xf32>, %i: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", "arg0=4 arg1=100000", "arg0=9 arg1=4", ["dynamic_update_slice", "argument 1: dim 0 is 100000", "at most dim 0 of operand 0"]),
    "sort": ("""
func.func public @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}
""", "arg0=4096 arg1=4", "arg0=7 arg1=7", ["argument 1: dim 0 is 4, but d0 is 4096 by argument 0"]),
    "scatter": ("""
func.func public @main(%a: tensor<?xf32>, %i: tensor<?x1xi32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<?xf32>, tensor<?x1xi32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", "arg0=4 arg1=1x1 arg2=4000000", "arg0=4 arg1=3x1 arg2=3", ["argument 2: dim 0 is 4000000, but d1 is 1 by argument 1"]),
    "slice": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.slice %a [0:4096] : (tensor<?xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
""", "arg0=4", "arg0=5000", ["stablehlo.slice", "limit 0 of operand 0 is 4096", "argument 0: dim 0 is 4"]),
    "dynamic_slice": ("""
func.func public @main(%a: tensor<?xf32>, %i: tensor<i32>) -> tensor<4096xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [4096] : (tensor<?xf32>, tensor<i32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
""", "arg0=4", "arg0=5000", ["stablehlo.dynamic_slice", "slice size 0 of operand 0 is 4096", "argument 0: dim 0 is 4"]),
    "gather": ("""
func.func public @main(%a: tensor<?xf32>, %i: tensor<2x1xi32>) -> tensor<2x4096xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 4096>}> : (tensor<?xf32>, tensor<2x1xi32>) -> tensor<2x4096xf32>
  return %0 : tensor<2x4096xf32>
}
""", "arg0=4", "arg0=5000", ["stablehlo.gather", "slice size 0 of operand 0 is 4096", "argument 0: dim 0 is 4"]),
    "broadcast_in_dim": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<?xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
""", "arg0=5", "arg0=1", ["stablehlo.broadcast_in_dim", "expected 1 or dim 0 of the result, which is 4096", "argument 0: dim 0 is 5"]),
    "reshape": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.reshape %a : (tensor<?xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
""", "arg0=5", "arg0=4096", ["argument 0: dim 0", "4096"]),
    "dynamic_reshape": ("""
func.func public @main(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %d0 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %b, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
""", "arg0=5 arg1=64x64", "arg0=12 arg1=3x4", ["argument 0: dim 0 is 5, but d1*d2 is 4096"]),
    "dot": ("""
func.func public @main(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
""", "arg0=2x4096 arg1=1x3", "arg0=2x5 arg1=5x3", ["argument 1: dim 0 is 1, but d0 is 4096 by argument 0"]),
    "select": ("""
func.func public @main(%p: tensor<?xi1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.select %p, %a, %b : tensor<?xi1>, tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", "arg0=4096 arg1=4096 arg2=1", "arg0=6 arg1=6 arg2=6", ["argument 2: dim 0 is 1, but d0 is 4096 by argument 0"]),
    "clamp": ("""
func.func public @main(%l: tensor<?xf32>, %a: tensor<?xf32>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.clamp %l, %a, %h : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", "arg0=4096 arg1=4096 arg2=1", "arg0=6 arg1=6 arg2=6", ["argument 2: dim 0 is 1, but d0 is 4096 by argument 0"]),
    "convolution": ("""
func.func public @main(%a: tensor<1x8x8x?xf32>, %k: tensor<3x3x?x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x?xf32>, tensor<3x3x?x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}
""", "arg0=1x8x8x1 arg1=3x3x512x4", "arg0=1x8x8x3 arg1=3x3x3x4", ["argument 1: dim 2 is 512, but d0 is 1 by argument 0"]),
    "reduce_window": ("""
func.func public @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%a, %b, %z, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
    %c = stablehlo.add %x, %u : tensor<f32>
    %d = stablehlo.add %y, %v : tensor<f32>
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}
""", "arg0=4096 arg1=2", "arg0=9 arg1=9", ["argument 1: dim 0 is 2, but d0 is 4096 by argument 0"]),
    "triangular_solve": ("""
func.func public @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
""", "arg0=3x4 arg1=4x5", "arg0=4x4 arg1=4x5", ["argument 0: dim 1 is 4, but d0 is 3 by argument 0"]),
    "select_and_scatter": ("""
func.func public @main(%a: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", "arg0=8 arg1=3", "arg0=8 arg1=4", ["argument 1: dim 0 is 3, but", "is 4 (d0 is 8 by argument 0)"]),
    "add": ("""
func.func public @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
""", "arg0=2x3 arg1=5x3", "arg0=5x3 arg1=5x3", ["argument 1: dim 0 is 5, but d0 is 2 by argument 0"]),
    "concatenate": ("""
func.func public @main(%a: tensor<?x2xf32>, %b: tensor<?x3xf32>) -> tensor<?x5xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}
""", "arg0=2x2 arg1=5x3", "arg0=5x2 arg1=5x3", ["argument 1: dim 0 is 5, but d0 is 2 by argument 0"]),
    "cholesky": ("""
func.func public @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.multiply %x, %x : tensor<?x?xf32>
  %0 = stablehlo.cholesky %z, lower = true : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
""", "arg0=3x4", "arg0=1x1", ["argument 0: dim 1 is 4, but d0 is 3 by argument 0"]),
    "fft": ("""
func.func public @main(%x: tensor<?x?xcomplex<f32>>) -> tensor<?x8xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<?x?xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return %0 : tensor<?x8xcomplex<f32>>
}
""", "arg0=3x4", "arg0=3x8", ["argument 0: dim 1", "8"]),
    "batched_dot": ("""
func.func public @main(%a: tensor<?x3x?xf32>, %b: tensor<?x?x5xf32>) -> tensor<?x3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x3x?xf32>, tensor<?x?x5xf32>) -> tensor<?x3x5xf32>
  return %0 : tensor<?x3x5xf32>
}
""", "arg0=2x3x4 arg1=7x4x5", "arg0=2x3x4 arg1=2x4x5", ["argument 1: dim 0 is 7, but d0 is 2 by argument 0"]),
    "grouped_convolution": ("""
func.func public @main(%a: tensor<1x8x?xf32>, %k: tensor<3x?x6xf32>) -> tensor<1x6x6xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x?xf32>, tensor<3x?x6xf32>) -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}
""", "arg0=1x8x6 arg1=3x6x6", "arg0=1x8x4 arg1=3x2x6", ["2*d1", "argument"]),
    "reduce": ("""
func.func public @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce"(%a, %b, %z, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
    %c = stablehlo.add %x, %u : tensor<f32>
    %d = stablehlo.maximum %y, %v : tensor<f32>
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}
""", "arg0=4096 arg1=2", "arg0=9 arg1=9", ["argument 1: dim 0 is 2, but d0 is 4096 by argument 0"]),
    "scatter_window": ("""
func.func public @main(%a: tensor<8x?xf32>, %i: tensor<3x1xi32>, %u: tensor<3x?xf32>) -> tensor<8x?xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x?xf32>, tensor<3x1xi32>, tensor<3x?xf32>) -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}
""", "arg0=8x4 arg1=3x1 arg2=3x900", "arg0=8x4 arg1=3x1 arg2=3x4", ["stablehlo.scatter", "argument 2: dim 1 is 900", "at most dim 1 of operand 0"]),
    "declared_result": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %a, dims = [0] : tensor<?xf32>
  %1 = stablehlo.pad %0, %c, low = [1], high = [1], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
""", "arg0=9", "arg0=6", ["argument 0: dim 0"]),
}


@pytest.fixture
def run(heddle, tmp_path):
    def call(text, shapes, *options, **more):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        if "--random" not in options: options = ("--random", 1, *options)
        return heddle("run", path, *(word for shape in shapes.split() for word in ("--shape", shape)), *options, **more)
    return call


def refused(done, *parts):
    assert done.returncode == 1, (done.returncode, done.stderr)
    for part in parts: assert part in done.stderr, done.stderr


@pytest.mark.parametrize("op", ROWS)
def test_contradiction(run, op):
    text, wrong, right, says = ROWS[op]
    refused(run(text, wrong), *says)
    run(text, right, "--reference=eval", check=True)


# What only the run knows: (program, seed, shapes and largest integer that contradict, those that fit or None, what it says)
LATE = {
    "real_dynamic_slice": ("""
func.func public @main(%a: tensor<?xf32>, %s: tensor<1xi32>, %l: tensor<1xi32>) -> tensor<?xf32> {
  %st = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %a, %s, %l, %st : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", 3, ("arg0=4", 100000000), ("arg0=40", 40), ["stablehlo.real_dynamic_slice", "element 0 of operand 2 is 45420829", "at most dim 0 of operand 0", "which is 4"]),
    "dynamic_gather": ("""
func.func public @main(%a: tensor<?xf32>, %i: tensor<1xi32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>}> : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", 1, ("arg0=4", 2000000000), ("arg0=40", 10), ["stablehlo.dynamic_gather", "element 0 of operand 2 is 1302950925", "at most dim 0 of operand 0"]),
    "dynamic_broadcast_in_dim": ("""
func.func public @main(%x: tensor<4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""", 3, ("", 100000), None, ["stablehlo.dynamic_broadcast_in_dim", "dim 0 of operand 0 is 4, expected 1 or dim 0 of the result"]),
    "equal_elements": ("""
func.func public @main(%n: tensor<1xi32>, %m: tensor<1xi32>) -> tensor<?xi32> {
  %c = stablehlo.constant dense<4000000> : tensor<1xi32>
  %m2 = stablehlo.add %m, %c : tensor<1xi32>
  %x = stablehlo.dynamic_iota %m2, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %y = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %r = stablehlo.reverse %y, dims = [0] : tensor<?xi32>
  %q = "stablehlo.sort"(%r) ({
  ^bb0(%p: tensor<i32>, %s: tensor<i32>):
    %l = stablehlo.compare LT, %p, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xi32>) -> tensor<?xi32>
  %z = stablehlo.add %x, %q : tensor<?xi32>
  return %z : tensor<?xi32>
}
""", 1, ("", 5), None, ["stablehlo.add", "dim 0 of operand 0 is 4000002", "which is 1"]),
    "argument_and_element": ("""
func.func public @main(%n: tensor<1xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %y = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %z = stablehlo.add %y, %x : tensor<?xi32>
  return %z : tensor<?xi32>
}
""", 1, ("arg1=1", 16), ("arg1=5", 16), ["stablehlo.add", "dim 0 of operand 0 is 5", "dim 0 of operand 1 (d1), which is 1"]),
}


@pytest.mark.parametrize("op", LATE)
def test_sizes_from_data(run, op):
    text, seed, wrong, right, says = LATE[op]
    refused(run(text, wrong[0], "--random", seed, "--random-max", wrong[1]), *says)
    if right: run(text, right[0], "--random", seed, "--random-max", right[1], "--reference=eval", check=True)


BRANCH = """
func.func public @main(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    %s = stablehlo.add %a, %b : tensor<?xf32>
    stablehlo.return %s : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
LOOP = """
func.func public @main(%n: tensor<i32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %v = %a) : tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %m = stablehlo.subtract %i, %one : tensor<i32>
    %w = stablehlo.add %v, %b : tensor<?xf32>
    stablehlo.return %m, %w : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}
"""


CROSSED = LOOP.replace("%v, %b :", "%b, %v :")  # the sum is as long as %b, what the loop carries as %a


@pytest.mark.parametrize("text, taken, left", [(BRANCH, np.bool_(True), np.bool_(False)), (LOOP, np.int32(3), np.int32(0)), (CROSSED, np.int32(3), np.int32(0))],
                         ids=["branch", "loop", "crossed"])
def test_only_what_runs(heddle, tmp_path, text, taken, left):
    """An op in a branch or a loop makes demands when it runs, and only then."""
    path = tmp_path / "program.mlir"
    path.write_text(text)
    ones = lambda first, *sizes: np.savez(tmp_path / "in.npz", arg0=first, **{f"arg{i + 1}": np.ones(n, np.float32) for i, n in enumerate(sizes)})  # noqa: E731
    ones(taken, 3, 4)
    refused(heddle("run", path, "--inputs", tmp_path / "in.npz"), "stablehlo.add", "dim 0 of operand", "is 3" if text != CROSSED else "is 4", "which is 4" if text != CROSSED else "which is 3")
    for first, sizes in ((left, (3, 4)), (left, (4, 3)), (taken, (4, 4)), (left, (70, 70))):
        ones(first, *sizes)
        heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)


OVERFLOW = """
func.func public @main(%a: tensor<?x0xf32>, %b: tensor<?x0xf32>) -> tensor<f32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x0xf32>) -> tensor<i32>
  %e0 = stablehlo.convert %d0 : (tensor<i32>) -> tensor<i64>
  %d1 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x0xf32>) -> tensor<i32>
  %e1 = stablehlo.convert %d1 : (tensor<i32>) -> tensor<i64>
  %r0 = stablehlo.reshape %e0 : (tensor<i64>) -> tensor<1xi64>
  %r1 = stablehlo.reshape %e1 : (tensor<i64>) -> tensor<1xi64>
  %s = stablehlo.concatenate %r0, %r1, %r0, %r1, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<4xi64>) -> tensor<?x?x?x?xf32>
  %r = "stablehlo.sort"(%i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [0,1,2,3] : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<f32>
  return %o : tensor<f32>
}
"""


def test_bytes_beyond_any_memory(run):
    refused(run(OVERFLOW, "arg0=65536x0 arg1=65536x0"), "too large")
    run(OVERFLOW, "arg0=3x0 arg1=2x0", "--reference=eval", check=True)


STATIC_BRANCH = """
func.func public @main(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
MIXED_BRANCH = """
func.func public @main(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %a : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
STATIC_LOOP = """
func.func public @main(%n: tensor<i32>, %a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %v = %b) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %m = stablehlo.subtract %i, %one : tensor<i32>
    %w = stablehlo.reverse %a, dims = [0] : tensor<?xf32>
    stablehlo.return %m, %w : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<4xf32>
}
"""


@pytest.mark.parametrize("text, wrong, right, says", [
    (STATIC_BRANCH, (np.bool_(True), 7), [(np.bool_(True), 4), (np.bool_(False), 7)], "stablehlo.return: dim 0 of operand 0 (d1) is 7, expected 4"),
    (MIXED_BRANCH, (np.bool_(False), 7), [(np.bool_(True), 7), (np.bool_(False), 4)], "stablehlo.add: dim 0 of operand 0 is 4, expected dim 0 of operand 1 (d1), which is 7"),
    (STATIC_LOOP, (np.int32(2), 7), [(np.int32(2), 4), (np.int32(0), 7)], "stablehlo.return: dim 0 of operand 1 (d1) is 7, expected 4")],
    ids=["static_branch", "mixed_branch", "static_loop"])
def test_what_regions_give(heddle, tmp_path, text, wrong, right, says):
    """What a region gives has the dims that are declared and used after it, or the run ends before anything is written there."""
    path = tmp_path / "program.mlir"
    path.write_text(text)
    def save(first, size): np.savez(tmp_path / "in.npz", arg0=first, arg1=np.ones(size, np.float32), arg2=np.ones(4, np.float32))  # noqa: E704
    save(*wrong)
    refused(heddle("run", path, "--inputs", tmp_path / "in.npz"), says)
    for case in right:
        save(*case)
        heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)


ASSERTED = """
func.func public @main(%n: tensor<i32>, %a: tensor<?xf32>) -> tensor<?xf32> {
  %d = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %same = stablehlo.compare EQ, %n, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %n, %d) {api_version = 2 : i32, error_message = "n is {0}, the vector has {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %r = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %r, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %s = stablehlo.add %i, %a : tensor<?xf32>
  return %s : tensor<?xf32>
}
"""


def test_assertion_about_data(run):
    """What a program asserts of its data is checked where it is, with the program's message."""
    refused(run(ASSERTED, "arg1=7", "--random", 1, "--random-max", 6), "n is ", "the vector has 7")


# What does not change in a loop: each contradicts vectors of 5 and 7 and gives %q, a tensor<1xf32>.
FIRST = "%q = stablehlo.slice %v [0:1] : (tensor<{}xf32>) -> tensor<1xf32>"
UNCHANGED = {
    "add": "%v = stablehlo.add %x, %y : tensor<?xf32>\n" + FIRST.format("?"),
    "next_after": "%v = chlo.next_after %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>\n" + FIRST.format("?"),
    "slice": "%v = stablehlo.slice %x [6:9] : (tensor<?xf32>) -> tensor<3xf32>\n" + FIRST.format(3),
    "dynamic_slice": "%v = stablehlo.dynamic_slice %x, %z, sizes = [9] : (tensor<?xf32>, tensor<i32>) -> tensor<9xf32>\n" + FIRST.format(9),
    "dynamic_update_slice": "%v = stablehlo.dynamic_update_slice %x, %y, %z : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>\n" + FIRST.format("?"),
    "concatenate": """%a = stablehlo.reshape %x : (tensor<?xf32>) -> tensor<?x1xf32>
      %b = stablehlo.reshape %y : (tensor<?xf32>) -> tensor<?x1xf32>
      %c = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
      %v = stablehlo.reshape %c : (tensor<?x2xf32>) -> tensor<?xf32>
      """ + FIRST.format("?"),
    "dot_general": "%v = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>\n%q = stablehlo.reshape %v : (tensor<f32>) -> tensor<1xf32>",
    "einsum": "%v = \"stablehlo.einsum\"(%x, %y) <{einsum_config = \"i,i->\"}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>\n%q = stablehlo.reshape %v : (tensor<f32>) -> tensor<1xf32>",
    "top_k": "%v, %w = chlo.top_k(%x, k = 9) : tensor<?xf32> -> (tensor<9xf32>, tensor<9xi32>)\n" + FIRST.format(9),
    "select": "%p = stablehlo.compare LT, %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>\n%v = stablehlo.select %p, %x, %y : tensor<?xi1>, tensor<?xf32>\n" + FIRST.format("?"),
    "gather": """%at = stablehlo.constant dense<0> : tensor<1x1xi32>
      %g = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 9>}> : (tensor<?xf32>, tensor<1x1xi32>) -> tensor<1x9xf32>
      %v = stablehlo.reshape %g : (tensor<1x9xf32>) -> tensor<9xf32>
      """ + FIRST.format(9),
}
STEPS = """
func.func public @main(%n: tensor<i32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<i32>, tensor<1xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<5.0> : tensor<1xf32>
  %r:2 = stablehlo.while(%i = %z, %o = %f) : tensor<i32>, tensor<1xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    OPS
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q : tensor<i32>, tensor<1xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<1xf32>
}
"""
ROWS_OF_PRODUCT = """
func.func public @main(%n: tensor<i32>, %x: tensor<?x?xf32>, %w: tensor<7x1xf32>) -> (tensor<i32>, tensor<1x1xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<5.0> : tensor<1x1xf32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %c = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %e = stablehlo.constant dense<1> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %step = stablehlo.constant dense<1> : tensor<2xi32>
  %r:2 = stablehlo.while(%i = %z, %o = %f) : tensor<i32>, tensor<1x1xf32>
  cond {
    %go = stablehlo.compare LT, %i, %d0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %a = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %b = stablehlo.add %a, %e : tensor<1xi32>
    %from = stablehlo.concatenate %a, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %to = stablehlo.concatenate %b, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %row = stablehlo.real_dynamic_slice %x, %from, %to, %step : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %q = stablehlo.dot_general %row, %w, contracting_dims = [1] x [0] : (tensor<1x?xf32>, tensor<7x1xf32>) -> tensor<1x1xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q : tensor<i32>, tensor<1x1xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<1x1xf32>
}
"""


@pytest.mark.parametrize("op", [*UNCHANGED, "rows"])
def test_loop_that_never_runs(heddle, tmp_path, op):
    """What does not change in a loop is computed before it, unless it may fail: a loop that never runs fails nothing."""
    path = tmp_path / "program.mlir"
    path.write_text(ROWS_OF_PRODUCT if op == "rows" else STEPS.replace("OPS", UNCHANGED[op]))

    def save(steps, *sizes): np.savez(tmp_path / "in.npz", arg0=np.int32(steps), **{f"arg{i + 1}": np.ones(s, np.float32) for i, s in enumerate(sizes)})
    fits = (12, 12) if op != "rows" else ((4, 7), (7, 1))
    save(0, *((5, 7) if op != "rows" else ((0, 5), (7, 1))))
    heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)
    heddle("bisect", path, "--inputs", tmp_path / "in.npz", "--target", "cuda", check=True)
    save(1, *((5, 7) if op != "rows" else ((1, 5), (7, 1))))
    refused(heddle("run", path, "--inputs", tmp_path / "in.npz"), "expected")
    save(2, *fits)
    heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)


# Regions on elements: what they compute contradicts vectors of 5 and 7.
SUM = """%s = stablehlo.add %y, %z : tensor<?xf32>
    %f = stablehlo.constant dense<0.0> : tensor<f32>
    %k = stablehlo.reduce(%s init: %f) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %e = stablehlo.add %a, %k : tensor<f32>"""
REGIONS = {
    "sort": """
func.func @main(%y: tensor<?xf32>, %z: tensor<?xf32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    SUM
    %c = stablehlo.compare LT, %e, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
""",
    "scatter": """
func.func @main(%y: tensor<?xf32>, %z: tensor<?xf32>, %x: tensor<?xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<?xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    SUM
    stablehlo.return %e : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<?xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""",
    "select_and_scatter": """
func.func @main(%y: tensor<?xf32>, %z: tensor<?xf32>, %x: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %g = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %u, %g) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    SUM
    %c = stablehlo.compare GE, %e, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""",
}
ONES = lambda *dims: np.ones(dims, np.float32)  # noqa: E731
PLACES = lambda *at: np.array(at, np.int32).reshape(-1, 1)  # noqa: E731
# What the region runs for: nothing; something.
TIMES = {"sort": ([[ONES(3, 1)], [ONES(3, 0)], [ONES(0, 4)]], [[ONES(3, 2)]]),
         "scatter": ([[ONES(3), PLACES(5, -1), ONES(2)], [ONES(0), PLACES(0, 1), ONES(2)]], [[ONES(3), PLACES(5, 1), ONES(2)]]),
         "select_and_scatter": ([[ONES(2), ONES(2)], [ONES(1), ONES(1)]], [[ONES(4), ONES(3)]])}


@pytest.mark.parametrize("op", REGIONS)
def test_region_that_never_runs(heddle, tmp_path, op):
    """A region on elements fails only where it runs: not for lines of one element, updates that are outside, windows that see
    one element."""
    path = tmp_path / "program.mlir"
    path.write_text(REGIONS[op].replace("SUM", SUM))

    def save(z, rest): np.savez(tmp_path / "in.npz", arg0=ONES(5), arg1=ONES(z), **{f"arg{i + 2}": x for i, x in enumerate(rest)})
    for rest in TIMES[op][0]:
        save(7, rest)
        heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)
        heddle("bisect", path, "--inputs", tmp_path / "in.npz", "--target", "cuda", check=True)
    for rest in TIMES[op][1]:
        save(7, rest)
        refused(heddle("run", path, "--inputs", tmp_path / "in.npz"), "stablehlo.add: dim 0 of operand 0", "expected dim 0 of operand 1")
        save(5, rest)
        heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)
