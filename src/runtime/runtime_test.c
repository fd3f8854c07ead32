/* SPDX-License-Identifier: Apache-2.0 */
/* Whole programs through the public API. The "compiler" is a C compiler at test time: entries and kernels are C that
 * keeps to abi.h, made into artifacts by the writer. */
#define _GNU_SOURCE
#include "heddle/runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/testing.h"
#include "runtime/artifact.h"
#include "runtime/objects.h"

static char folder[] = "/tmp/heddle-runtime-XXXXXX";

static const char *const ral_names[] = {
    "ral_recv_input___pvoid_i64___m2df32",
    "ral_send_output___pvoid_i64_m2df32___void",
    "ral_alloc___pvoid_i64___pvoid",
    "ral_alloc_output___pvoid_i64_i64___pvoid",
    "ral_free___pvoid_pvoid___void",
    "ral_retain___pvoid_pvoid___void",
    "ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void",
    "ral_constant___pvoid_i64___pvoid",
    "ral_constant_host___pvoid_pvoid___pvoid",
    "ral_error___pvoid_i64_pvoid_i64___void",
    "ral_print___pvoid_i64_i64_m2df32___void",
    "ral_alloc_donated___pvoid_i64_i64_i64___pvoid",
    "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void",
};
enum { RAL_COUNT = sizeof ral_names / sizeof *ral_names };

