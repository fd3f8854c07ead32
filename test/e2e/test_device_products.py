# SPDX-License-Identifier: Apache-2.0
"""Products on the device that every machine has: tiles of dots and convolutions through shared memory, of all types and layouts."""
import json
import math

import ml_dtypes
import numpy as np
import pytest
from error_model import assert_within, sums

import heddle as hd
import needs

pytestmark = pytest.mark.usefixtures("compiler")
# Types of operands and result.
TYPES = {"f32": ("f32", "f32"), "f64": ("f64", "f64"), "f16": ("f16", "f16"), "bf16": ("bf16", "bf16"), "bf16 to f32": ("bf16", "f32"),
         "i32": ("i32", "i32"), "i64": ("i64", "i64"), "ui8": ("ui8", "ui8"), "i8 to i32": ("i8", "i32")}
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "ui8": np.uint8, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "i32": np.int32, "i64": np.int64}
# Rows, columns, terms: none of each, one, around tiles and depths, primes, and enough for several tiles.
SIZES = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (1, 70, 33), (9, 1, 40), (64, 64, 16), (65, 63, 17), (61, 131, 47), (130, 67, 1)]
# Batch, contracting dims and a letter per dim of both operands, as einsum has them.
LAYOUTS = {"mk,kn": "mn", "km,kn": "mn", "mk,nk": "mn", "km,nk": "mn", "bmk,bkn": "bmn", "mbk,nkb": "bmn", "k,kn": "n", "mk,k": "m", "mpk,kpn": "mn", "mak,knc": "manc"}
MORE = {"b": 3, "p": 2, "a": 2, "c": 5}


def text(dims, e, dynamic): return "tensor<" + "".join(("?" if dynamic else str(n)) + "x" for n in dims) + e + ">"


def dims_of(letters, size): return [dict(zip("mnk", size), **MORE)[c] for c in letters]


def program(layout, size, e, out, dynamic=True):
    (x, y), z = layout.split(","), LAYOUTS[layout]
    pairs = [[side.index(c) for c in x if c in y and (c in z) == batch] for batch in (True, False) for side in (x, y)]
    a, b, c = text(dims_of(x, size), e, dynamic), text(dims_of(y, size), e, dynamic), text(dims_of(z, size), out, dynamic)
    batch = f"batching_dims = {pairs[0]} x {pairs[1]}, " if pairs[0] else ""
    return (f"func.func @main(%x: {a}, %y: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %x, %y, {batch}contracting_dims = {pairs[2]} x {pairs[3]} : ({a}, {b}) -> {c}\n"
            f"  return %0 : {c}\n}}\n")


def draw(rng, shape, e): return rng.integers(0 if e.startswith("u") else -9, 10, shape).astype(NUMPY[e]) if "i" in e else rng.standard_normal(shape).astype(NUMPY[e])


def agree(got, x, y, equation, out, context):
    wide = np.int64 if "i" in out else np.float64
    want, most = (np.einsum(equation, f(x.astype(wide)), f(y.astype(wide))) for f in (lambda v: v, np.abs))
    got, (operands, kept) = np.asarray(got), equation.split("->")
    sizes = dict(zip(operands.replace(",", ""), x.shape + y.shape))
    assert got.dtype == NUMPY[out], context
    assert_within(got, want, sums(math.prod(n for c, n in sizes.items() if c not in kept)), most, context)


@pytest.mark.parametrize("name", TYPES)
def test_types(name):
    e, out = TYPES[name]
    rng = np.random.default_rng(1)
    run = hd.compile(program("mk,kn", (1, 1, 1), e, out), target="simt")
    for size in SIZES:
        x, y = (draw(rng, dims_of(letters, size), e) for letters in ("mk", "kn"))
        agree(run(x, y), x, y, "mk,kn->mn", out, f"{size}")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    rng = np.random.default_rng(2)
    run = hd.compile(program(layout, (1, 1, 1), "f32", "f32"), target="simt")
    for size in [(5, 4, 3), (65, 37, 18), (12, 70, 33)]:
        x, y = (draw(rng, dims_of(letters, size), "f32") for letters in layout.split(","))
        agree(run(x, y), x, y, f"{layout}->{LAYOUTS[layout]}", "f32", f"{size}")


