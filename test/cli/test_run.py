# SPDX-License-Identifier: Apache-2.0
"""heddle run: inputs, outputs, dims, caches, artifacts, limits."""
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from error_model import assert_within, magnitudes, program

from heddle.random_inputs import random_array

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture
def gelu(root): return os.path.join(root, "examples", "gelu.mlir")


def gelu_of(x):
    x = x.astype(np.float64)
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))


def assert_gelu(got, x):
    exact, sizes = magnitudes(lambda given: [gelu_of(*given)], [x.astype(np.float64)])
    assert_within(got, exact[0], program(got.dtype), sizes[0])


def fails(done, code, *parts):
    assert done.returncode == code, done.stderr
    for part in parts: assert part in done.stderr
    assert "heddle: error: " in done.stderr


def test_files(heddle, gelu, tmp_path):
    x = np.linspace(-4, 4, 12, dtype=np.float32).reshape(3, 4)
    np.savez_compressed(tmp_path / "in.npz", arg0=np.asfortranarray(x))
    heddle("run", gelu, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    with np.load(tmp_path / "out.npz") as out:
        assert out.files == ["out0"]
        assert_gelu(out["out0"], x)


def test_random_is_the_documented_function(heddle, gelu, tmp_path):
    heddle("run", gelu, "--random", 5, "--dims", "b=4,s=33", "--random-scale", "0=2.5", "--outputs", tmp_path / "out.npz", check=True)
    with np.load(tmp_path / "out.npz") as out:
        assert_gelu(out["out0"], random_array("float32", (4, 33), 5, 0, scale=2.5))


def test_shape_option(heddle, gelu, tmp_path):
    heddle("run", gelu, "--random", 0, "--shape", "arg0=2x7", "--outputs", tmp_path / "out.npz", check=True)
    with np.load(tmp_path / "out.npz") as out: assert out["out0"].shape == (2, 7)


def test_json(heddle, gelu):
    got = json.loads(heddle("run", gelu, "--random", 0, "--dims", "b=4,s=128", "--repeat", 5, "--json", check=True).stdout)
    for key in ("compile_ms", "first_run_us", "median_us", "min_us", "peak_rss_bytes", "kernels"): assert got[key] > 0, key
    assert got["min_us"] <= got["median_us"] and got["runs"] == 5


def test_profile_opens(heddle, gelu, tmp_path):
    heddle("run", gelu, "--random", 0, "--dims", "b=64,s=1024", "--profile", tmp_path / "t.json", check=True)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert any(e.get("ph") == "X" and e.get("dur", 0) > 0 for e in events)


def test_profile_tells_library_calls_apart(heddle, root, tmp_path):
    """Each product and attention with its sizes and, where other ops are done on its tiles or between its products, their source."""
    model = os.path.join(root, "examples", "bert_layer.mlir")
    heddle("run", model, "--random", 0, "--dims", "b=2,s=3", "--profile", tmp_path / "t.json", check=True)
    calls = [e["args"]["ops"] for e in json.loads((tmp_path / "t.json").read_text())["traceEvents"] if e.get("cat") == "library"]
    assert len(calls) == 5
    for part, m, n, k in ((0, 6, 2304, 768), (2, 6, 768, 768), (3, 6, 3072, 768), (4, 6, 768, 3072)):
        assert calls[part].endswith(f"(f32 x f32, batch 1, m {m}, n {n}, k {k})") and "add" in calls[part] and "bert_layer.mlir:" in calls[part], calls[part]
    assert "reduce" in calls[1] and calls[1].endswith("(f32 x f32, batch 24, rows 3, keys 3, k 64)"), calls[1]


def test_reference(heddle, gelu):
    assert heddle("run", gelu, "--random", 0, "--dims", "b=3,s=5", "--reference=eval", check=True)
    fails(heddle("run", gelu, "--random", 0, "--dims", "b=3,s=5", "--reference=magic"), 2, "expected eval, got 'magic'")
    narrow = os.path.join(os.path.dirname(gelu), "gelu_bf16.mlir")  # excess precision changes bf16 by a unit or two
    heddle("run", narrow, "--random", 0, "--dims", "b=3,s=50", "--reference=eval", check=True)
    fails(heddle("run", narrow, "--random", 0, "--dims", "b=3,s=50", "--reference=eval", "--tolerance", 1e-5), 3, "differs from the evaluator")


def test_expectations_that_differ_are_3(heddle, root, gelu, tmp_path):
    with open(os.path.join(root, "examples", "gelu.json"), encoding="utf-8") as handle: file = json.load(handle)
    file["cases"] = file["cases"][:1]
    file["cases"][0]["outputs"][0]["samples"][3] += 0.1
    (tmp_path / "wrong.json").write_text(json.dumps(file))
    done = heddle("run", gelu, "--expect", tmp_path / "wrong.json")
    fails(done, 3, "1 of 1 cases differ")
    assert "WRONG" in done.stdout


def test_tolerance_goes_before_the_files_own(heddle, root, gelu, tmp_path):
    with open(os.path.join(root, "examples", "gelu.json"), encoding="utf-8") as handle: file = json.load(handle)
    file["cases"] = file["cases"][:1]
    output = file["cases"][0]["outputs"][0]
    output["samples"][3] += 0.1 * output["max"]
    (tmp_path / "wrong.json").write_text(json.dumps(file))
    expect = ("run", gelu, "--expect", tmp_path / "wrong.json")
    heddle(*expect, "--tolerance", 0.2, check=True)
    fails(heddle(*expect, "--tolerance", 0.05), 3, "by more than 0.05")
    file["tolerance"] = 0.2
    (tmp_path / "wrong.json").write_text(json.dumps(file))
    heddle(*expect, check=True)
    fails(heddle(*expect, "--tolerance", 0.05), 3, "by more than 0.05")


QUANTIZED = """func.func @main(%a: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<?x!quant.uniform<u8:f32, 0.25>>) -> (
    tensor<?x!quant.uniform<i8:f32, 0.5:3>>, tensor<?x!quant.uniform<u8:f32, 0.25>>) {
  %0 = stablehlo.add %a, %a : tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return %0, %b : tensor<?x!quant.uniform<i8:f32, 0.5:3>>, tensor<?x!quant.uniform<u8:f32, 0.25>>
}
"""


@pytest.mark.parametrize("arguments", [("run", "--reference=eval"), ("eval",), ("check",), ("check", "--target=cpu"), ("bisect",)])
def test_quantized_entries(heddle, tmp_path, arguments):
    """Inputs and results are the integers that quantized values are stored as, for every command."""
    (tmp_path / "q.mlir").write_text(QUANTIZED)
    done = heddle(arguments[0], tmp_path / "q.mlir", *arguments[1:], "--random", 0, "--shape", "arg0=5", "--shape", "arg1=3", check=True)
    if arguments == ("eval",): assert done.stdout.startswith("out0: tensor<5xi8> [") and "out1: tensor<3xui8> [" in done.stdout
    if arguments == ("bisect",): assert "DIFFERS" not in done.stdout and "machine code" in done.stdout


def test_wrong_inputs_name_what_is_wrong(heddle, gelu, tmp_path):
    def save(**arrays):
        np.savez(tmp_path / "x.npz", **arrays)
        return ("--inputs", tmp_path / "x.npz")
    fails(heddle("run", gelu), 1, "takes 1 input", "--random SEED")
    fails(heddle("run", gelu, "--random", 0, "--dims", "b=1"), 1, "argument 0", "'s' has no size")
    fails(heddle("run", gelu, "--random", 0, "--dims", "q=1"), 2, "no dim 'q'", "'b'", "'s'")
    fails(heddle("run", gelu, "--random", 0, "--dims", "b=1,s=2", "--shape", "arg0=1x3"), 1, "'s' is 2 by --dims, but 3 by --shape")
    fails(heddle("run", gelu, "--random", 0, "--shape", "arg0=3"), 1, "argument 0: expected 2 dims", "got 1")
    fails(heddle("run", gelu, "--random", 0, "--shape", "arg1=3x3"), 2, "argN=DIMS with N below 1")
    fails(heddle("run", gelu, *save(arg0=np.zeros((2, 2)))), 1, "expected elements of type f32, got f64")
    fails(heddle("run", gelu, *save(arg1=np.zeros((2, 2), np.float32))), 1, "array 'arg1' is no argument: expected arg0\n")
    fails(heddle("run", gelu, *save(arg0=np.zeros(2, np.float32))), 1, "argument 0: expected 2 dims")
    fails(heddle("run", gelu, *save()), 1)


def test_shape_assertions_speak(heddle, gelu):
    """The program's own message, before anything runs."""
    fails(heddle("run", gelu, "--random", 0, "--dims", "b=0,s=3"), 1, "Expected value >= 1 for dimension variable 'b'")


def test_cache(heddle, gelu, tmp_path):
    env = {"HEDDLE_CACHE_DIR": str(tmp_path / "cache")}
    run = lambda *more: json.loads(heddle("run", gelu, "--random", 0, "--dims", "b=1,s=7", "--json", *more, check=True, env=env).stdout)  # noqa: E731
    assert run()["source"] == "compiler"
    assert run()["source"] == "cache"
    assert run("--no-cache")["source"] == "compiler"
    assert run("--no-contract")["source"] == "compiler"
    for path in (tmp_path / "cache").rglob("*"):
        if path.is_file(): path.write_bytes(path.read_bytes()[:100] + b"damage")
    assert run()["source"] == "compiler"


def test_unwritable_home_is_no_error(heddle, gelu, tmp_path):
    env = {"HEDDLE_CACHE_DIR": "/proc/nothing"}
    heddle("run", gelu, "--random", 0, "--dims", "b=1,s=7", check=True, env=env)


def test_artifact_runs_without_the_compiler(heddle, build, gelu, tmp_path):
    """bin/heddle and libheddle_rt.so alone."""
    heddle("compile", gelu, "-o", tmp_path / "gelu.hdl", check=True)
    for name in ("bin", "lib"): (tmp_path / name).mkdir()
    shutil.copy(os.path.join(build, "bin", "heddle"), tmp_path / "bin")
    shutil.copy(os.path.join(build, "lib", "libheddle_rt.so"), tmp_path / "lib")
    command = [tmp_path / "bin" / "heddle", "run", tmp_path / "gelu.hdl", "--random", "5", "--dims", "b=4,s=33", "--outputs", tmp_path / "out.npz"]
    env = dict(os.environ, LD_LIBRARY_PATH=str(tmp_path / "lib"))
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as out: assert_gelu(out["out0"], random_array("float32", (4, 33), 5, 0))

    assert "LLVM" not in subprocess.run(["ldd", tmp_path / "bin" / "heddle"], capture_output=True, text=True, env=env).stdout


def test_limits_are_4(heddle, gelu):
    fails(heddle("run", gelu, "--random", 0, "--dims", "b=4096,s=4096", "--memory-limit", "1M"), 4)


def test_bad_program_is_located(heddle, tmp_path):
    bad = tmp_path / "bad.mlir"
    bad.write_text("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %b : tensor<?xf32>\n}\n")
    done = heddle("run", bad, "--random", "0", "--dims", "d0=1")
    assert done.returncode == 1 and f"{bad}:2:" in done.stderr and "error: " in done.stderr


def test_compile_and_check_take_inputs(heddle, gelu, tmp_path):
    out = tmp_path / "gelu.hdl"
    heddle("compile", gelu, "-o", out, "--dims", "b=2,s=3", check=True)
    assert out.exists()
    out.unlink()
    fails(heddle("compile", gelu, "-o", out, "--dims", "b=0,s=3"), 1, "Expected value >= 1 for dimension variable 'b'")
    fails(heddle("compile", gelu, "-o", out, "--random", 0, "--shape", "arg0=3"), 1, "argument 0: expected 2 dims")
    assert not out.exists()
    program = tmp_path / "check.mlir"
    program.write_text("""func.func @main(%a: tensor<?xf32>) {
  %b = stablehlo.negate %a : tensor<?xf32>
  %c = stablehlo.negate %b : tensor<?xf32>
  check.expect_eq %a, %c : tensor<?xf32>
  return
}
func.func @alone() {
  return
}
""")
    assert heddle("check", program, check=True).stdout == "1 skipped: their functions take arguments\n1 passed, 0 failed\n"
    assert heddle("check", program, "--random", 0, "--shape", "arg0=5", check=True).stdout == "2 passed, 0 failed\n"
    program.write_text(program.read_text().replace("%a, %c", "%a, %b"))
    done = heddle("check", program, "--random", 0, "--shape", "arg0=5")
    assert done.returncode == 3 and done.stdout == "1 passed, 1 failed\n" and "elements differ" in done.stderr


def test_progress_and_colour_are_for_terminals(heddle, gelu, build, tmp_path):
    """A pipe sees neither; a terminal sees the progress line, which is gone afterwards."""
    import pty
    args = ["run", gelu, "--random", "0", "--dims", "b=1,s=2", "--no-cache"]
    done = heddle(*args, check=True)
    assert "\033" not in done.stdout + done.stderr and "compiling" not in done.stderr
    master, slave = pty.openpty()
    subprocess.run([os.path.join(build, "bin", "heddle"), *args], stdout=subprocess.DEVNULL, stderr=slave, check=True,
                   env={**os.environ, "TERM": "xterm"})
    os.close(slave)
    seen = os.read(master, 4096).decode()
    os.close(master)
    assert "compiling" in seen and seen.endswith("\r\033[K")


def test_timeline(heddle, root, tmp_path):
    """Chrome trace JSON: one row per thread, each named, spans of one row nest or follow; kernels tell their source ops."""
    heddle("run", os.path.join(root, "examples", "softmax.mlir"), "--random", 0, "--dims", "b=512,s=1024", "--repeat", 5, "--threads", 2, "--profile",
           tmp_path / "t.json", check=True)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    rows = {e["tid"] for e in events if e["ph"] == "X"}
    named = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    assert rows and rows <= named
    for row in rows:
        open_until = []
        for e in sorted((e for e in events if e["ph"] == "X" and e["tid"] == row), key=lambda e: (e["ts"], -e["dur"])):
            while open_until and open_until[-1] <= e["ts"] + 1e-3: open_until.pop()
            assert not open_until or e["ts"] + e["dur"] <= open_until[-1] + 1e-3, "spans of one row overlap"
            open_until.append(e["ts"] + e["dur"])
    kernels = [e for e in events if e["ph"] == "X" and e.get("cat") == "kernel"]
    assert kernels and all("exponential" in json.dumps(e) for e in kernels), kernels[:2]


def test_perf_map(heddle, build, gelu, tmp_path):
    process = subprocess.Popen([os.path.join(build, "bin", "heddle"), "run", gelu, "--random", "0", "--dims", "b=1,s=2", "--perf-map"],
                               stdout=subprocess.DEVNULL, env={**os.environ, "HEDDLE_CACHE_DIR": str(tmp_path)})
    assert process.wait() == 0
    path = f"/tmp/perf-{process.pid}.map"
    with open(path, encoding="utf-8") as handle: lines = handle.read().splitlines()
    os.unlink(path)
    assert any(len(line.split()) >= 3 and int(line.split()[0], 16) and int(line.split()[1], 16) and "loop" in line for line in lines), lines


def test_mcpu_is_the_machine_of_the_run(heddle, gelu, tmp_path):
    """Also for what is no code of the program: the kernels of the library."""
    heddle("compile", gelu, "-o", tmp_path / "wide.hdl", "--mcpu", "x86-64-v4", check=True)
    done = heddle("run", tmp_path / "wide.hdl", "--random", "0", "--dims", "b=4,s=8", "--mcpu", "x86-64-v3")
    assert done.returncode == 1 and "it lacks avx512f" in done.stderr
    heddle("run", gelu, "--random", "0", "--dims", "b=4,s=8", "--mcpu", "x86-64-v3", check=True)
    assert "unknown cpu 'z80'" in heddle("run", gelu, "--random", "0", "--dims", "b=4,s=8", "--mcpu", "z80").stderr


TOKENS = """func.func @main(%t: !stablehlo.token, %x: tensor<?xf32>, %p: tuple<tensor<2xi32>, !stablehlo.token>)
    -> (!stablehlo.token, tuple<tensor<?xf32>, !stablehlo.token>, tensor<2xi32>) {
  %u = stablehlo.get_tuple_element %p[1] : (tuple<tensor<2xi32>, !stablehlo.token>) -> !stablehlo.token
  %v = stablehlo.get_tuple_element %p[0] : (tuple<tensor<2xi32>, !stablehlo.token>) -> tensor<2xi32>
  %a = stablehlo.after_all %t, %u : !stablehlo.token
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  %r = stablehlo.tuple %0, %t : tuple<tensor<?xf32>, !stablehlo.token>
  return %a, %r, %v : !stablehlo.token, tuple<tensor<?xf32>, !stablehlo.token>, tensor<2xi32>
}
"""


def test_tokens(heddle, tmp_path):
    """A token is an empty tensor<0xi1>, for the evaluator and compiled; tuples are their elements."""
    path, none = tmp_path / "tokens.mlir", np.zeros(0, bool)
    path.write_text(TOKENS)
    x, v = np.arange(3, dtype=np.float32), np.array([4, 5], np.int32)
    np.savez(tmp_path / "in.npz", arg0=none, arg1=x, arg2=v, arg3=none)
    for command in ("eval", "run"):
        heddle(command, path, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
        with np.load(tmp_path / "out.npz") as out:
            assert [(out[f"out{i}"].dtype, out[f"out{i}"].shape) for i in range(4)] == [(bool, (0,)), (np.float32, (3,)), (bool, (0,)), (np.int32, (2,))]
            assert (out["out1"] == 2 * x).all() and (out["out3"] == v).all()
    heddle("run", path, "--inputs", tmp_path / "in.npz", "--reference=eval", check=True)
    for target in ("eval", "cpu"): assert "1 passed" in heddle("check", path, "--inputs", tmp_path / "in.npz", f"--target={target}", check=True).stdout
    np.savez(tmp_path / "in.npz", arg0=np.ones(1, bool), arg1=x, arg2=v, arg3=none)
    fails(heddle("eval", path, "--inputs", tmp_path / "in.npz"), 1, "argument 0: dim 0: expected 0, got 1")
