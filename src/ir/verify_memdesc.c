/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of memdescs, as Triton has it: sizes, the space that a layout is of, and the allocation that the layout
 * asks for. */
#include <inttypes.h>

#include "ir/layouts.h"
#include "ir/tile_types.h"

static bool power_of_two(int64_t value) { return value > 0 && !(value & (value - 1)); }

static bool dims_hold(const hd_memdesc *m, hd_strbuf *why) {
  for (uint32_t i = 0; i < m->rank; ++i) {
    if (m->dims[i] < 1) return hd_strbuf_puts(why, "needs known dims of at least 1"), false;
    if (!i || power_of_two(m->dims[i])) continue; /* the first may count buffers */
    hd_strbuf_printf(why, "needs powers of two as its dims but the first, got %" PRId64, m->dims[i]);
    return false;
  }
  for (uint32_t i = 0; i < m->allocated_rank; ++i)
    if (m->allocated[i] < 1) return hd_strbuf_puts(why, "needs known dims of at least 1 of its allocation"), false;
  if (m->allocated_rank < m->rank) return hd_strbuf_puts(why, "has more dims than its allocation"), false;
  for (uint32_t i = 0; i < m->rank; ++i) {
    int64_t room = m->allocated[m->allocated_rank - m->rank + i];
    if (m->dims[i] <= room) continue;
    hd_strbuf_printf(why, "needs dim %u within the %" PRId64 " of its allocation, got %" PRId64, i, room, m->dims[i]);
    return false;
  }
  return true;
}

static bool space_holds(const hd_memdesc *m, hd_strbuf *why) {
  bool shared = hd_layout_is_shared(m->layout);
  int row = shared ? HD_STRUCT_ttg_shared_memory : HD_STRUCT_ttng_tensor_memory;
  if (hd_attr_is(m->space, HD_ATTR_STRUCT) && m->space->structure.row == row) return true;
  hd_strbuf_printf(why, "needs %s as the space of its layout", shared ? "#ttg.shared_memory" : "#ttng.tensor_memory");
  return false;
}

/* A line of a swizzled tile is as long as what is swizzled. */
static bool nvmma_holds(const hd_memdesc *m, hd_strbuf *why) {
  hd_nvmma_shared_layout l = hd_layout_nvmma_shared(m->layout);
  if (l.cga.count || l.rank > m->rank) return true; /* blocks have a part each */
  uint32_t dim = m->rank - (l.transposed && l.rank > 1 ? 2 : 1);
  int64_t size = m->allocated[m->allocated_rank - m->rank + dim] * (l.fp4_padded ? 2 : 1);
  int64_t least = (int64_t)l.swizzle_bytes * 8 / l.element_bits;
  if (size >= least) return true;
  hd_strbuf_printf(why, "needs %" PRId64 " elements along dim %u for %d bytes to be swizzled, got %" PRId64, least, dim,
                   l.swizzle_bytes, size);
  return false;
}

/* The shape that a layout of bases, or one with a shape, is of. */
static void shape_of_layout(hd_attr layout, uint32_t rank, int64_t *out) {
  hd_bases parts[2] = {0};
  if (hd_layout_row(layout) == HD_STRUCT_ttg_padded_shared) {
    hd_padded_layout p = hd_layout_padded(layout);
    for (uint32_t d = 0; p.shape && d < rank; ++d) out[d] = p.shape[d];
    if (p.shape) return;
    parts[0] = p.offsets, parts[1] = p.blocks;
  } else {
    hd_shared_linear_layout l = hd_layout_shared_linear(layout);
    parts[0] = l.offsets, parts[1] = l.blocks;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t bits = 0;
    for (int part = 0; part < 2; ++part)
      for (uint32_t i = 0; i < parts[part].count; ++i) bits |= hd_bases_at(&parts[part], i, d);
    for (out[d] = 1; out[d] <= bits;) out[d] *= 2;
  }
}

static bool shape_holds(const hd_memdesc *m, hd_strbuf *why) {
  int64_t shape[HD_LAYOUT_MAX_RANK];
  uint32_t rank = hd_layout_rank(m->layout);
  if (rank > m->rank) return true;
  shape_of_layout(m->layout, rank, shape);
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t size = m->allocated[m->allocated_rank - rank + d];
    if (size == shape[d]) continue;
    hd_strbuf_printf(why, "needs %" PRId64 " elements along dim %u as its layout, got %" PRId64, shape[d],
                     m->rank - rank + d, size);
    return false;
  }
  return true;
}

/* An allocation holds whole tiles of the layout; an element and its stride are at most a column of 32 bits. */
static bool tensor_memory_holds(const hd_memdesc *m, hd_strbuf *why) {
  hd_tensor_memory_layout l = hd_layout_tensor_memory(m->layout);
  int64_t rows = m->allocated_rank > 1 ? m->allocated[m->allocated_rank - 2] : 0;
  int64_t columns = m->allocated_rank ? m->allocated[m->allocated_rank - 1] : 0;
  if (m->rank < 2 || rows < l.block_m || columns < l.block_n) {
    hd_strbuf_printf(why, "needs an allocation of %dx%d at least, got %" PRId64 "x%" PRId64, l.block_m, l.block_n, rows,
                     columns);
    return false;
  }
  int64_t bits = (int64_t)hd_type_bits(m->element) * l.column_stride;
  if (bits <= 32) return true;
  hd_strbuf_printf(why, "needs elements of at most 32 bits with their stride, got %" PRId64, bits);
  return false;
}

bool hd_memdesc_holds(hd_type type, hd_strbuf *why) {
  hd_memdesc m = hd_memdesc_of(type);
  if (!dims_hold(&m, why)) return false;
  if (!hd_attr_is_layout(m.layout)) return hd_strbuf_puts(why, "needs a layout"), false;
  if (hd_layout_is_distributed(m.layout)) return hd_strbuf_puts(why, "has a layout of tensors"), false;
  if (!space_holds(&m, why)) return false;
  switch (hd_layout_row(m.layout)) {
    case HD_STRUCT_ttg_nvmma_shared:
      return nvmma_holds(&m, why);
    case HD_STRUCT_ttg_shared_linear:
    case HD_STRUCT_ttg_padded_shared:
      return shape_holds(&m, why);
    case HD_STRUCT_ttng_tensor_memory_encoding:
      return tensor_memory_holds(&m, why);
    default:
      return true;
  }
}
