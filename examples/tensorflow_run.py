# SPDX-License-Identifier: Apache-2.0
"""Runs a TensorFlow SavedModel on Heddle: one compilation, every batch size and length.

    python examples/tensorflow_run.py [--model DIR] [--save model.hdl]

Without --model it saves a small encoder over token ids first. Needs tensorflow-cpu; see docs/tensorflow.md."""
import argparse
import sys
import tempfile

import numpy as np
import tensorflow as tf

import heddle
import heddle.tensorflow

WORDS, WIDTH, HEADS, CLASSES = 200, 32, 4, 5


class Encoder(tf.Module):
    """An embedding, attention that sees no padding (id 0), a feed-forward layer and the mean over the sentence."""

    def __init__(self):
        rng = np.random.default_rng(0)
        matrix = lambda *shape: tf.Variable(rng.standard_normal(shape).astype(np.float32) / shape[0] ** 0.5)  # noqa: E731
        self.words, self.qkv, self.out = matrix(WORDS, WIDTH), matrix(WIDTH, 3 * WIDTH), matrix(WIDTH, WIDTH)
        self.up, self.down, self.head = matrix(WIDTH, 4 * WIDTH), matrix(4 * WIDTH, WIDTH), matrix(WIDTH, CLASSES)

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32, name="ids")])
    def __call__(self, ids):
        batch, length = tf.shape(ids)[0], tf.shape(ids)[1]
        split = lambda t: tf.transpose(tf.reshape(t, (batch, length, HEADS, WIDTH // HEADS)), (0, 2, 1, 3))  # noqa: E731
        norm = lambda t: (t - tf.reduce_mean(t, -1, keepdims=True)) * tf.math.rsqrt(tf.math.reduce_variance(t, -1, keepdims=True) + 1e-6)  # noqa: E731
        x = tf.nn.embedding_lookup(self.words, ids)
        q, k, v = tf.split(tf.matmul(norm(x), self.qkv), 3, axis=-1)
        scores = tf.einsum("bhsd,bhtd->bhst", split(q), split(k)) / (WIDTH / HEADS) ** 0.5
        scores = tf.where((ids != 0)[:, None, None, :], scores, -1e9)
        mixed = tf.einsum("bhst,bhtd->bhsd", tf.nn.softmax(scores), split(v))
        x += tf.matmul(tf.reshape(tf.transpose(mixed, (0, 2, 1, 3)), (batch, length, WIDTH)), self.out)
        x += tf.matmul(tf.nn.gelu(tf.matmul(norm(x), self.up)), self.down)
        return {"scores": tf.nn.softmax(tf.matmul(tf.reduce_mean(x, 1), self.head)), "last": x[:, -1]}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model")
    options.add_argument("--save")
    options = options.parse_args()
    folder = options.model or tempfile.mkdtemp()
    if not options.model: tf.saved_model.save(Encoder(), folder)
    program = heddle.tensorflow.from_saved_model(folder)
    f = heddle.compile(program)
    print(f"{f}: {', '.join(program.inputs)} -> {', '.join(program.outputs)}")
    if options.save: f.save(options.save)
    if options.model: return
    model = tf.saved_model.load(folder)
    for shape in ((1, 3), (2, 7), (8, 64), (3, 129)):
        ids = np.random.default_rng(1).integers(0, WORDS, shape).astype(np.int32)
        got, want = dict(zip(program.outputs, f(ids))), model.signatures["serving_default"](ids=tf.constant(ids))
        error = max(float(np.abs(got[name] - want[name].numpy()).max()) for name in got)
        print(f"{shape}: largest difference from TensorFlow {error:.1e}")
        if error > 1e-4: sys.exit("wrong answers")


if __name__ == "__main__":
    main()
