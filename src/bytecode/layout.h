/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of an op's properties, for reading and writing alike. */
#ifndef HD_BYTECODE_LAYOUT_H_
#define HD_BYTECODE_LAYOUT_H_

#include "ir/op_info.h"

typedef enum hd_bc_field_kind {
  HD_BC_FIELD_REQUIRED, /* the index of an attribute */
  HD_BC_FIELD_OPTIONAL, /* the same with a flag */
  HD_BC_FIELD_BOOL,     /* a byte: a unit, or nothing */
  HD_BC_FIELD_NUMBER,   /* a varint: an i32, nothing for 0 */
  HD_BC_FIELD_SEGMENTS, /* a short array */
} hd_bc_field_kind;

typedef struct hd_bc_field {
  hd_ident name;
  hd_bc_field_kind kind;
  size_t items; /* of segments */
} hd_bc_field;

typedef struct hd_bc_layout {
  hd_bc_field *fields;
  size_t count;
} hd_bc_layout;

/* The layouts met in one file. */
typedef struct hd_bc_layouts {
  hd_context *context;
  hd_arena *arena;
  hd_bc_layout *of; /* by opcode, made when first asked for; null at first */
} hd_bc_layouts;

/* |old_segments|: as attributes that come first, as before HD_BC_SEGMENTS; the same in all calls. */
hd_bc_layout hd_bc_layout_of(hd_bc_layouts *layouts, hd_opcode opcode, bool old_segments);

#endif
