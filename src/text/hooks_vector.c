/* SPDX-License-Identifier: Apache-2.0 */
/* Vector transfers, contractions and masks. */
#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)args, (void)count

/* The map that an absent permutation_map means: the last dims of |shaped|. */
static hd_attr minor_identity(hd_context *c, hd_type shaped, hd_type vector) {
  uint32_t rank = hd_type_has_rank(shaped) ? hd_type_rank(shaped) : 0;
  uint32_t inner = hd_type_element(shaped)->kind == HD_TYPE_VECTOR ? hd_type_rank(hd_type_element(shaped)) : 0;
  uint32_t outer = hd_type_rank(vector) - (inner < hd_type_rank(vector) ? inner : hd_type_rank(vector));
  if (rank == 0 && hd_type_rank(vector) == 1 && hd_type_dim(vector, 0) == 1) {
    hd_affine zero = hd_affine_const(c, 0);
    return hd_attr_affine_map(c, 0, 0, &zero, 1);
  }
  hd_affine results[HD_MAX_RANK];
  if (outer > rank || outer > HD_MAX_RANK) return NULL;
  for (uint32_t i = 0; i < outer; ++i) results[i] = hd_affine_dim(c, rank - outer + i);
  return hd_attr_affine_map(c, rank, 0, results, outer);
}

static hd_attr all_false(hd_parser *p, uint32_t count) {
  hd_attr_vec items = {0};
  for (uint32_t i = 0; i < count; ++i) hd_vec_push(&p->scratch, &items, hd_attr_bool(p->context, false));
  return hd_attr_array(p->context, items.data, items.len);
}

static bool transfer_attrs(hd_op_parser *op, hd_type shaped, hd_type vector, const char *at) {
  hd_parser *p = op->p;
  if (!hd_type_is(vector, HD_TYPE_VECTOR)) return hd_parser_error(p, at, "requires vector type");
  if (!hd_type_has_rank(shaped)) return hd_parser_error(p, at, "requires ranked memref or ranked tensor type");
  hd_attr map = hd_op_parser_get(op, "permutation_map");
  if (!map) {
    if (!(map = minor_identity(p->context, shaped, vector)))
      return hd_parser_error(p, at, "expected a custom permutation_map when rank(source) != rank(destination)");
    hd_op_parser_attr(op, "permutation_map", map);
  }
  if (map->kind != HD_ATTR_AFFINE_MAP) return hd_parser_error(p, at, "expected an affine map as permutation_map");
  if (!hd_op_parser_get(op, "in_bounds")) hd_op_parser_attr(op, "in_bounds", all_false(p, map->affine.count));
  return true;
}

static hd_type mask_type(hd_op_parser *op, const hd_operand_vec *mask, hd_type vector) {
  hd_type known = mask->len ? hd_known_type(op->p, &mask->data[0]) : NULL;
  return known ? known : hd_type_with_element(vector, hd_i1(op->p->context));
}

static bool base_and_indices(hd_op_parser *op, hd_operand_vec *base, hd_operand_vec *indices) {
  if (!hd_parse_one_operand(op->p, base)) return false;
  return hd_parse_operands_until(op->p, TOK_LSQUARE, TOK_RSQUARE, indices);
}

static bool one_operand(hd_op_parser *op, hd_operand_vec *out) {
  if (!hd_parse_one_operand(op->p, out)) return false;
  return true;
}

bool hd_parse_hook_VectorTransferRead(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec base = {0}, indices = {0}, padding = {0}, mask = {0};
  hd_type_vec types = {0};
  if (!base_and_indices(op, &base, &indices) || !hd_expect(p, TOK_COMMA, "','") || !one_operand(op, &padding))
    return false;
  if (hd_accept(p, TOK_COMMA) && !one_operand(op, &mask)) return false;
  const char *at = hd_here(p);
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &types)) return false;
  if (types.len != 2) return hd_parser_error(p, at, "requires two types");
  hd_type shaped = types.data[0], vector = types.data[1];
  if (!transfer_attrs(op, shaped, vector, at)) return false;
  int32_t sizes[] = {1, (int32_t)indices.len, 1, (int32_t)mask.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 4);
  hd_vec_push(&p->scratch, &op->result_types, vector);
  op->resolved = true;
  return hd_resolve_into(op, &base, shaped) && hd_resolve_into(op, &indices, hd_type_index(p->context)) &&
         hd_resolve_into(op, &padding, hd_type_element(shaped)) &&
         hd_resolve_into(op, &mask, mask_type(op, &mask, vector));
}

