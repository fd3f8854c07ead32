/* SPDX-License-Identifier: Apache-2.0 */
/* All rows are well formed: signatures parse, constraints and defaults are known, type rules name items of their row,
 * and every graph-level op has its buffer counterpart. */
#include <stdlib.h>
#include <string.h>

#include "ir/constraints.h"
#include "ir/dynamic_form.h"
#include "ir/infer.h"
#include "ir/testing.h"

static bool complain(const char *op, const char *what, hd_str text) {
  fprintf(stderr, "%s: %s '%.*s'\n", op, what, (int)text.len, text.data);
  return false;
}

static bool names_item(const hd_signature *signature, hd_str name) {
  const hd_signature_list *lists[] = {&signature->args, &signature->results, &signature->attrs};
  for (size_t l = 0; l < 3; ++l)
    for (size_t i = 0; i < lists[l]->count; ++i)
      if (hd_str_equal(hd_ident_str(lists[l]->items[i].name), name)) return true;
  return false;
}

/* "x", "element(x)", or a type. */
static bool rule_is_known(hd_context *c, const hd_signature *signature, hd_str rule) {
  static const char *const words[] = {"element", "bool", "index", "complex", "flagged",
                                      "types",   "ins",  "outs",  "pointee", "pointers"};
  const char *open = memchr(rule.data, '(', rule.len);
  if (!open) return names_item(signature, rule) || rule.data[0] == '!' || hd_constraint_type(c, rule);
  hd_str word = {rule.data, (size_t)(open - rule.data)};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (hd_str_is(word, words[i])) return names_item(signature, (hd_str){open + 1, rule.len - word.len - 2});
  return false;
}

/* Attributes as defaults are written: a case of the enum, an integer with its type, a bool, "", [] or {}. */
static bool default_is_valid(hd_str constraint, hd_str text) {
  char buffer[128];
  if (text.len >= sizeof buffer) return false;
  memcpy(buffer, text.data, text.len);
  buffer[text.len] = 0;
  char *colon = strstr(buffer, " : ");
  if (hd_str_is(constraint, "bool") || hd_str_is(constraint, "unit|bool"))
    return !strcmp(buffer, "true") || !strcmp(buffer, "false");
  if (hd_str_is(constraint, "string")) return buffer[0] == '"';
  if (hd_str_is(constraint, "array") || hd_str_is(constraint, "i32_array")) return buffer[0] == '[';
  if (hd_str_is(constraint, "dict")) return buffer[0] == '{';
  if (hd_str_is(constraint, "float")) return colon && (!strcmp(colon + 3, "f64") || !strcmp(colon + 3, "f32"));
  if (hd_str_is(constraint, "flags")) return colon && !strcmp(colon + 3, "i32");
  if (hd_str_is(constraint, "i32") || hd_str_is(constraint, "i64") || hd_str_is(constraint, "index"))
    return colon && hd_str_is(constraint, colon + 3);
  char dialect[32], name[64], which[64];
  int row = -1;
  if (sscanf(buffer, "#%31[a-z].%63[a-z_0-9]<%63[^>]>", dialect, name, which) == 3 ||
      sscanf(buffer, "#%31[a-z]<%63[a-z_0-9] %63[^>]>", dialect, name, which) == 3) {
    row = hd_attr_row_find(hd_str_of(dialect), hd_str_of(name));
    int64_t value;
    return row >= 0 && hd_attr_row_info_of(row)->is_enum && hd_enum_case_value(row, hd_str_of(which), &value);
  }
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (!dot || !colon) return false;
  /* An enum that is kept as an integer. */
  size_t left = (size_t)(dot - constraint.data);
  row = hd_attr_row_find((hd_str){constraint.data, left}, (hd_str){dot + 1, constraint.len - left - 1});
  return row >= 0 && hd_enum_case_name(row, strtoll(buffer, NULL, 10)).len &&
         !strncmp(hd_attr_row_info_of(row)->format, "int", 3);
}

