# SPDX-License-Identifier: Apache-2.0
"""Heddle as a platform of JAX: what JAX has for platforms that it knows (donation, lowering rules), and counters."""
import ctypes as c
from typing import NamedTuple

from heddle import libraries


class Counters(NamedTuple):
    """How programs of this process came to their code."""
    compiled: int     #: compiled as they were
    generalized: int  #: compiled with unknown dims, for all programs of their family that fit
    shared: int       #: took code that was there: no compilation
    cached: int       #: came from the cache on disk


def counters():
    """The counters so far, as Counters."""
    numbers = (c.c_int64 * len(Counters._fields))()
    c.CDLL(libraries.path("libheddle_pjrt.so")).hd_pjrt_count(numbers)
    return Counters(*numbers)


def register():
    """Called once, after the platform is registered."""
    from jax._src.interpreters import mlir
    if "heddle" not in mlir._platforms_with_donation: mlir._platforms_with_donation.append("heddle")
