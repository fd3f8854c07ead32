# SPDX-License-Identifier: Apache-2.0
"""chlo.scan of inputs and slices whose sizes only the run tells: those that do not go together are refused."""
import numpy as np
import pytest
from error_model import EXACT, Bound, assert_within, sums

from heddle.runtime import HeddleError, Numerics, Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")

SUMS = """func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32>, %c: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %y, %d = "chlo.scan"(%x, %w, %c) <{dimension = 0 : i64, SIZE operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %v: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.add %s, %v : tensor<f32>
    "stablehlo.return"(%t, %t) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return %y, %d : tensor<?xf32>, tensor<f32>
}"""
SLICES = """func.func @main(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %c: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %y, %d = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<?xf32>, %b: tensor<f32>):
    "stablehlo.return"(%w, %b) : (tensor<?xf32>, tensor<f32>) -> ()
  }) : (tensor<?x?xf32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>)
  return %y, %d : tensor<?x?xf32>, tensor<f32>
}"""


def ones(*shape): return np.ones(shape, np.float32)


def compiled(text, arrays): return Runtime(threads=1).load(compile_program(text.encode()))(*arrays)


def same(text, arrays):
    for got, want in zip(compiled(text, arrays), evaluate(text.encode(), arrays), strict=True): np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("size, n, m, words", [
    ("", 3, 5, "chlo.scan: dim 0 of operand 1 (d1) is 5, expected dim 0 of operand 0 (d0), which is 3"),
    ("scan_dim_size = 4 : i64,", 4, 6, "expected 4"), ("scan_dim_size = 4 : i64,", 6, 4, "expected 4")])
def test_inputs(size, n, m, words):
    text = SUMS.replace("SIZE", size)
    with pytest.raises(HeddleError) as error: compiled(text, [ones(n), ones(m), ones()])
    assert words in str(error.value)
    same(text, [ones(4), ones(4), ones()])


def test_slices():
    """An output has the dims that its slices have, which need not be those of an input; what its type says of them is held."""
    for n, m in ((3, 4), (3, 5), (0, 4)): same(SLICES, [ones(n, 5), ones(m), ones()])
    text = SLICES.replace("-> (tensor<?x?xf32>", "-> (tensor<?x5xf32>").replace("return %y, %d : tensor<?x?xf32>", "return %y, %d : tensor<?x5xf32>")
    with pytest.raises(HeddleError, match=r"chlo.scan: dim 0 of the slice of output #0 is 4, expected 5"):
        compiled(text, [ones(3, 5), ones(4), ones()])
    same(text, [ones(3, 5), ones(5), ones()])
    same(text, [ones(0, 5), ones(4), ones()])


# mhlo.associative_scan: windows over all elements up to each, and scans, in linear time

def scan(element, rank, dim, op, init, reverse=False, sizes=None):
    shape = "x".join(str(s) for s in sizes) if sizes else "x".join("?" * rank)
    attribute = ", is_reverse = true" if reverse else ""
    return f"""func.func @main(%x: tensor<{shape}x{element}>) -> tensor<{shape}x{element}> {{
  %c = stablehlo.constant dense<{init}> : tensor<{element}>
  %0 = "mhlo.associative_scan"(%x, %c) <{{dimension = {dim} : i64{attribute}}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %s = {op} %a, %b : tensor<{element}>
    stablehlo.return %s : tensor<{element}>
  }}) : (tensor<{shape}x{element}>, tensor<{element}>) -> tensor<{shape}x{element}>
  return %0 : tensor<{shape}x{element}>
}}"""


TYPES = [("i1", np.bool_), ("i8", np.int8), ("ui8", np.uint8), ("i16", np.int16), ("ui16", np.uint16), ("i32", np.int32),
         ("ui32", np.uint32), ("i64", np.int64), ("ui64", np.uint64), ("f16", np.float16), ("f32", np.float32), ("f64", np.float64)]
SHAPES = {1: [(0,), (1,), (16,), (37,), (1000,)], 2: [(1, 1), (0, 5), (5, 0), (3, 70), (33, 17), (300, 3)], 3: [(2, 5, 3), (3, 40, 70), (2, 1, 1)]}


@pytest.mark.parametrize("element, dtype", TYPES)
@pytest.mark.parametrize("reverse", (False, True))
def test_associative(element, dtype, reverse):
    """Against the evaluator, along every dim: integers exactly, floats of few bits too."""
    op, init = ("stablehlo.or", "false") if element == "i1" else ("stablehlo.add", "0" if "i" in element else "0.0")
    for rank, shapes in SHAPES.items():
        for dim in range(rank):
            text = scan(element, rank, dim, op, init, reverse).encode()
            program = Runtime(threads=2).load(compile_program(text))
            for shape in shapes:
                x = np.random.default_rng(3).integers(0, 2, shape).astype(dtype)
                np.testing.assert_array_equal(program(x)[0], evaluate(text, [x])[0], err_msg=f"{shape} along {dim}")


