# SPDX-License-Identifier: Apache-2.0
"""Heddle as a platform of JAX: what JAX has for platforms that it knows (donation, lowering rules, typed custom calls,
callbacks), and counters."""
import collections
import ctypes as c
import dataclasses
import io
import secrets
import traceback
from typing import NamedTuple

import numpy as np

from heddle import jax_dlpack, libraries, runtime

# Rules that JAX has for its CPU platform alone: by LAPACK through typed custom calls, and by callbacks.
LAPACK_PRIMITIVES = ("eig", "eigh", "hessenberg", "householder_product", "ormqr", "lu", "geqrf", "geqp3", "schur", "svd",
                     "tridiagonal", "tridiagonal_solve")
CALLBACK_PRIMITIVES = ("check", "debug_callback", "debug_print", "spsolve")


class Counters(NamedTuple):
    """How programs came to their code, summed over the clients of this process."""
    compiled: int     #: compiled as they were
    generalized: int  #: compiled with unknown dims, for all programs of their family that fit
    shared: int       #: took code that was there: no compilation
    cached: int       #: came from the cache on disk


def counters():
    """The counters so far, as Counters."""
    numbers = (c.c_int64 * len(Counters._fields))()
    libraries.load("libheddle_pjrt.so").hd_pjrt_count(numbers)
    return Counters(*numbers)


# ---- typed custom calls ---------------------------------------------------------------------------------------------

class _Extension(c.Structure):
    pass


_Extension._fields_ = [("struct_size", c.c_size_t), ("type", c.c_int), ("next", c.POINTER(_Extension))]


class _FfiExtension(c.Structure):
    _fields_ = [("base", _Extension), ("type_id_register", c.c_void_p), ("user_data_add", c.c_void_p), ("register_handler", c.c_void_p)]


class _Api(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("extension_start", c.POINTER(_Extension))]


class _RegisterHandler(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("target_name", c.c_char_p), ("target_name_size", c.c_size_t), ("api_version", c.c_int),
                ("handler", c.c_void_p), ("platform_name", c.c_char_p), ("platform_name_size", c.c_size_t), ("traits", c.c_uint)]


FFI_EXTENSION = 5


def _register_handler_function():
    lib = libraries.load("libheddle_pjrt.so")
    lib.GetPjrtApi.restype = c.POINTER(_Api)
    extension = lib.GetPjrtApi().contents.extension_start
    while extension and extension.contents.type != FFI_EXTENSION: extension = extension.contents.next
    if not extension: raise RuntimeError("the heddle plugin has no FFI extension")
    ffi = c.cast(extension, c.POINTER(_FfiExtension)).contents
    return c.CFUNCTYPE(c.c_void_p, c.POINTER(_RegisterHandler))(ffi.register_handler)


def _capsule_pointer(capsule):
    name, pointer = c.pythonapi.PyCapsule_GetName, c.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = c.c_char_p, [c.py_object]
    pointer.restype, pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
    return pointer(capsule, name(capsule))


def _register_target(name, fn, platform, api_version, traits):
    """What jax.ffi.register_ffi_target does for the platform: |fn| is a capsule, or capsules by stage."""
    if api_version != 1: raise NotImplementedError(f"custom call '{name}': API version {api_version}; heddle takes typed handlers, version 1")
    if isinstance(fn, dict):
        if set(fn) - {"execute"}: raise NotImplementedError(f"custom call '{name}': heddle takes handlers of the execute stage alone")
        fn = fn["execute"]
    name = name.encode() if isinstance(name, str) else name
    args = _RegisterHandler(struct_size=c.sizeof(_RegisterHandler), target_name=name, target_name_size=len(name), api_version=1,
                            handler=_capsule_pointer(fn), platform_name=b"heddle", platform_name_size=6)
    lib = runtime._library("libheddle_rt.so")
    runtime._check(lib, _register_handler_function()(c.byref(args)))


def _register_lapack(xla_client):
    from jaxlib import lapack
    xla_client.register_custom_call_handler("heddle", _register_target)
    for entries in lapack.registrations().values():
        for name, fn, *rest in entries: _register_target(name, fn, "heddle", rest[0] if rest else 1, 0)


# ---- callbacks ------------------------------------------------------------------------------------------------------

class _Tensor(c.Structure):
    _fields_ = [("type", c.c_int), ("rank", c.c_int32), ("dims", c.POINTER(c.c_int64)), ("data", c.c_void_p)]

    def array(self):
        dtype = runtime.DTYPES[self.type]
        shape = tuple(self.dims[i] for i in range(self.rank))
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if not size: return np.zeros(shape, dtype)
        return np.frombuffer((c.c_char * size).from_address(self.data), np.uint8).view(dtype).reshape(shape)


class _Call(c.Structure):
    _fields_ = [("inputs", c.POINTER(_Tensor)), ("outputs", c.POINTER(_Tensor)), ("input_count", c.c_int32), ("output_count", c.c_int32),
                ("attributes", c.POINTER(c.c_uint8)), ("attribute_bytes", c.c_size_t), ("runtime", c.c_void_p)]


