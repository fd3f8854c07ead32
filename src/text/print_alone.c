/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and types that are whole texts. */
#include "text/printer.h"

void hd_text_print_type(hd_type type, hd_strbuf *text) {
  hd_printer out;
  hd_printer_init(&out, type ? type->context : NULL, NULL, text);
  hd_print_type(&out, type);
  hd_printer_free(&out);
}

void hd_text_print_attr(hd_attr attr, hd_strbuf *text) {
  hd_printer out;
  hd_printer_init(&out, attr ? attr->context : NULL, NULL, text);
  hd_print_attr(&out, attr, HD_TYPE_NEVER);
  hd_printer_free(&out);
}
