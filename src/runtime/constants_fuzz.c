/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a constants file, and as the index of one. */
#include "runtime/constants.h"
#include "runtime/fuzzing.h"

static void read_one(const void *data, size_t size, hd_arena *arena) {
  hd_constants constants;
  hd_status status = hd_constants_read(data, size, arena, &constants);
  for (uint32_t i = 0; hd_is_ok(status) && i < constants.count && i < 16; ++i) {
    hd_constant_slot slot = {.constant = &constants.items[i]};
    hd_status_free(hd_constant_check(&slot));
  }
  hd_status_free(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hd_fuzz_container(&hd_constants_format, data, size, read_one);
  return 0;
}
