# SPDX-License-Identifier: Apache-2.0
"""Ops that Triton prints of kernels, alone and with one thing about each changed: Heddle takes for a program what Triton takes for one. Where the two
differ, the reason is here. More of them: HEDDLE_LONG=1."""
import collections
import os
import random
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
pytest.importorskip("triton")
from dumps import programs  # noqa: E402
from odd_programs import changed, ops_of  # noqa: E402

OPT = os.path.join(os.path.abspath(os.environ["HEDDLE_BUILD"]), "bin", "heddle-opt")
KERNELS = [("many_ops", 90), ("attention", 80), ("matmul_descriptors", 90), ("scaled_product", 100), ("matmul", 100), ("matmul_i8", 80)]
COUNT = 6000 if os.environ.get("HEDDLE_LONG") else 400

# Triton refuses, Heddle reads: what Triton says.
READ = {
    # Listings of ops without their module: layouts are held to the threads of a module that says them.
    r"Could not determine the number of warps": "a module that says no number of warps",
    # Which layouts of tensors tensor memory can be moved from and to is decided where that is lowered.
    r"'ttng.tmem_(store|load|alloc)' op (source|result|destination)": "a layout that tensor memory does not move to",
    # Triton's own process ends: no answer.
    r"LLVM ERROR|Assertion|ended with": "Triton ends its process",
}
# Heddle refuses, Triton reads: what Heddle says.
REFUSED = {
    # Numbers that no layout has; Triton looks at them when it makes the map.
    r"the layout needs a power of two (up to \d+ as '(vec|perPhase|maxPhase)'|between \d+ and \d+ as 'elementBitWidth')": "sizes of a layout",
    r"the layout needs sizes of an instruction in 'instrShape'": "sizes of a layout",
    r"the type has a layout of \d+ dims for a shape of \d+": "a layout of another rank",
    # A program in which some tensors have layouts and others not is on its way from tt to ttg: Triton's traits look at two layouts only.
    r"requires one layout": "a layout on some operands only",
    r"expects a layout on (all|both) or none": "a layout on some operands only",
    # Triton does not look at the types, and goes wrong later.
    r"'ttg.async_copy_global_to_local' op expects a tensor and memory of one shape and element type": "memory of other elements",
    r"'tt.cat' op expects a result of twice as many elements": "a result of any size",
    r"'tt.atomic_(cas|rmw)' op result #0 must have the type": "a result of any type",
    r"'tt.splat' op expects an element of the result": "a tensor that is splat",
    r"'tt.make_tensor_descriptor' op expects": "any number of sizes and strides",
    r"'tt.descriptor_(load|store)' op expects \d+ indices": "any number of indices",
}


def reason(table, said):
    return next((why for pattern, why in table.items() if re.search(pattern, said)), None)


def collect(texts_of):
    ops = collections.defaultdict(dict)
    for name, arch in KERNELS:
        for _, text in texts_of(name, arch):
            if "nvws." in text: continue
            generic = subprocess.run([OPT, "--mlir-print-op-generic", "-"], input=text, capture_output=True, text=True, check=True).stdout
            for op in ops_of(generic): ops[op.name].setdefault((*op.operands, op.middle, *op.results), op)
    return {name: list(found.values()) for name, found in sorted(ops.items())}


def heddle_says(text):
    ran = subprocess.run([OPT, "-"], input=text, capture_output=True, text=True, timeout=60)
    return "ok" if ran.returncode == 0 else re.findall(r"error: (.*)", ran.stderr)[0]


def triton_says(texts, folder):
    paths = []
    for i, text in enumerate(texts):
        paths.append(str(folder / f"{i}.mlir"))
        with open(paths[-1], "w", encoding="utf-8") as out: out.write(text)
    ran = subprocess.run([sys.executable, os.path.join(HERE, "odd_programs.py"), *paths], capture_output=True, text=True, check=True)
    return ran.stdout.split("\n")[:len(texts)]


def test_same_programs(tmp_path, once):
    ops, rng = collect(lambda name, arch: once(f"triton_{name}_{arch}", lambda: programs(name, arch, tmp_path))), random.Random(17)
    assert len(ops) > 40, sorted(ops)
    asked = [ops[name][0] for name in ops]  # as they are, then changed
    asked += [changed(rng, rng.choice(ops[rng.choice(list(ops))])) for _ in range(COUNT)]
    said = triton_says([op.program(triton=True) for op in asked], tmp_path)
    both, differ = collections.Counter(), []
    for i, (op, theirs) in enumerate(zip(asked, said)):
        ours = heddle_says(op.program())
        both[ours == "ok", theirs == "ok"] += 1
        if i < len(ops): assert ours == theirs == "ok", (op.program(), ours, theirs)
        if (ours == "ok") == (theirs == "ok"): continue
        if reason(READ, theirs) if ours == "ok" else reason(REFUSED, ours): continue
        differ.append(f"{op.program()}Triton: {theirs}\nHeddle: {ours}\n")
    assert not differ, f"{len(differ)} of {len(asked)}:\n" + "\n".join(differ[:20])
    assert both[True, True] > COUNT // 5 and both[False, False] > COUNT // 5, both
