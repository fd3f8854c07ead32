/* SPDX-License-Identifier: Apache-2.0 */
/* The targets that programs are compiled for: rows of pass/targets.def that have a pipeline. Static. A target is
 * written NAME, or NAME:ARCHITECTURES where its images are told apart: "cuda:80", "cuda:80,90"; several for one
 * artifact with + between: "cuda:80+simt". Those whose pipelines and facts are equal share a program of it: kernels in
 * machine form and host code. */
#ifndef HD_DRIVER_TARGETS_H_
#define HD_DRIVER_TARGETS_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "heddle/status.h"

struct hd_image_format;

typedef struct hd_target {
  const char *name;
  bool runs_here;                       /* the driver is there on every machine */
  const struct hd_image_format *images; /* null: its kernels are objects, as host code is */
  const char *driver;
  const char *pipeline;
} hd_target;

enum { HD_MAX_ARCHITECTURES = 16 };
typedef struct hd_architectures {
  uint32_t count;
  uint32_t list[HD_MAX_ARCHITECTURES];
} hd_architectures;

/* Several targets of one artifact. */
enum { HD_MAX_TARGETS = 8 };
typedef struct hd_target_list {
  uint32_t count, program_count;
  struct {
    const hd_target *target;
    hd_architectures architectures;
    uint32_t program; /* of the artifact, counted by their first targets */
  } list[HD_MAX_TARGETS];
} hd_target_list;

/* The row of |text|, the first where it says several, of the default when null; null when there is none. */
const hd_target *hd_target_find(const char *text);
/* The passes for programs on buffers that launch kernels of their own, of targets that have images. */
const char *hd_launches_pipeline(void);
/* Comma-separated: the names of those. */
const char *hd_device_targets(void);
/* All of |text|, the default's when null. INVALID_ARGUMENT for what is no target, for one that is twice, and for
 * architectures that are no numbers or of a target that has none. */
hd_status hd_target_list_parse(const char *text, hd_target_list *out) HD_MUST_USE;
/* "cuda:80,90": target |i|, on |arena|. */
const char *hd_target_list_name(const hd_target_list *list, uint32_t i, hd_arena *arena);

/* Comma-separated names: of all targets, of those whose code runs here. For programs without the compiler's library,
 * too. */
#define HD_HERE_true(name) ", " name
#define HD_HERE_false(name)
#define HD_IF_PIPELINE_host(text) text
#define HD_IF_PIPELINE_device(text) text
#define HD_IF_PIPELINE_none(text)
static inline const char *hd_target_names(void) {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(", " name)
  static const char names[] =
#include "pass/targets.def"
      "";
  return names + 2;
}

/* The first row. */
static inline const char *hd_default_target(void) {
  static const char *const names[] = {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) name,
#include "pass/targets.def"
  };
  return names[0];
}

static inline const char *hd_targets_here(void) {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(HD_HERE_##runs_here(name))
  static const char names[] =
#include "pass/targets.def"
      "";
  return names + 2;
}

/* Is |text| a target |row|, with or without architectures, and others after it? */
static inline bool hd_target_is(const char *text, const char *row) {
  size_t size = strlen(row);
  return !strncmp(text, row, size) && (!text[size] || text[size] == ':' || text[size] == '+');
}

/* The runtime's driver for artifacts of target |text| (null: the default's); null when there is no such target. For
 * programs without the compiler's library. */
static inline const char *hd_target_driver(const char *text) {
  if (!text) return "cpu";
#define TARGET(row, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(if (hd_target_is(text, row)) return #driver;)
#include "pass/targets.def"
  return NULL;
}

/* The driver of the |k|-th target of |text| in the order in which an artifact prefers them: those that are not on every
 * machine, then those that are. Null after the last, and when one is no target. */
static inline const char *hd_target_driver_at(const char *text, int k) {
  if (!text) text = hd_default_target();
  for (int here = 0; here < 2; ++here)
    for (const char *at = text; at; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
      const char *driver = NULL;
#define TARGET(row, pipeline, runs_here, images, name, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(if (hd_target_is(at, row) && (runs_here) == here && !k--) driver = #name;)
#include "pass/targets.def"
      if (driver) return driver;
    }
  return NULL;
}

#endif
