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
MODELS = ["bert_base", "bert_layer", "gelu", "gelu_bf16", "gpt2_decode", "layernorm", "lstm", "resnet50", "softmax", "train_step"]
# What stays of the graph and of buffers at the end: nothing.
LEFT = re.compile(r'^ *(?:%[^=]* = )?"?((?:stablehlo|mhlo|chlo|lmhlo)\.\w+|scf\.parallel|gpu\.launch blocks)', re.M)


@pytest.fixture(scope="module")
def pipeline(build):
    def run(text=None, path="-"):
        return subprocess.run([os.path.join(build, "bin", "heddle-opt"), "--disc-pipeline=target=gpu", "--verify-each", path],
                              input=text, capture_output=True, text=True, timeout=300)
    return run


def left(text):
    found = LEFT.search(text)
    return found and found.group(1)


@pytest.mark.parametrize("op", OPS)
def test_op(op, pipeline):
    wrong = {}
    for row in [row for row in ROWS if row.op == op]:
        for forms in op_sweep.forms_of(row):
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


@pytest.mark.parametrize("shape", ["2x3x4", "1x0x2"])
def test_host_regions(shape, heddle, root):
    """Reductions and sorts of sizes, which the host runs, compute what they did, after every pass."""
    path = os.path.join(root, "src", "passes", "gpu", "host_regions.mlir")
    done = heddle("bisect", path, "--target", "gpu", "--random", 1, "--shape", f"arg0={shape}", "--json")
    assert done.stdout, done.stderr
    last = json.loads(done.stdout)["stages"][-1]
    assert last["equal"], (last, done.stderr)
