# SPDX-License-Identifier: Apache-2.0
"""Rows of Fourier transforms, of lengths that are known, and of images drawn at another size with a filter."""
import math

from heddle.torch.builder import Unsupported, array, is_float, product
from heddle.torch.rows import aten, row
from heddle.torch.rows_reduce import total, wide


def transform(b, x, kind, length, dtype):
    """Over the last dim, which has |length| elements on the real side."""
    if not isinstance(length, int): raise Unsupported("a Fourier transform of unknown length")
    last = length // 2 + 1 if kind == "RFFT" else length
    return b.op("stablehlo.fft", [x], (*x.shape[:-1], last), dtype, f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {array([length])}")


def over(b, x, dim, apply):
    """|apply| to |x| with |dim| as the last."""
    order = [d for d in range(x.rank) if d != dim] + [dim]
    y = apply(b.transpose(x, order))
    return b.transpose(y, [order.index(d) for d in range(x.rank)])


def normal(b, x, lengths, mode, real):
    """torch's modes: 0 as it is, 1 by the root of the count, 2 by the count."""
    if mode == 0: return x
    scale = product(lengths) ** (-0.5 if mode == 1 else -1)
    return x * scale if real else x * b.op("stablehlo.complex", [b.constant(scale, x.dtype[8:-1]), b.constant(0, x.dtype[8:-1])], (), x.dtype)


def along(b, x, dims, forward):
    """Complex, unscaled either way: what StableHLO's IFFT divides by is multiplied again."""
    for d in dims:
        n = x.shape[d]
        x = over(b, x, d, lambda v: transform(b, v, "FFT" if forward else "IFFT", n, x.dtype))
        if not forward: x = normal(b, x, [1 / n], 2, False)
    return x


@row(aten._fft_c2c.default)
def fft_c2c(b, out, x, dims, mode, forward):
    dims = [d % x.rank for d in dims]
    return normal(b, along(b, x, dims, forward), [x.shape[d] for d in dims], mode, False)


@row(aten._fft_r2c.default)
def fft_r2c(b, out, x, dims, mode, onesided):
    dims = [d % x.rank for d in dims]
    if onesided:
        y = over(b, x, dims[-1], lambda v: transform(b, v, "RFFT", x.shape[dims[-1]], out.dtype))
        y = along(b, y, dims[:-1], True)
    else:
        y = along(b, b.op("stablehlo.complex", [x, b.constant(0, x.dtype, x.shape)], x.shape, out.dtype), dims, True)
    return normal(b, y, [x.shape[d] for d in dims], mode, False)


@row(aten._fft_c2r.default)
def fft_c2r(b, out, x, dims, mode, last):
    dims = [d % x.rank for d in dims]
    if not isinstance(last, int): raise Unsupported("a Fourier transform of unknown length")
    y = along(b, x, dims[:-1], False)
    y = over(b, y, dims[-1], lambda v: transform(b, v, "IRFFT", last, out.dtype)) * float(last)
    return normal(b, y, [out.shape[d] for d in dims], mode, True)


def triangle(b, x): return (1.0 - x.abs()).maximum(0.0)


def cubic(b, x):
    """Keys' filter with a = -0.5."""
    x = x.abs()
    near, far = (1.5 * x - 2.5) * x * x + 1.0, ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return b.select(x < 1.0, near, b.select(x < 2.0, far, b.constant(0, x.dtype)))


FILTERS = {aten._upsample_bilinear2d_aa.default: (triangle, 1.0), aten._upsample_bicubic2d_aa.default: (cubic, 2.0)}
FILTERS_BACKWARD = {aten._upsample_bilinear2d_aa_backward.default: aten._upsample_bilinear2d_aa.default,
                    aten._upsample_bicubic2d_aa_backward.default: aten._upsample_bicubic2d_aa.default}


def weights(b, inner, outer, aligned, scale, dtype, filter_, reach):
    """[outer, inner]: what each new place takes from the old ones."""
    i, j = b.iota((outer, inner), 0, dtype), b.iota((outer, inner), 1, dtype)
    n, m = b.lift(inner, dtype), b.lift(outer, dtype)
    step = b.select(m > 1, (n - 1.0) / (m - 1.0).maximum(1.0), b.constant(0, dtype)) if aligned else b.lift(1 / scale, dtype) if scale else n / m
    wide_ = step.maximum(1.0)
    centre = (i + 0.5) * step
    first, end = (centre - wide_ * reach + 0.5).maximum(0.0).floor(), (centre + wide_ * reach + 0.5).floor().minimum(n)
    w = b.select((j >= first) & (j < end), filter_(b, (j - centre + 0.5) / wide_), b.constant(0, dtype))
    return w / b.reshape(total(b, w, [1]), (outer, 1))


@row(*FILTERS)
def resized(b, out, x, size, aligned, scale_h=None, scale_w=None):
    if not is_float(x.dtype): raise Unsupported(f"a filtered image of {x.dtype}")
    y, (filter_, reach) = x.to(wide(x.dtype)), FILTERS[out.node.target]
    for new, scale in zip(out.shape[2:], (scale_h, scale_w)):  # each puts its dim last
        y = b.dot(y, weights(b, y.shape[2], new, aligned, scale, y.dtype, filter_, reach), ([], []), ([2], [1]))
    return y.to(out.dtype)


@row(*FILTERS_BACKWARD)
def resized_backward(b, out, g, size, before, aligned, scale_h=None, scale_w=None):
    y, (filter_, reach) = g.to(wide(g.dtype)), FILTERS[FILTERS_BACKWARD[out.node.target]]
    for old, scale in zip(out.shape[2:], (scale_h, scale_w)):  # each puts its dim last
        y = b.dot(y, weights(b, old, y.shape[2], aligned, scale, y.dtype, filter_, reach), ([], []), ([2], [0]))
    return y.to(out.dtype)
