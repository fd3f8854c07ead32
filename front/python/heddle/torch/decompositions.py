# SPDX-License-Identifier: Apache-2.0
"""What is written in other ops before the rows see it: torch's core decompositions, and fused ops that torch keeps whole."""
import math

import torch
import torch.nn.functional as F
from torch._decomp import core_aten_decompositions, get_decompositions

aten = torch.ops.aten


def attention(query, key, value, heads, dim, masked):
    """Attention of projected [batch, length, dim] tensors; |masked|: true where a key is not seen, or None."""
    batch, length = query.shape[:2]
    split = lambda x: x.view(batch, x.shape[1], heads, dim // heads).transpose(1, 2)  # noqa: E731
    scores = torch.matmul(split(query) / math.sqrt(dim // heads), split(key).transpose(-2, -1))
    if masked is not None: scores = scores.masked_fill(masked, -math.inf)
    weights = torch.softmax(scores, -1)
    return torch.matmul(weights, split(value)).transpose(1, 2).reshape(batch, length, dim), weights


def spread(mask, kind):
    """A mask of torch's fused attention against [batch, heads, length, length]: kind 1 is of keys, 0 of pairs."""
    if mask is None: return None
    mask = mask.to(torch.bool)
    return mask[:, None, None, :] if kind == 1 else mask


def native_multi_head_attention(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask=None,
                                need_weights=True, average_attn_weights=True, mask_type=None):
    weights, biases = qkv_weight.split(embed_dim), qkv_bias.split(embed_dim)
    out, scores = attention(*(F.linear(x, w, v) for x, w, v in zip((query, key, value), weights, biases)), num_head, embed_dim, spread(mask, mask_type))
    if not need_weights: return F.linear(out, proj_weight, proj_bias), query.new_empty(0)
    return F.linear(out, proj_weight, proj_bias), scores.mean(1) if average_attn_weights else scores


def transformer_encoder_layer(src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps, norm_weight_1, norm_bias_1,
                              norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2, mask=None, mask_type=None):
    norm1 = lambda x: F.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)  # noqa: E731
    norm2 = lambda x: F.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)  # noqa: E731

    def attend(x):
        qkv = F.linear(x, qkv_weight, qkv_bias).split(embed_dim, -1)
        return F.linear(attention(*qkv, num_heads, embed_dim, spread(mask, mask_type))[0], proj_weight, proj_bias)

    def feed(x):
        y = F.linear(x, ffn_weight_1, ffn_bias_1)
        return F.linear(F.gelu(y) if use_gelu else F.relu(y), ffn_weight_2, ffn_bias_2)
    if norm_first:
        x = src + attend(norm1(src))
        return x + feed(norm2(x))
    x = norm1(src + attend(src))
    return norm2(x + feed(x))


# Ops that torch can write in others, but keeps.
ALSO = [aten.grid_sampler_2d, aten.triu_indices, aten.tril_indices, aten.bucketize]


def table():
    return {**core_aten_decompositions(), **get_decompositions(ALSO), aten._transformer_encoder_layer_fwd.default: transformer_encoder_layer,
            aten._native_multi_head_attention.default: native_multi_head_attention}
