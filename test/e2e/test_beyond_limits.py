# SPDX-License-Identifier: Apache-2.0
"""One step past each fixed limit (the table in docs/design.md): a result like the evaluator's, since the limit is planned for, or a located error."""
import os
import re
import subprocess

import pytest

pytestmark = pytest.mark.usefixtures("compiler")


def chain(count, step, size="tensor<6x8x9xf32>", row="tensor<6x8xf32>"):
    """Reductions of rows, each of what the one before gave."""
    lines = [f"func.func @main(%v0: {size}) -> {size} {{", "  %z = stablehlo.constant dense<0.0> : tensor<f32>"]
    for i in range(count):
        lines.append(f"""  %r{i} = stablehlo.reduce(%v{i} init: %z) applies stablehlo.add across dimensions = [2] : ({size}, tensor<f32>) -> {row}
  %b{i} = stablehlo.broadcast_in_dim %r{i}, dims = [0, 1] : ({row}) -> {size}
  %s{i} = stablehlo.{step} %b{i} : {size}
  %v{i + 1} = stablehlo.add %v{i}, %s{i} : {size}""")
    return "\n".join(lines) + f"\n  return %v{count} : {size}\n}}\n"


def beside(count):
    """Reductions of the same rows, none of which needs another."""
    lines = ["func.func @main(%x: tensor<6x9xf32>) -> tensor<6xf32> {", "  %z = stablehlo.constant dense<0.0> : tensor<f32>"]
    for i in range(count):
        lines.append(f"""  %c{i} = stablehlo.constant dense<{i + 1}.0> : tensor<6x9xf32>
  %m{i} = stablehlo.multiply %x, %c{i} : tensor<6x9xf32>
  %e{i} = stablehlo.sine %m{i} : tensor<6x9xf32>
  %r{i} = stablehlo.reduce(%e{i} init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x9xf32>, tensor<f32>) -> tensor<6xf32>""")
        lines.append(f"  %t{i} = stablehlo.add {f'%t{i - 1}' if i else '%r0'}, %r{i} : tensor<6xf32>")
    return "\n".join(lines) + f"\n  return %t{count - 1} : tensor<6xf32>\n}}\n"


def elementwise(count):
    lines = [f"  %v{i + 1} = stablehlo.sine %v{i} : tensor<?xf32>" for i in range(count)]
    return "func.func @main(%v0: tensor<?xf32>) -> tensor<?xf32> {\n" + "\n".join(lines) + f"\n  return %v{count} : tensor<?xf32>\n}}\n"


def concatenate(count):
    names = [f"%v{i}" for i in range(count)]
    lines = [f"  {n} = stablehlo.slice %x [{i}:{i + 2}] : (tensor<{count + 2}xf32>) -> tensor<2xf32>" for i, n in enumerate(names)]
    types = ", ".join(["tensor<2xf32>"] * count)
    return (f"func.func @main(%x: tensor<{count + 2}xf32>) -> tensor<{2 * count}xf32> {{\n" + "\n".join(lines) +
            f"\n  %r = stablehlo.concatenate {', '.join(names)}, dim = 0 : ({types}) -> tensor<{2 * count}xf32>\n  return %r : tensor<{2 * count}xf32>\n}}\n")


def variadic_reduce(count):
    """Sums of |count| tensors at once, by one region."""
    args, ins, outs = (", ".join(f"%{k}{i}{t}" for i in range(count)) for k, t in (("x", ": tensor<4x5xf32>"), ("x", ""), ("o", "")))
    block = ", ".join([f"%p{i}: tensor<f32>" for i in range(count)] + [f"%q{i}: tensor<f32>" for i in range(count)])
    body = "\n".join(f"    %s{i} = stablehlo.add %p{i}, %q{i} : tensor<f32>" for i in range(count))
    types, rows = ", ".join(["tensor<4x5xf32>"] * count), ", ".join(["tensor<4xf32>"] * count)
    return (f"func.func @main({args}) -> ({rows}) {{\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
            f'  %r:{count} = "stablehlo.reduce"({ins}, {", ".join(["%z"] * count)}) <{{dimensions = array<i64: 1>}}> ({{\n  ^bb0({block}):\n'
            + body
            + f"\n    stablehlo.return {', '.join(f'%s{i}' for i in range(count))} : {', '.join(['tensor<f32>'] * count)}\n  }}) : ({types}, {', '.join(['tensor<f32>'] * count)}) -> ({rows})\n"
            f"  return {', '.join(f'%r#{i}' for i in range(count))} : {rows}\n}}\n")


