# SPDX-License-Identifier: Apache-2.0
"""The Python package: functions from programs in every form, on arrays of every kind, and errors."""
import collections
import functools
import concurrent.futures
import json
import os
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import needs
import pytest
from jax import export

import heddle
from heddle import runtime as rt


@pytest.fixture(scope="module", autouse=True)
def libraries(build, tmp_path_factory):
    old = {name: os.environ.get(name) for name in ("HEDDLE_BUILD", "HEDDLE_CACHE_DIR")}
    os.environ.update(HEDDLE_BUILD=build, HEDDLE_CACHE_DIR=str(tmp_path_factory.mktemp("cache")))
    yield
    for name, value in old.items():
        if value is None: os.environ.pop(name, None)
        else: os.environ[name] = value


def exported(f, *shapes):
    scope = export.SymbolicScope()
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), jnp.float32) for s in shapes]
    return export.export(jax.jit(f))(*args)


@pytest.fixture(scope="module")
def product():
    return heddle.compile(exported(lambda x, w: (x @ w, x.sum()), "b, s", "s, 4"))


def test_a_library_that_cannot_be_opened(monkeypatch):
    """The error is what opening gave; what was not made is not released."""
    def refuse(name): raise OSError(f"cannot open {name}")
    unraisable = []
    monkeypatch.setattr(rt, "_library", refuse)
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    for make in (rt.Runtime, lambda: rt.Communicator(None), lambda: rt.Executable(None, b"")):
        with pytest.raises((OSError, AttributeError)) as raised: make()
        del raised
    assert not unraisable, unraisable[0].exc_value


def test_text_at_any_shape(root):
    with open(os.path.join(root, "examples", "gelu.mlir"), encoding="utf-8") as handle: f = heddle.compile(handle.read())
    for shape in ((2, 3), (1, 1), (7, 130)):
        x = np.random.RandomState(0).randn(*shape).astype(np.float32)
        np.testing.assert_allclose(f(x), jax.nn.gelu(x), rtol=1e-5, atol=1e-6)
    # The exporter's own assertion.
    with pytest.raises(heddle.InvalidArgumentError, match="Expected value >= 1 for dimension variable 'b'"): f(np.ones((0, 5), np.float32))


