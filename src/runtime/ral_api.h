/* SPDX-License-Identifier: Apache-2.0 */
/* Defining RAL APIs: HD_RAL_API makes the encoded name, the wrapper that unpacks type-erased arguments, and the row.
 *
 *   static void gemm_f32(hd_ral_context *ctx, void *stream, const hd_memref2 *lhs, const hd_memref2 *rhs,
 *                        const hd_memref2 *out, bool lhs_transposed, bool rhs_transposed) { ... }
 *   HD_RAL_LIBRARY("ral_gemm", gemm_f32, void, pvoid, memref(2, f32), memref(2, f32), memref(2, f32), i1, i1)
 *   ...
 *   HD_RAL_TABLE(gemm, gemm_f32, gemm_bf16)     // and a row RAL_TABLE(gemm) in libraries/libraries.def
 *
 *   is  ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void
 *
 * The context is not listed: it is argument 0 of every API. Types: pvoid, the scalars below, memref(rank, element) with
 * rank 0 to 8 and an element below or `any`; results: void, pvoid or a scalar. Floats but f32 and f64 come as their
 * bits, types of less than a byte in one.
 *
 * An API reports an error with hd_ral_fail and returns; whatever it returns then, the caller's slot is zeroed.
 * HD_RAL_LIBRARY is HD_RAL_API for work that a library does: it is counted and appears in the timeline. */
#ifndef HD_RUNTIME_RAL_API_H_
#define HD_RUNTIME_RAL_API_H_

#include <stdbool.h>
#include <string.h>

#include "runtime/ral.h"

typedef struct hd_ral_api {
  const char *name; /* encoded; "*" for any element type */
  hd_ral_fn fn;
} hd_ral_api;

/* ---- types ----------------------------------------------------------------------------------------------------- */

typedef struct hd_ral_cf32 {
  float re, im;
} hd_ral_cf32;
typedef struct hd_ral_cf64 {
  double re, im;
} hd_ral_cf64;

