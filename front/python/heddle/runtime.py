# SPDX-License-Identifier: Apache-2.0
"""libheddle and libheddle_rt from Python, by ctypes: compile a program, load the artifact, run it on numpy arrays.

    runtime = Runtime(threads=2)
    executable = runtime.load(compile_program(open("gelu.mlir", "rb").read(), "gelu.mlir"))
    out, = executable(np.ones((4, 128), np.float32))

A failure raises a HeddleError (heddle.errors). The libraries are where heddle.libraries finds them. bf16 and the small
floats are those of ml_dtypes. Calls into the libraries release the interpreter's lock."""
import ctypes as c
import functools
import itertools
import os
import re
from typing import NamedTuple

import ml_dtypes
import numpy as np

from heddle import libraries
from heddle.errors import HeddleError, error  # noqa: F401

class Blob(c.Structure):
    _fields_ = [("data", c.c_void_p), ("size", c.c_size_t)]


class Sink(c.Structure):
    _fields_ = [("fn", c.c_void_p), ("user", c.c_void_p)]


class ArgRange(c.Structure):
    _fields_ = [("first", c.c_uint32), ("last", c.c_uint32)]


class NamedDim(c.Structure):
    _fields_ = [("name", c.c_char_p), ("size", c.c_int64)]


class Numerics(c.Structure):
    _fields_ = [("no_contract", c.c_bool), ("no_excess_precision", c.c_bool), ("tf32", c.c_bool), ("deterministic", c.c_bool)]


class CompileOptions(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("target", c.c_char_p), ("entry", c.c_char_p),
                ("mcpu", c.POINTER(c.c_char_p)), ("mcpu_count", c.c_size_t), ("constant_args", c.POINTER(ArgRange)),
                ("constant_arg_count", c.c_size_t), ("fixed_dims", c.c_void_p), ("fixed_dim_count", c.c_size_t),
                ("numerics", Numerics), ("threads", c.c_int), ("memory_limit", c.c_size_t), ("timeout_s", c.c_double),
                ("cache_dir", c.c_char_p), ("dump_to", c.c_char_p), ("pass_pipeline", c.c_char_p), ("platform_index", c.c_int32),
                ("custom_calls_later", c.c_bool), ("constants_file", c.c_char_p), ("out_constants", c.c_void_p),
                ("custom_call_provided", c.c_void_p), ("metadata", c.c_char_p), ("grid", c.c_int64 * 3), ("no_graph_passes", c.c_bool),
                ("ptxas", c.c_char_p), ("out_ptx", c.c_void_p), ("excess_precision", c.c_bool), ("library_products", c.c_bool),
                ("math", c.c_char_p), ("pass_options", c.c_char_p)]


class RuntimeOptions(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("threads", c.c_int32), ("memory_limit", c.c_size_t), ("allocator", c.c_void_p),
                ("thread_pool", c.c_void_p), ("cpu_features", c.c_uint64), ("profile", c.c_bool), ("perf_map", c.c_bool),
                ("driver", c.c_char_p), ("stream_bytes", c.c_int64), ("host_allocator", c.c_void_p), ("check_bounds", c.c_bool), ("cache_dir", c.c_char_p)]


class ArtifactTarget(c.Structure):
    _fields_ = [("name", c.c_char * 96), ("driver", c.c_char * 16)]


class ArtifactTargets(c.Structure):
    _fields_ = [("count", c.c_int32), ("targets", ArtifactTarget * 8)]


class TensorInfo(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int), ("rank", c.c_int32), ("dims", c.POINTER(c.c_int64)),
                ("dim_texts", c.POINTER(c.c_char_p)), ("alias", c.c_int32)]


class RunStats(c.Structure):
    _fields_ = [(name, c.c_int64) for name in ("launches", "library_calls", "allocations", "copies")] + \
               [("bytes_peak", c.c_uint64), ("nanoseconds", c.c_int64)]


class ExecuteOptions(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("timeout_ns", c.c_int64), ("memory_limit", c.c_size_t), ("cancel", c.c_void_p),
                ("donated", c.c_void_p), ("serial", c.c_bool), ("print", c.c_void_p), ("print_user", c.c_void_p),
                ("out_stats", c.c_void_p), ("communicator", c.c_void_p), ("feeds", c.c_void_p), ("results_later", c.c_bool)]


class ProfileSpan(c.Structure):
    _fields_ = [("category", c.c_char_p), ("name", c.c_char_p), ("detail", c.c_char_p), ("items", c.c_int64), ("start_ns", c.c_int64),
                ("end_ns", c.c_int64), ("thread", c.c_int64), ("worker", c.c_int32)]


