# SPDX-License-Identifier: Apache-2.0
"""Compiled sort: stable, along any dim, of several operands, at sizes 0, 1 and odd ones."""
import numpy as np
import pytest

from heddle.runtime import HeddleError, Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")

SORT = """func.func @main(%k: tensor<?x?x{type}>, %v: tensor<?x?xi32>) -> (tensor<?x?x{type}>, tensor<?x?xi32>) {{
  %0:2 = "stablehlo.sort"(%k, %v) <{{dimension = {dim} : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare {direction}, %a, %b : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : (tensor<?x?x{type}>, tensor<?x?xi32>) -> (tensor<?x?x{type}>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?x{type}>, tensor<?x?xi32>
}}
"""


@pytest.mark.parametrize("dim", (0, 1))
@pytest.mark.parametrize("name, dtype", [("f32", np.float32), ("f64", np.float64), ("i8", np.int8), ("ui8", np.uint8), ("i64", np.int64)])
def test_sort_is_stable(heddle, tmp_path, name, dtype, dim):
    for direction in ("LT", "GT"):
        (tmp_path / "p.mlir").write_text(SORT.format(type=name, dim=dim, direction=direction))
        for shape in ((0, 3), (3, 0), (1, 1), (2, 7), (37, 5), (3, 130)):
            low = 0 if name == "ui8" else -9
            keys = np.random.default_rng(7).integers(low, 10 if low else 250, shape).astype(dtype) # few values: ties
            ids = np.broadcast_to(np.arange(shape[dim], dtype=np.int32).reshape((-1, 1) if dim == 0 else (1, -1)), shape).copy()
            np.savez(tmp_path / "in.npz", arg0=keys, arg1=ids)
            heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
            order = keys.astype(np.int64) if dtype not in (np.float32, np.float64) else keys
            want = np.argsort(order if direction == "LT" else -order, axis=dim, kind="stable")
            with np.load(tmp_path / "out.npz") as out:
                np.testing.assert_array_equal(out["out0"], np.take_along_axis(keys, want, dim))
                np.testing.assert_array_equal(out["out1"], want)


