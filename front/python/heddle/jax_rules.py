# SPDX-License-Identifier: Apache-2.0
"""Lowering rules of this platform: those of JAX's CPU that fit here too, and a few of its own."""
import dataclasses

import numpy as np

# Rules that JAX has for its CPU platform alone: by LAPACK through typed custom calls, and by callbacks.
LAPACK_PRIMITIVES = ("eig", "eigh", "hessenberg", "householder_product", "ormqr", "lu", "geqrf", "geqp3", "schur", "svd",
                     "tridiagonal", "tridiagonal_solve")
CALLBACK_PRIMITIVES = ("check", "debug_callback", "debug_print", "spsolve")


class _Rules(dict):
    """The rules of the platform. Those of JAX's CPU platform that fit here too are taken over when first asked for: modules that
    few programs need (sparse solvers, checkify) register theirs when they are imported."""

    def __init__(self, mlir, known):
        super().__init__(known)
        self._mlir = mlir

    def __contains__(self, primitive):
        if dict.__contains__(self, primitive): return True
        theirs = self._mlir._platform_specific_lowerings["cpu"].get(primitive)
        if theirs is None or primitive.name not in LAPACK_PRIMITIVES + CALLBACK_PRIMITIVES: return False
        rule = _unless_empty(self._mlir, theirs.rule) if primitive.name in LAPACK_PRIMITIVES else theirs.rule
        self[primitive] = dataclasses.replace(theirs, rule=rule)
        return True


def _unless_empty(mlir, rule):
    """Results without elements are made, not computed: jaxlib's LAPACK handlers end the process at some sizes of 0."""
    import jax.numpy as jnp

    def lower(ctx, *args, **parameters):
        if not all(0 in aval.shape for aval in ctx.avals_out): return rule(ctx, *args, **parameters)
        make = lambda *_: [jnp.zeros(aval.shape, aval.dtype) for aval in ctx.avals_out]
        return mlir.lower_fun(make, multiple_results=True)(ctx, *args)
    return lower


def _approximations(mlir):
    """approx_max_k and approx_min_k give the exact ones, as many as the approximation would."""
    import jax
    import jax.numpy as jnp
    from jax._src.lax import ann

    def lower(ctx, operand, *, reduction_dimension, is_max_k, **parameters):
        count = ctx.avals_out[0].shape[reduction_dimension]

        def exact(x):
            x = jnp.moveaxis(x, reduction_dimension, -1)
            values, indices = jax.lax.top_k(x if is_max_k else -x, count)
            return [jnp.moveaxis(v, -1, reduction_dimension) for v in (values if is_max_k else -values, indices)]
        return mlir.lower_fun(exact, multiple_results=True)(ctx, operand)
    mlir.register_lowering(ann.approx_top_k_p, lower, platform="heddle")


def _custom_partitioning(mlir):
    """A function with a partitioner of its own is laid out like any other: XLA would be what calls that back. Here it is asked
    for the parts of the layout that its arguments have, once the module is whole; what it raises is the program's error."""
    from jax._src import core, custom_partitioning
    from jax._src.lib.mlir import ir

    from heddle import jax_partitioners
    call_name = custom_partitioning._CUSTOM_PARTITIONING_CALL_NAME

    def lower(ctx, *values, call, **parameters):
        theirs = custom_partitioning._custom_partitioning_lowering_rule(ctx, *values, call=call, **parameters)
        made = theirs[0].owner if len(theirs) and isinstance(theirs[0], ir.Value) else None
        if made is None or made.name != "stablehlo.custom_call" or ir.StringAttr(made.attributes["call_target_name"]).value != call_name: return theirs
        key = ir.StringAttr(made.attributes["backend_config"]).value.encode()
        rule = str(made.attributes["sdy.sharding_rule"]) if "sdy.sharding_rule" in made.attributes else ""
        made.erase()
        jax_partitioners.mark(key, call, values, rule)
        return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)
    mlir.register_lowering(custom_partitioning.custom_partitioning_p, lower, platform="heddle")
    jax_partitioners.ask_after_lowering(mlir)


