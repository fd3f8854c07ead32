# SPDX-License-Identifier: Apache-2.0
"""The texts that Triton prints of a kernel of kernels.py while it compiles it."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = re.compile(r"^// -----// .*IR Dump (?:Before|After:) (\S+).*$", re.M)


def programs(name, arch, folder):
    """(title, text) before each of Triton's passes and at the end, each text once."""
    environment = dict(os.environ, MLIR_ENABLE_DUMP="1", TRITON_CACHE_DIR=str(folder))
    ran = subprocess.run([sys.executable, os.path.join(HERE, "kernels.py"), name, str(arch), "ttgir"],
                         capture_output=True, text=True, env=environment, check=True)
    parts = HEAD.split(ran.stderr)[1:]
    seen = {}
    for title, text in zip(parts[::2], parts[1::2]):
        seen.setdefault(text, title)
    seen.setdefault(ran.stdout, "the end")
    return [(title, text) for text, title in seen.items() if "module" in text]


def without_aliases(text):
    """With what aliases of attributes stand for in their place: so the steps inside of Triton's pipeliner are printed."""
    aliases = dict(re.findall(r"^(#\w+) = (.*)$", text, re.M))
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    while any(re.search(rf"{name}\b(?!\.)", text) for name in aliases):
        text = re.sub(r"#\w+\b(?!\.)", lambda m: aliases.get(m.group(0), m.group(0)), text)
    return text