@pytest.mark.parametrize("op, numpy_op, init", [("stablehlo.maximum", np.maximum, "0xFF800000"), ("stablehlo.minimum", np.minimum, "0x7F800000"),
                                                ("stablehlo.multiply", np.multiply, "1.0")])
def test_nan_goes_on(op, numpy_op, init):
    x = np.random.default_rng(5).standard_normal((3, 100)).astype(np.float32)
    x[1, 40] = np.nan
    for dim in (0, 1):
        got = compiled(scan("f32", 2, dim, op, init), [x])[0]
        want = numpy_op.accumulate(x.astype(np.float64), axis=dim)
        factors = np.expand_dims(np.arange(1, x.shape[dim] + 1), 1 - dim)
        assert_within(got, want, Bound(terms=1) if op.endswith("multiply") else EXACT, factors * np.abs(want), f"along {dim}")


@pytest.mark.parametrize("shape, dim", [((100_000,), 0), ((3, 50_000), 1), ((20_000, 5), 0), ((2, 3000, 7), 1), ((70, 9000), 1)])
def test_bits_do_not_depend_on_threads(shape, dim):
    """Lines that are divided into blocks: the same for any number of threads, and close to the exact sums."""
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    for reverse in (False, True):
        program = compile_program(scan("f32", len(shape), dim, "stablehlo.add", "0.0", reverse).encode())
        first, *others = [Runtime(threads=n).load(program)(x)[0] for n in (1, 2, 3)]
        for other in others: np.testing.assert_array_equal(first.view(np.int32), other.view(np.int32))
        exact = np.flip(np.flip(x, dim).cumsum(dim, np.float64), dim) if reverse else x.cumsum(dim, np.float64)
        sizes = np.flip(np.flip(np.abs(x), dim).cumsum(dim, np.float64), dim) if reverse else np.abs(x).cumsum(dim, np.float64)
        assert_within(first, exact, sums(shape[dim]), sizes)


PAIRS = """func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %i: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = "mhlo.associative_scan"(%a, %b, %one, %i) <{dimension = DIM : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
    %f = stablehlo.multiply %p, %r : tensor<f32>
    %m = stablehlo.multiply %q, %r : tensor<f32>
    %g = stablehlo.add %m, %s : tensor<f32>
    stablehlo.return %f, %g : tensor<f32>, tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}"""


@pytest.mark.parametrize("dim, shape", [(0, (5, 3)), (1, (3, 100)), (1, (2, 20_000)), (0, (2000, 3))])
def test_recurrence(dim, shape):
    """y = a y + b as pairs that do not commute; the initial value counts once, whatever it is."""
    a, b = np.random.default_rng(2).uniform(0.2, 0.9, (2, *shape)).astype(np.float32)
    want, y = np.empty(b.shape), np.full(b.shape[1 - dim], 3.0)
    for k in range(shape[dim]):
        at = (k, slice(None)) if dim == 0 else (slice(None), k)
        y = a[at] * y + b[at]
        want[at] = y
    got = compiled(PAIRS.replace("DIM", str(dim)), [a, b, np.float32(3).reshape(())])[1]
    # Each step rounds twice, and what it leaves shrinks by factors of at most 0.9: to ten of it, in as many levels as blocks are joined by.
    assert_within(got, want, Bound(terms=2 * 10 * 3), want)


def test_static_window_is_linear():
    """As jax.jit gives it: a window as long as its dim, reversed too."""
    n = 5000
    for low, high in ((n - 1, 0), (0, n - 1)):
        text = f"""func.func @main(%x: tensor<2x{n}xi32>) -> tensor<2x{n}xi32> {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 1, {n}>, padding = dense<[[0, 0], [{low}, {high}]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }}) : (tensor<2x{n}xi32>, tensor<i32>) -> tensor<2x{n}xi32>
  return %0 : tensor<2x{n}xi32>
}}"""
        x = np.random.default_rng(1).integers(-9, 9, (2, n)).astype(np.int32)
        want = np.cumsum(x, 1) if low else np.flip(np.cumsum(np.flip(x, 1), 1), 1)
        np.testing.assert_array_equal(compiled(text, [x])[0], want)


# Scans that jax.lax.associative_scan writes as trees of slices


