# SPDX-License-Identifier: Apache-2.0
"""The evaluator runs what Triton prints of its programs, before each of its passes and at the end, and gives what numpy
gives: layouts, conversions between them, asynchronous copies and barriers change no value."""
import math
import os
import subprocess
import sys

import numpy as np
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
pytest.importorskip("triton")
ml_dtypes = pytest.importorskip("ml_dtypes")
from dumps import programs  # noqa: E402
from kernels import COMPILED, KERNELS  # noqa: E402

HEDDLE = os.path.join(os.path.abspath(os.environ["HEDDLE_BUILD"]), "bin", "heddle")
BF16, F8 = ml_dtypes.bfloat16, ml_dtypes.float8_e5m2


def stored(array):
    """An array as npz files have it: types that numpy lacks are voids."""
    return array.view(f"V{array.itemsize}") if array.dtype in (BF16, F8) else array


def evaluate(path, grid, arguments):
    """What the arrays among |arguments| hold after the kernel, each in its shape."""
    flat = [np.ascontiguousarray(a).ravel() if isinstance(a, np.ndarray) else a for a in arguments]
    np.savez(f"{path}.in.npz", **{f"arg{i}": stored(np.asarray(a)) for i, a in enumerate(flat)})
    ran = subprocess.run([HEDDLE, "eval", str(path), "--grid", ",".join(map(str, grid)), "--inputs", f"{path}.in.npz",
                          "--outputs", f"{path}.out.npz"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    results = np.load(f"{path}.out.npz")
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    return [results[f"out{i}"].view(a.dtype).reshape(a.shape) for i, a in enumerate(arrays)]


def cdiv(a, b):
    return -(-a // b)


def floats(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32).astype(dtype)


# Each gives the grid, the arguments, and per array the values that it must have afterwards with the tolerance; None: as before.
def vector_add():
    n = 2900
    x, y, out = floats(1, n), floats(2, n), np.full(3072, 7, np.float32)
    want = out.copy()
    want[:n] = x + y
    return (3,), [x, y, out, np.int32(n)], [None, None, (want, 0)]


def softmax():
    rows, columns = 7, 1000
    x, out = floats(1, rows, columns) * 4, np.zeros((rows, columns), np.float32)
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return (3,), [x, out, np.int32(rows), np.int32(columns)], [None, (e / e.sum(1, keepdims=True), 1e-6)]


def layer_norm():
    rows, columns = 3, 400
    x, scale, shift = floats(1, rows, columns), floats(2, columns), floats(3, columns)
    out, mean = np.zeros_like(x), np.zeros(rows, np.float32)
    wide = x.astype(np.float64)
    normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    return (rows,), [x, scale, shift, out, mean, np.int32(columns), np.float32(1e-5)], [
        None, None, None, (normal * scale + shift, 1e-5), (wide.mean(1), 1e-6)]


def product(dtype, out_dtype, tolerance, m, n, k, block):
    def case():
        whole = dtype == np.int8
        rng = np.random.default_rng(3)
        a = rng.integers(-100, 100, (m, k)).astype(dtype) if whole else floats(1, m, k, dtype=dtype)
        b = rng.integers(-100, 100, (k, n)).astype(dtype) if whole else floats(2, k, n, dtype=dtype)
        c = np.zeros((m, n), out_dtype)
        wide = np.int64 if whole else np.float64
        return (cdiv(m, block[0]), cdiv(n, block[1])), [a, b, c, np.int32(m), np.int32(n), np.int32(k)], [
            None, None, (a.astype(wide) @ b.astype(wide), tolerance)]
    return case


def attention(dtype, tolerance, length, d, block):
    def case():
        q, k, v = (floats(i, length, d, dtype=dtype) for i in range(3))
        scale = np.float32(0.2)
        scores = q.astype(np.float64) @ k.astype(np.float64).T * scale
        scores = np.where(np.tri(length, dtype=bool), scores, -1e6)
        parts = np.exp2(scores - scores.max(1, keepdims=True))
        want = parts @ v.astype(np.float64) / parts.sum(1, keepdims=True)
        return (cdiv(length, block),), [q, k, v, np.zeros_like(q), scale, np.int32(length)], [
            None, None, None, (want, tolerance)]
    return case


def row_sums():
    x = floats(1, 64, 384)
    return (2,), [x, np.zeros(64, np.float32), np.int32(384)], [None, (x.astype(np.float64).sum(1), 1e-5)]


def running_sums():
    x = floats(1, 8, 32)
    want = np.cumsum(x, 1) + np.cumsum(x[::-1], 0)[::-1]
    return (1,), [x, np.zeros_like(x)], [None, (want, 1e-5)]


def counts():
    n = 300
    x = np.random.default_rng(1).integers(0, 50, n).astype(np.int32)
    bins = np.bincount(x, minlength=64).astype(np.int32)
    return (3,), [x, np.zeros(64, np.int32), np.zeros(1, np.int32), np.int32(n)], [
        None, (bins, 0), (np.array([x.max()]), 0)]


def scaled_product():
    m, n, k = 128, 128, 64
    a, b = floats(1, m, k, dtype=F8), floats(2, k, n, dtype=F8)
    rng = np.random.default_rng(3)
    sa, sb = (rng.integers(120, 132, (size, k // 32)).astype(np.uint8) for size in (m, n))

    def scale(s):
        return np.repeat(2.0 ** (s.astype(np.int32) - 127), 32, axis=1)
    want = (a.astype(np.float64) * scale(sa)) @ (b.astype(np.float64) * scale(sb).T)
    return (1,), [a, sa.view(np.int8), b, sb.view(np.int8), np.zeros((m, n), np.float32)], [
        None, None, None, None, (want, 1e-5)]


def many_ops():
    size, n = 256, 10
    a = np.random.default_rng(1).uniform(0.1, 2, size).astype(np.float32)
    i = np.random.default_rng(2).integers(0, 1000, size).astype(np.int32)
    at = np.arange(size)
    b = np.where(at < n, a, np.float32(1))
    table = a.reshape(16, size // 16)
    small = a.astype(ml_dtypes.float8_e5m2).astype(np.float32)
    chosen = a * 2
    erf = np.array([math.erf(v) for v in a])
    total = (chosen + a + b + small + a[i % size] + np.clip(a, 0, 1) + np.sqrt(a) + a / b + ((i.astype(np.int64) ** 2) >> 32) +
             i + (a * b + chosen) + np.abs(a) + np.floor(a) + erf + 1 / np.sqrt(a) + (i ^ 3) + (i >> 2) + i // 3 +
             (n - 3 * cdiv(n, 3)) + a.astype(np.float64).sum() + np.arctan(a) + np.minimum(a, b))
    out = np.zeros(10 * size, np.float32)
    want = out.astype(np.float64)
    want[:size] = total
    want[size:3 * size] = np.concatenate([a, b])
    want[3 * size:3 * size + 64] = np.bincount(i, minlength=1000)[:64]
    want[4 * size:5 * size] = table.T.ravel()
    want[5 * size:5 * size + 16] = table.max(1) + table.argmax(1)
    want[6 * size:6 * size + n] = np.arange(n)
    want[7 * size] = 1
    want[8 * size:9 * size] = np.sort(a)
    want[9 * size:] = a
    whole = i.copy()
    whole[0] = np.float32(1).view(np.int32)
    return (1,), [a, i, out, np.int32(n)], [None, (whole, 0), (want, 1e-5)]


def instructions():
    x = np.arange(128, dtype=np.int32) - 50
    return (1,), [x, np.zeros_like(x)], [None, (x, 0)]


CASES = {
    "instructions": instructions,
    "vector_add": vector_add, "softmax": softmax, "layer_norm": layer_norm, "row_sums": row_sums,
    "running_sums": running_sums, "counts": counts, "scaled_product": scaled_product, "many_ops": many_ops,
    "matmul": product(BF16, BF16, 1e-2, 100, 70, 90, (64, 64)),
    "matmul_i8": product(np.int8, np.int32, 0, 40, 33, 70, (32, 32)),
    "matmul_f16": product(np.float16, np.float32, 1e-5, 40, 33, 70, (32, 32)),
    "matmul_tf32": product(np.float32, np.float32, 2e-3, 70, 66, 50, (64, 64)),
    "matmul_tf32x3": product(np.float32, np.float32, 2e-6, 70, 66, 50, (64, 64)),
    "matmul_f32": product(np.float32, np.float32, 1e-6, 70, 33, 50, (32, 32)),
    "matmul_descriptors": product(BF16, BF16, 1e-2, 130, 136, 72, (128, 128)),
    "attention": attention(np.float32, 2e-3, 100, 32, 64),
    "attention_bf16": attention(BF16, 2e-2, 150, 64, 128),
}
CASES["matmul_specialized"] = CASES["matmul_descriptors"]
assert set(CASES) == set(KERNELS)
# Steps inside of a pass, which its own later steps complete: a loop's ops under a mask that is not yet theirs.
UNFINISHED = ("ttg.mask", "ttg.predicate_stage", "ub.poison : !ttg.memdesc")
# Warps that run at once and wait for each other: the evaluator runs one after the other.
SPECIALIZED = ("ttg.warp_specialize(", "nvws.")


@pytest.mark.parametrize("name, arch", COMPILED)
def test_equals_numpy(name, arch, tmp_path, once):
    grid, arguments, wanted = CASES[name]()
    ran = 0
    for number, (title, text) in enumerate(once(f"triton_{name}_{arch}", lambda: programs(name, arch, tmp_path))):
        if any(op in text for op in UNFINISHED + SPECIALIZED):
            continue
        ran += 1
        path = tmp_path / f"{number}.mlir"
        path.write_text(text)
        try:
            results = evaluate(path, grid, arguments)
        except AssertionError as error:
            raise AssertionError(f"before {title} ({path}): {error}") from None
        for before, result, want in zip([a for a in arguments if isinstance(a, np.ndarray)], results, wanted):
            values, tolerance = want or (before, 0)
            error = np.abs(result.astype(np.float64) - values.astype(np.float64)).max() / max(1, np.abs(values.astype(np.float64)).max())
            assert error <= tolerance, f"before {title} ({path}): differs by {error}"
    assert ran > 3
