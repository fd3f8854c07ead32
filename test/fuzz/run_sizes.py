# SPDX-License-Identifier: Apache-2.0
"""Sizes that only the run knows, from -1 to 2**63 - 1: iotas and broadcasts of them, reshaped, computed on and reduced, mostly in one
kernel, so that no buffer is as large as the tensors that it stands for.

Python's own numbers say what comes out. A program with a negative size, with a reshape that does not keep the number of elements, or with
more than 2**56 elements is refused by compiled code and evaluator, at a place of the program: a product that wraps would give a result. A
tensor without elements is refused only where its other sizes are beyond 2**63. What is between, large and allowed, is not drawn, nor a result
of that many elements."""
import math
import random
import re
import sys

import campaign  # first: it adds the folders of the others
import numpy as np

import libheddle
from campaign import Find
from heddle import HeddleError
from heddle.runtime import Runtime, compile_program

SMALL = [1, 1, 2, 3, 5, 16, 31, 64]
LARGE = [2**16, 2**20 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33, 2**40, 2**48, 2**56, 2**57, 2**61, 2**62, 2**62 + 1, 2**63 - 1]
MOST = 2**18       # elements that are computed
GIVEN = 2**36      # elements of a result that memory may hold: it would take its time
LIMIT = 2**56      # elements: a tensor that no buffer holds; buffers have fewer
TYPES = ["i8", "i32", "i64", "f64"]


class Case:
    def __init__(self, seed):
        r = random.Random(seed)
        while not self.draw(r): pass

    def draw(self, r):
        self.t, self.index = r.choice(TYPES), r.choice(["i64", "i64", "i32"])
        pool = SMALL * 2 + [n for n in LARGE if self.index == "i64" or n < 2**31] + [0] * 3 + [-1]
        if r.random() < 0.3: pool = SMALL + [0]
        self.sizes = [r.choice(pool) for _ in range(r.randint(1, 4))]
        self.known = [n if 0 <= n <= 2**62 and r.random() < 0.25 else None for n in self.sizes]
        self.axis, self.fill, self.value = r.randrange(len(self.sizes)), r.random() < 0.4, r.randint(-3, 3)
        self.shape = None
        if r.random() < 0.5:
            n = math.prod(self.sizes)
            if r.random() < 0.6 and n >= 0:  # the same elements otherwise, or as many to a wrapping product
                self.shape = r.choice([[n], [1, n], list(reversed(self.sizes)), [n % 2**64], [n % 2**32, 1]])
            else: self.shape = [r.choice(pool) for _ in range(r.randint(1, 3))]
            top = 2**63 if self.index == "i64" else 2**31
            if any(not -1 <= n < top for n in self.shape): return False
        self.ops = [r.choice(["add", "multiply", "negate", "self", *["cosine"] * (self.t == "f64")]) for _ in range(r.randint(0, 2))]
        dims = self.shape or self.sizes
        self.axes = sorted(r.sample(range(len(dims)), r.choice([len(dims), len(dims), r.randint(0, len(dims))])))
        self.tensors = [self.sizes] + ([self.shape] if self.shape else [])
        if MOST < math.prod(self.kept()) <= GIVEN: return False
        return not any(all(n > 0 for n in d) and MOST < math.prod(d) <= LIMIT for d in self.tensors)

    def kept(self): return [n for i, n in enumerate(self.shape or self.sizes) if i not in self.axes]

    def outcome(self):
        """What has to happen: "refused", "ok", or "either"."""
        if any(n < 0 for d in self.tensors for n in d): return "refused"
        if self.shape and math.prod(self.shape) != math.prod(self.sizes): return "refused"
        if any(math.prod(d) > LIMIT for d in self.tensors): return "refused"
        # Without elements, strides are computed too, and parts of the reduction or the result may have sizes that no memory holds.
        wide = any(math.prod(max(n, 1) for n in d) > MOST for d in self.tensors)
        return "either" if wide or math.prod(self.kept()) > MOST else "ok"

    def text(self):
        t, k = self.t, len(self.sizes)
        whole = lambda dims: "tensor<" + "".join("?x" if n is None else f"{n}x" for n in dims) + t + ">"
        x, args, lines = whole(self.known), [f"%s: tensor<{k}x{self.index}>"], []
        if self.fill:
            lines += [f"%c = stablehlo.constant dense<{self.value}{'.0' if t == 'f64' else ''}> : tensor<{t}>",
                      f'%x = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<{t}>, tensor<{k}x{self.index}>) -> {x}']
        else: lines += [f"%x = stablehlo.dynamic_iota %s, dim = {self.axis} : (tensor<{k}x{self.index}>) -> {x}"]
        last = "%x"
        if self.shape:
            n, y = len(self.shape), whole([None] * len(self.shape))
            args += [f"%n: tensor<{n}x{self.index}>"]
            lines += [f"%y = stablehlo.dynamic_reshape %x, %n : ({x}, tensor<{n}x{self.index}>) -> {y}"]
            last, x = "%y", y
        for i, op in enumerate(self.ops):
            if op in ("negate", "cosine"): lines += [f"%o{i} = stablehlo.{op} {last} : {x}"]
            else: lines += [f"%o{i} = stablehlo.{'add' if op == 'self' else op} {last}, {last if op == 'self' else '%x' if not self.shape else last} : {x}"]
            last = f"%o{i}"
        out = whole([d for i, d in enumerate([None] * len(self.shape) if self.shape else self.known) if i not in self.axes])
        zero = "0.0" if t == "f64" else "0"
        lines += [f"%z = stablehlo.constant dense<{zero}> : tensor<{t}>",
                  f"%r = stablehlo.reduce({last} init: %z) applies stablehlo.add across dimensions = {self.axes} : ({x}, tensor<{t}>) -> {out}", f"return %r : {out}"]
        return f"func.func @main({', '.join(args)}) -> {out} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"

    def inputs(self): return [np.array(d, np.int64 if self.index == "i64" else np.int32) for d in self.tensors]

    def expected(self):
        kind = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "f64": np.float64}[self.t]
        if math.prod(self.sizes) == 0: return np.zeros(self.kept(), kind)
        x = np.full(self.sizes, self.value, kind) if self.fill else np.broadcast_to(
            np.arange(self.sizes[self.axis]).astype(kind).reshape([-1 if i == self.axis else 1 for i in range(len(self.sizes))]), self.sizes)
        if self.shape: x = x.reshape(self.shape)
        y = x
        with np.errstate(all="ignore"):
            for op in self.ops: y = -y if op == "negate" else np.cos(y) if op == "cosine" else y + y if op == "self" else y + (y if self.shape else x) if op == "add" else y * (y if self.shape else x)
            return np.add.reduce(y, axis=tuple(self.axes), dtype=kind) if self.axes else y


