# SPDX-License-Identifier: Apache-2.0
"""What processes exchange, async pairs and sizes of the run as HLO text: each program of src/hlo/processes.hlo is run against the
evaluator, and XLA reads it and what is printed of it; programs that JAX makes for several devices are read and printed likewise, and
run as several processes on the parts of JAX's arrays."""
import functools
import os
import re
import subprocess
import sys

import jaxlib._hlo as xla
import needs
import numpy as np
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
    assert "the evaluator" in done.stdout


@pytest.mark.parametrize("form", ("lowered", "compiled"))
def test_program_of_jax(build, form, tmp_path):
    text = written_by_jax(form)
    again = printed(build, text, tmp_path)
    opcodes = ["all-reduce", "all-gather", "all-to-all", "collective-permute"]
    if form == "lowered": opcodes.append("reduce-scatter")
    for opcode in opcodes: assert f" {opcode}(" in text and f" {opcode}(" in again, opcode
    xla.hlo_module_from_text(again)


# The program of one device, and what each device was given and computed.
DIVIDED_PROGRAM = """
import os, sys
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
at = lambda *axes: NamedSharding(mesh, P(*axes))
def manual(a, b):
    s = lax.psum(a, "y") + lax.all_gather(b, "x", tiled=True).sum()
    return lax.ppermute(s, "x", [(0, 1), (1, 0)]) + lax.axis_index(("x", "y"))
def sharded(a, b): return jax.nn.softmax(a @ b, axis=-1), (a * 2).sum(0)
if NAME == "manual":
    f = jax.jit(jax.shard_map(manual, mesh=mesh, in_specs=(P("x", "y"), P("x", "y")), out_specs=P("x", "y"), check_vma=False))
else:
    f = jax.jit(sharded, out_shardings=(at("x", "y"), at(None)))
rng = np.random.default_rng(4)
args = [jax.device_put(rng.uniform(-1, 1, (8, 8)).astype(np.float32), at("x", "y")) for _ in range(2)]
outs = jax.tree.leaves(f(*args))
for device in range(4):
    of = lambda arrays, name: {f"{name}{i}": np.asarray(a.addressable_shards[device].data) for i, a in enumerate(arrays)}
    np.savez(f"{sys.argv[1]}/in{device}.npz", **of(args, "arg"))
    np.savez(f"{sys.argv[1]}/want{device}.npz", **of(outs, "out"))
print(f.lower(*args).compile().as_text())
"""


@pytest.mark.parametrize("name", ("manual", "sharded"))
def test_runs_as_processes(build, name, tmp_path):
    """XLA has divided the program: it is run as it is, though its parameters say how."""
    done = subprocess.run([sys.executable, "-c", f"NAME = {name!r}\n{DIVIDED_PROGRAM}", str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "num_partitions=4" in done.stdout and "sharding={" in done.stdout
    again = printed(build, done.stdout, tmp_path)
    assert "num_partitions=4" in again and again.count(" parameter(0), sharding={") == 1
    environment = {**os.environ, "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    done = subprocess.run([needs.program("mpirun"), "-n", "4", "--allow-run-as-root", "--oversubscribe", os.path.join(build, "bin", "heddle"), "run", str(tmp_path / "f.hlo"),
                           "--no-cache", "--inputs", str(tmp_path / "in{rank}.npz"), "--outputs", str(tmp_path / "out{rank}.npz")],
                          capture_output=True, text=True, timeout=120, env=environment, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    for rank in range(4):
        with np.load(tmp_path / f"out{rank}.npz") as got, np.load(tmp_path / f"want{rank}.npz") as want:
            assert set(got) == set(want)
            for key in want: np.testing.assert_allclose(got[key], want[key], rtol=1e-5, atol=1e-5, err_msg=f"{key} of process {rank}")


def test_one_process_of_several(build, tmp_path):
    """A program of four devices in one process says what it needs."""
    path = tmp_path / "f.hlo"
    path.write_text("""HloModule m, num_partitions=4
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e_spmd {
  p = f32[4] parameter(0), sharding={devices=[4]<=[4]}
  ROOT r = f32[4] all-reduce(p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add
}
""")
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "run", path, "--random", "1", "--no-cache"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and re.search(r"f\.hlo:5:\d+: 1 process does not make replicas of 4 partitions, expected a multiple of 4; this program runs alone: start all", done.stderr), done.stderr


GROUPS = {"mesh['a'=2,'b'=4] {'a'}": [[0, 4], [1, 5], [2, 6], [3, 7]],
          "mesh['a'=2,'b'=4]{'b'}": [[0, 1, 2, 3], [4, 5, 6, 7]],
          "mesh['a'=2,'b'=4] {'b','a'}": [[0, 4, 1, 5, 2, 6, 3, 7]],
          "mesh['a'=8] {'a':(1)2}": [[0, 4], [1, 5], [2, 6], [3, 7]],
          "mesh['a'=8] {'a':(2)2}": [[0, 2], [1, 3], [4, 6], [5, 7]],
          "mesh['a'=8] {'a':(4)2,'a':(1)2}": [[0, 4, 1, 5], [2, 6, 3, 7]],
          "mesh['a'=4,'b'=2], device_ids=(7,6,5,4,3,2,1,0) {'a'}": [[7, 5, 3, 1], [6, 4, 2, 0]],
          "mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}": [[0, 4], [1, 5], [2, 6], [3, 7]],
          "[4,2]<=[2,4]T(1,0)": [[0, 4], [1, 5], [2, 6], [3, 7]]}


@pytest.mark.parametrize("groups", GROUPS)
def test_groups(build, groups, tmp_path):
    """Axes of a mesh and boxes of numbers are lists of processes, which is what is printed."""
    text = f"""HloModule m, num_partitions=8
add {{ a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }}
ENTRY e {{
  p = f32[4] parameter(0)
  ROOT r = f32[4] all-reduce(p), channel_id=1, replica_groups={groups}, use_global_device_ids=true, to_apply=add
}}
"""
    xla.hlo_module_from_text(text)
    want = ",".join("{" + ",".join(map(str, group)) + "}" for group in GROUPS[groups])
    assert f"replica_groups={{{want}}}" in printed(build, text, tmp_path)


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
