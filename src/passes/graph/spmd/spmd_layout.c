/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: how they are read, compared and joined. */
#include <inttypes.h>
#include <string.h>

#include "ir/ops/structs.h"
#include "passes/graph/spmd/spmd.h"

/* ---- layouts --------------------------------------------------------------------------------------------------- */

hd_layout hd_layout_whole(hd_spmd *s, hd_type type) {
  uint32_t rank = hd_type_has_rank(type) ? hd_type_rank(type) : 0;
  return (hd_layout){rank, hd_new_array(s->arena, hd_split, rank + 1)};
}

hd_layout hd_layout_copy(hd_spmd *s, hd_layout layout) {
  hd_layout copy = {layout.rank, hd_new_array(s->arena, hd_split, layout.rank + 1)};
  if (layout.rank) memcpy(copy.dims, layout.dims, layout.rank * sizeof *copy.dims);
  return copy;
}

bool hd_split_equal(hd_split a, hd_split b) {
  return a.count == b.count && !memcmp(a.axes, b.axes, a.count * sizeof *a.axes);
}

bool hd_split_has(hd_split split, uint8_t axis) {
  for (uint8_t i = 0; i < split.count; ++i)
    if (split.axes[i] == axis) return true;
  return false;
}

bool hd_layout_equal(hd_layout a, hd_layout b) {
  if (a.rank != b.rank) return false;
  for (uint32_t d = 0; d < a.rank; ++d)
    if (!hd_split_equal(a.dims[d], b.dims[d])) return false;
  return true;
}

static bool is_whole(hd_layout layout) {
  for (uint32_t d = 0; d < layout.rank; ++d)
    if (layout.dims[d].count) return false;
  return true;
}

bool hd_layout_uses(hd_layout layout, uint8_t axis) {
  for (uint32_t d = 0; d < layout.rank; ++d)
    if (hd_split_has(layout.dims[d], axis)) return true;
  return false;
}

int64_t hd_split_parts(const hd_spmd *s, hd_split split) {
  int64_t parts = 1;
  for (uint8_t i = 0; i < split.count; ++i) parts *= s->axis_sizes[split.axes[i]];
  return parts;
}

int64_t hd_layout_parts(const hd_spmd *s, hd_layout layout) {
  int64_t parts = 1;
  for (uint32_t d = 0; d < layout.rank; ++d) parts *= hd_split_parts(s, layout.dims[d]);
  return parts;
}

void hd_layout_split(hd_spmd *s, hd_layout *layout, uint32_t d, hd_split split, int64_t size) {
  if (!split.count || size == HD_DYNAMIC || size % hd_split_parts(s, split)) return;
  for (uint8_t i = 0; i < split.count; ++i)
    for (uint32_t e = 0; e < layout->rank; ++e)
      for (uint8_t k = 0; e != d && k < layout->dims[e].count; ++k)
        if (layout->dims[e].axes[k] == split.axes[i]) return;
  layout->dims[d] = split;
}

void hd_layout_merge(hd_spmd *s, hd_layout *layout, hd_layout more, hd_type type) {
  for (uint32_t d = 0; d < layout->rank && d < more.rank; ++d) {
    hd_split have = layout->dims[d], want = more.dims[d];
    if (want.count > have.count && !memcmp(want.axes, have.axes, have.count * sizeof *have.axes))
      hd_layout_split(s, layout, d, want, hd_type_dim(type, d));
  }
}

hd_layout hd_layout_outside(hd_spmd *s, hd_layout bound, hd_layout inside, uint32_t own) {
  hd_layout out = hd_layout_copy(s, inside);
  for (uint32_t d = 0; d < out.rank; ++d) {
    hd_split split = {0};
    for (uint8_t k = 0; k < bound.dims[d].count; ++k)
      if (own >> bound.dims[d].axes[k] & 1) split.axes[split.count++] = bound.dims[d].axes[k];
    for (uint8_t k = 0; k < inside.dims[d].count && split.count < HD_SPLIT_AXES; ++k)
      split.axes[split.count++] = inside.dims[d].axes[k];
    out.dims[d] = split;
  }
  return out;
}

hd_type hd_layout_type(hd_spmd *s, hd_type type, hd_layout layout) {
  if (is_whole(layout)) return type;
  int64_t *dims = hd_new_array(s->arena, int64_t, layout.rank + 1);
  for (uint32_t d = 0; d < layout.rank; ++d) dims[d] = hd_type_dim(type, d) / hd_split_parts(s, layout.dims[d]);
  return hd_type_with_dims(type, dims, layout.rank);
}

/* ---- from and to text ------------------------------------------------------------------------------------------ */

