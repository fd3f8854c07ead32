# SPDX-License-Identifier: Apache-2.0
"""Products by cuBLASLt, against a library that stands in for it (blas_stand_in.c): which are taken, that they are right, what is asked again, and that the program's own
kernel runs where the library is missing, too old, or fails."""
import itertools
import json
import os
import subprocess

import pytest
from test_cuda_driver import build_beside_driver, build_library, run_program

pytestmark = pytest.mark.usefixtures("compiler")


def dot(left, right, out, numbers):
    return f"""func.func @main(%a: tensor<{left}>, %b: tensor<{right}>) -> tensor<{out}> {{
  %0 = stablehlo.dot_general %a, %b, {numbers} : (tensor<{left}>, tensor<{right}>) -> tensor<{out}>
  return %0 : tensor<{out}>
}}
"""


PLAIN = dot("?x?xf32", "?x?xf32", "?x?xf32", "contracting_dims = [1] x [0]")
SHAPES = ["--shape", "arg0=37x50", "--shape", "arg1=50x41"]


@pytest.fixture(scope="module")
def libraries(root, build, tmp_path_factory):
    return build_beside_driver(root, build, tmp_path_factory.mktemp("cuda"), "blas_stand_in.c", "libcublasLt.so.13")


@pytest.fixture
def run(heddle, libraries, tmp_path):
    """run(program, flags) gives (the run, its JSON, products that the library did, what it was asked)."""
    def run(text, *flags, blas=None, env=None, options=("--library-products",)):
        (tmp_path / "p.mlir").write_text(text)
        heddle("compile", tmp_path / "p.mlir", "--target", "simt", *options, "-o", tmp_path / "simt.hdl", check=True)
        more = {**libraries, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), **({"HEDDLE_STAND_IN_BLAS": blas} if blas else {}), **(env or {})}
        done = heddle("run", tmp_path / "p.mlir", "--target", "cuda", *options, "--random", 1, "--reference", "eval", "--json", *flags, env=more)
        assert done.returncode == 0, done.stdout + done.stderr
        lines = done.stderr.splitlines()
        return done, json.loads(done.stdout), lines.count("cuBLASLt stand-in: product"), lines.count("cuBLASLt stand-in: asked")
    return run


def test_only_when_asked_for(run):
    _, figures, products, asked = run(PLAIN, *SHAPES, options=())
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and not products and not asked


def test_plain(run):
    """Nothing is copied to the host, and a shape that was there before is not asked for again."""
    _, figures, products, asked = run(PLAIN, *SHAPES, "--repeat", "3")
    assert figures["library_calls"] == 1 and figures["launches"] == 0 and figures["copies"] <= 1
    assert products >= 3 and asked == 1



@pytest.mark.parametrize("l, r", list(itertools.product((0, 1), repeat=2)))
def test_transposed(l, r, run):
    shapes = ["--shape", f"arg0={'50x37' if l == 0 else '37x50'}", "--shape", f"arg1={'50x41' if r == 0 else '41x50'}"]
    _, figures, products, _ = run(dot("?x?xf32", "?x?xf32", "?x?xf32", f"contracting_dims = [{l}] x [{r}]"), *shapes)
    assert figures["launches"] == 0 and products == 1


@pytest.mark.parametrize("element, out", [("f64", "f64"), ("bf16", "bf16"), ("bf16", "f32"), ("i8", "i32")])
def test_types(element, out, run):
    _, figures, products, _ = run(dot(f"?x?x{element}", f"?x?x{element}", f"?x?x{out}", "contracting_dims = [1] x [0]"), *SHAPES)
    assert figures["launches"] == 0 and products == 1


def test_batches_and_merged_dims(run):
    """Two dims of a batch, and rows of two dims, which are as one does."""
    text = dot("?x?x?x?x?xf32", "?x?x?x?xf32", "?x?x?x?x?xf32", "batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2]")
    _, figures, products, _ = run(text, "--shape", "arg0=2x3x5x7x33", "--shape", "arg1=2x3x33x34")
    assert figures["launches"] == 0 and products == 1


def test_result_through_a_transpose(run):
    text = """func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
"""
    _, figures, products, _ = run(text, *SHAPES)
    assert figures["launches"] == 0 and products == 1


def test_alignment(run):
    """Of a slice, which begins in the middle of a buffer: the stand-in holds the caller to what it said."""
    text = """func.func @main(%a: tensor<51x50xf32>, %b: tensor<50x41xf32>) -> tensor<37x41xf32> {
  %s = stablehlo.slice %a [3:40, 0:50] : (tensor<51x50xf32>) -> tensor<37x50xf32>
  %0 = stablehlo.dot_general %s, %b, contracting_dims = [1] x [0] : (tensor<37x50xf32>, tensor<50x41xf32>) -> tensor<37x41xf32>
  return %0 : tensor<37x41xf32>
}
"""
    run(text)


