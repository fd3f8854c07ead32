# SPDX-License-Identifier: Apache-2.0
"""`pip install .` into an environment of its own: what it holds runs by itself, and its types are those that mypy sees."""
import json
import os
import subprocess
import sys

import needs
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="module")
def installed(root, build, tmp_path_factory):
    """installed(*command) runs python with the installed package and what the tests' own environment has; gives its output."""
    folder = tmp_path_factory.mktemp("install")
    python = folder / "env" / "bin" / "python"
    environment = {k: v for k, v in os.environ.items() if k not in ("HEDDLE_BUILD", "PYTHONPATH")}
    environment.update(HEDDLE_CACHE_DIR=str(folder / "cache"), JAX_PLATFORMS="heddle")

    def run(*command, **more):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900, cwd=folder, stdin=subprocess.DEVNULL,
                              env={**environment, **more})
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout
    run(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    with open(os.path.join(site, "dependencies.pth"), "w", encoding="utf-8") as handle: handle.writelines(p + "\n" for p in sys.path if p.endswith("-packages"))
    run(sys.executable, "-m", "pip", "--python", python, "install", root, "--no-deps", "--no-index", "-q", "--disable-pip-version-check",
        HEDDLE_WHEEL_BUILD=build)
    run.site = site
    run.python = python
    return run


def test_package_and_platform(installed):
    script = ("import json, jax, numpy as np, heddle, heddle.libraries as l\n"
              "y = jax.jit(lambda x: x * 2)(np.ones(3, np.float32))\n"
              "f = heddle.compile(jax.jit(lambda x: x + 1).lower(np.ones(3, np.float32)))\n"
              "print(json.dumps([str(y.devices()), np.asarray(y).tolist(), f(np.ones(3, np.float32)).tolist(), l.path('libheddle.so')]))\n")
    devices, twice, plus, path = json.loads(installed(installed.python, "-c", script).splitlines()[-1])
    assert "HeddleDevice" in devices and twice == plus == [2, 2, 2] and path.startswith(installed.site)
    assert {"libheddle.so", "libheddle_rt.so", "libheddle_pjrt.so", "heddle_python.abi3.so"} == set(os.listdir(os.path.join(installed.site, "heddle", "lib")))


def test_torch_finds_the_backend(installed):
    """By the entry point, without an import of heddle.torch."""
    needs.packages("torch")
    script = "import torch\nprint(torch.compile(lambda x: x + 1, backend='heddle')(torch.ones(2)).tolist())"
    assert "[2.0, 2.0]" in installed(installed.python, "-c", script)


def test_types(installed):
    """mypy, strict: typed_sample.py is right, and what it says to be wrong is."""
    needs.packages("mypy")
    installed(sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", "--python-executable", installed.python,
              "--cache-dir", os.devnull, os.path.join(HERE, "typed_sample.py"))
