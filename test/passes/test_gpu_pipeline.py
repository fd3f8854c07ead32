# SPDX-License-Identifier: Apache-2.0
"""The gpu pipeline takes every op and every model: each row of the op sweep at each element type, static and dynamic,
and the models of examples/, valid after every pass. What it cannot do is an error at the op, in the list below."""
import json
import os
import re
import subprocess

import pytest

import op_sweep
from op_rows import MISSING, ROWS

OPS = sorted({row.op for row in ROWS})
LONG = bool(os.environ.get("HEDDLE_LONG"))
MODELS = ["bert_base", "bert_layer", "gelu", "gelu_bf16", "gpt2_decode", "layernorm", "lstm", "resnet50", "softmax", "train_step"]
# What stays of the graph and of buffers at the end: nothing. Programs have up to a million lines, so that only lines with one of WORDS are looked at.
LEFT = re.compile(rb' *(?:%[^=]* = )?"?((?:stablehlo|mhlo|chlo|lmhlo)\.\w+|scf\.parallel|gpu\.launch blocks)')
WORDS = re.compile(rb'hlo\.|scf\.parallel|gpu\.launch blocks')
# Ops that become some thousand lines a type and form: narrow floats are computed in f32, so that one of them says what the others would (HEDDLE_LONG has all).
WIDE = ("chlo.polygamma", "chlo.broadcast_polygamma", "chlo.zeta", "chlo.broadcast_zeta")
WIDE_TYPES = ("f8E5M2", "bf16", "f32", "f64")


@pytest.fixture(scope="module")
def pipeline(build):
    def run(text=None, path="-"):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "--disc-pipeline=target=cuda", "--verify-each", path],
                              input=text and text.encode(), capture_output=True, timeout=300)
        done.stderr = done.stderr.decode()
        return done
    return run


def left(text):
    for at in WORDS.finditer(text):
        start = text.rfind(b"\n", 0, at.start()) + 1
        if found := LEFT.match(text, start): return found.group(1).decode()
    return None


@pytest.mark.parametrize("op", OPS)
def test_op(op, pipeline):
    wrong = {}
    for row in [row for row in ROWS if row.op == op]:
        for forms in op_sweep.forms_of(row):
            if op in WIDE and not LONG: forms = [form for form in forms if form.element in WIDE_TYPES]
            done = pipeline(op_sweep.program(forms))
            if not done.returncode and not left(done.stdout): continue
            for form in forms:
                done = pipeline(op_sweep.program([form]))
                if done.returncode or left(done.stdout): wrong[form.name] = done.stderr.split("\n")[0] or f"leaves {left(done.stdout)}"
    if op in MISSING:
        silent = {name: text for name, text in wrong.items() if not re.match(r"<stdin>:\d+:\d+: error: ", text)}
        assert wrong and not silent, silent
    else:
        assert not wrong, "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


@pytest.mark.parametrize("model", MODELS)
def test_model(model, pipeline, root):
    path = os.path.join(root, "examples", f"{model}.mlir")
    done = pipeline(path=path)
    assert done.returncode == 0, done.stderr
    assert not left(done.stdout)


def test_kernels_of_bert_base(heddle, root):
    """Fifteen, those for indices of 64 bits apart: products 3 (of all weights), 2 and 1 (scores, weighted values), softmax 5, norms 2, loops 2."""
    done = heddle("explain", os.path.join(root, "examples", "bert_base.mlir"), "--target", "cuda", "--json", check=True)
    kernels = [kernel["name"] for kernel in json.loads(done.stdout)["kernels"]]
    assert len(kernels) == len(set(kernels)) and len([name for name in kernels if not re.search(r"_64(_\d+)?$", name)]) <= 15, kernels


@pytest.mark.parametrize("shape", ["2x3x4", "1x0x2"])
def test_host_regions(shape, heddle, root):
    """Reductions and sorts of sizes, which the host runs, compute what they did, after every pass."""
    path = os.path.join(root, "src", "passes", "gpu", "host_regions.mlir")
    done = heddle("bisect", path, "--target", "cuda", "--random", 1, "--shape", f"arg0={shape}", "--json")
    assert done.stdout, done.stderr
    last = json.loads(done.stdout)["stages"][-1]
    assert last["equal"], (last, done.stderr)


