# SPDX-License-Identifier: Apache-2.0
"""What processes exchange, async pairs and sizes of the run as HLO text: each program of src/hlo/processes.hlo is run against the
evaluator, and XLA reads it and what is printed of it; programs that JAX makes for several devices are read and printed likewise."""
import functools
import os
import subprocess
import sys

import jaxlib._hlo as xla
import pytest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(ROOT, "src", "hlo", "processes.hlo")) as file: PROGRAMS = file.read().split("// -----\n")
NAMES = [text.split("HloModule ")[1].split()[0] for text in PROGRAMS]

# Written by JAX for four devices of one process.
JAX_PROGRAM = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import jax, jax.numpy as jnp
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P
mesh = Mesh(jax.devices(), ("x",))
def f(a):
    b = lax.psum(a, "x") + lax.pmax(a, "x")
    c = lax.all_gather(a, "x", tiled=True)
    d = lax.psum_scatter(c, "x", tiled=True)
    e = lax.all_to_all(c, "x", 0, 1, tiled=True)
    g = lax.ppermute(d, "x", [(i, (i + 1) % 4) for i in range(4)])
    return b + d + g, e, lax.axis_index("x") + jnp.zeros((1,), jnp.int32)
mapped = jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=(P("x"), P(None, "x"), P("x")), check_vma=False)
lowered = jax.jit(mapped).lower(jax.ShapeDtypeStruct((16, 4), jnp.float32))
print(lowered.as_text(dialect="hlo") if FORM == "lowered" else lowered.compile().as_text())
"""


@functools.lru_cache(maxsize=2)
def written_by_jax(form):
    done = subprocess.run([sys.executable, "-c", f"FORM = {form!r}\n{JAX_PROGRAM}"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(build, text, folder):
    path = folder / "f.hlo"
    path.write_text(text)
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), path, "--verify-roundtrip", "--emit-hlo"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_program(build, name, tmp_path):
    text = PROGRAMS[NAMES.index(name)]
    again = printed(build, text, tmp_path)
    for source in (text, again): xla.hlo_module_from_text(source)
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "run", tmp_path / "f.hlo", "--random", "1", "--no-cache", "--reference=eval"],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "differs from the evaluator by" in done.stdout + done.stderr


@pytest.mark.parametrize("form", ("lowered", "compiled"))
def test_program_of_jax(build, form, tmp_path):
    text = written_by_jax(form)
    again = printed(build, text, tmp_path)
    opcodes = ["all-reduce", "all-gather", "all-to-all", "collective-permute"]
    if form == "lowered": opcodes.append("reduce-scatter")
    for opcode in opcodes: assert f" {opcode}(" in text and f" {opcode}(" in again, opcode
    xla.hlo_module_from_text(again)


def test_ragged_all_to_all(build, tmp_path):
    """Nothing here provides it; it stays what it is."""
    text = """HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  o = f32[8] parameter(1)
  a = s64[2] parameter(2)
  ROOT s = f32[8] ragged-all-to-all(p, o, a, a, a, a), replica_groups={{0,1}}, channel_id=1
}
"""
    again = printed(build, text, tmp_path)
    assert "ragged-all-to-all(" in again
    xla.hlo_module_from_text(again)


def test_several_devices_on_different_arrays(build, tmp_path):
    """all-to-all of a tuple exchanges one array with each member of the group."""
    text = """HloModule m
ENTRY e {
  p = f32[3] parameter(0)
  q = f32[3] parameter(1)
  ROOT s = (f32[3], f32[3]) all-to-all(p, q), replica_groups={{0,1}}
}
"""
    again = printed(build, text, tmp_path)
    assert "f32[2,3] all-to-all(" in again and "dimensions={0}" in again
    xla.hlo_module_from_text(again)


def test_send_and_receive(build, tmp_path):
    """Of a host, on tokens; a run has nobody to exchange with."""
    text = """HloModule m
ENTRY e {
  p = f32[4]{0} parameter(0)
  t = token[] after-all()
  s = (f32[4]{0}, u32[], token[]) send(p, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = (f32[4]{0}, u32[], token[]) recv(d), channel_id=2, is_host_transfer=true
  e = (f32[4]{0}, token[]) recv-done(r), channel_id=2, is_host_transfer=true
  ROOT x = f32[4]{0} get-tuple-element(e), index=0
}
"""
    again = printed(build, text, tmp_path)
    for opcode in ("send", "send-done", "recv", "recv-done"): assert f" {opcode}(" in again
    xla.hlo_module_from_text(again)
