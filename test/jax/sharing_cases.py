# SPDX-License-Identifier: Apache-2.0
"""Programs that JAX traces at several shapes: which of them are compiled, and that what shares code is right.

Runs as platform_cases.py does, with a cache on disk that is empty at first."""
import jax
import jax.numpy as jnp
import numpy as np

import platform_cases
from heddle.jax_platform import counters
from platform_cases import assert_near, floats

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


def runs(f, *shapes, want=None, most=None, tolerance=1e-4, inputs=None):
    """|f| on floats of each list of shapes, as on JAX's CPU; what is compiled meanwhile is |want| (compiled, generalized), or |most| programs."""
    jitted, before = jax.jit(f), counters()
    for number, shape in enumerate(shapes):
        args = inputs(shape) if inputs else [floats(*s, seed=number + i) for i, s in enumerate(shape)]
        got = jax.tree.map(np.asarray, jitted(*args))
        with jax.default_device(jax.devices("cpu")[0]): expected = jax.tree.map(np.asarray, jitted(*args))
        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(expected)): assert_near(g, w, tolerance, tolerance)
    after = counters()
    if want: assert (after.compiled - before.compiled, after.generalized - before.generalized) == want, (before, after)
    if most: assert after.compiled - before.compiled + after.generalized - before.generalized <= most, (before, after)


@case
def elementwise(): runs(jax.nn.gelu, [(4, 8)], [(6, 10)], [(7, 3)], [(1, 9)], [(70, 90)], want=(1, 1))


@case
def one_dim_then_two(): runs(jax.nn.softmax, [(4, 8)], [(6, 8)], [(7, 8)], [(7, 9)], [(5, 3)], want=(1, 2))


@case
def means(): runs(lambda x: jnp.mean(x, axis=0) + jnp.var(x), [(4, 8)], [(6, 10)], [(7, 3)], [(2, 9)], want=(1, 1))


@case
def iota_and_constants():
    runs(lambda x: x + jnp.arange(x.shape[0], dtype="f")[:, None] + jnp.ones(x.shape), [(4, 8)], [(6, 10)], [(7, 3)], want=(1, 1))


@case
def reshapes(): runs(lambda x: x.reshape(x.shape[0] * x.shape[1], -1).sum(1), [(4, 8, 2)], [(6, 10, 2)], [(7, 3, 2)], want=(1, 1))


@case
def products(): runs(lambda x, w: x @ w, [(4, 8), (8, 3)], [(6, 9), (9, 3)], [(9, 7), (7, 3)], [(1, 1), (1, 3)], want=(1, 1))


@case
def concatenations(): runs(lambda x, y: jnp.concatenate([x, y]), [(4, 8), (5, 8)], [(6, 8), (7, 8)], [(9, 8), (2, 8)], want=(1, 1))


@case
def slices(): runs(lambda x: x[1:] * x[:-1], [(4, 8)], [(6, 8)], [(9, 8)], want=(1, 1))


@case
def halves():
    def sums(x):
        half = x.shape[0] // 2
        return x[:half].sum(0) + x[half:].sum(0), x[half], x[:half].reshape(-1)
    runs(sums, [(7, 5)], [(16, 9)], [(9, 2)], [(34, 6)], [(13, 3)], want=(1, 1))


