/* SPDX-License-Identifier: Apache-2.0 */
/* What an op of integer arithmetic does, apart from its dialect and sign (ops/integers.def). */
#ifndef HD_IR_INTEGER_OP_H_
#define HD_IR_INTEGER_OP_H_

#include "ir/op.h"

typedef enum hd_integer_kind {
  HD_INTEGER_NONE, /* another op */
  HD_INTEGER_ADD,
  HD_INTEGER_SUB,
  HD_INTEGER_MUL,
  HD_INTEGER_DIV,
  HD_INTEGER_REM,
  HD_INTEGER_AND,
  HD_INTEGER_OR,
  HD_INTEGER_XOR,
  HD_INTEGER_SHL,
  HD_INTEGER_SHR,
  HD_INTEGER_MIN,
  HD_INTEGER_MAX,
  HD_INTEGER_FLOORDIV,
  HD_INTEGER_CEILDIV,
  HD_INTEGER_CAST, /* of one operand, to another width */
  HD_INTEGER_KINDS
} hd_integer_kind;

typedef struct hd_integer_op {
  uint8_t kind; /* enum hd_integer_kind */
  bool is_unsigned;
  uint16_t natural; /* the opcode that does the same of operands of 0 or more */
} hd_integer_op;

extern const hd_integer_op hd_integer_ops[HD_OPCODE_COUNT];

/* Of kind HD_INTEGER_NONE for other ops and for null. */
static inline hd_integer_op hd_integer_op_of(const hd_op *op) {
  return hd_integer_ops[op ? hd_opcode_get(op) : HD_OP_UNREGISTERED];
}

static inline bool hd_integer_divides(hd_integer_kind kind) {
  return kind == HD_INTEGER_DIV || kind == HD_INTEGER_REM || kind == HD_INTEGER_FLOORDIV || kind == HD_INTEGER_CEILDIV;
}
static inline bool hd_integer_shifts(hd_integer_kind kind) { return kind == HD_INTEGER_SHL || kind == HD_INTEGER_SHR; }
/* Are the low bits of the result those of the operands' low bits? */
static inline bool hd_integer_is_modular(hd_integer_kind kind) {
  return (kind >= HD_INTEGER_ADD && kind <= HD_INTEGER_MUL) || (kind >= HD_INTEGER_AND && kind <= HD_INTEGER_XOR);
}

#endif