CALLBACK_TARGET = "heddle.python_callback"
# Functions by number. Numbers are random, so that a program from the cache of another process finds nothing instead of
# another function.
_callbacks = {}
_dropped = collections.deque()


class _Callback:
    """Kept by the executable that calls |function|. Executions may outlive it: the latest ones dropped stay a while."""

    def __init__(self, function):
        self.number = secrets.randbits(63)
        _callbacks[self.number] = function

    def __del__(self):
        _dropped.append(self.number)
        while len(_dropped) > 256: _callbacks.pop(_dropped.popleft(), None)


def _run_callback(user, call):
    call = call.contents
    number = int.from_bytes(bytes(call.attributes[call.attribute_bytes - 8:call.attribute_bytes]), "little")
    lib = runtime._library("libheddle_rt.so")
    try:
        callback = _callbacks.get(number)
        if callback is None: raise RuntimeError("the function of this callback is gone")
        results = callback(*(call.inputs[i].array().copy() for i in range(call.input_count)))
        for i in range(call.output_count):
            out = call.outputs[i].array()
            if out.size: np.copyto(out, np.asarray(results[i]))
        return None
    except BaseException as error:
        text = "".join(traceback.format_exception(error))
        create = runtime._function(lib, "hd_status_create", c.c_int, c.c_char_p)
        return create(13, text.encode(errors="replace"))


_run_callback_c = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.POINTER(_Call))(_run_callback)


def _register_callbacks():
    from jax._src import callback as jax_callback
    from jax._src import dtypes, ffi
    from jax._src.interpreters import mlir
    from jax.interpreters import mlir as public_mlir
    lib = runtime._library("libheddle_rt.so")
    register_call = runtime._function(lib, "hd_custom_call_register", c.c_char_p, c.c_void_p, c.c_void_p)
    runtime._check(lib, register_call(CALLBACK_TARGET.encode(), c.cast(_run_callback_c, c.c_void_p), None))
    original = jax_callback.emit_python_callback

    def emit_python_callback(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect, returns_token=True,
                             partitioned=False, sharding=None):
        if ctx.module_context.platforms != ("heddle",) and list(ctx.module_context.platforms) != ["heddle"]:
            return original(ctx, callback, token, operands, operand_avals, result_avals, has_side_effect=has_side_effect,
                            returns_token=returns_token, partitioned=partitioned, sharding=sharding)

        def checked(*args):
            values = tuple(dtypes.canonicalize_value(np.asarray(v)) for v in callback(*args))
            if len(values) != len(result_avals):
                raise RuntimeError(f"Mismatched number of outputs from callback. Expected: {len(result_avals)}, Actual: {len(values)}")
            for i, (value, aval) in enumerate(zip(values, result_avals)):
                if value.shape != aval.shape:
                    raise RuntimeError(f"Incorrect output shape for return value #{i}: Expected: {aval.shape}, Actual: {value.shape}")
                if value.dtype != aval.dtype:
                    raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: {aval.dtype}, Actual: {value.dtype}")
            return values

        kept = _Callback(checked)
        ctx.module_context.add_keepalive(kept)
        # Calls run in the order of the program, so a token goes through as it is.
        ctx = dataclasses.replace(ctx, avals_in=list(operand_avals), avals_out=list(result_avals))
        lower = ffi.build_ffi_lowering_function(CALLBACK_TARGET, has_side_effect=has_side_effect)
        result = lower(ctx, *operands, index=np.uint64(kept.number))
        if sharding is not None: mlir.set_sharding(ctx.module_context, result, sharding)  # each device's own, or one's
        return list(result.results), token, kept

    jax_callback.emit_python_callback = emit_python_callback
    public_mlir.emit_python_callback = emit_python_callback


def _register_host():
    """JAX places the arguments of callbacks on its CPU platform, which JAX_PLATFORMS=heddle leaves out: it is started when it is
    first asked for so."""
    from jax._src import xla_bridge
    local_devices = xla_bridge.local_devices

    def with_host(process_index=None, backend=None, host_id=None):
        if backend == "cpu" and "cpu" not in xla_bridge.backends() and "heddle" in xla_bridge.backends():
            with xla_bridge._backend_lock:
                if "cpu" not in xla_bridge._backends: xla_bridge._backends["cpu"] = xla_bridge._init_backend("cpu")
        return local_devices(process_index, backend, host_id)
    xla_bridge.local_devices = with_host


# ---- rules of our own -----------------------------------------------------------------------------------------------

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


def _register_approximations(mlir):
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


