/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that are others in another notation: map, broadcast, einsum, top_k. */
#include <string.h>

#include "eval/core/hooks.h"
#include "ir/custom_calls.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/mhlo.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

/* Has every op of the computation a form on whole tensors? */
static bool applies(hd_block *block) {
  hd_for_each_op(inner, block) {
    if (inner->operand_count > 8) return false;
    for (uint32_t i = 0; i < inner->operand_count; ++i)
      if (!hd_type_has_rank(hd_operand_type(inner, i)) || hd_type_rank(hd_operand_type(inner, i))) return false;
    if (hd_op_has_trait(inner, HD_TRAIT(TERMINATOR))) return true;
    if (inner->result_count != 1 || inner->region_count) return false;
    if (!hd_attr_is(hd_value_constant(hd_result(inner, 0)), HD_ATTR_DENSE) &&
        !hd_op_has_trait(inner, HD_TRAIT(ELEMENTWISE)) && !hd_op_is(inner, HD_OP_stablehlo_select))
      return false;
  }
  return false;
}

/* One map for each result: of a computation that works element by element alone. */
static bool apply_by_map(hd_builder *b, hd_block *block, hd_value *const *arguments, hd_value **results, size_t count) {
  uint32_t rank = hd_type_rank(arguments[0]->type);
  int64_t dims[HD_MAX_RANK];
  if (rank > HD_MAX_RANK || block->last->operand_count != count)
    return hd_op_error(block->last, "expects %zu results and a rank of at most %d", count, HD_MAX_RANK);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d;
  hd_attr_arg dimensions = {HD_NAME_dimensions, hd_attr_i64_array(b->context, dims, rank)};
  for (size_t i = 0; i < count; ++i) {
    hd_type type = hd_type_with_element(arguments[0]->type, hd_type_element(hd_operand_type(block->last, (uint32_t)i)));
    hd_op *made = hd_build_op(b, HD_OP_stablehlo_map, arguments, block->arg_count, &type, 1, &dimensions, 1, 1);
    hd_map values = {0};
    hd_region_clone_into(b->module, block->region, hd_op_region(made, 0), &b->module->arena, &values);
    hd_op *end = hd_op_region(made, 0)->first->last;
    hd_value *given = hd_operand(end, (uint32_t)i);
    hd_op_set_operands(end, &given, 1);
    results[i] = hd_result(made, 0);
  }
  return true;
}

/* The computation's scalar ops on whole tensors. */
bool hd_hlo_apply(hd_builder *b, hd_block *block, hd_value *const *arguments, hd_value **results, size_t count) {
  if (!applies(block)) return apply_by_map(b, block, arguments, results, count);
  hd_arena *arena = &b->module->arena;
  hd_map values = {0};
  for (uint32_t i = 0; i < block->arg_count; ++i) hd_map_set(arena, &values, block->args[i], arguments[i]);
  hd_value *like = arguments[0];
  hd_for_each_op(inner, block) {
    hd_value **operands = hd_new_array(arena, hd_value *, inner->operand_count);
    for (uint32_t i = 0; i < inner->operand_count; ++i) {
      hd_value *known = hd_map_get(&values, hd_operand(inner, i));
      if (!known) { /* from outside: a scalar */
        known = hd_hlo_broadcast_like(b, hd_operand(inner, i), like, NULL);
      }
      operands[i] = known;
    }
    if (hd_op_has_trait(inner, HD_TRAIT(TERMINATOR))) {
      for (size_t i = 0; i < count && i < inner->operand_count; ++i) results[i] = operands[i];
      return inner->operand_count == count ||
             hd_op_error(inner, "expects %zu results, got %u", count, inner->operand_count);
    }
    hd_attr constant = inner->result_count == 1 ? hd_value_constant(hd_result(inner, 0)) : NULL;
    hd_value *made;
    if (constant) {
      made = hd_hlo_broadcast_like(b, hd_build_hlo_constant(b, constant), like, NULL);
    } else {
      hd_type type = hd_type_with_element(like->type, hd_type_element(hd_result_type(inner, 0)));
      hd_op *whole = hd_build_like(b, inner, hd_opcode_get(inner), operands, inner->operand_count, &type, 1);
      made = hd_result(whole, 0);
    }
    hd_map_set(arena, &values, hd_result(inner, 0), made);
  }
  return hd_op_error(hd_block_parent_op(block), "expects a computation with a result, got none");
}

