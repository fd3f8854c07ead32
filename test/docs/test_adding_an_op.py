# SPDX-License-Identifier: Apache-2.0
"""docs/adding-an-op.patch, the worked example of adding-an-op.md, on a copy of the tree: it applies, builds, and its ops run."""
import os
import shutil
import subprocess
import sys

import pytest

JOBS = str(len(os.sched_getaffinity(0)))
# Both ops against numpy, at several sizes of one compiled program.
PROGRAM = """
import numpy as np
from heddle.runtime import Runtime, compile_program
run = Runtime(threads=1).load(compile_program(b'''
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = mhlo.softsign %x : tensor<?x?xf32>
  %1 = mhlo.diagonal %0 : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}'''))
for shape in (3, 20), (33, 17), (5, 5), (0, 4):
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    got, diagonal = run(x)
    want = x.astype(np.float64) / (1 + np.abs(x.astype(np.float64)))
    np.testing.assert_allclose(got, want, rtol=2e-7)
    np.testing.assert_array_equal(diagonal, np.diagonal(got))
"""


@pytest.fixture(scope="module")
def copy(root, tmp_path_factory):
    if not os.environ.get("HEDDLE_LONG"): pytest.skip("builds Heddle anew: in make test-long")
    folder = str(tmp_path_factory.mktemp("adding_an_op") / "tree")
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"), symlinks=True)
    subprocess.run(["git", "apply", os.path.join(root, "docs", "adding-an-op.patch")], cwd=folder, check=True)
    subprocess.run(["tools/configure.sh", "release", "build"], cwd=folder, check=True)
    return folder


def test_applies(root):
    """The tree has not moved on from under it: in every run of the tests."""
    if not os.path.exists(os.path.join(root, ".git")): pytest.skip("no git checkout")
    subprocess.run(["git", "apply", "--check", os.path.join("docs", "adding-an-op.patch")], cwd=root, check=True)


def build(folder, *targets):
    command = ["cmake", "--build", "build", "-j", JOBS] + (["--target", *targets] if targets else [])
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def python(folder, *arguments):
    env = dict(os.environ, HEDDLE_BUILD=os.path.join(folder, "build"), PYTHONPATH=os.path.join(folder, "front", "python"))
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)


def test_ops_run(copy):
    done = build(copy)
    assert done.returncode == 0, done.stdout[-4000:]
    done = python(copy, "-c", PROGRAM)
    assert done.returncode == 0, done.stderr[-4000:]
    for op in "mhlo.softsign", "mhlo.diagonal":
        done = python(copy, os.path.join("test", "e2e", "op_sweep.py"), "--only", op)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        assert not done.stdout.startswith("0 of"), done.stdout


@pytest.mark.parametrize("table, row, op, target", [
    ("src/codegen/lower.def", "LOWER(mhlo_softsign, CHEAP, FLOAT(EMIT(softsign)))", "mhlo_softsign", "heddle_codegen"),
    ("src/passes/graph/spmd/spmd_rules.def", "REPLICATED(mhlo_diagonal)", "mhlo_diagonal", "heddle_passes")])
def test_missing_row_does_not_compile(copy, table, row, op, target):
    path = os.path.join(copy, table)
    with open(path, encoding="utf-8") as file: text = file.read()
    assert text.count(row) == 1
    with open(path, "w", encoding="utf-8") as file: file.write(text.replace(row, ""))
    done = build(copy, target)
    with open(path, "w", encoding="utf-8") as file: file.write(text)
    assert done.returncode != 0 and f"ROW_{op}" in done.stdout, done.stdout[-2000:]
