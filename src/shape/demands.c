/* SPDX-License-Identifier: Apache-2.0 */
/* What ops demand of their operands' dims: the constraints of the specification that types with unknown dims leave to
 * the run. Compiled code reads and writes without further checks, so each constraint that keeps an op inside of its
 * operands must be demanded here; the table is demands.def. */
#include "ir/ragged_dot.h"
#include "shape/infer.h"

static hd_dim dim_of(hd_shapes *s, hd_op *op, uint32_t operand, uint32_t d) {
  return hd_shapes_dim(s, hd_operand(op, operand), d);
}

static uint32_t rank_of(const hd_op *op, uint32_t operand) {
  return hd_type_has_rank(hd_operand_type(op, operand)) ? hd_type_rank(hd_operand_type(op, operand)) : 0;
}

static bool has_dim(const hd_op *op, uint32_t operand, int64_t d) {
  return operand < op->operand_count && d >= 0 && d < rank_of(op, operand);
}

static void relate(hd_shapes *s, hd_op *op, hd_shape_relation relation, uint32_t a, int64_t ad, uint32_t b,
                   int64_t bd) {
  if (has_dim(op, a, ad) && has_dim(op, b, bd))
    hd_shapes_demand(s, op, relation, dim_of(s, op, a, (uint32_t)ad), hd_place_operand(a, (uint32_t)ad),
                     dim_of(s, op, b, (uint32_t)bd), hd_place_operand(b, (uint32_t)bd));
}

static void equal(hd_shapes *s, hd_op *op, uint32_t a, int64_t ad, uint32_t b, int64_t bd) {
  relate(s, op, HD_SHAPE_EQUAL, a, ad, b, bd);
}

static void equals_number(hd_shapes *s, hd_op *op, uint32_t operand, int64_t d, int64_t number) {
  if (has_dim(op, operand, d))
    hd_shapes_demand(s, op, HD_SHAPE_EQUAL, dim_of(s, op, operand, (uint32_t)d), hd_place_operand(operand, (uint32_t)d),
                     hd_dim_const(&s->table, number), hd_place_number());
}

static void alike(hd_shapes *s, hd_op *op, uint32_t a, uint32_t b) {
  for (uint32_t d = 0; d < rank_of(op, a) && rank_of(op, a) == rank_of(op, b); ++d) equal(s, op, a, d, b, d);
}

static void at_least(hd_shapes *s, hd_op *op, hd_dim value, hd_shape_place place, int64_t least) {
  hd_shapes_demand(s, op, HD_SHAPE_AT_MOST, hd_dim_const(&s->table, least), hd_place_number(), value, place);
  if (value && value->late && !s->conditional) hd_dim_assume_at_least(&s->table, value, least);
}

/* Of |value| at most dim |d| of operand |operand|. */
static void at_most_dim(hd_shapes *s, hd_op *op, hd_dim value, hd_shape_place place, uint32_t operand, int64_t d) {
  if (has_dim(op, operand, d))
    hd_shapes_demand(s, op, HD_SHAPE_AT_MOST, value, place, dim_of(s, op, operand, (uint32_t)d),
                     hd_place_operand(operand, (uint32_t)d));
}

static hd_dim number_at(hd_shapes *s, hd_attr list, size_t i) {
  return i < hd_attr_count(list) ? hd_dim_const(&s->table, hd_attr_int_at(list, i)) : NULL;
}

static void nothing(hd_shapes *s, hd_op *op) { (void)s, (void)op; }

/* The ops that stand for it tell. */
static void later(hd_shapes *s, hd_op *op) { (void)s, (void)op; }

static void all_alike(hd_shapes *s, hd_op *op) {
  for (uint32_t i = 1; i < op->operand_count; ++i) alike(s, op, 0, i);
}

static void first_half_alike(hd_shapes *s, hd_op *op) {
  for (uint32_t i = 1; i < op->operand_count / 2; ++i) alike(s, op, 0, i);
}

