# SPDX-License-Identifier: Apache-2.0
"""Reductions of rows and of columns in one kernel: what the evaluator gives after every pass of both pipelines, and the CPU's code."""
import json

import pytest

MATRIX, ROW, COLUMN = "tensor<?x?xf32>", "tensor<?xf32>", "tensor<?xf32>"
SQUARE, LINE = "tensor<5x5xf32>", "tensor<5xf32>"


def function(of, body, results, types, args="%a: OF, %b: OF"):
    text = f"func.func @main({args}) -> ({types}) {{\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n{body}  return {results} : {types}\n}}\n"
    return text.replace("OF", of)


def reduce(name, operand, dims, of, to, kind="add", init="zero", element="f32"):
    return f"  %{name} = stablehlo.reduce(%{operand} init: %{init}) applies stablehlo.{kind} across dimensions = {dims} : ({of}, tensor<{element}>) -> {to}\n"


def spread(name, operand, dims, of, to):
    """A broadcast to the shape of %a."""
    return (f"  %{name}_s = shape.shape_of %a : {to} -> tensor<2xindex>\n"
            f"  %{name} = stablehlo.dynamic_broadcast_in_dim %{operand}, %{name}_s, dims = {dims} : ({of}, tensor<2xindex>) -> {to}\n")


MULTIPLY = "  %m = stablehlo.multiply %a, %b : OF\n"
# The gradients of a normalisation of rows: of its input, by rows, and of scale and offset, by columns.
GRADIENT = (MULTIPLY + reduce("r", "m", [1], MATRIX, ROW) + spread("s", "r", [0], ROW, MATRIX) + "  %x = stablehlo.subtract %a, %s : OF\n  %y = stablehlo.multiply %x, %b : OF\n"
            + reduce("q", "y", [1], MATRIX, ROW) + spread("t", "q", [0], ROW, MATRIX) + "  %dx = stablehlo.subtract %y, %t : OF\n"
            + reduce("scale", "y", [0], MATRIX, COLUMN) + reduce("offset", "dx", [0], MATRIX, COLUMN))
CUBE = "tensor<?x?x?xf32>"
INTEGERS = "tensor<?x?xi32>"

ARGMAX = ("""  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %s = shape.shape_of %a : OF -> tensor<2xindex>
  %n = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xindex>) -> tensor<?x?xi32>
  %k:2 = stablehlo.reduce(%a init: %low), (%n init: %none) across dimensions = [0] : (OF, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %more = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %more, %x, %y : tensor<i1>, tensor<f32>
    %w = stablehlo.select %more, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
""")

