/* SPDX-License-Identifier: Apache-2.0 */
/* Dots whose sizes are no multiples of what tensor cores take: padded and sliced, where a run is large enough to gain.
 */
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/dot/dot.h"
#include "passes/graph/hlo_build.h"

static hd_value *round_up(hd_builder *b, hd_value *size, int64_t align) {
  hd_value *n = hd_hlo_size(b, align), *up = hd_hlo_size_op(b, HD_OP_stablehlo_add, size, hd_hlo_size(b, align - 1));
  return hd_hlo_size_op(b, HD_OP_stablehlo_subtract, up, hd_hlo_size_op(b, HD_OP_stablehlo_remainder, up, n));
}

static hd_value *missing(hd_builder *b, hd_value *size, int64_t align) {
  return hd_hlo_size_op(b, HD_OP_stablehlo_subtract, round_up(b, size, align), size);
}

/* By how much a contracted dim grows: one amount for both sides, so sizes that differ keep doing so and the dot says
 * so. A size that the types tell gives it. */
static hd_value *contracted_amount(hd_builder *b, hd_op *op, const hd_dot_side *sides, uint32_t i, int64_t align) {
  uint32_t side = hd_type_dim(hd_operand_type(op, 0), (uint32_t)sides[0].contract.items[i]) == HD_DYNAMIC &&
                  hd_type_dim(hd_operand_type(op, 1), (uint32_t)sides[1].contract.items[i]) != HD_DYNAMIC;
  return missing(b, hd_hlo_size_of(b, hd_operand(op, side), (uint32_t)sides[side].contract.items[i]), align);
}

/* Operand |k| of |op| with its contracted dims longer by |contracted| and its free dims padded to multiples of |align|.
 */
static hd_value *pad(hd_builder *b, hd_arena *arena, hd_op *op, uint32_t k, const hd_dot_side *s,
                     hd_value *const *contracted, int64_t align) {
  hd_value *x = hd_operand(op, k);
  uint32_t rank = hd_type_rank(x->type);
  int64_t *high = hd_new_array(arena, int64_t, rank + 1), *zero = hd_new_array(arena, int64_t, rank + 1);
  hd_value **amounts = hd_new_array(arena, hd_value *, rank + 1),
           **nothings = hd_new_array(arena, hd_value *, rank + 1);
  bool known = true, needed = false;
  for (uint32_t d = 0; d < rank; ++d) {
    nothings[d] = hd_hlo_size(b, 0);
    amounts[d] = hd_dot_has(&s->batch, d) ? nothings[d] : missing(b, hd_hlo_size_of(b, x, d), align);
    for (uint32_t i = 0; i < s->contract.count; ++i)
      if (s->contract.items[i] == d) amounts[d] = contracted[i];
    high[d] = hd_hlo_known_size(amounts[d]);
    known &= high[d] != HD_DYNAMIC;
    needed |= high[d] != 0;
  }
  if (!needed) return x;
  hd_value *fill = hd_hlo_zero(b, hd_type_element(x->type));
  if (known) {
    hd_attr none = hd_attr_i64_array(b->context, zero, rank);
    return hd_stablehlo_pad(b, none, hd_attr_i64_array(b->context, high, rank), none, x, fill);
  }
  hd_value *nothing = hd_hlo_shape(b, nothings, rank);
  return hd_stablehlo_dynamic_pad(b, x, fill, nothing, hd_hlo_shape(b, amounts, rank), nothing);
}

/* A dot that stays as it is when the pass runs again. */
static hd_value *decided(hd_value *dot) {
  hd_op *op = hd_value_op(dot);
  hd_discardable_set_padded(op, true);
  return dot;
}

static hd_value *padded_dot(hd_builder *b, hd_pass *pass, hd_op *op, const hd_dot_side *sides, int64_t align) {
  hd_arena *arena = &pass->arena;
  hd_type result = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(result), batch = sides[0].batch.count;
  hd_value **contracted = hd_new_array(arena, hd_value *, sides[0].contract.count + 1);
  for (uint32_t i = 0; i < sides[0].contract.count; ++i) contracted[i] = contracted_amount(b, op, sides, i, align);
  hd_value *l = pad(b, arena, op, 0, &sides[0], contracted, align),
           *r = pad(b, arena, op, 1, &sides[1], contracted, align);
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
  hd_value *dot = decided(hd_build_dot(b, op, l, r, &sides[0], &sides[1], hd_type_with_dims(result, shape, rank)));
  return hd_hlo_retype(b, rank ? hd_hlo_slice_sized(b, dot, 0, hd_hlo_size(b, 0), sizes[0], sizes) : dot, result);
}

/* The product of all sizes as tensor<1xi64>, and whether one is no multiple of |align| as tensor<1xi1>; in |known_*|
 * the numbers when the types tell (HD_DYNAMIC, -1 otherwise). */
static void measure(hd_builder *b, hd_op *op, const hd_dot_side *sides, int64_t align, bool build, hd_value **volume,
                    hd_value **odd, int64_t *known_volume, int *known_odd) {
  const hd_dot_dims *lists[] = {&sides[0].batch, &sides[0].contract, &sides[0].rest, &sides[1].rest};
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
      *volume = *volume ? hd_stablehlo_multiply(b, *volume, wide) : wide;
      if (!k) continue;
      hd_value *rest = hd_hlo_size_op(b, HD_OP_stablehlo_remainder, s, hd_hlo_size(b, align));
      hd_value *is_odd = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, rest, hd_hlo_size(b, 0));
      *odd = *odd ? hd_stablehlo_or(b, *odd, is_odd) : is_odd;
    }
}

static hd_block *branch(hd_op *conditional, uint32_t r) {
  hd_block *block = hd_block_create(conditional->module);
  hd_region_append(hd_op_region(conditional, r), block);
  return block;
}

void hd_dot_align(hd_pass *pass, hd_op *op, int64_t align, int64_t min_size) {
  hd_dot_side sides[2];
  hd_type_kind kind = hd_type_element(hd_operand_type(op, 0))->kind;
  if (!hd_dot_side_of(op, 0, &sides[0]) || !hd_dot_side_of(op, 1, &sides[1]) || hd_discardable_padded(op) ||
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
    hd_value *both = hd_hlo_and(&b, odd, hd_stablehlo_compare(&b, HD_STABLEHLO_COMPARE_GE, volume, limit));
    hd_value *pred = hd_hlo_reshape(&b, both, NULL, 0);
    hd_type type = hd_result_type(op, 0);
    hd_op *conditional = hd_build_op(&b, HD_OP_stablehlo_if, &pred, 1, &type, 1, NULL, 0, 2);
    for (uint32_t r = 0; r < 2; ++r) {
      hd_builder in = hd_builder_at_end(pass->module, branch(conditional, r));
      in.loc = op->loc;
      hd_value *value =
          r == 0 ? padded_dot(&in, pass, op, sides, align)
                 : decided(hd_build_dot(&in, op, hd_operand(op, 0), hd_operand(op, 1), &sides[0], &sides[1], type));
      hd_build0(&in, HD_OP_stablehlo_return, value);
    }
    result = hd_result(conditional, 0);
  }
  hd_op_replace(op, &result);
  pass->changed = true;
}
