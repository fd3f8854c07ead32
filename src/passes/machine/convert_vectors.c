/* SPDX-License-Identifier: Apache-2.0 */
/* vector ops on vectors of one dim, lane by lane. */
#include "ir/ops/vector.h"
#include "passes/machine/converter.h"

static hd_type result_type(hd_converter *c, hd_op *op) { return hd_machine_type(c, op, hd_result_type(op, 0)); }

/* The one of |position|, which |op|, of |operands| where all are known, names; -1 after an error. */
static int64_t position_of(hd_op *op, hd_attr position, uint32_t operands) {
  if (op->operand_count == operands && hd_attr_count(position) == 1) return hd_attr_int_at(position, 0);
  hd_op_error(op, "expected one constant position, got others");
  return -1;
}

static hd_value *lane_of(hd_converter *c, hd_value *vector, int64_t i) {
  return hd_build(&c->b, HD_OP_llvm_extractelement, hd_type_element(vector->type), vector, hd_machine_i64(c, i));
}

static hd_value *with_lane(hd_converter *c, hd_value *vector, hd_value *lane, int64_t i) {
  return hd_build(&c->b, HD_OP_llvm_insertelement, vector->type, vector, lane, hd_machine_i64(c, i));
}

static hd_value *no_lanes(hd_converter *c, hd_type type) {
  return hd_build_one_(&c->b, HD_OP_llvm_mlir_poison, type, NULL, 0, NULL, 0);
}

HD_RULE(vector_extract) {
  (void)code;
  if (!result_type(c, op)) return false;
  int64_t at = position_of(op, hd_vector_extract_static_position(op), 1);
  return at >= 0 && hd_machine_result(c, op, lane_of(c, hd_machine_one(c, op, 0), at));
}

HD_RULE(vector_insert) {
  (void)code;
  if (!result_type(c, op)) return false;
  int64_t at = position_of(op, hd_vector_insert_static_position(op), 2);
  return at >= 0 && hd_machine_result(c, op, with_lane(c, hd_machine_one(c, op, 1), hd_machine_one(c, op, 0), at));
}

HD_RULE(vector_elements) {
  (void)code;
  hd_type type = result_type(c, op);
  if (!type) return false;
  hd_value *vector = no_lanes(c, type);
  for (uint32_t i = 0; i < op->operand_count; ++i) vector = with_lane(c, vector, hd_machine_one(c, op, i), i);
  return hd_machine_result(c, op, vector);
}

/* Of a scalar. */
HD_RULE(vector_broadcast) {
  (void)code;
  hd_type type = result_type(c, op), from = hd_operand_type(op, 0);
  if (!type) return false;
  if (from == hd_result_type(op, 0)) return hd_machine_result(c, op, hd_machine_one(c, op, 0));
  if (hd_type_is_shaped(from) || from->kind == HD_TYPE_COMPLEX)
    return hd_op_misfit_error(op, from, NULL, "repeats other than a number");
  hd_value *vector = no_lanes(c, type);
  for (int64_t i = 0; i < type->shaped.dims[0]; ++i) vector = with_lane(c, vector, hd_machine_one(c, op, 0), i);
  return hd_machine_result(c, op, vector);
}

/* What joins two elements of a vector.reduction; 0: nothing does. */
static hd_opcode joins(hd_op *op) {
  static const struct {
    hd_enum_vector_kind kind;
    hd_opcode ints, floats;
  } rows[] = {{HD_VECTOR_KIND_ADD, HD_OP_llvm_add, HD_OP_llvm_fadd},
              {HD_VECTOR_KIND_MUL, HD_OP_llvm_mul, HD_OP_llvm_fmul},
              {HD_VECTOR_KIND_MINUI, HD_OP_llvm_intr_umin, 0},
              {HD_VECTOR_KIND_MINSI, HD_OP_llvm_intr_smin, 0},
              {HD_VECTOR_KIND_MAXUI, HD_OP_llvm_intr_umax, 0},
              {HD_VECTOR_KIND_MAXSI, HD_OP_llvm_intr_smax, 0},
              {HD_VECTOR_KIND_MINNUMF, 0, HD_OP_llvm_intr_minnum},
              {HD_VECTOR_KIND_MAXNUMF, 0, HD_OP_llvm_intr_maxnum},
              {HD_VECTOR_KIND_MINIMUMF, 0, HD_OP_llvm_intr_minimum},
              {HD_VECTOR_KIND_MAXIMUMF, 0, HD_OP_llvm_intr_maximum},
              {HD_VECTOR_KIND_AND, HD_OP_llvm_and, 0},
              {HD_VECTOR_KIND_OR, HD_OP_llvm_or, 0},
              {HD_VECTOR_KIND_XOR, HD_OP_llvm_xor, 0}};
  hd_enum_vector_kind kind = hd_vector_reduction_kind(op);
  bool is_float = hd_result_type(op, 0)->kind == HD_TYPE_FLOAT;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].kind == kind) return is_float ? rows[i].floats : rows[i].ints;
  return 0;
}

/* In the order of the lanes, the initial value first. Floats of less than 32 bits come together in f32 and are rounded
 * at the end. */
HD_RULE(vector_reduction) {
  (void)code;
  hd_type type = result_type(c, op), f32 = hd_f32(c->context);
  hd_opcode join = joins(op);
  if (!type) return false;
  if (!join || hd_machine_is_small_float(hd_result_type(op, 0)))
    return hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "is of a kind that has no machine form");
  hd_value *vector = hd_machine_one(c, op, 0), *made = op->operand_count > 1 ? hd_machine_one(c, op, 1) : NULL;
  bool is_narrow = type->kind == HD_TYPE_FLOAT && hd_type_bits(type) < 32;
  if (is_narrow) vector = hd_build(&c->b, HD_OP_llvm_fpext, hd_type_with_element(vector->type, f32), vector);
  if (is_narrow && made) made = hd_build(&c->b, HD_OP_llvm_fpext, f32, made);
  for (int64_t i = 0; i < vector->type->shaped.dims[0]; ++i) {
    hd_value *lane = lane_of(c, vector, i);
    hd_value *pair[] = {made, lane};
    made =
        made ? hd_machine_flagged(c, join, lane->type, pair, 2, type->kind == HD_TYPE_FLOAT ? hd_machine_flags(op) : 0)
             : lane;
  }
  return hd_machine_result(c, op, is_narrow ? hd_build(&c->b, HD_OP_llvm_fptrunc, type, made) : made);
}
