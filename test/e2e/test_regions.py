# SPDX-License-Identifier: Apache-2.0
"""Regions on elements: reducers, comparators and computations that use values from outside, loops, branches, tables and
nested reductions, in every op that has one, at known and unknown sizes."""
import re

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

# What is done with an element %x: gives %v. %k is an argument, %k2 is computed from it, %seven a constant, %t and %u
# tables; all of them are from outside.
LOOP = """%{0}:2 = stablehlo.while(%i = {1}, %acc = %k) : tensor<i32>, tensor<i32>
      cond {{ %go = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1> }} do {{
        %j = stablehlo.subtract %i, %one : tensor<i32>
        %sum = stablehlo.add %acc, %k2 : tensor<i32>
        stablehlo.return %j, %sum : tensor<i32>, tensor<i32> }}"""
BODIES = {
    "argument": "%v = stablehlo.multiply %x, %k : tensor<i32>",
    "computed": "%w = stablehlo.subtract %x, %k2 : tensor<i32>\n %v = stablehlo.abs %w : tensor<i32>",
    "constant": "%v = stablehlo.add %x, %seven : tensor<i32>",
    "barrier": "%w:2 = stablehlo.optimization_barrier %x, %k : tensor<i32>, tensor<i32>\n"
               "%v = stablehlo.add %w#0, %w#1 : tensor<i32>",
    "table": """%s = stablehlo.dynamic_slice %t, %x, sizes = [1] : (tensor<?xi32>, tensor<i32>) -> tensor<1xi32>
      %v = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>""",
    "constant_table": """%s = stablehlo.dynamic_slice %u, %x, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
      %v = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>""",
    "branch": """%p = stablehlo.compare GT, %x, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %v = "stablehlo.if"(%p) ({ %n = stablehlo.add %x, %k2 : tensor<i32>
        stablehlo.return %n : tensor<i32> }, { stablehlo.return %k : tensor<i32> }) : (tensor<i1>) -> tensor<i32>""",
    "case": """%v = "stablehlo.case"(%x) ({ stablehlo.return %k2 : tensor<i32> }, {
        %n = stablehlo.add %x, %k2 : tensor<i32>
        stablehlo.return %n : tensor<i32> }, { stablehlo.return %k : tensor<i32> }) : (tensor<i32>) -> tensor<i32>""",
    "loop": LOOP.format("w", "%x") + "\n %v = stablehlo.add %w#1, %x : tensor<i32>",
    "loop_in_branch": """%p = stablehlo.compare GT, %x, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %v = "stablehlo.if"(%p) ({ """ + LOOP.format("w", "%x") + """
        stablehlo.return %w#1 : tensor<i32> }, { stablehlo.return %x : tensor<i32> }) : (tensor<i1>) -> tensor<i32>""",
    "reduction": """%b4 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %io = stablehlo.iota dim = 0 : tensor<4xi32>
      %m = stablehlo.multiply %b4, %io : tensor<4xi32>
      %v = "stablehlo.reduce"(%m, %k) ({ ^bb0(%c: tensor<i32>, %d: tensor<i32>):
        %e = stablehlo.add %d, %k2 : tensor<i32>
        %f = stablehlo.add %c, %e : tensor<i32>
        stablehlo.return %f : tensor<i32> }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>""",
    "table_sum": """%n = stablehlo.get_dimension_size %t, dim = 0 : (tensor<?xi32>) -> tensor<i32>
      %e = stablehlo.reduce(%t init: %x) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
      %v = stablehlo.add %e, %n : tensor<i32>""",
    "map": """%v = "stablehlo.map"(%x) ({ ^bb0(%c: tensor<i32>): %e = stablehlo.add %c, %k2 : tensor<i32>
        stablehlo.return %e : tensor<i32> }) {dimensions = array<i64>} : (tensor<i32>) -> tensor<i32>""",
}

