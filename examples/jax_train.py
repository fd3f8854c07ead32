#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small transformer learns to sort digits, on Heddle: JAX_PLATFORMS=heddle python examples/jax_train.py

Plain JAX: random initialisation, dropout, Adam, donated parameters and a checkpoint in the middle, from which training goes
on. Nothing here is about Heddle; on another platform of JAX the same losses come out.

    --steps N        how many steps (60)
    --checkpoint F   where to keep parameters after half of them (none)
    --losses F       write the losses as JSON"""
import argparse
import functools
import json

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, LAYERS, LENGTH, DIGITS, BATCH = 64, 4, 2, 8, 10, 32


def init(key):
    def matrix(key, rows, columns): return jax.random.normal(key, (rows, columns)) / np.sqrt(rows)
    keys = iter(jax.random.split(key, 3 + 6 * LAYERS))
    layers = [dict(qkv=matrix(next(keys), WIDTH, 3 * WIDTH), out=matrix(next(keys), WIDTH, WIDTH),
                   up=matrix(next(keys), WIDTH, 4 * WIDTH), down=matrix(next(keys), 4 * WIDTH, WIDTH),
                   scale1=jnp.ones(WIDTH), scale2=jnp.ones(WIDTH)) for _ in range(LAYERS)]
    return dict(embed=matrix(next(keys), DIGITS, WIDTH), place=matrix(next(keys), LENGTH, WIDTH), layers=layers,
                head=matrix(next(keys), WIDTH, DIGITS))


def norm(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def layer(p, x, key):
    b, s, d = x.shape
    q, k, v = jnp.split(norm(x, p["scale1"]) @ p["qkv"], 3, axis=-1)
    split = lambda t: t.reshape(b, s, HEADS, d // HEADS).transpose(0, 2, 1, 3)  # noqa: E731
    scores = jnp.einsum("bhsd,bhtd->bhst", split(q), split(k)) / np.sqrt(d // HEADS)
    mixed = jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(scores), split(v)).transpose(0, 2, 1, 3).reshape(b, s, d)
    x = x + dropout(key, mixed @ p["out"], 0.05)
    return x + jax.nn.gelu(norm(x, p["scale2"]) @ p["up"]) @ p["down"]


def loss_of(params, digits, targets, key):
    x = params["embed"][digits] + params["place"]
    for p, k in zip(params["layers"], jax.random.split(key, LAYERS)): x = layer(p, x, k)
    scores = jax.nn.log_softmax(x @ params["head"])
    return -jnp.take_along_axis(scores, targets[..., None], axis=-1).mean()


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(params, moments, number, key):
    data_key, drop_key = jax.random.split(jax.random.fold_in(key, number))
    digits = jax.random.randint(data_key, (BATCH, LENGTH), 0, DIGITS)
    loss, grads = jax.value_and_grad(loss_of)(params, digits, jnp.sort(digits, axis=-1), drop_key)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], grads)
    second = jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g * g, moments[1], grads)
    t = number + 1.0
    params = jax.tree.map(lambda p, m, v: p - 3e-3 * (m / (1 - 0.9 ** t)) / (jnp.sqrt(v / (1 - 0.99 ** t)) + 1e-8), params, first, second)
    return params, (first, second), loss


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--steps", type=int, default=60)
    options.add_argument("--checkpoint")
    options.add_argument("--losses")
    options = options.parse_args()
    params, key, losses = init(jax.random.key(0)), jax.random.key(1), []
    moments = (jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))
    print(f"on {jax.devices()[0]}")
    for number in range(options.steps):
        params, moments, loss = step(params, moments, float(number), key)
        losses.append(float(loss))
        if number % 10 == 0 or number == options.steps - 1: print(f"step {number:3}  loss {losses[-1]:.4f}")
        if options.checkpoint and number == options.steps // 2:
            leaves, tree = jax.tree.flatten((params, moments))
            np.savez(options.checkpoint, *map(np.asarray, leaves))
            with np.load(options.checkpoint) as saved: params, moments = jax.tree.unflatten(tree, [jnp.asarray(saved[n]) for n in saved.files])
    if options.losses:
        with open(options.losses, "w", encoding="utf-8") as handle: json.dump(losses, handle)


if __name__ == "__main__":
    main()
