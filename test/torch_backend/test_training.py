# SPDX-License-Identifier: Apache-2.0
"""Training steps under torch.compile(backend="heddle"): forward and backward are a program each, nothing is left to torch,
and results, gradients and buffers are those of eager torch."""
import copy
import os
import sys

import pytest
from error_model import assert_zeros_differ

torch = pytest.importorskip("torch", reason="torch is not installed: tools/setup.sh test")
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

import heddle.torch as ht  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples"))
from inference_models import Patches  # noqa: E402
from torch_models import Encoder, ResNet  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    ht.counters.clear()
    ht.eager_ops.clear()


def whole(compilations):
    assert not ht.eager_ops and not ht.counters["eager_graphs"], dict(ht.eager_ops)
    assert ht.counters["compiled"] == compilations


def leaf(a):
    copy_ = a.clone().requires_grad_()
    if hasattr(a, "_dynamo_static_indices"): torch._dynamo.mark_static(copy_)
    return copy_


def gradients(function, args):
    """The result and the gradients of a sum of it by fixed weights."""
    args = [leaf(a) if torch.is_tensor(a) and a.is_floating_point() else a for a in args]
    torch.manual_seed(2)
    out = function(*args)
    (out * torch.arange(out.numel(), dtype=out.dtype).sin().reshape(out.shape)).sum().backward()
    return [out.detach(), *[a.grad for a in args if torch.is_tensor(a) and a.requires_grad]]


def agree(function, calls, dynamic, tolerance=1e-4):
    """|calls|: argument lists, all served by one compilation of each direction."""
    fast = torch.compile(function, backend="heddle", dynamic=dynamic, fullgraph=True)
    for args in calls:
        for got, want in zip(gradients(fast, args), gradients(function, args), strict=True):
            largest = max(1, want.abs().max().item())
            torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance * largest)
            assert_zeros_differ(want.double().numpy(), tolerance, tolerance * largest)
    whole(2)


def image(n): return torch.randn(n, 4, 6 + n, 11 - n)


def attended(n, keys=4): return [torch.randn(n + 1, 4, 5 * n, 8), *[torch.randn(n + 1, keys, 5 * n + 1, 8) for _ in range(2)]]


def filters(*shape):
    weight = torch.randn(*shape)
    torch._dynamo.mark_static(weight)
    return weight


