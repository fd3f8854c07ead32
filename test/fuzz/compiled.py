# SPDX-License-Identifier: Apache-2.0
"""The compiler's and the runtime's doors of libheddle.so: compile once, run on numpy arrays."""
import ctypes

import libheddle
import ml_dtypes
import numpy as np

for _number, _name in enumerate(["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3fn",
                                 "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz"], 26):
    libheddle.NUMBERS.setdefault(_name, _number)
for _name, _number in (("int2", 2), ("int4", 3), ("uint2", 8), ("uint4", 9)): libheddle.NUMBERS.setdefault(_name, _number)
libheddle.NAMES.update({number: name for name, number in libheddle.NUMBERS.items()})


class Blob(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class RuntimeOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32)]


class CompileOptions(ctypes.Structure):
    """The head of hd_compile_options, up to |threads|."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("target", ctypes.c_char_p), ("entry", ctypes.c_char_p),
                ("mcpu", ctypes.c_void_p), ("mcpu_count", ctypes.c_size_t), ("constant_args", ctypes.c_void_p),
                ("constant_arg_count", ctypes.c_size_t), ("fixed_dims", ctypes.c_void_p), ("fixed_dim_count", ctypes.c_size_t),
                ("numerics", ctypes.c_bool * 4), ("threads", ctypes.c_int)]


class CompileError(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.unsupported = code == 12


class RunError(Exception):
    pass


_lib = None


def library():
    global _lib
    if _lib: return _lib
    lib = libheddle._library()
    p, size = ctypes.c_void_p, ctypes.c_size_t
    lib.hd_compile.restype = p
    lib.hd_compile.argtypes = [ctypes.c_char_p, size, ctypes.c_char_p, p, libheddle.MessageSink, ctypes.POINTER(Blob)]
    lib.hd_blob_free.argtypes = [ctypes.POINTER(Blob)]
    lib.hd_status_code_of.restype, lib.hd_status_code_of.argtypes = ctypes.c_int, [p]
    lib.hd_runtime_create.restype, lib.hd_runtime_create.argtypes = p, [p, ctypes.POINTER(p)]
    lib.hd_executable_load.restype = p
    lib.hd_executable_load.argtypes = [p, p, size, p, ctypes.POINTER(p)]
    lib.hd_executable_release.argtypes = [p]
    lib.hd_buffer_wrap.restype = p
    lib.hd_buffer_wrap.argtypes = [p, ctypes.c_int, ctypes.c_int32, p, p, p, p, p, ctypes.POINTER(p)]
    lib.hd_buffer_release.argtypes = [p]
    for name, result in (("type", ctypes.c_int), ("rank", ctypes.c_int32), ("dims", ctypes.POINTER(ctypes.c_int64)), ("bytes", size), ("data", p)):
        f = getattr(lib, "hd_buffer_" + name)
        f.restype, f.argtypes = result, [p]
    lib.hd_executable_execute.restype = p
    lib.hd_executable_execute.argtypes = [p, p, p, ctypes.c_int32, p, ctypes.c_int32]
    lib.hd_executable_output_count.restype, lib.hd_executable_output_count.argtypes = ctypes.c_int32, [p]
    _lib = lib
    return lib


def _message(lib, status):
    code, text = lib.hd_status_code_of(status), lib.hd_status_message(status).decode(errors="replace")
    lib.hd_status_free(status)
    return code, text


_runtime = None


def runtime():
    global _runtime
    lib = library()
    if not _runtime:
        _runtime = ctypes.c_void_p()
        options = RuntimeOptions(ctypes.sizeof(RuntimeOptions), 2)
        status = lib.hd_runtime_create(ctypes.byref(options), ctypes.byref(_runtime))
        if status: raise RunError(_message(lib, status)[1])
    return _runtime


class Executable:
    """A compiled program; run(arrays) gives arrays. CompileError, RunError."""

    def __init__(self, program, name="program.mlir", threads=1):
        lib, self.handle = library(), ctypes.c_void_p()
        messages, blob = [], Blob()
        sink = libheddle.SINK(lambda user, severity, text: messages.append(text.decode(errors="replace")))
        options = CompileOptions(struct_size=ctypes.sizeof(CompileOptions), threads=threads)
        status = lib.hd_compile(program, len(program), name.encode(), ctypes.byref(options), libheddle.MessageSink(sink, None), ctypes.byref(blob))
        if status:
            code, text = _message(lib, status)
            raise CompileError(code, "\n".join(messages + [text]))
        status = lib.hd_executable_load(runtime(), blob.data, blob.size, None, ctypes.byref(self.handle))
        lib.hd_blob_free(ctypes.byref(blob))
        if status: raise RunError(_message(lib, status)[1])

    def __del__(self):
        if self.handle: library().hd_executable_release(self.handle)

    def run(self, arrays):
        lib = library()
        arrays = [np.asarray(a, order="C") for a in arrays]
        inputs, keep = (ctypes.c_void_p * (len(arrays) + 1))(), []
        count = lib.hd_executable_output_count(self.handle)
        outputs = (ctypes.c_void_p * (count + 1))()
        try:
            for k, a in enumerate(arrays):
                dims = (ctypes.c_int64 * (a.ndim + 1))(*a.shape)
                keep.append(dims)
                buffer = ctypes.c_void_p()
                status = lib.hd_buffer_wrap(runtime(), libheddle.NUMBERS[a.dtype.name], a.ndim, dims, None, a.ctypes.data, None, None,
                                            ctypes.byref(buffer))
                if status: raise RunError(_message(lib, status)[1])
                inputs[k] = buffer
            status = lib.hd_executable_execute(self.handle, None, inputs, len(arrays), outputs, count)
            if status: raise RunError(_message(lib, status)[1])
            results = []
            for k in range(count):
                o = outputs[k]
                shape = [lib.hd_buffer_dims(o)[i] for i in range(lib.hd_buffer_rank(o))]
                data = ctypes.string_at(lib.hd_buffer_data(o), lib.hd_buffer_bytes(o)) if lib.hd_buffer_bytes(o) else b""
                results.append(np.frombuffer(data, libheddle._dtype(libheddle.NAMES[lib.hd_buffer_type(o)])).reshape(shape).copy())
            return results
        finally:
            for handle in list(inputs) + list(outputs):
                if handle: lib.hd_buffer_release(handle)
