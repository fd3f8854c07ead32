# SPDX-License-Identifier: Apache-2.0
"""The models of examples/models.py written for torch, with equal math and the same arguments, as a torch user would.

MODELS maps a name to (prepare, function): prepare turns the tree of tensors once, outside of what is timed (filters to
torch's layout), function takes what it gives."""
import math

import torch
import torch.nn.functional as F


def same(*args): return args


def ln(x, g, b): return F.layer_norm(x, x.shape[-1:], g, b, 1e-5)


def bert_layer(p, x, mask):
    b, s, d = x.shape
    q, k, v = (t.view(b, s, 12, d // 12).transpose(1, 2) for t in torch.addmm(p["bqkv"], x.view(b * s, d), p["wqkv"]).view(b, s, 3 * d).split(d, -1))
    o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :]).transpose(1, 2).reshape(b * s, d)
    x = ln(x.reshape(b * s, d) + torch.addmm(p["bo"], o, p["wo"]), p["g1"], p["b1"])
    y = torch.addmm(p["c2"], F.gelu(torch.addmm(p["c1"], x, p["w1"])), p["w2"])
    return ln(x + y, p["g2"], p["b2"]).view(b, s, d)


def bert(ps, x, mask):
    for p in ps: x = bert_layer(p, x, mask)
    return x


def gpt2_decode(ps, wte, wpe, lnf_g, lnf_b, tok, pos, kc, vc):
    x, b, nk, nv = wte[tok] + wpe[pos], tok.shape[0], [], []
    for i, p in enumerate(ps):
        y = torch.addmm(p["bqkv"], ln(x, p["g1"], p["b1"]), p["wqkv"])
        q, k, v = (u.view(b, 12, 1, 64) for u in y.split(768, -1))
        keys, values = torch.cat([kc[i], k], 2), torch.cat([vc[i], v], 2)
        nk.append(k)
        nv.append(v)
        o = F.scaled_dot_product_attention(q, keys, values).transpose(1, 2).reshape(b, 768)
        x = x + torch.addmm(p["bo"], o, p["wo"])
        x = x + torch.addmm(p["c2"], F.gelu(torch.addmm(p["c1"], ln(x, p["g2"], p["b2"]), p["w1"]), approximate="tanh"), p["w2"])
    return ln(x, lnf_g, lnf_b) @ wte.T, torch.stack(nk), torch.stack(nv)


def resnet_prepare(params, x):
    """HWIO filters to OIHW in channels-last order; the input stays NHWC in memory, seen as NCHW."""
    def walk(v):
        if isinstance(v, dict): return {k: walk(u) for k, u in v.items()}
        if isinstance(v, (list, tuple)): return [walk(u) for u in v]
        if v.dim() == 4: return v.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        if v.dim() == 2 and v.shape[0] == 2: return v.view(2, 1, -1, 1, 1)
        return v
    return walk(params), x.permute(0, 3, 1, 2)


def bn(x, p): return x * p[0] + p[1]


def conv_same(x, w, stride):
    """JAX's SAME padding: at stride 2 the extra row goes to the end."""
    k = w.shape[-1]
    if k == 1: return F.conv2d(x, w, stride=stride)
    if stride == 1: return F.conv2d(x, w, padding=k // 2)
    total = [max((-(-n // stride) - 1) * stride + k - n, 0) for n in x.shape[-2:]]
    return F.conv2d(F.pad(x, (total[1] // 2, total[1] - total[1] // 2, total[0] // 2, total[0] - total[0] // 2)), w, stride=stride)


def bottleneck(p, x, stride, project):
    y = F.relu(bn(conv_same(x, p["w1"], stride), p["s1"]))
    y = F.relu(bn(conv_same(y, p["w2"], 1), p["s2"]))
    y = bn(conv_same(y, p["w3"], 1), p["s3"])
    if project: x = bn(conv_same(x, p["wp"], stride), p["sp"])
    return F.relu(x + y)


def resnet50(p, x):
    x = F.relu(bn(F.conv2d(x, p["w0"], stride=2, padding=3), p["s0"]))
    x = F.max_pool2d(x, 3, 2, 1)
    for i, stage in enumerate(p["stages"]):
        for j, block in enumerate(stage): x = bottleneck(block, x, 2 if j == 0 and i > 0 else 1, j == 0)
    return x.mean((2, 3)) @ p["wf"] + p["bf"]


def train_step(ps, x, y):
    leaves = [t.detach().requires_grad_() for pair in ps for t in pair]
    for w, b in zip(leaves[0:-2:2], leaves[1:-2:2]): x = F.relu(torch.addmm(b, x, w))
    loss = F.cross_entropy(torch.addmm(leaves[-1], x, leaves[-2]), y)
    grads = torch.autograd.grad(loss, leaves)
    new = [p.detach() - 0.1 * g for p, g in zip(leaves, grads)]
    return loss.detach(), [(new[i], new[i + 1]) for i in range(0, len(new), 2)]


def lstm_prepare(w, u, b, x):
    module = torch.nn.LSTM(128, 256)
    with torch.no_grad():
        module.weight_ih_l0.copy_(w.T)
        module.weight_hh_l0.copy_(u.T)
        module.bias_ih_l0.copy_(b)
        module.bias_hh_l0.zero_()
    return module, x


def lstm(module, x):
    out, (h, m) = module(x)
    return (h[0], m[0]), out


MODELS = {
    "softmax": (same, lambda x: torch.softmax(x, -1)),
    "layernorm": (same, ln),
    "gelu": (same, lambda x: F.gelu(x, approximate="tanh")),
    "gelu_bf16": (same, lambda x: F.gelu(x, approximate="tanh")),
    "bert_layer": (same, bert_layer),
    "bert_base": (same, bert),
    "gpt2_decode": (same, gpt2_decode),
    "train_step": (lambda ps, x, y: (ps, x, y.long()), train_step),
    "lstm": (lstm_prepare, lstm),
    "resnet50": (resnet_prepare, resnet50),
    "gemm": (same, lambda x, w: x @ w),
}
