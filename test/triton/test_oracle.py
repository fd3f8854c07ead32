# SPDX-License-Identifier: Apache-2.0
"""Kernels of production size, as a folder beside the checkout has them (../shared/oracles/triton, or HEDDLE_TRITON_ORACLE):
what Triton prints of them before each pass of all its stages, down to its LLVM dialect, is read, verified and printed
back the same."""
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
pytest.importorskip("triton")
from dumps import dumped  # noqa: E402
from test_text import check_prints_back  # noqa: E402

ORACLE = os.environ.get("HEDDLE_TRITON_ORACLE") or os.path.join(HERE, "..", "..", "..", "shared", "oracles", "triton")
KERNELS = ["vecadd", "softmax", "layernorm", "matmul", "flash", "reduce_loop", "matmul_f32_tf32", "matmul_f32_tf32x3",
           "matmul_f32_ieee", "matmul_tma"]
COMMANDS = [["compile.py", name, arch] for name in KERNELS for arch in ("80", "90", "100")] + [["zoo.py"]]


@pytest.mark.skipif(not os.path.isdir(ORACLE), reason=f"there is no {ORACLE}")
@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_prints_back(command, tmp_path):
    folder = os.path.abspath(ORACLE)
    _, texts = dumped([sys.executable, os.path.join(folder, command[0]), *command[1:]], tmp_path, PYTHONPATH=folder, PYTHONDONTWRITEBYTECODE="1")
    assert len(texts) > 5
    for text, title in texts.items():
        check_prints_back(title, text, tmp_path / "program.mlir")
