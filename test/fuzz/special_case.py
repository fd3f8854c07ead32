# SPDX-License-Identifier: Apache-2.0
"""What the programs of special_values.py have in common: a case, its kind, and values at the edges of their types."""
import numpy as np

import error_model
from random_programs import FLOATS, dtype, int_range, is_complex, is_int, part

KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


class Case:
    """|text| with a @main of |inputs|.
    |expected|: arrays, where there is an oracle beside the evaluator. |room|: how far from them each element may be, 0.
    |bound|: of the code against the evaluator; with terms, |wide| is the same text on f64, which gives exact sums and their magnitudes.
    |refused|: what the error says where the program must not verify. |excess|: compiled with excess precision."""

    def __init__(self, text, inputs, expected=None, room=0.0, bound=error_model.EXACT, wide=None, refused=None, excess=False):
        self.text, self.inputs, self.expected, self.room, self.bound, self.wide, self.refused, self.excess = text, inputs, expected, room, bound, wide, refused, excess


def shape_text(dims, element, dynamic=False): return "tensor<" + "".join(f"{'?' if dynamic else d}x" for d in dims) + element + ">"


def numbers(r, t, dims, special=True, huge=True):
    """Random elements of |t|, a third of them special: infinities, NaN, zeros, ends, ties; without |huge| none whose sum
    overflows in one order and not in another."""
    count = int(np.prod(dims))
    if is_complex(t):
        out = np.empty(dims, dtype(t))
        out.real, out.imag = numbers(r, part(t), dims, special, huge), numbers(r, part(t), dims, special, huge)
        return out
    if is_int(t):
        low, high = int_range(t)
        ends = [low, high, 0, 1, low + 1, high - 1, high // 2]
        out = np.array([r.choice(ends) if special and r.random() < 0.3 else r.randint(max(low, -50), min(high, 50)) for _ in range(count)],
                       dtype=object).astype(np.uint64 if t == "ui64" else np.int64).reshape(dims)
        return out.astype(np.int8).view(dtype(t)) if t in ("i2", "i4") else out.astype(dtype(t))  # extended, as programs store them
    largest = FLOATS[t][1]
    ends = [np.inf, -np.inf, np.nan, 0.0, -0.0, largest, -largest, 2.0 ** FLOATS[t][2], 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, 3e9, -3e9, 2.0 ** 63, 1e-3]
    if not huge: ends = [x for x in ends if not 100 < abs(x) < np.inf]
    with np.errstate(all="ignore"):
        return np.array([r.choice(ends) if special and r.random() < 0.4 else r.uniform(-6, 6) for _ in range(count)]).reshape(dims).astype(dtype(t))
