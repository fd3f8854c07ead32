/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/machine/convergence.h"
#include "ir/ops/gpu.h"
#include "ir/ops/scf.h"

hd_status hd_thread_block_create(hd_eval_frame *frame, hd_eval_frame *outer, hd_slot_range range, uint32_t count,
                                 hd_thread_block *out) {
  *out = (hd_thread_block){.count = count};
  HD_TRY(hd_eval_temp(frame, count, sizeof *out->frames, &out->frames));
  HD_TRY(hd_eval_temp(frame, count, sizeof *out->threads, &out->threads));
  hd_tensor *slots;
  HD_TRY(hd_eval_temp(frame, (size_t)count * range.count, sizeof *slots, &slots));
  HD_TRY(hd_eval_temp(frame, count, sizeof *out->copies, &out->copies));
  for (uint32_t i = 0; i < count; ++i)
    out->frames[i] = (hd_eval_frame){frame->evaluator, slots + (size_t)i * range.count, range, outer, &out->threads[i]};
  return HD_STATUS_OK;
}

void hd_thread_block_clear(hd_thread_block *block) {
  size_t count = block->count ? (size_t)block->count * block->frames[0].range.count : 0;
  for (size_t i = 0; i < count; ++i) hd_tensor_release(&block->frames[0].slots[i]);
}

/* ---- exchanges between lanes ---- */

uint32_t hd_member_at(const hd_convergence *m, int64_t linear) {
  uint32_t low = 0, high = m->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (m->block->threads[m->members[middle]].linear < linear)
      low = middle + 1;
    else
      high = middle;
  }
  return low < m->count && m->block->threads[m->members[low]].linear == linear ? low : UINT32_MAX;
}

hd_status hd_member_take_lane(const hd_convergence *m, uint32_t i, uint32_t operand, int64_t lane, hd_tensor *out) {
  int64_t linear = m->block->threads[m->members[i]].linear;
  if (lane < 0 || lane >= HD_SUBGROUP_SIZE)
    return hd_make_status(HD_INVALID_ARGUMENT, "of thread %lld reads lane %lld of %d", (long long)linear,
                          (long long)lane, HD_SUBGROUP_SIZE);
  uint32_t from = hd_member_at(m, linear / HD_SUBGROUP_SIZE * HD_SUBGROUP_SIZE + lane);
  if (from == UINT32_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "of thread %lld reads lane %lld, which has not come to it",
                          (long long)linear, (long long)lane);
  *out = hd_tensor_retain(*hd_member_operand(m, from, operand));
  return HD_STATUS_OK;
}

static hd_status exchange(const hd_convergence *m, uint32_t i, int64_t lane, int64_t width) {
  int64_t own = m->block->threads[m->members[i]].linear % HD_SUBGROUP_SIZE;
  hd_tensor *out = hd_member_row(m->out, m->op->result_count, i);
  bool valid = own < width && lane >= 0 && lane < width;
  HD_TRY(hd_member_take_lane(m, i, 0, valid ? lane : own, &out[0]));
  return hd_eval_int_result(m->frame, m->op, 1, valid, &out[1]);
}

hd_status hd_together_gpu_shuffle(const hd_convergence *m) {
  hd_enum_gpu_shuffle_mode mode = hd_gpu_shuffle_mode(m->op);
  for (uint32_t i = 0; i < m->count; ++i) {
    int64_t own = m->block->threads[m->members[i]].linear % HD_SUBGROUP_SIZE;
    int64_t offset = hd_eval_int(hd_member_operand(m, i, 1)), width = hd_eval_int(hd_member_operand(m, i, 2));
    if (width < 1 || width > HD_SUBGROUP_SIZE)
      return hd_make_status(HD_INVALID_ARGUMENT, "exchanges among %lld lanes of %d", (long long)width,
                            HD_SUBGROUP_SIZE);
    int64_t lane = mode == HD_GPU_SHUFFLE_MODE_XOR    ? own ^ offset
                   : mode == HD_GPU_SHUFFLE_MODE_UP   ? own - offset
                   : mode == HD_GPU_SHUFFLE_MODE_DOWN ? own + offset
                                                      : offset;
    HD_TRY(exchange(m, i, lane, width));
  }
  return HD_STATUS_OK;
}

