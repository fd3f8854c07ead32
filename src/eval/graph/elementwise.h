/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise ops as kernels over runs of numbers; one kernel per op and class of elements. */
#ifndef HD_EVAL_GRAPH_ELEMENTWISE_H_
#define HD_EVAL_GRAPH_ELEMENTWISE_H_

#include "eval/core/frame.h"

/* |in| has one run of |count| numbers per operand. A null kernel: the op is not defined for the class. */
typedef struct hd_elementwise {
  uint32_t operands;
  void (*floats)(size_t count, const double *const *in, double *out);
  void (*ints)(size_t count, const int64_t *const *in, int64_t *out, hd_type element);
  void (*complexes)(size_t count, const double complex *const *in, double complex *out);
} hd_elementwise;

/* Operands of one shape and class to a result of that class. */
hd_status hd_eval_elementwise(hd_eval_frame *frame, hd_op *op, const hd_elementwise *kernel, const hd_tensor *in,
                              hd_tensor *out) HD_MUST_USE;
/* The kernel of an op that is elementwise in the sense above, null otherwise; used for bodies of one op. */
const hd_elementwise *hd_elementwise_of(const hd_op *op);
const hd_elementwise *hd_elementwise_by(const hd_op_info *info);
/* Applies |kernel| to two single elements of |element| type: *out = kernel(*a, *b). */
void hd_elementwise_apply2(const hd_elementwise *kernel, hd_type element, const void *a, const void *b, void *out);

/* Loops for kernels: x and y name the operands, the expression the result. */
#define HD_FLOAT1(name, expr)                                            \
  static void name(size_t count, const double *const *in, double *out) { \
    for (size_t i = 0; i < count; ++i) {                                 \
      double x = in[0][i];                                               \
      out[i] = (expr);                                                   \
    }                                                                    \
  }
#define HD_FLOAT2(name, expr)                                            \
  static void name(size_t count, const double *const *in, double *out) { \
    for (size_t i = 0; i < count; ++i) {                                 \
      double x = in[0][i], y = in[1][i];                                 \
      out[i] = (expr);                                                   \
    }                                                                    \
  }
#define HD_INT1(name, expr)                                                                 \
  static void name(size_t count, const int64_t *const *in, int64_t *out, hd_type element) { \
    (void)element;                                                                          \
    for (size_t i = 0; i < count; ++i) {                                                    \
      int64_t x = in[0][i];                                                                 \
      out[i] = (expr);                                                                      \
    }                                                                                       \
  }
#define HD_INT2(name, expr)                                                                 \
  static void name(size_t count, const int64_t *const *in, int64_t *out, hd_type element) { \
    (void)element;                                                                          \
    for (size_t i = 0; i < count; ++i) {                                                    \
      int64_t x = in[0][i], y = in[1][i];                                                   \
      out[i] = (expr);                                                                      \
    }                                                                                       \
  }
#define HD_COMPLEX1(name, expr)                                                          \
  static void name(size_t count, const double complex *const *in, double complex *out) { \
    for (size_t i = 0; i < count; ++i) {                                                 \
      double complex x = in[0][i];                                                       \
      out[i] = (expr);                                                                   \
    }                                                                                    \
  }
#define HD_COMPLEX2(name, expr)                                                          \
  static void name(size_t count, const double complex *const *in, double complex *out) { \
    for (size_t i = 0; i < count; ++i) {                                                 \
      double complex x = in[0][i], y = in[1][i];                                         \
      out[i] = (expr);                                                                   \
    }                                                                                    \
  }

/* In lexicographic order of (real, imaginary); NaN wins, |x|'s first. */
double complex hd_complex_maximum(double complex x, double complex y);
double complex hd_complex_minimum(double complex x, double complex y);

/* Of a float in memory, a number in the order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN; NaNs by their bits. */
int64_t hd_eval_total_order_key(hd_type element, const void *data);

#endif
