/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows' assembly formats. A format is text of the project, so what is wrong in it is reported as a problem of
 * the row, which a test refuses; at run time such an op has its generic form only. */
#include "text/format.h"

#include <string.h>

#include "base/vec.h"
#include "text/hooks.h"
#include "text/rows.h"

typedef hd_vec(hd_format) format_vec;

typedef struct reader {
  hd_context *context;
  const char *at;
  const hd_signature *signature;   /* of ops */
  const hd_signature_list *params; /* of attribute and type rows */
  bool successors;
  int successor_count;
  hd_str successor_names[4];
  const char *problem;
  uint64_t mentioned;
} reader;

typedef struct text_cache {
  hd_format_list **ops;
  hd_row_format **attrs, **types;
  hd_map defaults; /* signature item -> attribute */
} text_cache;

static text_cache *cache_of(hd_context *context) {
  if (!context->text_cache) {
    text_cache *cache = hd_new(&context->arena, text_cache);
    cache->ops = hd_new_array(&context->arena, hd_format_list *, HD_OPCODE_COUNT);
    cache->attrs = hd_new_array(&context->arena, hd_row_format *, HD_ATTR_ROW_COUNT);
    cache->types = hd_new_array(&context->arena, hd_row_format *, HD_TYPE_ROW_COUNT);
    context->text_cache = cache;
  }
  return context->text_cache;
}

hd_map *hd_default_cache(hd_context *context) { return &cache_of(context)->defaults; }

static void skip(reader *r) {
  while (*r->at == ' ' || *r->at == '\n') ++r->at;
}
static bool accept(reader *r, char c) {
  skip(r);
  if (*r->at != c) return false;
  ++r->at;
  return true;
}
static void fail(reader *r, const char *text) {
  if (!r->problem) r->problem = hd_arena_printf(&r->context->arena, "%s at '%.40s'", text, r->at);
}
static void expect(reader *r, char c) {
  if (!accept(r, c)) fail(r, hd_arena_printf(&r->context->arena, "expected '%c'", c));
}

static hd_str read_word(reader *r) {
  skip(r);
  const char *start = r->at;
  while ((*r->at >= 'a' && *r->at <= 'z') || (*r->at >= 'A' && *r->at <= 'Z') || (*r->at >= '0' && *r->at <= '9') ||
         *r->at == '_' || *r->at == '-')
    ++r->at;
  return (hd_str){start, (size_t)(r->at - start)};
}

static int find_item(const hd_signature_list *list, hd_str name) {
  for (size_t i = 0; i < list->count; ++i)
    if (hd_str_equal(hd_ident_str(list->items[i].name), name)) return (int)i;
  return -1;
}

static void resolve(reader *r, hd_format *f) {
  static const hd_format_kind kinds[] = {HD_FORMAT_OPERAND, HD_FORMAT_ATTR, HD_FORMAT_REGION, HD_FORMAT_RESULT};
  if (r->params) {
    f->kind = HD_FORMAT_ATTR;
    f->index = find_item(r->params, f->text);
    if (f->index < 0) fail(r, "unknown parameter");
    return;
  }
  const hd_signature_list *lists[] = {&r->signature->args, &r->signature->attrs, &r->signature->regions,
                                      &r->signature->results};
  for (int i = 0; i < 4; ++i) {
    f->kind = kinds[i];
    if ((f->index = find_item(lists[i], f->text)) >= 0) {
      if (i == 1 && f->index < 64) r->mentioned |= 1ull << f->index;
      return;
    }
  }
  if (!r->successors) {
    fail(r, "unknown variable");
    return;
  }
  f->kind = HD_FORMAT_SUCCESSOR;
  for (f->index = 0; f->index < r->successor_count; ++f->index)
    if (hd_str_equal(r->successor_names[f->index], f->text)) return;
  if (r->successor_count < 4) r->successor_names[r->successor_count++] = f->text;
}