SpanFn = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(ProfileSpan))
_libraries = {}


def _library(name):
    if name not in _libraries:
        lib = libraries.load(name)
        lib.hd_status_message.restype, lib.hd_status_message.argtypes = c.c_char_p, [c.c_void_p]
        lib.hd_status_code_of.restype, lib.hd_status_code_of.argtypes = c.c_int, [c.c_void_p]
        lib.hd_status_free.restype, lib.hd_status_free.argtypes = None, [c.c_void_p]
        _libraries[name] = lib
    return _libraries[name]


def _numpy_name(text):
    """The name in numpy or ml_dtypes of the element type that MLIR calls |text|: ui8, bf16, f8E4M3FN, complex<f32>."""
    if text == "i1": return "bool"
    if text.startswith("complex"): return f"complex{2 * int(text[9:-1])}"
    kind, bits, rest = re.fullmatch(r"(bf|f|[su]?i)(\d+)(\w*)", text).groups()
    kind = {"bf": "bfloat", "f": "float", "ui": "uint"}.get(kind, "int")
    return f"{kind}{bits}_{rest.lower()}" if rest else kind + bits


@functools.cache
def dtypes():
    """numpy's types by the numbers of heddle/element.h."""
    text = _function(_library("libheddle_rt.so"), "hd_element_text", c.c_int, result=c.c_char_p)
    names = itertools.takewhile(lambda name: name != "?", (text(number).decode() for number in itertools.count(1)))
    numpys = {number: _numpy_name(name) for number, name in enumerate(names, 1) if not name.startswith("!")}
    return {number: np.dtype(getattr(ml_dtypes, name, name)) for number, name in numpys.items()}


@functools.cache
def numbers():
    """The numbers of heddle/element.h by numpy's types; signless integers before signed ones."""
    return {dtype: number for number, dtype in reversed(dtypes().items())}


def _check(lib, status, diagnostics=()):
    if not status: return
    code, message = lib.hd_status_code_of(status), lib.hd_status_message(status).decode(errors="replace")
    lib.hd_status_free(status)
    failures = [text for severity, text in diagnostics if severity == "error"]
    raise error(code, "\n".join(failures) or message, diagnostics)


@functools.cache
def _function(lib, name, *argtypes, result=c.c_void_p):
    """A function with these types, whatever types others give it."""
    f = lib[name]
    f.restype, f.argtypes = result, list(argtypes)
    return f


MessageFn = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_char_p)


def _compiler(door, program, name, options, *more):
    """The bytes that a door of the compiler gives for |program|; its diagnostics go into the exception when it fails."""
    lib, diagnostics, out = _library("libheddle.so"), [], Blob()
    receive = MessageFn(lambda user, severity, text: diagnostics.append((severity.decode(), text.decode(errors="replace"))))
    f = _function(lib, door, c.c_char_p, c.c_size_t, c.c_char_p, c.POINTER(CompileOptions), *[c.c_int] * len(more), Sink, c.POINTER(Blob))
    sink = Sink(fn=c.cast(receive, c.c_void_p))
    _check(lib, f(program, len(program), name.encode(), c.byref(options), *more, sink, c.byref(out)), diagnostics)
    text = c.string_at(out.data, out.size)
    _function(lib, "hd_blob_free", c.POINTER(Blob), result=None)(c.byref(out))
    return text


def compiler_version():
    """The versions of Heddle and of its LLVM, as "heddle 1.2.3 (LLVM 22.1.8)"."""
    return _function(_library("libheddle.so"), "hd_compiler_version", result=c.c_char_p)().decode()


def artifact_targets(artifact, target=None):
    """What |artifact| (bytes) was compiled for, of that what |target| names ("cuda" or "cuda:80+cpu"), as (target, driver), in the order in which it is taken."""
    lib, targets = _library("libheddle_rt.so"), ArtifactTargets()
    _check(lib, _function(lib, "hd_artifact_targets", c.c_char_p, c.c_size_t, c.c_char_p, c.c_void_p)(artifact, len(artifact), target and target.encode(), c.byref(targets)))
    return [(t.name.decode(), t.driver.decode()) for t in targets.targets[:targets.count]]


