# SPDX-License-Identifier: Apache-2.0
"""Flax, optax and Orbax on Heddle: the losses of JAX's own CPU platform, through checkpoints that either platform restores."""
import json
import os
import shutil
import subprocess
import sys

import needs
import pytest

needs.packages("flax", "optax", "orbax")

# Losses of both platforms differ by less than this at every step: sums are taken in another order, and an optimiser's steps
# carry that on. It was 3e-6 when written.
TOLERANCE = 1e-4


@pytest.fixture(scope="module")
def train(root, build, tmp_path_factory):
    """train(platform, *options) trains in a process of its own; gives {step: loss}."""
    folder = tmp_path_factory.mktemp("flax")

    def run(platform, *options):
        losses = folder / "losses.json"
        done = subprocess.run([sys.executable, os.path.join(root, "examples", "flax_train.py"), "--losses", losses, *map(str, options)],
                              capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
                              env={**os.environ, "JAX_PLATFORMS": platform, "PYTHONPATH": os.path.join(root, "front", "python"),
                                   "HEDDLE_BUILD": build, "HEDDLE_CACHE_DIR": str(folder / "cache")})
        assert done.returncode == 0, done.stderr[-3000:]
        assert ("HeddleDevice" in done.stdout) == (platform == "heddle"), done.stdout
        with open(losses, encoding="utf-8") as handle: return {int(step): loss for step, loss in json.load(handle).items()}
    return run


def distance(losses, others): return max(abs(losses[step] - others[step]) for step in losses)


def test_same_losses_through_checkpoints(train, tmp_path):
    """Parameters, the optimiser's moments and the random numbers of dropout come back: a run goes on as if it had not stopped."""
    whole = train("cpu", "--steps", 24)
    first = train("heddle", "--steps", 12, "--every", 12, "--checkpoints", tmp_path / "heddle")
    shutil.copytree(tmp_path / "heddle", tmp_path / "cpu")
    second = train("heddle", "--steps", 24, "--every", 12, "--checkpoints", tmp_path / "heddle")
    assert list(first) == list(range(12)) and list(second) == list(range(12, 24))
    assert whole[23] < whole[0] - 1
    assert distance({**first, **second}, whole) < TOLERANCE
    other = train("cpu", "--steps", 15, "--checkpoints", tmp_path / "cpu")  # from the checkpoint that Heddle wrote
    assert list(other) == [12, 13, 14] and distance(other, whole) < TOLERANCE
