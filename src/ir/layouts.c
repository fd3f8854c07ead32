/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of layouts. What must hold of them: verify_layouts.c. */
#include "ir/layouts.h"

#include "ir/tile_types.h"

static hd_attr get(hd_attr layout, hd_name name) { return hd_struct_get(layout, name); }
static int32_t number(hd_attr layout, hd_name name, int32_t absent) {
  return (int32_t)hd_attr_int_or(get(layout, name), absent);
}
static hd_sizes sizes(hd_attr layout, hd_name name) {
  hd_attr list = get(layout, name);
  if (!list) return (hd_sizes){0, NULL};
  return (hd_sizes){(uint32_t)list->dense.count, (const int32_t *)(const void *)list->dense.data};
}
static hd_bases bases(hd_attr layout, hd_name name) {
  hd_attr list = get(layout, name);
  uint32_t count = list ? list->array.count : 0;
  return (hd_bases){count, count ? (uint32_t)hd_attr_count(list->array.items[0]) : 0, list};
}

int32_t hd_bases_at(const hd_bases *bases, uint32_t base, uint32_t dim) {
  return (int32_t)hd_attr_int_at(bases->list->array.items[base], dim);
}

bool hd_attr_is_layout(hd_attr attr) {
  return hd_layout_is_distributed(attr) || hd_layout_is_shared(attr) ||
         (hd_attr_is(attr, HD_ATTR_STRUCT) && (attr->structure.row == HD_STRUCT_ttng_tensor_memory_encoding ||
                                               attr->structure.row == HD_STRUCT_ttng_tensor_memory_scales_encoding));
}

bool hd_layout_is_distributed(hd_attr layout) {
  if (!hd_attr_is(layout, HD_ATTR_STRUCT)) return false;
  int row = layout->structure.row;
  return row == HD_STRUCT_ttg_blocked || row == HD_STRUCT_ttg_slice || row == HD_STRUCT_ttg_dot_op ||
         row == HD_STRUCT_ttg_nvidia_mma || row == HD_STRUCT_ttg_linear;
}

bool hd_layout_is_shared(hd_attr layout) {
  if (!hd_attr_is(layout, HD_ATTR_STRUCT)) return false;
  int row = layout->structure.row;
  return row == HD_STRUCT_ttg_swizzled_shared || row == HD_STRUCT_ttg_nvmma_shared ||
         row == HD_STRUCT_ttg_shared_linear || row == HD_STRUCT_ttg_padded_shared;
}

hd_attr hd_type_layout(hd_type type) {
  hd_attr layout = hd_type_is_memdesc(type)           ? hd_memdesc_of(type).layout
                   : hd_type_is(type, HD_TYPE_TENSOR) ? type->shaped.encoding
                                                      : NULL;
  return hd_attr_is_layout(layout) ? layout : NULL;
}

static uint32_t rank_of_bases(hd_attr layout, const hd_name *names, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    hd_bases list = bases(layout, names[i]);
    if (list.count) return list.rank;
  }
  return 0;
}

uint32_t hd_layout_rank(hd_attr layout) {
  static const hd_name linear[] = {HD_NAME_register, HD_NAME_lane, HD_NAME_warp, HD_NAME_block};
  static const hd_name shared[] = {HD_NAME_offset, HD_NAME_block};
  switch (hd_layout_row(layout)) {
    case HD_STRUCT_ttg_blocked:
    case HD_STRUCT_ttg_swizzled_shared:
      return sizes(layout, HD_NAME_order).count;
    case HD_STRUCT_ttg_slice: {
      uint32_t parent = hd_layout_rank(get(layout, HD_NAME_parent));
      return parent ? parent - 1 : 0;
    }
    case HD_STRUCT_ttg_dot_op:
      return hd_layout_rank(get(layout, HD_NAME_parent));
    case HD_STRUCT_ttg_nvidia_mma:
      return sizes(layout, HD_NAME_warpsPerCTA).count;
    case HD_STRUCT_ttg_linear:
      return rank_of_bases(layout, linear, 4);
    case HD_STRUCT_ttg_nvmma_shared: {
      hd_bases cga = bases(layout, HD_NAME_CGALayout);
      return cga.count ? cga.rank : (uint32_t)number(layout, HD_NAME_rank, 2);
    }
    case HD_STRUCT_ttg_padded_shared:
      if (get(layout, HD_NAME_order)) return sizes(layout, HD_NAME_order).count;
      return rank_of_bases(layout, shared, 2);
    case HD_STRUCT_ttg_shared_linear:
      return rank_of_bases(layout, shared, 2);
    default: /* tensor memory */
      return 2;
  }
}

static int64_t product(const int32_t *list, uint32_t count) {
  int64_t result = 1;
  for (uint32_t i = 0; i < count; ++i) result *= list[i];
  return result;
}

