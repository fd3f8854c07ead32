# SPDX-License-Identifier: Apache-2.0
"""Real models as JAX functions with unknown dims, for examples, tests and benchmarks.

MODELS maps a name to a Model: the function, its argument shapes (symbolic dims b and s) and the shapes to run.
tools/make_expectations.py writes them as StableHLO text with expected results; test/models runs them all."""
import math
from typing import Any, Callable, NamedTuple
import jax, jax.numpy as jnp
from jax import lax, export

f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32
S = jax.ShapeDtypeStruct
b, s = export.symbolic_shape("b, s")


class Model(NamedTuple):
    fn: Callable
    args: Any            # a tuple of pytrees of ShapeDtypeStruct, dims may be b and s
    shapes: list         # [{"b": 1, "s": 16}, ...]; "_scale" widens the activations, "_masked" empties a row of the mask
    tol: float = 1e-5    # error relative to the largest magnitude of the output
    limits: dict = {}    # argument index -> exclusive upper bound of random integers


def F(*dims): return S(dims, f32)
def BF(*dims): return S(dims, bf16)
def I(*dims): return S(dims, i32)


def ln(x, g, b, eps=1e-5):
    m = x.mean(-1, keepdims=True); v = jnp.square(x - m).mean(-1, keepdims=True)
    return (x - m) * lax.rsqrt(v + eps) * g + b

def attn(q, k, v, mask=None):
    s = jnp.einsum('bhqd,bhkd->bhqk', q, k) / math.sqrt(q.shape[-1])
    if mask is not None: s = jnp.where(mask, s, jnp.finfo(s.dtype).min)
    return jnp.einsum('bhqk,bhkd->bhqd', jax.nn.softmax(s, axis=-1), v)

def bert_layer(p, x, mask):
    b, s, d = x.shape; h = 12
    qkv = x @ p['wqkv'] + p['bqkv']
    q, k, v = [t.reshape(b, s, h, d // h).transpose(0, 2, 1, 3) for t in jnp.split(qkv, 3, -1)]
    o = attn(q, k, v, mask[:, None, None, :]).transpose(0, 2, 1, 3).reshape(b, s, d)
    x = ln(x + o @ p['wo'] + p['bo'], p['g1'], p['b1'])
    y = jax.nn.gelu(x @ p['w1'] + p['c1'], approximate=False) @ p['w2'] + p['c2']
    return ln(x + y, p['g2'], p['b2'])

def bert(ps, x, mask):
    for p in ps: x = bert_layer(p, x, mask)
    return x


def bert_params(d=768, f=3072):
    return dict(wqkv=F(d, 3 * d), bqkv=F(3 * d), wo=F(d, d), bo=F(d), g1=F(d), b1=F(d),
                w1=F(d, f), c1=F(f), w2=F(f, d), c2=F(d), g2=F(d), b2=F(d))


def gpt2_decode(ps, wte, wpe, lnf_g, lnf_b, tok, pos, kc, vc):
    """One-token decode with a KV cache of dynamic length. tok [b] i32, kc/vc [L,b,h,s,64]."""
    x = wte[tok] + wpe[pos]; b = tok.shape[0]; nk, nv = [], []
    for i, p in enumerate(ps):
        y = ln(x, p['g1'], p['b1']) @ p['wqkv'] + p['bqkv']
        q, k, v = [u.reshape(b, 12, 1, 64) for u in jnp.split(y, 3, -1)]
        K = jnp.concatenate([kc[i], k], 2); V = jnp.concatenate([vc[i], v], 2)
        nk.append(k); nv.append(v)
        o = attn(q, K, V).transpose(0, 2, 1, 3).reshape(b, 768)
        x = x + o @ p['wo'] + p['bo']
        x = x + jax.nn.gelu(ln(x, p['g2'], p['b2']) @ p['w1'] + p['c1']) @ p['w2'] + p['c2']
    x = ln(x, lnf_g, lnf_b)
    return x @ wte.T, jnp.stack(nk), jnp.stack(nv)

def conv(x, w, s=1, pad='SAME', groups=1):
    return lax.conv_general_dilated(x, w, (s, s), pad, dimension_numbers=('NHWC', 'HWIO', 'NHWC'), feature_group_count=groups)
def bn(x, p): return x * p[0] + p[1]
def bottleneck(p, x, stride=1, proj=False):
    y = jax.nn.relu(bn(conv(x, p['w1'], stride), p['s1']))
    y = jax.nn.relu(bn(conv(y, p['w2']), p['s2']))
    y = bn(conv(y, p['w3']), p['s3'])
    if proj: x = bn(conv(x, p['wp'], stride), p['sp'])
    return jax.nn.relu(x + y)
def resnet50(P, x):
    x = jax.nn.relu(bn(conv(x, P['w0'], 2, [(3,3),(3,3)]), P['s0']))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1,3,3,1), (1,2,2,1), [(0,0),(1,1),(1,1),(0,0)])
    for i, st in enumerate(P['stages']):
        for j, p in enumerate(st): x = bottleneck(p, x, 2 if (j == 0 and i > 0) else 1, j == 0)
    return x.mean((1, 2)) @ P['wf'] + P['bf']

