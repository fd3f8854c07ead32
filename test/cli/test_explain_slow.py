# SPDX-License-Identifier: Apache-2.0
"""heddle explain --slow: what a run did beside what the machine allows. Figures of time are not looked at, but for their order."""
import json

import pytest

pytestmark = pytest.mark.usefixtures("compiler")
ADD = """func.func @main(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
"""
PRODUCT = """func.func @main(%x: tensor<?x96xf32>, %y: tensor<96x80xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot %x, %y : (tensor<?x96xf32>, tensor<96x80xf32>) -> tensor<?x80xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x80xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
# One element of a scalar: no vector is in it.
SCALAR = """func.func @main(%x: tensor<f32>, %y: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>) {
  %0 = stablehlo.sine %x : tensor<f32>
  %1 = stablehlo.negate %y : tensor<?xf32>
  return %0, %1 : tensor<f32>, tensor<?xf32>
}
"""


@pytest.fixture
def slow(heddle, tmp_path):
    def run(text, *given, text_form=False):
        (tmp_path / "p.mlir").write_text(text)
        done = heddle("explain", tmp_path / "p.mlir", "--slow", "--random", 1, *given, *(() if text_form else ("--json",)), check=True,
                      env={"HEDDLE_CACHE_DIR": str(tmp_path / "cache")})
        return done.stdout if text_form else json.loads(done.stdout)
    return run


def shape(rows, columns, count=1): return [a for i in range(count) for a in ("--shape", f"arg{i}={rows}x{columns}")]


def test_bytes_and_flops(slow):
    """Of the dims that the inputs have: two reads, a write and an addition for each element, in one launch of a run."""
    got = slow(ADD, *shape(100, 64, 2), "--threads", 1)
    (row,) = got["slow"]
    assert row["bytes"] == 3 * 4 * 6400 and row["flops"] == 6400 and row["launches"] == 1 and row["threads"] == 1
    assert got["threads"] == 1 and row["reason"] != "one thread"
    assert row["least_us"] == pytest.approx(max(row["bytes"] / got["machine"]["copy_bytes_per_second"], row["flops"] / got["machine"]["flops_per_second"]) * 1e6)
    assert 0 < row["us"] <= got["us"] and row["lost_us"] == pytest.approx(max(row["us"] - row["least_us"], 0), abs=1e-3)


PARTS = """func.func @main(%x: tensor<1000x64xf32>, %i: tensor<8x1xi32>, %n: tensor<?x64xf32>) -> (tensor<4x64xf32>, tensor<8x64xf32>, tensor<?x64xf32>) {
  %0 = stablehlo.slice %x [2:6, 0:64] : (tensor<1000x64xf32>) -> tensor<4x64xf32>
  %1 = stablehlo.negate %0 : tensor<4x64xf32>
  %2 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32>
  %3 = stablehlo.exponential %2 : tensor<8x64xf32>
  %4 = stablehlo.add %n, %n : tensor<?x64xf32>
  return %1, %3, %4 : tensor<4x64xf32>, tensor<8x64xf32>, tensor<?x64xf32>
}
"""


def test_bytes_of_parts(slow):
    """Of what a kernel reads by a slice or by indices the part counts, beside the indices and the result."""
    rows = {r["name"]: r["bytes"] for r in slow(PARTS, "--shape", "arg2=3x64", "--threads", 1)["slow"]}
    of = {op: rows[name] for op in ("negate", "gather", "add") for name in rows if op in name}
    assert of == {"negate": 2 * 4 * 4 * 64, "gather": 2 * 4 * 8 * 64 + 4 * 8, "add": 2 * 4 * 3 * 64}


def test_gathered_more_than_there_is(slow):
    """Rows that are read again are in the cache: at most the whole table counts."""
    text = """func.func @main(%x: tensor<2x64xf32>, %i: tensor<800x1xi32>) -> tensor<800x64xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<2x64xf32>, tensor<800x1xi32>) -> tensor<800x64xf32>
  return %0 : tensor<800x64xf32>
}
"""
    (row,) = slow(text, "--threads", 1)["slow"]
    assert row["bytes"] == 4 * (2 * 64 + 800 + 800 * 64)


def test_bytes_of_two_kernels(slow):
    """Of a fusion that is two kernels each counts what it has: columns are summed up in blocks, then joined."""
    text = """func.func @main(%x: tensor<?x64xf32>) -> tensor<64xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
