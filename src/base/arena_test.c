/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: clean-up at their end, budgets, and what a guard frees when memory runs out. */
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

/* A frame that takes memory until the budget is spent, below another one. */
static void take_all(hd_budget *budget) {
  hd_arena scratch;
  hd_scratch_init(&scratch, budget);
  *hd_arena_on_free(&scratch, note) = "y";
  for (;;) hd_arena_alloc(&scratch, 1000);
}

static hd_status spend(void *budget) {
  hd_arena scratch;
  hd_scratch_init(&scratch, budget);
  *hd_arena_on_free(&scratch, note) = "x";
  take_all(budget);
  return HD_STATUS_OK;
}

static void test_frames_that_a_guard_leaves(void) {
  hd_budget budget = {.limit = 1 << 16};
  hd_arena outer;
  hd_scratch_init(&outer, &budget);
  hd_arena_alloc(&outer, 1);
  size_t used = budget.used;
  for (int i = 0; i < 3; ++i) {
    count = 0;
    hd_status status = hd_guarded_call(spend, &budget);
    HD_CHECK(hd_status_code_of(status) == HD_RESOURCE_EXHAUSTED);
    hd_status_free(status);
    HD_CHECK(count == 2 && order[0] == 'y' && order[1] == 'x');
    HD_CHECK_INT(budget.used, used); /* what is above the guard stays */
  }
  hd_arena inner;
  hd_scratch_init(&inner, &budget);
  hd_arena_free(&outer); /* in any order */
  hd_arena_free(&inner);
  HD_CHECK_INT(budget.used, 0);
}

int main(void) {
  test_what_ends_with_the_arena();
  test_frames_that_a_guard_leaves();
  return HD_TEST_RESULT();
}
