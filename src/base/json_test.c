/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader: values, strings, and the errors that it reports. */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/testing.h"

static hd_arena arena;

static bool read(const char *text, hd_json *out) {
  return HD_CHECK_OK(hd_json_read(&arena, hd_str_of(text), "t", out));
}

static void test_values(void) {
  hd_json all, big;
  if (!read(" {\"a\": [1, -2.5e1, true, null, \"x\"], \"b\": {}, \"n\": [NaN, -Infinity]}\n", &all)) return;
  const hd_json *a = hd_json_get(&all, "a"), *n = hd_json_get(&all, "n");
  if (!HD_CHECK(a && a->kind == HD_JSON_ARRAY && a->count == 5 && n && n->count == 2)) return;
  HD_CHECK(a->items[0].is_integer && a->items[0].integer == 1);
  HD_CHECK(!a->items[1].is_integer && a->items[1].number == -25);
  HD_CHECK(a->items[2].boolean && a->items[3].kind == HD_JSON_NULL);
  HD_CHECK_STR(a->items[4].text, "x");
  HD_CHECK(isnan(n->items[0].number) && n->items[1].number == -INFINITY);
  HD_CHECK(!hd_json_get(&all, "c") && !hd_json_get(a, "a"));
  int64_t whole;
  if (!read("[9223372036854775807, 9223372036854775808, 1e3, 0.5]", &big)) return;
  HD_CHECK(hd_json_integer(&big.items[0], 0, INT64_MAX, &whole) && whole == INT64_MAX);
  HD_CHECK(!hd_json_integer(&big.items[1], 0, INT64_MAX, &whole) && !hd_json_integer(&big.items[3], 0, 9, &whole));
  HD_CHECK(hd_json_integer(&big.items[2], 0, 1000, &whole) && whole == 1000);
}

static void test_strings(void) {
  hd_json text;
  if (read("\"a\\\"\\\\\\/\\n\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", &text))
    HD_CHECK_STR(text.text, "a\"\\/\nA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

static void test_errors(void) {
  static const struct {
    const char *text, *says;
  } wrong[] = {{"", "a value at byte 0"},
               {"[1, 2", "',' or ']' at byte 5"},
               {"{\"a\" 1}", "':'"},
               {"{1: 2}", "a string"},
               {"[1] 2", "the end at byte 4"},
               {"\"a", "'\"'"},
               {"\"\\x\"", "an escape"},
               {"\"\\u0000\"", "an escape"},
               {"\"\\ud800\"", "a surrogate pair"},
               {"\"\\udc00\\ud800\"", "a surrogate pair"},
               {"1-2", "a value"}};
  hd_json out;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    HD_CHECK_FAILS(hd_json_read(&arena, hd_str_of(wrong[i].text), "t", &out), HD_DATA_LOSS, wrong[i].says);
  HD_CHECK_FAILS(hd_json_read(&arena, HD_STR("\"a\0b\""), "t", &out), HD_DATA_LOSS, "zero byte");
  char deep[200];
  memset(deep, '[', sizeof deep);
  HD_CHECK_FAILS(hd_json_read(&arena, (hd_str){deep, sizeof deep}, "t", &out), HD_DATA_LOSS, "nested too deeply");
}

int main(void) {
  hd_arena_init(&arena, NULL);
  test_values();
  test_strings();
  test_errors();
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
