/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that loop over part of their operands. The loops are scalar; what varies by lane is the result's index, so a
 * column reduction or a dot keeps one accumulator per lane. */
#include "codegen/emit/generate_ops.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

#define L hd_generator_lanes(g)
enum { MAX_LOOPS = HD_COMPILED_MAX_RANK };

typedef struct nest {
  hd_op *loops[MAX_LOOPS];
  hd_builder builders[MAX_LOOPS];
  hd_builder *outer;
  uint32_t depth;
} nest;

hd_value *hd_outermost_size(hd_builder *b, hd_value *const *sizes, uint32_t count) {
  hd_value *zero = hd_build_index(b, 0), *size = count ? sizes[0] : zero;
  for (uint32_t i = 1; i < count; ++i) {
    int64_t known;
    bool constant = hd_value_constant_int(sizes[i], &known);
    if (constant && known) continue;
    if (constant) return zero;
    hd_value *empty = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, sizes[i], zero);
    size = hd_build(b, HD_OP_arith_select, size->type, empty, zero, size);
  }
  return size;
}

/* Opens a loop over [0, size) for each of |dims|, carrying |values|, which become the inner ones; |ivs| are the
 * induction variables. Code goes to the innermost body until nest_close. */
static void nest_open(hd_generator *g, nest *n, const hd_dim *dims, uint32_t count, hd_value **values,
                      uint32_t value_count, hd_value **ivs) {
  hd_value *sizes[MAX_LOOPS];
  n->outer = g->b;
  n->depth = count;
  for (uint32_t i = 0; i < count; ++i) sizes[i] = hd_generate_dim(g, dims[i]);
  if (count) sizes[0] = hd_outermost_size(g->b, sizes, count);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *zero = hd_build_index(g->b, 0), *one = hd_build_index(g->b, 1);
    n->loops[i] = hd_build_for(g->b, zero, sizes[i], one, values, value_count);
    hd_block *body = hd_op_region(n->loops[i], 0)->first;
    for (uint32_t v = 0; v < value_count; ++v) values[v] = body->args[1 + v];
    ivs[i] = body->args[0];
    n->builders[i] = hd_builder_at_end(g->b->module, body);
    n->builders[i].loc = g->b->loc;
    g->b = &n->builders[i];
  }
}

static void nest_close(hd_generator *g, nest *n, hd_value **values, uint32_t value_count) {
  for (uint32_t i = n->depth; i-- > 0;) {
    hd_build_yield(&n->builders[i], values, value_count);
    for (uint32_t v = 0; v < value_count; ++v) values[v] = hd_result(n->loops[i], v);
  }
  g->b = n->outer;
}

uint32_t hd_flatten_elements(const hd_element *elements, uint32_t count, hd_value **out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; ++i) {
    out[n++] = elements[i].re;
    if (elements[i].im) out[n++] = elements[i].im;
  }
  return n;
}

void hd_unflatten_elements(hd_value *const *values, uint32_t count, const hd_element *like, hd_element *out) {
  for (uint32_t i = 0, n = 0; i < count; ++i) {
    bool complex = like[i].im != NULL;
    out[i].re = values[n++];
    out[i].im = complex ? values[n++] : NULL;
  }
}

/* Runs the reducer of |op| on accumulators and new values. */
static bool combine(hd_generator *g, hd_op *op, const hd_element *accumulators, const hd_element *values,
                    uint32_t count, hd_element *out) {
  hd_element *arguments = hd_generator_array(g, hd_element, 2 * (size_t)count);
  for (uint32_t i = 0; i < count; ++i) {
    arguments[i] = accumulators[i];
    arguments[count + i] = values[i];
  }
  return hd_generate_region(g, op, 0, arguments, out);
}

static void keep(hd_generator *g, hd_op *op, const hd_index_tuple *index, const hd_element *results, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const void *key[3] = {hd_buffer_output(op, i), index, (const void *)(uintptr_t)g->lanes};
    hd_element *copy = hd_new(g->arena, hd_element);
    *copy = results[i];
    hd_map_insert_bytes(g->arena, &g->cache, key, sizeof key, NULL)->value.ptr = copy;
  }
}

