# SPDX-License-Identifier: Apache-2.0
"""SPIR-V modules in the bytes of an artifact, and what the validator says of them."""
import struct
import subprocess

import needs

MAGIC = 0x07230203
CAPABILITY, FLOAT16, BARRIER = 17, 9, 224
OF_SUBGROUPS = {18, 5568}  # Groups, SubgroupShuffleINTEL


def modules(artifact):
    """The modules of the artifact's images, one a kernel, in an image one after the other: a module ends where the next one's magic number
    is, or with the image."""
    out, at, magic = [], 0, struct.pack("<I", MAGIC)
    while (at := artifact.find(magic, at)) >= 0:
        if at % 4:
            at += 1
            continue
        words = struct.unpack_from(f"<{(len(artifact) - at) // 4}I", artifact, at)
        end = 5
        while end < len(words) and words[end] != MAGIC and 0 < words[end] >> 16 <= len(words) - end: end += words[end] >> 16
        out.append(artifact[at:at + 4 * end])
        at += 4 * end
    return out


def wrong(module):
    """What spirv-val says of it; "" where it is valid. OpenCL 2.2 takes f16 with an extension that the validator knows nothing of."""
    halves = FLOAT16 in capabilities(module)
    done = subprocess.run([needs.program("spirv-val"), "--target-env", "spv1.2" if halves else "opencl2.2"], input=module, capture_output=True)
    return done.stderr.decode() if done.returncode else ""


def instructions(module):
    """(opcode, operands) of each."""
    words, at = struct.unpack(f"<{len(module) // 4}I", module), 5
    while at < len(words):
        yield words[at] & 0xffff, words[at + 1:at + (words[at] >> 16)]
        at += words[at] >> 16


def opcodes(module): return {opcode for opcode, _ in instructions(module)}


def capabilities(module): return {operands[0] for opcode, operands in instructions(module) if opcode == CAPABILITY}
