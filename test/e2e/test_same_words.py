# SPDX-License-Identifier: Apache-2.0
"""What types contradict, the compiler refuses; what only sizes of the run contradict, the run refuses: in the same words.
That dims of arguments are equal, the run checks as it takes them, which words of arguments say: not here."""
import re

import numpy as np
import pytest

from heddle.errors import HeddleError
from heddle.runtime import Runtime, compile_program

pytestmark = pytest.mark.usefixtures("compiler")

CASES = { # shapes of the operands, shape of the result, the op with types {0}, {1}, ... and {r}, what is said
    "stablehlo.slice": ([(4, 8)], None, "stablehlo.slice %a0 [0:4, 0:9] : ({0}) -> tensor<4x9xf32>",
                        "limit 1 of operand 0 is 9, expected at most dim 1 of operand 0, which is 8"),
    "stablehlo.reshape": ([(4, 8)], None, "stablehlo.reshape %a0 : ({0}) -> tensor<31xf32>",
                          "the elements of operand 0 is 32, expected the elements of the result, which is 31"),
    "stablehlo.broadcast_in_dim": ([(3,)], None, "stablehlo.broadcast_in_dim %a0, dims = [1] : ({0}) -> tensor<2x4xf32>",
                                   "dim 0 of operand 0 is 3, expected 1 or dim 1 of the result, which is 4"),
    "stablehlo.dynamic_slice": ([(4, 8)], None, "stablehlo.dynamic_slice %a0, %i, %i, sizes = [4, 9] : ({0}, tensor<i32>, tensor<i32>) -> tensor<4x9xf32>",
                                "slice size 1 of operand 0 is 9, expected at most dim 1 of operand 0, which is 8"),
    "stablehlo.dynamic_update_slice": (
        [(4, 8), (4, 9)], (4, 8), "stablehlo.dynamic_update_slice %a0, %a1, %i, %i : ({0}, {1}, tensor<i32>, tensor<i32>) -> {r}",
        "dim 1 of operand 1 is 9, expected at most dim 1 of operand 0, which is 8"),
    "stablehlo.torch_index_select": ([(4, 8), (5, 2)], (4, 2),
                                     '"stablehlo.torch_index_select"(%a0, %k) <{{batch_dims = 1 : i64, dim = 1 : i64}}> : ({0}, {1}) -> {r}',
                                     "dim 0 of operand 0 is 4, expected dim 0 of operand 1, which is 5"),
}


def program(case, known):
    shapes, result, op, _ = CASES[case]
    def tensor(shape, element): return f"tensor<{''.join(f'{d if known else chr(63)}x' for d in shape)}{element}>"
    types = [tensor(shape, "f32") for shape in shapes]
    convert = ""
    if "%k" in op:
        convert = f"  %k = stablehlo.convert %a1 : ({types[1]}) -> {tensor(shapes[1], 'i32')}\n"
    operands = [t.replace("f32", "i32") if "%k" in op and i == 1 else t for i, t in enumerate(types)]
    text = op.format(*operands, r=tensor(result, "f32") if result else "")
    given = re.search(r"-> (\S+)$", text)[1]
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    return (f"func.func @main({arguments}) -> {given} {{\n  %i = stablehlo.constant dense<0> : tensor<i32>\n{convert}"
            f"  %r = {text}\n  return %r : {given}\n}}").encode()


@pytest.mark.parametrize("case", CASES)
def test_same_words(case):
    shapes, _, _, words = CASES[case]
    with pytest.raises(HeddleError) as refused: compile_program(program(case, True))
    assert f"'{case}' op {words}" in str(refused.value)
    run = Runtime(threads=1).load(compile_program(program(case, False)))
    with pytest.raises(HeddleError) as failed: run(*[np.zeros(shape, np.float32) for shape in shapes])
    assert f"{case}: {words}" in re.sub(r" \([\w*]+\)", "", str(failed.value))