def _register_custom_partitioning(mlir):
    """A function with a partitioner of its own is laid out like any other: XLA would be what calls that back. Here it is asked
    for the layouts of _partitionings, and one that gives for each of them a part of another shape than it says is an error."""
    from jax._src import core, custom_partitioning
    from jax._src.lib.mlir import ir
    call_name = custom_partitioning._CUSTOM_PARTITIONING_CALL_NAME

    def lower(ctx, *values, call, **parameters):
        theirs = custom_partitioning._custom_partitioning_lowering_rule(ctx, *values, call=call, **parameters)
        made = theirs[0].owner if len(theirs) and isinstance(theirs[0], ir.Value) else None
        if made is None or made.name != "stablehlo.custom_call" or ir.StringAttr(made.attributes["call_target_name"]).value != call_name: return theirs
        key = ir.StringAttr(made.attributes["backend_config"]).value.encode()
        made.erase()
        _check_partitioner(custom_partitioning, key, call)
        return mlir.lower_fun(core.jaxpr_as_fun(call), multiple_results=True)(ctx, *values)
    mlir.register_lowering(custom_partitioning.custom_partitioning_p, lower, platform="heddle")


def _partitionings(mesh, shapes):
    """Layouts of tensors of |shapes| that a partitioner may be asked for, as HLO shardings: all whole, then all split along one dim
    by one axis of the mesh, where that divides it."""
    from jax.sharding import NamedSharding, PartitionSpec
    yield [NamedSharding(mesh, PartitionSpec())._to_xla_hlo_sharding(len(shape)) for shape in shapes]
    for axis, parts in mesh.shape.items():
        for d in range(min(4, max(map(len, shapes), default=0))):
            specs = [PartitionSpec(*[None] * d, axis) if len(shape) > d and shape[d] % parts == 0 else PartitionSpec() for shape in shapes]
            yield [NamedSharding(mesh, spec)._to_xla_hlo_sharding(len(shape)) for spec, shape in zip(specs, shapes)]


def _check_partitioner(custom_partitioning, key, call):
    from jax._src.lib import xla_client as xc
    info = custom_partitioning._sharding_callbacks[key]
    if info.mesh.empty: return
    of = lambda avals: [xc.Shape.array_shape(np.dtype(a.dtype), a.shape) for a in avals]
    args, results = of(call.in_avals), of(call.out_avals)
    result = results[0] if len(results) == 1 else xc.Shape.tuple_shape(results)
    mismatch = None
    for layouts in _partitionings(info.mesh, [a.shape for a in (*call.in_avals, *call.out_avals)]):
        packed = custom_partitioning._pack_result_sharding(result, layouts[len(args):])
        try: custom_partitioning._custom_partitioning_partition(args, layouts[:len(args)], result, packed, key)
        except Exception as error:  # the partitioner's own: it does not take this layout, which it need not
            if not str(error).startswith("Mismatch in result shapes."): return
            mismatch = error
        else: return
    if mismatch: raise mismatch


def _register_scatters(mlir):
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


def _register_exports(mlir):
    """What was exported for JAX's CPU platform is called as if for this one: the custom calls that it may have are here too."""
    from jax._src.export import _export

    def lower(ctx, *args, exported):
        if "heddle" not in exported.platforms:
            exported = dataclasses.replace(exported, platforms=tuple("heddle" if p == "cpu" else p for p in exported.platforms))
        return _export._call_exported_lowering(ctx, *args, exported=exported)
    mlir.register_lowering(_export.call_exported_p, lower, platform="heddle")


def _register_choices(mlir):
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


# ---- JAX's own cache of executables -----------------------------------------------------------------------------------

def _register_cache():
    """jax_compilation_cache_dir: JAX asks its cache for platforms that it knows, by name. Programs with callbacks stay out of
    it, as JAX's own do: the functions are this process's."""
    from jax._src import compilation_cache, compiler
    is_used, key_of = compilation_cache.is_cache_used, compiler._get_cache_key

    class AsKnown(NamedTuple):
        platform: str = "cpu"
        supports_executable_serialization: bool = True

    def calls_back(module):
        if not _callbacks: return False
        text = io.BytesIO()
        module.operation.write_bytecode(text)
        return CALLBACK_TARGET.encode() in text.getvalue()

    def get_cache_key(options, backend, computation, *args, **kwargs):
        if backend.platform == "heddle" and compilation_cache.is_cache_used(backend) and calls_back(computation): return None
        return key_of(options, backend, computation, *args, **kwargs)

    compilation_cache.is_cache_used = lambda backend: is_used(AsKnown() if backend.platform == "heddle" else backend)
    compiler._get_cache_key = get_cache_key


# ---- the platform ---------------------------------------------------------------------------------------------------

def register():
    """Called once, after the platform is registered."""
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    if "heddle" not in mlir._platforms_with_donation: mlir._platforms_with_donation.append("heddle")
    mlir._platform_specific_lowerings["heddle"] = _Rules(mlir, mlir._platform_specific_lowerings["heddle"])
    _register_approximations(mlir)
    _register_custom_partitioning(mlir)
    _register_scatters(mlir)
    _register_exports(mlir)
    _register_choices(mlir)
    _register_lapack(xla_client)
    _register_callbacks()
    _register_host()
    _register_cache()
    jax_dlpack.register()
