/* SPDX-License-Identifier: Apache-2.0 */
/* A step at which threads of a block converge (thread_block.h), for the ops that they do there together. */
#ifndef HD_EVAL_MACHINE_CONVERGENCE_H_
#define HD_EVAL_MACHINE_CONVERGENCE_H_

#include "eval/machine/thread_block.h"

/* The members that came, by ascending number; their operands and results as rows. */
typedef struct hd_convergence {
  hd_thread_block *block;
  hd_eval_frame *frame; /* of the first member: for memory */
  const hd_step *step;
  hd_op *op;
  const uint32_t *members;
  uint32_t count;
  hd_tensor *in, *out;
} hd_convergence;

/* Row |i| of |rows|, which have |width| values each. */
static inline hd_tensor *hd_member_row(hd_tensor *rows, size_t width, uint32_t i) { return rows + (size_t)i * width; }
static inline hd_tensor *hd_member_operand(const hd_convergence *m, uint32_t member, uint32_t i) {
  return hd_member_row(m->in, m->op->operand_count, member) + i;
}
static inline hd_tensor *hd_member_result(const hd_convergence *m, uint32_t member, uint32_t i) {
  return hd_member_row(m->out, m->op->result_count, member) + i;
}
static inline int64_t hd_member_thread(const hd_convergence *m, uint32_t member) {
  return m->block->threads[m->members[member]].linear;
}
/* The member whose thread is number |linear| of the block; UINT32_MAX: it has not come. */
uint32_t hd_member_at(const hd_convergence *m, int64_t linear);
/* Gives member |i| the operand |operand| of lane |lane| of its subgroup. */
hd_status hd_member_take_lane(const hd_convergence *m, uint32_t i, uint32_t operand, int64_t lane,
                              hd_tensor *out) HD_MUST_USE;
/* INVALID_ARGUMENT unless all threads of the block came. */
hd_status hd_members_are_all(const hd_convergence *m) HD_MUST_USE;

/* Is |op| a point to which all threads of a block come? */
bool hd_is_block_barrier(const hd_op *op);

/* What threads do at an op together: the TOGETHER hooks of the rows. Null: nothing of their own. */
typedef hd_status (*hd_together_hook)(const hd_convergence *m);
hd_together_hook hd_together_hook_of(hd_opcode opcode);

#define HOOKS(...) __VA_ARGS__
#define TOGETHER(name) hd_status hd_together_##name(const hd_convergence *m);
#include "ir/ops/no_hooks.def"
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) hooks
#include "ir/ops/all_ops.def"
#include "ir/ops/undef_hooks.def"

#endif
