# SPDX-License-Identifier: Apache-2.0
"""drivers/cuda against a libcuda.so.1 that stands in for CUDA's (cuda_stand_in.c says what that shows and what it does not): the
conformance suite, models, and what a device can refuse. Needs no GPU, and no CUDA driver, which it would hide."""
import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("compiler")
MODELS = {"gelu": "b=2,s=3", "gelu_bf16": "b=2,s=3", "softmax": "b=3,s=70", "layernorm": "b=5", "lstm": "b=2,s=3", "bert_layer": "b=1,s=3", "train_step": "b=2"}
ROWS_OF_8 = """func.func @main(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<?x8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def build_double(root, folder, source, name, *flags):
    """A library in |folder| that stands in for one of CUDA's."""
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-g", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", os.path.join(root, "test", "runtime", source), *flags,
                    "-o", os.path.join(folder, name)], check=True)


def build_library(root, build, folder, *flags):
    """libcuda.so.1 in |folder|, which LD_LIBRARY_PATH then names."""
    build_double(root, folder, "cuda_stand_in.c", "libcuda.so.1", *flags, f"-I{root}/src", f"-I{root}/include",
                 os.path.join(build, "lib", "libheddle_all.a"), "-Wl,--exclude-libs,ALL", "-lpthread", "-ldl", "-lm")
    return {"LD_LIBRARY_PATH": str(folder)}


def build_beside_driver(root, build, folder, source, name):
    """libcuda.so.1 in |folder| and a library that works on it."""
    env = build_library(root, build, folder)
    build_double(root, folder, source, name, f"-L{folder}", "-l:libcuda.so.1")
    return env