static bool check_row(hd_context *c, hd_opcode opcode) {
  const hd_op_info *info = hd_op_info_of(opcode);
  const hd_signature *signature = hd_signature_of(c, opcode);
  bool ok = true;
  const hd_signature_list *values[] = {&signature->args, &signature->results};
  for (size_t l = 0; l < 2; ++l)
    for (size_t i = 0; i < values[l]->count; ++i) {
      const hd_signature_item *item = &values[l]->items[i];
      if (!hd_type_constraint_is_known(item->constraint))
        ok = complain(info->name, "unknown constraint", item->constraint);
      if (item->default_text.len && !rule_is_known(c, signature, item->default_text))
        ok = complain(info->name, "unknown type rule", item->default_text);
    }
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    if (!hd_attr_constraint_is_known(item->constraint))
      ok = complain(info->name, "unknown attribute constraint", item->constraint);
    if (item->default_text.len && item->arity != HD_OPTIONAL)
      ok = complain(info->name, "default without '?'", hd_ident_str(item->name));
    if (item->default_text.len && !default_is_valid(item->constraint, item->default_text))
      ok = complain(info->name, "invalid default", item->default_text);
  }
  bool segmented = (info->traits & (HD_TRAIT(SEGMENTED_OPERANDS) | HD_TRAIT(SAME_VARIADIC_SIZE))) != 0;
  if (signature->args.variable > 1 && !segmented && !info->derived_from)
    ok = complain(info->name, "several variadic operands without segments", hd_str_of(info->args));
  if (!*info->doc) ok = complain(info->name, "no documentation", HD_STR(""));
  uint64_t effects = HD_TRAIT(READS) | HD_TRAIT(WRITES) | HD_TRAIT(ALLOCATES) | HD_TRAIT(FREES) | HD_TRAIT(SIDE_EFFECT);
  if ((info->traits & HD_TRAIT(PURE)) && (info->traits & effects))
    ok = complain(info->name, "pure with effects", HD_STR(""));
  if ((info->traits & HD_TRAIT(COLLECTIVE)) && !(info->traits & HD_TRAIT(SIDE_EFFECT)))
    ok = complain(info->name, "a collective that may be erased", HD_STR(""));
  return ok;
}

static const hd_signature_item *find_item(const hd_signature_list *list, hd_ident name) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i].name == name) return &list->items[i];
  return NULL;
}

/* Sizes are attributes of the op and operands of the dynamic form, whose other operands are those of the op, attributes
 * that it always has and at most one for the dims. */
static bool check_dynamic_form(hd_context *c, hd_opcode opcode) {
  const hd_name *sizes = hd_opcode_size_attrs(opcode);
  hd_opcode dynamic = hd_opcode_dynamic_form(opcode);
  const char *name = hd_op_info_of(opcode)->name;
  const hd_signature *from = hd_signature_of(c, opcode), *to = hd_signature_of(c, dynamic);
  bool ok = true;
  for (size_t i = 0; sizes && sizes[i] != HD_NAME_COUNT; ++i) {
    hd_ident size = hd_name_ident(c, sizes[i]);
    if (!find_item(&from->attrs, size)) ok = complain(name, "no attribute", hd_ident_str(size));
    if (dynamic && !find_item(&to->args, size))
      ok = complain(name, "no operand of the dynamic form", hd_ident_str(size));
    if (i && strcmp(size->text, hd_name_ident(c, sizes[i - 1])->text) < 0)
      ok = complain(name, "sizes out of order at", hd_ident_str(size));
  }
  size_t own = 0;
  for (size_t i = 0; dynamic && i < to->args.count; ++i)
    own += !find_item(&from->args, to->args.items[i].name) && !find_item(&from->attrs, to->args.items[i].name);
  for (size_t i = 0; dynamic && i < to->args.count; ++i) {
    const hd_signature_item *attr = find_item(&from->attrs, to->args.items[i].name);
    if (attr && attr->arity != HD_ONE)
      ok = complain(name, "the dynamic form has an operand for an attribute that may be absent,",
                    hd_ident_str(attr->name));
  }
  for (size_t i = 0; dynamic && i < from->args.count; ++i)
    if (from->args.items[i].arity != HD_ONE || !find_item(&to->args, from->args.items[i].name))
      ok = complain(name, "the dynamic form lacks", hd_ident_str(from->args.items[i].name));
  if (own > 1) ok = complain(name, "the dynamic form has operands of its own,", HD_STR("more than one"));
  return ok;
}

static void test_rows(hd_context *c) {
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) {
    const hd_op_info *info = hd_op_info_of((hd_opcode)i);
    HD_CHECK(info->name && info->opcode == (hd_opcode)i);
    if (!info->name) continue;
    HD_CHECK(hd_opcode_of(c, hd_str_of(info->name)) == (hd_opcode)i);
    HD_CHECK(check_row(c, (hd_opcode)i));
    HD_CHECK(check_dynamic_form(c, (hd_opcode)i));
    bool graph = !strncmp(info->name, "stablehlo.", 10) || !strncmp(info->name, "mhlo.", 5);
    HD_CHECK(graph == (hd_opcode_to_lmhlo((hd_opcode)i) != HD_OP_UNREGISTERED));
    if (graph) HD_CHECK(hd_op_info_of(hd_opcode_to_lmhlo((hd_opcode)i))->derived_from == (hd_opcode)i);
  }
}

static void test_attr_rows(void) {
  for (int i = 0; i < HD_ATTR_ROW_COUNT; ++i) {
    const hd_attr_row_info *row = hd_attr_row_info_of(i);
    HD_CHECK(row->dialect && row->name && row->params && row->format);
    HD_CHECK(hd_attr_row_find(hd_str_of(row->dialect), hd_str_of(row->name)) == i);
  }
  for (int i = 0; i < HD_TYPE_ROW_COUNT; ++i) {
    const hd_attr_row_info *row = hd_type_row_info_of(i);
    HD_CHECK(hd_type_row_find(hd_str_of(row->dialect), hd_str_of(row->name)) == i);
  }
}

static hd_status all(void *user) {
  test_rows(user);
  test_attr_rows();
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