def test_exported_program(product):
    assert [t.shape for t in product.inputs] == [("b", "s"), ("s", 4)] and product.outputs[1].shape == ()
    for b, s in ((3, 5), (1, 64)):
        x, w = np.random.RandomState(1).randn(b, s).astype(np.float32), np.ones((s, 4), np.float32)
        y, total = product(x, w)
        np.testing.assert_allclose(y, x @ w, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(total, x.sum(), rtol=1e-4, atol=1e-5)
    assert "float32[b, s]" in repr(product)


def test_lowered_program():
    lowered = jax.jit(lambda x: x * 2 + 1).lower(np.ones(3, np.float32))
    np.testing.assert_array_equal(heddle.compile(lowered)(np.ones(3, np.float32)), [3, 3, 3])


def test_nested_lowered_program(tmp_path):
    """A Lowered's nesting, with arguments that it does not use and static ones; its arrays in a row all the same; saved and loaded."""
    def f(p, n, pair, *, scale, by): return {"z": (p["w"] @ pair[0] * n + scale,), "a": [pair[1]], "n": None}
    p, x = {"w": np.ones((2, 3), np.float32), "unused": np.zeros(7, np.float32)}, np.arange(3, dtype=np.float32)
    lowered = jax.jit(f, static_argnums=1, static_argnames="by").lower(p, 5, (x, 2 * x), scale=np.float32(1), by=3)
    g = heddle.compile(lowered)
    g.save(tmp_path / "g.hdl")
    for h in (g, heddle.load(tmp_path / "g.hdl")):
        got = h(p, (x, 2 * x), scale=np.float32(1))
        assert list(got) == ["a", "n", "z"] and got["n"] is None and isinstance(got["z"], tuple) and isinstance(got["a"], list)
        np.testing.assert_array_equal(got["z"][0], [16, 16])
        np.testing.assert_array_equal(got["a"][0], 2 * x)
        assert [len(row) for row in h(p["w"], x, 2 * x, np.float32(1))] == [3, 2]
        with pytest.raises(heddle.InvalidArgumentError, match=r"args\[0\]\['w'\] is missing: expected the keys 'unused', 'w', got 'unused'"):
            h({"unused": p["unused"]}, (x, 2 * x), scale=np.float32(1))


def test_a_wrong_shape_is_named():
    """By the number of the argument and by its place; also where another argument has said the size."""
    def f(p, y): return p["w"] + y, p["b"]
    fixed = {"w": np.ones(4, np.float32), "b": np.ones((2, 3), np.float32)}
    fixed_programs = [jax.jit(f).lower(fixed, fixed["w"]), export.export(jax.jit(f), platforms=["cpu"])(fixed, fixed["w"])]
    for program in fixed_programs:
        g = heddle.compile(program)
        for wrong, message in [(np.ones(5, np.float32), r"argument 1 \(args\[0\]\['w'\]\): dim 0 is 5, expected 4"),
                               (np.ones((4, 1), np.float32), r"argument 1 \(args\[0\]\['w'\]\): .*rank 1, got .*rank 2")]:
            with pytest.raises(heddle.InvalidArgumentError, match=message): g({**fixed, "w": wrong}, fixed["w"])
            with pytest.raises(heddle.InvalidArgumentError, match=message.replace(r" \(args\[0\]\['w'\]\)", "")): g(fixed["b"], wrong, fixed["w"])


def test_kinds_of_arrays(product):
    x, w = np.ones((2, 5), np.float32), np.ones((5, 4), np.float32)
    y, _ = product(jnp.asarray(x), w)
    assert isinstance(y, jax.Array) and y.devices() == {jax.devices("cpu")[0]}
    np.testing.assert_array_equal(y, x @ w)

    class Wrapped:  # what any other library gives
        def __dlpack__(self, **more): return x.__dlpack__(**more)
        def __dlpack_device__(self): return x.__dlpack_device__()
    y, _ = product(Wrapped(), w)
    assert isinstance(y, np.ndarray)
    np.testing.assert_array_equal(y, x @ w)
    wide = np.ones((5, 8), np.float32)[:, ::2]
    np.testing.assert_array_equal(product(np.asfortranarray(x), wide)[0], x @ wide)


def test_torch_tensors(product):
    torch = needs.module("torch")
    x, w = torch.arange(10.0).reshape(2, 5).requires_grad_(), torch.ones(4, 5).t()
    y, total = product(x, w)
    assert isinstance(y, torch.Tensor) and not y.requires_grad
    torch.testing.assert_close(y, (x @ w).detach())
    torch.testing.assert_close(total, torch.tensor(45.0))
    double = heddle.compile(jax.jit(lambda x: x + x).lower(jnp.ones(3, jnp.bfloat16)))
    torch.testing.assert_close(double(torch.tensor([1.5, -2, 3], dtype=torch.bfloat16)), torch.tensor([3, -4, 6], dtype=torch.bfloat16))


def test_explain(root):
    with open(os.path.join(root, "examples", "softmax.mlir"), encoding="utf-8") as handle: program = handle.read()
    assert "takes    tensor<bxsxf32>" in heddle.explain(program) and "row reduction" in heddle.explain(program)
    assert json.loads(heddle.explain(program, format="json")) and "<html" in heddle.explain(program, format="html")
    with pytest.raises(heddle.InvalidArgumentError, match="expected format text, json, html, got pdf"): heddle.explain(program, format="pdf")
    with pytest.raises(heddle.InvalidArgumentError, match="wrong.mlir:1:1: error:"): heddle.explain("%", name="wrong.mlir")


def test_bound_arguments_and_artifacts(product, tmp_path):
    product.save(tmp_path / "product.hdl")
    f = heddle.load(tmp_path / "product.hdl")
    w = np.arange(20, dtype=np.float32).reshape(5, 4)
    f.bind(1, w)
    np.testing.assert_allclose(f(np.ones((2, 5), np.float32))[0], np.ones((2, 5)) @ w)
    with pytest.raises(heddle.InvalidArgumentError, match="expected 1 arguments, got 2"): f(np.ones((2, 5), np.float32), w)


def test_diagnostics_are_located():
    text = 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = stablehlo.add %x, %z : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n'
    with pytest.raises(heddle.InvalidArgumentError) as caught: heddle.compile(text, name="wrong.mlir")
    assert "wrong.mlir:2:26: error:" in str(caught.value)
    assert caught.value.status == "INVALID_ARGUMENT" and caught.value.diagnostics[0][0] == "error"
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, heddle.HeddleError)


