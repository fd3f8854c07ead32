# SPDX-License-Identifier: Apache-2.0
"""Random programs on buffers (random_buffers.py), as others may write them. Each pass on buffers is run alone, and all in the
pipelines' order.

What a pass gives is verified and computes the same: to the bit where the pass rounds nothing. A pass refuses a program only for what
REFUSED says. Every fourth program has an operand changed at random: heddle-opt or the evaluator may refuse it as it is, for what
INVALID and UNDEFINED say, but no pass may crash on it."""
import re
import sys

import campaign  # first: it adds the folders of the others
import numpy as np

import libheddle
from campaign import Find
from random_buffers import program_of

BUFFER_PASSES = ["disc-fusion=target=cpu", "disc-fusion=target=cpu explain", "disc-fusion=target=cuda columns products-alone", "disc-lower-to-buffer-alias", "buffer-loop-hoisting",
                 "disc-remove-dead-buffer", "dead-temp-buffer-removal", "disc-localize-small-cpu-buffer", "legalize-lhlo-control-flow", "disc-buffer-deallocation",
                 "disc-lower-to-kernels", "disc-lower-to-library-calls", "disc-specialize-fusion-with-speculation=target=cpu", "disc-insert-memory-marker",
                 "disc-specialize-fusion-with-speculation=target=cuda", "disc-lhlo-legalize-to-loop=target=cuda", "disc-input-inline-fusion", "disc-loop-coalescing", "disc-vectorize-loops",
                 "disc-parallel-loop-split=target=cuda", "disc-gpu-kernel-outlining=target=cuda", "disc-revise-gpu-kernel-outlining", "disc-convert-memory-marker",
                 "disc-convert-memory-marker=host-allocator", "disc-const-to-ral", "disc-gpu-launch-to-ral", "disc-rewrite-ral-api", "disc-inject-execution-context",
                 "canonicalize", "cse", "disc-shape-analysis", "expand-math"]
CPU = ["disc-fusion=target=cpu", "disc-lower-to-buffer-alias", "disc-specialize-fusion-with-speculation=target=cpu", "disc-lower-to-kernels", "cse", "disc-remove-dead-buffer",
       "dead-temp-buffer-removal", "buffer-loop-hoisting", "disc-buffer-deallocation", "disc-localize-small-cpu-buffer"]
GPU = ["disc-fusion=target=cuda columns products-alone", "disc-lower-to-buffer-alias", "disc-specialize-fusion-with-speculation=target=cuda", "disc-lhlo-legalize-to-loop=target=cuda",
       "disc-input-inline-fusion", "disc-loop-coalescing"]
SEQUENCES = [[p] for p in BUFFER_PASSES] + [CPU[:k] for k in (2, 4, 6, 10)] + [GPU[:k] for k in (2, 4, 6)]
# What a pass of a sequence refuses, at an op: the message, and whether the program at that line is so.
REFUSED = {
    "disc-insert-memory-marker": (r'expected hd.placed = "buffers": run disc-placement-fixer first', lambda text, line: True),
    "disc-convert-memory-marker": (r"has no memory space, expected #gpu.address_space<global> or the mark of host memory", lambda text, line: "memref.alloc" in line),
    "disc-lhlo-legalize-to-loop": (r"reads what it writes: a kernel of the device needs another buffer to write", lambda text, line: writes_operand(line)),
}
# What makes a program with a changed operand no program.
INVALID = [r"definition of SSA value '%\w+#0' has type '.*'", r"use of value '%\w+' expects different type than prior uses: '.*' vs '.*'",
           r"'lmhlo.\w+' op operand #\d+ does not dominate this use",
           r"'lmhlo.\w+' op writes operand #\d+, which (an earlier|the same) op of the fusion reads: expected .*",
           r"'lmhlo.\w+' op writes operand #\d+, which another op of the fusion writes: expected one writer"]
