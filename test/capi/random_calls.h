/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with random arguments: null beside a count, memory between two elements, structs cut anywhere, numbers at their
 * ends, objects of other kinds. A call must answer; sanitizers see what it touches. `PROGRAM SEED COUNT FOLDER`. */
#ifndef HD_TEST_CAPI_RANDOM_CALLS_H_
#define HD_TEST_CAPI_RANDOM_CALLS_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"

static uint64_t state;
static const char *folder;
static uint64_t answered, failed; /* calls with a status, and how many of these were not OK */

static uint64_t next(void) {
  uint64_t x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
static uint64_t below(uint64_t n) { return next() % n; }
static bool once_in(uint64_t n) { return !below(n); }
#define ONE_OF(...) ((__VA_ARGS__)[below(sizeof(__VA_ARGS__) / sizeof *(__VA_ARGS__))])
/* |p|, or null. */
#define OR_NULL(p) (once_in(12) ? NULL : (p))

enum { ENTRIES = 8 }; /* of every list, so that any count below it is right */

static int64_t number(void) {
  return once_in(6) ? ONE_OF((int64_t[]){-1, INT64_MIN, INT64_MAX, 1ll << 31, 1ll << 62, -(1ll << 40)})
                    : (int64_t)below(5);
}
static int32_t count_or_worse(void) { return once_in(6) ? (int32_t)number() : (int32_t)below(4); }

__attribute__((unused)) static void answer(hd_status status) {
  ++answered;
  failed += !hd_is_ok(status);
  if (!*hd_status_code_name(hd_status_code_of(status)) || !hd_status_message(status)) abort();
  hd_status_free(status);
}

/* Memory of |bytes|, as the sanitizer guards it, at any address for which |align| bytes are not needed. */
static char scratch[1 << 12];
__attribute__((unused)) static void *memory(void) { return OR_NULL(scratch + below(17)); }

/* |options| of |size| bytes as a caller may know them: of any struct_size, and no longer than that. */
static void *cut_options(const void *options, size_t size) {
  size_t known = once_in(3) ? below(size + 16) : size, room = known < 8 ? 8 : known;
  char *copy = calloc(1, room);
  if (!copy) abort();
  memcpy(copy, options, room < size ? room : size);
  memcpy(copy, &known, sizeof known);
  return copy;
}

static const char PROGRAM[] =
    "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>) {\n"
    "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n"
    "  %1 = stablehlo.constant dense<7> : tensor<i32>\n"
    "  return %0, %1 : tensor<?xf32>, tensor<i32>\n}\n";

static int run_calls(int argc, char **argv, void (*const *calls)(void), size_t count, void (*end)(void)) {
  if (argc != 4) return 2;
  uint64_t seed = strtoull(argv[1], NULL, 10), times = strtoull(argv[2], NULL, 10);
  folder = argv[3];
  for (uint64_t i = 0; i < times; ++i) {
    state = seed * 1000000007 + i;
    if (getenv("SHOW_CALLS")) fprintf(stderr, "call %llu\n", (unsigned long long)i);
    calls[below(count)]();
  }
  end();
  printf("%llu statuses, %llu of them failures\n", (unsigned long long)answered, (unsigned long long)failed);
  return 0;
}

#endif
