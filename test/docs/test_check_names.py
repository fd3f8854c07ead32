# SPDX-License-Identifier: Apache-2.0
"""tools/check_names.py: which look-ups of attributes count as ones by a name that is written in the call."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import check_names  # noqa: E402

BY_NAME = ("hd_op_attr_get(op, HD_NAME_value)", "hd_op_attr_get(dots.data[i], HD_NAME_value)", "hd_op_attr_get(hd_value_op(hd_operand(op, 0)), HD_NAME_value)",
           "hd_op_int_attr(n->op, HD_NAME_dim, 0)", "hd_op_string_attr(func,\n    HD_NAME_sym_name)", "hd_op_attr_get(op, last ? HD_NAME_high : HD_NAME_low)")
OTHERS = ("hd_op_attr_get(op, name)", "hd_op_attr_get(ops.data[i], names[k])", "hd_op_attr_set(op, HD_NAME_value, attr)", "hd_op_attr_get(op, name), HD_NAME_value",
          "hd_op_attr_get_ident(op, name)", "hd_arith_constant_value(op)")


@pytest.mark.parametrize("text", BY_NAME)
def test_looked_up_by_name(text, tmp_path): assert counted(text, tmp_path) == 1


@pytest.mark.parametrize("text", OTHERS)
def test_not_looked_up_by_name(text, tmp_path): assert counted(text, tmp_path) == 0


def counted(text, folder):
    source = folder / "source.c"
    source.write_text(f"  return {text};\n")
    return check_names.count(str(source), set())[1]
