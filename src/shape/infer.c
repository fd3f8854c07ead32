/* SPDX-License-Identifier: Apache-2.0 */
/* Result dims of single ops. */
#include "shape/infer.h"

static hd_dim operand_dim(hd_shapes *s, hd_op *op, uint32_t operand, uint32_t d) {
  return hd_shapes_dim(s, hd_operand(op, operand), d);
}

static bool is_shaped(hd_value *value) { return hd_type_has_rank(value->type); }

/* Dim |d| of a result of |op| is |dim|. Where the type, or another operand, says it already, that must be the same. */
static void set(hd_shapes *s, hd_op *op, hd_value_shape *shape, uint32_t d, hd_dim dim) {
  if (d >= shape->rank || !dim) return;
  if (shape->dims[d])
    hd_shapes_demand(s, op, HD_SHAPE_EQUAL, shape->dims[d], hd_place_result(d), dim, hd_place_number());
  else
    shape->dims[d] = dim;
}

static void copy_dims(hd_shapes *s, hd_op *op, hd_value_shape *to, hd_value *from) {
  if (!is_shaped(from)) return;
  for (uint32_t d = 0; d < to->rank && d < hd_type_rank(from->type); ++d) set(s, op, to, d, hd_shapes_dim(s, from, d));
}

/* The dim of operand |k| that lies at dim |d| of a result of |rank| dims: where broadcast_dimensions places the operand
 * of lower rank, else counted from the right. Null when it has none there. */
static hd_dim broadcast_dim(hd_shapes *s, hd_op *op, uint32_t k, uint32_t d, uint32_t rank) {
  uint32_t own = hd_type_rank(hd_operand_type(op, k));
  hd_attr given = hd_op_attr_get(op, HD_NAME_broadcast_dimensions);
  bool placed = given && hd_attr_count(given) == own && own < rank;
  for (uint32_t i = 0; i < own; ++i)
    if ((placed ? hd_attr_int_at(given, i) : (int64_t)(rank - own + i)) == d) return operand_dim(s, op, k, i);
  return NULL;
}

/* Operands that broadcast together: a dim is the one that all operands have which are not known to be 1 there, or the
 * one that is known to be more than 1. Else only the run tells. */
static void infer_broadcast(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  for (uint32_t k = 0; k < op->operand_count; ++k)
    if (!is_shaped(hd_operand(op, k)) || hd_type_rank(hd_operand_type(op, k)) > shape->rank) return;
  for (uint32_t d = 0; d < shape->rank; ++d) {
    hd_dim found = NULL, large = NULL;
    bool agree = true;
    for (uint32_t k = 0; k < op->operand_count; ++k) {
      hd_dim dim = broadcast_dim(s, op, k, d, shape->rank);
      int64_t one;
      if (!dim || (hd_dim_is_const(&s->table, dim, &one) && one == 1)) continue;
      if (hd_dim_lower(dim) > 1) large = dim;
      agree = agree && (!found || hd_dim_equal(&s->table, found, dim));
      found = dim;
    }
    hd_dim dim = large ? large : !found ? hd_dim_const(&s->table, 1) : agree ? found : NULL;
    if (dim && !shape->dims[d]) shape->dims[d] = dim;
  }
}

/* Elementwise: all ranked operands of the result's rank have its dims; a known number wins over a symbol. */
static void infer_elementwise(hd_shapes *s, hd_op *op) {
  if (hd_op_broadcasts_implicitly(op)) {
    infer_broadcast(s, op);
    return;
  }
  for (uint32_t r = 0; r < op->result_count; ++r) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    if (!shape->rank) continue;
    uint32_t first = op->operand_count;
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      hd_value *operand = hd_operand(op, i);
      if (!is_shaped(operand) || hd_type_rank(operand->type) != shape->rank) continue;
      if (first == op->operand_count) first = i;
      for (uint32_t d = 0; d < shape->rank; ++d) {
        hd_dim dim = operand_dim(s, op, i, d);
        hd_shapes_demand(s, op, HD_SHAPE_EQUAL, operand_dim(s, op, first, d), hd_place_operand(first, d), dim,
                         hd_place_operand(i, d));
        set(s, op, shape, d, dim);
      }
    }
  }
}

