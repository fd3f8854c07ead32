#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oracle.py: runs StableHLO programs on other implementations.

Reads lines of JSON: [oracle, texts]; oracle is "reference" (the StableHLO interpreter of jaxlib) or "xla"
(XLA:CPU). Each text has a public @main without arguments. Answers a line with a JSON list: for each program its results
as MLIR attribute text, or null when the oracle fails. Programs run in forked children, as the reference interpreter ends its
process on what it does not know."""
import json
import os
import sys

import jax
import jaxlib._jax as jaxlib_core
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

FLOAT_BITS = {"float16": ("f16", np.uint16), "bfloat16": ("bf16", np.uint16), "float32": ("f32", np.uint32),
              "float64": ("f64", np.uint64)}


def element_text(array):
    """Element type and a function from an index to the text of an element."""
    name = array.dtype.name
    if name in FLOAT_BITS:
        element, unsigned = FLOAT_BITS[name]
        bits = array.view(unsigned)
        return element, lambda i: "0x%0*X" % (2 * bits.itemsize, int(bits[i]))
    if name in ("complex64", "complex128"):
        element, unsigned = ("f32", np.uint32) if name == "complex64" else ("f64", np.uint64)
        re, im = array.real.copy().view(unsigned), array.imag.copy().view(unsigned)
        width = 2 * re.itemsize
        return f"complex<{element}>", lambda i: "(0x%0*X, 0x%0*X)" % (width, int(re[i]), width, int(im[i]))
    if name == "bool":
        return "i1", lambda i: "true" if array[i] else "false"
    return name.replace("uint", "ui").replace("int", "i"), lambda i: str(int(array[i]))


def attribute_text(array):
    array = np.asarray(array)
    element, text = element_text(array)
    shape = "".join(f"{d}x" for d in array.shape)
    if array.size == 0:
        return f"dense<> : tensor<{shape}{element}>"

    def nested(prefix):
        if len(prefix) == array.ndim:
            return text(tuple(prefix))
        return "[" + ", ".join(nested(prefix + [i]) for i in range(array.shape[len(prefix)])) + "]"
    return f"dense<{nested([])}> : tensor<{shape}{element}>"


def run_reference(text):
    context = jax_mlir.make_ir_context()
    stablehlo.register_interpreter_dialect(context)
    with context, ir.Location.unknown():
        return [str(r) for r in stablehlo.eval_module(ir.Module.parse(text), [])]


def run_xla(text):
    client = jax.devices("cpu")[0].client
    devices = jaxlib_core.DeviceList(tuple(jax.devices("cpu")[:1]))
    compiled = client.compile_and_load(text.encode(), devices, xla_client.CompileOptions())
    outputs = compiled.execute_sharded([]).disassemble_into_single_device_arrays()
    return [attribute_text(o[0]) for o in outputs]


def run_references(texts):
    """Results of all programs. A child runs one after the other and says each result; where it dies, the next child goes
    on after that program."""
    results = []
    while len(results) < len(texts):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "w") as out:
                for text in texts[len(results):]:
                    try:
                        answer = run_reference(text)
                    except BaseException as error:  # pylint: disable=broad-except
                        answer = {"error": str(error)[:2000]}
                    out.write(json.dumps(answer) + "\n")
                    out.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as answers:
            for line in answers:
                answer = json.loads(line)
                if isinstance(answer, dict):
                    print(f"oracle: {answer['error']}\n{texts[len(results)]}", file=sys.stderr)
                results.append(None if isinstance(answer, dict) else answer)
        os.waitpid(pid, 0)
        if len(results) < len(texts):
            print(f"oracle: died at\n{texts[len(results)]}", file=sys.stderr)
            results.append(None)
    return results


def answer_all(oracle, texts):
    # XLA's client has threads, which do not survive a fork: a process of its own serves it.
    if oracle == "reference":
        return run_references(texts)
    results = []
    for text in texts:
        try:
            results.append(run_xla(text))
        except Exception as error:  # pylint: disable=broad-except
            print(f"oracle: {str(error)[:2000]}\n{text}", file=sys.stderr)
            results.append(None)
    return results


def main():
    for line in sys.stdin:
        oracle, texts = json.loads(line)
        print(json.dumps(answer_all(oracle, texts)), flush=True)


if __name__ == "__main__":
    main()
