# SPDX-License-Identifier: Apache-2.0
"""Ops under torch.compile(backend="heddle"): each compiles once, whole, and agrees with eager torch at several shapes."""
import math

import needs
import pytest
from error_model import assert_zeros_differ

torch = needs.module("torch")
import torch.nn.functional as F  # noqa: E402

import heddle.torch as ht  # noqa: E402

SHAPES = [(3, 5), (4, 17)]


def tensors(seed, shapes, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    make = lambda s: torch.randn(s, generator=generator).to(dtype) if dtype.is_floating_point else torch.randint(-7, 8, s, generator=generator).to(dtype)  # noqa: E731
    return [make(s) if isinstance(s, tuple) else s for s in shapes]


def widened(t): return (t.to(torch.complex128) if t.is_complex() else t.double()).numpy()


def check(function, calls, dynamic=True, rtol=1e-5, atol=1e-5):
    """|calls|: argument lists, all served by one compilation with nothing left to torch."""
    torch._dynamo.reset()
    before, eager = dict(ht.counters), dict(ht.eager_ops)
    compiled = torch.compile(function, backend="heddle", dynamic=dynamic, fullgraph=True)
    with torch.no_grad():
        for args in calls:
            got, want = compiled(*args), function(*args)
            torch.testing.assert_close(got, want, rtol=rtol, atol=atol, equal_nan=True)
            for leaf in filter(torch.is_tensor, torch.utils._pytree.tree_leaves(want)): assert_zeros_differ(widened(leaf), rtol, atol)
    assert dict(ht.eager_ops) == eager
    assert ht.counters["compiled"] - before.get("compiled", 0) == 1
    assert ht.counters["eager_graphs"] == before.get("eager_graphs", 0)


UNARY = ["abs", "neg", "exp", "exp2", "expm1", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "sigmoid", "floor", "ceil", "round",
         "trunc", "sign", "relu", "square", "reciprocal", "isnan", "isinf", "isfinite", "logical_not", "frac", "sgn", "digamma", "nan_to_num"]
POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "lgamma"]
UNIT = ["asin", "acos", "atanh", "erfinv"]


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    tolerance = 1e-3 if name in ("tan", "digamma") else 1e-5
    check(getattr(torch, name), [tensors(k, [s]) for k, s in enumerate(SHAPES)], rtol=tolerance)


@pytest.mark.parametrize("name", POSITIVE)
def test_positive(name): check(getattr(torch, name), [[x.abs() + 0.1 for x in tensors(k, [s])] for k, s in enumerate(SHAPES)])


@pytest.mark.parametrize("name", UNIT)
def test_unit(name): check(getattr(torch, name), [[x.tanh() for x in tensors(k, [s])] for k, s in enumerate(SHAPES)], rtol=1e-4)


ACTIVATIONS = {"gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu, "mish": F.mish, "softplus": F.softplus,
               "leaky_relu": F.leaky_relu, "elu": F.elu, "selu": F.selu, "celu": F.celu, "hardtanh": F.hardtanh, "hardswish": F.hardswish,
               "hardsigmoid": F.hardsigmoid, "relu6": F.relu6, "logsigmoid": F.logsigmoid, "softsign": F.softsign, "tanhshrink": F.tanhshrink,
               "threshold": lambda x: F.threshold(x, 0.1, 20.0), "glu": lambda x: F.glu(torch.cat([x, x], -1)), "dropout": lambda x: F.dropout(x, 0.5, False) + 1}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name): check(ACTIVATIONS[name], [tensors(k, [s]) for k, s in enumerate(SHAPES)])


BINARY = ["add", "sub", "mul", "div", "atan2", "maximum", "minimum", "fmax", "fmin", "fmod", "remainder", "eq", "ne", "lt", "le", "gt", "ge", "logical_and",
          "logical_or", "logical_xor", "true_divide", "floor_divide", "hypot", "logaddexp", "copysign"]


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    f = getattr(torch, name)
    check(lambda x, y: f(x, y), [tensors(k, [s, s]) for k, s in enumerate(SHAPES)])


