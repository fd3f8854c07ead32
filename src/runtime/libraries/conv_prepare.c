/* SPDX-License-Identifier: Apache-2.0 */
/* What a convolution reads, where it cannot be read in place: a copy of the input, the kernel as panels. */
#include <string.h>

#include "base/mix.h"
#include "runtime/libraries/conv_problem.h"

/* The input as [image][d][h][w][plane][lane], compute type, lanes padded to whole vectors, dilation spelled out. */
typedef struct input_copy {
  const hd_conv_problem *c;
  hd_conv_form form;
  char *to;
  int64_t pitch, sizes[3], steps[3], image_step; /* of the copy; sizes before dilation */
  atomic_uint *least;                            /* of pairs, or null */
} input_copy;

static void copy_input_lines(void *argument, int64_t begin, int64_t end) {
  const input_copy *copy = argument;
  const hd_conv_problem *c = copy->c;
  const hd_conv_call *call = c->call;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_least least = hd_gemm_least_none();
  /* A line of the input is a matrix of w x features; packing it as B converts and transposes as needed. */
  hd_gemm_problem p = c->p;
  p.b_type = p.a_type, p.b_size = p.a_size;
  const hd_conv_form *form = &copy->form;
  p.b_k = c->w[2].input_step, p.b_n = form->lanes == 1 ? 1 : form->lane_step;
  int64_t w_step = copy->steps[2] * c->w[2].input_dilation;
  for (int64_t line = begin; line < end; ++line) {
    int64_t h = line % copy->sizes[1], d = line / copy->sizes[1] % copy->sizes[0],
            n = line / copy->sizes[1] / copy->sizes[0];
    const char *from =
        (const char *)call->input +
        (n * call->input_batch_step + d * c->w[0].input_step + h * c->w[1].input_step) * (int64_t)p.b_size;
    char *to = copy->to + (n * copy->image_step + d * copy->steps[0] * c->w[0].input_dilation +
                           h * copy->steps[1] * c->w[1].input_dilation) *
                              (int64_t)p.size;
    if (copy->least) {
      hd_gemm_pair_rows(&p, from, p.b_k, form->lane_step, copy->sizes[2], call->input_features * call->feature_groups,
                        to, w_step, temporary, &least);
      continue;
    }
    for (int64_t plane = 0; plane < form->planes; ++plane, to += copy->pitch * (int64_t)p.size) {
      hd_gemm_pack_b(&p, from + plane * form->plane_step * (int64_t)p.b_size, 0, copy->sizes[2], 0, form->lanes, to,
                     w_step, temporary);
    }
  }
  if (copy->least) hd_gemm_lower_least(copy->least, &least);
}

hd_status hd_conv_copy_input(hd_conv_problem *c, const hd_conv_form *form, hd_gemm_block **out_block,
                             int64_t *out_pitch, atomic_uint *least) {
  int64_t lanes = c->p.kernels->vector_bytes / (int64_t)c->p.size;
  input_copy copy = {.c = c, .form = *form, .least = least};
  /* Few lanes lie side by side, so that those of neighbouring positions are one run of k: each position is written as a
   * whole vector, whose rest the next one writes over, and after a line there is room for the last one's. */
  bool is_dense = form->lanes < lanes && form->planes == 1 && c->w[2].input_dilation == 1;
  copy.pitch = is_dense ? form->lanes : ceil_div(form->lanes, lanes) * lanes;
  int64_t total;
  bool overflow = __builtin_mul_overflow(copy.pitch, form->planes, &total), dilated = false;
  for (int i = 2; i >= 0; --i) {
    copy.sizes[i] = c->w[i].input;
    copy.steps[i] = total;
    dilated |= c->w[i].input_dilation > 1;
    overflow |=
        __builtin_mul_overflow(total, c->w[i].input ? (c->w[i].input - 1) * c->w[i].input_dilation + 1 : 0, &total);
    if (is_dense && i == 2) overflow |= __builtin_add_overflow(total, lanes, &total);
  }
  copy.image_step = total;
  size_t bytes = 0;
  overflow |=
      __builtin_mul_overflow(total, form->images, &total) || __builtin_mul_overflow((size_t)total, c->p.size, &bytes);
  /* The gaps of a dilated last line are part of what a line writes over. */
  size_t slack = (size_t)(copy.steps[2] * c->w[2].input_dilation) * c->p.size + 64;
  hd_gemm_block *to = overflow || bytes > PTRDIFF_MAX - slack ? NULL : hd_gemm_block_acquire(c->context, bytes + slack);
  if (!to) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for a copy of the input");
  copy.to = to->data;
  if (dilated) memset(to->data, 0, bytes);
  int64_t lines = form->images * copy.sizes[0] * copy.sizes[1];
  if (lines > 0 && copy.sizes[2] > 0)
    hd_conv_in_parallel(c, lines, (double)(copy.sizes[2] * copy.steps[2]) * 8 / HD_GEMM_BYTES_PER_GRAIN,
                        copy_input_lines, &copy);
  for (int i = 0; i < 3; ++i) {
    c->w[i].input_step = copy.steps[i];
    c->w[i].input = c->w[i].input ? (c->w[i].input - 1) * c->w[i].input_dilation + 1 : 0;
    c->w[i].input_dilation = 1;
  }
  c->x = to->data;
  c->x_batch = copy.image_step;
  *out_block = to;
  *out_pitch = copy.pitch;
  return NULL;
}

