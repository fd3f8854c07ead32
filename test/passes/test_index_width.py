# SPDX-License-Identifier: Apache-2.0
"""Indices of 32 bits at their limit: the condition that the host computes, run here for sizes that no memory of a test has, holds exactly
where every buffer takes less than 2^31 - 1 bytes and every thread has a number below that; and division by multiplication is right."""
import random
import re
import subprocess

import pytest

LIMIT = 2**31


def opt(build, source, *passes):
    done = subprocess.run([f"{build}/bin/heddle-opt", *passes, "-"], input=source, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


OPS = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y, "divui": lambda x, y: x // y, "ceildivui": lambda x, y: -(-x // y),
       "minui": min, "maxui": max, "andi": lambda x, y: x & y, "remui": lambda x, y: x % y}
COMPARISONS = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "ule": lambda x, y: x <= y, "ult": lambda x, y: x < y, "uge": lambda x, y: x >= y, "slt": lambda x, y: x < y}


def launches(text, dims):
    """The launches of a function with the sizes |dims| of its buffers, by the host's arithmetic: the attributes of each that runs."""
    values, active, found = {}, [True], []
    for line in text[text.index("func.func"):].splitlines():
        line = line.strip()
        if line.startswith(("scf.if", "} else")):
            if line.startswith("scf.if"): active.append(active[-1] and bool(values.get(line.split()[1], False)))
            else: active[-1] = active[-2] and not active[-1]
            continue
        if line.startswith(("gpu.launch", "scf.for", "scf.parallel")):
            active.append(active[-1])
            continue
        if line == "return": break
        if line.startswith("}"):
            running = active.pop()
            if "hd.kernel_name" in line and running: found.append(line)
            continue
        if match := re.match(r"(%\S+) = arith.constant (-?\d+)", line): values[match[1]] = int(match[2])
        elif match := re.match(r"(%\S+) = memref.dim (%\S+), (%\S+) :", line):
            if match[2] in dims: values[match[1]] = dims[match[2]][values[match[3]]]
            else: values[match[1]] = dims["alloc"][values[match[3]]]
        elif match := re.match(r"(%\S+) = arith.cmpi (\w+), (%\S+), (%\S+) :", line):
            if match[3] in values and match[4] in values: values[match[1]] = COMPARISONS[match[2]](values[match[3]], values[match[4]])
        elif match := re.match(r"(%\S+) = arith.(\w+) (%\S+), (%\S+) :", line):
            if match[3] in values and match[4] in values and match[2] in OPS: values[match[1]] = OPS[match[2]](values[match[3]], values[match[4]])
    return found


TRANSPOSE = """
func.func @main(%x: memref<?x?xTYPE, #gpu.address_space<global>>, %y: memref<?x?xTYPE, #gpu.address_space<global>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %y, %c0 : memref<?x?xTYPE, #gpu.address_space<global>>
  %d1 = memref.dim %y, %c1 : memref<?x?xTYPE, #gpu.address_space<global>>
  scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1) {
    %v = memref.load %x[%j, %i] : memref<?x?xTYPE, #gpu.address_space<global>>
    memref.store %v, %y[%i, %j] : memref<?x?xTYPE, #gpu.address_space<global>>
    scf.reduce
  } {hd.kernel_name = "transpose"}
  return
}
"""


