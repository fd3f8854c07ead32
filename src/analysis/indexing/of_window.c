/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of products and of sliding windows: contracted dims and positions in a window are range variables. */
#include "analysis/indexing/of_op.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static hd_affine dim(const hd_op_maps *m, int64_t d) { return hd_affine_dim(m->in->context, d); }

/* ---- products ---- */

/* The dims of one side of a product, by their part in it. */
typedef struct side {
  uint32_t batches, contracted;
  int64_t batch[HD_MAX_RANK], contract[HD_MAX_RANK];
} side;

static int64_t find(const int64_t *list, uint32_t count, int64_t value) {
  for (uint32_t i = 0; i < count; ++i)
    if (list[i] == value) return i;
  return -1;
}

/* Operand |input|, whose free dims are the result's from |*free| on. */
static bool add_side(hd_op_maps *m, uint32_t input, const side *s, uint32_t *free) {
  hd_index_map *map = hd_op_map(m, input, s->contracted, 0, 0);
  for (uint32_t d = 0; d < map->result_count; ++d) {
    int64_t batch = find(s->batch, s->batches, d), contract = find(s->contract, s->contracted, d);
    map->results[d] = batch >= 0      ? dim(m, batch)
                      : contract >= 0 ? hd_op_map_range(m, map, (uint32_t)contract, input, d)
                                      : dim(m, (*free)++);
  }
  return hd_op_maps_add(m, input, map);
}

static bool add_sides(hd_op_maps *m, const side sides[2]) {
  uint32_t free = sides[0].batches;
  return add_side(m, 0, &sides[0], &free) && add_side(m, 1, &sides[1], &free);
}

bool hd_index_of_dot(hd_op_maps *m) {
  side sides[2] = {{.contracted = 1}, {.contracted = 1}};
  uint32_t rank = hd_op_maps_rank(m, 0);
  if (!rank || !hd_op_maps_rank(m, 1)) return false;
  sides[0].contract[0] = rank - 1;
  return add_sides(m, sides);
}

static uint32_t read_list(hd_attr numbers, hd_name name, int64_t *out) {
  hd_attr list = hd_struct_get(numbers, name);
  uint32_t count = list ? (uint32_t)hd_attr_count(list) : 0;
  for (uint32_t i = 0; i < count && i < HD_MAX_RANK; ++i) out[i] = hd_attr_int_at(list, i);
  return count < HD_MAX_RANK ? count : HD_MAX_RANK;
}

bool hd_index_of_dot_general(hd_op_maps *m) {
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(m->op);
  static const hd_name batch[] = {HD_NAME_lhs_batching_dimensions, HD_NAME_rhs_batching_dimensions},
                       contract[] = {HD_NAME_lhs_contracting_dimensions, HD_NAME_rhs_contracting_dimensions};
  side sides[2] = {0};
  for (int i = 0; i < 2; ++i) {
    sides[i].batches = read_list(numbers, batch[i], sides[i].batch);
    sides[i].contracted = read_list(numbers, contract[i], sides[i].contract);
  }
  return add_sides(m, sides);
}

/* ---- windows ---- */

/* How a window moves along one dim of an input. */
typedef struct window {
  int64_t stride, base_dilation, window_dilation;
  hd_affine low;
} window;

/* The index in dim |d| of input |input|, dim |to| of whose tensor it is, under tap |tap| of the window at |position|;
 * it is constrained to be an element, not padding or a hole. */
static hd_affine under(hd_op_maps *m, hd_index_map *map, const window *w, hd_affine position, hd_affine tap,
                       hd_dim size) {
  hd_indexing *in = m->in;
  hd_affine at = hd_index_add(in, hd_index_scale(in, position, w->stride), hd_index_scale(in, tap, w->window_dilation));
  at = hd_index_add(in, at, hd_index_scale(in, w->low, -1));
  if (!at) return NULL;
  hd_affine step = hd_affine_const(in->context, w->base_dilation),
            index = hd_affine_binary(in->context, HD_AFFINE_FLOORDIV, at, step);
  hd_index_map_constrain(map, hd_affine_binary(in->context, HD_AFFINE_MOD, at, step), 0, 0);
  return hd_op_map_within(m, map, index, size) ? index : NULL;
}

