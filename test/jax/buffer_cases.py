# SPDX-License-Identifier: Apache-2.0
"""Buffers on Heddle: transfers, donation, deletion, memory that others share. Runs as platform_cases.py does."""
import jax
import jax.numpy as jnp
import numpy as np

import platform_cases
from platform_cases import floats

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


@case
def transfers():
    for shape in ((), (0,), (5,), (100, 200), (3, 0, 2)):
        x = floats(*shape) if shape else np.float32(3)
        y = jax.device_put(x)
        assert y.devices() == {jax.devices("heddle")[0]}
        np.testing.assert_array_equal(np.asarray(y), x)
        np.testing.assert_array_equal(np.asarray(jax.device_put(y, jax.devices("cpu")[0])), x)
        np.testing.assert_array_equal(np.asarray(jax.device_put(jax.device_put(x, jax.devices("cpu")[0]), jax.devices("heddle")[0])), x)
    strided = floats(64, 64)[::2, ::-1].T
    np.testing.assert_array_equal(np.asarray(jax.device_put(strided)), strided)


@case
def donation():
    f = jax.jit(lambda x, y: (x + y, x * y), donate_argnums=0)
    x, y = jnp.asarray(floats(100)), jnp.asarray(floats(100, seed=1))
    want = np.asarray(x) + np.asarray(y)
    first, _ = f(x, y)
    assert x.is_deleted() and not y.is_deleted()
    np.testing.assert_allclose(np.asarray(first), want)
    for use in (lambda: x + 1, lambda: np.asarray(x), lambda: f(x, y)):
        try: use()
        except (RuntimeError, ValueError): continue
        raise AssertionError("a donated buffer was used")
    # Memory that numpy still sees is not written.
    host = floats(128, 128)
    before = host.copy()
    z = jax.device_put(host)
    view = np.asarray(z)
    jax.jit(lambda a: a * 3, donate_argnums=0)(z).block_until_ready()
    np.testing.assert_array_equal(host, before)
    np.testing.assert_array_equal(view, before)


@case
def copies_of_host_memory():
    """jax.numpy.array has copied when it returns, also from memory that transfers read where it is."""
    for _ in range(5):
        memory = np.empty(4 * 4096 * 1024 + 64, np.uint8)
        start = -memory.ctypes.data % 64
        host = memory[start:start + 4 * 4096 * 1024].view(np.float32)
        host[:] = 1
        x = jnp.array(host)
        host[:] = 5
        assert np.all(np.asarray(x) == 1)


@case
def donated_reshape():
    """A reshape of a donated array is that array's memory; of one that stays it is a copy."""
    for n in (3, 300, 30000):
        x = jnp.asarray(floats(n, 4))
        want = np.asarray(x).reshape(4, n)
        kept = jax.jit(lambda a: (a.reshape(4, n), a + 1))(x)[0]
        assert kept.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
        np.testing.assert_array_equal(np.asarray(kept), want)
        y = x + 0
        del kept
        place = y.unsafe_buffer_pointer()
        moved = jax.jit(lambda a: a.reshape(4, n), donate_argnums=0)(y)
        assert y.is_deleted() and moved.unsafe_buffer_pointer() == place
        again = jax.jit(lambda a: a.reshape(n, 2, 2), donate_argnums=0)(moved)
        assert again.unsafe_buffer_pointer() == place
        np.testing.assert_array_equal(np.asarray(again), want.reshape(n, 2, 2))


@case
def donated_update():
    """An update of a donated array is made in its memory, also by a loop; not where the array is read again."""
    rows, update = 4096, jnp.ones((1, 1024))
    write = jax.jit(lambda c, u, i: jax.lax.dynamic_update_slice(c, u, (i, 0)), donate_argnums=0)
    cache = jax.jit(lambda: jnp.zeros((rows, 1024)))()
    for i in range(5):
        cache = write(cache, update * (i + 1), 2 * i)
        if i < 2: cache.block_until_ready(); before = jax.devices("heddle")[0].memory_stats()["peak_bytes_in_use"]
    want = np.zeros((rows, 1024), np.float32)
    want[0:10:2] = np.arange(1, 6)[:, None]
    np.testing.assert_array_equal(np.asarray(cache), want)
    large = jax.jit(lambda: jnp.zeros((8 * rows, 1024)))()
    large.block_until_ready()
    alone = jax.devices("heddle")[0].memory_stats()["peak_bytes_in_use"]
    assert alone > before
    large = write(large, update, 3).block_until_ready()
    assert jax.devices("heddle")[0].memory_stats()["peak_bytes_in_use"] < alone + large.nbytes // 2
    again = jax.jit(lambda c, u: (jax.lax.dynamic_update_slice(c, u, (1, 0)), c.sum()), donate_argnums=0)
    changed, total = again(jnp.full((4, 3), 2.0), jnp.ones((1, 3)))
    assert float(total) == 24 and float(changed.sum()) == 21
    scan = jax.jit(lambda c, xs: jax.lax.scan(lambda c, x: (jax.lax.dynamic_update_slice(c, x[0][None], (x[1], 0)), c[0, 0]), c, xs), donate_argnums=0)
    last, seen = scan(jnp.zeros((5, 3)), (jnp.arange(1.0, 13.0).reshape(4, 3), jnp.arange(4)))
    np.testing.assert_array_equal(np.asarray(last)[:4], np.arange(1.0, 13.0).reshape(4, 3))
    np.testing.assert_array_equal(np.asarray(seen), [0, 1, 1, 1])


