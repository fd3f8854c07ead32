/* SPDX-License-Identifier: Apache-2.0 */
/* Which target of an artifact runs: that of a runtime's driver, or the first that this machine has. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/options.h"
#include "base/strbuf.h"
#include "runtime/map_file.h"
#include "runtime/objects.h"

static hd_artifact_target_list list_of(const hd_artifact *artifact) {
  hd_artifact_target_list list = {.count =
                                      (int32_t)artifact->target_count}; /* hd_artifact_check holds it to the limit */
  for (int32_t i = 0; i < list.count; ++i) {
    snprintf(list.targets[i].name, sizeof list.targets[i].name, "%s", artifact->targets[i].name);
    snprintf(list.targets[i].driver, sizeof list.targets[i].driver, "%s", artifact->targets[i].driver);
  }
  return list;
}

enum { NAMES_SIZE = HD_ARTIFACT_TARGETS * (HD_ARTIFACT_TARGET_NAME + 2) };

static const char *names_of(const hd_artifact_target_list *list, char out[NAMES_SIZE]) {
  size_t used = 0;
  *out = 0;
  for (int32_t i = 0; i < list->count; ++i)
    used += (size_t)snprintf(out + used, NAMES_SIZE - used, "%s%s", i ? ", " : "", list->targets[i].name);
  return out;
}

/* ---- for a runtime --------------------------------------------------------------------------------------------- */

/* The driver of the targets whose code |driver| runs. One without images takes host code, which is the CPU's. */
static const char *code_of(const hd_driver *driver) {
  return driver->vtable->caps & HD_DRIVER_IMAGES ? hd_driver_images(driver) : "cpu";
}

hd_status hd_loaded_choose(hd_loaded *loaded) {
  const hd_artifact *artifact = &loaded->artifact;
  const hd_driver *driver = loaded->runtime->driver;
  const char *name = code_of(driver);
  for (uint32_t i = 0; i < artifact->target_count && !loaded->program; ++i)
    if (!strcmp(artifact->targets[i].driver, name)) loaded->program = &artifact->programs[artifact->targets[i].program];
  if (loaded->program) return HD_STATUS_OK;
  char names[NAMES_SIZE];
  hd_artifact_target_list list = list_of(artifact);
  return hd_make_status(HD_FAILED_PRECONDITION, "no code for driver '%s'; the artifact is for: %s",
                        driver->vtable->name, names_of(&list, names));
}

/* ---- for a machine --------------------------------------------------------------------------------------------- */

/* Is |word|, |size| bytes, one of the words of |list|, which commas divide? */
static bool is_in_list(const char *word, size_t size, const char *list) {
  for (size_t length; *list; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    if (length == size && !strncmp(word, list, size)) return true;
  }
  return false;
}

/* Is |part|, |size| bytes, the target |name|, with some of its architectures or without any? */
static bool is_target(const char *part, size_t size, const char *name) {
  size_t kind = strcspn(name, ":");
  if (size < kind || strncmp(part, name, kind) != 0) return false;
  if (size == kind) return true;
  if (part[kind] != ':' || !name[kind]) return false;
  for (size_t at = kind + 1, length; at <= size; at += length + 1) {
    length = 0;
    while (at + length < size && part[at + length] != ',') ++length;
    if (!is_in_list(part + at, length, name + kind + 1)) return false;
  }
  return true;
}

/* Leaves those in |list| that |target| names. */
static hd_status keep_named(const char *target, hd_artifact_target_list *list) {
  bool named[HD_ARTIFACT_TARGETS] = {false};
  char names[NAMES_SIZE];
  for (const char *at = target;; ++at) {
    size_t size = strcspn(at, "+");
    bool found = false;
    for (int32_t i = 0; i < list->count; ++i)
      if (is_target(at, size, list->targets[i].name)) found = named[i] = true;
    if (!found)
      return hd_make_status(HD_INVALID_ARGUMENT, "target: the artifact has no code for '%.*s', expected one of: %s",
                            size > 200 ? 200 : (int)size, at, names_of(list, names));
    at += size;
    if (!*at) break;
  }
  int32_t count = 0;
  for (int32_t i = 0; i < list->count; ++i)
    if (named[i]) list->targets[count++] = list->targets[i];
  list->count = count;
  return HD_STATUS_OK;
}

hd_status hd_artifact_targets(const void *data, size_t size, const char *target, hd_artifact_target_list *out_list) {
  HD_REQUIRE(out_list);
  *out_list = (hd_artifact_target_list){0};
  if (size) HD_REQUIRE(data);
  hd_arena arena;
  hd_artifact artifact;
  hd_arena_init(&arena, NULL);
  hd_status status = hd_artifact_read(data, size, false, &arena, &artifact);
  if (hd_is_ok(status)) *out_list = list_of(&artifact);
  hd_arena_free(&arena);
  if (hd_is_ok(status) && target) status = keep_named(target, out_list);
  if (!hd_is_ok(status)) *out_list = (hd_artifact_target_list){0};
  return status;
}

