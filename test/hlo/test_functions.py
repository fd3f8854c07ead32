# SPDX-License-Identifier: Apache-2.0
"""JAX functions as HLO text, before and after XLA's optimisation: read, run and compared with JAX; printed, read back as the same
program, and read by XLA."""
import functools
import os
import subprocess

import jax
import jaxlib._hlo as xla
import numpy as np
import pytest

import heddle
from hlo_functions import CASES

FORMS = ("lowered", "compiled")


def full_text(module):
    """With all constants, which XLA leaves out where they are large."""
    options = xla.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


@functools.lru_cache(maxsize=2)
def written(name):
    """The texts of both forms, and JAX's results."""
    case = CASES[name]
    donated = (0,) if name == "donated" else ()
    lowered = jax.jit(case.fn, donate_argnums=donated).lower(*case.args)
    compiled = lowered.compile()
    results = [np.asarray(leaf) for leaf in jax.tree.leaves(compiled(*case.args))]
    return {"lowered": lowered.as_text(dialect="hlo"), "compiled": full_text(compiled.runtime_executable().hlo_modules()[0])}, results


def check_close(got, want, tol):
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind in "biu": return np.testing.assert_array_equal(got, want)
    kind = np.complex128 if want.dtype.kind == "c" else np.float64
    got, want = got.astype(kind), want.astype(kind)
    finite = np.isfinite(want)
    np.testing.assert_array_equal(got[~finite], want[~finite])
    if finite.any(): assert np.abs(got[finite] - want[finite]).max() <= tol * max(np.abs(want[finite]).max(), 1e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_values(name, form):
    texts, want = written(name)
    got = heddle.compile(texts[form])(*CASES[name].args)
    got = [np.asarray(leaf) for leaf in jax.tree.leaves(got)]
    assert len(got) == len(want)
    for g, w in zip(got, want):
        if CASES[name].values: check_close(g, w, max(CASES[name].tol, 1e-2 if w.dtype.itemsize == 2 else 0, 0.25 if w.dtype.kind in "Vf" and w.dtype.itemsize == 1 else 0))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_round_trip(build, name, form, tmp_path):
    """Heddle reads what it printed as the same program, and XLA reads it as one of the same signature."""
    file = tmp_path / "f.hlo"
    file.write_text(written(name)[0][form])
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), file, "--verify-roundtrip", "--emit-hlo"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    printed = done.stdout
    again = xla.hlo_module_from_text(printed)
    entry = lambda module: xla.XlaComputation(module.as_serialized_hlo_module_proto()).program_shape()
    assert leaves(entry(again).result_shape()) == leaves(entry(xla.hlo_module_from_text(file.read_text())).result_shape())


def leaves(shape):
    """Element types and dims, depth first."""
    if shape.is_tuple(): return [leaf for inner in shape.tuple_shapes() for leaf in leaves(inner)]
    return [(str(shape.element_type()), shape.dimensions())]
