# SPDX-License-Identifier: Apache-2.0
"""Ops of linear algebra, Fourier transforms, random bits, batch norm and chlo, against XLA:CPU and mpmath."""
import math

import mpmath
import pytest

from harness import Case, assert_cases, case
from values import SPECIAL, constant, dims_text, hexadecimal, is_complex, is_float, moderate, operand, tag, tensor

RNG_SHAPES = [[], [1], [5], [4, 3], [7, 1, 3], [3, 6, 5]]


@pytest.mark.parametrize("algorithm, words", [("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2), ("DEFAULT", 3)])
def test_rng_bit_generator(algorithm, words):
    cases = []
    for element in ("ui8", "ui16", "ui32", "ui64"):
        for dims in RNG_SHAPES:
            for k, state in enumerate((["5", "7", "9"], ["18446744073709551615"] * 3)):
                body = constant("%s", "ui64", state[:words]) + \
                    f"    %t, %r = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : (tensor<{words}xui64>) -> (tensor<{words}xui64>, {tensor(element, dims)})"
                name = f"rng_{element}_{'x'.join(map(str, dims))}_{k}"
                cases.append(Case(name, body, [("%t", "ui64", f"{words}x"), ("%r", element, dims_text(dims))], oracle="xla"))
    assert_cases(cases)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_fft(element):
    cases, unit = [], 2.0 ** (-24 if element == "f32" else -53)

    def apart(n, inverse=False):
        """Of transforms of |n| numbers of no more than 4 a part: both sides round in as many steps as |n| has bits, each time by the root mean square of the line at most."""
        size = 4 * 2 ** 0.5 * (n ** -0.5 if inverse else n ** 0.5)
        return 2 * (3 * math.log2(n) + 6) * unit * size
    c = f"complex<{element}>"
    for n in (1, 2, 3, 5, 8, 12, 13, 30):
        cases.append(case(f"fft_{n}", [("%x", c, [2, n])], f"stablehlo.fft %x, type = FFT, length = [{n}] : ({{x}}) -> {{r}}", [2, n], c, tolerance=apart(n), oracle="xla"))
        cases.append(case(f"ifft_{n}", [("%x", c, [2, n])], f"stablehlo.fft %x, type = IFFT, length = [{n}] : ({{x}}) -> {{r}}", [2, n], c, tolerance=apart(n, inverse=True), oracle="xla"))
        h = n // 2 + 1
        cases.append(case(f"rfft_{n}", [("%x", element, [2, n])], f"stablehlo.fft %x, type = RFFT, length = [{n}] : ({{x}}) -> {{r}}", [2, h], c, tolerance=apart(n), oracle="xla"))
        cases.append(case(f"irfft_{n}", [("%x", c, [2, h])], f"stablehlo.fft %x, type = IRFFT, length = [{n}] : ({{x}}) -> {{r}}", [2, n], element, tolerance=apart(n, inverse=True), oracle="xla"))
    for dims in ([3, 4], [2, 3, 5]):
        text = ", ".join(map(str, dims))
        half = dims[:-1] + [dims[-1] // 2 + 1]
        k = len(dims)
        cases.append(case(f"fft{k}d", [("%x", c, dims)], f"stablehlo.fft %x, type = FFT, length = [{text}] : ({{x}}) -> {{r}}", dims, c, tolerance=apart(math.prod(dims)), oracle="xla"))
        cases.append(case(f"ifft{k}d", [("%x", c, dims)], f"stablehlo.fft %x, type = IFFT, length = [{text}] : ({{x}}) -> {{r}}", dims, c, tolerance=apart(math.prod(dims), inverse=True), oracle="xla"))
        cases.append(case(f"rfft{k}d", [("%x", element, dims)], f"stablehlo.fft %x, type = RFFT, length = [{text}] : ({{x}}) -> {{r}}", half, c, tolerance=apart(math.prod(dims)), oracle="xla"))
        cases.append(case(f"irfft{k}d", [("%x", c, half)], f"stablehlo.fft %x, type = IRFFT, length = [{text}] : ({{x}}) -> {{r}}", dims, element, tolerance=apart(math.prod(dims), inverse=True), oracle="xla"))
    assert_cases(cases)


@pytest.mark.parametrize("element", ["f32", "f64", "complex<f32>", "complex<f64>"])
def test_linear_algebra(element):
    cases, apart = [], 1e-5 if "32" in element else 1e-13  # sums of three products, numbers near 1
    solve = "\"stablehlo.triangular_solve\"(%a, %b) <{{{{left_side = {}, lower = {}, unit_diagonal = {}, transpose_a = #stablehlo<transpose {}>}}}}> : ({{a}}, {{b}}) -> {{r}}"
    for left in ("true", "false"):
        for lower in ("true", "false"):
            for unit in ("true", "false"):
                for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
                    b = [2, 3, 2] if left == "true" else [2, 2, 3]
                    c = case(f"solve_{left}_{lower}_{unit}_{transpose}", [("%a", element, [2, 3, 3]), ("%b", element, b)],
                             solve.format(left, lower, unit, transpose), b, element, tolerance=apart, oracle="xla")
                    # a diagonal of 4 or more keeps the systems sane
                    eye = [("(6.0, 0.0)" if is_complex(element) else "6.0") if i == j else ("(0.0, 0.0)" if is_complex(element) else "0.0")
                           for _ in range(2) for i in range(3) for j in range(3)]
                    c.body = c.body.replace("    %r =", constant("%e", element, eye, [2, 3, 3]) + f"    %f = stablehlo.add %a, %e : {tensor(element, [2, 3, 3])}\n    %r =").replace("(%a, %b)", "(%f, %b)")
                    cases.append(c)
    for lower in ("true", "false"):
        # a positive definite matrix: a a^H + 1
        c = case(f"cholesky_{lower}", [("%a", element, [3, 3])], f"stablehlo.cholesky %p, lower = {lower} : {{r}}", [3, 3], element, tolerance=apart, oracle="xla")
        conj = f"chlo.conj %a : {tensor(element, [3, 3])} -> {tensor(element, [3, 3])}"
        one = "(1.0, 0.0)" if is_complex(element) else "1.0"
        zero = "(0.0, 0.0)" if is_complex(element) else "0.0"
        eye = [one if i == j else zero for i in range(3) for j in range(3)]
        mask = ["true" if (j <= i) == (lower == "true") or i == j else "false" for i in range(3) for j in range(3)]
        m = tensor(element, [3, 3])
        c.body = c.body.replace("    %r =", constant("%e", element, eye, [3, 3]) + f"    %h = {conj}\n    %q = stablehlo.dot_general %a, %h, contracting_dims = [1] x [1] : ({m}, {m}) -> {m}\n    %p = stablehlo.add %q, %e : {m}\n    %s =")
        c.body += "\n" + constant("%mask", "i1", mask, [3, 3]) + constant("%zeros", element, [zero] * 9, [3, 3]) + f"    %r = stablehlo.select %mask, %s, %zeros : tensor<3x3xi1>, {m}"
        cases.append(c)
    assert_cases(cases)


def test_batch_norm():
    cases = []
    for e in ("f32", "f64"):
        f = tensor(e, [3])
        x = tensor(e, [2, 4, 3])
        attrs = "<{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}>"
        operands = operand("%x", e, [2, 4, 3]) + operand("%s", e, [3], 1) + operand("%o", e, [3], 2) + operand("%m", e, [3], 3) + \
            constant("%v", e, ["0.5", "1.5", "2.5"], [3]) + operand("%g", e, [2, 4, 3], 4)
        cases.append(Case(f"inference_{e}", operands + f"    %r = \"stablehlo.batch_norm_inference\"(%x, %s, %o, %m, %v) {attrs} : ({x}, {f}, {f}, {f}, {f}) -> {x}", [("%r", e, "2x4x3x")], tolerance=1e-5 if e == "f32" else 1e-13, oracle="xla"))
        cases.append(Case(f"training_{e}", operands + f"    %r, %a, %b = \"stablehlo.batch_norm_training\"(%x, %s, %o) {attrs} : ({x}, {f}, {f}) -> ({x}, {f}, {f})", [("%r", e, "2x4x3x"), ("%a", e, "3x"), ("%b", e, "3x")], tolerance=1e-5 if e == "f32" else 1e-13, oracle="xla"))
        cases.append(Case(f"grad_{e}", operands + f"    %r, %a, %b = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) {attrs} : ({x}, {f}, {f}, {f}, {x}) -> ({x}, {f}, {f})", [("%r", e, "2x4x3x"), ("%a", e, "3x"), ("%b", e, "3x")], tolerance=1e-4 if e == "f32" else 1e-12, oracle="xla"))
    assert_cases(cases)


UNARY = {"acos": (-1, 1), "acosh": (1, 50), "asin": (-1, 1), "asinh": (-50, 50), "atan": (-50, 50), "atanh": (-1, 1),
         "cosh": (-20, 20), "sinh": (-20, 20), "tan": (-10, 10), "erf": (-5, 5), "erfc": (-5, 12), "erf_inv": (-1, 1),
         "lgamma": (-20, 60), "digamma": (-20, 60), "bessel_i1e": (-60, 60), "square": (-5, 5)}
EXACT = {"acos": mpmath.acos, "acosh": mpmath.acosh, "asin": mpmath.asin, "asinh": mpmath.asinh, "atan": mpmath.atan,
         "atanh": mpmath.atanh, "cosh": mpmath.cosh, "sinh": mpmath.sinh, "tan": mpmath.tan, "erf": mpmath.erf, "erfc": mpmath.erfc,
         "erf_inv": mpmath.erfinv, "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))), "digamma": mpmath.digamma,
         "bessel_i1e": lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), "square": lambda x: x * x}


def exact(values, function):
    """dense text of the f64 nearest to the true results."""
    with mpmath.workdps(60):
        texts = [f"{float(function(*[mpmath.mpf(float(v)) for v in vs])):.17e}" for vs in values]
    return f"dense<[{', '.join(texts)}]> : tensor<{len(texts)}xf64>"


@pytest.mark.parametrize("op", sorted(UNARY))
def test_chlo_precision(op):
    """In f64 within a few units in the last place of the true value."""
    low, high = UNARY[op]
    values = [f"{low + (high - low) * (k + 0.37) / 200:.17e}" for k in range(200)]
    body = constant("%x", "f64", values) + f"    %r = chlo.{op} %x : tensor<200xf64> -> tensor<200xf64>"
    want = exact([(v,) for v in values], EXACT[op])
    # near zeros of these the result is a difference
    tolerance = 1e-13 if op in ("lgamma", "digamma") else 0
    assert_cases([Case(op, body, [("%r", "f64", "200x")], ulp=16, tolerance=tolerance, expected=[want])])


def test_chlo_two_operands():
    pairs = [(f"{1 + a / 3:.17e}", f"{b / 2:.17e}") for a in range(1, 12) for b in range(1, 24)]
    n = len(pairs)
    body = constant("%x", "f64", [a for a, _ in pairs]) + constant("%q", "f64", [b for _, b in pairs]) + \
        f"    %r = chlo.zeta %x, %q : tensor<{n}xf64>, tensor<{n}xf64> -> tensor<{n}xf64>"
    cases = [Case("zeta", body, [("%r", "f64", f"{n}x")], ulp=64, expected=[exact(pairs, mpmath.zeta)])]
    pairs = [(f"{a}.0", f"{b / 3:.17e}") for a in range(0, 6) for b in range(1, 40)]
    n = len(pairs)
    body = constant("%n", "f64", [a for a, _ in pairs]) + constant("%x", "f64", [b for _, b in pairs]) + \
        f"    %r = chlo.polygamma %n, %x : tensor<{n}xf64>, tensor<{n}xf64> -> tensor<{n}xf64>"
    cases.append(Case("polygamma", body, [("%r", "f64", f"{n}x")], ulp=256, expected=[exact(pairs, lambda m, x: mpmath.polygamma(int(m), x))]))
    assert_cases(cases)


def test_chlo_specials():
    """Special values of f32 as XLA has them."""
    cases = []
    values = [hexadecimal("f32", b) for b in SPECIAL["f32"] if b not in (0x00000001, 0x807FFFFF, 0x00800000)]
    n = len(values)
    for op in sorted(UNARY):
        if op in ("tan",):
            continue  # XLA's at the largest numbers is imprecise
        body = constant("%x", "f32", values) + f"    %r = chlo.{op} %x : tensor<{n}xf32> -> tensor<{n}xf32>"
        # XLA's logarithm of gamma is not 0 at 1
        cases.append(Case(f"{op}_specials", body, [("%r", "f32", f"{n}x")], ulp=64, oracle="xla", tolerance=1e-5 if op == "lgamma" else 0))
    for op in ("is_inf", "is_pos_inf", "is_neg_inf"):
        body = constant("%x", "f32", values) + f"    %r = chlo.{op} %x : tensor<{n}xf32> -> tensor<{n}xi1>"
        cases.append(Case(f"{op}", body, [("%r", "i1", f"{n}x")], oracle="xla"))
    for e in ("f32", "f64", "bf16", "f16"):
        some = [hexadecimal(e, b) for b in SPECIAL[e]]
        a = [x for x in some for _ in some]
        b = [y for _ in some for y in some]
        m = len(a)
        body = constant("%x", e, a) + constant("%y", e, b) + f"    %r = chlo.next_after %x, %y : tensor<{m}x{e}>, tensor<{m}x{e}> -> tensor<{m}x{e}>"
        cases.append(Case(f"next_after_{e}", body, [("%r", e, f"{m}x")], oracle="xla"))
    assert_cases(cases)


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_chlo_complex(element):
    cases = []
    values = moderate(element, 40)
    n = len(values)
    for op in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh", "tan", "square", "conj", "_asin_acos_kernel"):
        body = constant("%x", element, values) + f"    %r = chlo.{op} %x : {tensor(element, [n])} -> {tensor(element, [n])}"
        cases.append(Case(f"{op}", body, [("%r", element, f"{n}x")], tolerance=1e-4 if "32" in element else 1e-11, oracle="xla"))
    for op in ("exponential_minus_one", "log_plus_one", "logistic", "rsqrt", "sign", "tan", "cbrt"):
        if op == "cbrt":
            continue  # XLA has none for complex numbers
        body = constant("%x", element, values) + f"    %r = stablehlo.{op} %x : {tensor(element, [n])}"
        cases.append(Case(f"hlo_{op}", body, [("%r", element, f"{n}x")], tolerance=1e-4 if "32" in element else 1e-11, oracle="xla"))
    for op in ("power", "atan2"):
        if op == "atan2":
            continue
        body = constant("%x", element, values) + constant("%y", element, moderate(element, n, 9)) + f"    %r = stablehlo.{op} %x, %y : {tensor(element, [n])}"
        cases.append(Case(f"hlo_{op}", body, [("%r", element, f"{n}x")], ulp=4096, oracle="xla"))
    assert_cases(cases)


def test_integer_division():
    """x / 0 is -1, x % 0 is x, the smallest by -1 wraps; quotients go towards zero."""
    from values import int_range, pairs

    def divide(x, y, low, high):
        if y == 0:
            return (-1 if low < 0 else high), x
        q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return (low if q > high else q), x - q * y
    cases = []
    for e in ("i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32", "ui64"):
        low, high = int_range(e)
        bits = int(e.lstrip("ui"))
        a, b = pairs(e)
        n = len(a)
        results = [divide(int(x), int(y), low, high) for x, y in zip(a, b)]
        highs = [int(x) * int(y) >> bits for x, y in zip(a, b)]
        shown = ("ui8" if e[0] == "u" else "i8") if bits < 8 else e
        for op, want in (("divide", [q for q, _ in results]), ("remainder", [r for _, r in results]), ("mulhi", highs)):
            text = f"chlo.mulhi %x, %y : {tensor(e, [n])}, {tensor(e, [n])} -> {tensor(e, [n])}" if op == "mulhi" else f"stablehlo.{op} %x, %y : {tensor(e, [n])}"
            body = constant("%x", e, a) + constant("%y", e, b) + f"    %r = {text}"
            cases.append(Case(f"{op}_{e}", body, [("%r", e, f"{n}x")], expected=[f"dense<[{', '.join(map(str, want))}]> : {tensor(shown, [n])}"]))
    assert_cases(cases)


def test_top_k_and_broadcast():
    cases = []
    for e in ("f32", "i32", "ui8", "bf16"):
        body = operand("%x", e, [3, 7]) + f"    %v, %i = chlo.top_k(%x, k = 4) : {tensor(e, [3, 7])} -> ({tensor(e, [3, 4])}, tensor<3x4xi32>)"
        cases.append(Case(f"top_k_{e}", body, [("%v", e, "3x4x"), ("%i", "i32", "3x4x")], oracle="xla"))
        body = operand("%x", e, [3, 1]) + operand("%y", e, [4], 2) + f"    %r = chlo.broadcast_add %x, %y : ({tensor(e, [3, 1])}, {tensor(e, [4])}) -> {tensor(e, [3, 4])}"
        cases.append(Case(f"broadcast_add_{e}", body, [("%r", e, "3x4x")], oracle="xla"))
        body = operand("%x", e, [2]) + f"    %r = \"chlo.constant_like\"(%x) <{{value = {'2.5' if is_float(e) else '3'} : {e}}}> : ({tensor(e, [2])}) -> {tensor(e, [2])}"
        cases.append(Case(f"constant_like_{e}", body, [("%r", e, "2x")], oracle="xla"))
    assert_cases(cases)


def test_rng_is_in_range():
    """rng has numbers of its own: here their range, mean and spread."""
    import numpy as np
    import libheddle
    program = b"""func.func @main() -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi32>) {
      %a = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.constant dense<5.0> : tensor<f32>
      %s = stablehlo.constant dense<1000> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      %1 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      %c = stablehlo.constant dense<-3> : tensor<i32>
      %d = stablehlo.constant dense<4> : tensor<i32>
      %2 = stablehlo.rng %c, %d, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<1000xi32>
      return %0, %1, %2 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi32>
    }"""
    uniform, normal, integers = libheddle.evaluate(program, [])
    assert uniform.min() >= 2 and uniform.max() < 5 and abs(uniform.mean() - 3.5) < 0.1
    assert abs(normal.mean() - 2) < 0.5 and abs(normal.std() - 5) < 0.4
    assert set(np.unique(integers)) == set(range(-3, 4))
    again = libheddle.evaluate(program, [])
    assert all(np.array_equal(a, b) for a, b in zip(again, (uniform, normal, integers)))
    assert math.isfinite(float(normal.sum()))
    assert not np.array_equal(uniform, normal)


__all__ = ["tag"]
