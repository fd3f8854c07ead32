/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of codegen/lower.def: what scalar code an element-wise op becomes, by the class of its element type. */
#ifndef HD_CODEGEN_EMIT_LOWER_H_
#define HD_CODEGEN_EMIT_LOWER_H_

#include "codegen/emit/emission.h"
#include "codegen/math/complex.h"

typedef enum hd_scalar_class {
  HD_SCALAR_FLOAT,
  HD_SCALAR_SIGNED,
  HD_SCALAR_UNSIGNED,
  HD_SCALAR_BOOL,
  HD_SCALAR_COMPLEX,
  HD_SCALAR_COUNT
} hd_scalar_class;

typedef enum hd_form_kind {
  HD_FORM_NONE,
  HD_FORM_OP,
  HD_FORM_CONTRACTED,
  HD_FORM_EXPANDED,
  HD_FORM_FUNCTION,
  HD_FORM_EMIT,
  HD_FORM_OPERAND
} hd_form_kind;

typedef struct hd_scalar_form {
  hd_form_kind kind;
  hd_opcode opcode; /* of OP, CONTRACTED, EXPANDED */
  union {
    hd_emit_function *emit;
    hd_complex_function *function;
  };
} hd_scalar_form;

typedef struct hd_lowering {
  bool is_expensive;
  hd_scalar_form forms[HD_SCALAR_COUNT];
} hd_lowering;

hd_scalar_class hd_scalar_class_of(hd_type element);
/* The row of a graph-level opcode; one without forms when there is none. */
const hd_lowering *hd_lowering_of(hd_opcode opcode);

/* The neutral element of an op that reductions have fast paths for; HD_NEUTRAL_NONE of others. */
typedef enum hd_neutral {
  HD_NEUTRAL_NONE,
  HD_NEUTRAL_ZERO,
  HD_NEUTRAL_ONE,
  HD_NEUTRAL_LOWEST,
  HD_NEUTRAL_HIGHEST,
  HD_NEUTRAL_ALL_BITS
} hd_neutral;
hd_neutral hd_neutral_of(hd_opcode opcode);

/* The kinds (hd_enum_vector_kind, hd_enum_arith_atomic_rmw_kind) of vector.reduction and memref.atomic_rmw that do
 * |opcode| of elements |element|; NONE: not used with it. */
enum { HD_VECTOR_KIND_NONE = -1, HD_ARITH_ATOMIC_RMW_KIND_NONE = -1 };
typedef struct hd_combining {
  int vector_kind, atomic_kind;
} hd_combining;
hd_combining hd_combining_of(hd_opcode opcode, hd_type element);

#endif
