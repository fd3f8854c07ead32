/* SPDX-License-Identifier: Apache-2.0 */
/* Several models on one runtime, executed in the background on the embedder's own threads.
 *
 *   cc examples/background.c -I include -L build/lib -lheddle -Wl,-rpath,$PWD/build/lib -lpthread -o background
 *   ./background examples/gelu.mlir examples/softmax.mlir
 *
 * Each program takes one f32 tensor of two unknown dims and gives one. All of them run at once here; whoever waits too
 * long is cancelled. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"

static void must(hd_status status, const char *doing) {
  if (hd_is_ok(status)) return;
  fprintf(stderr, "background: %s: %s\n", doing, hd_status_message(status));
  hd_status_free(status);
  exit(1);
}

/* The embedder's threads: here, a second one made for each piece of work. A real pool keeps its threads. */
typedef struct half {
  int64_t from, to;
  void (*body)(void *argument, int64_t i);
  void *argument;
} half;
static void *run_half(void *argument) {
  half *h = argument;
  for (int64_t i = h->from; i < h->to; ++i) h->body(h->argument, i);
  return NULL;
}
static void run_all(void *user, int64_t count, void (*body)(void *argument, int64_t i), void *argument) {
  half first = {0, count / 2, body, argument}, second = {count / 2, count, body, argument};
  pthread_t thread;
  (void)user;
  bool started = !pthread_create(&thread, NULL, run_half, &first);
  run_half(&second);
  if (started)
    pthread_join(thread, NULL);
  else
    run_half(&first);
}

static hd_executable *load(hd_runtime *runtime, const char *path) {
  static char program[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(program, 1, sizeof program, file) : 0;
  if (file) fclose(file);
  if (!size) return fprintf(stderr, "background: cannot read %s\n", path), NULL;
  hd_blob artifact;
  hd_executable *executable = NULL;
  must(hd_compile(program, size, path, NULL, (hd_message_sink){0}, &artifact), "compiling");
  must(hd_executable_load(runtime, artifact.data, artifact.size, NULL, &executable), "loading");
  hd_blob_free(&artifact);
  return executable;
}

static sem_t told; /* posted once per model: a wait for the event may return before what on_done asked for has run */

static void say_done(void *name) {
  printf("%s: done\n", (const char *)name);
  sem_post(&told);
}

int main(int argc, char **argv) {
  enum { MODELS = 8 };
  if (argc < 2 || argc > 1 + MODELS) return fprintf(stderr, "usage: background PROGRAM...\n"), 2;
  hd_thread_pool pool = {.thread_count = 2, .run = run_all};
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.thread_pool = &pool;
  hd_runtime *runtime;
  must(hd_runtime_create(&options, &runtime), "making a runtime");

  static float data[64 * 256];
  for (int i = 0; i < 64 * 256; ++i) data[i] = (float)(i % 97) / 97;
  hd_buffer *input, *outputs[MODELS] = {0};
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){64, 256}, NULL, data, NULL, NULL, &input), "wrapping");
  hd_event *events[MODELS];
  sem_init(&told, 0, 0);
  for (int m = 0; m < argc - 1; ++m) {
    hd_executable *executable = load(runtime, argv[1 + m]);
    if (!executable) return 1;
    must(hd_executable_execute_async(executable, NULL, &input, 1, &outputs[m], 1, &events[m]), "starting");
    must(hd_event_on_done(events[m], say_done, argv[1 + m]), "asking to be told");
    hd_executable_release(executable); /* the execution keeps what it needs */
  }
  for (int m = 0; m < argc - 1; ++m) {
    hd_status status = hd_event_wait(events[m], 10000000000); /* ten seconds */
    if (hd_status_code_of(status) == HD_DEADLINE_EXCEEDED) {
      hd_status_free(status);
      hd_event_cancel(events[m]);
      status = hd_event_wait(events[m], -1); /* CANCELLED, or done in time after all */
    }
    must(status, argv[1 + m]);
    printf("%s: the last element is %g\n", argv[1 + m], ((const float *)hd_buffer_data(outputs[m]))[64 * 256 - 1]);
    hd_buffer_release(outputs[m]);
    hd_event_release(events[m]);
  }
  for (int m = 0; m < argc - 1; ++m) sem_wait(&told);
  hd_buffer_release(input);
  hd_runtime_release(runtime);
  return 0;
}
