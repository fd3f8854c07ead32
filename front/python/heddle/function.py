# SPDX-License-Identifier: Apache-2.0
"""compile, explain and load: from a program to a Python function on arrays."""
import errno
import os
import re
import sys
import threading
import warnings

import ml_dtypes
import numpy as np

from heddle import runtime as rt
from heddle.errors import HeddleError, InvalidArgumentError
from heddle.nesting import Nesting

_defaults = {}
_default_lock = threading.Lock()


def default_runtime(driver="cpu"):
    """The runtime of a device that functions share unless they are given one: HEDDLE_NUM_THREADS threads, else all that there are."""
    with _default_lock:
        if driver not in _defaults: _defaults[driver] = rt.Runtime(threads=int(os.environ.get("HEDDLE_NUM_THREADS") or 0), driver=driver, cache_dir=default_cache())
        return _defaults[driver]


def default_cache():
    """The folder of the cache by the same rule as the command line, or None."""
    for base, rest in (("HEDDLE_CACHE_DIR", ""), ("XDG_CACHE_HOME", "heddle"), ("HOME", ".cache/heddle")):
        if os.environ.get(base): return os.path.join(os.environ[base], rest) if rest else os.environ[base]
    return None


def _program_bytes(program):
    """Bytes of a program in any of the forms that compile takes. No program is a line that ends like a file of one."""
    if isinstance(program, (bytes, bytearray, memoryview)): return bytes(program)
    if isinstance(program, os.PathLike) or isinstance(program, str) and program.endswith((".mlir", ".mlirbc")) and "\n" not in program:
        _no_folder(program)
        with open(program, "rb") as handle: return handle.read()
    if isinstance(program, str):
        _no_path(program)
        return program.encode()
    serialized = getattr(program, "mlir_module_serialized", None)  # jax.export.Exported
    if serialized is not None: return bytes(serialized)
    if hasattr(program, "compiler_ir"): return program.as_text().encode()  # jax.stages.Lowered
    if isinstance(getattr(program, "text", None), str): return program.text.encode()  # heddle.tensorflow.Program
    if hasattr(program, "operation"): return str(program).encode()  # an MLIR module
    if callable(program): raise TypeError(_how_to_export(program))
    raise TypeError("expected StableHLO as text or bytecode, a path of it, a jax.export.Exported, a jax.stages.Lowered or a heddle.tensorflow.Program, "
                    f"got {type(program).__name__}")


def _no_folder(path):
    if os.path.isdir(path): raise IsADirectoryError(errno.EISDIR, "expected a program, got a folder", os.fspath(path))


def _no_path(text):
    """Raises where the text of a program is the path of what is there: a folder, or a file whose name is not that of one."""
    if "\n" in text or not os.path.exists(text): return
    _no_folder(text)
    raise InvalidArgumentError(3, f"expected a program, got the path {text!r}: a str is read as a path where it ends in .mlir or .mlirbc, a pathlib.Path always")


def _how_to_export(function):
    """What to do with a function, which is no program."""
    name = getattr(function, "__name__", "f")
    name = name if name.isidentifier() else "f"
    if type(function).__module__.startswith("jax") and type(function).__name__ == "Compiled":
        got, jitted = "a jax.stages.Compiled, which JAX's own compiler has made: give the jax.stages.Lowered that it is of, or export its function", "jax.jit(f)"
    else:
        got = f"the function {getattr(function, '__name__', type(function).__name__)}: export it"
        jitted = name if hasattr(function, "lower") else f"jax.jit({name})"
    return (f"expected a program, got {got} at the shapes that it is for, heddle.compile(jax.export.export({jitted})(*arguments)), "
            "where jax.export.symbolic_shape gives unknown dims")


def _file_name(program, said):
    """The name in diagnostics: what the user says, else the path that the program came as."""
    if said is not None: return said
    return os.fsdecode(program) if isinstance(program, os.PathLike) or isinstance(program, str) and program.endswith((".mlir", ".mlirbc")) else "program"