/* An artifact in memory or, where |path| is not null, in a file. */
typedef struct source {
  const void *data;
  size_t size;
  const char *path;
  const hd_load_options *options;
} source;

/* Those that |target| names. */
static hd_status targets_of(const source *from, const char *target, hd_artifact_target_list *out) {
  if (!from->path) return hd_artifact_targets(from->data, from->size, target, out);
  void *data;
  size_t size;
  HD_TRY(hd_map_file(from->path, "an artifact", &data, &size, NULL));
  hd_status status = hd_artifact_targets(data, size, NULL, out);
  munmap(data, size);
  if (!hd_is_ok(status)) return hd_status_annotate(status, "%s", from->path);
  return target ? keep_named(target, out) : HD_STATUS_OK;
}

static hd_status open_on(const source *from, hd_runtime_options *runtime, const char *driver, hd_runtime **out_runtime,
                         hd_executable **out_executable) {
  runtime->driver = driver;
  HD_TRY(hd_runtime_create(runtime, out_runtime));
  hd_status status = from->path
                         ? hd_executable_load_file(*out_runtime, from->path, from->options, out_executable)
                         : hd_executable_load(*out_runtime, from->data, from->size, from->options, out_executable);
  if (hd_is_ok(status)) return status;
  hd_runtime_release(*out_runtime);
  *out_runtime = NULL;
  return status;
}

/* Does |driver| run code of one of |list|? */
static bool runs_one_of(const hd_driver *driver, const hd_artifact_target_list *list) {
  for (int32_t i = 0; i < list->count; ++i)
    if (!strcmp(list->targets[i].driver, code_of(driver))) return true;
  return false;
}

/* On the driver that the caller names. */
static hd_status open_on_driver(const source *from, hd_runtime_options *runtime, const char *target,
                                hd_runtime **out_runtime, hd_executable **out_executable) {
  hd_artifact_target_list list;
  if (target) HD_TRY(targets_of(from, target, &list));
  HD_TRY(open_on(from, runtime, runtime->driver, out_runtime, out_executable));
  if (!target || runs_one_of((*out_runtime)->driver, &list)) return HD_STATUS_OK;
  hd_executable_release(*out_executable);
  hd_runtime_release(*out_runtime);
  *out_executable = NULL;
  *out_runtime = NULL;
  return hd_make_status(HD_INVALID_ARGUMENT, "target: driver '%s' runs no code for '%s'", runtime->driver, target);
}

/* Does |status| say that the device is not there, or does not take the code? */
static bool is_of_device(hd_status status) {
  hd_status_code code = hd_status_code_of(status);
  return code == HD_UNAVAILABLE || code == HD_FAILED_PRECONDITION || code == HD_UNIMPLEMENTED;
}

static hd_status open_first(const source *from, hd_runtime_options *runtime, const hd_artifact_target_list *list,
                            hd_runtime **out_runtime, hd_executable **out_executable) {
  char reasons[2048];
  size_t used = 0;
  *reasons = 0;
  for (int32_t i = 0; i < list->count; ++i) {
    hd_status status = open_on(from, runtime, list->targets[i].driver, out_runtime, out_executable);
    if (hd_is_ok(status) || list->count == 1 || !is_of_device(status)) return status;
    if (used < sizeof reasons)
      used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s: %.*s", i ? "; " : "",
                               list->targets[i].name, 300, hd_status_message(status));
    hd_status_free(status);
  }
  return hd_make_status(HD_FAILED_PRECONDITION, "no target of the artifact can be used here: %s", reasons);
}

static hd_status open_source(const source *from, const hd_runtime_options *given, const char *target,
                             hd_runtime **out_runtime, hd_executable **out_executable) {
  HD_REQUIRE(out_runtime);
  HD_REQUIRE(out_executable);
  *out_runtime = NULL;
  *out_executable = NULL;
  hd_runtime_options runtime;
  HD_TRY(hd_options_read("hd_runtime_options", given, &runtime, sizeof runtime));
  runtime.struct_size = sizeof runtime;
  if (runtime.driver) return open_on_driver(from, &runtime, target, out_runtime, out_executable);
  hd_artifact_target_list list;
  HD_TRY(targets_of(from, target, &list));
  return open_first(from, &runtime, &list, out_runtime, out_executable);
}

hd_status hd_executable_open(const hd_runtime_options *runtime_options, const char *target, const void *data,
                             size_t size, const hd_load_options *options, hd_runtime **out_runtime,
                             hd_executable **out_executable) {
  if (size) HD_REQUIRE(data);
  return open_source(&(source){data, size, NULL, options}, runtime_options, target, out_runtime, out_executable);
}

hd_status hd_executable_open_file(const hd_runtime_options *runtime_options, const char *target, const char *path,
                                  const hd_load_options *options, hd_runtime **out_runtime,
                                  hd_executable **out_executable) {
  HD_REQUIRE(path);
  return open_source(&(source){.path = path, .options = options}, runtime_options, target, out_runtime, out_executable);
}
