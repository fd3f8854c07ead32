/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/integer_op.h"

enum { SIGNED, UNSIGNED };

const hd_integer_op hd_integer_ops[HD_OPCODE_COUNT] = {
#define INTEGER(opcode, kind, sign, natural) [HD_OP_##opcode] = {HD_INTEGER_##kind, sign, HD_OP_##natural},
#include "ir/ops/integers.def"
};
