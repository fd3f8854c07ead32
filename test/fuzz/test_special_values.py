# SPDX-License-Identifier: Apache-2.0
"""Programs at the edges of numbers (special_values.py), fixed seeds of each kind."""
import pytest

import special_values
from campaign import Find
from special_case import KINDS


def judge(case):
    try: return special_values.judge_case(case)
    except Find as find: return str(find)


@pytest.mark.parametrize("kind", KINDS)
def test_special_values(kind, compiler):
    """Every program runs right, or is one that must be refused, and is."""
    cases = {seed: special_values.case_of(seed, [kind])[1] for seed in range(1, 81)}
    wrong = {seed: outcome for seed, case in cases.items() if (outcome := judge(case)) != ("refused" if case.refused else "ok")}
    assert not wrong, wrong
