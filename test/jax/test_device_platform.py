# SPDX-License-Identifier: Apache-2.0
"""JAX on a device: HEDDLE_TARGET=simt makes the platform one with memory of its own, HEDDLE_DRIVER=guarded one that the host cannot touch,
whose work is done late and whose kernels are checked. The cases of the platform on the CPU, compared with JAX's own CPU platform beside it."""
import os
import subprocess
import sys

import pytest

import test_platform

# guarded is simt with checks; without them, in make test-long.
DRIVERS = ["simt", "guarded"] if os.environ.get("HEDDLE_LONG") else ["guarded"]
# What is another thing on a device: loops over all elements are no donors.
APART = {"donated_elementwise": "AssertionError"}


def cases():
    return [(script, name) for script, _, name in test_platform.names() if script in ("platform_cases", "buffer_cases")]


@pytest.fixture(scope="module")
def results(root, build, tmp_path_factory, once):
    def of(script, driver):
        def run():
            environment = test_platform.environment(root, build, tmp_path_factory.mktemp("cache"), HEDDLE_TARGET="simt", HEDDLE_DRIVER=driver)
            return test_platform.outcomes_of(script, environment)
        return once(f"{script}_{driver}", run)
    return of


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("script, name", cases())
def test_case(results, script, name, driver):
    outcomes, code, text = results(script, driver)
    assert name in outcomes, f"the process ended with {code} before the case\n{text}"
    if name in APART: assert outcomes[name] and APART[name] in outcomes[name]
    else: assert outcomes[name] is None, outcomes[name]


PROGRAM = """
import jax, jax.numpy as jnp, numpy as np
device = jax.devices()[0]
assert device.platform == "heddle" and "emulator" in device.device_kind, device.device_kind
x = np.random.default_rng(0).standard_normal((50, 30)).astype(np.float32)
y = jax.device_put(x)
assert y.sharding.memory_kind == "device"
host = jax.device_put(x, jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host"))
np.testing.assert_array_equal(np.asarray(host), x)
np.testing.assert_array_equal(np.asarray(y.T), x.T)
np.testing.assert_allclose(jax.jit(jnp.sin)(y), np.sin(x), rtol=1e-6, atol=1e-7)
cpu = jax.device_put(y, jax.devices("cpu")[0])
np.testing.assert_array_equal(np.asarray(cpu), x)
add = jax.jit(lambda a: a + 1, donate_argnums=0)
z = add(y)
assert y.is_deleted()
np.testing.assert_array_equal(np.asarray(z), x + 1)
"""


@pytest.mark.parametrize("driver", ["simt", "guarded"])
def test_memories(root, build, tmp_path, driver):
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                          env=test_platform.environment(root, build, tmp_path, HEDDLE_TARGET="simt", HEDDLE_DRIVER=driver))
    assert done.returncode == 0, done.stderr[-3000:]


SAVE = """
import pickle, jax, numpy as np
from jax.experimental import serialize_executable
compiled = jax.jit(lambda a: a.sum(0) + 1).lower(jax.ShapeDtypeStruct((5, 3), np.float32)).compile()
pickle.dump(serialize_executable.serialize(compiled), open("saved", "wb"))
"""
AGAIN = """
import pickle, jax, numpy as np
from jax.experimental import serialize_executable
f = serialize_executable.deserialize_and_load(*pickle.load(open("saved", "rb")))
print(jax.devices()[0].device_kind, f(np.ones((5, 3), np.float32)).tolist())
"""


def test_several_targets(root, build, tmp_path):
    """What is compiled for several targets runs on the first that is here, and, serialised, where another one is taken."""
    def run(program, target):
        environment = test_platform.environment(root, build, tmp_path / "cache", HEDDLE_TARGET=target)
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, env=environment, cwd=tmp_path)
    done = run(SAVE, "simt+cpu")
    assert done.returncode == 0, done.stderr[-3000:]
    for target, emulated in (("simt+cpu", True), ("simt", True), ("cpu", False)):
        done = run(AGAIN, target)
        assert done.stdout.endswith("[6.0, 6.0, 6.0]\n") and ("emulator" in done.stdout) == emulated, done.stdout + done.stderr[-3000:]
    done = run(SAVE, "simt")
    assert done.returncode == 0, done.stderr[-3000:]
    done = run(AGAIN, "cpu")
    assert done.returncode and "no code for driver 'cpu'; the artifact is for: simt" in done.stderr, done.stdout + done.stderr[-3000:]


@pytest.mark.parametrize("target, says", [("abacus", "HEDDLE_TARGET: expected one of cpu"), ("cuda:xx", "HEDDLE_TARGET: expected architectures as in cuda:80,90, got 'cuda:xx'")])
def test_unknown_target(root, build, tmp_path, target, says):
    done = subprocess.run([sys.executable, "-c", "import jax; jax.devices()"], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                          env=test_platform.environment(root, build, tmp_path, HEDDLE_TARGET=target))
    assert done.returncode and says in done.stderr, done.stderr[-2000:]
