# SPDX-License-Identifier: Apache-2.0
"""Programs that JAX runs on Heddle and on its own CPU platform in one process: python platform_cases.py NAME...

Prints one JSON line per case: its name and what went wrong, null for nothing. The environment chooses the platforms:
JAX_PLATFORMS=heddle,cpu."""
import json
import os
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from error_model import FUNCTION_ULPS, Bound, assert_near, assert_within, rounded, sums  # noqa: E402, F401 (some for the other scripts)

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


def floats(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def same(f, *args, tolerance=2e-5, jit=True, cpu_options=None):
    """|f| gives the same on both platforms."""
    run = jax.jit(f) if jit else f
    reference = jax.jit(f, compiler_options=cpu_options) if cpu_options else run
    with jax.default_device(jax.devices("cpu")[0]): want = jax.tree.map(np.asarray, reference(*args))
    got = run(*args)
    for leaf in jax.tree.leaves(got): assert leaf.devices() == {jax.devices("heddle")[0]}, leaf.devices()
    got = jax.tree.map(np.asarray, got)
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want)): assert_near(g, w, tolerance, tolerance)


@case
def affine(): same(lambda x: x * 2 + 1, floats(3, 4))


@case
def gelu(): same(jax.nn.gelu, floats(8, 128))


@case
def softmax(): same(jax.nn.softmax, floats(8, 128))


@case
def attention():
    def f(q, k, v):
        scores = jnp.einsum("bhsd,bhtd->bhst", q, k) / np.sqrt(16)
        return jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(scores), v)
    same(f, *(floats(2, 3, 10, 16, seed=i) for i in range(3)))


@case
def value_and_grad():
    def loss(w, x): return jnp.mean(jnp.tanh(x @ w) ** 2)
    same(jax.value_and_grad(loss), floats(128, 64), floats(8, 128, seed=1))


@case
def reductions_of_spread_vectors():
    x, y = floats(300, 40), floats(40, seed=1)
    same(lambda x, y: (jnp.all(x == y), jnp.sum(x * y), jnp.max(x * y)), x, y, tolerance=1e-3)
    same(lambda x, y: x * y / jnp.sum(x * x * y * y), x, y)
    assert bool(jax.jit(lambda x, y: jnp.all(x == y))(np.stack([y] * 3), y))


@case
def convolution():
    same(lambda x, k: jax.lax.conv_general_dilated(x, k, (1, 1), "SAME"), floats(2, 3, 16, 16), floats(8, 3, 3, 3), tolerance=1e-4)


@case
def while_loop():
    same(lambda x: jax.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.5), (0, x)), floats(4, 8))


@case
def cond(): same(lambda p, x: jax.lax.cond(p, lambda x: x + 1, lambda x: x * 2, x), True, floats(4))


@case
def random_numbers():
    same(lambda k: (jax.random.normal(k, (4, 5)), jax.random.randint(k, (10,), 0, 100)), jax.random.PRNGKey(3))


@case
def element_types():
    x = np.arange(-4, 4)
    for name in ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "complex64", "int4", "uint4", "float8_e4m3fn"):
        same(lambda x: (x, jnp.concatenate([x, x])), jnp.asarray(x).astype(name))


@case
def long_windows():
    # Each is a loop over the bits of the window's size: 100,000 elements would take seconds otherwise.
    lax = jax.lax
    for f, shape in ((lambda x: jnp.cumsum(x, 0), (100000,)), (lambda x: jnp.cumsum(x, 0), (700, 5)), (lambda x: lax.cummax(x, 1, reverse=True), (3, 1000)),
                     (lambda x: lax.cumlogsumexp(x, 1), (3, 600)), (lambda x: jnp.cumsum(x.astype(int)), (5000,)),
                     (lambda x: lax.reduce_window(x, 0., lax.add, (1, 300), (1, 3), "SAME"), (4, 3000)),
                     (lambda x: lax.reduce_window(x, 0., lax.add, (3, 999), (2, 1), "SAME"), (9, 999)),
                     (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (300,), (2,), "SAME", base_dilation=(2,), window_dilation=(3,)), (4000,)),
                     (jax.grad(lambda x: (jnp.cumsum(x) ** 2).mean()), (900,))):
        same(f, floats(*shape), tolerance=1e-3)


