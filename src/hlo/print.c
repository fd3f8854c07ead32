/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, computations and the parts of an instruction. */
#include "hlo/print.h"

#include "hlo/syntax.h"

enum { CALL_NESTING = 400 };

bool hd_hlo_cannot(hd_hlo_printer *p, hd_op *op, const char *what) {
  if (!p->w->failed) hd_op_error(op, "expected what HLO text can say, got %s", what);
  p->w->failed = true;
  return false;
}

static bool is_name(hd_str text) {
  for (size_t i = 0; i < text.len; ++i)
    if (!hd_hlo_in_word(text.data[i])) return false;
  return text.len && hd_hlo_begins_name(text.data[0]);
}

void hd_hlo_put_name(hd_strbuf *out, hd_str text) {
  if (!text.len || !hd_hlo_begins_name(text.data[0])) hd_strbuf_putc(out, '_');
  for (size_t i = 0; i < text.len; ++i) hd_strbuf_putc(out, hd_hlo_in_word(text.data[i]) ? text.data[i] : '_');
}

/* The name that an instruction had, "" when the location tells none. */
static hd_str instruction_name(hd_loc loc) {
  while (loc && loc->kind == HD_ATTR_LOC_FUSED && loc->loc.count) loc = loc->loc.children[0];
  hd_str name = loc && loc->kind == HD_ATTR_LOC_NAME ? hd_ident_str(loc->loc.name) : HD_STR("");
  return is_name(name) ? name : HD_STR("");
}

/* |base|, or |base|.N where it is taken. */
static const char *unique(hd_arena *arena, hd_map *taken, hd_str base) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_hlo_put_name(&text, base);
  size_t len = text.len;
  for (;;) {
    bool is_new;
    hd_map_insert_bytes(arena, taken, text.data, text.len, &is_new);
    if (is_new) return text.data;
    hd_map_entry *count = hd_map_find_bytes(taken, text.data, len);
    text.len = len;
    hd_strbuf_printf(&text, ".%lld", (long long)++count->value.i64);
  }
}

const char *hd_hlo_new_name(hd_hlo_printer *p, hd_str base) { return unique(&p->w->scratch, &p->names, base); }

const char *hd_hlo_value_name(hd_hlo_printer *p, hd_value *value) {
  const char *name = hd_map_get(&p->values, value);
  return name ? name : "missing";
}

static void name_value(hd_hlo_printer *p, hd_value *value, const char *name) {
  hd_map_insert(&p->w->scratch, &p->values, value, NULL)->value.ptr = (void *)(uintptr_t)name;
}

void hd_hlo_put_line(hd_hlo_printer *p, const hd_value *value, const char *name) {
  hd_strbuf_printf(&p->text, "  %s%%%s = ", value && value == p->root ? "ROOT " : "", name);
}

bool hd_hlo_put_type(hd_hlo_printer *p, hd_type type) { return hd_hlo_put_array(type, &p->text); }

bool hd_hlo_put_types(hd_hlo_printer *p, const hd_value *values, uint32_t count) {
  if (count == 1) return hd_hlo_put_type(p, values->type);
  hd_strbuf_putc(&p->text, '(');
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_strbuf_puts(&p->text, ", ");
    if (!hd_hlo_put_type(p, values[i].type)) return false;
  }
  hd_strbuf_putc(&p->text, ')');
  return true;
}

bool hd_hlo_put_value_types(hd_hlo_printer *p, hd_value *const *values, uint32_t count) {
  if (count == 1) return hd_hlo_put_type(p, values[0]->type);
  hd_strbuf_putc(&p->text, '(');
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_strbuf_puts(&p->text, ", ");
    if (!hd_hlo_put_type(p, values[i]->type)) return false;
  }
  hd_strbuf_putc(&p->text, ')');
  return true;
}

const char *hd_hlo_name_op(hd_hlo_printer *p, hd_op *op, const char *opcode) {
  hd_str known = instruction_name(op->loc);
  p->op_name = hd_hlo_new_name(p, known.len ? known : hd_str_of(opcode));
  if (op->result_count == 1) name_value(p, hd_result(op, 0), p->op_name);
  return p->op_name;
}

bool hd_hlo_begin(hd_hlo_printer *p, hd_op *op, const char *opcode) {
  hd_hlo_name_op(p, op, opcode);
  hd_hlo_put_line(p, op->result_count == 1 ? hd_result(op, 0) : NULL, p->op_name);
  if (!hd_hlo_put_types(p, op->results, op->result_count)) return hd_hlo_cannot(p, op, "a type of its results");
  hd_strbuf_printf(&p->text, " %s(", opcode);
  return true;
}

