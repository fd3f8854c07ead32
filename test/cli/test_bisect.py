# SPDX-License-Identifier: Apache-2.0
"""heddle bisect names the stage that changes results; heddle reduce keeps what makes a command fail."""
import json
import os
import re
import shlex
import signal
import subprocess
import time

import numpy as np
import pytest

TANH = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.tanh %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""

BIG = """func.func private @helper(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func public @main(%a: tensor<4x8xf32>, %b: tensor<?x3xi32>) -> (tensor<4x8xf32>, tensor<?x3xi32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %a : tensor<4x8xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
  %3 = func.call @helper(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.negate %b : tensor<?x3xi32>
  %5 = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%3 init: %5) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.sine %3 : tensor<4x8xf32>
  return %7, %4, %6 : tensor<4x8xf32>, tensor<?x3xi32>, tensor<4xf32>
}
"""


@pytest.fixture
def program(tmp_path):
    def write(text):
        path = tmp_path / "program.mlir"
        path.write_text(text)
        return path
    return write


def test_equal_program(heddle, compiler, program):
    done = heddle("bisect", program(TANH), "--random", 1, "--shape", "arg0=3x17", "--json", check=True)
    stages = json.loads(done.stdout)["stages"]
    assert all(s["equal"] for s in stages) and stages[-1]["pass"] == "machine code"


def test_returned_constant(heddle, compiler, program):
    """A constant of the program outlives the call that gives it."""
    heddle("bisect", program("""func.func @main() -> tensor<3xi8> {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  return %0 : tensor<3xi8>
}
"""), check=True)


HANDED = """func.func @main(%t: !stablehlo.token, %x: tensor<?xf32>, %p: tuple<tensor<?xf32>, tuple<tensor<2xi32>, !stablehlo.token>>) -> (!stablehlo.token, tuple<tensor<?xf32>, tensor<2xi32>>, tensor<?xf32>) {
  %a = stablehlo.get_tuple_element %p[0] : (tuple<tensor<?xf32>, tuple<tensor<2xi32>, !stablehlo.token>>) -> tensor<?xf32>
  %q = stablehlo.get_tuple_element %p[1] : (tuple<tensor<?xf32>, tuple<tensor<2xi32>, !stablehlo.token>>) -> tuple<tensor<2xi32>, !stablehlo.token>
  %b = stablehlo.get_tuple_element %q[0] : (tuple<tensor<2xi32>, !stablehlo.token>) -> tensor<2xi32>
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %y = stablehlo.tanh %a : tensor<?xf32>
  %r = stablehlo.tuple %y, %b : tuple<tensor<?xf32>, tensor<2xi32>>
  %z = stablehlo.add %x, %x : tensor<?xf32>
  return %u, %r, %z : !stablehlo.token, tuple<tensor<?xf32>, tensor<2xi32>>, tensor<?xf32>
}
"""


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_tokens_and_tuples(heddle, compiler, program, tmp_path, target):
    """Tuples and tokens, which hlo-expand takes apart, are the same tensors to a caller after every pass, also where what
    a pass left is run alone; a difference in one of them is still found."""
    path = program(HANDED)
    given = ["--random", 1, "--shape", "arg1=3", "--shape", "arg2=5"]
    stages = json.loads(heddle("bisect", path, *given, "--target", target, "--dump-to", tmp_path / "dumps", "--json", check=True).stdout)["stages"]
    assert all(s["equal"] for s in stages) and any(s["pass"] == "hlo-expand" and s.get("changed", True) for s in stages)
    want = heddle("eval", path, *given, check=True).stdout
    names = sorted(p for p in (tmp_path / "dumps").glob("*.mlir") if "expand-math" not in p.name)
    at = [k for k, p in enumerate(names) if "hlo-expand" in p.name or "legalize-to-lhlo" in p.name or "inject-execution-context" in p.name]
    for k in at: assert heddle("eval", names[k], *given, check=True).stdout.splitlines()[0::2] == want.splitlines()[0::2]
    done = heddle("bisect", path, *given, "--target", target, "--tolerance", "1e-12", "--json")
    last = json.loads(done.stdout)["stages"][-1]
    assert done.returncode == 3 and last["pass"] == "expand-math" and last["output"] == 1


