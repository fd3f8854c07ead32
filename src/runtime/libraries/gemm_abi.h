/* SPDX-License-Identifier: Apache-2.0 */
/* What the GEMM driver (gemm.c) asks of generated kernels, and what it gives them.
 *
 * All kernels have the signature of abi.h: void kernel(const uint64_t *args, int64_t begin, int64_t end), |args| being
 * one of the structs below, each field one 64-bit word. Strides count elements of the buffer that they belong to.
 * T is the compute type (f32, f64, i32, i64), S a type that memory holds. An element of C is one chain of
 * multiply-adds over k in ascending order that starts from C (or zero), so results do not depend on the blocking, on
 * which kernel computed an element, or on the width of vectors; only dot kernels sum in another order.
 *
 * Rows of gemm_kernels.def say which kernels exist; hd_gemm_kernels finds the table for a CPU. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_ABI_H_
#define HD_RUNTIME_LIBRARIES_GEMM_ABI_H_

#include <stddef.h>
#include <stdint.h>

#include "heddle/element.h"
#include "runtime/words_abi.h"

/* tile_MxV, args of C[i, j] (+)= sum over k in [begin, end) of A[i, k] * B[k, j] for i < M, j < V vectors of T. B is of
 * type S, widened in registers; no masks: all M rows and V vectors are read and written. */
/* packing_MxV, the same, which also writes the vectors of B that it reads, as T, to |packed|: row k from k * V vectors
 * on. */
/* pairs_MxV and exact_pairs_MxV, the same of words of two bf16 in place of A and B: k counts words, whose high half
 * comes first. pairs takes denormal numbers for zeros, and its own sums too. */
/* rows_MxR, args of C[i, j] (+)= sum over k < R of A[i, k] * B[k, j] for i < M and columns j in [begin, end), begin 0;
 * masked at the end, so nothing is read or written outside. */
typedef struct hd_gemm_tile {
  const void *a; /* T */
  int64_t a_row, a_k;
  const void *b; /* S */
  int64_t b_k;
  void *c; /* T, columns contiguous */
  int64_t c_row;
  uint64_t accumulate; /* 0: C starts from zero, 1: from what it holds */
  int64_t prefetch;    /* elements of B ahead of the ones read, whose cache lines are asked for; may point anywhere */
  void *packed;        /* T; packing kernels */
} hd_gemm_tile;

/* dot_MxV, args of C[i, j] (+)= sum over k in [begin, end) of A[i, k] * B[j, k] for i < M, j < V; k contiguous in both,
 * begin 0. Sums run over the lanes of one vector each and are added in pairs at the end. */
typedef struct hd_gemm_dot {
  const void *a; /* T */
  int64_t a_row;
  const void *b; /* S */
  int64_t b_row;
  void *c; /* T, contiguous in j */
  int64_t c_row;
  uint64_t accumulate;
} hd_gemm_dot;

/* lanes_M, args of C[i, j] (+)= sum over (l, k), l < |lines| and k < |depth|, of A[i, l, k, j] *
 * B[l, k, j] for i < M and columns j in [begin, end), begin 0: j is contiguous everywhere, and
 * masked at the end. Without steps C becomes zero. */
/* window_M, args of the same with |a_row| the step of lines too, |a_line|: for k, for l, so that each line is loaded
 * once. Columns are multiples of two vectors. */
typedef struct hd_gemm_lanes {
  const void *a; /* T */
  int64_t a_row, a_line, a_k;
  const void *b; /* T */
  int64_t b_line, b_k;
  void *c; /* T */
  int64_t c_row;
  int64_t lines, depth;
  uint64_t accumulate;
} hd_gemm_lanes;

/* The least magnitude of elements that are not zero, less one, as bits of bf16; per lane, and not to be read before
 * hd_gemm_least_of. */
typedef struct hd_gemm_least {
  _Alignas(64) uint16_t lanes[32];
} hd_gemm_least;

/* copy_S_T, args of D[r, j] = convert(A[r, j]) for rows r and columns j in [begin, end), begin 0. With |pad| 1 the
 * columns up to the next multiple of the vector width of the wider type are written as zero, with |pad| 0 they are left
 * alone. Widening is exact; narrowing rounds to nearest even (floats) or wraps (integers); to i1 any nonzero is 1. */
/* transpose_S_T, args of D[k, j] = convert(A[j, k]) for j < |rows|, k in [begin, end), begin 0: |a_row| is the stride
 * of j in the source, |d_row| of k in D. 1 <= |rows| <= vector width W of T; columns from |rows| to W of D get finite
 * or other garbage. */
typedef struct hd_gemm_copy {
  const void *a; /* S */
  int64_t a_row;
  void *d; /* T */
  int64_t d_row;
  int64_t rows;
  uint64_t pad;
} hd_gemm_copy;

/* What makes words of two bf16, neighbours in k, the first in the high half; a last one alone has zero beside
 * it. Vectors of 16 words are written whole.
 * interleave: D[r / 2, j] of A[r, j] and A[r + 1, j], r < |rows| even, columns j in [begin, end), begin 0
 * turn: D[r, k / 2] of A[r, k] and A[r, k + 1], r < |rows|, k in [begin, end), begin 0 */
typedef struct hd_gemm_pair_copy {
  const void *a; /* bf16 */
  int64_t a_row;
  void *d; /* words */
  int64_t d_row;
  int64_t rows;
  hd_gemm_least *least;
} hd_gemm_pair_copy;

