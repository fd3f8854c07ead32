# SPDX-License-Identifier: Apache-2.0
"""Where CUDA's assembler is: of an installed CUDA, else the one in the package triton of the build's environment."""
import glob
import os
import shutil


def ptxas(build):
    """The program, or None."""
    packaged = os.path.join(build, "venv", "lib", "python3*", "site-packages", "triton", "backends", "nvidia", "bin", "ptxas")
    return shutil.which("ptxas") or next(iter(glob.glob(packaged)), None)
