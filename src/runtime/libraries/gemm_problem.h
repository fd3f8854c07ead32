/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the GEMM library: one product brought to a canonical form, and what the parts of the driver share. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_PROBLEM_H_
#define HD_RUNTIME_LIBRARIES_GEMM_PROBLEM_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/fork.h"
#include "heddle/cpu.h"
#include "runtime/libraries/gemm.h"

/* An outer loop around a two-dim product: strides in elements, and what one step adds to the linear indices. */
typedef struct hd_gemm_loop {
  int64_t size;
  int64_t a, b, c;
  int64_t batch_linear, m_linear, n_linear;
} hd_gemm_loop;

/* loops x (m x k times k x n). */
typedef struct hd_gemm_problem {
  const hd_gemm_kernels *kernels;
  const hd_gemm_pairs *pairs; /* null: the product is not of bf16, or the CPU has none */
  hd_gemm_compute compute;
  hd_element_type a_type, b_type, c_type; /* canonical: of equal types one */
  size_t a_size, b_size, c_size, size;    /* bytes of an element; |size| of the compute type */
  const char *a, *b;
  char *c;
  int64_t m, n, k;
  int64_t a_m, a_k, b_k, b_n, c_m, c_n; /* strides in elements */
  int32_t loop_count;
  int64_t loop_total;           /* product of the loops' sizes */
  int64_t first_batch, first_m; /* linear indices of step 0 */
  bool swapped;                 /* A and B, m and n changed places: tiles are [n][m] of the caller's */
  hd_kernel_fn epilogue;
  const uint64_t *epilogue_words;
  int32_t epilogue_word_count;
  /* Last, and written up to loop_count alone: to clear all of them takes as long as a small product. */
  hd_gemm_loop loops[HD_GEMM_MAX_DIMS];
} hd_gemm_problem;

/* The point of one step of the outer loops. */
typedef struct hd_gemm_point {
  const char *a, *b;
  char *c;
  int64_t index;       /* of the step */
  int64_t batch, m, n; /* linear */
} hd_gemm_point;

/* Memory for scratch, kept by the context between products. */
typedef struct hd_gemm_block {
  struct hd_gemm_block *next;
  size_t bytes;
  char *data; /* 64-byte aligned */
} hd_gemm_block;

/* B in panels: per step of the loops that move B, all of k, panel after panel; a panel is k rows of |vectors| vectors.
 */
typedef struct hd_gemm_packed {
  hd_gemm_slot slot;   /* how the panels hold elements */
  size_t element_size; /* of a panel's elements */
  size_t step_bytes;
  int64_t
      depth; /* rows of k in a panel, in words: those of the packed problem; another one may use the first of them */
  const char *data;
  const uint32_t *least; /* of pairs: hd_gemm_least_of each step's panels; else null */
} hd_gemm_packed;

struct hd_gemm_context {
  const hd_gemm_kernels *kernels;
  const hd_gemm_pairs *pairs; /* or null */
  hd_cpu_caches caches;
  hd_fork_mutex lock; /* of the list */
  hd_gemm_block *free_blocks;
};

/* Brings |call| to canonical form. |*out_copy_a| and |*out_copy_b| are scratch blocks that the problem points into, or
 * null; the caller gives them back. */
hd_status hd_gemm_problem_make(hd_gemm_context *context, const hd_gemm_call *call, hd_gemm_problem *out_problem,
                               hd_gemm_block **out_copy_a, hd_gemm_block **out_copy_b) HD_MUST_USE;
hd_gemm_point hd_gemm_problem_point(const hd_gemm_problem *problem, int64_t step);

/* Null when there is no memory. */
hd_gemm_block *hd_gemm_block_acquire(hd_gemm_context *context, size_t bytes);
void hd_gemm_block_release(hd_gemm_context *context, hd_gemm_block *block);

/* How n columns are cut into panels: all of |width| columns but the last one, which has |last_vectors| vectors. */
typedef struct hd_gemm_panels {
  const hd_gemm_family *family;
  int64_t lanes;   /* elements in a vector */
  int64_t vectors; /* of a main panel */
  int64_t width;   /* columns of a main panel */
  int64_t count;
  int64_t last_vectors, last_columns; /* of the last panel; |last_columns| is what is left of n */
  bool ragged;                        /* the last panel has more lanes than columns */
} hd_gemm_panels;

hd_gemm_panels hd_gemm_panels_of(const hd_gemm_problem *problem, hd_gemm_slot slot, int64_t n);
/* The same of |vectors| vectors. */
hd_gemm_panels hd_gemm_panels_with(const hd_gemm_problem *problem, hd_gemm_slot slot, int64_t n, int64_t vectors);
static inline int64_t hd_gemm_panel_vectors(const hd_gemm_panels *panels, int64_t i) {
  return i + 1 == panels->count ? panels->last_vectors : panels->vectors;
}
static inline int64_t hd_gemm_panel_columns(const hd_gemm_panels *panels, int64_t i) {
  return i + 1 == panels->count ? panels->last_columns : panels->width;
}

/* Writes rows [k0, k1) and columns [n0, n0 + columns) of B at |b| as compute type to |panel|, |width| elements a row,
 * zero or garbage after |columns|. |temporary| has room for HD_GEMM_GATHER_BYTES. */
void hd_gemm_pack_b(const hd_gemm_problem *problem, const char *b, int64_t k0, int64_t k1, int64_t n0, int64_t columns,
                    char *panel, int64_t width, char *temporary);
