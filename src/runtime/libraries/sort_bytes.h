/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in order, by counting them. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_BYTES_H_
#define HD_RUNTIME_LIBRARIES_SORT_BYTES_H_

#include <stdint.h>

#include "runtime/libraries/sort_keys.h"

enum { HD_SORT_BYTES = 256 };

/* Adds to |counts| how many of the |n| bytes from |in| on, |step| apart, there are of each value. */
void hd_count_bytes(const uint8_t *in, int64_t step, int64_t n, int64_t counts[HD_SORT_BYTES]);

/* Writes the bytes at places [from, to) of the order by |key| to |out| + place * |step|; there are |counts| of each. */
void hd_store_counted_bytes(const int64_t counts[HD_SORT_BYTES], const hd_sort_key *key, int64_t from, int64_t to,
                            uint8_t *out, int64_t step);

#endif
