/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of LAPACK's routines, and one call of them under way. */
#ifndef HD_EVAL_GRAPH_LAPACK_ROW_H_
#define HD_EVAL_GRAPH_LAPACK_ROW_H_

#include "eval/graph/lapack_routines.h"
#include "eval/graph/matrix.h"

enum { HD_LAPACK_MAX_TENSORS = 6 };

/* One matrix of a batch. Scalars and integers are matrices of complex numbers too. */
typedef struct hd_lapack_state {
  hd_eval_frame *frame;
  const char *target;
  const hd_eval_lapack_call *call;
  bool real;
  int64_t sizes[128]; /* of the letters of a row; -1: not known */
  hd_matrix in[HD_LAPACK_MAX_TENSORS], out[HD_LAPACK_MAX_TENSORS];
  int64_t info;
} hd_lapack_state;

/* An integer of the call's configuration. */
int64_t hd_lapack_option(const hd_lapack_state *l, const char *name, int64_t missing);

/* Tensors are words. A letter is a dim: the same letter is the same size, k = min(m, n), j = max(n - 1, 0), s is m or n
 * by the option side, u and v are m and n, or k, by the option mode. "r:", "c:" and "i:" before them: of real numbers,
 * complex numbers and i32, else of the routine's own. Output k begins as input copies[k], -1: as zeros; |info| is the
 * output that gets the code, -1: none. */
typedef struct hd_lapack_row {
  const char *name, *letters, *ins, *outs;
  hd_status (*takes)(const hd_lapack_state *l);
  hd_status (*run)(hd_lapack_state *l);
  int8_t info, copies[HD_LAPACK_MAX_TENSORS];
} hd_lapack_row;

/* Of "lapack_", a letter, the routine, "_ffi"; null when there is none. */
const hd_lapack_row *hd_lapack_row_of(hd_str target);

#endif
