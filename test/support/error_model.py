# SPDX-License-Identifier: Apache-2.0
"""What a right float result may differ by from the exact one, per element.

A Bound adds up, for an element whose exact value is x and whose type has numbers p bits long:

  ulps      numbers of the type between it and the exact value rounded (one more for a type of less than 24 bits that
            is computed in f32 and rounded again)
  terms     n products or sums in the accumulator (24 bits for types up to f32, 53 for f64): n * 2**-24 * magnitude, where the
            magnitude is the same sum of absolute values, which the caller computes
  modulus   of a complex number: units of 2**-p of its absolute value, in either part
  absolute  a difference that does not shrink with the exact value: of functions with zeros that no precision reaches

Where the exact value is NaN or infinite the result has to be the same; numbers next to the largest count infinity as one more."""
from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Bound:
    ulps: float = 0
    terms: float = 0
    modulus: float = 0
    whole: bool = False  # the magnitude is the largest of the whole result: transforms, factorisations
    absolute: float = 0


EXACT = Bound()

# Functions on real numbers, by the name of the op: units in the last place, over all inputs, in f32 and f64. What is not here is right to the last bit.
# docs/numerics.md promises these; test_error_model.py holds math.def to them.
FUNCTION_ULPS = {
    "exponential": 1.1, "exp2": 1.1, "exponential_minus_one": 2.1, "logistic": 2.5, "log": 1, "log2": 1.7, "log10": 1.7, "log_plus_one": 1.8,
    "tanh": 2.7, "sinh": 1.8, "cosh": 1.6, "asinh": 2.1, "acosh": 2.8, "atanh": 2.5, "erf": 2.5, "erfc": 3.9, "sine": 1.8, "cosine": 1.8, "tan": 3.3,
    "asin": 2.5, "acos": 1.4, "atan": 1.6, "atan2": 1.9, "cbrt": 0.9, "rsqrt": 1.6, "power": 2.2, "remainder": 0, "erf_inv": 5, "lgamma": 14,
    "digamma": 64, "bessel_i1e": 5, "zeta": 9, "polygamma": 16,
}
ABSOLUTE_BELOW_ONE = {"lgamma", "digamma", "polygamma"}  # polygamma of order 0 is digamma
# Of the functions on complex numbers: units of 2**-24 (2**-53) of the result's absolute value ('Complex numbers').
COMPLEX_UNITS = {"exponential": 4, "exponential_minus_one": 6, "log": 6, "log_plus_one": 6, "logistic": 8, "sqrt": 6, "rsqrt": 10, "cbrt": 8, "sine": 6, "cosine": 6, "tan": 10,
                 "tanh": 10, "sinh": 10, "cosh": 10, "sign": 6, "abs": 4, "square": 4, "multiply": 4, "divide": 10, "power": 64, "atan2": 24,
                 **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh"), 24)}


def digits(dtype):
    """Bits of the significand, the leading one included."""
    return ml_dtypes.finfo(dtype).nmant + 1


def accumulator_unit(dtype): return 2.0 ** -53 if digits(dtype) > 24 else 2.0 ** -24


def ordered(x):
    """Integers in the order of floats |x|: neighbours differ by one, both zeros are 0."""
    info = ml_dtypes.finfo(x.dtype)
    bits = x.view(f"u{x.dtype.itemsize}").astype(np.uint64)
    if x.dtype.name == "float8_e8m0fnu": return bits.astype(np.int64)
    sign = np.uint64(info.bits - 1)
    magnitude = (bits & np.uint64(2 ** (info.bits - 1) - 1)).astype(np.int64)
    return np.where(bits >> sign & np.uint64(1), -magnitude, magnitude)


def ulps_apart(a, b):
    """Numbers of the type from |a| to |b|, as floats; NaN only beside NaN."""
    one, other = np.isnan(a), np.isnan(b)
    i, j = ordered(a), ordered(b)
    apart = np.where((i < 0) == (j < 0), np.abs(i - j), np.abs(i.astype(np.float64)) + np.abs(j.astype(np.float64)))  # of f64's, numbers of 63 bits
    return np.where(one | other, np.where(one & other, 0, np.inf), apart)


def spacing(dtype, x):
    """The unit in the last place of numbers |x| (f64) in |dtype|."""
    info = ml_dtypes.finfo(dtype)
    with np.errstate(all="ignore"):
        exponent = np.floor(np.log2(np.maximum(np.abs(x), float(info.smallest_normal))))
    return 2.0 ** (np.where(np.isfinite(exponent), exponent, 0) - info.nmant)


def _real_outside(got, exact, bound, magnitude):
    """|got| in its type, |exact| in f64."""
    with np.errstate(all="ignore"):
        want = exact.astype(got.dtype)
        same = ulps_apart(got, want) <= bound.ulps
        if bound.terms or bound.absolute:
            width = spacing(got.dtype, exact) + bound.absolute  # rounded once more
            if bound.terms: width += bound.terms * accumulator_unit(got.dtype) * magnitude
            wide = got.astype(np.float64)
            same |= np.isfinite(wide) & np.isfinite(exact) & (np.abs(wide - exact) <= width)
            same |= np.isinf(wide) & ~np.isfinite(want.astype(np.float64)) & (np.sign(wide) == np.sign(exact))
    return ~same


def _complex_outside(got, exact, bound, magnitude):
    unit = 2.0 ** -digits(got.real.dtype)
    bad = np.zeros(got.shape, bool)
    with np.errstate(all="ignore"):
        size = np.abs(exact)
        size = np.where(np.isfinite(size), size, 0)  # an infinite or NaN part leaves the other one no room but its own ulps
        width = bound.modulus * unit * size + (bound.terms * accumulator_unit(got.real.dtype) * magnitude if bound.terms else 0)
        for g, x in ((got.real, exact.real), (got.imag, exact.imag)):
            near = np.isfinite(g) & np.isfinite(x) & (np.abs(g.astype(np.float64) - x) <= width)
            bad |= ~(near | (ulps_apart(np.array(g), x.astype(g.dtype)) <= bound.ulps))
    return bad


def outside(got, exact, bound, magnitude=None):
    """Which elements of |got| are wrong, a mask. |exact|: f64 or complex128, or of |got|'s type where that is exact."""
    if got.dtype.kind in "biu" or "int" in got.dtype.name:  # the bytes: numpy masks what is beside i4's four bits
        raw = f"u{got.dtype.itemsize}"
        return got.view(raw) != np.asarray(exact.astype(got.dtype, copy=False), order="C").view(raw)
    if bound.whole: magnitude = np.max(magnitude, initial=0.0)
    got = np.asarray(got, order="C")
    if got.dtype.kind == "c": return _complex_outside(got, np.asarray(exact, np.complex128), bound, magnitude)
    return _real_outside(got, np.asarray(exact).astype(np.float64), bound, magnitude)


def rounded(function_ulps, dtype, absolute=False):
    """Bound of a function that is right to |function_ulps| in f32 and f64 (FUNCTION_ULPS), against the evaluator's f64
    result rounded: half a unit more for that rounding, doubled where the binade changes; one number for types computed in f32.
    |absolute|: results below 1 have the units of 1."""
    if not function_ulps: return EXACT
    units = 2 * function_ulps * accumulator_unit(dtype) if absolute else 0
    if digits(dtype) < 24: return Bound(ulps=1, absolute=units)
    return Bound(ulps=int(function_ulps + (0.5 if digits(dtype) == 24 else 1.5)) + 1, absolute=units)


def sums(n):
    """Bound of a sum of |n| numbers, whose magnitude is the sum of absolute values. Rounding errors have both signs, so that of many terms
    grows as the root of their number; with 4 times that no order of summing leaves it (Higham and Mary, 2019)."""
    return Bound(terms=min(n, 4 * n ** 0.5) + 1)


def assert_within(got, exact, bound=EXACT, magnitude=None, context=""):
    """No element of |got| is outside of the bound, and a result of zeros would be."""
    got, exact = np.asarray(got), np.asarray(exact)
    assert got.shape == exact.shape, f"{context}: expected shape {exact.shape}, got {got.shape}"
    wrong = outside(got, exact, bound, magnitude)
    if wrong.any():
        at = tuple(int(i[0]) for i in np.nonzero(wrong))
        raise AssertionError(f"{context}: {wrong.sum()} of {wrong.size} elements are outside of {bound}; the first, {list(at)}: got {got[at]}, expected {exact[at]}")
    if np.any(np.isfinite(exact) & (exact != 0)):
        assert outside(np.zeros_like(got), exact, bound, magnitude).any(), f"{context}: {bound} takes a result of zeros"


def assert_zeros_differ(want, relative, absolute, context=""):
    """A result of zeros would not pass for |want| where elements may be |relative| of it and |absolute| away. For tolerances between programs
    that round each in its own way; what sees zeros sees the other sign too."""
    want = np.abs(np.asarray(want))
    finite = np.isfinite(want) & (want != 0)
    if finite.any(): assert (want[finite] > absolute + relative * want[finite]).any(), f"{context}: {relative} of {want[finite].max()} and {absolute} take a result of zeros"


# Roundings that follow each other in a program of some layers, each function's units counted.
PROGRAM_TERMS = 32


def magnitudes(function, inputs, trials=3):
    """Of a program whose ops are not seen one by one: the exact results, and of each what a sum's sum of absolute values is of a sum, how far it
    goes per unit of relative change when each number of the inputs goes off by a unit in either direction, at least its own size. |function| takes a list of arrays of
    f64 or complex128 (and integers, which stay) and gives a list of such. Rounding on the way does no other than such a change: a program of right
    ops is within program(dtype) of the largest of them."""
    step, random, exact = 2.0 ** -20, np.random.default_rng(0), function(inputs)

    def moved(x): return x * (1 + step * random.choice([-1.0, 1.0], x.shape)) if x.dtype.kind in "fc" else x
    sizes = [np.where(np.isfinite(x), np.abs(x), 0) for x in map(np.asarray, exact)]
    for _ in range(trials):
        for size, x, y in zip(sizes, exact, function([moved(x) for x in inputs]), strict=True):
            if x.dtype.kind not in "fc": continue
            with np.errstate(all="ignore"): np.fmax(size, np.where(np.isfinite(x) & np.isfinite(y), np.abs(y - x), 0) / step, out=size)
    return exact, sizes


def program(dtype, terms=PROGRAM_TERMS):
    """Bound of what a program gives in |dtype| that rounds its results on the way to |dtype|, for magnitudes()."""
    part = np.zeros(1, dtype).real.dtype
    return Bound(terms=terms * max(1.0, 2.0 ** (24 - digits(part))), whole=True) if part.kind == "f" or "float" in part.name else EXACT


def assert_near(got, want, relative, absolute, context=""):
    """Two programs that round each in its own way give |got| and |want|: their type and shape are the same, elements are near, zeros would not be."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, f"{context}: expected {want.dtype}{list(want.shape)}, got {got.dtype}{list(got.shape)}"
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    if got.dtype.kind in "biu": np.testing.assert_array_equal(got, want, err_msg=context)
    else: np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=relative, atol=absolute, err_msg=context)
    assert_zeros_differ(want.astype(wide), relative, absolute, context)


def mutations(x):
    """(name, array) of what a wrong program may give: zeros, its elements one place on, its elements with the other sign."""
    flat = x.reshape(-1)
    out = [("zeroed", np.zeros_like(x))]
    if x.size > 1: out.append(("shifted", np.roll(flat.view(f"V{x.dtype.itemsize}"), 1).view(x.dtype).reshape(x.shape)))
    with np.errstate(all="ignore"):
        out.append(("flipped", ~x if x.dtype == bool else np.negative(x.astype(np.int64)).astype(x.dtype) if "int" in x.dtype.name else np.negative(x)))
    return out
