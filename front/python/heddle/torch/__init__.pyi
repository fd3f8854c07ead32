# SPDX-License-Identifier: Apache-2.0
import collections
from typing import Any, Callable, Mapping, Optional, Sequence

counters: collections.Counter[str]
eager_ops: collections.Counter[str]

def heddle(gm: Any, example_inputs: Sequence[Any], options: Optional[Mapping[str, Any]] = ...) -> Callable[..., Any]: ...
def rebind() -> None: ...
def to_stablehlo(exported: Any) -> str: ...
