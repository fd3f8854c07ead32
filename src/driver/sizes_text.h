/* SPDX-License-Identifier: Apache-2.0 */
/* What layouts and maps are shown over, as users write it. */
#ifndef HD_DRIVER_SIZES_TEXT_H_
#define HD_DRIVER_SIZES_TEXT_H_

#include "base/status.h"

/* "16x16": one to |most| numbers from 1 to INT32_MAX. INVALID_ARGUMENT says what was expected. */
hd_status hd_read_sizes(const char *text, uint32_t most, int64_t *out_sizes, uint32_t *out_count) HD_MUST_USE;
/* What a struct of options has that ends before its element_bits. */
enum { HD_DEFAULT_ELEMENT_BITS = 32 };
/* 8, 16, 32 or 64? */
hd_status hd_check_element_bits(uint32_t bits) HD_MUST_USE;

#endif