static const char source[] =
    "typedef unsigned long u64; typedef long i64; typedef void (*ral)(void *, void **);\n"
    "extern void *const hd_ral_table[];\n"
    "typedef struct { float *allocated, *aligned; i64 offset, sizes[2], strides[2]; } m2;\n"
    "#define CALL(k, ...) { void *args_[] = {0, __VA_ARGS__}; ((ral)hd_ral_table[k])(ctx, args_); }\n"
    "#define FAILED (*(volatile int *)ctx)\n"
    /* out = in * scale[0] + k */
    "void k_scale(const u64 *w, i64 begin, i64 end) {\n"
    "  const float *in = (const float *)w[0]; float *out = (float *)w[1]; const float *c = (const float *)w[2];\n"
    "  for (i64 i = begin; i < end; ++i) out[i] = in[i] * c[0] + (float)(i64)w[3]; }\n"
    "void k_slow(const u64 *w, i64 begin, i64 end) { volatile i64 x = 0; for (i64 i = begin; i < end; ++i)\n"
    "  for (int k = 0; k < 20000; ++k) ++x; }\n"
    "static void launch(void *ctx, i64 kernel, u64 *words, i64 count, i64 extent) { void *stream = 0, *w = words; i64 "
    "grain = 256;\n"
    "  CALL(6, &stream, &kernel, &w, &count, &extent, &grain) }\n"
    /* main(x: b x s) = x * constant + 7, through a temporary */
    "void e_main(void *ctx) { m2 x; i64 zero = 0, one = 1; void *t, *out, *c; \n"
    "  CALL(0, &zero, &x) if (FAILED) return;\n"
    "  CALL(7, &zero, &c) if (FAILED) return;\n"
    "  i64 n = x.sizes[0] * x.sizes[1], bytes = 4 * n;\n"
    "  CALL(2, &bytes, &t) if (FAILED) return;\n"
    "  CALL(3, &zero, &bytes, &out) if (FAILED) { CALL(4, &t) return; }\n"
    "  u64 w1[] = {(u64)x.aligned, (u64)t, (u64)c, 0}; launch(ctx, 0, w1, 4, n); if (FAILED) goto clean;\n"
    "  c = 0; static const char hash[] = \"HASH_OF_ONE\"; const void *h = hash; CALL(8, &h, &c) if (FAILED) goto "
    "clean;\n"
    "  u64 w2[] = {(u64)t, (u64)out, (u64)c, 7}; launch(ctx, 0, w2, 4, n); if (FAILED) goto clean;\n"
    "  CALL(4, &t)\n"
    "  m2 y = {out, out, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &zero, &y) return;\n"
    "clean: CALL(4, &t) CALL(4, &out) }\n"
    /* same(x) = x, transpose(x), second half of the rows of x; x twice */
    "void e_alias(void *ctx) { m2 x; i64 zero = 0, one = 1, two = 2, three = 3; CALL(0, &zero, &x) if (FAILED) "
    "return;\n"
    "  CALL(1, &zero, &x) if (FAILED) return;\n"
    "  m2 t = {x.allocated, x.aligned, 0, {x.sizes[1], x.sizes[0]}, {1, x.sizes[1]}}; CALL(1, &one, &t) if (FAILED) "
    "return;\n"
    "  i64 rows = x.sizes[0] / 2, bytes = 4 * x.sizes[0] * x.sizes[1]; void *p, *s = 0; CALL(2, &bytes, &p) if "
    "(FAILED) return;\n"
    "  CALL(12, &s, &p, &x.aligned, &bytes) if (FAILED) return; CALL(5, &p)\n"
    "  m2 h = {p, p, (x.sizes[0] - rows) * x.sizes[1], {rows, x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &two, &h) if "
    "(FAILED) return;\n"
    "  m2 z = {p, p, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &three, &z) }\n"
    /* donate(x): x + 7 in place when donated, in a new buffer otherwise */
    "void e_donate(void *ctx) { m2 x; i64 zero = 0, one = 1; void *p, *c; CALL(0, &zero, "
    "&x) if (FAILED) return;\n"
    "  CALL(7, &one, &c) i64 n = x.sizes[0] * x.sizes[1], bytes = 4 * n;\n"
    "  CALL(11, &zero, &zero, &bytes, &p) if (FAILED) return;\n"
    "  u64 w[] = {(u64)x.aligned, (u64)p, (u64)c, 7}; launch(ctx, 0, w, 4, n); if (FAILED) return;\n"
    "  m2 y = {p, p, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &zero, &y) }\n"
    /* fails(x): leaves buffers behind; message 0 with dim 0 and 42 */
    "void e_fail(void *ctx) { m2 x; i64 zero = 0, two = 2, big = 1000; void *p, *q; CALL(0, &zero, &x) CALL(2, &big, "
    "&p) CALL(2, &big, &q)\n"
    "  i64 v[] = {x.sizes[0], 42}; void *pv = v; CALL(9, &zero, &pv, &two) if (!FAILED) CALL(1, &zero, &x) CALL(4, &p) "
    "CALL(2, &big, &q)\n"
    "  if (q) *(int *)0 = 0; }\n"
    "void e_slow(void *ctx) { m2 x; i64 zero = 0; CALL(0, &zero, &x) if (FAILED) return;\n"
    "  for (int i = 0; i < 100000; ++i) { u64 w[1] = {0}; launch(ctx, 1, w, 1, 2); if (FAILED) return; } CALL(1, "
    "&zero, &x) }\n"
    "void e_print(void *ctx) { m2 x; i64 zero = 0, one = 1, f32 = 22; CALL(0, &zero, &x) if (FAILED) return; CALL(10, "
    "&one, &f32, &x)\n"
    "  CALL(1, &zero, &x) }\n"
    "void e_silent(void *ctx) { }\n";

/* ---- making the artifact ---- */

#define PROGRAM(words) {words, sizeof(words) / sizeof *(words)}
static const int64_t p_b[] = {HD_DIM_SYMBOL, 0}, p_s[] = {HD_DIM_SYMBOL, 1}, p_n[] = {HD_DIM_SYMBOL, 1};
static const int64_t p_odd[] = {HD_DIM_SYMBOL, 1, HD_DIM_CONST, 2, HD_DIM_MUL, HD_DIM_CONST, 1, HD_DIM_ADD},
                     p_4[] = {HD_DIM_CONST, 4};
