# SPDX-License-Identifier: Apache-2.0
"""Constants in a file of their own, beside artifacts that share it."""
import hashlib
import os
import shutil
import subprocess

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

RAMP = "dense<[[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]> : tensor<2x3xf32>"


def program(op, body, tensor="tensor<2x3xf32>"):
    return f"""func.func @main(%a: {tensor}) -> {tensor} {{
  %c = stablehlo.constant {body}
  %r = stablehlo.{op} %a, %c : {tensor}
  return %r : {tensor}
}}
"""


@pytest.fixture
def run(heddle, tmp_path):
    """run(file, *args): the result for an input of ones, else the CompletedProcess."""
    np.savez(tmp_path / "in.npz", arg0=np.ones((2, 3), np.float32))

    def one(file, *args, inputs=tmp_path / "in.npz", **more):
        out = tmp_path / "out.npz"
        done = heddle("run", file, "--inputs", inputs, "--outputs", out, *args, **more)
        if done.returncode: return done
        with np.load(out) as got: return got["out0"]
    return one


ramp = np.arange(6, dtype=np.float32).reshape(2, 3) + np.float32(0.5)


@pytest.fixture
def two(heddle, tmp_path):
    """Artifacts add.hdl and mul.hdl that share w.hdc."""
    (tmp_path / "add.mlir").write_text(program("add", RAMP))
    (tmp_path / "mul.mlir").write_text(program("multiply", RAMP))
    first = heddle("compile", tmp_path / "add.mlir", "-o", tmp_path / "add.hdl", "--constants", tmp_path / "w.hdc", check=True)
    second = heddle("compile", tmp_path / "mul.mlir", "-o", tmp_path / "mul.hdl", "--constants", tmp_path / "w.hdc", check=True)
    assert "1 constants, 1 of them new" in first.stdout and "1 constants, 0 of them new" in second.stdout
    return tmp_path


def test_shared(run, two, heddle):
    np.testing.assert_array_equal(run(two / "add.hdl"), ramp + 1)
    np.testing.assert_array_equal(run(two / "mul.hdl"), ramp)
    content = ramp.tobytes()
    assert content in (two / "w.hdc").read_bytes() and content not in (two / "add.hdl").read_bytes()
    name = hashlib.blake2b(content, digest_size=16).digest()
    assert name in (two / "w.hdc").read_bytes() and name in (two / "add.hdl").read_bytes()
    # A third program with another constant: what was there stays, and stays right.
    (two / "sub.mlir").write_text(program("subtract", "dense<[[9.0, 8.0, 7.0], [6.0, 5.0, 4.0]]> : tensor<2x3xf32>"))
    done = heddle("compile", two / "sub.mlir", "-o", two / "sub.hdl", "--constants", two / "w.hdc", check=True)
    assert "2 constants, 1 of them new" in done.stdout
    np.testing.assert_array_equal(run(two / "add.hdl"), ramp + 1)
    np.testing.assert_array_equal(run(two / "sub.hdl"), 1 - np.array([[9, 8, 7], [6, 5, 4]], np.float32))


def test_moves_with_the_artifact(run, two, heddle):
    other = two / "elsewhere"
    os.mkdir(other)
    shutil.move(two / "add.hdl", other / "add.hdl")
    gone = run(other / "add.hdl")
    assert gone.returncode == 1 and f"add.hdl: constants: {other}/w.hdc: cannot read: No such file or directory" in gone.stderr
    np.testing.assert_array_equal(run(other / "add.hdl", "--constants", two / "w.hdc"), ramp + 1)
    shutil.move(two / "w.hdc", other / "w.hdc")
    np.testing.assert_array_equal(run(other / "add.hdl"), ramp + 1)
    np.testing.assert_array_equal(run("add.hdl", cwd=other), ramp + 1)
    # Of different folders: by the way from one to the other.
    heddle("compile", two / "mul.mlir", "-o", two / "mul.hdl", "--constants", other / "w.hdc", check=True)
    np.testing.assert_array_equal(run(two / "mul.hdl"), ramp)
    np.testing.assert_array_equal(run("../mul.hdl", cwd=other), ramp)
    done = heddle("compile", two / "mul.mlir", "-o", other / "again.hdl", "--constants", "w.hdc", cwd=other, check=True)
    assert "w.hdc: " in done.stdout
    np.testing.assert_array_equal(run(other / "again.hdl"), ramp)