static bool initial_values(hd_generator *g, hd_op *op, uint32_t count, hd_element *out) {
  for (uint32_t i = 0; i < count; ++i)
    if (!hd_generate(g, hd_operand(op, count + i), hd_new_tuple(g, 0), &out[i])) return false;
  return true;
}

/* Does |buffer| follow from a result of |op| in this kernel? True too where that takes more than |*steps| to tell. */
static bool follows_from(hd_generator *g, hd_value *buffer, const hd_op *op, uint32_t *steps) {
  hd_op *writer = hd_map_get(&g->writers, buffer);
  if (!writer) return false;
  if (writer == op || !*steps) return true;
  --*steps;
  for (uint32_t i = 0; i < hd_buffer_input_count(writer); ++i)
    if (follows_from(g, hd_operand(writer, i), op, steps)) return true;
  return false;
}

/* Reductions of the kernel that walk the same elements as |op|, which is the first of them: they are done in its loops,
 * so what they share is read once. */
enum { MOST_TOGETHER = 8, MOST_FOLLOWED = 64 };

static uint32_t find_alike(hd_generator *g, hd_op *op, hd_op **out) {
  uint32_t count = 0, rank = hd_type_rank(hd_operand_type(op, 0));
  out[count++] = op;
  if (!op->block || !hd_op_is(hd_block_parent_op(op->block), HD_OP_lmhlo_fusion)) return count;
  hd_for_each_op(other, op->block) {
    if (count == MOST_TOGETHER) break;
    if (other == op || !other->info->derived_from || hd_buffer_opcode(other) != HD_OP_stablehlo_reduce ||
        hd_stablehlo_reduce_dimensions(other) != hd_stablehlo_reduce_dimensions(op) ||
        hd_type_rank(hd_operand_type(other, 0)) != rank || hd_map_get(&g->fixed, hd_buffer_output(other, 0)) ||
        hd_map_get(&g->writers, hd_buffer_output(other, 0)) != other ||
        !hd_shapes_same(g->shapes, hd_operand(other, 0), hd_operand(op, 0)))
      continue;
    uint32_t steps = MOST_FOLLOWED;
    bool apart = true;
    for (uint32_t k = 0; k < hd_buffer_input_count(other) && apart; ++k)
      apart = !follows_from(g, hd_operand(other, k), op, &steps);
    if (apart) out[count++] = other;
  }
  return count;
}

static bool reduce(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  if (rank > MAX_LOOPS) return hd_op_error(op, "has rank %u, and kernels have at most %d", rank, MAX_LOOPS);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  hd_op *ops[MOST_TOGETHER];
  uint32_t op_count = find_alike(g, op, ops), count = 0, most = 0;
  for (uint32_t r = 0; r < op_count; ++r) {
    uint32_t outputs = hd_buffer_output_count(ops[r]);
    count += outputs;
    most = outputs > most ? outputs : most;
  }
  hd_element *accumulators = hd_generator_array(g, hd_element, count), *next = hd_generator_array(g, hd_element, count),
             *values = hd_generator_array(g, hd_element, most), *inner = hd_generator_array(g, hd_element, count);
  for (uint32_t r = 0, at = 0; r < op_count; at += hd_buffer_output_count(ops[r++]))
    if (!initial_values(g, ops[r], hd_buffer_output_count(ops[r]), accumulators + at)) return false;
  hd_value **flat = hd_generator_array(g, hd_value *, 2 * (size_t)count), *ivs[MAX_LOOPS] = {NULL};
  uint32_t flat_count = hd_flatten_elements(accumulators, count, flat), loops = 0;
  hd_dim sizes[MAX_LOOPS] = {NULL};
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(dims, d) >= 0) sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 0), d);
  nest n;
  nest_open(g, &n, sizes, loops, flat, flat_count, ivs);
  hd_index_tuple *at = hd_new_tuple(g, rank);
  for (uint32_t d = 0, kept = 0, reduced = 0; d < rank; ++d)
    at->at[d] = hd_attr_find_int(dims, d) >= 0 ? hd_lane_scalar(ivs[reduced++]) : index->at[kept++];
  hd_unflatten_elements(flat, count, accumulators, inner);
  bool ok = true;
  for (uint32_t r = 0, from = 0; r < op_count && ok; from += hd_buffer_output_count(ops[r++])) {
    uint32_t outputs = hd_buffer_output_count(ops[r]);
    for (uint32_t i = 0; i < outputs && ok; ++i) ok = hd_generate(g, hd_operand(ops[r], i), at, &values[i]);
    ok = ok && combine(g, ops[r], inner + from, values, outputs, next + from);
  }
  if (ok) hd_flatten_elements(next, count, flat);
  nest_close(g, &n, flat, flat_count);
  if (!ok) return false;
  hd_element *results = hd_generator_array(g, hd_element, count);
  hd_unflatten_elements(flat, count, accumulators, results);
  for (uint32_t r = 0, from = 0; r < op_count; from += hd_buffer_output_count(ops[r++]))
    keep(g, ops[r], index, results + from, hd_buffer_output_count(ops[r]));
  for (uint32_t i = 0; i < hd_buffer_output_count(op); ++i)
    if (hd_buffer_output(op, i) == output) *out = results[i];
  return true;
}

