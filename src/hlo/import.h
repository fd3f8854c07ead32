/* SPDX-License-Identifier: Apache-2.0 */
/* From instructions to ops: what the import hooks of rows share. */
#ifndef HD_HLO_IMPORT_H_
#define HD_HLO_IMPORT_H_

#include "hlo/rows.h"
#include "hlo/syntax.h"
#include "ir/builder.h"

/* The values of an instruction: as many as its shape has leaves, or one that stands for work in progress. */
typedef struct hd_hlo_values {
  hd_value **data;
  uint32_t count;
  bool async; /* one value for the results to come, whatever the shape says */
} hd_hlo_values;

/* A computation that is being imported into a block. */
typedef struct hd_hlo_import {
  hd_hlo_reader *r;
  const hd_hlo_computation *computation;
  hd_builder b;
  hd_value *const *args; /* the leaves of its parameters */
  uint32_t *first_arg;   /* of each parameter, by its instruction */
  hd_hlo_values *values; /* of each instruction */
} hd_hlo_import;

typedef struct hd_hlo_attr_args {
  hd_attr_arg data[24];
  size_t len;
} hd_hlo_attr_args;

/* The text of attribute |name|, with null data where it is missing. */
hd_str hd_hlo_find_attr(const hd_hlo_inst *inst, const char *name);
/* The computation that attribute |name| names; null (and an error unless |optional|) where there is none. */
hd_hlo_computation *hd_hlo_find_computation(hd_hlo_import *s, const hd_hlo_inst *inst, const char *name);
hd_hlo_computation *hd_hlo_computation_named(hd_hlo_reader *r, hd_hlo_cursor *c);

/* The attributes of |inst| that its row and every instruction may have; others are errors. */
bool hd_hlo_read_attrs(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *out);
bool hd_hlo_add_attr(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, hd_name name, hd_attr value);
/* The operands' values, one after the other. False when one stands for work in progress. */
bool hd_hlo_operands(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value ***out, uint32_t *out_count);
/* The types of the leaves of |shape|. */
hd_type *hd_hlo_leaf_types(hd_hlo_reader *r, const hd_hlo_shape *shape, uint32_t *out_count);
/* The name of operand |i|, for a message. */
const char *hd_hlo_operand_name(const hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t i);
/* Are there |count| operands? */
bool hd_hlo_check_operands(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t count);

/* The op of |inst| with |regions| empty regions; its results become the instruction's values. Null (with an error) only
 * where the shape was left out and does not follow. */
hd_op *hd_hlo_make(hd_hlo_import *s, const hd_hlo_inst *inst, hd_opcode opcode, hd_value *const *operands,
                   uint32_t operand_count, const hd_hlo_attr_args *attrs, uint32_t regions);
/* The instruction's values; an error when they are not those of its shape. */
bool hd_hlo_set(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value *const *values, uint32_t count);
/* One value for results to come. */
void hd_hlo_set_async(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value *value);
/* The composite of a call that says it is one; |function| is what it calls, |given| are its attributes. */
bool hd_hlo_import_composite(hd_hlo_import *s, const hd_hlo_inst *inst, hd_attr function, hd_value *const *values,
                             uint32_t count, const hd_hlo_attr_args *given);
/* The function that |computation| is, which is made (and its body later) where it has none. */
hd_op *hd_hlo_function_of(hd_hlo_reader *r, hd_hlo_computation *computation);
/* The op of a row whose hook needs no more than operands and attributes; null when an error was reported. */
hd_op *hd_hlo_make_plain(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t regions);

/* |computation| as a region: block arguments are the leaves of its parameters, the terminator is stablehlo.return. */
bool hd_hlo_import_region(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *computation,
                          hd_region *region);
/* The same without block arguments: the parameters are |args|. */
bool hd_hlo_import_branch(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *computation, hd_region *region,
                          hd_value *const *args, uint32_t count);
/* Imports the instructions of |s->computation|; |*out| are the values of its root. */
bool hd_hlo_import_body(hd_hlo_import *s, hd_hlo_values *out);
/* The attribute that a sharding becomes. */
/* {name="text",other={...}} as a dictionary of strings; null with an error reported. */
hd_attr hd_hlo_read_dictionary(hd_hlo_cursor *c);
hd_name hd_hlo_sharding_name(const hd_hlo_reader *r);
hd_loc hd_hlo_loc(hd_hlo_reader *r, const hd_hlo_inst *inst);

/* Groups of processes ({{0,1},{2,3}}, [2,2]<=[4], mesh['a'=2,'b'=2] {'a'}) as a matrix with a row for each, short ones
 * filled up with -1. Null when an error was reported. */
hd_attr hd_hlo_read_groups(hd_hlo_cursor *c);
hd_attr hd_hlo_read_lists(hd_hlo_cursor *c); /* the first form alone */

/* A tensor of i64 with |rank| rows of |columns|. */
hd_attr hd_hlo_matrix(hd_context *context, const int64_t *values, size_t rows, size_t columns);

/* The shape of an instruction that leaves it out: before it is imported, where it is another's (true also where it
 * follows later); and when the op is made. */
bool hd_hlo_infer_shape(hd_hlo_import *s, const hd_hlo_inst *inst);
bool hd_hlo_infer_results(hd_hlo_import *s, const hd_hlo_inst *inst, hd_opcode opcode, hd_value *const *operands,
                          uint32_t count, const hd_hlo_attr_args *attrs);

/* A dot's algorithm and a function's accuracy as their attributes (precision.c). Null when an error was reported. */
hd_attr hd_hlo_read_algorithm(hd_hlo_cursor *c);
hd_attr hd_hlo_read_accuracy(hd_hlo_cursor *c);

/* The import hooks that hlo_ops.def names. */
#define HLO_OP(name, op, hook, ...) bool hd_hlo_import_##hook(hd_hlo_import *s, const hd_hlo_inst *inst);
#define HLO_READ(name, hook, ...) bool hd_hlo_import_##hook(hd_hlo_import *s, const hd_hlo_inst *inst);
#define PRINT_ONLY(...)
#include "hlo/hlo_ops.def"

#endif
