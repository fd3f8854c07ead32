/* SPDX-License-Identifier: Apache-2.0 */
/* MLIR's textual form: reading and printing. Any bytes may be given: a wrong program gives located diagnostics in the
 * context and an error status, in time and memory linear in its size. Thread-compatible, see ir/context.h. */
#ifndef HD_TEXT_TEXT_H_
#define HD_TEXT_TEXT_H_

#include "ir/op.h"

/* Reads a module. The program need not be wrapped in builtin.module. |source| is borrowed during the call only, except
 * that hd_text_add_source may keep a view for diagnostics. Structure, names and types are checked here; what ops demand
 * is hd_verify's. On success the caller owns |*out_module| (hd_module_free). */
hd_status hd_text_parse(hd_context *context, hd_str source, const char *file_name, hd_module **out_module) HD_MUST_USE;

/* Tells diagnostics where the text of |file_name| is, for the line with the caret; |source| must outlive the context's
 * diagnostics. */
void hd_text_add_source(hd_context *context, const char *file_name, hd_str source);

/* One attribute or type, all of |text|; null with an error reported when it is none. */
hd_attr hd_text_parse_attr(hd_context *context, const char *name, hd_str text);
hd_type hd_text_parse_type(hd_context *context, hd_str text);

typedef struct hd_text_print_options {
  bool generic;      /* "dialect.op"(...) for every op */
  bool locations;    /* loc(...) after every op and block argument */
  bool inline_types; /* no aliases for attributes */
  /* Dense attributes of more elements are written as `dense_resource<__elided__>`; 0: none is elided. */
  size_t elide_larger_than;
} hd_text_print_options;

/* Prints |op| with everything inside; null |options| are all off. */
void hd_text_print(hd_op *op, const hd_text_print_options *options, hd_strbuf *out);
void hd_text_print_type(hd_type type, hd_strbuf *out);
void hd_text_print_attr(hd_attr attr, hd_strbuf *out);

/* Gives the context's diagnostics the means to print types and ops. */
void hd_text_install(hd_context *context);

#endif
