/* SPDX-License-Identifier: Apache-2.0 */
/* libheddle.so, opened only when something has to be compiled or evaluated: a run from an artifact or from the cache
 * never loads it, nor LLVM. Thread-safe: what it finds, it finds once. */
#ifndef HD_FRONT_COMPILER_COMPILER_H_
#define HD_FRONT_COMPILER_COMPILER_H_

#include "base/status.h"
#include "heddle/compile.h"
#include "heddle/generalize.h"
#include "heddle/indexing_map.h"
#include "heddle/layout.h"

/* The functions of the library's headers that are called. */
#define HD_COMPILER_FUNCTIONS(X) \
  X(hd_blob_free)                \
  X(hd_compile)                  \
  X(hd_eval)                     \
  X(hd_eval_results_count)       \
  X(hd_eval_results_get)         \
  X(hd_eval_results_free)        \
  X(hd_program_signature)        \
  X(hd_check)                    \
  X(hd_bisect)                   \
  X(hd_reduce)                   \
  X(hd_layout_show)              \
  X(hd_indexing_map_show)        \
  X(hd_output_writer)            \
  X(hd_explain)                  \
  X(hd_program_cost)             \
  X(hd_opt)                      \
  X(hd_opt_help)                 \
  X(hd_shape_form_create)        \
  X(hd_shape_form_release)       \
  X(hd_shape_form_key)           \
  X(hd_shape_form_identity)      \
  X(hd_shape_form_argument)      \
  X(hd_shape_form_unlike)        \
  X(hd_generalize)               \
  X(hd_shape_rule_release)       \
  X(hd_shape_rule_admits)        \
  X(hd_shape_rule_symbols)       \
  X(hd_shape_rule_lifted)        \
  X(hd_shape_rule_feeds)         \
  X(hd_target_check)             \
  X(hd_target_pipeline)          \
  X(hd_targets)                  \
  X(hd_compiler_version)

typedef struct hd_compiler {
#define X(name) __typeof__(&name) name;
  HD_COMPILER_FUNCTIONS(X)
#undef X
} hd_compiler;

/* The library's functions; it stays open until the process ends. UNAVAILABLE when it is missing or another version. */
hd_status hd_compiler_open(const hd_compiler **out_compiler) HD_MUST_USE;

/* |status|, of a driver that could not be opened for |target|; where |target| is none that can be compiled for,
 * whatever devices there are, the failure that says so, which begins with |by|. Takes |status|. */
hd_status hd_compiler_target_status(const char *by, const char *target, hd_status status) HD_MUST_USE;

/* hd_blob_free, for what the library gave. */
void hd_compiler_free(hd_blob *blob);

/* What tells this build of the library from another, for the cache: path, size and time of its file. "" when missing.
 */
const char *hd_compiler_identity(void);

#endif
