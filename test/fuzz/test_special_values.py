# SPDX-License-Identifier: Apache-2.0
"""Programs at the edges of numbers (special_values.py), fixed seeds: evaluator, code and, for quantized types, the specification."""
import pytest

import special_values

KINDS = list(special_values.KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_special_values(kind, compiler):
    judged = {seed: special_values.judge(special_values.case_of(seed, [kind])[1]) for seed in range(1, 81)}
    wrong = {seed: text for seed, text in judged.items() if isinstance(text, str)}
    assert not wrong, wrong
    assert sum(text is None for text in judged.values()) > 50, judged
