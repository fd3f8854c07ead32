/* SPDX-License-Identifier: Apache-2.0 */
/* The GEMM library's context, its memory, and the door. */
#include "runtime/libraries/gemm.h"

#include <stdlib.h>

#include "runtime/libraries/gemm_problem.h"
#include "runtime/libraries/onednn.h"

/* Larger blocks, copies of whole operands, go back to the system at once. */
static const size_t most_kept_bytes = 32u << 20;

hd_status hd_gemm_context_create(uint64_t cpu_features, hd_gemm_context **out_context) {
  *out_context = NULL;
  if (!hd_gemm_kernels_at(0)) return hd_make_status(HD_UNIMPLEMENTED, "gemm: this build has no generated kernels");
  if (!cpu_features) cpu_features = hd_cpu_features();
  const hd_gemm_kernels *kernels = hd_gemm_kernels_find(cpu_features);
  if (!kernels) return hd_make_status(HD_UNIMPLEMENTED, "gemm: expected a CPU with at least AVX2, FMA and F16C");
  hd_gemm_context *context = calloc(1, sizeof *context);
  if (!context) return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: no memory for a context");
  context->kernels = kernels;
  context->pairs = hd_gemm_pairs_find(cpu_features);
  HD_ASSERT(!context->pairs || kernels->transpose[HD_ELEMENT_I32][HD_GEMM_I32]); /* gemm_pairs.c turns words by it */
  context->caches = hd_cpu_cache_sizes();
  hd_fork_mutex_init(&context->lock, HD_FORK_INNER);
  *out_context = context;
  return HD_STATUS_OK;
}

void hd_gemm_context_release(hd_gemm_context *context) {
  if (!context) return;
  while (context->free_blocks) {
    hd_gemm_block *block = context->free_blocks;
    context->free_blocks = block->next;
    free(block->data);
    free(block);
  }
  hd_fork_mutex_destroy(&context->lock);
  free(context);
}

const hd_gemm_kernels *hd_gemm_context_kernels(const hd_gemm_context *context) { return context->kernels; }

hd_gemm_block *hd_gemm_block_acquire(hd_gemm_context *context, size_t bytes) {
  hd_gemm_block *found = NULL;
  hd_fork_mutex_lock(&context->lock);
  for (hd_gemm_block **at = &context->free_blocks; *at; at = &(*at)->next) {
    if ((*at)->bytes < bytes) continue;
    found = *at;
    *at = found->next;
    break;
  }
  /* A block that is too small for today's products only takes memory. */
  hd_gemm_block *small = found ? NULL : context->free_blocks;
  if (small) context->free_blocks = small->next;
  hd_fork_mutex_unlock(&context->lock);
  if (small) {
    free(small->data);
    free(small);
  }
  if (found) return found;
  if (bytes > PTRDIFF_MAX - 4096) return NULL;
  hd_gemm_block *block = malloc(sizeof *block);
  if (!block) return NULL;
  block->bytes = (bytes + 4095) / 4096 * 4096;
  block->data = aligned_alloc(64, block->bytes);
  if (!block->data) {
    free(block);
    return NULL;
  }
  return block;
}

void hd_gemm_block_release(hd_gemm_context *context, hd_gemm_block *block) {
  if (!block) return;
  if (block->bytes > most_kept_bytes) {
    free(block->data);
    free(block);
    return;
  }
  hd_fork_mutex_lock(&context->lock);
  block->next = context->free_blocks;
  context->free_blocks = block;
  hd_fork_mutex_unlock(&context->lock);
}

hd_status hd_gemm(hd_gemm_context *context, const hd_gemm_call *call) {
  hd_gemm_problem problem;
  hd_gemm_block *copy_a, *copy_b;
  HD_TRY(hd_gemm_problem_make(context, call, &problem, &copy_a, &copy_b));
  hd_status status;
  if (call->library == HD_GEMM_ONEDNN) {
    status = hd_onednn_gemm(context, &problem, call->env);
  } else {
    hd_gemm_packed packed = {0};
    if (!copy_b) hd_gemm_pack_once(&problem, call->env, &packed);
    status = hd_gemm_run(context, &problem, packed.data ? &packed : NULL, call->env);
  }
  hd_gemm_block_release(context, copy_a);
  hd_gemm_block_release(context, copy_b);
  return status;
}
