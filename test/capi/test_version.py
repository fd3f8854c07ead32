# SPDX-License-Identifier: Apache-2.0
"""One version, CMakeLists.txt's: of the libraries, programs, pkg-config files, plugin and Python package."""
import importlib.util
import os
import re
import subprocess
import sys

import needs
import pytest


@pytest.fixture(scope="module")
def version(root):
    with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as handle: return re.search(r"project\(heddle VERSION (\S+)", handle.read()).group(1)


@pytest.fixture(scope="module")
def said(build):
    """said(program, *arguments): what a program of the build prints."""
    return lambda name, *arguments: subprocess.run([os.path.join(build, "bin", name), *arguments], capture_output=True, text=True, timeout=60,
                                                   check=True).stdout


def test_compiler_says_its_own_and_llvms(build, version, said, compiler):
    """In a process of its own, which ends with the LLVM that the library opens."""
    script = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).hd_compiler_version; f.restype = ctypes.c_char_p; print(f().decode(), f() == f())"
    out = subprocess.run([sys.executable, "-c", script, os.path.join(build, "lib", "libheddle.so")], capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.fullmatch(re.escape(f"heddle {version} (LLVM ") + r"22\.\d+\.\d+\) True\n", out), out
    assert said("heddle-opt", "--version") == out.replace(" True", "")
    first, second = said("heddle", "version").splitlines()[:2]
    assert first == f"heddle {version}" and second.startswith("compiler: " + out.replace(" True\n", ",")), second


def test_pkg_config(build, version):
    for package in ("heddle", "heddle_rt"):
        with open(os.path.join(build, "generated", package + ".pc"), encoding="utf-8") as handle: assert f"Version: {version}\n" in handle.read()


def test_plugin(build, root, version):
    """What the plugin says to its client."""
    needs.packages("jax", group="python")
    path = os.pathsep.join(filter(None, (os.path.join(root, "front", "python"), os.environ.get("PYTHONPATH"))))
    out = subprocess.run([sys.executable, "-c", "import jax; print(jax.devices()[0].client.platform_version)"], capture_output=True, text=True,
                         timeout=120, check=True, env={**os.environ, "HEDDLE_BUILD": build, "PYTHONPATH": path, "JAX_PLATFORMS": "heddle"}).stdout
    assert re.search("^" + re.escape(f"heddle {version} (build ") + r"[0-9a-f]{16}\)$", out, re.MULTILINE), out


def test_python(build, root, version, compiler):
    spec = importlib.util.spec_from_file_location("python_build", os.path.join(root, "tools", "python_build.py"))
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    assert f"Version: {version}\n" in backend._metadata(backend._project())
    script = "import heddle; print(heddle.__version__, hasattr(heddle, 'nothing'))"
    path = os.pathsep.join(filter(None, (os.path.join(root, "front", "python"), os.environ.get("PYTHONPATH"))))
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True,
                         env={**os.environ, "HEDDLE_BUILD": build, "PYTHONPATH": path}).stdout
    assert out == f"{version} False\n"
