# SPDX-License-Identifier: Apache-2.0
"""Versions and schedules of the gpu pipeline: what the evaluator gives after every pass, at sizes that take each version,
and how large the code becomes."""
import os
import subprocess

import pytest

ELEMENTWISE = """func.func public @main(%a: tensor<?x?xT>, %b: tensor<?x?xT>) -> (tensor<?x?xT>, tensor<?x?xT>) {
  %0 = stablehlo.add %a, %b : tensor<?x?xT>
  %1 = stablehlo.multiply %0, %b : tensor<?x?xT>
  return %0, %1 : tensor<?x?xT>, tensor<?x?xT>
}
"""
# Broadcasts of unknown dims, which may be 1: of the same rank, of the last dim, of the last two.
BROADCASTS = """func.func public @main(%a: tensor<?x?x?xT>, %b: tensor<?x?x?xT>, %c: tensor<?xT>, %d: tensor<?x?xT>) -> (tensor<?x?x?xT>, tensor<?x?x?xf32>) {
  %s = shape.shape_of %a : tensor<?x?x?xT> -> tensor<3xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [2] : (tensor<?xT>, tensor<3xindex>) -> tensor<?x?x?xT>
  %1 = stablehlo.dynamic_broadcast_in_dim %d, %s, dims = [1, 2] : (tensor<?x?xT>, tensor<3xindex>) -> tensor<?x?x?xT>
  %2 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [0, 1, 2] : (tensor<?x?x?xT>, tensor<3xindex>) -> tensor<?x?x?xT>
  %3 = stablehlo.add %a, %0 : tensor<?x?x?xT>
  %4 = stablehlo.multiply %3, %1 : tensor<?x?x?xT>
  %5 = stablehlo.subtract %4, %2 : tensor<?x?x?xT>
  %6 = stablehlo.convert %5 : (tensor<?x?x?xT>) -> tensor<?x?x?xf32>
  return %4, %6 : tensor<?x?x?xT>, tensor<?x?x?xf32>
}
"""
ROWS = """func.func public @main(%a: tensor<?x?xT>) -> (tensor<?x?xT>, tensor<?x?xT>, tensor<?xT>) {
  %e = stablehlo.exponential %a : tensor<?x?xT>
  %n = stablehlo.negate %e : tensor<?x?xT>
  %z = stablehlo.constant dense<ZERO> : tensor<T>
  %r = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xT>, tensor<T>) -> tensor<?xT>
  return %e, %n, %r : tensor<?x?xT>, tensor<?x?xT>, tensor<?xT>
}
"""
COLUMNS = """func.func public @main(%a: tensor<?x?xT>, %b: tensor<?xT>) -> (tensor<?xT>, tensor<?x?xT>) {
  %s = shape.shape_of %a : tensor<?x?xT> -> tensor<2xindex>
  %c = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [1] : (tensor<?xT>, tensor<2xindex>) -> tensor<?x?xT>
  %k = stablehlo.multiply %a, %c : tensor<?x?xT>
  %z = stablehlo.constant dense<ZERO> : tensor<T>
  %r = stablehlo.reduce(%k init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xT>, tensor<T>) -> tensor<?xT>
  return %r, %k : tensor<?xT>, tensor<?x?xT>
}
"""
NARROW = ["--tolerance", "0.02"]  # rounded once instead of after every op
CASES = (
    [(ELEMENTWISE, t, f"{s} {s}", ()) for t in ("f32", "f64", "i8", "i64", "ui32", "complex<f32>") for s in ("4x8", "5x7", "2x2", "0x4", "3x1025")]
    + [(ELEMENTWISE, "bf16", f"{s} {s}", NARROW) for s in ("4x8", "4x3", "5x7")]
    + [(BROADCASTS, t, s, NARROW if t == "bf16" else ()) for t in ("f32", "bf16")
       for s in ("2x3x8 2x3x8 8 3x8", "2x3x7 2x3x7 7 3x7", "2x3x8 2x1x8 8 3x8", "2x3x8 2x3x8 1 3x8", "2x3x8 2x3x8 8 1x1", "0x3x8 0x3x8 8 3x8", "2x3x0 2x3x0 0 3x0", "1x1x1 1x1x1 1 1x1")]
    + [(ROWS, t, s, ("--tolerance", "1e-4")) for t in ("f32", "f64") for s in ("3x8", "5x7", "2x1024", "2x1025", "1x8192", "1x8193", "0x8", "3x0", "1x1")]
    + [(COLUMNS, t, s, ()) for t in ("f32", "i32", "i64") for s in ("8x4 4", "70x5 5", "100x4 1", "0x4 4", "3x0 0")]
)


@pytest.mark.parametrize("text, element, shapes, options", CASES, ids=lambda v: None if len(v) > 40 else str(v))
def test_every_pass(heddle, tmp_path, text, element, shapes, options):
    (tmp_path / "p.mlir").write_text(text.replace("xT", f"x{element}").replace("<T>", f"<{element}>").replace("ZERO", "0" if element[0] == "i" else "0.0"))
    sizes = [word for i, size in enumerate(shapes.split()) for word in ("--shape", f"arg{i}={size}")]
    done = heddle("bisect", tmp_path / "p.mlir", "--random", "1", *sizes, *options, "--target", "gpu")
    assert done.returncode == 0 and "DIFFERS" not in done.stdout, done.stdout + done.stderr


DIAMONDS = {
    "elementwise": ("tensor<?x?xf32>", "stablehlo.abs {x} : {t}", "stablehlo.negate {x} : {t}"),
    "reverse": ("tensor<64xf32>", "stablehlo.reverse {x}, dims = [0] : {t}", "stablehlo.negate {x} : {t}"),
    "transpose": ("tensor<8x8xf32>", "stablehlo.transpose {x}, dims = [1, 0] : ({t}) -> {t}", "stablehlo.negate {x} : {t}"),
    "pad": ("tensor<64xf32>", "stablehlo.pad {x}, %z, low = [1], high = [-1], interior = [0] : ({t}, tensor<f32>) -> {t}",
            "stablehlo.pad {x}, %z, low = [2], high = [-2], interior = [0] : ({t}, tensor<f32>) -> {t}"),
    "select": ("tensor<?xf32>", "stablehlo.clamp %z, {x}, %o : (tensor<f32>, {t}, tensor<f32>) -> {t}",
               "stablehlo.maximum {x}, %a : {t}"),
}


def chain(kind, depth):
    """Each step reads what the one before gives twice; half of the way is a result too."""
    t, one, other = DIAMONDS[kind]
    text = f"func.func @main(%a: {t}) -> ({t}, {t}) {{\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %o = stablehlo.constant dense<1.0> : tensor<f32>\n  %0 = stablehlo.negate %a : {t}\n"
    for i in range(depth):
        text += f"  %p{i} = {one.format(x=f'%{i}', t=t)}\n  %q{i} = {other.format(x=f'%{i}', t=t)}\n  %{i + 1} = stablehlo.subtract %p{i}, %q{i} : {t}\n"
    return text + f"  return %{depth // 2}, %{depth} : {t}, {t}\n}}\n"


@pytest.mark.parametrize("target", ["cpu", "gpu"])
@pytest.mark.parametrize("kind", DIAMONDS)
def test_diamonds(build, kind, target):
    lines = []
    for depth in (30, 60):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), f"--disc-pipeline=target={target}", "-"], input=chain(kind, depth), capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        lines.append(done.stdout.count("\n"))
    assert lines[1] <= 3 * lines[0], lines
