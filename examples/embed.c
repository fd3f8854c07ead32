/* SPDX-License-Identifier: Apache-2.0 */
/* Heddle in a C program: compile once, ask what the program takes, run it at several shapes from several threads.
 *
 *   cc examples/embed.c -I include -L build/lib -lheddle -Wl,-rpath,$PWD/build/lib -lpthread -o embed
 *   ./embed examples/gelu.mlir
 *
 * The program is one that takes one f32 tensor of two unknown dims and gives one of the same shape. A deployment that
 * runs artifacts alone links libheddle_rt instead and starts at load_and_run. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"

/* Ends the program: what an embedder does with a status is its own affair. */
static void must(hd_status status, const char *doing) {
  if (hd_is_ok(status)) return;
  fprintf(stderr, "embed: %s: %s: %s\n", doing, hd_status_code_name(hd_status_code_of(status)),
          hd_status_message(status));
  hd_status_free(status);
  exit(1);
}

static void print_message(void *user, const char *severity, const char *rendered) {
  (void)user, (void)severity;
  fprintf(stderr, "%s\n", rendered);
}

/* Memory of the embedder: counts, then asks the system. */
static void *count_and_allocate(void *user, size_t bytes, size_t alignment) {
  __atomic_add_fetch((size_t *)user, bytes, __ATOMIC_RELAXED);
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void release(void *user, void *data, size_t bytes) {
  (void)user, (void)bytes;
  free(data);
}

typedef struct job {
  hd_runtime *runtime;
  hd_executable *executable;
  int64_t dims[2];
  float last; /* out: the last element of the result */
} job;

/* Executables are used by many threads at once. Odd jobs bring memory for the result; for the others the runtime makes
 * a buffer. */
static void *run(void *argument) {
  job *j = argument;
  size_t count = (size_t)(j->dims[0] * j->dims[1]);
  float *in = malloc(count * sizeof *in), *own = malloc(count * sizeof *own);
  if (!in || !own) exit(1);
  for (size_t i = 0; i < count; ++i) in[i] = (float)i / (float)count;

  hd_buffer *input, *output = NULL;
  must(hd_buffer_wrap(j->runtime, HD_ELEMENT_F32, 2, j->dims, NULL, in, NULL, NULL, &input), "wrapping the input");
  if (j->dims[0] % 2)
    must(hd_buffer_wrap(j->runtime, HD_ELEMENT_F32, 2, j->dims, NULL, own, NULL, NULL, &output), "wrapping the output");
  hd_event *done;
  must(hd_executable_execute_async(j->executable, NULL, &input, 1, &output, 1, &done), "starting");
  must(hd_event_wait(done, -1), "running");
  const float *out = hd_buffer_data(output);
  j->last = out[count - 1];

  hd_event_release(done);
  hd_buffer_release(input);
  hd_buffer_release(output);
  free(in);
  free(own);
  return NULL;
}

static void load_and_run(const void *artifact, size_t size) {
  size_t allocated = 0;
  hd_allocator allocator = {&allocated, count_and_allocate, release};
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.allocator = &allocator;
  hd_runtime *runtime;
  hd_executable *executable;
  must(hd_runtime_create(&options, &runtime), "creating the runtime");
  must(hd_executable_load(runtime, artifact, size, NULL, &executable), "loading");

  hd_tensor_info info = hd_executable_input(executable, 0);
  int32_t kernels = hd_executable_kernel_count(executable);
  printf("takes tensor<");
  for (int32_t i = 0; i < info.rank; ++i) printf("%sx", info.dim_texts[i]);
  printf("%s>, %d kernel%s\n", hd_element_text(info.type), kernels, kernels == 1 ? "" : "s");

  enum { JOBS = 8 };
  job jobs[JOBS];
  pthread_t threads[JOBS];
  for (int i = 0; i < JOBS; ++i) {
    jobs[i] = (job){runtime, executable, {1 + i, 100 + 7 * i}, 0};
    if (pthread_create(&threads[i], NULL, run, &jobs[i])) exit(1);
  }
  for (int i = 0; i < JOBS; ++i) {
    pthread_join(threads[i], NULL);
    printf("%dx%d: last element %.6f\n", 1 + i, 100 + 7 * i, jobs[i].last);
  }

  /* What does not fit is refused before anything runs, with a message that says what was expected. */
  int64_t wrong[1] = {5};
  float five[5] = {0};
  hd_buffer *input, *output = NULL;
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, wrong, NULL, five, NULL, NULL, &input), "wrapping");
  hd_status status = hd_executable_execute(executable, NULL, &input, 1, &output, 1);
  printf("a vector: %s\n", hd_is_ok(status) ? "accepted" : hd_status_message(status));
  hd_status_free(status);
  hd_buffer_release(input);
  hd_buffer_release(output);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
  printf("allocator asked for %s\n", allocated ? "memory" : "nothing");
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: embed PROGRAM\n"), 2;
  FILE *file = fopen(argv[1], "rb");
  static char program[1 << 20];
  size_t size = file ? fread(program, 1, sizeof program, file) : 0;
  if (!file || !size || size == sizeof program)
    return fprintf(stderr, "embed: cannot read %s, or it is too large\n", argv[1]), 1;
  fclose(file);

  hd_blob artifact;
  must(hd_compile(program, size, argv[1], NULL, (hd_message_sink){print_message, NULL}, &artifact), "compiling");
  load_and_run(artifact.data, artifact.size);
  hd_blob_free(&artifact);
  return 0;
}