PROGRAM = """func.func @main(%a: tensor<DxDxi32>, %idx: tensor<Dx1xi32>, %up: tensor<Dxi32>, %k: tensor<i32>, %t: tensor<?xi32>,
    %wide: tensor<Dx8xi32>, %source: tensor<Dx4xi32>)
    -> (tensor<Dxi32>, tensor<Dxi32>, tensor<i32>, tensor<Dxi32>, tensor<DxDxi32>, tensor<DxDxi32>, tensor<Dx6xi32>, tensor<Dx8xi32>,
        tensor<Dxi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %u = stablehlo.constant dense<[3, 1, 4, 1, 5, 9]> : tensor<6xi32>
  %k2 = stablehlo.add %k, %one : tensor<i32>
  %rows = "stablehlo.reduce"(%a, %zero) ({REDUCER}) {dimensions = array<i64: 1>} : (tensor<DxDxi32>, tensor<i32>) -> tensor<Dxi32>
  %columns = "stablehlo.reduce"(%a, %zero) ({REDUCER}) {dimensions = array<i64: 0>} : (tensor<DxDxi32>, tensor<i32>) -> tensor<Dxi32>
  %all = "stablehlo.reduce"(%a, %k) ({REDUCER}) {dimensions = array<i64: 0, 1>} : (tensor<DxDxi32>, tensor<i32>) -> tensor<i32>
  %scatter = "stablehlo.scatter"(%up, %idx, %up) ({REDUCER}) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<Dxi32>, tensor<Dx1xi32>, tensor<Dxi32>) -> tensor<Dxi32>
  %sort = "stablehlo.sort"(%a) ({COMPARATOR}) {dimension = 1 : i64, is_stable = true} : (tensor<DxDxi32>) -> tensor<DxDxi32>
  %map = "stablehlo.map"(%a) ({
    ^bb0(%x: tensor<i32>):
      BODY
      stablehlo.return %v : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<DxDxi32>) -> tensor<DxDxi32>
  %window = "stablehlo.reduce_window"(%wide, %zero) ({REDUCER}) {window_dimensions = array<i64: 1, 3>} : (tensor<Dx8xi32>, tensor<i32>) -> tensor<Dx6xi32>
  %pool = "stablehlo.select_and_scatter"(%wide, %source, %k) ({COMPARATOR}, {REDUCER}) {window_dimensions = array<i64: 1, 2>,
    window_strides = array<i64: 1, 2>} : (tensor<Dx8xi32>, tensor<Dx4xi32>, tensor<i32>) -> tensor<Dx8xi32>
  %sum = "stablehlo.all_reduce"(%up) ({REDUCER}) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<Dxi32>) -> tensor<Dxi32>
  return %rows, %columns, %all, %scatter, %sort, %map, %window, %pool, %sum
    : tensor<Dxi32>, tensor<Dxi32>, tensor<i32>, tensor<Dxi32>, tensor<DxDxi32>, tensor<DxDxi32>, tensor<Dx6xi32>, tensor<Dx8xi32>, tensor<Dxi32>
}
"""
REDUCER = """
    ^bb0(%before: tensor<i32>, %x: tensor<i32>):
      BODY
      %after = stablehlo.add %before, %v : tensor<i32>
      stablehlo.return %after : tensor<i32>
  """
# The order of a device's reductions is its own, so the function has to be associative: of numbers that are not negative it is a sum.
MONOID = """
    ^bb0(%before: tensor<i32>, %x: tensor<i32>):
      BODY
      %bits = stablehlo.constant dense<31> : tensor<i32>
      %none = stablehlo.shift_right_logical %v, %bits : tensor<i32>
      %more = stablehlo.add %x, %none : tensor<i32>
      %after = stablehlo.add %before, %more : tensor<i32>
      stablehlo.return %after : tensor<i32>
  """
COMPARATOR = """
    ^bb0(%x: tensor<i32>, %x_y: tensor<i32>):
      BODY
      OTHER
      %less = stablehlo.compare LT, %v, %v_y : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  """


def program_of(body, size, reducer=REDUCER):
    inside = BODIES[body]
    other = re.sub(r"%(?!(?:k2?|zero|one|seven|t|u)\b)(\w+)", r"%\1_y", inside)  # the same of the second element
    text = PROGRAM.replace("REDUCER", reducer).replace("COMPARATOR", COMPARATOR).replace("BODY", inside).replace("OTHER", other)
    return text.replace("DxD", f"{size}x{size}").replace("Dx", f"{size}x")