static bool read_element(reader *r, format_vec *out);

/* Elements up to the closing |stop|; in argument lists commas separate them. */
static void read_list(reader *r, char stop, bool commas, format_vec *out, int *anchor) {
  while (!r->problem) {
    skip(r);
    if (*r->at == stop || !*r->at || (stop == ')' && *r->at == '|')) return;
    if (*r->at == '^' && anchor) {
      ++r->at;
      *anchor = (int)out->len - 1;
      continue;
    }
    if (!read_element(r, out)) return;
    if (commas) accept(r, ',');
  }
}

static void set_args(hd_format *f, const format_vec *args) {
  f->args = args->data;
  f->arg_count = args->len;
}

static void read_args(reader *r, hd_format *f) {
  format_vec args = {0};
  expect(r, '(');
  read_list(r, ')', true, &args, NULL);
  expect(r, ')');
  set_args(f, &args);
}

static void read_group(reader *r, hd_format *f) {
  format_vec then = {0}, otherwise = {0};
  f->kind = HD_FORMAT_GROUP;
  f->anchor = -1;
  read_list(r, ')', false, &then, &f->anchor);
  expect(r, ')');
  set_args(f, &then);
  if (accept(r, ':')) {
    int anchor = -1;
    expect(r, '(');
    read_list(r, ')', false, &otherwise, &anchor);
    expect(r, ')');
    f->otherwise = otherwise.data;
    f->otherwise_count = otherwise.len;
  }
  expect(r, '?');
  if (f->anchor < 0) fail(r, "optional group without anchor");
}

static void read_oilist(reader *r, hd_format *f) {
  format_vec groups = {0};
  f->kind = HD_FORMAT_OILIST;
  expect(r, '(');
  do {
    format_vec items = {0};
    read_list(r, ')', false, &items, NULL);
    hd_format group = {.kind = HD_FORMAT_GROUP, .anchor = 0};
    set_args(&group, &items);
    /* The first variable tells whether the alternative is there. */
    for (size_t i = 0; i < items.len; ++i)
      if (items.data[i].kind == HD_FORMAT_OPERAND || items.data[i].kind == HD_FORMAT_ATTR) {
        group.anchor = (int)i;
        break;
      }
    hd_vec_push(&r->context->arena, &groups, group);
  } while (accept(r, '|'));
  expect(r, ')');
  set_args(f, &groups);
}

static void read_directive(reader *r, hd_str word, hd_format *f, format_vec *out) {
  static const struct {
    const char *name;
    hd_format_kind kind;
    bool args;
  } directives[] = {{"type", HD_FORMAT_TYPE, true},
                    {"attr-dict", HD_FORMAT_ATTR_DICT, false},
                    {"attr-dict-with-keyword", HD_FORMAT_ATTR_DICT_KEYWORD, false},
                    {"prop-dict", HD_FORMAT_PROP_DICT, false},
                    {"operands", HD_FORMAT_OPERANDS, false},
                    {"results", HD_FORMAT_RESULTS, false},
                    {"regions", HD_FORMAT_REGIONS, false},
                    {"successors", HD_FORMAT_SUCCESSORS, false},
                    {"functional-type", HD_FORMAT_FUNCTIONAL_TYPE, true},
                    {"params", HD_FORMAT_PARAMS, false},
                    {"struct", HD_FORMAT_STRUCT, true}};
  if (hd_str_is(word, "qualified") || hd_str_is(word, "ref")) {
    expect(r, '(');
    format_vec inner = {0};
    read_element(r, &inner);
    expect(r, ')');
    if (!inner.len) return;
    *f = inner.data[0];
    if (word.data[0] == 'q')
      f->qualified = true;
    else
      f->ref = true;
    hd_vec_push(&r->context->arena, out, *f);
    return;
  }
  if (hd_str_is(word, "oilist")) {
    read_oilist(r, f);
    hd_vec_push(&r->context->arena, out, *f);
    return;
  }
  if (hd_str_is(word, "custom")) {
    f->kind = HD_FORMAT_CUSTOM;
    expect(r, '<');
    f->text = read_word(r);
    expect(r, '>');
    f->hook = hd_text_hook_find(f->text, r->params != NULL);
    if (!f->hook) fail(r, hd_arena_printf(&r->context->arena, "no hook '%.*s'", (int)f->text.len, f->text.data));
    read_args(r, f);
    hd_vec_push(&r->context->arena, out, *f);
    return;
  }
  for (size_t i = 0; i < sizeof directives / sizeof *directives; ++i) {
    if (!hd_str_is(word, directives[i].name)) continue;
    f->kind = directives[i].kind;
    if (directives[i].args) {
      if (f->kind == HD_FORMAT_STRUCT) {
        expect(r, '(');
        format_vec args = {0};
        skip(r);
        if (strncmp(r->at, "params", 6) == 0)
          r->at += 6;
        else
          read_list(r, ')', true, &args, NULL);
        expect(r, ')');
        set_args(f, &args);
      } else {
        read_args(r, f);
      }
    }
    hd_vec_push(&r->context->arena, out, *f);
    return;
  }
  fail(r, hd_arena_printf(&r->context->arena, "unknown directive '%.*s'", (int)word.len, word.data));
}

