# SPDX-License-Identifier: Apache-2.0
"""Functions on devices: with math=fast within the bounds of src/codegen/math/fast.def, over all numbers of the format and f32 of all exponents, with
math=exact the bits of the CPU."""
import os
import re

import ml_dtypes
import numpy as np
import pytest

import heddle as hd
import needs
from heddle.runtime import compile_program

FUNCTIONS = {"exponential": ("exp", np.exp), "tanh": ("tanh", np.tanh), "rsqrt": ("rsqrt", lambda x: 1 / np.sqrt(x))}
FORMATS = {"bf16": (8, -126), "f16": (11, -14)}
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def rows(root):
    """(function, format, needs instructions): its bound in eighths of a unit."""
    with open(os.path.join(root, "src", "codegen", "math", "fast.def"), encoding="utf-8") as handle: text = handle.read()
    found = re.findall(r"^FAST\((\w+),\s+(\w+),\s+(true|false),\s+([\d.]+),", text, re.M)
    return {(name, kind.lower(), instructions == "true"): float(bound) for name, kind, instructions, bound in found}


def program(op, kind, wide):
    """On numbers of |kind|, or on f32 whose result is rounded to it next."""
    element = "f32" if wide else kind
    convert = f"%z = stablehlo.convert %y : (tensor<?x8xf32>) -> tensor<?x8x{kind}>\n return %z" if wide else "return %y"
    return f"""func.func @main(%x: tensor<?x8x{element}>) -> tensor<?x8x{kind}> {{
  %y = stablehlo.{op} %x : tensor<?x8x{element}>
  {convert} : tensor<?x8x{kind}>
}}""".encode()


def numbers(kind, wide):
    """Patterns, of all numbers of |kind|, or of f32 a prime apart."""
    return (np.arange(1 << 18, dtype=np.uint32) * np.uint32(16381)).reshape(-1, 8) if wide else np.arange(1 << 16, dtype=np.uint16).reshape(-1, 8)


def values(bits, kind):
    if kind == "f16": return bits.view(np.float16).astype(np.float64)
    return (bits.astype(np.uint32) << (16 if kind == "bf16" else 0)).view(np.float32).astype(np.float64)


def results(op, kind, wide, target, math):
    """Patterns of the results, and of what they were made of."""
    bits = numbers(kind, wide)
    f = hd.compile(program(op, kind, wide).decode(), target=target, math=math)
    return np.asarray(f(bits.view(TYPES["f32" if wide else kind]))).view(np.uint16), bits


def errors(got, exact, kind):
    """In units of |kind|; results that are beyond its range are right where they are infinite."""
    digits, least = FORMATS[kind]
    with np.errstate(all="ignore"):
        exponent = np.where(exact == 0, least, np.floor(np.log2(np.abs(exact))))
        unit = np.exp2(np.maximum(exponent, least) - (digits - 1))
        error = np.abs(got - exact) / unit
    top = {"bf16": float.fromhex("0x1.fep127"), "f16": 65504.0}[kind]
    beyond = np.abs(exact) > top * (1 - 2.0**-11)
    error = np.where(beyond & ((got == exact) | np.isinf(got) | (np.abs(got) == top)), 0, error)
    return np.where(np.isnan(exact), np.where(np.isnan(got), 0, np.inf), error)


@pytest.mark.parametrize("target", ["simt", "spirv"])
@pytest.mark.parametrize("wide", [False, True], ids=["all", "f32"])
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_fast(op, kind, wide, target, root, build):
    if target == "spirv": needs.opencl(build)
    name, reference = FUNCTIONS[op]
    bounds = rows(root)
    bound = bounds.get((name, kind, True)) if target == "simt" else None
    bound = bound or bounds.get((name, kind, False)) or 0.01
    out, bits = results(op, kind, wide, target, None)
    with np.errstate(all="ignore"): exact = reference(values(bits, "f32" if wide else kind))
    assert errors(values(out, kind), exact, kind).max() <= 0.5 + bound / 8 + 2.0**-12


@pytest.mark.parametrize("op", FUNCTIONS)
def test_exact(op):
    """simt's bits are the CPU's, which math=fast does not change."""
    cpu, _ = results(op, "bf16", True, "cpu", "exact")
    assert np.array_equal(results(op, "bf16", True, "simt", "exact")[0], cpu)
    assert np.array_equal(results(op, "bf16", True, "cpu", "fast")[0], cpu)


def test_option():
    with pytest.raises(hd.HeddleError, match="math: expected fast or exact, got 'loose'"): compile_program(program("tanh", "bf16", False), math="loose")


def test_instructions(heddle, tmp_path):
    """Of each target of an artifact its own; none with math=exact."""
    (tmp_path / "p.mlir").write_bytes(program("tanh", "bf16", False))
    for target in ("cuda:90", "spirv+cuda:90"):
        heddle("compile", tmp_path / "p.mlir", "--target", target, "--emit-ptx", tmp_path / "p.ptx", "-o", tmp_path / "p.hdl", check=True)
        assert "tanh.approx.f32" in (tmp_path / "p.ptx").read_text()
    heddle("compile", tmp_path / "p.mlir", "--target", "cuda:90", "--math=exact", "--emit-ptx", tmp_path / "p.ptx", "-o", tmp_path / "p.hdl", check=True)
    assert "approx" not in (tmp_path / "p.ptx").read_text()
    for architecture in (70, 80):  # the first makes it of ex2
        heddle("compile", tmp_path / "p.mlir", "--target", f"cuda:{architecture}", "--emit-ptx", tmp_path / "p.ptx", "-o", tmp_path / "p.hdl", check=True)
        assert ("tanh.approx.f32" in (tmp_path / "p.ptx").read_text()) == (architecture == 80)
