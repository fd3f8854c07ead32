/* SPDX-License-Identifier: Apache-2.0 */
/* Executions: shapes, errors, aliases, donation, bound arguments, threads, events, profiles. */
#define _GNU_SOURCE
#include <pthread.h>

#include "base/fork_testing.h"
#include "runtime/objects.h"
#include "runtime/testing.h"

static void check_main(hd_runtime *runtime, hd_executable *exe) {
  HD_CHECK_STR(hd_executable_name(exe), "main");
  HD_CHECK_STR(hd_executable_target(exe), "x86-64");
  HD_CHECK_INT(hd_executable_entry_count(exe), sizeof entries / sizeof *entries);
  HD_CHECK_STR(hd_executable_entry_name(exe, 1), "alias");
  HD_CHECK(!hd_executable_entry_name(exe, 99));
  HD_CHECK_STR(hd_executable_symbol_name(exe, 1), "s");
  HD_CHECK_STR(hd_executable_kernel_name(exe, 0), "fusion_scale_0");
  HD_CHECK_INT(hd_executable_call_count(exe), RAL_COUNT);
  hd_tensor_info info = hd_executable_input(exe, 0);
  HD_CHECK_STR(info.name, "x");
  HD_CHECK(info.type == HD_ELEMENT_F32 && info.rank == 2 && info.dims[0] == HD_DIM_UNKNOWN);
  HD_CHECK_STR(info.dim_texts[1], "s");
  HD_CHECK_INT(hd_executable_output(exe, 0).alias, 0);
  HD_CHECK_INT(hd_executable_output(exe, 7).rank, 0);
  static const int64_t shapes[][2] = {{1, 1}, {0, 5}, {3, 7}, {1, 0}, {64, 1024}, {17, 333}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
    for (int own = 0; own < 2; ++own) {
      hd_buffer *x = hd_test_input(runtime, shapes[i][0], shapes[i][1]), *y = NULL;
      int64_t dims[2], *out_dims[] = {dims};
      const int64_t *in_dims[] = {hd_buffer_dims(x)};
      HD_CHECK_OK(hd_executable_output_shapes(exe, in_dims, out_dims));
      HD_CHECK(dims[0] == shapes[i][0] && dims[1] == shapes[i][1]);
      if (own) HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, dims, &y));
      hd_buffer *before = y;
      hd_run_stats stats;
      hd_execute_options options = HD_INIT(hd_execute_options);
      options.out_stats = &stats;
      if (HD_CHECK_OK(hd_executable_execute(exe, &options, &x, 1, &y, 1))) {
        HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
        HD_CHECK(!own || y == before);
        HD_CHECK_INT(stats.launches, 2);
        bool moved = own && runtime->bounds; /* made between guards */
        HD_CHECK_INT(stats.copies, moved);
        HD_CHECK_INT(stats.allocations, own && !moved && hd_buffer_elements(x) > 0 ? 1 : 2);
        HD_CHECK(stats.nanoseconds > 0 && (stats.bytes_peak > 0 || (runtime->bounds && !hd_buffer_elements(x))));
      }
      hd_buffer_release(x);
      hd_buffer_release(y);
    }
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
  HD_CHECK(hd_runtime_memory(runtime).bytes_peak > 0);
}

