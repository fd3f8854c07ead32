# SPDX-License-Identifier: Apache-2.0
"""Rules of tf_ops.py for arrays and images: each writes an op of TensorFlow as MHLO on tensors with unknown dims."""
from typing import NamedTuple

from heddle.errors import UnimplementedError
from heddle.tf_build import Value, dims_of, type_of

LOWEST = {"f32": "0xFF800000", "f64": "0xFFF0000000000000", "f16": "0xFC00", "bf16": "0xFF80"}


def refuse(op, what): raise UnimplementedError(12, f"tf.{op.name}: {what}")


def expect(op, attribute, *values):
    found = op.attribute(attribute)
    if found not in values: refuse(op, f"expected {attribute} {' or '.join(map(repr, values))}, got {found!r}")


def constant(op, k, what):
    numbers = op.numbers(k)
    if numbers is None: refuse(op, f"expected a constant {what}, got a computed one")
    return numbers


# ---- arrays

def running(kind):
    """Cumsum, Cumprod: a window that reaches back to the first element."""
    def rule(op):
        x, axis = op.value(0), constant(op, 1, "axis")[0]
        axis, unit = axis % len(x.dims), "0" if kind == "add" else "1"
        number = f"{unit}.0" if x.element[0] in "fb" else unit
        sizes, one = op.sizes(x), op.number(1)
        if op.attribute("reverse"): x = op.reverse(x, [axis])
        init = op.emit("mhlo.constant", [], [], x.element, f"value = dense<{number}> : tensor<{x.element}>")
        reach = op.math("maximum", sizes[axis], one)
        window = op.vector([reach if d == axis else one for d in range(len(sizes))])
        ones, less = op.vector([one] * len(sizes)), op.math("subtract", reach, one)
        pads = op.vector([less if d == axis and not side else op.number(0) for d in range(len(sizes)) for side in range(2)])
        flat = op.emit("mhlo.reshape", [Value(pads, [2 * len(sizes)], "i32")], [len(sizes), 2], "i32")
        vector = lambda name: Value(name, [len(sizes)], "i32")  # noqa: E731
        y = op.emit("mhlo.custom_call", [x, init, vector(window), *[vector(ones)] * 3, flat], x.dims, x.element,
                    f'call_target_name = "stablehlo.dynamic_reduce_window", api_version = 2 : i32, called_computations = [@{op.reducer(kind, x.element)}]')
        if op.attribute("exclusive"):  # one place further, the unit first
            first = [one if d == axis else s for d, s in enumerate(sizes)]
            start = op.broadcast(init, first, [1 if d == axis else None for d in range(len(sizes))], [])
            y = op.concatenate([start, y], axis, [None if d == axis else s for d, s in enumerate(x.dims)])
            y = op.slice(y, axis, op.number(0), sizes[axis], x.dims)
        if op.attribute("reverse"): y = op.reverse(y, [axis])
        op.give(y)
    return rule


def top_k(op):
    """A stable sort from the largest on, and the first k; k may be a computed size."""
    x = op.value(0)
    axis = len(x.dims) - 1
    places = op.iota(op.sizes(x), x.dims, axis, "i32")
    t, kind = f"tensor<{x.element}>", "TOTALORDER" if x.element[0] in "fb" else "UNSIGNED" if x.element.startswith("ui") else "SIGNED"
    names = [op.fresh() for _ in range(4)]
    region = (f"({{\n^bb0({names[0]}: {t}, {names[1]}: {t}, {names[2]}: tensor<i32>, {names[3]}: tensor<i32>):\n"
              f'%p = "mhlo.compare"({names[0]}, {names[1]}) <{{comparison_direction = #mhlo<comparison_direction GT>, compare_type = #mhlo<comparison_type {kind}>}}> '
              f': ({t}, {t}) -> tensor<i1>\n"mhlo.return"(%p) : (tensor<i1>) -> ()\n}})')
    pair = op.fresh()
    op.lines.append(f'{pair}:2 = "mhlo.sort"({x.name}, {places.name}) <{{dimension = {axis} : i64, is_stable = true}}> {region} : '
                    f"({x.type}, {places.type}) -> ({x.type}, {places.type})")
    k, results = op.scalar(1), op.results()
    for i, (whole, result) in enumerate(zip((x, places), results)):
        part = op.slice(Value(f"{pair}#{i}", whole.dims, whole.element), axis, op.number(0), k, result.dims)
        op.give(part if part.element == result.element else op.emit("mhlo.convert", [part], result.dims, result.element), i)


