/* SPDX-License-Identifier: Apache-2.0 */
/* What the opcodes of HLO text are in the graph dialects: one row each (hlo_ops.def), read by the importer and the
 * printer. */
#ifndef HD_HLO_ROWS_H_
#define HD_HLO_ROWS_H_

#include "ir/op.h"

typedef enum hd_hlo_attr_kind {
  HD_HLO_NO_ATTR,
  HD_HLO_DIMS,      /* {0,1} is array<i64> */
  HD_HLO_DIM,       /* {0} is an i64 */
  HD_HLO_I64,       /* 3 */
  HD_HLO_I32,       /* 3 */
  HD_HLO_BOOL,      /* true */
  HD_HLO_UNIT,      /* true is a unit attribute, false none */
  HD_HLO_FLOAT,     /* 0.001 is an f32 */
  HD_HLO_ENUM,      /* LT, or rng_uniform after a prefix: a case of a row, letters of either size */
  HD_HLO_STRING,    /* "text" */
  HD_HLO_PRECISION, /* {default,highest} is an array of stablehlo.precision */
  HD_HLO_GROUPS,    /* {{0,1},{2,3}} or [2,2]<=[4] is a dense matrix, short rows filled with -1 */
  HD_HLO_PAIRS,     /* {{0,1},{1,0}} */
  HD_HLO_CHANNEL,   /* 3 is the handle of a channel_handle */
  HD_HLO_ALIASES,   /* {{0}: (1, {})} is an array of output_operand_alias */
  HD_HLO_ALGORITHM, /* dot_tf32_tf32_f32 is a dot_algorithm */
  HD_HLO_ACCURACY,  /* {mode=highest} is a result_accuracy */
  HD_HLO_RAW,       /* text that is kept as it is */
  HD_HLO_OTHER,     /* the row's hooks read and print it */
  HD_HLO_DROPPED,   /* read, and without a meaning here */
} hd_hlo_attr_kind;

typedef struct hd_hlo_attr_row {
  const char *name; /* null: the end of a list */
  hd_hlo_attr_kind kind;
  hd_name attr;
  bool always; /* always written; where it is missing it is {}, 0 or false */
  int row;     /* of an enum; where |attr| is a struct, its row */
  int param;   /* the parameter of that struct, -1: |attr| is no struct */
  const char *prefix;
} hd_hlo_attr_row;

/* The custom call that ragged-all-to-all is. */
#define HD_HLO_RAGGED_ALL_TO_ALL "ragged_all_to_all"

struct hd_hlo_import;
struct hd_hlo_inst;
struct hd_hlo_printer;

typedef struct hd_hlo_row {
  const char *name; /* the opcode as it is written; null: printed otherwise, see the hook */
  hd_opcode opcode; /* 0: no op, the hook gives the values */
  const hd_hlo_attr_row *attrs;
  /* Makes the op, or values, of an instruction; false when it reported an error. */
  bool (*import)(struct hd_hlo_import *s, const struct hd_hlo_inst *inst);
  /* Writes an op of |opcode|; null: never printed by this row. */
  bool (*print)(struct hd_hlo_printer *p, hd_op *op);
} hd_hlo_row;

const hd_hlo_row *hd_hlo_row_of(hd_str opcode);       /* null when there is none */
const hd_hlo_row *hd_hlo_row_of_op(hd_opcode opcode); /* the first that prints it; null when there is none */

#endif
