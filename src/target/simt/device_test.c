/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs on devices that every machine has: results, their ends, memory, and kernels with planted faults, after
 * which the device runs on. The host's half is C that keeps to runtime/abi.h, made at test time. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/testing.h"
#include "heddle/runtime.h"
#include "runtime/artifact_testing.h"
#include "runtime/work.h"
#include "target/simt/simt.h"
#include "text/text.h"

/* Words: x, y, the number of elements. */
static const char kernels_text[] =
    "gpu.module @m {\n"
    "  llvm.func @scale(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel} {\n"
    "    %i = llvm.call @at() : () -> i64\n"
    "    %in = llvm.icmp \"ult\" %i, %n : i64\n"
    "    llvm.cond_br %in, ^body, ^end\n"
    "  ^body:\n"
    "    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
    "    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
    "    %v = llvm.load %p : !llvm.ptr<1> -> f32\n"
    "    %w = llvm.fadd %v, %v : f32\n"
    "    llvm.store %w, %q : f32, !llvm.ptr<1>\n"
    "    llvm.br ^end\n"
    "  ^end:\n"
    "    llvm.return\n"
    "  }\n"
    "  llvm.func @stray(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel} {\n"
    "    %far = llvm.mlir.constant(1099511627776 : i64) : i64\n"
    "    %q = llvm.getelementptr %y[%far] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32\n"
    "    %one = llvm.mlir.constant(1.0 : f32) : f32\n"
    "    llvm.store %one, %q : f32, !llvm.ptr<1>\n"
    "    llvm.return\n"
    "  }\n"
    "  llvm.func @race(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel} {\n"
    "    %i = llvm.call @at() : () -> i64\n"
    "    %v = llvm.sitofp %i : i64 to f32\n"
    "    llvm.store %v, %y : f32, !llvm.ptr<1>\n"
    "    llvm.return\n"
    "  }\n"
    "  llvm.func @barrier(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel} {\n"
    "    %c1 = llvm.mlir.constant(1 : i64) : i64\n"
    "    %i = llvm.call @at() : () -> i64\n"
    "    %in = llvm.icmp \"ult\" %i, %c1 : i64\n"
    "    llvm.cond_br %in, ^body, ^end\n"
    "  ^body:\n"
    "    gpu.barrier\n"
    "    llvm.br ^end\n"
    "  ^end:\n"
    "    llvm.return\n"
    "  }\n"
    "  llvm.func @at() -> i64 {\n"
    "    %c64 = llvm.mlir.constant(64 : i64) : i64\n"
    "    %ti = gpu.thread_id x\n"
    "    %t = arith.index_castui %ti : index to i64\n"
    "    %bi = gpu.block_id x\n"
    "    %b = arith.index_castui %bi : index to i64\n"
    "    %b64 = llvm.mul %b, %c64 : i64\n"
    "    %g = llvm.add %b64, %t : i64\n"
    "    llvm.return %g : i64\n"
    "  }\n"
    "}\n";

static const char *const ral_names[] = {
    "ral_recv_input___pvoid_i64___m2df32",
    "ral_send_output___pvoid_i64_m2df32___void",
    "ral_alloc_donated___pvoid_i64_i64_i64_i64___pvoid",
    "ral_alloc___pvoid_i64_i64___pvoid",
    "ral_free___pvoid_pvoid___void",
    "ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void",
};