static void check_errors(hd_runtime *runtime, hd_executable *exe) {
  hd_buffer *x = hd_test_input(runtime, 2, 3), *y = NULL, *other;
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 2, &y, 1), HD_INVALID_ARGUMENT, "expected 1 arguments, got 2");
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 0), HD_INVALID_ARGUMENT, "expected 1 outputs, got 0");
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &y, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "argument 0 is null and not bound");
  HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_BF16, 2, (int64_t[]){2, 3}, &other));
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &other, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "argument 0: expected f32, got bf16");
  hd_buffer_release(other);
  HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 1, (int64_t[]){2}, &other));
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &other, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "argument 0: expected rank 2, got rank 1");
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &other, 1), HD_INVALID_ARGUMENT, "output 0: expected rank 2");
  hd_buffer_release(other);
  HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){2, 4}, &other));
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &other, 1), HD_INVALID_ARGUMENT,
                 "output 0: dim 1 of the caller's buffer is 4, but s is 3");
  hd_buffer_release(other);
  HD_CHECK_FAILS(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){-2, 4}, &other), HD_INVALID_ARGUMENT,
                 "dim 0 is -2");
  HD_CHECK_FAILS(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){1ll << 40, 1ll << 40}, &other),
                 HD_INVALID_ARGUMENT, "more bytes");
  HD_CHECK_FAILS(hd_buffer_create(runtime, HD_ELEMENT_F32, 1, (int64_t[]){1ll << 59}, &other), HD_RESOURCE_EXHAUSTED,
                 "no memory");
  HD_CHECK_FAILS(hd_buffer_create(runtime, (hd_element_type)99, 0, NULL, &other), HD_INVALID_ARGUMENT,
                 "unknown element type 99");
  HD_CHECK_FAILS(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, (int64_t[]){3}, NULL, NULL, NULL, NULL, &other),
                 HD_INVALID_ARGUMENT, "null");

  hd_executable *dims;
  HD_CHECK_OK(hd_executable_other_entry(exe, "dims", &dims));
  int64_t values[2], out[2], *outs[] = {out};
#define DIMS(a, b, c, d)                    \
  (const int64_t *const[]) {                \
    (int64_t[]){a, b}, (int64_t[]) { c, d } \
  }
  HD_CHECK_OK(hd_executable_symbol_values(dims, DIMS(2, 4, 7, 2), values));
  HD_CHECK(values[0] == 2 && values[1] == 3);
  HD_CHECK_OK(hd_executable_output_shapes(dims, DIMS(2, 4, 7, 2), outs));
  HD_CHECK(out[0] == 3 && out[1] == 3);
  HD_CHECK_FAILS(hd_executable_symbol_values(dims, DIMS(4, 4, 7, 5), values), HD_INVALID_ARGUMENT,
                 "argument 1: dim 1 is 5, but b is 4 by argument 0");
  HD_CHECK_FAILS(hd_executable_symbol_values(dims, DIMS(4, 5, 7, 4), values), HD_INVALID_ARGUMENT,
                 "argument 0: dim 1 is 5, expected 4");
  HD_CHECK_FAILS(hd_executable_symbol_values(dims, DIMS(4, 4, 8, 4), values), HD_INVALID_ARGUMENT,
                 "argument 1: dim 0 is 8, but 2*n+1 is 7 (n is 3 by argument 1)");
  HD_CHECK_FAILS(hd_executable_symbol_values(dims, DIMS(3, 4, 7, 3), values), HD_INVALID_ARGUMENT,
                 "b must be even, but is 3");
  HD_CHECK_FAILS(hd_executable_symbol_values(dims, DIMS(-4, 4, 7, -4), values), HD_INVALID_ARGUMENT,
                 "argument 0: dim 0 is -4");
  HD_CHECK_OK(hd_executable_input_dims(dims, 1, (int64_t[]){6, 5}, out));
  HD_CHECK(out[0] == 11 && out[1] == 6);
  HD_CHECK_OK(hd_executable_input_dims(dims, 1, (int64_t[]){6, HD_DIM_UNKNOWN}, out));
  HD_CHECK(out[0] == HD_DIM_UNKNOWN && out[1] == 6);
  HD_CHECK_FAILS(hd_executable_input_dims(dims, 5, values, out), HD_OUT_OF_RANGE, "argument 5");
  hd_executable_release(dims);

  hd_executable *none;
  HD_CHECK_FAILS(hd_executable_other_entry(exe, "nix", &none), HD_NOT_FOUND,
                 "no entry 'nix'; there are: 'main', 'alias'");
  hd_buffer_release(x);
}