bool hd_hlo_put_operands(hd_hlo_printer *p, hd_op *op, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i < last; ++i)
    hd_strbuf_printf(&p->text, "%s%%%s", i > first ? ", " : "", hd_hlo_value_name(p, hd_operand(op, i)));
  hd_strbuf_putc(&p->text, ')');
  return true;
}

void hd_hlo_put_elements(hd_hlo_printer *p, hd_op *op) { hd_hlo_put_results(p, op, op->result_count); }

void hd_hlo_put_results(hd_hlo_printer *p, hd_op *op, uint32_t count) {
  for (uint32_t i = 0; i < op->result_count && count != 1; ++i) {
    hd_value *value = hd_result(op, i);
    if (!hd_value_has_uses(value)) continue;
    const char *name = hd_hlo_new_name(p, HD_STR("get-tuple-element"));
    name_value(p, value, name);
    hd_hlo_put_line(p, value, name);
    hd_hlo_put_type(p, value->type);
    hd_strbuf_printf(&p->text, " get-tuple-element(%%%s), index=%u\n", p->op_name, i);
  }
}

const char *hd_hlo_pack(hd_hlo_printer *p, hd_value *const *values, uint32_t count) {
  if (count == 1) return hd_hlo_value_name(p, values[0]);
  const char *name = hd_hlo_new_name(p, HD_STR("tuple"));
  hd_hlo_put_line(p, NULL, name);
  hd_hlo_put_value_types(p, values, count);
  hd_strbuf_puts(&p->text, " tuple(");
  for (uint32_t i = 0; i < count; ++i)
    hd_strbuf_printf(&p->text, "%s%%%s", i ? ", " : "", hd_hlo_value_name(p, values[i]));
  hd_strbuf_puts(&p->text, ")\n");
  return name;
}

/* Sharding and aliases of the entry's arguments are in dictionaries. */
static hd_attr argument_attr(hd_op *func, uint32_t i, hd_name name) {
  hd_attr list = func ? hd_op_attr_get(func, HD_NAME_arg_attrs) : NULL;
  return hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count ? hd_dict_get(list->array.items[i], name) : NULL;
}

static const char *parameter_name(hd_hlo_printer *p, const hd_value *value, uint32_t i) {
  hd_str known = value->loc ? instruction_name(value->loc) : HD_STR("");
  if (known.len) return hd_hlo_new_name(p, known);
  hd_strbuf made = {.arena = &p->w->scratch};
  hd_strbuf_printf(&made, "param_%u", i);
  return hd_hlo_new_name(p, (hd_str){made.data, made.len});
}

static bool put_parameters(hd_hlo_printer *p, hd_value *const *params, uint32_t count, bool packed, hd_op *func) {
  if (packed && count != 1) {
    const char *tuple = hd_hlo_new_name(p, HD_STR("arg_tuple"));
    hd_hlo_put_line(p, NULL, tuple);
    if (!hd_hlo_put_value_types(p, params, count)) return false;
    hd_strbuf_puts(&p->text, " parameter(0)\n");
    for (uint32_t i = 0; i < count; ++i) {
      const char *name = hd_hlo_new_name(p, HD_STR("get-tuple-element"));
      name_value(p, params[i], name);
      hd_hlo_put_line(p, params[i], name);
      hd_hlo_put_type(p, params[i]->type);
      hd_strbuf_printf(&p->text, " get-tuple-element(%%%s), index=%u\n", tuple, i);
    }
    return true;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const char *name = parameter_name(p, params[i], i);
    name_value(p, params[i], name);
    hd_hlo_put_line(p, params[i], name);
    if (!hd_hlo_put_type(p, params[i]->type)) return false;
    hd_strbuf_printf(&p->text, " parameter(%u)", i);
    hd_attr divided = argument_attr(func, i, HD_NAME_hd_spmd_sharding);
    hd_str sharding = hd_attr_text(divided ? divided : argument_attr(func, i, HD_NAME_mhlo_sharding));
    if (sharding.len) hd_strbuf_puts(&p->text, ", sharding=");
    hd_strbuf_put_str(&p->text, sharding);
    hd_hlo_put_metadata(p, params[i]->loc);
    hd_strbuf_putc(&p->text, '\n');
  }
  return true;
}

