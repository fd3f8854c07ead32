/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/linear_layouts/linear_layout.h"

#include <string.h>

/* ---- spaces ---- */

static uint64_t low_bits(uint32_t n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

bool hd_linear_space_make(uint32_t dims, const uint8_t *bits, bool row_major, hd_linear_space *out) {
  memset(out, 0, sizeof *out);
  if (dims > HD_LINEAR_DIMS) return false;
  out->dims = dims;
  out->row_major = row_major;
  for (uint32_t i = 0; i < dims; ++i) {
    uint32_t d = row_major ? dims - 1 - i : i;
    out->bits[d] = bits[d];
    out->shift[d] = (uint8_t)out->total;
    out->total += bits[d];
    if (out->total > HD_LINEAR_BITS) return false;
  }
  return true;
}

bool hd_linear_space_equal(const hd_linear_space *a, const hd_linear_space *b) {
  return a->dims == b->dims && !memcmp(a->bits, b->bits, a->dims) && !memcmp(a->shift, b->shift, a->dims);
}

int64_t hd_linear_part(const hd_linear_space *space, uint64_t packed, uint32_t dim) {
  return (int64_t)(packed >> space->shift[dim] & low_bits(space->bits[dim]));
}

uint64_t hd_linear_part_mask(const hd_linear_space *space, uint32_t dim) {
  return low_bits(space->bits[dim]) << space->shift[dim];
}

uint64_t hd_linear_pack(const hd_linear_space *space, const int64_t *parts) {
  uint64_t packed = 0;
  for (uint32_t i = 0; i < space->dims; ++i) packed |= (uint64_t)parts[i] << space->shift[i];
  return packed;
}

void hd_linear_unpack(const hd_linear_space *space, uint64_t packed, int64_t *parts) {
  for (uint32_t i = 0; i < space->dims; ++i) parts[i] = hd_linear_part(space, packed, i);
}

/* ---- subspaces ---- */

static uint32_t highest(uint64_t v) { return 63u - (uint32_t)__builtin_clzll(v); }

uint64_t hd_span_reduce(const hd_span *span, uint64_t vector, uint64_t *out_sum) {
  uint64_t sum = 0, left = 0; /* left: bits that no vector leads */
  while (vector) {
    uint32_t bit = highest(vector);
    if (span->leading[bit]) {
      vector ^= span->leading[bit];
      sum ^= span->sum[bit];
    } else {
      left |= 1ull << bit;
      vector ^= 1ull << bit;
    }
  }
  if (out_sum) *out_sum = sum;
  return left;
}

bool hd_span_add(hd_span *span, uint64_t vector) {
  uint64_t sum, left = hd_span_reduce(span, vector, &sum);
  uint32_t number = span->added++;
  if (!left) return false;
  span->leading[highest(left)] = left;
  span->sum[highest(left)] = sum ^ (number < 64 ? 1ull << number : 0);
  ++span->size;
  return true;
}

void hd_span_add_part(hd_span *span, const hd_linear_layout *map, uint32_t dim) {
  for (uint32_t i = 0; i < map->in.bits[dim]; ++i) hd_span_add(span, map->column[map->in.shift[dim] + i]);
}

/* ---- maps ---- */

uint64_t hd_linear_layout_apply(const hd_linear_layout *map, uint64_t in) {
  uint64_t out = 0;
  for (; in; in &= in - 1) out ^= map->column[__builtin_ctzll(in)];
  return out;
}

bool hd_linear_layout_equal(const hd_linear_layout *a, const hd_linear_layout *b) {
  return hd_linear_space_equal(&a->in, &b->in) && hd_linear_space_equal(&a->out, &b->out) &&
         !memcmp(a->column, b->column, a->in.total * sizeof *a->column);
}

static hd_span columns(const hd_linear_layout *map) {
  hd_span span = hd_span_empty();
  for (uint32_t i = 0; i < map->in.total; ++i) hd_span_add(&span, map->column[i]);
  return span;
}

uint32_t hd_linear_layout_rank(const hd_linear_layout *map) { return columns(map).size; }

uint64_t hd_linear_layout_free(const hd_linear_layout *map) {
  hd_span span = hd_span_empty();
  uint64_t mask = 0;
  for (uint32_t i = 0; i < map->in.total; ++i)
    if (!hd_span_add(&span, map->column[i])) mask |= 1ull << i;
  return mask;
}

bool hd_linear_layout_compose(const hd_linear_layout *first, const hd_linear_layout *then, hd_linear_layout *out) {
  if (!hd_linear_space_equal(&first->out, &then->in)) return false;
  hd_linear_layout map = {.in = first->in, .out = then->out};
  for (uint32_t i = 0; i < map.in.total; ++i) map.column[i] = hd_linear_layout_apply(then, first->column[i]);
  *out = map;
  return true;
}

void hd_linear_layout_inverse(const hd_linear_layout *map, hd_linear_layout *out) {
  hd_linear_layout inverse = {.in = map->out, .out = map->in};
  hd_span span = columns(map);
  /* A unit vector that is no sum of columns is a column of its own, of no input bit. */
  span.added = 64;
  for (uint32_t i = 0; i < map->out.total; ++i) hd_span_add(&span, 1ull << i);
  for (uint32_t i = 0; i < map->out.total; ++i) hd_span_reduce(&span, 1ull << i, &inverse.column[i]);
  *out = inverse;
}

/* |packed| of |from| as an index of |to|, each part moved up by |above| bits. */
static uint64_t repack(const hd_linear_space *from, uint64_t packed, const hd_linear_space *to, const uint8_t *above) {
  uint64_t out = 0;
  for (uint32_t d = 0; d < from->dims; ++d)
    out |= (uint64_t)hd_linear_part(from, packed, d) << (to->shift[d] + (above ? above[d] : 0));
  return out;
}

static bool stacked(const hd_linear_space *low, const hd_linear_space *high, hd_linear_space *out) {
  uint8_t bits[HD_LINEAR_DIMS];
  if (low->dims != high->dims || low->row_major != high->row_major) return false;
  for (uint32_t d = 0; d < low->dims; ++d) bits[d] = (uint8_t)(low->bits[d] + high->bits[d]);
  return hd_linear_space_make(low->dims, bits, low->row_major, out);
}

bool hd_linear_layout_product(const hd_linear_layout *low, const hd_linear_layout *high, hd_linear_layout *out) {
  hd_linear_layout map;
  memset(&map, 0, sizeof map);
  if (!stacked(&low->in, &high->in, &map.in) || !stacked(&low->out, &high->out, &map.out)) return false;
  for (uint32_t d = 0; d < map.in.dims; ++d)
    for (uint32_t i = 0; i < map.in.bits[d]; ++i) {
      bool is_low = i < low->in.bits[d];
      uint64_t value =
          is_low ? low->column[low->in.shift[d] + i] : high->column[high->in.shift[d] + i - low->in.bits[d]];
      map.column[map.in.shift[d] + i] =
          is_low ? repack(&low->out, value, &map.out, NULL) : repack(&high->out, value, &map.out, low->out.bits);
    }
  *out = map;
  return true;
}

/* |space| without the low bits of |low|. False: it has not as many. */
static bool above(const hd_linear_space *space, const hd_linear_space *low, hd_linear_space *out) {
  uint8_t bits[HD_LINEAR_DIMS];
  if (low->dims != space->dims || low->row_major != space->row_major) return false;
  for (uint32_t d = 0; d < space->dims; ++d) {
    if (space->bits[d] < low->bits[d]) return false;
    bits[d] = (uint8_t)(space->bits[d] - low->bits[d]);
  }
  return hd_linear_space_make(space->dims, bits, space->row_major, out);
}

bool hd_linear_layout_divide(const hd_linear_layout *map, const hd_linear_layout *low, hd_linear_layout *out) {
  hd_linear_layout high, product;
  memset(&high, 0, sizeof high);
  if (!above(&map->in, &low->in, &high.in) || !above(&map->out, &low->out, &high.out)) return false;
  for (uint32_t d = 0; d < high.in.dims; ++d)
    for (uint32_t i = 0; i < high.in.bits[d]; ++i) {
      uint64_t value = map->column[map->in.shift[d] + low->in.bits[d] + i];
      int64_t parts[HD_LINEAR_DIMS];
      hd_linear_unpack(&map->out, value, parts);
      for (uint32_t k = 0; k < high.out.dims; ++k) parts[k] >>= low->out.bits[k];
      high.column[high.in.shift[d] + i] = hd_linear_pack(&high.out, parts);
    }
  if (!hd_linear_layout_product(low, &high, &product) || !hd_linear_layout_equal(&product, map)) return false;
  *out = high;
  return true;
}