/* The kernel as dense [d][h][w][in][out], compute type, not reversed, rows padded to whole vectors. */
typedef struct kernel_copy {
  const hd_conv_problem *c;
  int64_t pitch;
} kernel_copy;

static void copy_kernel(void *argument, void *to) {
  const kernel_copy *copy = argument;
  const hd_conv_problem *c = copy->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_problem p = c->p;
  p.b_n = call->output_features == 1 ? 1 : call->kernel_output_step;
  int64_t row = copy->pitch * (int64_t)p.size, sizes[] = {w[0].kernel, w[1].kernel, w[2].kernel};
  /* Positions that follow each other in memory are rows of one matrix, as input features are otherwise. */
  int64_t positions = 1;
  for (int i = 2; i >= 0 && call->kernel_input_step != 1; --i) {
    if (w[i].kernel != 1 && (w[i].reversed || w[i].kernel_step != positions)) break;
    positions *= w[i].kernel;
    sizes[i] = 1;
  }
  bool by_features = positions == 1;
  p.b_k = by_features ? call->kernel_input_step : 1;
  int64_t rows = by_features ? call->input_features : positions, planes = by_features ? 1 : call->input_features;
  int64_t to_row = by_features ? copy->pitch : copy->pitch * call->input_features;
  char *out = to;
  for (int64_t d = 0; d < sizes[0]; ++d)
    for (int64_t h = 0; h < sizes[1]; ++h)
      for (int64_t x = 0; x < sizes[2]; ++x, out += rows * planes * row) {
        int64_t at[] = {d, h, x}, from = 0;
        for (int i = 0; i < 3; ++i)
          if (sizes[i] > 1) from += (w[i].reversed ? w[i].kernel - 1 - at[i] : at[i]) * w[i].kernel_step;
        for (int64_t plane = 0; plane < planes; ++plane)
          hd_gemm_pack_b(&p, (const char *)call->kernel + (from + plane * call->kernel_input_step) * (int64_t)p.b_size,
                         0, rows, 0, call->output_features, out + plane * row, to_row, temporary);
      }
}

uint64_t hd_conv_use(const hd_conv_problem *c) {
  const hd_conv_window *w = c->w;
  const int64_t words[] = {c->pairs,
                           c->p.k,
                           c->call->kernel_input_step,
                           c->call->kernel_output_step,
                           c->call->input_features,
                           c->features,
                           c->groups,
                           (int64_t)c->p.b_type,
                           (int64_t)c->p.compute,
                           c->p.kernels->vector_bytes,
                           w[0].kernel,
                           w[0].kernel_step,
                           w[0].reversed,
                           w[1].kernel,
                           w[1].kernel_step,
                           w[1].reversed,
                           w[2].kernel,
                           w[2].kernel_step,
                           w[2].reversed};
  return hd_mix_words(words, sizeof words);
}

static bool kernel_is_matrix(const hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  int64_t step = call->kernel_input_step * call->input_features;
  if (call->kernel_output_step != 1 && call->output_features != 1) return false;
  for (int i = 2; i >= 0; --i) {
    if (c->w[i].kernel == 1) continue;
    if (c->w[i].reversed || c->w[i].kernel_step != step) return false;
    step *= c->w[i].kernel;
  }
  return true;
}

