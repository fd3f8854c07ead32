# SPDX-License-Identifier: Apache-2.0
"""Programs from TensorFlow on Heddle; test_tensorflow.py runs this in the environment that has TensorFlow, one process for
all. Each case prints [name, null], or [name, what went wrong]."""
import json
import traceback

import numpy as np
import tensorflow as tf

import heddle
import heddle.tensorflow as ht

CASES = []


def case(f):
    CASES.append(f)
    return f


def normal(*shape): return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def agree(function, spec, *inputs, tolerance=1e-4):
    """One compilation; each input against TensorFlow."""
    function = tf.function(function, autograph=False)
    f = heddle.compile(ht.from_function(function, spec), cache=False)
    for x in inputs:
        got, want = f(x), tf.nest.flatten(function(tf.constant(x)))
        got = got if isinstance(got, tuple) else (got,)
        assert len(got) == len(want)
        for a, b in zip(got, want):
            assert a.shape == tuple(b.shape), (a.shape, b.shape)
            np.testing.assert_allclose(a, b.numpy(), rtol=tolerance, atol=tolerance)


@case
def images():
    """Convolutions, pooling and batch normalisation at unknown batch, height and width."""
    k, l = tf.Variable(normal(3, 3, 3, 8)), tf.Variable(normal(3, 3, 8, 4))

    def f(x):
        x = tf.nn.conv2d(x, k, 2, "SAME")
        x, _, _ = tf.compat.v1.nn.fused_batch_norm(x, tf.ones(8), tf.zeros(8), tf.fill([8], 0.1), tf.fill([8], 2.0), is_training=False)
        x = tf.nn.max_pool2d(tf.nn.relu6(x), 2, 2, "VALID")
        return tf.reduce_mean(tf.nn.conv2d(x, l, 1, "VALID"), [1, 2])
    agree(f, tf.TensorSpec((None, None, None, 3), tf.float32), normal(2, 32, 24, 3), normal(3, 17, 33, 3))


@case
def slices():
    """Bounds left out, from the end, past the end, computed; new dims, indices, `...`; reversed."""
    def f(x):
        n = tf.shape(x)[1]
        return (x[1:, :2], x[:, -1], x[..., None], x[:, None, 1:-1], x[0], x[-1, ..., 2:], x[:, ::-1], x[:, ::2], x[:100, -100:],
                x[:, n - 2], x[:, n // 2:], x[:, 1:n - 1, 0], tf.one_hot(tf.cast(x[:, 0, 0] > 0, tf.int32), 3), tf.one_hot(tf.range(n), 4, axis=0))
    agree(f, tf.TensorSpec((None, None, 4), tf.float32), normal(2, 5, 4), normal(6, 9, 4))


@case
def shapes():
    """Reshapes with a -1, tiles, ranges, fills, broadcasts, padding, concatenation and splitting by computed sizes."""
    def f(x):
        b, s = tf.shape(x)[0], tf.shape(x)[1]
        y = tf.reshape(x, (b * s, -1))
        parts = tf.split(tf.concat([x, tf.zeros_like(x)], -1), 2, axis=-1)
        return (y, tf.reshape(y, (b, s, 2, 4)), tf.tile(x, (1, 2, 1)), tf.cast(tf.range(s), tf.float32) + tf.fill([b, s], 2.0),
                tf.broadcast_to(x[:, :1], tf.shape(x)), tf.pad(x, [[0, 0], [1, 2], [0, 0]]), parts[1] + tf.stack([x, x], 1)[:, 0],
                tf.matmul(x, x, transpose_b=True), tf.linalg.band_part(tf.matmul(x, x, transpose_b=True), -1, 0))
    agree(f, tf.TensorSpec((None, None, 8), tf.float32), normal(2, 3, 8), normal(5, 4, 8))


@case
def control():
    """Loops and branches, with variables as constants."""
    w = tf.Variable(normal(6, 6) / 4)

    def f(x):
        _, y = tf.while_loop(lambda i, y: i < tf.shape(x)[0], lambda i, y: (i + 1, tf.tanh(y @ w)), (0, x))
        return tf.cond(tf.reduce_sum(x) > 0, lambda: y + 1.0, lambda: y * 2.0)
    agree(f, tf.TensorSpec((None, 6), tf.float32), normal(3, 6), -normal(3, 6), normal(7, 6))


def refused(kind, text, call):
    try: call()
    except kind as error: assert text in str(error), str(error)
    else: raise AssertionError("no error")


@case
def ops_without_a_legalization():
    refused(heddle.UnimplementedError, "tf.Cumsum (1)", lambda: ht.from_function(lambda x: tf.cumsum(x), tf.TensorSpec((None,), tf.float32)))
    # Here TensorFlow's own passes end their process.
    refused(heddle.UnimplementedError, "TensorFlow's passes cannot legalize the program",
            lambda: ht.from_function(lambda x: tf.unstack(x, axis=1), tf.TensorSpec((None, 8), tf.float32)))


@case
def wrong_arguments():
    refused(heddle.InvalidArgumentError, "expected a known rank", lambda: ht.from_function(lambda x: x + 1, tf.TensorSpec(None, tf.float32)))


for f in CASES:
    try: f()
    except Exception: print(json.dumps([f.__name__, traceback.format_exc()]), flush=True)
    else: print(json.dumps([f.__name__, None]), flush=True)
