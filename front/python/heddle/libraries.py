# SPDX-License-Identifier: Apache-2.0
"""Where Heddle's shared libraries are and how they are opened: in the installed package, else in HEDDLE_BUILD, else in build/ of this checkout."""
import ctypes
import functools
import importlib.util
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))


def path(name):
    """The path of the library |name|; FileNotFoundError, saying where it was looked for, when there is none."""
    folders = [os.path.join(HERE, "lib"), os.path.join(os.environ.get("HEDDLE_BUILD") or os.path.join(ROOT, "build"), "lib")]
    if os.environ.get("HEDDLE_BUILD"): folders.reverse()
    for folder in folders:
        if os.path.exists(os.path.join(folder, name)): return os.path.join(folder, name)
    raise FileNotFoundError(f"{name} is in none of: {', '.join(folders)}")


def load(name):
    """The library |name|, opened. It takes what it calls from its own dependencies first: a process may hold another LLVM, as
    TensorFlow's, whose functions have the same names. A sanitizer, which has to come first, ends processes that ask for that."""
    sanitized = hasattr(ctypes.CDLL(None), "__asan_init")
    return ctypes.CDLL(path(name), mode=ctypes.DEFAULT_MODE | (0 if sanitized else getattr(os, "RTLD_DEEPBIND", 0)))


@functools.cache
def extension():
    """The module heddle_python, which is beside the libraries and uses the libheddle_rt.so that is open."""
    load("libheddle_rt.so")
    try: file = path("heddle_python.abi3.so")
    except FileNotFoundError as missing:
        raise FileNotFoundError(f"{missing}: the build found no headers of Python 3.11 or later; install them (python3-dev) and build in a new folder") from None
    spec = importlib.util.spec_from_file_location("heddle_python", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
