/* SPDX-License-Identifier: Apache-2.0 */
/* op_headers FOLDER: writes what C code uses of the op rows (src/ir/ops), when Heddle is built:
 *
 *   FOLDER/names.h        enum hd_name: every attribute's and parameter's name, so that a misspelt one does not compile
 *   FOLDER/enums.h        a C enum per ENUM row, and the attribute of a case
 *   FOLDER/structs.h      per STRUCT row: an accessor for each parameter
 *   FOLDER/tables.inc     the texts of the names, and which names each row has (included by ir/names.c)
 *   FOLDER/graph_ops.inc  ELEMENTWISE(opcode) or OTHER(opcode) for each op that has a buffer form: tables check with it
 *                         that they have them all
 *   FOLDER/shape_operands.inc   SHAPE_OPERANDS(opcode, first, count): which operands give the result's shape
 *   FOLDER/discardable.h  per row of discardable.def: an accessor, a setter; of "one_of(...)" a C enum and the texts of
 *                         its cases
 *   FOLDER/interfaces.h   per row of interfaces.def: an accessor for each attribute, of any op of the interface, and
 *                         one ("..._if_any") of any op at all, null where it is none of the interface; the code is in
 *                         interfaces.inc (included by ir/names.c). Where the row names its ops: is an op one of them?
 *   FOLDER/<dialect>.h    per op: an accessor for each attribute, by its index, and a builder where the row tells the
 *                         result's type
 *
 * Names of a row are in the order of their text, so an op's properties are in the order in which MLIR prints them.
 * Stands on the .def files alone, since everything in ir/ is compiled with what it writes. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS(text) text
#define RESULTS(text) text
#define ATTRS(text) text
#define REGIONS(text) text
#define HOOKS(...) " " #__VA_ARGS__

enum { MAX_ITEMS = 64, MAX_NAMES = 4096, MAX_TEXT = 96, MAX_KIND = 256 };

typedef struct row {
  const char *code, *lmhlo; /* "arith_cmpi"; of HLO and MHLO rows the part after the dialect, else null */
  const char *name, *args, *results, *attrs, *regions, *traits, *hooks;
} row;

static const row rows[] = {
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, ...) \
  {#code, NULL, name, args, results, attrs, regions, " " #traits " ", hooks},
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, ...) \
  {"stablehlo_" #code, #code, "stablehlo." name, args, results, attrs, regions, " " #traits " ", hooks},
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, ...) \
  {"mhlo_" #code, #code, "mhlo." name, args, results, attrs, regions, " " #traits " ", hooks},
#include "ir/ops/all_ops.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct attr_row {
  const char *code, *params, *format;
  bool is_enum;
} attr_row;

static const attr_row attr_rows[] = {
#define ENUM(code, dialect, name, cases, format) {#code, cases, format, true},
#define STRUCT(code, dialect, name, params, format) {#code, params, format, false},
#include "ir/ops/attributes.def"
};
enum { ATTR_ROW_COUNT = sizeof attr_rows / sizeof *attr_rows };

static const struct {
  const char *name, *kind, *doc;
} discardable[] = {
#define DISCARDABLE(name, kind, doc) {name, kind, doc},
#include "ir/ops/discardable.def"
};

static const struct {
  const char *code, *ops, *attrs, *doc;
} interfaces[] = {
#define INTERFACE(code, ops, attrs, doc) {#code, ops, attrs, doc},
#include "ir/ops/interfaces.def"
};
enum { INTERFACE_COUNT = sizeof interfaces / sizeof *interfaces };

/* "name: constraint = rule" of a column; arity is '*', '?' or 0; |id| and |kind_id| are name and constraint as C names.
 * */
typedef struct item {
  char name[MAX_TEXT], constraint[MAX_KIND], rule[256], arity, id[MAX_TEXT], kind_id[MAX_KIND];
} item;

static FILE *out;

static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("op_headers: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static void put(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
}

/* The text between the two pointers without blanks around it. */
static void trimmed(char *to, size_t room, const char *from, const char *end) {
  while (from < end && isspace((unsigned char)*from)) ++from;
  while (end > from && isspace((unsigned char)end[-1])) --end;
  if ((size_t)(end - from) >= room) die("'%.*s' is longer than %zu characters", (int)(end - from), from, room - 1);
  memcpy(to, from, (size_t)(end - from));
  to[end - from] = 0;
}

/* "hd.kernel" as part of a C name: hd_kernel; |to| has room for all of it. */
static void c_name(char *to, const char *name) {
  while (*name) *to++ = isalnum((unsigned char)*name) ? *name : '_', ++name;
  *to = 0;
}

/* The same in capitals; good until the fourth call after it. */
static const char *upper(const char *name) {
  static char text[4][MAX_KIND];
  static int turn;
  char *to = text[turn++ & 3];
  c_name(to, name);
  for (char *at = to; *at; ++at) *at = (char)toupper((unsigned char)*at);
  return to;
}

