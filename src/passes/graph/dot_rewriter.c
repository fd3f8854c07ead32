/* SPDX-License-Identifier: Apache-2.0 */
/* disc-dot-rewriter: transposes fold into dots, dots of one operand become one, sizes become friendly to tensor cores.
 *
 *   dot_general(transpose(%a, [1, 0]), %b) contracting [1] x [0]   ->   dot_general(%a, %b) contracting [0] x [0]
 *
 *   %1 = dot_general(%x, %v)                ->   %w = concatenate %v, %u    %y = dot_general(%x, %w)
 *   %2 = dot_general(%x, %u)                     %1 = slice %y, %2 = slice %y          (merge)
 *
 *   dot_general(%a, %b)                     ->   if (large and some size is no multiple of `align`)
 *                                                  slice(dot_general(pad %a, pad %b)) else dot_general(%a, %b)
 *
 * 1. Folding: stablehlo.dot becomes dot_general where that is needed. The free dims of the operand must keep their
 *    order, since the result has them in order.
 * 2. `merge`: dot_generals with one lhs (or one rhs), equal dimension numbers, attributes and element types, whose
 * other operand has one free dim. They stand where the first one does, so the other operands must be known there.
 * 3. `align=N` pads contracted and free dims by zeros. Sizes may be unknown, so the choice is made at run time, by the
 *    product of all sizes: from `min-size` multiply-adds on. A dot whose sizes are known is decided here. */
#include "base/vec.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

enum { MAX_RANK = 16, DEFAULT_MIN_SIZE = 1 << 24 };

typedef struct dims {
  int64_t items[MAX_RANK];
  uint32_t count;
} dims;

/* Of one operand: its batching, contracting and free dims. */
typedef struct side {
  dims batch, contract, rest;
} side;

static dims dims_of(hd_attr attr) {
  dims d = {.count = (uint32_t)hd_attr_count(attr)};
  for (uint32_t i = 0; i < d.count && i < MAX_RANK; ++i) d.items[i] = hd_attr_int_at(attr, i);
  return d;
}

static bool has(const dims *d, int64_t dim) {
  for (uint32_t i = 0; i < d->count; ++i)
    if (d->items[i] == dim) return true;
  return false;
}

static bool is_dot(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_dot_general) || hd_op_is(op, HD_OP_stablehlo_dot);
}

