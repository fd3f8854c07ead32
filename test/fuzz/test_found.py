# SPDX-License-Identifier: Apache-2.0
"""Programs that random ones were made small to, when they were compiled wrongly."""
import os

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
