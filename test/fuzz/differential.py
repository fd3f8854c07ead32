# SPDX-License-Identifier: Apache-2.0
"""Differential fuzzer: random StableHLO programs, the reference evaluator against compiled code.

Every program is compiled once and run at two sets of shapes. Beyond what roundings allow, any difference is a find, and so is a
program that one side refuses but for the limits listed here: the generator makes valid programs only. A find is made small first."""
import os
import re
import sys

import campaign  # first: it adds the folders of the others
import numpy as np

import libheddle
from campaign import Find
from heddle import HeddleError
from heddle.runtime import Runtime, compile_program
import random_control  # noqa: F401  each adds its ops
import random_numeric  # noqa: F401
import random_ops  # noqa: F401
import random_reductions  # noqa: F401
import random_regions  # noqa: F401
import random_windows  # noqa: F401
from random_programs import SCALES, Program, Value, is_complex, is_float, random_program

# Refusals that docs/design.md states ('Limits'): the message after the op.
LIMITS = []


class Difference(Exception):
    """The two sides disagree; |kind| tells failures apart while a program is made smaller."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Unsupported(Exception):
    """The compiler refuses the program, at an op, for one of LIMITS."""


class Invalid(Exception):
    """The evaluator refuses the program: the generator's fault, or an invalid cut."""


def is_limit(text):
    found = re.search(r":\d+:\d+: error: '[\w.-]+' op (.*)", text)
    return bool(found) and any(re.fullmatch(limit, found[1]) for limit in LIMITS)


def compare(result, got, want, where):
    if got.shape != want.shape: raise Difference("shape", f"{where}: shape {got.shape}, expected {want.shape}")
    if got.dtype != want.dtype: raise Difference("type", f"{where}: type {got.dtype}, expected {want.dtype}")
    if not got.size: return
    if not is_float(result.t) and not is_complex(result.t) and result.t not in SCALES: bad = got != want
    else:
        wide = np.complex128 if is_complex(result.t) else np.float64
        g, w = got.astype(wide), want.astype(wide)
        with np.errstate(all="ignore"):
            same = (g == w) | (np.isnan(g) & np.isnan(w))
            near = np.isfinite(g) & np.isfinite(w) & (np.abs(g - w) <= 4 * result.error)
        if is_complex(result.t): same |= ~np.isfinite(w)
        bad = ~(same | near)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Difference("value", f"{where}: {int(bad.sum())} of {got.size} elements differ, first at {list(at)}: {got[at]}, expected {want[at]}"
                                  + (f", allowed difference {4 * result.error:g}" if result.error else ""))


def judge(program):
    """Difference when evaluator and compiled code disagree, Unsupported when it does not compile for a stated reason."""
    text = program.text().encode()
    expected = []
    for inputs in program.inputs:
        try: expected.append(libheddle.evaluate(text, inputs))
        except libheddle.EvalError as error: raise Invalid(str(error)) from error
    try: artifact = compile_program(text, "program.mlir", threads=1)
    except HeddleError as error:
        if not is_limit(str(error)): raise Difference("compile", f"does not compile: {error}") from error
        raise Unsupported(str(error)) from error
    try: executable = runtime().load(artifact)
    except HeddleError as error: raise Difference("load", f"does not load: {error}") from error
    for k, inputs in enumerate(program.inputs):
        try: got = executable(*[np.asarray(x, order="C") for x in inputs])
        except HeddleError as error: raise Difference("run", f"run {k} fails: {error}") from error
        for i, (g, w) in enumerate(zip(got, expected[k])): compare(program.results[i], g, w, f"run {k}, result {i}")


def judge_levels(program):
    """The same for every pass: the evaluator runs what each one leaves."""
    text = program.text().encode()
    for k, inputs in enumerate(program.inputs):
        try: libheddle.evaluate(text, inputs)
        except libheddle.EvalError as error: raise Invalid(str(error)) from error
        try: stages = libheddle.bisect(text, inputs, tolerance=1e-3)
        except libheddle.EvalError as error:
            if not is_limit(str(error)): raise Difference("compile", f"does not compile: {error}") from error
            raise Unsupported(str(error)) from error
        last = stages[-1]
        if last["equal"]: continue
        result = program.results[last["output"]] if "output" in last else None
        if result and "got" in last:
            got, want = float(last["got"]), float(last["expected"])
            if abs(got - want) <= 8 * result.error: continue
        text_of = ", ".join(f"{name} {last[name]}" for name in ("error", "output", "element", "got", "expected") if name in last)
        if last.get("failed") and is_limit(last["error"]): raise Unsupported(last["error"])
        raise Difference("level " + last["pass"], f"run {k}: after {last['pass']}: {text_of}")


_runtime = None


def runtime():
    global _runtime
    if not _runtime: _runtime = Runtime(threads=2, check_bounds=True)
    return _runtime


