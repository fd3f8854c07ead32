/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image of simt; what is accepted is launched, checked, on memory of its own. */
#include "runtime/drivers/simt/interpreter.h"
#include "runtime/fuzzing.h"

static bool stop(const void *user) {
  (void)user;
  return true;
}

static void launch_one(const hd_simt_program *program, uint32_t index) {
  static _Thread_local uint64_t memory[64];
  const hd_simt_kernel *k = &hd_simt_program_module(program)->kernels[index];
  uint64_t words[16];
  for (int i = 0; i < 16; ++i) words[i] = i % 2 ? 8 : (uintptr_t)memory;
  hd_simt_allocation allocation = {.address = (uintptr_t)memory, .size = sizeof memory};
  hd_simt_launch launch = {
      .grid = {2, 1, 1},
      .block = {k->block[0] ? k->block[0] : 40, k->block[1] ? k->block[1] : 1, k->block[2] ? k->block[2] : 1},
      .words = words,
      .word_count = k->argument_count,
      .checks = true,
      .allocations = &allocation,
      .allocation_count = 1,
      .stopped = stop};
  if (k->argument_count <= 16 && k->private_bytes <= 1 << 16 && k->shared_bytes <= 1 << 16)
    hd_status_free(hd_simt_run(program, index, &launch));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hd_simt_program *program;
  hd_status status = hd_simt_program_load(data, size, &program);
  for (uint32_t i = 0; hd_is_ok(status) && i < hd_simt_program_module(program)->kernel_count; ++i)
    launch_one(program, i);
  if (hd_is_ok(status)) hd_simt_program_free(program);
  hd_status_free(status);
  return 0;
}
