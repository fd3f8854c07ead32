/* SPDX-License-Identifier: Apache-2.0 */
/* String buffers: growth, and numbers printed so that they read back the same. */
#include "base/strbuf.h"

#include <math.h>

#include "base/testing.h"

static void check_number(hd_arena *arena, double value, const char *want) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_strbuf_put_json_number(&text, value);
  HD_CHECK_STR(hd_strbuf_text(&text), want);
}

int main(void) {
  hd_arena arena;
  hd_strbuf text;
  hd_arena_init(&arena, NULL);
  check_number(&arena, 0, "0");
  check_number(&arena, -2.5, "-2.5");
  check_number(&arena, 1e300, "1e+300");
  check_number(&arena, 0x1.fffffep-1, "0.99999994");
  check_number(&arena, NAN, "\"nan\"");
  check_number(&arena, -NAN, "\"nan\"");
  check_number(&arena, INFINITY, "\"inf\"");
  check_number(&arena, -INFINITY, "\"-inf\"");
  hd_strbuf_init(&text, &arena);
  hd_strbuf_put_json(&text, "a\"b\\\n");
  HD_CHECK_STR(hd_strbuf_text(&text), "\"a\\\"b\\\\\\u000a\"");
  /* Bytes that are no UTF-8: a lone one, an overlong form, half of a pair, past the last character, cut off. */
  static const char *const bad[] = {
      "\xff", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xe2\x82"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    hd_strbuf_init(&text, &arena);
    hd_strbuf_put_json(&text, bad[i]);
    HD_CHECK_INT(text.len, 2 + 6 * strlen(bad[i]));
    HD_CHECK(!strncmp(hd_strbuf_text(&text), "\"\\ufffd", 7));
  }
  static const char *const good[] = {"\x7f",         "\xc2\x80",     "\xdf\xbf",         "\xe0\xa0\x80",
                                     "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    hd_strbuf_init(&text, &arena);
    hd_strbuf_put_json(&text, good[i]);
    HD_CHECK_INT(text.len, 2 + strlen(good[i]));
    HD_CHECK(!strncmp(hd_strbuf_text(&text) + 1, good[i], strlen(good[i])));
  }
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
