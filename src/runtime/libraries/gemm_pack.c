/* SPDX-License-Identifier: Apache-2.0 */
/* Packing: blocks of A and panels of B brought to the compute type and to the order in which tiles read them, and
 * weights that are packed once. */
#include <string.h>

#include "base/mix.h"
#include "runtime/libraries/gemm_problem.h"

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

#define GATHER(T)                                                                                   \
  do {                                                                                              \
    T *to = (T *)(void *)d;                                                                         \
    const T *from = (const T *)(const void *)a;                                                     \
    if (a_row > 0 && a_row < a_column) /* along what lies closer to each other */                   \
      for (int64_t j = 0; j < columns; ++j)                                                         \
        for (int64_t r = 0; r < rows; ++r) to[r * columns + j] = from[r * a_row + j * a_column];    \
    else                                                                                            \
      for (int64_t r = 0; r < rows; ++r)                                                            \
        for (int64_t j = 0; j < columns; ++j) to[r * columns + j] = from[r * a_row + j * a_column]; \
  } while (0)

void hd_gemm_gather(const char *a, int64_t a_row, int64_t a_column, int64_t rows, int64_t columns, size_t size,
                    char *d) {
  if (a_column == 1) {
    for (int64_t r = 0; r < rows; ++r)
      memcpy(d + (size_t)(r * columns) * size, a + r * a_row * (int64_t)size, (size_t)columns * size);
    return;
  }
  switch (size) {
    case 1:
      GATHER(uint8_t);
      break;
    case 2:
      GATHER(uint16_t);
      break;
    case 4:
      GATHER(uint32_t);
      break;
    default:
      GATHER(uint64_t);
      break;
  }
}

static void copy_rows(const hd_gemm_problem *p, hd_element_type type, const char *a, int64_t a_row, int64_t rows,
                      int64_t columns, char *d, int64_t d_row, bool pad) {
  hd_gemm_copy args = {.a = a, .a_row = a_row, .d = d, .d_row = d_row, .rows = rows, .pad = pad};
  p->kernels->copy[type][p->compute]((const uint64_t *)(const void *)&args, 0, columns);
}

/* The same from any strides, through |temporary|. */
static void copy_gathered(const hd_gemm_problem *p, hd_element_type type, size_t type_size, const char *a,
                          int64_t a_row, int64_t a_column, int64_t rows, int64_t columns, char *d, int64_t d_row,
                          bool pad, char *temporary) {
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  int64_t at_once = HD_GEMM_GATHER_BYTES / (int64_t)type_size;
  int64_t wide = min64(columns, round_up(at_once / 16, lanes)), high = at_once / wide;
  for (int64_t j = 0; j < columns; j += wide) {
    int64_t some = min64(wide, columns - j);
    for (int64_t r = 0; r < rows; r += high) {
      int64_t few = min64(high, rows - r);
      hd_gemm_gather(a + (r * a_row + j * a_column) * (int64_t)type_size, a_row, a_column, few, some, type_size,
                     temporary);
      copy_rows(p, type, temporary, some, few, some, d + (r * d_row + j) * (int64_t)p->size, d_row,
                pad && j + some == columns);
    }
  }
}

void hd_gemm_pack_b(const hd_gemm_problem *p, const char *b, int64_t k0, int64_t k1, int64_t n0, int64_t columns,
                    char *panel, int64_t width, char *temporary) {
  int64_t rows = k1 - k0, lanes = p->kernels->vector_bytes / (int64_t)p->size;
  if (rows <= 0 || columns <= 0) return;
  const char *from = b + (k0 * p->b_k + n0 * p->b_n) * (int64_t)p->b_size;
  if (p->b_n == 1) {
    copy_rows(p, p->b_type, from, p->b_k, rows, columns, panel, width, true);
    return;
  }
  hd_kernel_fn transpose = p->kernels->transpose[p->b_type][p->compute];
  if (p->b_k == 1 && transpose) {
    for (int64_t j = 0; j < columns; j += lanes) {
      hd_gemm_copy args = {.a = from + j * p->b_n * (int64_t)p->b_size,
                           .a_row = p->b_n,
                           .d = panel + j * (int64_t)p->size,
                           .d_row = width,
                           .rows = min64(lanes, columns - j)};
      transpose((const uint64_t *)(const void *)&args, 0, rows);
    }
    return;
  }
  copy_gathered(p, p->b_type, p->b_size, from, p->b_k, p->b_n, rows, columns, panel, width, true, temporary);
}

