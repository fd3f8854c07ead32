/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>

static void reserve(hd_strbuf *buf, size_t extra) {
  if (buf->len + extra + 1 <= buf->cap) return;
  size_t cap = buf->cap ? buf->cap * 2 : 256;
  while (cap < buf->len + extra + 1) cap *= 2;
  char *grown = hd_arena_alloc(buf->arena, cap);
  if (buf->len) memcpy(grown, buf->data, buf->len);
  buf->data = grown;
  buf->cap = cap;
}

void hd_strbuf_put(hd_strbuf *buf, const void *data, size_t size) {
  reserve(buf, size);
  if (size) memcpy(buf->data + buf->len, data, size);
  buf->len += size;
  buf->data[buf->len] = 0;
}

void hd_strbuf_vprintf(hd_strbuf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return;
  reserve(buf, (size_t)length);
  vsnprintf(buf->data + buf->len, (size_t)length + 1, format, args);
  buf->len += (size_t)length;
}

void hd_strbuf_printf(hd_strbuf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(buf, format, args);
  va_end(args);
}

size_t hd_utf8_length(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
  /* The second byte also tells overlong forms, surrogates and what is past U+10FFFF. */
  unsigned char least = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
  unsigned char most = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
  if (length > 1 && (p[1] < least || p[1] > most)) return 0;
  for (size_t i = 2; i < length; ++i)
    if (p[i] < 0x80 || p[i] > 0xbf) return 0;
  return length;
}

const char *hd_json_escape(const char *text, char out[8]) {
  size_t length = hd_utf8_length(text);
  if (!length) return strcpy(out, "\\ufffd"), text + 1;
  if (*text == '"' || *text == '\\')
    snprintf(out, 8, "\\%c", *text);
  else if ((unsigned char)*text < ' ')
    snprintf(out, 8, "\\u%04x", (unsigned)*text);
  else
    snprintf(out, 8, "%.*s", (int)length, text);
  return text + length;
}

void hd_strbuf_put_json(hd_strbuf *buf, const char *text) {
  char next[8];
  hd_strbuf_putc(buf, '"');
  while (*text) {
    text = hd_json_escape(text, next);
    hd_strbuf_puts(buf, next);
  }
  hd_strbuf_putc(buf, '"');
}

void hd_strbuf_put_json_number(hd_strbuf *buf, double value) {
  if (isnan(value))
    hd_strbuf_puts(buf, "\"nan\"");
  else
    hd_strbuf_printf(buf, isfinite(value) ? "%.9g" : "\"%g\"", value);
}
