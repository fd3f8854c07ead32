# SPDX-License-Identifier: Apache-2.0
"""The evaluator's door of libheddle.so, called directly."""
import ctypes
import json
import os

import numpy as np

from heddle.runtime import Blob, CompileOptions, dtypes, numbers

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("HEDDLE_BUILD", os.path.join(ROOT, "build"))


class HostTensor(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("dims", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_size_t),
                ("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


SINK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class MessageSink(ctypes.Structure):
    _fields_ = [("fn", SINK), ("user", ctypes.c_void_p)]


def _library():
    lib = ctypes.CDLL(os.path.join(BUILD, "lib", "libheddle.so"))
    lib.hd_eval.restype = ctypes.c_void_p
    lib.hd_eval.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(HostTensor),
                            ctypes.c_size_t, MessageSink, ctypes.POINTER(ctypes.c_void_p)]
    lib.hd_eval_results_count.restype = ctypes.c_size_t
    lib.hd_eval_results_count.argtypes = [ctypes.c_void_p]
    lib.hd_eval_results_get.restype = HostTensor
    lib.hd_eval_results_get.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    lib.hd_eval_results_free.argtypes = [ctypes.c_void_p]
    lib.hd_status_message.restype = ctypes.c_char_p
    lib.hd_status_message.argtypes = [ctypes.c_void_p]
    lib.hd_status_free.argtypes = [ctypes.c_void_p]
    return lib


class EvalError(Exception):
    pass


def _host_tensors(arrays):
    tensors, keep = (HostTensor * (len(arrays) + 1))(), []
    for k, a in enumerate(arrays):
        dims = (ctypes.c_int64 * (a.ndim + 1))(*a.shape)
        keep.append(dims)
        tensors[k] = HostTensor(numbers()[a.dtype], dims, a.ndim, a.ctypes.data, a.nbytes)
    return tensors, keep


def evaluate(program, inputs, name="program.mlir", excess_precision=False):
    """Runs |program| (bytes) on numpy arrays; gives a list of arrays. EvalError has the diagnostics."""
    lib = _library()
    arrays = [np.asarray(a, order="C") for a in inputs]
    tensors, keep = _host_tensors(arrays)
    messages = []
    sink = SINK(lambda user, severity, text: messages.append(text.decode(errors="replace")))
    results = ctypes.c_void_p()
    options = CompileOptions(struct_size=ctypes.sizeof(CompileOptions), excess_precision=excess_precision)
    status = lib.hd_eval(program, len(program), name.encode(), ctypes.byref(options), tensors, len(arrays), MessageSink(sink, None),
                         ctypes.byref(results))
    if status:
        text = lib.hd_status_message(status).decode(errors="replace")
        lib.hd_status_free(status)
        raise EvalError("\n".join(messages + [text]))
    out = []
    for k in range(lib.hd_eval_results_count(results)):
        t = lib.hd_eval_results_get(results, k)
        shape = [t.dims[i] for i in range(t.rank)]
        data = ctypes.string_at(t.data, t.size)
        out.append(np.frombuffer(data, dtypes()[t.type]).reshape(shape).copy())
    lib.hd_eval_results_free(results)
    return out


class BisectOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("tolerance", ctypes.c_double)]


def bisect(program, inputs, tolerance=1e-4, name="program.mlir"):
    """The stages of hd_bisect; EvalError when it cannot start."""
    lib = _library()
    arrays = [np.asarray(a, order="C") for a in inputs]
    tensors, keep = _host_tensors(arrays)
    messages, blob, equal = [], Blob(), ctypes.c_bool()
    sink = SINK(lambda user, severity, text: messages.append(text.decode(errors="replace")))
    options = BisectOptions(ctypes.sizeof(BisectOptions), tolerance)
    lib.hd_bisect.restype = ctypes.c_void_p
    lib.hd_bisect.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                              ctypes.c_size_t, MessageSink, ctypes.c_void_p, ctypes.c_void_p]
    status = lib.hd_bisect(program, len(program), name.encode(), None, ctypes.byref(options), tensors, len(arrays),
                           MessageSink(sink, None), ctypes.byref(equal), ctypes.byref(blob))
    if status:
        text = lib.hd_status_message(status).decode(errors="replace")
        lib.hd_status_free(status)
        raise EvalError("\n".join(messages + [text]))
    text = ctypes.string_at(blob.data, blob.size)
    lib.hd_blob_free.argtypes = [ctypes.c_void_p]
    lib.hd_blob_free(ctypes.byref(blob))
    return json.loads(text)["stages"]


class OptError(Exception):
    """What heddle-opt refuses: its messages."""


def opt(program, *options, name="program.mlir"):
    """What `heddle-opt *options` makes of |program| (bytes): bytes."""
    lib, messages, blob = _library(), [], Blob()
    sink = SINK(lambda user, severity, text: messages.append(f"{severity.decode()}: {text.decode(errors='replace')}"))
    lib.hd_opt.restype = ctypes.c_void_p
    lib.hd_opt.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, MessageSink, ctypes.c_void_p]
    argv = (ctypes.c_char_p * (len(options) + 1))(b"heddle-opt", *(o.encode() for o in options))
    status = lib.hd_opt(len(argv), argv, program, len(program), name.encode(), MessageSink(sink, None), ctypes.byref(blob))
    text = ctypes.string_at(blob.data, blob.size) if blob.data else b""
    lib.hd_blob_free.argtypes = [ctypes.c_void_p]
    lib.hd_blob_free(ctypes.byref(blob))
    if not status: return text
    messages.append(lib.hd_status_message(status).decode(errors="replace"))
    lib.hd_status_free(status)
    raise OptError("\n".join(messages))
