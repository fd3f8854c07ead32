# SPDX-License-Identifier: Apache-2.0
"""Portable artifacts of every version, against StableHLO's own reader and writer (the one in jaxlib)."""
import io
import os
import subprocess

import needs
import pytest

from programs import PROGRAMS

mlir = needs.module("jax._src.interpreters.mlir", group="python")
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

# The oldest and the newest, each format of bytecode, and those between which ops changed.
VERSIONS = ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "1.0.0", "1.9.0", "1.17.0"]
SOME = ["0.9.0", "1.4.0", "1.17.0"]


@pytest.fixture(scope="module")
def opt(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bytecode")

    def run(data, *args):
        path = folder / "program"
        path.write_bytes(data)
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), str(path), *args], capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
    return run


def new_context():
    context = mlir.make_ir_context()
    with context:
        # Loads the dialect of quantized types, which the parser alone does not.
        stablehlo.deserialize_portable_artifact(context, serialize(PROGRAMS["abs"], "1.17.0"))
    return context


def serialize(program, version):
    """The artifact, None when that version cannot express the program. Serializing changes a module, so each has its own."""
    try:
        return stablehlo.serialize_portable_artifact(ir.Module.parse(program), version)
    except ValueError:
        return None


@pytest.mark.parametrize("name", PROGRAMS)
def test_reads(name, opt):
    """Bytecode of a version gives the program that its text form gives."""
    seen, expressed = {}, 0
    with new_context() as context:
        for version in VERSIONS:
            artifact = serialize(PROGRAMS[name], version)
            if artifact is None: continue
            expressed += 1
            text = str(stablehlo.deserialize_portable_artifact(context, artifact))
            code, got, error = opt(artifact, "--mlir-print-op-generic")
            assert code == 0, (version, error)
            if text not in seen:
                code, seen[text], error = opt(text.encode(), "--mlir-print-op-generic")
                assert code == 0, (version, error, text)
            assert got.decode() == seen[text].decode(), version
    assert expressed, "no version of StableHLO can express the program"


@pytest.mark.parametrize("name", PROGRAMS)
def test_writes(name, opt):
    """StableHLO reads what Heddle writes, as the program that it reads from its own artifact; neither writes what the other
    does not."""
    with new_context() as context:
        source = str(ir.Module.parse(PROGRAMS[name])).encode()
        for version in SOME:
            theirs = serialize(PROGRAMS[name], version)
            code, ours, error = opt(source, "--emit-bytecode", f"--target-version={version}")
            assert (code == 0) == (theirs is not None), (version, error)
            if theirs is None: continue
            want = str(stablehlo.deserialize_portable_artifact(context, theirs))
            got = str(stablehlo.deserialize_portable_artifact(context, ours))
            assert got == want, version
            code, again, error = opt(ours)
            assert code == 0, (version, error)
            assert again == opt(theirs)[1], version


def test_versions_are_checked(opt):
    program = PROGRAMS["abs"].encode()
    for version, part in [("0.8.0", "0.9.0 to 1.20.0"), ("1.21.0", "0.9.0 to 1.20.0"), ("1.x", "expected a version"), ("", "expected X.Y.Z")]:
        code, _, error = opt(program, "--emit-bytecode", f"--target-version={version}")
        assert code == 2 and part in error, (version, error)


@pytest.mark.parametrize("element", ["f8E4M3", "f8E4M3FN", "f8E5M2", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f4E2M1FN", "f6E2M3FN",
                                     "f6E3M2FN", "f8E8M0FNU", "tf32"])
def test_small_floats_of_plain_bytecode(element, opt):
    with new_context():
        module = ir.Module.parse(f"func.func private @f(tensor<4x{element}>)")
        data = io.BytesIO()
        module.operation.write_bytecode(data)
        code, got, error = opt(data.getvalue())
        assert code == 0, error
        assert got.decode().strip() == str(module).strip()


def test_exported(opt):
    """What jax.export writes: composites stay what they are in text, shardings of one device vanish."""
    jax = needs.module("jax", group="python")
    import numpy as np
    from jax import numpy as jnp
    exporter = needs.module("jax.export", group="python")
    shape = jax.ShapeDtypeStruct((4,), np.float32)
    exported = exporter.export(jax.jit(lambda x: (jax.lax.erf(x), jax.lax.top_k(x, 2), jnp.tan(x))))(shape)
    code, text, error = opt(bytes(exported.mlir_module_serialized))
    assert code == 0, error
    assert text == opt(exported.mlir_module().encode())[1]
    assert b'composite "chlo.top_k" %arg0 {composite_attributes = {k = 2 : i64}' in text
    code, text, error = opt(bytes(exported.mlir_module_serialized), "--pass-pipeline=inline")
    assert code == 0 and b"chlo.erf" in text and b"chlo.top_k(%arg0, k = 2)" in text and b"composite" not in text, error
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    function = jax.jit(lambda x: jax.lax.with_sharding_constraint(x * 2, sharding), in_shardings=sharding)
    data = exporter.export(function)(shape).mlir_module_serialized
    assert b"sdy" in bytes(data)
    code, text, error = opt(bytes(data))
    assert code == 0, error
    assert b"sdy" not in text and b"unrealized" not in text
