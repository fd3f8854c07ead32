# SPDX-License-Identifier: Apache-2.0
"""The op sweep: each row of op_rows.py at each element type, static and dynamic, compiled and compared with the evaluator.

    op_sweep.py [--only SUBSTRING] [--target NAME] [--driver NAME] [--show] [--table FILE]

Types of a row are compiled as one program; when that fails, one by one. --table writes the page that docs/coverage.md is:
which forms of which op have a compiled path that agrees."""
import argparse
import os
import re
import sys
from dataclasses import dataclass

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "front", "python"), os.path.join(ROOT, "test", "eval"), os.path.join(ROOT, "test", "support")]

import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402

import error_model  # noqa: E402
from heddle.runtime import HeddleError, Runtime, compile_program  # noqa: E402
from libheddle import EvalError, evaluate  # noqa: E402
from op_rows import COLUMNS, ROWS  # noqa: E402

NATIVE = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16", "complex<f32>": "complex64",
          "complex<f64>": "complex128"}


def dtype_of(element):
    if element in NATIVE:
        name = NATIVE[element]
    elif re.fullmatch(r"u?i\d+", element):
        name = ("uint" if element[0] == "u" else "int") + element.lstrip("ui")
    else:
        name = re.sub(r"f(\d)(E.*)", lambda m: f"float{m[1]}_{m[2].lower()}", element)
    return np.dtype(getattr(ml_dtypes, name, name))


def limits(element):
    bits = int(element.lstrip("ui"))
    return (0, 2 ** bits - 1) if element[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)


def canonical(x):
    """Signed integers of less than a byte as programs store them: numpy leaves the bits beside theirs zero."""
    spare = {"int2": 6, "int4": 4}.get(x.dtype.name)
    return x if spare is None else (x.view(np.int8) << spare >> spare).astype(np.int8).view(x.dtype)


def values(element, dims, kind, seed):
    """|dims| values of |element|; see the rows for the kinds."""
    dtype = dtype_of(element)
    rng = np.random.default_rng(abs(hash_of(f"{element}{kind}{seed}")))
    shape = tuple(dims)
    if kind.startswith("shape:"):
        return np.array([int(x) for x in kind[6:].split(",")]).reshape(shape).astype(dtype)
    if kind == "state":
        return np.array([0x0123456789ABCDEF, 0xFFFFFFFFFFFFFFFE, 5][:shape[0]], np.uint64)
    if kind == "index":
        return (rng.integers(0, 7, shape) - (0 if element[0] == "u" else 1)).astype(dtype)
    if kind in ("sparse", "dense") or element == "i1" and kind in ("unit", "graded"):
        fill = 0 if kind != "dense" else 1 if element == "i1" else limits(element)[1]
        x = np.full(shape, fill, np.int64 if fill < 2 ** 63 else np.uint64)
        if x.size > 1: x.reshape(-1)[[7 % x.size, 31 % x.size]] = 1 - fill if element == "i1" else fill ^ 5
        return x.astype(dtype)
    if element == "i1":
        return np.full(shape, kind in ("high", "most")) if kind in ("low", "high", "zero", "most") else rng.random(shape) < 0.5
    if dtype.kind == "c" or element in NATIVE or "E" in element:
        if kind == "definite":
            a = rng.standard_normal(shape)
            if dtype.kind == "c": a = a + 1j * rng.standard_normal(shape)
            return (a @ np.conj(np.swapaxes(a, -1, -2)) + 4 * np.eye(shape[-1])).astype(dtype)
        low, high = {"positive": (0.25, 4), "unit": (-0.9, 0.9), "above_one": (1.25, 6), "low": (-1, -0.5), "high": (1, 2), "most": (3, 3), "zero": (0, 0), "one": (1, 1),
                     "convertible": (0.25, 1.75)}.get(kind, (-3, 3))
        if element == "f8E8M0FNU":
            x = 2.0 ** rng.integers(-2 if kind != "above_one" else 1, 4, shape)
            return (np.sort(x, axis=None).reshape(shape) if kind == "graded" else x).astype(dtype)
        x = np.round(rng.uniform(low, high, shape) * 4) / 4 if "E" in element or kind == "few" else rng.uniform(low, high, shape)
        if kind == "graded": x = np.sort(x, axis=None).reshape(shape)
        if kind == "order": x = rng.integers(0, 4, shape).astype(float)
        if dtype.kind == "c": x = rng.integers(0, 2, shape) + 1j * rng.integers(0, 2, shape) if kind == "few" else x + 1j * rng.uniform(low, high, shape)
        x = np.asarray(x).astype(dtype)
        if kind == "special":
            special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0]).astype(dtype)
            x.reshape(-1)[::3] = np.resize(special, x.reshape(-1)[::3].shape)
        return x
    low, high = limits(element)
    if kind == "few": low, high = max(low, -2), min(high, 5)
    if kind in ("low", "zero"): low, high = (max(low, -9),) * 2 if kind == "low" else (0, 0)
    if kind in ("high", "most"): low, high = (min(high, 90 if kind == "high" else 1000),) * 2
    if kind == "convertible": low, high = 0, 1
    if kind == "full": return rng.integers(low, high, shape, dtype=np.uint64 if low == 0 else np.int64, endpoint=True).astype(dtype)
    x = rng.integers(max(low + (kind == "graded"), -1000), min(high, 1000) + 1, shape)
    if kind == "odd": x |= 1
    return (np.sort(x, axis=None).reshape(shape) if kind == "graded" else x).astype(dtype)