@pytest.mark.parametrize("count", (1, 16, 17, 100))
def test_sort_of_many_operands(heddle, tmp_path, count):
    """The order follows from the last two operands alone; all go along."""
    types = [("f32", np.float32), ("i32", np.int32), ("ui8", np.uint8), ("i64", np.int64)]
    chosen = [types[i % 4] for i in range(count)]
    keys = [f"%{'lr'[side]}{count - 1 - k}" for k in range(min(2, count)) for side in (0, 1)]
    tensors = ", ".join(f"tensor<3x37x{name}>" for name, _ in chosen)
    body = ["    %p0 = stablehlo.compare LT, {0}, {1} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-1][0])]
    if count > 1:
        body += ["    %e = stablehlo.compare EQ, {0}, {1} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-1][0]),
                 "    %s = stablehlo.compare LT, {2}, {3} : (tensor<{t}>, tensor<{t}>) -> tensor<i1>".format(*keys, t=chosen[-2][0]),
                 "    %b = stablehlo.and %e, %s : tensor<i1>", "    %p = stablehlo.or %p0, %b : tensor<i1>"]
    block = ", ".join(f"%l{i}: tensor<{name}>, %r{i}: tensor<{name}>" for i, (name, _) in enumerate(chosen))
    (tmp_path / "p.mlir").write_text("\n".join([
        "func.func @main(" + ", ".join(f"%a{i}: tensor<3x37x{name}>" for i, (name, _) in enumerate(chosen)) + f") -> ({tensors}) {{",
        f"  %0:{count} = \"stablehlo.sort\"(" + ", ".join(f"%a{i}" for i in range(count)) + ") <{dimension = 1 : i64, is_stable = true}> ({",
        f"  ^bb0({block}):", *body, f"    stablehlo.return {'%p' if count > 1 else '%p0'} : tensor<i1>", f"  }}) : ({tensors}) -> ({tensors})",
        "  return " + ", ".join(f"%0#{i}" for i in range(count)) + f" : {tensors}", "}"]))
    arrays = [np.random.default_rng(i).integers(0, 5, (3, 37)).astype(dtype) for i, (_, dtype) in enumerate(chosen)]
    np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    order = np.lexsort(arrays[-2:], axis=1)
    with np.load(tmp_path / "out.npz") as out:
        for i, a in enumerate(arrays): np.testing.assert_array_equal(out[f"out{i}"], np.take_along_axis(a, order, 1))


def test_positions_beside_many_operands(heddle, tmp_path):
    """Operand 0 counts, which the sort need not read; operand 64 does not, though its number is 0 modulo 64."""
    count = 70
    tensors = ", ".join(["tensor<37xi32>"] * count)
    block = ", ".join(f"%l{i}: tensor<i32>, %r{i}: tensor<i32>" for i in range(count))
    operands = ", ".join(["%i"] + [f"%a{i}" for i in range(1, count)])
    (tmp_path / "p.mlir").write_text(f"""func.func @main({", ".join(f"%a{i}: tensor<37xi32>" for i in range(1, count))}) -> ({tensors}) {{
  %i = stablehlo.iota dim = 0 : tensor<37xi32>
  %0:{count} = "stablehlo.sort"({operands}) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0({block}):
    %p = stablehlo.compare LT, %l{count - 1}, %r{count - 1} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : ({tensors}) -> ({tensors})
  return {", ".join(f"%0#{i}" for i in range(count))} : {tensors}
}}""")
    arrays = [np.arange(37, dtype=np.int32)] + [np.random.default_rng(i).integers(0, 99, 37).astype(np.int32) for i in range(1, count)]
    np.savez(tmp_path / "in.npz", **{f"arg{i - 1}": a for i, a in enumerate(arrays) if i})
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    order = np.argsort(arrays[-1], kind="stable")
    with np.load(tmp_path / "out.npz") as out:
        for i, a in enumerate(arrays): np.testing.assert_array_equal(out[f"out{i}"], a[order])
    heddle("bisect", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", check=True)


# By an order of numbers: the runtime's sort

def compare(name, element, kind=""):
    return f"stablehlo.compare {name}, %a, %b{kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>"


def sort_program(element, rank, dim, order, operands=1, payload="i32"):
    shape = "x".join("?" * rank)
    key, value = f"tensor<{shape}x{element}>", f"tensor<{shape}x{payload}>"
    types = [key] + [value] * (operands - 1)
    block = ", ".join([f"%a: tensor<{element}>, %b: tensor<{element}>"] + [f"%l{i}: tensor<{payload}>, %r{i}: tensor<{payload}>" for i in range(operands - 1)])
    names = ", ".join(f"%x{i}" for i in range(operands))
    result = f"%0:{operands}" if operands > 1 else "%0"
    results = ", ".join(f"%0#{i}" for i in range(operands)) if operands > 1 else "%0"
    joined = ", ".join(types)
    outs = joined if operands == 1 else f"({joined})"
    return f"""func.func @main({", ".join(f"%x{i}: {t}" for i, t in enumerate(types))}) -> ({joined}) {{
  {result} = "stablehlo.sort"({names}) <{{dimension = {dim} : i64, is_stable = true}}> ({{
  ^bb0({block}):
    %p = {order}
    stablehlo.return %p : tensor<i1>
  }}) : ({joined}) -> {outs}
  return {results} : {joined}
}}"""


KEYS = [("i1", np.bool_), ("i8", np.int8), ("ui8", np.uint8), ("i16", np.int16), ("ui16", np.uint16), ("i32", np.int32), ("ui32", np.uint32),
        ("i64", np.int64), ("ui64", np.uint64), ("f16", np.float16), ("f32", np.float32), ("f64", np.float64)]
SPECIAL = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.5, -1.5]


def keys_of(dtype, shape, seed=0):
    """Few values and many; of floats also zeros, infinities and NaNs of both signs."""
    r = np.random.default_rng(seed)
    if dtype == np.bool_: return r.integers(0, 2, shape).astype(dtype)
    if np.issubdtype(dtype, np.floating):
        x = r.standard_normal(shape).astype(dtype)
        return np.where(r.random(shape) < 0.5, np.array(SPECIAL, dtype)[r.integers(0, len(SPECIAL), shape)], x)
    info = np.iinfo(dtype)
    return np.where(r.random(shape) < 0.5, r.integers(0, 5, shape), r.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)).astype(dtype)