static bool side_of(hd_op *op, uint32_t i, side *out) {
  uint32_t rank = hd_type_rank(hd_operand_type(op, i));
  *out = (side){0};
  if (rank > MAX_RANK) return false;
  if (hd_op_is(op, HD_OP_stablehlo_dot)) {
    out->contract = (dims){.items = {i == 0 && rank == 2 ? 1 : 0}, .count = 1};
  } else {
    hd_attr n = hd_op_attr_get(op, "dot_dimension_numbers");
    out->batch = dims_of(hd_struct_get(n, i ? "rhs_batching_dimensions" : "lhs_batching_dimensions"));
    out->contract = dims_of(hd_struct_get(n, i ? "rhs_contracting_dimensions" : "lhs_contracting_dimensions"));
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (!has(&out->batch, d) && !has(&out->contract, d)) out->rest.items[out->rest.count++] = d;
  return true;
}

static hd_attr numbers_of(hd_context *context, const side *lhs, const side *rhs) {
  hd_attr params[] = {hd_attr_i64_array(context, lhs->batch.items, lhs->batch.count),
                      hd_attr_i64_array(context, rhs->batch.items, rhs->batch.count),
                      hd_attr_i64_array(context, lhs->contract.items, lhs->contract.count),
                      hd_attr_i64_array(context, rhs->contract.items, rhs->contract.count)};
  return hd_attr_struct(context, HD_STRUCT_stablehlo_dot, params, 4);
}

/* |op| as a dot_general of |lhs| and |rhs| with |type| as its result. */
static hd_value *build_dot(hd_builder *b, hd_op *op, hd_value *lhs, hd_value *rhs, const side *l, const side *r,
                           hd_type type) {
  hd_op *made = hd_build_state(b, &(hd_op_state){.opcode = HD_OP_stablehlo_dot_general,
                                                 .loc = op->loc,
                                                 .operands = (hd_value *[]){lhs, rhs},
                                                 .operand_count = 2,
                                                 .result_types = &type,
                                                 .result_count = 1,
                                                 .attrs = op->attrs,
                                                 .attr_count = op->attr_count});
  hd_op_attr_set(made, "dot_dimension_numbers", numbers_of(b->context, l, r));
  return hd_result(made, 0);
}

/* 1. Transposes -----------------------------------------------------------------------------------------------------
 */

/* Dims of transpose(x) as dims of x; false when that would reorder the free ones. */
static bool through(side *s, hd_attr permutation) {
  dims *all[] = {&s->batch, &s->contract, &s->rest};
  for (int k = 0; k < 3; ++k)
    for (uint32_t i = 0; i < all[k]->count; ++i)
      all[k]->items[i] = hd_attr_int_at(permutation, (size_t)all[k]->items[i]);
  for (uint32_t i = 1; i < s->rest.count; ++i)
    if (s->rest.items[i] < s->rest.items[i - 1]) return false;
  return true;
}

static hd_op *fold_transposes(hd_pass *pass, hd_op *op) {
  side sides[2];
  hd_value *values[2];
  bool folded = false;
  for (uint32_t i = 0; i < 2; ++i) {
    if (!side_of(op, i, &sides[i])) return op;
    values[i] = hd_operand(op, i);
    hd_op *transpose = hd_value_op(values[i]);
    side moved = sides[i];
    if (!hd_op_is(transpose, HD_OP_stablehlo_transpose) || !through(&moved, hd_op_attr_get(transpose, "permutation")))
      continue;
    sides[i] = moved;
    values[i] = hd_operand(transpose, 0);
    folded = true;
  }
  if (!folded) return op;
  hd_builder b = hd_builder_before(op);
  hd_value *value = build_dot(&b, op, values[0], values[1], &sides[0], &sides[1], hd_result_type(op, 0));
  hd_op_replace(op, &value);
  pass->changed = true;
  return hd_value_op(value);
}

/* 2. Dots of one operand ----------------------------------------------------------------------------------------------
 */

/* Can |other| be computed together with |op|, operand |i| being common? */
static bool goes_with(hd_pass *pass, hd_op *op, hd_op *other, uint32_t i) {
  uint32_t o = 1 - i;
  if (other == op || !hd_op_is(other, HD_OP_stablehlo_dot_general) || other->block != op->block ||
      hd_operand(other, i) != hd_operand(op, i) || hd_op_attr_get(other, "hd.merged") ||
      hd_type_element(hd_operand_type(other, o)) != hd_type_element(hd_operand_type(op, o)) ||
      hd_type_element(hd_result_type(other, 0)) != hd_type_element(hd_result_type(op, 0)) ||
      hd_type_rank(hd_operand_type(other, o)) != hd_type_rank(hd_operand_type(op, o)) ||
      other->attr_count != op->attr_count || !hd_value_dominates(hd_operand(other, o), op, &pass->arena))
    return false;
  for (uint32_t a = 0; a < op->attr_count; ++a)
    if (op->attrs[a].name != other->attrs[a].name || op->attrs[a].value != other->attrs[a].value) return false;
  return true;
}

static hd_value *slice(hd_builder *b, hd_arena *arena, hd_value *x, uint32_t dim, hd_value *from, hd_value *to,
                       hd_value *const *sizes) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *start = hd_new_array(arena, int64_t, rank + 1), *limit = hd_new_array(arena, int64_t, rank + 1),
          *stride = hd_new_array(arena, int64_t, rank + 1), *shape = hd_new_array(arena, int64_t, rank + 1);
  hd_value **starts = hd_new_array(arena, hd_value *, rank + 1), **limits = hd_new_array(arena, hd_value *, rank + 1),
           **strides = hd_new_array(arena, hd_value *, rank + 1);
  bool known = true;
  for (uint32_t d = 0; d < rank; ++d) {
    starts[d] = d == dim ? from : hd_hlo_size(b, 0);
    limits[d] = d == dim ? to : sizes[d];
    strides[d] = hd_hlo_size(b, 1);
    start[d] = hd_hlo_known_size(starts[d]);
    limit[d] = hd_hlo_known_size(limits[d]);
    stride[d] = 1;
    bool both = start[d] != HD_DYNAMIC && limit[d] != HD_DYNAMIC;
    shape[d] = both ? limit[d] - start[d] : HD_DYNAMIC;
    known &= both;
  }
  hd_type type = hd_type_with_dims(x->type, shape, rank);
  if (known) {
    hd_attr_arg attrs[] = {{"start_indices", hd_attr_i64_array(b->context, start, rank)},
                           {"limit_indices", hd_attr_i64_array(b->context, limit, rank)},
                           {"strides", hd_attr_i64_array(b->context, stride, rank)}};
    return hd_build_one_(b, HD_OP_stablehlo_slice, type, &x, 1, attrs, 3);
  }
  return hd_build(b, HD_OP_stablehlo_real_dynamic_slice, type, x, hd_hlo_shape(b, starts, rank),
                  hd_hlo_shape(b, limits, rank), hd_hlo_shape(b, strides, rank));
}

