# SPDX-License-Identifier: Apache-2.0
"""The pipeline, LLVM apart, on generated programs: 200,000 ops in seconds, the cost close to linear."""
import ctypes
import os
import random
import re
import resource
import struct
import subprocess

import pytest

SMALL, LARGE = 50_000, 200_000  # both too large for the caches


def layers(count):
    """Products, rows and shape arithmetic, nine ops a layer."""
    lines = ["func.func public @main(%x0: tensor<?x64xf32>, %w: tensor<64x64xf32>) -> tensor<?x64xf32> {",
             "  %z = stablehlo.constant dense<0.0> : tensor<f32>"]
    for i in range(count // 9):
        lines.append(f"""  %d{i} = stablehlo.dot_general %x{i}, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %t{i} = stablehlo.tanh %d{i} : tensor<?x64xf32>
  %r{i} = stablehlo.reduce(%t{i} init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  %s{i} = stablehlo.get_dimension_size %t{i}, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
  %q{i} = stablehlo.reshape %s{i} : (tensor<i32>) -> tensor<1xi32>
  %c{i} = stablehlo.constant dense<64> : tensor<1xi32>
  %h{i} = stablehlo.concatenate %q{i}, %c{i}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b{i} = stablehlo.dynamic_broadcast_in_dim %r{i}, %h{i}, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x64xf32>
  %x{i + 1} = stablehlo.subtract %t{i}, %b{i} : tensor<?x64xf32>""")
    return "\n".join(lines) + f"\n  return %x{count // 9} : tensor<?x64xf32>\n}}\n"


def elementwise(count):
    """One chain, each op also reading one of the last eight values."""
    values, lines = ["%a", "%b"], ["func.func public @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {"]
    for i in range(count):
        op = ("add", "multiply", "tanh", "subtract", "maximum", "negate")[i * 7 % 6]
        others = "" if op in ("tanh", "negate") else f", {values[-1 - i * 5 % min(len(values), 8)]}"
        lines.append(f"  %v{i} = stablehlo.{op} {values[-1]}{others} : tensor<?x?xf32>")
        values.append(f"%v{i}")
    return "\n".join(lines) + f"\n  return {values[-1]} : tensor<?x?xf32>\n}}\n"


def dag(count):
    """Each op reads near values and far ones; one in ten is a reduction of rows or columns, spread again. What none reads is added up."""
    pick, size = random.Random(5), "tensor<?x?xf32>"
    lines = [f"func.func public @main(%a: {size}, %b: {size}) -> {size} {{", "  %z = stablehlo.constant dense<0.0> : tensor<f32>",
             f"  %h = shape.shape_of %a : {size} -> tensor<2xindex>"]
    values, unread = ["%a", "%b"], {}
    for i in range(count):
        x, y = (pick.choice(values if pick.random() < 0.3 else values[-20:]) for _ in range(2))
        op = pick.choice(["add", "multiply", "subtract", "maximum", "tanh", "negate", "sine"])
        if pick.random() < 0.1:
            kept = pick.randrange(2)
            lines.append(f"  %r{i} = stablehlo.reduce({x} init: %z) applies stablehlo.add across dimensions = [{1 - kept}] : ({size}, tensor<f32>) -> tensor<?xf32>")
            lines.append(f"  %v{i} = stablehlo.dynamic_broadcast_in_dim %r{i}, %h, dims = [{kept}] : (tensor<?xf32>, tensor<2xindex>) -> {size}")
        else:
            lines.append(f"  %v{i} = stablehlo.{op} {x}{'' if op in ('tanh', 'negate', 'sine') else f', {y}'} : {size}")
        values.append(f"%v{i}")
        unread[f"%v{i}"] = True
        read = {x} if "reduce" in lines[-2] and f"%r{i} " in lines[-2] or op in ("tanh", "negate", "sine") else {x, y}
        for value in read: unread.pop(value, None)
    total, *rest = unread
    for i, value in enumerate(rest):
        lines.append(f"  %t{i} = stablehlo.add {total}, {value} : {size}")
        total = f"%t{i}"
    return "\n".join(lines) + f"\n  return {total} : {size}\n}}\n"


def shared(count):
    """Kernels that all read one constant: each has a copy of what fills its buffer."""
    size, lines = "tensor<?x4xf32>", []
    for i in range(count):
        lines.append(f"  %v{i + 1} = stablehlo.dot %v{i}, %w : ({size}, tensor<4x4xf32>) -> {size}")
    return (f"func.func public @main(%v0: {size}) -> {size} {{\n  %w = stablehlo.constant dense<0.5> : tensor<4x4xf32>\n"
            + "\n".join(lines) + f"\n  return %v{count} : {size}\n}}\n")


@pytest.fixture(scope="module")
def seconds(build, tmp_path_factory):
    """The processor time that a target's pipeline takes on a program, with reading and printing it."""
    path = tmp_path_factory.mktemp("growth") / "program.mlir"

    def run(text, target="cpu"):
        path.write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), str(path), f"--disc-pipeline=target={target}", "--verify-each=false",
                               "--mlir-timing"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
        assert len(re.findall(r"^\s*([\d.]+)\s+[a-z]", done.stderr, re.M)) > 10, done.stderr[-2000:]
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return run


