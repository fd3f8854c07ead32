/* SPDX-License-Identifier: Apache-2.0 */
/* recognize-scans: windows and loops that are scans become mhlo.associative_scan, which a kernel does in linear time.
 *
 *   reduce_window, n elements, padding n - 1 on one side,    ->   mhlo.associative_scan along that dim
 *   whose initial value absorbs the padding (init_padding.c)
 *   chlo.scan, mhlo.scan that are associative (sums of floats
 *   only where the program says so), whose output
 *   is the carry, with a body of elementwise ops             ->   the same, the body on scalars
 *   trees of slices, as JAX's associative_scan (scan_trees.c)
 *
 * The order of elements is kept: associative is all that is asked of a body. Windows of unknown size are recognised
 * where they are taken in (inline). Dims shorter than a vector stay windows, which fuse with what is around them. */
#include "passes/graph/loop/recognize_scans.h"

#include "codegen/emit/generator.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/passes.h"

enum { LEAST = 16, MOST_INPUTS = 16 };

static bool is_element(hd_shapes *shapes, hd_value *list, uint32_t i, hd_dim wanted) {
  hd_dim is = hd_shapes_element(shapes, list, i);
  return is && hd_dim_equal(&shapes->table, is, wanted);
}

bool hd_is_prefix_window(hd_shapes *shapes, hd_op *call, uint32_t *out_axis, bool *out_reverse) {
  if (call->operand_count < 7 || call->operand_count % 2 == 0) return false;
  uint32_t inputs = (call->operand_count - 5) / 2, axes = 0;
  if (!hd_type_has_rank(hd_operand_type(call, 0))) return false;
  hd_value *const x = hd_operand(call, 0), *sizes = hd_operand(call, 2 * inputs),
                  *padding = hd_operand(call, 2 * inputs + 4);
  hd_dim one = hd_dim_const(&shapes->table, 1), zero = hd_dim_const(&shapes->table, 0);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    for (uint32_t k = 1; k < 4; ++k)
      if (!is_element(shapes, hd_operand(call, 2 * inputs + k), d, one)) return false;
    bool low = is_element(shapes, padding, 2 * d, zero), high = is_element(shapes, padding, 2 * d + 1, zero);
    if (low && high && is_element(shapes, sizes, d, one)) continue;
    hd_dim size = hd_shapes_dim(shapes, x, d), others = hd_dim_sub(&shapes->table, size, one);
    if (!is_element(shapes, sizes, d, size) || (!low && !high) || !is_element(shapes, padding, 2 * d + low, others))
      return false;
    *out_axis = d;
    *out_reverse = low;
    ++axes;
  }
  return axes == 1;
}

static bool has_elements(hd_value *const *operands, uint32_t count, const hd_block *body) {
  for (uint32_t i = 0; i < 2 * count; ++i) {
    hd_type element = hd_type_element(operands[i % count]->type);
    if (!hd_type_has_rank(operands[i]->type) || hd_type_element(operands[i]->type) != element ||
        hd_type_element(body->args[i]->type) != element ||
        hd_type_element(hd_operand_type(body->last, i % count)) != element)
      return false;
  }
  return true;
}

hd_op *hd_build_associative_scan(hd_builder *b, hd_value *const *operands, uint32_t count, hd_block *body,
                                 uint32_t axis, bool reverse) {
  if (body->arg_count != 2 * count || body->last->operand_count != count || !has_elements(operands, count, body))
    return NULL;
  hd_arena *arena = &b->module->arena;
  hd_type *types = hd_new_array(arena, hd_type, 2 * (size_t)count);
  for (uint32_t i = 0; i < count; ++i) types[i] = operands[i]->type;
  hd_attr_arg attrs[] = {{HD_NAME_dimension, hd_attr_i64(b->context, axis)},
                         {HD_NAME_is_reverse, hd_attr_bool(b->context, reverse)}};
  hd_op *scan =
      hd_build_op(b, HD_OP_mhlo_associative_scan, operands, 2 * (size_t)count, types, count, attrs, reverse ? 2 : 1, 1);
  for (uint32_t i = 0; i < 2 * count; ++i) types[i] = body->args[i]->type;
  hd_builder in = hd_hlo_open_region(b, scan, 0, types, 2 * (size_t)count);
  /* What was gathered comes first; from the last element on it is what follows the element. */
  hd_map map = {0};
  for (uint32_t i = 0; i < 2 * count; ++i)
    hd_map_set(arena, &map, body->args[i], in.block->args[reverse ? (i + count) % (2 * count) : i]);
  hd_value **values = hd_new_array(arena, hd_value *, count);
  hd_op *end = hd_build_op(&in, HD_OP_stablehlo_return, NULL, 0, NULL, 0, NULL, 0, 0);
  for (hd_op *op = body->first; op != body->last; op = op->next)
    hd_op_insert_before(hd_op_clone(b->module, op, arena, &map), end);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *value = hd_operand(body->last, i), *mapped = hd_map_get(&map, value);
    values[i] = mapped ? mapped : value;
  }
  hd_builder last = hd_builder_before(end);
  last.loc = body->last->loc;
  hd_build_op(&last, HD_OP_stablehlo_return, values, count, NULL, 0, NULL, 0, 0);
  hd_op_erase(end);
  if (hd_can_generate_regions(scan)) return scan;
  hd_op_erase(scan);
  return NULL;
}

