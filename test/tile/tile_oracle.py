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
for path in sys.argv[2:]:
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    module = ir.parse_mlir_module(path, context)
    module.context = context
    manager = ir.pass_manager(context)
    if sys.argv[1] == "convert": passes.ttir.add_convert_to_ttgpuir(manager, "cuda:80", 4, 32, 1)
    passes.ttgpuir.add_coalesce(manager)
    print("== " + path, file=sys.stderr, flush=True)
    manager.run(module, "coalesce")
"""
INFO = re.compile(r"axis info of pointer: contiguity = \[(.*?)\], divisibility = \[(.*?)\], constancy = \[(.*?)\]")


def parse_info(match): return tuple([int(x) for x in part.split(",")] for part in match.groups())


def axis_infos(paths, convert=False):
    """Of each program of tt ops, what is known of the pointers of each load and store, in their order. Tensors have layouts, or are
    converted to have them, by which constants are folded."""
    run = subprocess.run([sys.executable, "-c", COALESCE, "convert" if convert else "", *paths], env={**os.environ, "TRITON_LLVM_DEBUG_ONLY": "tritongpu-coalesce"},
                         capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr[-2000:]
    parts = run.stderr.split("== ")[1:]
    return [[parse_info(m) for m in INFO.finditer(part)] for part in parts]