def shapes_of(n):
    shapes = {0: f"{n}x{n}", 1: f"{n}x1", 2: f"{n}", 4: "6", 5: f"{n}x8", 6: f"{n}x4"}
    return [word for i, dims in shapes.items() for word in ("--shape", f"arg{i}={dims}")]


@pytest.mark.parametrize("body", ["table", "loop", "reduction"])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_every_level(heddle, tmp_path, body, target):
    """The evaluator runs the program after each pass of both pipelines."""
    (tmp_path / "dynamic.mlir").write_text(program_of(body, "?", REDUCER if target == "cpu" else MONOID))
    done = heddle("bisect", tmp_path / "dynamic.mlir", "--random", "1", "--random-max", "6", *shapes_of(3), "--target", target)
    assert done.returncode == 0 and "DIFFERS" not in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("body", BODIES)
def test_every_op_with_a_region(heddle, tmp_path, body):
    options = ["--random", "1", "--random-max", "6", "--reference=eval"]
    dynamic, static = tmp_path / "dynamic.mlir", tmp_path / "static.mlir"
    dynamic.write_text(program_of(body, "?"))
    static.write_text(program_of(body, 19))
    for n in (0, 1, 3, 19, 37): heddle("run", dynamic, *options, *shapes_of(n), check=True)
    heddle("run", static, *options, "--shape", "arg4=6", check=True)


# What no kernel can hold: a sort and a loop over tensors.
SORT = """%b = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c = stablehlo.multiply %b, %t : tensor<4xi32>
    %s = "stablehlo.sort"(%c) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %l = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<4xi32>) -> tensor<4xi32>
    %e = stablehlo.slice %s [1:2] : (tensor<4xi32>) -> tensor<1xi32>
    %v = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>"""
LOOP_OF_TENSORS = """%b = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %w:2 = stablehlo.while(%i = %zero, %a = %b) : tensor<i32>, tensor<4xi32>
    cond { %go = stablehlo.compare LT, %i, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1> } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %m = stablehlo.multiply %a, %t : tensor<4xi32>
      stablehlo.return %j, %m : tensor<i32>, tensor<4xi32> }
    %v = stablehlo.reduce(%w#1 init: %zero) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>"""
ELEMENTS = """func.func @main(%in: tensor<DxD2xi32>, %t: tensor<4xi32>) -> (tensor<DxD2xi32>, tensor<D2xi32>, tensor<Dxi32>, tensor<Dxi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %map = "stablehlo.map"(%in) ({
  ^bb0(%x: tensor<i32>):
    BODY
    stablehlo.return %v : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<DxD2xi32>) -> tensor<DxD2xi32>
  %columns = "stablehlo.reduce"(%in, %one) ({
  ^bb0(%before: tensor<i32>, %x: tensor<i32>):
    BODY
    %after = stablehlo.add %before, %v : tensor<i32>
    stablehlo.return %after : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<DxD2xi32>, tensor<i32>) -> tensor<D2xi32>
  %rows:2 = "stablehlo.reduce"(%in, %map, %one, %zero) ({
  ^bb0(%before: tensor<i32>, %most: tensor<i32>, %x: tensor<i32>, %y: tensor<i32>):
    BODY
    %after = stablehlo.add %before, %v : tensor<i32>
    %more = stablehlo.maximum %most, %y : tensor<i32>
    stablehlo.return %after, %more : tensor<i32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<DxD2xi32>, tensor<DxD2xi32>, tensor<i32>, tensor<i32>) -> (tensor<Dxi32>, tensor<Dxi32>)
  %all = "stablehlo.reduce"(%in, %one) ({
  ^bb0(%before: tensor<i32>, %x: tensor<i32>):
    BODY
    %after = stablehlo.xor %before, %v : tensor<i32>
    stablehlo.return %after : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<DxD2xi32>, tensor<i32>) -> tensor<i32>
  return %map, %columns, %rows#0, %rows#1, %all : tensor<DxD2xi32>, tensor<D2xi32>, tensor<Dxi32>, tensor<Dxi32>, tensor<i32>
}
"""

