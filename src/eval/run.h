/* SPDX-License-Identifier: Apache-2.0 */
/* How blocks are run, for what runs regions in another way than one after the other: the door (eval.c) and the threads
 * of a block (team.c). Hooks of ops use frame.h. */
#ifndef HD_EVAL_RUN_H_
#define HD_EVAL_RUN_H_

#include "base/vec.h"
#include "eval/plan.h"
#include "eval/process.h"
#include "eval/program.h"

/* What interpreter.probe saw, in order. */
typedef struct hd_probe {
  hd_ident name;
  hd_tensor value;
} hd_probe;

struct hd_evaluator {
  hd_module *module;
  hd_context *context;
  hd_eval_options options;
  hd_heap own_heap, *heap; /* a process of run_parallel uses its parent's */
  hd_process process;
  hd_arena arena;
  hd_plans plans;
  hd_memory memory;
  hd_program_io io;
  hd_tensor_buffer **temps;
  size_t temp_count, temp_capacity;
  uint64_t steps;
  uint32_t depth;
  double deadline;       /* 0: none */
  bool reported;         /* the failure on its way out has its diagnostic */
  bool quiet;            /* report nothing: folding */
  const hd_tensor *mask; /* of the vector.mask whose op has not begun */
  bool expressing;       /* results of the running hook take expressed types */
  uint64_t checks_failed;
  uint64_t random_calls;
  hd_vec(hd_probe) probes;
};

/* A thread of a launch. */
typedef struct hd_thread {
  int64_t id[3], block[3], threads[3], blocks[3];
  int64_t linear; /* in its block */
} hd_thread;

/* One activation: of a function, or of a region by one of many threads. */
struct hd_eval_frame {
  hd_evaluator *evaluator;
  hd_tensor *slots;        /* of |range| */
  hd_slot_range range;     /* of a function: all */
  hd_eval_frame *outer;    /* has the other slots; null: there are none */
  const hd_thread *thread; /* null: the host */
};

static inline hd_tensor *hd_frame_slot(hd_eval_frame *frame, uint32_t slot) {
  return slot - frame->range.first < frame->range.count ? &frame->slots[slot - frame->range.first]
                                                        : &frame->outer->slots[slot - frame->outer->range.first];
}

/* Reports |status| at |op| unless something inside has been reported; gives it back. */
hd_status hd_eval_report(hd_evaluator *e, hd_op *op, hd_status status) HD_MUST_USE;
/* Frees what hd_eval_temp has given since there were |mark|. */
void hd_eval_drop_temps(hd_evaluator *e, size_t mark);
/* Evaluates one op with its operands gathered in |in|; results go to |out|, checked. */
hd_status hd_eval_run_op(hd_eval_frame *frame, hd_op *op, bool expressed, const hd_tensor *in,
                         hd_tensor *out) HD_MUST_USE;
/* Operand |i| of |step|, borrowed; INTERNAL when it has no value. */
hd_status hd_eval_step_operand(hd_eval_frame *frame, const hd_step *step, uint32_t i, hd_tensor *out) HD_MUST_USE;
/* Takes over |values| as the results of |step| and releases what dies there. */
void hd_eval_finish_step(hd_eval_frame *frame, const hd_step *step, const hd_tensor *values);
/* Gives |args| to |block|. */
hd_status hd_eval_enter_block(hd_eval_frame *frame, hd_block *block, const hd_tensor *args,
                              size_t arg_count) HD_MUST_USE;

/* Where a region is being run. */
typedef struct hd_position {
  hd_block *block;
  hd_block_plan *plan;
  size_t at; /* the next step */
  bool done;
} hd_position;

/* Runs on from |position| to the end of the region, whose values go to |results|, owned by the caller; with |alone|
 * only to the next step at which threads meet. Failures are reported. */
hd_status hd_eval_run_on(hd_eval_frame *frame, hd_position *position, bool alone, hd_tensor *results,
                         size_t result_count) HD_MUST_USE;

/* Frees the automatic storages among those after the first |mark|. */
void hd_eval_drop_automatic(hd_eval_frame *frame, size_t mark);
hd_status hd_eval_enter(hd_evaluator *e) HD_MUST_USE; /* one deeper; leave by --e->depth */

#endif