/* y = 4 x through a temporary, which is freed while kernels use it; the faulty ones launch their kernel first. */
static const char source[] =
    "typedef unsigned long u64; typedef long i64; typedef void (*ral)(void *, void **);\n"
    "extern void *const hd_ral_table[];\n"
    "typedef struct { float *allocated, *aligned; i64 offset, sizes[2], strides[2]; } m2;\n"
    "#define CALL(k, ...) { void *args_[] = {0, __VA_ARGS__}; ((ral)hd_ral_table[k])(ctx, args_); }\n"
    "#define FAILED (*(volatile int *)ctx)\n"
    "static i64 nowhere = -1;\n"
    "static void launch(void *ctx, const char *name, void *x, void *y, i64 n) {\n"
    "  void *stream = 0; i64 blocks = (n + 63) / 64, one = 1, threads = 64, none = 0, count = 3;\n"
    "  u64 words[] = {(u64)x, (u64)y, (u64)n}; void *w = words;\n"
    "  CALL(5, &stream, &name, &blocks, &one, &one, &threads, &one, &one, &none, &w, &count) }\n"
    "static void run(void *ctx, const char *fault, int strided) {\n"
    "  m2 x; i64 zero = 0; void *t, *out; CALL(0, &zero, &x) if (FAILED) return;\n"
    "  i64 n = x.sizes[0] * x.sizes[1], bytes = 4 * n;\n"
    "  CALL(2, &zero, &zero, &bytes, &nowhere, &out) if (FAILED) return;\n"
    "  CALL(3, &bytes, &nowhere, &t) if (FAILED) { CALL(4, &out) return; }\n"
    "  if (fault) launch(ctx, fault, x.aligned, t, n);\n"
    "  if (!FAILED) launch(ctx, \"scale_0\", x.aligned, t, n);\n"
    "  if (!FAILED) launch(ctx, \"scale_0\", t, out, n);\n"
    "  CALL(4, &t) if (FAILED) { CALL(4, &out) return; }\n"
    "  m2 y = {out, out, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}};\n"
    "  if (strided) y.strides[0] = 1, y.strides[1] = x.sizes[0];\n"
    "  CALL(1, &zero, &y) }\n"
    "void e_main(void *ctx) { run(ctx, 0, 0); }\n"
    "void e_strided(void *ctx) { run(ctx, 0, 1); }\n"
    "void e_stray(void *ctx) { run(ctx, \"stray_0\", 0); }\n"
    "void e_race(void *ctx) { run(ctx, \"race_0\", 0); }\n"
    "void e_barrier(void *ctx) { run(ctx, \"barrier_0\", 0); }\n"
    "void e_none(void *ctx) { run(ctx, \"none_0\", 0); }\n"
    "static void other(void *ctx, i64 bytes, i64 n) {\n"
    "  m2 x; i64 zero = 0; CALL(0, &zero, &x) if (FAILED) return;\n"
    "  launch(ctx, \"scale_0\", (char *)x.aligned + bytes, x.aligned, n); }\n"
    "void e_unaligned(void *ctx) { other(ctx, 4, 1); }\n"
    "void e_guard(void *ctx) { other(ctx, 0, 1 << 20); }\n";

#define PROGRAM(words) {words, sizeof(words) / sizeof *(words)}
static const int64_t p_b[] = {HD_DIM_SYMBOL, 0}, p_s[] = {HD_DIM_SYMBOL, 1};
static const int64_t d_b[] = {HD_DIM_INPUT, 0, 0}, d_s[] = {HD_DIM_INPUT, 0, 1};
static const hd_artifact_dim bs[] = {{"b", PROGRAM(p_b)}, {"s", PROGRAM(p_s)}};
static const hd_artifact_tensor in[] = {{"x", HD_ELEMENT_F32, 2, bs, 0}}, out[] = {{"y", HD_ELEMENT_F32, 2, bs, 0}};
static const hd_artifact_symbol symbols[] = {{"b", 0, 0, PROGRAM(d_b)}, {"s", 0, 1, PROGRAM(d_s)}};
#define ENTRY(name) {#name, "e_" #name, 1, 1, 2, 0, in, out, symbols, NULL}
static const hd_artifact_entry entries[] = {ENTRY(main),    ENTRY(strided), ENTRY(stray),     ENTRY(race),
                                            ENTRY(barrier), ENTRY(none),    ENTRY(unaligned), ENTRY(guard)};