static bool read_element(reader *r, format_vec *out) {
  hd_format f = {0};
  skip(r);
  if (*r->at == '`') {
    const char *start = ++r->at;
    while (*r->at && *r->at != '`') ++r->at;
    f.text = (hd_str){start, (size_t)(r->at - start)};
    expect(r, '`');
    f.kind = !f.text.len                ? HD_FORMAT_NO_SPACE
             : hd_str_is(f.text, " ")   ? HD_FORMAT_SPACE
             : hd_str_is(f.text, "\\n") ? HD_FORMAT_NEWLINE
                                        : HD_FORMAT_LITERAL;
    hd_vec_push(&r->context->arena, out, f);
    return true;
  }
  if (*r->at == '"') {
    const char *start = ++r->at;
    while (*r->at && *r->at != '"') ++r->at;
    f.kind = HD_FORMAT_STRING;
    f.text = (hd_str){start, (size_t)(r->at - start)};
    expect(r, '"');
    hd_vec_push(&r->context->arena, out, f);
    return true;
  }
  if (*r->at == '$') {
    ++r->at;
    f.text = read_word(r);
    resolve(r, &f);
    hd_vec_push(&r->context->arena, out, f);
    return !r->problem;
  }
  if (*r->at == '(') {
    ++r->at;
    read_group(r, &f);
    hd_vec_push(&r->context->arena, out, f);
    return !r->problem;
  }
  hd_str word = read_word(r);
  if (!word.len) {
    fail(r, "unexpected character");
    return false;
  }
  read_directive(r, word, &f, out);
  return !r->problem;
}

static hd_format_list read_format(reader *r, const char *format) {
  r->at = format;
  format_vec items = {0};
  read_list(r, '\0', false, &items, NULL);
  if (!r->problem && *r->at) fail(r, "unexpected text");
  return (hd_format_list){items.data, items.len, r->problem, r->mentioned};
}

const hd_format_list *hd_op_format(hd_context *context, hd_opcode opcode) {
  const hd_op_info *info = hd_op_info_of(opcode);
  if (!info->format || opcode == HD_OP_UNREGISTERED) return NULL;
  text_cache *cache = cache_of(context);
  if (!cache->ops[opcode]) {
    reader r = {.context = context, .signature = hd_signature_of(context, opcode)};
    r.successors = (info->traits & HD_TRAIT(HAS_SUCCESSORS)) != 0;
    hd_format_list *list = hd_new(&context->arena, hd_format_list);
    *list = read_format(&r, info->format);
    cache->ops[opcode] = list;
  }
  return cache->ops[opcode];
}

