# SPDX-License-Identifier: Apache-2.0
"""Options of passes that no pipeline switches on by itself, given at the doors: what they do, on the CPU and on a device, against numpy."""
import numpy as np
import pytest

import heddle as package

pytestmark = pytest.mark.usefixtures("compiler")
PRODUCT = b"""func.func @main(%x: tensor<?x30xf32>, %w: tensor<30x17xf32>) -> tensor<?x17xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x30xf32>, tensor<30x17xf32>) -> tensor<?x17xf32>
  return %0 : tensor<?x17xf32>
}"""
SUM = b"""func.func @main(%x: tensor<?x5x7xf32>) -> tensor<5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<?x5x7xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}"""


@pytest.mark.parametrize("target", ("cpu", "simt"))
def test_padded_products(target):
    """Dims that are no multiples of 8 are padded; the result is the product's still."""
    options = "disc-dot-rewriter{align=8 min-size=1}"
    function = package.compile(PRODUCT, target=target, pass_options=options, cache=False)
    r = np.random.default_rng(0)
    for rows in (1, 5, 8, 31):
        x, w = r.integers(-8, 8, (rows, 30)).astype(np.float32), r.integers(-8, 8, (30, 17)).astype(np.float32)
        np.testing.assert_array_equal(np.asarray(function(x, w)), x @ w)


@pytest.mark.parametrize("target", ("cpu", "simt"))
@pytest.mark.parametrize("element, step", (("bf16", 2.0 ** -8), ("f16", 2.0 ** -11)))
def test_mixed_precision(target, element, step):
    """Operands of products are rounded to the narrow type: 1 + step, half a unit in its last place, becomes 1."""
    x, w = np.full((3, 30), 1 + step, np.float32), np.ones((30, 17), np.float32)
    plain = package.compile(PRODUCT, target=target, cache=False)
    mixed = package.compile(PRODUCT, target=target, cache=False, pass_options=f"disc-element-type-converter{{mixed-precision={element}}}")
    np.testing.assert_array_equal(np.asarray(plain(x, w)), np.full((3, 17), 30 * (1 + step), np.float32))
    np.testing.assert_array_equal(np.asarray(mixed(x, w)), np.full((3, 17), 30, np.float32))


@pytest.mark.parametrize("target", ("cpu", "simt"))
def test_reductions_of_rank_2(target):
    function = package.compile(SUM, target=target, cache=False, pass_options="disc-canonicalize-reduction{rank-2=true}")
    for n in (0, 1, 3, 40):
        x = np.random.default_rng(n).integers(-9, 9, (n, 5, 7)).astype(np.float32)
        np.testing.assert_array_equal(np.asarray(function(x)), x.sum((0, 2)))


def test_programs_of_several_functions():
    """Options are read after the program was walked."""
    program = b"""func.func @main(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = call @f(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
func.func private @f(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}"""
    x = np.arange(15, dtype=np.float32).reshape(5, 3)
    for target in ("cpu", "simt"):
        function = package.compile(program, target=target, cache=False, pass_options="disc-canonicalize-reduction{rank-2=true}")
        np.testing.assert_array_equal(np.asarray(function(x)), x + x)


def test_they_change_the_passes(heddle, tmp_path):
    """A sum over two sides has its dims joined by rank-2 alone; what is cached without an option is not taken for it."""
    path = tmp_path / "sum.mlir"
    path.write_bytes(SUM)
    for folder, options in (("plain", []), ("given", ["--pass-options", "disc-canonicalize-reduction{rank-2=true}"])):
        heddle("compile", path, "-o", tmp_path / "x.hdl", "--no-cache", "--dump-to", tmp_path / folder, *options, check=True)
    plain, given = (next((tmp_path / folder).glob("*-disc-canonicalize-reduction.mlir")).read_text() for folder in ("plain", "given"))
    assert "dynamic_reshape" not in plain and "dynamic_reshape" in given
    for options in ([], ["--pass-options", "disc-element-type-converter{mixed-precision=bf16}"], []):
        path.write_bytes(PRODUCT)
        np.savez(tmp_path / "in.npz", arg0=np.full((3, 30), 1 + 2.0 ** -8, np.float32), arg1=np.ones((30, 17), np.float32))
        heddle("run", path, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", *options, check=True)
        with np.load(tmp_path / "out.npz") as got: np.testing.assert_array_equal(got["out0"], np.full((3, 17), 30 if options else 30 * (1 + 2.0 ** -8), np.float32))


@pytest.mark.parametrize("options, said", [
    ("disc-dot-rewriter{align=x}", "--pass-options: pass 'disc-dot-rewriter': option 'align': expected int, got 'x'"),
    ("disc-dot-rewriter{size=8}", "--pass-options: pass 'disc-dot-rewriter' has no option 'size'; its options are: merge: bool = false, align: int = 0, min-size: int"),
    ("disc-placer", "--pass-options: expected passes of the pipeline of target 'cpu', got 'disc-placer'"),
    ("dot", "--pass-options: "), ("cse{", "--pass-options: ")])
def test_what_is_no_option(heddle, tmp_path, options, said):
    path = tmp_path / "sum.mlir"
    path.write_bytes(SUM)
    done = heddle("compile", path, "-o", tmp_path / "x.hdl", "--pass-options", options)
    assert done.returncode == 2 and said in done.stderr, done.stderr