static const hd_artifact_word words[] = {{HD_WORD_POINTER, 64, 64, INT64_MIN, INT64_MAX},
                                         {HD_WORD_POINTER, 64, 64, INT64_MIN, INT64_MAX},
                                         {HD_WORD_INTEGER, 64, 1, 0, 1 << 19}};
#define KERNEL(name, op) {#name "_0", #name, op, 0, {64, 1, 1}, 3, words, 0, 0, HD_NOT_KNOWN, HD_NOT_KNOWN}
static const hd_artifact_device_kernel kernels[] = {
    KERNEL(scale, "stablehlo.add at \"m.mlir\":2:8"), KERNEL(stray, "stablehlo.gather at \"m.mlir\":3:8"),
    KERNEL(race, "stablehlo.scatter at \"m.mlir\":4:8"), KERNEL(barrier, "stablehlo.reduce at \"m.mlir\":5:8")};

/* ---- the artifact ---- */

typedef struct program {
  void *data;
  size_t size;
} program;

static bool compile_host(hd_artifact_object *object) {
  char folder[] = "/tmp/heddle-device-XXXXXX", path[64], command[256];
  static char bytes[1 << 18];
  if (!HD_CHECK(mkdtemp(folder))) return false;
  snprintf(path, sizeof path, "%s/p.c", folder);
  FILE *file = fopen(path, "w");
  fputs(source, file);
  fclose(file);
  snprintf(command, sizeof command, "cc -w -c -O2 -fPIC -ffreestanding -o %s/p.o %s", folder, path);
  if (!HD_CHECK_INT(system(command), 0)) return false;
  snprintf(path, sizeof path, "%s/p.o", folder);
  file = fopen(path, "r");
  *object = (hd_artifact_object){"program", bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return HD_CHECK_INT(system(command), 0);
}

static hd_status make(void *argument) {
  program *p = argument;
  hd_context *context;
  hd_module *module;
  hd_str image;
  hd_artifact_object object;
  if (!compile_host(&object)) return hd_make_status(HD_INTERNAL, "no program");
  HD_TRY(hd_context_create(0, &context));
  hd_text_install(context);
  hd_status status = hd_text_parse(context, (hd_str){kernels_text, sizeof kernels_text - 1}, "k.mlir", &module);
  if (hd_is_ok(status)) status = hd_simt_image(module, &context->arena, &image);
  hd_artifact_variant variant = {"x86-64", 0, 1, &object};
  hd_artifact_image made = {"simt", 0, "simt", image.data, image.len};
  hd_artifact_program code = {.entry_count = sizeof entries / sizeof *entries,
                              .entries = entries,
                              .ral_name_count = sizeof ral_names / sizeof *ral_names,
                              .ral_names = ral_names,
                              .variant_count = 1,
                              .variants = &variant,
                              .image_count = 1,
                              .images = &made,
                              .device_kernel_count = sizeof kernels / sizeof *kernels,
                              .device_kernels = kernels};
  if (hd_is_ok(status)) status = hd_test_write(&code, "simt", &p->data, &p->size);
  hd_context_release(context);
  return status;
}

/* ---- runs ---- */

typedef struct device {
  hd_runtime *runtime;
  hd_executable *run[sizeof entries / sizeof *entries];
} device;

enum { MAIN, STRIDED, STRAY, RACE, BARRIER, NONE, UNALIGNED, GUARD };

static bool open_device(const program *p, const char *driver, device *d) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.threads = 2;
  options.driver = driver;
  *d = (device){0};
  if (!HD_CHECK_OK(hd_runtime_create(&options, &d->runtime))) return false;
  hd_load_options load = HD_INIT(hd_load_options);
  load.entry = "main";
  if (!HD_CHECK_OK(hd_executable_load(d->runtime, p->data, p->size, &load, &d->run[0]))) return false;
  for (size_t i = 1; i < sizeof entries / sizeof *entries; ++i)
    HD_CHECK_OK(hd_executable_other_entry(d->run[0], entries[i].name, &d->run[i]));
  return true;
}

