# SPDX-License-Identifier: Apache-2.0
"""JAX on Heddle, compared with JAX's own CPU platform: one process per script runs all its cases."""
import ast
import json
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = ("platform_cases", "buffer_cases", "sharing_cases", "device_cases", "mesh_cases", "training_cases", "older_cases", "plugin_cases")
SEVERAL = (1, 2, 4) if os.environ.get("HEDDLE_LONG") else (1, 4)
DEVICES = {"device_cases": SEVERAL, "mesh_cases": SEVERAL, "training_cases": SEVERAL, "older_cases": (4,), "plugin_cases": (2,)}


def runs():
    """(script, number of devices)"""
    return [(script, devices) for script in SCRIPTS for devices in DEVICES.get(script, (1,))]


def names():
    """(script, devices, function) for each case, without importing the scripts here, where JAX has its own platform."""
    for script, devices in runs():
        with open(os.path.join(HERE, script + ".py"), encoding="utf-8") as handle: tree = ast.parse(handle.read())
        cases = (f.name for f in tree.body if isinstance(f, ast.FunctionDef) and any(getattr(d, "id", "") == "case" for d in f.decorator_list))
        yield from ((script, devices, name) for name in cases)


def environment(root, build, cache, **more):
    return {**os.environ, "JAX_PLATFORMS": "heddle,cpu", "PYTHONPATH": os.path.join(root, "front", "python"),
            "HEDDLE_BUILD": build, "HEDDLE_CACHE_DIR": str(cache), **more}


def outcomes_of(script, variables):
    """What the script said of its cases, its exit code and its last words."""
    done = subprocess.run([sys.executable, os.path.join(HERE, script + ".py")], capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL,
                          env=variables)
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")), done.returncode, done.stderr[-3000:]


@pytest.fixture(scope="module")
def results(root, build, tmp_path_factory, once):
    """What each script said of its cases, its exit code and its last words; a script runs when it is first asked for."""
    def of(script, devices):
        def run():
            more = {"HEDDLE_NUM_DEVICES": str(devices), "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}".strip()} if script in DEVICES else {}
            return outcomes_of(script, environment(root, build, tmp_path_factory.mktemp("cache"), **more))
        return once(f"{script}_{devices}", run)
    return of


@pytest.mark.parametrize("script, devices, name", list(names()))
def test_case(results, script, devices, name):
    outcomes, code, text = results(script, devices)
    assert name in outcomes, f"the process ended with {code} before the case\n{text}"
    assert outcomes[name] is None, outcomes[name]


@pytest.mark.parametrize("script, devices", runs())
def test_process_ends_well(results, script, devices):
    _, code, text = results(script, devices)
    assert code == 0, text


def script(root, build, cache, text, **more):
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, env=environment(root, build, cache, **more))


RUN = "import jax, jax.numpy as jnp, numpy as np\nprint(np.asarray(jax.jit(lambda x: jnp.tanh(x) * 3)(np.ones(7, np.float32)))[0])\n"


def test_number_of_devices(root, build, tmp_path):
    text = """
import os, jax, jax.extend
for value in ("0", "-1", "two", "", "2x", "1025", "99999999999999999999", "1.5", "3"):
    os.environ["HEDDLE_NUM_DEVICES"] = value
    try: print(len(jax.devices("heddle")))
    except RuntimeError as error: print(f"HEDDLE_NUM_DEVICES: expected a number from 1 to 1024, got '{value}'" in str(error))
    jax.extend.backend.clear_backends()
"""
    done = script(root, build, tmp_path, text)
    assert done.returncode == 0 and done.stdout.split() == ["True"] * 8 + ["3"], done.stdout + done.stderr[-2000:]


