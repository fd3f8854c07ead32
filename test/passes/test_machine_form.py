# SPDX-License-Identifier: Apache-2.0
"""Every op of the sweep in machine form: the evaluator gives the bits that it gives for the device form, simt gives them too and finds no
bug, and CUDA's assembler takes the PTX without spills. Nothing here needs or uses a device."""
import glob
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import op_sweep
from op_rows import MISSING, ROWS

LONG = bool(os.environ.get("HEDDLE_LONG"))
TYPES = ["f32", "i32", "i1", "complex<f32>", "bf16"]
# Bytes that the assembler spills at sm_80, where nothing else of f32 spills; at sm_90 nothing does.
SPILLS = {"batch_norm_grad": 8, "chlo.broadcast_zeta": 4, "select_and_scatter": 8}
# Floats of eight bits and less have no machine form yet: the row that converts from and to each names the op.
NARROW = re.compile(r"f[468]E")


def forms_of(op, types):
    rows = [row for row in ROWS if row.op == op and not NARROW.search(row.name)]
    return [op_sweep.Form(row, t, dynamic) for row in rows for dynamic in (False, True) if not (dynamic and row.static_only) for t in row.types if t in types]


def types_of(op):
    """The first type that the op has."""
    return next(([t] for t in TYPES if forms_of(op, [t])), [])


OPS = [op for op in sorted({row.op for row in ROWS} - set(MISSING)) if types_of(op)]


def save(path, arrays):
    """bf16 and the like as npz holds them: as bytes without a type."""
    def plain(x): return x if x.dtype.kind in "biufc" and x.dtype.isbuiltin else x.view(f"V{x.dtype.itemsize}")
    np.savez(path, **{f"arg{i}": plain(x) for i, x in enumerate(arrays)})


@pytest.fixture(scope="module")
def ptxas(build):
    found = shutil.which("ptxas") or next(iter(glob.glob(os.path.join(build, "venv", "lib", "python3*", "site-packages", "triton", "backends", "nvidia", "bin", "ptxas"))), None)
    return found or pytest.skip("ptxas is not installed: CUDA's toolkit or the package triton has it")


@pytest.fixture(scope="module")
def opt(build):
    def run(*arguments):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done
    return run


@pytest.fixture
def kernels(tmp_path, opt):
    """The sweep's program of forms, in device form and in machine form."""
    def make(forms):
        (tmp_path / "program.mlir").write_text(op_sweep.program(forms))
        save(tmp_path / "inputs.npz", [x for form in forms for x in form.inputs()])
        done = opt("--disc-pipeline=target=cuda", "--mlir-print-ir-before=convert-gpu-to-llvm", tmp_path / "program.mlir", "-o", os.devnull)
        (tmp_path / "device.mlir").write_text(done.stderr)
        opt("--convert-gpu-to-llvm", "--verify-machine-form", "--verify-each", tmp_path / "device.mlir", "-o", tmp_path / "machine.mlir")
    return make


@pytest.mark.parametrize("op", OPS)
def test_same_bits(op, kernels, heddle, tmp_path):
    kernels(forms_of(op, {*types_of(op), "bf16"} if LONG else types_of(op)))
    for form in ("device", "machine"):
        heddle("eval", tmp_path / f"{form}.mlir", "--inputs", tmp_path / "inputs.npz", "--outputs", tmp_path / f"{form}.npz", check=True)
    with np.load(tmp_path / "device.npz") as want, np.load(tmp_path / "machine.npz") as got:
        assert want.files and sorted(want) == sorted(got)
        for key in want: assert got[key].tobytes() == want[key].tobytes(), key


# Where several updates go to one element atomics add them in any order: results differ in the last bit.
ANY_ORDER = {"scatter"}


@pytest.mark.parametrize("op", OPS)
def test_simt(op, kernels, heddle, tmp_path):
    """Checked kernels on simt, which finds nothing, and in the evaluator: the same bits."""
    kernels(forms_of(op, {*types_of(op), "bf16"} if LONG else types_of(op)))
    for target in ("eval", "simt"):
        heddle("eval", tmp_path / "machine.mlir", *(["--target=simt"] if target == "simt" else []), "--inputs", tmp_path / "inputs.npz", "--outputs", tmp_path / f"{target}.npz", check=True)
    with np.load(tmp_path / "eval.npz") as want, np.load(tmp_path / "simt.npz") as got:
        assert want.files and sorted(want) == sorted(got)
        for key in want:
            if op not in ANY_ORDER: assert got[key].tobytes() == want[key].tobytes(), key
            else: np.testing.assert_allclose(got[key], want[key], rtol=3e-7)


@pytest.mark.parametrize("architecture", [80, 90] if LONG else [80])
@pytest.mark.parametrize("op", OPS)
def test_ptx(op, architecture, kernels, opt, ptxas, tmp_path):
    forms = forms_of(op, types_of(op))
    kernels(forms if LONG else forms[:2])
    if "gpu.module" not in (tmp_path / "machine.mlir").read_text(): pytest.skip("the host does it: no kernel")
    opt(f"--emit-ptx={architecture}", tmp_path / "machine.mlir", "-o", tmp_path / "kernels.ptx")
    done = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", tmp_path / "kernels.ptx", "-o", tmp_path / "kernels.cubin"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    spilled = [int(count) for count in re.findall(r"(\d+) bytes spill stores", done.stderr)]
    assert spilled and max(spilled) <= (SPILLS.get(op, 0) if architecture == 80 else 0), done.stderr