@case
def high_ranks():
    """Tensors of a rank up to 64, as tensor networks have them. An emulated device takes 20 s for the million elements of rank 20."""
    emulated = "emulator" in jax.devices("heddle")[0].device_kind and not os.environ.get("HEDDLE_LONG")
    rank = 16 if emulated else 20
    x = floats(*(2,) * rank)
    same(lambda x: (jnp.transpose(x).sum((0, 3)), jnp.exp(x)[1], x + x[:, :1]), x)
    same(lambda x, g: jnp.tensordot(g, x, ((2, 3), (5, 11))), x, floats(2, 2, 2, 2, seed=1))
    same(lambda x: jnp.einsum(x[..., 0], list(range(rank - 1)), x[..., 1], list(range(rank - 1)), [0, rank - 2]), x)
    same(lambda x: jax.lax.sort(x, dimension=7), x)
    same(lambda x: x.at[(1,) * (rank - 2)].add(3.0), x)
    same(lambda x: jnp.concatenate([x[1:], x], 0).reshape(-1, 2, 3), floats(*(1,) * 63, 6))


@case
def many_operands():
    """Reductions and loops of many tensors at once."""
    def reduced(*xs):
        return jax.lax.reduce(xs, tuple(np.float32(i) for i in range(len(xs))), lambda a, b: tuple(p + q for p, q in zip(a, b)), (1,))
    for n in (9, 17, 40): same(reduced, *(floats(3, 5, seed=i) for i in range(n)))
    windowed = lambda *xs: jax.lax.reduce_window(xs, (np.float32(0),) * len(xs), lambda a, b: tuple(p + q for p, q in zip(a, b)), (2, 2), (1, 1), "VALID")
    same(windowed, *(floats(3, 5, seed=i) for i in range(12)))
    same(lambda *xs: jax.lax.sort(xs, num_keys=2), *(np.round(floats(7, seed=i)) for i in range(20)))


@case
def sparse_solve():
    from jax.experimental.sparse.linalg import spsolve
    dense = np.where(floats(20, 20) > 1, floats(20, 20), 0) + 5 * np.eye(20, dtype=np.float32)
    rows, columns = np.nonzero(dense)
    starts = np.searchsorted(rows, np.arange(21)).astype(np.int32)
    solve = lambda data, b: spsolve(data, jnp.asarray(columns.astype(np.int32)), jnp.asarray(starts), b)
    same(solve, dense[rows, columns], floats(20, seed=1))
    same(jax.grad(lambda data, b: solve(data, b).sum(), argnums=(0, 1)), dense[rows, columns], floats(20, seed=1))


@case
def long_chain():
    f = jax.jit(lambda x: jnp.tanh(x @ x) + 1)
    x = y = jnp.asarray(floats(128, 128) / 100)
    with jax.default_device(jax.devices("cpu")[0]):
        want = np.asarray(x)
        for _ in range(20): want = np.tanh(want @ want) + 1
    for _ in range(20): y = f(y)
    np.testing.assert_allclose(np.asarray(y), want, rtol=1e-3)


@case
def errors():
    def message(f, *args):
        try: jax.block_until_ready(jax.jit(f)(*args))
        except Exception as error: return str(error)
        raise AssertionError("no error")
    # A failure of the compiler has the place in the Python program.
    assert "calls 'no_such_target', which nothing provides" in message(lambda x: jax.ffi.ffi_call("no_such_target", x)(x), floats(4))
    located = message(lambda x: jnp.sin(x.reshape((1,) * 64 + (4,))), floats(4))
    assert "platform_cases.py:" in located and "rank 65" in located, located
    x = floats(4)
    called = jax.jit(lambda x: jax.lax.reduce(x, 0.0, lambda a, b: jax.pure_callback(np.add, a, a, b), (0,)))(x)
    assert abs(float(called) - x.sum()) < 1e-5