def _platform_index(program, said):
    """The place of this platform in the list that a jax.export.Exported was made for; 0 where there is none. |said|: by the user."""
    if said is not None: return said
    platforms = tuple(getattr(program, "platforms", ()))
    return next((platforms.index(name) for name in ("heddle", "cpu") if name in platforms), 0)


def _is_jax(array):
    return type(array).__module__.split(".")[0] in ("jax", "jaxlib")


def _is_torch(array):
    return "torch" in sys.modules and isinstance(array, sys.modules["torch"].Tensor)


# Element types that torch has and numpy has not: (torch's, ml_dtypes', an integer of the same size that both have).
TORCH_ONLY = (("bfloat16", ml_dtypes.bfloat16, "int16"), ("float8_e4m3fn", ml_dtypes.float8_e4m3fn, "int8"), ("float8_e5m2", ml_dtypes.float8_e5m2, "int8"))


def _from_torch(tensor):
    """The tensor's memory as numpy sees it."""
    import torch
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    for theirs, ours, between in TORCH_ONLY:
        if tensor.dtype == getattr(torch, theirs): return tensor.contiguous().view(getattr(torch, between)).numpy().view(ours)
    return tensor.numpy()


def _to_torch(array, device):
    import torch
    for theirs, ours, between in TORCH_ONLY:
        if array.dtype == ours: return torch.from_numpy(array.view(between)).view(getattr(torch, theirs)).to(device)
    return torch.from_numpy(array).to(device)


def _as_numpy(array):
    """The array's memory as numpy sees it; a copy only where it cannot be shared."""
    if isinstance(array, np.ndarray) or np.isscalar(array): return np.asarray(array)
    if _is_jax(array): return np.asarray(array)
    if _is_torch(array): return _from_torch(array)
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array__"): return np.from_dlpack(array)
    if hasattr(array, "__dlpack__"):
        try: return np.from_dlpack(array)
        except (BufferError, RuntimeError, TypeError): pass
    return np.asarray(array)


# Codes of a failure that says of a device that it is not there or does not take the code.
NOT_HERE = (9, 12, 14)


def _load(artifact, target=None):
    """The executable of |artifact| on the shared runtime of the first of its targets, or of those that |target| names, that this machine has."""
    targets, reasons = rt.artifact_targets(artifact, target), []
    for name, driver in targets:
        try: return default_runtime(driver).load(artifact)
        except HeddleError as wrong:
            if len(targets) == 1 or wrong.code not in NOT_HERE: raise
            reasons.append(f"{name}: {wrong}")
    raise HeddleError(9, f"no target of the artifact can be used here: {'; '.join(reasons)}")


