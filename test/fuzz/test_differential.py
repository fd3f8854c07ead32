# SPDX-License-Identifier: Apache-2.0
"""Random programs: evaluator against compiled code, fixed seeds: two thousand; with HEDDLE_LONG thirty minutes more from another seed."""
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


def differential(build, *options, timeout):
    done = subprocess.run([sys.executable, os.path.join(HERE, "differential.py"), *map(str, options)], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, "HEDDLE_BUILD": build})
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


@pytest.mark.parametrize("first", range(1, 2001, 200))
def test_random_programs(first, build, compiler):
    differential(build, "--seed", first, "--count", 200, "--seconds", 1e6, timeout=1200)


@pytest.mark.parametrize("first", (1, 501, 1001))
def test_mixed_types(first, build, compiler):
    """Element types and sizes at random, allowed and not: each program of one op runs right or is refused at the op."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "mixed_types.py"), "--seed", str(first), "--count", "500", "--seconds", "1e6"],
                          capture_output=True, text=True, timeout=1200, env={**os.environ, "HEDDLE_BUILD": build})
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


def test_more_random_programs(build, compiler):
    if not os.environ.get("HEDDLE_LONG"): pytest.skip("takes half an hour: in make test-long")
    differential(build, "--seed", 1_000_000, "--seconds", 1800, timeout=2040)
