# SPDX-License-Identifier: Apache-2.0
"""TensorFlow to Heddle, in the environment that tools/setup.sh makes for it; without TensorFlow, the rules of tf_ops alone."""
import ast
import json
import os
import subprocess

import needs
import pytest

from heddle import UnimplementedError, tf_ops

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "tensorflow_cases.py"), encoding="utf-8") as handle: TREE = ast.parse(handle.read())
NAMES = [f.name for f in TREE.body if isinstance(f, ast.FunctionDef) and any(getattr(d, "id", "") == "case" for d in f.decorator_list)]


@pytest.fixture(scope="module")
def run(root, build, tmp_path_factory):
    """run(script, *options) in the environment with TensorFlow; gives the CompletedProcess."""
    python = needs.tensorflow(build)
    folder = tmp_path_factory.mktemp("tensorflow")
    environment = {**os.environ, "HEDDLE_BUILD": build, "PYTHONPATH": os.path.join(root, "front", "python"), "TF_CPP_MIN_LOG_LEVEL": "3", "XLA_FLAGS": "",
                   "HEDDLE_CACHE_DIR": str(folder / "cache")}
    return lambda *command: subprocess.run([python, *map(str, command)], capture_output=True, text=True, timeout=900, cwd=folder,
                                           env=environment, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def outcomes(run, once):
    def cases():
        done = run(os.path.join(HERE, "tensorflow_cases.py"))
        return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")), done.returncode, done.stderr[-3000:]
    return once("tensorflow_cases", cases)


@pytest.mark.parametrize("name", NAMES)
def test_case(outcomes, name):
    known, code, text = outcomes
    assert name in known, f"the process ended with {code} before the case\n{text}"
    assert known[name] is None, known[name]


def test_saved_model_example(run, root, tmp_path, heddle):
    """A SavedModel at any shape; the artifact runs on the command line."""
    done = run(os.path.join(root, "examples", "tensorflow_run.py"), "--save", tmp_path / "model.hdl")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "ids -> last, scores" in done.stdout and done.stdout.count("largest difference") == 4
    heddle("run", tmp_path / "model.hdl", "--random", "0", "--random-max", "200", "--shape", "arg0=3x9", check=True)


def test_what_is_left_is_named():
    text = '    %1 = "tf.Where"(%arg0) {device = ""} : (tensor<?xi1>) -> tensor<?x1xi64>\n'
    with pytest.raises(UnimplementedError, match=r"tf.Where \(2\)"): tf_ops.rewrite(text * 2)


def test_strides_that_have_no_rule():
    text = ('    %c = mhlo.constant dense<0> : tensor<1xi32>\n'
            '    %1 = "tf.StridedSlice"(%arg0, %c, %c, %c) <{begin_mask = 1 : i64, ellipsis_mask = 0 : i64, end_mask = 1 : i64, new_axis_mask = 0 : i64, '
            'shrink_axis_mask = 0 : i64}> {device = ""} : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>\n')
    with pytest.raises(UnimplementedError, match="expected a stride that is not 0"): tf_ops.rewrite(text)
    with pytest.raises(UnimplementedError, match="expected constant strides"): tf_ops.rewrite(text.splitlines()[1] + "\n")
