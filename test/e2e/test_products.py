# SPDX-License-Identifier: Apache-2.0
"""Convolutions and dots in the layouts that JAX programs have, compiled and compared with JAX."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from error_model import assert_near
from jax import export, lax

pytestmark = pytest.mark.usefixtures("compiler")

rng = np.random.default_rng(0)


def floats(*shape): return rng.standard_normal(shape).astype(np.float32)


def bytes_(*shape): return rng.integers(-99, 99, shape).astype(np.int8)


NHWC, NCHW, MIXED = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW"), ("NCHW", "OIHW", "NHWC")
SHAPES = {NHWC: ((2, 9, 11, 8), (3, 3, 8, 16)), NCHW: ((2, 8, 9, 11), (16, 8, 3, 3)), MIXED: ((2, 8, 9, 11), (16, 8, 3, 3))}
WINDOWS = {"same": dict(window_strides=(1, 1), padding="SAME"),
           "strided": dict(window_strides=(2, 1), padding=((0, -1), (3, 2)), rhs_dilation=(2, 1)),
           "transposed": dict(window_strides=(1, 1), padding=((1, 2), (2, 2)), lhs_dilation=(2, 3))}


def conv(numbers, **window): return lambda x, w: lax.conv_general_dilated(x, w, dimension_numbers=numbers, **window)


def gradients(f): return lambda x, w: jax.grad(lambda a, b: jnp.sum(f(a, b) ** 2), (0, 1))(x, w)


CASES = {f"{n[0]}-{n[2]}-{name}": ((lambda f: lambda x, w: jnp.maximum(f(x, w), 0))(conv(n, **window)), [floats(*s) for s in SHAPES[n]])
         for n in SHAPES for name, window in WINDOWS.items()}
CASES |= {
    "groups": (conv(NHWC, window_strides=(1, 1), padding="SAME", feature_group_count=4), [floats(2, 9, 9, 8), floats(3, 3, 2, 12)]),
    "depthwise": (conv(NHWC, window_strides=(1, 1), padding="SAME", feature_group_count=8), [floats(2, 9, 9, 8), floats(3, 3, 1, 8)]),
    "one dim": (conv(("NWC", "WIO", "NWC"), window_strides=(1,), padding="SAME"), [floats(2, 300, 8), floats(5, 8, 12)]),
    "three dims": (conv(("NDHWC", "DHWIO", "NDHWC"), window_strides=(1, 2, 1), padding="SAME"), [floats(2, 5, 6, 7, 4), floats(3, 2, 3, 4, 6)]),
    "gradients": (gradients(conv(NHWC, window_strides=(2, 2), padding="SAME")), [floats(3, 9, 10, 8), floats(3, 3, 8, 16)]),
    "gradients in groups": (gradients(conv(NHWC, window_strides=(1, 1), padding="SAME", feature_group_count=4)),
                            [floats(3, 9, 10, 8), floats(3, 3, 2, 16)]),
    "attention scores": (lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.5, [floats(2, 7, 3, 8), floats(2, 9, 3, 8)]),
    "attention values": (lambda p, v: jnp.einsum("bhqk,bkhd->bqhd", p, v), [floats(2, 3, 7, 9), floats(2, 9, 3, 8)]),
    "both transposed": (lambda a, b: jnp.tanh(a.T @ b.T), [floats(33, 17), floats(40, 33)]),
    "bytes": (lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32), [bytes_(13, 40), bytes_(40, 23)]),
    "two contracted": (lambda a, b: jnp.einsum("abc,dcb->ad", a, b) + 1, [floats(5, 6, 7), floats(9, 7, 6)]),
    "no terms": (lambda a, b: jnp.einsum("bi,bj->bij", a, b), [floats(3, 37), floats(3, 45)]),
    "two terms of two free dims": (lambda a, b: jnp.einsum("ik,kjl->ijl", a, b), [floats(9, 2), floats(2, 7, 5)]),
    "zero terms": (lambda a, b: a @ b + 1, [floats(5, 0), floats(0, 33)]),
    "two terms": (lambda a, b: jnp.exp(a @ jnp.tanh(b)), [floats(41, 2), floats(2, 83)]),
    "three terms": (lambda a, b: jnp.einsum("bki,bkj->bij", a, b), [floats(3, 3, 19), floats(3, 3, 35)]),
    "four terms of bytes": (lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), [bytes_(21, 4), bytes_(4, 37)]),
    "three terms, along them": (lambda a, b: a @ b.T, [floats(41, 3), floats(33, 3)]),
    "vector": (lambda a, b: a @ b, [floats(70, 33), floats(33)]),
}


@pytest.mark.parametrize("mcpu", ["native", "x86-64-v3"])
@pytest.mark.parametrize("name", CASES)
def test_against_jax(heddle, tmp_path, name, mcpu):
    function, arrays = CASES[name]
    compiled = jax.jit(function)
    program = export.export(compiled)(*[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arrays])
    (tmp_path / "p.mlir").write_text(str(program.mlir_module()))
    np.savez(tmp_path / "in.npz", **{f"arg{i}": a for i, a in enumerate(arrays)})
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", "--mcpu", mcpu, check=True)
    with np.load(tmp_path / "out.npz") as out:
        for i, want in enumerate(jax.tree.leaves(compiled(*arrays))):
            assert_near(out[f"out{i}"], want, 0, 1e-6 * max(1, np.abs(want).max()))


DYNAMIC = """func.func @main(%a: tensor<2x?x3xf32>, %w: tensor<3x3x4xf32>, %p: tensor<1x2xi32>) -> tensor<2x?x4xf32> {
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    window_strides = array<i64: 2>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x?x3xf32>, tensor<3x3x4xf32>, tensor<1x2xi32>) -> tensor<2x?x4xf32>
  return %0 : tensor<2x?x4xf32>
}
"""


@pytest.mark.parametrize("padding", [(0, 0), (1, 2), (5, 0), (-2, 1)])
def test_padding_as_an_operand(heddle, tmp_path, padding):
    x, w = floats(2, 8, 3), floats(3, 3, 4)
    (tmp_path / "p.mlir").write_text(DYNAMIC)
    np.savez(tmp_path / "in.npz", arg0=x, arg1=w, arg2=np.array([padding], np.int32))
    heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz", check=True)
    # XLA:CPU reads outside of the input where the padding is negative: cut it off first.
    seen, rest = x[:, max(0, -padding[0]):], tuple(max(0, p) for p in padding)
    want = np.asarray(conv(("NWC", "WIO", "NWC"), window_strides=(2,), padding=(rest,))(seen, w))
    with np.load(tmp_path / "out.npz") as out:
        assert_near(out["out0"], want, 0, 1e-5)
