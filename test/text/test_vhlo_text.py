# SPDX-License-Identifier: Apache-2.0
"""The portable form prints as JAX's own MLIR prints it, and what is printed reads back: every op, type and attribute of
test/bytecode/programs.py that JAX's build of MLIR knows."""
import os
import subprocess

import pytest
from programs import PROGRAMS

QUANTIZED = {name for name, text in PROGRAMS.items() if "quant." in text}  # JAX's MLIR has no quant dialect


def passes(pass_name, text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo
    stablehlo.register_stablehlo_passes()
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(f"builtin.module({pass_name})").run(module.operation)
        return [line for line in str(module).splitlines() if line]


def current_version():
    from jaxlib.mlir.dialects import stablehlo
    return stablehlo.get_current_version()


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - QUANTIZED))
def test_prints_as_jax_does(build, tmp_path, name):
    opt = os.path.join(build, "bin", "heddle-opt")
    program, printed = tmp_path / "program.mlir", tmp_path / "portable.mlir"
    program.write_text(PROGRAMS[name])
    portable = subprocess.run([opt, program, f"--stablehlo-legalize-to-vhlo=target={current_version()}", "--verify-roundtrip"],
                              capture_output=True, text=True)
    if portable.returncode:
        assert "version" in portable.stderr, portable.stderr  # newer than what JAX's build knows
        pytest.skip(f"not in version {current_version()} of the portable form")
    got = [line for line in portable.stdout.splitlines() if line]
    try: wanted = passes("stablehlo-legalize-to-vhlo", PROGRAMS[name])
    except Exception as error:  # an op or type that JAX's build does not have
        pytest.skip(f"JAX cannot read it: {str(error).splitlines()[-1][:120]}")
    assert got == wanted
    printed.write_text(portable.stdout)
    again = subprocess.run([opt, printed], capture_output=True, text=True)
    assert again.returncode == 0 and [line for line in again.stdout.splitlines() if line] == wanted, again.stderr


@pytest.mark.parametrize("name", sorted(QUANTIZED))
def test_quantized_types_read_back(build, tmp_path, name):
    opt = os.path.join(build, "bin", "heddle-opt")
    program = tmp_path / "program.mlir"
    program.write_text(PROGRAMS[name])
    subprocess.run([opt, program, "--stablehlo-legalize-to-vhlo", "--verify-roundtrip"], check=True, capture_output=True)