/* What works element by element alone stays, or is a loop. */
bool hd_expand_map(hd_builder *b, hd_op *op, hd_value **results) {
  hd_block *block = hd_op_region(op, 0)->first;
  results[0] = NULL;
  if (!applies(block)) return hd_expand_map_by_element(b, op, results);
  hd_value **arguments = hd_new_array(&b->module->arena, hd_value *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) arguments[i] = hd_operand(op, i);
  return hd_hlo_apply(b, block, arguments, results, 1);
}

/* New dims in front. */
bool hd_expand_broadcast(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0);
  hd_attr sizes = hd_stablehlo_broadcast_broadcast_sizes(op);
  uint32_t rank = hd_type_rank(x->type), front = (uint32_t)hd_attr_count(sizes);
  int64_t *axes = hd_new_array(&b->module->arena, int64_t, rank + 1);
  hd_value **all = hd_new_array(&b->module->arena, hd_value *, rank + front + 1);
  for (uint32_t d = 0; d < rank; ++d) axes[d] = front + d;
  bool known = hd_type_is_static(x->type) && hd_type_is_static(hd_result_type(op, 0));
  for (uint32_t d = 0; d < rank + front && !known; ++d)
    all[d] = d < front ? hd_hlo_size(b, hd_attr_int_at(sizes, d)) : hd_hlo_size_of(b, x, d - front);
  results[0] = hd_hlo_broadcast(b, x, hd_result_type(op, 0), axes, known ? NULL : hd_hlo_shape(b, all, rank + front));
  return true;
}

/* Between elements of different widths, by arithmetic on unsigned integers: part k of an element, the low one first, is
 * element k of the last dim. */
bool hd_expand_bitcast_convert(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0);
  hd_type type = hd_result_type(op, 0), from = hd_type_element(x->type), to = hd_type_element(type);
  uint32_t from_bits = hd_type_bits(from), to_bits = hd_type_bits(to), rank = hd_type_rank(x->type);
  results[0] = NULL;
  if (from_bits == to_bits) return true;
  if (from->kind == HD_TYPE_COMPLEX || to->kind == HD_TYPE_COMPLEX || !from_bits || !to_bits ||
      (from_bits > to_bits ? rank + 1 : rank) > HD_MAX_RANK)
    return hd_op_error(op, "has no compiled path for its element types");
  hd_type narrow = hd_type_integer(b->context, from_bits < to_bits ? from_bits : to_bits, HD_UNSIGNED),
          wide = hd_type_integer(b->context, from_bits < to_bits ? to_bits : from_bits, HD_UNSIGNED);
  int64_t step = (int64_t)hd_type_bits(narrow), axis = from_bits < to_bits ? rank - 1 : rank;
  hd_type bits = hd_type_with_element(x->type, from_bits < to_bits ? narrow : wide);
  if (bits != x->type) x = hd_stablehlo_bitcast_convert(b, bits, x);
  if (from_bits < to_bits) {
    x = hd_hlo_convert(b, x, wide);
    hd_value *shift = hd_hlo_iota(b, x->type, x, (uint32_t)axis);
    shift = hd_stablehlo_multiply(b, shift, hd_hlo_int_like(b, shift, step));
    x = hd_hlo_reduce_add(b, hd_stablehlo_shift_left(b, x, shift), &axis, 1);
  } else {
    int64_t dims[HD_MAX_RANK], axes[HD_MAX_RANK];
    hd_value *sizes[HD_MAX_RANK];
    for (uint32_t d = 0; d < rank; ++d) {
      dims[d] = hd_type_dim(x->type, d);
      axes[d] = d;
      sizes[d] = hd_hlo_size_of(b, x, d);
    }
    dims[rank] = from_bits / to_bits;
    sizes[rank] = hd_hlo_size(b, dims[rank]);
    hd_type spread = hd_type_with_dims(x->type, dims, rank + 1);
    hd_value *shape = hd_type_is_static(x->type) ? NULL : hd_hlo_shape(b, sizes, rank + 1);
    x = hd_hlo_broadcast(b, x, spread, axes, shape);
    hd_value *shift = hd_hlo_iota(b, x->type, x, rank);
    shift = hd_stablehlo_multiply(b, shift, hd_hlo_int_like(b, shift, step));
    x = hd_hlo_convert(b, hd_stablehlo_shift_right_logical(b, x, shift), narrow);
  }
  if (hd_type_element(x->type) != to) x = hd_stablehlo_bitcast_convert(b, hd_type_with_element(x->type, to), x);
  results[0] = hd_hlo_retype(b, x, type);
  return true;
}

