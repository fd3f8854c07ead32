/* SPDX-License-Identifier: Apache-2.0 */
/* einsum and unary_einsum: "ab,bc->ac". Each letter is a dim; letters that the result lacks are summed over, in
 * row-major order of their first appearance, in the accumulator of dots. */
#include <string.h>

#include "eval/graph/accumulate.h"
#include "ir/ops/interfaces.h"

enum { LETTERS = 26 };

typedef struct einsum {
  uint32_t operands, rank;          /* rank: letters of the result */
  uint32_t order[LETTERS], letters; /* letters of the result, then the summed ones */
  int64_t dims[LETTERS];            /* by position in |order| */
  int64_t strides[2][LETTERS];      /* of each operand, by position in |order| */
} einsum;

static hd_status read_labels(hd_str *text, uint32_t *out, uint32_t *count) {
  *count = 0;
  while (text->len && text->data[0] >= 'a' && text->data[0] <= 'z') {
    if (*count == LETTERS) return hd_make_status(HD_INVALID_ARGUMENT, "einsum_config: too many labels");
    out[(*count)++] = (uint32_t)(text->data[0] - 'a');
    ++text->data, --text->len;
  }
  return HD_STATUS_OK;
}

static hd_status read_config(hd_op *op, const hd_tensor *in, uint32_t operands, einsum *e) {
  hd_str text = hd_einsum_like_einsum_config(op);
  uint32_t labels[3][LETTERS], counts[3];
  int64_t sizes[LETTERS], position[LETTERS];
  for (int i = 0; i < LETTERS; ++i) sizes[i] = position[i] = -1;
  *e = (einsum){.operands = operands};
  for (uint32_t k = 0; k < operands; ++k) {
    if (k && (!text.len || text.data[0] != ','))
      return hd_make_status(HD_INVALID_ARGUMENT, "einsum_config: expected ','");
    if (k) ++text.data, --text.len;
    HD_TRY(read_labels(&text, labels[k], &counts[k]));
    if (counts[k] != hd_tensor_rank(&in[k]))
      return hd_make_status(HD_INVALID_ARGUMENT, "einsum_config: operand %u has rank %u and %u labels", k,
                            hd_tensor_rank(&in[k]), counts[k]);
    for (uint32_t i = 0; i < counts[k]; ++i) {
      int64_t size = hd_tensor_dims(&in[k])[i], *known = &sizes[labels[k][i]];
      if (*known >= 0 && *known != size)
        return hd_make_status(HD_INVALID_ARGUMENT, "einsum_config: label %c is %lld and %lld", 'a' + (char)labels[k][i],
                              (long long)*known, (long long)size);
      *known = size;
    }
  }
  if (text.len < 2 || memcmp(text.data, "->", 2) != 0)
    return hd_make_status(HD_UNIMPLEMENTED, "einsum_config: expected labels a to z, ',' and '->'");
  text.data += 2, text.len -= 2;
  HD_TRY(read_labels(&text, labels[2], &counts[2]));
  if (text.len) return hd_make_status(HD_UNIMPLEMENTED, "einsum_config: expected labels a to z, ',' and '->'");
  for (uint32_t i = 0; i < counts[2]; ++i) {
    uint32_t letter = labels[2][i];
    if (sizes[letter] < 0 || position[letter] >= 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "einsum_config: result label %c is unknown or repeated",
                            'a' + (char)letter);
    position[letter] = e->letters;
    e->order[e->letters++] = letter;
  }
  e->rank = e->letters;
  for (uint32_t k = 0; k < operands; ++k) {
    int64_t strides[HD_MAX_RANK];
    hd_strides_of(counts[k], hd_tensor_dims(&in[k]), strides);
    for (uint32_t i = 0; i < counts[k]; ++i) {
      uint32_t letter = labels[k][i];
      if (position[letter] < 0) {
        position[letter] = e->letters;
        e->order[e->letters++] = letter;
      }
      e->strides[k][position[letter]] += strides[i]; /* a repeated label walks the diagonal */
    }
  }
  for (uint32_t i = 0; i < e->letters; ++i) e->dims[i] = sizes[e->order[i]];
  return HD_STATUS_OK;
}

#define SUM(name, T)                                                                             \
  static hd_status name(hd_eval_frame *frame, const einsum *e, const T *a, const T *b, T *out) { \
    int64_t index[LETTERS] = {0}, per_result = 1, at = 0;                                        \
    for (uint32_t i = e->rank; i < e->letters; ++i) per_result *= e->dims[i];                    \
    do {                                                                                         \
      int64_t x = 0, y = 0;                                                                      \
      for (uint32_t i = 0; i < e->letters; ++i) {                                                \
        x += index[i] * e->strides[0][i];                                                        \
        y += index[i] * e->strides[1][i];                                                        \
      }                                                                                          \
      out[at / per_result] += b ? a[x] * b[y] : a[x];                                            \
      if ((++at & 0xfff) == 0) HD_TRY(hd_eval_poll(frame));                                      \
    } while (hd_index_next(e->letters, e->dims, index));                                         \
    return HD_STATUS_OK;                                                                         \
  }
SUM(sum_f32, float)
SUM(sum_f64, double)
SUM(sum_int, uint64_t)
SUM(sum_c64, float complex)
SUM(sum_c128, double complex)

static hd_status run(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, uint32_t operands, hd_tensor *out) {
  einsum e;
  HD_TRY(read_config(op, in, operands, &e));
  HD_TRY(hd_eval_result(frame, op, 0, e.rank, e.dims, out));
  hd_type element = hd_tensor_element(out);
  hd_accumulator kind = hd_accumulator_of_product(&in[0], &in[operands - 1], element);
  size_t count = hd_tensor_count(out);
  void *a = NULL, *b = NULL, *sum;
  if (kind == HD_ACCUMULATE_NONE) return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  HD_TRY(hd_eval_temp(frame, count, hd_accumulator_bytes(kind), &sum));
  bool empty = count == 0;
  for (uint32_t i = 0; i < e.letters; ++i) empty |= e.dims[i] == 0;
  HD_TRY(hd_eval_widened(frame, &in[0], kind, &a));
  if (operands == 2) HD_TRY(hd_eval_widened(frame, &in[1], kind, &b));
  if (!empty) switch (kind) {
      case HD_ACCUMULATE_F32:
        HD_TRY(sum_f32(frame, &e, a, b, sum));
        break;
      case HD_ACCUMULATE_F64:
        HD_TRY(sum_f64(frame, &e, a, b, sum));
        break;
      case HD_ACCUMULATE_INT:
        HD_TRY(sum_int(frame, &e, a, b, sum));
        break;
      case HD_ACCUMULATE_C64:
        HD_TRY(sum_c64(frame, &e, a, b, sum));
        break;
      default:
        HD_TRY(sum_c128(frame, &e, a, b, sum));
        break;
    }
  hd_narrow(kind, sum, element, hd_tensor_data(out), count);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(einsum) { return run(frame, op, in, 2, out); }
HD_EVAL_HOOK(unary_einsum) { return run(frame, op, in, 1, out); }
