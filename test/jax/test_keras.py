# SPDX-License-Identifier: Apache-2.0
"""Keras on JAX on Heddle: the losses of JAX's own CPU platform, and an exported model at any shape."""
import json
import os
import subprocess
import sys

import needs

needs.packages("keras")


def test_training_and_export(root, build, tmp_path):
    losses = {}
    for platform in ("heddle", "cpu"):
        done = subprocess.run([sys.executable, os.path.join(root, "test", "jax", "keras_cases.py")], capture_output=True, text=True, timeout=600,
                              stdin=subprocess.DEVNULL, env={**os.environ, "JAX_PLATFORMS": platform, "HEDDLE_BUILD": build, "KERAS_HOME": str(tmp_path),
                                                             "PYTHONPATH": os.path.join(root, "front", "python"), "HEDDLE_CACHE_DIR": str(tmp_path / "cache")})
        assert done.returncode == 0, done.stderr[-3000:]
        device, losses[platform], worst = json.loads(done.stdout.splitlines()[-1])
        assert ("Heddle" in device) == (platform == "heddle") and worst < 1e-4
    assert losses["heddle"][-1] < losses["heddle"][0] and max(abs(a - b) for a, b in zip(*losses.values())) < 1e-4, losses
