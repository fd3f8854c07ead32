/* SPDX-License-Identifier: Apache-2.0 */
/* The macro that defines RAL APIs, and the registry. */
#include "runtime/ral_api.h"

#include "base/testing.h"
#include "runtime/objects.h"
#include "runtime/ral_names.h"

static int calls;

static double mix(hd_ral_context *ctx, void *pointer, bool flag, int8_t small, int64_t wide, float real,
                  const hd_memref2 *m, const hd_memref0 *scalar, uint16_t half) {
  (void)ctx;
  ++calls;
  return *(double *)pointer + flag + small + (double)wide + real + (double)m->strides[1] * 100 +
         *(float *)scalar->aligned + half;
}
static void nothing(hd_ral_context *ctx) { hd_ral_fail(ctx, hd_make_status(HD_ABORTED, "nothing to do")); }
static int64_t fails(hd_ral_context *ctx, int64_t value) {
  hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "value %lld", (long long)value));
  return value;
}
static int64_t works(hd_ral_context *ctx, const hd_memref3 *any) {
  (void)ctx;
  return any->sizes[0] * any->sizes[1] * any->sizes[2];
}

HD_RAL_API("t_mix", mix, f64, pvoid, i1, i8, i64, f32, memref(2, bf16), memref(0, f32), bf16)
HD_RAL_API("t_nothing", nothing, void)
HD_RAL_API("t_fails", fails, i64, i64)
HD_RAL_API("t_works", works, i64, memref(3, any))
HD_RAL_TABLE(test, mix, nothing, fails, works)

/* Every element type of the grammar is one that APIs take and give. */
#define X(id, number, type_class, bits, text, name, xla_name, c_type)                               \
  static hd_ral_##name give_##name(hd_ral_context *ctx, const hd_memref1 *m, hd_ral_##name value) { \
    (void)ctx;                                                                                      \
    return m->sizes[0] ? value : (hd_ral_##name){0};                                                \
  }                                                                                                 \
  HD_RAL_API("t_give", give_##name, name, memref(1, name), name)
HD_ELEMENT_TYPES(X)
#undef X

static void check_scalars(void) {
  static const struct {
    const hd_ral_api *api;
    const char *name;
    hd_element_type type;
    size_t size;
  } rows[] = {
#define X(id, number, type_class, bits, text, name, xla_name, c_type) \
  {&give_##name##_api, #name, HD_ELEMENT_##id, sizeof(hd_ral_##name)},
      HD_ELEMENT_TYPES(X)
#undef X
  };
  hd_ral_context ctx;
  memset(&ctx, 0, sizeof ctx);
  hd_memref1 m = {.sizes = {1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (rows[i].type != HD_ELEMENT_TOKEN) HD_CHECK_INT(rows[i].size, hd_element_bytes(rows[i].type));
    char name[100];
    snprintf(name, sizeof name, "t_give___pvoid_m1d%s_%s___%s", rows[i].name, rows[i].name, rows[i].name);
    HD_CHECK_STR(rows[i].api->name, name);
    _Alignas(16) uint8_t value[16], result[16], same[16];
    memset(value, 1, sizeof value);
    memset(result, 0x5a, sizeof result);
    memset(same, 0x5a, sizeof same);
    memset(same, 1, rows[i].size);
    rows[i].api->fn(&ctx, (void *[]){NULL, &m, value, result});
    if (!HD_CHECK(!memcmp(result, same, sizeof same))) fprintf(stderr, "  type %s\n", rows[i].name);
  }
}

int main(void) {
  check_scalars();
  HD_CHECK_STR(mix_api.name, "t_mix___pvoid_pvoid_i1_i8_i64_f32_m2dbf16_m0df32_bf16___f64");
  HD_CHECK_STR(nothing_api.name, "t_nothing___pvoid___void");
  HD_CHECK_STR(works_api.name, "t_works___pvoid_m3d*___i64");
  HD_CHECK(hd_ral_table_test[3] == &works_api && !hd_ral_table_test[4]);
  HD_CHECK(hd_ral_name_matches(works_api.name, "t_works___pvoid_m3df8E5M2___i64"));
  hd_ral_signature signature;
  HD_CHECK_OK(hd_ral_decode(mix_api.name, &signature));
  HD_CHECK_INT(signature.arg_count, 9);

  hd_ral_context ctx;
  memset(&ctx, 0, sizeof ctx);
  double base = 0.5, sum = 0;
  void *pointer = &base;
  bool flag = true;
  int8_t small = -3;
  int64_t wide = 1ll << 40;
  float real = 0.25f, scalar = 8;
  uint16_t half = 7;
  hd_memref2 m = {.strides = {5, 1}};
  hd_memref0 s = {.aligned = &scalar};
  void *args[] = {NULL, &pointer, &flag, &small, &wide, &real, &m, &s, &half, &sum};
  mix_api.fn(&ctx, args);
  HD_CHECK_NEAR(sum, 0.5 + 1 - 3 + (double)wide + 0.25 + 100 + 8 + 7, 0);
  HD_CHECK_INT(calls, 1);
  HD_CHECK_INT(ctx.head.failed, 0);

  hd_memref3 cube = {.sizes = {2, 3, 4}};
  int64_t result = 0;
  works_api.fn(&ctx, (void *[]){NULL, &cube, &result});
  HD_CHECK_INT(result, 24);
  int64_t value = 11;
  result = 99;
  fails_api.fn(&ctx, (void *[]){NULL, &value, &result});
  HD_CHECK_INT(result, 0);
  HD_CHECK_INT(ctx.head.failed, HD_INVALID_ARGUMENT);
  nothing_api.fn(&ctx, (void *[]){NULL});
  HD_CHECK_FAILS(ctx.error, HD_INVALID_ARGUMENT, "value 11"); /* the first stays */

  /* Every registered name keeps to the grammar, with any element in the place of "*", and none is twice. */
  static const char *const names[] = {"ral_alloc___pvoid_i64_i64___pvoid", "ral_recv_input___pvoid_i64___m16dcf64",
                                      "ral_send_output___pvoid_i64_m0di1___void",
                                      "ral_print___pvoid_i64_i64_m3df8E4M3FN___void"};
  hd_ral_fn functions[4];
  HD_CHECK_OK(hd_ral_resolve("cpu", names, 4, functions));
  HD_CHECK(functions[0] && functions[1] && functions[2] && functions[3]);
  const char *wrong[] = {"ral_recv_input___pvoid_i64___m65df32"}, *missing[] = {"ral_free___pvoid_i64___void"};
  HD_CHECK_FAILS(hd_ral_resolve("cpu", wrong, 1, functions), HD_INVALID_ARGUMENT, "expected a result type");
  HD_CHECK_FAILS(hd_ral_resolve("cpu", missing, 1, functions), HD_NOT_FOUND,
                 "nearest is 'ral_free___pvoid_pvoid___void'");

  memset(&ctx, 0, sizeof ctx);
  ral_api_call(&ctx, "ral_frea___pvoid_pvoid___void", args);
  HD_CHECK_INT(ctx.head.failed, HD_NOT_FOUND);
  HD_CHECK_FAILS(ctx.error, HD_NOT_FOUND, "no ral api 'ral_frea___pvoid_pvoid___void'");
  return HD_TEST_RESULT();
}
