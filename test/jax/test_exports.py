# SPDX-License-Identifier: Apache-2.0
"""Functions as jax.export writes them, at unknown dims and for several platforms: compiled code and the evaluator give what
JAX gives, from text and from bytecode."""

import numpy as np
import needs
import pytest
from error_model import assert_near

jax = needs.module("jax", group="python")
import jax.numpy as jnp  # noqa: E402
from jax import export, lax  # noqa: E402

pytestmark = pytest.mark.usefixtures("compiler")


def rows(*dims, seed=0):
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def spec(dims, dtype=np.float32, scope=None):
    return jax.ShapeDtypeStruct(export.symbolic_shape(dims, scope=scope) if isinstance(dims, str) else dims, dtype)


def check(heddle, folder, function, specs, inputs, tolerance=1e-5, options=(), same=True, **how):
    """Compares both engines on both forms of the export with JAX; gives the Exported."""
    exported = export.export(jax.jit(function), **how)(*specs)
    (folder / "f.mlirbc").write_bytes(exported.mlir_module_serialized)
    (folder / "f.mlir").write_text(exported.mlir_module())
    kept = [inputs[i] for i in exported.module_kept_var_idx]
    np.savez(folder / "in.npz", **{f"arg{i}": np.asarray(x) for i, x in enumerate(kept)})
    want = jax.tree_util.tree_leaves(jax.jit(function)(*inputs))
    for command, file in (("run", "f.mlirbc"), ("run", "f.mlir"), ("eval", "f.mlirbc")):
        heddle(command, folder / file, "--inputs", folder / "in.npz", "--outputs", folder / "out.npz", *options, check=True)
        got = np.load(folder / "out.npz")
        for i, expected in enumerate(want):
            if same: assert_near(got[f"out{i}"], expected, tolerance, tolerance, f"{command} {file}: out{i}")
            else: assert got[f"out{i}"].dtype == expected.dtype and got[f"out{i}"].shape == expected.shape, f"{command} {file}: out{i}"
    return exported


def on_platform(x):
    return lax.platform_dependent(x, cpu=lambda x: x + 1, cuda=lambda x: x * 2, default=lambda x: x - 3)


@pytest.mark.parametrize("dims", [(3, 5), "b, n"])
@pytest.mark.parametrize("platforms", [("cpu", "cuda"), ("cuda", "cpu")])
def test_platform_index(heddle, tmp_path, dims, platforms):
    check(heddle, tmp_path, on_platform, [spec(dims)], [rows(3, 5)], options=("--platform-index", platforms.index("cpu")), platforms=platforms)
    dims = ("--dims", "b=3,n=5") if isinstance(dims, str) else ()
    heddle("run", tmp_path / "f.mlir", "--random", "1", "--reference=eval", *dims, check=True)


def test_platform_index_of_an_exported():
    import heddle as package
    for platforms in (("cpu", "cuda"), ("cuda", "cpu")):
        exported = export.export(jax.jit(on_platform), platforms=platforms)(spec("b, n"))
        function = package.compile(exported, cache=False)
        assert len(function.inputs) == 1
        np.testing.assert_allclose(function(rows(3, 5)), rows(3, 5) + 1)


def test_platform_index_is_a_scalar_integer(heddle, tmp_path):
    (tmp_path / "f.mlir").write_text('func.func @main(%a: tensor<2xf32> {jax.global_constant = "_platform_index"}) -> tensor<2xf32> {\n'
                                     "  return %a : tensor<2xf32>\n}\n")
    for command in ("run", "eval", "compile"):
        failed = heddle(command, tmp_path / "f.mlir", *(("--random", "1") if command != "compile" else ()))
        assert failed.returncode == 1 and "expected a scalar integer tensor" in failed.stderr, command
    failed = heddle("run", tmp_path / "f.mlir", "--platform-index", "-1")
    assert failed.returncode == 2 and "a number from 0 on" in failed.stderr


def lines(x): return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


