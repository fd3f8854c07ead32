# SPDX-License-Identifier: Apache-2.0
"""AxisInfo against Triton's, value by value: each integer is added to a pointer to bytes that is loaded from, since
tritongpu-coalesce says what is known of pointers. Where the two differ, Triton's claim has to be false of the elements
themselves, which are computed here, or unprovable because it assumes more than the elements show."""
import os
import random
import re
import subprocess

import numpy as np
import pytest

tile_oracle = pytest.importorskip("tile_oracle")

LAYOUTS = ('#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>\n'
           'module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:80"} {')
LARGEST = 1 << 30  # the pointer's divisibility, which bounds what is seen of a value's
ROWS, COLUMNS = 16, 64
SHAPE = f"{ROWS}x{COLUMNS}"
INFO = re.compile(r"=> contiguity = \[(.*?)\], divisibility = \[(.*?)\], constancy = \[(.*?)\], constant_value = (\S+), "
                  r"stride = \[(.*?)\], stride_value = \[(.*?)\]")


@pytest.fixture(scope="session")
def heddle_opt(build):
    def run(*args):
        done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), *map(str, args)], capture_output=True, text=True, timeout=300, check=False)
        assert not done.returncode, done.stderr
        return done.stdout
    return run


class Program:
    """A function of arithmetic on tensors, with the value of each where it is known."""

    def __init__(self, rng, count):
        self.rng, self.lines, self.values, self.conditions, self.ranges, self.n = rng, [], [], [], {}, 0
        self.scalars = [(8, rng.randrange(1, 30) * 8), (16, rng.randrange(1, 30) * 16), (1, rng.randrange(1, 100)), (64, 64 * rng.randrange(1, 5))]
        for d in (0, 1, 1): self.range(d, rng.choice([0, 0, 4, 16, 24]) if d else rng.choice([0, 8]))
        for i in range(4): self.splat(i)
        while len(self.values) < count: self.step()

    def name(self):
        self.n += 1
        return f"%v{self.n}"

    def add(self, text, value, kind="i32"):
        name = self.name()
        self.lines.append(f"{name} = {text}")
        if kind == "i32": self.values.append((name, value))
        else: self.conditions.append((name, value))
        return name

    def range(self, d, start):
        size, narrow = (ROWS, f"{ROWS}x1") if d == 0 else (COLUMNS, f"1x{COLUMNS}")
        line, wide = self.name(), self.name()
        self.ranges[line] = 1 - d
        self.lines.append(f"{line} = tt.make_range {{end = {start + size} : i32, start = {start} : i32}} : tensor<{size}xi32>")
        self.lines.append(f"{wide} = tt.expand_dims {line} {{axis = {1 - d} : i32}} : tensor<{size}xi32> -> tensor<{narrow}xi32>")
        counting = np.arange(start, start + size, dtype=np.int64)
        self.add(f"tt.broadcast {wide} : tensor<{narrow}xi32> -> tensor<{SHAPE}xi32>",
                 np.broadcast_to(counting[:, None] if d == 0 else counting[None, :], (ROWS, COLUMNS)))

    def splat(self, i): self.add(f"tt.splat %n{i} : i32 -> tensor<{SHAPE}xi32>", np.full((ROWS, COLUMNS), self.scalars[i][1], np.int64))

    def constant(self):
        x = self.rng.choice([0, 1, 2, 3, 4, 5, 8, 12, 16, 32, 64, 100])
        self.add(f"arith.constant dense<{x}> : tensor<{SHAPE}xi32>", np.full((ROWS, COLUMNS), x, np.int64))

    def step(self):
        kind = self.rng.random()
        (a, x), (b, y) = self.rng.choice(self.values), self.rng.choice(self.values)
        if kind < 0.12: self.constant()
        elif kind < 0.24: self.compare(a, x, b, y)
        elif kind < 0.34 and self.conditions:
            c, z = self.rng.choice(self.conditions)
            self.add(f"arith.select {c}, {a}, {b} : tensor<{SHAPE}xi1>, tensor<{SHAPE}xi32>", np.where(z, x, y))
        else: self.binary(a, x, b, y)

    def compare(self, a, x, b, y):
        order, f = self.rng.choice([("eq", np.equal), ("ne", np.not_equal), ("slt", np.less), ("sle", np.less_equal), ("sgt", np.greater), ("sge", np.greater_equal),
                                    ("ult", np.less), ("uge", np.greater_equal)])
        self.add(f"arith.cmpi {order}, {a}, {b} : tensor<{SHAPE}xi32>", f(x, y), "i1")

    def binary(self, a, x, b, y):
        op = self.rng.choice(["addi", "addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori", "shli", "shrsi", "shrui", "minsi", "maxsi"])
        if op[:3] in ("div", "rem") and (y.min() <= 0 or x.min() < 0): return
        if op[:2] == "sh" and (y.min() < 0 or y.max() > 12): return
        f = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.floor_divide, "rem": np.remainder, "and": np.bitwise_and, "ori": np.bitwise_or,
             "xor": np.bitwise_xor, "shl": np.left_shift, "shr": np.right_shift, "min": np.minimum, "max": np.maximum}[op[:3]]
        z = f(x, y)
        if z.min() < 0 or z.max() >= 1 << 28: return
        self.add(f"arith.{op} {a}, {b} : tensor<{SHAPE}xi32>", z)

    def with_layouts(self, line):
        """Layouts on all tensors: without them Triton would have to convert, and so fold, the program first."""
        dim = next((d for name, d in self.ranges.items() if re.search(name + r"\b", line)), None)
        line = re.sub(r"tensor<(\d+)xi32>", rf"tensor<\1xi32, #ttg.slice<{{dim = {dim}, parent = #b}}>>", line)
        return re.sub(r"tensor<(\d+x\d+x)(i1|i32|!tt.ptr<i8>)>", r"tensor<\1\2, #b>", line)

    def text(self, with_loads):
        out = []
        for line in self.lines:
            out.append(line)
            name = line.split(" ")[0]
            if not with_loads or name not in dict(self.values): continue
            pointers = f"tensor<{SHAPE}x!tt.ptr<i8>>"
            out += [f"{name}p = tt.splat %p : !tt.ptr<i8> -> {pointers}", f"{name}a = tt.addptr {name}p, {name} : {pointers}, tensor<{SHAPE}xi32>",
                    f"{name}l = tt.load {name}a : {pointers}"]
        arguments = "".join(f", %n{i}: i32 {{tt.divisibility = {d} : i32}}" for i, (d, _) in enumerate(self.scalars))
        if with_loads: out = [self.with_layouts(line) for line in out]
        head = LAYOUTS if with_loads else "module {"
        return head + "\n  tt.func @f(%p: !tt.ptr<i8> {tt.divisibility = " + str(LARGEST) + " : i32}" + arguments + ") {\n" + "\n".join(out) + "\n    tt.return\n  }\n}\n"