@pytest.mark.parametrize("size", [(128, 64, 32), (100, 30, 20), (1, 256, 64)])
def test_known_sizes(size):
    rng = np.random.default_rng(3)
    run = hd.compile(program("mk,nk", size, "f32", "f32", dynamic=False), target="simt")
    x, y = (draw(rng, dims_of(letters, size), "f32") for letters in ("mk", "nk"))
    agree(run(x, y), x, y, "mk,nk->mn", "f32", f"{size}")


def test_whole_tiles():
    """Unknown sizes that large tiles divide have a version that checks no column and no term; rows are checked."""
    rng = np.random.default_rng(5)
    run = hd.compile(program("mk,kn", (1, 1, 1), "f32", "f32"), target="simt")
    for size in [(1100, 2048, 16), (1100, 2048, 17), (1100, 2049, 16)]:
        x, y = (draw(rng, dims_of(letters, size), "f32") for letters in ("mk", "kn"))
        agree(run(x, y), x, y, "mk,kn->mn", "f32", f"{size}")


CONVOLUTION = """func.func @main(%x: tensor<?x?x?x{c}x{e}>, %w: tensor<{k}x{e}>) -> tensor<?x?x?x{o}x{e}> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[{w}]->[b, 0, 1, f],
    window = {{stride = {stride}, pad = {pad}, lhs_dilate = {lhs}, rhs_dilate = {rhs}, reverse = {reverse}}}
    {{batch_group_count = {bg} : i64, feature_group_count = {fg} : i64}} : (tensor<?x?x?x{c}x{e}>, tensor<{k}x{e}>) -> tensor<?x?x?x{o}x{e}>
  return %0 : tensor<?x?x?x{o}x{e}>
}}
"""
PLAIN = dict(c=5, o=7, k="3x2x5x7", w="0, 1, i, o", e="f32", stride=[1, 1], pad=[[0, 0], [0, 0]], lhs=[1, 1], rhs=[1, 1], reverse="[false, false]", bg=1, fg=1)
CONVOLUTIONS = {"plain": {}, "padded": dict(pad=[[2, 1], [1, 3]]), "cut off": dict(pad=[[-1, 0], [1, -1]]), "strided": dict(stride=[2, 3], pad=[[1, 1], [0, 1]]), "dilated": dict(rhs=[2, 2]),
                "transposed": dict(lhs=[2, 3], pad=[[2, 2], [1, 1]]), "reversed": dict(reverse="[true, true]", pad=[[1, 1], [1, 1]]), "groups": dict(c=6, o=15, k="3x2x2x15", fg=3),
                "batch groups": dict(o=10, k="3x2x5x10", bg=2), "features of the kernel first": dict(k="7x3x2x5", w="o, 0, 1, i"), "bf16": dict(e="bf16"), "f64": dict(e="f64")}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(heddle, tmp_path, name):
    """Unknown sizes, among them a batch of none and an image that is all padding, against the evaluator, which looks for races too."""
    row = PLAIN | CONVOLUTIONS[name]
    (tmp_path / "p.mlir").write_text(CONVOLUTION.format(**row))
    for shape in (f"4x9x8x{row['c']}", f"2x5x6x{row['c']}", f"0x9x8x{row['c']}"):
        heddle("run", tmp_path / "p.mlir", "--target", "simt", "--random", 1, "--shape", f"arg0={shape}", "--reference", "eval", "--tolerance", 1e-2 if row["e"] == "bf16" else 1e-5, check=True)
    heddle("eval", tmp_path / "p.mlir", "--target", "simt", "--random", 1, "--shape", f"arg0=2x5x6x{row['c']}", check=True)


