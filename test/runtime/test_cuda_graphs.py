# SPDX-License-Identifier: Apache-2.0
"""Launches that go out as graphs of CUDA's ("cuda:graphs"), names of kernels that fail with and without marks, and the choice of a device, against a library that stands in for
CUDA's driver (cuda_stand_in.c)."""
import json
import os
import subprocess
import sys

import pytest
from test_cuda_driver import MODELS, build_library, run_program

pytestmark = pytest.mark.usefixtures("compiler")


def chain(stages):
    """Reductions of one another, so that each is a kernel."""
    return """func.func @main(%x0: tensor<?x48xf32>) -> (tensor<?x48xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
""" + "".join(f"""  %a{i} = stablehlo.exponential %x{i} : tensor<?x48xf32>
  %s{i} = stablehlo.reduce(%a{i} init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?x48xf32>, tensor<f32>) -> tensor<48xf32>
  %n{i} = shape.shape_of %x0 : tensor<?x48xf32> -> tensor<2xindex>
  %b{i} = stablehlo.dynamic_broadcast_in_dim %s{i}, %n{i}, dims = [1] : (tensor<48xf32>, tensor<2xindex>) -> tensor<?x48xf32>
  %x{i + 1} = stablehlo.divide %a{i}, %b{i} : tensor<?x48xf32>
""" for i in range(stages)) + f"""  return %x{stages} : tensor<?x48xf32>
}}
"""


@pytest.fixture(scope="module")
def stand_in(root, build, tmp_path_factory):
    return build_library(root, build, tmp_path_factory.mktemp("cuda"))


@pytest.fixture
def script(heddle, stand_in, tmp_path):
    """script(text, driver) runs Python's |text| with x(rows), a program of four stages on |driver| as f, and right(rows), which holds it against numpy."""
    (tmp_path / "p.mlir").write_text(chain(4))
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)

    def run(text, driver, **env):
        start = f"""
import os, gc, numpy as np, heddle as hd
def make(): return hd.compile(open("p.mlir").read(), name="p.mlir", target="cuda", driver="{driver}", cache=False)
def x(rows): return np.linspace(-1, 1, rows * 48, dtype=np.float32).reshape(rows, 48)
def wanted(v, stages):
    for _ in range(stages): v = np.exp(v.astype(np.float64)); v = v / v.sum(0)
    return v
def right(rows, stages=4): np.testing.assert_allclose(np.asarray(f(x(rows))), wanted(x(rows), stages), rtol=1e-4)
f = make()
"""
        done = subprocess.run([sys.executable, "-c", start + text], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, **stand_in, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), "HEDDLE_STAND_IN_SAYS": "1", **env})
        assert done.returncode == 0, done.stdout + done.stderr
        said = done.stderr.splitlines()
        run.refused = said.count("cuda stand-in: no graph")
        return done.stdout.splitlines(), [line for line in said if "a graph of" in line], said.count("cuda stand-in: a node is set")
    return run


