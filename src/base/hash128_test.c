/* SPDX-License-Identifier: Apache-2.0 */
/* The 128-bit hash, against published values. */
#include "base/hash128.h"

#include "base/testing.h"

static void check(const void *data, size_t size, const char *want) {
  char hex[33];
  hd_hash128 hash = hd_hash128_of(data, size);
  hd_hash128_hex(&hash, hex);
  HD_CHECK_STR(hex, want);
  /* In pieces of every size: the same. */
  for (size_t piece = 1; piece < 200; piece += 13) {
    hd_hash128_state state;
    hd_hash128_init(&state);
    for (size_t at = 0; at < size; at += piece)
      hd_hash128_add(&state, (const char *)data + at, size - at < piece ? size - at : piece);
    hd_hash128 again = hd_hash128_finish(&state);
    HD_CHECK(hd_hash128_equal(&hash, &again));
  }
  hd_hash128 back;
  HD_CHECK(hd_hash128_from_hex(hex, &back) && hd_hash128_equal(&hash, &back));
}

int main(void) {
  /* Values of an independent BLAKE2b (Python's hashlib, digest_size=16). */
  unsigned char all[768], a[129];
  for (int i = 0; i < 768; ++i) all[i] = (unsigned char)i;
  memset(a, 'a', sizeof a);
  check("", 0, "cae66941d9efbd404e4d88758ea67670");
  check("abc", 3, "cf4ab791c62b8d2b2109c90275287816");
  check(all, 768, "e0892860f9fc0da273b9db57e857c19a");
  check(a, 128, "1271d28e731afb57bdfba6bdaf3501be");
  check(a, 129, "68b7bafbad5055c4ebe6eb170a0f8524");
  hd_hash128 back;
  HD_CHECK(!hd_hash128_from_hex("12", &back));
  return HD_TEST_RESULT();
}
