/* SPDX-License-Identifier: Apache-2.0 */
/* Prints ops, regions and blocks; custom forms by print_format.c. */
#include <stdlib.h>

#include "text/defaults.h"
#include "text/printer.h"
#include "text/scopes.h"

void hd_printer_init(hd_printer *out, hd_context *context, const hd_text_print_options *options, hd_strbuf *text) {
  *out = (hd_printer){.context = context, .out = text};
  if (options) out->options = *options;
  hd_scratch_init(&out->scratch, context ? &context->budget : NULL);
}
void hd_printer_free(hd_printer *out) { hd_arena_free(&out->scratch); }

void hd_print_newline(hd_printer *out) {
  hd_putc(out, '\n');
  for (int i = 0; i < out->indent; ++i) hd_putc(out, ' ');
}

void hd_print_block_name(hd_printer *out, hd_block *block) { hd_printf(out, "^bb%u", block->id); }

void hd_print_block_arg(hd_printer *out, hd_value *arg) {
  hd_print_value(out, arg);
  hd_puts(out, ": ");
  hd_print_type(out, arg->type);
  hd_print_arg_loc(out, arg);
}

typedef hd_vec(hd_block *) block_vec;

/* Predecessors of all blocks of a region with several of them. */
static void find_predecessors(hd_printer *out, hd_region *region) {
  hd_for_each_block(block, region) {
    if (!block->last) continue;
    for (uint32_t i = 0; i < block->last->successor_count; ++i) {
      bool is_new;
      hd_map_entry *entry = hd_map_insert(&out->scratch, &out->predecessors, block->last->successors[i], &is_new);
      if (is_new) entry->value.ptr = hd_new(&out->scratch, block_vec);
      block_vec *list = entry->value.ptr;
      hd_vec_push(&out->scratch, list, block);
    }
  }
}

static void print_block_header(hd_printer *out, hd_block *block) {
  hd_print_newline(out);
  hd_print_block_name(out, block);
  if (block->arg_count) {
    hd_putc(out, '(');
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      if (i) hd_puts(out, ", ");
      hd_print_block_arg(out, block->args[i]);
    }
    hd_putc(out, ')');
  }
  hd_putc(out, ':');
  const block_vec *list = hd_map_get(&out->predecessors, block);
  if (!list) {
    if (block->prev) hd_puts(out, "  // no predecessors");
    return;
  }
  if (list->len == 1)
    hd_puts(out, "  // pred: ");
  else
    hd_printf(out, "  // %zu preds: ", list->len);
  for (size_t i = 0; i < list->len; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_block_name(out, list->data[i]);
  }
}

static void print_block_ops(hd_printer *out, hd_block *block, bool terminator) {
  out->indent += 2;
  hd_for_each_op(op, block) {
    if (!terminator && op == block->last && hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) break;
    hd_print_newline(out);
    hd_print_op(out, op);
  }
  out->indent -= 2;
}

void hd_print_region(hd_printer *out, hd_region *region, bool entry_args, bool terminators, bool empty_block) {
  if (out->one_line) {
    hd_puts(out, "{...}");
    return;
  }
  hd_str outer = out->default_dialect;
  out->default_dialect = region->op ? hd_default_dialect(region->op->info->opcode) : HD_STR("");
  hd_putc(out, '{');
  hd_block *entry = region->first;
  if (entry) {
    if (entry->next && !hd_is_visiting(out)) find_predecessors(out, region);
    bool header =
        (entry_args && entry->arg_count) || (empty_block && !entry->first) || hd_map_get(&out->predecessors, entry);
    if (header) print_block_header(out, entry);
    print_block_ops(out, entry, terminators);
    for (hd_block *block = entry->next; block; block = block->next) {
      print_block_header(out, block);
      print_block_ops(out, block, true);
    }
  }
  hd_print_newline(out);
  hd_putc(out, '}');
  out->default_dialect = outer;
}

void hd_print_format_region(hd_printer *out, hd_op *op, hd_region *region) {
  bool terminators = true;
  if (op->info->traits & HD_TRAIT(IMPLICIT_TERMINATOR) && region->first && region->first->last) {
    hd_op *last = region->first->last;
    const char *implicit = hd_implicit_terminator(op->info);
    terminators = !implicit || strcmp(last->name->text, implicit) != 0 || hd_op_has_attrs(last) ||
                  last->operand_count || last->result_count;
  }
  hd_print_region(out, region, true, terminators, true);
}

/* Attributes. */

