# SPDX-License-Identifier: Apache-2.0
"""Compiled sort: stable, along any dim, of several operands, at sizes 0, 1 and odd ones."""
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

SORT = """func.func @main(%k: tensor<?x?x{type}>, %v: tensor<?x?xi32>) -> (tensor<?x?x{type}>, tensor<?x?xi32>) {{
  %0:2 = "stablehlo.sort"(%k, %v) <{{dimension = {dim} : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare {direction}, %a, %b : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : (tensor<?x?x{type}>, tensor<?x?xi32>) -> (tensor<?x?x{type}>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?x{type}>, tensor<?x?xi32>
}}
"""


@pytest.mark.parametrize("dim", (0, 1))
@pytest.mark.parametrize("name, dtype", [("f32", np.float32), ("f64", np.float64), ("i8", np.int8), ("ui8", np.uint8), ("i64", np.int64)])
def test_sort_is_stable(heddle, tmp_path, name, dtype, dim):
    for direction in ("LT", "GT"):
        (tmp_path / "p.mlir").write_text(SORT.format(type=name, dim=dim, direction=direction))
        for shape in ((0, 3), (3, 0), (1, 1), (2, 7), (37, 5), (3, 130)):
            low = 0 if name == "ui8" else -9
            keys = np.random.default_rng(7).integers(low, 10 if low else 250, shape).astype(dtype) # few values: ties
            ids = np.broadcast_to(np.arange(shape[dim], dtype=np.int32).reshape((-1, 1) if dim == 0 else (1, -1)), shape).copy()
            np.savez(tmp_path / "in.npz", arg0=keys, arg1=ids)
            heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
            order = keys.astype(np.int64) if dtype not in (np.float32, np.float64) else keys
            want = np.argsort(order if direction == "LT" else -order, axis=dim, kind="stable")
            with np.load(tmp_path / "out.npz") as out:
                np.testing.assert_array_equal(out["out0"], np.take_along_axis(keys, want, dim))
                np.testing.assert_array_equal(out["out1"], want)