def _scatters(mlir):
    """JAX drops a window of a scatter that is not all within the operand, as XLA does; StableHLO drops the elements that are
    outside. So the places of such windows become places that no element of the operand has; where the sizes are known."""
    import jax.numpy as jnp
    from jax._src import core
    from jax._src.lax import slicing

    def lower(ctx, operand, indices, updates, *, dimension_numbers, mode, **parameters):
        shape, places, windows = (aval.shape for aval in ctx.avals_in)
        if mode != slicing.GatherScatterMode.FILL_OR_DROP or not core.is_constant_shape((*shape, *places, *windows)):
            return slicing._scatter_lower(ctx, operand, indices, updates, dimension_numbers=dimension_numbers, mode=mode, **parameters)
        dropped = set(dimension_numbers.inserted_window_dims) | set(getattr(dimension_numbers, "operand_batching_dims", ()))
        sizes = iter(windows[d] for d in dimension_numbers.update_window_dims)
        sizes = [1 if d in dropped else next(sizes) for d in range(len(shape))]
        scattered = dimension_numbers.scatter_dims_to_operand_dims
        dtype, widest = ctx.avals_in[1].dtype, max((shape[d] for d in scattered), default=0)

        def whole_or_nowhere(indices):
            if np.iinfo(dtype).max <= widest: indices = indices.astype(np.int32)
            last = np.broadcast_to(np.array([shape[d] - sizes[d] for d in scattered], indices.dtype), indices.shape)
            nowhere = np.broadcast_to(np.array([shape[d] for d in scattered], indices.dtype), indices.shape)
            return jnp.where((indices >= 0) & (indices <= last), indices, nowhere)
        if any(sizes[d] > 1 for d in scattered) and 0 not in places:
            parameters["indices_are_sorted"] = False
            indices, = mlir.lower_fun(whole_or_nowhere, multiple_results=False)(ctx.replace(avals_in=[ctx.avals_in[1]], avals_out=None), indices)
        return slicing._scatter_lower(ctx, operand, indices, updates, dimension_numbers=dimension_numbers, mode=mode, **parameters)
    for name in ("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max"):
        mlir.register_lowering(getattr(slicing, name + "_p"), lower, platform="heddle")


def _exports(mlir):
    """What was exported for JAX's CPU platform is called as if for this one: the custom calls that it may have are here too."""
    from jax._src.export import _export

    def lower(ctx, *args, exported):
        if "heddle" not in exported.platforms:
            exported = dataclasses.replace(exported, platforms=tuple("heddle" if p == "cpu" else p for p in exported.platforms))
        return _export._call_exported_lowering(ctx, *args, exported=exported)
    mlir.register_lowering(_export.call_exported_p, lower, platform="heddle")


def _choices(mlir):
    """lax.platform_dependent without a branch for this platform and without a default takes the one for JAX's CPU."""
    from jax._src.lax.control_flow import conditionals

    def known(platforms):
        if any(names is None or "heddle" in names for names in platforms): return platforms
        return tuple((*names, "heddle") if "cpu" in names else names for names in platforms)

    def lower_index(ctx, *, platforms):
        return conditionals._platform_index_lowering(ctx, platforms=known(platforms))

    def lower_cond(ctx, *args, **parameters):
        platforms = parameters.get("branches_platforms")
        if platforms is not None: parameters["branches_platforms"] = known(platforms)
        return conditionals._cond_lowering(ctx, *args, **parameters)
    # For every platform: the rules are JAX's own, and a program for several would else have each conditional twice.
    mlir.register_lowering(conditionals.platform_index_p, lower_index)
    mlir.register_lowering(conditionals.cond_p, lower_cond)


def register(mlir):
    mlir._platform_specific_lowerings["heddle"] = _Rules(mlir, mlir._platform_specific_lowerings["heddle"])
    for rule in (_approximations, _custom_partitioning, _scatters, _exports, _choices): rule(mlir)
