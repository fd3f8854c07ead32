# SPDX-License-Identifier: Apache-2.0
"""SPIR-V modules in the bytes of an artifact, and what the validator says of them."""
import struct
import subprocess

import needs

MAGIC = 0x07230203
CAPABILITY, FLOAT16 = 17, 9


def modules(artifact):
    """The modules of the artifact's image, one a kernel, one after the other: a module ends where the next one's magic number stands."""
    at = artifact.find(struct.pack("<I", MAGIC))
    words = struct.unpack_from(f"<{(len(artifact) - at) // 4}I", artifact, at) if at >= 0 else ()
    out, begin = [], 0
    while begin < len(words) and words[begin] == MAGIC:
        end = begin + 5
        while end < len(words) and words[end] != MAGIC and 0 < words[end] >> 16 <= len(words) - end: end += words[end] >> 16
        out.append(struct.pack(f"<{end - begin}I", *words[begin:end]))
        begin = end
    return out


def wrong(module):
    """What spirv-val says of it; "" where it is valid. OpenCL 2.2 takes f16 with an extension that the validator knows nothing of."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    halves = any(words[i] == 2 << 16 | CAPABILITY and words[i + 1] == FLOAT16 for i in range(5, len(words) - 1))
    done = subprocess.run([needs.program("spirv-val"), "--target-env", "spv1.2" if halves else "opencl2.2"], input=module, capture_output=True)
    return done.stderr.decode() if done.returncode else ""
