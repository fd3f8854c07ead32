# SPDX-License-Identifier: Apache-2.0
"""What a right float result may differ by from the exact one, per element.

A Bound adds up, for an element whose exact value is x and whose type has numbers p bits long:

  ulps      numbers of the type between it and the exact value rounded (one more for a type of less than 24 bits that
            is computed in f32 and rounded again)
  terms     n products or sums in the accumulator (24 bits for types up to f32, 53 for f64): n * 2**-24 * magnitude, where the
            magnitude is the same sum of absolute values, which the caller computes
  modulus   of a complex number: units of 2**-p of its absolute value, in either part

Where the exact value is NaN or infinite the result has to be the same; numbers next to the largest count infinity as one more."""
from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Bound:
    ulps: float = 0
    terms: float = 0
    modulus: float = 0
    whole: bool = False        # the magnitude is the largest of the whole result: transforms, factorisations
    absolute_below: float = 0  # exact values closer to zero have the units of this number


EXACT = Bound()


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
    apart = np.abs(ordered(a).astype(np.float64) - ordered(b).astype(np.float64))
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
        if bound.terms or bound.absolute_below:
            width = np.zeros(got.shape)
            if bound.terms: width = bound.terms * accumulator_unit(got.dtype) * magnitude + spacing(got.dtype, exact)  # rounded once more
            if bound.absolute_below: width = np.maximum(width, bound.ulps * spacing(got.dtype, bound.absolute_below))
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
            bad |= ~(near | (ulps_apart(np.ascontiguousarray(g), x.astype(g.dtype)) <= bound.ulps))
    return bad


def outside(got, exact, bound, magnitude=None):
    """Which elements of |got| are wrong, a mask. |exact|: f64 or complex128, or of |got|'s type where that is exact."""
    if got.dtype.kind in "biu" or "int" in got.dtype.name:  # the bytes: numpy masks what lies beside i4's four bits
        raw = f"u{got.dtype.itemsize}"
        return got.view(raw) != np.ascontiguousarray(exact.astype(got.dtype, copy=False)).view(raw)
    if bound.whole: magnitude = np.max(magnitude, initial=0.0)
    got = np.ascontiguousarray(got)
    if got.dtype.kind == "c": return _complex_outside(got, np.asarray(exact, np.complex128), bound, magnitude)
    return _real_outside(got, np.asarray(exact).astype(np.float64), bound, magnitude)


def rounded(function_ulps, dtype):
    """Bound of a function that is right to |function_ulps| in f32 and f64 (src/codegen/math/math.def), against the evaluator's f64
    result rounded: half a unit more for that rounding, doubled where the binade changes; one number for types computed in f32."""
    if not function_ulps: return EXACT
    if digits(dtype) < 24: return Bound(ulps=1)
    return Bound(ulps=int(function_ulps + (0.5 if digits(dtype) == 24 else 1.5)) + 1)


def mutations(x):
    """(name, array) of what a wrong program may give: zeros, its elements one place on, its elements with the other sign."""
    flat = x.reshape(-1)
    if x.dtype == bool: return [("zeroed", np.zeros_like(x)), ("shifted", np.roll(flat, 1).reshape(x.shape)), ("flipped", ~x)]
    raw = flat.view(f"u{x.dtype.itemsize}") if x.dtype.kind != "c" else flat
    shifted = np.roll(raw, 1).view(x.dtype).reshape(x.shape)
    with np.errstate(all="ignore"): flipped = np.negative(x.astype(np.int64)).astype(x.dtype) if "int" in x.dtype.name else np.negative(x)
    return [("zeroed", np.zeros_like(x)), ("shifted", shifted), ("flipped", flipped)]
