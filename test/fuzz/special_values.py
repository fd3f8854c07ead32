# SPDX-License-Identifier: Apache-2.0
"""Small random programs at the edges of numbers: the evaluator against compiled code, bit for bit but for sums and complex
functions, and quantized values against the specification's formulas in numpy.

A program is one op with what it needs, all of its parameters random: quantized types (storage, bounds, scales, zero points,
axes), indices out of range, windows of no element, infinite weights, computed NaNs. Values are the special ones of their
types among random ones. Every program has to compile and to run, but for those that the verifier must refuse: both sides do, by the
message that names what is wrong. Products and sums are not fused and bf16 is rounded at each op (Numerics), as the evaluator does, but where a case
asks for excess precision; sums and complex
functions are as near as docs/numerics.md says (support/error_model.py)."""
import random
import re
import sys

import campaign  # first: it adds the folders of the others
import numpy as np

import error_model
import libheddle
import special_ops  # noqa: F401  each adds its kinds
import special_quantized  # noqa: F401
import special_sums  # noqa: F401
from campaign import Find
from heddle import HeddleError
from heddle.runtime import Numerics, Runtime, compile_program
from special_case import KINDS


def unlike(got, want):
    """Which elements differ: floats by value, sign of zero included, NaN like NaN; all else by bits."""
    if got.dtype.kind == "c": return unlike(got.real, want.real) | unlike(got.imag, want.imag)
    if got.dtype.kind in "biu" or "int" in got.dtype.name: return error_model.outside(got, want, error_model.EXACT)
    with np.errstate(all="ignore"): g, w = got.astype(np.float64), want.astype(np.float64)
    return ~((np.isnan(g) & np.isnan(w)) | (g == w) & (np.signbit(g) == np.signbit(w)))


def expect(who, k, got, want, bad):
    if not np.any(bad): return
    at = tuple(np.argwhere(bad)[0])
    raise Find(f"{who}: result {k}, {int(np.sum(bad))} of {got.size} elements differ, first at {list(map(int, at))}: {got[at]!r}, expected {want[at]!r}")


def wider(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def check_code(case, k, got, want, exact):
    """|exact|: (sums, magnitudes) in f64, or None."""
    if case.bound == error_model.EXACT: return expect("code", k, got, want, unlike(got, want))
    bad = unlike(got, want) & error_model.outside(got, *((wider(want), case.bound) if not exact else (exact[0], case.bound, exact[1].real)))
    return expect("code", k, got, want, bad)


def check_oracle(case, k, got, want):
    oracle = np.asarray(case.expected[k], got.dtype)
    for who, x in (("evaluator", want), ("code", got)):
        with np.errstate(all="ignore"): near = np.abs(x.astype(np.float64) - oracle.astype(np.float64)) <= case.room if np.any(case.room) else False
        expect(f"{who} against the specification", k, x, oracle, unlike(x, oracle) & ~near)


_runtime = None


def judge_case(case):
    global _runtime
    if not _runtime: _runtime = Runtime(threads=2, check_bounds=True)
    text = case.text.encode()
    try: want, refused = libheddle.evaluate(text, case.inputs, excess_precision=case.excess), None
    except libheddle.EvalError as error: want, refused = None, str(error)
    try: artifact, error = compile_program(text, "program.mlir", threads=1, numerics=Numerics(no_contract=True, no_excess_precision=not case.excess)), None
    except HeddleError as e: artifact, error = None, str(e)
    if case.refused:
        for who, message in (("the evaluator", refused), ("the compiler", error)):
            if not message: raise Find(f"{who} takes it, though the specification does not allow it")
            if not re.match(r"program\.mlir:\d+:\d+: error: " + case.refused, message): raise Find(f"{who} refuses it otherwise than by '{case.refused}': {message}")
        return "refused"
    if refused: raise Find(f"the evaluator refuses it: {refused}")
    if error: raise Find(f"does not compile: {error}")
    try: got = _runtime.load(artifact)(*[np.asarray(x, order="C") for x in case.inputs])
    except HeddleError as e: raise Find(f"does not run: {e}") from e
    exact = magnitudes = None
    if case.wide:
        wide = [wider(x) for x in case.inputs]
        exact, magnitudes = (libheddle.evaluate(case.wide.encode(), x) for x in (wide, [np.abs(x).astype(x.dtype) for x in wide]))
    for k, (g, w) in enumerate(zip(got, want, strict=True)):
        if g.shape != w.shape or g.dtype != w.dtype: raise Find(f"result {k}: {g.dtype}{g.shape}, expected {w.dtype}{w.shape}")
        if case.expected: check_oracle(case, k, g, w)
        else: check_code(case, k, g, w, (exact[k], magnitudes[k]) if exact else None)
    return "ok"


def case_of(seed, kinds=None):
    """(kind, case) of a seed."""
    r = random.Random(seed)
    name = r.choice(kinds or list(KINDS))
    return name, KINDS[name](r)


def show(seed, o):
    name, case = case_of(seed, o.kind)
    return f"// {name}\n{case.text}" + "".join(f"// {x.tolist()}\n" for x in case.inputs)


def arguments(p): p.add_argument("--kind", action="append", choices=list(KINDS), help="programs of this kind only; may be repeated")


if __name__ == "__main__":
    sys.exit(campaign.main(campaign.Generator(__doc__, lambda seed, o: judge_case(case_of(seed, o.kind)[1]), show, arguments=arguments)))
