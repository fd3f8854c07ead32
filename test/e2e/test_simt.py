# SPDX-License-Identifier: Apache-2.0
"""Programs on devices that every machine has, simt and, with memory and queues of its own, guarded: each op of the sweep and each
model against the evaluator."""
import json
import os
import re

import numpy as np
import pytest
from error_model import assert_within, sums

import heddle as hd
import op_sweep
from op_rows import MISSING, ROWS

pytestmark = pytest.mark.usefixtures("compiler")
DRIVERS = ["simt", "guarded"]
LONG = bool(os.environ.get("HEDDLE_LONG"))
TYPES = None if LONG else {"f32", "i32"}
OPS = sorted({row.op for row in ROWS} - set(MISSING))
# Which of several updates of one element comes last is not said, and on a device it is another one.
UNORDERED = {"scatter_set"}
MODELS = {"gelu": "b=2,s=3", "gelu_bf16": "b=2,s=3", "softmax": "b=3,s=70", "layernorm": "b=5", "lstm": "b=2,s=3", "bert_layer": "b=1,s=3", "train_step": "b=2"}


@pytest.mark.parametrize("op", OPS)
def test_op(op):
    done = op_sweep.sweep([row for row in ROWS if row.op == op and row.name not in UNORDERED], "simt", TYPES, DRIVERS)
    wrong = {form.name: text for form, text in done.outcomes.items() if text}
    assert not wrong, f"{len(wrong)} of {len(done.outcomes)} forms: " + "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("model", MODELS)
def test_model(model, driver, heddle, root):
    dims = ["--dims", MODELS[model]] if MODELS[model] else []
    done = heddle("run", os.path.join(root, "examples", f"{model}.mlir"), "--target", "simt", "--driver", driver, "--random", 1, *dims, "--reference", "eval", "--json", timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["launches"] > 0


ROWS_OF_8 = """func.func @main(%x: tensor<?x8xf32>) -> tensor<?xf32> {
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


def test_artifact(heddle, tmp_path):
    """An artifact for a device runs on that device, and on no other."""
    program, artifact = tmp_path / "p.mlir", tmp_path / "p.hdl"
    program.write_text(ROWS_OF_8)
    x = np.random.default_rng(0).standard_normal((5, 8)).astype(np.float32)
    np.savez(tmp_path / "in.npz", arg0=x)
    heddle("compile", program, "--target", "simt", "-o", artifact, check=True)
    for flags in (["--target", "simt"], []):
        heddle("run", artifact, *flags, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
        with np.load(tmp_path / "out.npz") as out: assert_sums(out["out0"], x)
    done = heddle("run", artifact, "--driver", "cpu", "--inputs", tmp_path / "in.npz")
    assert done.returncode == 1 and "no code for driver 'cpu'; the artifact is for: simt" in done.stderr
    heddle("compile", program, "--target", "cuda:80,90", "-o", artifact, check=True)
    done = heddle("run", artifact, "--driver", "simt", "--inputs", tmp_path / "in.npz")
    assert done.returncode == 1 and "no code for driver 'simt'; the artifact is for: cuda:80,90" in done.stderr


@pytest.mark.parametrize("target, says", [("cuda:12", "cuda: unknown architecture 12"), ("cuda:", "expected architectures as in cuda:80,90"),
                                          ("cuda:eighty", "expected architectures as in cuda:80,90"), ("cpu:80", "target: 'cpu' has no architectures"),
                                          ("simt:8", "simt: unknown size of subgroups 8, expected 32, or 1 for none"), ("spirv:16", "opencl: unknown size of subgroups 16")])
def test_bad_architectures(target, says, heddle, tmp_path):
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    done = heddle("compile", tmp_path / "p.mlir", "--target", target, "-o", tmp_path / "p.hdl")
    assert done.returncode and says in done.stderr.replace("--target: '", "target: '"), done.stderr


def test_devices(heddle):
    lines = heddle("devices", check=True).stdout.splitlines()
    assert any(line.startswith("cpu ") for line in lines) and any(line.startswith("simt     emulator") for line in lines) and any(line.startswith("guarded ") for line in lines)


@pytest.mark.parametrize("driver", [None, "guarded"])
def test_python(driver):
    f = hd.compile(ROWS_OF_8, target="simt", driver=driver)
    x = np.random.default_rng(1).standard_normal((7, 8)).astype(np.float32)
    assert_sums(f(x), x)
    f = hd.compile(ROWS_OF_8, target="simt", constant_args=[0], driver=driver)
    f.bind(0, x)
    assert_sums(f(), x)
    with pytest.raises(hd.HeddleError, match="no code for driver 'cpu'"): hd.Function(f.artifact, hd.default_runtime())


CONSTANT = """func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %0 = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %c, %0, dims = [1] : (tensor<3xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}
"""


@pytest.mark.parametrize("driver", DRIVERS)
def test_constants(driver):
    """A constant of the device is in its memory, to which kernels are held, as the inputs and the bound arguments do."""
    f = hd.compile(CONSTANT, target="simt", driver=driver)
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for _ in range(2): np.testing.assert_array_equal(f(x), x * np.array([1, 2, 4], np.float32))
