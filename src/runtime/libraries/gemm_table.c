/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of generated GEMM kernels, one per CPU level, made of the rows of gemm_kernels.def. */
#include "heddle/cpu.h"
#include "runtime/libraries/gemm_abi.h"

/* Builds without the code generator have no kernels; there the tables are empty. */
#ifdef HD_GEMM_KERNELS

#define TILE(isa, T, S, m, v) \
  extern void hd_gemm_##isa##_tile_##T##_##S##_##m##x##v(const uint64_t *, int64_t, int64_t);
#define PACKING(isa, T, S, m, v) \
  extern void hd_gemm_##isa##_packing_##T##_##S##_##m##x##v(const uint64_t *, int64_t, int64_t);
#define ROWS(isa, T, S, m, d) \
  extern void hd_gemm_##isa##_rows_##T##_##S##_##m##x##d(const uint64_t *, int64_t, int64_t);
#define DOT(isa, T, S, m, n) extern void hd_gemm_##isa##_dot_##T##_##S##_##m##x##n(const uint64_t *, int64_t, int64_t);
#define LANES(isa, T, m) extern void hd_gemm_##isa##_lanes_##T##_##m(const uint64_t *, int64_t, int64_t);
#define WINDOW(isa, T, m) extern void hd_gemm_##isa##_window_##T##_##m(const uint64_t *, int64_t, int64_t);
#define COPY(isa, S, T) extern void hd_gemm_##isa##_copy_##S##_##T(const uint64_t *, int64_t, int64_t);
#define STORE(isa, T, S) extern void hd_gemm_##isa##_store_##T##_##S(const uint64_t *, int64_t, int64_t);
#define TRANSPOSE(isa, S, T) extern void hd_gemm_##isa##_transpose_##S##_##T(const uint64_t *, int64_t, int64_t);
#define PAIRS(isa, m, v) extern void hd_gemm_##isa##_pairs_##m##x##v(const uint64_t *, int64_t, int64_t);
#define EXACT_PAIRS(isa, m, v) extern void hd_gemm_##isa##_exact_pairs_##m##x##v(const uint64_t *, int64_t, int64_t);
#define TO_PAIRS(isa, how) extern void hd_gemm_##isa##_##how(const uint64_t *, int64_t, int64_t);
#include "runtime/libraries/gemm_kernels.def"

/* The parts of a row's name as indices. */
enum { is_v4, is_v3 };
#define COMPUTE_f32 HD_GEMM_F32
#define COMPUTE_f64 HD_GEMM_F64
#define COMPUTE_i32 HD_GEMM_I32
#define COMPUTE_i64 HD_GEMM_I64
#define ELEMENT_f32 HD_ELEMENT_F32
#define ELEMENT_f64 HD_ELEMENT_F64
#define ELEMENT_bf16 HD_ELEMENT_BF16
#define ELEMENT_f16 HD_ELEMENT_F16
#define ELEMENT_i1 HD_ELEMENT_I1
#define ELEMENT_i8 HD_ELEMENT_I8
#define ELEMENT_ui8 HD_ELEMENT_UI8
#define ELEMENT_i16 HD_ELEMENT_I16
#define ELEMENT_ui16 HD_ELEMENT_UI16
#define ELEMENT_i32 HD_ELEMENT_I32
#define ELEMENT_ui32 HD_ELEMENT_UI32
#define ELEMENT_i64 HD_ELEMENT_I64
#define SLOT_f32 HD_GEMM_SAME
#define SLOT_f64 HD_GEMM_SAME
#define SLOT_i32 HD_GEMM_SAME
#define SLOT_i64 HD_GEMM_SAME
#define SLOT_bf16 HD_GEMM_BF16
#define SLOT_f16 HD_GEMM_F16
/* The kernels that take one row of B, or one column of B transposed, are another member than those that take several.
 */
#define ROWS_MEMBER_1 rows_single
#define ROWS_MEMBER_2 rows
#define ROWS_MEMBER_3 rows
#define ROWS_MEMBER_4 rows
#define ROWS_MEMBER_6 rows
#define ROWS_MEMBER_8 rows
#define DEPTH_MEMBER_1 rows_single_depth
#define DEPTH_MEMBER_2 rows_depth
#define DEPTH_MEMBER_3 rows_depth
#define DEPTH_MEMBER_4 rows_depth
#define DEPTH_MEMBER_6 rows_depth
#define DEPTH_MEMBER_8 rows_depth
#define DOT_MEMBER_1 dot_single
#define DOT_MEMBER_8 dot

