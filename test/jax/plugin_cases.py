# SPDX-License-Identifier: Apache-2.0
"""What JAX can hand to the plugin that is odd or wrong: every refusal is an exception that says what to do, and what is accepted is
right. Runs as device_cases.py does, on several devices."""
import jax
import jax.numpy as jnp
import numpy as np

import platform_cases
from heddle.jax_platform import counters
from platform_cases import assert_within, floats, sums

CASES = {}


def case(f):
    CASES[f.__name__] = f
    return f


def raises(f, *words, kind=Exception):
    """|f| raises, and the message has the |words|."""
    try:
        jax.block_until_ready(f())
    except kind as error:
        for word in words: assert word in str(error), str(error)
        return
    assert False, "nothing was raised"


def assert_product(got, a, b):
    assert_within(np.asarray(got), a.astype(np.float64) @ b, sums(a.shape[-1]), np.abs(a).astype(np.float64) @ np.abs(b))


# ---- compile options ----


@case
def unknown_options():
    compiled = lambda **options: jax.jit(lambda x: x + 1, compiler_options=options)(floats(3))
    raises(lambda: compiled(heddle_fast=True), "No such compile option: 'heddle_fast'", "heddle_no_contract", "heddle_timeout")
    raises(lambda: compiled(heddle_math="x"), "compile option 'heddle_math': expected exact or fast, got 'x'")
    raises(lambda: compiled(heddle_tf32="maybe"), "compile option 'heddle_tf32': expected true or false, got 'maybe'")
    raises(lambda: compiled(heddle_timeout=-1), "compile option 'heddle_timeout': expected seconds, 0 for no limit, got -1")
    raises(lambda: compiled(num_threads="2"), "No such compile option: 'num_threads'")
    raises(lambda: jax.jit(lambda x: x * 3).lower(floats(3)).compile(compiler_options={"": "1"}), "No such compile option: ''")


@case
def option_values():
    compiled = lambda **options: jax.jit(lambda x: x + 1, compiler_options=options)(floats(3))
    for name in ("heddle_no_contract", "heddle_no_excess_precision", "heddle_deterministic", "heddle_no_graph_passes", "heddle_library_products", "heddle_alone"):
        for value in (True, False, "true", "False", 0, 1, "1"): compiled(**{name: value})
        for value in (2, "yes", 0.5, ""): raises(lambda: compiled(**{name: value}), f"'{name}': expected true or false")
    compiled(heddle_tf32=False)
    raises(lambda: compiled(heddle_tf32=True), "tf32: target 'cpu' computes products of f32 in f32 alone")
    for value in (-1, "soon", float("nan")): raises(lambda: compiled(heddle_timeout=value), "'heddle_timeout': expected seconds")
    for value in (-1, 1.5, "much"): raises(lambda: compiled(heddle_memory_limit=value), "'heddle_memory_limit': expected a number of bytes")
    for value in ("exact", "fast"): compiled(heddle_math=value)
    compiled(heddle_pass_options="disc-dot-rewriter{align=8}")
    wrong = jax.jit(lambda x: x - 7, compiler_options={"heddle_pass_options": "disc-dot-rewriter{align=x}"})
    raises(lambda: wrong(floats(3)), "pass 'disc-dot-rewriter': option 'align': expected int, got 'x'")
    raises(lambda: compiled(heddle_pass_options="x" * 256), "'heddle_pass_options': expected text of less than 256 bytes")
    for value in ("loose", "", True): raises(lambda: compiled(heddle_math=value), "'heddle_math': expected exact or fast")
    raises(lambda: compiled(heddle_dump_to=3), "'heddle_dump_to': expected text")


@case
def options_of_xla_have_no_effect(): np.testing.assert_allclose(jax.jit(lambda x: x + 1, compiler_options={"xla_embed_ir_in_executable": True})(floats(3)), floats(3) + 1)


@case
def options_do_what_they_say():
    import os
    import tempfile
    x = jnp.asarray(floats(64).astype(np.float32)).astype(jnp.bfloat16)
    f = lambda x: (x * x + x) * x - x
    jitted = lambda **options: np.asarray(jax.jit(f, compiler_options=options)(x)).astype(np.float32)
    stepwise = np.asarray(f(x)).astype(np.float32)  # every op a program of its own
    np.testing.assert_array_equal(jitted(heddle_no_excess_precision=True, heddle_no_contract=True), stepwise)
    assert (jitted() != stepwise).any()  # so the options changed the code, and did not share it
    raises(lambda: jitted(heddle_memory_limit=1000, heddle_alone=True), "RESOURCE_EXHAUSTED")
    with tempfile.TemporaryDirectory() as folder:
        jitted(heddle_dump_to=folder)
        assert os.listdir(folder)