def roll(op):
    x, shifts, axes = op.value(0), constant(op, 1, "shift"), constant(op, 2, "axis")
    for shift, axis in zip(shifts, axes):
        axis %= len(x.dims)
        size = op.sizes(x)[axis]
        kept = op.math("maximum", size, op.number(1))
        at = op.math("remainder", op.math("subtract", kept, op.math("remainder", op.math("add", op.math("remainder", op.number(shift), kept), kept), kept)), kept)
        at = op.math("minimum", at, size)
        x = op.concatenate([op.slice(x, axis, at, size), op.slice(x, axis, op.number(0), at)], axis, x.dims)
    op.give(x)


def diagonal(op):
    """A matrix with the vector in its diagonal."""
    x, fill = op.value(0), op.value(4)
    if constant(op, 1, "diagonal") != [0] or constant(op, 2, "row count") != [-1] or constant(op, 3, "column count") != [-1]: refuse(op, "expected the main diagonal of a square")
    rank, sizes = len(x.dims), op.sizes(x)
    sizes, dims = [*sizes, sizes[-1]], [*x.dims, x.dims[-1]]
    rows, columns = (op.iota(sizes, dims, d, "i32") for d in (rank - 1, rank))
    op.give(op.select(op.compare("EQ", rows, columns), op.broadcast(x, sizes, dims, list(range(rank))), op.broadcast(fill, sizes, dims, [])))


def diagonal_part(op):
    x = op.value(0)
    if constant(op, 1, "diagonal") != [0]: refuse(op, "expected the main diagonal")
    rank, sizes = len(x.dims), op.sizes(x)
    rows, columns = (op.iota(sizes, x.dims, d, "i32") for d in (rank - 2, rank - 1))
    zero = op.emit("mhlo.constant", [], [], x.element, f"value = dense<{'-0.0' if x.element[0] in 'fb' else '0'}> : tensor<{x.element}>")
    kept = op.select(op.compare("EQ", rows, columns), x, op.broadcast(zero, sizes, x.dims, []))
    y = op.reduce("add", kept, zero, rank - 1)
    op.give(op.slice(y, rank - 2, op.number(0), op.math("minimum", sizes[-2], sizes[-1]), op.results()[0].dims))


def mirror_pad(op):
    """The border's neighbours the other way round; with SYMMETRIC the border too."""
    x, pads, skip = op.value(0), constant(op, 1, "padding"), int(op.attribute("mode") == "REFLECT")
    for d in range(len(x.dims)):
        low, high = pads[2 * d: 2 * d + 2]
        if not low and not high: continue
        size, parts = op.sizes(x)[d], []
        if low: parts.append(op.reverse(op.slice(x, d, op.number(skip), op.number(low + skip)), [d]))
        parts.append(x)
        if high: parts.append(op.reverse(op.slice(x, d, op.math("subtract", size, op.number(high + skip)), op.math("subtract", size, op.number(skip))), [d]))
        x = op.concatenate(parts, d, [s if i != d else s and s + low + high for i, s in enumerate(x.dims)])
    op.give(x)


def scatter_nd(op):
    """Sums of the updates that have the same index, in zeros."""
    index, updates, result = op.value(0), op.value(1), op.results()[0]
    depth, rank, outer = index.dims[-1], len(result.dims), len(index.dims) - 1
    if depth is None: refuse(op, "expected indices of a known length")
    zero = op.emit("mhlo.constant", [], [], updates.element, f"value = dense<{'0.0' if updates.element[0] in 'fb' else '0'}> : tensor<{updates.element}>")
    target = op.broadcast(zero, [op.element(2, i) for i in range(rank)], result.dims, [])
    numbers = (f"scatter_dimension_numbers = #mhlo.scatter<update_window_dims = {list(range(outer, len(updates.dims)))}, inserted_window_dims = {list(range(depth))}, "
               f"scatter_dims_to_operand_dims = {list(range(depth))}, index_vector_dim = {outer}>, indices_are_sorted = false, unique_indices = false")
    op.give(op.emit("mhlo.scatter", [target, index, updates], result.dims, updates.element, numbers, op.body("add", updates.element)))


def unpack(op):
    """Each part of one dim."""
    x, results = op.value(0), op.results()
    axis = op.attributes.get("axis", 0) % len(x.dims)
    for i, result in enumerate(results):
        part = op.slice(x, axis, op.number(i), op.number(i + 1), [1 if d == axis else s for d, s in enumerate(x.dims)])
        op.give(op.reshape(part, [s for d, s in enumerate(op.sizes(part)) if d != axis], result.dims), i)


# ---- images: [batch, height, width, channels]

class Window(NamedTuple):
    size: list    # numbers, by dim of space
    stride: list
    dilation: list


def window(op, size):
    expect(op, "data_format", "NHWC")
    expect(op, "padding", "SAME", "VALID")
    return Window(size, op.attribute("strides")[1:3], (op.attribute("dilations") or [1] * 4)[1:3])


