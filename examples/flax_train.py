#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small Flax transformer learns to sort digits, on Heddle: JAX_PLATFORMS=heddle python examples/flax_train.py

Flax modules with dropout, optax's AdamW under a schedule with clipped gradients, and Orbax checkpoints. Nothing here is
about Heddle; on another platform of JAX the same losses come out, and each platform restores the other's checkpoints.

    --steps N          train up to step N (40)
    --checkpoints DIR  restore the newest checkpoint in DIR, if any, and write one after every --every steps
    --every N          (10)
    --losses F         write the losses as JSON, by step"""
import argparse
import json
import os

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp
from flax import nnx

WIDTH, HEADS, LAYERS, LENGTH, DIGITS, BATCH = 64, 4, 2, 8, 10, 32


class Block(nnx.Module):
    def __init__(self, rngs):
        self.norm1, self.norm2 = nnx.LayerNorm(WIDTH, rngs=rngs), nnx.LayerNorm(WIDTH, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(HEADS, WIDTH, dropout_rate=0.05, decode=False, rngs=rngs)
        self.up, self.down = nnx.Linear(WIDTH, 4 * WIDTH, rngs=rngs), nnx.Linear(4 * WIDTH, WIDTH, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        x = x + self.dropout(self.attention(self.norm1(x)))
        return x + self.dropout(self.down(nnx.gelu(self.up(self.norm2(x)))))


class Sorter(nnx.Module):
    def __init__(self, rngs):
        self.digits, self.places = nnx.Embed(DIGITS, WIDTH, rngs=rngs), nnx.Embed(LENGTH, WIDTH, rngs=rngs)
        self.blocks = nnx.List([Block(rngs) for _ in range(LAYERS)])
        self.head = nnx.Linear(WIDTH, DIGITS, rngs=rngs)

    def __call__(self, digits):
        x = self.digits(digits) + self.places(jnp.arange(LENGTH))
        for block in self.blocks: x = block(x)
        return self.head(x)


@nnx.jit
def step(model, optimizer, number):
    digits = jax.random.randint(jax.random.fold_in(jax.random.key(1), number), (BATCH, LENGTH), 0, DIGITS)

    def loss_of(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(digits), jnp.sort(digits, axis=-1)).mean()
    loss, grads = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, grads)
    return loss


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--steps", type=int, default=40)
    options.add_argument("--checkpoints")
    options.add_argument("--every", type=int, default=10)
    options.add_argument("--losses")
    options = options.parse_args()
    model = Sorter(nnx.Rngs(0))
    model.train()  # dropout happens
    schedule = optax.warmup_cosine_decay_schedule(1e-4, 3e-3, 10, 200)
    optimizer = nnx.Optimizer(model, optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule)), wrt=nnx.Param)
    # Parameters, moments and the state of the random numbers: with all three, training goes on as if it had not stopped.
    state, first, losses = nnx.state((model, optimizer)), 0, {}
    manager = ocp.CheckpointManager(os.path.abspath(options.checkpoints)) if options.checkpoints else None
    if manager and manager.latest_step() is not None:
        first = manager.latest_step()
        nnx.update((model, optimizer), manager.restore(first, args=ocp.args.StandardRestore(state)))
    print(f"on {jax.devices()[0]}, from step {first}")
    for number in range(first, options.steps):
        losses[number] = float(step(model, optimizer, number))
        if number % 10 == 0 or number == options.steps - 1: print(f"step {number:3}  loss {losses[number]:.4f}")
        if manager and (number + 1) % options.every == 0:
            manager.save(number + 1, args=ocp.args.StandardSave(nnx.state((model, optimizer))))
    if manager: manager.close()
    if options.losses:
        with open(options.losses, "w", encoding="utf-8") as handle: json.dump(losses, handle)


if __name__ == "__main__":
    main()
