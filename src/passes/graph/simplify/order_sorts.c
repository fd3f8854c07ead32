/* SPDX-License-Identifier: Apache-2.0 */
/* order-sorts: what the runtime's sort must know, written on sorts.
 *
 *   comparator                                        keys
 *   compare LT, %a, %b                                ascending
 *   compare GT, %a, %b, or LT, %b, %a                 descending
 *   select(%a == 0, 0, %a), select(%a != %a, NaN, %a) in place of %a: zeros are equal, NaNs are
 *   or(LT on x, and(EQ on x, rest)), select(EQ, rest, LT)   x first, then those of rest
 *
 *   hd.order = [operand, kind, ...]   the comparator is such an order, of elements that the runtime sorts
 *   hd.front = k                      all uses are slices [0, k) of the sorted dim
 *   hd.positions = bits               operands that are iota along that dim
 *
 * Floats that are compared as FLOAT have no order with NaNs, so they go after the others. Sorts by other comparators
 * are left alone. Nothing may renumber operands or change comparators afterwards. */
#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "pass/pass.h"
#include "passes/analyses.h"
#include "passes/passes.h"
#include "runtime/libraries/sort_abi.h"

typedef struct key {
  uint32_t operand;
  int64_t kind;
} key;

typedef struct order {
  hd_op *sort;
  uint32_t count;
  key keys[HD_SORT_MOST_KEYS];
} order;

/* One side of a comparison: an element, perhaps with its zeros or NaNs made one. */
typedef struct side {
  uint32_t operand, which;
  int64_t kind;
} side;

static bool compares(const hd_op *op, hd_enum_stablehlo_comparison_direction direction) {
  return hd_op_is(op, HD_OP_stablehlo_compare) && hd_stablehlo_compare_comparison_direction(op) == direction;
}

static bool is_total(const hd_op *compare) {
  return hd_stablehlo_compare_compare_type_attr(compare) &&
         hd_stablehlo_compare_compare_type(compare) == HD_STABLEHLO_COMPARISON_TYPE_TOTALORDER;
}

static bool is_float_constant(hd_value *value, bool nan) {
  hd_attr attr = hd_value_constant(value);
  double is;
  return attr && hd_attr_splat_float(attr, &is) && (nan ? is != is : is == 0);
}

/* Does a convert keep order and equality? */
static bool is_exact(hd_type from, hd_type to) {
  if (from->kind != to->kind) return false;
  if (from->kind == HD_TYPE_INTEGER)
    return from->integer.signedness == to->integer.signedness && from->integer.width <= to->integer.width &&
           from->integer.width > 1;
  return from->kind == HD_TYPE_FLOAT &&
         hd_float_formats[from->float_kind].exponent_bits <= hd_float_formats[to->float_kind].exponent_bits &&
         hd_float_formats[from->float_kind].mantissa_bits <= hd_float_formats[to->float_kind].mantissa_bits;
}

static bool side_of(const order *o, hd_value *value, side *out) {
  hd_block *block = hd_op_region(o->sort, 0)->first;
  *out = (side){0};
  for (int depth = 0; depth < 16; ++depth) {
    if (value->is_block_arg) {
      if (value->owner.block != block) return false;
      out->operand = value->index / 2;
      out->which = value->index % 2;
      return true;
    }
    hd_op *op = hd_value_op(value);
    if (hd_op_is(op, HD_OP_stablehlo_convert)) {
      if (!is_exact(hd_type_element(hd_operand_type(op, 0)), hd_type_element(value->type))) return false;
      value = hd_operand(op, 0);
      continue;
    }
    if (!hd_op_is(op, HD_OP_stablehlo_select)) return false;
    hd_op *test = hd_value_op(hd_operand(op, 0));
    bool zero = compares(test, HD_STABLEHLO_COMPARE_EQ), nan = compares(test, HD_STABLEHLO_COMPARE_NE);
    if (!zero && !nan) return false;
    hd_value *tested = hd_operand(test, 0), *against = hd_operand(test, 1);
    side inner, same;
    if (is_total(test) || !is_float_constant(hd_operand(op, 1), nan) ||
        (zero ? !is_float_constant(against, false) : against != tested) || !side_of(o, tested, &inner) ||
        !side_of(o, hd_operand(op, 2), &same) || inner.operand != same.operand || inner.which != same.which)
      return false;
    out->kind |= zero ? HD_SORT_ZEROS : HD_SORT_NANS;
    value = hd_operand(op, 2);
  }
  return false;
}