def hash_of(text):
    out = 0xcbf29ce484222325
    for byte in text.encode():
        out = (out ^ byte) * 0x100000001b3 % 2 ** 64
    return out


def tensor(element, dims, dynamic):
    return "tensor<" + "".join(("?" if dynamic else str(d)) + "x" for d in dims) + element + ">"


def literal(element, dims):
    count = int(np.prod(dims))
    if element == "i1": items = ["true", "false"]
    elif element.startswith("complex"): items = ["(1.0, -2.0)", "(0.5, 0.0)"]
    elif "E" in element or element in NATIVE: items = ["1.0", "2.0"]
    else: items = ["1", "0"]
    flat = [items[i % 2] for i in range(count)]
    per = dims[-1]
    text = "[" + ", ".join("[" + ", ".join(flat[i:i + per]) + "]" for i in range(0, count, per)) + "]"
    return f"dense<{text}> : {tensor(element, dims, False)}"


@dataclass(eq=False)
class Form:
    """A row at one type, static or dynamic."""
    row: object
    element: str
    dynamic: bool

    @property
    def name(self):
        return f"{self.row.name}[{self.element}, {'dynamic' if self.dynamic else 'static'}]"

    def operands(self):
        out = []
        for k, spec in enumerate(self.row.operands):
            dims, element, kind = spec if isinstance(spec, tuple) else (spec, None, "any")
            out.append((dims, element or self.element, kind, k))
        return out

    def results(self):
        out = []
        for spec in self.row.results:
            dims, element = spec if isinstance(spec, tuple) and isinstance(spec[-1], str) else (spec[0] if isinstance(spec, tuple) else spec, None)
            out.append((dims, (element or self.element).replace("{e}", self.element)))
        return out

    def code(self, tag):
        """Functions, argument types, body, and the returned values with their types; names start with |tag|."""
        def dims_text(dims):
            return "".join(("?" if self.dynamic else str(d)) + "x" for d in dims)
        operands = [tensor(e, d, self.dynamic and not kind.startswith("shape") and kind != "state") for d, e, kind, _ in self.operands()]
        results = [tensor(e, d, self.dynamic) for d, e in self.results()]
        names = {"e": self.element, "s": f"tensor<{self.element}>", "r": results[0], "tag": tag, "dr": dims_text(self.results()[0][0]),
                 **{f"r{k}": t for k, t in enumerate(results)}, **{f"d{k}": dims_text(d) for k, (d, _, _, _) in enumerate(self.operands())}}
        if "{constant}" in self.row.text: names["constant"] = literal(self.element, self.results()[0][0])
        if self.row.element: names["q"] = "tensor<" + dims_text(self.operands()[0][0]) + self.row.element[0] + ">"
        body = re.sub(r"%(\w+)", rf"%{tag}_\1", self.row.text.format(*operands, **names))
        functions = self.row.functions.format(*operands, **names)
        many = len(results) > 1
        grouped = many and "%r:" in self.row.text
        returned = [f"%{tag}_r" + (f"#{k}" if grouped else "") if not many or grouped else f"%{tag}_r{k}" for k in range(len(results))]
        return functions, [f"%{tag}_{k}: {t}" for k, t in enumerate(operands)], body, returned, results

    def bound(self, dtype):
        """What a result of |dtype| may differ by."""
        row = self.row
        if dtype.kind == "c": return error_model.Bound(ulps=4 if row.modulus else 0, modulus=row.modulus, terms=4 * row.terms, whole=row.whole)
        if not is_float(dtype): return error_model.EXACT
        if row.terms: return error_model.Bound(terms=row.terms, whole=row.whole)
        return error_model.rounded(row.ulp, dtype, row.absolute)

    def wide(self):
        """The same row on f64 or complex<f64>, for rows that add up floats element by element."""
        if not self.row.terms or self.row.whole or not is_float(dtype_of(self.element)) and not self.element.startswith("complex"): return None
        return Form(self.row, "complex<f64>" if self.element.startswith("complex") else "f64", self.dynamic)

    def inputs(self):
        return [canonical(values(e, d, kind, k)) for d, e, kind, k in self.operands()]


