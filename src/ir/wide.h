/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of more than 64 bits: integers, and the floats f80 and f128. They are read, kept, compared and written, never
 * computed with. A pattern is what memory holds: hd_type_element_bytes bytes, low first, unused high bits zero. No
 * state. */
#ifndef HD_IR_WIDE_H_
#define HD_IR_WIDE_H_

#include "base/strbuf.h"
#include "ir/types.h"

/* The widest integer that attributes hold; types go on to 2^24 - 1 bits. */
enum { HD_WIDE_BITS = 65536 };

/* An integer or float of more than 64 bits. */
bool hd_type_is_wide(hd_type type);

/* The pattern of a literal, decimal or 0x; false when |type| has no such value. */
bool hd_wide_integer_read(hd_type type, hd_str literal, bool negative, char *out);
/* In decimal. */
void hd_wide_integer_print(hd_type type, const char *pattern, hd_strbuf *out);
/* The value, or what of int64_t is nearest to it. */
int64_t hd_wide_integer_nearest(hd_type type, const char *pattern);

/* The pattern of a literal 0x...; false when it has more bits than |type|. */
bool hd_wide_bits_read(hd_type type, hd_str literal, char *out);
/* As 0x... without leading zeros. */
void hd_wide_bits_print(hd_type type, const char *pattern, hd_strbuf *out);
/* Clears what is beyond the bits of |type|. */
void hd_wide_trim(hd_type type, char *pattern);

/* The pattern of a double, which both formats hold exactly. */
void hd_wide_float_encode(hd_float_kind kind, double value, char *out);
/* The nearest double; |*out_exact|: the pattern is that double's. */
double hd_wide_float_decode(hd_float_kind kind, const char *pattern, bool *out_exact);

#endif