/* The kind of the elements of an operand; false for those that the runtime has no keys of. */
static bool element_kind(hd_type element, int64_t *out) {
  *out = 0;
  if (element->kind == HD_TYPE_INTEGER) {
    uint32_t width = element->integer.width;
    if (element->integer.signedness != HD_UNSIGNED && width > 1) *out = HD_SORT_SIGNED;
    return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
  }
  *out = HD_SORT_FLOAT;
  switch (hd_element_type_of(element)) {
    case HD_ELEMENT_BF16:
      *out |= HD_SORT_BF16;
      return true;
    case HD_ELEMENT_F16:
    case HD_ELEMENT_F32:
    case HD_ELEMENT_F64:
      return true;
    default:
      return false;
  }
}

/* Both sides of |compare| are the same key of the two elements. */
static bool key_of(const order *o, const hd_op *compare, key *out, bool *out_swapped) {
  side a, b;
  int64_t kind;
  if (!side_of(o, hd_operand(compare, 0), &a) || !side_of(o, hd_operand(compare, 1), &b) || a.operand != b.operand ||
      a.which == b.which || a.kind != b.kind ||
      !element_kind(hd_type_element(hd_operand_type(o->sort, a.operand)), &kind))
    return false;
  if (kind & HD_SORT_FLOAT) kind |= is_total(compare) ? a.kind : HD_SORT_ZEROS | HD_SORT_NANS;
  *out = (key){a.operand, kind};
  *out_swapped = a.which == 1;
  return true;
}

/* |before| and |equal| are of one key: the first of the order. */
static bool read_order(order *o, hd_value *value);

static bool read_pair(order *o, hd_value *before, hd_value *equal, hd_value *rest) {
  uint32_t at = o->count;
  key other;
  bool swapped;
  if (!compares(hd_value_op(equal), HD_STABLEHLO_COMPARE_EQ) || !read_order(o, before) || o->count != at + 1 ||
      !key_of(o, hd_value_op(equal), &other, &swapped) || other.operand != o->keys[at].operand ||
      other.kind != (o->keys[at].kind & ~HD_SORT_DESCENDING))
    return false;
  return read_order(o, rest);
}

static bool read_order(order *o, hd_value *value) {
  hd_op *op = hd_value_op(value);
  bool less = compares(op, HD_STABLEHLO_COMPARE_LT), greater = compares(op, HD_STABLEHLO_COMPARE_GT), swapped;
  if (less || greater) {
    if (o->count == HD_SORT_MOST_KEYS || !key_of(o, op, &o->keys[o->count], &swapped)) return false;
    if (greater != swapped) o->keys[o->count].kind |= HD_SORT_DESCENDING;
    ++o->count;
    return true;
  }
  uint32_t before = o->count;
  if (hd_op_is(op, HD_OP_stablehlo_or)) {
    for (uint32_t i = 0; i < 2; ++i) {
      hd_op *both = hd_value_op(hd_operand(op, 1 - i));
      for (uint32_t k = 0; k < 2 && hd_op_is(both, HD_OP_stablehlo_and); ++k) {
        if (read_pair(o, hd_operand(op, i), hd_operand(both, k), hd_operand(both, 1 - k))) return true;
        o->count = before;
      }
    }
  }
  if (hd_op_is(op, HD_OP_stablehlo_select))
    return read_pair(o, hd_operand(op, 2), hd_operand(op, 0), hd_operand(op, 1));
  return false;
}

