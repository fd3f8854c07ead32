/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of the analysis; what each op does to dims is in infer.c, to elements in elements.c, loops and branches in
 * control.c, what must hold in guards.c. */
#include "shape/shapes.h"

#include <stdio.h>
#include <string.h>

#include "ir/computation.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "shape/infer.h"

enum { MAX_ELEMENTS = 64 };

uint32_t hd_shapes_followed_elements(hd_type type) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX) return 0;
  if (!hd_type_is_shaped(type)) return 1;
  if (type->kind != HD_TYPE_TENSOR) return 0;
  int64_t count = hd_type_num_elements(type);
  return count >= 0 && count <= MAX_ELEMENTS ? (uint32_t)count : 0;
}

hd_dim hd_shapes_new_symbol(hd_shapes *s, hd_symbol_kind kind, hd_value *value, uint32_t index, const char *name,
                            int64_t lower) {
  hd_symbol_origin *origin = hd_new(s->arena, hd_symbol_origin);
  *origin = (hd_symbol_origin){.kind = kind, .value = value, .index = index};
  char text[24];
  if (!name || !*name) {
    do snprintf(text, sizeof text, "d%u", s->unnamed++);
    while (hd_map_find_bytes(&s->names, text, strlen(text)));
    name = text;
  }
  hd_map_insert_bytes(s->arena, &s->names, name, strlen(name), NULL);
  bool argument = value->is_block_arg && value->owner.block == hd_op_region(s->func, 0)->first;
  hd_dim symbol = hd_dim_symbol(&s->table, name, lower, INT64_MAX, origin, !argument || kind == HD_SYMBOL_ELEMENT);
  symbol->terms[0].atoms[0]->pinned = kind == HD_SYMBOL_DIM && hd_shapes_is_of_control_flow(s, value);
  return symbol;
}

hd_dim hd_shapes_new_element(hd_shapes *s, hd_value *value, uint32_t index) {
  hd_type element = hd_type_element(value->type);
  bool positive = element->kind == HD_TYPE_INTEGER && element->integer.width < 64 &&
                  (element->integer.signedness == HD_UNSIGNED || element->integer.width == 1);
  return hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, value, index, NULL, positive ? 0 : INT64_MIN);
}

/* A shape whose known dims come from the type; unknown ones are null until they are filled. */
static hd_value_shape *blank(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_new(s->arena, hd_value_shape);
  if (hd_type_has_rank(value->type)) {
    shape->rank = hd_type_rank(value->type);
    shape->dims = hd_new_array(s->arena, hd_dim, shape->rank);
    for (uint32_t i = 0; i < shape->rank; ++i)
      if (hd_type_dim(value->type, i) != HD_DYNAMIC)
        shape->dims[i] = hd_dim_const(&s->table, hd_type_dim(value->type, i));
  }
  shape->element_count = hd_shapes_followed_elements(value->type);
  shape->elements = hd_new_array(s->arena, hd_dim, shape->element_count);
  return shape;
}

/* Unknown dims become symbols of their own. */
static void complete(hd_shapes *s, hd_value *value, hd_value_shape *shape) {
  for (uint32_t i = 0; i < shape->rank; ++i)
    if (!shape->dims[i]) shape->dims[i] = hd_shapes_new_symbol(s, HD_SYMBOL_DIM, value, i, NULL, 0);
}

hd_value_shape *hd_shapes_entry(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_map_get(&s->values, value);
  if (shape) return shape;
  shape = blank(s, value);
  hd_map_set(s->arena, &s->values, value, shape);
  return shape;
}

const hd_value_shape *hd_shapes_get(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_shapes_entry(s, value);
  complete(s, value, shape);
  return shape;
}

hd_dim hd_shapes_dim(hd_shapes *s, hd_value *value, uint32_t i) {
  return hd_dim_resolve(&s->table, hd_shapes_get(s, value)->dims[i]);
}

hd_dim hd_shapes_element(hd_shapes *s, hd_value *value, uint32_t i) {
  const hd_value_shape *shape = hd_shapes_get(s, value);
  return i < shape->element_count ? hd_dim_resolve(&s->table, shape->elements[i]) : NULL;
}

