# SPDX-License-Identifier: Apache-2.0
"""Convolutions by cuDNN, against a library that stands in for it (dnn_stand_in.c): which of its ops each is, that they are right, what is asked again, and that the program's
own kernel runs where the library is missing, too old, fails, or has no engine that computes what the program says."""
import json
import os
import subprocess

import pytest
from test_cuda_driver import build_beside_driver, build_library, run_program

pytestmark = pytest.mark.usefixtures("compiler")


def convolution(left, right, out, numbers="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window="pad = [[1, 1], [1, 1]]", groups=1, batch_groups=1):
    return f"""func.func @main(%a: tensor<{left}>, %b: tensor<{right}>) -> tensor<{out}> {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = {numbers}, window = {{{window}}}
    {{batch_group_count = {batch_groups} : i64, feature_group_count = {groups} : i64}} : (tensor<{left}>, tensor<{right}>) -> tensor<{out}>
  return %0 : tensor<{out}>
}}
"""


PLAIN = convolution("?x9x10x16xf32", "3x3x16x18xf32", "?x9x10x18xf32")
BATCH = ["--shape", "arg0=2x9x10x16"]


@pytest.fixture(scope="module")
def libraries(root, build, tmp_path_factory):
    return build_beside_driver(root, build, tmp_path_factory.mktemp("cuda"), "dnn_stand_in.c", "libcudnn.so.9")


@pytest.fixture
def run(heddle, libraries, tmp_path):
    """run(program, flags) gives (its JSON, the ops that the library did, how often it was asked)."""
    def run(text, *flags, dnn=None, env=None, options=("--library-products",)):
        (tmp_path / "p.mlir").write_text(text)
        heddle("compile", tmp_path / "p.mlir", "--target", "simt", *options, "-o", tmp_path / "simt.hdl", check=True)
        more = {**libraries, "HEDDLE_STAND_IN_ARTIFACT": str(tmp_path / "simt.hdl"), **({"HEDDLE_STAND_IN_DNN": dnn} if dnn else {}), **(env or {})}
        done = heddle("run", tmp_path / "p.mlir", "--target", "cuda", *options, "--random", 1, "--reference", "eval", "--json", *flags, env=more)
        assert done.returncode == 0, done.stdout + done.stderr
        said = [line.split(": ")[1] for line in done.stderr.splitlines() if line.startswith("cuDNN stand-in: ")]
        return json.loads(done.stdout), [word for word in said if word != "asked"], said.count("asked")
    return run


def test_only_when_asked_for(run):
    figures, ops, asked = run(PLAIN, *BATCH, options=())
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and not ops and not asked


def test_plain(run):
    """Nothing is copied to the host, and a shape that was there before is not asked for again."""
    figures, ops, asked = run(PLAIN, *BATCH, "--repeat", "3")
    assert figures["library_calls"] == 1 and figures["copies"] <= 1 and len(ops) >= 3 and set(ops) == {"forward"} and asked == 1


@pytest.mark.parametrize("numbers, left, right, out", [
    ("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "?x16x9x10xf32", "18x16x3x3xf32", "?x18x9x10xf32"),
    ("[b, 0, 1, f]x[o, 0, 1, i]->[b, f, 0, 1]", "?x9x10x16xf32", "18x3x3x16xf32", "?x18x9x10xf32"),
    ("[b, 1, 0, f]x[0, 1, i, o]->[b, 0, 1, f]", "?x10x9x16xf32", "3x3x16x18xf32", "?x9x10x18xf32")])
def test_layouts(numbers, left, right, out, run):
    _, ops, _ = run(convolution(left, right, out, numbers), "--shape", "arg0=" + left.replace("?", "2")[:-4])
    assert ops == ["forward"]


@pytest.mark.parametrize("element", ["f64", "f16", "bf16"])
def test_types(element, run):
    _, ops, _ = run(PLAIN.replace("f32", element), *BATCH)
    assert ops == ["forward"]


@pytest.mark.parametrize("left, right, out, window, groups", [
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x5x5x18xf32", "stride = [2, 2], pad = [[1, 1], [1, 1]]", 1),
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x5x5x18xf32", "stride = [2, 2], pad = [[1, 1], [0, 1]]", 1),
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x9x10x18xf32", "pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]", 1),
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x9x10x18xf32", "pad = [[1, 1], [1, 1]], reverse = [true, true]", 1),
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x5x8x18xf32", "pad = [[-1, -1], [0, 0]]", 1),
    ("?x9x10x16xf32", "3x3x8x18xf32", "?x9x10x18xf32", "pad = [[1, 1], [1, 1]]", 2)])
def test_windows(left, right, out, window, groups, run):
    _, ops, _ = run(convolution(left, right, out, window=window, groups=groups), *BATCH)
    assert ops == ["forward"]


@pytest.mark.parametrize("left, right, out, numbers, window", [
    ("?x10x16xf32", "3x16x18xf32", "?x10x18xf32", "[b, 0, f]x[0, i, o]->[b, 0, f]", "pad = [[1, 1]]"),
    ("?x4x5x6x16xf32", "3x3x3x16x18xf32", "?x4x5x6x18xf32", "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]", "pad = [[1, 1], [1, 1], [1, 1]]")])
def test_dims(left, right, out, numbers, window, run):
    _, ops, _ = run(convolution(left, right, out, numbers, window), "--shape", "arg0=" + left.replace("?", "2")[:-4])
    assert ops == ["forward"]


@pytest.mark.parametrize("window, out", [("pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], reverse = [true, true]", "?x17x19x18xf32"), ("pad = [[1, 2], [2, 1]], lhs_dilate = [2, 2]", "?x18x20x18xf32"),
                                         ("pad = [[2, 2], [2, 2]], lhs_dilate = [3, 2], rhs_dilate = [2, 1]", "?x25x21x18xf32")])
def test_gradient_of_data(window, out, run):
    """A dilated input: with the kernel's other end first it is the gradient by definition, else one of a reversed kernel."""
    _, ops, _ = run(convolution("?x9x10x16xf32", "3x3x16x18xf32", out, window=window), *BATCH)
    assert ops == ["data"]


@pytest.mark.parametrize("window, out", [("pad = [[1, 1], [1, 1]]", "3x3x18x16xf32"), ("stride = [1, 1], pad = [[1, 0], [1, 0]], rhs_dilate = [1, 1]", "2x2x18x16xf32")])
def test_gradient_of_filter(window, out, run):
    """The kernel is the gradient of a result: it has more positions than what comes out."""
    text = convolution("18x9x10x?xf32", "9x10x?x16xf32", out.replace("3x3x18x16", "18x3x3x16").replace("2x2x18x16", "18x2x2x16"), "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window)
    _, ops, _ = run(text, "--shape", "arg0=18x9x10x3", "--shape", "arg1=9x10x3x16")
    assert ops == ["filter"]


def test_gradient_of_filter_with_strides(run):
    text = convolution("18x9x10x?xf32", "5x5x?x16xf32", "18x3x3x16xf32", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "pad = [[1, 1], [1, 0]], rhs_dilate = [2, 2]")
    _, ops, _ = run(text, "--shape", "arg0=18x9x10x3", "--shape", "arg1=5x5x3x16")
    assert ops == ["filter"]


@pytest.mark.parametrize("left, right, out, window, groups, batch_groups", [
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x9x10x18xf32", "pad = [[1, 1], [1, 1]], reverse = [true, false]", 1, 1),
    ("?x9x10x16xf32", "3x3x8x18xf32", "?x17x19x18xf32", "pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]", 2, 1),
    ("?x9x10x16xf32", "3x3x16x18xf32", "?x9x10x18xf32", "pad = [[1, 1], [1, 1]]", 1, 2)])
def test_what_no_op_is(left, right, out, window, groups, batch_groups, run):
    """Dims of which some are reversed, gradients of groups, groups of the batch."""
    figures, ops, asked = run(convolution(left, right, out, window=window, groups=groups, batch_groups=batch_groups), *BATCH)
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and not ops and not asked


def test_empty(run):
    _, ops, _ = run(PLAIN, "--shape", "arg0=0x9x10x16")
    assert not ops


@pytest.mark.parametrize("dnn, asked", [("old", 0), ("start", 0), ("none", 2)])
def test_library_that_does_not_serve(dnn, asked, run):
    """The program's kernel runs, and a library that said no is not asked again."""
    figures, ops, got = run(PLAIN, *BATCH, "--repeat", "3", dnn=dnn)
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and not ops and got == asked


@pytest.mark.parametrize("dnn, options, asked", [("tensor_core", (), 2), ("tensor_core", ("--tf32",), 1), ("random", (), 1), ("random", ("--deterministic",), 2), ("winograd", (), 2), ("compiles", (), 2),
                                                 ("large", (), 2)])
def test_engines(dnn, options, asked, run):
    """What an engine says of itself: one that the program does not allow is passed over, for one of the fallback's."""
    _, ops, got = run(PLAIN, *BATCH, dnn=dnn, options=("--library-products", *options))
    assert ops == ["forward"] and got == asked


def test_tensor_cores_of_narrow_types(run):
    _, ops, got = run(PLAIN.replace("f32", "bf16"), *BATCH, dnn="tensor_core")
    assert ops == ["forward"] and got == 1


def test_library_that_fails(run):
    """The call that fails is done on the host; from then on the kernel runs."""
    figures, ops, _ = run(PLAIN, *BATCH, dnn="fails")
    assert figures["library_calls"] == 1 and figures["copies"] >= 3 and not ops
    figures, ops, _ = run(PLAIN, *BATCH, "--repeat", "2", dnn="fails")
    assert figures["launches"] == 1 and figures["library_calls"] == 0, "the last run is told"


def test_no_library(run, root, build, tmp_path):
    folder = tmp_path / "alone"
    folder.mkdir()
    env = build_library(root, build, folder)
    for name in ("libcudnn.so.9", "libcudnn.so.8"): (folder / name).write_text("no library")
    figures, ops, _ = run(PLAIN, *BATCH, env=env)
    assert figures["library_calls"] == 0 and figures["launches"] == 1 and not ops


def test_devices_say_it(heddle, libraries):
    assert "convolutions: cuDNN 9.20 where a program asks for it" in heddle("devices", env=libraries, check=True).stdout
    assert "kernels of the program (cuDNN is of version 7.6, expected 8.5 or later)" in heddle("devices", env={**libraries, "HEDDLE_STAND_IN_DNN": "old"}, check=True).stdout


def test_many_forms(root, build, libraries, tmp_path):
    """Each is asked of the library once, though forms come to share places."""
    said = run_program(root, build, libraries, tmp_path, "library_plans.c", "convolutions", "forms")
    assert said.count("cuDNN stand-in: asked") == 100


def test_workspace(root, build, libraries, tmp_path):
    """One that is too small, since the library was asked again, is refused before anything is queued."""
    said = run_program(root, build, libraries, tmp_path, "library_plans.c", "convolutions", "workspace")
    assert "cuDNN: a workspace of 4095 bytes, expected 4096" in said and said.count("cuDNN stand-in: forward") == 1, said


def test_descriptors(root, build, tmp_path):
    """The library itself, where it is, takes what it is told of tensors, convolutions and their gradients."""
    subprocess.run(["gcc", "-O1", f"-I{root}/src", f"-I{root}/include", os.path.join(root, "test", "runtime", "dnn_descriptors.c"), os.path.join(build, "lib", "libheddle_all.a"), "-lpthread", "-ldl",
                    "-lm", "-o", tmp_path / "descriptors"], check=True)
    done = subprocess.run([tmp_path / "descriptors"], capture_output=True, text=True)
    if done.returncode == 3: pytest.skip(f"cuDNN is not on this machine: {done.stdout.strip()}")
    assert done.returncode == 0 and done.stdout.startswith("cuDNN "), done.stdout + done.stderr