static void merge(hd_pass *pass, hd_op *op, uint32_t i) {
  hd_arena *arena = &pass->arena;
  uint32_t o = 1 - i;
  side sides[2];
  if (!side_of(op, 0, &sides[0]) || !side_of(op, 1, &sides[1]) || sides[o].rest.count != 1) return;
  hd_vec(hd_op *) group = {0};
  hd_for_each_use(use, hd_operand(op, i)) {
    if (use->index == i && use->owner != op && hd_op_is_before(op, use->owner) && goes_with(pass, op, use->owner, i))
      hd_vec_push(arena, &group, use->owner);
  }
  if (!group.len) return;
  hd_vec_push(arena, &group, op);
  uint32_t free_dim = (uint32_t)sides[o].rest.items[0], n = (uint32_t)group.len;
  /* The free dim of the result: lhs' free dims come first. */
  uint32_t out_dim = sides[0].batch.count + (o == 0 ? 0 : sides[0].rest.count),
           rank = hd_type_rank(hd_operand_type(op, o));
  hd_builder b = hd_builder_before(op);
  hd_value **parts = hd_new_array(arena, hd_value *, n + 1);
  int64_t total = 0, *shape = hd_new_array(arena, int64_t, MAX_RANK * 2);
  for (uint32_t k = 0; k < n; ++k) {
    parts[k] = hd_operand(group.data[n - 1 - k], o);
    int64_t size = hd_type_dim(parts[k]->type, free_dim);
    total = total == HD_DYNAMIC || size == HD_DYNAMIC ? HD_DYNAMIC : total + size;
  }
  for (uint32_t d = 0; d < rank; ++d) shape[d] = d == free_dim ? total : hd_type_dim(parts[0]->type, d);
  hd_value *joined = hd_hlo(&b, HD_OP_stablehlo_concatenate, hd_type_with_dims(parts[0]->type, shape, rank), parts, n,
                            "dimension", hd_attr_i64(b.context, free_dim));
  hd_type result = hd_result_type(op, 0);
  for (uint32_t d = 0; d < hd_type_rank(result); ++d) shape[d] = d == out_dim ? total : hd_type_dim(result, d);
  hd_value *all = build_dot(&b, op, o ? hd_operand(op, 0) : joined, o ? joined : hd_operand(op, 1), &sides[0],
                            &sides[1], hd_type_with_dims(result, shape, hd_type_rank(result)));
  hd_value **sizes = hd_new_array(arena, hd_value *, hd_type_rank(result) + 1), *from = hd_hlo_size(&b, 0);
  hd_hlo_sizes_of(&b, all, sizes);
  for (uint32_t k = 0; k < n; ++k) {
    hd_op *old = group.data[n - 1 - k];
    hd_value *to = hd_hlo_size_op(&b, HD_OP_stablehlo_add, from, hd_hlo_size_of(&b, parts[k], free_dim));
    hd_value *part = slice(&b, arena, all, out_dim, from, to, sizes);
    part = hd_hlo_retype(&b, part, hd_result_type(old, 0));
    hd_value_replace_uses(hd_result(old, 0), part);
    hd_op_attr_set(old, "hd.merged", hd_attr_unit(b.context)); /* dead: erased at the end */
    from = to;
  }
  pass->changed = true;
}

/* 3. Padding ----------------------------------------------------------------------------------------------------------
 */

static hd_value *round_up(hd_builder *b, hd_value *size, int64_t align) {
  hd_value *n = hd_hlo_size(b, align), *up = hd_hlo_size_op(b, HD_OP_stablehlo_add, size, hd_hlo_size(b, align - 1));
  return hd_hlo_size_op(b, HD_OP_stablehlo_subtract, up, hd_hlo_size_op(b, HD_OP_stablehlo_remainder, up, n));
}

