/* SPDX-License-Identifier: Apache-2.0 */
/* Prints attributes, locations and affine expressions. */
#include <inttypes.h>

#include "ir/number.h"
#include "ir/wide.h"
#include "text/printer.h"

/* Dense attributes of more elements are written as one hexadecimal string; those of i1 are not, since versions of MLIR
 * read such a string of i1 as bits, others as bytes. */
enum { HEX_ABOVE = 100 };

static void print_integer(hd_printer *out, hd_type type, int64_t value) {
  if (hd_type_is_integer(type, 1) && type->integer.signedness == HD_SIGNLESS)
    hd_puts(out, value ? "true" : "false");
  else if (type->kind == HD_TYPE_INTEGER && type->integer.signedness == HD_UNSIGNED)
    hd_printf(out, "%" PRIu64, (uint64_t)value);
  else
    hd_printf(out, "%" PRId64, value);
}

static void print_wide(hd_printer *out, hd_type type, const char *pattern) {
  if (type->kind == HD_TYPE_FLOAT)
    hd_print_wide_float(out->out, type, pattern);
  else
    hd_wide_integer_print(type, pattern, out->out);
}

static void print_scalar(hd_printer *out, hd_type type, const char *data) {
  if (type->kind == HD_TYPE_COMPLEX) {
    size_t half = hd_type_element_bytes(type->shaped.element);
    hd_putc(out, '(');
    print_scalar(out, type->shaped.element, data);
    hd_putc(out, ',');
    print_scalar(out, type->shaped.element, data + half);
    hd_putc(out, ')');
  } else if (hd_type_is_wide(type)) {
    print_wide(out, type, data);
  } else if (type->kind == HD_TYPE_FLOAT) {
    hd_print_float(out->out, type->float_kind, (uint64_t)hd_element_load(type, data));
  } else {
    print_integer(out, type, hd_element_load(type, data));
  }
}

typedef struct nest {
  hd_printer *out;
  const int64_t *dims;
  uint32_t rank;
  void (*item)(hd_printer *out, hd_attr attr, size_t i);
  hd_attr attr;
  size_t next;
} nest;

static void print_nested(nest *n, uint32_t level) {
  if (level == n->rank) {
    n->item(n->out, n->attr, n->next++);
    return;
  }
  hd_putc(n->out, '[');
  for (int64_t i = 0; i < n->dims[level]; ++i) {
    if (i) hd_puts(n->out, ", ");
    print_nested(n, level + 1);
  }
  hd_putc(n->out, ']');
}

static hd_type element_of(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_QUANT ? element->quant.storage : element;
}

static void dense_item(hd_printer *out, hd_attr attr, size_t i) {
  print_scalar(out, element_of(attr->type), hd_attr_element_data(attr, i));
}
static void string_item(hd_printer *out, hd_attr attr, size_t i) {
  hd_print_escaped(out->out, hd_ident_str(attr->array.items[attr->array.count == 1 ? 0 : i]->string));
}

static void print_hex(hd_printer *out, const char *data, size_t size) {
  static const char digits[] = "0123456789ABCDEF";
  hd_puts(out, "\"0x");
  char chunk[512];
  for (size_t i = 0; i < size;) {
    size_t used = 0;
    for (; i < size && used < sizeof chunk; ++i) {
      chunk[used++] = digits[(unsigned char)data[i] >> 4];
      chunk[used++] = digits[(unsigned char)data[i] & 15];
    }
    hd_strbuf_put(out->out, chunk, used);
  }
  hd_putc(out, '"');
}

static void print_dense(hd_printer *out, hd_attr attr) {
  size_t count = hd_attr_count(attr);
  if (out->options.elide_larger_than && !attr->dense.splat && count > out->options.elide_larger_than) {
    hd_puts(out, "dense_resource<__elided__>");
    return;
  }
  hd_puts(out, "dense<");
  if (attr->dense.splat && count)
    dense_item(out, attr, 0);
  else if (count > HEX_ABOVE && !hd_type_is_integer(element_of(attr->type), 1))
    print_hex(out, attr->dense.data, attr->dense.size);
  else if (count)
    print_nested(&(nest){out, attr->type->shaped.dims, attr->type->shaped.rank, dense_item, attr, 0}, 0);
  hd_putc(out, '>');
}

static void print_strings(hd_printer *out, hd_attr attr) {
  int64_t count = hd_type_num_elements(attr->type);
  hd_puts(out, "dense<");
  if (attr->array.count == 1)
    string_item(out, attr, 0);
  else if (count > 0)
    print_nested(&(nest){out, attr->type->shaped.dims, attr->type->shaped.rank, string_item, attr, 0}, 0);
  hd_putc(out, '>');
}

