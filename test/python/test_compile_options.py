# SPDX-License-Identifier: Apache-2.0
"""Every option of a compilation changes something, or says why not."""

import ml_dtypes
import numpy as np
import pytest

import heddle
from heddle.runtime import HeddleError, Numerics, Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

ARITHMETIC = b"""func.func @main(%a: tensor<?xbf16>, %b: tensor<?xbf16>, %c: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xf32>) {
  %x = stablehlo.multiply %a, %b : tensor<?xbf16>
  %y = stablehlo.add %x, %a : tensor<?xbf16>
  %p = stablehlo.multiply %c, %c : tensor<?xf32>
  %q = stablehlo.subtract %p, %c : tensor<?xf32>
  return %y, %q : tensor<?xbf16>, tensor<?xf32>
}"""


def run(program, *arrays, **options): return Runtime(threads=1).load(compile_program(program, **options))(*arrays)


def test_numerics():
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(1000).astype(ml_dtypes.bfloat16) for _ in range(2))
    c = rng.standard_normal(1000).astype(np.float32)
    y, q = run(ARITHMETIC, a, b, c)
    exact, plain = (a * b) + a, c * c - c
    assert np.any(y != exact) and np.any(q != plain)  # one rounding where two are written
    y, q = run(ARITHMETIC, a, b, c, numerics=Numerics(no_excess_precision=True, no_contract=True))
    assert np.array_equal(y, exact) and np.array_equal(q, plain)


def test_fixed_dims():
    program = b"""func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = stablehlo.add %x, %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}"""
    x = np.ones((3, 4), np.float32)
    assert np.array_equal(run(program, x, fixed_dims={"d0": 3})[0], x + x)
    with pytest.raises(HeddleError, match="d0 == 3|expected.*3"): run(program, np.ones((5, 4), np.float32), fixed_dims={"d0": 3})
    with pytest.raises(HeddleError, match="no dim of this name"): compile_program(program, fixed_dims={"batch": 3})
    for size in (-1, 2**56 + 1, 2**63 - 1, -2**63):
        with pytest.raises(HeddleError, match=rf"fixed dim 'd0': expected 0 to 2\^56, got {size}"): compile_program(program, fixed_dims={"d0": size})


def test_constant_args():
    with pytest.raises(HeddleError, match="constant_args: expected arguments from the first to the last, below 3, got 7 to 7"): compile_program(ARITHMETIC, constant_args=[7])


def test_timeout():
    body = "\n".join(f"  %v{i + 1} = stablehlo.dot_general %v{i}, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>"
                     for i in range(20_000))
    program = f"func.func @main(%v0: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {{\n{body}\n  return %v20000 : tensor<?x8xf32>\n}}"
    with pytest.raises(HeddleError, match="longer than the time limit"): compile_program(program.encode(), timeout=0.05)


def test_a_level_is_a_level():
    """One level may be a string, which is not its letters."""
    assert compile_program(ARITHMETIC, mcpu="x86-64-v3") == compile_program(ARITHMETIC, mcpu=["x86-64-v3"])
    assert "main" in heddle.explain(ARITHMETIC, mcpu="x86-64-v3")
    with pytest.raises(HeddleError, match="unknown cpu 'nothing'"): heddle.compile(ARITHMETIC, mcpu="nothing", cache=False)


@pytest.mark.parametrize("options, says", [({"threads": -1}, "threads: expected 0 or more, got -1"), ({"timeout": -1.0}, "timeout: expected 0 or more seconds, got -1"),
                                           ({"timeout": float("nan")}, "timeout: expected 0 or more seconds, got nan")])
def test_numbers_below_zero(options, says):
    with pytest.raises(heddle.InvalidArgumentError, match=says): heddle.compile(ARITHMETIC, cache=False, **options)


def test_artifacts_and_programs(tmp_path):
    """What is wrong with a file names the file; an artifact is for heddle.load."""
    path = tmp_path / "damaged.hdl"
    path.write_bytes(b"nothing")
    with pytest.raises(HeddleError, match="damaged.hdl: .*not an artifact"): heddle.load(path)
    with pytest.raises(HeddleError, match="got an artifact: .*heddle.load"): heddle.compile(compile_program(ARITHMETIC), cache=False)
