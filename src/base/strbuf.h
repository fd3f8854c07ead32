/* SPDX-License-Identifier: Apache-2.0 */
/* A growing string on an arena, and length-carrying string views. */
#ifndef HD_BASE_STRBUF_H_
#define HD_BASE_STRBUF_H_

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

/* A view of bytes; not NUL-terminated unless said. */
typedef struct hd_str {
  const char *data;
  size_t len;
} hd_str;

#define HD_STR(literal) ((hd_str){(literal), sizeof(literal) - 1})
static inline hd_str hd_str_of(const char *text) { return (hd_str){text, strlen(text)}; }
static inline bool hd_str_equal(hd_str a, hd_str b) {
  return a.len == b.len && (!a.len || !memcmp(a.data, b.data, a.len));
}
static inline bool hd_str_is(hd_str a, const char *text) { return hd_str_equal(a, hd_str_of(text)); }
static inline bool hd_str_starts(hd_str a, const char *prefix) {
  size_t n = strlen(prefix);
  return a.len >= n && !memcmp(a.data, prefix, n);
}

/* |data| is always NUL-terminated once anything was written; null while empty. */
typedef struct hd_strbuf {
  hd_arena *arena;
  char *data;
  size_t len, cap;
} hd_strbuf;

static inline void hd_strbuf_init(hd_strbuf *buf, hd_arena *arena) { *buf = (hd_strbuf){.arena = arena}; }
void hd_strbuf_put(hd_strbuf *buf, const void *data, size_t size);
static inline void hd_strbuf_puts(hd_strbuf *buf, const char *text) { hd_strbuf_put(buf, text, strlen(text)); }
static inline void hd_strbuf_putc(hd_strbuf *buf, char c) { hd_strbuf_put(buf, &c, 1); }
static inline void hd_strbuf_put_str(hd_strbuf *buf, hd_str text) { hd_strbuf_put(buf, text.data, text.len); }
/* How many bytes the character has that |text|, NUL-terminated and not at its end, begins with in UTF-8; 0: it is none.
 */
size_t hd_utf8_length(const char *text);
/* Writes how the next character of |text|, NUL-terminated and not at its end, is in a JSON string to |out|; gives
 * what follows it. A byte that is no UTF-8 is U+FFFD. */
const char *hd_json_escape(const char *text, char out[8]);
/* |text| as a JSON string, quotes included. */
void hd_strbuf_put_json(hd_strbuf *buf, const char *text);
/* |value| as JSON, with nine digits. JSON has no number that is none or infinite: those are the strings "nan", "inf"
 * and
 * "-inf". */
void hd_strbuf_put_json_number(hd_strbuf *buf, double value);
void hd_strbuf_printf(hd_strbuf *buf, const char *format, ...) HD_PRINTF(2, 3);
void hd_strbuf_vprintf(hd_strbuf *buf, const char *format, va_list args);
/* The text so far, never null. */
static inline const char *hd_strbuf_text(const hd_strbuf *buf) { return buf->data ? buf->data : ""; }

#endif