/* The result's dims are the elements of operand |operand|. */
static void infer_from_shape_operand(hd_shapes *s, hd_op *op, uint32_t operand) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  if (operand >= op->operand_count) return;
  for (uint32_t d = 0; d < shape->rank; ++d) {
    set(s, op, shape, d, hd_shapes_read_element(s, hd_operand(op, operand), d));
  }
}

/* The operands that indices_of_shape_operands lists are the dims of the results, as the program writes them; their
 * order in memory may be another (hd.result_dims). */
static void infer_custom_call(hd_shapes *s, hd_op *op) {
  hd_attr list = hd_op_attr_get(op, HD_NAME_indices_of_shape_operands),
          orders = hd_op_attr_get(op, HD_NAME_hd_result_dims);
  for (uint32_t r = 0; list && r < op->result_count && r < hd_attr_count(list); ++r) {
    int64_t k = hd_attr_int_at(list, r);
    if (k < 0 || k >= (int64_t)op->operand_count) continue;
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    hd_attr order = orders && r < orders->array.count ? orders->array.items[r] : NULL;
    for (uint32_t d = 0; d < shape->rank; ++d) {
      uint32_t to = order && hd_attr_count(order) == shape->rank ? (uint32_t)hd_attr_int_at(order, d) : d;
      if (to < shape->rank) set(s, op, shape, to, hd_shapes_read_element(s, hd_operand(op, (uint32_t)k), d));
    }
  }
}

/* One unknown dim of a reshape is the quotient of the element counts. */
static void infer_reshape(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_dim known = hd_dim_const(&s->table, 1);
  uint32_t unknown = 0, at = 0;
  for (uint32_t d = 0; d < shape->rank; ++d)
    if (shape->dims[d])
      known = hd_dim_mul(&s->table, known, hd_dim_resolve(&s->table, shape->dims[d]));
    else
      ++unknown, at = d;
  if (unknown == 1) shape->dims[at] = hd_dim_floordiv(&s->table, hd_shapes_num_elements(s, hd_operand(op, 0)), known);
}

static void infer_transpose(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr permutation = hd_op_attr_get(op, HD_NAME_permutation);
  for (uint32_t d = 0; d < shape->rank && d < hd_attr_count(permutation); ++d)
    set(s, op, shape, d, operand_dim(s, op, 0, (uint32_t)hd_attr_int_at(permutation, d)));
}

static void infer_reduce(hd_shapes *s, hd_op *op) {
  hd_attr dims = hd_op_attr_get(op, HD_NAME_dimensions);
  uint32_t inputs = op->operand_count / 2, rank = inputs ? hd_type_rank(hd_operand_type(op, 0)) : 0;
  for (uint32_t r = 0; r < op->result_count; ++r) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    for (uint32_t d = 0, out = 0; d < rank; ++d)
      if (hd_attr_find_int(dims, d) < 0) set(s, op, shape, out++, operand_dim(s, op, 0, d));
  }
}

/* Collectives whose results are |grows| times as long along one dim, or a part as long along another (-1: none). What a
 * program does not say of its groups leaves the dim unknown. */
static void infer_regrouped(hd_shapes *s, hd_op *op, int64_t grows, int64_t shrinks) {
  hd_attr groups = hd_op_attr_get(op, HD_NAME_replica_groups);
  int64_t members =
      hd_attr_is(groups, HD_ATTR_DENSE) && hd_type_has_rank(groups->type) && groups->type->shaped.rank == 2
          ? groups->type->shaped.dims[1]
          : 0;
  members = hd_op_int_attr(op, HD_NAME_split_count, hd_op_int_attr(op, HD_NAME_hd_members, members));
  for (uint32_t r = 0; r < op->result_count && r < op->operand_count; ++r) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    for (uint32_t d = 0; d < shape->rank && d < hd_type_rank(hd_operand_type(op, r)); ++d) {
      hd_dim dim = operand_dim(s, op, r, d), count = hd_dim_const(&s->table, members);
      if (grows != shrinks && (d == grows || d == shrinks) && members < 1) continue;
      if (grows != shrinks && d == grows) dim = hd_dim_mul(&s->table, dim, count);
      if (grows != shrinks && d == shrinks) dim = hd_dim_exact_div(&s->table, dim, count);
      set(s, op, shape, d, dim);
    }
  }
}

