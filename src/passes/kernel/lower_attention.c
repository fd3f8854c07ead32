/* SPDX-License-Identifier: Apache-2.0 */
/* The fusions of attention: one call of the runtime, with a kernel on the tiles of the first product and one over rows.
 */
#include "analysis/buffer_op.h"
#include "ir/element_types.h"
#include "ir/ops/stablehlo.h"
#include "passes/kernel/attention.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"
#include "runtime/libraries/gemm.h"
#include "runtime/libraries/product_abi.h"

enum { MOST_DIMS = 2 * HD_COMPILED_MAX_RANK };

/* Words of a kernel of strips: what is scratch of the runtime is null, and its place |*out_scores| and |*out_weights|;
 * stores stay in the caches. */
static hd_value *strip_words(hd_lowering *ctx, hd_builder *b, const hd_attention *a, const hd_kernel_launch *launch,
                             hd_op *op, int64_t *out_scores, int64_t *out_weights) {
  hd_value *area = hd_words_area(b, (int64_t)launch->operand_count + 1);
  hd_type index = hd_type_index(b->context);
  for (size_t i = 0; i < launch->operand_count; ++i) {
    hd_value *word = launch->operands[i];
    if (word == a->scores) *out_scores = (int64_t)i;
    if (word == a->weights) *out_weights = (int64_t)i;
    if (word == a->scores || word == a->weights)
      word = hd_host_index(ctx, b, 0);
    else if (!word)
      word = launch->dims[i] ? hd_host_dim(ctx, b, launch->dims[i], op) : hd_host_index(ctx, b, INT64_MAX);
    else if (word->type->kind == HD_TYPE_MEMREF)
      word = hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, word);
    if (!word) return NULL;
    hd_build0(b, HD_OP_memref_store, hd_host_as_word(ctx, b, word), area, hd_host_index(ctx, b, (int64_t)i));
  }
  return area;
}

/* The kernel's number in the artifact. */
static hd_value *kernel_index(hd_builder *b, const hd_kernel_launch *launch) {
  hd_attr_arg kernel = {HD_NAME_kernel, hd_attr_symbol(b->context, hd_symbol_name(launch->func), NULL, 0)};
  return hd_build_one_(b, HD_OP_hd_kernel_index, hd_i64(b->context), NULL, 0, &kernel, 1);
}

/* Is dim |d| of |operand| of |dot| a batch's, or summed? */
static bool is_free(hd_op *dot, uint32_t operand, uint32_t d) {
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(dot);
  hd_attr batching =
      operand ? hd_attr_stablehlo_dot_rhs_batching_dimensions(n) : hd_attr_stablehlo_dot_lhs_batching_dimensions(n);
  hd_attr contracting = operand ? hd_attr_stablehlo_dot_rhs_contracting_dimensions(n)
                                : hd_attr_stablehlo_dot_lhs_contracting_dimensions(n);
  return hd_attr_find_int(batching, d) < 0 && hd_attr_find_int(contracting, d) < 0;
}

/* The dim of the result that free dim |d| of |operand| becomes, or that batch dim does. */
static uint32_t result_dim(hd_op *dot, uint32_t operand, uint32_t d) {
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(dot);
  hd_attr batching =
      operand ? hd_attr_stablehlo_dot_rhs_batching_dimensions(n) : hd_attr_stablehlo_dot_lhs_batching_dimensions(n);
  if (hd_attr_find_int(batching, d) >= 0) return (uint32_t)hd_attr_find_int(batching, d);
  uint32_t at = (uint32_t)hd_attr_count(batching);
  for (uint32_t o = 0; o <= operand; ++o)
    for (uint32_t i = 0; i < hd_type_rank(hd_operand_type(dot, o)); ++i) {
      if (!is_free(dot, o, i)) continue;
      if (o == operand && i == d) return at;
      ++at;
    }
  return at;
}

/* The dim of operand 1 - |operand| that batch dim |d| of |operand| goes with. */
static uint32_t batch_partner(hd_op *dot, uint32_t operand, uint32_t d) {
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(dot),
          own = operand ? hd_attr_stablehlo_dot_rhs_batching_dimensions(n)
                        : hd_attr_stablehlo_dot_lhs_batching_dimensions(n),
          other = operand ? hd_attr_stablehlo_dot_lhs_batching_dimensions(n)
                          : hd_attr_stablehlo_dot_rhs_batching_dimensions(n);
  return (uint32_t)hd_attr_int_at(other, (size_t)hd_attr_find_int(own, d));
}

