# SPDX-License-Identifier: Apache-2.0
"""Programs for OpenCL: each op of the sweep and each model on the device that tools/setup.sh brings, against the evaluator, and their
SPIR-V before the validator."""
import glob
import json
import os

import numpy as np
import pytest
from error_model import assert_within, sums

import heddle as hd
import needs
import op_sweep
import spirv
from op_rows import MISSING, ROWS

LONG = bool(os.environ.get("HEDDLE_LONG"))
OPS = sorted({row.op for row in ROWS} - set(MISSING))
# Which of several updates of one element comes last is not said.
UNORDERED = {"scatter_set"}
MODELS = {"gelu": "b=2,s=3", "gelu_bf16": "b=2,s=3", "softmax": "b=3,s=70", "layernorm": "b=5", "lstm": "b=2,s=3", "bert_layer": "b=1,s=3", "train_step": "b=2"}


@pytest.fixture(scope="module", autouse=True)
def device(build, compiler):
    needs.opencl(build)


def forms():
    """Dynamic forms, whose kernels have all versions; with HEDDLE_LONG all forms and types."""
    for row in ROWS:
        if row.name in UNORDERED or row.op in MISSING: continue
        for group in op_sweep.forms_of(row):
            if LONG: yield row.op, group
            elif group[0].dynamic or row.static_only: yield row.op, [f for f in group if f.element in ("f32", "i32")] or group[:1]


FORMS = list(forms())


def checked(artifact):
    """|artifact|, whose kernels the validator takes."""
    for module in set(spirv.modules(artifact)): assert not (wrong := spirv.wrong(module)), wrong
    return artifact


class CheckedSweep(op_sweep.Sweep):
    """A sweep that shows the validator the kernels of what it runs, and those of the types that --math=fast, the default, is for."""

    def compile(self, text): return checked(super().compile(text))

    def run(self, forms):
        for form in forms:
            if form.element not in ("f16", "bf16"): continue
            try: checked(op_sweep.compile_program(op_sweep.program([form]).encode(), target="spirv"))
            except hd.HeddleError: continue  # an outcome of the run
        super().run(forms)


@pytest.mark.parametrize("op", OPS)
def test_op(op):
    sweep = CheckedSweep("spirv", "opencl")
    for of, group in FORMS:
        if of == op: sweep.run(group)
    wrong = {form.name: text for form, text in sweep.outcomes.items() if text}
    assert not wrong, f"{len(wrong)} of {len(sweep.outcomes)} forms: " + "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


@pytest.mark.parametrize("model", MODELS)
def test_model(model, heddle, root, tmp_path):
    path, dims = os.path.join(root, "examples", f"{model}.mlir"), ["--dims", MODELS[model]] if MODELS[model] else []
    done = heddle("run", path, "--target", "spirv", "--random", 1, *dims, "--reference", "eval", "--json", timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["launches"] > 0
    heddle("compile", path, "--target", "spirv", "-o", tmp_path / "m.hdl", check=True)
    modules = spirv.modules((tmp_path / "m.hdl").read_bytes())
    assert modules and not any(map(spirv.wrong, modules))


@pytest.mark.parametrize("model", ["gpt2_decode", "bert_base", "resnet50"])
def test_expected(model, heddle, root):
    """Weights that the evaluator takes minutes for: what JAX gave at some shapes."""
    if model != "gpt2_decode" and not LONG: pytest.skip("its kernels take OpenCL's compiler a minute: in make test-long")
    path = os.path.join(root, "examples", model)
    heddle("run", f"{path}.mlir", "--target", "spirv", "--expect", f"{path}.json", check=True, timeout=900)


PROGRAM = """func.func @main(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<?x8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def assert_sums(got, x):
    """|got| are the sums of the rows' exponentials, each of which is off by two units at most."""
    want = np.exp(x.astype(np.float64)).sum(1)
    assert_within(got, want, sums(x.shape[1] + 4), want)


def test_many_compilations():
    """LLVM's generator knows the addresses of earlier functions of the process (target/spirv/labels.h): what it makes of them is put right."""
    seen = {module for _ in range(40) for module in spirv.modules(op_sweep.compile_program(PROGRAM.encode(), target="spirv"))}
    assert seen and not any(map(spirv.wrong, seen))


def test_python():
    f = hd.compile(PROGRAM, target="spirv")
    x = np.random.default_rng(1).standard_normal((7, 8)).astype(np.float32)
    for _ in range(2): assert_sums(f(x), x)


def test_cache(heddle, tmp_path):
    """What the device made of kernels is kept for other processes: one that finds it writes nothing more."""
    program, cache = tmp_path / "p.mlir", tmp_path / "cache"
    program.write_text(PROGRAM)
    run = ["run", program, "--target", "spirv", "--random", 1, "--dims", "d0=5"]
    heddle(*run, check=True, env={"HEDDLE_CACHE_DIR": str(cache)})
    entries = set(glob.glob(f"{cache}/**", recursive=True))
    heddle("compile", program, "--target", "spirv", "-o", tmp_path / "p.hdl", check=True)
    of_program = len(entries)
    done = heddle(*run, "--reference", "eval", check=True, env={"HEDDLE_CACHE_DIR": str(cache)})
    assert set(glob.glob(f"{cache}/**", recursive=True)) == entries and of_program > 1, done.stderr
