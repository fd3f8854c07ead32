/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_dot (ir/ragged_dot.h) becomes dot_general:
 *
 *   rows          the product of all rows with all groups, of which each row keeps that of its own: exact where another
 *                 group holds infinities, which a product with zeros would not be. Of many groups, a loop over tiles of
 *                 rows, each times the matrix of its group: neither time nor memory grows with the groups
 *   contracting   a product per group of operands that are zero outside of it
 *   batch         dot_general
 *
 * Group g of sizes s is [e - s, e) with e the sum of the sizes up to g. */
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ragged_dot.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"

enum {
  FEW_GROUPS = 4, /* up to so many, one product of everything is cheaper than a loop */
  TILE = 32       /* rows */
};

typedef struct ragged {
  hd_builder *b;
  hd_value *starts, *ends; /* [prefix.., groups] of i64 */
} ragged;

/* Sizes [.., g] of i64 to where their groups start and end. */
static ragged bounds_of(hd_builder *b, hd_value *sizes) {
  uint32_t rank = hd_type_rank(sizes->type);
  hd_arena *arena = &b->module->arena;
  int64_t *dims = hd_new_array(arena, int64_t, rank + 1), *axes = hd_new_array(arena, int64_t, rank + 1);
  hd_value **all = hd_new_array(arena, hd_value *, rank + 1);
  hd_hlo_sizes_of(b, sizes, all);
  for (uint32_t d = 0; d <= rank; ++d) {
    dims[d] = hd_type_dim(sizes->type, d < rank ? d : rank - 1);
    axes[d] = d + 1 < rank ? d : rank; /* the last dim is summed over */
  }
  all[rank] = all[rank - 1];
  hd_value *spread =
      hd_hlo_broadcast(b, sizes, hd_type_with_dims(sizes->type, dims, rank + 1), axes, hd_hlo_shape(b, all, rank + 1));
  hd_value *before = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LE, hd_hlo_iota(b, spread->type, spread, rank),
                                          hd_hlo_iota(b, spread->type, spread, rank - 1));
  int64_t last = rank;
  hd_value *counted = hd_stablehlo_select(b, before, spread, hd_hlo_zero_like(b, spread));
  hd_value *ends = hd_hlo_reduce_add(b, counted, &last, 1);
  return (ragged){b, hd_stablehlo_subtract(b, ends, sizes), ends};
}

/* |x| where the index of |axis| is in the group that the index of |group| names, zero elsewhere. Dim i of the sizes,
 * but for the last, is dim |prefix|[i] of |x|. */
static hd_value *keep(const ragged *r, hd_value *x, int64_t axis, int64_t group, const int64_t *prefix) {
  hd_builder *b = r->b;
  uint32_t rank = hd_type_rank(r->ends->type);
  int64_t *axes = hd_new_array(&b->module->arena, int64_t, rank);
  for (uint32_t d = 0; d + 1 < rank; ++d) axes[d] = prefix[d];
  axes[rank - 1] = group;
  hd_value *at = hd_hlo_iota(b, hd_type_with_element(x->type, hd_type_element(r->ends->type)), x, (uint32_t)axis);
  hd_value *from = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, at, hd_hlo_broadcast_like(b, r->starts, at, axes)),
           *to = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, at, hd_hlo_broadcast_like(b, r->ends, at, axes));
  hd_value *inside = hd_hlo_and(b, from, to);
  return hd_stablehlo_select(b, inside, x, hd_hlo_zero_like(b, x));
}

static hd_attr list(hd_builder *b, const hd_ragged_dims *dims, int64_t shift, bool groups) {
  int64_t at[HD_MAX_RANK + 1];
  uint32_t count = 0;
  if (groups) at[count++] = 0;
  for (uint32_t i = 0; i < dims->count; ++i) at[count++] = dims->at[i] + shift;
  return hd_attr_i64_array(b->context, at, count);
}

/* dot_general by |dot|'s dims, the group dim of rhs one of its own; |shift|: both have a batch dim of groups in front.
 */
