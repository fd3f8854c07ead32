/* SPDX-License-Identifier: Apache-2.0 */
/* What the spirv target reaches on this machine's OpenCL device, each figure beside its base from the same rounds.
 *
 *   opencl_bench [--json] GELU.mlir      the program of one bf16[b, s], as examples/gelu_bf16.mlir
 *
 *   copy, gelu   of 64 MiB on the device: GB/s read and written
 *   product      1024x768x3072 of f32: GFLOP/s by the spirv target and by the CPU's, each from and to memory of its
 *                device
 *   emit         ms of CPU time of hd_opt --emit-spirv of the program's machine form, a kernel: reading it, and LLVM
 *   build, again ms of the first run of a program of one kernel, and of loading and running it once more in the process
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"
#include "runtime/driver.h"

enum { ROUNDS = 15, ROWS = 4096, COLUMNS = 8192, M = 1024, K = 768, N = 3072 };

static double time_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return time_of(CLOCK_MONOTONIC); }

static void need(hd_status status, const char *what) {
  if (hd_is_ok(status)) return;
  fprintf(stderr, "opencl_bench: %s: %s\n", what, hd_status_message(status));
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* ---- programs ---- */

typedef struct program {
  hd_runtime *runtime;
  hd_executable *executable;
  hd_buffer *inputs[2];
  int32_t count;
} program;

static hd_blob compiled(const char *text, size_t size, const char *target) {
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  hd_blob artifact = {0};
  options.target = target;
  need(hd_compile(text, size, "bench", &options, (hd_message_sink){0}, &artifact), "compile");
  return artifact;
}

static hd_runtime *runtime_of(const char *driver) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  hd_runtime *runtime;
  options.driver = driver;
  need(hd_runtime_create(&options, &runtime), "open the device");
  return runtime;
}

static hd_buffer *filled(hd_runtime *runtime, hd_element_type type, int64_t rows, int64_t columns) {
  int64_t dims[] = {rows, columns};
  hd_buffer *buffer;
  need(hd_buffer_create(runtime, type, 2, dims, &buffer), "make a buffer");
  size_t bytes = hd_buffer_bytes(buffer);
  uint16_t *data = malloc(bytes);
  for (size_t i = 0; data && i < bytes / 2; ++i) data[i] = (uint16_t)(0x3e00 + i * 40503 % 512);
  need(hd_buffer_write(buffer, data, bytes), "fill a buffer");
  need(hd_buffer_wait(buffer), "fill a buffer");
  free(data);
  return buffer;
}

static void load(program *p, const char *driver, hd_blob artifact) {
  p->runtime = runtime_of(driver);
  need(hd_executable_load(p->runtime, artifact.data, artifact.size, NULL, &p->executable), "load");
}

static double run(program *p) {
  hd_buffer *output = NULL;
  double start = now();
  need(hd_executable_execute(p->executable, NULL, p->inputs, p->count, &output, 1), "run");
  need(hd_buffer_wait(output), "run");
  double time = now() - start;
  hd_buffer_release(output);
  return time;
}

/* ---- figures ---- */

typedef struct figures {
  double copy, gelu, product, product_cpu, emit, build, again;
} figures;

static double copy_once(hd_driver *driver, void *to, const void *from, size_t bytes) {
  double start = now();
  need(hd_stream_copy(driver, NULL, to, from, bytes), "copy");
  need(hd_stream_wait(driver, NULL), "copy");
  return now() - start;
}

/* Copies and runs in turn. */
static void measure_gelu(const char *text, size_t size, figures *out) {
  program p = {.count = 1};
  hd_driver_config config = {0};
  hd_driver *driver;
  void *from, *to;
  double copies[ROUNDS], runs[ROUNDS];
  size_t bytes = (size_t)ROWS * COLUMNS * 2;
  load(&p, "opencl", compiled(text, size, "spirv"));
  p.inputs[0] = filled(p.runtime, HD_ELEMENT_BF16, ROWS, COLUMNS);
  need(hd_driver_open("opencl", &config, &driver), "open the device");
  need(hd_driver_allocate(driver, bytes, &from), "allocate");
  need(hd_driver_allocate(driver, bytes, &to), "allocate");
  need(hd_stream_fill(driver, NULL, from, 1, bytes), "fill");
  out->build = 1e3 * run(&p);
  for (int i = 0; i < ROUNDS; ++i) {
    copies[i] = copy_once(driver, to, from, bytes);
    runs[i] = run(&p);
  }
  out->copy = 2e-9 * (double)bytes / median(copies, ROUNDS);
  out->gelu = 2e-9 * (double)bytes / median(runs, ROUNDS);
}

