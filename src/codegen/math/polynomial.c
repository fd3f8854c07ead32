/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of polynomials with constant coefficients. */
#include "codegen/math/emit.h"

V hd_math_horner(E *e, V x, const double *c, size_t n) {
  V p = m_const(e, c[n - 1]);
  for (size_t i = n - 1; i-- > 0;) p = m_fmak(e, p, x, c[i]);
  return p;
}

/* Pairs (c[2i] + c[2i+1] x) are combined by Horner's rule in x²: n/2 + 1 steps deep for one more multiplication. */
V hd_math_estrin(E *e, V x, const double *c, size_t n) {
  if (n < 4) return hd_math_horner(e, x, c, n);
  V square = m_mul(e, x, x), p = NULL;
  for (size_t i = (n - 1) / 2 + 1; i-- > 0;) {
    V pair = 2 * i + 1 < n ? m_fmak(e, m_const(e, c[2 * i + 1]), x, c[2 * i]) : m_const(e, c[2 * i]);
    p = p ? m_fma(e, p, square, pair) : pair;
  }
  return p;
}
