/* SPDX-License-Identifier: Apache-2.0 */
/* Result types from operands, attributes and regions: what hooks of infer and shape functions ask of an op, and the
 * calls that run them.
 *
 * A hook looks at an hd_op_state, which may describe an op that does not exist yet (a reader asks for the types that
 * the text leaves out) or one that does (the verifier compares, refine-shapes improves). state->result_types, where
 * given, are hints: they decide what operands do not tell (the element type of a dot, the dims of a reshape).
 * What a hook reports is "'stablehlo.pad' op ..." at the state's location. Hooks hold for any types and attributes that
 * fit the row's constraints; they never assume that counts or ranks agree. Thread-compatible. */
#ifndef HD_IR_INFER_H_
#define HD_IR_INFER_H_

#include "ir/hooks.h"

/* Do the result types of |opcode| follow from its operands? Its row has a hook of infer or a shape function. */
bool hd_opcode_infers(hd_opcode opcode);
/* Runs the hook of the row. False when there is none, when the types do not follow, or (after an error) when the
 * operands do not fit. |out| has room for the results. */
bool hd_infer_types(const hd_op_state *state, hd_type *out);
/* The same of |op|, whose own result types serve as hints. */
bool hd_op_infer(hd_op *op, hd_arena *scratch, hd_type *out);
/* True when |actual| may be where |inferred| was worked out: elements that may meet, dims equal or unknown, known
 * dims within bounds. */
bool hd_types_compatible(hd_type inferred, hd_type actual);

/* "'name' op <text>" at the state's location; always false. */
bool hd_infer_error(const hd_op_state *state, const char *format, ...) HD_PRINTF(2, 3);

static inline hd_type hd_state_type(const hd_op_state *state, size_t i) { return state->operands[i]->type; }
hd_attr hd_state_attr(const hd_op_state *state, hd_name name); /* null when absent */
int64_t hd_state_int(const hd_op_state *state, hd_name name, int64_t otherwise);
/* The |count| integers of a list attribute, |otherwise| when it is absent; an error when the count differs. */
bool hd_state_ints(const hd_op_state *state, hd_name name, size_t count, int64_t otherwise, int64_t *out);
/* All integers of a list attribute, at most HD_MAX_RANK of them. */
bool hd_state_list(const hd_op_state *state, hd_name name, int64_t *out, uint32_t *out_count);
/* The hint for result |i|, null when there is none. */
static inline hd_type hd_state_hint(const hd_op_state *state, size_t i) {
  return state->result_types && i < state->result_count ? state->result_types[i] : NULL;
}
/* How many results the op has, |otherwise| when that is not known yet. */
static inline size_t hd_state_results(const hd_op_state *state, size_t otherwise) {
  return state->result_count ? state->result_count : otherwise;
}
/* An error unless there are as many operands as the row has, of types that fit it: what hooks may assume, to be
 * asked before them where nothing else has checked the operands. */
bool hd_check_operands(const hd_op_state *state);
/* An error unless the op has |count| results (or none are known yet). */
bool hd_check_result_count(const hd_op_state *state, size_t count);

static inline bool hd_is_ranked(hd_type type) { return type->kind == HD_TYPE_TENSOR; }
/* The bounds of |type|'s unknown dims, HD_DYNAMIC where there is none; null when its encoding has none. */
hd_attr hd_type_bounds(hd_type type);
/* tensor<dims x element>; |bounds| of unknown dims become its encoding, in row |row| (0: #stablehlo.bounds). */
hd_type hd_type_bounded(hd_type element, const int64_t *dims, const int64_t *bounds, uint32_t rank, int row);
/* Dims are in [0, limit) and differ from each other; the error says |what|. */
bool hd_check_dims(const hd_op_state *state, const char *what, const int64_t *dims, uint32_t count, int64_t limit);
/* The i-th operand of the terminator of region |region|'s entry block, null when there is none. */
hd_type hd_state_yielded(const hd_op_state *state, size_t region, uint32_t i);

/* The same for hooks of verify: an op as a state. |operands| has room for its operands. */
hd_op_state hd_op_as_state(hd_op *op, hd_value **operands, hd_type *results, hd_region **regions);

#endif