/* Writes rows [m0, m1) and k in [k0, k1) of A at |a| as compute type to |block|; gives the strides of what it wrote,
 * that of k being 1 when |along_k|. |block| has room for hd_gemm_a_block_bytes. */
void hd_gemm_pack_a(const hd_gemm_problem *problem, const char *a, int64_t m0, int64_t m1, int64_t k0, int64_t k1,
                    char *block, char *temporary, bool along_k, int64_t *out_row, int64_t *out_k);
/* The same as words of pairs, whose k are half as many. |least| takes in what they hold. */
void hd_gemm_pair_b(const hd_gemm_problem *problem, const char *b, int64_t k0, int64_t k1, int64_t n0, int64_t columns,
                    char *panel, int64_t width, char *temporary, hd_gemm_least *least);
void hd_gemm_pair_a(const hd_gemm_problem *problem, const char *a, int64_t m0, int64_t m1, int64_t k0, int64_t k1,
                    char *block, char *temporary, hd_gemm_least *least, int64_t *out_row, int64_t *out_k);
/* |rows| rows of |depth| elements, from |a| with these steps, to rows of words,
 * |to_row| apart and written in whole vectors. */
void hd_gemm_pair_rows(const hd_gemm_problem *problem, const char *a, int64_t a_row, int64_t a_k, int64_t rows,
                       int64_t depth, char *to, int64_t to_row, char *temporary, hd_gemm_least *least);
static inline int64_t hd_gemm_words(int64_t k) { return (k + 1) / 2; }
hd_gemm_least hd_gemm_least_none(void);
uint32_t hd_gemm_least_of(const hd_gemm_least *least);
/* The least of several threads. */
void hd_gemm_lower_least(atomic_uint *of_all, const hd_gemm_least *least);
/* Do products and sums of numbers of at least these magnitudes need no denormal ones? */
bool hd_gemm_never_denormal(uint32_t least_a, uint32_t least_b);
/* From row to row of a block of A: rows start at different cache sets. */
int64_t hd_gemm_a_pitch(const hd_gemm_problem *problem, int64_t depth);
size_t hd_gemm_a_block_bytes(const hd_gemm_problem *problem, int64_t rows, int64_t depth);
enum { HD_GEMM_GATHER_BYTES = 32768 }; /* of |temporary| */

/* Rows x columns elements of |size| bytes from any strides to dense row-major |d|. */
void hd_gemm_gather(const char *a, int64_t a_row, int64_t a_column, int64_t rows, int64_t columns, size_t size,
                    char *d);

/* What a packed form of the problem's B takes, of pairs where it goes by them, and that form written to
 * |out_packed->data|, which has so many bytes, cache lines from the start of one on. 0: it has none. */
size_t hd_gemm_packed_bytes(const hd_gemm_problem *problem);
void hd_gemm_pack_into(const hd_gemm_problem *problem, char *data, hd_gemm_packed *out_packed);
/* The packed form of the problem's B where |env| keeps it; |out_packed->data| is null when not. */
void hd_gemm_pack_once(const hd_gemm_problem *problem, const hd_gemm_env *env, hd_gemm_packed *out_packed);

/* A run of panels with equal vectors, as the tiles of one block of rows and k see them. */
typedef struct hd_gemm_panel_run {
  const hd_gemm_family *family;
  int64_t vectors, count;
  const char *b;                 /* first panel, first k */
  int64_t b_k, b_step, prefetch; /* b_step: bytes from panel to panel */
  char *c;
  int64_t c_row;
  /* Null, or the terms that are not zero (gemm_bands.h): of the rows from |first_row| on, and of the vectors of columns
   * from |first_vector| on. k of the run is |first_k| of them. */
  const struct hd_gemm_bands *bands;
  int64_t first_row, first_vector, first_k;
} hd_gemm_panel_run;

/* The tile kernels over |rows| rows of A times the panels: depth steps of k. */
void hd_gemm_tile_block(const hd_gemm_problem *problem, const hd_gemm_panel_run *panels, const char *a, int64_t a_row,
                        int64_t a_k, int64_t rows, int64_t depth, bool accumulate);
/* Calls the problem's epilogue; ranges are the caller's. */
void hd_gemm_apply_epilogue(const hd_gemm_problem *problem, int64_t batch, int64_t m0, int64_t m1, int64_t n0,
                            int64_t n1, const char *tile, int64_t tile_row);
/* |rows| x |columns| elements of |size| bytes from dense |from| to any strides. */
void hd_gemm_scatter(const char *from, int64_t rows, int64_t columns, size_t size, char *c, int64_t c_row,
                     int64_t c_column);

/* How B is held for the tiles where it is, and packed once. */
hd_gemm_slot hd_gemm_slot_of(const hd_gemm_problem *problem);
hd_gemm_slot hd_gemm_packed_slot(const hd_gemm_problem *problem);

enum { HD_GEMM_PREFETCH_IN_PLACE = 16, HD_GEMM_PREFETCH_PANEL = 32 }; /* rows of B ahead */
/* What one thread does in a microsecond, roughly: grains of the pool. */
#define HD_GEMM_FLOPS_PER_GRAIN 1e5
#define HD_GEMM_BYTES_PER_GRAIN 3e4

/* Does the work. |env| may be null. */
hd_status hd_gemm_run(hd_gemm_context *context, const hd_gemm_problem *problem, const hd_gemm_packed *packed,
                      const hd_gemm_env *env) HD_MUST_USE;

#endif
