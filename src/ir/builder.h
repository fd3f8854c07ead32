/* SPDX-License-Identifier: Apache-2.0 */
/* A cursor that makes ops: building code reads like the code it builds.
 *
 *   hd_builder b = hd_builder_before(op);
 *   hd_value *sum = hd_build(&b, HD_OP_arith_addf, x->type, x, y);
 *
 * Ops are inserted at the cursor with the builder's location. */
#ifndef HD_IR_BUILDER_H_
#define HD_IR_BUILDER_H_

#include "ir/op.h"

typedef struct hd_builder {
  hd_module *module;
  hd_context *context;
  hd_block *block;
  hd_op *before; /* insert before this op; null: at the end of the block */
  hd_loc loc;
} hd_builder;

hd_builder hd_builder_before(hd_op *op);
hd_builder hd_builder_after(hd_op *op);
hd_builder hd_builder_at_start(hd_module *module, hd_block *block);
hd_builder hd_builder_at_end(hd_module *module, hd_block *block);

/* A name and value for the attribute lists below. */
typedef struct hd_attr_arg {
  hd_name name;
  hd_attr value; /* null: left out */
} hd_attr_arg;

/* The general form. Attributes in |attrs| up to |attr_count|. */
hd_op *hd_build_op(hd_builder *b, hd_opcode opcode, hd_value *const *operands, size_t operand_count,
                   const hd_type *result_types, size_t result_count, const hd_attr_arg *attrs, size_t attr_count,
                   size_t region_count);
hd_op *hd_build_state(hd_builder *b, const hd_op_state *state);
/* What takes the place of |op|: an op |opcode|, most often the same, with its attributes and location, other operands
 * and results. Takes the regions of |op|. */
hd_op *hd_build_like(hd_builder *b, hd_op *op, hd_opcode opcode, hd_value *const *operands, size_t operand_count,
                     const hd_type *result_types, size_t result_count);

#define HD_COUNT_OF_VALUES_(...) (sizeof((hd_value *[]){__VA_ARGS__}) / sizeof(hd_value *))
/* One result, operands in order: hd_build(b, opcode, type, x, y). */
#define hd_build(b, opcode, type, ...) \
  hd_build_one_((b), (opcode), (type), (hd_value *[]){__VA_ARGS__}, HD_COUNT_OF_VALUES_(__VA_ARGS__), NULL, 0)
/* One result, with |attr_count| attributes. |type| null: what the hook of the row infers from operands and attributes;
 * where they do not fit, it is reported and control leaves to the innermost guard (hd_internal_error). */
hd_value *hd_build_one_(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count,
                        const hd_attr_arg *attrs, size_t attr_count);
/* The same, the operands in two lists. */
hd_value *hd_build_joined_(hd_builder *b, hd_opcode opcode, hd_type type, hd_value *const *first, size_t first_count,
                           hd_value *const *rest, size_t rest_count, const hd_attr_arg *attrs, size_t attr_count);
/* An op on two values of one type, which is the result's. */
static inline hd_value *hd_build_binary(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(b, opcode, x->type, x, y);
}
/* The same, or what it folds to: one of the operands or a constant. */
hd_value *hd_build_folded(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y);
/* No result: hd_build0(b, opcode, x, y). Gives the op. */
#define hd_build0(b, opcode, ...) \
  hd_build_op((b), (opcode), (hd_value *[]){__VA_ARGS__}, HD_COUNT_OF_VALUES_(__VA_ARGS__), NULL, 0, NULL, 0, 0)

/* i1, or the vector or tensor of it that has the shape of |type|: what a comparison gives. */
static inline hd_type hd_type_bool_like(hd_type type) {
  hd_type i1 = hd_i1(type->context);
  return hd_type_is_shaped(type) ? hd_type_with_element(type, i1) : i1;
}

/* The most used ones. */
hd_value *hd_build_index(hd_builder *b, int64_t value);              /* arith.constant : index */
hd_value *hd_build_int(hd_builder *b, hd_type type, int64_t value);  /* arith.constant, splat for vectors */
hd_value *hd_build_float(hd_builder *b, hd_type type, double value); /* arith.constant, splat for vectors */
hd_value *hd_build_constant(hd_builder *b, hd_attr value);           /* arith.constant of an attribute */
hd_value *hd_build_hlo_constant(hd_builder *b, hd_attr value);       /* stablehlo.constant */
/* func.func @name with an entry block; arguments are its block arguments. */
hd_op *hd_build_func(hd_builder *b, hd_str name, hd_type type, bool is_private);
/* scf.for lb ub step with iter_args |inits|: gives the op; its body block has the induction variable and the iter
 * arguments, and needs an scf.yield. */
hd_op *hd_build_for(hd_builder *b, hd_value *lower, hd_value *upper, hd_value *step, hd_value *const *inits,
                    size_t count);
/* scf.if with result types; both regions get an empty block (the else region none when there is no result and
 * |with_else| is false). */
hd_op *hd_build_if(hd_builder *b, hd_value *condition, const hd_type *types, size_t count, bool with_else);
void hd_build_yield(hd_builder *b, hd_value *const *values, size_t count); /* scf.yield */
/* memref.prefetch of element |at| of a flat memref, to be read: into all caches. It may be outside. */
void hd_build_prefetch(hd_builder *b, hd_value *memref, hd_value *at);

#endif
