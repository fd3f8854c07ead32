/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that loop over part of their operands. The loops are scalar; what varies by lane is the result's index, so a
 * column reduction or a dot keeps one accumulator per lane. */
#include "codegen/emit/generate_products.h"
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

/* Combines the elements at |at| of the operands of |ops| with |accumulators|, which lie one after the other. */
static bool reduce_step(hd_generator *g, hd_op *const *ops, uint32_t op_count, const hd_index_tuple *at,
                        const hd_element *accumulators, hd_element *out) {
  bool ok = true;
  for (uint32_t r = 0, from = 0; r < op_count && ok; from += hd_buffer_output_count(ops[r++])) {
    uint32_t outputs = hd_buffer_output_count(ops[r]);
    hd_element *values = hd_generator_array(g, hd_element, outputs);
    for (uint32_t i = 0; i < outputs && ok; ++i) ok = hd_generate(g, hd_operand(ops[r], i), at, &values[i]);
    ok = ok && combine(g, ops[r], accumulators + from, values, outputs, out + from);
  }
  return ok;
}

/* The number of steps that are written out, else 0: of rows side by side in lanes, whose elements are then halves of
 * halves of the same vectors (load_column of generator.c), in a kernel that stays short. */
static int64_t written_out(hd_generator *g, hd_op *op, const hd_dim *sizes, uint32_t loops) {
  enum { MOST_OPS = 8 };
  int64_t size;
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  bool last = hd_attr_find_int(hd_stablehlo_reduce_dimensions(op), rank - 1) >= 0;
  if (!g->lanes || loops != 1 || !last || rank < 2 || g->writers.len > MOST_OPS) return 0;
  return hd_dim_is_const(&g->shapes->table, sizes[0], &size) && (size == 4 || size == 8) ? size : 0;
}

static bool reduce(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  if (rank > MAX_LOOPS) return hd_op_error(op, "has rank %u, expected at most %d in a kernel", rank, MAX_LOOPS);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  hd_op *ops[MOST_TOGETHER];
  uint32_t op_count = find_alike(g, op, ops), count = 0;
  for (uint32_t r = 0; r < op_count; ++r) count += hd_buffer_output_count(ops[r]);
  hd_element *accumulators = hd_generator_array(g, hd_element, count), *next = hd_generator_array(g, hd_element, count),
             *inner = hd_generator_array(g, hd_element, count);
  for (uint32_t r = 0, at = 0; r < op_count; at += hd_buffer_output_count(ops[r++]))
    if (!initial_values(g, ops[r], hd_buffer_output_count(ops[r]), accumulators + at)) return false;
  hd_value **flat = hd_generator_array(g, hd_value *, 2 * (size_t)count), *ivs[MAX_LOOPS] = {NULL};
  uint32_t flat_count = hd_flatten_elements(accumulators, count, flat), loops = 0;
  hd_dim sizes[MAX_LOOPS] = {NULL};
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(dims, d) >= 0) sizes[loops++] = hd_generator_dim_of(g, hd_operand(op, 0), d);
  int64_t steps = written_out(g, op, sizes, loops);
  nest n;
  if (!steps) nest_open(g, &n, sizes, loops, flat, flat_count, ivs);
  bool ok = true;
  for (int64_t step = 0; step < (steps ? steps : 1) && ok; ++step) {
    hd_index_tuple *at = hd_new_tuple(g, rank);
    for (uint32_t d = 0, kept = 0, reduced = 0; d < rank; ++d)
      at->at[d] = hd_attr_find_int(dims, d) < 0 ? index->at[kept++]
                  : steps                       ? hd_lane_const(L, step)
                                                : hd_lane_scalar(ivs[reduced++]);
    hd_unflatten_elements(flat, count, accumulators, inner);
    ok = reduce_step(g, ops, op_count, at, inner, next);
    if (ok) hd_flatten_elements(next, count, flat);
  }
  if (!steps) nest_close(g, &n, flat, flat_count);
  if (!ok) return false;
  hd_element *results = hd_generator_array(g, hd_element, count);
  hd_unflatten_elements(flat, count, accumulators, results);
  for (uint32_t r = 0, from = 0; r < op_count; from += hd_buffer_output_count(ops[r++]))
    keep(g, ops[r], index, results + from, hd_buffer_output_count(ops[r]));
  for (uint32_t i = 0; i < hd_buffer_output_count(op); ++i)
    if (hd_buffer_output(op, i) == output) *out = results[i];
  return true;
}

static bool reduce_window(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  uint32_t count = hd_buffer_output_count(op), rank = index->rank, loops = 0;
  if (rank > MAX_LOOPS) return hd_op_error(op, "has rank %u, expected at most %d in a kernel", rank, MAX_LOOPS);
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
    at->at[d] =
        hd_window_index(g, index->at[d], k, hd_attr_int_at_or(strides, d, 1), hd_attr_int_at_or(dilations, d, 1),
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

/* A loop nest that sums products. */
static bool sum_products(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  hd_product p;
  if (!hd_product_of(op, &p))
    return hd_op_error(op, "has more dims than expected of a value in a kernel, at most %d", HD_COMPILED_MAX_RANK);
  hd_type lhs = hd_type_element(hd_operand_type(op, 0));
  char zero_bytes[16] = {0};
  hd_element zero = hd_emit_constant(g->b, hd_type_element(p.out->type), zero_bytes, g->lanes), accumulator = zero, a,
             b;
  hd_value *flat[2] = {NULL}, *ivs[MAX_LOOPS] = {NULL};
  uint32_t flat_count = hd_flatten_elements(&zero, 1, flat);
  hd_dim sizes[MAX_LOOPS] = {NULL};
  hd_lane_index terms[MAX_LOOPS];
  for (uint32_t i = 0; i < p.sum_count; ++i) sizes[i] = hd_generator_dim_of(g, p.summed, p.sums[i]);
  nest n;
  nest_open(g, &n, sizes, p.sum_count, flat, flat_count, ivs);
  for (uint32_t i = 0; i < p.sum_count; ++i) terms[i] = hd_lane_scalar(ivs[i]);
  hd_product_place place = {hd_new_tuple(g, hd_type_rank(hd_operand_type(op, 0))),
                            hd_new_tuple(g, hd_type_rank(hd_operand_type(op, 1))),
                            {0}};
  hd_place_product(g, &p, index, terms, NULL, &place);
  hd_unflatten_elements(flat, 1, &zero, &accumulator);
  hd_element none = hd_emit_constant(g->b, lhs, zero_bytes, g->lanes);
  bool ok = hd_generate_guarded(g, place.inside, hd_operand(op, 0), place.lhs, none, &a) &&
            hd_generate(g, hd_operand(op, 1), place.rhs, &b) &&
            hd_accumulate_product(g, &p, a, b, accumulator, &accumulator);
  if (ok) hd_flatten_elements(&accumulator, 1, flat);
  nest_close(g, &n, flat, flat_count);
  hd_unflatten_elements(flat, 1, &zero, out);
  return ok;
}

bool hd_generate_loop_op(hd_generator *g, hd_op *op, hd_value *output, const hd_index_tuple *index, hd_element *out) {
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_reduce:
      return reduce(g, op, output, index, out);
    case HD_OP_stablehlo_reduce_window:
      return reduce_window(g, op, output, index, out);
    default:
      return sum_products(g, op, index, out);
  }
}