def compile_options(constant_args=(), threads=0, cache_dir=None, entry=None, target=None, mcpu=(), fixed_dims=None, timeout=0.0,
                    memory_limit=0, platform_index=0, custom_calls_later=False, numerics=None, metadata=None,
                    no_graph_passes=False, ptxas=None, library_products=False, math=None, pass_options=None):
    """|constant_args|: numbers of arguments that will be bound; |numerics|: a Numerics; |metadata|: text that the artifact carries;
    |mcpu|: a level or several; |math|: "exact" or "fast" (None); |pass_options|: options of passes, as "disc-dot-rewriter{align=8}"."""
    ranges = (ArgRange * max(len(constant_args), 1))(*[ArgRange(i, i) for i in constant_args])
    mcpu = [mcpu] if isinstance(mcpu, str) else list(mcpu)
    levels = (c.c_char_p * max(len(mcpu), 1))(*[level.encode() for level in mcpu])
    dims = (NamedDim * max(len(fixed_dims or {}), 1))(*[NamedDim(k.encode(), v) for k, v in (fixed_dims or {}).items()])
    options = CompileOptions(struct_size=c.sizeof(CompileOptions), constant_args=ranges, constant_arg_count=len(constant_args),
                             threads=threads, cache_dir=cache_dir.encode() if cache_dir else None,
                             entry=entry.encode() if entry else None, target=target.encode() if target else None,
                             mcpu=levels, mcpu_count=len(mcpu), fixed_dims=c.cast(dims, c.c_void_p),
                             fixed_dim_count=len(fixed_dims or {}), timeout_s=timeout, memory_limit=memory_limit,
                             platform_index=platform_index, custom_calls_later=custom_calls_later, numerics=numerics or Numerics(),
                             metadata=metadata.encode() if metadata else None, no_graph_passes=no_graph_passes, library_products=library_products,
                             ptxas=ptxas.encode() if ptxas else None, math=math.encode() if math else None,
                             pass_options=pass_options.encode() if pass_options else None)
    options.keep = ranges, levels, dims
    return options


def compile_program(program, name="program", *args, **options):
    """The artifact of |program| (bytes); the other arguments are those of compile_options."""
    return _compiler("hd_compile", program, name, compile_options(*args, **options))


EXPLAIN_FORMATS = ("text", "json", "html")


def explain_program(program, name="program", format="text", **options):  # noqa: A002
    """What the compiler makes of |program| (bytes), as text in one of EXPLAIN_FORMATS."""
    return _compiler("hd_explain", program, name, compile_options(**options), EXPLAIN_FORMATS.index(format)).decode()


class Runtime:
    """A device with its threads and memory pool. |stream_bytes|: kernels that move more store past the caches (0: as the
    machine's caches are). |check_bounds|: buffers are between guards; what writes or reads outside is an error that names the
    kernel, or ends the process. |driver|: the device, "cpu", "simt" or another of `heddle devices`. |cache_dir|: the folder where what a
    device makes of its kernels is kept for other processes."""

    _release = None  # until there is something to release

    def __init__(self, threads=0, stream_bytes=0, check_bounds=False, driver="cpu", cache_dir=None):
        self.lib, self.handle, self.driver = _library("libheddle_rt.so"), c.c_void_p(), driver
        options = RuntimeOptions(struct_size=c.sizeof(RuntimeOptions), threads=threads, stream_bytes=stream_bytes, check_bounds=check_bounds,
                                 driver=driver.encode(), cache_dir=os.fsencode(cache_dir) if cache_dir else None)
        f = _function(self.lib, "hd_runtime_create", c.POINTER(RuntimeOptions), c.POINTER(c.c_void_p))
        _check(self.lib, f(c.byref(options), c.byref(self.handle)))
        self._release = _function(self.lib, "hd_runtime_release", c.c_void_p, result=None)
        self._release_buffer = _function(self.lib, "hd_buffer_release", c.c_void_p, result=None)
        self._wrap = _function(self.lib, "hd_buffer_wrap", c.c_void_p, c.c_int, c.c_int32, c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p, c.c_void_p,
                               c.POINTER(c.c_void_p))
        about = ("rank", c.c_int32), ("dims", c.POINTER(c.c_int64)), ("type", c.c_int), ("bytes", c.c_size_t), ("data", c.c_void_p)
        self._describe_buffer = [_function(self.lib, "hd_buffer_" + name, c.c_void_p, result=result) for name, result in about]

    def __del__(self):
        if self._release: self._release(self.handle)

    def load(self, artifact):
        return Executable(self, artifact)

    def profile(self, on):
        """Records a timeline from here on, or no longer."""
        _function(self.lib, "hd_runtime_profile", c.c_void_p, c.c_bool, result=None)(self.handle, on)

    def take_profile(self):
        """The timeline so far as (category, name, start_ns, end_ns), which forgets it."""
        spans = []
        receive = SpanFn(lambda user, span: spans.append((span[0].category.decode(), span[0].name.decode(), span[0].start_ns, span[0].end_ns)))
        _function(self.lib, "hd_runtime_profile_take", c.c_void_p, SpanFn, c.c_void_p, result=None)(self.handle, receive, None)
        return spans


