# SPDX-License-Identifier: Apache-2.0
"""chlo.ragged_dot, evaluated and compiled, against a product of each group by itself."""
import numpy as np
import pytest
from error_model import assert_within, sums

from heddle.runtime import HeddleError, Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")


def program(shapes, result, numbers, dynamic, element="f32"):
    def tensor(dims, e):
        return "tensor<" + "".join(("?" if dynamic else str(d)) + "x" for d in dims) + e + ">"
    operands = [tensor(shapes[0], element), tensor(shapes[1], element), tensor(shapes[2], "i32")]
    arguments = ", ".join(f"%{k}: {t}" for k, t in enumerate(operands))
    dims = ", ".join(f"{name} = {list(at)}" for name, at in numbers.items())
    return f"""func.func @main({arguments}) -> {tensor(result, element)} {{
 %r = "chlo.ragged_dot"(%0, %1, %2) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{dims}>}}> : ({", ".join(operands)}) -> {tensor(result, element)}
 return %r : {tensor(result, element)}
}}""".encode()


def check(shapes, result, numbers, arrays, want, element="f32"):
    for dynamic in (False, True):
        text = program(shapes, result, numbers, dynamic, element)
        for got in (evaluate(text, arrays), Runtime(threads=2).load(compile_program(text))(*arrays)):
            assert_within(got[0], want, *bound_of(arrays, numbers))


def bound_of(arrays, numbers):
    """And a magnitude: that of as many products of the largest finite numbers as are added."""
    x, y = (np.abs(a[np.isfinite(a)]).max(initial=0).astype(np.float64) for a in arrays[:2])
    terms = int(np.prod([arrays[0].shape[d] for d in numbers["lhs_contracting_dimensions"]], dtype=np.int64))
    return sums(terms), terms * x * y


def groups(sizes):
    ends = np.cumsum(sizes)
    return list(zip(ends - sizes, ends))


def arrays_of(shapes, sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shapes[0]).astype(np.float32), rng.standard_normal(shapes[1]).astype(np.float32), np.array(sizes, np.int32)]


