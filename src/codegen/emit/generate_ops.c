/* SPDX-License-Identifier: Apache-2.0 */
/* Ops without loops: elementwise ones, and those that read their operands at other indices. */
#include "codegen/emit/generate_ops.h"

#include "codegen/emit/pieces.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

#define L hd_generator_lanes(g)
enum { MAX_KNOWN = 64 /* lanes whose places are looked at one by one */ };

hd_dim hd_generator_dim_of(hd_generator *g, hd_value *buffer, uint32_t d) {
  return hd_shapes_dim(g->shapes, buffer, d);
}

static hd_lane_index dim_index(hd_generator *g, hd_dim dim) { return hd_lane_scalar(hd_generate_dim(g, dim)); }

static bool equal(hd_generator *g, hd_dim a, hd_dim b) { return hd_dim_equal(&g->shapes->table, a, b); }

static bool is_one(hd_generator *g, hd_dim a) {
  int64_t value;
  return hd_dim_is_const(&g->shapes->table, a, &value) && value == 1;
}

static uint32_t rank_of(hd_value *buffer) { return hd_type_rank(buffer->type); }

static bool elementwise(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t count = hd_buffer_input_count(op);
  hd_element operands[4];
  hd_type elements[4];
  if (count > 4 || !count) return hd_op_error(op, "has %u operands, expected 1 to 3 of an elementwise op", count);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *operand = hd_operand(op, i);
    const hd_index_tuple *at = rank_of(operand) == index->rank ? index : hd_new_tuple(g, 0);
    if (!hd_generate(g, operand, at, &operands[i])) return false;
    elements[i] = hd_type_element(operand->type);
  }
  return hd_emit_elementwise(g->b, op, hd_buffer_opcode(op), elements, operands, hd_type_element(output->type),
                             g->lanes, out);
}

static bool constant(hd_generator *g, hd_op *op, hd_value *output, hd_element *out) {
  hd_attr value = hd_stablehlo_constant_value(op);
  if (!hd_attr_is(value, HD_ATTR_DENSE) || !value->dense.splat)
    return hd_op_error(op, "is an array, expected a splat in a kernel");
  *out = hd_emit_constant(g->b, hd_type_element(output->type), value->dense.data, g->lanes);
  return true;
}

static bool iota(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_type element = hd_type_element(output->type), type = hd_lanes_type(hd_compute_type(element), g->lanes);
  hd_value *at = hd_lane_spread(L, index->at[hd_iota_like_iota_dimension(op)]);
  hd_type part = hd_type_element(type);
  hd_value *value = at;
  if (part->kind == HD_TYPE_FLOAT) {
    hd_type i64 = hd_lanes_type(hd_i64(g->b->context), g->lanes);
    value = hd_build(g->b, HD_OP_arith_sitofp, type, hd_build(g->b, HD_OP_arith_index_cast, i64, at));
  } else if (part->kind != HD_TYPE_INDEX) {
    value = hd_build(g->b, HD_OP_arith_index_cast, type, at);
  }
  *out = (hd_element){value, element->kind == HD_TYPE_COMPLEX ? hd_build_float(g->b, type, 0) : NULL};
  return true;
}

static bool broadcast(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_value *operand = hd_operand(op, 0);
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  hd_index_tuple *at = hd_new_tuple(g, rank_of(operand));
  for (uint32_t d = 0; d < at->rank; ++d) {
    uint32_t to = (uint32_t)hd_attr_int_at(dims, d);
    hd_dim from_dim = hd_generator_dim_of(g, operand, d), to_dim = hd_generator_dim_of(g, output, to);
    if (equal(g, from_dim, to_dim)) {
      at->at[d] = index->at[to];
    } else if (is_one(g, from_dim)) {
      at->at[d] = hd_lane_const(L, 0);
    } else if (hd_discardable_agrees(op)) { /* this version runs where no dim but such of size 1 is spread */
      at->at[d] = index->at[to];
    } else { /* one or equal, which only the run tells */
      at->at[d] = hd_lane_if(L, index->at[to], hd_lane_less(L, hd_lane_const(L, 1), dim_index(g, from_dim)));
    }
  }
  return hd_generate(g, operand, at, out);
}

