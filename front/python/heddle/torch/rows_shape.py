# SPDX-License-Identifier: Apache-2.0
"""Rows of ops that make tensors or give elements another place."""
import torch

from heddle.torch.builder import Unsupported, dim_of, same_dim, static
from heddle.torch.rows import aten, row


@row(aten.clone.default, aten.alias.default, aten.detach.default, aten.lift_fresh_copy.default, aten.contiguous.default)
def same(b, out, x, **_): return x


@row(aten._to_copy.default, torch.ops.prims.convert_element_type.default)
def to_copy(b, out, x, *_, **__): return x.to(out.dtype)


@row(aten.copy.default)
def copy(b, out, x, source, non_blocking=False): return b.expand(source.to(x.dtype), x.shape)


@row(aten.full.default, aten.full_like.default, aten.scalar_tensor.default)
def full(b, out, *args, **_):
    value = args[0] if len(args) == 1 else args[1]
    return b.expand(b.lift(value, out.dtype).to(out.dtype), out.shape)


@row(aten.empty.memory_format, aten.empty_strided.default, aten.empty_permuted.default, aten.new_empty.default, aten.new_empty_strided.default)
def empty(b, out, *_, **__): return b.constant(0, out.dtype, out.shape)


@row(aten.arange.start_step)
def arange(b, out, start, end, step=1, **_):
    return b.iota(out.shape, 0, out.dtype) * step + start if (start, step) != (0, 1) else b.iota(out.shape, 0, out.dtype)


@row(aten.view.default, aten._unsafe_view.default, aten.reshape.default, aten.squeeze.dims, aten.squeeze.dim, aten.unsqueeze.default,
     aten._reshape_copy.default, aten.view_copy.default)
def reshape(b, out, x, *_): return b.reshape(x, out.shape)


@row(aten.expand.default)
def expand(b, out, x, size, implicit=False): return b.expand(x, out.shape)


@row(aten.permute.default, aten.permute_copy.default)
def permute(b, out, x, order): return b.transpose(x, [d % x.rank for d in order])


@row(aten.transpose.int)
def transpose(b, out, x, first, second):
    order = list(range(x.rank))
    order[first], order[second] = order[second], order[first]
    return b.transpose(x, order)


@row(aten.t.default)
def t(b, out, x): return b.transpose(x, range(x.rank)[::-1])


@row(aten.repeat.default)
def repeat(b, out, x, times):
    new = len(times) - x.rank
    inner = [d for d in (*[1] * new, *x.shape)]
    shape = [d for pair in zip(times, inner) for d in pair]
    return b.reshape(b.broadcast(x, shape, [2 * (new + i) + 1 for i in range(x.rank)]), out.shape)


def position(index, size, inclusive=True):
    """|index| as torch.slice means it: from the end when negative, clamped to the size."""
    if isinstance(index, int):
        if index >= 2**62: return size
        if isinstance(size, int): return min(max(index + size if index < 0 else index, 0), size)
        return dim_of(size + index) if index < 0 else index
    return dim_of(size + index) if index.is_negative else index


@row(aten.slice.Tensor)
def slice_(b, out, x, dim=0, start=None, end=None, step=1):
    dim, size = dim % x.rank, x.shape[dim % x.rank]
    start, end = position(start or 0, size), size if end is None else position(end, size)
    length = out.shape[dim]
    if step == 1:  # torch has clamped the bounds: its length holds
        start, end = (dim_of(size - length), size) if same_dim(end, size) and not static((start,)) else (start, dim_of(start + length))
    result = b.slice(x, dim, start, end, step)
    if not static(result.shape) and static((result.shape[dim],)) != static((length,)): raise Unsupported(f"slice of {size} elements from {start} to {end}")
    return result


@row(aten.select.int)
def select(b, out, x, dim, index):
    dim = dim % x.rank
    if isinstance(index, int) and index < 0: index = dim_of(x.shape[dim] + index)
    return b.reshape(b.slice(x, dim, index, dim_of(index + 1)), out.shape)


@row(aten.split_with_sizes.default)
def split_with_sizes(b, out, x, sizes, dim=0):
    dim, at, parts = dim % x.rank, 0, []
    for size in sizes:
        parts.append(b.slice(x, dim, at, dim_of(at + size)))
        at = dim_of(at + size)
    return tuple(parts)


@row(aten.split.Tensor)
def split(b, out, x, size, dim=0):
    return split_with_sizes(b, out, x, [v.shape[dim % x.rank] for v in out.parts], dim)


@row(aten.cat.default)
def cat(b, out, values, dim=0):
    kept = [v.to(out.dtype) for v in values if v.shape != (0,)]
    return b.concatenate(kept, dim % kept[0].rank) if kept else b.constant(0, out.dtype, (0,))


@row(aten.constant_pad_nd.default)
def pad(b, out, x, pads, value=0):
    low, high = [0] * x.rank, [0] * x.rank
    for i in range(len(pads) // 2): low[-1 - i], high[-1 - i] = pads[2 * i], pads[2 * i + 1]
    return b.pad(x, value, low, high)


@row(aten.flip.default)
def flip(b, out, x, dims):
    return b.op("stablehlo.reverse", [x], x.shape, x.dtype, f"dimensions = array<i64: {', '.join(str(d % x.rank) for d in dims)}>") if dims else x


@row(aten.slice_scatter.default)
def slice_scatter(b, out, x, source, dim=0, start=None, end=None, step=1):
    if step != 1: raise Unsupported("slice_scatter with a step")
    dim, size = dim % x.rank, x.shape[dim % x.rank]
    start = position(start or 0, size)
    end = dim_of(start + source.shape[dim])
    parts = [b.slice(x, dim, 0, start), source.to(x.dtype), b.slice(x, dim, end, size)]
    return b.concatenate([p for p in parts if not (isinstance(p.shape[dim], int) and p.shape[dim] == 0)], dim)


@row(aten.select_scatter.default)
def select_scatter(b, out, x, source, dim, index):
    dim = dim % x.rank
    if isinstance(index, int) and index < 0: index = dim_of(x.shape[dim] + index)
    part = b.reshape(source, (*x.shape[:dim], 1, *x.shape[dim + 1:]))
    return slice_scatter(b, out, x, part, dim, index)
