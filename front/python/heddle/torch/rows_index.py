# SPDX-License-Identifier: Apache-2.0
"""Rows of ops that read elements at computed places, and of sorting. Indices are taken to be in range, as StableHLO's
gather clamps them where torch raises an error."""
import math

from torch.utils._sympy.functions import FloorDiv

from heddle.torch.builder import Unsupported, array, dim_of, is_float, product, static, tensor
from heddle.torch.rows import aten, row


def gather(b, x, dims, index, place, offsets):
    """Elements of |x| at |index| ([..., len(dims)]) along |dims|. The index's own dims are at |place| of the result,
    |offsets| are the result dims of x's other dims."""
    free = [d for d in range(x.rank) if d not in dims]
    shape = [None] * (len(free) + index.rank - 1)
    for at, d in zip(offsets, free): shape[at] = x.shape[d]
    for i in range(index.rank - 1): shape[place + i] = index.shape[i]
    numbers = (f"dimension_numbers = #stablehlo.gather<offset_dims = {list(offsets)}, collapsed_slice_dims = {list(dims)}, "
               f"start_index_map = {list(dims)}, index_vector_dim = {index.rank - 1}>, indices_are_sorted = false")
    sizes = [1 if d in dims else x.shape[d] for d in range(x.rank)]
    if static(sizes): return b.op("stablehlo.gather", [x, index], shape, x.dtype, f"{numbers}, slice_sizes = {array(sizes)}")
    return b.op("stablehlo.dynamic_gather", [x, index, b.shape(sizes)], shape, x.dtype, numbers)


def column(b, index): return b.reshape(index, (*index.shape, 1))


def take(b, x, dim, index):
    """x with |index| in the place of |dim|."""
    offsets = [*range(dim), *range(dim + index.rank, x.rank - 1 + index.rank)]
    return gather(b, x, [dim], column(b, index), dim, offsets)


@row(aten.embedding.default)
def embedding(b, out, weight, index, *_): return take(b, weight, 0, index)


@row(aten.index_select.default)
def index_select(b, out, x, dim, index): return take(b, x, dim % x.rank, index)


def from_end(b, index, size):
    """Negative indices count from the end."""
    return b.select(index < 0, index + size, index)


@row(aten.index.Tensor, aten._unsafe_index.Tensor)
def index(b, out, x, indices):
    dims = [d for d, i in enumerate(indices) if i is not None]
    given = [indices[d] for d in dims]
    if any(i.dtype in ("i1", "ui8") for i in given): raise Unsupported("indexing by a mask: the shape depends on data")
    given = b.together(*[from_end(b, i.to("i64"), x.shape[d]) for d, i in zip(dims, given)])
    together = dims == list(range(dims[0], dims[0] + len(dims)))
    rank, place = given[0].rank, dims[0] if together else 0
    free = x.rank - len(dims)
    offsets = [i if i < place else i + rank for i in range(free)]
    return gather(b, x, dims, b.concatenate([column(b, i) for i in given], rank), place, offsets)


@row(aten.diagonal.default, aten.diagonal_copy.default)
def diagonal(b, out, x, offset=0, first=0, second=1):
    dims = [first % x.rank, second % x.rank]
    k = b.iota(out.shape[-1:], 0, "i64")
    places = {dims[0]: k + max(-offset, 0), dims[1]: k + max(offset, 0)}
    index = b.concatenate([column(b, places[d]) for d in sorted(dims)], 1)
    return gather(b, x, sorted(dims), index, x.rank - 2, list(range(x.rank - 2)))


def bag_of(b, n, offsets, bags):
    """[n]: the bag of each place of the index, from one offset to the next."""
    start = b.slice(offsets.to("i64"), 0, 0, bags)
    begun = b.reshape(b.iota((n,), 0, "i64"), (n, 1)) >= b.reshape(start, (1, bags))
    return b.reduce("stablehlo.add", begun.to("i64"), [1], 0) - 1


def bag_sizes(b, bag, bags): return scatter(b, b.constant(0, "i64", (bags,)), column(b, bag), b.constant(1, "i64", bag.shape), "stablehlo.add")