/* Axes of size 1 split nothing and are left out, as are those that are a device's own. */
static bool read_split(hd_spmd *s, hd_op *op, hd_attr mesh, hd_attr axes, hd_split *out) {
  *out = (hd_split){0};
  for (uint32_t i = 0; i < axes->array.count; ++i) {
    hd_attr axis = axes->array.items[i], before = hd_attr_sdy_axis_ref_pre_size_attr(axis),
            size = hd_attr_sdy_axis_ref_size_attr(axis);
    hd_split part;
    if (!hd_mesh_axis(s, op, mesh, hd_attr_sdy_axis_ref_name(axis), &part)) return false;
    if (before && size && !hd_mesh_part(s, op, part, before->integer, size->integer, &part)) return false;
    for (uint8_t k = 0; k < part.count; ++k) {
      if (s->manual >> part.axes[k] & 1) continue;
      if (out->count == HD_SPLIT_AXES)
        return hd_op_error(op, "splits a dim along more mesh axes than expected, at most %d", HD_SPLIT_AXES);
      out->axes[out->count++] = part.axes[k];
    }
  }
  return true;
}

static bool is_sharding(hd_op *op, hd_attr sharding) {
  return (hd_attr_is(sharding, HD_ATTR_STRUCT) && sharding->structure.row == HD_STRUCT_sdy_sharding) ||
         hd_op_error(op, "expects an sdy.sharding, got another attribute");
}

bool hd_sharding_unreduced(hd_spmd *s, hd_op *op, hd_attr sharding, hd_split *out) {
  hd_op *where;
  *out = (hd_split){0};
  if (!is_sharding(op, sharding)) return false;
  hd_attr axes = hd_attr_sdy_sharding_unreduced(sharding);
  return !axes || read_split(s, op, hd_sharding_mesh(op, sharding, &where), axes, out);
}

bool hd_layout_read(hd_spmd *s, hd_op *op, hd_attr sharding, hd_type type, bool strict, hd_layout *out, bool *open) {
  *out = hd_layout_whole(s, type);
  if (open) memset(open, 0, out->rank * sizeof *open);
  if (!is_sharding(op, sharding)) return false;
  hd_op *where;
  hd_attr dims = hd_attr_sdy_sharding_dims(sharding), mesh = hd_sharding_mesh(op, sharding, &where);
  if (dims->array.count != out->rank)
    return hd_op_error(op, "expects a sharding of %u dims, one per dim of the tensor, got %u", out->rank,
                       dims->array.count);
  for (uint32_t d = 0; d < out->rank; ++d) {
    hd_attr dim = dims->array.items[d];
    hd_split split;
    if (!read_split(s, op, mesh, hd_attr_sdy_dimension_sharding_axes(dim), &split)) return false;
    if (open) open[d] = !hd_attr_sdy_dimension_sharding_is_closed(dim);
    for (uint8_t i = 0; i < split.count; ++i)
      for (uint32_t e = 0; e < d; ++e)
        for (uint8_t k = 0; k < out->dims[e].count; ++k)
          if (out->dims[e].axes[k] == split.axes[i]) return hd_op_error(op, "splits two dims along one mesh axis");
    int64_t size = hd_type_dim(type, d), parts = hd_split_parts(s, split);
    if (split.count && size == HD_DYNAMIC)
      return hd_op_error(op, "expects a known size of dim %u, which it splits, got an unknown one", d);
    if (strict && size % parts)
      return hd_op_error(op, "splits dim %u of size %" PRId64 " into %" PRId64 " parts, expected a divisor of the size",
                         d, size, parts);
    if (size % parts == 0) out->dims[d] = split;
  }
  return true;
}

const char *hd_layout_text(hd_spmd *s, hd_layout layout, hd_split sums) {
  if (is_whole(layout) && !sums.count) return "{replicated}";
  hd_strbuf text;
  hd_strbuf_init(&text, s->arena);
  hd_strbuf_puts(&text, "{devices=[");
  int64_t addends = hd_split_parts(s, sums), tiles = addends;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    hd_strbuf_printf(&text, "%s%" PRId64, d ? "," : "", hd_split_parts(s, layout.dims[d]));
    tiles *= hd_split_parts(s, layout.dims[d]);
  }
  const char *comma = layout.rank ? "," : "";
  if (sums.count) hd_strbuf_printf(&text, "%s%" PRId64, comma, addends), comma = ",";
  if (tiles < s->devices) hd_strbuf_printf(&text, "%s%" PRId64, comma, s->devices / tiles);
  hd_strbuf_puts(&text, "]");
  comma = "";
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t device = 0; device < s->devices; ++device) {
      int64_t at = 0;
      for (uint32_t d = 0; d < layout.rank; ++d)
        at = at * hd_split_parts(s, layout.dims[d]) + hd_mesh_place(s, device, layout.dims[d]);
      if (at * addends + hd_mesh_place(s, device, sums) != tile) continue;
      hd_strbuf_printf(&text, "%s%" PRId64, comma, device);
      comma = ",";
    }
  bool some = tiles < s->devices;
  hd_strbuf_puts(&text, sums.count
                            ? (some ? " last_tile_dims={unreduced, replicated}}" : " last_tile_dims={unreduced}}")
                        : some ? " last_tile_dim_replicate}"
                               : "}");
  return hd_strbuf_text(&text);
}
