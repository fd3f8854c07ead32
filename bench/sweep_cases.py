# SPDX-License-Identifier: Apache-2.0
"""The functions of the sweep (sweep.py): what models use, for which nothing is tuned; single ops are in sweep_ops.py, more loops in sweep_loops.py. One row each:

  case(name, class, function of jax arrays, arguments, small, large, torch=function of torch tensors, known=the program's dims are numbers, least=bounds)

An argument is "element dims kind": dims are names and numbers with commas between, "" for a scalar; kind is normal (default), ints:N (from
0, below N) or ints:N:1 (from 1), positive, unit (between -1 and 1), sorted or, of matrices, definite (symmetric, eigenvalues of at least 1). |small| and |large| give the names values. |least| are constraints that jax.export needs, as text."""
import jax
import jax.numpy as jnp
import sweep_loops
import sweep_ops
from jax import lax

CASES = {}


def case(name, kind, function, arguments, small, large, torch=None, known=False, least=()):
    assert name not in CASES, name
    CASES[name] = {"class": kind, "function": function, "arguments": arguments, "sizes": {"small": small, "large": large}, "torch": torch,
                   "known": known, "least": least}


LINE, ROWS = ({"n": 1000}, {"n": 1_000_000}), ({"b": 8, "n": 100}, {"b": 1000, "n": 1000})
BLOCK = ({"b": 2, "n": 50, "m": 8}, {"b": 32, "n": 2048, "m": 64})

# Scans
for element in ("f32", "bf16", "i32"):
    kind = "ints:9" if element == "i32" else "normal"
    case(f"cumsum_{element}_line", "scan", lambda x: jnp.cumsum(x, dtype=x.dtype), [f"{element} n {kind}"], *LINE, torch=lambda t, x: t.cumsum(x, 0, dtype=x.dtype))
    case(f"cumsum_{element}_rows", "scan", lambda x: jnp.cumsum(x, axis=1, dtype=x.dtype), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: t.cumsum(x, 1, dtype=x.dtype))
    case(f"cumsum_{element}_columns", "scan", lambda x: jnp.cumsum(x, axis=0, dtype=x.dtype), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: t.cumsum(x, 0, dtype=x.dtype))
for op in ("prod", "max", "min"):
    jax_op, name = getattr(lax, f"cum{op}"), f"cum{op}"
    case(f"{name}_rows", "scan", lambda x, f=jax_op: f(x, axis=1), ["f32 b,n"], *ROWS,
         torch=lambda t, x, n=name: t.cumprod(x, 1) if n == "cumprod" else getattr(t, n)(x, 1)[0])
    case(f"{name}_middle_reversed", "scan", lambda x, f=jax_op: f(x, axis=1, reverse=True), ["f32 b,n,m"], *BLOCK)
case("cumlogsumexp_rows", "scan", lambda x: lax.cumlogsumexp(x, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.logcumsumexp(x, 1))
case("cumsum_reversed", "scan", lambda x: jnp.flip(jnp.cumsum(jnp.flip(x, 1), axis=1), 1), ["f32 b,n"], *ROWS, torch=lambda t, x: x.flip(1).cumsum(1).flip(1))
case("cumsum_narrow", "scan", lambda x: jnp.cumsum(x, axis=0), ["f32 n,3"], {"n": 100}, {"n": 100_000}, torch=lambda t, x: t.cumsum(x, 0))
case("cumsum_known", "scan", lambda x: jnp.cumsum(x, axis=1), ["f32 b,n"], *ROWS, known=True, torch=lambda t, x: t.cumsum(x, 1))
case("associative_add", "scan", lambda x: lax.associative_scan(jnp.add, x), ["f32 n"], {"n": 1000}, {"n": 65536}, known=True)
case("associative_recurrence", "scan", lambda a, b: lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (a, b))[1],
     ["f32 n,16", "f32 n,16"], {"n": 100}, {"n": 16384}, known=True)
case("router_positions", "scan", lambda x: jnp.cumsum(x, axis=0) * x, ["i32 n,64 ints:2"], {"n": 131}, {"n": 8192}, torch=lambda t, x: t.cumsum(x, 0, dtype=x.dtype) * x)

# Sorting
for element in ("f32", "bf16", "i32", "ui8"):
    kind = {"i32": "ints:1000000", "ui8": "ints:250"}.get(element, "normal")
    case(f"sort_{element}_line", "sort", jnp.sort, [f"{element} n {kind}"], *LINE, torch=lambda t, x: t.sort(x)[0])
    case(f"sort_{element}_rows", "sort", lambda x: jnp.sort(x, axis=1), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: t.sort(x, 1)[0])