static void check_program_failures(hd_runtime *runtime, hd_executable *exe) {
  hd_buffer *x = hd_test_input(runtime, 2, 3), *y = NULL;
  hd_executable *fail, *silent, *slow;
  HD_CHECK_OK(hd_executable_other_entry(exe, "fail", &fail));
  HD_CHECK_FAILS(hd_executable_execute(fail, NULL, &x, 1, &y, 1), HD_INVALID_ARGUMENT, "dim is 2, not 42; {2} stays");
  HD_CHECK(!y);
  int64_t out[2], *outs[] = {out};
  HD_CHECK_OK(hd_executable_output_shapes(fail, (const int64_t *const[]){hd_buffer_dims(x)}, outs));
  HD_CHECK(out[0] == HD_DIM_UNKNOWN && out[1] == HD_DIM_UNKNOWN);
  HD_CHECK_OK(hd_executable_other_entry(exe, "silent", &silent));
  HD_CHECK_FAILS(hd_executable_execute(silent, NULL, &x, 1, &y, 1), HD_INTERNAL, "the program sent no output 0");

  HD_CHECK_OK(hd_executable_other_entry(exe, "slow", &slow));
  hd_execute_options options = HD_INIT(hd_execute_options);
  options.timeout_ns = 5000000;
  HD_CHECK_FAILS(hd_executable_execute(slow, &options, &x, 1, &y, 1), HD_DEADLINE_EXCEEDED, "longer than 0.005 s");
  options.timeout_ns = 0;
  int32_t cancel = 1;
  options.cancel = &cancel;
  HD_CHECK_FAILS(hd_executable_execute(slow, &options, &x, 1, &y, 1), HD_CANCELLED, "execution cancelled");
  hd_event *event;
  HD_CHECK_OK(hd_executable_execute_async(slow, NULL, &x, 1, &y, 1, &event));
  HD_CHECK_FAILS(hd_event_wait(event, 1000000), HD_DEADLINE_EXCEEDED, "has not ended yet");
  HD_CHECK(!hd_event_is_done(event));
  hd_event_cancel(event);
  HD_CHECK_FAILS(hd_event_wait(event, -1), HD_CANCELLED, "execution cancelled");
  HD_CHECK_FAILS(hd_event_wait(event, 0), HD_CANCELLED, "execution cancelled");
  hd_event_release(event);

  hd_execute_options limited = HD_INIT(hd_execute_options);
  limited.memory_limit = 100;
  hd_buffer *big = hd_test_input(runtime, 100, 100);
  HD_CHECK_FAILS(hd_executable_execute(exe, &limited, &big, 1, &y, 1), HD_RESOURCE_EXHAUSTED,
                 "memory limit of 100 bytes: 0 in use, 40000");
  hd_buffer_release(big);
  hd_executable_release(fail);
  hd_executable_release(silent);
  hd_executable_release(slow);
  hd_buffer_release(x);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

static void check_aliases(hd_runtime *runtime, hd_executable *main_entry) {
  hd_executable *exe;
  if (!HD_CHECK_OK(hd_executable_other_entry(main_entry, "alias", &exe))) return;
  hd_buffer *x = hd_test_input(runtime, 5, 3), *out[4] = {0};
  if (HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, out, 4))) {
    HD_CHECK(hd_buffer_data(out[0]) != hd_buffer_data(x));
    HD_CHECK_INT(hd_test_wrong_results(out[0], 1, 0), 0);
    HD_CHECK_INT(hd_test_wrong_results(out[3], 1, 0), 0);
    HD_CHECK(hd_buffer_dims(out[1])[0] == 3 && hd_buffer_dims(out[1])[1] == 5);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 5; ++c) HD_CHECK_NEAR(((float *)hd_buffer_data(out[1]))[r * 5 + c], c * 3 + r, 0);
    HD_CHECK_INT(hd_buffer_elements(out[2]), 6);
    for (int i = 0; i < 6; ++i) HD_CHECK_NEAR(((float *)hd_buffer_data(out[2]))[i], i + 9, 0);
  }
  for (int i = 0; i < 4; ++i) hd_buffer_release(out[i]);

  /* A strided input is made dense. */
  float columns[] = {0, 3, 6, 9, 12, 1, 4, 7, 10, 13, 2, 5, 8, 11, 14};
  hd_buffer *strided, *y = NULL;
  HD_CHECK_OK(
      hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){5, 3}, (int64_t[]){1, 5}, columns, NULL, NULL, &strided));
  HD_CHECK_OK(hd_executable_execute(main_entry, NULL, &strided, 1, &y, 1));
  if (y) HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
  hd_buffer_release(strided);
  hd_buffer_release(y);
  hd_buffer_release(x);
  hd_executable_release(exe);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