@case
def blocks():
    def padded(x):
        count = -(-x.shape[0] // 4)
        x = jnp.pad(x, ((0, 4 * count - x.shape[0]), (0, 0))).reshape(count, 4, -1)
        return x.sum(0), x.sum(1), x.reshape(2, -1)
    runs(padded, [(7, 5)], [(18, 9)], [(9, 2)], [(34, 6)], [(13, 3)], most=3)


@case
def strides():
    def pooled(x):
        y = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID")
        return y.reshape(-1), jax.grad(lambda x: (jax.lax.reduce_window(x, 0., jax.lax.add, (3, 3), (2, 2), "SAME") ** 2).sum())(x)
    runs(pooled, [(7, 5)], [(18, 9)], [(9, 12)], [(34, 6)], [(13, 3)], [(14, 8)], [(21, 17)], [(8, 8)], most=6)


@case
def padding(): runs(lambda x: jnp.pad(x, ((1, 2), (0, x.shape[0]))), [(4, 8)], [(6, 8)], [(9, 8)], want=(1, 1))


@case
def loops(): runs(lambda x: jax.lax.fori_loop(0, x.shape[0], lambda i, c: c + x[i], jnp.zeros(x.shape[1])), [(4, 8)], [(6, 8)], [(9, 8)], want=(1, 1))


@case
def convolutions():
    # One that adds no padding says nothing of it, and is not given any by what batches share.
    def convolve(x, w): return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    runs(convolve, *([(batch, 9, 8, 3), (3, 2, 3, 4)] for batch in (2, 3, 5)), want=(1, 1))


@case
def gradients():
    def loss(w, x): return jnp.mean(jnp.tanh(x @ w) ** 2)
    runs(jax.grad(loss), [(8, 3), (4, 8)], [(8, 3), (6, 8)], [(8, 3), (9, 8)], want=(1, 1))


@case
def rows_of_a_table():
    # The gradient of a slice puts its rows back among zeros, fewer the longer the slice is.
    def loss(table, x): return jnp.mean(jnp.tanh(table[:x.shape[0]] * x) ** 2)
    runs(jax.grad(loss), *([(24, 8), (n, 8)] for n in (4, 9, 13, 20)), want=(1, 1))


@case
def attention():
    def f(q, k, v):
        causal = jnp.tril(jnp.ones((q.shape[1], k.shape[1]), bool))
        scores = jnp.where(causal, jnp.einsum("bsd,btd->bst", q, k), -1e9)
        return jnp.einsum("bst,btd->bsd", jax.nn.softmax(scores), v)
    runs(f, *([(b, s, 16)] * 3 for b, s in ((2, 5), (3, 7), (1, 11), (4, 4), (2, 64))), want=(1, 1))


@case
def random_numbers():
    # Bits become floats of the same width: masks, uniform and normal numbers of any size.
    def dropout(key, x): return jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x / 0.5, 0)
    def key_and_floats(shape): return [np.array([0, 7], np.uint32), floats(*shape)]
    for draw in (dropout, lambda key, x: x + jax.random.normal(key, x.shape), lambda key, x: x * jax.random.uniform(key, x.shape[:1])[:, None]):
        runs(lambda data, x: draw(jax.random.wrap_key_data(data), x), (4, 8), (6, 10), (7, 3), (2, 9), (64, 33), want=(1, 1), inputs=key_and_floats)


@case
def equal_sizes_that_part():
    # Two arguments grow together at first: one symbol. Then they do not: another program, right as well.
    runs(lambda x, y: x.sum() + y, [(4,), (4,)], [(6,), (6,)], [(7,), (5,)], [(9,), (3,)], [(8,), (8,)], want=(1, 2))


@case
def coincidences():
    # 4 and 6 are sizes at first and numbers of the program later: they must not be taken for the size.
    for f in (lambda x: x * 40.0, lambda x: x * 60.0, lambda x: x * 70.0, lambda x: x + 60.0):
        runs(f, [(40,)], [(60,)], [(70,)], [(41,)])

    def scaled(x, by): return x * float(by)
    for size, by in ((40, 40), (60, 60), (70, 60), (80, 40), (90, 90)):
        with jax.default_device(jax.devices("heddle")[0]):
            got = jax.jit(scaled, static_argnums=1)(floats(size), by)
        np.testing.assert_allclose(np.asarray(got), floats(size) * by, rtol=1e-6)


@case
def other_programs():
    # The same ops with other axes or other constants are no instance.
    runs(lambda x: x.sum(0), [(4, 5)], [(6, 7)], want=(1, 1))
    runs(lambda x: x.sum(1), [(4, 5)], [(6, 7)], want=(1, 1))
    runs(lambda x: x * 0.5 + 3, [(4, 5)], want=(1, 0))
    runs(lambda x: x * 0.25 + 3, [(4, 5)], want=(1, 0))