def test_wrong_arguments(product):
    x = np.ones((3, 5), np.float32)
    with pytest.raises(heddle.InvalidArgumentError, match=r"args\[1\].shape\[0\] \(= 6\) and the specification 's' \(= 5\)"): product(x, np.ones((6, 4), np.float32))
    with pytest.raises(heddle.InvalidArgumentError, match="expected 2 arguments, got 1"): product(x)
    with pytest.raises(heddle.InvalidArgumentError, match="expected float32, got float64"): product(x, np.ones((5, 4)))
    with pytest.raises(heddle.InvalidArgumentError, match="rank"): product(x, np.float32(3))
    with pytest.raises(TypeError, match="got int"): heddle.compile(3)
    with pytest.raises(heddle.HeddleError): heddle.Function(b"no artifact")


def test_limits():
    program = jax.jit(lambda x: x * 2).lower(np.ones(3, np.float32))
    with pytest.raises(heddle.ResourceExhaustedError): heddle.compile(program, memory_limit=1000)


def test_threads(product):
    w = np.ones((5, 4), np.float32)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for k, (y, _) in enumerate(pool.map(lambda k: product(np.full((k % 7 + 1, 5), k, np.float32), w), range(200))):
            np.testing.assert_array_equal(y, np.full((k % 7 + 1, 4), 5 * k))


MEET = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}"""


def test_a_run_lets_other_threads_go_on():
    """Each of two executions waits for the other: with the interpreter's lock held, neither would return."""
    executable = rt.Runtime(threads=1).load(rt.compile_program(MEET.encode()))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(executable, np.full(2, k + 1, np.float32), communicator=rank) for k, rank in enumerate(rt.Communicator.local(2))]
        for run in runs: np.testing.assert_array_equal(run.result(timeout=60)[0], [3, 3])


def test_a_compilation_lets_other_threads_go_on():
    body = "\n".join(f"  %v{i + 1} = stablehlo.dot_general %v{i}, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>"
                     for i in range(20_000))
    program = f"func.func @main(%v0: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {{\n{body}\n  return %v20000 : tensor<?x8xf32>\n}}"
    turns = 0
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        compilation = pool.submit(heddle.compile, program, cache=False, timeout=0.3)
        while not compilation.done():
            turns += 1
            time.sleep(0.001)
        with pytest.raises(heddle.TimeoutError): compilation.result()
    assert turns > 5


def test_program_in_a_file(root, tmp_path):
    """A path is read, as str and as os.PathLike, and is in diagnostics; a text that ends like one is none where it has lines."""
    text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %y = stablehlo.abs %x : tensor<?xf32>\n  return %y : tensor<?xf32>\n}\n"
    path = tmp_path / "abs.mlir"
    path.write_text(text)
    x = np.array([-1, 2, -3], np.float32)
    for program in (path, str(path), text + "// abs.mlir"): np.testing.assert_array_equal(heddle.compile(program, cache=False)(x), abs(x))
    assert "abs" in heddle.explain(path)
    with pytest.raises(FileNotFoundError, match="none.mlir"): heddle.compile("none.mlir")
    path.write_text("func.func @main() { stablehlo.nothing }")
    with pytest.raises(heddle.HeddleError) as error: heddle.compile(path, cache=False)
    assert str(path) in str(error.value) + str(error.value.diagnostics)


