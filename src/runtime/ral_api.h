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

/* The element types by their RAL names, each with the C type that is an argument or a result: hd_ral_<name>. */
/* clang-format off */
#define HD_RAL_ELEMENTS(X)                                                                                \
  X(i1, bool) X(i2, int8_t) X(i4, int8_t) X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t)   \
  X(ui2, uint8_t) X(ui4, uint8_t) X(ui8, uint8_t) X(ui16, uint16_t) X(ui32, uint32_t) X(ui64, uint64_t)   \
  X(si2, int8_t) X(si4, int8_t) X(si8, int8_t) X(si16, int16_t) X(si32, int32_t) X(si64, int64_t)         \
  X(f16, uint16_t) X(bf16, uint16_t) X(f32, float) X(f64, double) X(cf32, hd_ral_cf32) X(cf64, hd_ral_cf64) \
  X(f4E2M1FN, uint8_t) X(f6E2M3FN, uint8_t) X(f6E3M2FN, uint8_t) X(f8E3M4, uint8_t) X(f8E4M3, uint8_t)    \
  X(f8E4M3FN, uint8_t) X(f8E4M3FNUZ, uint8_t) X(f8E4M3B11FNUZ, uint8_t) X(f8E5M2, uint8_t)                \
  X(f8E5M2FNUZ, uint8_t) X(f8E8M0FNU, uint8_t)
/* clang-format on */
#define X(name, type) typedef type hd_ral_##name;
HD_RAL_ELEMENTS(X)
X(pvoid, void *)
X(any, struct hd_ral_any_element *)
X(token, struct hd_ral_token_element *)
#undef X

/* void, memref or scalar: what |type| is, by whether HD_RAL_KIND_<type> is a macro. */
#define HD_RAL_KIND(type) HD_RAL_SECOND(HD_RAL_KIND_##type, scalar, )
#define HD_RAL_KIND_void , void
#define HD_RAL_KIND_memref(rank, element) , memref
#define HD_RAL_SECOND(...) HD_RAL_SECOND_(__VA_ARGS__)
#define HD_RAL_SECOND_(first, second, ...) second
#define HD_RAL_BY_KIND(macro, type) HD_RAL_BY_KIND_(macro, HD_RAL_KIND(type))
#define HD_RAL_BY_KIND_(macro, kind) HD_RAL_BY_KIND__(macro, kind)
#define HD_RAL_BY_KIND__(macro, kind) macro##_##kind

/* The part of the encoded name. */
#define HD_RAL_NAME(type) HD_RAL_BY_KIND(HD_RAL_NAME, type)(type)
#define HD_RAL_NAME_void(type) "void"
#define HD_RAL_NAME_scalar(type) #type
#define HD_RAL_NAME_memref(type) HD_RAL_NAME_OF_##type
#define HD_RAL_NAME_OF_memref(rank, element) "m" #rank "d" HD_RAL_SECOND(HD_RAL_STAR_##element, #element, )
#define HD_RAL_STAR_any , "*"

/* The argument that |slot| points to. */
#define HD_RAL_GET(type, slot) HD_RAL_BY_KIND(HD_RAL_GET, type)(type, slot)
#define HD_RAL_GET_scalar(type, slot) (*(const hd_ral_##type *)(slot))
#define HD_RAL_GET_memref(type, slot) HD_RAL_GET_MEMREF(slot, HD_RAL_FIELDS_##type)
#define HD_RAL_FIELDS_memref(rank, element) rank, element
#define HD_RAL_GET_MEMREF(...) HD_RAL_GET_MEMREF_(__VA_ARGS__)
#define HD_RAL_GET_MEMREF_(slot, rank, element) ((void)sizeof(hd_ral_##element), (const hd_memref##rank *)(slot))

/* ---- one macro call per argument, with its position ----------------------------------------------------------- */

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

#define HD_RAL_ARGUMENT_NAME(i, type) "_" HD_RAL_NAME(type)
#define HD_RAL_ARGUMENT(i, type) , HD_RAL_GET(type, args[i])

/* ---- the rows --------------------------------------------------------------------------------------------------- */

/* Puts what |call| gives behind the |n| arguments. */
#define HD_RAL_RETURN(type, n, call) HD_RAL_BY_KIND(HD_RAL_RETURN, type)(type, n, call)
#define HD_RAL_RETURN_void(type, n, call) call
#define HD_RAL_RETURN_scalar(type, n, call) HD_RAL_STORE(hd_ral_##type, n, call)
#define HD_RAL_STORE(type, n, call)                            \
  do {                                                         \
    type result = call;                                        \
    if (hd_ral_failed(ctx)) memset(&result, 0, sizeof result); \
    *(type *)args[1 + (n)] = result;                           \
  } while (0)

#define HD_RAL_ENCODED(prefix, result, ...) \
  prefix "___pvoid" HD_RAL_MAP(HD_RAL_ARGUMENT_NAME, __VA_ARGS__) "___" HD_RAL_NAME(result)

#define HD_RAL_API(prefix, function, result, ...)                                                             \
  static void function##_erased(void *ctx, void **args) {                                                     \
    (void)args;                                                                                               \
    HD_RAL_RETURN(result, HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
  }                                                                                                           \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

#define HD_RAL_LIBRARY(prefix, function, result, ...)                                                         \
  static void function##_erased(void *ctx, void **args) {                                                     \
    int64_t start = hd_ral_library_begin(ctx);                                                                \
    HD_RAL_RETURN(result, HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
    hd_ral_library_end(ctx, prefix, start);                                                                   \
  }                                                                                                           \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

/* Ends a file of APIs: hd_ral_table_<name>, a list of rows ended by null. */
#define HD_RAL_ROW(i, function) &function##_api,
#define HD_RAL_TABLE(name, ...)                         \
  extern const hd_ral_api *const hd_ral_table_##name[]; \
  const hd_ral_api *const hd_ral_table_##name[] = {HD_RAL_MAP(HD_RAL_ROW, __VA_ARGS__) NULL};

/* The functions of |names|, in their order; NOT_FOUND names the missing one and the nearest that there is. */
hd_status hd_ral_resolve(const char *const *names, uint32_t count, hd_ral_fn *out_functions) HD_MUST_USE;

#endif