/* Splits both shapes into the shortest runs of dims with equal products; within a run the position is made linear and
 * taken apart again, so equal dims stay as they are. */
static void reshape_index(hd_generator *g, hd_value *from, hd_value *to, const hd_index_tuple *index,
                          hd_index_tuple *out) {
  hd_dim_table *t = &g->shapes->table;
  uint32_t i = 0, o = 0, ni = rank_of(from), no = rank_of(to);
  while (i < ni || o < no) {
    uint32_t i0 = i, o0 = o;
    hd_dim pi = hd_dim_const(t, 1), po = hd_dim_const(t, 1);
    do { /* |from| is what the consumer indexes, |to| the operand */
      bool take_from = i < ni && (o >= no || i - i0 <= o - o0);
      if (take_from)
        pi = hd_dim_mul(t, pi, hd_generator_dim_of(g, from, i++));
      else
        po = hd_dim_mul(t, po, hd_generator_dim_of(g, to, o++));
    } while ((i < ni || o < no) && !(i > i0 && o > o0 && equal(g, pi, po)));
    if (i - i0 == 1 && o - o0 == 1) {
      out->at[o0] = index->at[i0];
      continue;
    }
    hd_lane_index linear = hd_lane_const(L, 0);
    for (uint32_t d = i0; d < i; ++d)
      linear = hd_lane_add(L, hd_lane_mul(L, linear, dim_index(g, hd_generator_dim_of(g, from, d))), index->at[d]);
    uint32_t first = o0; /* the outermost dim that is not 1 has what is left */
    while (first + 1 < o && is_one(g, hd_generator_dim_of(g, to, first))) ++first;
    for (uint32_t d = o; d-- > o0;) {
      if (d == first) {
        out->at[d] = linear;
      } else if (d < first || is_one(g, hd_generator_dim_of(g, to, d))) {
        out->at[d] = hd_lane_const(L, 0);
      } else {
        /* A reader that masks the value (pad) computes indices of an empty operand too: never divide by zero. */
        hd_dim dim = hd_generator_dim_of(g, to, d);
        hd_lane_index size = dim_index(g, hd_dim_lower(dim) < 1 ? hd_dim_max(t, dim, hd_dim_const(t, 1)) : dim);
        out->at[d] = hd_lane_rem(L, linear, size);
        linear = hd_lane_div(L, linear, size);
      }
    }
  }
}

static bool follows_memory(hd_generator *g, hd_value *buffer, uint32_t *steps) {
  if (hd_map_get(&g->fixed, buffer) || !*steps) return false;
  hd_op *op = hd_map_get(&g->writers, buffer);
  if (!op || hd_map_get(&g->stored, buffer)) return true;
  --*steps;
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_constant) return true;
  if (hd_is_reshape_like(op)) return follows_memory(g, hd_operand(op, 0), steps);
  if (hd_is_broadcast_in_dim_like(op)) return !rank_of(hd_operand(op, 0));
  if (!hd_is_elementwise(op) || !hd_buffer_input_count(op)) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (rank_of(hd_operand(op, i)) && !follows_memory(g, hd_operand(op, i), steps)) return false;
  return true;
}

bool hd_generate_by_position(hd_generator *g, hd_value *buffer) {
  uint32_t steps = 64;
  return !g->direct && rank_of(buffer) && follows_memory(g, buffer, &steps);
}

/* The position of |index| in the row-major order of |buffer|'s elements. */
static hd_lane_index position_of(hd_generator *g, hd_value *buffer, const hd_index_tuple *index) {
  hd_dim_table *t = &g->shapes->table;
  hd_lane_index total = hd_lane_const(L, 0);
  hd_dim stride = hd_dim_const(t, 1);
  for (uint32_t d = index->rank; d-- > 0;) {
    int64_t zero;
    if (!(hd_lane_is_const(index->at[d], &zero) && !zero))
      total = hd_lane_add(L, total, hd_lane_mul(L, index->at[d], dim_index(g, stride)));
    stride = hd_dim_mul(t, stride, hd_generator_dim_of(g, buffer, d));
  }
  return total;
}