static void infer_concatenate(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  uint32_t axis = (uint32_t)hd_op_int_attr(op, HD_NAME_dimension, 0);
  hd_dim total = hd_dim_const(&s->table, 0);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    total = hd_dim_add(&s->table, total, operand_dim(s, op, i, axis));
    for (uint32_t d = 0; d < shape->rank; ++d) {
      if (d == axis) continue;
      if (i == 0) set(s, op, shape, d, operand_dim(s, op, 0, d));
    }
  }
  set(s, op, shape, axis, total);
}

static void infer_dot_general(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr numbers = hd_op_attr_get(op, HD_NAME_dot_dimension_numbers);
  hd_attr lb = hd_struct_get(numbers, HD_NAME_lhs_batching_dimensions),
          rb = hd_struct_get(numbers, HD_NAME_rhs_batching_dimensions);
  hd_attr lc = hd_struct_get(numbers, HD_NAME_lhs_contracting_dimensions),
          rc = hd_struct_get(numbers, HD_NAME_rhs_contracting_dimensions);
  uint32_t out = 0;
  for (size_t i = 0; i < hd_attr_count(lb) && i < hd_attr_count(rb); ++i)
    set(s, op, shape, out++, operand_dim(s, op, 0, (uint32_t)hd_attr_int_at(lb, i)));
  for (uint32_t d = 0; d < hd_type_rank(hd_operand_type(op, 0)); ++d)
    if (hd_attr_find_int(lb, d) < 0 && hd_attr_find_int(lc, d) < 0) set(s, op, shape, out++, operand_dim(s, op, 0, d));
  for (uint32_t d = 0; d < hd_type_rank(hd_operand_type(op, 1)); ++d)
    if (hd_attr_find_int(rb, d) < 0 && hd_attr_find_int(rc, d) < 0) set(s, op, shape, out++, operand_dim(s, op, 1, d));
}

static void infer_dot(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  uint32_t l = hd_type_rank(hd_operand_type(op, 0)), r = hd_type_rank(hd_operand_type(op, 1)), out = 0;
  if (l == 2) set(s, op, shape, out++, operand_dim(s, op, 0, 0));
  if (r == 2) set(s, op, shape, out, operand_dim(s, op, 1, 1));
}

/* size = max(0, ceil((limit - start) / stride)); strides below 1 have no meaning */
static hd_dim slice_size(hd_shapes *s, hd_dim start, hd_dim limit, hd_dim stride) {
  if (stride) stride = hd_dim_max(&s->table, stride, hd_dim_const(&s->table, 1));
  hd_dim length = hd_dim_max(&s->table, hd_dim_sub(&s->table, limit, start), hd_dim_const(&s->table, 0));
  return hd_dim_ceildiv(&s->table, length, stride);
}

static void infer_real_dynamic_slice(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  for (uint32_t d = 0; d < shape->rank; ++d)
    set(s, op, shape, d,
        slice_size(s, hd_shapes_read_element(s, hd_operand(op, 1), d), hd_shapes_read_element(s, hd_operand(op, 2), d),
                   hd_shapes_read_element(s, hd_operand(op, 3), d)));
}

static void infer_dynamic_slice(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr sizes = hd_op_attr_get(op, HD_NAME_slice_sizes);
  for (uint32_t d = 0; d < shape->rank && d < hd_attr_count(sizes); ++d)
    set(s, op, shape, d, hd_dim_const(&s->table, hd_attr_int_at(sizes, d)));
}

