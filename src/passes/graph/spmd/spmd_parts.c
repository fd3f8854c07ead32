/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that a device makes by itself: of constants, counts, broadcasts, and of what is computed from these element by
 * element. Random bits, masks and positions are such, so they are never made whole to be cut:
 *
 *   %i = iota dim = 0 : tensor<8xi32>; %m = multiply %i, %i; the part of %m over "x"   ->
 *   %j = add (iota dim = 0 : tensor<4xi32>), (broadcast of the device's first place); multiply %j, %j
 *
 * A value is made anew only in the block that made it, so no loop repeats what stood before it. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

typedef struct known_part {
  const hd_split *cuts;
  bool free;
  hd_value *part; /* null: not made yet */
  struct known_part *next;
} known_part;

/* Of what is nested deeper the parts are cut from the whole. */
enum { DEEPEST = 500 };

static known_part *find(hd_spmd *s, hd_value *x, const hd_split *cuts) {
  for (known_part *k = hd_map_get(&s->parts, x); k; k = k->next) {
    bool same = true;
    for (uint32_t d = 0; same && d < hd_type_rank(x->type); ++d) same = hd_split_equal(k->cuts[d], cuts[d]);
    if (same) return k;
  }
  return NULL;
}

static bool uncut(hd_type type, const hd_split *cuts) {
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (cuts[d].count) return false;
  return true;
}

/* The cuts of the operand of a broadcast. */
static const hd_split *under(hd_spmd *s, hd_op *op, const hd_split *cuts) {
  hd_type type = hd_operand_type(op, 0);
  hd_split *out = hd_new_array(s->arena, hd_split, hd_type_rank(type) + 1u);
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (hd_type_dim(type, d) != 1) out[d] = cuts[hd_attr_int_at(hd_broadcast_in_dim_like_broadcast_dimensions(op), d)];
  return out;
}

static bool is_elementwise(hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) && hd_op_has_trait(op, HD_TRAIT(PURE)) && op->result_count == 1 &&
         op->operand_count && !op->region_count;
}

static bool is_free(hd_spmd *s, hd_value *x, const hd_split *cuts, int depth);

static bool find_free(hd_spmd *s, hd_op *op, hd_type type, const hd_split *cuts, int depth) {
  if (hd_op_is(op, HD_OP_stablehlo_constant)) {
    hd_attr value = hd_stablehlo_constant_value(op);
    return hd_attr_is(value, HD_ATTR_DENSE) && value->dense.splat &&
           value->dense.size == hd_type_element_bytes(hd_type_element(type));
  }
  if (hd_op_is(op, HD_OP_stablehlo_iota))
    return hd_type_dim(type, (uint32_t)hd_iota_like_iota_dimension(op)) <= INT32_MAX;
  if (hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim)) return is_free(s, hd_operand(op, 0), under(s, op, cuts), depth);
  if (!is_elementwise(op)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t rank = hd_type_rank(hd_operand_type(op, i));
    if (rank && (rank != hd_type_rank(type) || !is_free(s, hd_operand(op, i), cuts, depth))) return false;
  }
  return true;
}

static bool is_free(hd_spmd *s, hd_value *x, const hd_split *cuts, int depth) {
  if (uncut(x->type, cuts)) return true;
  hd_op *op = hd_value_op(x);
  if (!op || (hd_value_block(x) != s->b.block && !hd_op_is(op, HD_OP_stablehlo_constant))) return false;
  known_part *k = find(s, x, cuts);
  if (k) return k->free;
  if (depth == DEEPEST) return false;
  k = hd_new(s->arena, known_part);
  *k = (known_part){.cuts = cuts, .next = hd_map_get(&s->parts, x)};
  hd_map_set(s->arena, &s->parts, x, k);
  return k->free = find_free(s, op, x->type, cuts, depth + 1);
}

static hd_type part_type(hd_spmd *s, hd_type type, const hd_split *cuts) {
  uint32_t rank = hd_type_rank(type);
  int64_t *dims = hd_new_array(s->arena, int64_t, rank + 1u);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_type_dim(type, d) / hd_split_parts(s, cuts[d]);
  return hd_type_with_dims(type, dims, rank);
}

/* Counted in i32, the type of positions, so that a float is rounded once. */
static hd_value *count_on(hd_spmd *s, hd_op *op, hd_type type, hd_split cut) {
  uint32_t dim = (uint32_t)hd_iota_like_iota_dimension(op);
  if (!cut.count) return hd_stablehlo_iota(&s->b, type, dim);
  hd_type places = hd_type_with_element(type, hd_i32(s->pass->context));
  hd_value *local = hd_stablehlo_iota(&s->b, places, dim);
  hd_value *start = hd_spmd_start(s, hd_type_dim(type, dim), cut);
  start = hd_hlo_broadcast(&s->b, start, places, NULL, NULL);
  hd_value *place = hd_stablehlo_add(&s->b, local, start);
  return hd_hlo_convert(&s->b, place, hd_type_element(type));
}

static hd_value *make(hd_spmd *s, hd_value *x, const hd_split *cuts) {
  if (uncut(x->type, cuts)) return x;
  known_part *k = find(s, x, cuts);
  if (k->part && hd_value_block(k->part) == s->b.block) return k->part;
  hd_op *op = hd_value_op(x);
  hd_type type = part_type(s, x->type, cuts);
  if (hd_op_is(op, HD_OP_stablehlo_constant)) {
    hd_attr value = hd_stablehlo_constant_value(op);
    k->part = hd_build_hlo_constant(&s->b, hd_attr_dense(type, value->dense.data, value->dense.size, true));
  } else if (hd_op_is(op, HD_OP_stablehlo_iota)) {
    k->part = count_on(s, op, type, cuts[hd_iota_like_iota_dimension(op)]);
  } else if (hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim)) {
    hd_value *operand = make(s, hd_operand(op, 0), under(s, op, cuts));
    k->part = hd_stablehlo_broadcast_in_dim(&s->b, type, hd_broadcast_in_dim_like_broadcast_dimensions(op), operand);
  } else {
    hd_value **operands = hd_new_array(s->arena, hd_value *, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      hd_value *operand = hd_operand(op, i);
      operands[i] = hd_type_rank(operand->type) ? make(s, operand, cuts) : operand;
    }
    hd_map map = {0};
    hd_op *made = hd_op_clone(s->pass->module, op, s->arena, &map);
    for (uint32_t i = 0; i < op->operand_count; ++i) hd_op_set_operand(made, i, operands[i]);
    hd_result(made, 0)->type = type;
    hd_op_append(made, s->b.block);
    k->part = hd_result(made, 0);
  }
  return k->part;
}

hd_value *hd_spmd_part(hd_spmd *s, hd_value *x, const hd_split *cuts) {
  hd_split *own = hd_new_array(s->arena, hd_split, hd_type_rank(x->type) + 1u);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) own[d] = cuts[d];
  return is_free(s, x, own, 0) ? make(s, x, own) : NULL;
}