/* The C name of an enum's cases: HD_ARITH_CMPI_EQ of the row arith_cmpi_predicate. */
static const char *case_prefix(const char *code) {
  static char text[MAX_KIND];
  snprintf(text, sizeof text, "%s", upper(code));
  char *suffix = strstr(text, "_PREDICATE"), *comparison = strstr(text, "COMPARISON_DIRECTION");
  if (suffix) *suffix = 0;
  if (comparison) strcpy(comparison, "COMPARE");
  return text;
}

/* Splits a column at its commas outside of brackets. */
static int split(const char *text, item *items) {
  int count = 0;
  for (const char *at = text; *at;) {
    const char *start = at, *colon = NULL, *equals = NULL;
    for (int depth = 0; *at && (depth || *at != ','); ++at) {
      depth += (strchr("[<(", *at) != NULL) - (strchr("]>)", *at) != NULL);
      if (*at == ':' && !colon && !equals) colon = at;
      if (*at == '=' && !equals) equals = at;
    }
    const char *end = at, *constraint_end = equals ? equals : end, *name_end = colon ? colon : constraint_end;
    if (*at) ++at;
    item made = {.arity = 0};
    trimmed(made.name, sizeof made.name, start, name_end);
    if (colon) trimmed(made.constraint, sizeof made.constraint, colon + 1, constraint_end);
    if (equals) trimmed(made.rule, sizeof made.rule, equals + 1, end);
    size_t length = strlen(made.name);
    if (!length) continue;
    if (strchr("*?", made.name[length - 1])) made.arity = made.name[length - 1], made.name[length - 1] = 0;
    if (count == MAX_ITEMS) die("more than %d items in '%s'", MAX_ITEMS, text);
    c_name(made.id, made.name);
    c_name(made.kind_id, made.constraint);
    items[count++] = made;
  }
  return count;
}

static bool has_trait(const row *r, const char *trait) {
  size_t length = strlen(trait);
  for (const char *at = r->traits; (at = strstr(at, trait)); at += length)
    if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && !isalnum((unsigned char)at[length]) && at[length] != '_')
      return true;
  return false;
}

static int by_text(const void *a, const void *b) { return strcmp(((const item *)a)->name, ((const item *)b)->name); }

/* The properties of a row: its attributes, the sizes of its segments, and where its results are (ir/placement.h), in
 * the order of their names. */
static int properties_of(const row *r, item *items) {
  int count = split(r->attrs, items);
  if (has_trait(r, "SEGMENTED_OPERANDS"))
    items[count++] = (item){"operandSegmentSizes", "", "", '?', "operandSegmentSizes", ""};
  if (has_trait(r, "SEGMENTED_RESULTS"))
    items[count++] = (item){"resultSegmentSizes", "", "", '?', "resultSegmentSizes", ""};
  if (r->lmhlo) items[count++] = (item){"hd.placement", "array", "", '?', "hd_placement", "array"};
  qsort(items, (size_t)count, sizeof *items, by_text);
  for (int i = 1; i < count; ++i)
    if (!strcmp(items[i].name, items[i - 1].name)) die("'%s' has two attributes '%s'", r->name, items[i].name);
  return count;
}

static char names[MAX_NAMES][MAX_TEXT];
static int name_count;

static void add_name(const char *name) {
  for (int i = 0; i < name_count; ++i)
    if (!strcmp(names[i], name)) return;
  if (name_count == MAX_NAMES) die("more than %d names", MAX_NAMES);
  snprintf(names[name_count++], MAX_TEXT, "%s", name);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void collect_names(void) {
  item items[MAX_ITEMS + 3];
  for (int i = 0; i < ROW_COUNT; ++i)
    for (int k = properties_of(&rows[i], items); k-- > 0;) add_name(items[k].name);
  for (int i = 0; i < ATTR_ROW_COUNT; ++i)
    for (int k = attr_rows[i].is_enum ? 0 : split(attr_rows[i].params, items); k-- > 0;) add_name(items[k].name);
  for (size_t i = 0; i < sizeof discardable / sizeof *discardable; ++i) add_name(discardable[i].name);
  qsort(names, (size_t)name_count, sizeof *names, by_name);
}

static void open_file(const char *folder, const char *name, const char *guard, const char *says) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  out = fopen(path, "w");
  if (!out) die("cannot write %s", path);
  put("/* %s Written by tools/op_headers.c from src/ir/ops. */\n", says);
  if (guard) put("#ifndef %s\n#define %s\n\n", guard, guard);
}

static void close_file(bool guarded) {
  if (guarded) put("\n#endif\n");
  if (fclose(out)) die("cannot write: the disk may be full");
}

static void write_names(const char *folder) {
  open_file(folder, "names.h", "HD_OPS_NAMES_H_", "Names of attributes and parameters, in the order of their text.");
  put("typedef enum hd_name {\n  HD_NAME_NONE,\n");
  for (int i = 0; i < name_count; ++i) {
    char id[MAX_TEXT];
    c_name(id, names[i]);
    put("  HD_NAME_%s,\n", id);
  }
  put("  HD_NAME_COUNT\n} hd_name;\n");
  close_file(true);
}