@pytest.mark.parametrize("model", MODELS)
def test_model(model, heddle, stand_in, root, tmp_path):
    path = os.path.join(root, "examples", f"{model}.mlir")
    heddle("compile", path, "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = heddle("run", path, "--target", "cuda", "--driver", "cuda:graphs", "--random", 1, "--dims", MODELS[model], "--reference", "eval", "--json", "--repeat", 4,
                  env={**stand_in, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), "HEDDLE_STAND_IN_SAYS": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    launches = json.loads(done.stdout)["launches"]
    assert ("a graph of" in done.stderr) == (launches >= 4), f"{launches} launches"


def test_repeated(script):
    """The second batch of launches makes the graph; where memory comes back at the same places no node is set."""
    _, graphs, updates = script("for _ in range(6): right(5)", "cuda:graphs")
    assert len(graphs) == 5 and len(set(graphs)) == 1 and not updates, (graphs, updates)


def test_devices_say_it(heddle, stand_in):
    text = heddle("devices", env={**stand_in, "HEDDLE_STAND_IN_DEVICES": "3"}, check=True).stdout
    assert "also: stand-in 1 (cuda:1)" in text and "also: stand-in 2 (cuda:2)" in text, text


def test_long_rows(script, heddle, tmp_path):
    """A batch goes out where there is no more room; a launch of it that is refused then names itself, not the one that came."""
    (tmp_path / "p.mlir").write_text(chain(40))
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    (said,), graphs, _ = script("""
for _ in range(3): right(5, 40)
os.environ["HEDDLE_STAND_IN_LAUNCH"] = "701"
try: print(f(x(3)))
except hd.HeddleError as error: print(error)
""", "cuda:graphs", HEDDLE_STAND_IN_NO_GRAPHS="1")
    assert not graphs and said.count("kernel '") == 1 and "_init' of " in said, said


def test_other_shapes(script):
    """Of one graph: its nodes are set to the other sizes."""
    _, graphs, updates = script("for i in range(8): right(5 + 64 * (i % 3))", "cuda:graphs")
    assert len(graphs) == 7 and updates >= 7, (graphs, updates)


def test_without_graphs(script):
    """Where CUDA makes none, launches go out one by one, and it is not asked again."""
    _, graphs, _ = script("for _ in range(6): right(5)", "cuda:graphs", HEDDLE_STAND_IN_NO_GRAPHS="1")
    assert not graphs and script.refused == 1


def test_not_asked_for(script):
    assert not script("for _ in range(4): right(5)", "cuda")[1]


def test_executables_that_go(script):
    """Their graphs go before their kernels do, and those of others stay."""
    _, graphs, _ = script("""
for _ in range(3): right(5)
g, f = f, make()
for _ in range(3): right(5)
del f; gc.collect()
f = g
for _ in range(3): right(5)
""", "cuda:graphs")
    assert len(graphs) == 7, graphs


FAILS = """
right(5)
os.environ["HEDDLE_STAND_IN_FAILS"] = "%s"
try: print(f(x(5)))
except hd.HeddleError as error: print(error)
"""


@pytest.mark.parametrize("driver", ["cuda", "cuda:graphs", "cuda:marks", "cuda:graphs,marks"])
def test_failing_kernel(driver, script):
    """Without marks it is one of those between what was waited for; with them the device said which."""
    (said,), _, _ = script(FAILS % "loop_divide", driver)
    assert "CUDA_ERROR_ILLEGAL_ADDRESS (700): kernel '" in said and "the device's context is lost with it" in said, said
    assert ("or one of the " in said and "driver 'cuda:marks' says which" in said) == ("marks" not in driver), said
    if "marks" in driver: assert "loop_divide" in said.split("kernel '")[1].split("'")[0], said


def test_failing_kernel_of_many(script, heddle, tmp_path):
    """More launches than names are kept of, nearly all in graphs: after each graph of 64 the device writes how far it is, so the last kernel is among the few after the last number."""
    (tmp_path / "p.mlir").write_text(chain(145))
    heddle("compile", tmp_path / "p.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    (said,), graphs, _ = script("for _ in range(2): f(x(5))" + FAILS.replace("right(5)", "right(5, 145)") % "loop_divide", "cuda:graphs")
    assert len(graphs) >= 12, graphs
    assert said.count("kernel '") == 2 and "up to kernel 'loop_divide" in said, said


def test_refused_mark(root, build, stand_in, tmp_path):
    """The next wait writes it: a kernel that was done is not among those that may have failed."""
    said = run_program(root, build, {**stand_in, "HEDDLE_STAND_IN_REFUSED_WRITE": "1"}, tmp_path, "cuda_marks.c")
    assert "mark a launch: CUDA_ERROR_OUT_OF_MEMORY" in said and "(700): kernel 'second' of a test: the device's" in said, said


def test_refused_launch(script):
    """A launch that CUDA refuses when it goes out names kernel and source ops, and the context is usable."""
    (said,), _, _ = script("""
os.environ["HEDDLE_STAND_IN_LAUNCH"] = "701"
try: print(f(x(5)))
except hd.HeddleError as error: print(error)
del os.environ["HEDDLE_STAND_IN_LAUNCH"]
right(5)
""", "cuda:graphs")
    assert "kernel '" in said and " of p.mlir:" in said and "cuda: launch: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)" in said, said


def run_on(heddle, root, env, driver):
    return heddle("run", os.path.join(root, "examples", "softmax.mlir"), "--target", "cuda", "--driver", driver, "--random", 1, "--dims", "b=3,s=70", env=env)


def test_old_driver(heddle, root, build, tmp_path):
    """Without graphs it serves as ever."""
    env = build_library(root, build, tmp_path, "-DcuGraphAddKernelNode_v2=cuGraphAddKernelNode")
    heddle("compile", os.path.join(root, "examples", "softmax.mlir"), "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    env["HEDDLE_STAND_IN_ARTIFACT"] = str(tmp_path / "simt.hdl")
    assert run_on(heddle, root, env, "cuda").returncode == 0
    done = run_on(heddle, root, env, "cuda:graphs")
    assert done.returncode == 1 and "graphs: the CUDA driver has no cuGraphAddKernelNode_v2, expected one of version 12.0 or later" in done.stderr, done.stderr


@pytest.mark.parametrize("driver, devices, message", [
    ("cuda:1", "2", None), ("cuda:1,graphs", "2", None), ("cuda:1", "1", "the CUDA driver finds no device 1, expected below 1"), ("cuda:x", "2", "driver 'cuda:x': expected a device's number"),
    ("cuda:", "2", "driver 'cuda:': expected"), ("cuda:-1", "2", "driver 'cuda:-1': expected"), ("cuda:0,", "2", "driver 'cuda:0,': expected"), ("cuda:99999", "2", "driver 'cuda:99999': expected")])
def test_device(driver, devices, message, heddle, root, stand_in, tmp_path):
    heddle("compile", os.path.join(root, "examples", "softmax.mlir"), "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = run_on(heddle, root, {**stand_in, "HEDDLE_STAND_IN_DEVICES": devices, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")}, driver)
    assert done.returncode == (0 if message is None else 2 if message.startswith("driver ") else 1), done.stderr
    if message: assert message in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