#define HD_RAL_NAME_pvoid "pvoid"
#define HD_RAL_C_pvoid void *
#define HD_RAL_GET_pvoid(slot) (*(void *const *)(slot))
#define HD_RAL_NAME_memref(rank, element) "m" #rank "d" HD_RAL_ELEMENT_##element
#define HD_RAL_C_memref(rank, element) const hd_memref##rank *
#define HD_RAL_GET_memref(rank, element) HD_RAL_MEMREF_##rank
#define HD_RAL_MEMREF_0(slot) ((const hd_memref0 *)(slot))
#define HD_RAL_MEMREF_1(slot) ((const hd_memref1 *)(slot))
#define HD_RAL_MEMREF_2(slot) ((const hd_memref2 *)(slot))
#define HD_RAL_MEMREF_3(slot) ((const hd_memref3 *)(slot))
#define HD_RAL_MEMREF_4(slot) ((const hd_memref4 *)(slot))
#define HD_RAL_MEMREF_5(slot) ((const hd_memref5 *)(slot))
#define HD_RAL_MEMREF_6(slot) ((const hd_memref6 *)(slot))
#define HD_RAL_MEMREF_7(slot) ((const hd_memref7 *)(slot))
#define HD_RAL_MEMREF_8(slot) ((const hd_memref8 *)(slot))
#define HD_RAL_NAME_i1 "i1"
#define HD_RAL_C_i1 bool
#define HD_RAL_GET_i1(slot) (*(const bool *)(slot))
#define HD_RAL_NAME_i2 "i2"
#define HD_RAL_C_i2 int8_t
#define HD_RAL_GET_i2(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_i4 "i4"
#define HD_RAL_C_i4 int8_t
#define HD_RAL_GET_i4(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_i8 "i8"
#define HD_RAL_C_i8 int8_t
#define HD_RAL_GET_i8(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_i16 "i16"
#define HD_RAL_C_i16 int16_t
#define HD_RAL_GET_i16(slot) (*(const int16_t *)(slot))
#define HD_RAL_NAME_i32 "i32"
#define HD_RAL_C_i32 int32_t
#define HD_RAL_GET_i32(slot) (*(const int32_t *)(slot))
#define HD_RAL_NAME_i64 "i64"
#define HD_RAL_C_i64 int64_t
#define HD_RAL_GET_i64(slot) (*(const int64_t *)(slot))
#define HD_RAL_NAME_ui2 "ui2"
#define HD_RAL_C_ui2 uint8_t
#define HD_RAL_GET_ui2(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_ui4 "ui4"
#define HD_RAL_C_ui4 uint8_t
#define HD_RAL_GET_ui4(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_ui8 "ui8"
#define HD_RAL_C_ui8 uint8_t
#define HD_RAL_GET_ui8(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_ui16 "ui16"
#define HD_RAL_C_ui16 uint16_t
#define HD_RAL_GET_ui16(slot) (*(const uint16_t *)(slot))
#define HD_RAL_NAME_ui32 "ui32"
#define HD_RAL_C_ui32 uint32_t
#define HD_RAL_GET_ui32(slot) (*(const uint32_t *)(slot))
#define HD_RAL_NAME_ui64 "ui64"
#define HD_RAL_C_ui64 uint64_t
#define HD_RAL_GET_ui64(slot) (*(const uint64_t *)(slot))
#define HD_RAL_NAME_si2 "si2"
#define HD_RAL_C_si2 int8_t
#define HD_RAL_GET_si2(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_si4 "si4"
#define HD_RAL_C_si4 int8_t
#define HD_RAL_GET_si4(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_si8 "si8"
#define HD_RAL_C_si8 int8_t
#define HD_RAL_GET_si8(slot) (*(const int8_t *)(slot))
#define HD_RAL_NAME_si16 "si16"
#define HD_RAL_C_si16 int16_t
#define HD_RAL_GET_si16(slot) (*(const int16_t *)(slot))
#define HD_RAL_NAME_si32 "si32"
#define HD_RAL_C_si32 int32_t
#define HD_RAL_GET_si32(slot) (*(const int32_t *)(slot))
#define HD_RAL_NAME_si64 "si64"
#define HD_RAL_C_si64 int64_t
#define HD_RAL_GET_si64(slot) (*(const int64_t *)(slot))
#define HD_RAL_NAME_f16 "f16"
#define HD_RAL_C_f16 uint16_t
#define HD_RAL_GET_f16(slot) (*(const uint16_t *)(slot))
#define HD_RAL_NAME_bf16 "bf16"
#define HD_RAL_C_bf16 uint16_t
#define HD_RAL_GET_bf16(slot) (*(const uint16_t *)(slot))
#define HD_RAL_NAME_f32 "f32"
#define HD_RAL_C_f32 float
#define HD_RAL_GET_f32(slot) (*(const float *)(slot))
#define HD_RAL_NAME_f64 "f64"
#define HD_RAL_C_f64 double
#define HD_RAL_GET_f64(slot) (*(const double *)(slot))
#define HD_RAL_NAME_cf32 "cf32"
#define HD_RAL_C_cf32 hd_ral_cf32
#define HD_RAL_GET_cf32(slot) (*(const hd_ral_cf32 *)(slot))
#define HD_RAL_NAME_cf64 "cf64"
#define HD_RAL_C_cf64 hd_ral_cf64
#define HD_RAL_GET_cf64(slot) (*(const hd_ral_cf64 *)(slot))
#define HD_RAL_NAME_f4E2M1FN "f4E2M1FN"
#define HD_RAL_C_f4E2M1FN uint8_t
#define HD_RAL_GET_f4E2M1FN(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f6E2M3FN "f6E2M3FN"
#define HD_RAL_C_f6E2M3FN uint8_t
#define HD_RAL_GET_f6E2M3FN(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f6E3M2FN "f6E3M2FN"
#define HD_RAL_C_f6E3M2FN uint8_t
#define HD_RAL_GET_f6E3M2FN(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E3M4 "f8E3M4"
#define HD_RAL_C_f8E3M4 uint8_t
#define HD_RAL_GET_f8E3M4(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E4M3 "f8E4M3"
#define HD_RAL_C_f8E4M3 uint8_t
#define HD_RAL_GET_f8E4M3(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E4M3FN "f8E4M3FN"
#define HD_RAL_C_f8E4M3FN uint8_t
#define HD_RAL_GET_f8E4M3FN(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E4M3FNUZ "f8E4M3FNUZ"
#define HD_RAL_C_f8E4M3FNUZ uint8_t
#define HD_RAL_GET_f8E4M3FNUZ(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E4M3B11FNUZ "f8E4M3B11FNUZ"
#define HD_RAL_C_f8E4M3B11FNUZ uint8_t
#define HD_RAL_GET_f8E4M3B11FNUZ(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E5M2 "f8E5M2"
#define HD_RAL_C_f8E5M2 uint8_t
#define HD_RAL_GET_f8E5M2(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E5M2FNUZ "f8E5M2FNUZ"
#define HD_RAL_C_f8E5M2FNUZ uint8_t
#define HD_RAL_GET_f8E5M2FNUZ(slot) (*(const uint8_t *)(slot))
#define HD_RAL_NAME_f8E8M0FNU "f8E8M0FNU"
#define HD_RAL_C_f8E8M0FNU uint8_t
#define HD_RAL_GET_f8E8M0FNU(slot) (*(const uint8_t *)(slot))
#define HD_RAL_ELEMENT_any "*"
#define HD_RAL_ELEMENT_i1 "i1"
#define HD_RAL_ELEMENT_i2 "i2"
#define HD_RAL_ELEMENT_i4 "i4"
#define HD_RAL_ELEMENT_i8 "i8"
#define HD_RAL_ELEMENT_i16 "i16"
#define HD_RAL_ELEMENT_i32 "i32"
#define HD_RAL_ELEMENT_i64 "i64"
#define HD_RAL_ELEMENT_ui2 "ui2"
#define HD_RAL_ELEMENT_ui4 "ui4"
#define HD_RAL_ELEMENT_ui8 "ui8"
#define HD_RAL_ELEMENT_ui16 "ui16"
#define HD_RAL_ELEMENT_ui32 "ui32"
#define HD_RAL_ELEMENT_ui64 "ui64"
#define HD_RAL_ELEMENT_si2 "si2"
#define HD_RAL_ELEMENT_si4 "si4"
#define HD_RAL_ELEMENT_si8 "si8"
#define HD_RAL_ELEMENT_si16 "si16"
#define HD_RAL_ELEMENT_si32 "si32"
#define HD_RAL_ELEMENT_si64 "si64"
#define HD_RAL_ELEMENT_f16 "f16"
#define HD_RAL_ELEMENT_bf16 "bf16"
#define HD_RAL_ELEMENT_f32 "f32"
#define HD_RAL_ELEMENT_f64 "f64"
#define HD_RAL_ELEMENT_cf32 "cf32"
#define HD_RAL_ELEMENT_cf64 "cf64"
#define HD_RAL_ELEMENT_f4E2M1FN "f4E2M1FN"
#define HD_RAL_ELEMENT_f6E2M3FN "f6E2M3FN"
#define HD_RAL_ELEMENT_f6E3M2FN "f6E3M2FN"
#define HD_RAL_ELEMENT_f8E3M4 "f8E3M4"
#define HD_RAL_ELEMENT_f8E4M3 "f8E4M3"
#define HD_RAL_ELEMENT_f8E4M3FN "f8E4M3FN"
#define HD_RAL_ELEMENT_f8E4M3FNUZ "f8E4M3FNUZ"
#define HD_RAL_ELEMENT_f8E4M3B11FNUZ "f8E4M3B11FNUZ"
#define HD_RAL_ELEMENT_f8E5M2 "f8E5M2"
#define HD_RAL_ELEMENT_f8E5M2FNUZ "f8E5M2FNUZ"
#define HD_RAL_ELEMENT_f8E8M0FNU "f8E8M0FNU"
#define HD_RAL_ELEMENT_token "token"