@row(aten._embedding_bag_forward_only.default, aten._embedding_bag.default)
def embedding_bag(b, out, weight, index, offsets, scale=False, mode=0, sparse=False, weights=None, last=False, padding=-1):
    """Sums or means of the rows of each bag. torch's kernel gives the places' bags and the bags' sizes of means alone: of sums
    no places and zeros."""
    if mode == 2 or padding >= 0: raise Unsupported("maxima of bags" if mode == 2 else "bags with an index for padding")
    n, bags = index.shape[0], out.parts[0].shape[0]
    bag = bag_of(b, n, offsets, bags)
    rows, sizes = take(b, weight, 0, index), b.constant(0, "i64", (bags,))
    if weights is not None: rows = rows * b.reshape(weights, (n, 1))
    total = scatter(b, b.constant(0, weight.dtype, out.parts[0].shape), column(b, bag), rows, "stablehlo.add")
    if mode == 1:
        sizes = bag_sizes(b, bag, bags)
        total = total / b.reshape(sizes.maximum(1).to(weight.dtype), (bags, 1))
    places = b.constant(0, "i64", (0,)) if mode == 0 and out.parts[1].shape == (0,) else bag
    return total, *[v.to(p.dtype) for v, p in zip((places, sizes, sizes), out.parts[1:])]


@row(aten._embedding_bag_backward.default)
def embedding_bag_backward(b, out, g, index, offsets, bag, sizes, maxima, count, scale, mode, sparse, weights=None, padding=-1):
    if mode == 2 or padding >= 0 or scale or sparse: raise Unsupported("bags of maxima, with an index for padding, scaled by frequency or sparse")
    bag = bag_of(b, index.shape[0], offsets, g.shape[0])
    if mode == 1: g = g / b.reshape(bag_sizes(b, bag, g.shape[0]).maximum(1).to(g.dtype), (g.shape[0], 1))
    rows = take(b, g, 0, bag)
    if weights is not None: rows = rows * b.reshape(weights, (index.shape[0], 1))
    return scatter(b, b.constant(0, g.dtype, out.shape), column(b, index), rows, "stablehlo.add")


@row(aten._embedding_bag_per_sample_weights_backward.default)
def embedding_bag_weights_backward(b, out, g, weight, index, offsets, bag, mode, padding=-1):
    if mode or padding >= 0: raise Unsupported("weights of bags other than sums, or with an index for padding")
    rows = take(b, g, 0, bag_of(b, index.shape[0], offsets, g.shape[0])) * take(b, weight, 0, index)
    return b.reduce("stablehlo.add", rows, [1], 0)


@row(aten.gather.default)
def gather_row(b, out, x, dim, index, sparse_grad=False):
    if not x.rank: return x
    dim = dim % x.rank
    parts = [index.to("i64") if d == dim else b.iota(index.shape, d, "i64") for d in range(x.rank)]
    return gather(b, x, list(range(x.rank)), b.concatenate([column(b, p) for p in parts], x.rank), 0, [])


def scatter(b, x, index, updates, op):
    """|updates| ([n, ...] by index [n, k] into the leading k dims) written, or combined by |op|."""
    k = index.shape[-1]
    numbers = (f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {list(range(index.rank - 1, index.rank - 1 + x.rank - k))}, "
               f"inserted_window_dims = {list(range(k))}, scatter_dims_to_operand_dims = {list(range(k))}, index_vector_dim = {index.rank - 1}>, "
               "indices_are_sorted = false, unique_indices = false")
    t = tensor((), x.dtype)
    region = b.body(op, x.dtype) if op else f'{{\n    ^bb0(%a: {t}, %b: {t}):\n      "stablehlo.return"(%b) : ({t}) -> ()\n    }}'
    return b.op("stablehlo.scatter", [x, index, updates], x.shape, x.dtype, numbers, region)


@row(aten.index_put.default)
def index_put(b, out, x, indices, values, accumulate=False):
    if len(indices) == 1 and indices[0].dtype == "i1" and indices[0].rank == x.rank and values.rank == 0 and not accumulate:
        return b.select(indices[0], b.expand(values.to(x.dtype), x.shape), x)
    dims = [d for d, i in enumerate(indices) if i is not None]
    given = [indices[d] for d in dims]
    if any(i.dtype in ("i1", "ui8") for i in given): raise Unsupported("index_put by a mask")
    given = b.together(*[from_end(b, i.to("i64"), x.shape[d]) for d, i in zip(dims, given)])
    # The indexed dims go in front, where their index is in |values| only when they are apart or are the first.
    free, rank = [d for d in range(x.rank) if d not in dims], given[0].rank
    place = dims[0] if dims == list(range(dims[0], dims[0] + len(dims))) else 0
    shape = [*[x.shape[d] for d in free[:place]], *given[0].shape, *[x.shape[d] for d in free[place:]]]
    values = b.transpose(b.expand(values.to(x.dtype), shape), [*range(place, place + rank), *range(place), *range(place + rank, len(shape))])
    order = dims + free
    y = scatter(b, b.transpose(x, order), b.concatenate([column(b, i) for i in given], rank), values, "stablehlo.add" if accumulate else None)
    return b.transpose(y, [order.index(d) for d in range(x.rank)])


