# SPDX-License-Identifier: Apache-2.0
"""Training on several devices, laid out by shardings, by shard_map and by pmap. Runs as device_cases.py does."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import platform_cases
from device_cases import N, PLATFORMS, compare, everywhere, meshes, two_axes
from platform_cases import floats

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


@case
def tensor_parallel_transformer():
    """Batches along one axis, heads, hidden features and the vocabulary along the other: loss, gradients and a step."""
    heads, d, hidden, vocabulary = 4, 16, 32, 48
    shapes = dict(q=(d, heads, d // heads), k=(d, heads, d // heads), v=(d, heads, d // heads), o=(heads, d // heads, d), up=(d, hidden), down=(hidden, d), embed=(vocabulary, d))
    laid = dict(q=P(None, "y"), k=P(None, "y"), v=P(None, "y"), o=P("y"), up=P(None, "y"), down=P("y"), embed=P("y"))

    def norm(x): return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    def block(p, x):
        q, k, v = (jnp.einsum("bsd,dhe->bshe", norm(x), p[n]) for n in "qkv")
        s = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), jnp.einsum("bshe,bthe->bhst", q, k) / 2, -1e9)
        x = x + jnp.einsum("bshe,hed->bsd", jnp.einsum("bhst,bthe->bshe", jax.nn.softmax(s, -1), v), p["o"])
        return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]

    def loss(p, tokens):
        x = block(p, block(p, p["embed"][tokens]))
        logits = jax.nn.log_softmax(x @ p["embed"].T, -1)
        return -jnp.mean(jnp.take_along_axis(logits[:, :-1], tokens[:, 1:, None], -1))

    def step(p, tokens):
        l, g = jax.value_and_grad(loss)(p, tokens)
        return jax.tree.map(lambda v, d: v - 0.1 * d, p, g), l
    results = []
    for mesh in meshes("x", "y", shape=two_axes()["shape"]):
        p = {k: jax.device_put(floats(*s, seed=i) * 0.3, NamedSharding(mesh, laid[k])) for i, (k, s) in enumerate(shapes.items())}
        tokens = jax.device_put(np.random.RandomState(0).randint(0, vocabulary, (4, 6)), NamedSharding(mesh, P("x")))
        losses = []
        for _ in range(3):
            p, l = jax.jit(step, donate_argnums=0)(p, tokens)
            losses.append(l)
        results.append((p, losses))
    compare(results[1], results[0], 2e-3)


@case
def parameters_in_parts():
    """Parameters, too, along the axis of the batch."""
    def make(mesh):
        def step(p, x):
            g = jax.grad(lambda p: jnp.mean((jnp.tanh(x @ p["w"]) @ p["v"] - x) ** 2))(p)
            return jax.tree.map(lambda v, d: v - 0.1 * d, p, g)
        return jax.jit(lambda w, v, x: step(dict(w=w, v=v), x), out_shardings=NamedSharding(mesh, P("x")))
    everywhere(make, floats(8, 16), floats(16, 8, seed=1), floats(8, 8, seed=2))


def parameters():
    return {"w1": floats(6, 16, seed=1) * 0.4, "b1": np.zeros(16, np.float32), "w2": floats(16, 3, seed=2) * 0.4, "b2": np.zeros(3, np.float32)}


def loss(p, x, y):
    return jnp.mean((jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"] - y) ** 2)


def train(mesh, step, specs=P()):
    p = jax.tree.map(lambda v: jax.device_put(v, NamedSharding(mesh, P())), parameters())
    x, y = (jax.device_put(v, NamedSharding(mesh, P("x"))) for v in (floats(16, 6), floats(16, 3, seed=5)))
    losses = []
    for _ in range(5):
        p, l = step(p, x, y)
        losses.append(l)
    return p, losses


@case
def training_by_shardings():
    def step(p, x, y):
        l, g = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda v, d: v - 0.1 * d, p, g), l
    results = [train(mesh, jax.jit(step, donate_argnums=0)) for mesh in meshes("x")]
    compare(results[1], results[0])


@case
def training_by_shard_map():
    def make(mesh):
        def step(p, x, y):
            l, g = jax.value_and_grad(loss)(p, x, y)
            return jax.tree.map(lambda v, d: v - 0.1 * jax.lax.pmean(d, "x"), p, g), jax.lax.pmean(l, "x")
        return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=(P(), P("x"), P("x")), out_specs=(P(), P()), check_vma=False), donate_argnums=0)
    results = [train(mesh, make(mesh)) for mesh in meshes("x")]
    compare(results[1], results[0])


@case
def pmap_of_parts():
    """Arguments that are the same everywhere, results that are, arrays of one pmap in another."""
    results = []
    for p in PLATFORMS:
        devices = jax.devices(p)[:N]
        f = jax.pmap(lambda a, b: (jax.lax.pmean(a @ b, "i"), jax.lax.all_gather(a, "i"), jax.lax.axis_index("i")), axis_name="i", devices=devices)
        g = jax.pmap(lambda a, b: a + b, in_axes=(0, None), devices=devices)
        results.append((f(floats(N, 3, 4), floats(N, 4, 2, seed=1)), g(g(floats(N, 2), floats(2, seed=2)), floats(2, seed=3))))
    compare(results[1], results[0])


@case
def pmap():
    results = [jax.pmap(lambda a: jax.lax.psum(a * 2, "i"), axis_name="i", devices=jax.devices(p)[:N])(floats(N, 3)) for p in PLATFORMS]
    np.testing.assert_allclose(np.asarray(results[1]), np.asarray(results[0]), rtol=1e-6)


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