/* ---- one macro call per argument, with its position
 * ------------------------------------------------------------------ */

#define HD_RAL_COUNT(...)                                                                                             \
  HD_RAL_COUNT_(__VA_ARGS__ __VA_OPT__(, ) 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, \
                4, 3, 2, 1, 0)
#define HD_RAL_COUNT_(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, \
                      c22, c23, c24, n, ...)                                                                          \
  n
#define HD_RAL_JOIN(a, b) HD_RAL_JOIN_(a, b)
#define HD_RAL_JOIN_(a, b) a##b
#define HD_RAL_MAP(F, ...) HD_RAL_JOIN(HD_RAL_MAP_, HD_RAL_COUNT(__VA_ARGS__))(F, 1 __VA_OPT__(, ) __VA_ARGS__)
#define HD_RAL_MAP_0(F, i)
#define HD_RAL_MAP_1(F, i, a) F(i, a)
#define HD_RAL_MAP_2(F, i, a, ...) F(i, a) HD_RAL_MAP_1(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_3(F, i, a, ...) F(i, a) HD_RAL_MAP_2(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_4(F, i, a, ...) F(i, a) HD_RAL_MAP_3(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_5(F, i, a, ...) F(i, a) HD_RAL_MAP_4(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_6(F, i, a, ...) F(i, a) HD_RAL_MAP_5(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_7(F, i, a, ...) F(i, a) HD_RAL_MAP_6(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_8(F, i, a, ...) F(i, a) HD_RAL_MAP_7(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_9(F, i, a, ...) F(i, a) HD_RAL_MAP_8(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_10(F, i, a, ...) F(i, a) HD_RAL_MAP_9(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_11(F, i, a, ...) F(i, a) HD_RAL_MAP_10(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_12(F, i, a, ...) F(i, a) HD_RAL_MAP_11(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_13(F, i, a, ...) F(i, a) HD_RAL_MAP_12(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_14(F, i, a, ...) F(i, a) HD_RAL_MAP_13(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_15(F, i, a, ...) F(i, a) HD_RAL_MAP_14(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_16(F, i, a, ...) F(i, a) HD_RAL_MAP_15(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_17(F, i, a, ...) F(i, a) HD_RAL_MAP_16(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_18(F, i, a, ...) F(i, a) HD_RAL_MAP_17(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_19(F, i, a, ...) F(i, a) HD_RAL_MAP_18(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_20(F, i, a, ...) F(i, a) HD_RAL_MAP_19(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_21(F, i, a, ...) F(i, a) HD_RAL_MAP_20(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_22(F, i, a, ...) F(i, a) HD_RAL_MAP_21(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_23(F, i, a, ...) F(i, a) HD_RAL_MAP_22(F, i + 1, __VA_ARGS__)
#define HD_RAL_MAP_24(F, i, a, ...) F(i, a) HD_RAL_MAP_23(F, i + 1, __VA_ARGS__)

