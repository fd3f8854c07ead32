/* SPDX-License-Identifier: Apache-2.0 */
/* Result dims of single ops, and what they require of their operands' dims: the shape functions of the rows
 * (ir/shapes/shape_function.h) over symbolic dims. A requirement that is not proven becomes a guard. Compiled code
 * reads and writes without further checks, so each constraint that keeps an op inside of its operands must be
 * required. */
#include "shape/infer.h"

#include <string.h>

#include "ir/hooks.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/shapes/shape_function.h"

/* Dim |d| of a result of |op| is |dim|. Where the type, or another operand, says it already, that must be the same. */
static void set(hd_shapes *s, hd_op *op, hd_value_shape *shape, uint32_t d, hd_dim dim) {
  if (d >= shape->rank || !dim) return;
  if (shape->dims[d])
    hd_shapes_constrain(s, op, HD_SHAPE_EQUAL, shape->dims[d], hd_place_result(d), dim, hd_place_number());
  else
    shape->dims[d] = dim;
}

/* What a shape function runs for. */
typedef struct subject {
  hd_shapes *shapes;
  hd_op *op;
  bool results; /* are results filled? else only what |op| requires is wanted */
} subject;

static hd_shapes *shapes_of(hd_shape_context *c) { return ((subject *)c->user)->shapes; }
static hd_dim_table *table_of(hd_shape_context *c) { return &shapes_of(c)->table; }
static hd_extent extent(hd_dim dim, hd_shape_place place) { return (hd_extent){.expression = dim, .place = place}; }

static hd_extent number(hd_shape_context *c, int64_t n) {
  return extent(hd_dim_const(table_of(c), n), hd_place_number());
}

static hd_extent unknown(hd_shape_context *c) {
  (void)c;
  return extent(NULL, hd_place_number());
}

static hd_extent dim(hd_shape_context *c, uint32_t operand, uint32_t d) {
  return extent(hd_shapes_dim(shapes_of(c), c->state->operands[operand], d), hd_place_operand(operand, d));
}

static hd_extent element(hd_shape_context *c, uint32_t operand, uint32_t i) {
  return extent(hd_shapes_read_element(shapes_of(c), c->state->operands[operand], i),
                (hd_shape_place){"element", (int32_t)operand, i});
}

static hd_value *result_of(hd_shape_context *c, uint32_t result) { return hd_result(((subject *)c->user)->op, result); }

static hd_extent result_dim(hd_shape_context *c, uint32_t result, uint32_t d) {
  return extent(hd_shapes_dim(shapes_of(c), result_of(c, result), d), hd_place_result(d));
}

static hd_value *counted(hd_shape_context *c, int32_t operand) {
  return operand < 0 ? result_of(c, 0) : c->state->operands[operand];
}

static hd_extent count(hd_shape_context *c, int32_t operand) {
  return extent(hd_shapes_num_elements(shapes_of(c), counted(c, operand)), (hd_shape_place){"elements", operand, 0});
}

static bool known(hd_shape_context *c, hd_extent e, int64_t *out) {
  return e.expression && hd_dim_is_const(table_of(c), e.expression, out);
}

/* A dim that is known to be larger than 1, or is the same as the other one. */
static hd_dim broadcast(hd_dim_table *table, hd_dim a, hd_dim b) {
  int64_t n;
  if (hd_dim_is_const(table, a, &n) && n == 1) return b;
  if (hd_dim_is_const(table, b, &n) && n == 1) return a;
  if (b && hd_dim_lower(b) > 1) return b;
  if (a && hd_dim_lower(a) > 1) return a;
  return a && b && hd_dim_equal(table, a, b) ? a : NULL;
}

