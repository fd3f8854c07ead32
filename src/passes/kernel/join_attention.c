/* SPDX-License-Identifier: Apache-2.0 */
/* join-attention: the three fusions of attention (attention.h) are side by side, the first two with hd.joined.
 *
 *   "lmhlo.fusion"() ({ dot_general, multiply }) {hd.kind = "gemm"}    ->   the same with hd.joined
 *   ... other ops                                                           right before the last
 *   "lmhlo.fusion"() ({ reduce, ..., divide }) {hd.kind = "row"}
 *   "lmhlo.fusion"() ({ dot_general }) {hd.kind = "gemm"} */
#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/kernel/attention.h"

static bool is_one(hd_shapes *s, hd_dim dim) {
  int64_t one;
  return hd_dim_is_const(&s->table, dim, &one) && one == 1;
}

static hd_op *fusion_of(hd_value *buffer, hd_op *reader, bool *only) {
  hd_op *writer = NULL;
  *only = true;
  hd_for_each_use(use, buffer) {
    if (hd_op_is_ancestor(reader, use->owner) || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    hd_op *fusion = hd_op_parent(use->owner);
    bool writes = use->owner->info->derived_from && hd_buffer_output_count(use->owner) == 1 &&
                  use->index == use->owner->operand_count - 1;
    if (writes && !writer)
      writer = hd_op_is(fusion, HD_OP_lmhlo_fusion) ? fusion : NULL;
    else if (!writer || fusion != writer)
      *only = false;
  }
  return writer && writer->block == reader->block ? writer : NULL;
}

static bool is_view_op(const hd_op *op) {
  return hd_is_reshape_like(op) || hd_buffer_opcode(op) == HD_OP_stablehlo_transpose;
}

/* The dim of |view|, but for |without|, whose elements are |stride| apart; |view|'s rank where there is none. */
static uint32_t dim_at(hd_shapes *s, const hd_view *view, hd_dim stride, hd_dim size, uint32_t without) {
  for (uint32_t d = 0; d < view->rank; ++d)
    if (d != without && hd_dim_equal(&s->table, view->strides[d], stride) &&
        hd_dim_equal(&s->table, view->sizes[d], size))
      return d;
  return view->rank;
}

/* Does |view| begin with its root and have no more dims than |rows| ones and |keys|, which is dense? */
static bool has_only(hd_shapes *s, const hd_view *view, uint32_t keys, uint32_t rows) {
  int64_t zero;
  uint32_t count = 0;
  for (uint32_t d = 0; d < view->rank; ++d) count += d != keys && !is_one(s, view->sizes[d]);
  return hd_dim_is_const(&s->table, view->offset, &zero) && zero == 0 && count == rows &&
         is_one(s, view->strides[keys]);
}

/* Finds the dims of the first product's rows among those that the row kernel sees in the scores. */
static bool match_row_dims(hd_lowering *ctx, hd_attention *a, const hd_view *read) {
  hd_map none = {0};
  hd_view scores;
  if (!hd_view_of(ctx->shapes, &none, hd_buffer_output(a->first, 0), &scores)) return false;
  uint32_t batches = (uint32_t)hd_attr_count(
      hd_attr_stablehlo_dot_lhs_batching_dimensions(hd_stablehlo_dot_general_dot_dimension_numbers(a->first)));
  a->row_count = 0;
  for (uint32_t d = 0; d < a->keys; ++d) {
    if (is_one(ctx->shapes, scores.sizes[d])) continue;
    uint32_t at = dim_at(ctx->shapes, read, scores.strides[d], scores.sizes[d], read->rank - 1);
    if (at == read->rank) return false;
    a->rows[a->row_count++] = (hd_attention_row){.is_batch = d < batches, .first = d, .full = at};
  }
  return has_only(ctx->shapes, read, read->rank - 1, a->row_count) &&
         hd_dim_equal(&ctx->shapes->table, read->sizes[read->rank - 1], scores.sizes[a->keys]);
}

/* The row kernel: it reduces the last dim of its full shape alone, reads the scores row by row, in whatever order, and
 * writes weights of that shape. */
static bool match_rows(hd_lowering *ctx, hd_attention *a) {
  hd_kernel_set *set = &a->sets[1];
  hd_value *full = NULL;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    if (!hd_is_row_reduction(op) || hd_attr_count(hd_stablehlo_reduce_dimensions(op)) != 1) return false;
    full = hd_operand(op, 0);
  }
  if (!full || hd_type_rank(full->type) > HD_COMPILED_MAX_RANK || !hd_shapes_same(ctx->shapes, full, a->weights))
    return false;
  hd_view read = {0};
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    for (uint32_t k = 0; k < hd_buffer_input_count(op); ++k) {
      hd_view view;
      if (!hd_view_of(ctx->shapes, &set->writers, hd_operand(op, k), &view)) return false;
      if (view.root != a->scores || is_view_op(op)) continue;
      if (!(hd_is_row_reduction(op) && k == 0) && !hd_is_elementwise(op)) return false;
      if (!hd_shapes_same(ctx->shapes, hd_operand(op, k), full)) return false;
      for (uint32_t d = 0; read.root && d < view.rank; ++d)
        if (!hd_dim_equal(&ctx->shapes->table, view.strides[d], read.strides[d])) return false;
      read = view;
    }
  }
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  return read.root && match_row_dims(ctx, a, &read) && hd_row_kernel_fits(ctx->shapes, &ops, &ctx->pass->arena);
}