/* [count] or, where |parts| is more than 1, [count, parts] of the elements of |x|. */
static hd_value *flat(hd_builder *b, hd_value *x, int64_t count, int64_t parts) {
  hd_value *sizes[] = {hd_hlo_size(b, count), hd_hlo_size(b, parts)};
  return hd_hlo_reshape(b, x, sizes, parts > 1 ? 2 : 1);
}

/* The same bytes as another shape and element type: reshape and bitcast_convert, by way of lines where the elements'
 * widths differ. Unknown dims are the operand's own. */
bool hd_expand_bitcast(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0);
  hd_type type = hd_result_type(op, 0), to = hd_type_element(type), from = hd_type_element(x->type);
  int64_t from_bits = hd_type_bits(from), to_bits = hd_type_bits(to), count = hd_type_num_elements(type);
  bool same_dims = hd_type_with_element(x->type, to) == type;
  if ((!same_dims && !hd_type_is_static(type)) || (from_bits != to_bits && !hd_type_is_static(type)))
    return hd_op_error(op, "expects a result of known dims, or the operand's dims and width of elements");
  if (from_bits == to_bits && !same_dims) {
    hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, hd_type_rank(type) + 1);
    for (uint32_t d = 0; d < hd_type_rank(type); ++d) sizes[d] = hd_hlo_size(b, hd_type_dim(type, d));
    x = hd_hlo_reshape(b, x, sizes, hd_type_rank(type));
  }
  if (from_bits == to_bits) {
    results[0] = from == to ? hd_hlo_retype(b, x, type) : hd_stablehlo_bitcast_convert(b, type, x);
    return true;
  }
  bool narrows = from_bits > to_bits;
  int64_t parts = narrows ? from_bits / to_bits : to_bits / from_bits, wide = narrows ? count / parts : count;
  if (from_bits % to_bits && to_bits % from_bits)
    return hd_op_error(op, "expects element widths of which one divides the other, got others");
  x = flat(b, x, wide, narrows ? 1 : parts);
  int64_t dims[] = {wide, parts};
  hd_type line = hd_type_tensor(to, dims, narrows ? 2 : 1, NULL);
  hd_value *cast = hd_stablehlo_bitcast_convert(b, line, x), *made = NULL;
  hd_op *convert = hd_value_op(cast);
  if (!hd_expand_bitcast_convert(b, convert, &made)) return false;
  if (made) {
    hd_value_replace_uses(cast, made);
    hd_op_erase(convert);
    cast = made;
  }
  results[0] = hd_hlo_retype(b, cast, type);
  return true;
}

enum { LETTERS = 26 };