class Function:
    """A compiled program: call it with arrays of any shape that the program admits.

    Arrays are numpy's, JAX's, torch's, or anything that speaks DLPack. Results are numpy arrays; where an argument is JAX's
    or torch's, they are of the first such argument's kind and on its device. Gradients do not pass. A program of one result
    gives that result, others a tuple.

    What compile made of a jax.export.Exported or a jax.stages.Lowered, saved and loaded or not, takes arguments and gives
    results as the function that it is of does (dicts, lists, tuples, named arguments), as well as the arrays in a row; a Function with bound arguments
    takes the row."""

    def __init__(self, artifact, runtime=None, nesting=None, target=None):
        """|runtime|: unless given, of the first target of the artifact, or of those that |target| names, that this machine has; |nesting|: of an artifact that cannot say it
        itself."""
        self.artifact = artifact
        self._executable = runtime.load(artifact) if runtime else _load(artifact, target)
        nesting = nesting or Nesting.of_text(self._executable.metadata)
        self._nesting = nesting if nesting and len(nesting.kept) == len(self._executable.inputs) else None
        self._dtypes = tuple(tensor.dtype for tensor in self._executable.inputs)

    inputs = property(lambda self: self._executable.inputs, doc="The arguments, as Tensor(name, dtype, shape).")
    outputs = property(lambda self: self._executable.outputs, doc="The results, as Tensor(name, dtype, shape).")
    driver = property(lambda self: self._executable.runtime.driver, doc="The device that runs it, as `heddle devices` calls it.")
    stats = property(lambda self: self._executable.stats, doc="Launches, library calls, allocations, copies, bytes and nanoseconds of the last call.")

    def bind(self, index, array):
        """Promises that argument |index| is |array| from now on; calls leave it out. Its contents must not change."""
        self._executable.bind(index, _as_numpy(array))

    def save(self, path):
        """Writes the artifact, which runs without the compiler: heddle.load, or `heddle run`."""
        if self._nesting and not self._nesting.is_text:
            warnings.warn("Function.save: arguments or results are of classes that an artifact cannot describe: the loaded function takes and gives its arrays in a row", stacklevel=2)
        with open(path, "wb") as handle: handle.write(self.artifact)

    def _places(self, arrays, keywords):
        """The program's arguments in order, each with its place among the caller's as text; and whether they were nested."""
        count = len(self._executable.inputs) - len(self._executable.bound)
        if self._nesting and not self._executable.bound:
            try: return [(f" ({path})", array) for path, array in self._nesting.flatten(arrays, keywords)], True
            except InvalidArgumentError:
                if keywords or len(arrays) != count or any(x is None or isinstance(x, (dict, list, tuple)) for x in arrays): raise
        elif keywords: raise InvalidArgumentError(3, f"expected arguments without names, got {', '.join(keywords)}")
        elif len(arrays) != count: raise InvalidArgumentError(3, f"expected {count} arguments, got {len(arrays)}")
        return [("", array) for array in arrays], False

    def _placed(self, wrong, places):
        """|wrong| with the caller's name of each argument that its message says the number of."""
        free = [i for i in range(len(self._executable.inputs)) if i not in self._executable.bound]
        of = {str(i): place for i, (place, _) in zip(free, places)}
        if not re.match(r"argument \d+\b", str(wrong)): return wrong
        return InvalidArgumentError(wrong.code, re.sub(r"\bargument (\d+)\b", lambda found: found[0] + of.get(found[1], ""), str(wrong)), wrong.diagnostics)

    def _is_row_of_arrays(self, arrays, keywords):
        """Are |arrays| what the program takes, numpy's and in a row, so that nothing has to be made of them?"""
        if keywords or len(arrays) != len(self._dtypes) or self._executable.bound or self._nesting and not self._nesting.is_row: return False
        for array, dtype in zip(arrays, self._dtypes):
            if type(array) is not np.ndarray or array.dtype is not dtype: return False
        return True

    def __call__(self, *arrays, communicator=None, **keywords):
        """|communicator|: this call's rank among the calls that run side by side (heddle.runtime.Communicator)."""
        executable = self._executable
        if self._is_row_of_arrays(arrays, keywords):
            try: results = executable(*arrays, communicator=communicator)
            except InvalidArgumentError as wrong: raise self._placed(wrong, self._places(arrays, keywords)[0]) from None
            return self._nested(results, self._nesting is not None)
        places, nested = self._places(arrays, keywords)
        given, like, arguments = iter(places), None, []
        for i, tensor in enumerate(executable.inputs):
            if i in executable.bound:
                arguments.append(None)
                continue
            place, array = next(given)
            scalar = np.isscalar(array)
            if like is None and (_is_torch(array) or _is_jax(array) and hasattr(array, "devices")): like = array
            array = _as_numpy(array)
            if array.dtype != tensor.dtype:
                if scalar and np.can_cast(array.dtype, tensor.dtype, "same_kind"): array = array.astype(tensor.dtype)
                else: raise InvalidArgumentError(3, f"argument {i}{place}: expected {tensor.dtype}, got {array.dtype}")
            arguments.append(array)
        try: results = executable(*arguments, communicator=communicator)
        except InvalidArgumentError as wrong: raise self._placed(wrong, places) from None
        if like is not None and _is_torch(like): results = [_to_torch(result, like.device) for result in results]
        elif like is not None:
            import jax
            device = next(iter(like.devices()))
            results = [jax.device_put(result, device) for result in results]
        return self._nested(results, nested)

    def _nested(self, results, nested):
        if nested: return self._nesting.unflatten(results)
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self):
        def text(tensors): return ", ".join(f"{t.dtype}[{', '.join(map(str, t.shape))}]" for t in tensors)
        return f"heddle.Function(({text(self.inputs)}) -> ({text(self.outputs)}))"