def factored(parts, want):
    """The product of |parts| is |want|: factorisations are off by some roundings for each number of a line, of the product of absolute values
    (Higham, Accuracy and stability of numerical algorithms, 9, 10 and 19)."""
    product, magnitude = np.float64(1), np.float64(1)
    for part in parts:
        part = np.asarray(part).astype(np.float64)
        product, magnitude = (part, np.abs(part)) if np.ndim(product) == 0 else (product @ part, magnitude @ np.abs(part))
    n = max(want.shape[-2:])
    assert_within(product.astype(np.float32), np.asarray(want).astype(np.float64), Bound(terms=8 * n, whole=True), magnitude)


@case
def linear_algebra():
    a = floats(2, 5, 5)
    s = a @ a.transpose(0, 2, 1) + np.eye(5, dtype=np.float32)
    w, v = jnp.linalg.eigh(s)
    size = np.linalg.norm(s, 2, (1, 2))[:, None]  # eigenvalues are off by roundings of the largest (Higham, 19)
    assert_within(np.asarray(w), np.linalg.eigvalsh(s.astype(np.float64)), Bound(terms=8 * 5), size * np.ones((2, 5)))
    factored([v, np.asarray(w)[:, :, None] * np.swapaxes(np.asarray(v), 1, 2)], s)
    x = floats(3, 4, 6)
    for full in (False, True):
        u, d, vt = jnp.linalg.svd(x, full_matrices=full)
        factored([np.asarray(u[..., :4] * d[:, None, :]), vt[:, :4]], x)
    factored(jnp.linalg.qr(x), x)
    factored([a, jnp.linalg.solve(a, s)], s)
    np.testing.assert_allclose(np.asarray(jnp.linalg.det(a)), np.linalg.det(a), rtol=1e-3)
    lower = jnp.linalg.cholesky(s)
    factored([lower, np.swapaxes(np.asarray(lower), 1, 2)], s)
    assert not np.triu(np.asarray(lower), 1).any()
    np.testing.assert_allclose(np.sort_complex(np.asarray(jnp.linalg.eig(a[0])[0])), np.sort_complex(np.linalg.eigvals(a[0])), rtol=1e-3)
    t, z = jax.scipy.linalg.schur(a[0])
    factored([z, t, z.T], a[0])
    h, p = jax.scipy.linalg.hessenberg(a[0], calc_q=True)
    factored([p, h, p.T], a[0])
    np.testing.assert_allclose(np.asarray(jax.grad(lambda s: jnp.linalg.eigh(s)[0].sum())(s[0])), np.eye(5), atol=1e-3)


@case
def large_and_many():
    """What the runtime factors itself: on all threads, and in lanes."""
    for shape in ((150, 150), (21, 4, 4), (5, 17, 17)):
        x = floats(*shape)
        s = x @ x.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1], dtype=np.float32)
        lower = np.asarray(jnp.linalg.cholesky(s))
        factored([lower, lower.swapaxes(-1, -2)], s)
        factored([s, jnp.linalg.solve(s, x)], x)
        factored([s, jnp.linalg.inv(s)], np.broadcast_to(np.eye(shape[-1]), shape))
        factored(jnp.linalg.qr(x), x)
    from heddle import jax_custom_calls
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "src", "runtime", "libraries", "lapack.c")) as source: text = source.read()
    routines = re.findall(r"OWN\((\w+), (\w+)\)", text[text.index("own_routines[] ="):].split(";")[0])
    own = {f"lapack_{t}{r}_ffi" for t in "sd" for r, lapack in routines if lapack == "false"}
    assert jax_custom_calls._OWN_LAPACK == own and own
    assert jax_custom_calls._OWN_WITH_OPENBLAS >= {f"lapack_{t}{r}_ffi" for t in "sd" for r, lapack in routines if lapack == "true"}
    for shape in ((21, 8, 8), (21, 5, 3), (100, 7), (7, 100)):
        x = floats(*shape)
        u, d, vt = jnp.linalg.svd(x, full_matrices=False)
        np.testing.assert_allclose(np.asarray(u * d[..., None, :] @ vt), x, atol=1e-4)
        np.testing.assert_allclose(np.asarray(d), np.linalg.svd(x, compute_uv=False), atol=1e-4)


