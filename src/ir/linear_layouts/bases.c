/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/linear_layouts/bases.h"

#include <string.h>

int64_t *hd_basis_push(hd_basis_map *map, uint32_t part) {
  static const uint32_t last = HD_ENCODING_MAX_BASES - 1;
  hd_encoding_bases *bases = &map->part[part];
  if (bases->count == HD_ENCODING_MAX_BASES) {
    map->is_full = true;
    return bases->at[last];
  }
  int64_t *at = bases->at[bases->count++];
  memset(at, 0, sizeof bases->at[0]);
  return at;
}

void hd_basis_grow(hd_basis_map *map, uint32_t part, uint32_t dim, uint32_t bits) {
  if (map->log_size[dim] + bits > HD_LINEAR_BITS) map->is_full = true;
  for (uint32_t i = 0; i < bits && !map->is_full; ++i) hd_basis_push(map, part)[dim] = 1ll << map->log_size[dim]++;
}

void hd_basis_repeat(hd_basis_map *map, uint32_t part, uint32_t bits) {
  for (uint32_t i = 0; i < bits && !map->is_full; ++i) hd_basis_push(map, part);
}

void hd_basis_cover(hd_basis_map *map, const int64_t *shape, uint32_t part, const int64_t *order) {
  for (uint32_t i = 0; i < map->rank; ++i) {
    uint32_t d = order ? (uint32_t)order[i] : i, wanted = hd_log2(shape[d]);
    if (wanted > map->log_size[d]) hd_basis_grow(map, part, d, wanted - map->log_size[d]);
  }
}

void hd_basis_clip(hd_basis_map *map, const int64_t *shape) {
  for (uint32_t d = 0; d < map->rank; ++d) {
    uint32_t wanted = hd_log2(shape[d]);
    if (map->log_size[d] <= wanted) continue;
    map->log_size[d] = wanted;
    /* A basis below the size may still have higher bits, when an encoding gives sums as bases. */
    for (uint32_t p = 0; p < map->parts; ++p)
      for (uint32_t i = 0; i < map->part[p].count; ++i)
        if (map->part[p].at[i][d] >= shape[d]) map->part[p].at[i][d] = 0;
  }
}

void hd_basis_drop_zeros(hd_basis_map *map, uint32_t part) {
  hd_encoding_bases *bases = &map->part[part];
  uint32_t count = 0;
  for (uint32_t i = 0; i < bases->count; ++i) {
    bool zero = true;
    for (uint32_t d = 0; d < map->rank; ++d) zero = zero && !bases->at[i][d];
    if (!zero && count != i) memcpy(bases->at[count], bases->at[i], sizeof bases->at[0]);
    count += !zero;
  }
  bases->count = count;
}

hd_status hd_basis_linear(const hd_basis_map *map, hd_linear_layout *out) {
  uint8_t in[HD_LINEAR_DIMS] = {0}, outs[HD_LINEAR_DIMS] = {0};
  memset(out, 0, sizeof *out);
  for (uint32_t p = 0; p < map->parts; ++p) in[p] = (uint8_t)map->part[p].count;
  for (uint32_t d = 0; d < map->rank; ++d) outs[d] = (uint8_t)map->log_size[d];
  if (map->is_full || !hd_linear_space_make(map->parts, in, false, &out->in) ||
      !hd_linear_space_make(map->rank, outs, true, &out->out))
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected indices of at most %d bits in all, %d per part",
                          HD_LINEAR_BITS, HD_ENCODING_MAX_BASES);
  for (uint32_t p = 0; p < map->parts; ++p)
    for (uint32_t i = 0; i < map->part[p].count; ++i)
      out->column[out->in.shift[p] + i] = hd_linear_pack(&out->out, map->part[p].at[i]);
  return HD_STATUS_OK;
}

/* ---- blocks ---- */

/* The bases of |cga| inside of |shape|. */
static hd_basis_map blocks(const hd_encoding_bases *cga, uint32_t rank, const int64_t *shape) {
  hd_basis_map map = {.rank = rank, .parts = 1};
  map.part[0] = *cga;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t all = 0;
    for (uint32_t i = 0; i < cga->count; ++i) all |= cga->at[i][d];
    map.log_size[d] = all ? hd_log2(all) + 1 : 0;
  }
  hd_basis_clip(&map, shape);
  return map;
}

void hd_block_shape(const hd_encoding_bases *cga, uint32_t rank, const int64_t *shape, int64_t *out) {
  hd_basis_map map = blocks(cga, rank, shape);
  for (uint32_t d = 0; d < rank; ++d) out[d] = shape[d] >> map.log_size[d];
}

void hd_basis_divide(hd_basis_map *map, const hd_encoding_bases *cga, const int64_t *shape, const int64_t *order,
                     uint32_t block_part) {
  hd_basis_map outer = blocks(cga, map->rank, shape);
  int64_t inner[HD_LINEAR_DIMS];
  for (uint32_t d = 0; d < map->rank; ++d) inner[d] = shape[d] >> outer.log_size[d];
  hd_basis_cover(map, inner, 0, order);
  hd_basis_clip(map, inner);
  for (uint32_t i = 0; i < outer.part[0].count; ++i) {
    int64_t *at = hd_basis_push(map, block_part);
    for (uint32_t d = 0; d < map->rank; ++d) at[d] = outer.part[0].at[i][d] << map->log_size[d];
  }
  for (uint32_t d = 0; d < map->rank; ++d) map->log_size[d] += outer.log_size[d];
}
