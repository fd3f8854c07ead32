# SPDX-License-Identifier: Apache-2.0
"""--timeout ends what does not end: kernels, reading, single passes. Exit code 4 and a message, within seconds."""
import contextlib
import os
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("compiler")

ROWS = """func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<{n}x{m}xi32>
  %c = stablehlo.cosine %x : tensor<{n}xf32>
  %q = stablehlo.convert %c : (tensor<{n}xf32>) -> tensor<{n}xi32>
  %b = stablehlo.broadcast_in_dim %q, dims = [0] : (tensor<{n}xi32>) -> tensor<{n}x{m}xi32>
  %y = stablehlo.multiply %i, %b : tensor<{n}x{m}xi32>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1] : (tensor<{n}x{m}xi32>, tensor<i32>) -> tensor<{n}xi32>
  %f = stablehlo.convert %r : (tensor<{n}xi32>) -> tensor<{n}xf32>
  return %f : tensor<{n}xf32>
}}
"""


def limited(command, folder, **more):
    """What a command says that --timeout ends."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder, **more)
    assert done.returncode == 4 and "took longer than" in done.stderr, (done.returncode, done.stderr[-500:])
    return done.stderr


@pytest.mark.parametrize("rows, length, threads", [(1 << 20, 1 << 20, 2), (1 << 20, 1 << 20, 1), (1, 1 << 40, 1), (4096, 1 << 40, 2)])
def test_kernels(build, tmp_path, rows, length, threads):
    """Many rows of work, and rows that each last for hours."""
    (tmp_path / "p.mlir").write_text(ROWS.format(n=rows, m=length))
    command = [os.path.join(build, "bin", "heddle"), "run", "p.mlir", "--random", "1", "--timeout", "2", "--no-cache", "--threads", str(threads)]
    assert "execution took longer than 2.000 s" in limited(command, tmp_path)


@pytest.mark.parametrize("what", ["program", "inputs"])
def test_reading(build, root, tmp_path, what):
    """A pipe that nobody writes to."""
    os.mkfifo(tmp_path / "pipe.npz")
    heddle = os.path.join(build, "bin", "heddle")
    words = {"program": ["pipe.npz", "--random", "1"], "inputs": [root + "/examples/gelu.mlir", "--inputs", "pipe.npz"]}[what]
    text = limited([heddle, "run", *words, "--timeout", "1"], tmp_path)
    assert ("reading the inputs" if what == "inputs" else "the command") in text


def test_opt(build, tmp_path):
    """heddle-opt: reading, and the passes."""
    opt = os.path.join(build, "bin", "heddle-opt")
    os.mkfifo(tmp_path / "pipe.mlir")
    limited([opt, "pipe.mlir", "--timeout=1"], tmp_path)
    long_program(tmp_path, 300_000)
    limited([opt, "p.mlir", "--disc-pipeline=target=cpu", "--timeout", "0.05"], tmp_path)
    done = subprocess.run([opt, "p.mlir", "--timeout=soon"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 2 and "expected a positive number" in done.stderr, done.stderr


@pytest.fixture
def full_pipe():
    """The end to write to of a pipe that is full and that nobody reads from."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    with contextlib.suppress(BlockingIOError):
        while True: os.write(write, bytes(4096))
    os.set_blocking(write, True)
    yield write
    os.close(read), os.close(write)


def long_program(folder, count):
    lines = "\n".join(f"  %v{i + 1} = stablehlo.sine %v{i} : tensor<4x4xf32>" for i in range(count))
    (folder / "p.mlir").write_text(f"func.func @main(%v0: tensor<4x4xf32>) -> tensor<4x4xf32> {{\n{lines}\n  return %v{count} : tensor<4x4xf32>\n}}\n")


@pytest.mark.parametrize("command", [["heddle-opt", "p.mlir"], ["heddle", "explain", "p.mlir"], ["heddle", "explain", "p.mlir", "--html", "-o", "-"]])
def test_writing(build, tmp_path, full_pipe, command):
    """Standard output that nobody reads."""
    long_program(tmp_path, 40)
    done = subprocess.run([os.path.join(build, "bin", command[0]), *command[1:], "--timeout", "5"], stdout=full_pipe, stderr=subprocess.PIPE, text=True,
                          timeout=60, cwd=tmp_path)
    assert done.returncode == 4 and "took longer than 5.000 s" in done.stderr, (done.returncode, done.stderr)


@pytest.mark.parametrize("option", ["--outputs", "--profile"])
def test_writing_files(build, root, tmp_path, option):
    """A named pipe that nobody opens, and that somebody opens and does not read."""
    os.mkfifo(tmp_path / "pipe.npz")
    command = [os.path.join(build, "bin", "heddle"), "run", root + "/examples/gelu.mlir", "--random", "1", "--dims", "b=512,s=512", option, "pipe.npz",
               "--timeout", "5"]
    assert "writing the results took longer" in limited(command, tmp_path)
    reader = os.open(tmp_path / "pipe.npz", os.O_RDONLY | os.O_NONBLOCK)
    if option == "--outputs": assert "writing the results took longer" in limited(command, tmp_path)
    os.close(reader)


def test_errors_that_nobody_reads(build, tmp_path, full_pipe):
    """Standard error is full too: the program ends, though it cannot say so."""
    long_program(tmp_path, 40)
    command = [os.path.join(build, "bin", "heddle-opt"), "p.mlir", "--timeout", "5"]
    assert subprocess.run(command, stdout=full_pipe, stderr=full_pipe, timeout=60, cwd=tmp_path).returncode == 4


def test_what_ends_in_time_is_not_touched(build, root, tmp_path):
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "run", root + "/examples/gelu.mlir", "--random", "0", "--dims", "b=2,s=3", "--timeout", "50",
                           "--repeat", "3", "--reference=eval"], capture_output=True, text=True, timeout=100, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
