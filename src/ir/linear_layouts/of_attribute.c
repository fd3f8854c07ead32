/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/linear_layouts/of_attribute.h"

static void copy(const int32_t *from, uint32_t count, int64_t *to) {
  for (uint32_t i = 0; from && i < count; ++i) to[i] = from[i];
}

static hd_encoding_bases bases(const hd_bases *from, uint32_t rank) {
  hd_encoding_bases out = {.count = 0};
  for (uint32_t i = 0; i < from->count && i < HD_ENCODING_MAX_BASES; ++i, ++out.count)
    for (uint32_t d = 0; d < rank; ++d) out.at[i][d] = hd_bases_at(from, i, d);
  return out;
}

static void blocked(hd_attr layout, hd_encoding *e) {
  hd_blocked_layout f = hd_layout_blocked(layout);
  copy(f.size_per_thread, e->rank, e->size_per_thread);
  copy(f.threads_per_warp, e->rank, e->threads_per_warp);
  copy(f.warps_per_block, e->rank, e->warps_per_cta);
  copy(f.order, e->rank, e->order);
  e->cga = bases(&f.cga, e->rank);
}

static void mma(hd_attr layout, hd_encoding *e) {
  hd_mma_layout f = hd_layout_mma(layout);
  uint32_t batch = f.version_major == 2 && f.instruction_shape.count == 3; /* version 2 may have a batch in front */
  e->version_major = f.version_major;
  e->version_minor = f.version_minor;
  copy(f.warps_per_block, e->rank, e->warps_per_cta);
  e->instr_rank = f.instruction_shape.count - batch;
  copy(f.instruction_shape.at + batch, (uint32_t)e->instr_rank, e->instr_shape);
  e->cga = bases(&f.cga, e->rank);
}

static void linear(hd_attr layout, hd_encoding *e) {
  hd_linear_layout_bases f = hd_layout_linear(layout);
  e->parts[HD_REGISTER] = bases(&f.registers, e->rank);
  e->parts[HD_LANE] = bases(&f.lanes, e->rank);
  e->parts[HD_WARP] = bases(&f.warps, e->rank);
  e->parts[HD_BLOCK] = bases(&f.blocks, e->rank);
}

static void swizzled(hd_attr layout, hd_encoding *e) {
  hd_swizzled_layout f = hd_layout_swizzled(layout);
  e->vec = f.vector;
  e->per_phase = f.per_phase;
  e->max_phase = f.max_phase;
  copy(f.order, e->rank, e->order);
  e->cga = bases(&f.cga, e->rank);
}

static void nvmma(hd_attr layout, hd_encoding *e) {
  hd_nvmma_shared_layout f = hd_layout_nvmma_shared(layout);
  e->swizzling_byte_width = f.swizzle_bytes;
  e->element_bits = f.element_bits;
  e->transposed = f.transposed;
  e->fp4_padded = f.fp4_padded;
  e->cga = bases(&f.cga, e->rank);
}

static void shared_linear(hd_attr layout, hd_encoding *e) {
  hd_shared_linear_layout f = hd_layout_shared_linear(layout);
  e->parts[HD_OFFSET] = bases(&f.offsets, e->rank);
  e->parts[HD_SHARED_BLOCK] = bases(&f.blocks, e->rank);
  e->alignment = f.alignment;
}

static void padded(hd_attr layout, hd_encoding *e) {
  hd_padded_layout f = hd_layout_padded(layout);
  e->pads = f.intervals.count < HD_LINEAR_DIMS ? f.intervals.count : HD_LINEAR_DIMS;
  copy(f.intervals.at, e->pads, e->interval);
  copy(f.paddings.at, e->pads, e->padding);
  copy(f.order, e->rank, e->order);
  e->parts[HD_OFFSET] = bases(&f.offsets, e->rank);
  e->parts[HD_SHARED_BLOCK] = bases(&f.blocks, e->rank);
  e->cga = bases(&f.cga, e->rank);
}

static hd_status parented(hd_arena *arena, hd_attr layout, hd_encoding *e) {
  hd_encoding *parent = hd_new(arena, hd_encoding);
  bool is_slice = e->kind == HD_ENCODING_SLICE;
  hd_attr of = is_slice ? hd_layout_slice(layout).parent : hd_layout_dot_operand(layout).parent;
  e->parent = parent;
  if (is_slice) {
    e->dim = hd_layout_slice(layout).dim;
  } else {
    e->op_idx = hd_layout_dot_operand(layout).operand;
    e->k_width = hd_layout_dot_operand(layout).k_width;
  }
  return hd_encoding_of_attribute(arena, of, e->rank + is_slice, parent);
}

static const struct {
  int row;
  hd_encoding_kind kind;
  void (*fill)(hd_attr layout, hd_encoding *encoding); /* null: by its parent */
} rows[] = {
    {HD_STRUCT_ttg_blocked, HD_ENCODING_BLOCKED, blocked},
    {HD_STRUCT_ttg_slice, HD_ENCODING_SLICE, NULL},
    {HD_STRUCT_ttg_dot_op, HD_ENCODING_DOT_OP, NULL},
    {HD_STRUCT_ttg_nvidia_mma, HD_ENCODING_NVIDIA_MMA, mma},
    {HD_STRUCT_ttg_linear, HD_ENCODING_LINEAR, linear},
    {HD_STRUCT_ttg_swizzled_shared, HD_ENCODING_SWIZZLED_SHARED, swizzled},
    {HD_STRUCT_ttg_nvmma_shared, HD_ENCODING_NVMMA_SHARED, nvmma},
    {HD_STRUCT_ttg_shared_linear, HD_ENCODING_SHARED_LINEAR, shared_linear},
    {HD_STRUCT_ttg_padded_shared, HD_ENCODING_PADDED_SHARED, padded},
};

hd_status hd_encoding_of_attribute(hd_arena *arena, hd_attr layout, uint32_t rank, hd_encoding *out) {
  *out = (hd_encoding){.rank = rank};
  if (!hd_attr_is_layout(layout))
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected a layout such as #ttg.blocked<{...}>");
  /* An nvmma_shared layout is written without a rank where that is 2, whatever its tensor's. */
  uint32_t own = hd_layout_rank(layout);
  if (own && own != rank && hd_layout_row(layout) != HD_STRUCT_ttg_nvmma_shared)
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected %u dims, as it has, got %u", own, rank);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (rows[i].row != hd_layout_row(layout)) continue;
    out->kind = rows[i].kind;
    if (!rows[i].fill) return parented(arena, layout, out);
    rows[i].fill(layout, out);
    return HD_STATUS_OK;
  }
  return hd_make_status(HD_UNIMPLEMENTED, "layout: tensor memory has no linear map yet");
}

hd_status hd_linear_layout_of_attribute(hd_arena *arena, hd_attr layout, uint32_t rank, const int64_t *shape,
                                        hd_encoding *out_encoding, hd_linear_layout *out) {
  hd_encoding own, *encoding = out_encoding ? out_encoding : &own;
  HD_TRY(hd_encoding_of_attribute(arena, layout, rank, encoding));
  return hd_encoding_linear(encoding, shape, out);
}
