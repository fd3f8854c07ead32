# SPDX-License-Identifier: Apache-2.0
"""The row of heddle::recurrent (recurrent.py): what the input alone gives is one product for all steps, the rest a loop
that writes one step after the other into the result."""
import torch

from heddle.torch.rows import row
from heddle.torch.rows_reduce import wide


def lstm(b, x, h, state, hidden, bias):
    gates = x + h
    i, f, o = [b.slice(gates, 1, k * hidden, (k + 1) * hidden).logistic() for k in (0, 1, 3)]
    c = f * state[1] + i * b.slice(gates, 1, 2 * hidden, 3 * hidden).tanh()
    return [o * c.tanh(), c]


def gru(b, x, h, state, hidden, bias):
    part = lambda v, k: b.slice(v, 1, k * hidden, (k + 1) * hidden)  # noqa: E731
    r, z = [(part(x, k) + part(h, k)).logistic() for k in (0, 1)]
    n = (part(x, 2) + r * part(h, 2)).tanh()
    return [n + z * (state[0] - n)]


# The new state from the products of a step's input and of h with their weights, biases added.
CELLS = {"lstm": lstm, "gru": gru, "tanh": lambda b, x, h, *_: [(x + h).tanh()], "relu": lambda b, x, h, *_: [(x + h).maximum(0)]}


@row(torch.ops.heddle.recurrent.default)
def recurrent(b, out, x, state, weights, kind, reverse):
    dtype, compute = x.dtype, wide(x.dtype)
    length, batch = x.shape[:2]
    of_x, of_h, *rest = weights
    projection = rest.pop() if len(weights) % 2 else None
    hidden = of_h.shape[0] // {"lstm": 4, "gru": 3}.get(kind, 1)
    x = b.dot(x, of_x, ([], []), ([2], [1])).to(compute)
    if rest: x = x + rest[0].to(compute)

    def step(k, out, *state):
        if reverse: k = b.lift(length, "i32") - 1 - k
        h = b.dot(state[0].to(dtype), of_h, ([], []), ([1], [1])).to(compute)
        if rest: h = h + rest[1].to(compute)
        state = CELLS[kind](b, b.reshape(b.row_at(x, k), (batch, x.shape[2])), h, state, hidden, rest)
        if projection is not None: state[0] = b.dot(state[0].to(dtype), projection, ([], []), ([1], [1])).to(compute)
        return b.put_row(out, state[0].to(dtype), k), *state
    first = b.constant(0, dtype, (length, batch, state[0].shape[1]))
    results, *last = b.loop(length, [first, *[s.to(compute) for s in state]], step)
    return results, *[s.to(dtype) for s in last]
