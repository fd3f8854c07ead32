# SPDX-License-Identifier: Apache-2.0
"""Every op of the sweep in machine form: the evaluator gives the bits that it gives for the device form, simt gives them too and finds no
bug, and CUDA's assembler takes the PTX without spills. Nothing here needs or uses a device."""
import os
import re
import subprocess

import numpy as np
import pytest

import op_sweep
from assembler import needed_ptxas
from op_rows import MISSING, ROWS

LONG = bool(os.environ.get("HEDDLE_LONG"))
TYPES = ["f32", "i32", "i1", "complex<f32>", "bf16"]
# Functions so long that their kernels for indices of 64 bits run short of registers.
LONGEST = ["chlo.digamma", "chlo.polygamma", "chlo.broadcast_polygamma", "chlo.broadcast_zeta"]


def forms_of(op, types):
    rows = [row for row in ROWS if row.op == op]
    return [op_sweep.Form(row, t, dynamic) for row in rows for dynamic in (False, True) if not (dynamic and row.static_only) for t in row.types if t in types]


def types_of(op):
    """The first type that the op has."""
    return next(([t] for t in TYPES if forms_of(op, [t])), [])


OPS = [op for op in sorted({row.op for row in ROWS} - set(MISSING)) if types_of(op)]


def save(path, arrays):
    """bf16 and the like as npz holds them: as bytes without a type."""
    def plain(x): return x if x.dtype.kind in "biufc" and x.dtype.isbuiltin else x.view(f"V{x.dtype.itemsize}")
    np.savez(path, **{f"arg{i}": plain(x) for i, x in enumerate(arrays)})


@pytest.fixture(scope="module")
def ptxas(build):
    return needed_ptxas(build)


@pytest.fixture(scope="module")
def opt(build):
    def run(*arguments):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done
    return run


@pytest.fixture
def kernels(tmp_path, opt):
    """The sweep's program of forms, in device form and in machine form."""
    def make(forms):
        (tmp_path / "program.mlir").write_text(op_sweep.program(forms))
        save(tmp_path / "inputs.npz", [x for form in forms for x in form.inputs()])
        done = opt("--disc-pipeline=target=cuda", "--mlir-print-ir-before=convert-gpu-to-llvm", tmp_path / "program.mlir", "-o", os.devnull)
        (tmp_path / "device.mlir").write_text(done.stderr)
        opt("--convert-gpu-to-llvm", "--verify-machine-form", "--verify-each", tmp_path / "device.mlir", "-o", tmp_path / "machine.mlir")
    return make


# Where several updates go to one element atomics add them in any order: results differ in the last bit.
ANY_ORDER = {"scatter"}


@pytest.mark.parametrize("op", OPS)
def test_same_bits(op, kernels, heddle, tmp_path):
    """Of the device form and the machine form in the evaluator, and of checked kernels on simt, which finds nothing."""
    kernels(forms_of(op, {*types_of(op), "bf16"} if LONG else types_of(op)))
    runs = {"device": ("device.mlir",), "machine": ("machine.mlir",), "simt": ("machine.mlir", "--target=simt")}
    for name, (form, *options) in runs.items():
        heddle("eval", tmp_path / form, *options, "--inputs", tmp_path / "inputs.npz", "--outputs", tmp_path / f"{name}.npz", check=True)
    want, machine, simt = (dict(np.load(tmp_path / f"{name}.npz")) for name in runs)
    assert want and sorted(want) == sorted(machine) == sorted(simt)
    for key in want:
        assert machine[key].tobytes() == want[key].tobytes(), f"{key} of the machine form"
        if op not in ANY_ORDER: assert simt[key].tobytes() == want[key].tobytes(), f"{key} on simt"
        else: np.testing.assert_allclose(simt[key], want[key], rtol=3e-7)


@pytest.mark.parametrize("architecture", [80, 90] if LONG else [80])
@pytest.mark.parametrize("op", OPS)
def test_ptx(op, architecture, kernels, opt, ptxas, tmp_path):
    forms = forms_of(op, [*types_of(op), "bf16"]) if op in LONGEST else forms_of(op, types_of(op))
    kernels(forms if LONG or op in LONGEST else forms[:2])
    if "gpu.module" not in (tmp_path / "machine.mlir").read_text(): pytest.skip("the host does it: no kernel")
    opt(f"--emit-ptx={architecture}", tmp_path / "machine.mlir", "-o", tmp_path / "kernels.ptx")
    done = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", tmp_path / "kernels.ptx", "-o", tmp_path / "kernels.cubin"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    spilled = [int(count) for count in re.findall(r"(\d+) bytes spill stores", done.stderr)]
    assert spilled and not max(spilled), done.stderr