/* The operand's dim that becomes dim |d| of the result of the first product. */
static uint32_t lhs_dim(hd_op *dot, uint32_t d) {
  for (uint32_t i = 0; i < hd_type_rank(hd_operand_type(dot, 0)); ++i) {
    hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(dot);
    bool summed = hd_attr_find_int(hd_attr_stablehlo_dot_lhs_contracting_dimensions(n), i) >= 0;
    if (!summed && result_dim(dot, 0, i) == d) return i;
  }
  return 0;
}

typedef struct table {
  hd_lowering *ctx;
  hd_dim words[HD_WORDS(hd_attention_descriptor) + 2 * MOST_DIMS * HD_WORDS(hd_dot_dim)];
  uint32_t count;
} table;

static void add(table *t, int64_t role, hd_dim size, hd_dim lhs, hd_dim rhs, hd_dim out) {
  hd_dim_table *dims = &t->ctx->shapes->table;
  const hd_dim words[] = {hd_dim_const(dims, role), size, lhs, rhs, out};
  for (uint32_t i = 0; i < HD_WORDS(hd_dot_dim); ++i)
    t->words[t->count++] = words[i] ? words[i] : hd_dim_const(dims, 0);
}

/* The dims of |dot|, whose operand |left| has the rows: those, then what only the other one has, then the sums. */
static uint32_t add_dims(table *t, const hd_attention *a, hd_op *dot, uint32_t left, const hd_view *lhs,
                         const hd_view *rhs, const hd_view *out) {
  uint32_t before = t->count;
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(dot);
  for (uint32_t i = 0; i < a->row_count; ++i) {
    const hd_attention_row *row = &a->rows[i];
    uint32_t d = dot == a->first ? lhs_dim(dot, row->first) : row->second;
    add(t, row->is_batch ? HD_GEMM_BATCH : HD_GEMM_M, lhs->sizes[d], lhs->strides[d],
        row->is_batch ? rhs->strides[batch_partner(dot, left, d)] : NULL, out->strides[result_dim(dot, left, d)]);
  }
  for (uint32_t d = 0; d < rhs->rank; ++d)
    if (is_free(dot, 1 - left, d))
      add(t, HD_GEMM_N, rhs->sizes[d], NULL, rhs->strides[d], out->strides[result_dim(dot, 1 - left, d)]);
  hd_attr lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
          rc = hd_attr_stablehlo_dot_rhs_contracting_dimensions(n);
  for (size_t i = 0; i < hd_attr_count(lc); ++i) {
    int64_t l = hd_attr_int_at(left ? rc : lc, i), r = hd_attr_int_at(left ? lc : rc, i);
    add(t, HD_GEMM_K, lhs->sizes[l], lhs->strides[l], rhs->strides[r], NULL);
  }
  return (t->count - before) / HD_WORDS(hd_dot_dim);
}

static int64_t types_of(hd_op *dot, uint32_t left) {
  return hd_product_types_word(
      (hd_product_types){.lhs = hd_element_type_of(hd_type_element(hd_operand_type(dot, left))),
                         .rhs = hd_element_type_of(hd_type_element(hd_operand_type(dot, 1 - left))),
                         .out = hd_element_type_of(hd_type_element(hd_buffer_output(dot, 0)->type))});
}