def runs_hold(x, d, length, step, divisor):
    """Are runs of |length| along dim |d| first, first + step, ..., each first one a multiple of |divisor|?"""
    x = np.moveaxis(x, d, -1)
    first = x[..., ::length]
    return bool((first % divisor == 0).all() and (x == np.repeat(first, length, -1)[..., :x.shape[-1]] + np.arange(x.shape[-1]) % length * step).all())


def claims_hold(x, contiguity, divisibility, constancy):
    return all(runs_hold(x, d, contiguity[d], 1, divisibility[d]) and runs_hold(x, d, constancy[d], 0, 1) for d in range(2))


def heddle_infos(heddle_opt, path):
    """Of each line that --test-print-alignment prints: contiguity, divisibility, constancy, constant, strides."""
    out = heddle_opt("--test-print-alignment", path)
    numbers = lambda text: [int(v) for v in text.split(",")]
    return [([numbers(m[i]) for i in (1, 2, 3)], m[4], numbers(m[5]), numbers(m[6])) for m in INFO.finditer(out)]


def seen(info, shape=(ROWS, COLUMNS)):
    """What shows of a value when it is added to a pointer of LARGEST that is the same everywhere, in bytes."""
    contiguity, divisibility, constancy = info
    bound = [min(d, LARGEST, c) if c > 1 else min(d, LARGEST) for d, c in zip(divisibility, contiguity)]
    return contiguity, bound, [min(k, s) for k, s in zip(constancy, shape)]


def test_expressions(heddle_opt, tmp_path):
    programs = [Program(random.Random(seed), 56) for seed in range(12)]
    for i, program in enumerate(programs): (tmp_path / f"{i}.mlir").write_text(program.text(True))
    infos = tile_oracle.axis_infos([str(tmp_path / f"{i}.mlir") for i in range(len(programs))])
    compared = different = 0
    for i, program in enumerate(programs):
        plain = tmp_path / f"plain{i}.mlir"
        plain.write_text(program.text(False))
        names = [line.split(" ")[0] for line in program.lines]
        ours = dict(zip(names, heddle_infos(heddle_opt, plain)))
        theirs = dict(zip([n for n, _ in program.values], infos[i]))
        assert len(ours) == len(program.lines) and len(infos[i]) == len(program.values)
        different += sum(differs(program, name, x, ours[name], theirs) for name, x in program.values)
        compared += len(program.values)
    assert compared >= 600 and different <= compared // 10, (compared, different)


def differs(program, name, x, ours, theirs):
    info, constant, stride, stride_value = ours
    line = next(line for line in program.lines if line.startswith(name + " "))
    assert claims_hold(x, *info), (line, info)
    assert constant == "<none>" or (x == int(constant)).all(), (line, constant)
    assert all(runs_hold(x, d, stride[d], stride_value[d], 1) for d in range(2)), (line, stride, stride_value)
    if seen(info) == tuple(theirs[name]): return False
    assert not claims_hold(x, *theirs[name]) or depends_on_wrong(program, name, theirs), (line, info, theirs[name])
    return True


