# SPDX-License-Identifier: Apache-2.0
"""Collectives between executions of one process, and between processes that mpirun starts, compared with the evaluator."""
import json
import os
import re
import subprocess
import threading

import numpy as np
import needs
import pytest
from collective_cases import CASES, Case, broadcast, exchange, gather, permute, reduce, scatter

from heddle.errors import HeddleError
from heddle.runtime import Communicator, Runtime, compile_program


def side_by_side(executables, inputs, ranks, timeout=60):
    """One thread per process; its results or its exception."""
    results = [None] * len(ranks)

    def work(k):
        try:
            results[k] = [np.array(a) for a in executables[k](*inputs[k], communicator=ranks[k])]
        except HeddleError as error:
            results[k] = error
    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(len(ranks))]
    for t in threads: t.start()
    for t in threads: t.join(timeout)
    assert not any(t.is_alive() for t in threads), "a process waits for ever"
    return results


def evaluated(heddle, tmp_path, case):
    (tmp_path / "all.mlir").write_text(case.parallel())
    np.savez(tmp_path / "all.npz", **{f"arg{i}": x for i, x in enumerate(case.inputs())})
    heddle("eval", tmp_path / "all.mlir", "--inputs", tmp_path / "all.npz", "--outputs", tmp_path / "want.npz", check=True)
    with np.load(tmp_path / "want.npz") as want: return [want[f"out{i}"] for i in range(case.processes)]


@pytest.fixture(scope="module")
def runtime(): return Runtime(threads=1)


@pytest.mark.parametrize("name", CASES)
def test_in_one_process(name, runtime, heddle, tmp_path):
    case = CASES[name]
    executable = runtime.load(compile_program(case.program().encode(), name))
    got = side_by_side([executable] * case.processes, [[x] for x in case.inputs()], Communicator.local(case.processes))
    for rank, (results, want) in enumerate(zip(got, evaluated(heddle, tmp_path, case))):
        if isinstance(results, HeddleError): raise results
        np.testing.assert_allclose(results[0], want, rtol=case.tolerance, atol=case.tolerance, err_msg=f"process {rank}")
        # A reduction has the same bits in every process of a group.
        if case.tolerance and "uneven" not in name: np.testing.assert_array_equal(results[0], got[0][0])


def test_several_runtimes_and_rounds():
    """Each process with a device of its own; meetings of many rounds do not mix."""
    case = CASES["in_turn"]
    artifact = compile_program(case.program().encode(), "in_turn")
    executables, ranks, inputs = [Runtime(threads=1).load(artifact) for _ in range(4)], Communicator.local(4), case.inputs()
    for _ in range(20):
        total = np.tanh(sum(x * x for x in inputs))
        want = np.concatenate([total + x for x in inputs])
        for results in side_by_side(executables, [[x] for x in inputs], ranks): np.testing.assert_allclose(results[0], want, rtol=1e-5)