static void infer_slice(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr start = hd_op_attr_get(op, HD_NAME_start_indices), limit = hd_op_attr_get(op, HD_NAME_limit_indices),
          strides = hd_op_attr_get(op, HD_NAME_strides);
  for (uint32_t d = 0; d < shape->rank && d < hd_attr_count(limit); ++d)
    set(s, op, shape, d,
        slice_size(s, hd_dim_const(&s->table, hd_attr_int_at(start, d)),
                   hd_dim_const(&s->table, hd_attr_int_at(limit, d)),
                   hd_dim_const(&s->table, hd_attr_int_at(strides, d))));
}

/* low + high + size + max(size - 1, 0) * interior */
static hd_dim padded(hd_shapes *s, hd_dim size, hd_dim low, hd_dim high, hd_dim interior) {
  hd_dim one = hd_dim_const(&s->table, 1), zero = hd_dim_const(&s->table, 0);
  hd_dim gaps = hd_dim_max(&s->table, hd_dim_sub(&s->table, size, one), zero);
  hd_dim total = hd_dim_add(&s->table, hd_dim_add(&s->table, size, low),
                            hd_dim_add(&s->table, high, hd_dim_mul(&s->table, gaps, interior)));
  return hd_dim_max(&s->table, total, zero);
}

static void infer_pad(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr low = hd_op_attr_get(op, HD_NAME_edge_padding_low), high = hd_op_attr_get(op, HD_NAME_edge_padding_high),
          interior = hd_op_attr_get(op, HD_NAME_interior_padding);
  for (uint32_t d = 0; d < shape->rank && d < hd_attr_count(low); ++d)
    set(s, op, shape, d,
        padded(s, operand_dim(s, op, 0, d), hd_dim_const(&s->table, hd_attr_int_at(low, d)),
               hd_dim_const(&s->table, hd_attr_int_at(high, d)), hd_dim_const(&s->table, hd_attr_int_at(interior, d))));
}

static void infer_dynamic_pad(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  for (uint32_t d = 0; d < shape->rank; ++d)
    set(s, op, shape, d,
        padded(s, operand_dim(s, op, 0, d), hd_shapes_read_element(s, hd_operand(op, 2), d),
               hd_shapes_read_element(s, hd_operand(op, 3), d), hd_shapes_read_element(s, hd_operand(op, 4), d)));
}

/* The number of windows over one dim. */
hd_dim hd_shapes_windows(hd_shapes *s, hd_dim size, hd_dim window, int64_t stride, hd_dim low, hd_dim high,
                         int64_t base_dilation, int64_t window_dilation) {
  hd_dim one = hd_dim_const(&s->table, 1), zero = hd_dim_const(&s->table, 0);
  hd_dim base = padded(s, size, low, high, hd_dim_const(&s->table, base_dilation - 1));
  hd_dim reach = hd_dim_add(
      &s->table, hd_dim_mul(&s->table, hd_dim_sub(&s->table, window, one), hd_dim_const(&s->table, window_dilation)),
      one);
  /* A window without elements reaches over nothing; of a dim without elements there is no window. */
  reach = hd_dim_max(&s->table, reach, zero);
  hd_dim steps = hd_dim_floordiv(&s->table, hd_dim_sub(&s->table, base, reach), hd_dim_const(&s->table, stride));
  hd_dim count = hd_dim_max(&s->table, hd_dim_add(&s->table, steps, one), zero);
  int64_t elements;
  bool nothing = hd_dim_is_const(&s->table, window, &elements) && !elements;
  return nothing ? hd_dim_mul(&s->table, count, hd_dim_min(&s->table, base, one)) : count;
}

