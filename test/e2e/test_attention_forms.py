# SPDX-License-Identifier: Apache-2.0
"""Attention as models write it in JAX: heads first or last, heads of keys and values that several heads of queries share, scores that are changed
before the softmax. Each is one call (no scores in memory), with the bits of its parts, which a program whose scores leave it keeps apart."""
import ml_dtypes
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")
jax = pytest.importorskip("jax")
jnp = jax.numpy
FIRST, LAST = ("bhqd,bhkd->bhqk", "bhqk,bhkd->bhqd"), ("bqhd,bkhd->bhqk", "bhqk,bkhd->bqhd")


def attend(q, k, v, products=FIRST, change=lambda s: s):
    scores = change(jnp.einsum(products[0], q, k) * 0.125)
    return jnp.einsum(products[1], jax.nn.softmax(scores, axis=-1), v), scores


def causal(s): return jnp.where(jnp.arange(s.shape[-2])[:, None] >= jnp.arange(s.shape[-1])[None], s, -jnp.inf)


def near(s):
    apart = jnp.arange(s.shape[-2])[:, None] - jnp.arange(s.shape[-1])[None]
    return jnp.where((apart >= 0) & (apart < 5), s, -1e30)


def slopes(s): return s - 2.0 ** -jnp.arange(8)[:, None, None] * abs(jnp.arange(s.shape[-2])[:, None] - jnp.arange(s.shape[-1])[None])


def spread(x, axis):
    """The heads of |x| for four heads of queries each, by a broadcast."""
    shape = x.shape[:axis + 1] + (4,) + x.shape[axis + 1:]
    return jnp.broadcast_to(jnp.expand_dims(x, axis + 1), shape).reshape(x.shape[:axis] + (8,) + x.shape[axis + 1:])


def grouped(q, k, v):
    b, n, _, d = q.shape
    out, scores = attend(q.reshape(b, n, 2, 4, d), k, v, ("bqhgd,bkhd->bhgqk", "bhgqk,bkhd->bqhgd"))
    return out.reshape(b, n, 8, d), scores


def exchanged(q, k, v):
    scores = jnp.einsum("bkhd,bqhd->bhqk", k, q) * 0.125
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), v), scores


def split(x): return x.reshape(x.shape[0], x.shape[1], 8, 16).swapaxes(1, 2)


def merged(q, k, v):
    out, scores = attend(split(q), split(k), split(v), change=causal)
    return out.swapaxes(1, 2).reshape(q.shape), scores


SAME, SHARED, LAST_SAME, LAST_SHARED = ["b, 8, n, 16"] * 3, ["b, 8, n, 16"] + ["b, 2, n, 16"] * 2, ["b, n, 8, 16"] * 3, ["b, n, 8, 16"] + ["b, n, 2, 16"] * 2
FORMS = {
    "heads first": (lambda q, k, v: attend(q, k, v, change=causal), SAME),
    "heads last": (lambda q, k, v: attend(q, k, v, LAST, causal), LAST_SAME),
    "repeated": (lambda q, k, v: attend(q, jnp.repeat(k, 4, 1), jnp.repeat(v, 4, 1), change=causal), SHARED),
    "broadcast": (lambda q, k, v: attend(q, spread(k, 1), spread(v, 1)), SHARED),
    "repeated, last": (lambda q, k, v: attend(q, jnp.repeat(k, 4, 2), jnp.repeat(v, 4, 2), LAST), LAST_SHARED),
    "broadcast, last": (lambda q, k, v: attend(q, spread(k, 2), spread(v, 2), LAST, causal), LAST_SHARED),
    "one head of keys": (lambda q, k, v: attend(q, k, v, ("bhqd,bkd->bhqk", "bhqk,bkd->bhqd"), causal), ["b, 8, n, 16"] + ["b, n, 16"] * 2),
    "grouped": (grouped, LAST_SHARED),
    "keys first": (exchanged, LAST_SAME),
    "transposed": (lambda q, k, v: attend(*(x.swapaxes(1, 2) for x in (q, k, v))), LAST_SAME),
    "heads side by side": (merged, ["b, n, 128"] * 3),
    "window": (lambda q, k, v: attend(q, k, v, change=near), SAME),
    "slopes": (lambda q, k, v: attend(q, k, v, change=slopes), SAME),
    "capped": (lambda q, k, v: attend(q, k, v, change=lambda s: 30 * jnp.tanh(s / 30)), SAME),
}


def exported(function, dims, dtype):
    from jax import export
    scope = export.SymbolicScope()
    return export.export(jax.jit(function), platforms=["cpu"])(*(jax.ShapeDtypeStruct(export.symbolic_shape(d, scope=scope), dtype) for d in dims)).mlir_module()


@pytest.mark.parametrize("dtype", (np.float32, ml_dtypes.bfloat16))
@pytest.mark.parametrize("form", FORMS)
def test_bits_are_those_of_the_parts(form, dtype):
    function, dims = FORMS[form]
    runtime = Runtime(threads=2)
    one, parts = (runtime.load(compile_program(exported(f, dims, dtype).encode())) for f in (lambda *x: function(*x)[0], function))
    for b, n in ((1, 1), (2, 7), (1, 33), (2, 130)):
        r = np.random.default_rng(n)
        given = [r.standard_normal([{"b": b, "n": n}.get(d) or int(d) for d in text.split(", ")]).astype(dtype) for text in dims]
        got, want = one(*given)[0], parts(*given)[0]
        assert np.isfinite(want.astype(np.float64)).all() and got.tobytes() == want.tobytes()
        q, k, v = (jnp.asarray(x, jnp.float32) for x in given)
        reference = np.asarray(function(q, k, v)[0], np.float64)
        np.testing.assert_allclose(got.astype(np.float64), reference, atol=2e-5 if dtype == np.float32 else 5e-2)


@pytest.mark.parametrize("form", FORMS)
def test_is_one_call(form, heddle, tmp_path):
    function, dims = FORMS[form]
    path = tmp_path / "attention.mlir"
    path.write_text(exported(lambda *x: function(*x)[0], dims, np.float32))
    told = heddle("explain", path).stdout
    assert "ral_attention" in told and "ral_dot_general" not in told, told[told.index("kernels ("):]
