/* SPDX-License-Identifier: Apache-2.0 */
/* Which keys the mask of an attention leaves out whatever their scores are, as causal masks do.
 *
 *   keep = compare GE (iota of queries + c, iota of keys)         of query q, no keys from q + c + 1 on
 *   masked = select(keep, scores, one number)
 *   softmax(masked): maximum, subtract, exponential, sum, divide
 *
 * All that is after these keys in a row is one number then, so one of them tells what all weigh. */
#include <stdlib.h>

#include "analysis/buffer_op.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/kernel/attention.h"

enum { MOST_STEPS = 64, MOST_OFFSET = 1 << 30 /* with a position, no i32 wraps */ };

/* sum over d of |steps|[d] * index[d], + |offset|, of an index of the masked scores. */
typedef struct position {
  int64_t steps[HD_COMPILED_MAX_RANK];
  hd_dim offset;
} position;

typedef struct finder {
  hd_shapes *shapes;
  const hd_kernel_set *set; /* where the mask is */
  hd_value *masked;
  int32_t steps;
  uint32_t query; /* dim of |masked| */
  hd_dim unread;
} finder;

/* The dims of a buffer as dims of the masked scores; -1: of size 1. */
typedef int8_t dim_map[HD_COMPILED_MAX_RANK];

static bool is_one(finder *f, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), &one) && one == 1;
}

static bool is_constant(const hd_op *op) { return op && hd_buffer_opcode(op) == HD_OP_stablehlo_constant; }

/* |map| is that of |op|'s result; |*out| that of its first operand. |op| is a broadcast, or a reshape that adds or
 * removes dims of 1. */
static bool step_back(finder *f, hd_op *op, const dim_map map, dim_map out) {
  hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
  uint32_t rank = hd_type_rank(from->type), at = 0;
  if (rank > HD_COMPILED_MAX_RANK) return false;
  hd_attr dims = hd_is_broadcast_in_dim_like(op) ? hd_broadcast_in_dim_like_broadcast_dimensions(op) : NULL;
  for (uint32_t d = 0; d < rank; ++d) {
    out[d] = -1;
    if (is_one(f, from, d)) continue;
    if (dims)
      at = (uint32_t)hd_attr_int_at(dims, d);
    else
      while (at < hd_type_rank(to->type) && is_one(f, to, at)) ++at;
    if (at >= hd_type_rank(to->type) ||
        !hd_dim_equal(&f->shapes->table, hd_shapes_dim(f->shapes, from, d), hd_shapes_dim(f->shapes, to, at)))
      return false;
    out[d] = map[at++];
  }
  return true;
}

/* Is every element of |buffer|, an integer, the same known expression? */
static hd_dim one_number(finder *f, hd_value *buffer) {
  hd_op *writer = hd_map_get(&f->set->writers, buffer);
  int64_t value;
  if (is_constant(writer) && hd_attr_splat_int(hd_stablehlo_constant_value(writer), &value))
    return llabs(value) < MOST_OFFSET ? hd_dim_const(&f->shapes->table, value) : NULL;
  if (hd_shapes_get(f->shapes, buffer)->element_count != 1 || hd_shapes_may_wrap(f->shapes, buffer)) return NULL;
  hd_dim element = hd_shapes_element(f->shapes, buffer, 0);
  return element && !hd_dim_reads_elements(element) ? element : NULL;
}

static bool position_of(finder *f, hd_value *buffer, const dim_map map, position *out) {
  hd_dim_table *t = &f->shapes->table;
  hd_op *op = hd_map_get(&f->set->writers, buffer);
  *out = (position){.offset = hd_dim_const(t, 0)};
  hd_dim number = one_number(f, buffer);
  if (number) {
    out->offset = number;
    return true;
  }
  if (!op || ++f->steps > MOST_STEPS || !hd_type_is(hd_type_element(buffer->type), HD_TYPE_INTEGER) ||
      hd_type_bits(hd_type_element(buffer->type)) < 32)
    return false; /* narrower counts may wrap */
  position x, y;
  dim_map inner;
  int64_t factor;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_dynamic_iota: {
      int8_t d = map[hd_iota_like_iota_dimension(op)];
      if (d >= 0) out->steps[d] = 1;
      return true;
    }
    case HD_OP_stablehlo_convert:
      return hd_type_is(hd_type_element(hd_operand_type(op, 0)), HD_TYPE_INTEGER) &&
             position_of(f, hd_operand(op, 0), map, out);
    case HD_OP_stablehlo_add:
    case HD_OP_stablehlo_subtract: {
      bool minus = hd_buffer_opcode(op) == HD_OP_stablehlo_subtract;
      if (!position_of(f, hd_operand(op, 0), map, &x) || !position_of(f, hd_operand(op, 1), map, &y)) return false;
      for (uint32_t d = 0; d < HD_COMPILED_MAX_RANK; ++d)
        out->steps[d] = minus ? x.steps[d] - y.steps[d] : x.steps[d] + y.steps[d];
      out->offset = minus ? hd_dim_sub(t, x.offset, y.offset) : hd_dim_add(t, x.offset, y.offset);
      return true;
    }
    case HD_OP_stablehlo_multiply: /* by 1, as frameworks write steps of ranges */
      if (!position_of(f, hd_operand(op, 0), map, &x) || !position_of(f, hd_operand(op, 1), map, &y)) return false;
      for (int way = 0; way < 2; ++way) {
        bool number_alone = hd_dim_is_const(t, x.offset, &factor) && factor == 1;
        for (uint32_t d = 0; d < HD_COMPILED_MAX_RANK; ++d) number_alone &= !x.steps[d];
        if (number_alone) {
          *out = y;
          return true;
        }
        position swap = x;
        x = y, y = swap;
      }
      return false;
    default:
      return (hd_is_broadcast_in_dim_like(op) || hd_is_reshape_like(op)) && step_back(f, op, map, inner) &&
             position_of(f, hd_operand(op, 0), inner, out);
  }
}

