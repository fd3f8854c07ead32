# SPDX-License-Identifier: Apache-2.0
"""Ops that move, gather, reduce and control, at shapes with 0 and 1 and at several element types, against the reference
interpreter or XLA:CPU."""
import math

import numpy as np
import pytest

from harness import Case, assert_cases, case
from values import constant, dims_text, is_complex, is_float, moderate, operand, tag, tensor

ELEMENTS = ["i1", "i4", "ui8", "i32", "i64", "bf16", "f16", "f32", "f64", "f8E4M3FN", "complex<f32>"]


MOVES = {
    "reshape": ([2, 3], "stablehlo.reshape %x : ({x}) -> {r}", [3, 1, 2]),
    "reshape_empty": ([0, 3], "stablehlo.reshape %x : ({x}) -> {r}", [3, 0, 2]),
    "broadcast_in_dim": ([3, 1], "stablehlo.broadcast_in_dim %x, dims = [2, 0] : ({x}) -> {r}", [2, 4, 3]),
    "broadcast_scalar": ([], "stablehlo.broadcast_in_dim %x, dims = [] : ({x}) -> {r}", [2, 3]),
    "broadcast_empty": ([1], "stablehlo.broadcast_in_dim %x, dims = [0] : ({x}) -> {r}", [0, 3]),
    "transpose": ([2, 3, 4], "stablehlo.transpose %x, dims = [2, 0, 1] : ({x}) -> {r}", [4, 2, 3]),
    "slice": ([5, 6], "stablehlo.slice %x [1:4:2, 0:6:4] : ({x}) -> {r}", [2, 2]),
    "slice_empty": ([5, 6], "stablehlo.slice %x [2:2, 1:3] : ({x}) -> {r}", [0, 2]),
    "reverse": ([3, 4], "stablehlo.reverse %x, dims = [1, 0] : ({x}) -> {r}", [3, 4]),
}


@pytest.mark.parametrize("name", sorted(MOVES))
def test_moves(name):
    dims, op, result = MOVES[name]
    if "broadcast_in" in name: dims = {"broadcast_in_dim": [3, 2]}.get(name, dims); result = [2, 4, 3]
    assert_cases([case(f"{name}_{tag(e)}", [("%x", e, dims)], op, result, e) for e in ELEMENTS])


def test_concatenate_and_pad():
    cases = []
    for e in ELEMENTS:
        cases.append(case(f"concatenate_{tag(e)}", [("%x", e, [2, 3]), ("%y", e, [2, 0]), ("%z", e, [2, 1])],
                          "stablehlo.concatenate %x, %y, %z, dim = 1 : ({x}, {y}, {z}) -> {r}", [2, 4], e))
        for k, (low, high, interior, result) in enumerate([
                ([1, 0], [0, 2], [0, 1], [4, 7]), ([-1, 0], [0, -2], [0, 1], [2, 3]), ([2, -3], [1, 3], [2, 2], [10, 7]),
                ([-5, 0], [0, 0], [1, 0], [0, 3])]):
            cases.append(case(f"pad_{k}_{tag(e)}", [("%x", e, [3, 3]), ("%v", e, [])],
                              f"stablehlo.pad %x, %v, low = {low}, high = {high}, interior = {interior} : ({{x}}, {{v}}) -> {{r}}",
                              result, e))
    assert_cases(cases)


def test_iota():
    cases = []
    for e in [x for x in ELEMENTS if x != "i1"]:
        for axis, dims in ((0, [4]), (1, [2, 3]), (0, [3, 2]), (1, [2, 0])):
            body = f"    %r = stablehlo.iota dim = {axis} : {tensor(e, dims)}"
            cases.append(Case(f"iota_{axis}_{len(cases)}_{tag(e)}", body, [("%r", e, dims_text(dims))]))
    assert_cases(cases)