def same(op, size, n, stride, extent):
    """TensorFlow's padding before and after: as little as gives ceil(size / stride) windows."""
    count = op.math("divide", op.math("add", size, op.number(stride - 1)), op.number(stride))
    reach = op.math("add", op.math("multiply", op.math("subtract", count, op.number(1)), op.number(stride)), op.number(extent))
    total = op.math("maximum", op.math("subtract", reach, size), op.number(0))
    low = op.math("divide", total, op.number(2))
    return low, op.math("subtract", total, low)


def padding_of(op, x, w):
    """Names of low and high padding by dim of space."""
    if op.attribute("padding") == "VALID": return [(op.number(0), op.number(0))] * 2
    sizes = op.sizes(x)
    return [same(op, sizes[1 + d], d, w.stride[d], (w.size[d] - 1) * w.dilation[d] + 1) for d in range(2)]


def pooled(op, x, w, kind, init, dims):
    pads = padding_of(op, x, w)
    zero = op.number(0)
    low, high = ([zero, *[p[side] for p in pads], zero] for side in range(2))
    wide = op.emit("mhlo.dynamic_pad", [x, init, *[Value(op.vector(v), [4], "i32") for v in (low, high, [zero] * 4)]], [x.dims[0], None, None, x.dims[3]], x.element)
    return op.reduce_window(kind, wide, init, [1, *w.size, 1], [1, *w.stride, 1], dims)


def max_pool(op):
    x, w = op.value(0), window(op, op.attribute("ksize")[1:3])
    if x.element not in LOWEST: refuse(op, f"expected floats, got {x.element}")
    low = op.emit("mhlo.constant", [], [], x.element, f"value = dense<{LOWEST[x.element]}> : tensor<{x.element}>")
    op.give(pooled(op, x, w, "maximum", low, op.results()[0].dims))


def avg_pool(op):
    """Places outside do not count."""
    x, w = op.value(0), window(op, op.attribute("ksize")[1:3])
    zero, one = (op.emit("mhlo.constant", [], [], x.element, f"value = dense<{v}> : tensor<{x.element}>") for v in ("0.0", "1.0"))
    dims = op.results()[0].dims
    total = pooled(op, x, w, "add", zero, dims)
    count = pooled(op, op.broadcast(one, op.sizes(x), x.dims, []), w, "add", zero, dims)
    op.give(op.emit("mhlo.divide", [total, count], dims, x.element))


def convolved(op, x, filters, pads, stride, spread, dilation, numbers, groups, dims):
    flat = Value(op.vector([p for pair in pads for p in pair]), [4], "i32")
    padding = op.emit("mhlo.reshape", [flat], [2, 2], "i32")
    pair = lambda v: f"dense<{list(v)}> : tensor<2xi64>"  # noqa: E731
    return op.emit("mhlo.dynamic_conv", [x, filters, padding], dims, x.element,
                   f"dimension_numbers = #mhlo.conv<{numbers}>, window_strides = {pair(stride)}, lhs_dilation = {pair(spread)}, rhs_dilation = {pair(dilation)}, "
                   f"feature_group_count = {groups} : i64, batch_group_count = 1 : i64")