static void clamp(hd_shapes *s, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i += 2) alike(s, op, 1, i);
}

static void select(hd_shapes *s, hd_op *op) {
  if (op->operand_count != 3) return;
  alike(s, op, 1, 2);
  alike(s, op, 1, 0);
}

static void broadcast(hd_shapes *s, hd_op *op) {
  hd_attr dims = hd_op_attr_get(op, HD_NAME_broadcast_dimensions);
  uint32_t rank = hd_type_has_rank(hd_result_type(op, 0)) ? hd_type_rank(hd_result_type(op, 0)) : 0;
  for (uint32_t d = 0; d < rank_of(op, 0) && d < hd_attr_count(dims); ++d) {
    int64_t to = hd_attr_int_at(dims, d);
    if (to < 0 || to >= rank) continue;
    hd_shapes_demand(s, op, HD_SHAPE_SPREADS, dim_of(s, op, 0, d), hd_place_operand(0, d),
                     hd_shapes_dim(s, hd_result(op, 0), (uint32_t)to), hd_place_result((uint32_t)to));
  }
}

/* Sizes that an operand gives are no less than 0. */
static void sizes_in(hd_shapes *s, hd_op *op, uint32_t operand) {
  if (operand >= op->operand_count || hd_type_rank(hd_operand_type(op, operand)) != 1) return;
  uint32_t rank = hd_type_has_rank(hd_result_type(op, 0)) ? hd_type_rank(hd_result_type(op, 0)) : 0;
  for (uint32_t d = 0; d < rank; ++d)
    at_least(s, op, hd_shapes_read_element(s, hd_operand(op, operand), d),
             (hd_shape_place){"element", (int32_t)operand, d}, 0);
}

static void shape_operand(hd_shapes *s, hd_op *op) { sizes_in(s, op, op->operand_count - 1); }

static void dynamic_broadcast(hd_shapes *s, hd_op *op) {
  sizes_in(s, op, 1);
  broadcast(s, op);
}

static void reshape(hd_shapes *s, hd_op *op) {
  hd_dim from = hd_shapes_num_elements(s, hd_operand(op, 0)), to = hd_shapes_num_elements(s, hd_result(op, 0));
  if (from && to) {
    hd_shapes_demand(s, op, HD_SHAPE_EQUAL, from, (hd_shape_place){"elements", 0, 0}, to,
                     (hd_shape_place){"elements", -1, 0});
    return;
  }
  hd_vec_push(s->arena, &s->guards, /* products too large to be written: the host computes them */
              ((hd_shape_guard){.op = op,
                                .lhs = from,
                                .rhs = to,
                                .lhs_is = {"elements", 0, 0},
                                .rhs_is = {"elements", -1, 0},
                                .counted = {hd_operand(op, 0), hd_result(op, 0)},
                                .conditional = s->conditional > 0,
                                .around = s->around,
                                .each = hd_shapes_elements_of(s->around)}));
}

static void dynamic_reshape(hd_shapes *s, hd_op *op) {
  sizes_in(s, op, 1);
  reshape(s, op);
}

static void bitcast(hd_shapes *s, hd_op *op) {
  uint32_t from = hd_type_bits(hd_type_element(hd_operand_type(op, 0))),
           to = hd_type_bits(hd_type_element(hd_result_type(op, 0))), rank = rank_of(op, 0);
  if (from && hd_type_has_rank(hd_result_type(op, 0)) && rank > hd_type_rank(hd_result_type(op, 0)))
    equals_number(s, op, 0, rank - 1, to / from);
}

static void concatenate(hd_shapes *s, hd_op *op) {
  int64_t axis = hd_op_int_attr(op, HD_NAME_dimension, 0);
  for (uint32_t i = 1; i < op->operand_count; ++i)
    for (uint32_t d = 0; d < rank_of(op, 0); ++d)
      if (d != axis) equal(s, op, 0, d, i, d);
}

