# SPDX-License-Identifier: Apache-2.0
"""JAX functions whose HLO text has every opcode that JAX can write, and their arguments."""
from typing import Any, Callable, NamedTuple

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax


class Case(NamedTuple):
    fn: Callable
    args: Any
    tol: float = 2e-6  # of the largest magnitude
    values: bool = True  # are the values the same on every implementation?


def x(*dims, dtype=np.float32, seed=0): return np.random.default_rng(seed).uniform(-0.9, 0.9, dims).astype(dtype)
def n(*dims, dtype=np.int32, low=-20, high=20, seed=0): return np.random.default_rng(seed).integers(low, high, dims).astype(dtype)


UNARY = {"abs": lax.abs, "acos": lax.acos, "asin": lax.asin, "asinh": lax.asinh, "atan": lax.atan, "atanh": lax.atanh, "cbrt": lax.cbrt,
         "ceil": lax.ceil, "cos": lax.cos, "cosh": lax.cosh, "erf": lax.erf, "erfc": lax.erfc, "erf_inv": lax.erf_inv, "exp": lax.exp,
         "expm1": lax.expm1, "floor": lax.floor, "is_finite": lax.is_finite, "lgamma": lambda a: lax.lgamma(a + 2), "log1p": lax.log1p,
         "digamma": lambda a: lax.digamma(a + 2), "logistic": lax.logistic, "neg": lax.neg, "round": lax.round,
         "round_even": lambda a: lax.round(a * 3, lax.RoundingMethod.TO_NEAREST_EVEN), "sign": lax.sign, "sin": lax.sin, "sinh": lax.sinh,
         "tan": lax.tan, "tanh": lax.tanh, "square": lax.square}
POSITIVE = {"log": lax.log, "rsqrt": lax.rsqrt, "sqrt": lax.sqrt}
BINARY = {"add": lax.add, "atan2": lax.atan2, "div": lax.div, "max": lax.max, "min": lax.min, "mul": lax.mul, "rem": lax.rem, "sub": lax.sub,
          "nextafter": lax.nextafter, "eq": lax.eq, "ge": lax.ge, "gt": lax.gt, "le": lax.le, "lt": lax.lt, "ne": lax.ne}
INTEGER = {"and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor, "shl": lax.shift_left, "shra": lax.shift_right_arithmetic,
           "shrl": lax.shift_right_logical, "idiv": lax.div, "irem": lax.rem, "imax": lax.max}


def gathers(a, i):
    numbers = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
    return lax.gather(a, i, numbers, (1, 4)), a[:, i[:, 0]]


def batched_gather(a, i): return jax.vmap(lambda r, k: r[k])(a, i)


def control(a, k):
    body = lambda c: (c[0] + 1, c[1] * 1.5 + a, c[2])
    loop = lax.while_loop(lambda c: c[0] < k, body, (jnp.int32(0), a, k))
    scanned = lax.scan(lambda c, row: (c * 0.5 + row, (c.sum(), row)), a[0], a)
    chosen = lax.switch(k, [lambda v: v, lambda v: v * 2, lambda v: -v], a)
    either = lax.cond(k > 1, lambda v, w: v + w, lambda v, w: v - w, a, a * 3)
    return loop, scanned, chosen, either


def calls(a):
    inner = jax.jit(lambda v, w: (v * w, v + 1))
    twice = jax.jit(lambda v: inner(v, inner(v, v)[1]))
    return twice(a), inner(a, a)


def transposed(a, b): return jnp.transpose(a @ b).reshape(-1)[::2], jnp.transpose(a, (1, 0)) + 1, jnp.swapaxes(a.reshape(2, 2, -1), 0, 2).reshape(-1)


def layer_norm(a, g): return jax.nn.softmax((a - a.mean(-1, keepdims=True)) * lax.rsqrt(a.var(-1, keepdims=True) + 1e-5) * g)


def attention(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 4
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s, axis=-1), v)


def conv(a, w, **kw): return lax.conv_general_dilated(a, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), **kw)
def pool(a): return lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 1, 1), "SAME")


