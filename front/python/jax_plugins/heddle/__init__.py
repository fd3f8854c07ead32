# SPDX-License-Identifier: Apache-2.0
"""Heddle as a JAX platform. JAX imports this package and calls initialize(); JAX_PLATFORMS=heddle then chooses it.

Unless it is asked for, JAX's own platforms stay the default."""
import warnings


def initialize():
    from jax._src import xla_bridge
    from heddle import jax_platform, libraries
    try:
        library = libraries.path("libheddle_pjrt.so")
        libraries.load("libheddle_pjrt.so")  # before JAX opens it: see there
    except FileNotFoundError as error:
        warnings.warn(f"the heddle platform is not available: {error}")
        return
    xla_bridge.register_plugin("heddle", priority=-100, library_path=library)
    jax_platform.register()
