/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/sizes_text.h"

#include <stdlib.h>

hd_status hd_read_sizes(const char *text, uint32_t most, int64_t *out_sizes, uint32_t *out_count) {
  const char *at = text;
  *out_count = 0;
  for (;;) {
    char *end;
    long long size = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : 0;
    if (size <= 0 || size > INT32_MAX || *out_count == most)
      return hd_make_status(HD_INVALID_ARGUMENT, "shape: expected up to %u positive sizes such as 16x16, got '%s'",
                            most, text);
    out_sizes[(*out_count)++] = size;
    if (!*end) return HD_STATUS_OK;
    if (*end != 'x') return hd_make_status(HD_INVALID_ARGUMENT, "shape: expected 'x' between sizes, got '%s'", end);
    at = end + 1;
  }
}

hd_status hd_check_element_bits(uint32_t bits) {
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "element bits: expected 8, 16, 32 or 64, got %u", bits);
}
