/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an artifact. The bytes after the header are also tried behind a right header, so that the fuzzer gets
 * past the content hash; and as the object of one variant, which is loaded but not run. */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/artifact.h"
#include "runtime/loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(const uint8_t *data, size_t size) {
  void *copy = aligned_alloc(64, (size + 64) / 64 * 64);
  if (!copy) return;
  memcpy(copy, data, size);
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_artifact artifact;
  hd_status_free(hd_artifact_read(copy, size, true, &arena, &artifact));
  hd_arena_free(&arena);
  free(copy);
}

/* The bytes as metadata without objects: header and hash are made for them. */
static void read_as_metadata(const uint8_t *data, size_t size) {
  static const uint8_t magic[8] = {0x89, 'H', 'D', 'L', '\r', '\n', 0x1a, '\n'};
  uint64_t total = 64 + size, start = 64, length = size;
  uint32_t version = HD_ARTIFACT_VERSION, abi = HD_ABI_VERSION;
  uint8_t *bytes = calloc(1, total);
  if (!bytes) return;
  memcpy(bytes, magic, 8);
  memcpy(bytes + 8, &version, 4);
  memcpy(bytes + 12, &abi, 4);
  memcpy(bytes + 16, &total, 8);
  memcpy(bytes + 24, &start, 8);
  memcpy(bytes + 32, &length, 8);
  memcpy(bytes + 64, data, size);
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add(&state, bytes, 40);
  hd_hash128_add(&state, data, size);
  hd_hash128 hash = hd_hash128_finish(&state);
  memcpy(bytes + 40, hash.bytes, 16);
  read_one(bytes, total);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_one(data, size);
  read_as_metadata(data, size);
  hd_artifact_object object = {"fuzz", data, size};
  hd_code *code;
  hd_status_free(hd_code_load(&object, 1, NULL, 0, &code));
  hd_code_free(code);
  return 0;
}