/* reduce_window -----------------------------------------------------------------------------------------------------
 */

static bool is_prefix(const hd_op *op, uint32_t *out_axis, bool *out_reverse) {
  hd_type type = hd_operand_type(op, 0);
  uint32_t axes = 0;
  static const hd_name ones[] = {HD_NAME_window_strides, HD_NAME_base_dilations, HD_NAME_window_dilations};
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    for (size_t k = 0; k < sizeof ones / sizeof *ones; ++k)
      if (hd_attr_int_at_or(hd_op_attr_get(op, ones[k]), d, 1) != 1) return false;
    int64_t size = hd_attr_int_at_or(hd_window_like_window_dimensions(op), d, 1), dim = hd_type_dim(type, d);
    int64_t low = hd_attr_int_at_or(hd_window_like_padding(op), 2 * (size_t)d, 0),
            high = hd_attr_int_at_or(hd_window_like_padding(op), 2 * (size_t)d + 1, 0);
    if (size == 1 && !low && !high) continue;
    if (size != dim || size < LEAST || low + high != size - 1 || (low && high)) return false;
    *out_axis = d;
    *out_reverse = !low;
    ++axes;
  }
  return axes == 1;
}

static hd_op *of_window(hd_builder *b, hd_op *op) {
  uint32_t axis = 0;
  bool reverse = false;
  if (!is_prefix(op, &axis, &reverse)) return NULL;
  hd_value **operands = hd_new_array(&b->module->arena, hd_value *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  hd_block *body = hd_op_region(op, 0)->first;
  if (!hd_init_absorbs_padding(&b->module->arena, operands + op->result_count, op->result_count, body)) return NULL;
  return hd_build_associative_scan(b, operands, op->result_count, body, axis, reverse);
}

/* scan ----------------------------------------------------------------------------------------------------------------
 */

/* The scalar whose copies |value| is, as a value of type tensor<element>; null: it has other elements. */
static hd_value *scalar_of(hd_builder *b, hd_value *value) {
  hd_type scalar = hd_type_tensor(hd_type_element(value->type), NULL, 0, NULL);
  hd_op *op = hd_value_op(value);
  if (!hd_type_rank(value->type)) return value;
  if (hd_is_broadcast_in_dim_like(op)) return scalar_of(b, hd_operand(op, 0));
  hd_attr attr = hd_op_is(op, HD_OP_stablehlo_constant) ? hd_stablehlo_constant_value(op) : NULL;
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !attr->dense.splat) return NULL;
  hd_attr one = hd_attr_dense(scalar, attr->dense.data, hd_type_element_bytes(hd_type_element(scalar)), true);
  return hd_build_hlo_constant(b, one);
}

/* One op on slices as the same on scalars. */
static bool copy_scalar(hd_builder *b, hd_op *op, hd_map *map) {
  hd_arena *arena = &b->module->arena;
  if (op->region_count || op->result_count != 1) return false;
  hd_value *from = hd_result(op, 0);
  if (hd_op_is(op, HD_OP_stablehlo_constant) || hd_op_is(op, HD_OP_stablehlo_broadcast_in_dim)) {
    hd_value *inner = hd_op_is(op, HD_OP_stablehlo_constant) ? NULL : hd_map_get(map, hd_operand(op, 0));
    if (inner && hd_type_rank(hd_operand_type(op, 0))) return false;
    hd_value *scalar = inner ? inner : scalar_of(b, from);
    if (scalar) hd_map_set(arena, map, from, scalar);
    return scalar != NULL;
  }
  if (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE))) return false;
  hd_op *copy = hd_op_clone(b->module, op, arena, map);
  hd_result(copy, 0)->type = hd_type_tensor(hd_type_element(from->type), NULL, 0, NULL);
  for (uint32_t i = 0; i < copy->operand_count; ++i)
    if (hd_type_rank(hd_operand_type(copy, i))) return false;
  hd_op_insert_before(copy, b->block->last);
  return true;
}

