# SPDX-License-Identifier: Apache-2.0
"""Memory of a run against the largest live set: the most bytes of buffers that are between their first and their last use."""
import json
import os
import re
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("compiler")

VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "ui32": 4, "ui64": 8}
FOLLOWED = ("memref.reinterpret_cast", "memref.cast", "memref.subview", "memref.extract_aligned_pointer_as_index", "arith.index_cast")
ARITHMETIC = {"addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b, "divui": lambda a, b: a // b,
              "divsi": lambda a, b: a // b, "floordivsi": lambda a, b: a // b, "ceildivsi": lambda a, b: -(-a // b),
              "remsi": lambda a, b: a % b, "remui": lambda a, b: a % b, "minsi": min, "maxsi": max}


def host_ops(text):
    """The ops of @main's block, each with what is in its regions as one text; and the names of the arguments' dims."""
    lines = iter(text.splitlines())
    head = next(line for line in lines if "func.func" in line and "@main(" in line)
    names = {m[1]: re.findall(r'"([^"]*)"', m[2]) for m in re.finditer(r"(%arg\d+): memref<[^>]*(?:<[^>]*>)?[^>]*> \{[^}]*hd\.dims = \[([^\]]*)\]", head)}
    ops, depth = [], 0
    for line in lines:
        if depth == 0 and line.strip() == "}": return ops, names
        if depth and ops: ops[-1] += "\n" + line
        else: ops.append(line.strip())
        depth += line.count("{") - line.count("}")
    raise AssertionError("no end of @main")


def largest_live_set(text, dims, unnamed):
    """|unnamed|: the names of arguments' dims that the program gives no name. Over the ops in order: buffers from the op that first touches them to the last one. Buffers up to 64 bytes are on the stack."""
    ops, names = host_ops(text)
    number, size, roots, held, first, last = {}, {}, {}, {}, {}, {}
    for at, op in enumerate(ops):
        left, eq, right = op.partition(" = ")
        results, body = (VALUE.findall(left), right) if eq and left.startswith("%") else ([], op)
        name, used = re.match(r'"?([\w.]+)', body)[1], VALUE.findall(body)
        if name == "arith.constant" and body.endswith(": index"): number[results[0]] = int(body.split()[1])
        elif name == "memref.dim" and used[0].startswith("%arg"):
            at_dim = number[used[1]]
            number[results[0]] = dims[dict(enumerate(names.get(used[0], []))).get(at_dim) or unnamed[at_dim]]
        elif name.startswith("arith.") and name[6:] in ARITHMETIC and all(v in number for v in used):
            number[results[0]] = ARITHMETIC[name[6:]](*(number[v] for v in used))
        elif name == "memref.alloc":
            shape = re.search(r": memref<(.*)>", body)[1].split("x")
            known, bytes_ = iter(used), BYTES[shape[-1].strip()]
            for dim in shape[:-1]: bytes_ *= number[next(known)] if dim == "?" else int(dim)
            size[results[0]], roots[results[0]] = bytes_, {results[0]}
            continue
        touched = set().union(*(roots.get(v, set()) | held.get(v, set()) for v in map(lambda v: v.split("#")[0], used)))
        if name in FOLLOWED or name.startswith("scf."):
            for r in results: roots[re.sub(r":\d+$", "", r)] = touched
        if name == "memref.store": held.setdefault(used[1], set()).update(roots.get(used[0], set()))
        if name in FOLLOWED or name == "memref.store": continue  # an address is no use yet
        for root in touched: first.setdefault(root, at), last.__setitem__(root, at)
    alive = [sum(size[r] for r in first if first[r] <= at <= last[r] and size[r] > 64) for at in range(len(ops))]
    return max(alive)


@pytest.fixture(scope="module")
def before_deallocation(build, cpu_passes):
    passes = cpu_passes.split(",")
    pipeline = ",".join(passes[:passes.index("disc-buffer-deallocation")])

    def run(program):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), program, "--target=cpu", f"--pass-pipeline={pipeline}"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout
    return run


@pytest.mark.parametrize("model, dims", [("bert_base", {"b": 1, "s": 128}), ("bert_base", {"b": 2, "s": 33}), ("bert_layer", {"b": 4, "s": 64}),
                                         ("bert_layer", {"b": 3, "s": 17}), ("gpt2_decode", {"b": 2, "s": 64}), ("resnet50", {"b": 1}),
                                         ("train_step", {"b": 31}), ("softmax", {"b": 64, "s": 1000})])
def test_close_to_the_largest_live_set(heddle, root, before_deallocation, model, dims):
    program = f"{root}/examples/{model}.mlir"
    live = largest_live_set(before_deallocation(program), dims, {1: "b", 3: "s"} if model == "gpt2_decode" else {0: "b", 1: "s"})
    text = ",".join(f"{name}={value}" for name, value in dims.items())
    taken = json.loads(heddle("run", program, "--random", "1", "--dims", text, "--json", check=True).stdout)["buffer_bytes_peak"]
    assert live <= taken * 1.001, (live, taken)  # else the live set is counted wrong
    assert taken <= 1.2 * live + 4096, (live, taken, taken / live)


def test_kernels_of_a_layer(heddle, root):
    """Products and what runs on their tiles apart."""
    layer, model = (json.loads(heddle("explain", f"{root}/examples/{name}.mlir", "--json", check=True).stdout) for name in ("bert_layer", "bert_base"))
    one, all_ = (sum(k["count"] for k in e["kernels"]) for e in (layer, model))
    assert 1 <= one <= 5
    assert all_ <= 12 * one + 4  # the embedding and its norm, the pooled output
    assert len(model["kernels"]) <= len(layer["kernels"]) + 4