/* Row |i| of discardable.def as the item of a column. */
static item discardable_row(size_t i) {
  char column[4 * MAX_TEXT];
  item row;
  snprintf(column, sizeof column, "%s: %s", discardable[i].name, discardable[i].kind);
  if (split(column, &row) != 1) die("'%s' is not one attribute", column);
  return row;
}

/* |what|: "names" of an op's attributes, "params" of a struct's parameters. */
static void write_list(const char *what, const char *of, const item *items, int count) {
  if (!count) return;
  put("static const uint16_t %s_of_%s[] = {", what, of);
  for (int i = 0; i < count; ++i) put("%sHD_NAME_%s", i ? ", " : "", items[i].id);
  put("};\n");
}

static void write_entry(const char *what, const char *index, const char *of, int count) {
  if (count) put("  [%s] = {%d, %s_of_%s},\n", index, count, what, of);
}

#define ONE_OF_START "one_of("

/* The cases of "one_of(a, b)"; 0 of another kind. */
static int one_of(const item *attr, item *cases) {
  char list[MAX_KIND];
  size_t length = strlen(attr->constraint);
  size_t start = strlen(ONE_OF_START);
  if (strncmp(attr->constraint, ONE_OF_START, start) || attr->constraint[length - 1] != ')') return 0;
  trimmed(list, sizeof list, attr->constraint + start, attr->constraint + length - 1);
  int count = split(list, cases);
  if (!count) die("'%s' lists no cases", attr->name);
  return count;
}

/* The name of a discardable attribute in C: kernel of hd.kernel. */
static const char *discardable_id(const item *attr) { return attr->id + (strncmp(attr->name, "hd.", 3) ? 0 : 3); }

static void write_case_texts(void) {
  item cases[MAX_ITEMS];
  for (size_t i = 0; i < sizeof discardable / sizeof *discardable; ++i) {
    item row = discardable_row(i);
    int count = one_of(&row, cases);
    if (!count) continue;
    put("const char *const hd_discardable_%s_texts[] = {\"\"", discardable_id(&row));
    for (int k = 0; k < count; ++k) put(", \"%s\"", cases[k].name);
    put("};\n");
  }
}

static void write_tables(const char *folder) {
  item items[MAX_ITEMS + 3];
  char index[2 * MAX_TEXT];
  open_file(folder, "tables.inc", NULL, "The texts of enum hd_name, and the names that each row has.");
  put("static const char *const name_texts[HD_NAME_COUNT] = {\n  \"\",\n");
  for (int i = 0; i < name_count; ++i) put("  \"%s\",\n", names[i]);
  put("};\n");
  write_case_texts();
  put("static const char *const discardable_kinds[HD_NAME_COUNT] = {\n");
  for (size_t i = 0; i < sizeof discardable / sizeof *discardable; ++i) {
    item row = discardable_row(i);
    put("  [HD_NAME_%s] = \"%s\",\n", row.id, row.constraint);
  }
  put("};\n");
  for (int i = 0; i < ROW_COUNT; ++i) write_list("names", rows[i].code, items, properties_of(&rows[i], items));
  put("static const hd_name_list row_names[HD_OPCODE_COUNT] = {\n");
  for (int i = 0; i < ROW_COUNT; ++i) {
    int count = properties_of(&rows[i], items);
    snprintf(index, sizeof index, "HD_OP_%s", rows[i].code);
    write_entry("names", index, rows[i].code, count);
    if (!rows[i].lmhlo) continue;
    snprintf(index, sizeof index, "HD_OP_lmhlo_%s", rows[i].lmhlo);
    write_entry("names", index, rows[i].code, count);
  }
  put("};\n");
  for (int i = 0; i < ATTR_ROW_COUNT; ++i)
    if (!attr_rows[i].is_enum) write_list("params", attr_rows[i].code, items, split(attr_rows[i].params, items));
  put("static const hd_name_list param_names[HD_ATTR_ROW_COUNT] = {\n");
  for (int i = 0; i < ATTR_ROW_COUNT; ++i) {
    if (attr_rows[i].is_enum) continue;
    snprintf(index, sizeof index, "HD_STRUCT_%s", attr_rows[i].code);
    write_entry("params", index, attr_rows[i].code, split(attr_rows[i].params, items));
  }
  put("};\n");
  close_file(false);
}

static void write_graph_ops(const char *folder) {
  open_file(folder, "graph_ops.inc", NULL, "Ops that have a buffer form.");
  put("#ifndef ELEMENTWISE\n#define ELEMENTWISE(opcode)\n#endif\n#ifndef OTHER\n#define OTHER(opcode)\n#endif\n");
  for (int i = 0; i < ROW_COUNT; ++i)
    if (rows[i].lmhlo) put("%s(%s)\n", has_trait(&rows[i], "ELEMENTWISE") ? "ELEMENTWISE" : "OTHER", rows[i].code);
  put("#undef ELEMENTWISE\n#undef OTHER\n");
  close_file(false);
}

