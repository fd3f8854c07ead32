# SPDX-License-Identifier: Apache-2.0
"""Rows of products and normalisation."""
import math

from heddle.torch.builder import Unsupported, dim_of, product
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


def along(b, v, dim, rank):
    """The vector |v| with ones around dim |dim|."""
    return b.reshape(v, [v.shape[0] if d == dim else 1 for d in range(rank)])


def used(out, i): return any(u.args[1] == i for u in out.node.users)


@row(aten._native_batch_norm_legit_no_training.default)
def batch_norm(b, out, x, weight, bias, mean, variance, momentum, eps):
    scale = (variance + eps).rsqrt()
    if weight is not None: scale = scale * weight
    shift = -(mean * scale) if bias is None else bias - mean * scale
    y = x * along(b, scale.to(x.dtype), 1, x.rank) + along(b, shift.to(x.dtype), 1, x.rank)
    return y, *[b.constant(0, p.dtype, (0,)) for p in out.parts[1:]]  # no statistics


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


@row(aten._trilinear.default)
def trilinear(b, out, x, y, z, expand1, expand2, expand3, sumdim, unroll_dim=1):
    def wider(v, dims):
        shape = list(v.shape)
        for d in sorted(dims): shape.insert(d, 1)
        return b.reshape(v, shape)
    product_ = wider(x, expand1) * wider(y, expand2) * wider(z, expand3)
    return total(b, product_, sorted(sumdim))
