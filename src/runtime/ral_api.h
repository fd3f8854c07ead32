/* SPDX-License-Identifier: Apache-2.0 */
/* Defining RAL APIs of the runtime: heddle/ral.h, and HD_RAL_API for those that are no library's: they are not
 * counted and do not appear in the timeline.
 *
 *   HD_RAL_TABLE(gemm, gemm_f32, gemm_bf16)     // and a row RAL_TABLE(gemm) in libraries/libraries.def */
#ifndef HD_RUNTIME_RAL_API_H_
#define HD_RUNTIME_RAL_API_H_

#include "heddle/ral.h"
#include "runtime/ral.h"

#define HD_RAL_API(prefix, function, result, ...)                                                             \
  static void function##_erased(void *ctx, void **args) {                                                     \
    (void)args;                                                                                               \
    HD_RAL_RETURN(result, HD_RAL_COUNT(__VA_ARGS__), function(ctx HD_RAL_MAP(HD_RAL_ARGUMENT, __VA_ARGS__))); \
  }                                                                                                           \
  static const hd_ral_api function##_api = {HD_RAL_ENCODED(prefix, result, __VA_ARGS__), function##_erased};

/* Ends a file of APIs: hd_ral_table_<name>, a list of rows ended by null. */
#define HD_RAL_ROW(i, function) &function##_api,
#define HD_RAL_TABLE(name, ...)                         \
  extern const hd_ral_api *const hd_ral_table_##name[]; \
  const hd_ral_api *const hd_ral_table_##name[] = {HD_RAL_MAP(HD_RAL_ROW, __VA_ARGS__) NULL};

/* The functions of |names| for runs on |driver|, in their order: registered ones first, those of the driver before
 * those of all. NOT_FOUND names the missing one and the nearest that there is. */
hd_status hd_ral_resolve(const char *driver, const char *const *names, uint32_t count,
                         hd_ral_fn *out_functions) HD_MUST_USE;
/* Did an embedder register a function called |prefix|, of any types, for |driver| or for all? Thread-safe. */
bool hd_ral_is_registered(const char *driver, const char *prefix);

#endif
