# SPDX-License-Identifier: Apache-2.0
"""The texts of texts.py: read, printed so that the same program is read again and that XLA reads it, run against the evaluator, and
against XLA on the same inputs."""
import os
import subprocess

import jax
import jax.extend.backend
import jax.numpy as jnp
import jaxlib._hlo as xla
import numpy as np
import pytest
from jaxlib import _jax

import heddle
from texts import TEXTS

# What XLA's CPU client does not run.
NO_XLA_VALUES = {"op_acosh": "no code for it", "op_sinh": "no code for it", "integer_division": "the process ends at the division by 0",
                 "fusion_of_fusion": "the process ends", "multi_output_fusion": "refused on its way in", "bitcasts": "refused on its way in",
                 "scaled_dot": "its StableHLO has no such op", "compare_total": "its CPU code ignores TOTALORDER"}


def build_of(): return os.path.abspath(os.environ["HEDDLE_BUILD"])


def tool(name, *args):
    return subprocess.run([os.path.join(build_of(), "bin", name), *args], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", TEXTS)
def test_reads_prints_and_runs(name, tmp_path):
    path = tmp_path / "f.hlo"
    path.write_text(TEXTS[name])
    xla.hlo_module_from_text(TEXTS[name])
    done = tool("heddle-opt", path, "--verify-roundtrip", "--emit-hlo")
    assert done.returncode == 0, done.stderr
    xla.hlo_module_from_text(done.stdout)
    again = tmp_path / "again.hlo"
    again.write_text(done.stdout)
    assert tool("heddle-opt", again, "--emit-hlo").stdout == done.stdout
    done = tool("heddle", "run", path, "--random", "1", "--no-cache", "--reference=eval")
    assert done.returncode == 0 and "the evaluator" in done.stdout, done.stdout + done.stderr


def run_by_xla(text, args):
    proto = xla.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    module = _jax.mlir.xla_computation_to_mlir_module(xla.XlaComputation(proto))
    client = jax.extend.backend.get_backend("cpu")
    loaded = client.compile_and_load(module, _jax.DeviceList(tuple(client.devices()[:1])))
    return [np.asarray(out[0]) for out in loaded.execute_sharded([jax.device_put(a) for a in args]).disassemble_into_single_device_arrays()]


def inputs_of(program, seed=3):
    """Random arrays of the entry's arguments, as its types say."""
    rng = np.random.default_rng(seed)
    arrays = []
    for shape, dtype in program:
        if dtype.kind == "f": array = rng.uniform(-1, 1, shape)
        elif dtype.kind == "c": array = rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)
        elif dtype.kind == "b": array = rng.random(shape) < 0.5
        else: array = rng.integers(0, 3, shape)
        arrays.append(np.asarray(array).astype(dtype))
    return arrays


def leaves(shape):
    if shape.is_tuple(): return [leaf for part in shape.tuple_shapes() for leaf in leaves(part)]
    return [(shape.dimensions(), np.dtype(shape.numpy_dtype()))]


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in NO_XLA_VALUES])
def test_equals_xla(name):
    text = TEXTS[name]
    proto = xla.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    parameters = xla.XlaComputation(proto).program_shape().parameter_shapes()
    if any(p.is_tuple() for p in parameters): pytest.skip("XLA takes no tuples as arguments here")
    args = inputs_of([leaf for p in parameters for leaf in leaves(p)])
    want = run_by_xla(text, args)
    got = [np.asarray(leaf) for leaf in jax.tree.leaves(heddle.compile(text)(*args))]
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.shape == w.shape and g.dtype == w.dtype, (g.shape, w.shape, g.dtype, w.dtype)
        if w.dtype.kind in "biu": np.testing.assert_array_equal(g, w)
        else:
            kind = np.complex128 if w.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(g.astype(kind), w.astype(kind), rtol=1e-5, atol=1e-6)


def test_scaled_dot():
    """The product that JAX's composite of the same name is."""
    rng = np.random.default_rng(2)
    def floats(kind, *shape): return rng.uniform(-2, 2, shape).astype(kind)
    args = [floats(jnp.float8_e4m3fn, 2, 4, 64), floats(jnp.float8_e4m3fn, 2, 64, 8), floats(np.float32, 2, 4, 2), floats(np.float32, 2, 1, 8)]
    def reference(a, b, p, q):
        scale = lambda x: jnp.exp(x).astype(jnp.float8_e8m0fnu)
        return jax.lax.scaled_dot(a, b, lhs_scale=scale(p), rhs_scale=scale(q), preferred_element_type=jnp.float32)
    want = np.asarray(jax.jit(reference)(*args))
    np.testing.assert_allclose(np.asarray(heddle.compile(TEXTS["scaled_dot"])(*args)), want, rtol=1e-5, atol=1e-4 * np.abs(want).max())
