/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, tuples and what only looks at memory in another way. */
#include "hlo/import.h"
#include "ir/ops/stablehlo.h"

static bool needs_array(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_type type = inst->shape.type;
  if (type && hd_type_is_tensor(type)) return true;
  return hd_hlo_fail(s->r, inst->at, "expected an array as the shape of '%.*s', got %s", (int)inst->opcode.len,
                     inst->opcode.data, type ? hd_hlo_type_text(s->r, type) : "a tuple");
}

/* The constants of a tuple are in parentheses, one after the other. */
static bool constant_leaves(hd_hlo_import *s, const hd_hlo_inst *inst, const hd_hlo_shape *shape, hd_hlo_cursor *c,
                            hd_value **out, uint32_t *next) {
  if (shape->type) {
    hd_str text;
    if (!hd_hlo_skip_value(c, &text)) return false;
    if (!hd_type_is_tensor(shape->type))
      return hd_hlo_fail(s->r, inst->at, "expected constants of arrays, got %s", hd_hlo_type_text(s->r, shape->type));
    hd_attr value = hd_hlo_literal(s->r, shape->type, text);
    if (value) out[(*next)++] = hd_build_hlo_constant(&s->b, value);
    return value != NULL;
  }
  if (!hd_hlo_expect(c, '(')) return false;
  for (uint32_t i = 0; i < shape->count; ++i)
    if ((i && !hd_hlo_expect(c, ',')) || !constant_leaves(s, inst, &shape->elements[i], c, out, next)) return false;
  return hd_hlo_expect(c, ')');
}

bool hd_hlo_import_constant(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_attr_args attrs;
  if (!hd_hlo_read_attrs(s, inst, &attrs)) return false;
  s->b.loc = hd_hlo_loc(s->r, inst);
  if (!inst->shape.type) {
    hd_value **values = hd_new_array(&s->r->scratch, hd_value *, inst->shape.leaves + 1);
    uint32_t count = 0;
    hd_hlo_cursor c = hd_hlo_cursor_of(s->r, inst->payload);
    if (!constant_leaves(s, inst, &inst->shape, &c, values, &count) || !hd_hlo_at_end(&c, "the constants"))
      return false;
    return hd_hlo_set(s, inst, values, count);
  }
  if (!needs_array(s, inst)) return false;
  hd_attr value = hd_hlo_literal(s->r, inst->shape.type, inst->payload);
  if (!value) return false;
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_value, value)) return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_constant, NULL, 0, &attrs, 0);
  return true;
}

bool hd_hlo_import_tuple(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_read_attrs(s, inst, &attrs) || !hd_hlo_operands(s, inst, &values, &count)) return false;
  if (count != inst->shape.leaves || inst->shape.type)
    return hd_hlo_fail(s->r, inst->at, "expected a tuple of %u arrays, got %s of %u", count,
                       inst->shape.type ? "an array" : "one", inst->shape.leaves);
  return hd_hlo_set(s, inst, values, count);
}

bool hd_hlo_import_get_tuple_element(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_attr_args attrs;
  int64_t index;
  if (!hd_hlo_read_attrs(s, inst, &attrs) || !hd_hlo_check_operands(s, inst, 1)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "index"));
  if (!c.at) return hd_hlo_fail(s->r, inst->at, "expected 'index=', got none");
  if (!hd_hlo_int(&c, &index)) return false;
  const hd_hlo_shape *tuple = &s->computation->insts.data[inst->operands[0]].shape;
  const hd_hlo_values *values = &s->values[inst->operands[0]];
  if (tuple->type || index < 0 || index >= tuple->count || values->async)
    return hd_hlo_fail(s->r, inst->at, "expected an index below %u, the elements of the operand, got %lld",
                       tuple->count, (long long)index);
  uint32_t first = 0;
  for (int64_t i = 0; i < index; ++i) first += tuple->elements[i].leaves;
  return hd_hlo_set(s, inst, values->data + first, tuple->elements[index].leaves);
}

