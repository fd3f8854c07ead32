/* SPDX-License-Identifier: Apache-2.0 */
/* Composites: HLO text writes them as calls that say is_composite=true, with name, attributes and version among the
 * frontend attributes of the call. */
#include <stdlib.h>

#include "hlo/import.h"
#include "hlo/print.h"
#include "ir/ops/stablehlo.h"
#include "text/text.h"

static const char NAME[] = "composite.name", ATTRIBUTES[] = "composite.attributes", VERSION[] = "composite.version";

typedef hd_vec(hd_named_attr) entries;

/* Takes the entry |key| from |list|; its text, null where it is none. */
static hd_attr take(entries *list, const char *key) {
  for (size_t i = 0; i < list->len; ++i) {
    hd_named_attr entry = list->data[i];
    if (!hd_str_is(hd_ident_str(entry.name), key)) continue;
    memmove(&list->data[i], &list->data[i + 1], (--list->len - i) * sizeof entry);
    return entry.value;
  }
  return NULL;
}

static bool number_of(hd_str text, int32_t *out) {
  char digits[16], *end;
  if (!text.len || text.len >= sizeof digits) return false;
  memcpy(digits, text.data, text.len);
  digits[text.len] = 0;
  long long number = strtoll(digits, &end, 10);
  *out = (int32_t)number;
  return !*end && *out == number;
}

static const char *quoted(hd_hlo_reader *r, hd_attr text) {
  hd_str value = hd_attr_text(text);
  return hd_arena_printf(&r->scratch, "'%.*s'", (int)value.len, value.data);
}

bool hd_hlo_import_composite(hd_hlo_import *s, const hd_hlo_inst *inst, hd_attr function, hd_value *const *values,
                             uint32_t count, const hd_hlo_attr_args *given) {
  hd_context *context = s->b.context;
  hd_hlo_attr_args attrs = {.len = 0};
  entries list = {0};
  for (size_t i = 0; i < given->len; ++i) {
    hd_attr_arg attr = given->data[i];
    if (attr.name == HD_NAME_mhlo_frontend_attributes)
      hd_vec_append(&s->r->scratch, &list, attr.value->dict.items, attr.value->dict.count);
    else
      attrs.data[attrs.len++] = attr;
  }
  hd_attr name = take(&list, NAME), attributes = take(&list, ATTRIBUTES), version = take(&list, VERSION);
  int32_t number = 0;
  if (!name)
    return hd_hlo_fail(s->r, inst->at, "expected '%s' among the frontend attributes of a composite, got %zu without it",
                       NAME, list.len);
  if (version && !number_of(hd_attr_text(version), &number))
    return hd_hlo_fail(s->r, inst->at, "expected a number of 32 bits as '%s', got %s", VERSION, quoted(s->r, version));
  hd_attr text = attributes;
  attributes = text ? hd_text_parse_attr(context, "<attribute>", hd_attr_text(text)) : hd_attr_dict(context, NULL, 0);
  if (!hd_attr_is(attributes, HD_ATTR_DICT))
    return hd_hlo_fail(s->r, inst->at, "expected a dictionary of attributes as '%s', got %s", ATTRIBUTES,
                       quoted(s->r, text));
  if ((list.len && !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_mhlo_frontend_attributes,
                                    hd_attr_dict(context, list.data, list.len))) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_name, name) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_composite_attributes, attributes) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_decomposition, function) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_version, hd_attr_i32(context, number)))
    return false;
  return hd_hlo_make(s, inst, HD_OP_stablehlo_composite, values, count, &attrs, 0) != NULL;
}

static hd_named_attr entry(hd_context *context, const char *key, hd_str text) {
  return (hd_named_attr){hd_ident_get(context, hd_str_of(key)), hd_attr_string(context, text)};
}

hd_attr hd_hlo_composite_attributes(hd_hlo_printer *p, hd_op *op) {
  hd_context *context = p->w->context;
  hd_attr own = hd_op_attr_get(op, HD_NAME_mhlo_frontend_attributes);
  hd_strbuf text, number;
  entries list = {0};
  hd_strbuf_init(&text, &p->w->scratch);
  hd_strbuf_init(&number, &p->w->scratch);
  hd_text_print_attr(hd_stablehlo_composite_composite_attributes(op), &text);
  hd_strbuf_printf(&number, "%lld", (long long)hd_op_int_attr(op, HD_NAME_version, 0));
  if (hd_attr_is(own, HD_ATTR_DICT)) hd_vec_append(&p->w->scratch, &list, own->dict.items, own->dict.count);
  hd_named_attr more[] = {entry(context, ATTRIBUTES, (hd_str){text.data, text.len}),
                          entry(context, NAME, hd_stablehlo_composite_name(op)),
                          entry(context, VERSION, (hd_str){number.data, number.len})};
  hd_vec_append(&p->w->scratch, &list, more, 3);
  return hd_attr_dict(context, list.data, list.len);
}

bool hd_hlo_print_composite(hd_hlo_printer *p, hd_op *op) {
  hd_op *func = hd_symbol_resolve(op, hd_stablehlo_composite_decomposition(op));
  if (op->region_count) return hd_hlo_cannot(p, op, "regions of a composite");
  const char *callee = func ? hd_hlo_print_function(p, op, func) : NULL;
  if (!callee || !hd_hlo_begin(p, op, "call")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_printf(&p->text, ", to_apply=%%%s, is_composite=true", callee);
  return hd_hlo_end(p, op);
}
