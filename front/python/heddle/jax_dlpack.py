# SPDX-License-Identifier: Apache-2.0
"""DLPack out of arrays of the platform heddle. JAX gives it on platforms that it knows by name; the memory here is the host's."""
import ctypes as c

import ml_dtypes
import numpy as np

CPU = 1  # kDLCPU
# Element types that DLPack has and numpy has not: ml_dtypes', numpy's of the same size, the number of the kind in DLPack.
BEYOND_NUMPY = {np.dtype(ml_dtypes.bfloat16): (np.uint16, 4)}
KIND_OFFSET = 20  # of DLTensor's dtype.code: after the data, the device and the rank


def _writable(array):
    """A view of a jax.Array's memory that numpy gives away; it keeps the memory as any view does. Nobody may write it."""
    view = np.asarray(array)
    if not view.size: return np.zeros(view.shape, view.dtype)
    memory = (c.c_char * view.nbytes).from_address(view.ctypes.data)
    memory.owner = view
    return np.ndarray(view.shape, view.dtype, memory, strides=view.strides)


def _capsule(array):
    """numpy's capsule, with the kind of elements that numpy does not know put right."""
    numpys, kind = BEYOND_NUMPY.get(array.dtype, (None, None))
    if numpys is None: return array.__dlpack__()
    capsule = array.view(numpys).__dlpack__()
    pointer = c.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
    c.c_uint8.from_address(pointer(capsule, b"dltensor") + KIND_OFFSET).value = kind
    return capsule


def register():
    from jax._src import array
    their_dlpack, their_device = array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__

    def is_ours(x):
        return len(x.sharding.device_set) == 1 and x.platform() == "heddle"

    def dlpack_device(self):
        return (CPU, 0) if is_ours(self) else their_device(self)

    def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not is_ours(self): return their_dlpack(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        if dl_device is not None and tuple(dl_device) != (CPU, 0): raise BufferError(f"expected device ({CPU}, 0), the CPU, got {tuple(dl_device)}")
        return _capsule(np.array(self) if copy else _writable(self))

    array.ArrayImpl.__dlpack__, array.ArrayImpl.__dlpack_device__ = dlpack, dlpack_device