bool hd_parse_hook_VectorTransferWrite(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec value = {0}, base = {0}, indices = {0}, mask = {0};
  hd_type_vec types = {0};
  if (!one_operand(op, &value) || !hd_expect(p, TOK_COMMA, "','") || !base_and_indices(op, &base, &indices))
    return false;
  if (hd_accept(p, TOK_COMMA) && !one_operand(op, &mask)) return false;
  const char *at = hd_here(p);
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &types)) return false;
  if (types.len != 2) return hd_parser_error(p, at, "requires two types");
  hd_type vector = types.data[0], shaped = types.data[1];
  if (!transfer_attrs(op, shaped, vector, at)) return false;
  int32_t sizes[] = {1, 1, (int32_t)indices.len, (int32_t)mask.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 4);
  if (hd_type_is_tensor(shaped)) hd_vec_push(&p->scratch, &op->result_types, shaped);
  op->resolved = true;
  return hd_resolve_into(op, &value, vector) && hd_resolve_into(op, &base, shaped) &&
         hd_resolve_into(op, &indices, hd_type_index(p->context)) &&
         hd_resolve_into(op, &mask, mask_type(op, &mask, vector));
}

static bool any_true(hd_attr list) {
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i)
    if (hd_attr_is(list->array.items[i], HD_ATTR_INTEGER) && list->array.items[i]->integer) return true;
  return false;
}

static void print_transfer_attrs(hd_printer *out, hd_op *op, hd_type shaped, hd_type vector) {
  const char *hidden[4] = {"operandSegmentSizes"};
  size_t next = 1;
  if (hd_type_has_rank(shaped) && vector->kind == HD_TYPE_VECTOR &&
      hd_op_attr_get(op, HD_NAME_permutation_map) == minor_identity(out->context, shaped, vector))
    hidden[next++] = "permutation_map";
  if (!any_true(hd_op_attr_get(op, HD_NAME_in_bounds))) hidden[next++] = "in_bounds";
  hidden[next] = NULL;
  hd_print_attr_dict(out, op, hidden);
}

static void print_item(hd_printer *out, hd_op *op, size_t item, const char *before, const char *open,
                       const char *close) {
  uint32_t start, total;
  hd_op_operand_range(op, item, &start, &total);
  if (!total && !*open) return;
  hd_printf(out, "%s%s", before, open);
  hd_print_operands(out, op, start, total);
  hd_puts(out, close);
}

void hd_print_hook_VectorTransferRead(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_type shaped = hd_operand_type(op, 0), vector = hd_result_type(op, 0);
  print_item(out, op, 0, " ", "", "");
  print_item(out, op, 1, "", "[", "]");
  print_item(out, op, 2, ", ", "", "");
  print_item(out, op, 3, ", ", "", "");
  print_transfer_attrs(out, op, shaped, vector);
  hd_puts(out, " : ");
  hd_print_type(out, shaped);
  hd_puts(out, ", ");
  hd_print_type(out, vector);
}

void hd_print_hook_VectorTransferWrite(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_type vector = hd_operand_type(op, 0), shaped = hd_operand_type(op, 1);
  print_item(out, op, 0, " ", "", "");
  print_item(out, op, 1, ", ", "", "");
  print_item(out, op, 2, "", "[", "]");
  print_item(out, op, 3, ", ", "", "");
  print_transfer_attrs(out, op, shaped, vector);
  hd_puts(out, " : ");
  hd_print_type(out, vector);
  hd_puts(out, ", ");
  hd_print_type(out, shaped);
}

