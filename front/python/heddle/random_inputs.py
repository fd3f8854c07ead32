# SPDX-License-Identifier: Apache-2.0
"""The random inputs of `heddle run --random SEED`, in numpy: the same bits as hd_random_fill of heddle/tensor_file.h.

Element k of argument n under a seed is a pure function of the three; the formulas are in that header."""
import ml_dtypes
import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(x):
    x = x ^ (x >> np.uint64(30))
    x = x * np.uint64(0xBF58476D1CE4E5B9)
    x = x ^ (x >> np.uint64(27))
    x = x * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hashes(seed, argument, count):
    """h(seed, argument, k) for k < count, as uint64."""
    with np.errstate(over="ignore"):
        key = _mix(np.uint64(seed % 2**64) + np.uint64(argument + 1) * GOLDEN)
        return _mix(key + (np.arange(count, dtype=np.uint64) + np.uint64(1)) * GOLDEN)


def _floats(h, digits):
    return ((h >> np.uint64(64 - digits)).astype(np.int64) - 2 ** (digits - 1)) * 2.0 ** (1 - digits)


def random_array(dtype, shape, seed, argument, maximum=16, scale=1.0):
    """Argument number |argument| of a program, of |shape| and |dtype| (numpy's, or one of ml_dtypes).

    Floats in [-1, 1) times |scale|, integers in [0, maximum), bools true with probability 0.9."""
    dtype, count = np.dtype(dtype), int(np.prod(shape, dtype=np.int64))
    name = dtype.name
    if name.startswith("complex"):
        part = np.dtype("float32" if name == "complex64" else "float64")
        values = random_array(part, (count * 2,), seed, argument, maximum, scale)
        return values.view(dtype).reshape(shape)
    h = hashes(seed, argument, count)
    if name == "bool":
        return ((h >> np.uint64(32)) < np.uint64(3865470566)).reshape(shape)
    if name == "float8_e8m0fnu":
        return (np.uint8(127) - (h >> np.uint64(62)).astype(np.uint8)).view(dtype).reshape(shape)
    if "float" in name:
        values = _floats(h, ml_dtypes.finfo(dtype).nmant + 1).astype(dtype)
        if scale != 1.0:
            if dtype.itemsize < 2: raise ValueError(f"elements of type {name} are not scaled")
            if name != "float64": values = (values.astype(np.float32) * np.float32(scale)).astype(dtype)
            else: values = values * scale
        return values.reshape(shape)
    below = np.uint64(min(maximum, int(ml_dtypes.iinfo(dtype).max) + 1, 2**32 - 1))
    return ((h >> np.uint64(32)) * below >> np.uint64(32)).astype(np.int64).astype(dtype).reshape(shape)