@pytest.mark.parametrize("program, target, small, large", [
    (layers, "cpu", SMALL, LARGE), (elementwise, "cpu", SMALL, LARGE), (dag, "cpu", 12_500, 50_000),
    (layers, "cuda", 10_000, 40_000), (dag, "cuda", 2_500, 10_000), (shared, "cuda", 2_500, 10_000)])  # a hundred ops at the end for one at the start
def test_growth(program, target, small, large, seconds):
    """Four times the ops take five times the work at n log n, 16 times if anything is quadratic."""
    if not os.environ.get("HEDDLE_LONG"): pytest.skip("takes minutes: in make test-long")
    few = min(seconds(program(small), target) for _ in range(2))
    many = seconds(program(large), target)
    assert many < 60 and many < 7 * few, (few, many)


def centred(count):
    """Rows whose sum is taken off again and again: each reduction needs the one before."""
    size, row = "tensor<?x64xf32>", "tensor<?xf32>"
    lines = [f"func.func @main(%v0: {size}) -> {size} {{", "  %z = stablehlo.constant dense<0.0> : tensor<f32>", f"  %h = shape.shape_of %v0 : {size} -> tensor<2xindex>"]
    for i in range(count):
        lines.append(f"""  %r{i} = stablehlo.reduce(%v{i} init: %z) applies stablehlo.add across dimensions = [1] : ({size}, tensor<f32>) -> {row}
  %b{i} = stablehlo.dynamic_broadcast_in_dim %r{i}, %h, dims = [0] : ({row}, tensor<2xindex>) -> {size}
  %s{i} = stablehlo.subtract %v{i}, %b{i} : {size}
  %v{i + 1} = stablehlo.tanh %s{i} : {size}""")
    return "\n".join(lines) + f"\n  return %v{count} : {size}\n}}\n"


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_a_chain_of_reductions_is_linear(build, target):
    """Four times the reductions are four times the code, since no kernel computes more than eight of them again."""
    def ops(count):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "-", f"--disc-pipeline=target={target}"], input=centred(count), capture_output=True,
                              text=True, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.count("\n")
    few, many = ops(24), ops(96)
    assert many < 4.2 * few, (few, many)


@pytest.mark.parametrize("op", ["stablehlo.sine {x}", "stablehlo.reverse {x}, dims = [0]"])
def test_a_long_chain_of_ops(op, seconds):
    """Nothing recurses once an op: the stack stays as it is."""
    lines = [f"  %v{i + 1} = {op.format(x=f'%v{i}')} : tensor<4x4xf32>" for i in range(150_000)]
    seconds("func.func @main(%v0: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + "\n".join(lines) + "\n  return %v150000 : tensor<4x4xf32>\n}\n")


@pytest.fixture(scope="module")
def instructions(build, tmp_path_factory):
    """How many instructions heddle-opt, or |program|, takes for a program, as the processor counts them: the same on a busy machine."""
    attr = bytearray(112)
    struct.pack_into("<IIQ", attr, 0, 0, len(attr), 1)  # hardware, instructions
    struct.pack_into("<Q", attr, 40, 1 << 1 | 1 << 5 | 1 << 6)  # of children too; not the kernel's, not the hypervisor's
    counter = ctypes.CDLL(None, use_errno=True).syscall(298, (ctypes.c_char * len(attr)).from_buffer(attr), 0, -1, -1, 0)
    if counter < 0: pytest.skip(f"this machine counts no instructions: {os.strerror(ctypes.get_errno())}")
    path = tmp_path_factory.mktemp("counted") / "program.mlir"

    def run(text, *options, program="heddle-opt"):
        path.write_text(text)
        before = struct.unpack("<Q", os.read(counter, 8))[0]
        done = subprocess.run([os.path.join(build, "bin", program), *options, str(path)], capture_output=True, text=True, timeout=300)
        return done, struct.unpack("<Q", os.read(counter, 8))[0] - before
    yield run
    os.close(counter)


def chain_of_calls(count):
    """Functions, each calling the next."""
    lines = [f"func.func {'private ' if i else ''}@{f'f{i}' if i else 'main'}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = stablehlo.sine %x : tensor<4xf32>\n"
             f"  %1 = call @f{i + 1}(%0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}}" for i in range(count)]
    return "\n".join(lines) + f"\nfunc.func private @f{count}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  return %x : tensor<4xf32>\n}}\n"


def test_a_chain_of_functions_is_linear(instructions):
    """Four times the functions take four times the work: names are looked up, not searched for."""
    (few, work), (many, more) = (instructions(chain_of_calls(n), "--inline", "--disc-unused-function-removal") for n in (5000, 20000))
    assert few.returncode == 0 and many.returncode == 0, many.stderr[-500:]
    assert many.stdout.count("stablehlo.sine") == 20000
    assert more < 5.5 * work, (work, more)