static const int64_t p_half[] = {HD_DIM_SYMBOL, 0, HD_DIM_CONST, 2, HD_DIM_FLOORDIV};
static const int64_t d_b[] = {HD_DIM_INPUT, 0, 0}, d_s[] = {HD_DIM_INPUT, 0, 1};
static const int64_t d_n[] = {HD_DIM_INPUT, 1, 0, HD_DIM_CONST, 1, HD_DIM_SUB, HD_DIM_CONST, 2, HD_DIM_FLOORDIV};
static const int64_t even[] = {HD_DIM_SYMBOL, 0, HD_DIM_CONST, 2, HD_DIM_MOD, HD_DIM_CONST, 0, HD_DIM_EQ};
static const hd_artifact_dim bs[] = {{"b", PROGRAM(p_b)}, {"s", PROGRAM(p_s)}},
                             sb[] = {{"s", PROGRAM(p_s)}, {"b", PROGRAM(p_b)}};
static const hd_artifact_dim half[] = {{"floordiv(b, 2)", PROGRAM(p_half)}, {"s", PROGRAM(p_s)}},
                             unknown[] = {{"?", {0}}, {"?", {0}}};
static const hd_artifact_dim b4[] = {{"b", PROGRAM(p_b)}, {"4", PROGRAM(p_4)}},
                             odd_b[] = {{"2*n+1", PROGRAM(p_odd)}, {"b", PROGRAM(p_b)}};
static const hd_artifact_dim nn[] = {{"n", PROGRAM(p_n)}, {"n", PROGRAM(p_n)}};
static const hd_artifact_tensor in_bs[] = {{"x", HD_ELEMENT_F32, 2, bs, -1}},
                                out_bs[] = {{"y", HD_ELEMENT_F32, 2, bs, 0}};
static const hd_artifact_tensor out_unknown[] = {{"y", HD_ELEMENT_F32, 2, unknown, -1}};
static const hd_artifact_tensor out_alias[] = {{"", HD_ELEMENT_F32, 2, bs, -1},
                                               {"", HD_ELEMENT_F32, 2, sb, -1},
                                               {"", HD_ELEMENT_F32, 2, half, -1},
                                               {"", HD_ELEMENT_F32, 2, bs, -1}};