case("sort_columns", "sort", lambda x: jnp.sort(x, axis=0), ["f32 b,n"], *ROWS, torch=lambda t, x: t.sort(x, 0)[0])
case("sort_in_order", "sort", jnp.sort, ["f32 n sorted"], *LINE, torch=lambda t, x: t.sort(x)[0])
case("sort_descending", "sort", lambda x: -jnp.sort(-x, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.sort(x, 1, descending=True)[0])
case("argsort_line", "sort", jnp.argsort, ["f32 n"], *LINE, torch=lambda t, x: t.argsort(x, stable=True))
case("argsort_rows", "sort", lambda x: jnp.argsort(x, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.argsort(x, dim=1, stable=True))
case("argsort_short_rows", "sort", lambda x: jnp.argsort(x, axis=1), ["f32 n,8"], {"n": 131}, {"n": 65536}, torch=lambda t, x: t.argsort(x, dim=1, stable=True))
for n in (5, 16, 33):
    case(f"sort_rows_of_{n}", "sort", lambda x: jnp.sort(x, axis=1), [f"f32 n,{n}"], {"n": 31}, {"n": 30_011}, torch=lambda t, x: t.sort(x, 1)[0])
case("sort_columns_of_9", "sort", lambda x: jnp.sort(x, axis=0), ["f32 9,n"], {"n": 100}, {"n": 100_003}, torch=lambda t, x: t.sort(x, 0)[0])
case("sort_i16_line", "sort", jnp.sort, ["i16 n ints:30000:-30000"], *LINE, torch=lambda t, x: t.sort(x)[0])
case("sort_by_key", "sort", lambda k, v: lax.sort((k, v), num_keys=1)[1], ["i32 n ints:1000000", "f32 n"], *LINE)
case("sort_by_two_keys", "sort", lambda k, v: lax.sort((k, v), num_keys=2), ["i32 n ints:99", "f32 n"], *LINE)
case("median_rows", "sort", lambda x: jnp.median(x, axis=1), ["f32 b,n"], *ROWS, known=True)
case("quantile_line", "sort", lambda x: jnp.quantile(x, 0.9), ["f32 n"], *LINE, known=True, torch=lambda t, x: t.quantile(x, 0.9))
case("unique_count", "sort", lambda x: (jnp.diff(jnp.sort(x)) != 0).sum(), ["i32 n ints:1000"], *LINE)
case("searchsorted", "sort", lambda a, x: jnp.searchsorted(a, x), ["f32 n sorted", "f32 n"], {"n": 100}, {"n": 100_000}, known=True, torch=lambda t, a, x: t.searchsorted(a, x))

# Selection
LOGITS = ({"b": 1, "n": 1000}, {"b": 8, "n": 50257})
for k in (1, 5, 50):
    case(f"top_k_{k}", "select", lambda x, k=k: lax.top_k(x, k), ["f32 b,n"], *LOGITS, least=("n >= 64",), torch=lambda t, x, k=k: t.topk(x, k))
case("top_k_50_bf16", "select", lambda x: lax.top_k(x, 50)[0], ["bf16 b,n"], *LOGITS, least=("n >= 64",), torch=lambda t, x: t.topk(x, 50)[0])
case("top_k_50_ascending", "select", lambda x: lax.top_k(x, 50), ["f32 b,n sorted"], *LOGITS, least=("n >= 64",), torch=lambda t, x: t.topk(x, 50))
case("top_k_1000_line", "select", lambda x: lax.top_k(x, 1000), ["f32 n"], {"n": 2000}, {"n": 1_000_000}, least=("n >= 1000",), torch=lambda t, x: t.topk(x, 1000))
case("top_k_300_of_777", "select", lambda x: lax.top_k(x, 300), ["f32 b,777"], {"b": 10}, {"b": 1000}, torch=lambda t, x: t.topk(x, 300))
case("top_k_2_experts", "select", lambda x: lax.top_k(x, 2), ["f32 n,64"], {"n": 131}, {"n": 8192}, torch=lambda t, x: t.topk(x, 2))
case("top_k_mask", "select", lambda x: jnp.where(x < lax.top_k(x, 50)[0][:, -1:], -jnp.inf, x), ["f32 b,n"], *LOGITS, least=("n >= 64",),
     torch=lambda t, x: t.where(x < t.topk(x, 50)[0][:, -1:], -float("inf"), x))
case("top_p_mask", "select", lambda x: jnp.cumsum(jax.nn.softmax(-jnp.sort(-x, axis=1), axis=1), axis=1) < 0.9, ["f32 b,n"], *LOGITS,
     torch=lambda t, x: t.cumsum(t.softmax(t.sort(x, 1, descending=True)[0], 1), 1) < 0.9)
for element in ("f32", "bf16", "i32"):
    kind = "ints:1000000" if element == "i32" else "normal"
    case(f"argmax_{element}_rows", "select", lambda x: jnp.argmax(x, axis=1), [f"{element} b,n {kind}"], *LOGITS, torch=lambda t, x: t.argmax(x, 1))
case("argmax_line", "select", jnp.argmax, ["f32 n"], *LINE, torch=lambda t, x: t.argmax(x))
case("argmax_one_row", "select", lambda x: jnp.argmax(x, axis=-1), ["f32 1,n"], {"n": 1000}, {"n": 128_256}, torch=lambda t, x: t.argmax(x, -1))
case("argmin_middle", "select", lambda x: jnp.argmin(x, axis=1), ["f32 b,n,m"], *BLOCK, torch=lambda t, x: t.argmin(x, 1))
case("argmax_bf16_columns", "select", lambda x: jnp.argmax(x, axis=0), ["bf16 b,n"], *ROWS)
case("max_with_index", "select", lambda x: lax.top_k(x, 1), ["f32 b,n"], *LOGITS, torch=lambda t, x: t.max(x, 1))
case("greedy_accuracy", "select", lambda x, y: (jnp.argmax(x, axis=1) == y).mean(), ["f32 b,n", "i32 b ints:100"], *ROWS,
     torch=lambda t, x, y: (t.argmax(x, 1) == y).float().mean())
case("argmin_columns", "select", lambda x: jnp.argmin(x, axis=0), ["f32 b,n"], *ROWS, torch=lambda t, x: t.argmin(x, 0))

# Gather and scatter
TABLE = ({"n": 100, "r": 50}, {"n": 65536, "r": 10_000})
case("embedding", "scatter", lambda w, i: w[i], ["f32 r,128", "i32 n ints:50"], *TABLE, torch=lambda t, w, i: w[i])
case("segment_sum", "scatter", lambda x, i: jax.ops.segment_sum(x, i, num_segments=64), ["f32 n,128", "i32 n ints:64"], *TABLE,
     torch=lambda t, x, i: t.zeros(64, 128).index_add_(0, i, x))
case("scatter_add_elements", "scatter", lambda w, i, x: w.at[i].add(x), ["f32 r", "i32 n ints:50", "f32 n"], *TABLE, torch=lambda t, w, i, x: w.index_add(0, i, x))
case("scatter_add_batch", "scatter", jax.vmap(lambda x, i, u: x.at[i].add(u)), ["f32 b,n", "i32 b,m ints:100", "f32 b,m"], {"b": 8, "n": 100, "m": 77}, {"b": 100, "n": 1000, "m": 10_000},
     torch=lambda t, x, i, u: x.scatter_add(1, i.long(), u))
case("bincount", "scatter", lambda i: jnp.zeros(256, jnp.int32).at[i].add(1), ["i32 n ints:256"], *LINE, torch=lambda t, i: t.bincount(i, minlength=256))
case("embedding_gradient", "scatter", lambda w, i, g: jnp.zeros_like(w).at[i].add(g), ["f32 r,128", "i32 n ints:50", "f32 n,128"], *TABLE,
     torch=lambda t, w, i, g: t.zeros_like(w).index_add_(0, i, g))

# Narrow integers
def reversed_bits(x):
    x = ((x >> 1) & 0x55) | ((x & 0x55) << 1)
    x = ((x >> 2) & 0x33) | ((x & 0x33) << 2)
    return (x >> 4) | (x << 4)


case("reverse_bits_ui8", "op", reversed_bits, ["ui8 b,n ints:250"], *ROWS, torch=lambda t, x: reversed_bits(x))
case("blend_ui8", "op", lambda x, y: ((x.astype(jnp.int16) * 3 + y.astype(jnp.int16)) >> 2).astype(jnp.uint8), ["ui8 b,n ints:250"] * 2, *ROWS, torch=lambda t, x, y: ((x.short() * 3 + y) >> 2).to(t.uint8))
case("abs_max_i8", "op", lambda x, y: jnp.maximum(jnp.abs(x), y), ["i8 b,n ints:100:-100"] * 2, *ROWS, torch=lambda t, x, y: t.maximum(x.abs(), y))
case("pack_bits", "op", lambda x: jnp.packbits(x > 127, axis=1), ["ui8 b,n ints:250"], *ROWS, known=True)

# Reductions, elements, products: what is easy to add
for axis in (0, 1):
    case(f"sum_axis_{axis}", "reduce", lambda x, a=axis: x.sum(a), ["f32 b,n"], *ROWS, torch=lambda t, x, a=axis: x.sum(a))
    case(f"variance_axis_{axis}", "reduce", lambda x, a=axis: x.var(a), ["f32 b,n"], *ROWS, torch=lambda t, x, a=axis: x.var(a, correction=0))
    case(f"max_bf16_axis_{axis}", "reduce", lambda x, a=axis: x.max(a), ["bf16 b,n"], *ROWS, torch=lambda t, x, a=axis: t.amax(x, a))
TALL, IMAGE, IMAGE_LAST = ({"b": 64, "n": 32}, {"b": 16384, "n": 1024}), ({"b": 2, "c": 16, "h": 10, "w": 10}, {"b": 16, "c": 64, "h": 56, "w": 56}), \
    ({"b": 2, "h": 10, "w": 10, "c": 32}, {"b": 16, "h": 56, "w": 56, "c": 64})
for element in ("f32", "bf16", "i32"):
    kind = "ints:9" if element == "i32" else "normal"
    case(f"sum_tall_{element}", "columns", lambda x: x.sum(0), [f"{element} b,n {kind}"], *TALL, torch=lambda t, x: x.sum(0))
    case(f"max_tall_{element}", "columns", lambda x: x.max(0), [f"{element} b,n {kind}"], *TALL, torch=lambda t, x: t.amax(x, 0))
    case(f"sum_middle_{element}", "columns", lambda x: x.sum(1), [f"{element} b,n,m {kind}"], *BLOCK, torch=lambda t, x: x.sum(1))
    case(f"sum_first_of_three_{element}", "columns", lambda x: x.sum(0), [f"{element} b,n,m {kind}"], *BLOCK, torch=lambda t, x: x.sum(0))
    case(f"sum_two_sided_{element}", "columns", lambda x: x.sum((0, 2, 3)), [f"{element} b,c,h,w {kind}"], *IMAGE, torch=lambda t, x: x.sum((0, 2, 3)))
for element in ("f32", "bf16"):
    case(f"sum_narrow_{element}", "columns", lambda x: x.sum(0), [f"{element} n,3"], {"n": 100}, {"n": 1_000_000}, torch=lambda t, x: x.sum(0))
    case(f"any_column_{element}", "columns", lambda x: (x > 3).any(0), [f"{element} b,n"], *TALL, torch=lambda t, x: (x > 3).any(0))
    case(f"mean_and_variance_{element}", "columns", lambda x: (x.mean(0), x.var(0)), [f"{element} b,n"], *TALL, torch=lambda t, x: t.var_mean(x, 0, correction=0))
    case(f"batch_norm_last_{element}", "columns", lambda x, g, s: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g + s,
         [f"{element} b,h,w,c", f"{element} c", f"{element} c"], *IMAGE_LAST)
    case(f"batch_norm_first_{element}", "columns", lambda x, g, s: (x - x.mean((0, 2, 3), keepdims=True)) * lax.rsqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)
         * g[:, None, None] + s[:, None, None], [f"{element} b,c,h,w", f"{element} c", f"{element} c"], *IMAGE,
         torch=lambda t, x, g, s: t.nn.functional.batch_norm(x, None, None, g, s, training=True))
    case(f"bias_gradient_{element}", "columns", lambda g, y: (g * (y > 0)).sum(0), [f"{element} b,n", f"{element} b,n"], *TALL, torch=lambda t, g, y: (g * (y > 0)).sum(0))


def group_norm(x, groups=8):
    y = x.reshape(x.shape[0], x.shape[1], x.shape[2], groups, -1)
    y = (y - y.mean((1, 2, 4), keepdims=True)) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape)