def compile(program, *, name=None, target="cpu", entry=None, constant_args=(), fixed_dims=None, mcpu=(), threads=0,  # noqa: A001
            cache=True, timeout=0.0, memory_limit=0, runtime=None, platform_index=None, custom_calls_later=False, driver=None,
            math="fast", pass_options=None, deterministic=False, tf32=False, no_contract=False, no_excess_precision=False, library_products=False):
    """The Function of a program.

    program: StableHLO or MHLO text, MLIR bytecode, the path of a file of either (an os.PathLike, or a str that ends in .mlir
    or .mlirbc), a jax.export.Exported, a jax.stages.Lowered or a heddle.tensorflow.Program; name: the file in diagnostics,
    else the path;
    target: "cpu", or a device: "simt", the emulator, "spirv", through OpenCL, or "cuda" and its architectures as "cuda:80,90"; several, of
    which the first that is here runs, as "cuda:90+cpu"; driver:
    the device that runs it, else the target's ("guarded" runs what is made for simt and is stricter); runtime: one of the caller's instead;
    entry: the function, else main; constant_args: arguments that will be bound (Function.bind), packed ahead;
    fixed_dims: {name: size} compiled in; mcpu: the CPU level, or levels, to make code for, such as "x86-64-v3", else this machine's;
    cache: True for the cache of the command line, False for none, or a folder; timeout in seconds, memory_limit in bytes of
    the compiler; platform_index: the CPU's place among the platforms of a JAX export for several, which an Exported says
    itself and bytes do not (then 0); custom_calls_later: custom calls may name functions that are registered after this; math: "exact" for the CPU's bits of
    functions on every device, "fast" for a device's own within the bounds of docs/numerics.md; pass_options: options of passes of the target's pipeline (docs/passes.md),
    as "disc-dot-rewriter{align=8}"; deterministic, tf32, no_contract, no_excess_precision, library_products: as the command line's options of these names. Raises a HeddleError with located diagnostics when the program is wrong or cannot be compiled."""
    cache_dir = default_cache() if cache is True else os.fspath(cache) if cache else None
    text, nesting = _program_bytes(program), Nesting.of(program)
    artifact = rt.compile_program(text, _file_name(program, name), list(constant_args), threads, cache_dir, entry, target, mcpu,
                                  fixed_dims, timeout, memory_limit, _platform_index(program, platform_index), custom_calls_later,
                                  metadata=nesting.text() if nesting and nesting.is_text else None, math=math,
                                  pass_options=pass_options, library_products=library_products,
                                  numerics=rt.Numerics(no_contract, no_excess_precision, tf32, deterministic))
    return Function(artifact, runtime or (default_runtime(driver) if driver else None), nesting)


def explain(program, *, format="text", name=None, target="cpu", entry=None, constant_args=(), mcpu=(), platform_index=None,  # noqa: A002
            custom_calls_later=False):
    """What the compiler makes of a program: which ops go into which kernel, by which route and why not further, in symbolic dims.

    format: "text", "json" or "html", one self-contained page; the rest as for compile. Raises a HeddleError as compile does."""
    if format not in rt.EXPLAIN_FORMATS: raise InvalidArgumentError(3, f"expected format {', '.join(rt.EXPLAIN_FORMATS)}, got {format}")
    return rt.explain_program(_program_bytes(program), _file_name(program, name), format, constant_args=list(constant_args), entry=entry, target=target,
                              mcpu=mcpu, platform_index=_platform_index(program, platform_index), custom_calls_later=custom_calls_later)


def load(path, *, runtime=None, target=None):
    """The Function of an artifact: a file that `heddle compile` or Function.save wrote. It runs on |runtime|, else on the first of the artifact's
    targets, or of those that |target| names ("cuda", "cuda+cpu"), that this machine has."""
    with open(path, "rb") as handle: artifact = handle.read()
    try: return Function(artifact, runtime, target=target)
    except HeddleError as failed: raise type(failed)(failed.code, f"{os.fspath(path)}: {failed}", failed.diagnostics) from None
