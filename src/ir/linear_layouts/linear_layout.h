/* SPDX-License-Identifier: Apache-2.0 */
/* Linear maps over GF(2), the one form that every layout of a tile has (Zhou and others, "Linear Layouts", 2025): where
 * all sizes are powers of two, an index is a vector of bits, and a layout takes the bits of (register, lane, warp,
 * block), or of an offset in shared memory, to the bits of a tensor's index by xor. A map is its columns: what it gives
 * for each single bit of its input. Plain values; nothing allocates or fails but where said. Thread-safe. */
#ifndef HD_IR_LINEAR_LAYOUTS_LINEAR_LAYOUT_H_
#define HD_IR_LINEAR_LAYOUTS_LINEAR_LAYOUT_H_

#include <stdbool.h>
#include <stdint.h>

enum { HD_LINEAR_DIMS = 8, HD_LINEAR_BITS = 48 };

/* Indices with |dims| parts, part i below 2^bits[i], packed into one number: part i is at bit shift[i]. */
typedef struct hd_linear_space {
  uint32_t dims, total; /* total: the sum of bits, at most HD_LINEAR_BITS */
  uint8_t bits[HD_LINEAR_DIMS], shift[HD_LINEAR_DIMS];
  bool row_major; /* the last part is lowest */
} hd_linear_space;

/* A space whose last part is lowest, so that a packed index is the element's row-major position (|row_major|), or
 * whose first part does. False: too many dims or bits. */
bool hd_linear_space_make(uint32_t dims, const uint8_t *bits, bool row_major, hd_linear_space *out);
bool hd_linear_space_equal(const hd_linear_space *a, const hd_linear_space *b);
uint64_t hd_linear_pack(const hd_linear_space *space, const int64_t *parts);
void hd_linear_unpack(const hd_linear_space *space, uint64_t packed, int64_t *parts);
/* Part |dim| of |packed|. */
int64_t hd_linear_part(const hd_linear_space *space, uint64_t packed, uint32_t dim);
/* The bits of part |dim|, as a mask. */
uint64_t hd_linear_part_mask(const hd_linear_space *space, uint32_t dim);

typedef struct hd_linear_layout {
  hd_linear_space in, out;
  uint64_t column[HD_LINEAR_BITS]; /* of each bit of a packed input, the packed output */
} hd_linear_layout;

uint64_t hd_linear_layout_apply(const hd_linear_layout *map, uint64_t in);
bool hd_linear_layout_equal(const hd_linear_layout *a, const hd_linear_layout *b);
uint32_t hd_linear_layout_rank(const hd_linear_layout *map);
static inline bool hd_linear_layout_is_injective(const hd_linear_layout *map) {
  return hd_linear_layout_rank(map) == map->in.total;
}
static inline bool hd_linear_layout_is_surjective(const hd_linear_layout *map) {
  return hd_linear_layout_rank(map) == map->out.total;
}

/* x -> then(first(x)). False: |first| does not give what |then| takes. */
bool hd_linear_layout_compose(const hd_linear_layout *first, const hd_linear_layout *then, hd_linear_layout *out);
/* A map back such that map(inverse(y)) = y for all y that |map| gives. Of several inputs it gives the one whose free
 * bits (hd_linear_layout_free) are 0; unit vectors that had to be added to reach all outputs go to 0. Of a bijection,
 * the inverse. */
void hd_linear_layout_inverse(const hd_linear_layout *map, hd_linear_layout *out);
/* The input bits whose column is a sum of columns of lower bits: inputs that differ only there, and accordingly in
 * lower bits, have one output. A mask over a packed input. */
uint64_t hd_linear_layout_free(const hd_linear_layout *map);

/* |low| tiled by |high|, dim by dim: part i of input and output is low's, and above its bits high's. False: they differ
 * in dims or their order, or have too many bits. */
bool hd_linear_layout_product(const hd_linear_layout *low, const hd_linear_layout *high, hd_linear_layout *out);
/* The |out| such that product(|low|, |out|) = |map|. False: there is none. */
bool hd_linear_layout_divide(const hd_linear_layout *map, const hd_linear_layout *low, hd_linear_layout *out);

/* A subspace: all sums of the vectors that were added. */
typedef struct hd_span {
  uint64_t leading[64]; /* the vector whose highest bit is i, or 0 */
  uint64_t sum[64];     /* which of the added vectors it is the sum of, by their numbers; of the first 64 */
  uint32_t size, added;
} hd_span;

static inline hd_span hd_span_empty(void) { return (hd_span){.size = 0}; }
/* Adds |vector|, which gets the next number. False: it was a sum of the others already. */
bool hd_span_add(hd_span *span, uint64_t vector);
/* What is left of |vector| when vectors of |span| are taken off until no highest bit is theirs: 0, it belongs to it.
 * |out_sum| (may be null) gets which of the added vectors were taken off. */
uint64_t hd_span_reduce(const hd_span *span, uint64_t vector, uint64_t *out_sum);
static inline bool hd_span_has(const hd_span *span, uint64_t vector) { return !hd_span_reduce(span, vector, 0); }
/* Adds the columns of input part |dim| of |map|. */
void hd_span_add_part(hd_span *span, const hd_linear_layout *map, uint32_t dim);

#endif