typedef struct labels {
  char at[HD_MAX_RANK];
  uint32_t count;
} labels;

static bool read_labels(hd_str *text, labels *out) {
  bool seen[LETTERS] = {false}, unique = true;
  out->count = 0;
  while (text->len && text->data[0] >= 'a' && text->data[0] <= 'z' && out->count < HD_MAX_RANK) {
    int letter = text->data[0] - 'a';
    unique &= !seen[letter];
    seen[letter] = true;
    out->at[out->count++] = text->data[0];
    ++text->data, --text->len;
  }
  return unique;
}

static int64_t place(const labels *l, char label) {
  for (uint32_t i = 0; i < l->count; ++i)
    if (l->at[i] == label) return i;
  return -1;
}

/* Sums |x| over labels that are in neither |a| nor |b|. */
static hd_value *sum_others(hd_builder *b, hd_value *x, labels *l, const labels *p, const labels *q) {
  int64_t axes[HD_MAX_RANK];
  uint32_t count = 0, kept = 0;
  labels left = {0};
  for (uint32_t i = 0; i < l->count; ++i)
    if (place(p, l->at[i]) < 0 && place(q, l->at[i]) < 0)
      axes[count++] = i;
    else
      left.at[kept++] = l->at[i];
  if (!count) return x;
  left.count = kept;
  *l = left;
  return hd_hlo_reduce_add(b, x, axes, count);
}

static hd_value *transposed(hd_builder *b, hd_value *x, const labels *from, const labels *to) {
  int64_t order[HD_MAX_RANK];
  bool same = true;
  for (uint32_t i = 0; i < to->count; ++i) {
    order[i] = place(from, to->at[i]);
    same &= order[i] == i;
  }
  if (same) return x;
  return hd_stablehlo_transpose(b, hd_attr_i64_array(b->context, order, to->count), x);
}

/* Letters of both operands are batch dims when the result has them, else contracted. */
static hd_value *product(hd_builder *b, hd_op *op, hd_value *x, hd_value *y, const labels *l, const labels *r,
                         const labels *to, labels *made) {
  int64_t lists[4][HD_MAX_RANK], dims[HD_MAX_RANK];
  uint32_t batches = 0, contracted = 0;
  *made = (labels){0};
  for (uint32_t i = 0; i < l->count; ++i) {
    int64_t other = place(r, l->at[i]);
    if (other < 0) continue;
    bool batch = place(to, l->at[i]) >= 0;
    uint32_t at = batch ? batches++ : contracted++;
    lists[batch ? 0 : 2][at] = i;
    lists[batch ? 1 : 3][at] = other;
    if (batch) dims[made->count] = hd_type_dim(x->type, i), made->at[made->count++] = l->at[i];
  }
  for (uint32_t i = 0; i < l->count; ++i)
    if (place(r, l->at[i]) < 0) dims[made->count] = hd_type_dim(x->type, i), made->at[made->count++] = l->at[i];
  for (uint32_t i = 0; i < r->count; ++i)
    if (place(l, r->at[i]) < 0) dims[made->count] = hd_type_dim(y->type, i), made->at[made->count++] = r->at[i];
  hd_attr params[4] = {
      hd_attr_i64_array(b->context, lists[0], batches), hd_attr_i64_array(b->context, lists[1], batches),
      hd_attr_i64_array(b->context, lists[2], contracted), hd_attr_i64_array(b->context, lists[3], contracted)};
  hd_type type = hd_type_tensor(hd_type_element(hd_result_type(op, 0)), dims, made->count, NULL);
  return hd_stablehlo_dot_general(b, type, hd_attr_struct(b->context, HD_STRUCT_stablehlo_dot, params, 4), x, y);
}