"""
    rows = {r["name"]: r["bytes"] for r in slow(text, "--shape", "arg0=5000x64", "--threads", 1)["slow"]}
    (join,) = [bytes for name, bytes in rows.items() if "join" in name]
    (blocks,) = [bytes for name, bytes in rows.items() if "join" not in name]
    assert blocks == 4 * 64 * 5000 and join == 4 * 64


def test_functions_are_arithmetic(slow):
    """A chain of functions is bound by their polynomials, not by its few bytes."""
    lines = [f"  %{i + 1} = stablehlo.{('tanh', 'sine')[i % 2]} %{i} : tensor<?xf32>" for i in range(10)]
    text = "func.func @main(%0: tensor<?xf32>) -> tensor<?xf32> {\n" + "\n".join(lines) + "\n  return %10 : tensor<?xf32>\n}\n"
    got = slow(text, "--shape", "arg0=400000", "--threads", 1)
    (row,) = got["slow"]
    assert row["reason"].startswith("functions") and row["flops"] == 10 * 400000
    assert row["least_us"] == pytest.approx(40 * 10 * 400000 / got["machine"]["flops_per_second"] * 1e6), "a function counts as 40"


def test_order_and_library(slow):
    """A product is the library's; what loses most time is first."""
    rows = slow(PRODUCT, "--shape", "arg0=70x96")["slow"]
    (product,) = [r for r in rows if r["name"] == "ral_dot_general"]
    assert product["reason"].startswith("library") and product["flops"] >= 2 * 70 * 96 * 80 and product["launches"] == 1
    assert len(rows) > 1 and [r["lost_us"] for r in rows] == sorted((r["lost_us"] for r in rows), reverse=True)


def test_scalar_code(slow):
    reasons = {r["name"]: r["reason"] for r in slow(SCALAR, "--shape", "arg1=5000")["slow"]}
    (sine,) = [reason for name, reason in reasons.items() if "sine" in name]
    (negate,) = [reason for name, reason in reasons.items() if "negate" in name]
    assert sine == "scalar code" and negate != "scalar code"


def test_measured_once(slow, tmp_path):
    """What the machine can is kept beside compiled code, and taken from there."""
    slow(ADD, *shape(3, 64, 2), "--threads", 1)
    (kept,) = (tmp_path / "cache").glob("machine-*-1")
    kept.write_text("1000 2000\n")
    got = slow(ADD, *shape(3, 64, 2), "--threads", 1)
    assert got["machine"] == {"copy_bytes_per_second": 1000, "flops_per_second": 2000}
    assert got["slow"][0]["least_us"] == pytest.approx(3 * 4 * 3 * 64 / 1000 * 1e6) and got["slow"][0]["lost_us"] == 0
    kept.write_text("no numbers")
    assert slow(ADD, *shape(3, 64, 2), "--threads", 1)["machine"]["copy_bytes_per_second"] > 1e6


def test_text(slow):
    head, empty, columns, *rows = slow(PRODUCT, "--shape", "arg0=70x96", text_form=True).splitlines()
    assert "GB/s" in head and not empty and columns.split()[:2] == ["kernel", "launches"] and columns.endswith("reason")
    assert len(rows) > 1 and any("library" in row for row in rows)


def test_needs_inputs(heddle, tmp_path):
    (tmp_path / "p.mlir").write_text(ADD)
    done = heddle("explain", tmp_path / "p.mlir", "--slow")
    assert done.returncode == 2 and "--slow: expected inputs to run with" in done.stderr


def test_of_devices(heddle, tmp_path):
    """What the CPU allows says nothing of a device's kernels."""
    (tmp_path / "p.mlir").write_text(ADD)
    for target in "simt", "cuda:90", "spirv":
        done = heddle("explain", tmp_path / "p.mlir", "--slow", "--random", 1, *shape(3, 64, 2), "--target", target)
        assert done.returncode == 2 and f"--slow: expected the target cpu, got '{target}'" in done.stderr, (target, done.stderr)