def depthwise(op):
    x, filters = op.value(0), op.value(1)
    height, width, channels, each = filters.dims
    w = window(op, [height, width])
    filters = op.emit("mhlo.reshape", [filters], [height, width, 1, channels * each], x.element)
    op.give(convolved(op, x, filters, padding_of(op, x, w), w.stride, [1, 1], w.dilation, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", channels, op.results()[0].dims))


def transposed(op):
    """Conv2DBackpropInput: what a convolution of an input of the given sizes would have come from."""
    filters, x = op.value(1), op.value(2)
    w, zero, pads = window(op, filters.dims[:2]), op.number(0), []
    for d in range(2):
        wanted, extent = op.element(0, 1 + d), (w.size[d] - 1) * w.dilation[d] + 1
        before = same(op, wanted, d, w.stride[d], extent)[0] if op.attribute("padding") == "SAME" else zero
        low = op.math("subtract", op.number(extent - 1), before)
        reach = op.math("add", op.math("multiply", op.math("subtract", op.sizes(x)[1 + d], op.number(1)), op.number(w.stride[d])), op.number(1))
        high = op.math("subtract", op.math("add", wanted, op.number(extent - 1)), op.math("add", reach, low))
        pads.append((low, high))
    filters = op.reverse(filters, [0, 1])
    op.give(convolved(op, x, filters, pads, [1, 1], w.stride, w.dilation, "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]", 1, op.results()[0].dims))


def places_of(op, size, wanted, n, nearest):
    """Where each of |wanted| places is among |size|: as f32; the dims of both are unknown, or |n|."""
    f32 = lambda name: op.emit("mhlo.convert", [Value(name, [], "i32")], [], "f32")  # noqa: E731
    number = lambda v: op.emit("mhlo.constant", [], [], "f32", f"value = dense<{v}> : tensor<f32>")  # noqa: E731
    math = lambda name, a, b: op.emit(f"mhlo.{name}", [a, b], a.dims, "f32")  # noqa: E731
    full = lambda v: op.broadcast(v, [wanted], [n], [])  # noqa: E731
    scale = math("divide", f32(size), f32(wanted))
    if op.attribute("align_corners"):
        more = op.compare("GT", Value(wanted, [], "i32"), Value(op.number(1), [], "i32"))
        one = op.number(1)
        inner = math("divide", f32(op.math("subtract", size, one)), f32(op.math("maximum", op.math("subtract", wanted, one), one)))
        scale = op.select(more, inner, scale)
    i = op.iota([wanted], [n], 0, "f32")
    half = op.attribute("half_pixel_centers")
    at = math("multiply", math("add", i, full(number("0.5"))) if half else i, full(scale))
    if half and not nearest: at = math("subtract", at, full(number("0.5")))
    return at


def resized(nearest):
    """ResizeBilinear, ResizeNearestNeighbor: along height, then along width."""
    def rule(op):
        x, result = op.value(0), op.results()[0]
        numbers = op.numbers(1)
        for d in (2, 1):
            wanted, n = (op.number(numbers[d - 1]), numbers[d - 1]) if numbers else (op.element(1, d - 1), None)
            size, dims = op.sizes(x)[d], [n if i == d else s for i, s in enumerate(x.dims)]
            last = op.math("subtract", size, op.number(1))
            at = places_of(op, size, wanted, n, nearest)
            clamp = lambda v: op.emit("mhlo.clamp", [Value(op.number(0), [], "i32"), op.emit("mhlo.convert", [v], [n], "i32"), Value(last, [], "i32")], [n], "i32")  # noqa: E731
            take = lambda v, x=x, d=d, dims=dims: op.emit("mhlo.torch_index_select", [x, clamp(v)], dims, x.element, f"dim = {d} : i64, batch_dims = 0 : i64")  # noqa: E731
            if nearest:
                rounded = "mhlo.round_nearest_afz" if op.attribute("align_corners") else "mhlo.floor"
                x = take(op.emit(rounded, [at], [n], "f32"))
                continue
            below, above = (op.emit(f"mhlo.{f}", [at], [n], "f32") for f in ("floor", "ceil"))
            share, low, high = op.emit("mhlo.subtract", [at, below], [n], "f32"), take(below), take(above)
            low, high = (v if v.element == "f32" else op.emit("mhlo.convert", [v], dims, "f32") for v in (low, high))
            sizes = [wanted if i == d else s for i, s in enumerate(op.sizes(x))]
            step = op.emit("mhlo.multiply", [op.emit("mhlo.subtract", [high, low], dims, "f32"), op.broadcast(share, sizes, dims, [d])], dims, "f32")
            x = op.emit("mhlo.add", [low, step], dims, "f32")
        op.give(x if x.element == result.element else op.emit("mhlo.convert", [x], result.dims, result.element))
    return rule


def blocks(inward):
    """DepthToSpace, SpaceToDepth."""
    def rule(op):
        x, n, result = op.value(0), op.attributes["block_size"], op.results()[0]
        expect(op, "data_format", "NHWC")
        b, h, w, c = op.sizes(x)
        by, known = op.number(n), x.dims[3]
        if inward: parts, dims = [b, op.math("divide", h, by), by, op.math("divide", w, by), by, c], [x.dims[0], None, n, None, n, known]
        else:
            c, known = op.math("divide", c, op.number(n * n)), known and known // (n * n)
            parts, dims = [b, h, w, by, by, c], [x.dims[0], None, None, n, n, known]
        order = [0, 1, 3, 2, 4, 5]
        y = op.emit("mhlo.transpose", [op.reshape(x, parts, dims)], [dims[i] for i in order], x.element, f"permutation = dense<{order}> : tensor<6xi64>")
        h, w = (op.math("divide" if inward else "multiply", s, by) for s in (h, w))
        op.give(op.reshape(y, [b, h, w, op.math("multiply", c, op.number(n * n)) if inward else c], result.dims))
    return rule


LATE = {"Cumsum": running("add"), "Cumprod": running("multiply"), "TopKV2": top_k, "Roll": roll, "MatrixDiagV3": diagonal, "MatrixDiagPartV3": diagonal_part,
        "MirrorPad": mirror_pad, "ScatterNd": scatter_nd, "DepthwiseConv2dNative": depthwise, "Conv2DBackpropInput": transposed, "ResizeBilinear": resized(False),
        "ResizeNearestNeighbor": resized(True), "DepthToSpace": blocks(False), "SpaceToDepth": blocks(True)}
# Ops that TensorFlow's own legalization would end its process for, or write wrong, where dims are unknown.
EARLY = {"MaxPool": max_pool, "AvgPool": avg_pool, "Unpack": unpack}
