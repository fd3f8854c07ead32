# SPDX-License-Identifier: Apache-2.0
"""What a file or a stream may be: names of any bytes, directories, closed and full outputs. Exit codes as the help gives them, JSON that
is JSON."""
import json
import os
import re
import signal
import subprocess

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

INPUTS = ("--random", "0", "--dims", "b=2,s=3")
COMMANDS = {"run": INPUTS, "compile": ("-o", "-"), "eval": INPUTS, "check": (), "explain": (), "bisect": INPUTS, "reduce": ("--test", "false", "-o", "-")}


@pytest.fixture
def program(build, root, tmp_path):
    """program(name, *args): bin/name in a folder of its own, output as bytes."""
    def run(name, *args, **more):
        return subprocess.run([os.path.join(build, "bin", name), *args], cwd=tmp_path, timeout=120, **{"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **more},
                              env={**os.environ, "HEDDLE_CACHE_DIR": str(tmp_path / "cache")})
    return run


@pytest.fixture
def gelu(root): return os.path.join(root, "examples", "gelu.mlir")


def copy(source, to):
    with open(source, "rb") as file, open(to, "wb") as out: out.write(file.read())


NAMES = [b"n\xff\xfe.mlir", "\u00e9 \U0001f9f5.mlir".encode(), b"\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf\xe2\x82.mlir", b"with space.mlir", b"a'b\"c\\.mlir", b"line\nend\x01.mlir", b"-dash.mlir"]


@pytest.mark.parametrize("name", NAMES)
def test_json_of_files_of_any_name(program, gelu, tmp_path, name):
    """Bytes that are no UTF-8 are U+FFFD in JSON and on pages; the file is found all the same."""
    copy(gelu, os.path.join(os.fsencode(tmp_path), name))
    for words in (["run", "--json", *INPUTS], ["explain", "--json"], ["bisect", "--json", *INPUTS], ["explain", "--html", "-o", "-"], ["run", "--profile", "t.json", *INPUTS]):
        done = program("heddle", *words, "--", name, stdout=subprocess.PIPE)
        assert done.returncode == 0, (words, done.stderr)
        text = (done.stdout if "--profile" not in words else (tmp_path / "t.json").read_bytes()).decode("utf-8")
        if "--html" not in words: text = json.dumps(json.loads(text), ensure_ascii=False)
        if words[0] == "explain": assert "\ufffd" in text if b"\xff" in name or b"\xc0" in name else "\ufffd" not in text
    for command, words in COMMANDS.items():
        assert program("heddle", command, *words, "--", name, stdout=subprocess.PIPE).returncode == 0, command


def test_json_of_names_in_programs(program, tmp_path):
    (tmp_path / "p.mlir").write_bytes(b'func.func @main(%a: tensor<?xf32> {hd.dims = ["d\\FF\\01\\22"]}) -> tensor<?xf32> {\n  %0 = stablehlo.exponential %a : '
                                      b'tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n')
    done = program("heddle", "explain", "p.mlir", "--json", stdout=subprocess.PIPE)
    assert json.loads(done.stdout.decode("utf-8"))["dims"] == ['d\ufffd\x01"']


STREAMS = [*(["heddle", command, "FILE", *words] for command, words in COMMANDS.items()), ["heddle", "run", "FILE", "--json", *INPUTS], ["heddle", "explain", "FILE", "--json"],
           ["heddle", "compile", "FILE", "-o", "x.hdl"], ["heddle", "version"], ["heddle", "help"], ["heddle", "run", "--help"], ["heddle-opt", "FILE", "--cse"],
           ["heddle-opt", "FILE", "--emit-bytecode"], ["heddle-opt", "--help"], ["heddle-opt", "--version"]]


@pytest.mark.parametrize("words", STREAMS, ids=" ".join)
def test_outputs_that_take_nothing(program, gelu, tmp_path, words):
    """What could not be printed is an error of the output, never of the command line; a reader that has seen enough is none. No file
    is left after."""
    copy(gelu, tmp_path / "FILE")
    with open("/dev/full", "wb") as full: done = program(*words, stdout=full)
    assert done.returncode == 1 and b"cannot write to standard output" in done.stderr, done.stderr
    done = program(*words, stdout=None, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1 and b"cannot write to standard output" in done.stderr, done.stderr
    read, write = os.pipe()
    os.close(read)
    done = program(*words, stdout=write, restore_signals=True)
    os.close(write)
    assert done.returncode == -signal.SIGPIPE, done.stderr
    assert set(os.listdir(tmp_path)) <= {"FILE", "cache", "x.hdl"}


@pytest.mark.parametrize("words", [["heddle", "run", "-", *INPUTS], ["heddle", "compile", "-", "-o", "x.hdl"], ["heddle-opt", "-"], ["heddle-opt"]], ids=" ".join)
def test_standard_input(program, gelu, tmp_path, words):
    done = program(*words, stdin=None, preexec_fn=lambda: os.close(0))
    assert done.returncode == 1 and b"standard input: cannot read" in done.stderr, done.stderr
    (tmp_path / "bad.mlir").write_text("func.func @main( {")
    with open(tmp_path / "bad.mlir", encoding="utf-8") as bad: done = program(*words, stdin=bad)
    assert done.returncode == 1 and done.stderr.startswith(b"<stdin>:1:"), done.stderr
    with open(gelu, encoding="utf-8") as good: assert program(*words, stdin=good, stdout=subprocess.PIPE).returncode == 0


def test_passes_that_leave_no_entry(program, gelu):
    """What is wrong with a program from standard input is no fault of the command line."""
    with open(gelu, encoding="utf-8") as good: done = program("heddle", "compile", "-", "-o", "x.hdl", "--pass-pipeline", "cse", stdin=good)
    assert done.returncode == 1 and b"<stdin>:" in done.stderr and b"is no host entry" in done.stderr, done.stderr


def test_reduce_from_standard_input(program, gelu, tmp_path):
    with open(gelu, encoding="utf-8") as good: done = program("heddle", "reduce", "-", "--test", "false", stdin=good, stdout=subprocess.PIPE)
    assert done.returncode == 0 and done.stdout.startswith(b"a.reduced.mlir: ") and "func.func" in (tmp_path / "a.reduced.mlir").read_text()
    with open(gelu, encoding="utf-8") as good: done = program("heddle", "reduce", "-", "--test", "cat {}; false", "-o", "-", stdin=good, stdout=subprocess.PIPE)
    assert done.returncode == 0 and done.stdout == (tmp_path / "a.reduced.mlir").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a.reduced.mlir"]


def test_reduce_beside_a_quote(program, gelu, tmp_path):
    """The file on trial reaches the command whatever its name is."""
    folder = tmp_path / "it's $HOME"
    folder.mkdir()
    copy(gelu, folder / "a.mlir")
    done = program("heddle", "reduce", folder / "a.mlir", "--test", "if grep -q tanh {}; then exit 3; fi", stdout=subprocess.PIPE)
    assert done.returncode == 0 and "tanh" in (folder / "a.mlir.reduced.mlir").read_text(), done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file(program, build, gelu, tmp_path, command):
    (tmp_path / "folder").mkdir()
    done = program("heddle", command, *COMMANDS[command], "folder")
    assert done.returncode == 1 and b"folder: cannot read: Is a directory" in done.stderr
    copy(gelu, tmp_path / "secret.mlir")
    os.chmod(tmp_path / "secret.mlir", 0)
    drop = "-dac_override,-dac_read_search"  # what root may do all the same
    caps = ["setpriv", f"--bounding-set={drop}", f"--inh-caps={drop}"] if os.geteuid() == 0 else []
    words = [*caps, os.path.join(build, "bin", "heddle"), command, *COMMANDS[command], "secret.mlir"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 1 and b"secret.mlir: cannot read: Permission denied" in done.stderr, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_values_that_are_empty(heddle, gelu, tmp_path, command):
    """No option takes nothing, and no file is called so."""
    options = re.findall(r"^  --([a-z0-9-]+) (\S+)  ", heddle(command, "--help", check=True).stdout, re.M)
    assert options
    for option, value in options:
        done = heddle(command, gelu, f"--{option}=", cwd=tmp_path)
        assert done.returncode == 2 and f"--{option}: expected {value}, got ''" in done.stderr, (option, done.stderr)
    done = heddle(command, "", cwd=tmp_path)
    assert done.returncode == 2 and "expected a file" in done.stderr, done.stderr


def test_a_lone_array_has_no_name(heddle, gelu, tmp_path):
    """An npy file is its array: messages name the file alone."""
    np.save(tmp_path / "in.npy", np.array(["a", "b"]))
    done = heddle("run", gelu, "--inputs", tmp_path / "in.npy")
    assert done.returncode == 1 and "in.npy: elements of type '<U1' are not supported" in done.stderr, done.stderr