bool hd_index_of_reduce_window(hd_op_maps *m) {
  uint32_t half = m->input_count / 2, rank = hd_type_rank(m->output->type);
  hd_context *c = m->in->context;
  for (uint32_t i = 0; i < half; ++i) {
    hd_index_map *map = hd_op_map(m, i, rank, 0, 3 * rank);
    for (uint32_t d = 0; d < rank; ++d) {
      window w = {hd_op_maps_int(m, HD_NAME_window_strides, d, 1), hd_op_maps_int(m, HD_NAME_base_dilations, d, 1),
                  hd_op_maps_int(m, HD_NAME_window_dilations, d, 1),
                  hd_affine_const(c, hd_op_maps_int(m, HD_NAME_padding, 2 * d, 0))};
      map->variables[map->dim_count + d].range =
          (hd_index_range){0, hd_op_maps_int(m, HD_NAME_window_dimensions, d, 1) - 1};
      map->results[d] = under(m, map, &w, dim(m, d), hd_affine_symbol(c, d), hd_op_maps_dim(m, i, d));
    }
    if (!hd_op_maps_add(m, i, map) || !hd_op_maps_add_scalar(m, half + i)) return false;
  }
  return true;
}

/* An element of the result is in windows, one for each element of the source: range variables that are constrained
 * to those windows. The operand gives what a window chose from, all of it. */
bool hd_index_of_select_and_scatter(hd_op_maps *m) {
  uint32_t rank = hd_type_rank(m->output->type);
  hd_indexing *in = m->in;
  if (hd_op_maps_rank(m, 0) != rank || hd_op_maps_rank(m, 1) != rank) return false;
  for (uint32_t i = 0; i < 2; ++i) {
    hd_index_map *map = hd_op_map(m, i, i ? rank : 2 * rank, 0, i ? rank : 3 * rank);
    for (uint32_t d = 0; d < rank; ++d) {
      int64_t last = hd_op_maps_int(m, HD_NAME_window_dimensions, d, 1) - 1;
      hd_affine window = hd_op_map_range(m, map, d, 1, d);
      hd_affine first = hd_index_offset(in, hd_index_scale(in, window, hd_op_maps_int(m, HD_NAME_window_strides, d, 1)),
                                        -hd_op_maps_int(m, HD_NAME_padding, 2 * d, 0));
      hd_affine tap = hd_index_add(in, dim(m, d), hd_index_scale(in, first, -1));
      if (!tap) return false;
      hd_index_map_constrain(map, tap, 0, last);
      map->results[d] = window;
      if (i) continue;
      map->variables[map->dim_count + rank + d].range = (hd_index_range){0, last};
      map->results[d] = hd_index_add(in, first, hd_affine_symbol(in->context, rank + d));
      if (!hd_op_map_within(m, map, map->results[d], hd_op_maps_dim(m, 0, d))) return false;
    }
    if (!hd_op_maps_add(m, i, map)) return false;
  }
  return hd_op_maps_add_scalar(m, 2);
}

typedef struct convolution {
  hd_op_maps *m;
  hd_attr numbers;
  uint32_t space;
  int64_t input[HD_MAX_RANK], kernel[HD_MAX_RANK], output[HD_MAX_RANK]; /* spatial dims */
  int64_t groups, batch_groups;
} convolution;

static hd_affine floor_div(hd_indexing *in, hd_affine a, hd_dim by) {
  hd_affine divisor = hd_index_of_dim(in, by);
  return divisor ? hd_affine_binary(in->context, HD_AFFINE_FLOORDIV, a, divisor) : NULL;
}

/* Of the result's feature: the group it is in, of |count| groups. */
static hd_affine group(const convolution *c, int64_t count) {
  hd_indexing *in = c->m->in;
  uint32_t feature = (uint32_t)hd_attr_stablehlo_conv_output_feature_dimension(c->numbers);
  if (count == 1) return hd_affine_const(in->context, 0);
  hd_dim size = hd_dim_exact_div(in->table, hd_op_maps_output_dim(c->m, feature), hd_dim_const(in->table, count));
  return size ? floor_div(in, dim(c->m, feature), size) : NULL;
}

static hd_affine times(hd_indexing *in, hd_affine a, hd_dim size) {
  hd_affine factor = hd_index_of_dim(in, size);
  return a && factor ? hd_affine_binary(in->context, HD_AFFINE_MUL, a, factor) : NULL;
}

/* A map to operand |input|: range variables are the kernel's spatial dims, then its input features. The spatial index
 * in the input is |space[i]|. */