static void close_device(device *d) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; ++i) hd_executable_release(d->run[i]);
  HD_CHECK_INT(hd_runtime_memory(d->runtime).bytes_live, 0);
  hd_runtime_release(d->runtime);
}

/* 0, 1, 2, ... as b rows of s on the device. */
static hd_buffer *input(hd_runtime *runtime, int64_t b, int64_t s) {
  hd_buffer *buffer;
  size_t count = (size_t)(b * s);
  float *values = malloc(count * sizeof *values + 1);
  for (size_t i = 0; i < count; ++i) values[i] = (float)i;
  if (!HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){b, s}, &buffer))) return NULL;
  HD_CHECK_OK(hd_buffer_write(buffer, values, count * sizeof *values));
  free(values);
  return buffer;
}

static size_t wrong(hd_buffer *buffer, float scale) {
  size_t count = (size_t)hd_buffer_elements(buffer), bad = 0;
  float *values = malloc(count * sizeof *values + 1);
  HD_CHECK_OK(hd_buffer_read(buffer, values, count * sizeof *values));
  for (size_t i = 0; i < count; ++i) bad += values[i] != scale * (float)i;
  free(values);
  return bad;
}

static void run_good(const device *d, int64_t b, int64_t s) {
  hd_buffer *x = input(d->runtime, b, s), *y = NULL;
  if (HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &x, 1, &y, 1))) HD_CHECK_INT(wrong(y, 4), 0);
  hd_buffer_release(x);
  hd_buffer_release(y);
}

/* Where buffers are. */
static void check_places(const device *d, bool apart) {
  float host[6] = {0, 1, 2, 3, 4, 5}, got[6];
  hd_buffer *x = input(d->runtime, 2, 3), *wrapped, *turned, *y = NULL, *z = NULL;
  HD_CHECK((hd_buffer_data(x) == NULL) == apart);
  HD_CHECK(hd_buffer_device_data(x));
  HD_CHECK_OK(hd_buffer_wait(x));
  HD_CHECK_FAILS(hd_buffer_read(x, got, 5), HD_INVALID_ARGUMENT, "expected 24 bytes");
  HD_CHECK_FAILS(hd_buffer_write(x, NULL, 24), HD_INVALID_ARGUMENT, "is null");
  HD_CHECK_OK(hd_buffer_wrap(d->runtime, HD_ELEMENT_F32, 2, (int64_t[]){2, 3}, NULL, host, NULL, NULL, &wrapped));
  HD_CHECK_OK(
      hd_buffer_wrap(d->runtime, HD_ELEMENT_F32, 2, (int64_t[]){3, 2}, (int64_t[]){1, 3}, host, NULL, NULL, &turned));
  HD_CHECK(hd_buffer_data(wrapped) == host && !hd_buffer_device_data(wrapped));
  HD_CHECK_OK(hd_buffer_read(turned, got, sizeof got));
  HD_CHECK(got[1] == 3 && got[2] == 1);
  HD_CHECK_FAILS(hd_buffer_write(turned, got, sizeof got), HD_INVALID_ARGUMENT, "expected a dense one");
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &wrapped, 1, &y, 1));
  HD_CHECK_INT(wrong(y, 4), 0);
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &turned, 1, &z, 1)); /* made dense on the way */
  HD_CHECK_OK(hd_buffer_read(z, got, sizeof got));
  HD_CHECK(got[1] == 12 && got[2] == 4);
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &x, 1, &wrapped, 1)); /* into the host's memory */
  HD_CHECK_INT(wrong(wrapped, 4), 0);
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &x, 1, &y, 1)); /* into the device's */
  HD_CHECK_INT(wrong(y, 4), 0);
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], NULL, &y, 1, &y, 1)); /* over itself */
  HD_CHECK_INT(wrong(y, 16), 0);
  hd_buffer_release(x), hd_buffer_release(y), hd_buffer_release(z), hd_buffer_release(wrapped),
      hd_buffer_release(turned);
}