static const hd_artifact_tensor in_dims[] = {{"x", HD_ELEMENT_F32, 2, b4, -1}, {"w", HD_ELEMENT_F32, 2, odd_b, -1}};
static const hd_artifact_tensor out_nn[] = {{"", HD_ELEMENT_BF16, 2, nn, -1}};
static const hd_artifact_symbol sym_bs[] = {{"b", 0, 0, PROGRAM(d_b)}, {"s", 0, 1, PROGRAM(d_s)}};
static const hd_artifact_symbol sym_bn[] = {{"b", 0, 0, PROGRAM(d_b)}, {"n", 1, 0, PROGRAM(d_n)}};
static const hd_dim_program value_b[] = {PROGRAM(p_b)};
static const hd_artifact_constraint b_even[] = {{PROGRAM(even), "b must be even, but is {0}", 1, value_b}};
static const hd_artifact_entry entries[] = {
    {"main", "e_main", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
    {"alias", "e_alias", 1, 4, 2, 0, in_bs, out_alias, sym_bs, NULL},
    {"donate", "e_donate", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
    {"fail", "e_fail", 1, 1, 2, 0, in_bs, out_unknown, sym_bs, NULL},
    {"slow", "e_slow", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
    {"print", "e_print", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
    {"silent", "e_silent", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
    {"dims", "e_silent", 2, 1, 2, 1, in_dims, out_nn, sym_bn, b_even},
};
static const hd_artifact_kernel kernels[] = {{"k_scale", "fusion_scale_0", "stablehlo.multiply at \"x.mlir\":3:4"},
                                             {"k_slow", "slow", ""}};
static const char *const messages[] = {"dim is {0}, not {1}; {2} stays", "x = "};

static bool build(hd_artifact_constant constants[2], hd_artifact_object *object) {
  char path[128], command[512], hex[33];
  static char text[1 << 16], bytes[1 << 20];
  hd_hash128_hex(&constants[1].hash, hex);
  strcpy(text, source);
  char *mark = strstr(text, "HASH_OF_ONE");
  memmove(mark + 38, mark + 11, strlen(mark + 11) + 1);
  memcpy(mark, hex, 32);
  memcpy(mark + 32, "_f32_1", 6);
  snprintf(path, sizeof path, "%s/p.c", folder);
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  snprintf(command, sizeof command, "cc -w -c -O2 -fPIC -ffreestanding -o %s/p.o %s", folder, path);
  if (!HD_CHECK_INT(system(command), 0)) return false;
  snprintf(path, sizeof path, "%s/p.o", folder);
  file = fopen(path, "r");
  *object = (hd_artifact_object){"program", bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  return true;
}

static float two[] = {2, 0, 0}, one[] = {1};
static hd_artifact artifact_of(hd_artifact_constant *constants, hd_artifact_variant *variant,
                               hd_artifact_object *object) {
  constants[0] = (hd_artifact_constant){hd_hash128_of(two, sizeof two), two, sizeof two, "f32_3"};
  constants[1] = (hd_artifact_constant){hd_hash128_of(one, sizeof one), one, sizeof one, "f32_1"};
  *variant = (hd_artifact_variant){"x86-64", 0, 1, object};
  return (hd_artifact){.producer = "test",
                       .module = "m",
                       .options = "",
                       .entry_count = sizeof entries / sizeof *entries,
                       .entries = entries,
                       .kernel_count = 2,
                       .kernels = kernels,
                       .ral_name_count = RAL_COUNT,
                       .ral_names = ral_names,
                       .message_count = 2,
                       .messages = messages,
                       .constant_count = 2,
                       .constants = constants,
                       .variant_count = 1,
                       .variants = variant};
}

/* ---- helpers ---- */

static hd_buffer *input(hd_runtime *runtime, int64_t b, int64_t s) {
  hd_buffer *buffer;
  if (!HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){b, s}, &buffer))) return NULL;
  for (int64_t i = 0; i < b * s; ++i) ((float *)hd_buffer_data(buffer))[i] = (float)i;
  return buffer;
}

static int64_t wrong_results(const hd_buffer *out, float scale, float add) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < hd_buffer_elements(out); ++i)
    wrong += ((float *)hd_buffer_data(out))[i] != (float)i * scale + add;
  return wrong;
}

/* ---- tests ---- */

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
      hd_buffer *x = input(runtime, shapes[i][0], shapes[i][1]), *y = NULL;
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
        HD_CHECK_INT(wrong_results(y, 2, 7), 0);
        HD_CHECK(!own || y == before);
        HD_CHECK_INT(stats.launches, 2);
        HD_CHECK_INT(stats.copies, 0);
        HD_CHECK_INT(stats.allocations, own && hd_buffer_elements(x) > 0 ? 1 : 2);
        HD_CHECK(stats.nanoseconds > 0 && stats.bytes_peak > 0);
      }
      hd_buffer_release(x);
      hd_buffer_release(y);
    }
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
  HD_CHECK(hd_runtime_memory(runtime).bytes_peak > 0);
}