static void slice(hd_shapes *s, hd_op *op) {
  hd_attr limit = hd_op_attr_get(op, HD_NAME_limit_indices);
  for (uint32_t d = 0; d < rank_of(op, 0); ++d)
    at_most_dim(s, op, number_at(s, limit, d), (hd_shape_place){"limit", 0, d}, 0, d);
}

static void real_dynamic_slice(hd_shapes *s, hd_op *op) {
  for (uint32_t d = 0; d < rank_of(op, 0); ++d) {
    hd_dim start = hd_shapes_read_element(s, hd_operand(op, 1), d),
           limit = hd_shapes_read_element(s, hd_operand(op, 2), d),
           stride = hd_shapes_read_element(s, hd_operand(op, 3), d);
    hd_shape_place start_is = {"element", 1, d}, limit_is = {"element", 2, d};
    at_least(s, op, start, start_is, 0);
    hd_shapes_demand(s, op, HD_SHAPE_AT_MOST, start, start_is, limit, limit_is);
    at_most_dim(s, op, limit, limit_is, 0, d);
    at_least(s, op, stride, (hd_shape_place){"element", 3, d}, 1);
  }
}

static void dynamic_slice(hd_shapes *s, hd_op *op) {
  hd_attr sizes = hd_op_attr_get(op, HD_NAME_slice_sizes);
  for (uint32_t d = 0; d < rank_of(op, 0); ++d)
    at_most_dim(s, op, number_at(s, sizes, d), (hd_shape_place){"slice size", 0, d}, 0, d);
}

static void dynamic_update_slice(hd_shapes *s, hd_op *op) {
  for (uint32_t d = 0; d < rank_of(op, 0); ++d) relate(s, op, HD_SHAPE_AT_MOST, 1, d, 0, d);
}

static void dynamic_pad(hd_shapes *s, hd_op *op) {
  for (uint32_t d = 0; d < rank_of(op, 0); ++d)
    at_least(s, op, hd_shapes_read_element(s, hd_operand(op, 4), d), (hd_shape_place){"element", 4, d}, 0);
}

static void set_dimension_size(hd_shapes *s, hd_op *op) {
  hd_dim size = hd_shapes_read_element(s, hd_operand(op, 1), 0);
  at_least(s, op, size, (hd_shape_place){"element", 1, 0}, 0);
  at_most_dim(s, op, size, (hd_shape_place){"element", 1, 0}, 0, hd_op_int_attr(op, HD_NAME_dimension, -1));
}

static bool has_no_elements(hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (type->shaped.dims[d] == 0) return true;
  return false;
}

static void gather(hd_shapes *s, hd_op *op) {
  hd_attr n = hd_op_attr_get(op, HD_NAME_dimension_numbers), sizes = hd_op_attr_get(op, HD_NAME_slice_sizes);
  hd_attr collapsed = hd_struct_get(n, HD_NAME_collapsed_slice_dims),
          batching = hd_struct_get(n, HD_NAME_operand_batching_dims),
          indices = hd_struct_get(n, HD_NAME_start_indices_batching_dims),
          vector = hd_struct_get(n, HD_NAME_index_vector_dim);
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_gather);
  for (uint32_t d = 0; d < rank_of(op, 0); ++d) {
    hd_dim size = dynamic ? hd_shapes_read_element(s, hd_operand(op, 2), d) : number_at(s, sizes, d);
    hd_shape_place place = dynamic ? (hd_shape_place){"element", 2, d} : (hd_shape_place){"slice size", 0, d};
    at_least(s, op, size, place, 0);
    at_most_dim(s, op, size, place, 0, d);
    /* A slice of none in a collapsed dim gives the element at its start, if there is a result. */
    if (hd_attr_find_int(collapsed, d) >= 0 && !has_no_elements(op))
      at_most_dim(s, op, hd_dim_const(&s->table, 1), hd_place_number(), 0, d);
    if (hd_attr_find_int(collapsed, d) >= 0 || hd_attr_find_int(batching, d) >= 0)
      hd_shapes_demand(s, op, HD_SHAPE_AT_MOST, size, place, hd_dim_const(&s->table, 1), hd_place_number());
  }
  if (vector)
    equals_number(s, op, 1, vector->integer, (int64_t)hd_attr_count(hd_struct_get(n, HD_NAME_start_index_map)));
  for (size_t i = 0; i < hd_attr_count(batching) && i < hd_attr_count(indices); ++i)
    equal(s, op, 0, hd_attr_int_at(batching, i), 1, hd_attr_int_at(indices, i));
}

