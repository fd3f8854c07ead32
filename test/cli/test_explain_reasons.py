# SPDX-License-Identifier: Apache-2.0
"""heddle explain: each reason that it can give, in the smallest program where it is true, and each route."""
import json

import pytest

pytestmark = pytest.mark.usefixtures("compiler")

SQUARE, CUBE = "tensor<7x7xf32>", "tensor<3x5x4xf32>"
EXP = f"  %y = stablehlo.exponential %a : {SQUARE}\n"
TRANSPOSED = f"  %t = stablehlo.transpose %y, dims = [1, 0] : ({SQUARE}) -> {SQUARE}\n"
DOT = f"  %d = stablehlo.dot %a, %b : ({SQUARE}, {SQUARE}) -> {SQUARE}\n"


def function(args, body, results, types):
    return f"func.func @main({args}) -> ({types}) {{\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n{body}  return {results} : {types}\n}}\n"


def reduce(operand, dims, of, to, name="r"):
    return f"  %{name} = stablehlo.reduce(%{operand} init: %zero) applies stablehlo.add across dimensions = {dims} : ({of}, tensor<f32>) -> {to}\n"


def gather(operand, name="g"):
    return (f'  %{name} = "stablehlo.gather"(%{operand}, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], '
            f"start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7>}}> : ({SQUARE}, tensor<7x1xi32>) -> {SQUARE}\n")


def spread(operand, dim):
    return f"  %s = stablehlo.broadcast_in_dim %{operand}, dims = [{dim}] : (tensor<7xf32>) -> {SQUARE}\n  %z = stablehlo.multiply %y, %s : {SQUARE}\n"


def nines(program):
    """The same on 9 by 9: products up to 8 by 8 are kernels like those of element-wise ops."""
    return program.replace("7x7", "9x9").replace("tensor<7xf32>", "tensor<9xf32>").replace("7x1x", "9x1x").replace("1, 7>", "1, 9>")


@pytest.fixture
def explain(heddle, tmp_path):
    def one(text, target):
        (tmp_path / "p.mlir").write_text(text)
        return json.loads(heddle("explain", tmp_path / "p.mlir", "--json", "--target", target, check=True).stdout)["fusions"]
    return one


ONE, PAIR, INDEXED = f"%a: {SQUARE}", f"%a: {SQUARE}, %b: {SQUARE}", f"%a: {SQUARE}, %i: tensor<7x1xi32>"
ROW, LINE = "tensor<7xf32>", "tensor<3x5xf32>"
MANY = "".join(f"  %c{k + 1} = stablehlo.{'sine' if k % 2 else 'cosine'} %c{k} : {SQUARE}\n" for k in range(130)).replace("%c0 ", "%a ")
CENTRED = "".join(reduce(f"a{k}", [1], SQUARE, ROW, f"r{k}") + f"  %b{k} = stablehlo.broadcast_in_dim %r{k}, dims = [0] : ({ROW}) -> {SQUARE}\n"
                  f"  %a{k + 1} = stablehlo.subtract %a{k}, %b{k} : {SQUARE}\n" for k in range(9)).replace("%a0 ", "%a ").replace("%a0,", "%a,")