static hd_attr side(hd_attr numbers, uint32_t operand, bool batching) {
  if (batching)
    return operand ? hd_attr_stablehlo_dot_rhs_batching_dimensions(numbers)
                   : hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers);
  return operand ? hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers)
                 : hd_attr_stablehlo_dot_lhs_contracting_dimensions(numbers);
}

/* The first product has queries as rows and one dim of keys as columns, and what it gives are the scores. */
static bool match_first(hd_lowering *ctx, hd_attention *a) {
  hd_value *result = hd_buffer_output(a->first, 0);
  hd_op *writer = hd_map_get(&a->sets[0].writers, a->scores);
  if (!writer || hd_buffer_opcode(writer) == HD_OP_stablehlo_transpose ||
      !hd_shapes_same(ctx->shapes, a->scores, result))
    return false;
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(a->first);
  uint32_t rank = hd_type_rank(result->type), rhs = hd_type_rank(hd_operand_type(a->first, 1));
  uint32_t columns =
      rhs - (uint32_t)hd_attr_count(side(numbers, 1, true)) - (uint32_t)hd_attr_count(side(numbers, 1, false));
  if (rank > HD_COMPILED_MAX_RANK || columns != 1) return false;
  /* Without a batch, as heads are, right-hand sides are weights, which are large and wanted once for all rows. */
  if (!hd_attr_count(side(numbers, 0, true))) return false;
  a->keys = rank - 1;
  return true;
}

/* The second product sums over all keys of the weights, and its rows are those of the first. */
static bool match_second(hd_lowering *ctx, hd_attention *a) {
  hd_map none = {0};
  hd_view full, weights, other;
  hd_attr numbers = hd_stablehlo_dot_general_dot_dimension_numbers(a->second);
  uint32_t w = a->weights_operand;
  hd_attr batching = side(numbers, w, true), contracting = side(numbers, w, false);
  if (!hd_view_of(ctx->shapes, &none, a->weights, &full) ||
      !hd_view_of(ctx->shapes, &a->sets[2].writers, hd_operand(a->second, w), &weights) ||
      !hd_view_of(ctx->shapes, &a->sets[2].writers, hd_operand(a->second, 1 - w), &other) || other.root == a->weights ||
      other.root == a->scores || hd_attr_count(contracting) != 1)
    return false;
  uint32_t k = (uint32_t)hd_attr_int_at(contracting, 0);
  if (!has_only(ctx->shapes, &weights, k, a->row_count) ||
      !hd_dim_equal(&ctx->shapes->table, weights.sizes[k], full.sizes[full.rank - 1]))
    return false;
  for (uint32_t i = 0; i < a->row_count; ++i) {
    hd_attention_row *row = &a->rows[i];
    row->second = dim_at(ctx->shapes, &weights, full.strides[row->full], full.sizes[row->full], k);
    if (row->second == weights.rank || (hd_attr_find_int(batching, row->second) >= 0) != row->is_batch) return false;
  }
  return true;
}

static bool is_kind(hd_op *fusion, hd_enum_kind kind) {
  return hd_op_is(fusion, HD_OP_lmhlo_fusion) && hd_discardable_kind(fusion) == kind;
}

static hd_op *dot_of(const hd_kernel_set *set) {
  hd_op *product = hd_library_product(set);
  return product && hd_buffer_opcode(product) == HD_OP_stablehlo_dot_general ? product : NULL;
}

