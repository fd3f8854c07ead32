# SPDX-License-Identifier: Apache-2.0
"""C programs against the public headers."""
import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def build_program(build, source, out):
    """Builds |source| against the public headers and libheddle.so of |build|, with the sanitizers that this has."""
    lib = os.path.join(build, "lib")
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as handle:
        sanitize = [f"-fsanitize={line.split('=', 1)[1].strip()}" for line in handle if line.startswith("HEDDLE_SANITIZE:") and line.split("=", 1)[1].strip()]
    subprocess.run(["gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", *sanitize, source, "-I", os.path.join(ROOT, "include"), "-L", lib, "-lheddle",
                    f"-Wl,-rpath,{lib}", "-lpthread", "-lm", "-o", out], check=True)