case("group_norm_last", "columns", group_norm, ["f32 b,h,w,64"], {"b": 1, "h": 8, "w": 8}, {"b": 8, "h": 56, "w": 56})
case("group_norm_first", "columns", lambda x: jax.nn.standardize(x.reshape(x.shape[0], 8, -1)).reshape(x.shape), ["f32 b,64,h,w"], {"b": 1, "h": 8, "w": 8},
     {"b": 8, "h": 56, "w": 56}, torch=lambda t, x: t.nn.functional.group_norm(x, 8))
case("softmax_columns", "columns", lambda x: jax.nn.softmax(x, axis=0), ["f32 b,n"], *ROWS, torch=lambda t, x: t.softmax(x, 0))
case("layer_norm_gradients", "columns", lambda x, g: ((g * x).sum((0, 1)), g.sum((0, 1))), ["f32 b,n,m", "f32 b,n,m"], *BLOCK)
case("global_pool", "columns", lambda x: x.mean((1, 2)), ["f32 b,h,w,c"], *IMAGE_LAST, torch=lambda t, x: x.mean((1, 2)))
case("global_pool_first", "columns", lambda x: x.mean((2, 3)), ["f32 b,c,h,w"], *IMAGE, torch=lambda t, x: x.mean((2, 3)))


def convolution(x, w, layout="NHWC", kernel="HWIO", strides=(1, 1), padding="SAME", groups=1, left=(1, 1), right=(1, 1)):
    return lax.conv_general_dilated(x, w, strides, padding, left, right, (layout, kernel, layout), feature_group_count=groups)


def torch_convolution(name="conv2d", **options):
    return lambda t, x, w: getattr(t.nn.functional, name)(x, w, **options)


# Convolutions. Torch has features first
LAST, FIRST = ({"b": 1, "h": 14, "w": 14}, {"b": 8, "h": 56, "w": 56}), ({"b": 1, "h": 14, "w": 14}, {"b": 8, "h": 56, "w": 56})
STEM = ({"b": 1, "h": 32, "w": 32}, {"b": 4, "h": 224, "w": 224})
for element in ("f32", "bf16"):
    case(f"depthwise_last_{element}", "conv", lambda x, w: convolution(x, w, groups=64), [f"{element} b,h,w,64", f"{element} 3,3,1,64"], *LAST)
    case(f"depthwise_first_{element}", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", groups=64), [f"{element} b,64,h,w", f"{element} 64,1,3,3"], *FIRST,
         torch=torch_convolution(padding=1, groups=64))
case("depthwise_stride", "conv", lambda x, w: convolution(x, w, groups=64, strides=(2, 2)), ["f32 b,h,w,64", "f32 5,5,1,64"], *LAST)
case("depthwise_multiplier", "conv", lambda x, w: convolution(x, w, groups=32), ["f32 b,h,w,32", "f32 3,3,1,64"], *LAST)
case("depthwise_gradient", "conv", lambda x, w, g: jax.vjp(lambda x, w: convolution(x, w, groups=64), x, w)[1](g), ["f32 b,h,w,64", "f32 3,3,1,64", "f32 b,h,w,64"], *LAST)
case("depthwise_gradient_first", "conv", lambda x, w, g: jax.vjp(lambda x, w: convolution(x, w, "NCHW", "OIHW", groups=64), x, w)[1](g),
     ["f32 b,64,h,w", "f32 64,1,3,3", "f32 b,64,h,w"], *FIRST,
     torch=lambda t, x, w, g: t.ops.aten.convolution_backward(g, x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 64, [True, True, False]))