hd_layout_threads hd_layout_threads_of(hd_attr layout) {
  switch (hd_layout_row(layout)) {
    case HD_STRUCT_ttg_blocked: {
      hd_blocked_layout b = hd_layout_blocked(layout);
      return (hd_layout_threads){product(b.threads_per_warp, b.rank), product(b.warps_per_block, b.rank),
                                 (int64_t)1 << b.cga.count};
    }
    case HD_STRUCT_ttg_nvidia_mma: {
      hd_mma_layout m = hd_layout_mma(layout);
      return (hd_layout_threads){32, product(m.warps_per_block, m.rank), (int64_t)1 << m.cga.count};
    }
    case HD_STRUCT_ttg_linear: {
      hd_linear_layout_bases l = hd_layout_linear(layout);
      return (hd_layout_threads){(int64_t)1 << l.lanes.count, (int64_t)1 << l.warps.count,
                                 (int64_t)1 << l.blocks.count};
    }
    default: /* slice, dot_op */
      return hd_layout_threads_of(get(layout, HD_NAME_parent));
  }
}

hd_blocked_layout hd_layout_blocked(hd_attr layout) {
  return (hd_blocked_layout){.rank = hd_layout_rank(layout),
                             .size_per_thread = sizes(layout, HD_NAME_sizePerThread).at,
                             .threads_per_warp = sizes(layout, HD_NAME_threadsPerWarp).at,
                             .warps_per_block = sizes(layout, HD_NAME_warpsPerCTA).at,
                             .order = sizes(layout, HD_NAME_order).at,
                             .cga = bases(layout, HD_NAME_CGALayout)};
}

hd_slice_layout hd_layout_slice(hd_attr layout) {
  return (hd_slice_layout){(uint32_t)number(layout, HD_NAME_dim, 0), get(layout, HD_NAME_parent)};
}

hd_dot_operand_layout hd_layout_dot_operand(hd_attr layout) {
  return (hd_dot_operand_layout){(uint32_t)number(layout, HD_NAME_opIdx, 0), get(layout, HD_NAME_parent),
                                 number(layout, HD_NAME_kWidth, 0)};
}

hd_mma_layout hd_layout_mma(hd_attr layout) {
  return (hd_mma_layout){.rank = hd_layout_rank(layout),
                         .version_major = number(layout, HD_NAME_versionMajor, 0),
                         .version_minor = number(layout, HD_NAME_versionMinor, 0),
                         .warps_per_block = sizes(layout, HD_NAME_warpsPerCTA).at,
                         .instruction_shape = sizes(layout, HD_NAME_instrShape),
                         .cga = bases(layout, HD_NAME_CGALayout)};
}

hd_linear_layout_bases hd_layout_linear(hd_attr layout) {
  return (hd_linear_layout_bases){hd_layout_rank(layout), bases(layout, HD_NAME_register), bases(layout, HD_NAME_lane),
                                  bases(layout, HD_NAME_warp), bases(layout, HD_NAME_block)};
}

hd_swizzled_layout hd_layout_swizzled(hd_attr layout) {
  return (hd_swizzled_layout){.rank = hd_layout_rank(layout),
                              .vector = number(layout, HD_NAME_vec, 1),
                              .per_phase = number(layout, HD_NAME_perPhase, 1),
                              .max_phase = number(layout, HD_NAME_maxPhase, 1),
                              .order = sizes(layout, HD_NAME_order).at,
                              .cga = bases(layout, HD_NAME_CGALayout)};
}

hd_nvmma_shared_layout hd_layout_nvmma_shared(hd_attr layout) {
  return (hd_nvmma_shared_layout){.rank = hd_layout_rank(layout),
                                  .swizzle_bytes = number(layout, HD_NAME_swizzlingByteWidth, 0),
                                  .transposed = hd_attr_bool_or(get(layout, HD_NAME_transposed), false),
                                  .fp4_padded = hd_attr_bool_or(get(layout, HD_NAME_fp4Padded), false),
                                  .element_bits = number(layout, HD_NAME_elementBitWidth, 0),
                                  .cga = bases(layout, HD_NAME_CGALayout)};
}

hd_shared_linear_layout hd_layout_shared_linear(hd_attr layout) {
  return (hd_shared_linear_layout){hd_layout_rank(layout), bases(layout, HD_NAME_offset), bases(layout, HD_NAME_block),
                                   number(layout, HD_NAME_alignment, 16)};
}