def variadic_window(count):
    """Windows of |count| tensors at once, longer than a loop over them pays."""
    args = ", ".join(f"%x{i}: tensor<300xf32>" for i in range(count))
    block = ", ".join([f"%p{i}: tensor<f32>" for i in range(count)] + [f"%q{i}: tensor<f32>" for i in range(count)])
    body = "\n".join(f"    %s{i} = stablehlo.maximum %p{i}, %q{i} : tensor<f32>" for i in range(count))
    types, scalars = ", ".join(["tensor<300xf32>"] * count), ", ".join(["tensor<f32>"] * count)
    return (f"func.func @main({args}) -> ({types}) {{\n  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
            f'  %r:{count} = "stablehlo.reduce_window"({", ".join(f"%x{i}" for i in range(count))}, {", ".join(["%z"] * count)}) <{{window_dimensions = array<i64: 300>, '
            f"padding = dense<[[299, 0]]> : tensor<1x2xi64>}}> ({{\n  ^bb0({block}):\n{body}\n    stablehlo.return {', '.join(f'%s{i}' for i in range(count))} : {scalars}\n"
            f"  }}) : ({types}, {scalars}) -> ({types})\n  return {', '.join(f'%r#{i}' for i in range(count))} : {types}\n}}\n")


def mapped(count):
    """A computation on |count| tensors, element by element."""
    args = ", ".join(f"%x{i}: tensor<7xf32>" for i in range(count))
    body = "\n".join(f"    %s{i + 1} = stablehlo.add %s{i}, %p{i + 1} : tensor<f32>" for i in range(count - 1)).replace("%s0,", "%p0,")
    return (f"func.func @main({args}) -> tensor<7xf32> {{\n"
            f'  %r = "stablehlo.map"({", ".join(f"%x{i}" for i in range(count))}) <{{dimensions = array<i64: 0>}}> ({{\n'
            f"  ^bb0({', '.join(f'%p{i}: tensor<f32>' for i in range(count))}):\n{body}\n    stablehlo.return %s{count - 1} : tensor<f32>\n"
            f"  }}) : ({', '.join(['tensor<7xf32>'] * count)}) -> tensor<7xf32>\n  return %r : tensor<7xf32>\n}}\n")


def gather(rank):
    """A gather whose result has |rank| dims, most of them 1."""
    ones = "1x" * (rank - 1)
    sizes = ", ".join(["1"] * rank)
    return (f"func.func @main(%x: tensor<5x{'1x' * (rank - 1)}f32>) -> tensor<3x{ones}f32> {{\n  %i = stablehlo.constant dense<[[4], [0], [2]]> : tensor<3x1xi32>\n"
            f'  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = {list(range(1, rank))}, collapsed_slice_dims = [0], '
            f"start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: {sizes}>}}> : (tensor<5x{'1x' * (rank - 1)}f32>, tensor<3x1xi32>) -> tensor<3x{ones}f32>\n"
            f"  return %r : tensor<3x{ones}f32>\n}}\n")


def ranked(rank):
    size = "tensor<" + "1x" * (rank - 1) + "5xf32>"
    return f"func.func @main(%x: {size}) -> {size} {{\n  %0 = stablehlo.sine %x : {size}\n  return %0 : {size}\n}}\n"


def sort(count):
    types, scalars = ", ".join(["tensor<9xf32>"] * count), ", ".join(f"%p{i}: tensor<f32>, %q{i}: tensor<f32>" for i in range(count))
    return (f"func.func @main({', '.join(f'%x{i}: tensor<9xf32>' for i in range(count))}) -> ({types}) {{\n"
            f'  %r:{count} = "stablehlo.sort"({", ".join(f"%x{i}" for i in range(count))}) <{{dimension = 0 : i64, is_stable = true}}> ({{\n  ^bb0({scalars}):\n'
            f"    %c = stablehlo.compare LT, %p0, %q0 : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  }}) : ({types}) -> ({types})\n"
            f"  return {', '.join(f'%r#{i}' for i in range(count))} : {types}\n}}\n")


def convolution(spatial):
    dims, ones = "x".join(["4"] * spatial), ", ".join(["1"] * spatial)
    names = ", ".join(map(str, range(spatial)))
    kernel = "x".join(["2"] * spatial)
    out = "x".join(["3"] * spatial)
    return (f"func.func @main(%x: tensor<2x{dims}x3xf32>, %w: tensor<{kernel}x3x5xf32>) -> tensor<2x{out}x5xf32> {{\n"
            f"  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, {names}, f]x[{names}, i, o]->[b, {names}, f], window = {{stride = [{ones}]}} "
            f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<2x{dims}x3xf32>, tensor<{kernel}x3x5xf32>) -> tensor<2x{out}x5xf32>\n"
            f"  return %r : tensor<2x{out}x5xf32>\n}}\n")