/* The operand index of window position |k|: out * stride + k * dilation - low, divided by the base dilation where it
 * divides; |*inside| gathers the conditions under which there is such an element. */
static hd_lane_index window_index(hd_generator *g, hd_lane_index out, hd_lane_index k, int64_t stride, int64_t dilation,
                                  hd_lane_index low, int64_t base_dilation, hd_dim size, bool may_miss,
                                  hd_guard *inside) {
  hd_lane_index at =
      hd_lane_add(L, hd_lane_mul(L, out, hd_lane_const(L, stride)), hd_lane_mul(L, k, hd_lane_const(L, dilation)));
  at = hd_lane_sub(L, at, low);
  if (!may_miss) return at;
  hd_guard_add(g, inside, hd_lane_less(L, hd_lane_const(L, -1), at));
  if (base_dilation > 1) {
    hd_lane_index positive = hd_lane_max(L, at, hd_lane_const(L, 0)), by = hd_lane_const(L, base_dilation);
    hd_guard_add(g, inside, hd_lane_less(L, hd_lane_rem(L, positive, by), hd_lane_const(L, 1)));
    at = hd_lane_div(L, positive, by);
  }
  hd_guard_add(g, inside, hd_lane_less(L, at, hd_lane_scalar(hd_generate_dim(g, size))));
  return at;
}

static bool reduce_window(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t count = hd_buffer_output_count(op), rank = index->rank, loops = 0;
  if (rank > MAX_LOOPS) return hd_op_error(op, "has rank %u, and kernels have at most %d", rank, MAX_LOOPS);
  hd_attr window = hd_window_like_window_dimensions(op), strides = hd_window_like_window_strides(op),
          padding = hd_window_like_padding(op);
  hd_attr base = hd_stablehlo_reduce_window_base_dilations(op),
          dilations = hd_stablehlo_reduce_window_window_dilations(op);
  hd_element *accumulators = hd_generator_array(g, hd_element, count),
             *inits = hd_generator_array(g, hd_element, count), *inner = hd_generator_array(g, hd_element, count),
             *values = hd_generator_array(g, hd_element, count), *next = hd_generator_array(g, hd_element, count);
  if (!initial_values(g, op, count, inits)) return false;
  hd_value **flat = hd_generator_array(g, hd_value *, 2 * (size_t)count), *ivs[MAX_LOOPS] = {NULL};
  uint32_t flat_count = hd_flatten_elements(inits, count, flat);
  hd_dim sizes[MAX_LOOPS] = {NULL};
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_int_at(window, d) != 1) sizes[loops++] = hd_dim_const(&g->shapes->table, hd_attr_int_at(window, d));
  nest n;
  nest_open(g, &n, sizes, loops, flat, flat_count, ivs);
  hd_index_tuple *at = hd_new_tuple(g, rank);
  hd_guard inside = {0};
  for (uint32_t d = 0, loop = 0; d < rank; ++d) {
    bool one = hd_attr_int_at(window, d) == 1;
    hd_lane_index k = one ? hd_lane_const(L, 0) : hd_lane_scalar(ivs[loop++]);
    int64_t low = hd_attr_int_at_or(padding, 2 * d, 0), high = hd_attr_int_at_or(padding, 2 * d + 1, 0),
            dilation = hd_attr_int_at_or(base, d, 1);
    at->at[d] = window_index(g, index->at[d], k, hd_attr_int_at_or(strides, d, 1), hd_attr_int_at_or(dilations, d, 1),
                             hd_lane_const(L, low), dilation, hd_generator_dim_of(g, hd_operand(op, 0), d),
                             low > 0 || high > 0 || dilation > 1 || low < 0, &inside);
  }
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; ++i)
    ok = hd_generate_guarded(g, inside, hd_operand(op, i), at, inits[i], &values[i]);
  hd_unflatten_elements(flat, count, inits, inner);
  ok = ok && combine(g, op, inner, values, count, next);
  if (ok) hd_flatten_elements(next, count, flat);
  nest_close(g, &n, flat, flat_count);
  if (!ok) return false;
  hd_unflatten_elements(flat, count, inits, accumulators);
  keep(g, op, index, accumulators, count);
  for (uint32_t i = 0; i < count; ++i)
    if (hd_buffer_output(op, i) == output) *out = accumulators[i];
  return true;
}