@row(aten.unfold.default)
def unfold(b, out, x, dim, size, step):
    if not x.rank: raise Unsupported("unfold of a scalar")
    dim = dim % x.rank
    start = b.iota((out.shape[dim],), 0, "i64") * step
    places = b.reshape(start, (out.shape[dim], 1)) + b.iota((size,), 0, "i64")
    y = take(b, x, dim, places)
    return b.transpose(y, [d for d in range(y.rank) if d != dim + 1] + [dim + 1])


@row(aten.scatter.src, aten.scatter.value, aten.scatter_add.default)
def scatter_row(b, out, x, dim, index, source):
    if not x.rank: raise Unsupported("scatter of a scalar")
    dim, add = dim % x.rank, out.node.target is aten.scatter_add.default
    parts = [index.to("i64") if d == dim else b.iota(index.shape, d, "i64") for d in range(x.rank)]
    place = b.concatenate([column(b, p) for p in parts], x.rank)
    source = b.expand(b.lift(source, x.dtype).to(x.dtype), index.shape) if not hasattr(source, "shape") else source
    for d in range(x.rank): source = b.slice(source, d, 0, index.shape[d])
    return scatter(b, x, place, source, "stablehlo.add" if add else None)


@row(aten.masked_scatter.default)
def masked_scatter(b, out, x, mask, source):
    """The k-th true place of |mask| takes element k of |source|."""
    n = product(x.shape)
    flat = b.reshape(b.expand(mask, x.shape), (n,))
    place = (b.cumulative("stablehlo.add", flat.to("i64"), 0, 0) - 1).maximum(0)
    taken = take(b, b.reshape(source, (product(source.shape),)), 0, place)
    return b.reshape(b.select(flat, taken, b.reshape(x, (n,))), x.shape)


@row(aten.as_strided.default, aten.as_strided_copy.default)
def as_strided(b, out, x, size, stride, offset=None):
    """|stride| and |offset| are places in memory: known where |x| is in it densely, in order and from the start."""
    memory = out.node.args[0].meta["val"]
    if not memory.is_contiguous() or dim_of(memory.storage_offset()) != 0: raise Unsupported("as_strided of what is not dense")
    place = b.lift(0 if offset is None else offset, "i64")
    for d, s in enumerate(stride): place = place + b.iota(out.shape, d, "i64") * s
    return take(b, b.reshape(x, (product(x.shape),)), 0, b.expand(place, out.shape))


@row(aten.histc.default)
def histc(b, out, x, bins=100, low=0, high=0):
    """Elements outside of the bins and NaN count nowhere: a scatter leaves out what is outside."""
    x = b.reshape(x, (product(x.shape),))
    if low == high:
        low, high = b.reduce("stablehlo.minimum", x, [0], math.inf), b.reduce("stablehlo.maximum", x, [0], -math.inf)
        same = low.eq(high)
        low, high = b.select(same, low - 1, low), b.select(same, high + 1, high)
    low, high = b.lift(low, x.dtype), b.lift(high, x.dtype)
    place = ((x - low) * bins / (high - low)).to("i64").minimum(bins - 1)
    place = b.select((x >= low) & (x <= high), place, b.constant(-1, "i64"))
    return scatter(b, b.constant(0, x.dtype, (bins,)), column(b, place), b.constant(1, x.dtype, x.shape), "stablehlo.add")


REDUCERS = {"sum": "stablehlo.add", "prod": "stablehlo.multiply", "amax": "stablehlo.maximum", "amin": "stablehlo.minimum"}


@row(aten.scatter.reduce, aten.scatter.value_reduce)
def scatter_by(b, out, x, dim, index, source, *, reduce):
    source = b.expand(b.lift(source, x.dtype), index.shape) if not hasattr(source, "shape") else source
    return scatter_reduce(b, out, x, dim, index, source, {"add": "sum", "multiply": "prod"}[reduce])