#define HD_RAL_ARGUMENT_NAME(i, type) "_" HD_RAL_NAME_##type
#define HD_RAL_ARGUMENT(i, type) , HD_RAL_GET_##type(args[i])

/* ---- the rows --------------------------------------------------------------------------------------------------- */

#define HD_RAL_RETURN_void(n, call) call
#define HD_RAL_RETURN_pvoid(n, call) HD_RAL_STORE(void *, n, call)
#define HD_RAL_RETURN_i1(n, call) HD_RAL_STORE(HD_RAL_C_i1, n, call)
#define HD_RAL_RETURN_i2(n, call) HD_RAL_STORE(HD_RAL_C_i2, n, call)
#define HD_RAL_RETURN_i4(n, call) HD_RAL_STORE(HD_RAL_C_i4, n, call)
#define HD_RAL_RETURN_i8(n, call) HD_RAL_STORE(HD_RAL_C_i8, n, call)
#define HD_RAL_RETURN_i16(n, call) HD_RAL_STORE(HD_RAL_C_i16, n, call)
#define HD_RAL_RETURN_i32(n, call) HD_RAL_STORE(HD_RAL_C_i32, n, call)
#define HD_RAL_RETURN_i64(n, call) HD_RAL_STORE(HD_RAL_C_i64, n, call)
#define HD_RAL_RETURN_ui2(n, call) HD_RAL_STORE(HD_RAL_C_ui2, n, call)
#define HD_RAL_RETURN_ui4(n, call) HD_RAL_STORE(HD_RAL_C_ui4, n, call)
#define HD_RAL_RETURN_ui8(n, call) HD_RAL_STORE(HD_RAL_C_ui8, n, call)
#define HD_RAL_RETURN_ui16(n, call) HD_RAL_STORE(HD_RAL_C_ui16, n, call)
#define HD_RAL_RETURN_ui32(n, call) HD_RAL_STORE(HD_RAL_C_ui32, n, call)
#define HD_RAL_RETURN_ui64(n, call) HD_RAL_STORE(HD_RAL_C_ui64, n, call)
#define HD_RAL_RETURN_si2(n, call) HD_RAL_STORE(HD_RAL_C_si2, n, call)
#define HD_RAL_RETURN_si4(n, call) HD_RAL_STORE(HD_RAL_C_si4, n, call)
#define HD_RAL_RETURN_si8(n, call) HD_RAL_STORE(HD_RAL_C_si8, n, call)
#define HD_RAL_RETURN_si16(n, call) HD_RAL_STORE(HD_RAL_C_si16, n, call)
#define HD_RAL_RETURN_si32(n, call) HD_RAL_STORE(HD_RAL_C_si32, n, call)
#define HD_RAL_RETURN_si64(n, call) HD_RAL_STORE(HD_RAL_C_si64, n, call)
#define HD_RAL_RETURN_f16(n, call) HD_RAL_STORE(HD_RAL_C_f16, n, call)
#define HD_RAL_RETURN_bf16(n, call) HD_RAL_STORE(HD_RAL_C_bf16, n, call)
#define HD_RAL_RETURN_f32(n, call) HD_RAL_STORE(HD_RAL_C_f32, n, call)
#define HD_RAL_RETURN_f64(n, call) HD_RAL_STORE(HD_RAL_C_f64, n, call)
#define HD_RAL_RETURN_cf32(n, call) HD_RAL_STORE(HD_RAL_C_cf32, n, call)
#define HD_RAL_RETURN_cf64(n, call) HD_RAL_STORE(HD_RAL_C_cf64, n, call)
#define HD_RAL_RETURN_f4E2M1FN(n, call) HD_RAL_STORE(HD_RAL_C_f4E2M1FN, n, call)
#define HD_RAL_RETURN_f6E2M3FN(n, call) HD_RAL_STORE(HD_RAL_C_f6E2M3FN, n, call)
#define HD_RAL_RETURN_f6E3M2FN(n, call) HD_RAL_STORE(HD_RAL_C_f6E3M2FN, n, call)
#define HD_RAL_RETURN_f8E3M4(n, call) HD_RAL_STORE(HD_RAL_C_f8E3M4, n, call)
#define HD_RAL_RETURN_f8E4M3(n, call) HD_RAL_STORE(HD_RAL_C_f8E4M3, n, call)
#define HD_RAL_RETURN_f8E4M3FN(n, call) HD_RAL_STORE(HD_RAL_C_f8E4M3FN, n, call)
#define HD_RAL_RETURN_f8E4M3FNUZ(n, call) HD_RAL_STORE(HD_RAL_C_f8E4M3FNUZ, n, call)
#define HD_RAL_RETURN_f8E4M3B11FNUZ(n, call) HD_RAL_STORE(HD_RAL_C_f8E4M3B11FNUZ, n, call)
#define HD_RAL_RETURN_f8E5M2(n, call) HD_RAL_STORE(HD_RAL_C_f8E5M2, n, call)
#define HD_RAL_RETURN_f8E5M2FNUZ(n, call) HD_RAL_STORE(HD_RAL_C_f8E5M2FNUZ, n, call)
#define HD_RAL_RETURN_f8E8M0FNU(n, call) HD_RAL_STORE(HD_RAL_C_f8E8M0FNU, n, call)
#define HD_RAL_STORE(type, n, call)                            \
  do {                                                         \
    type result = call;                                        \
    if (hd_ral_failed(ctx)) memset(&result, 0, sizeof result); \
    *(type *)args[1 + (n)] = result;                           \
  } while (0)
