/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses that passes share. A result belongs to one function; it is computed when a pass first asks for it and stays
 * valid until a pass changes the module without preserving it (the |preserves| column of passes/passes.def). Freed
 * memory is overwritten in builds with assertions, so a pointer into a result that is no longer valid is found out.
 * Thread-compatible. */
#ifndef HD_PASS_ANALYSES_H_
#define HD_PASS_ANALYSES_H_

#include "base/strbuf.h"
#include "pass/pass.h"

struct hd_analysis_info {
  const char *name;
  hd_analyses bit;                                /* in a pass's |preserves| */
  void *(*compute)(hd_op *func, hd_arena *arena); /* never null; all its memory is |arena|'s */
  void (*print)(void *result, hd_strbuf *out);    /* what is known of the values that the function has now */
};

typedef struct hd_analysis_result {
  const hd_analysis_info *info;
  hd_op *func;
  hd_arena arena;
  void *result; /* null while it is computed */
} hd_analysis_result;

/* The valid results of one run of a pipeline. */
struct hd_analysis_cache {
  hd_context *context;
  hd_arena arena;
  hd_vec(hd_analysis_result *) results;
};

void hd_analysis_cache_init(hd_analysis_cache *cache, hd_context *context);
void hd_analysis_cache_free(hd_analysis_cache *cache);
/* Frees the results of the analyses that |preserved| does not name. */
void hd_analysis_cache_keep(hd_analysis_cache *cache, hd_analyses preserved);
/* Computes every valid result anew and compares what both print. False, with an error at the function, where they
 * differ: |pass| changed what it claims to preserve. */
bool hd_analysis_cache_verify(hd_analysis_cache *cache, const hd_pass_info *pass);

/* The result for |func|, lent until the pass ends. A pass that runs outside of a pipeline gets one of its own. */
void *hd_pass_analysis(hd_pass *pass, const hd_analysis_info *info, hd_op *func);

#endif
