/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/sort_bytes.h"

#include <string.h>

enum { TABLES = 4, MOST = 1 << 30 /* bytes that a table counts in 32 bits */ };

/* Equal neighbours are counted in different tables: each count would wait for the one before. */
static void count_together(const uint8_t *in, int64_t n, uint32_t tables[TABLES][HD_SORT_BYTES]) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t x;
    memcpy(&x, in + i, sizeof x);
    for (int k = 0; k < 8; ++k) ++tables[k % TABLES][x >> (8 * k) & 255];
  }
  for (; i < n; ++i) ++tables[0][in[i]];
}

void hd_count_bytes(const uint8_t *in, int64_t step, int64_t n, int64_t counts[HD_SORT_BYTES]) {
  for (int64_t done = 0; done < n;) {
    uint32_t tables[TABLES][HD_SORT_BYTES] = {{0}};
    int64_t now = n - done < MOST ? n - done : MOST;
    const uint8_t *from = in + done * step;
    if (step == 1)
      count_together(from, now, tables);
    else
      for (int64_t i = 0; i < now; ++i) ++tables[i % TABLES][from[i * step]];
    for (int x = 0; x < HD_SORT_BYTES; ++x)
      for (int t = 0; t < TABLES; ++t) counts[x] += tables[t][x];
    done += now;
  }
}

void hd_store_counted_bytes(const int64_t counts[HD_SORT_BYTES], const hd_sort_key *key, int64_t from, int64_t to,
                            uint8_t *out, int64_t step) {
  int64_t first = 0;
  for (int rank = 0; rank < HD_SORT_BYTES && first < to; ++rank) {
    uint8_t x = (uint8_t)hd_sort_element((uint64_t)rank, key);
    int64_t end = first + counts[x], low = first > from ? first : from, high = end < to ? end : to;
    first = end;
    if (low >= high) continue;
    if (step == 1)
      memset(out + low, x, (size_t)(high - low));
    else
      for (int64_t i = low; i < high; ++i) out[i * step] = x;
  }
}
