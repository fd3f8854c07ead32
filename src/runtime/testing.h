/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the runtime with whole programs share: an artifact made without the compiler. Its "compiler" is a C
 * compiler at test time: entries and kernels are C that keeps to abi.h, made into an artifact by the writer. */
#ifndef HD_RUNTIME_TESTING_H_
#define HD_RUNTIME_TESTING_H_

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/testing.h"
#include "heddle/runtime.h"
#include "runtime/artifact_testing.h"

static const char *const ral_names[] = {
    "ral_recv_input___pvoid_i64___m2df32",
    "ral_send_output___pvoid_i64_m2df32___void",
    "ral_alloc___pvoid_i64_i64___pvoid",
    "ral_alloc_output___pvoid_i64_i64_i64___pvoid",
    "ral_free___pvoid_pvoid___void",
    "ral_retain___pvoid_pvoid___void",
    "ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void",
    "ral_constant___pvoid_i64___pvoid",
    "ral_constant_host___pvoid_pvoid___pvoid",
    "ral_error___pvoid_i64_pvoid_i64___void",
    "ral_print___pvoid_i64_i64_m2df32___void",
    "ral_alloc_donated___pvoid_i64_i64_i64_i64___pvoid",
    "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void",
};
enum { RAL_COUNT = sizeof ral_names / sizeof *ral_names };

static const char source[] =
    "typedef unsigned long u64; typedef long i64; typedef void (*ral)(void *, void **);\n"
    "extern void *const hd_ral_table[];\n"
    "typedef struct { float *allocated, *aligned; i64 offset, sizes[2], strides[2]; } m2;\n"
    "#define CALL(k, ...) { void *args_[] = {0, __VA_ARGS__}; ((ral)hd_ral_table[k])(ctx, args_); }\n"
    "#define FAILED (*(volatile int *)ctx)\n"
    "static i64 nowhere = -1;\n"
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
    "  CALL(2, &bytes, &nowhere, &t) if (FAILED) return;\n"
    "  CALL(3, &zero, &bytes, &nowhere, &out) if (FAILED) { CALL(4, &t) return; }\n"
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
    "  i64 rows = x.sizes[0] / 2, bytes = 4 * x.sizes[0] * x.sizes[1]; void *p, *s = 0; CALL(2, &bytes, &nowhere, &p) "
    "if "
    "(FAILED) return;\n"
    "  CALL(12, &s, &p, &x.aligned, &bytes) if (FAILED) return; CALL(5, &p)\n"
    "  m2 h = {p, p, (x.sizes[0] - rows) * x.sizes[1], {rows, x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &two, &h) if "
    "(FAILED) return;\n"
    "  m2 z = {p, p, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &three, &z) }\n"
    /* donate(x): x + 7 in place when donated, in a new buffer otherwise */
    "void e_donate(void *ctx) { m2 x; i64 zero = 0, one = 1; void *p, *c; CALL(0, &zero, "
    "&x) if (FAILED) return;\n"
    "  CALL(7, &one, &c) i64 n = x.sizes[0] * x.sizes[1], bytes = 4 * n;\n"
    "  CALL(11, &zero, &zero, &bytes, &nowhere, &p) if (FAILED) return;\n"
    "  u64 w[] = {(u64)x.aligned, (u64)p, (u64)c, 7}; launch(ctx, 0, w, 4, n); if (FAILED) return;\n"
    "  m2 y = {p, p, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &zero, &y) }\n"
    /* fails(x): leaves buffers after; message 0 with dim 0 and 42 */
    "void e_fail(void *ctx) { m2 x; i64 zero = 0, two = 2, big = 1000; void *p, *q; CALL(0, &zero, &x) CALL(2, &big, "
    "&nowhere, &p) CALL(2, &big, &nowhere, &q)\n"
    "  i64 v[] = {x.sizes[0], 42}; void *pv = v; CALL(9, &zero, &pv, &two) if (!FAILED) CALL(1, &zero, &x) CALL(4, &p) "
    "CALL(2, &big, &nowhere, &q)\n"
    "  if (q) *(int *)0 = 0; }\n"
    "void e_slow(void *ctx) { m2 x; i64 zero = 0; CALL(0, &zero, &x) if (FAILED) return;\n"
    "  for (int i = 0; i < 100000; ++i) { u64 w[1] = {0}; launch(ctx, 1, w, 1, 2); if (FAILED) return; } CALL(1, "
    "&zero, &x) }\n"
    "void e_print(void *ctx) { m2 x; i64 zero = 0, one = 1, f32 = 22; CALL(0, &zero, &x) if (FAILED) return; CALL(10, "
    "&one, &f32, &x)\n"
    "  CALL(1, &zero, &x) }\n"
    "void e_silent(void *ctx) { }\n"
    /* beyond(x): as x * constant + 7, one element too many */
    "void e_beyond(void *ctx) { m2 x; i64 zero = 0; void *p, *c; CALL(0, &zero, &x) if (FAILED) return;\n"
    "  CALL(7, &zero, &c) i64 n = x.sizes[0] * x.sizes[1], bytes = 4 * n; CALL(3, &zero, &bytes, &nowhere, &p) if "
    "(FAILED) "
    "return;\n"
    "  u64 w[] = {(u64)x.aligned, (u64)p, (u64)c, 7}; launch(ctx, 0, w, 4, n + 1); if (FAILED) return;\n"
    "  m2 y = {p, p, 0, {x.sizes[0], x.sizes[1]}, {x.sizes[1], 1}}; CALL(1, &zero, &y) }\n";

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
    {"beyond", "e_beyond", 1, 1, 2, 0, in_bs, out_bs, sym_bs, NULL},
};
static const hd_artifact_kernel kernels[] = {{"k_scale", "fusion_scale_0", "stablehlo.multiply at \"x.mlir\":3:4"},
                                             {"k_slow", "slow", ""}};
