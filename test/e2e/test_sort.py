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


@pytest.mark.parametrize("count", (1, 16, 17, 100))
def test_sort_of_many_operands(heddle, tmp_path, count):
    """The order follows from the last two operands alone; all go along."""
    types = [("f32", np.float32), ("i32", np.int32), ("ui8", np.uint8), ("i64", np.int64)]
    chosen = [types[i % 4] for i in range(count)]
    keys = [f"%{'lr'[side]}{count - 1 - k}" for k in range(min(2, count)) for side in (0, 1)]
    tensors = ", ".join(f"tensor<3x37x{name}>" for name, _ in chosen)
    body = ["    %p0 = stablehlo.compare LT, {0}, {1} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-1][0])]
    if count > 1:
        body += ["    %e = stablehlo.compare EQ, {0}, {1} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-1][0]),
                 "    %s = stablehlo.compare LT, {2}, {3} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-2][0]),
                 "    %b = stablehlo.and %e, %s : tensor<i1>", "    %p = stablehlo.or %p0, %b : tensor<i1>"]
    block = ", ".join(f"%l{i}: tensor<{name}>, %r{i}: tensor<{name}>" for i, (name, _) in enumerate(chosen))
    (tmp_path / "p.mlir").write_text("\n".join([
        "func.func @main(" + ", ".join(f"%a{i}: tensor<3x37x{name}>" for i, (name, _) in enumerate(chosen)) + f") -> ({tensors}) {{",
        f"  %0:{count} = \"stablehlo.sort\"(" + ", ".join(f"%a{i}" for i in range(count)) + ") <{dimension = 1 : i64, is_stable = true}> ({",
        f"  ^bb0({block}):", *body, f"    stablehlo.return {'%p' if count > 1 else '%p0'} : tensor<i1>", f"  }}) : ({tensors}) -> ({tensors})",
        "  return " + ", ".join(f"%0#{i}" for i in range(count)) + f" : {tensors}", "}"]))
    arrays = [np.random.default_rng(i).integers(0, 5, (3, 37)).astype(dtype) for i, (_, dtype) in enumerate(chosen)]
    np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    order = np.lexsort(arrays[-2:], axis=1)
    with np.load(tmp_path / "out.npz") as out:
        for i, a in enumerate(arrays): np.testing.assert_array_equal(out[f"out{i}"], np.take_along_axis(a, order, 1))
