/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/inferred_layouts.h"

#include <string.h>

#include "ir/linear_layouts/of_attribute.h"

/* The linear maps of two tensors' layouts. */
typedef struct maps {
  hd_arena scratch;
  hd_linear_layout a, b;
} maps;

static bool map_of(hd_arena *scratch, hd_attr layout, hd_type type, hd_linear_layout *out) {
  int64_t shape[HD_MAX_RANK];
  uint32_t rank = hd_type_rank(type);
  for (uint32_t d = 0; d < rank; ++d) shape[d] = hd_type_dim(type, d);
  hd_status status = hd_linear_layout_of_attribute(scratch, layout, rank, shape, NULL, out);
  bool known = hd_is_ok(status);
  hd_status_free(status);
  return known;
}

/* False: one of them has no map. */
static bool maps_of(hd_type a, hd_type b, maps *out) {
  hd_scratch_init(&out->scratch, NULL);
  bool known = hd_type_rank(a) <= HD_LINEAR_DIMS && hd_type_rank(b) <= HD_LINEAR_DIMS &&
               map_of(&out->scratch, hd_type_layout(a), a, &out->a) &&
               map_of(&out->scratch, hd_type_layout(b), b, &out->b);
  hd_arena_free(&out->scratch);
  return known;
}

static bool same(const hd_linear_layout *a, const hd_linear_layout *b) {
  return hd_linear_space_equal(&a->in, &b->in) && a->out.total == b->out.total &&
         !memcmp(a->column, b->column, a->in.total * sizeof *a->column);
}

bool hd_verify_reshaped_layout(hd_op *op, hd_type from, hd_type to) {
  maps m;
  /* Outputs are packed row-major, so a reshape changes no column. */
  return !maps_of(from, to, &m) || same(&m.a, &m.b) ||
         hd_op_misfit_error(op, from, to, "expects a layout of the result in which each thread keeps its elements");
}

bool hd_verify_transposed_layout(hd_op *op, hd_type from, hd_attr order, hd_type to) {
  static const char wrong[] = "expects the result's layout to be the operand's, its dims permuted";
  maps m;
  if (!hd_layout_is_distributed(hd_type_layout(from)) || !hd_layout_is_distributed(hd_type_layout(to)))
    return hd_layout_may_permute(hd_type_layout(from), order, hd_type_layout(to)) ||
           hd_op_misfit_error(op, from, to, wrong);
  if (!maps_of(from, to, &m)) return true;
  for (uint32_t i = 0; i < m.a.in.total; ++i) {
    int64_t parts[HD_LINEAR_DIMS], moved[HD_LINEAR_DIMS];
    hd_linear_unpack(&m.a.out, m.a.column[i], parts);
    for (uint32_t d = 0; d < m.b.out.dims; ++d) moved[d] = parts[hd_attr_int_at(order, d)];
    m.a.column[i] = hd_linear_pack(&m.b.out, moved);
  }
  return same(&m.a, &m.b) || hd_op_misfit_error(op, from, to, wrong);
}

/* Takes the registers that move along the last dim, of size 2, out of |map|, and that dim. False: there is none. */
static bool halve(hd_linear_layout *map) {
  hd_linear_layout half = {.out = map->out};
  uint32_t taken = 0, registers = map->in.bits[HD_REGISTER];
  for (uint32_t i = 0; i < map->in.total; ++i) {
    if (i < registers && map->column[i] & 1)
      ++taken;
    else
      half.column[i - taken] = map->column[i] >> 1;
  }
  uint8_t bits[HD_LINEAR_DIMS];
  memcpy(bits, map->in.bits, sizeof bits);
  bits[HD_REGISTER] = (uint8_t)(registers - taken);
  bool fits = hd_linear_space_make(map->in.dims, bits, false, &half.in) &&
              hd_linear_space_make(map->out.dims - 1, map->out.bits, true, &half.out);
  *map = half;
  return taken && fits;
}

bool hd_verify_halved_layout(hd_op *op, hd_type part, hd_type whole) {
  maps m;
  if (!maps_of(part, whole, &m)) return true;
  if (!halve(&m.b))
    return hd_op_misfit_error(op, part, whole, "expects a layout in which a thread has both elements of the last dim");
  return same(&m.a, &m.b) ||
         hd_op_misfit_error(op, part, whole, "expects one to have the other's layout without its last dim");
}
