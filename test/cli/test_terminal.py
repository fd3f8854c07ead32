# SPDX-License-Identifier: Apache-2.0
"""Colour and a line of progress on a terminal, and only there."""
import os
import pty
import subprocess

import pytest

RED = "\x1b[1;31merror\x1b[0m"


@pytest.fixture
def on_terminal(build, tmp_path):
    """on_terminal(program, *args) runs a program whose standard error is a terminal; gives what it wrote there."""
    def run(program, *args, **env):
        outer, inner = pty.openpty()
        done = subprocess.Popen([os.path.join(build, "bin", program), *map(str, args)], stdout=subprocess.DEVNULL, stderr=inner, stdin=subprocess.DEVNULL,
                                cwd=tmp_path, env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm",
                                                   "HEDDLE_CACHE_DIR": str(tmp_path / "cache"), **env})
        os.close(inner)
        text = b""
        try:
            while part := os.read(outer, 4096): text += part
        except OSError:  # the other end is closed
            pass
        os.close(outer)
        done.wait(timeout=60)
        return text.decode()
    return run


def test_progress_goes_when_done(on_terminal, root, compiler):
    run = ("heddle", "run", f"{root}/examples/gelu.mlir", "--random", 0, "--dims", "b=1,s=2")
    assert on_terminal(*run) == f"compiling {root}/examples/gelu.mlir ...\r\x1b[K"
    assert on_terminal(*run) == ""  # from the cache


def test_progress_goes_before_a_message(on_terminal, tmp_path, compiler):
    (tmp_path / "bad.mlir").write_text("func.func @main( {")
    text = on_terminal("heddle", "run", "bad.mlir")
    assert text.startswith(f"compiling bad.mlir ...\r\x1b[Kbad.mlir:1:18: {RED}: expected type")


@pytest.mark.parametrize("program, args", [("heddle", ("run", "nothing")), ("heddle-opt", ("nothing",))])
def test_colour(on_terminal, program, args, compiler):
    want = f"{program}: error: nothing: cannot read: No such file or directory\r\n"
    assert on_terminal(program, *args) == want.replace("error:", "\x1b[1;31merror:\x1b[0m")
    assert on_terminal(program, *args, NO_COLOR="1") == on_terminal(program, *args, TERM="dumb") == want


def test_a_file_is_no_terminal(heddle, tmp_path, compiler):
    (tmp_path / "bad.mlir").write_text("func.func @main( {")
    assert "\x1b" not in heddle("run", tmp_path / "bad.mlir").stderr


def test_bytes_that_steer_a_terminal(heddle, tmp_path, compiler):
    """Names and programs are shown, their control characters and what is no UTF-8 are not sent."""
    assert r"a\xff\x1b[31m\xc2\x9bé.mlir: cannot read" in heddle("run", os.fsdecode(b"a\xff\x1b[31m\xc2\x9b\xc3\xa9.mlir")).stderr
    (tmp_path / "bad.mlir").write_bytes(b"func.func @main(\x1b[31m\xff) {")
    done = heddle("run", tmp_path / "bad.mlir")
    assert r"[31m\xff" in done.stderr and "\x1b" not in done.stderr, done.stderr