/* |x| with its contracted and free dims padded to multiples of |align|. */
static hd_value *pad(hd_builder *b, hd_arena *arena, hd_value *x, const side *s, int64_t align) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t *high = hd_new_array(arena, int64_t, rank + 1), *zero = hd_new_array(arena, int64_t, rank + 1),
          *shape = hd_new_array(arena, int64_t, rank + 1);
  hd_value **amounts = hd_new_array(arena, hd_value *, rank + 1), **none = hd_new_array(arena, hd_value *, rank + 1);
  bool known = true, needed = false;
  for (uint32_t d = 0; d < rank; ++d) {
    none[d] = hd_hlo_size(b, 0);
    hd_value *size = hd_hlo_size_of(b, x, d), *wanted = has(&s->batch, d) ? size : round_up(b, size, align);
    amounts[d] = wanted == size ? none[d] : hd_hlo_size_op(b, HD_OP_stablehlo_subtract, wanted, size);
    high[d] = hd_hlo_known_size(amounts[d]);
    shape[d] = hd_hlo_known_size(wanted);
    known &= high[d] != HD_DYNAMIC;
    needed |= high[d] != 0;
  }
  if (!needed) return x;
  hd_type type = hd_type_with_dims(x->type, shape, rank);
  hd_value *fill = hd_hlo_zero(b, hd_type_element(x->type));
  if (known) {
    hd_attr_arg attrs[] = {{"edge_padding_low", hd_attr_i64_array(b->context, zero, rank)},
                           {"edge_padding_high", hd_attr_i64_array(b->context, high, rank)},
                           {"interior_padding", hd_attr_i64_array(b->context, zero, rank)}};
    return hd_build_one_(b, HD_OP_stablehlo_pad, type, (hd_value *[]){x, fill}, 2, attrs, 3);
  }
  hd_value *nothing = hd_hlo_shape(b, none, rank);
  return hd_build(b, HD_OP_stablehlo_dynamic_pad, type, x, fill, nothing, hd_hlo_shape(b, amounts, rank), nothing);
}

static hd_value *padded_dot(hd_builder *b, hd_pass *pass, hd_op *op, const side *sides, int64_t align) {
  hd_arena *arena = &pass->arena;
  hd_type result = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(result), batch = sides[0].batch.count;
  hd_value *l = pad(b, arena, hd_operand(op, 0), &sides[0], align),
           *r = pad(b, arena, hd_operand(op, 1), &sides[1], align);
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1);
  int64_t *shape = hd_new_array(arena, int64_t, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) {
    uint32_t f = d - batch, own = sides[0].rest.count, k = d < batch ? 0 : f < own ? 0 : 1;
    uint32_t dim = (uint32_t)(d < batch ? sides[0].batch.items[d]
                              : k == 0  ? sides[0].rest.items[f]
                                        : sides[1].rest.items[f - own]);
    sizes[d] = hd_hlo_size_of(b, hd_operand(op, k), dim);
    shape[d] = hd_type_dim(k ? r->type : l->type, dim);
  }
  hd_value *dot = build_dot(b, op, l, r, &sides[0], &sides[1], hd_type_with_dims(result, shape, rank));
  hd_op_attr_set(hd_value_op(dot), "hd.padded", hd_attr_unit(b->context));
  return hd_hlo_retype(b, rank ? slice(b, arena, dot, 0, hd_hlo_size(b, 0), sizes[0], sizes) : dot, result);
}

/* The product of all sizes as tensor<1xi64>, and whether one is no multiple of |align| as tensor<1xi1>; in |known_*|
 * the numbers when the types tell (HD_DYNAMIC, -1 otherwise). */
static void measure(hd_builder *b, hd_op *op, const side *sides, int64_t align, bool build, hd_value **volume,
                    hd_value **odd, int64_t *known_volume, int *known_odd) {
  const dims *lists[] = {&sides[0].batch, &sides[0].contract, &sides[0].rest, &sides[1].rest};
  *known_volume = 1, *known_odd = 0;
  hd_type i64 = hd_i64(b->context);
  for (uint32_t k = 0; k < 4; ++k)
    for (uint32_t i = 0; i < lists[k]->count; ++i) {
      hd_value *x = hd_operand(op, k == 3);
      int64_t size = hd_type_dim(x->type, (uint32_t)lists[k]->items[i]);
      if (size == HD_DYNAMIC || *known_volume == HD_DYNAMIC)
        *known_volume = HD_DYNAMIC;
      else if (__builtin_mul_overflow(*known_volume, size, known_volume))
        *known_volume = INT64_MAX;
      if (k && size == HD_DYNAMIC && !*known_odd) *known_odd = -1;
      if (k && size != HD_DYNAMIC && size % align) *known_odd = 1;
      if (!build) continue;
      hd_value *s = hd_hlo_size_of(b, x, (uint32_t)lists[k]->items[i]), *wide = hd_hlo_convert(b, s, i64);
      *volume = *volume ? hd_build(b, HD_OP_stablehlo_multiply, wide->type, *volume, wide) : wide;
      if (!k) continue;
      hd_value *rest = hd_hlo_size_op(b, HD_OP_stablehlo_remainder, s, hd_hlo_size(b, align));
      hd_value *is_odd = hd_hlo_compare(b, "NE", rest, hd_hlo_size(b, 0));
      *odd = *odd ? hd_build(b, HD_OP_stablehlo_or, is_odd->type, *odd, is_odd) : is_odd;
    }
}