# name: program, targets, what reads (the first op of its fusion), from which fusion, why
REFUSED = {
    "shapes": (function(ONE, EXP + f"  %s = stablehlo.slice %y [0:7, 0:3] : ({SQUARE}) -> tensor<7x3xf32>\n  %z = stablehlo.negate %s : tensor<7x3xf32>\n", "%y, %z", f"{SQUARE}, tensor<7x3xf32>"),
               "cpu cuda", "negate", 0, "shapes [7, 3] and [7, 7] are not provably equal"),
    "other indices": (function(ONE, EXP + TRANSPOSED + f"  %z = stablehlo.add %y, %t : {SQUARE}\n", "%y, %z", f"{SQUARE}, {SQUARE}"),
                      "cpu cuda", "add", 0, "it reads elements at other indices than its own"),
    "only moves": (function(ONE, EXP + TRANSPOSED, "%y, %t", f"{SQUARE}, {SQUARE}"), "cpu cuda", "transpose", 0, "transpose only moves elements, and reads them from memory"),
    "other row": (function(ONE, EXP + reduce("y", [1], SQUARE, ROW) + spread("r", 1), "%z", SQUARE),
                  "cpu cuda", "multiply", 0, "it reads it at other indices, which are not provably of the same row"),
    "rows of other dims": (function(f"%a: {CUBE}", f"  %y = stablehlo.exponential %a : {CUBE}\n" + reduce("y", [2], CUBE, LINE) + reduce("y", [1, 2], CUBE, "tensor<3xf32>", "q"), "%r, %q", f"{LINE}, tensor<3xf32>"),
                           "cpu cuda", "reduce", 0, "it reduces other dims"),
    "rows of rows": (function(ONE, EXP + reduce("y", [1], SQUARE, ROW) + reduce("r", [0], ROW, "tensor<f32>", "s"), "%s", "tensor<f32>"),
                     "cpu cuda", "reduce", 0, "shapes [7] and [7, 7] are not provably equal"),
    "reduced gather": (function(INDEXED, gather("a") + reduce("g", [1], SQUARE, ROW), "%g, %r", f"{SQUARE}, {ROW}"),
                       "cpu cuda", "reduce", 0, "a reduction would compute the kernel's gather again for each of its uses"),
    "reduced transpose": (function(ONE, EXP + TRANSPOSED + reduce("t", [1], SQUARE, ROW), "%y, %r", f"{SQUARE}, {ROW}"),
                          "cpu cuda", "reduce", 0, "the reduction reads it through an op that changes indices"),
    "rows of a product": (nines(function(PAIR, DOT + f"  %z = stablehlo.exponential %d : {SQUARE}\n" + reduce("z", [1], SQUARE, ROW), "%z, %r", f"{SQUARE}, {ROW}")),
                          "cpu", "reduce", 0, "a reduction needs whole rows, a tile of the product has part of each"),
    "products alone": (function(PAIR, DOT + f"  %z = stablehlo.exponential %d : {SQUARE}\n", "%z", SQUARE), "cuda", "exponential", 0, "on this target a product has no other ops with it"),
    "columns in the kernel": (function(ONE, EXP + reduce("y", [1], SQUARE, ROW) + reduce("y", [0], SQUARE, ROW, "c") + f"  %z = stablehlo.add %r, %c : {ROW}\n", "%z", ROW),
                              "cuda", "add", 0, "it reads a reduction of leading dims, which is done when all of the kernel is"),
    "initial value": (function(ONE, EXP + reduce("y", [0, 1], SQUARE, "tensor<f32>", "zeros") + reduce("y", [0, 1], SQUARE, "tensor<f32>").replace("%zero)", "%zeros)"), "%r", "tensor<f32>"),
                      "cuda", "reduce", 0, "a reduction starts with a value of it, which must be in memory"),
    "columns of other dims": (function(f"%a: {CUBE}", f"  %y = stablehlo.exponential %a : {CUBE}\n" + reduce("y", [0], CUBE, "tensor<5x4xf32>") + reduce("y", [0, 1], CUBE, "tensor<4xf32>", "q"), "%r, %q", "tensor<5x4xf32>, tensor<4xf32>"),
                              "cuda", "reduce", 0, "it reduces other dims"),
    "columns by other means": (function(ONE, EXP + reduce("y", [0], SQUARE, ROW), "%y, %r", f"{SQUARE}, {ROW}"), "cpu", "reduce", 0, "reduce reads it at other indices than its own: it must be in memory"),
    "product": (nines(function(PAIR, EXP + f"  %d = stablehlo.dot %y, %b : ({SQUARE}, {SQUARE}) -> {SQUARE}\n", "%d", SQUARE)), "cpu cuda", "dot", 0, "a product reads each element many times: it is computed once, into memory"),
    "gather": (function(INDEXED, EXP + gather("y"), "%g", SQUARE), "cpu cuda", "gather", 0, "gather reads it at other indices than its own: it must be in memory"),
    "gather in the kernel": (function(INDEXED, EXP + gather("y") + f"  %z = stablehlo.add %g, %y : {SQUARE}\n", "%z", SQUARE),
                             "cpu cuda", "gather", 0, "gather reads it at other indices than its own: it must be in memory"),
    "gather and product": (nines(function(PAIR + ", %i: tensor<7x1xi32>", gather("a") + DOT + f"  %z = stablehlo.add %g, %d : {SQUARE}\n", "%z", SQUARE)),
                           "cpu", "dot", 0, "each side has an op that is not computed element by element, dot and gather; a kernel may have one"),
    "rows and tiles": (nines(function(PAIR, EXP + reduce("y", [1], SQUARE, ROW) + spread("r", 0) + DOT + f"  %w = stablehlo.add %z, %d : {SQUARE}\n", "%w", SQUARE)),
                       "cpu", "dot", 0, "one works on whole rows, of which a tile of the other's product has parts"),
    "two kinds of rows": (function(f"%a: {CUBE}", f"  %y = stablehlo.exponential %a : {CUBE}\n  %x = stablehlo.sine %a : {CUBE}\n" + reduce("y", [2], CUBE, LINE) + reduce("x", [1, 2], CUBE, "tensor<3xf32>", "q") + f"  %w = stablehlo.add %y, %x : {CUBE}\n", "%r, %q, %w", f"{LINE}, tensor<3xf32>, {CUBE}"),
                          "cpu cuda", "sine", 0, "they reduce other dims"),
    "too many": (function(ONE, MANY, "%c130", SQUARE), "cpu cuda", "cosine", 0, "the kernel would have 121 ops, of which it may have 120"),
    "too many stages": (function(ONE, CENTRED, "%a9", SQUARE), "cpu cuda", "reduce", 0, "the kernel would have 9 reductions one after the other, of which it may have 8"),
    "library": (function(ONE, EXP + f"  %c = stablehlo.cholesky %y, lower = true : {SQUARE}\n", "%c", SQUARE), "cpu cuda", "cholesky", 0, "no kernel has this cholesky with other ops"),
    "between": (function(ONE, EXP + f"  %c = stablehlo.cholesky %y, lower = true : {SQUARE}\n  %z = stablehlo.add %y, %c : {SQUARE}\n", "%z", SQUARE),
                "cpu cuda", "add", 0, "another kernel or the host must run between them"),
    "constant": (function("%a: tensor<3xf32>", "  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n  %z = stablehlo.add %a, %c : tensor<3xf32>\n", "%z", "tensor<3xf32>"),
                 "cpu cuda", "add", 0, "it is a constant, which is in memory"),
}