def test_what_is_not_finite():
    """It reaches the results of its row or column and no others, those in tiles beyond the result and the sum included."""
    x, y = np.ones((5, 7), np.float32), np.ones((7, 9), np.float32)
    x[4, 6], y[6, 8] = np.inf, np.nan
    got = np.asarray(hd.compile(program("mk,kn", (1, 1, 1), "f32", "f32"), target="simt")(x, y))
    assert np.isinf(got[4, :8]).all() and np.isnan(got[:, 8]).all() and (got[:4, :8] == 7).all()


def test_same_bits():
    """A result is one sum in the order of its terms, so rows beside it, which make other tiles, change nothing."""
    rng = np.random.default_rng(4)
    run = hd.compile(program("mk,kn", (1, 1, 1), "f32", "f32"), target="simt")
    x, y = rng.standard_normal((70, 90)).astype(np.float32), rng.standard_normal((90, 50)).astype(np.float32)
    whole = np.asarray(run(x, y))
    for part in (slice(3, 4), slice(10, 40)): np.testing.assert_array_equal(run(x[part], y), whole[part])


@pytest.mark.parametrize("layout", ["km,nk", "mk,kn"])
def test_large(heddle, tmp_path, layout):
    """Large tiles, of which there are enough: values, checked launches, bank conflicts, and shared memory for 16 terms of two of them."""
    (tmp_path / "p.mlir").write_text(program(layout, (1, 1, 1), "f32", "f32"))
    dims = [dims_of(letters, (1449, 1450, 17)) for letters in layout.split(",")]
    shapes = [a for i in (0, 1) for a in ("--shape", f"arg{i}=" + "x".join(map(str, dims[i])))]
    done = heddle("explain", tmp_path / "p.mlir", "--target", "simt", "--random", 1, *shapes, "--json", check=True)
    (kernel,) = json.loads(done.stdout)["device_kernels"]
    assert kernel["shared_bytes"] >= 2 * 128 * 16 * 4 and not kernel["bank_conflicts"], kernel
    rng = np.random.default_rng(5)
    x, y = (draw(rng, d, "f32") for d in dims)
    agree(hd.compile(program(layout, (1, 1, 1), "f32", "f32"), target="simt")(x, y), x, y, f"{layout}->mn", "f32", f"{layout}")


@pytest.mark.parametrize("equation, contracting", [("abk,kn->abn", "[2] x [0]"), ("abk,abn->kn", "[0, 1] x [0, 1]"), ("nk,abk->nab", "[1] x [2]")])
def test_sizes_of_many_terms(equation, contracting):
    """Two dims that are sums of 17 sizes: rows, terms or columns are a polynomial of 289 terms, which is too long to be one."""
    (x, y), z = equation.split("->")[0].split(","), equation.split("->")[1]
    t = {e: text(range(len(e)), "f32", True) for e in ("abk", x, y, z)}
    parts, a = [f"%p{i}" for i in range(33)], t["abk"]
    rows, columns = (", ".join([first] + more) for first, more in (("%p0", parts[1:17]), ("%a", parts[17:])))
    names = ["%ab" if e == "abk" else "%w" for e in (x, y)]
    other = y if x == "abk" else x
    run = hd.compile(f"func.func @main({', '.join(f'{p}: {a}' for p in parts)}, %w: {t[other]}) -> {t[z]} {{\n"
                     f"  %a = stablehlo.concatenate {rows}, dim = 0 : ({', '.join([a] * 17)}) -> {a}\n"
                     f"  %ab = stablehlo.concatenate {columns}, dim = 1 : ({', '.join([a] * 17)}) -> {a}\n"
                     f"  %0 = stablehlo.dot_general {names[0]}, {names[1]}, contracting_dims = {contracting} : ({t[x]}, {t[y]}) -> {t[z]}\n  return %0 : {t[z]}\n}}\n", target="simt")
    rng = np.random.default_rng(6)
    values = [draw(rng, (1 + i % 2, 3, 5), "f32") for i in range(17)]
    first = np.concatenate(values, 0)
    values += [draw(rng, (first.shape[0], 1 + i % 3, 5), "f32") for i in range(16)]
    whole = np.concatenate([first] + values[17:], 1)
    w = draw(rng, [dict(zip("abk", whole.shape), n=7)[c] for c in other], "f32")
    pair = (whole, w) if x == "abk" else (w, whole)
    agree(run(*values, w), *pair, equation, "f32", equation)