def shape_sizes(count):
    """A result with |count| dims of unknown sizes, whose product is one expression."""
    size = "tensor<" + "?x" * count + "f32>"
    return f"func.func @main(%x: {size}) -> {size} {{\n  %c = stablehlo.sine %x : {size}\n  return %c : {size}\n}}\n"


def nested_branches(depth):
    text = "%x"
    lines, ends = [], []
    for i in range(depth):
        lines.append(f"  %r{i} = \"stablehlo.if\"(%p) ({{")
        ends.append(f"    stablehlo.return %r{i + 1} : tensor<f32>\n  }}, {{\n    stablehlo.return %x : tensor<f32>\n  }}) : (tensor<i1>) -> tensor<f32>")
    inner = f"  %r{depth} = stablehlo.sine {text} : tensor<f32>"
    return "func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {\n" + "\n".join([*lines, inner, *reversed(ends)]) + "\n  return %r0 : tensor<f32>\n}\n"


HUGE = """func.func @main() -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<1099511627776x1099511627776xi32>
  %r = stablehlo.reduce(%i init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<1099511627776x1099511627776xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
"""

# what is beyond: (the limit, where it is, a program past it)
PLANNED = {
    "stages, one more": ("fuse/limits.c: MAX_STAGES", chain(9, "tanh")),
    "stages, as in a report": ("fuse/limits.c: MAX_STAGES", chain(20, "tanh")),
    "stages, five times": ("fuse/limits.c: MAX_STAGES", chain(41, "tanh")),
    "reductions beside each other": ("row_kernel.c: as many as there are", beside(17)),
    "many of them": ("row_kernel.c: as many as there are", beside(40)),
    "ops of a kernel": ("fuse/limits.c: MAX_GROUP_OPS", elementwise(121)),
    "operands of a concatenate": ("disc-split-large-ops max-operands", concatenate(9)),
    "many operands": ("disc-split-large-ops max-operands", concatenate(300)),
    "tensors of a reduction": ("hd_hlo_apply, reduce.c", variadic_reduce(17)),
    "tensors of a window": ("expand_called.c: MAX_INPUTS", variadic_window(9)),
    "tensors of a map": ("hd_hlo_apply", mapped(9)),
    "many of a map": ("hd_hlo_apply", mapped(40)),
    "tensors of a sort": ("sort_kernel.c", sort(17)),
    "dims of a gather": ("generate_ops.c", gather(17)),
    "dims at the bound": ("ir/types.h: HD_MAX_RANK", ranked(64)),
    "factors of a size": ("shape/dim.c: MAX_SIZE", shape_sizes(64)),
    "branches in branches": ("shape/control.c: MAX_DEPTH", nested_branches(6)),
    "spatial dims": ("conv.h: HD_CONV_MAX_SPATIAL", convolution(3)),
}
REFUSED = {
    "dims beyond the bound": ("ir/types.h: HD_MAX_RANK", ranked(65), "64"),
    "spatial dims": ("conv.h: HD_CONV_MAX_SPATIAL", convolution(4), None),
    "bytes": ("2^56 bytes", HUGE, "has more than 2^56 bytes: 1099511627776x1099511627776"),
    "branches beyond the bound": ("text/parser.h: HD_TEXT_NESTING", nested_branches(600), "nesting is deeper than 512"),
}


@pytest.mark.parametrize("name", PLANNED)
def test_planned(heddle, tmp_path, name):
    (tmp_path / "p.mlir").write_text(PLANNED[name][1])
    unknown = PLANNED[name][1].split("->")[0].count("?")
    dims = ["--shape", "arg0=" + "x".join(["7"] + ["1"] * (unknown - 1))] if unknown else []
    done = heddle("run", tmp_path / "p.mlir", "--random", 1, "--no-cache", "--reference=eval", *dims, timeout=120)
    assert done.returncode == 0, done.stderr[-800:]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(build, tmp_path, name):
    """An error at a line, or (for what has another way) the evaluator's result; never a crash."""
    where, text, words = REFUSED[name]
    (tmp_path / "p.mlir").write_text(text)
    done = subprocess.run([os.path.join(build, "bin", "heddle"), "run", "p.mlir", "--random", "1", "--no-cache", "--reference=eval"], capture_output=True, text=True,
                          timeout=120, cwd=tmp_path)
    if words is None and done.returncode == 0: return
    assert done.returncode == 1 and re.search(r"p\.mlir:\d+:\d+: error: ", done.stderr) and (words or "") in done.stderr, (where, done.returncode, done.stderr[-600:])