/* An epilogue is an ordinary kernel, generated for the fusion that the product is in. It is applied to a finished tile
 * while that is in the L1 cache, reads what else it needs and writes the outputs: func.func @epilogue(%tile:
 * memref<?xT>, %tile_row: index, %batch: index, %n0: index, %n1: index, ...own..., %m0: index, %m1: index) Its range is
 * rows [m0, m1); its columns are [n0, n1); element (m, n) is tile[(m - m0) * tile_row + n - n0]. Batch, m and n are
 * indices into the linear (row-major) spaces of the dot's own batch, m and n dims. A row of the tile may be read, but
 * not used, up to the next multiple of a vector after n1. Several tiles are done at once on different threads. */
typedef struct hd_gemm_epilogue {
  const void *tile; /* T */
  int64_t tile_row;
  int64_t batch, n0, n1;
} hd_gemm_epilogue; /* its own words follow, at most HD_GEMM_EPILOGUE_OWN_WORDS */
HD_ABI_LAYOUT(hd_gemm_epilogue, 5, n1);

enum { HD_GEMM_EPILOGUE_OWN_WORDS = 240 };

enum { HD_GEMM_LANES_ROWS = 4 }; /* M of lanes kernels is 1 or this; of f32 what is between too */
enum { HD_GEMM_MAX_ROWS = 8, HD_GEMM_MAX_VECTORS = 4, HD_GEMM_SMALL_ROWS = 4, HD_GEMM_DOT_COLUMNS = 8 };

typedef enum hd_gemm_compute {
  HD_GEMM_F32,
  HD_GEMM_F64,
  HD_GEMM_I32,
  HD_GEMM_I64,
  HD_GEMM_COMPUTE_COUNT
} hd_gemm_compute;

/* How memory holds B: as the compute type, or as a narrower float that the kernels widen in registers. */
typedef enum hd_gemm_slot {
  HD_GEMM_SAME,
  HD_GEMM_BF16,
  HD_GEMM_F16,
  HD_GEMM_SLOT_COUNT,
  HD_GEMM_PAIRS = HD_GEMM_SLOT_COUNT /* panels of words of two bf16, which hd_gemm_pairs has the kernels of */
} hd_gemm_slot;

/* The kernels of one compute type and one type of B. Null where there is none. */
typedef struct hd_gemm_family {
  hd_kernel_fn tile[HD_GEMM_MAX_VECTORS + 1][HD_GEMM_MAX_ROWS + 1]; /* [vectors][rows], from 1 */
  hd_kernel_fn packing;                                             /* of the most rows of a main panel */
  hd_kernel_fn rows[HD_GEMM_SMALL_ROWS + 1];                        /* [rows]: k rows at once as |rows_depth| says */
  int32_t rows_depth[HD_GEMM_SMALL_ROWS + 1];
  hd_kernel_fn rows_single[HD_GEMM_SMALL_ROWS + 1];  /* the same for one k row */
  int32_t rows_single_depth[HD_GEMM_SMALL_ROWS + 1]; /* 1 where there is one */
  hd_kernel_fn dot[HD_GEMM_SMALL_ROWS + 1];          /* [rows], HD_GEMM_DOT_COLUMNS columns */
  hd_kernel_fn dot_single[HD_GEMM_SMALL_ROWS + 1];   /* one column */
} hd_gemm_family;

typedef struct hd_gemm_kernels {
  const char *name;
  uint64_t features; /* of heddle/cpu.h */
  int32_t vector_bytes;
  int32_t panel_vectors;                                              /* vectors in a main panel of B */
  int32_t rows;                                                       /* most rows of a tile of a main panel */
  hd_gemm_family family[HD_GEMM_COMPUTE_COUNT][HD_GEMM_SLOT_COUNT];   /* [compute type][how B is held] */
  hd_kernel_fn lanes[HD_GEMM_COMPUTE_COUNT][HD_GEMM_LANES_ROWS + 1];  /* [compute type][rows] */
  hd_kernel_fn window[HD_GEMM_COMPUTE_COUNT][HD_GEMM_LANES_ROWS + 1]; /* the same; null where there is none */
  hd_kernel_fn copy[HD_ELEMENT_TYPE_LIMIT][HD_GEMM_COMPUTE_COUNT];    /* S to T */
  hd_kernel_fn store[HD_GEMM_COMPUTE_COUNT][HD_ELEMENT_TYPE_LIMIT];   /* T to S */
  hd_kernel_fn transpose[HD_ELEMENT_TYPE_LIMIT][HD_GEMM_COMPUTE_COUNT];
} hd_gemm_kernels;

/* Products of bf16 by words of two. */
typedef struct hd_gemm_pairs {
  uint64_t features;           /* of heddle/cpu.h, beside those of the table */
  hd_gemm_family tiles, exact; /* their tiles alone */
  hd_kernel_fn interleave, turn;
} hd_gemm_pairs;

/* Null where |cpu_features| lack them. Static. */
const hd_gemm_pairs *hd_gemm_pairs_find(uint64_t cpu_features);

/* The best table whose features are all in |cpu_features|; null when there is none. Static. */
const hd_gemm_kernels *hd_gemm_kernels_find(uint64_t cpu_features);
/* The tables, for tests: index 0 up to null. */
const hd_gemm_kernels *hd_gemm_kernels_at(int index);

#endif
