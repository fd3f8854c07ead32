# SPDX-License-Identifier: Apache-2.0
"""Rows and matrices of a few elements, many to a vector, at every number of rows around the groups that fill vectors: the results are the
evaluator's, whatever the number of threads."""
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiler")
ROWS = (0, 1, 2, 3, 15, 17, 47, 1000)


def product(t, m, k, n):
    return f"""func.func @main(%x: tensor<?x{m}x{k}x{t}>, %y: tensor<?x{k}x{n}x{t}>) -> tensor<?x{m}x{n}x{t}> {{
  %d = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x{m}x{k}x{t}>, tensor<?x{k}x{n}x{t}>) -> tensor<?x{m}x{n}x{t}>
  return %d : tensor<?x{m}x{n}x{t}>
}}
""", ["b", m, k], ["b", k, n]


def row_product(t, k, n, wide=False):
    """A row by a matrix, as a vector or as a matrix of one row."""
    row, out = (f"1x{k}x{t}", f"1x{n}x{t}") if wide else (f"{k}x{t}", f"{n}x{t}")
    return f"""func.func @main(%x: tensor<{row}>, %y: tensor<{k}x{n}x{t}>, %z: tensor<{out}>) -> tensor<{out}> {{
  %d = stablehlo.dot_general %x, %y, contracting_dims = [{int(wide)}] x [0] : (tensor<{row}>, tensor<{k}x{n}x{t}>) -> tensor<{out}>
  %s = stablehlo.add %d, %z : tensor<{out}>
  return %s : tensor<{out}>
}}
""", [1, k] if wide else [k], [k, n], [1, n] if wide else [n]


def transposed(t, n):
    return f"""func.func @main(%x: tensor<{n}x?x{n}x{t}>, %y: tensor<?x{n}x{n}x{t}>) -> tensor<?x{n}x{n}x{t}> {{
  %d = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [0] x [2] : (tensor<{n}x?x{n}x{t}>, tensor<?x{n}x{n}x{t}>) -> tensor<?x{n}x{n}x{t}>
  %s = stablehlo.add %d, %y : tensor<?x{n}x{n}x{t}>
  return %s : tensor<?x{n}x{n}x{t}>
}}
""", [n, "b", n], ["b", n, n]


def softmax(t, n):
    return f"""func.func @main(%x: tensor<?x{n}x{t}>) -> (tensor<?x{t}>, tensor<?x{n}x{t}>) {{
  %low = stablehlo.constant dense<-100.0> : tensor<{t}>
  %zero = stablehlo.constant dense<0.0> : tensor<{t}>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x{n}x{t}>, tensor<{t}>) -> tensor<?x{t}>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x{n}x{t}>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.constant dense<{n}> : tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?x{t}>, tensor<2xi32>) -> tensor<?x{n}x{t}>
  %d = stablehlo.subtract %x, %mb : tensor<?x{n}x{t}>
  %e = stablehlo.exponential %d : tensor<?x{n}x{t}>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x{n}x{t}>, tensor<{t}>) -> tensor<?x{t}>
  %sb = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?x{t}>, tensor<2xi32>) -> tensor<?x{n}x{t}>
  %q = stablehlo.divide %e, %sb : tensor<?x{n}x{t}>
  return %s, %q : tensor<?x{t}>, tensor<?x{n}x{t}>
}}
""", ["b", n]


def first_of_largest(t, n):
    """The least index of the largest element, and the sum of squares around it: reductions of what reads another one."""
    whole, dims = f"tensor<?x{n}x{t}>", "%shape, dims"
    return f"""func.func @main(%x: {whole}) -> (tensor<?xi32>, tensor<?x{t}>) {{
  %low = stablehlo.constant dense<-100> : tensor<i32>
  %lowest = stablehlo.convert %low : (tensor<i32>) -> tensor<{t}>
  %most = stablehlo.constant dense<{n}> : tensor<i32>
  %nought = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.convert %nought : (tensor<i32>) -> tensor<{t}>
  %m = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : ({whole}, tensor<{t}>) -> tensor<?x{t}>
  %b = stablehlo.get_dimension_size %x, dim = 0 : ({whole}) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.constant dense<{n}> : tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, {dims} = [0] : (tensor<?x{t}>, tensor<2xi32>) -> {whole}
  %equal = stablehlo.compare EQ, %x, %mb : ({whole}, {whole}) -> tensor<?x{n}xi1>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x{n}xi32>
  %far = stablehlo.dynamic_broadcast_in_dim %most, {dims} = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x{n}xi32>
  %at = stablehlo.select %equal, %i, %far : tensor<?x{n}xi1>, tensor<?x{n}xi32>
  %least = stablehlo.reduce(%at init: %most) applies stablehlo.minimum across dimensions = [1] : (tensor<?x{n}xi32>, tensor<i32>) -> tensor<?xi32>
  %d = stablehlo.subtract %x, %mb : {whole}
  %s = stablehlo.multiply %d, %d : {whole}
  %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : ({whole}, tensor<{t}>) -> tensor<?x{t}>
  return %least, %sum : tensor<?xi32>, tensor<?x{t}>
}}
""", ["b", n]