bool hd_lower_attention(hd_lowering *ctx, const hd_attention *a) {
  hd_op *op = a->fusions[2];
  hd_builder b = hd_builder_before(op);
  b.loc = hd_loc_fused(b.context, (hd_loc[]){a->fusions[0]->loc, a->fusions[1]->loc, op->loc}, 3, NULL);
  hd_dim_table *t = &ctx->shapes->table;
  hd_type i64 = hd_i64(b.context);
  uint32_t w = a->weights_operand;
  hd_map no_writers = {0};
  hd_view queries, keys, scores, weights, values, out;
  if (!hd_product_operand(ctx, &b, &a->sets[0], hd_operand(a->first, 0), op, &queries) ||
      !hd_product_operand(ctx, &b, &a->sets[0], hd_operand(a->first, 1), op, &keys) ||
      !hd_product_operand(ctx, &b, &a->sets[2], hd_operand(a->second, 1 - w), op, &values))
    return false;
  if (!hd_view_of(ctx->shapes, &no_writers, hd_buffer_output(a->first, 0), &scores) ||
      !hd_view_of(ctx->shapes, &a->sets[2].writers, hd_operand(a->second, w), &weights) ||
      !hd_product_result(ctx, &a->sets[2], a->second, &out))
    return hd_op_error(op, "has a result of unknown size");
  int64_t epilogue_scores = 0, row_scores = 0, row_weights = 0, none = 0;
  hd_kernel_launch epilogue = {0}, row = {0};
  hd_value *epilogue_index = hd_build_int(&b, i64, -1), *epilogue_words = NULL;
  if (!hd_is_plain_product(&a->sets[0], a->first)) {
    if (!hd_product_epilogue(ctx, &a->sets[0], a->fusions[0]->loc, &epilogue)) return false;
    epilogue_words = strip_words(ctx, &b, a, &epilogue, op, &epilogue_scores, &none);
    if (!epilogue_words) return false;
    epilogue_index = kernel_index(&b, &epilogue);
  }
  const hd_kernel_set *set = &a->sets[1];
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  if (!hd_kernel_of(ctx, hd_emit_limited_row_kernel, &ops, "row", set->ops.data, set->ops.len, a->fusions[1]->loc,
                    &row))
    return false;
  hd_value *row_words = strip_words(ctx, &b, a, &row, op, &row_scores, &row_weights);
  if (!row_words) return false;
  uint32_t query = 0;
  hd_dim unread = NULL;
  bool has_unread = hd_attention_unread_keys(ctx->shapes, a, &query, &unread);
  table descriptor = {.ctx = ctx, .count = HD_WORDS(hd_attention_descriptor)};
  uint32_t first_dims = add_dims(&descriptor, a, a->first, 0, &queries, &keys, &scores);
  uint32_t second_dims = add_dims(&descriptor, a, a->second, w, &weights, &values, &out);
#define FIELD(field) descriptor.words[HD_WORD(hd_attention_descriptor, field)]
  FIELD(row_dims) = hd_dim_const(t, a->row_count);
  FIELD(first_dims) = hd_dim_const(t, first_dims);
  FIELD(second_dims) = hd_dim_const(t, second_dims);
  FIELD(first_types) = hd_dim_const(t, types_of(a->first, 0));
  FIELD(second_types) = hd_dim_const(t, types_of(a->second, w));
  FIELD(scores_type) = hd_dim_const(t, hd_element_type_of(hd_type_element(a->scores->type)));
  FIELD(epilogue_scores) = hd_dim_const(t, epilogue_scores);
  FIELD(row_scores) = hd_dim_const(t, row_scores);
  FIELD(row_weights) = hd_dim_const(t, row_weights);
  FIELD(query) = hd_dim_const(t, has_unread ? (int64_t)query : -1);
  FIELD(unread) = has_unread ? unread : hd_dim_const(t, 0);
#undef FIELD
  hd_value *words = hd_host_table(ctx, &b, descriptor.words, NULL, descriptor.count, op);
  hd_value *pointers[] = {hd_view_pointer(ctx, &b, &queries, op), hd_view_pointer(ctx, &b, &keys, op),
                          hd_view_pointer(ctx, &b, &values, op), a->sets[2].outputs.data[0]};
  if (!words || !pointers[0] || !pointers[1] || !pointers[2]) return false;
  hd_value *operands[] = {hd_lower_stream(ctx, &b),
                          pointers[0],
                          pointers[1],
                          pointers[2],
                          pointers[3],
                          words,
                          hd_build_int(&b, i64, descriptor.count),
                          epilogue_index,
                          epilogue_words ? epilogue_words : words,
                          hd_build_int(&b, i64, (int64_t)epilogue.operand_count),
                          kernel_index(&b, &row),
                          row_words,
                          hd_build_int(&b, i64, (int64_t)row.operand_count)};
  hd_build_ral_call(&b,
                    "ral_attention___pvoid_pvoid_pvoid_pvoid_pvoid_pvoid_pvoid_i64_i64_pvoid_i64_i64_pvoid_i64___void",
                    NULL, operands, 13);
  for (int i = 0; i < 3; ++i) hd_op_erase(a->fusions[i]);
  return true;
}
