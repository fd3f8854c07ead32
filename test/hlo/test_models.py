# SPDX-License-Identifier: Apache-2.0
"""The models of examples/models.py as the HLO text that JAX gives its compiler, and that this makes of it, against JAX."""
import os
import sys

import jax
import numpy as np
import pytest

import heddle

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import model_tools as tools  # noqa: E402

MODELS = tools.load_models()


@pytest.mark.parametrize("name", MODELS)
def test_model(name):
    model = MODELS[name]
    leaves, structure = jax.tree.flatten(model.args)
    inputs = tools.random_inputs(model, range(len(leaves)), {"b": 1, "s": 17} | model.shapes[0], 0)
    lowered = jax.jit(model.fn, keep_unused=True).lower(*jax.tree.unflatten(structure, inputs))
    compiled = lowered.compile()
    want = [np.asarray(leaf).astype(np.float64) for leaf in jax.tree.leaves(compiled(*jax.tree.unflatten(structure, inputs)))]
    for text in (lowered.as_text(dialect="hlo"), compiled.as_text()):
        got = jax.tree.leaves(heddle.compile(text)(*inputs))
        assert len(got) == len(want)
        for g, w in zip(got, want):
            error = np.abs(np.asarray(g).astype(np.float64) - w).max() / max(np.abs(w).max(), 1e-6)
            assert error <= model.tol, f"{error} of the largest magnitude"