hd_dim hd_shapes_index(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_shapes_entry(s, value);
  if (!shape->element_count) return NULL;
  if (!shape->elements[0]) shape->elements[0] = hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, value, 0, NULL, INT64_MIN);
  return hd_dim_resolve(&s->table, shape->elements[0]);
}

void hd_shapes_set_dims(hd_shapes *s, hd_value *value, const hd_dim *dims, uint32_t rank) {
  hd_value_shape *shape = blank(s, value);
  shape->rank = rank;
  shape->dims = hd_new_array(s->arena, hd_dim, rank);
  for (uint32_t i = 0; i < rank; ++i) shape->dims[i] = dims[i];
  hd_map_set(s->arena, &s->values, value, shape);
}

hd_dim hd_shapes_num_elements(hd_shapes *s, hd_value *value) {
  const hd_value_shape *shape = hd_shapes_get(s, value);
  hd_dim count = hd_dim_const(&s->table, 1);
  for (uint32_t i = 0; i < shape->rank; ++i)
    count = hd_dim_mul(&s->table, count, hd_dim_resolve(&s->table, shape->dims[i]));
  return count;
}

bool hd_shapes_same(hd_shapes *s, hd_value *a, hd_value *b) {
  const hd_value_shape *sa = hd_shapes_get(s, a), *sb = hd_shapes_get(s, b);
  if (sa->rank != sb->rank) return false;
  for (uint32_t i = 0; i < sa->rank; ++i)
    if (!hd_dim_equal(&s->table, sa->dims[i], sb->dims[i])) return false;
  return true;
}

hd_dim hd_shapes_read_element(hd_shapes *s, hd_value *value, uint32_t i) {
  hd_dim known = hd_shapes_element(s, value, i);
  hd_value_shape *shape = hd_shapes_entry(s, value);
  if (known || i >= shape->element_count) return known;
  return shape->elements[i] = hd_shapes_new_element(s, value, i);
}

static void analyse_op(hd_shapes *s, hd_op *op) {
  if (hd_op_has_trait(op, HD_TRAIT(WHILE))) {
    hd_shapes_analyse_loop(s, op);
    return;
  }
  if (hd_op_has_trait(op, HD_TRAIT(BRANCHES))) {
    hd_shapes_analyse_branches(s, op);
    return;
  }
  if (hd_op_is(op, HD_OP_stablehlo_custom_call) &&
      hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "shape_assertion"))
    hd_shapes_assume_assertion(s, op);
  for (uint32_t i = 0; i < op->result_count; ++i) hd_shapes_entry(s, hd_result(op, i));
  hd_shapes_infer_op(s, op);
  for (uint32_t i = 0; i < op->result_count; ++i) complete(s, hd_result(op, i), hd_shapes_entry(s, hd_result(op, i)));
  hd_shapes_infer_elements(s, op);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_op_is_shape_operand(op, i)) hd_shapes_require_fit(s, hd_operand(op, i));
  hd_shapes_share_captures(s, op);
  /* Regions of scalars (reducers, comparators) and of fusions. */
  bool on_elements = !s->around && op->region_count && hd_computation_of(op, 0).elements;
  if (on_elements) s->around = op, ++s->conditional;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) hd_shapes_analyse_block(s, block);
  if (on_elements) s->around = NULL, --s->conditional;
}

void hd_shapes_analyse_block(hd_shapes *s, hd_block *block) {
  hd_for_each_op(op, block) analyse_op(s, op);
}

