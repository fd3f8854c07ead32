# SPDX-License-Identifier: Apache-2.0
"""Heddle as a platform of JAX: what JAX has for platforms that it knows (donation, its host, its cache; lowering rules and custom
calls in modules of their own), and counters."""
import ctypes as c
import io
from typing import NamedTuple

from heddle import jax_custom_calls, jax_dlpack, jax_rules, libraries


class Counters(NamedTuple):
    """How programs came to their code, summed over the clients of this process."""
    compiled: int     #: compiled as they were
    generalized: int  #: compiled with unknown dims, for all programs that differ in sizes alone and fit
    shared: int       #: took code that was there: no compilation
    cached: int       #: came from the cache on disk


def counters():
    """The counters so far, as Counters."""
    numbers = (c.c_int64 * len(Counters._fields))()
    libraries.load("libheddle_pjrt.so").hd_pjrt_count(numbers)
    return Counters(*numbers)


# ---- JAX's host ------------------------------------------------------------------------------------------------------

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
        if not jax_custom_calls.any_callbacks(): return False
        text = io.BytesIO()
        module.operation.write_bytecode(text)
        return jax_custom_calls.CALLBACK_TARGET.encode() in text.getvalue()

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
    jax_rules.register(mlir)
    jax_custom_calls.register_lapack(xla_client)
    jax_custom_calls.register_callbacks()
    _register_host()
    _register_cache()
    jax_dlpack.register()
