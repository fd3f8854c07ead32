/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of threads, barriers and exchanges between lanes, by the machine's intrinsics or OpenCL's functions. */
#include "analysis/shuffle_controls.h"
#include "ir/ops/gpu.h"
#include "target/llvm/translate_machine.h"

static LLVMValueRef read(hd_machine_translation *t, const char *name) { return hd_machine_intrinsic(t, name, NULL, 0); }

/* x + dim x * (y + dim y * z) in the block. */
static LLVMValueRef linear_thread(hd_machine_translation *t) {
  const char *const(*ids)[3] = t->machine->ids;
  LLVMValueRef at = read(t, ids[HD_GRID_THREAD][2]);
  for (int d = 1; d >= 0; --d)
    at = LLVMBuildAdd(t->builder, LLVMBuildMul(t->builder, at, read(t, ids[HD_GRID_BLOCK_DIM][d]), ""),
                      read(t, ids[HD_GRID_THREAD][d]), "");
  return at;
}

/* Null: the machine has no such number. */
static LLVMValueRef number_of(hd_machine_translation *t, hd_grid_number number) {
  const char *id = t->machine->ids[number.what][number.dim];
  LLVMValueRef lanes = LLVMConstInt(t->i32, t->machine->subgroup, false);
  if (number.what == HD_GRID_SUBGROUP_SIZE) return lanes;
  if (t->machine->opencl) return hd_machine_opencl_number(t, number);
  if (id) return read(t, id);
  return number.what == HD_GRID_SUBGROUP ? LLVMBuildUDiv(t->builder, linear_thread(t), lanes, "") : NULL;
}

/* 32 bits are exchanged at a time: |part| of |value| as i32. */
static LLVMValueRef to_words(hd_machine_translation *t, LLVMValueRef value, unsigned bits, unsigned part) {
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, bits);
  LLVMValueRef all = LLVMBuildBitCast(t->builder, value, type, "");
  if (bits < 32) return LLVMBuildZExt(t->builder, all, t->i32, "");
  if (bits == 32) return all;
  return LLVMBuildTrunc(t->builder, LLVMBuildLShr(t->builder, all, LLVMConstInt(type, 32 * part, false), ""), t->i32,
                        "");
}

static LLVMValueRef from_words(hd_machine_translation *t, LLVMValueRef *words, unsigned bits, LLVMTypeRef like) {
  LLVMTypeRef type = LLVMIntTypeInContext(t->context, bits);
  LLVMValueRef all = words[0];
  if (bits < 32) all = LLVMBuildTrunc(t->builder, all, type, "");
  if (bits == 64) {
    LLVMValueRef high =
        LLVMBuildShl(t->builder, LLVMBuildZExt(t->builder, words[1], type, ""), LLVMConstInt(type, 32, false), "");
    all = LLVMBuildOr(t->builder, LLVMBuildZExt(t->builder, all, type, ""), high, "");
  }
  return LLVMBuildBitCast(t->builder, all, like, "");
}

/* |name| of an i32: a pair of the value and whether it came from the |width| lanes that take part. */
static bool exchange(hd_machine_translation *t, int64_t mode, LLVMValueRef value, LLVMValueRef lane, LLVMValueRef width,
                     LLVMValueRef *out_value, LLVMValueRef *out_valid) {
  const hd_machine_shuffles *s = &t->machine->shuffles;
  hd_shuffle_controls controls = hd_shuffle_controls_of((hd_enum_gpu_shuffle_mode)mode);
  const char *name = mode == 0 ? s->xor : mode == 1 ? s->down : mode == 2 ? s->up : s->idx;
  LLVMValueRef first = LLVMConstInt(t->i32, 0, false);
  LLVMValueRef rest = LLVMBuildSub(t->builder, LLVMConstInt(t->i32, t->machine->subgroup, false), width, "");
  LLVMValueRef last = LLVMBuildSub(t->builder, width, LLVMConstInt(t->i32, 1, false), "");
  LLVMValueRef mask = LLVMBuildLShr(t->builder, LLVMConstAllOnes(t->i32), rest, "");
  LLVMValueRef args[] = {mask, value, lane, controls.clamps_at_first ? first : last};
  LLVMValueRef pair = hd_machine_intrinsic(t, name, args, 4);
  if (!pair) return false;
  *out_value = LLVMBuildExtractValue(t->builder, pair, 0, "");
  *out_valid = LLVMBuildExtractValue(t->builder, pair, 1, "");
  return true;
}