static bool put_op(hd_hlo_printer *p, hd_op *op) {
  if (hd_hlo_is_part_of_shape(p, op)) return true;
  const hd_hlo_row *row = hd_hlo_row_of_op(hd_opcode_get(op));
  return row ? row->print(p, op) : hd_hlo_cannot(p, op, "an op without an opcode");
}

/* The terminator's operands, and |extra| values after them. */
static void put_root(hd_hlo_printer *p, hd_op *last, hd_value *const *extra, uint32_t extra_count) {
  uint32_t own = last->operand_count, count = own + extra_count;
  if (p->root) return;
  hd_value **values = hd_new_array(&p->w->scratch, hd_value *, count + 1);
  for (uint32_t i = 0; i < own; ++i) values[i] = hd_operand(last, i);
  for (uint32_t i = own; i < count; ++i) values[i] = extra[i - own];
  const char *name = hd_hlo_new_name(p, HD_STR("tuple"));
  hd_strbuf_printf(&p->text, "  ROOT %%%s = ", name);
  hd_hlo_put_value_types(p, values, count);
  hd_strbuf_puts(&p->text, " tuple(");
  for (uint32_t i = 0; i < count; ++i)
    hd_strbuf_printf(&p->text, "%s%%%s", i ? ", " : "", hd_hlo_value_name(p, values[i]));
  hd_strbuf_puts(&p->text, ")\n");
}

void hd_hlo_reserve_names(hd_hlo_writer *w) {
  hd_for_each_op(op, hd_module_body(w->module)) {
    if (!hd_op_is(op, HD_OP_func_func)) continue;
    const char *name = unique(&w->scratch, &w->computations, hd_symbol_name(op));
    hd_map_insert(&w->scratch, &w->reserved, op, NULL)->value.ptr = (void *)(uintptr_t)name;
  }
}

const char *hd_hlo_print_computation(hd_hlo_writer *w, const hd_hlo_body *body) {
  hd_block *block = body->block;
  hd_hlo_printer p = {.w = w};
  hd_strbuf_init(&p.text, &w->scratch);
  const char *name =
      body->func ? hd_map_get(&w->reserved, body->func) : unique(&w->scratch, &w->computations, body->base);
  uint32_t count = block->arg_count + body->capture_count;
  hd_value **params = hd_new_array(&w->scratch, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i)
    params[i] = i < block->arg_count ? block->args[i] : body->captured[i - block->arg_count];
  uint32_t extra = body->returns_captured ? body->capture_count : 0;
  if (block->last->operand_count + extra == 1) p.root = extra ? body->captured[0] : hd_operand(block->last, 0);
  hd_op *owner = hd_block_parent_op(block);
  if (!put_parameters(&p, params, count, body->packed, body->entry ? owner : NULL)) {
    hd_hlo_cannot(&p, owner, "a type of its arguments");
    return NULL;
  }
  hd_for_each_op(op, block)
    if (op != block->last && !put_op(&p, op)) return NULL;
  put_root(&p, block->last, body->captured, extra);
  hd_strbuf_printf(w->out, "%s%%%s {\n", body->entry ? "ENTRY " : "", name);
  hd_strbuf_put(w->out, p.text.data, p.text.len);
  hd_strbuf_puts(w->out, "}\n\n");
  return name;
}

const char *hd_hlo_print_region(hd_hlo_printer *p, hd_op *op, uint32_t i, const char *base) {
  hd_block *block = hd_op_region(op, i)->first;
  hd_value **captured;
  if (hd_hlo_captures(p->w, hd_op_region(op, i), &captured)) {
    hd_hlo_cannot(p, op, "a region that uses values from outside");
    return NULL;
  }
  return hd_hlo_print_computation(p->w, &(hd_hlo_body){.block = block, .base = hd_str_of(base)});
}

const char *hd_hlo_print_function(hd_hlo_printer *p, hd_op *op, hd_op *func) {
  hd_hlo_writer *w = p->w;
  const char *known = hd_map_get(&w->functions, func);
  if (known) return known;
  hd_block *block = hd_op_is(func, HD_OP_func_func) ? hd_op_region(func, 0)->first : NULL;
  if (!block || block->next || w->depth >= CALL_NESTING) {
    hd_hlo_cannot(p, op, block ? "calls that nest too deep, or blocks that jump" : "a call of what has no body");
    return NULL;
  }
  ++w->depth;
  const char *name = hd_hlo_print_computation(w, &(hd_hlo_body){.block = block, .func = func});
  --w->depth;
  if (name) hd_map_insert(&w->scratch, &w->functions, func, NULL)->value.ptr = (void *)(uintptr_t)name;
  return name;
}
