# SPDX-License-Identifier: Apache-2.0
"""Loops whose values change their sizes from step to step, branches that give different sizes: each step allocates what
it makes and frees what it leaves, at every level of both pipelines."""
import json

import pytest

pytestmark = pytest.mark.usefixtures("compiler")


def loop(carried, types, condition, body):
    """stablehlo.while over |carried|, "name = start" each."""
    return (f"stablehlo.while({carried}) : {types}\n  cond {{\n{condition}\n    stablehlo.return %p : tensor<i1>\n  }} do {{\n"
            f"    %j = stablehlo.add %i, %one : tensor<i32>\n{body}\n  }}\n")


HEAD = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %k: tensor<i32>) -> {0} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
"""
COUNT = "    %p = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>"
F = "tensor<?xf32>"
CONCATENATE = f"stablehlo.concatenate {{}}, {{}}, dim = 0 : ({F}, {F}) -> {F}"
HALF = f"""    %n = stablehlo.get_dimension_size %v, dim = 0 : ({F}) -> tensor<i32>
    %h = stablehlo.divide %n, %two : tensor<i32>
    %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
    %all = stablehlo.add %h1, %h1 : tensor<1xi32>
    %c0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c1 = stablehlo.constant dense<1> : tensor<1xi32>
    %a = stablehlo.real_dynamic_slice %v, %c0, %h1, %c1 : ({F}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {F}
    %b = stablehlo.real_dynamic_slice %v, %h1, %all, %c1 : ({F}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {F}
    %s = stablehlo.add %a, %b : {F}"""


def program(result, text):
    return HEAD.format(result) + text + "}\n"


PROGRAMS = {
    "halves": program(f"({F}, tensor<i32>)", "  %r:2 = " + loop(
        "%i = %zero, %v = %x", f"tensor<i32>, {F}",
        f"""    %size = stablehlo.get_dimension_size %v, dim = 0 : ({F}) -> tensor<i32>
    %p = stablehlo.compare GT, %size, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>""",
        HALF + f"\n    stablehlo.return %j, %s : tensor<i32>, {F}") + f"  return %r#1, %r#0 : {F}, tensor<i32>\n"),
    "grows": program(F, "  %r:2 = " + loop(
        "%i = %zero, %v = %x", f"tensor<i32>, {F}", COUNT,
        f"    %c = {CONCATENATE.format('%v', '%y')}\n    stablehlo.return %j, %c : tensor<i32>, {F}") + f"""
  %t = stablehlo.tanh %r#1 : {F}
  return %t : {F}
"""),
    # The value before the last one lives on; a third one keeps its size.
    "doubles": program(f"({F}, {F}, {F})", "  %r:4 = " + loop(
        "%i = %zero, %v = %x, %w = %y, %u = %y", f"tensor<i32>, {F}, {F}, {F}", COUNT,
        f"""    %c = {CONCATENATE.format('%v', '%v')}
    %t = stablehlo.tanh %u : {F}
    stablehlo.return %j, %c, %v, %t : tensor<i32>, {F}, {F}, {F}""") + f"  return %r#1, %r#2, %r#3 : {F}, {F}, {F}\n"),
    # Sizes change places; what is yielded twice, or comes from outside, is copied.
    "changes_places": program(f"({F}, {F}, {F}, {F})", "  %r:5 = " + loop(
        "%i = %zero, %v = %x, %w = %y, %u = %x, %z = %x", f"tensor<i32>, {F}, {F}, {F}, {F}", COUNT,
        f"""    %c = {CONCATENATE.format('%u', '%y')}
    stablehlo.return %j, %w, %v, %c, %y : tensor<i32>, {F}, {F}, {F}, {F}""")
        + f"  return %r#1, %r#2, %r#3, %r#4 : {F}, {F}, {F}, {F}\n"),
    # Only some steps add something: a branch of two sizes inside.
    "filters": program(F, "  %r:2 = " + loop(
        "%i = %zero, %v = %x", f"tensor<i32>, {F}", COUNT,
        f"""    %m = stablehlo.remainder %i, %two : tensor<i32>
    %q = stablehlo.compare EQ, %m, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = "stablehlo.if"(%q) ({{
      %c = {CONCATENATE.format('%v', '%y')}
      stablehlo.return %c : {F}
    }}, {{
      stablehlo.return %v : {F}
    }}) : (tensor<i1>) -> {F}
    stablehlo.return %j, %s : tensor<i32>, {F}""") + f"  return %r#1 : {F}\n"),
    "nested": program(F, "  %r:2 = " + loop(
        "%i = %zero, %v = %x", f"tensor<i32>, {F}", COUNT,
        "    %s:2 = " + loop("%l = %zero, %w = %v", f"tensor<i32>, {F}",
                             "    %p = stablehlo.compare LT, %l, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                             f"    %c = {CONCATENATE.format('%w', '%y')}\n    stablehlo.return %l1, %c : tensor<i32>, {F}").replace(
            "%j = stablehlo.add %i,", "%l1 = stablehlo.add %l,") + f"    stablehlo.return %j, %s#1 : tensor<i32>, {F}")
        + f"  return %r#1 : {F}\n"),
    # The value is updated in place, the size of another one of its size changes.
    "updates": program(F, "  %r:2 = " + loop(
        "%i = %zero, %v = %x", f"tensor<i32>, {F}", COUNT,
        f"""    %c = {CONCATENATE.format('%v', '%y')}
    %e = stablehlo.constant dense<5.0> : tensor<1xf32>
    %s = stablehlo.dynamic_update_slice %c, %e, %i : ({F}, tensor<1xf32>, tensor<i32>) -> {F}
    stablehlo.return %j, %s : tensor<i32>, {F}""") + f"  return %r#1 : {F}\n"),
    "if": program(F, f"""  %p = stablehlo.compare LT, %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({{
    %c = {CONCATENATE.format('%x', '%y')}
    stablehlo.return %c : {F}
  }}, {{
    stablehlo.return %x : {F}
  }}) : (tensor<i1>) -> {F}
  %t = stablehlo.negate %r : {F}
  return %t : {F}
"""),
    # Two results, of which one has the same size everywhere; one arm gives a value twice.
    "case": program(f"({F}, {F}, {F})", f"""  %r:3 = "stablehlo.case"(%k) ({{
    %c = {CONCATENATE.format('%x', '%y')}
    %n = stablehlo.negate %x : {F}
    stablehlo.return %c, %n, %y : {F}, {F}, {F}
  }}, {{
    %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %d = stablehlo.convert %c : (tensor<2xf32>) -> {F}
    stablehlo.return %d, %x, %d : {F}, {F}, {F}
  }}, {{
    stablehlo.return %y, %x, %y : {F}, {F}, {F}
  }}) : (tensor<i32>) -> ({F}, {F}, {F})
  return %r#0, %r#1, %r#2 : {F}, {F}, {F}
"""),
}


def save(path, n, m, k):
    import numpy as np
    np.savez(path, arg0=np.arange(n, dtype=np.float32), arg1=np.arange(m, dtype=np.float32) / 4, arg2=np.int32(k))
    return path


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(heddle, tmp_path, name):
    (tmp_path / "p.mlir").write_text(PROGRAMS[name])
    for n, m in ((0, 0), (1, 3), (7, 2), (64, 1), (37, 37)):
        for k in (0, 1, 2, 5):
            inputs = save(tmp_path / "in.npz", n + (name == "updates"), m, k)
            heddle("run", tmp_path / "p.mlir", "--inputs", inputs, "--reference=eval", check=True)


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_level(heddle, tmp_path, name, target):
    """Nothing is freed twice or left over: the evaluator watches every buffer after each pass."""
    (tmp_path / "p.mlir").write_text(PROGRAMS[name])
    done = heddle("bisect", tmp_path / "p.mlir", "--inputs", save(tmp_path / "in.npz", 9, 2, 3), "--target", target)
    assert done.returncode == 0 and "DIFFERS" not in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_blocks(heddle, tmp_path, name):
    """Freed on every path of blocks and jumps too."""
    (tmp_path / "p.mlir").write_text(PROGRAMS[name])
    passes = ("hlo-expand,disc-hlo-legalize-to-lhlo,disc-lower-to-buffer-alias,legalize-lhlo-control-flow,"
              "disc-buffer-deallocation,disc-inject-execution-context")
    done = heddle("bisect", tmp_path / "p.mlir", "--inputs", save(tmp_path / "in.npz", 9, 2, 3), "--pass-pipeline", passes)
    assert "DIFFERS" not in done.stdout and "disc-buffer-deallocation" in done.stdout, done.stdout + done.stderr


def counts(heddle, path, inputs):
    return json.loads(heddle("run", path, "--inputs", inputs, "--json", check=True).stdout)


def test_memory(heddle, tmp_path):
    """A step holds what it reads and what it makes: no step's buffer outlives the next one."""
    (tmp_path / "p.mlir").write_text(PROGRAMS["grows"])
    peak = counts(heddle, tmp_path / "p.mlir", save(tmp_path / "in.npz", 1000, 1000, 40))["buffer_bytes_peak"]
    assert peak < 2.5 * 4 * 1000 * 41, peak
    (tmp_path / "h.mlir").write_text(PROGRAMS["halves"])
    peak = counts(heddle, tmp_path / "h.mlir", save(tmp_path / "in.npz", 1 << 16, 1, 0))["buffer_bytes_peak"]
    assert peak < 2.5 * 4 * (1 << 16), peak


def test_deep_nest(heddle, tmp_path):
    """Loops in loops whose sizes all vary: the analysis of the innermost one is not repeated for each way there."""
    def nest(depth):
        body = f"    %c{depth} = {CONCATENATE.format(f'%v{depth}', '%y')}\n    stablehlo.return %j, %c{depth} : tensor<i32>, {F}"
        if depth < 20:
            body = f"    %s{depth}:2 = " + nest(depth + 1) + f"    stablehlo.return %j, %s{depth}#1 : tensor<i32>, {F}"
        start = "%x" if depth == 0 else f"%v{depth - 1}"
        return loop(f"%i = %zero, %v{depth} = {start}", f"tensor<i32>, {F}", COUNT, body).replace("%i", f"%i{depth}").replace("%j", f"%j{depth}").replace(
            "%p ", f"%p{depth} ")
    text = program(F, "  %r:2 = " + nest(0) + f"  return %r#1 : {F}\n")
    (tmp_path / "p.mlir").write_text(text)
    heddle("run", tmp_path / "p.mlir", "--inputs", save(tmp_path / "in.npz", 3, 2, 1), "--reference=eval", check=True, timeout=60)
