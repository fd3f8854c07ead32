# SPDX-License-Identifier: Apache-2.0
"""Rows of products, convolutions, pooling and normalisation."""
import math

import sympy
from torch.utils._sympy import functions as sym

from heddle.torch.builder import Unsupported, array, dim_of, product
from heddle.torch.rows import aten, row
from heddle.torch.rows_reduce import every, kept, least, moments, total, wide


@row(aten.mm.default)
def mm(b, out, x, y): return b.dot(x, y, ([], []), ([1], [0]))


@row(aten.bmm.default)
def bmm(b, out, x, y): return b.dot(x, y, ([0], [0]), ([2], [1]))


@row(aten.mv.default, aten.dot.default)
def mv(b, out, x, y): return b.dot(x, y, ([], []), ([x.rank - 1], [0]))


@row(aten.addbmm.default)
def addbmm(b, out, bias, x, y, beta=1, alpha=1):
    y = b.dot(b.transpose(x, [1, 0, 2]), y, ([], []), ([1, 2], [0, 1]))
    if alpha != 1: y = y * alpha
    return y + bias if beta == 1 else y + bias * beta if beta != 0 else y


@row(aten._grouped_mm.default, "transformers.grouped_mm_fallback.default")
def grouped_mm(b, out, x, y, offs=None, bias=None, out_dtype=None):
    """Products of groups that end at |offs|: of x's rows with a matrix each, or of the dim that is summed over."""
    if bias is not None or out.dtype != x.dtype: raise Unsupported("a product of groups with a bias or another element type")
    if offs is None: return bmm(b, out, x, y)
    if x.rank != 2: raise Unsupported("a product of groups of columns")
    sizes = offs - b.concatenate([b.constant(0, offs.dtype, (1,)), b.slice(offs, 0, 0, dim_of(offs.shape[0] - 1))], 0)
    dims = ("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]" if y.rank == 3
            else "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]")
    return b.op("chlo.ragged_dot", [x, y, sizes], out.shape, out.dtype, f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{dims}>")


@row(aten.addmm.default)
def addmm(b, out, bias, x, y, beta=1, alpha=1):
    y = b.dot(x, y, ([], []), ([1], [0]))
    if alpha != 1: y = y * alpha
    return y + bias if beta == 1 else y + bias * beta if beta != 0 else y


@row(aten.baddbmm.default)
def baddbmm(b, out, bias, x, y, beta=1, alpha=1):
    y = bmm(b, out, x, y)
    if alpha != 1: y = y * alpha
    return y + bias if beta == 1 else y + bias * beta if beta != 0 else y


@row(aten.addmv.default)
def addmv(b, out, bias, x, y, beta=1, alpha=1):
    y = mv(b, out, x, y)
    if alpha != 1: y = y * alpha
    return y + bias if beta == 1 else y + bias * beta if beta != 0 else y


def several(value, n): return list(value) * n if len(value) == 1 else list(value)


@row(aten.convolution.default)
def convolution(b, out, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    n = x.rank - 2
    stride, padding, dilation = several(stride, n), several(padding, n), several(dilation, n)
    space = ", ".join(map(str, range(n)))
    numbers = f"#stablehlo.conv<[b, f, {space}]x[{'i, o' if transposed else 'o, i'}, {space}]->[b, f, {space}]>"
    ones, size = [1] * n, weight.shape[2:]
    if transposed:
        if groups != 1:  # [g * i, o, ...] to [i, g * o, ...], group by group
            inputs = weight.shape[0] // groups
            order = [1, 0, *range(2, weight.rank + 1)]
            weight = b.transpose(b.reshape(weight, (groups, inputs, *weight.shape[1:])), order)
            weight = b.reshape(weight, (inputs, groups * weight.shape[2], *weight.shape[3:]))
        if not all(isinstance(k, int) for k in size): raise Unsupported("a transposed convolution by a filter of unknown size")
        extra = several(output_padding, n)
        pads = [(d * (k - 1) - p, d * (k - 1) - p + e) for d, k, p, e in zip(dilation, size, padding, extra)]
        window, spread, reverse = ones, stride, "true"
    else:
        pads, window, spread, reverse = [(p, p) for p in padding], stride, ones, "false"
    text = ", ".join(f"[{low}, {high}]" for low, high in pads)
    y = b.op("stablehlo.convolution", [x, weight], out.shape, x.dtype,
             f"dimension_numbers = {numbers}, window_strides = {array(window)}, padding = dense<[{text}]> : tensor<{n}x2xi64>, "
             f"lhs_dilation = {array(spread)}, rhs_dilation = {array(dilation)}, window_reversal = array<i1: {', '.join([reverse] * n)}>, "
             f"feature_group_count = {groups} : i64, batch_group_count = 1 : i64")
    return y if bias is None else y + along(b, bias, 1, x.rank)


def along(b, v, dim, rank):
    """The vector |v| with ones around dim |dim|."""
    return b.reshape(v, [v.shape[0] if d == dim else 1 for d in range(rank)])


def used(out, i): return any(u.args[1] == i for u in out.node.users)


@row(aten._native_batch_norm_legit_no_training.default)
def batch_norm(b, out, x, weight, bias, mean, variance, momentum, eps):
    if used(out, 1) or used(out, 2): raise Unsupported("the statistics of a batch normalisation")
    scale = (variance + eps).rsqrt()
    if weight is not None: scale = scale * weight
    shift = -(mean * scale) if bias is None else bias - mean * scale
    y = x * along(b, scale.to(x.dtype), 1, x.rank) + along(b, shift.to(x.dtype), 1, x.rank)
    return y, None, None


@row(aten._native_batch_norm_legit.no_stats)
def batch_norm_of_batch(b, out, x, weight, bias, training, momentum, eps):
    dtype = x.dtype
    y, mean, scale = normalized(b, x.to(wide(dtype)), [d for d in range(x.rank) if d != 1], eps)
    if weight is not None: y = y * along(b, weight.to(y.dtype), 1, x.rank)
    if bias is not None: y = y + along(b, bias.to(y.dtype), 1, x.rank)
    return y.to(dtype), *[b.reshape(v, p.shape).to(p.dtype) for v, p in zip((mean, scale), out.parts[1:])]


def normalized(b, x, dims, eps):
    mean, variance = moments(b, x, dims, 0)
    scale = (variance + eps).rsqrt()
    return (x - mean) * scale, mean, scale


@row(aten.native_layer_norm.default)
def layer_norm(b, out, x, shape, weight, bias, eps):
    dtype = x.dtype
    y, mean, scale = normalized(b, x.to(wide(dtype)), list(range(x.rank - len(shape), x.rank)), eps)
    if weight is not None: y = y * weight.to(y.dtype)
    if bias is not None: y = y + bias.to(y.dtype)
    return y.to(dtype), mean.to(out.parts[1].dtype), scale.to(out.parts[2].dtype)


@row(aten.native_group_norm.default)
def group_norm(b, out, x, weight, bias, n, c, hw, groups, eps):
    dtype, shape = x.dtype, x.shape
    inner = dim_of(product(shape[2:]) * (shape[1] // groups))
    y, mean, scale = normalized(b, b.reshape(x.to(wide(dtype)), (shape[0], groups, inner)), [2], eps)
    y = b.reshape(y, shape)
    if weight is not None: y = y * along(b, weight.to(y.dtype), 1, len(shape))
    if bias is not None: y = y + along(b, bias.to(y.dtype), 1, len(shape))
    stats = [b.reshape(v, p.shape).to(p.dtype) for v, p in zip((mean, scale), out.parts[1:])]
    return y.to(dtype), *stats


@row(aten._softmax.default)
def softmax(b, out, x, dim, half_to_float=False):
    if not x.rank: return b.constant(1, out.dtype)
    x, dims = x.to(wide(out.dtype)), every(x, dim)
    e = (x - b.reshape(b.reduce("stablehlo.maximum", x, dims, -math.inf), kept(x, dims))).exponential()
    return (e / b.reshape(total(b, e, dims), kept(x, dims))).to(out.dtype)


@row(aten._log_softmax.default)
def log_softmax(b, out, x, dim, half_to_float=False):
    if not x.rank: return b.constant(0, out.dtype)
    x, dims = x.to(wide(out.dtype)), every(x, dim)
    d = x - b.reshape(b.reduce("stablehlo.maximum", x, dims, -math.inf), kept(x, dims))
    return (d - b.reshape(total(b, d.exponential(), dims), kept(x, dims)).log()).to(out.dtype)


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


def pooled(b, op, x, init, size, stride, padding, dilation, ceil_mode, shape):
    lead = x.rank - len(size)
    one = [1] * lead
    if ceil_mode and not all(isinstance(d, int) for d in (*x.shape[lead:], *shape[lead:])):  # padded for one more window, which may not be wanted
        pads, wide = [(p, p + s - 1) for p, s in zip(padding, stride)], list(shape)
        for i, (n, k, s, d, (low, high)) in enumerate(zip(x.shape[lead:], size, stride, dilation, pads)):
            wide[lead + i] = dim_of(sym.FloorDiv(sympy.sympify(n) + low + high - d * (k - 1) - 1, s) + 1)
        y = b.reduce_window(op, x, init, one + size, one + stride, [(0, 0)] * lead + pads, one + dilation, wide)
        for d in range(lead, x.rank): y = b.slice(y, d, 0, shape[d])
        return y
    pads = pool_padding(x, size, stride, padding, dilation, shape[lead:])
    return b.reduce_window(op, x, init, one + size, one + stride, [(0, 0)] * lead + pads, one + dilation, shape)


@row(aten.max_pool2d_with_indices.default, aten.max_pool3d_with_indices.default)
def max_pool(b, out, x, size, stride=(), padding=(0,), dilation=(1,), ceil_mode=False):
    if used(out, 1): raise Unsupported("the indices of a maximum pooling")
    size = several(size, 2 if out.node.target is aten.max_pool2d_with_indices.default else 3)
    return pooled(b, "stablehlo.maximum", x, -math.inf, *window(x, size, stride, padding, dilation), ceil_mode, out.parts[0].shape), None


AVERAGES = {aten.avg_pool1d.default: 1, aten.avg_pool2d.default: 2, aten.avg_pool3d.default: 3}


@row(*AVERAGES)
def avg_pool(b, out, x, size, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
    n = AVERAGES[out.node.target]
    size, stride, padding, dilation = window(x, several(size, n), stride, padding, (1,))
    add = lambda v, padding: pooled(b, "stablehlo.add", v, 0, size, stride, padding, dilation, ceil_mode, (*v.shape[:-n], *out.shape[-n:]))  # noqa: E731
    y = add(x.to(wide(x.dtype)), padding)
    if divisor_override or not ceil_mode and (count_include_pad or not any(padding)): return (y / (divisor_override or math.prod(size))).to(out.dtype)
    ones = b.constant(1, y.dtype, x.shape[-n:])
    if not count_include_pad or not any(padding): return (y / add(ones, padding)).to(out.dtype)
    return (y / add(b.pad(ones, 1, padding, padding), [0] * n)).to(out.dtype)  # what ceil mode reads past the padding does not count


def spans(b, n, k):
    """Which of |n| places each of |k| windows takes, [k, n], and how many, [k]: from floor(i n / k) to ceil((i + 1) n / k)."""
    i = b.iota((k,), 0, "i64")
    start, end = i * b.lift(n, "i64") / k, ((i + 1) * b.lift(n, "i64") + (k - 1)) / k
    places = b.iota((k, n), 1, "i64")
    return (places >= b.reshape(start, (k, 1))) & (places < b.reshape(end, (k, 1))), end - start


@row(aten._adaptive_avg_pool2d.default, aten._adaptive_avg_pool3d.default)
def adaptive_avg_pool(b, out, x, size):
    lead = x.rank - len(size)
    area, y = x.shape[lead:], x.to(wide(x.dtype))
    if all(k == 1 for k in size):
        y = total(b, y, list(range(lead, x.rank)))
        return b.reshape((y / b.lift(product(area), y.dtype)).to(out.dtype), out.shape)
    if not all(isinstance(k, int) for k in size): raise Unsupported(f"adaptive pooling to {size}")
    if all(isinstance(n, int) and n % k == 0 for n, k in zip(area, size)):
        k = [n // m for n, m in zip(area, size)]
        return (pooled(b, "stablehlo.add", y, 0, k, k, [0] * len(k), [1] * len(k), False, out.shape) / math.prod(k)).to(out.dtype)
    for n, k in zip(area, size):  # a product with the windows' weights; each puts its dim last
        taken, count = spans(b, n, k)
        y = b.dot(y, taken.to(y.dtype) / b.reshape(count.to(y.dtype), (k, 1)), ([], []), ([lead], [1]))
    return y.to(out.dtype)


@row(aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)
def adaptive_max_pool(b, out, x, size):
    if used(out, 1): raise Unsupported("the indices of a maximum pooling")
    if not all(isinstance(k, int) for k in size): raise Unsupported(f"adaptive pooling to {size}")
    lead = x.rank - len(size)
    for d, (n, k) in enumerate(zip(x.shape[lead:], size), lead):
        if k == 1:
            x = b.reshape(b.reduce("stablehlo.maximum", x, [d], least(x.dtype)), (*x.shape[:d], 1, *x.shape[d + 1:]))
            continue
        rest = [1] * (x.rank - d - 1)
        taken = b.reshape(spans(b, n, k)[0], (k, n, *rest))
        each = b.select(taken, b.reshape(x, (*x.shape[:d], 1, *x.shape[d:])), b.constant(least(x.dtype), x.dtype))
        x = b.reduce("stablehlo.maximum", each, [d + 1], least(x.dtype))
    return x, None


@row(aten._trilinear.default)
def trilinear(b, out, x, y, z, expand1, expand2, expand3, sumdim, unroll_dim=1):
    def wider(v, dims):
        shape = list(v.shape)
        for d in sorted(dims): shape.insert(d, 1)
        return b.reshape(v, shape)
    product_ = wider(x, expand1) * wider(y, expand2) * wider(z, expand3)
    return total(b, product_, sorted(sumdim))
