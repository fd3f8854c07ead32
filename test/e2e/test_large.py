# SPDX-License-Identifier: Apache-2.0
"""Sizes beyond 32 bits: shape arithmetic of programs that wraps, sizes whose product no memory has, and elements beyond 2^31."""
import mmap
import resource

import numpy as np
import pytest

from heddle import HeddleError
from heddle.runtime import Runtime, compile_program


@pytest.fixture(scope="module")
def run(compiler):
    runtime = Runtime(threads=2)

    def call(text, *inputs):
        executable = runtime.load(compile_program(text.encode(), "large.mlir", threads=2))
        return executable(*inputs)
    return call


def sparse(elements, dtype):
    """Zeros of which only what is touched takes memory."""
    return np.frombuffer(mmap.mmap(-1, elements * np.dtype(dtype).itemsize, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), dtype)


# ---- arithmetic of 32 bits ----

SQUARE = """func.func @main(%x: tensor<?xi8>) -> tensor<i32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi8>) -> tensor<i32>
  %s = stablehlo.multiply %n, %n : tensor<i32>
"""
REDUCE = """  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
"""
ONES = """  %v = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.dynamic_broadcast_in_dim %one, %v, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
"""


def test_product_as_size(run):
    """65536 * 65536 is 0 in 32 bits: no size of that may be used."""
    text = SQUARE + ONES + REDUCE
    assert run(text, np.zeros(300, np.int8))[0] == 90000
    assert run(text, np.zeros(0, np.int8))[0] == 0
    with pytest.raises(HeddleError, match=r"multiply: .* does not fit 32 bits \(.* is 65536\)"): run(text, np.zeros(65536, np.int8))
    with pytest.raises(HeddleError, match="does not fit 32 bits"): run(text, np.zeros(46341, np.int8))


def test_quotient_of_product(run):
    """What is divided by must be right before: (n * n) / n."""
    text = SQUARE.replace("%s = stablehlo.multiply %n, %n : tensor<i32>", "%q = stablehlo.multiply %n, %n : tensor<i32>\n  %m = stablehlo.constant dense<1024> : tensor<i32>\n"
                          "  %s = stablehlo.divide %q, %m : tensor<i32>") + ONES + REDUCE
    assert run(text, np.zeros(2048, np.int8))[0] == 4096
    with pytest.raises(HeddleError, match="does not fit 32 bits"): run(text, np.zeros(65536, np.int8))


def test_wrapping_that_cancels(run):
    """n * n - n * n + n is right modulo 2^32 whatever n * n is."""
    text = SQUARE.replace("%s = stablehlo.multiply %n, %n : tensor<i32>", "%q = stablehlo.multiply %n, %n : tensor<i32>\n  %p = stablehlo.add %q, %n : tensor<i32>\n"
                          "  %s = stablehlo.subtract %p, %q : tensor<i32>") + ONES + REDUCE
    assert run(text, np.zeros(70000, np.int8))[0] == 70000


DATA = """func.func @main(%x: tensor<?xi8>) -> (tensor<i32>, tensor<i32>, tensor<i64>, tensor<i1>, tensor<i32>, tensor<ui32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi8>) -> tensor<i32>
  %s = stablehlo.multiply %n, %n : tensor<i32>
  %c = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.divide %s, %c : tensor<i32>
  %1 = stablehlo.maximum %s, %c : tensor<i32>
  %2 = stablehlo.convert %s : (tensor<i32>) -> tensor<i64>
  %3 = stablehlo.compare LT, %s, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %4 = stablehlo.remainder %s, %c : tensor<i32>
  %u = stablehlo.convert %s : (tensor<i32>) -> tensor<ui32>
  %d = stablehlo.constant dense<7> : tensor<ui32>
  %5 = stablehlo.divide %u, %d : tensor<ui32>
  return %0, %1, %2, %3, %4, %5 : tensor<i32>, tensor<i32>, tensor<i64>, tensor<i1>, tensor<i32>, tensor<ui32>
}
"""