ROWS = {"lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [1], "lhs_ragged_dimensions": [0], "rhs_group_dimensions": [0]}


@pytest.mark.parametrize("sizes", [[3, 0, 5], [8, 0, 0], [1, 2, 3], [0, 0, 0], [4, 4, 9]])
def test_rows(sizes):
    """Each row times the matrix of its group; rows after the last group are zero."""
    shapes = [(8, 4), (3, 4, 5), (3,)]
    x, y, s = arrays_of(shapes, sizes)
    want = np.zeros((8, 5))
    for g, (a, b) in enumerate(groups(s)): want[a:b] = x[a:b] @ y[g]
    check(shapes, (8, 5), ROWS, [x, y, s], want)


@pytest.mark.parametrize("sizes", [[3, 0, 5, 0, 60, 1, 31], [100, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 100], [1, 2, 3, 0, 33, 0, 7], [0] * 7, [64, 32, 9, 9, 9, 9, 9]])
def test_rows_of_many_groups(sizes):
    """In tiles: groups that end within one, fill several, leave rows after; sizes that are more than the rows; either side of rhs contracted;
    infinities of other groups stay out."""
    shapes = [(100, 4), (7, 4, 5), (7,)]
    x, y, s = arrays_of(shapes, sizes)
    y[[g for g in range(7) if not sizes[g]]] = np.inf
    want = np.zeros((100, 5))
    for g, (a, b) in enumerate(groups(s)): want[a:b] = x[a:b] @ y[g]
    check(shapes, (100, 5), ROWS, [x, y, s], want)
    text = (f'func.func @main(%0: tensor<?x4xf32>, %1: tensor<7x5x4xf32>, %2: tensor<7xi32>) -> tensor<?x5xf32> {{\n %r = "chlo.ragged_dot"(%0, %1, %2) '
            f'<{{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], '
            f'rhs_group_dimensions = [0]>}}> : (tensor<?x4xf32>, tensor<7x5x4xf32>, tensor<7xi32>) -> tensor<?x5xf32>\n return %r : tensor<?x5xf32>\n}}').encode()
    run = Runtime(threads=2).load(compile_program(text))
    for rows in (100, 31, 1, 0):
        assert_within(run(x[:rows], np.swapaxes(y, 1, 2).copy(), s)[0], want[:rows], *bound_of([x, y], ROWS))


def test_rows_apart():
    """What a group does not have to do with stays out of it, infinities too."""
    shapes = [(6, 4), (2, 4, 3), (2,)]
    x, y, s = arrays_of(shapes, [2, 4])
    y[1, 2, 0], x[0, 0] = np.inf, np.nan
    want = np.concatenate([x[:2].astype(float) @ y[0], x[2:].astype(float) @ y[1]])
    check(shapes, (6, 3), ROWS, [x, y, s], want)


@pytest.mark.parametrize("own", [False, True])
def test_rows_of_batches(own):
    """Batches and rows outside of the ragged dim, with one list of sizes or one for each of them; groups in the middle of rhs."""
    shapes = [(2, 3, 7, 4), (5, 2, 3, 4), (2, 3, 3) if own else (3,)]
    rng = np.random.default_rng(3)
    sizes = rng.integers(0, 4, shapes[2])
    x, y, s = arrays_of(shapes, sizes)
    want = np.zeros((2, 3, 7, 5))
    for b in range(2):
        for r in range(3):
            for g, (i, j) in enumerate(groups(s[b, r] if own else s)): want[b, r, i:j] = x[b, r, i:j] @ y[:, b, g].T
    check(shapes, want.shape, {"lhs_batching_dimensions": [0], "rhs_batching_dimensions": [1], "lhs_contracting_dimensions": [3],
                               "rhs_contracting_dimensions": [3], "lhs_ragged_dimensions": [2], "rhs_group_dimensions": [2]}, [x, y, s], want)


@pytest.mark.parametrize("own", [False, True])
def test_contracting(own):
    """A product per group, over its part of the contracted dim."""
    shapes = [(2, 6, 9), (2, 9, 5), (2, 4) if own else (4,)]
    x, y, s = arrays_of(shapes, [[2, 0, 3, 1], [4, 4, 1, 0]] if own else [2, 0, 3, 1])
    want = np.zeros((4, 2, 6, 5))
    for b in range(2):
        for g, (i, j) in enumerate(groups(s[b] if own else s)): want[g, b] = x[b, :, i:j] @ y[b, i:j]
    check(shapes, want.shape, {"lhs_batching_dimensions": [0], "rhs_batching_dimensions": [0], "lhs_contracting_dimensions": [2],
                               "rhs_contracting_dimensions": [1], "lhs_ragged_dimensions": [2]}, [x, y, s], want)


def test_batches():
    """A ragged batch dim is a batch dim."""
    shapes = [(6, 2, 4), (6, 4, 3), (2,)]
    x, y, s = arrays_of(shapes, [2, 4])
    check(shapes, (6, 2, 3), {"lhs_batching_dimensions": [0], "rhs_batching_dimensions": [0], "lhs_contracting_dimensions": [2],
                              "rhs_contracting_dimensions": [1], "lhs_ragged_dimensions": [0]}, [x, y, s], x @ y)


@pytest.mark.parametrize("shapes, result", [([(0, 4), (3, 4, 5), (3,)], (0, 5)), ([(8, 0), (3, 0, 5), (3,)], (8, 5)), ([(8, 4), (0, 4, 5), (0,)], (8, 5)),
                                            ([(8, 4), (3, 4, 0), (3,)], (8, 0))])
def test_nothing(shapes, result):
    check(shapes, result, ROWS, [np.ones(shapes[0], np.float32), np.ones(shapes[1], np.float32), np.ones(shapes[2], np.int32)],
          np.zeros(result))


@pytest.mark.parametrize("change, words", [
    ({"lhs_ragged_dimensions": []}, "expects one dim of lhs in 'lhs_ragged_dimensions'"),
    ({"rhs_group_dimensions": []}, "expects one dim of rhs, neither batching nor contracting, in 'rhs_group_dimensions'"),
    ({"rhs_group_dimensions": [1]}, "expects one dim of rhs, neither batching nor contracting, in 'rhs_group_dimensions'"),
    ({"lhs_ragged_dimensions": [1]}, "expects no 'rhs_group_dimensions' where the ragged dim is in both operands"),
    ({"lhs_contracting_dimensions": [5]}, "expects distinct dims of lhs as batching and contracting ones"),
    ({"rhs_contracting_dimensions": [2]}, "dim 1 of operand 0 is 4, expected dim 2 of operand 1, which is 5"),
    ({"rhs_group_dimensions": [2], "rhs_contracting_dimensions": [1]}, "dim 0 of operand 2 is 3, expected dim 2 of operand 1, which is 5")])
def test_errors(change, words):
    with pytest.raises(HeddleError) as error: compile_program(program([(8, 4), (3, 4, 5), (3,)], (8, 5), ROWS | change, False))
    assert f"'chlo.ragged_dot' op {words}" in str(error.value)


@pytest.mark.parametrize("shapes, words", [
    ([(8, 4), (3, 4, 5), (2,)], "chlo.ragged_dot: dim 0 of operand 2 (d5) is 2, expected dim 0 of operand 1 (d2), which is 3"),
    ([(8, 4), (3, 6, 5), (3,)], "chlo.ragged_dot: dim 1 of operand 0 (d1) is 4, expected dim 1 of operand 1 (d3), which is 6")])
def test_other_sizes(shapes, words):
    run = Runtime(threads=1).load(compile_program(program([(8, 4), (3, 4, 5), (3,)], (8, 5), ROWS, True)))
    with pytest.raises(HeddleError) as error: run(*arrays_of(shapes, [2] * shapes[2][0]))
    assert words in str(error.value)


def test_rank():
    """A product per group has one dim more than the operands, which may have all that there can be."""
    dims = {"lhs_batching_dimensions": [], "rhs_batching_dimensions": [], "lhs_contracting_dimensions": range(64),
            "rhs_contracting_dimensions": range(64), "lhs_ragged_dimensions": [63], "rhs_group_dimensions": []}
    wide = (1,) * 63 + (3,)
    with pytest.raises(HeddleError) as error: compile_program(program([wide, wide, (2,)], (2,), dims, False))
    assert "'chlo.ragged_dot' op has no compiled path for operands of ranks 64, 64 and 1" in str(error.value)


@pytest.mark.parametrize("dynamic", [False, True])
def test_mhlo(dynamic):
    """mhlo.ragged_dot is the same op; dims that are not told in the known way are an error at it."""
    shapes = [(8, 4), (3, 4, 5), (3,)]
    x, y, s = arrays_of(shapes, [3, 1, 2])
    want = np.zeros((8, 5))
    for g, (a, b) in enumerate(groups(s)): want[a:b] = x[a:b] @ y[g]
    text = program(shapes, (8, 5), ROWS, dynamic).replace(b'"chlo.ragged_dot"(', b'"mhlo.ragged_dot"(')
    for got in (evaluate(text, [x, y, s]), Runtime(threads=2).load(compile_program(text))(x, y, s)):
        assert_within(got[0], want, *bound_of([x, y], ROWS))
    start, end = text.index(b"#chlo"), text.index(b"}>")
    with pytest.raises(HeddleError, match="mhlo.ragged_dot.*expects"): compile_program(text[:start] + b"unit" + text[end:])
