/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/lower.h"

/* One number per row; 0 is that of ops without one. */
enum {
  NO_ROW,
#define LOWER(opcode, ...) ROW_##opcode,
#include "codegen/lower.def"
  ROW_COUNT
};
enum {
#define NOT_LOWERED(opcode, reason) ROW_##opcode = NO_ROW,
#include "codegen/lower.def"
};
_Static_assert(ROW_COUNT <= UINT8_MAX, "row_of holds the numbers of rows");

/* An element-wise op without a row stops the compiler here: ROW_<op> is not declared. */
#define ELEMENTWISE(opcode) _Static_assert(ROW_##opcode >= 0, #opcode);
#include "ir/ops/graph_ops.inc"

static const uint8_t row_of[HD_OPCODE_COUNT] = {
#define LOWER(opcode, ...) [HD_OP_##opcode] = ROW_##opcode,
#include "codegen/lower.def"
};

#define CHEAP false
#define EXPENSIVE true
#define OP(code) {HD_FORM_OP, HD_OP_##code}
#define CONTRACTED(code) {HD_FORM_CONTRACTED, HD_OP_##code}
#define EXPANDED(code) {HD_FORM_EXPANDED, HD_OP_##code}
#define FUNCTION(name) {HD_FORM_FUNCTION, .function = hd_complex_##name}
#define EMIT(name) {HD_FORM_EMIT, .emit = hd_emit_##name}
#define OPERAND {HD_FORM_OPERAND}
#define FLOAT(...) [HD_SCALAR_FLOAT] = __VA_ARGS__
#define SIGNED(...) [HD_SCALAR_SIGNED] = __VA_ARGS__
#define UNSIGNED(...) [HD_SCALAR_UNSIGNED] = __VA_ARGS__
#define BOOL(...) [HD_SCALAR_BOOL] = __VA_ARGS__
#define COMPLEX(...) [HD_SCALAR_COMPLEX] = __VA_ARGS__
#define INTEGER(...) SIGNED(__VA_ARGS__), UNSIGNED(__VA_ARGS__)
#define BITS(...) INTEGER(__VA_ARGS__), BOOL(__VA_ARGS__)
#define REAL(...) FLOAT(__VA_ARGS__), BITS(__VA_ARGS__)
#define ALL(...) REAL(__VA_ARGS__), COMPLEX(__VA_ARGS__)

static const hd_lowering rows[ROW_COUNT] = {
#define LOWER(opcode, cost, ...) [ROW_##opcode] = {cost, {__VA_ARGS__}},
#include "codegen/lower.def"
};

const hd_lowering *hd_lowering_of(hd_opcode opcode) { return &rows[row_of[opcode]]; }

hd_scalar_class hd_scalar_class_of(hd_type element) {
  switch (element->kind) {
    case HD_TYPE_FLOAT:
      return HD_SCALAR_FLOAT;
    case HD_TYPE_COMPLEX:
      return HD_SCALAR_COMPLEX;
    case HD_TYPE_INTEGER:
      if (element->integer.width == 1) return HD_SCALAR_BOOL;
      return element->integer.signedness == HD_UNSIGNED ? HD_SCALAR_UNSIGNED : HD_SCALAR_SIGNED;
    default:
      return HD_SCALAR_SIGNED;
  }
}

hd_neutral hd_neutral_of(hd_opcode opcode) {
  static const struct {
    hd_opcode opcode;
    hd_neutral neutral;
  } reducers[] = {
#define REDUCER(opcode, neutral) {HD_OP_##opcode, HD_NEUTRAL_##neutral},
#include "codegen/lower.def"
  };
  for (size_t i = 0; i < sizeof reducers / sizeof *reducers; ++i)
    if (reducers[i].opcode == opcode) return reducers[i].neutral;
  return HD_NEUTRAL_NONE;
}

hd_combining hd_combining_of(hd_opcode opcode, hd_type element) {
  switch (hd_lowering_of(opcode)->forms[hd_scalar_class_of(element)].opcode) {
#define COMBINE(opcode, vector_kind, atomic_kind) \
  case HD_OP_##opcode:                            \
    return (hd_combining){HD_VECTOR_KIND_##vector_kind, HD_ARITH_ATOMIC_RMW_KIND_##atomic_kind};
#include "codegen/lower.def"
    default:
      return (hd_combining){HD_VECTOR_KIND_NONE, HD_ARITH_ATOMIC_RMW_KIND_NONE};
  }
}