/* Names come from hd.dims on the argument: ["b", "s", 768]. */
static void analyse_arguments(hd_shapes *s, hd_op *func) {
  hd_attr arg_attrs = hd_function_like_arg_attrs(func);
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_map names = {0};
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    hd_value *arg = entry->args[i];
    hd_value_shape *shape = hd_shapes_entry(s, arg);
    hd_attr named =
        arg_attrs && i < arg_attrs->array.count ? hd_dict_get(arg_attrs->array.items[i], HD_NAME_hd_dims) : NULL;
    for (uint32_t d = 0; d < shape->rank; ++d) {
      if (shape->dims[d]) continue;
      hd_attr name = hd_attr_is(named, HD_ATTR_ARRAY) && d < named->array.count ? named->array.items[d] : NULL;
      const char *text = hd_attr_is(name, HD_ATTR_STRING) ? name->string->text : NULL;
      if (text && strchr(text, '*')) text = NULL; /* names a quotient: see guards.c */
      hd_map_entry *seen = text && *text ? hd_map_insert_bytes(s->arena, &names, text, name->string->len, NULL) : NULL;
      shape->dims[d] = hd_shapes_new_symbol(s, HD_SYMBOL_DIM, arg, d, seen && !seen->value.ptr ? text : NULL, 0);
      if (seen) seen->value.ptr = shape;
    }
    for (uint32_t e = 0; e < shape->element_count; ++e) shape->elements[e] = hd_shapes_new_element(s, arg, e);
  }
}

static hd_shapes *new_shapes(hd_op *func, hd_arena *arena) {
  hd_shapes *s = hd_new(arena, hd_shapes);
  s->arena = arena;
  s->context = hd_op_context(func);
  s->func = func;
  hd_dim_table_init(&s->table, arena);
  return s;
}

hd_shapes *hd_shapes_of_constraints(hd_op *func, hd_op *op, hd_arena *arena) {
  hd_shapes *s = new_shapes(func, arena);
  analyse_arguments(s, func);
  hd_shapes_apply_function(s, op, false);
  return s;
}

hd_shapes *hd_shapes_of(hd_op *func, hd_arena *arena) {
  hd_shapes *s = new_shapes(func, arena);
  if (!hd_op_region(func, 0)->first) return s;
  hd_attr constraints = hd_discardable_constraint(func);
  bool *done = hd_new_array(arena, bool, (hd_attr_is(constraints, HD_ATTR_ARRAY) ? constraints->array.count : 0) + 1);
  analyse_arguments(s, func);
  hd_shapes_assume_constraints(s, done);
  hd_for_each_block(block, hd_op_region(func, 0)) hd_shapes_analyse_block(s, block);
  hd_shapes_assume_constraints(s, done);
  hd_shapes_find_wrapping(s);
  return s;
}

typedef struct print_state {
  hd_shapes *shapes;
  hd_strbuf *out;
} print_state;

static bool print_op(hd_op *op, void *user) {
  print_state *p = user;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    const hd_value_shape *shape = hd_shapes_get(p->shapes, hd_result(op, i));
    hd_strbuf_printf(p->out, "%s#%u: [", op->name->text, i);
    for (uint32_t d = 0; d < shape->rank; ++d) {
      if (d) hd_strbuf_puts(p->out, ", ");
      hd_dim_print(p->out, hd_shapes_dim(p->shapes, hd_result(op, i), d));
    }
    hd_strbuf_putc(p->out, ']');
    if (shape->element_count) {
      hd_strbuf_puts(p->out, " = (");
      for (uint32_t e = 0; e < shape->element_count; ++e) {
        if (e) hd_strbuf_puts(p->out, ", ");
        hd_dim_print(p->out, hd_shapes_element(p->shapes, hd_result(op, i), e));
      }
      hd_strbuf_putc(p->out, ')');
    }
    hd_strbuf_putc(p->out, '\n');
  }
  return true;
}

void hd_shapes_print(hd_shapes *s, hd_strbuf *out) {
  static const char *const relations[] = {" == ", " <= ", " spreads to "};
  hd_walk_pre(s->func, print_op, &(print_state){s, out});
  for (size_t i = 0; i < s->guards.len; ++i) {
    hd_strbuf_puts(out, "guard: ");
    hd_dim_print(out, s->guards.data[i].lhs);
    hd_strbuf_puts(out, relations[s->guards.data[i].relation]);
    hd_dim_print(out, s->guards.data[i].rhs);
    hd_strbuf_putc(out, '\n');
  }
}
