/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses that passes share. A result belongs to one function; it is computed when a pass first asks for it and stays
 * valid until a pass changes the module without preserving it (the |preserves| column of passes/passes.def). What is
 * preserved can be verified, and what is not poisoned: a pointer into a result that is no longer valid is found out.
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
  bool verify; /* what passes say that they preserve, and poison the rest */
};

void hd_analysis_cache_init(hd_analysis_cache *cache, hd_context *context, bool verify);
void hd_analysis_cache_free(hd_analysis_cache *cache);
/* |pass| has changed the program: the results that it does not preserve are freed. When |verify| is set they are
 * poisoned in place of that, and freed with the cache; the others are computed anew and what both print is compared.
 * False, with an error at the function, where that differs: the pass changed what it claims to preserve. */
bool hd_analysis_cache_update(hd_analysis_cache *cache, const hd_pass_info *pass);

/* The result for |func|, lent until the pass ends. A pass that has changed something and does not preserve the analysis
 * gets one of its own, as one does that runs outside of a pipeline. */
void *hd_pass_analysis(hd_pass *pass, const hd_analysis_info *info, hd_op *func);

#endif
