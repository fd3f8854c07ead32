# SPDX-License-Identifier: Apache-2.0
"""How many instructions kernels are on sm_90. Counted, never timed: a bound that breaks says that a pass stopped doing its work."""
import os
import re
import subprocess

import pytest

from assembler import ptxas
from disassembler import instructions, nvdisasm

TRANSPOSE = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""
BROADCAST = """
func.func @main(%x: tensor<?x?xf32>, %v: tensor<?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %y = stablehlo.add %x, %b : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""
NEGATE = """
func.func @main(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %y = stablehlo.negate %x : tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}
"""


@pytest.fixture
def kernels(build, tmp_path):
    """The instructions of a program's kernels at sm_90, those for indices of 64 bits left out; nothing is spilled."""
    assembler, disassembler = ptxas(build), nvdisasm(build)
    if not assembler or not disassembler: pytest.skip("ptxas or nvdisasm is not installed: CUDA's toolkit or the package triton has them")

    def count(program):
        (tmp_path / "program.mlir").write_text(program)
        opt = os.path.join(build, "bin", "heddle-opt")
        for arguments in (["--disc-pipeline=target=cuda", tmp_path / "program.mlir", "-o", tmp_path / "machine.mlir"],
                          ["--emit-ptx=90", tmp_path / "machine.mlir", "-o", tmp_path / "kernels.ptx"]):
            done = subprocess.run([opt, *arguments], capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
        done = subprocess.run([assembler, "-v", "-arch=sm_90", tmp_path / "kernels.ptx", "-o", tmp_path / "kernels.cubin"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", done.stderr)} == {0}
        found = instructions(disassembler, tmp_path / "kernels.cubin")
        narrow = {name: code for name, code in found.items() if not name.endswith("_64")}
        assert narrow and len(narrow) < len(found), "expected versions for both widths of indices"
        return narrow
    return count


def test_transpose(kernels):
    for name, code in kernels(TRANSPOSE).items(): assert len(code) <= 100, name


def test_broadcast(kernels):
    """One element a thread, or four; the second operand of a size that may be 1, or not."""
    for name, code in kernels(BROADCAST).items(): assert len(code) <= 60, name


def test_elementwise(kernels):
    for name, code in kernels(NEGATE).items(): assert len(code) <= 40, name


def test_gelu(kernels, root):
    """Of bf16: eight elements a thread, or one."""
    with open(os.path.join(root, "examples", "gelu_bf16.mlir"), encoding="utf-8") as handle: found = kernels(handle.read())
    assert len(found) == 2
    for name, code in found.items():
        elements = 8 if any("128" in line for line in code if "LDG" in line) else 1
        assert len(code) <= (20 * elements if elements > 1 else 40), name
        assert sum("MUFU.TANH" in line for line in code) == elements, name


def test_read_only(kernels):
    """What no kernel writes is read past the coherent caches, in whole vectors where sizes allow it."""
    code = [line for lines in kernels(NEGATE).values() for line in lines]
    loads = [line for line in code if "LDG" in line]
    assert loads and all("CONSTANT" in line for line in loads), loads
    assert any(".128" in line for line in loads)
