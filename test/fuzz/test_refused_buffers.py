# SPDX-License-Identifier: Apache-2.0
"""Programs on buffers that are none, refused where they are wrong."""
import os
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))


SHAPE = "memref<?x4xf32>, memref<f32>, memref<2xi64>, memref<2xi64>, memref<2xi64>, memref<?x?xf32>"
FAULTS = {
    "pad by buffers": (f'"lmhlo.dynamic_pad"(%x, %z, %s, %s, %s, %o) : ({SHAPE}) -> ()', "expects 3 buffers, inputs and output, got 6"),
    "pad without amounts": ('"lmhlo.dynamic_pad"(%x, %z, %o) : (memref<?x4xf32>, memref<f32>, memref<?x?xf32>) -> ()', "expects 6 index values after the buffers, got 0"),
    "slice without steps": ('"lmhlo.real_dynamic_slice"(%x, %o, %c, %c) : (memref<?x4xf32>, memref<?x?xf32>, index, index) -> ()', "expects 4 index values after the buffers, got 2"),
    "outputs": ('"lmhlo.add"(%x, %x, %x) {hd.outputs = 7 : i64} : (memref<?x4xf32>, memref<?x4xf32>, memref<?x4xf32>) -> ()', "expects hd.outputs to count buffers, got 7 of 3"),
    "a cycle": ('"lmhlo.fusion"() ({ "lmhlo.add"(%z, %b, %a) : (memref<f32>, memref<f32>, memref<f32>) -> () "lmhlo.add"(%z, %a, %b) : (memref<f32>, memref<f32>, memref<f32>) -> () '
                '"lmhlo.terminator"() : () -> () }) {hd.kind = "loop"} : () -> ()', "which an earlier op of the fusion reads"),
    "an op by itself": ('"lmhlo.fusion"() ({ "lmhlo.add"(%z, %b, %b) : (memref<f32>, memref<f32>, memref<f32>) -> () "lmhlo.terminator"() : () -> () }) {hd.kind = "loop"} : () -> ()',
                        "which the same op of the fusion reads"),
    "two writers": ('"lmhlo.fusion"() ({ "lmhlo.abs"(%z, %b) : (memref<f32>, memref<f32>) -> () "lmhlo.sine"(%z, %b) : (memref<f32>, memref<f32>) -> () "lmhlo.terminator"() : () -> () }) '
                    '{hd.kind = "loop"} : () -> ()', "which another op of the fusion writes"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_refused(build, name):
    """What a buffer op must be, at its line, before any pass sees it."""
    op, words = FAULTS[name]
    text = ("func.func @main(%x: memref<?x4xf32>, %z: memref<f32>, %s: memref<2xi64>, %o: memref<?x?xf32>, %a: memref<f32>, %b: memref<f32>) {\n"
            f"  %c = arith.constant 0 : index\n  {op}\n  return\n}}\n")
    done = subprocess.run([os.path.join(build, "bin", "heddle-opt"), "-", "--disc-lower-to-kernels"], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and ":3:" in done.stderr and words in done.stderr, done.stderr