static bool is_hidden(const char *const *hidden, const char *name) {
  for (; hidden && *hidden; ++hidden)
    if (strcmp(*hidden, name) == 0) return true;
  return false;
}

static void print_named(hd_printer *out, const hd_op_attr *attr) {
  hd_print_word_or_string(out->out, hd_ident_str(attr->name));
  if (attr->value->kind == HD_ATTR_UNIT) return;
  hd_puts(out, " = ");
  hd_print_attr(out, attr->value, HD_TYPE_NEVER);
}

static bool print_dict(hd_printer *out, hd_op *op, const char *const *hidden, const char *open) {
  bool any = false;
  hd_op_attr_list attrs = hd_op_all_attrs(op, &out->scratch);
  for (size_t i = 0; i < attrs.len; ++i) {
    if (is_hidden(hidden, attrs.data[i].name->text)) continue;
    hd_puts(out, any ? ", " : open);
    print_named(out, &attrs.data[i]);
    any = true;
  }
  if (any) hd_putc(out, '}');
  return any;
}

void hd_print_attr_dict(hd_printer *out, hd_op *op, const char *const *hidden) { print_dict(out, op, hidden, " {"); }
void hd_print_attr_dict_keyword(hd_printer *out, hd_op *op, const char *const *hidden) {
  print_dict(out, op, hidden, " attributes {");
}

/* Types and operands. */

void hd_print_operands(hd_printer *out, hd_op *op, uint32_t start, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_value(out, hd_operand(op, start + i));
  }
}

void hd_print_operand_types(hd_printer *out, hd_op *op, uint32_t start, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_value *value = hd_operand(op, start + i);
    hd_print_type(out, value ? value->type : NULL);
  }
}

void hd_print_result_types(hd_printer *out, hd_op *op, uint32_t start, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_type(out, hd_result_type(op, start + i));
  }
}

void hd_print_arrow_results(hd_printer *out, hd_op *op, uint32_t start, uint32_t count) {
  bool bare = count == 1 && hd_result_type(op, start)->kind != HD_TYPE_FUNCTION;
  if (!bare) hd_putc(out, '(');
  hd_print_result_types(out, op, start, count);
  if (!bare) hd_putc(out, ')');
}

void hd_print_region_results(hd_printer *out, hd_op *op) {
  if (!op->result_count) return;
  hd_puts(out, " -> (");
  hd_print_result_types(out, op, 0, op->result_count);
  hd_putc(out, ')');
}

void hd_print_region_op_end(hd_printer *out, hd_op *op) {
  hd_print_region_results(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, op->result_count != 0, false);
  hd_print_attr_dict(out, op, NULL);
}

void hd_print_functional_type(hd_printer *out, hd_op *op) {
  hd_putc(out, '(');
  hd_print_operand_types(out, op, 0, op->operand_count);
  hd_puts(out, ") -> ");
  hd_print_arrow_results(out, op, 0, op->result_count);
}

void hd_print_block_args(hd_printer *out, hd_block *block, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count && block && first + i < block->arg_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_value(out, block->args[first + i]);
  }
}

void hd_print_assignments(hd_printer *out, const char *prefix, hd_block *block, uint32_t arg, hd_op *op, uint32_t start,
                          uint32_t count) {
  if (!count) return;
  hd_printf(out, "%s(", prefix);
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_value(out, block && arg + i < block->arg_count ? block->args[arg + i] : NULL);
    hd_puts(out, " = ");
    hd_print_value(out, hd_operand(op, start + i));
  }
  hd_putc(out, ')');
}

void hd_print_arrow_types(hd_printer *out, hd_op *op) {
  if (!op->result_count) return;
  hd_puts(out, " -> ");
  hd_print_arrow_results(out, op, 0, op->result_count);
}

void hd_print_successor(hd_printer *out, hd_op *op, uint32_t successor, uint32_t start, uint32_t count) {
  hd_print_block_name(out, op->successors[successor]);
  if (!count) return;
  hd_putc(out, '(');
  hd_print_operands(out, op, start, count);
  hd_puts(out, " : ");
  hd_print_operand_types(out, op, start, count);
  hd_putc(out, ')');
}

/* Ops. */

