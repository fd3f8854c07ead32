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
# (a, b) then (c, d) is (a c, a d + b): associative and not commutative. The initial value counts once.
ORDERED = """func.func public @main(%a: tensor<?x?x?xT>, %b: tensor<?x?x?xT>) -> (tensor<?xT>, tensor<?xT>) {
  %o = stablehlo.constant dense<3> : tensor<T>
  %z = stablehlo.constant dense<5> : tensor<T>
  %r:2 = stablehlo.reduce(%a init: %o), (%b init: %z) across dimensions = [1, 2] : (tensor<?x?x?xT>, tensor<?x?x?xT>, tensor<T>, tensor<T>) -> (tensor<?xT>, tensor<?xT>)
   reducer(%x: tensor<T>, %y: tensor<T>) (%p: tensor<T>, %q: tensor<T>) {
    %m = stablehlo.multiply %x, %y : tensor<T>
    %n = stablehlo.multiply %x, %q : tensor<T>
    %s = stablehlo.add %n, %p : tensor<T>
    stablehlo.return %m, %s : tensor<T>, tensor<T>
  }
  return %r#0, %r#1 : tensor<?xT>, tensor<?xT>
}
"""
ARGMAX = """func.func public @main(%a: tensor<?x?xT>) -> (tensor<?xT>, tensor<?xi32>) {
  %m = stablehlo.constant dense<ZERO> : tensor<T>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = shape.shape_of %a : tensor<?x?xT> -> tensor<2xindex>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi32>
  %r:2 = stablehlo.reduce(%a init: %m), (%i init: %z) across dimensions = [1] : (tensor<?x?xT>, tensor<?x?xi32>, tensor<T>, tensor<i32>) -> (tensor<?xT>, tensor<?xi32>)
   reducer(%x: tensor<T>, %y: tensor<T>) (%p: tensor<i32>, %q: tensor<i32>) {
    %c = stablehlo.compare GE, %x, %y : (tensor<T>, tensor<T>) -> tensor<i1>
    %v = stablehlo.select %c, %x, %y : tensor<i1>, tensor<T>
    %w = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<T>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<?xT>, tensor<?xi32>
}
"""
COMPLEX = """func.func public @main(%a: tensor<?x?xT>) -> tensor<?xT> {
  %o = stablehlo.constant dense<(1.0, 2.0)> : tensor<T>
  %r = stablehlo.reduce(%a init: %o) applies stablehlo.add across dimensions = [1] : (tensor<?x?xT>, tensor<T>) -> tensor<?xT>
  return %r : tensor<?xT>
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
    + [(ORDERED, t, f"{s} {s}", ()) for t in ("i8", "i64") for s in ("5x1x7", "2x1x31", "1x1x32", "2x3x11", "2x2x512", "2x1x1023", "1x25x41", "1x1x8193", "0x3x2", "3x0x2")]
    + [(ARGMAX, t, s, ()) for t in ("f32", "bf16", "i1", "i64") for s in ("5x7", "2x33", "2x1025", "1x8192", "0x3", "3x0")]
    + [(COMPLEX, t, s, ()) for t in ("complex<f32>", "complex<f64>") for s in ("5x7", "2x33", "2x1025", "1x8193", "3x0")]
)


@pytest.mark.parametrize("text, element, shapes, options", CASES, ids=lambda v: None if len(v) > 40 else str(v))
def test_every_pass(heddle, tmp_path, text, element, shapes, options):
    (tmp_path / "p.mlir").write_text(text.replace("xT", f"x{element}").replace("<T>", f"<{element}>").replace("ZERO", "false" if element == "i1" else "0" if element[0] == "i" else "0.0"))
    sizes = [word for i, size in enumerate(shapes.split()) for word in ("--shape", f"arg{i}={size}")]
    done = heddle("bisect", tmp_path / "p.mlir", "--random", "1", *sizes, *options, "--target", "cuda")
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


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", DIAMONDS)
def test_diamonds(build, kind, target):
    lines = []
    for depth in (30, 60):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), f"--disc-pipeline=target={target}", "-"], input=chain(kind, depth), capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        lines.append(done.stdout.count("\n"))
    assert lines[1] <= 3 * lines[0], lines