def run_program(root, build, env, folder, source, *words):
    """What a program of C prints, and the libraries that stand in for CUDA's."""
    program = os.path.join(folder, "program")
    subprocess.run(["gcc", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", f"-I{root}/src", f"-I{root}/include", os.path.join(root, "test", "runtime", source),
                    os.path.join(build, "lib", "libheddle_all.a"), "-lpthread", "-ldl", "-lm", "-o", program], check=True)
    done = subprocess.run([program, *words], env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def stand_in(root, build, tmp_path_factory):
    return build_library(root, build, tmp_path_factory.mktemp("cuda"))


@pytest.fixture
def on_cuda(heddle, stand_in, tmp_path):
    """on_cuda(program, flags) runs it for CUDA, kernels by simt from an artifact of the same program for it."""
    def run(program, *flags, env=None):
        heddle("compile", program, "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
        return heddle("run", program, "--target", "cuda", *flags, env={**stand_in, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), **(env or {})})
    return run


def test_conformance(build, stand_in):
    done = subprocess.run([os.path.join(build, "bin", "conformance_test")], env={**os.environ, **stand_in}, capture_output=True, text=True)
    assert done.returncode == 0 and "driver cuda: runs no functions loads images has queues has memory of its own" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("flags", [[], ["--repeat", "3"]])
@pytest.mark.parametrize("model", MODELS)
def test_model(model, flags, on_cuda, root):
    done = on_cuda(os.path.join(root, "examples", f"{model}.mlir"), "--random", 1, "--dims", MODELS[model], "--reference", "eval", "--json", *flags)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["launches"] > 0


def test_profile(on_cuda, root, tmp_path):
    """Spans are the device's times."""
    done = on_cuda(os.path.join(root, "examples", "softmax.mlir"), "--random", 1, "--dims", "b=3,s=70", "--profile", tmp_path / "trace.json")
    assert done.returncode == 0, done.stderr
    spans = [event for event in json.load(open(tmp_path / "trace.json"))["traceEvents"] if event.get("cat") == "kernel"]
    assert spans and all(abs(span["dur"] - 250) < 1 for span in spans)


def test_devices(heddle, stand_in):
    assert "cuda     stand-in, CUDA 13.0, architecture 90, 1.0 GiB" in heddle("devices", env=stand_in, check=True).stdout


def says(done, text, code=1):
    assert done.returncode == code and len(done.stderr.splitlines()) == 1 and text in done.stderr, done.stderr


def test_no_driver(heddle, root, tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    program = os.path.join(root, "examples", "softmax.mlir")
    done = heddle("run", program, "--target", "cuda", "--random", 1, "--dims", "b=3,s=70", env={"LD_LIBRARY_PATH": str(tmp_path)})
    says(done, "no CUDA driver: ")
    assert "cuda     not here: no CUDA driver: " in heddle("devices", env={"LD_LIBRARY_PATH": str(tmp_path)}, check=True).stdout


def test_old_driver(heddle, root, build, tmp_path):
    env = build_library(root, build, tmp_path, "-DcuMemAllocAsync=cuMemAllocLater")
    says(heddle("run", os.path.join(root, "examples", "softmax.mlir"), "--target", "cuda", "--random", 1, "--dims", "b=3,s=70", env=env),
         "the CUDA driver has no cuMemAllocAsync, expected one of version 11.7 or later")


def test_no_device(on_cuda, root):
    says(on_cuda(os.path.join(root, "examples", "softmax.mlir"), "--random", 1, "--dims", "b=3,s=70", env={"HEDDLE_STAND_IN_DEVICES": "0"}), "the CUDA driver finds no device")


def test_no_memory(on_cuda, root):
    says(on_cuda(os.path.join(root, "examples", "softmax.mlir"), "--random", 1, "--dims", "b=300,s=700", env={"HEDDLE_STAND_IN_MEMORY": "100000"}),
         "argument 0: no memory for a buffer of 851968 bytes: cuda: allocate memory: CUDA_ERROR_OUT_OF_MEMORY (2)", code=4)


def test_wrong_architecture(heddle, stand_in, tmp_path):
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    heddle("compile", tmp_path / "p.mlir", "--target", "cuda:100,120", "-o", tmp_path / "p.hdl", check=True)
    says(heddle("run", tmp_path / "p.hdl", "--target", "cuda", "--random", 1, "--dims", "d0=4", env=stand_in),
         "no code for this device, stand-in, CUDA 13.0 of architecture 90; the artifact has: cuda 100 ptx, cuda 120 ptx")


@pytest.mark.parametrize("code", [221, 222])
def test_driver_without_compiler(code, root, build, heddle, tmp_path):
    """PTX that CUDA's driver cannot compile goes through nvJitLink, where that is."""
    env = {**build_library(root, build, tmp_path), "HEDDLE_STAND_IN_JIT": str(code), "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")}
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    run = ["run", tmp_path / "p.mlir", "--target", "cuda", "--random", 1, "--dims", "d0=4", "--reference", "eval"]
    for name in ("libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"): (tmp_path / name).write_text("no library")
    name = {221: "JIT_COMPILER_NOT_FOUND", 222: "UNSUPPORTED_PTX_VERSION"}[code]
    done = heddle(*run, env=env)
    says(done, f"cuda: load kernels: CUDA_ERROR_{name} ({code})")
    assert "no nvJitLink: " in done.stderr
    build_double(root, tmp_path, "nv_jit_link_stand_in.c", "libnvJitLink.so.12")
    done = heddle(*run, env=env)
    assert done.returncode == 0, done.stderr
    done = heddle(*run, env={**env, "HEDDLE_STAND_IN_LINK": "4"})
    says(done, "nvJitLink: sm_90: it refuses (4): cuda: load kernels: CUDA_ERROR_")


FAILS = """
import os, numpy as np, heddle as hd
x = np.ones((7, 8), np.float32)
f = hd.compile(open("p.mlir").read(), name="p.mlir", target="cuda", cache=False)
f(x)
for _ in range(2):
    os.environ["HEDDLE_STAND_IN_FAILS"] = "exponential_reduce"
    try: print(f(x))
    except hd.HeddleError as error: print(error)
"""


def test_failing_kernel(heddle, stand_in, tmp_path):
    """A kernel that fails is named with its source ops; the context went with it, and every later call says by which."""
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = subprocess.run([sys.executable, "-c", FAILS], env={**os.environ, **stand_in, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")}, cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    for line in (first, second):
        assert "CUDA_ERROR_ILLEGAL_ADDRESS (700): kernel 'row_exponential_reduce_0' of p.mlir:2:8: the device's context is lost with it" in line, done.stdout


REFUSED = """
import os, numpy as np, heddle as hd
x = np.ones((7, 8), np.float32)
f = hd.compile(open("p.mlir").read(), name="p.mlir", target="cuda", cache=False)
os.environ["HEDDLE_STAND_IN_LAUNCH"] = "701"
try: print(f(x))
except hd.HeddleError as error: print(error)
del os.environ["HEDDLE_STAND_IN_LAUNCH"]
print(np.asarray(f(x)).shape)
"""


def test_refused_launch(heddle, stand_in, tmp_path):
    """A launch that CUDA refuses names kernel and source ops, and the context is usable."""
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = subprocess.run([sys.executable, "-c", REFUSED], env={**os.environ, **stand_in, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")}, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said, shape = done.stdout.splitlines()
    assert "kernel 'row_exponential_reduce_0' of p.mlir:2:8" in said and "cuda: launch: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)" in said, said
    assert shape == "(7,)"


def test_too_much_shared_memory(heddle, stand_in, root, tmp_path):
    """The figure and the limit, before anything runs."""
    program = os.path.join(root, "examples", "softmax.mlir")
    done = heddle("run", program, "--target", "cuda", "--random", 1, "--dims", "b=3,s=70", env={**stand_in, "HEDDLE_STAND_IN_SHARED": "1024"})
    says(done, " bytes of shared memory, of which stand-in, CUDA 13.0 has 1024 a block")
    assert "wants 32" in done.stderr or "wants 33" in done.stderr, done.stderr


def test_no_ptxas(heddle, tmp_path):
    """A program that is not there is said; what is looked up in PATH may be the library."""
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    done = heddle("compile", tmp_path / "p.mlir", "--target", "cuda", "--ptxas", "/no/such/ptxas", "-o", tmp_path / "p.hdl")
    says(done, "ptxas: /no/such/ptxas: No such file or directory")
    for name in ("libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"): (tmp_path / name).write_text("no library")
    done = heddle("compile", tmp_path / "p.mlir", "--target", "cuda", "--ptxas", "ptxas", "-o", tmp_path / "p.hdl", env={"PATH": str(tmp_path), "LD_LIBRARY_PATH": str(tmp_path)})
    says(done, "ptxas: ptxas: No such file or directory, and no nvJitLink: ")


def test_ptxas_by_the_library(heddle, root, build, tmp_path):
    """Machine code goes into the artifact, and the driver is given that."""
    build_double(root, tmp_path, "nv_jit_link_stand_in.c", "libnvJitLink.so.13")
    (tmp_path / "p.mlir").write_text(ROWS_OF_8)
    heddle("compile", tmp_path / "p.mlir", "--target", "cuda", "--ptxas", "ptxas", "-o", tmp_path / "p.hdl", env={"PATH": "/nonexistent", "LD_LIBRARY_PATH": str(tmp_path)}, check=True)
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = heddle("run", tmp_path / "p.hdl", "--random", 1, "--dims", "d0=4", "--json",
                  env={**build_library(root, build, tmp_path), "HEDDLE_STAND_IN_JIT": "222", "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["driver"] == "cuda"


MISUSE = r"""
#include <stdint.h>
int cuInit(unsigned); int cuCtxPushCurrent_v2(void *); int cuDevicePrimaryCtxRetain(void **, int); int cuDevicePrimaryCtxRelease_v2(int); int cuCtxPopCurrent_v2(void **);
int cuStreamCreate(void **, unsigned); int cuStreamDestroy_v2(void *); int cuMemAllocAsync(uint64_t *, long, void *); int cuMemFreeAsync(uint64_t, void *);
int cuMemsetD8Async(uint64_t, unsigned char, long, void *); int cuStreamSynchronize(void *);
int main(int count, char **arguments) {
  void *context, *a, *b; uint64_t at; int n = arguments[count - 1][0] - '0';
  cuInit(0); cuDevicePrimaryCtxRetain(&context, 7);
  if (n != 0) cuCtxPushCurrent_v2(context);
  cuStreamCreate(&a, 1); cuStreamCreate(&b, 1); cuMemAllocAsync(&at, 100, a);
  cuMemsetD8Async(at, 1, 100, b);
  if (n == 1) *(volatile char *)at = 0;
  if (n != 2) cuStreamSynchronize(b);
  if (n != 3) cuMemFreeAsync(at, a);
  if (n == 4) cuMemFreeAsync(at, a);
  cuStreamSynchronize(a); cuStreamDestroy_v2(a); cuStreamDestroy_v2(n == 5 ? a : b);
  cuCtxPopCurrent_v2(&context); cuDevicePrimaryCtxRelease_v2(7);
  return 0;
}
"""


@pytest.mark.parametrize("number, message", [(0, "no context is current"), (1, None), (2, "cuMemFreeAsync: work that was not done uses it"), (3, "the context ends with 1 allocations"),
                                             (4, "cuMemFreeAsync: released twice"), (5, "cuStreamDestroy: a handle that is not alive"), (6, "")])
def test_stand_in_finds(number, message, stand_in, tmp_path):
    """What the driver must not do ends the process, so that the tests above mean something."""
    library = os.path.join(stand_in["LD_LIBRARY_PATH"], "libcuda.so.1")
    (tmp_path / "misuse.c").write_text(MISUSE)
    subprocess.run(["gcc", tmp_path / "misuse.c", library, "-o", tmp_path / "misuse"], check=True)
    done = subprocess.run([tmp_path / "misuse", str(number)], env={**os.environ, **stand_in}, capture_output=True, text=True)
    if message == "": assert done.returncode == 0, done.stderr
    elif message is None: assert done.returncode == -11
    else: assert done.returncode == -6 and message in done.stderr, done.stderr