/* Fills |a| from its last fusion on; the others are found by what they write. */
static bool match(hd_lowering *ctx, hd_op *last, hd_attention *a) {
  *a = (hd_attention){.fusions = {NULL, NULL, last}};
  if (!is_kind(last, HD_KIND_GEMM)) return false;
  hd_kernel_collect(last, &ctx->pass->arena, &a->sets[2]);
  a->second = dot_of(&a->sets[2]);
  if (!a->second || !hd_is_plain_product(&a->sets[2], a->second)) return false;
  for (a->weights_operand = 0; a->weights_operand < 2 && !a->fusions[1]; ++a->weights_operand) {
    hd_view view;
    bool only = false;
    if (!hd_view_of(ctx->shapes, &a->sets[2].writers, hd_operand(a->second, a->weights_operand), &view)) return false;
    hd_op *fusion = hd_is_allocation(view.root) ? fusion_of(view.root, last, &only) : NULL;
    if (!fusion || !only || !is_kind(fusion, HD_KIND_ROW)) continue;
    a->fusions[1] = fusion;
    a->weights = view.root;
    break;
  }
  if (!a->fusions[1]) return false;
  hd_kernel_collect(a->fusions[1], &ctx->pass->arena, &a->sets[1]);
  if (a->sets[1].outputs.len != 1 || a->sets[1].outputs.data[0] != a->weights) return false;
  for (size_t i = 0; i < a->sets[1].ops.len && !a->fusions[0]; ++i) {
    hd_op *op = a->sets[1].ops.data[i];
    for (uint32_t k = 0; k < hd_buffer_input_count(op) && !a->fusions[0]; ++k) {
      bool only = false;
      hd_value *buffer = hd_operand(op, k);
      if (hd_map_get(&a->sets[1].writers, buffer) || !hd_is_allocation(buffer)) continue;
      hd_op *fusion = fusion_of(buffer, a->fusions[1], &only);
      if (!fusion || !only || !is_kind(fusion, HD_KIND_GEMM)) continue;
      a->fusions[0] = fusion;
      a->scores = buffer;
    }
  }
  if (!a->fusions[0]) return false;
  hd_kernel_collect(a->fusions[0], &ctx->pass->arena, &a->sets[0]);
  a->first = dot_of(&a->sets[0]);
  return a->first && a->sets[0].outputs.len == 1 && a->sets[0].outputs.data[0] == a->scores && match_first(ctx, a) &&
         match_rows(ctx, a) && match_second(ctx, a);
}

bool hd_attention_at(hd_lowering *ctx, hd_op *last, hd_attention *out) {
  return match(ctx, last, out) && hd_discardable_joined(out->fusions[0]) && hd_discardable_joined(out->fusions[1]);
}

/* May |op| be done right before |last|: does nothing between write what it reads? What it writes itself is for it
 * alone, or for the joined ones: copies of inline ops have one buffer. */
static bool can_sink(hd_pass *pass, hd_op *op, hd_op *last) {
  hd_accesses own = {0};
  hd_map written = {0};
  hd_buffer_accesses(op, &pass->arena, &own);
  for (size_t i = 0; i < own.len; ++i)
    if (own.data[i].writes) hd_map_set(&pass->arena, &written, own.data[i].buffer, op);
  for (hd_op *between = op->next; between != last; between = between->next) {
    hd_accesses other = {0};
    if (hd_op_is(between, HD_OP_memref_alloc)) continue;
    hd_buffer_accesses(between, &pass->arena, &other);
    for (size_t i = 0; i < own.len; ++i)
      for (size_t k = 0; k < other.len && !hd_map_get(&written, own.data[i].buffer); ++k)
        if (other.data[k].writes && other.data[k].buffer == own.data[i].buffer) return false;
  }
  return true;
}

static void join_block(hd_lowering *ctx, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) join_block(ctx, inner);
    hd_attention a;
    if (!is_kind(op, HD_KIND_GEMM) || !match(ctx, op, &a)) continue;
    if (!hd_op_is_before(a.fusions[0], a.fusions[1]) || !hd_op_is_before(a.fusions[1], op) ||
        !can_sink(ctx->pass, a.fusions[0], op) || !can_sink(ctx->pass, a.fusions[1], op))
      continue;
    for (int i = 0; i < 2; ++i) {
      hd_op_move_before(a.fusions[i], op);
      hd_discardable_set_joined(a.fusions[i], true);
    }
    ctx->pass->changed = true;
  }
}

bool hd_pass_join_attention(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  hd_lowering ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func};
  hd_for_each_block(block, hd_op_region(func, 0)) join_block(&ctx, block);
  return true;
}