bool hd_expand_einsum(hd_builder *b, hd_op *op, hd_value **results) {
  hd_str text = hd_einsum_like_einsum_config(op);
  labels in[2] = {0}, to = {0}, made;
  bool unique = read_labels(&text, &in[0]);
  if (op->operand_count == 2) {
    unique &= text.len && text.data[0] == ',';
    if (text.len) ++text.data, --text.len;
    unique &= read_labels(&text, &in[1]);
  }
  unique &= text.len >= 2 && memcmp(text.data, "->", 2) == 0;
  if (unique) text.data += 2, text.len -= 2;
  unique = unique && read_labels(&text, &to) && !text.len;
  for (uint32_t k = 0; k < op->operand_count && unique; ++k)
    unique &= hd_type_has_rank(hd_operand_type(op, k)) && in[k].count == hd_type_rank(hd_operand_type(op, k));
  for (uint32_t i = 0; i < to.count && unique; ++i)
    unique &= place(&in[0], to.at[i]) >= 0 || place(&in[1], to.at[i]) >= 0;
  if (!unique) return hd_op_error(op, "expects labels a to z, each once in an operand and in the result");
  hd_value *x = sum_others(b, hd_operand(op, 0), &in[0], &in[1], &to);
  if (op->operand_count == 1) {
    results[0] = transposed(b, x, &in[0], &to);
    return true;
  }
  hd_value *y = sum_others(b, hd_operand(op, 1), &in[1], &in[0], &to);
  results[0] = product(b, op, x, y, &in[0], &in[1], &to, &made);
  results[0] = transposed(b, results[0], &made, &to);
  return true;
}

/* |x| up to |limits|[d] in each dim, as |type|. False with an error at |op|: it has not as many. */
static bool front(hd_builder *b, hd_op *op, hd_value *x, hd_type type, hd_value *const *limits, hd_value **out) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value *zeros[HD_MAX_RANK], *ones[HD_MAX_RANK];
  int64_t *at = hd_new_array(&b->module->arena, int64_t, 3 * rank + 1);
  bool known = hd_type_is_static(x->type);
  for (uint32_t d = 0; d < rank; ++d) {
    zeros[d] = hd_hlo_size(b, 0);
    ones[d] = hd_hlo_size(b, 1);
    at[rank + d] = hd_hlo_known_size(limits[d]);
    at[2 * rank + d] = 1;
    known &= at[rank + d] != HD_DYNAMIC;
    int64_t limit = at[rank + d], size = hd_type_dim(x->type, d);
    if (limit != HD_DYNAMIC && (limit < 0 || (size != HD_DYNAMIC && limit > size)))
      return size == HD_DYNAMIC
                 ? hd_op_error(op, "takes %lld elements of dim %u, expected 0 or more", (long long)limit, d)
                 : hd_op_error(op, "takes %lld elements of dim %u, expected 0 to %lld", (long long)limit, d,
                               (long long)size);
  }
  if (known) {
    x = hd_stablehlo_slice(b, hd_attr_i64_array(b->context, at, rank), hd_attr_i64_array(b->context, at + rank, rank),
                           hd_attr_i64_array(b->context, at + 2 * rank, rank), x);
    *out = hd_hlo_retype(b, x, type);
    return true;
  }
  hd_value *operands[] = {x, hd_hlo_shape(b, zeros, rank), hd_hlo_shape(b, limits, rank), hd_hlo_shape(b, ones, rank)};
  *out = hd_build_one_(b, HD_OP_stablehlo_real_dynamic_slice, type, operands, 4, NULL, 0);
  return true;
}

/* tensor<1xi32> of an integer scalar. */
static hd_value *size_value(hd_builder *b, hd_value *x) {
  int64_t known;
  if (hd_value_constant_int(x, &known)) return hd_hlo_size(b, known);
  return hd_hlo_reshape_to(b, hd_hlo_convert(b, x, hd_i32(b->context)), (int64_t[]){1}, 1);
}

