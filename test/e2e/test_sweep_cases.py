# SPDX-License-Identifier: Apache-2.0
"""Each function of the sweep (bench/sweep_cases.py) at its small size: the results are XLA's."""
import os
import sys

import error_model
import numpy as np
import pytest

BENCH = os.path.join(os.path.dirname(__file__), "..", "..", "bench")
pytest.importorskip("jax")
pytestmark = pytest.mark.usefixtures("compiler")


PRODUCTS = ["reduce_product"]  # results far below 1


def names():
    sys.path.insert(0, BENCH)
    try:
        import sweep_cases
        return list(sweep_cases.CASES)
    finally:
        sys.path.remove(BENCH)


@pytest.fixture(scope="module")
def sweep():
    sys.path.insert(0, BENCH)
    try:
        import sweep
        yield sweep
    finally:
        sys.path.remove(BENCH)


@pytest.fixture(scope="module")
def workers(sweep):
    return {peer: sweep.Worker(peer, 2) for peer in ("heddle", "xla")}


@pytest.fixture(autouse=True)
def bounded_programs(workers):
    """No case needs another's programs; JAX's traces of its own functions are shared, so that they go less often."""
    yield
    kept = workers["heddle"].programs
    if len(kept) < 40: return
    kept.clear()
    import jax
    jax.clear_caches()


@pytest.mark.parametrize("name", names())
def test_results_are_those_of_xla(sweep, workers, name):
    row = workers["heddle"].cases[name]
    arrays = sweep.inputs(row["arguments"], row["sizes"]["small"])
    got, want = (workers[peer].__getattribute__(peer)(name, arrays)[1]() for peer in ("heddle", "xla"))
    error, bound = 0, 2e-2 if any("bf16" in text for text in row["arguments"]) else 1e-4
    assert len(got) == len(want)
    for x, y in zip(got, want):
        x, y = np.asarray(x), np.asarray(y)
        assert x.shape == y.shape and x.dtype == y.dtype
        if not y.size: continue
        x, y = (v.astype(np.complex128 if v.dtype.kind == "c" else np.float64) for v in (x, y))
        assert (np.isnan(x) == np.isnan(y)).all()
        finite = np.isfinite(y)
        assert (x[~finite] == y[~finite])[~np.isnan(y[~finite])].all()
        scale = max(0.0 if name in PRODUCTS else 1.0, np.abs(y[finite]).max(initial=0))
        error = max(error, np.abs(x[finite] - y[finite]).max(initial=0) / scale)
        error_model.assert_zeros_differ(y, 0, bound * scale)
    assert error <= bound
