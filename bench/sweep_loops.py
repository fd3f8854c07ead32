# SPDX-License-Identifier: Apache-2.0
"""Rows of the sweep (sweep_cases.py, which says what the columns are): loops whose steps are rows or small products, and moves of elements
at the border of an image."""
import jax
import jax.numpy as jnp
from jax import lax

LINES, IMAGES = ({"n": 20, "m": 16}, {"n": 500, "m": 300}), ({"b": 1, "h": 8, "w": 10}, {"b": 4, "h": 56, "w": 64})


def runge_kutta(f, y, h):
    a = f(y)
    b = f(y + h / 2 * a)
    c = f(y + h / 2 * b)
    return y + h / 6 * (a + 2 * b + 2 * c + f(y + h * c))


def gru(w, u, h, x):
    a, b = jnp.split(x @ w, 3), jnp.split(0.1 * (h @ u), 3)
    r, z = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
    h = (1 - z) * jnp.tanh(a[2] + r * b[2]) + z * h
    return h, h


def state_space(a, b, c, x):
    def step(h, v):
        h = a * h + b * v
        return h, (c * h).sum(-1)
    return lax.scan(step, jnp.zeros_like(a), x[..., None])[1]


def cheapest_paths(cost):
    def step(row, c):
        row = c + jnp.minimum(row, jnp.minimum(jnp.roll(row, 1), jnp.roll(row, -1)))
        return row, row
    return lax.scan(step, cost[0], cost[1:])[1]


def nested(x):
    inner = lambda c, v: (0.9 * c + v,) * 2  # noqa: E731
    return lax.scan(lambda c, row: (lax.scan(inner, c, row)[0],) * 2, jnp.float32(0), x)[1]


def ring(x):
    def step(s, v):
        return (s[0].at[s[1] % 16].set(v), s[1] + 1), s[0].mean(0)
    return lax.scan(step, (jnp.zeros((16, x.shape[1])), 0), x)[1]


def add_loops(case):
    case("loop_rows", "loop", lambda x: lax.fori_loop(1, x.shape[0], lambda i, y: y.at[i].set(0.5 * y[i - 1] + y[i]), x), ["f32 n,m"], *LINES, least=("n >= 2",))
    case("loop_rows_stacked", "loop", lambda x: lax.scan(lambda c, v: (0.9 * c + 0.1 * v,) * 2, jnp.zeros_like(x[0]), x)[1], ["f32 n,m"], *LINES)
    case("loop_rows_nested", "loop", nested, ["f32 n,m"], *LINES)
    case("loop_cheapest_paths", "loop", cheapest_paths, ["f32 n,m"], *LINES, least=("n >= 2", "m >= 2"))
    case("loop_ring_buffer", "loop", ring, ["f32 n,m"], *LINES)
    case("loop_automaton", "loop", lambda x: lax.fori_loop(0, 100, lambda i, x: (x | jnp.roll(x, -1)) & ~(x & jnp.roll(x, -1) & jnp.roll(x, 1)), x), ["i32 n ints:2"], {"n": 32}, {"n": 1000}, least=("n >= 2",))
    case("loop_rnn", "loop", lambda w, u, x: lax.scan(lambda h, v: (jnp.tanh(v @ w + 0.1 * (h @ u)),) * 2, jnp.zeros(u.shape[0]), x)[1], ["f32 h,h unit", "f32 h,h unit", "f32 t,h"], {"t": 20, "h": 32}, {"t": 500, "h": 64})
    case("loop_gru", "loop", lambda w, u, x: lax.scan(lambda h, v: gru(w, u, h, v), jnp.zeros(u.shape[0]), x)[1], ["f32 h,k unit", "f32 h,k unit", "f32 t,h"], {"t": 20, "h": 32, "k": 96}, {"t": 500, "h": 64, "k": 192}, known=True)
    case("loop_state_space", "loop", state_space, ["f32 d,16 unit", "f32 d,16", "f32 d,16", "f32 t,d"], {"t": 20, "d": 8}, {"t": 500, "d": 64})
    case("loop_linear_system", "loop", lambda a, y: lax.fori_loop(0, 50, lambda i, y: runge_kutta(lambda y: a @ y, y, 0.01), y), ["f32 n,n unit", "f32 n"], {"n": 8}, {"n": 64})
    case("loop_jacobi_solver", "loop", lambda a, b: lax.fori_loop(0, 50, lambda i, x: (b - a @ x) * 0.01, b), ["f32 n,n", "f32 n"], {"n": 16}, {"n": 128})
    case("loop_greatest_divisor", "loop", lambda a, b: lax.while_loop(lambda s: jnp.any(s[1] != 0), lambda s: (jnp.where(s[1] != 0, s[1], s[0]), jnp.where(s[1] != 0, s[0] % jnp.where(s[1] == 0, 1, s[1]), 0)), (a, b))[0],
         ["i32 n ints:1000:1"] * 2, {"n": 10}, {"n": 10_000})
    case("loop_horner", "loop", lambda c, x: lax.scan(lambda a, k: (a * x + k, None), jnp.zeros_like(x), c)[0], ["f32 k", "f32 n"], {"k": 8, "n": 16}, {"k": 50, "n": 10_000})


def add_borders(case):
    functional = lambda t: t.nn.functional  # noqa: E731
    for mode, torch in (("reflect", "reflect"), ("wrap", "circular")):
        case(f"pad_{mode}_images", "move", lambda x, m=mode: jnp.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), m), ["f32 b,16,h,w"], *IMAGES, known=True, torch=lambda t, x, m=torch: functional(t).pad(x, (2, 2, 2, 2), m))
    case("pad_symmetric", "move", lambda x: jnp.pad(x, ((0, 0), (3, 3), (3, 3), (0, 0)), "symmetric"), ["f32 b,h,w,16"], *IMAGES, least=("h >= 4", "w >= 4"))
    case("pad_between", "move", lambda x: lax.pad(x, jnp.zeros((), x.dtype), ((0, 0, 0), (0, 0, 1))), ["f32 b,n"], {"b": 8, "n": 100}, {"b": 1000, "n": 1000})
    case("move_reverse_both", "move", lambda x: x[::-1, ::-1], ["f32 b,n"], {"b": 8, "n": 100}, {"b": 1000, "n": 1000}, torch=lambda t, x: x.flip(0, 1))
    case("move_frames", "move", lambda x: x[jnp.arange(0, x.shape[0] - 399, 160)[:, None] + jnp.arange(400)], ["f32 n"], {"n": 4000}, {"n": 160_000}, known=True, torch=lambda t, x: x.unfold(0, 400, 160).contiguous())
    for method in ("linear", "cubic"):
        case(f"resize_{method}_images", "conv", lambda x, m=method: jax.image.resize(x, (*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3]), m), ["f32 b,16,h,w"], *IMAGES, known=True,
             torch=lambda t, x, m={"linear": "bilinear", "cubic": "bicubic"}[method]: functional(t).interpolate(x, scale_factor=2, mode=m))


def add(case):
    for rows in (add_loops, add_borders): rows(case)