def depends_on_wrong(program, name, theirs):
    """Is an operand, or one of its own, a value of which Triton's claim is false? Then what follows from it counts for nothing."""
    lines, values = {line.split(" ")[0]: line for line in program.lines}, dict(program.values)
    todo = [name]
    while todo:
        at = todo.pop()
        if at in theirs and not claims_hold(values[at], *theirs[at]): return True
        todo += [n for n in re.findall(r"%v\d+", lines[at])[1:]]
    return False


# ---- kernels ----

KIND = r"(i32|i64|tensor<[0-9x]+x(?:i32|i64|!tt\.ptr<\w+>)>|!tt\.ptr<\w+>)"
RESULT = re.compile(rf"^\s*(%\w+) = (?!arith\.cmpi|arith\.select|tt\.load|tt\.addptr)\S.*(?:: |-> ){KIND}$|"
                    rf"^\s*(%\w+) = tt\.addptr .* : {KIND}, \S+$|^\s*(%\w+) = arith\.select .*, {KIND}$")
LOOP = re.compile(r"^\s*(?:%\S+ = )?scf\.for (%\w+) = .*? (?:iter_args\((.*?)\) -> \((.*?)\) )? ?: i32 \{$")
MEMORY = re.compile(r"\btt\.(load|store|atomic_rmw|atomic_cas)\b.*tensor<[0-9x]+x!tt\.ptr")


def probe(name, kind):
    """Lines that load through |name|, a pointer, or a number that is added to one: what is known of it shows there."""
    x, lines = "%probe" + name[1:].replace("#", "_"), []
    if not kind.startswith("tensor"):
        lines.append(f"{x}s = tt.splat {name} : {kind} -> tensor<32x{kind}>")
        name, kind = x + "s", f"tensor<32x{kind}>"
    if "!tt.ptr" not in kind:
        pointers = kind[:kind.rindex("x") + 1] + "!tt.ptr<i8>>"
        lines += [f"{x}p = tt.splat %probe : !tt.ptr<i8> -> {pointers}", f"{x}a = tt.addptr {x}p, {name} : {pointers}, {kind}"]
        name, kind = x + "a", pointers
    return [*lines, f"{x}l = tt.load {name} : {kind}"]


def probed(text):
    """|text| with probes after each integer and pointer, those that loops carry included."""
    out, count, in_reduce = [], 0, False
    for line in text.splitlines():
        out.append(re.sub(r"(tt\.func public @\w+\()", r"\1%probe: !tt.ptr<i8> {tt.divisibility = 1073741824 : i32}, ", line))
        if '"tt.reduce"' in line or '"tt.scan"' in line: in_reduce = True
        if in_reduce:
            in_reduce = not re.match(r"\s*}\)", line)
            continue
        found = []
        if (m := RESULT.match(line)) and not line.rstrip().endswith("{"): found.append(tuple(g for g in m.groups() if g))
        if m := LOOP.match(line):
            found.append((m[1], "i32"))
            if m[2]: found += list(zip(re.findall(r"(%\w+) = ", m[2]), re.split(r", (?![^<]*>)", m[3])))
        for name, kind in found:
            if not re.search(r"(i32|i64|!tt\.ptr<\w+>)>?$", kind): continue
            out += probe(name, kind)
            count += 1
    return "\n".join(out) + "\n", count


def pointers_seen(heddle_opt, path):
    """What is known of the pointers of each load, in the order of the text."""
    known, seen_here = {}, []
    numbers = lambda text: [int(v) for v in text.split(",")]
    for line in heddle_opt("--test-print-alignment", path).splitlines():
        m = INFO.search(line)
        if m and (result := re.match(r"(%\w+) = ", line)): known[result[1]] = tuple(numbers(m[i]) for i in (1, 2, 3))
        if m and (load := re.match(r"%\w+ = tt\.load (%\w+)", line)): seen_here.append(known.get(load[1]))
    return seen_here


def test_kernels(heddle_opt, tmp_path):
    """Every integer and pointer of Triton's own programs, loop-carried ones included."""
    import tile_kernels
    paths, compared = [], 0
    for name, text in tile_kernels.programs().items():
        paths.append(tmp_path / f"{name}.mlir")
        text, count = probed(text)
        assert count >= 8, name
        paths[-1].write_text(text)
    theirs = tile_oracle.axis_infos([str(p) for p in paths], convert=True)
    for path, infos in zip(paths, theirs):
        order = [m[1] for m in map(MEMORY.search, path.read_text().splitlines()) if m]
        assert len(order) == len(infos), path
        of_loads = [info for kind, info in zip(order, infos) if kind == "load"]
        ours = pointers_seen(heddle_opt, path)
        assert len(ours) == len(of_loads), path
        for mine, info in zip(ours, of_loads):
            assert mine is None or mine == info, (path, mine, info)
        compared += sum(mine is not None for mine in ours)
    assert compared >= 100, compared