static void check_donation(hd_runtime *runtime, hd_executable *main_entry) {
  hd_executable *exe;
  if (!HD_CHECK_OK(hd_executable_other_entry(main_entry, "donate", &exe))) return;
  for (int donated = 0; donated < 2; ++donated) {
    hd_buffer *x = hd_test_input(runtime, 40, 30), *y = NULL;
    hd_execute_options options = HD_INIT(hd_execute_options);
    bool flags[] = {donated};
    options.donated = flags;
    HD_CHECK_OK(hd_executable_execute(exe, &options, &x, 1, &y, 1));
    HD_CHECK_INT(hd_test_wrong_results(y, 1, 7), 0);
    HD_CHECK((hd_buffer_data(x) == hd_buffer_data(y)) == donated);
    hd_buffer_release(x);
    HD_CHECK_INT(hd_test_wrong_results(y, 1, 7), 0);
    hd_buffer_release(y);
  }
  hd_executable_release(exe);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

static void release_counter(void *user, void *data) {
  (void)data;
  ++*(int *)user;
}

static void check_binding(hd_runtime *runtime, hd_executable *main_entry) {
  hd_executable *exe;
  HD_CHECK_OK(hd_executable_other_entry(main_entry, "main", &exe));
  float data[6] = {0, 1, 2, 3, 4, 5};
  int released = 0;
  hd_buffer *x, *y = NULL, *null = NULL, *wrong;
  HD_CHECK_OK(
      hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){2, 3}, NULL, data, release_counter, &released, &x));
  HD_CHECK_OK(hd_executable_bind(exe, 0, x));
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "argument 0 is bound: expected null");
  hd_buffer_release(x);
  HD_CHECK_INT(released, 0);
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &null, 1, &y, 1));
  HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
  hd_buffer_release(y);
  HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F64, 2, (int64_t[]){2, 3}, &wrong));
  HD_CHECK_FAILS(hd_executable_bind(exe, 0, wrong), HD_INVALID_ARGUMENT,
                 "argument 0: expected f32 of rank 2, got f64 of rank 2");
  HD_CHECK_FAILS(hd_executable_bind(exe, 3, wrong), HD_OUT_OF_RANGE, "argument 3");
  hd_buffer_release(wrong);
  HD_CHECK_OK(hd_executable_bind(exe, 0, NULL));
  HD_CHECK_INT(released, 1);
  hd_executable_release(exe);
}

typedef struct shared {
  hd_runtime *runtime;
  hd_executable *exe;
  int index;
} shared;

static void *executor(void *argument) {
  const shared *s = argument;
  for (int round = 0; round < 60; ++round) {
    int64_t b = 1 + (s->index * 7 + round) % 40, n = 1 + (s->index * 131 + round * 17) % 700;
    hd_buffer *x = hd_test_input(s->runtime, b, n), *y = NULL;
    if (HD_CHECK_OK(hd_executable_execute(s->exe, NULL, &x, 1, &y, 1))) HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
    hd_buffer_release(x);
    hd_buffer_release(y);
  }
  return NULL;
}

