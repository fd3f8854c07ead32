/* SPDX-License-Identifier: Apache-2.0 */
/* 128-bit content hashes (BLAKE2b with a 16-byte digest): names of constants, cache keys, artifact integrity.
 * Collisions cannot be made on purpose, so a hash may stand for the bytes. Thread-compatible. */
#ifndef HD_BASE_HASH128_H_
#define HD_BASE_HASH128_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_hash128 {
  uint8_t bytes[16];
} hd_hash128;

typedef struct hd_hash128_state {
  uint64_t h[8];
  uint64_t total;
  uint8_t block[128];
  size_t used;
} hd_hash128_state;

void hd_hash128_init(hd_hash128_state *state);
void hd_hash128_add(hd_hash128_state *state, const void *data, size_t size);
/* Length-prefixed, so that neighbours cannot run into each other. */
void hd_hash128_add_string(hd_hash128_state *state, const char *text);
hd_hash128 hd_hash128_finish(hd_hash128_state *state);
hd_hash128 hd_hash128_of(const void *data, size_t size);
bool hd_hash128_equal(const hd_hash128 *a, const hd_hash128 *b);
/* 32 lower-case hex digits and a NUL. */
void hd_hash128_hex(const hd_hash128 *hash, char out[33]);
/* Reads 32 hex digits. */
bool hd_hash128_from_hex(const char *text, hd_hash128 *out_hash);

#endif
