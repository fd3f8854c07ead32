# SPDX-License-Identifier: Apache-2.0
from typing import NamedTuple

class Counters(NamedTuple):
    compiled: int
    generalized: int
    shared: int
    cached: int

def counters() -> Counters: ...
def register() -> None: ...