OUTER = """func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<i32> {
  %xs = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %ys = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %x1 = stablehlo.reshape %xs : (tensor<i32>) -> tensor<1xi32>
  %y1 = stablehlo.reshape %ys : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %x1, %y1, %x1, %y1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<4xi32>) -> tensor<?x?x?x?xi32>
"""
GIVEN = """func.func @main(%s: tensor<2xi64>) -> tensor<i32> {
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
"""
FLAT = """  %f = stablehlo.reshape %i : (tensor<SIZES>) -> tensor<?xi32>
  %c = stablehlo.constant dense<-7> : tensor<i32>
  %m = stablehlo.reduce(%f init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %m : tensor<i32>
}
"""


@pytest.mark.parametrize("big", [False, True], ids=["small", "2^64"])
@pytest.mark.parametrize("name", ["dims", "data"])
def test_elements_of_what_no_memory_holds(heddle, tmp_path, name, big):
    """A tensor that is only computed where it is read has no allocation that would refuse 2^64 elements, which count as 0."""
    numpy = pytest.importorskip("numpy")
    inputs = {"dims": [numpy.zeros(65536 if big else 5, numpy.int32)] * 2, "data": [numpy.array([2**32, 2**32] if big else [5, 7])]}[name]
    numpy.savez(tmp_path / "in.npz", **{f"arg{i}": x for i, x in enumerate(inputs)})
    head, sizes = {"dims": (OUTER, "?x?x?x?xi32"), "data": (GIVEN, "?x?xi32")}[name]
    (tmp_path / "p.mlir").write_text(head + FLAT.replace("SIZES", sizes))
    done = heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--no-cache", "--timeout", 60, *([] if big else ["--reference=eval"]))
    assert done.returncode == (1 if big else 0), done.stderr
    assert not big or re.search(r"p\.mlir:\d+:\d+: the number of elements of a tensor overflows", done.stderr), done.stderr


@pytest.mark.parametrize("name, dims, axes", [("rows", ["?", "?"], [1, 2]), ("a known size outside", [str(2**45), "?"], [1, 2]), ("columns", ["?", "?"], [0, 1])])
def test_nests_without_elements(heddle, tmp_path, name, dims, axes):
    """Loops over [2^45, 0] do not count to 2^45, whatever their body is: here one with loops of its own."""
    numpy = pytest.importorskip("numpy")
    kept = ({0, 1, 2} - set(axes)).pop()
    sizes = [*dims[:kept], "5", *dims[kept:]]
    x, at = "tensor<" + "x".join(sizes) + "xf32>", iter([2**45, 0])
    numpy.savez(tmp_path / "in.npz", arg0=numpy.array([5 if i == kept else next(at) for i in range(3)]))
    (tmp_path / "p.mlir").write_text(f"""func.func @main(%s: tensor<3xi64>) -> tensor<5xf32> {{
  %i = stablehlo.dynamic_iota %s, dim = {kept} : (tensor<3xi64>) -> {x}
  %y = stablehlo.sine %i : {x}
  %z = stablehlo.constant dense<3.0> : tensor<f32>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = {axes} : ({x}, tensor<f32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}}""")
    done = heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--no-cache", "--timeout", 60, "--reference=eval")
    assert done.returncode == 0, done.stderr


SCATTER = """func.func @main(%s: tensor<2xi64>, %x: tensor<5xf32>) -> tensor<5xf32> {
  %n = stablehlo.slice %s [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %is = stablehlo.concatenate %n, %zero, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %i = stablehlo.dynamic_iota %is, dim = 0 : (tensor<2xi64>) -> tensor<?x0xi32>
  %u0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  %u = stablehlo.sine %u0 : tensor<?x?xf32>
  %r = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.KIND %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [], index_vector_dim = 1>} : (tensor<5xf32>, tensor<?x0xi32>, tensor<?x?xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
"""


@pytest.mark.parametrize("kind", ["add", "subtract"])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_updates_without_elements(heddle, tmp_path, target, kind):
    """Nor do a scatter's loops over updates, or those of a kernel that writes [2^45, 0]."""
    numpy = pytest.importorskip("numpy")
    (tmp_path / "p.mlir").write_text(SCATTER.replace("KIND", kind))
    for sizes in ([2**45, 0], [3, 5]):
        numpy.savez(tmp_path / "in.npz", arg0=numpy.array(sizes), arg1=numpy.arange(5, dtype=numpy.float32))
        done = heddle("run", tmp_path / "p.mlir", "--inputs", tmp_path / "in.npz", "--no-cache", "--timeout", 60, "--reference=eval", "--target", target)
        assert done.returncode == 0, done.stderr
