/* SPDX-License-Identifier: Apache-2.0 */
/* scaled-dot(a, b, a's scales, b's scales): no op of StableHLO, whose composite of that meaning is this product in
 * bf16: each element times its scale, of which one serves a group of elements that follow each other along a contracted
 * dim. */
#include "hlo/import.h"
#include "ir/ops/stablehlo.h"

static hd_value *convert(hd_hlo_import *s, hd_value *x) {
  hd_type type = hd_type_with_element(x->type, hd_type_float(s->b.context, HD_BF16));
  return type == x->type ? x : hd_stablehlo_convert(&s->b, type, x);
}

/* |scale| with a value for each element of a tensor of |type|. Null: the dims do not divide. */
static hd_value *spread(hd_hlo_import *s, hd_value *scale, hd_type type) {
  int64_t dims[2 * HD_MAX_RANK], from[HD_MAX_RANK];
  uint32_t rank = 0;
  if (scale->type == type) return scale;
  for (uint32_t i = 0; i < hd_type_rank(type); ++i) {
    int64_t all = hd_type_dim(type, i), groups = hd_type_dim(scale->type, i);
    if (all != groups && (all < 0 || groups < 1 || all % groups)) return NULL;
    from[i] = rank;
    dims[rank++] = groups;
    if (all != groups) dims[rank++] = all / groups;
  }
  if (rank > HD_MAX_RANK) return NULL;
  hd_attr_arg attr = {HD_NAME_broadcast_dimensions, hd_attr_i64_array(s->b.context, from, hd_type_rank(type))};
  hd_type wide = hd_type_tensor(hd_type_element(type), dims, rank, NULL);
  hd_value *each = hd_build_one_(&s->b, HD_OP_stablehlo_broadcast_in_dim, wide, &scale, 1, &attr, 1);
  return wide == type ? each : hd_stablehlo_reshape(&s->b, type, each);
}

bool hd_hlo_import_scaled_dot(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values, *operands[2];
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  if (count != 4) return hd_hlo_fail(s->r, inst->at, "expected 4 operands of 'scaled-dot', got %u", count);
  s->b.loc = hd_hlo_loc(s->r, inst);
  for (uint32_t i = 0; i < 2; ++i) {
    hd_value *x = values[i], *scale = values[i + 2];
    if (!hd_type_is_tensor(x->type) || !hd_type_is_tensor(scale->type) ||
        hd_type_rank(x->type) != hd_type_rank(scale->type))
      return hd_hlo_fail(s->r, inst->at,
                         "expected the rank of its scales, operand %u, as that of operand %u, got %s and %s", i + 2, i,
                         hd_hlo_type_text(s->r, scale->type), hd_hlo_type_text(s->r, x->type));
    x = convert(s, x);
    scale = spread(s, convert(s, scale), x->type);
    if (!scale)
      return hd_hlo_fail(s->r, inst->at, "expected dims of operand %u that are multiples of its scales', got %s and %s",
                         i, hd_hlo_type_text(s->r, x->type), hd_hlo_type_text(s->r, values[i + 2]->type));
    operands[i] = hd_stablehlo_multiply(&s->b, x, scale);
  }
  return hd_hlo_make(s, inst, HD_OP_stablehlo_dot_general, operands, 2, &attrs, 0) != NULL;
}