static void infer_reduce_window(hd_shapes *s, hd_op *op) {
  hd_attr window = hd_op_attr_get(op, HD_NAME_window_dimensions), strides = hd_op_attr_get(op, HD_NAME_window_strides);
  hd_attr base = hd_op_attr_get(op, HD_NAME_base_dilations), dilation = hd_op_attr_get(op, HD_NAME_window_dilations),
          padding = hd_op_attr_get(op, HD_NAME_padding);
  for (uint32_t r = 0; r < op->result_count; ++r) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    for (uint32_t d = 0; d < shape->rank && d < hd_attr_count(window); ++d)
      set(s, op, shape, d,
          hd_shapes_windows(s, operand_dim(s, op, 0, d), hd_dim_const(&s->table, hd_attr_int_at(window, d)),
                            hd_attr_int_at_or(strides, d, 1),
                            hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * d, 0)),
                            hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * d + 1, 0)),
                            hd_attr_int_at_or(base, d, 1), hd_attr_int_at_or(dilation, d, 1)));
  }
}

static void infer_convolution(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr n = hd_op_attr_get(op, HD_NAME_dimension_numbers);
  hd_attr in = hd_struct_get(n, HD_NAME_input_spatial_dimensions),
          kernel = hd_struct_get(n, HD_NAME_kernel_spatial_dimensions),
          out = hd_struct_get(n, HD_NAME_output_spatial_dimensions);
  hd_attr ib = hd_struct_get(n, HD_NAME_input_batch_dimension), ob = hd_struct_get(n, HD_NAME_output_batch_dimension);
  hd_attr ko = hd_struct_get(n, HD_NAME_kernel_output_feature_dimension),
          of = hd_struct_get(n, HD_NAME_output_feature_dimension);
  if (!ib || !ob || !ko || !of) return;
  hd_attr padding = hd_op_attr_get(op, HD_NAME_padding), strides = hd_op_attr_get(op, HD_NAME_window_strides);
  hd_attr lhs = hd_op_attr_get(op, HD_NAME_lhs_dilation), rhs = hd_op_attr_get(op, HD_NAME_rhs_dilation);
  hd_dim groups = hd_dim_const(&s->table, hd_op_int_attr(op, HD_NAME_batch_group_count, 1));
  set(s, op, shape, (uint32_t)ob->integer,
      hd_dim_floordiv(&s->table, operand_dim(s, op, 0, (uint32_t)ib->integer), groups));
  set(s, op, shape, (uint32_t)of->integer, operand_dim(s, op, 1, (uint32_t)ko->integer));
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_conv);
  for (uint32_t i = 0; i < hd_attr_count(out); ++i) {
    hd_dim low = dynamic ? hd_shapes_read_element(s, hd_operand(op, 2), 2 * i)
                         : hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * i, 0));
    hd_dim high = dynamic ? hd_shapes_read_element(s, hd_operand(op, 2), 2 * i + 1)
                          : hd_dim_const(&s->table, hd_attr_int_at_or(padding, 2 * i + 1, 0));
    set(s, op, shape, (uint32_t)hd_attr_int_at(out, i),
        hd_shapes_windows(s, operand_dim(s, op, 0, (uint32_t)hd_attr_int_at(in, i)),
                          operand_dim(s, op, 1, (uint32_t)hd_attr_int_at(kernel, i)), hd_attr_int_at_or(strides, i, 1),
                          low, high, hd_attr_int_at_or(lhs, i, 1), hd_attr_int_at_or(rhs, i, 1)));
  }
}

static void infer_gather(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr n = hd_op_attr_get(op, HD_NAME_dimension_numbers);
  hd_attr offset = hd_struct_get(n, HD_NAME_offset_dims), collapsed = hd_struct_get(n, HD_NAME_collapsed_slice_dims);
  hd_attr batching = hd_struct_get(n, HD_NAME_operand_batching_dims),
          vector = hd_struct_get(n, HD_NAME_index_vector_dim);
  hd_attr sizes = hd_op_attr_get(op, HD_NAME_slice_sizes);
  bool dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_gather);
  uint32_t index_rank = hd_type_rank(hd_operand_type(op, 1)), vector_dim = vector ? (uint32_t)vector->integer : 0;
  uint32_t operand_rank = hd_type_rank(hd_operand_type(op, 0)), slice = 0, batch = 0;
  for (uint32_t d = 0; d < shape->rank; ++d) {
    if (hd_attr_find_int(offset, d) >= 0) {
      while (slice < operand_rank &&
             (hd_attr_find_int(collapsed, slice) >= 0 || hd_attr_find_int(batching, slice) >= 0))
        ++slice;
      if (slice == operand_rank) return;
      set(s, op, shape, d,
          dynamic ? hd_shapes_read_element(s, hd_operand(op, 2), slice)
                  : hd_dim_const(&s->table, hd_attr_int_at_or(sizes, slice, 0)));
      ++slice;
    } else {
      if (batch == vector_dim) ++batch;
      if (batch >= index_rank) return;
      set(s, op, shape, d, operand_dim(s, op, 1, batch++));
    }
  }
}

