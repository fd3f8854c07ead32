# SPDX-License-Identifier: Apache-2.0
"""What JAX has for platforms that it knows, for Heddle: donation and lowering rules."""


def register():
    """Called once, after the platform is registered."""
    from jax._src.interpreters import mlir
    if "heddle" not in mlir._platforms_with_donation: mlir._platforms_with_donation.append("heddle")