case("grouped_4", "conv", lambda x, w: convolution(x, w, groups=32), ["f32 b,h,w,128", "f32 3,3,4,128"], *LAST)
case("grouped_32", "conv", lambda x, w: convolution(x, w, groups=4), ["f32 b,h,w,128", "f32 3,3,32,128"], *LAST)
case("grouped_first", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", groups=32), ["f32 b,128,h,w", "f32 128,4,3,3"], *FIRST, torch=torch_convolution(padding=1, groups=32))
case("causal_line", "conv", lambda x, w: lax.conv_general_dilated(x, w, (1,), [(3, 0)], dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=256),
     ["f32 b,n,256", "f32 4,1,256"], {"b": 1, "n": 100}, {"b": 4, "n": 2048})
case("causal_dense_line", "conv", lambda x, w: lax.conv_general_dilated(x, w, (1,), [(8, 0)], rhs_dilation=(4,), dimension_numbers=("NWC", "WIO", "NWC")),
     ["f32 b,n,64", "f32 3,64,64"], {"b": 1, "n": 100}, {"b": 4, "n": 4096})
case("conv_last", "conv", convolution, ["f32 b,h,w,64", "f32 3,3,64,64"], *LAST)
case("conv_first", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW"), ["f32 b,64,h,w", "f32 64,64,3,3"], *FIRST, torch=torch_convolution(padding=1))
case("conv_last_bf16", "conv", convolution, ["bf16 b,h,w,64", "bf16 3,3,64,64"], *LAST)
case("conv_first_bf16", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW"), ["bf16 b,64,h,w", "bf16 64,64,3,3"], *FIRST, torch=torch_convolution(padding=1))
case("conv_first_of_image", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", (2, 2), ((3, 3), (3, 3))), ["f32 b,3,h,w", "f32 64,3,7,7"], *STEM,
     torch=torch_convolution(padding=3, stride=2))
case("conv_last_of_image", "conv", lambda x, w: convolution(x, w, strides=(2, 2), padding=((3, 3), (3, 3))), ["f32 b,h,w,3", "f32 7,7,3,64"], *STEM)
case("conv_first_of_image_bf16", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", (2, 2), ((3, 3), (3, 3))), ["bf16 b,3,h,w", "bf16 64,3,7,7"], *STEM,
     torch=torch_convolution(padding=3, stride=2))
case("conv_dilated", "conv", lambda x, w: convolution(x, w, right=(2, 2)), ["f32 b,h,w,64", "f32 3,3,64,64"], *LAST)
case("transposed_last", "conv", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), ["f32 b,h,w,64", "f32 4,4,64,32"], {"b": 1, "h": 7, "w": 7}, {"b": 8, "h": 28, "w": 28})
case("transposed_first", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", padding=((2, 2), (2, 2)), left=(2, 2)), ["f32 b,64,h,w", "f32 32,64,4,4"],
     {"b": 1, "h": 7, "w": 7}, {"b": 8, "h": 28, "w": 28}, torch=lambda t, x, w: t.nn.functional.conv_transpose2d(x, w.transpose(0, 1).flip(2, 3), stride=2, padding=1))
case("conv_stride_input_gradient", "conv", lambda g, w: jax.linear_transpose(lambda x: convolution(x, w, strides=(2, 2), padding=((1, 1), (1, 1))),
     jax.ShapeDtypeStruct((g.shape[0], 2 * g.shape[1], 2 * g.shape[2], 64), g.dtype))(g), ["f32 b,h,w,64", "f32 3,3,64,64"], {"b": 1, "h": 7, "w": 7}, {"b": 8, "h": 28, "w": 28}, known=True)
case("conv_filter_gradient", "conv", lambda x, w, g: jax.vjp(lambda w: convolution(x, w), w)[1](g), ["f32 b,h,w,64", "f32 3,3,64,64", "f32 b,h,w,64"], *LAST)
case("conv_filter_gradient_first", "conv", lambda x, w, g: jax.vjp(lambda w: convolution(x, w, "NCHW", "OIHW"), w)[1](g), ["f32 b,64,h,w", "f32 64,64,3,3", "f32 b,64,h,w"], *FIRST,
     torch=lambda t, x, w, g: t.nn.grad.conv2d_weight(x, w.shape, g, padding=1))
for element in ("f32", "bf16"):
    case(f"depthwise_filter_gradient_{element}", "conv", lambda x, w, g: jax.vjp(lambda w: convolution(x, w, groups=64), w)[1](g),
         [f"{element} b,h,w,64", f"{element} 3,3,1,64", f"{element} b,h,w,64"], *LAST,
         torch=lambda t, x, w, g: t.nn.grad.conv2d_weight(x.permute(0, 3, 1, 2), (64, 1, 3, 3), g.permute(0, 3, 1, 2), padding=1, groups=64))
case("image_filter_gradient_first", "conv", lambda x, g: jax.linear_transpose(lambda w: convolution(x, w, "NCHW", "OIHW", (2, 2), ((3, 3), (3, 3))), jax.ShapeDtypeStruct((64, 3, 7, 7), x.dtype))(g),
     ["f32 b,3,64,64", "f32 b,64,32,32"], {"b": 1}, {"b": 8}, torch=lambda t, x, g: t.nn.grad.conv2d_weight(x, (64, 3, 7, 7), g, stride=2, padding=3))
case("depthwise_wide_first", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", groups=96), ["f32 b,96,h,w", "f32 96,1,7,7"], *FIRST, torch=torch_convolution(padding=3, groups=96))
case("grouped_8_first", "conv", lambda x, w: convolution(x, w, "NCHW", "OIHW", groups=8), ["f32 b,128,h,w", "f32 128,16,3,3"], *FIRST, torch=torch_convolution(padding=1, groups=8))
case("average_pool_wide_first", "conv", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 1, 7, 7), (1, 1, 7, 7), "VALID") / 49, ["f32 b,64,h,w"], *FIRST, torch=lambda t, x: t.nn.functional.avg_pool2d(x, 7))
case("max_pool", "conv", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), ["f32 b,h,w,64"], *LAST)
case("max_pool_first", "conv", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), ["f32 b,64,h,w"], *FIRST,
     torch=lambda t, x: t.nn.functional.max_pool2d(x, 2))
case("average_pool", "conv", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9, ["f32 b,h,w,64"], *LAST)
case("average_pool_first", "conv", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "VALID") / 4, ["f32 b,64,h,w"], *FIRST,
     torch=lambda t, x: t.nn.functional.avg_pool2d(x, 2))