/* A result with strides becomes dense. */
static void check_strided(const device *d) {
  float got[6];
  hd_buffer *x = input(d->runtime, 2, 3), *y = NULL;
  HD_CHECK_OK(hd_executable_execute(d->run[STRIDED], NULL, &x, 1, &y, 1));
  HD_CHECK_OK(hd_buffer_read(y, got, sizeof got));
  HD_CHECK(got[0] == 0 && got[1] == 8 && got[2] == 16 && got[3] == 4 && got[5] == 20);
  hd_buffer_release(x), hd_buffer_release(y);
}

static void check_donated(const device *d) {
  hd_buffer *x = input(d->runtime, 30, 7), *y = NULL;
  hd_execute_options options = HD_INIT(hd_execute_options);
  options.donated = (const bool[]){true};
  void *memory = hd_buffer_device_data(x);
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], &options, &x, 1, &y, 1));
  HD_CHECK_INT(wrong(y, 4), 0);
  HD_CHECK(hd_buffer_device_data(y) == memory || !hd_buffer_device_data(y));
  hd_buffer_release(x), hd_buffer_release(y);
}

/* ---- faults ---- */

static void check_fault(const device *d, int entry, const char *says, const char *kernel, bool found) {
  hd_buffer *x = input(d->runtime, 20, 10), *y = NULL;
  hd_status status = hd_executable_execute(d->run[entry], NULL, &x, 1, &y, 1);
  if (found) {
    const char *message = hd_status_message(status);
    hd_test_check_(strstr(message, kernel) && strstr(message, says), __FILE__, __LINE__, "%s: expected %s and %s",
                   message, kernel, says);
    HD_CHECK_FAILS(status, HD_INVALID_ARGUMENT, "m.mlir");
    HD_CHECK(!y);
  } else {
    HD_CHECK_OK(status);
  }
  hd_buffer_release(x);
  hd_buffer_release(y);
  run_good(d, 20, 10);
}

static void check_faults(const device *d, bool checked) {
  check_fault(d, STRAY, "out of bounds", "kernel 'stray_0' of stablehlo.gather at \"m.mlir\":3:8", true);
  check_fault(d, BARRIER, "barrier under divergence", "kernel 'barrier_0' of stablehlo.reduce", true);
  check_fault(d, RACE, "data race", "kernel 'race_0' of stablehlo.scatter", checked);
  hd_buffer *x = input(d->runtime, 2, 2), *y = NULL;
  HD_CHECK_FAILS(hd_executable_execute(d->run[NONE], NULL, &x, 1, &y, 1), HD_NOT_FOUND, "no kernel 'none_0'");
  hd_buffer_release(x);
}

/* What a kernel takes for granted of its words is asked of each launch. */
static void check_word_faults(const device *d) {
  hd_buffer *x = input(d->runtime, 2, 2), *y = NULL;
  HD_CHECK_FAILS(hd_executable_execute(d->run[UNALIGNED], NULL, &x, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "expected a multiple of 64");
  HD_CHECK_FAILS(hd_executable_execute(d->run[GUARD], NULL, &x, 1, &y, 1), HD_INVALID_ARGUMENT,
                 "kernel 'scale_0' of stablehlo.add at \"m.mlir\":2:8: word 2: 1048576, expected 0 to 524288");
  hd_buffer_release(x);
  run_good(d, 2, 2);
}

/* ---- results that come later ---- */

static void check_later(const device *d) {
  hd_execute_options later = HD_INIT(hd_execute_options);
  later.results_later = true;
  hd_buffer *x = input(d->runtime, 40, 20), *at[10] = {x};
  for (int i = 1; i < 6; ++i) { /* a chain, whose inputs go before they are used */
    HD_CHECK_OK(hd_executable_execute(d->run[MAIN], &later, &at[i - 1], 1, &at[i], 1));
    hd_buffer_release(at[i - 1]);
  }
  HD_CHECK_OK(hd_buffer_wait(at[5]));
  HD_CHECK_INT(wrong(at[5], 1024), 0);
  later.donated = (const bool[]){true};
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], &later, &at[5], 1, &at[6], 1));
  HD_CHECK_INT(wrong(at[6], 4096), 0);
  hd_buffer_release(at[5]);
  hd_buffer_release(at[6]);
}

