# SPDX-License-Identifier: Apache-2.0
"""Rows of the sweep for single ops (sweep_cases.py has what models write of several): each op of StableHLO and CHLO that JAX writes, at the
element types that it takes, and what is made of few: movement of data, products, gathers and scatters, random numbers."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

ROWS = {"b": 8, "n": 100}, {"b": 1000, "n": 1000}
COSTLY = {"b": 8, "n": 100}, {"b": 100, "n": 1000}
POINTS = {"n": 131}, {"n": 65536}
IMAGE = {"b": 1, "h": 10, "w": 10}, {"b": 8, "h": 56, "w": 56}
TABLE = {"n": 100, "r": 50}, {"n": 16384, "r": 10_000}
KINDS = {"f32": "normal", "bf16": "normal", "i32": "ints:100", "ui8": "ints:100"}


def by_name(name):
    """A function of torch tensors from its name there."""
    return lambda t, *x: getattr(t, name)(*x)


# Functions of JAX, their names in torch, the kind of their argument
ONE_FLOAT = {
    "abs": (jnp.abs, "abs", ""), "cbrt": (jnp.cbrt, None, ""), "ceil": (jnp.ceil, "ceil", ""), "cos": (jnp.cos, "cos", ""), "exp": (jnp.exp, "exp", ""),
    "expm1": (jnp.expm1, "expm1", ""), "floor": (jnp.floor, "floor", ""), "log": (jnp.log, "log", "positive"), "log1p": (jnp.log1p, "log1p", "positive"),
    "logistic": (jax.nn.sigmoid, "sigmoid", ""), "negate": (jnp.negative, "neg", ""), "round": (lambda x: lax.round(x), None, ""), "round_even": (jnp.round, "round", ""),
    "rsqrt": (lax.rsqrt, "rsqrt", "positive"), "sign": (jnp.sign, "sign", ""), "sin": (jnp.sin, "sin", ""), "sqrt": (jnp.sqrt, "sqrt", "positive"),
    "tan": (jnp.tan, "tan", ""), "tanh": (jnp.tanh, "tanh", ""), "is_finite": (jnp.isfinite, "isfinite", ""), "is_inf": (jnp.isinf, "isinf", ""), "acos": (jnp.arccos, "acos", "unit"),
    "acosh": (lambda x: jnp.arccosh(1 + x), None, "positive"), "asin": (jnp.arcsin, "asin", "unit"), "asinh": (jnp.arcsinh, "asinh", ""), "atan": (jnp.arctan, "atan", ""),
    "atanh": (jnp.arctanh, "atanh", "unit"), "cosh": (jnp.cosh, "cosh", ""), "sinh": (jnp.sinh, "sinh", ""), "erf": (lax.erf, "erf", ""), "erfc": (lax.erfc, "erfc", ""),
    "square": (jnp.square, "square", ""), "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 7), None, ""), "gelu": (jax.nn.gelu, None, ""), "silu": (jax.nn.silu, None, ""),
    "softplus": (jax.nn.softplus, None, ""), "leaky_relu": (jax.nn.leaky_relu, None, ""),
}
SPECIAL = {"erf_inv": (lax.erf_inv, "erfinv", "unit"), "lgamma": (lax.lgamma, "lgamma", "positive"), "digamma": (lax.digamma, "digamma", "positive"),
           "bessel_i1e": (lax.bessel_i1e, None, ""), "bessel_i0e": (lax.bessel_i0e, None, "")}
TWO_FLOATS = {
    "add": (jnp.add, "add"), "subtract": (jnp.subtract, "sub"), "multiply": (jnp.multiply, "mul"), "divide": (jnp.divide, "div"), "maximum": (jnp.maximum, "maximum"),
    "minimum": (jnp.minimum, "minimum"), "power": (jnp.power, "pow"), "remainder": (lax.rem, "fmod"), "atan2": (jnp.arctan2, "atan2"), "compare": (jnp.less, "lt"),
    "select": (lambda x, y: jnp.where(x > y, x, y * 2), None), "hypot": (jnp.hypot, "hypot"),
}
TWO_INTEGERS = {
    "add": (jnp.add, "add"), "multiply": (jnp.multiply, "mul"), "divide": (lax.div, None), "remainder": (lax.rem, "fmod"), "floor_divide": (jnp.floor_divide, None),
    "and": (jnp.bitwise_and, "bitwise_and"), "or": (jnp.bitwise_or, "bitwise_or"), "xor": (jnp.bitwise_xor, "bitwise_xor"), "maximum": (jnp.maximum, "maximum"),
    "shift_left": (lambda x, y: lax.shift_left(x, y & 7), None), "shift_right": (lambda x, y: lax.shift_right_arithmetic(x, y & 7), None),
    "shift_right_logical": (lambda x, y: lax.shift_right_logical(x, y & 7), None), "compare": (jnp.less, "lt"), "select": (lambda x, y: jnp.where(x > y, x, y), None),
}
ONE_INTEGER = {"not": (jnp.bitwise_not, "bitwise_not"), "popcnt": (lax.population_count, None), "count_leading_zeros": (lax.clz, None), "negate": (jnp.negative, "neg"),
               "power_3": (lambda x: x ** 3, None), "clamp": (lambda x: jnp.clip(x, 3, 50), None), "abs_difference": (lambda x: jnp.abs(x - x[:, :1]), None)}
CONVERSIONS = [("f32", "bf16"), ("bf16", "f32"), ("ui8", "f32"), ("f32", "i32"), ("i32", "f32"), ("f32", "ui8"), ("i32", "ui8"), ("ui8", "i32"), ("bf16", "i32"), ("f32", "f16")]
NUMPY = {"f32": jnp.float32, "bf16": jnp.bfloat16, "i32": jnp.int32, "ui8": jnp.uint8, "f16": jnp.float16}


def add_elements(case):
    for element in ("f32", "bf16"):
        for name, (function, torch, kind) in ONE_FLOAT.items():
            case(f"op_{name}_{element}", "op", function, [f"{element} b,n {kind}"], *ROWS, torch=by_name(torch) if torch else None)
        for name, (function, torch) in TWO_FLOATS.items():
            kind = "positive" if name in ("power", "divide", "remainder") else ""
            case(f"op_{name}_{element}", "op", function, [f"{element} b,n {kind}"] * 2, *ROWS, torch=by_name(torch) if torch else None)
        case(f"op_clamp_{element}", "op", lambda x: jnp.clip(x, -1, 1), [f"{element} b,n"], *ROWS, torch=lambda t, x: x.clamp(-1, 1))
    for name, (function, torch, kind) in SPECIAL.items():
        case(f"op_{name}_f32", "op", function, [f"f32 b,n {kind}"], *COSTLY, torch=by_name(torch) if torch else None)
    case("op_next_after_f32", "op", lax.nextafter, ["f32 b,n"] * 2, *ROWS, torch=by_name("nextafter"))
    case("op_polygamma_f32", "op", lambda x: special.polygamma(2, x), ["f32 b,n positive"], *COSTLY, torch=lambda t, x: t.special.polygamma(2, x))
    case("op_zeta_f32", "op", lambda x: special.zeta(2.5 + x, 1 + x), ["f32 b,n positive"], *COSTLY, torch=lambda t, x: t.special.zeta(2.5 + x, 1 + x))
    for element in ("i32", "ui8"):
        for name, (function, torch) in TWO_INTEGERS.items():
            kind = f"{KINDS[element]}:1"
            case(f"op_{name}_{element}", "op", function, [f"{element} b,n {kind}"] * 2, *ROWS, torch=by_name(torch) if torch else None)
        for name, (function, torch) in ONE_INTEGER.items():
            if element == "ui8" and name in ("abs_difference", "negate"): continue
            case(f"op_{name}_{element}", "op", function, [f"{element} b,n {KINDS[element]}"], *ROWS, torch=by_name(torch) if torch else None)
    for a, b in CONVERSIONS:
        kind = "positive" if b == "ui8" and a == "f32" else KINDS[a]
        case(f"op_convert_{a}_{b}", "op", lambda x, b=b: x.astype(NUMPY[b]), [f"{a} b,n {kind}"], *ROWS,
             torch=lambda t, x, b=b: x.to({"f32": t.float32, "bf16": t.bfloat16, "i32": t.int32, "ui8": t.uint8, "f16": t.float16}[b]))
    case("op_bitcast", "op", lambda x: lax.bitcast_convert_type(x, jnp.int32) & 0x7FFFFF, ["f32 b,n"], *ROWS, torch=lambda t, x: x.view(t.int32) & 0x7FFFFF)
    case("op_complex_product", "op", lambda a, b, c: (lambda z: (z.real, z.imag))(lax.complex(a, b) * lax.complex(b, c)), ["f32 b,n"] * 3, *ROWS)
    case("op_complex_exp", "op", lambda a, b: (lambda z: (z.real, z.imag))(jnp.exp(lax.complex(a, b))), ["f32 b,n"] * 2, *ROWS)
    case("op_complex_abs", "op", lambda a, b: jnp.abs(jnp.conj(lax.complex(a, b))), ["f32 b,n"] * 2, *ROWS, torch=lambda t, a, b: t.complex(a, b).abs())
    case("op_quantize", "op", lambda x: jnp.clip(jnp.round(x * 20), -128, 127).astype(jnp.int8).astype(jnp.int32), ["f32 b,n"], *ROWS)
    case("op_dequantize", "op", lambda x, s: x.astype(jnp.float32) * s[:, None], ["ui8 b,n ints:250", "f32 b"], *ROWS, torch=lambda t, x, s: x.float() * s[:, None])
    case("op_image_u8", "op", lambda x: x.astype(jnp.float32) / 127.5 - 1, ["ui8 b,h,w,3 ints:250"], {"b": 1, "h": 16, "w": 16}, {"b": 8, "h": 224, "w": 224}, torch=lambda t, x: x.float() / 127.5 - 1)


def rotated(x, c, s):
    """Rotary embedding of interleaved pairs."""
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


def rotated_halves(x, c, s):
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


def add_movement(case):
    for element in ("f32", "bf16", "ui8"):
        kind = KINDS[element]
        case(f"move_transpose_{element}", "move", lambda x: x.T, [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x.T.contiguous())
        case(f"move_transpose_heads_{element}", "move", lambda x: x.transpose(0, 2, 1, 3), [f"{element} b,n,8,64 {kind}"], {"b": 1, "n": 16}, {"b": 4, "n": 512},
             torch=lambda t, x: x.permute(0, 2, 1, 3).contiguous())
        case(f"move_features_last_{element}", "move", lambda x: x.transpose(0, 2, 3, 1), [f"{element} b,64,h,w {kind}"], *IMAGE, torch=lambda t, x: x.permute(0, 2, 3, 1).contiguous())
        case(f"move_features_first_{element}", "move", lambda x: x.transpose(0, 3, 1, 2), [f"{element} b,h,w,64 {kind}"], *IMAGE, torch=lambda t, x: x.permute(0, 3, 1, 2).contiguous())
        case(f"move_channels_first_{element}", "move", lambda x: x.transpose(0, 3, 1, 2), [f"{element} b,h,w,3 {kind}"], {"b": 1, "h": 10, "w": 10}, {"b": 8, "h": 224, "w": 224},
             torch=lambda t, x: x.permute(0, 3, 1, 2).contiguous())
        case(f"move_concatenate_{element}", "move", lambda x, y: jnp.concatenate([x, y], 1), [f"{element} b,n {kind}"] * 2, *ROWS, torch=lambda t, x, y: t.cat([x, y], 1))
        case(f"move_concatenate_rows_{element}", "move", lambda x, y: jnp.concatenate([x, y], 0), [f"{element} b,n {kind}"] * 2, *ROWS, torch=lambda t, x, y: t.cat([x, y], 0))
        case(f"move_concatenate_short_{element}", "move", lambda x, y: jnp.concatenate([x, y], 1), [f"{element} n,3 {kind}", f"{element} n,5 {kind}"], *POINTS, torch=lambda t, x, y: t.cat([x, y], 1))
        case(f"move_concatenate_column_{element}", "move", lambda x, y: jnp.concatenate([x, y], 1), [f"{element} b,n {kind}", f"{element} b,1 {kind}"], *ROWS, torch=lambda t, x, y: t.cat([x, y], 1))
        case(f"move_reverse_{element}", "move", lambda x: x[:, ::-1], [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x.flip(1))
        case(f"move_pad_{element}", "move", lambda x: jnp.pad(x, ((1, 2), (3, 4))), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: t.nn.functional.pad(x, (3, 4, 1, 2)))
        case(f"move_slice_{element}", "move", lambda x: x[1:, 3:-5], [f"{element} b,n {kind}"], *ROWS, least=("n >= 16", "b >= 2"), torch=lambda t, x: x[1:, 3:-5].contiguous())
        case(f"move_stride_{element}", "move", lambda x: x[:, ::2], [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x[:, ::2].contiguous())
        case(f"move_broadcast_{element}", "move", lambda x: jnp.broadcast_to(x[:, None], (x.shape[0], 64, x.shape[1])), [f"{element} b,n {kind}"], {"b": 2, "n": 100}, {"b": 32, "n": 1000},
             torch=lambda t, x: x[:, None].expand(-1, 64, -1).contiguous())
        case(f"move_repeat_{element}", "move", lambda x: jnp.repeat(x, 4, 1), [f"{element} b,8,n,64 {kind}"], {"b": 1, "n": 16}, {"b": 2, "n": 512}, torch=lambda t, x: x.repeat_interleave(4, 1))
        case(f"move_tile_{element}", "move", lambda x: jnp.tile(x, (1, 3)), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x.repeat(1, 3))
        case(f"move_roll_{element}", "move", lambda x: jnp.roll(x, 1, 1), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x.roll(1, 1))
        case(f"move_stack_{element}", "move", lambda x, y: jnp.stack([x, y], -1), [f"{element} b,n {kind}"] * 2, *ROWS, torch=lambda t, x, y: t.stack([x, y], -1))
    for element in ("f32", "bf16"):
        angles = [f"{element} n,32", f"{element} n,32"]
        case(f"move_rotate_pairs_{element}", "move", rotated, [f"{element} b,8,n,64", *angles], {"b": 1, "n": 16}, {"b": 4, "n": 512})
        case(f"move_rotate_halves_{element}", "move", rotated_halves, [f"{element} b,8,n,64", *angles], {"b": 1, "n": 16}, {"b": 4, "n": 512})
        case(f"move_scale_rows_{element}", "move", lambda x, s: x * s[:, None], [f"{element} b,n", f"{element} b"], *ROWS, torch=lambda t, x, s: x * s[:, None])
        case(f"move_scale_columns_{element}", "move", lambda x, s: x * s, [f"{element} b,n", f"{element} n"], *ROWS, torch=lambda t, x, s: x * s)
        case(f"move_outer_{element}", "move", lambda x, y: x[:, None] * y, [f"{element} b", f"{element} n"], *ROWS, torch=lambda t, x, y: x[:, None] * y)
        case(f"move_causal_mask_{element}", "move", lambda x: jnp.where(jnp.tri(x.shape[1], dtype=bool), x, -jnp.inf), [f"{element} b,n,n"], {"b": 1, "n": 64}, {"b": 4, "n": 512})
    case("move_concatenate_eight", "move", lambda *x: jnp.concatenate(x, 1), ["f32 b,n"] * 8, {"b": 8, "n": 7}, {"b": 1000, "n": 100}, torch=lambda t, *x: t.cat(x, 1))
    case("move_split_three", "move", lambda x: tuple(jnp.split(x, 3, 1)), ["f32 b,96"], {"b": 8}, {"b": 16384}, torch=lambda t, x: [v.contiguous() for v in x.split(32, 1)])
    case("move_cube", "move", lambda x: x.transpose(2, 1, 0), ["f32 b,32,n"], {"b": 4, "n": 20}, {"b": 128, "n": 200}, torch=lambda t, x: x.permute(2, 1, 0).contiguous())
    case("move_patches", "move", lambda x: x.reshape(x.shape[0], 14, 16, 14, 16, 3).transpose(0, 1, 3, 2, 4, 5).reshape(x.shape[0], 196, 768), ["f32 b,224,224,3"], {"b": 1}, {"b": 8},
         torch=lambda t, x: x.view(-1, 14, 16, 14, 16, 3).permute(0, 1, 3, 2, 4, 5).contiguous())
    case("move_pixel_shuffle", "move", lambda x: x.reshape(*x.shape[:3], 2, 2, 16).transpose(0, 1, 3, 2, 4, 5).reshape(x.shape[0], 2 * x.shape[1], 2 * x.shape[2], 16), ["f32 b,h,w,64"], *IMAGE)
    case("move_iota", "move", lambda x: jnp.arange(x.shape[0] * 4, dtype=jnp.float32) * 0.5, ["f32 n"], {"n": 100}, {"n": 250_000}, torch=lambda t, x: t.arange(4 * x.shape[0], dtype=t.float32) * 0.5)
    case("move_update_slice", "move", lambda x, y, i: lax.dynamic_update_slice(x, y, (i[0], 0)), ["f32 b,n", "f32 4,n", "i32 1 ints:4"], *ROWS, least=("b >= 8",))
    case("move_dynamic_slice", "move", lambda x, i: lax.dynamic_slice(x, (i[0], 0), (4, x.shape[1])), ["f32 b,n", "i32 1 ints:4"], *ROWS, least=("b >= 8",))
    case("move_diagonal", "move", lambda x: jnp.diagonal(x), ["f32 n,n"], {"n": 10}, {"n": 1000}, known=True, torch=lambda t, x: x.diagonal().contiguous())
    case("move_triangle", "move", jnp.tril, ["f32 n,n"], {"n": 32}, {"n": 1000}, torch=lambda t, x: x.tril())


def add_products(case):
    small, large = {"m": 16, "k": 64, "n": 32}, {"m": 256, "k": 512, "n": 512}
    for element in ("f32", "bf16"):
        product = lambda text, e=element: ([f"{e} {v}" for v in text.split("->")[0].split()])  # noqa: E731
        case(f"product_tn_{element}", "product", lambda x, y: x.T @ y, product("k,m k,n"), small, large, torch=lambda t, x, y: x.T @ y)
        case(f"product_nt_{element}", "product", lambda x, y: x @ y.T, product("m,k n,k"), small, large, torch=lambda t, x, y: x @ y.T)
        case(f"product_tt_{element}", "product", lambda x, y: x.T @ y.T, product("k,m n,k"), small, large, torch=lambda t, x, y: x.T @ y.T)
        case(f"product_batch_{element}", "product", jnp.matmul, product("b,m,k b,k,n"), {"b": 2, "m": 8, "k": 16, "n": 8}, {"b": 64, "m": 64, "k": 64, "n": 64}, torch=lambda t, x, y: x @ y)
        case(f"product_batch_20_{element}", "product", jnp.matmul, product("b,20,20 b,20,20"), {"b": 4}, {"b": 4096}, torch=lambda t, x, y: x @ y)
        for m in (1, 3, 8, 16):
            case(f"product_rows_{m}_{element}", "product", jnp.matmul, product(f"{m},k k,n"), {"k": 64, "n": 32}, {"k": 1024, "n": 2048}, torch=lambda t, x, y: x @ y)
        case(f"product_vector_{element}", "product", jnp.matmul, product("m,k k"), small, {"m": 2048, "k": 1024}, torch=lambda t, x, y: x @ y)
        case(f"product_bias_gelu_{element}", "product", lambda x, w, b: jax.nn.gelu(x @ w + b), product("m,k k,n n"), small, large,
             torch=lambda t, x, w, b: t.nn.functional.gelu(x @ w + b, approximate="tanh"))
        case(f"product_out_{element}", "product", lambda x, w: jnp.einsum("bhle,hed->bld", x, w), product("b,8,n,64 8,64,k"), {"b": 1, "n": 16, "k": 64}, {"b": 2, "n": 128, "k": 512},
             torch=lambda t, x, w: t.einsum("bhle,hed->bld", x, w))
        case(f"product_weight_gradient_{element}", "product", lambda x, g: jnp.einsum("bnk,bnm->km", x, g), product("b,n,k b,n,m"), {"b": 2, "n": 16, "k": 64, "m": 32},
             {"b": 8, "n": 128, "k": 512, "m": 256}, torch=lambda t, x, g: t.einsum("bnk,bnm->km", x, g))
    case("product_ui8", "product", lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32), ["ui8 m,k ints:100", "ui8 k,n ints:100"], small, large)
    case("product_i32", "product", jnp.matmul, ["i32 m,k ints:100", "i32 k,n ints:100"], small, {"m": 128, "k": 256, "n": 256}, torch=lambda t, x, y: x @ y)
    case("product_f16", "product", jnp.matmul, ["f16 m,k", "f16 k,n"], small, large, torch=lambda t, x, y: x @ y)
    case("product_outer_k", "product", jnp.matmul, ["f32 m,16", "f32 16,n"], {"m": 16, "n": 32}, {"m": 1024, "n": 1024}, torch=lambda t, x, y: x @ y)
    case("product_outer", "product", lambda x, y: jnp.einsum("i,j->ij", x, y), ["f32 m", "f32 n"], {"m": 30, "n": 40}, {"m": 1000, "n": 2000}, torch=lambda t, x, y: t.outer(x, y))
    case("product_three_terms", "product", jnp.matmul, ["f32 m,3", "f32 3,n"], {"m": 16, "n": 64}, {"m": 8192, "n": 256}, torch=lambda t, x, y: x @ y)
    case("product_long_k", "product", lambda x, y: x.T @ y, ["f32 k,32", "f32 k,32"], {"k": 100}, {"k": 100_000}, torch=lambda t, x, y: x.T @ y)
    case("product_distances", "product", lambda x, y: (x * x).sum(1)[:, None] - 2 * x @ y.T + (y * y).sum(1), ["f32 m,k", "f32 n,k"], small, large, torch=lambda t, x, y: t.cdist(x, y) ** 2)
    case("product_bilinear", "product", lambda x, w, y: jnp.einsum("ni,oij,nj->no", x, w, y), ["f32 n,16", "f32 8,16,16", "f32 n,16"], {"n": 16}, {"n": 4096},
         torch=lambda t, x, w, y: t.einsum("ni,oij,nj->no", x, w, y))
    case("product_ragged", "product", lax.ragged_dot, ["f32 n,64", "f32 8,64,128", "i32 8 ints:4"], {"n": 32}, {"n": 4096})
    case("product_lora", "product", lambda x, a, b: (x @ a) @ b, ["f32 m,k", "f32 k,8", "f32 8,n"], small, large, torch=lambda t, x, a, b: (x @ a) @ b)


def grid_sample(x, g):
    """Bilinear, borders held."""
    h, w = x.shape[0], x.shape[1]
    y, z = (g[..., 0] * 0.5 + 0.5) * (h - 1), (g[..., 1] * 0.5 + 0.5) * (w - 1)
    a, b = jnp.clip(jnp.floor(y), 0, h - 2).astype(jnp.int32), jnp.clip(jnp.floor(z), 0, w - 2).astype(jnp.int32)
    p, q = (y - a)[..., None], (z - b)[..., None]
    return (x[a, b] * (1 - p) + x[a + 1, b] * p) * (1 - q) + (x[a, b + 1] * (1 - p) + x[a + 1, b + 1] * p) * q


def add_tables(case):
    for element in ("f32", "bf16"):
        case(f"table_rows_{element}", "scatter", lambda w, i: w[i], [f"{element} r,64", "i32 n ints:50"], *TABLE, torch=lambda t, w, i: w[i])
        case(f"table_bag_{element}", "scatter", lambda w, i: w[i].mean(1), [f"{element} r,64", "i32 n,8 ints:50"], *TABLE, torch=lambda t, w, i: t.nn.functional.embedding_bag(i, w, mode="mean"))
        case(f"table_along_axis_{element}", "scatter", lambda x, i: jnp.take_along_axis(x, i, 1), [f"{element} b,n", "i32 b,n ints:100"], *ROWS, torch=lambda t, x, i: x.gather(1, i.long()))
        case(f"table_scatter_rows_{element}", "scatter", lambda w, i, x: w.at[i].set(x), [f"{element} r,64", "i32 50 ints:50", f"{element} 50,64"], {"r": 50}, {"r": 10_000})
    case("table_columns", "scatter", lambda w, i: w[:, i], ["f32 b,n", "i32 m ints:50"], {"b": 8, "n": 100, "m": 20}, {"b": 1000, "n": 1000, "m": 500}, torch=lambda t, w, i: w[:, i])
    case("table_pick", "scatter", lambda x, i: -jnp.take_along_axis(jax.nn.log_softmax(x), i[:, None], 1).mean(), ["f32 b,n", "i32 b ints:100"], *ROWS,
         torch=lambda t, x, i: t.nn.functional.cross_entropy(x, i.long()))
    case("table_elements", "scatter", lambda w, i: w[i], ["f32 r", "i32 n ints:50"], *TABLE, torch=lambda t, w, i: w[i])
    case("table_quantized", "scatter", lambda w, s, i: w[i].astype(jnp.float32) * s[i][:, None], ["ui8 r,64 ints:250", "f32 r", "i32 n ints:50"], *TABLE)
    case("table_points", "scatter", lambda x, i, j: x[i, j], ["f32 b,n", "i32 m ints:8", "i32 m ints:100"], {"b": 8, "n": 100, "m": 50}, {"b": 1000, "n": 1000, "m": 100_000},
         torch=lambda t, x, i, j: x[i, j])
    case("table_segment_max", "scatter", lambda x, i: jax.ops.segment_max(x, i, num_segments=64), ["f32 n,64", "i32 n ints:64"], *TABLE)
    case("table_segment_mean", "scatter", lambda x, i: jax.ops.segment_sum(x, i, num_segments=64) / jnp.maximum(1, jax.ops.segment_sum(jnp.ones_like(i, jnp.float32), i, num_segments=64))[:, None],
         ["f32 n,64", "i32 n ints:64"], *TABLE)
    case("table_histogram", "scatter", lambda x: jnp.histogram(x, bins=20, range=(-3, 3))[0], ["f32 n"], {"n": 1000}, {"n": 1_000_000}, known=True, torch=lambda t, x: t.histc(x, 20, -3, 3))
    case("table_messages", "scatter", lambda x, a, b: jax.ops.segment_sum(x[a], b, num_segments=64), ["f32 r,64", "i32 n ints:50", "i32 n ints:64"], *TABLE,
         torch=lambda t, x, a, b: t.zeros(64, 64).index_add_(0, b, x[a]))
    case("table_attention_edges", "scatter", lambda x, a, b: jax.nn.softmax((x[a] * x[b]).sum(1)), ["f32 r,64", "i32 n ints:50", "i32 n ints:50"], *TABLE)
    case("table_grid_sample", "scatter", grid_sample, ["f32 32,32,16", "f32 n,2 unit"], {"n": 100}, {"n": 65536})
    case("table_cache_update", "scatter", lambda c, x, i: c.at[jnp.arange(c.shape[0]), i].set(x), ["f32 b,n,64", "f32 b,64", "i32 b ints:16"], {"b": 2, "n": 16}, {"b": 8, "n": 1024})
    case("table_nonzero_count", "scatter", lambda x: jnp.count_nonzero(x > 0.5, axis=1), ["f32 b,n"], *ROWS, torch=lambda t, x: t.count_nonzero(x > 0.5, 1))
    case("table_window_gradient", "conv", lambda x: jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum())(x), ["f32 b,h,w,64"], *IMAGE)


def add_random(case):
    state = ["i32 2 ints:1000"]
    key = lambda s: jax.random.wrap_key_data(s.astype(jnp.uint32))  # noqa: E731
    for name, draw in {"uniform": jax.random.uniform, "normal": jax.random.normal, "gumbel": jax.random.gumbel, "bits": jax.random.bits,
                       "bernoulli": lambda k, s: jax.random.bernoulli(k, 0.3, s)}.items():
        case(f"random_{name}", "random", lambda s, x, f=draw: f(key(s), x.shape), [*state, "f32 b,n"], *ROWS)
    case("random_dropout", "random", lambda s, x: jnp.where(jax.random.bernoulli(key(s), 0.9, x.shape), x / 0.9, 0), [*state, "f32 b,n"], *ROWS, torch=lambda t, s, x: t.nn.functional.dropout(x, 0.1))
    case("random_categorical", "random", lambda s, x: jax.random.categorical(key(s), x), [*state, "f32 b,n"], *ROWS)


def add_reductions(case):
    for element in ("f32", "bf16", "i32"):
        kind = KINDS[element]
        for name, function, torch in (("sum", jnp.sum, "sum"), ("max", jnp.max, "amax"), ("min", jnp.min, "amin"), ("any", lambda x, a: (x > 2).any(a), None)):
            case(f"reduce_{name}_rows_{element}", "reduce", lambda x, f=function: f(x, 1), [f"{element} b,n {kind}"], *ROWS, torch=(lambda t, x, n=torch: getattr(t, n)(x, 1)) if torch else None)
        case(f"reduce_sum_all_{element}", "reduce", lambda x: x.sum(), [f"{element} b,n {kind}"], *ROWS, torch=lambda t, x: x.sum())
    case("reduce_product", "reduce", lambda x: jnp.prod(x, 1), ["f32 b,n"], *ROWS, torch=lambda t, x: x.prod(1))
    case("reduce_norm", "reduce", lambda x: jnp.sqrt((x * x).sum(1)), ["f32 b,n"], *ROWS, torch=lambda t, x: x.norm(dim=1))
    case("reduce_cosine", "reduce", lambda x, y: (x * y).sum(1) * lax.rsqrt((x * x).sum(1) * (y * y).sum(1)), ["f32 b,n"] * 2, *ROWS, torch=lambda t, x, y: t.nn.functional.cosine_similarity(x, y))
    case("reduce_and_or", "reduce", lambda x: (lax.reduce_or(x, (1,)), lax.reduce_and(x, (1,)), lax.reduce_xor(x, (1,))), ["i32 b,n ints:100"], *ROWS)
    case("reduce_loss", "reduce", lambda x, y: ((x - y) ** 2).mean(), ["f32 b,n"] * 2, *ROWS, torch=lambda t, x, y: t.nn.functional.mse_loss(x, y))
    for element in ("f32", "bf16"):
        case(f"reduce_layer_norm_{element}", "reduce", lambda x, g: (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5) * g, [f"{element} b,n", f"{element} n"], *ROWS,
             torch=lambda t, x, g: t.nn.functional.layer_norm(x, (x.shape[1],), g))
        case(f"reduce_rms_norm_{element}", "reduce", lambda x, g: x * lax.rsqrt((x * x).mean(1, keepdims=True) + 1e-5) * g, [f"{element} b,n", f"{element} n"], *ROWS,
             torch=lambda t, x, g: t.nn.functional.rms_norm(x, (x.shape[1],), g))
        case(f"reduce_softmax_{element}", "reduce", lambda x: jax.nn.softmax(x, 1), [f"{element} b,n"], *ROWS, torch=lambda t, x: t.softmax(x, 1))
        case(f"reduce_log_softmax_{element}", "reduce", lambda x: jax.nn.log_softmax(x, 1), [f"{element} b,n"], *ROWS, torch=lambda t, x: t.log_softmax(x, 1))


def add(case):
    for rows in (add_elements, add_movement, add_products, add_tables, add_random, add_reductions): rows(case)