/* Sets |f->query| and |f->unread| from x - y |direction| 0, which holds of all keys that are read. */
static bool bound_of(finder *f, const position *x, const position *y,
                     hd_enum_stablehlo_comparison_direction direction) {
  hd_dim_table *t = &f->shapes->table;
  bool less = direction == HD_STABLEHLO_COMPARE_LE || direction == HD_STABLEHLO_COMPARE_LT;
  bool strict = direction == HD_STABLEHLO_COMPARE_GT || direction == HD_STABLEHLO_COMPARE_LT;
  if (direction == HD_STABLEHLO_COMPARE_EQ || direction == HD_STABLEHLO_COMPARE_NE) return false;
  if (less) {
    const position *swap = x;
    x = y, y = swap;
  }
  uint32_t keys = hd_type_rank(f->masked->type) - 1, queries = 0;
  for (uint32_t d = 0; d <= keys; ++d) { /* query - key + offset >= 0 */
    int64_t step = x->steps[d] - y->steps[d];
    if (d == keys ? step != -1 : step != 0 && step != 1) return false;
    if (d < keys && step) f->query = d, ++queries;
  }
  f->unread = hd_dim_add(t, hd_dim_sub(t, x->offset, y->offset), hd_dim_const(t, strict ? 0 : 1));
  return queries == 1;
}

static hd_enum_stablehlo_comparison_direction opposite(hd_enum_stablehlo_comparison_direction direction) {
  switch (direction) {
    case HD_STABLEHLO_COMPARE_GE:
      return HD_STABLEHLO_COMPARE_LT;
    case HD_STABLEHLO_COMPARE_GT:
      return HD_STABLEHLO_COMPARE_LE;
    case HD_STABLEHLO_COMPARE_LE:
      return HD_STABLEHLO_COMPARE_GT;
    case HD_STABLEHLO_COMPARE_LT:
      return HD_STABLEHLO_COMPARE_GE;
    case HD_STABLEHLO_COMPARE_EQ:
      return HD_STABLEHLO_COMPARE_NE;
    default:
      return HD_STABLEHLO_COMPARE_EQ;
  }
}

static bool is_bool_constant(finder *f, hd_value *buffer, bool value) {
  int64_t number;
  for (;;) {
    hd_op *op = hd_map_get(&f->set->writers, buffer);
    if (is_constant(op)) return hd_attr_splat_int(hd_stablehlo_constant_value(op), &number) && (number != 0) == value;
    if (!op || !hd_is_broadcast_in_dim_like(op)) return false;
    buffer = hd_operand(op, 0);
  }
}

/* Does it follow from |buffer|[i] == |holds| that a key is near enough to its query? */
static bool follows(finder *f, hd_value *buffer, const dim_map map, bool holds) {
  hd_op *op = hd_map_get(&f->set->writers, buffer);
  position x, y;
  dim_map inner;
  if (!op || ++f->steps > MOST_STEPS) return false;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_compare: {
      hd_enum_stablehlo_comparison_direction direction = hd_stablehlo_compare_comparison_direction(op);
      return position_of(f, hd_operand(op, 0), map, &x) && position_of(f, hd_operand(op, 1), map, &y) &&
             bound_of(f, &x, &y, holds ? direction : opposite(direction));
    }
    case HD_OP_stablehlo_not:
      return follows(f, hd_operand(op, 0), map, !holds);
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      if ((hd_buffer_opcode(op) == HD_OP_stablehlo_and) != holds) return false;
      return follows(f, hd_operand(op, 0), map, holds) || follows(f, hd_operand(op, 1), map, holds);
    case HD_OP_stablehlo_select: /* p ? a : no, p ? no : b */
      if (hd_type_rank(hd_operand_type(op, 0)) != hd_type_rank(buffer->type)) return false;
      if (is_bool_constant(f, hd_operand(op, 2), !holds) && follows(f, hd_operand(op, 0), map, true)) return true;
      return is_bool_constant(f, hd_operand(op, 1), !holds) && follows(f, hd_operand(op, 0), map, false);
    default:
      return (hd_is_broadcast_in_dim_like(op) || hd_is_reshape_like(op)) && step_back(f, op, map, inner) &&
             follows(f, hd_operand(op, 0), inner, holds);
  }
}

