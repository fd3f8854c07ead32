# SPDX-License-Identifier: Apache-2.0
"""Functions as jax.export writes them, at unknown dims and for several platforms: compiled code and the evaluator give what
JAX gives, from text and from bytecode."""
import numpy as np
import pytest

jax = pytest.importorskip("jax")
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
            expected = np.asarray(expected)
            assert got[f"out{i}"].dtype == expected.dtype and got[f"out{i}"].shape == expected.shape, f"{command} {file}: out{i}"
            if same: np.testing.assert_allclose(got[f"out{i}"], expected, rtol=tolerance, atol=tolerance, err_msg=f"{command} {file}: out{i}")
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