@pytest.mark.parametrize("element, size", [("i8", 1), ("bf16", 2), ("f32", 4), ("f64", 8)])
def test_limit(build, element, size):
    text = opt(build, TRANSPOSE.replace("TYPE", element), "--target=cuda", "--disc-loop-coalescing", "--disc-parallel-loop-split")
    assert "hd.index_bits = 32" in text
    rng = random.Random(7)
    shapes = [((LIMIT - 2) // size, 1), (1, (LIMIT - 2) // size), (LIMIT // size, 1), (2, LIMIT // size // 2), (2, LIMIT // size // 2 - 1), (65536, 65536), (3, 5)]
    for _ in range(200):
        a = rng.randrange(1, 2**rng.randrange(1, 33))
        b = max(1, LIMIT // size // a + rng.randrange(-2, 3))
        shapes.append((a, b))
    both = set()
    for a, b in shapes:
        found = launches(text, {"%arg0": (b, a), "%arg1": (a, b)})
        assert len(found) == 1, (a, b)
        threads = -(-a * b // 256) * 256
        small = a * b * size < LIMIT - 1 and threads < LIMIT
        assert ("index_bits" in found[0]) == small and ("_64" in found[0]) != small, (a, b)
        both.add(small)
    assert both == {True, False}


DIVISION = """
func.func @main(%m: memref<?x?xf32>, %d: index, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %q = arith.divui %bx, %d : index
    %r = arith.remui %bx, %d : index
    %v = memref.load %m[%q, %r] : memref<?x?xf32>
    memref.store %v, %m[%r, %q] : memref<?x?xf32>
    gpu.terminator
  } {hd.index_bits = 32 : i64}
  return
}
"""
BITS = {"i32": 32, "i64": 64, "index": 32}


def compiled_division(text):
    """A Python function of divisor and number: the ops of the host and of the kernel, each wrapped to the bits of its type; an index has 32 in the kernel."""
    names, lines = {}, []

    def name(value):
        return names.setdefault(value, f"v{len(names)}")
    launch = re.search(r"gpu.launch blocks\((%\w+),", text)
    for line in text.splitlines():
        line = line.strip()
        if match := re.match(r"(%\S+) = arith.constant (-?\d+)", line): lines.append(f"{name(match[1])} = {match[2]}")
        elif match := re.match(r"(%\S+) = math.ctlz (%\S+) : i64", line): lines.append(f"{name(match[1])} = 64 - {name(match[2])}.bit_length()")
        elif match := re.match(r"(%\S+) = arith.(index_cast|index_castui|trunci) (%\S+) : \S+ to (\w+)", line):
            lines.append(f"{name(match[1])} = {name(match[3])} % 2**{BITS[match[4]]}")
        elif match := re.match(r"(%\S+), (%\S+) = arith.mului_extended (%\S+), (%\S+) : i32", line):
            lines.append(f"{name(match[2])} = {name(match[3])} * {name(match[4])} >> 32")
        elif match := re.match(r"(%\S+) = arith.(\w+) (%\S+), (%\S+) : (\w+)", line):
            x, y = name(match[3]), name(match[4])
            form = {"maxui": "max({x}, {y})", "subi": "{x} - {y}", "addi": "{x} + {y}", "muli": "{x} * {y}", "shli": "{x} << {y}", "shrui": "{x} >> {y}",
                    "ceildivui": "-(-{x} // {y})"}[match[2]].format(x=x, y=y)
            lines.append(f"{name(match[1])} = ({form}) % 2**{BITS[match[5]]}")
        elif match := re.search(r"memref.load %\S+\[(%\w+), (%\w+)\]", line): lines.append(f"return {name(match[1])}, {name(match[2])}")
    scope = {}
    exec(f"def divide({name('%arg1')}, {name(launch[1])}):\n" + "\n".join("    " + line for line in lines), scope)
    return scope["divide"]


def test_division(build):
    """What disc-fast-division writes, for the ends of the range, what is around powers of two and around multiples, and at random."""
    divide = compiled_division(opt(build, DIVISION, "--disc-fast-division"))
    rng = random.Random(11)
    divisors = {*range(1, 3000), *(2**k + o for k in range(32) for o in (-1, 0, 1) if 1 <= 2**k + o <= LIMIT), *(rng.randrange(1, LIMIT + 1) for _ in range(20000))}
    for d in divisors:
        top = (LIMIT - 1) // d * d
        for x in {0, 1, d - 1, d, top, max(top - 1, 0), LIMIT - 1, rng.randrange(LIMIT)}:
            if x < LIMIT: assert divide(d, x) == divmod(x, d), (d, x)