/* They are of the constraints shape_tensor and shape_pairs, one after the other. */
static void write_shape_operands(const char *folder) {
  open_file(folder, "shape_operands.inc", NULL, "Operands that give the shape of the result.");
  for (int i = 0; i < ROW_COUNT; ++i) {
    item args[MAX_ITEMS];
    int count = has_trait(&rows[i], "HLO_DYNAMIC") ? split(rows[i].args, args) : 0, first = 0, end;
    while (first < count && strncmp(args[first].constraint, "shape_", 6) != 0) ++first;
    for (end = first; end < count && !strncmp(args[end].constraint, "shape_", 6) && !args[end].arity;) ++end;
    if (end > first) put("SHAPE_OPERANDS(%s, %d, %d)\n", rows[i].code, first, end - first);
  }
  put("#undef SHAPE_OPERANDS\n");
  close_file(false);
}

static const attr_row *enum_of(const char *kind_id) {
  for (int i = 0; i < ATTR_ROW_COUNT; ++i)
    if (attr_rows[i].is_enum && !strcmp(kind_id, attr_rows[i].code)) return &attr_rows[i];
  return NULL;
}

static void write_enums(const char *folder) {
  open_file(folder, "enums.h", "HD_OPS_ENUMS_H_", "Enum attributes as C enums; flags are bits to be joined.");
  put("#include \"ir/op_info.h\"\n");
  for (int i = 0; i < ATTR_ROW_COUNT; ++i) {
    const attr_row *r = &attr_rows[i];
    if (!r->is_enum) continue;
    item cases[MAX_ITEMS];
    int count = split(r->params, cases);
    put("\ntypedef enum hd_enum_%s {\n", r->code);
    for (int k = 0; k < count; ++k) {
      const char *name = cases[k].name[0] == '_' ? cases[k].name + 1 : cases[k].name;
      put("  HD_%s_%s", case_prefix(r->code), upper(name));
      put(cases[k].rule[0] ? " = %s,\n" : ",\n", cases[k].rule);
    }
    put("} hd_enum_%s;\n", r->code);
    bool is_integer = !strncmp(r->format, "int", 3);
    put("static inline hd_attr hd_attr_of_%s(hd_context *context, hd_enum_%s value) {\n", r->code, r->code);
    if (is_integer)
      put("  return hd_attr_integer(hd_%s(context), value);\n}\n", !strcmp(r->format, "int32") ? "i32" : "i64");
    else
      put("  return hd_attr_enum(context, HD_ENUM_%s, value);\n}\n", r->code);
  }
  close_file(true);
}

/* Attribute constraints with a C type of their own. */
typedef enum kind { RAW, INTEGER, BOOL, STRING, ENUM_CASE, ONE_OF } kind;

static kind kind_of(const item *attr) {
  const char *c = attr->constraint;
  if (!strcmp(c, "i64") || !strcmp(c, "i32") || !strcmp(c, "index")) return INTEGER;
  if (!strcmp(c, "bool") || !strcmp(c, "unit") || !strcmp(c, "unit|bool")) return BOOL;
  if (!strcmp(c, "string")) return STRING;
  if (!strncmp(c, ONE_OF_START, strlen(ONE_OF_START))) return ONE_OF;
  return enum_of(attr->kind_id) ? ENUM_CASE : RAW;
}

/* The value that an absent attribute has: that of the row's default, else the one named in |absent|. */
static const char *default_of(const item *attr, kind k) {
  static char text[3 * MAX_TEXT];
  const char *rule = attr->rule;
  if (k == BOOL) return strstr(rule, "true") ? "true" : "false";
  if (k == INTEGER) {
    snprintf(text, sizeof text, "%s", *rule ? rule : "0");
    text[strcspn(text, " :")] = 0;
    return text;
  }
  /* #dialect<name CASE>, #dialect.name<CASE>, or the number of the case */
  char last[MAX_TEXT];
  const char *end = rule + strcspn(rule, ">"), *start = end;
  while (start > rule && !strchr("< ", start[-1])) --start;
  trimmed(last, sizeof last, start, end);
  if (!*rule || isdigit((unsigned char)*rule))
    snprintf(text, sizeof text, "(hd_enum_%s)%d", attr->kind_id, atoi(rule));
  else
    snprintf(text, sizeof text, "HD_%s_%s", case_prefix(attr->constraint), upper(last));
  return text;
}

/* True of the properties that properties_of adds to the row's own. */
static bool is_added(const item *property) {
  return !strcmp(property->name, "hd.placement") || !strcmp(property->name, "operandSegmentSizes") ||
         !strcmp(property->name, "resultSegmentSizes");
}

