/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/views.h"

#include "analysis/buffer_op.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

static bool dense(hd_shapes *s, hd_value *buffer, hd_view *out) {
  hd_dim_table *t = &s->table;
  out->root = buffer;
  out->offset = hd_dim_const(t, 0);
  out->rank = hd_type_rank(buffer->type);
  if (out->rank > HD_COMPILED_MAX_RANK) return false;
  hd_dim stride = hd_dim_const(t, 1);
  for (uint32_t d = out->rank; d-- > 0;) {
    out->sizes[d] = hd_shapes_dim(s, buffer, d);
    out->strides[d] = stride;
    stride = hd_dim_mul(t, stride, out->sizes[d]);
    if (!out->sizes[d] || !stride) return false;
  }
  return true;
}

static bool is_one(hd_shapes *s, hd_dim dim) {
  int64_t one;
  return hd_dim_is_const(&s->table, dim, &one) && one == 1;
}

/* Regroups |v|'s dims into those of |to|: runs of equal products; a run with several old dims must be dense in itself.
 */
static bool reshape(hd_shapes *s, hd_value *to, hd_view *v) {
  hd_dim_table *t = &s->table;
  hd_view out = {.root = v->root, .offset = v->offset, .rank = hd_type_rank(to->type)};
  if (out.rank > HD_COMPILED_MAX_RANK) return false;
  for (uint32_t d = 0; d < out.rank; ++d) out.sizes[d] = hd_shapes_dim(s, to, d);
  uint32_t i = 0, o = 0;
  while (i < v->rank || o < out.rank) {
    uint32_t i0 = i, o0 = o;
    hd_dim pi = hd_dim_const(t, 1), po = hd_dim_const(t, 1);
    do {
      if (i < v->rank && (o >= out.rank || i - i0 <= o - o0))
        pi = hd_dim_mul(t, pi, v->sizes[i++]);
      else
        po = hd_dim_mul(t, po, out.sizes[o++]);
    } while ((i < v->rank || o < out.rank) && !(i > i0 && o > o0 && hd_dim_equal(t, pi, po)));
    if (!hd_dim_equal(t, pi, po)) return false;
    hd_dim stride = NULL; /* of the innermost old dim that is not 1 */
    hd_dim span = NULL;
    for (uint32_t d = i; d-- > i0;) {
      if (is_one(s, v->sizes[d])) continue;
      if (!stride)
        stride = v->strides[d];
      else if (!hd_dim_equal(t, v->strides[d], span))
        return false;
      span = hd_dim_mul(t, v->strides[d], v->sizes[d]);
    }
    if (!stride) stride = hd_dim_const(t, 1);
    for (uint32_t d = o; d-- > o0;) {
      out.strides[d] = stride;
      stride = hd_dim_mul(t, stride, out.sizes[d]);
    }
  }
  *v = out;
  return true;
}

static bool apply(hd_shapes *s, hd_op *op, hd_value *buffer, hd_view *v) {
  hd_dim_table *t = &s->table;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_transpose: {
      hd_attr permutation = hd_stablehlo_transpose_permutation(op);
      hd_view old = *v;
      for (uint32_t d = 0; d < v->rank; ++d) {
        v->sizes[d] = old.sizes[hd_attr_int_at(permutation, d)];
        v->strides[d] = old.strides[hd_attr_int_at(permutation, d)];
      }
      return true;
    }
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_dynamic_reshape:
      return reshape(s, buffer, v);
    case HD_OP_stablehlo_slice: {
      hd_attr start = hd_stablehlo_slice_start_indices(op), strides = hd_stablehlo_slice_strides(op);
      for (uint32_t d = 0; d < v->rank; ++d) {
        v->offset = hd_dim_add(t, v->offset, hd_dim_mul(t, v->strides[d], hd_dim_const(t, hd_attr_int_at(start, d))));
        v->strides[d] = hd_dim_mul(t, v->strides[d], hd_dim_const(t, hd_attr_int_at(strides, d)));
        v->sizes[d] = hd_shapes_dim(s, buffer, d);
      }
      return v->offset != NULL;
    }
    case HD_OP_stablehlo_real_dynamic_slice: {
      hd_view old = *v;
      for (uint32_t d = 0; d < v->rank; ++d) {
        hd_dim start = hd_shapes_index(s, hd_operand(op, 2 + d)),
               step = hd_shapes_index(s, hd_operand(op, 2 + v->rank + d));
        v->offset = hd_dim_add(t, v->offset, hd_dim_mul(t, old.strides[d], start));
        v->strides[d] = hd_dim_mul(t, old.strides[d], step);
        v->sizes[d] = hd_shapes_dim(s, buffer, d);
        if (!v->offset || !v->strides[d]) return false;
      }
      return true;
    }
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_broadcast_in_dim: {
      hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
      hd_view old = *v;
      v->rank = hd_type_rank(buffer->type);
      if (v->rank > HD_COMPILED_MAX_RANK) return false;
      for (uint32_t d = 0; d < v->rank; ++d) {
        v->sizes[d] = hd_shapes_dim(s, buffer, d);
        v->strides[d] = hd_dim_const(t, 0);
      }
      for (uint32_t d = 0; d < old.rank; ++d) {
        uint32_t to = (uint32_t)hd_attr_int_at(dims, d);
        if (hd_dim_equal(t, old.sizes[d], v->sizes[to]))
          v->strides[to] = old.strides[d];
        else if (!is_one(s, old.sizes[d]))
          return false;
      }
      return true;
    }
    default:
      return false;
  }
}

bool hd_view_of(hd_shapes *s, const hd_map *writers, hd_value *buffer, hd_view *out) {
  hd_op *writer = hd_map_get(writers, buffer);
  /* An op that reads no buffer, such as iota, has the one that it writes as its first. */
  if (writer && writer->operand_count && hd_operand(writer, 0) != buffer &&
      hd_type_is(hd_operand_type(writer, 0), HD_TYPE_MEMREF)) {
    hd_view inner;
    if (hd_view_of(s, writers, hd_operand(writer, 0), &inner) && apply(s, writer, buffer, &inner)) {
      *out = inner;
      return true;
    }
  }
  return dense(s, buffer, out);
}
