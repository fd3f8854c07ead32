# SPDX-License-Identifier: Apache-2.0
"""Passes keep what programs compute. A lit test under src/passes says with which arguments a function of it is run,

    // EVAL: name arg0=2x3 arg1=3x4 ~1e-6

and the function is evaluated as written and after the passes of each heddle-opt RUN line of the file. Results are the same
bits, or differ by the stated fraction of the largest value; what `fails` as written fails after the passes too. Several EVAL
lines of a function are several shapes."""
import glob
import os
import re
import shlex
import subprocess

import numpy as np
import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
IGNORED = ("--split-input-file", "--verify-diagnostics", "--mlir-print-local-scope")


def cases():
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "passes", "**", "*.mlir"), recursive=True)):
        with open(path, encoding="utf-8") as handle: text = handle.read()
        if "// EVAL:" not in text: continue
        runs = [tuple(f for f in shlex.split(line)[1:] if f not in IGNORED and f != "%s")
                for line in re.findall(r"// RUN: (heddle-opt [^|\n]*)", text)]
        for part in re.split(r"^// -----.*$", text, flags=re.M):
            for line in re.findall(r"// EVAL: (.*)", part):
                for flags in dict.fromkeys(runs):
                    yield pytest.param(part, line.split(), flags, id=f"{os.path.basename(path)[:-5]} {line} [{' '.join(flags)}]")


def numbers(array):
    """bf16, which numpy has as two bytes without a meaning, as f32."""
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32) if array.dtype.kind == "V" else array


def evaluate(heddle, program, name, options, out, fails):
    done = heddle("eval", program, "--entry", name, "--random", 1, *options, "--outputs", out, check=not fails)
    if fails:
        assert done.returncode == 1, done.stdout
        return {}
    with np.load(out) as arrays: return {k: arrays[k] for k in arrays}


@pytest.mark.parametrize("part, words, flags", list(cases()))
def test_same_results(heddle, build, tmp_path, part, words, flags):
    name, options, tolerance, fails = words[0], [], 0.0, "fails" in words
    for word in words[1:]:
        if word.startswith("~"): tolerance = float(word[1:])
        elif word.startswith("--"): options.append(word)
        elif word != "fails": options += ["--shape", word]
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(part)
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), *flags, before], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    after.write_text(done.stdout)
    want = evaluate(heddle, before, name, options, tmp_path / "want.npz", fails)
    got = evaluate(heddle, after, name, options, tmp_path / "got.npz", fails)
    assert want.keys() == got.keys()
    for key, expected in want.items():
        assert got[key].shape == expected.shape and got[key].dtype == expected.dtype
        if tolerance == 0: assert got[key].tobytes() == expected.tobytes(), key
        else:
            a, b = numbers(got[key]), numbers(expected)
            np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1.0, float(np.abs(b).max(initial=0))))