def test_first_difference(heddle, compiler, program):
    """The polynomial that expand-math writes is not the C library's tanh, to the last bit."""
    done = heddle("bisect", program(TANH), "--random", 1, "--shape", "arg0=3x17", "--tolerance", "1e-12", "--json")
    assert done.returncode == 3
    last = json.loads(done.stdout)["stages"][-1]
    assert last["pass"] == "expand-math" and not last["equal"] and len(last["element"]) == 2
    assert last["op"].startswith("loop_tanh") and ":2:" in last["loc"]
    assert last["got"] == pytest.approx(last["expected"], rel=1e-5) and last["got"] != last["expected"]


CHAIN = """func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %0 = stablehlo.tanh %x : tensor<?x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
"""


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_first_kernel(heddle, compiler, program, tmp_path, target):
    """The kernel whose values differ first, not the one that wrote the element: expand-math's polynomial, two steps before
    the output. The product with the identity is exact."""
    path = program(CHAIN)
    np.savez(tmp_path / "in.npz", arg0=np.linspace(-1, 1, 24, dtype=np.float32).reshape(3, 8), arg1=np.eye(8, dtype=np.float32))
    words = ["bisect", path, "--inputs", tmp_path / "in.npz", "--target", target, "--tolerance", "1e-12"]
    done = heddle(*words, "--json")
    assert done.returncode == 3, done.stderr
    last = json.loads(done.stdout)["stages"][-1]
    first = last["first"]
    assert last["pass"] == "expand-math" and "reverse" in last["op"]
    assert first["op"].startswith("loop_tanh") and first["loc"].endswith(":2:8")
    assert first["value"] == "stablehlo.tanh" and first["value_loc"].endswith(":2:8")
    assert first["got"] == pytest.approx(first["expected"], rel=1e-5) and first["got"] != first["expected"]
    text = heddle(*words).stdout
    assert f"first wrong: {first['op']} from" in text and "where the program has stablehlo.tanh from" in text


DOT64 = """func.func @main(%x: tensor<?x64xf64>, %w: tensor<64x8xf64>) -> tensor<?x8xf64> {
  %0 = stablehlo.abs %x : tensor<?x64xf64>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<?x64xf64>, tensor<64x8xf64>) -> tensor<?x8xf64>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<?x8xf64>
  return %2 : tensor<?x8xf64>
}
"""
CONVOLUTION64 = """func.func @main(%x: tensor<2x9x9x5xf64>, %w: tensor<3x3x5x4xf64>) -> tensor<2x9x9x4xf64> {
  %0 = stablehlo.abs %x : tensor<2x9x9x5xf64>
  %1 = stablehlo.convolution(%0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x5xf64>, tensor<3x3x5x4xf64>) -> tensor<2x9x9x4xf64>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x9x9x4xf64>
  return %2 : tensor<2x9x9x4xf64>
}
"""


@pytest.mark.parametrize("text, name, writer", [
    (DOT64, "ral_dot_general", "loop_reverse"), (CONVOLUTION64, "ral_convolution", "loop_reverse"),
    (DOT64.replace("reverse %1, dims = [0]", "negate %1"), "gemm_dot_general_negate", "gemm_dot_general_negate")])
def test_first_library_call(heddle, compiler, program, text, name, writer):
    """The library adds a product in one rounding, which the evaluator does in two: the call is named, with what it was given."""
    words = ["bisect", program(text), "--random", 1, *(["--shape", "arg0=5x64"] if "?" in text else []), "--tolerance", "1e-18"]
    done = heddle(*words, "--json")
    assert done.returncode == 3, done.stderr
    last = json.loads(done.stdout)["stages"][-1]
    first = last["first"]
    assert last["pass"] == "machine code" and last["op"].startswith(writer)
    assert first["op"].startswith(name) and ":3:8" in first["loc"]
    assert first["operands"][1:] == ["argument 1"] and re.fullmatch(r"loop_abs_\d from .*:2:8", first["operands"][0])
    assert f"given: {first['operands'][0]}; argument 1\n" in heddle(*words).stdout


