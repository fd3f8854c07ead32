/* SPDX-License-Identifier: Apache-2.0 */
/* JSON read into a tree on an arena, and strings written with their escapes. */
#ifndef HD_FRONT_CLI_JSON_H_
#define HD_FRONT_CLI_JSON_H_

#include <stdio.h>

#include "base/arena.h"
#include "base/strbuf.h"

typedef enum hd_json_kind {
  HD_JSON_NULL,
  HD_JSON_BOOL,
  HD_JSON_NUMBER,
  HD_JSON_STRING,
  HD_JSON_ARRAY,
  HD_JSON_OBJECT
} hd_json_kind;

typedef struct hd_json {
  hd_json_kind kind;
  bool boolean;
  double number;
  const char *text; /* strings; NUL-terminated */
  size_t count;     /* arrays and objects */
  const char **keys;
  struct hd_json *items;
} hd_json;

/* DATA_LOSS with the offset when |text| is not JSON. |name| is for messages. NaN, Infinity and -Infinity are numbers.
 */
hd_status hd_json_read(hd_arena *arena, hd_str text, const char *name, hd_json *out) HD_MUST_USE;

/* The member |key| of an object; null when it is none, or lacks it. */
const hd_json *hd_json_get(const hd_json *object, const char *key);
double hd_json_number(const hd_json *object, const char *key, double otherwise);
const char *hd_json_text(const hd_json *object, const char *key, const char *otherwise);

/* |text| in double quotes. */
void hd_json_write_string(FILE *out, const char *text);

#endif
