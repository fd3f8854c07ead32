# SPDX-License-Identifier: Apache-2.0
"""Artifacts of one program are the same bytes, whichever process compiles it: caches and builds go by them."""
import os

import pytest

import spirv

pytestmark = pytest.mark.usefixtures("compiler")
TARGETS = ("cpu", "cuda:90", "simt", "spirv")
NAME = 5


def artifacts(heddle, program, target, folder, count):
    """What |count| processes make of |program|; where their memory is differs, by what else is in it and by the kernel's choice."""
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


def chain(count, op="sine"):
    """A chain of one function and, beside it, two others of fewer uses."""
    lines = [f"  %v{i + 1} = stablehlo.{op} %v{i} : tensor<?x?xf32>" for i in range(count)]
    lines += [f"  %w{i + 1} = stablehlo.tanh %w{i} : tensor<?x?xf32>" for i in range(20)]
    return ("func.func @main(%v0: tensor<?x?xf32>, %w0: tensor<?x?xf32>) -> tensor<?x?xf32> {\n" + "\n".join(lines)
            + f"\n  %0 = stablehlo.add %v{count}, %w20 : tensor<?x?xf32>\n  return %0 : tensor<?x?xf32>\n}}\n")


def results(count):
    """Kernels of one op, each of another size: those of a program of many are compiled several at a time."""
    types = [f"tensor<{i + 2}xf32>" for i in range(count)]
    lines = [f"  %v{i} = stablehlo.{('add', 'multiply', 'subtract')[i % 3]} %a{i}, %a{i} : {t}" for i, t in enumerate(types)]
    values = ", ".join(f"%v{i}" for i in range(count))
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    return f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n" + "\n".join(lines) + f"\n  return {values} : {', '.join(types)}\n}}\n"


@pytest.mark.parametrize("program", [chain(30), results(150)], ids=["chain", "results"])
def test_threads(program, heddle, tmp_path):
    """However many threads compile, and whether they compile or find it in the cache: functions that kernels share have objects of their own."""
    (tmp_path / "chain.mlir").write_text(program)
    made = []
    for threads, cache in ((1, None), (2, None), (3, None), (2, "cache"), (1, "cache")):
        options = ["--no-cache"] if not cache else []
        heddle("compile", tmp_path / "chain.mlir", "-o", tmp_path / "a.hdl", "--threads", threads, "--mcpu=x86-64-v3", "--mcpu=x86-64-v4", *options,
               env={"HEDDLE_CACHE_DIR": str(tmp_path / "cache")}, check=True)
        made.append((tmp_path / "a.hdl").read_bytes())
    assert all(other == made[0] for other in made)
    dims = [] if "tensor<?" not in program else ["--shape", "arg0=3x37", "--shape", "arg1=3x37"]
    heddle("run", tmp_path / "chain.mlir", "--random", "1", *dims, "--reference=eval", check=True)


@pytest.mark.parametrize("op", ["sine", "exponential", "logistic", "tanh"])
def test_functions_of_a_long_chain(op, heddle, tmp_path):
    """Beyond some number of uses a function exists once: a use is a call. What comes out is what its copies gave."""
    sizes = []
    for count in (200, 1000):
        (tmp_path / "chain.mlir").write_text(chain(count, op))
        heddle("compile", tmp_path / "chain.mlir", "-o", tmp_path / f"{count}.hdl", "--no-cache", check=True)
        sizes.append((tmp_path / f"{count}.hdl").stat().st_size)
    assert sizes[1] - sizes[0] < 800 * 60, sizes  # a copy of the smallest takes 130 bytes
    for shape in ("3x37", "1x16", "0x5"):
        heddle("run", tmp_path / "chain.mlir", "--random", "1", "--shape", f"arg0={shape}", "--shape", f"arg1={shape}", "--reference=eval", check=True)
