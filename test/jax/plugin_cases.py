# SPDX-License-Identifier: Apache-2.0
"""What JAX can hand to the plugin that is odd or wrong: every refusal is an exception that says what to do, and what is accepted is
right. Runs as device_cases.py does, on several devices."""
import jax
import jax.numpy as jnp
import numpy as np

import platform_cases
from heddle.jax_platform import counters
from platform_cases import floats

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


# ---- compile options ----


@case
def unknown_options():
    compiled = lambda **options: jax.jit(lambda x: x + 1, compiler_options=options)(floats(3))
    raises(lambda: compiled(heddle_fast=True), "No such compile option: 'heddle_fast'", "heddle_no_contract", "heddle_timeout")
    raises(lambda: compiled(num_threads="2"), "No such compile option: 'num_threads'")
    raises(lambda: jax.jit(lambda x: x * 3).lower(floats(3)).compile(compiler_options={"": "1"}), "No such compile option: ''")


@case
def option_values():
    compiled = lambda **options: jax.jit(lambda x: x + 1, compiler_options=options)(floats(3))
    for name in ("heddle_no_contract", "heddle_no_excess_precision", "heddle_tf32", "heddle_deterministic", "heddle_alone"):
        for value in (True, False, "true", "False", 0, 1, "1"): compiled(**{name: value})
        for value in (2, "yes", 0.5, ""): raises(lambda: compiled(**{name: value}), f"'{name}': expected true or false")
    for value in (-1, "soon", float("nan")): raises(lambda: compiled(heddle_timeout=value), "'heddle_timeout': expected seconds")
    for value in (-1, 1.5, "much"): raises(lambda: compiled(heddle_memory_limit=value), "'heddle_memory_limit': expected a number of bytes")
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
def alone():
    before = counters()
    for n in (3, 4, 5): jax.jit(lambda x: x * 7 + n, compiler_options={"heddle_alone": True})(floats(n))
    after = counters()
    assert (after.compiled - before.compiled, after.shared - before.shared, after.generalized - before.generalized) == (3, 0, 0), (before, after)


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES.update(CASES)
    platform_cases.main()
