# SPDX-License-Identifier: Apache-2.0
"""Programs on several devices: python device_cases.py NAME...

Each runs on Heddle's devices and on as many of JAX's own CPU platform, and must give the same. Prints what
platform_cases.py prints. HEDDLE_NUM_DEVICES says how many devices there are, XLA_FLAGS as many for the other side."""
import functools
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import platform_cases
from platform_cases import assert_near, floats

CASES = {}
N = int(os.environ["HEDDLE_NUM_DEVICES"])
PLATFORMS = ("cpu", "heddle")


def case(f):
    CASES[f.__name__] = f
    return f


def meshes(*names, shape=None):
    """A mesh of all devices of each platform."""
    return [Mesh(np.array(jax.devices(p)[:N]).reshape(shape or (N,)), names) for p in PLATFORMS]


def compare(got, want, tolerance=2e-5):
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
        assert {d.platform for d in g.devices()} == {"heddle"}, g.devices()
        assert_near(g, w, tolerance, tolerance)


def everywhere(make, *args, specs=None, names=("x",), shape=None, tolerance=2e-5):
    """make(mesh) gives a function; it takes |args|, laid out as |specs| say."""
    results = []
    for mesh in meshes(*names, shape=shape):
        placed = [jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip(args, specs or [P("x")] * len(args))]
        results.append(make(mesh)(*placed))
    compare(results[1], results[0], tolerance)
    return results[1]


def mapped(f, in_specs, out_specs, check=True):
    return lambda mesh: jax.jit(jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check))


