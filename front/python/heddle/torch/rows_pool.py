# SPDX-License-Identifier: Apache-2.0
"""Rows of pooling and of its gradients. An index of a maximum is a place in the image laid flat, as torch counts it."""
import math

import sympy
from torch.utils._sympy import functions as sym

from heddle.torch.builder import Unsupported, dim_of, product, static
from heddle.torch.rows import aten, row
from heddle.torch.rows_conv import cropped, several
from heddle.torch.rows_index import column, scatter
from heddle.torch.rows_nn import used
from heddle.torch.rows_reduce import least, most, total, wide


def pool_padding(x, size, stride, padding, dilation, result):
    """Padding so that exactly |result| windows fit: torch's ceil mode reads past the end."""
    pads = []
    for n, k, s, p, d, r in zip(x.shape[-len(size):], size, stride, padding, dilation, result):
        high = p
        if isinstance(n, int) and isinstance(r, int): high = (r - 1) * s + d * (k - 1) + 1 - n - p
        pads.append((p, high))
    return pads


def window(x, size, stride, padding, dilation):
    n = len(size)
    size, stride = list(size), list(stride) or list(size)
    stride, padding, dilation = several(stride, n), several(padding, n), several(dilation, n)
    return size, stride, padding, dilation


def pooled(reduce, x, size, stride, padding, dilation, ceil_mode, shape):
    """What reduce(size, stride, pads, dilation, shape) gives for windows over the last dims of |x|, cut to |shape|."""
    lead = x.rank - len(size)
    one, none = [1] * lead, [(0, 0)] * lead
    if ceil_mode and not static((*x.shape[lead:], *shape[lead:])):  # padded for one more window, which may not be wanted
        pads, all_ = [(p, p + s - 1) for p, s in zip(padding, stride)], list(shape)
        for i, (n, k, s, d, (low, high)) in enumerate(zip(x.shape[lead:], size, stride, dilation, pads)):
            all_[lead + i] = dim_of(sym.FloorDiv(sympy.sympify(n) + low + high - d * (k - 1) - 1, s) + 1)
        return [cropped(x.b, y, shape) for y in reduce(one + size, one + stride, none + pads, one + dilation, all_)]
    pads = pool_padding(x, size, stride, padding, dilation, shape[lead:])
    return reduce(one + size, one + stride, none + pads, one + dilation, shape)


def summed(x, *window):
    """The sums of the windows: the other arguments are those of pooled."""
    return pooled(lambda *places: [x.b.reduce_window("stablehlo.add", x, 0, *places)], x, *window)[0]


def flat_places(b, area):
    """[*area]: each place's number in the image laid flat."""
    place = b.constant(0, "i64", area)
    for d in range(len(area)): place = place + b.iota(area, d, "i64") * b.lift(dim_of(product(area[d + 1:])), "i64")
    return place


MAXIMA = {aten.max_pool2d_with_indices.default: 2, aten.max_pool3d_with_indices.default: 3}


@row(*MAXIMA)
def max_pool(b, out, x, size, stride=(), padding=(0,), dilation=(1,), ceil_mode=False):
    n = MAXIMA[out.node.target]
    windows = (*window(x, several(size, n), stride, padding, dilation), ceil_mode, out.parts[0].shape)
    if not used(out, 1): return pooled(lambda *places: [b.reduce_window("stablehlo.maximum", x, least(x.dtype), *places)], x, *windows)[0], None
    place = b.expand(flat_places(b, x.shape[-n:]), x.shape)
    return tuple(pooled(lambda *places: b.largest_in_windows(x, place, least(x.dtype), *places), x, *windows))


@row(aten.max_pool2d_with_indices_backward.default, aten.max_pool3d_with_indices_backward.default)
def max_pool_backward(b, out, g, x, size, stride, padding, dilation, ceil_mode, index):
    return to_places(b, g, x, index, len(size))


@row(aten.adaptive_max_pool2d_backward.default, aten.adaptive_max_pool3d_backward.default)
def adaptive_max_pool_backward(b, out, g, x, index):
    return to_places(b, g, x, index, 2 if out.node.target is aten.adaptive_max_pool2d_backward.default else 3)


def to_places(b, g, x, index, n):
    """Each element of |g| added where |index| says, in an image of x's shape; |n|: the image's dims."""
    images, area, windows = dim_of(product(x.shape[:-n])), dim_of(product(x.shape[-n:])), dim_of(product(g.shape[-n:]))
    index = b.reshape(index, (images, windows))
    place = b.concatenate([column(b, b.iota(index.shape, 0, "i64")), column(b, index)], 2)
    y = scatter(b, b.constant(0, wide(g.dtype), (images, area)), place, b.reshape(g.to(wide(g.dtype)), index.shape), "stablehlo.add")
    return b.reshape(y.to(g.dtype), x.shape)


AVERAGES = {aten.avg_pool1d.default: 1, aten.avg_pool2d.default: 2, aten.avg_pool3d.default: 3}
AVERAGES_BACKWARD = {aten.avg_pool2d_backward.default: 2, aten.avg_pool3d_backward.default: 3}