static hd_row_format *read_row(hd_context *context, const hd_attr_row_info *info) {
  hd_row_format *made = hd_new(&context->arena, hd_row_format);
  if (info->is_enum) return made;
  made->params = hd_signature_parse_list(context, info->params);
  reader r = {.context = context, .params = &made->params};
  const char *format = info->format && *info->format ? info->format
                       : made->params.count          ? "`<` struct(params) `>`"
                                                     : "";
  made->format = read_format(&r, format);
  return made;
}

const hd_row_format *hd_attr_row_format(hd_context *context, int row) {
  text_cache *cache = cache_of(context);
  if (!cache->attrs[row]) cache->attrs[row] = read_row(context, hd_attr_row_info_of(row));
  return cache->attrs[row];
}
const hd_row_format *hd_type_row_format(hd_context *context, int row) {
  text_cache *cache = cache_of(context);
  if (!cache->types[row]) cache->types[row] = read_row(context, hd_type_row_info_of(row));
  return cache->types[row];
}

hd_enum_style hd_enum_style_of(int row) {
  const char *format = hd_attr_row_info_of(row)->format;
  hd_enum_style style = {.separator = ", "};
  style.blank = strcmp(format, " ") == 0;
  if (strcmp(format, "<>") == 0) style.angles = true;
  if (strncmp(format, "bits", 4) == 0) {
    style.bits = style.angles = true;
    if (format[4]) style.separator = format + 4;
  }
  if (strncmp(format, "int", 3) == 0) {
    style.integer = true;
    style.width = strcmp(format, "int64") == 0 ? 64 : 32;
  }
  return style;
}

hd_type hd_constraint_number(hd_context *c, hd_str constraint) {
  if (hd_str_is(constraint, "i64")) return hd_i64(c);
  if (hd_str_is(constraint, "i32")) return hd_i32(c);
  if (hd_str_is(constraint, "i16")) return hd_type_integer(c, 16, HD_SIGNLESS);
  if (hd_str_is(constraint, "i8")) return hd_type_integer(c, 8, HD_SIGNLESS);
  if (hd_str_is(constraint, "index")) return hd_type_index(c);
  if (hd_str_is(constraint, "f32")) return hd_f32(c);
  if (hd_str_is(constraint, "f64")) return hd_type_float(c, HD_F64);
  return NULL;
}

int hd_constraint_row(hd_str constraint) {
  const char *dot = constraint.len ? memchr(constraint.data, '.', constraint.len) : NULL;
  if (!dot) return -1;
  size_t left = (size_t)(dot - constraint.data);
  return hd_attr_row_find((hd_str){constraint.data, left}, (hd_str){dot + 1, constraint.len - left - 1});
}

static bool one_of(hd_str literal, const char *set) { return strchr(set, literal.data[0]) != NULL; }

int hd_stripped_row(hd_str constraint) {
  static const int rows[] = {HD_TYPE_ROW_llvm_ptr, HD_TYPE_ROW_tt_ptr, HD_TYPE_ROW_tt_tensordesc,
                             HD_TYPE_ROW_ttg_memdesc};
  for (size_t i = 0; i < sizeof rows / sizeof *rows && constraint.len && constraint.data[0] == '!'; ++i) {
    const hd_attr_row_info *row = hd_type_row_info_of(rows[i]);
    size_t dialect = strlen(row->dialect);
    if (constraint.len == dialect + strlen(row->name) + 2 && !memcmp(constraint.data + 1, row->dialect, dialect) &&
        !memcmp(constraint.data + dialect + 2, row->name, strlen(row->name)))
      return rows[i];
  }
  return -1;
}

bool hd_space_before_literal(hd_str literal, bool punctuation) {
  if (literal.len != 1 && !hd_str_is(literal, "->")) return true;
  if (literal.len != 1) return true;
  return !one_of(literal, punctuation ? ">)}]," : "<>(){}[],");
}
