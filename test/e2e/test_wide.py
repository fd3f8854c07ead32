# SPDX-License-Identifier: Apache-2.0
"""Programs of more distinct kernels than are written for speed: the others, written for little code and merged where they differ in
constants alone, give the same bits."""
import os
import re
import subprocess

import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

FILLERS = 130 # distinct kernels before those that are compared


def elementwise(x, rows):
    return f"""  %m = stablehlo.multiply {x}, {x} : {rows}
  %n = stablehlo.subtract %m, {x} : {rows}
  %t = stablehlo.tanh %n : {rows}
  %r = stablehlo.maximum %t, {x} : {rows}""", rows


def product_used_twice(x, rows):
    return f"""  %m = stablehlo.multiply {x}, {x} : {rows}
  %n = stablehlo.add %m, {x} : {rows}
  %r = stablehlo.divide %n, %m : {rows}""", rows


def product_negated(x, rows):
    """-(x * x) - x and x + -(x * that), which an fma may take too."""
    return f"""  %m = stablehlo.multiply {x}, {x} : {rows}
  %n = stablehlo.negate %m : {rows}
  %s = stablehlo.subtract %n, {x} : {rows}
  %u = stablehlo.multiply {x}, %s : {rows}
  %v = stablehlo.negate %u : {rows}
  %r = stablehlo.add {x}, %v : {rows}""", rows


def reduce(x, rows, dim, kept, element):
    return f"""  %z = stablehlo.constant dense<0.0> : tensor<{element}>
  %e = stablehlo.multiply {x}, {x} : {rows}
  %f = stablehlo.exponential %e : {rows}
  %r = stablehlo.reduce(%f init: %z) applies stablehlo.add across dimensions = [{dim}] : ({rows}, tensor<{element}>) -> {kept}""", kept


def row(x, rows, element="f32"): return reduce(x, rows, 1, f"tensor<?x{element}>", element)


def column(x, rows, element="f32"): return reduce(x, rows, 0, f"tensor<{rows.split('x')[1]}x{element}>", element)


def softmax(x, rows):
    return f"""  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce({x} init: %z) applies stablehlo.maximum across dimensions = [1] : ({rows}, tensor<f32>) -> tensor<?xf32>
  %h = shape.shape_of {x} : {rows} -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %s, %h, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> {rows}
  %d = stablehlo.subtract {x}, %b : {rows}
  %e = stablehlo.exponential %d : {rows}
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : ({rows}, tensor<f32>) -> tensor<?xf32>
  %c = stablehlo.dynamic_broadcast_in_dim %t, %h, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> {rows}
  %r = stablehlo.divide %e, %c : {rows}""", rows


PIECES = [(make, width, element) for element, makes in (("f32", (elementwise, product_used_twice, product_negated, row, column, softmax)), ("bf16", (elementwise, row, column)),
                                                       ("f64", (elementwise, product_used_twice, product_negated)))
          for make in makes for width in (3, 16, 21, 100, 600)]


def scaled(factor, low, high):
    """Rows times a constant, then padded with another one: by an identity, a subnormal and an infinity too."""
    def make(x, rows):
        width, element = rows.split("x")[1:]
        element, to = element[:-1], f"tensor<?x{int(width) + low + high}x{element}"
        return f"""  %s = stablehlo.constant dense<{factor}> : tensor<{width}x{element}>
  %h = shape.shape_of {x} : {rows} -> tensor<2xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %s, %h, dims = [1] : (tensor<{width}x{element}>, tensor<2xindex>) -> {rows}
  %m = stablehlo.multiply {x}, %b : {rows}
  %n = stablehlo.add %m, {x} : {rows}
  %c = stablehlo.constant dense<{factor}> : tensor<{element}>
  %r = stablehlo.pad %n, %c, low = [0, {low}], high = [0, {high}], interior = [0, 0] : ({rows}, tensor<{element}>) -> {to}""", to
    make.__name__ = f"scaled by {factor}, padded {low}, {high}"
    return make


SIMILAR = [(scaled(factor, low, high), width, element) for element in ("f32", "f64", "bf16") for width in (7, 40, 65)
           for factor, low, high in ((0.5, 3, 1), (1.0, 4, 2), (-1.0, 5, 1), (0.0, 17, 9), (-0.0, 1, 1), ("1.0e-39", 2, 5),
                                     ("0x7F80" if element == "bf16" else "0x7F800000" if element == "f32" else "0x7FF0000000000000", 3, 3),
                                     (3.25, 30, 2), (-7.5, 11, 0))]


def piece(number, make, width, element):
    """The argument, the ops and the result's name and type."""
    rows, x = f"tensor<?x{width}x{element}>", f"%a{number}"
    body, result = make(x, rows, element) if make in (row, column) else make(x, rows)
    return f"{x}: {rows}", re.sub(r"%([b-z])\b", rf"%\g<1>{number}", body), f"%r{number}", result


def program(pieces):
    arguments, bodies, names, types = zip(*pieces)
    return (f"func.func public @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n" + "\n".join(bodies)
            + f"\n  return {', '.join(names)} : {', '.join(types)}\n}}\n").encode()


def filler(number):
    rows = f"tensor<?x{1000 + number}xf32>"
    return f"%p{number}: {rows}", f"  %q{number} = stablehlo.negate %p{number} : {rows}", f"%q{number}", rows


def check_bits(made):
    """The pieces give in a program of many kernels what each gives alone."""
    import ml_dtypes
    dtypes = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}
    pieces = [piece(i, *each) for i, each in enumerate(made)]
    runtime, random = Runtime(2), np.random.default_rng(5)
    wide = runtime.load(compile_program(program([filler(i) for i in range(FILLERS)] + pieces)))
    alone = [runtime.load(compile_program(program([each]))) for each in pieces]
    for rows in (0, 1, 5, 70, 700):
        inputs = [random.standard_normal((rows, width)).astype(dtypes[element]) for _, width, element in made]
        fillers = [np.ones((1, 1000 + i), np.float32) for i in range(FILLERS)]
        results = wide(*fillers, *inputs)[FILLERS:]
        for (make, width, element), x, one, got in zip(made, inputs, alone, results):
            want, = one(x)
            assert got.tobytes() == want.tobytes(), f"{make.__name__} of {rows}x{width} {element}"


def test_kernels_beyond_the_first_give_the_same_bits():
    check_bits(PIECES)


def test_kernels_that_differ_in_constants_give_the_same_bits():
    check_bits(SIMILAR)


@pytest.mark.parametrize("make", [lambda i: (elementwise, 1300 + i, "f32"), lambda i: (row, 1300 + i, "f32"), lambda i: (column, 1300 + i, "bf16"),
                                  lambda i: (scaled(0.5 + i, 1 + i % 90, 1 + i // 7), 64 + i, "f64")], ids=["elementwise", "rows", "columns", "padded"])
def test_kernels_that_differ_in_constants_are_one(make, build):
    """Four times the launches have as many kernels and a few."""
    def kernels(count):
        text = program([filler(i) for i in range(FILLERS)] + [piece(i, *make(i)) for i in range(count)])
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "-", "--disc-pipeline=target=cpu"], input=text, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
        assert done.stdout.count(b"hd.launch @") >= FILLERS + count
        return len(re.findall(rb"attributes {.*hd\.kernel", done.stdout))
    few, many = kernels(50), kernels(200)
    assert many <= few + 8, (few, many)
