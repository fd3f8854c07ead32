/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/targets.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/strbuf.h"
#include "heddle/compile.h"
#include "pass/target.h"
#include "target/device.h"

#define IMAGES_none NULL
#define IMAGES_ptx &hd_image_format_ptx
#define IMAGES_simt &hd_image_format_simt
#define IMAGES_spirv &hd_image_format_spirv

#define PIPELINE(name, passes) static const char pipeline_##name[] = passes;
#include "driver/pipelines.def"
#define ROW_host(...) ROW(pipeline_host, __VA_ARGS__)
#define ROW_device(...) ROW(pipeline_device, __VA_ARGS__)
#define ROW_none(...)
const char *hd_launches_pipeline(void) { return pipeline_launches; }

#define DEVICE_host(text)
#define DEVICE_none(text)
#define DEVICE_device(text) text
const char *hd_device_targets(void) {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) DEVICE_##pipeline(", " name)
  static const char names[] =
#include "pass/targets.def"
      "";
  return names + 2;
}

#define ROW(pipeline, name, runs_here, images, driver) {name, runs_here, IMAGES_##images, #driver, pipeline},
static const hd_target rows[] = {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  ROW_##pipeline(name, runs_here, images, driver)
#include "pass/targets.def"
};

const hd_target *hd_target_find(const char *text) {
  if (!text) return &rows[0];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (hd_target_is(text, rows[i].name)) return &rows[i];
  return NULL;
}

static bool has_architecture(const hd_architectures *all, uint32_t number) {
  for (uint32_t i = 0; i < all->count; ++i)
    if (all->list[i] == number) return true;
  return false;
}

/* "80,90" in [at, end); an architecture that is given again counts once. */
static bool parse_architectures(const char *at, const char *end, hd_architectures *out) {
  while (at < end) {
    char *stop;
    unsigned long number = strtoul(at, &stop, 10);
    bool last = stop == end;
    if (*at < '0' || *at > '9' || number < 1 || number > 9999) return false;
    if (!last && (*stop != ',' || stop + 1 == end)) return false;
    if (!has_architecture(out, (uint32_t)number)) {
      if (out->count == HD_MAX_ARCHITECTURES) return false;
      out->list[out->count++] = (uint32_t)number;
    }
    at = last ? end : stop + 1;
  }
  return out->count > 0;
}

/* How architectures of |target|, which has such, are written. */
static const char *example_of(const hd_target *target) { return target->images->subgroups ? "32,1" : "80,90"; }

/* The target in |text|, |size| bytes of it. */
static hd_status parse_target(const char *text, size_t size, const hd_target **out, hd_architectures *architectures) {
  const char *colon = memchr(text, ':', size);
  *architectures = (hd_architectures){0};
  *out = size ? hd_target_find(text) : NULL;
  if (!*out)
    return hd_make_status(HD_INVALID_ARGUMENT, "target: unknown target '%.*s', expected one of: %s", (int)size, text,
                          hd_target_names());
  if (colon && !(*out)->images)
    return hd_make_status(HD_INVALID_ARGUMENT, "target: '%s' has no architectures, got '%.*s'", (*out)->name, (int)size,
                          text);
  if (colon && !parse_architectures(colon + 1, text + size, architectures))
    return hd_make_status(HD_INVALID_ARGUMENT, "target: expected architectures as in %s:%s, got '%.*s'", (*out)->name,
                          example_of(*out), (int)size, text);
  return HD_STATUS_OK;
}

/* Do |a| and |b| share kernels in machine form and host code? */
static bool share_code(const hd_target *a, const hd_target *b) {
  return a->images && b->images && a->pipeline == b->pipeline &&
         hd_target_info_equal(hd_target_info_of(hd_str_of(a->name)), hd_target_info_of(hd_str_of(b->name)));
}

static hd_status add_target(hd_target_list *list, const hd_target *target, const hd_architectures *architectures) {
  if (list->count == HD_MAX_TARGETS)
    return hd_make_status(HD_INVALID_ARGUMENT, "target: expected at most %d targets", HD_MAX_TARGETS);
  for (uint32_t i = 0; i < list->count; ++i) {
    if (list->list[i].target != target) continue;
    if (!target->images)
      return hd_make_status(HD_INVALID_ARGUMENT, "target: '%s' is given twice, expected it once", target->name);
    return hd_make_status(HD_INVALID_ARGUMENT, "target: '%s' is given twice: expected its architectures as in %s:%s",
                          target->name, target->name, example_of(target));
  }
  uint32_t program = list->program_count;
  for (uint32_t i = 0; i < list->count; ++i)
    if (share_code(list->list[i].target, target)) program = list->list[i].program;
  if (program == list->program_count) ++list->program_count;
  list->list[list->count].program = program;
  list->list[list->count].target = target;
  list->list[list->count++].architectures = *architectures;
  return HD_STATUS_OK;
}

hd_status hd_target_list_parse(const char *text, hd_target_list *out) {
  *out = (hd_target_list){0};
  if (!text) text = rows[0].name;
  for (const char *at = text;; ++at) {
    size_t size = strcspn(at, "+");
    const hd_target *target;
    hd_architectures architectures;
    HD_TRY(parse_target(at, size, &target, &architectures));
    HD_TRY(add_target(out, target, &architectures));
    at += size;
    if (!*at) return HD_STATUS_OK;
  }
}

const char *hd_target_list_name(const hd_target_list *list, uint32_t i, hd_arena *arena) {
  hd_strbuf name;
  hd_strbuf_init(&name, arena);
  hd_strbuf_puts(&name, list->list[i].target->name);
  const hd_architectures *architectures = &list->list[i].architectures;
  for (uint32_t k = 0; k < architectures->count; ++k)
    hd_strbuf_printf(&name, "%c%u", k ? ',' : ':', architectures->list[k]);
  return hd_strbuf_text(&name);
}

hd_status hd_target_check(const char *target) {
  hd_target_list list;
  return hd_target_list_parse(target, &list);
}

const char *hd_targets(void) { return hd_target_names(); }

const char *hd_driver_of_target(const char *target) { return hd_target_driver(target); }

const char *hd_target_pipeline(const char *name) {
  const hd_target *target = hd_target_find(name);
  return target ? target->pipeline : NULL;
}