hd_status hd_together_gpu_rotate(const hd_convergence *m) {
  int64_t offset = hd_gpu_rotate_offset(m->op), width = hd_gpu_rotate_width(m->op);
  if (width < 1 || width > HD_SUBGROUP_SIZE || offset < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "rotates %lld lanes of %d", (long long)width, HD_SUBGROUP_SIZE);
  for (uint32_t i = 0; i < m->count; ++i) {
    int64_t own = m->block->threads[m->members[i]].linear % HD_SUBGROUP_SIZE;
    HD_TRY(exchange(m, i, (own + offset) % width, width));
  }
  return HD_STATUS_OK;
}

hd_status hd_together_gpu_subgroup_broadcast(const hd_convergence *m) {
  for (uint32_t i = 0; i < m->count; ++i) {
    int64_t linear = m->block->threads[m->members[i]].linear, lane = 0;
    if (m->op->operand_count > 1) {
      lane = hd_eval_int(hd_member_operand(m, i, 1));
    } else {
      while (hd_member_at(m, linear / HD_SUBGROUP_SIZE * HD_SUBGROUP_SIZE + lane) == UINT32_MAX) ++lane;
    }
    HD_TRY(hd_member_take_lane(m, i, 0, lane, hd_member_row(m->out, 1, i)));
  }
  return HD_STATUS_OK;
}

static hd_opcode combination_of(hd_enum_gpu_all_reduce_op kind, hd_type element) {
  switch (kind) {
#define CASE(kind)                  \
  case HD_GPU_ALL_REDUCE_OP_##kind: \
    return hd_arith_op_of_vector_kind(HD_VECTOR_KIND_##kind, element);
    CASE(ADD)
    CASE(MUL)
    CASE(MINUI)
    CASE(MINSI)
    CASE(MINNUMF)
    CASE(MAXUI)
    CASE(MAXSI)
    CASE(MAXNUMF)
    CASE(AND)
    CASE(OR)
    CASE(XOR)
    CASE(MINIMUMF)
    CASE(MAXIMUMF)
#undef CASE
  }
  return HD_OP_UNREGISTERED;
}

/* *to = *to combined with |value|, by the op's kind or by its body, which |member| runs. */
static hd_status combine(const hd_convergence *m, uint32_t member, hd_tensor *to, const hd_tensor *value) {
  hd_attr kind =
      hd_op_is(m->op, HD_OP_gpu_all_reduce) ? hd_gpu_all_reduce_op_attr(m->op) : hd_gpu_subgroup_reduce_op_attr(m->op);
  hd_tensor result = {0};
  if (kind) {
    HD_TRY(hd_eval_value(m->frame, to->type, &result));
    hd_type element = hd_type_element(to->type);
    hd_opcode combination = combination_of((hd_enum_gpu_all_reduce_op)hd_attr_int_or(kind, -1), element);
    size_t bytes = hd_type_element_bytes(element), size = result.buffer->size;
    for (size_t at = 0; at < size; at += bytes)
      HD_TRY(hd_eval_combine(combination, element, (char *)hd_tensor_data(to) + at, (char *)hd_tensor_data(value) + at,
                             (char *)hd_tensor_data(&result) + at));
  } else {
    hd_tensor args[2] = {*to, *value};
    hd_eval_frame *frame = &m->block->frames[m->members[member]];
    HD_TRY(hd_eval_region(frame, m->op, 0, args, 2, &result, 1));
  }
  hd_tensor_release(to);
  *to = result;
  return HD_STATUS_OK;
}

/* Members of one cluster of |size| lanes, |stride| apart, get the combination of all of theirs. */
static hd_status reduce(const hd_convergence *m, int64_t size, int64_t stride) {
  for (uint32_t i = 0; i < m->count; ++i) {
    int64_t linear = m->block->threads[m->members[i]].linear, span = size * stride;
    int64_t first = linear / span * span + linear % stride;
    hd_tensor *out = hd_member_row(m->out, 1, i);
    uint32_t leader = hd_member_at(m, first);
    if (leader < i) { /* done for the first of them */
      *out = hd_tensor_retain(*hd_member_row(m->out, 1, leader));
      continue;
    }
    *out = hd_tensor_retain(*hd_member_operand(m, i, 0));
    for (int64_t k = 0; k < size; ++k) {
      uint32_t other = hd_member_at(m, first + k * stride);
      if (other != UINT32_MAX && other != i) HD_TRY(combine(m, i, out, hd_member_operand(m, other, 0)));
    }
  }
  return HD_STATUS_OK;
}

hd_status hd_members_are_all(const hd_convergence *m) {
  if (m->count == m->block->count) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "is reached by %u of the %u threads of its block", m->count,
                        m->block->count);
}

