# SPDX-License-Identifier: Apache-2.0
"""heddle run --expect: files that are wrong, and --json of what differs."""
import json
import os

import pytest

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture
def expect(heddle, root, tmp_path):
    """expect(change, *args): runs gelu on its own expectation file, cut to one case, after change(file)."""
    with open(os.path.join(root, "examples", "gelu.json"), encoding="utf-8") as handle: text = handle.read()

    def run(change, *args):
        file = json.loads(text)
        file["cases"] = file["cases"][:1]
        change(file)
        (tmp_path / "e.json").write_text(json.dumps(file))
        return heddle("run", os.path.join(root, "examples", "gelu.mlir"), "--expect", tmp_path / "e.json", *args)
    return run


def put(*path):
    """put(a, b, value): file[a][b] = value."""
    *way, last, value = path

    def change(file):
        for key in way: file = file[key]
        file[last] = value
    return change


@pytest.mark.parametrize("change, says", [
    (put("cases", 0, "dims", [1]), "case 0: dims: expected an object"), (put("cases", 0, "dims", 3), "case 0: dims: expected an object"),
    (put("cases", 0, "dims", "b", 1e30), "dims: 'b': expected a whole number"), (put("cases", 0, "dims", "b", -1), "dims: 'b': expected a whole number"),
    (put("cases", 0, "dims", "b", 1.5), "dims: 'b': expected a whole number"), (put("cases", 0, "dims", "b", "1"), "dims: 'b': expected a whole number"),
    (put("cases", 0, "dims", {"q": 1}), "the program has no dim 'q'; its named dims: 'b', 's'"), (put("cases", 0, "dims", {"b": 1}), "dim 's' has no size"),
    (put("limits", [1e30]), "limits: expected one number, 0 to 4294967295"), (put("limits", [-1]), "limits: expected"), (put("limits", [0, 0]), "limits: expected"),
    (put("limits", {"a": 1}), "limits: expected"), (put("scales", ["x"]), "scales: expected one number"), (put("scales", []), "scales: expected one number"),
    (put("seed", -1), "seed: expected a whole number"), (put("seed", 1e30), "seed: expected a whole number"), (put("seed", float("nan")), "seed: expected"),
    (put("cases", 0, "outputs", {"a": 1}), "case 0: expected 1 outputs"), (put("cases", 0, "outputs", []), "expected 1 outputs, got 0"),
    (put("cases", 0, "outputs", 0, "samples", 0, "x"), "output 0: samples: element 0 is no number"),
    (put("cases", 0, "outputs", 0, "samples", {str(i): 0 for i in range(7)}), "output 0: expected 7 elements"),
    (put("cases", {"a": 1}), "expected cases"), (put("cases", 0, 5), "case 0: dims: expected")])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_wrong_files(expect, change, says, form):
    """Exit 1, what is wrong and where; never an option that nobody gave. With --json nothing is printed that is half an object."""
    done = expect(change, *form)
    assert done.returncode == 1 and says in done.stderr and "e.json" in done.stderr, (done.returncode, done.stderr)
    assert "--dims:" not in done.stderr and (not form or not done.stdout)


def test_shapes_that_differ(expect):
    for dim in (1e30, -1, "x", 8):
        assert expect(put("cases", 0, "outputs", 0, "dims", 1, dim)).returncode == 3, dim


def test_json_of_what_differs(expect):
    done = expect(put("cases", 0, "outputs", 0, "dims", [2, 7]), "--json")
    got = json.loads(done.stdout, parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    assert done.returncode == 3 and got["cases"][0]["error"] == "inf" and got["cases"][0]["ok"] is False and got["cases"][0]["shape"] == "b=1 s=7"


def test_json_ends_with_an_error_in_a_later_case(expect):
    def change(file): file["cases"].append({**file["cases"][0], "dims": {"b": 1, "s": -7}})
    done = expect(change, "--json")
    assert done.returncode == 1 and not done.stdout and "case 1: dims: 's'" in done.stderr


def test_json_of_names(heddle, tmp_path):
    """Named dims are strings of the program."""
    (tmp_path / "p.mlir").write_text('func.func @main(%a: tensor<?xf32> {hd.dims = ["d\\22"]}) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n')
    (tmp_path / "e.json").write_text(json.dumps({"cases": [{"dims": {'d"': 0}, "outputs": [{"type": "f32", "dims": [0], "max": 0, "l2": 0, "samples": []}]}]}))
    done = heddle("run", tmp_path / "p.mlir", "--expect", tmp_path / "e.json", "--json", check=True)
    assert json.loads(done.stdout)["cases"][0]["shape"] == 'd"=0'


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("first, second", [("my dim", "a+b"), ("3", "n"), ("d\\22", "\\5C")])
def test_names_of_dims(first, second, target, heddle, tmp_path):
    """Any text is a name, on every target."""
    (tmp_path / "p.mlir").write_text(f'''func.func @main(%x: tensor<?x?xf32> {{hd.dims = ["{first}", "{second}"]}}, %y: tensor<?x?xf32>) -> tensor<?xf32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.add %x, %y : tensor<?x?xf32>
  %0 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>\n}}\n''')
    heddle("run", tmp_path / "p.mlir", "--random", "1", "--shape", "arg0=3x5", "--shape", "arg1=3x5", f"--target={target}", "--reference=eval", check=True)


def test_integers_are_exact(heddle, tmp_path):
    """A seed above 2^53 is that seed."""
    (tmp_path / "p.mlir").write_text("func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n")
    seed = 2 ** 53 + 1
    from heddle.random_inputs import random_array
    x = [float(v) for v in random_array("float32", (3,), seed, 0)]
    for given, code in ((seed, 0), (seed - 1, 3)):
        case = {"dims": {}, "outputs": [{"type": "f32", "dims": [3], "max": max(map(abs, x)), "l2": sum(v * v for v in x) ** 0.5, "samples": x}]}
        (tmp_path / "e.json").write_text(json.dumps({"seed": given, "cases": [case]}))
        assert heddle("run", tmp_path / "p.mlir", "--expect", tmp_path / "e.json").returncode == code, given
