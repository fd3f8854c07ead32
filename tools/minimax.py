#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""minimax.py: the coefficients of src/codegen/math/gamma.c and special.c made anew, by Remez exchange in mpmath.

Sollya has no lgamma, digamma, erf_inv or Bessel functions; tools/coefficients.sollya makes the others. Each polynomial
minimises the relative error over its interval and is rounded coefficient by coefficient."""
import struct

import mpmath as mp

mp.mp.prec = 200


def fit(function, low, high, degree, rounds=12):
    """The polynomial of |degree| whose largest relative error from |function| on [low, high] is least, and that error."""
    unknowns, low, high = degree + 2, mp.mpf(low), mp.mpf(high)
    steps = 30 * unknowns
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * i / steps)) / 2 for i in range(steps + 1)]
    values = [function(v) for v in grid]
    reference = [round(steps * i / (unknowns - 1)) for i in range(unknowns)]
    best = None
    for _ in range(rounds):
        matrix, right = mp.zeros(unknowns, unknowns), mp.zeros(unknowns, 1)
        for row, at in enumerate(reference):
            for column in range(degree + 1):
                matrix[row, column] = grid[at] ** column
            matrix[row, degree + 1] = (-1) ** row * abs(values[at])
            right[row] = values[at]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[i] for i in range(degree + 1)]
        errors = [(mp.polyval(coefficients[::-1], v) - y) / abs(y) for v, y in zip(grid, values)]
        largest = max(map(abs, errors))
        if best is None or largest < best[1]:
            best = coefficients, largest
        if largest < abs(solution[degree + 1]) * mp.mpf("1.01"):
            break
        extrema, at = [], 0  # the largest error of each run of one sign
        while at < len(errors):
            end = at
            while end < len(errors) and mp.sign(errors[end]) == mp.sign(errors[at]):
                end += 1
            extrema.append(max(range(at, end), key=lambda i: abs(errors[i])))
            at = end
        if len(extrema) < unknowns:
            break
        while len(extrema) > unknowns:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        reference = extrema
    return best


def rounded(value, width):
    value = float(value)
    return (struct.unpack("f", struct.pack("f", value))[0] if width == 32 else value).hex()


def erf_inv_ratio(w):
    """erf_inv(x) / x for x = sqrt(1 - e^-w), from erfc so that nothing is lost near 1."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    rest = mp.exp(-w) / (1 + x)  # 1 - x
    y = mp.sqrt(w) * mp.mpf("0.9") if w > 1 else x * mp.sqrt(mp.pi) / 2
    for _ in range(60):
        step = (mp.erfc(y) - rest) / (-2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
        step /= 1 + y * step
        y -= step
        if abs(step) < mp.mpf(2) ** -180 * y:
            break
    return y / x


def limit(function, at, value, width=mp.mpf("1e-12")):
    """|function| with |value(v)| next to the removable singularity |at|."""
    return lambda v: value(v) if abs(v - at) < width else function(v)


half_log = mp.log(2 * mp.pi) / 2
stirling = limit(lambda z: (mp.loggamma(z**-0.5) - (z**-0.5 - 0.5) * mp.log(z**-0.5) + z**-0.5 - half_log) / mp.sqrt(z),
                 0, lambda z: mp.mpf(1) / 12 - z / 360, mp.mpf("1e-9"))
psi = limit(lambda z: (mp.digamma(z**-0.5) - mp.log(z**-0.5) + mp.sqrt(z) / 2) / z, 0,
            lambda z: -mp.mpf(1) / 12 + z / 120, mp.mpf("1e-9"))
log_gamma = limit(lambda d: mp.loggamma(2 + d) / d, 0, lambda d: 1 - mp.euler)
sin_pi = limit(lambda u: (mp.sin(mp.pi * mp.sqrt(u)) / mp.pi / mp.sqrt(u) - 1) / u, 0,
               lambda u: -mp.pi**2 / 6 + u * mp.pi**4 / 120)
cos_pi = limit(lambda u: mp.cos(mp.pi * mp.sqrt(u)) / (1 - 4 * u), mp.mpf("0.25"), lambda u: mp.pi / 4)
bessel_low = limit(lambda u: mp.besseli(1, mp.sqrt(u)) / mp.sqrt(u), 0, lambda u: mp.mpf(1) / 2 + u / 16)
series = [1, -mp.mpf(3) / 8, -mp.mpf(15) / 128, -mp.mpf(315) / 3072, -mp.mpf(4725) / 98304]
bessel_high = limit(lambda v: mp.besseli(1, 16 / (v + 1)) * mp.exp(-16 / (v + 1)) * mp.sqrt(16 / (v + 1)), -1,
                    lambda v: mp.polyval(series[::-1], (v + 1) / 16) / mp.sqrt(2 * mp.pi), mp.mpf("1e-3"))

# name, width, function, interval, degree
FITS = [
    ("lgamma_f32", 32, log_gamma, (-0.5001, 0.5001), 9), ("lgamma_f64", 64, log_gamma, (-0.5001, 0.5001), 20),
    ("stirling_f32", 32, stirling, (0, 1 / 64), 2), ("stirling_f64", 64, stirling, (0, 1 / 64), 6),
    ("digamma_f32", 32, psi, (0, 1 / 36), 2), ("digamma_f64", 64, psi, (0, 1 / 100), 6),
    ("sin_pi_f32", 32, sin_pi, (0, 0.25), 4), ("sin_pi_f64", 64, sin_pi, (0, 0.25), 7),
    ("cos_pi_f32", 32, cos_pi, (0, 0.25), 4), ("cos_pi_f64", 64, cos_pi, (0, 0.25), 9),
    ("bessel_low_f32", 32, bessel_low, (0, 64), 9), ("bessel_low_f64", 64, bessel_low, (0, 64), 15),
    ("bessel_high_f32", 32, bessel_high, (-1, 1), 5), ("bessel_high_f64", 64, bessel_high, (-1, 1), 22),
    ("erf_inv low_f32", 32, lambda v: erf_inv_ratio(v + mp.mpf(2.5)), (-2.5, 2.5), 8),
    ("erf_inv high_f32", 32, lambda v: erf_inv_ratio((v + 3) ** 2), (mp.sqrt(5) - 3, mp.sqrt(16.7) - 3), 8),
    ("erf_inv low_f64", 64, lambda v: erf_inv_ratio(v + mp.mpf(3.125)), (-3.125, 3.125), 22),
    ("erf_inv middle_f64", 64, lambda v: erf_inv_ratio((v + mp.mpf(3.25)) ** 2), (-0.75, 0.75), 18),
    ("erf_inv high_f64", 64, lambda v: erf_inv_ratio((v + 5) ** 2), (-1, mp.sqrt(37.5) - 5), 17),
]

if __name__ == "__main__":
    for name, width, function, (low, high), degree in FITS:
        coefficients, error = fit(function, low, high, degree)
        print(f"{name}: 2^{mp.nstr(mp.log(error, 2), 4)}", *(rounded(c, width) for c in coefficients), flush=True)
