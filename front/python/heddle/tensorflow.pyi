# SPDX-License-Identifier: Apache-2.0
import os
from typing import Any, NamedTuple, Union

class Program(NamedTuple):
    text: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

def from_function(function: Any, *specs: Any) -> Program: ...
def from_saved_model(path: Union[str, os.PathLike[str]], signature: str = ...) -> Program: ...