/* hd_CODE_ATTR(of) of a kind with a C type, from hd_CODE_ATTR_attr(of); |of| is of |type|. */
static void write_typed_of(const char *code, const item *attr, const char *type, const char *of) {
  static const char *const types[] = {[INTEGER] = "int64_t ", [BOOL] = "bool ", [STRING] = "hd_str "};
  kind k = kind_of(attr);
  char get[4 * MAX_TEXT];
  snprintf(get, sizeof get, "hd_%s_%s_attr(%s)", code, attr->id, of);
  if (k == RAW) return;
  if (k == ENUM_CASE || k == ONE_OF)
    put("static inline hd_enum_%s ", k == ONE_OF ? attr->id : attr->kind_id);
  else
    put("static inline %s", types[k]);
  put("hd_%s_%s(%s%s) {\n  return ", code, attr->id, type, of);
  if (k == STRING)
    put("hd_attr_text(%s);\n}\n", get);
  else if (k == BOOL)
    put("hd_attr_bool_or(%s, %s);\n}\n", get, default_of(attr, k));
  else if (k == INTEGER)
    put("hd_attr_int_or(%s, %s);\n}\n", get, default_of(attr, k));
  else if (k == ONE_OF)
    put("(hd_enum_%s)hd_attr_text_in(%s, hd_%s_%s_texts, HD_%s_COUNT);\n}\n", attr->id, get, code, attr->id,
        upper(attr->id));
  else
    put("(hd_enum_%s)hd_attr_int_or(%s, %s);\n}\n", attr->kind_id, get, default_of(attr, k));
}

static void write_typed(const char *code, const item *attr) { write_typed_of(code, attr, "const hd_op *", "op"); }

/* hd_attr_stablehlo_dot_lhs_contracting_dimensions(structure); null or the default of another attribute. */
static void write_structs(const char *folder) {
  item params[MAX_ITEMS];
  char code[2 * MAX_TEXT];
  open_file(folder, "structs.h", "HD_OPS_STRUCTS_H_", "Accessors of the parameters of struct attributes.");
  put("#include \"ir/ops/enums.h\"\n\n");
  for (int i = 0; i < ATTR_ROW_COUNT; ++i) {
    if (attr_rows[i].is_enum) continue;
    snprintf(code, sizeof code, "attr_%s", attr_rows[i].code);
    for (int k = 0, count = split(attr_rows[i].params, params); k < count; ++k) {
      put("static inline hd_attr hd_%s_%s%s(hd_attr of) { return hd_struct_param(of, HD_STRUCT_%s, %d); }\n", code,
          params[k].id, kind_of(&params[k]) == RAW ? "" : "_attr", attr_rows[i].code, k);
      write_typed_of(code, &params[k], "hd_attr ", "of");
    }
  }
  close_file(true);
}

static void write_accessors(const row *r) {
  item items[MAX_ITEMS + 3];
  int count = properties_of(r, items);
  for (int i = 0; i < count; ++i) {
    if (is_added(&items[i])) continue;
    const char *name = items[i].id;
    kind k = kind_of(&items[i]);
    put("static inline hd_attr hd_%s_%s%s(const hd_op *op) { return hd_op_property(op, HD_OP_%s, %d); }\n", r->code,
        name, k == RAW ? "" : "_attr", r->code, i);
    put("static inline void hd_%s_set_%s(hd_op *op, hd_attr value) { hd_op_set_property(op, HD_OP_%s, %d, value); }\n",
        r->code, name, r->code, i);
    write_typed(r->code, &items[i]);
  }
}

/* True of the interface's op |r|: named by the row, of its trait ("@TRAIT"), or with all its attributes ("*"). */
static bool is_member(int interface, const row *r) {
  const char *ops = interfaces[interface].ops;
  if (*ops == '@') return has_trait(r, ops + 1);
  if (*ops != '*') {
    size_t length = strlen(r->code);
    for (const char *at = ops; (at = strstr(at, r->code)); at += length)
      if ((at == ops || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
    return false;
  }
  item wanted[MAX_ITEMS], items[MAX_ITEMS + 3];
  int count = split(interfaces[interface].attrs, wanted), own = properties_of(r, items);
  for (int i = 0, k; i < count; ++i) {
    for (k = 0; k < own && strcmp(items[k].name, wanted[i].name); ++k) {
    }
    if (k == own) return false;
  }
  return strncmp(r->name, "vhlo.", 5) != 0;
}

/* The index of the attribute in |r|, -1 when it has none. */
static int find_property(const row *r, const char *name, item *found) {
  item items[MAX_ITEMS + 3];
  for (int i = properties_of(r, items); i-- > 0;)
    if (!strcmp(items[i].name, name)) return *found = items[i], i;
  return -1;
}

/* The attribute as the ops of the interface have it: of no kind where they differ. */
static item common_attr(int interface, const char *name) {
  item common = {.name = ""}, one;
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (!is_member(interface, &rows[i]) || find_property(&rows[i], name, &one) < 0) continue;
    if (!*common.name) common = one;
    bool same = kind_of(&one) == kind_of(&common) && !strcmp(one.kind_id, common.kind_id);
    if (!same || strcmp(one.rule, common.rule))
      snprintf(common.constraint, sizeof common.constraint, "any"), c_name(common.kind_id, "any");
  }
  if (!*common.name) die("no op of the interface '%s' has '%s'", interfaces[interface].code, name);
  return common;
}

static bool names_its_ops(int interface) { return !strchr("@*", *interfaces[interface].ops); }

static void check_ops(int interface) {
  int listed = names_its_ops(interface), found = 0;
  for (const char *at = interfaces[interface].ops; listed && *at; ++at) listed += *at == ' ';
  for (int i = 0; i < ROW_COUNT; ++i) found += is_member(interface, &rows[i]);
  if (!found || (listed && found != listed))
    die("the interface '%s' lists an op without a row", interfaces[interface].code);
}

static void put_cases(const row *r) {
  put("    case HD_OP_%s: ", r->code);
  if (r->lmhlo) put("case HD_OP_lmhlo_%s: ", r->lmhlo);
}

static void write_membership(int interface) {
  put("static inline bool hd_is_%s(const hd_op *op) {\n", interfaces[interface].code);
  put("  if (!op) return false;\n  switch (op->info->opcode) {\n");
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (!is_member(interface, &rows[i])) continue;
    put_cases(&rows[i]);
    put("return true;\n");
  }
  put("    default: return false;\n  }\n}\n");
}

