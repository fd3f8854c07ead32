#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_expectations.py [NAME...]: writes examples/NAME.mlir and examples/NAME.json from examples/models.py with JAX.

NAME.mlir is the exported StableHLO without locations. NAME.json is what `heddle run NAME.mlir --expect NAME.json` reads
(the format is in front/cli/expect.c): for each shape 256 sampled elements of each output, its largest magnitude and
its L2 norm, for inputs of the random function with a factor for each argument (model_tools.unit_scale).

Run it with build/venv/bin/python; the results are committed."""
import argparse
import json
import os

import jax
import numpy as np

import model_tools as tools

MLIR_NAME = {"float32": "f32", "bfloat16": "bf16", "int32": "i32", "bool": "i1", "float64": "f64", "float16": "f16"}
SEED = 0


def number(x):
    """Nine digits hold every f32."""
    return float(f"{float(x):.9g}")


def describe(i, out):
    wide = out.astype(np.float64)
    return {"type": MLIR_NAME[out.dtype.name], "dims": list(out.shape), "max": number(np.abs(wide).max()),
            "l2": number(np.sqrt((wide * wide).sum())), "samples": [number(x) for x in wide.reshape(-1)[tools.sample_positions(i, wide.size)]]}


def write_model(name, model, folder):
    exported = tools.export_model(model)
    kept = list(exported.module_kept_var_idx)
    with open(os.path.join(folder, name + ".mlir"), "w", encoding="utf-8") as handle:
        handle.write(tools.program_text(exported))
    cases = []
    for dims in model.shapes:
        if "_masked" in dims: continue  # the random function has no emptied rows; test/models runs it
        outs, flops = tools.call(model, kept, tools.random_inputs(model, kept, dims, SEED), dims)
        case = {"dims": {k: v for k, v in dims.items() if not k.startswith("_")}, "flops": flops}
        if dims.get("_scale", 1) != 1: case["scales"] = tools.scales_of(model, kept, dims)
        assert all(np.isfinite(o.astype(np.float64)).all() for o in outs), (name, dims)
        cases.append(case | {"outputs": [describe(i, o) for i, o in enumerate(outs)]})
    body = {"model": name, "oracle": f"jax {jax.__version__} on cpu", "seed": SEED, "tolerance": model.tol,
            "scales": tools.scales_of(model, kept), "limits": tools.limits_of(model, kept)}
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in body.items()]
    rows = ",\n  ".join(json.dumps(c) for c in cases)
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as handle:
        handle.write("{\n " + ",\n ".join(lines) + ',\n "cases": [\n  ' + rows + "\n ]\n}\n")
    print(f"{name}: {len(cases)} shapes", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*")
    p.add_argument("--out", default=os.path.join(tools.ROOT, "examples"))
    o = p.parse_args()
    models = tools.load_models()
    for name in o.names or models: write_model(name, models[name], o.out)


if __name__ == "__main__":
    main()
