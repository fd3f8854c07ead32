/* SPDX-License-Identifier: Apache-2.0 */
/* The gpu dialect: numbers of threads, which turn from index to integers, barriers and reductions, which stay, and
 * exchanges between lanes, which are one op, gpu.shuffle. */
#include "ir/ops/gpu.h"
#include "ir/ops/interfaces.h"
#include "passes/machine/converter.h"

enum { LANES = 32 };

static hd_value *id_of(hd_converter *c, hd_opcode opcode, hd_attr dimension) {
  hd_attr_arg attrs[] = {{HD_NAME_dimension, dimension}};
  hd_value *id = hd_build_one_(&c->b, opcode, hd_type_index(c->context), NULL, 0, attrs, dimension ? 1 : 0);
  return hd_build(&c->b, HD_OP_arith_index_castui, c->index, id);
}

HD_RULE(id) {
  return hd_machine_result(c, op, id_of(c, hd_opcode_get(op), code ? hd_launch_index_dimension_attr(op) : NULL));
}

/* Of the block's threads, the last of which may be fewer than a subgroup. */
HD_RULE(num_subgroups) {
  (void)code;
  hd_value *threads = NULL;
  for (int d = 0; d < 3; ++d) {
    hd_value *size = id_of(c, HD_OP_gpu_block_dim, hd_attr_enum(c->context, HD_ENUM_gpu_dim, d));
    threads = threads ? hd_machine_binary(c, HD_OP_llvm_mul, threads, size) : size;
  }
  hd_value *above = hd_machine_binary(c, HD_OP_llvm_add, threads, hd_machine_index(c, LANES - 1));
  return hd_machine_result(c, op, hd_machine_binary(c, HD_OP_llvm_udiv, above, hd_machine_index(c, LANES)));
}

/* Values of lane |source| of the first |width|, and whether it and this lane are among those: the results of |op|. */
static bool take_lane(hd_converter *c, hd_op *op, hd_value *source, int64_t width) {
  hd_type type = hd_machine_type(c, op, hd_result_type(op, 0)), i32 = hd_type_integer(c->context, 32, HD_SIGNLESS);
  if (!type) return false;
  hd_value *operands[] = {hd_machine_one(c, op, 0), source, hd_machine_int(c, i32, width)};
  hd_attr_arg attrs[] = {{HD_NAME_mode, hd_attr_of_gpu_shuffle_mode(c->context, HD_GPU_SHUFFLE_MODE_IDX)}};
  hd_type types[] = {type, hd_i1(c->context)};
  hd_op *made = hd_build_op(&c->b, HD_OP_gpu_shuffle, operands, 3, types, 2, attrs, 1, 0);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_machine_parts *parts = hd_machine_new_parts(c, 1);
    parts->at[0] = hd_result(made, i);
    hd_machine_set(c, hd_result(op, i), parts);
  }
  return true;
}

HD_RULE(rotate) {
  (void)code;
  int64_t offset = hd_gpu_rotate_offset(op), width = hd_gpu_rotate_width(op);
  hd_type i32 = hd_type_integer(c->context, 32, HD_SIGNLESS);
  if (width < 1 || width > LANES || offset < 0 || offset >= width)
    return hd_op_error(op, "rotates by %lld of %lld lanes, expected 1 to %d lanes and less than those",
                       (long long)offset, (long long)width, (int)LANES);
  hd_value *lane = hd_machine_resize(c, id_of(c, HD_OP_gpu_lane_id, NULL), i32, false);
  hd_value *sum = hd_machine_binary(c, HD_OP_llvm_add, lane, hd_machine_int(c, i32, offset));
  return take_lane(c, op, hd_machine_binary(c, HD_OP_llvm_urem, sum, hd_machine_int(c, i32, width)), width);
}

/* Which lanes are active is known where all are. */
HD_RULE(lane_broadcast) {
  (void)code;
  hd_type i32 = hd_type_integer(c->context, 32, HD_SIGNLESS);
  if (op->operand_count > 1) return take_lane(c, op, hd_machine_one(c, op, 1), LANES);
  if (!hd_op_is(hd_op_parent(op), HD_OP_gpu_func))
    return hd_op_error(op, "takes a lane that is active under control flow, expected 'specific_lane'");
  return take_lane(c, op, hd_machine_int(c, i32, 0), LANES);
}

HD_RULE(together) {
  (void)code;
  if (op->region_count && hd_op_region(op, 0)->first)
    return hd_op_error(op, "reduces by a region, expected a kind of reduction");
  hd_vec(hd_value *) operands = {0};
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    const hd_machine_parts *parts = hd_machine_operand(c, op, i);
    for (uint32_t p = 0; p < parts->count; ++p) hd_vec_push(c->arena, &operands, parts->at[p]);
  }
  hd_type *types = hd_new_array(c->arena, hd_type, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!(types[i] = hd_machine_type(c, op, hd_result_type(op, i)))) return false;
  hd_op *made = hd_build_like(&c->b, op, hd_opcode_get(op), operands.data, operands.len, types, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_machine_parts *parts = hd_machine_new_parts(c, 1);
    parts->at[0] = hd_result(made, i);
    hd_machine_set(c, hd_result(op, i), parts);
  }
  return true;
}