hd_padded_layout hd_layout_padded(hd_attr layout) {
  return (hd_padded_layout){.rank = hd_layout_rank(layout),
                            .intervals = sizes(layout, HD_NAME_intervals),
                            .paddings = sizes(layout, HD_NAME_paddings),
                            .order = sizes(layout, HD_NAME_order).at,
                            .shape = sizes(layout, HD_NAME_shape).at,
                            .offsets = bases(layout, HD_NAME_offset),
                            .blocks = bases(layout, HD_NAME_block),
                            .cga = bases(layout, HD_NAME_CGALayout)};
}

hd_tensor_memory_layout hd_layout_tensor_memory(hd_attr layout) {
  return (hd_tensor_memory_layout){.block_m = number(layout, HD_NAME_blockM, 0),
                                   .block_n = number(layout, HD_NAME_blockN, 0),
                                   .column_stride = number(layout, HD_NAME_colStride, 1),
                                   .cta_split_m = number(layout, HD_NAME_CTASplitM, 1),
                                   .cta_split_n = number(layout, HD_NAME_CTASplitN, 1),
                                   .two_ctas = hd_attr_bool_or(get(layout, HD_NAME_twoCTAs), false)};
}

hd_attr hd_attr_blocked(hd_context *c, const hd_blocked_layout *b) {
  hd_attr params[] = {
      hd_attr_i32_array(c, b->size_per_thread, b->rank), hd_attr_i32_array(c, b->threads_per_warp, b->rank),
      hd_attr_i32_array(c, b->warps_per_block, b->rank), hd_attr_i32_array(c, b->order, b->rank), b->cga.list};
  return hd_attr_struct(c, HD_STRUCT_ttg_blocked, params, sizeof params / sizeof *params);
}

hd_attr hd_attr_slice(hd_attr parent, uint32_t dim) {
  hd_attr params[] = {hd_attr_i32(parent->context, dim), parent};
  return hd_attr_struct(parent->context, HD_STRUCT_ttg_slice, params, 2);
}

hd_attr hd_attr_nvmma_shared(hd_context *c, const hd_nvmma_shared_layout *n) {
  hd_attr params[] = {hd_attr_i32(c, n->swizzle_bytes),
                      hd_attr_bool(c, n->transposed),
                      hd_attr_i32(c, n->element_bits),
                      n->fp4_padded ? hd_attr_bool(c, true) : NULL,
                      n->cga.list,
                      n->cga.count || n->rank == 2 ? NULL : hd_attr_i32(c, n->rank)};
  return hd_attr_struct(c, HD_STRUCT_ttg_nvmma_shared, params, sizeof params / sizeof *params);
}

hd_attr hd_attr_shared_memory(hd_context *c) { return hd_attr_struct(c, HD_STRUCT_ttg_shared_memory, NULL, 0); }

/* list[i] of the one is list[order[i]] of the other. */
static bool sizes_permute(const int32_t *from, hd_attr order, const int32_t *to, uint32_t rank) {
  bool same = true;
  for (uint32_t i = 0; i < rank; ++i) same &= to[i] == from[hd_attr_int_at(order, i)];
  return same;
}

/* The same of lists of dims. */
static bool orders_permute(const int32_t *from, hd_attr order, const int32_t *to, uint32_t rank) {
  bool same = true;
  for (uint32_t i = 0; i < rank; ++i) same &= hd_attr_int_at(order, (size_t)to[i]) == from[i];
  return same;
}

int64_t hd_layout_blocks_of(hd_attr layout) {
  hd_bases own = bases(layout, HD_NAME_block), cga = bases(layout, HD_NAME_CGALayout);
  return (int64_t)1 << (own.count ? own.count : cga.count);
}

bool hd_layout_may_permute(hd_attr from, hd_attr order, hd_attr to) {
  if (!from || !to || hd_layout_row(from) != hd_layout_row(to)) return true;
  if (hd_layout_row(from) == HD_STRUCT_ttg_blocked) {
    hd_blocked_layout a = hd_layout_blocked(from), b = hd_layout_blocked(to);
    if (a.cga.count || b.cga.count) return true;
    return sizes_permute(a.size_per_thread, order, b.size_per_thread, a.rank) &&
           sizes_permute(a.threads_per_warp, order, b.threads_per_warp, a.rank) &&
           sizes_permute(a.warps_per_block, order, b.warps_per_block, a.rank) &&
           orders_permute(a.order, order, b.order, a.rank);
  }
  if (hd_layout_row(from) != HD_STRUCT_ttg_swizzled_shared) return true;
  hd_swizzled_layout a = hd_layout_swizzled(from), b = hd_layout_swizzled(to);
  if (a.cga.count || b.cga.count || hd_attr_count(order) != a.rank) return true; /* of buffers of it */
  return a.vector == b.vector && a.per_phase == b.per_phase && a.max_phase == b.max_phase &&
         orders_permute(a.order, order, b.order, a.rank);
}
