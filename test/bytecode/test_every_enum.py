# SPDX-License-Identifier: Apache-2.0
"""Every value of every enum of StableHLO, in artifacts of every version, as StableHLO's own writer makes them: read, evaluated
and compiled, with the same results in each version."""
import io
import itertools
import os
import re
import subprocess

import pytest

from programs import PROGRAMS

mlir = pytest.importorskip("jax._src.interpreters.mlir")
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(18)]


def function(arguments, lines, results):
    """|lines| give %0, %1, ... one each; |results| are the types of those, all returned."""
    body = "\n  ".join(f"%{i} = {line}" for i, line in enumerate(lines))
    names, types = ", ".join(f"%{i}" for i in range(len(lines))), ", ".join(results)
    return f"func.func @main({arguments}) -> ({types}) {{\n  {body}\n  return {names} : {types}\n}}"


def compares(element):
    of, to = f"tensor<4x{element}>", "tensor<4xi1>"
    lines = [f"stablehlo.compare {direction}, %a, %b{', ' + kind if kind else ''} : ({of}, {of}) -> {to}"
             for direction, kind in itertools.product(["EQ", "NE", "GE", "GT", "LE", "LT"], ["", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"])]
    return function(f"%a: {of}, %b: {of}", lines, [to] * len(lines))


def states(algorithm, state):
    lines = [f'"stablehlo.rng_bit_generator"(%a) <{{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}> : (tensor<{state}>) -> (tensor<{state}>, tensor<3xui32>)']
    return (f"func.func @main(%a: tensor<{state}>) -> (tensor<{state}>, tensor<3xui32>) {{\n  %s, %0 = {lines[0]}\n"
            f"  return %s, %0 : tensor<{state}>, tensor<3xui32>\n}}")


MATRIX = "tensor<3x3xf32>"
SQUARE = ["tensor<4xcomplex<f32>>", "tensor<3xcomplex<f32>>", "tensor<4xf32>"]
GROUPS = ("#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"a\", size = 1>]{ids}>, "
          "axes = [#stablehlo.axis_ref<name = \"a\"{sub}>]>")


def reduction(groups):
    return f"""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "stablehlo.all_reduce"(%a) <{{replica_groups = {groups}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : tensor<f32>
  }}) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""


RUNS = {
    **{f"compare_{e}": compares(e) for e in ("f32", "bf16", "i32", "ui8", "i1", "complex<f32>")},
    **{f"rng_{a}_{s}": states(a, s) for a in ("DEFAULT", "THREE_FRY", "PHILOX") for s in ("2xui64", "3xui64", "4xui32", "3xi16", "f32", "2x2xf64")},
    "precision": function(f"%a: {MATRIX}, %b: {MATRIX}", [f"stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [{p}, {q}] : ({MATRIX}, {MATRIX}) -> {MATRIX}"
                                                          for p, q in itertools.product(["DEFAULT", "HIGH", "HIGHEST"], repeat=2)], [MATRIX] * 9),
    "fft": function("%a: tensor<4xcomplex<f32>>, %b: tensor<3xcomplex<f32>>, %c: tensor<4xf32>",
                    ["stablehlo.fft %a, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>",
                     "stablehlo.fft %a, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>",
                     "stablehlo.fft %c, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>",
                     "stablehlo.fft %b, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>"],
                    [SQUARE[0], SQUARE[0], SQUARE[1], SQUARE[2]]),
    "transpose": function("%a: tensor<2x2xf64>, %b: tensor<2x2xf64>", [
        f'"stablehlo.triangular_solve"(%a, %b) <{{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose {t}>}}> : '
        "(tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>" for t in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")], ["tensor<2x2xf64>"] * 3),
    "accuracy": function("%a: tensor<4xf32>", [
        f'"stablehlo.{op}"(%a) <{{result_accuracy = #stablehlo.result_accuracy<{parts}mode = #stablehlo.result_accuracy_mode<{mode}>>}}> : (tensor<4xf32>) -> tensor<4xf32>'
        for op in ("exponential", "tanh", "cbrt") for parts, mode in (("", "DEFAULT"), ("", "HIGHEST"), ("rtol = 0.5, ulps = 3, ", "TOLERANCE"))], ["tensor<4xf32>"] * 9),
    "mesh": reduction(GROUPS.format(ids="", sub="")),
    "mesh_ids": reduction(GROUPS.format(ids=", device_ids = dense<0> : tensor<1xi64>", sub=", sub_axis_info = (1)1")),
}


def context():
    made = mlir.make_ir_context()
    with made:  # loads the dialect of quantized types, which the parser alone does not
        stablehlo.deserialize_portable_artifact(made, stablehlo.serialize_portable_artifact(ir.Module.parse(PROGRAMS["abs"]), "1.17.0"))
    return made


@pytest.fixture(scope="module")
def heddle(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("enums")

    def run(tool, data, *args, **more):
        path = folder / "program"
        path.write_bytes(data)
        command = [os.path.join(build, "bin", "heddle-opt"), str(path)] if tool == "opt" else [os.path.join(build, "bin", "heddle"), tool, str(path)]
        done = subprocess.run([*command, *args], capture_output=True, timeout=60, **more)
        return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")
    return run


@pytest.mark.parametrize("name", RUNS)
def test_runs(name, heddle):
    seen, values = set(), set()
    with context():
        for version in VERSIONS:
            try:
                data = stablehlo.serialize_portable_artifact(ir.Module.parse(RUNS[name]), version)
            except ValueError:
                continue  # that version cannot express it
            code, text, error = heddle("opt", data)
            assert not code, (version, error)
            if text in seen: continue
            seen.add(text)
            code, out, error = heddle("run", data, "--random", "1", "--no-cache", "--reference=eval")
            assert not code, (version, error)
            code, out, error = heddle("eval", data, "--random", "1")
            assert not code, (version, error)
            values.add(re.sub(r"^.*?:", "", out))
    assert seen and len(values) == 1


# What plain bytecode holds of these is not read: ops whose properties differ between versions of StableHLO, which plain bytecode
# does not tell.
NOT_READ = {"custom_calls": "expected a byte", "custom_call_typed": "expected a byte", "collective_broadcast": "expected a byte"}


@pytest.mark.parametrize("name", [*RUNS, *(name for name in PROGRAMS if name not in RUNS)])
def test_plain_bytecode(name, heddle):
    """MLIR's bytecode of the program as it is, no portable artifact: what its text form gives."""
    text = RUNS.get(name) or PROGRAMS[name]
    with context():
        module, data = ir.Module.parse(text), io.BytesIO()
        module.operation.write_bytecode(data)
        code, got, error = heddle("opt", data.getvalue(), "--mlir-print-op-generic")
        if name in NOT_READ:
            assert code and NOT_READ[name] in error, error
            return
        assert not code, error
        code, want, error = heddle("opt", module.operation.get_asm(print_generic_op_form=True).encode(), "--mlir-print-op-generic")
        assert not code, error
        assert got == want