static const hd_gemm_kernels tables[] = {
    [is_v4] = {.name = "x86-64-v4",
               .features = HD_CPU_AVX2 | HD_CPU_FMA | HD_CPU_F16C | HD_CPU_AVX512F | HD_CPU_AVX512BW | HD_CPU_AVX512DQ |
                           HD_CPU_AVX512VL,
               .vector_bytes = 64,
               .panel_vectors = 3,
               .rows = 8},
    [is_v3] = {.name = "x86-64-v3",
               .features = HD_CPU_AVX2 | HD_CPU_FMA | HD_CPU_F16C,
               .vector_bytes = 32,
               .panel_vectors = 2,
               .rows = 6},
#define TILE(isa, T, S, m, v) \
  [is_##isa].family[COMPUTE_##T][SLOT_##S].tile[v][m] = hd_gemm_##isa##_tile_##T##_##S##_##m##x##v,
#define PACKING(isa, T, S, m, v) \
  [is_##isa].family[COMPUTE_##T][SLOT_##S].packing = hd_gemm_##isa##_packing_##T##_##S##_##m##x##v,
#define ROWS(isa, T, S, m, d)                                                                               \
  [is_##isa].family[COMPUTE_##T][SLOT_##S].ROWS_MEMBER_##d[m] = hd_gemm_##isa##_rows_##T##_##S##_##m##x##d, \
  [is_##isa].family[COMPUTE_##T][SLOT_##S].DEPTH_MEMBER_##d[m] = d,
#define DOT(isa, T, S, m, n) \
  [is_##isa].family[COMPUTE_##T][SLOT_##S].DOT_MEMBER_##n[m] = hd_gemm_##isa##_dot_##T##_##S##_##m##x##n,
#define LANES(isa, T, m) [is_##isa].lanes[COMPUTE_##T][m] = hd_gemm_##isa##_lanes_##T##_##m,
#define WINDOW(isa, T, m) [is_##isa].window[COMPUTE_##T][m] = hd_gemm_##isa##_window_##T##_##m,
#define COPY(isa, S, T) [is_##isa].copy[ELEMENT_##S][COMPUTE_##T] = hd_gemm_##isa##_copy_##S##_##T,
#define STORE(isa, T, S) [is_##isa].store[COMPUTE_##T][ELEMENT_##S] = hd_gemm_##isa##_store_##T##_##S,
#define TRANSPOSE(isa, S, T) [is_##isa].transpose[ELEMENT_##S][COMPUTE_##T] = hd_gemm_##isa##_transpose_##S##_##T,
#include "runtime/libraries/gemm_kernels.def"
};

enum { table_count = sizeof tables / sizeof *tables };

static const hd_gemm_pairs pairs = {
    .features = HD_CPU_AVX512BF16 | HD_CPU_AVX512F | HD_CPU_AVX512BW | HD_CPU_AVX512VL,
#define PAIRS(isa, m, v) .tiles.tile[v][m] = hd_gemm_##isa##_pairs_##m##x##v,
#define EXACT_PAIRS(isa, m, v) .exact.tile[v][m] = hd_gemm_##isa##_exact_pairs_##m##x##v,
#define TO_PAIRS(isa, how) .how = hd_gemm_##isa##_##how,
#include "runtime/libraries/gemm_kernels.def"
};

#else

enum { table_count = 0 };
static const hd_gemm_kernels tables[1];
static const hd_gemm_pairs pairs = {.features = ~0ull};

#endif

const hd_gemm_kernels *hd_gemm_kernels_at(int index) {
  return index >= 0 && index < table_count ? &tables[index] : NULL;
}

const hd_gemm_kernels *hd_gemm_kernels_find(uint64_t cpu_features) {
  for (int i = 0; hd_gemm_kernels_at(i); ++i) {
    const hd_gemm_kernels *kernels = hd_gemm_kernels_at(i);
    if ((kernels->features & ~cpu_features) == 0) return kernels;
  }
  return NULL;
}

const hd_gemm_pairs *hd_gemm_pairs_find(uint64_t cpu_features) {
  return (pairs.features & ~cpu_features) == 0 ? &pairs : NULL;
}
