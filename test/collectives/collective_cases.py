# SPDX-License-Identifier: Apache-2.0
"""Programs with collectives, as one process sees them, and around them a program that runs all processes on the evaluator."""
import dataclasses

import numpy as np

NAMES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "uint8": "ui8", "bool": "i1", "bfloat16": "bf16", "float16": "f16", "complex64": "complex<f32>",
         "int8": "i8"}


@dataclasses.dataclass
class Case:
    """|ops|: lines from %x to %r; |partitions| of a replica."""
    ops: str
    shape: tuple
    result: tuple
    dtype: type = np.float32
    processes: int = 4
    partitions: int = 1
    dynamic: bool = True
    result_dtype: type = None
    tolerance: float = 0  # where fused kernels round less often than the evaluator

    def tensor(self, shape, dtype=None, dynamic=None):
        dims = "".join(("?" if (self.dynamic if dynamic is None else dynamic) else str(d)) + "x" for d in shape)
        return f"tensor<{dims}{NAMES[np.dtype(dtype or self.dtype).name]}>"

    def function(self, name, dynamic=None):
        x, r = self.tensor(self.shape, None, dynamic), self.tensor(self.result, self.result_dtype, dynamic)
        e = f"tensor<{NAMES[np.dtype(self.dtype).name]}>"
        text = self.ops.replace("$X", x).replace("$R", r).replace("$E", e)
        return f"func.func {name}(%x: {x}) -> {r} {{\n{text}\n  return %r : {r}\n}}"

    def program(self):
        return f"module @m attributes {{mhlo.num_partitions = {self.partitions} : i32, mhlo.num_replicas = {self.processes // self.partitions} : i32}} {{\n{self.function('@main')}\n}}"

    def parallel(self):
        """@main of all processes' arguments, for the evaluator, whose programs have no dims that are not known."""
        n, x, r = self.processes, self.tensor(self.shape, None, False), self.tensor(self.result, self.result_dtype, False)
        rows = ", ".join("[" + ", ".join(["@p"] * self.partitions) + "]" for _ in range(n // self.partitions))
        args = ", ".join(f"%a{i}" for i in range(n))
        return (f"module @m {{\n{self.function('private @p', False)}\nfunc.func @main({', '.join(f'%a{i}: {x}' for i in range(n))}) -> ({', '.join([r] * n)}) {{\n"
                f"  %o:{n} = \"interpreter.run_parallel\"({args}) {{programs = [{rows}]}} : ({', '.join([x] * n)}) -> ({', '.join([r] * n)})\n"
                f"  return {', '.join(f'%o#{i}' for i in range(n))} : {', '.join([r] * n)}\n}}\n}}")

    def inputs(self):
        rng = np.random.default_rng(7)
        kind = np.dtype(self.dtype).kind
        if kind == "b": return [rng.integers(0, 2, self.shape).astype(bool) for _ in range(self.processes)]
        if kind in "iu": return [rng.integers(0, 9, self.shape).astype(self.dtype) for _ in range(self.processes)]
        return [rng.standard_normal(self.shape).astype(self.dtype) for _ in range(self.processes)]


def body(op, lines=None):
    inner = lines or f"  %s = stablehlo.{op} %a, %b : $E\n"
    return f"({{\n^bb0(%a: $E, %b: $E):\n{inner}  stablehlo.return %s : $E\n}})"


def groups(rows): return f"replica_groups = dense<{rows}> : tensor<{len(rows)}x{len(rows[0]) if rows else 0}xi64>"


def channel(handle): return f", channel_handle = #stablehlo.channel_handle<handle = {handle}, type = 1>"


ALL, HALVES = [[0, 1, 2, 3]], [[0, 2], [3, 1]]
SQUARE = "  %s0 = stablehlo.multiply %a, %b : $E\n  %s = stablehlo.subtract %s0, %a : $E\n"


def reduce(rows, op="add", more="", lines=None): return f'  %r = "stablehlo.all_reduce"(%x) <{{{groups(rows)}{more}}}> {body(op, lines)} : ($X) -> $R'
def gather(rows, dim, more=""): return f'  %r = "stablehlo.all_gather"(%x) <{{all_gather_dim = {dim} : i64, {groups(rows)}{more}}}> : ($X) -> $R'
def scatter(rows, dim, more=""): return f'  %r = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = {dim} : i64, {groups(rows)}{more}}}> {body("add")} : ($X) -> $R'
def permute(pairs, more=""): return f'  %r = "stablehlo.collective_permute"(%x) <{{source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>{more}}}> : ($X) -> $R'
def broadcast(rows, more=""): return f'  %r = "stablehlo.collective_broadcast"(%x) <{{{groups(rows)}{more}}}> : ($X) -> $R'


def rooted(op, rows, root, lines=None):
    return (f'  %root = stablehlo.constant dense<{root}> : tensor<1xi32>\n  %r = "stablehlo.collective_{op}"(%x, %root) '
            + (body("add", lines) + " " if op == "reduce" else "") + f"{{has_dynamic_root, {groups(rows)}}} : ($X, tensor<1xi32>) -> $R")


def exchange(rows, split, join, more=""):
    return (f'  %r = "stablehlo.all_to_all"(%x) <{{split_dimension = {split} : i64, concat_dimension = {join} : i64, split_count = {len(rows[0])} : i64, '
            f'{groups(rows)}{more}}}> : ($X) -> $R')


def message(pairs, number=3):
    """%x sent along |pairs| and received."""
    attributes = f'channel_handle = #stablehlo.channel_handle<handle = {number}, type = 1>, source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>'
    return ('  %t = stablehlo.create_token : !stablehlo.token\n'
            f'  %s = "stablehlo.send"(%x, %t) <{{{attributes}}}> : ($X, !stablehlo.token) -> !stablehlo.token\n'
            f'  %r, %e = "stablehlo.recv"(%s) <{{{attributes}}}> : (!stablehlo.token) -> ($R, !stablehlo.token)')


GLOBAL = channel(1) + ", use_global_device_ids"
CASES = {
    "reduce": Case(reduce(ALL), (3, 5), (3, 5)),
    "reduce_static": Case(reduce(ALL), (3, 5), (3, 5), dynamic=False),
    "reduce_large": Case(reduce(ALL), (300, 257), (300, 257)),
    "reduce_scalar": Case(reduce(ALL), (), ()),
    "reduce_empty": Case(reduce(ALL), (0, 5), (0, 5)),
    "reduce_groups": Case(reduce(HALVES), (3, 5), (3, 5)),
    "reduce_max": Case(reduce(ALL, "maximum"), (7,), (7,)),
    "reduce_any": Case(reduce(ALL, "or"), (9,), (9,), dtype=bool),
    "reduce_integer": Case(reduce(ALL, "multiply"), (4, 2), (4, 2), dtype=np.int64),
    "reduce_bytes": Case(reduce(ALL), (4, 2), (4, 2), dtype=np.uint8),
    "reduce_half": Case(reduce(ALL), (33,), (33,), dtype=np.float16, tolerance=2e-3),
    "reduce_complex": Case(reduce(ALL), (5,), (5,), dtype=np.complex64),
    "reduce_own": Case(reduce(ALL, lines=SQUARE), (6,), (6,), tolerance=1e-6),
    "reduce_both": Case(reduce([[0], [1]], more=channel(1)), (3, 5), (3, 5), partitions=2),
    "reduce_flattened": Case(reduce([[0, 3], [1, 2]], more=GLOBAL), (3, 5), (3, 5), partitions=2),
    "reduce_partitions": Case(reduce(ALL, more=GLOBAL), (3, 5), (3, 5), partitions=4),
    "reduce_replicas": Case(reduce([[0, 1]]), (3, 5), (3, 5), partitions=2),
    "gather": Case(gather(ALL, 0), (3, 5), (12, 5)),
    "gather_last": Case(gather(ALL, 1), (3, 5), (3, 20)),
    "gather_middle": Case(gather(HALVES, 1), (2, 3, 4), (2, 6, 4)),
    "gather_partitions": Case(gather([[0, 1, 2, 3]], 1, GLOBAL), (3, 5), (3, 20), partitions=4),
    "scatter": Case(scatter(ALL, 0), (8, 3), (2, 3)),
    "scatter_last": Case(scatter(ALL, 1), (3, 8), (3, 2)),
    "scatter_groups": Case(scatter(HALVES, 1), (3, 8), (3, 4), dtype=np.float64),
    "exchange": Case(exchange(ALL, 0, 0), (8, 3), (8, 3)),
    "exchange_turned": Case(exchange(ALL, 1, 0), (3, 8), (12, 2)),
    "exchange_back": Case(exchange(ALL, 0, 1), (8, 3), (2, 12)),
    "exchange_groups": Case(exchange(HALVES, 2, 1), (2, 3, 4), (2, 6, 2), dtype=np.int32),
    "exchange_partitions": Case(exchange(ALL, 1, 0, channel(1)), (3, 8), (12, 2), partitions=4),
    "permute_ring": Case(permute([[0, 1], [1, 2], [2, 3], [3, 0]]), (3, 5), (3, 5)),
    "permute_some": Case(permute([[0, 2], [3, 3]]), (3, 5), (3, 5)),
    "permute_partitions": Case(permute([[0, 1], [1, 0]], channel(1)), (3, 5), (3, 5), partitions=2),
    "broadcast": Case(broadcast([[2, 0, 1]]), (3, 5), (3, 5)),
    "broadcast_groups": Case(broadcast([[2, 0], [1, 3]]), (3, 5), (3, 5), dtype=np.int8),
    "message_ring": Case(message([[0, 1], [1, 2], [2, 3], [3, 0]]), (3, 5), (3, 5), dynamic=False),
    "message_some": Case(message([[0, 2], [3, 3]]), (3, 5), (3, 5), dynamic=False, dtype=np.int64),
    "message_partitions": Case(message([[0, 1], [1, 0]]), (7,), (7,), dynamic=False, partitions=2),
    "message_large": Case(message([[0, 3], [3, 0], [2, 1]]), (300, 257), (300, 257), dynamic=False, dtype=np.float64),
    "message_empty": Case(message([[0, 3], [2, 1]]), (0, 5), (0, 5), dynamic=False),
    "async": Case('  %0 = "stablehlo.async_start"(%x) ({\n^bb0(%y: $X):\n' + reduce(ALL).replace("(%x)", "(%y)").replace("%r", "%z")
                  + '\n  "stablehlo.return"(%z) : ($X) -> ()\n}) : ($X) -> !stablehlo.future<$X>\n  %r = "stablehlo.async_done"(%0) : (!stablehlo.future<$X>) -> $X', (3, 5), (3, 5)),
    "reduce_uneven": Case(reduce([[0, 1, 3], [2, -1, -1]]), (3, 5), (3, 5)),
    "reduce_uneven_max": Case(reduce([[0, 2], [3, -1], [1, -1]], "maximum"), (3, 5), (3, 5), dtype=np.int32),
    "reduce_uneven_min": Case(reduce([[3, 0, 1], [-1, 2, -1]], "minimum"), (7,), (7,)),
    "reduce_uneven_product": Case(reduce([[0], [1], [2], [3]], "multiply"), (7,), (7,), dtype=np.int64),
    "reduce_uneven_own": Case(reduce([[3, -1, 1, 0], [2, -1, -1, -1]], lines=SQUARE), (6,), (6,), tolerance=1e-6),
    "reduce_uneven_half": Case(reduce([[0, 1, 3], [2, -1, -1]]), (33,), (33,), dtype=np.float16, tolerance=2e-3),
    "reduce_uneven_empty": Case(reduce([[0, 1, 3], [2, -1, -1]]), (0, 5), (0, 5)),
    "reduce_uneven_both": Case(reduce([[2, 0], [1, -1]], more=channel(1)), (3, 5), (3, 5), processes=6, partitions=2),
    "reduce_uneven_flattened": Case(reduce([[0, 3, 1], [2, -1, -1]], more=GLOBAL), (3, 5), (3, 5), partitions=2),
    "reduce_uneven_partitions": Case(reduce([[0, 3, 1], [2, -1, -1]], more=GLOBAL), (3, 5), (3, 5), partitions=4),
    "broadcast_uneven": Case(broadcast([[2, 0], [1, -1]]), (3, 5), (3, 5)),
    "broadcast_uneven_root": Case(rooted("broadcast", [[-1, 2, 0, 3], [1, -1, -1, -1]], 0), (3, 5), (3, 5), dynamic=False),
    "reduce_to_root": Case(rooted("reduce", [[0, 2, 1]], 1), (3, 5), (3, 5), dynamic=False),
    "reduce_to_root_uneven": Case(rooted("reduce", [[0, -1, 3], [2, -1, -1]], 0), (3, 5), (3, 5), dynamic=False),
    "reduce_to_root_uneven_own": Case(rooted("reduce", [[3, 0, 1], [2, -1, -1]], 0, SQUARE), (6,), (6,), dynamic=False, tolerance=1e-6),
    "sum_uneven": Case('  %r = "mhlo.cross-replica-sum"(%x) {' + groups([[0, 1, 3], [2, -1, -1]]) + "} : ($X) -> $R", (3, 5), (3, 5)),
    "replica": Case("  %r = stablehlo.replica_id : tensor<ui32>".replace("tensor<ui32>", "$R"), (2,), (), result_dtype=np.uint32),
    "partition": Case("  %r = stablehlo.partition_id : $R", (2,), (), result_dtype=np.uint32, partitions=2),
    "in_turn": Case('  %0 = stablehlo.multiply %x, %x : $X\n  %1 = "stablehlo.all_reduce"(%0) <{' + groups(ALL) + "}> " + body("add") + " : ($X) -> $X\n"
                    "  %2 = stablehlo.tanh %1 : $X\n  %3 = stablehlo.add %2, %x : $X\n" + gather(ALL, 0).replace("(%x)", "(%3)"), (3, 5), (12, 5), tolerance=1e-5),
}
NAMES["uint32"] = "ui32"
