/* SPDX-License-Identifier: Apache-2.0 */
/* Loading images. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/simt/interpreter.h"

struct hd_simt_program {
  hd_arena arena;
  hd_simt_module module;
};

typedef struct loading {
  const void *bytes;
  size_t size;
  hd_simt_program *program;
} loading;

static hd_status read_image(void *argument) {
  loading *l = argument;
  return hd_simt_image_read(l->bytes, l->size, &l->program->arena, &l->program->module);
}

hd_status hd_simt_program_load(const void *bytes, size_t size, hd_simt_program **out_program) {
  hd_simt_program *program = calloc(1, sizeof *program);
  *out_program = NULL;
  if (!program) return hd_make_status(HD_RESOURCE_EXHAUSTED, "simt: out of memory for a program");
  hd_arena_init(&program->arena, NULL);
  loading l = {bytes, size, program};
  hd_status status = hd_guarded_call(read_image, &l);
  if (hd_is_ok(status))
    *out_program = program;
  else
    hd_simt_program_free(program);
  return status;
}

void hd_simt_program_free(hd_simt_program *program) {
  if (program) hd_arena_free(&program->arena);
  free(program);
}

const hd_simt_module *hd_simt_program_module(const hd_simt_program *program) { return &program->module; }

hd_status hd_simt_program_find(const hd_simt_program *program, const char *name, uint32_t *out_index) {
  for (*out_index = 0; *out_index < program->module.kernel_count; ++*out_index)
    if (!strcmp(program->module.kernels[*out_index].name, name)) return HD_STATUS_OK;
  *out_index = 0;
  return hd_make_status(HD_NOT_FOUND, "simt: the image has no kernel '%s'", name);
}
