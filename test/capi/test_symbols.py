# SPDX-License-Identifier: Apache-2.0
"""What the shared libraries show: the functions of include/heddle/ and nothing else, so that two libraries in one process
(another LLVM, another Heddle) cannot mix their insides."""
import glob
import os
import re
import subprocess


def public_names(root, header="*.h", pointers=False):
    """What the headers declare; |pointers|: only functions that take one."""
    names = set()
    for path in glob.glob(os.path.join(root, "include", "heddle", header)):
        with open(path, encoding="utf-8") as handle: text = re.sub(r"/\*.*?\*/|^#[^\n]*", "", handle.read(), flags=re.S | re.M)
        names |= {re.search(r"(\w+)\s*\(", part).group(1) for part in re.findall(r"HD_API ([^;]*)", text)
                  if "(" in part and ("*" in part.split("(", 1)[1] or not pointers)}
    return names


def shown(path):
    out = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[0].split("@")[0] for line in out.splitlines()}


def library(build, name): return os.path.join(build, "lib", name)


def test_compiler_library_shows_the_whole_api(build, root):
    names = public_names(root)
    assert len(names) > 80 and "hd_compile" in names and "ral_api_call" in names
    assert shown(library(build, "libheddle.so")) == names


def test_runtime_library_shows_its_part(build, root):
    names = shown(library(build, "libheddle_rt.so"))
    assert names <= public_names(root), sorted(names - public_names(root))
    for header in ("runtime.h", "ral.h", "tensor_file.h", "cache.h", "constants.h", "status.h", "cpu.h", "element.h"):
        missing = public_names(root, header) - names
        assert not missing, (header, sorted(missing))


def test_no_other_library_shows_more(build, root):
    """Every other library of the build shows no more than the API and what its host looks up."""
    for path in glob.glob(library(build, "*.so")):
        extra = shown(path) - public_names(root) - {"GetPjrtApi", "hd_pjrt_count", "PyInit_heddle_python"}
        assert not extra, (path, sorted(extra))