static void print_sparse(hd_printer *out, hd_attr attr) {
  hd_puts(out, "sparse<");
  hd_attr both[] = {attr->sparse.indices, attr->sparse.values};
  for (int i = 0; i < 2 && hd_attr_count(both[1]); ++i) {
    if (i) hd_puts(out, ", ");
    if (both[i]->dense.splat)
      dense_item(out, both[i], 0);
    else
      print_nested(&(nest){out, both[i]->type->shaped.dims, both[i]->type->shaped.rank, dense_item, both[i], 0}, 0);
  }
  hd_putc(out, '>');
}

/* Affine expressions: |strong| asks for brackets around sums. */
static void print_expr(hd_printer *out, hd_affine e, bool strong) {
  const char *operator = NULL;
  switch (e->kind) {
    case HD_AFFINE_CONST:
      hd_printf(out, "%" PRId64, e->value);
      return;
    case HD_AFFINE_DIM:
      hd_printf(out, "d%" PRId64, e->value);
      return;
    case HD_AFFINE_SYMBOL:
      hd_printf(out, "s%" PRId64, e->value);
      return;
    case HD_AFFINE_MUL:
      operator = " * ";
      break;
    case HD_AFFINE_MOD:
      operator = " mod ";
      break;
    case HD_AFFINE_FLOORDIV:
      operator = " floordiv ";
      break;
    case HD_AFFINE_CEILDIV:
      operator = " ceildiv ";
      break;
    case HD_AFFINE_ADD:
      break;
  }
  if (strong) hd_putc(out, '(');
  if (e->kind != HD_AFFINE_ADD) {
    bool minus = e->kind == HD_AFFINE_MUL && e->rhs->kind == HD_AFFINE_CONST && e->rhs->value == -1;
    if (minus) {
      hd_putc(out, '-');
      print_expr(out, e->lhs, true);
    } else {
      print_expr(out, e->lhs, true);
      hd_puts(out, operator);
      print_expr(out, e->rhs, true);
    }
  } else {
    hd_affine rhs = e->rhs;
    if (rhs->kind == HD_AFFINE_MUL && rhs->rhs->kind == HD_AFFINE_CONST && rhs->rhs->value == -1) { /* a + b * -1 */
      print_expr(out, e->lhs, false);
      hd_puts(out, " - ");
      print_expr(out, rhs->lhs, rhs->lhs->kind == HD_AFFINE_ADD);
    } else if (rhs->kind == HD_AFFINE_MUL && rhs->rhs->kind == HD_AFFINE_CONST &&
               rhs->rhs->value < -1) { /* a + b * -c */
      print_expr(out, e->lhs, false);
      hd_puts(out, " - ");
      print_expr(out, rhs->lhs, true);
      hd_printf(out, " * %" PRIu64, 0 - (uint64_t)rhs->rhs->value);
    } else if (rhs->kind == HD_AFFINE_CONST && rhs->value < 0) {
      print_expr(out, e->lhs, false);
      hd_printf(out, " - %" PRIu64, 0 - (uint64_t)rhs->value);
    } else {
      print_expr(out, e->lhs, false);
      hd_puts(out, " + ");
      print_expr(out, rhs, false);
    }
  }
  if (strong) hd_putc(out, ')');
}

static void print_names(hd_printer *out, char letter, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) hd_printf(out, "%s%c%u", i ? ", " : "", letter, i);
}

void hd_print_affine_map_body(hd_printer *out, hd_attr attr) {
  bool set = attr->kind == HD_ATTR_AFFINE_SET;
  hd_putc(out, '(');
  print_names(out, 'd', attr->affine.dims);
  hd_putc(out, ')');
  if (attr->affine.symbols) {
    hd_putc(out, '[');
    print_names(out, 's', attr->affine.symbols);
    hd_putc(out, ']');
  }
  hd_puts(out, set ? " : (" : " -> (");
  for (uint32_t i = 0; i < attr->affine.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_expr(out, attr->affine.results[i], false);
    if (set) hd_puts(out, attr->affine.equality && attr->affine.equality[i] ? " == 0" : " >= 0");
  }
  hd_putc(out, ')');
}

static void print_affine(hd_printer *out, hd_attr attr) {
  hd_puts(out, attr->kind == HD_ATTR_AFFINE_SET ? "affine_set<" : "affine_map<");
  hd_print_affine_map_body(out, attr);
  hd_putc(out, '>');
}

/* What is inside loc(...), in full; parts by their aliases. */
static void print_loc_body(hd_printer *out, hd_loc loc);

static void print_loc_part(hd_printer *out, hd_loc loc) {
  if (!hd_visit_attr(out, loc) && !hd_print_attr_alias(out, loc)) print_loc_body(out, loc);
}

