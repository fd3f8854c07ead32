# SPDX-License-Identifier: Apache-2.0
"""Memory traffic of a device's kernels as simt counts it: sectors of 32 bytes are as few as the shapes force, each element of operands read
once and each of results written once, and no bank of shared memory is asked twice."""
import json

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")
BYTES = {"f32": 4, "bf16": 2, "f64": 8, "i8": 1}


def reduction(kind, init, x, dims, shape, out, type):
    return f"""%{out}i = stablehlo.constant dense<{init}> : tensor<{type}>
  %{out} = stablehlo.reduce(%{x} init: %{out}i) applies stablehlo.{kind} across dimensions = [{dims}] : (tensor<{shape}x{type}>, tensor<{type}>) -> """


def softmax(type):
    full, rows = f"tensor<?x?x{type}>", f"tensor<?x{type}>"
    return f"""func.func @main(%x: {full}) -> {full} {{
  %s = shape.shape_of %x : {full} -> tensor<2xindex>
  {reduction("maximum", "0xFF800000" if type == "f32" else "0xFF80", "x", 1, "?x?", "m", type)}{rows}
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %s, dims = [0] : ({rows}, tensor<2xindex>) -> {full}
  %d = stablehlo.subtract %x, %mb : {full}
  %e = stablehlo.exponential %d : {full}
  {reduction("add", "0.0", "e", 1, "?x?", "t", type)}{rows}
  %tb = stablehlo.dynamic_broadcast_in_dim %t, %s, dims = [0] : ({rows}, tensor<2xindex>) -> {full}
  %y = stablehlo.divide %e, %tb : {full}
  return %y : {full}
}}"""


def layer_norm(n):
    """Mean, variance, division by the root: rows are walked three times."""
    full, rows = f"tensor<?x{n}xf32>", "tensor<?xf32>"
    return f"""func.func @main(%x: {full}) -> {full} {{
  %s = shape.shape_of %x : {full} -> tensor<2xindex>
  %n = stablehlo.constant dense<{float(n)}> : tensor<f32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<f32>
  {reduction("add", "0.0", "x", 1, f"?x{n}", "m", "f32")}{rows}
  %rs = shape.shape_of %m : {rows} -> tensor<1xindex>
  %nb = stablehlo.dynamic_broadcast_in_dim %n, %rs, dims = [] : (tensor<f32>, tensor<1xindex>) -> {rows}
  %mean = stablehlo.divide %m, %nb : {rows}
  %mb = stablehlo.dynamic_broadcast_in_dim %mean, %s, dims = [0] : ({rows}, tensor<2xindex>) -> {full}
  %c = stablehlo.subtract %x, %mb : {full}
  %q = stablehlo.multiply %c, %c : {full}
  {reduction("add", "0.0", "q", 1, f"?x{n}", "v", "f32")}{rows}
  %var = stablehlo.divide %v, %nb : {rows}
  %eb = stablehlo.dynamic_broadcast_in_dim %eps, %rs, dims = [] : (tensor<f32>, tensor<1xindex>) -> {rows}
  %ve = stablehlo.add %var, %eb : {rows}
  %r = stablehlo.rsqrt %ve : {rows}
  %rb = stablehlo.dynamic_broadcast_in_dim %r, %s, dims = [0] : ({rows}, tensor<2xindex>) -> {full}
  %y = stablehlo.multiply %c, %rb : {full}
  return %y : {full}
}}"""


def gelu(type): return f"""func.func @main(%x: tensor<?x?x{type}>) -> tensor<?x?x{type}> {{
  %0 = stablehlo.tanh %x : tensor<?x?x{type}>
  %1 = stablehlo.multiply %x, %0 : tensor<?x?x{type}>
  return %1 : tensor<?x?x{type}>
}}"""


def sums(dims, out, full="?x?", type="f32"): return f"""func.func @main(%x: tensor<{full}x{type}>) -> tensor<{out}{type}> {{
  {reduction("add", "0.0", "x", dims, full, "t", type)}tensor<{out}{type}>
  return %t : tensor<{out}{type}>
}}"""


def transpose(type, order=(1, 0)): return f"""func.func @main(%x: tensor<{"?x" * len(order)}{type}>) -> tensor<{"?x" * len(order)}{type}> {{
  %0 = stablehlo.transpose %x, dims = {list(order)} : (tensor<{"?x" * len(order)}{type}>) -> tensor<{"?x" * len(order)}{type}>
  return %0 : tensor<{"?x" * len(order)}{type}>
}}"""