int64_t hd_gemm_a_pitch(const hd_gemm_problem *p, int64_t depth) {
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  return round_up(depth, lanes) + lanes;
}

size_t hd_gemm_a_block_bytes(const hd_gemm_problem *p, int64_t rows, int64_t depth) {
  int64_t by_rows = rows * hd_gemm_a_pitch(p, depth), by_depth = depth * hd_gemm_a_pitch(p, rows);
  return (size_t)(by_rows > by_depth ? by_rows : by_depth) * p->size;
}

void hd_gemm_pack_a(const hd_gemm_problem *p, const char *a, int64_t m0, int64_t m1, int64_t k0, int64_t k1,
                    char *block, char *temporary, bool along_k, int64_t *out_row, int64_t *out_k) {
  const char *from = a + (m0 * p->a_m + k0 * p->a_k) * (int64_t)p->a_size;
  int64_t rows = m1 - m0, depth = k1 - k0;
  if (p->a_m == 1 && p->a_k != 1 && !along_k) {
    *out_row = 1;
    *out_k = hd_gemm_a_pitch(p, rows);
    if (depth > 0) copy_rows(p, p->a_type, from, p->a_k, depth, rows, block, *out_k, false);
    return;
  }
  *out_row = hd_gemm_a_pitch(p, depth);
  *out_k = 1;
  if (depth <= 0) return;
  if (p->a_k == 1)
    copy_rows(p, p->a_type, from, p->a_m, rows, depth, block, *out_row, false);
  else
    copy_gathered(p, p->a_type, p->a_size, from, p->a_m, p->a_k, rows, depth, block, *out_row, false, temporary);
}

/* ---- packed once ------------------------------------------------------------------------------------------------ */

/* Steps of the loops that move B; the panels of step i of all loops are those of hd_gemm_packed's step i of these. */
static int64_t b_steps(const hd_gemm_problem *p) {
  int64_t steps = 1;
  for (int32_t i = 0; i < p->loop_count; ++i) steps *= p->loops[i].b ? p->loops[i].size : 1;
  return steps;
}

static const char *b_of_step(const hd_gemm_problem *p, int64_t step) {
  const char *b = p->b;
  for (int32_t i = p->loop_count - 1; i >= 0; --i) {
    if (!p->loops[i].b) continue;
    b += step % p->loops[i].size * p->loops[i].b * (int64_t)p->b_size;
    step /= p->loops[i].size;
  }
  return b;
}

/* One panel of a narrow type: elements move as they are. */
static void pack_narrow(const hd_gemm_problem *p, const char *b, int64_t n0, int64_t columns, char *panel,
                        int64_t width) {
  for (int64_t k = 0; k < p->k; ++k) {
    uint16_t *to = (uint16_t *)(void *)panel + k * width;
    const uint16_t *from = (const uint16_t *)(const void *)b + k * p->b_k + n0 * p->b_n;
    for (int64_t j = 0; j < columns; ++j) to[j] = from[j * p->b_n];
    memset(to + columns, 0, (size_t)(width - columns) * sizeof *to);
  }
}

typedef struct pack_all {
  const hd_gemm_problem *p;
  hd_gemm_slot slot;
  hd_gemm_panels panels;
  int64_t steps, depth; /* rows of a panel */
  size_t element, step_bytes;
} pack_all;

/* After the panels, of pairs: one number a panel. */
static uint32_t *least_in(const pack_all *all, void *data) {
  return (uint32_t *)(void *)((char *)data + (size_t)all->steps * all->step_bytes);
}

