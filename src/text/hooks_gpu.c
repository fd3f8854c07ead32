/* SPDX-License-Identifier: Apache-2.0 */
/* The gpu dialect's own syntax. */
#include <inttypes.h>

#include "ir/ops/discardable.h"
#include "text/hooks_func.h"

#define UNUSED_ARGS (void)args, (void)count

/* add, or nothing when a region gives the operation */
bool hd_parse_hook_AllReduceOperation(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  if (!hd_at(op->p, TOK_WORD)) return true;
  const hd_signature_item *item = &op->signature->attrs.items[args[0].index];
  hd_attr attr = hd_parse_by_constraint(op->p, item->constraint, hd_ident_str(item->name));
  if (attr) hd_op_parser_attr(op, item->name->text, attr);
  return attr != NULL;
}
void hd_print_hook_AllReduceOperation(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr attr = hd_op_attr_get(op, HD_NAME_op);
  if (!hd_attr_is(attr, HD_ATTR_ENUM)) return;
  hd_putc(out, ' ');
  hd_print_enum_case(out, attr->enumerant.row, attr->enumerant.value);
}

/* async [%t0, %t1] */
bool hd_parse_hook_AsyncDependencies(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_op_item *token = hd_arg_item(op, &args[0]), *dependencies = hd_arg_item(op, &args[1]);
  token->typed = true;
  if (hd_accept_word(p, "async"))
    hd_vec_push(&p->scratch, &token->types, hd_type_dialect(p->context, HD_TYPE_ROW_gpu_async_token, NULL, 0));
  return !hd_at(p, TOK_LSQUARE) || hd_parse_operands_until(p, TOK_LSQUARE, TOK_RSQUARE, &dependencies->refs);
}
void hd_print_hook_AsyncDependencies(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t results, operands, start, token;
  hd_arg_range(op, &args[0], &token, &results);
  hd_arg_range(op, &args[1], &start, &operands);
  if (results) hd_puts(out, "async");
  if (!operands) return;
  hd_puts(out, results ? " [" : "[");
  hd_print_operands(out, op, start, operands);
  hd_putc(out, ']');
}

/* : i64 after the sizes of a launch, when they are no index */
bool hd_parse_hook_LaunchDimType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  hd_parser *p = op->p;
  hd_type type = hd_type_index(p->context);
  if (hd_accept(p, TOK_COLON) && !(type = hd_parse_type(p))) return false;
  for (size_t i = 0; i < count; ++i) {
    if (args[i].ref) continue;
    hd_op_item *item = hd_arg_item(op, &args[i]);
    item->typed = true;
    for (size_t k = 0; k < item->refs.len; ++k) hd_vec_push(&p->scratch, &item->types, type);
  }
  return true;
}
void hd_print_hook_LaunchDimType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, total;
  hd_arg_range(op, &args[0], &start, &total);
  if (!total || hd_operand_type(op, start)->kind == HD_TYPE_INDEX) return;
  hd_puts(out, ": ");
  hd_print_type(out, hd_operand_type(op, start));
}

/* args(%a : t, %b : t) */
bool hd_parse_hook_LaunchFuncOperands(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_op_item *item = hd_arg_item(op, &args[0]);
  item->typed = true;
  if (!hd_accept_word(p, "args")) return true;
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (bool first = true; !hd_at(p, TOK_RPAREN); first = false) {
    hd_type type;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (!hd_parse_one_operand(p, &item->refs) || !hd_expect(p, TOK_COLON, "':'") || !(type = hd_parse_type(p)))
      return false;
    hd_vec_push(&p->scratch, &item->types, type);
  }
  hd_advance(p);
  return true;
}
void hd_print_hook_LaunchFuncOperands(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, total;
  hd_arg_range(op, &args[0], &start, &total);
  if (!total) return;
  hd_puts(out, "args(");
  for (uint32_t i = 0; i < total; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_value(out, hd_operand(op, start + i));
    hd_puts(out, " : ");
    hd_print_type(out, hd_operand_type(op, start + i));
  }
  hd_putc(out, ')');
}

/* <#handler>; without one, the first object is taken. */
static hd_attr default_handler(hd_context *context) {
  return hd_attr_struct(context, HD_STRUCT_gpu_select_object, (hd_attr[]){NULL}, 1);
}
bool hd_parse_hook_OffloadingHandler(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr attr = default_handler(op->p->context);
  if (hd_accept(op->p, TOK_LESS)) {
    attr = hd_parse_attr(op->p, NULL);
    if (!attr || !hd_expect(op->p, TOK_GREATER, "'>'")) return false;
  }
  hd_op_parser_attr(op, "offloadingHandler", attr);
  return true;
}
void hd_print_hook_OffloadingHandler(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr attr = hd_op_attr_get(op, HD_NAME_offloadingHandler);
  if (!attr || attr == default_handler(out->context)) return;
  hd_putc(out, '<');
  hd_print_attr(out, attr, HD_TYPE_NEVER);
  hd_putc(out, '>');
}