hd_status hd_together_block_barrier(const hd_convergence *m) { return hd_members_are_all(m); }

hd_status hd_together_gpu_all_reduce(const hd_convergence *m) {
  HD_TRY(hd_members_are_all(m));
  return reduce(m, HD_BLOCK_LIMIT, 1);
}

hd_status hd_together_gpu_subgroup_reduce(const hd_convergence *m) {
  int64_t size = hd_attr_int_or(hd_gpu_subgroup_reduce_cluster_size_attr(m->op), HD_SUBGROUP_SIZE),
          stride = hd_gpu_subgroup_reduce_cluster_stride(m->op);
  if (size < 1 || stride < 1 || size > HD_SUBGROUP_SIZE || stride > HD_SUBGROUP_SIZE / size)
    return hd_make_status(HD_INVALID_ARGUMENT, "has clusters beyond a subgroup");
  return reduce(m, size, stride);
}

hd_status hd_together_shared_memory(const hd_convergence *m) {
  hd_tensor memory = {0};
  HD_TRY(hd_eval_hook_of(m->op->info->opcode)(m->frame, m->op, m->in, &memory));
  for (uint32_t i = 0; i < m->count; ++i) *hd_member_row(m->out, 1, i) = hd_tensor_retain(memory);
  hd_tensor_release(&memory);
  return HD_STATUS_OK;
}

/* ---- loops and branches ---- */

/* Some members, by their position at the point of convergence and by their number in the thread block. */
typedef struct active_threads {
  uint32_t *at, *members, count;
} active_threads;

static hd_status active_threads_create(const hd_convergence *m, active_threads *out) {
  out->count = 0;
  HD_TRY(hd_eval_temp(m->frame, m->count, sizeof *out->at, &out->at));
  return hd_eval_temp(m->frame, m->count, sizeof *out->members, &out->members);
}

static void join(const hd_convergence *m, active_threads *p, uint32_t i) {
  p->at[p->count] = i;
  p->members[p->count++] = m->members[i];
}

/* Runs region |r| by |p|; args and results are rows of the active_threads. */
static hd_status run_active(const hd_convergence *m, const active_threads *p, uint32_t r, const hd_tensor *args,
                            size_t arg_count, hd_tensor *results, size_t result_count) {
  if (!p->count) return HD_STATUS_OK;
  hd_region *region = hd_op_region(m->op, r);
  if (!region->first && !result_count) return HD_STATUS_OK;
  return hd_thread_block_run(m->block, p->members, p->count, region, args, arg_count, results, result_count);
}

hd_status hd_together_branch(const hd_convergence *m) {
  uint32_t n = m->op->result_count;
  hd_attr cases = hd_op_is(m->op, HD_OP_scf_index_switch) ? hd_scf_index_switch_cases(m->op) : NULL;
  hd_tensor *results;
  HD_TRY(hd_eval_temp(m->frame, (size_t)m->count * n + 1, sizeof *results, &results));
  for (uint32_t r = 0; r < m->op->region_count; ++r) {
    active_threads p;
    HD_TRY(active_threads_create(m, &p));
    for (uint32_t i = 0; i < m->count; ++i) {
      uint32_t taken = 0;
      if (hd_op_is(m->op, HD_OP_scf_if)) {
        taken = hd_eval_int(hd_member_operand(m, i, 0)) ? 0 : 1;
      } else if (hd_op_is(m->op, HD_OP_scf_index_switch)) {
        for (uint32_t k = 0; k < hd_attr_count(cases); ++k)
          if (hd_attr_int_at(cases, k) == hd_eval_int(hd_member_operand(m, i, 0))) taken = k + 1;
      }
      if (taken == r) join(m, &p, i);
    }
    HD_TRY(run_active(m, &p, r, NULL, 0, results, n));
    for (uint32_t k = 0; k < p.count && n; ++k)
      memcpy(hd_member_row(m->out, n, p.at[k]), hd_member_row(results, n, k), n * sizeof *results);
  }
  return HD_STATUS_OK;
}

