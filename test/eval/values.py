# SPDX-License-Identifier: Apache-2.0
"""Operands as MLIR constants: special values and random ones of every element type."""
import itertools
import math
import random

# exponent bits, mantissa bits, all bits
FLOATS = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6, "f8E3M4": 8, "f8E4M3": 8, "f8E4M3FN": 8, "f8E4M3FNUZ": 8,
          "f8E4M3B11FNUZ": 8, "f8E5M2": 8, "f8E5M2FNUZ": 8, "f8E8M0FNU": 8, "bf16": 16, "f16": 16, "f32": 32, "f64": 64}
SPECIAL = {
    "f16": [0x0000, 0x8000, 0x3C00, 0xBC00, 0x3800, 0x4100, 0xC366, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00],
    "bf16": [0x0000, 0x8000, 0x3F80, 0xBF80, 0x3F00, 0x4020, 0xC06D, 0x0001, 0x807F, 0x0080, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0],
    "f32": [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x40200000, 0xC06CCCCD, 0x00000001, 0x807FFFFF,
            0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x322BCC77, 0x42C80000],
    "f64": [0x0, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000, 0x4004000000000000,
            0xC00D99999999999A, 0x1, 0x800FFFFFFFFFFFFF, 0x10000000000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF,
            0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3E45798EE2308C3A, 0x4059000000000000],
}
INTS = ["i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]


def is_float(element):
    return element in FLOATS


def is_complex(element):
    return element.startswith("complex")


def float_patterns(element):
    bits = FLOATS[element]
    if bits <= 8:
        return list(range(1 << bits))
    return SPECIAL[element]


def int_range(element):
    bits = int(element.lstrip("ui"))
    if element == "i1":
        return 0, 1
    return (0, 2 ** bits - 1) if element.startswith("u") else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)


def int_values(element):
    low, high = int_range(element)
    near = {low, low + 1, -2, -1, 0, 1, 2, 3, 7, high - 1, high, high // 3, low // 3}
    return sorted(v for v in near if low <= v <= high)


def hexadecimal(element, bits):
    return "0x%0*X" % ((FLOATS[element] + 3) // 4, bits)


def texts(element):
    """Every interesting value of an element type, as text."""
    if is_complex(element):
        part = element[8:-1]
        parts = [hexadecimal(part, SPECIAL[part][k]) for k in (0, 2, 3, 4, 5, 6)]
        return [f"({a}, {b})" for a, b in itertools.product(parts, parts)]
    if is_float(element):
        return [hexadecimal(element, b) for b in float_patterns(element)]
    if element == "i1":
        return ["false", "true"]
    return [str(v) for v in int_values(element)]


def moderate(element, count, seed=0):
    """|count| values without extremes: floats about [-4, 4), integers of the whole range or [-100, 100]."""
    rng = random.Random(f"{element}{seed}")

    def number():
        return f"{rng.uniform(-4, 4):.6e}"
    if is_complex(element):
        return [f"({number()}, {number()})" for _ in range(count)]
    if is_float(element):
        if element == "f8E8M0FNU":
            return [f"{2.0 ** rng.randint(-4, 4):e}" for _ in range(count)]
        return [f"{rng.randint(-6, 6) / 2:e}" if FLOATS[element] <= 8 else number() for _ in range(count)]
    low, high = int_range(element)
    if element == "i1":
        return [rng.choice(["false", "true"]) for _ in range(count)]
    return [str(rng.randint(max(low, -100), min(high, 100))) for _ in range(count)]


def nested(values, dims):
    if not dims:
        return values[0]
    if len(dims) == 1:
        return "[" + ", ".join(values) + "]"
    step = len(values) // dims[0] if dims[0] else 0
    return "[" + ", ".join(nested(values[i * step:(i + 1) * step], dims[1:]) for i in range(dims[0])) + "]"


def dims_text(dims):
    return "".join(f"{d}x" for d in dims)


def tensor(element, dims):
    return f"tensor<{dims_text(dims)}{element}>"


def constant(name, element, values, dims=None):
    dims = [len(values)] if dims is None else list(dims)
    text = "" if 0 in dims else nested(values, dims)
    return f"    {name} = stablehlo.constant dense<{text}> : {tensor(element, dims)}\n"


def operand(name, element, dims, seed=0):
    return constant(name, element, moderate(element, max(1, math.prod(dims)), seed), dims)


def tag(element):
    return element.replace("<", "_").strip(">")


def pairs(element):
    """All pairs of interesting values, as two lists."""
    some = texts(element)
    if len(some) > 24:
        some = some[::max(1, len(some) // 24)]
    both = list(itertools.product(some, some))
    return [a for a, _ in both], [b for _, b in both]
