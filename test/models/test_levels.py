# SPDX-License-Identifier: Apache-2.0
"""Every model at small shapes: the evaluator runs what each pass of both pipelines leaves, and all give the same."""
import json
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import model_tools as tools  # noqa: E402

MODELS = tools.load_models()
SMALL = {"b": 2, "s": 3}
# Their weights take the evaluator minutes.
LONG = {"bert_base", "gpt2_decode", "resnet50"}

# The evaluator ran each form of the program, not one form many times.
FORMS = {
    "cpu": {"disc-hlo-legalize-to-lhlo", "disc-fusion", "disc-lower-to-kernels", "disc-inject-execution-context"},
    "cuda": {"disc-hlo-legalize-to-lhlo", "disc-fusion", "disc-insert-memory-marker", "disc-lhlo-legalize-to-loop",
            "disc-input-inline-fusion", "disc-loop-coalescing", "disc-parallel-loop-split",
            "disc-gpu-kernel-outlining", "disc-gpu-launch-to-ral", "disc-inject-execution-context"},
}


@pytest.mark.parametrize("target", sorted(FORMS))
@pytest.mark.parametrize("name", MODELS)
def test_levels(name, target, heddle, compiler, tmp_path):
    if name in LONG and not os.environ.get("HEDDLE_LONG"): pytest.skip("takes minutes: in make test-long")
    model = MODELS[name]
    dims = {k: (1 if name in LONG else SMALL.get(k, 2)) for k in model.shapes[0] if not k.startswith("_")}
    exported = tools.export_model(model)
    inputs = tools.normal_inputs(model, list(exported.module_kept_var_idx), dims, seed=0)
    program, arrays = tmp_path / "program.mlir", tmp_path / "inputs.npz"
    program.write_text(exported.mlir_module())
    np.savez(arrays, **{f"arg{i}": x.view(f"V{x.dtype.itemsize}") if x.dtype.kind == "V" or x.dtype.name == "bfloat16" else x
                        for i, x in enumerate(inputs)})
    # Tiles of these products would take the evaluator, which runs thread by thread, an hour: test_device_products.py and test_op_levels.py have small ones.
    products = ["--library-products"] if target == "cuda" else []
    done = heddle("bisect", program, "--inputs", arrays, "--target", target, *products, "--json", timeout=1800 if os.environ.get("HEDDLE_LONG") else 500)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    stages = json.loads(done.stdout)["stages"]
    assert all(s["equal"] for s in stages)
    assert FORMS[target] <= {s["pass"] for s in stages}
    if target == "cpu": assert stages[-1]["pass"] == "machine code"
