/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of indices that are partly constant, and memref's own syntax. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)args, (void)count

hd_attr hd_parse_index_list(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_operand_vec *refs) {
  hd_int_vec values = {0};
  if (!hd_expect(p, open, open == TOK_LPAREN ? "'('" : "'['")) return NULL;
  for (bool first = true; !hd_at(p, close); first = false) {
    int64_t value = HD_DYNAMIC;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return NULL;
    if (hd_at(p, TOK_PERCENT)) {
      if (!hd_parse_one_operand(p, refs)) return NULL;
      if (hd_accept(p, TOK_COLON) && !hd_parse_type(p)) return NULL;
    } else if (!hd_parse_int(p, &value)) {
      return NULL;
    }
    hd_vec_push(&p->scratch, &values, value);
  }
  hd_advance(p);
  return hd_attr_i64_array(p->context, values.data, values.len);
}

void hd_print_index_list(hd_printer *out, hd_op *op, uint32_t start, hd_attr values, const char *open,
                         const char *close) {
  hd_puts(out, open);
  for (size_t i = 0; i < hd_attr_count(values); ++i) {
    if (i) hd_puts(out, ", ");
    int64_t value = hd_attr_int_at(values, i);
    if (value != HD_DYNAMIC)
      hd_printf(out, "%" PRId64, value);
    else
      hd_print_value(out, start < op->operand_count ? hd_operand(op, start++) : NULL);
  }
  hd_puts(out, close);
}

/* custom<DynamicIndexList>($operands, $attribute), in [] or, with four arguments, (). */
bool hd_parse_hook_DynamicIndexList(struct hd_op_parser *op, const hd_format *args, size_t count) {
  bool round = count > 3;
  hd_attr list = hd_parse_index_list(op->p, round ? TOK_LPAREN : TOK_LSQUARE, round ? TOK_RPAREN : TOK_RSQUARE,
                                     &hd_arg_item(op, &args[0])->refs);
  if (!list) return false;
  hd_op_parser_attr(op, op->signature->attrs.items[args[1].index].name->text, list);
  return true;
}
void hd_print_hook_DynamicIndexList(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  uint32_t start, total;
  hd_arg_range(op, &args[0], &start, &total);
  hd_ident name = hd_signature_of(out->context, op->info->opcode)->attrs.items[args[1].index].name;
  hd_print_index_list(out, op, start, hd_op_attr_get_ident(op, name), count > 3 ? "(" : "[", count > 3 ? ")" : "]");
}

/* memref<2xf32> = dense<1.0>, memref<2xf32> = uninitialized, memref<2xf32> */
bool hd_parse_hook_GlobalMemrefOpTypeAndInitialValue(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  const char *at = hd_here(p);
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  if (type->kind != HD_TYPE_MEMREF || !hd_type_is_static(type))
    return hd_parser_error(p, at, "type should be static shaped memref");
  hd_op_parser_attr(op, "type", hd_attr_type(type));
  if (!hd_accept(p, TOK_EQUAL)) return true;
  hd_attr value =
      hd_accept_word(p, "uninitialized")
          ? hd_attr_unit(p->context)
          : hd_parse_attr(p, hd_type_tensor(type->shaped.element, type->shaped.dims, type->shaped.rank, NULL));
  if (value) hd_op_parser_attr(op, "initial_value", value);
  return value != NULL;
}
void hd_print_hook_GlobalMemrefOpTypeAndInitialValue(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_print_type(out, hd_op_attr_get(op, HD_NAME_type)->type_value);
  hd_attr value = hd_op_attr_get(op, HD_NAME_initial_value);
  if (!value) return;
  hd_puts(out, " = ");
  if (value->kind == HD_ATTR_UNIT)
    hd_puts(out, "uninitialized");
  else
    hd_print_attr(out, value, HD_TYPE_MUST);
}

/* %m[%i, %j] */
static bool memref_and_indices(hd_op_parser *op, hd_operand_vec *memref, hd_operand_vec *indices) {
  if (!hd_parse_one_operand(op->p, memref)) return false;
  return hd_parse_operands_until(op->p, TOK_LSQUARE, TOK_RSQUARE, indices);
}
static void print_indices(hd_printer *out, hd_op *op, uint32_t start, uint32_t count) {
  hd_putc(out, '[');
  hd_print_operands(out, op, start, count);
  hd_putc(out, ']');
}

bool hd_parse_hook_MemrefGenericAtomicRmw(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec memref = {0}, indices = {0};
  if (!memref_and_indices(op, &memref, &indices) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  if (!type || !hd_resolve_into(op, &memref, type) || !hd_resolve_into(op, &indices, hd_type_index(p->context)))
    return false;
  hd_vec_push(&p->scratch, &op->result_types, hd_type_element(type));
  op->resolved = true;
  return hd_op_parser_region(op, 0, NULL, 0) && hd_parse_attr_dict(op);
}
void hd_print_hook_MemrefGenericAtomicRmw(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  print_indices(out, op, 1, op->operand_count - 1);
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, true, false);
  hd_print_attr_dict(out, op, NULL);
}

bool hd_parse_hook_MemrefAllocaScope(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  op->resolved = true;
  return hd_parse_arrow_types(op->p, &op->result_types) && hd_op_parser_region(op, 0, NULL, 0) &&
         hd_parse_attr_dict(op);
}
void hd_print_hook_MemrefAllocaScope(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_region_op_end(out, op);
}

