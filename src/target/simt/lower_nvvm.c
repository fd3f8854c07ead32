/* SPDX-License-Identifier: Apache-2.0 */
/* nvvm's ops: barriers, exchanges of a warp, copies to shared memory. A warp op that names lanes is an instruction that
 * checks them, then the exchange. */
#include "ir/ops/llvm.h"
#include "ir/ops/nvvm.h"
#include "target/simt/encoder.h"

static bool check_members(hd_simt_encoder *e, int32_t mask) {
  hd_simt_add(e, HD_SIMT_members)->a = mask;
  return true;
}

static hd_simt_draft *add_exchange(hd_simt_encoder *e, hd_simt_opcode op, int32_t d, int32_t a, int32_t b, uint32_t x) {
  hd_simt_draft *draft = hd_simt_add(e, op);
  draft->d = d;
  draft->a = a;
  draft->b = b;
  draft->x = (uint16_t)x;
  return draft;
}

/* A value, with whether it came from another lane where the op gives that too. */
static bool give_flagged(hd_simt_encoder *e, hd_op *op, int32_t value, int32_t flag, bool flagged) {
  if (!flagged) return hd_simt_give_one(e, op, value);
  hd_simt_parts *parts = hd_simt_new_parts(e, 2);
  parts->at[0] = value;
  parts->at[1] = flag;
  return hd_simt_give(e, op, 0, parts);
}

static bool shuffle(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar s;
  uint32_t count;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 1), &s, &count)) return false;
  if (count != 1 || s.bits != 32) return hd_simt_fail(e, op, "exchanges other than 32 bits");
  int32_t value = hd_simt_operand(e, op, 1)->at[0], offset = hd_simt_operand(e, op, 2)->at[0];
  int32_t control = hd_simt_operand(e, op, 3)->at[0];
  check_members(e, hd_simt_operand(e, op, 0)->at[0]);
  int32_t d = hd_simt_new_register(e, 1), valid = hd_simt_new_register(e, 1);
  hd_simt_draft *draft =
      add_exchange(e, HD_SIMT_exchange, d, value, offset, 1u << 4 | (uint32_t)hd_nvvm_shfl_sync_kind(op));
  draft->c = control;
  draft->valid = valid;
  return give_flagged(e, op, d, valid, hd_nvvm_shfl_sync_return_value_and_is_valid(op));
}

static bool vote(hd_simt_encoder *e, hd_op *op) {
  static const uint16_t kinds[] = {[HD_NVVM_VOTE_SYNC_KIND_ANY] = 0,
                                   [HD_NVVM_VOTE_SYNC_KIND_ALL] = 1,
                                   [HD_NVVM_VOTE_SYNC_KIND_BALLOT] = 2,
                                   [HD_NVVM_VOTE_SYNC_KIND_UNI] = 3};
  int32_t mask = hd_simt_operand(e, op, 0)->at[0], predicate = hd_simt_operand(e, op, 1)->at[0];
  check_members(e, mask);
  int32_t d = hd_simt_new_register(e, 1);
  add_exchange(e, HD_SIMT_vote, d, predicate, mask, kinds[hd_nvvm_vote_sync_kind(op)]);
  return hd_simt_give_one(e, op, d);
}

static bool reduce(hd_simt_encoder *e, hd_op *op) {
  uint32_t kind = (uint32_t)hd_nvvm_redux_sync_kind(op);
  if (!hd_type_is_integer(hd_operand_type(op, 0), 32) || kind < HD_SIMT_REDUX_ADD || kind >= HD_SIMT_REDUX_KINDS)
    return hd_simt_fail(e, op, "reduces other than i32");
  int32_t value = hd_simt_operand(e, op, 0)->at[0], mask = hd_simt_operand(e, op, 1)->at[0];
  check_members(e, mask);
  int32_t d = hd_simt_new_register(e, 1);
  add_exchange(e, HD_SIMT_redux, d, value, mask, kind);
  return hd_simt_give_one(e, op, d);
}

static bool match(hd_simt_encoder *e, hd_op *op) {
  bool all = hd_nvvm_match_sync_kind(op) == HD_NVVM_MATCH_SYNC_KIND_ALL;
  hd_simt_scalar s;
  uint32_t count;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 1), &s, &count)) return false;
  if (count != 1) return hd_simt_fail(e, op, "compares more than a number");
  int32_t mask = hd_simt_operand(e, op, 0)->at[0], value = hd_simt_operand(e, op, 1)->at[0];
  check_members(e, mask);
  int32_t d = hd_simt_new_register(e, 1), valid = hd_simt_new_register(e, 1);
  add_exchange(e, HD_SIMT_match, d, value, mask, s.slots << 4 | all)->valid = valid;
  return give_flagged(e, op, d, valid, all);
}

static bool barrier(hd_simt_encoder *e, hd_op *op) {
  uint32_t at, count;
  for (uint32_t k = 1; k < 3; ++k) {
    hd_op_operand_range(op, k, &at, &count);
    if (count)
      return hd_simt_fail(e, op, "waits for some threads, or reduces, at a barrier, which has no code on simt");
  }
  hd_simt_add(e, HD_SIMT_barrier);
  return true;
}

/* A copy is done at once: a device may do so. */
static bool copy(hd_simt_encoder *e, hd_op *op) {
  int64_t size = hd_nvvm_cp_async_shared_global_size(op);
  if (op->operand_count > 2 || (size != 4 && size != 8 && size != 16))
    return hd_simt_fail(e, op, "copies other than 4, 8 or 16 bytes");
  uint32_t count = (uint32_t)size / 4;
  int32_t *list = hd_new_array(e->arena, int32_t, count);
  for (uint32_t i = 0; i < count; ++i) list[i] = hd_simt_new_register(e, 1);
  for (int stores = 0; stores < 2; ++stores) {
    int32_t address = hd_simt_operand(e, op, stores ? 0 : 1)->at[0];
    hd_simt_draft *draft = hd_simt_add(e, stores ? HD_SIMT_store : HD_SIMT_load);
    draft->a = address;
    draft->x = (uint16_t)count;
    draft->log2 = 2;
    draft->memory =
        (uint16_t)((stores ? HD_SIMT_SPACE_SHARED : HD_SIMT_SPACE_GLOBAL) | __builtin_ctzll((uint64_t)size) << 8);
    draft->list = list;
  }
  return true;
}

int hd_simt_lower_nvvm(hd_simt_encoder *e, hd_op *op) {
  switch (hd_opcode_get(op)) {
#define NVVM(opcode, call) \
  case HD_OP_##opcode:     \
    return call ? 1 : -1;
#include "target/simt/lower.def"
    default:
      return 0;
  }
}
