# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops at every element type and special value, against the reference interpreter."""
import math
import re
import struct
from fractions import Fraction

import pytest

from harness import Case, assert_cases
from values import FLOATS, INTS, constant, dims_text, is_complex, is_float, pairs, tensor, texts

COMPLEX = ["complex<f32>", "complex<f64>"]
# The interpreter computes with f64's functions and rounds, as the evaluator does.
REFERENCE_FLOATS = [f for f in FLOATS if f not in ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU")]
# The interpreter cannot round f8E3M4, whose largest number is below 2 to the number of its bits.
ROUNDED = [f for f in REFERENCE_FLOATS if f != "f8E3M4"]
SIGNED = [i for i in INTS if not i.startswith("u") and i != "i1"]

UNARY = {
    "abs": SIGNED + REFERENCE_FLOATS + COMPLEX,
    "cbrt": REFERENCE_FLOATS,
    "ceil": ROUNDED,
    "cosine": REFERENCE_FLOATS + COMPLEX,
    "count_leading_zeros": [i for i in INTS if i != "i1"],
    "exponential": REFERENCE_FLOATS + COMPLEX,
    "exponential_minus_one": REFERENCE_FLOATS,
    "floor": ROUNDED,
    "log": REFERENCE_FLOATS + COMPLEX,
    "log_plus_one": REFERENCE_FLOATS,
    "logistic": ["f32", "f64"],
    "negate": [i for i in INTS if i != "i1"] + REFERENCE_FLOATS + COMPLEX,
    "not": INTS,
    "popcnt": [i for i in INTS if i != "i1"],
    "round_nearest_afz": ROUNDED,
    "round_nearest_even": ROUNDED,
    "rsqrt": REFERENCE_FLOATS,
    "sign": SIGNED + REFERENCE_FLOATS,
    "sine": REFERENCE_FLOATS + COMPLEX,
    "sqrt": REFERENCE_FLOATS + COMPLEX,
    "tan": REFERENCE_FLOATS,
    "tanh": REFERENCE_FLOATS + COMPLEX,
}
BINARY = {
    "add": INTS + REFERENCE_FLOATS + COMPLEX,
    "subtract": [i for i in INTS if i != "i1"] + REFERENCE_FLOATS + COMPLEX,
    "multiply": INTS + REFERENCE_FLOATS + COMPLEX,
    "divide": REFERENCE_FLOATS + COMPLEX,
    "maximum": INTS + REFERENCE_FLOATS,
    "minimum": INTS + REFERENCE_FLOATS,
    "remainder": REFERENCE_FLOATS,
    "power": [i for i in INTS if i != "i1"] + REFERENCE_FLOATS,
    "atan2": REFERENCE_FLOATS,
    "and": INTS, "or": INTS, "xor": INTS,
    "shift_left": [i for i in INTS if i != "i1"],
    "shift_right_arithmetic": [i for i in INTS if i != "i1"],
    "shift_right_logical": [i for i in INTS if i != "i1"],
}


def ulp_of(op, element):
    """Parts of complex results may differ where the formulas do; f64 by libm's own error. The interpreter rounds after each
    step of logistic."""
    return 4 if is_complex(element) or element == "f64" or op == "logistic" else 0


def unary(op, element):
    values = texts(element)
    result = element[8:-1] if op == "abs" and is_complex(element) else element
    n = len(values)
    body = constant("%x", element, values) + \
        f"    %y = stablehlo.{op} %x : ({tensor(element, [n])}) -> {tensor(result, [n])}"
    return Case(f"{op}_{element.replace('<', '_').strip('>')}", body, [("%y", result, f"{n}x")], ulp=ulp_of(op, element))


def parts(text):
    """The parts of a complex f64 that is written by its bits, exactly; none where one is no number."""
    numbers = [struct.unpack(">d", int(bits, 16).to_bytes(8, "big"))[0] for bits in re.findall(r"0x[0-9A-F]{16}", text)]
    return [Fraction(x) for x in numbers] if len(numbers) == 2 and all(map(math.isfinite, numbers)) else None


def cancels(x, y):
    """Is a part of x / y zero since its terms cancel? The interpreter has the error of its own products there."""
    a, b = parts(x), parts(y)
    if not a or not b: return False
    (p, q), (r, s) = a, b
    return (p * r == -q * s != 0) or (q * r == p * s != 0)


def binary(op, element):
    a, b = pairs(element)
    if (op, element) == ("divide", "complex<f64>"): a, b = zip(*((x, y) for x, y in zip(a, b) if not cancels(x, y)))
    n = len(a)
    body = constant("%x", element, a) + constant("%z", element, b) + \
        f"    %y = stablehlo.{op} %x, %z : {tensor(element, [n])}"
    return Case(f"{op}_{element.replace('<', '_').strip('>')}", body, [("%y", element, f"{n}x")], ulp=ulp_of(op, element))


@pytest.mark.parametrize("op", sorted(UNARY))
def test_unary(op):
    assert_cases([unary(op, e) for e in UNARY[op]])


@pytest.mark.parametrize("op", sorted(BINARY))
def test_binary(op):
    assert_cases([binary(op, e) for e in BINARY[op]])


def test_convert():
    cases = []
    for a in INTS + REFERENCE_FLOATS + COMPLEX:
        for b in INTS + REFERENCE_FLOATS + COMPLEX:
            values = texts(a)
            if is_float(a) and not is_float(b) and not is_complex(b) and b != "i1":
                continue  # truncation out of range has no one meaning; test_float_to_int has its own
            n = len(values)
            if b.startswith("complex") and not is_complex(a) and not is_float(a):
                continue
            if is_complex(a) and not is_complex(b):
                continue
            body = constant("%x", a, values) + f"    %y = stablehlo.convert %x : ({tensor(a, [n])}) -> {tensor(b, [n])}"
            name = f"convert_{a}_to_{b}".replace("<", "_").replace(">", "")
            cases.append(Case(name, body, [("%y", b, f"{n}x")]))
    assert_cases(cases, missing=len(cases) // 3)


def test_float_to_int():
    cases = []
    for a in ("f16", "bf16", "f32", "f64"):
        for b in INTS:
            if b == "i1":
                continue
            values = [f"{v:e}" for v in (0, 0.5, 0.99, 1, 1.5, 1.99)] + ([] if b[0] == "u" else [f"{v:e}" for v in (-0.5, -1, -1.99)])
            n = len(values)
            body = constant("%x", a, values) + f"    %y = stablehlo.convert %x : ({tensor(a, [n])}) -> {tensor(b, [n])}"
            cases.append(Case(f"truncate_{a}_{b}", body, [("%y", b, f"{n}x")]))
    assert_cases(cases)


@pytest.mark.parametrize("kind", ["FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"])
def test_compare(kind):
    elements = {"FLOAT": ["f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2FNUZ"], "TOTALORDER": ["f16", "f32", "f64"],
                "SIGNED": SIGNED, "UNSIGNED": ["i1"] + [i for i in INTS if i[0] == "u"]}[kind]
    cases = []
    for element in elements:
        a, b = pairs(element)
        n = len(a)
        for direction in ("EQ", "NE", "GE", "GT", "LE", "LT"):
            # after a barrier, as XLA folds comparisons of constants without regard to the order
            body = constant("%k", element, a) + constant("%z", element, b) + \
                f"    %x = stablehlo.optimization_barrier %k : {tensor(element, [n])}\n" \
                f"    %y = stablehlo.compare {direction}, %x, %z, {kind} : ({tensor(element, [n])}, {tensor(element, [n])}) -> tensor<{n}xi1>"
            # the interpreter does not order NaN totally
            oracle = "xla" if kind == "TOTALORDER" else "reference"
            cases.append(Case(f"compare_{direction}_{element}", body, [("%y", "i1", f"{n}x")], oracle=oracle))
    assert_cases(cases)


def test_select_clamp_is_finite():
    cases = []
    for element in INTS + REFERENCE_FLOATS + COMPLEX:
        values = texts(element)[:16]
        n = len(values)
        flags = ["true" if k % 3 else "false" for k in range(n)]
        body = constant("%p", "i1", flags) + constant("%x", element, values) + constant("%z", element, values[::-1]) + \
            f"    %y = stablehlo.select %p, %x, %z : tensor<{n}xi1>, {tensor(element, [n])}"
        tag = element.replace("<", "_").strip(">")
        cases.append(Case(f"select_{tag}", body, [("%y", element, f"{n}x")]))
        if is_complex(element) or element == "i1":
            continue
        low, high = ("-1.0", "1.5") if is_float(element) else ("0", "1")
        scalar = tensor(element, [])
        body = constant("%x", element, texts(element)) + constant("%a", element, [low], []) + constant("%b", element, [high], []) + \
            f"    %y = stablehlo.clamp %a, %x, %b : ({scalar}, {tensor(element, [len(texts(element))])}, {scalar}) -> {tensor(element, [len(texts(element))])}"
        cases.append(Case(f"clamp_{tag}", body, [("%y", element, f"{len(texts(element))}x")]))
        if is_float(element):
            n = len(texts(element))
            body = constant("%x", element, texts(element)) + \
                f"    %y = stablehlo.is_finite %x : ({tensor(element, [n])}) -> tensor<{n}xi1>"
            cases.append(Case(f"is_finite_{tag}", body, [("%y", "i1", f"{n}x")]))
    assert_cases(cases)


@pytest.mark.parametrize("dims", [[0], [1], [0, 3], [2, 0, 2], [1, 1, 1], []])
def test_shapes(dims):
    body = "".join(constant(n, "f32", ["1.5"] * 1, dims) for n in ("%x", "%z")) + \
        f"    %y = stablehlo.add %x, %z : {tensor('f32', dims)}"
    assert_cases([Case("shape", body, [("%y", "f32", dims_text(dims))])])