/* Sorted with their positions, the first |k| of each line; floats in the total order, so a NaN goes by its sign. */
static bool top_k(hd_builder *b, hd_op *op, hd_value *k, bool largest, hd_value **results) {
  hd_value *x = hd_operand(op, 0);
  hd_type element = hd_type_element(x->type);
  if (!hd_type_has_rank(x->type) || !hd_type_rank(x->type) || hd_type_rank(x->type) > HD_MAX_RANK ||
      element->kind == HD_TYPE_COMPLEX || !hd_type_has_rank(hd_result_type(op, 0)))
    return hd_op_error(op, "expects integers or floats of rank 1 to %d", HD_MAX_RANK);
  uint32_t rank = hd_type_rank(x->type);
  hd_type ids_type = hd_type_with_element(x->type, hd_type_element(hd_result_type(op, 1)));
  hd_value *ids = hd_hlo_iota(b, ids_type, x, rank - 1), *limits[HD_MAX_RANK];
  hd_op *sorted = hd_hlo_sort(b, x, ids, rank - 1, largest ? HD_STABLEHLO_COMPARE_GT : HD_STABLEHLO_COMPARE_LT);
  for (uint32_t d = 0; d < rank; ++d) limits[d] = d + 1 == rank ? k : hd_hlo_size_of(b, x, d);
  return front(b, op, hd_result(sorted, 0), hd_result_type(op, 0), limits, &results[0]) &&
         front(b, op, hd_result(sorted, 1), hd_result_type(op, 1), limits, &results[1]);
}

bool hd_expand_top_k(hd_builder *b, hd_op *op, hd_value **results) {
  return top_k(b, op, hd_hlo_size(b, hd_top_k_like_k(op)), hd_top_k_like_largest(op), results);
}

bool hd_expand_dynamic_top_k(hd_builder *b, hd_op *op, hd_value **results) {
  return top_k(b, op, size_value(b, hd_operand(op, 1)), true, results);
}

/* The elements up to the new size. */
bool hd_expand_set_dimension_size(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0), *limits[HD_MAX_RANK];
  int64_t axis = hd_stablehlo_set_dimension_size_dimension(op);
  if (hd_type_rank(x->type) > HD_MAX_RANK || axis < 0 || axis >= (int64_t)hd_type_rank(x->type))
    return hd_op_error(op, "expects a dim of its operand, got a number beyond its rank");
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    limits[d] = d == axis ? size_value(b, hd_operand(op, 1)) : hd_hlo_size_of(b, x, d);
  return front(b, op, x, hd_result_type(op, 0), limits, &results[0]);
}

/* chlo.dynamic_reshape: an entry of -1 is what the others leave. */
bool hd_expand_dynamic_reshape(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0), *shape = hd_hlo_convert(b, hd_operand(op, 1), hd_i32(b->context)),
           *sizes[HD_MAX_RANK];
  hd_type type = hd_result_type(op, 0);
  if (!hd_type_has_rank(type) || !hd_type_is_static(shape->type) || hd_type_rank(type) > HD_MAX_RANK ||
      hd_type_rank(x->type) > HD_MAX_RANK)
    return hd_op_error(op, "expects a result of known rank, got unknown rank");
  hd_attr constant = hd_value_constant(hd_operand(op, 1));
  uint32_t rank = hd_type_rank(type);
  hd_value *total = hd_hlo_size(b, 1), *known = hd_hlo_size(b, -1);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    total = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, total, hd_hlo_size_of(b, x, d));
  for (uint32_t d = 0; d < rank; ++d) {
    sizes[d] = hd_attr_is(constant, HD_ATTR_DENSE) ? hd_hlo_size(b, hd_attr_int_at(constant, d))
                                                   : hd_hlo_slice(b, shape, 0, d, d + 1);
    known = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, known, sizes[d]);
  }
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t size = hd_hlo_known_size(sizes[d]);
    if (size >= 0) continue;
    hd_value *rest = hd_hlo_size_op(b, HD_OP_stablehlo_divide, total, known);
    if (size == HD_DYNAMIC) {
      hd_value *unknown = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[d], hd_hlo_size(b, -1));
      rest = hd_stablehlo_select(b, unknown, rest, sizes[d]);
    }
    sizes[d] = rest;
  }
  results[0] = hd_stablehlo_dynamic_reshape(b, type, x, hd_hlo_shape(b, sizes, rank));
  return true;
}

