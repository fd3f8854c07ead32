# SPDX-License-Identifier: Apache-2.0
"""Layouts as linear maps, as `heddle layout --json` gives them, against Triton's own, over random layouts and shapes."""
import json
import random
import subprocess

import pytest

tile_oracle = pytest.importorskip("tile_oracle")
from triton._C.libtriton import gluon_ir, ir  # noqa: E402  after the skip
from triton.experimental.gluon.language import _layouts as gluon  # noqa: E402

CONTEXT = ir.context()
ir.load_dialects(CONTEXT)
BUILDER = gluon_ir.GluonOpBuilder(CONTEXT)


def text_of(layout):
    """|layout| as its attribute's text."""
    cga = f", CGALayout = {layout.cga_layout}" if getattr(layout, "cga_layout", None) else ""
    if isinstance(layout, gluon.BlockedLayout):
        return (f"#ttg.blocked<{{sizePerThread = {layout.size_per_thread}, threadsPerWarp = {layout.threads_per_warp}, warpsPerCTA = {layout.warps_per_cta}, "
                f"order = {layout.order}{cga}}}>")
    if isinstance(layout, gluon.SliceLayout): return f"#ttg.slice<{{dim = {layout.dim}, parent = {text_of(layout.parent)}}}>"
    if isinstance(layout, gluon.DotOperandLayout):
        width = f", kWidth = {layout.k_width}" if layout.k_width else ""
        return f"#ttg.dot_op<{{opIdx = {layout.operand_index}, parent = {text_of(layout.parent)}{width}}}>"
    if isinstance(layout, gluon.NVMMADistributedLayout):
        return (f"#ttg.nvidia_mma<{{versionMajor = {layout.version[0]}, versionMinor = {layout.version[1]}, warpsPerCTA = {layout.warps_per_cta}{cga}, "
                f"instrShape = {layout.instr_shape}}}>")
    if isinstance(layout, gluon.SwizzledSharedLayout):
        return f"#ttg.swizzled_shared<{{vec = {layout.vec}, perPhase = {layout.per_phase}, maxPhase = {layout.max_phase}, order = {layout.order}{cga}}}>"
    assert isinstance(layout, gluon.NVMMASharedLayout)
    return (f"#ttg.nvmma_shared<{{swizzlingByteWidth = {layout.swizzle_byte_width}, transposed = {str(layout.transposed).lower()}, "
            f"elementBitWidth = {layout.element_bitwidth}{cga}}}>")


def power(rng, most): return 1 << rng.randrange(most + 1)


def blocked(rng, rank):
    order = list(range(rank))
    rng.shuffle(order)
    lanes, left = [], 5
    for d in range(rank):
        lanes.append(left if d + 1 == rank else rng.randrange(left + 1))
        left -= lanes[-1]
    return gluon.BlockedLayout([power(rng, 2) for _ in range(rank)], [1 << x for x in lanes], [power(rng, 1) for _ in range(rank)], order)


def mma(rng):
    if rng.random() < 0.5: return gluon.NVMMADistributedLayout([2, 0], [power(rng, 1), power(rng, 1)], [16, 8])
    return gluon.NVMMADistributedLayout([3, 0], [4, power(rng, 1)], [16, 8 * power(rng, 3), 16])


def distributed(rng, rank):
    kind = rng.randrange(6 if rank == 2 else 3)
    if kind == 0 or rank == 3: return blocked(rng, rank)
    if kind < 3: return gluon.SliceLayout(rng.randrange(rank + 1), mma(rng) if rank == 1 and rng.random() < 0.5 else blocked(rng, rank + 1))
    if kind == 3: return mma(rng)
    if kind == 4: return gluon.DotOperandLayout(rng.randrange(2), blocked(rng, 2), 0)
    parent = mma(rng)
    return gluon.DotOperandLayout(0 if parent.version[0] == 3 else rng.randrange(2), parent, power(rng, 3))


def shared(rng, bits):
    if rng.random() < 0.5:
        order = [0, 1] if rng.random() < 0.5 else [1, 0]
        return gluon.SwizzledSharedLayout(power(rng, 3), power(rng, 2), power(rng, 3), order)
    return gluon.NVMMASharedLayout(rng.choice([0, 32, 64, 128]), bits, 2, rng.random() < 0.5)


def show(build, layout, shape, *options):
    command = [f"{build}/bin/heddle", "layout", text_of(layout), "x".join(map(str, shape)), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert not done.returncode, (command, done.stderr)
    return json.loads(done.stdout)


def test_distributed(build):
    rng = random.Random(1)
    for _ in range(60):
        rank = rng.choice([1, 2, 2, 2, 3])
        layout, shape = distributed(rng, rank), [power(rng, 8 if rank == 1 else 6) for _ in range(rank)]
        ours = show(build, layout, shape)["from"]["bases"]
        theirs = BUILDER.to_linear_layout(layout._to_ir(BUILDER), shape)
        for part, bases in (("register", theirs.reg_bases), ("lane", theirs.lane_bases), ("warp", theirs.warp_bases), ("block", theirs.block_bases)):
            assert ours[part] == bases, (text_of(layout), shape, part, ours, theirs)


def test_shared(build):
    rng = random.Random(2)
    for _ in range(40):
        bits = rng.choice([8, 16, 32])
        layout, shape = shared(rng, bits), [8 * power(rng, 4), 8 * power(rng, 4)]
        if isinstance(layout, gluon.NVMMASharedLayout): shape = [max(x, 8 * layout.swizzle_byte_width // bits) for x in shape]
        theirs = BUILDER.to_linear_layout(layout._to_ir(BUILDER), shape)
        assert show(build, layout, shape)["from"]["bases"]["offset"] == theirs.offset_bases, (text_of(layout), shape, theirs)


def test_bank_conflicts(build):
    """Triton counts those of the lanes that are served together; an instruction of vectors takes several such groups."""
    rng, compared = random.Random(3), 0
    for _ in range(60):
        bits = rng.choice([16, 32])
        there, shape = shared(rng, bits), [64, 128]
        here = distributed(rng, 2)
        ours = show(build, here, shape, "--to", text_of(there), "--element-bits", str(bits))["access"]
        theirs = BUILDER.get_shared_bank_conflicts(here._to_ir(BUILDER), there._to_ir(BUILDER), shape, bits)
        # Of swizzles that exchange less than a vector, or than a word, the two take other vectors.
        if isinstance(there, gluon.SwizzledSharedLayout) and there.max_phase > 1 and (ours["vector"] > there.vec or there.vec * bits < 32): continue
        compared += 1
        groups = max(1, 32 * ours["vector"] * bits // 8 // 128)
        assert ours["wavefronts"] == groups * (theirs + 1) and ours["conflicts"] == groups * theirs, (text_of(here), text_of(there), bits, ours, theirs)
    assert compared >= 40, compared