/* Narrower elements add a last dim, wider ones take it. */
static void infer_bitcast(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  copy_dims(s, op, shape, hd_operand(op, 0));
  uint32_t from = hd_type_bits(hd_type_element(hd_operand_type(op, 0))),
           to = hd_type_bits(hd_type_element(hd_result_type(op, 0)));
  if (to && shape->rank > hd_type_rank(hd_operand_type(op, 0)))
    set(s, op, shape, shape->rank - 1, hd_dim_const(&s->table, from / to));
}

/* The last dims are the lengths of the transform, the very last halved on the complex side of a real one. */
static void infer_fft(hd_shapes *s, hd_op *op) {
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  hd_attr lengths = hd_op_attr_get(op, HD_NAME_fft_length);
  uint32_t count = (uint32_t)hd_attr_count(lengths), first = shape->rank - count;
  bool halves = hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_COMPLEX;
  for (uint32_t d = 0; d < shape->rank && count <= shape->rank; ++d) {
    if (d < first) {
      set(s, op, shape, d, operand_dim(s, op, 0, d));
    } else {
      int64_t length = hd_attr_int_at(lengths, d - first);
      set(s, op, shape, d, hd_dim_const(&s->table, halves && d + 1 == shape->rank && length ? length / 2 + 1 : length));
    }
  }
}

/* Memory of one size value has one dim, also where nothing else is known of it. The sizes of unknown dims are the
 * operands from |first| on. */
static void infer_memref_sizes(hd_shapes *s, hd_op *op, uint32_t first) {
  hd_type type = hd_result_type(op, 0);
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  for (uint32_t d = 0, operand = first; d < shape->rank; ++d) {
    if (hd_type_dim(type, d) != HD_DYNAMIC || operand >= op->operand_count) continue;
    hd_value *size = hd_operand(op, operand++);
    if (shape->dims[d]) continue;
    hd_value_shape *known = hd_shapes_entry(s, size);
    if (known->element_count && !hd_shapes_element(s, size, 0))
      known->elements[0] = hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, size, 0, NULL, 0);
    shape->dims[d] = hd_shapes_element(s, size, 0);
  }
}