def test_nested_arguments():
    """An Exported's dicts, lists, names and arguments that it does not use, and its results; the arrays in a row all the same."""
    def f(p, xs, *, unused, scale): return {"sum": p["w"] * xs[0] + p["b"] * scale, "list": [xs[1], (p["w"] - p["b"],)]}
    p = {"w": np.full(3, 2, np.float32), "b": np.arange(3, dtype=np.float32)}
    xs = [np.ones(3, np.float32), np.zeros((2, 2), np.int32)]
    named = {"unused": np.zeros(7, np.float32), "scale": np.float32(3)}
    exported = export.export(jax.jit(f), platforms=["cpu"])(p, xs, **named)
    g = heddle.compile(exported)
    got, want = g(p, xs, **named), f(p, xs, **named)
    assert jax.tree_util.tree_structure(got) == jax.tree_util.tree_structure(want)
    for a, b in zip(jax.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(want)): np.testing.assert_array_equal(a, b)
    row = g(p["b"], p["w"], *xs, named["scale"])
    assert isinstance(row, tuple) and len(row) == 3
    with pytest.raises(heddle.InvalidArgumentError, match="got scale"): g(p, scale=named["scale"])
    g.bind(0, p["b"])
    assert len(g(p["w"], *xs, named["scale"])) == 3


Pair = collections.namedtuple("Pair", "first second")


@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, inside): self.inside = inside
    def tree_flatten(self): return (self.inside,), None
    @classmethod
    def tree_unflatten(cls, _, children): return cls(*children)


