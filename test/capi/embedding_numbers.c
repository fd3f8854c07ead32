/* SPDX-License-Identifier: Apache-2.0 */
/* The C API where numbers are concerned: an embedder's rounding modes, constants in a file apart. */
#include <fenv.h>
#include <pthread.h>

#include "embedding.h"
#include "heddle/constants.h"

/* Rounding modes and, where the machine has them, subnormals flushed: what the caller's thread is set to changes
 * nothing, in compiling, evaluating, running, here or on threads of an embedder, and is there again after it. */
static const char SINES[] =
    "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %t = stablehlo.constant dense<0.1> : tensor<f32>\n"
    "  %k = stablehlo.sine %t : tensor<f32>\n"
    "  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
    "  %d = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
    "  %b = stablehlo.dynamic_broadcast_in_dim %k, %d, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>\n"
    "  %s = stablehlo.sine %a : tensor<?xf32>\n"
    "  %p = stablehlo.multiply %s, %b : tensor<?xf32>\n"
    "  return %p : tensor<?xf32>\n"
    "}\n";

typedef struct pool_item {
  void (*body)(void *argument, int64_t i);
  void *argument;
  int64_t count;
  int mode;
} pool_item;

static void *run_items(void *argument) {
  pool_item *item = argument;
  fesetround(item->mode);
  for (int64_t i = 0; i < item->count; ++i) item->body(item->argument, i);
  return NULL;
}

/* A thread of its own, whose mode is that of |user|, does all. */
static void run_elsewhere(void *user, int64_t count, void (*body)(void *argument, int64_t i), void *argument) {
  pool_item item = {body, argument, count, *(int *)user};
  pthread_t thread;
  expect(!pthread_create(&thread, NULL, run_items, &item), "a thread");
  pthread_join(thread, NULL);
}

static void sines(float *in, float *out, float *evaluated, int64_t count, const hd_thread_pool *pool) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.thread_pool = pool;
  options.threads = 2;
  hd_runtime *runtime;
  must(hd_runtime_create(&options, &runtime), "creating the runtime");
  hd_executable *executable = load(runtime, SINES);
  hd_buffer *input = wrap(runtime, in, count), *output = wrap(runtime, out, count);
  must(hd_executable_execute(executable, NULL, &input, 1, &output, 1), "running");
  hd_host_tensor tensor = {HD_ELEMENT_F32, &count, 1, in, (size_t)count * sizeof *in};
  hd_eval_results *results;
  must(hd_eval(SINES, strlen(SINES), "sines", NULL, &tensor, 1, (hd_message_sink){0}, &results), "evaluating");
  memcpy(evaluated, hd_eval_results_get(results, 0).data, (size_t)count * sizeof *evaluated);
  hd_eval_results_free(results);
  hd_buffer_release(input);
  hd_buffer_release(output);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

static void float_environment(void) {
  enum { COUNT = 30000, MODES = 4 };
  static const int modes[MODES] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static float in[COUNT], want[COUNT], want_evaluated[COUNT], got[COUNT], evaluated[COUNT];
  for (int i = 0; i < COUNT; ++i) in[i] = i % 5 ? (float)(i - COUNT / 2) * 0.00123f : 1e-40f * (float)i;
  sines(in, want, want_evaluated, COUNT, NULL);
  for (int m = 0; m < MODES; ++m)
    for (int elsewhere = 0; elsewhere < 2; ++elsewhere) {
      int mode = modes[m];
      hd_thread_pool pool = {&mode, 2, run_elsewhere};
      fesetround(mode);
#ifdef __x86_64__
      enum { FLUSH_AND_ZERO = 0x8040 };
      __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FLUSH_AND_ZERO);
#endif
      sines(in, got, evaluated, COUNT, elsewhere ? &pool : NULL);
      expect(fegetround() == mode, "the caller's rounding mode as it was");
#ifdef __x86_64__
      expect((__builtin_ia32_stmxcsr() & FLUSH_AND_ZERO) == FLUSH_AND_ZERO, "the caller's flushing as it was");
      __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~(unsigned)FLUSH_AND_ZERO);
