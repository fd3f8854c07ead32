# SPDX-License-Identifier: Apache-2.0
"""Artifacts for several targets: whoever runs one takes what is there, or what it is told to, and says of each target why it cannot be."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import needs
from test_cuda_driver import build_library

pytestmark = pytest.mark.usefixtures("compiler")
PROGRAM = """func.func @main(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %w = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %d = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %k = stablehlo.constant dense<8> : tensor<1xi32>
  %s = stablehlo.concatenate %d, %k, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %w, %s, dims = [1] : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %m = stablehlo.multiply %x, %b : tensor<?x8xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%m init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


@pytest.fixture
def bundle(heddle, tmp_path):
    """bundle("cpu", "simt") compiles the program for these, to a file."""
    def make(*targets, flags=()):
        (tmp_path / "p.mlir").write_text(PROGRAM)
        path = tmp_path / f"{'_'.join(targets).replace(':', '')}.hdl"
        heddle("compile", tmp_path / "p.mlir", *[f"--target={t}" for t in targets], "-o", path, *flags, check=True)
        return path
    return make


@pytest.fixture
def run(heddle):
    """run(path, flags) gives the driver that ran it, right."""
    def go(path, *flags, env=None):
        done = heddle("run", path, "--random", 1, "--dims", "d0=5", "--outputs", f"{path}.npz", "--json", *flags, env=env)
        assert done.returncode == 0, done.stderr
        want = heddle("eval", os.path.join(os.path.dirname(path), "p.mlir"), "--random", 1, "--dims", "d0=5", "--outputs", f"{path}.want.npz", check=True)
        assert want.returncode == 0
        np.testing.assert_allclose(np.load(f"{path}.npz")["out0"], np.load(f"{path}.want.npz")["out0"], rtol=1e-5)
        return json.loads(done.stdout)["driver"]
    return go


@pytest.fixture(scope="module")
def no_devices(tmp_path_factory):
    """The environment of a machine without CUDA and OpenCL."""
    folder = tmp_path_factory.mktemp("none")
    for name in ("libcuda.so.1", "libOpenCL.so.1"): (folder / name).write_text("no library")
    return {"LD_LIBRARY_PATH": str(folder)}


@pytest.fixture(scope="module")
def stand_in(root, build, tmp_path_factory):
    return build_library(root, build, tmp_path_factory.mktemp("cuda"))


def says(done, text, code=1):
    assert done.returncode == code and done.stderr.startswith("heddle: ") and done.stderr.count("\n") == 1 and text in done.stderr, done.stderr


@pytest.mark.parametrize("targets, taken", [(("cpu", "simt"), "cpu"), (("simt", "cpu"), "simt"), (("cpu",), "cpu"), (("simt",), "simt")])
def test_order(targets, taken, bundle, run):
    """Of what is on every machine the first that was written; told, any."""
    path = bundle(*targets)
    assert run(path) == taken
    for target in targets: assert run(path, "--target", target) == target
    if "simt" in targets: assert run(path, "--driver", "guarded") == "guarded"


def test_no_cuda(bundle, run, heddle, no_devices):
    path = bundle("cpu", "cuda:90")
    assert run(path, env=no_devices) == "cpu"
    says(heddle("run", path, "--target", "cuda", "--random", 1, "--dims", "d0=5", env=no_devices), "no CUDA driver: ")
    lines = heddle("devices", path, env=no_devices, check=True).stdout.splitlines()
    assert lines[0].startswith("cuda:90      not here: no CUDA driver: ") and lines[1] == "cpu          here, taken unless --target names another"


@pytest.mark.parametrize("targets", [("cpu", "cuda:90"), ("cuda:80", "cpu"), ("spirv", "cuda:90", "cpu")])
def test_cuda(targets, bundle, run, stand_in, no_devices):
    """A device goes before the CPU, whichever was written first."""
    env = {"LD_LIBRARY_PATH": f"{stand_in['LD_LIBRARY_PATH']}:{no_devices['LD_LIBRARY_PATH']}", "HEDDLE_STAND_IN_ARTIFACT": str(bundle("simt"))}
    path = bundle(*targets)
    assert run(path, env=env) == "cuda"
    assert run(path, "--target", "cpu", env=env) == "cpu"


def test_later_architecture(bundle, run, heddle, stand_in):
    """Code that the device does not take is as none."""
    assert run(bundle("cuda:100", "cpu"), env=stand_in) == "cpu"
    done = heddle("run", bundle("cuda:100"), "--random", 1, "--dims", "d0=5", env=stand_in)
    says(done, "no code for this device, stand-in, CUDA 13.0 of architecture 90; the artifact has: cuda 100 ptx")


def test_opencl(bundle, run, build):
    needs.opencl(build)
    path = bundle("cpu", "cuda:90", "spirv")
    assert run(path) == "opencl"
    assert run(path, "--target", "cpu") == "cpu"


def test_none(bundle, heddle, no_devices):
    done = heddle("run", bundle("cuda:90", "spirv"), "--random", 1, "--dims", "d0=5", env=no_devices)
    says(done, "no target of the artifact can be used here: cuda:90: no CUDA driver: ")
    assert "; spirv: opencl: no OpenCL loader: " in done.stderr or "; spirv: no OpenCL loader: " in done.stderr, done.stderr
    says(heddle("run", bundle("cuda:90", "spirv"), "--target", "cpu", "--random", 1, "--dims", "d0=5"),
         "--target: the artifact has no code for 'cpu', expected one of: cuda:90, spirv", code=2)


@pytest.mark.parametrize("target, driver, says_", [("cuda:80", None, "no CUDA driver"), ("cuda:90,80", None, "no CUDA driver"),
                                                   ("cuda:8", None, "the artifact has no code for 'cuda:8', expected one of: cuda:80,90, cpu"),
                                                   ("cud", None, "the artifact has no code for 'cud'"), ("cpu:80", None, "the artifact has no code for 'cpu:80'"),
                                                   ("nonsense", "cpu", "the artifact has no code for 'nonsense'"), ("cuda", "cpu", "driver 'cpu' runs no code for 'cuda'")])
def test_names(bundle, heddle, no_devices, target, driver, says_):
    """Some of a target's architectures name it; a driver must be that of a target which is named."""
    done = heddle("run", bundle("cuda:80,90", "cpu"), "--target", target, *(["--driver", driver] if driver else []), "--random", 1, "--dims", "d0=5", env=no_devices)
    assert done.returncode in (1, 2) and done.stderr.count("\n") == 1 and says_ in done.stderr, done.stderr


def test_program(bundle, heddle, no_devices, tmp_path):
    """A program is compiled for all, and runs on what is there; from the cache, too."""
    bundle("cpu")
    for _ in range(2):
        done = heddle("run", tmp_path / "p.mlir", "--target", "cuda:90", "--target", "cpu", "--random", 1, "--dims", "d0=5", "--json", env=no_devices, check=True)
        assert json.loads(done.stdout)["driver"] == "cpu"


def test_constants(bundle, run, heddle, tmp_path):
    """Equal constants exist once, in the artifact and beside it."""
    weights = " ".join(f"{i}.5," for i in range(4096)).rstrip(",")
    (tmp_path / "w.mlir").write_text(f"""func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {{
      %w = stablehlo.constant dense<[{weights}]> : tensor<4096xf32>
      %m = stablehlo.multiply %x, %w : tensor<4096xf32>
      return %m : tensor<4096xf32> }}""")
    sizes = {}
    for targets in (("cpu",), ("simt",), ("cpu", "simt")):
        heddle("compile", tmp_path / "w.mlir", *[f"--target={t}" for t in targets], "-o", tmp_path / "w.hdl", check=True)
        sizes[targets] = os.path.getsize(tmp_path / "w.hdl")
    assert sizes["cpu",] > 16384 and sizes["simt",] > 16384 and sizes["cpu", "simt"] < sizes["cpu",] + sizes["simt",] - 14000
    path = bundle("cpu", "simt", flags=["--constants", tmp_path / "p.hdc"])
    for target in ("cpu", "simt"): assert run(path, "--target", target) == target
    assert "not here" not in heddle("devices", path, check=True).stdout


def test_damage(bundle, heddle, tmp_path):
    """A cut or changed bundle is an error that says so, whichever target is asked for."""
    data = bundle("cpu", "simt").read_bytes()
    bad = tmp_path / "bad.hdl"
    for at in range(7, len(data), len(data) // 12):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]):
            bad.write_bytes(broken)
            for flags in ([], ["--target", "simt"]):
                done = heddle("run", bad, *flags, "--random", 1, "--dims", "d0=5")
                assert done.returncode in (0, 1) and (not done.returncode or "artifact" in done.stderr), (at, done.stderr)
                assert done.returncode or broken[at:at + 1] == bytes([0x55])  # padding


def test_same_bytes(bundle):
    path = bundle("cpu", "simt")
    first = path.read_bytes()
    assert bundle("cpu", "simt").read_bytes() == first


PYTHON = """
import sys, numpy as np, heddle
x = np.ones((3, 8), np.float32)
f = heddle.compile("p.mlir", target="cuda:90+cpu+simt", cache=False)
f.save("python.hdl")
for target in (None, "cpu", "simt", "cuda+simt"):
    g = heddle.load("python.hdl", target=target)
    assert g(x).tolist() == [36.0] * 3
    print(target, g.driver)
for target in ("spirv", "cuda"):
    try: heddle.load("python.hdl", target=target)
    except heddle.HeddleError as error: print(error)
"""


def test_python(bundle, no_devices, tmp_path):
    bundle("cpu")
    done = subprocess.run([sys.executable, "-c", PYTHON], env={**os.environ, **no_devices}, cwd=tmp_path, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[:4] == ["None cpu", "cpu cpu", "simt simt", "cuda+simt simt"], done.stdout + done.stderr
    assert lines[4] == "python.hdl: target: the artifact has no code for 'spirv', expected one of: cuda:90, cpu, simt" and lines[5].startswith("python.hdl: no CUDA driver: "), lines
