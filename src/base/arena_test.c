/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "base/testing.h"

static char order[8];
static size_t count;

static void note(void *thing) { order[count++] = *(const char *)thing; }

static void test_what_ends_with_the_arena(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  *hd_arena_on_free(&arena, note) = "a";
  void **none = hd_arena_on_free(&arena, note);
  HD_CHECK(!*none);
  *hd_arena_on_free(&arena, note) = "b";
  hd_arena_free(&arena);
  HD_CHECK_STR(order, "ba");
  hd_arena_free(&arena); /* nothing twice */
  HD_CHECK_STR(order, "ba");
}

int main(void) {
  test_what_ends_with_the_arena();
  return HD_TEST_RESULT();
}