# What makes one that has no meaning, at the sizes of the run.
UNDEFINED = [r"'lmhlo.\w+' op writes to an argument or a constant", r"'lmhlo.\w+' op shapes differ: .*", r"'lmhlo.\w+' op gives .* where its buffer has .*",
             r"'lmhlo.\w+' op result \d+: expected .*", r"'lmhlo.\w+' op (operand \d+: )?dim \d+ .*is \d+, expected .*",
             r"'lmhlo.\w+' op (dim \d+: )?(a )?slice .* does not fit a size of \d+", r"'lmhlo.\w+' op cannot reshape .*", r"'[\w.]+' op uses a buffer after it is freed"]
# Passes that may round otherwise: expanded functions, reordered sums.
ROUNDING = {"expand-math", "disc-lower-to-kernels", "disc-lhlo-legalize-to-loop", "disc-lower-to-library-calls"}


def name_of(step): return step.partition("=")[0]


def writes_operand(line):
    """Does the op of |line| write a buffer that it reads?"""
    operands = re.search(r'"lmhlo\.\w+"\(([^)]*)\)', line)
    buffers = [o for o in operands[1].split(", ") if not re.match(r"%[cn]\w*$", o)] if operands else []
    return buffers[-1] in buffers[:-1] if buffers else False


def located(message):
    """(line, what) of the first error."""
    found = re.match(r"(?:error: )?program\.mlir:(\d+):\d+: error: (.*)", message)
    return (int(found[1]), found[2]) if found else (0, message)


def is_one_of(message, patterns): return any(re.fullmatch(pattern, located(message)[1]) for pattern in patterns)


def is_refused(text, passes, message):
    line, what = located(message)
    lines = text.split("\n")
    for step in passes:
        pattern, fits = REFUSED.get(name_of(step), (None, None))
        if pattern and line and re.fullmatch(r"'[\w.]+' op (disc-insert-memory-marker: )?" + pattern, what) and fits(text, lines[line - 1]): return True
    return False


def unfreed(text):
    """Are buffers left that are neither freed nor returned?"""
    made = set(re.findall(r"(%\w+) = memref.alloc", text))
    return bool(made - set(re.findall(r"memref.dealloc (%\w+)", text)) - set(re.findall(r"%\w+", text.rsplit("return", 1)[1])))


def same(want, got, exactly):
    if len(want) != len(got): return False
    if exactly: return all(a.tobytes() == b.tobytes() and a.shape == b.shape for a, b in zip(want, got))
    return all(a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=1e-5 * max(1.0, float(np.abs(a[np.isfinite(a)]).max(initial=0))), equal_nan=True) for a, b in zip(want, got))


def evaluate(text, inputs):
    """(results, None) or (None, message)."""
    try: return libheddle.evaluate(text, inputs), None
    except libheddle.EvalError as error: return None, str(error)


def check_sequence(text, inputs, want, passes):
    """What the passes make of |text|, whose results are |want| where it has a meaning."""
    where = "--" + " --".join(passes)
    print(where, file=sys.stderr, flush=True)  # for whoever reads why the process ended
    try: out = libheddle.opt(text.encode(), *("--" + p for p in passes))
    except libheddle.OptError as error:
        if is_refused(text, passes, str(error)): return
        raise Find(f"{where} refuses it: {error}") from error
    if want is None: return
    got, message = evaluate(out, inputs)
    if got is None and passes == ["disc-inject-execution-context"] and unfreed(text) and "op the program leaves" in message: return
    if got is None: raise Find(f"{where} gives what the evaluator refuses: {message}")
    if not same(want, got, ROUNDING.isdisjoint(map(name_of, passes))): raise Find(f"{where} computes something else")


def judge(seed, o):
    text, inputs = program_of(seed)
    changed = seed % 4 == 0
    try: libheddle.opt(text.encode())
    except libheddle.OptError as error:
        if changed and is_one_of(str(error), INVALID): return "invalid"
        raise Find(f"heddle-opt refuses it: {error}") from error
    want, message = evaluate(text.encode(), inputs)
    if want is None and not (changed and is_one_of(message, UNDEFINED)): raise Find(f"the evaluator refuses it: {message}")
    for passes in SEQUENCES: check_sequence(text, inputs, want, passes)
    return "ok" if want is not None else "undefined"


if __name__ == "__main__": sys.exit(campaign.main(campaign.Generator(__doc__, judge, lambda seed, o: program_of(seed)[0], limit=60)))
