# SPDX-License-Identifier: Apache-2.0
"""Random programs: evaluator against compiled code, fixed seeds. Five minutes; with HEDDLE_LONG thirty from another seed."""
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
FOUND = os.path.join(HERE, "found")


@pytest.mark.parametrize("name", sorted(n for n in os.listdir(FOUND) if n.endswith(".mlir")))
def test_found(name, heddle, compiler):
    """Programs that were compiled wrongly once, at every level; a line "// run:" gives options."""
    path = os.path.join(FOUND, name)
    with open(path, encoding="utf-8") as text: options = [o for line in text if line.startswith("// run:") for o in line.split()[2:]]
    heddle("run", path, "--random", 1, "--reference=eval", *options, check=True)
    heddle("bisect", path, "--random", 1, *options, check=True)  # kernels are run with every index checked


def test_random_programs(build, compiler):
    seconds, seed = (1800, 1_000_000) if os.environ.get("HEDDLE_LONG") else (300, 1)
    done = subprocess.run([sys.executable, os.path.join(HERE, "differential.py"), "--seconds", str(seconds), "--seed", str(seed)],
                          capture_output=True, text=True, timeout=seconds + 240, env={**os.environ, "HEDDLE_BUILD": build})
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
