# SPDX-License-Identifier: Apache-2.0
"""heddle explain: its three forms, and the page in headless Chromium."""
import json
import os
import re
import subprocess

import needs
import pytest

pytestmark = pytest.mark.usefixtures("compiler")


def example(root, name): return os.path.join(root, "examples", name + ".mlir")


def test_text(heddle, root):
    out = heddle("explain", example(root, "softmax"), check=True).stdout
    for part in ("dims     b (dim 0 of argument 0), s (dim 1 of argument 0)", "tensor<bxsxf32>", "emitter: row reduction", "exponential",
                 "kernels (1)", "8*b*s", "disc-fusion"):
        assert part in out, part


def test_json(heddle, root):
    got = json.loads(heddle("explain", example(root, "bert_layer"), "--json", check=True).stdout)
    assert got["dims"] == ["b", "s"]
    gemms = [u for u in got["fusions"] if u["kind"] == "gemm"]
    assert len(gemms) == 6 and all("library" in u["route"] for u in gemms)
    assert gemms[0]["flops"] == "3541248*b*s"
    assert sum(u["kind"] == "row" for u in got["fusions"]) == 3  # softmax and two layer norms
    assert all(r < u["fusion"] for u in got["fusions"] for r in u["reads"])
    assert all(u["why"] for u in got["fusions"])
    assert 0 < len(got["kernels"]) <= 10


def test_units_of_kernels(heddle, root):
    """Every kernel says for which fusions it runs, also one that only copies for a library call; names make a column."""
    got = json.loads(heddle("explain", example(root, "bert_layer"), "--json", check=True).stdout)
    fusions = {u["fusion"]: u for u in got["fusions"]}
    for kernel in got["kernels"]:
        assert kernel["fusions"] and all(kernel["name"].split("_")[0] in (fusions[u]["kind"], "loop") for u in kernel["fusions"]), kernel
    copies = [kernel for kernel in got["kernels"] if kernel["name"].startswith("loop_")]
    assert copies and all(fusions[u]["kind"] == "gemm" for kernel in copies for u in kernel["fusions"]), copies
    called = {call["name"]: call["fusions"] for call in got["calls"]}
    assert [fusions[u]["kind"] for u in called["ral_attention"]] == ["gemm", "row", "gemm"]
    assert all(fusions[u]["writes"].endswith("a strip of rows at a time") for u in called["ral_attention"][:2])
    assert sorted(called["ral_dot_general"] + called["ral_attention"][::2]) == [u for u in fusions if fusions[u]["kind"] == "gemm"]
    text = heddle("explain", example(root, "bert_layer"), check=True).stdout
    rows = text[text.index("\nkernels ("):text.index("\nruntime calls")].strip().splitlines()[1:]
    assert len(rows) == len(got["kernels"]) and len({re.search(r"\S  +(?=\S)", row.strip()).end() for row in rows}) == 1, rows
    assert any(row.endswith(", for fusions 5, 8") for row in rows), rows


def test_refused_merges_say_why(heddle, root):
    got = json.loads(heddle("explain", example(root, "bert_layer"), "--json", check=True).stdout)
    fusions = got["fusions"]
    refused = {(r["fusion"], u["fusion"]): r["why"] for u in fusions for r in u["not_fused_with"]}
    for u in fusions:  # each kernel that reads another one's result says why it is not one with it
        for read in u["reads"]: assert refused.get((read, u["fusion"])), (read, u["fusion"])
    assert any("product reads each element many times" in why for why in refused.values())
    assert any("a tile of the product has part of each" in why for why in refused.values())
    ended = [u["why"] for u in fusions]
    assert ended[-1] == "its result leaves the program" and all(re.match(r"fusion \d+: ", why) for why in ended[:-1])
    assert not any(re.search(r"\bd\d", u[key]) for u in fusions for key in ("writes", "flops", "bytes")), "dims go by their names"


def test_shapes_that_differ(heddle, tmp_path):
    program = tmp_path / "two.mlir"
    program.write_text("""func.func @main(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %0 = stablehlo.exponential %a : tensor<?xf32>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %1 = stablehlo.dynamic_slice %0, %zero, sizes = [4] : (tensor<?xf32>, tensor<i64>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %0, %2 : tensor<?xf32>, tensor<4xf32>
}
""")
    out = heddle("explain", program, check=True).stdout
    assert "not fused with fusion 0: shapes [4] and [d0] are not provably equal" in out, out