def test_first_machine_code(heddle, compiler, program, tmp_path):
    """Machine code fuses the product into the sum, which the evaluator rounds: the kernel that does it is named, not the writer."""
    path = program(CHAIN.replace("%0 = stablehlo.tanh %x", "%s = stablehlo.multiply %x, %x : tensor<?x8xf32>\n  %0 = stablehlo.add %s, %x"))
    np.savez(tmp_path / "in.npz", arg0=np.linspace(0.1, 1.7, 24, dtype=np.float32).reshape(3, 8), arg1=np.eye(8, dtype=np.float32))
    words = ["bisect", path, "--inputs", tmp_path / "in.npz", "--tolerance", "1e-12"]
    done = heddle(*words, "--json")
    assert done.returncode == 3, done.stderr
    last = json.loads(done.stdout)["stages"][-1]
    first = last["first"]
    assert last["pass"] == "machine code" and "reverse" in last["op"]
    assert first["op"].startswith("loop_multiply_add") and ":2:" in first["loc"] and ":3:" in first["loc"]
    assert first["got"] == pytest.approx(first["expected"], rel=1e-6) and first["got"] != first["expected"]
    assert f"first wrong: {first['op']} from" in heddle(*words).stdout


TWO = """func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.tanh %0 : tensor<?x8xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<?x8xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<?x8xf32>
}
"""


def test_worst_element(heddle, compiler, program):
    """The kernel that wrote the element, not one that reads the buffer later, and the ops that it computes."""
    done = heddle("run", program(TWO), "--random", 1, "--shape", "arg0=3x8", "--reference=eval", "--tolerance", "1e-12")
    assert done.returncode == 3
    assert "worst element: out0[" in done.stderr and "expected" in done.stderr
    assert "written by gemm_dot_general_tanh_0 from" in done.stderr and "program.mlir:2:8" in done.stderr and "program.mlir:3:8" in done.stderr


@pytest.mark.parametrize("command, target", [("compile", "cpu"), ("bisect", "cpu"), ("bisect", "cuda")])
def test_dump(heddle, compiler, program, tmp_path, command, target):
    """A file per pass, also of passes that run on each kernel; kernels as code."""
    dumps = tmp_path / "dumps"
    words = ["-o", tmp_path / "out.hdl"] if command == "compile" else ["--random", 1, "--shape", "arg0=3x8"]
    heddle(command, program(TWO), "--dump-to", dumps, "--target", target, *words, check=True)
    names = sorted(p.name for p in dumps.glob("*.mlir"))
    assert [int(name[:2]) for name in names] == list(range(len(names)))
    text = (dumps / names[-1]).read_text()
    assert ("gpu.module" in text) == (target == "cuda") and ("hd.launch" in text) == (target == "cpu")
    assert bool(list(dumps.glob("*.ll"))) == bool(list(dumps.glob("*.s"))) == (target == "cpu")


def test_wrong_input(heddle, compiler, program):
    done = heddle("bisect", program(TANH))
    assert done.returncode != 0 and "--inputs" in done.stderr


def test_reduce(heddle, program, tmp_path):
    out = tmp_path / "small.mlir"
    done = heddle("reduce", program(BIG), "--test", "if grep -q stablehlo.multiply {}; then exit 3; fi", "-o", out)
    assert done.returncode == 0, done.stderr
    text = out.read_text()
    assert "stablehlo.multiply" in text
    assert not any(word in text for word in ("tanh", "sine", "helper", "reduce", "negate", "4x8")), text
    heddle("eval", out, "--random", 1, check=True)


LOOP = """func.func @main(%x: tensor<?xf32>, %n: tensor<i32>, %v: tensor<1xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.add %x, %x : tensor<?xf32>
  %r:2 = stablehlo.while(%k = %zero, %q = %y) : tensor<i32>, tensor<?xf32>
   cond { %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %c : tensor<i1> } do {
     %u = stablehlo.dynamic_update_slice %q, %v, %k : (tensor<?xf32>, tensor<1xf32>, tensor<i32>) -> tensor<?xf32>
     %w = stablehlo.add %u, %q : tensor<?xf32>
     %j = stablehlo.add %k, %one : tensor<i32>
     stablehlo.return %j, %w : tensor<i32>, tensor<?xf32> }
  return %y, %r#1 : tensor<?xf32>, tensor<?xf32>
}
"""


def test_reduce_ends(heddle, program, tmp_path):
    """Edits that undo each other (all results of the last op; one of them) are not made for ever."""
    out = tmp_path / "small.mlir"
    heddle("reduce", program(LOOP), "--test", "if grep -q stablehlo.while {} && grep -q update_slice {}; then exit 3; fi", "-o", out, timeout=60, check=True)
    text = out.read_text()
    assert "stablehlo.while" in text and "dynamic_update_slice" in text and "stablehlo.add" not in text, text


