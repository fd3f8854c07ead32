/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime: the driver, threads, memory, queue and trace that executables and buffers share, from their creation to
 * the last release, and across a fork. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "runtime/objects.h"

#if defined(__SANITIZE_ADDRESS__)
enum { BUILT_WITH_SANITIZER = true };
#else
enum { BUILT_WITH_SANITIZER = false };
#endif

static void unchanged_by_fork(void *user) { (void)user; }

static void reset_after_fork(void *user) {
  hd_runtime *runtime = user;
  runtime->is_lost |= atomic_load(&runtime->executions) > 0;
}

hd_status hd_execution_begin(hd_runtime *runtime) {
  if (runtime->is_lost)
    return hd_make_status(HD_FAILED_PRECONDITION,
                          "this process was forked while its parent executed on this runtime: expected a runtime of "
                          "its own");
  atomic_fetch_add_explicit(&runtime->executions, 1, memory_order_relaxed);
  return HD_STATUS_OK;
}

void hd_execution_end(hd_runtime *runtime) { atomic_fetch_sub_explicit(&runtime->executions, 1, memory_order_relaxed); }

static void destroy(hd_runtime *runtime) {
  hd_fork_guard_remove(&runtime->guard);
  hd_queue_free(runtime->queue);
  hd_memory_free(runtime->memory);
  hd_works_free(runtime->works);
  hd_bounds_free(runtime->bounds);
  hd_driver_close(runtime->driver);
  hd_pool_free(runtime->pool);
  hd_trace_free(runtime->trace);
  hd_constants_list_free(&runtime->constants);
  free(runtime);
}

static hd_status create(const hd_runtime_options *options, hd_runtime *runtime) {
  HD_TRY(hd_constants_list_init(&runtime->constants));
  HD_TRY(hd_trace_create(&runtime->trace));
  hd_trace_set(runtime->trace, options->profile);
  int32_t threads = options->threads > 0 ? options->threads : hd_cpu_count();
  HD_TRY(hd_pool_create(threads, options->thread_pool, &runtime->pool));
  hd_driver_config config = {.pool = runtime->pool, .allocator = options->allocator, .cache_dir = options->cache_dir};
  HD_TRY(hd_driver_open(options->driver ? options->driver : "cpu", &config, &runtime->driver));
  HD_TRY(hd_works_create(runtime->driver, &runtime->works));
  HD_TRY(hd_memory_create(runtime->driver, options->memory_limit, &runtime->memory));
  bool on_host = !options->allocator && (!options->driver || !strcmp(options->driver, "cpu"));
  if (on_host && (options->check_bounds || BUILT_WITH_SANITIZER)) {
    HD_TRY(hd_bounds_create(&runtime->bounds)); /* after the memory that locks it: forks lock in this order */
    hd_memory_guard(runtime->memory, runtime->bounds);
  }
  HD_TRY(hd_queue_create(&runtime->queue));
  runtime->guard =
      (hd_fork_guard){unchanged_by_fork, unchanged_by_fork, reset_after_fork, runtime, HD_FORK_MIDDLE, NULL, NULL};
  HD_TRY(hd_fork_guard_add(&runtime->guard));
  runtime->cpu_features = options->cpu_features ? options->cpu_features & hd_cpu_features() : hd_cpu_features();
  runtime->stream_bytes = options->stream_bytes > 0 ? options->stream_bytes : hd_cpu_stream_bytes();
  runtime->perf_map = options->perf_map;
  if (options->host_allocator) runtime->host_allocator = *options->host_allocator;
  return HD_STATUS_OK;
}

hd_status hd_runtime_take(hd_runtime *runtime, size_t bytes, hd_work *work, void **out_data, size_t *out_capacity) {
  hd_status status = hd_memory_take(runtime->memory, bytes, work, out_data, out_capacity);
  if (hd_status_code_of(status) != HD_RESOURCE_EXHAUSTED || !hd_works_wait(runtime->works)) return status;
  hd_status_ignore(status);
  return hd_memory_take(runtime->memory, bytes, work, out_data, out_capacity);
}

hd_status hd_runtime_create(const hd_runtime_options *given, hd_runtime **out_runtime) {
  HD_REQUIRE(out_runtime);
  *out_runtime = NULL;
  hd_runtime_options options;
  HD_TRY(hd_options_read("hd_runtime_options", given, &options, sizeof options));
  if (options.threads < 0 || options.threads > HD_MAX_THREADS)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to %d threads, got %d", HD_MAX_THREADS, options.threads);
  if (options.stream_bytes < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a stream size of at least 0 bytes, got %lld",
                          (long long)options.stream_bytes);
  hd_runtime *runtime = calloc(1, sizeof *runtime);
  if (!runtime) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  atomic_store(&runtime->references, 1);
  hd_status status = create(&options, runtime);
  if (!hd_is_ok(status)) {
    destroy(runtime);
    return status;
  }
  *out_runtime = runtime;
  return HD_STATUS_OK;
}

hd_runtime *hd_runtime_retain(hd_runtime *runtime) {
  if (runtime) atomic_fetch_add_explicit(&runtime->references, 1, memory_order_relaxed);
  return runtime;
}

void hd_runtime_release(hd_runtime *runtime) {
  if (runtime && atomic_fetch_sub_explicit(&runtime->references, 1, memory_order_acq_rel) == 1) destroy(runtime);
}

int32_t hd_runtime_threads(const hd_runtime *runtime) { return runtime ? hd_pool_threads(runtime->pool) : 0; }
hd_memory_stats hd_runtime_memory(const hd_runtime *runtime) {
  return runtime ? hd_memory_read(runtime->memory) : (hd_memory_stats){0};
}
void hd_runtime_trim(hd_runtime *runtime) {
  if (runtime) hd_memory_trim(runtime->memory);
}
hd_status hd_runtime_count_kernels(hd_runtime *runtime, bool on) {
  HD_REQUIRE(runtime);
  const hd_driver_vtable *driver = runtime->driver->vtable;
  if (on && !(driver->caps & HD_DRIVER_COUNTS))
    return hd_make_status(HD_UNIMPLEMENTED, "driver '%s' counts nothing; simt does", driver->name);
  __atomic_store_n(&runtime->counts, on, __ATOMIC_RELAXED);
  return HD_STATUS_OK;
}

void hd_runtime_profile(hd_runtime *runtime, bool on) {
  if (runtime) hd_trace_set(runtime->trace, on);
}

hd_status hd_runtime_profile_json(hd_runtime *runtime, char **out_json, size_t *out_size) {
  HD_REQUIRE(runtime);
  HD_REQUIRE(out_json);
  HD_REQUIRE(out_size);
  return hd_trace_json(runtime->trace, out_json, out_size);
}

void hd_runtime_profile_take(hd_runtime *runtime, void (*visit)(void *user, const hd_profile_span *span), void *user) {
  if (runtime && visit) hd_trace_take(runtime->trace, visit, user);
}
