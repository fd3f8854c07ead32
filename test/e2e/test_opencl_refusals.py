# SPDX-License-Identifier: Apache-2.0
"""No OpenCL, no device, a device that lacks what kernels need: one line that says so, and nothing else breaks."""
import os
import re
import subprocess

import pytest

import needs
import spirv

DOUBLES = "func.func @main(%x: tensor<?xf64>) -> tensor<?xf64> { %0 = stablehlo.add %x, %x : tensor<?xf64> return %0 : tensor<?xf64> }"
ROWS = """func.func @main(%x: tensor<?x2048xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x2048xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}"""


def loader(folder, make):
    """The environment in which the loader is what |make| writes to a path."""
    folder.mkdir()
    make(folder / "libOpenCL.so.1")
    return {"LD_LIBRARY_PATH": str(folder)}


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """odd(what): the environment of a device that lacks it."""
    source = os.path.join(os.path.dirname(__file__), "odd_opencl.c")
    build = lambda path: subprocess.run([needs.program("gcc", "build"), "-shared", "-fPIC", "-w", "-o", path, source], check=True)  # noqa: E731
    environment = loader(tmp_path_factory.mktemp("odd") / "lib", build)
    return lambda what: {**environment, "ODD_OPENCL": what}


def refusal(heddle, program, path, env):
    """What a run says, in one line, after the devices still were listed."""
    path.write_text(program)
    listed = heddle("devices", env=env, check=True).stdout
    assert "\nsimt " in listed and "\nopencl " in listed
    done = heddle("run", path, "--target", "spirv", "--random", 1, "--dims", "d0=3", env=env)
    assert done.returncode == 1 and done.stderr.startswith("heddle: ") and done.stderr.count("\n") == 1, done.stderr
    assert heddle("run", path, "--random", 1, "--dims", "d0=3", env=env).returncode == 0
    return done.stderr


def test_no_loader(heddle, tmp_path):
    env = loader(tmp_path / "lib", lambda path: path.write_bytes(b"no library"))
    assert "no OpenCL loader: " in refusal(heddle, DOUBLES, tmp_path / "p.mlir", env)


def test_no_device(heddle, tmp_path, build):
    needs.library("OpenCL", group="test")
    assert "no OpenCL device (0 platforms)" in refusal(heddle, DOUBLES, tmp_path / "p.mlir", {"OCL_ICD_VENDORS": str(tmp_path / "none")})


@pytest.mark.parametrize("what, program, says", [
    ("il", DOUBLES, "no OpenCL device that can be used: Odd Device takes no SPIR-V (CL_DEVICE_IL_VERSION is empty)"),
    ("memory", DOUBLES, "no OpenCL device that can be used: Odd Device has neither shared virtual memory nor unified memory"),
    ("f64", DOUBLES, "opencl: Odd Device lacks arithmetic in f64 (cl_khr_fp64), which the image needs")])
def test_lacks(what, program, says, odd, heddle, tmp_path):
    assert says in refusal(heddle, program, tmp_path / "p.mlir", odd(what))


def test_no_subgroups(odd, heddle, tmp_path):
    """A device without subgroups of 32 builds kernels that exchange through local memory; an artifact for subgroups alone says what it is for."""
    (tmp_path / "p.mlir").write_text(ROWS)
    env = {**odd("nothing"), "ODD_OPENCL_IL": str(tmp_path / "il")}
    heddle("compile", tmp_path / "p.mlir", "--target", "spirv", "-o", tmp_path / "p.hdl", check=True)
    assert heddle("devices", tmp_path / "p.hdl", env=env, check=True).stdout.startswith("spirv        here")
    assert heddle("run", tmp_path / "p.hdl", "--random", 1, "--dims", "d0=3", env=env).returncode
    built, = spirv.modules((tmp_path / "il").read_bytes())
    needs.program("spirv-val")
    assert not spirv.wrong(built) and spirv.BARRIER in spirv.opcodes(built) and not spirv.capabilities(built) & spirv.OF_SUBGROUPS
    heddle("compile", tmp_path / "p.mlir", "--target", "spirv:32", "-o", tmp_path / "p.hdl", check=True)
    done = heddle("run", tmp_path / "p.hdl", "--random", 1, "--dims", "d0=3", env=env)
    assert done.returncode == 1 and "no code for this device, Odd Device, Odd Platform of architecture 1; the artifact has: opencl 32 spirv" in done.stderr, done.stderr


