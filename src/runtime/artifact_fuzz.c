/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an artifact, as the metadata of one, and as the object of one variant, which is loaded but not run. */
#include "runtime/artifact.h"
#include "runtime/fuzzing.h"
#include "runtime/loader.h"

static void read_one(const void *data, size_t size, hd_arena *arena) {
  hd_artifact artifact;
  hd_status_free(hd_artifact_read(data, size, true, arena, &artifact));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hd_fuzz_container(&hd_artifact_format, data, size, read_one);
  hd_artifact_object object = {"fuzz", data, size};
  hd_code *code;
  hd_status_free(hd_code_load(&object, 1, NULL, 0, &code));
  hd_code_free(code);
  return 0;
}
