# SPDX-License-Identifier: Apache-2.0
"""What tests need that tools/setup.sh installs. A test that misses some of it is skipped with the group that brings it;
run_tests.py counts that as a failure where the group is set up."""
import ctypes.util
import importlib.util
import os
import shutil

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
