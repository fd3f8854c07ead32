# SPDX-License-Identifier: Apache-2.0
"""Memory traffic of a device's kernels as simt counts it: sectors of 32 bytes are as few as the shapes force, each element of operands read
once and each of results written once, and no bank of shared memory is asked twice."""
import json

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")
BYTES = {"f32": 4, "bf16": 2, "f64": 8}


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


def sums(dims, out): return f"""func.func @main(%x: tensor<?x?xf32>) -> tensor<{out}f32> {{
  {reduction("add", "0.0", "x", dims, "?x?", "t", "f32")}tensor<{out}f32>
  return %t : tensor<{out}f32>
}}"""


def transpose(type): return f"""func.func @main(%x: tensor<?x?x{type}>) -> tensor<?x?x{type}> {{
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?x{type}>) -> tensor<?x?x{type}>
  return %0 : tensor<?x?x{type}>
}}"""


def lines(count, size, bytes):
    """Sectors of |count| lines of |size| elements, one behind the other: those of 32 neighbours from the line's start on are asked for together, of lines shorter than that
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


@pytest.mark.parametrize("name", CASES)
def test_least_traffic(name, heddle, tmp_path):
    program, shape, least = CASES[name]
    (tmp_path / "program.mlir").write_text(program)
    done = heddle("explain", tmp_path / "program.mlir", "--target", "simt", "--random", 1, "--shape", "arg0=" + "x".join(map(str, shape)), "--json", check=True)
    (kernel,) = json.loads(done.stdout)["device_kernels"]
    assert kernel["global_sectors"] <= least, (least, kernel)
    assert not kernel["bank_conflicts"], kernel