OPS = {
    "convolution": (lambda x, w: F.conv2d(x, w, padding=1), lambda n: [image(n), filters(6, 4, 3, 3)]),
    "convolution_strided": (lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), lambda n: [image(n), filters(6, 4, 3, 3), filters(6)]),
    "convolution_dilated": (lambda x, w: F.conv2d(x, w, stride=2, padding=2, dilation=2), lambda n: [image(n), filters(6, 4, 3, 3)]),
    "convolution_groups": (lambda x, w: F.conv2d(x, w, stride=3, groups=2), lambda n: [image(n), filters(6, 2, 3, 3)]),
    "depthwise": (lambda x, w: F.conv2d(x, w, padding=1, groups=4), lambda n: [image(n), filters(4, 1, 3, 3)]),
    "convolution_1d": (lambda x, w: F.conv1d(x[:, :, 0], w, stride=2), lambda n: [image(n), filters(6, 4, 3)]),
    "transposed": (lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1), lambda n: [image(n), filters(4, 6, 3, 3)]),
    "transposed_groups": (lambda x, w: F.conv_transpose2d(x, w, stride=2, groups=2), lambda n: [image(n), filters(4, 3, 3, 3)]),
    "max_pool": (lambda x: F.max_pool2d(x, 3, 2, 1), lambda n: [image(n)]), "max_pool_dilated": (lambda x: F.max_pool2d(x, 2, 1, 0, dilation=2), lambda n: [image(n)]),
    "max_pool_ceil": (lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True), lambda n: [image(n)]), "max_pool_ties": (lambda x: F.max_pool2d(x.round(), 3, 1, 1) * x, lambda n: [image(n)]),
    "max_pool_1d": (lambda x: F.max_pool1d(x, 3, 2), lambda n: [torch.randn(n, 4, 11)]), "max_pool_3d": (lambda x: F.max_pool3d(x, 2), lambda n: [image(n)]),
    "avg_pool": (lambda x: F.avg_pool2d(x, 3, 2, 1), lambda n: [image(n)]), "avg_pool_edge": (lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), lambda n: [image(n)]),
    "avg_pool_ceil": (lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), lambda n: [image(n)]), "avg_pool_3d": (lambda x: F.avg_pool3d(x, 2), lambda n: [image(n)]),
    "adaptive_avg": (lambda x: F.adaptive_avg_pool2d(x, (3, 5)), lambda n: [image(n)]), "global_avg": (lambda x: F.adaptive_avg_pool2d(x, 1), lambda n: [image(n)]),
    "adaptive_max": (lambda x: F.adaptive_max_pool2d(x, (3, 5)), lambda n: [image(n)]), "adaptive_max_3d": (lambda x: F.adaptive_max_pool3d(x, (2, 3, 1)), lambda n: [image(n)]),
    "batch_norm": (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), lambda n: [image(n), filters(4), filters(4)]),
    "layer_norm": (lambda x, w, b: F.layer_norm(x.transpose(1, 3), (4,), w, b), lambda n: [image(n), filters(4), filters(4)]),
    "group_norm": (lambda x, w, b: F.group_norm(x, 2, w, b), lambda n: [image(n), filters(4), filters(4)]), "rms_norm": (lambda x: F.rms_norm(x, x.shape[-1:]), lambda n: [image(n)]),
    "attention": (F.scaled_dot_product_attention, attended), "attention_causal": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), attended),
    "attention_mask": (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m, scale=0.5), lambda n: [*attended(n), torch.randn(5 * n, 5 * n + 1)]),
    "attention_seen": (lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m), lambda n: [*attended(n), torch.rand(5 * n, 5 * n + 1) > 0.5]),
    "attention_groups": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), lambda n: attended(n, 2)),
    "attention_dropout": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, dropout_p=0.3), attended),
    "dropout": (lambda x: F.dropout(x, 0.3) * x, lambda n: [image(n)]), "noise": (lambda x: x * torch.randn_like(x) + torch.rand(x.shape[0], 1, 1, 1), lambda n: [image(n)]),
    "embedding": (lambda t, i: F.embedding(i, t, padding_idx=1), lambda n: [filters(9, 8), torch.randint(0, 9, (n, 5))]),
    "bags": (lambda t, i: F.embedding_bag(i, t, mode="mean"), lambda n: [filters(9, 8), torch.randint(0, 9, (n, 5))]),
    "bags_weighted": (lambda t, w, i: F.embedding_bag(i, t, mode="sum", per_sample_weights=w), lambda n: [filters(9, 8), torch.randn(n, 5), torch.randint(0, 9, (n, 5))]),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2), lambda n: [image(n)]), "bilinear": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), lambda n: [image(n)]),
    "filtered": (lambda x: F.interpolate(x, size=(5, 5), mode="bilinear", antialias=True), lambda n: [image(n)]),
    "replicated": (lambda x: F.pad(x, (2, 1, 1, 3), mode="replicate"), lambda n: [image(n)]), "reflected": (lambda x: F.pad(x, (2, 1, 1, 3), mode="reflect"), lambda n: [image(n)]),
    "cdist": (torch.cdist, lambda n: [torch.randn(n, 5), torch.randn(2 * n + 2, 5)]), "cdist_1": (lambda x, y: torch.cdist(x, y, p=1.0), lambda n: [torch.randn(n, 5), torch.randn(2 * n + 2, 5)]),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", OPS)
def test_ops(name, dynamic):
    function, arguments = OPS[name]
    agree(function, [arguments(n) for n in ((2, 3) if dynamic else (2,))], dynamic)


class Writer(nn.Module):
    """Words, positions, blocks of causal fused attention and a feed-forward layer, as GPT-2 has them."""

    def __init__(self, words=50, dim=32, heads=4, blocks=2, length=32):
        super().__init__()
        self.heads, self.words, self.places = heads, nn.Embedding(words, dim), nn.Embedding(length, dim)
        self.blocks = nn.ModuleList(nn.ModuleDict(dict(
            norm1=nn.LayerNorm(dim), qkv=nn.Linear(dim, 3 * dim), out=nn.Linear(dim, dim), norm2=nn.LayerNorm(dim), up=nn.Linear(dim, 4 * dim),
            down=nn.Linear(4 * dim, dim), drop=nn.Dropout(0.1))) for _ in range(blocks))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, words, bias=False)
        self.head.weight = self.words.weight

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in block["qkv"](block["norm1"](x)).chunk(3, -1))
            x = x + block["drop"](block["out"](F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)))
            x = x + block["drop"](block["down"](F.gelu(block["up"](block["norm2"](x)), approximate="tanh")))
        return self.head(self.norm(x))


