# SPDX-License-Identifier: Apache-2.0
"""Collectives from device to device by NCCL, against a library that stands in for it (nccl_stand_in.c) on the one that stands in for CUDA's driver: ranks are threads of
one process. The cases are those of test/collectives, with the evaluator's results."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from collective_cases import CASES, Case, gather
from test_collectives import evaluated
from test_cuda_driver import build_beside_driver, build_library

pytestmark = pytest.mark.usefixtures("compiler")
# Each kind of exchange, groups, those in none, partitions, empty parts, and one after another.
NAMES = ["reduce", "reduce_large", "reduce_empty", "reduce_groups", "reduce_flattened", "gather_middle", "scatter_groups", "exchange_turned", "permute_ring", "permute_some", "broadcast",
         "broadcast_groups", "message_ring", "reduce_uneven", "in_turn"]
SCRIPT = """
import json, sys, threading
import numpy as np
from heddle.errors import HeddleError
from heddle.runtime import Communicator, Runtime
artifact, arrays = open(sys.argv[1], "rb").read(), np.load(sys.argv[2])
inputs = [arrays[f"x{i}"] for i in range(len(arrays.files))]
group, out, said = Communicator.local(len(inputs)), [None] * len(inputs), [None] * len(inputs)
def work(k):
    runtime = Runtime(threads=1, driver="cuda")
    try:
        rank = group[k].on_device(runtime)
        said[k] = rank.why
        executable = runtime.load(artifact)
        for _ in range(2): out[k] = executable(inputs[k], communicator=rank)[0]
    except HeddleError as error: said[k] = str(error)
    del rank
threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
for t in threads: t.start()
for t in threads: t.join(60)
assert not any(t.is_alive() for t in threads), "a rank waits for ever"
group.clear()
np.savez(sys.argv[3], **{f"out{k}": x for k, x in enumerate(out) if x is not None})
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def libraries(root, build, tmp_path_factory):
    return build_beside_driver(root, build, tmp_path_factory.mktemp("cuda"), "nccl_stand_in.c", "libnccl.so.2")


@pytest.fixture
def run(heddle, libraries, root, tmp_path):
    """run(case, inputs) gives (results by rank, what each rank says, how often NCCL exchanged, that it joined)."""
    def run(program, inputs, nccl=None, env=None):
        (tmp_path / "p.mlir").write_text(program)
        for target in ("cuda", "simt"): heddle("compile", tmp_path / "p.mlir", "--target", target, "-o", tmp_path / f"{target}.hdl", check=True)
        np.savez(tmp_path / "in.npz", **{f"x{i}": x for i, x in enumerate(inputs)})
        done = subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / "cuda.hdl", tmp_path / "in.npz", tmp_path / "out.npz"], capture_output=True, text=True, timeout=100,
                              env={**os.environ, **libraries, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), **({"HEDDLE_STAND_IN_NCCL": nccl} if nccl else {}), **(env or {})})
        assert done.returncode == 0, done.stdout + done.stderr[-3000:]
        with np.load(tmp_path / "out.npz") as file: out = {int(name[3:]): file[name] for name in file.files}
        return out, json.loads(done.stdout), done.stderr.count("stand-in: exchange"), done.stderr.count("stand-in: rank")
    return run


@pytest.mark.parametrize("name", [n for n in NAMES if n in CASES])
def test_case(name, run, heddle, tmp_path):
    case = CASES[name]
    out, said, exchanged, joined = run(case.program(), case.inputs())
    assert said == [""] * case.processes and joined == case.processes
    assert exchanged > 0 or name.startswith(("message", "reduce_empty")), "nothing went from device to device"
    for rank, want in enumerate(evaluated(heddle, tmp_path, case)):
        np.testing.assert_allclose(out[rank], want, rtol=case.tolerance or 1e-6, atol=case.tolerance, err_msg=f"process {rank}")