static hd_block *branch(hd_op *conditional, uint32_t r) {
  hd_block *block = hd_block_create(conditional->module);
  hd_region_append(hd_op_region(conditional, r), block);
  return block;
}

static void align_sizes(hd_pass *pass, hd_op *op, int64_t align, int64_t min_size) {
  side sides[2];
  hd_type_kind kind = hd_type_element(hd_operand_type(op, 0))->kind;
  if (!side_of(op, 0, &sides[0]) || !side_of(op, 1, &sides[1]) || hd_op_attr_get(op, "hd.padded") ||
      (kind != HD_TYPE_FLOAT && kind != HD_TYPE_INTEGER) || hd_operand_type(op, 1)->shaped.element->kind != kind)
    return;
  hd_value *volume = NULL, *odd = NULL, *result;
  int64_t known_volume;
  int known_odd;
  hd_builder b = hd_builder_before(op);
  measure(&b, op, sides, align, false, &volume, &odd, &known_volume, &known_odd);
  if (known_odd == 0 || (known_volume != HD_DYNAMIC && known_volume < min_size)) return;
  if (known_volume != HD_DYNAMIC && known_odd == 1) {
    result = padded_dot(&b, pass, op, sides, align);
  } else {
    measure(&b, op, sides, align, true, &volume, &odd, &known_volume, &known_odd);
    hd_value *limit = hd_build_hlo_constant(&b, hd_attr_dense(volume->type, &min_size, sizeof min_size, true));
    hd_value *both = hd_build(&b, HD_OP_stablehlo_and, odd->type, odd, hd_hlo_compare(&b, "GE", volume, limit));
    hd_value *pred = hd_hlo_reshape(&b, both, NULL, 0);
    hd_type type = hd_result_type(op, 0);
    hd_op *conditional = hd_build_op(&b, HD_OP_stablehlo_if, &pred, 1, &type, 1, NULL, 0, 2);
    for (uint32_t r = 0; r < 2; ++r) {
      hd_builder in = hd_builder_at_end(pass->module, branch(conditional, r));
      in.loc = op->loc;
      hd_value *value = r == 0 ? padded_dot(&in, pass, op, sides, align)
                               : build_dot(&in, op, hd_operand(op, 0), hd_operand(op, 1), &sides[0], &sides[1], type);
      hd_build0(&in, HD_OP_stablehlo_return, value);
    }
    result = hd_result(conditional, 0);
  }
  hd_op_replace(op, &result);
  pass->changed = true;
}

typedef struct found {
  hd_arena *arena;
  hd_vec(hd_op *) dots;
} found;

static bool collect(hd_op *op, void *user) {
  found *f = user;
  if (is_dot(op)) hd_vec_push(f->arena, &f->dots, op);
  return true;
}

bool hd_pass_dot_rewriter(hd_pass *pass, hd_op *func) {
  int64_t align = hd_pass_int(pass, "align", 0), min_size = hd_pass_int(pass, "min-size", DEFAULT_MIN_SIZE);
  if (align < 0 || align > 1024)
    return hd_op_error(func, "disc-dot-rewriter: align must be 0 (off) to 1024, got %lld", (long long)align);
  found f = {.arena = &pass->arena};
  hd_walk_pre(func, collect, &f);
  for (size_t i = 0; i < f.dots.len; ++i) f.dots.data[i] = fold_transposes(pass, f.dots.data[i]);
  for (size_t i = 0; i < f.dots.len && hd_pass_bool(pass, "merge", false); ++i)
    for (uint32_t common = 0; common < 2; ++common)
      if (hd_op_is(f.dots.data[i], HD_OP_stablehlo_dot_general) && !hd_op_attr_get(f.dots.data[i], "hd.merged"))
        merge(pass, f.dots.data[i], common);
  for (size_t i = 0; i < f.dots.len; ++i)
    if (hd_op_attr_get(f.dots.data[i], "hd.merged")) hd_op_erase(f.dots.data[i]), f.dots.data[i] = NULL;
  if (align > 1) {
    f.dots.len = 0;
    hd_walk_pre(func, collect, &f);
    for (size_t i = 0; i < f.dots.len; ++i) align_sizes(pass, f.dots.data[i], align, min_size);
  }
  return true;
}