def divisor(b, dtype, area, result, size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """What the sums over windows of |area| are divided by: a number, or a value of the shape |result|."""
    if divisor_override or not ceil_mode and (count_include_pad or not any(padding)): return divisor_override or math.prod(size)
    ones, none = b.constant(1, dtype, area), [0] * len(size)
    if count_include_pad and any(padding): ones, padding = b.pad(ones, 1, padding, padding), none  # what ceil mode reads past the padding does not count
    return summed(ones, size, stride, padding, [1] * len(size), ceil_mode, result)


@row(*AVERAGES)
def avg_pool(b, out, x, size, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
    n = AVERAGES[out.node.target]
    size, stride, padding, dilation = window(x, several(size, n), stride, padding, (1,))
    y = summed(x.to(wide(x.dtype)), size, stride, padding, dilation, ceil_mode, out.shape)
    return (y / divisor(b, y.dtype, x.shape[-n:], out.shape[-n:], size, stride, padding, ceil_mode, count_include_pad, divisor_override)).to(out.dtype)


@row(*AVERAGES_BACKWARD)
def avg_pool_backward(b, out, g, x, size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    n = AVERAGES_BACKWARD[out.node.target]
    size, stride, padding, dilation = window(x, several(size, n), stride, padding, (1,))
    y = g.to(wide(g.dtype))
    y = y / divisor(b, y.dtype, x.shape[-n:], g.shape[-n:], size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return spread_out(b, y, x.shape, size, stride, padding).to(out.dtype)


def spread_out(b, g, shape, size, stride, padding):
    """Each place of |shape| sums the elements of |g| whose windows reach it: windows over g, spread by the stride."""
    lead, pads, result = g.rank - len(size), [], list(shape)
    for i, (m, k, s, p) in enumerate(zip(g.shape[lead:], size, stride, padding), lead):
        high = dim_of(shape[i] - (m - 1) * s - 1 + p)
        if not isinstance(high, int): high = k - 1 - p + s - 1  # the most that the windows leave
        pads.append((k - 1 - p, high))
        result[i] = dim_of((m - 1) * s + 1 + pads[-1][0] + high - (k - 1))
    one = [1] * lead
    y = b.reduce_window("stablehlo.add", g, 0, one + size, [1] * g.rank, [(0, 0)] * lead + pads, [1] * g.rank, result, one + stride)
    return cropped(b, y, shape)


def spans(b, n, k):
    """Which of |n| places each of |k| windows takes, [k, n], and how many, [k]: from floor(i n / k) to ceil((i + 1) n / k)."""
    i = b.iota((k,), 0, "i64")
    start, end = i * b.lift(n, "i64") / k, ((i + 1) * b.lift(n, "i64") + (k - 1)) / k
    places = b.iota((k, n), 1, "i64")
    return (places >= b.reshape(start, (k, 1))) & (places < b.reshape(end, (k, 1))), end - start


def span_weights(b, n, k, dtype):
    """[k, n]: what each of |k| windows over |n| places takes from each."""
    taken, count = spans(b, n, k)
    return taken.to(dtype) / b.reshape(count.to(dtype), (k, 1))


def divided(area, size):
    """The windows' size where |size| of them cover |area| evenly, else None."""
    if not static(size): raise Unsupported(f"adaptive pooling to {size}")
    return [n // k for n, k in zip(area, size)] if all(isinstance(n, int) and n % k == 0 for n, k in zip(area, size)) else None


@row(aten._adaptive_avg_pool2d.default, aten._adaptive_avg_pool3d.default)
def adaptive_avg_pool(b, out, x, size):
    lead = x.rank - len(size)
    area, y = x.shape[lead:], x.to(wide(x.dtype))
    if all(k == 1 for k in size):
        y = total(b, y, list(range(lead, x.rank)))
        return b.reshape((y / b.lift(product(area), y.dtype)).to(out.dtype), out.shape)
    k = divided(area, size)
    if k: return (summed(y, k, k, [0] * len(k), [1] * len(k), False, out.shape) / math.prod(k)).to(out.dtype)
    for n, k in zip(area, size): y = b.dot(y, span_weights(b, n, k, y.dtype), ([], []), ([lead], [1]))  # each puts its dim last
    return y.to(out.dtype)


@row(aten._adaptive_avg_pool2d_backward.default, aten._adaptive_avg_pool3d_backward.default)
def adaptive_avg_pool_backward(b, out, g, x):
    lead = x.rank - (2 if out.node.target is aten._adaptive_avg_pool2d_backward.default else 3)
    area, size, y = x.shape[lead:], g.shape[lead:], g.to(wide(g.dtype))
    if all(k == 1 for k in size): return b.expand((y / b.lift(product(area), y.dtype)).to(out.dtype), x.shape)
    k = divided(area, size)
    if k: return spread_out(b, y / math.prod(k), x.shape, k, k, [0] * len(k)).to(out.dtype)
    for n, k in zip(area, size): y = b.dot(y, span_weights(b, n, k, y.dtype), ([], []), ([lead], [0]))
    return y.to(out.dtype)


@row(aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)
def adaptive_max_pool(b, out, x, size):
    if not static(size): raise Unsupported(f"adaptive pooling to {size}")
    lead, wanted = x.rank - len(size), used(out, 1)
    place = b.expand(flat_places(b, x.shape[lead:]), x.shape) if wanted else None
    for d, (n, k) in enumerate(zip(x.shape[lead:], size), lead):
        # The windows of one dim, in front of the places that they take from; k = 1 takes all.
        taken = b.reshape(spans(b, n, k)[0], (k, n, *[1] * (x.rank - d - 1)))
        each = lambda v, rest: b.select(taken, b.reshape(v, (*v.shape[:d], 1, *v.shape[d:])), b.constant(rest, v.dtype))  # noqa: E731, B023
        value = each(x, least(x.dtype))
        if wanted: x, place = b.largest(value, each(place, most("i64")), d + 1, least(x.dtype))
        else: x = b.reduce("stablehlo.maximum", value, [d + 1], least(x.dtype))
    return x, place