static void check_errors(hd_runtime *runtime, hd_executable *exe) {
  hd_buffer *x = input(runtime, 2, 3), *y = NULL, *other;
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
  hd_buffer *x = input(runtime, 2, 3), *y = NULL;
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
  hd_buffer *big = input(runtime, 100, 100);
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
  hd_buffer *x = input(runtime, 5, 3), *out[4] = {0};
  if (HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, out, 4))) {
    HD_CHECK(hd_buffer_data(out[0]) != hd_buffer_data(x));
    HD_CHECK_INT(wrong_results(out[0], 1, 0), 0);
    HD_CHECK_INT(wrong_results(out[3], 1, 0), 0);
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
  if (y) HD_CHECK_INT(wrong_results(y, 2, 7), 0);
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
    hd_buffer *x = input(runtime, 40, 30), *y = NULL;
    hd_execute_options options = HD_INIT(hd_execute_options);
    bool flags[] = {donated};
    options.donated = flags;
    HD_CHECK_OK(hd_executable_execute(exe, &options, &x, 1, &y, 1));
    HD_CHECK_INT(wrong_results(y, 1, 7), 0);
    HD_CHECK((hd_buffer_data(x) == hd_buffer_data(y)) == donated);
    hd_buffer_release(x);
    HD_CHECK_INT(wrong_results(y, 1, 7), 0);
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
  HD_CHECK_INT(wrong_results(y, 2, 7), 0);
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
    hd_buffer *x = input(s->runtime, b, n), *y = NULL;
    if (HD_CHECK_OK(hd_executable_execute(s->exe, NULL, &x, 1, &y, 1))) HD_CHECK_INT(wrong_results(y, 2, 7), 0);
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
    hd_buffer *x = input(runtime, i, 100);
    HD_CHECK_OK(hd_executable_execute_async(exe, NULL, &x, 1, &y[i], 1, &events[i]));
    HD_CHECK_OK(hd_event_on_done(events[i], count_done, &done));
    hd_buffer_release(x);
  }
  for (int i = 0; i < N; ++i) {
    if (HD_CHECK_OK(hd_event_wait(events[i], -1))) HD_CHECK_INT(wrong_results(y[i], 2, 7), 0);
    HD_CHECK(hd_event_is_done(events[i]));
    HD_CHECK_OK(hd_event_on_done(events[i], count_done, &done));
    hd_event_release(events[i]);
    hd_buffer_release(y[i]);
  }
  for (int i = 0; i < 1000 && atomic_load(&done) < 2 * N; ++i) usleep(1000);
  HD_CHECK_INT(atomic_load(&done), 2 * N);
}

static void keep_text(void *user, const char *text) { snprintf(user, 200, "%s", text); }

