# SPDX-License-Identifier: Apache-2.0
"""Devices without subgroups of 32: kernels that exchange values between lanes go through memory of the block. On an emulator whose
subgroups have 16, 8 and 1 threads, which are run apart and checked for races, and on OpenCL's device, which has what it needs for both."""
import json
import os

import numpy as np
import pytest
from error_model import EXACT, assert_within, sums

import heddle as hd
import needs
import op_sweep
import spirv
from heddle.runtime import compile_program
from op_rows import MISSING, ROWS

pytestmark = pytest.mark.usefixtures("compiler")
LONG = bool(os.environ.get("HEDDLE_LONG"))
SIZES = (0, 1, 31, 32, 33, 1000)
# Rows of 8192 elements and more have blocks of 1024 threads.
LARGE = 8200
REDUCE = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {{
  %c = stablehlo.constant dense<{init}> : tensor<f32>
  %r = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = [{dim}] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
PROGRAMS = {"sum": REDUCE.format(op="add", init="0.0", dim=1), "maximum": REDUCE.format(op="maximum", init="0xFF800000", dim=1),
            "columns": REDUCE.format(op="add", init="0.0", dim=0)}


def reference(name, x):
    """The exact result, the bound of a right one and its magnitude."""
    x = x.astype(np.float64)
    if name == "sum": return x.sum(1), sums(x.shape[1]), np.abs(x).sum(1)
    if name == "columns": return x.sum(0), sums(x.shape[0]), np.abs(x).sum(0)
    if name == "maximum": return x.max(1, initial=-np.inf), EXACT, None
    if name == "softmax":
        d = x - x.max(-1, keepdims=True, initial=-np.inf)
        e = np.exp(d)
        y = e / e.sum(-1, keepdims=True)
        return y, sums(x.shape[1] + 6), y * (1 - d)  # an exponent that is rounded moves its power by as much as it is large
    raise AssertionError(name)


SOFTMAX = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a = stablehlo.reshape %n0 : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.reshape %n1 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""
PROGRAMS["softmax"] = SOFTMAX


def check(name, function, sizes):
    random = np.random.default_rng(1)
    for rows in sizes:
        for columns in sizes:
            if rows * columns > 40000: continue
            x = random.standard_normal((rows, columns)).astype(np.float32)
            got = np.asarray(function(x))
            with np.errstate(invalid="ignore"): assert_within(got, *reference(name, x), f"{rows}x{columns}")


@pytest.mark.parametrize("driver", ["simt:16", "simt:8", "simt:1", "guarded:16", "guarded:1"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels(name, driver):
    check(name, hd.compile(PROGRAMS[name], target="simt:1", driver=driver), SIZES)


@pytest.mark.parametrize("name", PROGRAMS)
def test_large_rows(name):
    f = hd.compile(PROGRAMS[name], target="simt:1", driver="guarded:8")
    x = np.random.default_rng(2).standard_normal((3, LARGE)).astype(np.float32)
    assert_within(f(x), *reference(name, x))


@pytest.mark.parametrize("model, dims", [("softmax", "b=3,s=70"), ("softmax", "b=33,s=1000"), ("layernorm", "b=5"), ("layernorm", "b=33"), ("bert_layer", "b=1,s=3"), ("train_step", "b=2")])
def test_model(model, dims, heddle, root):
    heddle("run", os.path.join(root, "examples", f"{model}.mlir"), "--target", "simt:1", "--driver", "guarded:16", "--random", 1, "--dims", dims, "--reference", "eval", check=True)


REDUCING = sorted({row.op for row in ROWS if any(word in row.op for word in ("reduce", "norm", "arg", "top_k", "sort", "scan", "dot", "scatter"))} - set(MISSING))


@pytest.mark.parametrize("op", sorted({row.op for row in ROWS} - set(MISSING)) if LONG else REDUCING)
def test_op(op):
    sweep = op_sweep.Sweep("simt:1", "guarded:16")
    for row in ROWS:
        if row.op != op or row.name == "scatter_set": continue
        for group in op_sweep.forms_of(row):
            if LONG: sweep.run(group)
            elif group[0].dynamic or row.static_only: sweep.run([f for f in group if f.element in ("f32", "i32", "i1", "bf16")] or group[:1])
    wrong = {form.name: text for form, text in sweep.outcomes.items() if text}
    assert not wrong, "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


def images(artifact):
    """How many SPIR-V modules of an artifact ask for subgroups, and how many do not; all pass the validator."""
    asks = [0, 0]
    for module in spirv.modules(artifact):
        assert not spirv.wrong(module)
        asks[bool(spirv.capabilities(module) & spirv.OF_SUBGROUPS)] += 1
    return asks


def test_images():
    """Both forms of a program that goes by lanes are in its artifact, one of any other; --target=spirv:32 makes one."""
    without, asks = images(compile_program(SOFTMAX.encode(), target="spirv"))
    assert without >= asks > 0
    one = compile_program(b"func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %0 = stablehlo.add %x, %x : tensor<?xf32> return %0 : tensor<?xf32> }", target="spirv")
    without, asks = images(one)
    assert without > 0 and not asks
    assert not images(compile_program(SOFTMAX.encode(), target="spirv:1"))[1]
    assert images(compile_program(SOFTMAX.encode(), target="spirv:32"))[1] > 0


def test_shared_memory(heddle, tmp_path):
    """The buffer of exchanges counts: 256 threads of 4 bytes, beside what the kernel has."""
    (tmp_path / "p.mlir").write_text(PROGRAMS["sum"])
    sizes = {}
    for target in ("simt", "simt:1"):
        done = heddle("explain", tmp_path / "p.mlir", "--target", target, "--random", 1, "--dims", "d0=4,d1=40", "--json", check=True)
        sizes[target] = [kernel["shared_bytes"] for kernel in json.loads(done.stdout)["device_kernels"]]
    assert sizes["simt:1"] == [size + 1024 for size in sizes["simt"]]


def test_refused(heddle, tmp_path):
    """Kernels that count on lanes do not run on a device without; sizes that no emulator has are errors."""
    (tmp_path / "p.mlir").write_text(PROGRAMS["sum"])
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "p.hdl", check=True)
    for driver, says in (("simt:16", "no code for this device, emulator, warps of 16 threads on the CPU of architecture 16; the artifact has: simt 32 simt"),
                         ("simt:5", "driver 'simt:5': expected a size of subgroups of 1, 2, 4, 8, 16 or 32"), ("simt:", "driver 'simt:': expected a size of subgroups"),
                         ("cpu:8", "driver 'cpu:8': expected a size of subgroups of simt or guarded alone")):
        done = heddle("run", tmp_path / "p.hdl", "--driver", driver, "--random", 1, "--dims", "d0=4,d1=40")
        assert done.returncode and done.stderr.count("\n") == 1 and says in done.stderr, done.stderr
    heddle("compile", tmp_path / "p.mlir", "--target", "simt:32,1", "-o", tmp_path / "p.hdl", check=True)
    for driver in ("simt", "simt:16"): heddle("run", tmp_path / "p.hdl", "--driver", driver, "--random", 1, "--dims", "d0=4,d1=40", check=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_opencl(name, build):
    needs.opencl(build)
    check(name, hd.compile(PROGRAMS[name], target="spirv:1"), (1, 31, 32, 33, 1000))
