/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do together by nvvm's names: barriers, exchanges, votes and reductions of a warp, as PTX defines them.
 *
 * An op of a warp names the lanes that take part by a mask: a lane must be named in its own, and lanes that exchange
 * must name the same ones. Named lanes that have not come count for nothing, as threads that have ended do; to read one
 * is an error. */
#include <math.h>

#include "eval/machine/call_memory.h"
#include "eval/machine/convergence.h"
#include "ir/constraints.h"
#include "ir/ops/nvvm.h"

bool hd_is_block_barrier(const hd_op *op) {
  return hd_op_is(op, HD_OP_gpu_barrier) || hd_op_is(op, HD_OP_nvvm_barrier0) || hd_op_is(op, HD_OP_nvvm_barrier);
}

/* Lane |lane| of the warp of member |i|; UINT32_MAX: it has not come. */
static uint32_t lane_at(const hd_convergence *m, uint32_t i, int64_t lane) {
  return hd_member_at(m, hd_member_thread(m, i) / HD_SUBGROUP_SIZE * HD_SUBGROUP_SIZE + lane);
}

static uint32_t word(const hd_convergence *m, uint32_t member, uint32_t operand) {
  return (uint32_t)hd_eval_int(hd_member_operand(m, member, operand));
}

/* The lanes that take part with member |i|, those of its mask, operand |operand|, that came. */
static hd_status lanes_of(const hd_convergence *m, uint32_t i, uint32_t operand, uint32_t *out) {
  uint32_t mask = word(m, i, operand), own = (uint32_t)(hd_member_thread(m, i) % HD_SUBGROUP_SIZE);
  *out = 0;
  if (!(mask >> own & 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "of thread %lld names lanes 0x%x, of which it is none",
                          (long long)hd_member_thread(m, i), mask);
  for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane) {
    uint32_t other = mask >> lane & 1 ? lane_at(m, i, lane) : UINT32_MAX;
    if (other == UINT32_MAX) continue;
    if (word(m, other, operand) != mask)
      return hd_make_status(HD_INVALID_ARGUMENT, "of thread %lld names lanes 0x%x, and lane %u of them names 0x%x",
                            (long long)hd_member_thread(m, i), mask, lane, word(m, other, operand));
    *out |= 1u << lane;
  }
  return HD_STATUS_OK;
}

/* ---- the block ---- */

/* Every thread gets how many of all have a predicate other than 0, or whether all or any have. */
static hd_status barrier_result(const hd_convergence *m, uint32_t predicate) {
  int64_t count = 0, value;
  for (uint32_t i = 0; i < m->count; ++i) count += word(m, i, predicate) != 0;
  switch (hd_attr_int_or(hd_nvvm_barrier_reductionOp_attr(m->op), -1)) {
    case HD_NVVM_REDUCTION_POPC:
      value = count;
      break;
    case HD_NVVM_REDUCTION_AND:
      value = count == m->count;
      break;
    case HD_NVVM_REDUCTION_OR:
      value = count != 0;
      break;
    default:
      return hd_make_status(HD_INVALID_ARGUMENT, "gives a value of no reduction");
  }
  for (uint32_t i = 0; i < m->count; ++i)
    HD_TRY(hd_eval_int_result(m->frame, m->op, 0, value, hd_member_result(m, i, 0)));
  return HD_STATUS_OK;
}

hd_status hd_together_nvvm_barrier(const hd_convergence *m) {
  uint32_t at[3], given[3];
  for (uint32_t k = 0; k < 3; ++k) hd_op_operand_range(m->op, k, &at[k], &given[k]);
  for (uint32_t i = 0; i < m->count; ++i) {
    if (given[0] && (word(m, i, at[0]) > 15 || word(m, i, at[0]) != word(m, 0, at[0])))
      return hd_make_status(HD_INVALID_ARGUMENT, "waits at barrier %u, expected one of 0 to 15 for all",
                            word(m, i, at[0]));
    if (given[1] && word(m, i, at[1]) != m->block->count)
      return hd_make_status(HD_UNIMPLEMENTED, "waits for %u threads of a block of %u, expected all", word(m, i, at[1]),
                            m->block->count);
  }
  HD_TRY(hd_members_are_all(m));
  return m->op->result_count ? barrier_result(m, at[2]) : HD_STATUS_OK;
}

/* ---- the warp ---- */

/* The lane that lane |own| reads; false: none, and it keeps its value. |control|: the end of a segment, and its mask
 * above. */
static bool source_of(hd_enum_nvvm_shfl_kind kind, int64_t own, int64_t offset, int64_t control, int64_t *out) {
  int64_t segment = control >> 8 & 31, last = (own & segment) | (control & 31 & ~segment), first = own & segment;
  offset &= 31;
  *out = kind == HD_NVVM_SHFL_KIND_UP     ? own - offset
         : kind == HD_NVVM_SHFL_KIND_DOWN ? own + offset
         : kind == HD_NVVM_SHFL_KIND_BFLY ? own ^ offset
                                          : (first | (offset & ~segment));
  return kind == HD_NVVM_SHFL_KIND_UP ? *out >= last : *out <= last;
}

