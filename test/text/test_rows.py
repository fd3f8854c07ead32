# SPDX-License-Identifier: Apache-2.0
"""Every op row of MLIR's own dialects: what Heddle prints, mlir-opt accepts and prints back the same. The programs are the
lit tests that both read; a row that none of them uses fails the test."""
import glob
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"
DIALECTS = "builtin func arith math complex tensor shape scf cf memref vector affine gpu llvm nvvm".split()


def programs():
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "text", "*.mlir")) + glob.glob(os.path.join(ROOT, "src", "ir", "ops", "*.mlir"))):
        with open(path, encoding="utf-8") as handle:
            if re.search(r"RUN:.* mlir-opt |RUN: mlir-opt ", handle.read().replace("heddle-opt", "")): yield os.path.relpath(path, ROOT)


def rows():
    names = set()
    for path in glob.glob(os.path.join(ROOT, "src", "ir", "ops", "*.def")):
        with open(path, encoding="utf-8") as handle: names |= set(re.findall(r'^OP\(\w+, +"([\w.]+)"', handle.read(), re.M))
    return {name for name in names if name.split(".")[0] in DIALECTS}


def output(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", list(programs()))
def test_prints_what_mlir_prints(build, root, path):
    text = output(os.path.join(build, "bin", "heddle-opt"), os.path.join(root, path))
    again = output(MLIR_OPT, "-", input=text)
    assert again.strip() == text.strip()


def test_every_row_is_used(build, root):
    used = set()
    for path in programs():
        used |= set(re.findall(r'"([\w.]+)"\(', output(os.path.join(build, "bin", "heddle-opt"), os.path.join(root, path), "--mlir-print-op-generic")))
    missing = rows() - used
    assert len(rows()) > 500 and not missing, sorted(missing)
