# SPDX-License-Identifier: Apache-2.0
"""Concatenations of more unknown sizes than one symbolic expression holds."""
import os
import subprocess

import numpy as np
import pytest

from heddle.runtime import Runtime, compile_program


def flat(count):
    """One concatenation, whose size and elements later ops use."""
    names = [f"%a{i}" for i in range(count)]
    types = ", ".join(["tensor<?xf32>"] * count)
    return f"""func.func @main({", ".join(n + ": tensor<?xf32>" for n in names)}) -> (tensor<?xf32>, tensor<i32>) {{
  %c = stablehlo.concatenate {", ".join(names)}, dim = 0 : ({types}) -> tensor<?xf32>
  %n = stablehlo.negate %c : tensor<?xf32>
  %s = stablehlo.get_dimension_size %n, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  return %n, %s : tensor<?xf32>, tensor<i32>
}}"""


def nested(count, each):
    """Concatenations of |each|, along dim 1, and one of them; no single one is large."""
    lines, parts = [], []
    for i in range(0, count, each):
        names = [f"%a{k}" for k in range(i, min(i + each, count))]
        types = ", ".join(["tensor<2x?xf32>"] * len(names))
        lines.append(f"%p{i} = stablehlo.concatenate {', '.join(names)}, dim = 1 : ({types}) -> tensor<2x?xf32>")
        parts.append(f"%p{i}")
    arguments = ", ".join(f"%a{i}: tensor<2x?xf32>" for i in range(count))
    body = "\n  ".join(lines)
    return f"""func.func @main({arguments}) -> (tensor<2x?xf32>, tensor<i32>) {{
  {body}
  %c = stablehlo.concatenate {", ".join(parts)}, dim = 1 : ({", ".join(["tensor<2x?xf32>"] * len(parts))}) -> tensor<2x?xf32>
  %n = stablehlo.negate %c : tensor<2x?xf32>
  %s = stablehlo.get_dimension_size %n, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  return %n, %s : tensor<2x?xf32>, tensor<i32>
}}"""


def conditional(count):
    """The same inside a branch."""
    names = [f"%a{i}" for i in range(count)]
    types = ", ".join(["tensor<?xf32>"] * count)
    return f"""func.func @main(%p: tensor<i1>, {", ".join(n + ": tensor<?xf32>" for n in names)}) -> tensor<f32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.if"(%p) ({{
    %c = stablehlo.concatenate {", ".join(names)}, dim = 0 : ({types}) -> tensor<?xf32>
    %s = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}, {{ stablehlo.return %z : tensor<f32> }}) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}}"""


PROGRAMS = {"257": (flat(257), 257, (), 0), "1500": (flat(1500), 1500, (), 0), "nested": (nested(600, 200), 600, (2,), 1),
            "branch": (conditional(300), 300, (), None)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs(name, compiler):
    text, count, leading, axis = PROGRAMS[name]
    executable = Runtime(threads=2).load(compile_program(text.encode(), name + ".mlir", threads=2))
    rng = np.random.default_rng(0)
    for largest in (5, 1, 9):
        parts = [rng.integers(-9, 9, leading + (int(rng.integers(0, largest)),)).astype(np.float32) for _ in range(count)]
        if axis is None:
            assert executable(np.array(True), *parts)[0] == sum(float(p.sum()) for p in parts)
            assert executable(np.array(False), *parts)[0] == 0
            continue
        want = -np.concatenate(parts, axis=axis)
        got, size = executable(*parts)
        np.testing.assert_array_equal(got, want)
        assert size == want.shape[axis]


@pytest.mark.parametrize("name", ["257", "nested", "branch"])
def test_passes_of_the_gpu(name, build, tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAMS[name][0])
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), str(path), "--disc-pipeline=target=cuda"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "gpu.module" in done.stdout or "ral" in done.stdout