@case
def no_graph_passes():
    """What is computed twice stays so, in code of its own, whatever other code there is."""
    x = floats(5, 7)
    f = lambda x: jnp.exp(x) + jnp.exp(x)
    lowered = jax.jit(f).lower(x)
    one, two = lowered.compile(), lowered.compile(compiler_options={"heddle_no_graph_passes": True})
    assert two.cost_analysis()["flops"] > one.cost_analysis()["flops"]
    np.testing.assert_array_equal(two(x), one(x))
    for n in (8, 9, 10): jax.jit(f)(floats(5, n))  # code of any size, which that of the option is not
    before = counters().shared
    jax.jit(f, compiler_options={"heddle_no_graph_passes": True})(floats(5, 11))
    assert counters().shared == before


@case
def alone():
    before = counters()
    for n in (3, 4, 5): jax.jit(lambda x: x * 7 + n, compiler_options={"heddle_alone": True})(floats(n))
    after = counters()
    assert (after.compiled - before.compiled, after.shared - before.shared, after.generalized - before.generalized) == (3, 0, 0), (before, after)


# ---- buffers ----


@case
def every_type_and_shape():
    """There and back, by host arrays of any order, and through a program."""
    import ml_dtypes
    types = [np.bool_, np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.float16, np.float32, np.complex64]
    types += [getattr(ml_dtypes, n) for n in ("bfloat16", "int4", "uint4", "int2", "uint2", "float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e5m2fnuz",
                                              "float8_e4m3fnuz", "float8_e3m4", "float8_e4m3", "float8_e8m0fnu", "float4_e2m1fn")]
    for dtype in types:
        for shape in ((), (0,), (3, 0, 2), (1,), (5, 7), (2, 1, 3)):
            x = (np.arange(np.prod(shape, dtype=int)) % 2 + 1).reshape(shape).astype(dtype)
            for given in (x, x[..., ::-1] if shape else x, x.T, np.asfortranarray(x), np.broadcast_to(x, (2, *shape))):
                y = jax.device_put(given)
                assert y.dtype == dtype and y.shape == given.shape
                np.testing.assert_array_equal(np.asarray(y).astype(complex), given.astype(complex), err_msg=str((dtype, shape)))
        z = jax.jit(lambda v: v.T)(jax.device_put(np.ones((5, 7), dtype)))
        assert z.dtype == dtype and (np.asarray(z).astype(complex) == 1).all()


@case
def wide_types():
    with jax.enable_x64(True):
        for dtype in (np.int64, np.uint64, np.float64, np.complex128):
            x = np.arange(6).astype(dtype).reshape(2, 3)
            np.testing.assert_array_equal(np.asarray(jax.jit(lambda v: v + v)(jax.device_put(x[:, ::-1]))), x[:, ::-1] * 2)


@case
def bytes_of_bools():
    """Truth values of the host may have any byte; in a buffer they are 0 and 1, copied or taken in place, whole or every second one."""
    for count in (0, 1, 5, 1 << 16):
        memory = np.zeros(count + 64, np.uint8)
        aligned = memory[-memory.ctypes.data % 64:][:count]
        aligned[:] = np.arange(count) % 251
        for x in (aligned.view(np.bool_), aligned.view(np.bool_)[::2], (aligned > 0)):
            y = jax.device_put(x, jax.devices("heddle")[0])
            assert np.asarray(y).view(np.uint8).tolist() == (x.view(np.uint8) > 0).tolist() == np.asarray(y.view(np.uint8)).tolist()
        assert aligned.tolist() == (np.arange(count) % 251).tolist()  # the host's own is left alone


@case
def between_devices():
    a, b = jax.devices("heddle")[:2]
    cpu = jax.devices("cpu")[0]
    for x in (floats(300, 70), floats(3), np.float32(2), np.zeros((0, 4), np.float32)):
        y = jax.device_put(jax.device_put(jax.device_put(jax.device_put(x, a), b), cpu), a)
        assert y.devices() == {a}
        np.testing.assert_array_equal(np.asarray(y), x)
    try:
        jax.jit(jnp.add)(jax.device_put(floats(3), a), jax.device_put(floats(3), b))
        assert False, "arrays of two devices in one program"
    except ValueError as error:
        assert "incompatible devices" in str(error), error


