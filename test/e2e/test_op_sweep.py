# SPDX-License-Identifier: Apache-2.0
"""Every op at every element type, static and dynamic, compiled against the evaluator; docs/coverage.md says the same."""
import os

import pytest

import op_sweep
from op_rows import MISSING, ROWS

pytestmark = pytest.mark.usefixtures("compiler")
OPS = sorted({row.op for row in ROWS})


@pytest.mark.parametrize("op", OPS)
def test_op(op):
    done = op_sweep.sweep([row for row in ROWS if row.op == op])
    wrong = {form.name: text for form, text in done.items() if text}
    if op in MISSING:
        # What has no compiled path is an error that names the op and its place, never another result.
        silent = {name: text for name, text in wrong.items() if not text.startswith("cpu: program:")}
        assert not silent, silent
        assert wrong, f"'{op}' compiles: take it from the list of missing ones"
    else:
        assert not wrong, f"{len(wrong)} of {len(done)} forms: " + "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


def test_page(root):
    """It says what test_op demands: every form agrees, but for the ops of MISSING, which are run."""
    outcomes = {form: None for row in ROWS for group in op_sweep.forms_of(row) for form in group}
    outcomes.update(op_sweep.sweep([row for row in ROWS if row.op in MISSING]))
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as page:
        assert page.read() == op_sweep.table(outcomes), "docs/coverage.md is not what the sweep writes: run `make docs`"