/* "chlo.erf" or "mhlo.erf" as a target: the op of that name, with the attributes in mhlo.attributes. */
static bool op_by_name(hd_builder *b, hd_op *op, hd_str target, hd_value **results) {
  static const char *const dialects[] = {"mhlo.", "chlo."};
  char name[64];
  if (target.len >= sizeof name || target.len < 5) return true;
  for (int i = 0; i < 2; ++i) {
    memcpy(name, target.data, target.len);
    memcpy(name, dialects[i], 5);
    hd_opcode opcode = hd_opcode_of(b->context, (hd_str){name, target.len});
    const hd_op_info *info = hd_op_info_of(opcode);
    if (!hd_eval_hook_of(info->opcode) || !(info->traits & HD_TRAIT(PURE)) || info->regions[0]) continue;
    const hd_signature *signature = hd_signature_of(b->context, opcode);
    if (signature->args.variable || signature->args.count != op->operand_count ||
        signature->results.count != op->result_count)
      continue;
    hd_attr given = hd_discardable_mhlo_attributes(op);
    hd_value *operands[8];
    hd_type types[8];
    if (op->operand_count > 8 || op->result_count > 8) return true;
    for (uint32_t k = 0; k < op->operand_count; ++k) operands[k] = hd_operand(op, k);
    for (uint32_t k = 0; k < op->result_count; ++k) types[k] = hd_result_type(op, k);
    hd_vec(hd_op_attr) attrs = {0};
    for (size_t k = 0; hd_attr_is(given, HD_ATTR_DICT) && k < given->dict.count; ++k)
      hd_vec_push(&b->module->arena, &attrs,
                  ((hd_op_attr){given->dict.items[k].name, given->dict.items[k].value, true}));
    hd_op *made = hd_build_state(b, &(hd_op_state){.opcode = opcode,
                                                   .operands = operands,
                                                   .operand_count = op->operand_count,
                                                   .result_types = types,
                                                   .result_count = op->result_count,
                                                   .attrs = attrs.data,
                                                   .attr_count = attrs.len});
    for (uint32_t k = 0; k < op->result_count; ++k) results[k] = hd_result(made, k);
    if (opcode == HD_OP_mhlo_topk || opcode == HD_OP_chlo_top_k) return hd_expand_top_k(b, made, results);
    return true;
  }
  return true;
}

/* Annotations pass their operand on. */
bool hd_expand_custom_call(hd_builder *b, hd_op *op, hd_value **results) {
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  results[0] = NULL;
  if (hd_custom_call_is_annotation(target) && op->operand_count >= op->result_count) {
    for (uint32_t k = 0; k < op->result_count; ++k) results[k] = hd_operand(op, k);
    return true;
  }
  if (hd_str_is(target, "stablehlo.dynamic_top_k") && op->operand_count == 2 && op->result_count == 2)
    return hd_expand_dynamic_top_k(b, op, results);
  if (hd_str_is(target, "stablehlo.dynamic_rng_bit_generator") && op->operand_count == 2 && op->result_count == 2)
    return hd_expand_dynamic_rng(b, op, results);
  if (op->result_count && hd_expectation_call_of(target))
    return hd_expand_expectation(b, op, hd_expectation_call_of(target), results);
  if (op->result_count && (hd_str_starts(target, "chlo.") || hd_str_starts(target, "mhlo.")))
    return op_by_name(b, op, target, results);
  return hd_expand_layouts(b, op, results);
}
