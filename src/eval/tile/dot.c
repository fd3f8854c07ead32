/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products of tiles: d = c + a b, summed in double precision and rounded once. */
#include <math.h>
#include <string.h>

#include "eval/tile/memory.h"
#include "ir/ops/tt.h"
#include "ir/ops/ttng.h"

/* How an f32 operand becomes a sum of narrower numbers: |parts| of |kind|, of which those products count whose numbers
 * add up to less than |parts|. */
typedef struct split {
  int parts; /* 1 with bits == 0: as it is */
  int bits;  /* of the mantissa that a part keeps */
} split;

static split split_of(hd_type a, hd_type b, hd_enum_tt_input_precision precision) {
  if (!hd_type_is_float(a, HD_F32) || !hd_type_is_float(b, HD_F32)) return (split){1, 0};
  switch (precision) {
    case HD_TT_INPUT_PRECISION_TF32:
      return (split){1, 10};
    case HD_TT_INPUT_PRECISION_TF32X3:
      return (split){2, 10};
    case HD_TT_INPUT_PRECISION_BF16X3:
      return (split){2, 7};
    case HD_TT_INPUT_PRECISION_BF16X6:
      return (split){3, 7};
    case HD_TT_INPUT_PRECISION_IEEE:
      break;
  }
  return (split){1, 0};
}

/* |value|, an f32, rounded to |bits| of mantissa, ties to even; the exponent keeps its range. */
static double rounded(double value, int bits) {
  float single = (float)value;
  uint32_t pattern, drop = 23 - (uint32_t)bits;
  if (!isfinite(value)) return value;
  memcpy(&pattern, &single, 4);
  pattern += ((1u << (drop - 1)) - 1) + (pattern >> drop & 1);
  pattern &= ~((1u << drop) - 1);
  memcpy(&single, &pattern, 4);
  return single;
}

typedef struct product {
  int64_t batch, m, n, k;
} product;

/* Dims of a, b and d, of rank 2, or 3 with a batch in front. */
static hd_status product_of(hd_type a, hd_type b, hd_type d, product *out) {
  uint32_t rank = d->shaped.rank;
  if (rank < 2 || rank > 3 || a->shaped.rank != rank || b->shaped.rank != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected matrices or batches of them");
  const int64_t *x = a->shaped.dims + rank - 2, *y = b->shaped.dims + rank - 2, *z = d->shaped.dims + rank - 2;
  *out = (product){rank == 3 ? d->shaped.dims[0] : 1, z[0], z[1], x[1]};
  bool batches = rank == 2 || (a->shaped.dims[0] == out->batch && b->shaped.dims[0] == out->batch);
  if (batches && x[0] == z[0] && y[1] == z[1] && x[1] == y[0]) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "the matrices do not fit each other: %s times %s to %s",
                        hd_dims_text(rank, a->shaped.dims), hd_dims_text(rank, b->shaped.dims),
                        hd_dims_text(rank, d->shaped.dims));
}

/* The elements of |tensor| as its parts, one after the other. */
static hd_status parts_of(hd_eval_frame *frame, const hd_tensor *tensor, split how, double **out) {
  size_t count = hd_tensor_count(tensor);
  HD_TRY(hd_eval_temp(frame, count * (size_t)how.parts, sizeof **out, out));
  hd_load_doubles(hd_tensor_element(tensor), hd_tensor_data(tensor), count, *out);
  for (int p = 0; how.bits && p < how.parts; ++p)
    for (size_t i = 0; i < count; ++i) {
      double whole = (*out)[(size_t)p * count + i], part = rounded(whole, how.bits);
      (*out)[(size_t)p * count + i] = part;
      if (p + 1 < how.parts) (*out)[(size_t)(p + 1) * count + i] = isfinite(whole) ? whole - part : 0;
    }
  return HD_STATUS_OK;
}

static hd_status add_floats(hd_eval_frame *frame, const product *p, split how, const hd_tensor *a, const hd_tensor *b,
                            const hd_tensor *c, hd_tensor *out) {
  double *x, *y, *sums;
  size_t count = hd_tensor_count(out), left = hd_tensor_count(a), right = hd_tensor_count(b);
  HD_TRY(parts_of(frame, a, how, &x));
  HD_TRY(parts_of(frame, b, how, &y));
  HD_TRY(hd_eval_temp(frame, count, sizeof *sums, &sums));
  if (c) hd_load_doubles(hd_tensor_element(c), hd_tensor_data(c), count, sums);
  for (int i = how.parts; i-- > 0;) /* the smallest products first */
    for (int j = how.parts - i; j-- > 0;)
      for (int64_t row = 0; row < p->batch * p->m; ++row) {
        const double *u = x + (size_t)i * left + (size_t)(row * p->k);
        const double *v = y + (size_t)j * right + (size_t)(row / p->m * p->k * p->n);
        double *to = sums + row * p->n;
        for (int64_t k = 0; k < p->k; ++k)
          for (int64_t n = 0; n < p->n; ++n) to[n] += u[k] * v[k * p->n + n];
      }
  hd_store_doubles(hd_tensor_element(out), hd_tensor_data(out), count, sums);
  return HD_STATUS_OK;
}