@pytest.mark.parametrize("layout", ["mk,kn", "mk,nk", "km,kn", "km,nk"])
@pytest.mark.parametrize("e", ["f32", "f64", "f16", "bf16", "f8E4M3FN", "i8"])
def test_counters(heddle, tmp_path, layout, e):
    """Neighbours in memory are loaded and stored together, and no two lanes want words of one bank, whichever way the operands are.

    Launches that count are checked: races, bounds and reads of what was never written end them."""
    x, y = layout.split(",")
    (tmp_path / "p.mlir").write_text(program(layout, (1, 1, 1), e, e))
    for size in [(128, 128, 64), (61, 67, 47), (3, 67, 47)]:
        shapes = [a for i, side in enumerate((x, y)) for a in ("--shape", f"arg{i}=" + "x".join(map(str, dims_of(side, size))))]
        done = heddle("explain", tmp_path / "p.mlir", "--target", "simt", "--random", 1, *shapes, "--json", check=True)
        (kernel,) = json.loads(done.stdout)["device_kernels"]
        assert kernel["shared_requests"] and not kernel["bank_conflicts"], kernel
        if size[0] == 128 and e == "f32": assert kernel["global_sectors"] <= 4 * kernel["global_requests"], kernel


@pytest.mark.parametrize("layout,name", [("mk,kn", "f32"), ("mk,kn", "bf16"), ("mk,kn", "i8 to i32"), ("km,nk", "f32")])
def test_opencl(build, layout, name):
    """The tiles that its row has, each a row of threads."""
    needs.opencl(build)
    rng = np.random.default_rng(6)
    e, out = TYPES[name]
    run = hd.compile(program(layout, (1, 1, 1), e, out), target="spirv")
    for size in [(1, 1, 1), (0, 3, 4), (5, 70, 33), (65, 131, 70), (64, 128, 64), (600, 1024, 64)][:6 if e == "f32" else 4]:
        x, y = (draw(rng, dims_of(letters, size), e) for letters in layout.split(","))
        agree(run(x, y), x, y, f"{layout}->{LAYOUTS[layout]}", out, f"{size}")


def chain(sizes, rows="?"):
    """One product after the other, of matrices of these sizes."""
    names = [f"%w{i}: tensor<{k}x{n}xf32>" for i, (k, n) in enumerate(zip(sizes, sizes[1:]))]
    body = "".join(f"  %{i + 1} = stablehlo.dot_general %{i or 'x'}, %w{i}, contracting_dims = [1] x [0] : (tensor<{rows}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{rows}x{n}xf32>\n"
                   for i, (k, n) in enumerate(zip(sizes, sizes[1:])))
    return f"func.func @main(%x: tensor<{rows}x{sizes[0]}xf32>, {', '.join(names)}) -> tensor<{rows}x{sizes[-1]}xf32> {{\n{body}  return %{len(sizes) - 1} : tensor<{rows}x{sizes[-1]}xf32>\n}}\n"


def kernels_of(heddle, path):
    done = heddle("explain", path, "--target", "cuda", "--json", check=True)
    return {kernel["name"] for kernel in json.loads(done.stdout)["kernels"] if not kernel["name"].endswith("_64")}