@case
def callbacks():
    from jax.experimental import io_callback
    x = floats(4, 3)
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda x: jax.pure_callback(np.sin, x, x) * 2)(x)), np.sin(x) * 2)
    seen = []

    @jax.jit
    def f(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x[0, 0])
        return jax.lax.fori_loop(0, 3, lambda i, c: c + io_callback(lambda v: v + 1, x, c), x)
    assert_within(np.asarray(f(x)), 8 * x.astype(np.float64) + 7, sums(7), 8 * np.abs(x) + 7)
    jax.effects_barrier()
    assert seen == [float(x[0, 0])]
    seen.clear()

    @jax.jit
    def ordered(x):
        for i in range(4): jax.debug.callback(lambda v: seen.append(float(v)), x[i, 0], ordered=True)
        return x
    ordered(x)
    ordered(x + 1)
    jax.effects_barrier()
    np.testing.assert_array_equal(np.float32(seen), [*x[:, 0], *(x[:, 0] + 1)])

    def bad(v): raise ValueError("boom")
    try: jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(bad, x, x))(x))
    except Exception as error: assert "boom" in str(error), error
    else: raise AssertionError("no error")


@case
def serialised():
    from jax.experimental import serialize_executable
    compiled = jax.jit(lambda x: jnp.cos(x) * 2).lower(floats(5, 6)).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    np.testing.assert_array_equal(np.asarray(again(floats(5, 6))), np.asarray(compiled(floats(5, 6))))


@case
def analyses():
    compiled = jax.jit(lambda x: x * 2, donate_argnums=0).lower(floats(8, 128)).compile()
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == memory.output_size_in_bytes == memory.alias_size_in_bytes == 4096
    assert memory.generated_code_size_in_bytes > 0
    cost = compiled.cost_analysis()
    assert cost["bytes accessed"] == 8192 and cost["flops"] == 1024 and cost["kernels"] == 1 and cost["library calls"] == 0, cost
    square = jax.jit(lambda x: x @ x)
    for n in (64, 32, 16):  # from the second shape on, the code's dims are unknown and the program's are not
        cost = square.lower(floats(n, n)).compile().cost_analysis()
        assert cost["flops"] == 2 * n**3 and cost["library calls"] == 1, (n, cost)
    assert "f32[8,128]" in compiled.as_text()
    assert jax.devices("heddle")[0].memory_stats()["num_allocs"] > 0


@case
def profile():
    """Kernels, library calls and executions are in what jax.profiler.trace writes."""
    import glob
    import tempfile
    f = jax.jit(lambda x: jax.nn.softmax(x @ x).sum(0))
    x = floats(256, 256)
    jax.block_until_ready(f(x))
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            for _ in range(3): jax.block_until_ready(f(x))
        jax.block_until_ready(f(x))
        path, = glob.glob(folder + "/**/*.xplane.pb", recursive=True)
        planes = [p for p in jax.profiler.ProfileData.from_file(path).planes if p.name == "/device:CUSTOM:Heddle"]
        events = [(e.name, dict(e.stats).get("category"), e.duration_ns) for p in planes for line in p.lines for e in line.events]
    kinds = {kind: [name for name, k, _ in events if k == kind] for kind in ("execute", "kernel", "library")}
    assert len(kinds["execute"]) == 3 and set(kinds["execute"]) == {"jit__lambda"}, kinds["execute"]
    assert any("reduce" in name for name in kinds["kernel"]), kinds
    products = [name for name in kinds["library"] + kinds["kernel"] if "dot_general" in name] # a device computes them in kernels of its own
    assert len(products) == 3, kinds
    assert all(ns > 0 for _, _, ns in events), events


