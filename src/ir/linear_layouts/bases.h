/* SPDX-License-Identifier: Apache-2.0 */
/* A map under construction: its inputs' bases as indices, and how large each dim is by now. Inside of layouts. */
#ifndef HD_IR_LINEAR_LAYOUTS_BASES_H_
#define HD_IR_LINEAR_LAYOUTS_BASES_H_

#include "ir/linear_layouts/encoding.h"

typedef struct hd_basis_map {
  uint32_t rank, parts;
  uint32_t log_size[HD_LINEAR_DIMS];
  hd_encoding_bases part[HD_HARDWARE_PARTS];
  bool is_full; /* more bases were added than there is room for */
} hd_basis_map;

static inline bool hd_is_power_of_two(int64_t n) { return n > 0 && !(n & (n - 1)); }
static inline uint32_t hd_log2(int64_t n) { return 63u - (uint32_t)__builtin_clzll((uint64_t)n); }

/* An index of zeros at the end of |part|; its parts may be set. */
int64_t *hd_basis_push(hd_basis_map *map, uint32_t part);
/* 2^bits consecutive values of |part| are as many consecutive blocks along |dim|, each of what |map| covers of it. */
void hd_basis_grow(hd_basis_map *map, uint32_t part, uint32_t dim, uint32_t bits);
/* 2^bits consecutive values of |part| that change nothing. */
void hd_basis_repeat(hd_basis_map *map, uint32_t part, uint32_t bits);
/* Dims that are smaller than |shape| grow in |part|, in the order of |order| (null: from dim 0). */
void hd_basis_cover(hd_basis_map *map, const int64_t *shape, uint32_t part, const int64_t *order);
/* Takes out of dims larger than |shape| their highest bits, the largest first. */
void hd_basis_clip(hd_basis_map *map, const int64_t *shape);
/* Leaves out the bases of |part| that are 0. */
void hd_basis_drop_zeros(hd_basis_map *map, uint32_t part);
hd_status hd_basis_linear(const hd_basis_map *map, hd_linear_layout *out) HD_MUST_USE;

/* |map|, of one block, over a tensor of |shape| that is divided among blocks as |cga| says. */
void hd_basis_divide(hd_basis_map *map, const hd_encoding_bases *cga, const int64_t *shape, const int64_t *order,
                     uint32_t block_part);
/* How much of |shape| one block has. */
void hd_block_shape(const hd_encoding_bases *cga, uint32_t rank, const int64_t *shape, int64_t *out);

/* The maps of shared encodings; |encoding| is verified. INVALID_ARGUMENT: it does not tile |shape|. */
hd_status hd_encoding_of_shared(const hd_encoding *encoding, const int64_t *shape, hd_basis_map *out) HD_MUST_USE;

#endif