@case
def donated_elementwise():
    """A step of training is made in the memory of the parameters, and not where that is still seen or read elsewhere."""
    def place(x): return x.unsafe_buffer_pointer()
    shape = (257, 129)
    make = jax.jit(lambda s: jnp.arange(257 * 129, dtype=jnp.float32).reshape(shape) / 1000 + s)

    def check(f, arguments, reused, **options):
        """|f| of what |arguments| gives, all donated, as on the CPU; |reused|[i] is the result that is where argument i lay."""
        step = jax.jit(f, **({"donate_argnums": tuple(range(len(arguments())))} | options))
        with jax.default_device(jax.devices("cpu")[0]): want = [np.asarray(w) for w in jax.tree.leaves(f(*arguments()))]
        given = arguments()
        for a in given: a.block_until_ready()
        places = [place(a) for a in given]
        got = jax.tree.leaves(step(*given))
        for i, k in enumerate(reused):
            taken = [o for o, r in enumerate(got) if place(r) == places[i]]
            assert taken == ([] if k is None else [k]), (i, k, taken, places)
        for g, w in zip(got, want): np.testing.assert_allclose(np.asarray(g), w, rtol=2e-5, atol=2e-5)

    g = floats(*shape)
    check(lambda p: p - 0.1 * g, lambda: [make(0.0)], [0])
    check(lambda p: p - 0.1 * g, lambda: [make(0.0)], [None], donate_argnums=())
    check(lambda p, m: (p - 0.1 * (0.9 * m + g), 0.9 * m + g), lambda: [make(0.0), make(1.0)], [0, 1])  # two results of one kernel
    check(lambda p, m: (m * 2, p + m), lambda: [make(0.0), make(1.0)], [0, 1])                          # one kernel reads both first
    check(lambda p: (p + g, p * g), lambda: [make(0.0)], [0])                                           # the first result of the kernel
    check(lambda p: p + jnp.sum(p), lambda: [make(0.0)], [0])                                           # read whole before
    check(lambda p: p[::-1] + p, lambda: [make(0.0)], [None])                                           # another element is read
    check(lambda p: p.at[3].set(1.0) + 1, lambda: [make(0.0)], [None])                                  # the update took it
    check(lambda p: jax.nn.softmax(p), lambda: [make(0.0)], [0])                                        # a row is read before it is written
    square = lambda: [make(0.0)[:129, :129] + 0.0, make(1.0)[:129, :129] + 0.0]
    check(lambda p, x: (p - 0.1 * (x.T @ x), x), square, [0, 1])                                        # the epilogue of a product
    check(lambda p, x: p - 0.1 * (p @ x), square, [None, None])                                         # which reads it elsewhere too
    for dtype in (jnp.bfloat16, jnp.int8, jnp.bool_, jnp.complex64):
        check(lambda p: p + p.astype(dtype), lambda: [make(0.0).astype(dtype)], [0])
    check(lambda p: jnp.where(p > 0, p, -p), lambda: [jax.jit(lambda: jnp.float32(-3.0))()], [0])
    # What numpy sees is not written.
    p = make(0.0)
    view, before = np.asarray(p), np.asarray(p).copy()
    jax.jit(lambda p: p - 0.1 * g, donate_argnums=0)(p).block_until_ready()
    np.testing.assert_array_equal(view, before)
    # Many steps need the memory of one array.
    large = jax.jit(lambda: jnp.zeros((32, 1 << 20)))().block_until_ready()
    before = jax.devices("heddle")[0].memory_stats()["peak_bytes_in_use"]
    step = jax.jit(lambda p: p * 0.5 + 1, donate_argnums=0)
    for _ in range(30): large = step(large)
    large.block_until_ready()
    assert jax.devices("heddle")[0].memory_stats()["peak_bytes_in_use"] < before + large.nbytes // 2
    np.testing.assert_allclose(np.asarray(large)[::7, ::1001], 2.0, rtol=1e-6)


@case
def deletion():
    x = jnp.asarray(floats(10))
    x.delete()
    for use in (lambda: x + 1, lambda: np.asarray(x)):
        try: use()
        except RuntimeError as error: assert "deleted" in str(error)
        else: raise AssertionError("a deleted buffer was used")


@case
def threads():
    import concurrent.futures
    f = jax.jit(lambda x, k: jnp.sin(x) * k)
    x = jnp.asarray(floats(300, 30))
    want = np.sin(np.asarray(x))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for k, got in enumerate(pool.map(lambda k: f(x, float(k)), range(200))):
            np.testing.assert_allclose(np.asarray(got), want * k, rtol=1e-5, atol=1e-5)


@case
def dlpack():
    x = jnp.asarray(floats(64, 3))
    np.testing.assert_array_equal(np.asarray(jax.device_put(np.from_dlpack(jax.device_put(x, jax.devices("cpu")[0])))), np.asarray(x))


@case
def memory_kinds():
    device = jax.devices("heddle")[0]
    pinned = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
    x = jax.device_put(floats(4), pinned)
    y = jax.jit(lambda v: (v + 1, v * 2), out_shardings=(pinned, None))(x)
    assert x.sharding.memory_kind == y[0].sharding.memory_kind == "pinned_host", (x.sharding, y[0].sharding)
    np.testing.assert_array_equal(np.asarray(y[0]), floats(4) + 1)


@case
def donated_twice():
    """A failed call leaves its arguments alone."""
    x = jax.device_put(floats(4), jax.devices("heddle")[0])
    try:
        jax.jit(lambda a, b: a + b, donate_argnums=0)(x, x)
        assert False, "one array was donated and used"
    except Exception as e:
        assert "argument 0 is donated and is argument 1 too" in str(e), e
    np.testing.assert_array_equal(np.asarray(x), floats(4))


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
