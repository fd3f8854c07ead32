#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py: the order of the folders, as ARCHITECTURE.md draws it, holds for every #include.

A folder uses only folders below it. Only src/target/llvm includes llvm-c. src/runtime uses src/base alone, so that
libheddle_rt.so is without the compiler. src/eval judges the runtime: of it it knows the words of calls alone. Public headers use public headers only. A door of front/ uses no other
door: what they share is in front/compiler. Attributes are asked for by enum hd_name, ops by opcode and cases of enums
by their enumerators, by text only in src/text and src/bytecode. Prints each breach as file:line: error and exits 1 when there is one."""
import os
import re
import sys

# From the bottom up. Folders of one row do not use each other.
ROWS = [["base"], ["ir", "runtime"], ["shape"], ["text"], ["bytecode", "hlo"], ["pass"], ["analysis"], ["eval"],
        ["codegen"], ["passes"], ["target"], ["driver"]]
LEVEL = {folder: level for level, row in enumerate(ROWS) for folder in row}
# passes/ are named in the driver's tables, and a pass may ask a target for its facts through codegen/, never target/.
ONLY = {"base": {"base"}, "runtime": {"base", "runtime"}}
# Folders inside of a folder that are layers too, from the bottom up, and BESIDE, the files that are beside them.
BESIDE = ""
INSIDE = {"eval": ["core", "graph", "machine", "tile", BESIDE],
          "passes": [BESIDE, "lowering", "graph", "host", "machine", "buffer", "fuse", "kernel", "gpu", "tile"]}
# What the evaluator may know of the runtime.
CALLS = ("_abi.h", "ral_names.h")
LLVM = os.path.join("src", "target", "llvm") + os.sep
# What is on rows is asked for by enum hd_name; by its text only where a program is read or written.
TEXTUAL = ("src/text/", "src/bytecode/")
BY_TEXT = re.compile(r'\bhd_(?:op_attr_get|op_attr_set|dict_get)_named\([^;]*"')
OP_BY_TEXT = re.compile(r'\b(?:strcmp|hd_str_is)\([^;"]*name->text, "|\bstrcmp\([^;"]*info->name, "\w+\.|\bhd_str_is\(hd_enum_case_name\(')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def breach(path, quote, name):
    """Why |path| may not include |name|, or None."""
    if name.startswith("llvm-c/") and not path.startswith(LLVM):
        return "only src/target/llvm includes llvm-c"
    parts = path.split(os.sep)
    if parts[0] == "include":
        if quote == '"' and not name.startswith("heddle/"):
            return "a public header uses public headers only"
        return None
    if parts[0] == "front" and quote == '"' and name.startswith("../") and not name.startswith("../compiler/"):
        return "a door uses no other door, only front/compiler"
    target = name.split("/")[0]
    if parts[0] != "src" or quote != '"' or "/" not in name or target == "heddle":
        return None
    here = parts[1]
    if target not in LEVEL:
        # A path relative to the file, as an X-macro table beside it.
        return None if os.path.exists(os.path.join(os.path.dirname(path), name)) else f"unknown folder '{target}'"
    if here not in LEVEL:
        return f"folder src/{here} has no place in the order of tools/check_layers.py"
    allowed = ONLY.get(here)
    if allowed is not None and target not in allowed:
        return f"src/{here} uses only {', '.join(sorted(allowed))}"
    if here == "eval" and target == "runtime" and not name.endswith(CALLS):
        return "src/eval knows the words of the runtime's calls, not what computes them"
    inside = INSIDE.get(here)
    if inside and here == target:
        folders = [names[1] if len(names) > 2 else BESIDE for names in (parts[1:], name.split("/"))]
        if not set(folders) <= set(inside):
            return f"a folder of src/{here} has no place in the order of tools/check_layers.py"
        if inside.index(folders[1]) > inside.index(folders[0]):
            return f"{os.path.join(*parts[:3])} may not use {name}, which is not below it"
    if here != target and LEVEL[target] >= LEVEL[here]:
        return f"src/{here} may not use src/{target}, which is not below it"
    return None


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    bad = files = 0
    for top in ("src", "include", "front"):
        for folder, _, names in sorted(os.walk(top)):
            for file in sorted(names):
                if not file.endswith((".c", ".h", ".def", ".inc")):
                    continue
                files += 1
                path = os.path.join(folder, file)
                with open(path, encoding="utf-8") as handle:
                    for number, line in enumerate(handle, 1):
                        match = INCLUDE.match(line)
                        why = match and breach(path, *match.groups())
                        if why:
                            print(f"{path}:{number}: error: #include \"{match.group(2)}\": {why}")
                            bad += 1
                        if BY_TEXT.search(line) and not path.startswith(TEXTUAL) and not file.endswith("_test.c"):
                            print(f"{path}:{number}: error: an attribute is asked for by its text: expected HD_NAME_...")
                            bad += 1
                        if OP_BY_TEXT.search(line) and not path.startswith(TEXTUAL) and not file.endswith("_test.c"):
                            print(f"{path}:{number}: error: an op or an enum's case is told by its text: expected HD_OP_... or the enumerator")
                            bad += 1
    print(f"layers: {files} files, {bad} breaches")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