def program(forms):
    parts = [form.code(f"t{k}") for k, form in enumerate(forms)]
    arguments, types = ", ".join(a for p in parts for a in p[1]), ", ".join(t for p in parts for t in p[4])
    body = "\n".join(p[2] for p in parts)
    returned = ", ".join(v for p in parts for v in p[3])
    return "".join(p[0] for p in parts) + f"func.func public @main({arguments}) -> ({types}) {{\n{body}\nreturn {returned} : {types}\n}}\n"


def difference(got, want, bound, exact=None, magnitude=None):
    """Text when an element of |got| is outside |bound| of |want|, or of the |exact| sums where these are known; else None."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"expected {want.dtype}{list(want.shape)}, got {got.dtype}{list(got.shape)}"
    if got.tobytes() == want.tobytes(): return None
    bad = error_model.outside(got, want if exact is None else exact, bound, magnitude)
    if got.dtype.kind != "c" and exact is not None: bad &= got != want
    if not bad.any(): return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{int(bad.sum())} of {got.size} elements, at {list(at)} expected {want[at]}, got {got[at]}"


def sums_of(forms):
    """Of forms that add up: form -> (exact results, magnitudes), by the evaluator on f64 or complex<f64>."""
    out = {}
    for form in forms:
        wide = form.wide()
        if not wide: continue
        inputs = [x.astype(dtype_of(e)) for x, (_, e, _, _) in zip(form.inputs(), wide.operands(), strict=True)]
        text = program([wide]).encode()
        out[form] = evaluate(text, inputs), evaluate(text, [np.abs(x).astype(x.dtype) if is_float(x.dtype) or x.dtype.kind == "c" else x for x in inputs])
    return out


def bounds_of(form, want, sums):
    """Of each result of |form|: what is right, the bound, and what difference() takes besides. |sums|: of sums_of, or None."""
    return [(w, form.bound(w.dtype), (sums[0][k], np.abs(sums[1][k])) if sums else (None, np.abs(w)) if form.row.whole else ()) for k, w in enumerate(want)]


def disagreement(form, got, want, sums):
    """How |got| differs from the results |want| of |form|, as text; None where it does not."""
    texts = (difference(g, w, bound, *more) for g, (w, bound, more) in zip(got, bounds_of(form, want, sums), strict=True))
    return next((text for text in texts if text), None)


def is_float(dtype): return dtype.kind == "f" or dtype.kind == "V" and "float" in dtype.name


class Sweep:
    def __init__(self, target="cpu", *drivers):
        self.target, self.runtimes = target, {driver: Runtime(threads=2, driver=driver) for driver in drivers or [target]}
        self.outcomes = {}  # form -> None or text
        self.unseen = {}  # form -> changes of its results that would not be seen

    def compile(self, text): return compile_program(text, target=self.target, math="exact")

    def run(self, forms):
        """Runs the forms together; a failure to evaluate or compile several runs them one by one."""
        text = program(forms).encode()
        inputs = [x for form in forms for x in form.inputs()]
        try:
            want = evaluate(text, inputs)
            artifact = self.compile(text)
            got = {driver: runtime.load(artifact)(*inputs) for driver, runtime in self.runtimes.items()}
        except (EvalError, HeddleError) as error:
            if len(forms) > 1:
                for form in forms: self.run([form])
                return
            kind = "the evaluator" if isinstance(error, EvalError) else self.target
            self.outcomes[forms[0]] = f"{kind}: " + " ".join(line for line in str(error).split("\n") if "error" in line or not line.startswith(" "))[:400]
            return
        sums = sums_of(forms)
        at = 0
        for form in forms:
            count = len(form.results())
            self.compare(form, {driver: results[at:at + count] for driver, results in got.items()}, want[at:at + count], sums.get(form))
            at += count

    def compare(self, form, got, want, sums):
        texts = ((driver, disagreement(form, results, want, sums)) for driver, results in got.items())
        self.outcomes[form] = next((text if len(got) == 1 else f"{driver}: {text}" for driver, text in texts if text), None)
        self.unseen[form] = []
        for k, (w, bound, more) in enumerate(bounds_of(form, want, sums)):
            for name, changed in error_model.mutations(w):
                if not difference(changed, w, bound, *more): self.unseen[form].append(f"result {k} {name}")


def forms_of(row):
    return [[Form(row, e, dynamic) for e in row.types] for dynamic in (False, True) if not (dynamic and row.static_only)]


def sweep(rows, target="cpu", types=None, drivers=()):
    """A Sweep over all forms of |rows|, or those of |types|, of which each row has at least one, on each of |drivers| or the target's."""
    s = Sweep(target, *drivers)
    for row in rows:
        for group in forms_of(row):
            chosen = [form for form in group if types is None or form.element in types]
            s.run(chosen or group[:1])
    return s


