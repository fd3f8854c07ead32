/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes: the embedder's threads and memory, limits, drivers. */
#define _GNU_SOURCE
#include "heddle/runtime.h"

#include "runtime/objects.h"
#include "runtime/testing.h"

static atomic_int pool_runs;
static void run_backwards(void *user, int64_t count, void (*body)(void *argument, int64_t i), void *argument) {
  (void)user;
  atomic_fetch_add(&pool_runs, 1);
  for (int64_t i = count; i-- > 0;) body(argument, i);
}
static atomic_llong held;
static void *own_allocate(void *user, size_t bytes, size_t alignment) {
  if (bytes > *(size_t *)user) return NULL;
  atomic_fetch_add(&held, (long long)bytes);
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void own_release(void *user, void *data, size_t bytes) {
  (void)user;
  atomic_fetch_sub(&held, (long long)bytes);
  free(data);
}

/* The embedder's threads and memory, and a limit on the runtime's. */
static void check_embedder(const void *data, size_t size) {
  size_t most = 1 << 20;
  hd_thread_pool pool = {.thread_count = 3, .run = run_backwards};
  hd_allocator allocator = {&most, own_allocate, own_release};
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.thread_pool = &pool;
  options.allocator = &allocator;
  hd_runtime *runtime;
  hd_executable *exe;
  if (!HD_CHECK_OK(hd_runtime_create(&options, &runtime))) return;
  HD_CHECK_INT(hd_runtime_threads(runtime), 3);
  HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe));
  hd_buffer *x = hd_test_input(runtime, 100, 100), *y = NULL;
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1));
  HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
  HD_CHECK_INT(atomic_load(&pool_runs), 2);
  hd_execute_options serial = HD_INIT(hd_execute_options);
  serial.serial = true;
  HD_CHECK_OK(hd_executable_execute(exe, &serial, &x, 1, &y, 1));
  HD_CHECK_INT(atomic_load(&pool_runs), 2);
  hd_buffer_release(x);
  hd_buffer_release(y);
  /* When memory ends in the middle of a run, the run ends and nothing is left. */
  x = NULL, y = NULL;
  float *own = calloc(1 << 19, sizeof *own);
  HD_CHECK_OK(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){1, 1 << 19}, NULL, own, NULL, NULL, &x));
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_RESOURCE_EXHAUSTED, "no memory for a buffer");
  HD_CHECK(!y);
  hd_buffer_release(x);
  hd_runtime_trim(runtime);
  HD_CHECK_INT(atomic_load(&held), 0);
  hd_executable_release(exe);
  hd_runtime_release(runtime);
  free(own);

  hd_runtime_options limited = HD_INIT(hd_runtime_options);
  limited.memory_limit = 100000;
  HD_CHECK_OK(hd_runtime_create(&limited, &runtime));
  HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe));
  x = hd_test_input(runtime, 100, 100);
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_RESOURCE_EXHAUSTED, "memory limit of 100000 bytes");
  hd_buffer_release(x);
  x = hd_test_input(runtime, 50, 100);
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1));
  hd_buffer_release(x);
  hd_buffer_release(y);
  hd_executable_release(exe);
  hd_runtime_release(runtime);
}

/* Memory of the host, for programs of a device: the embedder's, given back when freed and at the end of the run. */
static void check_host_allocator(const void *data, size_t size) {
  static const char alloc_name[] = "ral_host_alloc___pvoid_i64_i64___pvoid",
                    free_name[] = "ral_host_free___pvoid_pvoid___void";
  for (int own = 0; own < 2; ++own) {
    size_t most = 1 << 20;
    hd_allocator allocator = {&most, own_allocate, own_release};
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    if (own) options.host_allocator = &allocator;
    hd_runtime *runtime;
    hd_executable *exe;
    if (!HD_CHECK_OK(hd_runtime_create(&options, &runtime))) return;
    HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe));
    hd_execute_options limits = {.memory_limit = 1 << 21};
    hd_ral_context *ctx = calloc(1, sizeof *ctx);
    ctx->executable = exe, ctx->runtime = runtime, ctx->options = &limits;
    ctx->live = ctx->live_inline, ctx->live_room = HD_LIVE_INLINE;
    int64_t place = -1;
    for (int64_t bytes = 0; bytes < 1000; bytes = 3 * bytes + 1) {
      void *memory = NULL, *args[] = {NULL, &bytes, &place, &memory}, *back[] = {NULL, &memory};
      ral_api_call(ctx, alloc_name, args);
      if (!HD_CHECK(memory && (uintptr_t)memory % 64 == 0)) continue;
      memset(memory, 1, (size_t)bytes);
      HD_CHECK_INT(atomic_load(&held), own ? bytes : 0);
      HD_CHECK_INT(ctx->bytes_live, bytes);
      ral_api_call(ctx, free_name, back);
      HD_CHECK_INT(atomic_load(&held), 0);
      HD_CHECK_INT(ctx->bytes_live + ctx->live_count, 0);
    }
    int64_t bytes = 1000, large = 1 << 21;
    void *memory, *args[] = {NULL, &bytes, &place, &memory}, *too_much[] = {NULL, &large, &place, &memory};
    HD_CHECK_OK(hd_ral_call_alone(exe, alloc_name, args)); /* the run ends with it */
    HD_CHECK_INT(atomic_load(&held), 0);
    if (own) HD_CHECK_FAILS(hd_ral_call_alone(exe, alloc_name, too_much), HD_RESOURCE_EXHAUSTED, "no host memory");
    HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
    free(ctx);
    hd_executable_release(exe);
    hd_runtime_release(runtime);
  }
}

/* Executions of the null driver reach the launch and say so. */
static void check_null_driver(const void *data, size_t size) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.driver = "null";
  hd_runtime *runtime;
  hd_executable *exe;
  if (!HD_CHECK_OK(hd_runtime_create(&options, &runtime))) return;
  HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe));
  hd_buffer *x = hd_test_input(runtime, 2, 3), *y = NULL;
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_UNIMPLEMENTED,
                 "kernel 'fusion_scale_0': driver 'null' runs no kernels");
  hd_buffer_release(x);
  hd_executable_release(exe);
  hd_runtime_release(runtime);
  options.driver = "abacus";
  HD_CHECK_FAILS(hd_runtime_create(&options, &runtime), HD_NOT_FOUND, "no driver 'abacus'");
}

int main(void) {
  hd_test_program program;
  if (!hd_test_program_open(&program)) return HD_TEST_RESULT();
  check_null_driver(program.data, program.size);
  check_embedder(program.data, program.size);
  check_host_allocator(program.data, program.size);
  hd_test_program_close(&program);
  return HD_TEST_RESULT();
}
