/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/analyses.h"

void hd_analysis_cache_init(hd_analysis_cache *cache, hd_context *context) {
  *cache = (hd_analysis_cache){.context = context};
  hd_scratch_init(&cache->arena, &context->budget);
}

void hd_analysis_cache_free(hd_analysis_cache *cache) {
  hd_analysis_cache_keep(cache, HD_PRESERVES_NOTHING);
  hd_arena_free(&cache->arena);
}

void hd_analysis_cache_keep(hd_analysis_cache *cache, hd_analyses preserved) {
  size_t kept = 0;
  for (size_t i = 0; i < cache->results.len; ++i) {
    hd_analysis_result *r = cache->results.data[i];
    if (r->result && preserved & r->info->bit)
      cache->results.data[kept++] = r;
    else
      hd_arena_free(&r->arena);
  }
  cache->results.len = kept;
}

static bool differs(const hd_analysis_result *r, hd_budget *budget) {
  hd_arena scratch;
  hd_scratch_init(&scratch, budget);
  hd_strbuf cached, computed;
  hd_strbuf_init(&cached, &scratch);
  hd_strbuf_init(&computed, &scratch);
  r->info->print(r->result, &cached);
  r->info->print(r->info->compute(r->func, &scratch), &computed);
  bool differ = !hd_str_equal((hd_str){cached.data, cached.len}, (hd_str){computed.data, computed.len});
  hd_arena_free(&scratch);
  return differ;
}

bool hd_analysis_cache_verify(hd_analysis_cache *cache, const hd_pass_info *pass) {
  for (size_t i = 0; i < cache->results.len; ++i) {
    hd_analysis_result *r = cache->results.data[i];
    if (differs(r, &cache->context->budget))
      return hd_op_error(r->func, "pass '%s' says that it preserves the analysis '%s', which differs after it",
                         pass->name, r->info->name);
  }
  return true;
}

static void free_arena(void *arena) { hd_arena_free(arena); }

void *hd_pass_analysis(hd_pass *pass, const hd_analysis_info *info, hd_op *func) {
  hd_analysis_cache *cache = pass->analyses;
  if (!cache) return info->compute(func, &pass->arena);
  for (size_t i = 0; i < cache->results.len; ++i) {
    hd_analysis_result *r = cache->results.data[i];
    if (r->info == info && r->func == func) return r->result;
  }
  hd_analysis_result *r = hd_new(&cache->arena, hd_analysis_result);
  *r = (hd_analysis_result){.info = info, .func = func};
  hd_arena_init(&r->arena, &cache->context->budget);
  *hd_arena_on_free(&cache->arena, free_arena) = &r->arena; /* computing it may run out of memory */
  hd_vec_push(&cache->arena, &cache->results, r);
  r->result = info->compute(func, &r->arena);
  return r->result;
}