@pytest.mark.parametrize("body", [SORT, LOOP_OF_TENSORS], ids=["sort", "loop_of_tensors"])
def test_loop_over_elements(heddle, tmp_path, body):
    options = ["--random", "1", "--random-max", "6", "--reference=eval"]
    path = tmp_path / "program.mlir"
    path.write_text(ELEMENTS.replace("BODY", body).replace("D2", "?").replace("D", "?"))
    for n, m in ((0, 3), (3, 0), (1, 1), (3, 5)): heddle("run", path, *options, "--shape", f"arg0={n}x{m}", check=True)
    path.write_text(ELEMENTS.replace("BODY", body).replace("D2", "5").replace("D", "2"))
    heddle("run", path, *options, check=True)


# The other ops with a region, with such a body: arguments, results, the op; A and B are dims.
REDUCE = """{
  ^bb0(%before: tensor<i32>, %x: tensor<i32>):
    BODY
    %after = stablehlo.add %before, %v : tensor<i32>
    stablehlo.return %after : tensor<i32>
  }"""
COMPARE = """{
  ^bb0(%x: tensor<i32>, %x_y: tensor<i32>):
    BODY
    OTHER
    %less = stablehlo.compare LT, %v, %v_y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }"""
OPS = {
    "sort": (["AxBxi32"], ["AxBxi32"], '"stablehlo.sort"(%a0) (COMPARE) {dimension = 0 : i64} : (tensor<AxBxi32>) -> tensor<AxBxi32>'),
    "sort_pairs": (["AxBxi32", "AxBxf32"], ["AxBxi32", "AxBxf32"], """"stablehlo.sort"(%a0, %a1) ({
      ^bb0(%x: tensor<i32>, %x_y: tensor<i32>, %x_f: tensor<f32>, %y_f: tensor<f32>):
        BODY
        OTHER
        %less = stablehlo.compare LT, %v, %v_y : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }) {dimension = 1 : i64, is_stable = true} : (tensor<AxBxi32>, tensor<AxBxf32>) -> (tensor<AxBxi32>, tensor<AxBxf32>)"""),
    "reduce_window": (["AxBxi32", "AxBxi32"], ["?x?xi32", "?x?xi32"], """"stablehlo.reduce_window"(%a0, %a1, %one, %zero) ({
      ^bb0(%before: tensor<i32>, %most: tensor<i32>, %x: tensor<i32>, %y: tensor<i32>):
        BODY
        %after = stablehlo.add %before, %v : tensor<i32>
        %more = stablehlo.maximum %most, %y : tensor<i32>
        stablehlo.return %after, %more : tensor<i32>, tensor<i32>
      }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 1>,
          window_dilations = array<i64: 1, 2>, padding = dense<[[1, 2], [-1, 6]]> : tensor<2x2xi64>}
      : (tensor<AxBxi32>, tensor<AxBxi32>, tensor<i32>, tensor<i32>) -> (tensor<?x?xi32>, tensor<?x?xi32>)"""),
    "scatter_elements": (["AxBxi32", "Ax2xi32", "Axi32"], ["AxBxi32"], """"stablehlo.scatter"(%a0, %a1, %a2) (REDUCE) {
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}
      : (tensor<AxBxi32>, tensor<Ax2xi32>, tensor<Axi32>) -> tensor<AxBxi32>"""),
    "scatter_columns": (["AxBxi32", "1xBxui8", "AxBxi32"], ["AxBxi32"], """"stablehlo.scatter"(%a0, %a1, %a2) (REDUCE) {
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 0>}
      : (tensor<AxBxi32>, tensor<1xBxui8>, tensor<AxBxi32>) -> tensor<AxBxi32>"""),
    "scatter_batches": (["AxBxi32", "Ax2xi64", "Ax2xi32"], ["AxBxi32"], """"stablehlo.scatter"(%a0, %a1, %a2) (REDUCE) {
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<AxBxi32>, tensor<Ax2xi64>, tensor<Ax2xi32>) -> tensor<AxBxi32>"""),
    "scatter_at_once": (["AxBxi32", "0xi32", "AxBxi32"], ["AxBxi32"], """"stablehlo.scatter"(%a0, %a1, %a2) (REDUCE) {
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], index_vector_dim = 0>}
      : (tensor<AxBxi32>, tensor<0xi32>, tensor<AxBxi32>) -> tensor<AxBxi32>"""),
    "select_and_scatter": (["AxBxi32", "AxCxi32"], ["AxBxi32"], """"stablehlo.select_and_scatter"(%a0, %a1, %one) (COMPARE, REDUCE) {
      window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [2, 2]]> : tensor<2x2xi64>}
      : (tensor<AxBxi32>, tensor<AxCxi32>, tensor<i32>) -> tensor<AxBxi32>"""),
    "all_reduce": (["AxBxi32"], ["AxBxi32"], """"stablehlo.all_reduce"(%a0) (REDUCE) {replica_groups = dense<0> : tensor<1x1xi64>}
      : (tensor<AxBxi32>) -> tensor<AxBxi32>"""),
}