DYNAMIC = {
    "cumsum along": (lambda x: jnp.cumsum(x, 1), [("b, n",)]),
    "cumsum beside": (lambda x: jnp.cumsum(x, 1), [("b, 8",)]),
    "cumsum reverse": (lambda x: lax.cumsum(x, 0, reverse=True), [("b, n",)]),
    "cumprod": (lambda x: jnp.cumprod(x, 0), [("b, n",)]),
    "cummax": (lambda x: lax.cummax(x, 0, reverse=True), [("b, n",)]),
    "cumlogsumexp": (lambda x: lax.cumlogsumexp(x, 1), [("b, n",)]),
    "nonzero": (lambda x: jnp.nonzero(x > 0, size=4, fill_value=-1), [("n",)]),
    "unique": (lambda x: jnp.unique(x, size=4, fill_value=0), [("n", np.int32)]),
    "pool same": (lines, [("b, n, m, 2",)]),
    "pool average": (lambda x: lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 1, 1), "VALID"), [("b, n, m, 2",)]),
    "roll": (lambda x: (jnp.roll(x, 2, axis=0), jnp.roll(x, -1, axis=1)), [("b, n",)]),
    "roll by": (lambda x, s: jnp.roll(x, s, axis=1), [("b, n",), ((), np.int32)]),
    "conv same": (lambda x, w: lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
                  [("b, n, m, 2",), ((3, 3, 2, 4),)]),
    "approx_max_k": (lambda x: lax.approx_max_k(x, 2), [("b, 16",)]),
    "approx_min_k": (lambda x: lax.approx_min_k(x, 3, reduction_dimension=0), [((9, 5),)]),
}


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.parametrize("sizes", [(3, 5, 6), (8, 7, 4), (1, 4, 9)])
def test_dynamic(heddle, tmp_path, name, sizes):
    function, arguments = DYNAMIC[name]
    named, scope, specs, inputs = dict(zip("bnm", sizes)), export.SymbolicScope(), [], []
    for i, (dims, *dtype) in enumerate(arguments):
        dtype = dtype[0] if dtype else np.float32
        specs.append(spec(dims, dtype, scope))
        known = [named.get(d.strip()) or int(d) for d in dims.split(",")] if isinstance(dims, str) else dims
        x = rows(*known, seed=i)
        inputs.append((x * 5).astype(dtype) if np.issubdtype(dtype, np.integer) else x)
    check(heddle, tmp_path, function, specs, inputs)


