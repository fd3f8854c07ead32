# SPDX-License-Identifier: Apache-2.0
"""StableHLO and CHLO print as JAX's own MLIR prints them, custom and generic."""
import os
import subprocess

import needs
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "src", "text", "stablehlo.mlir")
OPT = os.path.join(os.environ.get("HEDDLE_BUILD", os.path.join(ROOT, "build")), "bin", "heddle-opt")


@pytest.mark.parametrize("locations", [False, True])
@pytest.mark.parametrize("generic", [False, True])
def test_prints_as_jax_does(generic, locations):
    mlir = needs.module("jax._src.interpreters.mlir", group="python")
    ir = needs.module("jaxlib.mlir.ir", group="python")
    with mlir.make_ir_context():
        module = ir.Module.parse(open(PROGRAM).read())
        wanted = module.operation.get_asm(print_generic_op_form=generic, enable_debug_info=locations).replace('loc("-":', f'loc("{PROGRAM}":')
    got = subprocess.run([OPT, PROGRAM] + ["--mlir-print-op-generic"] * generic + ["--mlir-print-debuginfo"] * locations, check=True, capture_output=True, text=True).stdout
    assert got.strip() == wanted.strip()
