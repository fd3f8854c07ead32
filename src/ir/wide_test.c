/* SPDX-License-Identifier: Apache-2.0 */
/* Integers and floats of more than 64 bits: digits read, printed and rounded. */
#include "ir/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/attributes.h"
#include "ir/fold.h"
#include "ir/testing.h"

static uint64_t seed = 1;
static uint64_t next_random(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static const char *text_of(hd_arena *arena, hd_type type, const char *pattern) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_wide_integer_print(type, pattern, &text);
  return hd_strbuf_text(&text);
}

/* |digits| of |type| reads and prints as |want|; null: it has no such value. */
static void check_integer(hd_arena *arena, hd_type type, const char *digits, bool negative, const char *want) {
  char pattern[64];
  bool read = hd_wide_integer_read(type, hd_str_of(digits), negative, pattern);
  HD_CHECK(read == (want != NULL));
  if (read && want) HD_CHECK_STR(text_of(arena, type, pattern), want);
}

static void test_integers(hd_context *c, hd_arena *arena) {
  hd_type i65 = hd_type_integer(c, 65, HD_SIGNLESS), s65 = hd_type_integer(c, 65, HD_SIGNED),
          u65 = hd_type_integer(c, 65, HD_UNSIGNED), i72 = hd_type_integer(c, 72, HD_SIGNLESS);
  check_integer(arena, i65, "0", false, "0");
  check_integer(arena, i65, "0", true, "0");
  check_integer(arena, i65, "18446744073709551615", false, "18446744073709551615");
  check_integer(arena, i65, "18446744073709551616", false, "-18446744073709551616"); /* bits of a signless type */
  check_integer(arena, i65, "36893488147419103231", false, "-1");
  check_integer(arena, i65, "36893488147419103232", false, NULL);
  check_integer(arena, i65, "18446744073709551616", true, "-18446744073709551616");
  check_integer(arena, i65, "18446744073709551617", true, NULL);
  check_integer(arena, s65, "18446744073709551616", false, NULL);
  check_integer(arena, s65, "0x10000000000000000", false, "-18446744073709551616");
  check_integer(arena, u65, "36893488147419103231", false, "36893488147419103231");
  check_integer(arena, u65, "1", true, NULL);
  check_integer(arena, u65, "0", true, "0");
  check_integer(arena, i72, "0x00000000000000000000000000000000ff", false, "255");
  check_integer(arena, i72, "000000000000000000000000000000000007", true, "-7");
}

/* Every pattern of 128 bits reads back from what it prints, in decimal and in bits. */
static void test_round_trips(hd_context *c, hd_arena *arena) {
  hd_type types[] = {hd_type_integer(c, 128, HD_SIGNLESS), hd_type_integer(c, 128, HD_UNSIGNED),
                     hd_type_integer(c, 97, HD_SIGNED)};
  for (int i = 0; i < 3000; ++i) {
    hd_type type = types[i % 3];
    size_t bytes = hd_type_element_bytes(type);
    unsigned __int128 value = (unsigned __int128)next_random() << 64 | next_random();
    value >>= i / 3 % 128;
    if (i % 2) value = ~value;
    char pattern[16], again[16];
    memcpy(pattern, &value, bytes);
    hd_wide_trim(type, pattern);
    const char *text = text_of(arena, type, pattern);
    bool negative = *text == '-';
    HD_CHECK(hd_wide_integer_read(type, hd_str_of(text + negative), negative, again) && !memcmp(pattern, again, bytes));
    hd_strbuf hex;
    hd_strbuf_init(&hex, arena);
    hd_wide_bits_print(type, pattern, &hex);
    HD_CHECK(hd_wide_bits_read(type, hd_str_of(hd_strbuf_text(&hex)), again) && !memcmp(pattern, again, bytes));
    __int128 sum = 0; /* what the text says, by another way */
    for (const char *at = text + negative; *at; ++at)
      sum = (__int128)((unsigned __int128)sum * 10u + (unsigned)(*at - '0'));
    if (negative) sum = (__int128)(0 - (unsigned __int128)sum);
    unsigned __int128 shown = (unsigned __int128)sum;
    memcpy(again, &shown, bytes);
    hd_wide_trim(type, again);
    HD_CHECK(!memcmp(pattern, again, bytes));
  }
}

