/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bf16 by words of two input features (gemm_pairs.c): the input is copied to words, position by
 * position, and the kernel becomes panels of them. All else is as with elements, a word in place of one. Where some
 * factor, product or sum could be denormal, tiles take the words apart. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

/* A single feature would fill half of each word; groups begin with a word. */
bool hd_conv_is_pairs(const hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  return c->p.pairs && c->p.k && call->input_features > 1 &&
         (call->feature_groups == 1 || call->input_features % 2 == 0);
}

typedef struct kernel_words {
  const hd_conv_problem *c;
  char *to;
  atomic_uint least;
} kernel_words;

static void pack_panels(void *argument, int64_t begin, int64_t end) {
  kernel_words *words = argument;
  const hd_conv_problem *c = words->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_least least = hd_gemm_least_none();
  hd_gemm_problem p = c->p;
  p.b_k = call->kernel_input_step;
  p.b_n = call->output_features == 1 ? 1 : call->kernel_output_step;
  int64_t positions = w[0].kernel * w[1].kernel * w[2].kernel;
  for (int64_t at = begin; at < end; ++at) {
    hd_conv_panel panel = hd_conv_open_panel(c, words->to, at);
    for (int64_t position = 0; position < positions;
         ++position, panel.to += c->depth * panel.width * (int64_t)c->p.size) {
      int64_t rest = position, from = panel.group * c->features * call->kernel_output_step;
      for (int i = 2; i >= 0; --i) {
        int64_t k = rest % w[i].kernel;
        rest /= w[i].kernel;
        from += (w[i].reversed ? w[i].kernel - 1 - k : k) * w[i].kernel_step;
      }
      hd_gemm_pair_b(&p, (const char *)call->kernel + from * (int64_t)p.b_size, 0, call->input_features, panel.first,
                     panel.valid, panel.to, panel.width, temporary, &least);
    }
  }
  hd_gemm_lower_least(&words->least, &least);
}

/* Behind the panels. */
static uint32_t *least_in(const hd_conv_problem *c, const void *panels) {
  return (uint32_t *)(void *)((char *)(uintptr_t)panels + (size_t)c->groups * c->packed.step_bytes);
}

static void pack_once(void *argument, void *to) {
  kernel_words *words = argument;
  const hd_conv_problem *c = words->c;
  words->to = to;
  pack_panels(words, 0, c->panels.count * c->groups);
  *least_in(c, to) = atomic_load_explicit(&words->least, memory_order_relaxed);
}

hd_status hd_conv_prepare_pairs(hd_conv_problem *c, hd_gemm_block **out_input, hd_gemm_block **out_panels) {
  const hd_conv_call *call = c->call;
  hd_gemm_problem *p = &c->p;
  hd_conv_form form = {.images = call->batch * call->batch_groups,
                       .lanes = hd_gemm_words(call->input_features * call->feature_groups),
                       .lane_step = call->input_feature_step,
                       .planes = 1};
  int64_t pitch;
  atomic_uint least_input = UINT16_MAX;
  HD_TRY(hd_conv_copy_input(c, &form, out_input, &pitch, &least_input));
  p->k = p->k / call->input_features * c->depth;
  c->panels = hd_gemm_panels_of(p, HD_GEMM_PAIRS, p->n);
  int64_t columns = (c->panels.count - 1) * c->panels.width + c->panels.last_vectors * c->panels.lanes;
  size_t bytes = 0;
  c->packed = (hd_gemm_packed){.slot = HD_GEMM_PAIRS, .element_size = p->size};
  if (__builtin_mul_overflow((size_t)(columns * p->k), p->size, &c->packed.step_bytes) ||
      __builtin_mul_overflow(c->packed.step_bytes, (size_t)c->groups, &bytes) || bytes > PTRDIFF_MAX - 128)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: a kernel of more than 2^63 bytes");
  kernel_words words = {.c = c, .least = UINT16_MAX};
  c->packed.data = call->env && call->env->keep ? call->env->keep(call->env->user, call->kernel, hd_conv_use(c),
                                                                  bytes + sizeof(uint32_t), pack_once, &words)
                                                : NULL;
  if (!c->packed.data) {
    *out_panels = hd_gemm_block_acquire(c->context, bytes + 64);
    if (!*out_panels) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory to pack the kernel");
    c->packed.data = words.to = (*out_panels)->data;
    hd_conv_in_parallel(c, c->panels.count * c->groups, (double)(c->panels.width * p->k) * 8 / HD_GEMM_BYTES_PER_GRAIN,
                        pack_panels, &words);
    *least_in(c, words.to) = words.least;
  }
  c->exact = !hd_gemm_never_denormal(least_input, *least_in(c, c->packed.data));
  return NULL;
}
