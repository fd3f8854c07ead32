/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/ral.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"
#include "runtime/ral_names.h"

/* ---- the registry ---------------------------------------------------------------------------------------------- */

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

/* ---- the run --------------------------------------------------------------------------------------------------- */

struct hd_runtime *hd_ral_runtime(hd_ral_context *ctx) { return ctx ? ctx->runtime : NULL; }

bool hd_ral_wait(hd_ral_context *ctx) {
  if (!ctx || ctx->head.failed) return false;
  hd_status status = hd_stream_wait(ctx->runtime->driver, ctx->stream);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return !ctx->head.failed;
}

void hd_ral_fail(hd_ral_context *ctx, hd_status status) {
  if (!ctx || ctx->head.failed || hd_is_ok(status)) {
    hd_status_free(status);
    return;
  }
  ctx->head.failed = (int32_t)hd_status_code_of(status);
  ctx->error = status;
}

const char *hd_ral_message(const hd_ral_context *ctx, int64_t number) {
  const hd_artifact_program *program = ctx->executable->loaded->program;
  return number >= 0 && number < (int64_t)program->message_count ? program->messages[number] : NULL;
}

void hd_ral_fail_at(hd_ral_context *ctx, hd_status status, int64_t place) {
  const char *text = hd_ral_message(ctx, place);
  hd_ral_fail(ctx, text ? hd_status_annotate(status, "%s", text) : status);
}

static bool is_cancelled(const hd_ral_context *ctx) {
  return ctx->has_cancel && ((ctx->options->cancel && __atomic_load_n(ctx->options->cancel, __ATOMIC_RELAXED)) ||
                             (ctx->event_cancel && __atomic_load_n(ctx->event_cancel, __ATOMIC_RELAXED)));
}

bool hd_ral_is_stopped(const void *ctx) {
  const hd_ral_context *run = ctx;
  return is_cancelled(run) || (run->deadline && hd_trace_now() > run->deadline);
}

bool hd_ral_go_on(hd_ral_context *ctx) {
  if (ctx->head.failed) return false;
  if (is_cancelled(ctx)) {
    hd_ral_fail(ctx, hd_make_status(HD_CANCELLED, "execution cancelled"));
    return false;
  }
  if (ctx->deadline && hd_trace_now() > ctx->deadline) {
    hd_ral_fail(ctx, hd_make_status(HD_DEADLINE_EXCEEDED, "execution took longer than %.3f s",
                                    (double)ctx->options->timeout_ns / 1e9));
    return false;
  }
  return true;
}

void hd_ral_for(hd_ral_context *ctx, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  if (extent <= 0) return;
  if (ctx->options->serial)
    hd_pool_alone(&ctx->call, extent, grain, body, argument);
  else
    hd_pool_for(ctx->runtime->pool, &ctx->call, extent, grain, body, argument);
  if (ctx->call.stopped) hd_ral_go_on(ctx); /* what was left out fails the run */
}

int32_t hd_ral_threads(const hd_ral_context *ctx) {
  return ctx->options->serial ? 1 : hd_pool_threads(ctx->runtime->pool);
}

hd_kernel_fn hd_ral_kernel(hd_ral_context *ctx, int64_t index) {
  const hd_loaded *loaded = ctx->executable->loaded;
  if (index >= 0 && index < (int64_t)loaded->program->kernel_count) return loaded->kernels[index];
  hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "kernel %lld, expected below %u", (long long)index,
                                  loaded->program->kernel_count));
  return NULL;
}

uint64_t hd_ral_cpu_features(const hd_ral_context *ctx) { return ctx->runtime->cpu_features; }

int64_t hd_ral_library_begin(hd_ral_context *ctx) {
  if (!ctx) return 0;
  ++ctx->stats.library_calls;
  ctx->described = "";
  hd_ral_go_on(ctx);
  return hd_trace_is_on(ctx->runtime->trace) ? hd_trace_now() : 0;
}