/* The same by the lane's number: a lane that takes no part, or whose source takes none, gets its own value. */
static bool exchange_opencl(hd_machine_translation *t, int64_t mode, LLVMValueRef value, LLVMValueRef lane,
                            LLVMValueRef width, LLVMValueRef *out_value, LLVMValueRef *out_valid) {
  LLVMValueRef own = hd_machine_opencl_lane(t);
  LLVMValueRef source = mode == 0   ? LLVMBuildXor(t->builder, own, lane, "")
                        : mode == 1 ? LLVMBuildAdd(t->builder, own, lane, "")
                        : mode == 2 ? LLVMBuildSub(t->builder, own, lane, "")
                                    : lane;
  *out_valid = LLVMBuildAnd(t->builder, LLVMBuildICmp(t->builder, LLVMIntULT, own, width, ""),
                            LLVMBuildICmp(t->builder, LLVMIntULT, source, width, ""), "");
  source = LLVMBuildSelect(t->builder, *out_valid, source, own, "");
  *out_value = hd_machine_opencl_exchange(t, value, source);
  return true;
}

/* The first |width| lanes of a subgroup take part; up ends at lane 0, the others at lane width - 1. */
static bool shuffle(hd_machine_translation *t, hd_op *op) {
  int64_t mode = hd_gpu_shuffle_mode(op); /* xor, down, up, idx */
  LLVMValueRef value = hd_machine_operand_value(t, op, 0), lane = hd_machine_operand_value(t, op, 1);
  LLVMValueRef width = hd_machine_operand_value(t, op, 2);
  hd_type type = hd_operand_type(op, 0);
  unsigned bits = hd_machine_is_narrow(t, type) ? 8 : hd_type_bits(hd_type_element(type));
  if (hd_type_is_shaped(type) || bits > 64) return hd_machine_fail(t, op, "exchanges more than a number of 64 bits");
  LLVMValueRef words[2], valid = NULL;
  for (unsigned part = 0; part < (bits == 64 ? 2u : 1u); ++part) {
    LLVMValueRef word = to_words(t, value, bits, part);
    bool ok = t->machine->opencl ? exchange_opencl(t, mode, word, lane, width, &words[part], &valid)
                                 : exchange(t, mode, word, lane, width, &words[part], &valid);
    if (!ok) return hd_machine_fail(t, op, "has no instruction on this machine");
  }
  return hd_machine_give(t, op, 0, from_words(t, words, bits, LLVMTypeOf(value))) && hd_machine_give(t, op, 1, valid);
}

bool hd_machine_translate_gpu(hd_machine_translation *t, hd_op *op) {
  if (hd_op_is(op, HD_OP_gpu_barrier) && t->machine->opencl) return hd_machine_opencl_barrier(t);
  if (hd_op_is(op, HD_OP_gpu_barrier)) {
    LLVMValueRef zero = LLVMConstInt(t->i32, 0, false);
    return hd_machine_intrinsic(t, t->machine->barrier, &zero, 1) ||
           hd_machine_fail(t, op, "has no instruction on this machine");
  }
  if (hd_op_is(op, HD_OP_gpu_shuffle)) return shuffle(t, op);
  LLVMValueRef value = number_of(t, hd_grid_number_of(op));
  if (!value) return hd_machine_fail(t, op, "has no instruction on this machine");
  return hd_machine_give(t, op, 0, LLVMBuildZExt(t->builder, value, t->i64, ""));
}