static void check_print_and_profile(hd_runtime *runtime, hd_executable *exe) {
  hd_executable *print;
  HD_CHECK_OK(hd_executable_other_entry(exe, "print", &print));
  hd_buffer *x = input(runtime, 2, 2), *y = NULL;
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
  x = input(runtime, 300, 300);
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

static void check_loading(hd_runtime *runtime, hd_artifact artifact, const void *data, size_t size) {
  hd_executable *exe;
  char path[100];
  snprintf(path, sizeof path, "%s/p.hdl", folder);
  unlink(path);
  HD_CHECK_FAILS(hd_executable_load_file(runtime, path, NULL, &exe), HD_NOT_FOUND, path);
  FILE *file = fopen(path, "w");
  HD_CHECK_FAILS(hd_executable_load_file(runtime, path, NULL, &exe), HD_DATA_LOSS, "empty file");
  fwrite(data, 1, size, file);
  fclose(file);
  HD_CHECK_FAILS(hd_executable_load_file(runtime, folder, NULL, &exe), HD_INVALID_ARGUMENT, "not a regular file");
  hd_load_options options = HD_INIT(hd_load_options);
  options.entry = "main";
  if (HD_CHECK_OK(hd_executable_load_file(runtime, path, &options, &exe))) {
    check_main(runtime, exe);
    hd_executable_release(exe);
  }
  HD_CHECK_FAILS(hd_executable_load(runtime, data, size - 1, NULL, &exe), HD_DATA_LOSS, "damaged artifact");
  HD_CHECK_FAILS(hd_executable_load(runtime, "", 0, NULL, &exe), HD_DATA_LOSS, "not an artifact");

  void *changed;
  size_t changed_size;
  const char *names[RAL_COUNT];
  memcpy(names, ral_names, sizeof names);
  names[2] = "ral_aloc___pvoid_i64___pvoid";
  artifact.ral_names = names;
  HD_CHECK_OK(hd_artifact_write(&artifact, &changed, &changed_size));
  HD_CHECK_FAILS(
      hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_NOT_FOUND,
      "no ral api 'ral_aloc___pvoid_i64___pvoid' in this runtime; the nearest is 'ral_alloc___pvoid_i64___pvoid'");
  free(changed);
  artifact.ral_names = ral_names;
  hd_artifact_kernel bad_kernel = {"k_missing", "x", ""};
  artifact.kernels = &bad_kernel;
  artifact.kernel_count = 1;
  HD_CHECK_OK(hd_artifact_write(&artifact, &changed, &changed_size));
  HD_CHECK_FAILS(hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_FAILED_PRECONDITION,
                 "symbol 'k_missing'");
  free(changed);
  artifact.kernels = kernels;
  artifact.kernel_count = 2;
  hd_artifact_variant variant = artifact.variants[0], *variants = &variant;
  variant.features = 1ull << 50;
  variant.target = "z80";
  artifact.variants = variants;
  HD_CHECK_OK(hd_artifact_write(&artifact, &changed, &changed_size));
  HD_CHECK_FAILS(hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_FAILED_PRECONDITION, "'z80' needs");
  free(changed);
}

static int packs;
static void pack_sum(void *argument, void *packed) {
  ++packs;
  *(float *)packed = ((const float *)argument)[1] * 10;
}

/* Packed weights: made once per buffer and use, only for bound arguments and constants. */
static void check_packed(hd_runtime *runtime, hd_executable *main_entry) {
  hd_executable *exe;
  HD_CHECK_OK(hd_executable_other_entry(main_entry, "main", &exe));
  hd_buffer *x = input(runtime, 2, 3), *free_one = input(runtime, 2, 3);
  hd_execute_options options = {0};
  hd_ral_context *ctx = calloc(1, sizeof *ctx);
  ctx->executable = exe;
  ctx->runtime = runtime;
  ctx->options = &options;
  float *data = hd_buffer_data(x);
  packs = 0;
  HD_CHECK(!hd_ral_packed(ctx, data, 1, 64, pack_sum, data));
  HD_CHECK_OK(hd_executable_bind(exe, 0, x));
  HD_CHECK(!hd_ral_packed(ctx, hd_buffer_data(free_one), 1, 64, pack_sum, data));
  const float *first = hd_ral_packed(ctx, data, 1, 64, pack_sum, data);
  if (HD_CHECK(first)) HD_CHECK_NEAR(*first, 10, 0);
  HD_CHECK(hd_ral_packed(ctx, data, 1, 64, pack_sum, data) == first);
  HD_CHECK_INT(packs, 1);
  const float *other_use = hd_ral_packed(ctx, data, 2, 64, pack_sum, data),
              *part = hd_ral_packed(ctx, data + 3, 1, 64, pack_sum, data);
  HD_CHECK(other_use && part && other_use != first && part != first && part != other_use);
  HD_CHECK_INT(packs, 3);
  HD_CHECK(hd_ral_packed(ctx, exe->loaded->artifact.constants[0].data, 1, 64, pack_sum, data));
  HD_CHECK_INT(packs, 4);
  HD_CHECK_OK(hd_executable_bind(exe, 0, free_one)); /* what was packed from x goes */
  HD_CHECK(!hd_ral_packed(ctx, data, 1, 64, pack_sum, data));
  HD_CHECK(hd_ral_packed(ctx, hd_buffer_data(free_one), 1, 64, pack_sum, data));
  free(ctx);
  hd_executable_release(exe);
  hd_buffer_release(x);
  hd_buffer_release(free_one);
  HD_CHECK_INT(hd_runtime_memory(runtime).bytes_live, 0);
}

/* The variant with the most features that the machine may use. */
static void check_variants(hd_artifact artifact) {
  hd_artifact_variant variants[3] = {artifact.variants[0], artifact.variants[0], artifact.variants[0]};
  uint64_t have = hd_cpu_features();
  variants[0].target = "some";
  variants[0].features = have & 3;
  variants[1].target = "all";
  variants[1].features = have;
  variants[2].target = "more";
  variants[2].features = have | 1ull << 60;
  artifact.variants = variants;
  artifact.variant_count = 3;
  void *data;
  size_t size;
  if (!HD_CHECK_OK(hd_artifact_write(&artifact, &data, &size))) return;
  for (int all = 0; all < 2; ++all) {
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.cpu_features = all ? 0 : have & 3;
    hd_runtime *runtime;
    hd_executable *exe;
    HD_CHECK_OK(hd_runtime_create(&options, &runtime));
    if (HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe))) {
      HD_CHECK_STR(hd_executable_target(exe), all && have != (have & 3) ? "all" : "some");
      hd_executable_release(exe);
    }
    hd_runtime_release(runtime);
  }
  free(data);
}

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
  hd_buffer *x = input(runtime, 100, 100), *y = NULL;
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1));
  HD_CHECK_INT(wrong_results(y, 2, 7), 0);
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
  x = input(runtime, 100, 100);
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_RESOURCE_EXHAUSTED, "memory limit of 100000 bytes");
  hd_buffer_release(x);
  x = input(runtime, 50, 100);
  HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1));
  hd_buffer_release(x);
  hd_buffer_release(y);
  hd_executable_release(exe);
  hd_runtime_release(runtime);
}

