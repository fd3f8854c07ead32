# SPDX-License-Identifier: Apache-2.0
"""Every model of examples/models.py at all its shapes and hard inputs, from text and from bytecode, against JAX."""
import functools
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import model_tools as tools  # noqa: E402

MODELS = tools.load_models()
ROWS = ("softmax", "layernorm")  # also within the tolerance row by row


@functools.lru_cache(maxsize=1)
def exported(name):
    return tools.export_model(MODELS[name])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Per model: its programs and its weights, written once; gives paths by (name, form)."""
    made = {}

    def prepare(name):
        if name in made: return made[name]
        for old in list(made):  # weights are large: one model at a time
            for path in made.pop(old).values(): os.path.exists(path) and os.remove(path)
        folder = tmp_path_factory.mktemp(name)
        e = exported(name)
        paths = {"text": folder / f"{name}.mlir", "bytecode": folder / f"{name}.mlirbc", "weights": folder / "weights.npz"}
        paths["text"].write_text(e.mlir_module())
        paths["bytecode"].write_bytes(e.mlir_module_serialized)
        made[name] = paths
        return paths
    return prepare


def as_numpy(raw, like):
    return raw.view(like.dtype) if raw.dtype.kind == "V" else raw


def error(got, want):
    """The largest difference over the largest magnitude; non-finite values must agree."""
    got, want = got.astype(np.float64), want.astype(np.float64)
    finite = np.isfinite(want)
    same = np.array_equal(got[~finite], want[~finite], equal_nan=True) and np.isfinite(got[finite]).all()
    if not same: return np.inf
    if not finite.any(): return 0.0
    worst, magnitude = np.abs(got[finite] - want[finite]).max(), np.abs(want[finite]).max()
    return worst / magnitude if magnitude else (0.0 if worst == 0 else np.inf)


CASES = [pytest.param(name, i, id=f"{name}-" + "-".join(f"{k.lstrip('_')}{v}" for k, v in dims.items()))
         for name, model in MODELS.items() for i, dims in enumerate(model.shapes)]


@functools.lru_cache(maxsize=1)
def reference(name, index, weights):
    """The inputs (weights as first saved in the file |weights|) and JAX's results."""
    model, dims = MODELS[name], MODELS[name].shapes[index]
    kept, leaves = list(exported(name).module_kept_var_idx), tools.leaves_with_index(MODELS[name])
    inputs = tools.normal_inputs(model, kept, dims, seed=index)
    if not weights.exists():
        np.savez(weights, **{f"arg{n}": x for n, (k, x) in enumerate(zip(kept, inputs)) if not tools.varies(leaves[k][0])})
    else:
        with np.load(weights) as saved: inputs = [as_numpy(saved[f"arg{n}"], x) if f"arg{n}" in saved else x for n, x in enumerate(inputs)]
    activations = {f"arg{n}": x for n, (k, x) in enumerate(zip(kept, inputs)) if tools.varies(leaves[k][0])}
    return activations, tools.call(model, kept, inputs, dims)[0]


@pytest.fixture(scope="session")
def bytecode(heddle, root, tmp_path_factory):
    """Fails at once, for all models, when the smallest is not read as bytecode."""
    folder = tmp_path_factory.mktemp("probe")
    (folder / "gelu.mlirbc").write_bytes(tools.export_model(MODELS["gelu"]).mlir_module_serialized)
    heddle("compile", folder / "gelu.mlirbc", "-o", folder / "gelu.hdl", check=True)


@pytest.mark.parametrize("form", ("text", "bytecode"))
@pytest.mark.parametrize("name, index", CASES)
def test_model(heddle, compiler, workspace, tmp_path, name, index, form, request):
    if form == "bytecode": request.getfixturevalue("bytecode")
    model, paths = MODELS[name], workspace(name)
    activations, wants = reference(name, index, paths["weights"])
    np.savez(tmp_path / "in.npz", **activations)
    heddle("run", paths[form], "--inputs", paths["weights"], "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    with np.load(tmp_path / "out.npz") as outs:
        assert len(outs.files) == len(wants)
        for i, want in enumerate(wants):
            got = as_numpy(outs[f"out{i}"], want)
            assert got.shape == want.shape and got.dtype == want.dtype
            assert error(got, want) <= model.tol, f"out{i}"
            if name in ROWS: assert max(error(g, w) for g, w in zip(got, want)) <= model.tol, f"out{i}, a row"


@pytest.mark.parametrize("mcpu", ("native", "x86-64-v3"))
@pytest.mark.parametrize("name", sorted(MODELS))
def test_example(heddle, compiler, root, name, mcpu):
    """The committed program gives the committed results, also on a machine that has no more than AVX2."""
    base = os.path.join(root, "examples", name)
    heddle("run", base + ".mlir", "--expect", base + ".json", "--repeat", "1", "--mcpu", mcpu, check=True)