def test_dynamic_slices():
    cases = []
    for e in ELEMENTS:
        for k, (a, b) in enumerate([(1, 2), (-3, 9), (100, 0)]):
            start = constant("%a", "i32", [str(a)], []) + constant("%b", "i32", [str(b)], [])
            c = case(f"dynamic_slice_{k}_{tag(e)}", [("%x", e, [4, 5])],
                     "stablehlo.dynamic_slice %x, %a, %b, sizes = [2, 3] : ({x}, tensor<i32>, tensor<i32>) -> {r}", [2, 3], e)
            c.body = start + c.body
            cases.append(c)
            c = case(f"dynamic_update_slice_{k}_{tag(e)}", [("%x", e, [4, 5]), ("%u", e, [2, 1])],
                     "stablehlo.dynamic_update_slice %x, %u, %a, %b : ({x}, {u}, tensor<i32>, tensor<i32>) -> {r}", [4, 5], e)
            c.body = start + c.body
            cases.append(c)
    assert_cases(cases)


def test_dynamic_shapes():
    """The dynamic forms give what the static ones do."""
    shape = constant("%s", "i64", ["2", "4", "3"], [3])
    x = operand("%x", "f32", [3, 2])
    one = constant("%one", "i32", ["1", "0"], [2]) + constant("%two", "i32", ["2", "1"], [2])
    bodies = {
        "dynamic_broadcast": (shape + x + "    %d = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 0] : (tensor<3x2xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>", [2, 4, 3]),
        "dynamic_reshape": (constant("%s", "i32", ["6", "1"], [2]) + x + "    %d = stablehlo.dynamic_reshape %x, %s : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<6x1xf32>", [6, 1]),
        "dynamic_iota": (constant("%s", "i64", ["2", "3"], [2]) + "    %d = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<2x3xf32>", [2, 3]),
        "dynamic_pad": (one + x + constant("%v", "f32", ["9.0"], []) + "    %d = stablehlo.dynamic_pad %x, %v, %one, %two, %one : (tensor<3x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x3xf32>", [8, 3]),
        "real_dynamic_slice": (one + constant("%l", "i32", ["3", "2"], [2]) + constant("%st", "i32", ["2", "1"], [2]) + x + "    %d = stablehlo.real_dynamic_slice %x, %one, %l, %st : (tensor<3x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xf32>", [1, 2]),
        "get_dimension_size": (x + "    %d = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x2xf32>) -> tensor<i32>", []),
    }
    cases = []
    for name, (body, dims) in bodies.items():
        cases.append(Case(name, body, [("%d", "i32" if "size" in name else "f32", dims_text(dims))]))
        if name == "real_dynamic_slice":  # which no oracle has
            cases[-1].expected = [f"dense<[[{', '.join(moderate('f32', 6)[2:4])}]]> : tensor<1x2xf32>"]
    assert_cases(cases)


GATHERS = {
    # operand dims, indices dims, numbers, sizes, result dims
    "rows": ([5, 3], [4], "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", [1, 3], [4, 3]),
    "boxes": ([5, 6], [3, 2], "offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1", [2, 3], [3, 2, 3]),
    "vector_first": ([5, 6], [2, 3], "offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0", [2, 1], [2, 3]),
    "batched": ([3, 5, 4], [3, 2, 1], "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2", [1, 1, 4], [3, 2, 4]),
    "empty": ([5, 3], [0], "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", [1, 3], [0, 3]),
}


@pytest.mark.parametrize("index", ["i32", "i64", "ui8", "i8"])
def test_gather(index):
    cases = []
    for name, (dims, where, numbers, sizes, result) in GATHERS.items():
        count = math.prod(where)
        values = [str((7 * k) % 9 - (0 if index[0] == "u" else 2)) for k in range(max(count, 1))]
        for e in ("f32", "i4", "complex<f32>"):
            body = operand("%x", e, dims) + constant("%i", index, values, where) + \
                f"    %r = \"stablehlo.gather\"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {', '.join(map(str, sizes))}>}}> : ({tensor(e, dims)}, {tensor(index, where)}) -> {tensor(e, result)}"
            cases.append(Case(f"gather_{name}_{tag(e)}", body, [("%r", e, dims_text(result))]))
    assert_cases(cases)


SCATTERS = {
    "rows": ([5, 3], [4, 1], [4, 3], "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"),
    "boxes": ([5, 6], [3, 2], [3, 2, 3], "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"),
    "points": ([7], [4], [4], "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"),
    "batched": ([3, 5, 4], [3, 2, 1], [3, 2, 4], "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2"),
    "empty": ([5, 3], [0, 1], [0, 3], "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"),
}


