# SPDX-License-Identifier: Apache-2.0
"""The models of examples/models.py on the evaluator, at small shapes, against JAX."""
import os
import sys

import numpy as np
import pytest

import libheddle

sys.path.insert(0, os.path.join(libheddle.ROOT, "tools"))
import model_tools as tools  # noqa: E402

SHAPES = {
    "softmax": [{"b": 3, "s": 5}, {"b": 1, "s": 1}, {"b": 9, "s": 101, "_scale": 200}],
    "layernorm": [{"b": 1}, {"b": 13, "_scale": 1000}],
    "gelu": [{"b": 1, "s": 7}, {"b": 31, "s": 257, "_scale": 8}],
    "gelu_bf16": [{"b": 1, "s": 7}, {"b": 31, "s": 257, "_scale": 8}],
    "bert_layer": [{"b": 1, "s": 4}, {"b": 2, "s": 3, "_scale": 20, "_masked": 1}],
    "bert_base": [{"b": 1, "s": 2}],
    "gpt2_decode": [{"b": 2, "s": 3}],
    "train_step": [{"b": 1}, {"b": 5}],
    "lstm": [{"b": 1, "s": 1}, {"b": 4, "s": 9}],
    "resnet50": [{"b": 1}],
}


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_model(name):
    model = tools.load_models()[name]
    exported = tools.export_model(model)
    for index, dims in enumerate(SHAPES[name]):
        kept = exported.module_kept_var_idx
        flat = tools.normal_inputs(model, kept, dims, index)
        inputs = [np.asarray(a) for a in flat]
        want = tools.call(model, kept, flat, dims)[0]
        got = libheddle.evaluate(exported.mlir_module().encode(), inputs, name)
        assert len(got) == len(want)
        for g, w in zip(got, want):
            assert g.shape == w.shape and g.dtype == w.dtype
            g, w = g.astype(np.float64), w.astype(np.float64)
            finite = np.isfinite(w)
            assert np.array_equal(np.isfinite(g), finite)
            if finite.any():
                assert np.abs(g - w)[finite].max() <= model.tol * max(np.abs(w[finite]).max(), 1e-30)


def test_inputs_that_do_not_fit():
    program = tools.export_model(tools.load_models()["layernorm"]).mlir_module().encode()
    x, g = np.ones((2, 768), np.float32), np.ones(768, np.float32)
    with pytest.raises(libheddle.EvalError, match="argument 2: no input is given"):
        libheddle.evaluate(program, [x, g])
    with pytest.raises(libheddle.EvalError, match="argument 1: dim 0 is 5, expected 768"):
        libheddle.evaluate(program, [x, g[:5], g])
    with pytest.raises(libheddle.EvalError, match="argument 0: expected elements of f32, got f64"):
        libheddle.evaluate(program, [x.astype(np.float64), g, g])
    # the program's own assertion speaks, with its numbers
    with pytest.raises(libheddle.EvalError, match=r"Expected value >= 1 for dimension variable 'b'"):
        libheddle.evaluate(program, [x[:0], g, g])