@case
def approximate_top_k():
    x = floats(4, 64)
    for f, largest in ((jax.lax.approx_max_k, True), (jax.lax.approx_min_k, False)):
        values, indices = jax.jit(lambda x: f(x, 5))(x)
        want = -np.sort(-x, 1)[:, :5] if largest else np.sort(x, 1)[:, :5]
        np.testing.assert_array_equal(np.asarray(values), want)
        np.testing.assert_array_equal(np.take_along_axis(x, np.asarray(indices), 1), want)


@case
def windows_that_stand_out():
    """A window that is not all within the operand is dropped whole, as in gathers that fill; clipped, it is moved."""
    # Without its emitters XLA compares indices of 8 bits with a bound of 198 that it took as one of 8 bits.
    known = {"cpu_options": {"xla_cpu_use_fusion_emitters": True}}
    numbers = jax.lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,))
    for dtype in (np.int32, np.int8, np.uint8):
        for places in ([9, 3, 9], [8, 0, 127], [-1, 7, -2]):
            places = np.array(places).astype(dtype)[:, None]
            for mode in ("fill", "clip"):
                for size in (10, 200):
                    def f(x, y): return [s(x, places, y, numbers, mode=mode) for s in (jax.lax.scatter_add, jax.lax.scatter_max, jax.lax.scatter)]
                    with jax.numpy_rank_promotion("raise"):
                        if len(set(places[:, 0])) == 3: same(f, floats(size), floats(3, 2, seed=1), **known)
                        else: same(lambda x, y: f(x, y)[:2], floats(size), floats(3, 2, seed=1), **known)
    rows = jax.lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0, 1))
    places = np.array([[0, 2], [1, 3], [4, 0], [3, -1]])
    same(lambda x, y: jax.lax.scatter_add(x, places, y, rows, mode="fill"), floats(4, 5), floats(4, 3, seed=1))


@case
def compiler_options():
    """Hints for XLA are taken, other names are refused, also where the program is known already."""
    x = np.float32(3)
    hints = {"xla_embed_ir_in_executable": True, "xla_dump_max_hlo_modules": 200, "exec_time_optimization_effort": 0.5}
    f = jax.jit(lambda x: x * 7, compiler_options=hints)
    assert float(f(x)) == 21
    for name in ("no_such_option", "not_xla_", "xla_", ""):
        try:
            jax.jit(lambda x: x * 7, compiler_options={name: 1})(x)
            assert False, f"'{name}' was taken"
        except jax.errors.JaxRuntimeError as e:
            assert f"No such compile option: '{name}'" in str(e), e

@case
def exports_for_the_cpu():
    """Programs exported for JAX's CPU are called on Heddle, LAPACK's custom calls, gradients and unknown dims included."""
    from jax import export
    a, b = floats(5, 5) + 6 * np.eye(5, dtype=np.float32), floats(5, 2)
    solve = lambda a, b: jnp.linalg.solve(a, b) + jnp.linalg.svd(a)[1][:, None]
    rows = jax.ShapeDtypeStruct(export.symbolic_shape("n, 5"), np.float32)
    for platforms in (("cpu",), ("tpu", "cpu")):
        exported = export.export(jax.jit(lambda x: jnp.tanh(x) @ x.T), platforms=platforms)(rows)
        np.testing.assert_allclose(np.asarray(jax.jit(lambda x: exported.call(x) * 2)(b.T)), np.tanh(b.T) @ b * 2, rtol=1e-5, atol=1e-5)
    exported = export.export(jax.jit(solve), platforms=("cpu",))(a, b)
    want = np.linalg.solve(a, b) + np.linalg.svd(a)[1][:, None]
    np.testing.assert_allclose(np.asarray(exported.call(a, b)), want, rtol=1e-4, atol=1e-4)
    exported = export.export(jax.jit(jnp.sin), platforms=("cpu",))(b)
    got = jax.grad(lambda x: exported.call(x).sum())(b)
    np.testing.assert_allclose(np.asarray(got), np.cos(b), rtol=1e-5, atol=1e-6)
    try: export.export(jax.jit(jnp.sin), platforms=("tpu",))(b).call(b)
    except ValueError as error: assert "'heddle'" in str(error)
    else: assert False, "a program for another device was run"