hd_status hd_together_counted_loop(const hd_convergence *m) {
  uint32_t n = m->op->result_count;
  hd_tensor *args, *results;
  int64_t *at;
  active_threads p;
  HD_TRY(active_threads_create(m, &p));
  HD_TRY(hd_eval_temp(m->frame, m->count, sizeof *at, &at));
  HD_TRY(hd_eval_temp(m->frame, (size_t)m->count * (n + 1), sizeof *args, &args));
  HD_TRY(hd_eval_temp(m->frame, (size_t)m->count * n + 1, sizeof *results, &results));
  for (uint32_t i = 0; i < m->count; ++i) {
    if (hd_eval_int(hd_member_operand(m, i, 2)) <= 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "steps by %lld", (long long)hd_eval_int(hd_member_operand(m, i, 2)));
    at[i] = hd_eval_int(hd_member_operand(m, i, 0));
    for (uint32_t k = 0; k < n; ++k) hd_member_row(m->out, n, i)[k] = hd_tensor_retain(*hd_member_operand(m, i, 3 + k));
  }
  for (;;) {
    p.count = 0;
    for (uint32_t i = 0; i < m->count; ++i)
      if (at[i] < hd_eval_int(hd_member_operand(m, i, 1))) join(m, &p, i);
    if (!p.count) return HD_STATUS_OK;
    for (uint32_t k = 0; k < p.count; ++k) {
      hd_tensor *arg = hd_member_row(args, n + 1, k);
      HD_TRY(hd_eval_value(m->frame, hd_member_operand(m, p.at[k], 0)->type, &arg[0]));
      hd_element_store(arg[0].type, hd_tensor_data(&arg[0]), at[p.at[k]]);
      for (uint32_t v = 0; v < n; ++v) arg[1 + v] = hd_member_row(m->out, n, p.at[k])[v];
    }
    HD_TRY(run_active(m, &p, 0, args, n + 1, results, n));
    for (size_t k = 0; k < (size_t)p.count * (n + 1); ++k) hd_tensor_release(&args[k]);
    for (uint32_t k = 0; k < p.count; ++k) {
      if (n) memcpy(hd_member_row(m->out, n, p.at[k]), hd_member_row(results, n, k), n * sizeof *results);
      if (__builtin_add_overflow(at[p.at[k]], hd_eval_int(hd_member_operand(m, p.at[k], 2)), &at[p.at[k]]))
        at[p.at[k]] = INT64_MAX;
    }
    HD_TRY(hd_eval_poll(m->frame));
  }
}

hd_status hd_together_while_loop(const hd_convergence *m) {
  hd_block *before = hd_op_region(m->op, 0)->first;
  if (!before || !before->last || !hd_op_is(before->last, HD_OP_scf_condition))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a region that ends with scf.condition");
  uint32_t n = m->op->operand_count, passed = before->last->operand_count;
  hd_tensor *state, *next;
  active_threads p, on;
  HD_TRY(active_threads_create(m, &p));
  HD_TRY(active_threads_create(m, &on));
  HD_TRY(hd_eval_temp(m->frame, (size_t)m->count * n + 1, sizeof *state, &state));
  HD_TRY(hd_eval_temp(m->frame, (size_t)m->count * passed + 1, sizeof *next, &next));
  for (uint32_t i = 0; i < m->count; ++i) {
    join(m, &p, i);
    for (uint32_t k = 0; k < n; ++k) hd_member_row(state, n, i)[k] = hd_tensor_retain(*hd_member_operand(m, i, k));
  }
  while (p.count) {
    HD_TRY(run_active(m, &p, 0, state, n, next, passed));
    for (size_t k = 0; k < (size_t)p.count * n; ++k) hd_tensor_release(&state[k]);
    on.count = 0;
    for (uint32_t k = 0; k < p.count; ++k) {
      hd_tensor *values = hd_member_row(next, passed, k);
      bool goes_on = hd_eval_int(&values[0]) != 0;
      hd_tensor_release(&values[0]);
      if (goes_on)
        memmove(hd_member_row(next, passed - 1, on.count), values + 1, (passed - 1) * sizeof *values);
      else
        memcpy(hd_member_row(m->out, m->op->result_count, p.at[k]), values + 1, (passed - 1) * sizeof *values);
      if (goes_on) join(m, &on, p.at[k]);
    }
    HD_TRY(run_active(m, &on, 1, next, passed - 1, state, n));
    for (size_t k = 0; k < (size_t)on.count * (passed - 1); ++k) hd_tensor_release(&next[k]);
    active_threads spare = p;
    p = on;
    on = spare;
    HD_TRY(hd_eval_poll(m->frame));
  }
  return HD_STATUS_OK;
}