static void check_nearest(hd_type type, const char *digits, bool negative, int64_t want) {
  char pattern[16];
  HD_CHECK(hd_wide_integer_read(type, hd_str_of(digits), negative, pattern));
  HD_CHECK_INT(hd_wide_integer_nearest(type, pattern), want);
}

static void test_nearest(hd_context *c) {
  hd_type i100 = hd_type_integer(c, 100, HD_SIGNLESS), u100 = hd_type_integer(c, 100, HD_UNSIGNED);
  check_nearest(i100, "5", false, 5);
  check_nearest(i100, "5", true, -5);
  check_nearest(i100, "9223372036854775807", false, INT64_MAX);
  check_nearest(i100, "9223372036854775808", false, INT64_MAX);
  check_nearest(i100, "9223372036854775808", true, INT64_MIN);
  check_nearest(i100, "9223372036854775809", true, INT64_MIN);
  check_nearest(u100, "18446744073709551616", false, INT64_MAX);
}

static void test_floats(void) {
  static const hd_float_kind kinds[] = {HD_F80, HD_F128};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 20000; ++i) {
      uint64_t bits = next_random();
      if (i % 4 == 0) bits &= 0x800fffffffffffffull; /* subnormal doubles */
      if (i < 4) bits = (uint64_t[]){0, 1ull << 63, 0x7ff0000000000000ull, 0xfff0000000000000ull}[i];
      double value, again;
      bool exact;
      memcpy(&value, &bits, 8);
      char pattern[16];
      hd_wide_float_encode(kinds[k], value, pattern);
      again = hd_wide_float_decode(kinds[k], pattern, &exact);
      HD_CHECK(isnan(value) ? isnan(again) && exact : !memcmp(&again, &value, 8) && exact);
#if __LDBL_MANT_DIG__ == 64
      long double wide = value;
      if (kinds[k] == HD_F80 && !isnan(value)) HD_CHECK(!memcmp(&wide, pattern, 10));
#endif
      pattern[0] ^= 1; /* beyond the digits of a double */
      hd_wide_float_decode(kinds[k], pattern, &exact);
      HD_CHECK(!exact);
    }
  bool exact;
  HD_CHECK(isinf(hd_wide_float_decode(HD_F128, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xfe\x7f", &exact)) &&
           !exact); /* 2^16383 */
}

/* Equal numbers are one attribute; folds see no number in it. */
static void test_attributes(hd_context *c) {
  hd_type i128 = hd_type_integer(c, 128, HD_SIGNLESS), f80 = hd_type_float(c, HD_F80);
  char one[16] = {1}, high[16] = {0};
  high[8] = 1;
  HD_CHECK(hd_attr_wide(i128, one) == hd_attr_integer(i128, 1) && hd_attr_wide(i128, one) != hd_attr_wide(i128, high));
  HD_CHECK(hd_attr_wide(i128, high)->integer == INT64_MAX && hd_attr_integer(i128, -1)->wide[15] == (char)0xff);
  HD_CHECK(hd_attr_float(f80, 1.5) == hd_attr_float(f80, 1.5) && hd_attr_float(f80, 1.5)->floating.value == 1.5);
  int64_t integer;
  double value;
  HD_CHECK(!hd_attr_splat_int(hd_attr_integer(i128, 1), &integer) &&
           !hd_attr_splat_float(hd_attr_float(f80, 1.5), &value));
  hd_type vector = hd_type_tensor(i128, (int64_t[]){3}, 1, NULL);
  hd_attr splat = hd_fold_fill(vector, hd_attr_wide(i128, high));
  HD_CHECK(splat && splat->dense.splat && !memcmp(splat->dense.data, high, 16));
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_arena scratch;
  hd_arena_init(&scratch, NULL);
  test_integers(c, &scratch);
  test_round_trips(c, &scratch);
  hd_arena_free(&scratch);
  test_nearest(c);
  test_floats();
  test_attributes(c);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
