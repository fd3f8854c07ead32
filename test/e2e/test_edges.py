# SPDX-License-Identifier: Apache-2.0
"""Small hand-written programs where compilers slip: size 0 and 1, non-multiples of vector widths, and non-finite values."""
import numpy as np
import pytest
from error_model import EXACT, FUNCTION_ULPS, Bound, assert_within, rounded, sums

pytestmark = pytest.mark.usefixtures("compiler")

SIZES = (0, 1, 3, 16, 37)


def elementwise(op): return f"""func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = stablehlo.{op} %a : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""


def reduce(op, start): return f"""func.func @main(%a: tensor<?x?xf32>) -> tensor<?xf32> {{
  %z = stablehlo.constant dense<{start}> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.{op} across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""


DOT = """func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
CONCATENATE = """func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
TRANSPOSE = """func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""


@pytest.fixture
def run(heddle, tmp_path):
    def go(program, *arrays):
        (tmp_path / "p.mlir").write_text(program)
        np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
        heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
        with np.load(tmp_path / "out.npz") as out: return out["out0"]
    return go


def values(*shape): return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("rows", SIZES)
def test_elementwise_sizes(run, rows):
    for columns in SIZES:
        x = values(rows, columns)
        np.testing.assert_array_equal(run(elementwise("negate"), x), -x)


@pytest.mark.parametrize("op, start, of", [("add", "0.0", np.sum), ("maximum", "0xFF800000", lambda x, axis: np.max(x, axis=axis, initial=-np.inf)),
                                           ("multiply", "1.0", np.prod)])
def test_reduce_sizes(run, op, start, of):
    for rows, columns in ((0, 0), (0, 5), (5, 0), (1, 1), (3, 17), (37, 1000)):
        x = values(rows, columns) / 4
        wide = x.astype(np.float64)
        want, bounds = of(wide, axis=1), {"add": (sums(columns), np.abs(wide).sum(1)), "maximum": (EXACT,)}
        assert_within(run(reduce(op, start), x), want, *bounds.get(op, (Bound(terms=columns), np.abs(want))))


@pytest.mark.parametrize("m, k, n", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (1, 1, 1), (1, 300, 1), (7, 13, 17), (65, 129, 33)])
def test_dot_sizes(run, m, k, n):
    a, b = values(m, k), values(k, n)
    assert_within(run(DOT, a, b), a.astype(np.float64) @ b, sums(k), np.abs(a.astype(np.float64)) @ np.abs(b))


def test_concatenate_and_transpose_sizes(run):
    for a, b in ((0, 0), (0, 3), (3, 0), (1, 1), (5, 9)):
        x, y = values(a, 4), values(b, 4) + 1
        np.testing.assert_array_equal(run(CONCATENATE, x, y), np.concatenate([x, y]))
    for shape in ((0, 4), (1, 1), (5, 9), (33, 65)):
        x = values(*shape)
        np.testing.assert_array_equal(run(TRANSPOSE, x), 2 * x.T)


def test_concatenate_of_many_unknown_sizes(run):
    n = 60
    arguments, types = ", ".join(f"%a{i}: tensor<?xf32>" for i in range(n)), ", ".join(["tensor<?xf32>"] * n)
    program = f"""func.func @main({arguments}) -> tensor<?xf32> {{
  %0 = stablehlo.concatenate {", ".join(f"%a{i}" for i in range(n))}, dim = 0 : ({types}) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""
    arrays = [values(i % 4) + i for i in range(n)]
    np.testing.assert_array_equal(run(program, *arrays), np.concatenate(arrays))


GATHER_SLICE = """func.func @main(%a: tensor<4x?xf32>, %i: tensor<1xi32>) -> tensor<?xf32> {
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %c1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>}> : (tensor<4x?xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def test_gather_without_index_vector_dim(run):
    """An absent index_vector_dim is 0: the whole of the start indices is one vector."""
    for n in (0, 1, 3, 40):
        x = values(4, n)
        for i in (-3, 0, 2, 9): np.testing.assert_array_equal(run(GATHER_SLICE, x, np.array([i], np.int32)), x[min(max(i, 0), 3)])


EDGE = np.array([[0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e4, -1e4, 1e-38, -1e-38, 3.4e38, 88.7, -103.0, 0.5, 2.0, 1e-45]], np.float32)


@pytest.mark.parametrize("op, of", [("exponential", np.exp), ("log", np.log), ("tanh", np.tanh), ("sqrt", np.sqrt),
                                    ("rsqrt", lambda x: 1 / np.sqrt(x)), ("logistic", lambda x: 1 / (1 + np.exp(-x))), ("abs", np.abs),
                                    ("floor", np.floor), ("ceil", np.ceil), ("sign", np.sign), ("exponential_minus_one", np.expm1),
                                    ("log_plus_one", np.log1p), ("sine", np.sin), ("cosine", np.cos), ("cbrt", np.cbrt)])
def test_edge_values(run, op, of):
    with np.errstate(all="ignore"): assert_within(run(elementwise(op), EDGE), of(EDGE.astype(np.float64)), rounded(FUNCTION_ULPS.get(op, 0), EDGE.dtype))
