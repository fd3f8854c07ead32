/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/target.h"

#include <stddef.h>
#include <string.h>

#define FLOAT(kind) (1u << HD_##kind)
#define HOST NULL
#define GPU(...) (&(const hd_gpu_target){__VA_ARGS__})
#define TILE(...) {__VA_ARGS__}
#define GENERATED true
#define LIBRARY false

static const hd_target_info rows[] = {
#define NVVM_none false
#define NVVM_ptx true
#define NVVM_simt true
#define NVVM_spirv false
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  {name, {floats, i1}, approximate, gpu, NVVM_##images},
#include "pass/targets.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

const hd_target_info *hd_target_info_of(hd_str name) {
  for (size_t i = 0; i < ROW_COUNT; ++i)
    if (hd_str_is(name, rows[i].name)) return &rows[i];
  return NULL;
}

/* What passes make does not ask for nvvm: neutral ops are what all take. */
bool hd_target_info_equal(const hd_target_info *a, const hd_target_info *b) {
  if (a->types.floats != b->types.floats || a->types.i1 != b->types.i1 || a->approximate != b->approximate ||
      !a->gpu != !b->gpu)
    return false;
  return !a->gpu ||
         !memcmp(a->gpu, b->gpu, offsetof(hd_gpu_target, generated_products)); /* tiles are a matter of speed */
}

const hd_native_types *hd_kernel_types(void) {
  static const hd_native_types shared = {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) (floats) &
#include "pass/targets.def"
      ~0u, false};
  return &shared;
}

#undef HOST
#undef GPU
#define HOST(name) ""
#define GPU(...) NAME_ALONE
#define NAME_ALONE(name) ", " name

const char *hd_target_info_names(bool gpu) {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) ", " name
  static const char all[] =
#include "pass/targets.def"
      "";
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) gpu(name)
  static const char gpus[] =
#include "pass/targets.def"
      "";
  return (gpu ? gpus : all) + 2;
}