def test_dims_that_are_expressions(heddle, tmp_path):
    jax = needs.module("jax", group="python")
    from jax import export
    dim, = export.symbolic_shape("2*n+1")
    program = tmp_path / "odd.mlir"
    program.write_text(export.export(jax.jit(lambda x: x * 2))(jax.ShapeDtypeStruct((dim,), "float32")).mlir_module())
    out = heddle("explain", program, check=True).stdout
    assert "dims     n (dim 0 of argument 0)" in out and "flops   2*n + 1" in out, out


def test_bad_program(heddle, tmp_path):
    bad = tmp_path / "bad.mlir"
    bad.write_text("func.func @main() {\n  nonsense\n}\n")
    done = heddle("explain", bad)
    assert done.returncode == 1 and f"{bad}:2:" in done.stderr


def test_page(heddle, root, tmp_path):
    page = tmp_path / "page.html"
    heddle("explain", example(root, "softmax"), "--html", "-o", page, check=True)
    text = page.read_text()
    assert not re.search(r"(src|href)\s*=", text), "the page is self-contained"
    dom = subprocess.run([needs.program("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={tmp_path}/profile",
                          "--virtual-time-budget=2000", "--dump-dom", f"file://{page}"], capture_output=True, text=True, timeout=120).stdout
    assert dom.count("<details") == text.count('<details class="pass"') > 3
    assert '<svg id="graph"' in dom and "<rect" in dom
    assert re.search(r'<table id="fusions">.*exponential.*</table>', dom, re.S)
    assert "row_reduce_maximum_subtract_0" in dom


def test_page_says_what_is_apart(heddle, root, tmp_path):
    page = tmp_path / "page.html"
    heddle("explain", example(root, "bert_layer"), "--html", "-o", page, check=True)
    assert "fusion 0: a product reads each element many times" in page.read_text()


def test_page_has_what_the_text_has(heddle, tmp_path):
    """Kernels and calls with the fusions that they are for; names of dims are text, not markup."""
    path = tmp_path / "p.mlir"
    path.write_text("""func.func @main(%x: tensor<?x3xf32>, %y: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %r = call @f(%n, %x, %y) : (tensor<i32>, tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func private @f(%n: tensor<i32> {jax.global_constant = "<b>"}, %x: tensor<?x3xf32>, %y: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %d = stablehlo.dot %x, %y : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  %a = stablehlo.cosine %d : tensor<?x3xf32>
  return %a : tensor<?x3xf32>
}
""")
    heddle("explain", path, "--html", "-o", tmp_path / "page.html", check=True)
    page = (tmp_path / "page.html").read_text()
    got = json.loads(heddle("explain", path, "--json", check=True).stdout)
    for kernel in got["kernels"] + got["calls"]:
        fusions = ", ".join(map(str, kernel["fusions"]))
        assert re.search(rf"<tr><td>{kernel['name']}</td><td>[^<]*</td><td>{fusions}</td></tr>", page), kernel
    assert got["calls"] and f"buffers before they are shared and reused: {got['allocations']}." in page
    assert "<i>&lt;b&gt;</i>" in page


@pytest.mark.parametrize("library", [False, True])
def test_kernels_of_the_gpu(heddle, tmp_path, library):
    """The launches of the device's pipeline and the library's calls, of which the run takes one; the same kernels that its passes leave."""
    path = tmp_path / "p.mlir"
    path.write_text("""func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %d = stablehlo.dot %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %a = stablehlo.abs %d : tensor<?x?xf32>
  return %a : tensor<?x?xf32>
}
""")
    got = json.loads(heddle("explain", path, "--json", "--target", "cuda", *["--library-products"] * library, check=True).stdout)
    kernels = {kernel["name"]: kernel["count"] for kernel in got["kernels"]}
    fusion = next(u for u in got["fusions"] if "dot" in u["ops"])
    product, others = {fusion["fusion"]}, {u["fusion"] for u in got["fusions"]} - {fusion["fusion"]}
    assert fusion["route"] == ("library where one takes it, else tiles of the result" if library else "emitter: tiles of the result")
    assert ({"name": "ral_gemm", "count": 1, "fusions": [*product]} in got["calls"]) == library, got["calls"]
    assert any(name.startswith("loop_abs") for name in kernels) and any(name.startswith("product_dot") for name in kernels), kernels
    assert all(kernels.values())
    for kernel in got["kernels"]: assert kernel["fusions"] and set(kernel["fusions"]) <= (product if kernel["name"].startswith("product") else others), kernel