/* MLIR's own dialects write properties that are absent but have a default; the graph dialects do not. */
static bool writes_defaults(const hd_op *op) {
  static const char *const graph[] = {"stablehlo.", "mhlo.", "lmhlo.", "chlo.", "vhlo.", "check.", "hd."};
  for (size_t i = 0; i < sizeof graph / sizeof *graph; ++i)
    if (strncmp(op->name->text, graph[i], strlen(graph[i])) == 0) return false;
  return true;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const hd_op_attr *)a)->name->text, ((const hd_op_attr *)b)->name->text);
}

static void print_properties(hd_printer *out, hd_op *op) {
  const hd_signature_list *list = &hd_signature_of(out->context, op->info->opcode)->attrs;
  hd_vec(hd_op_attr) items = {0};
  hd_for_each_attr(attr, op)
    if (attr.inherent) hd_vec_push(&out->scratch, &items, ((hd_op_attr){attr.name, attr.value, true}));
  size_t given = items.len;
  for (size_t i = 0; i < list->count && writes_defaults(op); ++i) {
    if (strcmp(list->items[i].name->text, "nontemporal") == 0) continue;
    if (!list->items[i].default_text.len || hd_op_attr_get_ident(op, list->items[i].name)) continue;
    hd_attr value = hd_default_of(out->context, &list->items[i]);
    if (value) hd_vec_push(&out->scratch, &items, (hd_op_attr){list->items[i].name, value, true});
  }
  if (items.len > given) qsort(items.data, items.len, sizeof *items.data, by_name);
  for (size_t i = 0; i < items.len; ++i) {
    hd_puts(out, i ? ", " : " <{");
    print_named(out, &items.data[i]);
  }
  if (items.len) hd_puts(out, "}>");
}

/* MLIR counts the aliases of the generic form by regions, types and attributes. */
static void visit_generic(hd_printer *out, hd_op *op) {
  for (uint32_t i = 0; i < op->region_count; ++i) hd_print_region(out, &op->regions[i], true, true, true);
  hd_print_operand_types(out, op, 0, op->operand_count);
  hd_print_result_types(out, op, 0, op->result_count);
  hd_op_attr_list attrs = hd_op_all_attrs(op, &out->scratch);
  for (size_t i = 0; i < attrs.len; ++i) hd_print_attr(out, attrs.data[i].value, HD_TYPE_NEVER);
}

static void print_generic(hd_printer *out, hd_op *op) {
  if (hd_is_visiting(out)) {
    visit_generic(out, op);
    return;
  }
  hd_print_escaped(out->out, hd_ident_str(op->name));
  hd_putc(out, '(');
  hd_print_operands(out, op, 0, op->operand_count);
  hd_putc(out, ')');
  if (op->successor_count) {
    hd_putc(out, '[');
    for (uint32_t i = 0; i < op->successor_count; ++i) {
      if (i) hd_puts(out, ", ");
      hd_print_block_name(out, op->successors[i]);
    }
    hd_putc(out, ']');
  }
  print_properties(out, op);
  if (op->region_count) hd_puts(out, " (");
  for (uint32_t i = 0; i < op->region_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_region(out, &op->regions[i], true, true, true);
  }
  if (op->region_count) hd_putc(out, ')');
  bool any = false;
  for (uint32_t i = 0; i < op->attr_count; ++i) {
    if (op->attrs[i].inherent) continue;
    hd_puts(out, any ? ", " : " {");
    print_named(out, &op->attrs[i]);
    any = true;
  }
  if (any) hd_putc(out, '}');
  hd_puts(out, " : ");
  hd_print_functional_type(out, op);
}

void hd_print_op_unnamed(hd_printer *out, hd_op *op) {
  if (hd_visit_loc(out, op->loc, true)) out->out->len = 0;
  const hd_format_list *format = out->options.generic ? NULL : hd_op_format(out->context, op->info->opcode);
  if (!format || format->problem || !hd_op_fits_format(op)) {
    print_generic(out, op);
    return;
  }
  hd_str name = hd_ident_str(op->name), dialect = out->default_dialect;
  bool stripped = dialect.len && name.len > dialect.len && name.data[dialect.len] == '.' &&
                  memcmp(name.data, dialect.data, dialect.len) == 0 &&
                  !memchr(name.data + dialect.len + 1, '.', name.len - dialect.len - 1);
  hd_puts(out, name.data + (stripped ? dialect.len + 1 : 0));
  hd_print_by_format(out, op, format);
}

void hd_print_op(hd_printer *out, hd_op *op) {
  if (op->result_count) {
    hd_print_results(out, op);
    hd_puts(out, " = ");
  }
  hd_print_op_unnamed(out, op);
  hd_print_trailing_loc(out, op->loc);
}
