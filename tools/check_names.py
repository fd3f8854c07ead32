#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_names.py [--write]: attributes are read by the accessors of their rows (ir/ops/<dialect>.h, interfaces.h,
discardable.h), by name only where tools/check_names.txt still allows it.

Three things are counted per file of src/ and front/, but for src/ir/ops, the readers and printers, and tests: string literals
that are an attribute's name (those with a dot, an underscore or a capital inside: 'value' and 'kind' are words of their own);
look-ups by a name that is written in the call (hd_op_attr_get(op, HD_NAME_value) and its like, whatever gives the op; a name
that a table or a caller holds is none); and opcodes that a switch lists (`case HD_OP_`), which rows, traits and tables should know.
A file has as many as its row says; --write lowers the rows to what is left, and never raises one. Prints each breach as an
error and exits 1 when there is one."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ALLOWED = os.path.join("tools", "check_names.txt")
# What reads and prints programs deals in names; ir/op.[ch] are the look-ups themselves.
EXEMPT = ("src/ir/ops/", "src/text/", "src/bytecode/", "src/hlo/", "src/ir/op.")
# One argument, with two more calls inside at most.
ARGUMENT = r"(?:[^(),]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+"
LOOKUP = re.compile(r"\bhd_op_(?:attr_get|int_attr|string_attr)\(" + ARGUMENT + r",[^,;()]*\bHD_NAME_")
# Not the ones that a macro makes of a table's rows.
CASE = re.compile(r"\bcase HD_OP_(?!\w*##)\w")
NONE = (0, 0, 0)
KINDS = ("literals that name an attribute", "look-ups by name", "opcodes in switches")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def names():
    """Attributes of rows and discardable ones that no other text is likely to be."""
    found = set()
    folder = os.path.join("src", "ir", "ops")
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".def"):
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as handle:
            text = re.sub(r'"\s*\n\s*"', "", handle.read())
        for column in re.findall(r'ATTRS\("([^"]*)"\)', text):
            found |= {item.split(":")[0].strip().rstrip("?*") for item in re.split(r",\s*(?=[\w.]+[?*]?:)", column)}
        found |= set(re.findall(r'^DISCARDABLE\("([^"]+)"', text, re.M))
    return {name for name in found if re.search(r"[._]|[a-z][A-Z]", name)}


def count(path, known):
    with open(path, encoding="utf-8") as handle:
        lines = [line for line in handle if not line.lstrip().startswith("#include")]
    literals = sum(text in known for line in lines for text in LITERAL.findall(line))
    return literals, len(LOOKUP.findall("".join(lines))), sum(len(CASE.findall(line)) for line in lines)


def counts():
    known, found = names(), {}
    for top in ("src", "front"):
        for folder, _, files in os.walk(top):
            for file in files:
                path = os.path.join(folder, file)
                if not file.endswith((".c", ".h", ".def", ".inc")) or "_test." in file or path.startswith(EXEMPT):
                    continue
                result = count(path, known)
                if any(result):
                    found[path] = result
    return found


def read_allowed():
    with open(ALLOWED, encoding="utf-8") as handle:
        rows = [line.split() for line in handle if line.strip() and not line.startswith("#")]
    return {row[0]: tuple(map(int, row[1:])) for row in rows}


def write_allowed(rows):
    with open(ALLOWED, "w", encoding="utf-8") as handle:
        handle.write("# What tools/check_names.py still allows: file, literals that are names, look-ups by name, opcodes in\n"
                     "# switches. Rows only fall.\n")
        for path, row in sorted(rows.items()):
            handle.write(" ".join([path, *map(str, row)]) + "\n")


def main():
    os.chdir(ROOT)
    found, allowed = counts(), read_allowed()
    if "--write" in sys.argv[1:]:
        write_allowed({path: tuple(map(min, pair, allowed[path])) for path, pair in found.items() if path in allowed})
        allowed = read_allowed()
    bad = 0
    for path, pair in sorted(found.items()):
        for kind, got, most in zip(KINDS, pair, allowed.get(path, NONE)):
            if got > most:
                print(f"{path}: error: {kind}: expected {most} at most, got {got}: see docs/design/ir.md")
                bad += 1
    for path, row in sorted(allowed.items()):
        if any(most > got for most, got in zip(row, found.get(path, NONE))):
            print(f"{path}: error: {ALLOWED} allows {row}, got {found.get(path, NONE)}: run tools/check_names.py --write")
            bad += 1
    print("names: " + ", ".join(f"{sum(row[k] for row in found.values())} {kind}" for k, kind in enumerate(KINDS)) + f", {bad} breaches")
    return 1 if bad or not names() else 0


if __name__ == "__main__":
    sys.exit(main())