@pytest.mark.parametrize("name", ["add", "mul", "maximum", "eq"])
def test_broadcast(name):
    f = getattr(torch, name)
    check(lambda x, y, z: f(f(x, y), z), [tensors(k, [s, (s[1],), (s[0], 1)]) for k, s in enumerate(SHAPES)])


INTEGERS = {"add": lambda x, y: x + y, "div": lambda x, y: x / y, "floor": lambda x, y: x // y, "mod": lambda x, y: x % y, "and": lambda x, y: x & y,
            "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y, "not": lambda x, y: ~x + ~y, "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
            "lt": lambda x, y: x < y, "shift": lambda x, y: (x << 2) + (y >> 1), "abs": lambda x, y: x.abs() - y, "mixed": lambda x, y: x * 1.5 + y, "float": lambda x, y: (x.float() + y).int()}


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_integers(name, dtype):
    f = INTEGERS[name]
    check(f, [[x, torch.where(y == 0, 3, y).to(dtype)] for x, y in (tensors(k, [s, s], dtype) for k, s in enumerate(SHAPES))])


SCALARS = {"pow2": lambda x: x ** 2, "pow3": lambda x: x ** 3, "pow_half": lambda x: x.abs() ** 0.5, "pow": lambda x: x.abs() ** 1.7, "rpow": lambda x: 2.0 ** x,
           "clamp": lambda x: x.clamp(-0.5, 0.5), "clamp_min": lambda x: x.clamp(min=0.1), "rsub": lambda x: 1 - x, "alpha": lambda x: torch.add(x, x, alpha=3),
           "floor": lambda x: x // 0.3, "mod": lambda x: x % -0.7, "where": lambda x: torch.where(x > 0, x, -0.5), "masked": lambda x: x.masked_fill(x < 0, -1e9),
           "lerp": lambda x: torch.lerp(x, x * 2, 0.3), "addcmul": lambda x: torch.addcmul(x, x, x, value=0.5), "size": lambda x: x * x.shape[0] + x.shape[1],
           "full": lambda x: x + torch.full_like(x, 2.5), "zeros": lambda x: x + torch.zeros(x.shape[1]), "half": lambda x: x.to(torch.float16).to(torch.float32),
           "complex": lambda x: torch.view_as_real(torch.view_as_complex(torch.stack([x, -x], -1)) * torch.polar(torch.ones(x.shape[1]), x[0])),
           "complex_abs": lambda x: torch.complex(x, x * 2).conj().abs(), "bucketize": lambda x: torch.bucketize(x, torch.linspace(-1, 1, 5)),
           "angle": lambda x: x.angle() + torch.complex(x, x * 2 - 1).angle(), "round": lambda x: x.round(decimals=1) + (x * 100).round(decimals=-1),
           "bool": lambda x: (x > 0).to(torch.bool) & (x < 1), "double": lambda x: x.double().exp()}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars(name): check(SCALARS[name], [tensors(k, [s]) for k, s in enumerate(SHAPES)], rtol=1e-4)


