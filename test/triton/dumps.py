# SPDX-License-Identifier: Apache-2.0
"""The texts that Triton prints of a kernel of kernels.py while it compiles it."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = re.compile(r"^// -----// .*IR Dump (?:Before|After:) (\S+).*$", re.M)


def dumped(command, folder, **more):
    """What |command|, a program that runs Triton's compiler in |folder|, writes to stdout, and {text: title} of what Triton prints
    before each pass. Triton prints into a file, since its stderr has no buffer: a system call a word, some millions of them."""
    path = os.path.join(folder, "dump.mlir")
    environment = dict(os.environ, MLIR_ENABLE_DUMP="1", MLIR_DUMP_PATH=path, TRITON_CACHE_DIR=os.path.join(folder, "cache"), **more)
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    assert ran.returncode == 0, ran.stderr[-2000:]
    with open(path, encoding="utf-8") as handle: dump = handle.read()
    os.remove(path)
    seen = {}
    for printed in (dump, ran.stderr):  # the steps inside of Triton's pipeliner go to stderr all the same
        parts = HEAD.split(printed)[1:]
        for title, text in zip(parts[::2], parts[1::2]):
            if "module" in text: seen.setdefault(text, title)
    return ran.stdout, seen


def programs(name, arch, folder):
    """[title, text] before each of Triton's passes and at the end, each text once."""
    end, seen = dumped([sys.executable, os.path.join(HERE, "kernels.py"), name, str(arch), "ttgir"], folder)
    seen.setdefault(end, "the end")
    return [[title, text] for text, title in seen.items()]


def without_aliases(text):
    """With what aliases of attributes stand for in their place: so the steps inside of Triton's pipeliner are printed."""
    aliases = dict(re.findall(r"^(#\w+) = (.*)$", text, re.M))
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    while any(re.search(rf"{name}\b(?!\.)", text) for name in aliases):
        text = re.sub(r"#\w+\b(?!\.)", lambda m: aliases.get(m.group(0), m.group(0)), text)
    return text