def lanes(n, op, operands, tensor, arguments, scalars, body, attributes, before=""):
    """An op on n tensors side by side: |operands| and |scalars| are names and types of a lane with its number for {i}."""
    def each(text, join=", "): return join.join(text.format(i=i) for i in range(n))
    types = ", ".join([tensor] * n)
    return f"""func.func @main({each(arguments)}) -> ({types}) {{
{before}
  %r:{n} = "stablehlo.{op}"({operands(each)}) ({{
  ^bb0({scalars(each)}):
{body(each)}
  }}) {attributes} : ({operands(each, True)}) -> ({types})
  return {each('%r#{i}')} : {types}
}}"""


MANY = {
    # Two keys: each part of the sort has both.
    "sort": lanes(260, "sort", lambda each, types=False: each("tensor<17xf32>" if types else "%x{i}"), "tensor<17xf32>", "%x{i}: tensor<17xf32>",
                  lambda each: each("%a{i}: tensor<f32>, %b{i}: tensor<f32>"), lambda each: """
    %1 = stablehlo.compare LT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %a7, %b7 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>""", "{dimension = 0 : i64}"),
    # The first decides for all others.
    "reduce": lanes(180, "reduce", lambda each, types=False: ", ".join(each(t) for t in (("tensor<3x5xf32>", "tensor<f32>") if types else ("%x{i}", "%z"))),
                    "tensor<3xf32>", "%x{i}: tensor<3x5xf32>",
                    lambda each: each("%a{i}: tensor<f32>") + ", " + each("%b{i}: tensor<f32>"), lambda each: f"""
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
{each('    %s{i} = stablehlo.select %p, %a{i}, %b{i} : tensor<i1>, tensor<f32>', chr(10))}
    stablehlo.return {each('%s{i}')} : {each('tensor<f32>')}""", "{dimensions = array<i64: 1>}",
                    "  %z = stablehlo.constant dense<-2.0> : tensor<f32>"),
    "scatter": lanes(180, "scatter", lambda each, types=False: ", ".join([each("tensor<9xf32>"), "tensor<3x1xi32>", each("tensor<3xf32>")] if types
                                                                       else [each("%x{i}"), "%i", each("%u{i}")]),
                     "tensor<9xf32>", "%x{i}: tensor<9xf32>, %u{i}: tensor<3xf32>",
                     lambda each: each("%a{i}: tensor<f32>") + ", " + each("%b{i}: tensor<f32>"), lambda each: f"""
{each('    %s{i} = stablehlo.add %a{i}, %b{i} : tensor<f32>', chr(10))}
    stablehlo.return {each('%s{i}')} : {each('tensor<f32>')}""",
                     "{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}",
                     "  %i = stablehlo.constant dense<[[3], [1], [3]]> : tensor<3x1xi32>"),
}


@pytest.mark.parametrize("op", MANY)
def test_many_tensors(op, heddle, tmp_path):
    """More tensors than a kernel has parameters for: the op is divided, and no pass changes a bit."""
    path = tmp_path / "many.mlir"
    path.write_text(MANY[op])
    done = heddle("bisect", path, "--target", "cuda", "--random", 1, "--no-cache", check=True)
    assert re.search(r"disc-split-large-ops +equal +0\b", done.stdout), done.stdout


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("model, dims", [("softmax", "b=3,s=70"), ("lstm", "b=2,s=3"), ("bert_layer", "b=1,s=3")])
def test_erased(target, model, dims, heddle, root, build):
    """Calls of the runtime with erased types say what the typed ones do: the evaluator runs the whole program so."""
    text = subprocess.run([os.path.join(build, "bin", "passes_doc")], capture_output=True, text=True, check=True).stdout
    passes = re.findall(r"^\d+\. `(.*)`", text.split(f"\n`{target}`:\n")[1].split("\n\n`")[0], flags=re.M)
    if target == "cuda":  # products as calls of the library: the evaluator runs a product's tiles thread by thread, at every pass
        at = passes.index("disc-lower-to-library-calls")
        passes[at] += "{library-products}"
    done = heddle("bisect", os.path.join(root, "examples", f"{model}.mlir"), "--target", target, "--random", 1, "--dims", dims, "--no-cache",
                  "--tolerance", "1e-4", "--pass-pipeline", ",".join([*passes, "disc-rewrite-ral-api"]))
    last = re.search(r"^ +disc-rewrite-ral-api +(\w+)", done.stdout, flags=re.M)
    assert last and last.group(1) == "equal", done.stdout + done.stderr
