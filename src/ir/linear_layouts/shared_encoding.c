/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings of shared memory as linear maps from (offset, block). */
#include <string.h>

#include "ir/linear_layouts/bases.h"

/* Rows of a matrix one after the other, whose vectors of |vec| elements are exchanged: row r has vector v where vector
 * v xor (r / per_phase mod max_phase) would be. */
static void swizzled_rows(hd_basis_map *map, uint32_t column, uint32_t row, int64_t columns, int64_t rows, int64_t vec,
                          int64_t per_phase, int64_t max_phase) {
  hd_basis_grow(map, HD_OFFSET, column, hd_log2(columns));
  for (int64_t r = 1; r < rows; r <<= 1) {
    int64_t *at = hd_basis_push(map, HD_OFFSET);
    at[row] = r;
    at[column] = vec * (r / per_phase % max_phase) % columns;
  }
  map->log_size[row] += hd_log2(rows);
}

static void of_swizzled(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t block[HD_LINEAR_DIMS];
  hd_block_shape(&e->cga, e->rank, shape, block);
  if (e->rank == 1)
    hd_basis_grow(map, HD_OFFSET, 0, hd_log2(block[0]));
  else
    swizzled_rows(map, (uint32_t)e->order[0], (uint32_t)e->order[1], block[e->order[0]], block[e->order[1]], e->vec,
                  e->per_phase, e->max_phase);
  hd_basis_divide(map, &e->cga, shape, e->order, HD_SHARED_BLOCK);
}

/* ---- nvmma_shared ---- */

/* What a TMA copy moves at once: at most 256 of a dim, and of the contiguous one what the swizzle's width holds. */
static void tma_box(const hd_encoding *e, const int64_t *block, int64_t *box) {
  for (uint32_t d = 0; d < e->rank; ++d) box[d] = block[d] < 256 ? block[d] : 256;
  if (!e->swizzling_byte_width) return;
  int64_t *contiguous = &box[e->transposed ? 0 : e->rank - 1], width = 8 * e->swizzling_byte_width / e->element_bits;
  if (e->fp4_padded) width /= 2;
  if (*contiguous > width) *contiguous = width;
}

/* A matrix of |rows| x |columns| made of pieces 8 rows high and as wide as the swizzle, in which 16 bytes are a vector
 * and 128 bytes a phase; the pieces below each other, then side by side. */
static hd_status swizzled_pieces(const hd_encoding *e, int64_t rows, int64_t columns, hd_basis_map *map) {
  int64_t width = 8 * e->swizzling_byte_width / e->element_bits, vec = 128 / e->element_bits;
  if (rows < 8 || columns < width)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "nvmma_shared: expected at least 8x%lld elements for a swizzle of %lld bytes, got %lldx%lld",
                          (long long)width, (long long)e->swizzling_byte_width, (long long)rows, (long long)columns);
  swizzled_rows(map, 1, 0, width, 8, vec, 128 / e->swizzling_byte_width, e->swizzling_byte_width / 16);
  hd_basis_cover(map, (int64_t[]){rows, columns}, HD_OFFSET, NULL);
  return HD_STATUS_OK;
}

/* |from|, over a matrix, as a map over |box|, whose dims but the last (the first, transposed) are its rows. */
static void unfold(const hd_encoding *e, const hd_basis_map *from, const int64_t *box, hd_basis_map *map) {
  map->is_full = from->is_full;
  for (uint32_t d = 0; d < e->rank; ++d) map->log_size[d] = hd_log2(box[d]);
  for (uint32_t i = 0; i < from->part[HD_OFFSET].count; ++i) {
    int64_t *at = hd_basis_push(map, HD_OFFSET), row = from->part[HD_OFFSET].at[i][0];
    at[e->transposed ? 0 : e->rank - 1] = from->part[HD_OFFSET].at[i][1];
    for (uint32_t k = e->rank - 1; k-- > 0;) {
      uint32_t d = e->transposed ? k + 1 : k;
      at[d] = row % box[d];
      row /= box[d];
    }
  }
}

static hd_status of_nvmma(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t block[HD_LINEAR_DIMS], box[HD_LINEAR_DIMS], rows = 1;
  uint32_t contiguous = e->transposed ? 0 : e->rank - 1;
  hd_block_shape(&e->cga, e->rank, shape, block);
  tma_box(e, block, box);
  if (!e->swizzling_byte_width) {
    for (uint32_t d = e->rank; d-- > 0;) hd_basis_grow(map, HD_OFFSET, d, hd_log2(box[d]));
  } else {
    hd_basis_map matrix = {.rank = 2, .parts = HD_SHARED_PARTS};
    for (uint32_t d = 0; d < e->rank; ++d) rows *= d == contiguous ? 1 : box[d];
    HD_TRY(swizzled_pieces(e, rows, box[contiguous], &matrix));
    unfold(e, &matrix, box, map);
  }
  hd_basis_cover(map, block, HD_OFFSET, NULL);
  hd_basis_divide(map, &e->cga, shape, NULL, HD_SHARED_BLOCK);
  return HD_STATUS_OK;
}

/* ---- given bases ---- */

static hd_status of_bases(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  for (uint32_t p = 0; p < HD_SHARED_PARTS; ++p) {
    map->part[p] = e->parts[p];
    for (uint32_t i = 0; i < e->parts[p].count; ++i)
      for (uint32_t d = 0; d < e->rank; ++d)
        if (e->parts[p].at[i][d] >> map->log_size[d]) map->log_size[d] = hd_log2(e->parts[p].at[i][d]) + 1;
  }
  for (uint32_t d = 0; d < e->rank; ++d)
    if (shape[d] >> map->log_size[d] > 1 || shape[d] < 1ll << map->log_size[d])
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "layout: expected a size of %lld of dim %u, as its bases have, got %lld",
                            1ll << map->log_size[d], d, (long long)shape[d]);
  return HD_STATUS_OK;
}

static void of_order(const hd_encoding *e, const int64_t *shape, hd_basis_map *map) {
  int64_t block[HD_LINEAR_DIMS];
  hd_block_shape(&e->cga, e->rank, shape, block);
  hd_basis_cover(map, block, HD_OFFSET, e->order);
  hd_basis_divide(map, &e->cga, shape, e->order, HD_SHARED_BLOCK);
}

hd_status hd_encoding_of_shared(const hd_encoding *e, const int64_t *shape, hd_basis_map *out) {
  switch (e->kind) {
    case HD_ENCODING_SWIZZLED_SHARED:
      of_swizzled(e, shape, out);
      return HD_STATUS_OK;
    case HD_ENCODING_NVMMA_SHARED:
      return of_nvmma(e, shape, out);
    case HD_ENCODING_PADDED_SHARED:
      if (e->parts[HD_OFFSET].count) return of_bases(e, shape, out);
      of_order(e, shape, out);
      return HD_STATUS_OK;
    default:
      return of_bases(e, shape, out);
  }
}

int64_t hd_encoding_padded_offset(const hd_encoding *encoding, int64_t offset) {
  int64_t padded = offset;
  for (uint32_t i = 0; i < encoding->pads; ++i) padded += offset / encoding->interval[i] * encoding->padding[i];
  return padded;
}
