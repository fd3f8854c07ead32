/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the runtime by name, and those that embedders register. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "runtime/objects.h"
#include "runtime/ral.h"
#include "runtime/ral_api.h"
#include "runtime/ral_names.h"

#define RAL_TABLE(name) extern const hd_ral_api *const hd_ral_table_##name[];
#include "runtime/ral_tables.def"
#undef RAL_TABLE

static const hd_ral_api *const *const tables[] = {
#define RAL_TABLE(name) hd_ral_table_##name,
#include "runtime/ral_tables.def"
#undef RAL_TABLE
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables };

/* What embedders registered, the newest first. */
typedef struct registered {
  struct registered *next;
  hd_ral_api api;  /* of its own name; its fn may be null */
  char driver[16]; /* "": all */
  char name[];
} registered;

static hd_fork_mutex lock = HD_FORK_MUTEX_INIT;
static registered *first;

hd_status hd_ral_register(const char *driver, const hd_ral_api *api) {
  hd_ral_signature signature;
  HD_REQUIRE(api);
  HD_REQUIRE(api->name);
  HD_TRY(hd_ral_decode(api->name, &signature));
  if (driver) HD_TRY(hd_driver_check_name(driver));
  size_t size = strlen(api->name) + 1;
  registered *added = calloc(1, sizeof *added + size);
  if (!added) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  snprintf(added->driver, sizeof added->driver, "%s", driver ? driver : "");
  memcpy(added->name, api->name, size);
  added->api = (hd_ral_api){added->name, api->fn};
  hd_fork_mutex_lock(&lock);
  registered **at = &first;
  while (*at && (strcmp((*at)->driver, added->driver) || strcmp((*at)->name, added->name))) at = &(*at)->next;
  registered *old = *at;
  if (old) *at = old->next;
  added->next = first;
  first = added;
  hd_fork_mutex_unlock(&lock);
  free(old);
  return HD_STATUS_OK;
}

/* Null where nobody registered |name| for |driver|. */
static hd_ral_fn find_registered(const char *driver, const char *name) {
  hd_ral_fn fn = NULL;
  hd_fork_mutex_lock(&lock);
  for (int all = 0; all < 2 && !fn; ++all)
    for (registered *r = first; r && !fn; r = r->next)
      if (!strcmp(r->driver, all ? "" : driver) && r->api.fn && hd_ral_name_matches(r->name, name)) fn = r->api.fn;
  hd_fork_mutex_unlock(&lock);
  return fn;
}

bool hd_ral_is_registered(const char *driver, const char *prefix) {
  size_t size = strlen(prefix);
  bool found = false;
  hd_fork_mutex_lock(&lock);
  for (registered *r = first; r && !found; r = r->next)
    found = r->api.fn && (!*r->driver || !strcmp(r->driver, driver)) && !strncmp(r->name, prefix, size) &&
            !strncmp(r->name + size, "___", 3);
  hd_fork_mutex_unlock(&lock);
  return found;
}

/* The row whose name matches |name|, or null. Thread-safe. */
static const hd_ral_api *find_row(const char *name) {
  for (size_t t = 0; t < TABLE_COUNT; ++t)
    for (const hd_ral_api *const *api = tables[t]; *api; ++api)
      if (hd_ral_name_matches((*api)->name, name)) return *api;
  return NULL;
}

static const char *nearest(const char *name) {
  const char *best = "none";
  size_t least = SIZE_MAX;
  for (size_t t = 0; t < TABLE_COUNT; ++t)
    for (const hd_ral_api *const *api = tables[t]; *api; ++api) {
      size_t distance = hd_ral_name_distance((*api)->name, name);
      if (distance < least) least = distance, best = (*api)->name;
    }
  return best;
}

hd_status hd_ral_resolve(const char *driver, const char *const *names, uint32_t count, hd_ral_fn *out_functions) {
  hd_ral_signature signature;
  for (uint32_t i = 0; i < count; ++i) {
    HD_TRY(hd_ral_decode(names[i], &signature));
    if ((out_functions[i] = find_registered(driver, names[i]))) continue;
    const hd_ral_api *api = find_row(names[i]);
    if (!api)
      return hd_make_status(HD_NOT_FOUND, "no ral api '%s' in this runtime; the nearest is '%s'", names[i],
                            nearest(names[i]));
    out_functions[i] = api->fn;
  }
  return HD_STATUS_OK;
}

void ral_api_call(void *ctx, const char *name, void **args) {
  hd_ral_fn function;
  if (!ctx) return;
  const hd_runtime *runtime = ((hd_ral_context *)ctx)->runtime;
  const char *driver = runtime ? runtime->driver->vtable->name : "";
  hd_status status = name && args ? hd_ral_resolve(driver, &name, 1, &function)
                                  : hd_make_status(HD_INVALID_ARGUMENT, "a call without name or arguments");
  if (hd_is_ok(status))
    function(ctx, args);
  else
    hd_ral_fail(ctx, status);
}
