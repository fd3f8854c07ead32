/* SPDX-License-Identifier: Apache-2.0 */
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
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
