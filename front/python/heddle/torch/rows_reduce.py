# SPDX-License-Identifier: Apache-2.0
"""Rows of reductions. Sums of bf16 and f16 are taken in f32, as torch does."""
import math

from heddle.torch.builder import BITS, is_float, product
from heddle.torch.rows import aten, row


def wide(dtype): return "f32" if dtype in ("bf16", "f16") else dtype


def every(x, dims):
    if dims is None or dims == []: return list(range(x.rank))
    return sorted(d % max(x.rank, 1) for d in ([dims] if isinstance(dims, int) else dims)) if x.rank else []


def finish(b, y, out): return b.reshape(y.to(out.dtype), out.shape)


def least(dtype): return -math.inf if is_float(dtype) else 0 if dtype in ("i1", "ui8") else -(1 << (BITS[dtype] - 1))
def most(dtype): return math.inf if is_float(dtype) else (1 << (BITS[dtype] - (dtype != "ui8"))) - 1 if dtype != "i1" else 1


def total(b, x, dims): return b.reduce("stablehlo.add", x, dims, 0)


def count(b, x, dims, dtype): return b.lift(product(x.shape[d] for d in dims), dtype)


def kept(x, dims): return [1 if i in dims else d for i, d in enumerate(x.shape)]


@row(aten.sum.dim_IntList, aten.sum.default)
def sum_(b, out, x, dims=None, keepdim=False, dtype=None):
    return finish(b, total(b, x.to(wide(out.dtype)), every(x, dims)), out)


@row(aten.mean.dim, aten.mean.default)
def mean(b, out, x, dims=None, keepdim=False, dtype=None):
    x, dims = x.to(wide(out.dtype)), every(x, dims)
    return finish(b, total(b, x, dims) / count(b, x, dims, x.dtype), out)


@row(aten.prod.default, aten.prod.dim_int)
def prod(b, out, x, dim=None, keepdim=False, dtype=None):
    return finish(b, b.reduce("stablehlo.multiply", x.to(wide(out.dtype)), every(x, dim), 1), out)


@row(aten.amax.default, aten.max.default)
def amax(b, out, x, dims=None, keepdim=False): return finish(b, b.reduce("stablehlo.maximum", x, every(x, dims), least(x.dtype)), out)


@row(aten.amin.default, aten.min.default)
def amin(b, out, x, dims=None, keepdim=False): return finish(b, b.reduce("stablehlo.minimum", x, every(x, dims), most(x.dtype)), out)


@row(aten.any.default, aten.any.dim, aten.any.dims)
def any_(b, out, x, dims=None, keepdim=False): return finish(b, b.reduce("stablehlo.or", x.to("i1"), every(x, dims), False), out)


@row(aten.all.default, aten.all.dim, aten.all.dims)
def all_(b, out, x, dims=None, keepdim=False): return finish(b, b.reduce("stablehlo.and", x.to("i1"), every(x, dims), True), out)


def moments(b, x, dims, correction):
    """Mean and variance, of the reduced shape with ones."""
    m = b.reshape(total(b, x, dims) / count(b, x, dims, x.dtype), kept(x, dims))
    d = x - m
    n = count(b, x, dims, x.dtype)
    if correction: n = (n - correction).maximum(0)
    return m, b.reshape(total(b, d * d, dims), kept(x, dims)) / n


@row(aten.var.correction)
def var(b, out, x, dims=None, correction=None, keepdim=False):
    return finish(b, moments(b, x.to(wide(x.dtype)), every(x, dims), 1 if correction is None else correction)[1], out)


@row(aten.var_mean.correction)
def var_mean(b, out, x, dims=None, correction=None, keepdim=False):
    m, v = moments(b, x.to(wide(x.dtype)), every(x, dims), 1 if correction is None else correction)
    return tuple(finish(b, y, part) for y, part in zip((v, m), out.parts))


@row(aten.linalg_vector_norm.default)
def vector_norm(b, out, x, order=2, dims=None, keepdim=False, dtype=None):
    x, dims = x.to(wide(out.dtype)), every(x, dims)
    if order == 2: y = total(b, x * x, dims).sqrt()
    elif order == 1: y = total(b, x.abs(), dims)
    elif order == math.inf: y = b.reduce("stablehlo.maximum", x.abs(), dims, 0)
    elif order == -math.inf: y = b.reduce("stablehlo.minimum", x.abs(), dims, math.inf)
    elif order == 0: y = total(b, x.ne(0).to(x.dtype), dims)
    else: y = total(b, x.abs().power(order), dims).power(1 / order)
    return finish(b, y, out)


def extreme(b, x, dim, greatest):
    """The extreme elements along |dim| and the first index of each; NaN counts as the extreme."""
    value = b.reduce(*(("stablehlo.maximum", x, [dim], least(x.dtype)) if greatest else ("stablehlo.minimum", x, [dim], most(x.dtype))))
    hit = x.eq(b.reshape(value, kept(x, [dim])))
    if is_float(x.dtype): hit = hit | x.ne(x)
    places = b.iota(x.shape, dim, "i64")
    return value, b.reduce("stablehlo.minimum", b.select(hit, places, b.constant(most("i64"), "i64")), [dim], most("i64"))


def flat(b, x, dim): return (b.reshape(x, (product(x.shape),)), 0) if dim is None else (x, dim % max(x.rank, 1))


@row(aten.argmax.default)
def argmax(b, out, x, dim=None, keepdim=False): return finish(b, extreme(b, *flat(b, x, dim), True)[1], out)


@row(aten.argmin.default)
def argmin(b, out, x, dim=None, keepdim=False): return finish(b, extreme(b, *flat(b, x, dim), False)[1], out)


@row(aten.max.dim)
def max_dim(b, out, x, dim, keepdim=False): return tuple(finish(b, y, p) for y, p in zip(extreme(b, *flat(b, x, dim), True), out.parts))


@row(aten.min.dim)
def min_dim(b, out, x, dim, keepdim=False): return tuple(finish(b, y, p) for y, p in zip(extreme(b, *flat(b, x, dim), False), out.parts))


@row(aten._cdist_forward.default)
def cdist(b, out, x, y, order, mode):
    """Distances of all pairs of rows."""
    ones = lambda v, at: b.reshape(v, (*v.shape[:at], 1, *v.shape[at:]))  # noqa: E731
    return vector_norm(b, out, ones(x, x.rank - 1) - ones(y, y.rank - 2), order, -1)


@row(aten.cumsum.default)
def cumsum(b, out, x, dim, dtype=None):
    x = x.to(out.dtype)
    return b.cumulative("stablehlo.add", x, dim % x.rank, 0) if x.rank else x


@row(aten.cumprod.default)
def cumprod(b, out, x, dim, dtype=None):
    x = x.to(out.dtype)
    return b.cumulative("stablehlo.multiply", x, dim % x.rank, 1) if x.rank else x
