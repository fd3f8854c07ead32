/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the .def files as tables, and their parsed signatures. */
#include "ir/op_info.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ir/hooks.h"

/* Columns of the rows. */
#define ARGS(text) text
#define RESULTS(text) text
#define ATTRS(text) text
#define REGIONS(text) text
#define HOOKS(...) {__VA_ARGS__}
#define VERIFY(name) .verify = hd_verify_##name,
#define INFER(name) .infer = hd_infer_##name,
#define SHAPE(name) .shape = hd_shape_of_##name,
#define FOLD(name) .fold = hd_fold_##name,
#include "ir/ops/no_hooks.def"

/* Within rows traits are written without prefix; as an integer constant expression each is its bit. */
#define TRAIT(name, doc) name = 1ll << HD_TRAIT_BIT_##name,
enum {
  NO_TRAITS = 0,
#include "ir/ops/traits.def"
};

static const hd_op_info rows[HD_OPCODE_COUNT] = {
    [HD_OP_UNREGISTERED] = {HD_OP_UNREGISTERED, "", "operands*", "results*", "", "regions*", 0, NULL, {0}, "", 0},
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_##code] = {HD_OP_##code, name, args, results, attrs, regions, traits, format, hooks, doc, 0},
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_stablehlo_##code] = {                                                     \
      HD_OP_stablehlo_##code, "stablehlo." name, args, results, attrs, regions, traits, format, hooks, doc, 0},
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_mhlo_##code] = {HD_OP_mhlo_##code, "mhlo." name, args, results, attrs, regions, traits, format, hooks, doc, 0},
#include "ir/ops/all_ops.def"
/* The buffer counterparts: operands then outputs, no results. */
#define LMHLO_TRAITS(traits) \
  ((((traits) & (ELEMENTWISE | MOVES_ELEMENTS | COMMUTATIVE | SAME_VARIADIC_SIZE)) | READS | WRITES))
#define COUNTERPART(code, of, name, attrs, regions, traits, doc)                                                       \
  [HD_OP_lmhlo_##                                                                                                      \
      code] = {HD_OP_lmhlo_##code,          "lmhlo." name, "buffers*", "", attrs, regions, LMHLO_TRAITS(traits), NULL, \
               {.verify = hd_verify_lmhlo}, doc,           of},
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  COUNTERPART(code, HD_OP_stablehlo_##code, name, attrs, regions, traits, doc)
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  COUNTERPART(code, HD_OP_mhlo_##code, name, attrs, regions, traits, doc)
#include "ir/ops/hlo_ops.def"
};

const hd_op_info *hd_op_info_of(hd_opcode opcode) { return &rows[(unsigned)opcode < HD_OPCODE_COUNT ? opcode : 0]; }

static void fill_names(hd_context *context) {
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) {
    const char *name = rows[i].name;
    if (!name) continue;
    hd_map_insert_bytes(&context->arena, &context->op_names, name, strlen(name), NULL)->value.i64 = i + 1;
    if (strncmp(name, "stablehlo.", 10) != 0) continue;
    char mhlo[96] = "mhlo.";
    strncat(mhlo, name + 10, sizeof mhlo - 6);
    hd_map_entry *entry = hd_map_insert_bytes(&context->arena, &context->op_names, mhlo, strlen(mhlo), NULL);
    entry->value.i64 = i + 1;
  }
}

hd_opcode hd_opcode_of(hd_context *context, hd_str name) {
  if (!context->op_names.live) fill_names(context);
  hd_map_entry *entry = hd_map_find_bytes(&context->op_names, name.data, name.len);
  return entry ? (hd_opcode)(entry->value.i64 - 1) : HD_OP_UNREGISTERED;
}

hd_opcode hd_opcode_to_lmhlo(hd_opcode opcode) {
  switch (opcode) {
#define HLO(code, ...)         \
  case HD_OP_stablehlo_##code: \
    return HD_OP_lmhlo_##code;
#define MHLO(code, ...)   \
  case HD_OP_mhlo_##code: \
    return HD_OP_lmhlo_##code;
#include "ir/ops/hlo_ops.def"
    default:
      return HD_OP_UNREGISTERED;
  }
}

static bool has_dialect(const char *name, hd_str dialect) {
  return name && strncmp(name, dialect.data, dialect.len) == 0 && name[dialect.len] == '.';
}

bool hd_dialect_is_known(hd_str dialect) {
  if (hd_str_is(dialect, "mhlo") || hd_str_is(dialect, "stablehlo") || hd_str_is(dialect, "quant")) return true;
  for (int i = 1; i < HD_OPCODE_COUNT; ++i)
    if (has_dialect(rows[i].name, dialect)) return true;
  return false;
}

static hd_str trim(hd_str text) {
  while (text.len && isspace((unsigned char)text.data[0])) ++text.data, --text.len;
  while (text.len && isspace((unsigned char)text.data[text.len - 1])) --text.len;
  return text;
}

/* Splits "a: x, b*: y = [1, 2]" at commas outside brackets. */
hd_signature_list hd_signature_parse_list(hd_context *context, const char *text) {
  hd_vec(hd_signature_item) items = {0};
  hd_signature_list list = {0};
  for (const char *at = text; *at;) {
    const char *start = at;
    int depth = 0;
    for (; *at && (depth || *at != ','); ++at)
      depth += (*at == '[' || *at == '<' || *at == '(') - (*at == ']' || *at == '>' || *at == ')');
    hd_str part = trim((hd_str){start, (size_t)(at - start)});
    if (*at) ++at;
    if (!part.len) continue;
    hd_signature_item item = {.arity = HD_ONE, .constraint = {"", 0}, .default_text = {"", 0}};
    const char *equals = memchr(part.data, '=', part.len);
    if (equals) {
      size_t left = (size_t)(equals - part.data);
      item.default_text = trim((hd_str){equals + 1, part.len - left - 1});
      part = trim((hd_str){part.data, left});
    }
    const char *colon = memchr(part.data, ':', part.len);
    if (colon) {
      size_t left = (size_t)(colon - part.data);
      item.constraint = trim((hd_str){colon + 1, part.len - left - 1});
      part = trim((hd_str){part.data, left});
    }
    char last = part.data[part.len - 1];
    if (last == '*') item.arity = HD_VARIADIC;
    if (last == '?') item.arity = HD_OPTIONAL;
    if (item.arity != HD_ONE) --part.len, ++list.variable;
    item.name = hd_ident_get(context, part);
    hd_vec_push(&context->arena, &items, item);
  }
  list.count = items.len;
  list.items = items.data;
  return list;
}

const hd_signature *hd_signature_of(hd_context *context, hd_opcode opcode) {
  hd_signature *signature = context->signatures[opcode];
  if (signature) return signature;
  const hd_op_info *info = hd_op_info_of(opcode);
  signature = hd_new(&context->arena, hd_signature);
  signature->args = hd_signature_parse_list(context, info->args);
  signature->results = hd_signature_parse_list(context, info->results);
  signature->attrs = hd_signature_parse_list(context, info->attrs);
  signature->regions = hd_signature_parse_list(context, info->regions);
  context->signatures[opcode] = signature;
  return signature;
}

static const hd_attr_row_info attr_rows[HD_ATTR_ROW_COUNT] = {
#define ENUM(code, dialect, name, cases, format) [HD_ENUM_##code] = {true, dialect, name, cases, format, NULL},
#define STRUCT(code, dialect, name, params, format) [HD_STRUCT_##code] = {false, dialect, name, params, format, NULL},
#define LAYOUT(code, dialect, name, params, format, alias) \
  [HD_STRUCT_##code] = {false, dialect, name, params, format, alias},
#include "ir/ops/attributes.def"
};
static const hd_attr_row_info type_rows[HD_TYPE_ROW_COUNT] = {
#define TYPE(code, dialect, name, params, format) [HD_TYPE_ROW_##code] = {false, dialect, name, params, format, NULL},
#include "ir/ops/types.def"
};

const hd_attr_row_info *hd_attr_row_info_of(int row) { return &attr_rows[row]; }
const hd_attr_row_info *hd_type_row_info_of(int row) { return &type_rows[row]; }

static int find_row(const hd_attr_row_info *table, int count, hd_str dialect, hd_str name) {
  for (int i = 0; i < count; ++i)
    if (hd_str_is(dialect, table[i].dialect) && hd_str_is(name, table[i].name)) return i;
  return -1;
}
int hd_attr_row_find(hd_str dialect, hd_str name) { return find_row(attr_rows, HD_ATTR_ROW_COUNT, dialect, name); }
int hd_type_row_find(hd_str dialect, hd_str name) { return find_row(type_rows, HD_TYPE_ROW_COUNT, dialect, name); }

/* Steps through "EQ, NE = 4, ..."; the value counts up from the last given one. */
static bool next_case(const char **at, hd_str *name, int64_t *value) {
  while (**at == ' ' || **at == ',') ++*at;
  if (!**at) return false;
  const char *end = strchr(*at, ',');
  size_t length = end ? (size_t)(end - *at) : strlen(*at);
  hd_str part = trim((hd_str){*at, length});
  *at += length;
  ++*value;
  const char *equals = memchr(part.data, '=', part.len);
  if (equals) {
    *value = strtoll(equals + 1, NULL, 0);
    part = trim((hd_str){part.data, (size_t)(equals - part.data)});
  }
  *name = part;
  return true;
}

hd_str hd_enum_case_name(int row, int64_t value) {
  const char *at = attr_rows[row].params;
  hd_str name;
  for (int64_t current = -1; next_case(&at, &name, &current);)
    if (current == value) return name;
  return HD_STR("");
}

bool hd_enum_case_value(int row, hd_str wanted, int64_t *out_value) {
  const char *at = attr_rows[row].params;
  hd_str name;
  for (int64_t current = -1; next_case(&at, &name, &current);)
    if (hd_str_equal(name, wanted)) {
      *out_value = current;
      return true;
    }
  return false;
}
