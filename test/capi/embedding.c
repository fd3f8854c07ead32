/* SPDX-License-Identifier: Apache-2.0 */
/* The C API as an embedder uses it beyond examples/embed.c: executions in the background, cancellation, several models
 * on one runtime, an embedder's threads and memory, memory that fails, one buffer in several places. */
#include "embedding.h"

#include <pthread.h>
#include <time.h>

static const char ADD[] =
    "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
    "  %s = stablehlo.add %a, %b : tensor<?xf32>\n"
    "  %r = stablehlo.reverse %a, dims = [0] : tensor<?xf32>\n"
    "  %t = stablehlo.subtract %r, %b : tensor<?xf32>\n"
    "  return %s, %t : tensor<?xf32>, tensor<?xf32>\n"
    "}\n";
/* A loop with a product, a sort and a row reduction: buffers of each step, workspaces and packed operands. */
static const char LOOP[] =
    "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
    "  %n = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<?xf32>, tensor<?xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %m = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<?xf32>, tensor<?xf32>) -> "
    "tensor<?x?xf32>\n"
    "    %p = stablehlo.dot_general %m, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?xf32>) -> "
    "tensor<?xf32>\n"
    "    %s = \"stablehlo.sort\"(%p) <{dimension = 0 : i64, is_stable = true}> ({\n"
    "    ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
    "      %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "      stablehlo.return %c : tensor<i1>\n"
    "    }) : (tensor<?xf32>) -> tensor<?xf32>\n"
    "    stablehlo.return %j, %s, %x : tensor<i32>, tensor<?xf32>, tensor<?xf32>\n"
    "  }\n"
    "  return %0#1, %0#2 : tensor<?xf32>, tensor<?xf32>\n"
    "}\n";
static const char DOUBLE[] =
    "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %s = stablehlo.add %a, %a : tensor<?xf32>\n"
    "  return %s : tensor<?xf32>\n"
    "}\n";
/* Ends when its input is odd: never, for 0. */
static const char SPIN[] =
    "func.func @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "  %r = stablehlo.while(%i = %x) : tensor<i32>\n"
    "  cond {\n"
    "    %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %m = stablehlo.remainder %i, %two : tensor<i32>\n"
    "    %c = stablehlo.compare NE, %m, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "    %n = stablehlo.add %i, %two : tensor<i32>\n"
    "    stablehlo.return %n : tensor<i32>\n"
    "  }\n"
    "  return %r : tensor<i32>\n"
    "}\n";

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

static void count_done(void *user) { __atomic_add_fetch((int *)user, 1, __ATOMIC_RELAXED); }

/* Executions in the background, in the order of the calls, with a callback each. */
static void in_the_background(void) {
  enum { RUNS = 32, COUNT = 1000 };
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, DOUBLE);
  static float data[RUNS][COUNT];
  hd_buffer *outputs[RUNS] = {0};
  hd_event *events[RUNS];
  int done = 0;
  for (int r = 0; r < RUNS; ++r) {
    for (int i = 0; i < COUNT; ++i) data[r][i] = (float)(r + i);
    hd_buffer *input = wrap(runtime, data[r], COUNT - r);
    must(hd_executable_execute_async(executable, NULL, &input, 1, &outputs[r], 1, &events[r]), "starting");
    hd_buffer_release(input); /* the execution holds it */
    must(hd_event_on_done(events[r], count_done, &done), "asking to be called");
  }
  for (int r = RUNS - 1; r >= 0; --r) {
    must(hd_event_wait(events[r], -1), "waiting");
    expect(hd_event_is_done(events[r]) && hd_buffer_elements(outputs[r]) == COUNT - r, "a result of the input's size");
    const float *result = hd_buffer_data(outputs[r]);
    for (int i = 0; i < COUNT - r; ++i) expect(result[i] == 2 * data[r][i], "twice the input");
    hd_buffer_release(outputs[r]);
    hd_event_release(events[r]);
  }
  for (int tries = 0; tries < 1000 && __atomic_load_n(&done, __ATOMIC_RELAXED) < RUNS; ++tries) sleep_ms(5);
  expect(done == RUNS, "one callback for each event");
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

