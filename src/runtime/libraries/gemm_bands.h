/* SPDX-License-Identifier: Apache-2.0 */
/* Operands whose elements that are not zero are in a band, as in matrices that resample lines (an image that is
 * resized), differentiate or shift: tiles leave out the terms before and after those of their rows and columns, where
 * the other operand is finite, since zero times infinity is NaN. What is left out would add zero, so that sums are
 * those of all terms but for the sign of a zero. */
#ifndef HD_RUNTIME_LIBRARIES_GEMM_BANDS_H_
#define HD_RUNTIME_LIBRARIES_GEMM_BANDS_H_

#include "runtime/libraries/gemm_problem.h"

enum { HD_GEMM_BAND_ROWS = 8 }; /* of a group of A's rows */

/* Terms in [first, end) alone have a factor that is not zero. */
typedef struct hd_gemm_band {
  int64_t first, end;
} hd_gemm_band;

typedef struct hd_gemm_bands {
  hd_gemm_band *rows;    /* of each group of rows of A; null: all of k */
  hd_gemm_band *columns; /* of each vector of columns of B; null: all of k */
  hd_gemm_block *memory;
} hd_gemm_bands;

/* The bands of |problem|'s operands, where there are some that may be used and are worth it. The same for any number of
 * threads. What |*out_bands| holds is given back by hd_gemm_bands_release. */
void hd_gemm_bands_find(hd_gemm_context *context, const hd_gemm_problem *problem, const hd_gemm_env *env,
                        hd_gemm_bands *out_bands);
void hd_gemm_bands_release(hd_gemm_context *context, hd_gemm_bands *bands);

/* What bands [from, to) have of |range|. */
static inline hd_gemm_band hd_gemm_band_join(const hd_gemm_band *bands, int64_t from, int64_t to, hd_gemm_band range) {
  int64_t first = range.end, end = range.first;
  for (int64_t i = from; i < to; ++i) {
    if (bands[i].first == bands[i].end) continue;
    if (bands[i].first < first) first = bands[i].first;
    if (bands[i].end > end) end = bands[i].end;
  }
  if (first < range.first) first = range.first;
  if (end > range.end) end = range.end;
  return first < end ? (hd_gemm_band){first, end} : (hd_gemm_band){range.first, range.first};
}

/* What is in |range| of the terms that rows [m, m + rows) and |vectors| vectors of columns from |vector| on need. */
static inline hd_gemm_band hd_gemm_band_of_rows(const hd_gemm_bands *bands, int64_t m, int64_t rows,
                                                hd_gemm_band range) {
  const int64_t group = HD_GEMM_BAND_ROWS;
  return bands->rows ? hd_gemm_band_join(bands->rows, m / group, (m + rows - 1) / group + 1, range) : range;
}

static inline hd_gemm_band hd_gemm_band_of_columns(const hd_gemm_bands *bands, int64_t vector, int64_t vectors,
                                                   hd_gemm_band range) {
  return bands->columns ? hd_gemm_band_join(bands->columns, vector, vector + vectors, range) : range;
}

#endif