# name: program, dims of %a and %b, how many kernels' worth of fusions on a GPU
PROGRAMS = {
    "rows then columns": (function(MATRIX, MULTIPLY + reduce("r", "m", [1], MATRIX, ROW) + reduce("c", "m", [0], MATRIX, COLUMN), "%r, %c, %m", f"{ROW}, {COLUMN}, {MATRIX}"), 2, 1),
    "columns then rows": (function(MATRIX, MULTIPLY + reduce("c", "m", [0], MATRIX, COLUMN, "maximum") + reduce("r", "m", [1], MATRIX, ROW, "minimum"), "%r, %c", f"{ROW}, {COLUMN}"), 2, 1),
    "gradient": (function(MATRIX, GRADIENT, "%dx, %scale, %offset", f"{MATRIX}, {COLUMN}, {COLUMN}"), 2, 1),
    "all and columns": (function(MATRIX, MULTIPLY + reduce("r", "m", [0, 1], MATRIX, "tensor<f32>") + reduce("c", "m", [0], MATRIX, COLUMN), "%r, %c", f"tensor<f32>, {COLUMN}"), 2, None),
    "rank 3": (function(CUBE, MULTIPLY + reduce("r", "m", [2], CUBE, MATRIX) + reduce("c", "m", [0], CUBE, MATRIX) + reduce("d", "m", [0, 1], CUBE, ROW), "%r, %c, %d", f"{MATRIX}, {MATRIX}, {ROW}"), 3, 1),
    "columns of other dims": (function(CUBE, MULTIPLY + reduce("c", "m", [0], CUBE, MATRIX) + reduce("d", "m", [0, 1], CUBE, ROW), "%c, %d", f"{MATRIX}, {ROW}"), 3, 2),
    "integers": (function(INTEGERS, "  %i = stablehlo.constant dense<3> : tensor<i32>\n" + MULTIPLY + reduce("r", "m", [1], INTEGERS, "tensor<?xi32>", "and", "i", "i32")
                          + reduce("c", "m", [0], INTEGERS, "tensor<?xi32>", "maximum", "i", "i32") + reduce("d", "m", [0], INTEGERS, "tensor<?xi32>", "add", "i", "i32"),
                          "%r, %c, %d", "tensor<?xi32>, tensor<?xi32>, tensor<?xi32>"), 2, 1),
    # By its shape, what columns give could be one number a row.
    "a column as a row": (function(SQUARE, MULTIPLY + reduce("r", "m", [1], SQUARE, LINE) + reduce("c", "m", [0], SQUARE, LINE)
                                   + f"  %s = stablehlo.broadcast_in_dim %c, dims = [0] : ({LINE}) -> {SQUARE}\n  %x = stablehlo.add %m, %s : {SQUARE}\n", "%r, %x", f"{LINE}, {SQUARE}"), 0, 2),
    "a column and a row": (function(SQUARE, MULTIPLY + reduce("r", "m", [1], SQUARE, LINE) + reduce("c", "m", [0], SQUARE, LINE) + f"  %x = stablehlo.add %r, %c : {LINE}\n", "%x", LINE), 0, 2),
    "columns of columns": (function(SQUARE, MULTIPLY + reduce("r", "m", [1], SQUARE, LINE) + reduce("c", "m", [0], SQUARE, LINE)
                                    + f"  %s = stablehlo.broadcast_in_dim %c, dims = [1] : ({LINE}) -> {SQUARE}\n  %x = stablehlo.subtract %m, %s : {SQUARE}\n"
                                    + reduce("d", "x", [0], SQUARE, LINE) + reduce("q", "x", [1], SQUARE, LINE), "%r, %d, %q", f"{LINE}, {LINE}, {LINE}"), 0, 2),
    # Kernels that read the same elements of what none of them makes.
    "rows of an argument": (function(MATRIX, reduce("r", "a", [1], MATRIX, ROW) + reduce("q", "a", [1], MATRIX, ROW, "maximum") + MULTIPLY + reduce("t", "m", [1], MATRIX, ROW),
                                     "%r, %q, %t", f"{ROW}, {ROW}, {ROW}"), 2, 1),
    "columns of an argument": (function(MATRIX, reduce("r", "a", [0], MATRIX, COLUMN) + reduce("q", "a", [0], MATRIX, COLUMN, "maximum") + f"  %t = stablehlo.negate %q : {COLUMN}\n",
                                        "%r, %t", f"{COLUMN}, {COLUMN}"), 2, None),
    "both of an argument": (function(MATRIX, reduce("r", "a", [0], MATRIX, COLUMN) + reduce("q", "a", [1], MATRIX, ROW), "%r, %q", f"{COLUMN}, {ROW}"), 2, 1),
    "all of an argument": (function(MATRIX, reduce("r", "a", [0, 1], MATRIX, "tensor<f32>") + reduce("q", "a", [0, 1], MATRIX, "tensor<f32>", "maximum"), "%r, %q", "tensor<f32>, tensor<f32>"), 2, None),
    "elements of an argument": (function(MATRIX, "  %s = stablehlo.tanh %a : OF\n" + MULTIPLY, "%s, %m", f"{MATRIX}, {MATRIX}"), 2, 1),
    "argmax beside a sum": (function(MATRIX, ARGMAX + reduce("q", "a", [0], MATRIX, COLUMN), "%k#0, %k#1, %q", f"{COLUMN}, tensor<?xi32>, {COLUMN}"), 2, None),
    "many rows of an argument": (function(MATRIX, "".join(reduce(f"r{k}", "a", [1], MATRIX, ROW, kind) for k, kind in enumerate(["add", "maximum", "minimum", "multiply", "add"]))
                                          + "  %x = stablehlo.add %r0, %r4 : tensor<?xf32>\n", "%x, %r1, %r2, %r3", ", ".join([ROW] * 4)), 2, None),
    # What a reduction starts with is there before the kernel.
    "initial value": (function(MATRIX, MULTIPLY + reduce("r", "m", [0, 1], MATRIX, "tensor<f32>") + reduce("c", "m", [0], MATRIX, COLUMN, init="r") + reduce("q", "m", [1], MATRIX, ROW, init="r"),
                               "%c, %q", f"{COLUMN}, {ROW}"), 2, None),
}
SIZES = {2: ["5x7", "1x1", "3x0", "0x3", "2x1025"], 3: ["2x3x5", "3x1x4", "1x2x1030", "0x2x2"], 0: [None]}


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_pass(heddle, tmp_path, name, target):
    text, rank, _ = PROGRAMS[name]
    (tmp_path / "p.mlir").write_text(text)
    for size in SIZES[rank]:
        shape = ["--shape", f"arg0={size}", "--shape", f"arg1={size}"] if size else []
        done = heddle("bisect", tmp_path / "p.mlir", "--random", "1", *shape, "--target", target)
        assert done.returncode == 0 and "DIFFERS" not in done.stdout, (size, done.stdout + done.stderr)


@pytest.mark.parametrize("name", [name for name, row in PROGRAMS.items() if row[2]])
def test_fusions(heddle, tmp_path, name):
    text, _, count = PROGRAMS[name]
    (tmp_path / "p.mlir").write_text(text)
    fusions = json.loads(heddle("explain", tmp_path / "p.mlir", "--json", "--target", "cuda", check=True).stdout)["fusions"]
    assert len(fusions) == count, [u["ops"] for u in fusions]


# Column kernels take reductions along, not what comes after them, nor reductions of pairs.
ON_THE_CPU = {"rows of an argument": 1, "columns of an argument": 2, "elements of an argument": 1, "argmax beside a sum": 2}


@pytest.mark.parametrize("name", ON_THE_CPU)
def test_fusions_of_the_cpu(heddle, tmp_path, name):
    (tmp_path / "p.mlir").write_text(PROGRAMS[name][0])
    fusions = json.loads(heddle("explain", tmp_path / "p.mlir", "--json", "--target", "cpu", check=True).stdout)["fusions"]
    assert len(fusions) == ON_THE_CPU[name], [u["ops"] for u in fusions]
