# SPDX-License-Identifier: Apache-2.0
"""Calls of an executable from Python (front/python/calls.c): which arrays it takes, who holds them, what remains after."""
import ctypes
import gc
import sys

import ml_dtypes
import numpy as np
import pytest
from heddle import HeddleError
from heddle import runtime as rt

DTYPES = (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.float64, np.complex64,
          np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
NAMES = {"bool": "i1", "bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "complex64": "complex<f32>", "complex128": "complex<f64>"}


def element(dtype):
    name = np.dtype(dtype).name
    return NAMES.get(name) or name.replace("float", "f").replace("uint", "ui").replace("int", "i")


def load(runtime, *types, results=None):
    """An executable that gives its arguments, negated where they are floats so that each result is memory of its own."""
    ins = ", ".join(f"%a{i}: tensor<{t}>" for i, t in enumerate(types))
    body = "".join(f"  %r{i} = stablehlo.reverse %a{i}, dims = [0] : tensor<{t}>\n" for i, t in enumerate(types))
    outs = ", ".join(f"%r{i}" for i in range(len(types)))
    all_types = ", ".join(f"tensor<{t}>" for t in types)
    return runtime.load(rt.compile_program(f"func.func @main({ins}) -> ({all_types}) {{\n{body}  return {outs} : {all_types}\n}}".encode()))


@pytest.fixture(scope="module")
def runtime(): return rt.Runtime(threads=1)


@pytest.fixture(scope="module")
def rows(runtime): return load(runtime, "?x?xf32")


def live(runtime):
    """Bytes in buffers that someone holds."""
    class Stats(ctypes.Structure):
        _fields_ = [(name, ctypes.c_uint64) for name in ("live", "peak", "pooled", "allocations", "system_allocations")]
    return rt._function(runtime.lib, "hd_runtime_memory", ctypes.c_void_p, result=Stats)(runtime.handle).live


@pytest.mark.parametrize("dtype", DTYPES, ids=element)
@pytest.mark.parametrize("shape", [(5,), (0,)], ids=str)
def test_element_types(runtime, dtype, shape):
    given = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    got, = load(runtime, f"?x{element(dtype)}")(given)
    assert got.dtype == given.dtype and got.shape == given.shape and got.tobytes() == given[::-1].tobytes()


def test_ranks(runtime):
    program = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %b = stablehlo.add %a, %a : tensor<f32>\n  return %b : tensor<f32>\n}"
    got, = runtime.load(rt.compile_program(program.encode()))(np.array(3, np.float32))
    assert got.shape == () and got == 6
    shape = (2,) + (1,) * 30 + (3,)
    given = np.arange(6, dtype=np.float32).reshape(shape)
    got, = load(runtime, "x".join("?" * 32) + "xf32")(given)
    np.testing.assert_array_equal(got, given[::-1])


class Subclass(np.ndarray): pass


def misaligned(array):
    out = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out


@pytest.mark.parametrize("form", [np.asfortranarray, lambda x: np.repeat(x, 2, 1)[:, ::2], lambda x: x[::-1][::-1], lambda x: x.view(Subclass), misaligned, memoryview,
                                  lambda x: np.require(x, requirements="W").copy()], ids=["fortran", "strided", "reversed", "subclass", "misaligned", "memoryview", "dense"])
def test_forms_of_arrays(rows, form):
    given = np.arange(12, dtype=np.float32).reshape(3, 4)
    got, = rows(form(given))
    np.testing.assert_array_equal(got, given[::-1])


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.float32, np.int64], ids=element)
def test_parts_are_aligned(runtime, dtype):
    """A complex array is aligned where its parts are."""
    parts = np.arange(12, dtype=np.dtype(dtype).type(0).real.dtype)
    given = parts[1:-1 if np.dtype(dtype).kind == "c" else None].view(dtype)
    assert given.flags.aligned
    got, = load(runtime, f"?x{element(dtype)}")(given)
    np.testing.assert_array_equal(got, given[::-1])


def test_what_is_read_only(rows):
    given = np.arange(12, dtype=np.float32).reshape(3, 4)
    given.flags.writeable = False
    got, = rows(given)
    np.testing.assert_array_equal(got, given[::-1])
    assert got.flags.writeable and got.flags.aligned and got.flags.c_contiguous


@pytest.mark.parametrize("given, said", [(np.array([[object()]]), "argument 0: expected an element type of tensors, got object"),
                                         (np.array([["a"]]), "argument 0: expected an element type of tensors, got <U1"),
                                         (np.zeros((2, 2), "datetime64[s]"), "argument 0: expected an element type of tensors, got datetime64"),
                                         (np.zeros((2, 2), np.float64), "f64"), (np.zeros(2, np.float32), "rank")])