static void write_interfaces(const char *folder) {
  item attrs[MAX_ITEMS];
  open_file(folder, "interfaces.h", "HD_OPS_INTERFACES_H_", "Accessors of attributes that several ops have.");
  put("#include \"ir/op.h\"\n#include \"ir/ops/structs.h\"\n");
  for (int i = 0; i < INTERFACE_COUNT; ++i) {
    check_ops(i);
    put("\n/* %s */\n", interfaces[i].doc);
    if (names_its_ops(i)) write_membership(i);
    for (int k = 0, count = split(interfaces[i].attrs, attrs); k < count; ++k) {
      item attr = common_attr(i, attrs[k].name);
      const char *suffix = kind_of(&attr) == RAW ? "" : "_attr";
      put("hd_attr hd_%s_%s%s(const hd_op *op);\n", interfaces[i].code, attr.id, suffix);
      put("hd_attr hd_%s_%s_if_any(const hd_op *op);\n", interfaces[i].code, attr.id);
      put("void hd_%s_set_%s(hd_op *op, hd_attr value);\n", interfaces[i].code, attr.id);
      write_typed(interfaces[i].code, &attr);
    }
  }
  close_file(true);
}

/* The address of the property in each op of the interface; null in those that lack it. */
static void write_slot(int interface, const char *name, const char *id) {
  put("static hd_attr *slot_%s_%s(const hd_op *op, bool any) {\n", interfaces[interface].code, id);
  put("  (void)any;\n  switch (op->info->opcode) {\n");
  for (int i = 0; i < ROW_COUNT; ++i) {
    item found;
    if (!is_member(interface, &rows[i])) continue;
    int index = find_property(&rows[i], name, &found);
    put_cases(&rows[i]);
    if (index >= 0)
      put("return &op->properties[%d];\n", index);
    else
      put("return NULL;\n");
  }
  put("    default: assert(any && \"an op of the interface %s\"); return NULL;\n  }\n}\n", interfaces[interface].code);
}

static void write_interface_code(const char *folder) {
  item attrs[MAX_ITEMS];
  open_file(folder, "interfaces.inc", NULL, "Accessors of attributes that several ops have.");
  for (int i = 0; i < INTERFACE_COUNT; ++i)
    for (int k = 0, count = split(interfaces[i].attrs, attrs); k < count; ++k) {
      item attr = common_attr(i, attrs[k].name);
      const char *code = interfaces[i].code, *suffix = kind_of(&attr) == RAW ? "" : "_attr";
      write_slot(i, attr.name, attr.id);
      put("hd_attr hd_%s_%s%s(const hd_op *op) {\n", code, attr.id, suffix);
      put("  hd_attr *slot = slot_%s_%s(op, false);\n  return slot ? *slot : NULL;\n}\n", code, attr.id);
      put("hd_attr hd_%s_%s_if_any(const hd_op *op) {\n", code, attr.id);
      put("  hd_attr *slot = slot_%s_%s(op, true);\n  return slot ? *slot : NULL;\n}\n", code, attr.id);
      put("void hd_%s_set_%s(hd_op *op, hd_attr value) {\n", code, attr.id);
      put("  hd_attr *slot = slot_%s_%s(op, false);\n  assert(slot);\n  if (slot) *slot = value;\n}\n", code, attr.id);
    }
  close_file(false);
}

static const char *const discardable_setters[] = {
    [RAW] = "hd_attr value) { hd_op_attr_set(op, HD_NAME_%s, value); }\n",
    [INTEGER] = "int64_t value) {\n  hd_op_attr_set(op, HD_NAME_%s, hd_attr_i64(hd_op_context(op), value));\n}\n",
    [BOOL] = "bool value) {\n  hd_op_attr_set(op, HD_NAME_%s, value ? hd_attr_unit(hd_op_context(op)) : NULL);\n}\n",
    [STRING] =
        "const char *value) {\n  hd_op_attr_set(op, HD_NAME_%s, hd_attr_cstring(hd_op_context(op), value));\n}\n",
};