case("average_pool_first_overlapping", "conv", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1))) / 9,
     ["f32 b,64,h,w"], *FIRST, torch=lambda t, x: t.nn.functional.avg_pool2d(x, 3, 2, 1))
case("max_pool_first_overlapping", "conv", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1))),
     ["f32 b,64,h,w"], *FIRST, torch=lambda t, x: t.nn.functional.max_pool2d(x, 3, 2, 1))
case("resize_nearest", "conv", lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2), ["f32 b,h,w,16"], *LAST)
case("resize_linear", "conv", lambda x: jax.image.resize(x, (x.shape[0], 2 * x.shape[1], 2 * x.shape[2], x.shape[3]), "linear"), ["f32 b,h,w,16"], *LAST, known=True)
case("pad_reflect", "conv", lambda x: jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), "reflect"), ["f32 b,h,w,16"], *LAST, known=True)
# Fourier transforms
case("rfft_rows", "fft", lambda x: jnp.abs(jnp.fft.rfft(x)), ["f32 b,2048"], {"b": 1}, {"b": 1000}, torch=lambda t, x: t.fft.rfft(x).abs())
case("rfft_odd_rows", "fft", lambda x: jnp.abs(jnp.fft.rfft(x)), ["f32 b,1125"], {"b": 1}, {"b": 1000}, torch=lambda t, x: t.fft.rfft(x).abs())
case("irfft_odd_rows", "fft", lambda x: jnp.fft.irfft(lax.complex(x, x), 1125), ["f32 b,563"], {"b": 1}, {"b": 1000}, torch=lambda t, x: t.fft.irfft(t.complex(x, x), 1125))
case("fft_prime_rows", "fft", lambda x: jnp.abs(jnp.fft.fft(x)), ["f32 b,1009"], {"b": 1}, {"b": 200}, torch=lambda t, x: t.fft.fft(x).abs())
case("irfft_rows", "fft", lambda x: jnp.fft.irfft(lax.complex(x, x)), ["f32 b,513"], {"b": 1}, {"b": 1000}, torch=lambda t, x: t.fft.irfft(t.complex(x, x)))
case("fft_line", "fft", lambda x: jnp.abs(jnp.fft.fft(x)), ["f32 n"], {"n": 1024}, {"n": 1 << 18}, known=True, torch=lambda t, x: t.fft.fft(x).abs())
case("fft_columns", "fft", lambda x: jnp.abs(jnp.fft.fft(x, axis=0)), ["f32 n,m"], {"n": 64, "m": 100}, {"n": 1024, "m": 1000}, known=True,
     torch=lambda t, x: t.fft.fft(x, dim=0).abs())
case("fft_convolution", "fft", lambda x, w: jnp.fft.irfft(jnp.fft.rfft(x, 8192) * jnp.fft.rfft(w, 8192), 8192), ["f32 b,4096", "f32 4096"], {"b": 2}, {"b": 256},
     torch=lambda t, x, w: t.fft.irfft(t.fft.rfft(x, 8192) * t.fft.rfft(w, 8192), 8192))
case("fft_square", "fft", lambda x: jnp.abs(jnp.fft.fft2(x)), ["f32 b,256,256"], {"b": 1}, {"b": 16}, torch=lambda t, x: t.fft.fft2(x).abs())
case("rfft_cube", "fft", lambda x: jnp.fft.irfftn(jnp.fft.rfftn(x, axes=(1, 2, 3)), axes=(1, 2, 3)), ["f32 b,32,32,32"], {"b": 1}, {"b": 16}, known=True)

case("sum_all", "reduce", jnp.sum, ["f32 n"], *LINE, torch=lambda t, x: x.sum())
case("dot_of_vectors", "reduce", jnp.dot, ["f32 n", "f32 n"], *LINE, torch=lambda t, x, y: t.dot(x, y))
case("softmax", "reduce", lambda x: jax.nn.softmax(x, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.softmax(x, 1))
case("logsumexp", "reduce", lambda x: jax.nn.logsumexp(x, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.logsumexp(x, 1))
case("one_hot", "element", lambda i: jax.nn.one_hot(i, 1000), ["i32 n ints:1000"], {"n": 100}, {"n": 4096}, torch=lambda t, i: t.nn.functional.one_hot(i.long(), 1000).float())
for element in ("f32", "bf16"):
    case(f"matmul_{element}", "product", jnp.matmul, [f"{element} m,k", f"{element} k,n"], {"m": 16, "k": 64, "n": 32}, {"m": 512, "k": 768, "n": 512},
         torch=lambda t, x, y: t.matmul(x, y))


def lorenz(s):
    return jnp.stack([10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]])


def runge_kutta(f, s, h):
    k1 = f(s)
    k2 = f(s + h / 2 * k1)
    k3 = f(s + h / 2 * k2)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(s + h * k3))


def edit_distance(a, b):
    def row(above, x):
        def cell(carried, j):
            left, above = carried
            value = jnp.minimum(jnp.minimum(left + 1, above[j + 1] + 1), above[j] + (x != b[j]))
            return (value, above), value
        _, rest = lax.scan(cell, (above[0] + 1, above), jnp.arange(b.shape[0], dtype=jnp.int32))
        return jnp.concatenate([above[:1] + 1, rest]), None
    return lax.scan(row, jnp.arange(b.shape[0] + 1, dtype=jnp.int32), a)[0][-1]


def mandelbrot(x, y):
    def step(i, s):
        inside = s[0] ** 2 + s[1] ** 2 < 4
        return jnp.where(inside, s[0] ** 2 - s[1] ** 2 + x, s[0]), jnp.where(inside, 2 * s[0] * s[1] + y, s[1]), s[2] + inside
    return lax.fori_loop(0, 50, step, (x, y, jnp.zeros_like(x, jnp.int32)))[2]


def bisection(a):
    def step(i, s):
        middle = (s[0] + s[1]) / 2
        below = middle ** 3 < a
        return jnp.where(below, middle, s[0]), jnp.where(below, s[1], middle)
    return lax.fori_loop(0, 40, step, (jnp.zeros_like(a), a + 1))[0]


def kalman(s, z):
    gain = (s[1] + 0.01) / (s[1] + 1.01)
    return (s[0] + gain * (z - s[0]), (1 - gain) * (s[1] + 0.01)), s[0]


def kalman_matrix(f, s, z):
    x, p = f @ s[0], f @ s[1] @ f.T + 0.01 * jnp.eye(4)
    return (x + 0.1 * (z - x), 0.9 * p), x


def rosenbrock(q):
    return 100 * (q[1] - q[0] ** 2) ** 2 + (1 - q[0]) ** 2