def loaded(text, threads=2): return Runtime(threads=threads).load(compile_program(text.encode()))


def bits(x): return np.ascontiguousarray(x).view(f"V{x.dtype.itemsize}")


@pytest.mark.parametrize("element, dtype", KEYS)
@pytest.mark.parametrize("direction", ("LT", "GT"))
def test_by_order(element, dtype, direction):
    """Alone and with others, along every dim, at sizes of every way of sorting, against the evaluator, bit by bit."""
    order = compare(direction, element, ", TOTALORDER" if element[0] == "f" else "")
    for operands in (1, 2):
        for rank, shapes in ((1, [(0,), (1,), (2,), (33,), (300,)]), (2, [(3, 0), (0, 3), (5, 70), (40, 33), (1, 7)])):
            for dim in range(rank):
                text = sort_program(element, rank, dim, order, operands)
                program = loaded(text)
                for shape in shapes:
                    x = [keys_of(dtype, shape), np.arange(np.prod(shape), dtype=np.int32).reshape(shape)][:operands]
                    for got, want in zip(program(*x), evaluate(text.encode(), x), strict=True):
                        np.testing.assert_array_equal(bits(got), bits(want), err_msg=f"{shape} along {dim}, {operands} operands")


CANONICAL = """func.func @main(%x: tensor<?xf32>PAYLOAD) -> (tensor<?xf32>TYPE) {
  %0RESULTS = "stablehlo.sort"(%xNAME) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>BLOCK):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<?xf32>TYPE) -> RETURN
  return %0FIRST : tensor<?xf32>TYPE
}"""


def test_zeros_and_nans_made_one():
    """As JAX sorts floats: zeros of both signs, and NaNs, stay in the order in which they came."""
    alone = {"PAYLOAD": "", "TYPE": "", "RESULTS": "", "NAME": "", "BLOCK": "", "RETURN": "tensor<?xf32>", "FIRST": ""}
    pair = {"PAYLOAD": ", %y: tensor<?xi32>", "TYPE": ", tensor<?xi32>", "RESULTS": ":2", "NAME": ", %y", "BLOCK": ", %c: tensor<i32>, %d: tensor<i32>",
            "RETURN": "(tensor<?xf32>, tensor<?xi32>)", "FIRST": "#0, %0#1"}
    for names in (alone, pair):
        text = CANONICAL
        for name, value in names.items(): text = text.replace(name, value)
        program = loaded(text)
        for n in (1, 20, 200, 1000):
            x = [keys_of(np.float32, (n,), n), np.arange(n, dtype=np.int32)][:2 if names is pair else 1]
            for got, want in zip(program(*x), evaluate(text.encode(), x), strict=True): np.testing.assert_array_equal(bits(got), bits(want))


