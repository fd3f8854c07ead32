# SPDX-License-Identifier: Apache-2.0
"""The models of examples/models.py as programs and as arrays: what make_expectations.py, test/models and bench/ share."""
import importlib.util
import os
import sys

import jax
import numpy as np
from jax import export

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(ROOT, "front", "python"))
from heddle.random_inputs import hashes, random_array  # noqa: E402

# Library calls that only hold for one platform, or need no stability promise here.
UNCHECKED = [export.DisabledSafetyCheck.custom_call(n) for n in ("lapack_spotrf_ffi", "blas_strsm_ffi", "mhlo.topk")]
SAMPLES = 256


def load_models(path=os.path.join(ROOT, "examples", "models.py")):
    spec = importlib.util.spec_from_file_location("example_models", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MODELS


def export_model(model):
    return export.export(jax.jit(model.fn), platforms=["cpu"], disabled_checks=UNCHECKED)(*model.args)


def program_text(exported):
    """StableHLO text without locations."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir.dialects import stablehlo
    context = mlir.make_ir_context()
    module = stablehlo.deserialize_portable_artifact(context, exported.mlir_module_serialized)
    return module.operation.get_asm(enable_debug_info=False).rstrip() + "\n"


def leaves_with_index(model):
    """(leaf, index of the argument that it belongs to), in the order of the flat parameters."""
    return [(leaf, i) for i, arg in enumerate(model.args) for leaf in jax.tree.leaves(arg)]


def concrete_shape(leaf, dims):
    return tuple(d if isinstance(d, int) else dims[str(d)] for d in leaf.shape)


def varies(leaf):
    """An activation has an unknown dim; the rest are weights."""
    return any(not isinstance(d, int) for d in leaf.shape)


def unit_scale(leaf):
    """The factor that gives uniform values in [-1, 1) the spread of a sane weight or activation.

    Uniform values have standard deviation 3^-1/2. Activations get 0.5; filters (HWIO) He's (2 / fan-in)^1/2; matrices
    0.02; everything else 0.5."""
    if not np.issubdtype(leaf.dtype, np.floating) and leaf.dtype != jax.numpy.bfloat16: return 1.0
    if varies(leaf): deviation = 0.5
    elif len(leaf.shape) == 4: deviation = (2 / np.prod(leaf.shape[:3])) ** 0.5
    else: deviation = 0.02 if len(leaf.shape) == 2 and min(leaf.shape) >= 256 else 0.5
    return float(np.float32(deviation * 3 ** 0.5))


def scales_of(model, kept, dims=None):
    factor = (dims or {}).get("_scale", 1)
    pairs = leaves_with_index(model)
    return [unit_scale(pairs[k][0]) * (factor if varies(pairs[k][0]) else 1) for k in kept]


def limits_of(model, kept):
    """Per argument the bound of its random integers, 0 where --random-max holds."""
    pairs = leaves_with_index(model)
    return [model.limits.get(pairs[k][1], 0) if np.issubdtype(pairs[k][0].dtype, np.integer) else 0 for k in kept]


def random_inputs(model, kept, dims, seed):
    """The flat arguments that `heddle run --expect` makes."""
    pairs = leaves_with_index(model)
    scales, limits = scales_of(model, kept, dims), limits_of(model, kept)
    return [random_array(pairs[k][0].dtype, concrete_shape(pairs[k][0], dims), seed, n, limits[n] or 16, scales[n])
            for n, k in enumerate(kept)]


def call(model, kept, flat_kept, dims):
    """The model's flat outputs as numpy arrays, compiled by JAX at this shape, and XLA's count of FLOPs."""
    leaves = [np.zeros(concrete_shape(leaf, dims), leaf.dtype) for leaf, _ in leaves_with_index(model)]
    for k, value in zip(kept, flat_kept): leaves[k] = value
    args = jax.tree.unflatten(jax.tree.structure(model.args), leaves)
    compiled = jax.jit(model.fn).lower(*args).compile()
    cost = compiled.cost_analysis()
    flops = (cost[0] if isinstance(cost, list) else cost or {}).get("flops", 0.0)
    return [np.asarray(x) for x in jax.tree.leaves(compiled(*args))], flops


def normal_inputs(model, kept, dims, seed):
    """Normally distributed arguments, with the hard cases: "_scale" widens activations, "_masked" empties a mask row."""
    rng, pairs = np.random.default_rng(seed), leaves_with_index(model)
    out = []
    for k in kept:
        leaf, index = pairs[k]
        shape = concrete_shape(leaf, dims)
        if leaf.dtype == bool:
            mask = rng.random(shape) < 0.9
            if mask.ndim: mask[..., 0] = True
            if dims.get("_masked"): mask[-1] = False
            out.append(mask)
        elif np.issubdtype(leaf.dtype, np.integer):
            out.append(rng.integers(0, model.limits.get(index) or 2**16, shape).astype(leaf.dtype))
        else:
            scale = unit_scale(leaf) / 3 ** 0.5 * (dims.get("_scale", 1) if varies(leaf) else 1)
            out.append((rng.standard_normal(shape, np.float32) * np.float32(scale)).astype(leaf.dtype))
    return out


def sample_positions(output, count):
    """Which elements of output number |output| an expectation file keeps: see front/cli/expect.c."""
    if count <= SAMPLES: return np.arange(count)
    return ((hashes(0, 2**32 + output, SAMPLES) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int64)