@pytest.mark.parametrize("name, target", [(name, target) for name, row in REFUSED.items() for target in row[1].split()])
def test_why_apart(explain, name, target):
    text, _, reader, source, why = REFUSED[name]
    fusions = explain(text, target)
    found = [(u["ops"], r["fusion"], r["why"]) for u in fusions for r in u["not_fused_with"]]
    assert any(ops.startswith(reader) and fusion == source and said == why for ops, fusion, said in found), found
    at = next(k for k, u in enumerate(fusions) if any(r["why"] == why for r in u["not_fused_with"]))
    assert at > source and source in fusions[at]["reads"]
    assert fusions[source]["why"].startswith("fusion "), fusions[source]


LOOP = function(f"{ONE}, %n: tensor<i32>", EXP + f"""  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %none, %v = %a) : tensor<i32>, {SQUARE}
  cond {{
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.subtract %v, %y : {SQUARE}
    stablehlo.return %j, %w : tensor<i32>, {SQUARE}
  }}
""", "%r#1", SQUARE)
BRANCH = function(f"{ONE}, %p: tensor<i1>", EXP + f"""  %r = "stablehlo.if"(%p) ({{
    %q = stablehlo.sine %y : {SQUARE}
    stablehlo.return %q : {SQUARE}
  }}, {{
    stablehlo.return %y : {SQUARE}
  }}) : (tensor<i1>) -> {SQUARE}
""", "%r", SQUARE)


