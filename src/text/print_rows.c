/* SPDX-License-Identifier: Apache-2.0 */
/* Prints attributes and types of rows by their formats, and attributes as op formats write them. */
#include <inttypes.h>

#include "text/defaults.h"
#include "text/printer.h"
#include "text/rows.h"

void hd_print_enum_case(hd_printer *out, int row, int64_t value) {
  hd_enum_style style = hd_enum_style_of(row);
  if (style.angles) hd_putc(out, '<');
  hd_str name = hd_enum_case_name(row, value);
  if (name.len || !style.bits) {
    if (name.len && hd_is_bare_word(name))
      hd_put_str(out, name);
    else
      hd_print_escaped(out->out, name);
  } else { /* a set without a name: its flags */
    bool first = true;
    for (int bit = 0; bit < 63; ++bit) {
      name = (value >> bit & 1) != 0 ? hd_enum_case_name(row, (int64_t)1 << bit) : HD_STR("");
      if (!name.len) continue;
      if (!first) hd_puts(out, style.separator);
      first = false;
      hd_put_str(out, name);
    }
  }
  if (style.angles) hd_putc(out, '>');
}

void hd_print_int_list(hd_printer *out, hd_attr list, const char *open, const char *close) {
  hd_puts(out, open);
  size_t count = hd_attr_count(list);
  bool flags = list->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(list->dense.element, 1);
  for (size_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    int64_t value = hd_attr_int_at(list, i);
    if (flags)
      hd_puts(out, value ? "true" : "false");
    else
      hd_printf(out, "%" PRId64, value);
  }
  hd_puts(out, close);
}

void hd_print_by_constraint(hd_printer *out, hd_str constraint, hd_str name, hd_attr attr) {
  hd_type number = hd_constraint_number(out->context, constraint);
  if (number && attr->type == number) {
    hd_print_attr(out, attr, HD_TYPE_MUST);
    return;
  }
  if ((hd_str_is(constraint, "string") || hd_str_is(constraint, "symbol_name")) && attr->kind == HD_ATTR_STRING) {
    if (hd_str_is(name, "sym_name") || constraint.len > 6)
      hd_print_symbol_name(out->out, hd_ident_str(attr->string));
    else
      hd_print_attr(out, attr, HD_TYPE_MUST);
    return;
  }
  bool list = hd_str_is(constraint, "dims") || hd_str_is(constraint, "i64_array") ||
              hd_str_is(constraint, "i32_array") || hd_str_is(constraint, "bool_array");
  if (list && attr->kind == HD_ATTR_DENSE_ARRAY) {
    hd_print_int_list(out, attr, "[", "]");
    return;
  }
  int row = memchr(constraint.data, '|', constraint.len) ? -1 : hd_constraint_row(constraint);
  if (row >= 0 && hd_attr_row_info_of(row)->is_enum && (attr->kind == HD_ATTR_ENUM || attr->kind == HD_ATTR_INTEGER)) {
    if (hd_enum_style_of(row).blank) hd_putc(out, ' ');
    hd_print_enum_case(out, row, attr->kind == HD_ATTR_ENUM ? attr->enumerant.value : attr->integer);
    return;
  }
  if (row >= 0 && attr->kind == HD_ATTR_STRUCT && attr->structure.row == row) {
    hd_print_row_params(out, hd_attr_row_format(out->context, row), attr->structure.params, (hd_spacing){false, true});
    return;
  }
  hd_print_attr(out, attr, HD_TYPE_NEVER);
}

typedef struct row_printer {
  hd_printer *out;
  const hd_row_format *row;
  const hd_attr *params;
  hd_spacing spacing;
} row_printer;

static bool is_set(row_printer *r, size_t index) {
  hd_attr value = r->params[index];
  if (!value) return false;
  const hd_signature_item *item = &r->row->params.items[index];
  return !item->default_text.len || hd_default_of(r->out->context, item) != value;
}

static void blank(row_printer *r) {
  if (r->spacing.wanted || !r->spacing.punctuation) hd_putc(r->out, ' ');
  r->spacing = (hd_spacing){true, false};
}

static void print_param(row_printer *r, size_t index) {
  const hd_signature_item *item = &r->row->params.items[index];
  if (r->params[index]) hd_print_by_constraint(r->out, item->constraint, hd_ident_str(item->name), r->params[index]);
}

static void print_struct(row_printer *r, const hd_format *f) {
  bool first = true;
  for (size_t i = 0; i < r->row->params.count; ++i) {
    bool listed = !f->arg_count;
    for (size_t k = 0; k < f->arg_count; ++k) listed |= (size_t)f->args[k].index == i;
    if (!listed || !is_set(r, i)) continue;
    hd_printf(r->out, "%s%s = ", first ? "" : ", ", r->row->params.items[i].name->text);
    print_param(r, i);
    first = false;
  }
}

static bool group_is_there(row_printer *r, const hd_format *f) {
  const hd_format *anchor = &f->args[f->anchor];
  if (anchor->kind == HD_FORMAT_ATTR) return is_set(r, (size_t)anchor->index);
  for (size_t i = 0; i < r->row->params.count; ++i) {
    bool listed = !anchor->arg_count;
    for (size_t k = 0; k < anchor->arg_count; ++k)
      listed |= anchor->args[k].kind == HD_FORMAT_ATTR && (size_t)anchor->args[k].index == i;
    if (listed && is_set(r, i)) return true;
  }
  return false;
}

static void print_items(row_printer *r, const hd_format *items, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const hd_format *f = &items[i];
    switch (f->kind) {
      case HD_FORMAT_LITERAL:
        if (r->spacing.wanted && hd_space_before_literal(f->text, r->spacing.punctuation)) hd_putc(r->out, ' ');
        hd_put_str(r->out, f->text);
        r->spacing.wanted = f->text.len != 1 || !strchr("<({[", f->text.data[0]);
        r->spacing.punctuation =
            f->text.data[0] != '_' && !((f->text.data[0] | 32) >= 'a' && (f->text.data[0] | 32) <= 'z');
        break;
      case HD_FORMAT_SPACE:
        hd_putc(r->out, ' ');
        r->spacing = (hd_spacing){false, false};
        r->spacing.punctuation = true;
        break;
      case HD_FORMAT_NO_SPACE:
        r->spacing = (hd_spacing){false, true};
        break;
      case HD_FORMAT_ATTR:
        blank(r);
        print_param(r, (size_t)f->index);
        break;
      case HD_FORMAT_STRUCT:
        blank(r);
        print_struct(r, f);
        break;
      case HD_FORMAT_PARAMS:
        for (size_t k = 0; k < r->row->params.count; ++k) {
          if (k)
            hd_puts(r->out, ", ");
          else
            blank(r);
          print_param(r, k);
        }
        break;
      case HD_FORMAT_CUSTOM: /* knows its spacing */
        r->spacing = (hd_spacing){true, false};
        if (f->hook) f->hook->print_params(r->out, r->row, f->args, f->arg_count, r->params);
        break;
      case HD_FORMAT_GROUP:
        if (group_is_there(r, f))
          print_items(r, f->args, f->arg_count);
        else
          print_items(r, f->otherwise, f->otherwise_count);
        break;
      default:
        break;
    }
  }
}

void hd_print_row_params(hd_printer *out, const hd_row_format *row, const hd_attr *params, hd_spacing spacing) {
  row_printer r = {out, row, params, spacing};
  print_items(&r, row->format.items, row->format.count);
}
