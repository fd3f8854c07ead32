/* SPDX-License-Identifier: Apache-2.0 */
#include "pass/analyses.h"

void hd_analysis_cache_init(hd_analysis_cache *cache, hd_context *context, bool verify) {
  *cache = (hd_analysis_cache){.context = context, .verify = verify};
  hd_scratch_init(&cache->arena, &context->budget);
}

void hd_analysis_cache_free(hd_analysis_cache *cache) { hd_arena_free(&cache->arena); }

static void drop(hd_analysis_cache *cache, hd_analysis_result *r) {
  if (cache->verify)
    hd_arena_poison(&r->arena);
  else
    hd_arena_free(&r->arena);
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

bool hd_analysis_cache_update(hd_analysis_cache *cache, const hd_pass_info *pass) {
  size_t kept = 0;
  bool ok = true;
  for (size_t i = 0; i < cache->results.len; ++i) {
    hd_analysis_result *r = cache->results.data[i];
    if (!r->result || !(pass->preserves & r->info->bit)) {
      drop(cache, r);
      continue;
    }
    cache->results.data[kept++] = r;
    if (cache->verify && differs(r, &cache->context->budget))
      ok = hd_op_error(r->func, "pass '%s' says that it preserves the analysis '%s', which differs after it",
                       pass->name, r->info->name);
  }
  cache->results.len = kept;
  return ok;
}

static void free_arena(void *arena) { hd_arena_free(arena); }

void *hd_pass_analysis(hd_pass *pass, const hd_analysis_info *info, hd_op *func) {
  hd_analysis_cache *cache = pass->analyses;
  if (!cache || (pass->changed && !(pass->info->preserves & info->bit))) return info->compute(func, &pass->arena);
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
