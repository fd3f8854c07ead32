# SPDX-License-Identifier: Apache-2.0
"""Heddle compiles tensor programs whose shapes are not known, once, to machine code that is fast at every shape.

    f = heddle.compile(open("gelu.mlir").read())
    f(np.ones((4, 128), np.float32))          # any shape that the program admits
    f.save("gelu.hdl"); heddle.load("gelu.hdl")

JAX runs on Heddle with JAX_PLATFORMS=heddle."""
from heddle.errors import HeddleError, InvalidArgumentError, ResourceExhaustedError, TimeoutError, UnimplementedError  # noqa: A004
from heddle.function import Function, compile, default_runtime, explain, load  # noqa: A004
from heddle.runtime import Runtime, Tensor, compiler_version

__all__ = ["Function", "HeddleError", "InvalidArgumentError", "ResourceExhaustedError", "Runtime", "Tensor", "TimeoutError",
           "UnimplementedError", "compile", "default_runtime", "explain", "load"]


def __getattr__(name):
    """__version__ is that of the libraries, which are opened when first needed."""
    if name == "__version__": return compiler_version().split()[1]
    raise AttributeError(f"module 'heddle' has no attribute '{name}'")
