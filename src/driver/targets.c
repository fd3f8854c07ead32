/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/targets.h"

#include <stdlib.h>

#include "base/status.h"
#include "heddle/compile.h"
#include "target/device.h"

#define IMAGES_none NULL
#define IMAGES_ptx &hd_image_format_ptx
#define IMAGES_simt &hd_image_format_simt

#define PIPELINE(name, passes) static const char pipeline_##name[] = passes;
#include "driver/pipelines.def"
#define ROW_host(...) ROW(pipeline_host, __VA_ARGS__)
#define ROW_device(...) ROW(pipeline_device, __VA_ARGS__)
#define ROW_none(...)
#define ROW(pipeline, name, runs_here, images, driver) {name, runs_here, IMAGES_##images, #driver, pipeline},
static const hd_target rows[] = {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, gpu) \
  ROW_##pipeline(name, runs_here, images, driver)
#include "pass/targets.def"
};

const hd_target *hd_target_find(const char *text) {
  if (!text) return &rows[0];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (hd_target_is(text, rows[i].name)) return &rows[i];
  return NULL;
}

hd_status hd_target_architectures(const char *text, hd_architectures *out) {
  *out = (hd_architectures){0};
  const char *at = text ? strchr(text, ':') : NULL;
  while (at) {
    char *end;
    unsigned long number = strtoul(at + 1, &end, 10);
    if (end == at + 1 || at[1] < '0' || at[1] > '9' || (*end && *end != ',') || number < 1 || number > 9999 ||
        out->count == HD_MAX_ARCHITECTURES)
      return hd_make_status(HD_INVALID_ARGUMENT, "target: expected architectures as in cuda:80,90, got '%s'", text);
    out->list[out->count++] = (uint32_t)number;
    at = *end ? end : NULL;
  }
  return HD_STATUS_OK;
}

hd_status hd_target_unknown(const char *name, const char *names) {
  return hd_make_status(HD_INVALID_ARGUMENT, "target: unknown target '%s', expected one of: %s", name, names);
}

const char *hd_targets(void) { return hd_target_names(); }

const char *hd_target_pipeline(const char *name) {
  const hd_target *target = hd_target_find(name);
  return target ? target->pipeline : NULL;
}