static void check_threads(hd_runtime *runtime, hd_executable *exe) {
  pthread_t threads[8];
  shared s[8];
  for (int i = 0; i < 8; ++i) {
    s[i] = (shared){runtime, exe, i};
    pthread_create(&threads[i], NULL, executor, &s[i]);
  }
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

static void count_done(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

static void check_async(hd_runtime *runtime, hd_executable *exe) {
  enum { N = 20 };
  hd_buffer *y[N] = {0};
  hd_event *events[N];
  atomic_int done = 0;
  for (int i = 0; i < N; ++i) {
    hd_buffer *x = hd_test_input(runtime, i, 100);
    HD_CHECK_OK(hd_executable_execute_async(exe, NULL, &x, 1, &y[i], 1, &events[i]));
    HD_CHECK_OK(hd_event_on_done(events[i], count_done, &done));
    hd_buffer_release(x);
  }
  for (int i = 0; i < N; ++i) {
    if (HD_CHECK_OK(hd_event_wait(events[i], -1))) HD_CHECK_INT(hd_test_wrong_results(y[i], 2, 7), 0);
    HD_CHECK(hd_event_is_done(events[i]));
    HD_CHECK_OK(hd_event_on_done(events[i], count_done, &done));
    hd_event_release(events[i]);
    hd_buffer_release(y[i]);
  }
  for (int i = 0; i < 1000 && atomic_load(&done) < 2 * N; ++i) usleep(1000);
  HD_CHECK_INT(atomic_load(&done), 2 * N);
}

static void keep_text(void *user, const char *text) { snprintf(user, 200, "%s", text); }

static void check_print_and_profile(hd_runtime *runtime, hd_executable *exe, const char *folder) {
  hd_executable *print;
  HD_CHECK_OK(hd_executable_other_entry(exe, "print", &print));
  hd_buffer *x = hd_test_input(runtime, 2, 2), *y = NULL;
  char text[200] = "";
  hd_execute_options options = HD_INIT(hd_execute_options);
  options.print = keep_text;
  options.print_user = text;
  HD_CHECK_OK(hd_executable_execute(print, &options, &x, 1, &y, 1));
  HD_CHECK_STR(text, "x = [[0, 1], [2, 3]]");
  hd_buffer_release(x);
  hd_buffer_release(y);
  hd_executable_release(print);

  hd_runtime_profile(runtime, true);
  x = hd_test_input(runtime, 300, 300);
  y = NULL;
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1));
  hd_buffer_release(x);
  hd_buffer_release(y);
  hd_runtime_profile(runtime, false);
  char *json;
  size_t size;
  if (!HD_CHECK_OK(hd_runtime_profile_json(runtime, &json, &size))) return;
  HD_CHECK_INT(strlen(json), size);
  HD_CHECK(strstr(json,
                  "\"cat\":\"kernel\",\"name\":\"fusion_scale_0\",\"args\":{\"ops\":\"stablehlo.multiply at "
                  "\\\"x.mlir\\\":3:4\","));
  HD_CHECK(strstr(json, "\"cat\":\"execute\",\"name\":\"m\""));
  HD_CHECK(strstr(json, "\"thread_name\",\"args\":{\"name\":\"caller 0\"}"));
  char path[100], command[200];
  snprintf(path, sizeof path, "%s/trace.json", folder);
  FILE *file = fopen(path, "w");
  fputs(json, file);
  fclose(file);
  snprintf(command, sizeof command,
           "python3 -c 'import json,sys; assert len(json.load(open(\"%s\"))[\"traceEvents\"]) > 4'", path);
  HD_CHECK_INT(system(command), 0);
  free(json);
}

static int packs;
static void pack_sum(void *argument, void *packed) {
  ++packs;
  *(float *)packed = ((const float *)argument)[1] * 10;
}