class Buffer:
    """An hd_buffer; releases it when collected. |keep|: what its memory belongs to."""

    def __init__(self, runtime, handle, keep=None):
        self.runtime, self.handle, self.keep = runtime, handle, keep
        self._release = runtime._release_buffer

    def __del__(self):
        self._release(self.handle)

    @staticmethod
    def wrap(runtime, array):
        flags = array.flags if type(array) is np.ndarray else None
        if not flags or not flags.c_contiguous or not flags.aligned: array = np.require(array, requirements=("C_CONTIGUOUS", "ALIGNED"))
        handle = c.c_void_p()
        dims = (c.c_int64 * max(array.ndim, 1))(*array.shape)
        _check(runtime.lib, runtime._wrap(runtime.handle, numbers()[array.dtype], array.ndim, dims, None, array.ctypes.data, None, None, c.byref(handle)))
        return Buffer(runtime, handle, array)

    @staticmethod
    def upload(runtime, array):
        """A copy of |array| in memory of the runtime's device."""
        array = np.ascontiguousarray(array)
        handle, dims = c.c_void_p(), (c.c_int64 * max(array.ndim, 1))(*array.shape)
        create = _function(runtime.lib, "hd_buffer_create", c.c_void_p, c.c_int, c.c_int32, c.c_void_p, c.POINTER(c.c_void_p))
        _check(runtime.lib, create(runtime.handle, numbers()[array.dtype], array.ndim, dims, c.byref(handle)))
        buffer = Buffer(runtime, handle)
        _check(runtime.lib, _function(runtime.lib, "hd_buffer_write", c.c_void_p, c.c_void_p, c.c_size_t)(handle, array.ctypes.data, array.nbytes))
        return buffer

    def wait(self):
        """Until an execution that was enqueued has made the elements."""
        _check(self.runtime.lib, _function(self.runtime.lib, "hd_buffer_wait", c.c_void_p)(self.handle))

    def numpy(self):
        """A view, with which the buffer lives on; of a device whose memory the host cannot use, a copy."""
        rank, dims, element, size, data = (ask(self.handle) for ask in self.runtime._describe_buffer)
        dtype, shape = dtypes()[element], tuple(dims[:rank])
        if not size: return np.zeros(shape, dtype)
        if not data:
            copy, lib = np.empty(size, np.uint8), self.runtime.lib
            _check(lib, _function(lib, "hd_buffer_read", c.c_void_p, c.c_void_p, c.c_size_t)(self.handle, copy.ctypes.data, size))
            return copy.view(dtype).reshape(shape)
        memory = (c.c_char * size).from_address(data)
        memory.owner = self
        return np.ndarray(shape, dtype, memory)


class Tensor(NamedTuple):
    """An argument or a result: its type, and its dims as numbers or, where unknown, as text such as "b" or "2*n+1"."""
    name: str
    dtype: np.dtype
    shape: tuple


def _describe(info):
    dims = tuple(int(info.dims[i]) if info.dims[i] != -2**63 else info.dim_texts[i].decode() for i in range(info.rank))
    return Tensor((info.name or b"").decode(), dtypes().get(info.type), dims)


class Communicator:
    """A rank of a group of executions that run side by side and meet in collectives: see heddle/communicator.h."""

    _release = None

    def __init__(self, handle):
        self.lib, self.handle = _library("libheddle_rt.so"), c.c_void_p(getattr(handle, "value", handle))
        self.rank = _function(self.lib, "hd_communicator_rank", c.c_void_p, result=c.c_int32)(handle)
        self.size = _function(self.lib, "hd_communicator_size", c.c_void_p, result=c.c_int32)(handle)
        self._release = _function(self.lib, "hd_communicator_release", c.c_void_p, result=None)

    def __del__(self):
        if self._release: self._release(self.handle)

    why = ""  # what on_device could not do

    def on_device(self, runtime):
        """This rank with exchanges from device to device (NCCL), made by all ranks at once, each with a runtime of its own device. Where that is not possible exchanges go by the host,
        and |why| of the rank is the reason."""
        handle, why = c.c_void_p(), c.create_string_buffer(300)
        f = _function(self.lib, "hd_communicator_create_on_device", c.c_void_p, c.c_void_p, c.c_char_p, c.c_size_t, c.POINTER(c.c_void_p))
        _check(self.lib, f(self.handle, runtime.handle, why, len(why), c.byref(handle)))
        rank = Communicator(handle)
        rank.why = why.value.decode()
        return rank

    @staticmethod
    def local(count):
        """The ranks of a group in this process, each for a thread of its own."""
        lib = _library("libheddle_rt.so")
        handles = (c.c_void_p * max(count, 1))()
        _check(lib, _function(lib, "hd_communicator_create_local", c.c_int32, c.c_void_p)(count, handles))
        return [Communicator(h) for h in handles]


