# SPDX-License-Identifier: Apache-2.0
"""A Keras model on JAX: trained on the platform that JAX_PLATFORMS says, then exported with unknown dims and run by
heddle.compile. Prints the losses, then the largest difference of the exported program from the model, as JSON."""
import json
import os

os.environ["KERAS_BACKEND"] = "jax"
import jax  # noqa: E402
import keras  # noqa: E402
import numpy as np  # noqa: E402
from jax import export  # noqa: E402

import heddle  # noqa: E402

keras.utils.set_random_seed(0)
ids = keras.Input((None,), dtype="int32")
x = keras.layers.Embedding(50, 32)(ids)
x = keras.layers.LayerNormalization()(x + keras.layers.MultiHeadAttention(4, 8, dropout=0.1)(x, x))
x = x + keras.layers.Dense(32)(keras.layers.Dense(64, activation="gelu")(x))
model = keras.Model(ids, keras.layers.Dense(5)(keras.layers.GlobalAveragePooling1D()(x)))
model.compile(keras.optimizers.AdamW(3e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
rng = np.random.default_rng(0)
inputs = rng.integers(0, 50, (64, 12)).astype(np.int32)
history = model.fit(inputs, inputs[:, 0] % 5, batch_size=16, epochs=3, verbose=0)

n = len(model.trainable_variables)
weights = [np.asarray(v.value) for v in model.trainable_variables + model.non_trainable_variables]
b, s = export.symbolic_shape("b, s")
call = jax.jit(lambda w, i: model.stateless_call(w[:n], w[n:], i, training=False)[0])
f = heddle.compile(export.export(call, platforms=["cpu"])(weights, jax.ShapeDtypeStruct((b, s), np.int32)))
worst = 0.0
for shape in ((2, 5), (3, 17)):
    i = rng.integers(0, 50, shape).astype(np.int32)
    worst = max(worst, float(np.abs(f(*weights, i) - np.asarray(model(i, training=False))).max()))
print(json.dumps([str(jax.devices()[0]), history.history["loss"], worst]))
