# SPDX-License-Identifier: Apache-2.0
"""Convolutions and both gradients, as JAX emits them, in layouts, groups and dilations: compiled, against the evaluator."""
import needs
import pytest

jax = needs.module("jax", group="python")
import jax.numpy as jnp  # noqa: E402

pytestmark = pytest.mark.usefixtures("compiler")

CASES = { # layout of input, filter and result; shapes of the first two; what else the convolution says
    "nchw": (("NCHW", "OIHW", "NCHW"), (2, 6, 9, 8), (4, 6, 3, 3), {"window_strides": (2, 1), "padding": ((1, 1), (0, 2))}),
    "groups": (("NCHW", "OIHW", "NCHW"), (2, 6, 9, 8), (4, 3, 3, 3), {"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 2}),
    "depthwise": (("NCHW", "OIHW", "NCHW"), (2, 6, 9, 8), (6, 1, 3, 3), {"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 6}),
    "dilated": (("NHWC", "HWIO", "NHWC"), (2, 9, 8, 6), (3, 3, 6, 4), {"window_strides": (1, 1), "padding": "VALID", "rhs_dilation": (2, 2)}),
    "one dim": (("NCW", "OIW", "NCW"), (2, 6, 9), (4, 6, 3), {"window_strides": (2,), "padding": ((1, 1),)}),
    "three dims": (("NCDHW", "OIDHW", "NCDHW"), (1, 3, 5, 6, 4), (4, 3, 2, 3, 2), {"window_strides": (1, 2, 1), "padding": "SAME"}),
    "ohwi": (("NHWC", "OHWI", "NCHW"), (2, 9, 8, 6), (4, 3, 3, 6), {"window_strides": (1, 1), "padding": "VALID"}),
    "batch last": (("CHWN", "IHWO", "CHWN"), (6, 9, 8, 2), (6, 3, 3, 4), {"window_strides": (1, 1), "padding": "VALID"}),
}


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("name", CASES)
def test_convolution(heddle, tmp_path, name, target):
    layout, x, w, options = CASES[name]
    def forward(x, w): return jax.lax.conv_general_dilated(x, w, dimension_numbers=layout, **options)
    def loss(x, w): return jnp.sum(jnp.tanh(forward(x, w)) * forward(x, w))
    def all_of_it(x, w): return (jax.nn.relu(forward(x, w) + 1), *jax.grad(loss, argnums=(0, 1))(x, w))
    shapes = [jax.ShapeDtypeStruct(s, jnp.float32) for s in (x, w)]
    program = tmp_path / "conv.mlir"
    program.write_text(jax.export.export(jax.jit(all_of_it))(*shapes).mlir_module())
    heddle("run", program, "--random", 1, "--reference", "eval", "--tolerance", 1e-5, "--no-cache", "--target", target, check=True)