def trains(model, calls, dynamic, compilations=2, tolerance=1e-3):
    """A few steps with and without the backend, from the same weights and seeds; |calls|: (input, labels)."""
    model.train()
    pair, seen = (copy.deepcopy(model), model), []
    for each, fast in zip(pair, (torch.compile(pair[0], backend="heddle", dynamic=dynamic, fullgraph=True), pair[1])):
        optimiser, losses = torch.optim.SGD(each.parameters(), 0.01), []
        torch.manual_seed(3)
        for x, y in calls:
            optimiser.zero_grad()
            loss = F.cross_entropy(fast(x).flatten(0, -2), y.flatten())
            loss.backward()
            optimiser.step()
            losses.append(loss.detach())
        seen.append([torch.stack(losses), *[p.grad for p in each.parameters()], *each.state_dict().values()])
    for got, want in zip(*seen, strict=True): torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance * max(1, want.abs().max().item()))
    whole(compilations)


def images(sizes, dtype=torch.float32): return [(torch.randn(n, 3, h, w, dtype=dtype), torch.randint(0, 7, (n,))) for n, h, w in sizes]


def texts(shapes, words=50): return [(torch.randint(0, words, s), torch.randint(0, words, s)) for s in shapes]


def test_residual_network():
    """At unknown sizes, and then at known ones: a compilation leaves nothing after that another meets. In doubles: batch norms of a few
    values magnify what f32 rounds."""
    for sizes, dynamic in (([(4, 48, 40), (5, 40, 64), (3, 33, 33)], True), ([(4, 48, 40)] * 2, False)):
        torch._dynamo.reset()
        ht.counters.clear()
        trains(ResNet(blocks=(1, 2), classes=7).double(), images(sizes, torch.float64), dynamic, tolerance=1e-9)


@pytest.mark.parametrize("dynamic", [False, True])
def test_vision_transformer(dynamic): trains(Patches(), images([(n, 32, 32) for n in ((4, 5, 3) if dynamic else (4, 4))]), dynamic)


@pytest.mark.parametrize("dynamic", [False, True])
def test_writer(dynamic): trains(Writer(), texts([(4, 9), (3, 17), (5, 6)] if dynamic else [(4, 9)] * 2), dynamic)


@pytest.mark.parametrize("dynamic", [False, True])
def test_encoder_with_dropout(dynamic):
    shapes = [(4, 9), (3, 17), (5, 6)] if dynamic else [(4, 9)] * 2
    trains(Encoder(), [(torch.randint(0, 1000, s), torch.randint(0, 10, s[:1])) for s in shapes], dynamic)


def test_sizes_that_the_caller_alone_reads():
    """A size that a graph hands through, and that no tensor of its program has."""
    def f(x): return torch.unique(x > 0).shape[0], x + 1
    fast = torch.compile(f, backend="heddle", dynamic=True)
    for x in (torch.randn(5, 7), torch.ones(3, 4)):
        got, want = fast(x), f(x)
        assert got[0] == want[0]
        torch.testing.assert_close(got[1], want[1])
    g = torch.compile(lambda n, x: (n * 3 + 1, x * 2), backend="heddle", dynamic=True)
    for n in (5, 9): assert g(n, torch.ones(4))[0] == n * 3 + 1
    assert not ht.counters["eager_graphs"]


@pytest.mark.parametrize("gradient", [False, True])
def test_strides_of_results(gradient):
    """torch makes the second result, a view, of the first by the strides that it has planned."""
    for f in (lambda x: (lambda y: (y, y.t()))(x.t() * 2), lambda x: (lambda y: (y, y[1:]))(x.t() * 2), lambda x: (lambda y: (y, y.t().view(-1)))(x.t().exp())):
        torch._dynamo.reset()
        x = torch.randn(3, 4, requires_grad=gradient)
        for got, want in zip(torch.compile(f, backend="heddle")(x), f(x)):
            assert got.stride() == want.stride()
            torch.testing.assert_close(got, want)


def test_draws_behind_one_that_stays():
    """multinomial stays with torch: what is drawn after it comes after it from the generator, as in eager torch."""
    def function(x): return torch.rand_like(x) + torch.multinomial(x.softmax(-1), 3, replacement=True).sum() + torch.randn_like(x)
    x = torch.randn(7)
    torch.manual_seed(3)
    want = function(x)
    torch.manual_seed(3)
    torch.testing.assert_close(torch.compile(function, backend="heddle")(x), want)
    assert ht.eager_ops