def _dense(array, i):
    """Argument |i| as the runtime takes it: row major, aligned, of a tensor's element type."""
    array = np.require(np.asarray(array), requirements=("C_CONTIGUOUS", "ALIGNED"))
    if array.dtype not in numbers(): raise error(3, f"argument {i}: expected an element type of tensors, got {array.dtype}")
    return array


def _read(runtime, address): return Buffer(runtime, c.c_void_p(address)).numpy()


class Executable:
    handle = None

    def __init__(self, runtime, artifact):
        self.runtime, self.lib, self.handle = runtime, runtime.lib, c.c_void_p()
        self._release = _function(self.lib, "hd_executable_release", c.c_void_p, result=None)
        f = _function(self.lib, "hd_executable_load", c.c_void_p, c.c_char_p, c.c_size_t, c.c_void_p, c.POINTER(c.c_void_p))
        _check(self.lib, f(runtime.handle, artifact, len(artifact), None, c.byref(self.handle)))
        count = lambda name: _function(self.lib, name, c.c_void_p, result=c.c_int32)(self.handle)  # noqa: E731
        self.input_count, self.output_count = count("hd_executable_input_count"), count("hd_executable_output_count")
        self.kernel_count = count("hd_executable_kernel_count")
        self.metadata = _function(self.lib, "hd_executable_metadata", c.c_void_p, result=c.c_char_p)(self.handle).decode()
        info = lambda name, i: _function(self.lib, name, c.c_void_p, c.c_int32, result=TensorInfo)(self.handle, i)  # noqa: E731
        self.inputs = [_describe(info("hd_executable_input", i)) for i in range(self.input_count)]
        self.outputs = [_describe(info("hd_executable_output", i)) for i in range(self.output_count)]
        self.bound, self._stats = {}, RunStats()
        self._execute = _function(self.lib, "hd_executable_execute", c.c_void_p, c.c_void_p, c.c_void_p, c.c_int32, c.c_void_p, c.c_int32)
        self._program = libraries.extension().Program(
            self.handle.value, runtime.handle.value, self.output_count, c.addressof(self._stats), numbers(), dtypes(), np.ndarray, _dense,
            functools.partial(_read, runtime), functools.partial(_check, self.lib))

    def __del__(self):
        if self.handle: self._release(self.handle)

    stats = property(lambda self: RunStats.from_buffer_copy(self._stats), doc="Of the last call.")

    def bind(self, i, array):
        """Promises that argument |i| stays |array|."""
        buffer = Buffer.wrap(self.runtime, array)
        _check(self.lib, _function(self.lib, "hd_executable_bind", c.c_void_p, c.c_int32, c.c_void_p)(self.handle, i, buffer.handle))
        self.bound[i] = buffer

    def prepare(self, arrays):
        """A function of no arguments that runs on |arrays| (None for bound ones) and drops the outputs: for timing."""
        return self._program.prepare(self, *arrays).run

    def enqueue(self, buffers):
        """Runs on |buffers| (None for bound ones) and gives the outputs, which on a device with queues are made later."""
        ins = (c.c_void_p * max(self.input_count, 1))(*[b and b.handle for b in buffers])
        outs, stats = (c.c_void_p * max(self.output_count, 1))(), RunStats()
        options = ExecuteOptions(struct_size=c.sizeof(ExecuteOptions), out_stats=c.addressof(stats), results_later=True)
        _check(self.lib, self._execute(self.handle, c.byref(options), ins, self.input_count, outs, self.output_count))
        c.memmove(c.byref(self._stats), c.byref(stats), c.sizeof(stats))
        return [Buffer(self.runtime, c.c_void_p(outs[i])) for i in range(self.output_count)]

    def __call__(self, *arrays, communicator=None):
        """|communicator|: this call's rank among the calls that run side by side."""
        return self._program.call(communicator and communicator.handle.value, *arrays)