static hd_value *dot_general(hd_builder *b, hd_op *op, const hd_ragged_dot *dot, hd_value *lhs, hd_value *rhs,
                             bool shift) {
  int64_t dims[3 * HD_MAX_RANK];
  uint32_t rank = 0;
  if (shift) dims[rank++] = hd_type_dim(lhs->type, 0);
  for (uint32_t i = 0; i < dot->lhs_batch.count; ++i)
    dims[rank++] = hd_type_dim(lhs->type, (uint32_t)dot->lhs_batch.at[i] + shift);
  for (uint32_t i = 0; i < dot->lhs_rows.count; ++i)
    dims[rank++] = hd_type_dim(lhs->type, (uint32_t)dot->lhs_rows.at[i] + shift);
  for (uint32_t i = 0, grouped = dot->group < 0; i < dot->rhs_columns.count || !grouped; ++i) {
    if (!grouped && (i == dot->rhs_columns.count || dot->rhs_columns.at[i] > dot->group)) {
      dims[rank++] = hd_type_dim(rhs->type, (uint32_t)dot->group);
      grouped = 1, --i;
      continue;
    }
    dims[rank++] = hd_type_dim(rhs->type, (uint32_t)dot->rhs_columns.at[i] + shift);
  }
  hd_attr params[4] = {list(b, &dot->lhs_batch, shift, shift), list(b, &dot->rhs_batch, shift, shift),
                       list(b, &dot->lhs_contract, shift, false), list(b, &dot->rhs_contract, shift, false)};
  hd_type type = hd_type_tensor(hd_type_element(hd_result_type(op, 0)), dims, rank, NULL);
  hd_value *product =
      hd_stablehlo_dot_general(b, type, hd_attr_struct(b->context, HD_STRUCT_stablehlo_dot, params, 4), lhs, rhs);
  hd_attr precision = hd_with_precision_precision_config(op);
  if (hd_attr_count(precision) == 2) {
    hd_attr both[2];
    for (int i = 0; i < 2; ++i) /* the cases of both dialects have the same numbers */
      both[i] = hd_attr_enum(b->context, HD_ENUM_stablehlo_precision, precision->array.items[i]->enumerant.value);
    hd_stablehlo_dot_general_set_precision_config(hd_value_op(product), hd_attr_array(b->context, both, 2));
  }
  return product;
}

/* The dim of a product's result in which |dim| of lhs is, which is not contracted. */
static int64_t result_dim(const hd_ragged_dot *dot, int64_t dim) {
  for (uint32_t i = 0; i < dot->lhs_batch.count; ++i)
    if (dot->lhs_batch.at[i] == dim) return i;
  for (uint32_t i = 0; i < dot->lhs_rows.count; ++i)
    if (dot->lhs_rows.at[i] == dim) return (int64_t)dot->lhs_batch.count + i;
  return -1;
}

static hd_value *rows(const ragged *r, hd_op *op, const hd_ragged_dot *dot) {
  hd_value *all = dot_general(r->b, op, dot, hd_operand(op, 0), hd_operand(op, 1), false);
  int64_t prefix[HD_MAX_RANK], group = (int64_t)dot->lhs_batch.count + dot->lhs_rows.count;
  for (uint32_t i = 0; i < dot->lhs_prefix.count; ++i) prefix[i] = result_dim(dot, dot->lhs_prefix.at[i]);
  for (uint32_t i = 0; i < dot->rhs_columns.count && dot->rhs_columns.at[i] < dot->group; ++i) ++group;
  return hd_hlo_reduce_add(r->b, keep(r, all, result_dim(dot, dot->ragged), group, prefix), &group, 1);
}

/* ---- rows in tiles ---- */

/* [m, k] and [g, k, n] or [g, n, k], all known but m, of many groups that are the same for all? A tile more than m has
 * a number of 32 bits, as all sizes here. */
static bool takes_tiles(hd_value *lhs, hd_value *rhs, hd_value *sizes, const hd_ragged_dot *dot) {
  return hd_type_rank(lhs->type) == 2 && hd_type_rank(rhs->type) == 3 && hd_type_rank(sizes->type) == 1 &&
         dot->group == 0 && dot->ragged == 0 && dot->lhs_batch.count == 0 && hd_type_dim(lhs->type, 1) != HD_DYNAMIC &&
         hd_type_is_static(rhs->type) && hd_type_dim(rhs->type, 0) > FEW_GROUPS &&
         hd_type_dim(lhs->type, 0) <= INT32_MAX - TILE;
}

static hd_value *i32(hd_builder *b, hd_value *x) {
  return hd_hlo_convert(b, x, hd_type_integer(b->context, 32, HD_SIGNLESS));
}

/* tensor<i32>: |x|'s element at the group that |inside| is true for. */
static hd_value *of_group(hd_builder *b, hd_value *inside, hd_value *x) {
  int64_t axis = 0;
  return i32(b, hd_hlo_reduce_add(b, hd_stablehlo_select(b, inside, x, hd_hlo_zero_like(b, x)), &axis, 1));
}

/* The part of |x| at |at| of its first dim, of |rows|. */
static hd_value *part(hd_builder *b, hd_value *x, hd_value *at, int64_t rows) {
  uint32_t rank = hd_type_rank(x->type);
  hd_value *starts[3] = {at}, *zero = hd_element_number(b, hd_hlo_size(b, 0));
  int64_t dims[3] = {rows};
  for (uint32_t d = 1; d < rank; ++d) {
    dims[d] = hd_type_dim(x->type, d);
    starts[d] = zero;
  }
  return hd_stablehlo_dynamic_slice(b, hd_attr_i64_array(b->context, dims, rank), x, starts, rank);
}

