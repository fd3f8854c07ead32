# SPDX-License-Identifier: Apache-2.0
"""bench/device.py, rehearsed without a device: what it measures and what it does when something is missing. Times are not looked at."""
import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from test_cuda_driver import build_library

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import device as bench  # noqa: E402
import device_cases as cases  # noqa: E402
import device_report as report  # noqa: E402

pytestmark = pytest.mark.usefixtures("compiler")


def device(root, build, *arguments, script=None, env=None):
    return subprocess.run([sys.executable, script or os.path.join(root, "bench", "device.py"), *map(str, arguments), "--build", build], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **(env or {})})


@pytest.fixture(scope="module")
def prepared(root, build, tmp_path_factory):
    """What travels, for simt at tiny sizes, and what came out of it."""
    folder = tmp_path_factory.mktemp("device")
    done = device(root, build, "rehearse", "--to", folder / "tree", "--out", folder / "out", "--peers", "none", "--only", "gelu,transpose,column_sum,product,launch,sweep")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def again(prepared, build, *arguments):
    """From the tree that travels alone, as on the device's machine."""
    done = device(None, build, "run", "--out", prepared / "again", "--peers", "none", "--ms", 1, "--rounds", 1, *arguments, script=str(prepared / "tree" / "bench" / "device.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    return json.load(open(prepared / "again" / "device.json"))


def test_rehearsal(prepared):
    data = json.load(open(prepared / "out" / "device.json"))
    assert data["skipped"] == [] and data["machine"]["tiny"] and "emulator" in data["machine"]["device"]
    assert [(k["name"], k["element"]) for k in data["kernels"]] == [(n, e) for n in ("gelu", "transpose", "column_sum") for e in ("f32", "bf16")]
    for k in data["kernels"]:
        assert all(k["peers"][p]["us"] > 0 for p in ("copy", "heddle", "static")) and all(k["peers"][p]["kernel_us"] > 0 for p in ("heddle", "static"))
        assert k["peers"]["heddle"]["error"] < cases.TOLERANCE[k["element"]]
    assert [(p["element"], p["dims"]) for p in data["products"]] == [(e, list(mnk)) for e, mnk in cases.PRODUCTS_TINY]
    for p in data["products"]: assert p["peers"]["heddle"]["us"] > 0 and p["peers"]["library"]["us"] > 0 and p["peers"]["heddle"]["library_calls"] == 1
    points = data["launch"]["heddle"]["points"]
    assert points["1"]["launches"] < points[str(cases.CHAIN)]["launches"] >= cases.CHAIN
    assert data["sweep"]["wrong"] == {} and data["sweep"]["forms"] > data["sweep"]["programs"] > 10
    assert data["expectations"] == {"gelu": "met"} and data["models"][0]["peers"]["heddle"]["us"] > 0
    assert {f.name for f in (prepared / "out").iterdir()} == {"device.json", "device.md", "heddle.log", "copy.log"}, "a few files come back from a device's machine"
    page = (prepared / "out" / "device.md").read_text()
    assert "A rehearsal at tiny sizes" in page and "| gelu f32 16x4096 |" in page and "Left out" not in page


def test_what_travels_is_whole(prepared):
    """Neither the compiler nor the tree is needed to run."""
    files = {os.path.relpath(os.path.join(folder, file), prepared / "tree") for folder, _, names in os.walk(prepared / "tree") for file in names}
    assert "build/lib/libheddle_rt.so" in files and not any("libheddle.so" in f for f in files)


def test_damaged_artifact(prepared, build):
    """A case that fails is said, and the others go on."""
    path = prepared / "tree" / "artifacts" / "gelu_f32.hdl"
    whole = path.read_bytes()
    path.write_bytes(whole[:1000])
    try: data = again(prepared, build, "--only", "gelu")
    finally: path.write_bytes(whole)
    assert [s["what"] for s in data["skipped"]] == ["gelu f32 16x4096 by heddle"] and data["kernels"][1]["peers"]["heddle"]["us"] > 0
    assert "us" not in data["kernels"][0]["peers"]["heddle"] and "Left out" in (prepared / "again" / "device.md").read_text()


def test_sweep_that_fails(prepared, build):
    """A program of the op sweep that gives something else, one that is damaged: both are named, the others go on."""
    folder = prepared / "tree" / "artifacts" / "sweep"
    whole = {name: (folder / name).read_bytes() for name in ("0.npz", "1.npz")}
    try:
        for name, key, change in (("0.npz", "d0", lambda x: x ^ 1), ("1.npz", "artifact", lambda x: x[:1000])):
            with np.load(folder / name) as file: arrays = dict(file)
            np.savez(folder / name, **{**arrays, key: change(arrays[key])})
        sweep = again(prepared, build, "--only", "sweep")["sweep"]
    finally:
        for name, data in whole.items(): (folder / name).write_bytes(data)
    before = json.load(open(prepared / "out" / "device.json"))["sweep"]
    assert sweep["programs"] == before["programs"] and len(sweep["wrong"]) == 2
    assert "program 1" in sweep["wrong"] and any("elements, at" in text for text in sweep["wrong"].values())
    page = (prepared / "again" / "device.md").read_text()
    assert f"Op sweep: {sweep['forms'] - 2} of {sweep['forms']} forms agree" in page


def test_no_time(prepared, build):
    data = again(prepared, build, "--seconds", 0)
    assert data["kernels"] == [] and all(s["why"] == "no time is left" or "took longer" in s["why"] for s in data["skipped"]) and len(data["skipped"]) >= 7


def test_conformance(prepared, build):
    """The driver's own suite comes first."""
    done = device(None, build, "run", "--out", prepared / "all", "--peers", "none", "--ms", 1, "--rounds", 1, script=str(prepared / "tree" / "bench" / "device.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.load(open(prepared / "all" / "device.json"))["conformance"].startswith("driver simt: ")


def test_slow_peer(prepared, build):
    """One that does not answer in time is ended and begins anew with the next case."""
    data = again(prepared, build, "--only", "gelu", "--limit", 0.01)
    assert data["skipped"] and all("took longer than" in s["why"] for s in data["skipped"] if "expectations" not in s["what"])


@pytest.mark.parametrize("peer", ["copy", "heddle", "xla", "inductor"])
def test_environment(peer, monkeypatch):
    """Beside a device of CUDA's nobody is told to run on the CPU; without one everybody is."""
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.delenv("TORCHINDUCTOR_COMPILE_THREADS", raising=False)
    def env(where): return bench.environment(peer, SimpleNamespace(root="/r", scratch="/s", device=where))
    assert not {"JAX_PLATFORMS", "TORCHINDUCTOR_COMPILE_THREADS"} & set(env("cuda"))
    assert env("simt")["JAX_PLATFORMS"] == "cpu" and env("simt")["TORCHINDUCTOR_COMPILE_THREADS"] == "1"


def test_peer_that_is_not_here(root, build, prepared, tmp_path):
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("raise ImportError('no jax in this test')")
    done = device(None, build, "run", "--out", tmp_path / "out", "--peers", "xla", "--ms", 1, "--rounds", 1, "--only", "transpose", script=str(prepared / "tree" / "bench" / "device.py"),
                  env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert json.load(open(tmp_path / "out" / "device.json"))["skipped"] == [{"what": "everything by xla", "why": "ImportError: no jax in this test"}]


def test_cuda(root, build, heddle, tmp_path):
    """The calls of CUDA's driver, against the library that stands in for it."""
    tree, env = tmp_path / "tree", build_library(root, build, tmp_path)
    done = device(root, build, "prepare", "--to", tree, "--target", "cuda:90", "--ptxas", "none", "--only", "bias")
    assert done.returncode == 0, done.stderr
    plan = json.load(open(tree / "plan.json"))
    plan["kernels"] = [{"name": "bias", "element": "f32", "dims": [48, 4096]}]
    json.dump(plan, open(tree / "plan.json", "w"))
    heddle("compile", tree / "programs" / "bias_f32.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = device(None, build, "run", "--out", tmp_path / "out", "--peers", "none", "--ms", 1, "--rounds", 1, script=str(tree / "bench" / "device.py"),
                  env={**env, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), "PATH": "/nonexistent"})
    assert done.returncode == 0, done.stderr
    data = json.load(open(tmp_path / "out" / "device.json"))
    case, = data["kernels"]
    assert case["peers"]["copy"]["us"] > 0 and case["peers"]["heddle"]["us"] > 0 and case["peers"]["heddle"]["error"] < 1e-6
    assert abs(case["peers"]["heddle"]["kernel_us"] - 250) < 1, "the device's own time"
    assert data["machine"]["device"].startswith("stand-in") and data["machine"]["clocks"] is None
    assert [s["what"] for s in data["skipped"]] == ["kernels of a graph of CUDA's"] and data["launch"] == {}, "the artifact has no kernel 'empty'; launches were not prepared"
    done = device(None, build, "run", "--out", tmp_path / "raw", "--peers", "none", "--only", "raw", script=str(tree / "bench" / "device.py"), env=env)
    assert done.returncode == 0, done.stderr
    data = json.load(open(tmp_path / "raw" / "device.json"))
    assert data["skipped"] == [] and data["launch"]["cuda"]["graph_us"] > 0 and data["launch"]["cuda"]["marked_graph_us"] > 0


@pytest.mark.parametrize("element", cases.ELEMENTS)
@pytest.mark.parametrize("name", cases.KERNELS)
def test_wrong_results_are_seen(name, element):
    """The check takes what numpy gives, rounded, and nothing that is off in one place of a row that it looks at."""
    dims = (16, cases.KERNELS[name][2])
    inputs = cases.arguments(name, element, dims)
    right = cases.KERNELS[name][1](*(x.astype("float64") for x in inputs))
    right = np.array(right).astype(cases.ELEMENTS[element])
    assert cases.error(name, element, inputs, right) < cases.TOLERANCE[element]
    wrong = right.reshape(-1)[::-1].reshape(right.shape).copy() if name == "transpose" else right.copy() # of a transpose some rows are looked at
    wrong.reshape(-1)[wrong.size // 2] += 4 if not name.endswith("sum") else 2000
    assert not cases.error(name, element, inputs, wrong) < cases.TOLERANCE[element]
    assert cases.error(name, element, inputs, right * float("nan")) == (1.0 if name == "transpose" else float("inf"))


def row(**us): return {"name": "gelu", "element": "f32", "dims": [4, 8], "bytes": 256, "peers": {p: {"us": t, "kernel_us": k} for p, (t, k) in us.items()}}


@pytest.mark.parametrize("element", cases.ELEMENTS)
def test_wrong_products_are_seen(element):
    x, y = inputs = cases.product_arguments(element, (16, 40, 56))
    right = (x.astype("float64") @ y.astype("float64")).astype(cases.ELEMENTS[element])
    assert cases.product_error(element, inputs, right) < cases.TOLERANCE[element]
    wrong = right.copy()
    wrong[3, 5] += 9
    assert not cases.product_error(element, inputs, wrong) < cases.TOLERANCE[element] and cases.product_error(element, inputs, right.T) == float("inf")
    row = {"dims": [1000, 2000, 500], "peers": {"heddle": {"us": 100.0}}}
    assert report.tflops(row, "heddle") == 20.0 and report.tflops(row, "xla") is None


def test_shares():
    good, bad = row(copy=(9, None), heddle=(10, 9.5), static=(10, 9.4), xla=(20, None)), row(copy=(8, None), heddle=(10, 8.5), static=(9, 8), xla=(5, None))
    assert report.share(good) == 0.9 and report.over_peer(bad, "xla") == 0.5 and abs(report.over_static(bad) - 0.0625) < 1e-12
    verdicts = {what: (n, of) for what, n, of, _ in report.verdicts({"kernels": [good, bad], "models": [bad], "launch": {"heddle": {"launch_us": 4.0}, "graphs": {"launch_us": 2.5}}})}
    assert verdicts == {"at least 90% of a copy, by the device's time of the kernels": (2, 2), "at least 90% of a copy, calls that follow each other": (1, 2), "within 3% of known dims": (1, 2),
                        "ahead of xla": (1, 2), "ahead of xla, models": (0, 1), "a launch in at most 5 us": (1, 1), "a launch in a graph in at most 2 us": (0, 1)}
    assert report.verdicts({"kernels": [], "launch": {}}) == [], "what was not measured is no verdict"


def test_names_keep_their_case():
    """A sentence begins with a capital; names of types and of programs inside of it stay as they are."""
    wrong = report.sweep_line({"forms": 3, "wrong": {"convert f8E5M2 to bf16": "Expected NaN"}})
    assert report.sentence(wrong) == "Op sweep: 2 of 3 forms agree with the evaluator. convert f8E5M2 to bf16: Expected NaN"
    assert report.sentence("") == ""


def test_cuda_launches(root, build, heddle, tmp_path):
    """Chains of launches, as they are, as graphs and with marks."""
    tree, env = tmp_path / "tree", build_library(root, build, tmp_path)
    assert device(root, build, "prepare", "--to", tree, "--target", "cuda:90", "--ptxas", "none", "--only", "launch").returncode == 0
    shutil.copy(tree / "artifacts" / f"chain{cases.CHAIN}.hdl", tree / "artifacts" / "chain1.hdl")  # the library has the kernels of one program
    heddle("compile", tree / "programs" / f"chain{cases.CHAIN}.mlir", "--target", "simt", "-o", tmp_path / "simt.hdl", check=True)
    done = device(None, build, "run", "--out", tmp_path / "out", "--peers", "none", "--ms", 1, "--rounds", 1, "--only", "launch", script=str(tree / "bench" / "device.py"),
                  env={**env, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), "PATH": "/nonexistent"})
    assert done.returncode == 0, done.stderr
    launch = json.load(open(tmp_path / "out" / "device.json"))["launch"]
    assert launch["graphs"]["launch_us"] > 0 and launch["marks"]["launch_us"] > 0 and "as graphs " in (tmp_path / "out" / "device.md").read_text(), launch
