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


REGIONS = {
    "reduce": ("tensor<f32>", """%r = "stablehlo.reduce"(%x, %z) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      BODY
      %v = stablehlo.add %p, %w : tensor<f32>
      stablehlo.return %v : tensor<f32> }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<f32>) -> tensor<f32>"""),
    "map": ("tensor<?xf32>", """%r = "stablehlo.map"(%x) ({
    ^bb0(%q: tensor<f32>):
      BODY
      stablehlo.return %w : tensor<f32> }) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>"""),
}
BODY = """%tu = stablehlo.add %t, %u : tensor<?xf32>
      %s = stablehlo.slice %t [1:3] : (tensor<?xf32>) -> tensor<2xf32>
      %w0 = stablehlo.reduce(%tu init: %q) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
      %w = stablehlo.reduce(%s init: %w0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>"""


@pytest.mark.parametrize("op", REGIONS)
def test_regions_demand_when_they_run(heddle, tmp_path, op):
    result, text = REGIONS[op]
    path = tmp_path / "program.mlir"
    path.write_text(f"""func.func @main(%x: tensor<?xf32>, %t: tensor<?xf32>, %u: tensor<?xf32>) -> {result} {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  {text.replace("BODY", BODY)}
  return %r : {result}
}}
""")
    def run(x, t, u): return heddle("run", path, "--random", "1", "--reference=eval", f"--shape=arg0={x}", f"--shape=arg1={t}", f"--shape=arg2={u}")
    for sizes in ((0, 2, 5), (0, 4, 4), (1, 3, 3), (5, 4, 4)): assert run(*sizes).returncode == 0, run(*sizes).stderr
    assert "dim 0 of operand 0 (d1) is 3, expected dim 0 of operand 1 (d2), which is 5" in run(1, 3, 5).stderr
    assert "limit 0 of operand 0 is 3, expected at most dim 0 of operand 0 (d1), which is 2" in run(1, 2, 2).stderr


def test_padding_that_takes_away_more_than_there_is():
    """An error that says so, as in the evaluator, and no empty result."""
    run = Runtime().load(compile_program(b"""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [-3], high = [0], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""))
    for size in (3, 5): np.testing.assert_array_equal(run(np.arange(size, dtype=np.float32))[0], np.arange(3, size, dtype=np.float32))
    with pytest.raises(Exception, match=r"the padded size of dim 0 of operand 0 .* is -1, expected at least 0"): run(np.zeros(2, np.float32))