static hd_status add_ints(hd_eval_frame *frame, const product *p, const hd_tensor *a, const hd_tensor *b,
                          const hd_tensor *c, hd_tensor *out) {
  int64_t *x, *y, *sums;
  size_t count = hd_tensor_count(out);
  HD_TRY(hd_eval_temp(frame, hd_tensor_count(a), sizeof *x, &x));
  HD_TRY(hd_eval_temp(frame, hd_tensor_count(b), sizeof *y, &y));
  HD_TRY(hd_eval_temp(frame, count, sizeof *sums, &sums));
  hd_load_ints(hd_tensor_element(a), hd_tensor_data(a), hd_tensor_count(a), x);
  hd_load_ints(hd_tensor_element(b), hd_tensor_data(b), hd_tensor_count(b), y);
  if (c) hd_load_ints(hd_tensor_element(c), hd_tensor_data(c), count, sums);
  for (int64_t row = 0; row < p->batch * p->m; ++row)
    for (int64_t k = 0; k < p->k; ++k)
      for (int64_t n = 0; n < p->n; ++n)
        sums[row * p->n + n] = (int64_t)((uint64_t)sums[row * p->n + n] +
                                         (uint64_t)x[row * p->k + k] * (uint64_t)y[(row / p->m * p->k + k) * p->n + n]);
  hd_store_ints(hd_tensor_element(out), hd_tensor_data(out), count, sums);
  return HD_STATUS_OK;
}

hd_status hd_tile_dot(hd_eval_frame *frame, hd_type type, hd_enum_tt_input_precision precision, const hd_tensor *a,
                      const hd_tensor *b, const hd_tensor *c, hd_tensor *out) {
  product p;
  HD_TRY(hd_eval_value(frame, type, out));
  HD_TRY(product_of(a->type, b->type, out->type, &p));
  hd_number_class class = hd_class_of(hd_tensor_element(out));
  if (hd_class_of(hd_tensor_element(a)) != class || hd_class_of(hd_tensor_element(b)) != class)
    return hd_make_status(HD_INVALID_ARGUMENT, "mixes integers and floating-point numbers");
  if (class == HD_CLASS_INT) return add_ints(frame, &p, a, b, c, out);
  return add_floats(frame, &p, split_of(hd_tensor_element(a), hd_tensor_element(b), precision), a, b, c, out);
}

HD_EVAL_HOOK(tt_dot) {
  return hd_tile_dot(frame, hd_result_type(op, 0), hd_tt_dot_inputPrecision(op), &in[0], &in[1], &in[2], out);
}

/* ---- products from shared memory ---- */

/* Operand |value|, a tensor or shared memory, as a tensor that the caller owns. */
static hd_status matrix(hd_eval_frame *frame, const hd_tensor *value, hd_tensor *out) {
  if (hd_type_is_memdesc(value->type)) return hd_shared_read(frame, value, out);
  *out = hd_tensor_retain(*value);
  return HD_STATUS_OK;
}

/* An asynchronous one is done at once. */
HD_EVAL_HOOK(ttng_warp_group_dot) {
  hd_tensor sides[2] = {0};
  bool keep = op->operand_count < 4 || hd_eval_int(&in[3]);
  hd_status status = matrix(frame, &in[0], &sides[0]);
  if (hd_is_ok(status)) status = matrix(frame, &in[1], &sides[1]);
  if (hd_is_ok(status))
    status = hd_tile_dot(frame, hd_result_type(op, 0), hd_ttng_warp_group_dot_inputPrecision(op), &sides[0], &sides[1],
                         keep ? &in[2] : NULL, out);
  hd_tensor_release(&sides[0]);
  hd_tensor_release(&sides[1]);
  return status;
}

HD_EVAL_HOOK(ttng_warp_group_dot_wait) {
  for (uint32_t i = 0; i < op->result_count && i < op->operand_count; ++i) out[i] = hd_tensor_retain(in[i]);
  return HD_STATUS_OK;
}

/* ---- products with scales ---- */

/* What the elements of an operand of tt.dot_scaled are. Those of 4 bits are in pairs in bytes, the first in the low
 * half. HD_FLOAT_KIND_COUNT: of the tensor's own type. */
static hd_float_kind kind_of(hd_enum_tt_scale_type type) {
  switch (type) {
    case HD_TT_SCALE_TYPE_E4M3:
      return HD_F8E4M3FN;
    case HD_TT_SCALE_TYPE_E5M2:
      return HD_F8E5M2;
    case HD_TT_SCALE_TYPE_E2M3:
      return HD_F6E2M3FN;
    case HD_TT_SCALE_TYPE_E3M2:
      return HD_F6E3M2FN;
    case HD_TT_SCALE_TYPE_E2M1:
      return HD_F4E2M1FN;
    case HD_TT_SCALE_TYPE_BF16:
    case HD_TT_SCALE_TYPE_FP16:
      break;
  }
  return HD_FLOAT_KIND_COUNT;
}