@pytest.mark.parametrize("algorithm", ["RNG_DEFAULT", "RNG_THREE_FRY"])
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("sizes", [(3, 5), (5, 4)])
def test_dynamic_random_bits(heddle, tmp_path, algorithm, dtype, sizes):
    """The bits are those of the same op at known dims, which the evaluator gives for both."""
    with jax.enable_x64(True):
        def bits(key, x): return lax.rng_bit_generator(key, x.shape, dtype=dtype, algorithm=getattr(lax.RandomAlgorithm, algorithm))
        key = np.arange(1, 5 if algorithm != "RNG_THREE_FRY" else 3, dtype=np.uint32 if algorithm != "RNG_THREE_FRY" else np.uint64)
        got = []
        for dims in ("b, n", sizes):
            exported = export.export(jax.jit(bits))(jax.ShapeDtypeStruct(key.shape, key.dtype), spec(dims))
            (tmp_path / "f.mlirbc").write_bytes(exported.mlir_module_serialized)
            given = {"arg0": key, "arg1": rows(*sizes)}
            np.savez(tmp_path / "in.npz", **{f"arg{i}": given[f"arg{k}"] for i, k in enumerate(exported.module_kept_var_idx)})
            for command in ("run", "eval"):
                heddle(command, tmp_path / "f.mlirbc", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
                with np.load(tmp_path / "out.npz") as out: got.append([out[name] for name in sorted(out)])
    for other in got[1:]:
        for a, b in zip(got[0], other): np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def lapack(): needs.library("lapacke")


def wide(seed=0, n=5, m=None, batch=(), dtype=np.float64):
    """A matrix far from singular."""
    r = np.random.default_rng(seed)
    a = r.standard_normal((*batch, n, m or n)) + 3 * np.eye(n, m or n)
    if np.issubdtype(dtype, np.complexfloating): a = a + 1j * r.standard_normal(a.shape)
    return a.astype(dtype)


def adjoint(x): return jnp.conj(jnp.swapaxes(x, -1, -2))


# What comes out must be unique, so vectors are multiplied together again.
LINALG = {
    "cholesky": lambda a: jnp.linalg.cholesky(a @ adjoint(a)),
    "solve_triangular": lambda a: jax.scipy.linalg.solve_triangular(a, a + 1, lower=True, trans=1),
    "solve": lambda a: jnp.linalg.solve(a, a + 1),
    "inv": jnp.linalg.inv,
    "det": lambda a: (jnp.linalg.det(a), jnp.linalg.slogdet(a)[1]),
    "lu": lambda a: lax.linalg.lu(a),
    "qr": lambda a: (lambda q, r: (q @ r, adjoint(q) @ q))(*jnp.linalg.qr(a)),
    "svd": lambda a: (lambda u, s, v: ((u * s[..., None, :]) @ v, s))(*jnp.linalg.svd(a, full_matrices=False)),
    "svd values": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "eigh": lambda a: (lambda w, v: ((v * w[..., None, :]) @ adjoint(v), w))(*jnp.linalg.eigh(a + adjoint(a))),
    "eig": lambda a: (lambda w, v: (v * w[..., None, :]) @ jnp.linalg.inv(v))(*jnp.linalg.eig(a)),
    "schur": lambda a: (lambda t, z: z @ t @ adjoint(z))(*lax.linalg.schur(a)),
    "hessenberg": lambda a: lax.linalg.hessenberg(a)[0],
    "tridiagonal": lambda a: lax.linalg.tridiagonal(a + adjoint(a))[1:3],
}


@pytest.mark.usefixtures("lapack")
@pytest.mark.parametrize("name", LINALG)
@pytest.mark.parametrize("dtype, batch", [(np.float32, ()), (np.complex128, (3,)), (np.float64, (2, 2)), (np.complex64, ())])
def test_linear_algebra(heddle, tmp_path, name, dtype, batch):
    with jax.enable_x64(True):
        a = wide(batch=batch, dtype=dtype)
        check(heddle, tmp_path, LINALG[name], [spec(a.shape, dtype)], [a], 2e-4 if np.dtype(dtype).itemsize <= 8 and dtype != np.float64 else 1e-8)


@pytest.mark.usefixtures("lapack")
@pytest.mark.parametrize("name", ["cholesky", "solve_triangular", "qr", "svd", "eigh"])
def test_linear_algebra_of_unknown_batches(heddle, tmp_path, name):
    a = wide(batch=(3,), dtype=np.float32)
    check(heddle, tmp_path, LINALG[name], [spec("b, 5, 5")], [a], 2e-4)


@pytest.mark.usefixtures("lapack")
def test_tridiagonal_solve(heddle, tmp_path):
    d = np.arange(1, 6, dtype=np.float32)
    check(heddle, tmp_path, lambda l, d, u, b: lax.linalg.tridiagonal_solve(l, d, u, b), [spec((5,))] * 3 + [spec((5, 2))],
          [np.r_[np.float32(0), d[1:] / 3].astype(np.float32), d + 2, np.r_[d[:-1] / 4, np.float32(0)].astype(np.float32), rows(5, 2)])


def test_unknown_target_fails_when_compiled(heddle, tmp_path):
    (tmp_path / "f.mlir").write_text("func.func @main(%a: tensor<2x?xf32>) -> tensor<2x?xf32> {\n"
                                     "  %r = stablehlo.custom_call @nothing_knows_it(%a) : (tensor<2x?xf32>) -> tensor<2x?xf32>\n"
                                     "  return %r : tensor<2x?xf32>\n}\n")
    failed = heddle("compile", tmp_path / "f.mlir", "-o", tmp_path / "f.hdl")
    assert failed.returncode == 1 and "f.mlir:2:8: error: 'stablehlo.custom_call' op calls 'nothing_knows_it', which nothing provides" in failed.stderr and "--custom-calls-later" in failed.stderr
    text = (tmp_path / "f.mlir").read_text().replace("2x?", "2x3")
    (tmp_path / "g.mlir").write_text(text)
    assert heddle("compile", tmp_path / "g.mlir", "-o", tmp_path / "g.hdl").returncode == 1
    heddle("compile", tmp_path / "g.mlir", "-o", tmp_path / "g.hdl", "--custom-calls-later", check=True)
    failed = heddle("run", tmp_path / "g.hdl", "--random", "1")
    assert failed.returncode == 1 and "no function of this name is registered" in failed.stderr