static void scatter(hd_shapes *s, hd_op *op) {
  hd_attr n = hd_op_attr_get(op, HD_NAME_scatter_dimension_numbers);
  hd_attr window = hd_struct_get(n, HD_NAME_update_window_dims),
          inserted = hd_struct_get(n, HD_NAME_inserted_window_dims),
          batching = hd_struct_get(n, HD_NAME_input_batching_dims), vector = hd_struct_get(n, HD_NAME_index_vector_dim),
          indices = hd_struct_get(n, HD_NAME_scatter_indices_batching_dims);
  if (op->operand_count < 3) return;
  uint32_t inputs = (op->operand_count - 1) / 2, first = inputs + 1;
  int64_t vector_dim = vector ? vector->integer : 0;
  for (uint32_t i = 1; i < inputs; ++i) {
    alike(s, op, 0, i);
    alike(s, op, first, first + i);
  }
  uint32_t into = 0, from = 0; /* the next dims of the input's windows, of the indices */
  for (uint32_t d = 0; d < rank_of(op, first); ++d) {
    if (hd_attr_find_int(window, d) >= 0) {
      while (hd_attr_find_int(inserted, into) >= 0 || hd_attr_find_int(batching, into) >= 0) ++into;
      relate(s, op, HD_SHAPE_AT_MOST, first, d, 0, into++);
    } else {
      if (from == vector_dim) ++from;
      equal(s, op, first, d, inputs, from++);
    }
  }
  equals_number(s, op, inputs, vector_dim,
                (int64_t)hd_attr_count(hd_struct_get(n, HD_NAME_scatter_dims_to_operand_dims)));
  for (size_t i = 0; i < hd_attr_count(batching) && i < hd_attr_count(indices); ++i)
    equal(s, op, 0, hd_attr_int_at(batching, i), inputs, hd_attr_int_at(indices, i));
}

static void select_and_scatter(hd_shapes *s, hd_op *op) {
  hd_attr window = hd_op_attr_get(op, HD_NAME_window_dimensions), strides = hd_op_attr_get(op, HD_NAME_window_strides),
          padding = hd_op_attr_get(op, HD_NAME_padding);
  for (uint32_t d = 0; d < rank_of(op, 0) && d < rank_of(op, 1); ++d) {
    hd_dim count = hd_shapes_windows(s, dim_of(s, op, 0, d), hd_dim_const(&s->table, hd_attr_int_at_or(window, d, 1)),
                                     hd_attr_int_at_or(strides, d, 1),
                                     hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * d, 0)),
                                     hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * d + 1, 0)), 1, 1);
    hd_shapes_demand(s, op, HD_SHAPE_EQUAL, dim_of(s, op, 1, d), hd_place_operand(1, d), count,
                     (hd_shape_place){"the windows along dim", 0, d});
  }
}

static void index_select(hd_shapes *s, hd_op *op) {
  int64_t batch = hd_op_int_attr(op, HD_NAME_batch_dims, 0);
  for (int64_t d = 0; d < batch && d < 64; ++d) equal(s, op, 0, d, 1, d);
}

