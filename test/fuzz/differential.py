# SPDX-License-Identifier: Apache-2.0
"""Differential fuzzer: random StableHLO programs, the reference evaluator against compiled code.

  differential.py --seconds 60 --seed 1        programs of the seeds 1, 2, 3, ... until the time is over
  differential.py --one 17                     the program of one seed, printed, run, and made small when it fails

Every program is compiled once and run at two sets of shapes. A difference beyond what roundings allow, a failure of one side
only and a crash are failures: the smallest program that still fails is printed (and kept under --keep DIR). Programs that
the compiler refuses, with an error at an op, are counted by reason. Exits 0 when at least one program ran and none failed."""
import argparse
import collections
import os
import re
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "eval"), os.path.join(HERE, "..", "..", "front", "python")]

import libheddle  # noqa: E402
from heddle import HeddleError  # noqa: E402
from heddle.runtime import Runtime, compile_program  # noqa: E402
import random_control  # noqa: E402, F401  each adds its ops
import random_numeric  # noqa: E402, F401
import random_ops  # noqa: E402, F401
import random_reductions  # noqa: E402, F401
import random_regions  # noqa: E402, F401
import random_windows  # noqa: E402, F401
from random_programs import SCALES, Program, Reject, Value, is_complex, is_float, random_program  # noqa: E402


class Difference(Exception):
    """The two sides disagree; |kind| tells failures apart while a program is made smaller."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Unsupported(Exception):
    """The compiler refuses the program, at an op, for a stated reason."""


# Refusals that are faults of the compiler: what a pass left does not verify, or a later one cannot take it.
BROKEN = re.compile("before it is defined|invalid after pass|has no value|internal|llvm|verif", re.IGNORECASE)


class Invalid(Exception):
    """The evaluator refuses the program: the generator's fault, or an invalid cut."""


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
        if BROKEN.search(str(error)): raise Difference("compile", f"does not compile: {error}") from error
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
        except libheddle.EvalError as error: raise Unsupported(str(error)) from error
        last = stages[-1]
        if last["equal"]: continue
        result = program.results[last["output"]] if "output" in last else None
        if result and "got" in last:
            got, want = float(last["got"]), float(last["expected"])
            if abs(got - want) <= 8 * result.error: continue
        text_of = ", ".join(f"{name} {last[name]}" for name in ("error", "output", "element", "got", "expected") if name in last)
        if last.get("failed") and not BROKEN.search(last["error"]): raise Unsupported(last["error"])
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


def show(program, difference, seed):
    lines = [f"// seed {seed}: {difference.kind}: " + str(difference).replace("\n", "\n// ")]
    for k, inputs in enumerate(program.inputs):
        for a, x in zip(program.args, inputs):
            lines.append(f"// run {k}: {a.name} {list(x.shape)}" + (f" = {x.tolist()}" if x.size <= 24 else ""))
    return "\n".join(lines) + "\n" + program.text()


def keep_case(folder, seed, program, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"seed{seed}.mlir"), "w", encoding="utf-8") as out: out.write(text)
    for k, inputs in enumerate(program.inputs):
        np.savez(os.path.join(folder, f"seed{seed}.{k}.npz"), **{f"arg{i}": x.view(np.dtype(f"V{x.dtype.itemsize}")) if x.dtype.kind == "V" else x
                                                                for i, x in enumerate(inputs)})


# ---- runs ----

def options_of(o): return dict(ops=o.ops, types=o.types.split(",") if o.types else None)


def one(seed, o):
    """'ok', 'refused REASON', 'invalid REASON' or 'failed', with the failing program on stderr."""
    program = random_program(seed, **options_of(o))
    test = (lambda p: judge_apart(p, o.levels)) if o.apart else judge_levels if o.levels else judge
    try: test(program)
    except Unsupported as error: return "refused " + re.sub(r"\s+", " ", str(error))[:300]
    except Invalid as error: return "invalid " + re.sub(r"\s+", " ", str(error))[:300]
    except Difference as difference:
        print(show(program, difference, seed) if o.whole else f"seed {seed}: {difference}", file=sys.stderr, flush=True)
        program, difference = reduce(program, difference, test)
        text = show(program, difference, seed)
        print(text, file=sys.stderr, flush=True)
        if o.keep: keep_case(o.keep, seed, program, text)
        return "failed " + difference.kind
    return "ok"


def worker(o):
    """Reads seeds, writes outcomes; the parent sees by a missing line which seed ended the process."""
    for line in sys.stdin:
        seed = int(line)
        print(seed, one(seed, o), flush=True)


def start(o):
    command = [sys.executable, os.path.abspath(__file__), "--worker"] + (["--keep", o.keep] if o.keep else []) + \
        (["--ops", str(o.ops)] if o.ops else []) + (["--types", o.types] if o.types else []) + \
        (["--levels"] if o.levels else [])
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def reason_of(text):
    """The message alone, without numbers and names."""
    found = re.search(r"error: (.*?)(?: %\w| \"stablehlo|$)", text)
    return re.sub(r"%\w+|\d+", "N", found.group(1) if found else text)[:120]


def fuzz(o):
    """Counts of outcomes; failures are printed as they come."""
    counts, reasons, failed = collections.Counter(), collections.Counter(), []
    until, seed, process = time.monotonic() + o.seconds, o.seed, start(o)
    while time.monotonic() < until and (not o.count or seed < o.seed + o.count):
        process.stdin.write(f"{seed}\n")
        process.stdin.flush()
        answer = process.stdout.readline().split(" ", 2)
        if len(answer) < 2:
            code = process.wait()
            print(f"seed {seed}: the process ended with {code}", file=sys.stderr, flush=True)
            subprocess.run([a for a in process.args if a != "--worker"] + ["--one", str(seed), "--apart"])
            counts["crash"] += 1
            failed.append(seed)
            process = start(o)
        else:
            outcome = answer[1].strip()
            counts[outcome] += 1
            if outcome == "failed": failed.append(seed)
            if outcome in ("refused", "invalid"):
                reasons[outcome + ": " + reason_of(answer[2].strip())] += 1
                if outcome == "invalid": print(f"seed {seed}: {answer[2].strip()}", file=sys.stderr, flush=True)
        seed += 1
    process.stdin.close()
    process.wait()
    for reason, n in reasons.most_common(o.reasons): print(f"{n:6} {reason}")
    print(f"{sum(counts.values())} programs from seed {o.seed}: " + ", ".join(f"{n} {name}" for name, n in counts.most_common()))
    if failed: print("failed seeds: " + " ".join(map(str, failed)))
    return counts, failed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=0, help="stop after so many programs")
    p.add_argument("--ops", type=int, default=0, help="ops per program (1 to 40 at random)")
    p.add_argument("--types", help="element types, comma-separated (at random)")
    p.add_argument("--keep", help="folder for failing programs and their inputs")
    p.add_argument("--one", type=int, help="run the program of this seed")
    p.add_argument("--whole", action="store_true", help="with --one: print the program before it is made small")
    p.add_argument("--reasons", type=int, default=15, help="how many reasons of refusals to list")
    p.add_argument("--levels", action="store_true", help="compare what every pass leaves, by the evaluator, too")
    p.add_argument("--apart", action="store_true", help="with --one: in a process of its own, so that a crash can be made small")
    p.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.worker: return worker(o)
    if o.one is not None:
        if o.whole: print(random_program(o.one, **options_of(o)).text())
        print(one(o.one, o))
        return 0
    counts, failed = fuzz(o)
    return 1 if failed or not counts["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
