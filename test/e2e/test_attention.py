# SPDX-License-Identifier: Apache-2.0
"""Attention of unknown sizes, which is computed a strip of rows at a time: the results are the evaluator's for every mask, and the same bits as those
of a program whose weights leave it, so that both products and the softmax run alone, whatever the number of threads."""
import json

import numpy as np
import pytest
from error_model import Bound, assert_within

pytestmark = pytest.mark.usefixtures("compiler")
D, E = 24, 40  # of queries and keys, and of values


def mask_of(kind, t, full):
    """Ops that make %masked from %scaled."""
    iotas = f"""
  %i = stablehlo.dynamic_iota %shape, dim = 2 : (tensor<4xi32>) -> tensor<?x?x?x?xi32>
  %j = stablehlo.dynamic_iota %shape, dim = 3 : (tensor<4xi32>) -> tensor<?x?x?x?xi32>
  %fill = stablehlo.constant dense<{'0xFF800000' if t == 'f32' and kind == 'causal' else '-1.0e+30' if t != 'f16' else '-6.0e+04'}> : tensor<{t}>
  %fills = stablehlo.dynamic_broadcast_in_dim %fill, %shape, dims = [] : (tensor<{t}>, tensor<4xi32>) -> {full}"""
    ints, bools = "tensor<?x?x?x?xi32>", "tensor<?x?x?x?xi1>"
    compare = lambda a, way, b, out="keep": f"\n  %{out} = stablehlo.compare {way}, %{a}, %{b} : ({ints}, {ints}) -> {bools}"  # noqa: E731
    keep = f"\n  %masked = stablehlo.select %keep, %scaled, %fills : {bools}, {full}"
    offset = f"""
  %diff = stablehlo.subtract %m, %n : tensor<i32>
  %diffs = stablehlo.dynamic_broadcast_in_dim %diff, %shape, dims = [] : (tensor<i32>, tensor<4xi32>) -> {ints}
  %moved = stablehlo.add %i, %diffs : {ints}"""
    window = f"""
  %width = stablehlo.constant dense<20> : tensor<i32>
  %widths = stablehlo.dynamic_broadcast_in_dim %width, %shape, dims = [] : (tensor<i32>, tensor<4xi32>) -> {ints}
  %first = stablehlo.subtract %i, %widths : {ints}"""
    return {"none": "", "additive": f"""
  %bias = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [0, 1, 2, 3] : (tensor<?x1x?x?x{t}>, tensor<4xi32>) -> {full}
  %masked = stablehlo.add %scaled, %bias : {full}""",
            "causal": iotas + compare("i", "GE", "j") + keep, "strict": iotas + compare("j", "LT", "i") + keep,
            "at_end": iotas + offset + compare("moved", "GE", "j") + keep,
            "window": iotas + window + compare("i", "GE", "j", "near") + compare("j", "GT", "first", "late") + f"\n  %keep = stablehlo.and %near, %late : {bools}" + keep,
            "hidden": iotas + compare("i", "LT", "j") + f"\n  %masked = stablehlo.select %keep, %fills, %scaled : {bools}, {full}",
            "later": iotas + compare("i", "LE", "j") + keep}[kind]