def points(t, n):
    """A row vector, a column vector and every other element backwards."""
    return f"""func.func @main(%x: tensor<?x{2 * n}x{t}>, %r: tensor<{n}x{t}>, %c: tensor<?x{t}>) -> tensor<?x{n}x{t}> {{
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x{2 * n}x{t}>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %zeros = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %ones = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %n2 = stablehlo.constant dense<{2 * n}> : tensor<1xi32>
  %n1 = stablehlo.constant dense<{n}> : tensor<1xi32>
  %limit = stablehlo.concatenate %b1, %n2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %shape = stablehlo.concatenate %b1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %odd = stablehlo.real_dynamic_slice %x, %zeros, %limit, %ones : (tensor<?x{2 * n}x{t}>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x{n}x{t}>
  %back = stablehlo.reverse %odd, dims = [1] : tensor<?x{n}x{t}>
  %rb = stablehlo.dynamic_broadcast_in_dim %r, %shape, dims = [1] : (tensor<{n}x{t}>, tensor<2xi32>) -> tensor<?x{n}x{t}>
  %cb = stablehlo.dynamic_broadcast_in_dim %c, %shape, dims = [0] : (tensor<?x{t}>, tensor<2xi32>) -> tensor<?x{n}x{t}>
  %p = stablehlo.multiply %back, %rb : tensor<?x{n}x{t}>
  %s = stablehlo.add %p, %cb : tensor<?x{n}x{t}>
  return %s : tensor<?x{n}x{t}>
}}
""", ["b", 2 * n], [n], ["b"]


def interleaved(t, n):
    """Two tensors in turn, of which one is read backwards, and a third one after them."""
    return f"""func.func @main(%x: tensor<?x{n}x1x{t}>, %y: tensor<?x{n}x1x{t}>, %z: tensor<?x{n}x3x{t}>) -> tensor<?x{n}x5x{t}> {{
  %back = stablehlo.reverse %y, dims = [1] : tensor<?x{n}x1x{t}>
  %c = stablehlo.concatenate %x, %back, %z, dim = 2 : (tensor<?x{n}x1x{t}>, tensor<?x{n}x1x{t}>, tensor<?x{n}x3x{t}>) -> tensor<?x{n}x5x{t}>
  return %c : tensor<?x{n}x5x{t}>
}}
""", ["b", n, 1], ["b", n, 1], ["b", n, 3]


PROGRAMS = {f"product_{t}_{m}_{k}_{n}": product(t, m, k, n) for t, m, k, n in
            (("f32", 2, 2, 2), ("f32", 3, 3, 3), ("f32", 1, 4, 3), ("f32", 8, 8, 8), ("f32", 3, 0, 2), ("f64", 3, 2, 5), ("bf16", 3, 3, 3), ("f16", 4, 4, 4), ("i32", 3, 3, 3),
             ("i8", 3, 5, 3), ("complex<f32>", 2, 3, 3))}
PROGRAMS.update({f"interleaved_{t}_{n}": interleaved(t, n) for t, n in (("f32", 4), ("bf16", 3), ("ui8", 1), ("complex<f32>", 2))})
PROGRAMS.update({f"row_product_{t}_{k}_{n}_{wide}": row_product(t, k, n, wide) for t, k, n, wide in
                 (("f32", 16, 32, False), ("f32", 1, 9, False), ("f32", 37, 101, True), ("f32", 64, 64, True), ("f64", 5, 17, False), ("bf16", 33, 40, True), ("f16", 8, 8, False),
                  ("i32", 20, 31, False), ("i8", 40, 33, False), ("complex<f32>", 7, 12, False))})
