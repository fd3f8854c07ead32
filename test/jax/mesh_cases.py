# SPDX-License-Identifier: Apache-2.0
"""Several meshes, sums that are not done yet, other people's partitioners, uneven parts. Runs as device_cases.py does."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import platform_cases
from device_cases import N, PLATFORMS, compare, everywhere, meshes, two_axes
from platform_cases import FUNCTION_ULPS, assert_within, floats, rounded

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


@case
def several_meshes():
    """Arrays and constraints on meshes that divide the same devices in other ways."""
    results = []
    for p in PLATFORMS:
        devices = np.array(jax.devices(p)[:N])
        line, square = Mesh(devices, ("x",)), Mesh(devices.reshape(two_axes()["shape"]), ("a", "b"))
        x = jax.device_put(floats(8, 8), NamedSharding(square, P("b", "a")))

        @jax.jit
        def f(x):
            y = jax.lax.with_sharding_constraint(x @ x, NamedSharding(line, P(None, "x")))
            return jax.lax.with_sharding_constraint(jnp.tanh(y), NamedSharding(square, P(("a", "b")))), y * 2, x.T + 1, y.reshape(-1).sum()
        results.append((f(x), jax.jit(jnp.add)(*f(x)[:2])))
    compare(results[1], results[0])


@case
def order_of_devices():
    """A mesh may have its devices in any order."""
    results = []
    for p in PLATFORMS:
        mesh = Mesh(np.array(jax.devices(p)[:N])[::-1].reshape(two_axes()["shape"]).T, ("a", "b"))
        x = jax.device_put(floats(8, 8), NamedSharding(mesh, P("b", "a")))
        f = jax.shard_map(lambda x: jax.lax.psum(x, "a") + jax.lax.axis_index("b"), mesh=mesh, in_specs=P("b", "a"), out_specs=P("b"))
        results.append(jax.jit(lambda x: (jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("a"))), x.sum(0), f(x)))(x))
    compare(results[1], results[0])


@case
def sums_to_be_done():
    """Arrays whose value is the sum of what the devices have (PartitionSpec's unreduced)."""
    from jax.sharding import AxisType
    results = []
    for p in PLATFORMS:
        mesh = jax.make_mesh(two_axes()["shape"], ("x", "y"), axis_types=(AxisType.Explicit,) * 2, devices=jax.devices(p)[:N])
        with jax.set_mesh(mesh):
            x, w = (jax.device_put(v, NamedSharding(mesh, s)) for v, s in ((floats(8, 4), P("y", "x")), (floats(4, 6, seed=1), P("x"))))
            product = lambda x, w: jnp.einsum("ij,jk->ik", x, w, out_sharding=P("y", unreduced={"x"}))
            parts = jax.jit(product)(x, w)
            assert parts.sharding.spec == P("y", None, unreduced={"x"}), parts.sharding
            results.append((jax.jit(lambda u: jax.sharding.reshard(u, P()))(parts), jax.jit(lambda x, w: jax.sharding.reshard(product(x, w), P(("y", "x"))))(x, w)))
    compare(results[1], results[0])


@case
def custom_partitioning():
    """What is to call back XLA's partitioner is laid out by Heddle's."""
    from jax.experimental.custom_partitioning import custom_partitioning as custom

    @custom
    def f(x): return jnp.sin(x) * 2
    f.def_partition(partition=lambda mesh, args, result: (mesh, f, result.sharding, tuple(a.sharding for a in args)), sharding_rule="i j -> i j")
    mesh = meshes("x")[1]
    got = jax.jit(f)(jax.device_put(floats(8, 4), NamedSharding(mesh, P("x"))))
    assert_within(np.asarray(got), 2 * np.sin(floats(8, 4).astype(np.float64)), rounded(FUNCTION_ULPS["sine"], got.dtype))
    assert {s.data.shape for s in got.addressable_shards} == {(8 // N, 4)}


@case
def other_shapes_of_a_partitioner():
    """A partitioner whose parts have other shapes than it says for every layout is an error; one that only takes the layout that
    it was written for, or fits some, is not."""
    from jax.experimental.custom_partitioning import custom_partitioning as custom
    mesh = meshes("x")[1]
    x = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x")))

    def doubled(partition):
        f = custom(lambda x: x * 2)
        f.def_partition(partition=partition, sharding_rule="i j -> i j")
        return jax.jit(f)(x)

    def fixed(mesh, args, result):
        assert result.sharding.spec == P("x", None), result.sharding
        return mesh, lambda x: x * 2, result.sharding, tuple(a.sharding for a in args)

    def by_rows(mesh, args, result): return mesh, lambda x: (x.reshape(8 // N, 4) * 2), result.sharding, (NamedSharding(mesh, P("x")),)
    for good in (fixed, by_rows): np.testing.assert_array_equal(np.asarray(doubled(good)), floats(8, 4) * 2)

    def other(mesh, args, result): return mesh, lambda x: x * 2, NamedSharding(mesh, P()), (NamedSharding(mesh, P(None, "x")),)
    if N == 1: return
    try: doubled(other)
    except ValueError as error: assert "Mismatch in result shapes." in str(error), error
    else: raise AssertionError("expected a mismatch of shapes")


@case
def the_layout_that_a_partitioner_is_asked_for():
    """That of the program's arguments, once, also through calls, element by element, and from a constraint; what it raises is raised."""
    from jax.experimental.custom_partitioning import custom_partitioning as custom
    if N == 1: return
    mesh, asked = meshes("x")[1], []

    def doubled(body, rule="i j -> i j", raises=None):
        def partition(mesh, args, result):
            asked.append((args[0].sharding.spec, result.sharding.spec))
            if raises: raise raises
            return mesh, body, result.sharding, tuple(a.sharding for a in args)
        f = custom(lambda x: x * 2)
        f.def_partition(partition=partition, infer_sharding_from_operands=lambda mesh, args, result: args[0].sharding, sharding_rule=rule)
        return f
    x = jax.device_put(floats(8, 4), NamedSharding(mesh, P("x", None)))
    good, constrained = doubled(lambda x: x * 2), lambda f: lambda x: f(jax.lax.with_sharding_constraint(x + 0, NamedSharding(mesh, P(None, "x"))))
    for program, spec in ((good, P("x", None)), (lambda x: jax.jit(good)(jnp.sin(x) + 1), P("x", None)), (lambda x: good(jax.jit(jnp.cos)(x)), P("x", None)),
                          (constrained(good), P(None, "x"))):
        asked.clear()
        jax.jit(program)(x)
        assert asked == [(spec, spec)], (asked, spec)
    for body in (lambda x: x[:, :1] * 0 + 7, lambda x: x[:1] * 2):
        try: jax.jit(doubled(body))(x)
        except ValueError as error: assert "Mismatch in result shapes." in str(error) and f"float32[{8 // N},4]" in str(error), error
        else: raise AssertionError("expected a mismatch of shapes")
    try: jax.jit(doubled(lambda x: x, raises=KeyError("no such part")))(x)
    except KeyError as error: assert "no such part" in str(error)
    else: raise AssertionError("expected the partitioner's error")


@case
def scans_over_parts():
    def f(x, ws): return jax.lax.scan(lambda c, w: (jnp.tanh(c @ w), c.sum(-1)), x, ws)
    both = lambda mesh: jax.jit(lambda x, ws: (f(x, ws), jax.grad(lambda ws: f(x, ws)[0].sum())(ws), jax.lax.scan(lambda c, w: (c @ w, w.sum()), x, ws, reverse=True)))
    everywhere(both, floats(4, 8), floats(3, 8, 8, seed=1) * 0.3, specs=[P("x"), P(None, None, "y")], tolerance=1e-4, **two_axes())
    everywhere(both, floats(4, 8), floats(4, 8, 8, seed=1) * 0.3, specs=[P(), P("x")], tolerance=1e-4)


@case
def uneven_sizes():
    """A constraint that does not divide a size is no more than a wish; results are whole then."""
    def make(mesh):
        def f(a):
            b = jax.lax.with_sharding_constraint(a * 2, NamedSharding(mesh, P("x")))
            return b.sum(0) + 1, jax.lax.with_sharding_constraint(b.T @ b, NamedSharding(mesh, P(None, "x"))).sum()
        return jax.jit(f)
    everywhere(make, floats(7, 3), specs=[P()])


def on_cpu(f, *args):
    """|f| on one device of JAX's own CPU platform."""
    return jax.jit(f)(*jax.device_put(args, jax.devices("cpu")[0]))


def batch_functions():
    """Functions of a batch of matrices and of one of indices, each of one kind of work, by name."""
    from jax import lax
    each = lambda f: lambda x, k: jax.vmap(f)(x, k)
    matrices = lambda f: lambda x, k: f(x)
    positive = lambda x: x @ x.swapaxes(1, 2) + 6 * jnp.eye(6)
    ahead = lambda x: ((x,), (jnp.cos(x),))
    return {
        "choices": lambda x, k: (jnp.where(x > 0, x, 0), jnp.clip(x, -1, 1), lax.clamp(-x * x, x, x * x), jnp.tril(x)),
        "bits": matrices(lambda x: (lax.bitcast_convert_type(x, jnp.int32), lax.bitcast_convert_type(x, jnp.int8), lax.reduce_precision(x, 5, 7))),
        "set": each(lambda a, i: a.at[i].set(1.0)), "add": each(lambda a, i: a.at[i].add(1.0)), "largest": each(lambda a, i: a.at[i, 0].max(0.2)),
        "get": each(lambda a, i: a[i]), "update": each(lambda a, i: lax.dynamic_update_slice(lax.dynamic_slice(a, (i[0], 0), (2, 6)), a[:1], (i[1], 0))),
        "order": matrices(lambda x: (jnp.sort(x), jnp.argsort(x, 1), lax.top_k(x, 2), jnp.argmax(x, -1), jnp.cumsum(x, 1))),
        "waves": matrices(lambda x: (jnp.abs(jnp.fft.fft(x)), jnp.abs(jnp.fft.rfft2(x)))),
        "loops": matrices(lambda x: (lax.scan(lambda c, y: (c + y, c * y), x[:, 0], x.swapaxes(0, 1))[1].swapaxes(0, 1), jax.vmap(lambda a: lax.cond(a[0, 0] > 0, jnp.sin, jnp.cos, a))(x))),
        "windows": matrices(lambda x: (lax.conv_general_dilated(x[:, None], jnp.ones((2, 1, 3, 3)), (1, 1), "SAME"), lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID"))),
        "cholesky": matrices(lambda x: jax.jvp(lambda x: jnp.linalg.cholesky(positive(x)), *ahead(x))),
        "lu": matrices(lambda x: jax.jvp(lambda x: lax.linalg.lu(x)[0], *ahead(x))), "pivots": matrices(lambda x: lax.linalg.lu(x)[1:]),
        "solve": matrices(lambda x: (jnp.linalg.solve(positive(x), x), jnp.linalg.slogdet(x))), "qr": matrices(lambda x: jax.jvp(jnp.linalg.qr, *ahead(x))),
        "values": matrices(lambda x: (jnp.linalg.svdvals(x), jnp.linalg.eigvalsh(x), jnp.sort(jnp.abs(jnp.linalg.eigvals(x))))),
        "forms": matrices(lambda x: (lax.linalg.hessenberg(x), lax.linalg.tridiagonal(positive(x)), lax.linalg.schur(positive(x))[0])),
        "tridiagonal": matrices(lambda x: lax.linalg.tridiagonal_solve(x[:, 0], x[:, 1] + 4, x[:, 2], x)),
    }


@case
def batches_stay_in_parts():
    """What is done to each member of a batch is done where the member is: nothing is gathered, and results are laid out as arguments are."""
    mesh = meshes("x")[1]
    x, k = floats(8, 6, 6), np.random.default_rng(0).integers(0, 6, (8, 6)).astype(np.int32)
    placed = jax.device_put((x, k), NamedSharding(mesh, P("x")))
    for name, f in batch_functions().items():
        compiled = jax.jit(f).lower(*placed).compile()
        assert N == 1 or "all-" not in compiled.as_text(), name
        got, want = compiled(*placed), on_cpu(f, x, k)
        compare(got, want, tolerance=2e-4)
        assert all(g.sharding.is_equivalent_to(NamedSharding(mesh, P("x")), g.ndim) for g in jax.tree.leaves(got)), name


@case
def constants_in_parts():
    """A program with large constants, of bits too, that the parts are cut from: its results have a sharding."""
    mesh = meshes("x")[1]
    x = floats(8, 6, 6)
    back = jax.vjp(jnp.linalg.cholesky, x @ x.swapaxes(1, 2) + 6 * np.eye(6, dtype=np.float32))[1]
    mask = np.random.default_rng(1).integers(0, 2, (8, 6, 6)).astype(bool)
    placed = jax.device_put(x, NamedSharding(mesh, P("x")))
    for f in (back, lambda x: jnp.where(mask, x, 0)):
        got = jax.jit(f)(placed)
        compare(got, on_cpu(f, x))
        assert all(g.sharding.is_equivalent_to(placed.sharding, g.ndim) for g in jax.tree.leaves(got)), [g.sharding for g in jax.tree.leaves(got)]


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
