/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/pieces.h"

#include "codegen/emit/generate_ops.h"
#include "codegen/emit/kernels.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

enum {
  MOST_FOLLOWED = 64,
  MOST_OPS = 64, /* of a kernel whose loop is made several times */
};

#define L hd_generator_lanes(g)

static bool const_scalar(hd_generator *g, hd_value *host, int64_t *out) {
  hd_dim dim = hd_shapes_element(g->shapes, host, 0);
  return dim && hd_dim_is_const(&g->shapes->table, dim, out);
}

/* Number |which| (low, high, interior) of a pad's dim |d|, when it is known. */
static bool known_padding(hd_generator *g, hd_op *op, uint32_t which, uint32_t d, int64_t *out) {
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_dynamic_pad)
    return const_scalar(g, hd_operand(op, 3 + which * rank + d), out);
  hd_attr sizes[] = {hd_stablehlo_pad_edge_padding_low(op), hd_stablehlo_pad_edge_padding_high(op),
                     hd_stablehlo_pad_interior_padding(op)};
  *out = hd_attr_int_at(sizes[which], d);
  return true;
}

/* The innermost dim that a pad changes, where it puts nothing between elements; false for others. */
static bool axis_of_pad(hd_generator *g, hd_op *op, uint32_t *out) {
  for (uint32_t d = hd_type_rank(hd_operand_type(op, 0)); d-- > 0;) {
    int64_t low, high, between;
    bool plain = known_padding(g, op, 0, d, &low) && known_padding(g, op, 1, d, &high) && !low && !high;
    if (!known_padding(g, op, 2, d, &between) || between) return false;
    *out = d;
    if (!plain) return true;
  }
  return false;
}

static bool divides(hd_generator *g, hd_op *op, uint32_t *axis, uint32_t *count) {
  if (hd_is_pad_like(op)) {
    *count = 3;
    return axis_of_pad(g, op, axis);
  }
  *axis = hd_buffer_opcode(op) == HD_OP_stablehlo_concatenate ? (uint32_t)hd_stablehlo_concatenate_dimension(op) : 0;
  *count = hd_buffer_input_count(op);
  return hd_buffer_opcode(op) == HD_OP_stablehlo_concatenate && *count > 1 && *count <= HD_MOST_PIECES;
}

static bool find(hd_generator *g, hd_value *buffer, uint32_t rank, uint32_t *steps, hd_pieces *out) {
  hd_op *writer = hd_map_get(&g->writers, buffer);
  if (!writer || !*steps || hd_type_rank(buffer->type) != rank || hd_map_get(&g->fixed, buffer)) return false;
  --*steps;
  if (divides(g, writer, &out->axis, &out->count)) {
    out->op = writer;
    return true;
  }
  if (!hd_is_elementwise(writer)) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(writer); ++i)
    if (find(g, hd_operand(writer, i), rank, steps, out)) return true;
  return false;
}

void hd_find_pieces(hd_generator *g, hd_value *const *roots, size_t root_count, size_t op_count) {
  hd_pieces *found = hd_new(g->arena, hd_pieces);
  uint32_t steps = MOST_FOLLOWED;
  g->pieces = NULL;
  for (size_t i = 0; i < root_count && op_count <= MOST_OPS && !g->pieces; ++i)
    if (hd_type_rank(roots[i]->type) && find(g, roots[i], hd_type_rank(roots[i]->type), &steps, found))
      g->pieces = found;
}

/* The elements of the dims inside of the axis. */
static hd_dim inside_of_axis(hd_generator *g, const hd_pieces *p) {
  hd_value *output = hd_buffer_output(p->op, 0);
  hd_dim size = hd_dim_const(&g->shapes->table, 1);
  for (uint32_t d = p->axis + 1; d < hd_type_rank(output->type) && size; ++d)
    size = hd_dim_mul(&g->shapes->table, size, hd_generator_dim_of(g, output, d));
  return size;
}

bool hd_keep_pieces(hd_generator *g, uint32_t first) {
  const hd_pieces *p = g->pieces;
  if (!p) return false;
  hd_dim inside = inside_of_axis(g, p);
  hd_dim all = hd_dim_mul(&g->shapes->table, inside, hd_generator_dim_of(g, hd_buffer_output(p->op, 0), p->axis));
  int64_t known;
  bool short_ones = hd_dim_is_const(&g->shapes->table, all, &known) && known < (int64_t)p->count * HD_LANES;
  if (first != p->axis || !inside || short_ones) g->pieces = NULL;
  return g->pieces != NULL;
}

static hd_value *clamped(hd_builder *b, hd_value *x, hd_value *low, hd_value *high) {
  return hd_build_binary(b, HD_OP_arith_minsi, hd_build_binary(b, HD_OP_arith_maxsi, x, low), high);
}

/* Where operand |i| begins in the walked dims, before anything is cut off. */
static hd_value *begin_of(hd_generator *g, const hd_pieces *p, uint32_t i) {
  hd_value *inside = hd_generate_dim(g, inside_of_axis(g, p)), *start = hd_build_index(g->b, 0);
  int64_t known;
  if (hd_is_pad_like(p->op)) {
    start = known_padding(g, p->op, 0, p->axis, &known) ? hd_build_index(g->b, known)
                                                        : hd_generate_scalar(g, hd_operand(p->op, 3 + p->axis));
  } else {
    for (uint32_t k = 0; k < i; ++k)
      start = hd_build_binary(g->b, HD_OP_arith_addi, start,
                              hd_generate_dim(g, hd_generator_dim_of(g, hd_operand(p->op, k), p->axis)));
  }
  return hd_build_binary(g->b, HD_OP_arith_muli, start, inside);
}

void hd_open_pieces(hd_generator *g, hd_value *end) {
  hd_pieces *p = g->pieces;
  hd_value *zero = hd_build_index(g->b, 0);
  p->starts[0] = zero;
  p->starts[p->count] = end;
  if (hd_is_pad_like(p->op)) {
    hd_dim size = hd_generator_dim_of(g, hd_operand(p->op, 0), p->axis);
    hd_value *low = begin_of(g, p, 1), *inside = hd_generate_dim(g, inside_of_axis(g, p));
    hd_value *length = hd_build_binary(g->b, HD_OP_arith_muli, hd_generate_dim(g, size), inside);
    p->starts[1] = clamped(g->b, low, zero, end);
    p->starts[2] = clamped(g->b, hd_build_binary(g->b, HD_OP_arith_addi, low, length), p->starts[1], end);
    return;
  }
  for (uint32_t i = 1; i < p->count; ++i) p->starts[i] = begin_of(g, p, i);
}

hd_index_tuple *hd_in_piece(hd_generator *g, hd_op *op, const hd_index_tuple *index) {
  const hd_pieces *p = g->pieces;
  if (!p || p->op != op || !p->at) return NULL;
  hd_lane_index walked = index->at[index->rank - 1];
  if (walked.vector || walked.pattern || walked.when || walked.step != 1 || walked.scalar != p->at) return NULL;
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = index->at[d];
  hd_lane_index begin = hd_lane_scalar(begin_of(g, p, hd_is_pad_like(op) ? 1 : p->piece));
  at->at[at->rank - 1] = hd_lane_sub(L, walked, begin);
  return at;
}