ONE_FORM = """module attributes {gpu.container_module} {
  func.func @main(%a: memref<64xi32>) -> memref<64xi32> {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = gpu.alloc () : memref<64xi32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xi32>, %m : memref<64xi32>)
    return %m : memref<64xi32>
  }
  gpu.module @k {
    gpu.func @k(%a: memref<64xi32>, %m: memref<64xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<64xi32>
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %w = arith.constant 32 : i32
      %first = arith.cmpi ult, %t, %c32 : index
      %y = scf.if %first -> (i32) {
        %r, %ok = gpu.shuffle xor %x, %one, %w : i32
        scf.yield %r : i32
      } else {
        %r, %ok = gpu.shuffle down %x, %one, %w : i32
        scf.yield %r : i32
      }
      memref.store %y, %m[%t] : memref<64xi32>
      gpu.return
    }
  }
}
"""


def test_one_form(odd, heddle, tmp_path):
    """A kernel that has no form without subgroups of 32 is compiled for them alone, with a warning at the op; unless that form is asked for."""
    program, artifact = tmp_path / "p.mlir", tmp_path / "p.hdl"
    program.write_text(ONE_FORM)
    done = heddle("compile", program, "--target", "spirv", "-o", artifact, check=True)
    assert "p.mlir:18:19: warning: 'gpu.shuffle' op is not reached by all threads of a block together" in done.stderr
    assert "warning: no image for devices without subgroups of 32: " in done.stderr and "error" not in done.stderr
    done = heddle("run", artifact, "--random", 1, env=odd("nothing"))
    assert done.returncode == 1 and "no code for this device, Odd Device, Odd Platform of architecture 1; the artifact has: opencl 32 spirv" in done.stderr, done.stderr
    done = heddle("compile", program, "--target", "spirv:1", "-o", artifact)
    assert done.returncode == 1 and "p.mlir:18:19: error: 'gpu.shuffle' op is not reached" in done.stderr


@pytest.mark.parametrize("model", ["softmax", "layernorm", "gelu", "bert_layer", "train_step", "lstm"])
def test_local_memory(odd, heddle, tmp_path, root, model):
    """Every kernel fits into what each device of OpenCL's full profile has; where there is less, one line says which kernel wants what."""
    program, artifact = os.path.join(root, "examples", f"{model}.mlir"), tmp_path / "p.hdl"
    heddle("compile", program, "--target", "spirv", "-o", artifact, check=True)
    dims = {"softmax": "b=3,s=70", "layernorm": "b=5", "train_step": "b=2", "bert_layer": "b=1,s=3"}.get(model, "b=2,s=3")
    run = lambda what: heddle("run", artifact, "--random", 1, "--dims", dims, env=odd(what))  # noqa: E731
    assert "local memory" not in run("more local memory").stderr and "shared memory" not in run("more local memory").stderr
    if model in ("gelu",): return  # loops, which need none
    said = run("local memory").stderr
    assert re.search(r"kernel '[^']+' wants [0-9]+ bytes of shared memory, of which Odd Device, Odd Platform has 1024 a block", said), said


def test_listed(odd, heddle):
    lines = heddle("devices", env=odd("f64"), check=True).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("opencl "))
    assert lines[at + 1].strip() == ("Odd Device, Odd Platform, driver : shared virtual memory, 1.0 GiB, blocks of 1024, 64 KiB of local memory, atomics of 64 bits; "
                                     "f32: denormals flushed, division within 2.5 ulp")


def test_extension_without_functions(odd, heddle):
    """A device that lists unified memory, of which its platform has no functions, is one of shared virtual memory."""
    lines = heddle("devices", env=odd("unified functions"), check=True).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("opencl "))
    assert ": shared virtual memory, " in lines[at + 1]
