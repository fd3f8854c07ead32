/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzzers of containers share: any bytes as a container, and as the fields of one with a right header, so that the
 * fuzzer gets past its hash. */
#ifndef HD_RUNTIME_FUZZING_H_
#define HD_RUNTIME_FUZZING_H_

#include <stdlib.h>
#include <string.h>

#include "runtime/container.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef void hd_fuzz_fn(const void *data, size_t size, hd_arena *arena);

/* Reads a copy at an aligned address, into an arena of its own. */
static inline void hd_fuzz_one(const void *data, size_t size, hd_fuzz_fn *read) {
  void *copy = aligned_alloc(HD_CONTAINER_ALIGNMENT, hd_container_align(size + 1));
  if (!copy) return;
  if (size) memcpy(copy, data, size);
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  read(copy, size, &arena);
  hd_arena_free(&arena);
  free(copy);
}

static inline void hd_fuzz_container(const hd_container_format *format, const uint8_t *data, size_t size,
                                     hd_fuzz_fn *read) {
  uint8_t *bytes;
  hd_hash128_state state;
  hd_fuzz_one(data, size, read);
  uint64_t total = HD_CONTAINER_HEADER + (uint64_t)size;
  hd_status status = hd_container_begin(format, data, size, total, &bytes, &state);
  if (hd_is_ok(status)) {
    hd_container_end(format, bytes, &state);
    hd_fuzz_one(bytes, total, read);
  }
  hd_status_free(status);
  free(bytes);
}

#endif