def test_two_keys():
    """The second decides where the first is equal, of eight bytes and of less, descending and not."""
    for (first, first_type), (second, second_type) in (("i8", np.int8), ("f32", np.float32)), (("i64", np.int64), ("ui8", np.uint8)), (("i16", np.int16), ("i32", np.int32)):
        text = f"""func.func @main(%x: tensor<?x{first}>, %y: tensor<?x{second}>) -> (tensor<?x{first}>, tensor<?x{second}>) {{
  %0:2 = "stablehlo.sort"(%x, %y) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<{first}>, %b: tensor<{first}>, %c: tensor<{second}>, %d: tensor<{second}>):
    %l = stablehlo.compare GT, %a, %b : (tensor<{first}>, tensor<{first}>) -> tensor<i1>
    %e = stablehlo.compare EQ, %a, %b : (tensor<{first}>, tensor<{first}>) -> tensor<i1>
    %m = stablehlo.compare LT, %c, %d : (tensor<{second}>, tensor<{second}>) -> tensor<i1>
    %p = stablehlo.select %e, %m, %l : tensor<i1>, tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : (tensor<?x{first}>, tensor<?x{second}>) -> (tensor<?x{first}>, tensor<?x{second}>)
  return %0#0, %0#1 : tensor<?x{first}>, tensor<?x{second}>
}}"""
        for n in (1, 100, 3000, 70_000):
            x = np.random.default_rng(n).integers(0, 9, n).astype(first_type)
            y = np.random.default_rng(n + 1).integers(0, 90, n).astype(second_type)
            order = np.lexsort((y, -x.astype(np.int64)))
            for got, want in zip(loaded(text)(x, y), (x[order], y[order]), strict=True): np.testing.assert_array_equal(got, want)


def test_long_lines_on_threads():
    """One line in parts: the same for any number of threads."""
    n = 200_000
    r = np.random.default_rng(0)
    for element, dtype in ("i32", np.int32), ("f64", np.float64), ("ui8", np.uint8):
        x = r.integers(0, 250, n).astype(dtype) if element != "f64" else r.standard_normal(n)
        for operands in (1, 2):
            program = compile_program(sort_program(element, 1, 0, compare("LT", element), operands).encode())
            order = np.argsort(x, kind="stable")
            for threads in (1, 2, 3):
                got = Runtime(threads=threads).load(program)(*[x, np.arange(n, dtype=np.int32)][:operands])
                np.testing.assert_array_equal(got[0], x[order])
                if operands > 1: np.testing.assert_array_equal(got[1], order)


@pytest.mark.parametrize("rows", (1, 101, 103, 1029))
def test_short_lines_together(rows):
    """Several to a group, of which the last is not full; zeros of both signs, which are equal, stay as they came."""
    text = sort_program("f32", 2, 1, compare("LT", "f32"))
    for n in (1, 2, 5, 31, 32, 33):
        x = np.random.default_rng(n).standard_normal((rows, n)).astype(np.float32)
        zeros = keys_of(np.float32, x[::7].shape, n)
        x[::7] = np.where(np.isnan(zeros), -0.0, zeros)
        np.testing.assert_array_equal(bits(loaded(text)(x)[0]), bits(evaluate(text.encode(), [x])[0]), err_msg=f"{rows} lines of {n}")


@pytest.mark.parametrize("element, dtype", [("i8", np.int8), ("ui8", np.uint8), ("i1", np.bool_)])
def test_bytes_are_counted(element, dtype):
    """Along both dims, around the least that are counted, in parts, and whole lines of one value."""
    for direction in ("LT", "GT"):
        for dim, shapes in ((0, [(1023, 3), (1024, 3), (1031, 2), (70_001, 1)]), (1, [(2, 1024), (3, 1031), (1, 70_001)])):
            program = loaded(sort_program(element, 2, dim, compare(direction, element)))
            for shape in shapes:
                for x in (keys_of(dtype, shape), np.ones(shape, dtype)):
                    want = np.sort(x, axis=dim)
                    np.testing.assert_array_equal(program(x)[0], want if direction == "LT" else np.flip(want, dim))


def top_k(element, rank, k):
    lead = "?x" * (rank - 1)
    return f"""func.func @main(%x: tensor<{lead}?x{element}>) -> (tensor<{lead}{k}x{element}>, tensor<{lead}{k}xi32>) {{
  %0:2 = chlo.top_k(%x, k = {k}) : tensor<{lead}?x{element}> -> (tensor<{lead}{k}x{element}>, tensor<{lead}{k}xi32>)
  return %0#0, %0#1 : tensor<{lead}{k}x{element}>, tensor<{lead}{k}xi32>
}}"""