@pytest.mark.parametrize("left, right", [("1x50", "50x41"), ("37x50", "50x1"), ("37x1", "1x41"), ("33x33", "33x1")])
def test_one_row_or_column(left, right, run):
    run(PLAIN, "--shape", f"arg0={left}", "--shape", f"arg1={right}")


@pytest.mark.parametrize("left, right", [("0x50", "50x41"), ("37x0", "0x41"), ("37x50", "50x0")])
def test_empty(left, right, run):
    _, _, products, _ = run(PLAIN, "--shape", f"arg0={left}", "--shape", f"arg1={right}")
    assert not products


@pytest.mark.parametrize("blas, asked", [("old", 0), ("start", 0), ("none", 1)])
def test_library_that_does_not_serve(blas, asked, run):
    """The program's kernel runs, and a library that said no is not asked again."""
    _, figures, products, got = run(PLAIN, *SHAPES, "--repeat", "3", blas=blas)
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and products == 0 and got == asked


def test_library_that_fails(run):
    """The call that fails is done on the host; from then on the kernel runs."""
    _, figures, products, _ = run(PLAIN, *SHAPES, blas="fails")
    assert figures["library_calls"] == 1 and figures["copies"] >= 3 and products == 0
    _, figures, _, _ = run(PLAIN, *SHAPES, "--repeat", "2", blas="fails")
    assert figures["launches"] == 1 and figures["library_calls"] == 0, "the last run is told"


def test_no_library(run, root, build, tmp_path):
    folder = tmp_path / "alone"
    folder.mkdir()
    env = build_library(root, build, folder)
    for name in ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"): (folder / name).write_text("no library")
    _, figures, products, _ = run(PLAIN, *SHAPES, env=env)
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and products == 0


def test_devices_say_it(heddle, libraries, tmp_path):
    assert "products: cuBLASLt 13.0 where a program asks for it" in heddle("devices", env=libraries, check=True).stdout
    assert "kernels of the program (cuBLASLt is of version 10.2, expected 11.4 or later)" in heddle("devices", env={**libraries, "HEDDLE_STAND_IN_BLAS": "old"}, check=True).stdout


def test_many_forms(root, build, libraries, tmp_path):
    """Each is asked of the library once, though forms come to share places."""
    said = run_program(root, build, libraries, tmp_path, "library_plans.c", "products", "forms")
    assert said.count("cuBLASLt stand-in: asked") == 100


def test_workspace(root, build, libraries, tmp_path):
    """One that is too small, since the library was asked again, is refused before anything is queued."""
    said = run_program(root, build, libraries, tmp_path, "library_plans.c", "products", "workspace")
    assert "cuBLASLt: a workspace of 4095 bytes, expected 4096" in said and said.count("cuBLASLt stand-in: product") == 1, said


def test_descriptors(root, build, tmp_path):
    """The library itself, where it is, takes what it is told of products, matrices and preferences."""
    subprocess.run(["gcc", "-O1", f"-I{root}/src", f"-I{root}/include", os.path.join(root, "test", "runtime", "blas_descriptors.c"), os.path.join(build, "lib", "libheddle_all.a"), "-lpthread", "-ldl",
                    "-lm", "-o", tmp_path / "descriptors"], check=True)
    done = subprocess.run([tmp_path / "descriptors"], capture_output=True, text=True)
    if done.returncode == 3: pytest.skip(f"cuBLASLt is not on this machine: {done.stdout.strip()}")
    assert done.returncode == 0 and "CUBLAS_STATUS_NOT_SUPPORTED" in done.stdout, done.stdout + done.stderr


def test_model(run, root, libraries, tmp_path, heddle):
    path = os.path.join(root, "examples", "bert_layer.mlir")
    heddle("compile", path, "--target", "simt", "--library-products", "-o", tmp_path / "simt.hdl", check=True)
    done = heddle("run", path, "--target", "cuda", "--library-products", "--random", 1, "--dims", "b=1,s=3", "--reference", "eval", "--json",
                  env={**libraries, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl")})
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)["library_calls"] >= 4 and done.stderr.count("stand-in: product") >= 4


def test_tf32(run, heddle, tmp_path):
    """It is the library's to use, and refused where no library is asked for."""
    (tmp_path / "p.mlir").write_text(PLAIN)
    done = heddle("compile", tmp_path / "p.mlir", "--target", "cuda", "--tf32", "-o", tmp_path / "p.hdl")
    assert done.returncode == 1 and "computes products of f32 in f32 alone" in done.stderr
    _, figures, products, _ = run(PLAIN, *SHAPES, options=("--library-products", "--tf32"))
    assert products == 1 and figures["launches"] == 0
