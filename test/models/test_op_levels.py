# SPDX-License-Identifier: Apache-2.0
"""Every op of the sweep, static and dynamic, at some types: the evaluator runs what each pass of both pipelines leaves."""
import json
import os

import numpy as np
import pytest

import op_sweep
from op_rows import MISSING, ROWS

LONG = bool(os.environ.get("HEDDLE_LONG"))
TYPES = {"f32", "i32", "bf16", "i1", "complex<f32>", "ui8"} if LONG else {"f32", "i32"}
OPS = sorted({row.op for row in ROWS} - set(MISSING))
# Which of several updates of one element comes last is not said, and on a device it is another one.
UNORDERED = {"scatter_set"}


def forms_of(op):
    """Without HEDDLE_LONG known and unknown sizes have a type each, by turns where an op has several rows."""
    for number, row in enumerate(row for row in ROWS if row.op == op):
        types = [t for t in row.types if t in TYPES] or row.types[:1]
        for dynamic in (False, True):
            if dynamic and row.static_only: continue
            yield from (op_sweep.Form(row, t, dynamic) for t in (types if LONG else [types[(number + dynamic) % len(types)]]))


def save(path, arrays):
    """bf16 and the like as npz holds them: as bytes without a type."""
    def plain(x): return x if x.dtype.kind in "biufc" and x.dtype.isbuiltin else x.view(f"V{x.dtype.itemsize}")
    np.savez(path, **{f"arg{i}": plain(x) for i, x in enumerate(arrays)})


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("op", OPS)
def test_op(op, target, heddle, compiler, tmp_path):
    forms = [form for form in forms_of(op) if not (target == "cuda" and form.row.name in UNORDERED)]
    if not forms: return
    program, inputs = tmp_path / "program.mlir", tmp_path / "inputs.npz"
    program.write_text(op_sweep.program(forms))
    save(inputs, [x for form in forms for x in form.inputs()])
    done = heddle("bisect", program, "--inputs", inputs, "--target", target, "--json", "--tolerance", "1e-3")
    assert done.stdout, done.stderr
    stages = json.loads(done.stdout)["stages"]
    assert stages[-1]["equal"], (stages[-1], done.stderr)