def kernels_apart(count):
    """Elementwise ops of shapes that are not provably equal: a kernel each."""
    head = ", ".join(f"%x{i}: tensor<?xf32>" for i in range(count))
    lines = [f"  %{i} = stablehlo.sine %x{i} : tensor<?xf32>" for i in range(count)]
    return f"func.func @main({head}) -> ({', '.join(['tensor<?xf32>'] * count)}) {{\n" + "\n".join(lines) + f"\n  return {', '.join(f'%{i}' for i in range(count))} : {', '.join(['tensor<?xf32>'] * count)}\n}}\n"


def test_lowering_and_explaining_many_kernels_is_linear(instructions):
    """What precedes a kernel, and what a pass leaves, is looked at once a pass, not once a kernel."""
    for program, options in (("heddle-opt", ("--disc-pipeline=target=cpu",)), ("heddle", ("explain",))):
        (few, work), (many, more) = (instructions(kernels_apart(n), *options, program=program) for n in (1000, 4000))
        assert few.returncode == 0 and many.returncode == 0, many.stderr[-500:]
        assert more < 5.5 * work, (program, work, more)


def test_calls_that_double_cost_what_is_written(instructions):
    """2^30 ops in 62 calls are refused before any is copied."""
    few, work = instructions(doubling(8), "--inline")
    done, more = instructions(doubling(30), "--inline")
    assert few.returncode == 0 and few.stdout.count("stablehlo.sine") == 256 + 1, few.stderr
    assert done.returncode == 1 and re.search(r"program.mlir:\d+:\d+: error: 'func.call' op makes a program of more ops than expected, at most 2097152", done.stderr), done.stderr
    assert more < 4 * work, (work, more)


@pytest.mark.parametrize("rank", [65, 100_000])
@pytest.mark.parametrize("op", ["", "  %0 = stablehlo.sine %x : {t}\n", "  %0 = stablehlo.transpose %x, dims = {all} : ({t}) -> {t}\n",
                                "  %0 = stablehlo.reshape %x : ({t}) -> tensor<1xf32>\n", "  %0 = stablehlo.reverse %x, dims = {all} : {t}\n",
                                "  %0 = stablehlo.broadcast_in_dim %x, dims = {all} : ({t}) -> {t}\n"])
def test_rank(op, rank, instructions):
    """A rank beyond the bound is refused where it is, at the cost of reading it."""
    size = "tensor<" + "1x" * rank + "f32>"
    text = f"func.func @main(%x: {size}) -> {size} {{\n" + op.format(t=size, all=list(range(rank))) + f"  return %x : {size}\n}}\n"
    done, work = instructions(text, "--disc-pipeline=target=cpu")
    assert done.returncode == 1 and re.search(r"program.mlir:\d+:\d+: error: .*(rank|at most 64)", done.stderr), (done.stderr or done.stdout)[-600:]
    assert work < 1.5e8 + 12000 * rank, work


def test_rank_of_the_entry(build, tmp_path):
    """The same where the whole compiler runs: describing the entry took a minute of reading each dim for each dim."""
    size = "tensor<" + "1x" * 100_000 + "f32>"
    (tmp_path / "program.mlir").write_text(f"func.func @main(%x: {size}) -> {size} {{\n  return %x : {size}\n}}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "compile", "program.mlir"], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 1 and "argument #0 has rank 100000, expected 64 at most" in done.stderr, done.stderr[-600:]
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 4


def doubling(count):
    """Functions, each calling the next twice."""
    def function(name, callee):
        return (f"func.func {name}(%x: tensor<f32>) -> tensor<f32> {{\n  %0 = call {callee}(%x) : (tensor<f32>) -> tensor<f32>\n"
                f"  %1 = call {callee}(%0) : (tensor<f32>) -> tensor<f32>\n  return %1 : tensor<f32>\n}}\n")
    text = function("@main", "@f1") + "".join(function(f"private @f{i}", f"@f{i + 1}") for i in range(1, count))
    return text + f"func.func private @f{count}(%x: tensor<f32>) -> tensor<f32> {{\n  %0 = stablehlo.sine %x : tensor<f32>\n  return %0 : tensor<f32>\n}}\n"


@pytest.mark.parametrize("command", [["eval", "--random", "1"], ["run", "--random", "1", "--no-cache"], ["check"]])
def test_calls_that_double_do_not_run(command, build, tmp_path):
    """The evaluator asks the same graph of calls, and says the same at the same place, instead of 2^30 calls."""
    text = doubling(30)
    if command == ["check"]:  # which runs functions without arguments
        text = text.replace("@main(%x: tensor<f32>)", "@main()").replace("{\n", "{\n  %x = stablehlo.constant dense<1.0> : tensor<f32>\n", 1)
    (tmp_path / "program.mlir").write_text(text)
    done = subprocess.run([os.path.join(build, "bin", "heddle"), command[0], "program.mlir", *command[1:]], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    place = 3 if command == ["check"] else 2
    assert done.returncode and f"program.mlir:{place}:8: error: 'func.call' op makes a program of more ops than expected, at most 2097152" in done.stderr, done.stderr


def test_calls_that_double_end(build):
    """Thirty functions, each calling the next twice: an error at a call, not a program of 2^30 ops."""
    text = doubling(31)
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "-", "--inline"], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "makes a program of more ops than expected" in done.stderr
