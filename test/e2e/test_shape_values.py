# SPDX-License-Identifier: Apache-2.0
"""Integers that follow from dims, as results and as sizes: what the compiler knows of them is what the ops compute."""
import pytest

pytestmark = pytest.mark.usefixtures("compiler")

ROWS = {
    "transposing_broadcast": ("""
func.func public @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?x?x?xf32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %d2 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d3 = stablehlo.get_dimension_size %b, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %r2 = stablehlo.reshape %d2 : (tensor<i32>) -> tensor<1xi32>
  %r3 = stablehlo.reshape %d3 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, %r2, %r3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %m = stablehlo.reshape %s : (tensor<4xi32>) -> tensor<2x2xi32>
  %t = stablehlo.broadcast_in_dim %m, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %u = stablehlo.reshape %t : (tensor<2x2xi32>) -> tensor<4xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %o = stablehlo.dynamic_broadcast_in_dim %c, %u, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  return %o : tensor<?x?x?x?xf32>
}
""", ["arg0=2x3 arg1=4x5", "arg0=1x1 arg1=1x7"]),
    "concatenate_behind_unknown_length": ("""
func.func public @main(%p: tensor<?xi32>, %a: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %p, %r0, %r1, dim = 0 : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %o = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %o : tensor<?x?x?xf32>
}
""", ["arg0=1 arg1=2x3"]),
    "reducer_of_one_argument": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %z = stablehlo.constant dense<1> : tensor<i32>
  %n = "stablehlo.reduce"(%s, %z) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %q = stablehlo.add %x, %x : tensor<i32>
    stablehlo.return %q : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %nn = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %o = stablehlo.dynamic_broadcast_in_dim %c, %nn, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}
""", ["arg0=2x3", "arg0=0x3"]),
    "add_of_truths": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.compare GE, %d0, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = stablehlo.compare GE, %d1, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %o = stablehlo.add %p, %q : tensor<i1>
  %n = stablehlo.select %o, %d0, %d1 : tensor<i1>, tensor<i32>
  %nn = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.dynamic_broadcast_in_dim %c, %nn, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""", ["arg0=3x7", "arg0=0x2"]),
    "unsigned_maximum": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<ui32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %s = stablehlo.subtract %d0, %five : tensor<i32>
  %u = stablehlo.convert %s : (tensor<i32>) -> tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %m = stablehlo.maximum %u, %two : tensor<ui32>
  return %m : tensor<ui32>
}
""", ["arg0=3", "arg0=6", "arg0=9"]),
    "division_after_wrap": ("""
func.func public @main(%a: tensor<?xf32>) -> tensor<i32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %k = stablehlo.constant dense<1000000000> : tensor<i32>
  %m = stablehlo.multiply %d0, %k : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %q = stablehlo.divide %m, %two : tensor<i32>
  return %q : tensor<i32>
}
""", ["arg0=1", "arg0=5"]),
    "reducer_that_subtracts": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<i32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %z = stablehlo.constant dense<100> : tensor<i32>
  %n = "stablehlo.reduce"(%s, %z) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %q = stablehlo.maximum %y, %y : tensor<i32>
    stablehlo.return %q : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %n : tensor<i32>
}
""", ["arg0=2x3"]),
    "truth_as_a_number": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<2xi32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %three = stablehlo.constant dense<3> : tensor<2xi32>
  %t = stablehlo.compare LT, %s, %three : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %n = stablehlo.convert %t : (tensor<2xi1>) -> tensor<2xi32>
  return %n : tensor<2xi32>
}
""", ["arg0=2x3", "arg0=4x0"]),
    "copying_broadcast": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<2x2xi32> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  return %b : tensor<2x2xi32>
}
""", ["arg0=2x3"]),
    "unsigned_order": ("""
func.func public @main(%a: tensor<?x?xf32>) -> tensor<2xi1> {
  %d0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %five = stablehlo.constant dense<5> : tensor<2xi32>
  %m = stablehlo.subtract %s, %five : tensor<2xi32>
  %u = stablehlo.convert %m : (tensor<2xi32>) -> tensor<2xui32>
  %two = stablehlo.constant dense<2> : tensor<2xui32>
  %c = stablehlo.compare GT, %u, %two : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  return %c : tensor<2xi1>
}
""", ["arg0=2x3", "arg0=5x6", "arg0=8x9"]),
}


@pytest.mark.parametrize("name", ROWS)
def test_values(heddle, tmp_path, name):
    text, shapes = ROWS[name]
    path = tmp_path / "program.mlir"
    path.write_text(text)
    for shape in shapes:
        heddle("run", path, "--random", 1, *(word for one in shape.split() for word in ("--shape", one)), "--reference=eval", check=True)


UNSIGNED = """
func.func public @main(%t: tensor<TYPE>) -> tensor<?xi32> {
  %n = stablehlo.convert %t : (tensor<TYPE>) -> tensor<i32>
  %r = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %r, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %i : tensor<?xi32>
}
"""


@pytest.mark.parametrize("element", ["i1", "ui8", "ui32", "i8"])
def test_sizes_without_a_sign(heddle, tmp_path, element):
    """A truth or an unsigned number that gives a size is read as what it is."""
    path = tmp_path / "program.mlir"
    path.write_text(UNSIGNED.replace("TYPE", element))
    for limit in (2, 128 if element == "i8" else 256): heddle("run", path, "--random", 3, "--random-max", limit, "--reference=eval", check=True)


BLOWUP = ["func.func public @main(%a: tensor<?xf32>) -> tensor<?xf32> {",
          "  %x0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>",
          "  %three = stablehlo.constant dense<3> : tensor<i32>",
          "  %seven = stablehlo.constant dense<7> : tensor<i32>",
          *(f"  %q{i} = stablehlo.divide %x{i}, %three : tensor<i32>\n  %m{i} = stablehlo.remainder %x{i}, %seven : tensor<i32>\n"
            f"  %x{i + 1} = stablehlo.maximum %q{i}, %m{i} : tensor<i32>" for i in range(60)),
          "  %s = stablehlo.reshape %x60 : (tensor<i32>) -> tensor<1xi32>",
          "  %c = stablehlo.constant dense<1.0> : tensor<f32>",
          "  %o = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>",
          "  return %o : tensor<?xf32>", "}"]


def test_large_expressions(heddle, tmp_path):
    """An expression that is small in memory and without end as a tree is computed, not written out."""
    path = tmp_path / "program.mlir"
    path.write_text("\n".join(BLOWUP))
    for size in (0, 1000): heddle("run", path, "--random", 1, "--shape", f"arg0={size}", "--reference=eval", check=True, timeout=60)