def judge_apart(program, levels=False):
    """The same in a process of its own, so that a crash is a difference too."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        text = ""
        try: (judge_levels if levels else judge)(program)
        except Difference as d: text = f"{d.kind} {d}"
        except Unsupported as e: text = f"Unsupported {e}"
        except Invalid as e: text = f"Invalid {e}"
        os.write(write, text[:4000].encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer: kind, _, text = answer.read().decode(errors="replace").partition(" ")
    code = os.waitpid(child, 0)[1]
    if code: raise Difference("crash", f"the process ends by signal {os.WTERMSIG(code)}")
    if kind == "Unsupported": raise Unsupported(text)
    if kind == "Invalid": raise Invalid(text)
    if kind: raise Difference(kind, text)


# ---- making a failing program small ----

def with_results(program, results):
    out = Program()
    out.args, out.statements, out.functions, out.inputs, out.results = program.args, program.statements, program.functions, program.inputs, results
    return out.without_dead()


def cut(program, index):
    """The program with the results of one statement as arguments, their values from the evaluator."""
    statement = program.statements[index]
    results = [r for r in statement.results if isinstance(r, Value)]
    if len(results) != len(statement.results) or statement.op in ("constant",): return None
    values = []
    for inputs in program.inputs:
        head = with_results(program, results)
        names = {a.name for a in head.args}
        kept = [x for a, x in zip(program.args, inputs) if a.name in names]
        try: values.append(libheddle.evaluate(head.text().encode(), kept))
        except libheddle.EvalError: return None
    out = Program()
    renamed = {r.name: f"%c{index}_{k}" for k, r in enumerate(results)}
    out.args = program.args + [Value(renamed[r.name], r.t, r.dims, r.most, 0.0, None) for r in results]
    out.inputs = [list(a) + list(v) for a, v in zip(program.inputs, values)]
    out.functions = program.functions
    pattern = re.compile("|".join(re.escape(n) + r"(?![\w#])" for n in renamed))
    for i, s in enumerate(program.statements):
        if i == index: continue
        uses = {renamed.get(u, u) for u in s.uses}
        text = pattern.sub(lambda m: renamed[m.group(0)], s.text) if s.uses & set(renamed) else s.text
        out.statements.append(type(s)(text, uses, s.results, s.op))
    out.results = [r if r.name not in renamed else out.args[-1] for r in program.results]
    return out.without_dead()


def fails_like(program, kind, test):
    try: test(program)
    except Difference as d: return d if d.kind == kind else None
    except (Unsupported, Invalid): return None
    return None


def reduce(program, difference, test, seconds=40):
    """A smaller program that fails in the same way, and its difference."""
    until = time.monotonic() + seconds

    def better(candidate):
        nonlocal program, difference
        if candidate is None or time.monotonic() > until: return False
        found = fails_like(candidate, difference.kind, test)
        if found: program, difference = candidate, found
        return bool(found)

    for r in list(program.results):
        if len(program.results) > 1 and better(with_results(program, [r])): break
    if len(program.inputs) > 1:
        for k in range(len(program.inputs)):
            one = with_results(program, program.results)
            one.inputs = [one.inputs[k]]
            if better(one): break
    shrunk = True
    while shrunk and time.monotonic() < until:
        shrunk = False
        for s in reversed(program.statements):  # an earlier value as the result
            values = [r for r in s.results if isinstance(r, Value)]
            if values and values[0] not in program.results and better(with_results(program, values[:1])):
                shrunk = True
                break
        size = len(program.statements)
        for index in range(size - 1, -1, -1):
            if index < len(program.statements) and better(cut(program, index)): shrunk = True
    return program, difference


def show_small(program, difference, seed):
    lines = [f"// seed {seed}: {difference.kind}: " + str(difference).replace("\n", "\n// ")]
    for k, inputs in enumerate(program.inputs):
        for a, x in zip(program.args, inputs):
            lines.append(f"// run {k}: {a.name} {list(x.shape)}" + (f" = {x.tolist()}" if x.size <= 24 else ""))
    return "\n".join(lines) + "\n" + program.text()


def keep_inputs(folder, seed, program):
    os.makedirs(folder, exist_ok=True)
    for k, inputs in enumerate(program.inputs):
        np.savez(os.path.join(folder, f"seed{seed}.{k}.npz"), **{f"arg{i}": x.view(np.dtype(f"V{x.dtype.itemsize}")) if x.dtype.kind == "V" else x
                                                                for i, x in enumerate(inputs)})


# ---- runs ----

def program_of(seed, o): return random_program(seed, ops=o.ops, types=o.types.split(",") if o.types else None)


def run(seed, o):
    program = program_of(seed, o)
    test = (lambda p: judge_apart(p, o.levels)) if o.apart else judge_levels if o.levels else judge
    try: test(program)
    except Unsupported as error: return "limit " + re.sub(r"\s+", " ", str(error))[:300]
    except Invalid as error: raise Find(f"the evaluator refuses it: {error}") from error
    except Difference as difference:
        first = str(difference)
        program, difference = reduce(program, difference, test)
        keep_inputs(o.keep, seed, program)
        raise Find(f"{first}\n{show_small(program, difference, seed)}") from difference
    return "ok"


def arguments(p):
    p.add_argument("--ops", type=int, default=0, help="ops per program (1 to 40 at random)")
    p.add_argument("--types", help="element types, comma-separated (at random)")
    p.add_argument("--levels", action="store_true", help="compare what every pass leaves, by the evaluator, too")
    p.add_argument("--apart", action="store_true", help="with --one: in a process of its own, so that a crash can be made small")


if __name__ == "__main__":
    sys.exit(campaign.main(campaign.Generator(__doc__, run, lambda seed, o: program_of(seed, o).text(), arguments=arguments, limit=240, after_crash=["--apart"])))