static void pack_everything(void *argument, void *data) {
  const pack_all *all = argument;
  const hd_gemm_problem *p = all->p;
  char temporary[HD_GEMM_GATHER_BYTES];
  for (int64_t s = 0; s < all->steps; ++s) {
    const char *b = b_of_step(p, s);
    for (int64_t i = 0; i < all->panels.count; ++i) {
      int64_t n0 = i * all->panels.width, width = hd_gemm_panel_vectors(&all->panels, i) * all->panels.lanes;
      char *to = (char *)data + (size_t)s * all->step_bytes + (size_t)(n0 * all->depth) * all->element;
      int64_t valid = hd_gemm_panel_columns(&all->panels, i);
      if (all->slot == HD_GEMM_PAIRS) {
        hd_gemm_least least = hd_gemm_least_none();
        if (width - valid >= all->panels.lanes) memset(to, 0, (size_t)(width * all->depth) * all->element);
        hd_gemm_pair_b(p, b, 0, p->k, n0, valid, to, width, temporary, &least);
        least_in(all, data)[s * all->panels.count + i] = hd_gemm_least_of(&least);
      } else if (all->slot == HD_GEMM_SAME) {
        /* Vectors that no column uses are read by the tiles all the same. */
        if (width - valid >= all->panels.lanes) memset(to, 0, (size_t)(width * p->k) * all->element);
        hd_gemm_pack_b(p, b, 0, p->k, n0, valid, to, width, temporary);
      } else {
        pack_narrow(p, b, n0, valid, to, width);
      }
    }
  }
}

/* What is to be packed, and its bytes; 0: nothing can be. */
static size_t plan_panels(const hd_gemm_problem *p, hd_gemm_slot slot, pack_all *all) {
  if (p->swapped || p->k == 0 || p->n == 0 || p->loop_total == 0) return 0;
  *all = (pack_all){.p = p, .slot = slot, .steps = b_steps(p)};
  all->panels = hd_gemm_panels_of(p, all->slot, p->n);
  all->element = all->slot == HD_GEMM_SAME ? p->size : slot == HD_GEMM_PAIRS ? sizeof(uint32_t) : p->b_size;
  all->depth = slot == HD_GEMM_PAIRS ? hd_gemm_words(p->k) : p->k;
  int64_t columns = (all->panels.count - 1) * all->panels.width + all->panels.last_vectors * all->panels.lanes;
  size_t bytes;
  bool fits = !__builtin_mul_overflow((size_t)columns * all->element, (size_t)all->depth, &all->step_bytes) &&
              !__builtin_mul_overflow(all->step_bytes, (size_t)all->steps, &bytes) &&
              (slot != HD_GEMM_PAIRS ||
               !__builtin_add_overflow(bytes, (size_t)(all->steps * all->panels.count) * sizeof(uint32_t), &bytes));
  return fits ? bytes : 0;
}

static hd_gemm_packed packed_at(const pack_all *all, const void *data) {
  return (hd_gemm_packed){.slot = all->slot,
                          .element_size = all->element,
                          .step_bytes = all->step_bytes,
                          .depth = all->depth,
                          .data = data,
                          .least = data && all->slot == HD_GEMM_PAIRS ? least_in(all, (void *)data) : NULL};
}

size_t hd_gemm_packed_bytes(const hd_gemm_problem *problem) {
  pack_all all;
  return plan_panels(problem, hd_gemm_packed_slot(problem), &all);
}

void hd_gemm_pack_into(const hd_gemm_problem *problem, char *data, hd_gemm_packed *out_packed) {
  pack_all all;
  *out_packed = (hd_gemm_packed){0};
  if (!plan_panels(problem, hd_gemm_packed_slot(problem), &all)) return;
  pack_everything(&all, data);
  *out_packed = packed_at(&all, data);
}

void hd_gemm_pack_once(const hd_gemm_problem *p, const hd_gemm_env *env, hd_gemm_packed *out_packed) {
  pack_all all;
  *out_packed = (hd_gemm_packed){0};
  size_t bytes = env && env->keep ? plan_panels(p, hd_gemm_packed_slot(p), &all) : 0;
  if (!bytes) return;
  /* What the packed form depends on. */
  const int64_t words[] = {p->n,
                           p->k,
                           p->b_k,
                           p->b_n,
                           all.steps,
                           (int64_t)p->b_type,
                           (int64_t)p->compute,
                           p->kernels->vector_bytes,
                           (int64_t)all.slot};
  uint64_t use = hd_mix_words(words, sizeof words);
  for (int32_t i = 0; i < p->loop_count; ++i) {
    const int64_t loop[] = {(int64_t)use, p->loops[i].b, p->loops[i].b ? p->loops[i].size : 0};
    use = hd_mix_words(loop, sizeof loop);
  }
  *out_packed = packed_at(&all, env->keep(env->user, p->b, use, bytes, pack_everything, &all));
}
