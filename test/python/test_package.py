# SPDX-License-Identifier: Apache-2.0
"""The Python package: functions from programs in every form, on arrays of every kind, and errors."""
import json
import os
import subprocess
import sys
import zipfile

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import heddle


@pytest.fixture(scope="module", autouse=True)
def libraries(build, tmp_path_factory):
    old = {name: os.environ.get(name) for name in ("HEDDLE_BUILD", "HEDDLE_CACHE_DIR")}
    os.environ.update(HEDDLE_BUILD=build, HEDDLE_CACHE_DIR=str(tmp_path_factory.mktemp("cache")))
    yield
    for name, value in old.items():
        if value is None: os.environ.pop(name, None)
        else: os.environ[name] = value


def exported(f, *shapes):
    scope = export.SymbolicScope()
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), jnp.float32) for s in shapes]
    return export.export(jax.jit(f))(*args)


@pytest.fixture(scope="module")
def product():
    return heddle.compile(exported(lambda x, w: (x @ w, x.sum()), "b, s", "s, 4"))


def test_text_at_any_shape(root):
    with open(os.path.join(root, "examples", "gelu.mlir"), encoding="utf-8") as handle: f = heddle.compile(handle.read())
    for shape in ((2, 3), (1, 1), (7, 130)):
        x = np.random.RandomState(0).randn(*shape).astype(np.float32)
        np.testing.assert_allclose(f(x), jax.nn.gelu(x), rtol=1e-5, atol=1e-6)
    # The exporter's own assertion.
    with pytest.raises(heddle.InvalidArgumentError, match="Expected value >= 1 for dimension variable 'b'"): f(np.ones((0, 5), np.float32))


def test_exported_program(product):
    assert [t.shape for t in product.inputs] == [("b", "s"), ("s", 4)] and product.outputs[1].shape == ()
    for b, s in ((3, 5), (1, 64)):
        x, w = np.random.RandomState(1).randn(b, s).astype(np.float32), np.ones((s, 4), np.float32)
        y, total = product(x, w)
        np.testing.assert_allclose(y, x @ w, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(total, x.sum(), rtol=1e-4, atol=1e-5)
    assert "float32[b, s]" in repr(product)


def test_lowered_program():
    lowered = jax.jit(lambda x: x * 2 + 1).lower(np.ones(3, np.float32))
    np.testing.assert_array_equal(heddle.compile(lowered)(np.ones(3, np.float32)), [3, 3, 3])


def test_kinds_of_arrays(product):
    x, w = np.ones((2, 5), np.float32), np.ones((5, 4), np.float32)
    y, _ = product(jnp.asarray(x), w)
    assert isinstance(y, jax.Array) and y.devices() == {jax.devices("cpu")[0]}
    np.testing.assert_array_equal(y, x @ w)

    class Wrapped:  # what any other library gives
        def __dlpack__(self, **more): return x.__dlpack__(**more)
        def __dlpack_device__(self): return x.__dlpack_device__()
    y, _ = product(Wrapped(), w)
    assert isinstance(y, np.ndarray)
    np.testing.assert_array_equal(y, x @ w)
    wide = np.ones((5, 8), np.float32)[:, ::2]
    np.testing.assert_array_equal(product(np.asfortranarray(x), wide)[0], x @ wide)


def test_bound_arguments_and_artifacts(product, tmp_path):
    product.save(tmp_path / "product.hdl")
    f = heddle.load(tmp_path / "product.hdl")
    w = np.arange(20, dtype=np.float32).reshape(5, 4)
    f.bind(1, w)
    np.testing.assert_allclose(f(np.ones((2, 5), np.float32))[0], np.ones((2, 5)) @ w)
    with pytest.raises(heddle.InvalidArgumentError, match="expected 1 arguments, got 2"): f(np.ones((2, 5), np.float32), w)


def test_diagnostics_are_located():
    text = 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = stablehlo.add %x, %z : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n'
    with pytest.raises(heddle.InvalidArgumentError) as caught: heddle.compile(text, name="wrong.mlir")
    assert "wrong.mlir:2:26: error:" in str(caught.value)
    assert caught.value.status == "INVALID_ARGUMENT" and caught.value.diagnostics[0][0] == "error"
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, heddle.HeddleError)


def test_wrong_arguments(product):
    x = np.ones((3, 5), np.float32)
    with pytest.raises(heddle.InvalidArgumentError, match=r"args\[1\].shape\[0\] \(= 6\) and the specification 's' \(= 5\)"): product(x, np.ones((6, 4), np.float32))
    with pytest.raises(heddle.InvalidArgumentError, match="expected 2 arguments, got 1"): product(x)
    with pytest.raises(heddle.InvalidArgumentError, match="expected float32, got float64"): product(x, np.ones((5, 4)))
    with pytest.raises(heddle.InvalidArgumentError, match="rank"): product(x, np.float32(3))
    with pytest.raises(TypeError, match="got int"): heddle.compile(3)
    with pytest.raises(heddle.HeddleError): heddle.Function(b"no artifact")


def test_limits():
    program = jax.jit(lambda x: x * 2).lower(np.ones(3, np.float32))
    with pytest.raises(heddle.ResourceExhaustedError): heddle.compile(program, memory_limit=1000)


def test_threads(product):
    import concurrent.futures
    w = np.ones((5, 4), np.float32)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for k, (y, _) in enumerate(pool.map(lambda k: product(np.full((k % 7 + 1, 5), k, np.float32), w), range(200))):
            np.testing.assert_array_equal(y, np.full((k % 7 + 1, 4), 5 * k))


def test_wheel(root, build, tmp_path):
    """`pip wheel .` has the libraries inside; what it holds runs by itself, as a package and as a platform of JAX."""
    environment = {k: v for k, v in os.environ.items() if k not in ("HEDDLE_BUILD", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", root, "--no-deps", "--no-build-isolation", "--no-index", "-q", "-w", tmp_path],
                          capture_output=True, text=True, env={**environment, "HEDDLE_WHEEL_BUILD": build}, timeout=900, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    wheel, = tmp_path.glob("heddle-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive: archive.extractall(site)
    assert {"heddle", "jax_plugins"} <= set(os.listdir(site)) and (site / "heddle" / "lib" / "libheddle_pjrt.so").exists()
    script = ("import json, jax, numpy as np, heddle, heddle.libraries as l\n"
              "y = jax.jit(lambda x: x * 2)(np.ones(3, np.float32))\n"
              "f = heddle.compile(jax.jit(lambda x: x + 1).lower(np.ones(3, np.float32)))\n"
              "print(json.dumps([str(y.devices()), np.asarray(y).tolist(), f(np.ones(3, np.float32)).tolist(), l.path('libheddle.so')]))\n")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                          env={**environment, "PYTHONPATH": str(site), "JAX_PLATFORMS": "heddle", "HEDDLE_CACHE_DIR": str(tmp_path / "cache")})
    assert done.returncode == 0, done.stderr[-3000:]
    devices, twice, plus, path = json.loads(done.stdout.splitlines()[-1])
    assert "HeddleDevice" in devices and twice == plus == [2, 2, 2] and path.startswith(str(site))
