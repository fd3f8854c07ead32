# SPDX-License-Identifier: Apache-2.0
"""Versions of a fusion that the host chooses by the sizes of a run: with and without broadcasts."""
import os
import re
import subprocess

import numpy as np
import pytest
from error_model import assert_within, sums

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

PROGRAM = b"""
func.func public @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.abs %0 : tensor<?x?xf32>
  %2 = chlo.broadcast_multiply %1, %c : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
}"""

SHAPES = [((5, 33), (5, 33), (33,)), ((5, 33), (1, 33), (33,)), ((1, 33), (5, 1), (33,)), ((5, 33), (5, 33), (1,)),
          ((5, 1), (5, 1), (33,)), ((1, 1), (5, 33), (1,)), ((0, 33), (1, 33), (33,)), ((5, 0), (5, 1), (0,))]


@pytest.fixture(scope="module")
def program():
    return Runtime(threads=2).load(compile_program(PROGRAM))


@pytest.mark.parametrize("a, b, c", SHAPES, ids=str)
def test_broadcasts(a, b, c, program):
    rng = np.random.default_rng(3)
    x, y, z = (rng.standard_normal(s).astype(np.float32) for s in (a, b, c))
    got, total = program(x, y, z)
    want = np.abs(x + y) * z
    np.testing.assert_array_equal(got, want)
    wide = want.astype(np.float64)
    assert_within(total, wide.sum(axis=1), sums(want.shape[1]), np.abs(wide).sum(axis=1))


def test_versions_are_kernels(heddle, build, tmp_path):
    """A version is a kernel by itself, one of the jobs that threads take when they compile: their number changes no byte."""
    (tmp_path / "p.mlir").write_bytes(PROGRAM)
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "--disc-pipeline=target=cpu", tmp_path / "p.mlir"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    chosen = re.search(r"scf\.if .*?hd\.launch @(\w+).*?\} else \{.*?hd\.launch @(\w+)", done.stdout, re.S)
    assert chosen and chosen.group(1) != chosen.group(2)
    artifacts = []
    for threads in (1, 2, 4):
        heddle("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.hdl", "--threads", threads, "--no-cache", check=True)
        artifacts.append((tmp_path / "p.hdl").read_bytes())
    assert artifacts[0] == artifacts[1] == artifacts[2]
    assert all(name.encode() in artifacts[0] for name in chosen.groups())
