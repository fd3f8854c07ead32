# SPDX-License-Identifier: Apache-2.0
"""What the pytest suites share: where the build is, and running the programs in it."""
import ctypes
import fcntl
import gc
import json
import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "front", "python"))
# Helpers beside the tests of a folder are imported by their bare names.
sys.path += sorted(entry.path for entry in os.scandir(os.path.dirname(os.path.abspath(__file__))) if entry.is_dir())
os.environ["JAX_PLATFORMS"] = "cpu"  # what JAX computes here is a reference, whatever the caller runs JAX on
# References are compiled once and run once: without LLVM's optimisations and the emitters that make MLIR of each kernel XLA takes half the time.
# XLA takes the last of several values of a flag, so the caller's come behind; the long suite has XLA as it is.
if not os.environ.get("HEDDLE_LONG"):
    os.environ["XLA_FLAGS"] = f"--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false {os.environ.get('XLA_FLAGS', '')}".rstrip()

import needs  # noqa: E402

needs.offer_opencl()


def drop_compiled():
    """Lets go of what JAX compiled in this process: some MB a function, which it else keeps to the end. malloc gives back what compilers took: two thirds of it."""
    jax = sys.modules.get("jax")
    if jax and hasattr(jax, "clear_caches"): jax.clear_caches()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(scope="module", autouse=True)
def bounded_memory():
    yield
    drop_compiled()


@pytest.fixture(scope="session")
def root():
    return os.path.abspath(ROOT)


@pytest.fixture(scope="session")
def build(root):
    return os.path.abspath(os.environ.get("HEDDLE_BUILD", os.path.join(root, "build")))


# What a level asks beyond x86-64-v3, by the kernel's names and the psABI: not by Heddle's own detection, which the tests check.
CPU_LEVELS = {"native": set(), "x86-64-v3": set(), "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}


@pytest.fixture(scope="session")
def runs_on_cpu():
    """runs_on_cpu(level) skips a test that would run code of |level| where this machine's CPU cannot."""
    with open("/proc/cpuinfo", encoding="utf-8") as handle: flags = re.search(r"^flags\s*: (.*)$", handle.read(), re.M).group(1).split()

    def check(level):
        missing = CPU_LEVELS[level] - set(flags)
        if missing: pytest.skip(f"this machine's CPU lacks {', '.join(sorted(missing))}, which {level} needs")
    return check


@pytest.fixture(scope="session")
def cpu_passes(root):
    """The cpu target's pipeline as --pass-pipeline takes it."""
    with open(os.path.join(root, "src", "driver", "pipelines.def"), encoding="utf-8") as table: rows = re.sub(r"/\*.*?\*/", "", table.read(), flags=re.S)
    stages = dict(re.findall(r"#define (STAGE_\w+)((?:[^\n]*\\\n)*[^\n]*)", rows))
    row = re.search(r'PIPELINE\(host,(.*?)\)\s*(?:PIPELINE|#undef|#define)', rows, re.S).group(1)
    row = re.sub(r'(STAGE_\w+)', lambda m: stages[m[1]], row)
    return "".join(re.findall(r'"([^"]*)"', row))


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """once(name, make) gives what make() gave, as JSON has it, in the first process of the test run that asked for |name|."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def get(name, make):
        path = folder / f"{name}.json"
        with open(folder / f"{name}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                made = json.dumps(make())
                path.write_text(made, encoding="utf-8")
        return json.loads(path.read_text(encoding="utf-8"))
    return get


@pytest.fixture(scope="session")
def heddle(build, tmp_path_factory):
    """heddle(*args) runs the program with a cache of its own; gives the CompletedProcess."""
    cache = str(tmp_path_factory.mktemp("cache"))

    def run(*args, check=False, timeout=300, env=None, **more):
        environment = {**os.environ, "HEDDLE_CACHE_DIR": cache, **(env or {})}
        done = subprocess.run([os.path.join(build, "bin", "heddle"), *map(str, args)], capture_output=True, text=True,
                              timeout=timeout, env=environment, stdin=subprocess.DEVNULL, **more)
        if check and done.returncode:
            pytest.fail(f"heddle {' '.join(map(str, args))}: exit {done.returncode}\n{done.stderr}")
        return done
    return run


@pytest.fixture(scope="session")
def compiler(heddle, root, tmp_path_factory):
    """Fails at once, for all tests that compile, when the smallest example does not."""
    heddle("compile", os.path.join(root, "examples", "gelu.mlir"), "-o", tmp_path_factory.mktemp("probe") / "gelu.hdl", check=True)