_runtime = None


def run(text, inputs):
    global _runtime
    if not _runtime: _runtime = Runtime(threads=2)
    return _runtime.load(compile_program(text.encode(), "program.mlir", threads=1))(*inputs)


def judge(seed, o):
    c = Case(seed)
    text, inputs, wanted, out = c.text(), c.inputs(), c.outcome(), []
    for who, call in (("compiled code", lambda: run(text, inputs)), ("the evaluator", lambda: libheddle.evaluate(text.encode(), inputs))):
        try: results = call()
        except (HeddleError, libheddle.EvalError) as error:
            message = str(error)
            if wanted == "ok": raise Find(f"{who} refuses it: {message}") from error
            if not re.search(r"program\.mlir:\d+:\d+", message): raise Find(f"{who} refuses it without a place: {message}") from error
            out.append("refused")
            continue
        except ValueError: # numpy has no array of these dims, though it has no elements
            if wanted == "ok" or math.prod(c.kept()): raise
            out.append("ok")
            continue
        if wanted == "refused": raise Find(f"{who} takes it: {[x.shape for x in results]} {[x.ravel()[:4].tolist() for x in results]}")
        out.append("ok")
        if math.prod(c.kept()) > MOST: continue
        got, want = results[0], c.expected()
        if got.shape != want.shape: raise Find(f"{who}: {list(got.shape)}, expected {list(want.shape)}")
        terms = math.prod(c.shape or c.sizes) // max(math.prod(c.kept()), 1)  # each rounds a sum that goes one by one
        bad = np.abs(got - want) > max(1e-12, terms * 2**-53) * np.max(np.abs(want), initial=1) if c.t == "f64" else got != want
        if np.any(bad): raise Find(f"{who}: {int(bad.sum())} of {got.size} elements differ: {got[bad][:4].tolist()}, expected {want[bad][:4].tolist()}")
    return out[0]


def show(seed, o):
    c = Case(seed)
    return c.text() + "".join(f"// {d}\n" for d in c.tensors) + f"// {c.outcome()}\n"


if __name__ == "__main__": sys.exit(campaign.main(campaign.Generator(__doc__, judge, show, must=("ok", "refused"))))