def program(kind="none", t="f32", leaves=False, heads_last=False):
    """|leaves|: the weights are a result too. |heads_last|: [b, n, h, d] in place of [b, h, n, d]."""
    full, rows = f"tensor<?x?x?x?x{t}>", f"tensor<?x?x?x{t}>"
    of = lambda e: f"tensor<?x?x?x{e}x{t}>"  # noqa: E731
    h, n = (2, 1) if heads_last else (1, 2)
    bias = f", %a: tensor<?x1x?x?x{t}>" if kind == "additive" else ""
    size = lambda name, x, d, e: f"\n  %{name} = stablehlo.get_dimension_size %{x}, dim = {d} : ({of(e)}) -> tensor<i32>\n  %{name}1 = stablehlo.reshape %{name} : (tensor<i32>) -> tensor<1xi32>"  # noqa: E731
    result = f"tensor<?x?x{E}x?x{t}>" if heads_last else of(E)
    second = (f"stablehlo.dot_general %v, %w, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : ({of(E)}, {full}) -> {result}" if heads_last else
              f"stablehlo.dot_general %w, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : ({full}, {of(E)}) -> {result}")
    return f"""func.func @main(%q: {of(D)}, %k: {of(D)}, %v: {of(E)}{bias}) -> ({result}{', ' + full if leaves else ''}) {{{size('b', 'q', 0, D)}{size('h', 'q', h, D)}{size('n', 'q', n, D)}{size('m', 'k', n, D)}
  %shape = stablehlo.concatenate %b1, %h1, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, {h}] x [0, {h}], contracting_dims = [3] x [3] : ({of(D)}, {of(D)}) -> {full}
  %c = stablehlo.constant dense<2.0> : tensor<{t}>
  %cs = stablehlo.dynamic_broadcast_in_dim %c, %shape, dims = [] : (tensor<{t}>, tensor<4xi32>) -> {full}
  %scaled = stablehlo.multiply %s, %cs : {full}{mask_of(kind, t, full)}
  %low = stablehlo.constant dense<{'0xFF80' if t == 'bf16' else '0xFC00' if t == 'f16' else '0xFF800000' if t == 'f32' else '0xFFF0000000000000'}> : tensor<{t}>
  %zero = stablehlo.constant dense<0.0> : tensor<{t}>
  %x = stablehlo.reduce(%{'scaled' if kind == 'none' else 'masked'} init: %low) applies stablehlo.maximum across dimensions = [3] : ({full}, tensor<{t}>) -> {rows}
  %xs = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0, 1, 2] : ({rows}, tensor<4xi32>) -> {full}
  %d = stablehlo.subtract %{'scaled' if kind == 'none' else 'masked'}, %xs : {full}
  %e = stablehlo.exponential %d : {full}
  %z = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : ({full}, tensor<{t}>) -> {rows}
  %zs = stablehlo.dynamic_broadcast_in_dim %z, %shape, dims = [0, 1, 2] : ({rows}, tensor<4xi32>) -> {full}
  %w = stablehlo.divide %e, %zs : {full}
  %o = {second}
  return %o{', %w' if leaves else ''} : {result}{', ' + full if leaves else ''}
}}
"""


def shapes(sizes, kind="none", heads_last=False):
    b, h, n, m = sizes
    out = [(b, n, h, D), (b, m, h, D), (b, m, h, E)] if heads_last else [(b, h, n, D), (b, h, m, D), (b, h, m, E)]
    return out + ([(b, 1, n, m)] if kind == "additive" else [])


def arrays(sizes, kind="none", heads_last=False, dtype=np.float32, seed=0):
    r = np.random.default_rng(seed)
    return {f"arg{i}": r.standard_normal(s).astype(dtype) for i, s in enumerate(shapes(sizes, kind, heads_last))}


@pytest.fixture
def results(heddle, tmp_path):
    """What a program gives for arrays, and what the evaluator gives."""
    def run(text, given, *options, evaluate=False):
        (tmp_path / "p.mlir").write_text(text)
        np.savez(tmp_path / "in.npz", **given)
        heddle("eval" if evaluate else "run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", *options, "--outputs", tmp_path / "out.npz", check=True)
        with np.load(tmp_path / "out.npz") as out: return [out[f] for f in out.files]
    return run


def assert_near(got, want, values):
    """Weights sum to 1, so what they are off by counts in units of the largest value; the evaluator rounds after each op too."""
    assert_within(got, want.astype(np.float64), Bound(terms=40), np.abs(values[np.isfinite(values)]).max(initial=0).astype(np.float64))


KINDS = ("none", "additive", "causal", "strict", "at_end", "window", "hidden", "later")
SIZES = ((1, 2, 150, 150), (2, 1, 131, 293), (1, 1, 293, 131), (1, 3, 1, 700), (1, 2, 5, 997), (3, 1, 200, 3), (1, 1, 1, 1), (2, 2, 0, 7), (1, 2, 7, 0), (0, 1, 5, 5))


def calls(heddle, tmp_path, text):
    (tmp_path / "c.mlir").write_text(text)
    return [c["name"] for c in json.loads(heddle("explain", tmp_path / "c.mlir", "--json", check=True).stdout)["calls"]]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", SIZES)
def test_masks_and_sizes(results, kind, sizes):
    given = arrays(sizes, kind)
    got, want = results(program(kind), given)[0], results(program(kind), given, evaluate=True)[0]
    assert got.shape == want.shape and (np.isnan(got) == np.isnan(want)).all()
    assert_near(got, want, given["arg2"])


@pytest.mark.parametrize("heads_last", (False, True))
@pytest.mark.parametrize("kind", KINDS)
def test_bits_are_those_of_the_parts(results, kind, heads_last):
    given = arrays((2, 2, 300, 300), kind, heads_last)
    parts = results(program(kind, leaves=True, heads_last=heads_last), given)[0]
    for threads in (1, 2, 5):
        got = results(program(kind, heads_last=heads_last), given, "--threads", threads)[0]
        assert np.array_equal(got, parts, equal_nan=True)