/* dma_start %src[%i], %dst[%j], %n, %tag[%k] : t, t, t, or with two more operands: stride, elements per stride */
bool hd_parse_hook_MemrefDmaStart(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec memrefs[3] = {{0}, {0}, {0}}, indices[3] = {{0}, {0}, {0}}, number = {0}, strides = {0};
  const char *at = hd_here(p);
  for (int i = 0; i < 2; ++i)
    if (!memref_and_indices(op, &memrefs[i], &indices[i]) || !hd_expect(p, TOK_COMMA, "','")) return false;
  if (!hd_parse_one_operand(p, &number) || !hd_expect(p, TOK_COMMA, "','")) return false;
  if (!memref_and_indices(op, &memrefs[2], &indices[2])) return false;
  if (hd_accept(p, TOK_COMMA) && !hd_parse_operand_list(p, &strides)) return false;
  if (strides.len && strides.len != 2) return hd_parser_error(p, at, "expected two stride related operands");
  hd_type_vec types = {0};
  if (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &types)) return false;
  if (types.len != 3) return hd_parser_error(p, at, "fewer/more types expected");
  hd_type index = hd_type_index(p->context);
  op->resolved = true;
  return hd_resolve_into(op, &memrefs[0], types.data[0]) && hd_resolve_into(op, &indices[0], index) &&
         hd_resolve_into(op, &memrefs[1], types.data[1]) && hd_resolve_into(op, &indices[1], index) &&
         hd_resolve_into(op, &number, index) && hd_resolve_into(op, &memrefs[2], types.data[2]) &&
         hd_resolve_into(op, &indices[2], index) && hd_resolve_into(op, &strides, index);
}
void hd_print_hook_MemrefDmaStart(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  uint32_t at = 0, memrefs[3];
  for (int i = 0; i < 3; ++i) {
    if (i == 2) {
      hd_puts(out, ", ");
      if (at < op->operand_count) hd_print_value(out, hd_operand(op, at++));
    }
    if (at >= op->operand_count || hd_operand_type(op, at)->kind != HD_TYPE_MEMREF) return;
    memrefs[i] = at;
    uint32_t rank = hd_type_rank(hd_operand_type(op, at));
    hd_puts(out, i ? ", " : " ");
    hd_print_value(out, hd_operand(op, at++));
    if (rank > op->operand_count - at) rank = op->operand_count - at;
    print_indices(out, op, at, rank);
    at += rank;
  }
  if (at < op->operand_count) {
    hd_puts(out, ", ");
    hd_print_operands(out, op, at, op->operand_count - at);
  }
  hd_print_attr_dict(out, op, NULL);
  for (int i = 0; i < 3; ++i) {
    hd_puts(out, i ? ", " : " : ");
    hd_print_type(out, hd_operand_type(op, memrefs[i]));
  }
}

/* prefetch %m[%i], read, locality<3>, data : memref<...> */
bool hd_parse_hook_MemrefPrefetch(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec memref = {0}, indices = {0};
  if (!memref_and_indices(op, &memref, &indices) || !hd_parse_prefetch_words(op)) return false;
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  op->resolved = true;
  return type && hd_resolve_into(op, &memref, type) && hd_resolve_into(op, &indices, hd_type_index(p->context));
}
bool hd_parse_prefetch_words(hd_op_parser *op) {
  hd_parser *p = op->p;
  uint32_t hint;
  if (!hd_expect(p, TOK_COMMA, "','")) return false;
  bool write = hd_accept_word(p, "write");
  if (!write && !hd_expect_word(p, "read")) return false;
  if (!hd_expect(p, TOK_COMMA, "','") || !hd_expect_word(p, "locality") || !hd_expect(p, TOK_LESS, "'<'") ||
      !hd_parse_u32(p, &hint) || !hd_expect(p, TOK_GREATER, "'>'") || !hd_expect(p, TOK_COMMA, "','"))
    return false;
  bool data = hd_accept_word(p, "data");
  if (!data && !hd_expect_word(p, "instr")) return false;
  hd_op_parser_attr(op, "isWrite", hd_attr_bool(p->context, write));
  hd_op_parser_attr(op, "localityHint", hd_attr_i32(p->context, hint));
  hd_op_parser_attr(op, "isDataCache", hd_attr_bool(p->context, data));
  return true;
}
void hd_print_prefetch_words(hd_printer *out, hd_op *op) {
  hd_printf(out, ", %s, locality<%" PRId64 ">, %s", hd_op_int_attr(op, HD_NAME_isWrite, 0) ? "write" : "read",
            hd_op_int_attr(op, HD_NAME_localityHint, 0), hd_op_int_attr(op, HD_NAME_isDataCache, 0) ? "data" : "instr");
}
void hd_print_hook_MemrefPrefetch(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  print_indices(out, op, 1, op->operand_count - 1);
  hd_print_prefetch_words(out, op);
  hd_print_attr_dict(out, op, (const char *const[]){"isWrite", "localityHint", "isDataCache", NULL});
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
}

/* transpose %m (d0, d1) -> (d1, d0) : t to t */
bool hd_parse_hook_MemrefTranspose(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  if (!hd_parse_one_operand(p, &refs)) return false;
  hd_attr map = hd_parse_affine(p, false);
  if (!map) return false;
  hd_op_parser_attr(op, "permutation", map);
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type from = hd_parse_type(p), to;
  if (!from || !hd_expect_word(p, "to") || !(to = hd_parse_type(p))) return false;
  hd_vec_push(&p->scratch, &op->result_types, to);
  op->resolved = true;
  return hd_resolve_into(op, &refs, from);
}
void hd_print_hook_MemrefTranspose(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  hd_putc(out, ' ');
  hd_print_affine_map_body(out, hd_op_attr_get(op, HD_NAME_permutation));
  hd_print_attr_dict(out, op, (const char *const[]){"permutation", NULL});
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
  hd_puts(out, " to ");
  hd_print_type(out, hd_result_type(op, 0));
}
