# SPDX-License-Identifier: Apache-2.0
"""Passes that the cpu pipeline does not run, put into it: the compiled models compute what they did."""
import json
import os

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

# what is added, the pass it goes before (None: the end), example, sizes, tolerance against the largest value
CASES = [
    ("legalize-lhlo-control-flow", None, "lstm", ["b=2,s=5"], 0),
    ("disc-canonicalize-reduction", "disc-hlo-legalize-to-lhlo", "layernorm", ["b=5"], 1e-6),
    ("disc-canonicalize-reduction", "disc-hlo-legalize-to-lhlo", "bert_layer", ["b=2,s=7", "arg13=2x7"], 1e-5),
    ("disc-dot-rewriter{merge}", "chlo-legalize-to-stablehlo", "lstm", ["b=2,s=5"], 1e-6),
    ("disc-dot-rewriter{align=8 min-size=1000}", "chlo-legalize-to-stablehlo", "lstm", ["b=3,s=5"], 1e-6),
    ("disc-dot-rewriter{align=8 min-size=1000}", "chlo-legalize-to-stablehlo", "bert_layer", ["b=1,s=7", "arg13=1x7"], 1e-5),
    ("disc-conv-rewriter", "chlo-legalize-to-stablehlo", "resnet50", ["b=1"], 1e-4),
    ("disc-conv-rewriter{input=nhwc filter=ohwi output=nhwc},disc-gpu-conv-padding-legalization",
     "chlo-legalize-to-stablehlo", "resnet50", ["b=1"], 1e-4),
    ("disc-split-large-ops{max-operands=2}", "disc-hlo-legalize-to-lhlo", "gpt2_decode", ["b=1,s=4", "arg30=2x1x12x4x64", "arg31=2x1x12x4x64"], 1e-6),
    ("stablehlo-refine-shapes,canonicalize", "disc-hlo-legalize-to-lhlo", "lstm", ["b=3,s=4"], 1e-6),
]


@pytest.mark.parametrize("added, before, model, sizes, tolerance", CASES, ids=lambda v: str(v))
def test_model(heddle, root, cpu_passes, tmp_path, added, before, model, sizes, tolerance):
    base = cpu_passes
    assert before is None or f"{before}," in base
    changed = f"{base},{added}" if before is None else base.replace(f"{before},", f"{added},{before},", 1)
    program = os.path.join(root, "examples", f"{model}.mlir")
    with open(os.path.join(root, "examples", f"{model}.json"), encoding="utf-8") as handle: stated = json.load(handle)
    options = ["--dims", sizes[0]] + [word for size in sizes[1:] for word in ("--shape", size)]
    scales = ",".join(f"{i}={scale}" for i, scale in enumerate(stated["scales"]))
    outputs = []
    for name, passes in (("want", base), ("got", changed)):
        out = tmp_path / f"{name}.npz"
        heddle("run", program, "--random", 1, *options, "--random-scale", scales, "--no-cache", "--pass-pipeline", passes,
               "--outputs", out, check=True)
        with np.load(out) as arrays: outputs.append({k: arrays[k] for k in arrays})
    want, got = outputs
    assert want.keys() == got.keys()
    for key, expected in want.items():
        assert got[key].shape == expected.shape and got[key].dtype == expected.dtype
        expected, actual = expected.astype(np.float64), got[key].astype(np.float64)
        assert np.isfinite(expected).all()
        assert np.abs(actual - expected).max(initial=0) <= tolerance * max(1e-3, np.abs(expected).max(initial=0)), key
