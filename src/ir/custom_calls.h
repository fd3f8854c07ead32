/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of custom calls by their target alone. */
#ifndef HD_IR_CUSTOM_CALLS_H_
#define HD_IR_CUSTOM_CALLS_H_

#include <stdbool.h>

#include "base/strbuf.h"

typedef enum hd_custom_call_kind {
  HD_CUSTOM_CALL_ANNOTATION,
  HD_CUSTOM_CALL_COMPILED,
  HD_CUSTOM_CALL_RUNTIME,
} hd_custom_call_kind;

/* A row of custom_calls.def. */
typedef struct hd_custom_call_row {
  const char *target; /* with a `*` for any rest */
  hd_custom_call_kind kind;
  const char *doc;
} hd_custom_call_row;

/* All rows, the last one without a target. */
extern const hd_custom_call_row hd_custom_call_rows[];

/* Annotations for other compilers: each result is the operand of its number. */
bool hd_custom_call_is_annotation(hd_str target);

/* Targets that compiling gives a meaning of its own: assertions, checks and what passes write themselves. */
bool hd_custom_call_is_compiled(hd_str target);

#endif