def two_axes():
    return dict(names=("x", "y"), shape=(2, N // 2) if N > 1 else (1, 1))


# ---- one device after another, and transfers ----


@case
def each_device():
    for d in jax.devices("heddle"):
        x = jax.device_put(floats(5, 3), d)
        y = jax.jit(lambda v: v * 2 + 1)(x)
        assert y.devices() == {d}, y.devices()
        np.testing.assert_allclose(np.asarray(y), floats(5, 3) * 2 + 1, rtol=1e-6)


@case
def transfers():
    everywhere(lambda mesh: lambda x: x, floats(8, 4))
    for mesh in meshes("x"):
        x = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x")))
        y = jax.device_put(x, NamedSharding(mesh, P(None, "x")))
        z = jax.device_put(y, mesh.devices.flat[N - 1])
        for v in (x, y, z): np.testing.assert_array_equal(np.asarray(v), floats(8, 4))
        assert {s.data.shape for s in y.addressable_shards} == {(8, 4 // N)}


# ---- shard_map: each device's own program ----


@case
def psum(): everywhere(mapped(lambda a: jax.lax.psum(a, "x"), P("x"), P()), floats(8, 4))


@case
def pmax_and_mean(): everywhere(mapped(lambda a: (jax.lax.pmax(a, "x"), jax.lax.pmean(a, "x"), jax.lax.pmin(a, "x")), P("x"), P()), floats(8, 4))


@case
def all_gather(): everywhere(mapped(lambda a: jax.lax.all_gather(a, "x", tiled=True) * 2, P("x"), P(), check=False), floats(8, 4))


@case
def all_gather_stacked(): everywhere(mapped(lambda a: jax.lax.all_gather(a, "x"), P("x"), P(None), check=False), floats(8, 4))


@case
def ppermute(): everywhere(mapped(lambda a: jax.lax.ppermute(a, "x", [(i, (i + 1) % N) for i in range(N)]), P("x"), P("x")), floats(8, 4))


@case
def psum_scatter(): everywhere(mapped(lambda a: jax.lax.psum_scatter(a, "x", tiled=True), P(None), P("x"), check=False), floats(8, 4), specs=[P()])


@case
def all_to_all(): everywhere(mapped(lambda a: jax.lax.all_to_all(a, "x", 1, 0, tiled=True), P("x"), P(None, "x")), floats(8, 4))


@case
def axis_index(): everywhere(mapped(lambda a: a + jax.lax.axis_index("x"), P("x"), P("x")), floats(8, 4))


@case
def loops_and_branches():
    def f(a):
        def body(i, c): return jax.lax.psum(c, "x") * 0.5 + i
        a = jax.lax.fori_loop(0, 3, body, a)
        return jax.lax.cond(jax.lax.psum(a.sum(), "x") > 0, lambda v: v * 2, lambda v: v - 1, a)
    everywhere(mapped(f, P("x"), P("x"), check=False), floats(8, 4))


@case
def replicated_inputs(): everywhere(mapped(lambda a, w: a @ w, (P("x"), P()), P("x")), floats(8, 4), floats(4, 6, seed=1), specs=[P("x"), P()])


@case
def two_mesh_axes():
    everywhere(mapped(lambda a: jax.lax.psum(a, "y") + jax.lax.axis_index("x"), P("x", "y"), P("x", None)), floats(8, 4), specs=[P("x", "y")], **two_axes())


@case
def part_of_the_axes():
    """Manual along x alone: y is laid out by the partitioner."""
    def make(mesh):
        return jax.jit(jax.shard_map(lambda a, w: jnp.tanh(jax.lax.psum(a @ w, "x")), mesh=mesh, in_specs=(P("x"), P()), out_specs=P(), axis_names={"x"}))
    everywhere(make, floats(8, 4), floats(4, 8, seed=1), specs=[P("x"), P(None, "y")], **two_axes())


@case
def ring_of_products():
    def f(a, b):
        total = jnp.zeros((a.shape[0], b.shape[1]), a.dtype)
        me = jax.lax.axis_index("x")
        for k in range(N):
            at = (me + k) % N
            total = total + jax.lax.dynamic_slice(a, (0, at * b.shape[0]), (a.shape[0], b.shape[0])) @ b
            b = jax.lax.ppermute(b, "x", [(i, (i - 1) % N) for i in range(N)])
        return total
    everywhere(mapped(f, (P("x"), P("x")), P("x"), check=False), floats(8, 8), floats(8, 4, seed=1))


# ---- jit with shardings: laid out by the partitioner ----


@case
def elementwise():
    got = everywhere(lambda mesh: jax.jit(lambda a, b: jnp.sin(a) * b + 1), floats(8, 4), floats(8, 4, seed=1))
    assert {s.data.shape for s in got.addressable_shards} == {(8 // N, 4)}, got.sharding


@case
def mixed_layouts(): everywhere(lambda mesh: jax.jit(lambda a, b: a + b), floats(8, 4), floats(8, 4, seed=1), specs=[P("x"), P(None, "x")])


@case
def products():
    everywhere(lambda mesh: jax.jit(lambda a, b: a @ b), floats(8, 12), floats(12, 4, seed=1), specs=[P("x"), P()])
    everywhere(lambda mesh: jax.jit(lambda a, b: a @ b), floats(8, 12), floats(12, 4, seed=1), specs=[P(None, "x"), P("x")])
    everywhere(lambda mesh: jax.jit(lambda a, b: a @ b), floats(8, 12), floats(12, 4, seed=1), specs=[P(), P(None, "x")])
    everywhere(lambda mesh: jax.jit(lambda a, b: jnp.einsum("bij,bjk->bik", a, b)), floats(4, 3, 5), floats(4, 5, 2, seed=1))


@case
def reductions(): everywhere(lambda mesh: jax.jit(lambda a: (a.sum(0), a.max(0), a.mean(), a.argmax(0), a.prod(0), jnp.var(a, 0), a.sum(1))), floats(8, 4))


@case
def shapes():
    def f(a): return a.reshape(2, 4, 4), a.reshape(4, 8), a.T, a[2:6], a[:, 1:3], jnp.concatenate([a, a], 0), jnp.concatenate([a, a], 1), jnp.pad(a, ((0, 0), (1, 2))), jnp.pad(a, ((1, 2), (0, 0))), a[::-1], jnp.sort(a, 0), jnp.sort(a, 1), jnp.roll(a, 1, 0)
    everywhere(lambda mesh: jax.jit(f), floats(8, 4))


@case
def more_shapes(): everywhere(lambda mesh: jax.jit(lambda a: (a.reshape(-1), a.reshape(16, 4, 3).sum(2), jnp.cumsum(a, 1), jnp.cumsum(a, 0), jnp.linalg.norm(a))), floats(16, 12))


@case
def indexing():
    def f(table, ids): return table[ids], jnp.take_along_axis(table, ids[:, None] % 4, 1), table.at[ids].add(1.0), jnp.zeros((8, 4)).at[ids].add(table)
    ids = np.array([3, 1, 4, 1, 5, 2, 6, 5], np.int32)
    everywhere(lambda mesh: jax.jit(f), floats(8, 4), ids)
    everywhere(lambda mesh: jax.jit(f), floats(8, 4), ids, specs=[P(None, "x"), P()])
    everywhere(lambda mesh: jax.jit(f), floats(8, 4), ids, specs=[P(), P("x")])


@case
def batched_indexing(): everywhere(lambda mesh: jax.jit(jax.vmap(lambda t, i: (t[i], t.at[i].set(7.0)))), floats(8, 6), np.arange(8, dtype=np.int32) % 6)


@case
def made_in_parts():
    """Positions, masks and random bits that meet what is in parts; the part of each device begins elsewhere."""
    def f(a):
        rows, columns = jax.lax.broadcasted_iota(jnp.float32, a.shape, 0), jax.lax.broadcasted_iota(jnp.int32, a.shape, 1)
        mask = jnp.where((rows.astype(np.int32) + columns) % 3 == 1, a, rows * 0.5)
        return mask, a + jax.random.uniform(jax.random.key(7), a.shape), a * jax.random.bernoulli(jax.random.key(1), 0.5, a.shape), a[::-1, ::-1]
    for specs in (P("x"), P(None, "x")): everywhere(lambda mesh: jax.jit(f), floats(8, 16), specs=[specs])


@case
def bits_without_communication():
    def f(a): return jax.random.bits(jax.random.key(7), a.shape) + a
    a = np.arange(N * N, dtype=np.uint32)
    x = jax.device_put(a, NamedSharding(Mesh(np.array(jax.devices("heddle")[:N]), ("x",)), P("x")))
    text = jax.jit(f).lower(x).compile().as_text()
    if N > 1: assert f"[{N * N}]" not in text and "all-gather" not in text and f"u32[{N}]" in text, text
    np.testing.assert_array_equal(jax.jit(f)(x), f(a))


@case
def nothing_in_parts():
    """A program that says nothing of its devices is asked how its arguments are when it is called again, on Python's numbers too."""
    for mesh in meshes("x"):
        x = jax.device_put(np.arange(6, dtype=np.int32), NamedSharding(mesh, P()))
        f = jax.jit(lambda a, b: a * b + 1)
        for b in (2, np.int32(3), np.int32(4)): np.testing.assert_array_equal(np.asarray(f(x, b)), np.arange(6) * b + 1)
        g = jax.jit(lambda b: jnp.arange(8) + b, out_shardings=NamedSharding(mesh, P()))
        for b in (2, np.int32(3), np.int32(4)): np.testing.assert_array_equal(np.asarray(g(b)), np.arange(8) + b)


@case
def convolution():
    f = functools.partial(jax.lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    everywhere(lambda mesh: jax.jit(lambda x, w: (f(x, w), jax.grad(lambda w: jnp.sum(f(x, w) ** 2))(w))), floats(4, 6, 6, 3), floats(3, 3, 3, 4, seed=1),
               specs=[P("x"), P()], tolerance=2e-4)


@case
def control_flow():
    def f(a):
        c, ys = jax.lax.scan(lambda c, x: (c + x.sum(), c * x), jnp.zeros(()), a)
        d, _ = jax.lax.scan(lambda c, i: (c + jnp.sin(a) * i, None), jnp.zeros_like(a), jnp.arange(3.0))
        return c, ys, d, jax.lax.cond(a.sum() > 0, lambda v: v + 1, lambda v: v * 2, a)
    everywhere(lambda mesh: jax.jit(f), floats(8, 4))
    everywhere(lambda mesh: jax.jit(f), floats(8, 4), specs=[P(None, "x")])


@case
def constraints():
    def make(mesh):
        def f(a, b):
            c = jax.lax.with_sharding_constraint(a @ b, NamedSharding(mesh, P(None, "x")))
            return jax.lax.with_sharding_constraint(jnp.tanh(c), NamedSharding(mesh, P("x"))) + c
        return jax.jit(f, out_shardings=NamedSharding(mesh, P(None, "x")))
    got = everywhere(make, floats(8, 4), floats(4, 8, seed=1), specs=[P("x"), P()])
    assert {s.data.shape for s in got.addressable_shards} == {(8, 8 // N)}, got.sharding


@case
def layout_constraints():
    """A constraint on how a value is in memory leaves it on its devices."""
    from jax.experimental.layout import Format, Layout

    def make(mesh):
        rows = NamedSharding(mesh, P("x"))
        return jax.jit(lambda a: jax.lax.with_sharding_constraint(a.T, Format(Layout((0, 1)), rows)))
    out = everywhere(make, floats(8, 4), specs=[P("x")])
    assert out.sharding.is_equivalent_to(NamedSharding(meshes("x")[1], P("x")), 2), out.sharding


@case
def in_and_out_shardings():
    for mesh in meshes("x"):
        f = jax.jit(lambda a: a * 2, in_shardings=NamedSharding(mesh, P("x")), out_shardings=NamedSharding(mesh, P()))
        np.testing.assert_allclose(np.asarray(f(floats(8, 4))), floats(8, 4) * 2)


@case
def random_numbers():
    def f(key, a): return a + jax.random.normal(key, a.shape), jax.random.uniform(jax.random.fold_in(key, 1), (8,))
    results = []
    for mesh in meshes("x"):
        a = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x")))
        key = jax.device_put(jax.random.PRNGKey(3), NamedSharding(mesh, P()))
        results.append(jax.jit(f)(key, a))
    compare(results[1], results[0])


@case
def two_axes_of_a_mesh():
    def f(x, w1, w2): return jax.nn.relu(x @ w1) @ w2
    args = floats(8, 4), floats(4, 8, seed=1), floats(8, 4, seed=2)
    everywhere(lambda mesh: jax.jit(f), *args, specs=[P("x"), P(None, "y"), P("y")], **two_axes())
    everywhere(lambda mesh: jax.jit(jax.grad(lambda w1, x, w2: (f(x, w1, w2) ** 2).sum())), args[1], args[0], args[2],
               specs=[P(None, "y"), P("x"), P("y")], tolerance=1e-4, **two_axes())


@case
def attention():
    def f(x, wq, wk, wv):
        q, k, v = (jnp.einsum("bsd,dhe->bhse", x, w) for w in (wq, wk, wv))
        p = jax.nn.softmax(jnp.einsum("bhse,bhte->bhst", q, k) / 2, -1)
        return jnp.einsum("bhst,bhte->bshe", p, v).reshape(x.shape)
    ws = [floats(8, 4, 2, seed=i) * 0.3 for i in range(1, 4)]
    everywhere(lambda mesh: jax.jit(f), floats(4, 5, 8), *ws, specs=[P("x")] + [P()] * 3)
    everywhere(lambda mesh: jax.jit(f), floats(4, 5, 8), *ws, specs=[P()] + [P(None, "x")] * 3)


# ---- devices that do not meet ----


@case
def collectives_that_not_all_meet():
    """A device that waits for one which goes another way gets an error, and both go on afterwards."""
    mesh = meshes("x")[1]

    def some(x):
        return jax.lax.cond(jax.lax.axis_index("x") == 0, lambda v: jax.lax.psum(v, "x"), lambda v: v + 1, x)
    f = jax.jit(jax.shard_map(some, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))
    x = jax.device_put(jnp.arange(2.0 * N), NamedSharding(mesh, P("x")))
    for _ in range(3):
        try:
            f(x).block_until_ready()
            assert N == 1
        except jax.errors.JaxRuntimeError as error: assert N > 1 and "collective given up" in str(error), error
    everywhere(mapped(lambda x: jax.lax.psum(x, "x"), P("x"), P()), jnp.arange(2.0 * N))


# ---- how results are ----


@case
def results_of_functions_that_stablehlo_lacks():
    """The layout of a result is known whatever ops it comes from, so it can be read, laid out anew and given to another function."""
    def f(x):
        return jax.nn.gelu(x, approximate=False), jax.lax.lgamma(x * x + 1), jax.lax.top_k(x, 3), jax.lax.erf_inv(x / 9)

    results = []
    for mesh in meshes("x"):
        placed = jax.device_put(floats(8, 8), NamedSharding(mesh, P("x")))
        out = jax.jit(f)(placed)
        again = [jax.device_put(y, NamedSharding(mesh, P(None, "x"))) for y in (out[0], out[1], out[3])]
        results.append((out, again, jax.jit(jnp.add)(out[0], out[1])))
    compare(results[1], results[0])


# ---- buffers and errors ----


@case
def donation():
    mesh = meshes("x")[1]
    sharding = NamedSharding(mesh, P("x"))
    x = jax.device_put(floats(64, 64), sharding)
    y = jax.jit(lambda a: a + 1, donate_argnums=0, out_shardings=sharding)(x)
    np.testing.assert_allclose(np.asarray(y), floats(64, 64) + 1, rtol=1e-6)
    assert x.is_deleted()
    try:
        np.asarray(x)
        assert False, "a donated array was read"
    except RuntimeError as e:
        assert "deleted" in str(e), e
    given = jax.device_put(floats(64, 1), sharding)  # no result takes its memory
    z = jax.jit(lambda a: a.reshape(64), donate_argnums=0, out_shardings=sharding)(given)
    np.testing.assert_array_equal(np.asarray(z), floats(64, 1)[:, 0])
    assert given.is_deleted()
    kept = jax.device_put(floats(64, 2), sharding)  # no result has as many bytes
    square = jax.jit(lambda a: a @ a.T, donate_argnums=0)(kept)
    assert not kept.is_deleted() and square.shape == (64, 64)


@case
def shared_code():
    """Programs of several devices that differ in sizes alone share code, collectives and slices at a device's place among them."""
    from heddle.jax_platform import counters
    mesh = meshes("x")[1]
    laid = NamedSharding(mesh, P("x"))

    @jax.jit
    def f(w, x):
        loss, g = jax.value_and_grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
        return loss, g, jax.lax.with_sharding_constraint(jnp.sort(x, 0) * 2, laid), x.reshape(-1)
    g = jax.jit(jax.shard_map(lambda a: jax.lax.psum_scatter(jax.lax.all_gather(a, "x", tiled=True), "x", tiled=True), mesh=mesh, in_specs=P("x"), out_specs=P("x")))
    before = counters()
    for n in (2, 3, 5, 8, 9):
        x, w = floats(n * N, 6, seed=n), floats(6, 4)
        placed = jax.device_put(x, laid)
        loss, grad, ordered, flat = f(jax.device_put(w, NamedSharding(mesh, P())), placed)
        t = np.tanh(x @ w)
        np.testing.assert_allclose(loss, np.mean(t ** 2), rtol=1e-5)
        np.testing.assert_allclose(grad, x.T @ (2 * t * (1 - t * t)) / t.size, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(ordered, np.sort(x, 0) * 2)
        np.testing.assert_array_equal(flat, x.reshape(-1))
        np.testing.assert_allclose(g(placed), x * N, rtol=1e-6)
    after = counters()
    assert (after.compiled - before.compiled, after.generalized - before.generalized, after.shared - before.shared) == (2, 2, 6), (before, after)


@case
def many_in_flight():
    mesh = meshes("x")[1]
    x = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x")))
    f = jax.jit(jax.shard_map(lambda a: a + jax.lax.psum(a, "x") * 0.01, mesh=mesh, in_specs=P("x"), out_specs=P("x")))
    g = jax.jit(lambda a: a - a.mean(0))
    for _ in range(50): x = g(f(x))
    assert np.isfinite(np.asarray(x)).all()


@case
def side_effects():
    """A callback of a partitioned program runs once, on the whole value; in shard_map it runs on each device."""
    from jax.experimental import io_callback
    mesh = meshes("x")[1]
    x = jax.device_put(floats(8), NamedSharding(mesh, P("x")))
    seen = []

    def f(a):
        jax.debug.callback(lambda v: seen.append(np.array(v)), a)
        return a + io_callback(lambda v: np.float32(v.sum()), jax.ShapeDtypeStruct((), np.float32), a)
    np.testing.assert_allclose(np.asarray(jax.jit(f)(x)), floats(8) + floats(8).sum(), rtol=1e-5)
    jax.effects_barrier()
    assert len(seen) == 1 and seen[0].shape == (8,), seen
    seen.clear()

    def g(a):
        jax.debug.callback(lambda v: seen.append(np.array(v)), a)
        return a
    jax.block_until_ready(jax.jit(jax.shard_map(g, mesh=mesh, in_specs=P("x"), out_specs=P("x")))(x))
    jax.effects_barrier()
    assert sorted(v.shape for v in seen) == [(8 // N,)] * N, seen


@case
def ordered_effects():
    """Callbacks in order on each device, in a computation that hands on a token; and callbacks for which a device is named."""
    from jax.experimental import io_callback
    mesh = meshes("x")[1]
    seen = {d: [] for d in range(N)}

    def f(d, a):
        for k in range(3): io_callback(lambda d, v: seen[int(d[0])].append(v.tolist()), None, d, a + k, ordered=True)
    placed = [jax.device_put(np.arange(n, dtype=np.int32), NamedSharding(mesh, P("x"))) for n in (N, 2 * N)]
    jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=None))(*placed)
    jax.effects_barrier()
    assert seen == {d: [[2 * d + k, 2 * d + 1 + k] for k in range(3)] for d in range(N)}, seen
    last = jax.sharding.SingleDeviceSharding(mesh.devices[-1])
    double = jax.jit(lambda a: jax.pure_callback(lambda v: np.asarray(v) * 2, a, a, sharding=last))
    np.testing.assert_array_equal(np.asarray(double(placed[1])), 2 * np.arange(2 * N))
    assert N == 1 or "maximal_mesh" in double.lower(placed[1]).as_text()


@case
def computations_of_nothing():
    """shard_map of a function without arguments or results, alone and beside others."""
    mesh = meshes("x")[1]
    seen = []
    nothing = jax.shard_map(lambda: jax.debug.callback(lambda: seen.append(1)), mesh=mesh, in_specs=(), out_specs=None, check_vma=False)
    jax.jit(nothing)()
    jax.effects_barrier()
    assert len(seen) == 1, seen
    x = jax.device_put(floats(2 * N), NamedSharding(mesh, P("x")))

    def beside(a):
        nothing()
        return jax.shard_map(lambda v: v * 2, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(a)
    np.testing.assert_array_equal(np.asarray(jax.jit(beside)(x)), 2 * floats(2 * N))
    jax.effects_barrier()
    assert len(seen) == 1 + N, seen
    jax.jit(lambda a: None, in_shardings=NamedSharding(mesh, P("x")), keep_unused=True)(x)
    jax.jit(jax.shard_map(lambda v: None, mesh=mesh, in_specs=P("x"), out_specs=None), keep_unused=True)(x)


@case
def serialised():
    from jax.experimental import serialize_executable
    mesh = meshes("x")[1]
    x = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x")))
    compiled = jax.jit(lambda a: a.sum(0)).lower(x).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled), backend="heddle")
    np.testing.assert_allclose(np.asarray(again(x)), floats(8, 4).sum(0), rtol=1e-5)


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