/* outerproduct %a, %b[, %c] {kind = ...} : vector, vector or scalar */
bool hd_parse_hook_VectorOuterproduct(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  hd_type_vec types = {0};
  const char *at = hd_here(p);
  if (!hd_parse_operand_list(p, &refs) || !hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'") ||
      !hd_parse_type_list(p, &types))
    return false;
  if (refs.len < 2 || refs.len > 3) return hd_parser_error(p, at, "expected at least 2 operands");
  if (types.len != 2 || types.data[0]->kind != HD_TYPE_VECTOR)
    return hd_parser_error(p, at, "expected vector type for operand #1 and two types");
  hd_type lhs = types.data[0], rhs = types.data[1], result = lhs;
  if (hd_type_rank(lhs) != 1) return hd_parser_error(p, at, "expected 1-d vector for operand #1");
  if (rhs->kind == HD_TYPE_VECTOR) {
    if (hd_type_rank(rhs) != 1) return hd_parser_error(p, at, "expected 1-d vector for operand #2");
    int64_t dims[] = {hd_type_dim(lhs, 0), hd_type_dim(rhs, 0)};
    bool scalable[] = {lhs->shaped.scalable && lhs->shaped.scalable[0],
                       rhs->shaped.scalable && rhs->shaped.scalable[0]};
    result = hd_type_vector(hd_type_element(lhs), dims, 2, scalable);
  }
  hd_vec_push(&p->scratch, &op->result_types, result);
  if (!hd_op_parser_get(op, "kind")) hd_op_parser_attr(op, "kind", hd_attr_enum(p->context, HD_ENUM_vector_kind, 0));
  hd_type_vec all = {0};
  hd_vec_push(&p->scratch, &all, lhs);
  hd_vec_push(&p->scratch, &all, rhs);
  if (refs.len == 3) hd_vec_push(&p->scratch, &all, result);
  op->resolved = true;
  return hd_resolve_each(op, &refs, &all);
}
void hd_print_hook_VectorOuterproduct(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_operands(out, op, 0, op->operand_count);
  hd_attr kind = hd_op_attr_get(op, HD_NAME_kind);
  bool plain = hd_attr_is(kind, HD_ATTR_ENUM) && kind->enumerant.value == 0;
  hd_print_attr_dict(out, op, (const char *const[]){plain ? "kind" : NULL, NULL});
  hd_puts(out, " : ");
  hd_print_operand_types(out, op, 0, 2);
}

/* contract {indexing_maps = ..., iterator_types = ["reduction"], kind = ...} %a, %b, %c : t, t into t */
static hd_attr iterators(hd_parser *p, hd_attr words) {
  hd_attr_vec items = {0};
  for (uint32_t i = 0; i < words->array.count; ++i) {
    hd_attr item = words->array.items[i];
    int row = hd_attr_row_find(HD_STR("vector"), HD_STR("iterator_type"));
    int64_t value;
    if (row >= 0 && hd_attr_is(item, HD_ATTR_STRING) && hd_enum_case_value(row, hd_ident_str(item->string), &value))
      item = hd_attr_enum(p->context, row, value);
    hd_vec_push(&p->scratch, &items, item);
  }
  return hd_attr_array(p->context, items.data, items.len);
}

static bool traits_dict(hd_op_parser *op) {
  hd_parser *p = op->p;
  hd_named_attr_vec items = {0};
  if (hd_at(p, TOK_HASH)) { /* an alias of a dictionary */
    hd_attr dict = hd_parse_attr(p, NULL);
    if (!dict) return false;
    if (dict->kind != HD_ATTR_DICT) return hd_parser_expected(p, "a dictionary");
    hd_vec_append(&p->scratch, &items, dict->dict.items, dict->dict.count);
  } else if (!hd_parse_dict(p, &items)) {
    return false;
  }
  for (size_t i = 0; i < items.len; ++i) {
    hd_attr value = items.data[i].value;
    if (strcmp(items.data[i].name->text, "iterator_types") == 0 && value->kind == HD_ATTR_ARRAY)
      value = iterators(p, value);
    hd_op_parser_attr(op, items.data[i].name->text, value);
  }
  return true;
}