/* Memory of the host, for programs of a device: the embedder's, given back when freed and at the end of the run. */
static void check_host_allocator(const void *data, size_t size) {
  static const char alloc_name[] = "ral_host_alloc___pvoid_i64___pvoid",
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
    for (int64_t bytes = 0; bytes < 1000; bytes = 3 * bytes + 1) {
      void *memory = NULL, *args[] = {NULL, &bytes, &memory}, *back[] = {NULL, &memory};
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
    void *memory, *args[] = {NULL, &bytes, &memory}, *too_much[] = {NULL, &large, &memory};
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
  hd_buffer *x = input(runtime, 2, 3), *y = NULL;
  HD_CHECK_FAILS(hd_executable_execute(exe, NULL, &x, 1, &y, 1), HD_UNIMPLEMENTED,
                 "kernel 'fusion_scale_0': driver 'null' runs no kernels");
  hd_buffer_release(x);
  hd_executable_release(exe);
  hd_runtime_release(runtime);
  options.driver = "abacus";
  HD_CHECK_FAILS(hd_runtime_create(&options, &runtime), HD_NOT_FOUND, "no driver 'abacus'");
}

int main(void) {
  HD_CHECK(mkdtemp(folder));
  hd_artifact_constant constants[2];
  hd_artifact_object object;
  hd_artifact_variant variant;
  hd_artifact artifact = artifact_of(constants, &variant, &object);
  void *data;
  size_t size;
  if (!build(constants, &object) || !HD_CHECK_OK(hd_artifact_write(&artifact, &data, &size))) return HD_TEST_RESULT();
  for (int threads = 1; threads <= 3; ++threads) {
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.threads = threads;
    hd_runtime *runtime;
    hd_executable *exe;
    if (!HD_CHECK_OK(hd_runtime_create(&options, &runtime))) continue;
    HD_CHECK_INT(hd_runtime_threads(runtime), threads);
    if (!HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe))) continue;
    check_main(runtime, exe);
    check_errors(runtime, exe);
    check_program_failures(runtime, exe);
    check_aliases(runtime, exe);
    check_donation(runtime, exe);
    check_binding(runtime, exe);
    check_packed(runtime, exe);
    check_threads(runtime, exe);
    check_async(runtime, exe);
    check_print_and_profile(runtime, exe);
    check_loading(runtime, artifact, data, size);
    /* The last references may go in any order, also with work under way. */
    hd_buffer *x = input(runtime, 10, 10), *y = NULL;
    hd_event *event;
    HD_CHECK_OK(hd_executable_execute_async(exe, NULL, &x, 1, &y, 1, &event));
    hd_buffer_release(x);
    hd_executable_release(exe);
    hd_runtime_release(runtime);
    HD_CHECK_OK(hd_event_wait(event, -1));
    HD_CHECK_INT(wrong_results(y, 2, 7), 0);
    hd_buffer_release(y);
    hd_event_release(event);
  }
  check_null_driver(data, size);
  check_variants(artifact);
  check_embedder(data, size);
  check_host_allocator(data, size);
  free(data);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  HD_CHECK_INT(system(command), 0);
  return HD_TEST_RESULT();
}
