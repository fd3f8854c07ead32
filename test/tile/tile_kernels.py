# SPDX-License-Identifier: Apache-2.0
"""Kernels in Triton's language, and the programs of tt ops that Triton makes of them."""
import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, stride, rows, columns, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        at = tl.arange(0, BLOCK)
        values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
        values = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * stride + at, values / tl.sum(values, axis=0), mask=at < columns)


@triton.jit
def row_sums(x, out, columns, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    pointers = x + rows[:, None] * stride + tl.arange(0, COLUMNS)[None, :]
    sums = tl.zeros([ROWS], dtype=tl.float32)
    for first in range(0, columns, COLUMNS):
        sums += tl.sum(tl.load(pointers, mask=first + tl.arange(0, COLUMNS)[None, :] < columns, other=0.0), axis=1)
        pointers += COLUMNS
    tl.store(out + rows, sums)


@triton.jit
def matmul(a, b, c, m, n, k, stride_a, stride_b, stride_c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    program = tl.program_id(0)
    in_group = GROUP * tl.cdiv(n, N)
    first = program // in_group * GROUP
    size = min(tl.cdiv(m, M) - first, GROUP)
    row, column = first + program % in_group % size, program % in_group // size
    rows, columns, depth = (row * M + tl.arange(0, M)) % m, (column * N + tl.arange(0, N)) % n, tl.arange(0, K)
    at_a, at_b = a + rows[:, None] * stride_a + depth[None, :], b + depth[:, None] * stride_b + columns[None, :]
    sums = tl.zeros((M, N), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, K)):
        sums += tl.dot(tl.load(at_a, mask=depth[None, :] < k - i * K, other=0.0), tl.load(at_b, mask=depth[:, None] < k - i * K, other=0.0))
        at_a += K
        at_b += K * stride_b
    rows, columns = row * M + tl.arange(0, M), column * N + tl.arange(0, N)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], sums, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def shuffle(x, out, n, BLOCK: tl.constexpr):
    """Index arithmetic of all kinds."""
    at = tl.arange(0, BLOCK)
    tile, inside = at // 16, at % 16
    swizzled = tile * 16 + (inside ^ (tile % 4 * 4))
    turned = (at >> 3) + ((at & 7) << 4)
    chosen = tl.where(tile % 2 == 0, swizzled, turned)
    tl.store(out + chosen, tl.load(x + tl.minimum(chosen, n) + tl.maximum(tile * 8, 16)))


POINTER, NUMBER = "*fp32", "i32"
KERNELS = {
    "add": (add, [POINTER] * 3 + [NUMBER], {"BLOCK": 1024}),
    "softmax": (softmax, [POINTER] * 2 + [NUMBER] * 3, {"BLOCK": 2048}),
    "row_sums": (row_sums, [POINTER] * 2 + [NUMBER] * 2, {"ROWS": 32, "COLUMNS": 128}),
    "matmul": (matmul, [POINTER] * 3 + [NUMBER] * 6, {"M": 64, "N": 128, "K": 32, "GROUP": 8}),
    "shuffle": (shuffle, [POINTER] * 2 + [NUMBER], {"BLOCK": 256}),
}


def programs():
    """Name -> text; pointers and every second number are divisible by 16."""
    texts = {}
    for name, (function, kinds, constants) in KERNELS.items():
        names = function.arg_names
        divisible = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(kinds) if kind == POINTER or i % 2}
        source = ASTSource(fn=function, signature={**dict(zip(names, kinds)), **dict.fromkeys(constants, "constexpr")},
                           constexprs={(names.index(c),): v for c, v in constants.items()}, attrs=divisible)
        target = GPUTarget("cuda", 80, 32)
        backend, stages, context = make_backend(target), {}, ir.context()
        options = backend.parse_options({})
        ir.load_dialects(context)
        backend.load_dialects(context)
        module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
        backend.add_stages(stages, options, source.language)
        texts[name] = stages["ttir"](module, {"target": target, **options.__dict__}).str_nodebug()
    return texts