void hd_ral_describe(hd_ral_context *ctx, int64_t kernel, const char *format, ...) {
  if (!hd_trace_is_on(ctx->runtime->trace)) return;
  const hd_loaded *loaded = ctx->executable->loaded;
  bool known = kernel >= 0 && kernel < (int64_t)loaded->program->kernel_count;
  char what[256], text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(text, sizeof text, known ? "%.700s (%s)" : "%s%s", known ? loaded->kernel_sources[kernel] : "", what);
  ctx->described = hd_trace_intern(ctx->runtime->trace, text);
}

void hd_ral_check_bounds(hd_ral_context *ctx, const char *what, const char *name) {
  if (!ctx->runtime->bounds) return;
  hd_status status = hd_bounds_check(ctx->runtime->bounds, &ctx->written);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, hd_status_annotate(status, "%s%s%s", what, *name ? " " : "", name));
}

static void end_views(hd_ral_context *ctx);

void hd_ral_library_end(hd_ral_context *ctx, const char *name, int64_t start) {
  if (!ctx || !name) return;
  end_views(ctx);
  hd_ral_check_bounds(ctx, "library call", name);
  if (start) hd_trace_span(ctx->runtime->trace, "library", name, ctx->described, -1, start, hd_trace_now());
}

/* ---- buffers of the run ---------------------------------------------------------------------------------------- */

static size_t slot_of(const void *data, size_t room) {
  return (size_t)(((uint64_t)(uintptr_t)data >> 6) * 0x9e3779b97f4a7c15ull >> 32) & (room - 1);
}

hd_live *hd_live_find(hd_ral_context *ctx, const void *data) {
  if (!data) return NULL;
  for (size_t i = slot_of(data, ctx->live_room);; i = (i + 1) & (ctx->live_room - 1)) {
    if (!ctx->live[i].data) return NULL;
    if (ctx->live[i].data == data) return &ctx->live[i];
  }
}

static void insert(hd_live *table, size_t room, hd_live entry) {
  size_t i = slot_of(entry.data, room);
  while (table[i].data) i = (i + 1) & (room - 1);
  table[i] = entry;
}

bool hd_live_add(hd_ral_context *ctx, hd_live entry) {
  if (ctx->live_count * 2 >= ctx->live_room) {
    size_t room = ctx->live_room * 2;
    hd_live *grown = calloc(room, sizeof *grown);
    if (!grown) return false;
    for (size_t i = 0; i < ctx->live_room; ++i)
      if (ctx->live[i].data) insert(grown, room, ctx->live[i]);
    if (ctx->live != ctx->live_inline) free(ctx->live);
    ctx->live = grown;
    ctx->live_room = room;
  }
  insert(ctx->live, ctx->live_room, entry);
  ++ctx->live_count;
  return true;
}

void hd_live_remove(hd_ral_context *ctx, hd_live *entry) {
  size_t mask = ctx->live_room - 1, hole = (size_t)(entry - ctx->live);
  --ctx->live_count;
  /* Moves back what the hole would cut off from its home slot. */
  for (size_t i = (hole + 1) & mask; ctx->live[i].data; i = (i + 1) & mask) {
    size_t home = slot_of(ctx->live[i].data, ctx->live_room);
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    ctx->live[hole] = ctx->live[i];
    hole = i;
  }
  ctx->live[hole].data = NULL;
}

static hd_status take_on_host(const hd_runtime *runtime, size_t bytes, void **out) {
  const hd_allocator *own = &runtime->host_allocator;
  size_t whole = bytes < SIZE_MAX - 64 ? (bytes + 64) / 64 * 64 : 0; /* 0 bytes are a pointer too */
  *out = !whole ? NULL : own->allocate ? own->allocate(own->user, bytes, 64) : aligned_alloc(64, whole);
  return *out ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no host memory for a buffer of %zu bytes", bytes);
}

void hd_live_release(hd_ral_context *ctx, const hd_live *gone) {
  const hd_allocator *own = &ctx->runtime->host_allocator;
  if (!gone->host)
    hd_memory_give(ctx->runtime->memory, gone->data, gone->capacity, ctx->work);
  else if (own->release)
    own->release(own->user, gone->data, gone->capacity);
  else if (!own->allocate)
    free(gone->data);
}