@pytest.mark.parametrize("t", ("bf16", "f16", "f64"))
@pytest.mark.parametrize("kind", ("none", "causal", "additive"))
def test_types(heddle, tmp_path, t, kind):
    """The evaluator rounds to the type at each op."""
    given = [a for i, s in enumerate(shapes((1, 2, 170, 170), kind)) for a in ("--shape", f"arg{i}=" + "x".join(map(str, s)))]
    outputs = []
    for leaves in (False, True):
        (tmp_path / "p.mlir").write_text(program(kind, t, leaves))
        heddle("run", tmp_path / "p.mlir", "--random", "1", *given, "--reference=eval", *(("--tolerance", "0.1") if t == "bf16" else ()), "--outputs", tmp_path / "out.npz",
               check=True)
        with np.load(tmp_path / "out.npz") as out: outputs.append(out["out0"].tobytes())
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("level", ("x86-64-v3", "x86-64-v4"))
@pytest.mark.parametrize("kind", ("none", "causal"))
def test_levels(heddle, runs_on_cpu, tmp_path, kind, level):
    runs_on_cpu(level)
    (tmp_path / "p.mlir").write_text(program(kind))
    given = [a for i, s in enumerate(shapes((1, 2, 257, 257), kind)) for a in ("--shape", f"arg{i}=" + "x".join(map(str, s)))]
    done = heddle("run", tmp_path / "p.mlir", "--random", "1", *given, "--mcpu", level, "--reference=eval")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ("none", "causal", "strict", "additive"))
@pytest.mark.parametrize("sizes", ((1, 2, 150, 151), (2, 1, 131, 293), (1, 3, 9, 1001)))
def test_words_of_bf16(results, runs_on_cpu, kind, sizes):
    """The bits of both products are those of single elements, also where they are denormal, and where some are not finite."""
    runs_on_cpu("x86-64-v4")
    import ml_dtypes
    given = arrays(sizes, kind, dtype=ml_dtypes.bfloat16)
    given["arg2"][0, 0] *= 2.0**-125
    given["arg2"][-1, -1, -1, 3], given["arg0"][-1, -1, -2, 0] = np.inf, np.nan
    got, leaves = results(program(kind, "bf16"), given)[0], results(program(kind, "bf16", leaves=True), given)[0]
    assert got.tobytes() == leaves.tobytes()
    for options in (("--mcpu", "x86-64-v4"), ("--threads", 1), ("--threads", 5)):
        assert got.tobytes() == results(program(kind, "bf16"), given, *options)[0].tobytes()


@pytest.mark.parametrize("value", (np.inf, -np.inf, np.nan))
@pytest.mark.parametrize("kind", ("causal", "hidden"))
def test_masked_values_that_are_not_finite(results, kind, value):
    """Zero times infinity is NaN, also where a mask makes the weight zero."""
    given = arrays((1, 1, 300, 300), kind)
    given["arg2"][0, 0, 280, 3] = value
    got, want = results(program(kind), given)[0], results(program(kind), given, evaluate=True)[0]
    assert np.isnan(want[0, 0, 0, 3]) and (np.isnan(got) == np.isnan(want)).all()
    assert_near(got, want, given["arg2"])


@pytest.mark.parametrize("kind", ("causal", "hidden", "strict"))
def test_scores_below_the_mask(results, kind):
    """Where a row has nothing larger than the mask's number the masked keys count too."""
    given = arrays((1, 1, 300, 300), kind)
    given["arg0"][0, 0, 10:20] *= 1e32
    given["arg1"][0, 0, :30] = -np.abs(given["arg1"][0, 0, :30]) * np.sign(given["arg0"][0, 0, 12])
    given["arg0"][0, 0, 200, 0] = np.nan
    got, want = results(program(kind), given)[0], results(program(kind), given, evaluate=True)[0]
    assert (np.isnan(got) == np.isnan(want)).all()
    assert_near(got, want, given["arg2"])


@pytest.mark.parametrize("kind", KINDS)
def test_is_one_call(heddle, tmp_path, kind):
    for heads_last in (False, True): assert calls(heddle, tmp_path, program(kind, heads_last=heads_last)).count("ral_attention") == 1
    assert "ral_attention" not in calls(heddle, tmp_path, program(kind, leaves=True))


def test_memory_is_that_of_strips(heddle, tmp_path):
    """Scores of 16384 by 16384 would take a gigabyte, and as much again for the weights."""
    (tmp_path / "p.mlir").write_text(program("causal"))
    given = [a for i, s in enumerate(shapes((1, 1, 16384, 16384))) for a in ("--shape", f"arg{i}=" + "x".join(map(str, s)))]
    heddle("run", tmp_path / "p.mlir", "--random", "1", *given, "--memory-limit", "100M", check=True)