def program_with(op, body, sizes):
    arguments, results, text = OPS[op]
    types = ", ".join(f"tensor<{r}>" for r in results)
    inputs = "".join(f", %a{i}: tensor<{t}>" for i, t in enumerate(arguments))
    made, back = ("%r", "%r") if len(results) == 1 else (f"%r:{len(results)}", ", ".join(f"%r#{i}" for i in range(len(results))))
    program = f"""func.func @main(%t: tensor<4xi32>{inputs}) -> ({types}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  {made} = {text}
  return {back} : {types}
}}
"""
    other = re.sub(r"%(?!(?:zero|one|t)\b)(\w+)", r"%\1_y", body)
    program = program.replace("COMPARE", COMPARE).replace("REDUCE", REDUCE).replace("BODY", body).replace("OTHER", other)
    return dims_put_in(program, sizes)


def dims_put_in(text, sizes):
    return re.sub("|".join(rf"(?<=[<x]){name}(?=x)" for name in sizes), lambda m: str(sizes[m.group()]), text)


@pytest.mark.parametrize("body", [SORT, LOOP_OF_TENSORS], ids=["sort", "loop_of_tensors"])
@pytest.mark.parametrize("op", OPS)
def test_op_over_elements(heddle, tmp_path, op, body):
    options = ["--random", "1", "--random-max", "6", "--reference=eval"]
    path = tmp_path / "program.mlir"
    path.write_text(program_with(op, body, {"A": "?", "B": "?", "C": "?"}))
    for a, b in ((0, 3), (3, 0), (1, 1), (2, 5), (3, 4)):
        sizes = {"A": a, "B": b, "C": max(0, (b + 1) // 2 + 1)}
        shapes = [f"--shape=arg{i + 1}={dims_put_in('<' + dims, sizes)[1:].rpartition('x')[0]}" for i, dims in enumerate(OPS[op][0]) if set(dims) & set("ABC")]
        heddle("run", path, *options, *shapes, check=True)
    for a, b in ((3, 4), (2, 0)):
        path.write_text(program_with(op, body, {"A": a, "B": b, "C": (b + 1) // 2 + 1}))
        heddle("run", path, *options, check=True)


# Shapes of the arguments that do not go together, and what is said of them.
DISAGREEING = [
    ("sort_pairs", ["3x4", "3x5"], "stablehlo.sort: dim 1 of operand 0 is 4, expected dim 1 of operand 1, which is 5"),
    ("reduce_window", ["3x4", "2x4"], "stablehlo.reduce_window: dim 0 of operand 0 is 3, expected dim 0 of operand 1, which is 2"),
    ("scatter_elements", ["5x4", "4x2", "6"], "stablehlo.scatter: dim 0 of operand 2 is 6, expected dim 0 of operand 1, which is 4"),
    ("scatter_columns", ["3x4", "1x4", "5x4"], "stablehlo.scatter: dim 0 of operand 2 is 5, expected at most dim 0 of operand 0, which is 3"),
    ("scatter_batches", ["3x4", "2x2", "2x2"], "stablehlo.scatter: dim 0 of operand 0 is 3, expected dim 0 of operand 1, which is 2"),
    ("scatter_at_once", ["3x4", None, "3x5"], "stablehlo.scatter: dim 1 of operand 2 is 5, expected at most dim 1 of operand 0, which is 4"),
    ("select_and_scatter", ["3x4", "2x3"], "stablehlo.select_and_scatter: dim 0 of operand 1 is 2, expected the windows along dim 0 of operand 0, which is 3"),
    ("select_and_scatter", ["3x4", "3x4"], "stablehlo.select_and_scatter: dim 1 of operand 1 is 4, expected the windows along dim 1 of operand 0"),
]


@pytest.mark.parametrize("op, shapes, words", DISAGREEING)
def test_op_over_elements_of_other_dims(heddle, tmp_path, op, shapes, words):
    path = tmp_path / "program.mlir"
    path.write_text(program_with(op, SORT, {"A": "?", "B": "?", "C": "?"}))
    done = heddle("run", path, "--random", "1", "--random-max", "6", *(f"--shape=arg{i + 1}={s}" for i, s in enumerate(shapes) if s))
    assert done.returncode == 1 and words in re.sub(r" \(d\d\)", "", done.stderr), done.stdout + done.stderr


@pytest.mark.parametrize("taken", [0, 1])
def test_other_dims_in_a_branch(heddle, tmp_path, taken):
    """What does not run demands nothing."""
    path, inputs = tmp_path / "program.mlir", tmp_path / "in.npz"
    path.write_text("""func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %t: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %g = "stablehlo.if"(%p) ({
    %r = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.sort"(%t) ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %l = stablehlo.compare LT, %u, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %l : tensor<i1>
      }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
      %e = stablehlo.slice %s [0:1] : (tensor<4xf32>) -> tensor<1xf32>
      %f = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>
      stablehlo.return %f : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %r : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}
""")
    np.savez(inputs, arg0=np.ones(5, np.float32), arg1=np.ones(7, np.float32), arg2=np.ones(4, np.float32), arg3=np.bool_(taken))
    done = heddle("run", path, "--inputs", inputs)
    assert done.returncode == taken, done.stdout + done.stderr
    if taken: assert "stablehlo.map: dim 0 of operand 0 (d0) is 5, expected dim 0 of operand 1 (d1), which is 7" in done.stderr


@pytest.mark.parametrize("size", ["65536", "?"])
def test_more_steps_than_are_counted(heddle, tmp_path, size):
    """65536 windows of 65536 elements are 2^32 steps, which 32 bits take for none."""
    path = tmp_path / "program.mlir"
    path.write_text("""func.func @main(%x: tensor<SIZExf32>, %z: tensor<f32>, %k: tensor<4xf32>) -> tensor<SIZExf32> {
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 65536>, padding = dense<[[65535, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.sort"(%k) <{dimension = 0 : i64}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %e = stablehlo.slice %s [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %f = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>
    %m = stablehlo.add %b, %f : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<SIZExf32>, tensor<f32>) -> tensor<SIZExf32>
  return %r : tensor<SIZExf32>
}
""".replace("SIZE", size))
    done = heddle("run", path, "--random", "1", "--shape=arg0=65536")
    assert done.returncode == 1 and "65536 windows of 65536 elements with this computation" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("op", ["sort_pairs", "reduce_window", "scatter_batches", "select_and_scatter"])
def test_op_over_elements_on_every_level(heddle, tmp_path, op):
    path = tmp_path / "program.mlir"
    path.write_text(program_with(op, SORT, {"A": "?", "B": "?", "C": "?"}))
    sizes = {"A": 2, "B": 3, "C": 3}
    shapes = [f"--shape=arg{i + 1}={dims_put_in('<' + dims, sizes)[1:].rpartition('x')[0]}" for i, dims in enumerate(OPS[op][0])]
    done = heddle("bisect", path, "--random", "1", "--random-max", "6", *shapes, "--target", "cuda")
    assert done.returncode == 0 and "DIFFERS" not in done.stdout, done.stdout + done.stderr
