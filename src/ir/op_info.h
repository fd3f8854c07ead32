/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of every op: one row in ops/<dialect>.def, read by everything that lists ops.
 *
 *   OP(arith_addi, "arith.addi",
 *      ARGS("lhs: int_like, rhs: int_like"), RESULTS("result: int_like"), ATTRS("overflowFlags?: enum"), REGIONS(""),
 *      PURE | COMMUTATIVE | SAME_TYPE,
 *      "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
 *      HOOKS(FOLD(arith_addi) EVAL(arith_addi)), "Integer addition, wrapping.")
 *
 * Columns
 *   opcode    HD_OP_<first column>; the second is the name in text.
 *   ARGS      "name: constraint, ..."; a '*' after the name is variadic, '?' optional. With more than one variadic or
 *             optional the op carries operandSegmentSizes (or names its segments by the trait SAME_VARIADIC_SIZE).
 *   RESULTS   the same, for results. In both, "name: constraint = rule" says what the type is where the format does not
 *             write it (MLIR's AllTypesMatch, TypesMatchWith and buildable types):
 *               = x            the type of the operand, result or typed attribute x
 *               = element(x)   x's element type; of complex<f32> it is f32
 *               = bool(x)      x with the element i1
 *               = index(x)     x with the element index
 *               = complex(x)   x with the element complex<element of x>
 *               = pointee(x)   what pointers x point to: of tensor<4x!tt.ptr<f32>> it is tensor<4xf32>
 *               = pointers(x)  pointers to x: the other way
 *               = types(x)     the types of all values of the variadic operand x, one by one
 *               = flagged(x)   !llvm.struct<(x, i1)>
 *               = ins(x), = outs(x)   the inputs or results of the function type of x (for variadic items)
 *               = <type>       that type as MLIR writes it, such as i1, index, !gpu.async.token
 *             Without a rule a missing type follows from a constraint that only one type meets (i1, i32, i64, index,
 *             token), the traits SAME_TYPE and SAME_OPERANDS, CONSTANT_LIKE's value, and last the `infer` hook.
 *   ATTRS     inherent attributes "name: constraint"; '?' optional; "name?: constraint = text" has a default, which is
 *             MLIR text of the attribute and is what an absent attribute means. `unit|bool` and `flags` (an i32) are
 *             what MLIR keeps as a bool and a number in the op: only bytecode shows it.
 *   REGIONS   "name, name"; '*' variadic. SUCCESSORS are a trait (HAS_SUCCESSORS).
 *   traits    flags of enum hd_trait without the prefix HD_.
 *   format    MLIR's declarative assembly format, interpreted by text/ for both reading and printing; null: the generic
 *             form only. `custom<Name>(...)` calls a hook of text/hooks.def. How `$attr` is written follows from its
 *             constraint: i1 to i64, index, f32 and f64 without the type; string, symbol, type, array, dict as usual;
 *             dims, i32_array, bool_array as [0, 1]; a unit only through its group; "dialect.name" by the format of
 *             that row (an enum as its keyword); sym_name as @name; anything else with its type. `$name` of an op with
 *             HAS_SUCCESSORS that is no operand, attribute or region is the next successor.
 *   HOOKS     VERIFY(x) INFER(x) FOLD(x): hd_verify_x, hd_infer_x and hd_fold_x are the hooks of the row. EVAL(x):
 *             hd_eval_x is its meaning; the evaluator, a folder above, makes its own table of these. TOGETHER(x):
 *             hd_together_x is what the threads of a block do at it together (eval/machine/convergence.h).
 *   doc       one line for docs/ops.md.
 *
 * HLO(add, ...) rows of hlo.def stand for three spellings: stablehlo.add and mhlo.add share the opcode
 * HD_OP_stablehlo_add; lmhlo.add is HD_OP_lmhlo_add, derived (operands then outputs, no results, reads and writes).
 * MHLO(x, ...) rows exist in mhlo and lmhlo only. */
#ifndef HD_IR_OP_INFO_H_
#define HD_IR_OP_INFO_H_

#include "ir/attributes.h"

typedef enum hd_opcode {
  HD_OP_UNREGISTERED = 0,
#define OP(code, ...) HD_OP_##code,
#define HLO(code, ...) HD_OP_stablehlo_##code,
#define MHLO(code, ...) HD_OP_mhlo_##code,
#include "ir/ops/all_ops.def"
#define HLO(code, ...) HD_OP_lmhlo_##code,
#define MHLO(code, ...) HD_OP_lmhlo_##code,
#include "ir/ops/hlo_ops.def"
  HD_OPCODE_COUNT
} hd_opcode;

typedef enum hd_trait_bit {
#define TRAIT(name, doc) HD_TRAIT_BIT_##name,
#include "ir/ops/traits.def"
  HD_TRAIT_COUNT
} hd_trait_bit;

enum {
  HD_TRAIT_LIMIT_ = 1 / (HD_TRAIT_COUNT <= 64), /* traits are bits of one word */
};

#define HD_TRAIT(name) (1ull << HD_TRAIT_BIT_##name)

/* What a type-inference hook sees: an op before it exists. */
typedef struct hd_op_state {
  hd_context *context;
  hd_loc loc;
  enum hd_opcode opcode;
  hd_ident name; /* as read; tells the spelling (stablehlo or mhlo), and the name of an unregistered op */
  hd_value *const *operands;
  size_t operand_count;
  const hd_type *result_types;
  size_t result_count;
  const hd_attr *properties; /* null, or those of an op whose row has the same names */
  const struct hd_op_attr *attrs;
  size_t attr_count;
  hd_block *const *successors;
  size_t successor_count;
  size_t region_count;       /* empty regions are made; fill them after creation, or move in |regions| */
  hd_region *const *regions; /* null, or |region_count| detached regions whose blocks are moved into the op */
} hd_op_state;

/* A result of folding: either an attribute (a constant is made of it) or an existing value. */
typedef struct hd_fold_result {
  hd_attr attr;
  hd_value *value;
} hd_fold_result;

struct hd_shape_context; /* ir/shapes/shape_function.h */

typedef struct hd_op_hooks {
  /* Reports every violation as an error at the op and returns false if there was one. Operand, result and attribute
   * presence and constraints, regions and traits have been checked before by the verifier. */
  bool (*verify)(hd_op *op);
  /* Gives the result types from operands, attributes and regions; false (with an error reported at state->loc) when
   * they do not fit. |out_types| has room for |state->result_count| when that is set, else the row's fixed count. */
  bool (*infer)(const hd_op_state *state, hd_type *out_types);
  /* The same over abstract sizes, instead of |infer|: see ir/shapes/shape_function.h. */
  bool (*shape)(struct hd_shape_context *context);
  /* Folds to constants or operands; false: nothing folded. |operands|: constant value per operand or null. In-place
   * changes are canonicalisations, not folds. */
  bool (*fold)(hd_op *op, const hd_attr *operands, hd_fold_result *out_results);
} hd_op_hooks;

typedef struct hd_op_info {
  hd_opcode opcode;
  const char *name;                             /* "stablehlo.add" */
  const char *args, *results, *attrs, *regions; /* as in the row */
  uint64_t traits;
  const char *format; /* null: generic only */
  hd_op_hooks hooks;
  const char *doc;
  hd_opcode derived_from; /* of lmhlo ops: the stablehlo or mhlo opcode, else 0 */
} hd_op_info;

/* The row of |opcode|; rows are constant and shared by all threads. */
const hd_op_info *hd_op_info_of(hd_opcode opcode);
/* The opcode of a name in any spelling ("mhlo.add" gives HD_OP_stablehlo_add), 0 when there is no row. */
hd_opcode hd_opcode_of(hd_context *context, hd_str name);
/* The lmhlo opcode derived from a graph-level one, 0 when there is none. */
hd_opcode hd_opcode_to_lmhlo(hd_opcode opcode);
/* True when some row has this dialect prefix ("arith"). */
bool hd_dialect_is_known(hd_str dialect);

/* The names of an op's properties, in the order of their text: those of ATTRS, operandSegmentSizes and
 * resultSegmentSizes where the traits ask for them, and hd.placement of graph and buffer ops. */
typedef struct hd_name_list {
  uint32_t count;
  const uint16_t *names; /* enum hd_name */
} hd_name_list;
const hd_name_list *hd_row_names(hd_opcode opcode);
/* The kind of a discardable attribute (ops/discardable.def), null when it has no row. */
const char *hd_discardable_attr_kind(const char *name);

/* ARGS, RESULTS, ATTRS and REGIONS, parsed. */
typedef enum hd_arity { HD_ONE, HD_OPTIONAL, HD_VARIADIC } hd_arity;
typedef struct hd_signature_item {
  hd_ident name;
  hd_str constraint;   /* "" when any */
  hd_str default_text; /* attributes: "" when there is none */
  hd_arity arity;
} hd_signature_item;
typedef struct hd_signature_list {
  size_t count;
  const hd_signature_item *items;
  size_t variable; /* items that are optional or variadic */
} hd_signature_list;
typedef struct hd_signature {
  hd_signature_list args, results, attrs, regions;
} hd_signature;

/* Splits a column "name: constraint = rule, ..."; lives as long as the context. */
hd_signature_list hd_signature_parse_list(hd_context *context, const char *text);
/* Parsed once per context and opcode; lives as long as the context. */
const hd_signature *hd_signature_of(hd_context *context, hd_opcode opcode);

/* Rows of dialect attributes (ops/attributes.def) and types (ops/types.def).
 *   ENUM(nvvm_shfl_kind, "nvvm", "shfl_kind", "bfly, up, down, idx", STYLE)
 *   STRUCT(stablehlo_dot, "stablehlo", "dot", "lhs_batching_dimensions?: dims, ...", FORMAT)
 *   TYPE(stablehlo_token, "stablehlo", "token", "", FORMAT) */
typedef enum hd_attr_row {
#define ENUM(code, ...) HD_ENUM_##code,
#define STRUCT(code, ...) HD_STRUCT_##code,
#include "ir/ops/attributes.def"
  HD_ATTR_ROW_COUNT
} hd_attr_row;
typedef enum hd_type_row {
#define TYPE(code, ...) HD_TYPE_ROW_##code,
#include "ir/ops/types.def"
  HD_TYPE_ROW_COUNT
} hd_type_row;

/* !stablehlo.token */
static inline bool hd_type_is_token(hd_type type) {
  return hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == HD_TYPE_ROW_stablehlo_token;
}

typedef struct hd_attr_row_info {
  bool is_enum;
  const char *dialect, *name;
  const char *params; /* of a struct: "name: kind" list; of an enum: "CASE, CASE=value, ..." */
  const char *format; /* how it is written, see attributes.def */
  const char *alias;  /* of a layout: the name that stands for it in text, "" when none; null of all others */
} hd_attr_row_info;

const hd_attr_row_info *hd_attr_row_info_of(int row);
const hd_attr_row_info *hd_type_row_info_of(int row);
/* -1 when there is no such row. */
int hd_attr_row_find(hd_str dialect, hd_str name);
int hd_type_row_find(hd_str dialect, hd_str name);
/* The name of an enum case, "" when |value| is none; and back (false when there is none). */
hd_str hd_enum_case_name(int row, int64_t value);
bool hd_enum_case_value(int row, hd_str name, int64_t *out_value);
/* Parameter |name| of a struct attribute or dialect type; null when absent. */
hd_attr hd_struct_get(hd_attr structure, hd_name name);
/* Parameter |index| of a struct attribute of |row|; null of any other. ir/ops/structs.h has an accessor for each. */
hd_attr hd_struct_param(hd_attr structure, int row, uint32_t index);

#endif