static bool reshape(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_value *operand = hd_operand(op, 0);
  hd_index_tuple *at = hd_new_tuple(g, rank_of(operand));
  for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = hd_lane_const(L, 0);
  if (hd_generate_by_position(g, operand))
    at->at[at->rank - 1] = position_of(g, output, index);
  else
    reshape_index(g, output, operand, index, at);
  return hd_generate(g, operand, at, out);
}

static bool transpose(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  hd_attr permutation = hd_stablehlo_transpose_permutation(op);
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d) at->at[hd_attr_int_at(permutation, d)] = index->at[d];
  return hd_generate(g, hd_operand(op, 0), at, out);
}

static bool slice(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  hd_attr start = hd_stablehlo_slice_start_indices(op), strides = hd_stablehlo_slice_strides(op);
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d)
    at->at[d] = hd_lane_add(L, hd_lane_mul(L, index->at[d], hd_lane_const(L, hd_attr_int_at(strides, d))),
                            hd_lane_const(L, hd_attr_int_at(start, d)));
  return hd_generate(g, hd_operand(op, 0), at, out);
}

/* Host scalars after the buffers: starts, then strides. */
static bool real_dynamic_slice(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d) {
    hd_lane_index start = hd_lane_scalar(hd_generate_scalar(g, hd_operand(op, 2 + d)));
    hd_lane_index stride = hd_lane_scalar(hd_generate_scalar(g, hd_operand(op, 2 + at->rank + d)));
    at->at[d] = hd_lane_add(L, hd_lane_mul(L, index->at[d], stride), start);
  }
  return hd_generate(g, hd_operand(op, 0), at, out);
}

static bool dynamic_slice(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_value *operand = hd_operand(op, 0);
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d) {
    hd_lane_index start;
    if (!hd_generate_clamped_start(g, hd_operand(op, 1 + d), hd_generator_dim_of(g, operand, d),
                                   hd_generator_dim_of(g, output, d), &start))
      return false;
    at->at[d] = hd_lane_add(L, index->at[d], start);
  }
  return hd_generate(g, operand, at, out);
}

static bool dynamic_update_slice(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index,
                                 hd_element *out) {
  hd_value *operand = hd_operand(op, 0), *update = hd_operand(op, 1);
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  hd_guard inside = {0};
  for (uint32_t d = 0; d < at->rank; ++d) {
    hd_dim whole = hd_generator_dim_of(g, output, d), size = hd_generator_dim_of(g, update, d);
    if (equal(g, whole, size)) {
      at->at[d] = index->at[d];
      continue;
    }
    hd_lane_index start;
    if (!hd_generate_clamped_start(g, hd_operand(op, 2 + d), whole, size, &start)) return false;
    at->at[d] = hd_lane_sub(L, index->at[d], start);
    hd_guard_add(g, &inside, hd_lane_less(L, hd_lane_const(L, -1), at->at[d]));
    hd_guard_add(g, &inside, hd_lane_less(L, at->at[d], dim_index(g, size)));
  }
  hd_element old;
  if (!hd_generate(g, operand, index, &old)) return false;
  return hd_generate_guarded(g, inside, update, at, old, out);
}

static bool reverse(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_attr dims = hd_stablehlo_reverse_dimensions(op);
  hd_index_tuple *at = hd_new_tuple(g, index->rank);
  for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = index->at[d];
  for (size_t i = 0; i < hd_attr_count(dims); ++i) {
    uint32_t d = (uint32_t)hd_attr_int_at(dims, i);
    hd_dim last = hd_dim_sub(&g->shapes->table, hd_generator_dim_of(g, output, d), hd_dim_const(&g->shapes->table, 1));
    at->at[d] = hd_lane_sub(L, dim_index(g, last), index->at[d]);
  }
  return hd_generate(g, hd_operand(op, 0), at, out);
}

