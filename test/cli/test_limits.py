# SPDX-License-Identifier: Apache-2.0
"""What the machine may refuse: memory, room on the disk, a home, an output. A message and an exit code each, never a crash."""
import os
import subprocess

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture
def shell(build, tmp_path):
    """shell(script): bash with $H as the program, in a folder of its own."""
    def run(script, **env):
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=300,
                              env={**os.environ, "H": os.path.join(build, "bin", "heddle"), "HEDDLE_CACHE_DIR": str(tmp_path / "cache"), **env})
    return run


def sanitized(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as handle: return any(l.startswith("HEDDLE_SANITIZE:") and l.split("=", 1)[1].strip() for l in handle)


@pytest.mark.parametrize("limit", ["100K", "1M", "2M", "3M"])
def test_memory_of_the_compiler(heddle, root, tmp_path, limit):
    done = heddle("compile", root + "/examples/bert_layer.mlir", "-o", tmp_path / "out.hdl", "--memory-limit", limit)
    assert done.returncode == 4 and "out of memory" in done.stderr and not (tmp_path / "out.hdl").exists()


def test_more_memory_than_there_is(heddle, root):
    done = heddle("run", root + "/examples/gelu.mlir", "--random", 0, "--dims", "b=100000,s=10000000")
    assert done.returncode == 4 and "out of memory: 4000000000000 bytes for tensor<bxsxf32>" in done.stderr


@pytest.mark.parametrize("size, says", [(1 << 44, "no memory for a buffer of 140737488355328 bytes"), (1 << 62, "a dim is negative, or a buffer is too large")])
def test_place_of_a_buffer(heddle, tmp_path, size, says):
    """What no memory holds is said where the program asks for it."""
    path = tmp_path / "large.mlir"
    path.write_text("""func.func @main(%n: tensor<1xi64>) -> tensor<?xf64> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
""")
    np.savez(tmp_path / "n.npz", arg0=np.array([size], np.int64))
    done = heddle("run", path, "--inputs", tmp_path / "n.npz")
    assert done.returncode in (1, 4) and f"large.mlir:2:8: {says}" in done.stderr, done.stderr


SPACES = [20000, 40000, 60000, 100000, 200000]
COMPILER_SPACES = [*range(60000, 420000, 20000), 600000]


def check_limited(done, kilobytes, limits):
    """A result or a message; a message under the least limit and a result under the largest."""
    assert done.returncode in (0, 1, 4, 127), (done.returncode, done.stderr)
    assert done.returncode == 0 or "error" in done.stderr
    if kilobytes == limits[0]: assert done.returncode != 0
    if kilobytes == limits[-1]: assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kilobytes", SPACES)
def test_address_space(shell, build, root, kilobytes):
    """An artifact runs, or says that memory is short: the loader's, an arena's, a buffer's or a thread's."""
    if sanitized(build): pytest.skip("sanitizers reserve address space")
    assert shell(f"$H compile {root}/examples/bert_layer.mlir -o bert.hdl").returncode == 0
    done = shell(f"ulimit -v {kilobytes}; $H run bert.hdl --random 0 --dims b=2,s=16")
    check_limited(done, kilobytes, SPACES)


@pytest.mark.parametrize("kilobytes", COMPILER_SPACES)
def test_address_space_of_the_compiler(shell, build, root, kilobytes):
    """The same for compiling: LLVM would end the process, so what it may need is asked for before."""
    if sanitized(build): pytest.skip("sanitizers reserve address space")
    done = shell(f"ulimit -v {kilobytes}; $H compile {root}/examples/bert_layer.mlir -o bert.hdl --no-cache")
    check_limited(done, kilobytes, COMPILER_SPACES)


@pytest.mark.parametrize("more", [0, 1000000])  # one allocation, or all from there on
@pytest.mark.parametrize("model", ["gelu", "bert_layer"])
def test_no_allocation_is_taken_for_granted(shell, build, root, tmp_path, model, more):
    """An artifact runs with each allocation failing in turn: its result or a message that memory is short, never a crash."""
    if sanitized(build): pytest.skip("sanitizers have allocators of their own")
    script = f"$H compile {root}/examples/{model}.mlir -o m.hdl && cc -O1 -shared -fPIC {root}/test/cli/failing_allocations.c -o fail.so"
    assert shell(script).returncode == 0
    run = "LD_PRELOAD=./fail.so $H run m.hdl --random 0 --dims b=2,s=3 --target cpu --target cpu"
    counted = shell(run, FAIL_COUNT="1")
    count = int(counted.stderr.split()[-2])
    assert counted.returncode == 0 and count > 20, counted.stderr
    codes = set()
    for at in range(count):
        done = shell(run, FAIL_AT=str(at), FAIL_MORE=str(more))
        assert done.returncode in (0, 4) or (done.returncode in (1, 127) and done.stderr), (at, done.returncode, done.stderr)
        codes.add(done.returncode)
    assert 4 in codes, codes


def test_no_room_on_the_disk(shell, root, tmp_path):
    """Every write beyond a size fails, as on a full disk: no half files, and the run itself is right."""
    gelu = f"{root}/examples/gelu.mlir"
    limited = "trap '' XFSZ; ulimit -f 1; "
    done = shell(limited + f"$H run {gelu} --random 0 --dims b=100,s=100 --outputs out.npz")
    assert done.returncode == 1 and "out.npz: cannot write: File too large" in done.stderr
    done = shell(limited + f"$H compile {gelu} -o out.hdl")
    assert done.returncode == 1 and "out.hdl: cannot write: File too large" in done.stderr
    assert not [name for name in os.listdir(tmp_path) if name.startswith("out")]
    shell(f"$H compile {gelu} -o out.hdl && ln -s out.hdl link.hdl")
    good = (tmp_path / "out.hdl").read_bytes()
    for name in ("out.hdl", "link.hdl"):  # what was there stays
        assert shell(limited + f"$H compile {gelu} -o {name}").returncode == 1
        assert (tmp_path / "out.hdl").read_bytes() == good and (tmp_path / "link.hdl").is_symlink()
        assert sorted(set(os.listdir(tmp_path)) - {"cache"}) == ["link.hdl", "out.hdl"]
    done = shell(limited + f"$H run {gelu} --random 0 --dims b=2,s=2")  # the cache is not kept
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["run", "compile", "explain", "bisect"])
def test_no_room_for_dumps(shell, root, tmp_path, command):
    """--dump-to says which file it could not write, and leaves no half of it."""
    inputs = "" if command in ("compile", "explain") else "--random 0 --dims b=2,s=2"
    done = shell(f"trap '' XFSZ; ulimit -f 1; $H {command} {root}/examples/gelu.mlir {inputs} --dump-to dumps")
    assert done.returncode == 1 and ".mlir: cannot write: File too large" in done.stderr, done.stderr
    assert all((tmp_path / "dumps" / name).stat().st_size for name in os.listdir(tmp_path / "dumps"))


