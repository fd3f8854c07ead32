/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of symbolic dims, and what is known of it. */
#include "base/testing.h"
#include "shape/infer.h"

/* max(floordiv(x, 3), mod(x, 7)) of itself, again and again: shared in memory, without end as a tree. */
static void large_expressions_are_unknown(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_dim_table table;
  hd_dim_table_init(&table, &arena);
  hd_dim x = hd_dim_symbol(&table, "n", 0, INT64_MAX, NULL, false), three = hd_dim_const(&table, 3),
         seven = hd_dim_const(&table, 7);
  HD_CHECK(hd_dim_max(&table, hd_dim_floordiv(&table, x, three), hd_dim_mod(&table, x, seven)));
  for (int i = 0; i < 64; ++i) x = hd_dim_max(&table, hd_dim_floordiv(&table, x, three), hd_dim_mod(&table, x, seven));
  HD_CHECK(!x);
  hd_arena_free(&arena);
}

/* A symbol that only the run knows gives way to one that the arguments tell, whichever is older. */
static void data_dependent_symbols_are_replaced(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_dim_table table;
  hd_dim_table_init(&table, &arena);
  hd_dim unbacked = hd_dim_symbol(&table, "e", 0, INT64_MAX, NULL, true),
         early = hd_dim_symbol(&table, "d", 0, INT64_MAX, NULL, false), one = hd_dim_const(&table, 1);
  HD_CHECK(hd_dim_assume_equal(&table, unbacked, early));
  HD_CHECK(hd_dim_resolve(&table, unbacked) == early);
  hd_dim other = hd_dim_symbol(&table, "f", 0, INT64_MAX, NULL, true);
  HD_CHECK(!hd_dim_assume_equal(&table, early, hd_dim_mul(&table, other, hd_dim_add(&table, other, one))));
  HD_CHECK(hd_dim_resolve(&table, early) == early);
  hd_arena_free(&arena);
}

/* A clamped position: min(n - 1, max(0, e)) + 1 <= n, but not max(n - 1, e) + 1 <= n. */
static void bounds_through_min_and_max(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_dim_table table;
  hd_dim_table_init(&table, &arena);
  hd_dim n = hd_dim_symbol(&table, "n", 1, INT64_MAX, NULL, false),
         e = hd_dim_symbol(&table, "e", INT64_MIN, INT64_MAX, NULL, true), one = hd_dim_const(&table, 1),
         zero = hd_dim_const(&table, 0), last = hd_dim_sub(&table, n, one);
  hd_dim clamped = hd_dim_min(&table, last, hd_dim_max(&table, zero, e));
  HD_CHECK(hd_dim_at_most(&table, hd_dim_add(&table, clamped, one), n));
  HD_CHECK(hd_dim_at_most(&table, zero, clamped));
  HD_CHECK(!hd_dim_at_most(&table, hd_dim_add(&table, hd_dim_max(&table, last, e), one), n));
  HD_CHECK(hd_dim_at_most(&table, last, hd_dim_max(&table, last, e)));
  HD_CHECK(!hd_dim_at_most(&table, last, hd_dim_min(&table, last, e)));
  hd_dim two = hd_dim_const(&table, 2), half = hd_dim_floordiv(&table, hd_dim_add(&table, n, one), two),
         twice = hd_dim_mul(&table, half, two);
  HD_CHECK(hd_dim_at_most(&table, n, twice) && hd_dim_at_most(&table, twice, hd_dim_add(&table, n, one)));
  HD_CHECK(!hd_dim_at_most(&table, twice, n) && !hd_dim_at_most(&table, hd_dim_add(&table, n, one), twice));
  hd_arena_free(&arena);
}

/* Any name is read as it was written. */
static void names_that_are_no_words(void) {
  static const char *const names[] = {"n", "my dim", "a+b", "3", "size \"x\"", "back\\", "min", "floordiv(n, 2)"};
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_dim_table table;
  hd_dim_table_init(&table, &arena);
  hd_dim sum = hd_dim_const(&table, 5);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    hd_dim symbol = hd_dim_symbol(&table, names[i], 0, 1000, NULL, false);
    sum = hd_dim_add(&table, sum, hd_dim_mul(&table, symbol, hd_dim_const(&table, (int64_t)i + 2)));
  }
  hd_strbuf text;
  hd_strbuf_init(&text, &arena);
  hd_dim_print(&text, sum);
  const char *at = hd_strbuf_text(&text);
  HD_CHECK(hd_dim_read(&table, &at) == sum && !*at);
  at = "\"my dim";
  HD_CHECK(!hd_dim_read(&table, &at));
  at = "\"other\"";
  HD_CHECK(!hd_dim_read(&table, &at));
  hd_arena_free(&arena);
}

int main(void) {
  bounds_through_min_and_max();
  large_expressions_are_unknown();
  names_that_are_no_words();
  data_dependent_symbols_are_replaced();
  return HD_TEST_RESULT();
}
