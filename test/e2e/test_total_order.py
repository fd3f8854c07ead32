# SPDX-License-Identifier: Apache-2.0
"""TOTALORDER is the order of the patterns, signaling NaNs included: compiled, evaluated and folded. What moves elements keeps their patterns."""
import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program
from libheddle import evaluate

pytestmark = pytest.mark.usefixtures("compiler")

# element: bits, the pattern of infinity or of the greatest number
TYPES = {"f8E5M2": (8, 0x7C), "f8E4M3FN": (8, 0x7E), "f8E4M3": (8, 0x78), "f8E3M4": (8, 0x70), "bf16": (16, 0x7F80), "f16": (16, 0x7C00), "f32": (32, 0x7F800000), "f64": (64, 0x7FF0000000000000)}
DIRECTIONS = {"LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal, "NE": np.not_equal}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def patterns(name):
    """Zero, a subnormal, 1 or so, infinity, NaNs of all kinds; of both signs."""
    bits, infinity = TYPES[name]
    top = (1 << (bits - 1)) - 1
    positive = sorted({0, 1, infinity // 2, infinity, infinity + 1, (infinity + top) // 2, (infinity + top + 1) // 2, top - 1, top})
    return np.array(positive + [p | 1 << (bits - 1) for p in positive], dtype=UNSIGNED[bits])


def key(x):
    bits = 8 * x.itemsize
    return [-(int(v) & ((1 << (bits - 1)) - 1)) - 1 if int(v) >> (bits - 1) else int(v) for v in x.ravel()]


def spelled(name, x): return "[" + ", ".join(f"0x{int(v):0{TYPES[name][0] // 4}X}" for v in x) + "]"


def both(text, arrays):
    """The results of the compiled program and of the evaluator, element by element the same."""
    got, want = Runtime(threads=1).load(compile_program(text.encode()))(*arrays), evaluate(text.encode(), arrays)
    got = got if isinstance(got, (list, tuple)) else [got]
    for a, b in zip(got, want, strict=True): np.testing.assert_array_equal(a, b)
    return got


def comparisons(name, n, operands, prologue=""):
    size = f"{n}x{name}"
    lines = [f"  %c{d} = stablehlo.compare {d}, %x, %y, TOTALORDER : (tensor<{size}>, tensor<{size}>) -> tensor<{n}xi1>" for d in DIRECTIONS]
    types = ", ".join([f"tensor<{n}xi1>"] * len(DIRECTIONS))
    return f"func.func @main({operands}) -> ({types}) {{\n{prologue}" + "\n".join(lines) + f"\n  return {', '.join('%c' + d for d in DIRECTIONS)} : {types}\n}}"


@pytest.mark.parametrize("name", TYPES)
def test_comparisons(name):
    p = patterns(name)
    x, y = (a.ravel() for a in np.meshgrid(p, p))
    want = [of(np.array(key(x), object), np.array(key(y), object)).astype(bool) for of in DIRECTIONS.values()]
    i = f"ui{TYPES[name][0]}"
    cast = "".join(f"  %{v} = stablehlo.bitcast_convert %{v}i : (tensor<?x{i}>) -> tensor<?x{name}>\n" for v in "xy")
    loaded = comparisons(name, "?", f"%xi: tensor<?x{i}>, %yi: tensor<?x{i}>", cast)
    for n in (len(x), 3, 19):
        for got, w in zip(both(loaded, [x[-n:], y[-n:]]), want, strict=True): np.testing.assert_array_equal(got, w[-n:])
    constants = "".join(f"  %{v} = stablehlo.constant dense<{spelled(name, a)}> : tensor<{len(x)}x{name}>\n" for v, a in zip("xy", (x, y)))
    for got, w in zip(both(comparisons(name, len(x), "", constants), []), want, strict=True): np.testing.assert_array_equal(got, w)


@pytest.mark.parametrize("name", TYPES)
def test_a_constant_and_what_is_loaded(name):
    p = patterns(name)
    i = f"ui{TYPES[name][0]}"
    for signaling in p:
        prologue = f"""  %x = stablehlo.bitcast_convert %xi : (tensor<?x{i}>) -> tensor<?x{name}>
  %k = stablehlo.constant dense<{spelled(name, [signaling])[1:-1]}> : tensor<{name}>
  %n = stablehlo.get_dimension_size %xi, dim = 0 : (tensor<?x{i}>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %k, %n1, dims = [] : (tensor<{name}>, tensor<1xi32>) -> tensor<?x{name}>
"""
        got = both(comparisons(name, "?", f"%xi: tensor<?x{i}>", prologue), [p])
        for g, of in zip(got, DIRECTIONS.values(), strict=True):
            np.testing.assert_array_equal(g, of(np.array(key(p), object), key(np.array([signaling], p.dtype))[0]).astype(bool))


@pytest.mark.parametrize("name", TYPES)
def test_sort(name):
    x = np.random.default_rng(5).permutation(np.repeat(patterns(name), 3))
    i = f"ui{TYPES[name][0]}"
    text = f"""func.func @main(%xi: tensor<?x{i}>) -> tensor<?x{i}> {{
  %x = stablehlo.bitcast_convert %xi : (tensor<?x{i}>) -> tensor<?x{name}>
  %s = "stablehlo.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<{name}>, %b: tensor<{name}>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<{name}>, tensor<{name}>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : (tensor<?x{name}>) -> tensor<?x{name}>
  %y = stablehlo.bitcast_convert %s : (tensor<?x{name}>) -> tensor<?x{i}>
  return %y : tensor<?x{i}>
}}"""
    np.testing.assert_array_equal(both(text, [x])[0], np.array(sorted(x, key=lambda v: key(np.array([v], x.dtype))[0])))


MOVES = {
    "reverse": ("%0 = stablehlo.reverse %x, dims = [0] : tensor<NxT>", lambda x: x[::-1]),
    "reshape": ("%1 = stablehlo.reshape %x : (tensor<NxT>) -> tensor<2xHxT>\n  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2xHxT>) -> tensor<Hx2xT>\n  %0 = stablehlo.reshape %2 : (tensor<Hx2xT>) -> tensor<NxT>",
                lambda x: x.reshape(2, -1).T.ravel()),
    "select": ("%c = stablehlo.compare LT, %xi, %xj : (tensor<NxI>, tensor<NxI>) -> tensor<Nxi1>\n  %z = stablehlo.reverse %x, dims = [0] : tensor<NxT>\n  %0 = stablehlo.select %c, %x, %z : tensor<Nxi1>, tensor<NxT>",
               lambda x: np.where(x < x[::-1], x, x[::-1])),
    "slice": ("%1 = stablehlo.slice %x [1:N] : (tensor<NxT>) -> tensor<MxT>\n  %2 = stablehlo.slice %x [0:1] : (tensor<NxT>) -> tensor<1xT>\n  %0 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<MxT>, tensor<1xT>) -> tensor<NxT>",
              lambda x: np.roll(x, -1)),
    "pad": ("%1 = stablehlo.slice %x [2:N] : (tensor<NxT>) -> tensor<LxT>\n  %k = stablehlo.constant dense<NAN> : tensor<T>\n  %0 = stablehlo.pad %1, %k, low = [1], high = [1], interior = [0] : (tensor<LxT>, tensor<T>) -> tensor<NxT>",
            lambda x: np.concatenate([x[-1:], x[2:], x[-1:]])),
}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("name", TYPES)
def test_moves(name, move):
    """Signaling NaNs, of which the last one is also a constant, are moved as they are: given as floats, and as the patterns of integers."""
    x = patterns(name)[::-1].copy()
    x[-1] = TYPES[name][1] + 1
    program, of = MOVES[move]
    n, i = len(x), f"ui{TYPES[name][0]}"
    body = program.replace("NAN", spelled(name, x[-1:])[1:-1])
    for text, inputs in ((f"""func.func @main(%xi: tensor<NxI>) -> tensor<NxI> {{
  %x = stablehlo.bitcast_convert %xi : (tensor<NxI>) -> tensor<NxT>
  %xj = stablehlo.reverse %xi, dims = [0] : tensor<NxI>
  {body}
  %y = stablehlo.bitcast_convert %0 : (tensor<NxT>) -> tensor<NxI>
  return %y : tensor<NxI>
}}""", [x]), (f"""func.func @main() -> tensor<NxI> {{
  %x = stablehlo.constant dense<{spelled(name, x)}> : tensor<NxT>
  %xi = stablehlo.bitcast_convert %x : (tensor<NxT>) -> tensor<NxI>
  %xj = stablehlo.reverse %xi, dims = [0] : tensor<NxI>
  {body}
  %y = stablehlo.bitcast_convert %0 : (tensor<NxT>) -> tensor<NxI>
  return %y : tensor<NxI>
}}""", [])):
        for letter, word in (("NxT", f"{n}x{name}"), ("NxI", f"{n}x{i}"), ("MxT", f"{n - 1}x{name}"), ("LxT", f"{n - 2}x{name}"), ("HxT", f"{n // 2}x{name}"),
                             ("Hx2xT", f"{n // 2}x2x{name}"), ("<T>", f"<{name}>"), ("1xT", f"1x{name}"), ("Nxi1", f"{n}xi1"), (":N]", f":{n}]"), ("xT>", f"x{name}>"), ("2xH", f"2x{n // 2}")):
            text = text.replace(letter, word)
        np.testing.assert_array_equal(both(text, inputs)[0], of(x))
