# SPDX-License-Identifier: Apache-2.0
"""JAX on Heddle, compared with JAX's own CPU platform: one process per script runs all its cases."""
import ast
import json
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = ("platform_cases", "sharing_cases", "device_cases", "older_cases", "plugin_cases")
DEVICES = {"device_cases": (1, 2, 4), "older_cases": (4,), "plugin_cases": (2,)}


def runs():
    """(script, number of devices)"""
    return [(script, devices) for script in SCRIPTS for devices in DEVICES.get(script, (1,))]


def names():
    """(script, devices, function) for each case, without importing the scripts here, where JAX has its own platform."""
    for script, devices in runs():
        with open(os.path.join(HERE, script + ".py"), encoding="utf-8") as handle: tree = ast.parse(handle.read())
        cases = (f.name for f in tree.body if isinstance(f, ast.FunctionDef) and any(getattr(d, "id", "") == "case" for d in f.decorator_list))
        yield from ((script, devices, name) for name in cases)


def environment(root, build, cache, **more):
    return {**os.environ, "JAX_PLATFORMS": "heddle,cpu", "PYTHONPATH": os.path.join(root, "front", "python"),
            "HEDDLE_BUILD": build, "HEDDLE_CACHE_DIR": str(cache), **more}


@pytest.fixture(scope="module")
def results(root, build, tmp_path_factory):
    """What each script said of its cases, and how its process ended; a script runs when it is first asked for."""
    known = {}

    def of(script, devices):
        if (script, devices) not in known:
            more = {"HEDDLE_NUM_DEVICES": str(devices), "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"} if script in DEVICES else {}
            done = subprocess.run([sys.executable, os.path.join(HERE, script + ".py")], capture_output=True, text=True, timeout=900,
                                  stdin=subprocess.DEVNULL, env=environment(root, build, tmp_path_factory.mktemp("cache"), **more))
            known[script, devices] = dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")), done
        return known[script, devices]
    return of


@pytest.mark.parametrize("script, devices, name", list(names()))
def test_case(results, script, devices, name):
    outcomes, done = results(script, devices)
    assert name in outcomes, f"the process ended with {done.returncode} before the case\n{done.stderr[-3000:]}"
    assert outcomes[name] is None, outcomes[name]


@pytest.mark.parametrize("script, devices", runs())
def test_process_ends_well(results, script, devices):
    done = results(script, devices)[1]
    assert done.returncode == 0, done.stderr[-3000:]


def test_training_example(root, build, tmp_path):
    """The same losses on Heddle as on JAX's CPU, through a checkpoint, with donated parameters and dropout."""
    losses = {}
    for platform in ("heddle", "cpu"):
        done = subprocess.run([sys.executable, os.path.join(root, "examples", "jax_train.py"), "--steps", "20", "--losses", tmp_path / platform,
                               "--checkpoint", tmp_path / f"{platform}.npz"], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
                              env={**environment(root, build, tmp_path / "cache"), "JAX_PLATFORMS": platform})
        assert done.returncode == 0, done.stderr[-3000:]
        with open(tmp_path / platform, encoding="utf-8") as handle: losses[platform] = json.load(handle)
    assert len(losses["heddle"]) == 20 and losses["heddle"][-1] < 1.5 < losses["heddle"][0]
    assert max(abs(a - b) for a, b in zip(*losses.values())) < 1e-3, losses
