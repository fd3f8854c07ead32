# SPDX-License-Identifier: Apache-2.0
"""jit.py PEER: jax.jit on Heddle or on XLA:CPU, whichever the environment makes JAX's platform, in a process of its own.

  jit.py PEER --first                one gelu through jax.jit, then the process ends: its life is what is measured
  otherwise JSON lines on stdin, answered on stdout:
  {"op": "sweep", "model": M, "shapes": [D...]} -> {"each_ms", "compiled", "shared"}  a jitted function at shapes that it has not seen
  {"op": "run", "ms": T}                        -> {"us": [...]}  single calls of a tiny jitted function for about T ms, after warm ones"""
import sys
import time

import jax

import cases
import protocol

tools = cases.tools


def counters():
    """What Heddle has compiled so far, and what shared code; null on XLA, which compiles all."""
    if jax.devices()[0].platform != "heddle": return None
    from heddle.jax_platform import counters as of
    return of()


def sweep(name, shapes):
    model = cases.all_models()[name]
    leaves = tools.leaves_with_index(model)
    structure, weights, calls = jax.tree.structure(model.args), None, []
    for dims in shapes:
        flat = tools.normal_inputs(model, range(len(leaves)), dims, seed=1)
        if weights is None: weights = {n: jax.numpy.asarray(x) for n, x in enumerate(flat) if not tools.varies(leaves[n][0])}
        calls.append(jax.tree.unflatten(structure, [weights.get(n, jax.numpy.asarray(x)) for n, x in enumerate(flat)]))
    jax.block_until_ready(calls)
    before, function, each = counters(), jax.jit(model.fn), []
    for args in calls:
        start = time.perf_counter()
        jax.block_until_ready(function(*args))
        each.append((time.perf_counter() - start) * 1e3)
    after = counters()
    return {"each_ms": each, "compiled": len(shapes) if after is None else after.compiled + after.generalized - before.compiled - before.generalized,
            "shared": 0 if after is None else after.shared - before.shared}


class Tiny:
    """Eight elements and one op: what is left is the way there and back."""

    def __init__(self): self.function = None

    def run(self, ms):
        if not self.function:
            self.function, self.x = jax.jit(lambda x: x + 1), jax.numpy.zeros(8)
            for _ in range(100): self.function(self.x).block_until_ready()
        times, end = [], time.perf_counter() + ms / 1e3
        while time.perf_counter() < end:
            start = time.perf_counter()
            self.function(self.x).block_until_ready()
            times.append((time.perf_counter() - start) * 1e6)
        return times


def main():
    if "--first" in sys.argv:
        jax.jit(tools.load_models()["gelu"].fn)(jax.numpy.ones((4, 128))).block_until_ready()
        return
    def connect():
        tiny = Tiny()

        def answer(request):
            if request["op"] == "sweep": return sweep(request["model"], request["shapes"])
            if request["op"] == "run": return {"us": tiny.run(request["ms"])}
            return None
        return answer
    protocol.serve(connect)


if __name__ == "__main__":
    main()