/* |x| with its dims in the order of memory, the most major first, or back. */
static hd_value *reorder(hd_hlo_import *s, hd_value *x, const int64_t *minor_to_major, bool to_memory) {
  if (!minor_to_major) return x;
  uint32_t rank = hd_type_rank(x->type);
  int64_t permutation[HD_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t logical = minor_to_major[rank - 1 - i];
    permutation[to_memory ? i : (uint32_t)logical] = to_memory ? logical : (int64_t)i;
  }
  return hd_stablehlo_transpose(&s->b, hd_attr_i64_array(s->b.context, permutation, rank), x);
}

static hd_type type_in_memory(hd_type type, const int64_t *minor_to_major) {
  if (!minor_to_major) return type;
  uint32_t rank = hd_type_rank(type);
  int64_t dims[HD_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) dims[i] = hd_type_dim(type, (uint32_t)minor_to_major[rank - 1 - i]);
  return hd_type_tensor(hd_type_element(type), dims, rank, NULL);
}

/* The same bytes: what is in memory in the operand's layout, read in the result's. */
bool hd_hlo_import_bitcast(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  if (count != 1 || !needs_array(s, inst) || !hd_type_is_tensor(values[0]->type))
    return hd_hlo_fail(s->r, inst->at, "expected one array as operand of 'bitcast', got '%s'",
                       count ? hd_hlo_operand_name(s, inst, 0) : "none");
  const hd_hlo_shape *from = &s->computation->insts.data[inst->operands[0]].shape, *to = &inst->shape;
  if (from->tiled || to->tiled)
    return hd_hlo_fail(s->r, inst->at, "expected a bitcast of memory without tiles, got %s in tiles",
                       from->tiled ? "an operand" : "a result");
  if (!from->minor_to_major && !to->minor_to_major) {
    hd_hlo_make(s, inst, HD_OP_mhlo_bitcast, values, 1, &attrs, 0);
    return true;
  }
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_value *x = reorder(s, values[0], from->type ? from->minor_to_major : NULL, true);
  hd_type flat = type_in_memory(to->type, to->minor_to_major);
  bool same = hd_type_element(flat) == hd_type_element(x->type);
  if (flat != x->type) x = hd_build(&s->b, same ? HD_OP_stablehlo_reshape : HD_OP_mhlo_bitcast, flat, x);
  x = reorder(s, x, to->minor_to_major, false);
  return hd_hlo_set(s, inst, &x, 1);
}

static bool same_layout(const hd_hlo_shape *a, const hd_hlo_shape *b) {
  if (!a->minor_to_major || !b->minor_to_major) return a->minor_to_major == b->minor_to_major;
  return !memcmp(a->minor_to_major, b->minor_to_major, hd_type_rank(a->type) * sizeof *a->minor_to_major);
}

/* A copy into another layout moves elements: a transpose into the order of memory, and one that looks at it as before,
 * which cancels with the transpose of a bitcast that follows. */
bool hd_hlo_import_copy(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  if (inst->operand_count != 1 || count != inst->shape.leaves)
    return hd_hlo_fail(s->r, inst->at, "expected a shape of %u arrays for this copy, got %u", count,
                       inst->shape.leaves);
  const hd_hlo_shape *from = &s->computation->insts.data[inst->operands[0]].shape, *to = &inst->shape;
  s->b.loc = hd_hlo_loc(s->r, inst);
  if (to->type && from->type == to->type && hd_type_is_tensor(to->type) && !same_layout(from, to)) {
    hd_value *x = reorder(s, values[0], to->minor_to_major ? to->minor_to_major : from->minor_to_major, true);
    x = reorder(s, x, to->minor_to_major ? to->minor_to_major : from->minor_to_major, false);
    return hd_hlo_set(s, inst, &x, 1);
  }
  uint32_t leaves;
  hd_type *types = hd_hlo_leaf_types(s->r, to, &leaves);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = hd_build_one_(&s->b, HD_OP_mhlo_copy, types[i], &values[i], 1, attrs.data, attrs.len);
  return hd_hlo_set(s, inst, values, count);
}

bool hd_hlo_import_barrier(hd_hlo_import *s, const hd_hlo_inst *inst) { return hd_hlo_import_plain(s, inst); }