static hd_index_map *start(const convolution *c, uint32_t input, hd_affine *space) {
  hd_op_maps *m = c->m;
  hd_context *context = m->in->context;
  hd_index_map *map = hd_op_map(m, input, c->space + 1, 0, 3 * c->space);
  for (uint32_t i = 0; i < c->space; ++i) {
    hd_affine tap = hd_op_map_range(m, map, i, 1, (uint32_t)c->kernel[i]);
    window w = {hd_op_maps_int(m, HD_NAME_window_strides, i, 1), hd_op_maps_int(m, HD_NAME_lhs_dilation, i, 1),
                hd_op_maps_int(m, HD_NAME_rhs_dilation, i, 1),
                m->opcode == HD_OP_stablehlo_dynamic_conv
                    ? hd_op_maps_element(m, 2, 2 * i)
                    : hd_affine_const(context, hd_op_maps_int(m, HD_NAME_padding, 2 * i, 0))};
    space[i] = under(m, map, &w, dim(m, c->output[i]), tap, hd_op_maps_dim(m, 0, (uint32_t)c->input[i]));
  }
  hd_op_map_range(m, map, c->space, 1, (uint32_t)hd_attr_stablehlo_conv_kernel_input_feature_dimension(c->numbers));
  return map;
}

static bool add_lhs(const convolution *c) {
  hd_indexing *in = c->m->in;
  hd_affine space[HD_MAX_RANK];
  hd_index_map *map = start(c, 0, space);
  uint32_t batch = (uint32_t)hd_attr_stablehlo_conv_output_batch_dimension(c->numbers);
  for (uint32_t i = 0; i < c->space; ++i) map->results[c->input[i]] = space[i];
  map->results[(uint32_t)hd_attr_stablehlo_conv_input_batch_dimension(c->numbers)] =
      hd_index_add(in, dim(c->m, batch), times(in, group(c, c->batch_groups), hd_op_maps_output_dim(c->m, batch)));
  map->results[(uint32_t)hd_attr_stablehlo_conv_input_feature_dimension(c->numbers)] = hd_index_add(
      in, hd_affine_symbol(in->context, c->space),
      times(in, group(c, c->groups),
            hd_op_maps_dim(c->m, 1, (uint32_t)hd_attr_stablehlo_conv_kernel_input_feature_dimension(c->numbers))));
  return hd_op_maps_add(c->m, 0, map);
}

static bool add_kernel(const convolution *c) {
  hd_indexing *in = c->m->in;
  hd_affine space[HD_MAX_RANK];
  hd_index_map *map = start(c, 1, space);
  for (uint32_t i = 0; i < c->space; ++i) {
    hd_affine tap = hd_affine_symbol(in->context, i),
              size = hd_index_of_dim(in, hd_op_maps_dim(c->m, 1, (uint32_t)c->kernel[i]));
    bool reversed = hd_op_maps_int(c->m, HD_NAME_window_reversal, i, 0);
    if (!space[i]) return false;
    map->results[c->kernel[i]] =
        reversed ? hd_index_offset(in, hd_index_add(in, hd_index_scale(in, tap, -1), size), -1) : tap;
  }
  map->results[(uint32_t)hd_attr_stablehlo_conv_kernel_input_feature_dimension(c->numbers)] =
      hd_affine_symbol(in->context, c->space);
  map->results[(uint32_t)hd_attr_stablehlo_conv_kernel_output_feature_dimension(c->numbers)] =
      dim(c->m, (uint32_t)hd_attr_stablehlo_conv_output_feature_dimension(c->numbers));
  return hd_op_maps_add(c->m, 1, map);
}

bool hd_index_of_convolution(hd_op_maps *m) {
  convolution c = {.m = m, .numbers = hd_convolution_like_dimension_numbers(m->op)};
  c.space = read_list(c.numbers, HD_NAME_input_spatial_dimensions, c.input);
  if (c.space + 2 != hd_type_rank(m->output->type) || hd_op_maps_rank(m, 0) != c.space + 2 ||
      hd_op_maps_rank(m, 1) != c.space + 2 ||
      read_list(c.numbers, HD_NAME_kernel_spatial_dimensions, c.kernel) != c.space ||
      read_list(c.numbers, HD_NAME_output_spatial_dimensions, c.output) != c.space)
    return false;
  c.groups = hd_convolution_like_feature_group_count(m->op);
  c.batch_groups = hd_convolution_like_batch_group_count(m->op);
  return add_lhs(&c) && add_kernel(&c);
}