def test_missing_and_damaged(run, two, heddle):
    good = (two / "w.hdc").read_bytes()
    at = good.index(ramp.tobytes())
    (two / "w.hdc").unlink()
    fails(run(two / "add.hdl"), "add.hdl: constants: ", "w.hdc: cannot read: No such file")
    (two / "w.hdc").write_bytes(b"")
    fails(run(two / "add.hdl"), "w.hdc: not a constants file: empty file")
    (two / "w.hdc").write_bytes(good[:-1])
    fails(run(two / "add.hdl"), f"w.hdc: damaged constants file: {len(good) - 1} bytes, expected {len(good)}")
    (two / "w.hdc").write_bytes(b"PK\3\4" + good[4:])
    fails(run(two / "add.hdl"), "w.hdc: not a constants file")
    (two / "w.hdc").write_bytes(good[:70] + bytes([good[70] ^ 1]) + good[71:])
    fails(run(two / "add.hdl"), "w.hdc: damaged constants file: hash of its index differs")
    # One bit of the content: named with the constant, before anything is computed from it.
    name = hashlib.blake2b(ramp.tobytes(), digest_size=16).hexdigest()
    (two / "w.hdc").write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
    fails(run(two / "add.hdl"), f"w.hdc: constant {name}_f32_2x3: its content has another hash")
    # Compiling again makes it good.
    heddle("compile", two / "add.mlir", "-o", two / "add.hdl", "--constants", two / "w.hdc", check=True)
    assert (two / "w.hdc").read_bytes() == good


def fails(done, *parts):
    assert done.returncode == 1, done
    for part in parts: assert part in done.stderr, (part, done.stderr)


def test_swapped_and_wrong_type(run, two, heddle):
    (two / "other.mlir").write_text(program("add", "dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>"))
    heddle("compile", two / "other.mlir", "-o", two / "other.hdl", "--constants", two / "other.hdc", check=True)
    os.replace(two / "other.hdc", two / "w.hdc")
    name = hashlib.blake2b(ramp.tobytes(), digest_size=16).hexdigest()
    fails(run(two / "add.hdl"), f"w.hdc: constant {name}_f32_2x3 of the host is not among the 1 of the file")
    # The same bytes as another type.
    (two / "w.hdc").unlink()
    bits = ", ".join(map(str, ramp.view(np.int32).ravel()))
    (two / "ints.mlir").write_text(program("add", f"dense<[{bits}]> : tensor<6xi32>", "tensor<6xi32>"))
    heddle("compile", two / "ints.mlir", "-o", two / "ints.hdl", "--constants", two / "w.hdc", check=True)
    fails(run(two / "add.hdl"), f"w.hdc: constant {name}_f32_2x3: the file has this content as i32_6")
    # Both types in one file: the bytes are there once.
    heddle("compile", two / "add.mlir", "-o", two / "add.hdl", "--constants", two / "w.hdc", check=True)
    assert (two / "w.hdc").read_bytes().count(ramp.tobytes()) == 1
    np.testing.assert_array_equal(run(two / "add.hdl"), ramp + 1)


def test_options(two, run, heddle, build):
    (two / "plain.mlir").write_text("func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  %b = stablehlo.negate %a : tensor<2x3xf32>\n  return %b : tensor<2x3xf32>\n}\n")
    done = heddle("compile", two / "plain.mlir", "-o", two / "plain.hdl", "--constants", two / "none.hdc", check=True)
    assert "none.hdc: the program has no constants" in done.stdout and not (two / "none.hdc").exists()
    np.testing.assert_array_equal(run(two / "plain.hdl"), -np.ones((2, 3), np.float32))
    done = run(two / "plain.mlir", "--constants", two / "w.hdc")
    assert done.returncode == 2 and "--constants: " in done.stderr
    (two / "text").write_text("precious")
    done = heddle("compile", two / "add.mlir", "-o", two / "x.hdl", "--constants", two / "text")
    assert done.returncode == 1 and "text: not a constants file" in done.stderr and (two / "text").read_text() == "precious"
    assert not (two / "x.hdl").exists()
    done = heddle("compile", two / "add.mlir", "-o", two / "x.hdl", "--constants", two / "missing" / "w.hdc")
    assert done.returncode == 1 and "missing/w.hdc: cannot write: No such file" in done.stderr
    heddle("compile", two / "add.mlir", "-o", two / "x.hdl", "--constants", two / "w.hdc", "--random", 0, check=True)
    with open(two / "add.hdl", "rb") as file:
        piped = subprocess.run([os.path.join(build, "bin", "heddle"), "run", "-", "--random", "0"], stdin=file, capture_output=True, text=True)
    assert piped.returncode == 1 and "is not loaded from a file" in piped.stderr


def test_nothing_is_written_that_would_not_run(two, heddle):
    """With inputs, neither the artifact nor its constants are written unless it would take them."""
    before = (two / "w.hdc").read_bytes()
    (two / "sub.mlir").write_text(program("subtract", "dense<[[9.0, 8.0, 7.0], [6.0, 5.0, 4.0]]> : tensor<2x3xf32>"))
    compile = ("compile", two / "sub.mlir", "-o", two / "sub.hdl", "--constants")
    for name in ("w.hdc", "new.hdc"):
        done = heddle(*compile, two / name, "--shape", "arg0=2x4")
        assert done.returncode == 1 and "argument 0: dim 1: expected 3, got 4" in done.stderr, done.stderr
        assert (two / "w.hdc").read_bytes() == before and not (two / "new.hdc").exists() and not (two / "sub.hdl").exists()
    done = heddle(*compile, two / "w.hdc", "--shape", "arg0=2x3", check=True)
    assert "2 constants, 1 of them new" in done.stdout
