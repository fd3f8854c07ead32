# SPDX-License-Identifier: Apache-2.0
"""Programs that launch kernels of their own (gpu.launch_func on buffers), compiled and run on devices, against the evaluator: the
EVAL lines of lit tests that hold such programs."""
import os
import re
import subprocess

import numpy as np
import pytest

import needs

pytestmark = pytest.mark.usefixtures("compiler")
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FILES = ["src/passes/gpu/place_launches.mlir", "src/passes/gpu/place_launches_arguments.mlir", "src/passes/gpu/bf16_to_gpu.mlir", "src/passes/machine/convert_atomics.mlir", "src/passes/machine/convert_lanes.mlir"]
# What has no compiled form, as its error says, and sums whose order is not said.
REFUSED = {"flow": "expected a copy", "elements": "a vector element", "moves": "expected a body of one block"}
UNORDERED = {"atomics"}
TARGETS = {"simt": ["--target=simt"], "guarded": ["--target=simt", "--driver=guarded"], "spirv": ["--target=spirv"]}


def cases():
    for path in FILES:
        with open(os.path.join(ROOT, path), encoding="utf-8") as handle: text = handle.read()
        for part in re.split(r"^// -----.*$", text, flags=re.M):
            for line in re.findall(r"// EVAL: (.*)", part): yield pytest.param(part, line.split(), id=line)


@pytest.fixture(params=TARGETS)
def target(request, build):
    if request.param == "spirv": needs.opencl(build)
    return TARGETS[request.param]


def options_of(words):
    return [option for word in words[1:] if not word.startswith("~") for option in ("--shape", word)]


@pytest.mark.parametrize("part, words", list(cases()))
def test_same_results(heddle, tmp_path, target, part, words):
    program, options = tmp_path / "p.mlir", ["--entry", words[0], "--random", 1, *options_of(words)]
    program.write_text(part)
    heddle("eval", program, *options, "--outputs", tmp_path / "want.npz", check=True)
    done = heddle("run", program, *target, *options, "--outputs", tmp_path / "got.npz")
    if words[0] in REFUSED:
        assert done.returncode == 1 and REFUSED[words[0]] in done.stderr
        return
    assert done.returncode == 0, done.stderr
    if words[0] in UNORDERED: return
    with np.load(tmp_path / "want.npz") as want, np.load(tmp_path / "got.npz") as got:
        assert want.files == got.files
        for name in want.files: assert got[name].tobytes() == want[name].tobytes(), name


SEED = """module {
  func.func @test(%arg0: memref<10x20xbf16>, %arg1: memref<10x20xbf16>) -> memref<10x20xbf16> {
    %c20 = arith.constant 20 : index
    %c10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    %memref = gpu.alloc host_shared () : memref<10x20xbf16>
    memref.copy %arg1, %memref : memref<10x20xbf16> to memref<10x20xbf16>
    gpu.launch_func @k::@k blocks in (%c10, %c20, %c1) threads in (%c1, %c1, %c1) args(%arg0 : memref<10x20xbf16>, %memref : memref<10x20xbf16>)
    FILL
    return %memref : memref<10x20xbf16>
  }
  gpu.module @k {
    gpu.func @k(%arg0: memref<10x20xbf16>, %arg1: memref<10x20xbf16>) kernel attributes {gpu.known_block_size = array<i32: 1, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %0 = gpu.block_id x
      %1 = gpu.block_id y
      %2 = memref.load %arg0[%0, %1] : memref<10x20xbf16>
      %3 = memref.load %arg1[%0, %1] : memref<10x20xbf16>
      %4 = arith.addf %2, %3 : bf16
      memref.store %4, %arg1[%0, %1] : memref<10x20xbf16>
      gpu.return
    }
  }
}
"""


def test_one_artifact(heddle, tmp_path, build):
    """It carries programs of several devices; what runs it takes the first that is there."""
    program, artifact = tmp_path / "p.mlir", tmp_path / "p.hdl"
    program.write_text(SEED.replace("FILL", ""))
    heddle("compile", program, "--target=cuda:90", "--target=spirv", "--target=simt", "-o", artifact, check=True)
    heddle("eval", program, "--random", 3, "--outputs", tmp_path / "want.npz", check=True)
    heddle("run", artifact, "--random", 3, "--outputs", tmp_path / "got.npz", check=True)
    with np.load(tmp_path / "want.npz") as want, np.load(tmp_path / "got.npz") as got: assert got["out0"].tobytes() == want["out0"].tobytes()


