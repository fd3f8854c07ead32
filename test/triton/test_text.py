# SPDX-License-Identifier: Apache-2.0
"""What Triton prints of its programs before each of its passes and at the end is read, verified and printed back the same,
names of values aside."""
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
pytest.importorskip("triton")
from dumps import programs, without_aliases  # noqa: E402
from kernels import COMPILED  # noqa: E402

OPT = os.path.join(os.path.abspath(os.environ["HEDDLE_BUILD"]), "bin", "heddle-opt")
NAME = re.compile(r"%[\w$.\-]+")
# Where a value begins: before " =", with its number of results or without, and before the colon of an argument's type.
DEFINED = re.compile(r"%[\w$.\-]+(?=(:\d+)?(, %[\w$.\-]+(:\d+)?)* =|: )")


def normal(text):
    """Lines with values numbered where they begin, since a name may begin again in another region; without comments."""
    names, count, lines = {}, 0, []
    for line in text.split("\n"):
        line = re.sub(r" *// .*$", "", line.rstrip()) if line.lstrip().startswith("^") else line.rstrip()
        if not line or line.startswith("//"):
            continue
        for match in DEFINED.finditer(line):
            count += 1
            names[match.group(0)] = f"%v{count}"
        lines.append(NAME.sub(lambda m: names.get(m.group(0), m.group(0)), line))
    return lines


def check_prints_back(title, text, path):
    path.write_text(text)
    locations = ["--mlir-print-debuginfo"] if " loc(" in text else []
    ran = subprocess.run([OPT, *locations, str(path)], capture_output=True, text=True)
    assert ran.returncode == 0, f"before {title}: {ran.stderr[:2000]}"
    printed = ran.stdout if text.lstrip().startswith("#") else without_aliases(ran.stdout)
    wanted, got = normal(text), normal(printed)
    differ = [f"-{a}\n+{b}" for a, b in zip(wanted, got) if a != b]
    assert not differ and len(wanted) == len(got), f"before {title}:\n" + "\n".join(differ[:5])


@pytest.mark.parametrize("name, arch", COMPILED)
def test_prints_back(name, arch, tmp_path, once):
    texts = once(f"triton_{name}_{arch}", lambda: programs(name, arch, tmp_path))
    assert len(texts) > 3
    # What is between partitions is of a dialect that only lives inside of Triton's warp specialization.
    texts = [(title, text) for title, text in texts if "nvws." not in text]
    assert len(texts) > 3
    for number, (title, text) in enumerate(texts):
        check_prints_back(title, text, tmp_path / f"{number}.mlir")
