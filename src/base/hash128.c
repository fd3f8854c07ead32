/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2b (RFC 7693), unkeyed, 16-byte digest. */
#include "base/hash128.h"

#include <string.h>

static const uint64_t iv[8] = {0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
                               0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

static const uint8_t sigma[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

static inline uint64_t rotate(uint64_t x, int n) { return x >> n | x << (64 - n); }

static uint64_t load(const uint8_t *p) {
  uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= (uint64_t)p[i] << (8 * i);
  return word;
}

#define MIX(a, b, c, d, x, y) \
  a += b + (x);               \
  d = rotate(d ^ a, 32);      \
  c += d;                     \
  b = rotate(b ^ c, 24);      \
  a += b + (y);               \
  d = rotate(d ^ a, 16);      \
  c += d;                     \
  b = rotate(b ^ c, 63);

static void compress(hd_hash128_state *state, const uint8_t *block, bool last) {
  uint64_t m[16], v[16];
  for (int i = 0; i < 16; ++i) m[i] = load(block + 8 * i);
  for (int i = 0; i < 8; ++i) {
    v[i] = state->h[i];
    v[i + 8] = iv[i];
  }
  v[12] ^= state->total;
  if (last) v[14] = ~v[14];
  for (int round = 0; round < 12; ++round) {
    const uint8_t *s = sigma[round];
    MIX(v[0], v[4], v[8], v[12], m[s[0]], m[s[1]])
    MIX(v[1], v[5], v[9], v[13], m[s[2]], m[s[3]])
    MIX(v[2], v[6], v[10], v[14], m[s[4]], m[s[5]])
    MIX(v[3], v[7], v[11], v[15], m[s[6]], m[s[7]])
    MIX(v[0], v[5], v[10], v[15], m[s[8]], m[s[9]])
    MIX(v[1], v[6], v[11], v[12], m[s[10]], m[s[11]])
    MIX(v[2], v[7], v[8], v[13], m[s[12]], m[s[13]])
    MIX(v[3], v[4], v[9], v[14], m[s[14]], m[s[15]])
  }
  for (int i = 0; i < 8; ++i) state->h[i] ^= v[i] ^ v[i + 8];
}

void hd_hash128_init(hd_hash128_state *state) {
  memset(state, 0, sizeof *state);
  memcpy(state->h, iv, sizeof iv);
  state->h[0] ^= 0x01010000u ^ 16u;
}

void hd_hash128_add(hd_hash128_state *state, const void *data, size_t size) {
  const uint8_t *bytes = data;
  while (size) {
    /* A full block waits for more: the last block is compressed with its flag. */
    if (state->used == 128) {
      state->total += 128;
      compress(state, state->block, false);
      state->used = 0;
    }
    if (!state->used) {
      while (size > 128) {
        state->total += 128;
        compress(state, bytes, false);
        bytes += 128;
        size -= 128;
      }
    }
    size_t take = 128 - state->used < size ? 128 - state->used : size;
    memcpy(state->block + state->used, bytes, take);
    state->used += take;
    bytes += take;
    size -= take;
  }
}

void hd_hash128_add_string(hd_hash128_state *state, const char *text) {
  uint64_t length = strlen(text);
  uint8_t prefix[8];
  for (int i = 0; i < 8; ++i) prefix[i] = (uint8_t)(length >> (8 * i));
  hd_hash128_add(state, prefix, 8);
  hd_hash128_add(state, text, length);
}

hd_hash128 hd_hash128_finish(hd_hash128_state *state) {
  state->total += state->used;
  memset(state->block + state->used, 0, 128 - state->used);
  compress(state, state->block, true);
  hd_hash128 hash;
  for (int i = 0; i < 16; ++i) hash.bytes[i] = (uint8_t)(state->h[i / 8] >> (8 * (i % 8)));
  return hash;
}

hd_hash128 hd_hash128_of(const void *data, size_t size) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, data, size);
  return hd_hash128_finish(&state);
}

bool hd_hash128_equal(const hd_hash128 *a, const hd_hash128 *b) { return !memcmp(a->bytes, b->bytes, 16); }

void hd_hash128_hex(const hd_hash128 *hash, char out[33]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 16; ++i) {
    out[2 * i] = digits[hash->bytes[i] >> 4];
    out[2 * i + 1] = digits[hash->bytes[i] & 15];
  }
  out[32] = 0;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool hd_hash128_from_hex(const char *text, hd_hash128 *out_hash) {
  memset(out_hash, 0, sizeof *out_hash);
  for (int i = 0; i < 16; ++i) {
    int high = digit(text[2 * i]);
    int low = high < 0 ? -1 : digit(text[2 * i + 1]);
    if (low < 0) return false;
    out_hash->bytes[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}