/* 2 to the power of a byte less its bias; 255 is NaN. */
static double scale_at(const hd_tensor *scales, size_t at) {
  uint8_t byte = ((const uint8_t *)hd_tensor_data(scales))[at];
  return byte == 255 ? NAN : ldexp(1, (int)byte - 127);
}

/* Operand |values| with |rows| times |depth| numbers, each times the scale of its group: row r, depth k at [r * depth +
 * k] (of b, whose dims come the other way round, |across|). */
static hd_status scaled(hd_eval_frame *frame, const hd_tensor *values, const hd_tensor *scales,
                        hd_enum_tt_scale_type type, bool across, int64_t *rows, int64_t *depth, double **out) {
  hd_type element = hd_tensor_element(values);
  hd_float_kind kind = kind_of(type);
  const int64_t *dims = hd_tensor_dims(values);
  int64_t pack = kind == HD_F4E2M1FN ? 2 : 1, step;
  size_t bytes = hd_tensor_element_bytes(values);
  if (hd_tensor_rank(values) != 2) return hd_make_status(HD_UNIMPLEMENTED, "expected matrices");
  if (kind != HD_FLOAT_KIND_COUNT && bytes != 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected elements of one byte for this type");
  if (kind == HD_FLOAT_KIND_COUNT && hd_class_of(element) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floating-point numbers");
  *rows = dims[across ? 1 : 0];
  *depth = dims[across ? 0 : 1] * pack;
  step = scales && hd_tensor_rank(scales) == 2 && hd_tensor_dims(scales)[1] ? *depth / hd_tensor_dims(scales)[1] : 0;
  if (scales && (!step || hd_tensor_dims(scales)[0] != *rows || hd_tensor_dims(scales)[1] * step != *depth ||
                 hd_tensor_element_bytes(scales) != 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a byte of scale for each group of elements");
  HD_TRY(hd_eval_temp(frame, (size_t)(*rows * *depth), sizeof **out, out));
  for (int64_t r = 0; r < *rows; ++r)
    for (int64_t k = 0; k < *depth; ++k) {
      const char *data = hd_tensor_data(values);
      size_t at = (size_t)(across ? k / pack * dims[1] + r : r * dims[1] + k / pack);
      double value;
      if (kind == HD_FLOAT_KIND_COUNT)
        hd_load_doubles(element, data + at * bytes, 1, &value);
      else if (pack == 2)
        value = hd_float_decode(kind, (uint8_t)data[at] >> (k % 2 ? 4 : 0) & 15);
      else
        value = hd_float_decode(kind, (uint8_t)data[at]);
      (*out)[r * *depth + k] = scales ? value * scale_at(scales, (size_t)(r * (*depth / step) + k / step)) : value;
    }
  return HD_STATUS_OK;
}

hd_status hd_tile_dot_scaled(hd_eval_frame *frame, hd_type type, hd_scaled_operand a, hd_scaled_operand b,
                             const hd_tensor *c, hd_tensor *out) {
  double *x, *y, *sums;
  int64_t m, n, depth, other;
  HD_TRY(hd_eval_value(frame, type, out));
  HD_TRY(scaled(frame, a.values, a.scales, a.type, false, &m, &depth, &x));
  HD_TRY(scaled(frame, b.values, b.scales, b.type, true, &n, &other, &y));
  if (depth != other || hd_tensor_count(out) != (size_t)(m * n) ||
      hd_class_of(hd_tensor_element(out)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "the matrices do not fit each other");
  HD_TRY(hd_eval_temp(frame, (size_t)(m * n), sizeof *sums, &sums));
  if (c) hd_load_doubles(hd_tensor_element(out), hd_tensor_data(c), (size_t)(m * n), sums);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column)
      for (int64_t k = 0; k < depth; ++k) sums[row * n + column] += x[row * depth + k] * y[column * depth + k];
  hd_store_doubles(hd_tensor_element(out), hd_tensor_data(out), (size_t)(m * n), sums);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_dot_scaled) {
  if (!hd_tt_dot_scaled_lhs_k_pack(op) || !hd_tt_dot_scaled_rhs_k_pack(op))
    return hd_make_status(HD_UNIMPLEMENTED, "has pairs of elements along another dim than the one that is summed");
  hd_scaled_operand a = {&in[0], hd_optional_operand(op, in, 3), hd_tt_dot_scaled_a_elem_type(op)},
                    b = {&in[1], hd_optional_operand(op, in, 4), hd_tt_dot_scaled_b_elem_type(op)};
  return hd_tile_dot_scaled(frame, hd_result_type(op, 0), a, b, &in[2], out);
}
