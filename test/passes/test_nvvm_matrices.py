# SPDX-License-Identifier: Apache-2.0
"""nvvm's ops on matrices of a warp, in the evaluator and as PTX: each lane computes what of the result it should hold, and says 1 where it
does. The numbers are integers that every type holds, so that no order of sums matters."""
import subprocess

import pytest
from assembler import needed_ptxas

LANES = 32


class Kernel:
    """The body of a kernel in machine form whose %ok says whether all was as it should be."""

    def __init__(self):
        self.lines, self.count, self.ok, self.known = [], 0, "%yes", {}

    def line(self, text): self.lines.append("      " + text)

    def value(self, expression):
        self.count += 1
        self.line(f"%v{self.count} = {expression}")
        return f"%v{self.count}"

    def const(self, n):
        if n not in self.known: self.known[n] = self.value(f"llvm.mlir.constant({n} : i32) : i32")
        return self.known[n]

    def op(self, name, x, y):
        x, y = (self.const(v) if isinstance(v, int) else v for v in (x, y))
        return self.value(f"llvm.{name} {x}, {y} : i32")

    def expect(self, got, want, type="i32"):
        compare = f'llvm.icmp "eq" {got}, {want} : {type}' if type[0] == "i" else f'llvm.fcmp "oeq" {got}, {want} : {type}'
        self.ok = self.value(f"llvm.and {self.ok}, {self.value(compare)} : i1")

    def program(self):
        body = "\n".join(self.lines)
        return f"""module attributes {{gpu.container_module}} {{
  func.func @main() {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant {LANES} : index
    %m = memref.alloc() : memref<{LANES}xi32, #gpu.address_space<global>>
    %at = memref.extract_aligned_pointer_as_index %m : memref<{LANES}xi32, #gpu.address_space<global>> -> index
    %word = arith.index_cast %at : index to i64
    %p = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1) args(%p : !llvm.ptr<1>)
    %h = memref.alloc() : memref<{LANES}xi32>
    gpu.memcpy %h, %m : memref<{LANES}xi32>, memref<{LANES}xi32, #gpu.address_space<global>>
    scf.for %i = %c0 to %lanes step %c1 {{
      %got = memref.load %h[%i] : memref<{LANES}xi32>
      %one = arith.constant 1 : i32
      %same = arith.cmpi eq, %got, %one : i32
      cf.assert %same, "what the lane found"
    }}
    memref.dealloc %h : memref<{LANES}xi32>
    memref.dealloc %m : memref<{LANES}xi32, #gpu.address_space<global>>
    return
  }}
  gpu.module @k {{
    llvm.mlir.global internal @w() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<128 x i32>
    llvm.func @k(%p: !llvm.ptr<1>) attributes {{gpu.kernel}} {{
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
{body}
      %said = llvm.zext {self.ok} : i1 to i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %said, %out : i32, !llvm.ptr<1>
      llvm.return
    }}
  }}
}}
"""


def shared_word(k, at): return k.value(f"llvm.getelementptr %w[{at}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32")


def pair(k, low, high): return k.op("or", low, k.op("shl", high, 16))


def matrices():
    """Four matrices of 8x8 elements of 16 bits, of which element e of all is e: read as they are, transposed, one alone; written back."""
    k, four = Kernel(), "!llvm.struct<(i32, i32, i32, i32)>"
    def attributes(count, layout): return f"{{{f'num = {count} : i32, ' if count else ''}layout = #nvvm.mma_layout<{layout}>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>}}"
    words = []
    for j in range(4):
        at = k.op("add", "%t", 32 * j)
        low = k.op("mul", at, 2)
        words.append(pair(k, low, k.op("add", low, 1)))
        k.line(f"llvm.store {words[j]}, {shared_word(k, at)} : i32, !llvm.ptr<3>")
    k.line("nvvm.barrier0")
    row = k.value("llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>")
    plain = k.value(f"nvvm.ldmatrix {row} {attributes(4, 'row')} : (!llvm.ptr<3>) -> {four}")
    turned = k.value(f"nvvm.ldmatrix {row} {attributes(4, 'col')} : (!llvm.ptr<3>) -> {four}")
    group, place = k.op("lshr", "%t", 2), k.op("and", "%t", 3)
    first = k.op("add", k.op("mul", place, 16), group)
    for j in range(4):
        k.expect(k.value(f"llvm.extractvalue {plain}[{j}] : {four}"), words[j])
        low = k.op("add", first, 64 * j)
        k.expect(k.value(f"llvm.extractvalue {turned}[{j}] : {four}"), pair(k, low, k.op("add", low, 8)))
    k.expect(k.value(f"nvvm.ldmatrix {row} {attributes(1, 'row')} : (!llvm.ptr<3>) -> i32"), words[0])
    k.line("nvvm.barrier0")
    k.line(f"nvvm.stmatrix {row}, {words[1]}, {words[0]} {attributes(0, 'row')} : !llvm.ptr<3>, i32, i32")
    k.line("nvvm.barrier0")
    k.expect(k.value(f"llvm.load {shared_word(k, '%t')} : !llvm.ptr<3> -> i32"), words[1])
    return k.program()