/* |x| of the type's dims with TILE rows of zeros after it. */
static hd_value *longer(hd_builder *b, hd_value *x) {
  int64_t none[2] = {0, 0}, behind[2] = {TILE, 0};
  hd_attr nothing = hd_attr_i64_array(b->context, none, 2);
  return hd_stablehlo_pad(b, nothing, hd_attr_i64_array(b->context, behind, 2), nothing, x,
                          hd_hlo_zero(b, hd_type_element(x->type)));
}

/* |out| with the product of tile |at|, in the loop's body; |tiles|: which tiles are of which group. */
static hd_value *put_tile(hd_builder *in, const ragged *r, const ragged *tiles, hd_op *op, const hd_ragged_dot *dot,
                          hd_value *x, hd_value *at, hd_value *out) {
  hd_value *rhs = hd_operand(op, 1), *zero = hd_element_number(in, hd_hlo_size(in, 0));
  int64_t dims[2] = {hd_type_dim(rhs->type, 1), hd_type_dim(rhs->type, 2)};
  at = hd_hlo_broadcast_like(in, hd_hlo_convert(in, at, hd_type_element(tiles->ends->type)), tiles->ends, NULL);
  hd_value *behind = hd_stablehlo_compare(in, HD_STABLEHLO_COMPARE_GE, at, tiles->starts);
  hd_value *inside = hd_hlo_and(in, behind, hd_stablehlo_compare(in, HD_STABLEHLO_COMPARE_LT, at, tiles->ends));
  hd_value *row = hd_stablehlo_subtract(in, at, tiles->starts);
  row = hd_stablehlo_multiply(in, row, hd_hlo_int_like(in, row, TILE));
  row = of_group(in, inside, hd_stablehlo_add(in, r->starts, row));
  hd_value *group = of_group(in, inside, hd_hlo_iota(in, tiles->ends->type, tiles->ends, 0));
  hd_value *matrix = hd_hlo_reshape_to(in, part(in, rhs, group, 1), dims, 2), *tile = part(in, x, row, TILE);
  hd_ragged_dot plain = {.kind = HD_RAGGED_BATCH,
                         .lhs_rows = dot->lhs_rows,
                         .lhs_contract = dot->lhs_contract,
                         .group = -1,
                         .rhs_contract = {1, {dot->rhs_contract.at[0] - 1}},
                         .rhs_columns = {1, {dot->rhs_columns.at[0] - 1}}};
  hd_value *product = dot_general(in, op, &plain, tile, matrix, false);
  return hd_stablehlo_dynamic_update_slice(in, out, product, (hd_value *[]){row, zero}, 2);
}

/* Groups take whole tiles, one after the other: the last tile of a group ends in rows of the next, which the tiles of
 * that group write after it. What follows the last group is zero at the end, and more rows than there are have room
 * for the last tile. Sizes that are more than the rows end the loop in time. */
static hd_value *rows_in_tiles(const ragged *r, hd_op *op, const hd_ragged_dot *dot) {
  hd_builder *b = r->b;
  hd_value *lhs = hd_operand(op, 0), *rhs = hd_operand(op, 1), *m = hd_hlo_size_of(b, lhs, 0);
  int64_t groups = hd_type_dim(rhs->type, 0), dims[2] = {0, hd_type_dim(rhs->type, (uint32_t)dot->rhs_columns.at[0])};
  hd_value *counts = hd_stablehlo_subtract(b, r->ends, r->starts);
  counts = hd_stablehlo_add(b, counts, hd_hlo_int_like(b, counts, TILE - 1));
  ragged tiles = bounds_of(b, hd_stablehlo_divide(b, counts, hd_hlo_int_like(b, counts, TILE)));
  hd_value *most = hd_hlo_size_op(b, HD_OP_stablehlo_divide, m, hd_hlo_size(b, TILE));
  most = hd_hlo_size_op(b, HD_OP_stablehlo_add, most, hd_hlo_size(b, groups));
  hd_value *end = i32(b, hd_hlo_slice(b, tiles.ends, 0, groups - 1, groups)), *x = longer(b, lhs);
  end = hd_hlo_size_op(b, HD_OP_stablehlo_minimum, end, most);

  hd_type element = hd_type_element(hd_result_type(op, 0));
  hd_value *sizes[2] = {hd_hlo_size_of(b, x, 0), hd_hlo_size(b, dims[1])}, *zero = hd_hlo_zero(b, element);
  dims[0] = hd_type_dim(x->type, 0);
  hd_type type = hd_type_tensor(element, dims, 2, NULL);
  hd_value *made = hd_hlo_broadcast(b, zero, type, NULL, hd_hlo_shape(b, sizes, 2));
  hd_element_loop l = hd_element_loop_open(b, 0, end, &made, 1);
  made = put_tile(&l.in, r, &tiles, op, dot, x, l.at, l.carried[0]);
  hd_element_loop_close(&l, NULL, &made, &made);

  made = hd_hlo_slice_sized(b, made, 0, hd_hlo_size(b, 0), m, sizes);
  hd_value *all = hd_hlo_reshape_to(b, hd_hlo_slice(b, r->ends, 0, groups - 1, groups), NULL, 0);
  hd_value *place = hd_hlo_iota(b, hd_type_with_element(made->type, hd_type_element(all->type)), made, 0);
  hd_value *taken = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, place, hd_hlo_broadcast_like(b, all, place, NULL));
  return hd_stablehlo_select(b, taken, made, hd_hlo_zero_like(b, made));
}

