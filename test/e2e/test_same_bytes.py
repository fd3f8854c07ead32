# SPDX-License-Identifier: Apache-2.0
"""Artifacts of one program are the same bytes, whichever process compiles it: caches and builds go by them."""
import os

import pytest

import spirv

pytestmark = pytest.mark.usefixtures("compiler")
TARGETS = ("cpu", "cuda:90", "simt", "spirv")
NAME = 5


def artifacts(heddle, program, target, folder, count):
    """What |count| processes make of |program|; where their memory lies differs, by what else is in it and by the kernel's choice."""
    out = []
    for i in range(count):
        heddle("compile", program, f"--target={target}", "-o", folder / "a.hdl", "--no-cache", env={"PADDING": "x" * 777 * i}, check=True)
        out.append((folder / "a.hdl").read_bytes())
    return out


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("model", ["softmax", "gelu_bf16"])
def test_processes(model, target, heddle, root, tmp_path):
    made = artifacts(heddle, os.path.join(root, "examples", f"{model}.mlir"), target, tmp_path, 6 if target == "spirv" else 2)
    assert all(other == made[0] for other in made)


def test_large(heddle, root, tmp_path):
    """Of many kernels, some of which LLVM numbers in another way each time; none has an instruction that is not known here, since names are left out."""
    made = artifacts(heddle, os.path.join(root, "examples", "bert_layer.mlir"), "spirv", tmp_path, 3)
    assert all(other == made[0] for other in made)
    modules = spirv.modules(made[0])
    assert len(modules) > 20 and not any(NAME in spirv.opcodes(module) for module in modules)