typedef struct packing {
  hd_ral_context *ctx;
  float *data;
} packing;

static void find_packed(void *user) {
  packing *p = user;
  hd_ral_packed(p->ctx, p->data, 1, 64, pack_sum, p->data);
}

static bool packs_anew(void *user) {
  packing *p = user;
  return hd_ral_packed(p->ctx, p->data, 99, 64, pack_sum, p->data) != NULL;
}

/* Packed weights: made once per buffer and use, only for bound arguments and constants. */
static void check_packed(hd_runtime *runtime, hd_executable *main_entry) {
  hd_executable *exe;
  HD_CHECK_OK(hd_executable_other_entry(main_entry, "main", &exe));
  hd_buffer *x = hd_test_input(runtime, 2, 3), *free_one = hd_test_input(runtime, 2, 3);
  hd_execute_options options = {0};
  hd_ral_context *ctx = calloc(1, sizeof *ctx);
  ctx->executable = exe;
  ctx->runtime = runtime;
  ctx->options = &options;
  float *data = hd_buffer_data(x);
  packs = 0;
  HD_CHECK(!hd_ral_packed(ctx, data, 1, 64, pack_sum, data));
  const float *of_no_argument = hd_ral_packed(ctx, NULL, 1, 64, pack_sum, data);
  HD_CHECK(of_no_argument && hd_ral_packed(ctx, NULL, 1, 64, pack_sum, data) == of_no_argument);
  HD_CHECK_INT(packs, 1);
  packs = 0;
  HD_CHECK_OK(hd_executable_bind(exe, 0, x));
  HD_CHECK(!hd_ral_packed(ctx, hd_buffer_data(free_one), 1, 64, pack_sum, data));
  const float *first = hd_ral_packed(ctx, data, 1, 64, pack_sum, data);
  if (HD_CHECK(first)) HD_CHECK_NEAR(*first, 10, 0);
  HD_CHECK(hd_ral_packed(ctx, data, 1, 64, pack_sum, data) == first);
  hd_test_forks(100, find_packed, packs_anew, &(packing){ctx, data}); /* a forked child finds the lock free */
  HD_CHECK_INT(packs, 1);
  const float *other_use = hd_ral_packed(ctx, data, 2, 64, pack_sum, data),
              *part = hd_ral_packed(ctx, data + 3, 1, 64, pack_sum, data);
  HD_CHECK(other_use && part && other_use != first && part != first && part != other_use);
  HD_CHECK_INT(packs, 3);
  HD_CHECK(hd_ral_packed(ctx, exe->loaded->program->constants[0].data, 1, 64, pack_sum, data));
  HD_CHECK_INT(packs, 4);
  HD_CHECK_OK(hd_executable_bind(exe, 0, free_one)); /* what was packed from x goes */
  HD_CHECK(!hd_ral_packed(ctx, data, 1, 64, pack_sum, data));
  HD_CHECK(hd_ral_packed(ctx, hd_buffer_data(free_one), 1, 64, pack_sum, data));
  HD_CHECK(hd_ral_packed(ctx, NULL, 1, 64, pack_sum, data) == of_no_argument);
  free(ctx);
  hd_executable_release(exe);
  hd_buffer_release(x);
  hd_buffer_release(free_one);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

typedef struct bounded {
  hd_executable *exe;
  hd_buffer *x;
  bool writes_beside;
} bounded;

static void *execute_bounded(void *argument) {
  bounded *b = argument;
  for (int round = 0; round < 300; ++round) {
    hd_buffer *y = NULL;
    hd_status status = hd_executable_execute(b->exe, NULL, &b->x, 1, &y, 1);
    if (b->writes_beside)
      HD_CHECK_FAILS(status, HD_INTERNAL, "kernel fusion_scale_0: writes at byte 60 of a buffer of 60 bytes");
    else
      HD_CHECK_OK(status);
    hd_buffer_release(y);
  }
  return NULL;
}

/* Of executions at once, with one input, the one that writes beside its buffers fails, the others do not. */
static void check_bounds_at_once(hd_runtime *runtime, hd_executable *right, hd_executable *wrong) {
  hd_buffer *x = hd_test_input(runtime, 3, 5);
  pthread_t threads[4];
  bounded b[4];
  for (int i = 0; i < 4; ++i) {
    b[i] = (bounded){i % 2 ? wrong : right, x, i % 2};
    HD_CHECK_INT(pthread_create(&threads[i], NULL, execute_bounded, &b[i]), 0);
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  hd_buffer_release(x);
}

/* Inputs of the caller's, outputs of the caller's and constants are between guards too. */
static void check_bounds(const hd_test_program *program) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.threads = 2;
  options.check_bounds = true;
  hd_runtime *runtime;
  hd_executable *right, *wrong;
  HD_CHECK_OK(hd_runtime_create(&options, &runtime));
  hd_load_options load = HD_INIT(hd_load_options);
  load.entry = "beyond";
  HD_CHECK_OK(hd_executable_load(runtime, program->data, program->size, NULL, &right));
  HD_CHECK_OK(hd_executable_load(runtime, program->data, program->size, &load, &wrong));
  float in[15], out[15];
  for (int i = 0; i < 15; ++i) in[i] = (float)i;
  hd_buffer *x, *y, *made = NULL;
  int64_t dims[] = {3, 5};
  HD_CHECK_OK(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, dims, NULL, in, NULL, NULL, &x));
  HD_CHECK_OK(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, dims, NULL, out, NULL, NULL, &y));
  for (int k = 0; k < 2; ++k) {
    HD_CHECK_FAILS(hd_executable_execute(wrong, NULL, &x, 1, &made, 1), HD_INTERNAL,
                   "kernel fusion_scale_0: writes at byte 60 of a buffer of 60 bytes");
    HD_CHECK_OK(hd_executable_execute(right, NULL, &x, 1, &y, 1));
    for (int i = 0; i < 15; ++i) HD_CHECK_NEAR(out[i], 2 * in[i] + 7, 0);
  }
  hd_buffer_release(x);
  hd_buffer_release(y);
  check_bounds_at_once(runtime, right, wrong);
  hd_executable_release(right);
  hd_executable_release(wrong);
  hd_runtime_release(runtime);
}

