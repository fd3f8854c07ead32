# SPDX-License-Identifier: Apache-2.0
"""Programs of one op whose element types and sizes are drawn at random, allowed or not: reductions, windows, scatters, products,
collectives, sorts, maps, loops and moves of elements (mixed_ops.py).

What may meet is said there once more, from the StableHLO specification (is_promotable, and equal types elsewhere). What is allowed
has to compile and to give what the evaluator gives, to the bit, since all values are small whole numbers; the only exceptions
are LIMITS. What is not allowed has to be refused by compiler and evaluator, at the line of the op and by its name. Sizes are 0,
1, primes and powers, some unknown; one program in ten has a dim of up to 2**62 and is only compiled. Runs check the bounds of
every buffer (Runtime(check_bounds=True))."""
import re
import sys

import campaign  # first: it adds the folders of the others
import numpy as np

import libheddle
from campaign import Find
from heddle import HeddleError
from heddle.runtime import Runtime, compile_program
from mixed_ops import case
from random_programs import dtype, int_range, is_float

# What docs/design.md ('Limits') says is refused though it is allowed: the message, and whether a program may meet it.
LIMITS = [
    (r"(argument|result) #\d+ has more than (2\^56 bytes|2\^63 elements, dims of 0 left out)(: [\dx]+)?", lambda c: not c.run),
]


def inputs_of(c, seed):
    rng, out = np.random.default_rng(seed), []
    for k, (t, dims) in enumerate(c.args):
        if k in c.index_max:
            low, high = int_range(t)
            x = rng.integers(max(low, -2), min(high, c.index_max[k] + 2), dims, endpoint=True)
        elif t == "i1" or t[0] == "u": x = rng.integers(0, 1, dims, endpoint=True)
        else: x = rng.integers(-1, 1, dims, endpoint=True)
        out.append(np.asarray(x).astype(np.float64).astype(dtype(t)) if is_float(t) else np.asarray(x).astype(dtype(t)))
    return out


def located(text):
    """(line, op, message) of the first error, which all errors have; None where it has no place or names no op."""
    found = re.match(r"program\.mlir:(\d+):\d+: error: '([\w.-]+)' op (.*)", text)
    return (int(found[1]), found[2], found[3]) if found else None


def check_refusal(c, text, who):
    """Refused at the line of the op, by its name."""
    at = located(text)
    if not at or at[1] != c.name or f'"{c.name}"' not in c.lines[at[0] - 1] and f"{c.name} " not in c.lines[at[0] - 1] and f"{c.name}(" not in c.lines[at[0] - 1]:
        raise Find(f"{who} refuses it, but not at '{c.name}': {text}")


def is_limit(c, text):
    at = located(text)
    return bool(at) and any(re.fullmatch(message, at[2]) and may(c) for message, may in LIMITS)


def compiled(c):
    """(artifact, None) or (None, message)."""
    try: return compile_program(c.text.encode(), "program.mlir", threads=1), None
    except HeddleError as error: return None, str(error)


def evaluated(c, inputs):
    try: return libheddle.evaluate(c.text.encode(), inputs), None
    except libheddle.EvalError as error: return None, str(error)


def judge_refused(c, inputs):
    """What is not allowed."""
    artifact, error = compiled(c)
    if artifact: raise Find("is taken by the compiler, though its types do not meet")
    check_refusal(c, error, "the compiler")
    if c.run:
        results, refused = evaluated(c, inputs)
        if results is not None: raise Find("is taken by the evaluator, though its types do not meet")
        check_refusal(c, refused, "the evaluator")
    return "refused"


def judge_at_run(c, inputs):
    """What only the sizes of a run make wrong: compiled, and an error of both then."""
    artifact, error = compiled(c)
    results, refused = evaluated(c, inputs)
    if not artifact: raise Find(f"does not compile: {error}")
    if results is not None: raise Find("is taken by the evaluator, though a size of the run is wrong")
    if not re.search(c.at_run, refused): raise Find(f"the evaluator refuses it otherwise than by '{c.at_run}': {refused}")
    try: runtime().load(artifact)(*inputs)
    except HeddleError as error:
        if not re.search(c.at_run, str(error)): raise Find(f"fails otherwise than by '{c.at_run}': {error}") from error
        return "refused"
    raise Find("runs, though a size of the run is wrong")


def judge(seed, o):
    c = case(seed)
    inputs = inputs_of(c, seed) if c.run else None
    if c.at_run: return judge_at_run(c, inputs)
    if not c.allowed: return judge_refused(c, inputs)
    artifact, error = compiled(c)
    if error: return "limit " + error.split("\n")[0].split("error: ")[1] if is_limit(c, error) else fail(f"does not compile: {error}")
    if not c.run: return "huge"
    want, refused = evaluated(c, inputs)
    if refused: raise Find(f"the evaluator refuses it: {refused}")
    try: got = runtime().load(artifact)(*inputs)
    except HeddleError as e: raise Find(f"does not run: {e}") from e
    for k, (g, w) in enumerate(zip(got, want, strict=True)):
        if g.shape != w.shape or g.dtype != w.dtype: raise Find(f"result {k}: {g.dtype}{list(g.shape)}, expected {w.dtype}{list(w.shape)}")
        bad = ~((g == w) | (g != g) & (w != w)) if g.size else np.zeros(0, bool)
        if np.any(bad): raise Find(f"result {k}: {int(bad.sum())} of {g.size} elements differ: {g[bad][:4].tolist()}, expected {w[bad][:4].tolist()}")
    return "ok"


def fail(text): raise Find(text)


_runtime = None


def runtime():
    global _runtime
    if not _runtime: _runtime = Runtime(threads=2, check_bounds=True)
    return _runtime


def show(seed, o):
    c = case(seed)
    return c.text + f"// {'allowed' if c.allowed else 'not allowed'}\n"


if __name__ == "__main__": sys.exit(campaign.main(campaign.Generator(__doc__, judge, show, must=("ok", "refused", "huge"))))
