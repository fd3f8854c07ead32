# SPDX-License-Identifier: Apache-2.0
"""Models in plain torch, small and with random weights, in the forms that inference meets."""
import torch
import torch.nn.functional as F
from torch import nn


class Decoder(nn.Module):
    """A decoder with RMS norms, rotary positions as complex numbers, grouped keys and values kept from step to step, and gated
    feed-forward layers. forward(ids, caches): scores of the last position, and the caches with what |ids| adds."""

    def __init__(self, words=100, dim=32, heads=4, groups=2, layers=2, length=64):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, dim // heads
        self.words, self.norm, self.head = nn.Embedding(words, dim), nn.RMSNorm(dim), nn.Linear(dim, words, bias=False)
        self.layers = nn.ModuleList(nn.ModuleDict(dict(
            norm1=nn.RMSNorm(dim), norm2=nn.RMSNorm(dim), query=nn.Linear(dim, dim, bias=False), key=nn.Linear(dim, groups * self.size, bias=False),
            value=nn.Linear(dim, groups * self.size, bias=False), out=nn.Linear(dim, dim, bias=False), gate=nn.Linear(dim, 3 * dim, bias=False),
            up=nn.Linear(dim, 3 * dim, bias=False), down=nn.Linear(3 * dim, dim, bias=False))) for _ in range(layers))
        angles = torch.outer(torch.arange(length).float(), 10000.0 ** (-torch.arange(0, self.size, 2).float() / self.size))
        self.register_buffer("turns", torch.polar(torch.ones_like(angles), angles))

    def turned(self, x, turns):
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turns[None, :, None]).flatten(3).type_as(x)

    def forward(self, ids, caches):
        batch, count = ids.shape
        past = caches[0].shape[1]
        turns, x, kept = self.turns[past:past + count], self.words(ids), []
        seen = torch.arange(past + count)[None] <= torch.arange(past, past + count)[:, None]
        for i, layer in enumerate(self.layers):
            y = layer["norm1"](x)
            split = lambda t, n: t.view(batch, count, n, self.size)  # noqa: E731
            q = self.turned(split(layer["query"](y), self.heads), turns)
            k = torch.cat([caches[2 * i], self.turned(split(layer["key"](y), self.groups), turns)], 1)
            v = torch.cat([caches[2 * i + 1], split(layer["value"](y), self.groups)], 1)
            kept += [k, v]
            spread = lambda t: t.repeat_interleave(self.heads // self.groups, 2).transpose(1, 2)  # noqa: E731
            mixed = F.scaled_dot_product_attention(q.transpose(1, 2), spread(k), spread(v), attn_mask=seen)
            x = x + layer["out"](mixed.transpose(1, 2).reshape(batch, count, -1))
            y = layer["norm2"](x)
            x = x + layer["down"](F.silu(layer["gate"](y)) * layer["up"](y))
        return self.head(self.norm(x[:, -1])), kept


class Patches(nn.Module):
    """A vision transformer: patches by a convolution, a class token, learned positions, and torch's own encoder."""

    def __init__(self, size=32, patch=8, dim=32, classes=7):
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, dim, patch, patch), nn.Parameter(torch.randn(1, 1, dim))
        self.places = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, dim))
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True, norm_first=True), 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.head(self.layers(x)[:, 0])


class Segments(nn.Module):
    """A U-Net: down by pooling, up by transposed convolutions and by interpolation, with what was seen on the way down."""

    def __init__(self, width=8):
        super().__init__()
        block = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())  # noqa: E731
        self.first, self.second, self.third = block(3, width), block(width, 2 * width), block(2 * width, 4 * width)
        self.up = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.fourth, self.fifth, self.last = block(4 * width, 2 * width), block(3 * width, width), nn.Conv2d(width, 2, 1)

    def forward(self, x):
        a = self.first(x)
        b = self.second(F.max_pool2d(a, 2))
        c = self.third(F.max_pool2d(b, 2))
        y = self.fourth(torch.cat([self.up(c), b], 1))
        return self.last(self.fifth(torch.cat([F.interpolate(y, scale_factor=2, mode="bilinear"), a], 1)))


class Recurrent(nn.Module):
    """An LSTM in both directions, a GRU, and a mean over the steps."""

    def __init__(self, dim=12):
        super().__init__()
        self.first, self.second, self.head = nn.LSTM(dim, 16, batch_first=True, bidirectional=True), nn.GRU(32, 16, batch_first=True), nn.Linear(16, 3)

    def forward(self, x): return self.head(self.second(self.first(x)[0])[0].mean(1))
