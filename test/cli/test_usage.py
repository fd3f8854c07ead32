# SPDX-License-Identifier: Apache-2.0
"""What a user may get wrong: values of options, artifacts in the place of programs, shapes that contradict each other. A message that
says what was expected, and the exit code that the help gives."""
import json
import os
import shutil
import subprocess

import pytest

ADD = """func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
TWICE = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.multiply %0, %two : tensor<i32>
  %p = stablehlo.compare EQ, %m, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %0, %1) {api_version = 2 : i32, error_message = "want b = 2 a, got {0} and {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %b : tensor<?xf32>
}
"""


@pytest.fixture
def add(tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    return path


@pytest.fixture
def opt(build, add, compiler):
    def run(*arguments):
        return subprocess.run([os.path.join(build, "bin", "heddle-opt"), *map(str, arguments), str(add)], capture_output=True, text=True, timeout=60)
    return run


@pytest.mark.parametrize("option, value, says", [
    ("--dims", "x", "--dims: expected NAME=N"), ("--dims", "q=1", "the program has no dim 'q'"), ("--shape", "arg0=4x", "sizes from 0 to 9223372036854775807 such as 4x128, got '4x'"),
    ("--dims", "d0=", "--dims: 'd0': expected a size from 0 to 9223372036854775807, got ''"), ("--shape", "arg0=99999999999999999999", "got '99999999999999999999'"),
    ("--dims", "d0=99999999999999999999,q=1", "--dims: 'd0': expected a size from 0 to 9223372036854775807, got '99999999999999999999'"),
    ("--target", "cuda:xx", "--target: expected architectures as in cuda:80,90, got 'cuda:xx'"), ("--target", "cpu:1", "--target: 'cpu' has no architectures, got 'cpu:1'"),
    ("--mcpu", "x86-64-v2", "--mcpu: cpu 'x86-64-v2' lacks avx; expected at least x86-64-v3"),
    ("--shape", "b=4", "expected argN=DIMS"), ("--random-scale", "0=inf", "--random-scale: expected"), ("--constant-args", "a", "--constant-args: expected"),
    ("--reference", "x", "expected eval, got 'x'"), ("--repeat", "99999999999", "at most 10000000")])
def test_values_of_options(heddle, add, compiler, option, value, says):
    done = heddle("run", add, "--random", 0, option, value)
    assert done.returncode == 2 and says in done.stderr, done.stderr


def test_a_shape_twice(heddle, add, compiler):
    done = heddle("run", add, "--random", 0, "--shape", "arg0=3x4", "--shape", "arg0=5x4")
    assert done.returncode == 2 and "argument 0 is given twice" in done.stderr


@pytest.mark.parametrize("command", ["explain", "bisect", "compile"])
def test_architectures_are_checked_without_a_device(heddle, add, tmp_path, compiler, command):
    done = heddle(command, add, "--target", "cuda:xx", *(() if command == "explain" else ("--random", 0, "--dims", "d0=2")), cwd=tmp_path)
    assert done.returncode == 2 and "--target: expected architectures as in cuda:80,90, got 'cuda:xx'" in done.stderr, done.stderr


def test_no_tolerance(heddle, root, add, compiler):
    """0 allows equal results alone."""
    heddle("run", add, "--random", 0, "--dims", "d0=3", "--reference", "eval", "--tolerance", 0, check=True)
    done = heddle("run", f"{root}/examples/gelu.mlir", "--random", 0, "--dims", "b=5,s=99", "--reference", "eval", "--tolerance", 0)
    assert done.returncode == 3 and "(tolerance 0)" in done.stderr, done.stderr
    done = heddle("run", f"{root}/examples/gelu.mlir", "--expect", f"{root}/examples/gelu.json", "--tolerance", 0)
    assert done.returncode == 3 and "by more than 0" in done.stderr, done.stderr
    assert heddle("run", add, "--random", 0, "--dims", "d0=3", "--reference", "eval", "--tolerance", "-1").returncode == 2


@pytest.mark.parametrize("command", ["run", "compile"])
def test_arguments_that_there_are_not(heddle, add, tmp_path, compiler, command):
    done = heddle(command, add, "--constant-args", "1-2", cwd=tmp_path)
    assert done.returncode == 2 and "--constant-args: expected arguments from the first to the last, below 2, got 1 to 2" in done.stderr, done.stderr


@pytest.mark.parametrize("option, value", [("--inputs", "x.npz"), ("--random", 0), ("--dims", "b=1"), ("--shape", "arg0=1x1"), ("--outputs", "x.npz"), ("--reference", "eval"),
                                           ("--random-max", 5), ("--random-scale", "0=2")])
def test_options_that_expectations_replace(heddle, root, compiler, option, value):
    done = heddle("run", f"{root}/examples/gelu.mlir", "--expect", f"{root}/examples/gelu.json", option, value)
    assert done.returncode == 2 and f"{option}: expected none with --expect" in done.stderr, done.stderr


@pytest.mark.parametrize("command, option, value, wants", [
    *((command, option, value, "--random") for command in ("run", "eval", "bisect", "compile", "check") for option, value in (("--random-max", 5), ("--random-scale", "0=2"))),
    ("run", "--tolerance", 1, "--reference or --expect")])
def test_options_that_need_others(heddle, add, tmp_path, compiler, command, option, value, wants):
    """What would mean nothing is refused, whatever else is given."""
    done = heddle(command, add, "--inputs", tmp_path / "missing.npz", option, value, cwd=tmp_path)
    assert done.returncode == 2 and f"{option}: expected {wants} with it" in done.stderr, done.stderr


def test_one_format(heddle, add, compiler):
    done = heddle("explain", add, "--json", "--html")
    assert done.returncode == 2 and "--html: expected none with --json" in done.stderr and not done.stdout


@pytest.mark.parametrize("inputs", [("--inputs", "x.npz"), ("--random", 1), ("--dims", "d0=1"), ("--shape", "arg0=1x4")])
def test_parts_take_no_inputs(heddle, add, compiler, inputs):
    done = heddle("check", add, "--split-input-file", *inputs)
    assert done.returncode == 2 and f"--split-input-file: expected none with {inputs[0]}" in done.stderr, done.stderr


@pytest.mark.parametrize("words", [("run", "--", "--none.mlir"), ("run", "ADD", "--inputs", "-none.mlir"), ("run", "ADD", "--expect", "--none.mlir"),
                                   ("compile", "ADD", "-o", "--none/x.mlir"), ("explain", "ADD", "-o", "-none/x.mlir"), ("check", "--", "-none.mlir")])
def test_files_named_like_options(heddle, add, tmp_path, compiler, words):
    """A file that cannot be opened is a file's fault, also where its name begins with a dash; one that is there is read."""
    done = heddle(*(add if word == "ADD" else word for word in words), cwd=tmp_path)
    assert done.returncode == 1 and f"none{'/x' * ('-o' in words)}.mlir: cannot " in done.stderr, done.stderr
    (tmp_path / "--none.mlir").write_text(ADD)
    heddle("run", "--random", 0, "--dims", "d0=2", "--outputs", "-out.npz", "--", "--none.mlir", cwd=tmp_path, check=True)
    assert (tmp_path / "-out.npz").exists()


def test_files_of_heddle_opt_named_like_options(build, tmp_path, compiler):
    def opt(*words):
        return subprocess.run([os.path.join(build, "bin", "heddle-opt"), *words], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    done = opt("--", "--none.mlir")
    assert done.returncode == 1 and "--none.mlir: cannot read" in done.stderr, done.stderr
    (tmp_path / "--none.mlir").write_text(ADD)
    assert opt("-o", "-out.mlir", "--cse", "--", "--none.mlir").returncode == 0 and "stablehlo.add" in (tmp_path / "-out.mlir").read_text()
    done = opt("-o", "--none/out.mlir", "--", "--none.mlir")
    assert done.returncode == 1 and "cannot write" in done.stderr, done.stderr


def test_profile_of_expectations(heddle, root, tmp_path, compiler):
    heddle("run", f"{root}/examples/gelu.mlir", "--expect", f"{root}/examples/gelu.json", "--repeat", 1, "--profile", tmp_path / "t.json", check=True)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert sum(event.get("ph") == "X" for event in events) >= 4  # a run per case


@pytest.mark.parametrize("command, says", [("compile", "what is not on every machine first. One of: cpu, cuda, simt, spirv"), ("explain", "whose passes to take: cpu, cuda, simt, spirv"),
                                           ("check", "eval (default), or what to compile for: cpu, simt")])
def test_targets_in_help(heddle, command, says):
    assert says in " ".join(heddle(command, "--help", check=True).stdout.split())


def test_targets_of_explain(heddle, add, compiler):
    done = heddle("explain", add, "--target", "nothing")
    assert done.returncode == 2 and "--target: unknown target 'nothing', expected one of: cpu, cuda, simt" in done.stderr


def test_targets_of_check(heddle, add, compiler):
    done = heddle("check", add, "--target", "cuda")
    assert done.returncode == 2 and "--target: expected eval or cpu, simt, got 'cuda'" in done.stderr


@pytest.mark.parametrize("command", ["run", "compile", "explain", "bisect"])
@pytest.mark.parametrize("option, says", [("--target", "--target: unknown target 'nothing', expected one of: cpu"),
                                          ("--mcpu", "--mcpu: unknown cpu 'nothing': expected native, x86-64"),
                                          ("--pass-pipeline", "--pass-pipeline: there is no pass 'nothing'"),
                                          ("--entry", "--entry: the program has no function 'nothing'; its public functions: 'main'")])
def test_names_that_are_not_known(heddle, add, tmp_path, compiler, command, option, says):
    inputs = () if command == "explain" else ("--random", 0, "--dims", "d0=2")
    done = heddle(command, add, option, "nothing", *inputs, cwd=tmp_path)
    assert done.returncode == 2 and says in done.stderr, done.stderr


@pytest.mark.parametrize("command", ["eval", "check"])
def test_entries_that_are_not_known(heddle, add, compiler, command):
    done = heddle(command, add, "--random", 0, "--entry", "nothing")
    assert done.returncode == 2 and "--entry: the program has no function 'nothing'" in done.stderr, done.stderr


def test_entries_of_an_artifact(heddle, add, tmp_path, compiler):
    heddle("compile", add, "-o", tmp_path / "add.hdl", check=True)
    done = heddle("run", tmp_path / "add.hdl", "--random", 0, "--dims", "d0=2", "--entry", "nothing")
    assert done.returncode == 2 and "--entry: " in done.stderr and "no entry 'nothing'; there are: 'main'" in done.stderr, done.stderr


@pytest.mark.parametrize("arguments, says", [(("version", "foo"), "version takes no arguments, got 'foo'"), (("help", "foo"), "unknown command 'foo'"),
                                             (("run", "x.mlir", "-x"), "-x: unknown option; --help lists them"), (("run", "x.mlir", "--x"), "--x: unknown option; --help lists them"),
                                             (("run", "x.mlir", "-repaet", "2"), "-repaet: unknown option; did you mean '--repeat'?"),
                                             (("run", "x.mlir", "--frob"), "--frob: unknown option; --help lists them")])
def test_words(heddle, arguments, says):
    done = heddle(*arguments)
    assert done.returncode == 2 and says in done.stderr and not done.stdout


def test_devices_as_json(heddle, add, tmp_path, compiler):
    """What the table of `heddle devices` shows."""
    drivers = {row["driver"]: row for row in json.loads(heddle("devices", "--json", check=True).stdout)["drivers"]}
    lines = {line.split()[0]: line for line in heddle("devices", check=True).stdout.splitlines() if not line.startswith(" ")}
    assert drivers.keys() == lines.keys() and drivers["cpu"]["here"] and drivers["simt"]["architecture"] == 32
    for name, row in drivers.items(): assert (row["name"] if row["here"] else f"not here: {row['why']}") in lines[name]
    heddle("compile", add, "--target", "cpu", "--target", "simt", "-o", tmp_path / "two.hdl", check=True)
    targets = json.loads(heddle("devices", tmp_path / "two.hdl", "--json", check=True).stdout)["targets"]
    assert targets == [{"target": "cpu", "here": True, "taken": True}, {"target": "simt", "here": True, "taken": False}]


@pytest.mark.parametrize("arguments, usage", [(("help",), "heddle compiles"), (("help", "run"), "usage: heddle run"), (("help", "version"), "usage: heddle version"),
                                              (("version", "--help"), "usage: heddle version"), (("run", "--help", "a", "b", "--nothing"), "usage: heddle run")])
def test_help(heddle, arguments, usage):
    """Asked for, it is what is shown, whatever is behind."""
    done = heddle(*arguments)
    assert done.returncode == 0 and done.stdout.startswith(usage) and not done.stderr


@pytest.mark.parametrize("threads", ["0", "-1", "many", "2x", "1025"])
def test_numbers_of_threads(heddle, add, compiler, threads):
    for done in (heddle("run", add, "--threads", threads), heddle("run", add, env={"HEDDLE_NUM_THREADS": threads})):
        assert done.returncode == 2 and f"expected a positive number, at most 1024, got '{threads}'" in done.stderr, done.stderr
    done = heddle("run", add, "--random", 0, "--dims", "d0=2", "--threads", 1, "--json", env={"HEDDLE_NUM_THREADS": threads})
    assert done.returncode == 0 and '"threads": 1,' in done.stdout  # the variable stands for the option


def test_check_of_what_cannot_be_read(heddle, tmp_path, compiler):
    bad = tmp_path / "bad.mlir"
    bad.write_text("func.func @main( {")
    done = heddle("check", bad)
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "0 passed, 1 failed" and "bad.mlir:1:" in done.stderr


@pytest.mark.parametrize("magic", [b"XHDL", b""])
def test_an_artifact_is_no_text(heddle, add, tmp_path, compiler, magic):
    """What ends in .hdl is an artifact, also where its magic is damaged."""
    artifact = tmp_path / "add.hdl"
    assert heddle("compile", add, "-o", artifact).returncode == 0
    artifact.write_bytes(magic + artifact.read_bytes()[4:] if magic else b"")
    done = heddle("run", artifact, "--random", 0, "--dims", "d0=2")
    assert done.returncode == 1 and "not an artifact" in done.stderr, done.stderr


def test_an_artifact_is_no_program(heddle, add, tmp_path, compiler):
    artifact = tmp_path / "add.hdl"
    assert heddle("compile", add, "-o", artifact).returncode == 0
    for command in ("compile", "eval", "explain", "check"):
        done = heddle(command, artifact, *(["-o", tmp_path / "again.hdl"] if command == "compile" else []))
        assert done.returncode == 1 and "expected a program as text or bytecode, got an artifact" in done.stderr, command
    for option in (["--pass-pipeline", "cse"], ["--no-contract"], ["--no-excess-precision"], ["--deterministic"], ["--tf32"], ["--math", "exact"], ["--platform-index", "1"],
                   ["--reference", "eval"], ["--dump-to", tmp_path / "dumps"]):
        done = heddle("run", artifact, "--random", 0, "--dims", "d0=2", *option)
        assert done.returncode == 2 and f"{option[0]}: " in done.stderr and "is an artifact" in done.stderr, (option, done.stderr)


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_tf32_is_refused_where_nothing_reads_it(heddle, add, compiler, target):
    done = heddle("run", add, "--random", 0, "--dims", "d0=2", "--tf32", "--target", target)
    assert done.returncode == 1 and f"tf32: target '{target}' computes products of f32 in f32 alone" + (", but for those of libraries (library_products)" if target == "simt" else "\n") in done.stderr, done.stderr


@pytest.mark.parametrize("command", ["run", "eval", "check"])
def test_a_dim_that_is_too_large(heddle, add, compiler, command):
    done = heddle(command, add, "--random", 0, "--dims", "d0=9223372036854775807")
    assert done.returncode == 1 and "argument 0 (tensor<d0x4xf32>) has more bytes than memory can address: dim 0, d0, is 9223372036854775807" in done.stderr


@pytest.mark.parametrize("command", ["run", "eval", "check", "compile"])
def test_shapes_that_contradict(heddle, add, tmp_path, compiler, command):
    out = ["-o", tmp_path / "x.hdl"] if command == "compile" else []
    done = heddle(command, add, "--random", 0, "--shape", "arg0=3x4", "--shape", "arg1=5x4", *out)
    assert done.returncode == 1 and "argument 1: dim 0 is 5, but d0 is 3 by argument 0" in done.stderr, done.stderr


@pytest.mark.parametrize("command, says", [("run", "argument 1: dim 0 is 7"), ("eval", "argument 1: dim 0 is 7, expected 2*d0 = 6")])
def test_the_programs_own_message(heddle, tmp_path, compiler, command, says):
    path = tmp_path / "twice.mlir"
    path.write_text(TWICE)
    done = heddle(command, path, "--random", 0, "--shape", "arg0=3", "--shape", "arg1=7")
    assert done.returncode == 1 and "want b = 2 a, got 3 and 7" in done.stderr and says in done.stderr, done.stderr


def test_values_of_heddle_opt(opt):
    """With `=` or as the next word, as mlir-opt takes them."""
    want = opt("--pass-pipeline=builtin.module(cse)")
    assert want.returncode == 0 and "stablehlo.add" in want.stdout
    assert opt("--pass-pipeline", "builtin.module(cse)").stdout == want.stdout
    assert opt("--pass-pipeline", "builtin.module(cse)", "--target", "simt").stdout == want.stdout
    done = opt("--mlir-print-ir-before", "cse", "--cse")
    assert done.returncode == 0 and "IR Dump Before cse" in done.stderr
    assert opt("--version").stdout.startswith("heddle ")


@pytest.mark.parametrize("option, says", [("--nothing", "--nothing: unknown option or pass"), ("--verify-each=x", "expected true or false, got 'x'"),
                                          ("--emit-bytecode=x", "expected true or false, got 'x'"), ("--debug-only=x", "there is no pass 'x'"), ("-nothing", "error: -nothing: unknown option or pass"),
                                          ("--mlir-elide-elementsattrs-if-larger=-1", "expected a number"),
                                          ("--target-version=abc", "--target-version=abc: expected a version from 0.9.0"),
                                          ("--target=gpu", "--target: unknown target 'gpu', expected one of: "),
                                          ("--target=cuda:xx", "--target: expected architectures as in cuda:80,90, got 'cuda:xx'"),
                                          ("--canonicalize=max-iterations=x", "error: --canonicalize: pass 'canonicalize': option 'max-iterations': expected int, got 'x'"), ("--pass-pipeline=builtin.module(x)", "--pass-pipeline: there is no pass 'x'; `heddle-opt --help` lists them"), ("--pass-pipeline=builtin.module(", "--pass-pipeline: ")])
def test_options_of_heddle_opt(opt, option, says):
    done = opt(option)
    assert done.returncode == 2 and says in done.stderr, done.stderr


def test_a_cache_entry_that_is_a_pipe(build, add, tmp_path, compiler):
    """An entry that is no file is a miss; nobody waits for its writer."""
    cache = tmp_path / "pipes"

    def run():
        return subprocess.run([os.path.join(build, "bin", "heddle"), "run", str(add), "--random", "0", "--dims", "d0=2"], capture_output=True,
                              timeout=60, env={**os.environ, "HEDDLE_CACHE_DIR": str(cache)}).returncode
    assert run() == 0
    for entry in list(cache.iterdir()):
        entry.unlink()
        os.mkfifo(entry, 0o600)
    assert run() == 0


def test_an_installed_heddle(build, root, tmp_path, compiler):
    """cmake --install: programs, libraries, headers and pkg-config files that work wherever they are; examples/embed.c builds against them."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as handle:
        if any(line.startswith("HEDDLE_SANITIZE:") and line.strip().split("=", 1)[1] for line in handle): pytest.skip("built with sanitizers")
    first, prefix = tmp_path / "first", tmp_path / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", str(first)], check=True, capture_output=True)
    os.rename(first, prefix)
    version = subprocess.run([prefix / "bin" / "heddle", "version"], capture_output=True, text=True, timeout=60, check=True)
    assert "targets: cpu" in version.stdout
    assert (prefix / "lib" / "libheddle_pjrt.so").exists()  # beside the compiler that it opens
    flags = [f"-I{prefix}/include", f"-L{prefix}/lib", "-lheddle"]
    if shutil.which("pkg-config"):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "heddle"], capture_output=True, text=True, check=True,
                               env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}).stdout.split()
    program = str(tmp_path / "embed")
    subprocess.run(["gcc", "-std=c17", "-D_GNU_SOURCE", os.path.join(root, "examples", "embed.c"), *flags, "-lpthread", f"-Wl,-rpath,{prefix}/lib",
                    "-o", program], check=True)
    done = subprocess.run([program, os.path.join(root, "examples", "gelu.mlir")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "allocator asked for memory" in done.stdout, done.stderr


CHECKED = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  check.expect_eq %a, %a : tensor<?xf32>
  return %a : tensor<?xf32>
}
func.func @small(%a: tensor<?xi32>) {
  %limit = stablehlo.constant dense<4> : tensor<i32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq %n, %limit : tensor<i32>
  return
}
"""


@pytest.mark.parametrize("target", ["eval", "cpu"])
def test_check_with_inputs(heddle, tmp_path, compiler, target):
    """The entry runs on them, on either target; other functions with arguments are skipped."""
    path = tmp_path / "checked.mlir"
    path.write_text(CHECKED)
    check = ("check", path, "--target", target, "--random", 0)
    done = heddle(*check, "--dims", "d0=3")
    assert done.returncode == 0 and done.stdout.splitlines() == ["1 skipped: their functions take arguments", "1 passed, 0 failed"], done.stderr
    assert "'main' passed" in done.stderr and "'small' skipped" in done.stderr
    assert heddle(*check, "--entry", "small", "--dims", "d0=4").stdout.splitlines() == ["1 passed, 0 failed"]
    done = heddle(*check, "--entry", "small", "--dims", "d0=5")
    assert done.returncode == 3 and done.stdout.splitlines() == ["0 passed, 1 failed"]


def test_check_reaches_a_limit(heddle, tmp_path, compiler):
    path = tmp_path / "large.mlir"
    path.write_text("func.func @large() {\n  %0 = stablehlo.iota dim = 0 : tensor<100000000xf32>\n  check.expect_eq %0, %0 : tensor<100000000xf32>\n  return\n}\n")
    done = heddle("check", path, "--memory-limit", "1M")
    assert done.returncode == 4 and done.stdout.splitlines() == ["0 passed, 1 failed"] and "memory" in done.stderr, done.stderr


def test_diagnostics_are_said_once(heddle, tmp_path, compiler):
    """A program that does not verify: its diagnostics alone, and no line that says that there are some."""
    path = tmp_path / "wrong.mlir"
    path.write_text("func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n  return %a : tensor<2xf32>\n}\n")
    for command in (("run", path, "--random", "1"), ("eval", path, "--random", "1"), ("compile", path, "-o", tmp_path / "x.hdl")):
        done = heddle(*command)
        assert done.returncode == 1 and "wrong.mlir:2:3: error: " in done.stderr and "heddle: error:" not in done.stderr, done.stderr


def test_a_pass_that_fails_is_named_after_its_diagnostics(opt, tmp_path):
    done = opt("--pass-pipeline=builtin.module(disc-unused-function-removal{entry=nothing})")
    assert done.returncode == 1 and done.stderr.endswith("heddle-opt: error: pass 'disc-unused-function-removal' failed\n"), done.stderr


@pytest.mark.parametrize("command", ["run", "compile"])
@pytest.mark.parametrize("option, value, says", [("--math", "quick", "--math: expected fast or exact, got 'quick'"),
                                                 ("--pass-options", "disc-dot-rewriter{algn=8}", "--pass-options: pass 'disc-dot-rewriter' has no option 'algn'"),
                                                 ("--pass-options", "nothing", "--pass-options: there is no pass 'nothing'; `heddle-opt --help` lists them"),
                                                 ("--dims", "d0=4,d0=5", "--dims: 'd0' is given twice, as 4 and 5")])
def test_values_that_are_not_known(heddle, add, tmp_path, compiler, command, option, value, says):
    """A message names the option, not the field of the C interface."""
    dims = () if option == "--dims" else ("--dims", "d0=2")
    done = heddle(command, add, option, value, "--random", 0, *dims, cwd=tmp_path)
    assert done.returncode == 2 and says in done.stderr, done.stderr


@pytest.mark.parametrize("driver, says", [("foo", "--driver: no driver 'foo'; there are: cpu"), ("simt:3", "--driver: driver 'simt:3': expected a size of subgroups")])
def test_drivers_that_are_not_known(heddle, add, tmp_path, compiler, driver, says):
    heddle("compile", add, "-o", tmp_path / "add.hdl", check=True)
    for program in (add, tmp_path / "add.hdl"):
        done = heddle("run", program, "--random", 0, "--dims", "d0=2", "--driver", driver)
        assert done.returncode == 2 and says in done.stderr, done.stderr


@pytest.mark.parametrize("target", ["foo", "cuda", "cpu", "simt:3", "simt:x"])
def test_targets_of_eval(heddle, add, compiler, target):
    done = heddle("eval", add, "--random", 0, "--dims", "d0=2", "--target", target)
    assert done.returncode == 2 and "--target: expected eval or simt, " in done.stderr and f"got '{target}'" in done.stderr and not done.stdout, done.stderr
    for known in ("eval", "simt", "simt:1"): heddle("eval", add, "--random", 0, "--dims", "d0=2", "--target", known, check=True)


def test_equal_results_do_not_differ(heddle, add, compiler):
    done = heddle("run", add, "--random", 0, "--dims", "d0=2", "--reference=eval", check=True)
    assert "  equals the evaluator (tolerance " in done.stdout and "differs" not in done.stdout + done.stderr
