/* SPDX-License-Identifier: Apache-2.0 */
/* Result types from operands, attributes and regions: the helpers of the infer hooks, and the calls that run a hook.
 *
 * A hook looks at an hd_op_state, which may describe an op that does not exist yet (a reader asks for the types that
 * the text leaves out) or one that does (the verifier compares, refine-shapes improves). state->result_types, where
 * given, are hints: they decide what operands do not tell (the element type of a dot, the dims of a dynamic reshape).
 * What a hook reports is "'stablehlo.pad' op ..." at the state's location. Hooks hold for any types and attributes that
 * fit the row's constraints; they never assume that counts or ranks agree. Thread-compatible. */
#ifndef HD_IR_INFER_H_
#define HD_IR_INFER_H_

#include "ir/hooks.h"

/* A ranked shape that is being worked out. */
typedef struct hd_sketch {
  uint32_t rank;
  int64_t dims[HD_MAX_RANK];   /* HD_DYNAMIC where unknown */
  int64_t bounds[HD_MAX_RANK]; /* upper bound of an unknown dim, HD_DYNAMIC where there is none */
  int encoding;                /* the row in which bounds are written, 0 when no operand had any */
} hd_sketch;

/* Runs the hook of |op|'s row. False when there is none, or (after an error) when the operands do not fit.
 * |out| has room for op->result_count types; the op's own result types serve as hints. */
bool hd_op_infer(hd_op *op, hd_arena *scratch, hd_type *out);
/* True when |actual| may stand where |inferred| was worked out: elements that may meet, dims equal or unknown, known
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
/* An error unless the op has |count| results (or none are known yet). */
bool hd_check_result_count(const hd_op_state *state, size_t count);
/* The constant integers of operand |i| (a shape tensor); false when it is no constant or holds other than |count|. */
bool hd_state_constant(const hd_op_state *state, size_t i, uint32_t count, int64_t *out);

static inline bool hd_is_ranked(hd_type type) { return type->kind == HD_TYPE_TENSOR; }
/* False (without an error) for unranked types, false with an error for a rank above HD_MAX_RANK. */
bool hd_sketch_of(const hd_op_state *state, hd_type type, hd_sketch *out);
/* A sketch of |rank| unknown dims. */
hd_sketch hd_sketch_unknown(uint32_t rank);
/* tensor<dims x element> with the bounds of unknown dims as encoding. */
hd_type hd_sketch_type(const hd_op_state *state, hd_type element, const hd_sketch *sketch);
/* Makes dim |i| of |a| as precise as dim |j| of |b|; false when both are known and differ. */
bool hd_sketch_meet_dim(hd_sketch *a, uint32_t i, const hd_sketch *b, uint32_t j);
/* Copies dim |j| of |b|, bound included. */
void hd_sketch_copy_dim(hd_sketch *a, uint32_t i, const hd_sketch *b, uint32_t j);
/* "4", "?" and so on for messages: a fixed ring of buffers of this thread, good for a few uses. */
const char *hd_dim_text(int64_t dim);
/* Dims are in [0, limit) and differ from each other; the error says |what|. */
bool hd_check_dims(const hd_op_state *state, const char *what, const int64_t *dims, uint32_t count, int64_t limit);
/* The i-th operand of the terminator of region |region|'s entry block, null when there is none. */
hd_type hd_state_yielded(const hd_op_state *state, size_t region, uint32_t i);

/* The same for hooks of verify: an op as a state. |operands| has room for its operands. */
hd_op_state hd_op_as_state(hd_op *op, hd_value **operands, hd_type *results, hd_region **regions);

#endif