/* The body of |op|, which is handed slices and carries, on scalars: a block that nothing holds. */
static hd_op *scalar_body(hd_builder *b, hd_op *op, uint32_t count) {
  hd_arena *arena = &b->module->arena;
  hd_block *body = hd_op_region(op, 0)->first;
  hd_type *types = hd_new_array(arena, hd_type, 2 * (size_t)count);
  for (uint32_t i = 0; i < 2 * count; ++i)
    types[i] = hd_type_tensor(hd_type_element(body->args[i]->type), NULL, 0, NULL);
  hd_op *holder = hd_build_op(b, HD_OP_stablehlo_reduce, NULL, 0, NULL, 0, NULL, 0, 1);
  hd_builder in = hd_hlo_open_region(b, holder, 0, types, 2 * (size_t)count);
  hd_map map = {0};
  for (uint32_t i = 0; i < 2 * count; ++i) /* (slices, carries) -> (what was gathered, element) */
    hd_map_set(arena, &map, body->args[i], in.block->args[(i + count) % (2 * count)]);
  hd_op *end = hd_build_op(&in, HD_OP_stablehlo_return, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_builder at = hd_builder_before(end);
  bool ok = true;
  for (hd_op *inner = body->first; ok && inner != body->last; inner = inner->next) {
    at.loc = inner->loc;
    ok = copy_scalar(&at, inner, &map);
  }
  hd_value **values = hd_new_array(arena, hd_value *, count);
  for (uint32_t i = 0; ok && i < count; ++i) ok = (values[i] = hd_map_get(&map, hd_operand(body->last, i))) != NULL;
  if (ok) {
    hd_build_op(&at, HD_OP_stablehlo_return, values, count, NULL, 0, NULL, 0, 0);
    hd_op_erase(end);
    return holder;
  }
  hd_op_erase(holder);
  return NULL;
}

/* Sums and products that round are in the order of the program, unless it says that they are associative. */
static bool is_associative(const hd_op *op) {
  if (hd_scan_like_is_associative(op)) return true;
  hd_block *body = hd_op_region(op, 0)->first;
  if (body->first->next != body->last) return false;
  hd_op *inner = body->first;
  bool associative = hd_op_has_trait(inner, HD_TRAIT(IDEMPOTENT)) || hd_op_is(inner, HD_OP_stablehlo_xor);
  if (hd_op_is(inner, HD_OP_stablehlo_add) || hd_op_is(inner, HD_OP_stablehlo_multiply))
    associative = hd_type_is(hd_type_element(hd_result_type(inner, 0)), HD_TYPE_INTEGER);
  return associative && hd_operand(inner, 0) != hd_operand(inner, 1);
}

static hd_op *of_scan(hd_builder *b, hd_op *op) {
  uint32_t count, outputs;
  hd_scan_counts(op, &count, &outputs);
  hd_block *body = hd_op_region(op, 0)->first;
  if (count != outputs || !count || op->operand_count != 2 * count || op->result_count != 2 * count ||
      count > MOST_INPUTS || !is_associative(op))
    return NULL;
  hd_value *operands[2 * MOST_INPUTS];
  for (uint32_t i = 0; i < count; ++i) {
    if (hd_operand(body->last, i) != hd_operand(body->last, count + i) || hd_result(op, count + i)->first_use)
      return NULL;
    if (!hd_type_has_rank(hd_operand_type(op, i)) || hd_result_type(op, i) != hd_operand_type(op, i)) return NULL;
    operands[i] = hd_operand(op, i);
    operands[count + i] = scalar_of(b, hd_operand(op, count + i));
    if (!operands[count + i]) return NULL;
  }
  hd_op *holder = scalar_body(b, op, count);
  if (!holder) return NULL;
  /* gathered first in either direction */
  hd_block *scalars = hd_op_region(holder, 0)->first;
  uint32_t axis = (uint32_t)hd_scan_like_dimension(op);
  bool reverse = hd_scan_like_is_reverse(op);
  hd_op *scan = hd_build_associative_scan(b, operands, count, scalars, axis, false);
  if (scan && reverse) hd_scan_like_set_is_reverse(scan, hd_attr_bool(b->context, true));
  hd_op_erase(holder);
  return scan;
}

static bool may_be_scan(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_reduce_window) || hd_op_is(op, HD_OP_chlo_scan) || hd_op_is(op, HD_OP_mhlo_scan);
}

bool hd_pass_recognize_scans(hd_pass *pass, hd_op *func) {
  if (hd_recognize_scan_trees(pass, func)) pass->changed = true;
  hd_op_list ops = hd_ops_where(func, may_be_scan, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    bool is_window = hd_op_is(op, HD_OP_stablehlo_reduce_window);
    hd_op *scan = is_window ? of_window(&b, op) : of_scan(&b, op);
    if (!scan) continue;
    for (uint32_t r = 0; r < scan->result_count; ++r) hd_value_replace_uses(hd_result(op, r), hd_result(scan, r));
    hd_op_erase(op);
    pass->changed = true;
  }
  return true;
}