def test_outputs_that_take_nothing(shell, root):
    done = shell(f"$H run {root}/examples/gelu.mlir --random 0 --dims b=1,s=1 --json > /dev/full")
    assert done.returncode == 1 and "cannot write to standard output" in done.stderr
    done = shell(f"$H compile {root}/examples/gelu.mlir -o missing/out.hdl")
    assert done.returncode == 1 and "missing/out.hdl: cannot write: No such file or directory" in done.stderr


def test_artifacts_are_mapped(shell, build, root, tmp_path):
    """Only the first bytes of one are read; a pipe is read once and as a whole."""
    if sanitized(build): pytest.skip("sanitizers reserve address space")
    shell(f"$H compile {root}/examples/gelu.mlir -o a.hdl")
    run = "run {} --random 0 --dims b=1,s=7"
    for name in ("<(cat a.hdl)", "- < a.hdl", f"<(cat {root}/examples/gelu.mlir)"):
        done = shell("$H " + run.format(name))
        assert done.returncode == 0, (name, done.stderr)
    os.truncate(tmp_path / "a.hdl", 3 << 30)
    done = shell("ulimit -d 1000000; $H " + run.format("a.hdl"))
    assert done.returncode == 1 and "a.hdl: " in done.stderr and "memory" not in done.stderr, done.stderr


def test_home_that_takes_nothing(shell, root):
    """No cache is a note, not an error."""
    done = shell(f"unset HEDDLE_CACHE_DIR XDG_CACHE_HOME; $H run {root}/examples/gelu.mlir --random 0 --dims b=1,s=1", HOME="/proc")
    assert done.returncode == 0 and "note: running without a cache" in done.stderr


def test_processes_at_once(shell, root):
    """Eight processes compile the same program into one cache; all are right, and the next one finds an entry."""
    run = f"$H run {root}/examples/softmax.mlir --random 0 --dims b=3,s=5 --reference=eval --json"
    done = shell(f"for i in 1 2 3 4 5 6 7 8; do {run} & pids=\"$pids $!\"; done; for p in $pids; do wait $p || exit 9; done; {run}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].count('"source": "cache"') == 1


@pytest.mark.parametrize("length", [900, 4090, 5000, 70000, 1000000])
def test_long_names(heddle, tmp_path, length):
    """Names of any length, alike but for their ends: what compiles loads and runs."""
    name = "f" * length
    program = tmp_path / "names.mlir"
    program.write_text(f"""func.func public @{name}_entry(%{name}: tensor<?xi32> {{tf.name = "{name}"}}) -> tensor<?xi32> {{
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %0, %x = %{name}) : tensor<i32>, tensor<?xi32>
    cond {{
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %y = func.call @{name}_one(%x) : (tensor<?xi32>) -> tensor<?xi32>
      %z = func.call @{name}_two(%y) : (tensor<?xi32>) -> tensor<?xi32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %z : tensor<i32>, tensor<?xi32>
    }}
  return %1#1 : tensor<?xi32>
}}
func.func private @{name}_one(%x: tensor<?xi32>) -> tensor<?xi32> {{
  %y = stablehlo.add %x, %x : tensor<?xi32>
  return %y : tensor<?xi32>
}}
func.func private @{name}_two(%x: tensor<?xi32>) -> tensor<?xi32> {{
  %y = stablehlo.not %x : tensor<?xi32>
  return %y : tensor<?xi32>
}}
""")
    done = heddle("compile", program, "-o", tmp_path / "names.hdl")
    assert done.returncode == 0, done.stderr[:500]
    done = heddle("run", tmp_path / "names.hdl", "--random", 0, "--dims", "d0=5", "--outputs", tmp_path / "out.npz")
    assert done.returncode == 0, done.stderr[:500]
    done = heddle("eval", program, "--random", 0, "--dims", "d0=5", "--outputs", tmp_path / "want.npz")
    assert done.returncode == 0, done.stderr[:500]
    assert (tmp_path / "out.npz").read_bytes() == (tmp_path / "want.npz").read_bytes()
