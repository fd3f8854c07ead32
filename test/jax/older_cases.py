# SPDX-License-Identifier: Apache-2.0
"""The programs of device_cases.py, mesh_cases.py and training_cases.py with shardings of the older form: JAX without Shardy. Those that the form has a say in."""
import jax

jax.config.update("jax_use_shardy_partitioner", False)

import device_cases  # noqa: E402
import mesh_cases  # noqa: E402
import platform_cases  # noqa: E402
import training_cases  # noqa: E402

NAMES = ("psum", "axis_index", "two_mesh_axes", "part_of_the_axes", "elementwise", "products", "reductions", "constraints", "in_and_out_shardings",
         "control_flow", "several_meshes", "order_of_devices", "uneven_sizes", "tensor_parallel_transformer", "training_by_shard_map", "pmap", "side_effects",
         "serialised", "the_layout_that_a_partitioner_is_asked_for")


def case(f):
    """Marks what the test counts: all in one, since the names are those of the other script."""
    return f


@case
def all_of_them():
    failed = {}
    for name in NAMES:
        try:
            {**device_cases.CASES, **mesh_cases.CASES, **training_cases.CASES}[name]()
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
    assert not failed, failed


if __name__ == "__main__":
    platform_cases.CASES.clear()
    platform_cases.CASES["all_of_them"] = all_of_them
    platform_cases.main()