#endif
      fesetround(FE_TONEAREST);
      expect(!memcmp(want, got, sizeof want), "the same bits in any rounding mode");
      expect(!memcmp(want_evaluated, evaluated, sizeof want), "the same bits of the evaluator in any rounding mode");
    }
}

/* Constants in a file of their own: two programs share it; the loader finds it beside the artifact or where it is told.
 */
static void constants_apart(void) {
  static const char *const ops[] = {"add", "multiply"};
  char folder[] = "/tmp/heddle-embedding-XXXXXX", path[64], file[64], text[400];
  expect(mkdtemp(folder) != NULL, "a folder");
  snprintf(file, sizeof file, "%s/w.hdc", folder);
  hd_runtime *runtime;
  must(hd_runtime_create(NULL, &runtime), "a runtime");
  for (int k = 0; k < 2; ++k) {
    hd_blob artifact, constants;
    hd_constants_stats stats;
    hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
    options.constants_file = "w.hdc";
    snprintf(text, sizeof text,
             "func.func @main(%%a: tensor<3xf32>) -> tensor<3xf32> {\n"
             "  %%c = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>\n"
             "  %%r = stablehlo.%s %%a, %%c : tensor<3xf32>\n  return %%r : tensor<3xf32>\n}\n",
             ops[k]);
    expect_code(hd_compile(text, strlen(text), "p.mlir", &options, (hd_message_sink){0}, &artifact),
                HD_INVALID_ARGUMENT, "constants_file, the file's name, and out_constants", "one without the other");
    options.out_constants = &constants;
    must(hd_compile(text, strlen(text), "p.mlir", &options, (hd_message_sink){0}, &artifact), "compiling");
    expect(constants.size > 0, "constants of their own");
    must(hd_constants_update(file, constants.data, constants.size, &stats), "adding");
    expect(stats.constants == 1 && stats.added == !k, "one constant, added once");
    hd_executable *from_memory, *from_file;
    expect_code(hd_executable_load(runtime, artifact.data, artifact.size, NULL, &from_memory), HD_FAILED_PRECONDITION,
                "the file 'w.hdc' beside the artifact, which is not loaded from a file", "loading from memory");
    hd_load_options load = HD_INIT(hd_load_options);
    load.constants = file;
    must(hd_executable_load(runtime, artifact.data, artifact.size, &load, &from_memory), "loading from memory");
    snprintf(path, sizeof path, "%s/%s.hdl", folder, ops[k]);
    FILE *out = fopen(path, "wb");
    expect(out && fwrite(artifact.data, 1, artifact.size, out) == artifact.size && !fclose(out), "written");
    must(hd_executable_load_file(runtime, path, NULL, &from_file), "loading from a file");
    float data[] = {3, 3, 3}, want[2][3] = {{4, 5, 7}, {3, 6, 12}};
    hd_buffer *x = wrap(runtime, data, 3);
    hd_executable *both[] = {from_memory, from_file};
    for (int e = 0; e < 2; ++e) {
      hd_buffer *y = NULL;
      must(hd_executable_execute(both[e], NULL, &x, 1, &y, 1), "running");
      expect(!memcmp(hd_buffer_data(y), want[k], sizeof want[k]), "the result");
      hd_buffer_release(y);
      hd_executable_release(both[e]);
    }
    hd_buffer_release(x);
    hd_blob_free(&artifact);
    hd_blob_free(&constants);
    remove(path);
  }
  remove(file);
  remove(folder);
  hd_runtime_release(runtime);
}

int main(int argc, char **argv) {
  static const embedding_case cases[] = {{"float-environment", float_environment}, {"constants", constants_apart}};
  return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
