# SPDX-License-Identifier: Apache-2.0
"""The C API: examples/embed.c builds against the public headers and runs; executables serve many threads."""
import os
import subprocess
import threading

import capi
import numpy as np
import pytest
from error_model import Bound, assert_within, magnitudes, outside
from error_model import program as bounds

from test_symbols import public_names


@pytest.fixture(scope="module")
def program(build, root, tmp_path_factory):
    """program(path) builds a C program against the public headers and libheddle.so."""
    folder = tmp_path_factory.mktemp("programs")

    def make(*path):
        out = folder / os.path.splitext(path[-1])[0]
        if not out.exists(): capi.build_program(build, os.path.join(root, *path), str(out))
        return str(out)
    return make


@pytest.fixture(scope="module")
def embed(program): return program("examples", "embed.c")


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x): return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))


def assert_last(line, function, x):
    """|line| ends with the last element of what |function| gives for |x|, in six digits or more."""
    (exact,), (size,) = magnitudes(lambda given: [function(*given).reshape(-1)[-1:]], [x.astype(np.float64)])
    bound = bounds(np.dtype(np.float32))
    assert_within(np.array([float(line.split()[-1])], np.float32), exact, Bound(terms=bound.terms, absolute=5e-6 * abs(exact[0])), size, line)


def test_embed(embed, root, compiler):
    done = subprocess.run([embed, os.path.join(root, "examples", "gelu.mlir")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for i in range(8):
        rows, columns = 1 + i, 100 + 7 * i
        count = rows * columns
        assert_last(next(line for line in lines if line.startswith(f"{rows}x{columns}:")), gelu, np.array([(count - 1) / count], np.float32))
    assert any(line.startswith("a vector: ") and "accepted" not in line for line in lines)
    assert "allocator asked for memory" in lines


def test_embed_reports_a_bad_program(embed, tmp_path, compiler):
    bad = tmp_path / "bad.mlir"
    bad.write_text("func.func @main( {\n")
    done = subprocess.run([embed, str(bad)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and f"{bad}:1:" in done.stderr and "error:" in done.stderr


def test_background_example(program, root, compiler):
    models = [os.path.join(root, "examples", name + ".mlir") for name in ("gelu", "softmax")]
    done = subprocess.run([program("examples", "background.c"), *models], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    x = np.float32(np.arange(64 * 256) % 97) / 97
    for model, function in zip(models, (gelu, softmax)):
        assert f"{model}: done" in done.stdout
        assert_last(next(line for line in done.stdout.splitlines() if line.startswith(f"{model}: the last")), function, x.reshape(64, 256))


@pytest.mark.parametrize("source, case", [("embedding.c", "background"), ("embedding.c", "cancellation"), ("embedding.c", "models"), ("embedding.c", "memory-and-threads"),
                                          ("embedding.c", "memory-fails"), ("embedding.c", "aliases"), ("embedding.c", "wrong-inputs"),
                                          ("embedding_numbers.c", "float-environment"), ("embedding_numbers.c", "constants"),
                                          ("embedding_fork.c", "child-after-runs"), ("embedding_fork.c", "child-after-background"), ("embedding_fork.c", "child-meanwhile")])
def test_embedding(program, compiler, source, case):
    """What an embedder may do beyond the examples."""
    done = subprocess.run([program("test", "capi", source), case], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == f"{case}: fine\n", done.stdout + done.stderr


def test_headers_stand_alone(root, tmp_path):
    """Each public header compiles by itself, as C and as C++."""
    folder = os.path.join(root, "include", "heddle")
    for name in sorted(os.listdir(folder)):
        for compiler_name, suffix in (("gcc", "c"), ("g++", "cc")):
            source = tmp_path / f"one.{suffix}"
            source.write_text(f'#include "heddle/{name}"\n')
            subprocess.run([compiler_name, "-Wall", "-Wextra", "-Werror", "-I", os.path.join(root, "include"), "-c", str(source), "-o",
                            os.devnull], check=True)


def test_own_calls_in_cpp(root, tmp_path):
    """Functions behind names of the RAL may be written in C++."""
    source = tmp_path / "calls.cc"
    source.write_text("""#include "heddle/ral.h"
static void add(hd_ral_context *, void *, const hd_memref2 *, bool) {}
static int64_t count(hd_ral_context *) { return 1; }
static void *place(hd_ral_context *, float) { return nullptr; }
HD_RAL_LIBRARY("add", add, void, pvoid, memref(2, f32), i1)
HD_RAL_LIBRARY("count", count, i64)
HD_RAL_LIBRARY("place", place, pvoid, f32)
int main() { return add_api.name && count_api.fn && place_api.fn ? 0 : 1; }
""")
    subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", os.path.join(root, "include"), "-fsyntax-only", str(source)], check=True)


def test_eight_threads_at_different_shapes(root, compiler):
    from heddle.runtime import Runtime, compile_program
    with open(os.path.join(root, "examples", "softmax.mlir"), "rb") as handle: program = handle.read()
    executable = Runtime(threads=2).load(compile_program(program, "softmax.mlir"))
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(20):
            x = rng.standard_normal((rng.integers(1, 40), rng.integers(1, 600))).astype(np.float32)
            got, = executable(x)
            exact, sizes = magnitudes(lambda given: [softmax(*given)], [x.astype(np.float64)])
            if outside(got, exact[0], bounds(got.dtype), sizes[0]).any(): wrong.append(x.shape)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads: t.start()
    for t in threads: t.join()
    assert not wrong


def test_null_pointers(program, root, tmp_path):
    """Each public function that takes a pointer is called with null; the program knows all that the headers declare."""
    done = subprocess.run([program("test", "capi", "null_pointers.c"), str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    with open(os.path.join(root, "test", "capi", "null_pointers.c"), encoding="utf-8") as handle: text = handle.read()
    takes_pointers = {name for name in public_names(root, pointers=True) if f"{name}(" not in text}
    assert not takes_pointers


def test_own_calls(program, compiler):
    """The embedder's functions behind names of the RAL, per device."""
    done = subprocess.run([program("test", "capi", "embedding_ral.c")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "fine\n", (done.returncode, done.stdout, done.stderr)


def test_random_calls_know_every_function(root):
    text = ""
    for name in ("random_compiler.c", "random_runtime.c", "random_calls.h"):
        with open(os.path.join(root, "test", "capi", name), encoding="utf-8") as handle: text += handle.read()
    assert not {name for name in public_names(root) if f"{name}(" not in text}
