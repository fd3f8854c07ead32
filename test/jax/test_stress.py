# SPDX-License-Identifier: Apache-2.0
"""Many threads on the plugin: as it is built, and under sanitizers, which see the plugin and the runtime. There programs come as
serialised executables, since neither the compiler nor machine code made at run time could be checked."""
import contextlib
import fcntl
import os
import shutil
import subprocess

import pytest


def run(command, **more):
    env = {**os.environ, **more.pop("env", {})}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL, env=env, **more)
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
    return done


def test_threads(build, tmp_path):
    run([os.path.join(build, "bin", "pjrt_stress")], env={"HEDDLE_CACHE_DIR": str(tmp_path)})


@pytest.fixture(scope="module")
def executables(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("executables")
    run([os.path.join(build, "bin", "pjrt_stress"), "--write", folder], env={"HEDDLE_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))})
    return folder


@contextlib.contextmanager
def one_process(folder):
    """Held while |folder| is configured and built: other test runs on the same build wait."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_sanitized(root, build, request, sanitizer):
    if not os.environ.get("HEDDLE_LONG"): pytest.skip("builds the runtime under a sanitizer: in make test-long")
    executables = request.getfixturevalue("executables")
    folder = os.path.join(build, "stress", sanitizer.split(",")[0])  # kept: the next run compiles what changed
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    with one_process(folder):
        run(["cmake", "-G", "Ninja", "-S", root, "-B", folder, "-DCMAKE_BUILD_TYPE=Debug", f"-DHEDDLE_SANITIZE={sanitizer}", "-DHEDDLE_LLVM_LIBRARY=", *launcher])
        run(["ninja", "-C", folder, "pjrt_stress"])
    done = run([os.path.join(folder, "bin", "pjrt_stress"), "--read", executables], env={"PJRT_STRESS_ROUNDS": "500", "TSAN_OPTIONS": "exitcode=66"})
    assert " 0 failed" in done.stdout + done.stderr, done.stdout + done.stderr
