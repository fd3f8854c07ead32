/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MAX_DEPTH = 64 };

typedef struct reader {
  hd_arena *arena;
  const char *start, *at, *end, *name;
  int depth;
} reader;

static hd_status bad(reader *r, const char *expected) {
  return hd_make_status(HD_DATA_LOSS, "%s: not JSON: expected %s at byte %zu", r->name, expected,
                        (size_t)(r->at - r->start));
}

static bool take(reader *r, const char *text) {
  while (r->at < r->end && strchr(" \n\t\r", *r->at) && *r->at) ++r->at;
  size_t n = strlen(text);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n)) return false;
  r->at += n;
  return true;
}

/* Escapes but \u above ASCII are resolved; nothing that Heddle reads has others. */
static hd_status read_string(reader *r, const char **out) {
  hd_strbuf text;
  hd_strbuf_init(&text, r->arena);
  if (!take(r, "\"")) return bad(r, "a string");
  while (r->at < r->end && *r->at != '"') {
    if (*r->at != '\\') {
      hd_strbuf_putc(&text, *r->at++);
      continue;
    }
    if (r->end - r->at < 2) return bad(r, "an escape");
    const char *known = "\"\"\\\\//b\bf\fn\nr\rt\t", *found = NULL;
    for (const char *p = known; *p; p += 2)
      if (*p == r->at[1]) found = p;
    if (found) {
      hd_strbuf_putc(&text, found[1]);
      r->at += 2;
    } else if (r->at[1] == 'u' && r->end - r->at >= 6) {
      char digits[5] = {r->at[2], r->at[3], r->at[4], r->at[5], 0}, *end;
      unsigned long code = strtoul(digits, &end, 16);
      if (*end || !code || code > 127) return bad(r, "an escape below \\u0080");
      hd_strbuf_putc(&text, (char)code);
      r->at += 6;
    } else {
      return bad(r, "an escape");
    }
  }
  *out = hd_arena_copy(r->arena, hd_strbuf_text(&text), text.len);
  return take(r, "\"") ? HD_STATUS_OK : bad(r, "'\"'");
}

static hd_status read_value(reader *r, hd_json *out);

static hd_status read_items(reader *r, hd_json *out, bool object) {
  hd_vec(hd_json) items = {0};
  hd_vec(const char *) keys = {0};
  const char *close = object ? "}" : "]";
  if (++r->depth > MAX_DEPTH) return bad(r, "fewer levels");
  if (!take(r, close)) {
    do {
      const char *key = NULL;
      if (object) {
        HD_TRY(read_string(r, &key));
        if (!take(r, ":")) return bad(r, "':'");
        hd_vec_push(r->arena, &keys, key);
      }
      hd_json item = {0};
      HD_TRY(read_value(r, &item));
      hd_vec_push(r->arena, &items, item);
    } while (take(r, ","));
    if (!take(r, close)) return bad(r, object ? "',' or '}'" : "',' or ']'");
  }
  --r->depth;
  *out = (hd_json){
      .kind = object ? HD_JSON_OBJECT : HD_JSON_ARRAY, .count = items.len, .items = items.data, .keys = keys.data};
  return HD_STATUS_OK;
}

static hd_status read_value(reader *r, hd_json *out) {
  *out = (hd_json){0};
  if (take(r, "{")) return read_items(r, out, true);
  if (take(r, "[")) return read_items(r, out, false);
  if (take(r, "null")) return HD_STATUS_OK;
  if (take(r, "true")) return *out = (hd_json){.kind = HD_JSON_BOOL, .boolean = true}, HD_STATUS_OK;
  if (take(r, "false")) return *out = (hd_json){.kind = HD_JSON_BOOL}, HD_STATUS_OK;
  if (take(r, "NaN")) return *out = (hd_json){.kind = HD_JSON_NUMBER, .number = NAN}, HD_STATUS_OK;
  if (take(r, "Infinity")) return *out = (hd_json){.kind = HD_JSON_NUMBER, .number = INFINITY}, HD_STATUS_OK;
  if (take(r, "-Infinity")) return *out = (hd_json){.kind = HD_JSON_NUMBER, .number = -INFINITY}, HD_STATUS_OK;
  if (r->at < r->end && *r->at == '"') {
    out->kind = HD_JSON_STRING;
    return read_string(r, &out->text);
  }
  char digits[64];
  size_t n = 0;
  while (r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at) && n < sizeof digits - 1) digits[n++] = *r->at++;
  digits[n] = 0;
  char *end;
  *out = (hd_json){.kind = HD_JSON_NUMBER, .number = strtod(digits, &end)};
  if (!n || *end) return bad(r, "a value");
  errno = 0;
  out->integer = strtoll(digits, &end, 10);
  out->is_integer = !*end && !errno;
  return HD_STATUS_OK;
}

hd_status hd_json_read(hd_arena *arena, hd_str text, const char *name, hd_json *out) {
  reader r = {.arena = arena, .start = text.data, .at = text.data, .end = text.data + text.len, .name = name};
  HD_TRY(read_value(&r, out));
  take(&r, "");
  return r.at == r.end ? HD_STATUS_OK : bad(&r, "the end");
}

const hd_json *hd_json_get(const hd_json *object, const char *key) {
  if (!object || object->kind != HD_JSON_OBJECT) return NULL;
  for (size_t i = 0; i < object->count; ++i)
    if (!strcmp(object->keys[i], key)) return &object->items[i];
  return NULL;
}

double hd_json_number(const hd_json *object, const char *key, double otherwise) {
  const hd_json *item = hd_json_get(object, key);
  return item && item->kind == HD_JSON_NUMBER ? item->number : otherwise;
}

const char *hd_json_text(const hd_json *object, const char *key, const char *otherwise) {
  const hd_json *item = hd_json_get(object, key);
  return item && item->kind == HD_JSON_STRING ? item->text : otherwise;
}

bool hd_json_integer(const hd_json *item, int64_t least, int64_t most, int64_t *out) {
  *out = 0;
  if (!item || item->kind != HD_JSON_NUMBER) return false;
  int64_t value = item->integer;
  if (!item->is_integer) { /* 1e3: as far as doubles are exact */
    if (!(fabs(item->number) <= 0x1p53) || item->number != floor(item->number)) return false;
    value = (int64_t)item->number;
  }
  if (value < least || value > most) return false;
  *out = value;
  return true;
}