@case
def dlpack_with_others():
    """Numpy's arrays and torch's are taken, strided ones too, and Heddle's are given as numpy's are."""
    x = floats(6, 8)
    for given in (x, x[::2, 1:], x.T, x[::-1]):
        np.testing.assert_array_equal(np.asarray(jax.device_put(given)), given)
    y = jax.device_put(x)
    np.testing.assert_array_equal(np.from_dlpack(jax.device_put(y, jax.devices("cpu")[0])), x)
    np.testing.assert_array_equal(np.asarray(jnp.from_dlpack(x)), x)
    try:
        import torch
    except ImportError:
        return
    t = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    for given in (t, t.t(), t[:, 1:4], t[1:3]):
        np.testing.assert_array_equal(np.asarray(jax.device_put(jnp.from_dlpack(given.contiguous()), jax.devices("heddle")[0])), given.numpy())
        np.testing.assert_array_equal(np.asarray(jax.device_put(given.numpy())), given.numpy())
    np.testing.assert_array_equal(torch.utils.dlpack.from_dlpack(jax.device_put(y, jax.devices("cpu")[0])).numpy(), x)


@case
def donated():
    """What is donated is gone, also where it was given twice, and a failed call takes nothing."""
    f = jax.jit(lambda a, b: (a + b, b * 2), donate_argnums=(0, 1))
    x, y = jax.device_put(floats(64, 64)), jax.device_put(floats(64, 64, seed=1))
    f(x, y)
    for gone in (x, y): raises(lambda: gone + 1, "deleted", kind=RuntimeError)
    z = jax.device_put(floats(64, 64))
    raises(lambda: f(z, z), "donate")
    np.testing.assert_array_equal(np.asarray(z), floats(64, 64))
    raises(lambda: f(x, z), "deleted", kind=(RuntimeError, ValueError))
    np.testing.assert_array_equal(np.asarray(z), floats(64, 64))


@case
def deleted_while_in_use():
    f = jax.jit(lambda a: jnp.tanh(a @ a) @ a)
    for _ in range(20):
        x = jax.device_put(floats(200, 200) * 0.1)
        y = f(x)
        x.delete()
        z = f(y)
        y.delete()
        assert np.isfinite(np.asarray(z)).all()
        raises(lambda: np.asarray(y), "deleted", kind=RuntimeError)


@case
def integers_of_one_bit():
    """The type is named as JAX names it."""
    raises(lambda: jax.device_put(np.ones(3, jnp.int1)), "int1", "no counterpart")
    raises(lambda: jax.device_put(np.ones(3, jnp.uint1)), "uint1", "no counterpart")


@case
def more_than_there_is():
    """Memory that is not there is an exception; the process goes on."""
    raises(lambda: jnp.zeros((1 << 22, 1 << 22), jnp.float32), "RESOURCE_EXHAUSTED")
    raises(lambda: jax.jit(lambda x: (x[:, None] * x[None, :]).sum(0) + jnp.sort(x[:, None] * x[None, :], 0)[0])(jnp.ones(1 << 22)), "RESOURCE_EXHAUSTED")
    np.testing.assert_allclose(np.asarray(jax.jit(lambda x: x + 1)(floats(3))), floats(3) + 1)


@case
def exceptions_in_callbacks():
    from jax.experimental import io_callback
    shape = jax.ShapeDtypeStruct((3,), np.float32)

    def fails(v): raise KeyError("not there")
    for call in (lambda v: jax.pure_callback(fails, shape, v), lambda v: io_callback(fails, shape, v), lambda v: io_callback(fails, shape, v, ordered=True)):
        raises(lambda: jax.jit(lambda v: call(v) + 1)(floats(3)), "not there")
    raises(lambda: jax.jit(lambda v: jax.pure_callback(lambda v: v[:2], shape, v))(floats(3)), "shape")
    raises(lambda: jax.jit(lambda v: jax.pure_callback(lambda v: v.astype(np.int8), shape, v))(floats(3)), "dtype")
    np.testing.assert_allclose(np.asarray(jax.jit(lambda v: jax.pure_callback(lambda v: v * 2, shape, v))(floats(3))), floats(3) * 2)