# Loops with small bodies
case("loop_fori_sin", "loop", lambda x: lax.fori_loop(0, 1000, lambda i, x: x * 0.999 + 0.1 * jnp.sin(x), x),
     ["f32 "], {}, {})
case("loop_fori_affine", "loop", lambda x: lax.fori_loop(0, 1000, lambda i, x: x * 0.999 + 0.1, x),
     ["f32 "], {}, {})
case("loop_newton", "loop", lambda a: lax.while_loop(lambda s: jnp.abs(s[0] * s[0] - a) > 1e-4 * a, lambda s: (0.5 * (s[0] + a / s[0]), s[1] + 1), (a, 0)),
     ["f32  positive"], {}, {})
case("loop_collatz", "loop", lambda n: lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n + 27, 0))[1],
     ["i32  ints:100"], {}, {})
case("loop_lorenz", "loop", lambda s: lax.fori_loop(0, 100, lambda i, s: runge_kutta(lorenz, s, 0.01), s),
     ["f32 3"], {}, {})
case("loop_lorenz_many", "loop", lambda s: lax.fori_loop(0, 100, lambda i, s: runge_kutta(lorenz, s, 0.01), s),
     ["f32 3,n"], {"n": 1}, {"n": 4096})
case("loop_lorenz_trajectory", "loop", lambda s: lax.scan(lambda s, _: (runge_kutta(lorenz, s, 0.01), s), s, None, length=1000)[1],
     ["f32 3"], {}, {})
case("loop_edit_distance", "loop", edit_distance,
     ["i32 m ints:4", "i32 n ints:4"], {"m": 10, "n": 12}, {"m": 100, "n": 120}, known=True)
case("loop_map_norm", "loop", lambda x: lax.map(lambda r: jnp.sqrt((r * r).sum()), x),
     ["f32 n,8"], {"n": 10}, {"n": 10000})
case("loop_moving_average", "loop", lambda x: lax.scan(lambda c, v: (0.9 * c + 0.1 * v,) * 2, jnp.float32(0), x)[1],
     ["f32 n"], {"n": 100}, {"n": 100000})
case("loop_small_rnn", "loop", lambda w, x: lax.scan(lambda h, v: (jnp.tanh(w @ h + v),) * 2, jnp.zeros(4, x.dtype), x)[1],
     ["f32 4,4", "f32 n,4"], {"n": 16}, {"n": 4096})
case("loop_mandelbrot", "loop", mandelbrot,
     ["f32 n", "f32 n"], {"n": 16}, {"n": 65536})
case("loop_bisection", "loop", bisection,
     ["f32 n positive"], {"n": 16}, {"n": 10000})
case("loop_nested", "loop", lambda x: lax.fori_loop(0, 30, lambda i, x: lax.fori_loop(0, 30, lambda j, y: y * 0.99 + 0.01 * (i * j).astype(jnp.float32), x), x),
     ["f32 "], {}, {})
case("loop_knapsack", "loop", lambda w, v: lax.scan(lambda best, p: (jnp.where(jnp.arange(101) >= p[0], jnp.maximum(best, jnp.roll(best, p[0]) + p[1]), best), None),
                                            jnp.zeros(101, jnp.float32), (w, v))[0],
     ["i32 n ints:50", "f32 n positive"], {"n": 10}, {"n": 1000})
case("loop_sieve", "loop", lambda x: lax.fori_loop(2, 30, lambda i, s: jnp.where((jnp.arange(1000) > i) & (jnp.arange(1000) % i == 0), False, s), x > 0),
     ["f32 1000 positive"], {}, {})
case("loop_update_in_place", "loop", lambda x: lax.fori_loop(1, x.shape[0], lambda i, y: y.at[i].set(0.5 * y[i - 1] + y[i]), x),
     ["f32 n"], {"n": 100}, {"n": 10000})
case("loop_kalman", "loop", lambda z: lax.scan(kalman, (jnp.float32(0), jnp.float32(1)), z)[1],
     ["f32 n"], {"n": 100}, {"n": 10000})
case("loop_kalman_matrix", "loop", lambda f, z: lax.scan(lambda s, z: kalman_matrix(f, s, z), (jnp.zeros(4), jnp.eye(4)), z)[1],
     ["f32 4,4", "f32 n,4"], {"n": 16}, {"n": 1000})
case("loop_viterbi", "loop", lambda t, e: lax.scan(lambda s, o: ((s[:, None] + t).max(0) + o, (s[:, None] + t).argmax(0)), jnp.zeros(8, jnp.float32), e),
     ["f32 8,8", "f32 n,8"], {"n": 16}, {"n": 1000})
case("loop_branch", "loop", lambda x: lax.fori_loop(0, 500, lambda i, x: lax.cond(x > 0, lambda x: x * 0.5 - 0.1, lambda x: x + 1.3, x), x),
     ["f32 "], {}, {})
case("loop_power_iteration", "loop", lambda a: lax.fori_loop(0, 100, lambda i, v: (a @ v) * lax.rsqrt(((a @ v) ** 2).sum()), jnp.ones(8, jnp.float32)),
     ["f32 8,8"], {}, {})
case("loop_gradient_descent", "loop", lambda x: lax.fori_loop(0, 200, lambda i, p: p - 0.001 * jax.grad(rosenbrock)(p), x),
     ["f32 2"], {}, {})
case("loop_congruential", "loop", lambda s: lax.fori_loop(0, 1000, lambda i, s: s * 1664525 + 1013904223, s),
     ["i32  ints:100"], {}, {})
case("loop_greedy_decode", "loop", lambda e, w, t: lax.fori_loop(1, t.shape[0], lambda i, t: t.at[i].set(jnp.argmax(jnp.tanh(e[t[i - 1]]) @ w).astype(jnp.int32)), t),
     ["f32 32,16", "f32 16,32", "i32 n ints:32"], {"n": 16}, {"n": 256})

# Neighbours, and loops over values of many elements
PLANE = ({"n": 32}, {"n": 256})


def jacobi(x):
    return x.at[1:-1, 1:-1].set(0.25 * (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2]))