bool hd_parse_hook_VectorContract(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  hd_type_vec types = {0};
  const char *at = hd_here(p);
  if (!traits_dict(op) || !hd_parse_operand_list(p, &refs) || !hd_parse_attr_dict(op) ||
      !hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &types) || !hd_expect_word(p, "into"))
    return false;
  hd_type result = hd_parse_type(p);
  if (!result) return false;
  if (refs.len != 3 || types.len != 2) return hd_parser_error(p, at, "expected 3 operands and 2 types");
  hd_vec_push(&p->scratch, &types, result);
  hd_vec_push(&p->scratch, &op->result_types, result);
  if (!hd_op_parser_get(op, "kind")) hd_op_parser_attr(op, "kind", hd_attr_enum(p->context, HD_ENUM_vector_kind, 0));
  op->resolved = true;
  return hd_resolve_each(op, &refs, &types);
}
void hd_print_hook_VectorContract(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const traits[] = {"indexing_maps", "iterator_types", "kind", NULL};
  hd_puts(out, " {");
  for (int i = 0; i < 3; ++i) {
    hd_attr value = hd_op_attr_get_named(op, traits[i]);
    if (!value) continue;
    hd_printf(out, "%s%s = ", i ? ", " : "", traits[i]);
    if (i != 1 || value->kind != HD_ATTR_ARRAY) {
      hd_print_attr(out, value, HD_TYPE_NEVER);
      continue;
    }
    hd_putc(out, '[');
    for (uint32_t k = 0; k < value->array.count; ++k) {
      hd_attr item = value->array.items[k];
      if (k) hd_puts(out, ", ");
      if (hd_attr_is(item, HD_ATTR_ENUM))
        hd_print_escaped(out->out, hd_enum_case_name(item->enumerant.row, item->enumerant.value));
      else
        hd_print_attr(out, item, HD_TYPE_NEVER);
    }
    hd_putc(out, ']');
  }
  hd_puts(out, "} ");
  hd_print_operands(out, op, 0, 3);
  hd_print_attr_dict(out, op, traits);
  hd_puts(out, " : ");
  hd_print_operand_types(out, op, 0, 2);
  hd_puts(out, " into ");
  hd_print_type(out, hd_result_type(op, 0));
}

/* mask %m[, %passthru] { op } : mask type -> types */
bool hd_parse_hook_VectorMask(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec mask = {0}, passthru = {0};
  hd_region *region;
  if (!one_operand(op, &mask) || (hd_accept(p, TOK_COMMA) && !one_operand(op, &passthru))) return false;
  if (!hd_parse_region(op, NULL, 0, false, &region)) return false;
  if (!region->first) hd_region_append(region, hd_block_create(p->module));
  hd_op *inner = region->first->last;
  hd_opcode yield = hd_opcode_of(p->context, HD_STR("vector.yield"));
  if (yield && (!inner || !hd_op_has_trait(inner, HD_TRAIT(TERMINATOR)))) {
    hd_value_vec values = {0};
    for (uint32_t i = 0; inner && i < inner->result_count; ++i) hd_vec_push(&p->scratch, &values, hd_result(inner, i));
    hd_op_state state = {
        .context = p->context, .loc = op->loc, .opcode = yield, .operands = values.data, .operand_count = values.len};
    hd_op_append(hd_op_create(p->module, &state), region->first);
  }
  hd_vec_push(&p->scratch, &op->regions[0], region);
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  const char *at = hd_here(p);
  if (!type || !hd_parse_arrow_types(p, &op->result_types) || !hd_resolve_into(op, &mask, type)) return false;
  op->resolved = true;
  if (!passthru.len) return true;
  if (op->result_types.len != 1) return hd_parser_error(p, at, "expects result if passthru operand is provided");
  return hd_resolve_into(op, &passthru, op->result_types.data[0]);
}
void hd_print_hook_VectorMask(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_block *block = op->regions[0].first;
  hd_putc(out, ' ');
  hd_print_operands(out, op, 0, op->operand_count);
  hd_puts(out, " { ");
  if (block && block->first) {
    hd_str outer = out->default_dialect;
    out->default_dialect = HD_STR("");
    hd_print_op_unnamed(out, block->first);
    hd_putc(out, ' ');
    out->default_dialect = outer;
  }
  hd_putc(out, '}');
  hd_print_attr_dict(out, op, NULL);
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
  hd_print_arrow_types(out, op);
}
