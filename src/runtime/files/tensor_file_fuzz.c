/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a tensor file: opened, and every array of at most 1 MiB read. */
#include <stdlib.h>

#include "heddle/tensor_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hd_tensor_file *file;
  hd_status status = hd_tensor_file_open_memory(data, size, "fuzz", &file);
  hd_status_free(status);
  if (status) return 0;
  for (size_t i = 0; i < hd_tensor_file_count(file); ++i) {
    const hd_file_tensor *tensor = hd_tensor_file_get(file, i);
    if (tensor->bytes > 1u << 20) continue;
    void *out = malloc(tensor->bytes + 1);
    hd_status_free(hd_file_tensor_read(tensor, out));
    free(out);
  }
  hd_tensor_file_close(file);
  return 0;
}