def life(x):
    near = sum(jnp.roll(jnp.roll(x, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return ((near == 3) | ((near == 2) & (x == 1))).astype(x.dtype)


def collatz_step(s):
    return jnp.where(s[0] == 1, 1, jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1)), s[1] + (s[0] != 1)


case("neighbours_gradient", "loop", lambda x: jnp.abs(x[2:, 1:-1] - x[:-2, 1:-1]) + jnp.abs(x[1:-1, 2:] - x[1:-1, :-2]), ["f32 n,n"], {"n": 32}, {"n": 1000}, least=("n >= 3",),
     torch=lambda t, x: (x[2:, 1:-1] - x[:-2, 1:-1]).abs() + (x[1:-1, 2:] - x[1:-1, :-2]).abs())
case("neighbours_jacobi", "loop", lambda x: lax.fori_loop(0, 50, lambda i, x: jacobi(x), x), ["f32 n,n"], *PLANE, least=("n >= 3",))
case("neighbours_heat_line", "loop", lambda x: lax.fori_loop(0, 100, lambda i, x: x.at[1:-1].add(0.1 * (x[2:] - 2 * x[1:-1] + x[:-2])), x), ["f32 n"],
     {"n": 64}, {"n": 10_000}, least=("n >= 3",))
case("neighbours_life", "loop", lambda x: lax.fori_loop(0, 20, lambda i, x: life(x), x), ["i32 n,n ints:2"], *PLANE)
case("loop_collatz_many", "loop", lambda n: lax.while_loop(lambda s: jnp.any(s[0] != 1), collatz_step, (n, jnp.zeros_like(n)))[1], ["i32 n ints:100:1"], {"n": 10}, {"n": 1000})
case("loop_regression", "loop", lambda x, y, w: lax.fori_loop(0, 50, lambda i, w: w - 0.01 * (x.T @ (x @ w - y)) / x.shape[0], w),
     ["f32 n,16", "f32 n", "f32 16"], {"n": 32}, {"n": 5000})
case("cumsum_both", "scan", lambda x: jnp.cumsum(jnp.cumsum(x, 0), 1), ["f32 b,n"], *ROWS, torch=lambda t, x: x.cumsum(0).cumsum(1))
case("resize_bilinear_twice", "conv", lambda x: jax.image.resize(x, (x.shape[0], 64, 96, 8), "bilinear"), ["f32 b,32,48,8"], {"b": 1}, {"b": 16}, known=True,
     torch=lambda t, x: t.nn.functional.interpolate(x.permute(0, 3, 1, 2), scale_factor=2, mode="bilinear").permute(0, 2, 3, 1))
case("move_space_to_depth", "move", lambda x: x.reshape(x.shape[0], 28, 2, 28, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(x.shape[0], 28, 28, 12), ["f32 b,56,56,3"], {"b": 1}, {"b": 16})
case("move_set_column", "move", lambda x, y: x.at[:, 2].set(y), ["f32 b,n", "f32 b"], *ROWS, least=("n >= 3",))

# Rows and matrices shorter than a vector
POINTS = ({"n": 131}, {"n": 65536})
for k in (2, 3, 4, 6, 8):
    case(f"short_product_{k}", "short", lambda x, y: x @ y, [f"f32 n,{k},{k}", f"f32 n,{k},{k}"], *POINTS, torch=lambda t, x, y: x @ y)
case("short_product_vector", "short", lambda x, y: jnp.einsum("nij,nj->ni", x, y), ["f32 n,3,3", "f32 n,3"], *POINTS, torch=lambda t, x, y: t.einsum("nij,nj->ni", x, y))
case("short_product_transposed", "short", lambda x, y: x @ y.swapaxes(1, 2), ["f32 n,4,3", "f32 n,5,3"], *POINTS, torch=lambda t, x, y: x @ y.mT)
case("short_product_bf16", "short", lambda x, y: x @ y, ["bf16 n,4,4", "bf16 n,4,4"], *POINTS, torch=lambda t, x, y: x @ y)
case("short_product_shared", "short", lambda x, y: jnp.einsum("nij,jk->nik", x, y), ["f32 n,3,3", "f32 3,3"], *POINTS, torch=lambda t, x, y: x @ y)
for k in (3, 5, 8, 16):
    case(f"short_softmax_{k}", "short", lambda x: jax.nn.softmax(x, axis=1), [f"f32 n,{k}"], *POINTS, torch=lambda t, x: t.softmax(x, 1))
    case(f"short_sum_{k}", "short", lambda x: x.sum(1), [f"f32 n,{k}"], *POINTS, torch=lambda t, x: x.sum(1))
case("short_norm", "short", lambda x: x / jnp.sqrt((x * x).sum(1, keepdims=True)), ["f32 n,3"], *POINTS, torch=lambda t, x: x / x.norm(dim=1, keepdim=True))
case("short_max_bf16", "short", lambda x: x.max(1), ["bf16 n,5"], *POINTS, torch=lambda t, x: t.amax(x, 1))
case("short_argmax", "short", lambda x: x.argmax(1), ["f32 n,7"], *POINTS, torch=lambda t, x: x.argmax(1))
case("short_layer_norm", "short", lambda x, g: (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5) * g, ["f32 n,6", "f32 6"], *POINTS,
     torch=lambda t, x, g: t.nn.functional.layer_norm(x, (6,), g))
case("short_bias", "short", lambda x, b: x + b, ["f32 n,5", "f32 5"], *POINTS, torch=lambda t, x, b: x + b)
case("short_scale_rows", "short", lambda x, s: x * s[:, None], ["f32 n,3", "f32 n"], *POINTS, torch=lambda t, x, s: x * s[:, None])
case("short_image_normalise", "short", lambda x, m, s: (x.astype(jnp.float32) / 255 - m) / s, ["ui8 n,64,3 ints:250", "f32 3", "f32 3 positive"], {"n": 4}, {"n": 4096},
     torch=lambda t, x, m, s: (x.float() / 255 - m) / s)
case("short_cross", "short", jnp.cross, ["f32 n,3", "f32 n,3"], *POINTS, torch=lambda t, x, y: t.linalg.cross(x, y))
case("short_interleaved", "short", lambda x: jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape), ["f32 n,8"], *POINTS,
     torch=lambda t, x: t.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape))
case("short_distances", "short", lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1), ["f32 n,3", "f32 64,3"], {"n": 64}, {"n": 4096},
     torch=lambda t, x, y: ((x[:, None] - y[None]) ** 2).sum(-1))

# Linear algebra: one matrix, many small ones
MATRIX, TINY = ({"n": 16}, {"n": 1024}), ({"b": 16}, {"b": 16384})
for name, shape, sizes in [("", "n,n", MATRIX)] + [(f"_many_{k}", f"b,{k},{k}", TINY) for k in (3, 4, 16)]:
    vectors = shape[: shape.rindex(",")] + ",4"
    case(f"cholesky{name}", "linalg", jnp.linalg.cholesky, [f"f32 {shape} definite"], *sizes, torch=lambda t, a: t.linalg.cholesky(a))
    case(f"inv{name}", "linalg", jnp.linalg.inv, [f"f32 {shape} definite"], *sizes, torch=lambda t, a: t.linalg.inv(a))
    case(f"det{name}", "linalg", jnp.linalg.det, [f"f32 {shape} definite"], *sizes, torch=lambda t, a: t.linalg.det(a))
    case(f"qr{name}", "linalg", jnp.linalg.qr, [f"f32 {shape}"], *sizes, torch=lambda t, a: t.linalg.qr(a))
    case(f"lu{name}", "linalg", lambda a: lax.linalg.lu(a)[0], [f"f32 {shape} definite"], *sizes, torch=lambda t, a: t.linalg.lu_factor(a)[0])
    case(f"solve{name}", "linalg", jnp.linalg.solve, [f"f32 {shape} definite", f"f32 {vectors}"], *sizes, torch=lambda t, a, b: t.linalg.solve(a, b))
    case(f"triangular_solve{name}", "linalg", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True), [f"f32 {shape} definite", f"f32 {shape}"], *sizes,
         torch=lambda t, a, b: t.linalg.solve_triangular(a, b, upper=False))
    case(f"cholesky_solve{name}", "linalg", lambda a, b: lax.linalg.triangular_solve(lax.linalg.cholesky(a), b, left_side=True, lower=True),
         [f"f32 {shape} definite", f"f32 {vectors}"], *sizes, torch=lambda t, a, b: t.linalg.solve_triangular(t.linalg.cholesky(a), b, upper=False))