def test_nesting_is_saved(root, tmp_path):
    """What is loaded takes and gives what was compiled does, in this process and in one without JAX."""
    def f(p, pair, nothing, *, by): return {"z": Pair(p["w"][1] * by, (p["b"],)), "a": [pair.second], "n": {1: None}}
    ones, twos = np.ones(3, np.float32), np.full(3, 2, np.float32)
    args, by = ({"w": [ones, twos], "b": ones}, Pair(ones, 3 * twos), None), np.float32(5)
    exported = export.export(jax.jit(f), platforms=["cpu"])(*args, by=by)
    heddle.compile(exported).save(tmp_path / "f.hdl")
    got, want = heddle.load(tmp_path / "f.hdl")(*args, by=by), f(*args, by=by)
    assert jax.tree_util.tree_structure(got) == jax.tree_util.tree_structure(want) and isinstance(got["z"], Pair)
    for a, b in zip(jax.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(want)): np.testing.assert_array_equal(a, b)
    script = f"""import collections, sys
import numpy as np
import heddle
Pair = collections.namedtuple("Pair", "first second")
ones = np.ones(3, np.float32)
got = heddle.load({str(tmp_path / "f.hdl")!r})({{"w": [ones, 2 * ones], "b": ones}}, Pair(ones, 6 * ones), None, by=np.float32(5))
assert "jax" not in sys.modules
assert got["z"].first.tolist() == [10.0] * 3 and got["z"].second[0].tolist() == [1.0] * 3 and got["a"][0].tolist() == [6.0] * 3 and got["n"] == {{1: None}}
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120, env={**os.environ, "PYTHONPATH": os.path.join(root, "front", "python")})


def test_classes_that_no_artifact_describes(tmp_path):
    """They are taken and given in the process that compiled; a saved function takes the row, and saving says so."""
    x = np.ones(3, np.float32)
    f = heddle.compile(export.export(jax.jit(lambda box, y: Box(box.inside + y)), platforms=["cpu"])(Box(x), x))
    np.testing.assert_array_equal(f(Box(x), x).inside, 2 * x)
    with pytest.raises(heddle.InvalidArgumentError, match=r"args\[0\]: expected PyTreeDef"): f({"inside": x}, x)
    with pytest.warns(UserWarning, match="cannot describe"): f.save(tmp_path / "f.hdl")
    np.testing.assert_array_equal(heddle.load(tmp_path / "f.hdl")(x, x), 2 * x)


def test_metadata_of_others_is_no_nesting():
    from heddle.nesting import Nesting
    for text in ("", "null", "[1]", '{"nesting": 1}', '{"nesting": {}}', '{"nesting": {"arguments": []}}', "[" * 100000):
        assert Nesting.of_text(text) is None


def test_wrong_nesting_is_named(tmp_path):
    """The place, what was expected there and what came."""
    x = np.ones(3, np.float32)
    good = {"w": x, "b": [x, x]}
    f = heddle.compile(export.export(jax.jit(lambda p, y, *, scale: p["w"] + p["b"][1] * scale + y), platforms=["cpu"])(good, x, scale=x))
    f.save(tmp_path / "f.hdl")
    for g in (f, heddle.load(tmp_path / "f.hdl")):
        for arguments, names, message in [
                (({"v": x, "b": [x, x]}, x), {"scale": x}, r"args\[0\]\['w'\] is missing: expected the keys 'b', 'w', got 'v', 'b'"),
                (({**good, "u": x}, x), {"scale": x}, r"args\[0\]\['u'\]: expected the keys 'b', 'w', got 'w', 'b', 'u'"),
                (({**good, "w": [x]}, x), {"scale": x}, r"args\[0\]\['w'\]: expected an array, got a list of 1"),
                (({**good, "w": {}}, x), {"scale": x}, r"args\[0\]\['w'\]: expected an array, got an empty dict"),
                (({**good, "b": (x, x)}, x), {"scale": x}, r"args\[0\]\['b'\]: expected a list of 2, got a tuple of 2"),
                (({**good, "b": [x]}, x), {"scale": x}, r"args\[0\]\['b'\]\[1\]: expected a list of 2, got one of 1"),
                (({**good, "b": x}, x), {"scale": x}, r"args\[0\]\['b'\]: expected a list of 2, got an array"),
                ((x, x), {"scale": x}, r"args\[0\]: expected a dict of 'b', 'w', got an array"),
                ((good, None), {"scale": x}, r"args\[1\]: expected an array, got None"),
                ((good, x, x), {"scale": x}, r"args\[2\]: expected 2 arguments, got 3"),
                ((good,), {"scale": x}, r"args\[1\] is missing: expected 2 arguments, got 1"),
                ((good, x), {}, r"kwargs\['scale'\] is missing: expected arguments named scale, got none with a name"),
                ((good, x), {"scale": x, "size": x}, r"kwargs\['size'\]: expected arguments named scale, got scale, size"),
                ((good, x), {"scale": [x]}, r"kwargs\['scale'\]: expected an array, got a list of 1"),
                (({**good, "w": x.astype(np.int32)}, x), {"scale": x}, r"argument 1 \(args\[0\]\['w'\]\): expected float32, got int32")]:
            with pytest.raises(heddle.InvalidArgumentError, match=message): g(*arguments, **names)


def test_a_function_is_no_program():
    """What to do with one is said."""
    def named(x): return x
    for function, got, how in (
            (jax.jit(named), "the function named: export it", "named"), (named, "the function named: export it", r"jax\.jit\(named\)"),
            (lambda x: x, "the function <lambda>: export it", r"jax\.jit\(f\)"), (functools.partial(named), "the function partial: export it", r"jax\.jit\(f\)"),
            (jax.jit(named).lower(1.0).compile(), r"a jax\.stages\.Compiled, .* give the jax\.stages\.Lowered that it is of, or export its function", r"jax\.jit\(f\)")):
        for door in (heddle.compile, heddle.explain):
            with pytest.raises(TypeError, match=f"got {got} at the shapes that it is for, heddle.compile\\(jax.export.export\\({how}\\)\\(\\*arguments\\)\\), where"): door(function)


def test_a_path_is_no_program(tmp_path):
    """A folder, and a file of another name than a program's, are told from text."""
    other = tmp_path / "program.txt"
    other.write_text("func.func @main() { return }")
    for door in (heddle.compile, heddle.explain):
        for folder in (str(tmp_path), tmp_path):
            with pytest.raises(IsADirectoryError, match=f"expected a program, got a folder.*{tmp_path}"): door(folder)
        with pytest.raises(heddle.InvalidArgumentError, match="expected a program, got the path .*program.txt'.*pathlib.Path always"): door(str(other))
    heddle.explain(other)


def test_communicator():
    """What compile gives runs side by side like an executable: each call is one rank."""
    text = """module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
}"""
    f = heddle.compile(text, cache=False)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(f, np.full(2, k, np.float32), communicator=rank) for k, rank in enumerate(rt.Communicator.local(2))]
        for call in calls: np.testing.assert_array_equal(call.result(timeout=60), [0, 0, 1, 1])