CASES = {name: Case(f, (x(3, 5),)) for name, f in UNARY.items()}
CASES |= {name: Case(f, (x(3, 5) + 1,)) for name, f in POSITIVE.items()}
CASES |= {name: Case(f, (x(3, 5), x(3, 5, seed=1))) for name, f in BINARY.items()}
CASES |= {name: Case(f, (n(3, 5), n(3, 5, low=1, high=8, seed=1))) for name, f in INTEGER.items()}
CASES |= {
    "pow": Case(lambda a, b: (lax.pow(a + 1, b), lax.integer_pow(a, 5)), (x(3, 5), x(3, 5, seed=1))),
    "not_clz_popcnt": Case(lambda a: (~a, lax.clz(a), lax.population_count(a)), (n(9),)),
    "logic": Case(lambda a, b: ((a > 0) & (b > 0), (a > 0) | ~(b > 0), (a > 0) ^ (b > 0)), (x(9), x(9, seed=1))),
    "select_clamp": Case(lambda a, b: (jnp.where(a > b, a, b), lax.clamp(-0.1, a, 0.2)), (x(3, 5), x(3, 5, seed=1))),
    "complex": Case(lambda a, b: (lax.complex(a, b) * (1 + 2j), lax.real(lax.complex(a, b) ** 2), jnp.abs(lax.complex(a, b)), jnp.exp(lax.complex(a, b)),
                                  lax.conj(lax.complex(a, b)), jnp.imag(jnp.tanh(lax.complex(a, b)))), (x(3, 5), x(3, 5, seed=1)), 4e-6),
    "convert": Case(lambda a: (a.astype(jnp.int8), a.astype(jnp.bfloat16), a.astype(jnp.float16), (a > 0).astype(jnp.uint8), a.astype(jnp.float8_e4m3fn),
                               a.astype(jnp.float8_e5m2)), (x(3, 5) * 10,)),
    "reduce_precision": Case(lambda a: lax.reduce_precision(a, 5, 7), (x(3, 5),)),
    "bitcast_convert": Case(lambda a: (lax.bitcast_convert_type(a, jnp.int32), lax.bitcast_convert_type(a, jnp.uint8), lax.bitcast_convert_type(a.reshape(-1, 2), jnp.uint32)
                                       if a.dtype.itemsize == 2 else a), (x(3, 4),)),
    "iota": Case(lambda a: (lax.broadcasted_iota(jnp.int32, (3, 4), 1) + a, jnp.arange(5.0)), (n(),)),
    "literals": Case(lambda a: (a + np.array([[1, -2], [3, 4]], np.float32), np.array([True, False, True]) ^ (a[0, 0] > 0), np.array([1e-30, np.nan, np.inf, -np.inf, -0.0], np.float32) * a[0, 0],
                                np.array([1, 2, 255], np.uint8), np.arange(24, dtype=np.int64).reshape(1, 2, 3, 4).astype(np.int16), np.array([1 + 2j, -0.5j], np.complex64) * a[0, 0],
                                np.zeros((0, 3), np.float32), np.array([0.1, 65504], np.float16), np.array([0.3, -4], ml_dtypes.bfloat16)), (x(2, 2),)),
    "broadcast": Case(lambda a, b: (a[:, None] + b[None, :], jnp.broadcast_to(a, (2, 3))), (x(3), x(4))),
    "reshape_transpose": Case(lambda a: (a.reshape(6, 4).T, jnp.transpose(a, (2, 0, 1)), jnp.flip(a, (0, 2))), (x(2, 3, 4),)),
    "transposed": Case(transposed, (x(4, 6), x(6, 8))),
    "concatenate": Case(lambda a, b: (jnp.concatenate([a, b, a], 1), jnp.stack([a[:, :2], b[:, :2]])), (x(3, 4), x(3, 2))),
    "slice": Case(lambda a: (a[1:3, ::2], lax.slice(a, (0, 1), (4, 5), (2, 3)), a[-1]), (x(4, 6),)),
    "dynamic_slice": Case(lambda a, i: (lax.dynamic_slice(a, (i, i), (2, 3)), lax.dynamic_update_slice(a, a[:1, :2] * 2, (i, 1))), (x(4, 6), n(low=0, high=2))),
    "pad": Case(lambda a: (lax.pad(a, np.float32(0.5), ((1, 2, 1), (-1, 0, 0))), jnp.pad(a, 1)), (x(3, 4),)),
    "gather": Case(gathers, (x(5, 4), n(3, 1, low=0, high=4))),
    "batched_gather": Case(batched_gather, (x(3, 5), n(3, 2, low=0, high=5))),
    "scatter": Case(lambda a, i: (a.at[i].add(2.0), a.at[i].set(1.0), a.at[:, i].max(0.1), a.at[i].mul(2.0, unique_indices=True)), (x(5, 4), np.array([1, 3], np.int32))),
    "reduce": Case(lambda a: (a.sum(1), a.max(0), a.min(), a.prod(1), (a > 0).any(0), (a > -2).all(), jnp.argmax(a, 1), jnp.argmin(a, 0)), (x(3, 5),)),
    "reduce_window": Case(lambda a: (lax.reduce_window(a, 0.0, lax.add, (2, 2), (1, 2), "SAME"), lax.reduce_window(a, -jnp.inf, lax.max, (2, 2), (1, 1), ((0, 0), (0, 0)), (2, 1), (1, 2))), (x(5, 6),)),
    "cumulative": Case(lambda a: (jnp.cumsum(a, 0), jnp.cumprod(a, 1), lax.cummax(a, 0, reverse=True)), (x(5, 6),)),
    "max_pool_gradient": Case(jax.grad(lambda a: (pool(a) * jnp.arange(1.0, 4.0)[:, None, None][:, :5]).sum()), (x(1, 6, 5, 2),)),
    "average_pool_gradient": Case(jax.grad(lambda a: jnp.square(lax.reduce_window(a, 0.0, lax.add, (2, 2), (2, 2), "VALID")).sum()), (x(6, 4),)),
    "sort": Case(lambda a, b: (jnp.sort(a, 0), lax.sort((a, b), num_keys=2), jnp.argsort(b), -jnp.sort(-a)), (n(4, 6, high=3), x(4, 6))),
    "top_k": Case(lambda a: (lax.top_k(a, 3), lax.approx_max_k(a, 2)), (x(4, 9),)),
    "dot": Case(lambda a, b: (a @ b, lax.dot(a, b, precision="highest"), a[0] @ b, jnp.vdot(a, a)), (x(4, 6), x(6, 5)), 4e-6),
    "dot_general": Case(lambda a, b: lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))), (x(3, 4, 5), x(3, 5, 2)), 4e-6),
    "dot_types": Case(lambda a, b: (lax.dot(a, b, preferred_element_type=jnp.float32), (a.astype(jnp.int8) @ b.astype(jnp.int8))), (x(4, 6, dtype=ml_dtypes.bfloat16), x(6, 5, dtype=ml_dtypes.bfloat16)), 4e-6),
    "ragged_dot": Case(lambda a, b: lax.ragged_dot(a, b, jnp.array([1, 2, 1])), (x(4, 6), x(3, 6, 5)), 4e-6),
    "convolution": Case(lambda a, w: (conv(a, w, window_strides=(2, 1), padding=((0, 1), (1, 2)), rhs_dilation=(2, 1)), conv(a, w, window_strides=(1, 1), padding=((1, 1), (1, 1)), lhs_dilation=(1, 2))),
                        (x(2, 8, 7, 3), x(3, 3, 3, 4)), 4e-6),
    "grouped_convolution": Case(lambda a, w: conv(a, w, window_strides=(1, 1), padding="SAME", feature_group_count=2), (x(1, 5, 5, 4), x(3, 3, 2, 6)), 4e-6),
    "convolution_gradient": Case(jax.grad(lambda w, a: jnp.square(conv(a, w, window_strides=(2, 2), padding="SAME")).sum()), (x(3, 3, 3, 4), x(2, 8, 7, 3)), 8e-6),
    "convolution_1d": Case(lambda a, w: lax.conv_general_dilated(a, w, (1,), "VALID", dimension_numbers=("NCH", "OIH", "NCH")), (x(2, 3, 9), x(4, 3, 3)), 4e-6),
    "fft": Case(lambda a: (jnp.fft.rfft(a), jnp.fft.fft2(a), jnp.fft.irfft(a[:, :5].astype(jnp.complex64)), jnp.fft.ifft(a)), (x(4, 8),), 4e-6),
    "linear_algebra": Case(lambda a: (jnp.linalg.cholesky(a @ a.T + 4 * jnp.eye(4)), lax.linalg.triangular_solve(a[:, :4] + 3 * jnp.eye(4), a[:, :3], left_side=True, lower=True)), (x(4, 6),), 1e-5),
    "batch_norm": Case(lambda a, s: (lax.batch_matmul(a[None], a.T[None]), (a - a.mean(0)) / jnp.sqrt(a.var(0) + 1e-3) * s), (x(8, 4), x(4)), 4e-6),
    "control": Case(control, (x(3, 4), np.int32(2))),
    "calls": Case(calls, (x(3, 4),)),
    "barrier": Case(lambda a: lax.optimization_barrier((a, a * 2)), (x(3, 4),)),
    "map_reduce": Case(lambda a: lax.reduce((a, n(3, 5)), (np.float32(-9), np.int32(0)), lambda p, q: (jnp.maximum(p[0], q[0]), jnp.where(p[0] > q[0], p[1], q[1])), (1,)), (x(3, 5),)),
    "threefry": Case(lambda k: (jax.random.uniform(jax.random.wrap_key_data(k), (5,)), jax.random.randint(jax.random.wrap_key_data(k), (5,), 0, 9)), (np.array([1, 2], np.uint32),)),
    "rbg": Case(lambda k: jax.random.bits(jax.random.wrap_key_data(k, impl="rbg"), (5,)), (np.array([1, 2, 3, 4], np.uint32),), values=False),
    "gelu": Case(jax.nn.gelu, (x(6, 32, 8),)),
    "gelu_bf16": Case(jax.nn.gelu, (x(6, 32, 8, dtype=ml_dtypes.bfloat16),), 1e-2),
    "layer_norm": Case(layer_norm, (x(4, 16), x(16)), 4e-6),
    "attention": Case(attention, (x(2, 3, 4, 16), x(2, 3, 5, 16, seed=1), x(2, 3, 5, 16, seed=2)), 4e-6),
    "attention_gradient": Case(jax.grad(lambda *a: attention(*a).sum(), (0, 1, 2)), (x(2, 3, 4, 16), x(2, 3, 5, 16, seed=1), x(2, 3, 5, 16, seed=2)), 1e-5),
    "nothing": Case(lambda: (jnp.float32(1), jnp.zeros((2, 2))), ()),
    "unchanged": Case(lambda a, b: (b, a), (x(2), x(3))),
    "donated": Case(lambda a: a + 1, (x(2, 3),)),
}
