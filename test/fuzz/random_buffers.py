# SPDX-License-Identifier: Apache-2.0
"""Random programs on buffers: memrefs of known and unknown sizes, buffers freed early, written twice or in place, allocations
sized by temporaries, fusions by hand, loads and sums of the host."""
import random
import re

import numpy as np

UNARY = ["abs", "negate", "exponential", "tanh", "floor", "sign"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum"]


class Buffer:
    def __init__(self, name, dims, known):
        self.name, self.dims, self.known = name, tuple(dims), tuple(known)  # sizes of the run, and which of them the type says
        self.written = self.freed = False

    @property
    def type(self):
        return "memref<" + "".join(f"{d if k else '?'}x" for d, k in zip(self.dims, self.known)) + "f32>"


class Program:
    """A function @main: arguments, a body, what it returns."""

    def __init__(self, seed):
        self.r, self.lines, self.buffers, self.count, self.indices = random.Random(seed), [], [], 0, {}
        self.args = []
        for k in range(self.r.randint(1, 3)):
            dims = [self.r.choice([1, 2, 3, 4, 5, 8]) for _ in range(self.r.randint(1, 3))]
            buffer = Buffer(f"%a{k}", dims, [self.r.random() < 0.5 for _ in dims])
            buffer.written = True
            self.args.append(buffer)
            self.buffers.append(buffer)
        self.args.append(Buffer("%one", (), ()))
        self.buffers.append(self.args[-1])
        self.args[-1].written = True
        for _ in range(self.r.randint(2, 14)): self.step()
        self.finish()

    def name(self, kind="v"):
        self.count += 1
        return f"%{kind}{self.count}"

    def index(self, value):
        if value not in self.indices:
            self.indices[value] = f"%c{value if value >= 0 else f'm{-value}'}"
        return self.indices[value]

    def pick(self, dims=None):
        found = [b for b in self.buffers if b.written and not b.freed and (dims is None or b.dims == dims)]
        return self.r.choice(found) if found else None

    def size(self, value):
        """An index of |value|: a constant, or a dim of a buffer that has it, temporaries included."""
        found = [(b, d) for b in self.buffers if not b.freed for d in range(len(b.dims)) if b.dims[d] == value]
        if not found or self.r.random() < 0.2: return self.index(value)
        buffer, d = self.r.choice(found)
        name = self.name("n")
        self.lines.append(f"{name} = memref.dim {buffer.name}, {self.index(d)} : {buffer.type}")
        return name

    def alloc(self, dims, reuse=True):
        """A buffer to write: a new one, or one that is there already."""
        old = [b for b in self.buffers if b.dims == tuple(dims) and not b.freed and b not in self.args]
        if reuse and old and self.r.random() < 0.15: return self.r.choice(old)
        buffer = Buffer(self.name("b"), dims, [self.r.random() < 0.5 for _ in dims])
        sizes = [self.size(d) for d, k in zip(buffer.dims, buffer.known) if not k]
        self.lines.append(f"{buffer.name} = memref.alloc({', '.join(sizes)}) : {buffer.type}")
        self.buffers.append(buffer)
        return buffer

    def op(self, name, inputs, out, attrs="", region="", indices=()):
        operands = [b.name for b in (*inputs, out)] + list(indices)
        types = [b.type for b in (*inputs, out)] + ["index"] * len(indices)
        self.lines.append(f'"lmhlo.{name}"({", ".join(operands)}) {attrs} {region} : ({", ".join(types)}) -> ()')
        out.written = True

    def step(self):
        getattr(self, self.r.choice(["unary"] * 4 + ["binary"] * 5 + ["broadcast"] * 3 + ["reduce"] * 4 + ["constant", "transpose", "slice", "reverse", "pad", "dynamic_pad", "concatenate", "dot", "copy", "iota",
                                     "update", "free", "free", "free", "host", "reshape", "branch", "fusion", "overwrite"]))()

    def unary(self):
        x = self.pick()
        self.op(self.r.choice(UNARY), [x], self.alloc(x.dims))

    def binary(self):
        x = self.pick()
        self.op(self.r.choice(BINARY), [x, self.pick(x.dims)], self.alloc(x.dims))

    def overwrite(self):
        x = self.pick()
        if x in self.args: return
        self.op(self.r.choice(BINARY), [x, self.pick(x.dims)], x)

    def broadcast(self):
        x = self.pick()
        rank = self.r.randint(len(x.dims), 3)
        at = sorted(self.r.sample(range(rank), len(x.dims)))
        dims = [self.r.choice([1, 2, 3, 4, 5, 8]) for _ in range(rank)]
        for d, k in zip(at, range(len(x.dims))): dims[d] = x.dims[k] if x.dims[k] != 1 or self.r.random() < 0.5 else dims[d]
        self.op("dynamic_broadcast_in_dim", [x], self.alloc(dims), f"<{{broadcast_dimensions = {self.numbers(at)}}}>")

    @staticmethod
    def numbers(values):
        return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"

    def reduce(self):
        x = self.pick()
        if not x.dims: return
        rank = len(x.dims)
        kept = self.r.choice([range(k) for k in range(rank)] + [range(1, rank), [0] if rank > 1 else []])
        over = [d for d in range(rank) if d not in kept]
        init = self.pick(())
        out = self.alloc([x.dims[d] for d in kept])
        if out is init: return
        inner = self.r.choice(["add", "maximum", "minimum"])
        self.op("reduce", [x, init], out, f"<{{dimensions = {self.numbers(over)}}}>",
                f'({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.{inner} %p, %q : tensor<f32> stablehlo.return %s : tensor<f32> }})')

    def constant(self):
        dims = self.r.choice([b.dims for b in self.buffers])
        out = Buffer(self.name("b"), dims, [True] * len(dims))
        self.lines.append(f"{out.name} = memref.alloc() : {out.type}")
        self.buffers.append(out)
        self.op("constant", [], out, f"<{{value = dense<{self.r.choice([0.0, 1.0, -2.5])}> : {out.type.replace('memref', 'tensor')}}}>")

    def iota(self):
        x = self.r.choice([b for b in self.buffers if b.dims] or [None])
        if x: self.op("dynamic_iota", [], self.alloc(x.dims, False), f"<{{iota_dimension = {self.r.randrange(len(x.dims))} : i64}}>")

    def transpose(self):
        x = self.pick()
        order = list(range(len(x.dims)))
        self.r.shuffle(order)
        out = self.alloc([x.dims[d] for d in order])
        if out is not x: self.op("transpose", [x], out, f"<{{permutation = {self.numbers(order)}}}>")

    def reverse(self):
        x = self.pick()
        if x.dims: self.op("reverse", [x], self.alloc(x.dims, self.r.random() < 0.2), f"<{{dimensions = {self.numbers([self.r.randrange(len(x.dims))])}}}>")

    def slice(self):
        x = self.pick()
        start = [self.r.randrange(d + 1) if self.r.random() < 0.1 else self.r.randrange(max(d, 1)) for d in x.dims]
        limit = [self.r.randint(s, d) for s, d in zip(start, x.dims)]
        out = self.alloc([e - s for s, e in zip(start, limit)])
        if out is not x: self.op("real_dynamic_slice", [x], out, indices=[self.size(s) for s in start] + [self.index(1)] * len(x.dims))

    def pad(self):
        x, low = self.pick(), None
        low, high = [self.r.randint(0, 2) for _ in x.dims], [self.r.randint(0, 2) for _ in x.dims]
        out = self.alloc([a + d + b for a, d, b in zip(low, x.dims, high)])
        value = self.pick(())
        if out not in (x, value): self.op("pad", [x, value], out, f"<{{edge_padding_low = {self.numbers(low)}, edge_padding_high = {self.numbers(high)}, interior_padding = {self.numbers([0] * len(low))}}}>")

    def dynamic_pad(self):
        x = self.pick()
        low, high = [self.r.randint(0, 2) for _ in x.dims], [self.r.randint(0, 2) for _ in x.dims]
        out = self.alloc([a + d + b for a, d, b in zip(low, x.dims, high)])
        value = self.pick(())
        if out not in (x, value): self.op("dynamic_pad", [x, value], out, indices=[self.size(n) for n in low + high] + [self.index(0)] * len(low))

    def concatenate(self):
        x = self.pick()
        if not x.dims: return
        axis = self.r.randrange(len(x.dims))
        parts = [self.pick(x.dims) for _ in range(self.r.randint(1, 3))]
        dims = list(x.dims)
        dims[axis] *= len(parts)
        out = self.alloc(dims)
        if out not in parts: self.op("concatenate", parts, out, f"<{{dimension = {axis} : i64}}>")

    def dot(self):
        x = self.pick()
        y = self.r.choice([b for b in self.buffers if b.written and not b.freed and len(b.dims) == 2 and len(x.dims) == 2 and b.dims[0] == x.dims[1]] or [None])
        if y is None: return
        out = self.alloc([x.dims[0], y.dims[1]])
        if out not in (x, y): self.op("dot", [x, y], out)

    def copy(self):
        x = self.pick()
        out = self.alloc(x.dims)
        if out is not x: self.lines.append(f'"lmhlo.copy"({x.name}, {out.name}) : ({x.type}, {out.type}) -> ()')
        out.written = True

    def reshape(self):
        x = self.pick()
        total = int(np.prod(x.dims, dtype=int))
        out = self.alloc(self.r.choice([[total], [1, total], [total, 1]]))
        if out is not x: self.op("dynamic_reshape", [x], out)

    def update(self):
        x = self.pick()
        if not x.dims: return
        part = self.pick(x.dims)
        at = [self.scalar() for _ in x.dims]
        out = x if self.r.random() < 0.4 and x not in self.args and part is not x else self.alloc(x.dims, False)
        operands = [x.name, part.name, *at, out.name]
        types = [x.type, part.type] + ["memref<i32>"] * len(at) + [out.type]
        self.lines.append(f'"lmhlo.dynamic_update_slice"({", ".join(operands)}) : ({", ".join(types)}) -> ()')
        out.written = True

    def scalar(self):
        name = self.name("k")
        self.lines += [f"{name} = memref.alloc() : memref<i32>", f'"lmhlo.constant"({name}) <{{value = dense<{self.r.randint(-1, 3)}> : tensor<i32>}}> : (memref<i32>) -> ()']
        return name

    def host(self):
        """A load and a store of the host between the ops on buffers."""
        x = self.pick()
        if 0 in x.dims: return
        out = self.alloc(())
        at = ", ".join(self.index(self.r.randrange(d)) for d in x.dims)
        value, total = self.name("s"), self.name("s")
        self.lines += [f"{value} = memref.load {x.name}[{at}] : {x.type}", f"{total} = arith.addf {value}, {value} : f32",
                       f"memref.store {total}, {out.name}[] : {out.type}"]
        out.written = True

    def branch(self):
        """Ops under a condition of the host, on buffers of outside."""
        x = self.pick()
        out = self.alloc(x.dims)
        if out is x: return
        flag, inner = self.name("f"), self.r.choice(UNARY)
        self.lines += [f"{flag} = arith.cmpi {self.r.choice(['ult', 'ugt'])}, {self.size(self.r.choice(x.dims or (1,)))}, {self.index(3)} : index", f"scf.if {flag} {{",
                       f'  "lmhlo.{inner}"({x.name}, {out.name}) : ({x.type}, {out.type}) -> ()', "} else {",
                       f'  "lmhlo.{self.r.choice(UNARY)}"({x.name}, {out.name}) : ({x.type}, {out.type}) -> ()', "}"]
        out.written = True

    def fusion(self):
        """A fusion by hand: elementwise ops of one shape."""
        x, inner = self.pick(), []
        if self.r.random() < 0.5: x = self.r.choice([b for b in self.buffers if b.written and not b.freed])
        last = x
        for _ in range(self.r.randint(1, 4)):
            out = self.alloc(x.dims, False)
            other = self.pick(x.dims)
            inner.append(f'  "lmhlo.{self.r.choice(BINARY)}"({last.name}, {other.name}, {out.name}) : ({last.type}, {other.type}, {out.type}) -> ()')
            out.written, last = True, out
        self.lines += ['"lmhlo.fusion"() ({', *inner, '  "lmhlo.terminator"() : () -> ()', '}) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()']

    def free(self):
        found = [b for b in self.buffers if b not in self.args and b.written and not b.freed]
        if len(found) < 2: return
        buffer = self.r.choice(found)
        buffer.freed = True
        self.lines.append(f"memref.dealloc {buffer.name} : {buffer.type}")

    def finish(self):
        if not any(b.written and not b.freed for b in self.buffers if b not in self.args): self.op("negate", [self.args[0]], self.alloc(self.args[0].dims, False))
        found = [b for b in self.buffers if b not in self.args and b.written and not b.freed]
        self.results = self.r.sample(found, min(len(found), self.r.randint(1, 2)))
        self.frees_all = self.r.random() < 0.5
        for b in self.buffers:
            if self.frees_all and b not in self.args and not b.freed and b not in self.results: self.lines.append(f"memref.dealloc {b.name} : {b.type}")

    def text(self):
        args = ", ".join(f"{b.name}: {b.type}" for b in self.args)
        constants = [f"{name} = arith.constant {value} : index" for value, name in self.indices.items()]
        types = ", ".join(b.type for b in self.results)
        body = "\n".join("  " + line for line in [*constants, *self.lines])
        ends = f"  return {', '.join(b.name for b in self.results)} : {types}" if self.results else "  return"
        return f"func.func @main({args}) -> ({types}) {{\n{body}\n{ends}\n}}\n"

    def inputs(self):
        values = np.random.default_rng(7)
        return [np.asarray(values.uniform(-1, 1, b.dims), np.float32) for b in self.args]


def damaged(program, r):
    """The text with one operand of a buffer op exchanged for another buffer of its type, or for any: often refused, never a crash."""
    lines = program.text().splitlines()
    found = [(k, m) for k, line in enumerate(lines) if "lmhlo." in line for m in re.finditer(r"%[a-z]+\d+", line)]
    if found:
        k, m = r.choice(found)
        types = {b.name: b.type for b in program.buffers}
        names = [n for n in types if r.random() < 0.1 or types[n] == types.get(m[0])]
        if names: lines[k] = lines[k][:m.start()] + r.choice(names) + lines[k][m.end():]
    return "\n".join(lines) + "\n"


def program_of(seed):
    """The program of a seed: as it was made, or with an operand exchanged."""
    program = Program(seed)
    return (damaged(program, random.Random(-seed)) if seed % 4 == 0 else program.text()), program.inputs()
