# SPDX-License-Identifier: Apache-2.0
import builtins
import os
from typing import Any, Iterable, Literal, Mapping, NamedTuple, Optional, Sequence, Union

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

class Runtime:
    def __init__(self, threads: int = ...) -> None: ...

class Function:
    artifact: bytes
    def __init__(self, artifact: bytes, runtime: Optional[Runtime] = ..., trees: Any = ...) -> None: ...
    @property
    def inputs(self) -> list[Tensor]: ...
    @property
    def outputs(self) -> list[Tensor]: ...
    @property
    def stats(self) -> Any: ...
    def bind(self, index: int, array: Any) -> None: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...
    def __call__(self, *arrays: Any, communicator: Any = ..., **keywords: Any) -> Any: ...

def compile(
    program: Any,
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
    program: Any,
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
def load(path: Union[str, os.PathLike[str]], *, runtime: Optional[Runtime] = ...) -> Function: ...
def default_runtime() -> Runtime: ...
