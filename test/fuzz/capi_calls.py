# SPDX-License-Identifier: Apache-2.0
"""Random callers of the C API (test/capi/random_compiler.c, random_runtime.c): an even seed calls the compiler, an odd one
the runtime, each some thousand times. A call answers whatever it is given; on a sanitized build, without touching what it was
not given, and without a leak."""
import os
import subprocess
import sys
import tempfile

import campaign  # first: it adds the folders of the others
import capi
import libheddle

SOURCES = [("random_compiler.c", 1500), ("random_runtime.c", 6000)]
_programs = tempfile.TemporaryDirectory()


def caller(source):
    out = os.path.join(_programs.name, source[:-2])
    if not os.path.exists(out): capi.build_program(os.path.abspath(libheddle.BUILD), os.path.join(campaign.ROOT, "test", "capi", source), out)
    return out


def run(seed, folder):
    source, calls = SOURCES[seed % 2]
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # what is in C has its sanitizer
    environment["ASAN_OPTIONS"] = "allocator_may_return_null=1"
    return calls, subprocess.run([caller(source), str(seed), str(calls), folder], capture_output=True, text=True, errors="replace", env=environment)


def judge(seed, o):
    with tempfile.TemporaryDirectory() as folder: calls, done = run(seed, folder)
    if done.returncode: raise campaign.Find(f"ends with {done.returncode}\n{done.stdout[-500:]}{done.stderr[-4000:]}")
    statuses, failures = (int(word) for word in done.stdout.split() if word.isdigit())
    if statuses <= calls or statuses - failures <= calls / 6: raise campaign.Find(f"{statuses} statuses of {calls} calls, {failures} of them failures: expected more that are right")
    return "ok"


def show(seed, o):
    source, calls = SOURCES[seed % 2]
    return f"// test/capi/{source} with the arguments {seed} {calls} FOLDER\n"


if __name__ == "__main__": sys.exit(campaign.main(campaign.Generator(__doc__, judge, show, limit=300)))