static void measure_product(figures *out) {
  static const char text[] =
      "func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
      "  %0 = stablehlo.dot %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>\n"
      "  return %0 : tensor<?x?xf32>\n}\n";
  static const char *const targets[] = {"spirv", "cpu"}, *const drivers[] = {"opencl", "cpu"};
  program programs[2] = {{.count = 2}, {.count = 2}};
  double times[2][ROUNDS];
  for (int i = 0; i < 2; ++i) {
    load(&programs[i], drivers[i], compiled(text, sizeof text - 1, targets[i]));
    programs[i].inputs[0] = filled(programs[i].runtime, HD_ELEMENT_F32, M, K);
    programs[i].inputs[1] = filled(programs[i].runtime, HD_ELEMENT_F32, K, N);
    run(&programs[i]);
  }
  for (int i = 0; i < ROUNDS; ++i)
    for (int k = 0; k < 2; ++k) times[k][i] = run(&programs[k]);
  out->product = 2e-9 * M * K * N / median(times[0], ROUNDS);
  out->product_cpu = 2e-9 * M * K * N / median(times[1], ROUNDS);
}

static int count_of(const char *text, size_t size, const char *word) {
  int count = 0;
  for (const char *at = text; (at = memmem(at, size - (size_t)(at - text), word, strlen(word))); ++at) ++count;
  return count;
}

static void measure_emit(const char *text, size_t size, figures *out) {
  const char *lower[] = {"opt", "--disc-pipeline=target=spirv"}, *emit[] = {"opt", "--emit-spirv"};
  hd_blob machine = {0};
  double times[ROUNDS];
  need(hd_opt(2, lower, text, size, "bench", (hd_message_sink){0}, &machine), "lower");
  for (int i = 0; i < ROUNDS; ++i) {
    hd_blob image = {0};
    double start = time_of(CLOCK_PROCESS_CPUTIME_ID);
    need(hd_opt(2, emit, machine.data, machine.size, "bench", (hd_message_sink){0}, &image), "emit");
    times[i] = time_of(CLOCK_PROCESS_CPUTIME_ID) - start;
    hd_blob_free(&image);
  }
  out->emit = 1e3 * median(times, ROUNDS) / count_of(machine.data, machine.size, "gpu.module @");
}

/* A second executable of what the process has built. */
static void measure_again(const char *text, size_t size, figures *out) {
  hd_blob artifact = compiled(text, size, "spirv");
  double times[ROUNDS];
  program p = {.count = 1, .runtime = runtime_of("opencl")};
  p.inputs[0] = filled(p.runtime, HD_ELEMENT_BF16, 4, 64);
  for (int i = 0; i < ROUNDS; ++i) {
    double start = now();
    need(hd_executable_load(p.runtime, artifact.data, artifact.size, NULL, &p.executable), "load");
    run(&p);
    times[i] = now() - start;
    hd_executable_release(p.executable);
  }
  out->again = 1e3 * median(times + 1, ROUNDS - 1);
}

static char *read_file(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  enum { ROOM = 1 << 20 };
  char *text = malloc(ROOM);
  if (!file || !text) exit((perror(path), 1));
  *out_size = fread(text, 1, ROOM, file);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  bool json = argc > 1 && !strcmp(argv[1], "--json");
  size_t size;
  figures f = {0};
  if (argc != 2 + json) return fprintf(stderr, "usage: opencl_bench [--json] GELU.mlir\n"), 2;
  const char *text = read_file(argv[1 + json], &size);
  measure_gelu(text, size, &f);
  measure_again(text, size, &f);
  measure_emit(text, size, &f);
  measure_product(&f);
  if (json)
    printf(
        "{\"copy_gb_s\": %.3f, \"gelu_gb_s\": %.3f, \"product_gflop_s\": %.2f, \"product_cpu_gflop_s\": %.2f, "
        "\"emit_ms\": %.3f, \"first_run_ms\": %.3f, \"again_ms\": %.3f}\n",
        f.copy, f.gelu, f.product, f.product_cpu, f.emit, f.build, f.again);
  else
    printf(
        "copy     %8.2f GB/s\ngelu     %8.2f GB/s, %3.0f %% of the copy\nproduct  %8.1f GFLOP/s, %3.0f %% of the CPU "
        "target's %.1f\n"
        "emit     %8.2f ms a kernel\nbuild    %8.2f ms, the first run\nagain    %8.2f ms to load and run once more\n",
        f.copy, f.gelu, 100 * f.gelu / f.copy, f.product, 100 * f.product / f.product_cpu, f.product_cpu, f.emit,
        f.build, f.again);
  return 0;
}
