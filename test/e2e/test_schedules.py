# SPDX-License-Identifier: Apache-2.0
"""Every way in which kernels are made (schedules of devices, kernels of the CPU), on one program each: that it was taken, that
its results are numpy's in f64 to within the error model, and what that comparison is worth: results that are zeros, that are moved by one
place or that have the other sign have to fail it."""
import json

import numpy as np
import pytest

import error_model
import heddle as hd
from error_model import EXACT, Bound, outside

pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(11)


def normal(*shape): return RNG.standard_normal(shape).astype(np.float32)


def function(takes, gives, body): return f"func.func @main({takes}) -> {gives} {{\n{body}}}\n"


def reduction(op, zero, dims, shape, result):
    return function(f"%x: tensor<{shape}xf32>", f"tensor<{result}f32>", f"""  %z = stablehlo.constant dense<{zero}> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.{op} across dimensions = {dims} : (tensor<{shape}xf32>, tensor<f32>) -> tensor<{result}f32>
  return %0 : tensor<{result}f32>
""")


LOOP = function("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = stablehlo.subtract %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
""")
TRANSPOSE = function("%x: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
""")
PRODUCT = function("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
""")
# Subtraction of what was read from what is there: neither order nor sign is lost.
EPILOGUE = function("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.subtract %0, %b : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
""")
ARGMAX = function("%x: tensor<?x?xf32>", "(tensor<?xf32>, tensor<?xi32>)", """  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi32>
  %r:2 = stablehlo.reduce(%x init: %m), (%i init: %z) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
    %w = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi32>
""")
SCATTER = function("%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
""")
SORT = function("%x: tensor<?x?xf32>", "tensor<?x?xf32>", """  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
""")
SELECT_AND_SCATTER = function("%x: tensor<?xf32>, %s: tensor<?xf32>", "tensor<?xf32>", """  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
""")
SCAN = function("%x: tensor<6x40xf32>", "tensor<6x40xf32>", """  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 40>, padding = dense<[[0, 0], [39, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x40xf32>, tensor<f32>) -> tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
""")
UPDATE = function("%x: tensor<8x?xf32>, %u: tensor<1x?xf32>, %i: tensor<i32>", "tensor<8x?xf32>", """  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<8x?xf32>, tensor<1x?xf32>, tensor<i32>, tensor<i32>) -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
""")


def add(x, *args): return np.sum(x.astype(np.float64), *args), np.sum(np.abs(x.astype(np.float64)), *args)
def product(x, y): return x.astype(np.float64) @ y, np.abs(x.astype(np.float64)) @ np.abs(y)
def with_epilogue(x, y, b): return product(x, y)[0] - b, product(x, y)[1] + np.abs(b)
def argmax(x): return [(x.max(1), None), (x.argmax(1).astype(np.int32), None)]
def running(x): return np.cumsum(x.astype(np.float64), 1), np.cumsum(np.abs(x.astype(np.float64)), 1)


def scattered(x, i, u):
    out, size = x.astype(np.float64), np.abs(x.astype(np.float64))
    np.add.at(out, i[:, 0], u), np.add.at(size, i[:, 0], np.abs(u))
    return out, size


def selected(x, s):
    out = np.zeros(x.shape)
    for k, value in enumerate(s): out[3 * k + np.argmax(x[3 * k:3 * k + 3])] += value
    return out, None


def updated(x, u, i):
    out = x.copy()
    out[i:i + 1] = u
    return out, None


# Name: program, inputs, numpy's function of them (exact results, and magnitudes of the terms of sums), bound, the kernel that runs on
# simt, whether its blocks have barriers (the second round of a reduction, tiles), and the last fusion's route on the CPU.
ROWS = {
    "loop": (LOOP, (normal(5, 37), normal(5, 37)), lambda x, y: (x - y, None), EXACT, "loop_subtract", False, "emitter: loop"),
    "row one round": (reduction("add", "0.0", [1], "?x?", "?x"), (normal(19, 40),), lambda x: add(x, 1), Bound(terms=40), "row_reduce", False, "emitter: row reduction"),
    "row two rounds": (reduction("add", "0.0", [1], "?x?", "?x"), (normal(3, 9001),), lambda x: add(x, 1), Bound(terms=9001), "row_reduce", True, "emitter: row reduction"),
    "ordered row": (ARGMAX, (normal(7, 100),), argmax, EXACT, "row_reduce", False, "emitter: loop"),
    "ordered long row": (ARGMAX, (normal(3, 5000),), argmax, EXACT, "row_reduce", True, "emitter: loop"),
    "parts of columns": (reduction("add", "0.0", [0], "?x?", "?x"), (normal(700, 37),), lambda x: add(x, 0), Bound(terms=700), "column_reduce", True, "emitter: column reduction"),
    "parts of a middle dim": (reduction("maximum", "0xFF800000", [1], "?x?x?", "?x?x"), (normal(3, 50, 37),), lambda x: (x.max(1), None), EXACT, "column_reduce", True, "emitter: column reduction"),
    "parts of one long row": (reduction("add", "0.0", [0], "?", ""), (normal(300000) + np.float32(1),), add, Bound(terms=300000), "column_reduce", True, "emitter: column reduction"),
    "transpose": (TRANSPOSE, (normal(70, 45),), lambda x: (x.T, None), EXACT, "tile_transpose", True, "emitter: loop"),
    "product": (PRODUCT, (normal(70, 33), normal(33, 50)), product, Bound(terms=33), "product_dot_general", True, "library: packed GEMM"),
    "epilogue": (EPILOGUE, (normal(70, 33), normal(33, 50), normal(70, 50)), with_epilogue, Bound(terms=34), "product_dot_general", True, "library: packed GEMM, the other ops on its tile"),
    "scatter": (SCATTER, (normal(20, 8), RNG.integers(0, 20, (50, 1)).astype(np.int32), normal(50, 8)), scattered, Bound(terms=51), "loop_scatter", False, "emitter: loop"),
    "sort": (SORT, (normal(3, 77),), lambda x: (np.sort(x, 1), None), EXACT, "loop_sort", False, "emitter: loop"),
    "select and scatter": (SELECT_AND_SCATTER, (normal(30), normal(10)), selected, EXACT, "loop_select_and_scatter", False, "emitter: loop"),
    "scan": (SCAN, (normal(6, 40),), running, Bound(terms=40), "loop_reduce_window", False, "emitter: loop"),
    "update": (UPDATE, (normal(8, 33), normal(1, 33), np.int32(5)), updated, EXACT, "loop_dynamic_update_slice", False, "emitter: loop"),
}


def wrong(got, exact, magnitude, bound):
    return outside(np.asarray(got), np.asarray(exact), bound, magnitude).any()


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("name", ROWS)
def test_schedule(heddle, tmp_path, name, target):
    program, inputs, reference, bound, kernel, barriers, route = ROWS[name]
    (tmp_path / "p.mlir").write_text(program)
    np.savez(tmp_path / "in.npz", **{f"arg{i}": x for i, x in enumerate(inputs)})
    counted = ["--inputs", tmp_path / "in.npz"] if target == "simt" else []
    said = json.loads(heddle("explain", tmp_path / "p.mlir", "--target", target, *counted, "--json", check=True).stdout)
    if target == "simt":
        launched = [k for k in said["device_kernels"] if k["name"].startswith(kernel)]
        assert launched and any(k["barriers"] for k in launched) == barriers, said["device_kernels"]
    else: assert said["fusions"][-1]["route"] == route
    got = hd.compile(program, target=target)(*inputs)
    expected = reference(*inputs)
    for g, (exact, magnitude) in zip(got if isinstance(got, (tuple, list)) else [got], expected if isinstance(expected, list) else [expected], strict=True):
        g = np.asarray(g)
        assert not wrong(g, exact, magnitude, bound)
        for change, changed in error_model.mutations(g): assert wrong(changed, exact, magnitude, bound), change