def table(outcomes):
    """docs/coverage.md"""
    cells, total, good = {}, 0, 0
    for form, wrong in outcomes.items():
        cell = cells.setdefault((form.row.op, form.element), {False: [], True: []})
        cell[form.dynamic].append(wrong is None)
        total, good = total + 1, good + (wrong is None)
    columns = [c for c in COLUMNS if any(e == c for _, e in cells)]
    lines = ["# Compiled ops", "",
             "Written by `make docs` from the op sweep (`test/e2e/op_sweep.py`): each op at each element type that it takes, compiled for",
             "the CPU and compared with the evaluator. `s` stands for static dims, `d` for dynamic ones; `-` where a form has no compiled",
             "path or disagrees; an empty cell where the op does not take the type. Ops whose dims are attributes have no dynamic form.",
             "", f"{good} of {total} forms agree.", "",
             "| op | " + " | ".join(c.replace("<", "\\<") for c in columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for op in sorted({op for op, _ in cells}):
        def text(column, op=op):
            cell = cells.get((op, column))
            if not cell: return ""
            return "".join(("d" if dynamic else "s") if all(cell[dynamic]) else "-" for dynamic in (False, True) if cell[dynamic])
        lines.append(f"| `{op}` | " + " | ".join(text(c) for c in columns) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--target", default="cpu", help="what to compile for and run on")
    parser.add_argument("--driver", help="the device to run on; the target's")
    parser.add_argument("--show", action="store_true", help="print the programs and stop")
    parser.add_argument("--table", help="write the page here")
    o = parser.parse_args()
    rows = [r for r in ROWS if o.only in r.name]
    if o.show:
        for row in rows:
            for group in forms_of(row): print(program(group))
        return 0
    done = sweep(rows, o.target, drivers=[o.driver] if o.driver else [])
    outcomes = done.outcomes
    for form, names in done.unseen.items():
        if names: print(f"unseen: {form.name}: {', '.join(names)}")
    wrong = [(form.name, text) for form, text in outcomes.items() if text]
    for name, text in wrong: print(f"{name}: {text}")
    print(f"{len(outcomes) - len(wrong)} of {len(outcomes)} forms agree")
    if o.table:
        with open(o.table, "w", encoding="utf-8") as out: out.write(table(outcomes))
    return 1 if wrong and not o.table else 0


if __name__ == "__main__":
    sys.exit(main())