/* The host does not run ahead without bound: each run holds a temporary until it is done. */
static void check_later_memory(const device *d) {
  enum { BYTES = 1 << 16, RUNS = 8 * HD_MOST_PENDING };
  hd_execute_options later = HD_INIT(hd_execute_options);
  later.results_later = true;
  hd_buffer *x = input(d->runtime, 128, BYTES / 4 / 128), *y[RUNS] = {0};
  for (int i = 0; i < RUNS; ++i) HD_CHECK_OK(hd_executable_execute(d->run[MAIN], &later, &x, 1, &y[i], 1));
  hd_memory_stats stats = hd_runtime_memory(d->runtime);
  HD_CHECK(stats.bytes_pooled <= (uint64_t)BYTES * 5 / 4 * (HD_MOST_PENDING + 4));
  for (int i = 0; i < RUNS; ++i) hd_buffer_release(y[i]);
  hd_buffer_release(x);
}

/* The failure comes with the result, and with all that is made of it; nobody need ask. */
static void check_later_faults(const device *d) {
  hd_execute_options later = HD_INIT(hd_execute_options);
  later.results_later = true;
  float got[4];
  hd_buffer *x = input(d->runtime, 2, 2), *y = NULL, *z = NULL, *w = NULL;
  HD_CHECK_OK(hd_executable_execute(d->run[STRAY], &later, &x, 1, &y, 1));
  HD_CHECK_OK(hd_executable_execute(d->run[MAIN], &later, &y, 1, &z, 1));
  HD_CHECK_FAILS(hd_executable_execute(d->run[MAIN], NULL, &z, 1, &w, 1), HD_INVALID_ARGUMENT, "kernel 'stray_0'");
  HD_CHECK_FAILS(hd_buffer_read(z, got, sizeof got), HD_INVALID_ARGUMENT, "kernel 'stray_0' of stablehlo.gather");
  HD_CHECK_FAILS(hd_buffer_wait(y), HD_INVALID_ARGUMENT, "kernel 'stray_0' of stablehlo.gather");
  hd_buffer_release(y), hd_buffer_release(z), hd_buffer_release(w);
  y = NULL;
  HD_CHECK_OK(hd_executable_execute(d->run[STRAY], &later, &x, 1, &y, 1));
  hd_buffer_release(x);
  hd_buffer_release(y);
  run_good(d, 3, 3);
}

/* ---- many at once ---- */

static void *from_thread(void *argument) {
  const device *d = argument;
  for (int i = 0; i < 25; ++i) {
    run_good(d, 1 + i * 7 % 50, 1 + i * 13 % 30);
    check_later(d);
  }
  return NULL;
}

static void check_threads(device *d) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, from_thread, d);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  program p = {0};
  if (!HD_CHECK_OK(hd_guarded_call(make, &p))) return HD_TEST_RESULT();
  static const char *const drivers[] = {"simt", "guarded"};
  for (int i = 0; i < 2; ++i) {
    device d;
    if (!open_device(&p, drivers[i], &d)) continue;
    for (int64_t b = 0; b < 70; b = 2 * b + 1) run_good(&d, b, 5);
    check_places(&d, i);
    check_strided(&d);
    check_donated(&d);
    check_faults(&d, i);
    check_word_faults(&d);
    check_later(&d);
    check_later_memory(&d);
    if (i) check_later_faults(&d);
    check_threads(&d);
    close_device(&d);
  }
  free(p.data);
  return HD_TEST_RESULT();
}