static void *raise_flag(void *flag) {
  sleep_ms(50);
  __atomic_store_n((int32_t *)flag, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* An endless program stops when it is asked to, by a flag, an event or the clock; the executable goes on working. */
static void cancellation(void) {
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, SPIN);
  int32_t start = 0, flag = 0;
  hd_buffer *input, *output = NULL;
  must(hd_buffer_wrap(runtime, HD_ELEMENT_I32, 0, NULL, NULL, &start, NULL, NULL, &input), "wrapping");

  pthread_t thread;
  hd_execute_options options = HD_INIT(hd_execute_options);
  options.cancel = &flag;
  expect(!pthread_create(&thread, NULL, raise_flag, &flag), "a thread");
  expect_code(hd_executable_execute(executable, &options, &input, 1, &output, 1), HD_CANCELLED, "cancelled",
              "by a flag");
  pthread_join(thread, NULL);
  expect(!output, "no output of a cancelled execution");

  hd_event *event;
  must(hd_executable_execute_async(executable, NULL, &input, 1, &output, 1, &event), "starting");
  expect_code(hd_event_wait(event, 20000000), HD_DEADLINE_EXCEEDED, "", "waiting for 20 ms");
  hd_event_cancel(event);
  expect_code(hd_event_wait(event, -1), HD_CANCELLED, "cancelled", "by the event");
  hd_event_release(event);

  options.cancel = NULL;
  options.timeout_ns = 30000000;
  expect_code(hd_executable_execute(executable, &options, &input, 1, &output, 1), HD_DEADLINE_EXCEEDED, "0.030 s",
              "by the clock");

  start = 7;
  must(hd_executable_execute(executable, NULL, &input, 1, &output, 1), "executing what ends");
  expect(*(const int32_t *)hd_buffer_data(output) == 7, "7");
  hd_buffer_release(output);
  hd_buffer_release(input);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

typedef struct user {
  hd_runtime *runtime;
  hd_executable *executables[2];
  int number;
} user;

static void *use(void *argument) {
  user *u = argument;
  for (int run = 0; run < 50; ++run) {
    int64_t count = 1 + (u->number * 37 + run * 101) % 500;
    float a[500], b[500];
    for (int i = 0; i < count; ++i) a[i] = (float)(i + u->number), b[i] = (float)run;
    hd_buffer *inputs[] = {wrap(u->runtime, a, count), wrap(u->runtime, b, count)}, *outputs[2] = {0};
    bool add = (run + u->number) % 2;
    must(hd_executable_execute(u->executables[add], NULL, inputs, 1 + add, outputs, 1 + add), "executing");
    const float *result = hd_buffer_data(outputs[0]);
    for (int i = 0; i < count; ++i) expect(result[i] == (add ? a[i] + b[i] : 2 * a[i]), "the model's own result");
    for (int i = 0; i < 2; ++i) hd_buffer_release(inputs[i]), hd_buffer_release(outputs[i]);
  }
  return NULL;
}

/* Two models on one runtime, from eight threads at different shapes. */
static void several_models(void) {
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  user users[8] = {{runtime, {load(runtime, DOUBLE), load(runtime, ADD)}, 0}};
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) {
    users[i] = users[0];
    users[i].number = i;
    expect(!pthread_create(&threads[i], NULL, use, &users[i]), "a thread");
  }
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  hd_executable_release(users[0].executables[0]);
  hd_runtime_release(runtime); /* an executable keeps it */
  users[1].number = 8;
  users[1].executables[0] = users[1].executables[1];
  float one = 1;
  hd_buffer *inputs[] = {wrap(runtime, &one, 1), wrap(runtime, &one, 1)}, *outputs[2] = {0};
  must(hd_executable_execute(users[1].executables[1], NULL, inputs, 2, outputs, 2), "executing after a release");
  for (int i = 0; i < 2; ++i) hd_buffer_release(inputs[i]), hd_buffer_release(outputs[i]);
  hd_executable_release(users[1].executables[1]);
}

/* Memory of the embedder: counted, aligned as asked, and given back with its size; it fails from call |fail_at| on. */
typedef struct counted {
  int64_t live, calls, fail_at;
} counted;
static void *take(void *user, size_t bytes, size_t alignment) {
  counted *c = user;
  if (__atomic_add_fetch(&c->calls, 1, __ATOMIC_RELAXED) >= c->fail_at) return NULL;
  expect(alignment >= 64 && !(alignment & (alignment - 1)), "an alignment of at least 64");
  __atomic_add_fetch(&c->live, (int64_t)bytes, __ATOMIC_RELAXED);
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void give(void *user, void *data, size_t bytes) {
  __atomic_sub_fetch(&((counted *)user)->live, (int64_t)bytes, __ATOMIC_RELAXED);
  free(data);
}
/* Threads of the embedder, two each time. */
typedef struct range {
  int64_t from, to;
  void (*body)(void *, int64_t);
  void *argument;
} range;
static int64_t pool_calls;
static void *run_range(void *argument) {
  range *r = argument;
  for (int64_t i = r->from; i < r->to; ++i) r->body(r->argument, i);
  return NULL;
}
static void run_pool(void *user, int64_t count, void (*body)(void *, int64_t), void *argument) {
  (void)user;
  __atomic_add_fetch(&pool_calls, 1, __ATOMIC_RELAXED);
  range first = {0, count / 2, body, argument}, second = {count / 2, count, body, argument};
  pthread_t thread;
  expect(!pthread_create(&thread, NULL, run_range, &first), "a thread");
  run_range(&second);
  pthread_join(thread, NULL);
}

static void memory_and_threads(void) {
  counted memory = {.fail_at = INT64_MAX};
  hd_allocator allocator = {&memory, take, give};
  hd_thread_pool pool = {NULL, 2, run_pool};
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.allocator = &allocator;
  options.thread_pool = &pool;
  hd_runtime *runtime;
  must(hd_runtime_create(&options, &runtime), "making a runtime");
  expect(hd_runtime_threads(runtime) == 2, "as many threads as the pool has");
  hd_executable *executable = load(runtime, DOUBLE);
  enum { COUNT = 1 << 20 };
  float *data = malloc(COUNT * sizeof *data);
  for (int i = 0; i < COUNT; ++i) data[i] = (float)i;
  hd_buffer *input = wrap(runtime, data, COUNT), *output = NULL;
  must(hd_executable_execute(executable, NULL, &input, 1, &output, 1), "executing");
  const float *result = hd_buffer_data(output);
  for (int i = 0; i < COUNT; ++i) expect(result[i] == 2 * data[i], "twice the input");
  expect(pool_calls > 0, "work on the embedder's threads");
  expect(memory.live >= (int64_t)(COUNT * sizeof *data), "the result in the embedder's memory");
  hd_buffer_release(output);
  hd_runtime_trim(runtime);
  hd_buffer_release(input);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
  expect(memory.live == 0, "all memory given back");
  free(data);
}

/* Memory that fails at the n-th call: a status each time, and nothing is lost. */
static void memory_fails_in(const char *program) {
  bool succeeded = false;
  for (int64_t n = 1; n < 64 && !succeeded; ++n) {
    counted memory = {.fail_at = n};
    hd_allocator allocator = {&memory, take, give};
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.allocator = &allocator;
    hd_runtime *runtime = NULL;
    must(hd_runtime_create(&options, &runtime), "making a runtime");
    hd_executable *executable = load(runtime, program);
    float data[100] = {0};
    hd_buffer *inputs[] = {wrap(runtime, data, 100), wrap(runtime, data, 100)}, *outputs[2] = {0};
    hd_status status = hd_executable_execute(executable, NULL, inputs, 2, outputs, 2);
    succeeded = hd_is_ok(status);
    if (!succeeded) {
      expect(!outputs[0] && !outputs[1], "no outputs of a failed execution");
      expect_code(status, HD_RESOURCE_EXHAUSTED, "memory", "executing without memory");
      memory.fail_at = INT64_MAX; /* and memory is there again */
      must(hd_executable_execute(executable, NULL, inputs, 2, outputs, 2), "executing with memory again");
    }
    for (int i = 0; i < 2; ++i) hd_buffer_release(inputs[i]), hd_buffer_release(outputs[i]);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
    expect(memory.live == 0, "all memory given back");
  }
  expect(succeeded, "an execution that needs fewer than 64 allocations");
}

static void memory_fails(void) {
  memory_fails_in(ADD);
  memory_fails_in(LOOP);
}

/* One buffer as two arguments, and as an argument and a donated output; kernels must not rely on different memory. */
static void one_buffer_in_several_places(void) {
  enum { COUNT = 3001 };
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, ADD);
  static float data[COUNT], other[COUNT], sum[COUNT], difference[COUNT];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < COUNT; ++i) data[i] = (float)i, other[i] = (float)(3 * i + 1), sum[i] = difference[i] = -1;
    hd_buffer *a = wrap(runtime, data, COUNT),
              *b = round == 0 ? hd_buffer_retain(a) : wrap(runtime, round == 1 ? data : other, COUNT);
    hd_buffer *inputs[] = {a, b}, *outputs[] = {wrap(runtime, sum, COUNT), wrap(runtime, difference, COUNT)};
    must(hd_executable_execute(executable, NULL, inputs, 2, outputs, 2), "executing");
    for (int i = 0; i < COUNT; ++i) {
      float second = round < 2 ? (float)i : (float)(3 * i + 1);
      expect(sum[i] == (float)i + second, "a + b");
      expect(difference[i] == (float)(COUNT - 1 - i) - second, "reverse(a) - b");
    }
    for (int i = 0; i < 2; ++i) hd_buffer_release(inputs[i]), hd_buffer_release(outputs[i]);
  }
  /* An output in an input's memory, which is donated in the second round: what reads the input must have read it. */
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < COUNT; ++i) data[i] = (float)i, other[i] = (float)(3 * i + 1);
    hd_buffer *inputs[] = {wrap(runtime, data, COUNT), wrap(runtime, other, COUNT)};
    hd_buffer *outputs[] = {hd_buffer_retain(inputs[0]), NULL};
    hd_execute_options options = HD_INIT(hd_execute_options);
    bool donated[] = {true, false};
    options.donated = round ? donated : NULL;
    must(hd_executable_execute(executable, &options, inputs, 2, outputs, 2), "executing into an input");
    const float *second = hd_buffer_data(outputs[1]);
    for (int i = 0; i < COUNT; ++i) {
      expect(data[i] == (float)(4 * i + 1), "a + b in a's memory");
      expect(second[i] == (float)(COUNT - 1 - i) - (float)(3 * i + 1), "reverse(a) - b of the old a");
    }
    for (int i = 0; i < 2; ++i) hd_buffer_release(inputs[i]), hd_buffer_release(outputs[i]);
  }
  /* Two outputs in one place. */
  for (int i = 0; i < COUNT; ++i) data[i] = (float)i;
  hd_buffer *pair[] = {wrap(runtime, data, COUNT), wrap(runtime, other, COUNT)};
  hd_buffer *same[] = {wrap(runtime, sum, COUNT), wrap(runtime, sum, COUNT)};
  expect_code(hd_executable_execute(executable, NULL, pair, 2, same, 2), HD_INVALID_ARGUMENT, "overlap",
              "two outputs in one place");
  for (int i = 0; i < 2; ++i) hd_buffer_release(pair[i]), hd_buffer_release(same[i]);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

