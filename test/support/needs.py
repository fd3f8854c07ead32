# SPDX-License-Identifier: Apache-2.0
"""What tests need that tools/setup.sh installs. A test that misses some of it is skipped with the group that brings it;
run_tests.py counts that as a failure where the group is set up."""
import ctypes.util
import importlib.util
import os
import shutil
import subprocess

import pytest


def _missing(what, group): pytest.skip(f"{what} is not installed: tools/setup.sh {group}", allow_module_level=True)


def packages(*names, group="test"):
    """Python packages, which other processes may import."""
    for name in names:
        if not importlib.util.find_spec(name): _missing(name, group)


def module(name, group="test"):
    """The Python module |name|."""
    packages(name.split(".")[0], group=group)
    return importlib.import_module(name)


def program(name, group="test"):
    """The path of the program |name|, itself a path or one that PATH has."""
    return shutil.which(name) or _missing(name, group)


def library(*names, group="build"):
    """One of these shared libraries, named as the linker's -l names them."""
    if not any(map(ctypes.util.find_library, names)): _missing(" or ".join(f"lib{name}" for name in names), group)


def tensorflow(build):
    """The Python of the environment that has TensorFlow."""
    return program(os.environ.get("HEDDLE_TENSORFLOW_PYTHON") or os.path.join(build, "venv-tensorflow", "bin", "python"))


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OPENCL = os.path.abspath(os.path.join(ROOT, "build", "venv-opencl", "lib", "libintelocl.so"))


def offer_opencl():
    """Shows the loader of OpenCL the device that tools/setup.sh brings, in this process and those that it starts, unless the caller
    names one."""
    if os.path.exists(OPENCL): os.environ.setdefault("OCL_ICD_VENDORS", OPENCL)


def opencl(build):
    """A device that takes SPIR-V; skips with what the driver says, or with what kept tools/setup.sh from bringing one."""
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "devices"], capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("opencl ")]
    if lines and "not here" not in lines[0]: return
    reason = os.path.join(ROOT, "build", "opencl-missing.txt")
    if not os.path.exists(OPENCL) and not os.path.exists(reason): _missing("a device of OpenCL", "test")
    with open(reason if os.path.exists(reason) else os.devnull, encoding="utf-8") as handle: text = handle.read().split("\n")
    pytest.skip("no device of OpenCL: " + (next(filter(None, reversed(text)), None) or lines[0]), allow_module_level=True)
