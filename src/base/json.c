/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MAX_DEPTH = 64, MAX_VALUES = 1 << 22 };

typedef struct reader {
  hd_arena *arena;
  const char *start, *at, *end, *name;
  int depth, values;
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

static void put_utf8(hd_strbuf *out, uint32_t code) {
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
  hd_strbuf_putc(out, (char)(first[more] | code >> 6 * more));
  while (more-- > 0) hd_strbuf_putc(out, (char)(0x80 | (code >> 6 * more & 63)));
}

/* The four digits after \u. */
static bool take_unit(reader *r, uint32_t *out) {
  *out = 0;
  if (r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return false;
  for (int i = 2; i < 6; ++i) {
    static const char digits[] = "0123456789abcdef";
    const char *digit = strchr(digits, r->at[i] >= 'A' && r->at[i] <= 'F' ? r->at[i] | 32 : r->at[i]);
    if (!digit || !*digit) return false;
    *out = *out << 4 | (uint32_t)(digit - digits);
  }
  r->at += 6;
  return true;
}

static hd_status read_escape(reader *r, hd_strbuf *text) {
  if (r->end - r->at < 2) return bad(r, "an escape");
  for (const char *known = "\"\"\\\\//b\bf\fn\nr\rt\t"; *known; known += 2) {
    if (*known != r->at[1]) continue;
    hd_strbuf_putc(text, known[1]);
    r->at += 2;
    return HD_STATUS_OK;
  }
  uint32_t code, low;
  if (!take_unit(r, &code) || !code) return bad(r, "an escape");
  if (code >= 0xd800 && code < 0xe000) { /* a surrogate pair */
    if (code >= 0xdc00 || !take_unit(r, &low) || low < 0xdc00 || low >= 0xe000) return bad(r, "a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
  }
  put_utf8(text, code);
  return HD_STATUS_OK;
}

static hd_status read_string(reader *r, const char **out) {
  hd_strbuf text;
  hd_strbuf_init(&text, r->arena);
  if (!take(r, "\"")) return bad(r, "a string");
  while (r->at < r->end && *r->at != '"') {
    if (!*r->at) return bad(r, "a string without a zero byte");
    if (*r->at == '\\')
      HD_TRY(read_escape(r, &text));
    else
      hd_strbuf_putc(&text, *r->at++);
  }
  *out = hd_arena_copy(r->arena, hd_strbuf_text(&text), text.len);
  return take(r, "\"") ? HD_STATUS_OK : bad(r, "'\"'");
}

static hd_status read_value(reader *r, hd_json *out);

static hd_status read_items(reader *r, hd_json *out, bool object) {
  hd_vec(hd_json) items = {0};
  hd_vec(const char *) keys = {0};
  const char *close = object ? "}" : "]";
  if (++r->depth > MAX_DEPTH)
    return hd_make_status(HD_DATA_LOSS, "%s: JSON is nested too deeply at byte %zu", r->name,
                          (size_t)(r->at - r->start));
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
  if (++r->values > MAX_VALUES) return bad(r, "fewer values");
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