def test_log_and_second_process(root, build, tmp_path):
    """A line for each program; a second process takes its programs from the cache, and a cache that cannot be used is a note."""
    count = RUN + "from heddle.jax_platform import counters\nprint(*counters())\n"
    first, second = (script(root, build, tmp_path / "cache", count, HEDDLE_LOG="1") for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    lines = lambda done: [line for line in done.stderr.splitlines() if line.startswith("heddle: jit_")]
    assert any(": compiled in" in line for line in lines(first)), first.stderr
    assert lines(second) and all(": from the cache in" in line for line in lines(second)), second.stderr
    value, numbers = second.stdout.splitlines()
    assert value == first.stdout.splitlines()[0] and numbers.split()[:3] == ["0", "0", "0"] and int(numbers.split()[3]) > 0, second.stdout
    (tmp_path / "file").write_text("")
    done = script(root, build, tmp_path / "file", RUN, HEDDLE_LOG="1")
    assert done.returncode == 0 and "running without a cache" in done.stderr, done.stderr
    assert not lines(script(root, build, tmp_path / "cache", RUN, HEDDLE_LOG="0"))


def test_callbacks_without_the_cpu(root, build, tmp_path):
    """JAX_PLATFORMS=heddle is enough for callbacks, compiled and not, from several threads."""
    text = """
import threading, jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
jax.debug.print("eager {}", jnp.ones(2))
jax.jit(lambda x: jax.debug.print("compiled {}", x))(jnp.arange(2))
sine = jax.jit(lambda x: jax.pure_callback(np.sin, x, x))
threads = [threading.Thread(target=lambda: sine(jnp.arange(3.0)).block_until_ready()) for _ in range(3)]
for t in threads: t.start()
for t in threads: t.join()
print(float(sine(jnp.ones(3))[0]) == float(np.sin(np.float32(1))))
print(jax.jit(lambda x: io_callback(lambda v: np.float32(v.sum()), jax.ShapeDtypeStruct((), "f4"), x, ordered=True))(jnp.arange(3.0)))
jax.effects_barrier()
print(jax.default_backend(), len(jax.devices()))
"""
    done = script(root, build, tmp_path, text, JAX_PLATFORMS="heddle")
    assert done.returncode == 0 and done.stdout.splitlines() == ["eager [1. 1.]", "compiled [0 1]", "True", "3.0", "heddle 1"], done.stdout + done.stderr[-2000:]


def test_loaded_twice_and_forked(root, build, tmp_path):
    """The library under two names in one process, a child process that is forked before the platform is used, and an end in
    the middle of work."""
    text = f"""
import ctypes, os, shutil, sys
library = os.path.join({build!r}, "lib", "libheddle_pjrt.so")
for path in (library, library): ctypes.CDLL(path).GetPjrtApi
child = os.fork()
{RUN}
if child:
    assert os.waitpid(child, 0)[1] == 0
    f = jax.jit(lambda x: jax.lax.fori_loop(0, 200, lambda i, c: jnp.tanh(c @ c), x))
    for _ in range(3): pending = f(np.ones((200, 200), np.float32))
    sys.exit(0)  # while it runs
"""
    done = script(root, build, tmp_path, text)
    assert done.returncode == 0 and done.stdout.count("2.28") == 2, done.stdout + done.stderr[-3000:]
    text = f"""
import os, jax
jax.config.update("jax_platforms", "heddle,cpu")
from jax._src import xla_bridge
import jax._src.xla_bridge as bridge
bridge.register_plugin("second", library_path=os.path.join({build!r}, "lib", "libheddle_pjrt.so"))
jax.config.update("jax_platforms", "heddle,second,cpu")
import numpy as np
x = jax.device_put(np.arange(4.0, dtype=np.float32), jax.devices("heddle")[0])
print(len(jax.devices("heddle")), float(jax.jit(lambda v: (v * v).sum())(x)))
"""
    done = script(root, build, tmp_path, text)
    assert done.returncode == 0 and done.stdout == "1 14.0\n", done.stdout + done.stderr[-3000:]


def test_training_example(root, build, tmp_path):
    """The same losses on Heddle as on JAX's CPU, through a checkpoint, with donated parameters and dropout."""
    losses = {}
    for platform in ("heddle", "cpu"):
        done = subprocess.run([sys.executable, os.path.join(root, "examples", "jax_train.py"), "--steps", "20", "--losses", tmp_path / platform,
                               "--checkpoint", tmp_path / f"{platform}.npz"], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
                              env={**environment(root, build, tmp_path / "cache"), "JAX_PLATFORMS": platform})
        assert done.returncode == 0, done.stderr[-3000:]
        with open(tmp_path / platform, encoding="utf-8") as handle: losses[platform] = json.load(handle)
    assert len(losses["heddle"]) == 20 and losses["heddle"][-1] < 1.5 < losses["heddle"][0]
    assert max(abs(a - b) for a, b in zip(*losses.values())) < 1e-3, losses


def test_processes(root, build, tmp_path):
    """jax.distributed with one process works; of several, Heddle says what there is instead, in the process that asks."""
    text = """
import socket, sys, jax, jax.numpy as jnp
with socket.socket() as s: s.bind(("127.0.0.1", 0)); port = s.getsockname()[1]
jax.distributed.initialize(f"127.0.0.1:{port}", 1, 0)
print(jax.process_count(), float(jax.jit(lambda x: x.sum())(jnp.ones(3))))
"""
    done = script(root, build, tmp_path, text)
    assert done.returncode == 0 and done.stdout.split() == ["1", "3.0"], done.stdout + done.stderr[-2000:]
    text = """
import jax
from jax._src.lib import xla_client
jax.devices()
def create(**options):
    try: return xla_client.make_c_api_client("heddle", options, None).device_count()
    except jax.errors.JaxRuntimeError as error: return str(error)
print(create(num_nodes=1, node_id=0), create(num_devices=3))
print("2 processes" in create(num_nodes=2, node_id=1) and "HEDDLE_NUM_DEVICES" in create(num_nodes=2, node_id=1))
print("num_devices: expected a number from 1" in create(num_devices=0), "unknown option 'num_cores'" in create(num_cores=1))
"""
    done = script(root, build, tmp_path, text)
    assert done.returncode == 0 and done.stdout.split() == ["1", "3", "True", "True", "True"], done.stdout + done.stderr[-2000:]


def test_jax_cache(root, build, tmp_path):
    """JAX's own cache (jax_compilation_cache_dir): executables are written, found by a second process, and nothing comes of entries
    that are damaged but a warning. A program with a callback stays out of it."""
    text = """
import collections, sys, warnings, jax, jax.numpy as jnp, numpy as np
warnings.simplefilter("always")
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
events = collections.Counter()
jax.monitoring.register_event_listener(lambda name, **_: events.update([name.split("/")[-1]]))
x = np.arange(12, dtype=np.float32).reshape(3, 4)
product = jax.jit(lambda x: jnp.tanh(x) @ x.T, donate_argnums=0)
print(*np.asarray(product(x)).sum(0), *np.asarray(product(jax.device_put(x, jax.devices()[1]))).sum(0))
print(*np.asarray(jax.jit(jnp.linalg.eigh)(np.diag([2.0, 1.0]).astype(np.float32))[0]))
print(*np.asarray(jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct((3, 4), np.float32), x))(x)).sum(0))
print(events["cache_hits"], events["cache_misses"], file=sys.stderr)
"""
    folder = tmp_path / "jax"

    def run():
        done = subprocess.run([sys.executable, "-c", text, folder], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                              env=environment(root, build, tmp_path / "own", HEDDLE_NUM_DEVICES="2"))
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout, *map(int, done.stderr.splitlines()[-1].split()), done.stderr

    entries = lambda: sorted(path for path in folder.iterdir() if path.name.endswith("-cache"))
    values, hits, misses, _ = run()
    assert hits == 0 and misses > 2 and len(entries()) == misses
    again, hits, missed, errors = run()
    assert again == values and missed == 0 and hits == misses and "Error reading" not in errors, errors
    for number, path in enumerate(entries()):
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes((b"", whole[:middle], whole[:middle] + bytes([whole[middle] ^ 0x10]) + whole[middle + 1:], whole[:-1])[number % 4])
    again, hits, missed, errors = run()
    assert again == values and hits == 0 and errors.count("Error reading") == misses, errors
