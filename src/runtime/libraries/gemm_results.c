/* SPDX-License-Identifier: Apache-2.0 */
/* Where the tiles of a product go: to an epilogue, or to rows and columns that are apart. */
#include "runtime/libraries/gemm_problem.h"

#define SCATTER(T)                                                                                           \
  do {                                                                                                       \
    const T *s = (const T *)(const void *)from;                                                              \
    T *d = (T *)(void *)c;                                                                                   \
    for (int64_t r = 0; r < rows; ++r)                                                                       \
      for (int64_t j = 0; j < columns; ++j) d[r * c_row + j * c_column] = s[r * from_row + j * from_column]; \
  } while (0)

static void swap(int64_t *a, int64_t *b) {
  int64_t other = *a;
  *a = *b, *b = other;
}

void hd_gemm_scatter(const char *from, int64_t rows, int64_t columns, size_t size, char *c, int64_t c_row,
                     int64_t c_column) {
  int64_t from_row = columns, from_column = 1;
  /* Along what lies closer to each other: a cache line is written by one loop. */
  if (c_row > 0 && c_row < c_column) swap(&rows, &columns), swap(&c_row, &c_column), swap(&from_row, &from_column);
  switch (size) {
    case 1:
      SCATTER(uint8_t);
      break;
    case 2:
      SCATTER(uint16_t);
      break;
    case 4:
      SCATTER(uint32_t);
      break;
    default:
      SCATTER(uint64_t);
      break;
  }
}

#undef SCATTER

void hd_gemm_apply_epilogue(const hd_gemm_problem *p, int64_t batch, int64_t m0, int64_t m1, int64_t n0, int64_t n1,
                            const char *tile, int64_t tile_row) {
  struct {
    hd_gemm_epilogue leading;
    uint64_t own[HD_GEMM_EPILOGUE_OWN_WORDS];
  } args;
  args.leading = (hd_gemm_epilogue){.tile = tile, .tile_row = tile_row, .batch = batch, .n0 = n0, .n1 = n1};
  for (int32_t i = 0; i < p->epilogue_word_count; ++i) args.own[i] = p->epilogue_words[i];
  p->epilogue((const uint64_t *)(const void *)&args, m0, m1);
}