@case
def numbers_that_python_computes():
    # Constants that are no products and sums of sizes: each program brings its own to the code that they share.
    sizes = [(4, 16), (6, 24), (9, 7), (64, 100), (2, 64)]
    for f in (lambda x: x / np.sqrt(x.shape[-1]), lambda x: x * (1 / x.shape[0]) + 1, lambda x: x - x.shape[1] ** -0.5,
              lambda x: x + np.log(x.shape[0]), lambda x: x * np.float32(1 / np.sqrt(x.shape[-1])), lambda x: x * 0.5 * -x.shape[0],
              lambda x: x.astype(jnp.bfloat16) * (2.0 / x.shape[1]), lambda x: x + np.log2(x.shape[0]) * np.ones(x.shape, "f")):
        runs(f, *([s] for s in sizes), most=2, tolerance=1e-2 if f(np.ones((2, 2), "f")).dtype == jnp.bfloat16 else 1e-6)


@case
def tables_that_python_computes():
    sizes = [(4, 16), (6, 24), (9, 7), (64, 100), (2, 64)]
    for f in (lambda x: x + np.arange(x.shape[0], dtype="f")[:, None], lambda x: x + np.linspace(0, 1, x.shape[1], dtype="f"),
              lambda x: x @ np.eye(x.shape[1], dtype="f"), lambda x: jnp.where(np.tri(*x.shape, dtype=bool), x, -1e9),
              lambda x: x @ np.zeros((x.shape[1],) * 2, "f") + np.ones(x.shape, "f"), lambda x: x[np.arange(x.shape[0])[::-1]],
              lambda x: x * np.exp(1j * np.arange(x.shape[1])).astype("F"), lambda x: (x, np.arange(x.shape[0]))):
        runs(f, *([s] for s in sizes), most=2)
    # A table of one element looks like a number that stands for all, one without elements like any.
    for f in (lambda x: x * np.arange(x.shape[0], dtype="f"), lambda x: x + np.full(x.shape, 0.3, "f") * x.shape[0]):
        runs(f, *([(n,)] for n in (4, 6, 1, 0, 30)), most=2)


@case
def positions_and_masks():
    # An attention with everything that shapes decide computed by numpy: scale, causal mask, sinusoidal positions; a loop reads the table too.
    def positions(s, d):
        angles = np.arange(s)[:, None] / 10000 ** (2 * (np.arange(d) // 2) / d)
        return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles)).astype("f")

    def f(x):
        b, s, d = x.shape
        for _ in range(2):
            x = x + positions(s, d)
            scores = jnp.where(np.tri(s, dtype=bool), jnp.einsum("bsd,btd->bst", x, x) / np.sqrt(d), -1e9)
            x = jnp.einsum("bst,btd->bsd", jax.nn.softmax(scores), x)
        table = positions(s, d)
        return jax.lax.fori_loop(0, s, lambda i, c: c + jnp.asarray(table)[i] * x[:, i], x[:, 0])
    runs(f, *([(b, s, 16)] for b, s in ((2, 5), (3, 7), (4, 4), (2, 64), (16, 16))), want=(1, 1))
    runs(jax.grad(lambda x: f(x).sum()), *([(b, s, 16)] for b, s in ((2, 5), (3, 9), (6, 6), (5, 11))), want=(1, 1))


@case
def tables_of_one_size():
    # What the sizes have nothing to do with: tables that differ are two programs at one size, and share from the second size on.
    def table(seed): return np.random.default_rng(seed).standard_normal(8).astype("f")
    def with_table(seed): return lambda x: x * table(seed)
    runs(with_table(0), [(4, 8)], want=(1, 0))
    runs(with_table(1), [(4, 8)], want=(1, 0))
    runs(with_table(1), [(6, 8)], [(9, 8)], want=(0, 1))
    runs(with_table(0), [(6, 8)], [(9, 8)], want=(0, 1))
    for seed in range(2, 9): runs(with_table(seed), [(seed, 8)])
    runs(with_table(9), [(31, 8)], [(33, 8)], want=(0, 0))