PLACES = {
    "reshape": lambda x: x.reshape(-1), "flatten": lambda x: x.unsqueeze(1).flatten(1), "view": lambda x: x.view(x.shape[0], 1, x.shape[1]),
    "transpose": lambda x: x.t() + 1, "permute": lambda x: x[None].permute(2, 0, 1) * 2, "squeeze": lambda x: x[None, :, None].squeeze(0).squeeze(1) + 1,
    "expand": lambda x: x[:, None].expand(-1, 4, -1) + 1, "repeat": lambda x: x.repeat(2, 3), "cat": lambda x: torch.cat([x, x * 2, x[:, :1]], 1),
    "stack": lambda x: torch.stack([x, x + 1], 1), "split": lambda x: [p * 2 for p in x.split([2, x.shape[1] - 2], 1)],
    "slice": lambda x: x[:, 1:] + x[:, :-1], "slice_static": lambda x: x[:2, 1:3] + 0, "step": lambda x: x[:, ::2] * 1, "select": lambda x: x[:, 0] + x[:, -1],
    "flip": lambda x: x.flip(1), "pad": lambda x: F.pad(x, (1, 2), value=3.0), "pad_negative": lambda x: F.pad(x, (-1, 1)), "pad_unknown": lambda x: F.pad(x, (x.shape[0], -2 - x.shape[0] % 2)),
    "slice_end": lambda x: torch.cat([x, x], 1)[:, -x.shape[1]:] * 2, "slice_middle": lambda x: torch.cat([x, x], 1)[:, -x.shape[1]:-2] * 2,
    "as_strided": lambda x: (x * 2).as_strided((x.shape[0], x.shape[1] - 2, 3), (x.shape[1], 1, 1)) + 0, "empty_permuted": lambda x: torch.empty_permuted((3, x.shape[1]), (1, 0)).fill_(1) * x.sum(), "roll": lambda x: x.roll(1, 1),
    "tril": lambda x: x.tril(), "triu": lambda x: x.triu(1), "arange": lambda x: x + torch.arange(x.shape[1]), "ones": lambda x: torch.ones(x.shape[1], x.shape[0]) * x.t(),
    "unbind": lambda x: x[:3].unbind(0)[1] + 1, "chunk": lambda x: sum(torch.cat([x, x], 1).chunk(2, 1)), "meshgrid": lambda x: torch.meshgrid(x[0], x[1], indexing="ij")[0] * 1,
    "eye": lambda x: x @ torch.eye(x.shape[1]), "slice_scatter": lambda x: torch.slice_scatter(x, x[:, :1] * 0, 1, 1, 2), "select_scatter": lambda x: torch.select_scatter(x, x[0] * 0, 0, 1),
    "linspace": lambda x: x[:, :4] + torch.linspace(0, 1, 4), "clone": lambda x: x.clone(), "diff": lambda x: x.diff(dim=1), "narrow": lambda x: x.narrow(1, 1, 2) * 2,
    "unfold": lambda x: x.unfold(1, 3, 1), "triu_indices": lambda x: x[:, torch.triu_indices(4, 4)[0]],
}


@pytest.mark.parametrize("name", PLACES)
def test_places(name): check(PLACES[name], [tensors(k, [s]) for k, s in enumerate(SHAPES)])


REDUCTIONS = {
    "sum": lambda x: x.sum(), "sum_dim": lambda x: x.sum(1), "sum_keep": lambda x: x.sum(0, keepdim=True), "mean": lambda x: x.mean(), "mean_dim": lambda x: x.mean(-1),
    "amax": lambda x: x.amax(1), "amin": lambda x: x.amin(0), "max": lambda x: x.max(), "min": lambda x: x.min(), "max_dim": lambda x: x.max(1), "min_dim": lambda x: x.min(0),
    "argmax": lambda x: x.argmax(1), "argmin": lambda x: x.argmin(), "prod": lambda x: (1 + 0.3 * x.sin()).prod(), "prod_dim": lambda x: x.prod(1), "any": lambda x: (x > 1).any(),
    "all": lambda x: (x > -9).all(1), "var": lambda x: x.var(1), "std": lambda x: x.std(), "var_mean": lambda x: torch.var_mean(x, 0), "norm": lambda x: x.norm(),
    "norm1": lambda x: x.norm(1, 1), "norm3": lambda x: x.norm(3, 1), "norm0": lambda x: x.norm(0, 1), "norm_min": lambda x: x.norm(-float("inf"), 0),
    "median": lambda x: (x.median(), x.median(1), x.median(0)), "median_nan": lambda x: torch.where(x > 0.9, math.nan, x).median(1).values,
    "kthvalue": lambda x: x.kthvalue(2, 1), "histc": lambda x: (torch.histc(x, 8, -1, 1), torch.histc(x, 8)),
    "cdist": lambda x: (torch.cdist(x, x * 2), torch.cdist(x, x * 2, p=1), torch.cdist(x, x + 1, p=math.inf)), "cumsum": lambda x: x.cumsum(1), "cumsum_int": lambda x: (x > 0).cumsum(0), "cumprod": lambda x: x.cumprod(1), "logsumexp": lambda x: x.logsumexp(1), "softmax": lambda x: x.softmax(-1), "softmax0": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(1), "int_sum": lambda x: (x > 0).sum(1), "normalize": lambda x: F.normalize(x, dim=1), "cosine": lambda x: F.cosine_similarity(x, x + 1),
    "int_mean": lambda x: (x > 0).float().mean(), "count": lambda x: torch.count_nonzero(x > 0), "mse": lambda x: F.mse_loss(x, x * 2), "bf16": lambda x: x.bfloat16().sum(1).float(),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name): check(REDUCTIONS[name], [tensors(k, [s]) for k, s in enumerate(SHAPES)], rtol=1e-2 if name == "bf16" else 1e-5)