/* |x| once for each group, in a dim in front, zero where it is of another. */
static hd_value *per_group(const ragged *r, hd_value *x, int64_t axis, const hd_ragged_dims *prefix) {
  hd_builder *b = r->b;
  uint32_t rank = hd_type_rank(x->type), last = hd_type_rank(r->ends->type) - 1;
  hd_arena *arena = &b->module->arena;
  int64_t dims[HD_MAX_RANK + 1], axes[HD_MAX_RANK];
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1);
  dims[0] = hd_type_dim(r->ends->type, last);
  sizes[0] = hd_hlo_size_of(b, r->ends, last);
  for (uint32_t d = 0; d < rank; ++d) {
    dims[d + 1] = hd_type_dim(x->type, d);
    sizes[d + 1] = hd_hlo_size_of(b, x, d);
    axes[d] = d + 1;
  }
  hd_value *spread =
      hd_hlo_broadcast(b, x, hd_type_with_dims(x->type, dims, rank + 1), axes, hd_hlo_shape(b, sizes, rank + 1));
  for (uint32_t i = 0; i < prefix->count; ++i) axes[i] = prefix->at[i] + 1;
  return keep(r, spread, axis + 1, 0, axes);
}

/* Do the tensors that are in between have ranks that types have? An error at |op| where they do not. */
static bool fits_rank(hd_op *op, hd_value *lhs, hd_value *rhs, hd_value *sizes, const hd_ragged_dot *dot) {
  uint32_t left = hd_type_rank(lhs->type), right = hd_type_rank(rhs->type), groups = hd_type_rank(sizes->type),
           made = dot->lhs_batch.count + dot->lhs_rows.count + dot->rhs_columns.count + (dot->kind != HD_RAGGED_BATCH),
           spread = dot->kind == HD_RAGGED_CONTRACTING;
  if (left + spread <= HD_MAX_RANK && right + spread <= HD_MAX_RANK && groups + 1 <= HD_MAX_RANK && made <= HD_MAX_RANK)
    return true;
  return hd_op_error(
      op, "has no compiled path for operands of ranks %u, %u and %u, which needs tensors of more than %d dims", left,
      right, groups, HD_MAX_RANK);
}

bool hd_expand_ragged_dot(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *lhs = hd_operand(op, 0), *rhs = hd_operand(op, 1), *sizes = hd_operand(op, 2);
  hd_ragged_dot dot;
  if (!hd_type_has_rank(lhs->type) || !hd_type_has_rank(rhs->type) || !hd_type_has_rank(sizes->type))
    return hd_op_error(op, "expects operands of known rank, got one of unknown rank");
  const char *wrong = hd_ragged_dot_read(hd_ragged_dot_like_ragged_dot_dimension_numbers(op), hd_type_rank(lhs->type),
                                         hd_type_rank(rhs->type), &dot);
  if (wrong) return hd_op_error(op, "%s", wrong);
  if (!fits_rank(op, lhs, rhs, sizes, &dot)) return false;
  ragged r = bounds_of(b, hd_hlo_convert(b, sizes, hd_type_integer(b->context, 64, HD_SIGNLESS)));
  hd_value *made;
  if (dot.kind == HD_RAGGED_ROWS) {
    made = takes_tiles(lhs, rhs, sizes, &dot) ? rows_in_tiles(&r, op, &dot) : rows(&r, op, &dot);
  } else if (dot.kind == HD_RAGGED_CONTRACTING) {
    lhs = per_group(&r, lhs, dot.ragged, &dot.lhs_prefix);
    rhs = per_group(&r, rhs, dot.rhs_ragged, &dot.rhs_prefix);
    made = dot_general(b, op, &dot, lhs, rhs, true);
  } else {
    made = dot_general(b, op, &dot, lhs, rhs, false);
  }
  results[0] = hd_hlo_retype(b, made, hd_result_type(op, 0));
  return true;
}