/* Operands go along as one, two, four or eight bytes. */
static bool moves(const hd_op *sort) {
  for (uint32_t i = 0; i < sort->operand_count; ++i)
    if (hd_type_element_bytes(hd_type_element(hd_operand_type(sort, i))) > 8) return false;
  return sort->operand_count <= 32;
}

static bool counts_along(hd_value *value, int64_t axis) {
  hd_op *op = hd_value_op(value);
  hd_type element = hd_type_element(value->type);
  bool counts = hd_is_iota_like(op);
  return counts && element->kind == HD_TYPE_INTEGER && element->integer.width >= 8 &&
         hd_iota_like_iota_dimension(op) == axis;
}

/* The end of the slice from 0 that |op| takes of |axis|; negative: it takes something else. */
static int64_t front_of(hd_shapes *shapes, hd_op *op, uint32_t axis) {
  int64_t limit;
  if (hd_op_is(op, HD_OP_stablehlo_slice)) {
    if (hd_attr_int_at(hd_stablehlo_slice_start_indices(op), axis)) return -1;
    return hd_attr_int_at(hd_stablehlo_slice_limit_indices(op), axis);
  }
  if (!hd_op_is(op, HD_OP_stablehlo_real_dynamic_slice)) return -1;
  for (uint32_t k = 1; k < 4; k += 2) {
    hd_dim is = hd_shapes_element(shapes, hd_operand(op, k), axis);
    int64_t value;
    if (!is || !hd_dim_is_const(&shapes->table, is, &value) || value != k / 2) return -1;
  }
  hd_dim end = hd_shapes_element(shapes, hd_operand(op, 2), axis);
  return end && hd_dim_is_const(&shapes->table, end, &limit) ? limit : -1;
}

static void mark_front(hd_pass *pass, hd_op *func, hd_op *sort, uint32_t axis) {
  int64_t front = 0;
  for (uint32_t r = 0; r < sort->result_count; ++r)
    hd_for_each_use(use, hd_result(sort, r)) {
      bool slices = hd_op_is(use->owner, HD_OP_stablehlo_slice) ||
                    (hd_op_is(use->owner, HD_OP_stablehlo_real_dynamic_slice) && !use->index);
      if (!slices) return;
      int64_t end = front_of(hd_pass_shapes(pass, func), use->owner, axis);
      if (end < 0) return;
      front = end > front ? end : front;
    }
  hd_discardable_set_front(sort, front);
}

static bool is_sort(const hd_op *op) { return hd_op_is(op, HD_OP_stablehlo_sort); }

bool hd_pass_order_sorts(hd_pass *pass, hd_op *func) {
  hd_op_list sorts = hd_ops_where(func, is_sort, &pass->arena);
  for (size_t i = 0; i < sorts.len; ++i) {
    hd_op *sort = sorts.data[i];
    order o = {.sort = sort};
    hd_block *block = hd_op_region(sort, 0)->first;
    uint32_t rank = hd_type_has_rank(hd_operand_type(sort, 0)) ? hd_type_rank(hd_operand_type(sort, 0)) : 0;
    if (!rank || !moves(sort) || !read_order(&o, hd_operand(block->last, 0))) continue;
    int64_t axis = hd_stablehlo_sort_dimension(sort), positions = 0;
    axis = axis < 0 ? axis + rank : axis;
    hd_attr words[2 * HD_SORT_MOST_KEYS];
    for (uint32_t k = 0; k < o.count; ++k) {
      words[2 * k] = hd_attr_i64(pass->context, o.keys[k].operand);
      words[2 * k + 1] = hd_attr_i64(pass->context, o.keys[k].kind);
    }
    hd_discardable_set_order(sort, hd_attr_array(pass->context, words, 2 * (size_t)o.count));
    for (uint32_t k = 0; k < sort->operand_count; ++k)
      if (k < HD_SORT_MOST_POSITIONS)
        positions |= (int64_t)counts_along(hd_operand(sort, k), axis) << k; /* others are read */
    if (positions) hd_discardable_set_positions(sort, positions);
    mark_front(pass, func, sort, (uint32_t)axis);
    pass->changed = true;
  }
  return true;
}