static hd_extent combine(hd_shape_context *c, hd_extent_operator operator, hd_extent a, hd_extent b) {
  static hd_dim (*const functions[])(hd_dim_table *, hd_dim, hd_dim) = {
      [HD_EXTENT_ADD] = hd_dim_add,           [HD_EXTENT_SUB] = hd_dim_sub,         [HD_EXTENT_MUL] = hd_dim_mul,
      [HD_EXTENT_FLOORDIV] = hd_dim_floordiv, [HD_EXTENT_CEILDIV] = hd_dim_ceildiv, [HD_EXTENT_MOD] = hd_dim_mod,
      [HD_EXTENT_MIN] = hd_dim_min,           [HD_EXTENT_MAX] = hd_dim_max,         [HD_EXTENT_BROADCAST] = broadcast,
  };
  int64_t n;
  if (operator == HD_EXTENT_MEET) return !a.expression || (known(c, b, &n) && !known(c, a, &n)) ? b : a;
  return extent(functions[operator](table_of(c), a.expression, b.expression), hd_place_number());
}

static bool is_count(hd_extent e) { return e.place.what && !strcmp(e.place.what, "elements"); }

static void require(hd_shape_context *c, hd_shape_relation relation, hd_extent a, hd_extent b) {
  hd_shapes *s = shapes_of(c);
  hd_op *op = ((subject *)c->user)->op;
  hd_dim lhs = a.expression, rhs = b.expression;
  int64_t least;
  if (is_count(a) && is_count(b) && (!lhs || !rhs)) {
    hd_shapes_constrain_counts(s, op, lhs, counted(c, a.place.operand), rhs, counted(c, b.place.operand));
    return;
  }
  hd_shapes_constrain(s, op, relation, lhs, a.place, rhs, b.place);
  if (relation == HD_SHAPE_AT_MOST && rhs && rhs->data_dependent && !s->conditional && known(c, a, &least))
    hd_dim_assume_at_least(&s->table, rhs, least);
}

static void result(hd_shape_context *c, uint32_t at, hd_type element_type, const hd_extents *shape) {
  (void)element_type;
  subject *of = c->user;
  if (!of->results) return;
  hd_value_shape *known_shape = hd_shapes_entry(of->shapes, hd_result(of->op, at));
  for (uint32_t d = 0; d < shape->rank; ++d) set(of->shapes, of->op, known_shape, d, shape->at[d].expression);
}

static const hd_extent_domain symbols = {.at_run_time = true,
                                         .number = number,
                                         .unknown = unknown,
                                         .dim = dim,
                                         .element = element,
                                         .result_dim = result_dim,
                                         .count = count,
                                         .combine = combine,
                                         .known = known,
                                         .require = require,
                                         .result = result};

/* Elementwise ops of other dialects have no row of their own for it. */
static bool (*shape_function(const hd_op *op))(hd_shape_context *) {
  if (op->info->hooks.shape) return op->info->hooks.shape;
  return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) && op->result_count == 1 ? hd_shape_of_converted : NULL;
}

void hd_shapes_apply_function(hd_shapes *s, hd_op *op, bool results) {
  bool (*function)(hd_shape_context *) = shape_function(op);
  if (!function) return;
  hd_value **operands = hd_new_array(s->arena, hd_value *, op->operand_count + 1);
  hd_type *types = hd_new_array(s->arena, hd_type, op->result_count + 1);
  hd_region **regions = hd_new_array(s->arena, hd_region *, op->region_count + 1);
  hd_op_state state = hd_op_as_state(op, operands, types, regions);
  function(&(hd_shape_context){.state = &state, .domain = &symbols, .user = &(subject){s, op, results}});
}

/* How many windows of custom_call @stablehlo.dynamic_reduce_window(%x.., %init.., sizes, strides, base, dilations,
 * padding) are along dim |d|; null where it has strides or dilations. */
static hd_dim dynamic_windows(hd_shapes *s, hd_op *op, uint32_t d) {
  hd_dim_table *table = &s->table;
  uint32_t sizes = 2 * op->result_count, padding = sizes + 4;
  for (uint32_t k = sizes + 1; k < padding; ++k) {
    int64_t step;
    hd_dim element = hd_shapes_read_element(s, hd_operand(op, k), d);
    if (!element || !hd_dim_is_const(table, element, &step) || step != 1) return NULL;
  }
  hd_dim size = hd_shapes_read_element(s, hd_operand(op, sizes), d),
         low = hd_shapes_read_element(s, hd_operand(op, padding), 2 * d),
         high = hd_shapes_read_element(s, hd_operand(op, padding), 2 * d + 1),
         dim = hd_shapes_dim(s, hd_operand(op, 0), d);
  if (!size || !low || !high || !dim) return NULL;
  hd_dim padded = hd_dim_add(table, hd_dim_add(table, dim, low), high);
  hd_dim count = hd_dim_add(table, hd_dim_sub(table, padded, size), hd_dim_const(table, 1));
  return hd_dim_max(table, hd_dim_const(table, 0), count); /* a window longer than all that is nowhere */
}

