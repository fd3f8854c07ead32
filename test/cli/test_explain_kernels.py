# SPDX-License-Identifier: Apache-2.0
"""heddle explain --target=simt with inputs: what the kernels of a run did, as simt counts."""
import json
import os

import pytest

from assembler import needed_ptxas

pytestmark = pytest.mark.usefixtures("compiler")
COLUMNS = ["kernel", "launches", "block", "sectors/r", "lanes", "diverge", "conflicts", "shuffles", "atomics", "barriers", "shared", "regs", "spill", "occupancy"]
ADD = """func.func @main(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
"""


def kernels(done): return json.loads(done.stdout)["device_kernels"]


def test_elementwise(heddle, tmp_path):
    """Two reads and a write of each element, in whole sectors: the least that the shapes force."""
    (tmp_path / "add.mlir").write_text(ADD)
    (kernel,) = kernels(heddle("explain", tmp_path / "add.mlir", "--target", "simt", "--random", 1, "--shape", "arg0=32x64", "--shape", "arg1=32x64", "--json", check=True))
    assert kernel["launches"] == 1 and kernel["global_bytes"] == 3 * 4 * 32 * 64 and kernel["global_sectors"] == kernel["global_bytes"] // 32
    assert not kernel["bank_conflicts"] and not kernel["shared_requests"] and not kernel["atomics"] and not kernel["shuffles"] and not kernel["barriers"]
    assert sum(kernel["by_class"].values()) == kernel["instructions"] and 0 < kernel["lanes"] <= 32 * kernel["instructions"]
    assert 0 < kernel["occupancy"] <= 1 and "registers" not in kernel


def test_rows(heddle, root):
    """A softmax exchanges values between lanes, and rows of 2000 in shared memory too."""
    got = {s: kernels(heddle("explain", os.path.join(root, "examples", "softmax.mlir"), "--target", "simt", "--random", 1, "--dims", f"b=3,s={s}", "--json", check=True)) for s in (40, 2000)}
    assert all(sum(kernel["shuffles"] for kernel in each) > 0 for each in got.values())
    assert sum(kernel["barriers"] for kernel in got[2000]) > 0 and sum(kernel["shared_requests"] for kernel in got[2000]) > 0


def test_text(heddle, root):
    out = heddle("explain", os.path.join(root, "examples", "softmax.mlir"), "--target", "simt", "--random", 1, "--dims", "b=3,s=2000", check=True).stdout
    _, head, *rows = out[out.index("kernels of the device that ran"):].split("\n\n")[0].splitlines()
    assert head.split() == COLUMNS and rows and all(len(row) == len(head) and len(row.split()) == len(COLUMNS) for row in rows), out
    assert "instructions of warps" in out and "registers not known" in out


def test_registers(heddle, build, tmp_path):
    (tmp_path / "add.mlir").write_text(ADD)
    (kernel,) = kernels(heddle("explain", tmp_path / "add.mlir", "--target", "simt", "--random", 1, "--shape", "arg0=32x64", "--shape", "arg1=32x64", "--json", "--ptxas", needed_ptxas(build), check=True))
    assert 0 < kernel["registers"] < 256 and kernel["spill_bytes"] == 0


def test_registers_without_a_run(heddle, build, root, tmp_path):
    """What ptxas says of each kernel needs neither inputs nor a device: both widths of indices, all versions."""
    softmax, ptxas = os.path.join(root, "examples", "softmax.mlir"), needed_ptxas(build)
    for target in "cuda:90", "simt":
        done = heddle("explain", softmax, "--target", target, "--ptxas", ptxas, "--json", check=True)
        found = {k["name"]: k for k in kernels(done)}
        assert set(found) == {k["name"] for k in json.loads(done.stdout)["kernels"]} and len(found) > 1
        assert all(0 < k["registers"] < 256 and k["spill_bytes"] == 0 and 0 < k["occupancy"] <= 1 and "launches" not in k for k in found.values())
        assert any(k["shared_bytes"] for k in found.values())
    out = heddle("explain", softmax, "--target", "cuda:90", "--ptxas", ptxas, check=True).stdout
    _, head, *rows = out[out.index("kernels of the device, as ptxas made them"):].splitlines()
    assert head.split() == ["kernel", "block", "shared", "regs", "spill", "occupancy"] and len(rows) == len(found) and all(len(row.split()) == 6 for row in rows), out


def test_ptxas_is_asked(heddle, tmp_path):
    """A program that is not there is told, as is a target without PTX."""
    (tmp_path / "add.mlir").write_text(ADD)
    done = heddle("explain", tmp_path / "add.mlir", "--target", "cuda", "--ptxas", tmp_path / "none")
    assert done.returncode == 1 and "none: No such file" in done.stderr, done.stderr
    for target in [], ["--target", "cpu"], ["--target", "spirv"]:
        done = heddle("explain", tmp_path / "add.mlir", *target, "--ptxas", "ptxas")
        assert done.returncode == 2 and "--ptxas: expected the target cuda or simt, got" in done.stderr, done.stderr


def test_no_counters(heddle, tmp_path):
    (tmp_path / "add.mlir").write_text(ADD)
    done = heddle("explain", tmp_path / "add.mlir", "--random", 1, "--shape", "arg0=32x64", "--shape", "arg1=32x64")
    assert done.returncode == 1 and "counters of a run with these inputs: driver 'cpu' counts nothing; simt does" in done.stderr