int main(void) {
  hd_test_program program;
  if (!hd_test_program_open(&program)) return HD_TEST_RESULT();
  for (int threads = 1; threads <= 3; ++threads) {
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.threads = threads;
    hd_runtime *runtime;
    hd_executable *exe;
    if (!HD_CHECK_OK(hd_runtime_create(&options, &runtime))) continue;
    HD_CHECK_INT(hd_runtime_threads(runtime), threads);
    if (!HD_CHECK_OK(hd_executable_load(runtime, program.data, program.size, NULL, &exe))) continue;
    check_main(runtime, exe);
    check_errors(runtime, exe);
    check_program_failures(runtime, exe);
    check_aliases(runtime, exe);
    check_donation(runtime, exe);
    check_binding(runtime, exe);
    check_packed(runtime, exe);
    check_threads(runtime, exe);
    check_async(runtime, exe);
    check_print_and_profile(runtime, exe, program.folder);
    /* The last references may go in any order, also with work under way. */
    hd_buffer *x = hd_test_input(runtime, 10, 10), *y = NULL;
    hd_event *event;
    HD_CHECK_OK(hd_executable_execute_async(exe, NULL, &x, 1, &y, 1, &event));
    hd_buffer_release(x);
    hd_executable_release(exe);
    hd_runtime_release(runtime);
    HD_CHECK_OK(hd_event_wait(event, -1));
    HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
    hd_buffer_release(y);
    hd_event_release(event);
  }
  check_bounds(&program);
  hd_test_program_close(&program);
  return HD_TEST_RESULT();
}