hd_status hd_ral_take(hd_ral_context *ctx, size_t bytes, bool on_host, void **out_data) {
  *out_data = NULL;
  if (ctx->head.failed) return HD_STATUS_OK;
  size_t limit = ctx->options->memory_limit;
  if (limit && (bytes > limit || ctx->bytes_live > limit - bytes))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "memory limit of %zu bytes: %llu in use, %zu more wanted", limit,
                          (unsigned long long)ctx->bytes_live, bytes);
  void *data;
  size_t capacity = bytes;
  if (ctx->runtime->bounds && !ctx->runtime->host_allocator.allocate) on_host = false; /* the guarded memory */
  HD_TRY(on_host ? take_on_host(ctx->runtime, bytes, &data)
                 : hd_runtime_take(ctx->runtime, bytes, ctx->work, &data, &capacity));
  hd_live entry = {data, capacity, 1, -1, on_host};
  if (!hd_live_add(ctx, entry)) {
    hd_live_release(ctx, &entry);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  if (ctx->runtime->bounds) hd_bounds_claim(ctx->runtime->bounds, &ctx->written, data);
  ++ctx->stats.allocations;
  ctx->bytes_live += capacity;
  if (ctx->bytes_live > ctx->stats.bytes_peak) ctx->stats.bytes_peak = ctx->bytes_live;
  *out_data = data;
  return HD_STATUS_OK;
}

void *hd_ral_take_scratch(hd_ral_context *ctx, size_t bytes) {
  void *data;
  hd_status status = hd_ral_take(ctx, bytes, !(ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY), &data);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return data;
}

void hd_ral_give(hd_ral_context *ctx, void *data) {
  hd_live *entry = hd_live_find(ctx, data);
  if (!entry || --entry->references) return;
  hd_live gone = *entry;
  hd_live_remove(ctx, entry);
  if (gone.output >= 0) {
    ctx->lent[gone.output] = false;
    return;
  }
  ctx->bytes_live -= gone.capacity;
  hd_live_release(ctx, &gone);
}

/* ---- memory of a device, on the host --------------------------------------------------------------------------- */

static hd_host_view *add_view(hd_ral_context *ctx) {
  if (ctx->view_count == ctx->view_room) {
    size_t room = ctx->view_room ? 2 * ctx->view_room : 8;
    hd_host_view *grown = realloc(ctx->views, room * sizeof *grown);
    if (!grown) return NULL;
    ctx->views = grown;
    ctx->view_room = room;
  }
  return &ctx->views[ctx->view_count++];
}

static hd_status read_view(hd_ral_context *ctx, hd_host_view *view) {
  hd_driver *driver = ctx->runtime->driver;
  ++ctx->stats.copies;
  HD_TRY(hd_stream_copy(driver, ctx->stream, view->host, view->device, view->bytes));
  return hd_stream_wait(driver, ctx->stream);
}

static hd_status make_view(hd_ral_context *ctx, void *data, size_t bytes, int access, void **out) {
  hd_host_view *view = NULL;
  for (size_t i = 0; i < ctx->view_count && !view; ++i)
    if (ctx->views[i].device == data && ctx->views[i].bytes >= bytes) view = &ctx->views[i];
  if (!view) {
    void *host;
    HD_TRY(hd_driver_allocate_host(ctx->runtime->driver, bytes, &host));
    if (!(view = add_view(ctx))) {
      hd_driver_release_host(ctx->runtime->driver, host, bytes);
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    }
    *view = (hd_host_view){data, host, bytes, 0};
  }
  *out = view->host;
  bool reads = access & HD_HOST_READ && !view->access;
  view->access |= access;
  return reads ? read_view(ctx, view) : HD_STATUS_OK;
}

void *hd_ral_on_host(hd_ral_context *ctx, void *data, size_t bytes, int access) {
  if (!ctx || ctx->head.failed) return NULL;
  if (!bytes || !hd_driver_owns(ctx->runtime->driver, data)) return data;
  void *host = NULL;
  hd_status status = make_view(ctx, data, bytes, access, &host);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return ctx->head.failed ? NULL : host;
}

