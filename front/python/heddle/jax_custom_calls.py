# SPDX-License-Identifier: Apache-2.0
"""Functions that programs of JAX call on this platform: typed custom calls, JAX's LAPACK among them, and Python callbacks."""
import collections
import ctypes as c
import dataclasses
import secrets
import traceback

import numpy as np

from heddle import libraries, runtime

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


# The runtime computes these itself (own_routines in runtime/libraries/lapack.c), on all threads.
_OWN_LAPACK = {f"lapack_{letter}{routine}_ffi" for letter in "sd" for routine in ("potrf", "trsm", "getrf", "geqrf", "orgqr")}
# Where the system has OpenBLAS's LAPACK, the runtime has these too: many small matrices and long ones by itself, the others by a call on
# each thread of its pool, where jaxlib's OpenBLAS has threads of its own that wait for work on the same cores.
_OWN_WITH_OPENBLAS = {f"lapack_{letter}{routine}_ffi" for letter in "sd" for routine in ("gesdd", "gesvd", "syevd")}


def _has_openblas():
    try: return hasattr(c.CDLL("liblapacke.so.3"), "openblas_set_num_threads")
    except OSError: return False


def register_lapack(xla_client):
    from jaxlib import lapack
    xla_client.register_custom_call_handler("heddle", _register_target)
    own = _OWN_LAPACK | _OWN_WITH_OPENBLAS if _has_openblas() else _OWN_LAPACK
    for entries in lapack.registrations().values():
        for name, fn, *rest in entries:
            if name not in own: _register_target(name, fn, "heddle", rest[0] if rest else 1, 0)


# ---- callbacks ------------------------------------------------------------------------------------------------------

class _Tensor(c.Structure):
    _fields_ = [("type", c.c_int), ("rank", c.c_int32), ("dims", c.POINTER(c.c_int64)), ("data", c.c_void_p)]

    def array(self):
        dtype = runtime.dtypes()[self.type]
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


def register_callbacks():
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


def any_callbacks():
    """Has this process made callbacks so far?"""
    return bool(_callbacks)