def static(program, shape):
    """With the sizes of one argument, of rank 2, known."""
    rows, columns = shape
    return program.replace("<?x?x", f"<{rows}x{columns}x").replace("<?x", f"<{rows}x")


def lines(count, size, bytes):
    """Sectors of |count| lines of |size| elements, one after the other: those of 32 neighbours from the line's start on are asked for together, of lines shorter than that
    as many lines as fit, whose lengths are rounded up to a power of two."""
    if not count or not size: return 0
    together = 32 // (1 << (size - 1).bit_length()) if size < 32 else 1
    wanted, step = [], min(size, 32)
    if together > 1: wanted = [(first * size, min(count, first + together) * size) for first in range(0, count, together)]
    else: wanted = [(line * size + at, line * size + min(size, at + step)) for line in range(count) for at in range(0, size, step)]
    return sum((end * bytes - 1) // 32 - begin * bytes // 32 + 1 for begin, end in wanted)


# Program, shape of its argument, sectors: whole ones of what must be moved, where sizes are multiples of vectors.
def both(type, shape): return 2 * BYTES[type] * int(np.prod(shape)) // 32
CASES = {
    **{f"elementwise-{t}": (gelu(t), (64, 512), both(t, (64, 512))) for t in ("f32", "bf16")},
    **{f"elementwise-{t}-large": (gelu(t), (1024, 1000), both(t, (1024, 1000))) for t in ("f32", "bf16")},
    **{f"softmax-{t}-{n}": (softmax(t), (16, n), both(t, (16, n))) for t in ("f32", "bf16") for n in (128, 768, 1024, 4096)},
    **{f"layer-norm-{n}": (layer_norm(n), (16, n), both("f32", (16, n))) for n in (64, 768, 4096)},
    **{f"row-sums-{n}": (sums("1", "?x"), (64, n), 64 * (n // 8 + 1)) for n in (128, 768, 4096)},  # a row's sum is a store of its own
    **{f"transpose-{t}": (transpose(t), (96, 64), both(t, (96, 64))) for t in ("f32", "f64")},
    "transpose-f32-large": (transpose("f32"), (1024, 768), both("f32", (1024, 768))),
}
ODD = (1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 63, 65, 100, 127, 769, 1023)
CASES |= {
    # A flat range is one line, read and written by 32 neighbours at a time, whatever the rows are.
    **{f"elementwise-odd-{n}": (gelu("f32"), (33, n), 2 * lines(1, 33 * n, 4)) for n in (1, 3, 31, 33, 769)},
    **{f"elementwise-odd-bf16-{n}": (gelu("bf16"), (33, n), 2 * lines(1, 33 * n, 2)) for n in (1, 3, 31, 33, 769)},
    **{f"softmax-odd-{n}": (softmax("f32"), (37, n), 2 * lines(37, n, 4)) for n in ODD},
    **{f"softmax-odd-bf16-{n}": (softmax("bf16"), (37, n), 2 * lines(37, n, 2)) for n in (1, 3, 8, 17, 31, 63, 65, 769)},
    **{f"layer-norm-odd-{n}": (layer_norm(n), (37, n), 2 * lines(37, n, 4)) for n in (3, 10, 17, 31, 33, 65, 1023)},
    # Rows of one warp store their sums together.
    **{f"row-sums-odd-{n}": (sums("1", "?x"), (64, n), lines(64, n, 4) + -(-64 // (32 // (1 << (n - 1).bit_length()) if n < 32 else 1))) for n in ODD[2:]},
}




def tiles(count, size, bytes):
    """Sectors of |count| lines of |size| elements, each read or written by 32 neighbours at a time from its start on."""
    return sum((line * size + min(size, at + 32)) * bytes // 32 + ((line * size + min(size, at + 32)) * bytes % 32 != 0) - (line * size + at) * bytes // 32
               for line in range(count) for at in range(0, size, 32))


def moved(type, order, shape, rows, columns):
    """A transpose of matrices of |rows| by |columns|, of dims that stay together: as many as the shape has."""
    count = int(np.prod(shape)) // (rows * columns)
    return transpose(type, order), shape, tiles(count * rows, columns, BYTES[type]) + tiles(count * columns, rows, BYTES[type])


CASES |= {f"transpose-{type}-{'x'.join(map(str, shape))}-{''.join(map(str, order))}": moved(type, order, shape, rows, columns) for type, order, shape, rows, columns in [
    *((t, (1, 0), shape, *shape) for t in BYTES for shape in ((97, 61), (127, 131), (17, 251), (96, 64), (1024, 192))),  # primes, and whole tiles of every width
    *((t, (0, 2, 1), (5, 97, 61), 97, 61) for t in BYTES),
    ("f32", (2, 0, 1), (48, 5, 64), 240, 64), ("f32", (1, 2, 0), (48, 5, 64), 48, 320), ("bf16", (2, 0, 1), (47, 5, 67), 235, 67),  # dims that stay together are one
    ("f32", (0, 2, 3, 1), (2, 33, 7, 7), 33, 49), ("bf16", (0, 3, 1, 2), (2, 7, 7, 64), 49, 64), ("i8", (0, 2, 3, 1), (3, 64, 14, 14), 64, 196), ("f32", (2, 3, 0, 1), (6, 7, 8, 9), 42, 72)]}
CASES |= {  # The last dim stays: whole lines go.
    **{f"transpose-{t}-heads": (transpose(t, (0, 2, 1, 3)), (3, 16, 12, 64), both(t, (3, 16, 12, 64))) for t in ("f32", "bf16")},
    # The last one moves with another that is between.
    "transpose-f32-210": (transpose("f32", (2, 1, 0)), (48, 5, 64), both("f32", (48, 5, 64))),
    **{f"softmax-{t}-{n}": (softmax(t), (4, n), both(t, (4, n))) for t in ("f32", "bf16") for n in (5120, 8176)},
    **{f"layer-norm-{n}": (layer_norm(n), (4, n), both("f32", (4, n))) for n in (5120, 8184, 9216)},
    # Rows of known size stay where they fit, 36 KB; other ones of 8,192 elements and more are read by each stage (docs/design/gpu.md).
    **{f"softmax-known-{t}-{n}": (static(softmax(t), (4, n)), (4, n), both(t, (4, n))) for t, n in (("f32", 8192), ("f32", 9208), ("bf16", 8192), ("bf16", 16384))},
}


@pytest.mark.parametrize("name", CASES)
def test_least_traffic(name, heddle, tmp_path):
    program, shape, least = CASES[name]
    (tmp_path / "program.mlir").write_text(program)
    done = heddle("explain", tmp_path / "program.mlir", "--target", "simt", "--random", 1, "--shape", "arg0=" + "x".join(map(str, shape)), "--json", check=True)
    (kernel,) = json.loads(done.stdout)["device_kernels"]
    assert kernel["global_sectors"] <= least, (least, kernel)
    assert not kernel["bank_conflicts"], kernel


@pytest.mark.parametrize("type, dims, shape", [
    ("f32", "0", (4096, 64)), ("f32", "0", (2048, 96)), ("bf16", "0", (4096, 64)), ("f32", "0", (2001, 97)), ("bf16", "0", (2001, 97)),
    ("f32", "1", (8, 256, 96)), ("bf16", "1", (8, 256, 96)), ("f32", "1", (7, 255, 97)), ("f32", "0, 2, 3", (4, 16, 32, 32)), ("f32", "0, 2, 3", (3, 17, 31, 33)), ("bf16", "0, 2, 3", (4, 16, 32, 32)),
    ("f32", "0, 2", (16, 24, 512)), ("f32", "0, 1", (256, 1024)), ("bf16", "0, 1", (256, 1024)), ("f32", "0, 1", (255, 1023)), ("bf16", "0, 1", (255, 1023)),
    ("f32", "0, 1", (100001, 3)), ("f32", "0, 1", (3, 100001)), ("f32", "0, 1, 2", (97, 31, 33))])
def test_reductions(type, dims, shape, heddle, tmp_path):
    """Columns, middle dims, both sides of one that stays, all: what partial sums take besides is a twentieth."""
    rest = [d for i, d in enumerate(shape) if str(i) not in dims.split(", ")]
    (tmp_path / "program.mlir").write_text(sums(dims, "?x" * len(rest), "x".join("?" * len(shape)), type))
    done = heddle("explain", tmp_path / "program.mlir", "--target", "simt", "--random", 1, "--shape", "arg0=" + "x".join(map(str, shape)), "--json", check=True)
    kernels = [k for k in json.loads(done.stdout)["device_kernels"] if k["global_sectors"]]
    inner = int(np.prod(shape)) if not rest else int(np.prod(shape[-2:])) if "2, 3" in dims else shape[-1]  # neighbours that go together: of all elements all
    least = tiles(int(np.prod(shape)) // inner, inner, BYTES[type]) + -(-int(np.prod(rest)) * BYTES[type] // 32)
    got = sum(k["global_sectors"] for k in kernels)
    assert got <= least * 1.05, (least, got, kernels)
    assert not any(k["bank_conflicts"] for k in kernels), kernels
