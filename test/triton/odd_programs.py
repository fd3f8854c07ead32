# SPDX-License-Identifier: Apache-2.0
"""Small programs of one op each, well typed and ill typed, to compare with Triton which of them are programs: the ops that Triton prints of
kernels, alone, and each with one thing about it changed. Run as a program it prints, for each file that it is given, what Triton says: "ok" or its first
error."""
import os
import random
import re
import sys

from dumps import without_aliases

TYPES = re.compile(r" : (\(.*\)) -> (\(.*\)|[^()]*(?:\(.*\))?[^()]*)$")
NUMBER = re.compile(r"(?<![\w#.%\"])\d+(?![\w.\"])")
ELEMENTS = ["f32", "f16", "bf16", "i32", "i64", "i8", "i1", "f8E5M2", "!tt.ptr<f32>"]
SIZES = [0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256]
SHAPED = re.compile(r"(tensor|memdesc)<((?:\d+x)+)([^,<>]+(?:<[^<>]*>)?)((?:, [^<>]*)?)")
LAYOUTS = ["#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
           "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>",
           "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
           "#ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [4, 8, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>",
           "#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>",
           "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>",
           "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>",
           "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>",
           "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 2}>",
           "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>"]


class Op:
    """An op in generic form: |text| but for what it takes and gives, which are types."""
    def __init__(self, name, middle, operands, results, module):
        self.name, self.middle, self.operands, self.results, self.module = name, middle, operands, results, module

    def program(self, triton=False):
        """|triton|: with the numbers of operands that Triton's generic form of some ops has, for parts that Heddle does not have."""
        arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.operands))
        values = ", ".join(f"%a{i}" for i in range(len(self.operands)))
        results = f"%r:{len(self.results)} = " if self.results else ""
        middle = with_segments(self) if triton else self.middle
        types = f"({', '.join(self.operands)}) -> ({', '.join(self.results)})"
        return f"module{self.module} {{\n  tt.func @f({arguments}) {{\n    {results}\"{self.name}\"({values}){middle} : {types}\n    tt.return\n  }}\n}}\n"


def with_segments(op):
    count, given = len(op.operands), None
    if op.name == "ttng.async_tma_copy_global_to_local": given = f"operandSegmentSizes = array<i32: 1, {count - 4}, 0, 1, 1, 1>"
    if op.name == "ttng.tc_gen5_commit": given = f"operandSegmentSizes = array<i32: 1, {count - 1}, 0>"
    if op.name == "ttng.tmem_load": given = f"resultSegmentSizes = array<i32: 1, {len(op.results) - 1}, 0>"
    if not given: return op.middle
    return op.middle.replace("<{", f"<{{{given}, ", 1) if op.middle.startswith(" <{") else f" <{{{given}}}>{op.middle}"


def split_list(text):
    """At the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "<([{"
        depth -= (c in ")]}") or (c == ">" and text[i - 1] != "-")
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def ops_of(generic):
    """The ops of Triton's dialects in |generic|, a program in generic form: those without regions, and reductions and scans with theirs."""
    text = without_aliases(generic)
    module = re.search(r"^\}\) (\{.*\}) : \(\) -> \(\)", text, re.M)
    module = " attributes " + module.group(1) if module else ""
    lines, found, i = text.split("\n"), [], 0
    while i < len(lines):
        head = re.match(r'^\s*(?:%[\w:, %$.-]+ = )?"((?:tt|ttg|ttng)\.[\w.]+)"\(([^()]*)\)(.*)$', lines[i])
        i += 1
        if not head or head.group(1).endswith(("func", "return", "yield")): continue
        rest = head.group(3)
        if rest.rstrip().endswith("({"):
            if head.group(1) not in ("tt.reduce", "tt.scan"): continue
            while not re.match(r"^\s*\}\)", lines[i]): rest, i = rest + "\n" + lines[i], i + 1
            rest, i = rest + "\n" + lines[i], i + 1
        types = TYPES.search(rest)
        if not types: continue
        operands, results = split_list(types.group(1)[1:-1]), types.group(2)
        results = split_list(results[1:-1]) if results.startswith("(") else split_list(results)
        if '"tt.call"(' in rest or head.group(1) == "tt.call": continue
        found.append(Op(head.group(1), rest[:types.start()], operands, results, module))
    return found


def change_shaped(rng, type_):
    """|type_| with another size, element or layout; as it is where it has none."""
    match = SHAPED.search(type_)
    if not match: return rng.choice(["i32", "i64", "f32", "!tt.ptr<f32>", "tensor<32xf32>"])
    kind, dims, element, rest = match.groups()
    dims, choice = dims[:-1].split("x"), rng.randrange(7)
    at = rng.randrange(len(dims))
    if choice < 2: dims[at] = str(rng.choice(SIZES))
    elif choice == 2: element = rng.choice(ELEMENTS)
    elif choice == 3: rng.shuffle(dims)
    elif choice == 4 and len(dims) > 1: dims.pop(at)
    elif choice == 5: dims.insert(at, rng.choice(["1", "2"]))
    else:
        tail = type_[match.end(3):]
        layout = "" if rng.random() < 0.2 else f", {rng.choice(LAYOUTS)}"
        return f"{type_[:match.end(3)]}{layout}>" if kind == "tensor" and tail.endswith(">") and type_.startswith("tensor") else type_
    return type_[:match.start()] + f"{kind}<{'x'.join(dims)}x{element}" + type_[match.start(4):]


def change_number(rng, text):
    at = list(NUMBER.finditer(text))
    if not at: return text
    m = rng.choice(at)
    return text[:m.start()] + str(rng.choice(SIZES)) + text[m.end():]


def changed(rng, op):
    """|op| with one thing changed, or two."""
    operands, results, middle, module = list(op.operands), list(op.results), op.middle, op.module
    for _ in range(1 if rng.random() < 0.8 else 2):
        lists = [x for x in (operands, results) if x]
        kind = rng.randrange(10)
        if kind < 4 and lists:
            types = rng.choice(lists)
            i = rng.randrange(len(types))
            types[i] = change_shaped(rng, types[i])
        elif kind < 7 and lists:  # a number in a type, most often in its layout; of all that have the type, or of one
            types = rng.choice(lists)
            before = rng.choice(types)
            after = change_number(rng, before)
            if rng.random() < 0.6:
                operands, results = [[after if t == before else t for t in x] for x in (operands, results)]
            else: types[types.index(before)] = after
        elif kind == 7: middle = change_number(rng, middle)
        elif kind == 8 and lists:
            types = rng.choice(lists)
            if len(types) > 1 and rng.random() < 0.5: types.pop(rng.randrange(len(types)))
            else:
                i, j = rng.randrange(len(types)), rng.randrange(len(types))
                types[i], types[j] = types[j], types[i]
        else: module = change_number(rng, module)
    return Op(op.name, middle, operands, results, module)


def main():
    from triton._C.libtriton import ir, nvidia  # pylint: disable=import-outside-toplevel
    for path in sys.argv[1:]:
        read, write = os.pipe()
        child = os.fork()
        if not child:  # a program may end Triton's process
            os.dup2(write, 2)
            context = ir.context()
            ir.load_dialects(context)
            nvidia.load_dialects(context)
            try:
                ir.parse_mlir_module(path, context)
            except Exception:  # pylint: disable=broad-exception-caught
                os._exit(1)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as stream: said = stream.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors = re.findall(r"error: (.*)", said)
        print("ok" if status == 0 else (errors or said.strip().split("\n") or [""])[0] or f"ended with {status}", flush=True)


if __name__ == "__main__": main()