@pytest.mark.parametrize("op", ["add", "maximum", "second"])
def test_scatter(op):
    cases = []
    for name, (dims, where, updates, numbers) in SCATTERS.items():
        values = [str((7 * k) % 9 - 2) for k in range(max(math.prod(where), 1))]
        for e in ("f32", "i32", "f64"):
            scalar = tensor(e, [])
            inner = "stablehlo.return %b" if op == "second" else f"%c = stablehlo.{op} %a, %b : {scalar}\n      stablehlo.return %c"
            body = operand("%x", e, dims) + constant("%i", "i32", values, where) + operand("%u", e, updates, 3) + \
                f"    %r = \"stablehlo.scatter\"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, indices_are_sorted = false, unique_indices = false}}> ({{\n    ^bb0(%a: {scalar}, %b: {scalar}):\n      {inner} : {scalar}\n    }}) : ({tensor(e, dims)}, {tensor('i32', where)}, {tensor(e, updates)}) -> {tensor(e, dims)}"
            cases.append(Case(f"scatter_{name}_{tag(e)}", body, [("%r", e, dims_text(dims))], ulp=2))
    assert_cases(cases)


def test_dot_general():
    shapes = {
        "matrices": ([3, 4], [4, 5], "contracting_dims = [1] x [0]", [3, 5], "ik,kj->ij"),
        "transposed": ([4, 3], [5, 4], "contracting_dims = [0] x [1]", [3, 5], "ki,jk->ij"),
        "batched": ([2, 3, 4], [2, 4, 5], "batching_dims = [0] x [0], contracting_dims = [2] x [1]", [2, 3, 5], "bik,bkj->bij"),
        "two_contracted": ([2, 3, 4], [4, 5, 3], "contracting_dims = [1, 2] x [2, 0]", [2, 5], "ikl,ljk->ij"),
        "outer": ([2], [3], "contracting_dims = [] x []", [2, 3], "i,j->ij"),
        "inner": ([4], [4], "contracting_dims = [0] x [0]", [], "k,k->"),
        "empty_sum": ([3, 0], [0, 2], "contracting_dims = [1] x [0]", [3, 2], "ik,kj->ij"),
        "empty": ([0, 4], [4, 2], "contracting_dims = [1] x [0]", [0, 2], "ik,kj->ij"),
    }
    cases = []
    for name, (a, b, numbers, result, sums) in shapes.items():
        for e in ("f32", "f64", "i32", "i8", "ui16", "complex<f32>"):
            cases.append(case(f"dot_{name}_{tag(e)}", [("%x", e, a), ("%y", e, b)],
                              f"stablehlo.dot_general %x, %y, {numbers} : ({{x}}, {{y}}) -> {{r}}", result, e, ulp=64))
        cases.append(case(f"dot_{name}_i8_i32", [("%x", "i8", a), ("%y", "i8", b)],
                          f"stablehlo.dot_general %x, %y, {numbers} : ({{x}}, {{y}}) -> {{r}}", result, "i32"))
        for e in ("bf16", "f16"):
            x, y = (np.abs(np.array(moderate(e, max(1, math.prod(d)), seed)[:math.prod(d)], float)).reshape(d) for seed, d in enumerate((a, b)))
            magnitude, terms = np.einsum(sums, x, y).max(initial=0), np.einsum(sums, np.ones(a), np.ones(b)).max(initial=0)
            apart = 2 * (terms + 1) * 2.0 ** -24 * max(1, magnitude)  # each side rounds its sum as often as there are products
            cases.append(case(f"dot_{name}_{e}_f32", [("%x", e, a), ("%y", e, b)],
                              f"stablehlo.dot_general %x, %y, {numbers} : ({{x}}, {{y}}) -> {{r}}", result, "f32", tolerance=apart,
                              oracle="xla"))
    # the interpreter has no operands narrower than the result
    assert_cases(cases, missing=len(shapes))