def test_cumsum():
    calls = [tensors(k, [s]) for k, s in enumerate([(6, 3), (6, 8)])]
    for (x,) in calls: torch._dynamo.mark_dynamic(x, 1)
    check(lambda x: x.cumsum(0), calls, dynamic=None)


def test_index():
    table = torch.randn(11, 4)
    ids = [torch.tensor([[1, 0], [3, 10], [2, 2]]), torch.arange(8).reshape(4, 2)]
    check(lambda t, i: F.embedding(i, t), [[table, i] for i in ids])
    check(lambda t, i: t[i.flatten() - 2], [[table, i] for i in ids])
    check(lambda t, i: t[i, i % 3], [[table, i] for i in ids])
    check(lambda t, i: t[:, i[:, 0] % 4], [[table, i] for i in ids])
    check(lambda t, i: torch.index_select(t, 1, i[:, 0] % 4), [[table, i] for i in ids])
    check(lambda t, i: torch.gather(t, 1, i % 4), [[table, i] for i in ids])
    check(lambda t, i: torch.take_along_dim(t, i[:1, :1].expand(11, 1) % 4, 1), [[table, i] for i in ids])


def test_put():
    x, i = torch.zeros(9, 4), [torch.tensor([1, 5, 7]), torch.tensor([0, 2, 3, 8])]
    check(lambda x, i: x.index_put((i,), torch.ones(())), [[x, k] for k in i])
    check(lambda x, i: x.index_put((i % 2,), torch.ones(()), accumulate=True), [[x, k] for k in i])
    check(lambda x, i: x.scatter_add(0, i[:, None].expand(-1, 4) % 2, x[: i.shape[0]] + 1), [[x, k] for k in i])
    check(lambda x, i: x.scatter(0, i[:, None], 2.0), [[x, k] for k in i])
    check(lambda x, i: x.index_copy(1, i[:2] % 4, x[:, :2] + i.shape[0]), [[x, k] for k in i])

    def open_dim(x, i):
        y = x[None].clone()
        y[:, i, i % 3] = i[None] + x[0, 0]
        return y
    check(open_dim, [[x, k] for k in i])
    check(lambda x, i: x.scatter(0, i[:, None].expand(-1, 4), 3.0, reduce="multiply"), [[x + 2, k] for k in i])
    check(lambda x, i: (x - 3).masked_scatter(i[:1, None] > x, torch.arange(36.0) * i[1]), [[torch.arange(36.0).reshape(9, 4) % 7, k] for k in i])
    check(lambda x, i: x.scatter_reduce(0, i[:, None].expand(-1, 4) % 2, x[: i.shape[0]] + 1, "amax"), [[x, k] for k in i])