/* One step by all the members that wait at it. */
static hd_status converge(hd_thread_block *block, const hd_step *step, const uint32_t *members, uint32_t count) {
  hd_eval_frame *frame = &block->frames[members[0]];
  hd_evaluator *e = frame->evaluator;
  size_t mark = e->temp_count, width = step->op->operand_count, given = step->op->result_count;
  hd_convergence m = {.block = block, .frame = frame, .step = step, .op = step->op, .members = members, .count = count};
  HD_TRY(hd_eval_temp(frame, count * width + 1, sizeof *m.in, &m.in));
  HD_TRY(hd_eval_temp(frame, count * given + 1, sizeof *m.out, &m.out));
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < width; ++k)
      HD_TRY(hd_eval_step_operand(&block->frames[members[i]], step, k, &hd_member_row(m.in, width, i)[k]));
  e->steps += count;
  HD_TRY(hd_eval_enter(e));
  hd_together_hook together = hd_together_hook_of(hd_opcode_get(step->op));
  if (!together)
    return hd_make_status(HD_UNIMPLEMENTED,
                          "holds an op that threads do together, which the evaluator takes in scf alone");
  HD_TRY(together(&m));
  --e->depth;
  for (uint32_t i = 0; i < count; ++i)
    hd_eval_finish_step(&block->frames[members[i]], step, hd_member_row(m.out, given, i));
  hd_eval_drop_temps(e, mark);
  return HD_STATUS_OK;
}

/* Is |a| before |b| in the text of their region? */
static bool is_earlier(const hd_position *a, const hd_position *b) {
  if (a->block == b->block) return a->at < b->at;
  for (const hd_block *block = a->block->next; block; block = block->next)
    if (block == b->block) return true;
  return false;
}

/* The step whose threads go on: the earliest in the text at which one waits, since those that have left a loop or one
 * way of a branch wait after it for the others. Barriers come last: others may still come to them. */
static const hd_step *next_convergence(const hd_position *positions, uint32_t count) {
  const hd_position *next = NULL;
  bool at_barrier = true;
  for (uint32_t i = 0; i < count; ++i) {
    if (positions[i].done) continue;
    bool barrier = hd_is_block_barrier(positions[i].plan->steps[positions[i].at].op);
    if (next && barrier != at_barrier ? barrier : next && !is_earlier(&positions[i], next)) continue;
    next = &positions[i];
    at_barrier = barrier;
  }
  return next ? &next->plan->steps[next->at] : NULL;
}

hd_status hd_thread_block_run(hd_thread_block *block, const uint32_t *members, uint32_t count, hd_region *region,
                              const hd_tensor *args, size_t arg_count, hd_tensor *results, size_t result_count) {
  if (!count) return HD_STATUS_OK;
  hd_evaluator *e = block->frames[0].evaluator;
  if (!region->first) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty region where a body is needed");
  size_t mark = e->temp_count;
  hd_position *positions;
  uint32_t *waiting, *which;
  hd_eval_frame *first = &block->frames[members[0]];
  HD_TRY(hd_eval_temp(first, count, sizeof *positions, &positions));
  HD_TRY(hd_eval_temp(first, count, sizeof *waiting, &waiting));
  HD_TRY(hd_eval_temp(first, count, sizeof *which, &which));
  if (result_count) memset(results, 0, count * result_count * sizeof *results);
  for (uint32_t i = 0; i < count; ++i) {
    positions[i] = (hd_position){.block = region->first, .plan = hd_plan_block(&e->plans, region->first)};
    HD_TRY(hd_eval_enter_block(&block->frames[members[i]], region->first, args + i * arg_count, arg_count));
  }
  for (;;) {
    for (uint32_t i = count; i-- > 0;)
      if (!positions[i].done)
        HD_TRY(
            hd_eval_run_on(&block->frames[members[i]], &positions[i], true, results + i * result_count, result_count));
    const hd_step *step = next_convergence(positions, count);
    if (!step) break;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i)
      if (!positions[i].done && &positions[i].plan->steps[positions[i].at] == step) {
        which[n] = i;
        waiting[n++] = members[i];
      }
    hd_status status = converge(block, step, waiting, n);
    if (!hd_is_ok(status)) return hd_eval_report(e, step->op, status);
    for (uint32_t i = 0; i < n; ++i) ++positions[which[i]].at;
  }
  hd_eval_drop_temps(e, mark);
  return HD_STATUS_OK;
}
