/* SPDX-License-Identifier: Apache-2.0 */
/* minimum_broadcast_shapes: shapes that broadcast together, written with as few dims as still do. Neighbouring dims
 * merge where the same operands have 1 in both; dims that are 1 in all go, and leading ones of each operand:
 *   [1, 2, 3, 1, 2, 1], [1, 1, 1, 2, 3]   ->   [6, 2, 1], [2, 3] */
#include "eval/core/frame.h"

enum { MAX_DIMS = 1 << 16 };

/* The size of |shape| at |place| from the right; 1 beyond its end. */
static int64_t size_at(const hd_eval_ints *shape, size_t place) {
  return place < shape->count ? shape->data[shape->count - 1 - place] : 1;
}

/* The size that all |count| shapes broadcast to at |place|. */
static hd_status common_size(const hd_eval_ints *shapes, uint32_t count, size_t place, int64_t *out) {
  *out = 1;
  for (uint32_t k = 0; k < count; ++k) {
    int64_t size = size_at(&shapes[k], place);
    if (size < 0 || (size != 1 && *out != 1 && size != *out))
      return hd_make_status(HD_INVALID_ARGUMENT, "shapes do not broadcast: %lld and %lld at place %zu from the right",
                            (long long)*out, (long long)size, place);
    if (size != 1) *out = size;
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(minimum_broadcast_shapes) {
  uint32_t n = op->operand_count;
  size_t places = 0, groups = 0;
  hd_eval_ints *shapes;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *shapes, &shapes));
  for (uint32_t k = 0; k < n; ++k) {
    HD_TRY(hd_eval_operand_ints(frame, &in[k], "shape", &shapes[k]));
    if (shapes[k].count > places) places = shapes[k].count;
  }
  if (places > MAX_DIMS) return hd_make_status(HD_UNIMPLEMENTED, "expected shapes of at most %d dims", MAX_DIMS);
  int64_t *merged, common; /* a row of sizes for each group, from the right */
  size_t last = 0;         /* a place of the group that is open */
  HD_TRY(hd_eval_temp(frame, places * n + 1, sizeof *merged, &merged));
  for (size_t place = 0; place < places; ++place) {
    HD_TRY(common_size(shapes, n, place, &common));
    if (common == 1) continue;
    bool same = groups > 0;
    for (uint32_t k = 0; k < n; ++k) same &= (size_at(&shapes[k], place) == 1) == (size_at(&shapes[k], last) == 1);
    for (uint32_t k = 0; k < n; ++k) {
      int64_t size = size_at(&shapes[k], place), *into = &merged[(groups - same) * n + k];
      if (!same)
        *into = size;
      else if (__builtin_mul_overflow(*into, size, into))
        return hd_make_status(HD_INVALID_ARGUMENT, "shape #%u has too many elements", k);
    }
    groups += !same;
    last = place;
  }
  for (uint32_t k = 0; k < n; ++k) {
    int64_t rank = (int64_t)groups;
    while (rank && merged[(size_t)(rank - 1) * n + k] == 1) --rank;
    HD_TRY(hd_eval_result(frame, op, k, 1, &rank, &out[k]));
    hd_type element = hd_tensor_element(&out[k]);
    for (int64_t i = 0; i < rank; ++i)
      hd_store_ints(element, (char *)hd_tensor_data(&out[k]) + (size_t)i * hd_type_element_bytes(element), 1,
                    &merged[(size_t)(rank - 1 - i) * n + k]);
  }
  return HD_STATUS_OK;
}