# Bits that a format holds.
NARROW = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6, "f8E3M4": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8, "f8E5M2": 8, "f8E5M2FNUZ": 8, "f8E8M0FNU": 8}
WIDE = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.uint16, "i64": np.int64, "ui32": np.uint32, "i8": np.int8}


def wide_values(kind, steps=16):
    """Numbers where rounding decides: each step of a mantissa, half of one, and its neighbours, of both signs; and anything."""
    near = [m * 2.0 ** e for e in range(-24, 19) for m in np.arange(2 * steps, 4 * steps + 1) / (2 * steps)]
    random = np.random.default_rng(0)
    if WIDE[kind] == np.uint16: return np.arange(1 << 16, dtype=np.uint16)
    if np.issubdtype(WIDE[kind], np.integer):
        limits = np.iinfo(WIDE[kind])
        return np.concatenate([random.integers(limits.min, limits.max, 2000, WIDE[kind], True) >> random.integers(0, limits.bits, 2000).astype(WIDE[kind]), [limits.min, limits.max, 0]]).astype(WIDE[kind])
    with np.errstate(over="ignore"):
        near = np.array(near).astype(WIDE[kind])
        special = np.array([0, np.inf, np.nan, 2.0 ** -126, 1.5 * 2.0 ** -127, 2.0 ** -133, 3e38]).astype(WIDE[kind])
    near = np.concatenate([near, np.nextafter(near, WIDE[kind](0)), np.nextafter(near, WIDE[kind](np.inf)), special])
    anything = random.integers(0, 1 << 16, (8000, near.itemsize // 2), np.uint16).view(WIDE[kind]).ravel()
    return np.concatenate([near, -near, anything])


def load_in_order(path):
    with np.load(path) as file: return [file[key] for key in sorted(file, key=lambda text: int("".join(filter(str.isdigit, text))))]


@pytest.mark.parametrize("narrow", NARROW)
def test_narrow_floats(narrow, heddle, opt, tmp_path):
    """Every pattern of a format to every wider one, and what is between its numbers to it, by integer code on simt as in the evaluator."""
    arrays = {kind: wide_values(kind) for kind in WIDE}
    patterns = np.arange(1 << NARROW[narrow], dtype=np.uint8)
    arguments = [f"%{kind}: tensor<{len(x)}x{kind}>" for kind, x in arrays.items()] + [f"%p: tensor<{len(patterns)}x{narrow}>"]
    from_narrow = [kind for kind in WIDE if kind not in ("ui32", "i64")]
    lines = [f"%to_{kind} = stablehlo.convert %p : (tensor<{len(patterns)}x{narrow}>) -> tensor<{len(patterns)}x{kind}>" for kind in from_narrow]
    lines += [f"%of_{kind} = stablehlo.convert %{kind} : (tensor<{len(x)}x{kind}>) -> tensor<{len(x)}x{narrow}>" for kind, x in arrays.items()]
    results = [f"%to_{kind}" for kind in from_narrow] + [f"%of_{kind}" for kind in WIDE]
    types = [f"tensor<{len(patterns)}x{kind}>" for kind in from_narrow] + [f"tensor<{len(x)}x{narrow}>" for x in arrays.values()]
    program = f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n" + "\n".join(lines) + f"\nreturn {', '.join(results)} : {', '.join(types)}\n}}\n"
    (tmp_path / "program.mlir").write_text(program)
    inputs = [x.view("V2") if kind == "bf16" else x for kind, x in arrays.items()] + [patterns.view("V1")]
    np.savez(tmp_path / "inputs.npz", **{f"arg{i}": x for i, x in enumerate(inputs)})
    opt("--disc-pipeline=target=cuda", "--verify-machine-form", tmp_path / "program.mlir", "-o", tmp_path / "machine.mlir")
    for name, flags in (("program", []), ("machine", []), ("machine", ["--target=simt"])):
        heddle("eval", tmp_path / f"{name}.mlir", *flags, "--inputs", tmp_path / "inputs.npz", "--outputs", tmp_path / f"{name}{len(flags)}.npz", check=True)
    want, *others = [load_in_order(tmp_path / f"{name}.npz") for name in ("program0", "machine0", "machine1")]
    assert len(want) == len(results)
    is_nan = np.isnan(want[0]) # of each pattern; payloads and signs of NaNs are not said
    for got in others:
        for x, y, name in zip(want, got, results):
            if name == "%to_bf16": x, y = ((z.view(np.uint16).astype(np.uint32) << 16).view(np.float32) for z in (x, y))
            elif name.startswith("%of"): x, y = (np.where(is_nan[z.view(np.uint8)], 256, z.view(np.uint8).astype(int)) for z in (x, y))
            np.testing.assert_array_equal(y, x, err_msg=name)
            if name.startswith("%to"): np.testing.assert_array_equal(np.signbit(y[~np.isnan(x)]), np.signbit(x[~np.isnan(x)]), err_msg=name)
