# SPDX-License-Identifier: Apache-2.0
"""All rows, which are in files by subject: each fills rows.ROWS when imported."""


def load():
    from heddle.torch import rows_conv, rows_index, rows_nn, rows_pool, rows_recurrent, rows_reduce, rows_shape, rows_signal  # noqa: F401
