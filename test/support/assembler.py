# SPDX-License-Identifier: Apache-2.0
"""Where CUDA's assembler is: of an installed CUDA, else the one in the package triton of the build's environment."""
import glob
import os
import shutil

import pytest


def needed_ptxas(build):
    """The program; the test is skipped where there is none."""
    return ptxas(build) or pytest.skip("ptxas is not installed: CUDA's toolkit or the package triton has it")


def ptxas(build):
    """The program, or None."""
    packaged = os.path.join(build, "venv", "lib", "python3*", "site-packages", "triton", "backends", "nvidia", "bin", "ptxas")
    return shutil.which("ptxas") or next(iter(glob.glob(packaged)), None)
