/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/simt_kernels.h"

#include <stdlib.h>

#include "target/simt/simt.h"

static hd_status load(hd_simt_kernels *kernels) {
  hd_str image;
  hd_arena arena;
  if (kernels->program) return HD_STATUS_OK;
  hd_scratch_init(&arena, &kernels->module->context->budget);
  hd_status status = hd_simt_image(kernels->module, &arena, &image);
  if (hd_is_ok(status)) status = hd_simt_program_load(image.data, image.len, &kernels->program);
  hd_arena_free(&arena);
  return status;
}

static int by_address(const void *a, const void *b) {
  const hd_simt_allocation *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

static hd_status sizes_of(const int64_t *sizes, uint32_t *out) {
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] < 1 || sizes[i] > INT32_MAX)
      return hd_make_status(HD_INVALID_ARGUMENT, "launches %lld blocks", (long long)sizes[i]);
    out[i] = (uint32_t)sizes[i];
  }
  return HD_STATUS_OK;
}

hd_status hd_simt_kernels_launch(void *user, const hd_eval_kernel *kernel) {
  hd_simt_kernels *kernels = user;
  uint32_t index;
  hd_simt_launch launch = {.words = kernel->words,
                           .word_count = (uint32_t)kernel->word_count,
                           .dynamic_shared = kernel->dynamic_shared,
                           .subgroup = kernels->subgroup,
                           .checks = true};
  HD_TRY(load(kernels));
  hd_str symbol = hd_symbol_name(kernel->kernel);
  char name[512];
  if (symbol.len >= sizeof name) return hd_make_status(HD_UNIMPLEMENTED, "has a name of %zu bytes", symbol.len);
  memcpy(name, symbol.data, symbol.len);
  name[symbol.len] = 0;
  HD_TRY(hd_simt_program_find(kernels->program, name, &index));
  HD_TRY(sizes_of(kernel->blocks, launch.grid));
  HD_TRY(sizes_of(kernel->threads, launch.block));
  hd_simt_allocation *memory = calloc(kernel->memory_count + 1, sizeof *memory);
  if (!memory) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (size_t i = 0; i < kernel->memory_count; ++i)
    memory[i] =
        (hd_simt_allocation){.address = (uint64_t)(uintptr_t)kernel->memory[i].data, .size = kernel->memory[i].size};
  qsort(memory, kernel->memory_count, sizeof *memory, by_address);
  launch.allocations = memory;
  launch.allocation_count = kernel->memory_count;
  hd_status status = hd_simt_run(kernels->program, index, &launch);
  free(memory);
  return status;
}

void hd_simt_kernels_free(hd_simt_kernels *kernels) {
  hd_simt_program_free(kernels->program);
  kernels->program = NULL;
}
