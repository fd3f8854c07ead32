/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of custom<Name>(...) in formats: syntax that the declarative language has no words for. */
#ifndef HD_TEXT_HOOKS_H_
#define HD_TEXT_HOOKS_H_

#include "text/format.h"

struct hd_op_parser;
struct hd_printer;
struct hd_parser;

typedef struct hd_text_hook {
  const char *name;
  /* Of ops. |args| are the arguments in the format. False after an error was reported. */
  bool (*parse)(struct hd_op_parser *op, const hd_format *args, size_t count);
  void (*print)(struct hd_printer *out, hd_op *op, const hd_format *args, size_t count);
  /* Of attribute and type rows: |params| by the order of the row. */
  bool (*parse_params)(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                       hd_attr *params);
  void (*print_params)(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                       const hd_attr *params);
} hd_text_hook;

/* The hook for ops, or for attribute and type rows; null when there is none. */
const hd_text_hook *hd_text_hook_find(hd_str name, bool params);

#define HOOK(name)                                                                         \
  bool hd_parse_hook_##name(struct hd_op_parser *op, const hd_format *args, size_t count); \
  void hd_print_hook_##name(struct hd_printer *out, hd_op *op, const hd_format *args, size_t count);
#define PARAM_HOOK(name)                                                                                             \
  bool hd_parse_params_##name(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,    \
                              hd_attr *params);                                                                      \
  void hd_print_params_##name(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count, \
                              const hd_attr *params);
#include "text/hooks.def"

#endif
