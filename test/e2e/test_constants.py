# SPDX-License-Identifier: Apache-2.0
"""Constants are the program's for all its runs: what updates one in place updates a copy."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

CONSTANT = "  %a = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9]> : tensor<9xi64>\n"
SCATTER = """  %r = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%o: tensor<i64>, %v: tensor<i64>):
    %w = stablehlo.add %o, %v : tensor<i64>
    stablehlo.return %w : tensor<i64>
  }) : (tensor<9xi64>, tensor<1xi32>, tensor<i64>) -> tensor<9xi64>
"""
UPDATE = """  %b = stablehlo.reshape %u : (tensor<i64>) -> tensor<1xi64>
  %k = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>
  %r = stablehlo.dynamic_update_slice %a, %b, %k : (tensor<9xi64>, tensor<1xi64>, tensor<i32>) -> tensor<9xi64>
"""
LOOP = """  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %q, %r = stablehlo.while(%c = %zero, %x = %a) : tensor<i32>, tensor<9xi64>
  cond {
    %p = stablehlo.compare LT, %c, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %d = stablehlo.add %c, %one : tensor<i32>
    %s = stablehlo.broadcast_in_dim %u, dims = [] : (tensor<i64>) -> tensor<9xi64>
    %y = stablehlo.add %x, %s : tensor<9xi64>
    stablehlo.return %d, %y : tensor<i32>, tensor<9xi64>
  }
"""
BRANCH = """  %z = stablehlo.constant dense<0> : tensor<i64>
  %p = stablehlo.compare LT, %u, %z, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<9xi64>
  }, {
    %t = stablehlo.reverse %a, dims = [0] : tensor<9xi64>
    %b = stablehlo.reshape %u : (tensor<i64>) -> tensor<1xi64>
    %k = stablehlo.reshape %i : (tensor<1xi32>) -> tensor<i32>
    %s = stablehlo.dynamic_update_slice %a, %b, %k : (tensor<9xi64>, tensor<1xi64>, tensor<i32>) -> tensor<9xi64>
    %y = stablehlo.add %t, %s : tensor<9xi64>
    stablehlo.return %y : tensor<9xi64>
  }) : (tensor<i1>) -> tensor<9xi64>
"""
A = np.arange(1, 10)


def put(x, i, u): return np.where(np.arange(9) == i, u, x)


@pytest.mark.parametrize("body, want", [(SCATTER, lambda i, u: A + u * (np.arange(9) == i)), (UPDATE, lambda i, u: put(A, i, u)),
                                        (LOOP, lambda i, u: A + 2 * u), (BRANCH, lambda i, u: A if u < 0 else A[::-1] + put(A, i, u))],
                         ids=["scatter", "update", "loop", "branch"])
def test_constants_stay(compiler, body, want):
    text = f"func.func @main(%i: tensor<1xi32>, %u: tensor<i64>) -> tensor<9xi64> {{\n{CONSTANT}{body}  return %r : tensor<9xi64>\n}}\n"
    executable = Runtime(threads=1).load(compile_program(text.encode(), "constant.mlir", threads=1))
    for i, u in ((3, 7), (3, 7), (0, -2), (8, 100), (3, 7)):
        assert executable(np.array([i], np.int32), np.int64(u))[0].tolist() == want(i, u).tolist()
