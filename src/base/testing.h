/* SPDX-License-Identifier: Apache-2.0 */
/* The unit-test harness: checks that count, print where they failed and go on.
 *
 *   int main(void) {
 *     HD_CHECK(x > 0);
 *     HD_CHECK_INT(dims.len, 3);
 *     HD_CHECK_STR(name, "gelu");
 *     HD_CHECK_OK(hd_thing_load(...));
 *     HD_CHECK_FAILS(hd_thing_load(...), HD_INVALID_ARGUMENT, "dim 0 is 5");
 *     return HD_TEST_RESULT();
 *   }
 *
 * Every check gives a bool (true: it held), so that a test can stop using what is missing. A file foo_test.c beside
 * foo.c becomes build/bin/foo_test and a ctest of that name. The counts may be raised from several threads. */
#ifndef HD_BASE_TESTING_H_
#define HD_BASE_TESTING_H_

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heddle/status.h"

static atomic_int hd_test_passed_, hd_test_failed_;

__attribute__((format(printf, 4, 5), unused)) static bool hd_test_check_(bool held, const char *file, int line,
                                                                         const char *format, ...) {
  atomic_fetch_add(held ? &hd_test_passed_ : &hd_test_failed_, 1);
  if (held) return true;
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
  return false;
}

__attribute__((unused)) static bool hd_test_int_(int64_t got, int64_t want, const char *expr, const char *file,
                                                 int line) {
  return hd_test_check_(got == want, file, line, "%s: expected %lld, got %lld", expr, (long long)want, (long long)got);
}

__attribute__((unused)) static bool hd_test_str_(const char *got, const char *want, const char *expr, const char *file,
                                                 int line) {
  bool held = got && want ? strcmp(got, want) == 0 : got == want;
  return hd_test_check_(held, file, line, "%s:\n  expected: %s\n       got: %s", expr, want ? want : "(null)",
                        got ? got : "(null)");
}

/* Within |tolerance| absolutely; equal infinities and two NaNs agree. */
__attribute__((unused)) static bool hd_test_near_(double got, double want, double tolerance, const char *expr,
                                                  const char *file, int line) {
  bool held = got == want || (isnan(got) && isnan(want)) || fabs(got - want) <= tolerance;
  return hd_test_check_(held, file, line, "%s: expected %.17g, got %.17g (tolerance %g)", expr, want, got, tolerance);
}

__attribute__((unused)) static bool hd_test_ok_(hd_status status, const char *expr, const char *file, int line) {
  bool held = hd_test_check_(hd_is_ok(status), file, line, "%s: expected OK, got %s: %s", expr,
                             hd_status_code_name(hd_status_code_of(status)), hd_status_message(status));
  hd_status_free(status);
  return held;
}

__attribute__((unused)) static bool hd_test_fails_(hd_status status, hd_status_code code, const char *part,
                                                   const char *expr, const char *file, int line) {
  bool held = hd_status_code_of(status) == code && strstr(hd_status_message(status), part);
  hd_test_check_(held, file, line, "%s: expected %s with \"%s\", got %s: %s", expr, hd_status_code_name(code), part,
                 hd_status_code_name(hd_status_code_of(status)), hd_status_message(status));
  hd_status_free(status);
  return held;
}

__attribute__((format(printf, 1, 2), unused)) static void hd_test_skip_(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  printf("skipped: %s\n", text);
}

/* The next of 64 bits that look random, the same in every run; |state| is any number. */
__attribute__((unused)) static uint64_t hd_test_random(uint64_t *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (*state >> 33) ^ (*state << 31);
}

__attribute__((unused)) static int hd_test_result_(void) {
  int passed = atomic_load(&hd_test_passed_), failed = atomic_load(&hd_test_failed_);
  printf("%d passed, %d failed\n", passed, failed);
  /* A test that checked nothing is a broken test. */
  return failed || !passed ? 1 : 0;
}

/* Says on stdout that a part of the test cannot run here, and why; run_tests.py lists it among the skips. printf-like.
 */
#define HD_TEST_SKIP(...) hd_test_skip_(__VA_ARGS__)

#define HD_CHECK(cond) hd_test_check_((cond), __FILE__, __LINE__, "%s", #cond)
#define HD_CHECK_INT(got, want) hd_test_int_((int64_t)(got), (int64_t)(want), #got, __FILE__, __LINE__)
#define HD_CHECK_STR(got, want) hd_test_str_((got), (want), #got, __FILE__, __LINE__)
#define HD_CHECK_NEAR(got, want, tolerance) hd_test_near_((got), (want), (tolerance), #got, __FILE__, __LINE__)
/* Take the status. |part| must occur in the message. */
#define HD_CHECK_OK(expr) hd_test_ok_((expr), #expr, __FILE__, __LINE__)
#define HD_CHECK_FAILS(expr, code, part) hd_test_fails_((expr), (code), (part), #expr, __FILE__, __LINE__)
/* "N passed, N failed" on stdout; the exit code of main. */
#define HD_TEST_RESULT() hd_test_result_()

#endif
