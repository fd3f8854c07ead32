# SPDX-License-Identifier: Apache-2.0
"""rng_bit_generator on a state whose size only the run knows."""
import numpy as np
import pytest
from libheddle import evaluate

from heddle.runtime import Runtime, compile_program


# sizes whose bits are around 64, 128, 192 and 256: the words of a state (src/ir/rng_state.h)
STATES = {"ui64": (np.uint64, range(6)), "i32": (np.int32, range(9)), "f32": (np.float32, range(9)), "ui8": (np.uint8, (0, 1, 5, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 70)),
          "i1": (np.bool_, (0, 3, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 300))}


def program(dims, element, algorithm, result, rank=1):
    state = f"tensor<{'x'.join([dims] * rank)}x{element}>"
    return (f"func.func @main(%s: {state}) -> ({state}, {result}) {{\n"
            f"  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : ({state}) -> ({state}, {result})\n"
            f"  return %0, %1 : {state}, {result}\n}}").encode()


def bits(array):
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX", "DEFAULT"])
@pytest.mark.parametrize("element", STATES)
def test_unknown_size(element, algorithm, compiler):
    """The numbers and the next state are what the evaluator gives, at every size."""
    dtype, sizes = STATES[element]
    rng = np.random.default_rng(3)
    for result in ("tensor<3x4xui32>", "tensor<5xui64>", "tensor<7xbf16>"):
        text = program("?", element, algorithm, result)
        executable = Runtime(threads=1).load(compile_program(text, "rng.mlir", threads=1))
        for size in sizes:
            raw = rng.integers(0, 2 if element == "i1" else 256, size * dtype().itemsize).astype(np.uint8)
            if size % 2: raw |= 0 if element == "i1" else 255  # a counter about to carry
            state = raw.view(dtype)
            got, want = executable(state), evaluate(text, [state])
            assert [bits(g) for g in got] == [bits(w) for w in want], (size, result)


@pytest.mark.parametrize("dims", [63, 200])
def test_single_bits(dims, compiler):
    """States and results of one bit an element take the low bits of numbers, not whether these are 0."""
    text = program(str(dims), "i1", "PHILOX", "tensor<99xi1>")
    state = np.random.default_rng(1).integers(0, 2, dims).astype(bool)
    got, want = Runtime(threads=1).load(compile_program(text, "rng.mlir", threads=1))(state), evaluate(text, [state])
    assert [bits(g) for g in got] == [bits(w) for w in want] and 0 < want[1].sum() < 99


def test_unknown_dims(compiler):
    """A state of two unknown dims is its elements in row-major order."""
    text = program("?", "ui32", "PHILOX", "tensor<6xui32>", rank=2)
    executable = Runtime(threads=1).load(compile_program(text, "rng.mlir", threads=1))
    for dims in ((1, 2), (2, 2), (3, 1), (2, 3), (0, 4), (5, 5)):
        state = np.arange(7, 7 + dims[0] * dims[1], dtype=np.uint32).reshape(dims)
        got, want = executable(state), evaluate(text, [state])
        assert [bits(g) for g in got] == [bits(w) for w in want], dims