def test_groups():
    """Products of groups of rows, of which some are empty, and of groups of the dim that is summed over."""
    offs = [torch.tensor(o, dtype=torch.int32) for o in ([2, 2, 9], [0, 13, 20])]
    x, w = [torch.randn(n, 16).bfloat16() for n in (9, 20)], torch.randn(3, 16, 8).bfloat16()
    check(lambda x, w, o: torch._grouped_mm(x, w, offs=o), [[y, w, o] for y, o in zip(x, offs)], rtol=1e-2, atol=1e-2)
    check(lambda x, o: torch._grouped_mm(x.t(), x + 1, offs=o), [[y, o] for y, o in zip(x, offs)], rtol=1e-2, atol=1e-1)


def test_groups_of_a_library():
    """The op of a library for rows of groups, known by its name; sorted and counted as a mixture of experts does."""
    if not hasattr(torch.ops.transformers, "grouped_mm_fallback"):
        @torch.library.custom_op("transformers::grouped_mm_fallback", mutates_args=(), schema="(Tensor input, Tensor weight, Tensor offs) -> Tensor")
        def op(input, weight, offs):
            ends = [0, *offs.tolist()]
            return torch.cat([input[a:b] @ w for a, b, w in zip(ends, ends[1:], weight)])
        op.register_fake(lambda input, weight, offs: input.new_empty(input.shape[0], weight.shape[2]))

    def mixture(x, w, expert):
        expert, order = expert.sort()
        offs = torch.histc(expert.float(), bins=6, min=0, max=5).cumsum(0, dtype=torch.int32)
        return torch.zeros_like(x).index_copy(0, order, torch.ops.transformers.grouped_mm_fallback(x[order], w, offs))
    check(mixture, [[torch.randn(n, 16), torch.randn(6, 16, 16), torch.randint(0, 6, (n,))] for n in (9, 70)], rtol=1e-4, atol=1e-4)


SIGNALS = {"fft": lambda x: torch.view_as_real(torch.fft.fft(x[:, :4])), "fft2": lambda x: torch.fft.fft2(x[:, :4, None] + torch.arange(6.0)).real,
           "ifft": lambda x: torch.fft.ifft(torch.complex(x, -x)[:, :4]).imag, "rfft": lambda x: torch.fft.irfft(torch.fft.rfft(x[:, :4], norm="ortho") * 2, n=4, norm="ortho"),
           "irfft2": lambda x: torch.fft.irfft2(torch.fft.rfft2(x[:, :4, None] + torch.arange(6.0).cos()), s=(4, 6)),
           "stft": lambda x: torch.stft(torch.cat([x] * 8, 1), 8, 4, window=torch.hann_window(8), return_complex=True).abs(),
           "bilinear": lambda x: F.interpolate(x[None, None] + torch.zeros(2, 3, 1, 1), size=(3, 9), mode="bilinear", antialias=True),
           "aligned": lambda x: F.interpolate(x[None, None], size=(7, 2), mode="bicubic", antialias=True, align_corners=True),
           "bicubic": lambda x: F.interpolate(torch.cat([x, x])[None, None] + torch.zeros(2, 3, 1, 1), scale_factor=0.5, mode="bicubic", antialias=True)}


@pytest.mark.parametrize("name", SIGNALS)
def test_signals(name): check(SIGNALS[name], [tensors(k, [s]) for k, s in enumerate(SHAPES)], rtol=1e-4, atol=1e-4)


def test_sort():
    for f in (lambda x: x.sort(1), lambda x: x.sort(0, descending=True), lambda x: x.topk(2, 1), lambda x: x.topk(2, 0, largest=False), lambda x: x.argsort(1)):
        check(f, [tensors(k, [s]) for k, s in enumerate(SHAPES)])