def packed(k, elements, type):
    """A register of |elements|, i32 values."""
    if type == "s8":
        word = k.const(0)
        for i, x in enumerate(elements): word = k.op("or", word, k.op("shl", k.op("and", x, 255), 8 * i))
        return word
    numbers = [k.value(f"llvm.sitofp {x} : i32 to {'f32' if type == 'tf32' else type}") for x in elements]
    if type == "f64": return numbers[0]
    if type == "tf32": return k.value(f"llvm.bitcast {numbers[0]} : f32 to i32")
    vector = k.value(f"llvm.mlir.poison : vector<2x{type}>")
    for i, x in enumerate(numbers): vector = k.value(f"llvm.insertelement {x}, {vector}[{k.const(i)} : i32] : vector<2x{type}>")
    return vector if type == "f16" else k.value(f"llvm.bitcast {vector} : vector<2x{type}> to i32")


def product(m, depth, type, total):
    """A of r - k by B of k + 2 c, beside C of r c."""
    k = Kernel()
    per_word = {"s8": 4, "f16": 2, "bf16": 2, "tf32": 1, "f64": 1}[type]
    rows, steps = m // 8, depth // (4 * per_word)
    group, place = k.op("lshr", "%t", 2), k.op("and", "%t", 3)
    def depth_of(step, i): return k.op("add", k.op("mul", place, per_word), 4 * per_word * step + i)
    def row_of(r): return k.op("add", group, 8 * r)
    a = [packed(k, [k.op("sub", row_of(r % rows), depth_of(r // rows, i)) for i in range(per_word)], type) for r in range(rows * steps)]
    b = [packed(k, [k.op("add", depth_of(r, i), k.op("mul", group, 2)) for i in range(per_word)], type) for r in range(steps)]
    ones, squares = sum(range(depth)), sum(x * x for x in range(depth))
    c, want = [], []
    def number(x): return x if total == "i32" else k.value(f"llvm.sitofp {x} : i32 to {total}")
    for e in range(2 * rows):
        r, column = row_of(e // 2), k.op("add", k.op("mul", place, 2), e % 2)
        area = k.op("mul", r, column)
        sums = k.op("sub", k.op("mul", r, ones), k.op("mul", column, 2 * ones))
        c.append(number(area))
        want.append(number(k.op("sub", k.op("add", k.op("mul", area, 2 * depth + 1), sums), squares)))
    held = total
    if total == "f16":
        held = "vector<2xf16>"
        for i in range(2):
            vector = k.value(f"llvm.mlir.poison : {held}")
            for j in range(2): vector = k.value(f"llvm.insertelement {c[i + j]}, {vector}[{k.const(j)} : i32] : {held}")
            c[i:i + 2] = [vector]
    register = {"f16": "vector<2xf16>", "f64": "f64"}.get(type, "i32")
    types = "" if type in ("f16", "f64") else f"multiplicandAPtxType = #nvvm.mma_type<{type}>, multiplicandBPtxType = #nvvm.mma_type<{type}>, "
    wraps = "intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, " if type == "s8" else ""
    given = f"!llvm.struct<({', '.join([held] * len(c))})>"
    d = k.value(f"nvvm.mma.sync A[{', '.join(a)}] B[{', '.join(b)}] C[{', '.join(c)}] {{{wraps}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, {types}"
                f"shape = #nvvm.shape<m = {m}, n = 8, k = {depth}>}} : ({register}, {register}, {held}) -> {given}")
    for e in range(2 * rows):
        got = k.value(f"llvm.extractvalue {d}[{e // 2 if total == 'f16' else e}] : {given}")
        if total == "f16": got = k.value(f"llvm.extractelement {got}[{k.const(e % 2)} : i32] : {held}")
        k.expect(got, want[e], total)
    return k.program()


PRODUCTS = [(16, 16, "f16", "f32"), (16, 8, "f16", "f32"), (16, 8, "f16", "f16"), (16, 16, "bf16", "f32"), (16, 8, "bf16", "f32"),
            (16, 8, "tf32", "f32"), (16, 4, "tf32", "f32"), (16, 32, "s8", "i32"), (16, 16, "s8", "i32"), (8, 16, "s8", "i32"), (8, 4, "f64", "f64")]
PROGRAMS = {"matrices": matrices(), **{f"m{m}k{k}-{type}-{total}": product(m, k, type, total) for m, k, type, total in PRODUCTS}}


@pytest.mark.parametrize("name", PROGRAMS)
def test_lanes_hold_what_they_should(name, heddle, tmp_path):
    (tmp_path / "program.mlir").write_text(PROGRAMS[name])
    heddle("check", tmp_path / "program.mlir", check=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_ptx_assembles(name, build, tmp_path):
    """For sm_90, which has all of them."""
    (tmp_path / "program.mlir").write_text(PROGRAMS[name])
    done = subprocess.run([f"{build}/bin/heddle-opt", tmp_path / "program.mlir", "--emit-ptx=90", "-o", tmp_path / "kernel.ptx"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "kernel.ptx").read_text()
    assert ("mma.sync" if name != "matrices" else "ldmatrix.sync") in text
    done = subprocess.run([needed_ptxas(build), "-arch=sm_90", tmp_path / "kernel.ptx", "-o", tmp_path / "kernel.cubin"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
