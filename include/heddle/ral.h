/* SPDX-License-Identifier: Apache-2.0 */
/* The embedder's own functions behind the names that compiled programs call (docs/ral.md), for all devices or one: a
 * product by a vendor's library, say. They come before the runtime's of the same name.
 *
 *   static void product(hd_ral_context *ctx, void *stream, const hd_memref2 *lhs, const hd_memref2 *rhs,
 *                       const hd_memref2 *out, bool lhs_transposed, bool rhs_transposed) { ... }
 *   HD_RAL_LIBRARY("ral_gemm", product, void, pvoid, memref(2, f32), memref(2, f32), memref(2, f32), i1, i1)
 *   ...
 *   hd_status status = hd_ral_register("simt", &product_api);
 *
 * is  ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void
 *
 * The context is not listed: it is argument 0 of every API. Types: pvoid, the scalars below, memref(rank, element) with
 * rank 0 to 8 and an element below or `any`; results: void, pvoid or a scalar. Floats but f32 and f64 come as their
 * bits, types of less than a byte in one. Buffers of a device are addresses there: hd_ral_on_host gives them to the
 * host.
 *
 * A function reports an error with hd_ral_fail and returns; whatever it returns then, the caller's slot is zeroed. It
 * is called on the thread that executes, by several at once, and its context is that execution's alone. */
#ifndef HEDDLE_RAL_H_
#define HEDDLE_RAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "heddle/element.h"
#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hd_runtime;
typedef struct hd_ral_context hd_ral_context; /* a run of a program */

/* args[i] points to argument i, args[n] to the result of a function of n arguments. */
typedef void (*hd_ral_fn)(void *ctx, void **args);

typedef struct hd_ral_api {
  const char *name; /* encoded; "*" for any element type */
  hd_ral_fn fn;
} hd_ral_api;

/* For runs on devices of |driver| (hd_runtime_options.driver; null: all), in executables that are loaded from now on; a
 * later one of the same driver and name replaces it, one without |fn| removes it. Copied. INVALID_ARGUMENT for what is
 * no encoded name; NOT_FOUND for a driver that `heddle devices` does not list, of which "cuda:1" is none. Thread-safe.
 */
HD_API hd_status hd_ral_register(const char *driver, const hd_ral_api *api) HD_MUST_USE;

/* Fails the run with |status| (taken, not OK); the first failure stays. */
HD_API void hd_ral_fail(hd_ral_context *ctx, hd_status status);
static inline bool hd_ral_failed(const void *ctx) { return *(const int32_t *)ctx != 0; }
/* The runtime of the run, lent. */
HD_API struct hd_runtime *hd_ral_runtime(hd_ral_context *ctx);
/* Until what the run has queued on the device is done; false when the run has failed. */
HD_API bool hd_ral_wait(hd_ral_context *ctx);
/* |bytes| at |data| for a function that works on the host: themselves where the host may use them, else a copy, from
 * which what is written goes back when the function returns. The first one waits for the stream. |access|:
 * hd_host_access, ored. Null after a failure, which it reports. */
typedef enum hd_host_access { HD_HOST_READ = 1, HD_HOST_WRITE = 2 } hd_host_access;
HD_API void *hd_ral_on_host(hd_ral_context *ctx, void *data, size_t bytes, int access);

/* Used by HD_RAL_LIBRARY. */
HD_API int64_t hd_ral_library_begin(hd_ral_context *ctx);
HD_API void hd_ral_library_end(hd_ral_context *ctx, const char *name, int64_t start);

/* ---- descriptors ------------------------------------------------------------------------------------------------ */

typedef struct hd_memref0 {
  void *allocated;
  void *aligned;
  int64_t offset;
} hd_memref0;
#define HD_MEMREF(rank)            \
  typedef struct hd_memref##rank { \
    void *allocated;               \
    void *aligned;                 \
    int64_t offset;                \
    int64_t sizes[rank];           \
    int64_t strides[rank];         \
  } hd_memref##rank;
HD_MEMREF(1)
HD_MEMREF(2)
HD_MEMREF(3)
HD_MEMREF(4)
HD_MEMREF(5)
HD_MEMREF(6)
HD_MEMREF(7)
HD_MEMREF(8)

/* ---- types ----------------------------------------------------------------------------------------------------- */

/* hd_ral_<name>: the C type of an argument or a result of the element type with that RAL name. */
#define X(id, number, class, bits, text, ral_name, xla_name, c_type) typedef c_type hd_ral_##ral_name;
HD_ELEMENT_TYPES(X)
#undef X
typedef void *hd_ral_pvoid;
typedef struct hd_ral_any_element *hd_ral_any;

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

/* F(1, a) F(2, b) ... of the listed arguments, at most 80: each scan of EXPAND brings the next STEP. */
#define HD_RAL_MAP(F, ...) __VA_OPT__(HD_RAL_EXPAND(HD_RAL_STEP(F, 1, __VA_ARGS__)))
#define HD_RAL_STEP(F, i, a, ...) F(i, a) __VA_OPT__(HD_RAL_AGAIN HD_RAL_PARENTHESES(F, i + 1, __VA_ARGS__))
#define HD_RAL_AGAIN() HD_RAL_STEP
#define HD_RAL_PARENTHESES ()
#define HD_RAL_EXPAND(...) HD_RAL_EXPAND_27(HD_RAL_EXPAND_27(HD_RAL_EXPAND_27(__VA_ARGS__)))
#define HD_RAL_EXPAND_27(...) HD_RAL_EXPAND_9(HD_RAL_EXPAND_9(HD_RAL_EXPAND_9(__VA_ARGS__)))
#define HD_RAL_EXPAND_9(...) HD_RAL_EXPAND_3(HD_RAL_EXPAND_3(HD_RAL_EXPAND_3(__VA_ARGS__)))
#define HD_RAL_EXPAND_3(...) HD_RAL_SCAN(HD_RAL_SCAN(HD_RAL_SCAN(__VA_ARGS__)))
#define HD_RAL_SCAN(...) __VA_ARGS__
#define HD_RAL_COUNT(...) (0 HD_RAL_MAP(HD_RAL_ONE, __VA_ARGS__))
#define HD_RAL_ONE(i, type) +1

#define HD_RAL_ARGUMENT_NAME(i, type) "_" HD_RAL_NAME(type)
#define HD_RAL_ARGUMENT(i, type) , HD_RAL_GET(type, args[i])

/* ---- the row ---------------------------------------------------------------------------------------------------- */

/* Puts what |call| gives after the |n| arguments. */
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

#define HD_RAL_LIBRARY(prefix, function, result, ...)                                                         \
  static void function##_erased(void *erased, void **args) {                                                  \
    hd_ral_context *ctx = (hd_ral_context *)erased;                                                           \
    int64_t start = hd_ral_library_begin(ctx);                                                                \
    HD_RAL_RETURN(result, HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
    hd_ral_library_end(ctx, prefix, start);                                                                   \
  }                                                                                                           \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

#ifdef __cplusplus
}
#endif
#endif
