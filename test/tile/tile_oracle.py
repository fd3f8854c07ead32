# SPDX-License-Identifier: Apache-2.0
"""Triton, where it is installed, as an oracle: its linear layouts, and its AxisInfo by what tritongpu-coalesce says of pointers."""
import os
import re
import subprocess
import sys

import pytest

triton = pytest.importorskip("triton", reason="triton is not installed")
VERSION = "3.7.1"
if triton.__version__ != VERSION: pytest.skip(f"triton {VERSION} is the oracle, {triton.__version__} is installed", allow_module_level=True)

COALESCE = """
import os, sys
sys.dont_write_bytecode = True
from triton._C.libtriton import ir, nvidia, passes
for path in sys.argv[1:]:
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    module = ir.parse_mlir_module(path, context)
    module.context = context
    manager = ir.pass_manager(context)
    passes.ttgpuir.add_coalesce(manager)
    print("== " + path, file=sys.stderr, flush=True)
    manager.run(module, "coalesce")
"""
INFO = re.compile(r"axis info of pointer: contiguity = \[(.*?)\], divisibility = \[(.*?)\], constancy = \[(.*?)\]")


def parse_info(match): return tuple([int(x) for x in part.split(",")] for part in match.groups())


def axis_infos(paths):
    """Of each program of tt ops whose tensors have layouts, what is known of the pointer of each load and store, in their order."""
    run = subprocess.run([sys.executable, "-c", COALESCE, *paths], env={**os.environ, "TRITON_LLVM_DEBUG_ONLY": "tritongpu-coalesce"},
                         capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr[-2000:]
    parts = run.stderr.split("== ")[1:]
    return [[parse_info(m) for m in INFO.finditer(part)] for part in parts]
