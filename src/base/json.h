/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, which the compiler answers in and files have as headers, read into a tree on an arena. Depth and number of
 * values are bounded. base/strbuf.h writes strings and numbers. */
#ifndef HD_BASE_JSON_H_
#define HD_BASE_JSON_H_

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
  bool is_integer; /* of a number: |integer| is exactly what is written */
  int64_t integer;
  const char *text; /* strings: UTF-8, NUL-terminated, without a zero byte before that */
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

/* Is |item| (null: no) a whole number from |least| to |most|? Then *|out| is it, else 0. */
bool hd_json_integer(const hd_json *item, int64_t least, int64_t most, int64_t *out);

#endif