void hd_shapes_infer_op(hd_shapes *s, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_dynamic_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_reshape:
      infer_from_shape_operand(s, op, 1);
      return;
    case HD_OP_stablehlo_dynamic_iota:
      infer_from_shape_operand(s, op, 0);
      return;
    case HD_OP_stablehlo_rng:
      infer_from_shape_operand(s, op, 2);
      return;
    case HD_OP_stablehlo_custom_call:
      infer_custom_call(s, op);
      return;
    case HD_OP_stablehlo_bitcast_convert:
      infer_bitcast(s, op);
      return;
    case HD_OP_stablehlo_fft:
      infer_fft(s, op);
      return;
    case HD_OP_stablehlo_reshape:
      infer_reshape(s, op);
      return;
    case HD_OP_stablehlo_transpose:
      infer_transpose(s, op);
      return;
    case HD_OP_stablehlo_reduce:
      infer_reduce(s, op);
      return;
    case HD_OP_stablehlo_concatenate:
      infer_concatenate(s, op);
      return;
    case HD_OP_stablehlo_dot_general:
      infer_dot_general(s, op);
      return;
    case HD_OP_stablehlo_dot:
      infer_dot(s, op);
      return;
    case HD_OP_stablehlo_slice:
      infer_slice(s, op);
      return;
    case HD_OP_stablehlo_dynamic_slice:
      infer_dynamic_slice(s, op);
      return;
    case HD_OP_stablehlo_real_dynamic_slice:
      infer_real_dynamic_slice(s, op);
      return;
    case HD_OP_stablehlo_pad:
      infer_pad(s, op);
      return;
    case HD_OP_stablehlo_dynamic_pad:
      infer_dynamic_pad(s, op);
      return;
    case HD_OP_stablehlo_reduce_window:
      infer_reduce_window(s, op);
      return;
    case HD_OP_stablehlo_convolution:
    case HD_OP_stablehlo_dynamic_conv:
      infer_convolution(s, op);
      return;
    case HD_OP_stablehlo_gather:
    case HD_OP_stablehlo_dynamic_gather:
      infer_gather(s, op);
      return;
    /* The result is as its first operand is. */
    case HD_OP_stablehlo_dynamic_update_slice:
    case HD_OP_stablehlo_scatter:
    case HD_OP_stablehlo_select_and_scatter:
    case HD_OP_stablehlo_reverse:
    case HD_OP_stablehlo_convert:
    case HD_OP_stablehlo_cholesky:
    case HD_OP_stablehlo_reduce_precision:
    case HD_OP_stablehlo_map:
      for (uint32_t r = 0; r < op->result_count; ++r)
        copy_dims(s, op, hd_shapes_entry(s, hd_result(op, r)), hd_operand(op, r < op->operand_count ? r : 0));
      return;
    case HD_OP_stablehlo_select:
      copy_dims(s, op, hd_shapes_entry(s, hd_result(op, 0)), hd_operand(op, 1));
      return;
    case HD_OP_stablehlo_clamp:
      copy_dims(s, op, hd_shapes_entry(s, hd_result(op, 0)), hd_operand(op, 1));
      return;
    case HD_OP_stablehlo_triangular_solve:
      copy_dims(s, op, hd_shapes_entry(s, hd_result(op, 0)), hd_operand(op, 1));
      return;
    case HD_OP_stablehlo_all_gather:
      infer_regrouped(s, op, hd_op_int_attr(op, HD_NAME_all_gather_dim, -1), -1);
      return;
    case HD_OP_stablehlo_reduce_scatter:
      infer_regrouped(s, op, -1, hd_op_int_attr(op, HD_NAME_scatter_dimension, -1));
      return;
    case HD_OP_stablehlo_all_to_all:
      infer_regrouped(s, op, hd_op_int_attr(op, HD_NAME_concat_dimension, -1),
                      hd_op_int_attr(op, HD_NAME_split_dimension, -1));
      return;
    case HD_OP_stablehlo_all_reduce:
    case HD_OP_stablehlo_collective_permute:
    case HD_OP_stablehlo_collective_broadcast:
    case HD_OP_stablehlo_collective_reduce:
    case HD_OP_stablehlo_cross_replica_sum:
    case HD_OP_stablehlo_sort:
    case HD_OP_stablehlo_optimization_barrier:
      for (uint32_t r = 0; r < op->result_count; ++r)
        copy_dims(s, op, hd_shapes_entry(s, hd_result(op, r)), hd_operand(op, r));
      return;
    case HD_OP_memref_alloc:
      infer_memref_sizes(s, op, 0);
      return;
    case HD_OP_memref_reinterpret_cast: /* the source, offsets, sizes, strides */
      infer_memref_sizes(s, op, 1 + (uint32_t)hd_attr_int_at(hd_op_attr_get(op, HD_NAME_operandSegmentSizes), 1));
      return;
    case HD_OP_memref_cast:
    case HD_OP_tensor_cast:
      copy_dims(s, op, hd_shapes_entry(s, hd_result(op, 0)), hd_operand(op, 0));
      return;
    default:
      if (hd_op_is_chlo_broadcast(op))
        infer_broadcast(s, op);
      else if (hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)))
        infer_elementwise(s, op);
  }
}