PRODUCTS = {
    "mm": (lambda x, y: x @ y, lambda m: [(m, 8), (8, 6)]), "bmm": (torch.bmm, lambda m: [(2, m, 8), (2, 8, m)]), "matmul": (torch.matmul, lambda m: [(3, 2, m, 8), (8, 5)]),
    "mv": (torch.mv, lambda m: [(m, 8), (8,)]), "dot": (torch.dot, lambda m: [(m,), (m,)]), "addmm": (lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=2), lambda m: [(6,), (m, 8), (8, 6)]),
    "addbmm": (lambda b, x, y: torch.addbmm(b, x, y, beta=0.5, alpha=2), lambda m: [(m, 4), (2, m, 8), (2, 8, 4)]),
    "baddbmm": (torch.baddbmm, lambda m: [(2, m, 4), (2, m, 8), (2, 8, 4)]), "linear": (F.linear, lambda m: [(2, m, 8), (5, 8), (5,)]),
    "einsum": (lambda x, y: torch.einsum("bik,bjk->bij", x, y), lambda m: [(2, m, 8), (2, m, 8)]), "outer": (torch.outer, lambda m: [(m,), (m,)]),
    "attention": (F.scaled_dot_product_attention, lambda m: [(2, 3, m, 8)] * 3), "causal": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), lambda m: [(2, 3, m, 8)] * 3),
    "masked": (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m > 0), lambda m: [(2, 3, m, 8)] * 3 + [(m, m)]),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name):
    f, shapes = PRODUCTS[name]
    check(f, [tensors(m, shapes(m)) for m in (7, 16)], rtol=1e-4)


IMAGES = {
    "conv": (F.conv2d, [(4, 3, 3, 3), (4,)]), "conv_padded": (lambda x, w: F.conv2d(x, w, padding=1, stride=2), [(4, 3, 3, 3)]),
    "conv_dilated": (lambda x, w: F.conv2d(x, w, dilation=2), [(4, 3, 3, 3)]), "depthwise": (lambda x, w: F.conv2d(x, w, groups=3, padding=1), [(3, 1, 3, 3)]),
    "pointwise": (F.conv2d, [(5, 3, 1, 1)]), "conv1d": (lambda x, w: F.conv1d(x[:, :, 0], w, padding=1), [(4, 3, 3)]),
    "transposed": (lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1), [(3, 4, 3, 3)]),
    "transposed_groups": (lambda x, w: F.conv_transpose2d(torch.cat([x, x * 2], 1), w, stride=2, groups=2), [(6, 4, 3, 3)]),
    "adaptive_avg": (lambda x: F.adaptive_avg_pool2d(x, (5, 7)), []), "adaptive_max": (lambda x: F.adaptive_max_pool2d(x, (5, 1)), []),
    "pool3d": (lambda x: F.max_pool3d(x[:, None], 2) + F.avg_pool3d(x[:, None], 2), []), "local_norm": (lambda x: F.local_response_norm(x, 3), []),
    "fold": (lambda x: F.unfold(x, 3), []), "bilinear": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), []), "max_pool": (lambda x: F.max_pool2d(x, 3, 2, 1), []), "avg_pool": (lambda x: F.avg_pool2d(x, 2), []), "avg_pool_edge": (lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), []),
    "global": (lambda x: F.adaptive_avg_pool2d(x, 1), []), "batch_norm": (lambda x, m, v, w, b: F.batch_norm(x, m, v.abs() + 1, w, b), [(3,)] * 4),
    "group_norm": (lambda x, w, b: F.group_norm(x, 3, w, b), [(3,)] * 2), "instance_norm": (F.instance_norm, []), "layer_norm": (lambda x: F.layer_norm(x, x.shape[1:]), []),
    "rms_norm": (lambda x: F.rms_norm(x, x.shape[-1:]), []), "pixel_shuffle": (lambda x: F.pixel_shuffle(torch.cat([x] * 4, 1), 2), []),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2), []), "reflect": (lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"), []),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name):
    f, weights = IMAGES[name]
    calls = [tensors(n, [(n, 3, 12, 12), *weights]) for n in (2, 5)]
    for weight in [w for call in calls for w in call[1:]]: torch._dynamo.mark_static(weight)
    check(f, calls, rtol=1e-4, atol=1e-4)


WINDOWS = {
    "max_ceil": lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), "max_ceil_padded": lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
    "avg_ceil": lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True), "avg_ceil_padded": lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True),
    "avg_ceil_counted": lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False), "bicubic": lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"),
    "half": lambda x: F.interpolate(x, scale_factor=0.5, mode="bicubic"), "half_bilinear": lambda x: F.interpolate(x, scale_factor=1.5, mode="bilinear"),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_over_unknown_sizes(name):
    """Height and width are unknown too."""
    check(WINDOWS[name], [tensors(n, [(n, 3, h, w)]) for n, h, w in ((2, 12, 9), (3, 7, 10), (4, 13, 16))], rtol=1e-4, atol=1e-4)