def test_shared_by_sizes(heddle, tmp_path):
    """Products whose columns and terms fill tiles differ in sizes alone: their kernels are those of one, and right for each; others have their own."""
    (tmp_path / "one.mlir").write_text(chain([256, 384]))
    (tmp_path / "three.mlir").write_text(chain([256, 384, 128, 1280]))
    (tmp_path / "odd.mlir").write_text(chain([256, 384, 130]))
    (tmp_path / "static.mlir").write_text(chain([256, 384, 128], 640))
    one = len(kernels_of(heddle, tmp_path / "one.mlir"))
    assert [len(kernels_of(heddle, tmp_path / f"{name}.mlir")) for name in ("three", "odd", "static")] == [one, 2 * one, 2]
    rng = np.random.default_rng(7)
    sizes = [256, 384, 128, 1280]
    weights = [rng.integers(-2, 3, pair).astype(np.float32) for pair in zip(sizes, sizes[1:])]  # sums of whole numbers are exact
    run = hd.compile(chain(sizes), target="simt")
    for rows in (0, 1, 9, 130, 1700):
        x = rng.integers(-2, 3, (rows, 256)).astype(np.float32)
        np.testing.assert_array_equal(np.asarray(run(x, *weights)), np.linalg.multi_dot([x.astype(np.float64), *weights]).astype(np.float32), err_msg=f"{rows} rows")


def test_rows_that_are_columns(heddle, tmp_path):
    """Scores of one sequence: few rows have few columns too, so there are no thin tiles for them; known terms need no version for whole ones."""
    x = "tensor<?x?x64xf32>"
    (tmp_path / "p.mlir").write_text(f"""func.func @main(%x: {x}, %y: tensor<?x96x64xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x96xf32>) {{
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({x}, {x}) -> tensor<?x?x?xf32>
  %1 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({x}, tensor<?x96x64xf32>) -> tensor<?x?x96xf32>
  return %0, %1 : tensor<?x?x?xf32>, tensor<?x?x96xf32>
}}""")
    assert len(kernels_of(heddle, tmp_path / "p.mlir")) == 2 + 3
    for b, s in ((1, 1), (3, 7), (2, 65)):
        heddle("run", tmp_path / "p.mlir", "--target", "simt", "--random", 1, "--shape", f"arg0={b}x{s}x64", "--shape", f"arg1={b}x96x64", "--reference", "eval", "--tolerance", 1e-5, check=True)


@pytest.mark.parametrize("e", ["f32", "bf16"])
def test_heads(heddle, tmp_path, e):
    """Attention from heads to heads: a product writes the transpose that the next one reads as rows."""
    p, v, r, t, out = (f"tensor<{d}x{e}>" for d in ("?x6x?x?", "?x6x?x64", "?x6x?x64", "?x?x6x64", "?x?x7"))
    (tmp_path / "p.mlir").write_text(f"""func.func @main(%p: {p}, %v: {v}, %w: tensor<384x7x{e}>) -> {out} {{
  %0 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : ({p}, {v}) -> {r}
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : ({r}) -> {t}
  %b = stablehlo.get_dimension_size %p, dim = 0 : ({p}) -> tensor<i32>
  %s = stablehlo.get_dimension_size %p, dim = 2 : ({p}) -> tensor<i32>
  %n = stablehlo.constant dense<384> : tensor<1xi32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %s1, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %2 = stablehlo.dynamic_reshape %1, %shape : ({t}, tensor<3xi32>) -> tensor<?x?x384x{e}>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : (tensor<?x?x384x{e}>, tensor<384x7x{e}>) -> {out}
  return %3 : {out}
}}""")
    for b, q, k in ((1, 1, 1), (2, 9, 5), (3, 70, 33), (0, 4, 4)):
        for target in ("simt", "guarded"):
            heddle("run", tmp_path / "p.mlir", "--target", "simt", "--driver", target, "--random", 1, "--shape", f"arg0={b}x6x{q}x{k}", "--shape", f"arg1={b}x6x{k}x64",
                   "--reference", "eval", "--tolerance", 1e-5 if e == "f32" else 2e-2, check=True)
