# SPDX-License-Identifier: Apache-2.0
"""Kernels that reduce rows in the memory of what they reduce: the same numbers as in memory of their own, for code of each vector
width, on one thread and several, with stores past the caches and without."""
import ctypes as c

import numpy as np
import pytest

SHAPES = [(1, 1), (1, 17), (3, 5), (4, 16), (7, 31), (5, 32), (2, 33), (9, 64), (6, 129), (300, 15), (70, 1000), (2, 5000), (257, 48)]
WIDTHS = ["x86-64-v3", "x86-64-v4"]


def softmax(x, jnp):
    e = jnp.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def norm(x, jnp):
    d = x - x.mean(-1, keepdims=True)
    return d / jnp.sqrt((d * d).mean(-1, keepdims=True) + 1e-5)


# Name: the function, and how many of its arguments end as results' memory (None: that depends on what is one kernel).
CASES = {
    "softmax": (softmax, 1),
    "masked": (lambda x, jnp: softmax(jnp.where(x > 0.3, x * 0.125, -1e9), jnp), 1),
    "norm": (norm, 1),
    "read_after_it_is_kept": (lambda x, jnp: jnp.exp(x) / jnp.exp(x).sum(-1, keepdims=True) + x, 1),
    "reduced_after_it_is_kept": (lambda x, jnp: (lambda e, s: e / s + (x * s).max(-1, keepdims=True))(jnp.exp(x), jnp.exp(x).sum(-1, keepdims=True)), 1),
    "two_results": (lambda x, jnp: (x - x.max(-1, keepdims=True), jnp.exp(x) / jnp.exp(x).sum(-1, keepdims=True)), 1),
    "two_of_two": (lambda x, y, jnp: (lambda t, s: (t * s, y - s))(jnp.tanh(x), (jnp.tanh(x) * y).sum(-1, keepdims=True)), 2),
    "gradient": (lambda x, y, jnp: x * (y - (x * y).sum(-1, keepdims=True)), 1),
    "reversed": (lambda x, jnp: x[:, ::-1] / (x * x).sum(-1, keepdims=True), 0),
    "other_rows": (lambda x, jnp: x - x.sum(-1, keepdims=True) + x[::-1], None),
}


def program(name, dtype):
    import jax
    import jax.numpy as jnp
    from jax import export
    f, _ = CASES[name]
    count = f.__code__.co_argcount - 1
    shape = export.symbolic_shape("a, b")
    jitted = jax.jit(lambda *args: f(*args, jnp), donate_argnums=tuple(range(count)), keep_unused=True)
    exported = export.export(jitted, platforms=["cpu"])(*[jax.ShapeDtypeStruct(shape, dtype)] * count)
    return exported.mlir_module_serialized, count


def run(executable, arrays, donated):
    """The results, and for how many their memory is an argument's."""
    from heddle import runtime as rt
    copies = [a.copy() for a in arrays]
    buffers = [rt.Buffer.wrap(executable.runtime, a) for a in copies]
    ins, outs = (c.c_void_p * len(arrays))(*[b.handle for b in buffers]), (c.c_void_p * executable.output_count)()
    given = (c.c_bool * len(arrays))(*[donated] * len(arrays))
    options = rt.ExecuteOptions(struct_size=c.sizeof(rt.ExecuteOptions), donated=c.addressof(given))
    rt._check(executable.lib, executable._execute(executable.handle, c.byref(options), ins, len(arrays), outs, executable.output_count))
    results = [rt.Buffer(executable.runtime, c.c_void_p(o)).numpy() for o in outs]
    taken = sum(r.size > 0 and r.ctypes.data in [a.ctypes.data for a in copies] for r in results)
    return [r.copy() for r in results], taken


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("width", WIDTHS)
def test_same_numbers(build, runs_on_cpu, name, dtype, width):
    runs_on_cpu(width)
    from heddle import runtime as rt
    import ml_dtypes
    text, count = program(name, dtype)
    random = np.random.default_rng(3)
    runtimes = [rt.Runtime(threads=threads, stream_bytes=stream) for threads in (1, 4) for stream in (0, 1)]
    executables = [runtime.load(rt.compile_program(text, name, mcpu=[width])) for runtime in runtimes]
    for shape in SHAPES:
        arrays = [random.standard_normal(shape).astype(getattr(ml_dtypes, dtype, dtype)) for _ in range(count)]
        want, none = run(executables[0], arrays, False)
        assert none == 0
        for executable in executables:
            got, taken = run(executable, arrays, True)
            assert CASES[name][1] in (taken, None), (shape, width)
            for g, w in zip(got, want): np.testing.assert_array_equal(g.view(np.uint8), w.view(np.uint8), err_msg=str((shape, width)))