DIAGONALS = {"diagonal": lambda x: x.diagonal() * 2, "above": lambda x: x.diagonal(2) * 2, "below": lambda x: x.diagonal(-1) * 2, "trace": lambda x: (x @ x.t()).trace(),
             "turned": lambda x: x[None].diagonal(0, 2, 1) + 1, "middle": lambda x: x[:, None].diagonal(0, 0, 2) + 1, "einsum": lambda x: torch.einsum("bii->bi", x[:, :, None] * x[:, None])}


@pytest.mark.parametrize("name", DIAGONALS)
def test_diagonals(name): check(DIAGONALS[name], [tensors(k, [s]) for k, s in enumerate([(3, 5), (4, 17)])], rtol=1e-4)


def test_embedding_bags():
    """A recommender's sums and means of rows, bags of one length, of several, empty ones, weighted."""
    table = torch.randn(20, 6)
    bags = [[table, torch.randint(0, 20, (n,)), torch.tensor(o)] for n, o in ((9, [0, 3, 5]), (12, [0, 0, 7, 9]))]
    for mode in ("sum", "mean"):
        check(lambda t, i, o, mode=mode: F.embedding_bag(i, t, o, mode=mode), bags)
        check(lambda t, i, mode=mode: F.embedding_bag(i, t, mode=mode), [[table, torch.randint(0, 20, s)] for s in ((3, 5), (4, 7))])
        check(lambda t, i, o, mode=mode: F.embedding_bag(i, t, o, mode=mode, include_last_offset=True), [[t, i, torch.cat([o, torch.tensor([len(i)])])] for t, i, o in bags])
    check(lambda t, i, o, w: F.embedding_bag(i, t, o, mode="sum", per_sample_weights=w), [[t, i, o, torch.randn(len(i))] for t, i, o in bags])


def test_grid_sample():
    x, grid = tensors(0, [(2, 3, 12, 12)])[0], torch.rand(2, 5, 6, 2) * 2 - 1
    check(lambda x, grid: F.grid_sample(x, grid, align_corners=False), [[x, grid]], dynamic=False, rtol=1e-4, atol=1e-4)


def test_sizes_as_remainders():
    """Sizes that are quotients and remainders, also of what is below zero, beside ops that stay with torch and in programs."""
    def padded(x):
        y = F.pad(x * 2, (0, (7 - x.shape[1] % 7) % 7, 0, -x.shape[0] % 5))
        return y + 1, torch.softmax(y, -1)

    def spread(x): return x.new_zeros(-x.shape[0] % 5 + 1, -(-x.shape[1] // 4)) + x.sum(), x.new_ones(2 * ((x.shape[1] + 1) % 7) + 1) * x.sum()
    for f in (padded, spread):
        torch._dynamo.reset()
        compiled = torch.compile(f, backend="heddle", dynamic=True)
        for shape in ((3, 20), (4, 28), (10, 14), (11, 33)):
            x = torch.randn(*shape)
            for got, want in zip(compiled(x), f(x)): torch.testing.assert_close(got, want)
