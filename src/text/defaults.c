/* SPDX-License-Identifier: Apache-2.0 */
#include "text/defaults.h"

#include <string.h>

#include "text/rows.h"

static hd_attr read_default(hd_context *context, const hd_signature_item *item) {
  hd_parser p;
  hd_parser_init(&p, context, item->default_text, "<default>");
  int row = hd_constraint_row(item->constraint);
  hd_type number = row >= 0 && hd_enum_style_of(row).integer
                       ? hd_type_integer(context, hd_enum_style_of(row).width, HD_SIGNLESS)
                       : hd_constraint_number(context, item->constraint);
  hd_attr attr;
  if (hd_at(&p, TOK_INT) || hd_at(&p, TOK_FLOAT) || hd_at(&p, TOK_MINUS))
    attr = hd_parse_attr(&p, memchr(item->default_text.data, ':', item->default_text.len) ? NULL : number);
  else if (hd_at(&p, TOK_HASH) || hd_at(&p, TOK_STRING) || hd_at_word(&p, "false")) /* also of what is else a unit */
    attr = hd_parse_attr(&p, NULL);
  else
    attr = hd_parse_by_constraint(&p, item->constraint, hd_ident_str(item->name));
  hd_parser_free(&p);
  return attr;
}

hd_attr hd_default_of(hd_context *context, const hd_signature_item *item) {
  if (!item->default_text.len) return NULL;
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&context->arena, hd_default_cache(context), item, &is_new);
  if (is_new) entry->value.ptr = (void *)read_default(context, item);
  return entry->value.ptr;
}