def test_where_units_end(explain):
    """What is said of a fusion that no refusal ends: who uses its result."""
    fusions = {u["ops"]: u for u in explain(LOOP, "cpu")}
    assert fusions["exponential"]["why"].endswith(" reads it in another block")
    assert explain(LOOP, "cpu")[int(fusions["exponential"]["why"].split()[1])]["ops"] == "subtract"
    assert fusions["subtract"]["why"] == "a loop or branch takes its result"
    assert fusions["compare"]["why"] == "the host reads its result" and fusions["compare"]["route"] == "host: arithmetic"
    assert fusions["subtract"]["route"] == "emitter: loop"
    fusions = explain(BRANCH, "cpu")
    copies = [u for u in fusions if u["ops"] == "copy"]
    assert copies and all(u["route"] == "runtime: copy" and u["flops"] == "0" and u["why"] == "its result leaves the program" for u in copies)
    assert not any("another block" in u["why"] for u in explain(REFUSED["only moves"][0], "cpu"))


def test_every_read_has_a_reason(explain):
    """No fusion reads another one of its block without being told why they are two."""
    for text, targets, *_ in [*REFUSED.values(), (LOOP, "cpu cuda"), (BRANCH, "cpu cuda")]:
        for target in targets.split():
            fusions = explain(text, target)
            for k, u in enumerate(fusions):
                for read in set(u["reads"]) - {r["fusion"] for r in u["not_fused_with"]}:
                    assert fusions[read]["why"].endswith(" in another block") or fusions[read]["ops"] == "constant", (target, k, read, fusions)


ROUTES = {
    "library: packed GEMM": ("cpu", function(PAIR, DOT, "%d", SQUARE).replace("7x7", "16x16"), "dot"),
    "emitter: tiles of the result": ("cuda", function(PAIR, DOT, "%d", SQUARE).replace("7x7", "16x16"), "dot"),
    "library: packed GEMM, the other ops on its tile": ("cpu", REFUSED["products alone"][0].replace("7x7", "16x16"), "dot, exponential"),
    "library: one call": ("cpu cuda", REFUSED["library"][0], "cholesky"),
    "emitter: column reduction": ("cuda", function(ONE, EXP + reduce("y", [0], SQUARE, ROW), "%r", ROW), "exponential, reduce"),
    "emitter: row reduction": ("cpu cuda", function(ONE, EXP + reduce("y", [1], SQUARE, ROW), "%r", ROW), "exponential, reduce"),
    "runtime: constant of the program": ("cpu cuda", REFUSED["constant"][0], "constant"),
    "emitter: loop": ("cpu cuda", REFUSED["gather"][0], "gather"),
}


@pytest.mark.parametrize("route", ROUTES)
def test_routes(explain, route):
    targets, text, ops = ROUTES[route]
    for target in targets.split():
        assert next(u for u in explain(text, target) if u["ops"] == ops)["route"] == route, target


def test_small_products_are_loops(explain):
    for text, ops in ((function(PAIR, DOT, "%d", SQUARE), "dot"), (REFUSED["products alone"][0], "dot, exponential")):
        unit = next(u for u in explain(text, "cpu") if u["ops"] == ops)
        assert (unit["kind"], unit["route"]) == ("loop", "emitter: loop")


def test_arithmetic_of_products(explain):
    fusions = explain(ROUTES["library: packed GEMM"][1], "cpu")
    assert [u["flops"] for u in fusions] == [str(2 * 16 ** 3)]
