# SPDX-License-Identifier: Apache-2.0
"""Triton kernels, small ones, that between them use what Triton's compiler prints. Run as a program it prints one of
them as a file of Triton's at a stage: kernels.py NAME ARCH STAGE, where STAGE is ttir or ttgir; with MLIR_ENABLE_DUMP=1
Triton also prints the program before each of its passes."""
import sys

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def vector_add(x, y, out, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, rows, columns, SIZE: tl.constexpr):
    column = tl.arange(0, SIZE)
    inside = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        line = tl.load(x + row * columns + column, mask=inside, other=-float("inf"))
        weights = tl.exp(line - tl.max(line, 0))
        tl.store(out + row * columns + column, weights / tl.sum(weights, 0), mask=inside)


@triton.jit
def layer_norm(x, scale, shift, out, mean_out, columns, epsilon, SIZE: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, SIZE)
    inside = column < columns
    line = tl.load(x + row * columns + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(line, 0) / columns
    away = tl.where(inside, line - mean, 0.0)
    factor = 1 / tl.sqrt(tl.sum(away * away, 0) / columns + epsilon)
    scaled = away * factor * tl.load(scale + column, mask=inside) + tl.load(shift + column, mask=inside)
    tl.store(mean_out + row, mean)
    tl.store(out + row * columns + column, scaled, mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    depth = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for at in range(0, k, K):
        left = tl.load(a + row[:, None] * k + (at + depth)[None, :],
                       mask=(row < m)[:, None] & (at + depth < k)[None, :], other=0)
        right = tl.load(b + (at + depth)[:, None] * n + column[None, :],
                        mask=(at + depth < k)[:, None] & (column < n)[None, :], other=0)
        total = tl.dot(left, right, total, input_precision=PRECISION, out_dtype=total.dtype)
    tl.store(c + row[:, None] * n + column[None, :], total.to(c.dtype.element_ty),
             mask=(row < m)[:, None] & (column < n)[None, :])


@triton.jit
def matmul_descriptors(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[m, k], strides=[k, 1], block_shape=[M, K])
    right = tl.make_tensor_descriptor(b, shape=[k, n], strides=[n, 1], block_shape=[K, N])
    result = tl.make_tensor_descriptor(c, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), dtype=tl.float32)
    for at in range(0, k, K):
        total = tl.dot(left.load([row, at]), right.load([at, column]), total)
    result.store([row, column], total.to(tl.bfloat16))


@triton.jit
def matmul_specialized(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[m, k], strides=[k, 1], block_shape=[M, K])
    right = tl.make_tensor_descriptor(b, shape=[k, n], strides=[n, 1], block_shape=[K, N])
    result = tl.make_tensor_descriptor(c, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), dtype=tl.float32)
    for at in tl.range(0, k, K, warp_specialize=True):
        total = tl.dot(left.load([row, at]), right.load([at, column]), total)
    result.store([row, column], total.to(tl.bfloat16))


