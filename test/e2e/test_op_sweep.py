# SPDX-License-Identifier: Apache-2.0
"""Every op at every element type, static and dynamic, compiled against the evaluator; docs/coverage.md says the same. And what the
comparison is worth: each form's result is changed (zeros, elements moved by one place, the other sign), which it has to see."""
import os
import re

import pytest

import op_sweep
from op_rows import MISSING, ROWS

pytestmark = pytest.mark.usefixtures("compiler")
OPS = sorted({row.op for row in ROWS})
# Changes of a result that leave it as it is, since what the op gives is so: forms, changes, why.
UNSEEN = [
    (r"(partition_id|replica_id|imag|rng_uniform\[i1)\b.*", "zeroed shifted flipped", "zero"),
    (r"chlo.constant_like.*", "shifted", "one number"),
    (r"chlo.is_(inf|pos_inf|neg_inf)\[.*", "zeroed shifted", "types without infinities"),
    (r"is_finite\[f[468].*", "shifted", "types without infinities or NaN"),
    (r".*\[f8E8M0FNU, .*", "shifted", "one number more is twice as much"),
    (r"(negate|chlo.lgamma|chlo.digamma)\[f8E8M0FNU, .*", "zeroed shifted flipped", "a type without sign and zero"),
    (r"convert_to_i1\[f8E8M0FNU.*", "shifted", "a type without zero"),
    (r"chlo.(bessel_i1e|lgamma)\[f4E2M1FN.*", "zeroed shifted flipped", "less than the smallest number"),
    (r"batch_norm_training\[f4E2M1FN.*", "zeroed shifted", "less than the smallest number"),
    (r"(chlo.top_k|reduce_(maximum|minimum)_column)\[u?i2.*", "shifted", "the ends of four numbers"),
    (r"reduce_and_all\[i1.*", "zeroed", "false where one of all is"),
    (r"reduce_add_all\[ui2.*", "flipped", "2 is -2"),
]


def check_wrong(op, done):
    wrong = {form.name: text for form, text in done.outcomes.items() if text}
    if op in MISSING:
        # What has no compiled path is an error that names the op and its place, never another result.
        silent = {name: text for name, text in wrong.items() if not text.startswith("cpu: program:")}
        assert not silent, silent
        assert wrong, f"'{op}' compiles: take it from the list of missing ones"
    else:
        assert not wrong, f"{len(wrong)} of {len(done.outcomes)} forms: " + "\n".join(f"{n}: {t}" for n, t in list(wrong.items())[:20])


def is_so(name, change): return any(re.fullmatch(forms, name) and change.split()[-1] in changes.split() for forms, changes, _ in UNSEEN)


@pytest.mark.parametrize("op", OPS)
def test_op(op):
    done = op_sweep.sweep([row for row in ROWS if row.op == op])
    check_wrong(op, done)
    unseen = {form.name: changes for form, changes in done.unseen.items() if not all(is_so(form.name, change) for change in changes)}
    assert not unseen, f"{len(unseen)} of {len(done.unseen)} forms: " + "\n".join(f"{n}: {c}" for n, c in list(unseen.items())[:20])


def test_page(root):
    """It says what test_op demands: every form agrees, but for the ops of MISSING, which are run."""
    outcomes = {form: None for row in ROWS for group in op_sweep.forms_of(row) for form in group}
    outcomes.update(op_sweep.sweep([row for row in ROWS if row.op in MISSING]).outcomes)
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as page:
        assert page.read() == op_sweep.table(outcomes), "docs/coverage.md is not what the sweep writes: run `make docs`"