static void dot(hd_shapes *s, hd_op *op) { equal(s, op, 0, (int64_t)rank_of(op, 0) - 1, 1, 0); }

static void dot_general(hd_shapes *s, hd_op *op) {
  hd_attr n = hd_op_attr_get(op, HD_NAME_dot_dimension_numbers);
  static const hd_name lists[][2] = {{HD_NAME_lhs_batching_dimensions, HD_NAME_rhs_batching_dimensions},
                                     {HD_NAME_lhs_contracting_dimensions, HD_NAME_rhs_contracting_dimensions}};
  for (int k = 0; k < 2; ++k) {
    hd_attr l = hd_struct_get(n, lists[k][0]), r = hd_struct_get(n, lists[k][1]);
    for (size_t i = 0; i < hd_attr_count(l) && i < hd_attr_count(r); ++i)
      equal(s, op, 0, hd_attr_int_at(l, i), 1, hd_attr_int_at(r, i));
  }
}

/* |n| divides dim |d| of |operand|. */
static void divisible(hd_shapes *s, hd_op *op, uint32_t operand, int64_t d, int64_t n) {
  if (n < 2 || !has_dim(op, operand, d)) return;
  hd_dim rest = hd_dim_mod(&s->table, dim_of(s, op, operand, (uint32_t)d), hd_dim_const(&s->table, n));
  hd_shapes_demand(s, op, HD_SHAPE_EQUAL, rest,
                   (hd_shape_place){"the remainder by the groups of dim", (int32_t)operand, (uint32_t)d},
                   hd_dim_const(&s->table, 0), hd_place_number());
}

static void convolution(hd_shapes *s, hd_op *op) {
  hd_attr n = hd_op_attr_get(op, HD_NAME_dimension_numbers);
  hd_attr batch = hd_struct_get(n, HD_NAME_input_batch_dimension),
          features = hd_struct_get(n, HD_NAME_input_feature_dimension),
          in = hd_struct_get(n, HD_NAME_kernel_input_feature_dimension),
          out = hd_struct_get(n, HD_NAME_kernel_output_feature_dimension);
  int64_t groups = hd_op_int_attr(op, HD_NAME_feature_group_count, 1),
          parts = hd_op_int_attr(op, HD_NAME_batch_group_count, 1);
  if (!batch || !features || !in || !out || !has_dim(op, 0, features->integer) || !has_dim(op, 1, in->integer)) return;
  uint32_t from = (uint32_t)features->integer, to = (uint32_t)in->integer;
  hd_shapes_demand(s, op, HD_SHAPE_EQUAL, dim_of(s, op, 0, from), hd_place_operand(0, from),
                   hd_dim_mul(&s->table, dim_of(s, op, 1, to), hd_dim_const(&s->table, groups)),
                   groups == 1 ? hd_place_operand(1, to) : (hd_shape_place){"feature_group_count times dim", 1, to});
  divisible(s, op, 0, batch->integer, parts);
  divisible(s, op, 1, out->integer, groups);
  divisible(s, op, 1, out->integer, parts);
}

static void square(hd_shapes *s, hd_op *op) {
  int64_t rank = rank_of(op, 0);
  equal(s, op, 0, rank - 2, 0, rank - 1);
}

static void triangular_solve(hd_shapes *s, hd_op *op) {
  int64_t rank = rank_of(op, 0);
  bool left = hd_op_int_attr(op, HD_NAME_left_side, 0);
  square(s, op);
  for (int64_t d = 0; d < rank - 2; ++d) equal(s, op, 0, d, 1, d);
  equal(s, op, 0, rank - 1, 1, left ? rank - 2 : rank - 1);
}