@triton.jit
def attention(q, k, v, out, scale, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    key = tl.arange(0, N)
    d = tl.arange(0, D)
    queries = tl.load(q + row[:, None] * D + d[None, :], mask=(row < length)[:, None], other=0.0)
    high = tl.full((M,), -float("inf"), tl.float32)
    weight = tl.zeros((M,), tl.float32)
    total = tl.zeros((M, D), tl.float32)
    for at in range(0, tl.minimum((tl.program_id(0) + 1) * M, length), N):
        keys = tl.load(k + (at + key)[None, :] * D + d[:, None], mask=(at + key < length)[None, :], other=0.0)
        scores = tl.dot(queries, keys) * scale
        scores = tl.where(row[:, None] >= (at + key)[None, :], scores, -1.0e6)
        higher = tl.maximum(high, tl.max(scores, 1))
        parts = tl.math.exp2(scores - higher[:, None])
        factor = tl.math.exp2(high - higher)
        values = tl.load(v + (at + key)[:, None] * D + d[None, :], mask=(at + key < length)[:, None], other=0.0)
        total = tl.dot(parts.to(v.dtype.element_ty), values, total * factor[:, None])
        weight = weight * factor + tl.sum(parts, 1)
        high = higher
    tl.store(out + row[:, None] * D + d[None, :], (total / weight[:, None]).to(out.dtype.element_ty),
             mask=(row < length)[:, None])


@triton.jit
def row_sums(x, out, columns, M: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    total = tl.zeros([M], tl.float32)
    for at in range(0, columns, N):
        total += tl.sum(tl.load(x + row[:, None] * columns + (at + tl.arange(0, N))[None, :]), 1)
    tl.store(out + row, total)


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def running_sums(x, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(x + at)
    tl.store(out + at, tl.associative_scan(tile, 1, plus) + tl.cumsum(tile, 0, reverse=True))


@triton.jit
def counts(x, bins, highest, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    value = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(bins + value, 1, mask=at < n, sem="relaxed")
    tl.atomic_max(highest, tl.max(value, 0))


@triton.jit
def store_out_of_line(p, value):
    tl.store(p, value)


store_out_of_line = triton.jit(store_out_of_line.fn, noinline=True)


@triton.jit
def many_ops(x, whole, out, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    a = tl.load(x + at)
    b = tl.load(x + at, mask=at < n, other=1.0, cache_modifier=".cg")
    i = tl.load(whole + at, eviction_policy="evict_last")
    table = tl.reshape(a, (16, SIZE // 16))
    left, right = tl.split(tl.join(a, b))
    both = tl.cat(a, b, can_reorder=True)
    largest, where = tl.max(table, axis=1, return_indices=True)
    small = a.to(tl.float8e5).to(tl.float16).to(tl.float32)
    bits = a.to(tl.int32, bitcast=True)
    old = tl.atomic_cas(whole + at, i, i)
    tl.device_print("i", i)
    tl.device_assert(n > 0, "n is positive")
    left_over = n
    while left_over > 0:
        left_over -= 3
    if n > 5:
        chosen = a * 2
    else:
        chosen = a + 1
    total = (chosen + left + right + small + tl.gather(a, i % SIZE, 0) + tl.clamp(a, 0.0, 1.0) + tl.sqrt_rn(a) +
             tl.div_rn(a, b) + tl.umulhi(i, i).to(tl.float32) + old.to(tl.float32) + tl.fma(a, b, chosen) + tl.abs(a) +
             tl.floor(a) + tl.erf(a) + tl.rsqrt(a) + (i ^ 3).to(tl.float32) + (i >> 2).to(tl.float32) +
             (i.to(tl.uint32) // 3).to(tl.float32) + left_over + tl.sum(tl.sort(a)) + libdevice.atan(a) +
             tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out + at, total, eviction_policy="evict_first")
    tl.store(out + SIZE + tl.arange(0, 2 * SIZE), both)
    tl.store(out + 3 * SIZE + tl.arange(0, 64), tl.histogram(i, 64).to(tl.float32))
    tl.store(out + 4 * SIZE + tl.arange(0, SIZE // 16)[:, None] * 16 + tl.arange(0, 16)[None, :], tl.trans(table))
    tl.store(out + 5 * SIZE + tl.arange(0, 16), largest + where)
    for k in tl.range(0, n, loop_unroll_factor=2, disallow_acc_multi_buffer=True):
        tl.store(out + 6 * SIZE + k, k * 1.0)
    store_out_of_line(out + 7 * SIZE, 1.0)
    tl.store(whole.to(tl.pointer_type(tl.float32)), 1.0)
    tl.store(out + 8 * SIZE + tl.max_contiguous(tl.multiple_of(at, 8), 8), tl.sort(a))
    tl.store(out.to(tl.pointer_type(tl.int32)) + 9 * SIZE + at, bits)


@triton.jit
def instructions(x, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.store(out + at, tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.load(x + at)], dtype=tl.int32,
                                                 is_pure=True, pack=1))


@triton.jit
def scaled_product(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column, depth, group = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    left = tl.load(a + row[:, None] * K + depth[None, :])
    right = tl.load(b + depth[:, None] * N + column[None, :])
    left_scale = tl.load(a_scale + row[:, None] * (K // 32) + group[None, :])
    right_scale = tl.load(b_scale + column[:, None] * (K // 32) + group[None, :])
    tl.store(c + row[:, None] * N + column[None, :], tl.dot_scaled(left, left_scale, "e5m2", right, right_scale, "e5m2"))


# name: kernel, types of arguments, constants, names of arguments that 16 divides, options
KERNELS = {
    "vector_add": (vector_add, dict(x="*fp32", y="*fp32", out="*fp32", n="i32"), dict(SIZE=1024), "x y out n", {}),
    "softmax": (softmax, dict(x="*fp32", out="*fp32", rows="i32", columns="i32"), dict(SIZE=1024), "x out columns",
                dict(num_warps=8)),
    "layer_norm": (layer_norm, dict(x="*fp32", scale="*fp32", shift="*fp32", out="*fp32", mean_out="*fp32", columns="i32",
                                    epsilon="fp32"), dict(SIZE=512), "x scale shift out mean_out columns", {}),
    "matmul": (matmul, dict(a="*bf16", b="*bf16", c="*bf16", m="i32", n="i32", k="i32"),
               dict(M=64, N=64, K=32, PRECISION="ieee"), "a b c m n k", dict(num_stages=3)),
    "matmul_tf32": (matmul, dict(a="*fp32", b="*fp32", c="*fp32", m="i32", n="i32", k="i32"),
                    dict(M=64, N=64, K=32, PRECISION="tf32"), "a b c m n k", {}),
    "matmul_tf32x3": (matmul, dict(a="*fp32", b="*fp32", c="*fp32", m="i32", n="i32", k="i32"),
                      dict(M=64, N=64, K=32, PRECISION="tf32x3"), "a b c m n k", {}),
    "matmul_f32": (matmul, dict(a="*fp32", b="*fp32", c="*fp32", m="i32", n="i32", k="i32"),
                   dict(M=32, N=32, K=16, PRECISION="ieee"), "a b c m n k", {}),
    "matmul_descriptors": (matmul_descriptors, dict(a="*bf16", b="*bf16", c="*bf16", m="i32", n="i32", k="i32"),
                           dict(M=128, N=128, K=64), "a b c m n k", dict(num_warps=8, num_stages=3)),
    "matmul_specialized": (matmul_specialized, dict(a="*bf16", b="*bf16", c="*bf16", m="i32", n="i32", k="i32"),
                           dict(M=128, N=128, K=64), "a b c m n k", dict(num_warps=4, num_stages=3)),
    "attention": (attention, dict(q="*fp32", k="*fp32", v="*fp32", out="*fp32", scale="fp32", length="i32"),
                  dict(M=64, N=32, D=32), "q k v out", dict(num_stages=3)),
    "attention_bf16": (attention, dict(q="*bf16", k="*bf16", v="*bf16", out="*bf16", scale="fp32", length="i32"),
                       dict(M=128, N=64, D=64), "q k v out length", dict(num_stages=3)),
    "row_sums": (row_sums, dict(x="*fp32", out="*fp32", columns="i32"), dict(M=32, N=128), "x out columns", {}),
    "running_sums": (running_sums, dict(x="*fp32", out="*fp32"), dict(M=8, N=32), "x out", {}),
    "counts": (counts, dict(x="*i32", bins="*i32", highest="*i32", n="i32"), dict(SIZE=128), "x bins highest", {}),
    "matmul_i8": (matmul, dict(a="*i8", b="*i8", c="*i32", m="i32", n="i32", k="i32"),
                  dict(M=32, N=32, K=32, PRECISION="ieee"), "a b c m n k", {}),
    "matmul_f16": (matmul, dict(a="*fp16", b="*fp16", c="*fp32", m="i32", n="i32", k="i32"),
                   dict(M=32, N=32, K=32, PRECISION="ieee"), "a b c", {}),
    "scaled_product": (scaled_product, dict(a="*fp8e5", a_scale="*u8", b="*fp8e5", b_scale="*u8", c="*fp32"),
                       dict(M=128, N=128, K=64), "a a_scale b b_scale c", {}),
    "instructions": (instructions, dict(x="*i32", out="*i32"), dict(SIZE=128), "x out", {}),
    "many_ops": (many_ops, dict(x="*fp32", whole="*i32", out="*fp32", n="i32"), dict(SIZE=256), "x whole out", {}),
}


# All but one: Triton 3.7.1's own passes for sm_90 end with "operation destroyed but still has uses".
COMPILED = [(name, arch) for name in sorted(KERNELS) for arch in (80, 90, 100) if (name, arch) != ("matmul_specialized", 90)]


def compile_to(name, arch, stage):
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend
    kernel, types, constants, divisible, options = KERNELS[name]
    names = kernel.arg_names
    source = ASTSource(fn=kernel, signature={**types, **{c: "constexpr" for c in constants}}, constexprs=constants,
                       attrs={(names.index(n),): [["tt.divisibility", 16]] for n in divisible.split()})
    target = GPUTarget("cuda", arch, 32)
    backend = make_backend(target)
    parsed = backend.parse_options(dict(options, debug=True))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, parsed, backend.get_codegen_implementation(parsed), backend.get_module_map(), context)
    stages, metadata = {}, dict(target=target, **parsed.__dict__)
    backend.add_stages(stages, parsed, source.language)
    for key, run in stages.items():
        module = run(module, metadata)
        if key == stage:
            return str(module)


if __name__ == "__main__":
    print(compile_to(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