def resnet_params():
    f = F
    st = []; cin = 64
    for n, c in ((3,64),(4,128),(6,256),(3,512)):
        bl = []
        for j in range(n):
            p = dict(w1=f(1,1,cin,c), s1=f(2,c), w2=f(3,3,c,c), s2=f(2,c), w3=f(1,1,c,4*c), s3=f(2,4*c))
            if j == 0: p.update(wp=f(1,1,cin,4*c), sp=f(2,4*c))
            cin = 4*c; bl.append(p)
        st.append(bl)
    return dict(w0=f(7,7,3,64), s0=f(2,64), stages=st, wf=f(2048,1000), bf=f(1000))

def mlp_loss(ps, x, y):
    for w, b in ps[:-1]: x = jax.nn.relu(x @ w + b)
    z = x @ ps[-1][0] + ps[-1][1]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(z), y[:, None], 1))
def train_step(ps, x, y):
    l, g = jax.value_and_grad(mlp_loss)(ps, x, y)
    return l, jax.tree.map(lambda p, d: p - 0.1 * d, ps, g)

def lstm(w, u, b, x):
    """x [s,b,128] scanned over s."""
    def step(c, xt):
        h, m = c; z = xt @ w + h @ u + b; i, f, g, o = jnp.split(z, 4, -1)
        m = jax.nn.sigmoid(f) * m + jax.nn.sigmoid(i) * jnp.tanh(g); h = jax.nn.sigmoid(o) * jnp.tanh(m)
        return (h, m), h
    z = jnp.zeros((x.shape[1], 256), x.dtype)
    return lax.scan(step, (z, z), x)

BS = [{"b": 1, "s": 16}, {"b": 1, "s": 128}, {"b": 4, "s": 64}, {"b": 3, "s": 37}, {"b": 8, "s": 128}, {"b": 2, "s": 23, "_scale": 20, "_masked": 1}]
MODELS = {
    "softmax": Model(lambda x: jax.nn.softmax(x, -1), (F(b, s),), [{"b": 64, "s": 1024}, {"b": 1, "s": 1}, {"b": 37, "s": 4099}, {"b": 4096, "s": 128}, {"b": 9, "s": 1001, "_scale": 200}]),
    "layernorm": Model(ln, (F(b, 768), F(768), F(768)), [{"b": 1}, {"b": 1021}, {"b": 8192}, {"b": 13, "_scale": 1000}]),
    "gelu": Model(lambda x: jax.nn.gelu(x), (F(b, s),), [{"b": 1, "s": 7}, {"b": 64, "s": 1024}, {"b": 3072, "s": 4096}, {"b": 31, "s": 257, "_scale": 8}]),
    "bert_layer": Model(bert_layer, (bert_params(), F(b, s, 768), S((b, s), jnp.bool_)), BS),
    "bert_base": Model(bert, ([bert_params() for _ in range(12)], F(b, s, 768), S((b, s), jnp.bool_)), [{"b": 1, "s": 17}, {"b": 1, "s": 128}, {"b": 4, "s": 64}], 1e-4),
    "gpt2_decode": Model(gpt2_decode, ([bert_params() for _ in range(2)], F(50257, 768), F(1024, 768), F(768), F(768), I(b), I(b), F(2, b, 12, s, 64), F(2, b, 12, s, 64)),
                         [{"b": 1, "s": 1}, {"b": 1, "s": 255}, {"b": 5, "s": 64}], limits={5: 50257, 6: 1024}),
    "train_step": Model(train_step, ([(F(784, 512), F(512)), (F(512, 512), F(512)), (F(512, 10), F(10))], F(b, 784), I(b)), [{"b": 1}, {"b": 31}, {"b": 128}], limits={2: 10}),
    "lstm": Model(lstm, (F(128, 1024), F(256, 1024), F(1024), F(s, b, 128)), [{"b": 1, "s": 1}, {"b": 4, "s": 50}, {"b": 7, "s": 13}]),
    "gelu_bf16": Model(lambda x: jax.nn.gelu(x), (BF(b, s),), [{"b": 1, "s": 7}, {"b": 64, "s": 1024}, {"b": 31, "s": 257, "_scale": 8}], 1e-2),
    "resnet50": Model(resnet50, (resnet_params(), F(b, 224, 224, 3)), [{"b": 1}, {"b": 3}, {"b": 5}], 1e-4),
}
