# SPDX-License-Identifier: Apache-2.0
"""What the shape analysis takes for granted is checked by the host before anything is computed: never only assumed."""
import re

import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

PAIR = """func.func @main(%x: tensor<?x?xf32> {{hd.dims = ["a", "b"]}}, %y: tensor<?x?xf32> {{hd.dims = ["c", "d"]}}) -> (tensor<?x?xf32>, tensor<?x?xf32>){given} {{
  %0 = stablehlo.negate %x : tensor<?x?xf32>
  %1 = stablehlo.negate %y : tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}}"""
# A dim that an argument gives twice, or two sides of an equation: both with their values.
MESSAGE = r"dims differ: .* is \d+, .* is \d+|dim \d is \d+, but .* is \d+ by argument"
CASES = [ # given, shapes that fit, shapes that do not
    ("a == c", ((3, 2), (3, 5)), ((3, 2), (4, 5))),
    ("a*b == c*d", ((4, 6), (8, 3)), ((4, 6), (8, 4))),
    ("a + 1 == c", ((3, 1), (4, 1)), ((3, 1), (3, 1))),
    ("b % 4 == 0", ((3, 8), (1, 1)), ((3, 6), (1, 1))),
    ("d >= 2", ((1, 1), (1, 2)), ((1, 1), (1, 1))),
]


def arrays(shapes): return [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]


@pytest.mark.parametrize("given, good, bad", CASES, ids=[case[0] for case in CASES])
def test_given_constraint(given, good, bad):
    run = Runtime().load(compile_program(PAIR.format(given=f' attributes {{hd.constraint = ["{given}"]}}').encode()))
    for got, x in zip(run(*arrays(good)), arrays(good)): np.testing.assert_array_equal(got, -x)
    with pytest.raises(Exception, match=MESSAGE): run(*arrays(bad))
    free = Runtime().load(compile_program(PAIR.format(given="").encode()))
    for got, x in zip(free(*arrays(bad)), arrays(bad)): np.testing.assert_array_equal(got, -x)


def test_equality_that_an_op_demands():
    text = """func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = stablehlo.multiply %1, %z : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}"""
    run = Runtime().load(compile_program(text.encode()))
    x, y, z = arrays([(3, 4), (3, 4), (6, 4)])
    np.testing.assert_array_equal(run(x, y, z)[0], np.concatenate([x + y, y]) * z)
    for shapes in ([(3, 4), (2, 4), (6, 4)], [(3, 4), (3, 4), (5, 4)], [(1, 4), (3, 4), (6, 4)]):
        with pytest.raises(Exception) as error: run(*arrays(shapes))
        assert re.search(MESSAGE, str(error.value))
