# SPDX-License-Identifier: Apache-2.0
"""Every op row of MLIR's own dialects: what Heddle prints, mlir-opt accepts and prints back the same, with locations and through
bytecode. The programs are the lit tests that both read; a row that none of them uses fails the test."""
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


def flags(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as handle:
        return ["--allow-unregistered-dialect"] * ("--allow-unregistered-dialect" in handle.read())


def run(program, data, *options):
    done = subprocess.run([program, "-", *options], input=data, capture_output=True)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


FORMS = [["--mlir-print-debuginfo"], ["--mlir-print-debuginfo", "--mlir-print-op-generic"]]


@pytest.mark.parametrize("path", list(programs()))
def test_prints_what_mlir_prints(build, root, path):
    text = output(os.path.join(build, "bin", "heddle-opt"), os.path.join(root, path), *flags(path))
    again = output(MLIR_OPT, "-", *flags(path), input=text)
    assert again.strip() == text.strip()


@pytest.mark.parametrize("path", list(programs()))
def test_reads_and_writes_the_bytecode_that_mlir_does(build, root, path):
    """Text or bytecode of either program, read by either: one text in each form."""
    opt = os.path.join(build, "bin", "heddle-opt")
    with open(os.path.join(root, path), "rb") as handle: source = handle.read()
    theirs, ours = run(MLIR_OPT, source, "--emit-bytecode", *flags(path)), run(opt, source, "--emit-bytecode=plain", *flags(path))
    for form in FORMS:
        form = form + flags(path)
        wanted = run(MLIR_OPT, source, *form)
        assert run(opt, source, *form).decode() == wanted.decode()
        assert run(opt, theirs, *form).decode() == wanted.decode()
        assert run(opt, ours, *form).decode() == wanted.decode()
        assert run(MLIR_OPT, ours, *form).decode() == wanted.decode()


def test_every_row_is_used(build, root):
    used = set()
    for path in programs():
        used |= set(re.findall(r'"([\w.]+)"\(', output(os.path.join(build, "bin", "heddle-opt"), os.path.join(root, path), "--mlir-print-op-generic", *flags(path))))
    missing = rows() - used
    assert len(rows()) > 500 and not missing, sorted(missing)
