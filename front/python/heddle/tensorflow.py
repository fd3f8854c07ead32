# SPDX-License-Identifier: Apache-2.0
"""Programs from TensorFlow, with dims that stay unknown.

    program = heddle.tensorflow.from_function(f, tf.TensorSpec((None, 64), tf.float32))
    program = heddle.tensorflow.from_saved_model("model/")            # the signature "serving_default"
    y = heddle.compile(program)(x)                                     # any shape that the program admits

TensorFlow's own MLIR passes write MHLO; tf_ops.py writes the few ops that they leave where dims are unknown. Variables become
constants. Tested with tensorflow-cpu 2.21.0; docs/tensorflow.md says what goes and what does not."""
import os
import subprocess
import sys
from typing import NamedTuple

from heddle.errors import InvalidArgumentError, UnimplementedError
from heddle.tf_ops import hide, rewrite

FIRST = "tf-functional-control-flow-to-regions,tf-shape-inference,canonicalize"
LEGALIZE = "xla-legalize-tf{legalize-chlo=false}"
# A pass of TensorFlow that meets what it cannot do may end its process: they run in one of their own.
PASSES = ("import sys, tensorflow as tf\n"
          "sys.stdout.write(tf.mlir.experimental.run_pass_pipeline(sys.stdin.read(), sys.argv[1]))\n")


class Program(NamedTuple):
    """A program that heddle.compile takes."""
    text: str       #: MHLO
    inputs: tuple   #: names of the arguments, in order
    outputs: tuple  #: names of the results, in order; empty strings where the function names none


def _tensorflow():
    try:
        import tensorflow as tf
    except ImportError as error:
        raise ImportError("heddle.tensorflow needs TensorFlow: pip install tensorflow-cpu==2.21.0") from error
    return tf


def _passes(text, pipeline):
    done = subprocess.run([sys.executable, "-c", PASSES, pipeline], input=text, capture_output=True, text=True,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    if done.returncode: raise UnimplementedError(12, "TensorFlow's passes cannot legalize the program:\n" + done.stderr.strip()[-2000:])
    return done.stdout


def _program(concrete):
    """The Program of a concrete function."""
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    tf = _tensorflow()
    frozen = convert_variables_to_constants_v2(concrete, lower_control_flow=False)
    for tensor in frozen.inputs:
        if tensor.shape.rank is None: raise InvalidArgumentError(3, f"input '{tensor.name}': expected a known rank, got none")
    text = tf.mlir.experimental.run_pass_pipeline(tf.mlir.experimental.convert_function(frozen, show_debug_info=False), FIRST)
    text, hidden = hide(text)
    text = rewrite(_passes(text, LEGALIZE), hidden)
    inputs = tuple(tensor.name.split(":")[0] for tensor in frozen.inputs)
    outputs = concrete.structured_outputs
    names = tuple(sorted(outputs)) if isinstance(outputs, dict) else ("",) * len(frozen.outputs)
    return Program(text, inputs, names)


def from_function(function, *specs):
    """The Program of a tf.function, or of any function of tensors.

    specs: a tf.TensorSpec for each argument, None for each dim that stays unknown; none for a function that has an
    input_signature. Results come flattened, a dict's in the order of its names. Raises InvalidArgumentError for an argument
    of unknown rank, UnimplementedError naming the ops that have no legalization."""
    tf = _tensorflow()
    if not hasattr(function, "get_concrete_function"): function = tf.function(function)
    return _program(function.get_concrete_function(*specs))


def from_saved_model(path, signature="serving_default"):
    """The Program of a signature of a SavedModel: a folder. Raises as from_function does."""
    tf = _tensorflow()
    model = tf.saved_model.load(os.fspath(path))  # signatures alone do not keep its variables
    if signature not in model.signatures:
        raise InvalidArgumentError(3, f"expected a signature among {', '.join(sorted(model.signatures)) or '(none)'}, got '{signature}'")
    return _program(model.signatures[signature])