@case
def failures_at_the_call():
    """A small program runs in the caller, and what it calls fails there; a donated argument is gone nevertheless."""
    shape = jax.ShapeDtypeStruct((3,), np.float32)

    def at_the_call(f, *args):
        try: jax.block_until_ready(f(*args)) # where the last run was long it goes on in another thread, and fails there
        except Exception as error: return str(error)
        raise AssertionError("nothing was raised")

    def sometimes(v):
        if v[0] < 0: raise KeyError("not there")
        return v
    called = jax.jit(lambda v: jax.pure_callback(sometimes, shape, v) + 1, donate_argnums=0)
    given = jnp.array([-1.0, 0, 1])
    for _ in range(3):
        assert "not there" in at_the_call(called, given + 0)
        np.testing.assert_array_equal(np.asarray(called(given + 1)), given + 2)
    assert "not there" in at_the_call(called, given) and given.is_deleted()
    assert "nothing_knows_it', which nothing provides" in at_the_call(lambda: jax.ffi.ffi_call("nothing_knows_it", shape)(jnp.ones(3)))
    assert "plugin_cases.py" in at_the_call(lambda: jax.jit(lambda v: jax.ffi.ffi_call("nothing_knows_it", shape)(v)).lower(jnp.ones(3)).compile())


@case
def checks_outside_of_checkify():
    """As on JAX's own platforms: an error that says what is missing, or the check's own where that is asked for."""
    from jax.experimental import checkify

    def positive(x):
        checkify.check(x > 0, "{x} is not positive", x=x)
        return x + 1
    assert checkify.checkify(jax.jit(positive))(jnp.float32(-1))[0].get().startswith("-1.0 is not positive")
    raises(lambda: jax.jit(positive)(jnp.float32(1)), "functionalizing it through `checkify.checkify`", kind=ValueError)
    jax.config.update("jax_experimental_unsafe_xla_runtime_errors", True)
    try:
        assert float(jax.jit(lambda x: positive(x))(jnp.float32(1))) == 2
        raises(lambda: jax.jit(lambda x: positive(x))(jnp.float32(-1)), "is not positive")
    finally: jax.config.update("jax_experimental_unsafe_xla_runtime_errors", False)


@case
def wrong_arguments_of_compiled():
    compiled = jax.jit(lambda a, b: a + b).lower(floats(3, 4), floats(3, 4)).compile()
    for args in ((floats(3, 4),), (floats(3, 4), floats(4, 3)), (floats(3, 4), floats(3, 4).astype(np.int32)), (floats(12), floats(3, 4))):
        raises(lambda: compiled(*args), kind=TypeError)


@case
def layouts():
    """Arguments and results in other orders of their dims: numbers, shapes and where the elements are; also of programs that would
    share code but for the layout, and of buffers that are copied, donated, read by the host and kept by a serialised program."""
    import ctypes
    import itertools
    from jax.experimental import serialize_executable
    from jax.experimental.layout import Format, Layout
    one, other = (jax.sharding.SingleDeviceSharding(d) for d in jax.devices("heddle")[:2])

    def order(x): return x.format.layout.major_to_minor

    def memory(x): return np.ctypeslib.as_array(ctypes.cast(x.unsafe_buffer_pointer(), ctypes.POINTER(ctypes.c_float)), (x.size,)).tolist()
    for rank, shape in ((2, (3, 4)), (2, (1, 5)), (3, (2, 3, 4)), (4, (2, 3, 1, 4))):
        x = floats(*shape)
        for perm in itertools.permutations(range(rank)):
            f = Format(Layout(perm), one)
            y = jax.device_put(x, f)
            assert order(y) == perm and y.shape == shape
            assert memory(y) == np.transpose(x, perm).ravel().tolist(), perm
            np.testing.assert_array_equal(np.asarray(y), x)
            np.testing.assert_array_equal(np.asarray(jax.jit(lambda a: a + 1, in_shardings=f)(y)), x + 1)
            z = jax.jit(lambda a: (a * 2, a.sum(0)), out_shardings=(f, None))(x)
            assert order(z[0]) == perm and z[1].shape == shape[1:]
            np.testing.assert_array_equal(np.asarray(z[0]), x * 2)
            assert_within(np.asarray(z[1]), x.astype(np.float64).sum(0), sums(shape[0]), np.abs(x).sum(0))
            np.testing.assert_array_equal(np.asarray(y + y), x + x)  # the layout of what is given
            moved = jax.device_put(y, other)
            assert order(moved) == perm and memory(moved) == memory(y)
    columns, rows = Format(Layout((1, 0)), one), Format(Layout((0, 1)), one)
    same = jax.jit(lambda a: a.T @ a, in_shardings=columns, out_shardings=columns)
    for n in (3, 4, 5, 6):  # programs that share code
        x = floats(n, 2 * n)
        assert_product(same(jax.device_put(x, columns)), x.T, x)
    auto = jax.jit(lambda a: a.T, out_shardings=Format(Layout.AUTO)).lower(floats(3, 4)).compile()
    assert order(auto(floats(3, 4))) == (1, 0) and np.array_equal(np.asarray(auto(floats(3, 4))), floats(3, 4).T)
    given = jax.device_put(floats(300, 400), columns)
    taken = jax.jit(lambda a: a * 3 + a.sum(0), in_shardings=columns, out_shardings=columns, donate_argnums=0)(given)
    assert given.is_deleted()
    x = floats(300, 400).astype(np.float64)
    assert_within(np.asarray(taken), 3 * x + x.sum(0), sums(302), 3 * np.abs(x) + np.abs(x).sum(0))
    kept = jax.device_put(floats(30, 40), columns)
    place = kept.unsafe_buffer_pointer()
    passed = jax.jit(lambda a: a, in_shardings=columns, out_shardings=columns, donate_argnums=0)(kept)
    assert passed.unsafe_buffer_pointer() == place and kept.is_deleted()
    payload = serialize_executable.serialize(jax.jit(lambda a: a + 1, in_shardings=columns, out_shardings=columns).lower(floats(3, 4)).compile())
    again = serialize_executable.deserialize_and_load(*payload, backend="heddle", execution_devices=jax.devices("heddle")[:1])
    y = again(jax.device_put(floats(3, 4), columns))
    assert order(y) == (1, 0)
    np.testing.assert_array_equal(np.asarray(y), floats(3, 4) + 1)
    raises(lambda: again(jax.device_put(floats(3, 4), rows)), "layouts")
    raises(lambda: jax.jit(lambda a: a, out_shardings=Format(Layout((1, 0), ((8, 128),)), one))(floats(16, 256)), "laid out as", "no tiles")