@pytest.mark.parametrize("n", [0, 5, 46340, 46341, 60000, 65536, 70001])
def test_sizes_as_data_wrap(run, n):
    """Data arithmetic wraps as the types say, sizes or not."""
    s = int(np.array(n * n & 0xffffffff, np.uint32).astype(np.int32))
    quotient = abs(s) // 7 * (1 if s >= 0 else -1)
    got = [int(v) for v in run(DATA, np.zeros(n, np.int8))]
    assert got == [quotient, max(s, 7), s, s < 7, s - 7 * quotient, (n * n & 0xffffffff) // 7]


def test_data_beside_a_shape(run):
    """A size that shapes use is checked, and then known as data too."""
    text = SQUARE.replace("tensor<i32> {", "(tensor<i32>, tensor<i32>) {") + "  %c = stablehlo.constant dense<7> : tensor<i32>\n  %h = stablehlo.divide %s, %c : tensor<i32>\n" + \
        ONES + REDUCE.replace("return %r : tensor<i32>", "return %r, %h : tensor<i32>, tensor<i32>")
    assert [int(v) for v in run(text, np.zeros(200, np.int8))] == [40000, 40000 // 7]
    with pytest.raises(HeddleError, match="does not fit 32 bits"): run(text, np.zeros(46341, np.int8))


# ---- buffers that no memory has ----

FILL = """func.func @main(%n: tensor<2xi64>) -> tensor<?x?xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.dynamic_broadcast_in_dim %one, %n, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}
"""


def test_product_of_sizes(run):
    """2^32 x 2^32 floats are 0 bytes modulo 2^64."""
    assert run(FILL, np.array([3, 5]))[0].shape == (3, 5)
    assert run(FILL, np.array([2 ** 40, 0]))[0].shape == (2 ** 40, 0)
    for dims in ([2 ** 32, 2 ** 32], [2 ** 62, 4], [2 ** 31, 2 ** 31], [-1, -1], [-1, 3], [2 ** 61, 8]):
        with pytest.raises(HeddleError): run(FILL, np.array(dims))


def test_product_of_argument_dims(run):
    """The same from dims of arguments."""
    text = """func.func @main(%x: tensor<?xi8>) -> tensor<?x?x?x?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi8>) -> tensor<i32>
  %v = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %d = stablehlo.concatenate %v, %v, %v, %v, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.dynamic_broadcast_in_dim %one, %d, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  return %b : tensor<?x?x?x?xf32>
}
"""
    assert run(text, np.zeros(3, np.int8))[0].shape == (3, 3, 3, 3)
    with pytest.raises(HeddleError): run(text, np.zeros(65536, np.int8))


def test_static_size_beyond_memory(run):
    text = """func.func @main(%x: tensor<f32>) -> tensor<4294967296x4294967296xf32> {
  %b = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4294967296x4294967296xf32>
  return %b : tensor<4294967296x4294967296xf32>
}
"""
    with pytest.raises(HeddleError): run(text, np.float32(1))


# ---- elements beyond 2^31 ----

N = 2 ** 31 + 1000


@pytest.fixture(scope="module")
def big():
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY: pytest.skip("address space is limited")
    x = sparse(N, np.int8)
    marks = {5: 1, 2 ** 31 - 1: 2, 2 ** 31: 3, 2 ** 31 + 7: 4, N - 1: 5}
    x.flags.writeable or pytest.skip("cannot write the mapping")
    for at, value in marks.items(): x[at] = value
    return x, marks


def test_slices_beyond_32_bits(run, big):
    x, marks = big
    text = f"""func.func @main(%x: tensor<?xi8>, %at: tensor<i64>) -> (tensor<16xi8>, tensor<?xi8>) {{
  %0 = stablehlo.dynamic_slice %x, %at, sizes = [16] : (tensor<?xi8>, tensor<i64>) -> tensor<16xi8>
  %s = stablehlo.constant dense<{2 ** 31 - 4}> : tensor<1xi64>
  %l = stablehlo.constant dense<{2 ** 31 + 12}> : tensor<1xi64>
  %t = stablehlo.constant dense<1> : tensor<1xi64>
  %1 = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<?xi8>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi8>
  return %0, %1 : tensor<16xi8>, tensor<?xi8>
}}
"""
    for at in (0, 2 ** 31 - 3, 2 ** 31 + 5, N + 100):
        first, second = run(text, x, np.int64(at))
        start = min(at, N - 16)
        assert first.tolist() == [marks.get(start + k, 0) for k in range(16)]
        assert second.tolist() == [marks.get(2 ** 31 - 4 + k, 0) for k in range(16)]


@pytest.mark.parametrize("index", ["i64", "ui32"])
def test_gather_beyond_32_bits(run, big, index):
    x, marks = big
    text = f"""func.func @main(%x: tensor<?xi8>, %i: tensor<37x{index}>) -> tensor<37xi8> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}}> : (tensor<?xi8>, tensor<37x{index}>) -> tensor<37xi8>
  return %r : tensor<37xi8>
}}
"""
    at = np.array([list(marks)[k % 5] for k in range(36)] + [2 ** 32 - 1], {"i64": np.int64, "ui32": np.uint32}[index])
    assert run(text, x, at)[0].tolist() == [marks[list(marks)[k % 5]] for k in range(36)] + [5]


def test_two_dims_beyond_32_bits(run, big):
    """Strides times indices beyond 2^31."""
    x, _ = big
    rows = N // 1000
    x = x[:rows * 1000].reshape(rows, 1000)
    text = f"""func.func @main(%x: tensor<?x1000xi8>, %i: tensor<19xi32>) -> (tensor<1000x3xi8>, tensor<3xi8>, tensor<19x7xi8>) {{
  %z = stablehlo.constant dense<0> : tensor<i64>
  %far = stablehlo.constant dense<{rows}> : tensor<i64>
  %s = stablehlo.dynamic_slice %x, %far, %z, sizes = [3, 1000] : (tensor<?x1000xi8>, tensor<i64>, tensor<i64>) -> tensor<3x1000xi8>
  %0 = stablehlo.transpose %s, dims = [1, 0] : (tensor<3x1000xi8>) -> tensor<1000x3xi8>
  %c = stablehlo.constant dense<0> : tensor<i8>
  %1 = stablehlo.reduce(%s init: %c) applies stablehlo.add across dimensions = [1] : (tensor<3x1000xi8>, tensor<i8>) -> tensor<3xi8>
  %2 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 7>}}> : (tensor<?x1000xi8>, tensor<19xi32>) -> tensor<19x7xi8>
  return %0, %1, %2 : tensor<1000x3xi8>, tensor<3xi8>, tensor<19x7xi8>
}}
"""
    at = np.array([0, 2147483, 2147484, rows - 1] * 4 + [5, 2147483647, -1], np.int32)
    first, second, third = run(text, x, at)
    assert (first == x[-3:].T).all() and (second == x[-3:].sum(axis=1, dtype=np.int8)).all() and (third == x[np.clip(at, 0, rows - 1), :7]).all()


def test_reduction_of_a_virtual_broadcast(run):
    """More than 2^31 elements that are never in memory, added up: counts and positions are of 64 bits."""
    text = """func.func @main(%x: tensor<?xi8>, %n: tensor<2xi64>) -> (tensor<i64>, tensor<i64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1] : (tensor<?xi8>, tensor<2xi64>) -> tensor<?x?xi8>
  %1 = stablehlo.convert %0 : (tensor<?x?xi8>) -> tensor<?x?xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xi64>, tensor<i64>) -> tensor<i64>
  %3 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi64>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<?x?xi64>, tensor<i64>) -> tensor<i64>
  return %2, %4 : tensor<i64>, tensor<i64>
}
"""
    rows = 2 ** 20 + 1
    x = (np.arange(2049) % 3).astype(np.int8)
    total, last = run(text, x, np.array([rows, 2049]))
    assert total == rows * int(x.sum()) and last == rows - 1