def tree(op, dtype, shape, axis, reverse=False, known=True):
    import jax
    from jax import export
    dims = shape if known else export.symbolic_shape(",".join("b" if d != axis else str(n) for d, n in enumerate(shape)))
    function = jax.jit(lambda x: jax.lax.associative_scan(getattr(jax.numpy, op), x, axis=axis, reverse=reverse))
    return export.export(function, platforms=["cpu"])(jax.ShapeDtypeStruct(dims, dtype)).mlir_module()


@pytest.mark.parametrize("op, dtype, reverse", [("add", np.int32, False), ("add", np.float32, False), ("multiply", np.int32, True), ("maximum", np.float32, True),
                                                ("minimum", np.float32, False), ("maximum", np.uint8, False), ("minimum", np.int32, False),
                                                ("bitwise_xor", np.int32, True), ("bitwise_and", np.int8, False), ("logical_or", np.bool_, False)])
def test_trees(op, dtype, reverse):
    """Against the evaluator, which takes the tree's steps: zeros have the sign that the tree gives them, NaN goes on."""
    for shape, axis, known in (((3, 16), 1, True), ((3, 17), 1, False), ((31, 5), 0, False), ((1, 1000), 1, False), ((64,), 0, True)):
        text = tree(op, dtype, shape, axis, reverse, known)
        program = compile_program(text.encode())
        assert b"associative_scan" in program
        x = np.random.default_rng(7).integers(0, 2 if dtype is np.bool_ else 100, shape).astype(dtype)
        if dtype is np.float32:
            x = np.where(np.random.default_rng(8).random(shape) < 0.8, np.float32(-0.0), x - 50).astype(np.float32)
            x[..., x.shape[-1] // 2] = np.nan if op != "add" else 3
            x.reshape(-1)[:2] = -0.0
        want, first = evaluate(text.encode(), [x])[0], None
        for threads in (1, 2):
            got = Runtime(threads=threads).load(program)(x)[0]
            np.testing.assert_array_equal(got, want)
            if dtype is np.float32: np.testing.assert_array_equal(np.signbit(got)[~np.isnan(got)], np.signbit(want)[~np.isnan(want)])
            assert first is None or first == got.tobytes()
            first = got.tobytes()


@pytest.mark.parametrize("old, new", [("stablehlo.maximum", "stablehlo.minimum"), ("0.000000e+00", "1.000000e+00"), ("1:17:2]", "0:16:2]")])
def test_what_is_no_scan_stays(old, new):
    """One step of the tree is another one: the last op, the zeros between elements, the elements that a slice takes."""
    text = tree("maximum", np.float32, (3, 17), 1)
    at = text.rindex(old)
    changed = text[:at] + new + text[at + len(old):]
    program = compile_program(changed.encode())
    assert b"associative_scan" in compile_program(text.encode()) and b"associative_scan" not in program
    x = np.random.default_rng(9).standard_normal((3, 17)).astype(np.float32)
    np.testing.assert_array_equal(Runtime(threads=1).load(program)(x)[0], evaluate(changed.encode(), [x])[0])


@pytest.mark.parametrize("op", ["add", "multiply"])
@pytest.mark.parametrize("dtype, length, options, is_scan", [
    ("float32", 4096, {}, True), ("int32", 4097, {}, True), ("bfloat16", 600, {}, True),
    ("bfloat16", 600, {"numerics": Numerics(no_excess_precision=True)}, False), ("float16", 600, {"numerics": Numerics(no_excess_precision=True)}, False),
    ("float32", 600, {"numerics": Numerics(no_excess_precision=True)}, True)])
def test_trees_that_round(op, dtype, length, options, is_scan):
    """A tree rounds log n times: a sum of 600 ones is 600 in bf16 too, where a scan that rounds each step stays at 256."""
    import jax
    import ml_dtypes
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    with jax.enable_x64(dtype.itemsize == 8): text = tree(op, dtype, (length,), 0)
    program = compile_program(text.encode(), **options)
    assert (b"associative_scan" in program) == is_scan
    x = np.ones(length, dtype)
    got = Runtime(threads=2).load(program)(x)[0].astype(np.float64)
    want = np.arange(1, length + 1) if op == "add" else np.ones(length)
    if dtype.kind != "i": np.testing.assert_allclose(got, want, rtol=2 * float(ml_dtypes.finfo(dtype).eps) * np.log2(length))
    else: np.testing.assert_array_equal(got, want)


def test_long_trees_stay_exact():
    """Of a long tree of sums only its inner parts, of at most 4,096 elements, are scans."""
    x = np.full(100_000, 0.1, np.float32)
    got = Runtime(threads=2).load(compile_program(tree("add", np.float32, x.shape, 0).encode()))(x)[0]
    want = np.cumsum(x.astype(np.float64))
    assert np.abs(got / want - 1).max() < 5e-6  # 4e-5 where all of it is a scan
