# SPDX-License-Identifier: Apache-2.0
"""Rows of convolutions and of their gradients. Both gradients are convolutions: that of the input a transposed one of the
result's gradient with the filter, that of the filter one of the input with the result's gradient as the filter."""
from torch.utils._sympy import functions as sym

from heddle.torch.builder import Unsupported, array, dim_of, static
from heddle.torch.rows import aten, row
from heddle.torch.rows_nn import along
from heddle.torch.rows_reduce import total, wide


def several(value, n): return list(value) * n if len(value) == 1 else list(value)


def convolve(b, x, filter_, shape, layout, window, pads, spread, dilation, reverse=False, groups=1, batch_groups=1):
    """One stablehlo.convolution; |layout|: of x, filter and result, {} standing for the dims of space."""
    n = x.rank - 2
    space, text = ", ".join(map(str, range(n))), ", ".join(f"[{low}, {high}]" for low, high in pads)
    return b.op("stablehlo.convolution", [x, filter_], shape, x.dtype,
                f"dimension_numbers = #stablehlo.conv<{layout.format(*[space] * 3)}>, window_strides = {array(window)}, padding = dense<[{text}]> : tensor<{n}x2xi64>, "
                f"lhs_dilation = {array(spread)}, rhs_dilation = {array(dilation)}, window_reversal = array<i1: {', '.join(['true' if reverse else 'false'] * n)}>, "
                f"feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64")


def cropped(b, y, shape):
    """|y| cut at the end to |shape|."""
    for d, size in enumerate(shape): y = b.slice(y, d, 0, size)
    return y


def direct(b, x, weight, shape, stride, padding, dilation, groups):
    """|weight|: [out, in / groups, ...]."""
    return convolve(b, x, weight, shape, "[b, f, {}]x[o, i, {}]->[b, f, {}]", stride, [(p, p) for p in padding], [1] * len(stride), dilation, groups=groups)


def transposed(b, x, weight, shape, stride, padding, dilation, groups):
    """|weight|: [in, out / groups, ...]. |shape| says how much of the result is wanted: up to a stride more than what the input
    covers."""
    size = weight.shape[2:]
    if not static(size): raise Unsupported("a transposed convolution by a filter of unknown size")
    if groups != 1:  # [g * i, o, ...] to [i, g * o, ...], group by group
        inputs = weight.shape[0] // groups
        order = [1, 0, *range(2, weight.rank + 1)]
        weight = b.transpose(b.reshape(weight, (groups, inputs, *weight.shape[1:])), order)
        weight = b.reshape(weight, (inputs, groups * weight.shape[2], *weight.shape[3:]))
    pads, result = [], list(shape)
    for i, (m, s, p, d, k) in enumerate(zip(x.shape[2:], stride, padding, dilation, size), 2):
        covered = (m - 1) * s - 2 * p + d * (k - 1) + 1
        extra = dim_of(shape[i] - covered)
        if not isinstance(extra, int): extra = s - 1  # the most that can be wanted
        pads.append((d * (k - 1) - p, d * (k - 1) - p + extra))
        result[i] = dim_of(covered + extra)
    y = convolve(b, x, weight, result, "[b, f, {}]x[i, o, {}]->[b, f, {}]", [1] * len(stride), pads, stride, dilation, reverse=True, groups=groups)
    return cropped(b, y, shape)


def of_filter(b, x, g, shape, stride, padding, dilation, groups):
    """The gradient of a filter [out, in / groups, ...] that made g's value from x."""
    result = list(shape)
    for i, (n, m, s, p, d) in enumerate(zip(x.shape[2:], g.shape[2:], stride, padding, dilation), 2):
        reach = n + 2 * p - s * (m - 1) - 1
        result[i] = dim_of((reach // d if isinstance(reach, int) else reach if d == 1 else sym.FloorDiv(reach, d)) + 1)
    y = convolve(b, x, g, result, "[f, b, {}]x[i, o, {}]->[f, b, {}]", dilation, [(p, p) for p in padding], [1] * len(stride), stride, batch_groups=groups)
    return cropped(b, y, shape)


@row(aten.convolution.default)
def convolution(b, out, x, weight, bias, stride, padding, dilation, is_transposed, output_padding, groups):
    n = x.rank - 2
    stride, padding, dilation = several(stride, n), several(padding, n), several(dilation, n)
    y = (transposed if is_transposed else direct)(b, x, weight, out.shape, stride, padding, dilation, groups)
    return y if bias is None else y + along(b, bias, 1, x.rank)


@row(aten.convolution_backward.default)
def convolution_backward(b, out, g, x, weight, bias_sizes, stride, padding, dilation, is_transposed, output_padding, groups, mask):
    n = x.rank - 2
    window = several(stride, n), several(padding, n), several(dilation, n), groups
    of_input = of_weight = of_bias = None
    if mask[0]: of_input = (direct if is_transposed else transposed)(b, g, weight, x.shape, *window)
    if mask[1]: of_weight = of_filter(b, *((g, x) if is_transposed else (x, g)), weight.shape, *window)
    if mask[2]: of_bias = total(b, g.to(wide(g.dtype)), [d for d in range(g.rank) if d != 1]).to(g.dtype)
    return of_input, of_weight, of_bias