@case
def linear_algebra_without_elements():
    """Of matrices of size 0, and of none."""
    linalg = jax.lax.linalg
    square = [linalg.eig, linalg.eigh, linalg.svd, linalg.schur, linalg.qr, linalg.lu, linalg.cholesky, jnp.linalg.det, jnp.linalg.inv]
    for dtype in (np.float32, np.complex64):
        for shape in ((0, 0), (3, 0, 0), (0, 3, 3), (0, 0, 0)):
            x = np.zeros(shape, dtype)
            for f in square:
                for result in jax.tree.leaves(jax.jit(f)(x)): np.asarray(result)
            assert jnp.linalg.det(x).shape == shape[:-2] and (np.asarray(jnp.linalg.det(x)) == 1).all()
        for shape in ((0, 3), (3, 0), (2, 0, 3)):
            q, r = jnp.linalg.qr(np.zeros(shape, dtype))
            assert q.shape == (*shape[:-1], 0) and r.shape == (*shape[:-2], 0, shape[-1])
            assert jnp.linalg.svd(np.zeros(shape, dtype), full_matrices=False)[1].shape == (*shape[:-2], 0)
        tau = np.zeros((0,), dtype)
        assert linalg.householder_product(np.zeros((3, 0), dtype), tau).shape == (3, 0)


@case
def effects_in_branches_and_loops():
    seen = []

    def note(v): seen.append(float(v))

    def f(x):
        jax.lax.cond(x > 0, lambda: jax.debug.callback(note, x), lambda: None)

        def body(i, c):
            jax.lax.cond(i > 0, lambda: jax.debug.callback(note, i), lambda: None)
            return c + 1
        return jax.lax.fori_loop(0, 3, body, x)
    assert float(jax.jit(f)(np.float32(5))) == 8
    jax.effects_barrier()
    assert sorted(seen) == [1, 2, 5], seen


@case
def choices_by_platform():
    """Branches for platforms by name: without one for this and without a default, that for JAX's CPU."""
    choose = lambda **more: np.asarray(jax.jit(lambda x: jax.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x * 2, **more))(floats(4)))
    np.testing.assert_array_equal(choose(), floats(4) + 1)
    np.testing.assert_array_equal(choose(default=lambda x: x - 3), floats(4) - 3)
    np.testing.assert_array_equal(choose(heddle=lambda x: x * 4), floats(4) * 4)
    np.testing.assert_array_equal(np.asarray(jax.lax.platform_dependent(floats(4), cpu=lambda x: x + 1)), floats(4) + 1)
    mapped = jax.vmap(lambda x: jax.lax.platform_dependent(x, cuda=lambda x: x, cpu=lambda x: x + x.sum()))
    np.testing.assert_allclose(np.asarray(mapped(floats(2, 4))), floats(2, 4) + floats(2, 4).sum(1, keepdims=True), rtol=1e-6)
    exported = jax.export.export(jax.jit(lambda x: jax.lax.platform_dependent(x, cpu=lambda x: x + 1)), platforms=("cpu", "heddle"))(floats(4))
    np.testing.assert_array_equal(np.asarray(exported.call(floats(4))), floats(4) + 1)
    try:
        jax.jit(lambda x: jax.lax.platform_dependent(x, tpu=lambda x: x, cuda=lambda x: -x))(floats(4))
        assert False, "there is no branch to take"
    except NotImplementedError as e:
        assert "platform heddle" in str(e), e


def main():
    for name in sys.argv[1:] or CASES:
        try:
            CASES[name]()
            error = None
        except Exception as e:
            error = f"{type(e).__name__}: {e}"
        print(json.dumps([name, error]), flush=True)


if __name__ == "__main__":
    main()