/* low and interior of dim |d|: attributes, or host scalars after the buffers (low, high, interior). */
static void padding_of(hd_generator *g, hd_op *op, uint32_t rank, uint32_t d, hd_lane_index *low, hd_lane_index *step) {
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_dynamic_pad) {
    *low = hd_lane_scalar(hd_generate_scalar(g, hd_operand(op, 3 + d)));
    *step =
        hd_lane_add(L, hd_lane_scalar(hd_generate_scalar(g, hd_operand(op, 3 + 2 * rank + d))), hd_lane_const(L, 1));
  } else {
    *low = hd_lane_const(L, hd_attr_int_at(hd_stablehlo_pad_edge_padding_low(op), d));
    *step = hd_lane_const(L, hd_attr_int_at(hd_stablehlo_pad_interior_padding(op), d) + 1);
  }
}

static bool pad(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  hd_value *operand = hd_operand(op, 0);
  hd_index_tuple *piece = hd_in_piece(g, op, index), *at = piece ? piece : hd_new_tuple(g, index->rank);
  if (piece && g->pieces->piece != 1) return hd_generate(g, hd_operand(op, 1), hd_new_tuple(g, 0), out);
  hd_guard inside = {0};
  for (uint32_t d = 0; d < (piece ? g->pieces->axis : at->rank); ++d) {
    hd_lane_index low, step, zero = hd_lane_const(L, 0);
    padding_of(g, op, at->rank, d, &low, &step);
    hd_lane_index from = hd_lane_sub(L, index->at[d], low);
    int64_t known;
    bool plain = hd_lane_is_const(low, &known) && known == 0 && hd_lane_is_const(step, &known) && known == 1 &&
                 hd_dim_equal(&g->shapes->table, hd_generator_dim_of(g, operand, d),
                              hd_generator_dim_of(g, hd_buffer_output(op, 0), d));
    if (plain) {
      at->at[d] = from;
      continue;
    }
    hd_guard_add(g, &inside, hd_lane_less(L, hd_lane_const(L, -1), from));
    if (!(hd_lane_is_const(step, &known) && known == 1)) {
      hd_lane_index positive = hd_lane_max(L, from, zero);
      hd_guard_add(g, &inside, hd_lane_less(L, hd_lane_rem(L, positive, step), hd_lane_const(L, 1)));
      from = hd_lane_div(L, positive, step);
    }
    hd_guard_add(g, &inside, hd_lane_less(L, from, dim_index(g, hd_generator_dim_of(g, operand, d))));
    at->at[d] = from;
  }
  hd_element value;
  if (!hd_generate(g, hd_operand(op, 1), hd_new_tuple(g, 0), &value)) return false;
  return hd_generate_guarded(g, inside, operand, at, value, out);
}

/* Where the place of each lane along the axis is known, so is its operand: lanes of others read what is there at the
 * nearest place, and are replaced. */
static bool concatenate_known(hd_generator *g, hd_op *op, const hd_index_tuple *index, const int64_t *lanes,
                              hd_element *out) {
  uint32_t axis = (uint32_t)hd_stablehlo_concatenate_dimension(op), count = hd_buffer_input_count(op),
           width = g->lanes ? g->lanes : 1;
  int64_t start = 0, size;
  bool any = false;
  for (uint32_t i = 0; i < count; ++i, start += size) {
    hd_value *operand = hd_operand(op, i);
    hd_dim_is_const(&g->shapes->table, hd_generator_dim_of(g, operand, axis), &size);
    int64_t inside[MAX_KNOWN];
    uint8_t here[MAX_KNOWN];
    uint32_t own = 0;
    for (uint32_t l = 0; l < width; ++l) {
      int64_t at = lanes[l] - start;
      here[l] = at >= 0 && at < size;
      own += here[l];
      inside[l] = at < 0 ? 0 : at < size ? at : size - 1;
    }
    if (!own) continue;
    hd_index_tuple *at = hd_new_tuple(g, index->rank);
    for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = index->at[d];
    at->at[axis] = g->lanes ? hd_lane_of_pattern(L, hd_build_index(g->b, 0), inside) : hd_lane_const(L, inside[0]);
    hd_element value;
    if (!hd_generate(g, operand, at, &value)) return false;
    if (any) {
      hd_attr mask = hd_attr_dense(hd_lanes_type(hd_i1(g->b->context), g->lanes), here, width, false);
      value = hd_emit_select(g->b, hd_build_constant(g->b, mask), value, *out);
    }
    *out = value;
    any = true;
  }
  return any;
}