@pytest.mark.parametrize("nccl, why", [("old", "NCCL is of version 2408, expected 2.7 or later"), ("id", "NCCL: new id: error 5"), ("join", "NCCL: join: error 5")])
def test_by_the_host(nccl, why, run, heddle, tmp_path):
    """Where NCCL cannot, exchanges go by the host, and ranks know why."""
    case = CASES["gather"]
    out, said, exchanged, _ = run(case.program(), case.inputs(), nccl=nccl)
    assert said[0] == why and all(s in (why, "another process cannot") for s in said) and exchanged == 0
    for rank, want in enumerate(evaluated(heddle, tmp_path, case)): np.testing.assert_array_equal(out[rank], want)


def test_no_nccl(run, root, build, tmp_path):
    folder = tmp_path / "alone"
    folder.mkdir()
    env = build_library(root, build, folder)
    for name in ("libnccl.so.2", "libnccl.so"): (folder / name).write_text("no library")
    case = CASES["gather"]
    out, said, exchanged, _ = run(case.program(), case.inputs(), env=env)
    assert all(s.startswith("no NCCL: ") for s in said) and exchanged == 0 and len(out) == case.processes


def test_failing_exchange(run):
    """The run fails with what NCCL answers."""
    case = CASES["gather"]
    out, said, _, _ = run(case.program(), case.inputs(), nccl="fails")
    assert not out and all("NCCL: exchange: error 5" in s or "collective given up" in s for s in said) and any("error 5" in s for s in said), said


def test_different_sizes(run):
    """Found before a device waits for what does not come."""
    case = Case(gather([[0, 1, 2, 3]], 0), (3, 5), (12, 5))
    inputs = [np.ones((3 + (k == 1), 5), np.float32) for k in range(4)]
    out, said, exchanged, _ = run(case.program(), inputs)
    assert not out and exchanged == 0 and any("bytes where process" in s for s in said), said


ABORT = """
import ctypes, os, sys, threading, time
import numpy as np
from heddle.errors import HeddleError
from heddle.runtime import Communicator, Runtime
artifact, ranks, stuck = open(sys.argv[1], "rb").read(), 2, sys.argv[2] == "stuck"
group, devices, said, ready = Communicator.local(ranks), [None] * ranks, [None] * ranks, threading.Barrier(ranks)
def work(k):
    runtime = Runtime(threads=1, driver="cuda")
    devices[k] = group[k].on_device(runtime)
    executable = runtime.load(artifact)
    ready.wait()
    try:
        executable(np.ones((3, 5), np.float32), communicator=devices[k])
        said[k] = "done"
    except HeddleError as error: said[k] = str(error)
threads = [threading.Thread(target=work, args=(k,)) for k in range(ranks)]
for t in threads: t.start()
nccl = ctypes.CDLL("libnccl.so.2")
while nccl.standInInside() < ranks: time.sleep(0.001)
start = time.monotonic()
for rank in devices if not stuck else devices[:1]: rank.lib.hd_communicator_abort(rank.handle, b"enough")
took = time.monotonic() - start
for t in threads: t.join(30)
assert not any(t.is_alive() for t in threads), "a rank waits for ever"
assert took < (3 if stuck else 1), took
print(said)
devices.clear()
group.clear()
"""


@pytest.mark.parametrize("nccl", ["slow", "stuck"])
def test_abort_meets_an_exchange(nccl, heddle, libraries, tmp_path):
    """What gives up does not free what another thread puts into its stream, and ends one that waits for a rank that does not come."""
    (tmp_path / "p.mlir").write_text(Case(gather([[0, 1]], 0), (3, 5), (6, 5)).program())
    for target in ("cuda", "simt"): heddle("compile", tmp_path / "p.mlir", "--target", target, "-o", tmp_path / f"{target}.hdl", check=True)
    done = subprocess.run([sys.executable, "-c", ABORT, tmp_path / "cuda.hdl", nccl], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **libraries, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), "HEDDLE_STAND_IN_NCCL": nccl})
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert ("error 5" in done.stdout) == (nccl == "stuck"), done.stdout