@pytest.mark.parametrize("element, dtype", [k for k in KEYS if k[0] != "i1"])
def test_top_k(element, dtype):
    """Selected and sorted, stable, NaNs by the total order, against the evaluator."""
    for k, shapes in ((0, [(2, 3)]), (1, [(1, 1), (3, 50)]), (2, [(3, 64)]), (5, [(2, 5), (3, 41), (2, 700)]), (16, [(2, 131)]), (17, [(2, 161)]), (20, [(2, 20), (2, 500)])):
        text = top_k(element, 2, k)
        program = loaded(text)
        for shape in shapes:
            x = [keys_of(dtype, shape, k)]
            for got, want in zip(program(*x), evaluate(text.encode(), x), strict=True):
                np.testing.assert_array_equal(bits(got), bits(want), err_msg=f"{k} of {shape}")


@pytest.mark.parametrize("element, dtype", [k for k in KEYS if k[0] in ("ui8", "i16", "i32", "ui64", "f32")])
@pytest.mark.parametrize("k", (1, 16, 17, 50))
def test_top_k_of_any_order(element, dtype, k):
    """Of lines whose bound sinks at every element, never, or that are all last: n around blocks of the selection."""
    program = loaded(top_k(element, 2, k))
    for n in (8 * k + 1, 511, 1024, 1025):
        rise = np.arange(n) * 255 // n
        last = np.iinfo(dtype).min if np.issubdtype(dtype, np.integer) else -np.inf
        x = np.stack([rise.astype(dtype), rise[::-1].astype(dtype), np.full(n, last, dtype), np.concatenate([rise[::2], rise[::-2]])[:n].astype(dtype)])
        values, places = program(x)
        for i, row in enumerate(x):
            want = np.argsort(-row.astype(np.float64), kind="stable")[:k]
            np.testing.assert_array_equal(places[i], want)
            np.testing.assert_array_equal(values[i], row[want])


@pytest.mark.parametrize("element, dtype", [k for k in KEYS if k[0] in ("i8", "i32", "f32", "f64")])
def test_lines_around_runs(element, dtype):
    """What begins a merge is 32 long."""
    for operands in (1, 2):
        program = loaded(sort_program(element, 2, 1, compare("LT", element), operands))
        for n in (8, 9, 31, 32, 33, 63, 64, 65, 96, 100, 127, 129):
            x = np.random.default_rng(n).integers(-9, 9, (3, n)).astype(dtype)
            x[2] = np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else np.inf
            order = np.argsort(x, axis=1, kind="stable")
            got = program(*[x, np.broadcast_to(np.arange(n, dtype=np.int32), x.shape).copy()][:operands])
            np.testing.assert_array_equal(got[0], np.take_along_axis(x, order, 1))
            if operands > 1: np.testing.assert_array_equal(got[1], order)


@pytest.mark.parametrize("dtype, element", [(np.float32, "f32"), (np.float64, "f64"), (np.float16, "f16")])
@pytest.mark.parametrize("n, k", [(100_000, 5), (300_000, 1000), (100_000, 60_000)])
def test_top_k_of_long_lines(dtype, element, n, k):
    """Ascending lines pass every bound; equal ones none."""
    r = np.random.default_rng(0)
    program = compile_program(top_k(element, 1, k).encode())
    for x in (r.standard_normal(n), np.sort(r.standard_normal(n)), np.ones(n), np.tile(np.arange(10), n // 10)):
        x = x.astype(dtype)
        want = np.argsort(-x, kind="stable")[:k]
        for threads in (1, 2):
            values, places = Runtime(threads=threads).load(program)(x)
            np.testing.assert_array_equal(places, want)
            np.testing.assert_array_equal(values, x[want])


def test_top_k_of_too_few():
    with pytest.raises(HeddleError, match="expected at least 5"): loaded(top_k("f32", 1, 5))(np.ones(4, np.float32))
