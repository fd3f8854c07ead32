# SPDX-License-Identifier: Apache-2.0
"""A Program, compiled, as a function of torch tensors. Inputs are read where they are, outputs are new torch tensors."""
import ctypes as c
import functools
import math
import operator
import threading

import sympy
import torch
from torch.utils._sympy.functions import Mod

from heddle import runtime as rt
from heddle.function import default_cache, default_runtime
from heddle.torch.builder import ELEMENTS, Unsupported

EMPTY = (c.c_char * 64)()
FUNCTIONS = {"FloorDiv": operator.floordiv, "CleanDiv": operator.floordiv, "Mod": operator.mod, "PythonMod": operator.mod, "Max": max, "Min": min,
             "PowByNatural": pow, "FloatPow": pow, "ToFloat": float, "TruncToInt": math.trunc, "IntTrueDiv": operator.truediv, "FloatTrueDiv": operator.truediv,
             "OpaqueUnaryFn_sqrt": math.sqrt}


@functools.cache
def number_of(dtype):
    """The runtime's number of torch's element type |dtype|."""
    return rt._function(rt._library("libheddle_rt.so"), "hd_element_from_text", c.c_char_p, result=c.c_int)(ELEMENTS[dtype].encode())


def evaluator(symbols, expressions):
    """A function of the symbols' values that gives those of nested tuples of expressions."""
    if not any(isinstance(e, sympy.Expr) for shape in expressions for e in shape): return lambda *_: expressions
    without = {str(v) for shape in expressions for e in shape if isinstance(e, sympy.Expr) for v in e.free_symbols} - set(map(str, symbols))
    if without: raise Unsupported(f"size {', '.join(sorted(without))} is known neither from an input nor from an input's dims")
    unknown = {type(f).__name__ for shape in expressions for e in shape if isinstance(e, sympy.Expr) for f in e.atoms(sympy.Function)} - set(FUNCTIONS)
    if unknown: raise Unsupported(f"{', '.join(sorted(unknown))} of sizes")
    # sympy writes torch's Mod as % without the parentheses that it needs; calls need none.
    call = sympy.Function("PythonMod")
    plain = lambda e: e.replace(Mod, call) if isinstance(e, sympy.Expr) else e  # noqa: E731
    return sympy.lambdify(symbols, tuple(tuple(map(plain, shape)) for shape in expressions), modules=[FUNCTIONS, "math"])


def with_strides(dense, strides):
    """A copy of |dense| that has |strides|. Elements that share their memory are equal, and one of them is written."""
    shape = tuple(dense.shape)
    distinct = tuple(1 if stride == 0 else size for size, stride in zip(shape, strides)) if dense.numel() else shape
    for d, size in enumerate(distinct): dense = dense.narrow(d, 0, size)
    reach, overlaps = 0, False  # reach: the offset of the last element so far, by increasing strides
    for stride, size in sorted((stride, size) for size, stride in zip(distinct, strides) if size > 1):
        overlaps |= stride <= reach
        reach += stride * (size - 1)
    if not overlaps: return torch.empty_strided(distinct, strides, dtype=dense.dtype).copy_(dense).expand(shape)
    offsets = torch.zeros((), dtype=torch.int64)
    for size, stride in zip(distinct, strides): offsets = offsets[..., None] + torch.arange(size) * stride
    offsets, order = offsets.flatten().sort()
    first = torch.ones_like(offsets, dtype=torch.bool)
    first[1:] = offsets[1:] != offsets[:-1]
    memory = torch.empty(reach + 1, dtype=dense.dtype)
    memory[offsets[first]] = dense.flatten()[order[first]]
    return memory.as_strided(distinct, strides).expand(shape)


def memory_of(tensor):
    """Where |tensor| is, as heddle_python takes it."""
    return tensor.data_ptr() or c.addressof(EMPTY), number_of(tensor.dtype), tensor.shape, None if tensor.is_contiguous() else tensor.stride()


class Compiled:
    """Callable as the graph is. Inputs that were said to stay the same are bound at the first call; one whose memory or
    version has changed since is bound anew. Thread-safe."""

    def __init__(self, program, gm, counters):
        self.program, self.counters = program, counters
        self.runtime = default_runtime()
        artifact = rt.compile_program(program.text.encode(), "torch", constant_args=program.static, cache_dir=default_cache())
        self.executable = rt.Executable(self.runtime, artifact)
        self._run, self._bind = self.executable._program.run, self.executable._program.bind
        names = [s for s, _, _ in program.symbols]
        self.shape_of = evaluator(names, tuple(tuple(dims) for _, dims, _ in program.shapes))
        self.sizes = evaluator(names, (tuple(e for kind, e in program.results if kind == "size"),))
        self.strides = evaluator(names, tuple(strides for _, _, strides in program.shapes))
        self.dtypes = [dtype for dtype, _, _ in program.shapes]
        self.attributes = {name: getattr(gm, name).detach().contiguous() for kind, name in program.inputs if kind == "attr"}
        self.bound, self.running, self.idle = {}, 0, threading.Condition()

    def bind(self, args):
        """Called with the lock held."""
        for k in self.program.static:
            kind, source = self.program.inputs[k]
            tensor = self.attributes[source] if kind == "attr" else args[source]
            key = (tensor.data_ptr(), None if tensor.is_inference() else tensor._version)
            if k in self.bound and self.bound[k][0] == key: continue
            self.idle.wait_for(lambda: not self.running)
            self.counters["rebound_weights" if k in self.bound else "bound_weights"] += 1
            held = tensor.detach().contiguous()
            self._bind(k, memory_of(held))
            self.bound[k] = (key, held, tensor.detach())

    def unbind(self):
        """Forgets the bound weights: the next call looks at them anew."""
        with self.idle: self.bound.clear()

    def __call__(self, *args):
        program = self.program
        values = [args[i] if d is None else args[i].shape[d] for _, i, d in program.symbols]
        values = [int(v) for v in values]
        outs = [torch.empty(shape, dtype=dtype) for shape, dtype in zip(self.shape_of(*values), self.dtypes)]
        inputs, keep = [None] * len(program.inputs), []
        with self.idle:
            self.bind(args)
            self.running += 1
        try:
            for k, (kind, source) in enumerate(program.inputs):
                if k in self.bound: continue
                tensor = torch.empty((int(args[source]), 0), dtype=torch.bool) if kind == "size" else args[source].detach()
                if tensor.is_neg() or tensor.is_conj(): tensor = tensor.resolve_neg().resolve_conj()
                keep.append(tensor)
                inputs[k] = memory_of(tensor)
            self._run(inputs, [memory_of(tensor) for tensor in outs])
        finally:
            with self.idle:
                self.running -= 1
                self.idle.notify_all()
        self.counters["runs"] += 1
        # The program writes dense tensors. The strides are what torch has planned with: it makes views of results by them.
        for k, strides in enumerate(self.strides(*values)):
            if tuple(strides) != outs[k].stride(): outs[k] = with_strides(outs[k], strides)
        sizes = iter(self.sizes(*values)[0])
        results = [outs[x] if kind == "out" else args[x] if kind == "arg" else next(sizes) if kind == "size" else x for kind, x in program.results]
        return results[0] if program.single else tuple(results)
