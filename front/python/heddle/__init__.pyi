# SPDX-License-Identifier: Apache-2.0
import builtins
import os
from typing import Any, Iterable, Literal, Mapping, NamedTuple, Optional, Protocol, Sequence, Union

import numpy as np

__version__: str

class HeddleError(RuntimeError):
    code: int
    status: str
    diagnostics: list[tuple[str, str]]
    def __init__(self, code: int, message: str, diagnostics: Iterable[tuple[str, str]] = ...) -> None: ...

class InvalidArgumentError(HeddleError, ValueError): ...
class UnimplementedError(HeddleError, NotImplementedError): ...
class ResourceExhaustedError(HeddleError, MemoryError): ...
class TimeoutError(HeddleError, builtins.TimeoutError): ...

class Tensor(NamedTuple):
    name: str
    dtype: np.dtype[Any]
    shape: tuple[Union[int, str], ...]

class _Exported(Protocol):  # jax.export.Exported
    @property
    def mlir_module_serialized(self) -> bytes: ...

class _Lowered(Protocol):  # jax.stages.Lowered
    def compiler_ir(self) -> Any: ...
    def as_text(self) -> str: ...

class _WithText(Protocol):  # heddle.tensorflow.Program
    @property
    def text(self) -> str: ...

class _Module(Protocol):  # a module of MLIR's Python bindings
    @property
    def operation(self) -> Any: ...

_Program = Union[str, bytes, bytearray, memoryview, os.PathLike[str], _Exported, _Lowered, _WithText, _Module]

class Runtime:
    driver: str
    def __init__(self, threads: int = ..., stream_bytes: int = ..., check_bounds: bool = ..., driver: str = ...) -> None: ...

class Function:
    artifact: bytes
    def __init__(self, artifact: bytes, runtime: Optional[Runtime] = ..., nesting: Any = ..., target: Optional[str] = ...) -> None: ...
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def driver(self) -> str: ...
    @property
    def stats(self) -> Any: ...
    def bind(self, index: int, array: Any) -> None: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...
    def __call__(self, *arrays: Any, communicator: Any = ..., **keywords: Any) -> Any: ...

def compile(
    program: _Program,
    *,
    name: Optional[str] = ...,
    target: str = ...,
    entry: Optional[str] = ...,
    constant_args: Sequence[int] = ...,
    fixed_dims: Optional[Mapping[str, int]] = ...,
    mcpu: Sequence[str] = ...,
    threads: int = ...,
    cache: Union[bool, str, os.PathLike[str]] = ...,
    timeout: float = ...,
    memory_limit: int = ...,
    platform_index: Optional[int] = ...,
    custom_calls_later: bool = ...,
    runtime: Optional[Runtime] = ...,
) -> Function: ...
def explain(
    program: _Program,
    *,
    format: Literal["text", "json", "html"] = ...,
    name: Optional[str] = ...,
    target: str = ...,
    entry: Optional[str] = ...,
    constant_args: Sequence[int] = ...,
    mcpu: Sequence[str] = ...,
    platform_index: Optional[int] = ...,
    custom_calls_later: bool = ...,
) -> str: ...
def load(path: Union[str, os.PathLike[str]], *, runtime: Optional[Runtime] = ..., target: Optional[str] = ...) -> Function: ...
def default_runtime(driver: str = ...) -> Runtime: ...