static void print_loc_body(hd_printer *out, hd_loc loc) {
  switch (loc->kind) {
    case HD_ATTR_LOC_FILE:
      hd_print_escaped(out->out, hd_ident_str(loc->loc.name));
      hd_printf(out, ":%u:%u", loc->loc.line, loc->loc.column);
      if (!loc->loc.end_line && !loc->loc.end_column) break;
      hd_puts(out, " to ");
      if (loc->loc.end_line != loc->loc.line) hd_printf(out, "%u", loc->loc.end_line);
      hd_printf(out, ":%u", loc->loc.end_column);
      break;
    case HD_ATTR_LOC_NAME:
      hd_print_escaped(out->out, hd_ident_str(loc->loc.name));
      if (!loc->loc.count) break;
      hd_putc(out, '(');
      print_loc_part(out, loc->loc.children[0]);
      hd_putc(out, ')');
      break;
    case HD_ATTR_LOC_CALLSITE:
      hd_puts(out, "callsite(");
      print_loc_part(out, loc->loc.children[0]);
      hd_puts(out, " at ");
      print_loc_part(out, loc->loc.children[1]);
      hd_putc(out, ')');
      break;
    case HD_ATTR_LOC_FUSED:
      hd_puts(out, "fused");
      if (loc->loc.metadata) {
        hd_putc(out, '<');
        hd_print_attr(out, loc->loc.metadata, HD_TYPE_NEVER);
        hd_putc(out, '>');
      }
      hd_putc(out, '[');
      for (uint32_t i = 0; i < loc->loc.count; ++i) {
        if (i) hd_puts(out, ", ");
        print_loc_part(out, loc->loc.children[i]);
      }
      hd_putc(out, ']');
      break;
    default:
      hd_puts(out, "unknown");
      break;
  }
}

void hd_print_trailing_loc(hd_printer *out, hd_loc loc) {
  if (!out->options.locations || hd_is_visiting(out)) return;
  hd_puts(out, " loc(");
  print_loc_part(out, loc ? loc : hd_loc_unknown(out->context));
  hd_putc(out, ')');
}

void hd_print_arg_loc(hd_printer *out, const hd_value *arg) {
  if (!out->options.locations) return;
  hd_loc loc = hd_value_loc(arg);
  if (hd_visit_loc(out, loc, false)) return;
  hd_puts(out, " loc(");
  print_loc_body(out, loc);
  hd_putc(out, ')');
}

void hd_print_dict_body(hd_printer *out, hd_attr dict) {
  hd_putc(out, '{');
  for (uint32_t i = 0; i < dict->dict.count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_word_or_string(out->out, hd_ident_str(dict->dict.items[i].name));
    if (dict->dict.items[i].value->kind == HD_ATTR_UNIT) continue;
    hd_puts(out, " = ");
    hd_print_attr(out, dict->dict.items[i].value, HD_TYPE_NEVER);
  }
  hd_putc(out, '}');
}

static void print_dense_array(hd_printer *out, hd_attr attr) {
  hd_type element = attr->dense.element;
  hd_puts(out, "array<");
  hd_print_type(out, element);
  if (attr->dense.count) hd_puts(out, ": ");
  size_t bytes = hd_type_element_bytes(element);
  for (size_t i = 0; i < attr->dense.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_scalar(out, element, attr->dense.data + i * bytes);
  }
  hd_putc(out, '>');
}

static void print_strided(hd_printer *out, hd_attr attr) {
  hd_puts(out, "strided<[");
  for (uint32_t i = 0; i < attr->strided.rank; ++i) {
    if (i) hd_puts(out, ", ");
    if (attr->strided.strides[i] == HD_DYNAMIC)
      hd_putc(out, '?');
    else
      hd_printf(out, "%" PRId64, attr->strided.strides[i]);
  }
  hd_putc(out, ']');
  if (attr->strided.offset == HD_DYNAMIC)
    hd_puts(out, ", offset: ?");
  else if (attr->strided.offset)
    hd_printf(out, ", offset: %" PRId64, attr->strided.offset);
  hd_putc(out, '>');
}

/* The body decides between the two spellings: #d<name CASE> when it begins with a blank, #d.name<...> otherwise. */
static void print_row_attr(hd_printer *out, hd_attr attr) {
  bool is_enum = attr->kind == HD_ATTR_ENUM;
  int row = is_enum ? attr->enumerant.row : attr->structure.row;
  const hd_attr_row_info *info = hd_attr_row_info_of(row);
  hd_strbuf *outer = out->out, body;
  hd_strbuf_init(&body, &out->scratch);
  out->out = &body;
  if (is_enum) {
    if (!hd_enum_style_of(row).angles) hd_putc(out, ' ');
    hd_print_enum_case(out, row, attr->enumerant.value);
  } else {
    hd_print_row_params(out, hd_attr_row_format(out->context, row), attr->structure.params, (hd_spacing){true, false});
  }
  out->out = outer;
  bool pretty = body.len == 0 || body.data[0] == '<';
  hd_printf(out, pretty ? "#%s.%s" : "#%s<%s", info->dialect, info->name);
  hd_puts(out, hd_strbuf_text(&body));
  if (!pretty) hd_putc(out, '>');
}