#define HD_RAL_NAME_void "void"

#define HD_RAL_ENCODED(prefix, result, ...) \
  prefix "___pvoid" HD_RAL_MAP(HD_RAL_ARGUMENT_NAME, __VA_ARGS__) "___" HD_RAL_NAME_##result

#define HD_RAL_API(prefix, function, result, ...)                                                              \
  static void function##_erased(void *ctx, void **args) {                                                      \
    (void)args;                                                                                                \
    HD_RAL_RETURN_##result(HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
  }                                                                                                            \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

#define HD_RAL_LIBRARY(prefix, function, result, ...)                                                          \
  static void function##_erased(void *ctx, void **args) {                                                      \
    int64_t start = hd_ral_library_begin(ctx);                                                                 \
    HD_RAL_RETURN_##result(HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
    hd_ral_library_end(ctx, prefix, start);                                                                    \
  }                                                                                                            \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

/* Ends a file of APIs: hd_ral_table_<name>, a list of rows ended by null. */
#define HD_RAL_ROW(i, function) &function##_api,
#define HD_RAL_TABLE(name, ...)                         \
  extern const hd_ral_api *const hd_ral_table_##name[]; \
  const hd_ral_api *const hd_ral_table_##name[] = {HD_RAL_MAP(HD_RAL_ROW, __VA_ARGS__) NULL};

/* The functions of |names|, in their order; NOT_FOUND names the missing one and the nearest that there is. */
hd_status hd_ral_resolve(const char *const *names, uint32_t count, hd_ral_fn *out_functions) HD_MUST_USE;

#endif