/* Operand k covers [start_k, start_k + size_k) of the axis: chosen from the last one back. */
static bool concatenate(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t axis = (uint32_t)hd_stablehlo_concatenate_dimension(op), count = hd_buffer_input_count(op);
  hd_dim_table *t = &g->shapes->table;
  hd_index_tuple *piece = hd_in_piece(g, op, index);
  if (piece) return hd_generate(g, hd_operand(op, g->pieces->piece), piece, out);
  hd_dim start = hd_dim_const(t, 0);
  hd_lane_index start_index = hd_lane_const(L, 0);
  hd_type type = hd_type_element(output->type);
  int64_t lanes[MAX_KNOWN], whole;
  bool known = g->lanes <= MAX_KNOWN && hd_lane_are_const(L, index->at[axis], lanes);
  for (uint32_t i = 0; i < count && known; ++i)
    known = hd_dim_is_const(t, hd_generator_dim_of(g, hd_operand(op, i), axis), &whole);
  if (known && concatenate_known(g, op, index, lanes, out)) return true;
  char zero[16] = {0};
  *out = hd_emit_constant(g->b, type, zero, g->lanes);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *operand = hd_operand(op, i);
    hd_index_tuple *at = hd_new_tuple(g, index->rank);
    for (uint32_t d = 0; d < at->rank; ++d) at->at[d] = index->at[d];
    at->at[axis] = hd_lane_sub(L, index->at[axis], start_index);
    hd_dim size = hd_generator_dim_of(g, operand, axis);
    hd_guard inside = {0};
    hd_guard_add(g, &inside, hd_lane_less(L, hd_lane_const(L, -1), at->at[axis]));
    hd_guard_add(g, &inside, hd_lane_less(L, at->at[axis], dim_index(g, size)));
    if (!hd_generate_guarded(g, inside, operand, at, *out, out)) return false;
    /* a sum of more sizes than an expression holds is added up in the kernel */
    start = hd_dim_add(t, start, size);
    start_index = start ? dim_index(g, start) : hd_lane_add(L, start_index, dim_index(g, size));
  }
  return true;
}