/* The enum of |row| of "one_of(...)", the texts of its cases, and its setter, which removes the attribute by NONE. */
static void write_one_of(const item *row, const char *name) {
  item cases[MAX_ITEMS];
  int count = one_of(row, cases);
  const char *id = row->id;
  char prefix[MAX_KIND];
  snprintf(prefix, sizeof prefix, "%s", upper(id));
  put("typedef enum hd_enum_%s {\n  HD_%s_NONE,\n", id, prefix);
  for (int k = 0; k < count; ++k) put("  HD_%s_%s,\n", prefix, upper(cases[k].name));
  put("  HD_%s_COUNT\n} hd_enum_%s;\n", prefix, id);
  put("extern const char *const hd_discardable_%s_texts[];\n", id);
  put("static inline const char *hd_text_of_%s(hd_enum_%s value) { return hd_discardable_%s_texts[value]; }\n", id, id,
      id);
  put("static inline void hd_discardable_set_%s(hd_op *op, hd_enum_%s value) {\n"
      "  hd_op_attr_set(op, HD_NAME_%s, value ? hd_attr_cstring(hd_op_context(op), hd_text_of_%s(value)) : NULL);\n}\n",
      id, id, name, id);
}

/* hd.kernel is hd_discardable_kernel. Placements are read by ir/placement.h: some ops have them as a property. */
static void write_discardable(const char *folder) {
  open_file(folder, "discardable.h", "HD_OPS_DISCARDABLE_H_", "Accessors of discardable attributes.");
  put("#include \"ir/op.h\"\n\n");
  put("static inline hd_attr hd_discardable_get_(const hd_op *op, hd_name name) {\n"
      "  if (!op->attr_count) return NULL;\n"
      "  hd_ident ident = hd_name_ident(hd_op_context(op), name);\n"
      "  for (uint32_t i = 0; i < op->attr_count; ++i)\n"
      "    if (op->attrs[i].name == ident) return op->attrs[i].value;\n"
      "  return NULL;\n}\n");
  for (size_t i = 0; i < sizeof discardable / sizeof *discardable; ++i) {
    item row = discardable_row(i);
    if (!strcmp(row.name, "hd.placement")) continue;
    char id[MAX_TEXT];
    memcpy(id, row.id, sizeof id);
    memmove(row.id, discardable_id(&row), strlen(discardable_id(&row)) + 1);
    kind k = kind_of(&row);
    put("\n/* %s */\n", discardable[i].doc);
    put("static inline hd_attr hd_discardable_%s%s(const hd_op *op) { return hd_discardable_get_(op, HD_NAME_%s); }\n",
        row.id, k == RAW ? "" : "_attr", id);
    if (k == ONE_OF) write_one_of(&row, id);
    write_typed("discardable", &row);
    if (k != ONE_OF) {
      put("static inline void hd_discardable_set_%s(hd_op *op, ", row.id);
      put(discardable_setters[k], id);
    }
    if (k == INTEGER || k == STRING || k == ONE_OF)
      put("static inline void hd_discardable_set_%s_attr(hd_op *op, hd_attr value) { hd_op_attr_set(op, HD_NAME_%s, "
          "value); }\n",
          row.id, id);
  }
  close_file(true);
}

/* How a builder finds the type of the one result ("NULL": by the hook of the row); null when the caller has to say it.
 * */