static hd_status expect_type(const hd_convergence *m, hd_type type) {
  if (hd_result_type(m->op, 0) == type) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "gives a value of another type than it says");
}

/* { value, flag } of member |i|. */
static hd_status give_flagged(const hd_convergence *m, uint32_t i, const hd_tensor *value, bool flag) {
  hd_type type = hd_result_type(m->op, 0);
  size_t align, bytes = hd_size_in_memory(type, &align), own = hd_size_in_memory(value->type, &align);
  char packed[32] = {0};
  if (!own || bytes <= own || bytes > sizeof packed)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives a pair that does not hold its value");
  memcpy(packed, hd_tensor_data(value), own);
  packed[own] = flag;
  return hd_value_of_bytes(m->frame, type, packed, bytes, hd_member_result(m, i, 0));
}

hd_status hd_together_nvvm_shuffle(const hd_convergence *m) {
  hd_enum_nvvm_shfl_kind kind = hd_nvvm_shfl_sync_kind(m->op);
  bool flagged = hd_nvvm_shfl_sync_return_value_and_is_valid(m->op);
  hd_type type = hd_operand_type(m->op, 1);
  HD_TRY(expect_type(m, flagged ? hd_type_flagged(type) : type));
  for (uint32_t i = 0; i < m->count; ++i) {
    int64_t own = hd_member_thread(m, i) % HD_SUBGROUP_SIZE, from;
    uint32_t lanes;
    HD_TRY(lanes_of(m, i, 0, &lanes));
    bool valid = source_of(kind, own, word(m, i, 2), word(m, i, 3), &from);
    if (!valid) from = own;
    if (!(word(m, i, 0) >> from & 1))
      return hd_make_status(HD_INVALID_ARGUMENT, "of thread %lld reads lane %lld, which is none of lanes 0x%x",
                            (long long)hd_member_thread(m, i), (long long)from, word(m, i, 0));
    hd_tensor value = {0};
    HD_TRY(hd_member_take_lane(m, i, 1, from, &value));
    hd_status status = HD_STATUS_OK;
    if (flagged)
      status = give_flagged(m, i, &value, valid);
    else
      *hd_member_result(m, i, 0) = hd_tensor_retain(value);
    hd_tensor_release(&value);
    HD_TRY(status);
  }
  return HD_STATUS_OK;
}

hd_status hd_together_nvvm_vote(const hd_convergence *m) {
  hd_context *context = hd_frame_context(m->frame);
  bool ballots = hd_nvvm_vote_sync_kind(m->op) == HD_NVVM_VOTE_SYNC_KIND_BALLOT;
  HD_TRY(expect_type(m, ballots ? hd_i32(context) : hd_i1(context)));
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t lanes, votes = 0;
    HD_TRY(lanes_of(m, i, 0, &lanes));
    for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane)
      if (lanes >> lane & 1 && hd_eval_int(hd_member_operand(m, lane_at(m, i, lane), 1))) votes |= 1u << lane;
    hd_enum_nvvm_vote_sync_kind kind = hd_nvvm_vote_sync_kind(m->op);
    int64_t value = kind == HD_NVVM_VOTE_SYNC_KIND_ANY   ? votes != 0
                    : kind == HD_NVVM_VOTE_SYNC_KIND_ALL ? votes == lanes
                    : kind == HD_NVVM_VOTE_SYNC_KIND_UNI ? !votes || votes == lanes
                                                         : (int64_t)votes;
    HD_TRY(hd_eval_int_result(m->frame, m->op, 0, value, hd_member_result(m, i, 0)));
  }
  return HD_STATUS_OK;
}

static uint32_t combine(hd_enum_nvvm_redux_kind kind, uint32_t x, uint32_t y) {
  switch (kind) {
    case HD_NVVM_REDUX_KIND_ADD:
      return x + y;
    case HD_NVVM_REDUX_KIND_AND:
      return x & y;
    case HD_NVVM_REDUX_KIND_OR:
      return x | y;
    case HD_NVVM_REDUX_KIND_XOR:
      return x ^ y;
    case HD_NVVM_REDUX_KIND_MAX:
      return (int32_t)x > (int32_t)y ? x : y;
    case HD_NVVM_REDUX_KIND_MIN:
      return (int32_t)x < (int32_t)y ? x : y;
    case HD_NVVM_REDUX_KIND_UMAX:
      return x > y ? x : y;
    default:
      return x < y ? x : y;
  }
}

