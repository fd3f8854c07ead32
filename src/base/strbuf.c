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

void hd_strbuf_put_json(hd_strbuf *buf, const char *text) {
  hd_strbuf_putc(buf, '"');
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      hd_strbuf_printf(buf, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      hd_strbuf_printf(buf, "\\u%04x", (unsigned)*text);
    else
      hd_strbuf_putc(buf, *text);
  }
  hd_strbuf_putc(buf, '"');
}

void hd_strbuf_put_json_number(hd_strbuf *buf, double value) {
  if (isnan(value))
    hd_strbuf_puts(buf, "\"nan\"");
  else
    hd_strbuf_printf(buf, isfinite(value) ? "%.9g" : "\"%g\"", value);
}
