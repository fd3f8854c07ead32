# SPDX-License-Identifier: Apache-2.0
"""JAX on Heddle, compared with JAX's own CPU platform: one process runs all cases of platform_cases.py."""
import ast
import json
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "platform_cases.py")


def names():
    """Functions of the script that are cases, without importing it here, where JAX has its own platform."""
    with open(SCRIPT, encoding="utf-8") as handle: tree = ast.parse(handle.read())
    return [f.name for f in tree.body if isinstance(f, ast.FunctionDef) and any(getattr(d, "id", "") == "case" for d in f.decorator_list)]


def environment(root, build, cache, **more):
    return {**os.environ, "JAX_PLATFORMS": "heddle,cpu", "PYTHONPATH": os.path.join(root, "front", "python"),
            "HEDDLE_BUILD": build, "HEDDLE_CACHE_DIR": str(cache), **more}


@pytest.fixture(scope="module")
def results(root, build, tmp_path_factory):
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL,
                          env=environment(root, build, tmp_path_factory.mktemp("cache")))
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return dict(lines), done


@pytest.mark.parametrize("name", names())
def test_case(results, name):
    outcomes, done = results
    assert name in outcomes, f"the process ended with {done.returncode} before the case\n{done.stderr[-3000:]}"
    assert outcomes[name] is None, outcomes[name]


def test_process_ends_well(results):
    assert results[1].returncode == 0, results[1].stderr[-3000:]
