/* SPDX-License-Identifier: Apache-2.0 */
/* From ops to HLO text: what the print hooks of rows share. Computations are written as they are finished, so each
 * is before its users. */
#ifndef HD_HLO_PRINT_H_
#define HD_HLO_PRINT_H_

#include "hlo/rows.h"

/* One computation that is being written. */
typedef struct hd_hlo_printer {
  struct hd_hlo_writer *w;
  hd_strbuf text;
  hd_map values;        /* hd_value -> its name */
  hd_map names;         /* names that are taken in this computation */
  const hd_value *root; /* the one value that the computation gives; null when it gives a tuple */
  const char *op_name;  /* of the instruction that is being written */
} hd_hlo_printer;

/* A block as a computation. */
typedef struct hd_hlo_body {
  hd_block *block;
  hd_str base;           /* of a region: its name, made unique */
  hd_op *func;           /* of a function, whose name is reserved; else null */
  bool packed;           /* the arguments are one parameter */
  bool returns_captured; /* |captured| are results too */
  bool entry;
  hd_value *const *captured; /* values from outside, which become arguments after the block's */
  uint32_t capture_count;
} hd_hlo_body;

typedef struct hd_hlo_writer {
  hd_context *context;
  hd_module *module;
  hd_arena scratch;
  hd_strbuf *out;
  hd_map computations; /* names that are taken */
  hd_map reserved;     /* func.func -> the name of its computation, which regions leave alone */
  hd_map functions;    /* the same of those that are written */
  uint32_t depth;      /* of calls */
  bool failed;
} hd_hlo_writer;

/* Reports at |op| that HLO text has no way to say |what|. Always false. */
bool hd_hlo_cannot(hd_hlo_printer *p, hd_op *op, const char *what);

/* An instruction is begun, gets its operands and is ended:
 * "  %name = shape opcode(". The results of |op| get names: the instruction's, or those of elements that hd_hlo_end
 *    writes. */
bool hd_hlo_begin(hd_hlo_printer *p, hd_op *op, const char *opcode);
/* The names of operands |first| to |last| - 1, and ")". */
bool hd_hlo_put_operands(hd_hlo_printer *p, hd_op *op, uint32_t first, uint32_t last);
/* The attributes of |op|'s row, those of every instruction, metadata, and the elements of several results. */
bool hd_hlo_end(hd_hlo_printer *p, hd_op *op);

/* The parts of that, for instructions that are not made so. "  ROOT %name = " */
void hd_hlo_put_line(hd_hlo_printer *p, const hd_value *value, const char *name);
const char *hd_hlo_name_op(hd_hlo_printer *p, hd_op *op, const char *opcode);
bool hd_hlo_put_attrs(hd_hlo_printer *p, hd_op *op);
void hd_hlo_put_common_attrs(hd_hlo_printer *p, hd_op *op); /* those that every instruction may have */
void hd_hlo_put_metadata(hd_hlo_printer *p, hd_loc loc);
void hd_hlo_put_elements(hd_hlo_printer *p, hd_op *op);
/* The same for an op whose instruction gives |count| values, at least the op's. */
void hd_hlo_put_results(hd_hlo_printer *p, hd_op *op, uint32_t count);

bool hd_hlo_put_type(hd_hlo_printer *p, hd_type type);
/* One type as it is, others as a tuple. */
bool hd_hlo_put_types(hd_hlo_printer *p, const hd_value *values, uint32_t count);
bool hd_hlo_put_value_types(hd_hlo_printer *p, hd_value *const *values, uint32_t count);
void hd_hlo_put_quoted(hd_strbuf *out, hd_str text);
void hd_hlo_put_frontend_attributes(hd_strbuf *out, hd_attr dict); /* nothing of none */
void hd_hlo_put_dims(hd_strbuf *out, hd_attr dims);                /* {0,1} */
bool hd_hlo_put_lists(hd_strbuf *out, hd_attr groups);             /* {{0,1},{2}}; false when it is no matrix */
const char *hd_hlo_value_name(hd_hlo_printer *p, hd_value *value);
/* |text| as a name of the grammar: itself where it is one. */
void hd_hlo_put_name(hd_strbuf *out, hd_str text);
/* A name for an instruction of this computation that |base| begins. */
const char *hd_hlo_new_name(hd_hlo_printer *p, hd_str base);
/* The values as one: |values[0]| itself, or a tuple instruction. Its name. */
const char *hd_hlo_pack(hd_hlo_printer *p, hd_value *const *values, uint32_t count);

/* Names that functions of |w->module| have stay theirs, so that text which was read is printed with them. */
void hd_hlo_reserve_names(hd_hlo_writer *w);
/* Each gives the computation's name, null when it cannot be said. */
const char *hd_hlo_print_computation(hd_hlo_writer *w, const hd_hlo_body *body);
const char *hd_hlo_print_region(hd_hlo_printer *p, hd_op *op, uint32_t i, const char *base);
const char *hd_hlo_print_function(hd_hlo_printer *p, hd_op *op, hd_op *func);
/* The values that |region| uses from outside, in the order of their first uses; how many. */
uint32_t hd_hlo_captures(hd_hlo_writer *w, hd_region *region, hd_value ***out);

/* The frontend attributes of a composite: its own and those that say what it is. */
hd_attr hd_hlo_composite_attributes(hd_hlo_printer *p, hd_op *op);
/* Is |op| written as a size of the dynamic-reshape that uses it, and no instruction? */
bool hd_hlo_is_part_of_shape(hd_hlo_printer *p, hd_op *op);
/* A custom call that is an opcode of its own. */
bool hd_hlo_is_ragged_all_to_all(hd_op *op);
bool hd_hlo_print_ragged_all_to_all(hd_hlo_printer *p, hd_op *op);

/* The same as text; false where HLO has no name for it. */
bool hd_hlo_put_algorithm(hd_strbuf *out, hd_attr attr);
bool hd_hlo_put_accuracy(hd_strbuf *out, hd_attr attr);

/* The print hooks that hlo_ops.def names. */
#define HLO_OP(name, op, hook, ...) bool hd_hlo_print_##hook(hd_hlo_printer *p, hd_op *op_);
#define HLO_READ(...)
#define PRINT_ONLY(name, op, hook, ...) bool hd_hlo_print_##hook(hd_hlo_printer *p, hd_op *op_);
#include "hlo/hlo_ops.def"

#endif