/* Wrong inputs name what is wrong. */
static void wrong_inputs(void) {
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, ADD);
  float data[6] = {0};
  int64_t two[] = {2, 3}, five = 5;
  hd_buffer *good = wrap(runtime, data, 6), *rank, *type, *size, *outputs[2] = {0};
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, two, NULL, data, NULL, NULL, &rank), "wrapping");
  must(hd_buffer_wrap(runtime, HD_ELEMENT_I32, 1, &five, NULL, data, NULL, NULL, &type), "wrapping");
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, &five, NULL, data, NULL, NULL, &size), "wrapping");
  expect_code(hd_executable_execute(executable, NULL, &good, 1, outputs, 2), HD_INVALID_ARGUMENT, "2",
              "one input of two");
  expect_code(hd_executable_execute(executable, NULL, (hd_buffer *[]){good, rank}, 2, outputs, 2), HD_INVALID_ARGUMENT,
              "argument 1", "a wrong rank");
  expect_code(hd_executable_execute(executable, NULL, (hd_buffer *[]){type, good}, 2, outputs, 2), HD_INVALID_ARGUMENT,
              "argument 0", "a wrong type");
  expect_code(hd_executable_execute(executable, NULL, (hd_buffer *[]){good, NULL}, 2, outputs, 2), HD_INVALID_ARGUMENT,
              "argument 1", "a missing input");
  expect_code(hd_executable_execute(executable, NULL, (hd_buffer *[]){good, size}, 2, outputs, 2), HD_INVALID_ARGUMENT,
              "argument 1: dim 0 is 5, but d0 is 6 by argument 0", "contradictory dims");
  expect_code(hd_executable_execute(executable, NULL, (hd_buffer *[]){good, good}, 2, (hd_buffer *[]){size, NULL}, 2),
              HD_INVALID_ARGUMENT, "output 0", "an output of a wrong size");
  hd_executable *none = NULL;
  expect_code(hd_executable_load(runtime, "nonsense", 8, NULL, &none), HD_DATA_LOSS, "", "no artifact");
  expect(!none, "no executable");
  hd_buffer *all[] = {good, rank, type, size};
  for (int i = 0; i < 4; ++i) hd_buffer_release(all[i]);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

int main(int argc, char **argv) {
  static const embedding_case cases[] = {{"background", in_the_background}, {"cancellation", cancellation},
                                         {"models", several_models},        {"memory-and-threads", memory_and_threads},
                                         {"memory-fails", memory_fails},    {"aliases", one_buffer_in_several_places},
                                         {"wrong-inputs", wrong_inputs}};
  return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
