# SPDX-License-Identifier: Apache-2.0
"""Cases of ops, run on an oracle, written out as check programs with the oracle's results, run by `heddle check`."""
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from values import dims_text, operand, tensor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEDDLE = os.environ.get("HEDDLE_BIN", os.path.join(ROOT, "build", "bin", "heddle"))


@dataclass
class Case:
    """|body| is ops of @main; |results| are (value, element type, dims text) with a dims text like "2x3x"."""
    name: str
    body: str
    results: list
    ulp: int = 0            # float results may be so many units apart
    tolerance: float = 0    # or so far, when given
    oracle: str = "reference"
    functions: str = ""     # other functions of the module
    expected: list = field(default_factory=list)


def case(name, operands, op, result, element, **more):
    """|operands|: (name, element, dims); |op|: text with {x} for the type of operand x; |result|: dims."""
    body = "".join(operand(n, e, d, seed) for seed, (n, e, d) in enumerate(operands))
    types = {n.strip("%"): tensor(e, d) for n, e, d in operands}
    body += f"    %r = {op.format(**types, r=tensor(element, result))}"
    return Case(name, body, [("%r", element, dims_text(result))], **more)


def lowered(case):
    """The body with results brought to types that every oracle can give: parts of complex numbers, f32 for the narrow
    floats, i8 for the narrow integers. Gives (text, [(value, element, dims)])."""
    lines, out = [case.body], []
    for k, (value, element, dims) in enumerate(case.results):
        def emit(op, to, suffix, value=value, element=element, dims=dims, k=k):
            name = f"%lowered{k}{suffix}"
            lines.append(f"    {name} = stablehlo.{op} {value} : (tensor<{dims}{element}>) -> tensor<{dims}{to}>")
            out.append((name, to, dims))
        if element.startswith("complex"):
            part = element[8:-1]
            emit("real", part, "r")
            emit("imag", part, "i")
        elif re.match(r"f[468]E", element):
            emit("convert", "f32", "f")
        elif element in ("i2", "i4"):
            emit("convert", "i8", "n")
        elif element in ("ui2", "ui4"):
            emit("convert", "ui8", "n")
        else:
            out.append((value, element, dims))
    return "\n".join(lines), out


def oracle_text(case):
    body, out = lowered(case)
    types = ", ".join(f"tensor<{d}{e}>" for _, e, d in out)
    values = ", ".join(v for v, _, _ in out)
    return (f"module @m {{\n  func.func public @main() -> ({types}) {{\n{body}\n"
            f"    return {values} : {types}\n  }}\n{case.functions}\n}}\n")


def check_text(case):
    body, out = lowered(case)
    lines = []
    for k, ((value, element, dims), expected) in enumerate(zip(out, case.expected)):
        kind = f"tensor<{dims}{element}>"
        lines.append(f"    %expected{k} = stablehlo.constant {expected}")
        if element[0] in "fb":
            if case.tolerance:
                lines.append(f"    check.expect_almost_eq {value}, %expected{k} {{tolerance = {case.tolerance:e} : f64}} : {kind}")
            else:
                lines.append(f"    check.expect_close {value}, %expected{k}, max_ulp_difference = {case.ulp} : {kind}, {kind}")
        else:
            lines.append(f"    check.expect_eq {value}, %expected{k} : {kind}")
    checks = "\n".join(lines)
    return (f"module @m {{\n  func.func public @{case.name}() {{\n{body}\n{checks}\n    return\n  }}\n{case.functions}\n}}\n")


_SERVERS = {}


def server(oracle):
    """The process that runs programs on |oracle|, started when first asked for."""
    if oracle not in _SERVERS:
        log = tempfile.TemporaryFile(mode="w+")
        process = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle.py")],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                                   env={**os.environ, "JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1"})
        _SERVERS[oracle] = (process, log)
    return _SERVERS[oracle]


def ask_oracles(cases):
    """Fills |expected| where it is empty; gives the cases that their oracle could run, and what it said of the others."""
    known, errors = [c for c in cases if c.expected], ""
    for oracle in sorted({c.oracle for c in cases if not c.expected}):
        process, log = server(oracle)
        at = log.seek(0, os.SEEK_END)
        asked = [c for c in cases if c.oracle == oracle and not c.expected]
        process.stdin.write(json.dumps([oracle, [oracle_text(c) for c in asked]]) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        log.seek(at)
        errors += log.read()
        assert answer, f"the oracle '{oracle}' ended: {errors[-4000:]}"
        for case, result in zip(asked, json.loads(answer)):
            if result is not None:
                case.expected = result
                known.append(case)
    return known, errors


def run_checks(cases, target="eval"):
    """Runs all cases; gives {name: output} of those that failed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.mlir")
        with open(path, "w", encoding="utf-8") as out:
            out.write("// -----\n".join(check_text(c) for c in cases))
        done = subprocess.run([HEDDLE, "check", path, "--split-input-file", f"--target={target}"],
                              capture_output=True, text=True, check=False)
        text = done.stdout + done.stderr
        last = done.stdout.strip().split("\n")[-1] if done.stdout.strip() else ""
        assert re.match(r"\d+ passed, \d+ failed", last), f"heddle check ended with {done.returncode}: {text[-4000:]}"
        passed = set(re.findall(r"'(\w+)' passed", text))
        failed = {c.name: "" for c in cases if c.name not in passed}
        if failed:
            keep = os.environ.get("HEDDLE_KEEP_CASES")
            if keep:
                with open(keep, "w", encoding="utf-8") as out:
                    out.write("// -----\n".join(check_text(c) for c in cases if c.name in failed))
        return failed, text


def assert_cases(cases, missing=0):
    """All cases hold; the oracle may lack |missing| of them."""
    names = [c.name for c in cases]
    assert len(names) == len(set(names)), "case names repeat"
    known, errors = ask_oracles(cases)
    assert len(cases) - len(known) <= missing, f"the oracle failed on {len(cases) - len(known)} cases:\n{errors[:4000]}"
    assert known
    failed, text = run_checks(known)
    errors = "\n".join(line for line in text.split("\n") if "error:" in line)
    assert not failed, f"{len(failed)} of {len(known)} cases failed: {sorted(failed)[:50]}\n{errors[:6000]}"
