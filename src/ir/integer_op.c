/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/integer_op.h"

enum { SIGNED, UNSIGNED };

static const struct {
  uint8_t kind, sign;
  uint16_t natural;
} rows[HD_OPCODE_COUNT] = {
#define INTEGER(opcode, kind, sign, natural) [HD_OP_##opcode] = {HD_INTEGER_##kind, sign, HD_OP_##natural},
#include "ir/ops/integers.def"
};

hd_integer_op hd_integer_op_of(const hd_op *op) {
  hd_opcode opcode = op ? hd_opcode_get(op) : HD_OP_UNREGISTERED;
  return (hd_integer_op){(hd_integer_kind)rows[opcode].kind, rows[opcode].sign == UNSIGNED,
                         (hd_opcode)rows[opcode].natural};
}