/* accumulator + lhs * rhs, by the arithmetic of add and multiply. */
static bool multiply_add(hd_generator *g, hd_op *op, hd_type lhs, hd_type rhs, hd_type element, hd_element a,
                         hd_element b, hd_element accumulator, hd_element *out) {
  hd_type types[2] = {element, element};
  hd_element product, pair[2];
  hd_type from[1] = {lhs};
  if (hd_compute_type(lhs) != hd_compute_type(element) &&
      !hd_emit_elementwise(g->b, op, HD_OP_stablehlo_convert, from, &a, element, g->lanes, &a))
    return false;
  from[0] = rhs;
  if (hd_compute_type(rhs) != hd_compute_type(element) &&
      !hd_emit_elementwise(g->b, op, HD_OP_stablehlo_convert, from, &b, element, g->lanes, &b))
    return false;
  pair[0] = a;
  pair[1] = b;
  if (!hd_emit_elementwise(g->b, op, HD_OP_stablehlo_multiply, types, pair, element, g->lanes, &product)) return false;
  pair[0] = accumulator;
  pair[1] = product;
  return hd_emit_elementwise(g->b, op, HD_OP_stablehlo_add, types, pair, element, g->lanes, out);
}

/* A loop nest that sums products: |fill| gives the operands' indices from the induction variables. */
typedef struct product_sum {
  hd_index_tuple *lhs, *rhs;
  hd_guard inside; /* of the lhs */
} product_sum;
typedef void (*fill_fn)(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_value **ivs, product_sum *out);

static bool sum_products(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, const hd_dim *sizes,
                         uint32_t loops, fill_fn fill, hd_element *out) {
  hd_type element = hd_type_element(output->type);
  char zero_bytes[16] = {0};
  hd_element zero = hd_emit_constant(g->b, element, zero_bytes, g->lanes), accumulator = zero, a, b;
  hd_value *flat[2] = {NULL}, *ivs[MAX_LOOPS] = {NULL};
  uint32_t flat_count = hd_flatten_elements(&zero, 1, flat);
  nest n;
  nest_open(g, &n, sizes, loops, flat, flat_count, ivs);
  product_sum p = {hd_new_tuple(g, hd_type_rank(hd_operand_type(op, 0))),
                   hd_new_tuple(g, hd_type_rank(hd_operand_type(op, 1))),
                   {0}};
  fill(g, op, index, ivs, &p);
  hd_unflatten_elements(flat, 1, &zero, &accumulator);
  hd_type lhs = hd_type_element(hd_operand_type(op, 0)), rhs = hd_type_element(hd_operand_type(op, 1));
  hd_element none = hd_emit_constant(g->b, lhs, zero_bytes, g->lanes);
  bool ok = hd_generate_guarded(g, p.inside, hd_operand(op, 0), p.lhs, none, &a) &&
            hd_generate(g, hd_operand(op, 1), p.rhs, &b) &&
            multiply_add(g, op, lhs, rhs, element, a, b, accumulator, &accumulator);
  if (ok) hd_flatten_elements(&accumulator, 1, flat);
  nest_close(g, &n, flat, flat_count);
  hd_unflatten_elements(flat, 1, &zero, out);
  return ok;
}

