/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a constants file; the bytes are also tried as an index behind a right header, so that the fuzzer gets
 * past its hash. */
#include <stdlib.h>
#include <string.h>

#include "runtime/constants.h"
#include "runtime/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(const uint8_t *data, size_t size) {
  void *copy = aligned_alloc(64, (size + 64) / 64 * 64);
  if (!copy) return;
  memcpy(copy, data, size);
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_constants constants;
  hd_status status = hd_constants_read(copy, size, &arena, &constants);
  for (uint32_t i = 0; hd_is_ok(status) && i < constants.count && i < 16; ++i) {
    hd_constant_slot slot = {.constant = &constants.items[i]};
    hd_status_free(hd_constant_check(&slot));
  }
  hd_status_free(status);
  hd_arena_free(&arena);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t magic[8] = {0x89, 'H', 'D', 'C', '\r', '\n', 0x1a, '\n'};
  read_one(data, size);
  uint8_t *bytes = calloc(1, 64 + size);
  if (!bytes) return 0;
  memcpy(bytes, magic, 8);
  hd_bytes_set(bytes + 8, 4, HD_CONSTANTS_VERSION);
  hd_bytes_set(bytes + 16, 8, 64 + size);
  hd_bytes_set(bytes + 24, 8, size);
  memcpy(bytes + 64, data, size);
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, 48);
  hd_hash128_add(&state, data, size);
  hd_hash128 hash = hd_hash128_finish(&state);
  memcpy(bytes + 48, hash.bytes, 16);
  read_one(bytes, 64 + size);
  free(bytes);
  return 0;
}