hd_conv_panel hd_conv_open_panel(const hd_conv_problem *c, char *block, int64_t at) {
  int64_t panel = at % c->panels.count, group = at / c->panels.count, first = panel * c->panels.width;
  int64_t width = hd_gemm_panel_vectors(&c->panels, panel) * c->panels.lanes,
          valid = hd_gemm_panel_columns(&c->panels, panel);
  char *to = block + (size_t)group * c->packed.step_bytes + (size_t)(first * c->p.k) * c->p.size;
  if (width - valid >= c->panels.lanes) memset(to, 0, (size_t)(width * c->p.k) * c->p.size);
  return (hd_conv_panel){group, first, width, valid, to};
}

/* Every panel into one block, for this call. */
typedef struct panel_copy {
  const hd_conv_problem *c;
  char *to;
} panel_copy;

static void pack_panels(void *argument, int64_t begin, int64_t end) {
  const panel_copy *copy = argument;
  const hd_conv_problem *c = copy->c;
  char temporary[HD_GEMM_GATHER_BYTES];
  for (int64_t at = begin; at < end; ++at) {
    hd_conv_panel panel = hd_conv_open_panel(c, copy->to, at);
    hd_gemm_pack_b(&c->p, c->p.b + panel.group * c->features * (int64_t)c->p.b_size, 0, c->p.k, panel.first,
                   panel.valid, panel.to, panel.width, temporary);
  }
}

hd_status hd_conv_copy_kernel(hd_conv_problem *c, hd_gemm_block **out_copy) {
  const hd_conv_call *call = c->call;
  hd_gemm_problem *p = &c->p;
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  kernel_copy copy = {.c = c, .pitch = ceil_div(call->output_features, lanes) * lanes};
  size_t bytes;
  if (__builtin_mul_overflow((size_t)p->k * p->size, (size_t)copy.pitch, &bytes))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: a kernel of more than 2^63 bytes");
  const void *kept = call->env && call->env->keep && p->k
                         ? call->env->keep(call->env->user, call->kernel, hd_conv_use(c), bytes, copy_kernel, &copy)
                         : NULL;
  if (!kept) {
    *out_copy = hd_gemm_block_acquire(c->context, bytes + 64);
    if (!*out_copy) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for a copy of the kernel");
    if (p->k) copy_kernel(&copy, (*out_copy)->data);
    kept = (*out_copy)->data;
  }
  static const hd_element_type of_compute[] = {HD_ELEMENT_F32, HD_ELEMENT_F64, HD_ELEMENT_I32, HD_ELEMENT_I64};
  p->b = kept;
  p->b_type = of_compute[p->compute];
  p->b_size = p->size;
  p->b_k = copy.pitch;
  return NULL;
}

hd_status hd_conv_prepare_kernel(hd_conv_problem *c, hd_gemm_block **out_copy, hd_gemm_block **out_panels) {
  const hd_conv_call *call = c->call;
  hd_gemm_problem *p = &c->p;
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  p->b = call->kernel;
  p->b_k = call->kernel_input_step;
  p->b_n = 1;
  if (!kernel_is_matrix(c)) {
    HD_TRY(hd_conv_copy_kernel(c, out_copy));
  } else {
    hd_gemm_pack_once(p, call->env, &c->packed);
  }
  hd_gemm_slot slot = c->packed.data ? c->packed.slot : HD_GEMM_SAME;
  c->panels = hd_gemm_panels_of(p, slot, p->n);
  bool in_place = p->kernels->vector_bytes == 64 && p->b_size == p->size && !c->panels.ragged;
  if (c->packed.data || in_place || p->k == 0) return NULL;
  int64_t columns = (c->panels.count - 1) * c->panels.width + c->panels.last_vectors * lanes;
  c->packed =
      (hd_gemm_packed){.slot = HD_GEMM_SAME, .element_size = p->size, .step_bytes = (size_t)(columns * p->k) * p->size};
  *out_panels = hd_gemm_block_acquire(c->context, c->packed.step_bytes * (size_t)c->groups + 64);
  if (!*out_panels) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory to pack the kernel");
  panel_copy copy = {c, (*out_panels)->data};
  hd_conv_in_parallel(c, c->panels.count * c->groups, (double)(c->panels.width * p->k) * 8 / HD_GEMM_BYTES_PER_GRAIN,
                      pack_panels, &copy);
  c->packed.data = (*out_panels)->data;
  return NULL;
}