/* ---- the softmax ------------------------------------------------------------------------------------------------ */

/* What |buffer| is but for its type. */
static hd_value *unconverted(const hd_kernel_set *set, hd_value *buffer) {
  for (;;) {
    hd_op *op = hd_map_get(&set->writers, buffer);
    if (!op || (hd_buffer_opcode(op) != HD_OP_stablehlo_convert && !hd_is_reshape_like(op))) return buffer;
    buffer = hd_operand(op, 0);
  }
}

static hd_op *writer_of(const hd_kernel_set *set, hd_value *buffer, hd_opcode opcode) {
  hd_op *op = hd_map_get(&set->writers, unconverted(set, buffer));
  return op && hd_buffer_opcode(op) == opcode ? op : NULL;
}

/* Is |buffer| one number for each row, whose last dim is spread out? */
static bool is_of_row(hd_shapes *shapes, const hd_kernel_set *set, hd_value *buffer) {
  for (;;) {
    hd_op *op = hd_map_get(&set->writers, unconverted(set, buffer));
    if (!op || !hd_is_broadcast_in_dim_like(op)) return false;
    hd_value *from = hd_operand(op, 0);
    hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
    uint32_t last = hd_type_rank(buffer->type) - 1;
    int64_t d = hd_attr_find_int(dims, last), one;
    if (d < 0 || (hd_dim_is_const(&shapes->table, hd_shapes_dim(shapes, from, (uint32_t)d), &one) && one == 1))
      return true;
    buffer = from;
  }
}

/* The only reduction of |set| by |opcode|. */
static hd_op *reduction_by(const hd_kernel_set *set, hd_opcode opcode, uint32_t *count) {
  hd_op *found = NULL;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    ++*count;
    hd_op *reducer = hd_op_reducer(op);
    if (reducer && hd_opcode_get(reducer) == opcode) found = op;
  }
  return found;
}

/* What the weights are the softmax of; null: they are none. */
static hd_value *softmax_operand(hd_shapes *shapes, const hd_attention *a) {
  const hd_kernel_set *set = &a->sets[1];
  uint32_t count = 0, ignored = 0;
  hd_op *most = reduction_by(set, HD_OP_stablehlo_maximum, &count),
        *sum = reduction_by(set, HD_OP_stablehlo_add, &ignored);
  hd_op *divide = writer_of(set, a->weights, HD_OP_stablehlo_divide);
  if (count != 2 || !most || !sum || !divide) return NULL;
  hd_op *exponential = writer_of(set, hd_operand(divide, 0), HD_OP_stablehlo_exponential);
  if (!exponential || writer_of(set, hd_operand(sum, 0), HD_OP_stablehlo_exponential) != exponential) return NULL;
  hd_op *difference = writer_of(set, hd_operand(exponential, 0), HD_OP_stablehlo_subtract);
  if (!difference || !is_of_row(shapes, set, hd_operand(difference, 1)) ||
      !is_of_row(shapes, set, hd_operand(divide, 1)))
    return NULL;
  hd_value *operand = unconverted(set, hd_operand(difference, 0));
  return operand == unconverted(set, hd_operand(most, 0)) ? operand : NULL;
}

bool hd_attention_unread_keys(hd_shapes *shapes, const hd_attention *a, uint32_t *out_query, hd_dim *out_unread) {
  finder f = {.shapes = shapes, .set = &a->sets[1], .masked = softmax_operand(shapes, a)};
  if (!f.masked) return false;
  bool in_first = f.masked == a->scores;
  if (in_first) {
    f.set = &a->sets[0];
    f.masked = unconverted(f.set, f.masked);
  }
  hd_op *select = hd_map_get(&f.set->writers, f.masked);
  if (!select || hd_buffer_opcode(select) != HD_OP_stablehlo_select) return false;
  uint32_t rank = hd_type_rank(f.masked->type);
  hd_value *mask = hd_operand(select, 0);
  if (hd_type_rank(mask->type) != rank ||
      !hd_shapes_same(shapes, f.masked, in_first ? hd_buffer_output(a->first, 0) : a->weights))
    return false;
  dim_map map;
  for (uint32_t d = 0; d < rank; ++d) map[d] = (int8_t)d;
  bool found = false;
  for (uint32_t kept = 1; kept <= 2 && !found; ++kept) { /* the scores are the operand that is not one number */
    hd_op *fill = hd_map_get(&f.set->writers, hd_operand(select, 3 - kept));
    while (fill && hd_is_broadcast_in_dim_like(fill)) fill = hd_map_get(&f.set->writers, hd_operand(fill, 0));
    double number;
    found = is_constant(fill) && hd_attr_splat_float(hd_stablehlo_constant_value(fill), &number) &&
            follows(&f, mask, map, kept == 1);
  }
  *out_unread = f.unread;
  for (uint32_t i = 0; found && i < a->row_count; ++i) {
    *out_query = i;
    if ((in_first ? a->rows[i].first : a->rows[i].full) == f.query) return true;
  }
  return false;
}