CONVOLUTIONS = {
    # lhs, rhs, numbers, window, groups, result
    "plain": ([1, 6, 6, 2], [3, 3, 2, 4], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{stride = [1, 1], pad = [[1, 1], [0, 0]]}", (1, 1), [1, 6, 4, 4]),
    "strided": ([2, 7, 5, 3], [2, 3, 3, 2], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{stride = [2, 1], pad = [[0, 1], [2, -1]], rhs_dilate = [2, 1]}", (1, 1), [2, 3, 4, 2]),
    "lhs_dilated": ([1, 3, 4, 2], [2, 2, 2, 3], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{pad = [[1, 1], [1, 1]], lhs_dilate = [2, 3]}", (1, 1), [1, 6, 11, 3]),
    "reversed": ([1, 5, 5, 1], [3, 2, 1, 2], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{reverse = [true, false]}", (1, 1), [1, 3, 4, 2]),
    "layouts": ([3, 1, 4, 5], [4, 3, 2, 2], "[f, b, 0, 1]x[o, i, 0, 1]->[0, 1, b, f]", "{}", (1, 1), [3, 4, 1, 4]),
    "feature_groups": ([1, 4, 4, 6], [2, 2, 2, 9], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{}", (3, 1), [1, 3, 3, 9]),
    "batch_groups": ([4, 4, 4, 2], [2, 2, 2, 6], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{}", (1, 2), [2, 3, 3, 6]),
    "one_dim": ([2, 7, 3], [3, 3, 2], "[b, 0, f]x[0, i, o]->[b, 0, f]", "{}", (1, 1), [2, 5, 2]),
    "no_dims": ([2, 3], [3, 4], "[b, f]x[i, o]->[b, f]", "{}", (1, 1), [2, 4]),
    "three_dims": ([1, 3, 4, 3, 2], [2, 2, 2, 2, 1], "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]", "{stride = [1, 2, 1]}", (1, 1), [1, 2, 2, 2, 1]),
    "empty_batch": ([0, 4, 4, 2], [2, 2, 2, 3], "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "{}", (1, 1), [0, 3, 3, 3]),
}


def test_convolution():
    cases = []
    for name, (a, b, numbers, window, (groups, batches), result) in CONVOLUTIONS.items():
        for e in ("f32", "f64", "i32", "bf16"):
            cases.append(case(f"convolution_{name}_{e}", [("%x", e, a), ("%y", e, b)],
                              f"stablehlo.convolution(%x, %y) dim_numbers = {numbers}, window = {window.replace('{', '{{').replace('}', '}}')} {{{{batch_group_count = {batches} : i64, feature_group_count = {groups} : i64}}}} : ({{x}}, {{y}}) -> {{r}}",
                              result, e, ulp=64 if e != "bf16" else 1, oracle="xla" if e == "bf16" else "reference"))
    assert_cases(cases)


def reducer(op, element):
    s = tensor(element, [])
    return f"({{\n    ^bb0(%a: {s}, %b: {s}):\n      %c = stablehlo.{op} %a, %b : {s}\n      stablehlo.return %c : {s}\n    }})"


def zero(element, value="0"):
    text = f"({value}.0, 0.0)" if is_complex(element) else f"{value}.0" if is_float(element) else {"i1": {"0": "false", "1": "true"}.get(value, "false")}.get(element, value)
    return constant("%z", element, [text], [])


def test_reduce():
    cases = []
    for op, elements in {"add": ["i1", "i8", "ui32", "f32", "f64", "bf16", "complex<f32>"], "maximum": ["i4", "ui8", "f32", "f16"],
                         "minimum": ["i64", "f64"], "multiply": ["i1", "i32", "f32"], "and": ["i1", "ui8"], "xor": ["i32"]}.items():
        for e in elements:
            for k, (dims, axes, result) in enumerate([([2, 3, 4], [1], [2, 4]), ([2, 3, 4], [2, 0], [3]), ([3], [0], []),
                                                      ([2, 0], [1], [2]), ([0, 2], [1], [0]), ([2, 3], [], [2, 3])]):
                body = operand("%x", e, dims) + zero(e, "1" if op in ("multiply", "and") else "0") + \
                    f"    %r = \"stablehlo.reduce\"(%x, %z) <{{dimensions = array<i64{': ' if axes else ''}{', '.join(map(str, axes))}>}}> {reducer(op, e)} : ({tensor(e, dims)}, {tensor(e, [])}) -> {tensor(e, result)}"
                cases.append(Case(f"reduce_{op}_{k}_{tag(e)}", body, [("%r", e, dims_text(result))], ulp=4))
    assert_cases(cases)


def test_reduce_argmax():
    body = operand("%x", "f32", [3, 4]) + "    %i = stablehlo.iota dim = 1 : tensor<3x4xi32>\n" + \
        constant("%m", "f32", ["0xFF800000"], []) + constant("%n", "i32", ["0"], []) + """
    %v, %k = "stablehlo.reduce"(%x, %i, %m, %n) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %g = stablehlo.compare GE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s = stablehlo.select %g, %a, %c : tensor<i1>, tensor<f32>
      %t = stablehlo.select %g, %b, %d : tensor<i1>, tensor<i32>
      stablehlo.return %s, %t : tensor<f32>, tensor<i32>
    }) : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)"""
    assert_cases([Case("argmax", body, [("%v", "f32", "3x"), ("%k", "i32", "3x")])])


def test_reduce_window():
    windows = [([4, 5], "window_dimensions = array<i64: 2, 3>", [3, 3]),
               ([4, 5], "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>", [3, 6]),
               ([4, 5], "window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 3>", [6, 2]),
               ([4, 5], "window_dimensions = array<i64: 6, 2>", [0, 4]),
               ([0, 5], "window_dimensions = array<i64: 1, 2>", [0, 4])]
    cases = []
    for op, e in (("add", "f32"), ("maximum", "i32"), ("add", "bf16"), ("minimum", "f64"), ("multiply", "i8")):
        for k, (dims, attrs, result) in enumerate(windows):
            body = operand("%x", e, dims) + zero(e, "1") + \
                f"    %r = \"stablehlo.reduce_window\"(%x, %z) <{{{attrs}}}> {reducer(op, e)} : ({tensor(e, dims)}, {tensor(e, [])}) -> {tensor(e, result)}"
            cases.append(Case(f"reduce_window_{op}_{k}_{e}", body, [("%r", e, dims_text(result))], ulp=4))
    assert_cases(cases)


def test_select_and_scatter():
    cases = []
    for e, kind in (("f32", "FLOAT"), ("i32", "SIGNED"), ("f64", "FLOAT")):
        s = tensor(e, [])
        for k, (dims, source, attrs) in enumerate([
                ([4, 5], [2, 2], "window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>"),
                ([4, 4], [3, 3], "window_dimensions = array<i64: 2, 2>")]):
            body = operand("%x", e, dims) + operand("%s", e, source, 5) + zero(e) + \
                f"    %r = \"stablehlo.select_and_scatter\"(%x, %s, %z) <{{{attrs}}}> ({{\n    ^bb0(%a: {s}, %b: {s}):\n      %g = stablehlo.compare GE, %a, %b, {kind} : ({s}, {s}) -> tensor<i1>\n      stablehlo.return %g : tensor<i1>\n    }}, {reducer('add', e)[1:-1]}) : ({tensor(e, dims)}, {tensor(e, source)}, {s}) -> {tensor(e, dims)}"
            cases.append(Case(f"select_and_scatter_{k}_{e}", body, [("%r", e, dims_text(dims))], ulp=2))
    assert_cases(cases)


def test_sort():
    cases = []
    for e, kind in (("i32", "SIGNED"), ("ui8", "UNSIGNED"), ("f32", "TOTALORDER"), ("f64", "FLOAT"), ("i4", "SIGNED")):
        s = tensor(e, [])
        for axis in (0, 1):
            body = operand("%x", e, [5, 4]) + "    %i = stablehlo.iota dim = 1 : tensor<5x4xi32>\n" + f"""
    %v, %k = "stablehlo.sort"(%x, %i) <{{dimension = {axis} : i64, is_stable = true}}> ({{
    ^bb0(%a: {s}, %b: {s}, %c: tensor<i32>, %d: tensor<i32>):
      %l = stablehlo.compare LT, %a, %b, {kind} : ({s}, {s}) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }}) : ({tensor(e, [5, 4])}, tensor<5x4xi32>) -> ({tensor(e, [5, 4])}, tensor<5x4xi32>)"""
            cases.append(Case(f"sort_{axis}_{e}", body, [("%v", e, "5x4x"), ("%k", "i32", "5x4x")]))
    assert_cases(cases)


def test_map():
    body = operand("%x", "f32", [2, 3]) + operand("%y", "f32", [2, 3], 4) + """
    %r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.multiply %a, %b : tensor<f32>
      %d = stablehlo.add %c, %a : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"""
    assert_cases([Case("map", body, [("%r", "f32", "2x3x")])])


def test_control_flow():
    loop = constant("%n", "i32", ["0"], []) + constant("%x", "f32", ["1.0"], []) + """
    %c, %r = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<f32>
    cond {
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %p = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.add %v, %v : tensor<f32>
      stablehlo.return %j, %w : tensor<i32>, tensor<f32>
    }"""
    cases = [Case("while", loop, [("%c", "i32", ""), ("%r", "f32", "")])]
    for index in (-1, 0, 1, 2, 7):
        body = constant("%k", "i32", [str(index)], []) + constant("%x", "f32", ["1.5"], []) + """
    %r = "stablehlo.case"(%k) ({
      stablehlo.return %x : tensor<f32>
    }, {
      %a = stablehlo.add %x, %x : tensor<f32>
      stablehlo.return %a : tensor<f32>
    }, {
      %a = stablehlo.negate %x : tensor<f32>
      stablehlo.return %a : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>"""
        cases.append(Case(f"case_{index + 1}", body, [("%r", "f32", "")]))
    for flag in ("true", "false"):
        body = constant("%p", "i1", [flag], []) + constant("%x", "f32", ["1.5"], []) + """
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<f32>
    }, {
      %a = stablehlo.negate %x : tensor<f32>
      stablehlo.return %a : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>"""
        cases.append(Case(f"if_{flag}", body, [("%r", "f32", "")]))
    functions = """  func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %x, %x : tensor<f32>
    return %0 : tensor<f32>
  }"""
    body = constant("%x", "f32", ["1.5"], []) + "    %r = func.call @twice(%x) : (tensor<f32>) -> tensor<f32>"
    cases.append(Case("call", body, [("%r", "f32", "")], functions=functions))
    body = constant("%x", "f32", ["1.5"], []) + "    %r = stablehlo.composite \"my.twice\" %x {decomposition = @twice} : (tensor<f32>) -> tensor<f32>"
    cases.append(Case("composite", body, [("%r", "f32", "")], functions=functions))
    body = constant("%x", "f32", ["1.5"], []) + constant("%y", "i32", ["3"], []) + """
    %t = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
    %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>"""
    cases.append(Case("tuple", body, [("%r", "i32", "")]))
    body = constant("%x", "f32", ["1.5"], []) + "    %r = stablehlo.optimization_barrier %x : tensor<f32>"
    cases.append(Case("optimization_barrier", body, [("%r", "f32", "")]))
    assert_cases(cases)


def test_bitcast_convert():
    pairs = [("f32", "i32", [3], [3]), ("i32", "f32", [3], [3]), ("f32", "i8", [2], [2, 4]), ("i8", "f32", [2, 4], [2]),
             ("ui8", "i4", [3], [3, 2]), ("i4", "i8", [3, 2], [3]), ("f64", "i32", [2], [2, 2]), ("f16", "bf16", [3], [3]),
             ("i2", "i8", [1, 4], [1]), ("i8", "i2", [2], [2, 4]), ("f8E5M2", "f8E4M3FN", [4], [4]), ("i64", "f16", [2], [2, 4])]
    cases = [case(f"bitcast_{a}_{b}", [("%x", a, dims)], "stablehlo.bitcast_convert %x : ({x}) -> {r}", result, b)
             for a, b, dims, result in pairs]
    assert_cases(cases, missing=2)


def test_reduce_precision():
    cases = []
    values = ["1.0", "3.14159265", "65504.0", "65520.0", "1.0e-5", "6.0e-8", "0x7F800000", "0xFF800000", "0x7FC00000", "-0.0", "3.0e38", "1.0e-40"]
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (2, 1), (8, 23), (11, 52), (8, 1)):
        body = constant("%x", "f32", values) + f"    %r = stablehlo.reduce_precision %x, format = e{exponent}m{mantissa} : tensor<12xf32>"
        cases.append(Case(f"reduce_precision_{exponent}_{mantissa}", body, [("%r", "f32", "12x")], oracle="xla"))
    assert_cases(cases)
