/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers values and blocks as MLIR does: a region's own values first, the regions inside its ops go on from there,
 * each from the same point; entry arguments are %argN; constants and some other ops name their results. */
#include <inttypes.h>

#include "ir/wide.h"
#include "text/printer.h"

typedef struct value_name {
  const char *text; /* null: |number| */
  uint32_t number;
  uint32_t group; /* results from this one on that share the name */
} value_name;

/* Names taken in a region and those around it. */
typedef struct hd_name_scope {
  struct hd_name_scope *outer;
  hd_map taken;
} name_scope;

typedef struct naming {
  hd_printer *out;
  name_scope *scope;
  uint32_t next_value, next_arg, next_conflict;
} naming;

static bool is_taken(const name_scope *scope, const char *name, size_t length) {
  for (; scope; scope = scope->outer)
    if (hd_map_find_bytes(&scope->taken, name, length)) return true;
  return false;
}

static const char *unique_name(naming *n, const char *wanted) {
  hd_arena *arena = &n->out->scratch;
  const char *name = wanted;
  while (is_taken(n->scope, name, strlen(name))) name = hd_arena_printf(arena, "%s_%u", wanted, n->next_conflict++);
  hd_map_insert_bytes(arena, &n->scope->taken, name, strlen(name), NULL);
  return name;
}

static void set_name(naming *n, hd_value *value, const char *name, uint32_t group) {
  value_name *made = hd_new(&n->out->scratch, value_name);
  made->group = group;
  if (name)
    made->text = unique_name(n, name);
  else
    made->number = n->next_value++;
  hd_map_set(&n->out->scratch, &n->out->names, value, made);
}

static const struct {
  const char *op, *name;
} result_names[] = {
#define RESULT_NAME(op, name) {op, name},
#include "text/names.def"
};

static const char *constant_name(hd_printer *out, hd_op *op) {
  hd_attr value = hd_op_attr_get(op, HD_NAME_value);
  if (!hd_attr_is(value, HD_ATTR_INTEGER)) return hd_attr_is(value, HD_ATTR_SYMBOL) ? "f" : "cst";
  if (hd_type_is_integer(value->type, 1)) return value->integer ? "true" : "false";
  if (value->type->kind == HD_TYPE_INDEX) return hd_arena_printf(&out->scratch, "c%" PRId64, value->integer);
  const char *sign = value->type->integer.signedness == HD_SIGNLESS ? ""
                     : value->type->integer.signedness == HD_SIGNED ? "s"
                                                                    : "u";
  if (value->wide) {
    hd_strbuf digits;
    hd_strbuf_init(&digits, &out->scratch);
    hd_wide_integer_print(value->type, value->wide, &digits);
    return hd_arena_printf(&out->scratch, "c%s_%si%u", hd_strbuf_text(&digits), sign, value->type->integer.width);
  }
  return hd_arena_printf(&out->scratch, "c%" PRId64 "_%si%u", value->integer, sign, value->type->integer.width);
}

/* The name that an op wants for its (first) result; null: a number. */
static const char *wanted_name(hd_printer *out, hd_op *op) {
  if (hd_op_is(op, HD_OP_arith_constant)) return constant_name(out, op);
  if (hd_op_is(op, HD_OP_func_constant)) return "f";
  if (hd_op_is(op, HD_OP_stablehlo_constant)) {
    hd_type element = hd_type_element(hd_result_type(op, 0));
    return element->kind == HD_TYPE_INTEGER ? "c" : "cst";
  }
  if (!out->result_names.live)
    for (size_t i = 0; i < sizeof result_names / sizeof *result_names; ++i)
      hd_map_insert_bytes(&out->scratch, &out->result_names, result_names[i].op, strlen(result_names[i].op), NULL)
          ->value.ptr = (void *)result_names[i].name;
  hd_map_entry *entry = hd_map_find_bytes(&out->result_names, op->name->text, op->name->len);
  if (!entry) return NULL;
  const char *name = entry->value.ptr;
  if (*name != '$') return name;
  if (strcmp(name, "$dimension") == 0) { /* gpu.thread_id x: thread_id_x */
    int64_t dimension = hd_op_int_attr(op, HD_NAME_dimension, 0);
    return hd_arena_printf(&out->scratch, "%s_%c", op->name->text + 4, "xyz"[dimension < 3 ? dimension : 0]);
  }
  hd_attr value = hd_op_attr_get(op, HD_NAME_value); /* $value: shape.const_size */
  return hd_attr_is(value, HD_ATTR_INTEGER) ? hd_arena_printf(&out->scratch, "c%" PRId64, value->integer) : NULL;
}