/* func @k(%a: t) -> t workgroup(%w : memref) private(%p : memref) kernel attributes {...} { ... } */

static bool attributions(hd_op_parser *op, const char *word, hd_function *f, hd_attr_vec *attrs) {
  hd_parser *p = op->p;
  if (!hd_accept_word(p, word)) return true;
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (bool first = true; !hd_at(p, TOK_RPAREN); first = false) {
    hd_region_arg arg;
    hd_named_attr_vec items = {0};
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (!hd_parse_region_arg(p, true, &arg) || (hd_at(p, TOK_LBRACE) && !hd_parse_dict(p, &items))) return false;
    hd_vec_push(&p->scratch, &f->args, arg);
    hd_vec_push(&p->scratch, attrs, hd_attr_dict(p->context, items.data, items.len));
  }
  hd_advance(p);
  return true;
}

static void set_attribution_attrs(hd_op_parser *op, const char *name, const hd_attr_vec *attrs) {
  for (size_t i = 0; i < attrs->len; ++i)
    if (attrs->data[i]->dict.count) {
      hd_op_parser_attr(op, name, hd_attr_array(op->p->context, attrs->data, attrs->len));
      return;
    }
}

bool hd_parse_hook_GpuFunc(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_function f = {0};
  hd_attr_vec workgroup = {0}, private = {0};
  if (!hd_parse_sym_name(op) || !hd_parse_signature(p, &f)) return false;
  hd_op_parser_attr(op, "function_type", hd_attr_type(hd_signature_type(p, &f)));
  hd_set_signature_attrs(op, &f);
  if (!attributions(op, "workgroup", &f, &workgroup)) return false;
  hd_op_parser_attr(op, "workgroup_attributions", hd_attr_i64(p->context, (int64_t)workgroup.len));
  if (!attributions(op, "private", &f, &private)) return false;
  set_attribution_attrs(op, "workgroup_attrib_attrs", &workgroup);
  set_attribution_attrs(op, "private_attrib_attrs", &private);
  if (hd_accept_word(p, "kernel")) hd_op_parser_attr(op, "gpu.kernel", hd_attr_unit(p->context));
  return hd_parse_attr_dict_keyword(op) && hd_parse_function_body(op, &f);
}

static void print_attributions(hd_printer *out, hd_op *op, const char *word, uint32_t first, uint32_t count,
                               const char *attrs_name) {
  hd_block *entry = op->regions[0].first;
  hd_attr attrs = hd_op_attr_get_named(op, attrs_name);
  if (!count || !entry) return;
  hd_printf(out, " %s(", word);
  for (uint32_t i = 0; i < count && first + i < entry->arg_count; ++i) {
    hd_value *arg = entry->args[first + i];
    if (i) hd_puts(out, ", ");
    hd_print_value(out, arg);
    hd_puts(out, " : ");
    hd_print_type(out, arg->type);
    if (hd_attr_is(attrs, HD_ATTR_ARRAY) && i < attrs->array.count && hd_attr_is(attrs->array.items[i], HD_ATTR_DICT) &&
        attrs->array.items[i]->dict.count) {
      hd_putc(out, ' ');
      hd_print_dict_body(out, attrs->array.items[i]);
    }
  }
  hd_putc(out, ')');
}

void hd_print_hook_GpuFunc(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {"sym_name",
                                       "function_type",
                                       "arg_attrs",
                                       "res_attrs",
                                       "workgroup_attributions",
                                       "workgroup_attrib_attrs",
                                       "private_attrib_attrs",
                                       "gpu.kernel",
                                       NULL};
  hd_attr type = hd_op_attr_get(op, HD_NAME_function_type);
  hd_block *entry = op->regions[0].first;
  hd_putc(out, ' ');
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_sym_name));
  if (!hd_attr_is(type, HD_ATTR_TYPE) || type->type_value->kind != HD_TYPE_FUNCTION) return;
  hd_print_signature(out, op, type->type_value, false);
  uint32_t ins = type->type_value->function.in_count,
           shared = (uint32_t)hd_attr_int_or(hd_discardable_workgroup_attributions(op), 0);
  print_attributions(out, op, "workgroup", ins, shared, "workgroup_attrib_attrs");
  if (entry && entry->arg_count > ins + shared)
    print_attributions(out, op, "private", ins + shared, entry->arg_count - ins - shared, "private_attrib_attrs");
  if (hd_discardable_gpu_kernel(op)) hd_puts(out, " kernel");
  hd_print_attr_dict_keyword(out, op, hidden);
  hd_print_function_body(out, op);
}

