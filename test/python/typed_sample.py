# SPDX-License-Identifier: Apache-2.0
"""A program as a user with a strict type checker writes it; test_install.py runs mypy on it. Each "type: ignore" is where
the checker must complain."""
from pathlib import Path
from typing import Any

import jax
import jax.export
import numpy as np
import numpy.typing as npt

import heddle
import heddle.jax_platform
import heddle.tensorflow
import heddle.torch


def run(text: str, x: npt.NDArray[np.float32], folder: Path) -> Any:
    f: heddle.Function = heddle.compile(text, constant_args=[1], fixed_dims={"b": 4}, cache=False, mcpu=("x86-64-v3",))
    f.bind(1, x)
    f.save(folder / "f.hdl")
    for tensor in f.inputs:
        sizes: tuple[int | str, ...] = tensor.shape
        print(tensor.name, tensor.dtype, sizes)
    g = heddle.load(folder / "f.hdl", runtime=heddle.Runtime(threads=2))
    print(heddle.explain(text, format="json").splitlines())
    print(heddle.jax_platform.counters().shared, heddle.torch.counters["runs"])
    program = heddle.tensorflow.from_saved_model(folder)
    print(heddle.compile(program).outputs[0].dtype, ", ".join(program.inputs + program.outputs))
    square = jax.jit(lambda x: x * x)
    print(heddle.compile(square.lower(x)).inputs, heddle.compile(jax.export.export(square)(x)).inputs, heddle.compile(text.encode()).inputs)
    try:
        return g(x)
    except heddle.InvalidArgumentError as error:
        severity, message = error.diagnostics[0]
        raise ValueError(f"{severity}: {message} ({error.status}, {error.code + 1})") from error


heddle.compile(3)  # type: ignore[arg-type]
heddle.compile("", target=3)  # type: ignore[arg-type]
heddle.explain("", format="pdf")  # type: ignore[arg-type]
heddle.load(b"f.hdl").inputs[0].size  # type: ignore[arg-type, attr-defined]