/* Distinct attributes are counted as they are printed. */
static int64_t distinct_number(hd_printer *out, hd_attr attr) {
  if (hd_is_visiting(out)) return 0;
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&out->scratch, &out->distinct, attr, &is_new);
  if (is_new) entry->value.i64 = (int64_t)out->distinct.live - 1;
  return entry->value.i64;
}

static void print_typed_end(hd_printer *out, hd_type type, hd_type_elision elision) {
  if (elision == HD_TYPE_MUST || !type) return;
  hd_puts(out, " : ");
  hd_print_type(out, type);
}

void hd_print_attr(hd_printer *out, hd_attr attr, hd_type_elision elision) {
  if (!attr) {
    hd_puts(out, "<<null attribute>>");
    return;
  }
  if (!hd_visit_attr(out, attr) && !hd_print_attr_alias(out, attr)) hd_print_attr_in_full(out, attr, elision);
}

void hd_print_attr_in_full(hd_printer *out, hd_attr attr, hd_type_elision elision) {
  switch (attr->kind) {
    case HD_ATTR_UNIT:
      hd_puts(out, "unit");
      break;
    case HD_ATTR_INTEGER:
    case HD_ATTR_FLOAT:
      if (attr->wide) {
        print_wide(out, attr->type, attr->wide);
        print_typed_end(out, attr->type, elision);
        break;
      }
      if (attr->kind == HD_ATTR_FLOAT) {
        hd_print_float(out->out, attr->type->float_kind, attr->floating.bits);
        if (elision != HD_TYPE_MAY || attr->type->float_kind != HD_F64) print_typed_end(out, attr->type, elision);
        break;
      }
      print_integer(out, attr->type, attr->integer);
      if (hd_type_is_integer(attr->type, 1) && attr->type->integer.signedness == HD_SIGNLESS) break;
      if (elision == HD_TYPE_MAY && attr->type == hd_i64(attr->context)) break;
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_STRING:
      hd_print_escaped(out->out, hd_ident_str(attr->string));
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_TYPE:
      hd_print_type(out, attr->type_value);
      break;
    case HD_ATTR_SYMBOL:
      hd_print_symbol_name(out->out, hd_ident_str(attr->symbol.root));
      for (uint32_t i = 0; i < attr->symbol.count; ++i) {
        hd_puts(out, "::");
        hd_print_symbol_name(out->out, hd_ident_str(attr->symbol.nested[i]));
      }
      break;
    case HD_ATTR_ARRAY:
      hd_putc(out, '[');
      for (uint32_t i = 0; i < attr->array.count; ++i) {
        if (i) hd_puts(out, ", ");
        hd_print_attr(out, attr->array.items[i], HD_TYPE_MAY);
      }
      hd_putc(out, ']');
      break;
    case HD_ATTR_DICT:
      hd_print_dict_body(out, attr);
      break;
    case HD_ATTR_DENSE:
      print_dense(out, attr);
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_DENSE_STRINGS:
      print_strings(out, attr);
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_DENSE_RESOURCE:
      hd_puts(out, "dense_resource<");
      hd_print_word_or_string(out->out, hd_ident_str(attr->resource));
      hd_map_insert_bytes(&out->scratch, &out->resources, attr->resource->text, attr->resource->len, NULL);
      hd_putc(out, '>');
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_SPARSE:
      print_sparse(out, attr);
      print_typed_end(out, attr->type, elision);
      break;
    case HD_ATTR_DENSE_ARRAY:
      print_dense_array(out, attr);
      break;
    case HD_ATTR_AFFINE_MAP:
    case HD_ATTR_AFFINE_SET:
      print_affine(out, attr);
      break;
    case HD_ATTR_STRIDED:
      print_strided(out, attr);
      break;
    case HD_ATTR_ENUM:
    case HD_ATTR_STRUCT:
      print_row_attr(out, attr);
      break;
    case HD_ATTR_OPAQUE:
      hd_printf(out, "#%s%s", attr->opaque.dialect->text, attr->opaque.text->text);
      break;
    case HD_ATTR_DISTINCT:
      hd_printf(out, "distinct[%" PRId64 "]<", distinct_number(out, attr));
      if (attr->distinct.inner->kind != HD_ATTR_UNIT) hd_print_attr(out, attr->distinct.inner, HD_TYPE_NEVER);
      hd_putc(out, '>');
      break;
    default:
      hd_puts(out, "loc(");
      print_loc_body(out, attr);
      hd_putc(out, ')');
      break;
  }
}
