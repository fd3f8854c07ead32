/* SPDX-License-Identifier: Apache-2.0 */
/* Packing: blocks of A and panels of B brought to the compute type and to the order in which tiles read them, and weights
 * that are packed once. */
#include <stdlib.h>
#include <string.h>

#include "runtime/libraries/gemm_problem.h"

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

#define GATHER(T)                                                            \
  do {                                                                       \
    T *to = (T *)(void *)d;                                                  \
    for (int64_t r = 0; r < rows; ++r) {                                     \
      const T *from = (const T *)(const void *)a + r * a_row;                \
      for (int64_t j = 0; j < columns; ++j) to[r * columns + j] = from[j * a_column]; \
    }                                                                        \
  } while (0)

void hd_gemm_gather(const char *a, int64_t a_row, int64_t a_column, int64_t rows, int64_t columns, size_t size, char *d) {
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
static void copy_gathered(const hd_gemm_problem *p, hd_element_type type, size_t type_size, const char *a, int64_t a_row,
                          int64_t a_column, int64_t rows, int64_t columns, char *d, int64_t d_row, bool pad,
                          char *temporary) {
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  int64_t at_once = HD_GEMM_GATHER_BYTES / (int64_t)type_size;
  int64_t wide = min64(columns, round_up(at_once / 16, lanes)), high = at_once / wide;
  for (int64_t j = 0; j < columns; j += wide) {
    int64_t some = min64(wide, columns - j);
    for (int64_t r = 0; r < rows; r += high) {
      int64_t few = min64(high, rows - r);
      hd_gemm_gather(a + (r * a_row + j * a_column) * (int64_t)type_size, a_row, a_column, few, some, type_size, temporary);
      copy_rows(p, type, temporary, some, few, some, d + (r * d_row + j) * (int64_t)p->size, d_row,
                pad && j + some == columns);
    }
  }
}

void hd_gemm_pack_b(const hd_gemm_problem *p, const char *b, int64_t k0, int64_t k1, int64_t n0, int64_t columns,
                    char *panel, int64_t width, char *temporary) {
  int64_t rows = k1 - k0, lanes = p->kernels->vector_bytes / (int64_t)p->size;
  if (rows <= 0) return;
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

/* Rows of a block of A start at different cache sets. */
static int64_t a_pitch(const hd_gemm_problem *p, int64_t depth) {
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  return round_up(depth, lanes) + lanes;
}

size_t hd_gemm_a_block_bytes(const hd_gemm_problem *p, int64_t rows, int64_t depth) {
  int64_t by_rows = rows * a_pitch(p, depth), by_depth = depth * a_pitch(p, rows);
  return (size_t)(by_rows > by_depth ? by_rows : by_depth) * p->size;
}

void hd_gemm_pack_a(const hd_gemm_problem *p, const char *a, int64_t m0, int64_t m1, int64_t k0, int64_t k1, char *block,
                    char *temporary, bool along_k, int64_t *out_row, int64_t *out_k) {
  const char *from = a + (m0 * p->a_m + k0 * p->a_k) * (int64_t)p->a_size;
  int64_t rows = m1 - m0, depth = k1 - k0;
  if (p->a_m == 1 && p->a_k != 1 && !along_k) {
    *out_row = 1;
    *out_k = a_pitch(p, rows);
    if (depth > 0) copy_rows(p, p->a_type, from, p->a_k, depth, rows, block, *out_k, false);
    return;
  }
  *out_row = a_pitch(p, depth);
  *out_k = 1;
  if (depth <= 0) return;
  if (p->a_k == 1)
    copy_rows(p, p->a_type, from, p->a_m, rows, depth, block, *out_row, false);
  else
    copy_gathered(p, p->a_type, p->a_size, from, p->a_m, p->a_k, rows, depth, block, *out_row, false, temporary);
}

/* ---- packed once ---------------------------------------------------------------------------------------------------- */

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

static hd_gemm_slot slot_of(const hd_gemm_problem *p) {
  if (p->compute == HD_GEMM_F32 && p->b_type == HD_ELEMENT_BF16) return HD_GEMM_BF16;
  if (p->compute == HD_GEMM_F32 && p->b_type == HD_ELEMENT_F16) return HD_GEMM_F16;
  return HD_GEMM_SAME;
}

/* One panel of a narrow type: elements move as they are. */
static void pack_narrow(const hd_gemm_problem *p, const char *b, int64_t n0, int64_t columns, char *panel, int64_t width) {
  for (int64_t k = 0; k < p->k; ++k) {
    uint16_t *to = (uint16_t *)(void *)panel + k * width;
    const uint16_t *from = (const uint16_t *)(const void *)b + k * p->b_k + n0 * p->b_n;
    for (int64_t j = 0; j < columns; ++j) to[j] = from[j * p->b_n];
    memset(to + columns, 0, (size_t)(width - columns) * sizeof *to);
  }
}

hd_status hd_gemm_pack_once(hd_gemm_context *context, const hd_gemm_problem *p, uint64_t key,
                            const hd_gemm_packed **out_packed) {
  *out_packed = NULL;
  if (p->swapped || p->k == 0 || p->n == 0 || p->loop_total == 0) return NULL;
  int64_t steps = b_steps(p);
  pthread_mutex_lock(&context->lock);
  for (hd_gemm_packed *e = context->packed; e; e = e->next) {
    if (e->key == key && e->source == p->b && e->n == p->n && e->k == p->k && e->b_k == p->b_k && e->b_n == p->b_n &&
        e->steps == steps && e->type == p->b_type && e->compute == p->compute) {
      *out_packed = e;
      break;
    }
  }
  if (*out_packed) {
    pthread_mutex_unlock(&context->lock);
    return NULL;
  }
  /* Packing runs under the lock: another product of the same weight would only do the same work. */
  hd_status status = NULL;
  hd_gemm_slot slot = slot_of(p);
  hd_gemm_panels panels = hd_gemm_panels_of(p, slot, p->n);
  size_t element = slot == HD_GEMM_SAME ? p->size : p->b_size;
  int64_t columns = (panels.count - 1) * panels.width + panels.last_vectors * panels.lanes;
  size_t step_bytes, bytes;
  hd_gemm_packed *e = NULL;
  char *temporary = malloc(HD_GEMM_GATHER_BYTES);
  if (__builtin_mul_overflow((size_t)columns * element, (size_t)p->k, &step_bytes) ||
      __builtin_mul_overflow(step_bytes, (size_t)steps, &bytes) || bytes > PTRDIFF_MAX - 128 || !temporary ||
      !(e = calloc(1, sizeof *e)) || !(e->data = aligned_alloc(64, (bytes + 127) / 64 * 64))) {
    status = hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: no memory to pack a weight of %lld x %lld",
                            (long long)p->k, (long long)p->n);
    free(e);
    free(temporary);
    pthread_mutex_unlock(&context->lock);
    return status;
  }
  for (int64_t s = 0; s < steps; ++s) {
    const char *b = b_of_step(p, s);
    for (int64_t i = 0; i < panels.count; ++i) {
      int64_t n0 = i * panels.width, width = hd_gemm_panel_vectors(&panels, i) * panels.lanes;
      char *to = e->data + (size_t)s * step_bytes + (size_t)(n0 * p->k) * element;
      int64_t valid = hd_gemm_panel_columns(&panels, i);
      if (slot == HD_GEMM_SAME) {
        /* Vectors that no column uses are read by the tiles all the same. */
        if (width - valid >= panels.lanes) memset(to, 0, (size_t)(width * p->k) * element);
        hd_gemm_pack_b(p, b, 0, p->k, n0, valid, to, width, temporary);
      } else {
        pack_narrow(p, b, n0, valid, to, width);
      }
    }
  }
  free(temporary);
  *e = (hd_gemm_packed){.next = context->packed,
                        .key = key,
                        .source = p->b,
                        .n = p->n,
                        .k = p->k,
                        .b_k = p->b_k,
                        .b_n = p->b_n,
                        .steps = steps,
                        .type = p->b_type,
                        .compute = p->compute,
                        .slot = slot,
                        .element_size = element,
                        .step_bytes = step_bytes,
                        .bytes = bytes,
                        .data = e->data};
  context->packed = e;
  context->packed_bytes += (int64_t)bytes;
  *out_packed = e;
  pthread_mutex_unlock(&context->lock);
  return NULL;
}
