/* SPDX-License-Identifier: Apache-2.0 */
/* fft: the discrete Fourier transform of the last one to three dims, of any length, computed in f64. Lengths are split
 * by their prime factors (Cooley-Tukey); a prime length is the sum of its definition. */
#include <math.h>
#include <string.h>

#include "eval/core/frame.h"
#include "ir/ops/stablehlo.h"

typedef struct plan {
  hd_eval_frame *frame;
  const double complex *roots; /* e^(sign 2 pi i k / n) for k < n of the whole length */
  size_t n;
} plan;

static size_t smallest_factor(size_t n) {
  for (size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

/* out[k] = sum over j of in[j * stride] w^(jk), for |n| points; |scratch| holds n points per level of the recursion. */
static hd_status transform(const plan *w, const double complex *in, size_t stride, size_t n, double complex *out,
                           double complex *scratch) {
  if (n == 1) {
    out[0] = in[0];
    return HD_STATUS_OK;
  }
  size_t p = smallest_factor(n), m = n / p, step = w->n / n;
  /* part r holds the transform of elements r, r + p, ... */
  for (size_t r = 0; r < p; ++r) HD_TRY(transform(w, in + r * stride, stride * p, m, scratch + r * m, scratch + n));
  for (size_t k = 0; k < n; ++k) {
    double complex sum = 0;
    if (p > 1000 && k % 64 == 0) HD_TRY(hd_eval_poll(w->frame));
    for (size_t r = 0; r < p; ++r) {
      double complex root = w->roots[r * k % n * step], x = scratch[r * m + k % m];
      sum += CMPLX(creal(root) * creal(x) - cimag(root) * cimag(x), creal(root) * cimag(x) + cimag(root) * creal(x));
    }
    out[k] = sum;
  }
  return HD_STATUS_OK;
}

/* Transforms dim |axis| of |data| in place. */
static hd_status transform_axis(hd_eval_frame *frame, double complex *data, uint32_t rank, const int64_t *dims,
                                uint32_t axis, int sign) {
  size_t n = (size_t)dims[axis];
  int64_t strides[HD_MAX_RANK], lines[HD_MAX_RANK], index[HD_MAX_RANK] = {0};
  double complex *roots, *line, *scratch;
  HD_TRY(hd_eval_temp(frame, n, sizeof *roots, &roots));
  HD_TRY(hd_eval_temp(frame, n, sizeof *line, &line));
  HD_TRY(hd_eval_temp(frame, n, 2 * sizeof *scratch, &scratch));
  for (size_t k = 0; k < n; ++k) {
    /* exact at multiples of an eighth of the circle: reduce to the first octant */
    double angle = 2 * M_PI * (double)k / (double)n;
    double c = cos(angle), s = sin(angle);
    if (4 * k % n == 0) {
      size_t quarter = 4 * k / n;
      c = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
      s = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
    roots[k] = CMPLX(c, sign * s);
  }
  plan w = {frame, roots, n};
  hd_strides_of(rank, dims, strides);
  memcpy(lines, dims, rank * sizeof *lines);
  lines[axis] = 1;
  do {
    HD_TRY(hd_eval_poll(frame));
    int64_t start = 0;
    for (uint32_t i = 0; i < rank; ++i) start += index[i] * strides[i];
    HD_TRY(transform(&w, data + start, (size_t)strides[axis], n, line, scratch));
    for (size_t k = 0; k < n; ++k) data[start + (int64_t)k * strides[axis]] = sign > 0 ? line[k] / (double)n : line[k];
  } while (hd_index_next(rank, lines, index));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(fft) {
  hd_eval_ints lengths;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_fft_length, &lengths));
  hd_enum_stablehlo_fft_type kind = hd_stablehlo_fft_fft_type(op);
  bool real_in = kind == HD_STABLEHLO_FFT_TYPE_RFFT, real_out = kind == HD_STABLEHLO_FFT_TYPE_IRFFT;
  bool inverse = real_out || kind == HD_STABLEHLO_FFT_TYPE_IFFT;
  uint32_t rank = hd_tensor_rank(&in[0]), axes = (uint32_t)lengths.count;
  hd_type from = hd_tensor_element(&in[0]), type = hd_result_type(op, 0);
  if (axes < 1 || axes > 3 || rank < axes)
    return hd_make_status(HD_INVALID_ARGUMENT, "fft_length: expected 1 to 3 entries, at most the rank %u", rank);
  if (hd_class_of(from) != (real_in ? HD_CLASS_FLOAT : HD_CLASS_COMPLEX) || !hd_type_is_tensor(type) ||
      hd_class_of(type->shaped.element) != (real_out ? HD_CLASS_FLOAT : HD_CLASS_COMPLEX))
    return hd_make_status(HD_INVALID_ARGUMENT, "element types do not fit the kind of transform");
  /* Work on the full complex shape: operand dims, but the transform's own lengths last. */
  int64_t dims[HD_MAX_RANK], count;
  memcpy(dims, hd_tensor_dims(&in[0]), rank * sizeof *dims);
  for (uint32_t i = 0; i < axes; ++i) {
    int64_t length = lengths.data[i], have = dims[rank - axes + i];
    bool halved = real_out && i + 1 == axes;
    if (length < 0 || have != (halved ? (length ? length / 2 + 1 : have) : length))
      return hd_make_status(HD_INVALID_ARGUMENT, "fft_length %u is %lld, which does not fit a dim of %lld", i,
                            (long long)length, (long long)have);
    dims[rank - axes + i] = length;
  }
  if (!hd_dims_product(rank, dims, &count))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of elements overflows");
  int64_t out_dims[HD_MAX_RANK];
  memcpy(out_dims, dims, rank * sizeof *dims);
  if (real_in) out_dims[rank - 1] = dims[rank - 1] ? dims[rank - 1] / 2 + 1 : 0;
  HD_TRY(hd_eval_result(frame, op, 0, rank, out_dims, out));
  if (!count || !hd_tensor_count(out)) {
    memset(hd_tensor_data(out), 0, out->buffer->size);
    return HD_STATUS_OK;
  }
  double complex *data;
  HD_TRY(hd_eval_temp(frame, (size_t)count, sizeof *data, &data));
  size_t bytes = hd_type_element_bytes(from);
  if (real_in) {
    for (size_t i = 0; i < (size_t)count; ++i) {
      double x;
      hd_load_doubles(from, (const char *)hd_tensor_data(&in[0]) + i * bytes, 1, &x);
      data[i] = x;
    }
  } else if (!real_out) {
    hd_load_complex(from, hd_tensor_data(&in[0]), (size_t)count, data);
  }
  if (!real_out) {
    for (uint32_t i = axes; i-- > 0;)
      HD_TRY(transform_axis(frame, data, rank, dims, rank - axes + i, inverse ? 1 : -1));
  } else {
    /* Inverse along the outer dims on the half spectrum, then the last: its missing half mirrors the given one. */
    const int64_t *half_dims = hd_tensor_dims(&in[0]);
    size_t half_count = hd_tensor_count(&in[0]);
    double complex *half;
    HD_TRY(hd_eval_temp(frame, half_count, sizeof *half, &half));
    hd_load_complex(from, hd_tensor_data(&in[0]), half_count, half);
    for (uint32_t i = 0; i + 1 < axes; ++i) HD_TRY(transform_axis(frame, half, rank, half_dims, rank - axes + i, 1));
    int64_t n = dims[rank - 1], h = half_dims[rank - 1];
    for (int64_t line = 0; line < count / n; ++line)
      for (int64_t k = 0; k < n; ++k) {
        double complex x = k < h ? half[line * h + k] : conj(half[line * h + n - k]);
        if (k == 0 || 2 * k == n) x = creal(x);
        data[line * n + k] = x;
      }
    HD_TRY(transform_axis(frame, data, rank, dims, rank - 1, 1));
  }
  hd_type to = hd_tensor_element(out);
  size_t to_bytes = hd_type_element_bytes(to);
  int64_t n = dims[rank - 1], kept = out_dims[rank - 1];
  for (int64_t line = 0; line < count / n; ++line)
    for (int64_t k = 0; k < kept; ++k) {
      char *target = (char *)hd_tensor_data(out) + (size_t)(line * kept + k) * to_bytes;
      double complex x = data[line * n + k];
      double re = creal(x);
      if (real_out)
        hd_store_doubles(to, target, 1, &re);
      else
        hd_store_complex(to, target, 1, &x);
    }
  return HD_STATUS_OK;
}
