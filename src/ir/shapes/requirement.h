/* SPDX-License-Identifier: Apache-2.0 */
/* What an op requires of sizes, and how it is said: the same words where a program is read and where it runs. */
#ifndef HD_IR_SHAPES_REQUIREMENT_H_
#define HD_IR_SHAPES_REQUIREMENT_H_

#include "base/strbuf.h"

typedef enum hd_shape_relation {
  HD_SHAPE_EQUAL,   /* lhs == rhs */
  HD_SHAPE_AT_MOST, /* lhs <= rhs */
  HD_SHAPE_SPREADS, /* lhs is 1 or rhs */
} hd_shape_relation;

/* What an extent is, for messages: "dim 1 of operand 0". */
typedef struct hd_shape_place {
  const char *what; /* null: a dim; "" a number that the op gives */
  int32_t operand;  /* -1: the result */
  uint32_t dim;
} hd_shape_place;

static inline hd_shape_place hd_place_operand(uint32_t operand, uint32_t dim) {
  return (hd_shape_place){NULL, (int32_t)operand, dim};
}
static inline hd_shape_place hd_place_result(uint32_t dim) { return (hd_shape_place){NULL, -1, dim}; }
static inline hd_shape_place hd_place_number(void) { return (hd_shape_place){"", -1, 0}; }

/* A side of a requirement in a message: its place, what follows the place in brackets ("" for nothing) and what
 * it is: a number, or the placeholder of one. */
typedef struct hd_shape_side {
  hd_shape_place place;
  const char *name, *value;
} hd_shape_side;
/* "dim 1 of operand 0 (2*n) is 6, expected at most dim 0 of operand 1, which is 4" */
void hd_shape_requirement_print(hd_strbuf *out, hd_shape_relation relation, const hd_shape_side *lhs,
                                const hd_shape_side *rhs);

#endif
