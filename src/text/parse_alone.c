/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and types that are whole texts. */
#include "text/parser.h"

static bool at_end(hd_parser *p) { return hd_at(p, TOK_EOF) || hd_parser_expected(p, "the end"); }

hd_attr hd_text_parse_attr(hd_context *context, const char *name, hd_str text) {
  hd_parser p;
  hd_parser_init(&p, context, text, name);
  hd_attr attr = hd_parse_attr(&p, NULL);
  if (attr && !at_end(&p)) attr = NULL;
  hd_parser_free(&p);
  return attr;
}

hd_type hd_text_parse_type(hd_context *context, hd_str text) {
  hd_parser p;
  hd_parser_init(&p, context, text, "<type>");
  hd_type type = hd_parse_type(&p);
  if (type && !at_end(&p)) type = NULL;
  hd_parser_free(&p);
  return type;
}
