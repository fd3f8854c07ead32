/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/showing.h"

#include <stdlib.h>
#include <string.h>

hd_status hd_read_sizes(const char *text, uint32_t most, int64_t *out_sizes, uint32_t *out_count) {
  const char *at = text;
  *out_count = 0;
  for (;;) {
    char *end;
    long long size = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : 0;
    if (size <= 0 || size > INT32_MAX || *out_count == most)
      return hd_make_status(HD_INVALID_ARGUMENT, "shape: expected up to %u positive sizes such as 16x16, got '%s'",
                            most, text);
    out_sizes[(*out_count)++] = size;
    if (!*end) return HD_STATUS_OK;
    if (*end != 'x') return hd_make_status(HD_INVALID_ARGUMENT, "shape: expected 'x' between sizes, got '%s'", end);
    at = end + 1;
  }
}

hd_status hd_settle_element_bits(const void *options, size_t at, uint32_t *bits) {
  size_t known = 0; /* struct_size comes first */
  if (options) memcpy(&known, options, sizeof known);
  if (known <= at) *bits = 32;
  if (*bits == 8 || *bits == 16 || *bits == 32 || *bits == 64) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "element bits: expected 8, 16, 32 or 64, got %u", *bits);
}

hd_status hd_show(hd_session *session, hd_arena *arena, hd_strbuf *out, hd_status (*show)(void *user), void *user,
                  hd_message_sink sink, hd_blob *out_text) {
  HD_TRY(hd_session_open(session, NULL, sink));
  hd_arena_init(arena, &session->context->budget);
  hd_strbuf_init(out, arena);
  hd_status status = hd_guarded_call(show, user);
  if (hd_is_ok(status)) status = hd_blob_of(out, out_text);
  hd_arena_free(arena);
  hd_session_close(session);
  return status;
}
