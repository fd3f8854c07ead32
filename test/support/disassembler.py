# SPDX-License-Identifier: Apache-2.0
"""Instructions of machine code for CUDA, where its disassembler is: of an installed CUDA, else of the package triton."""
import glob
import os
import re
import shutil
import subprocess


def nvdisasm(build):
    """The program, or None."""
    packaged = os.path.join(build, "venv", "lib", "python3*", "site-packages", "triton", "backends", "nvidia", "bin", "nvdisasm")
    return shutil.which("nvdisasm") or next(iter(glob.glob(packaged)), None)


def instructions(program, cubin):
    """The instructions of each kernel of the file |cubin|, by name, without the padding after them."""
    done = subprocess.run([program, "-c", cubin], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found, name = {}, None
    for line in done.stdout.splitlines():
        if match := re.match(r"\.text\.(\S+):", line): name = match[1]
        elif name and (match := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?);", line)) and not match[1].startswith("NOP"): found.setdefault(name, []).append(match[1])
    return found