@case
def dlpack():
    """Arrays are given as memory of the CPU, which the taker keeps and no execution writes."""
    from jax.experimental.layout import Format, Layout
    for dtype in ("f4", "i8", "i1", "?", "c8", "f2"):
        x = jax.device_put(floats(64, 128).astype(dtype))
        taken = np.from_dlpack(x)
        assert taken.ctypes.data == x.unsafe_buffer_pointer() and taken.dtype == x.dtype
        np.testing.assert_array_equal(taken, np.asarray(x))
        np.testing.assert_array_equal(np.asarray(jnp.from_dlpack(x)), np.asarray(x))
        before = taken.copy()
        jax.jit(lambda a: a + a, donate_argnums=0)(x).block_until_ready()
        raises(lambda: np.from_dlpack(x), "deleted")
        np.testing.assert_array_equal(taken, before)
    assert np.from_dlpack(jnp.zeros((3, 0, 2))).shape == (3, 0, 2) and np.from_dlpack(jnp.float32(3)) == 3
    columns = jax.device_put(floats(3, 4), Format(Layout((1, 0)), jax.sharding.SingleDeviceSharding(jax.devices("heddle")[0])))
    np.testing.assert_array_equal(np.from_dlpack(columns), floats(3, 4))
    copied = np.from_dlpack(y := jnp.asarray(floats(64, 64)), copy=True)
    assert copied.ctypes.data != y.unsafe_buffer_pointer() and (copied == np.asarray(y)).all()
    raises(lambda: y.__dlpack__(dl_device=(2, 0)), "expected device (1, 0)")
    raises(lambda: np.from_dlpack(y.astype(jnp.float8_e4m3fn)), "DLPack only supports", kind=BufferError)
    try:
        import torch
    except ImportError:
        return
    for dtype in (jnp.float32, jnp.bfloat16, jnp.int32):
        z = y.astype(dtype)
        t = torch.from_dlpack(z)
        assert t.data_ptr() == z.unsafe_buffer_pointer() and str(t.dtype).endswith(z.dtype.name), t.dtype
        np.testing.assert_array_equal(t.float().numpy(), np.asarray(z.astype(jnp.float32)))


@case
def damaged_executables():
    from jax.experimental import serialize_executable
    payload, inputs, outputs = serialize_executable.serialize(jax.jit(lambda a: a @ a).lower(floats(4, 4)).compile())
    again = lambda bytes: serialize_executable.deserialize_and_load(bytes, inputs, outputs, backend="heddle", execution_devices=jax.devices("heddle")[:1])
    assert_product(again(payload)(floats(4, 4)), floats(4, 4), floats(4, 4))
    at = payload.index(b"HDPJRT")
    for damaged in (payload[:at] + b"XXPJRT" + payload[at + 6:], payload[:at + 60] + b"\xff" * 60 + payload[at + 120:]):
        raises(lambda: again(damaged))


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