/* launch async [%t] clusters(...) in (...) blocks(%x, %y, %z) in (%gx = %0, ...) threads(...) in (...) { ... } */

static bool ids_in_sizes(hd_op_parser *op, size_t item, hd_region_arg_vec *ids, hd_region_arg_vec *sizes) {
  hd_parser *p = op->p;
  hd_type index = hd_type_index(p->context);
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (int i = 0; i < 3; ++i) {
    hd_region_arg id;
    if ((i && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_region_arg(p, false, &id)) return false;
    id.type = index;
    hd_vec_push(&p->scratch, ids, id);
  }
  if (!hd_expect(p, TOK_RPAREN, "')'") || !hd_expect_word(p, "in") || !hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (int i = 0; i < 3; ++i) {
    hd_region_arg size;
    hd_operand_ref ref;
    if ((i && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_region_arg(p, false, &size) ||
        !hd_expect(p, TOK_EQUAL, "'='") || !hd_parse_operand(p, &ref))
      return false;
    size.type = index;
    hd_vec_push(&p->scratch, sizes, size);
    hd_vec_push(&p->scratch, &op->args[item + (size_t)i].refs, ref);
  }
  return hd_expect(p, TOK_RPAREN, "')'");
}

bool hd_parse_hook_GpuLaunch(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_op_item *dependencies = &op->args[0];
  hd_type token = hd_type_dialect(p->context, HD_TYPE_ROW_gpu_async_token, NULL, 0);
  hd_function f = {0};
  hd_region_arg_vec ids[3] = {{0}, {0}, {0}}, sizes[3] = {{0}, {0}, {0}}; /* clusters, blocks, threads */
  op->results[0].typed = true;
  if (hd_accept_word(p, "async")) hd_vec_push(&p->scratch, &op->results[0].types, token);
  if (hd_at(p, TOK_LSQUARE) && !hd_parse_operands_until(p, TOK_LSQUARE, TOK_RSQUARE, &dependencies->refs)) return false;
  bool clusters = hd_accept_word(p, "clusters");
  if (clusters && !ids_in_sizes(op, 7, &ids[0], &sizes[0])) return false;
  if (!hd_expect_word(p, "blocks") || !ids_in_sizes(op, 1, &ids[1], &sizes[1]) || !hd_expect_word(p, "threads") ||
      !ids_in_sizes(op, 4, &ids[2], &sizes[2]))
    return false;
  if (hd_accept_word(p, "dynamic_shared_memory_size")) {
    if (!hd_parse_one_operand(p, &op->args[10].refs)) return false;
  }
  static const char *const symbols[] = {"module", "function"};
  for (int i = 0; i < 2; ++i) {
    if (!hd_accept_word(p, symbols[i])) continue;
    hd_attr symbol = hd_expect(p, TOK_LPAREN, "'('") ? hd_parse_symbol(p) : NULL;
    if (!symbol || !hd_expect(p, TOK_RPAREN, "')'")) return false;
    hd_op_parser_attr(op, symbols[i], symbol);
  }
  /* Arguments of the body: ids of blocks and threads, their sizes, then those of clusters. */
  hd_region_arg_vec *order[] = {&ids[1], &ids[2], &sizes[1], &sizes[2], &ids[0], &sizes[0]};
  for (int i = 0; i < 6; ++i) hd_vec_append(&p->scratch, &f.args, order[i]->data, order[i]->len);
  hd_attr_vec none = {0};
  size_t before = f.args.len;
  if (!attributions(op, "workgroup", &f, &none)) return false;
  hd_op_parser_attr(op, "workgroup_attributions", hd_attr_i64(p->context, (int64_t)(f.args.len - before)));
  if (!attributions(op, "private", &f, &none)) return false;
  int32_t segments[11];
  for (int i = 0; i < 11; ++i) {
    segments[i] = (int32_t)op->args[i].refs.len;
    if (!hd_resolve_into(op, &op->args[i].refs,
                         i == 0    ? token
                         : i == 10 ? hd_i32(p->context)
                                   : hd_type_index(p->context)))
      return false;
  }
  hd_op_parser_segments(op, "operandSegmentSizes", segments, 11);
  op->result_types = op->results[0].types;
  op->resolved = true;
  return hd_op_parser_region(op, 0, f.args.data, f.args.len) && hd_parse_attr_dict(op);
}

static void print_ids(hd_printer *out, hd_op *op, const char *word, uint32_t ids, uint32_t sizes, size_t item) {
  hd_block *body = op->regions[0].first;
  hd_printf(out, " %s(", word);
  hd_print_block_args(out, body, ids, 3);
  hd_puts(out, ") in (");
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t start, total;
    hd_op_operand_range(op, item + i, &start, &total);
    if (i) hd_puts(out, ", ");
    hd_print_block_args(out, body, sizes + i, 1);
    hd_puts(out, " = ");
    hd_print_value(out, total ? hd_operand(op, start) : NULL);
  }
  hd_putc(out, ')');
}

void hd_print_hook_GpuLaunch(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  uint32_t start, total;
  hd_block *body = op->regions[0].first;
  if (op->result_count) hd_puts(out, " async");
  hd_op_operand_range(op, 0, &start, &total);
  if (total) {
    hd_puts(out, " [");
    hd_print_operands(out, op, start, total);
    hd_putc(out, ']');
  }
  hd_op_operand_range(op, 7, &start, &total);
  uint32_t first = total ? 18 : 12;
  if (total) print_ids(out, op, "clusters", 12, 15, 7);
  print_ids(out, op, "blocks", 0, 6, 1);
  print_ids(out, op, "threads", 3, 9, 4);
  hd_op_operand_range(op, 10, &start, &total);
  if (total) {
    hd_puts(out, " dynamic_shared_memory_size ");
    hd_print_value(out, hd_operand(op, start));
  }
  static const char *const symbols[] = {"module", "function"};
  for (int i = 0; i < 2; ++i) {
    hd_attr symbol = hd_op_attr_get_named(op, symbols[i]);
    if (!symbol) continue;
    hd_printf(out, " %s(", symbols[i]);
    hd_print_attr(out, symbol, HD_TYPE_NEVER);
    hd_putc(out, ')');
  }
  uint32_t shared = (uint32_t)hd_attr_int_or(hd_discardable_workgroup_attributions(op), 0);
  print_attributions(out, op, "workgroup", first, shared, "");
  if (body && body->arg_count > first + shared)
    print_attributions(out, op, "private", first + shared, body->arg_count - first - shared, "");
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_print_attr_dict(
      out, op, (const char *const[]){"operandSegmentSizes", "workgroup_attributions", "module", "function", NULL});
}

/* warp_execute_on_lane_0(%lane)[32] args(%v : t) -> (t) { ... } */
bool hd_parse_hook_GpuWarpExecuteOnLane0(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec lane = {0}, refs = {0};
  hd_type_vec types = {0};
  int64_t size;
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &lane) || !hd_expect(p, TOK_LSQUARE, "'['") ||
      !hd_parse_int(p, &size) || !hd_expect(p, TOK_RSQUARE, "']'"))
    return false;
  hd_op_parser_attr(op, "warp_size", hd_attr_i64(p->context, size));
  if (hd_accept_word(p, "args") &&
      (!hd_expect(p, TOK_LPAREN, "'('") || !hd_parse_operand_list(p, &refs) || !hd_expect(p, TOK_COLON, "':'") ||
       !hd_parse_type_list(p, &types) || !hd_expect(p, TOK_RPAREN, "')'")))
    return false;
  if (!hd_parse_arrow_types(p, &op->result_types)) return false;
  op->resolved = true;
  return hd_resolve_into(op, &lane, hd_type_index(p->context)) && hd_resolve_each(op, &refs, &types) &&
         hd_op_parser_region(op, 0, NULL, 0) && hd_parse_attr_dict(op);
}
void hd_print_hook_GpuWarpExecuteOnLane0(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, '(');
  hd_print_value(out, hd_operand(op, 0));
  hd_printf(out, ")[%" PRId64 "]", hd_op_int_attr(op, HD_NAME_warp_size, 0));
  if (op->operand_count > 1) {
    hd_puts(out, " args(");
    hd_print_operands(out, op, 1, op->operand_count - 1);
    hd_puts(out, " : ");
    hd_print_operand_types(out, op, 1, op->operand_count - 1);
    hd_putc(out, ')');
  }
  hd_print_region_results(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, op->result_count != 0, false);
  hd_print_attr_dict(out, op, (const char *const[]){"warp_size", NULL});
}