case("triangular_solve_right", "linalg", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=False, lower=True, transpose_a=True), ["f32 n,n definite", "f32 m,n"],
     {"n": 16, "m": 5}, {"n": 512, "m": 1000}, torch=lambda t, a, b: t.linalg.solve_triangular(a.mT, b, upper=True, left=False))
case("triangular_solve_one", "linalg", lambda a, b: jax.scipy.linalg.solve_triangular(a, b, lower=True), ["f32 n,n definite", "f32 n"], {"n": 16}, {"n": 800},
     torch=lambda t, a, b: t.linalg.solve_triangular(a, b[:, None], upper=False)[:, 0])
case("cho_solve", "linalg", lambda a, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(a, lower=True), b), ["f32 n,n definite", "f32 n"], {"n": 16}, {"n": 128},
     torch=lambda t, a, b: t.cholesky_solve(b[:, None], t.linalg.cholesky(a))[:, 0])
case("qr_tall", "linalg", jnp.linalg.qr, ["f32 n,32"], {"n": 64}, {"n": 8192}, least=("n >= 32",), torch=lambda t, a: t.linalg.qr(a))
case("eigh", "linalg", lambda a: jnp.linalg.eigh(a)[0], ["f32 n,n definite"], {"n": 16}, {"n": 256}, torch=lambda t, a: t.linalg.eigh(a)[0])
case("eigvalsh_small", "linalg", jnp.linalg.eigvalsh, ["f32 b,n,n definite"], {"b": 3, "n": 8}, {"b": 1000, "n": 32}, torch=lambda t, a: t.linalg.eigvalsh(a))
case("eigvalsh", "linalg", jnp.linalg.eigvalsh, ["f32 n,n definite"], {"n": 16}, {"n": 256}, torch=lambda t, a: t.linalg.eigvalsh(a))
case("eigh_many", "linalg", lambda a: jnp.linalg.eigh(a)[0], ["f32 b,3,3 definite"], *TINY, torch=lambda t, a: t.linalg.eigh(a)[0])
case("eigh_small", "linalg", lambda a: jnp.linalg.eigh(a)[0], ["f32 b,n,n definite"], {"b": 3, "n": 8}, {"b": 1000, "n": 32}, torch=lambda t, a: t.linalg.eigh(a)[0])
for name, shape, *sizes in (("", "n,n", {"n": 16}, {"n": 256}), ("_many", "b,n,n", {"b": 3, "n": 4}, {"b": 5000, "n": 8}), ("_tall", "n,16", {"n": 32}, {"n": 4096})):
    # Vectors are told but for their sign.
    case(f"svd{name}", "linalg", lambda a: [abs(x) for x in jnp.linalg.svd(a, full_matrices=False)], [f"f32 {shape}"], *sizes, least=("n >= 16",) if name == "_tall" else (),
         torch=lambda t, a: [x.abs() for x in t.linalg.svd(a, full_matrices=False)])
case("singular_values", "linalg", lambda a: jnp.linalg.svd(a, compute_uv=False), ["f32 n,n"], {"n": 16}, {"n": 256}, torch=lambda t, a: t.linalg.svdvals(a))


def attention(q, k, v, mask=None, causal=False):
    """Heads before positions; fewer heads of keys than of queries are shared by neighbours."""
    b, h, n, d = q.shape
    q = q.reshape(b, k.shape[1], h // k.shape[1], n, d)
    scores = jnp.einsum("bghqd,bgkd->bghqk", q, k) * d**-0.5
    if mask is not None: scores = scores + mask
    if causal: scores = jnp.where(jnp.arange(n)[:, None] >= jnp.arange(k.shape[2])[None], scores, -jnp.inf)
    return jnp.einsum("bghqk,bgkd->bghqd", jax.nn.softmax(scores, axis=-1), v).reshape(b, h, n, d)


def torch_attention(**options):
    return lambda t, q, k, v, mask=None: t.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, **options)


# Attention
HEADS, DECODE = ({"b": 2, "n": 64}, {"b": 1, "n": 2048}), ({"b": 2, "n": 64}, {"b": 4, "n": 4096})
for element in ("f32", "bf16"):
    case(f"attention_{element}", "attention", attention, [f"{element} b,8,n,64"] * 3, *HEADS, torch=torch_attention())
    case(f"attention_causal_{element}", "attention", lambda q, k, v: attention(q, k, v, causal=True), [f"{element} b,8,n,64"] * 3, *HEADS,
         torch=torch_attention(is_causal=True))
    case(f"attention_decode_{element}", "attention", attention, [f"{element} b,8,1,64", f"{element} b,8,n,64", f"{element} b,8,n,64"], *DECODE, torch=torch_attention())
    case(f"attention_wide_{element}", "attention", attention, [f"{element} b,4,n,128"] * 3, {"b": 1, "n": 64}, {"b": 1, "n": 1024}, torch=torch_attention())
case("attention_grouped", "attention", lambda q, k, v: attention(q, k, v, causal=True), ["f32 b,8,n,64", "f32 b,2,n,64", "f32 b,2,n,64"], *HEADS,
     torch=torch_attention(is_causal=True, enable_gqa=True))
case("attention_decode_grouped", "attention", attention, ["f32 b,8,1,64", "f32 b,2,n,64", "f32 b,2,n,64"], *DECODE, torch=torch_attention(enable_gqa=True))
case("attention_masked", "attention", attention, ["f32 b,8,n,64", "f32 b,8,n,64", "f32 b,8,n,64", "f32 b,1,1,1,n"], *HEADS,
     torch=lambda t, q, k, v, mask: t.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, 0]))
case("attention_known", "attention", lambda q, k, v: attention(q, k, v, causal=True), ["f32 b,8,n,64"] * 3, *HEADS, known=True, torch=torch_attention(is_causal=True))
case("attention_heads_last", "attention", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), ["f32 b,n,8,64"] * 3, *HEADS)

sweep_ops.add(case)
sweep_loops.add(case)