static void infer_dynamic_windows(hd_shapes *s, hd_op *op) {
  if (op->operand_count != 2 * op->result_count + 5 || !hd_type_has_rank(hd_operand_type(op, 0))) return;
  for (uint32_t r = 0; r < op->result_count; ++r) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    if (hd_type_rank(hd_operand_type(op, 0)) != shape->rank) continue;
    for (uint32_t d = 0; d < shape->rank; ++d) set(s, op, shape, d, dynamic_windows(s, op, d));
  }
}

/* The operands that indices_of_shape_operands lists are the dims of the results, as the program writes them; their
 * order in memory may be another (hd.result_dims). */
static void infer_custom_call(hd_shapes *s, hd_op *op) {
  if (hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "stablehlo.dynamic_reduce_window")) {
    infer_dynamic_windows(s, op);
    return;
  }
  hd_attr list = hd_discardable_indices_of_shape_operands(op), orders = hd_discardable_result_dims(op);
  for (uint32_t r = 0; list && r < op->result_count && r < hd_attr_count(list); ++r) {
    int64_t k = hd_attr_int_at(list, r);
    if (k < 0 || k >= (int64_t)op->operand_count) continue;
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, r));
    hd_attr order = orders && r < orders->array.count ? orders->array.items[r] : NULL;
    for (uint32_t d = 0; d < shape->rank; ++d) {
      uint32_t to = order && hd_attr_count(order) == shape->rank ? (uint32_t)hd_attr_int_at(order, d) : d;
      if (to < shape->rank) set(s, op, shape, to, hd_shapes_read_element(s, hd_operand(op, (uint32_t)k), d));
    }
  }
}

static void infer_cast(hd_shapes *s, hd_op *op) {
  hd_value *from = hd_operand(op, 0);
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  if (!hd_type_has_rank(from->type)) return;
  for (uint32_t d = 0; d < shape->rank && d < hd_type_rank(from->type); ++d)
    set(s, op, shape, d, hd_shapes_dim(s, from, d));
}

/* Memory of one size value has one dim, also where nothing else is known of it. The sizes of unknown dims are the
 * operands from |first| on. */
static void infer_memref_sizes(hd_shapes *s, hd_op *op, uint32_t first) {
  hd_type type = hd_result_type(op, 0);
  hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, 0));
  for (uint32_t d = 0, operand = first; d < shape->rank; ++d) {
    if (hd_type_dim(type, d) != HD_DYNAMIC || operand >= op->operand_count) continue;
    hd_value *size = hd_operand(op, operand++);
    if (shape->dims[d]) continue;
    hd_value_shape *known = hd_shapes_entry(s, size);
    if (known->element_count && !hd_shapes_element(s, size, 0))
      known->elements[0] = hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, size, 0, NULL, 0);
    shape->dims[d] = hd_shapes_element(s, size, 0);
  }
}

void hd_shapes_infer_op(hd_shapes *s, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_custom_call:
      infer_custom_call(s, op);
      return;
    case HD_OP_memref_alloc:
      infer_memref_sizes(s, op, 0);
      return;
    case HD_OP_memref_reinterpret_cast: /* the source, offsets, sizes, strides */
      infer_memref_sizes(s, op, 1 + (uint32_t)hd_attr_int_at(hd_segmented_operandSegmentSizes(op), 1));
      return;
    case HD_OP_memref_cast:
    case HD_OP_tensor_cast:
      infer_cast(s, op);
      return;
    default:
      hd_shapes_apply_function(s, op, true);
  }
}