static void fill_dot_general(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_value **ivs, product_sum *p) {
  (void)g;
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(op);
  hd_attr lb = hd_attr_stablehlo_dot_lhs_batching_dimensions(n), rb = hd_attr_stablehlo_dot_rhs_batching_dimensions(n);
  hd_attr lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
          rc = hd_attr_stablehlo_dot_rhs_contracting_dimensions(n);
  uint32_t at = 0;
  for (size_t i = 0; i < hd_attr_count(lb); ++i, ++at)
    p->lhs->at[hd_attr_int_at(lb, i)] = p->rhs->at[hd_attr_int_at(rb, i)] = index->at[at];
  for (uint32_t d = 0; d < p->lhs->rank; ++d)
    if (hd_attr_find_int(lb, d) < 0 && hd_attr_find_int(lc, d) < 0) p->lhs->at[d] = index->at[at++];
  for (uint32_t d = 0; d < p->rhs->rank; ++d)
    if (hd_attr_find_int(rb, d) < 0 && hd_attr_find_int(rc, d) < 0) p->rhs->at[d] = index->at[at++];
  for (size_t i = 0; i < hd_attr_count(lc); ++i)
    p->lhs->at[hd_attr_int_at(lc, i)] = p->rhs->at[hd_attr_int_at(rc, i)] = hd_lane_scalar(ivs[i]);
}

static void fill_dot(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_value **ivs, product_sum *p) {
  (void)g, (void)op;
  uint32_t at = 0;
  if (p->lhs->rank == 2) p->lhs->at[0] = index->at[at++];
  p->lhs->at[p->lhs->rank - 1] = hd_lane_scalar(ivs[0]);
  p->rhs->at[0] = hd_lane_scalar(ivs[0]);
  if (p->rhs->rank == 2) p->rhs->at[1] = index->at[at];
}

typedef struct conv_dims {
  hd_attr in, kernel, out;
  uint32_t in_batch, in_feature, kernel_in, kernel_out, out_batch, out_feature, spatial;
} conv_dims;

static conv_dims conv_dims_of(hd_op *op) {
  hd_attr n = hd_convolution_like_dimension_numbers(op);
  conv_dims d = {hd_attr_stablehlo_conv_input_spatial_dimensions(n),
                 hd_attr_stablehlo_conv_kernel_spatial_dimensions(n),
                 hd_attr_stablehlo_conv_output_spatial_dimensions(n),
                 (uint32_t)hd_attr_stablehlo_conv_input_batch_dimension(n),
                 (uint32_t)hd_attr_stablehlo_conv_input_feature_dimension(n),
                 (uint32_t)hd_attr_stablehlo_conv_kernel_input_feature_dimension(n),
                 (uint32_t)hd_attr_stablehlo_conv_kernel_output_feature_dimension(n),
                 (uint32_t)hd_attr_stablehlo_conv_output_batch_dimension(n),
                 (uint32_t)hd_attr_stablehlo_conv_output_feature_dimension(n),
                 0};
  d.spatial = (uint32_t)hd_attr_count(d.in);
  return d;
}