static void name_results(naming *n, hd_op *op) {
  if (!op->result_count) return;
  if (n->out->options.generic) {
    set_name(n, hd_result(op, 0), NULL, op->result_count);
    return;
  }
  const char *name = wanted_name(n->out, op);
  /* Rows with several results name each of them; a list is one group. */
  const hd_signature_list *list = &hd_signature_of(n->out->context, op->info->opcode)->results;
  if (name || list->count < 2 || !op->info->opcode) {
    set_name(n, hd_result(op, 0), name, op->result_count);
    return;
  }
  uint32_t next = 0;
  for (size_t i = 0; i < list->count; ++i) {
    uint32_t start, count;
    hd_op_result_range(op, i, &start, &count);
    if (start != next || count > op->result_count - next) break;
    if (count) set_name(n, hd_result(op, start), list->items[i].name->text, count);
    next += count;
  }
  if (next < op->result_count) set_name(n, hd_result(op, next), NULL, op->result_count - next);
}

static void name_region(naming *n, hd_region *region) {
  uint32_t blocks = 0;
  bool iterates = !n->out->options.generic && region->op && hd_op_is(region->op, HD_OP_stablehlo_while);
  hd_for_each_block(block, region) {
    block->id = blocks++;
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      if (block != region->first)
        set_name(n, block->args[i], NULL, 1);
      else if (iterates)
        set_name(n, block->args[i], "iterArg", 1);
      else
        set_name(n, block->args[i], hd_arena_printf(&n->out->scratch, "arg%u", n->next_arg++), 1);
    }
    hd_for_each_op(op, block) name_results(n, op);
  }
}

typedef struct pending {
  hd_region *region;
  naming state;
} pending;
typedef hd_vec(pending) pending_vec;

static void push_regions(pending_vec *stack, const naming *n, hd_op *op) {
  for (uint32_t i = 0; i < op->region_count; ++i) hd_vec_push(&n->out->scratch, stack, (pending){&op->regions[i], *n});
}

void hd_number_values(hd_printer *out, hd_op *top) {
  pending_vec stack = {0};
  naming n = {.out = out, .scope = hd_new(&out->scratch, name_scope)};
  push_regions(&stack, &n, top);
  name_results(&n, top);
  while (stack.len) {
    pending next = hd_vec_pop(&stack);
    name_scope *outer = next.state.scope;
    /* The generic form has one count for all regions. */
    if (!out->options.generic) n = next.state;
    n.scope = hd_new(&out->scratch, name_scope);
    n.scope->outer = outer;
    name_region(&n, next.region);
    hd_for_each_block(block, next.region)
      hd_for_each_op(op, block) push_regions(&stack, &n, op);
  }
}

/* The name of a value, and how many values share it; |*out_offset| is the value's place among them. */
static const value_name *find_name(hd_printer *out, const hd_value *value, uint32_t *out_offset) {
  *out_offset = 0;
  if (value->is_block_arg || !value->owner.op) return hd_map_get(&out->names, value);
  const hd_op *op = value->owner.op;
  for (uint32_t i = value->index + 1; i-- > 0;) {
    const value_name *name = hd_map_get(&out->names, &op->results[i]);
    if (!name) continue;
    *out_offset = value->index - i;
    return name;
  }
  return NULL;
}

static void print_name(hd_printer *out, const value_name *name) {
  if (name->text)
    hd_printf(out, "%%%s", name->text);
  else
    hd_printf(out, "%%%u", name->number);
}

void hd_print_value(hd_printer *out, const hd_value *value) {
  uint32_t offset;
  const value_name *name = value ? find_name(out, value, &offset) : NULL;
  if (!name) {
    hd_puts(out, value ? "<<UNKNOWN SSA VALUE>>" : "<<NULL VALUE>>");
    return;
  }
  print_name(out, name);
  if (name->group > 1) hd_printf(out, "#%u", offset);
}

void hd_print_results(hd_printer *out, hd_op *op) {
  for (uint32_t i = 0; i < op->result_count;) {
    const value_name *name = hd_map_get(&out->names, &op->results[i]);
    if (!name) return;
    if (i) hd_puts(out, ", ");
    print_name(out, name);
    if (name->group > 1) hd_printf(out, ":%u", name->group);
    i += name->group;
  }
}