static const char *const messages[] = {"dim is {0}, not {1}; {2} stays", "x = "};

/* An artifact of all entries in pieces, to be written again with others, and as bytes. */
typedef struct hd_test_program {
  char folder[32]; /* of this test's files; gone with it */
  hd_artifact_constant constants[2];
  hd_artifact_object object;
  hd_artifact_variant variant;
  hd_artifact_program program;
  void *data;
  size_t size;
} hd_test_program;

static bool compile_source(hd_test_program *p) {
  char path[128], command[512], hex[33];
  static char text[1 << 16], bytes[1 << 20];
  hd_hash128_hex(&p->constants[1].hash, hex);
  strcpy(text, source);
  char *mark = strstr(text, "HASH_OF_ONE");
  memmove(mark + 38, mark + 11, strlen(mark + 11) + 1);
  memcpy(mark, hex, 32);
  memcpy(mark + 32, "_f32_1", 6);
  snprintf(path, sizeof path, "%s/p.c", p->folder);
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  snprintf(command, sizeof command, "cc -w -c -O2 -fPIC -ffreestanding -o %s/p.o %s", p->folder, path);
  if (!HD_CHECK_INT(system(command), 0)) return false;
  snprintf(path, sizeof path, "%s/p.o", p->folder);
  file = fopen(path, "r");
  p->object = (hd_artifact_object){"program", bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  return true;
}

static bool hd_test_program_open(hd_test_program *p) {
  static float two[] = {2, 0, 0}, one[] = {1};
  *p = (hd_test_program){.folder = "/tmp/heddle-runtime-XXXXXX"};
  p->constants[0] = (hd_artifact_constant){hd_hash128_of(two, sizeof two), two, sizeof two, "f32_3"};
  p->constants[1] = (hd_artifact_constant){hd_hash128_of(one, sizeof one), one, sizeof one, "f32_1"};
  p->variant = (hd_artifact_variant){"x86-64", 0, 1, &p->object};
  p->program = (hd_artifact_program){.entry_count = sizeof entries / sizeof *entries,
                                     .entries = entries,
                                     .kernel_count = 2,
                                     .kernels = kernels,
                                     .ral_name_count = RAL_COUNT,
                                     .ral_names = ral_names,
                                     .message_count = 2,
                                     .messages = messages,
                                     .constant_count = 2,
                                     .constants = p->constants,
                                     .variant_count = 1,
                                     .variants = &p->variant};
  return HD_CHECK(mkdtemp(p->folder)) && compile_source(p) &&
         HD_CHECK_OK(hd_test_write(&p->program, "cpu", &p->data, &p->size));
}

static void hd_test_program_close(hd_test_program *p) {
  char command[100];
  free(p->data);
  snprintf(command, sizeof command, "rm -rf %s", p->folder);
  HD_CHECK_INT(system(command), 0);
}

/* 0, 1, 2, ... as b rows of s; the caller releases it. */
static hd_buffer *hd_test_input(hd_runtime *runtime, int64_t b, int64_t s) {
  hd_buffer *buffer;
  if (!HD_CHECK_OK(hd_buffer_create(runtime, HD_ELEMENT_F32, 2, (int64_t[]){b, s}, &buffer))) return NULL;
  for (int64_t i = 0; i < b * s; ++i) ((float *)hd_buffer_data(buffer))[i] = (float)i;
  return buffer;
}

/* How many elements of |out| are not those of an input times |scale| plus |add|. */
static int64_t hd_test_wrong_results(const hd_buffer *out, float scale, float add) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < hd_buffer_elements(out); ++i)
    wrong += ((float *)hd_buffer_data(out))[i] != (float)i * scale + add;
  return wrong;
}

#endif