/* The lesser or the greater of two, -0 below +0; of one NaN the other, with |keeps_nan| the NaN. */
static float extremum(bool greater, bool keeps_nan, float x, float y) {
  if (isnan(x) || isnan(y)) return keeps_nan || isnan(x) == isnan(y) ? NAN : isnan(x) ? y : x;
  bool below = x < y || (x == y && signbit(x) && !signbit(y));
  return below == greater ? y : x;
}

static hd_status reduce_floats(const hd_convergence *m, uint32_t i, uint32_t lanes) {
  hd_enum_nvvm_redux_kind kind = hd_nvvm_redux_sync_kind(m->op);
  bool keeps_nan = hd_nvvm_redux_sync_nan(m->op), first = true;
  float value = 0;
  for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    float one;
    memcpy(&one, hd_tensor_data(hd_member_operand(m, lane_at(m, i, lane), 0)), sizeof one);
    if (hd_nvvm_redux_sync_abs(m->op)) one = fabsf(one);
    value = first ? one : extremum(kind == HD_NVVM_REDUX_KIND_FMAX, keeps_nan, value, one);
    first = false;
  }
  uint32_t bits = 0x7fffffff; /* the NaN of PTX */
  if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
  return hd_value_of_bytes(m->frame, hd_result_type(m->op, 0), &bits, sizeof bits, hd_member_result(m, i, 0));
}

hd_status hd_together_nvvm_reduce(const hd_convergence *m) {
  hd_enum_nvvm_redux_kind kind = hd_nvvm_redux_sync_kind(m->op);
  bool is_float = kind == HD_NVVM_REDUX_KIND_FMIN || kind == HD_NVVM_REDUX_KIND_FMAX;
  hd_type type = hd_operand_type(m->op, 0);
  if (is_float ? !hd_type_is_float(type, HD_F32) : !hd_type_is_integer(type, 32))
    return hd_make_status(HD_INVALID_ARGUMENT, "combines values that its kind has not, expected %s",
                          is_float ? "f32" : "i32");
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t lanes, value = 0;
    bool first = true;
    HD_TRY(lanes_of(m, i, 1, &lanes));
    if (is_float) {
      HD_TRY(reduce_floats(m, i, lanes));
      continue;
    }
    for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      uint32_t one = word(m, lane_at(m, i, lane), 0);
      value = first ? one : combine(kind, value, one);
      first = false;
    }
    HD_TRY(hd_eval_int_result(m->frame, m->op, 0, (int32_t)value, hd_member_result(m, i, 0)));
  }
  return HD_STATUS_OK;
}

/* any: the lanes that have this lane's value. all: all lanes that take part when they have one value, and whether they
 * do. */
hd_status hd_together_nvvm_match(const hd_convergence *m) {
  bool all = hd_nvvm_match_sync_kind(m->op) == HD_NVVM_MATCH_SYNC_KIND_ALL;
  hd_type lanes_type = hd_i32(hd_frame_context(m->frame));
  HD_TRY(expect_type(m, all ? hd_type_flagged(lanes_type) : lanes_type));
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t lanes, same = 0;
    HD_TRY(lanes_of(m, i, 0, &lanes));
    for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane)
      if (lanes >> lane & 1 &&
          hd_eval_int(hd_member_operand(m, lane_at(m, i, lane), 1)) == hd_eval_int(hd_member_operand(m, i, 1)))
        same |= 1u << lane;
    if (!all) {
      HD_TRY(hd_eval_int_result(m->frame, m->op, 0, (int32_t)same, hd_member_result(m, i, 0)));
      continue;
    }
    hd_tensor value;
    uint32_t given = same == lanes ? lanes : 0;
    HD_TRY(hd_value_of_bytes(m->frame, lanes_type, &given, sizeof given, &value));
    hd_status status = give_flagged(m, i, &value, same == lanes);
    hd_tensor_release(&value);
    HD_TRY(status);
  }
  return HD_STATUS_OK;
}

/* One lane of those that take part, which PTX leaves open: the first. */
hd_status hd_together_nvvm_elect(const hd_convergence *m) {
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t lanes = 0;
    if (m->op->operand_count) {
      HD_TRY(lanes_of(m, i, 0, &lanes));
    } else {
      for (uint32_t lane = 0; lane < HD_SUBGROUP_SIZE; ++lane)
        lanes |= (uint32_t)(lane_at(m, i, lane) != UINT32_MAX) << lane;
    }
    bool is_first = (uint32_t)__builtin_ctz(lanes) == hd_member_thread(m, i) % HD_SUBGROUP_SIZE;
    HD_TRY(hd_eval_int_result(m->frame, m->op, 0, is_first, hd_member_result(m, i, 0)));
  }
  return HD_STATUS_OK;
}

hd_status hd_together_warp_barrier(const hd_convergence *m) {
  uint32_t lanes;
  for (uint32_t i = 0; i < m->count; ++i) HD_TRY(lanes_of(m, i, 0, &lanes));
  return HD_STATUS_OK;
}