def test_arrays_that_are_wrong(runtime, rows, given, said):
    before = live(runtime)
    with pytest.raises(HeddleError, match=said): rows(given)
    with pytest.raises(HeddleError, match=said): rows.prepare([given])()
    assert live(runtime) == before


def test_counts_that_are_wrong(rows):
    x = np.zeros((2, 2), np.float32)
    for arrays in ((), (x, x)):
        with pytest.raises(HeddleError, match=f"expected 1 arguments, got {len(arrays)}"): rows(*arrays)
        with pytest.raises(HeddleError, match=f"expected 1 arguments, got {len(arrays)}"): rows.prepare(arrays)()
    with pytest.raises(HeddleError, match="argument 0"): rows(None)


@pytest.mark.parametrize("count", [1, 16, 17, 100])
def test_many_arrays(runtime, count):
    """More than there is room for on the stack."""
    executable = load(runtime, *["?xi32"] * count)
    given = [np.arange(i % 5, dtype=np.int32) + i for i in range(count)]
    for got, want in zip(executable(*given), given, strict=True): np.testing.assert_array_equal(got, want[::-1])
    executable.prepare(given)()


def test_results_live_on(runtime):
    """A result, and a view of it, outlive the executable; then the memory goes back."""
    before = live(runtime)
    executable = load(runtime, "?xi32")
    view = executable(np.arange(1000, dtype=np.int32))[0][10:20]
    del executable
    gc.collect()
    assert live(runtime) >= before + 4000
    np.testing.assert_array_equal(view, np.arange(989, 979, -1))
    del view
    gc.collect()
    assert live(runtime) == before


def test_nothing_is_held(runtime, rows):
    """Neither a call nor one that failed holds arrays or memory."""
    given, wrong = np.ones((8, 8), np.float32), np.ones((8, 8), np.int16)
    before = live(runtime), sys.getrefcount(given), sys.getrefcount(wrong), sys.getrefcount(given.dtype)
    for _ in range(100):
        rows(given)
        with pytest.raises(HeddleError): rows(wrong)
        rows.prepare([given])()
    gc.collect()
    after = live(runtime), sys.getrefcount(given), sys.getrefcount(wrong), sys.getrefcount(given.dtype)
    assert after == before


def test_a_prepared_call_holds_what_it_needs(runtime):
    run = load(runtime, "?xf32").prepare([np.ones(100, np.float32)])
    gc.collect()
    for _ in range(3): run()


def test_stats_are_of_the_last_call(rows):
    rows(np.ones((3, 4), np.float32))
    first = rows.stats
    assert first.launches == 1 and first.nanoseconds > 0 and first.allocations >= 1
    with pytest.raises(HeddleError): rows(np.ones(3, np.float32))
    assert rows.stats.launches == 0 and first.launches == 1


def test_memory_that_is_wrong(rows):
    """What torch's tensors go through: (address, element type, shape, strides or None)."""
    program, x, y = rows._program, np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((3, 4), np.float32)
    number = rt.numbers()[x.dtype]
    memory = lambda array, strides=None: (array.ctypes.data, number, array.shape, strides)  # noqa: E731
    program.run([memory(x)], [memory(y)])
    np.testing.assert_array_equal(y, x[::-1])
    for inputs, outputs in (([], [memory(y)]), ([memory(x)], []), ([memory(x)], None), ([x], [memory(y)]), ([memory(x)], [(0, "f32", (), None)]),
                            ([(x.ctypes.data, number, (3, 4), (4,))], [memory(y)]), ([(x.ctypes.data, number, (3, "4"), None)], [memory(y)]),
                            ([(x.ctypes.data, number, (1,) * 65, None)], [memory(y)]), ([(x.ctypes.data + 1, number, (3, 4), None)], [memory(y)]),
                            ([(x.ctypes.data, number, (3, -4), None)], [memory(y)]), ([(x.ctypes.data, 1000, (3, 4), None)], [memory(y)])):
        with pytest.raises((TypeError, ValueError, HeddleError)): program.run(inputs, outputs)
    for arguments in ((0, x), (7, memory(x)), (-1, memory(x)), ("a", memory(x)), (0,)):
        with pytest.raises((TypeError, HeddleError)): program.bind(*arguments)


def test_memory_of_strides(runtime):
    executable, x, y = load(runtime, "?x?xf32"), np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((4, 3), np.float32)
    number = rt.numbers()[x.dtype]
    executable._program.run([(x.ctypes.data, number, (4, 3), (1, 4))], [(y.ctypes.data, number, (4, 3), None)])
    np.testing.assert_array_equal(y, x.T[::-1])
    executable._program.bind(0, (x.ctypes.data, number, (3, 4), None))
    z = np.zeros((3, 4), np.float32)
    executable._program.run([None], [(z.ctypes.data, number, (3, 4), None)])
    np.testing.assert_array_equal(z, x[::-1])
