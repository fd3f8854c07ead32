/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts by vectors of every width that this CPU has, and parts of the order, against the C library's. */
#include "runtime/libraries/sort_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/testing.h"

enum { MOST = 3000, ORDERS = 6 };

static uint64_t random_bits(void) {
  static uint64_t state = 1;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int compare_32(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int compare_64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Different, ascending, descending, few, all the largest, and the largest among few. */
static uint64_t number(int order, int64_t i) {
  uint64_t numbers[ORDERS] = {random_bits(),     (uint64_t)i,           (uint64_t)-i,
                              random_bits() % 3, (uint64_t)INT64_C(-1), random_bits() % 4 - 1};
  return numbers[order];
}

/* |a| has at [from, to) what |want| has, and around it the rest of it on its side. */
#define CHECK_PART(a, want, n, from, to, compare)                                            \
  do {                                                                                       \
    HD_CHECK(!memcmp((a) + (from), (want) + (from), (size_t)((to) - (from)) * sizeof *(a))); \
    for (int64_t i_ = 0; i_ < (from); ++i_) HD_CHECK((a)[i_] <= (want)[from]);               \
    for (int64_t i_ = (to); i_ < (n); ++i_) HD_CHECK((a)[i_] >= (want)[(to) - 1]);           \
    qsort(a, (size_t)(n), sizeof *(a), compare);                                             \
    HD_CHECK(!memcmp(a, want, (size_t)(n) * sizeof *(a)));                                   \
  } while (0)

static void check(const hd_sort_vectors *v, int order, int64_t n, int64_t from, int64_t to) {
  static uint32_t a[MOST], a_scratch[MOST], a_want[MOST];
  static uint64_t b[MOST], b_scratch[MOST], b_want[MOST];
  for (int64_t i = 0; i < n; ++i) b[i] = b_want[i] = number(order, i), a[i] = a_want[i] = (uint32_t)b[i];
  qsort(a_want, (size_t)n, sizeof *a, compare_32);
  qsort(b_want, (size_t)n, sizeof *b, compare_64);
  v->sort_32(a, a_scratch, n, from, to);
  v->sort_64(b, b_scratch, n, from, to);
  CHECK_PART(a, a_want, n, from, to, compare_32);
  CHECK_PART(b, b_want, n, from, to, compare_64);
}

/* Numbers of which each pivot has few below it, so that steps run out and the rest goes through a heap: the samples of
 * |lanes| equal pieces are the least that are left. Those that stay keep their order. */
static void check_heap(const hd_sort_vectors *v, int64_t lanes) {
  static uint64_t a[MOST], scratch[MOST], want[MOST];
  static int64_t left[MOST];
  int64_t count = MOST;
  uint64_t next = 0;
  for (int64_t i = 0; i < MOST; ++i) left[i] = i, a[i] = MOST + random_bits() % MOST;
  while (count > 16 * lanes) {
    int64_t step = count / lanes, kept = 0;
    for (int64_t s = 0; s <= lanes / 2; ++s) a[left[s * step + step / 2]] = next++;
    for (int64_t i = 0; i < count; ++i)
      if (a[left[i]] + 1 >= next) left[kept++] = left[i];
    count = kept;
  }
  static uint32_t narrow[MOST], narrow_scratch[MOST], narrow_want[MOST];
  for (int64_t i = 0; i < MOST; ++i) want[i] = a[i], narrow[i] = narrow_want[i] = (uint32_t)a[i];
  qsort(want, MOST, sizeof *want, compare_64);
  qsort(narrow_want, MOST, sizeof *narrow_want, compare_32);
  v->sort_64(a, scratch, MOST, 0, MOST);
  v->sort_32(narrow, narrow_scratch, MOST, 0, MOST);
  HD_CHECK(!memcmp(a, want, sizeof a) && !memcmp(narrow, narrow_want, sizeof narrow));
}

int main(void) {
  const hd_sort_vectors *v;
  for (int level = 0; (v = hd_sort_vectors_of(level)); ++level) {
    for (int64_t lanes = 4; lanes <= 16; lanes *= 2) check_heap(v, lanes);
    for (int order = 0; order < ORDERS; ++order) {
      for (int64_t n = 1; n <= MOST; n += n < 270 ? 1 : 211) {
        check(v, order, n, 0, n);
        int64_t from = (int64_t)(random_bits() % (uint64_t)n);
        check(v, order, n, from, from + 1 + (int64_t)(random_bits() % (uint64_t)(n - from)));
      }
    }
  }
  return HD_TEST_RESULT();
}