static void fill_convolution(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_value **ivs, product_sum *p) {
  conv_dims c = conv_dims_of(op);
  hd_dim_table *t = &g->shapes->table;
  hd_value *lhs = hd_operand(op, 0), *rhs = hd_operand(op, 1), *output = hd_buffer_output(op, 0);
  int64_t groups = hd_convolution_like_feature_group_count(op),
          batch_groups = hd_convolution_like_batch_group_count(op);
  hd_attr strides = hd_convolution_like_window_strides(op), padding = hd_convolution_like_padding(op),
          reversal = hd_convolution_like_window_reversal(op);
  hd_attr lhs_dilation = hd_convolution_like_lhs_dilation(op), rhs_dilation = hd_convolution_like_rhs_dilation(op);
  bool dynamic = hd_buffer_opcode(op) == HD_OP_stablehlo_dynamic_conv;
  hd_lane_index feature = index->at[c.out_feature], batch = index->at[c.out_batch],
                in_feature = hd_lane_scalar(ivs[c.spatial]);
  p->rhs->at[c.kernel_in] = in_feature;
  p->rhs->at[c.kernel_out] = feature;
  if (groups > 1) {
    hd_lane_index per_group = hd_lane_scalar(
        hd_generate_dim(g, hd_dim_floordiv(t, hd_generator_dim_of(g, output, c.out_feature), hd_dim_const(t, groups))));
    hd_lane_index inputs = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, rhs, c.kernel_in)));
    in_feature = hd_lane_add(L, hd_lane_mul(L, hd_lane_div(L, feature, per_group), inputs), in_feature);
  }
  if (batch_groups > 1) {
    hd_lane_index per_group = hd_lane_scalar(hd_generate_dim(
        g, hd_dim_floordiv(t, hd_generator_dim_of(g, output, c.out_feature), hd_dim_const(t, batch_groups))));
    hd_lane_index batches = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, output, c.out_batch)));
    batch = hd_lane_add(L, hd_lane_mul(L, hd_lane_div(L, feature, per_group), batches), batch);
  }
  p->lhs->at[c.in_feature] = in_feature;
  p->lhs->at[c.in_batch] = batch;
  for (uint32_t i = 0; i < c.spatial; ++i) {
    uint32_t in_dim = (uint32_t)hd_attr_int_at(c.in, i), kernel_dim = (uint32_t)hd_attr_int_at(c.kernel, i),
             out_dim = (uint32_t)hd_attr_int_at(c.out, i);
    hd_lane_index k = hd_lane_scalar(ivs[i]),
                  low = dynamic ? hd_lane_scalar(hd_generate_scalar(g, hd_operand(op, 3 + 2 * i)))
                                : hd_lane_const(L, hd_attr_int_at_or(padding, 2 * i, 0));
    hd_dim size = hd_generator_dim_of(g, lhs, in_dim), kernel_size = hd_generator_dim_of(g, rhs, kernel_dim);
    p->rhs->at[kernel_dim] = k;
    if (hd_attr_int_at_or(reversal, i, 0)) {
      hd_dim last = hd_dim_sub(t, kernel_size, hd_dim_const(t, 1));
      p->rhs->at[kernel_dim] = hd_lane_sub(L, hd_lane_scalar(hd_generate_dim(g, last)), k);
    }
    int64_t dilation = hd_attr_int_at_or(lhs_dilation, i, 1), known;
    bool may_miss = dynamic || hd_attr_int_at_or(padding, 2 * i, 0) || hd_attr_int_at_or(padding, 2 * i + 1, 0) ||
                    dilation > 1 || !hd_dim_is_const(t, kernel_size, &known);
    p->lhs->at[in_dim] = window_index(g, index->at[out_dim], k, hd_attr_int_at_or(strides, i, 1),
                                      hd_attr_int_at_or(rhs_dilation, i, 1), low, dilation, size, may_miss, &p->inside);
  }
}

bool hd_generate_loop_op(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  hd_dim sizes[MAX_LOOPS] = {NULL};
  uint32_t loops = 0;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_reduce:
      return reduce(g, op, output, index, out);
    case HD_OP_stablehlo_reduce_window:
      return reduce_window(g, op, output, index, out);
    case HD_OP_stablehlo_dot_general: {
      hd_attr lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(hd_stablehlo_dot_general_dot_dimension_numbers(op));
      for (size_t i = 0; i < hd_attr_count(lc) && i < MAX_LOOPS; ++i)
        sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 0), (uint32_t)hd_attr_int_at(lc, i));
      return sum_products(g, op, output, index, sizes, loops, fill_dot_general, out);
    }
    case HD_OP_stablehlo_dot:
      sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 1), 0);
      return sum_products(g, op, output, index, sizes, loops, fill_dot, out);
    default: {
      conv_dims c = conv_dims_of(op);
      for (uint32_t i = 0; i < c.spatial && i + 1 < MAX_LOOPS; ++i)
        sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 1), (uint32_t)hd_attr_int_at(c.kernel, i));
      sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 1), c.kernel_in);
      return sum_products(g, op, output, index, sizes, loops, fill_convolution, out);
    }
  }
}