/* The last dims are the lengths of the transform, the very last halved on the complex side of a real one. */
static void fft(hd_shapes *s, hd_op *op) {
  hd_attr lengths = hd_op_attr_get(op, HD_NAME_fft_length);
  int64_t count = (int64_t)hd_attr_count(lengths), first = (int64_t)rank_of(op, 0) - count;
  bool halves = hd_type_element(hd_operand_type(op, 0))->kind == HD_TYPE_COMPLEX &&
                hd_type_element(hd_result_type(op, 0))->kind != HD_TYPE_COMPLEX;
  for (int64_t i = 0; i < count; ++i) {
    int64_t length = hd_attr_int_at(lengths, (size_t)i);
    equals_number(s, op, 0, first + i, halves && i + 1 == count && length ? length / 2 + 1 : length);
  }
}

static void batch_norm(hd_shapes *s, hd_op *op) {
  int64_t feature = hd_op_int_attr(op, HD_NAME_feature_index, -1);
  for (uint32_t i = 1; i < op->operand_count; ++i)
    if (rank_of(op, i) == 1) equal(s, op, i, 0, 0, feature);
  if (hd_op_is(op, HD_OP_stablehlo_batch_norm_grad) && op->operand_count > 4) alike(s, op, 0, 4);
}

static void scan(hd_shapes *s, hd_op *op) {
  int64_t axis = hd_op_int_attr(op, HD_NAME_dimension, 0), size = hd_op_int_attr(op, HD_NAME_scan_dim_size, HD_DYNAMIC);
  uint32_t inputs, outputs;
  hd_scan_counts(op, &inputs, &outputs);
  for (uint32_t i = 0; i < inputs && i < op->operand_count; ++i)
    if (size != HD_DYNAMIC)
      equals_number(s, op, i, axis, size);
    else
      equal(s, op, i, axis, 0, axis);
}

static void ragged_dot(hd_shapes *s, hd_op *op) {
  hd_ragged_dot dot;
  if (op->operand_count != 3 || hd_ragged_dot_read(hd_op_attr_get(op, HD_NAME_ragged_dot_dimension_numbers),
                                                   rank_of(op, 0), rank_of(op, 1), &dot))
    return;
  uint32_t groups = rank_of(op, 2);
  for (uint32_t i = 0; i < dot.lhs_batch.count && i < dot.rhs_batch.count; ++i)
    equal(s, op, 1, dot.rhs_batch.at[i], 0, dot.lhs_batch.at[i]);
  for (uint32_t i = 0; i < dot.lhs_contract.count && i < dot.rhs_contract.count; ++i)
    equal(s, op, 1, dot.rhs_contract.at[i], 0, dot.lhs_contract.at[i]);
  for (uint32_t i = 0; i < dot.lhs_prefix.count && i + 1 < groups; ++i) equal(s, op, 2, i, 0, dot.lhs_prefix.at[i]);
  equal(s, op, 2, (int64_t)groups - 1, 1, dot.group);
}

typedef void (*demand_hook)(hd_shapes *s, hd_op *op);

static demand_hook hook_of(hd_opcode opcode) {
  switch (opcode) {
#define DEMANDS(row, hook) \
  case HD_OP_##row:        \
    return hook;
#include "shape/demands.def"
    default:
      return NULL;
  }
}

void hd_shapes_demand_op(hd_shapes *s, hd_op *op) {
  demand_hook hook = hook_of(hd_opcode_get(op));
  if (hook) hook(s, op);
}

static bool cannot_fail(hd_op *op, void *user) {
  hd_shapes *s = user;
  if (hd_map_get(&s->demanding, op)) return false;
  return hook_of(hd_opcode_get(op)) != later || hd_op_has_known_dims(op);
}

bool hd_shapes_may_fail(hd_shapes *s, hd_op *op) {
  bool asked = s->demanding.len > 0;
  for (size_t i = 0; !asked && i < s->guards.len; ++i) {
    hd_op *guarded = s->guards.data[i].op;
    hd_map_set(s->arena, &s->demanding, guarded, guarded);
  }
  return !hd_walk_pre(op, cannot_fail, s);
}
