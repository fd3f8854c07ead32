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


MATRIX, ROWS = tf.TensorSpec((None, None), tf.float32), tf.TensorSpec((None, 8), tf.float32)
IMAGE = tf.TensorSpec((None, None, None, 3), tf.float32)


@case
def running_sums():
    def f(x):
        return (tf.cumsum(x), tf.cumsum(x, -1), tf.cumsum(x, 1, exclusive=True), tf.cumsum(x, 0, reverse=True), tf.cumsum(x, 1, exclusive=True, reverse=True),
                tf.math.cumprod(x, 1), tf.cumsum(tf.cast(x * 4, tf.int32), 1))
    agree(f, MATRIX, normal(3, 5), normal(1, 1), normal(6, 17))


@case
def orders():
    """Top-k, sorting, argsort; equal elements in their order."""
    def f(x):
        y = tf.round(x)
        return (*tf.math.top_k(x, 3), *tf.math.top_k(y, tf.shape(x)[1] // 2), tf.argsort(y, 1, stable=True), tf.sort(x, 1, "DESCENDING"), tf.sort(x, 0))
    agree(f, MATRIX, normal(3, 5), normal(4, 17))


@case
def places():
    """Diagonals, rolls, mirrored padding, parts of one dim, sums by index."""
    def f(x):
        square = tf.matmul(x, x, transpose_b=True)
        return (tf.linalg.diag(x), tf.linalg.diag_part(square), tf.linalg.diag_part(x), tf.eye(tf.shape(x)[0]), tf.roll(x, 1, 1), tf.roll(x, [-2, 9], [0, 1]),
                tf.pad(x, [[0, 0], [1, 2]], "REFLECT"), tf.pad(x, [[1, 0], [2, 1]], "SYMMETRIC"), x[:, ::-2], x[:, 3:0:-1], x[::-1, -1:1:-2],
                tf.one_hot(tf.cast(x[:, 0] > 0, tf.int32), tf.shape(x)[1]), tf.scatter_nd([[1], [1], [3]], x[:3], [tf.shape(x)[0] + 2, tf.shape(x)[1]]))
    agree(f, MATRIX, normal(3, 5), normal(4, 4), normal(7, 6))


@case
def unstacked():
    agree(lambda x: sum(k * part for k, part in enumerate(tf.unstack(x, axis=1))), ROWS, normal(3, 8), normal(5, 8))


@case
def windows():
    """Pooling with TensorFlow's padding, which depends on the size; depthwise and transposed convolutions."""
    k, s, t = tf.Variable(normal(3, 3, 3, 2)), tf.Variable(normal(1, 1, 6, 4)), tf.Variable(normal(3, 2, 4, 3))

    def f(x):
        b, h, w = tf.shape(x)[0], tf.shape(x)[1], tf.shape(x)[2]
        return (tf.nn.max_pool2d(x, 3, 2, "SAME"), tf.nn.max_pool2d(x, (2, 3), (1, 2), "SAME"), tf.nn.avg_pool2d(x, 3, 2, "SAME"), tf.nn.avg_pool2d(x, 2, 2, "VALID"),
                tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "SAME"), tf.nn.depthwise_conv2d(x, k, [1, 2, 2, 1], "SAME"), tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "VALID"),
                tf.nn.separable_conv2d(x, k, s, [1, 1, 1, 1], "SAME"), tf.nn.conv2d_transpose(x, t, tf.stack([b, h * 2, w * 2, 4]), 2, "SAME"),
                tf.nn.conv2d_transpose(x, t, tf.stack([b, h * 2 + 1, w * 3 - 1, 4]), (2, 3), "VALID"), tf.nn.conv2d_transpose(x, t, tf.stack([b, h, w, 4]), 1, "SAME"))
    agree(f, IMAGE, normal(2, 8, 6, 3), normal(1, 5, 7, 3), normal(3, 9, 8, 3))


@case
def resized():
    def f(x):
        sizes = tf.shape(x)[1:3] * 2 + 1
        return (tf.image.resize(x, (10, 12)), tf.image.resize(x, sizes), tf.image.resize(x, (3, 4)), tf.image.resize(x, (10, 12), "nearest"), tf.image.resize(x, sizes, "nearest"),
                tf.compat.v1.image.resize_bilinear(x, sizes, align_corners=True), tf.compat.v1.image.resize_nearest_neighbor(x, sizes, align_corners=True),
                tf.compat.v1.image.resize_bilinear(x, (7, 3)), tf.nn.depth_to_space(tf.tile(x, (1, 1, 1, 4)), 2), tf.nn.space_to_depth(tf.tile(x, (1, 2, 2, 1)), 2))
    agree(f, IMAGE, normal(2, 8, 6, 3), normal(1, 5, 7, 3))


@case
def other_elements():
    for kind, tolerance in ((tf.float64, 1e-10), (tf.float16, 2e-2), (tf.int32, 0)):
        def f(x, kind=kind):
            y = tf.cast(x * 3, kind)
            return tuple(tf.cast(v, tf.float32) for v in (tf.cumsum(y, 1), tf.math.top_k(y, 2)[0], tf.linalg.diag_part(y), tf.roll(y, 2, 0), tf.roll(y, -1, 1)))
        agree(f, MATRIX, normal(3, 5), normal(4, 4), tolerance=max(tolerance, 1e-6))


@case
def ops_without_a_legalization():
    refused(heddle.UnimplementedError, "tf.Where (1)", lambda: ht.from_function(lambda x: tf.where(x > 0), tf.TensorSpec((None,), tf.float32)))
    # Lists of tensors are what TensorFlow's own passes refuse.
    refused(heddle.UnimplementedError, "TensorFlow's passes cannot legalize the program", lambda: ht.from_function(lambda x: tf.map_fn(lambda r: r * 2, x), MATRIX))
    refused(heddle.UnimplementedError, "tf.Cumsum: expected a constant axis", lambda: ht.from_function(lambda x: tf.cumsum(x, tf.cast(x[0, 0], tf.int32)), MATRIX))


@case
def wrong_arguments():
    refused(heddle.InvalidArgumentError, "expected a known rank", lambda: ht.from_function(lambda x: x + 1, tf.TensorSpec(None, tf.float32)))


for f in CASES:
    try: f()
    except Exception: print(json.dumps([f.__name__, traceback.format_exc()]), flush=True)
    else: print(json.dumps([f.__name__, None]), flush=True)
