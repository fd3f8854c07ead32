/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed encodings as linear maps. Shared ones: shared_encoding.c; what fields may be: verify_encoding.c. */
#include "ir/linear_layouts/encoding.h"

#include <string.h>

#include "ir/linear_layouts/bases.h"

/* The last dim first. */
static void row_major_order(uint32_t rank, int64_t *order) {
  for (uint32_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
}

/* |part| walks over |sizes|, in |order|; along |skip| (-1: none) its values change nothing. */
static void grow_all(hd_basis_map *map, uint32_t part, const int64_t *sizes, const int64_t *order, int64_t skip) {
  for (uint32_t i = 0; i < map->rank; ++i) {
    int64_t d = order[i];
    if (d == skip)
      hd_basis_repeat(map, part, hd_log2(sizes[d]));
    else
      hd_basis_grow(map, part, (uint32_t)d, hd_log2(sizes[d]));
  }
}

static void of_blocked(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  grow_all(map, HD_REGISTER, e->size_per_thread, e->order, -1);
  grow_all(map, HD_LANE, e->threads_per_warp, e->order, -1);
  grow_all(map, HD_WARP, e->warps_per_cta, e->order, -1);
  hd_basis_divide(map, &e->cga, shape, e->order, HD_BLOCK);
}

/* A fragment of |sizes| of an mma: four lanes side by side along |inner|, each with |width| elements; eight groups of
 * them along |outer|; then 8 x 4|width| pieces, along |outer| first. */
static void fragment(hd_basis_map *map, uint32_t inner, uint32_t outer, int64_t width, int64_t inner_size,
                     int64_t outer_size) {
  hd_basis_grow(map, HD_REGISTER, inner, hd_log2(width));
  hd_basis_grow(map, HD_LANE, inner, 2);
  hd_basis_grow(map, HD_LANE, outer, 3);
  hd_basis_grow(map, HD_REGISTER, outer, hd_log2(outer_size / 8));
  hd_basis_grow(map, HD_REGISTER, inner, hd_log2(inner_size / (4 * width)));
}

/* Warps of mma.sync are numbered along the last dim first, those of wgmma, of which four are a group, along the first.
 */
static void warp_order(const hd_encoding *mma, int64_t *order) {
  if (mma->version_major == 2)
    row_major_order(mma->rank, order);
  else
    for (uint32_t i = 0; i < mma->rank; ++i) order[i] = i;
  /* batch dims come last in both */
  if (mma->rank == 3) memcpy(order, mma->version_major == 2 ? (int64_t[]){2, 1, 0} : (int64_t[]){1, 2, 0}, 24);
}

static void of_mma(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t order[HD_LINEAR_DIMS], warps[HD_LINEAR_DIMS];
  row_major_order(e->rank, order);
  warp_order(e, warps);
  fragment(map, e->rank - 1, e->rank - 2, 2, e->instr_shape[1], e->instr_shape[0]);
  grow_all(map, HD_WARP, e->warps_per_cta, warps, -1);
  hd_basis_divide(map, &e->cga, shape, order, HD_BLOCK);
}

/* The parent's blocks; those along |k| have the same. */
static hd_encoding_bases operand_blocks(const hd_encoding *parent, uint32_t k) {
  hd_encoding_bases cga = parent->cga;
  for (uint32_t i = 0; i < cga.count; ++i) cga.at[i][k] = 0;
  return cga;
}

static void of_mma_operand(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  const hd_encoding *mma = e->parent;
  uint32_t k = e->op_idx ? e->rank - 2 : e->rank - 1, other = e->op_idx ? e->rank - 1 : e->rank - 2;
  int64_t order[HD_LINEAR_DIMS], warps[HD_LINEAR_DIMS];
  row_major_order(e->rank, order);
  order[0] = k;
  order[1] = other;
  warp_order(mma, warps);
  fragment(map, k, other, e->k_width, 8 * e->k_width, e->op_idx ? 8 : 16);
  grow_all(map, HD_WARP, mma->warps_per_cta, warps, k);
  hd_encoding_bases cga = operand_blocks(mma, k);
  hd_basis_divide(map, &cga, shape, order, HD_BLOCK);
}

/* Without tensor cores a thread has all of k for its part of the result. */
static void of_blocked_operand(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  const hd_encoding *blocked = e->parent;
  uint32_t k = e->op_idx ? e->rank - 2 : e->rank - 1;
  int64_t sizes[HD_LINEAR_DIMS];
  memcpy(sizes, blocked->size_per_thread, sizeof sizes);
  sizes[k] = shape[k];
  grow_all(map, HD_REGISTER, sizes, blocked->order, -1);
  grow_all(map, HD_LANE, blocked->threads_per_warp, blocked->order, k);
  grow_all(map, HD_WARP, blocked->warps_per_cta, blocked->order, k);
  hd_encoding_bases cga = operand_blocks(blocked, k);
  hd_basis_divide(map, &cga, shape, blocked->order, HD_BLOCK);
}

/* ---- given bases ---- */

/* Dims in the order in which registers move along them, then the last dim first. */
static void register_order(const hd_encoding *e, int64_t *order) {
  uint32_t count = 0, seen = 0;
  for (uint32_t i = 0; i < e->parts[HD_REGISTER].count + e->rank; ++i) {
    uint32_t d = 0;
    if (i < e->parts[HD_REGISTER].count)
      while (d < e->rank && !e->parts[HD_REGISTER].at[i][d]) ++d;
    else
      d = e->rank - 1 - (i - e->parts[HD_REGISTER].count);
    if (d == e->rank || seen >> d & 1) continue;
    seen |= 1u << d;
    order[count++] = d;
  }
}

static bool same_index(const int64_t *a, const int64_t *b, uint32_t rank) { return !memcmp(a, b, rank * sizeof *a); }

/* Registers that |shape| leaves nothing to are gone; lanes and warps have the element of another. */
static void of_linear(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t order[HD_LINEAR_DIMS];
  register_order(e, order);
  for (uint32_t p = 0; p < HD_HARDWARE_PARTS; ++p) {
    map->part[p] = e->parts[p];
    for (uint32_t i = 0; i < e->parts[p].count; ++i)
      for (uint32_t d = 0; d < e->rank; ++d)
        if (e->parts[p].at[i][d] >> map->log_size[d]) map->log_size[d] = hd_log2(e->parts[p].at[i][d]) + 1;
  }
  hd_basis_cover(map, shape, HD_REGISTER, order);
  hd_basis_map before = *map;
  hd_basis_clip(map, shape);
  hd_encoding_bases *registers = &map->part[HD_REGISTER];
  static const int64_t zero[HD_LINEAR_DIMS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < registers->count; ++i) {
    bool is_clipped =
        same_index(registers->at[i], zero, e->rank) && !same_index(before.part[HD_REGISTER].at[i], zero, e->rank);
    if (is_clipped) continue;
    memmove(registers->at[count++], registers->at[i], sizeof zero);
  }
  registers->count = count;
}

/* ---- all ---- */

static void of_distributed(const hd_encoding *e, const int64_t *shape, hd_basis_map *map);

static void of_slice(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t whole[HD_LINEAR_DIMS];
  for (uint32_t d = 0, from = 0; d < e->parent->rank; ++d) whole[d] = d == e->dim ? 1 : shape[from++];
  hd_basis_map parent = {.rank = e->parent->rank, .parts = HD_HARDWARE_PARTS};
  of_distributed(e->parent, whole, &parent);
  *map = parent;
  map->rank = e->rank;
  for (uint32_t d = (uint32_t)e->dim; d < e->rank; ++d) {
    map->log_size[d] = parent.log_size[d + 1];
    for (uint32_t p = 0; p < HD_HARDWARE_PARTS; ++p)
      for (uint32_t i = 0; i < map->part[p].count; ++i) map->part[p].at[i][d] = parent.part[p].at[i][d + 1];
  }
  hd_basis_drop_zeros(map, HD_REGISTER);
}

static void of_distributed(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  switch (e->kind) {
    case HD_ENCODING_BLOCKED:
      of_blocked(e, shape, map);
      break;
    case HD_ENCODING_SLICE:
      of_slice(e, shape, map);
      break;
    case HD_ENCODING_NVIDIA_MMA:
      of_mma(e, shape, map);
      break;
    case HD_ENCODING_DOT_OP:
      if (e->parent->kind == HD_ENCODING_BLOCKED)
        of_blocked_operand(e, shape, map);
      else
        of_mma_operand(e, shape, map);
      break;
    default:
      of_linear(e, shape, map);
      break;
  }
}

hd_status hd_encoding_linear(const hd_encoding *encoding, const int64_t *shape, hd_linear_layout *out) {
  HD_TRY(hd_encoding_verify(encoding));
  for (uint32_t d = 0; d < encoding->rank; ++d)
    if (!hd_is_power_of_two(shape[d]) || shape[d] >> HD_LINEAR_BITS)
      return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected a power of two as size of dim %u, got %lld", d,
                            (long long)shape[d]);
  hd_basis_map map = {.rank = encoding->rank, .parts = HD_HARDWARE_PARTS};
  if (hd_encoding_is_shared(encoding)) {
    map.parts = HD_SHARED_PARTS;
    HD_TRY(hd_encoding_of_shared(encoding, shape, &map));
  } else {
    of_distributed(encoding, shape, &map);
  }
  return hd_basis_linear(&map, out);
}