@case
def constants_of_other_processes():
    # What is lifted comes from the disk and from a serialised executable too.
    from jax.experimental.serialize_executable import deserialize_and_load, serialize
    def f(x): return jnp.where(np.tri(*x.shape, dtype=bool), x / np.sqrt(x.shape[0]), 7)
    before = counters()
    for _ in range(2):
        for n in (11, 12, 13):
            x = floats(n, n)
            again = deserialize_and_load(*serialize(jax.jit(f).lower(x).compile()))
            jax.clear_caches()
            for g in (jax.jit(f), again):
                np.testing.assert_array_equal(np.asarray(g(x)), np.where(np.tri(n, dtype=bool), x / np.float32(np.sqrt(n)), np.float32(7)))
    after = counters()
    assert (after.compiled - before.compiled, after.generalized - before.generalized) == (1, 1), (before, after)
    assert after.cached - before.cached >= 3, (before, after)


@case
def cumulative_sums():
    # The window is as long as the dim: the general program has it as an operand.
    lax, sizes = jax.lax, [(4, 8), (6, 9), (9, 8), (65, 33), (2, 300)]
    for f in (lambda x: jnp.cumsum(x, 0), lambda x: jnp.cumsum(x, 1) / x.shape[1], lambda x: lax.cummax(x, 0, reverse=True), lambda x: lax.cumlogsumexp(x, 1),
              lambda x: jnp.cumprod(x * 0 + 1.01, 1), lambda x: jnp.cumsum(x.astype("i"), 1), jax.grad(lambda x: (jnp.cumsum(x, 0) ** 2).sum()),
              lambda x: jnp.cumsum(jax.nn.softmax(x, 1), 1) < 0.5):
        runs(f, *([s] for s in sizes), most=2, tolerance=1e-3)
    # Windows of one size in all programs stay what they are; a pool over all of a dim is a window of it.
    runs(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3), (1, 2), "SAME"), [(4, 9)], [(6, 9)], [(5, 9)], want=(1, 1))
    runs(lambda x: lax.reduce_window(x, 0.0, lax.add, (1, x.shape[1]), (1, 1), "VALID"), [(4, 9)], [(6, 7)], [(5, 5)], [(3, 64)], want=(1, 1))


@case
def random_bits():
    # Of JAX's other generator: their number is an operand, and they are those that each size compiled alone has.
    def draw(data, x): return jnp.where(x > 100, 0, jax.random.bits(jax.random.wrap_key_data(data, impl="rbg"), x.shape))
    def both(shape): return [np.array([0, 7, 1, 3], np.uint32), floats(*shape)]
    before = counters()
    for shape in ((4, 8), (6, 10), (7, 3), (64, 33)):
        shared = np.asarray(jax.jit(draw)(*both(shape)))
        alone = np.asarray(jax.jit(draw, compiler_options={"heddle_alone": True})(*both(shape)))
        np.testing.assert_array_equal(shared, alone)
        assert shared.shape == shape and len(np.unique(shared)) > 0.9 * shared.size
    after = counters()
    assert (after.compiled - before.compiled, after.generalized - before.generalized) == (5, 1), (before, after)


@case
def sizes_in_attributes():
    # The length of a Fourier transform is no operand: each size is compiled.
    runs(lambda x: jnp.fft.fft(x), [(4, 8)], [(4, 9)], [(4, 12)], want=(3, 0))


@case
def call_sites():
    def f(x): return jnp.sin(x) * 5
    def g(x): return jnp.sin(x) * 5
    before = counters()
    jax.jit(f)(floats(3))
    jax.jit(g)(floats(3))
    assert counters().shared - before.shared >= 1 and counters().compiled - before.compiled <= 1


@case
def disk():
    before = counters()
    for size in (40, 50, 60): jax.jit(lambda x: jnp.cos(x) - 8.5)(floats(size))
    middle = counters()
    jax.clear_caches()
    for size in (40, 50, 60): np.testing.assert_allclose(np.asarray(jax.jit(lambda x: jnp.cos(x) - 8.5)(floats(size))), np.cos(floats(size)) - 8.5, rtol=1e-5)
    assert middle.compiled - before.compiled == 1 and middle.generalized - before.generalized == 1, (before, middle)


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
