/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of threads, barriers, exchanges between lanes. */
#include "ir/ops/gpu.h"
#include "target/simt/encoder.h"

/* The dim is a number of the row: x, y, z. */
static uint32_t dim_of(hd_attr dimension) {
  int64_t dim = hd_attr_int_or(dimension, 0);
  return dim < 0 || dim > 2 ? 0 : (uint32_t)dim;
}

/* HD_SIMT_SPECIALS: |op| gives none. */
static uint32_t special_of(hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_gpu_thread_id:
      return HD_SIMT_THREAD + dim_of(hd_gpu_thread_id_dimension_attr(op));
    case HD_OP_gpu_block_id:
      return HD_SIMT_BLOCK + dim_of(hd_gpu_block_id_dimension_attr(op));
    case HD_OP_gpu_block_dim:
      return HD_SIMT_BLOCK_DIM + dim_of(hd_gpu_block_dim_dimension_attr(op));
    case HD_OP_gpu_grid_dim:
      return HD_SIMT_GRID_DIM + dim_of(hd_gpu_grid_dim_dimension_attr(op));
    case HD_OP_gpu_global_id:
      return HD_SIMT_GLOBAL_ID + dim_of(hd_gpu_global_id_dimension_attr(op));
    case HD_OP_gpu_lane_id:
      return HD_SIMT_LANE;
    case HD_OP_gpu_subgroup_id:
      return HD_SIMT_WARP;
    case HD_OP_gpu_num_subgroups:
      return HD_SIMT_WARPS;
    default:
      return HD_SIMT_SPECIALS;
  }
}

static bool shuffle(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar s;
  uint32_t count;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 0), &s, &count)) return false;
  if (count != 1) return hd_simt_fail(e, op, "exchanges more than a number of 64 bits");
  int32_t value = hd_simt_operand(e, op, 0)->at[0], lane = hd_simt_operand(e, op, 1)->at[0];
  int32_t width = hd_simt_operand(e, op, 2)->at[0];
  int32_t d = hd_simt_new_register(e, s.slots), valid = hd_simt_new_register(e, 1);
  hd_simt_draft *draft = hd_simt_add(e, HD_SIMT_shuffle);
  draft->d = d;
  draft->a = value;
  draft->b = lane;
  draft->c = width;
  draft->valid = valid;
  draft->x = (uint16_t)(s.slots << 4 | ((uint32_t)hd_gpu_shuffle_mode(op) & 3));
  hd_simt_parts *flag = hd_simt_new_parts(e, 1);
  flag->at[0] = valid;
  return hd_simt_give_one(e, op, d) && hd_simt_give(e, op, 1, flag);
}

int hd_simt_lower_threads(hd_simt_encoder *e, hd_op *op) {
  if (hd_op_is(op, HD_OP_gpu_barrier)) {
    hd_simt_add(e, HD_SIMT_barrier);
    return 1;
  }
  if (hd_op_is(op, HD_OP_gpu_shuffle)) return shuffle(e, op) ? 1 : -1;
  if (hd_op_is(op, HD_OP_gpu_subgroup_size))
    return hd_simt_give_one(e, op, hd_simt_constant_of(e, 2, HD_SIMT_LANES)) ? 1 : -1;
  uint32_t special = special_of(op);
  if (special == HD_SIMT_SPECIALS) return 0;
  return hd_simt_give_one(e, op, hd_simt_emit_x(e, HD_SIMT_special, HD_SIMT_NO_REGISTER, special)) ? 1 : -1;
}