@row(aten.scatter_reduce.two)
def scatter_reduce(b, out, x, dim, index, source, reduce, include_self=True):
    if not x.rank or not include_self or reduce not in REDUCERS: raise Unsupported(f"scatter_reduce by {reduce}, include_self={include_self}")
    parts = [index.to("i64") if d == dim % x.rank else b.iota(index.shape, d, "i64") for d in range(x.rank)]
    for d in range(x.rank): source = b.slice(source, d, 0, index.shape[d])
    return scatter(b, x, b.concatenate([column(b, p) for p in parts], x.rank), source, REDUCERS[reduce])


def sorted_by(b, x, dim, descending):
    """Stable; NaN counts as greater than every number."""
    places = b.iota(x.shape, dim, "i64")
    s, t = tensor((), x.dtype), tensor((), "i64")
    first, second = ("%b", "%a") if descending else ("%a", "%b")
    kind = "FLOAT" if is_float(x.dtype) else "UNSIGNED" if x.dtype in ("ui8", "i1") else "SIGNED"
    compare = lambda n, d, p, q: (f'      {n} = "stablehlo.compare"({p}, {q}) <{{comparison_direction = #stablehlo<comparison_direction {d}>, '  # noqa: E731
                                  f'compare_type = #stablehlo<comparison_type {kind}>}}> : ({s}, {s}) -> tensor<i1>\n')
    body = compare("%l", "LT", first, second)
    if is_float(x.dtype):  # a < b, or b is NaN and a is not
        body += compare("%n", "NE", second, second) + compare("%m", "EQ", first, first)
        body += '      %o = "stablehlo.and"(%n, %m) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n      %r = "stablehlo.or"(%l, %o) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n'
    region = f'{{\n    ^bb0(%a: {s}, %b: {s}, %c: {t}, %d: {t}):\n{body}      "stablehlo.return"({"%r" if is_float(x.dtype) else "%l"}) : (tensor<i1>) -> ()\n    }}'
    return b.ops("stablehlo.sort", [x, places], [(x.shape, x.dtype), (x.shape, "i64")], f"dimension = {dim} : i64, is_stable = true", region)


@row(aten.sort.default)
def sort(b, out, x, dim=-1, descending=False): return tuple(sorted_by(b, x, dim % x.rank, descending))


@row(aten.sort.stable)
def sort_stable(b, out, x, stable=True, dim=-1, descending=False): return sort(b, out, x, dim, descending)


@row(aten.topk.default)
def topk(b, out, x, k, dim=-1, largest=True, sorted=True):
    dim = dim % x.rank
    return tuple(b.slice(v, dim, 0, k) for v in sorted_by(b, x, dim, largest))


@row(aten.median.default, aten.median.dim)
def median(b, out, x, dim=None, keepdim=False):
    """The lower of the two in the middle; NaN where there is one, which the order puts last."""
    whole = dim is None
    if whole: x, dim = b.reshape(x, (product(x.shape),)), 0
    if not x.rank: return x, b.constant(0, "i64")
    dim = dim % x.rank
    values, places = sorted_by(b, x, dim, False)
    n = x.shape[dim]
    middle = b.lift((n - 1) // 2 if isinstance(n, int) else FloorDiv(n - 1, 2), "i64")
    if is_float(x.dtype):
        numbers = b.reduce("stablehlo.add", x.eq(x).to("i64"), [dim], 0)
        middle = b.select(numbers.eq(b.lift(n, "i64")), middle, numbers)
    at = b.expand(b.reshape(middle, (*x.shape[:dim], 1, *x.shape[dim + 1:]) if middle.rank else [1] * x.rank), (*x.shape[:dim], 1, *x.shape[dim + 1:]))
    results = [gather_row(b, out, v, dim, at) for v in (values, places)]
    return b.reshape(results[0], out.shape) if whole else tuple(b.reshape(v, part.shape) for v, part in zip(results, out.parts))


@row(aten.kthvalue.default)
def kthvalue(b, out, x, k, dim=-1, keepdim=False):
    if not x.rank: raise Unsupported("kthvalue of a scalar")
    dim = dim % x.rank
    return tuple(b.reshape(b.slice(v, dim, k - 1, k), part.shape) for v, part in zip(sorted_by(b, x, dim, False), out.parts))
