# SPDX-License-Identifier: Apache-2.0
"""What is written in other ops before the rows see it: torch's core decompositions, and fused ops that torch keeps whole."""
import functools
import math

import torch
import torch.nn.functional as F
from torch._decomp import core_aten_decompositions, get_decompositions
from torch._prims_common import compute_elementwise_output_logical_to_physical_perm as memory_order
from torch._prims_common import get_computation_dtype as computation_dtype

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


def flash_scores(query, key, is_causal, attn_mask, scale):
    """What the softmax of the CPU's fused attention is taken of, and the scale; sums of bf16 and f16 are taken in f32."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = torch.matmul(query * scale, key.transpose(-2, -1))
    if is_causal: scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril().logical_not(), -math.inf)
    if attn_mask is None: return scores, scale
    return scores.masked_fill(attn_mask.logical_not(), -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask, scale


def per_query(x, query):
    """Keys or values with a head for each of the query's, which may be a multiple of theirs."""
    x = x.to(query.dtype)
    return x if x.shape[1] == query.shape[1] else x.repeat_interleave(query.shape[1] // x.shape[1], 1)


def flash_attention(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    """The output and the log-sum-exp of each row of scores, [batch, heads, length]. torch's own decomposition gives the attention
    matrix in its place, which the backward kernel cannot read. A row that sees no key gives zeros."""
    q = query.to(computation_dtype(query.dtype))
    scores, _ = flash_scores(q, per_query(key, q), is_causal, attn_mask, scale)
    out = torch.matmul(aten._safe_softmax(scores, -1), per_query(value, q)).to(query.dtype)
    # torch's kernel lays the output out as [length, batch, heads, size] where the graph's views may count on it.
    # Of a row that sees no key the kernel's log-sum-exp is 0.
    return out.permute(2, 0, 1, 3).contiguous().permute(1, 2, 0, 3), torch.logsumexp(scores, -1).masked_fill((scores == -math.inf).all(-1), 0)


def flash_attention_backward(grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, *, attn_mask=None, scale=None):
    wide = computation_dtype(query.dtype)
    q, g = query.to(wide), grad_out.to(wide)
    k, v = per_query(key, q), per_query(value, q)
    scores, scale = flash_scores(q, k, is_causal, attn_mask, scale)
    weights = torch.exp(scores - logsumexp[..., None])
    of_weights = torch.matmul(g, v.transpose(-2, -1))
    of_scores = weights * (of_weights - (g * out.to(wide)).sum(-1, keepdim=True))
    grouped = lambda x, like: (x if x.shape[1] == like.shape[1] else x.unflatten(1, (like.shape[1], -1)).sum(2)).to(like.dtype)  # noqa: E731
    return ((torch.matmul(of_scores, k) * scale).to(query.dtype), grouped(torch.matmul(of_scores.transpose(-2, -1), q) * scale, key),
            grouped(torch.matmul(weights.transpose(-2, -1), g), value))


def native_dropout(input, p, train):
    """Draws as eager torch does (draws.py): in the order of the input's memory."""
    if train is False or p == 0: return input.clone(), torch.ones_like(input, dtype=torch.bool)
    if p == 1: return torch.zeros_like(input), torch.zeros_like(input, dtype=torch.bool)
    order = memory_order(input)[0]
    kept = aten.bernoulli.p(input.permute(order), 1 - p).permute([order.index(d) for d in range(input.dim())])
    return input * kept * (1 / (1 - p)), kept.to(torch.bool)


def weight_norm_backward(grad_w, saved_v, saved_g, saved_norms, dim):
    dims = [d for d in range(saved_v.dim()) if d != dim]
    along = (grad_w * saved_v).sum(dims, keepdim=True) / saved_norms
    return saved_g / saved_norms * (grad_w - saved_v * (along / saved_norms)), along


def replication_pad_backward(grad, input, padding):
    """What was read from beyond an edge belongs to the edge."""
    for k in range(len(padding) // 2):
        d = grad.dim() - 1 - k
        place = (torch.arange(grad.shape[d], device=grad.device) - padding[2 * k]).clamp(0, input.shape[d] - 1)
        grad = grad.new_zeros((*grad.shape[:d], input.shape[d], *grad.shape[d + 1:])).index_add(d, place, grad)
    return grad


def cdist_backward(grad, x1, x2, p, cdist):
    """The gradient of the first operand."""
    away, dist, grad = x1[..., :, None, :] - x2[..., None, :, :], cdist[..., None], grad[..., None]
    if p == 0: return torch.zeros_like(x1)
    if p == 1: each = away.sign()
    elif p == math.inf: each = away.sign() * (away.abs() == dist)
    else: each = torch.where(dist == 0, 0, away.sign() * (away.abs() / dist) ** (p - 1))
    if 0 < p < 1: each = torch.where(away == 0, 0, each)
    return (grad * each).sum(-2)


# Ops that torch can write in others, but keeps.
ALSO = [aten.grid_sampler_2d, aten.triu_indices, aten.tril_indices, aten.bucketize, aten._native_batch_norm_legit_functional,
        aten._batch_norm_with_update_functional, aten._batch_norm_no_update, aten.batch_norm_backward]

# Ops whose decomposition is Heddle's own.
OWN = {aten._transformer_encoder_layer_fwd.default: transformer_encoder_layer, aten._native_multi_head_attention.default: native_multi_head_attention,
       aten._scaled_dot_product_flash_attention_for_cpu.default: flash_attention,
       aten._scaled_dot_product_flash_attention_for_cpu_backward.default: flash_attention_backward,
       aten.native_dropout.default: native_dropout, aten._weight_norm_interface_backward.default: weight_norm_backward,
       aten.replication_pad1d_backward.default: replication_pad_backward, aten.replication_pad2d_backward.default: replication_pad_backward,
       aten.replication_pad3d_backward.default: replication_pad_backward, aten._cdist_backward.default: cdist_backward}


def table():
    """With every op of the process that torch itself defines by others, which an export would keep whole else: torch looks for them among thousands."""
    return {**core_aten_decompositions(), **get_decompositions(ALSO), **OWN}


@functools.cache
def backend_table():
    """table() for all graphs of the process: while a graph is traced, an op that was registered later is decomposed by torch's dispatcher."""
    return table()