def test_refused(heddle, tmp_path):
    """A target that runs no kernels, and an op that nothing fills by, are errors at the op."""
    program = tmp_path / "p.mlir"
    program.write_text(SEED.replace("FILL", ""))
    done = heddle("run", program, "--random", 1)
    assert done.returncode == 1 and "p.mlir:8:5: error: 'gpu.launch_func' op launches a kernel, which target 'cpu' does not run: expected one of: cuda, simt, spirv" in done.stderr
    program.write_text(SEED.replace("FILL", "%x = arith.constant 1.0 : bf16\n gpu.memset %memref, %x : memref<10x20xbf16>, bf16"))
    done = heddle("run", program, "--target=simt", "--random", 1)
    assert done.returncode == 1 and "p.mlir:10:2: error: 'gpu.memset' op" in done.stderr


def test_another_entry(heddle, tmp_path):
    """Where the entry launches nothing, what other functions launch says nothing of the target."""
    program = tmp_path / "p.mlir"
    program.write_text(SEED.replace("FILL", "").replace("  gpu.module", "  func.func @twice(%t: tensor<8xf32>) -> tensor<8xf32> {\n    %s = stablehlo.add %t, %t : tensor<8xf32>\n    return %s : tensor<8xf32>\n  }\n  gpu.module"))
    for target in ("cpu", "simt"):
        done = heddle("run", program, "--entry", "twice", f"--target={target}", "--random", 1, "--reference=eval", check=True)
        assert "equals the evaluator" in done.stdout


def test_reference_runs_the_kernels(heddle, tmp_path):
    """The evaluator that results are compared with takes kernels as the program has them, whatever the target."""
    program = tmp_path / "p.mlir"
    program.write_text(SEED.replace("FILL", ""))
    done = heddle("run", program, "--target=simt", "--random", 1, "--reference=eval", check=True)
    assert "equals the evaluator" in done.stdout


def test_inputs_stay(heddle, tmp_path):
    """What a program writes of its arguments is a copy: every run of several starts with the same inputs."""
    program = tmp_path / "p.mlir"
    program.write_text(SEED.replace("-> memref<10x20xbf16> {", "{").replace("args(%arg0 : memref<10x20xbf16>, %memref :", "args(%arg0 : memref<10x20xbf16>, %arg1 :").replace("FILL\n    return %memref : memref<10x20xbf16>", "return"))
    heddle("eval", program, "--random", 1, "--outputs", tmp_path / "want.npz", check=True)
    heddle("run", program, "--target=simt", "--random", 1, "--repeat", 3, "--outputs", tmp_path / "got.npz", check=True)
    with np.load(tmp_path / "want.npz") as want, np.load(tmp_path / "got.npz") as got:
        assert want.files == got.files == ["out0", "out1"]
        for name in want.files: assert got[name].tobytes() == want[name].tobytes(), name


def test_other_readers_take_it(build, tmp_path):
    """mlir-opt reads what the pass prints, once its module says that it holds kernels."""
    opt = needs.program("/usr/lib/llvm-22/bin/mlir-opt")
    program = tmp_path / "p.mlir"
    program.write_text(SEED.replace("FILL", "").replace("module {", "module attributes {gpu.container_module} {", 1))
    for flags in (["--bf16-to-gpu"], ["--place-launches"], ["--bf16-to-gpu", "--place-launches", "--convert-gpu-to-llvm", "--verify-machine-form"]):
        out = tmp_path / "out.mlir"
        subprocess.run([os.path.join(build, "bin", "heddle-opt"), *flags, "--mlir-print-op-generic", program, "-o", out], check=True)
        subprocess.run([opt, "--allow-unregistered-dialect", out, "-o", os.devnull], check=True)


UNWRITTEN = """module {
  gpu.module @m {
    gpu.func @k(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %0 = memref.load FROM[%t] : memref<64xf32>
      memref.store %0, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%in: memref<64xf32>) -> memref<64xf32> {
    %c1 = arith.constant 1 : index
    %threads = arith.constant THREADS : index
    %out = memref.alloc() : memref<64xf32>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%in : memref<64xf32>, %out : memref<64xf32>)
    return %out : memref<64xf32>
  }
}
"""


@pytest.mark.parametrize("source, threads, says", [("%out", 64, "p.mlir:5:12: llvm.load: kernel 'm_k', block (0, 0, 0), thread (0, 0, 0): uninitialised read: reads global memory that nobody wrote"),
                                                   ("%in", 63, "output 0: copy of 256 bytes at"), ("%in", 64, None)])
def test_unwritten_memory(source, threads, says, heddle, tmp_path):
    """guarded knows which bytes anybody wrote: a kernel that reads others fails, as does a result that has some."""
    program = tmp_path / "p.mlir"
    program.write_text(UNWRITTEN.replace("FROM", source).replace("THREADS", str(threads)))
    done = heddle("run", program, "--target=simt", "--driver=guarded", "--random", 1)
    assert done.returncode == (1 if says else 0), done.stderr
    assert not says or says in done.stderr
    if says and threads < 64: assert "to the host, of which nobody wrote byte 252" in done.stderr