static const char *result_type(const row *r, const item *args, int arg_count, const item *result) {
  static char text[3 * MAX_TEXT];
  const char *rule = result->rule;
  char of[MAX_TEXT] = "";
  const char *open = strchr(rule, '(');
  if (open) trimmed(of, sizeof of, open + 1, rule + strcspn(rule, ")"));
  for (int i = 0; i < arg_count; ++i) {
    if (!strcmp(args[i].name, rule)) return snprintf(text, sizeof text, "%s->type", rule), text;
    if (!strcmp(args[i].name, of) && !strncmp(rule, "bool(", 5))
      return snprintf(text, sizeof text, "hd_type_bool_like(%s->type)", of), text;
  }
  if (*rule) return NULL;
  if (arg_count && (has_trait(r, "SAME_TYPE") || (arg_count == 1 && has_trait(r, "COMPATIBLE_TYPE"))))
    return snprintf(text, sizeof text, "%s->type", args[0].name), text;
  static const char *const fixed[][2] = {
      {"i1", "hd_i1"}, {"i32", "hd_i32"}, {"i64", "hd_i64"}, {"index", "hd_type_index"}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
    if (!strcmp(result->constraint, fixed[i][0]))
      return snprintf(text, sizeof text, "%s(builder->context)", fixed[i][1]), text;
  bool infers = strstr(r->hooks, " SHAPE(") || strstr(r->hooks, " INFER(");
  return infers && !has_trait(r, "DECLARED_RESULT") ? "NULL" : NULL;
}

/* hd_arith_cmpi(b, HD_ARITH_CMPI_SLT, x, y): required attributes, then operands, after the builder and, where
 * the row does not tell it, the result's type. For ops of one result and no region, whose last operands at most may
 * be any number: hd_stablehlo_concatenate(b, dimension, inputs, inputs_count). */
static void write_builder(const row *r) {
  item args[MAX_ITEMS], results[MAX_ITEMS], attrs[MAX_ITEMS];
  int arg_count = split(r->args, args), result_count = split(r->results, results), attr_count = split(r->attrs, attrs);
  if (result_count != 1 || results[0].arity || *r->regions || has_trait(r, "HAS_SUCCESSORS")) return;
  for (int i = 0; i < arg_count; ++i)
    if (args[i].arity == '?' || (args[i].arity && i + 1 < arg_count)) return;
  bool variadic = arg_count && args[arg_count - 1].arity;
  int fixed = arg_count - variadic;
  const char *type = result_type(r, args, arg_count, &results[0]);
  put("static inline hd_value *hd_%s(hd_builder *builder", r->code);
  if (!type) put(", hd_type type");
  int given = 0;
  for (int i = 0; i < attr_count; ++i) {
    if (attrs[i].arity) continue;
    ++given;
    kind k = kind_of(&attrs[i]);
    if (k == ENUM_CASE)
      put(", hd_enum_%s %s", attrs[i].kind_id, attrs[i].id);
    else if (k == INTEGER)
      put(", int64_t %s", attrs[i].id);
    else if (k == BOOL)
      put(", bool %s", attrs[i].id);
    else if (k == STRING)
      put(", hd_str %s", attrs[i].id);
    else
      put(", hd_attr %s", attrs[i].id);
  }
  for (int i = 0; i < fixed; ++i) put(", hd_value *%s", args[i].name);
  if (variadic) put(", hd_value *const *%s, size_t %s_count", args[fixed].name, args[fixed].name);
  put(") {\n");
  if (given) {
    put("  hd_attr_arg attrs[] = {");
    for (int i = 0; i < attr_count; ++i) {
      if (attrs[i].arity) continue;
      const char *name = attrs[i].id;
      put("{HD_NAME_%s, ", name);
      kind k = kind_of(&attrs[i]);
      if (k == ENUM_CASE)
        put("hd_attr_of_%s(builder->context, %s)}, ", attrs[i].kind_id, name);
      else if (k == INTEGER)
        put("hd_attr_%s(builder->context, %s)}, ", attrs[i].constraint, name);
      else if (k == BOOL)
        put("hd_attr_bool(builder->context, %s)}, ", name);
      else if (k == STRING)
        put("hd_attr_string(builder->context, %s)}, ", name);
      else
        put("%s}, ", name);
    }
    put("};\n");
  }
  put("  return hd_build_%s_(builder, HD_OP_%s, %s, ", variadic && fixed ? "joined" : "one", r->code,
      type ? type : "type");
  if (fixed) {
    put("(hd_value *[]){");
    for (int i = 0; i < fixed; ++i) put("%s%s", i ? ", " : "", args[i].name);
    put("}, %d, ", fixed);
  } else if (!variadic) {
    put("NULL, 0, ");
  }
  if (variadic) put("%s, %s_count, ", args[fixed].name, args[fixed].name);
  put(given ? "attrs, %d);\n}\n" : "NULL, %d);\n}\n", given);
}

static void write_dialect(const char *folder, const char *dialect) {
  char file[MAX_TEXT + 4], guard[2 * MAX_TEXT];
  snprintf(file, sizeof file, "%s.h", dialect);
  snprintf(guard, sizeof guard, "HD_OPS_%s_H_", upper(dialect));
  open_file(folder, file, guard, "Accessors of attributes and builders of ops.");
  put("#include \"ir/builder.h\"\n#include \"ir/ops/structs.h\"\n\n");
  size_t length = strlen(dialect);
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (strncmp(rows[i].name, dialect, length) || rows[i].name[length] != '.') continue;
    write_accessors(&rows[i]);
    write_builder(&rows[i]);
  }
  close_file(true);
}

int main(int argc, char **argv) {
  if (argc != 2) die("expected one argument, the folder to write to, got %d", argc - 1);
  collect_names();
  write_names(argv[1]);
  write_tables(argv[1]);
  write_enums(argv[1]);
  write_structs(argv[1]);
  write_graph_ops(argv[1]);
  write_shape_operands(argv[1]);
  write_discardable(argv[1]);
  write_interfaces(argv[1]);
  write_interface_code(argv[1]);
  char seen[64][MAX_TEXT];
  int count = 0;
  for (int i = 0; i < ROW_COUNT; ++i) {
    char dialect[MAX_TEXT];
    trimmed(dialect, sizeof dialect, rows[i].name, strchr(rows[i].name, '.'));
    int k = 0;
    while (k < count && strcmp(seen[k], dialect)) ++k;
    if (k < count) continue;
    if (count == 64) die("more than 64 dialects");
    snprintf(seen[count++], MAX_TEXT, "%s", dialect);
    write_dialect(argv[1], dialect);
  }
  return 0;
}
