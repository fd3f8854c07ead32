# SPDX-License-Identifier: Apache-2.0
"""Where Heddle's shared libraries are: in the installed package, else in HEDDLE_BUILD, else in build/ of this checkout."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))


def path(name):
    """The path of the library |name|; FileNotFoundError, saying where it was looked for, when there is none."""
    folders = [os.path.join(HERE, "lib"), os.path.join(os.environ.get("HEDDLE_BUILD") or os.path.join(ROOT, "build"), "lib")]
    if os.environ.get("HEDDLE_BUILD"): folders.reverse()
    for folder in folders:
        if os.path.exists(os.path.join(folder, name)): return os.path.join(folder, name)
    raise FileNotFoundError(f"{name} is in none of: {', '.join(folders)}")