/* The specification's gather: batch index -> start vector, clamped, plus offsets. */
static bool gather(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_value *operand = hd_operand(op, 0), *starts = hd_operand(op, 1);
  hd_attr n = hd_gather_like_dimension_numbers(op);
  hd_attr offset_dims = hd_attr_stablehlo_gather_offset_dims(n),
          collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  hd_attr operand_batching = hd_attr_stablehlo_gather_operand_batching_dims(n),
          start_batching = hd_attr_stablehlo_gather_start_indices_batching_dims(n);
  hd_attr start_map = hd_attr_stablehlo_gather_start_index_map(n);
  uint32_t start_rank = rank_of(starts), vector_dim = (uint32_t)hd_attr_stablehlo_gather_index_vector_dim(n);
  hd_dim_table *t = &g->shapes->table;
  hd_lane_index batch[HD_COMPILED_MAX_RANK], offset[HD_COMPILED_MAX_RANK];
  uint32_t batch_count = 0, offset_count = 0;
  for (uint32_t d = 0; d < rank_of(output); ++d)
    if (hd_attr_find_int(offset_dims, d) >= 0)
      offset[offset_count++] = index->at[d];
    else
      batch[batch_count++] = index->at[d];
  hd_index_tuple *at = hd_new_tuple(g, rank_of(operand));
  uint32_t next_offset = 0;
  for (uint32_t d = 0; d < at->rank; ++d) {
    hd_dim whole = hd_generator_dim_of(g, operand, d), size = hd_dim_const(t, 1);
    int64_t batching = hd_attr_find_int(operand_batching, d), mapped = hd_attr_find_int(start_map, d);
    bool is_collapsed = hd_attr_find_int(collapsed, d) >= 0;
    if (batching >= 0) {
      int64_t start_dim = hd_attr_int_at(start_batching, (size_t)batching);
      at->at[d] = batch[start_dim - (start_dim > vector_dim ? 1 : 0)];
      continue;
    }
    hd_lane_index value = is_collapsed ? hd_lane_const(L, 0) : offset[next_offset];
    /* A collapsed dim reads one element, for a slice of none too. */
    if (!is_collapsed) size = hd_generator_dim_of(g, output, (uint32_t)hd_attr_int_at(offset_dims, next_offset++));
    if (mapped >= 0) {
      hd_index_tuple *from = hd_new_tuple(g, start_rank);
      for (uint32_t s = 0, b = 0; s < start_rank; ++s)
        from->at[s] = s == vector_dim ? hd_lane_const(L, mapped) : batch[b++];
      hd_element start;
      if (!hd_generate(g, starts, from, &start)) return false;
      hd_value *cast = hd_generate_index_cast(g, start.re, hd_type_element(starts->type));
      bool uniform = true; /* the start is the same in all lanes when no index of it varies */
      for (uint32_t s = 0; s < start_rank; ++s) uniform &= !hd_lane_varies(from->at[s]);
      hd_lane_index lane = hd_lane_of_vector(L, cast, from->at, start_rank);
      if (g->lanes && uniform)
        lane = hd_lane_scalar(hd_build_one_(
            g->b, HD_OP_vector_extract, hd_type_index(g->b->context), &cast, 1,
            &(hd_attr_arg){HD_NAME_static_position, hd_attr_i64_array(g->b->context, (int64_t[]){0}, 1)}, 1));
      else if (!g->lanes)
        lane = hd_lane_scalar(cast);
      lane = hd_lane_max(L, hd_lane_min(L, lane, dim_index(g, hd_dim_sub(t, whole, size))), hd_lane_const(L, 0));
      value = hd_lane_add(L, value, lane);
    }
    at->at[d] = value;
  }
  return hd_generate(g, operand, at, out);
}

bool hd_is_elementwise(const hd_op *op) {
  hd_opcode opcode = hd_buffer_opcode(op);
  uint32_t inputs = hd_buffer_input_count(op);
  if (!inputs || inputs > 4 || hd_buffer_output_count(op) != 1) return false;
  uint32_t typed = hd_typed_operand(opcode);
  return typed < inputs && hd_can_emit_elementwise(opcode, hd_type_element(hd_operand_type(op, typed)),
                                                   hd_type_element(hd_buffer_output(op, 0)->type));
}

bool hd_has_generator(hd_opcode opcode) {
  switch (opcode) {
#define GENERATE(code, call) case HD_OP_##code:
#include "codegen/emit/generate.def"
    return true;
    default:
      return false;
  }
}

bool hd_can_generate(hd_op *op) {
  hd_opcode opcode = hd_buffer_opcode(op);
  if (opcode == HD_OP_stablehlo_constant) {
    hd_attr value = hd_stablehlo_constant_value(op);
    return hd_attr_is(value, HD_ATTR_DENSE) && value->dense.splat;
  }
  /* An operand and an initial value for each result, which hd.outputs counts. */
  if ((opcode == HD_OP_stablehlo_reduce || opcode == HD_OP_stablehlo_reduce_window) &&
      hd_buffer_input_count(op) != 2 * hd_buffer_output_count(op) + hd_buffer_capture_count(op))
    return false;
  return hd_has_generator(opcode) || hd_is_elementwise(op);
}

bool hd_generate_op(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_loc loc = g->b->loc;
  g->b->loc = op->loc;
  bool ok;
  switch (hd_buffer_opcode(op)) {
#define GENERATE(code, call) \
  case HD_OP_##code:         \
    ok = call;               \
    break;
#include "codegen/emit/generate.def"
    default:
      ok = elementwise(g, op, output, index, out);
  }
  g->b->loc = loc;
  return ok;
}