def test_many_processes(runtime):
    n = 64
    case = Case(reduce([list(range(n))]), (5,), (5,), processes=n, dtype=np.int32)
    executable = runtime.load(compile_program(case.program().encode(), "many"))
    inputs = [np.full(5, k, np.int32) for k in range(n)]
    for results in side_by_side([executable] * n, [[x] for x in inputs], Communicator.local(n)): assert (results[0] == n * (n - 1) // 2).all()


def test_alone(runtime):
    """Without others a group of others is an error that says so."""
    executable = runtime.load(compile_program(CASES["reduce"].program().encode(), "alone"))
    with pytest.raises(HeddleError, match=r"needs process \(1, 0\), got 1 replica of 1 partition; this program runs alone: start all of its processes, as `mpirun"): executable(np.ones((3, 5), np.float32))


def test_wrong_number_of_processes(runtime):
    executable = runtime.load(compile_program(CASES["reduce_flattened"].program().encode(), "three"))
    reason = re.compile(r"three:\d+:\d+: 3 processes do not make replicas of 2 partitions")
    errors = [str(e) for e in side_by_side([executable] * 3, [[np.ones((3, 5), np.float32)]] * 3, Communicator.local(3))]
    assert all(reason.search(e) or "collective given up" in e for e in errors) and any(reason.search(e) for e in errors), errors


def test_one_fails(runtime):
    """The others' executions end, and say why."""
    executable = runtime.load(compile_program(CASES["reduce"].program().encode(), "fails"))
    inputs = [[np.ones((3, 5), np.float32)] for _ in range(4)]
    inputs[2] = [np.ones((3,), np.float32)]
    got = side_by_side([executable] * 4, inputs, Communicator.local(4))
    assert "expected rank 2, got rank 1" in str(got[2])
    for k in (0, 1, 3): assert got[k].status == "ABORTED" and "expected rank 2, got rank 1" in str(got[k])


def test_different_sizes(runtime):
    executable = runtime.load(compile_program(CASES["gather"].program().encode(), "sizes"))
    inputs = [[np.ones((3 + (k == 1), 5), np.float32)] for k in range(4)]
    got = side_by_side([executable] * 4, inputs, Communicator.local(4))
    assert all(isinstance(g, HeddleError) for g in got)
    assert any("bytes where process" in str(g) for g in got)


@pytest.mark.parametrize("ops, shape, why", [(gather([[0, 1], [2, -1]], 0), (4,), "expects groups of one size"), (scatter([[0, 1], [2, -1]], 0), (4,), "expects groups of one size"),
                                             (exchange([[0, 1], [2, -1]], 0, 0), (4,), "expects groups of one size"), (reduce([[0, -2]]), (4,), "expects replica ids of -1 or more, got -2")])
def test_wrong_groups(heddle, tmp_path, ops, shape, why):
    path = tmp_path / "groups.mlir"
    path.write_text(Case(ops, shape, shape, processes=3).program())
    done = heddle("compile", path, "-o", tmp_path / "x.hdl")
    assert done.returncode == 1 and why in done.stderr


def mpirun(build, count, *args, timeout=120):
    environment = {**os.environ, "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    return subprocess.run([needs.program("mpirun"), "-n", str(count), "--allow-run-as-root", "--oversubscribe", os.path.join(build, "bin", "heddle"), *map(str, args)],
                          capture_output=True, text=True, timeout=timeout, env=environment, stdin=subprocess.DEVNULL)


def test_expectations_between_processes(build, tmp_path):
    """Each process has its number, and may have a file of its own; the first prints the table."""
    (tmp_path / "id.mlir").write_text("""func.func @main() -> tensor<f32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<f32>
  return %1 : tensor<f32>
}
""")
    for rank in range(2):
        output = {"type": "f32", "dims": [], "max": rank, "l2": rank, "samples": [rank]}
        (tmp_path / f"e{rank}.json").write_text(json.dumps({"cases": [{"dims": {}, "outputs": [output]}]}))
    done = mpirun(build, 2, "run", tmp_path / "id.mlir", "--expect", tmp_path / "e{rank}.json", "--repeat", 1)
    assert done.returncode == 0 and done.stdout.count("fixed") == 1, (done.stdout, done.stderr)
    done = mpirun(build, 2, "run", tmp_path / "id.mlir", "--expect", tmp_path / "e0.json", "--repeat", 1)
    assert done.returncode == 3 and "1 of 1 cases differ" in done.stderr, (done.returncode, done.stderr)


def test_between_processes(build, heddle, tmp_path):
    """Every case in one program of several processes each, on four."""
    for name in ("in_turn", "reduce_large", "scatter_last", "exchange_turned", "permute_some", "broadcast_groups", "reduce_flattened", "message_ring",
                 "message_some", "message_partitions", "message_large", "message_empty", "async"):
        case, folder = CASES[name], tmp_path / name
        folder.mkdir()
        (folder / "one.mlir").write_text(case.program())
        for rank, x in enumerate(case.inputs()): np.savez(folder / f"in{rank}.npz", arg0=x)
        done = mpirun(build, 4, "run", folder / "one.mlir", "--inputs", folder / "in{rank}.npz", "--outputs", folder / "out{rank}.npz", "--json")
        assert done.returncode == 0, done.stderr
        assert len([json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]) == 4
        for rank, want in enumerate(evaluated(heddle, folder, case)):
            with np.load(folder / f"out{rank}.npz") as got: np.testing.assert_allclose(got["out0"], want, rtol=case.tolerance, atol=case.tolerance, err_msg=f"{name}, process {rank}")


TWO = """module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<$Nxf32>) -> tensor<4xf32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %t = stablehlo.create_token : !stablehlo.token
  %r = "stablehlo.if"(%first) ({
    %s = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<$Nxf32>, !stablehlo.token) -> !stablehlo.token
    %z = stablehlo.constant dense<0.0> : tensor<4xf32>
    stablehlo.return %z : tensor<4xf32>
  }, {
    %v, %e = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    stablehlo.return %v : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
}
"""


def test_messages_without_pairs(build, tmp_path):
    """Of two processes the other one is meant; of more, which is not known. Sizes that differ are told."""
    (tmp_path / "two.mlir").write_text(TWO.replace("$N", "4"))
    done = mpirun(build, 2, "run", tmp_path / "two.mlir", "--random", "0", "--outputs", tmp_path / "out{rank}.npz")
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out0.npz") as zero, np.load(tmp_path / "out1.npz") as got:
        assert not zero["out0"].any() and got["out0"].any()
    done = mpirun(build, 4, "run", tmp_path / "two.mlir", "--random", "0")
    assert done.returncode and "channel 1 names no source_target_pairs, by which 4 processes would know each other" in done.stderr
    (tmp_path / "sizes.mlir").write_text(TWO.replace("$N", "6"))
    done = mpirun(build, 2, "run", tmp_path / "sizes.mlir", "--random", "0")
    assert done.returncode and "channel 1: expected 16 bytes, got 24" in done.stderr


TYPES = {"i1": bool, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
         "f16": np.float16, "f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128,
         "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "i4": "int4", "ui4": "uint4"}


def test_every_type_between_processes(build, heddle, tmp_path):
    """All six collectives of every element type, in groups of two, of sizes that are odd where they may be."""
    import ml_dtypes
    types = {name: np.dtype(getattr(ml_dtypes, t) if isinstance(t, str) else t) for name, t in TYPES.items()}
    pairs, first = [[0, 2], [3, 1]], {0: 0, 2: 0, 3: 3, 1: 3}
    lines, kinds = [], []
    for i, name in enumerate(types):
        add = "or" if name == "i1" else "add"
        for op, shape in ((gather(pairs, 0), "10x3"), (exchange(pairs, 0, 1), "3x6"), (permute([[0, 1], [1, 2], [2, 3], [3, 0]]), "5x3"), (broadcast(pairs), "5x3"),
                          (reduce(pairs, add), "5x3"), (scatter(pairs, 0).replace("stablehlo.add", f"stablehlo.{add}"), "3x3")):
            even = shape in ("3x6", "3x3")
            op = op.replace("%r", f"%r{len(kinds)}").replace("%x", f"%{'y' if even else 'x'}{i}").replace("$X", f"tensor<{'6' if even else '5'}x3x{name}>")
            lines.append(op.replace("$R", f"tensor<{shape}x{name}>").replace("$E", f"tensor<{name}>"))
            kinds.append(f"tensor<{shape}x{name}>")
    args = ", ".join(f"%x{i}: tensor<5x3x{t}>, %y{i}: tensor<6x3x{t}>" for i, t in enumerate(types))
    results = ", ".join(kinds)
    (tmp_path / "all.mlir").write_text(f"module attributes {{mhlo.num_replicas = 4 : i32}} {{\nfunc.func @main({args}) -> ({results}) {{\n" + "\n".join(lines) +
                                       f"\n  return {', '.join(f'%r{k}' for k in range(len(kinds)))} : {results}\n}}\n}}")
    heddle("compile", tmp_path / "all.mlir", "-o", tmp_path / "all.hdl", check=True)
    rng = np.random.default_rng(3)
    inputs = [[rng.integers(0, 2 if name == "i1" else 4, shape).astype(t) for name, t in types.items() for shape in ((5, 3), (6, 3))] for _ in range(4)]
    for rank in range(4): np.savez(tmp_path / f"in{rank}.npz", **{f"arg{k}": x for k, x in enumerate(inputs[rank])})
    done = mpirun(build, 4, "run", tmp_path / "all.hdl", "--inputs", tmp_path / "in{rank}.npz", "--outputs", tmp_path / "out{rank}.npz")
    assert done.returncode == 0, done.stderr
    for rank in range(4):
        group = next(g for g in pairs if rank in g)
        at = group.index(rank)
        with np.load(tmp_path / f"out{rank}.npz") as got:
            for i, (name, t) in enumerate(types.items()):
                x, y = ([inputs[r][2 * i + k] for r in range(4)] for k in range(2))
                join = (lambda a, b: a | b) if name == "i1" else (lambda a, b: (a + b).astype(a.dtype))
                halves = [np.split(y[r], 2) for r in group]
                want = (np.concatenate([x[r] for r in group]), np.concatenate([h[at] for h in halves], 1), x[(rank - 1) % 4], x[first[rank]],
                        join(*(x[r] for r in group)), join(*(h[at] for h in halves)))
                for k, w in enumerate(want):
                    out = got[f"out{6 * i + k}"]
                    out = out.view(t) if out.dtype != t else out
                    np.testing.assert_array_equal(out.astype(np.complex128), w.astype(np.complex128), err_msg=f"{name}, collective {k}, process {rank}")


def test_process_that_never_joins(build, tmp_path):
    """One without its arguments, and one that ends before it meets the others, end all of them, soon."""
    (tmp_path / "reduce.mlir").write_text(CASES["reduce"].program())
    for rank in (0, 1, 3): np.savez(tmp_path / f"in{rank}.npz", arg0=np.ones((3, 5), np.float32))
    done = mpirun(build, 4, "run", tmp_path / "reduce.mlir", "--inputs", tmp_path / "in{rank}.npz", timeout=60)
    assert done.returncode and "in2.npz" in done.stderr
    np.savez(tmp_path / "in2.npz", arg0=np.ones((3, 5), np.float32))
    script = tmp_path / "one.sh"
    script.write_text(f'[ "$OMPI_COMM_WORLD_RANK" = 2 ] && exit 3\nexec {os.path.join(build, "bin", "heddle")} run {tmp_path}/reduce.mlir --inputs {tmp_path}/in{{rank}}.npz\n')
    done = subprocess.run([needs.program("mpirun"), "-n", "4", "--allow-run-as-root", "--oversubscribe", "sh", str(script)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("own", ["$((2+OMPI_COMM_WORLD_RANK))", "$((OMPI_COMM_WORLD_RANK))", "$((5-OMPI_COMM_WORLD_RANK))"], ids=["more", "none", "less"])
@pytest.mark.parametrize("op", ["gather", "reduce"])
def test_sizes_that_differ(build, tmp_path, op, own, count):
    """Arguments of other sizes in each process, one of them empty too: told by who receives, not an end of MPI and not a result."""
    groups = [list(range(count))]
    text = {"gather": gather(groups, 0).replace("$X", "tensor<?x3xf32>").replace("$R", "tensor<?x3xf32>"),
            "reduce": reduce(groups, "add").replace("$X", "tensor<?x3xf32>").replace("$R", "tensor<?x3xf32>").replace("$E", "tensor<f32>")}[op]
    (tmp_path / "p.mlir").write_text(f"module attributes {{mhlo.num_replicas = {count} : i32}} {{\nfunc.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {{\n{text}\nreturn %r : tensor<?x3xf32>\n}}\n}}\n")
    script = tmp_path / "one.sh"
    script.write_text(f"exec {os.path.join(build, 'bin', 'heddle')} run {tmp_path}/p.mlir --random 0 --shape arg0={own}x3\n")
    done = subprocess.run([needs.program("mpirun"), "-n", str(count), "--allow-run-as-root", "--oversubscribe", "sh", str(script)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "MPI_ERR" not in done.stderr, done.stderr
    assert re.search(r"process [0-3] sends \d+ bytes where process [0-3] takes \d+", done.stderr), done.stderr


def test_random_inputs_differ_by_rank(build, tmp_path):
    case = CASES["gather"]
    (tmp_path / "gather.mlir").write_text(case.program())
    done = mpirun(build, 4, "run", tmp_path / "gather.mlir", "--random", "5", "--shape", "arg0=3x5", "--outputs", tmp_path / "out{rank}.npz")
    assert done.returncode == 0, done.stderr
    blocks = np.split(np.load(tmp_path / "out3.npz")["out0"], 4)
    assert not np.array_equal(blocks[0], blocks[1])
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npz")["out0"], np.concatenate(blocks))


def test_failing_process_ends_the_run(build, tmp_path):
    (tmp_path / "reduce.mlir").write_text(CASES["reduce"].program())
    for rank in range(4): np.savez(tmp_path / f"in{rank}.npz", arg0=np.ones((3, 5) if rank != 2 else (3,), np.float32))
    done = mpirun(build, 4, "run", tmp_path / "reduce.mlir", "--inputs", tmp_path / "in{rank}.npz")
    assert done.returncode and "argument 0: expected 2 dims" in done.stderr


