# SPDX-License-Identifier: Apache-2.0
"""Small torch models with random weights: an encoder over token ids and a residual network over images."""
import torch
from torch import nn


class Encoder(nn.Module):
    """Embeddings, transformer encoder layers and a projection of the first position."""

    def __init__(self, words=1000, dim=64, heads=4, layers=2, classes=10, positions=512):
        super().__init__()
        self.words, self.positions = nn.Embedding(words, dim), nn.Embedding(positions, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, activation="gelu", batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, ids, padding=None):
        x = self.words(ids) + self.positions(torch.arange(ids.shape[1]))
        return self.head(self.layers(x, src_key_padding_mask=padding)[:, 0])


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                                  nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                                  nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)) if stride != 1 or inputs != outputs else nn.Identity()

    def forward(self, x): return torch.relu(self.body(x) + self.skip(x))


class ResNet(nn.Module):
    """ResNet-50 with blocks=(3, 4, 6, 3) and width 64."""

    def __init__(self, blocks=(1, 1, 1, 1), width=16, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        stages, inputs = [], width
        for i, count in enumerate(blocks):
            for k in range(count):
                stages.append(Bottleneck(inputs, width << i, 2 if i and not k else 1))
                inputs = 4 * (width << i)
        self.stages, self.pool, self.head = nn.Sequential(*stages), nn.AdaptiveAvgPool2d(1), nn.Linear(inputs, classes)

    def forward(self, x): return self.head(self.pool(self.stages(self.stem(x))).flatten(1))


def warmed(model, *args):
    """Eval mode, with running statistics that are not the initial ones."""
    with torch.no_grad():
        model.train()(*args)
    return model.eval()
