# SPDX-License-Identifier: Apache-2.0
"""Kernels of production size, as a folder beside the checkout has them (../shared/oracles/triton, or HEDDLE_TRITON_ORACLE):
what Triton prints of them before each pass of all its stages, down to its LLVM dialect, is read, verified and printed
back the same."""
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
pytest.importorskip("triton")
from dumps import HEAD  # noqa: E402
from test_text import check_prints_back  # noqa: E402

ORACLE = os.environ.get("HEDDLE_TRITON_ORACLE") or os.path.join(HERE, "..", "..", "..", "shared", "oracles", "triton")
KERNELS = ["vecadd", "softmax", "layernorm", "matmul", "flash", "reduce_loop", "matmul_f32_tf32", "matmul_f32_tf32x3",
           "matmul_f32_ieee", "matmul_tma"]
COMMANDS = [["compile.py", name, arch] for name in KERNELS for arch in ("80", "90", "100")] + [["zoo.py"]]


@pytest.mark.skipif(not os.path.isdir(ORACLE), reason=f"there is no {ORACLE}")
@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_prints_back(command, tmp_path):
    environment = dict(os.environ, MLIR_ENABLE_DUMP="1", TRITON_CACHE_DIR=str(tmp_path / "cache"),
                       PYTHONPATH=os.path.abspath(ORACLE), PYTHONDONTWRITEBYTECODE="1")
    ran = subprocess.run([sys.executable, os.path.join(os.path.abspath(ORACLE), command[0]), *command[1:]],
                         capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    parts = HEAD.split(ran.stderr)[1:]
    texts = {text: title for title, text in zip(parts[::2], parts[1::2]) if "module" in text}
    assert len(texts) > 5
    for text, title in texts.items():
        check_prints_back(title, text, tmp_path / "program.mlir")