def test_reduce_needs_failure(heddle, program):
    done = heddle("reduce", program(BIG), "--test", "true")
    assert done.returncode == 1 and "does not fail" in done.stderr


def test_reduce_is_interrupted(build, program, tmp_path):
    """An interrupt that ends the command ends the search, and leaves no file on trial."""
    program(BIG)
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "reduce", "program.mlir", "--test", "if [ -e again ]; then kill -INT $$; fi; touch again; exit 3"],
                          cwd=tmp_path, capture_output=True, timeout=60,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # which a process in the background ignores
    assert done.returncode == -signal.SIGINT and sorted(os.listdir(tmp_path)) == ["again", "program.mlir"], done


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end: time.sleep(0.01)
    assert condition()


def test_crash_leaves_a_reproducer(build, tmp_path):
    """A fault while compiling keeps the program with the command that runs its passes again, and that command works."""
    lines = ["func.func @main(%v0: tensor<?xf32>) -> tensor<?xf32> {"]
    lines += [f"  %v{i + 1} = stablehlo.add %v{i}, %v{i} : tensor<?xf32>" for i in range(60000)]
    path = tmp_path / "long.mlir"
    path.write_text("\n".join(lines) + "\n  return %v60000 : tensor<?xf32>\n}\n")
    dumps = tmp_path / "dumps"
    heddle = subprocess.Popen([os.path.join(build, "bin", "heddle"), "compile", str(path), "-o", os.devnull, "--no-cache", "--dump-to", dumps],
                              cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / f"heddle-crash-{heddle.pid}.mlir"
    wait_for(lambda: dumps.exists() and any(dumps.iterdir()))  # the passes have begun
    heddle.send_signal(signal.SIGSEGV)  # SA_RESETHAND: the second one ends it
    wait_for(lambda: kept.exists() and kept.stat().st_size > path.stat().st_size)
    heddle.send_signal(signal.SIGSEGV)
    stderr = heddle.communicate(timeout=60)[1]
    assert heddle.returncode == -signal.SIGSEGV and "a fault of Heddle" in stderr, stderr
    text = kept.read_text()
    command = re.match(r"// (heddle-opt --pass-pipeline '[^']+' --target cpu \S+)\n", text).group(1)
    assert text.endswith(path.read_text())
    kept.write_text(text.split("\n")[0] + "\nfunc.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n")
    words = shlex.split(command)
    again = subprocess.run([os.path.join(build, "bin", words[0]), *words[1:]], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0 and "ral_recv_input" in again.stdout, again.stderr


def test_crash_of_single_passes_leaves_a_reproducer(build, tmp_path):
    """heddle-opt keeps the program with its own options, as a shell reads them back."""
    path = tmp_path / "long.mlir"
    lines = ["func.func @main(%v0: tensor<?xf32>) -> tensor<?xf32> {"] + [f"  %v{i + 1} = stablehlo.add %v{i}, %v{i} : tensor<?xf32>" for i in range(60000)]
    path.write_text("\n".join(lines) + "\n  return %v60000 : tensor<?xf32>\n}\n")
    options = ["--disc-pipeline=target=cpu", "--mlir-elide-elementsattrs-if-larger", "8"]
    opt = subprocess.Popen([os.path.join(build, "bin", "heddle-opt"), str(path), *options, "-o", os.devnull], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / f"heddle-crash-{opt.pid}.mlir"

    def watched():
        with open(f"/proc/{opt.pid}/status", encoding="utf-8") as status:
            return any(int(line.split()[1], 16) >> (signal.SIGABRT - 1) & 1 for line in status if line.startswith("SigCgt"))
    wait_for(watched)
    opt.send_signal(signal.SIGABRT)
    wait_for(lambda: kept.exists() and kept.stat().st_size > path.stat().st_size)
    opt.send_signal(signal.SIGABRT)
    stderr = opt.communicate(timeout=60)[1]
    assert opt.returncode == -signal.SIGABRT and "a fault of Heddle" in stderr, stderr
    text = kept.read_text()
    words = shlex.split(re.match(r"// (heddle-opt .*)\n", text).group(1))
    assert words == ["heddle-opt", *options, kept.name] and text.endswith(path.read_text())
    kept.write_text(text.split("\n")[0] + "\nfunc.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n")
    again = subprocess.run([os.path.join(build, "bin", words[0]), *words[1:]], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0 and "func.func" in again.stdout, again.stderr