PROGRAMS.update({f"transposed_{t}_{n}": transposed(t, n) for t, n in (("f32", 3), ("bf16", 4), ("i32", 5))})
PROGRAMS.update({f"softmax_{t}_{n}": softmax(t, n) for t, n in (("f32", 2), ("f32", 3), ("f32", 7), ("f32", 8), ("f32", 9), ("bf16", 5), ("f64", 3))})
PROGRAMS.update({f"first_of_largest_{t}_{n}": first_of_largest(t, n) for t, n in (("f32", 1), ("f32", 7), ("f32", 8), ("f32", 9), ("bf16", 5), ("f64", 3), ("i32", 4))})
PROGRAMS.update({f"points_{t}_{n}": points(t, n) for t, n in (("f32", 3), ("bf16", 3), ("i32", 5), ("ui8", 3), ("f64", 7), ("complex<f32>", 3))})


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_number_of_rows(heddle, tmp_path, name):
    text, *shapes = PROGRAMS[name]
    (tmp_path / "p.mlir").write_text(text)
    heddle("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.hdl", check=True)
    for rows in ROWS:
        given = [a for i, s in enumerate(shapes) for a in ("--shape", f"arg{i}=" + "x".join(str(rows if d == "b" else d) for d in s))]
        heddle("run", tmp_path / "p.mlir", "--random", "1", *given, "--reference=eval", check=True)
    outputs = []
    for threads in (1, 2):
        heddle("run", tmp_path / "p.hdl", "--random", "2", *given, "--threads", threads, "--outputs", tmp_path / f"{threads}.npz", check=True)
        with np.load(tmp_path / f"{threads}.npz") as made: outputs.append([made[f].tobytes() for f in made.files])
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("level", ("x86-64-v3", "x86-64-v4"))
@pytest.mark.parametrize("name", ("product_f32_3_3_3", "softmax_f32_7", "points_bf16_3", "first_of_largest_f32_7", "row_product_f32_37_101_True"))
def test_levels(heddle, tmp_path, name, level):
    """Every vector width gives the same bits."""
    text, *shapes = PROGRAMS[name]
    (tmp_path / "p.mlir").write_text(text)
    given = [a for i, s in enumerate(shapes) for a in ("--shape", f"arg{i}=" + "x".join(str(131 if d == "b" else d) for d in s))]
    done = heddle("run", tmp_path / "p.mlir", "--random", "1", *given, "--mcpu", level, "--reference=eval")
    if "not have" in done.stderr: pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("level", ("x86-64-v3", "native"))
def test_one_element_behind(level):
    """The dim that is walked is the last of more than one element; an update of a column is stored with its step."""
    from heddle.runtime import Runtime, compile_program
    text = """func.func @main(%x: tensor<?xf32>, %y: tensor<?x1xf32>, %z: tensor<?x?xf32>, %i: tensor<i32>) -> (tensor<?x1xf32>, tensor<?x1x1xf32>, tensor<?x?xf32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %s = shape.shape_of %y : tensor<?x1xf32> -> tensor<2xindex>
      %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x1xf32>
      %1 = stablehlo.subtract %0, %y : tensor<?x1xf32>
      %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
      %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %one = stablehlo.constant dense<1> : tensor<1xi32>
      %t = stablehlo.concatenate %m, %one, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
      %2 = stablehlo.dynamic_broadcast_in_dim %x, %t, dims = [0] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x1x1xf32>
      %3 = stablehlo.dynamic_update_slice %z, %1, %zero, %i : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>
      return %1, %2, %3 : tensor<?x1xf32>, tensor<?x1x1xf32>, tensor<?x?xf32>
    }"""
    program = Runtime(threads=2).load(compile_program(text.encode(), mcpu=[level]))
    for n in (0, 1, 5, 16, 17, 131, 2049):
        x, y, z = np.arange(n, dtype=np.float32), np.full((n, 1), 3, np.float32), np.zeros((n, 4), np.float32)
        got = program(x, y, z, np.array(2, np.int32))
        column = x[:, None] - y
        np.testing.assert_array_equal(got[0], column)
        np.testing.assert_array_equal(got[1], x[:, None, None])
        z[:, 2:3] = column
        np.testing.assert_array_equal(got[2], z)