/* What the call wrote goes back, and the copies go. */
static void end_views(hd_ral_context *ctx) {
  hd_driver *driver = ctx->runtime->driver;
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; i < ctx->view_count && hd_is_ok(status) && !ctx->head.failed; ++i)
    if (ctx->views[i].access & HD_HOST_WRITE) {
      ++ctx->stats.copies;
      status = hd_stream_copy(driver, ctx->stream, ctx->views[i].device, ctx->views[i].host, ctx->views[i].bytes);
    }
  if (ctx->view_count) status = hd_status_join(status, hd_stream_wait(driver, ctx->stream));
  for (; ctx->view_count; --ctx->view_count) {
    hd_host_view *view = &ctx->views[ctx->view_count - 1];
    hd_driver_release_host(driver, view->host, view->bytes);
  }
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

void hd_ral_store(hd_ral_context *ctx, void *data, const void *bytes, size_t size) {
  if (!hd_driver_owns(ctx->runtime->driver, data)) {
    memcpy(data, bytes, size);
    return;
  }
  hd_status status = hd_stream_copy(ctx->runtime->driver, ctx->stream, data, bytes, size);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

/* ---- packed weights -------------------------------------------------------------------------------------------- */

static bool is_inside(const void *data, const void *start, size_t bytes) {
  return (uintptr_t)data >= (uintptr_t)start && (uintptr_t)data < (uintptr_t)start + bytes;
}

/* Is |data| in memory that never changes? */
static bool is_constant(const hd_executable *executable, const void *data) {
  const hd_artifact_program *program = executable->loaded->program;
  for (uint32_t i = 0; executable->bound_count && i < executable->entry->input_count; ++i)
    if (executable->bound[i] && is_inside(data, executable->bound[i]->data, executable->bound[i]->bytes)) return true;
  for (uint32_t i = 0; i < program->constant_count; ++i) {
    const void *copy = executable->loaded->guarded ? executable->loaded->guarded[i] : NULL;
    size_t size = program->constants[i].size;
    if (is_inside(data, executable->loaded->constants[i]->constant->data, size) ||
        (copy && is_inside(data, copy, size)))
      return true;
  }
  return false;
}

static hd_packed **bucket(hd_executable *executable, const void *data, uint64_t use) {
  uint64_t hash = ((uint64_t)(uintptr_t)data ^ use * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
  return &executable->packed[hash >> 32 & (HD_PACKED_BUCKETS - 1)];
}

const void *hd_ral_packed(hd_ral_context *ctx, const void *data, uint64_t use, size_t bytes, hd_pack_fn pack,
                          void *argument) {
  hd_executable *executable = ctx->executable;
  if (ctx->head.failed || (data && !executable->bound_count && !executable->loaded->program->constant_count))
    return NULL;
  if (!(ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY))
    return NULL; /* the host packs into the runtime's memory */
  hd_fork_mutex_lock(&executable->packing);
  hd_packed **head = bucket(executable, data, use), *found = *head;
  while (found && (found->data != data || found->use != use)) found = found->next;
  if (!found && (!data || is_constant(executable, data)) && (found = calloc(1, sizeof *found))) {
    hd_status status = hd_memory_take(ctx->runtime->memory, bytes, NULL, &found->memory, &found->capacity);
    if (hd_is_ok(status)) {
      pack(argument, found->memory);
      found->data = data;
      found->use = use;
      found->next = *head;
      *head = found;
    } else {
      hd_status_ignore(status);
      free(found);
      found = NULL;
    }
  }
  hd_fork_mutex_unlock(&executable->packing);
  return found ? found->memory : NULL;
}

void hd_packed_forget(hd_executable *executable, const hd_buffer *buffer) {
  for (size_t i = 0; i < HD_PACKED_BUCKETS; ++i)
    for (hd_packed **link = &executable->packed[i]; *link;) {
      hd_packed *entry = *link;
      if (buffer && !is_inside(entry->data, buffer->data, buffer->bytes)) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      hd_memory_give(executable->loaded->runtime->memory, entry->memory, entry->capacity, NULL);
      free(entry);
    }
}
